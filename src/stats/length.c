/* SPDX-License-Identifier: MIT
 *
 * Length control: a logistic regression with two parameters, by Newton's method.
 *
 * The rows are read again in every step instead of being copied; with the answers
 * exchanged (value -> 1 - value, excess -> -excess) the intercept changes its sign and
 * the slope stays, since s is taken around 0 and tanh is odd. So the mirror law holds.
 *
 *   score of a row   (value - p) (1, x)          x = tanh(excess / s)
 *   information      p (1 - p) (1, x)(1, x)^T    summed over rows
 *   covariance       A^-1 (G/(G-1) sum_g S_g S_g^T + P) A^-1, as in bt.c
 *
 * Values between 0 and 1 are used as they are (quasi-likelihood): the sandwich does not
 * need them to be yes or no.
 *
 * Left out: terms for the difficulty of single questions, which need several judged
 * models a question.
 */
#include "stats/length.h"

#include <math.h>

#include "stats/cluster.h"
#include "stats/elementary.h"
#include "stats/solve.h"
#include "stats/special.h"

enum { MAX_STEPS = 100, MAX_HALVINGS = 40 };

#define PRIOR_PRECISION (1.0 / 9.0)
#define FINITE_MAX 30.0

typedef struct model {
    const stats_length_row *rows;
    int64_t n;
    double scale;
    double precision;      /* of the prior on both parameters; 0: none */
    double beta[2];        /* intercept, slope */
    double gradient[2];    /* then the step */
    double information[4]; /* then its factor */
} model;

static double tanh_of(double x) {
    double e = stats_expm1(-2.0 * fabs(x)); /* in (-1, 0] */
    double t = -e / (2.0 + e);
    return x < 0.0 ? -t : t;
}

static double length_term(const model *m, int64_t i) {
    return tanh_of(m->rows[i].excess / m->scale);
}

static double objective(const model *m, const double beta[2]) {
    double sum = -0.5 * m->precision * (beta[0] * beta[0] + beta[1] * beta[1]);
    for (int64_t i = 0; i < m->n; i++) {
        double eta = beta[0] + beta[1] * length_term(m, i), y = m->rows[i].value;
        sum -= y * stats_log1p_exp(-eta) + (1.0 - y) * stats_log1p_exp(eta);
    }
    return sum;
}

static void derivatives(model *m) {
    double *h = m->information;
    for (int k = 0; k < 2; k++)
        m->gradient[k] = -m->precision * m->beta[k];
    h[0] = h[3] = m->precision;
    h[1] = h[2] = 0.0;
    for (int64_t i = 0; i < m->n; i++) {
        double x = length_term(m, i);
        double p = stats_logistic(m->beta[0] + m->beta[1] * x);
        double rest = m->rows[i].value - p, weight = p * (1.0 - p);
        m->gradient[0] += rest;
        m->gradient[1] += rest * x;
        h[0] += weight;
        h[2] += weight * x;
        h[3] += weight * x * x;
    }
}

/* Returns the largest change, 0 at the top. */
static double take_step(model *m, double *value) {
    double scale = 1.0;
    for (int halving = 0; halving < MAX_HALVINGS; halving++, scale *= 0.5) {
        double next[2] = {m->beta[0] + scale * m->gradient[0],
                          m->beta[1] + scale * m->gradient[1]};
        double reached = objective(m, next);
        if (!(reached >= *value - 1e-12 * (1.0 + fabs(*value)))) continue;
        *value = reached;
        m->beta[0] = next[0];
        m->beta[1] = next[1];
        return scale * fmax(fabs(m->gradient[0]), fabs(m->gradient[1]));
    }
    return 0.0;
}

static bool maximise(model *m) {
    m->beta[0] = m->beta[1] = 0.0;
    double value = objective(m, m->beta);
    bool is_last = false;
    for (int step = 0; step < MAX_STEPS; step++) {
        derivatives(m);
        if (!stats_cholesky(m->information, 2)) return false;
        if (is_last) return true;
        stats_cholesky_solve(m->information, 2, m->gradient);
        double change = take_step(m, &value);
        if (!(fabs(m->beta[0]) < FINITE_MAX && fabs(m->beta[1]) < FINITE_MAX))
            return false;
        is_last = change < 1e-9;
    }
    return false;
}

/* Diagonal of the covariance at the solution. */
static void variances(const model *m, int64_t n_clusters, double variance[2]) {
    double sum[2] = {0, 0}, meat[3] = {0, 0, 0}; /* 00, 01, 11 */
    for (int64_t i = 0; i < m->n; i++) {
        double x = length_term(m, i);
        double rest = m->rows[i].value - stats_logistic(m->beta[0] + m->beta[1] * x);
        sum[0] += rest;
        sum[1] += rest * x;
        if (i + 1 < m->n && m->rows[i + 1].cluster == m->rows[i].cluster) continue;
        meat[0] += sum[0] * sum[0];
        meat[1] += sum[0] * sum[1];
        meat[2] += sum[1] * sum[1];
        sum[0] = sum[1] = 0.0;
    }
    double bread[4], questions = (double)n_clusters;
    double factor = questions / (questions - 1.0);
    stats_cholesky_inverse(m->information, 2, bread);
    double a = factor * meat[0] + m->precision, b = factor * meat[1];
    double c = factor * meat[2] + m->precision;
    for (int k = 0; k < 2; k++) {
        double u = bread[2 * k], v = bread[2 * k + 1];
        variance[k] = u * u * a + 2.0 * u * v * b + v * v * c;
    }
}

static void fit(const stats_length_row *rows, double level, stats_length *r) {
    model m = {.rows = rows, .n = r->n, .scale = r->scale};
    if (!maximise(&m)) {
        r->penalised = true;
        m.precision = PRIOR_PRECISION;
        r->win_rate.why = STATS_REASON_NOT_CONVERGED;
        if (!maximise(&m)) return;
    }
    r->win_rate.value = stats_logistic(m.beta[0]);
    r->slope = m.beta[1];
    r->win_rate.why = STATS_REASON_TOO_FEW_QUESTIONS;
    if (r->n_clusters < 3) return;
    double variance[2];
    variances(&m, r->n_clusters, variance);
    r->slope_se = sqrt(variance[1]);
    double half =
        stats_t_two_sided(level, (double)(r->n_clusters - 2)) * sqrt(variance[0]);
    r->win_rate.low = stats_logistic(m.beta[0] - half);
    r->win_rate.high = stats_logistic(m.beta[0] + half);
    r->win_rate.why = STATS_REASON_NONE;
}

stats_length stats_length_control(const stats_length_row *rows, int64_t n,
                                  double level) {
    stats_length r = {.n = n > 0 ? n : 0,
                      .one_sided = NAN,
                      .win_rate = {NAN, NAN, NAN, STATS_REASON_NO_ROWS},
                      .slope = NAN,
                      .slope_se = NAN};
    stats_cluster plain;
    double squares = 0.0;
    stats_cluster_init(&plain);
    for (int64_t i = 0; i < n; i++) {
        double d = rows[i].excess;
        r.win_rate.why = STATS_REASON_OUT_OF_RANGE;
        if (!(rows[i].value >= 0.0 && rows[i].value <= 1.0) || !isfinite(d)) return r;
        stats_cluster_add(&plain, rows[i].cluster, rows[i].value);
        squares += d * d;
        r.n_longer_1 += d > 0.0;
        r.n_longer_2 += d < 0.0;
        r.n_equal += d == 0.0;
    }
    if (n <= 0) return r;
    int64_t most = r.n_longer_1 > r.n_longer_2 ? r.n_longer_1 : r.n_longer_2;
    r.n_clusters = plain.n_clusters;
    r.one_sided = (double)most / (double)n;
    r.warn_one_sided = r.one_sided > STATS_LENGTH_ONE_SIDED_MAX;
    r.scale = sqrt(squares / (double)n);
    if (r.scale > 0.0)
        fit(rows, level, &r);
    else
        r.win_rate = stats_cluster_interval(&plain, level);
    return r;
}
