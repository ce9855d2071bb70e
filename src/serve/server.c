/* SPDX-License-Identifier: MIT
 *
 * The server without its sockets: what it knows, and which answer a request gets.
 *
 *   request -> gate (host, origin, size) -> pages | /join | cookie -> api
 *
 * Cookies are named after the queue, since browsers share them between the ports of one
 * host; the owner has one of their own, so that an owner who also labels is both.
 */
#include <stdio.h>

#include "serve/exchange.h"

static const char default_instructions[] =
    "Which answer is better for the person who asked?\n\n"
    "Look at **what** the answers say: whether they are right, complete and of use. "
    "Tone, length, format and the order in which you see them should not count. If "
    "both "
    "are about as good, choose tie. If you do not know the topic, press N first and "
    "choose all the same.";

eh_status server_reload(server *s, eh_error *err) {
    arena_reset(&s->kept);
    s->n_people = 0;
    EH_TRY(ledger_annotators(s->l, &s->kept, &s->people, &s->n_people, err));
    EH_TRY(ledger_instructions_last(s->l, &s->kept, &s->instructions, err));
    if (!s->instructions.version.len)
        s->instructions =
            (ledger_instructions){EH_STR("default"), eh_str_of(default_instructions)};
    return EH_STATUS_OK;
}

eh_status serve_instruct(ledger *l, eh_str text, eh_clock clock, eh_error *err) {
    uint8_t digest[HASH_BYTES];
    char version[17];
    eh_hash h;
    eh_arena arena;
    ledger_instructions last;
    hash_init(&h, "eh-instructions-1");
    hash_str(&h, text);
    hash_done(&h, digest);
    hash_hex(digest, 8, version);
    arena_init(&arena, 1 << 20);
    ledger_instructions next = {eh_str_of(version), text};
    eh_status status = ledger_instructions_last(l, &arena, &last, err);
    bool is_new = status == EH_STATUS_OK && !eh_str_eq(last.version, next.version);
    if (is_new) status = ledger_instructions_put(l, &next, clock_now_ms(&clock), err);
    if (is_new && status == EH_STATUS_OK) status = ledger_commit(l, err);
    if (status != EH_STATUS_OK) ledger_rollback(l);
    arena_deinit(&arena);
    return status;
}

/* "https://host:port" into its parts; checked before. */
static void take_public_url(server *s, eh_str url) {
    while (url.len && url.ptr[url.len - 1] == '/')
        url.len--;
    size_t at = eh_str_find(url, EH_STR("://"), 0);
    if (at == SIZE_MAX) return;
    s->public_origin = url;
    s->public_host = eh_str_slice(url, at + 3, url.len);
    s->secure = eh_str_begins(url, EH_STR("https:"));
}

eh_status serve_url_check(eh_str url, eh_error *err) {
    eh_str rest = url;
    if (eh_str_begins(rest, EH_STR("https://")))
        rest = eh_str_slice(rest, 8, rest.len);
    else if (eh_str_begins(rest, EH_STR("http://")))
        rest = eh_str_slice(rest, 7, rest.len);
    else
        rest.len = 0;
    if (rest.len && rest.ptr[rest.len - 1] == '/') rest.len--;
    bool ok = rest.len > 0 && rest.len < 256;
    for (size_t i = 0; ok && i < rest.len; i++)
        ok = (unsigned char)rest.ptr[i] > 0x20 && !strchr("/?#@\"<>\\", rest.ptr[i]);
    if (ok) return EH_STATUS_OK;
    return EH_FAIL(err, EH_STATUS_USAGE,
                   "--public-url is http:// or https://, a host and perhaps a port, "
                   "such as https://labels.example.org");
}

eh_status server_open(server *s, ledger *l, const serve_options *o, int port,
                      eh_error *err) {
    char hex[9];
    *s = (server){.l = l,
                  .clock = o->clock,
                  .web_dir = o->web_dir,
                  .is_loopback = serve_is_loopback(o->bind)};
    arena_init(&s->kept, 64 << 20);
    arena_init(&s->arena, SERVE_MAX_TEXT_BYTES);
    s->reader = json_reader_new();
    if (!s->reader) return EH_NOMEM(err);
    EH_TRY(desk_open(l, o->clock, &s->desk, err));
    hash_hex(desk_queue(s->desk)->nonce, 4, hex);
    (void)snprintf(s->cookie, sizeof s->cookie, "eh_%s", hex);
    (void)snprintf(s->owner_cookie, sizeof s->owner_cookie, "eh_owner_%s", hex);
    (void)snprintf(s->port, sizeof s->port, ":%d", port);
    gate_token_hash(eh_str_of(o->owner_token), s->owner_hash);
    if (o->public_url.len) take_public_url(s, o->public_url);
    return server_reload(s, err);
}

void server_close(server *s) {
    desk_close(s->desk);
    json_reader_free(s->reader);
    arena_deinit(&s->kept);
    arena_deinit(&s->arena);
}

/* ---- answering ---- */

/* Where the link of a person leads: the token moves into a cookie and out of sight. */
static void answer_join(const server *s, eh_str token, serve_response *out) {
    int64_t row;
    serve_role role =
        token.len == SERVE_TOKEN_CHARS ? gate_token(s, token, &row) : SERVE_NOBODY;
    if (role == SERVE_NOBODY) {
        out->status = 403;
        out->mime = "text/plain; charset=utf-8";
        out->static_body =
            EH_STR("This link is not valid. Ask the owner for a new one.\n");
        return;
    }
    bool owner = role == SERVE_OWNER;
    out->status = 303;
    (void)snprintf(out->location, sizeof out->location, "%s", owner ? "/owner" : "/");
    (void)snprintf(out->cookie, sizeof out->cookie,
                   "%s=%.*s; Path=/; Max-Age=7776000; HttpOnly; SameSite=Strict%s",
                   owner ? s->owner_cookie : s->cookie, EH_STR_ARG(token),
                   s->secure ? "; Secure" : "");
}

static void answer_api(server *s, const serve_request *r, serve_response *out) {
    int64_t row = 0;
    bool owners = eh_str_begins(r->path, EH_STR("/api/owner/"));
    serve_role wanted = owners ? SERVE_OWNER : SERVE_ANNOTATOR;
    if (gate_role(s, r->cookie, wanted, &row) != wanted) {
        serve_error(out, 401, "no_token",
                    "This link is not valid. Ask the owner for a new one.");
        return;
    }
    if (!(owners ? api_owner(s, r, out) : api_annotator(s, r, row, out)))
        serve_error(out, 404, "unknown_path", "There is nothing here.");
}

void serve_answer(server *s, const serve_request *r, serve_response *out) {
    static const char join[] = "/join/";
    arena_reset(&s->arena);
    out->status = 200;
    out->mime = "application/json";
    if (eh_str_begins(r->path, EH_STR("/api/")))
        answer_api(s, r, out);
    else if (r->method != SERVE_GET)
        serve_error(out, 405, "method", "Only pages are here.");
    else if (eh_str_begins(r->path, eh_str_of(join)))
        answer_join(s, eh_str_slice(r->path, sizeof join - 1, r->path.len), out);
    else if (!pages_answer(s, r, out))
        serve_error(out, 404, "unknown_path", "There is nothing here.");
    eh_error err;
    if (buf_check(&out->body, "an answer", &err) != EH_STATUS_OK)
        serve_failed(out, &err);
}
