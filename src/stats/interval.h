/* SPDX-License-Identifier: MIT
 *
 * Intervals for shares and win rates, and why a number is not there.
 *
 * A result whose `why` is not NONE holds NaN in every number that is undefined; callers
 * write null and the reason beside it. Levels are such as .95. All functions are pure
 * and thread-safe.
 */
#ifndef EH_STATS_INTERVAL_H
#define EH_STATS_INTERVAL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

/* X(id, name, text): why a number is undefined; names stand in JSON. */
#define STATS_REASON_LIST(X)                                                           \
    X(NONE, "", "")                                                                    \
    X(NO_ROWS, "no_rows", "nothing to count")                                          \
    X(TOO_FEW_QUESTIONS, "too_few_questions", "too few questions")                     \
    X(ONE_CLASS, "one_class", "chance agreement is 1")                                 \
    X(NO_VARIANCE, "no_variance", "all values are equal")                              \
    X(OUT_OF_RANGE, "out_of_range", "value out of range")                              \
    X(UNEQUAL_RATERS, "unequal_raters", "items have different numbers of ratings")     \
    X(DISCONNECTED, "disconnected", "not linked by comparisons")                       \
    X(NOT_CONVERGED, "not_converged", "the fit did not converge")

typedef enum stats_reason {
#define X(id, name, text) STATS_REASON_##id,
    STATS_REASON_LIST(X)
#undef X
        STATS_REASON_N
} stats_reason;

const char *stats_reason_name(stats_reason why); /* "" for NONE; never NULL */
const char *stats_reason_text(stats_reason why);

typedef struct stats_interval {
    double value;
    double low, high;
    stats_reason why;
} stats_interval;

/* Wilson's score interval for `n_hits` of `n` independent yes/no outcomes.
 * E. B. Wilson, J. Amer. Statist. Assoc. 22, 1927. Undefined for n = 0. */
stats_interval stats_wilson(int64_t n_hits, int64_t n, double level);

/* The same formula for a share p that rests on n_eff outcomes, with any quantile z. */
stats_interval stats_wilson_scaled(double p, double n_eff, double z);

/* The exact interval of Clopper and Pearson, Biometrika 26, 1934: coverage is never
 * below the level. Undefined for n = 0. */
stats_interval stats_clopper_pearson(int64_t n_hits, int64_t n, double level);

/* One-sided bound of the same kind: P(low <= p) >= level; 0 for no hits. */
double stats_clopper_pearson_low(int64_t n_hits, int64_t n, double level);

/* Interval for a mean of values in [0, 1] from its standard error clustered by question
 * (cluster.h): Wilson with n_eff = p (1 - p) / se^2 and the t quantile with
 * n_clusters - 1 degrees of freedom. With se = 0, or p at 0 or 1, n_eff is the number
 * of questions. Undefined below 2 questions (the value is given all the same).
 *
 * Coverage of 95 % intervals is 94 to 96 % on the mean from 50 questions on (exact
 * enumeration over win, tie and loss, and 10,000 seeds over clusters). With fewer it is
 * about 94 % or more; with one row a question it errs on the wide side (97 % at 20
 * questions, 98 % at 10). */
stats_interval stats_win_rate_interval(double mean, double se, int64_t n_clusters,
                                       double level);

/* How many questions would give an interval of +- `half_width`, where one question
 * contributes `variance` (of its own mean; the worst case of a win rate is .25): the
 * least n with z sqrt(variance / n) <= half_width. 0 for arguments out of range. */
int64_t stats_questions_needed(double variance, double half_width, double level);

#endif
