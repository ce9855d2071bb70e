/* SPDX-License-Identifier: MIT
 *
 * Embeddings on the wire: request bodies byte for byte, vectors in all layouts, answers
 * that fit no text, and what a refusal of several texts means.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>

#include "codec/codec.h"
#include "codec/endpoint.h"

#define N_OF(array) (sizeof(array) / sizeof(array)[0])

static void bodies(void **state) {
    (void)state;
    static const eh_str inputs[] = {{"One.", 4}, {"A \"b\"\n", 6}, {"三。", 6}};
    static const int which[] = {2, 0};
    judge_call call = {.model = EH_STR("m"),
                       .inputs = inputs,
                       .which = which,
                       .params = {.max_tokens = -1, .request_seed = -1},
                       .n_samples = 2};
    capability c = capability_of_list();
    eh_arena arena;
    judge_request_body out;
    arena_init(&arena, 1 << 20);
    assert_int_equal(judge_codec_vectors.encode(&call, &c, &arena, &out, NULL),
                     EH_STATUS_OK);
    assert_string_equal(out.body.ptr, "{\"model\": \"m\", \"input\": [\"三。\", "
                                      "\"One.\"], \"encoding_format\": \"float\"}");
    assert_true(eh_str_is_absent(out.effective));
    static const int one[] = {1};
    call.which = one;
    call.n_samples = 1;
    assert_true(capability_learn(&c, EH_STR("encoding_format"), EH_STR("")));
    assert_int_equal(judge_codec_vectors.encode(&call, &c, &arena, &out, NULL),
                     EH_STATUS_OK);
    assert_string_equal(out.body.ptr,
                        "{\"model\": \"m\", \"input\": [\"A \\\"b\\\"\\n\"]}");
    assert_string_equal(out.effective.ptr, "{\"dropped\": [\"encoding_format\"]}");
    arena_deinit(&arena);
}

static void addresses(void **state) {
    (void)state;
    static const char *const texts[][2] = {
        {"http://h:1", "http://h:1/v1/embeddings"},
        {"http://h:1/v1/", "http://h:1/v1/embeddings"},
        {"https://x/v1/embeddings?api-version=1",
         "https://x/v1/embeddings?api-version=1"},
        {"https://x/openai", "https://x/openai/embeddings"},
    };
    for (size_t i = 0; i < N_OF(texts); i++) {
        eh_arena arena;
        endpoint e;
        arena_init(&arena, 1 << 20);
        assert_int_equal(endpoint_read(&judge_codec_vectors, eh_str_of(texts[i][0]),
                                       &arena, &e, NULL),
                         EH_STATUS_OK);
        assert_string_equal(e.url.ptr, texts[i][1]);
        arena_deinit(&arena);
    }
}

static eh_status decode(int status, const char *body, int n, eh_arena *arena,
                        judge_action *a) {
    judge_answer answer = {.status = status, .body = eh_str_of(body)};
    judge_asked asked = {
        .n_samples = n, .host = EH_STR("h"), .estimated_prompt_tokens = 100};
    json_reader *reader = json_reader_new();
    arena_init(arena, 64 << 20);
    eh_status s =
        judge_decode(&judge_codec_vectors, &answer, &asked, reader, arena, a, NULL);
    json_reader_free(reader);
    return s;
}

/* Two texts, whose vectors are 1, 2 and 3, 4. */
static void layouts(void **state) {
    (void)state;
    static const char *const rows[] = {
        "{\"data\":[{\"index\":0,\"embedding\":[1,2]},{\"index\":1,\"embedding\":[3,4]}"
        "]}",
        "{\"data\":[{\"index\":1,\"embedding\":[3e0,4]},{\"index\":0,\"embedding\":[1."
        "0,2]}],\"model\":\"x\"}",
        "{\"data\":[{\"embedding\":[1,2]},{\"embedding\":[3,4]}]}",
        /* struct.pack("<2f", 1, 2) and ("<2f", 3, 4) */
        "{\"data\":[{\"index\":0,\"embedding\":\"AACAPwAAAEA=\"},{\"index\":1,"
        "\"embedding\":\"AABAQAAAgEA=\"}]}",
        "{\"embeddings\":[[1,2],[3,4]],\"model\":\"x\"}",
        "[[1,2],[3,4]]",
        "[{\"index\":1,\"embedding\":[[3,4]]},{\"index\":0,\"embedding\":[[1,2]]}]",
    };
    for (size_t i = 0; i < N_OF(rows); i++) {
        eh_arena arena;
        judge_action a;
        assert_int_equal(decode(200, rows[i], 2, &arena, &a), EH_STATUS_OK);
        if (a.kind != JUDGE_ACTION_OK || a.n_choices != 2)
            fail_msg("%s: action %d, %.*s", rows[i], (int)a.kind,
                     EH_STR_ARG(a.message));
        for (int k = 0; k < 4; k++) {
            assert_int_equal(a.choices[k / 2].n_dims, 2);
            assert_true(a.choices[k / 2].vector[k % 2] == (float)(k + 1));
        }
        arena_deinit(&arena);
    }
}

/* What cannot be given to the texts is asked again and never guessed. */
static void misfits(void **state) {
    (void)state;
    static const char *const rows[] = {
        "{\"data\":[]}",
        "{\"object\":\"list\"}",
        "{\"data\":[{\"index\":0,\"embedding\":[1]},{\"index\":2,\"embedding\":[3]}]}",
        "{\"data\":[{\"index\":1,\"embedding\":[1]},{\"index\":2,\"embedding\":[3]}]}",
        "{\"data\":[{\"index\":0,\"embedding\":[1]},{\"index\":0,\"embedding\":[3]}]}",
        "{\"data\":[{\"embedding\":[1]}]}",
        "{\"data\":[{\"index\":1,\"embedding\":[1]}]}",
        "[[1],[2],[3]]",
        "{\"data\":[{\"index\":0,\"embedding\":[1]},{\"index\":1,\"embedding\":[3,4]}]"
        "}",
        "{\"data\":[{\"index\":0,\"embedding\":[]},{\"index\":1,\"embedding\":[3]}]}",
        "{\"data\":[{\"index\":0,\"embedding\":[1e39]},{\"index\":1,\"embedding\":[3]}"
        "]}",
        "{\"data\":[{\"index\":0,\"embedding\":[null]},{\"index\":1,\"embedding\":[3]}"
        "]}",
        "{\"data\":[{\"index\":0,\"embedding\":\"!!\"},{\"index\":1,\"embedding\":[3]}"
        "]}",
        "{\"data\":[{\"index\":0,\"embedding\":\"AACA\"},{\"index\":1,\"embedding\":[3]"
        "}]}",
        /* a base64 infinity */
        "{\"data\":[{\"index\":0,\"embedding\":\"AACAfw==\"},{\"index\":1,"
        "\"embedding\":[3]}]}",
        "{\"data\":[7,8]}",
        "data: {\"embedding\":[1]}\n\n",
    };
    for (size_t i = 0; i < N_OF(rows); i++) {
        eh_arena arena;
        judge_action a;
        assert_int_equal(decode(200, rows[i], 2, &arena, &a), EH_STATUS_OK);
        if (a.kind != JUDGE_ACTION_RETRY || a.n_choices)
            fail_msg("%s: action %d, %.*s", rows[i], (int)a.kind,
                     EH_STR_ARG(a.message));
        assert_true(a.message.len > 0);
        arena_deinit(&arena);
    }
}

static void fewer_are_kept(void **state) {
    (void)state;
    eh_arena arena;
    judge_action a;
    assert_int_equal(
        decode(200, "{\"data\":[{\"index\":0,\"embedding\":[5]}]}", 3, &arena, &a),
        EH_STATUS_OK);
    assert_int_equal(a.kind, JUDGE_ACTION_SPLIT_N);
    assert_int_equal(a.n_choices, 1);
    assert_int_equal(a.n_missing, 2);
    assert_true(a.n_unsupported);
    assert_true(a.choices[0].vector[0] == 5);
    arena_deinit(&arena);
}

static void usages(void **state) {
    (void)state;
    static const struct {
        const char *usage;
        int64_t prompt;
    } rows[] = {
        {"{\"prompt_tokens\":80,\"total_tokens\":80}", 80},
        {"{\"total_tokens\":70}", 70},
        {"{}", -1},
        {"null", -1},
    };
    for (size_t i = 0; i < N_OF(rows); i++) {
        char body[200];
        eh_arena arena;
        judge_action a;
        (void)snprintf(body, sizeof body,
                       "{\"data\":[{\"index\":0,\"embedding\":[1]}],\"usage\":%s}",
                       rows[i].usage);
        assert_int_equal(decode(200, body, 1, &arena, &a), EH_STATUS_OK);
        assert_int_equal(a.kind, JUDGE_ACTION_OK);
        assert_int_equal(a.usage.prompt_tokens, rows[i].prompt);
        assert_int_equal(a.usage.completion_tokens, 0);
        arena_deinit(&arena);
    }
}

/* Of several texts a refusal blames none; of one it is final, with its reason. */
static void refusals(void **state) {
    (void)state;
    static const struct {
        int status;
        const char *body;
        judge_scope scope; /* for one text */
        verdict_reason reason;
    } rows[] = {
        {400,
         "{\"error\":{\"message\":\"This model's maximum context length is 8192 "
         "tokens, however you requested 9000 tokens\",\"code\":null}}",
         JUDGE_SCOPE_SAMPLE, VERDICT_REASON_CONTEXT_LENGTH},
        {500,
         "{\"error\":{\"code\":500,\"message\":\"input (596 tokens) is too large to "
         "process. increase the physical batch size\",\"type\":\"server_error\"}}",
         JUDGE_SCOPE_SAMPLE, VERDICT_REASON_CONTEXT_LENGTH},
        {413,
         "{\"error\":\"Input validation error: `inputs` must have less than 512 "
         "tokens. Given: 600\",\"error_type\":\"Validation\"}",
         JUDGE_SCOPE_SAMPLE, VERDICT_REASON_CONTEXT_LENGTH},
        {413,
         "{\"error\":\"batch size 64 > maximum allowed batch size 32\",\"error_type\":"
         "\"Validation\"}",
         JUDGE_SCOPE_SAMPLE, VERDICT_REASON_REQUEST_TOO_LARGE},
        {400, "{\"error\":{\"code\":\"content_filter\",\"message\":\"x\"}}",
         JUDGE_SCOPE_SAMPLE, VERDICT_REASON_CONTENT_FILTER},
        {400, "{\"error\":{\"message\":\"input cannot be an empty string\"}}",
         JUDGE_SCOPE_CALL, VERDICT_REASON_NONE},
        /* far fewer tokens than a text of 100 has: it was cut */
        {200,
         "{\"data\":[{\"index\":0,\"embedding\":[1]},{\"index\":1,\"embedding\":[1]}],"
         "\"usage\":{\"prompt_tokens\":30}}",
         JUDGE_SCOPE_SAMPLE, VERDICT_REASON_PROMPT_TRUNCATED},
    };
    for (size_t i = 0; i < N_OF(rows); i++)
        for (int n = 2; n > 0; n--) {
            eh_arena arena;
            judge_action a;
            const char *body = rows[i].body;
            if (n == 1 && rows[i].status == 200)
                body = "{\"data\":[{\"index\":0,\"embedding\":[1]}],\"usage\":{"
                       "\"prompt_tokens\":30}}";
            assert_int_equal(decode(rows[i].status, body, n, &arena, &a), EH_STATUS_OK);
            judge_action_kind want = n > 1 ? JUDGE_ACTION_HALVE : JUDGE_ACTION_FAIL;
            if (a.kind != want || a.reason != rows[i].reason ||
                (n == 1 && a.scope != rows[i].scope))
                fail_msg("%d %s: action %d, scope %d, reason %d", n, body, (int)a.kind,
                         (int)a.scope, (int)a.reason);
            if (n > 1) assert_int_equal(a.n_choices, 0);
            arena_deinit(&arena);
        }
}

static void what_stops_stops(void **state) {
    (void)state;
    static const struct {
        int status;
        const char *body;
        judge_action_kind kind;
    } rows[] = {
        {401, "{\"error\":{\"code\":\"invalid_api_key\"}}", JUDGE_ACTION_FAIL},
        {404, "{\"error\":{\"code\":\"model_not_found\"}}", JUDGE_ACTION_FAIL},
        {429, "{\"error\":{\"code\":\"insufficient_quota\"}}", JUDGE_ACTION_FAIL},
        {429, "{\"error\":{\"code\":\"rate_limit_exceeded\"}}", JUDGE_ACTION_RETRY},
        {200, "{\"error\":{\"code\":502,\"message\":\"x\"}}", JUDGE_ACTION_RETRY},
        {500, "oops", JUDGE_ACTION_RETRY},
    };
    for (size_t i = 0; i < N_OF(rows); i++) {
        eh_arena arena;
        judge_action a;
        assert_int_equal(decode(rows[i].status, rows[i].body, 5, &arena, &a),
                         EH_STATUS_OK);
        assert_int_equal(a.kind, rows[i].kind);
        if (a.kind == JUDGE_ACTION_FAIL) assert_int_equal(a.scope, JUDGE_SCOPE_RUN);
        arena_deinit(&arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies),         cmocka_unit_test(addresses),
        cmocka_unit_test(layouts),        cmocka_unit_test(misfits),
        cmocka_unit_test(fewer_are_kept), cmocka_unit_test(usages),
        cmocka_unit_test(refusals),       cmocka_unit_test(what_stops_stops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
