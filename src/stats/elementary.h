/* SPDX-License-Identifier: MIT
 *
 * Exponential and logarithm from + - * / alone.
 *
 * The C library picks its exp and log by processor (with or without fused
 * multiply-add), and their last bits differ. Published numbers must not, so everything
 * in stats/ uses these; errors are below 1.5 ulp (tests/golden/stats_special.tsv).
 * Of <math.h> only what IEEE 754 rounds exactly is used: sqrt, fma, floor, frexp,
 * ldexp.
 */
#ifndef EH_STATS_ELEMENTARY_H
#define EH_STATS_ELEMENTARY_H

#define STATS_LN2 0.69314718055994530942
#define STATS_PI 3.14159265358979323846

double stats_exp(double x);   /* 0 and infinity beyond the range of doubles */
double stats_expm1(double x); /* exp(x) - 1 without cancellation */
double stats_log(double x);   /* -infinity for 0, NaN below */
double stats_log1p(double x); /* log(1 + x) without cancellation, x > -1 */

/* log(1 + exp(x)) and 1 / (1 + exp(-x)), safe for every x. */
double stats_log1p_exp(double x);
double stats_logistic(double x);

/* d in Gamma(x + 1) = sqrt(2 pi x) (x/e)^x exp(d), x > 0: what Stirling leaves out. */
double stats_stirling_error(double x);

/* x ln(x / m) + m - x for x, m > 0: the deviance of one Poisson count, without
 * cancellation near x = m. */
double stats_deviance(double x, double m);

#endif
