/* SPDX-License-Identifier: MIT
 *
 * For tests of methods and rulings: plans by name, samples in a line each, and samples
 * drawn at random with their mirror image.
 */
#ifndef EH_TESTS_PLAN_MAKE_H
#define EH_TESTS_PLAN_MAKE_H

#include <math.h>

#include "base/rng.h"
#include "plan/ruling.h"
#include "unit.h"

static inline plan_spec plan_of(const char *method, int k, const char *order) {
    plan_spec spec;
    eh_error err;
    plan_wish wish = {.method = eh_str_of(method), .k = k, .order = eh_str_of(order)};
    assert_ok(plan_make(&wish, &spec, &err), err);
    return spec;
}

static inline plan_sample vote_of(eh_order order, int sample, eh_verdict verdict) {
    return (plan_sample){.order = order,
                         .sample = sample,
                         .verdict = verdict,
                         .reason =
                             verdict ? VERDICT_REASON_NONE : VERDICT_REASON_NO_VERDICT};
}

static inline plan_sample scores_of(eh_order order, int sample, double s1, double s2) {
    plan_sample s = vote_of(order, sample,
                            s1 > s2   ? EH_VERDICT_1
                            : s1 < s2 ? EH_VERDICT_2
                                      : EH_VERDICT_TIE);
    s.has_scores = true;
    s.score_1 = s1;
    s.score_2 = s2;
    return s;
}

/* `rating` is un-swapped and signed: +2 = answer 1 much better. */
static inline plan_sample rating_of(eh_order order, int sample, int rating) {
    plan_sample s = vote_of(order, sample,
                            rating > 0   ? EH_VERDICT_1
                            : rating < 0 ? EH_VERDICT_2
                                         : EH_VERDICT_TIE);
    s.has_rating = true;
    s.signed_rating = rating;
    return s;
}

static inline plan_sample sample_mirrored(plan_sample s) {
    double score_1 = s.score_1;
    s.order = s.order == EH_ORDER_12 ? EH_ORDER_21 : EH_ORDER_12;
    s.verdict = eh_verdict_mirror(s.verdict);
    s.score_1 = s.score_2;
    s.score_2 = score_1;
    s.signed_rating = -s.signed_rating;
    return s;
}

static inline plan_sample sample_random(eh_rng *r, plan_scale scale, eh_order order,
                                        int sample) {
    if (rng_below(r, 5) == 0) return vote_of(order, sample, EH_VERDICT_NONE);
    if (scale == PLAN_SCALE_RATINGS)
        return rating_of(order, sample, (int)rng_below(r, 5) - 2);
    if (scale == PLAN_SCALE_SCORES)
        return scores_of(order, sample, 1 + (double)rng_below(r, 19) / 2,
                         1 + (double)rng_below(r, 19) / 2);
    return vote_of(order, sample, (eh_verdict)(1 + rng_below(r, 3)));
}

#endif
