/* SPDX-License-Identifier: MIT
 *
 * The clustered standard error of a mean over rows (a ratio of sums over questions):
 *
 *   p = sum_g S_g / n,   se = sqrt( G/(G-1) sum_g (S_g - p n_g)^2 ) / n
 *
 * This is the sandwich estimator for a mean with clusters as the independent units
 * (K.-Y. Liang, S. L. Zeger, Biometrika 73, 1986) with the usual G/(G-1).
 *
 * p is not known while rows stream by, so the square is opened:
 *
 *   sum (S_g - p n_g)^2 = sum S_g^2 - p (2 sum S_g n_g - p sum n_g^2)
 *
 * where nearly all digits cancel when the questions agree. All sums are therefore kept
 * in double-double: about 32 digits, of which 16 may cancel in the variance.
 *
 * Left out: weights, questions whose rows are not neighbours.
 */
#include "stats/cluster.h"

#include <math.h>

void stats_cluster_init(stats_cluster *c) {
    *c = (stats_cluster){0};
}

static void close_question(stats_cluster *c) {
    if (c->n_open == 0) return;
    stats_dd rows = stats_dd_from((double)c->n_open);
    c->sum = stats_dd_plus(c->sum, c->sum_open);
    c->sum_sq = stats_dd_plus(c->sum_sq, stats_dd_times(c->sum_open, c->sum_open));
    c->sum_cross = stats_dd_plus(c->sum_cross, stats_dd_times(c->sum_open, rows));
    c->n_sq = stats_dd_plus(c->n_sq, stats_dd_times(rows, rows));
}

void stats_cluster_add(stats_cluster *c, uint64_t cluster_id, double value) {
    if (c->n_open == 0 || cluster_id != c->open_id) {
        close_question(c);
        c->open_id = cluster_id;
        c->n_open = 0;
        c->sum_open = stats_dd_from(0.0);
        c->n_clusters++;
    }
    c->sum_open = stats_dd_add(c->sum_open, value);
    c->n_open++;
    c->n++;
}

stats_mean stats_cluster_mean(const stats_cluster *state) {
    stats_cluster c = *state;
    close_question(&c);
    stats_mean m = {c.n, c.n_clusters, NAN, NAN, STATS_REASON_NO_ROWS};
    if (c.n == 0) return m;
    double n = (double)c.n, questions = (double)c.n_clusters;
    stats_dd p = stats_dd_over(c.sum, stats_dd_from(n));
    m.mean = stats_dd_value(p);
    m.why = STATS_REASON_TOO_FEW_QUESTIONS;
    if (c.n_clusters < 2) return m;
    stats_dd cross = stats_dd_plus(c.sum_cross, c.sum_cross);
    stats_dd bent = stats_dd_minus(cross, stats_dd_times(p, c.n_sq));
    stats_dd squares = stats_dd_minus(c.sum_sq, stats_dd_times(p, bent));
    double rest = stats_dd_value(squares);
    /* equal values of which some are rounded differently are still equal */
    if (rest <= 1e-28 * stats_dd_value(c.sum_sq)) rest = 0.0;
    m.se = sqrt(questions / (questions - 1.0) * rest) / n;
    m.why = STATS_REASON_NONE;
    return m;
}

stats_interval stats_cluster_interval(const stats_cluster *c, double level) {
    stats_mean m = stats_cluster_mean(c);
    return stats_win_rate_interval(m.mean, m.se, m.n_clusters, level);
}

double stats_question_variance(const stats_mean *m) {
    return m->se * m->se * (double)m->n_clusters;
}
