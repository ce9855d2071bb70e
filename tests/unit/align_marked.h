/* SPDX-License-Identifier: MIT
 *
 * Texts for the tests of align with the expected units marked in them: each "¦" is a
 * place where a unit begins, and no part of the text.
 */
#ifndef EH_TESTS_ALIGN_MARKED_H
#define EH_TESTS_ALIGN_MARKED_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "align/align.h"
#include "base/buf.h"

#define MARK "¦"

/* Units tile their text: from its first byte to its last, none of them empty. */
static inline void assert_tiled(const align_units *units) {
    size_t at = 0;
    for (size_t u = 0; u < units->n; u++) {
        assert_int_equal(units->unit[u].begin_byte, at);
        assert_true(units->unit[u].end_byte > at);
        at = units->unit[u].end_byte;
    }
    assert_int_equal(at, units->text.len);
}

/* Cuts `marked` without its marks and compares the units with them. */
static inline void assert_units(const char *marked, const align_options *options) {
    eh_arena arena;
    eh_buf text, got;
    arena_init(&arena, (size_t)64 << 20);
    buf_init(&text, BUF_MAX_SMALL);
    buf_init(&got, BUF_MAX_SMALL);
    eh_str rest = eh_str_of(marked), mark = EH_STR(MARK);
    for (size_t at; (at = eh_str_find(rest, mark, 0)) != SIZE_MAX;) {
        buf_add_str(&text, eh_str_slice(rest, 0, at));
        rest = eh_str_slice(rest, at + mark.len, rest.len);
    }
    buf_add_str(&text, rest);
    align_units units;
    eh_error err = {0};
    eh_status status = align_units_of(buf_view(&text), options, &arena, &units, &err);
    if (status != EH_STATUS_OK) fail_msg("%s: %s", marked, err.msg);
    assert_tiled(&units);
    for (size_t u = 0; u < units.n; u++) {
        if (u > 0) buf_add_str(&got, mark);
        buf_add_str(&got, eh_str_slice(units.text, units.unit[u].begin_byte,
                                       units.unit[u].end_byte));
    }
    assert_string_equal(got.ptr ? got.ptr : "", marked);
    buf_deinit(&text);
    buf_deinit(&got);
    arena_deinit(&arena);
}

static inline void assert_all_units(const char *const *marked, size_t n,
                                    const align_options *options) {
    for (size_t i = 0; i < n; i++)
        assert_units(marked[i], options);
}

#define ASSERT_UNITS(options, ...)                                                     \
    do {                                                                               \
        const char *const marked_texts[] = {__VA_ARGS__};                              \
        assert_all_units(marked_texts, sizeof marked_texts / sizeof *marked_texts,     \
                         options);                                                     \
    } while (0)

#endif
