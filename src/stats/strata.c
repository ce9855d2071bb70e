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
#include "stats/influence.h"

enum { STRATUM_MIN_LABELS = 5 };

typedef struct strata_row {
    double doubt, y;
    int64_t pair;
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

/* N times the part of every pair, into part [n]. */
static void parts_of(const strata_row *rows, const stratum *h, int64_t n_strata,
                     double estimate, double *part) {
    for (int64_t k = 0; k < n_strata; k++) {
        double mean = h[k].sum / (double)h[k].n_labels;
        double times = (double)h[k].n / (double)h[k].n_labels;
        for (int64_t i = 0; i < h[k].n; i++, rows++)
            part[rows->pair] =
                mean - estimate + (isnan(rows->y) ? 0 : times * (rows->y - mean));
    }
}

static void finish(const strata_row *rows, const stratum *h, int64_t n_strata,
                   const stats_human_data *data, double level, double *part,
                   stats_human *out) {
    double all = (double)out->n, estimate = 0, drawn = 0, within = 0, between = 0;
    for (int64_t k = 0; k < n_strata; k++)
        estimate += (double)h[k].n / all * (h[k].sum / (double)h[k].n_labels);
    for (int64_t k = 0; k < n_strata; k++) {
        double n = (double)h[k].n_labels, weight = (double)h[k].n / all;
        double mean = h[k].sum / n;
        double s2 = fmax(h[k].squares - n * mean * mean, 0) / (n - 1);
        drawn += weight * weight * s2 * (1 / n - 1 / (double)h[k].n);
        within += weight * s2;
        between += weight * (mean - estimate) * (mean - estimate);
    }
    stats_influence x = {0};
    parts_of(rows, h, n_strata, estimate, part);
    for (int64_t i = 0; i < out->n; i++)
        stats_influence_add(&x, data, i, part[i]);
    out->se_labels = sqrt(drawn);
    double variance = stats_influence_variance(&x, drawn + (within + between) / all);
    stats_influence_close(&x, estimate, variance, out->n_labels - n_strata, level, out);
}

static void estimate_strata(const stats_human_data *data, bool may_merge, double level,
                            strata_row *rows, stratum *h, double *part,
                            stats_human *out) {
    for (int64_t i = 0; i < data->n; i++) {
        double doubt = data->doubt[i], y = data->label[i];
        rows[i] = (strata_row){doubt, y, i};
        if (isnan(doubt) || !(isnan(y) || (y >= 0 && y <= 1))) return;
        out->n_labels += !isnan(y);
    }
    qsort(rows, (size_t)data->n, sizeof *rows, by_falling_doubt);
    int64_t n_strata = split(rows, data->n, may_merge, h);
    out->interval.why = STATS_REASON_TOO_FEW_QUESTIONS;
    for (int64_t k = 0; k < n_strata; k++)
        if (h[k].n_labels < STRATUM_MIN_LABELS) return;
    finish(rows, h, n_strata, data, level, part, out);
}

stats_human stats_human_stratified(const stats_human_data *data, bool may_merge,
                                   double level) {
    stats_human out = {.judge_mean = NAN,
                       .lambda = NAN,
                       .se = NAN,
                       .se_labels = NAN,
                       .interval = {NAN, NAN, NAN, STATS_REASON_NO_ROWS}};
    if (data->n <= 0) return out;
    out.n = data->n;
    out.interval.why = STATS_REASON_OUT_OF_RANGE;
    strata_row *rows = mem_alloc((size_t)data->n, sizeof *rows);
    stratum *h = mem_alloc((size_t)data->n, sizeof *h);
    double *part = mem_alloc((size_t)data->n, sizeof *part);
    if (rows && h && part && level > 0 && level < 1)
        estimate_strata(data, may_merge, level, rows, h, part, &out);
    mem_free(rows);
    mem_free(h);
    mem_free(part);
    return out;
}
