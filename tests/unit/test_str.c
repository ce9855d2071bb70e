/* SPDX-License-Identifier: MIT
 *
 * Borrowed strings, and the error record that texts are quoted into.
 */
#include <math.h>

#include "base/rng.h"
#include "base/terms.h"
#include "base/utf8.h"
#include "unit.h"

static void test_absent_is_not_empty(void **state) {
    (void)state;
    eh_str absent = eh_str_of(NULL), empty = eh_str_of("");
    assert_true(eh_str_is_absent(absent));
    assert_false(eh_str_is_absent(empty));
    assert_true(eh_str_eq(absent, empty)); /* equal as texts */
    assert_true(eh_str_is_blank(absent));
    assert_int_equal(eh_str_find(absent, EH_STR("x"), 0), SIZE_MAX);
    assert_int_equal(eh_str_find(absent, empty, 0), 0);
}

static void test_compare(void **state) {
    (void)state;
    assert_true(eh_str_eq(EH_STR("a\0b"), EH_STR("a\0b")));
    assert_false(eh_str_eq(EH_STR("a\0b"), EH_STR("a\0c")));
    assert_false(eh_str_eq_cstr(EH_STR("ab"), "a"));
    assert_true(eh_str_cmp(EH_STR("a"), EH_STR("ab")) < 0);
    assert_true(eh_str_cmp(EH_STR("b"), EH_STR("ab")) > 0);
    assert_true(eh_str_cmp(EH_STR("\xC3\xA9"), EH_STR("z")) > 0); /* bytes, unsigned */
    assert_int_equal(eh_str_cmp(EH_STR(""), eh_str_of(NULL)), 0);
    assert_true(eh_str_begins(EH_STR("abc"), EH_STR("")));
    assert_true(eh_str_begins(EH_STR("abc"), EH_STR("ab")));
    assert_false(eh_str_begins(EH_STR("a"), EH_STR("ab")));
    assert_true(eh_str_ends(EH_STR("abc"), EH_STR("bc")));
    assert_false(eh_str_ends(EH_STR("c"), EH_STR("bc")));
    assert_false(eh_str_ends(EH_STR("abd"), EH_STR("bc")));
}

static void test_find(void **state) {
    (void)state;
    eh_str s = EH_STR("abcabc\0abc");
    assert_int_equal(eh_str_find(s, EH_STR("abc"), 0), 0);
    assert_int_equal(eh_str_find(s, EH_STR("abc"), 1), 3);
    assert_int_equal(eh_str_find(s, EH_STR("abc"), 4), 7); /* behind the NUL */
    assert_int_equal(eh_str_find(s, EH_STR("abc"), 8), SIZE_MAX);
    assert_int_equal(eh_str_find(s, EH_STR("c"), s.len), SIZE_MAX);
    assert_int_equal(eh_str_find(s, EH_STR(""), s.len), s.len);
    assert_int_equal(eh_str_find(s, EH_STR(""), s.len + 1), SIZE_MAX);
}

static void test_trim(void **state) {
    (void)state;
    assert_text(eh_str_trim(EH_STR(" \t\r\n\v\f a b \n")), "a b");
    assert_int_equal(eh_str_trim(EH_STR(" \n ")).len, 0);
    assert_false(eh_str_is_absent(eh_str_trim(EH_STR("  "))));
    assert_text(eh_str_trim(EH_STR("\xC2\xA0x")), "\xC2\xA0x"); /* ASCII only */
    assert_true(eh_str_is_blank(EH_STR("\n\t ")));
    assert_false(eh_str_is_blank(EH_STR("\n.\t ")));
}

static void test_split(void **state) {
    (void)state;
    eh_str rest = EH_STR("a,,b,"), part;
    const char *const parts[] = {"a", "", "b", ""};
    for (size_t i = 0; i < 4; i++) {
        assert_true(eh_str_split(&rest, ',', &part));
        assert_text(part, parts[i]);
        assert_false(eh_str_is_absent(part));
    }
    assert_false(eh_str_split(&rest, ',', &part));
    rest = EH_STR("");
    assert_true(eh_str_split(&rest, ',', &part)); /* one empty part */
    assert_int_equal(part.len, 0);
    assert_false(eh_str_split(&rest, ',', &part));
}

static void test_whole_numbers(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int64_t value;
    } good[] = {{"0", 0},
                {"-0", 0},
                {"+7", 7},
                {"007", 7},
                {"9223372036854775807", INT64_MAX},
                {"-9223372036854775808", INT64_MIN}};
    static const char *const bad[] = {"",
                                      "-",
                                      "+",
                                      " 1",
                                      "1 ",
                                      "1.0",
                                      "0x10",
                                      "1e3",
                                      "9223372036854775808",
                                      "-9223372036854775809",
                                      "99999999999999999999",
                                      "--1",
                                      "\xD9\xA1"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        int64_t value = -5;
        assert_true(eh_str_to_i64(eh_str_of(good[i].text), &value));
        assert_int_equal(value, good[i].value);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        int64_t value = -5;
        if (eh_str_to_i64(eh_str_of(bad[i]), &value)) fail_msg("%s", bad[i]);
        assert_int_equal(value, -5);
    }
}

static void test_real_numbers(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double value;
    } good[] = {{"0", 0},
                {"-1.5", -1.5},
                {"+.5", .5},
                {"5.", 5},
                {"1e3", 1000},
                {"1E-3", .001},
                {"007", 7},
                {"1e-999", 0},
                {"4.9e-324", 4.9e-324},
                {"1.7976931348623157e308", 1.7976931348623157e308}};
    static const char *const bad[] = {"",     ".",     "-",      "e5",   "1e",    "1e+",
                                      " 1",   "1 ",    "inf",    "nan",  "0x1p3", "1,5",
                                      "1.2.", "1e999", "-1e999", "1_000"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        double value = NAN;
        if (!eh_str_to_f64(eh_str_of(good[i].text), &value))
            fail_msg("%s", good[i].text);
        assert_true(value == good[i].value);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        double value;
        if (eh_str_to_f64(eh_str_of(bad[i]), &value)) fail_msg("%s", bad[i]);
    }
    char digits[401];
    double value;
    memset(digits, '1', sizeof digits);
    assert_false(
        eh_str_to_f64((eh_str){digits, 400}, &value)); /* longer than is read */
    assert_false(eh_str_to_f64(EH_STR("1\0"), &value));
}

/* The nearest double, as the C library finds it: any digits, with and without a point.
 */
static void test_real_numbers_are_the_nearest(void **state) {
    (void)state;
    eh_rng random = rng_make(1, "test.decimal", 0);
    for (int i = 0; i < 200000; i++) {
        char text[40];
        int n = 1 + (int)rng_below(&random, 18), point = (int)rng_below(&random, 20);
        size_t len = 0;
        if (rng_below(&random, 2)) text[len++] = '-';
        for (int d = 0; d < n; d++) {
            if (d == point) text[len++] = '.';
            text[len++] = (char)('0' + rng_below(&random, 10));
        }
        text[len] = '\0';
        double value, wanted = strtod(text, NULL);
        assert_true(eh_str_to_f64((eh_str){text, len}, &value));
        if (memcmp(&value, &wanted, sizeof value) != 0)
            fail_msg("%s: %.17g is not %.17g", text, value, wanted);
    }
}

static void test_terms(void **state) {
    (void)state;
    for (int v = EH_VERDICT_1; v <= EH_VERDICT_TIE; v++) {
        eh_verdict verdict = (eh_verdict)v;
        assert_int_equal(eh_verdict_parse(eh_str_of(eh_verdict_name(verdict))), v);
        assert_int_equal(eh_verdict_mirror(eh_verdict_mirror(verdict)), v);
        assert_int_equal(eh_verdict_vote(eh_verdict_mirror(verdict)),
                         -eh_verdict_vote(verdict));
        assert_int_equal(eh_verdict_unswap(verdict, EH_ORDER_12), v);
        assert_int_equal(eh_verdict_unswap(verdict, EH_ORDER_21),
                         eh_verdict_mirror(verdict));
    }
    assert_null(eh_verdict_name(EH_VERDICT_NONE));
    assert_int_equal(eh_verdict_mirror(EH_VERDICT_NONE), EH_VERDICT_NONE);
    assert_int_equal(eh_verdict_parse(EH_STR("3")), EH_VERDICT_NONE);
    assert_string_equal(eh_order_name(EH_ORDER_12), "12");
    assert_string_equal(eh_order_name(EH_ORDER_21), "21");
}

/* ---- the error record ---- */

static void test_error_set(void **state) {
    (void)state;
    eh_error err;
    int line = __LINE__ + 1;
    eh_status status = EH_FAIL(&err, EH_STATUS_DATA, "row %d: %s", 3, "no id");
    assert_int_equal(status, EH_STATUS_DATA);
    assert_int_equal(err.status, EH_STATUS_DATA);
    assert_string_equal(err.msg, "row 3: no id");
    assert_int_equal(err.line, line);
    assert_int_equal(err.pos, -1);
    assert_holds(eh_str_of(err.file), "test_str.c");
    assert_int_equal(EH_FAIL(NULL, EH_STATUS_IO, "nobody hears"), EH_STATUS_IO);
}

static void test_error_is_one_line(void **state) {
    (void)state;
    eh_error err;
    (void)EH_FAIL(&err, EH_STATUS_DATA, "a\nb\x1B[2Jc\x7F%s", "\t");
    assert_string_equal(err.msg, "a b [2Jc  ");
}

/* Cut at every place: always whole characters and always shorter than the field. */
static void test_error_is_cut_at_a_character(void **state) {
    (void)state;
    static const char *const chars[] = {"x", "\xC3\xA9", "\xE2\x82\xAC",
                                        "\xF0\x9F\x98\x80"};
    for (size_t c = 0; c < 4; c++) {
        for (int shift = 0; shift < 5; shift++) {
            char text[600] = "";
            for (int i = 0; i < shift; i++)
                strncat(text, ".", 2);
            while (strlen(text) < 500)
                strncat(text, chars[c], 5);
            eh_error err;
            (void)EH_FAIL(&err, EH_STATUS_DATA, "%s", text);
            size_t len = strlen(err.msg);
            assert_in_range(len, sizeof err.msg - 4, sizeof err.msg - 1);
            assert_int_equal(utf8_first_invalid(eh_str_of(err.msg)), SIZE_MAX);
            assert_memory_equal(err.msg, text, len);
        }
    }
}

static void test_error_prefix(void **state) {
    (void)state;
    eh_error err;
    (void)EH_FAIL(&err, EH_STATUS_DATA, "no id");
    eh_error_prefix(&err, "line %d", 7);
    eh_error_prefix(&err, "file");
    assert_string_equal(err.msg, "file: line 7: no id");
    eh_error_prefix(NULL, "nobody");
    char longer[400];
    memset(longer, 'y', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    eh_error_prefix(&err, "%s", longer); /* the context alone fills the field */
    assert_int_equal(strlen(err.msg), sizeof err.msg - 1);
    assert_int_equal(err.status, EH_STATUS_DATA);
    (void)EH_FAIL(&err, EH_STATUS_DATA, "%s\xE2\x82\xAC", longer + 146);
    eh_error_prefix(&err, "z"); /* pushes the last character over the end */
    assert_int_equal(utf8_first_invalid(eh_str_of(err.msg)), SIZE_MAX);
}

static void test_statuses(void **state) {
    (void)state;
    assert_int_equal(eh_status_exit(EH_STATUS_OK), 0);
    assert_int_equal(eh_status_exit(EH_STATUS_FAILED_PAIRS), 1);
    assert_int_equal(eh_status_exit(EH_STATUS_USAGE), 2);
    assert_int_equal(eh_status_exit(EH_STATUS_DATA), 2);
    assert_int_equal(eh_status_exit(EH_STATUS_ENDPOINT), 3);
    assert_int_equal(eh_status_exit(EH_STATUS_GATE), 4);
    assert_int_equal(eh_status_exit(EH_STATUS_LIMIT), 5);
    assert_int_equal(eh_status_exit(EH_STATUS_LEDGER), 6);
    assert_int_equal(eh_status_exit(EH_STATUS_INTERRUPTED), 130);
    for (int s = 0; s < EH_STATUS_N; s++)
        assert_true(strlen(eh_status_text((eh_status)s)) > 0);
    assert_string_equal(eh_status_text((eh_status)99), "unknown status");
    assert_int_equal(eh_status_exit((eh_status)-1), 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_absent_is_not_empty),
        cmocka_unit_test(test_compare),
        cmocka_unit_test(test_find),
        cmocka_unit_test(test_trim),
        cmocka_unit_test(test_split),
        cmocka_unit_test(test_whole_numbers),
        cmocka_unit_test(test_real_numbers),
        cmocka_unit_test(test_real_numbers_are_the_nearest),
        cmocka_unit_test(test_terms),
        cmocka_unit_test(test_error_set),
        cmocka_unit_test(test_error_is_one_line),
        cmocka_unit_test(test_error_is_cut_at_a_character),
        cmocka_unit_test(test_error_prefix),
        cmocka_unit_test(test_statuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
