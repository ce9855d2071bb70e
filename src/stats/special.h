/* SPDX-License-Identifier: MIT
 *
 * Distribution functions and their inverses, good to 1e-12 relative in the tail that
 * is asked for (golden values: tests/golden/stats_special.tsv).
 *
 * `_cdf` is P(X <= x), `_sf` is P(X > x): ask for the small one, since 1 - cdf loses
 * the digits of a small tail. `_quantile(p)` is the x with cdf(x) = p. Arguments out of
 * range (shape or degrees of freedom not above 0, p outside [0, 1], NaN) give NaN.
 * All functions are pure; shapes up to 1e9 are fine, the time grows as their root.
 */
#ifndef EH_STATS_SPECIAL_H
#define EH_STATS_SPECIAL_H

/* ln Gamma(x), x > 0; near its zeros 1 and 2 the error is 1e-15 absolute. */
double stats_log_gamma(double x);

/* Regularised incomplete beta I_x(a, b), 0 <= x <= 1, and 1 - I_x(a, b). */
double stats_beta_cdf(double x, double a, double b);
double stats_beta_sf(double x, double a, double b);
double stats_beta_quantile(double p, double a, double b);

/* Regularised incomplete gamma P(a, x) and Q(a, x), x >= 0. */
double stats_gamma_cdf(double x, double a);
double stats_gamma_sf(double x, double a);
double stats_gamma_quantile(double p, double a);

double stats_normal_cdf(double z);
double stats_normal_quantile(double p);

/* Student's t; an infinite df is the normal distribution. */
double stats_t_cdf(double t, double df);
double stats_t_quantile(double p, double df);

double stats_chi2_sf(double x, double df);
double stats_f_sf(double x, double df_1, double df_2);

/* Binomial: P(X = k), P(X <= k), P(X >= k) of n trials with success p; 0 <= k <= n. */
double stats_binomial_pmf(double k, double n, double p);
double stats_binomial_cdf(double k, double n, double p);
double stats_binomial_sf(double k, double n, double p); /* P(X >= k) */

/* z or t with `level` (such as .95) between -z and z. */
double stats_normal_two_sided(double level);
double stats_t_two_sided(double level, double df);

#endif
