/* SPDX-License-Identifier: MIT
 *
 * What the tests of alter share: an arena for each test, a text, a foreign one, and a
 * reply to a prompt.
 */
#ifndef EH_TESTS_ALTER_MAKE_H
#define EH_TESTS_ALTER_MAKE_H

#include "alter/read.h"
#include "base/buf.h"
#include "unit.h"

static const char kite[] =
    "A kite flies because the wind pushes against its sail, which is tilted. The air "
    "below "
    "moves slower than the air above, so the kite is lifted. The string keeps it from "
    "drifting away, and the tail keeps it steady.\n\nIn 1752 Benjamin Franklin is said "
    "to "
    "have flown one in a storm to show that lightning is electric.";

static const char french[] =
    "Un cerf-volant vole parce que le vent pousse contre la voile qui est dans une "
    "position oblique, et il est tenu par une ficelle que les enfants ont avec eux.";

static eh_arena arena;

static int set_up(void **state) {
    (void)state;
    arena_init(&arena, 256 << 20);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    arena_deinit(&arena);
    return 0;
}

/* The original with the first `from` replaced by `to`. */
static inline const char *with(const char *original, const char *from, const char *to) {
    const char *at = strstr(original, from);
    assert_non_null(at);
    char *text = arena_printf(&arena, "%.*s%s%s", (int)(at - original), original, to,
                              at + strlen(from));
    assert_non_null(text);
    return text;
}

static inline audit_reject take_beside(const alter_asked *asked,
                                       const alter_context *context, const char *format,
                                       alter_found *found) {
    alter_prompt prompt;
    eh_error err;
    assert_ok(alter_prompt_make(asked, &arena, &prompt, &err), err);
    eh_buf text; /* @ stands for the tag */
    buf_init(&text, BUF_MAX_SMALL);
    for (const char *c = format; *c; c++)
        if (*c == '@')
            buf_add_str(&text, prompt.tag);
        else
            buf_add_char(&text, *c);
    eh_str content;
    assert_true(arena_copy(&arena, buf_view(&text), &content));
    buf_deinit(&text);
    assert_ok(alter_take(asked, prompt.tag, context, content, &arena, found, &err),
              err);
    return found->reject;
}

static inline audit_reject take(const alter_asked *asked, const char *format,
                                alter_found *found) {
    const alter_context none = {0};
    return take_beside(asked, &none, format, found);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

#endif
