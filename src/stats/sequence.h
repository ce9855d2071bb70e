/* SPDX-License-Identifier: MIT
 *
 * A confidence sequence for a mean that is watched while it grows: the interval may be
 * looked at after every pair, and a run may stop whenever it is narrow enough; the
 * chance that it ever leaves out the final mean of all pairs is at most 1 - level.
 *
 * The values must come as the finished prefix of a seeded random permutation of all
 * n_total pairs, never in the order of completion, which is biased: quick pairs differ.
 *
 *   stats_sequence s;
 *   stats_sequence_init(&s, n_total, .95);
 *   for each value of the prefix: stats_sequence_add(&s, value);
 *   stats_interval i = stats_sequence_interval(&s);
 *
 * A plain value of about 16 KiB, of one thread. Adding costs at most 1,001 steps, fewer
 * as the interval narrows.
 */
#ifndef EH_STATS_SEQUENCE_H
#define EH_STATS_SEQUENCE_H

#include <stdint.h>

#include "stats/interval.h"
#include "stats/sum.h"

enum { STATS_SEQUENCE_GRID = 1000 }; /* the bounds' resolution is 1/1000, outwards */

typedef struct stats_sequence {
    int64_t n_total, n;
    double level;
    stats_dd sum;    /* of the values */
    double spread;   /* sum of squared distances to the running mean */
    int first, last; /* grid points below first are refuted from below, those above last
                        from above */
    double up[STATS_SEQUENCE_GRID + 1];   /* capital of the bet: the mean is larger */
    double down[STATS_SEQUENCE_GRID + 1]; /* ... smaller */
} stats_sequence;

/* The mean is over n_total >= 1 values. */
void stats_sequence_init(stats_sequence *s, int64_t n_total, double level);

/* One more value in [0, 1]; ignored (false) out of range or after n_total of them. */
bool stats_sequence_add(stats_sequence *s, double value);

/* Value: the mean so far. Bounds: of the mean of all n_total; exact at the end. NO_ROWS
 * before the first value, with bounds 0 and 1. */
stats_interval stats_sequence_interval(const stats_sequence *s);

#endif
