/* SPDX-License-Identifier: MIT
 *
 * The JSON writer: numbers that read back to the same bits and are as short as they can
 * be, escapes, commas and indentation.
 */
#include <float.h>
#include <math.h>

#include "base/json_write.h"
#include "base/rng.h"
#include "base/utf8.h"
#include "unit.h"

static double from_bits(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint64_t bits_of(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static size_t significant_digits(const char *text) {
    size_t n = 0, zeros = 0;
    bool begun = false;
    for (; *text && *text != 'e'; text++) {
        if (*text < '0' || *text > '9') continue;
        if (*text != '0') begun = true;
        if (!begun) continue;
        n++;
        zeros = *text == '0' ? zeros + 1 : 0;
    }
    return n - zeros;
}

/* Reads back to the same bits, and no text with fewer digits does, as far as printf's
 * rounding finds one. */
static void check_number(double value) {
    char text[32], shorter[40];
    json_f64_text(value, text);
    double back = strtod(text, NULL);
    if (value == 0)
        assert_string_equal(text, "0"); /* also for -0 */
    else if (bits_of(back) != bits_of(value))
        fail_msg("%s of %a", text, value);
    int n_digits = (int)significant_digits(text);
    assert_in_range(n_digits, 0, 17);
    if (n_digits < 2) return;
    (void)snprintf(shorter, sizeof shorter, "%.*e", n_digits - 2, value);
    if (strtod(shorter, NULL) == value) fail_msg("%s, but %s will do", text, shorter);
}

static void test_random_bits(void **state) {
    (void)state;
    eh_rng r = rng_make(1, "test.f64.bits", 0);
    for (int i = 0; i < 100000; i++) {
        double value = from_bits(rng_u64(&r));
        if (isfinite(value)) check_number(value);
    }
}

static void test_shares_and_decimals(void **state) {
    (void)state;
    eh_rng r = rng_make(2, "test.f64.shares", 0);
    for (int i = 0; i < 100000; i++) {
        double n = (double)(1 + rng_below(&r, 5000));
        check_number((double)rng_below(&r, 5000) / n);
        check_number(rng_uniform(&r));
        char text[32], wanted[32]; /* a short decimal is written as it was read */
        (void)snprintf(wanted, sizeof wanted, "%llu.%llu5",
                       (unsigned long long)rng_below(&r, 100000),
                       (unsigned long long)rng_below(&r, 100000));
        json_f64_text(strtod(wanted, NULL), text);
        assert_string_equal(text, wanted);
    }
}

static void test_powers_and_edges(void **state) {
    (void)state;
    for (int exponent = -1074; exponent < 1024; exponent++) {
        double power = ldexp(1, exponent);
        check_number(power);
        check_number(-power);
        check_number(nextafter(power, INFINITY));
        check_number(nextafter(power, 0));
    }
    for (int exponent = -323; exponent <= 308; exponent++) {
        char text[32];
        (void)snprintf(text, sizeof text, "1e%d", exponent);
        check_number(strtod(text, NULL));
    }
    check_number(DBL_MAX);
    check_number(-DBL_MAX);
    check_number(0.0);
    check_number(-0.0);
}

static void test_subnormals(void **state) {
    (void)state;
    eh_rng r = rng_make(3, "test.f64.subnormal", 0);
    for (uint64_t bits = 1; bits < 2000; bits++)
        check_number(from_bits(bits));
    for (int i = 0; i < 20000; i++)
        check_number(from_bits(rng_u64(&r) & 0xFFFFFFFFFFFFFu));
    check_number(from_bits(0xFFFFFFFFFFFFFu)); /* the largest */
    check_number(DBL_MIN);
}

static void test_number_texts(void **state) {
    (void)state;
    static const struct {
        double value;
        const char *text;
    } cases[] = {{0, "0"},
                 {-0.0, "0"},
                 {5, "5"},
                 {-5, "-5"},
                 {.1, "0.1"},
                 {.525, "0.525"},
                 {1e-7, "1e-07"},
                 {123456789, "123456789"},
                 {1e15, "1e+15"},
                 {1e22, "1e+22"},
                 {1 / 3.0, "0.3333333333333333"},
                 {4.9406564584124654e-324, "5e-324"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[32];
        json_f64_text(cases[i].value, text);
        assert_string_equal(text, cases[i].text);
    }
}

/* ---- texts ---- */

static void assert_quoted(eh_str s, const char *wanted) {
    eh_buf b;
    buf_init(&b, BUF_MAX_SMALL);
    json_quote(&b, s);
    assert_text(buf_view(&b), wanted);
    buf_deinit(&b);
}

static void test_escapes(void **state) {
    (void)state;
    assert_quoted(EH_STR(""), "\"\"");
    assert_quoted(EH_STR("a\"b\\c/d"), "\"a\\\"b\\\\c/d\"");
    assert_quoted(EH_STR("\b\f\n\r\t"), "\"\\b\\f\\n\\r\\t\"");
    assert_quoted(EH_STR("\0\x01\x1F\x7F"), "\"\\u0000\\u0001\\u001f\x7F\"");
    assert_quoted(EH_STR("x\xE2\x80\xA8y\xE2\x80\xA9"), "\"x\\u2028y\\u2029\"");
    /* their neighbours and other text stay as they are */
    assert_quoted(EH_STR("\xE2\x80\xA7\xE2\x80\xAA\xE2\x81\xA8"),
                  "\"\xE2\x80\xA7\xE2\x80\xAA\xE2\x81\xA8\"");
    assert_quoted(EH_STR("\xC3\xA9\xF0\x9F\x98\x80"), "\"\xC3\xA9\xF0\x9F\x98\x80\"");
}

static void test_invalid_bytes_are_replaced(void **state) {
    (void)state;
    assert_quoted(EH_STR("a\xFF"
                         "b"),
                  "\"a\xEF\xBF\xBD"
                  "b\"");
    assert_quoted(EH_STR("\xE2\x80"), "\"\xEF\xBF\xBD\xEF\xBF\xBD\"");
    assert_quoted(EH_STR("\xED\xA0\x80\n"),
                  "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\\n\"");
    eh_rng r = rng_make(4, "test.quote", 0);
    for (int round = 0; round < 5000; round++) {
        char bytes[20];
        size_t len = (size_t)rng_below(&r, sizeof bytes + 1);
        for (size_t i = 0; i < len; i++)
            bytes[i] = (char)rng_below(&r, 256);
        eh_buf b;
        buf_init(&b, BUF_MAX_SMALL);
        json_quote(&b, (eh_str){bytes, len});
        assert_int_equal(utf8_first_invalid(buf_view(&b)), SIZE_MAX);
        for (size_t i = 0; i < b.len; i++)
            assert_true((unsigned char)b.ptr[i] >= 0x20);
        buf_deinit(&b);
    }
}

/* ---- structure ---- */

static void write_sample(json_writer *w) {
    json_object_begin(w);
    json_key(w, "a");
    json_array_begin(w);
    json_i64(w, INT64_MIN);
    json_array_begin(w);
    json_array_end(w);
    json_object_begin(w);
    json_object_end(w);
    json_array_end(w);
    json_key_str(w, EH_STR("b\n"));
    json_cstr(w, NULL);
    json_put_bool(w, "c", true);
    json_key(w, "d");
    json_raw(w, EH_STR("{\"x\": 1}"));
    json_key(w, "e");
    json_object_begin(w);
    json_put_f64(w, "nan", NAN);
    json_put_f64(w, "inf", -INFINITY);
    json_put_f64(w, "half", .5);
    json_object_end(w);
    json_object_end(w);
}

static void test_one_line(void **state) {
    (void)state;
    eh_buf b;
    json_writer w;
    buf_init(&b, BUF_MAX_SMALL);
    json_writer_init(&w, &b, 0);
    write_sample(&w);
    assert_text(
        buf_view(&b),
        "{\"a\": [-9223372036854775808, [], {}], \"b\\n\": null, \"c\": true, "
        "\"d\": {\"x\": 1}, \"e\": {\"nan\": null, \"inf\": null, \"half\": 0.5}}");
    buf_deinit(&b);
}

static void test_indented(void **state) {
    (void)state;
    eh_buf b;
    json_writer w;
    buf_init(&b, BUF_MAX_SMALL);
    json_writer_init(&w, &b, 2);
    write_sample(&w);
    assert_text(buf_view(&b), "{\n"
                              "  \"a\": [\n"
                              "    -9223372036854775808,\n"
                              "    [],\n"
                              "    {}\n"
                              "  ],\n"
                              "  \"b\\n\": null,\n"
                              "  \"c\": true,\n"
                              "  \"d\": {\"x\": 1},\n"
                              "  \"e\": {\n"
                              "    \"nan\": null,\n"
                              "    \"inf\": null,\n"
                              "    \"half\": 0.5\n"
                              "  }\n"
                              "}");
    buf_deinit(&b);
}

static void test_scalar_documents(void **state) {
    (void)state;
    eh_buf b;
    json_writer w;
    buf_init(&b, BUF_MAX_SMALL);
    json_writer_init(&w, &b, 4);
    json_str(&w, EH_STR("x"));
    assert_text(buf_view(&b), "\"x\"");
    buf_deinit(&b);
}

static void test_failure_is_the_buffers(void **state) {
    (void)state;
    eh_buf b;
    json_writer w;
    eh_error err;
    buf_init(&b, 20);
    json_writer_init(&w, &b, 2);
    write_sample(&w);
    assert_fails(buf_check(&b, "a summary", &err), EH_STATUS_TOO_BIG, err, "a summary");
    buf_deinit(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_bits),
        cmocka_unit_test(test_shares_and_decimals),
        cmocka_unit_test(test_powers_and_edges),
        cmocka_unit_test(test_subnormals),
        cmocka_unit_test(test_number_texts),
        cmocka_unit_test(test_escapes),
        cmocka_unit_test(test_invalid_bytes_are_replaced),
        cmocka_unit_test(test_one_line),
        cmocka_unit_test(test_indented),
        cmocka_unit_test(test_scalar_documents),
        cmocka_unit_test(test_failure_is_the_buffers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
