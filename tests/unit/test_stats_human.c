/* SPDX-License-Identifier: MIT
 *
 * Labels and judge together, selection of pairs, selective judging, and the confidence
 * sequence: formulas by hand, laws, edges, and a short look at coverage (the long one:
 * tests/long/coverage_stats.c).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/rng.h"
#include "stats/human.h"
#include "stats/selective.h"
#include "stats/sequence.h"
#include "stats/special.h"
#include "stats_golden.h"

enum { N = 400 };

static double judge[N], label[N], p_select[N], uncertainty[N];
static double judge_mirror[N], label_mirror[N];

static void assert_near(double value, double expected, double limit) {
    if (!(fabs(value - expected) <= limit))
        fail_msg("%.17g is not %.17g", value, expected);
}

/* Humans say 1, .5, 0; the judge is a blurred human. Labels are there for all. */
static void draw(uint64_t seed, double blur) {
    for (int i = 0; i < N; i++) {
        eh_rng rng = rng_make(seed, "test.human", (uint64_t)i);
        double u = rng_uniform(&rng);
        label[i] = u < .5 ? 1.0 : u < .7 ? .5 : 0.0;
        double seen = label[i] + blur * rng_normal(&rng);
        judge[i] = seen > .6 ? 1.0 : seen > .3 ? .5 : 0.0;
        uncertainty[i] = judge[i] == .5 ? 1.0 : .2;
    }
}

static void assert_mirrored(const stats_human *a, const stats_human *b) {
    assert_near(a->interval.value, 1.0 - b->interval.value, 1e-13);
    assert_near(a->interval.low, 1.0 - b->interval.high, 1e-13);
    assert_near(a->se, b->se, 1e-13);
}

static void test_random(void **state) {
    (void)state;
    draw(1, .3);
    double sy = 0, sf = 0, n = 0, all = 0;
    for (int i = 0; i < N; i++) {
        all += judge[i];
        if (i % 5) label[i] = NAN;
        if (i % 5) continue;
        sy += label[i];
        sf += judge[i];
        n++;
    }
    double yy = 0, yf = 0, ff = 0;
    for (int i = 0; i < N; i += 5) {
        yy += (label[i] - sy / n) * (label[i] - sy / n);
        yf += (label[i] - sy / n) * (judge[i] - sf / n);
        ff += (judge[i] - sf / n) * (judge[i] - sf / n);
    }
    double lambda = yf / ff, rest = 0.0;
    for (int i = 0; i < N; i += 5) {
        double e = label[i] - sy / n - lambda * (judge[i] - sf / n);
        rest += e * e;
    }
    double variance = rest / (n - 1) * (1 / n - 1.0 / N) + yy / (n - 1) / N;
    stats_human h = stats_human_random(
        &(stats_human_data){.n = N, .judge = judge, .label = label}, .95);
    assert_int_equal(h.n_labels, 80);
    assert_near(h.lambda, lambda, 1e-12);
    assert_near(h.interval.value, sy / n + lambda * (all / N - sf / n), 1e-12);
    assert_near(h.se, sqrt(variance), 1e-12);
    assert_near(h.interval.high - h.interval.value,
                stats_t_two_sided(.95, 78) * sqrt(variance), 1e-12);
    for (int i = 0; i < N; i++) {
        judge_mirror[i] = 1.0 - judge[i];
        label_mirror[i] = 1.0 - label[i];
        p_select[i] = .2;
    }
    stats_human m = stats_human_random(
        &(stats_human_data){.n = N, .judge = judge_mirror, .label = label_mirror}, .95);
    assert_mirrored(&h, &m);
    h = stats_human_active(
        &(stats_human_data){
            .n = N, .judge = judge, .label = label, .p_select = p_select},
        .95);
    m = stats_human_active(
        &(stats_human_data){
            .n = N, .judge = judge_mirror, .label = label_mirror, .p_select = p_select},
        .95);
    assert_mirrored(&h, &m);
    /* equal chances: the judge's mean plus the mean error of the labelled */
    assert_near(h.interval.value, all / N + (sy - sf) / n, 1e-12);
}

/* Every pair five times over: as much is known as from one of each, and with questions
 * that all differ the formula of one pair a question is met but for 1/n^2. */
static void test_human_questions(void **state) {
    (void)state;
    static double f5[5 * N], y5[5 * N], p5[5 * N], doubt5[5 * N];
    static uint64_t question[5 * N];
    draw(1, .3);
    for (int i = 0; i < N; i++) {
        if (i % 5) label[i] = NAN;
        p_select[i] = .2;
    }
    for (int i = 0; i < 5 * N; i++) {
        f5[i] = judge[i / 5];
        y5[i] = label[i / 5];
        p5[i] = p_select[i / 5];
        doubt5[i] = floor(2 * uncertainty[i / 5]);
        question[i] = (uint64_t)(i / 5) + 7;
    }
    static double doubt[N];
    for (int i = 0; i < N; i++)
        doubt[i] = doubt5[5 * (size_t)i];
    const stats_human_data one = {N, judge, label, p_select, doubt, NULL};
    const stats_human_data all = {5 * N, f5, y5, p5, doubt5, question};
    stats_human a = stats_human_active(&one, .95), b = stats_human_active(&all, .95);
    assert_near(b.interval.value, a.interval.value, 1e-12);
    assert_near(b.se, a.se, 1e-12);
    assert_near(b.interval.high, a.interval.high, 1e-12); /* the same degrees, too */
    a = stats_human_random(&one, .95), b = stats_human_random(&all, .95);
    assert_near(b.interval.value, a.interval.value, 1e-12);
    assert_near(b.se, a.se, .01 * a.se);
    assert_true(b.interval.high - b.interval.low >
                .99 * (a.interval.high - a.interval.low));
    a = stats_human_stratified(&one, true, .95);
    b = stats_human_stratified(&all, true, .95);
    assert_near(b.interval.value, a.interval.value, 1e-12);
    assert_near(b.se, a.se, .03 * a.se);
    /* ignored, the same rows look five times as many */
    const stats_human_data ignored = {5 * N, f5, y5, p5, doubt5, NULL};
    stats_human c = stats_human_active(&ignored, .95);
    assert_near(c.se, stats_human_active(&one, .95).se / sqrt(5), .01 * c.se);
    /* labels of one question alone say nothing of others */
    for (int i = 0; i < 5 * N; i++)
        if (question[i] != 7) y5[i] = NAN;
    assert_int_equal(stats_human_active(&all, .95).interval.why,
                     STATS_REASON_TOO_FEW_QUESTIONS);
    assert_int_equal(stats_human_random(&all, .95).interval.why,
                     STATS_REASON_TOO_FEW_QUESTIONS);
}

static void test_human_edges(void **state) {
    (void)state;
    draw(2, .3);
    stats_human h = stats_human_random(
        &(stats_human_data){.n = 0, .judge = judge, .label = label}, .95);
    assert_int_equal(h.interval.why, STATS_REASON_NO_ROWS);
    /* everything labelled: the labels' own mean and error */
    h = stats_human_random(&(stats_human_data){.n = N, .judge = judge, .label = label},
                           .95);
    double sum = 0, squares = 0;
    for (int i = 0; i < N; i++)
        sum += label[i];
    for (int i = 0; i < N; i++)
        squares += (label[i] - sum / N) * (label[i] - sum / N);
    assert_near(h.interval.value, sum / N, 1e-12);
    assert_near(h.se, sqrt(squares / (N - 1) / N), 1e-12);
    for (int i = 0; i < N; i++)
        p_select[i] = 1.0;
    h = stats_human_active(
        &(stats_human_data){
            .n = N, .judge = judge, .label = label, .p_select = p_select},
        .95);
    assert_near(h.interval.value, sum / N, 1e-12);
    assert_near(h.se, sqrt(squares / (N - 1) / N), 1e-12);
    /* a judge that says one thing is not used, and one that is always wrong neither */
    for (int i = 0; i < N; i++)
        judge[i] = .5;
    assert_true(stats_human_random(
                    &(stats_human_data){.n = N, .judge = judge, .label = label}, .95)
                    .lambda == 0.0);
    for (int i = 0; i < N; i++)
        judge[i] = 1.0 - label[i];
    assert_true(stats_human_random(
                    &(stats_human_data){.n = N, .judge = judge, .label = label}, .95)
                    .lambda == 0.0);
    /* all labels alike: no more certain than so many labels */
    for (int i = 0; i < N; i++) {
        judge[i] = 1.0;
        label[i] = i < 30 ? 1.0 : NAN;
        p_select[i] = .1;
    }
    stats_interval bound = stats_win_rate_interval(1.0, 0.0, 30, .95);
    assert_near(stats_human_random(
                    &(stats_human_data){.n = N, .judge = judge, .label = label}, .95)
                    .interval.low,
                bound.low, 0.0);
    assert_near(stats_human_active(
                    &(stats_human_data){
                        .n = N, .judge = judge, .label = label, .p_select = p_select},
                    .95)
                    .interval.low,
                bound.low, 0.0);
    for (int i = 2; i < N; i++)
        label[i] = NAN;
    assert_int_equal(
        stats_human_random(&(stats_human_data){.n = N, .judge = judge, .label = label},
                           .95)
            .interval.why,
        STATS_REASON_TOO_FEW_QUESTIONS);
    label[1] = NAN;
    assert_int_equal(stats_human_active(&(stats_human_data){.n = N,
                                                            .judge = judge,
                                                            .label = label,
                                                            .p_select = p_select},
                                        .95)
                         .interval.why,
                     STATS_REASON_TOO_FEW_QUESTIONS);
    p_select[0] = 0.0;
    assert_int_equal(stats_human_active(&(stats_human_data){.n = N,
                                                            .judge = judge,
                                                            .label = label,
                                                            .p_select = p_select},
                                        .95)
                         .interval.why,
                     STATS_REASON_OUT_OF_RANGE);
    judge[9] = 1.5;
    assert_int_equal(
        stats_human_random(&(stats_human_data){.n = N, .judge = judge, .label = label},
                           .95)
            .interval.why,
        STATS_REASON_OUT_OF_RANGE);
}

static void test_probabilities(void **state) {
    (void)state;
    draw(3, .4);
    for (double budget = 0.0; budget <= 500.0; budget += 50.0) {
        double sum = 0.0, least = 1.0;
        stats_active_probabilities(uncertainty, N, budget, p_select);
        for (int i = 0; i < N; i++) {
            assert_true(p_select[i] >= 0.0 && p_select[i] <= 1.0);
            sum += p_select[i];
            least = fmin(least, p_select[i]);
        }
        assert_near(sum, fmin(budget, N), 1e-9);
        assert_true(least >= .5 * fmin(budget, N) / N - 1e-12);
    }
    /* who is certain to be asked does not cost the others' share */
    double odd[4] = {100, 0, 0, 0}, p[4];
    stats_active_probabilities(odd, 4, 2, p);
    assert_true(p[0] == 1.0);
    assert_near(p[1], 1.0 / 3.0, 1e-12);
    double none[2] = {0, 0};
    stats_active_probabilities(none, 2, 1, p);
    assert_true(p[0] == .5 && p[1] == .5);
    stats_active_probabilities(none, 1, .25, p);
    assert_true(p[0] == .25);
    int n_selected = 0;
    for (uint64_t i = 0; i < 10000; i++) {
        bool is = stats_active_selected(1, i, .3);
        assert_true(is == stats_active_selected(1, i, .3));
        assert_true(!is || stats_active_selected(1, i, .4)); /* nested in p */
        n_selected += is;
    }
    assert_true(n_selected > 2860 && n_selected < 3140);
}

/* 400 seeds; the long test has 10,000. */
static void test_coverage_glance(void **state) {
    (void)state;
    int n_random = 0, n_active = 0;
    double width_random = 0.0, width_plain = 0.0;
    for (uint64_t seed = 0; seed < 400; seed++) {
        draw(seed, .3);
        static double part[N];
        stats_active_probabilities(uncertainty, N, 100, p_select);
        for (int i = 0; i < N; i++)
            part[i] =
                stats_active_selected(seed, (uint64_t)i, p_select[i]) ? label[i] : NAN;
        stats_human a = stats_human_active(
            &(stats_human_data){
                .n = N, .judge = judge, .label = part, .p_select = p_select},
            .95);
        for (int i = 0; i < N; i++)
            part[i] = i < 80 ? label[i] : NAN;
        stats_human r = stats_human_random(
            &(stats_human_data){.n = N, .judge = judge, .label = part}, .95);
        n_random += r.interval.low <= .6 && .6 <= r.interval.high;
        n_active += a.interval.low <= .6 && .6 <= a.interval.high;
        width_random += r.interval.high - r.interval.low;
        width_plain += 2.0 * stats_t_two_sided(.95, 79) * .43589 / sqrt(80.0);
    }
    print_message("  covered of 400: random %d, active %d; width against labels alone "
                  "%.2f\n",
                  n_random, n_active, width_random / width_plain);
    assert_true(n_random >= 367 && n_active >= 367); /* .95 - 3 se */
    assert_true(width_random < .8 * width_plain);
}

static stats_selective found(const double *confidence, const bool *agrees, int64_t n,
                             double target) {
    const stats_selective_sample sample = {confidence, agrees, n, NULL, 0};
    stats_selective r;
    assert_int_equal(stats_selective_find(&sample, target, .95, &r, NULL),
                     EH_STATUS_OK);
    return r;
}

static void test_selective(void **state) {
    (void)state;
    static double confidence[N];
    static bool agrees[N];
    /* the surest 300 agree but for 5, the others as a coin falls */
    for (int i = 0; i < N; i++) {
        confidence[i] = (i * 7) % N;
        agrees[i] = confidence[i] >= 100 ? (int)confidence[i] % 60 != 0 : i % 2 == 0;
    }
    stats_selective r = found(confidence, agrees, N, .95);
    assert_true(r.is_found && r.threshold == 100.0 && r.n_kept == 300);
    assert_int_equal(r.n_covered, 300);
    assert_near(r.coverage, .75, 1e-15);
    assert_near(r.agreement, 295.0 / 300.0, 1e-15);
    assert_near(r.low, stats_clopper_pearson_low(295, 300, .95), 1e-15);
    assert_int_equal(r.n_first, 200);
    /* fails at the declared 50 %: nothing is found, however good the top is */
    for (int i = 0; i < N; i++)
        agrees[i] = confidence[i] >= 300;
    r = found(confidence, agrees, N, .9);
    assert_true(!r.is_found && isnan(r.threshold) && r.why == STATS_REASON_NONE);
    assert_int_equal(r.n_first_agree, 100);
    /* equal confidences share one fate: all or none */
    for (int i = 0; i < N; i++) {
        confidence[i] = i < 240;
        agrees[i] = i < 238;
    }
    r = found(confidence, agrees, N, .9);
    assert_true(r.is_found && r.threshold == 1.0 && r.n_kept == 240);
    assert_int_equal(found(confidence, agrees, 0, .9).why, STATS_REASON_NO_ROWS);
    assert_int_equal(found(confidence, agrees, N, 1.0).why, STATS_REASON_OUT_OF_RANGE);
    const stats_selective_sample sample = {confidence, agrees, N, NULL, 0};
    for (int fail = 1; fail <= 2; fail++) {
        mem_fail_at(fail, false);
        assert_int_equal(stats_selective_find(&sample, .9, .95, &r, NULL),
                         EH_STATUS_NOMEM);
        mem_fail_at(0, false);
        assert_int_equal(mem_live(), 0);
    }
}

/* Thresholds lie where all pairs put them, and pairs without ruling are never kept. */
static void test_selective_of_all(void **state) {
    (void)state;
    double all[100], confidence[60];
    bool agrees[60];
    stats_selective r;
    for (int i = 0; i < 100; i++)
        all[i] = i < 20 ? (double)-INFINITY : (double)i;
    for (int i = 0; i < 60; i++) { /* the labelled are 40 .. 99 */
        confidence[i] = all[40 + i];
        agrees[i] = true;
    }
    const stats_selective_sample sample = {confidence, agrees, 60, all, 100};
    assert_int_equal(stats_selective_find(&sample, .9, .95, &r, NULL), EH_STATUS_OK);
    assert_true(r.is_found && r.threshold == 20.0 && r.n_kept == 60);
    assert_int_equal(r.n_covered, 80);
    assert_near(r.coverage, .8, 1e-15);
    assert_int_equal(r.n_first, 50); /* 50 .. 99 */
    assert_near(r.low, pow(.05, 1.0 / 60), 1e-12);
    /* 29 of 29 is the least that shows .9 at 95 % */
    assert_int_equal(stats_selective_least(.9, .95), 58);
    assert_true(stats_clopper_pearson_low(29, 29, .95) >= .9);
    assert_true(stats_clopper_pearson_low(28, 28, .95) < .9);
    assert_int_equal(stats_selective_least(.5, .5), 2);
    assert_int_equal(stats_selective_least(1, .95), 0);
    int64_t wanted = stats_selective_wanted(.95, .9, .95) / 2;
    assert_true(wanted > 60 && wanted < 200);
    assert_true(
        stats_clopper_pearson_low((int64_t)(.95 * (double)wanted), wanted, .95) >= .9);
    assert_int_equal(stats_selective_wanted(1, .9, .95), 58);
    assert_int_equal(stats_selective_wanted(.9, .9, .95), 0);
}

static void test_sequence(void **state) {
    (void)state;
    static stats_sequence s, m;
    stats_sequence_init(&s, N, .95);
    stats_sequence_init(&m, N, .95);
    stats_interval i = stats_sequence_interval(&s), last = {0, 0, 1, 0};
    assert_int_equal(i.why, STATS_REASON_NO_ROWS);
    assert_true(i.low == 0.0 && i.high == 1.0);
    draw(4, .3);
    double sum = 0.0;
    for (int k = 0; k < N; k++) {
        sum += label[k];
        assert_true(stats_sequence_add(&s, label[k]));
        assert_true(stats_sequence_add(&m, 1.0 - label[k]));
        i = stats_sequence_interval(&s);
        stats_interval j = stats_sequence_interval(&m);
        assert_near(i.value, sum / (k + 1), 1e-12);
        assert_near(i.low, 1.0 - j.high, 1e-12);
        assert_near(i.high, 1.0 - j.low, 1e-12);
        assert_true(i.low >= last.low && i.high <= last.high && i.low <= i.high);
        last = i;
        if (k == 99) assert_true(i.high - i.low < .35);
    }
    /* everything seen: the mean itself */
    assert_near(i.low, sum / N, 1e-12);
    assert_near(i.high, sum / N, 1e-12);
    assert_false(stats_sequence_add(&s, 0.0));
    stats_sequence_init(&s, N, .95);
    assert_false(stats_sequence_add(&s, 1.5) || stats_sequence_add(&s, NAN));
    assert_int_equal(s.n, 0);
    stats_sequence_init(&s, 0, .95);
    assert_int_equal(stats_sequence_interval(&s).why, STATS_REASON_OUT_OF_RANGE);
    /* values without spread are certain sooner, and never too soon */
    stats_sequence_init(&s, 100000, .95);
    for (int k = 0; k < 200; k++)
        stats_sequence_add(&s, 1.0);
    i = stats_sequence_interval(&s);
    assert_true(i.high == 1.0 && i.low > .9 && i.low < pow(.025, 1.0 / 200.0));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),           cmocka_unit_test(test_human_questions),
        cmocka_unit_test(test_human_edges),      cmocka_unit_test(test_probabilities),
        cmocka_unit_test(test_coverage_glance),  cmocka_unit_test(test_selective),
        cmocka_unit_test(test_selective_of_all), cmocka_unit_test(test_sequence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
