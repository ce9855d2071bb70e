/* SPDX-License-Identifier: MIT
 *
 * Paired differences: golden numbers, findings, exact coverage of Newcombe's interval.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "stats/difference.h"
#include "stats/special.h"
#include "stats_golden.h"

static void assert_near(double value, double expected, double limit) {
    if (!(fabs(value - expected) <= limit))
        fail_msg("%.17g is not %.17g", value, expected);
}

static stats_mean mean_of(const double *x, int n) {
    stats_cluster c;
    stats_cluster_init(&c);
    for (int i = 0; i < n; i++)
        stats_cluster_add(&c, (uint64_t)i, x[i]);
    return stats_cluster_mean(&c);
}

static void test_golden(void **state) {
    (void)state;
    golden g;
    int n_rows = 0;
    golden_open(&g, "stats_r.tsv");
    assert_non_null(g.file);
    while (golden_next(&g)) {
        const double *x = g.number;
        if (strcmp(g.name, "newcombe") == 0) {
            int64_t a = (int64_t)x[0], b = (int64_t)x[1], c = (int64_t)x[2],
                    d = (int64_t)x[3];
            stats_interval i = stats_newcombe_paired(a, b, c, d, x[4]);
            stats_interval mirror = stats_newcombe_paired(d, c, b, a, x[4]);
            assert_near(i.low, x[5], 1e-12);
            assert_near(i.high, x[6], 1e-12);
            assert_near(mirror.low, -i.high, 1e-12); /* yes and no exchanged */
            mirror = stats_newcombe_paired(a, c, b, d, x[4]);
            assert_near(mirror.low, -i.high, 1e-12); /* first and second exchanged */
            n_rows++;
        } else if (strcmp(g.name, "difference") == 0) {
            int n = (int)x[0];
            stats_mean m = mean_of(x + 1, n);
            stats_difference d = stats_difference_of(&m, 0.0, .95);
            assert_near(d.interval.low, x[1 + n], 1e-12);
            assert_near(d.interval.high, x[2 + n], 1e-12);
            n_rows++;
        }
    }
    golden_close(&g);
    assert_int_equal(n_rows, 7);
}

static stats_difference of(double mean, double se, int64_t n, double margin) {
    stats_mean m = {n, n, mean, se, STATS_REASON_NONE};
    return stats_difference_of(&m, margin, .95);
}

static void test_findings(void **state) {
    (void)state;
    assert_int_equal(of(.1, .02, 100, .03).finding, STATS_FINDING_BETTER);
    assert_int_equal(of(-.1, .02, 100, .03).finding, STATS_FINDING_WORSE);
    assert_int_equal(of(.01, .02, 100, .03).finding, STATS_FINDING_NOT_SHOWN);
    assert_int_equal(of(.01, .005, 100, .03).finding, STATS_FINDING_EQUIVALENT);
    assert_int_equal(of(.01, .005, 100, 0).finding, STATS_FINDING_BETTER);
    assert_true(of(.01, .004, 100, .03).excludes_zero);
    assert_false(of(.0, .004, 100, .03).excludes_zero);
    assert_string_equal(stats_finding_name(STATS_FINDING_NOT_SHOWN), "not_shown");
    /* the p value and the interval tell the same */
    for (double se = .005; se < .2; se += .0031) {
        stats_difference d = of(.07, se, 40, 0);
        assert_true(d.excludes_zero == (d.p < .05));
    }
    /* equal runs: no more certain than the number of questions allows */
    stats_difference d = of(0, 0, 20, .03);
    assert_int_equal(d.finding, STATS_FINDING_NOT_SHOWN);
    assert_near(pow(1.0 - d.interval.high, 20), .025, 1e-12);
    assert_int_equal(of(0, 0, 500, .03).finding, STATS_FINDING_EQUIVALENT);
    assert_true(isnan(d.p));
    /* too few */
    stats_mean one = mean_of((double[]){.5}, 1);
    d = stats_difference_of(&one, .03, .95);
    assert_int_equal(d.interval.why, STATS_REASON_TOO_FEW_QUESTIONS);
    assert_int_equal(d.finding, STATS_FINDING_NOT_SHOWN);
    assert_int_equal(of(2, .1, 10, 0).interval.why, STATS_REASON_OUT_OF_RANGE);
}

static void test_newcombe_edges(void **state) {
    (void)state;
    assert_int_equal(stats_newcombe_paired(0, 0, 0, 0, .95).why, STATS_REASON_NO_ROWS);
    assert_int_equal(stats_newcombe_paired(1, -1, 0, 0, .95).why,
                     STATS_REASON_OUT_OF_RANGE);
    /* the paper's method gives a proper interval where nothing changed */
    stats_interval i = stats_newcombe_paired(30, 0, 0, 10, .95);
    assert_true(i.low < 0.0 && i.high > 0.0 && i.value == 0.0);
    /* published example (Altman et al., Statistics with Confidence, 2000): .01 .. .23
     */
    i = stats_newcombe_paired(14, 5, 0, 22, .95);
    assert_near(i.low, .01, .005);
    assert_near(i.high, .23, .005);
}

/* Published example of shares of different items (Newcombe 1998, 56 of 70 against 48 of
 * 80, method 10): .0524 to .3339; and what tests/golden/audit_score.py gives. */
static stats_interval apart(int64_t x_1, int64_t n_1, int64_t x_2, int64_t n_2) {
    stats_interval first = stats_wilson(x_1, n_1, .95);
    stats_interval second = stats_wilson(x_2, n_2, .95);
    return stats_newcombe_apart(&first, &second);
}

static void test_newcombe_apart(void **state) {
    (void)state;
    stats_interval i = apart(56, 70, 48, 80);
    assert_near(i.value, .2, 1e-12);
    assert_near(i.low, .0524, 5e-5);
    assert_near(i.high, .3339, 5e-5);
    i = apart(2, 2, 0, 2);
    assert_near(i.value, 1, 1e-12);
    assert_near(i.low, .0699852, 1e-6);
    assert_near(i.high, 1, 1e-12);
    stats_interval mirror = apart(48, 80, 56, 70);
    assert_near(mirror.low, -.3338727, 1e-6);
    assert_int_equal(apart(0, 0, 1, 2).why, STATS_REASON_NO_ROWS);
    assert_int_equal(apart(1, 2, 0, 0).why, STATS_REASON_NO_ROWS);
    assert_int_equal(apart(3, 2, 1, 2).why, STATS_REASON_OUT_OF_RANGE);
}

enum { ITEMS = 30 };

static stats_interval newcombe_of[ITEMS + 1][ITEMS + 1][ITEMS + 1]; /* [a][b][c] */

/* Exact: all tables of ITEMS items with these chances of the four cells. */
static double newcombe_coverage(const double cell[4]) {
    double covered = 0.0, truth = cell[1] - cell[2];
    for (int a = 0; a <= ITEMS; a++) {
        double pa = stats_binomial_pmf(a, ITEMS, cell[0]);
        if (pa < 1e-11) continue;
        for (int b = 0; b <= ITEMS - a; b++) {
            int rest = ITEMS - a - b;
            double share = cell[1] / (1 - cell[0]);
            double pb = ITEMS == a ? 1.0 : stats_binomial_pmf(b, ITEMS - a, share);
            for (int c = 0; c <= rest && pb > 1e-11; c++) {
                share = cell[2] / (1 - cell[0] - cell[1]);
                double pc = rest == 0 ? 1.0 : stats_binomial_pmf(c, rest, share);
                stats_interval i = newcombe_of[a][b][c];
                if (i.low <= truth && truth <= i.high) covered += pa * pb * pc;
            }
        }
    }
    return covered;
}

static void test_newcombe_coverage(void **state) {
    (void)state;
    double sum = 0.0, least = 1.0;
    int n_points = 0;
    for (int a = 0; a <= ITEMS; a++)
        for (int b = 0; b <= ITEMS - a; b++)
            for (int c = 0; c <= ITEMS - a - b; c++)
                newcombe_of[a][b][c] =
                    stats_newcombe_paired(a, b, c, ITEMS - a - b - c, .95);
    for (double p1 = .15; p1 < .9; p1 += .175) {
        for (double p2 = .15; p2 < .9; p2 += .175) {
            for (double phi = 0.0; phi < .7; phi += .3) {
                double a = p1 * p2 + phi * sqrt(p1 * (1 - p1) * p2 * (1 - p2));
                double cell[4] = {a, p1 - a, p2 - a, 1 - p1 - p2 + a};
                if (cell[1] < .01 || cell[2] < .01 || cell[3] < .01) continue;
                double covered = newcombe_coverage(cell);
                sum += covered;
                least = fmin(least, covered);
                n_points++;
            }
        }
    }
    print_message("  Newcombe paired, n = 30: mean coverage %.4f, least %.4f\n",
                  sum / n_points, least);
    assert_true(sum / n_points >= .94 && sum / n_points <= .96);
}

static void test_planning(void **state) {
    (void)state;
    double z = stats_normal_quantile(.975) + stats_normal_quantile(.8);
    assert_near(stats_detectable(.25, 400, .95, .8), z * .5 / 20.0, 1e-14);
    assert_int_equal(stats_questions_to_detect(.25, z * .5 / 20.0, .95, .8), 400);
    assert_int_equal(stats_questions_to_detect(.25, .05, .95, .8), 785);
    assert_int_equal(stats_questions_to_detect(.25, -.05, .95, .8), 785);
    assert_int_equal(stats_questions_to_detect(.25, 0, .95, .8), 0);
    assert_true(isnan(stats_detectable(.25, 0, .95, .8)));
    assert_true(isnan(stats_detectable(-1, 10, .95, .8)));
    assert_true(isnan(stats_detectable(.25, 10, .95, 1)));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden),
        cmocka_unit_test(test_findings),
        cmocka_unit_test(test_newcombe_edges),
        cmocka_unit_test(test_newcombe_apart),
        cmocka_unit_test(test_newcombe_coverage),
        cmocka_unit_test(test_planning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
