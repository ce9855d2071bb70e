/* SPDX-License-Identifier: MIT
 *
 * Betting against every candidate mean. For a candidate m, what is left after n values
 * must average
 *
 *   m_n = (N m - sum so far) / (N - n),
 *
 * so a bettor who stakes the share bet on "the next value is above m_n" multiplies the
 * capital by 1 + bet (x - m_n), on average by 1 if m is true. Capital is then a
 * martingale, and it ever reaches 2/alpha with probability at most alpha/2 (Ville). Two
 * bettors, one a side, refute candidates from below and from above; what neither has
 * refuted is the interval:
 *
 *   0 |xxxxxxxx------------------------xxxxxxxxxxxxx| 1      m on a grid
 *      refuted by `up`  first ... last   refuted by `down`
 *
 * The bets are the predictable plug-in of an empirical Bernstein bound, cut to c / m_n
 * so that capital stays positive; `up` falls and `down` rises with m, so the refuted
 * candidates are always the outer ones. I. Waudby-Smith, A. Ramdas: Estimating means of
 * bounded random variables by betting, J. R. Statist. Soc. B 86, 2024, sections 4.2 and
 * 5 (without replacement).
 *
 * Capital that falls to 0 stays there, which only makes the interval wider.
 *
 * Left out: values beyond [0, 1], sampling with replacement.
 */
#include "stats/sequence.h"

#include <math.h>

#include "stats/elementary.h"

#define BET_MAX 0.5 /* c: at most half of the capital is at stake */

static bool level_is_valid(double level) {
    return level > 0.0 && level < 1.0;
}

void stats_sequence_init(stats_sequence *s, int64_t n_total, double level) {
    *s = (stats_sequence){.n_total = n_total, .level = level, .spread = 0.25};
    s->last = STATS_SEQUENCE_GRID;
    for (int j = 0; j <= STATS_SEQUENCE_GRID; j++)
        s->up[j] = s->down[j] = 1.0;
}

/* The bet before the next value, from the values so far and one pretended 1/2. */
static double bet_of(const stats_sequence *s) {
    double t = (double)s->n + 1.0, alpha = 1.0 - s->level;
    double variance = s->spread / t;
    return sqrt(2.0 * stats_log(2.0 / alpha) / (variance * t * stats_log(1.0 + t)));
}

static void settle(stats_sequence *s, int j, double value, double bet) {
    double m = (double)j / STATS_SEQUENCE_GRID, left = (double)(s->n_total - s->n);
    double next = ((double)s->n_total * m - stats_dd_value(s->sum)) / left;
    if (next < 0.0) { /* the sum is already larger: up has won for certain */
        s->up[j] = INFINITY;
        return;
    }
    if (next > 1.0) {
        s->down[j] = INFINITY;
        return;
    }
    double bet_up = fmin(bet, BET_MAX / next); /* next = 0: no cut */
    double bet_down = fmin(bet, BET_MAX / (1.0 - next));
    s->up[j] *= 1.0 + bet_up * (value - next);
    s->down[j] *= 1.0 - bet_down * (value - next);
}

bool stats_sequence_add(stats_sequence *s, double value) {
    if (!(value >= 0.0 && value <= 1.0) || s->n >= s->n_total) return false;
    double bet = bet_of(s), refuted = 2.0 / (1.0 - s->level);
    for (int j = s->first; j <= s->last; j++)
        settle(s, j, value, bet);
    while (s->first <= s->last && s->up[s->first] >= refuted)
        s->first++;
    while (s->first <= s->last && s->down[s->last] >= refuted)
        s->last--;
    s->sum = stats_dd_add(s->sum, value);
    s->n++;
    double centre = (0.5 + stats_dd_value(s->sum)) / ((double)s->n + 1.0);
    s->spread += (value - centre) * (value - centre);
    return true;
}

stats_interval stats_sequence_interval(const stats_sequence *s) {
    stats_interval i = {NAN, 0.0, 1.0, STATS_REASON_OUT_OF_RANGE};
    if (!level_is_valid(s->level) || s->n_total < 1) return i;
    i.why = STATS_REASON_NO_ROWS;
    if (s->n == 0) return i;
    i.why = STATS_REASON_NONE;
    double sum = stats_dd_value(s->sum), total = (double)s->n_total;
    i.value = sum / (double)s->n;
    /* a true mean between two grid points is refuted only when both are */
    double low = ((double)s->first - 1.0) / STATS_SEQUENCE_GRID;
    double high = ((double)s->last + 1.0) / STATS_SEQUENCE_GRID;
    /* what the values already seen make certain goes before what bets have shown */
    double least = sum / total, most = (sum + (total - (double)s->n)) / total;
    i.low = fmin(fmax(low, least), most);
    i.high = fmax(fmin(high, most), least);
    return i;
}
