/* SPDX-License-Identifier: MIT
 *
 * Who may ask.
 *
 *   Host    exactly one, one of our own names: a page elsewhere whose name was made to
 *           point here (DNS rebinding) sends its own
 *   Origin  ours on every POST, and on a GET where there is one; Sec-Fetch-Site where a
 *           browser sends it says the same
 *   POST    JSON with a length
 *   cookie  a random token, of which a hash is known; all are compared, each in
 *           constant time, so that the time taken says nothing
 *
 * On loopback our names are 127.0.0.1, [::1] and localhost with our port. Bound to
 * another address it is that of the socket, as a number, and with a proxy in front the
 * host of its public address.
 */
#include <stdio.h>

#include "base/log.h"
#include "serve/exchange.h"

void serve_token(char token[SERVE_TOKEN_CHARS + 1]) {
    uint8_t bytes[32];
    randombytes_buf(bytes, sizeof bytes);
    (void)sodium_bin2base64(token, SERVE_TOKEN_CHARS + 1, bytes, sizeof bytes,
                            sodium_base64_VARIANT_URLSAFE_NO_PADDING);
    sodium_memzero(bytes, sizeof bytes);
}

void gate_token_hash(eh_str token, uint8_t hash[HASH_BYTES]) {
    eh_hash h;
    hash_init(&h, "eh-annotator-token-1");
    hash_str(&h, token);
    hash_done(&h, hash);
}

eh_status serve_name_check(eh_str name, eh_error *err) {
    enum { NAME_MAX_BYTES = 64 };
    const char *why = NULL;
    if (name.len == 0 || name.len > NAME_MAX_BYTES) why = "has 1 to 64 characters";
    for (size_t i = 0; i < name.len; i++)
        if ((unsigned char)name.ptr[i] < 0x20 || name.ptr[i] == 0x7F)
            why = "holds no control characters";
    if (eh_str_eq_cstr(name, LEDGER_OWNER)) why = "is not the owner's";
    if (!why) return EH_STATUS_OK;
    return EH_FAIL(err, EH_STATUS_USAGE, "an annotator's name %s", why);
}

eh_status serve_invite(ledger *l, eh_str name, int64_t now_ms,
                       char token[SERVE_TOKEN_CHARS + 1], eh_error *err) {
    uint8_t hash[HASH_BYTES];
    int64_t row;
    EH_TRY(serve_name_check(name, err));
    serve_token(token);
    gate_token_hash(eh_str_of(token), hash);
    EH_TRY(ledger_annotator_put(l, name, hash, now_ms, &row, err));
    return ledger_commit(l, err);
}

/* ---- tokens ---- */

serve_role gate_token(const server *s, eh_str token, int64_t *annotator_row) {
    uint8_t hash[HASH_BYTES];
    serve_role role = SERVE_NOBODY;
    gate_token_hash(token, hash);
    for (size_t i = 0; i < s->n_people; i++) {
        const ledger_annotator *a = &s->people[i];
        bool equal = sodium_memcmp(hash, a->token_hash, HASH_BYTES) == 0;
        if (!equal || !a->has_token) continue;
        *annotator_row = a->row;
        role = SERVE_ANNOTATOR;
    }
    if (sodium_memcmp(hash, s->owner_hash, HASH_BYTES) == 0) role = SERVE_OWNER;
    return role;
}

/* The value of a cookie: "a=1; b=2". */
static eh_str cookie_value(eh_str cookies, const char *name) {
    eh_str rest = cookies, part;
    size_t n = strlen(name);
    while (eh_str_split(&rest, ';', &part)) {
        part = eh_str_trim(part);
        if (part.len > n && part.ptr[n] == '=' && memcmp(part.ptr, name, n) == 0)
            return eh_str_slice(part, n + 1, part.len);
    }
    return (eh_str){NULL, 0};
}

serve_role gate_role(const server *s, eh_str cookie, serve_role wanted,
                     int64_t *annotator_row) {
    const char *name = wanted == SERVE_OWNER ? s->owner_cookie : s->cookie;
    eh_str token = cookie_value(cookie, name);
    if (token.len != SERVE_TOKEN_CHARS) return SERVE_NOBODY;
    serve_role role = gate_token(s, token, annotator_row);
    return role == wanted ? role : SERVE_NOBODY;
}

/* ---- Host and Origin ---- */

static char lower(char c) {
    return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

/* text = a b, whatever the case. */
static bool is_joined(eh_str text, eh_str a, eh_str b) {
    if (text.len != a.len + b.len) return false;
    for (size_t i = 0; i < text.len; i++) {
        char wanted = i < a.len ? a.ptr[i] : b.ptr[i - a.len];
        if (lower(text.ptr[i]) != lower(wanted)) return false;
    }
    return true;
}

static bool is_own_host(const server *s, const serve_request *r, eh_str host) {
    eh_str port = eh_str_of(s->port);
    if (s->public_host.len && is_joined(host, s->public_host, EH_STR(""))) return true;
    if (s->is_loopback)
        return is_joined(host, EH_STR("127.0.0.1"), port) ||
               is_joined(host, EH_STR("localhost"), port) ||
               is_joined(host, EH_STR("[::1]"), port);
    return r->local_address.len && is_joined(host, r->local_address, port);
}

static bool is_own_origin(const server *s, const serve_request *r, eh_str origin) {
    static const char scheme[] = "http://";
    size_t n = sizeof scheme - 1;
    if (s->public_origin.len && is_joined(origin, s->public_origin, EH_STR("")))
        return true;
    return origin.len > n && memcmp(origin.ptr, scheme, n) == 0 &&
           is_own_host(s, r, eh_str_slice(origin, n, origin.len));
}

static bool refuse(serve_response *out, int status, const char *code,
                   const char *text) {
    serve_error(out, status, code, text);
    return false;
}

/* A link from a mail may lead here; nothing else of another site may. */
static bool comes_from_us(const server *s, const serve_request *r) {
    bool is_post = r->method == SERVE_POST;
    if (r->origin.len || is_post) {
        if (!is_own_origin(s, r, r->origin)) return false;
    }
    if (r->fetch_site.len == 0) return true;
    if (eh_str_eq_cstr(r->fetch_site, "same-origin")) return true;
    return !is_post && !eh_str_begins(r->path, EH_STR("/api/"));
}

static bool admits_body(const serve_request *r, serve_response *out) {
    bool is_long = eh_str_eq_cstr(r->path, "/api/owner/instructions");
    int64_t most = is_long ? SERVE_MAX_BODY_BYTES : SERVE_MAX_LABEL_BYTES;
    if (r->has_transfer_encoding || r->content_length < 0)
        return refuse(out, 411, "length_required", "The request needs a length.");
    if (r->content_length > most)
        return refuse(out, 413, "too_large", "The request is too large.");
    eh_str type = r->content_type, kind;
    (void)eh_str_split(&type, ';', &kind);
    if (!eh_str_eq_cstr(eh_str_trim(kind), "application/json"))
        return refuse(out, 415, "not_json", "The request must be JSON.");
    return true;
}

bool gate_admits(const server *s, const serve_request *r, serve_response *out) {
    if (r->n_hosts != 1 || !is_own_host(s, r, r->host))
        return refuse(out, 421, "wrong_host", "This server has another name.");
    if (r->method == SERVE_OTHER)
        return refuse(out, 405, "method", "Only GET and POST are answered.");
    if (!comes_from_us(s, r))
        return refuse(out, 403, "wrong_origin", "The request comes from another page.");
    if (r->method == SERVE_POST) return admits_body(r, out);
    if (r->content_length > 0 || r->has_transfer_encoding)
        return refuse(out, 400, "body", "A GET has no body.");
    return true;
}

/* ---- answers of failure ---- */

void serve_error(serve_response *out, int status, const char *code, const char *text) {
    json_writer w;
    out->status = status;
    out->mime = "application/json";
    out->static_body = (eh_str){NULL, 0};
    buf_reset(&out->body);
    json_writer_init(&w, &out->body, 0);
    json_object_begin(&w);
    json_put_cstr(&w, "error", code);
    json_put_cstr(&w, "message", text);
    json_object_end(&w);
}

void serve_failed(serve_response *out, const eh_error *err) {
    log_line(EH_LOG_WARNING, "a request failed: %s", err->msg);
    serve_error(out, 500, "failed",
                "The server could not do this; it can be repeated.");
}
