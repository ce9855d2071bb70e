/* SPDX-License-Identifier: MIT
 *
 * Agreement between raters, and tables of one rater against the truth. Pure and
 * thread-safe.
 *
 * Square tables are counts, row = rater a (the judge), column = rater b (the human),
 * laid out row by row: counts[a * k + b] for k classes, 1 <= k <= STATS_CLASSES_MAX.
 * Item tables are counts[item * k + c], how many raters gave the item class c. Counts
 * are >= 0 and add up to less than 2^31; OUT_OF_RANGE otherwise.
 */
#ifndef EH_STATS_AGREE_H
#define EH_STATS_AGREE_H

#include <stdint.h>

#include "stats/interval.h"

enum { STATS_CLASSES_MAX = 16 };

typedef struct stats_kappa {
    int64_t n;        /* rated items that count */
    double agreement; /* share of equal ratings */
    double chance;    /* the share that the marginals give by chance */
    double kappa;     /* (agreement - chance) / (1 - chance) */
    double se;        /* of Cohen's kappa, by the delta method; NaN for the others.
                         kappa +- z se covers 94 to 96 % from 100 pairs on */
    stats_reason why; /* NO_ROWS: nothing defined; ONE_CLASS: kappa is not */
} stats_kappa;

/* Cohen's kappa, unweighted. J. Cohen, Educ. Psychol. Meas. 20, 1960; standard error of
 * J. L. Fleiss, J. Cohen, B. S. Everitt, Psychol. Bull. 72, 1969.
 *
 *   counts   [k][k]
 *
 * Undefined only where chance agreement is 1, that is, both raters always give one and
 * the same class. */
stats_kappa stats_cohen_kappa(const int64_t *counts, int k);

/* Fleiss' kappa for items that all have the same number of ratings, 2 or more
 * (UNEQUAL_RATERS otherwise: use alpha). J. L. Fleiss, Psychol. Bull. 76, 1971.
 *
 *   counts   [n_items][k] */
stats_kappa stats_fleiss_kappa(const int64_t *counts, int64_t n_items, int k);

/* Krippendorff's alpha for nominal classes, any number of ratings an item; items with
 * fewer than 2 do not count. K. Krippendorff, Content Analysis, 2004, section 11.3.
 * `agreement` and `chance` are 1 - observed and 1 - expected disagreement.
 *
 *   counts   [n_items][k] */
stats_kappa stats_krippendorff_alpha(const int64_t *counts, int64_t n_items, int k);

typedef struct stats_confusion {
    int64_t n;
    double accuracy;
    int baseline_class; /* the commonest column; the first of several */
    double baseline;    /* accuracy of always saying it */
    /* per class; NaN where nothing was predicted (precision), nothing is true (recall)
     * or both are 0 (F1) */
    double precision[STATS_CLASSES_MAX];
    double recall[STATS_CLASSES_MAX];
    double f1[STATS_CLASSES_MAX];
    /* means over the classes that occur in row or column, undefined ones as 0 */
    double macro_precision, macro_recall, macro_f1;
    stats_reason why; /* NO_ROWS: nothing defined */
} stats_confusion;

/* counts   [k][k], row = predicted, column = true */
stats_confusion stats_confusion_of(const int64_t *counts, int k);

#endif
