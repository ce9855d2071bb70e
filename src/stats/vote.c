/* SPDX-License-Identifier: MIT
 *
 * Votes on a pair: their entropy, what coin flips would give, and the reliability of
 * their mean as a forecast of the human label (A. H. Murphy, R. L. Winkler, Appl.
 * Statist. 26, 1977).
 *
 * Everything is symmetric under an exchange of the answers to the last bit where it can
 * be: counts are sorted before an entropy is summed, and bins are chosen by the
 * distance from one half.
 *
 * Left out: the hypergeometric case (votes drawn from a finite set).
 */
#include "stats/vote.h"

#include <math.h>

#include "stats/elementary.h"
#include "stats/special.h"

static void order_pair(int64_t *a, int64_t *b) {
    if (*a <= *b) return;
    int64_t swap = *a;
    *a = *b;
    *b = swap;
}

double stats_bpde(int64_t n_win, int64_t n_tie, int64_t n_lose) {
    int64_t count[3] = {n_win, n_tie, n_lose};
    /* sorted, so that exchanging answers cannot change the rounding of the sum */
    order_pair(&count[0], &count[1]);
    order_pair(&count[1], &count[2]);
    order_pair(&count[0], &count[1]);
    double n = (double)(n_win + n_tie + n_lose);
    if (count[0] < 0 || n <= 0.0) return NAN;
    double entropy = 0.0;
    for (int r = 0; r < 3; r++) {
        double p = (double)count[r] / n;
        if (count[r] > 0) entropy -= p * stats_log(p);
    }
    return entropy > 0.0 ? entropy : 0.0; /* a single outcome gives -0 */
}

double stats_balance_probability(int n_votes, double p_tie) {
    if (n_votes < 1 || !(p_tie >= 0.0 && p_tie <= 1.0)) return NAN;
    double sum = 0.0;
    for (int n_decided = 0; n_decided <= n_votes; n_decided += 2) {
        int half = n_decided / 2;
        double even = half == 0 ? 1.0 : stats_binomial_pmf(half, n_decided, 0.5);
        sum += even * stats_binomial_pmf(n_votes - n_decided, n_votes, p_tie);
    }
    return sum;
}

double stats_coin_flip_susceptibility(double balance) {
    return 0.5 * (1.0 - balance);
}

double stats_coin_flip_oversight(double balance) {
    return 0.5 * (1.0 + balance);
}

/* -h .. h for bins around the middle one. */
static int bin_from_middle(double soft, int n_bins) {
    double distance = fabs(soft - 0.5) * n_bins;
    int step = (int)floor(distance + 0.5);
    if (step > n_bins / 2) step = n_bins / 2;
    return soft < 0.5 ? -step : step;
}

void stats_reliability_begin(stats_reliability_sum *s, int n_bins) {
    bool valid = n_bins >= 1 && n_bins % 2 == 1 && n_bins <= STATS_RELIABILITY_BINS_MAX;
    *s = (stats_reliability_sum){.n_bins = valid ? n_bins : 0, .out_of_range = !valid};
}

static bool is_share(double x) {
    return x >= 0.0 && x <= 1.0;
}

void stats_reliability_add(stats_reliability_sum *s, double soft, double label) {
    s->n++;
    s->out_of_range = s->out_of_range || !is_share(soft) || !is_share(label);
    if (s->out_of_range) return;
    stats_reliability_bin *bin =
        &s->bins[s->n_bins / 2 + bin_from_middle(soft, s->n_bins)];
    bin->n++;
    bin->soft_mean += soft;
    bin->label_mean += label;
    s->squares += (soft - label) * (soft - label);
}

stats_reliability stats_reliability_end(const stats_reliability_sum *s,
                                        stats_reliability_bin *bins) {
    stats_reliability r = {s->n, NAN, NAN, STATS_REASON_OUT_OF_RANGE};
    double error = 0.0;
    for (int b = 0; b < s->n_bins; b++) {
        const stats_reliability_bin *sum = &s->bins[b];
        error += fabs(sum->soft_mean - sum->label_mean);
        bins[b].n = sum->n;
        bins[b].soft_mean = sum->n ? sum->soft_mean / (double)sum->n : NAN;
        bins[b].label_mean = sum->n ? sum->label_mean / (double)sum->n : NAN;
    }
    if (s->out_of_range) return r;
    r.why = STATS_REASON_NO_ROWS;
    if (s->n == 0) return r;
    r.brier = s->squares / (double)s->n;
    r.calibration_error = error / (double)s->n;
    r.why = STATS_REASON_NONE;
    return r;
}
