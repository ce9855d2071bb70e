/* SPDX-License-Identifier: MIT
 *
 * What is kept out of a page.
 */
#include "page/redact.h"
#include "unit.h"

#define ARENA_BYTES ((size_t)1 << 20)

static eh_str redacted(const char *pattern, const char *text, bool json,
                       eh_arena *arena, int64_t *n) {
    page_redact *r = NULL;
    eh_error err;
    eh_str out = eh_str_of(text);
    assert_int_equal(page_redact_new(eh_str_of(pattern), &r, &err), EH_STATUS_OK);
    assert_int_equal(json ? page_redact_json(r, &out, arena, &err)
                          : page_redact_text(r, &out, arena, &err),
                     EH_STATUS_OK);
    *n = page_redact_count(r);
    page_redact_free(r);
    return out;
}

static void test_texts(void **state) {
    (void)state;
    static const struct {
        const char *pattern, *text, *want;
        int n;
    } rows[] = {
        {"555", "call 555, or 555", "call [redacted], or [redacted]", 2},
        {"[0-9]{3} [0-9]{4}", "call 555 0199 now", "call [redacted] now", 1},
        {"(?i)acme|\\bnoether\\b", "ACME and noether, not noethers",
         "[redacted] and [redacted], not noethers", 2},
        {"\xc3\xbc.", "M\xc3\xbcnchen \xf0\x9f\x99\x82",
         "M[redacted]chen \xf0\x9f\x99\x82", 1},
        {"x*", "axxb", "a[redacted]b", 1}, /* and none of the empty ones */
        {"(?<=id )\\w+", "id k9 ok", "id [redacted] ok", 1},
        {"z", "nothing here", "nothing here", 0},
    };
    eh_arena arena;
    arena_init(&arena, ARENA_BYTES);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int64_t n;
        eh_str got = redacted(rows[i].pattern, rows[i].text, false, &arena, &n);
        if (!eh_str_eq(got, eh_str_of(rows[i].want)) || n != rows[i].n)
            fail_msg("%s: '%.*s', %d", rows[i].pattern, EH_STR_ARG(got), (int)n);
    }
    arena_deinit(&arena);
}

/* Strings are searched as they read, keys and numbers stay, and it is still JSON. */
static void test_json(void **state) {
    (void)state;
    eh_arena arena;
    int64_t n;
    arena_init(&arena, ARENA_BYTES);
    eh_str got =
        redacted("a.b|user|\"", "[{\"role\":\"user\",\"n\":1},\"a\\nb a\\\"b\"]", true,
                 &arena, &n);
    /* . is no line end */
    assert_true(eh_str_eq_cstr(
        got, "[{\"role\": \"[redacted]\", \"n\": 1}, \"a\\nb [redacted]\"]"));
    assert_int_equal(n, 2);
    arena_deinit(&arena);
}

static void refused(const char *pattern, const char *words) {
    page_redact *r = NULL;
    eh_error err;
    assert_int_equal(page_redact_new(eh_str_of(pattern), &r, &err), EH_STATUS_USAGE);
    if (!strstr(err.msg, words)) fail_msg("%s: %s", pattern, err.msg);
    page_redact_free(r);
}

static void test_no_expressions(void **state) {
    (void)state;
    refused("", "the expression is empty and would match nothing");
    refused("a(b", "mismatched paren at character");
    refused("[a", "missing close bracket");
    refused("*", "rule syntax at character");
}

/* Backtracking without end is stopped, and nothing is let through. */
static void test_time_limit(void **state) {
    (void)state;
    page_redact *r = NULL;
    eh_error err;
    eh_arena arena;
    eh_str text = EH_STR("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab");
    arena_init(&arena, ARENA_BYTES);
    assert_int_equal(page_redact_new(EH_STR("(a|a)+$"), &r, &err), EH_STATUS_OK);
    assert_int_equal(page_redact_text(r, &text, &arena, &err), EH_STATUS_USAGE);
    assert_non_null(strstr(err.msg, "time out"));
    page_redact_free(r);
    arena_deinit(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_no_expressions),
        cmocka_unit_test(test_time_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
