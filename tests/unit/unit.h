/* SPDX-License-Identifier: MIT
 *
 * What every unit test here starts from: cmocka with the headers that it wants before
 * it, and assertions on texts and statuses that say what they saw.
 */
#ifndef EH_TESTS_UNIT_H
#define EH_TESTS_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/status.h"
#include "base/str.h"

#define assert_text(actual, expected)                                                  \
    do {                                                                               \
        eh_str text_seen = (actual);                                                   \
        if (!eh_str_eq_cstr(text_seen, (expected)))                                    \
            fail_msg("\"%.*s\" is not \"%s\"", EH_STR_ARG(text_seen), (expected));     \
    } while (0)

#define assert_same(actual, expected)                                                  \
    do {                                                                               \
        eh_str same_seen = (actual), same_wanted = (expected);                         \
        if (!eh_str_eq(same_seen, same_wanted))                                        \
            fail_msg("\"%.*s\" is not \"%.*s\"", EH_STR_ARG(same_seen),                \
                     EH_STR_ARG(same_wanted));                                         \
    } while (0)

#define assert_absent(actual) assert_true(eh_str_is_absent(actual))

/* `text` holds `part`. */
#define assert_holds(text, part)                                                       \
    do {                                                                               \
        eh_str holds_seen = (text);                                                    \
        if (eh_str_find(holds_seen, eh_str_of(part), 0) == SIZE_MAX)                   \
            fail_msg("\"%.*s\" does not hold \"%s\"", EH_STR_ARG(holds_seen), (part)); \
    } while (0)

/* `expr` fills `err` and must succeed, or must fail with this status and a message that
 * holds `part`. */
#define assert_ok(expr, err)                                                           \
    do {                                                                               \
        if ((expr) != EH_STATUS_OK) fail_msg("%s", (err).msg);                         \
    } while (0)

#define assert_fails(expr, wanted, err, part)                                          \
    do {                                                                               \
        assert_int_equal((expr), (wanted));                                            \
        assert_int_equal((err).status, (wanted));                                      \
        assert_holds(eh_str_of((err).msg), (part));                                    \
    } while (0)

static inline size_t count_of(eh_str text, eh_str part) {
    size_t n = 0;
    for (size_t at = 0; (at = eh_str_find(text, part, at)) != SIZE_MAX; at += part.len)
        n++;
    return n;
}

#endif
