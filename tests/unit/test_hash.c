/* SPDX-License-Identifier: MIT
 *
 * Hashes: known answers of BLAKE2b, the field layout that ledgers rely on, and that no
 * two different lists of fields feed the same bytes.
 */
#include "base/buf.h"
#include "base/hash.h"
#include "base/rng.h"
#include "unit.h"

static void hex_of(const uint8_t digest[HASH_BYTES], char hex[HASH_HEX_CHARS + 1]) {
    hash_hex(digest, HASH_BYTES, hex);
}

/* BLAKE2b with 32 bytes of output, no key: checked against Python's hashlib. */
static void test_blake2b_known_answers(void **state) {
    (void)state;
    static const struct {
        const char *text, *hex;
    } cases[] = {
        {"", "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8"},
        {"abc", "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        eh_hash h;
        uint8_t digest[HASH_BYTES];
        char hex[HASH_HEX_CHARS + 1];
        (void)crypto_generichash_init(&h.state, NULL, 0, HASH_BYTES);
        hash_raw(&h, cases[i].text, strlen(cases[i].text));
        hash_done(&h, digest);
        hex_of(digest, hex);
        assert_string_equal(hex, cases[i].hex);
    }
}

/* The layout of the header: what it says, byte by byte. */
static void test_field_layout(void **state) {
    (void)state;
    static const char bytes[] = "s\x04\0\0\0\0\0\0\0test"           /* the domain */
                                "s\x02\0\0\0\0\0\0\0hi"             /* a text */
                                "n\0\0\0\0\0\0\0\0"                 /* an absent one */
                                "i\xFE\xFF\xFF\xFF\xFF\xFF\xFF\xFF" /* -2 */
                                "raw";
    eh_hash plain, fields;
    uint8_t a[HASH_BYTES], b[HASH_BYTES];
    (void)crypto_generichash_init(&plain.state, NULL, 0, HASH_BYTES);
    hash_raw(&plain, bytes, sizeof bytes - 1);
    hash_done(&plain, a);
    hash_init(&fields, "test");
    hash_str(&fields, EH_STR("hi"));
    hash_str(&fields, eh_str_of(NULL));
    hash_i64(&fields, -2);
    hash_raw(&fields, "raw", 3);
    hash_done(&fields, b);
    assert_memory_equal(a, b, HASH_BYTES);
}

static uint64_t hash_list(const char *domain, const eh_str *texts, size_t n) {
    eh_hash h;
    uint8_t digest[HASH_BYTES];
    hash_init(&h, domain);
    for (size_t i = 0; i < n; i++)
        hash_str(&h, texts[i]);
    hash_done(&h, digest);
    return hash_u64(digest);
}

static int by_value(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* One text cut into fields in every way, with empty and absent fields put in: all lists
 * differ, so all hashes do. */
static void test_no_two_lists_are_alike(void **state) {
    (void)state;
    eh_str text = EH_STR("s\x01\0\0n\0i2");
    uint64_t seen[2000];
    size_t n = 0;
    for (size_t i = 0; i <= text.len; i++) {
        for (size_t j = i; j <= text.len; j++) {
            eh_str three[] = {eh_str_slice(text, 0, i), eh_str_slice(text, i, j),
                              eh_str_slice(text, j, text.len)};
            eh_str absent[] = {three[0], eh_str_of(NULL), three[1], three[2]};
            eh_str empty[] = {three[0], EH_STR(""), three[1], three[2], EH_STR("")};
            seen[n++] = hash_list("d", three, 3);
            seen[n++] = hash_list("e", three, 3);
            seen[n++] = hash_list("d", absent, 4);
            seen[n++] = hash_list("d", empty, 5);
        }
    }
    qsort(seen, n, sizeof seen[0], by_value);
    for (size_t i = 1; i < n; i++)
        assert_true(seen[i - 1] != seen[i]);
}

static void test_a_number_is_no_text(void **state) {
    (void)state;
    eh_hash a, b;
    uint8_t x[HASH_BYTES], y[HASH_BYTES];
    hash_init(&a, "d");
    hash_i64(&a, 7);
    hash_done(&a, x);
    hash_init(&b, "d");
    hash_str(&b, EH_STR("\7\0\0\0\0\0\0\0"));
    hash_done(&b, y);
    assert_memory_not_equal(x, y, HASH_BYTES);
}

static void test_hex_and_u64(void **state) {
    (void)state;
    const uint8_t bytes[8] = {0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF};
    char hex[17];
    hash_hex(bytes, 8, hex);
    assert_string_equal(hex, "0123456789abcdef");
    assert_int_equal(hash_u64(bytes), 0xEFCDAB8967452301u);
    hash_hex(bytes, 0, hex);
    assert_string_equal(hex, "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blake2b_known_answers),
        cmocka_unit_test(test_field_layout),
        cmocka_unit_test(test_no_two_lists_are_alike),
        cmocka_unit_test(test_a_number_is_no_text),
        cmocka_unit_test(test_hex_and_u64),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
