/* SPDX-License-Identifier: MIT
 *
 * Tests on counts and over bins, and corrections for asking many questions.
 *
 * A binomial tail at 1/2 is an incomplete beta function, so the sign test is exact for
 * any count without summing. The distribution is symmetric: the two-sided p value is
 * twice the smaller tail, which is also the sum of all outcomes no likelier than the
 * observed one.
 *
 * Fisher's test sums hypergeometric probabilities, each a quotient of three binomial
 * ones at the same share, where the large factors cancel:
 *
 *   P(x) = B(x; r, p) B(c - x; n - r, p) / B(c; n, p),   p = c / n
 *
 * Adjusted p values are written in two passes over the output array alone: first the
 * factor that a value's rank gives it, then the running maximum (Holm) or minimum
 * (Benjamini-Hochberg), which may be taken in place because it is idempotent.
 *
 * Left out: one-sided tests, mid-p values.
 */
#include "stats/test.h"

#include <math.h>

#include "base/mem.h"
#include "base/rng.h"
#include "stats/special.h"
#include "stats/sum.h"

double stats_sign_test(int64_t n_plus, int64_t n_minus) {
    if (n_plus < 0 || n_minus < 0) return NAN;
    if (n_plus == n_minus) return 1.0;
    double few = (double)(n_plus < n_minus ? n_plus : n_minus);
    double n = (double)n_plus + (double)n_minus;
    return fmin(1.0, 2.0 * stats_binomial_cdf(few, n, 0.5));
}

double stats_mcnemar(int64_t n_yes_no, int64_t n_no_yes) {
    return stats_sign_test(n_yes_no, n_no_yes);
}

/* P(x) for row total r, column total c of n. */
static double hypergeometric(double x, double r, double c, double n) {
    double p = c / n;
    return stats_binomial_pmf(x, r, p) * stats_binomial_pmf(c - x, n - r, p) /
           stats_binomial_pmf(c, n, p);
}

static double fisher_p(double a, double r, double c, double n) {
    double observed = hypergeometric(a, r, c, n);
    double sum = 0.0;
    for (double x = fmax(0.0, r + c - n); x <= fmin(r, c); x += 1.0) {
        double p = hypergeometric(x, r, c, n);
        /* tables of equal probability may differ by rounding */
        if (p <= observed * (1.0 + 1e-10)) sum += p;
    }
    return fmin(sum, 1.0);
}

stats_fourfold stats_fisher(int64_t a, int64_t b, int64_t c, int64_t d) {
    stats_fourfold r = {0, NAN, NAN, STATS_REASON_OUT_OF_RANGE};
    if (a < 0 || b < 0 || c < 0 || d < 0) return r;
    r.n = a + b + c + d;
    r.why = STATS_REASON_NO_ROWS;
    if (r.n == 0) return r;
    double row_1 = (double)(a + b), row_2 = (double)(c + d);
    double column_1 = (double)(a + c), column_2 = (double)(b + d);
    r.p = 1.0;
    r.why = STATS_REASON_NO_VARIANCE;
    if (row_1 == 0.0 || row_2 == 0.0 || column_1 == 0.0 || column_2 == 0.0) return r;
    r.p = fisher_p((double)a, row_1, column_1, (double)r.n);
    double cross = (double)a * (double)d - (double)b * (double)c;
    r.phi = cross / (sqrt(row_1 * row_2) * sqrt(column_1 * column_2));
    r.why = STATS_REASON_NONE;
    return r;
}

stats_trend stats_trend_shares(const int64_t *hits, const int64_t *totals, int n_bins) {
    stats_trend r = {NAN, NAN, STATS_REASON_OUT_OF_RANGE};
    double n = 0, n_hits = 0, sum = 0, squares = 0, cross = 0;
    for (int i = 0; i < n_bins; i++) {
        if (hits[i] < 0 || hits[i] > totals[i]) return r;
        double total = (double)totals[i], hit = (double)hits[i];
        n += total;
        n_hits += hit;
        sum += total * i;
        squares += total * i * i;
        cross += hit * i;
    }
    r.why = STATS_REASON_NO_ROWS;
    if (n == 0.0) return r;
    double p = n_hits / n, spread = squares - sum * sum / n;
    r.why = STATS_REASON_NO_VARIANCE;
    if (p == 0.0 || p == 1.0 || !(spread > 1e-12 * squares)) return r;
    r.statistic = (cross - p * sum) / sqrt(p * (1.0 - p) * spread);
    r.p = 2.0 * stats_normal_cdf(-fabs(r.statistic));
    r.why = STATS_REASON_NONE;
    return r;
}

static double mean_of(const double *x, int64_t n) {
    stats_dd sum = {0, 0};
    for (int64_t i = 0; i < n; i++)
        sum = stats_dd_add(sum, x[i]);
    return stats_dd_value(sum) / (double)n;
}

/* sum of a_i b_i for centred values. */
static double dot(const double *a, const double *b, int64_t n) {
    double sum = 0.0;
    for (int64_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static void shuffle(double *x, int64_t n, eh_rng *rng) {
    for (int64_t i = n - 1; i > 0; i--) {
        uint64_t j = rng_below(rng, (uint64_t)i + 1);
        double swap = x[i];
        x[i] = x[j];
        x[j] = swap;
    }
}

/* Share of permutations with a dot product at least as large; `x` is shuffled. */
static double permutation_p(double *x, const double *y, int64_t n, int n_resamples,
                            uint64_t seed) {
    double observed = fabs(dot(x, y, n));
    double slack = 1e-12 * sqrt(dot(x, x, n) * dot(y, y, n));
    int64_t n_extreme = 1;
    for (int r = 0; r < n_resamples; r++) {
        eh_rng rng = rng_make(seed, "stats.permutation", (uint64_t)r);
        shuffle(x, n, &rng);
        if (fabs(dot(x, y, n)) >= observed - slack) n_extreme++;
    }
    return (double)n_extreme / (double)(n_resamples + 1);
}

eh_status stats_trend_permutation(const double *values, const double *bins, int64_t n,
                                  int n_resamples, uint64_t seed, stats_trend *result,
                                  eh_error *err) {
    *result = (stats_trend){NAN, NAN, STATS_REASON_NO_ROWS};
    if (n <= 0 || n_resamples < 1) return EH_STATUS_OK;
    double *x = mem_alloc((size_t)n, sizeof *x);
    double *y = mem_alloc((size_t)n, sizeof *y);
    eh_status status = EH_STATUS_OK;
    if (!x || !y) {
        status = EH_NOMEM(err);
        goto done;
    }
    double x_mean = mean_of(values, n), y_mean = mean_of(bins, n);
    for (int64_t i = 0; i < n; i++) {
        x[i] = values[i] - x_mean;
        y[i] = bins[i] - y_mean;
    }
    double x_spread = dot(x, x, n), y_spread = dot(y, y, n);
    result->why = STATS_REASON_NO_VARIANCE;
    if (!(x_spread > 1e-24 * (double)n) || !(y_spread > 1e-24 * (double)n)) goto done;
    /* the permutation variance of the dot product is x_spread y_spread / (n - 1) */
    result->statistic = dot(x, y, n) / sqrt(x_spread * y_spread / (double)(n - 1));
    result->p = permutation_p(x, y, n, n_resamples, seed);
    result->why = STATS_REASON_NONE;
done:
    mem_free(x);
    mem_free(y);
    return status;
}

/* Whether p[j] stands before p[i] in rising order; equal ones by position. */
static bool before(const double *p, int j, int i) {
    return p[j] < p[i] || (p[j] == p[i] && j < i);
}

static int rank_of(const double *p, int n, int i) {
    int rank = 0;
    for (int j = 0; j < n; j++)
        if (before(p, j, i)) rank++;
    return rank;
}

void stats_holm(const double *p, double *adjusted, int n) {
    for (int i = 0; i < n; i++)
        adjusted[i] = fmin(1.0, (n - rank_of(p, n, i)) * p[i]);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (before(p, j, i)) adjusted[i] = fmax(adjusted[i], adjusted[j]);
}

void stats_benjamini_hochberg(const double *p, double *adjusted, int n) {
    for (int i = 0; i < n; i++)
        adjusted[i] = fmin(1.0, p[i] * n / (rank_of(p, n, i) + 1));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (before(p, i, j)) adjusted[i] = fmin(adjusted[i], adjusted[j]);
}
