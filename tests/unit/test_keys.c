/* SPDX-License-Identifier: MIT
 *
 * Keys of calls: what must change one and what must not. The shared case names the
 * fields; they are turned into the judge, the parameters and the prompt that stand for
 * them here.
 */
#include <math.h>

#include "base/json_read.h"
#include "run/ask.h"
#include "unit.h"

/* All that goes into one key, as a user would give it. */
typedef struct wanted {
    char url[64], model[32], prompt[32];
    double temperature; /* NaN = not asked for */
    int64_t max_tokens, request_seed;
    int sample, stream, top_logprobs;
    bool wants_logprobs;
    /* what must not matter */
    const char *key_variable;
    int64_t timeout_ms;
    int concurrency;
} wanted;

static wanted base_wanted(void) {
    return (wanted){.url = "http://127.0.0.1:9/v1",
                    .model = "m",
                    .prompt = "p",
                    .temperature = 0,
                    .max_tokens = 64,
                    .request_seed = -1,
                    .key_variable = "TEST_KEYS_ONE",
                    .timeout_ms = 1000,
                    .concurrency = 1};
}

/* The judge is opened as the command opens it. */
static void key_of(const wanted *w, uint8_t key[HASH_BYTES]) {
    char spec[64];
    eh_error err;
    judge *j;
    ledger_judge identity;
    eh_arena arena;
    judge_http_options http = JUDGE_HTTP_DEFAULTS;
    http.base_urls = eh_str_of(w->url);
    http.key_env = eh_str_of(w->key_variable);
    http.timeout_ms = w->timeout_ms;
    judge_open_args args = {
        .concurrency = w->concurrency, .http = &http, .clock = clock_system()};
    (void)snprintf(spec, sizeof spec, "openai:%s", w->model);
    assert_ok(judge_open(eh_str_of(spec), &args, &j, &err), err);
    arena_init(&arena, 1 << 20);
    prompt_template t = {.name = EH_STR("t"), .source = EH_STR("t")};
    run_setup setup = {.j = j,
                       .t = &t,
                       .params = {.temperature = w->temperature,
                                  .max_tokens = w->max_tokens,
                                  .request_seed = w->request_seed,
                                  .wants_logprobs = w->wants_logprobs,
                                  .top_logprobs = w->top_logprobs},
                       .stream = w->stream};
    assert_ok(plan_make(&(plan_wish){.method = EH_STR("bpc")}, &setup.plan, &err), err);
    assert_ok(run_setup_judge(&setup, &arena, &identity, &err), err);
    run_prompt prompt = {.rendered = {.n_messages = 1,
                                      .messages = {{.role = EH_STR("user"),
                                                    .content = eh_str_of(w->prompt)}}}};
    run_key(&setup, identity.params, &prompt, w->sample, key);
    arena_deinit(&arena);
    judge_close(j);
}

static bool same_key(const wanted *a, const wanted *b) {
    uint8_t of_a[HASH_BYTES], of_b[HASH_BYTES];
    key_of(a, of_a);
    key_of(b, of_b);
    return memcmp(of_a, of_b, HASH_BYTES) == 0;
}

/* Changes the field that the shared case calls by this name; false for others. */
static bool change(wanted *w, eh_str field) {
    if (eh_str_eq_cstr(field, "url"))
        (void)snprintf(w->url, sizeof w->url, "http://127.0.0.1:8/v1");
    else if (eh_str_eq_cstr(field, "model"))
        (void)snprintf(w->model, sizeof w->model, "m2");
    else if (eh_str_eq_cstr(field, "prompt"))
        (void)snprintf(w->prompt, sizeof w->prompt, "p2");
    else if (eh_str_eq_cstr(field, "temperature"))
        w->temperature = 1;
    else if (eh_str_eq_cstr(field, "max_tokens"))
        w->max_tokens = 65;
    else if (eh_str_eq_cstr(field, "sample"))
        w->sample = 1;
    else if (eh_str_eq_cstr(field, "api_key"))
        w->key_variable = "TEST_KEYS_TWO";
    else if (eh_str_eq_cstr(field, "timeout"))
        w->timeout_ms = 5000;
    else if (eh_str_eq_cstr(field, "concurrency"))
        w->concurrency = 8;
    else
        return false;
    return true;
}

static int64_t check_fields(const json_value *names, bool must_matter) {
    int64_t n = 0;
    assert_non_null(names);
    for (const json_value *v = names->child; v; v = v->next, n++) {
        wanted w = base_wanted(), plain = base_wanted();
        if (!change(&w, v->text)) fail_msg("unknown field %.*s", EH_STR_ARG(v->text));
        if (same_key(&w, &plain) == must_matter)
            fail_msg("%.*s %s", EH_STR_ARG(v->text),
                     must_matter ? "does not change the key" : "changes the key");
    }
    return n;
}

static char *whole_file(const char *folder, const char *name) {
    char path[512];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "rb");
    if (!f) return NULL;
    char *text = calloc(1, 1 << 20);
    assert_non_null(text);
    assert_true(fread(text, 1, (1 << 20) - 1, f) > 0);
    (void)fclose(f);
    return text;
}

static void test_shared_case(void **state) {
    (void)state;
    const char *shared = getenv("EVENHAND_SHARED");
    char *text = shared ? whole_file(shared, "cases/datasets/expect.json") : NULL;
    if (!text) {
        print_message("skipped: no shared cases\n");
        skip();
    }
    eh_arena arena;
    json_fault fault;
    json_reader *reader = json_reader_new();
    arena_init(&arena, 16 << 20);
    const json_value *root = json_read(reader, &arena, eh_str_of(text), &fault);
    const json_value *c = json_get(root, "cache_keys");
    assert_int_equal(check_fields(json_get(c, "must_differ_when_changed"), true), 6);
    assert_int_equal(check_fields(json_get(c, "must_not_matter"), false), 3);
    assert_non_null(json_get(c, "must_also_differ"));
    arena_deinit(&arena);
    json_reader_free(reader);
    free(text);
}

static void test_absent_is_not_zero(void **state) {
    (void)state;
    wanted plain = base_wanted(), w = base_wanted();
    assert_true(same_key(&plain, &w));
    w.temperature = NAN;
    assert_false(same_key(&plain, &w));
    w = base_wanted();
    w.max_tokens = -1;
    assert_false(same_key(&plain, &w));
    w = base_wanted();
    w.request_seed = 0;
    assert_false(same_key(&plain, &w));
    w = base_wanted();
    w.wants_logprobs = true;
    assert_false(same_key(&plain, &w));
    wanted more = w;
    more.top_logprobs = 5;
    assert_false(same_key(&w, &more));
    w = base_wanted();
    w.top_logprobs = 5; /* of nothing */
    assert_true(same_key(&plain, &w));
}

static void test_stream_and_sample(void **state) {
    (void)state;
    wanted a = base_wanted(), b = base_wanted();
    a.stream = 1;
    b.sample = 1;
    wanted plain = base_wanted();
    assert_false(same_key(&plain, &a));
    assert_false(same_key(&plain, &b));
    assert_false(same_key(&a, &b)); /* the two numbers do not stand for each other */
}

/* ---- prompts of pairs ---- */

static const char first_text[] = "Four.", second_text[] = "It is five.";

typedef struct asked {
    const char *pair_id, *question, *answer_1, *answer_2, *reference;
    eh_order order;
    bool uses_template, by_pair_id, verdict_first;
} asked;

static void key_of_pair(const asked *a, uint8_t key[HASH_BYTES]) {
    eh_error err;
    eh_arena arena;
    prompt_template *t;
    judge j = {.id = EH_STR("sim"),
               .uses_template = a->uses_template,
               .by_pair_id = a->by_pair_id};
    arena_init(&arena, 1 << 20);
    assert_ok(prompt_template_builtin(EH_STR("score"), &t, &err), err);
    run_setup setup = {.j = &j, .t = t};
    plan_wish wish = {.method = a->verdict_first ? EH_STR("vanilla") : EH_STR("bpc")};
    assert_ok(plan_make(&wish, &setup.plan, &err), err);
    run_setup_params(&setup, -1);
    ledger_judge identity;
    assert_ok(run_setup_judge(&setup, &arena, &identity, &err), err);
    ledger_pair pair = {.pair_id = eh_str_of(a->pair_id)};
    ledger_texts texts = {.question = eh_str_of(a->question),
                          .answer_1 = eh_str_of(a->answer_1),
                          .answer_2 = eh_str_of(a->answer_2),
                          .reference = eh_str_of(a->reference)};
    run_prompt prompt;
    assert_ok(
        run_prompt_make(&setup,
                        &(run_asked){&pair, &texts, &(plan_ask){.order = a->order}, 0},
                        &arena, &prompt, &err),
        err);
    run_key(&setup, identity.params, &prompt, 0, key);
    prompt_template_free(t);
    arena_deinit(&arena);
}

static asked plain_pair(bool uses_template) {
    return (asked){.pair_id = "p1",
                   .question = "2 + 2?",
                   .answer_1 = first_text,
                   .answer_2 = second_text,
                   .uses_template = uses_template};
}

static bool same_pair_key(const asked *a, const asked *b) {
    uint8_t of_a[HASH_BYTES], of_b[HASH_BYTES];
    key_of_pair(a, of_a);
    key_of_pair(b, of_b);
    return memcmp(of_a, of_b, HASH_BYTES) == 0;
}

static void test_mirror(void **state) {
    (void)state;
    for (int uses_template = 0; uses_template < 2; uses_template++) {
        asked plain = plain_pair(uses_template), mirrored = plain;
        mirrored.pair_id = "p2"; /* whose pair it is says nothing */
        mirrored.answer_1 = second_text;
        mirrored.answer_2 = first_text;
        assert_false(same_pair_key(&plain, &mirrored));
        mirrored.order = EH_ORDER_21;
        assert_true(same_pair_key(&plain, &mirrored));
    }
}

static void test_texts(void **state) {
    (void)state;
    for (int uses_template = 0; uses_template < 2; uses_template++) {
        asked plain = plain_pair(uses_template), other = plain;
        other.question = "2 + 3?";
        assert_false(same_pair_key(&plain, &other));
        other = plain;
        other.answer_2 = "It is five!";
        assert_false(same_pair_key(&plain, &other));
        other = plain;
        other.reference = "4";
        assert_false(same_pair_key(&plain, &other));
        other = plain;
        other.verdict_first = true; /* asked otherwise where the judge is told */
        assert_int_equal(same_pair_key(&plain, &other), !uses_template);
    }
}

/* A recorded judge answers by the pair's id: equal texts are other calls for it. */
static void test_by_pair_id(void **state) {
    (void)state;
    asked plain = plain_pair(false), other = plain;
    plain.by_pair_id = other.by_pair_id = true;
    assert_true(same_pair_key(&plain, &other));
    other.pair_id = "p2";
    assert_false(same_pair_key(&plain, &other));
    other = plain;
    other.answer_1 = plain.answer_2; /* both answers alike: the order still counts */
    plain.answer_1 = plain.answer_2;
    other.order = EH_ORDER_21;
    assert_false(same_pair_key(&plain, &other));
}

int main(void) {
    (void)setenv("TEST_KEYS_ONE", "one", 1);
    (void)setenv("TEST_KEYS_TWO", "two", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shared_case),
        cmocka_unit_test(test_absent_is_not_zero),
        cmocka_unit_test(test_stream_and_sample),
        cmocka_unit_test(test_mirror),
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_by_pair_id),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
