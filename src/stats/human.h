/* SPDX-License-Identifier: MIT
 *
 * Humans and judge together: the win rate that humans would give on all N pairs, when
 * only some are labelled and the judge has ruled on all. Pure and thread-safe.
 *
 * Values are 1, .5, 0 (or soft, in between) for answer 1. Intervals are for pairs like
 * these N, so for the N pairs themselves they are a little wide.
 *
 * Each estimate is a sum over the pairs, and each pair's part in it, u_i, is known (its
 * influence: the u_i sum to 0). With one pair a question the variance is the formula
 * beside each function; where questions repeat, pairs of one question go together and
 *
 *   variance = G/(G-1) sum_g (sum of u_i in question g)^2
 *
 * over the G questions, with at most (questions with a label) - 1 degrees of freedom.
 * For one pair a question both agree but for terms of order 1/n^2.
 */
#ifndef EH_STATS_HUMAN_H
#define EH_STATS_HUMAN_H

#include <stdint.h>

#include "stats/interval.h"

/* Columns [n]; what an estimate does not name is not read. */
typedef struct stats_human_data {
    int64_t n;
    const double *judge, *label; /* `label` is NaN where there is none */
    const double *p_select;      /* chance to be selected, in (0, 1] where labelled */
    const double *doubt;
    const uint64_t *question; /* equal ones are neighbours; NULL: all differ */
} stats_human_data;

typedef struct stats_human {
    int64_t n, n_labels;
    double judge_mean; /* over all N */
    double lambda;     /* how far the judge is trusted, 0 .. 1 */
    double se;
    double se_labels; /* the part of it that labels of all pairs would take away */
    stats_interval interval; /* NO_ROWS, TOO_FEW_QUESTIONS (labels), OUT_OF_RANGE */
} stats_human;

/* Labels on a random subset, every pair with the same chance:
 *
 *   estimate = mean(y) + lambda (mean over N of f - mean over labelled of f)
 *   lambda   = cov(y, f) / var(f) over the labelled, cut to 0 .. 1
 *   variance = s^2(y - lambda f) (1/n - 1/N) + s^2(y) / N,   t with n - 2 degrees
 *
 *   u_i      = [labelled] (e_i - mean e) / n + lambda (f_i - mean f) / N,
 *              e_i = y_i - lambda f_i
 *
 * A regression estimate of double sampling (W. G. Cochran, Sampling Techniques, 1977,
 * section 12.6; A. N. Angelopoulos et al., Science 382, 2023). 94 to 96 % coverage from
 * 30 labels on, from 100 on where the mean is near .15 or .85 (89 % at 30 there).
 * Undefined below 3 labels. */
stats_human stats_human_random(const stats_human_data *data, double level);

/* Labels where pair i was selected with probability p_select[i], independently:
 *
 *   z_i = f_i + r + [i labelled] (y_i - f_i - r) / p_i
 *   r   = weighted mean of y - f over the labelled, weights 1/p
 *   estimate = mean z,   variance = s^2(z) / N,   t with labels - 1 degrees
 *
 *   u_i = (z_i - estimate) / N
 *
 * Where selected pairs were left without label, the caller has scaled p_select by
 * labelled / selected.
 *
 * T. Zrnic, E. J. Candes, Active statistical inference, ICML 2024, with the mean
 * residual taken out first (Hajek's ratio), so that a chance excess of labels does not
 * shift the estimate. 94 to 96 % coverage from 50 labels on, from 100 on where the mean
 * is near .15 or .85. Undefined below 2. */
stats_human stats_human_active(const stats_human_data *data, double level);

/* Labels whose chance depended on nothing but the stratum, such as a judge's doubt: of
 * a random subset, or drawn with chances by doubt.
 *
 *   W_h = N_h / N,   estimate = sum W_h mean_h(y)
 *   variance = sum W_h^2 s_h^2 (1/n_h - 1/N_h) + (sum W_h s_h^2 + sum W_h (mean_h -
 *              estimate)^2) / N,   t with n - H degrees
 *
 *   u_i       = [labelled] W_h (y_i - mean_h) / n_h + (mean_h - estimate) / N
 *
 *   doubt     equal values (to 1e-9) are one stratum
 *   may_merge strata with fewer than 5 labels join the next lower doubt; allowed where
 *             chances were equal over strata. Otherwise such a stratum leaves the
 *             estimate undefined.
 *
 * Post-stratification: W. G. Cochran, Sampling Techniques, 1977, section 5A.9. `lambda`
 * and `judge_mean` are NaN. TOO_FEW_QUESTIONS below 5 labels in a stratum. */
stats_human stats_human_stratified(const stats_human_data *data, bool may_merge,
                                   double level);

/* Selection probabilities that spend `budget` labels on average: half of them alike for
 * all pairs, half in proportion to `uncertainty` (>= 0, such as BPDE; all 0: alike).
 * None above 1; what that cuts off goes to the others in proportion.
 *
 *   uncertainty, p_select   [n] */
void stats_active_probabilities(const double *uncertainty, int64_t n, double budget,
                                double *p_select);

/* Whether the pair with this content hash is selected: a fixed number in [0, 1) of
 * (seed, content) lies below p_select. */
bool stats_active_selected(uint64_t seed, uint64_t content, double p_select);

#endif
