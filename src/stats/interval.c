/* SPDX-License-Identifier: MIT
 *
 * Intervals for shares and for means of values between 0 and 1.
 *
 * Wilson's interval holds the p with |p_hat - p| <= z sqrt(p (1 - p) / n), which gives
 *
 *   (p_hat + z^2/2n  +-  z sqrt(p_hat (1 - p_hat)/n + z^2/4n^2)) / (1 + z^2/n)
 *
 * A win rate is no share: ties count half, and several rows may ask one question. So n
 * is replaced by n_eff, the number of independent yes/no outcomes that would have the
 * observed standard error; and z by a t quantile, since that error is itself estimated
 * from the questions.
 *
 * The mirror law: the interval of 1 - p is 1 - the interval of p, up to rounding.
 *
 * Left out: intervals for differences (compare.h), by resampling (bootstrap.h), and
 * sequences that are looked at again and again (sequence.h).
 */
#include "stats/interval.h"

#include <math.h>

#include "stats/special.h"

const char *stats_reason_name(stats_reason why) {
    switch (why) {
#define X(id, name, text)                                                              \
    case STATS_REASON_##id: return name;
        STATS_REASON_LIST(X)
#undef X
    case STATS_REASON_N: break;
    }
    return "";
}

const char *stats_reason_text(stats_reason why) {
    switch (why) {
#define X(id, name, text)                                                              \
    case STATS_REASON_##id: return text;
        STATS_REASON_LIST(X)
#undef X
    case STATS_REASON_N: break;
    }
    return "";
}

static stats_interval undefined(double value, stats_reason why) {
    return (stats_interval){value, NAN, NAN, why};
}

static bool level_is_valid(double level) {
    return level > 0.0 && level < 1.0;
}

stats_interval stats_wilson_scaled(double p, double n_eff, double z) {
    if (!(p >= 0.0 && p <= 1.0) || !(n_eff > 0.0) || !(z > 0.0))
        return undefined(p, STATS_REASON_OUT_OF_RANGE);
    double ratio = z * z / n_eff;
    double half = z * sqrt(p * (1.0 - p) / n_eff + 0.25 * ratio / n_eff);
    double centre = p + 0.5 * ratio;
    stats_interval i = {.value = p,
                        .low = (centre - half) / (1.0 + ratio),
                        .high = (centre + half) / (1.0 + ratio)};
    /* at the ends the formula gives 0 and 1 up to rounding */
    i.low = p == 0.0 ? 0.0 : fmax(i.low, 0.0);
    i.high = p == 1.0 ? 1.0 : fmin(i.high, 1.0);
    return i;
}

stats_interval stats_wilson(int64_t n_hits, int64_t n, double level) {
    if (n <= 0) return undefined(NAN, STATS_REASON_NO_ROWS);
    if (n_hits < 0 || n_hits > n || !level_is_valid(level))
        return undefined(NAN, STATS_REASON_OUT_OF_RANGE);
    return stats_wilson_scaled((double)n_hits / (double)n, (double)n,
                               stats_normal_two_sided(level));
}

/* The p for which n_hits or more have probability `tail`. */
static double clopper_low(int64_t n_hits, int64_t n, double tail) {
    if (n_hits == 0) return 0.0;
    return stats_beta_quantile(tail, (double)n_hits, (double)(n - n_hits + 1));
}

stats_interval stats_clopper_pearson(int64_t n_hits, int64_t n, double level) {
    if (n <= 0) return undefined(NAN, STATS_REASON_NO_ROWS);
    if (n_hits < 0 || n_hits > n || !level_is_valid(level))
        return undefined(NAN, STATS_REASON_OUT_OF_RANGE);
    double tail = 0.5 * (1.0 - level);
    return (stats_interval){.value = (double)n_hits / (double)n,
                            .low = clopper_low(n_hits, n, tail),
                            .high = 1.0 - clopper_low(n - n_hits, n, tail)};
}

double stats_clopper_pearson_low(int64_t n_hits, int64_t n, double level) {
    if (n <= 0 || n_hits < 0 || n_hits > n || !level_is_valid(level)) return NAN;
    return clopper_low(n_hits, n, 1.0 - level);
}

stats_interval stats_win_rate_interval(double mean, double se, int64_t n_clusters,
                                       double level) {
    if (n_clusters <= 0) return undefined(NAN, STATS_REASON_NO_ROWS);
    if (!(mean >= 0.0 && mean <= 1.0) || !level_is_valid(level))
        return undefined(mean, STATS_REASON_OUT_OF_RANGE);
    if (n_clusters < 2) return undefined(mean, STATS_REASON_TOO_FEW_QUESTIONS);
    double questions = (double)n_clusters;
    double spread = mean * (1.0 - mean);
    double n_eff = se > 0.0 && spread > 0.0 ? spread / (se * se) : questions;
    return stats_wilson_scaled(mean, n_eff, stats_t_two_sided(level, questions - 1.0));
}

int64_t stats_questions_needed(double variance, double half_width, double level) {
    if (!(variance >= 0.0) || !(half_width > 0.0) || !level_is_valid(level)) return 0;
    double z = stats_normal_two_sided(level);
    double n = z * z * variance / (half_width * half_width);
    if (!(n < 9e18)) return 0;
    /* a hair below a whole number counts as that number */
    int64_t needed = (int64_t)ceil(n * (1.0 - 1e-12));
    return needed > 2 ? needed : 2;
}
