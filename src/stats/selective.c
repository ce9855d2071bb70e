/* SPDX-License-Identifier: MIT
 *
 * Selective judging by tests in a fixed order.
 *
 *   all pairs, surest first   |########## 50 % ###|# 55 % |# 60 % |  ...   | 100 %
 *   labelled among them        x  x x   x  x    x  x     x   x
 *                             test -> passed      -> passed -> failed: end
 *
 * Where a coverage ends is known from the judge alone, so a threshold does not depend
 * on labels, and the labelled above it are a random sample of all pairs above it: their
 * agreement is binomial, or hypergeometric where the sample is a good part of all, for
 * which the bound is on the safe side.
 *
 * Beginning at half of the pairs is a declaration: a judge that is not right often
 * enough on its surer half finds nothing, also where its surest tenth would do. Left
 * out: other beginnings, which would have to be declared before the labels are seen.
 */
#include "stats/selective.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum { FIRST_PERCENT = 50, STEP_PERCENT = 5 };

typedef struct ruled {
    double confidence;
    bool agrees;
} ruled;

static int falling(double x, double y) {
    return (x < y) - (x > y);
}

static int by_falling_confidence(const void *a, const void *b) {
    return falling(((const ruled *)a)->confidence, ((const ruled *)b)->confidence);
}

static int by_falling_value(const void *a, const void *b) {
    return falling(*(const double *)a, *(const double *)b);
}

/* Tests the coverages in their fixed order; both lists are sorted. */
static void test_in_sequence(const ruled *rows, int64_t n, const double *all,
                             int64_t n_all, double target, double level,
                             stats_selective *r) {
    int64_t n_kept = 0, n_agree = 0, n_covered = 0;
    for (int percent = FIRST_PERCENT; percent <= 100; percent += STEP_PERCENT) {
        int64_t rank = (n_all * percent + 99) / 100; /* at least one */
        double threshold = all[rank - 1];
        if (isinf(threshold)) return;
        /* all of the same confidence share one fate */
        while (n_covered < n_all && all[n_covered] >= threshold)
            n_covered++;
        while (n_kept < n && rows[n_kept].confidence >= threshold)
            n_agree += rows[n_kept++].agrees;
        if (percent == FIRST_PERCENT) {
            r->n_first = n_kept;
            r->n_first_agree = n_agree;
        }
        double low = n_kept ? stats_clopper_pearson_low(n_agree, n_kept, level) : 0;
        if (!(low >= target)) return;
        r->is_found = true;
        r->threshold = threshold;
        r->n_covered = n_covered;
        r->coverage = (double)n_covered / (double)n_all;
        r->n_kept = n_kept;
        r->agreement = (double)n_agree / (double)n_kept;
        r->low = low;
    }
}

static bool is_inside(double x) {
    return x > 0 && x < 1;
}

eh_status stats_selective_find(const stats_selective_sample *sample, double target,
                               double level, stats_selective *result, eh_error *err) {
    int64_t n = sample->n, n_all = sample->all ? sample->n_all : n;
    const double *from = sample->all ? sample->all : sample->confidence;
    *result = (stats_selective){.threshold = (double)NAN,
                                .agreement = (double)NAN,
                                .low = (double)NAN,
                                .why = STATS_REASON_OUT_OF_RANGE};
    if (!is_inside(target) || !is_inside(level)) return EH_STATUS_OK;
    result->why = STATS_REASON_NO_ROWS;
    if (n <= 0 || n_all <= 0) return EH_STATUS_OK;
    ruled *rows = mem_alloc((size_t)n, sizeof *rows);
    double *all = mem_alloc((size_t)n_all, sizeof *all);
    eh_status status = EH_STATUS_OK;
    if (!rows || !all) {
        (void)EH_NOMEM(err);
        status = EH_STATUS_NOMEM;
    } else {
        for (int64_t i = 0; i < n; i++)
            rows[i] = (ruled){sample->confidence[i], sample->agrees[i]};
        memcpy(all, from, (size_t)n_all * sizeof *all);
        qsort(rows, (size_t)n, sizeof *rows, by_falling_confidence);
        qsort(all, (size_t)n_all, sizeof *all, by_falling_value);
        test_in_sequence(rows, n, all, n_all, target, level, result);
        result->why = STATS_REASON_NONE;
    }
    mem_free(rows);
    mem_free(all);
    return status;
}

/* Labels of which `kept` fall into the first coverage, on average. */
static int64_t labels_for(int64_t kept) {
    return (kept * 100 + FIRST_PERCENT - 1) / FIRST_PERCENT;
}

int64_t stats_selective_least(double target, double level) {
    if (!is_inside(target) || !is_inside(level)) return 0;
    /* all of n agree: the bound is the n-th root of 1 - level */
    return labels_for((int64_t)ceil(log(1 - level) / log(target) - 1e-9));
}

int64_t stats_selective_wanted(double agreement, double target, double level) {
    const int64_t MOST = 1000000;
    int64_t n = stats_selective_least(target, level) / 2;
    if (n == 0 || !(agreement > target && agreement <= 1)) return 0;
    /* in steps of a fiftieth: it is an estimate */
    for (; n <= MOST; n += n / 50 + 1) {
        int64_t n_agree = (int64_t)floor(agreement * (double)n + 1e-9);
        if (stats_clopper_pearson_low(n_agree, n, level) >= target)
            return labels_for(n);
    }
    return 0;
}
