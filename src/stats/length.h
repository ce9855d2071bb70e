/* SPDX-License-Identifier: MIT
 *
 * The win rate that would be left if both answers were of one length: a logistic
 * regression of the verdict on the length difference, read off at difference 0.
 *
 *   value ~ 1 / (1 + exp(-(a + b tanh(d / s))))     d = length 1 - length 2
 *   controlled win rate = 1 / (1 + exp(-a))          s = root mean square of d
 *
 * The form of the length term is that of Y. Dubois, B. Galambosi, P. Liang, T.
 * Hashimoto, 2024 (length-controlled AlpacaEval). It controls for what correlates with
 * length, also where longer answers are longer because they are better; and where one
 * side is nearly always longer, it is extrapolation. Pure and thread-safe.
 */
#ifndef EH_STATS_LENGTH_H
#define EH_STATS_LENGTH_H

#include <stdint.h>

#include "stats/interval.h"

typedef struct stats_length_row {
    double value;     /* of the pair: 0 .. 1, for answer 1 */
    double excess;    /* length of answer 1 less that of answer 2, in any unit */
    uint64_t cluster; /* the question; its rows must be neighbours */
} stats_length_row;

/* More than this share of pairs with one and the same side longer: warn. */
#define STATS_LENGTH_ONE_SIDED_MAX 0.85

typedef struct stats_length {
    int64_t n, n_clusters;
    int64_t n_longer_1, n_longer_2, n_equal; /* the overlap */
    double one_sided;                        /* max(n_longer_1, n_longer_2) / n */
    bool warn_one_sided;     /* one_sided > STATS_LENGTH_ONE_SIDED_MAX */
    double scale;            /* s; 0 where all lengths are equal */
    stats_interval win_rate; /* controlled; t with n_clusters - 2 degrees of freedom */
    double slope, slope_se;  /* b; NaN where all lengths are equal */
    bool penalised; /* no finite estimate by the data alone (all verdicts alike,
                       or parted by length): bounded by a prior of sd 3 */
} stats_length;

/* win_rate.why: NO_ROWS, OUT_OF_RANGE (a value), TOO_FEW_QUESTIONS (below 3; the value
 * is given all the same), NOT_CONVERGED. 94 to 96 % coverage from 50 questions on.
 * Where all lengths are equal the win rate is the plain one. */
stats_length stats_length_control(const stats_length_row *rows, int64_t n,
                                  double level);

#endif
