/* SPDX-License-Identifier: MIT
 *
 * UTF-8: every code point there and back, every kind of invalid sequence with its
 * place, and cutting at every length.
 */
#include "base/rng.h"
#include "base/utf8.h"
#include "unit.h"

static bool is_scalar(uint32_t cp) {
    return cp <= 0x10FFFF && (cp < 0xD800 || cp > 0xDFFF);
}

static void test_all_code_points(void **state) {
    (void)state;
    eh_buf b;
    size_t n = 0, at = 0;
    buf_init(&b, 16 << 20);
    for (uint32_t cp = 0; cp <= 0x10FFFF; cp++)
        if (is_scalar(cp)) {
            utf8_add(&b, cp);
            n++;
        }
    eh_str all = buf_view(&b);
    assert_int_equal(utf8_first_invalid(all), SIZE_MAX);
    assert_int_equal(utf8_count_cp(all), n);
    for (uint32_t cp = 0; cp <= 0x10FFFF; cp++)
        if (is_scalar(cp) && utf8_next(all, &at) != cp) fail_msg("U+%04X", cp);
    assert_int_equal(at, all.len);
    buf_deinit(&b);
}

static void test_invalid_has_a_place(void **state) {
    (void)state;
    static const struct {
        const char *bytes;
        size_t at;
    } cases[] = {
        {"ab\x80", 2},           /* a continuation alone */
        {"\xC3", 0},             /* cut */
        {"a\xC3(", 1},           /* no continuation */
        {"\xC0\xAF", 0},         /* overlong: two bytes */
        {"\xC1\xBF", 0},         /**/
        {"\xE0\x9F\xBF", 0},     /* overlong: three bytes */
        {"\xF0\x8F\xBF\xBF", 0}, /* overlong: four bytes */
        {"\xED\xA0\x80", 0},     /* surrogates */
        {"\xED\xBF\xBF", 0},     /**/
        {"\xF4\x90\x80\x80", 0}, /* above U+10FFFF */
        {"\xF5\x80\x80\x80", 0}, /**/
        {"\xFE", 0},             /**/
        {"ok\xE2\x82", 2},       /* cut in the middle */
        {"\xE2\x82\xAC\xE2\x82", 3},
        {"\xF0\x9F\x98", 0},
        {"\xF0\x9F\x98\x80\xFF", 4},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(utf8_first_invalid(eh_str_of(cases[i].bytes)), cases[i].at);
    static const char *const valid[] = {"",
                                        "\xC2\x80",
                                        "\xE0\xA0\x80",
                                        "\xED\x9F\xBF",
                                        "\xEE\x80\x80",
                                        "\xEF\xBF\xBF",
                                        "\xF0\x90\x80\x80",
                                        "\xF4\x8F\xBF\xBF"};
    for (size_t i = 0; i < sizeof valid / sizeof valid[0]; i++)
        assert_int_equal(utf8_first_invalid(eh_str_of(valid[i])), SIZE_MAX);
    assert_int_equal(utf8_first_invalid(EH_STR("a\0b")), SIZE_MAX);
}

/* Random bytes: what stands before the reported place is valid, and what stands there
 * begins no valid sequence, also when it stands alone. */
static void test_invalid_is_the_first(void **state) {
    (void)state;
    eh_rng r = rng_make(11, "test.utf8", 0);
    for (int round = 0; round < 20000; round++) {
        char bytes[12];
        size_t len = (size_t)rng_below(&r, sizeof bytes + 1);
        for (size_t i = 0; i < len; i++)
            bytes[i] = (char)(rng_below(&r, 2) ? 0x80 + rng_below(&r, 128)
                                               : rng_below(&r, 256));
        eh_str s = {bytes, len};
        size_t bad = utf8_first_invalid(s);
        if (bad == SIZE_MAX) {
            size_t n = 0;
            for (size_t at = 0; at < len; n++)
                assert_true(is_scalar(utf8_next(s, &at)));
            assert_int_equal(n, utf8_count_cp(s));
            continue;
        }
        assert_true(bad < len);
        assert_int_equal(utf8_first_invalid(eh_str_slice(s, 0, bad)), SIZE_MAX);
        assert_int_equal(utf8_first_invalid(eh_str_slice(s, bad, len)), 0);
    }
}

static void test_cut(void **state) {
    (void)state;
    eh_str s = EH_STR("a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80z");
    static const size_t wanted[] = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 11, 11};
    for (size_t max = 0; max < sizeof wanted / sizeof wanted[0]; max++) {
        eh_str cut = utf8_cut(s, max);
        assert_int_equal(cut.len, wanted[max]);
        assert_ptr_equal(cut.ptr, s.ptr);
        assert_int_equal(utf8_first_invalid(cut), SIZE_MAX);
    }
    assert_int_equal(utf8_cut(eh_str_of(NULL), 5).len, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_code_points),
        cmocka_unit_test(test_invalid_has_a_place),
        cmocka_unit_test(test_invalid_is_the_first),
        cmocka_unit_test(test_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
