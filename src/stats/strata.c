/* SPDX-License-Identifier: MIT
 *
 * Labels by strata of a judge's doubt.
 *
 *   doubt  1.09 1.09 .69 .69 .69 0 0 0 0 ...      sorted, falling
 *   strata [-- h=0 --][--- h=1 ---][- h=2 ---]
 *
 * Within a stratum every pair had the same chance to be labelled, so its labels stand
 * for its pairs whatever the chances were; the strata's sizes are known. What the judge
 * ruled is not used at all, only how sure it was.
 *
 * Exchanging the answers turns y into 1 - y and leaves doubts: the estimate becomes one
 * minus itself with the same error.
 */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "stats/human.h"
#include "stats/special.h"

enum { STRATUM_MIN_LABELS = 5 };

typedef struct strata_row {
    double doubt, y;
} strata_row;

/* Sums of one stratum. */
typedef struct stratum {
    int64_t n, n_labels; /* pairs, labelled ones */
    double sum, squares;
} stratum;

static int by_falling_doubt(const void *left, const void *right) {
    const strata_row *a = left, *b = right;
    if (a->doubt != b->doubt) return a->doubt < b->doubt ? 1 : -1;
    double x = isnan(a->y) ? 2 : a->y, y = isnan(b->y) ? 2 : b->y;
    return (x > y) - (x < y);
}

static void add(stratum *to, const stratum *s) {
    to->n += s->n;
    to->n_labels += s->n_labels;
    to->sum += s->sum;
    to->squares += s->squares;
}

/* Strata of sorted rows into h [n]; their number. */
static int64_t split(const strata_row *rows, int64_t n, bool may_merge, stratum *h) {
    int64_t n_strata = 0;
    for (int64_t i = 0; i < n; i++) {
        bool is_new = i == 0 || rows[i - 1].doubt - rows[i].doubt > 1e-9;
        if (is_new && may_merge && n_strata &&
            h[n_strata - 1].n_labels < STRATUM_MIN_LABELS)
            is_new = false;
        if (is_new) h[n_strata++] = (stratum){0};
        stratum *s = &h[n_strata - 1];
        s->n++;
        if (isnan(rows[i].y)) continue;
        s->n_labels++;
        s->sum += rows[i].y;
        s->squares += rows[i].y * rows[i].y;
    }
    if (may_merge && n_strata > 1 && h[n_strata - 1].n_labels < STRATUM_MIN_LABELS) {
        add(&h[n_strata - 2], &h[n_strata - 1]);
        n_strata--;
    }
    return n_strata;
}

static void finish(const stratum *h, int64_t n_strata, double level, stats_human *out) {
    double all = (double)out->n, estimate = 0, variance = 0, within = 0, between = 0;
    for (int64_t k = 0; k < n_strata; k++)
        estimate += (double)h[k].n / all * (h[k].sum / (double)h[k].n_labels);
    for (int64_t k = 0; k < n_strata; k++) {
        double n = (double)h[k].n_labels, weight = (double)h[k].n / all;
        double mean = h[k].sum / n;
        double s2 = fmax(h[k].squares - n * mean * mean, 0) / (n - 1);
        variance += weight * weight * s2 * (1 / n - 1 / (double)h[k].n);
        within += weight * s2;
        between += weight * (mean - estimate) * (mean - estimate);
    }
    variance += (within + between) / all;
    out->interval.value = fmin(fmax(estimate, 0), 1);
    out->interval.why = STATS_REASON_NONE;
    out->se = sqrt(variance);
    if (out->se < 1e-12) { /* all alike: as much as so many equal labels show */
        out->se = 0;
        out->interval =
            stats_win_rate_interval(out->interval.value, 0, out->n_labels, level);
        return;
    }
    double df = (double)(out->n_labels - n_strata);
    double half = stats_t_two_sided(level, df) * out->se;
    out->interval.low = fmin(fmax(estimate - half, 0), 1);
    out->interval.high = fmin(fmax(estimate + half, 0), 1);
}

stats_human stats_human_stratified(const double *label, const double *doubt, int64_t n,
                                   bool may_merge, double level) {
    stats_human out = {n > 0 ? n : 0, 0,   NAN,
                       NAN,           NAN, {NAN, NAN, NAN, STATS_REASON_NO_ROWS}};
    if (n <= 0) return out;
    strata_row *rows = mem_alloc((size_t)n, sizeof *rows);
    stratum *h = mem_alloc((size_t)n, sizeof *h);
    out.interval.why = STATS_REASON_OUT_OF_RANGE;
    bool ok = rows && h && level > 0 && level < 1;
    for (int64_t i = 0; ok && i < n; i++) {
        rows[i] = (strata_row){doubt[i], label[i]};
        ok = !isnan(doubt[i]) && (isnan(label[i]) || (label[i] >= 0 && label[i] <= 1));
        out.n_labels += !isnan(label[i]);
    }
    if (ok) {
        qsort(rows, (size_t)n, sizeof *rows, by_falling_doubt);
        int64_t n_strata = split(rows, n, may_merge, h);
        out.interval.why = STATS_REASON_TOO_FEW_QUESTIONS;
        bool enough = true;
        for (int64_t k = 0; k < n_strata; k++)
            enough = enough && h[k].n_labels >= STRATUM_MIN_LABELS;
        if (enough) finish(h, n_strata, level, &out);
    }
    mem_free(rows);
    mem_free(h);
    return out;
}
