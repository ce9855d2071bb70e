/* SPDX-License-Identifier: MIT
 *
 * The percentile interval of a mean, by resampling questions.
 */
#ifndef EH_STATS_BOOTSTRAP_H
#define EH_STATS_BOOTSTRAP_H

#include "stats/interval.h"

enum { STATS_BOOTSTRAP_MIN_CLUSTERS = 50, STATS_BOOTSTRAP_MIN_RESAMPLES = 100 };

/* Percentile interval for the mean over rows, questions drawn with replacement:
 * B. Efron, R. Tibshirani, An Introduction to the Bootstrap, 1993, chapter 13.
 *
 *   sums[g], counts[g]   [n_clusters] sum of the values and number of rows of question
 * g n_resamples          such as 2000; resample r has a random stream of its own, keyed
 *                        by (seed, r)
 *
 * Sums are rounded to a 2^-61st of the largest one times n_clusters, so that they add
 * up exactly in any order. Undefined (TOO_FEW_QUESTIONS) below
 * STATS_BOOTSTRAP_MIN_CLUSTERS questions, where it begins to cover 94 to 96 %. The
 * result depends on the order of the questions: give them in data order. Fails for
 * memory, more than 2^31 questions or a level or a number of resamples out of range. */
EH_MUST_USE eh_status stats_bootstrap(const double *sums, const int64_t *counts,
                                      int64_t n_clusters, int n_resamples,
                                      uint64_t seed, double level,
                                      stats_interval *result, eh_error *err);

#endif
