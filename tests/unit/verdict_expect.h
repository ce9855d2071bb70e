/* SPDX-License-Identifier: MIT
 *
 * For the tests of the verdict reader: a reply and what must be made of it, in one
 * line.
 */
#ifndef EH_TESTS_VERDICT_EXPECT_H
#define EH_TESTS_VERDICT_EXPECT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>

#include "verdict/verdict.h"

/* `want` is "1", "2", "tie", with scores "1 8 7.5", with a rating "2 @4", of one answer
 * "alone 7.5", or the name of a reason. */
typedef struct verdict_expect {
    const char *reply;
    const char *want;
} verdict_expect;

static inline void verdict_result_text(const verdict_result *r, char text[80]) {
    bool alone = r->verdict == EH_VERDICT_SCORED;
    const char *name = eh_verdict_name(r->verdict);
    if (!name) name = alone ? "alone" : verdict_reason_name(r->reason);
    int n = snprintf(text, 80, "%s", name);
    if (alone)
        (void)snprintf(text + n, 80 - (size_t)n, " %g", r->score_1);
    else if (r->has_scores)
        n += snprintf(text + n, 80 - (size_t)n, " %g %g", r->score_1, r->score_2);
    if (r->likert) (void)snprintf(text + n, 80 - (size_t)n, " @%d", r->likert);
}

static inline verdict_result verdict_read_reply(verdict_form_kind kind,
                                                const verdict_reply *reply) {
    eh_arena arena;
    arena_init(&arena, (size_t)1 << 30);
    verdict_form form = {kind, NULL};
    verdict_result result;
    assert_int_equal(verdict_read(&form, reply, &arena, &result, NULL), EH_STATUS_OK);
    /* a verdict or a reason, and no number beside a reason */
    assert_int_equal(result.verdict == EH_VERDICT_NONE,
                     result.reason != VERDICT_REASON_NONE);
    assert_false(result.reason != VERDICT_REASON_NONE &&
                 (result.has_scores || result.likert));
    arena_deinit(&arena);
    return result;
}

static inline void verdict_check(verdict_form_kind kind, const verdict_expect *cases,
                                 size_t n) {
    size_t n_wrong = 0;
    for (size_t i = 0; i < n; i++) {
        char got[80];
        verdict_reply reply = {.content = eh_str_of(cases[i].reply)};
        verdict_result r = verdict_read_reply(kind, &reply);
        verdict_result_text(&r, got);
        if (strcmp(got, cases[i].want) == 0) continue;
        n_wrong++;
        print_error("read as '%s', not as '%s': %s\n", got, cases[i].want,
                    cases[i].reply);
    }
    assert_int_equal(n_wrong, 0);
}

#define VERDICT_CHECK(kind, cases)                                                     \
    verdict_check(VERDICT_FORM_##kind, cases, sizeof(cases) / sizeof(cases)[0])

#endif
