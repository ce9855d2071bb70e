/* SPDX-License-Identifier: MIT
 *
 * Agreement, planning, human estimates, sequences and penalised models against numbers
 * from R (tests/golden/make_stats_models.R), whose formulas for the data are repeated
 * here.
 */
#include "stats/agree.h"
#include "stats/bootstrap.h"
#include "stats/bt.h"
#include "stats/difference.h"
#include "stats/human.h"
#include "stats/length.h"
#include "stats/selective.h"
#include "stats/sequence.h"
#include "stats/test.h"
#include "stats/vote.h"
#include "stats_golden.h"
#include "unit.h"

static void assert_near(double value, double expected, double limit) {
    if (!(fabs(value - expected) <= limit))
        fail_msg("%.17g is not %.17g", value, expected);
}

/* Runs `check` on every row of a name; there must be `wanted` of them. */
static void each_row(const char *name, int wanted, void (*check)(const double *x)) {
    golden g;
    int n = 0;
    golden_open(&g, "stats_models_r.tsv");
    assert_non_null(g.file);
    while (golden_next(&g)) {
        if (strcmp(g.name, name) != 0) continue;
        check(g.number);
        n++;
    }
    golden_close(&g);
    assert_int_equal(n, wanted);
}

/* ---- agreement ---- */

static int rating(int i, int j) {
    return (i * 7 + j * i * i + (i % 5 > 1) * j) % 3;
}

static const int64_t *item_counts(int n, bool uneven) {
    static int64_t counts[60 * 3];
    memset(counts, 0, sizeof counts);
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= (uneven ? 1 + i % 4 : 3); j++)
            counts[(i - 1) * 3 + rating(i, j)]++;
    return counts;
}

static void check_kappa(stats_kappa k, const double *x) {
    assert_int_equal(k.why, STATS_REASON_NONE);
    assert_int_equal(k.n, (int64_t)x[2]);
    assert_near(k.agreement, x[3], 1e-13);
    assert_near(k.chance, x[4], 1e-13);
    assert_near(k.kappa, x[5], 1e-12);
}

static void check_fleiss(const double *x) {
    int n = (int)x[0];
    check_kappa(stats_fleiss_kappa(item_counts(n, false), n, 3), x);
}

static void check_alpha(const double *x) {
    int n = (int)x[0];
    check_kappa(stats_krippendorff_alpha(item_counts(n, x[1] > 0), n, 3), x);
}

static void check_confusion(const double *x) {
    int64_t counts[9];
    for (int c = 0; c < 9; c++)
        counts[c] = (int64_t)x[c];
    stats_confusion c = stats_confusion_of(counts, 3);
    assert_near(c.accuracy, x[9], 1e-14);
    assert_near(c.baseline, x[10], 1e-14);
    assert_near(c.macro_precision, x[11], 1e-14);
    assert_near(c.macro_recall, x[12], 1e-14);
    assert_near(c.macro_f1, x[13], 1e-14);
}

static void check_reliability(const double *x) {
    stats_reliability_sum sum;
    stats_reliability_bin bins[STATS_RELIABILITY_BINS_MAX];
    stats_reliability_begin(&sum, (int)x[1]);
    for (int i = 1; i <= (int)x[0]; i++)
        stats_reliability_add(&sum, i * 29 % 13 / 12.0, i * 17 % 3 / 2.0);
    stats_reliability r = stats_reliability_end(&sum, bins);
    assert_near(r.brier, x[2], 1e-14);
    assert_near(r.calibration_error, x[3], 1e-14);
}

static void test_agreement(void **state) {
    (void)state;
    each_row("fleiss", 2, check_fleiss);
    each_row("alpha", 4, check_alpha);
    each_row("confusion", 3, check_confusion);
    each_row("reliability", 2, check_reliability);
}

/* ---- planning and tests ---- */

static void check_needed(const double *x) {
    assert_int_equal(stats_questions_needed(x[0], x[1], x[2]), (int64_t)x[3]);
}

static void check_detectable(const double *x) {
    assert_near(stats_detectable(x[0], (int64_t)x[1], x[2], x[3]), x[4], 1e-13);
    assert_int_equal(stats_questions_to_detect(x[0], .07, x[2], x[3]), (int64_t)x[5]);
}

static void check_mcnemar(const double *x) {
    assert_near(stats_mcnemar((int64_t)x[0], (int64_t)x[1]), x[2], 1e-13);
}

static void check_balance(const double *x) {
    assert_near(stats_balance_probability((int)x[0], x[1]), x[2], 1e-13);
}

/* All 40,320 orders in R, 99,999 of them here: five standard errors. */
static void check_permutation(const double *x) {
    enum { RESAMPLES = 99999 };
    double values[8], bins[8];
    stats_trend t;
    for (int i = 1; i <= 8; i++) {
        bins[i - 1] = (i - 1) / 2;
        values[i - 1] =
            (double)((i * 5 + (int)x[0] * i * i) % 7) / 7.0 + bins[i - 1] / 5.0;
    }
    assert_int_equal(stats_trend_permutation(values, bins, 8, RESAMPLES, 1, &t, NULL),
                     EH_STATUS_OK);
    assert_near(t.p, x[1], 5.0 * sqrt(x[1] * (1.0 - x[1]) / RESAMPLES));
}

static void test_planning_and_tests(void **state) {
    (void)state;
    each_row("needed", 3, check_needed);
    each_row("detectable", 3, check_detectable);
    each_row("mcnemar", 4, check_mcnemar);
    each_row("balance", 12, check_balance);
    each_row("permutation", 2, check_permutation);
}

/* ---- people and judge ---- */

enum { PAIRS_MAX = 500 };

static double judge_of(int i) {
    return i * 37 % 11 / 10.0;
}

static double label_of(int i) {
    double y = floor(2.0 * judge_of(i) + .5) + (i % 4 == 0) - (i % 7 == 0);
    return fmin(2.0, fmax(0.0, y)) / 2.0;
}

static void check_human_random(const double *x) {
    double f[PAIRS_MAX], y[PAIRS_MAX];
    int n = (int)x[0];
    for (int i = 1; i <= n; i++) {
        int n_before = 0; /* the labelled come first in the order of a formula */
        for (int j = 1; j <= n; j++)
            n_before += j * 7919 % 1009 < i * 7919 % 1009 ||
                        (j * 7919 % 1009 == i * 7919 % 1009 && j < i);
        f[i - 1] = judge_of(i);
        y[i - 1] = n_before < (int)x[1] ? label_of(i) : NAN;
    }
    stats_human h =
        stats_human_random(&(stats_human_data){.n = n, .judge = f, .label = y}, .95);
    assert_int_equal(h.n_labels, (int64_t)x[1]);
    assert_near(h.lambda, x[2], 1e-12);
    assert_near(h.interval.value, x[3], 1e-13);
    assert_near(h.se, x[4], 1e-13);
    assert_near(h.interval.low, x[5], 1e-12);
    assert_near(h.interval.high, x[6], 1e-12);
}

static void check_human_active(const double *x) {
    double f[PAIRS_MAX], y[PAIRS_MAX], p[PAIRS_MAX];
    int n = (int)x[0];
    for (int i = 1; i <= n; i++) {
        f[i - 1] = judge_of(i);
        p[i - 1] = .1 + .8 * (double)(i * 13 % 10) / 10.0;
        y[i - 1] = (double)(i * 101 % 97) / 97.0 < p[i - 1] ? label_of(i) : NAN;
    }
    stats_human h = stats_human_active(
        &(stats_human_data){.n = n, .judge = f, .label = y, .p_select = p}, .95);
    assert_int_equal(h.n_labels, (int64_t)x[1]);
    assert_near(h.interval.value, x[2], 1e-13);
    assert_near(h.se, x[3], 1e-13);
    assert_near(h.interval.low, x[4], 1e-12);
    assert_near(h.interval.high, x[5], 1e-12);
}

static void check_selective(const double *x) {
    double confidence[PAIRS_MAX];
    bool agrees[PAIRS_MAX];
    stats_selective r;
    int n = (int)x[0];
    for (int i = 1; i <= n; i++) {
        confidence[i - 1] = (double)(i * 61 % n) / n;
        agrees[i - 1] = confidence[i - 1] + (double)(i * 29 % 13) / 26.0 > .35;
    }
    const stats_selective_sample sample = {confidence, agrees, n, NULL, 0};
    assert_int_equal(stats_selective_find(&sample, x[1], .95, &r, NULL), EH_STATUS_OK);
    assert_int_equal(r.is_found, x[2] > 0);
    if (!r.is_found) return;
    assert_int_equal(r.n_kept, (int64_t)x[3]);
    assert_near(r.agreement, x[4], 1e-14);
    assert_near(r.low, x[5], 1e-12);
    assert_near(r.threshold, x[6], 1e-15);
}

static void check_sequence(const double *x) {
    static stats_sequence s;
    stats_sequence_init(&s, (int64_t)x[0], .95);
    for (int i = 1; i <= (int)x[1]; i++)
        assert_true(stats_sequence_add(&s, (double)(i * 53 % 7 / 2) / 3.0));
    stats_interval i = stats_sequence_interval(&s);
    assert_near(i.low, x[2], 1e-12);
    assert_near(i.high, x[3], 1e-12);
}

static void check_bootstrap(const double *x) {
    double sums[60];
    int64_t counts[60];
    stats_interval i;
    for (int g = 0; g < 60; g++) {
        counts[g] = 1 + g % 3;
        sums[g] = 0.0;
        for (int64_t r = 0; r < counts[g]; r++)
            sums[g] += (double)((g * 7 + r * 5) % 3) / 2.0;
    }
    const stats_question_sums set = {sums, counts};
    const stats_resampling how = {20000, 1, .95};
    assert_int_equal(stats_bootstrap(&set, 1, 60, &how, &i, NULL), EH_STATUS_OK);
    assert_near(i.value, x[1], 1e-14);
    assert_near(i.low, x[2], .003); /* other random numbers */
    assert_near(i.high, x[3], .003);
}

static void test_estimates(void **state) {
    (void)state;
    each_row("human_random", 3, check_human_random);
    each_row("human_active", 3, check_human_active);
    each_row("selective", 3, check_selective);
    each_row("sequence", 6, check_sequence);
    each_row("bootstrap", 1, check_bootstrap);
}

/* ---- models ---- */

enum { ROWS_MAX = 300 };

static stats_bt fit_rows(int n, bool undefeated, int n_terms, eh_arena *arena) {
    static stats_bt_row rows[ROWS_MAX];
    static double terms[ROWS_MAX];
    stats_bt fit;
    for (int i = 1; i <= n; i++) {
        int first = i % 4, second = (first + 1 + i / 4 % 3) % 4;
        double r = (double)((i * 7919 + i * i * 31) % 97) / 97.0;
        double up = .35 + .07 * (second - first);
        int y = r < up ? 1 : r < up + .2 ? 0 : -1;
        if (undefeated && first == 3) y = 1;
        if (undefeated && second == 3) y = -1;
        rows[i - 1] = (stats_bt_row){first, second, y, (uint64_t)((i - 1) / 3)};
        terms[i - 1] = (double)(i * 17 % 9 - 4) / 4.0;
    }
    stats_bt_options o = {
        .n_models = 4, .order_term = true, .n_terms = n_terms, .terms = terms};
    assert_int_equal(stats_bt_fit(rows, n, &o, arena, &fit, NULL), EH_STATUS_OK);
    assert_int_equal(fit.why, STATS_REASON_NONE);
    return fit;
}

static void check_bt_term(const double *x) {
    eh_arena arena;
    arena_init(&arena, 1 << 20);
    stats_bt fit = fit_rows((int)x[0], false, 1, &arena);
    const double *par = x + 1, *se = x + 7;
    for (int m = 1; m < 4; m++) {
        const double *v = fit.covariance;
        double spread = v[m * 4 + m] + v[0] - v[m] - v[m * 4];
        assert_near(stats_bt_difference(&fit, m, 0, .95).value, par[m - 1], 1e-8);
        assert_near(sqrt(spread), se[m - 1], 1e-6);
    }
    assert_near(fit.order, par[3], 1e-8);
    assert_near(fit.order_se, se[3], 1e-6);
    assert_near(fit.term[0], par[4], 1e-8);
    assert_near(fit.term_se[0], se[4], 1e-6);
    assert_near(fit.log_tie, par[5], 1e-8);
    assert_near(fit.log_tie_se, se[5], 1e-6);
    arena_deinit(&arena);
}

static void check_bt_penalised(const double *x) {
    eh_arena arena;
    arena_init(&arena, 1 << 20);
    stats_bt fit = fit_rows((int)x[0], true, 0, &arena);
    assert_true(fit.penalised[0] && fit.undefeated[3] && !fit.all_penalised);
    for (int m = 1; m < 4; m++)
        assert_near(stats_bt_difference(&fit, m, 0, .95).value, x[m], 1e-7);
    assert_near(fit.order, x[4], 1e-7);
    assert_near(fit.log_tie, x[5], 1e-7);
    arena_deinit(&arena);
}

static void check_length_penalised(const double *x) {
    static stats_length_row rows[ROWS_MAX];
    int n = (int)x[0];
    for (int i = 1; i <= n; i++)
        rows[i - 1] = (stats_length_row){1.0, i * 37 % 101 - 45, (uint64_t)i};
    stats_length r = stats_length_control(rows, n, .95);
    assert_true(r.penalised);
    assert_near(r.win_rate.value, x[1], 1e-9);
    assert_near(r.slope, x[2], 1e-8);
}

static void test_models(void **state) {
    (void)state;
    each_row("bt_term", 1, check_bt_term);
    each_row("bt_penalised", 1, check_bt_penalised);
    each_row("length_penalised", 1, check_length_penalised);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_agreement),
        cmocka_unit_test(test_planning_and_tests),
        cmocka_unit_test(test_estimates),
        cmocka_unit_test(test_models),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
