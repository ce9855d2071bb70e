/* SPDX-License-Identifier: MIT
 *
 * Names from outside, numbers of rows, p values.
 */
#include "report/write.h"

#include <math.h>

#include "unit.h"

static void check_name(const char *name, const char *wanted) {
    eh_buf out;
    buf_init(&out, BUF_MAX_SMALL);
    report_name(&out, eh_str_of(name));
    assert_text(buf_view(&out), wanted);
    buf_deinit(&out);
}

static void test_names(void **state) {
    (void)state;
    check_name("abc", "abc");
    check_name("\xe4\xb8\xad\xe6\x96\x87", "\xe4\xb8\xad\xe6\x96\x87");
    check_name("a\x1b[2Jb\n", "a?[2Jb?");
    check_name("a\xc2\x9b", "a?");
    check_name("a" LAYOUT_CELL "b" LAYOUT_HANG,
               "a?b?"); /* no mark comes from outside */
}

static void test_numbers(void **state) {
    (void)state;
    char text[REPORT_PERCENT_MAX];
    eh_buf out;
    buf_init(&out, BUF_MAX_SMALL);
    assert_string_equal(report_percent(.4583, text), "45.8 %");
    assert_string_equal(report_percent(NAN, text), "-");
    report_p_value(&out, .02148);
    buf_add_cstr(&out, ", ");
    report_p_value(&out, .00001);
    report_p_named(&out, ", q", .99999);
    report_cell_p(&out, .02148);
    report_cell_p(&out, .00001);
    report_cell_percent(&out, 1);
    report_cell_decimal(&out, -.2);
    report_cell_percent(&out, NAN);
    report_cell_decimal(&out, NAN);
    report_cell_count(&out, 48);
    assert_text(buf_view(&out),
                "p = .0215, p < .0001, q = 1" LAYOUT_CELL ".0215" LAYOUT_CELL
                "< .0001" LAYOUT_CELL "100.0" LAYOUT_CELL "-0.200" LAYOUT_CELL
                "-" LAYOUT_CELL "-" LAYOUT_CELL "48");
    buf_deinit(&out);
}

static void test_head(void **state) {
    (void)state;
    static const char *const heads[] = {"one", "two"};
    eh_buf out;
    buf_init(&out, BUF_MAX_SMALL);
    report_head(&out, "names", heads, 2);
    report_head(&out, "", NULL, 0);
    assert_text(buf_view(&out), LAYOUT_HEAD "names" LAYOUT_CELL "one" LAYOUT_CELL
                                            "two\n" LAYOUT_HEAD "\n");
    buf_deinit(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_head),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
