/* SPDX-License-Identifier: MIT
 *
 * What the votes on one pair say together, and whether soft verdicts mean what they
 * say. Pure and thread-safe.
 */
#ifndef EH_STATS_VOTE_H
#define EH_STATS_VOTE_H

#include <stdint.h>

#include "stats/interval.h"

/* Balanced position diversity entropy (paper 000): - sum p ln p over the shares of
 * outcomes for answer 1 among the valid samples of both orders, un-swapped. Natural
 * logarithm, 0 ln 0 = 0, at most ln 3. Exactly the same for every permutation of the
 * three counts. NaN when all are 0 or one is negative. */
double stats_bpde(int64_t n_win, int64_t n_tie, int64_t n_lose);

/* A judge that flips coins: ties with probability p_tie, else either answer alike.
 * The probability that n_votes of its votes balance (mean .5), summed exactly. */
double stats_balance_probability(int n_votes, double p_tie);

/* What such a judge scores in an audit, from T, the balance
 * probability (of several pairs with different numbers of votes: its mean). */
double stats_coin_flip_susceptibility(double balance); /* (1 - T) / 2 */
double stats_coin_flip_oversight(double balance);      /* (1 + T) / 2 */

/* One bin of a reliability table; means are NaN where n is 0. */
typedef struct stats_reliability_bin {
    int64_t n;
    double soft_mean;  /* of the judge's soft verdicts in the bin */
    double label_mean; /* of the human labels of the same pairs */
} stats_reliability_bin;

typedef struct stats_reliability {
    int64_t n;
    double brier; /* mean of (soft - label)^2 */
    double
        calibration_error; /* mean over rows of |soft mean - label mean| of its bin */
    stats_reason why;      /* NO_ROWS, OUT_OF_RANGE */
} stats_reliability;

enum { STATS_RELIABILITY_BINS_MAX = 21 };

/* Sums over pairs, in constant memory. Bins have equal widths over 0 .. 1, mirrored
 * exactly: bin b of the exchanged answers is bin n_bins - 1 - b. Their number is odd
 * and at most STATS_RELIABILITY_BINS_MAX, so that .5 stands in the middle of a bin. */
typedef struct stats_reliability_sum {
    int n_bins;
    bool out_of_range; /* a value, or n_bins */
    int64_t n;
    double squares;
    stats_reliability_bin bins[STATS_RELIABILITY_BINS_MAX]; /* sums in place of means */
} stats_reliability_sum;

void stats_reliability_begin(stats_reliability_sum *s, int n_bins);

/* One pair: soft verdict (order-balanced mean vote, 0 .. 1) and label (1, .5, 0). */
void stats_reliability_add(stats_reliability_sum *s, double soft, double label);

/*   bins   [n_bins] out */
stats_reliability stats_reliability_end(const stats_reliability_sum *s,
                                        stats_reliability_bin *bins);

#endif
