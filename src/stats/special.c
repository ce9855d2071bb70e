/* SPDX-License-Identifier: MIT
 *
 * Incomplete beta and gamma functions, and the distributions that are these functions
 * in other variables.
 *
 * Both tails are always computed together, the smaller one directly, by the power
 * series or the continued fraction that converges there (Abramowitz and Stegun, 26.5.8,
 * 6.5.29, 6.5.31; continued fractions by Lentz's method as modified by Thompson and
 * Barnett, J. Comput. Phys. 64, 1986). The factor in front comes from the saddle-point
 * form in elementary.c, which keeps its digits for large shapes.
 *
 * Inverses solve log(tail(u)) = log(target) by Newton steps kept inside a bracket,
 * where u is log x for the gamma, logit x for the beta and x itself for t: there the
 * tails are log-concave and the derivative of the tail is the factor in front.
 *
 * Left out: complex arguments, non-central distributions, shapes above 1e9.
 */
#include "stats/special.h"

#include <math.h>

#include "stats/elementary.h"

enum { MAX_TERMS = 200000, MAX_STEPS = 200 };

#define TINY 1e-300 /* keeps Lentz's divisions away from 0 */
#define EPS 1e-16

typedef struct tails {
    double lower, upper; /* they add up to 1 */
    double slope;        /* d lower / du in the variable of the inverse */
} tails;

static const tails no_tails = {NAN, NAN, NAN};

double stats_log_gamma(double x) {
    if (!(x > 0.0)) return NAN;
    if (isinf(x)) return x;
    return 0.5 * stats_log(2.0 * STATS_PI / x) + x * (stats_log(x) - 1.0) +
           stats_stirling_error(x);
}

/* Upper tail of the gamma distribution over the factor, x > a + 1. */
static double gamma_fraction(double a, double x) {
    double b = x + 1.0 - a;
    double c = 1.0 / TINY, d = 1.0 / b, value = d;
    for (int i = 1; i < MAX_TERMS; i++) {
        double an = -i * (i - a);
        b += 2.0;
        d = an * d + b;
        if (fabs(d) < TINY) d = TINY;
        c = b + an / c;
        if (fabs(c) < TINY) c = TINY;
        d = 1.0 / d;
        double step = d * c;
        value *= step;
        if (fabs(step - 1.0) < EPS) break;
    }
    return value;
}

static double gamma_series(double a, double x) {
    double term = 1.0 / a, sum = term;
    for (int i = 1; i < MAX_TERMS; i++) {
        term *= x / (a + i);
        sum += term;
        if (term < sum * EPS) break;
    }
    return sum;
}

static tails gamma_tails(double a, double x) {
    if (!(a > 0.0) || !(x >= 0.0)) return no_tails;
    if (x == 0.0) return (tails){0.0, 1.0, 0.0};
    if (isinf(x)) return (tails){1.0, 0.0, 0.0};
    /* x^a e^-x / Gamma(a) */
    double front = sqrt(a / (2.0 * STATS_PI)) *
                   stats_exp(-stats_deviance(a, x) - stats_stirling_error(a));
    tails t = {.slope = front};
    if (x < a + 1.0) {
        t.lower = fmin(front * gamma_series(a, x), 1.0);
        t.upper = 1.0 - t.lower;
    } else {
        t.upper = fmin(front * gamma_fraction(a, x), 1.0);
        t.lower = 1.0 - t.upper;
    }
    return t;
}

/* I_x(a, b) over the factor x^a y^b / B(a, b), for x below the mean: the even part of
 * the usual fraction (A. R. DiDonato, A. H. Morris, ACM Trans. Math. Softw. 18, 1992,
 * equation 9), whose terms do not cancel when x is near 1. */
static double beta_fraction(double a, double b, double x, double y) {
    double above = x > y ? (a + b) * y - b : a - (a + b) * x; /* a - (a + b) x */
    double down = a / (a + 1.0) * (above + 1.0);
    double c = 1.0 / TINY, d = 1.0 / down, value = d;
    for (int i = 1; i < MAX_TERMS; i++) {
        double n = i, at = a + 2.0 * n;
        double spread = n * (b - n) * x / (at - 1.0);
        double up = (a + n - 1.0) * (a + b + n - 1.0) / (at - 1.0) * x * spread;
        down = n + spread + (a + n) / (at + 1.0) * (above + 1.0 + n * (1.0 + y));
        d = down + up * d;
        if (fabs(d) < TINY) d = TINY;
        c = down + up / c;
        if (fabs(c) < TINY) c = TINY;
        d = 1.0 / d;
        double step = d * c;
        value *= step;
        if (fabs(step - 1.0) < EPS) break;
    }
    return value;
}

/* y = 1 - x is given apart, so that neither loses digits near 0. */
static tails beta_tails(double a, double b, double x, double y) {
    if (!(a > 0.0) || !(b > 0.0) || !(x >= 0.0) || !(y >= 0.0)) return no_tails;
    if (x == 0.0) return (tails){0.0, 1.0, 0.0};
    if (y == 0.0) return (tails){1.0, 0.0, 0.0};
    double n = a + b;
    double front = sqrt(a / n * b / (2.0 * STATS_PI)) *
                   stats_exp(stats_stirling_error(n) - stats_stirling_error(a) -
                             stats_stirling_error(b) - stats_deviance(a, n * x) -
                             stats_deviance(b, n * y));
    tails t = {.slope = front};
    if (x < (a + 1.0) / (n + 2.0)) {
        t.lower = fmin(front * beta_fraction(a, b, x, y), 1.0);
        t.upper = 1.0 - t.lower;
    } else {
        t.upper = fmin(front * beta_fraction(b, a, y, x), 1.0);
        t.lower = 1.0 - t.upper;
    }
    return t;
}

double stats_beta_cdf(double x, double a, double b) {
    return beta_tails(a, b, x, 1.0 - x).lower;
}

double stats_beta_sf(double x, double a, double b) {
    return beta_tails(a, b, x, 1.0 - x).upper;
}

double stats_gamma_cdf(double x, double a) {
    return gamma_tails(a, x).lower;
}

double stats_gamma_sf(double x, double a) {
    return gamma_tails(a, x).upper;
}

double stats_chi2_sf(double x, double df) {
    return gamma_tails(0.5 * df, 0.5 * x).upper;
}

double stats_f_sf(double x, double df_1, double df_2) {
    if (!(x >= 0.0)) return NAN;
    if (isinf(x)) return 0.0;
    double a = df_1 * x, n = a + df_2;
    return beta_tails(0.5 * df_1, 0.5 * df_2, a / n, df_2 / n).upper;
}

static tails normal_tails(double z) {
    if (isnan(z)) return no_tails;
    tails g = gamma_tails(0.5, 0.5 * z * z);
    double density = stats_exp(-0.5 * z * z) / sqrt(2.0 * STATS_PI);
    double outer = 0.5 * g.upper, inner = 0.5 + 0.5 * g.lower;
    return z < 0.0 ? (tails){outer, inner, density} : (tails){inner, outer, density};
}

static tails t_tails(double t, double df) {
    if (isinf(df) && df > 0.0) return normal_tails(t);
    if (!(df > 0.0) || isnan(t)) return no_tails;
    /* u = df / (df + t^2) is beta(df/2, 1/2); written so that t^2 cannot overflow */
    double ratio = t / sqrt(df), square = ratio * ratio;
    double u = 1.0 / (1.0 + square);
    double v = isinf(square) ? 1.0 : square / (1.0 + square);
    tails g = beta_tails(0.5 * df, 0.5, u, v);
    /* dI/dlogit(u) = slope, and |dlogit(u)/dt| = 2/|t| */
    double density = t == 0.0 ? NAN : g.slope / fabs(t);
    double outer = 0.5 * g.lower, inner = 0.5 + 0.5 * g.upper;
    return t < 0.0 ? (tails){outer, inner, density} : (tails){inner, outer, density};
}

double stats_normal_cdf(double z) {
    return normal_tails(z).lower;
}

double stats_t_cdf(double t, double df) {
    return t_tails(t, df).lower;
}

/* What an inverse is taken of: tails at u, and the two shapes. */
typedef struct inverse {
    tails (*at)(double u, double a, double b);
    double a, b;
    double low, high; /* a bracket of the solution in u */
} inverse;

/* The u whose lower tail is p, or whose upper tail is q = 1 - p, whichever is smaller.
 */
static double inverse_solve(const inverse *f, double p, double q, double start) {
    double low = f->low, high = f->high, u = start;
    double target = stats_log(fmin(p, q));
    for (int i = 0; i < MAX_STEPS; i++) {
        tails t = f->at(u, f->a, f->b);
        double tail = p < q ? t.lower : t.upper;
        double miss = stats_log(tail) - target; /* > 0: the tail is too large */
        if ((miss > 0.0) == (p < q))
            high = u;
        else
            low = u;
        double step = -miss * tail / (p < q ? t.slope : -t.slope);
        if (fabs(step) <= 2e-16 * (1e-3 + fabs(u))) return u + step;
        double next = u + step;
        if (!(next > low && next < high)) next = 0.5 * (low + high);
        if (next == u) return u; /* the bracket has no double inside */
        u = next;
    }
    return u;
}

static tails normal_at(double u, double a, double b) {
    (void)a;
    (void)b;
    return normal_tails(u);
}

static tails t_at(double u, double a, double b) {
    (void)b;
    return t_tails(u, a);
}

static tails gamma_at(double u, double a, double b) {
    (void)b;
    return gamma_tails(a, stats_exp(u));
}

static tails beta_at(double u, double a, double b) {
    return beta_tails(a, b, stats_logistic(u), stats_logistic(-u));
}

double stats_normal_quantile(double p) {
    if (!(p >= 0.0 && p <= 1.0)) return NAN;
    if (p == 0.0 || p == 1.0) return p == 0.0 ? -INFINITY : INFINITY;
    if (p == 0.5) return 0.0;
    inverse f = {normal_at, 0, 0, -40.0, 40.0};
    return inverse_solve(&f, p, 1.0 - p, p < 0.5 ? -1.0 : 1.0);
}

double stats_t_quantile(double p, double df) {
    if (!(p >= 0.0 && p <= 1.0) || !(df > 0.0)) return NAN;
    if (isinf(df)) return stats_normal_quantile(p);
    if (p == 0.0 || p == 1.0) return p == 0.0 ? -INFINITY : INFINITY;
    if (p == 0.5) return 0.0;
    inverse f = {t_at, df, 0, -1e30, 1e30};
    double sign = p < 0.5 ? -1.0 : 1.0;
    /* heavy tails: double until the target is passed, so that Newton starts near */
    double outer = 1.0, tail = fmin(p, 1.0 - p);
    while (outer < 1e30 && t_tails(-outer, df).lower > tail)
        outer *= 2.0;
    f.low = sign < 0.0 ? -outer : (outer > 1.0 ? 0.5 * outer : 0.0);
    f.high = sign < 0.0 ? (outer > 1.0 ? -0.5 * outer : 0.0) : outer;
    return inverse_solve(&f, p, 1.0 - p, sign * 0.75 * outer);
}

double stats_gamma_quantile(double p, double a) {
    if (!(p >= 0.0 && p <= 1.0) || !(a > 0.0)) return NAN;
    if (p == 0.0 || p == 1.0) return p == 0.0 ? 0.0 : INFINITY;
    inverse f = {gamma_at, a, 0, -708.0, 50.0};
    return stats_exp(inverse_solve(&f, p, 1.0 - p, stats_log(a)));
}

double stats_beta_quantile(double p, double a, double b) {
    if (!(p >= 0.0 && p <= 1.0) || !(a > 0.0) || !(b > 0.0)) return NAN;
    if (p == 0.0 || p == 1.0) return p;
    inverse f = {beta_at, a, b, -708.0, 708.0};
    return stats_logistic(inverse_solve(&f, p, 1.0 - p, stats_log(a / b)));
}

double stats_binomial_pmf(double k, double n, double p) {
    if (!(k >= 0.0 && k <= n) || !(p >= 0.0 && p <= 1.0)) return NAN;
    double q = 1.0 - p;
    if (p == 0.0 || q == 0.0) return (p == 0.0 ? k == 0.0 : k == n) ? 1.0 : 0.0;
    if (k == 0.0) return stats_exp(n * stats_log1p(-p));
    if (k == n) return stats_exp(n * stats_log(p));
    double exponent = stats_stirling_error(n) - stats_stirling_error(k) -
                      stats_stirling_error(n - k) - stats_deviance(k, n * p) -
                      stats_deviance(n - k, n * q);
    return stats_exp(exponent) * sqrt(n / (2.0 * STATS_PI * k * (n - k)));
}

double stats_binomial_cdf(double k, double n, double p) {
    if (!(k >= 0.0 && k <= n)) return NAN;
    return k == n ? 1.0 : beta_tails(n - k, k + 1.0, 1.0 - p, p).lower;
}

double stats_binomial_sf(double k, double n, double p) {
    if (!(k >= 0.0 && k <= n)) return NAN;
    return k == 0.0 ? 1.0 : beta_tails(k, n - k + 1.0, p, 1.0 - p).lower;
}

double stats_normal_two_sided(double level) {
    return -stats_normal_quantile(0.5 * (1.0 - level));
}

double stats_t_two_sided(double level, double df) {
    return -stats_t_quantile(0.5 * (1.0 - level), df);
}
