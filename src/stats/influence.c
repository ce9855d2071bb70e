/* SPDX-License-Identifier: MIT
 *
 * Variances of estimates that are sums over pairs, by question.
 *
 *   pair i -> u_i, its part in the estimate -> summed within its question
 *          -> variance = G/(G-1) sum_g (sum of u_i)^2
 *
 * What a pair of one question says about another pair of it is in the sum of their
 * parts, whatever draws the labels: with pairs drawn independently the parts of a
 * question share what its answers and labels have in common, and nothing else (the
 * linearised variance with clusters as units, K.-Y. Liang and S. L. Zeger, Biometrika
 * 73, 1986; D. A. Binder, International Statistical Review 51, 1983).
 *
 * Left out: what the parts are (human.c, strata.c).
 */
#include "stats/influence.h"

#include <math.h>

#include "stats/special.h"

void stats_influence_add(stats_influence *x, const stats_human_data *data, int64_t pair,
                         double part) {
    uint64_t question = data->question ? data->question[pair] : (uint64_t)pair;
    stats_cluster_add(&x->questions, question, part);
    if (isnan(data->label[pair])) return;
    x->n_labelled += x->n_labelled == 0 || question != x->last_labelled;
    x->last_labelled = question;
}

static bool repeats(const stats_influence *x) {
    return x->questions.n_clusters < x->questions.n;
}

double stats_influence_variance(const stats_influence *x, double plain) {
    if (!repeats(x)) return plain;
    double se = stats_cluster_mean(&x->questions).se;
    return se * se;
}

void stats_influence_close(const stats_influence *x, double estimate, double variance,
                           int64_t df, double level, stats_human *h) {
    int64_t units = h->n_labels;
    h->interval.value = fmin(fmax(estimate, 0.0), 1.0);
    h->interval.why = STATS_REASON_TOO_FEW_QUESTIONS;
    if (repeats(x)) {
        units = x->n_labelled;
        if (units < 2) return;
        if (df > units - 1) df = units - 1;
    }
    h->interval.why = STATS_REASON_NONE;
    h->se = sqrt(fmax(variance, 0.0));
    if (h->se < 1e-12) { /* all alike: as much as so many equal labels show */
        h->se = h->se_labels = 0.0;
        h->interval = stats_win_rate_interval(h->interval.value, 0.0, units, level);
        return;
    }
    double half = stats_t_two_sided(level, (double)df) * h->se;
    h->interval.low = fmin(fmax(estimate - half, 0.0), 1.0);
    h->interval.high = fmin(fmax(estimate + half, 0.0), 1.0);
}
