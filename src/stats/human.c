/* SPDX-License-Identifier: MIT
 *
 * Estimates that join a few labels with a judge's ruling on every pair.
 *
 * Both correct the judge's mean by what the labels say about its errors. They differ in
 * how pairs were chosen: with equal chances the labelled are a plain sample, and lambda
 * may be fitted; with chances that follow the judge's uncertainty each label is
 * weighted by the inverse of its chance, which makes the mean of z unbiased whatever
 * the judge is worth.
 *
 * Exchanging the answers (y -> 1 - y, f -> 1 - f) gives 1 - estimate and the same
 * error.
 *
 * Left out: several labels a pair (their majority is the label), what pairs of one
 * question have in common (influence.c), estimates for choices of pairs that depend on
 * earlier labels.
 */
#include "stats/human.h"

#include <math.h>

#include "base/rng.h"
#include "stats/influence.h"
#include "stats/sum.h"

typedef struct moments {
    int64_t n;
    double mean_y, mean_f; /* of the labelled */
    double yy, yf, ff;     /* centred sums */
    double judge_mean;     /* of all */
} moments;

static bool is_share(double x) {
    return x >= 0.0 && x <= 1.0;
}

/* False where a value is out of range. */
static bool moments_of(const double *f, const double *y, int64_t n, moments *m) {
    stats_dd sum_y = {0, 0}, sum_f = {0, 0}, all = {0, 0};
    *m = (moments){0};
    for (int64_t i = 0; i < n; i++) {
        if (!is_share(f[i]) || !(isnan(y[i]) || is_share(y[i]))) return false;
        all = stats_dd_add(all, f[i]);
        if (isnan(y[i])) continue;
        sum_y = stats_dd_add(sum_y, y[i]);
        sum_f = stats_dd_add(sum_f, f[i]);
        m->n++;
    }
    m->judge_mean = stats_dd_value(all) / (double)n;
    m->mean_y = stats_dd_value(sum_y) / (double)m->n;
    m->mean_f = stats_dd_value(sum_f) / (double)m->n;
    for (int64_t i = 0; i < n; i++) {
        if (isnan(y[i])) continue;
        double dy = y[i] - m->mean_y, df = f[i] - m->mean_f;
        m->yy += dy * dy;
        m->yf += dy * df;
        m->ff += df * df;
    }
    return true;
}

static stats_human nothing(int64_t n, stats_reason why) {
    return (stats_human){.n = n > 0 ? n : 0,
                         .judge_mean = NAN,
                         .lambda = NAN,
                         .se = NAN,
                         .se_labels = NAN,
                         .interval = {NAN, NAN, NAN, why}};
}

stats_human stats_human_random(const stats_human_data *data, double level) {
    const double *f = data->judge, *y = data->label;
    moments m;
    if (data->n <= 0) return nothing(data->n, STATS_REASON_NO_ROWS);
    if (!(level > 0.0 && level < 1.0) || !moments_of(f, y, data->n, &m))
        return nothing(data->n, STATS_REASON_OUT_OF_RANGE);
    stats_human h = nothing(data->n, STATS_REASON_TOO_FEW_QUESTIONS);
    h.n_labels = m.n;
    h.judge_mean = m.judge_mean;
    if (m.n < 3) return h;
    double labels = (double)m.n, all = (double)data->n;
    h.lambda = m.ff > 1e-12 ? fmin(fmax(m.yf / m.ff, 0.0), 1.0) : 0.0;
    double estimate = m.mean_y + h.lambda * (m.judge_mean - m.mean_f);
    double rest = m.yy - 2.0 * h.lambda * m.yf + h.lambda * h.lambda * m.ff;
    double drawn = fmax(rest, 0.0) / (labels - 1.0) * (1.0 / labels - 1.0 / all);
    stats_influence x = {0};
    for (int64_t i = 0; i < data->n; i++) {
        double part = h.lambda * (f[i] - m.judge_mean);
        if (!isnan(y[i]))
            part += (y[i] - m.mean_y - h.lambda * (f[i] - m.mean_f)) * (all / labels);
        stats_influence_add(&x, data, i, part);
    }
    double variance = stats_influence_variance(&x, drawn + m.yy / (labels - 1.0) / all);
    h.se_labels = sqrt(drawn);
    stats_influence_close(&x, estimate, variance, m.n - 2, level, &h);
    return h;
}

/* Sums over the labelled, weighted by 1/p; false where a value is out of range. */
static bool weigh(const stats_human_data *data, double *weights, double *residuals,
                  stats_human *h) {
    stats_dd sum_w = {0, 0}, sum_r = {0, 0}, all = {0, 0};
    for (int64_t i = 0; i < data->n; i++) {
        double f = data->judge[i], y = data->label[i], p = data->p_select[i];
        if (!is_share(f) || !(isnan(y) || (is_share(y) && p > 0.0 && p <= 1.0)))
            return false;
        all = stats_dd_add(all, f);
        if (isnan(y)) continue;
        sum_w = stats_dd_add(sum_w, 1.0 / p);
        sum_r = stats_dd_add(sum_r, (y - f) / p);
        h->n_labels++;
    }
    *weights = stats_dd_value(sum_w);
    *residuals = stats_dd_value(sum_r);
    h->judge_mean = stats_dd_value(all) / (double)data->n;
    return true;
}

stats_human stats_human_active(const stats_human_data *data, double level) {
    double weights, residuals, all = (double)data->n;
    if (data->n <= 0) return nothing(data->n, STATS_REASON_NO_ROWS);
    stats_human h = nothing(data->n, STATS_REASON_OUT_OF_RANGE);
    if (!(level > 0.0 && level < 1.0) || !weigh(data, &weights, &residuals, &h)) {
        h.n_labels = 0;
        return h;
    }
    h.interval.why = STATS_REASON_TOO_FEW_QUESTIONS;
    if (h.n_labels < 2) return h;
    h.lambda = 1.0;
    /* the weighted residuals around r sum to 0, so mean z is the judge's mean plus r */
    double r = residuals / weights, drawn = 0;
    stats_dd squares = {0, 0};
    stats_influence x = {0};
    for (int64_t i = 0; i < data->n; i++) {
        double z = data->judge[i] - h.judge_mean, p = data->p_select[i];
        if (!isnan(data->label[i])) {
            double e = (data->label[i] - data->judge[i] - r) / p;
            z += e;
            drawn += (1.0 - p) * e * e;
        }
        squares = stats_dd_add_product(squares, z, z);
        stats_influence_add(&x, data, i, z);
    }
    double variance =
        stats_influence_variance(&x, stats_dd_value(squares) / (all - 1.0) / all);
    h.se_labels = sqrt(drawn) / all;
    stats_influence_close(&x, h.judge_mean + r, variance, h.n_labels - 1, level, &h);
    return h;
}

void stats_active_probabilities(const double *uncertainty, int64_t n, double budget,
                                double *p_select) {
    double all = (double)n, left = fmin(fmax(budget, 0.0), all);
    double total = 0.0;
    for (int64_t i = 0; i < n; i++)
        total += uncertainty[i];
    double wanted = 0.0; /* of pairs below 1 */
    for (int64_t i = 0; i < n; i++) {
        p_select[i] =
            total > 0.0 ? 0.5 / all + 0.5 * uncertainty[i] / total : 1.0 / all;
        wanted += p_select[i];
    }
    /* scale to the budget; who reaches 1 leaves (CERTAIN), the rest shares what is left
     */
    const double CERTAIN = 2.0;
    for (bool is_cut = true; is_cut && wanted > 0.0;) {
        double scale = left / wanted;
        is_cut = false;
        for (int64_t i = 0; i < n; i++) {
            if (p_select[i] == CERTAIN || p_select[i] * scale < 1.0) continue;
            wanted -= p_select[i];
            left -= 1.0;
            p_select[i] = CERTAIN;
            is_cut = true;
        }
    }
    double scale = wanted > 0.0 ? fmax(left, 0.0) / wanted : 0.0;
    for (int64_t i = 0; i < n; i++)
        p_select[i] = p_select[i] == CERTAIN ? 1.0 : p_select[i] * scale;
}

bool stats_active_selected(uint64_t seed, uint64_t content, double p_select) {
    eh_rng rng = rng_make(seed, "stats.active", content);
    return rng_uniform(&rng) < p_select;
}
