/* SPDX-License-Identifier: MIT
 *
 * Chance-corrected agreement and confusion tables from counts.
 *
 * As much as can be is done in whole numbers: with n^2 times the chance agreement as an
 * integer, "chance agreement is 1" is an exact question and kappa is one rounded
 * quotient. Sums below 2^31 keep all products inside 63 bits.
 *
 * Cohen's standard error is the delta method on the k x k shares p_ij, whose marginals
 * are r_i and c_j: with po = sum p_ii, pe = sum r_i c_i,
 *
 *   d kappa / d p_ij = ([i = j] (1 - pe) - (1 - po) (c_i + r_j)) / (1 - pe)^2 =: g_ij
 *   se^2 = (sum p_ij g_ij^2 - (sum p_ij g_ij)^2) / n
 *
 * Left out: weighted kappa and other metrics of alpha (1, 2 and tie have no order that
 * weights would follow).
 */
#include "stats/agree.h"

#include <math.h>

#include "stats/sum.h"

typedef struct square {
    int64_t row[STATS_CLASSES_MAX], column[STATS_CLASSES_MAX];
    int64_t n, n_equal;
    int64_t chance; /* n^2 times the chance agreement */
} square;

static bool classes_are_valid(int k) {
    return k >= 1 && k <= STATS_CLASSES_MAX;
}

static bool square_read(const int64_t *counts, int k, square *s) {
    *s = (square){0};
    if (!classes_are_valid(k)) return false;
    for (int i = 0; i < k * k; i++) {
        if (counts[i] < 0 || counts[i] > INT32_MAX) return false;
        s->row[i / k] += counts[i];
        s->column[i % k] += counts[i];
        s->n += counts[i];
        if (i / k == i % k) s->n_equal += counts[i];
    }
    for (int i = 0; i < k && s->n <= INT32_MAX; i++)
        s->chance += s->row[i] * s->column[i];
    return s->n <= INT32_MAX;
}

static double kappa_se(const int64_t *counts, int k, const square *s) {
    double n = (double)s->n, po = (double)s->n_equal / n;
    double rest = 1.0 - (double)s->chance / (n * n); /* 1 - pe */
    double mean = 0.0, square_mean = 0.0;
    for (int i = 0; i < k * k; i++) {
        int row = i / k, column = i % k;
        double p = (double)counts[i] / n;
        double marginals = (double)(s->column[row] + s->row[column]) / n;
        double g = (row == column ? rest : 0.0) - (1.0 - po) * marginals;
        g /= rest * rest;
        mean += p * g;
        square_mean += p * g * g;
    }
    return sqrt(fmax(square_mean - mean * mean, 0.0) / n);
}

stats_kappa stats_cohen_kappa(const int64_t *counts, int k) {
    stats_kappa r = {0, NAN, NAN, NAN, NAN, STATS_REASON_OUT_OF_RANGE};
    square s;
    if (!square_read(counts, k, &s)) return r;
    r.n = s.n;
    r.why = STATS_REASON_NO_ROWS;
    if (s.n == 0) return r;
    int64_t all = s.n * s.n;
    r.agreement = (double)s.n_equal / (double)s.n;
    r.chance = (double)s.chance / (double)all;
    r.why = STATS_REASON_ONE_CLASS;
    if (s.chance == all) return r;
    r.kappa = (double)(s.n * s.n_equal - s.chance) / (double)(all - s.chance);
    r.se = kappa_se(counts, k, &s);
    r.why = STATS_REASON_NONE;
    return r;
}

/* Ratings of one item; -1 for a negative count. */
static int64_t ratings_of(const int64_t *item, int k) {
    int64_t m = 0;
    for (int c = 0; c < k; c++) {
        if (item[c] < 0 || item[c] > INT32_MAX) return -1;
        m += item[c];
    }
    return m;
}

stats_kappa stats_fleiss_kappa(const int64_t *counts, int64_t n_items, int k) {
    stats_kappa r = {0, NAN, NAN, NAN, NAN, STATS_REASON_OUT_OF_RANGE};
    int64_t column[STATS_CLASSES_MAX] = {0};
    if (!classes_are_valid(k) || n_items < 0) return r;
    r.why = STATS_REASON_NO_ROWS;
    if (n_items == 0) return r;
    int64_t m = ratings_of(counts, k), squares = 0, chance = 0;
    for (int64_t i = 0; i < n_items; i++) {
        const int64_t *item = counts + i * k;
        r.why = STATS_REASON_UNEQUAL_RATERS;
        if (ratings_of(item, k) != m || m < 2) return r;
        for (int c = 0; c < k; c++) {
            squares += item[c] * item[c];
            column[c] += item[c];
        }
    }
    int64_t n = n_items * m;
    r.n = n_items;
    r.why = STATS_REASON_OUT_OF_RANGE;
    if (n > INT32_MAX) return r;
    for (int c = 0; c < k; c++)
        chance += column[c] * column[c];
    r.agreement = (double)(squares - n) / ((double)n * (double)(m - 1));
    r.chance = (double)chance / (double)(n * n);
    r.why = STATS_REASON_ONE_CLASS;
    if (chance == n * n) return r;
    r.kappa = (r.agreement - r.chance) / (1.0 - r.chance);
    r.why = STATS_REASON_NONE;
    return r;
}

stats_kappa stats_krippendorff_alpha(const int64_t *counts, int64_t n_items, int k) {
    stats_kappa r = {0, NAN, NAN, NAN, NAN, STATS_REASON_OUT_OF_RANGE};
    int64_t column[STATS_CLASSES_MAX] = {0};
    int64_t n = 0, equal_pairs = 0;
    stats_dd agreeing = {0, 0};
    if (!classes_are_valid(k) || n_items < 0) return r;
    for (int64_t i = 0; i < n_items; i++) {
        const int64_t *item = counts + i * k;
        int64_t m = ratings_of(item, k), pairs = 0;
        if (m < 0) return r;
        if (m < 2) continue;
        for (int c = 0; c < k; c++) {
            pairs += item[c] * (item[c] - 1);
            column[c] += item[c];
        }
        agreeing = stats_dd_add(agreeing, (double)pairs / (double)(m - 1));
        n += m;
        r.n++;
    }
    if (n > INT32_MAX) return r;
    r.why = STATS_REASON_NO_ROWS;
    if (n == 0) return r;
    for (int c = 0; c < k; c++)
        equal_pairs += column[c] * (column[c] - 1);
    int64_t all_pairs = n * (n - 1);
    r.agreement = stats_dd_value(agreeing) / (double)n;
    r.chance = (double)equal_pairs / (double)all_pairs;
    r.why = STATS_REASON_ONE_CLASS;
    if (equal_pairs == all_pairs) return r;
    r.kappa = (r.agreement - r.chance) / (1.0 - r.chance);
    r.why = STATS_REASON_NONE;
    return r;
}

static double share(int64_t part, int64_t whole) {
    return whole > 0 ? (double)part / (double)whole : NAN;
}

static double or_zero(double x) {
    return isnan(x) ? 0.0 : x;
}

stats_confusion stats_confusion_of(const int64_t *counts, int k) {
    stats_confusion r = {.accuracy = NAN,
                         .baseline = NAN,
                         .macro_precision = NAN,
                         .macro_recall = NAN,
                         .macro_f1 = NAN,
                         .why = STATS_REASON_OUT_OF_RANGE};
    square s;
    if (!square_read(counts, k, &s)) return r;
    r.n = s.n;
    r.why = STATS_REASON_NO_ROWS;
    int n_classes = 0;
    double precision = 0.0, recall = 0.0, f1 = 0.0;
    for (int c = 0; c < k; c++) {
        int64_t hits = counts[c * k + c];
        r.precision[c] = share(hits, s.row[c]);
        r.recall[c] = share(hits, s.column[c]);
        r.f1[c] = share(2 * hits, s.row[c] + s.column[c]);
        if (s.column[c] > s.column[r.baseline_class]) r.baseline_class = c;
        if (s.row[c] + s.column[c] == 0) continue;
        n_classes++;
        precision += or_zero(r.precision[c]);
        recall += or_zero(r.recall[c]);
        f1 += or_zero(r.f1[c]);
    }
    if (s.n == 0) return r;
    r.accuracy = share(s.n_equal, s.n);
    r.baseline = share(s.column[r.baseline_class], s.n);
    r.macro_precision = precision / n_classes;
    r.macro_recall = recall / n_classes;
    r.macro_f1 = f1 / n_classes;
    r.why = STATS_REASON_NONE;
    return r;
}
