/* SPDX-License-Identifier: MIT
 *
 * What is said of an answer that cannot be used, word for word: it stands in the line a
 * run stops with, in doctor's report and in the ledger's attempts. Expected texts are
 * written by hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "base/mem.h"
#include "codec/codec.h"

#define N_OF(array) (sizeof(array) / sizeof(array)[0])

typedef struct row {
    const char *want; /* the message */
    judge_fault fault;
    int status;
    const char *type; /* of the content; NULL: none is told */
    const char *body;
    int n_samples; /* 0: one */
    bool is_vectors;
} row;

static const row rows[] = {
    {"no answer from host: the connection gave none", JUDGE_FAULT_NO_ANSWER, 0, NULL,
     "", 0, false},
    {"no answer from host: the answer was cut off", JUDGE_FAULT_CUT, 0, NULL, "", 0,
     false},
    {"HTTP 200 from host: nothing came for too long", JUDGE_FAULT_IDLE, 200, NULL, "",
     0, false},
    {"HTTP 200 from host: the answer took too long", JUDGE_FAULT_TOTAL, 200, NULL, "",
     0, false},
    {"HTTP 200 from host: the answer's encoding cannot be decoded",
     JUDGE_FAULT_BAD_ENCODING, 200, NULL, "", 0, false},
    {"HTTP 308 from host: redirects are not followed; give the final --base-url",
     JUDGE_FAULT_NONE, 308, NULL, "", 0, false},
    {"HTTP 200 from host: a page of type text/html instead of JSON", JUDGE_FAULT_NONE,
     200, "text/html", "<html>Log in</html>", 0, false},
    {"HTTP 200 from host: the answer is not JSON", JUDGE_FAULT_NONE, 200, NULL,
     "All is well.", 0, false},
    {"HTTP 200 from host: an answer without choices", JUDGE_FAULT_NONE, 200, NULL,
     "{\"choices\": []}", 0, false},
    {"HTTP 200 from host: the reply ended in an error", JUDGE_FAULT_NONE, 200, NULL,
     "{\"choices\": [{\"index\": 0, \"finish_reason\": \"error\", \"message\": "
     "{\"content\": \"a\"}}]}",
     0, false},
    {"HTTP 200 from host: fewer choices than asked for", JUDGE_FAULT_NONE, 200, NULL,
     "{\"choices\": [{\"index\": 0, \"message\": {\"content\": \"a\"}}]}", 2, false},
    {"HTTP 200 from host: the stream was cut off", JUDGE_FAULT_NONE, 200,
     "text/event-stream",
     "data: {\"choices\": [{\"index\": 0, \"delta\": {\"content\": \"a\"}}]}\n\n", 0,
     false},
    {"HTTP 401 from host (invalid_api_key): Wrong key.", JUDGE_FAULT_NONE, 401, NULL,
     "{\"error\": {\"code\": \"invalid_api_key\", \"message\": \"Wrong key.\"}}", 0,
     false},
    {"HTTP 200 from host: an answer without vectors", JUDGE_FAULT_NONE, 200, NULL,
     "{\"data\": []}", 2, true},
    {"HTTP 200 from host: vectors that are no lists of numbers", JUDGE_FAULT_NONE, 200,
     NULL, "{\"data\": [{\"index\": 0, \"embedding\": [null]}]}", 1, true},
    {"HTTP 200 from host: vectors that do not fit the texts by their index",
     JUDGE_FAULT_NONE, 200, NULL,
     "{\"data\": [{\"index\": 0, \"embedding\": [1]}, {\"index\": 2, \"embedding\": "
     "[3]}]}",
     2, true},
    {"HTTP 200 from host: fewer vectors than texts", JUDGE_FAULT_NONE, 200, NULL,
     "{\"data\": [{\"index\": 0, \"embedding\": [1]}]}", 2, true},
};

static void every_message(void **state) {
    (void)state;
    json_reader *reader = json_reader_new();
    assert_non_null(reader);
    for (size_t i = 0; i < N_OF(rows); i++) {
        const row *r = &rows[i];
        judge_header type = {EH_STR("content-type"), eh_str_of(r->type)};
        judge_answer answer = {.fault = r->fault,
                               .status = r->status,
                               .headers = &type,
                               .n_headers = r->type ? 1 : 0,
                               .body = eh_str_of(r->body)};
        judge_asked asked = {.n_samples = r->n_samples ? r->n_samples : 1,
                             .host = EH_STR("host"),
                             .estimated_prompt_tokens = -1};
        judge_action a;
        eh_arena arena;
        arena_init(&arena, 64 << 20);
        assert_int_equal(
            judge_decode(r->is_vectors ? &judge_codec_vectors : &judge_codec_openai,
                         &answer, &asked, reader, &arena, &a, NULL),
            EH_STATUS_OK);
        if (!eh_str_eq_cstr(a.message, r->want))
            fail_msg("want '%s', got '%.*s'", r->want, EH_STR_ARG(a.message));
        arena_deinit(&arena);
    }
    json_reader_free(reader);
}

/* A stream of a million events is no verdict. */
static void endless_stream(void **state) {
    (void)state;
    enum { N_EVENTS = (1 << 20) + 64 };
    char *body = mem_alloc(N_EVENTS, 1);
    json_reader *reader = json_reader_new();
    assert_non_null(body);
    assert_non_null(reader);
    memset(body, '\n', N_EVENTS);
    judge_header type = {EH_STR("content-type"), EH_STR("text/event-stream")};
    judge_answer answer = {
        .status = 200, .headers = &type, .n_headers = 1, .body = {body, N_EVENTS}};
    memcpy(body, "data: 1", 7);
    body[N_EVENTS - 1] = 'x';
    judge_asked asked = {.n_samples = 1, .host = EH_STR("host")};
    judge_action a;
    eh_arena arena;
    arena_init(&arena, 64 << 20);
    assert_int_equal(
        judge_decode(&judge_codec_openai, &answer, &asked, reader, &arena, &a, NULL),
        EH_STATUS_OK);
    assert_true(
        eh_str_eq_cstr(a.message, "HTTP 200 from host: a stream of too many events"));
    arena_deinit(&arena);
    json_reader_free(reader);
    mem_free(body);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_message),
        cmocka_unit_test(endless_stream),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
