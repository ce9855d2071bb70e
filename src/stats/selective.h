/* SPDX-License-Identifier: MIT
 *
 * Selective judging: down to which confidence a judge may rule without people, so that
 * it agrees with them often enough. Pure and thread-safe.
 */
#ifndef EH_STATS_SELECTIVE_H
#define EH_STATS_SELECTIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "stats/interval.h"

/* What is known before the thresholds are tested. A confidence of -INFINITY (no ruling)
 * is never kept. */
typedef struct stats_selective_sample {
    const double *confidence; /* [n] of the labelled: a random sample, one pair a */
    const bool *agrees;       /* [n] question; whether people say the same */
    int64_t n;
    const double *all; /* [n_all] of all pairs, the labelled among them; NULL: the
                        * sample stands for itself */
    int64_t n_all;
} stats_selective_sample;

typedef struct stats_selective {
    bool is_found;
    double threshold; /* pairs of at least this confidence are left to the judge */
    int64_t n_covered;
    double coverage;  /* their number and share of all pairs */
    int64_t n_kept;   /* their number in the sample */
    double agreement; /* with people, there */
    double low;       /* its one-sided lower bound, >= target */
    int64_t n_first;  /* of the first coverage, passed or not: pairs in the sample, */
    int64_t n_first_agree; /* and those that agree */
    stats_reason why;      /* NO_ROWS, OUT_OF_RANGE */
} stats_selective;

/* The least threshold for which agreement >= `target` is shown with probability
 * `level`: coverages of 50 %, 55 %, ... 100 % of all pairs are tested in this order,
 * which was fixed before the labels, each by the lower bound of Clopper and Pearson on
 * the sample's pairs above; the first that fails ends it and the last that passed holds
 * (fixed-sequence testing, which needs no correction: W. Maurer, L. A. Hothorn, W.
 * Lehmacher, 1995). P(the agreement behind the threshold is below the target) <= 1 -
 * level, over draws of the sample. Fails only for memory. */
EH_MUST_USE eh_status stats_selective_find(const stats_selective_sample *sample,
                                           double target, double level,
                                           stats_selective *result, eh_error *err);

/* The least sample from which anything can be found, if all of the surer half agree: 2
 * ceil(ln(1 - level) / ln target). 0 for arguments out of range. */
int64_t stats_selective_least(double target, double level);

/* About how many labels would show the target for the first coverage, if a share of
 * `agreement` of its pairs agrees; 0 where no number does. */
int64_t stats_selective_wanted(double agreement, double target, double level);

#endif
