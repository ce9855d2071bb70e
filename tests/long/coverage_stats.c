/* SPDX-License-Identifier: MIT
 *
 * Coverage of the approximate intervals in src/stats/, by simulation: for each method,
 * 10,000 seeded data sets at its stated minimum size, and how often the 95 % interval
 * held the truth. Must lie within 94 to 96 %, give or take three Monte-Carlo standard
 * errors. Methods that promise a bound (on missing the truth, or on false claims) must
 * not break it more often than it says, up to the same three errors; a planned power of
 * 80 % must be 78 to 82 %.
 *
 *   coverage_stats [n_seeds]
 *
 * Closed forms are enumerated exactly in the unit tests. Left out: sizes below the
 * stated minimum, but for the win rate, which must not fall below 94 % there.
 */
#include <math.h>

#include "base/arena.h"
#include "base/rng.h"
#include "coverage.h"
#include "stats/agree.h"
#include "stats/bt.h"
#include "stats/bootstrap.h"
#include "stats/cluster.h"
#include "stats/difference.h"
#include "stats/human.h"
#include "stats/length.h"
#include "stats/selective.h"
#include "stats/sequence.h"
#include "stats/special.h"
#include "stats/test.h"

/* Win, tie, loss as 1, .5, 0; `lean` shifts the chance of a win. */
static double verdict(eh_rng *rng, double p_win, double p_tie) {
    double u = rng_uniform(rng);
    return u < p_win ? 1.0 : u < p_win + p_tie ? .5 : 0.0;
}

/* Questions with 1 to 6 rows that share a leaning of their own: true mean .58. Sizes do
 * not depend on the leaning, so the mean over rows is unbiased. */
static double question(eh_rng *rng, int *n_rows, double *values) {
    double lean = .25 * (rng_uniform(rng) < .5 ? 1.0 : -1.0), sum = 0.0;
    *n_rows = 1 + (int)rng_below(rng, 6);
    for (int r = 0; r < *n_rows; r++)
        sum += values[r] = verdict(rng, .48 + lean, .2);
    return sum;
}

static int win_rate(eh_rng *rng, uint64_t seed, int size) {
    (void)seed;
    stats_cluster c;
    stats_cluster_init(&c);
    for (int q = 0; q < size; q++) {
        double values[6];
        int n_rows;
        question(rng, &n_rows, values);
        for (int r = 0; r < n_rows; r++)
            stats_cluster_add(&c, (uint64_t)q, values[r]);
    }
    return holds(stats_cluster_interval(&c, LEVEL), .58);
}

static int bootstrap(eh_rng *rng, uint64_t seed, int size) {
    double sums[200], values[6];
    int64_t counts[200];
    stats_interval i;
    for (int q = 0; q < size; q++) {
        int n_rows;
        sums[q] = question(rng, &n_rows, values);
        counts[q] = n_rows;
    }
    const stats_question_sums set = {sums, counts};
    const stats_resampling how = {999, seed, LEVEL};
    if (stats_bootstrap(&set, 1, size, &how, &i, NULL)) return -1;
    return holds(i, .58);
}

/* A rare yes/no outcome, such as a conflict of 12 %, clustered in some questions. */
static int conflict_rate(eh_rng *rng, uint64_t seed, int size) {
    (void)seed;
    stats_cluster c;
    stats_cluster_init(&c);
    for (int q = 0; q < size; q++) {
        double p = rng_uniform(rng) < .2 ? .4 : .05;
        int n_rows = 1 + (int)rng_below(rng, 4);
        for (int r = 0; r < n_rows; r++)
            stats_cluster_add(&c, (uint64_t)q, rng_uniform(rng) < p);
    }
    return holds(stats_cluster_interval(&c, LEVEL), .12);
}

/* Soft verdicts: three votes an order, and a judge that favours the first slot. */
static int soft_rate(eh_rng *rng, uint64_t seed, int size) {
    (void)seed;
    stats_cluster c;
    stats_cluster_init(&c);
    for (int q = 0; q < size; q++) {
        double lean = rng_uniform(rng) * .6 - .3, sum = 0.0;
        for (int s = 0; s < 6; s++)
            sum += verdict(rng, .45 + lean + (s < 3 ? .15 : -.15), .1);
        stats_cluster_add(&c, (uint64_t)q, sum / 6.0);
    }
    return holds(stats_cluster_interval(&c, LEVEL), .5);
}

/* Two runs whose soft verdicts differ on 40 % of the questions, by +.05 on average. */
static int difference(eh_rng *rng, uint64_t seed, int size) {
    (void)seed;
    stats_cluster c;
    stats_cluster_init(&c);
    for (int q = 0; q < size; q++) {
        double d = rng_uniform(rng) < .4 ? (rng_uniform(rng) - .5) * 1.5 + .125 : 0.0;
        stats_cluster_add(&c, (uint64_t)q, d);
    }
    stats_mean m = stats_cluster_mean(&c);
    return holds(stats_difference_of(&m, 0, LEVEL).interval, .05);
}

/* True difference at the margin: "equivalent" may be said in 2.5 % of the cases. */
static int equivalence(eh_rng *rng, uint64_t seed, int size) {
    (void)seed;
    stats_cluster c;
    stats_cluster_init(&c);
    for (int q = 0; q < size; q++)
        stats_cluster_add(&c, (uint64_t)q, (rng_uniform(rng) - .5) * .4 + .03);
    stats_mean m = stats_cluster_mean(&c);
    return stats_difference_of(&m, .03, LEVEL).finding != STATS_FINDING_EQUIVALENT;
}

/* Planned to be shown in 80 % of the cases: 0 where it was. */
static int power(eh_rng *rng, uint64_t seed, int size) {
    (void)seed;
    stats_cluster c;
    stats_cluster_init(&c);
    double effect = stats_detectable(.25 / 3, size, LEVEL, .8);
    for (int q = 0; q < size; q++)
        stats_cluster_add(&c, (uint64_t)q, rng_uniform(rng) - .5 + effect);
    stats_mean m = stats_cluster_mean(&c);
    return stats_difference_of(&m, 0, LEVEL).finding == STATS_FINDING_BETTER;
}

/* Hits without a trend over five bins of unequal size. */
static void draw_bins(eh_rng *rng, int size, int64_t hits[5], int64_t totals[5]) {
    for (int b = 0; b < 5; b++)
        hits[b] = totals[b] = 0;
    for (int i = 0; i < size; i++) {
        int b = (int)(5.0 * rng_uniform(rng) * rng_uniform(rng));
        totals[b]++;
        hits[b] += rng_uniform(rng) < .2;
    }
}

static int trend_normal(eh_rng *rng, uint64_t seed, int size) {
    (void)seed;
    int64_t hits[5], totals[5];
    draw_bins(rng, size, hits, totals);
    return stats_trend_shares(hits, totals, 5).p > .05;
}

static int trend_permutation(eh_rng *rng, uint64_t seed, int size) {
    double values[100], bins[100];
    int64_t hits[5], totals[5];
    stats_trend t;
    int n = 0;
    draw_bins(rng, size, hits, totals);
    for (int b = 0; b < 5; b++)
        for (int64_t i = 0; i < totals[b]; i++, n++) {
            values[n] = i < hits[b];
            bins[n] = b;
        }
    if (stats_trend_permutation(values, bins, n, 199, seed, &t, NULL)) return -1;
    return !(t.p <= .05);
}

enum { CLAIMS = 12, TRUE_CLAIMS = 4 };

/* p values of normal tests: four effects and eight times nothing. */
static void draw_p(eh_rng *rng, double p[CLAIMS]) {
    for (int i = 0; i < CLAIMS; i++) {
        double z = rng_normal(rng) + (i < TRUE_CLAIMS ? 3.0 : 0.0);
        p[i] = 2.0 * stats_normal_cdf(-fabs(z));
    }
}

/* No false claim at all. */
static int holm(eh_rng *rng, uint64_t seed, int size) {
    (void)seed, (void)size;
    double p[CLAIMS], adjusted[CLAIMS];
    draw_p(rng, p);
    stats_holm(p, adjusted, CLAIMS);
    for (int i = TRUE_CLAIMS; i < CLAIMS; i++)
        if (adjusted[i] <= .05) return 0;
    return 1;
}

/* A claim drawn at random is not false. */
static int benjamini_hochberg(eh_rng *rng, uint64_t seed, int size) {
    (void)seed, (void)size;
    double p[CLAIMS], adjusted[CLAIMS];
    int n_claims = 0, n_false = 0;
    draw_p(rng, p);
    stats_benjamini_hochberg(p, adjusted, CLAIMS);
    for (int i = 0; i < CLAIMS; i++) {
        n_claims += adjusted[i] <= .05;
        n_false += i >= TRUE_CLAIMS && adjusted[i] <= .05;
    }
    return n_claims == 0 || rng_uniform(rng) * n_claims >= n_false;
}

/* Four models on `size` questions, six samples a question that share a leaning. */
static bool rank(eh_rng *rng, int size, eh_arena *arena, stats_bt *fit) {
    static const double strength[4] = {.6, .2, -.2, -.6};
    enum { SAMPLES = 6, QUESTIONS_MAX = 200 };
    static stats_bt_row rows[QUESTIONS_MAX * SAMPLES];
    int n = 0;
    for (int q = 0; q < size; q++) {
        int a = (int)rng_below(rng, 4), b = (int)rng_below(rng, 3);
        if (b >= a) b++;
        for (int s = 0; s < SAMPLES; s++, n++) {
            int first = s % 2 ? b : a, second = s % 2 ? a : b;
            double eta = strength[first] - strength[second] + .4;
            double up = exp(.5 * eta), down = exp(-.5 * eta), tie = .8;
            double v = verdict(rng, up / (up + down + tie), tie / (up + down + tie));
            rows[n] = (stats_bt_row){first, second, (int)(2.0 * v) - 1, (uint64_t)q};
        }
    }
    stats_bt_options o = {.n_models = 4, .order_term = true};
    arena_reset(arena);
    return stats_bt_fit(rows, n, &o, arena, fit, NULL) == EH_STATUS_OK &&
           fit->why == STATS_REASON_NONE && !fit->penalised[0];
}

static int bt_gap(eh_rng *rng, uint64_t seed, int size) {
    (void)seed;
    eh_arena arena;
    stats_bt fit;
    arena_init(&arena, 1 << 20);
    int result = rank(rng, size, &arena, &fit)
                     ? holds(stats_bt_difference(&fit, 0, 2, LEVEL), .8)
                     : -1;
    arena_deinit(&arena);
    return result;
}

static int bt_order(eh_rng *rng, uint64_t seed, int size) {
    (void)seed;
    eh_arena arena;
    stats_bt fit;
    int result = -1;
    arena_init(&arena, 1 << 20);
    if (rank(rng, size, &arena, &fit)) {
        double t = stats_t_two_sided(LEVEL, (double)(fit.n_clusters - 1));
        result = fabs(fit.order - .4) <= t * fit.order_se;
    }
    arena_deinit(&arena);
    return result;
}

/* The same with a term for length, of .7; lengths differ between the samples. */
static int bt_term(eh_rng *rng, uint64_t seed, int size) {
    (void)seed;
    enum { SAMPLES = 6, QUESTIONS_MAX = 200 };
    static stats_bt_row rows[QUESTIONS_MAX * SAMPLES];
    static double terms[QUESTIONS_MAX * SAMPLES];
    int n = 0;
    for (int q = 0; q < size; q++)
        for (int s = 0; s < SAMPLES; s++, n++) {
            int first = (q + s) % 3, second = (first + 1 + s % 2) % 3;
            double x = rng_uniform(rng) * 2.0 - 1.0;
            double eta = .4 * (second - first) + .7 * x;
            double up = exp(.5 * eta), down = exp(-.5 * eta), tie = .6;
            double v = verdict(rng, up / (up + down + tie), tie / (up + down + tie));
            rows[n] = (stats_bt_row){first, second, (int)(2.0 * v) - 1, (uint64_t)q};
            terms[n] = x;
        }
    stats_bt_options o = {
        .n_models = 3, .order_term = true, .n_terms = 1, .terms = terms};
    eh_arena arena;
    stats_bt fit;
    int result = -1;
    arena_init(&arena, 1 << 20);
    if (stats_bt_fit(rows, n, &o, &arena, &fit, NULL) == EH_STATUS_OK &&
        fit.why == STATS_REASON_NONE && !fit.penalised[0]) {
        double t = stats_t_two_sided(LEVEL, (double)(fit.n_clusters - 1));
        result = fabs(fit.term[0] - .7) <= t * fit.term_se[0];
    }
    arena_deinit(&arena);
    return result;
}

/* Verdicts that follow a win rate of .6 at equal length and a taste for length. */
static int length_control(eh_rng *rng, uint64_t seed, int size) {
    (void)seed;
    static stats_length_row rows[400];
    double d[400], squares = 0.0;
    for (int q = 0; q < size; q++) {
        d[q] = 100.0 * rng_normal(rng) + 30.0;
        squares += d[q] * d[q];
    }
    for (int q = 0; q < size; q++) {
        double x = tanh(d[q] / sqrt(squares / size));
        double p = 1.0 / (1.0 + exp(-log(1.5) - x));
        double value = .5 * ((rng_uniform(rng) < p) + (rng_uniform(rng) < p));
        rows[q] = (stats_length_row){value, d[q], (uint64_t)q};
    }
    return holds(stats_length_control(rows, size, LEVEL).win_rate, .6);
}

/* Five pairs a question; on half of the questions the judge can be fooled. The truth is
 * .2: experiment .05 or .75, placebo .15 or .25. */
static int newcombe_of(eh_rng *rng, int size, bool by_question) {
    enum { PAIRS_A_QUESTION = 5 };
    stats_cluster first, second, difference;
    stats_cluster_init(&first);
    stats_cluster_init(&second);
    stats_cluster_init(&difference);
    for (int i = 0; i < size * PAIRS_A_QUESTION; i++) {
        static bool can_be_fooled;
        if (i % PAIRS_A_QUESTION == 0) can_be_fooled = rng_uniform(rng) < .5;
        bool hit = rng_uniform(rng) < (can_be_fooled ? .75 : .05);
        bool other = rng_uniform(rng) < (can_be_fooled ? .25 : .15);
        uint64_t question = (uint64_t)(by_question ? i / PAIRS_A_QUESTION : i);
        stats_cluster_add(&first, question, hit);
        stats_cluster_add(&second, question, other);
        stats_cluster_add(&difference, question, (double)hit - (double)other);
    }
    stats_mean a = stats_cluster_mean(&first), b = stats_cluster_mean(&second);
    stats_mean d = stats_cluster_mean(&difference);
    return holds(stats_newcombe_clustered(&a, &b, &d, LEVEL), .2);
}

static int newcombe_clustered(eh_rng *rng, uint64_t seed, int size) {
    (void)seed;
    return newcombe_of(rng, size, true);
}

static int newcombe_ignoring(eh_rng *rng, uint64_t seed, int size) {
    (void)seed;
    return newcombe_of(rng, size, false);
}

enum { PAIRS = 300 };

typedef struct pairs {
    double judge[PAIRS], label[PAIRS], uncertainty[PAIRS];
} pairs;

/* Humans' mean is .6 or, where it leans, .85; the judge favours answer 1 and is less
 * sure where it errs. Returns the mean. */
static double draw_pairs(eh_rng *rng, pairs *p, bool leans) {
    for (int i = 0; i < PAIRS; i++) {
        p->label[i] = leans ? verdict(rng, .8, .1) : verdict(rng, .5, .2);
        double seen = p->label[i] + .1 + .45 * rng_normal(rng);
        p->judge[i] = seen > .75 ? 1.0 : seen > .35 ? .5 : 0.0;
        p->uncertainty[i] = fmax(0.0, 1.0 - 2.0 * fabs(seen - .5));
    }
    return leans ? .85 : .6;
}

/* Labels on a random subset; sizes from 100 on are tested on the leaning mean. */
static int human_random(eh_rng *rng, uint64_t seed, int size) {
    (void)seed;
    static pairs p;
    double truth = draw_pairs(rng, &p, size >= 100);
    for (int i = size; i < PAIRS; i++) /* pairs are alike: the first are a random set */
        p.label[i] = NAN;
    return holds(
        stats_human_random(
            &(stats_human_data){.n = PAIRS, .judge = p.judge, .label = p.label}, LEVEL)
            .interval,
        truth);
}

static int human_active(eh_rng *rng, uint64_t seed, int size) {
    static pairs p;
    static double p_select[PAIRS];
    double truth = draw_pairs(rng, &p, size >= 100);
    stats_active_probabilities(p.uncertainty, PAIRS, size, p_select);
    for (int i = 0; i < PAIRS; i++)
        if (!stats_active_selected(seed, (uint64_t)i, p_select[i])) p.label[i] = NAN;
    return holds(stats_human_active(&(stats_human_data){.n = PAIRS,
                                                        .judge = p.judge,
                                                        .label = p.label,
                                                        .p_select = p_select},
                                    LEVEL)
                     .interval,
                 truth);
}

/* Doubt in three steps; labels on a random part, or drawn by doubt. */
static int human_strata(eh_rng *rng, uint64_t seed, int size, bool by_doubt) {
    static pairs p;
    static double p_select[PAIRS];
    double truth = draw_pairs(rng, &p, false);
    for (int i = 0; i < PAIRS; i++)
        p.uncertainty[i] = p.judge[i] == .5 ? 1.0 : p.uncertainty[i] > .3 ? .5 : .1;
    stats_active_probabilities(p.uncertainty, PAIRS, size, p_select);
    for (int i = 0; i < PAIRS; i++)
        if (by_doubt ? !stats_active_selected(seed, (uint64_t)i, p_select[i])
                     : i >= size)
            p.label[i] = NAN;
    stats_human h = stats_human_stratified(
        &(stats_human_data){.n = PAIRS, .label = p.label, .doubt = p.uncertainty},
        !by_doubt, LEVEL);
    return h.interval.why == STATS_REASON_NONE ? holds(h.interval, truth) : -1;
}

static int strata_random(eh_rng *rng, uint64_t seed, int size) {
    return human_strata(rng, seed, size, false);
}

static int strata_active(eh_rng *rng, uint64_t seed, int size) {
    return human_strata(rng, seed, size, true);
}

static int kappa(eh_rng *rng, uint64_t seed, int size) {
    (void)seed;
    static const double share[9] = {.32, .05, .04, .06, .22, .05, .03, .05, .18};
    double row[3] = {0}, column[3] = {0}, po = 0, pe = 0;
    int64_t counts[9] = {0};
    for (int c = 0; c < 9; c++) {
        row[c / 3] += share[c];
        column[c % 3] += share[c];
        if (c / 3 == c % 3) po += share[c];
    }
    for (int c = 0; c < 3; c++)
        pe += row[c] * column[c];
    for (int i = 0; i < size; i++) {
        double u = rng_uniform(rng);
        int c = 0;
        while (c < 8 && u >= share[c])
            u -= share[c++];
        counts[c]++;
    }
    stats_kappa k = stats_cohen_kappa(counts, 3);
    if (k.why != STATS_REASON_NONE) return -1;
    return fabs(k.kappa - (po - pe) / (1 - pe)) <= stats_normal_two_sided(LEVEL) * k.se;
}

/* Whether the mean of all values was ever outside, looking after every one. */
static int sequence(eh_rng *rng, uint64_t seed, int size) {
    (void)seed;
    static stats_sequence s;
    double values[1000], sum = 0.0;
    /* three kinds of populations: verdicts, soft verdicts, hardly any losses */
    int kind = (int)rng_below(rng, 3);
    for (int i = 0; i < size; i++) {
        values[i] = kind == 0   ? verdict(rng, .4, .2)
                    : kind == 1 ? rng_uniform(rng)
                                : verdict(rng, .95, .02);
        sum += values[i];
    }
    stats_sequence_init(&s, size, LEVEL);
    for (int i = 0; i < size; i++) {
        stats_sequence_add(&s, values[i]);
        if (i < size - 1 && !holds(stats_sequence_interval(&s), sum / size)) return 0;
    }
    return 1;
}

/* No better where it is surer, and always just below the target: whatever is found is
 * wrong. */
static int selective_flat(eh_rng *rng, uint64_t seed, int size) {
    (void)seed;
    static double confidence[1000];
    static bool agrees[1000];
    stats_selective r;
    for (int i = 0; i < size; i++) {
        confidence[i] = rng_uniform(rng);
        agrees[i] = rng_uniform(rng) < .8999;
    }
    const stats_selective_sample sample = {confidence, agrees, size, NULL, 0};
    if (stats_selective_find(&sample, .9, LEVEL, &r, NULL)) return -1;
    return !r.is_found;
}

/* Agreement rises with confidence from .7 to 1, so above threshold c its mean is .85 +
 * .15 c; the target .9 is met from c = 1/3 on. A threshold below that is a miss. */
static int selective(eh_rng *rng, uint64_t seed, int size) {
    (void)seed;
    static double confidence[1000];
    static bool agrees[1000];
    stats_selective r;
    for (int i = 0; i < size; i++) {
        confidence[i] = rng_uniform(rng);
        agrees[i] = rng_uniform(rng) < .7 + .3 * confidence[i];
    }
    const stats_selective_sample sample = {confidence, agrees, size, NULL, 0};
    if (stats_selective_find(&sample, .9, LEVEL, &r, NULL)) return -1;
    return !r.is_found || r.threshold >= 1.0 / 3.0;
}

static const experiment experiments[] = {
    {"win rate, 10 questions", win_rate, 10, NOT_BELOW},
    {"win rate, 20 questions", win_rate, 20, NOT_BELOW},
    {"win rate, 50 questions", win_rate, 50, TWO_SIDED},
    {"win rate, 200 questions", win_rate, 200, TWO_SIDED},
    {"conflict rate of .12, 50 questions", conflict_rate, 50, TWO_SIDED},
    {"soft win rate, 50 questions", soft_rate, 50, TWO_SIDED},
    {"bootstrap, 50 questions", bootstrap, 50, TWO_SIDED},
    {"difference, 30 questions", difference, 30, TWO_SIDED},
    {"paired shares, 30 questions, 5 pairs each", newcombe_clustered, 30, TWO_SIDED},
    {"naive: questions of shares ignored", newcombe_ignoring, 30, FAILS},
    {"no false equivalence, 200 questions", equivalence, 200, AT_LEAST},
    {"power of 80 %, 100 questions", power, 100, POWER},
    {"no false trend, normal, 201 pairs", trend_normal, 201, TWO_SIDED},
    {"no false trend, permutation, 60", trend_permutation, 60, AT_LEAST},
    {"no false claim of 8, Holm", holm, 0, AT_LEAST},
    {"a claim is true, Benj.-Hochberg", benjamini_hochberg, 0, AT_LEAST},
    {"Bradley-Terry gap, 50 questions", bt_gap, 50, TWO_SIDED},
    {"Bradley-Terry order, 50 questions", bt_order, 50, TWO_SIDED},
    {"Bradley-Terry length term, 50 q.", bt_term, 50, TWO_SIDED},
    {"length-controlled, 50 questions", length_control, 50, TWO_SIDED},
    {"random labels, 30 of 300", human_random, 30, TWO_SIDED},
    {"random labels, 100 of 300, mean .85", human_random, 100, TWO_SIDED},
    {"active labels, 50 of 300", human_active, 50, TWO_SIDED},
    {"active labels, 100 of 300, mean .85", human_active, 100, TWO_SIDED},
    {"strata, random labels, 50 of 300", strata_random, 50, TWO_SIDED},
    {"strata, labels by doubt, 50 of 300", strata_active, 50, TWO_SIDED},
    {"strata, labels by doubt, 100 of 300", strata_active, 100, TWO_SIDED},
    {"Cohen's kappa, 100 pairs", kappa, 100, TWO_SIDED},
    {"sequence, 300 pairs, always", sequence, 300, AT_LEAST},
    {"selective, 400 pairs", selective, 400, AT_LEAST},
    {"selective, 400 pairs, always .8999", selective_flat, 400, AT_LEAST},
};

int main(int argc, char **argv) {
    return coverage_run(experiments, sizeof experiments / sizeof *experiments, argc,
                        argv);
}
