/* SPDX-License-Identifier: MIT
 *
 * Two runs or two judges over the same pairs: how far apart they are, what may be said
 * about it, and what a sample of this size could have shown. Pure and thread-safe.
 *
 *   stats_cluster c;                       // over pairs, question by question
 *   stats_cluster_add(&c, question, value_new - value_base);
 *   stats_mean m = stats_cluster_mean(&c);
 *   stats_difference d = stats_difference_of(&m, .03, .95);
 */
#ifndef EH_STATS_DIFFERENCE_H
#define EH_STATS_DIFFERENCE_H

#include <stdint.h>

#include "stats/cluster.h"
#include "stats/interval.h"

/* X(id, name) */
#define STATS_FINDING_LIST(X)                                                          \
    X(NOT_SHOWN, "not_shown")   /* the interval holds 0 and passes the margin */       \
    X(BETTER, "better")         /* all of it above 0, not all within the margin */     \
    X(WORSE, "worse")           /* all of it below 0, not all within the margin */     \
    X(EQUIVALENT, "equivalent") /* all of it between -margin and margin */

typedef enum stats_finding {
#define X(id, name) STATS_FINDING_##id,
    STATS_FINDING_LIST(X)
#undef X
        STATS_FINDING_N
} stats_finding;

const char *stats_finding_name(stats_finding finding);

typedef struct stats_difference {
    stats_interval interval;
    stats_finding finding; /* NOT_SHOWN also where the interval is undefined */
    bool excludes_zero;    /* an equivalent difference may still be a real one */
    double p;              /* t test of no difference; NaN where se is 0 */
} stats_difference;

/* From the clustered mean of differences that lie between -1 and 1: t interval with
 * n_clusters - 1 degrees of freedom. Where all differences are equal, se says nothing;
 * then the interval reaches as far as the share of unlike questions that n_clusters
 * like ones leave possible, 1 - ((1 - level)/2)^(1/n_clusters). `margin` 0: never
 * equivalent.
 *
 * Coverage is 94 to 96 % from 30 questions on, if at least 10 of them differ. */
stats_difference stats_difference_of(const stats_mean *m, double margin, double level);

/* Difference p_1 - p_2 of two shares on the same n items, from the four counts
 * [a: both yes, b: first only, c: second only, d: neither]. R. G. Newcombe, Statist.
 * Med. 17, 1998, 2635-2650, method 10. Undefined for n = 0. */
stats_interval stats_newcombe_paired(int64_t a, int64_t b, int64_t c, int64_t d,
                                     double level);

/* The same where items share questions: the means of both, and of their differences
 * item by item, clustered by question (stats_cluster over the same items). Wilson
 * intervals take the clustered errors, and phi is the correlation of the two means,
 * (se_1^2 + se_2^2 - se_d^2) / (2 se_1 se_2), not shrunk; with one item a question both
 * functions agree but for that. NO_ROWS or TOO_FEW_QUESTIONS as the means have it. */
stats_interval stats_newcombe_clustered(const stats_mean *first,
                                        const stats_mean *second,
                                        const stats_mean *difference, double level);

/* Difference p_1 - p_2 of two shares of different items: their intervals, joined as if
 * they were independent. Of Wilson intervals it is R. G. Newcombe, Statist. Med. 17,
 * 1998, 873-890, method 10; of others, MOVER (G. Y. Zou, A. Donner, Statist. Med. 27,
 * 2008). Undefined where one of them is. */
stats_interval stats_newcombe_apart(const stats_interval *first,
                                    const stats_interval *second);

/* The difference from 0 that n questions show with probability `power` (such as .8) at
 * this level, where one question contributes `variance`:
 * (z_level + z_power) sqrt(variance / n). NaN for arguments out of range. */
double stats_detectable(double variance, int64_t n, double level, double power);

/* The least n for which `effect` is detectable; 0 for arguments out of range. */
int64_t stats_questions_to_detect(double variance, double effect, double level,
                                  double power);

#endif
