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
 * Left out: several labels a pair (their majority is the label), several pairs a
 * question, estimates for choices of pairs that depend on earlier labels.
 */
#include "stats/human.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/rng.h"
#include "stats/special.h"
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
    return (stats_human){n > 0 ? n : 0, 0, NAN, NAN, NAN, {NAN, NAN, NAN, why}};
}

static void finish(stats_human *h, double estimate, double variance, int64_t df,
                   double level) {
    h->interval.value = fmin(fmax(estimate, 0.0), 1.0);
    h->se = sqrt(fmax(variance, 0.0));
    h->interval.why = STATS_REASON_NONE;
    if (h->se < 1e-12) { /* all alike: as much as so many equal labels show */
        h->se = 0.0;
        h->interval =
            stats_win_rate_interval(h->interval.value, 0.0, h->n_labels, level);
        return;
    }
    double half = stats_t_two_sided(level, (double)df) * h->se;
    h->interval.low = fmin(fmax(estimate - half, 0.0), 1.0);
    h->interval.high = fmin(fmax(estimate + half, 0.0), 1.0);
}

stats_human stats_human_random(const double *judge, const double *label, int64_t n,
                               double level) {
    moments m;
    if (n <= 0) return nothing(n, STATS_REASON_NO_ROWS);
    if (!(level > 0.0 && level < 1.0) || !moments_of(judge, label, n, &m))
        return nothing(n, STATS_REASON_OUT_OF_RANGE);
    stats_human h = nothing(n, STATS_REASON_TOO_FEW_QUESTIONS);
    h.n_labels = m.n;
    h.judge_mean = m.judge_mean;
    if (m.n < 3) return h;
    double labels = (double)m.n, all = (double)n;
    h.lambda = m.ff > 1e-12 ? fmin(fmax(m.yf / m.ff, 0.0), 1.0) : 0.0;
    double estimate = m.mean_y + h.lambda * (m.judge_mean - m.mean_f);
    double rest = m.yy - 2.0 * h.lambda * m.yf + h.lambda * h.lambda * m.ff;
    double variance = fmax(rest, 0.0) / (labels - 1.0) * (1.0 / labels - 1.0 / all) +
                      m.yy / (labels - 1.0) / all;
    finish(&h, estimate, variance, m.n - 2, level);
    return h;
}

stats_human stats_human_active(const double *judge, const double *label,
                               const double *p_select, int64_t n, double level) {
    if (n <= 0) return nothing(n, STATS_REASON_NO_ROWS);
    stats_human h = nothing(n, STATS_REASON_OUT_OF_RANGE);
    stats_dd weights = {0, 0}, residuals = {0, 0}, all = {0, 0};
    int64_t n_labels = 0;
    if (!(level > 0.0 && level < 1.0)) return h;
    for (int64_t i = 0; i < n; i++) {
        double f = judge[i], y = label[i], p = p_select[i];
        if (!is_share(f) || !(isnan(y) || (is_share(y) && p > 0.0 && p <= 1.0)))
            return h;
        all = stats_dd_add(all, f);
        if (isnan(y)) continue;
        weights = stats_dd_add(weights, 1.0 / p);
        residuals = stats_dd_add(residuals, (y - f) / p);
        n_labels++;
    }
    h.n_labels = n_labels;
    h.judge_mean = stats_dd_value(all) / (double)n;
    h.interval.why = STATS_REASON_TOO_FEW_QUESTIONS;
    if (n_labels < 2) return h;
    h.lambda = 1.0;
    /* the weighted residuals around r sum to 0, so mean z is the judge's mean plus r */
    double r = stats_dd_value(residuals) / stats_dd_value(weights);
    double estimate = h.judge_mean + r;
    stats_dd squares = {0, 0};
    for (int64_t i = 0; i < n; i++) {
        double z = judge[i] - h.judge_mean;
        if (!isnan(label[i])) z += (label[i] - judge[i] - r) / p_select[i];
        squares = stats_dd_add_product(squares, z, z);
    }
    double all_pairs = (double)n;
    double variance = stats_dd_value(squares) / (all_pairs - 1.0) / all_pairs;
    finish(&h, estimate, variance, n_labels - 1, level);
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
