/* SPDX-License-Identifier: MIT
 *
 * Percentile intervals of means, by resampling questions.
 */
#ifndef EH_STATS_BOOTSTRAP_H
#define EH_STATS_BOOTSTRAP_H

#include "stats/interval.h"

enum {
    STATS_BOOTSTRAP_MIN_CLUSTERS = 50,
    STATS_BOOTSTRAP_MIN_RESAMPLES = 100,
    STATS_BOOTSTRAP_MAX_SETS = 2
};

/* Of each question the sum of its values and the number of its rows; [n_clusters]. */
typedef struct stats_question_sums {
    const double *sums;
    const int64_t *counts;
} stats_question_sums;

typedef struct stats_resampling {
    int n_resamples; /* such as 2000 */
    uint64_t seed;   /* resample r has a random stream of its own, keyed by (seed, r) */
    double level;    /* such as .95 */
} stats_resampling;

/* Percentile intervals for means over rows, questions drawn with replacement:
 * B. Efron, R. Tibshirani, An Introduction to the Bootstrap, 1993, chapter 13.
 * results[n_sets] are of up to STATS_BOOTSTRAP_MAX_SETS statistics of the same
 * questions, and what each would be alone.
 *
 * Sums are rounded to a 2^-61st of the largest one times n_clusters, so that they add
 * up exactly in any order. Undefined (TOO_FEW_QUESTIONS) below
 * STATS_BOOTSTRAP_MIN_CLUSTERS questions, where it begins to cover 94 to 96 %. The
 * result depends on the order of the questions: give them in an order of their own.
 * Fails for memory, more than 2^31 questions or a level or numbers out of range. */
EH_MUST_USE eh_status stats_bootstrap(const stats_question_sums *sets, size_t n_sets,
                                      int64_t n_clusters, const stats_resampling *how,
                                      stats_interval *results, eh_error *err);

#endif
