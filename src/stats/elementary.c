/* SPDX-License-Identifier: MIT
 *
 * exp and log by argument reduction and their Taylor series; and the two pieces from
 * which every density here is built without cancellation:
 *
 *   Gamma(x + 1) = sqrt(2 pi x) (x/e)^x exp(stirling_error(x))
 *   x^a y^b / B(a, b) = sqrt(a b / (2 pi n)) exp(S(n) - S(a) - S(b))
 *                       exp(-deviance(a, n x) - deviance(b, n y)),   n = a + b
 *
 * C. Loader: Fast and accurate computation of binomial probabilities, 2000 (the
 * saddle-point form, sections 2 and 3). Taking logs of gamma functions apart instead
 * loses as many digits as the arguments have.
 *
 * exp:  x = k ln 2 + r, |r| <= ln(2)/2; 13 terms leave r^14/14! < 5e-18.
 * log:  x = 2^k (1 + f), sqrt(1/2) <= 1 + f < sqrt(2), s = f / (2 + f):
 *       log(1 + f) = 2 atanh(s) = f - h + s (h + R), h = f^2 / 2,
 *       R = 2 (s^2/3 + s^4/5 + ...); s^2 < .0295, so 12 terms are enough.
 *
 * Left out: rounding modes other than to nearest, floating-point exceptions.
 */
#include "stats/elementary.h"

#include <math.h>

/* ln 2 in two parts; the first has 32 trailing zero bits, so k * LN2_HIGH is exact. */
#define LN2_HIGH 0x1.62e42feep-1
#define LN2_LOW 0x1.a39ef35793c76p-33

static const double inverse_factorial[] = {
    /* 1/2! .. 1/14! */
    1.0 / 2,
    1.0 / 6,
    1.0 / 24,
    1.0 / 120,
    1.0 / 720,
    1.0 / 5040,
    1.0 / 40320,
    1.0 / 362880,
    1.0 / 3628800,
    1.0 / 39916800,
    1.0 / 479001600,
    1.0 / 6227020800.0,
    1.0 / 87178291200.0,
};

/* (exp(r) - 1 - r) / r^2 for |r| <= .35. */
static double exp_tail(double r) {
    double sum = 0.0;
    for (int i = 12; i >= 0; i--)
        sum = sum * r + inverse_factorial[i];
    return sum;
}

double stats_exp(double x) {
    if (isnan(x)) return x;
    if (x > 709.8) return INFINITY;
    if (x < -745.2) return 0.0;
    double k = floor(x / STATS_LN2 + 0.5);
    double high = x - k * LN2_HIGH;
    double low = k * LN2_LOW;
    double r = high - low;
    double lost = (high - r) - low;
    return ldexp(1.0 + (r + (lost + r * r * exp_tail(r))), (int)k);
}

double stats_expm1(double x) {
    if (fabs(x) > 0.34) return stats_exp(x) - 1.0;
    return x + x * x * exp_tail(x);
}

/* R of the head comment for s = f / (2 + f). */
static double log_rest(double s) {
    double s2 = s * s;
    double sum = 0.0;
    for (int n = 25; n >= 3; n -= 2)
        sum = (sum + 1.0 / n) * s2;
    return 2.0 * sum;
}

/* log(1 + f), |f| < .42. With h = f^2/2 the leading terms f - h are nearly exact. */
static double log_near_one(double f, double k) {
    double s = f / (2.0 + f);
    double h = 0.5 * f * f;
    return k * LN2_HIGH - ((h - (s * (h + log_rest(s)) + k * LN2_LOW)) - f);
}

double stats_log(double x) {
    if (isnan(x) || x < 0.0) return NAN;
    if (x == 0.0) return -INFINITY;
    if (isinf(x)) return x;
    int k;
    double m = frexp(x, &k);
    if (m < 0.70710678118654752440) {
        m *= 2.0;
        k--;
    }
    return log_near_one(m - 1.0, k);
}

double stats_log1p(double x) {
    if (x > -0.29 && x < 0.41) return log_near_one(x, 0.0);
    double u = 1.0 + x;
    if (!(u > 0.0) || isinf(u)) return stats_log(u);
    return stats_log(u) + (x - (u - 1.0)) / u;
}

double stats_log1p_exp(double x) {
    return x > 0.0 ? x + stats_log1p(stats_exp(-x)) : stats_log1p(stats_exp(x));
}

double stats_logistic(double x) {
    if (x >= 0.0) return 1.0 / (1.0 + stats_exp(-x));
    double e = stats_exp(x);
    return e / (1.0 + e);
}

double stats_stirling_error(double x) {
    double sum = 0.0;
    /* S(x) = S(x + 1) + (x + 1/2) ln(1 + 1/x) - 1 until the asymptotic series holds;
     * with u = 1/(2x + 1) the step is atanh(u)/u - 1 */
    for (; x < 16.0; x += 1.0) {
        double u = 1.0 / (2.0 * x + 1.0);
        if (x < 1.0) {
            sum += (x + 0.5) * stats_log1p(1.0 / x) - 1.0;
            continue;
        }
        double u2 = u * u, step = 0.0;
        for (int n = 35; n >= 3; n -= 2)
            step = (step + 1.0 / n) * u2;
        sum += step;
    }
    double y = 1.0 / (x * x);
    double series =
        1.0 / 12 - y * (1.0 / 360 -
                        y * (1.0 / 1260 -
                             y * (1.0 / 1680 - y * (1.0 / 1188 - y * 691.0 / 360360))));
    return sum + series / x;
}

double stats_deviance(double x, double m) {
    double d = x - m;
    if (fabs(d) >= 0.1 * (x + m)) return x * stats_log(x / m) - d;
    /* with v = d/(x + m): x ln(x/m) - d = d v + 2 x v (v^2/3 + v^4/5 + ...) */
    double v = d / (x + m), v2 = v * v;
    double sum = 0.0;
    for (int n = 21; n >= 3; n -= 2)
        sum = (sum + 1.0 / n) * v2;
    return d * v + 2.0 * x * v * sum;
}
