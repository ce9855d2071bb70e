/* SPDX-License-Identifier: MIT
 *
 * Intervals and clustered means: golden numbers from R, the mirror law, edges, and
 * exact coverage. Coverage of what is only approximate over clusters needs many seeds:
 * tests/long/coverage_stats.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/rng.h"
#include "stats/cluster.h"
#include "stats/interval.h"
#include "stats/special.h"
#include "stats_golden.h"

static void assert_near(double value, double expected, double limit) {
    if (!(golden_error(value, expected) <= limit) && !(fabs(value - expected) <= 1e-15))
        fail_msg("%.17g is not %.17g (limit %g)", value, expected, limit);
}

static void assert_interval(stats_interval i, const double *low_high, double limit) {
    assert_int_equal(i.why, STATS_REASON_NONE);
    assert_near(i.low, low_high[0], limit);
    assert_near(i.high, low_high[1], limit);
}

static void test_golden(void **state) {
    (void)state;
    golden g;
    int n_rows = 0;
    golden_open(&g, "stats_r.tsv");
    assert_non_null(g.file);
    while (golden_next(&g)) {
        const double *x = g.number;
        n_rows++;
        if (strcmp(g.name, "wilson") == 0)
            assert_interval(stats_wilson((int64_t)x[0], (int64_t)x[1], x[2]), x + 3,
                            1e-12);
        else if (strcmp(g.name, "clopper_pearson") == 0)
            assert_interval(stats_clopper_pearson((int64_t)x[0], (int64_t)x[1], x[2]),
                            x + 3, 1e-12);
        else if (strcmp(g.name, "win_rate") == 0) /* R's root has 1e-15 absolute */
            assert_interval(stats_win_rate_interval(x[0], x[1], (int64_t)x[2], x[3]),
                            x + 4, 1e-9);
        else
            n_rows--;
    }
    golden_close(&g);
    assert_true(n_rows >= 130);
}

/* The rows of make_stats.R, "cluster": value and question of row i (from 1). */
static double row_value(int i, bool mirrored) {
    double y = (i * 7919) % 13 / 12.0;
    return mirrored ? 1.0 - y : y;
}

static stats_mean mean_of_rows(int n, bool mirrored) {
    stats_cluster c;
    stats_cluster_init(&c);
    for (int i = 1; i <= n; i++)
        stats_cluster_add(&c, (uint64_t)(i * i / 11), row_value(i, mirrored));
    return stats_cluster_mean(&c);
}

static void test_cluster_golden(void **state) {
    (void)state;
    golden g;
    int n_rows = 0;
    golden_open(&g, "stats_r.tsv");
    while (golden_next(&g)) {
        if (strcmp(g.name, "cluster") != 0) continue;
        stats_mean m = mean_of_rows((int)g.number[0], false);
        stats_mean mirror = mean_of_rows((int)g.number[0], true);
        assert_int_equal(m.n, (int64_t)g.number[0]);
        assert_int_equal(m.n_clusters, (int64_t)g.number[1]);
        assert_near(m.mean, g.number[2], 1e-14);
        assert_near(m.se, g.number[3], 1e-12);
        assert_near(mirror.mean, 1.0 - m.mean, 1e-14);
        assert_near(mirror.se, m.se, 1e-13);
        n_rows++;
    }
    golden_close(&g);
    assert_int_equal(n_rows, 3);
}

/* Questions of equal content in another order, and rows within a question shuffled. */
static void test_cluster_order(void **state) {
    (void)state;
    enum { QUESTIONS = 1000, ROWS = 7 };
    stats_cluster forward, backward;
    stats_cluster_init(&forward);
    stats_cluster_init(&backward);
    for (int q = 0; q < QUESTIONS; q++) {
        for (int r = 0; r < ROWS; r++) {
            int other = QUESTIONS - 1 - q, row = ROWS - 1 - r;
            stats_cluster_add(&forward, (uint64_t)q, (q * 31 + r * r) % 17 / 16.3);
            stats_cluster_add(&backward, (uint64_t)other,
                              (other * 31 + row * row) % 17 / 16.3);
        }
    }
    stats_mean a = stats_cluster_mean(&forward), b = stats_cluster_mean(&backward);
    assert_true(a.mean == b.mean && a.se == b.se);
}

static void test_cluster_edges(void **state) {
    (void)state;
    stats_cluster c;
    stats_cluster_init(&c);
    stats_mean m = stats_cluster_mean(&c);
    assert_int_equal(m.why, STATS_REASON_NO_ROWS);
    assert_true(isnan(m.mean) && isnan(m.se));
    stats_cluster_add(&c, 0, 1.0);
    stats_cluster_add(&c, 0, .5);
    m = stats_cluster_mean(&c);
    assert_int_equal(m.why, STATS_REASON_TOO_FEW_QUESTIONS);
    assert_true(m.mean == .75 && isnan(m.se) && m.n_clusters == 1);
    stats_interval i = stats_cluster_interval(&c, .95);
    assert_int_equal(i.why, STATS_REASON_TOO_FEW_QUESTIONS);
    assert_true(i.value == .75 && isnan(i.low) && isnan(i.high));
    /* reading the state does not close the question */
    stats_cluster_add(&c, 0, .75);
    assert_int_equal(stats_cluster_mean(&c).n_clusters, 1);
    stats_cluster_add(&c, 9, .25);
    assert_int_equal(stats_cluster_mean(&c).n_clusters, 2);

    /* equal values that differ in their last bits have no variance */
    stats_cluster_init(&c);
    for (int q = 0; q < 100; q++)
        stats_cluster_add(&c, (uint64_t)q, q % 2 ? 1.0 / 3.0 : 1.0 - 2.0 / 3.0);
    assert_true(stats_cluster_mean(&c).se == 0.0);
}

static void test_interval_edges(void **state) {
    (void)state;
    assert_int_equal(stats_wilson(0, 0, .95).why, STATS_REASON_NO_ROWS);
    assert_int_equal(stats_wilson(3, 2, .95).why, STATS_REASON_OUT_OF_RANGE);
    assert_int_equal(stats_wilson(1, 2, 1.0).why, STATS_REASON_OUT_OF_RANGE);
    assert_int_equal(stats_clopper_pearson(0, 0, .95).why, STATS_REASON_NO_ROWS);
    assert_int_equal(stats_clopper_pearson(-1, 2, .95).why, STATS_REASON_OUT_OF_RANGE);
    assert_int_equal(stats_win_rate_interval(.5, .1, 0, .95).why, STATS_REASON_NO_ROWS);
    assert_true(stats_wilson(0, 9, .95).low == 0.0);
    assert_true(stats_wilson(9, 9, .95).high == 1.0);
    assert_true(stats_clopper_pearson(0, 9, .95).low == 0.0);
    assert_true(stats_clopper_pearson(9, 9, .95).high == 1.0);
    /* no spread: as many independent outcomes as questions */
    double t = stats_t_two_sided(.95, 19);
    stats_interval all = stats_win_rate_interval(1.0, 0.0, 20, .95);
    assert_near(all.low, 20.0 / (20.0 + t * t), 1e-13);
    assert_true(all.high == 1.0);
    stats_interval ties = stats_win_rate_interval(.5, 0.0, 20, .95);
    stats_interval same = stats_wilson_scaled(.5, 20, t);
    assert_true(ties.low == same.low && ties.high == same.high);
    /* one-sided: P(2 or more of 10 | low) = .05 */
    double low = stats_clopper_pearson_low(2, 10, .95);
    assert_near(stats_binomial_sf(2, 10, low), .05, 1e-12);
}

static void test_mirror(void **state) {
    (void)state;
    for (int k = 0; k <= 40; k++) {
        stats_interval a = stats_wilson(k, 40, .95), b = stats_wilson(40 - k, 40, .95);
        assert_near(a.low, 1.0 - b.high, 1e-13);
        a = stats_clopper_pearson(k, 40, .95);
        b = stats_clopper_pearson(40 - k, 40, .95);
        assert_near(a.low, 1.0 - b.high, 1e-12);
        double p = k / 40.0;
        a = stats_win_rate_interval(p, .03, 40, .95);
        b = stats_win_rate_interval(1.0 - p, .03, 40, .95);
        assert_near(a.low, 1.0 - b.high, 1e-12);
        assert_true(a.low <= p && p <= a.high);
    }
}

static void test_planning(void **state) {
    (void)state;
    assert_int_equal(stats_questions_needed(.25, .05, .95), 385);
    assert_int_equal(stats_questions_needed(.1, .05, .95), 154);
    assert_int_equal(stats_questions_needed(0.0, .05, .95), 2);
    assert_int_equal(stats_questions_needed(.25, 0.0, .95), 0);
    assert_int_equal(stats_questions_needed(NAN, .05, .95), 0);
    /* an exact quotient is not rounded up: z^2 v / h^2 = 400 */
    double z = stats_normal_two_sided(.95);
    assert_int_equal(stats_questions_needed(.25, z * .5 / 20.0, .95), 400);
    stats_mean m = {.n = 100, .n_clusters = 50, .mean = .5, .se = .05};
    assert_near(stats_question_variance(&m), .125, 1e-14);
}

typedef stats_interval share_interval(int64_t k, int64_t n, double level);

/* Mean and least exact coverage over true shares between .1 and .9. */
static double coverage_of_shares(share_interval *interval, int n, double *least) {
    stats_interval of[201];
    for (int k = 0; k <= n; k++)
        of[k] = interval(k, n, .95);
    double sum = 0.0;
    int n_p = 0;
    *least = 1.0;
    for (double p = .1025; p < .9; p += .005, n_p++) {
        double covered = 0.0;
        for (int k = 0; k <= n; k++)
            if (of[k].low <= p && p <= of[k].high)
                covered += stats_binomial_pmf(k, n, p);
        sum += covered;
        *least = fmin(*least, covered);
    }
    return sum / n_p;
}

static void test_coverage_of_shares(void **state) {
    (void)state;
    double least;
    for (int n = 10; n <= 160; n *= 2) {
        double mean = coverage_of_shares(stats_wilson, n, &least);
        print_message("  Wilson, n = %3d: mean coverage %.4f, least %.4f\n", n, mean,
                      least);
        assert_true(mean >= .94 && mean <= .96);
        mean = coverage_of_shares(stats_clopper_pearson, n, &least);
        print_message("  Clopper-Pearson, n = %3d: mean %.4f, least %.4f\n", n, mean,
                      least);
        assert_true(least >= .95);
    }
}

/* Win, tie and loss of n questions with one row each. */
static double coverage_of_win_rate(int n, double p_tie, double *least) {
    static stats_interval of[101][101]; /* [wins][ties] */
    for (int w = 0; w <= n; w++) {
        for (int t = 0; t <= n - w; t++) {
            double m = (w + .5 * t) / n;
            double squares =
                w * (1 - m) * (1 - m) + t * (.5 - m) * (.5 - m) + (n - w - t) * m * m;
            double se = sqrt(squares / (n - 1.0) / n);
            of[w][t] = stats_win_rate_interval(m, se, n, .95);
        }
    }
    double sum = 0.0;
    int n_p = 0;
    *least = 1.0;
    for (double p_win = .1025; p_win < .9; p_win += .02, n_p++) { /* of the decided */
        double truth = (1.0 - p_tie) * p_win + .5 * p_tie, covered = 0.0;
        for (int t = 0; t <= n; t++) {
            double p_t = stats_binomial_pmf(t, n, p_tie);
            if (p_t < 1e-12) continue;
            for (int w = 0; w <= n - t; w++) {
                double p_w = n == t ? 1.0 : stats_binomial_pmf(w, n - t, p_win);
                if (of[w][t].low <= truth && truth <= of[w][t].high)
                    covered += p_t * p_w;
            }
        }
        sum += covered;
        *least = fmin(*least, covered);
    }
    return sum / n_p;
}

/* The stated minimum is 50 questions; below it the interval errs on the wide side. */
static void test_coverage_of_win_rate(void **state) {
    (void)state;
    static const int n_questions[] = {5, 10, 20, 50, 100};
    static const double p_ties[] = {0.0, .1, .3, .6, .9};
    for (int i = 0; i < 5; i++) {
        for (int j = 0; j < 5; j++) {
            double least;
            double mean = coverage_of_win_rate(n_questions[i], p_ties[j], &least);
            print_message(
                "  win rate, %3d questions, tie share %.1f: mean coverage %.4f, "
                "least %.4f\n",
                n_questions[i], p_ties[j], mean, least);
            assert_true(mean >= .94);
            if (n_questions[i] >= 50) assert_true(mean <= .96);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden),
        cmocka_unit_test(test_cluster_golden),
        cmocka_unit_test(test_cluster_order),
        cmocka_unit_test(test_cluster_edges),
        cmocka_unit_test(test_interval_edges),
        cmocka_unit_test(test_mirror),
        cmocka_unit_test(test_planning),
        cmocka_unit_test(test_coverage_of_shares),
        cmocka_unit_test(test_coverage_of_win_rate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
