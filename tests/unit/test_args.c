/* SPDX-License-Identifier: MIT
 *
 * The parser of the command line, the reading of values, suggestions and help texts.
 * The cases use options of the real table, so they also watch over it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "../../cli/args.h"
#include "base/mem.h"
#include "base/suggest.h"

enum { MAX_WORDS = 16 };

typedef struct line {
    char *words[MAX_WORDS];
    cli_args args;
    eh_error err;
    eh_status status;
} line;

static line parsed; /* by the latest call of parse */

/* Parses "evenhand WORDS...". */
#define parse(...) parse_words((const char *const[]){"evenhand", __VA_ARGS__, NULL})

static eh_status parse_words(const char *const *words) {
    int n = 0;
    parsed = (line){0};
    for (; words[n]; n++)
        parsed.words[n] = (char *)(uintptr_t)words[n];
    parsed.status = args_parse(n, parsed.words, &parsed.args, &parsed.err);
    return parsed.status;
}

static void assert_refused(const char *message_part) {
    assert_int_equal(parsed.status, EH_STATUS_USAGE);
    assert_int_equal(eh_status_exit(parsed.status), 2);
    if (!strstr(parsed.err.msg, message_part))
        fail_msg("\"%s\" does not hold \"%s\"", parsed.err.msg, message_part);
    assert_null(strchr(parsed.err.msg, '\n'));
}

#define refused(part, ...) (void)(parse(__VA_ARGS__)), assert_refused(part)

/* ---- what is accepted ---- */

static void test_options_and_operands_mixed(void **state) {
    (void)state;
    assert_int_equal(parse("run", "-j", "sim", "data.jsonl", "-k5", "-o", "a.db"), 0);
    const cli_args *a = &parsed.args;
    assert_int_equal(a->verb, VERB_run);
    assert_int_equal(a->n_operands, 1);
    assert_string_equal(a->operands[0], "data.jsonl");
    assert_string_equal(args_str(a, OPT_judge), "sim");
    assert_string_equal(args_str(a, OPT_output), "a.db");
    assert_int_equal(args_i64(a, OPT_samples, 3), 5);
    assert_true(args_given(a, OPT_samples));
    assert_false(args_flag(a, OPT_json));
}

static void test_long_forms(void **state) {
    (void)state;
    assert_int_equal(parse("run", "--judge=sim:a=b", "d", "--output", "x", "--samples",
                           "2", "--json", "--temperature=.7"),
                     0);
    assert_string_equal(args_str(&parsed.args, OPT_judge), "sim:a=b");
    assert_int_equal(args_i64(&parsed.args, OPT_samples, 0), 2);
    assert_float_equal(args_f64(&parsed.args, OPT_temperature, 0), .7, 0);
    assert_true(args_flag(&parsed.args, OPT_json));
}

static void test_bundled_flags(void **state) {
    (void)state;
    assert_int_equal(parse("run", "d", "-qjsim", "-oa.db"), 0);
    assert_true(args_flag(&parsed.args, OPT_quiet));
    assert_string_equal(args_str(&parsed.args, OPT_judge), "sim");
    assert_string_equal(args_str(&parsed.args, OPT_output), "a.db");
}

static void test_double_dash_ends_options(void **state) {
    (void)state;
    assert_int_equal(parse("show", "a", "--", "-q", "--json", "--"), 0);
    assert_int_equal(parsed.args.n_operands, 4);
    assert_string_equal(parsed.args.operands[1], "-q");
    assert_string_equal(parsed.args.operands[2], "--json");
    assert_string_equal(parsed.args.operands[3], "--");
    assert_false(args_flag(&parsed.args, OPT_json));
}

static void test_single_dash_is_an_operand_and_a_value(void **state) {
    (void)state;
    assert_int_equal(parse("run", "-", "-j", "-", "-o", "x"), 0);
    assert_string_equal(parsed.args.operands[0], "-");
    assert_string_equal(args_str(&parsed.args, OPT_judge), "-");
}

static void test_values_that_begin_with_a_dash(void **state) {
    (void)state;
    assert_int_equal(parse("run", "d", "--judge=--json", "-o", "-x.db"), 0);
    assert_string_equal(args_str(&parsed.args, OPT_judge), "--json");
    assert_string_equal(args_str(&parsed.args, OPT_output), "-x.db");
}

static void test_general_options_before_the_command(void **state) {
    (void)state;
    assert_int_equal(parse("-q", "--no-color", "show", "a.db"), 0);
    assert_int_equal(parsed.args.verb, VERB_show);
    assert_true(args_flag(&parsed.args, OPT_quiet));
    assert_true(args_flag(&parsed.args, OPT_no_color));
}

static void test_many_operands(void **state) {
    (void)state;
    assert_int_equal(parse("import", "judgments", "a", "-o", "x", "b", "c"), 0);
    assert_int_equal(parsed.args.n_operands, 4);
    assert_string_equal(parsed.args.operands[0], "judgments");
    assert_string_equal(parsed.args.operands[3], "c");
}

static void test_no_command(void **state) {
    (void)state;
    const char *const nothing[] = {"evenhand", NULL};
    assert_int_equal(parse_words(nothing), 0);
    assert_int_equal(parsed.args.verb, VERB_NONE);
    const char *const not_even_a_name[] = {NULL};
    assert_int_equal(parse_words(not_even_a_name), 0);
    assert_int_equal(parsed.args.verb, VERB_NONE);
}

static void test_help_needs_nothing_else(void **state) {
    (void)state;
    assert_int_equal(parse("run", "--help"), 0);
    assert_true(args_flag(&parsed.args, OPT_help));
    assert_int_equal(parse("--version"), 0);
    assert_true(args_flag(&parsed.args, OPT_version));
}

/* ---- defaults ---- */

static void test_defaults_of_the_table(void **state) {
    (void)state;
    assert_int_equal(parse("run", "d", "-j", "sim", "-o", "x"), 0);
    const cli_args *a = &parsed.args;
    assert_string_equal(args_str(a, OPT_method), "mec+bpc");
    assert_string_equal(args_str(a, OPT_seed), "0");
    assert_int_equal(args_i64(a, OPT_concurrency, 0), 16);
    assert_float_equal(args_f64(a, OPT_max_failed, 0), .02, 0);
    assert_false(args_given(a, OPT_method));
    assert_null(args_str(a, OPT_labels));
    assert_int_equal(args_i64(a, OPT_samples, 7), 7);
    assert_int_equal(args_i64(a, OPT_limit, -1), -1);
}

static void test_defaults_depend_on_the_command(void **state) {
    (void)state;
    assert_int_equal(parse("show", "a.db"), 0);
    assert_null(args_str(&parsed.args, OPT_method));
    assert_int_equal(parse("rulings", "a.db"), 0);
    assert_string_equal(args_str(&parsed.args, OPT_format), "jsonl");
}

/* Each default of the table is a value that its own option accepts, and each choice of
 * a name is unambiguous among the rows of a command. */
static void test_the_table_is_sound(void **state) {
    (void)state;
    for (size_t i = 0; i < cli_n_options; i++) {
        const cli_option *o = &cli_options[i];
        args_value value = {0};
        if (o->value)
            assert_int_equal(
                args_value_read(&o->type, o->long_name, o->value, &value, NULL), 0);
        assert_true((o->argument == NULL) == (o->type.kind == CLI_FLAG));
        assert_true(o->help[strlen(o->help) - 1] == '.');
        for (size_t k = 0; k < i; k++) {
            const cli_option *p = &cli_options[k];
            bool same_verb = (o->verbs & p->verbs) != 0;
            if (same_verb) assert_string_not_equal(o->long_name, p->long_name);
            if (same_verb && o->short_name)
                assert_int_not_equal(o->short_name, p->short_name);
            if (o->id == p->id) assert_string_equal(o->long_name, p->long_name);
            if (o->id == p->id) assert_int_equal(o->short_name, p->short_name);
        }
    }
}

/* ---- what is refused ---- */

static void test_unknown_commands(void **state) {
    (void)state;
    refused("unknown command 'shwo'; did you mean 'show'?", "shwo", "a.db");
    assert_int_equal(parsed.args.verb, VERB_NONE);
    refused("'evenhand --help' lists the commands", "frobnicate");
    refused("unknown command ''", "");
}

static void test_unknown_options(void **state) {
    (void)state;
    refused("unknown option '--jsno'; did you mean '--json'?", "show", "--jsno");
    assert_int_equal(parsed.args.verb, VERB_show);
    refused("did you mean '--temperature'?", "run", "--temper", "1");
    refused("unknown option '--frob'; see 'evenhand show --help'", "show", "--frob=1");
    refused("unknown option '-x'; see 'evenhand show --help'", "show", "-x");
    refused("unknown option '-x'", "show", "-qx");
    refused("unknown option '-\xc3\xa4'", "show", "-\xc3\xa4");
    refused("unknown option '--bad'; see 'evenhand --help'", "--bad");
    refused("did you mean '--json'?", "show", "a.db", "-json");
}

static void test_options_of_other_commands(void **state) {
    (void)state;
    refused("no option --limit here; see 'evenhand show --help'", "show", "--limit=3");
    refused("no option -k here; see 'evenhand show --help'", "show", "-k3");
    refused("--json must come after the command", "--json", "show", "a");
    refused("-o must come after the command", "-o", "a", "run");
}

static void test_values_that_are_missing_or_too_many(void **state) {
    (void)state;
    refused("-j/--judge needs a value: JUDGE", "run", "d", "-j");
    refused("--limit needs a value: N", "run", "d", "--limit");
    refused("'--json' looks like an option", "run", "d", "-o", "--json");
    refused("'-q' looks like an option", "run", "d", "-o", "-q");
    refused("write --output=VALUE", "run", "d", "-o", "--", "x");
    refused("--json takes no value", "show", "a", "--json=yes");
    refused("-k/--samples is given twice", "run", "-k", "1", "-k", "1");
    refused("write -o RUN.db or --output=RUN.db", "run", "-o=x.db");
    refused("'' is not", "run", "d", "-o", "");
}

static void test_what_is_missing_is_named_with_the_synopsis(void **state) {
    (void)state;
    refused("missing DATA, -j JUDGE, -o RUN.db; usage: evenhand run DATA", "run");
    refused("missing FILE, -o RUN.db; usage: evenhand import FORMAT FILE... -o RUN.db",
            "import", "judgments");
    refused("missing RUN.db|JUDGMENTS.jsonl;", "show");
    refused("missing list|show; usage: evenhand template list|show [NAME]", "template");
    assert_int_equal(parse("run", "d", "-j", "sim", "--dry-run"), 0);
}

static void test_operands(void **state) {
    (void)state;
    refused("unexpected operand 'b'; usage: evenhand check DATA", "check", "a", "b");
    refused("unexpected operand 'x'", "demo", "x");
    refused("did you mean 'import'?", "labels", "a.db", "imprt", "f");
    refused("operand: '' is not", "check", "");
}

static void test_long_words_leave_room_for_the_reason(void **state) {
    (void)state;
    char word[600];
    memset(word, 'x', sizeof word - 1);
    word[sizeof word - 1] = '\0';
    refused("is not a whole number from 1 to", "run", "-k", word);
    refused("lists the commands", word);
    char option[602] = "--";
    memcpy(option + 2, word, sizeof word);
    refused("see 'evenhand run --help'", "run", option);
}

/* ---- values ---- */

static void test_numbers(void **state) {
    (void)state;
    refused("-k/--samples: '0' is not a whole number from 1 to 64", "run", "-k0");
    refused("'65' is not", "run", "-k65");
    refused("'3.5' is not", "run", "-k", "3.5");
    refused("'99999999999999999999' is not a whole number from 0 up", "run", "--limit",
            "99999999999999999999");
    refused("'2.1' is not a number from 0 to 2", "run", "--temperature", "2.1");
    refused("'nan' is not", "run", "--temperature", "nan");
    refused("'0x1' is not", "run", "--temperature", "0x1");
    (void)parse("run", "--seed", "9223372036854775807", "--help");
    assert_true(args_i64(&parsed.args, OPT_seed, 0) == INT64_MAX);
}

static void test_shares(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double value;
    } good[] = {{"2%", .02}, {".02", .02}, {"0", 0},
                {"100%", 1}, {"1", 1},     {"2 %", .02}};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        (void)parse("run", "--max-failed", good[i].text, "--help");
        assert_int_equal(parsed.status, EH_STATUS_OK);
        assert_true(args_f64(&parsed.args, OPT_max_failed, -1) == good[i].value);
    }
    refused("'2' is not a share from 0 to 1, such as 2% or .02", "run", "--max-failed",
            "2");
    refused("is not a share", "run", "--max-failed", "101%");
    refused("is not a share", "run", "--max-failed", "-1%");
    refused("is not a share", "run", "--max-failed", "%");
}

static void test_choices(void **state) {
    (void)state;
    refused("'mecbpc' is not one of vanilla, ec, mec, bpc, mec+bpc, standalone, "
            "portia; did you mean 'mec+bpc'?",
            "run", "-m", "mecbpc");
    refused("'MEC' is not one of", "run", "-m", "MEC");
    refused("'vanilla|ec' is not one of", "run", "-m", "vanilla|ec");
    refused("'21 ' is not one of 12, 21, both", "run", "--order", "21 ");
}

/* Reads one value of a kind that takes no numbers of its own; false where refused. */
static bool read_as(cli_type_kind kind, const char *text, args_value *value) {
    cli_type type = {.kind = kind};
    *value = (args_value){0};
    return args_value_read(&type, "value", text, value, NULL) == EH_STATUS_OK;
}

static void test_money_is_exact(void **state) {
    (void)state;
    args_value v;
    static const struct {
        const char *text;
        int64_t nusd;
    } good[] = {{"5", 5000000000},  {"2.50", 2500000000},
                {".000000001", 1},  {"0", 0},
                {"0.1", 100000000}, {"9223372036.854775807", INT64_MAX}};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_true(read_as(CLI_MONEY, good[i].text, &v));
        assert_true(v.i64 == good[i].nusd);
    }
    static const char *const bad[] = {"",
                                      ".",
                                      "-1",
                                      "+1",
                                      "1e3",
                                      "1,5",
                                      "$5",
                                      "1.2.3",
                                      ".0000000001",
                                      "9223372036.854775808",
                                      "99999999999999999999999999999999999999999"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_false(read_as(CLI_MONEY, bad[i], &v));
}

static void test_durations(void **state) {
    (void)state;
    args_value v;
    static const struct {
        const char *text;
        int64_t ms;
    } good[] = {{"1s", 1000},
                {"90m", 5400000},
                {"12h", 43200000},
                {"7d", 604800000},
                {"36525d", INT64_C(3155760000000)}};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_true(read_as(CLI_DURATION, good[i].text, &v));
        assert_true(v.i64 == good[i].ms);
    }
    static const char *const bad[] = {"",       "s",    "5",   "0d",
                                      "-1d",    "1.5h", "1 d", "1d1h",
                                      "36526d", "1w",   "1D",  "99999999999999999999s"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_false(read_as(CLI_DURATION, bad[i], &v));
}

static void test_lists(void **state) {
    (void)state;
    args_value v;
    assert_true(read_as(CLI_LIST, "a,b c,d", &v));
    assert_string_equal(v.text, "a,b c,d");
    assert_true(read_as(CLI_LIST, "a", &v));
    assert_false(read_as(CLI_LIST, "a,,b", &v));
    assert_false(read_as(CLI_LIST, "a,", &v));
    assert_false(read_as(CLI_LIST, ",", &v));
}

/* ---- suggestions ---- */

static const char *nearest(const char *typed, const char *word) {
    suggest s = suggest_for(eh_str_of(typed));
    suggest_offer(&s, eh_str_of(word));
    return s.best.ptr;
}

static void test_suggestions(void **state) {
    (void)state;
    assert_non_null(nearest("shwo", "show"));   /* neighbours exchanged */
    assert_non_null(nearest("shw", "show"));    /* one left out */
    assert_non_null(nearest("showw", "show"));  /* one too many */
    assert_non_null(nearest("snow", "show"));   /* one other */
    assert_non_null(nearest("rul", "rulings")); /* a beginning */
    assert_non_null(nearest("temperatxre", "temperature"));
    assert_null(nearest("slow", "run"));
    assert_null(nearest("r", "run"));   /* one letter is no guess */
    assert_null(nearest("abcd", "ab")); /* two changes in a short word */
    assert_null(nearest("", "run"));
    suggest s = suggest_for(EH_STR("abcx"));
    suggest_offer(&s, EH_STR("abcy"));
    suggest_offer(&s, EH_STR("abcz"));
    assert_string_equal(s.best.ptr, "abcy"); /* equally near: the first offered */
    char word[200];
    memset(word, 'a', sizeof word - 1);
    word[sizeof word - 1] = '\0';
    assert_null(nearest(word, "show"));
    assert_null(nearest("show", word));
}

/* ---- help ---- */

static void help_of(cli_verb verb, int width_columns, eh_buf *out) {
    buf_init(out, BUF_MAX_SMALL);
    args_help(verb, out, width_columns);
    assert_int_equal(buf_check(out, "help", NULL), EH_STATUS_OK);
}

/* The longest line; names and synopses may be longer than the width, help never. */
static size_t longest_help_line(eh_str text) {
    size_t longest = 0;
    eh_str each;
    while (eh_str_split(&text, '\n', &each))
        if (each.len > longest && !eh_str_begins(each, EH_STR("Usage:")) &&
            !eh_str_begins(each, EH_STR("evenhand")))
            longest = each.len;
    return longest;
}

static void test_help_names_all_options_of_a_command(void **state) {
    (void)state;
    for (int v = 0; v <= VERB_N; v++) {
        eh_buf text;
        help_of((cli_verb)v, 80, &text);
        for (size_t i = 0; i < cli_n_options; i++) {
            char name[64];
            (void)snprintf(name, sizeof name, " --%s", cli_options[i].long_name);
            bool is_named = strstr(text.ptr, name) != NULL;
            if (cli_option_is_for(&cli_options[i], (cli_verb)v)) assert_true(is_named);
        }
        buf_deinit(&text);
    }
}

static void test_help_keeps_to_the_width(void **state) {
    (void)state;
    static const int widths[] = {40, 60, 66, 80, 100};
    for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++) {
        eh_buf text;
        help_of(VERB_run, widths[i], &text);
        assert_true(longest_help_line(buf_view(&text)) <= (size_t)widths[i]);
        buf_deinit(&text);
    }
}

/* Wherever an allocation fails, the text is whole or the failure is told. */
static void test_help_out_of_memory(void **state) {
    (void)state;
    eh_buf whole;
    help_of(VERB_run, 80, &whole);
    int64_t live = mem_live();
    int n_failed = 0;
    for (int nth = 1; nth < 200; nth++) {
        eh_buf text;
        buf_init(&text, BUF_MAX_SMALL);
        mem_fail_at(nth, false);
        args_help(VERB_run, &text, 80);
        mem_fail_at(0, false);
        if (buf_check(&text, "help", NULL) != EH_STATUS_OK)
            n_failed++;
        else
            assert_string_equal(text.ptr, whole.ptr);
        buf_deinit(&text);
        assert_true(mem_live() == live);
    }
    assert_true(n_failed > 10);
    buf_deinit(&whole);
}

static void test_option_text_has_choices_and_default(void **state) {
    (void)state;
    eh_buf text;
    help_of(VERB_rulings, 100, &text);
    assert_non_null(strstr(text.ptr, "One of jsonl, csv. Default: jsonl."));
    buf_deinit(&text);
}

static void test_refusals_out_of_memory(void **state) {
    (void)state;
    int64_t live = mem_live();
    for (int nth = 1; nth <= 4; nth++) {
        mem_fail_at(nth, true);
        (void)parse("run");
        mem_fail_at(0, false);
        assert_int_not_equal(parsed.status, EH_STATUS_OK);
        assert_true(mem_live() == live);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_options_and_operands_mixed),
        cmocka_unit_test(test_long_forms),
        cmocka_unit_test(test_bundled_flags),
        cmocka_unit_test(test_double_dash_ends_options),
        cmocka_unit_test(test_single_dash_is_an_operand_and_a_value),
        cmocka_unit_test(test_values_that_begin_with_a_dash),
        cmocka_unit_test(test_general_options_before_the_command),
        cmocka_unit_test(test_many_operands),
        cmocka_unit_test(test_no_command),
        cmocka_unit_test(test_help_needs_nothing_else),
        cmocka_unit_test(test_defaults_of_the_table),
        cmocka_unit_test(test_defaults_depend_on_the_command),
        cmocka_unit_test(test_the_table_is_sound),
        cmocka_unit_test(test_unknown_commands),
        cmocka_unit_test(test_unknown_options),
        cmocka_unit_test(test_options_of_other_commands),
        cmocka_unit_test(test_values_that_are_missing_or_too_many),
        cmocka_unit_test(test_what_is_missing_is_named_with_the_synopsis),
        cmocka_unit_test(test_operands),
        cmocka_unit_test(test_long_words_leave_room_for_the_reason),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_shares),
        cmocka_unit_test(test_choices),
        cmocka_unit_test(test_money_is_exact),
        cmocka_unit_test(test_durations),
        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_suggestions),
        cmocka_unit_test(test_help_names_all_options_of_a_command),
        cmocka_unit_test(test_help_keeps_to_the_width),
        cmocka_unit_test(test_help_out_of_memory),
        cmocka_unit_test(test_option_text_has_choices_and_default),
        cmocka_unit_test(test_refusals_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
