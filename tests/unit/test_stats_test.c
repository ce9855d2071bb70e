/* SPDX-License-Identifier: MIT
 *
 * Tests of the tests: golden p values from R, exact levels, edges.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/rng.h"
#include "stats/special.h"
#include "stats/test.h"
#include "stats_golden.h"

static void assert_near(double value, double expected, double limit) {
    if (!(golden_error(value, expected) <= limit))
        fail_msg("%.17g is not %.17g", value, expected);
}

static void check_adjusted(const double *x) {
    int n = (int)x[0];
    double holm[16], bh[16];
    stats_holm(x + 1, holm, n);
    stats_benjamini_hochberg(x + 1, bh, n);
    for (int i = 0; i < n; i++) {
        assert_near(holm[i], x[1 + n + i], 1e-14);
        assert_near(bh[i], x[1 + 2 * n + i], 1e-14);
    }
}

static void check_trend(const double *x) {
    int k = (int)x[0];
    int64_t hits[16], totals[16], misses[16];
    for (int i = 0; i < k; i++) {
        hits[i] = (int64_t)x[1 + i];
        totals[i] = (int64_t)x[1 + k + i];
        misses[i] = totals[i] - hits[i];
    }
    stats_trend t = stats_trend_shares(hits, totals, k);
    assert_near(t.statistic * t.statistic, x[1 + 2 * k], 1e-12);
    assert_near(t.p, x[2 + 2 * k], 1e-12);
    assert_near(stats_trend_shares(misses, totals, k).statistic, -t.statistic, 1e-12);
}

static void check_fisher(const double *x) {
    int64_t a = (int64_t)x[0], b = (int64_t)x[1], c = (int64_t)x[2], d = (int64_t)x[3];
    stats_fourfold f = stats_fisher(a, b, c, d), turned = stats_fisher(c, d, a, b);
    assert_near(f.p, x[4], 1e-12);
    assert_near(f.phi, x[5], 1e-13);
    assert_near(turned.p, f.p, 1e-13);
    assert_near(turned.phi, -f.phi, 1e-15);
    assert_near(stats_fisher(a, c, b, d).p, f.p, 1e-13);
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
        if (strcmp(g.name, "sign") == 0)
            assert_near(stats_sign_test((int64_t)x[0], (int64_t)x[1]), x[2], 1e-12);
        else if (strcmp(g.name, "fisher") == 0)
            check_fisher(x);
        else if (strcmp(g.name, "trend") == 0)
            check_trend(x);
        else if (strcmp(g.name, "adjust") == 0)
            check_adjusted(x);
        else
            n_rows--;
    }
    golden_close(&g);
    assert_int_equal(n_rows, 37);
}

static void test_sign_edges(void **state) {
    (void)state;
    assert_true(stats_sign_test(0, 0) == 1.0);
    assert_true(stats_sign_test(4, 4) == 1.0);
    assert_near(stats_sign_test(5, 0), .0625, 1e-14);
    assert_true(stats_sign_test(3, 9) == stats_sign_test(9, 3));
    assert_true(isnan(stats_sign_test(-1, 3)));
    assert_true(stats_mcnemar(2, 11) == stats_sign_test(2, 11));
    /* far out the tail keeps its digits */
    assert_near(stats_sign_test(0, 1000), 0x1p-999, 1e-11);
    assert_near(stats_sign_test(500000, 503000),
                2.0 * stats_normal_cdf(-2999.0 / sqrt(1003000.0)), 1e-3);
}

static void test_fisher_edges(void **state) {
    (void)state;
    stats_fourfold f = stats_fisher(0, 0, 0, 0);
    assert_int_equal(f.why, STATS_REASON_NO_ROWS);
    assert_true(isnan(f.p));
    f = stats_fisher(4, 6, 0, 0);
    assert_int_equal(f.why, STATS_REASON_NO_VARIANCE);
    assert_true(f.p == 1.0 && isnan(f.phi));
    assert_int_equal(stats_fisher(-1, 1, 1, 1).why, STATS_REASON_OUT_OF_RANGE);
    f = stats_fisher(5, 0, 0, 5);
    assert_near(f.phi, 1.0, 1e-15);
    assert_near(f.p, 2.0 / 252.0, 1e-13);
    /* large margins keep finite */
    f = stats_fisher(50000, 49000, 50500, 51000);
    assert_true(f.p > 0.0 && f.p < 1.0);
}

/* Under fixed margins, P(p <= .05) is at most .05: all tables of the margins summed. */
static void test_fisher_level(void **state) {
    (void)state;
    for (int64_t r = 3; r < 25; r += 4) {
        for (int64_t c = 2; c < 25; c += 3) {
            int64_t n = 30;
            double rejected = 0.0, total = 0.0;
            for (int64_t x = 0; x <= (r < c ? r : c); x++) {
                if (n - r - c + x < 0) continue;
                double p = (double)c / (double)n;
                double px = stats_binomial_pmf((double)x, (double)r, p) *
                            stats_binomial_pmf((double)(c - x), (double)(n - r), p) /
                            stats_binomial_pmf((double)c, (double)n, p);
                total += px;
                if (stats_fisher(x, r - x, c - x, n - r - c + x).p <= .05)
                    rejected += px;
            }
            assert_near(total, 1.0, 1e-12);
            assert_true(rejected <= .05 + 1e-12);
        }
    }
}

/* Under a fair coin P(p <= .05) is at most .05, and comes near to it: all splits. */
static void test_sign_level(void **state) {
    (void)state;
    double most = 0.0;
    for (int n = 1; n <= 200; n++) {
        double rejected = 0.0;
        for (int k = 0; k <= n; k++)
            if (stats_sign_test(k, n - k) <= .05)
                rejected += stats_binomial_pmf(k, n, .5);
        assert_true(rejected <= .05 + 1e-12);
        most = fmax(most, rejected);
    }
    assert_true(most > .045);
}

static void test_trend_edges(void **state) {
    (void)state;
    int64_t hits[3] = {2, 2, 2}, totals[3] = {4, 4, 4}, none[3] = {0};
    stats_trend t = stats_trend_shares(hits, totals, 3);
    assert_true(t.statistic == 0.0 && t.p == 1.0);
    assert_int_equal(stats_trend_shares(none, none, 3).why, STATS_REASON_NO_ROWS);
    assert_int_equal(stats_trend_shares(none, totals, 3).why, STATS_REASON_NO_VARIANCE);
    assert_int_equal(stats_trend_shares(totals, totals, 3).why,
                     STATS_REASON_NO_VARIANCE);
    assert_int_equal(stats_trend_shares(hits, totals, 1).why, STATS_REASON_NO_VARIANCE);
    assert_int_equal(stats_trend_shares(totals, hits, 3).why,
                     STATS_REASON_OUT_OF_RANGE);
}

static void test_permutation(void **state) {
    (void)state;
    double values[8] = {0, 0, .5, .5, .5, 1, 1, 1}, bins[8] = {0, 0, 1, 1, 2, 2, 3, 3};
    double same[8] = {1, 1, 1, 1, 1, 1, 1, 1}, mirrored[8];
    stats_trend t, again, m;
    eh_error err;
    for (int i = 0; i < 8; i++)
        mirrored[i] = 1.0 - values[i];
    assert_int_equal(stats_trend_permutation(values, bins, 8, 4999, 3, &t, &err), 0);
    assert_int_equal(stats_trend_permutation(values, bins, 8, 4999, 3, &again, &err),
                     0);
    assert_int_equal(stats_trend_permutation(mirrored, bins, 8, 4999, 3, &m, &err), 0);
    assert_true(t.statistic > 2.0 && t.p < .02 && t.p >= 1.0 / 5000.0);
    assert_true(t.p == again.p && t.p == m.p);
    assert_near(m.statistic, -t.statistic, 1e-12);
    assert_int_equal(stats_trend_permutation(same, bins, 8, 99, 3, &t, &err), 0);
    assert_int_equal(t.why, STATS_REASON_NO_VARIANCE);
    assert_int_equal(stats_trend_permutation(values, bins, 0, 99, 3, &t, &err), 0);
    assert_int_equal(t.why, STATS_REASON_NO_ROWS);
    for (int nth = 1; nth <= 2; nth++) {
        mem_fail_at(nth, false);
        assert_int_equal(stats_trend_permutation(values, bins, 8, 99, 3, &t, &err),
                         EH_STATUS_NOMEM);
        mem_fail_at(0, false);
    }
    assert_int_equal(mem_live(), 0);
}

/* No trend in truth: values without ties make the level exact. */
static void test_permutation_level(void **state) {
    (void)state;
    enum { SEEDS = 1000, N = 24 };
    int n_rejected = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        double values[N], bins[N];
        eh_rng rng = rng_make(seed, "test.permutation", 0);
        stats_trend t;
        for (int i = 0; i < N; i++) {
            values[i] = rng_uniform(&rng);
            bins[i] = i % 4;
        }
        assert_int_equal(stats_trend_permutation(values, bins, N, 199, seed, &t, NULL),
                         0);
        if (t.p <= .05) n_rejected++;
    }
    print_message("  permutation test: %d of %d rejected at .05\n", n_rejected, SEEDS);
    assert_true(n_rejected >= 30 && n_rejected <= 71); /* 50 +- 3 sd */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden),       cmocka_unit_test(test_sign_edges),
        cmocka_unit_test(test_fisher_edges), cmocka_unit_test(test_fisher_level),
        cmocka_unit_test(test_sign_level),   cmocka_unit_test(test_trend_edges),
        cmocka_unit_test(test_permutation),  cmocka_unit_test(test_permutation_level),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
