/* SPDX-License-Identifier: MIT
 *
 * Text for terminals of any width: lines that are broken, names in columns, p values.
 */
#include "report/write.h"

#include <math.h>

#include "unit.h"

static void check_fold(const char *text, int columns, const char *wanted) {
    eh_buf out;
    buf_init(&out, BUF_MAX_SMALL);
    report_fold(eh_str_of(text), columns, &out);
    assert_text(buf_view(&out), wanted);
    buf_deinit(&out);
}

static void test_fold(void **state) {
    (void)state;
    check_fold("", 40, "");
    check_fold("short\n", 40, "short\n");
    check_fold("one two three four\n", 10, "one two\nthree\nfour\n");
    check_fold("nothing_to_break_at_all_here\n", 10, "nothing_to_break_at_all_here\n");
    check_fold("nothing_to_break here\n", 10, "nothing_to_break\nhere\n");
    /* what goes on stands under the text behind the label */
    check_fold("  label           one two three\n", 26,
               "  label           one two\n                  three\n");
    /* a number and its unit stay together */
    check_fold("it is 45.8 % now\n", 12, "it is\n45.8 % now\n");
    check_fold("so p = .0215\n", 9, "so\np = .0215\n");
    check_fold("so p < .0001\n", 9, "so\np < .0001\n");
    /* code points count, not bytes */
    check_fold("\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4 \xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\n",
               10,
               "\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4 \xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\n");
}

/* No line is longer than the terminal if a break is possible, and no word is lost. */
static void test_fold_law(void **state) {
    (void)state;
    const char *text =
        "  label           conflict on 57.1 % of the 14 pairs that people tie, "
        "on 51.5 % of the 66 others; phi 0.043, p = 0.7742\n"
        "gpt35 wins 54 % (44 to 63, 80 questions); 52 % of pairs conflict; "
        "about 310 pairs would give +-5 points.\n";
    for (int columns = 30; columns <= 120; columns++) {
        eh_buf out, joined;
        eh_str line;
        buf_init(&out, BUF_MAX_SMALL);
        buf_init(&joined, BUF_MAX_SMALL);
        report_fold(eh_str_of(text), columns, &out);
        eh_str rest = buf_view(&out);
        while (eh_str_split(&rest, '\n', &line)) {
            assert_true((int)line.len < columns);
            for (size_t i = 0; i < line.len; i++)
                if (line.ptr[i] != ' ') buf_add_char(&joined, line.ptr[i]);
        }
        eh_str whole = buf_view(&joined);
        size_t at = 0;
        for (const char *c = text; *c; c++)
            if (*c != ' ' && *c != '\n') assert_int_equal(*c, whole.ptr[at++]);
        assert_int_equal(at, whole.len);
        buf_deinit(&out);
        buf_deinit(&joined);
    }
}

static void check_name(const char *name, int columns, const char *wanted) {
    eh_buf out;
    buf_init(&out, BUF_MAX_SMALL);
    report_name(&out, eh_str_of(name), columns);
    assert_text(buf_view(&out), wanted);
    buf_deinit(&out);
}

static void test_names(void **state) {
    (void)state;
    check_name("abc", 5, "abc  ");
    check_name("abcdef", 5, "abcdef\n     ");
    check_name("\xe4\xb8\xad\xe6\x96\x87", 4, "\xe4\xb8\xad\xe6\x96\x87  ");
    check_name("a\x1b[2Jb\n", 8, "a?[2Jb? ");
    check_name("a\xc2\x9b", 4, "a?  ");
    assert_int_equal(report_name_columns(20, 42, 80), 20);
    assert_int_equal(report_name_columns(60, 42, 80), 37);
    assert_int_equal(report_name_columns(3, 42, 80), 12);
    assert_int_equal(report_name_columns(20, 56, 60),
                     2); /* names on lines of their own */
}

static void test_numbers(void **state) {
    (void)state;
    char text[REPORT_PERCENT_MAX];
    eh_buf out;
    buf_init(&out, BUF_MAX_SMALL);
    assert_string_equal(report_percent(.4583, text), "45.8 %");
    assert_string_equal(report_percent(NAN, text), "-");
    report_p_value(&out, .02148);
    report_p_value(&out, .00001);
    report_column_percent(&out, 1);
    report_column_decimal(&out, -.2);
    report_column_percent(&out, NAN);
    report_column_count(&out, 48);
    assert_text(buf_view(&out), "p = .0215p < .0001  100.0 -0.200      -     48");
    buf_deinit(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fold),
        cmocka_unit_test(test_fold_law),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
