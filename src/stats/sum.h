/* SPDX-License-Identifier: MIT
 *
 * Sums in double-double: an unevaluated pair hi + lo with about 106 bits. Sums of any
 * length then come out the same to the last printed digit whatever the order of their
 * terms, and differences of large sums (variances from streamed squares) stay exact
 * where plain doubles would lose half their digits.
 *
 *   stats_dd s = {0, 0};
 *   s = stats_dd_add(s, x);
 *   double total = s.hi + s.lo;
 *
 * Only + - * / and fma are used, which IEEE 754 rounds correctly on every processor.
 * T. J. Dekker: A floating-point technique for extending the available precision.
 * Numer. Math. 18, 1971. D. E. Knuth, TAOCP 2, section 4.2.2 (the two-term sum).
 */
#ifndef EH_STATS_SUM_H
#define EH_STATS_SUM_H

#include <math.h>

typedef struct stats_dd {
    double hi, lo; /* |lo| <= ulp(hi) / 2 */
} stats_dd;

static inline double stats_dd_value(stats_dd a) {
    return a.hi + a.lo;
}

static inline stats_dd stats_dd_from(double a) {
    return (stats_dd){a, 0.0};
}

/* hi + lo with |hi| >= |lo|, renormalised. */
static inline stats_dd stats_dd_norm(double hi, double lo) {
    double sum = hi + lo;
    return (stats_dd){sum, lo - (sum - hi)};
}

static inline stats_dd stats_dd_two_sum(double a, double b) {
    double sum = a + b;
    double shadow = sum - a;
    return (stats_dd){sum, (a - (sum - shadow)) + (b - shadow)};
}

static inline stats_dd stats_dd_plus(stats_dd a, stats_dd b) {
    stats_dd high = stats_dd_two_sum(a.hi, b.hi);
    stats_dd low = stats_dd_two_sum(a.lo, b.lo);
    stats_dd part = stats_dd_norm(high.hi, high.lo + low.hi);
    return stats_dd_norm(part.hi, part.lo + low.lo);
}

static inline stats_dd stats_dd_add(stats_dd a, double b) {
    return stats_dd_plus(a, stats_dd_from(b));
}

static inline stats_dd stats_dd_minus(stats_dd a, stats_dd b) {
    return stats_dd_plus(a, (stats_dd){-b.hi, -b.lo});
}

static inline stats_dd stats_dd_times(stats_dd a, stats_dd b) {
    double product = a.hi * b.hi;
    double rest = fma(a.hi, b.hi, -product);
    return stats_dd_norm(product, rest + (a.hi * b.lo + a.lo * b.hi));
}

/* b must not be 0. */
static inline stats_dd stats_dd_over(stats_dd a, stats_dd b) {
    double quotient = a.hi / b.hi;
    stats_dd rest = stats_dd_minus(a, stats_dd_times(b, stats_dd_from(quotient)));
    return stats_dd_norm(quotient, (rest.hi + rest.lo) / b.hi);
}

/* a += x * y, the product exact. */
static inline stats_dd stats_dd_add_product(stats_dd a, double x, double y) {
    double product = x * y;
    return stats_dd_plus(a, (stats_dd){product, fma(x, y, -product)});
}

#endif
