/* SPDX-License-Identifier: MIT
 *
 * Fuzz target: a request to the labelling server.
 *
 * The input is "METHOD PATH", a line of Host, Origin, Cookie, If-None-Match, the query
 * members, and a body; "@" stands for what is right (our host, an annotator's cookie,
 * an item that is open). Whatever comes, the answer is whole: a known status, JSON
 * where it says so, and nothing that a person must not see.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/utf8.h"
#include "serve/exchange.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CHECK(condition)                                                               \
    do {                                                                               \
        if (!(condition)) abort();                                                     \
    } while (0)

static struct site {
    ledger *l;
    server server;
    char cookie[96], owner_cookie[96], item[LEDGER_ID_CHARS + 1];
} site;

static void stage_pairs(void) {
    uint8_t digest[HASH_BYTES] = {1};
    int64_t line;
    dataset_stage stage = ledger_stage(site.l);
    CHECK(ledger_stage_begin(site.l, NULL) == EH_STATUS_OK);
    for (int i = 0; i < 3; i++) {
        char id[16];
        (void)snprintf(id, sizeof id, "hidden-id-%d", i);
        dataset_pair pair = {.id = eh_str_of(id),
                             .question = EH_STR("Why?"),
                             .answer_1 = EH_STR("Because. So it is."),
                             .answer_2 = EH_STR("For a reason. It is so."),
                             .model_1 = EH_STR("hidden-model"),
                             .line = i + 1};
        CHECK(stage.put(stage.self, &pair, &line, NULL) == EH_STATUS_OK);
    }
    CHECK(ledger_stage_end(site.l, digest, "x", 1, NULL) == EH_STATUS_OK);
}

static void open_site(void) {
    char token[SERVE_TOKEN_CHARS + 1], owner_token[SERVE_TOKEN_CHARS + 1];
    ledger_queue queue = {.nonce = {1, 2, 3},
                          .selection = EH_STR("random"),
                          .budget = EH_STR("3"),
                          .labels_per_pair = 1};
    CHECK(ledger_open_temporary(&site.l, NULL) == EH_STATUS_OK);
    stage_pairs();
    CHECK(ledger_queue_put(site.l, &queue, NULL) == EH_STATUS_OK);
    for (int64_t row = 1; row <= 3; row++) {
        ledger_item item = {
            .pair_row = row, .rank = row, .p_select = 1, .selected = true};
        CHECK(ledger_item_put(site.l, &item, NULL) == EH_STATUS_OK);
    }
    CHECK(serve_invite(site.l, EH_STR("ann"), 1, token, NULL) == EH_STATUS_OK);
    serve_token(owner_token);
    serve_options o = {
        .bind = "127.0.0.1", .owner_token = owner_token, .clock = clock_system()};
    CHECK(server_open(&site.server, site.l, &o, 7411, NULL) == EH_STATUS_OK);
    (void)snprintf(site.cookie, sizeof site.cookie, "%s=%s", site.server.cookie, token);
    (void)snprintf(site.owner_cookie, sizeof site.owner_cookie, "%s=%s",
                   site.server.owner_cookie, owner_token);
    ledger_assignment a;
    size_t n;
    CHECK(desk_next(site.server.desk, site.server.people[0].row, &a, 1, &n, NULL) ==
          EH_STATUS_OK);
    CHECK(n == 1);
    memcpy(site.item, a.id, sizeof site.item);
}

static eh_str line_of(eh_str *rest) {
    eh_str line = {NULL, 0};
    (void)eh_str_split(rest, '\n', &line);
    return line;
}

/* "@" alone is the right one; an empty line none at all. */
static eh_str or_right(eh_str text, const char *right) {
    if (eh_str_eq_cstr(text, "@")) return eh_str_of(right);
    return text.len ? text : (eh_str){NULL, 0};
}

static void put_item(eh_str text, eh_buf *out) {
    for (size_t i = 0; i < text.len; i++)
        if (text.ptr[i] == '@')
            buf_add_cstr(out, site.item);
        else
            buf_add_char(out, text.ptr[i]);
}

static void check_answer(const serve_request *r, const serve_response *out) {
    eh_str body = out->static_body.ptr ? out->static_body : buf_view(&out->body);
    CHECK(out->status >= 200 && out->status < 600 && out->status != 500);
    CHECK(!out->body.failed);
    if (!eh_str_begins(r->path, EH_STR("/api/owner/")))
        CHECK(eh_str_find(body, EH_STR("hidden-"), 0) == SIZE_MAX);
    if (strcmp(out->mime, "application/json") != 0 || !body.len) return;
    eh_arena arena;
    json_fault fault;
    arena_init(&arena, 64 << 20);
    CHECK(utf8_first_invalid(body) == SIZE_MAX);
    CHECK(json_read(site.server.reader, &arena, body, &fault) != NULL);
    arena_deinit(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    eh_str rest = {(const char *)data, size};
    if (!site.l) open_site();
    eh_buf path, body;
    buf_init(&path, BUF_MAX_SMALL);
    buf_init(&body, BUF_MAX_SMALL);
    eh_str first = line_of(&rest), method;
    (void)eh_str_split(&first, ' ', &method);
    put_item(first, &path);
    serve_request r = {
        .method = eh_str_eq_cstr(method, "GET")    ? SERVE_GET
                  : eh_str_eq_cstr(method, "POST") ? SERVE_POST
                                                   : SERVE_OTHER,
        .path = buf_view(&path),
        .host = or_right(line_of(&rest), "127.0.0.1:7411"),
        .origin = or_right(line_of(&rest), "http://127.0.0.1:7411"),
        .n_hosts = 1,
        .content_type = EH_STR("application/json"),
    };
    eh_str cookie = line_of(&rest);
    r.cookie = eh_str_eq_cstr(cookie, "owner") ? eh_str_of(site.owner_cookie)
                                               : or_right(cookie, site.cookie);
    r.etag = or_right(line_of(&rest), "");
    r.have = or_right(line_of(&rest), site.item);
    r.before = or_right(line_of(&rest), "");
    put_item(rest, &body);
    r.body = buf_view(&body);
    r.content_length = r.method == SERVE_POST ? (int64_t)body.len : -1;
    serve_response out = {.status = 200, .mime = "application/json"};
    buf_init(&out.body, SERVE_MAX_TEXT_BYTES);
    if (gate_admits(&site.server, &r, &out)) serve_answer(&site.server, &r, &out);
    check_answer(&r, &out);
    buf_deinit(&out.body);
    buf_deinit(&path);
    buf_deinit(&body);
    return 0;
}
