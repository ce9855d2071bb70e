/* SPDX-License-Identifier: MIT
 *
 * Inside stats/: from the parts that pairs have in an estimate to its interval, where
 * pairs may share questions (human.h).
 */
#ifndef EH_STATS_INFLUENCE_H
#define EH_STATS_INFLUENCE_H

#include "stats/cluster.h"
#include "stats/human.h"

/* A plain value; begins as {0}. */
typedef struct stats_influence {
    stats_cluster questions;
    int64_t n_labelled; /* questions with a label */
    uint64_t last_labelled;
} stats_influence;

/* The next pair: N times its part u_i. */
void stats_influence_add(stats_influence *x, const stats_human_data *data, int64_t pair,
                         double part);

/* The clustered variance where questions repeat, else `plain`. */
double stats_influence_variance(const stats_influence *x, double plain);

/* Sets value, se and interval of h: t with `df` degrees, fewer where questions repeat.
 * Labels of fewer than two questions are TOO_FEW_QUESTIONS. */
void stats_influence_close(const stats_influence *x, double estimate, double variance,
                           int64_t df, double level, stats_human *h);

#endif
