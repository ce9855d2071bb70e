/* SPDX-License-Identifier: MIT
 *
 * Differences: intervals, the one-word finding, and planning.
 *
 * Equivalence is by inclusion: the whole two-sided interval lies within the margin,
 * which is the pair of one-sided tests (D. J. Schuirmann, J. Pharmacokin. Biopharm. 15,
 * 1987) at half the error. It is asked first: a margin says which differences do not
 * matter, also when they are real.
 *
 * Newcombe's method 10 joins the Wilson intervals l..u of the two shares, with the
 * correlation phi of the two outcomes (its covariance shrunk by n/2 where positive):
 *
 *   low  = d - sqrt((p1 - l1)^2 - 2 phi (p1 - l1)(u2 - p2) + (u2 - p2)^2)
 *   high = d + sqrt((u1 - p1)^2 - 2 phi (u1 - p1)(p2 - l2) + (p2 - l2)^2)
 *
 * Of shares over different items phi is 0 (Newcombe's other method 10, for them). Where
 * items share questions, l..u and phi come from clustered errors.
 *
 * Left out: means over different questions.
 */
#include "stats/difference.h"

#include <math.h>

#include "stats/elementary.h"
#include "stats/special.h"

const char *stats_finding_name(stats_finding finding) {
    switch (finding) {
#define X(id, name)                                                                    \
    case STATS_FINDING_##id: return name;
        STATS_FINDING_LIST(X)
#undef X
    case STATS_FINDING_N: break;
    }
    return "";
}

static stats_finding find(const stats_interval *i, double margin) {
    if (i->low > -margin && i->high < margin) return STATS_FINDING_EQUIVALENT;
    if (i->low > 0.0) return STATS_FINDING_BETTER;
    if (i->high < 0.0) return STATS_FINDING_WORSE;
    return STATS_FINDING_NOT_SHOWN;
}

stats_difference stats_difference_of(const stats_mean *m, double margin, double level) {
    stats_difference d = {
        {m->mean, NAN, NAN, m->why}, STATS_FINDING_NOT_SHOWN, false, NAN};
    if (m->why != STATS_REASON_NONE) return d;
    if (!(level > 0.0 && level < 1.0) || !(fabs(m->mean) <= 1.0)) {
        d.interval.why = STATS_REASON_OUT_OF_RANGE;
        return d;
    }
    double questions = (double)m->n_clusters, half;
    if (m->se > 0.0) {
        half = stats_t_two_sided(level, questions - 1.0) * m->se;
        d.p = 2.0 * stats_t_cdf(-fabs(m->mean) / m->se, questions - 1.0);
    } else {
        half = -stats_expm1(stats_log(0.5 * (1.0 - level)) / questions);
    }
    d.interval.low = fmax(m->mean - half, -1.0);
    d.interval.high = fmin(m->mean + half, 1.0);
    d.finding = find(&d.interval, margin);
    d.excludes_zero = d.interval.low > 0.0 || d.interval.high < 0.0;
    return d;
}

/* Length of the side opposite an angle whose cosine is phi. */
static double joined(double x, double y, double phi) {
    return sqrt(fmax(x * x - 2.0 * phi * x * y + y * y, 0.0));
}

stats_interval stats_newcombe_paired(int64_t a, int64_t b, int64_t c, int64_t d,
                                     double level) {
    stats_interval r = {NAN, NAN, NAN, STATS_REASON_OUT_OF_RANGE};
    if (a < 0 || b < 0 || c < 0 || d < 0 || !(level > 0.0 && level < 1.0)) return r;
    int64_t n = a + b + c + d;
    r.why = STATS_REASON_NO_ROWS;
    if (n == 0) return r;
    stats_interval first = stats_wilson(a + b, n, level);
    stats_interval second = stats_wilson(a + c, n, level);
    double cross = (double)a * (double)d - (double)b * (double)c;
    if (cross > 0.0) cross = fmax(cross - 0.5 * (double)n, 0.0);
    double margins = sqrt((double)(a + b) * (double)(c + d)) *
                     sqrt((double)(a + c) * (double)(b + d));
    double phi = margins > 0.0 ? cross / margins : 0.0;
    r.value = (double)(b - c) / (double)n;
    r.low = r.value - joined(first.value - first.low, second.high - second.value, phi);
    r.high = r.value + joined(first.high - first.value, second.value - second.low, phi);
    r.why = STATS_REASON_NONE;
    return r;
}

stats_interval stats_newcombe_clustered(const stats_mean *first,
                                        const stats_mean *second,
                                        const stats_mean *difference, double level) {
    stats_interval one =
        stats_win_rate_interval(first->mean, first->se, first->n_clusters, level);
    stats_interval two =
        stats_win_rate_interval(second->mean, second->se, second->n_clusters, level);
    stats_interval r = {difference->mean, NAN, NAN, difference->why};
    if (r.why == STATS_REASON_NONE) r.why = one.why ? one.why : two.why;
    if (r.why != STATS_REASON_NONE) return r;
    double both = 2.0 * first->se * second->se, phi = 0.0;
    if (both > 0.0)
        phi = (first->se * first->se + second->se * second->se -
               difference->se * difference->se) /
              both;
    phi = fmin(fmax(phi, -1.0), 1.0);
    r.low = r.value - joined(one.value - one.low, two.high - two.value, phi);
    r.high = r.value + joined(one.high - one.value, two.value - two.low, phi);
    return r;
}

stats_interval stats_newcombe_apart(const stats_interval *first,
                                    const stats_interval *second) {
    stats_interval r = {NAN, NAN, NAN, first->why ? first->why : second->why};
    if (r.why != STATS_REASON_NONE) return r;
    r.value = first->value - second->value;
    r.low =
        r.value - joined(first->value - first->low, second->high - second->value, 0);
    r.high =
        r.value + joined(first->high - first->value, second->value - second->low, 0);
    return r;
}

static bool plan_is_valid(double variance, double level, double power) {
    return variance >= 0.0 && level > 0.0 && level < 1.0 && power > 0.0 && power < 1.0;
}

double stats_detectable(double variance, int64_t n, double level, double power) {
    if (!plan_is_valid(variance, level, power) || n < 1) return NAN;
    double z = stats_normal_two_sided(level) + stats_normal_quantile(power);
    return z * sqrt(variance / (double)n);
}

int64_t stats_questions_to_detect(double variance, double effect, double level,
                                  double power) {
    if (!plan_is_valid(variance, level, power) || !(fabs(effect) > 0.0)) return 0;
    double z = stats_normal_two_sided(level) + stats_normal_quantile(power);
    double n = z * z * variance / (effect * effect);
    if (!(n < 9e18)) return 0;
    /* a hair below a whole number counts as that number */
    int64_t needed = (int64_t)ceil(n * (1.0 - 1e-12));
    return needed > 2 ? needed : 2;
}
