/* SPDX-License-Identifier: MIT
 *
 * Resampling: the numbers of an independent computation, the mirror law, every
 * instruction set the same, and what is refused.
 */
#include "base/mem.h"
#include "stats/bootstrap.h"
#include "stats/cluster.h"
#include "stats/draw.h"
#include "stats_golden.h"
#include "unit.h"

enum { N_MAX = 40000 };

/* One statistic alone. */
static eh_status alone(const double *sums, const int64_t *counts, int n,
                       stats_resampling how, stats_interval *i, eh_error *err) {
    return stats_bootstrap(&(stats_question_sums){sums, counts}, 1, n, &how, i, err);
}

/* As in make_bootstrap.py. */
static void fill(int n, bool equal, double *sums, double *mirrored, int64_t *counts) {
    for (int g = 0; g < n; g++) {
        counts[g] = equal ? 1 : 1 + g % 3;
        sums[g] = (double)(counts[g] * ((7 * g + 3) % 11)) / 10.0;
        mirrored[g] = (double)counts[g] - sums[g];
    }
}

static void test_golden(void **state) {
    (void)state;
    static double sums[N_MAX], mirrored[N_MAX];
    static int64_t counts[N_MAX];
    golden g;
    int n_rows = 0;
    golden_open(&g, "bootstrap.tsv");
    for (; golden_next(&g); n_rows++) {
        stats_interval i, m;
        int n = (int)g.number[0], n_resamples = (int)g.number[1];
        const stats_resampling how = {n_resamples, (uint64_t)g.number[2], g.number[3]};
        fill(n, strcmp(g.name, "equal") == 0, sums, mirrored, counts);
        assert_int_equal(alone(sums, counts, n, how, &i, NULL), EH_STATUS_OK);
        if (golden_error(i.low, g.number[4]) > 1e-14 ||
            golden_error(i.high, g.number[5]) > 1e-14)
            fail_msg("line %d: %.17g to %.17g", g.line, i.low, i.high);
        assert_int_equal(alone(mirrored, counts, n, how, &m, NULL), EH_STATUS_OK);
        assert_true(fabs(m.low - (1 - i.high)) < 2e-14);
        assert_true(fabs(m.high - (1 - i.low)) < 2e-14);
    }
    golden_close(&g);
    assert_int_equal(n_rows, 6);
}

/* Near the interval by formula, and another with another seed. */
static void test_agrees_with_the_formula(void **state) {
    (void)state;
    enum { N = 60 };
    double sums[N], mirrored[N];
    int64_t counts[N];
    stats_interval i, again, other;
    stats_cluster c;
    stats_cluster_init(&c);
    fill(N, false, sums, mirrored, counts);
    for (int g = 0; g < N; g++)
        for (int64_t r = 0; r < counts[g]; r++)
            stats_cluster_add(&c, (uint64_t)g, sums[g] / (double)counts[g]);
    assert_int_equal(alone(sums, counts, N, (stats_resampling){2000, 1, .95}, &i, NULL),
                     0);
    assert_int_equal(
        alone(sums, counts, N, (stats_resampling){2000, 1, .95}, &again, NULL), 0);
    assert_int_equal(
        alone(sums, counts, N, (stats_resampling){2000, 2, .95}, &other, NULL), 0);
    assert_true(i.low == again.low && i.high == again.high);
    assert_true(i.low != other.low || i.high != other.high);
    stats_interval wilson = stats_cluster_interval(&c, .95);
    assert_true(fabs(i.value - wilson.value) < 1e-15);
    assert_true(fabs(i.low - wilson.low) < .02 && fabs(i.high - wilson.high) < .02);
}

/* Two statistics at once are what each is alone; also where their counts differ. */
static void test_two_at_once(void **state) {
    (void)state;
    static const int sizes[] = {50, 1000, 32769};
    static double sums[N_MAX], mirrored[N_MAX];
    static int64_t counts[N_MAX], ones[N_MAX];
    for (int g = 0; g < N_MAX; g++)
        ones[g] = 1 + g % 2;
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        const stats_resampling how = {200, 7, .9};
        stats_interval both[2], one[2];
        fill(sizes[k], false, sums, mirrored, counts);
        mirrored[3] *= 1e9;
        const stats_question_sums sets[] = {{sums, counts}, {mirrored, ones}};
        assert_int_equal(stats_bootstrap(sets, 2, sizes[k], &how, both, NULL), 0);
        for (int i = 0; i < 2; i++) {
            assert_int_equal(
                stats_bootstrap(&sets[i], 1, sizes[k], &how, &one[i], NULL), 0);
            assert_true(both[i].value == one[i].value && both[i].low == one[i].low &&
                        both[i].high == one[i].high && both[i].low < both[i].high);
        }
    }
}

/* Values of very different size add up exactly: nothing depends on the order in which
 * the compiler takes them. */
static void test_exact_sums(void **state) {
    (void)state;
    enum { N = 64 };
    double sums[N];
    int64_t counts[N];
    stats_interval i;
    for (int g = 0; g < N; g++) {
        sums[g] = g % 2 ? 1e300 : -1e300;
        counts[g] = 1;
    }
    assert_int_equal(alone(sums, counts, N, (stats_resampling){999, 1, .95}, &i, NULL),
                     0);
    assert_true(i.value == 0 && i.low < 0 && i.high > 0 && i.high < 1e300);
    memset(sums, 0, sizeof sums);
    assert_int_equal(alone(sums, counts, N, (stats_resampling){999, 1, .95}, &i, NULL),
                     0);
    assert_true(i.low == 0 && i.high == 0);
    assert_int_equal(i.why, STATS_REASON_NONE);
}

static void test_kernels_agree(void **state) {
    (void)state;
    static const uint16_t sizes[] = {1, 2, 3, 50, 1000, 4097, 10000, 32767, 32768};
    enum { BLOCKS = 100, DRAWS = BLOCKS * STATS_DRAW_BLOCK };
    const stats_draw_kernel *best =
        stats_draw_kernel_of(simd_is_there(SIMD_AVX2) ? SIMD_AVX2 : SIMD_SCALAR);
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        uint16_t a[DRAWS], b[DRAWS];
        rng_lanes x = rng_lanes_make(1, "test.draw", k), y = x;
        int64_t n_rejected = stats_draw_scalar.halves(&x, sizes[k], a, BLOCKS);
        assert_int_equal(best->halves(&y, sizes[k], b, BLOCKS), n_rejected);
        assert_memory_equal(a, b, sizeof a);
        assert_memory_equal(&x, &y, sizeof x);
        int64_t n_seen = 0;
        for (int i = 0; i < DRAWS; i++) {
            assert_true(a[i] <= sizes[k]);
            n_seen += a[i] == sizes[k];
        }
        assert_int_equal(n_seen, n_rejected);
    }
}

/* Each question as often as any other: chi-square over 100 cells, far from its ends. */
static void test_draws_are_even(void **state) {
    (void)state;
    enum { N = 100, BLOCKS = 10000 };
    static uint16_t rows[BLOCKS * STATS_DRAW_BLOCK];
    int64_t counts[N + 1] = {0};
    rng_lanes random = rng_lanes_make(5, "test.even", 0);
    int64_t n_good =
        BLOCKS * STATS_DRAW_BLOCK - stats_draw_scalar.halves(&random, N, rows, BLOCKS);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        counts[rows[i]]++;
    double expected = (double)n_good / N, chi = 0;
    for (int g = 0; g < N; g++)
        chi +=
            ((double)counts[g] - expected) * ((double)counts[g] - expected) / expected;
    assert_true(chi > 50 && chi < 165); /* 99 degrees: 1e-4 either way */
}

static void test_refused(void **state) {
    (void)state;
    enum { N = 60 };
    double sums[N], mirrored[N];
    int64_t counts[N];
    stats_interval i;
    eh_error err;
    fill(N, false, sums, mirrored, counts);
    assert_int_equal(
        alone(sums, counts, 49, (stats_resampling){2000, 1, .95}, &i, &err), 0);
    assert_int_equal(i.why, STATS_REASON_TOO_FEW_QUESTIONS);
    assert_true(isnan(i.low) && !isnan(i.value));
    assert_int_equal(alone(sums, counts, 0, (stats_resampling){2000, 1, .95}, &i, &err),
                     0);
    assert_int_equal(i.why, STATS_REASON_NO_ROWS);
    assert_int_equal(alone(sums, counts, N, (stats_resampling){99, 1, .95}, &i, &err),
                     EH_STATUS_USAGE);
    assert_int_equal(alone(sums, counts, N, (stats_resampling){2000, 1, 1}, &i, &err),
                     EH_STATUS_USAGE);
    assert_string_equal(err.msg,
                        "bootstrap: the level, the number of resamples or that "
                        "of sets is out of range");
    for (int nth = 1; nth <= 2; nth++) {
        mem_fail_at(nth, false);
        assert_int_equal(
            alone(sums, counts, N, (stats_resampling){2000, 1, .95}, &i, &err),
            EH_STATUS_NOMEM);
        mem_fail_at(0, false);
        assert_int_equal(mem_live(), 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden),
        cmocka_unit_test(test_agrees_with_the_formula),
        cmocka_unit_test(test_two_at_once),
        cmocka_unit_test(test_two_at_once),
        cmocka_unit_test(test_exact_sums),
        cmocka_unit_test(test_kernels_agree),
        cmocka_unit_test(test_draws_are_even),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
