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

stats_reliability stats_reliability_of(const double *soft, const double *label,
                                       int64_t n, stats_reliability_bin *bins,
                                       int n_bins) {
    stats_reliability r = {n, NAN, NAN, STATS_REASON_OUT_OF_RANGE};
    if (n_bins < 1 || n_bins % 2 == 0) return r;
    for (int b = 0; b < n_bins; b++)
        bins[b] = (stats_reliability_bin){0, 0.0, 0.0};
    double brier = 0.0;
    for (int64_t i = 0; i < n; i++) {
        if (!(soft[i] >= 0.0 && soft[i] <= 1.0)) return r;
        if (!(label[i] >= 0.0 && label[i] <= 1.0)) return r;
        stats_reliability_bin *bin =
            &bins[n_bins / 2 + bin_from_middle(soft[i], n_bins)];
        bin->n++;
        bin->soft_mean += soft[i];
        bin->label_mean += label[i];
        brier += (soft[i] - label[i]) * (soft[i] - label[i]);
    }
    double error = 0.0;
    for (int b = 0; b < n_bins; b++) {
        error += fabs(bins[b].soft_mean - bins[b].label_mean);
        bins[b].soft_mean = bins[b].n ? bins[b].soft_mean / (double)bins[b].n : NAN;
        bins[b].label_mean = bins[b].n ? bins[b].label_mean / (double)bins[b].n : NAN;
    }
    r.why = STATS_REASON_NO_ROWS;
    if (n <= 0) return r;
    r.brier = brier / (double)n;
    r.calibration_error = error / (double)n;
    r.why = STATS_REASON_NONE;
    return r;
}
