/* SPDX-License-Identifier: MIT
 *
 * What errors mean, beyond the shared cases: the shapes of error bodies, the codes and
 * phrases of other servers, and how parameters are named. One row an answer.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>

#include "base/mem.h"
#include "codec/codec.h"

#define N_OF(array) (sizeof(array) / sizeof(array)[0])
#define ERROR(fields) "{\"error\":{" fields "}}"

typedef struct row {
    int status;
    const char *body;
    const char *want; /* action, then scope or reason or parameter */
    const char *header, *value;
    int n;
    capability_schema schema;
} row;

#define ROW(http, text, expected)                                                      \
    { .status = (http), .body = (text), .want = (expected) }
#define HEADER_ROW(http, text, expected, name, content)                                \
    {                                                                                  \
        .status = (http), .body = (text), .want = (expected), .header = (name),        \
        .value = (content)                                                             \
    }
#define N_ROW(samples, http, text, expected)                                           \
    { .status = (http), .body = (text), .want = (expected), .n = (samples) }

#define SCHEMA_ROW(kind, http, text, expected)                                         \
    {                                                                                  \
        .status = (http), .body = (text), .want = (expected),                          \
        .schema = CAPABILITY_SCHEMA_##kind                                             \
    }

static const row rows[] = {
    /* money */
    ROW(400, ERROR("\"code\":\"billing_hard_limit_reached\""), "fail run"),
    ROW(429, ERROR("\"type\":\"insufficient_quota\",\"code\":null"), "fail run"),
    ROW(429, ERROR("\"code\":\"organization_usage_limit_exceeded\""), "fail run"),
    ROW(429,
        ERROR("\"type\":\"rate_limit_error\",\"details\":{\"error_code\":"
              "\"enforced_spend_limit_reached\"}"),
        "fail run"),
    ROW(429,
        ERROR("\"message\":\"exceeded your current quota\",\"status\":"
              "\"RESOURCE_EXHAUSTED\",\"code\":429"),
        "retry"),
    ROW(402, "", "fail run"),
    HEADER_ROW(402, ERROR("\"message\":\"credits\""), "retry 3000", "Retry-After", "3"),
    HEADER_ROW(429, ERROR("\"code\":\"credit_balance_exhausted\""), "fail run",
               "Retry-After", "3"),
    /* keys, models, routes */
    ROW(401, "", "fail run"),
    ROW(403, ERROR("\"message\":\"Country not supported\""), "fail run"),
    ROW(404, "404 page not found", "fail run"),
    ROW(404, "<html><body>nginx</body></html>", "fail run"),
    ROW(405, "", "fail run"),
    ROW(407, "", "fail run"),
    ROW(501, "", "fail run"),
    HEADER_ROW(301, "", "fail run", "Location", "https://elsewhere.example.org/"),
    ROW(400, ERROR("\"code\":\"invalid_api_key\""), "fail run"),
    ROW(500, ERROR("\"type\":\"authentication_error\""), "fail run"),
    /* the prompt */
    ROW(400,
        "{\"object\":\"error\",\"message\":\"Requested token count exceeds the model's "
        "maximum context length of 4096 tokens\",\"code\":400}",
        "fail context_length"),
    ROW(400,
        ERROR("\"code\":400,\"message\":\"too many\",\"type\":"
              "\"exceed_context_size_error\""),
        "fail context_length"),
    ROW(422,
        "{\"error\":\"`inputs` tokens + `max_new_tokens` must be <= 4096\","
        "\"error_type\":\"validation\"}",
        "fail context_length"),
    ROW(400,
        "{\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\",\"message\":"
        "\"prompt is too long: 210000 tokens\"}}",
        "fail context_length"),
    ROW(400,
        "{\"object\":\"error\",\"message\":\"Prompt contains 9 tokens, too large for "
        "model with 8 maximum context length\"}",
        "fail context_length"),
    ROW(500, ERROR("\"message\":\"Context size has been exceeded.\""), "retry"),
    ROW(429, ERROR("\"message\":\"the context length of your tier is throttled\""),
        "retry"),
    ROW(400,
        ERROR("\"code\":\"content_filter\",\"innererror\":{\"code\":"
              "\"ResponsibleAIPolicyViolation\"}"),
        "fail content_filter"),
    ROW(403, ERROR("\"code\":403,\"message\":\"Your input was flagged by moderation\""),
        "fail content_filter"),
    ROW(400,
        ERROR("\"type\":\"invalid_request_error\",\"message\":\"Output blocked by "
              "content filtering policy\""),
        "fail content_filter"),
    ROW(413, ERROR("\"type\":\"request_too_large\""), "fail request_too_large"),
    ROW(413, "<html>Request Entity Too Large</html>", "fail request_too_large"),
    ROW(429, ERROR("\"message\":\"request too large for m: Limit 1\""),
        "fail request_too_large"),
    ROW(400, ERROR("\"message\":\"messages: roles must alternate\""), "fail call"),
    ROW(422, "{\"detail\":\"bad\"}", "fail call"),
    /* again */
    ROW(408, "", "retry"),
    ROW(409, "", "retry"),
    ROW(425, "", "retry"),
    ROW(498, ERROR("\"message\":\"flex capacity\""), "retry"),
    ROW(500, "upstream connect error", "retry"),
    ROW(524, "<html>timeout</html>", "retry"),
    ROW(529, "", "retry"),
    ROW(503,
        ERROR("\"code\":503,\"message\":\"Loading model\",\"type\":"
              "\"unavailable_error\""),
        "retry"),
    HEADER_ROW(503, "", "fail run", "Retry-After", "601"),
    HEADER_ROW(503, "", "retry 600000", "Retry-After", "600"),
    HEADER_ROW(429, "", "retry", "Retry-After", "-5"),
    HEADER_ROW(429, "", "retry", "Retry-After", "1e999"),
    HEADER_ROW(429, "", "retry 20", "Retry-After-Ms", "20.4"),
    ROW(400, ERROR("\"code\":\"rate_limit_exceeded\""), "retry"),
    ROW(200, "{\"error\":\"model overloaded\"}", "retry"),
    HEADER_ROW(200, ERROR("\"code\":\"429\",\"message\":\"slow\""), "retry 2000",
               "retry-after", "2"),
    ROW(200, ERROR("\"type\":\"invalid_request_error\",\"message\":\"x\""),
        "fail call"),
    ROW(200, "{\"choices\":[]}", "retry"),
    ROW(200, "{\"choices\":null}", "retry"),
    ROW(200,
        "{\"choices\":[{\"index\":0,\"error\":{\"code\":502,\"message\":\"x\"},"
        "\"finish_reason\":\"error\"}]}",
        "retry"),
    ROW(200, "", "retry"),
    ROW(200, "{\"choices\":[{\"message\":{\"content\":\"[[A", "retry"),
    ROW(200, "plain words", "retry"),
    ROW(200, "<html>", "fail run"),
    ROW(200, "{\"error\":null,\"choices\":[{\"message\":{\"content\":\"x\"}}]}", "ok"),
    ROW(200, "{\"error\":{},\"choices\":[{\"message\":{\"content\":\"x\"}}]}", "ok"),
    ROW(200, "\xEF\xBB\xBF \n{\"choices\":[{\"message\":{\"content\":\"x\"}}]}", "ok"),
    /* parameters */
    ROW(400,
        ERROR("\"message\":\"`temperature` is deprecated for this model.\",\"type\":"
              "\"invalid_request_error\""),
        "drop_param temperature"),
    ROW(400,
        ERROR("\"message\":\"Unknown name \\\"seed\\\": Cannot find field.\",\"code\":"
              "400"),
        "drop_param seed"),
    ROW(422,
        "{\"detail\":[{\"loc\":[\"body\",\"seed\"],\"msg\":\"Extra inputs are not "
        "permitted\",\"type\":\"extra_forbidden\"}]}",
        "drop_param seed"),
    ROW(422,
        "{\"message\":{\"detail\":[{\"loc\":[\"body\",\"seed\"],\"msg\":\"x\",\"type\":"
        "\"extra_forbidden\"}]}}",
        "drop_param seed"),
    ROW(400,
        ERROR("\"message\":\"response_format.json_schema is not supported\",\"param\":"
              "\"response_format.json_schema\""),
        "drop_param response_format"),
    ROW(400, ERROR("\"message\":\"seed: Extra inputs are not permitted\""),
        "drop_param seed"),
    ROW(400,
        ERROR("\"message\":\"Unsupported parameter: 'max_tokens' is not supported. Use "
              "'max_completion_tokens' instead.\",\"param\":\"max_tokens\""),
        "drop_param max_tokens max_completion_tokens"),
    ROW(400, ERROR("\"message\":\"Unsupported: don't send 'top_k'\""), "fail run"),
    ROW(400, ERROR("\"message\":\"'renamed' is not supported with this model\""),
        "fail run"),
    ROW(400, ERROR("\"message\":\"This feature is not supported\""), "fail run"),
    ROW(500, ERROR("\"code\":\"unsupported_value\",\"param\":\"temperature\""),
        "retry"),
    /* the verdict's JSON */
    SCHEMA_ROW(FULL, 422,
               "Failed to deserialize the JSON body into the target type: "
               "response_format: missing field `value` at line 1 column 168",
               "schema tgi"),
    SCHEMA_ROW(TGI, 422, "response_format: missing field `value`", "fail call"),
    SCHEMA_ROW(
        FULL, 400,
        ERROR("\"message\":\"Invalid parameter: 'response_format' of type "
              "'json_schema' is not supported with this model.\",\"param\":null"),
        "schema json_object"),
    SCHEMA_ROW(FULL, 400,
               ERROR("\"message\":\"response_format.type `json_schema` is unavailable "
                     "now\""),
               "schema json_object"),
    SCHEMA_ROW(FULL, 400,
               ERROR("\"message\":\"This model does not support response format "
                     "`json_schema`\""),
               "schema json_object"),
    SCHEMA_ROW(FULL, 400,
               ERROR("\"message\":\"bad\",\"code\":\"unsupported_value\",\"param\":"
                     "\"response_format.json_schema\""),
               "schema json_object"),
    SCHEMA_ROW(TGI, 400,
               ERROR("\"message\":\"Missing required parameter: "
                     "'response_format.json_schema'.\",\"param\":"
                     "\"response_format.json_schema\""),
               "schema json_object"),
    SCHEMA_ROW(OBJECT, 400,
               ERROR("\"message\":\"'response_format' of type 'json_object' and "
                     "'json_schema' are not supported\""),
               "drop_param response_format"),
    SCHEMA_ROW(FULL, 400,
               ERROR("\"message\":\"Unsupported parameter: 'response_format'\""),
               "drop_param response_format"),
    SCHEMA_ROW(FULL, 400,
               ERROR("\"message\":\"'temperature' is not supported with json_schema in "
                     "response_format\",\"param\":\"temperature\""),
               "drop_param temperature"),
    /* log probabilities */
    ROW(400, ERROR("\"message\":\"property 'logprobs' is unsupported\""),
        "drop_param logprobs"),
    ROW(400,
        ERROR("\"code\":400,\"message\":\"Logprobs is not enabled for models/m\","
              "\"status\":\"INVALID_ARGUMENT\""),
        "drop_param logprobs"),
    ROW(403,
        ERROR("\"message\":\"You are not allowed to request logprobs from this "
              "model\""),
        "drop_param logprobs"),
    ROW(400,
        ERROR(
            "\"message\":\"Requested sample logprobs of 20, which is greater than max "
            "allowed: 5\",\"type\":\"BadRequestError\",\"code\":400"),
        "drop_param logprobs"),
    ROW(400,
        ERROR("\"message\":\"5 is greater than the maximum of 1\",\"param\":"
              "\"top_logprobs\""),
        "drop_param top_logprobs"),
    ROW(422, "{\"error\":\"`top_logprobs` must be <= 5\"}", "drop_param top_logprobs"),
    ROW(403, ERROR("\"message\":\"no\",\"param\":\"model\""), "fail run"),
    ROW(500, ERROR("\"message\":\"logprobs crashed\""), "retry"),
    /* n */
    N_ROW(3, 400,
          ERROR("\"message\":\"bad\",\"param\":\"n\",\"code\":\"unsupported_value\""),
          "split_n 3"),
    N_ROW(2, 400,
          ERROR("\"message\":\"n_cmpl cannot be greater than the number of slots\""),
          "split_n 2"),
    N_ROW(2, 422,
          "{\"detail\":[{\"loc\":[\"body\",\"n\"],\"msg\":\"x\",\"type\":\"less_than\"}"
          "]}",
          "split_n 2"),
    N_ROW(3, 400,
          ERROR("\"message\":\"'temperature' does not support 2 with n choices\","
                "\"param\":\"temperature\""),
          "drop_param temperature"),
    N_ROW(1, 400, ERROR("\"message\":\"Only one choice\""), "fail call"),
    N_ROW(3, 400, ERROR("\"message\":\"number of tokens\""), "fail call"),
};

static const char *const actions[] = {"ok",      "retry",      "fail",
                                      "split_n", "drop_param", "schema"};
static const char *const scopes[] = {"run", "sample", "call"};

static void describe(const judge_action *a, char *text, size_t cap) {
    const char *kind = actions[a->kind];
    if (a->kind == JUDGE_ACTION_FAIL)
        (void)snprintf(text, cap, "%s %s", kind,
                       a->scope == JUDGE_SCOPE_SAMPLE ? verdict_reason_name(a->reason)
                                                      : scopes[a->scope]);
    else if (a->kind == JUDGE_ACTION_DROP_PARAM)
        (void)snprintf(text, cap, "%s %.*s%s%.*s", kind, EH_STR_ARG(a->param),
                       a->rename_to.len ? " " : "", EH_STR_ARG(a->rename_to));
    else if (a->kind == JUDGE_ACTION_SCHEMA)
        (void)snprintf(text, cap, "%s %s", kind, capability_schema_name(a->schema));
    else if (a->kind == JUDGE_ACTION_SPLIT_N)
        (void)snprintf(text, cap, "%s %d", kind, a->n_missing);
    else if (a->kind == JUDGE_ACTION_RETRY && a->has_wait)
        (void)snprintf(text, cap, "%s %lld", kind, (long long)a->wait_ms);
    else
        (void)snprintf(text, cap, "%s", kind);
}

static const judge_sent sent[] = {
    {{"temperature", 11}, false},  {{"seed", 4}, false},
    {{"max_tokens", 10}, false},   {{"response_format", 15}, false},
    {{"renamed", 7}, true},        {{"logprobs", 8}, false},
    {{"top_logprobs", 12}, false},
};

static eh_status decode(const row *r, json_reader *reader, eh_arena *arena,
                        judge_action *a) {
    judge_header headers[] = {{EH_STR("content-type"), EH_STR("application/json")},
                              {eh_str_of(r->header), eh_str_of(r->value)}};
    judge_answer answer = {.status = r->status,
                           .headers = headers,
                           .n_headers = r->header ? 2 : 1,
                           .body = eh_str_of(r->body)};
    judge_asked asked = {.n_samples = r->n ? r->n : 1,
                         .sent = sent,
                         .n_sent = N_OF(sent),
                         .schema = r->schema,
                         .host = EH_STR("host"),
                         .now_ms = INT64_C(1700000000000)};
    return judge_decode(&judge_codec_openai, &answer, &asked, reader, arena, a, NULL);
}

static void every_row(void **state) {
    (void)state;
    json_reader *reader = json_reader_new();
    int n_bad = 0;
    for (size_t i = 0; i < N_OF(rows); i++) {
        eh_arena arena;
        judge_action a;
        char got[100];
        arena_init(&arena, 64 << 20);
        assert_int_equal(decode(&rows[i], reader, &arena, &a), EH_STATUS_OK);
        describe(&a, got, sizeof got);
        if (strcmp(got, rows[i].want) != 0) {
            n_bad++;
            print_error("row %zu (HTTP %d): got '%s', want '%s': %.*s\n", i,
                        rows[i].status, got, rows[i].want, EH_STR_ARG(a.message));
        }
        if (a.kind != JUDGE_ACTION_OK) assert_true(a.message.len > 0);
        arena_deinit(&arena);
    }
    json_reader_free(reader);
    assert_int_equal(n_bad, 0);
}

/* Where memory runs out the answer is NOMEM, never a wrong action. */
static void every_row_without_memory(void **state) {
    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        for (int nth = 1;; nth++) {
            eh_arena arena;
            judge_action a;
            json_reader *reader = json_reader_new();
            assert_non_null(reader);
            arena_init(&arena, 64 << 20);
            mem_fail_at(nth, true);
            eh_status status = decode(&rows[i], reader, &arena, &a);
            mem_fail_at(0, false);
            arena_deinit(&arena);
            json_reader_free(reader);
            if (status == EH_STATUS_OK) break;
            assert_int_equal(status, EH_STATUS_NOMEM);
            assert_true(nth < 100);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row),
        cmocka_unit_test(every_row_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
