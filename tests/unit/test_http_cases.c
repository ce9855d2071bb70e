/* SPDX-License-Identifier: MIT
 *
 * The shared cases of endpoints' answers, every line of cases/http.jsonl, through the
 * codec: action, wait, scope, reason, what is missing, what is dropped or renamed,
 * usage, cost and text, and that no key comes out.
 *
 * Faults on the wire become what the transport reports for them; that it does is the
 * mock server's test.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "codec/codec.h"
#include "codec/retry_after.h"
#include "run/price.h"

enum { MAX_HEADERS = 16, MAX_PARAMS = 8 };

typedef struct http_case {
    judge_answer answer;
    judge_header headers[MAX_HEADERS];
    judge_asked asked;
    judge_sent sent[MAX_PARAMS];
    eh_str secret;
    const json_value *request, *expect;
} http_case;

static int64_t int_of(const json_value *object, const char *key, int64_t fallback) {
    const json_value *v = json_get(object, key);
    int64_t value = fallback;
    if (v && v->kind == JSON_NUMBER) assert_true(eh_str_to_i64(v->text, &value));
    return value;
}

static double f64_of(const json_value *object, const char *key) {
    const json_value *v = json_get(object, key);
    double value = -1;
    if (v && v->kind == JSON_NUMBER) assert_true(eh_str_to_f64(v->text, &value));
    return value;
}

static judge_fault fault_of(const json_value *transport) {
    if (json_get(transport, "close_after_bytes")) return JUDGE_FAULT_CUT;
    if (json_get(transport, "stall_s")) return JUDGE_FAULT_IDLE;
    if (json_get(transport, "drip_bytes")) return JUDGE_FAULT_TOTAL;
    return JUDGE_FAULT_NONE;
}

static void read_request(http_case *c) {
    static const char *const params[] = {"temperature", "max_tokens",
                                         "max_completion_tokens"};
    c->asked.n_samples = (int)int_of(c->request, "n", 1);
    c->asked.estimated_prompt_tokens =
        int_of(c->request, "estimated_prompt_tokens", -1);
    for (size_t i = 0; i < sizeof params / sizeof params[0]; i++)
        if (json_get(c->request, params[i]))
            c->sent[c->asked.n_sent++] = (judge_sent){eh_str_of(params[i]), false};
    c->asked.sent = c->sent;
    c->secret = json_get_str(c->request, "api_key");
    c->asked.secrets = &c->secret;
    c->asked.n_secrets = c->secret.len > 0;
    c->asked.host = EH_STR("api.example.org");
}

static void read_case(const json_value *line, http_case *c) {
    *c = (http_case){.request = json_get(line, "request"),
                     .expect = json_get(line, "expect")};
    assert_non_null(c->expect);
    c->answer.status = (int)int_of(line, "status", 0);
    c->answer.body = json_get_str(line, "body");
    c->answer.fault = fault_of(json_get(line, "transport"));
    const json_value *headers = json_get(line, "headers");
    for (const json_value *h = headers ? headers->child : NULL; h; h = h->next)
        c->headers[c->answer.n_headers++] = (judge_header){h->key, h->text};
    c->answer.headers = c->headers;
    eh_str now = json_get_str(line, "now");
    if (now.len) assert_true(retry_after_rfc3339(now, &c->asked.now_ms));
    read_request(c);
}

static const char *const actions[] = {"ok", "retry", "fail", "split_n", "drop_param"};
static const char *const scopes[] = {"run", "sample", "call"};

static bool same_str(const json_value *expect, const char *key, eh_str got) {
    const json_value *v = json_get(expect, key);
    if (!v) return true;
    if (v->kind == JSON_NULL) return got.len == 0;
    return eh_str_eq(v->text, got);
}

static bool same_wait(const json_value *expect, const judge_action *a) {
    const json_value *v = json_get(expect, "wait_s");
    double wait_s = f64_of(expect, "wait_s");
    if (!v || v->kind == JSON_NULL) return !a->has_wait;
    return a->has_wait && a->wait_ms == (int64_t)(wait_s * 1000);
}

static bool same_usage(const json_value *expect, const judge_usage *u) {
    const json_value *usage = json_get(expect, "usage");
    if (!usage) return true;
    return int_of(usage, "prompt_tokens", -1) == u->prompt_tokens &&
           int_of(usage, "completion_tokens", -1) == u->completion_tokens;
}

static bool same_cost(const http_case *c, const judge_usage *u) {
    const json_value *prices = json_get(c->request, "price_per_million");
    if (!json_get(c->expect, "cost_usd")) return true;
    price_row row = {.input_nusd = (int64_t)(f64_of(prices, "input") * 1e9),
                     .cached_nusd = (int64_t)(f64_of(prices, "cached_input") * 1e9),
                     .output_nusd = (int64_t)(f64_of(prices, "output") * 1e9)};
    double want = f64_of(c->expect, "cost_usd") * 1e9;
    double got = (double)price_cost_nusd(&row, u);
    return got > want - .5 && got < want + .5;
}

static bool same_fail(const json_value *expect, const judge_action *a) {
    if (a->kind != JUDGE_ACTION_FAIL) return true;
    return same_str(expect, "scope", eh_str_of(scopes[a->scope])) &&
           same_str(expect, "reason", eh_str_of(verdict_reason_name(a->reason)));
}

/* Not in the message, nor in any text that goes on. */
static bool hides(const json_value *expect, const judge_action *a) {
    const json_value *words = json_get(expect, "must_not_print");
    for (const json_value *w = words ? words->child : NULL; w; w = w->next) {
        if (eh_str_find(a->message, w->text, 0) != SIZE_MAX) return false;
        for (int i = 0; i < a->n_choices; i++)
            if (eh_str_find(a->choices[i].content, w->text, 0) != SIZE_MAX)
                return false;
    }
    return true;
}

static bool is_as_expected(const http_case *c, const judge_action *a) {
    const json_value *e = c->expect;
    if (!same_str(e, "action", eh_str_of(actions[a->kind]))) return false;
    if (!same_wait(e, a) || !same_fail(e, a) || !hides(e, a)) return false;
    if (int_of(e, "missing", a->n_missing) != a->n_missing) return false;
    if (!same_str(e, "param", a->param) || !same_str(e, "rename_to", a->rename_to))
        return false;
    eh_str content = a->n_choices ? a->choices[0].content : EH_STR("");
    return same_usage(e, &a->usage) && same_cost(c, &a->usage) &&
           same_str(e, "content", content);
}

static bool run_case(const json_value *line, json_reader *reader) {
    http_case c;
    judge_action a;
    eh_arena arena;
    arena_init(&arena, 64 << 20);
    read_case(line, &c);
    assert_int_equal(judge_decode(&judge_codec_openai, &c.answer, &c.asked, reader,
                                  &arena, &a, NULL),
                     EH_STATUS_OK);
    bool good = is_as_expected(&c, &a);
    if (!good)
        print_error("%.*s: action %s, wait %d %lld, scope %d, reason %s, missing %d, "
                    "param '%.*s' to '%.*s', message '%.*s'\n",
                    EH_STR_ARG(json_get_str(line, "id")), actions[a.kind], a.has_wait,
                    (long long)a.wait_ms, a.scope, verdict_reason_name(a.reason),
                    a.n_missing, EH_STR_ARG(a.param), EH_STR_ARG(a.rename_to),
                    EH_STR_ARG(a.message));
    arena_deinit(&arena);
    return good;
}

static void all_cases(void **state) {
    (void)state;
    const char *shared = getenv("EVENHAND_SHARED");
    char path[4096], *line = NULL;
    size_t cap = 0;
    ssize_t len;
    int n = 0, n_bad = 0;
    (void)snprintf(path, sizeof path, "%s/cases/http.jsonl", shared ? shared : "");
    FILE *file = fopen(path, "r");
    if (!file) {
        print_message("skipped: the shared cases are not here\n");
        skip();
    }
    json_reader *reader = json_reader_new();
    assert_non_null(reader);
    while ((len = getline(&line, &cap, file)) > 0) {
        eh_arena arena;
        json_fault fault;
        arena_init(&arena, 64 << 20);
        const json_value *v =
            json_read(reader, &arena, eh_str_trim((eh_str){line, (size_t)len}), &fault);
        assert_non_null(v);
        n++;
        json_reader *inner = json_reader_new();
        n_bad += !run_case(v, inner);
        json_reader_free(inner);
        arena_deinit(&arena);
    }
    json_reader_free(reader);
    free(line);
    (void)fclose(file);
    assert_true(n >= 35);
    assert_int_equal(n_bad, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_cases)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
