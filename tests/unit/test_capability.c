/* SPDX-License-Identifier: MIT
 *
 * What endpoints take: the built-in table, and users' rules over it.
 */
#include "codec/capability_rules.h"
#include "unit.h"

/* Reads rules and hands them, with their arena, to the caller. */
static eh_status rules_of(const char *yaml, eh_arena *arena, capability_rules *rules,
                          eh_error *err) {
    yaml_source src;
    arena_init(arena, 1 << 20);
    EH_TRY(yaml_source_read(&src, "run.yaml", EH_STATUS_CONFIG, eh_str_of(yaml), err));
    eh_status status =
        capability_rules_read(&src, yaml_source_root(&src), arena, rules, err);
    yaml_source_free(&src); /* what was read does not need it any more */
    return status;
}

/* The capability of openai:MODEL at `url` under rules. */
static capability under(const char *yaml, const char *url, const char *model) {
    eh_arena arena;
    capability_rules rules;
    eh_error err;
    endpoint where[2];
    size_t n;
    assert_ok(rules_of(yaml, &arena, &rules, &err), err);
    assert_ok(endpoint_read_list(&judge_codec_openai, eh_str_of(url), &arena, where, &n,
                                 &err),
              err);
    capability c = capability_of(EH_STR("openai"), where[0].host, eh_str_of(model));
    capability_whose whose = {&judge_codec_openai, where, n, eh_str_of(model)};
    assert_ok(capability_rules_apply(&rules, &whose, &arena, &c, &err), err);
    arena_deinit(&arena);
    return c;
}

/* ---- the table ---- */

static void test_table(void **state) {
    (void)state;
    static const struct {
        const char *host, *model;
        capability_schema schema;
        int logprobs_max, n_max;
        const char *tokens_name, *seed_name;
    } rows[] = {
        {"api.openai.com", "m", CAPABILITY_SCHEMA_FULL, 20, CAPABILITY_N_ANY,
         "max_completion_tokens", "seed"},
        {"api.deepseek.com", "m", CAPABILITY_SCHEMA_OBJECT, 20, 1, "max_tokens", ""},
        {"api.groq.com", "m", CAPABILITY_SCHEMA_FULL, -1, 1, "max_completion_tokens",
         "seed"},
        {"api.mistral.ai", "m", CAPABILITY_SCHEMA_FULL, -1, CAPABILITY_N_ANY,
         "max_tokens", "random_seed"},
        {"api.anthropic.com", "m", CAPABILITY_SCHEMA_NONE, -1, 1, "max_tokens", ""},
        {"gpu:8080", "tgi", CAPABILITY_SCHEMA_TGI, 5, 1, "max_tokens", "seed"},
        {"gpu:8080", "m", CAPABILITY_SCHEMA_FULL, 20, CAPABILITY_N_ANY, "max_tokens",
         "seed"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        capability c = capability_of(EH_STR("openai"), eh_str_of(rows[i].host),
                                     eh_str_of(rows[i].model));
        assert_int_equal(c.schema, rows[i].schema);
        assert_int_equal(c.logprobs_max, rows[i].logprobs_max);
        assert_int_equal(c.n_max, rows[i].n_max);
        assert_string_equal(c.tokens_name, rows[i].tokens_name);
        assert_string_equal(c.seed_name, rows[i].seed_name);
    }
}

static void test_schema_names(void **state) {
    (void)state;
    for (int i = 0; i < CAPABILITY_SCHEMA_N; i++)
        assert_int_equal(capability_schema_parse(
                             eh_str_of(capability_schema_name((capability_schema)i))),
                         i);
    assert_int_equal(capability_schema_parse(EH_STR("xml")), CAPABILITY_SCHEMA_N);
}

static void test_room_for_changes(void **state) {
    (void)state;
    capability c = {0};
    char name[80];
    for (int i = 0; i < CAPABILITY_MAX_CHANGES; i++) {
        (void)snprintf(name, sizeof name, "p%d", i);
        assert_true(capability_learn(&c, eh_str_of(name), EH_STR("")));
    }
    assert_false(capability_learn(&c, EH_STR("one_more"), EH_STR("")));
    c.n_changes = 0;
    memset(name, 'x', sizeof name);
    assert_false(capability_learn(&c, (eh_str){name, 64}, EH_STR("")));
    assert_true(capability_learn(&c, (eh_str){name, 63}, EH_STR("")));
}

/* ---- rules ---- */

#define ALL                                                                            \
    "- host: GPU:8000\n"                                                               \
    "  model: llama\n"                                                                 \
    "  n: 4\n"                                                                         \
    "  max-tokens: max_output\n"                                                       \
    "  seed: none\n"                                                                   \
    "  structured-output: tgi\n"                                                       \
    "  logprobs: 3\n"                                                                  \
    "  refused: [temperature]\n"                                                       \
    "  renamed: {top_p: nucleus}\n"

static void test_everything_a_rule_says(void **state) {
    (void)state;
    capability c = under(ALL, "http://gpu:8000/v1", "llama-3");
    assert_int_equal(c.n_max, 4);
    assert_string_equal(c.tokens_name, "max_output");
    assert_string_equal(c.seed_name, "");
    assert_int_equal(c.schema, CAPABILITY_SCHEMA_TGI);
    assert_int_equal(c.logprobs_max, 3);
    assert_int_equal(c.n_changes, 2);
    assert_string_equal(capability_change_of(&c, EH_STR("temperature"))->rename_to, "");
    assert_string_equal(capability_change_of(&c, EH_STR("top_p"))->rename_to,
                        "nucleus");
}

static bool applies(const char *rule, const char *url, const char *model) {
    char yaml[200];
    (void)snprintf(yaml, sizeof yaml, "- {%s, n: 7}\n", rule);
    return under(yaml, url, model).n_max == 7;
}

static void test_for_whom(void **state) {
    (void)state;
    const char *url = "http://gpu:8000/v1";
    assert_true(applies("host: gpu", url, "m"));
    assert_true(applies("host: 'gpu:8000'", url, "m"));
    assert_false(applies("host: 'gpu:80'", url, "m"));
    assert_false(applies("host: gp", url, "m"));
    assert_true(applies("host: .example.org", "https://a.example.org", "m"));
    assert_false(applies("host: .example.org", "https://example.org", "m"));
    assert_true(applies("base-url: 'http://gpu:8000'", url, "m"));
    assert_true(applies("base-url: 'http://gpu:8000/v1/chat/completions'", url, "m"));
    assert_false(applies("base-url: 'http://gpu:8000/v2'", url, "m"));
    assert_true(applies("model: gpt-5", url, "gpt-5-mini"));
    assert_false(applies("model: gpt-5", url, "gpt-4.1"));
    assert_false(applies("host: gpu, model: gpt-5", "http://cpu/v1", "gpt-5"));
    assert_true(applies("host: gpu", "http://cpu/v1,http://gpu/v1", "m")); /* any */
}

/* The client's own names mean what they stand for at this endpoint. */
static void test_our_own_names(void **state) {
    (void)state;
    capability c =
        under("- host: h\n"
              "  refused: [n, max_tokens, seed, response_format, logprobs]\n",
              "http://h/v1", "m");
    assert_int_equal(c.n_max, 1);
    assert_string_equal(c.tokens_name, "");
    assert_string_equal(c.seed_name, "");
    assert_int_equal(c.schema, CAPABILITY_SCHEMA_NONE);
    assert_int_equal(c.logprobs_max, CAPABILITY_NO_LOGPROBS);
    assert_int_equal(c.n_changes, 0);
    c = under("- {host: h, renamed: {max_tokens: a, seed: b}}\n", "http://h/v1", "m");
    assert_string_equal(c.tokens_name, "a");
    assert_string_equal(c.seed_name, "b");
}

static void test_later_rules_go_first(void **state) {
    (void)state;
    capability c = under("- {host: h, n: 2, logprobs: none}\n- {host: h, n: any}\n",
                         "http://h/v1", "m");
    assert_int_equal(c.n_max, CAPABILITY_N_ANY);
    assert_int_equal(c.logprobs_max, CAPABILITY_NO_LOGPROBS);
}

static void test_faults(void **state) {
    (void)state;
    static const struct {
        const char *yaml, *message;
    } rows[] = {
        {"[]\n", "line 1: capabilities is a list of 1 to 256 rules"},
        {"{host: h}\n", "line 1: capabilities is a list of 1 to 256 rules"},
        {"- h\n", "line 1: a rule is a mapping of keys, not 'h'"},
        {"- n: 3\n", "line 1: a rule says for which host, base-url or model it is"},
        {"- host: h\n  m: 3\n",
         "structured-output, logprobs, refused and renamed, not 'm'"},
        {"- host: h\n  host: i\n", "line 2: key given twice: 'host'"},
        {"- host: [h]\n", "line 1: a host is needed here"},
        {"- host: http://h\n", "line 1: a host is a name, perhaps with :PORT, not"},
        {"- base-url: h\n", "line 1: --base-url must be written http://"},
        {"- base-url: http://u:p@h/\n", "line 1: --base-url holds a user's name"},
        {"- host: h\n  n: 0\n", "line 2: n is a whole number from 1 to 1024, or any"},
        {"- host: h\n  n: many\n",
         "line 2: n is a whole number from 1 to 1024, or any, not 'many'"},
        {"- host: h\n  n: [1]\n", "line 2: n is a whole number from 1 to 1024, or any"},
        {"- host: h\n  logprobs: 21\n", "line 2: logprobs is a whole number from 0"},
        {"- host: h\n  structured-output: xml\n",
         "line 2: structured-output is none, json_object, json_schema or tgi, not "
         "'xml'"},
        {"- host: h\n  refused: temperature\n", "line 2: refused is a list of 1 to 16"},
        {"- host: h\n  refused: [[a]]\n", "line 2: a text is needed here"},
        {"- host: h\n  renamed: [a]\n", "line 2: renamed is a mapping of 1 to 16"},
        {"- host: h\n  renamed: {a: 1, a: 2}\n", "line 2: key given twice: 'a'"},
        {"- host: h\n  max-tokens:\n", "line 2: a text is needed here"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        eh_arena arena;
        capability_rules rules;
        eh_error err = {0};
        assert_fails(rules_of(rows[i].yaml, &arena, &rules, &err), EH_STATUS_CONFIG,
                     err, rows[i].message);
        arena_deinit(&arena);
    }
}

/* Two rules of eleven parameters each are too many for one judge. */
static void test_too_many_changes(void **state) {
    (void)state;
    eh_arena arena;
    eh_error err;
    capability_rules rules;
    endpoint where;
    assert_ok(rules_of("- {host: h, refused: [a, b, c, d, e, f, g, h, i, j, k]}\n"
                       "- {host: h, refused: [l, m, n2, o, p, q, r, s, t, u, v]}\n",
                       &arena, &rules, &err),
              err);
    assert_ok(
        endpoint_read(&judge_codec_openai, EH_STR("http://h"), &arena, &where, &err),
        err);
    capability c = {0};
    capability_whose whose = {&judge_codec_openai, &where, 1, EH_STR("m")};
    assert_fails(capability_rules_apply(&rules, &whose, &arena, &c, &err),
                 EH_STATUS_CONFIG, err, "more than 16 parameters");
    arena_deinit(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_schema_names),
        cmocka_unit_test(test_room_for_changes),
        cmocka_unit_test(test_everything_a_rule_says),
        cmocka_unit_test(test_for_whom),
        cmocka_unit_test(test_our_own_names),
        cmocka_unit_test(test_later_rules_go_first),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_too_many_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
