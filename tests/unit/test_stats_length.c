/* SPDX-License-Identifier: MIT
 *
 * Length-controlled win rates: golden fits from R, planted length bias, the mirror law,
 * and what cannot be controlled.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "stats/cluster.h"
#include "stats/length.h"
#include "stats/special.h"
#include "stats_golden.h"

enum { ROWS_MAX = 5000 };

static stats_length_row rows[ROWS_MAX], mirrored[ROWS_MAX];

static void assert_near(double value, double expected, double limit) {
    if (!(fabs(value - expected) <= limit))
        fail_msg("%.17g is not %.17g", value, expected);
}

static void mirror(int n) {
    for (int i = 0; i < n; i++)
        mirrored[i] =
            (stats_length_row){1.0 - rows[i].value, -rows[i].excess, rows[i].cluster};
}

static void assert_mirrored(const stats_length *a, const stats_length *b) {
    assert_near(a->win_rate.value, 1.0 - b->win_rate.value, 1e-12);
    assert_near(a->win_rate.low, 1.0 - b->win_rate.high, 1e-12);
    assert_near(a->win_rate.high, 1.0 - b->win_rate.low, 1e-12);
    assert_near(a->slope, b->slope, 1e-9);
    assert_int_equal(a->n_longer_1, b->n_longer_2);
    assert_true(a->one_sided == b->one_sided);
}

static void test_golden(void **state) {
    (void)state;
    golden g;
    int n_rows = 0;
    golden_open(&g, "stats_r.tsv");
    assert_non_null(g.file);
    while (golden_next(&g)) {
        if (strcmp(g.name, "length") != 0) continue;
        int n = (int)g.number[0];
        for (int i = 1; i <= n; i++) {
            int d = i * 37 % 101 - 45;
            int y = i * 53 % 5 + (d > 0) - (d < 0);
            y = y < 0 ? 0 : y > 4 ? 4 : y;
            rows[i - 1] = (stats_length_row){y / 4.0, d, (uint64_t)((i - 1) / 2)};
        }
        stats_length r = stats_length_control(rows, n, .95);
        assert_int_equal(r.win_rate.why, STATS_REASON_NONE);
        double a = g.number[1], se = g.number[3];
        double t = stats_t_two_sided(.95, n / 2 - 2);
        assert_near(r.win_rate.value, 1.0 / (1.0 + exp(-a)), 1e-9);
        assert_near(r.win_rate.low, 1.0 / (1.0 + exp(-a + t * se)), 1e-9);
        assert_near(r.win_rate.high, 1.0 / (1.0 + exp(-a - t * se)), 1e-9);
        assert_near(r.slope, g.number[2], 1e-9);
        assert_near(r.slope_se, g.number[4], 1e-9);
        assert_false(r.penalised);
        assert_int_equal(r.n_longer_1 + r.n_longer_2 + r.n_equal, n);
        mirror(n);
        stats_length m = stats_length_control(mirrored, n, .95);
        assert_mirrored(&r, &m);
        n_rows++;
    }
    golden_close(&g);
    assert_int_equal(n_rows, 2);
}

/* A judge that only looks at length, and answers 1 that tend to be longer. */
static void test_planted(void **state) {
    (void)state;
    stats_cluster plain;
    stats_cluster_init(&plain);
    for (int i = 0; i < ROWS_MAX; i++) {
        eh_rng rng = rng_make(3, "test.length", (uint64_t)i);
        double d = rng_normal(&rng) + .8;
        double p = 1.0 / (1.0 + exp(-1.2 * tanh(d / sqrt(1.64))));
        rows[i] = (stats_length_row){rng_uniform(&rng) < p, d, (uint64_t)i};
        stats_cluster_add(&plain, (uint64_t)i, rows[i].value);
    }
    stats_length r = stats_length_control(rows, ROWS_MAX, .95);
    assert_true(stats_cluster_mean(&plain).mean > .6);
    assert_true(r.win_rate.low < .5 && r.win_rate.high > .5);
    assert_near(r.slope, 1.2, 4.0 * r.slope_se);
    assert_false(r.warn_one_sided);
}

static void test_one_sided(void **state) {
    (void)state;
    for (int i = 0; i < 100; i++)
        rows[i] = (stats_length_row){i % 3 / 2.0, i < 86 ? 10 + i : -5, (uint64_t)i};
    stats_length r = stats_length_control(rows, 100, .95);
    assert_true(r.warn_one_sided && r.one_sided == .86);
    rows[0].excess = -3;
    r = stats_length_control(rows, 100, .95);
    assert_false(r.warn_one_sided);
    assert_int_equal(r.n_longer_1, 85);
}

static void test_edges(void **state) {
    (void)state;
    assert_int_equal(stats_length_control(rows, 0, .95).win_rate.why,
                     STATS_REASON_NO_ROWS);
    /* every length equal: nothing to control for */
    for (int i = 0; i < 40; i++)
        rows[i] = (stats_length_row){i % 4 == 0, 0, (uint64_t)i};
    stats_length r = stats_length_control(rows, 40, .95);
    assert_near(r.win_rate.value, .25, 1e-15);
    assert_true(isnan(r.slope) && r.scale == 0.0 && r.n_equal == 40);
    assert_true(r.win_rate.low > .1 && r.win_rate.high < .45);
    /* all verdicts alike, and verdicts parted by length: finite all the same */
    for (int i = 0; i < 40; i++)
        rows[i] = (stats_length_row){1, i % 7 - 3, (uint64_t)i};
    r = stats_length_control(rows, 40, .95);
    assert_true(r.penalised && r.win_rate.value > .9 && r.win_rate.value < 1.0);
    assert_true(r.win_rate.low > .5 && r.win_rate.high <= 1.0);
    for (int i = 0; i < 40; i++)
        rows[i] = (stats_length_row){i % 2, i % 2 ? 5 : -5, (uint64_t)i};
    r = stats_length_control(rows, 40, .95);
    assert_true(r.penalised && isfinite(r.slope) && r.slope > 2.0);
    assert_near(r.win_rate.value, .5, 1e-9);
    /* too few questions: a value without bounds */
    rows[0] = (stats_length_row){1, 3, 1};
    rows[1] = (stats_length_row){0, 2, 1};
    rows[2] = (stats_length_row){.5, -2, 2};
    r = stats_length_control(rows, 3, .95);
    assert_int_equal(r.win_rate.why, STATS_REASON_TOO_FEW_QUESTIONS);
    assert_true(!isnan(r.win_rate.value) && isnan(r.win_rate.low));
    rows[1].value = 1.5;
    assert_int_equal(stats_length_control(rows, 3, .95).win_rate.why,
                     STATS_REASON_OUT_OF_RANGE);
    rows[1].value = .5;
    rows[1].excess = NAN;
    assert_int_equal(stats_length_control(rows, 3, .95).win_rate.why,
                     STATS_REASON_OUT_OF_RANGE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden),
        cmocka_unit_test(test_planted),
        cmocka_unit_test(test_one_sided),
        cmocka_unit_test(test_edges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
