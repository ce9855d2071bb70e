/* SPDX-License-Identifier: MIT
 *
 * Buffers, arenas and the heap behind them: growth, maxima, sticky failure, alignment,
 * reuse. What happens when memory is out: test_mem.c.
 */
#include "base/arena.h"
#include "base/buf.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/simd.h"
#include "unit.h"

static void test_buf_grows(void **state) {
    (void)state;
    eh_buf b;
    buf_init(&b, BUF_MAX_SMALL);
    assert_text(buf_view(&b), "");
    assert_false(eh_str_is_absent(buf_view(&b)));
    buf_add_cstr(&b, "ab");
    buf_add(&b, "\0c", 2);
    buf_add_char(&b, '!');
    buf_add_str(&b, (eh_str){NULL, 0});
    assert_same(buf_view(&b), EH_STR("ab\0c!"));
    for (int i = 0; i < 10000; i++)
        buf_printf(&b, "%d,", i);
    assert_int_equal(b.len, 5 + 10 * 2 + 90 * 3 + 900 * 4 + 9000 * 5);
    assert_int_equal(b.ptr[b.len], '\0');
    assert_holds(buf_view(&b), ",9998,9999,");
    assert_int_equal(buf_check(&b, "it", NULL), EH_STATUS_OK);
    buf_deinit(&b);
    assert_null(b.ptr);
    assert_int_equal(b.max_bytes, BUF_MAX_SMALL);
}

static void test_buf_maximum_is_sticky(void **state) {
    (void)state;
    eh_buf b;
    eh_error err;
    buf_init(&b, 10);
    buf_add_cstr(&b, "0123456789"); /* just fits */
    assert_int_equal(buf_check(&b, "it", &err), EH_STATUS_OK);
    buf_add_char(&b, 'x');
    assert_true(b.failed && b.too_big);
    buf_add(&b, "", 0);
    buf_printf(&b, "%s", "");
    assert_text(buf_view(&b), "0123456789");
    assert_fails(buf_check(&b, "a reply", &err), EH_STATUS_TOO_BIG, err,
                 "a reply is larger than 10 bytes");
    buf_reset(&b);
    assert_int_equal(b.len, 0);
    buf_add_cstr(&b, "again");
    assert_int_equal(buf_check(&b, "it", &err), EH_STATUS_OK);
    assert_text(buf_view(&b), "again");
    buf_deinit(&b);
    buf_init(&b, 4);
    buf_printf(&b, "%d", 12345);
    assert_true(b.too_big);
    assert_text(buf_view(&b), "");
    buf_deinit(&b);
}

static void test_buf_reserve_keeps_the_place(void **state) {
    (void)state;
    eh_buf b;
    buf_init(&b, 1 << 20);
    assert_true(buf_reserve(&b, 5000));
    const char *before = b.ptr;
    for (int i = 0; i < 5000; i++)
        buf_add_char(&b, 'a');
    assert_ptr_equal(b.ptr, before);
    assert_false(buf_reserve(&b, SIZE_MAX));
    assert_true(b.too_big);
    buf_deinit(&b);
}

static void test_arena_alignment_and_contents(void **state) {
    (void)state;
    eh_arena a;
    arena_init(&a, 64 << 20);
    unsigned char *blocks[2000];
    for (size_t i = 0; i < 2000; i++) {
        blocks[i] = arena_alloc(&a, i % 700 + 1);
        assert_non_null(blocks[i]);
        assert_int_equal((uintptr_t)blocks[i] % 16, 0);
        memset(blocks[i], (int)(i & 0xFF), i % 700 + 1);
    }
    for (size_t i = 0; i < 2000; i++)
        for (size_t k = 0; k <= i % 700; k++)
            assert_int_equal(blocks[i][k], i & 0xFF);
    const unsigned char *zero = arena_zalloc(&a, 300, 3);
    for (size_t k = 0; k < 900; k++)
        assert_int_equal(zero[k], 0);
    assert_non_null(arena_alloc(&a, 0));
    arena_deinit(&a);
}

static void test_arena_maximum(void **state) {
    (void)state;
    eh_arena a;
    arena_init(&a, 1024);
    assert_null(arena_alloc(&a, 1025));
    assert_null(arena_alloc(&a, SIZE_MAX));
    assert_null(arena_alloc(&a, SIZE_MAX - 7)); /* rounding up must not wrap */
    assert_null(arena_zalloc(&a, SIZE_MAX / 2, 4));
    assert_null(arena_dup(&a, (eh_str){"", SIZE_MAX}));
    assert_non_null(arena_alloc(&a, 1000)); /* 1008 */
    assert_null(arena_alloc(&a, 17));
    assert_non_null(arena_alloc(&a, 16));
    assert_null(arena_alloc(&a, 1));
    assert_null(arena_printf(&a, "%s", "x"));
    arena_reset(&a);
    assert_non_null(arena_alloc(&a, 1024));
    arena_deinit(&a);
    arena_deinit(&a); /* twice is allowed */
}

/* After a reset the same work needs no heap, and only the largest block stays. */
static void test_arena_reset_reuses(void **state) {
    (void)state;
    int64_t before = mem_live();
    eh_arena a;
    arena_init(&a, 64 << 20);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 100; i++)
            assert_non_null(arena_alloc(&a, 10000));
        arena_reset(&a);
        assert_int_equal(mem_live(), before + 1);
    }
    assert_non_null(arena_alloc(&a, 600000));
    assert_int_equal(mem_live(), before + 1);
    arena_deinit(&a);
    assert_int_equal(mem_live(), before);
}

static void test_arena_strings(void **state) {
    (void)state;
    eh_arena a;
    eh_str copy = EH_STR("old");
    arena_init(&a, 4096);
    assert_string_equal(arena_dup(&a, EH_STR("abc")), "abc");
    assert_string_equal(arena_dup(&a, eh_str_of(NULL)), "");
    assert_true(arena_copy(&a, EH_STR("a\0b"), &copy));
    assert_same(copy, EH_STR("a\0b"));
    assert_true(arena_copy(&a, EH_STR(""), &copy));
    assert_false(eh_str_is_absent(copy));
    size_t used = a.used_bytes;
    assert_true(arena_copy(&a, eh_str_of(NULL), &copy));
    assert_absent(copy);
    assert_int_equal(a.used_bytes, used);
    assert_string_equal(arena_printf(&a, "%s=%d", "k", 3), "k=3");
    char longer[5000];
    memset(longer, 'x', sizeof longer);
    assert_false(arena_copy(&a, (eh_str){longer, sizeof longer}, &copy));
    arena_deinit(&a);
}

static void test_mem_sizes(void **state) {
    (void)state;
    int64_t before = mem_live();
    assert_null(mem_alloc(SIZE_MAX, 2));
    assert_null(mem_alloc(SIZE_MAX / 2 + 1, 1));
    assert_null(mem_zalloc(SIZE_MAX / 4, 8));
    char *p = mem_alloc(0, 8);
    assert_non_null(p);
    assert_null(mem_realloc(p, SIZE_MAX, 16));
    assert_int_equal(mem_live(), before + 1); /* the old block stays */
    p = mem_realloc(p, 100, 1);
    assert_non_null(p);
    p = mem_realloc(p, 0, 1);
    assert_non_null(p);
    mem_free(p);
    mem_free(NULL);
    assert_int_equal(mem_live(), before);
}

static void test_mem_planted_fault(void **state) {
    (void)state;
    void *kept[4] = {0};
    mem_fail_at(3, false);
    for (int i = 0; i < 4; i++)
        kept[i] = mem_alloc(1, 1);
    assert_non_null(kept[0]);
    assert_non_null(kept[1]);
    assert_null(kept[2]);
    assert_non_null(kept[3]);
    mem_fail_at(2, true);
    assert_non_null(kept[0] = mem_realloc(kept[0], 50, 1));
    assert_null(mem_realloc(kept[1], 50, 1));
    assert_null(mem_zalloc(1, 1));
    mem_fail_at(0, false);
    for (int i = 0; i < 4; i++)
        mem_free(kept[i]);
}

/* ---- log, instruction set ---- */

typedef struct seen_lines {
    int n;
    eh_log_level level;
    char line[2048];
} seen_lines;

static void keep_line(void *self, eh_log_level level, const char *line) {
    seen_lines *seen = self;
    seen->n++;
    seen->level = level;
    (void)snprintf(seen->line, sizeof seen->line, "%s", line);
}

static void test_log_sink(void **state) {
    (void)state;
    seen_lines seen = {0};
    log_line(EH_LOG_WARNING, "dropped");
    log_set_sink(keep_line, &seen);
    log_line(EH_LOG_INFO, "%d of %s", 3, "many");
    assert_int_equal(seen.n, 1);
    assert_int_equal(seen.level, EH_LOG_INFO);
    assert_string_equal(seen.line, "3 of many");
    log_set_sink(NULL, NULL);
    log_line(EH_LOG_WARNING, "dropped");
    assert_int_equal(seen.n, 1);
}

static void test_simd_names(void **state) {
    (void)state;
    assert_true(simd_is_there(SIMD_SCALAR));
    assert_true(simd_is_there(simd_chosen()));
    assert_string_equal(simd_name(SIMD_SCALAR), "scalar");
    assert_string_equal(simd_name(SIMD_AVX2), "avx2");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_buf_grows),
        cmocka_unit_test(test_buf_maximum_is_sticky),
        cmocka_unit_test(test_buf_reserve_keeps_the_place),
        cmocka_unit_test(test_arena_alignment_and_contents),
        cmocka_unit_test(test_arena_maximum),
        cmocka_unit_test(test_arena_reset_reuses),
        cmocka_unit_test(test_arena_strings),
        cmocka_unit_test(test_mem_sizes),
        cmocka_unit_test(test_mem_planted_fault),
        cmocka_unit_test(test_log_sink),
        cmocka_unit_test(test_simd_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
