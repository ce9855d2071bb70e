/* SPDX-License-Identifier: MIT
 *
 * Files of options: what they may say, what goes first, and messages that name the
 * line.
 */
#include <unistd.h>

#include "../../cli/config.h"
#include "unit.h"

enum { MAX_WORDS = 16 };

typedef struct line {
    char path[40];
    char *words[MAX_WORDS];
    cli_args args;
    eh_error err;
    eh_status status;
} line;

static line parsed; /* by the latest call of parse */

static void forget(void) {
    args_deinit(&parsed.args);
    if (parsed.path[0]) (void)unlink(parsed.path);
    parsed = (line){0};
}

/* "evenhand VERB -c FILE WORDS...", where the file holds `yaml`. */
static eh_status parse_words(const char *verb, const char *yaml,
                             const char *const *words) {
    int n = 4;
    forget();
    (void)snprintf(parsed.path, sizeof parsed.path, "/tmp/test_config_XXXXXX");
    int fd = mkstemp(parsed.path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, yaml, strlen(yaml)), (ssize_t)strlen(yaml));
    assert_int_equal(close(fd), 0);
    const char *head[] = {"evenhand", verb, "-c", parsed.path};
    for (int i = 0; i < 4; i++)
        parsed.words[i] = (char *)(uintptr_t)head[i];
    for (int i = 0; words[i]; i++)
        parsed.words[n++] = (char *)(uintptr_t)words[i];
    parsed.status = args_parse(n, parsed.words, &parsed.args, &parsed.err);
    return parsed.status;
}

#define parse(verb, yaml, ...)                                                         \
    parse_words(verb, yaml, (const char *const[]){__VA_ARGS__, NULL})

static void accepted(eh_status status) {
    if (status != EH_STATUS_OK) fail_msg("%s", parsed.err.msg);
}

static const char whole[] = "judge: sim\noutput: run.db\ndata: pairs.jsonl\n";

/* ---- what is accepted ---- */

static void test_everything_in_a_file(void **state) {
    (void)state;
    accepted(parse("run",
                   "# a run\n"
                   "judge: 'openai:m'\n"
                   "data: pairs.jsonl\n"
                   "output: run.db\n"
                   "samples: 5\n"
                   "temperature: .7\n"
                   "max-failed: 5%\n"
                   "max-cost: 2.50\n"
                   "max-age: 12h\n"
                   "order: 21\n"
                   "always: true\n"
                   "refresh: false\n",
                   NULL));
    const cli_args *a = &parsed.args;
    assert_string_equal(args_str(a, OPT_judge), "openai:m");
    assert_int_equal(a->n_operands, 1);
    assert_string_equal(a->operands[0], "pairs.jsonl");
    assert_int_equal(args_i64(a, OPT_samples, 0), 5);
    assert_true(args_given(a, OPT_samples));
    assert_float_equal(args_f64(a, OPT_temperature, 0), .7, 0);
    assert_float_equal(args_f64(a, OPT_max_failed, 0), .05, 1e-12);
    assert_true(args_i64(a, OPT_max_cost, 0) == INT64_C(2500000000));
    assert_int_equal(args_i64(a, OPT_max_age, 0), 43200000);
    assert_string_equal(args_str(a, OPT_order), "21");
    assert_true(args_flag(a, OPT_always));
    assert_false(args_flag(a, OPT_refresh));
    assert_int_equal(args_i64(a, OPT_concurrency, 0), 16); /* the default stays */
    assert_false(args_given(a, OPT_concurrency));
}

static void test_the_line_goes_first(void **state) {
    (void)state;
    accepted(parse("run", "judge: sim\nsamples: 5\noutput: a.db\ndata: a.jsonl\n", "-k",
                   "7", "b.jsonl", "-o", "b.db"));
    assert_int_equal(args_i64(&parsed.args, OPT_samples, 0), 7);
    assert_string_equal(args_str(&parsed.args, OPT_output), "b.db");
    assert_int_equal(parsed.args.n_operands, 1);
    assert_string_equal(parsed.args.operands[0], "b.jsonl");
}

static const char *text_of(const char *yaml, cli_option_id id) {
    char file[500];
    (void)snprintf(file, sizeof file, "%s%s", whole, yaml);
    accepted(parse("run", file, NULL));
    return args_str(&parsed.args, id);
}

static void test_lists_and_mappings(void **state) {
    (void)state;
    assert_string_equal(text_of("stages: [0, 2]\n", OPT_stages), "0,2");
    assert_string_equal(text_of("stages: '0,2'\n", OPT_stages), "0,2");
    assert_string_equal(
        text_of("base-url:\n  - http://a/v1\n  - http://b/v1\n", OPT_base_url),
        "http://a/v1,http://b/v1");
    assert_string_equal(text_of("map: {answer_1: chosen, answer_2: a.b}\n", OPT_map),
                        "answer_1=chosen,answer_2=a.b");
    assert_string_equal(text_of("header-env: {api-key: K}\n", OPT_header_env),
                        "api-key=K");
}

static void test_extra_body(void **state) {
    (void)state;
    assert_string_equal(text_of("extra-body: extra.json\n", OPT_extra_body),
                        "extra.json");
    assert_string_equal(text_of("extra-body: '{\"a\": 1}'\n", OPT_extra_body),
                        "{\"a\": 1}");
    assert_string_equal(
        text_of("extra-body:\n"
                "  top_p: .9\n"
                "  text: \"7\"\n"
                "  word: yes\n"
                "  on: true\n"
                "  none: null\n"
                "  empty:\n"
                "  list: [1, -2.5e3, {x: {}}]\n",
                OPT_extra_body),
        "{\"top_p\": 0.9, \"text\": \"7\", \"word\": \"yes\", \"on\": true, "
        "\"none\": null, \"empty\": null, \"list\": [1, -2500, {\"x\": {}}]}");
}

/* A file for `run` serves other commands, which take what they have. */
static void test_other_commands(void **state) {
    (void)state;
    accepted(parse("doctor",
                   "judge: openai:m\nmethod: bpc\nsamples: 5\nmax-tokens: 7\n"
                   "data: x.jsonl\njson: true\nskip-bad: true\n",
                   NULL));
    assert_string_equal(args_str(&parsed.args, OPT_judge), "openai:m");
    assert_int_equal(args_i64(&parsed.args, OPT_max_tokens, 0), 7);
    assert_true(args_flag(&parsed.args, OPT_json));
    assert_false(args_given(&parsed.args, OPT_method));
    assert_false(args_given(&parsed.args, OPT_skip_bad));
    assert_int_equal(parsed.args.n_operands, 0);
    assert_int_equal(parse("doctor", "samples: lots\n", NULL), EH_STATUS_USAGE);
}

static void test_rules(void **state) {
    (void)state;
    char file[200];
    (void)snprintf(file, sizeof file, "%scapabilities:\n  - {host: h, n: 2}\n", whole);
    accepted(parse("run", file, NULL));
    capability_rules rules = config_rules(&parsed.args);
    assert_int_equal(rules.n, 1);
    assert_int_equal(rules.rules[0].n_max, 2);
    assert_text(rules.rules[0].host, "h");
    accepted(parse("run", whole, NULL));
    assert_int_equal(config_rules(&parsed.args).n, 0);
    assert_int_equal(config_rules(&(cli_args){0}).n, 0);
}

static void test_nothing_in_it(void **state) {
    (void)state;
    accepted(parse("run", "# nothing\n", "-j", "sim", "-o", "a.db", "d"));
    assert_fails(parse("run", "", NULL), EH_STATUS_USAGE, parsed.err,
                 "missing DATA, -j JUDGE, -o RUN.db");
    accepted(parse("run", "judge: [", "--help")); /* a question needs no file */
}

/* ---- what is refused ---- */

static void test_faults(void **state) {
    (void)state;
    static const struct {
        const char *yaml, *message;
    } rows[] = {
        {"- a\n", "line 1: a file of options is a mapping of keys"},
        {"judge: sim\nsample: 4\n",
         "line 2: unknown key 'sample'; did you mean 'samples'?"},
        {"base_url: x\n", "line 1: unknown key 'base_url'; did you mean 'base-url'?"},
        {"xyzzy: 1\n", "line 1: unknown key 'xyzzy'"},
        {"help: true\n", "line 1: unknown key 'help'"},
        {"config: a.yaml\n", "line 1: unknown key 'config'"},
        {"timing: true\n", "line 1: unknown key 'timing'"}, /* of show */
        {"samples: 3\nsamples: 4\n", "line 2: key given twice: 'samples'"},
        {"\nsamples: lots\n", "line 2: samples: 'lots' is not a whole number from 1"},
        {"method: mcc\n", "line 1: method: 'mcc' is not one of"},
        {"samples: [3]\n", "line 1: samples: one value is needed here"},
        {"samples:\n", "line 1: samples: one value is needed here"},
        {"judge: {a: 1}\n", "line 1: judge: one value is needed here"},
        {"judge: \"a\\0b\"\n", "line 1: judge: one value is needed here"},
        {"always: yes\n", "line 1: always: true or false is needed here, not 'yes'"},
        {"always: [true]\n", "line 1: always: true or false is needed here"},
        {"stages: {a: 1}\n", "line 1: stages: a list is needed here"},
        {"stages: [[0]]\n", "line 1: stages: a list is needed here"},
        {"stages: ['0,1']\n", "line 1: stages: a list is needed here"},
        {"map: [{a: b}]\n", "line 1: map: a list, or a mapping of texts is needed"},
        {"map: {a: [b]}\n", "line 1: map: a list, or a mapping of texts is needed"},
        {"extra-body: [1]\n", "line 1: extra-body: a mapping, or the name of a file"},
        {"extra-body: &x {a: *x}\n", "line 1: extra-body: a mapping, or the name"},
        {"extra-body: {[1]: 2}\n", "line 1: extra-body: a mapping, or the name"},
        {"data: [a]\n", "line 1: data is the name of a file"},
        {"capabilities:\n  - {host: h, n: x}\n", "line 2: n is a whole number"},
        {"judge: sim\n---\njudge: sim\n", "line 2: a second document"},
        {"judge: 'sim\n", "line 2: found unexpected end of stream"},
        {"judge: \xFF\n", "invalid leading UTF-8 octet"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        eh_status status = parse("run", rows[i].yaml, NULL);
        if (eh_status_exit(status) != 2) fail_msg("%s: %d", rows[i].yaml, (int)status);
        assert_holds(eh_str_of(parsed.err.msg), rows[i].message);
        assert_holds(eh_str_of(parsed.err.msg), parsed.path);
    }
}

/* A key that somebody put there is refused, and not repeated in the message. */
static void test_no_secrets(void **state) {
    (void)state;
    static const char *const names[] = {"key", "api-key", "api_key", "token"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char yaml[80];
        (void)snprintf(yaml, sizeof yaml, "%s: sk-secret-123\n", names[i]);
        assert_fails(parse("run", yaml, NULL), EH_STATUS_CONFIG, parsed.err, "key-env");
        assert_null(strstr(parsed.err.msg, "sk-secret"));
    }
}

static void test_files_that_cannot_be_read(void **state) {
    (void)state;
    static const char *const words[] = {"evenhand", "run", "-c", "/nowhere/run.yaml"};
    char *argv[4];
    for (int i = 0; i < 4; i++)
        argv[i] = (char *)(uintptr_t)words[i];
    forget();
    assert_fails(args_parse(4, argv, &parsed.args, &parsed.err), EH_STATUS_CONFIG,
                 parsed.err, "/nowhere/run.yaml: No such file");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_everything_in_a_file),
        cmocka_unit_test(test_the_line_goes_first),
        cmocka_unit_test(test_lists_and_mappings),
        cmocka_unit_test(test_extra_body),
        cmocka_unit_test(test_other_commands),
        cmocka_unit_test(test_rules),
        cmocka_unit_test(test_nothing_in_it),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_no_secrets),
        cmocka_unit_test(test_files_that_cannot_be_read),
    };
    int n_failed = cmocka_run_group_tests(tests, NULL, NULL);
    forget();
    return n_failed;
}
