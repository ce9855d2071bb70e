/* SPDX-License-Identifier: MIT
 *
 * Mean and clustered standard error of values that come question by question, in one
 * pass and constant memory.
 *
 *   stats_cluster c;
 *   stats_cluster_init(&c);
 *   for each row, in an order that keeps rows of one question together:
 *       stats_cluster_add(&c, question_id, value);
 *   stats_mean m = stats_cluster_mean(&c);
 *   stats_interval i = stats_win_rate_interval(m.mean, m.se, m.n_clusters, .95);
 *
 * A stats_cluster is a plain value of one thread; copy it to keep a state.
 */
#ifndef EH_STATS_CLUSTER_H
#define EH_STATS_CLUSTER_H

#include <stdint.h>

#include "stats/interval.h"
#include "stats/sum.h"

typedef struct stats_cluster {
    int64_t n;          /* rows so far */
    int64_t n_clusters; /* changes of the id so far */
    uint64_t open_id;   /* the question that rows are still coming for */
    int64_t n_open;     /* its rows; 0 before the first row */
    stats_dd sum_open;  /* their sum */
    /* over closed questions g with S_g = sum of values, n_g = rows */
    stats_dd sum, sum_sq, sum_cross, n_sq; /* of S_g, S_g^2, S_g n_g, n_g^2 */
} stats_cluster;

/* `why` is NO_ROWS (nothing defined) or TOO_FEW_QUESTIONS (mean defined, se NaN). */
typedef struct stats_mean {
    int64_t n, n_clusters;
    double mean;
    double se; /* sqrt(G/(G-1) sum_g (S_g - mean n_g)^2) / n */
    stats_reason why;
} stats_mean;

void stats_cluster_init(stats_cluster *c);

/* Finite values of any range. A new id closes the question before it, so rows of one
 * question must be neighbours: an id that comes back counts as another question. */
void stats_cluster_add(stats_cluster *c, uint64_t cluster_id, double value);

/* The state as it is; adding may go on. */
stats_mean stats_cluster_mean(const stats_cluster *state);

/* Mean with its interval, for values in [0, 1]. */
stats_interval stats_cluster_interval(const stats_cluster *c, double level);

/* The variance that one question contributes, se^2 G: for stats_questions_needed. NaN
 * where se is undefined. */
double stats_question_variance(const stats_mean *m);

#endif
