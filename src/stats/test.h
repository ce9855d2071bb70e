/* SPDX-License-Identifier: MIT
 *
 * Tests. All p values are two-sided; those of counts are exact (sums of probabilities,
 * no approximation), also for large counts. Pure and thread-safe.
 */
#ifndef EH_STATS_TEST_H
#define EH_STATS_TEST_H

#include <stdint.h>

#include "stats/interval.h"

/* Sign test: probability, under a fair coin, of a split at least as uneven as
 * n_plus : n_minus. 1 when both are 0 (nothing speaks against the coin); NaN for
 * negative counts. Zeros (ties) are left out by the caller. */
double stats_sign_test(int64_t n_plus, int64_t n_minus);

/* McNemar's test on pairs of yes/no outcomes: the sign test on the pairs that changed.
 * Q. McNemar, Psychometrika 12, 1947; exact form of F. Mosteller, Biometrics 8, 1952.
 */
double stats_mcnemar(int64_t n_yes_no, int64_t n_no_yes);

/* A 2 x 2 table, rows [a b] and [c d]. */
typedef struct stats_fourfold {
    int64_t n;
    double p;         /* Fisher's exact test: sum of all tables no likelier */
    double phi;       /* (ad - bc) / sqrt of the product of the margins, -1 .. 1 */
    stats_reason why; /* of phi: NO_ROWS, or NO_VARIANCE where a margin is 0 */
} stats_fourfold;

/* R. A. Fisher, Statistical Methods for Research Workers, 5th ed. 1934. Margins are
 * fixed; time grows with the smallest. p is NaN for negative counts. */
stats_fourfold stats_fisher(int64_t a, int64_t b, int64_t c, int64_t d);

typedef struct stats_trend {
    double statistic; /* z; its sign is the direction over rising bins */
    double p;
    stats_reason why; /* NO_ROWS, or NO_VARIANCE: all outcomes or all bins equal */
} stats_trend;

/* Trend of shares over ordered bins, scored 0, 1, 2, ...: P. Armitage, Biometrics 11,
 * 1955 (z^2 is the Cochran-Armitage chi-square). The p value is asymptotic; use the
 * permutation test for few rows.
 *
 *   hits, totals   [n_bins], 0 <= hits <= totals */
stats_trend stats_trend_shares(const int64_t *hits, const int64_t *totals, int n_bins);

/* The same question for values of any kind, by permutation: how often does a random
 * assignment of the values to the bins correlate at least as strongly? p = (1 + such
 * resamples) / (1 + resamples), an exact level for any number of rows.
 *
 *   values, bins   [n] value of row i, and the score of its bin
 *
 * Resample r is drawn from its own stream, keyed by (seed, r). Fails only for memory.
 */
EH_MUST_USE eh_status stats_trend_permutation(const double *values, const double *bins,
                                              int64_t n, int n_resamples, uint64_t seed,
                                              stats_trend *result, eh_error *err);

/* p values adjusted for having asked n questions; adjusted[i] <= .05 means that i may
 * be claimed. Holm: no false claim at all with probability .95 (S. Holm, Scand. J.
 * Statist. 6, 1979). Benjamini-Hochberg: at most 5 % of the claims false on average (J.
 * R. Statist. Soc. B 57, 1995).
 *
 *   p, adjusted   [n], not overlapping; time grows as n^2 */
void stats_holm(const double *p, double *adjusted, int n);
void stats_benjamini_hochberg(const double *p, double *adjusted, int n);

#endif
