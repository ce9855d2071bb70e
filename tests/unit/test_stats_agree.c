/* SPDX-License-Identifier: MIT
 *
 * Agreement, confusion tables and votes: published examples, golden numbers from R, the
 * shared cases and the recorded human labels.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/terms.h"
#include "stats/agree.h"
#include "stats/cluster.h"
#include "stats/vote.h"
#include "stats_golden.h"
#include "stats_shared.h"

static void assert_near(double value, double expected, double limit) {
    if (!(fabs(value - expected) <= limit))
        fail_msg("%.17g is not %.17g", value, expected);
}

static void test_kappa_golden(void **state) {
    (void)state;
    golden g;
    int n_rows = 0;
    golden_open(&g, "stats_r.tsv");
    while (golden_next(&g)) {
        if (strcmp(g.name, "kappa") != 0) continue;
        int64_t counts[9], exchanged[9];
        for (int i = 0; i < 9; i++) {
            counts[i] = (int64_t)g.number[i];
            exchanged[i % 3 * 3 + i / 3] = counts[i];
        }
        stats_kappa k = stats_cohen_kappa(counts, 3);
        stats_kappa same = stats_cohen_kappa(exchanged, 3);
        assert_near(k.kappa, g.number[9], 1e-14);
        assert_near(k.se, g.number[10], 1e-9); /* R's is a numerical derivative */
        assert_true(k.kappa == same.kappa);
        assert_near(k.se, same.se, 1e-15);
        n_rows++;
    }
    golden_close(&g);
    assert_int_equal(n_rows, 3);
}

static void test_kappa_edges(void **state) {
    (void)state;
    int64_t none[4] = {0}, one_class[4] = {5, 0, 0, 0}, apart[4] = {0, 5, 0, 0};
    int64_t negative[4] = {1, -1, 0, 0}, opposite[4] = {0, 5, 5, 0};
    stats_kappa k = stats_cohen_kappa(none, 2);
    assert_int_equal(k.why, STATS_REASON_NO_ROWS);
    assert_true(isnan(k.kappa) && isnan(k.agreement));
    k = stats_cohen_kappa(one_class, 2);
    assert_int_equal(k.why, STATS_REASON_ONE_CLASS);
    assert_true(isnan(k.kappa) && k.agreement == 1.0 && k.chance == 1.0);
    /* two raters who each always say another class: chance agreement is 0 */
    k = stats_cohen_kappa(apart, 2);
    assert_int_equal(k.why, STATS_REASON_NONE);
    assert_true(k.kappa == 0.0 && k.agreement == 0.0);
    assert_true(stats_cohen_kappa(opposite, 2).kappa == -1.0);
    assert_int_equal(stats_cohen_kappa(negative, 2).why, STATS_REASON_OUT_OF_RANGE);
    assert_int_equal(stats_cohen_kappa(none, 17).why, STATS_REASON_OUT_OF_RANGE);
    assert_string_equal(stats_reason_name(STATS_REASON_ONE_CLASS), "one_class");
}

/* The worked example of Fleiss (1971) as it stands in encyclopedias: 14 raters, 10
 * subjects, 5 classes, kappa .210. */
static void test_fleiss(void **state) {
    (void)state;
    static const int64_t counts[10 * 5] = {
        0, 0, 0, 0, 14, 0, 2, 6, 4, 2, 0, 0, 3, 5, 6, 0, 3, 9, 2, 0, 2, 2, 8, 1, 1,
        7, 7, 0, 0, 0,  3, 2, 6, 3, 0, 2, 5, 3, 2, 2, 6, 5, 2, 1, 0, 0, 2, 2, 3, 7,
    };
    stats_kappa k = stats_fleiss_kappa(counts, 10, 5);
    assert_near(k.agreement, .378, 5e-4);
    assert_near(k.chance, .213, 5e-4);
    assert_near(k.kappa, .210, 5e-4);
    int64_t unequal[4] = {2, 0, 2, 1}, single[2] = {1, 0}, same[4] = {3, 0, 3, 0};
    assert_int_equal(stats_fleiss_kappa(unequal, 2, 2).why,
                     STATS_REASON_UNEQUAL_RATERS);
    assert_int_equal(stats_fleiss_kappa(single, 1, 2).why, STATS_REASON_UNEQUAL_RATERS);
    assert_int_equal(stats_fleiss_kappa(same, 2, 2).why, STATS_REASON_ONE_CLASS);
    assert_int_equal(stats_fleiss_kappa(same, 0, 2).why, STATS_REASON_NO_ROWS);
}

/* Krippendorff's own example with missing ratings: 4 observers, 12 units, alpha .743.
 */
static void test_alpha(void **state) {
    (void)state;
    static const char *const ratings[4] = {"123321412...", "1233224125.3",
                                           ".3332342251.", "1233244125 1."};
    int64_t counts[12 * 5] = {0};
    for (int r = 0; r < 4; r++) {
        int unit = 0;
        for (const char *c = ratings[r]; *c; c++) {
            if (*c == ' ') continue;
            if (*c != '.') counts[unit * 5 + (*c - '1')]++;
            unit++;
        }
        assert_int_equal(unit, 12);
    }
    stats_kappa k = stats_krippendorff_alpha(counts, 12, 5);
    assert_near(k.kappa, .743, 5e-4);
    assert_int_equal(k.n, 11); /* the last unit has one rating */
    int64_t lone[4] = {1, 0, 0, 1}, same[4] = {2, 0, 3, 0};
    assert_int_equal(stats_krippendorff_alpha(lone, 2, 2).why, STATS_REASON_NO_ROWS);
    assert_int_equal(stats_krippendorff_alpha(same, 2, 2).why, STATS_REASON_ONE_CLASS);
    /* many items, two ratings each: alpha is Scott's pi, hence near Fleiss' kappa */
    int64_t many[200 * 2];
    for (int i = 0; i < 200; i++) {
        many[2 * i] = i % 5 == 0 ? 1 : i % 2 ? 2 : 0;
        many[2 * i + 1] = 2 - many[2 * i];
    }
    double fleiss = stats_fleiss_kappa(many, 200, 2).kappa;
    double alpha = stats_krippendorff_alpha(many, 200, 2).kappa;
    assert_near(alpha, fleiss + (1.0 - fleiss) / 400.0, 1e-12);
}

static void test_confusion(void **state) {
    (void)state;
    /* rows predicted, columns true; class 2 is true but never predicted */
    int64_t counts[9] = {30, 10, 4, 5, 40, 6, 0, 0, 0};
    stats_confusion c = stats_confusion_of(counts, 3);
    assert_int_equal(c.n, 95);
    assert_near(c.accuracy, 70.0 / 95.0, 1e-15);
    assert_int_equal(c.baseline_class, 1);
    assert_near(c.baseline, 50.0 / 95.0, 1e-15);
    assert_near(c.precision[0], 30.0 / 44.0, 1e-15);
    assert_near(c.recall[0], 30.0 / 35.0, 1e-15);
    assert_near(c.f1[0], 60.0 / 79.0, 1e-15);
    assert_true(isnan(c.precision[2]) && c.recall[2] == 0.0 && c.f1[2] == 0.0);
    assert_near(c.macro_precision, (30.0 / 44.0 + 40.0 / 51.0) / 3.0, 1e-15);
    assert_near(c.macro_recall, (30.0 / 35.0 + 40.0 / 50.0) / 3.0, 1e-15);
    assert_near(c.macro_f1, (60.0 / 79.0 + 80.0 / 101.0) / 3.0, 1e-15);
    /* a class that never occurs leaves the means alone */
    int64_t two[9] = {3, 1, 0, 1, 3, 0, 0, 0, 0};
    assert_near(stats_confusion_of(two, 3).macro_f1, .75, 1e-15);
    int64_t none[9] = {0};
    assert_int_equal(stats_confusion_of(none, 3).why, STATS_REASON_NO_ROWS);
}

static void test_bpde(void **state) {
    (void)state;
    assert_true(stats_bpde(6, 0, 0) == 0.0 && !signbit(stats_bpde(6, 0, 0)));
    assert_near(stats_bpde(2, 2, 2), log(3.0), 1e-15);
    assert_near(stats_bpde(3, 0, 3), log(2.0), 1e-15);
    assert_near(stats_bpde(5, 1, 0), .4505612088663047, 1e-15);
    assert_true(isnan(stats_bpde(0, 0, 0)) && isnan(stats_bpde(1, -1, 3)));
    for (int a = 0; a < 9; a++)
        for (int b = 0; b < 9; b++)
            for (int c = 1; c < 9; c++) {
                double h = stats_bpde(a, b, c);
                assert_true(h == stats_bpde(c, b, a) && h == stats_bpde(b, a, c));
                assert_true(h >= 0.0 && h <= log(3.0) + 1e-15);
            }
}

static void test_coin_flips(void **state) {
    (void)state;
    /* six uniform votes over three verdicts: 141 of 729 sequences balance */
    double t = stats_balance_probability(6, 1.0 / 3.0);
    assert_near(t, 141.0 / 729.0, 1e-14);
    assert_near(stats_coin_flip_susceptibility(t), .403, 5e-4);
    assert_near(stats_coin_flip_oversight(t), .597, 5e-4);
    assert_near(stats_balance_probability(2, 0.0), .5, 1e-15);
    assert_near(stats_balance_probability(3, 0.0), 0.0, 0.0);
    assert_near(stats_balance_probability(5, 1.0), 1.0, 0.0);
    assert_true(isnan(stats_balance_probability(0, .3)));
    assert_true(isnan(stats_balance_probability(6, 1.3)));
}

static stats_reliability reliability_of(const double *soft, const double *label, int n,
                                        stats_reliability_bin *bins, int n_bins) {
    stats_reliability_sum sum;
    stats_reliability_begin(&sum, n_bins);
    for (int i = 0; i < n; i++)
        stats_reliability_add(&sum, soft[i], label[i]);
    return stats_reliability_end(&sum, bins);
}

static void test_reliability(void **state) {
    (void)state;
    enum { N = 50, BINS = 5 };
    double soft[N], label[N], soft_mirror[N], label_mirror[N];
    for (int i = 1; i <= N; i++) {
        soft[i - 1] = i * 29 % 13 / 12.0;
        label[i - 1] = i * 17 % 3 / 2.0;
        soft_mirror[i - 1] = 1.0 - soft[i - 1];
        label_mirror[i - 1] = 1.0 - label[i - 1];
    }
    stats_reliability_bin bins[BINS], mirror[BINS];
    stats_reliability r = reliability_of(soft, label, N, bins, BINS);
    stats_reliability m = reliability_of(soft_mirror, label_mirror, N, mirror, BINS);
    golden g;
    golden_open(&g, "stats_r.tsv");
    while (golden_next(&g))
        if (strcmp(g.name, "reliability") == 0)
            assert_near(r.brier, g.number[1], 1e-14);
    golden_close(&g);
    assert_near(r.brier, m.brier, 1e-14);
    assert_near(r.calibration_error, m.calibration_error, 1e-14);
    for (int b = 0; b < BINS; b++) {
        assert_int_equal(bins[b].n, mirror[BINS - 1 - b].n);
        assert_near(bins[b].soft_mean, 1.0 - mirror[BINS - 1 - b].soft_mean, 1e-14);
    }
    /* a perfect forecast */
    r = reliability_of(label, label, N, bins, BINS);
    assert_true(r.brier == 0.0 && r.calibration_error == 0.0);
    assert_int_equal(bins[0].n + bins[2].n + bins[4].n, N);
    assert_true(isnan(bins[1].soft_mean));
    assert_int_equal(reliability_of(soft, label, 0, bins, BINS).why,
                     STATS_REASON_NO_ROWS);
    assert_int_equal(reliability_of(soft, label, N, bins, 4).why,
                     STATS_REASON_OUT_OF_RANGE);
    label[7] = 1.5;
    assert_int_equal(reliability_of(soft, label, N, bins, BINS).why,
                     STATS_REASON_OUT_OF_RANGE);
}

/* Class of a verdict in a 3 x 3 table; -1 for none. */
static int class_of(eh_str verdict) {
    return (int)eh_verdict_parse(verdict) - 1;
}

static void test_kappa_cases(void **state) {
    (void)state;
    if (!shared_is_there()) {
        print_message("skipped: no shared cases\n");
        skip();
    }
    shared s;
    shared_open(&s);
    const json_value *expect =
        shared_json(&s, shared_text(&s, "cases/datasets/expect.json"));
    int n_cases = 0;
    for (const json_value *c = expect->child; c; c = c->next) {
        if (!eh_str_eq_cstr(json_get_str(c, "kind"), "kappa")) continue;
        char name[256];
        snprintf(name, sizeof name, "cases/datasets/%.*s",
                 EH_STR_ARG(json_get(c, "files")->child->text));
        eh_str rest = shared_text(&s, name), line;
        int64_t counts[9] = {0};
        while (eh_str_split(&rest, '\n', &line)) {
            if (eh_str_is_blank(line)) continue;
            const json_value *row = shared_json(&s, line);
            counts[class_of(json_get_str(row, "judge")) * 3 +
                   class_of(json_get_str(row, "human"))]++;
        }
        stats_kappa k = stats_cohen_kappa(counts, 3);
        assert_int_equal(k.n, (int64_t)shared_number(c, "n"));
        assert_near(k.agreement, shared_number(c, "agreement"), 1e-12);
        if (json_get(c, "kappa")->kind == JSON_NULL) {
            assert_true(isnan(k.kappa));
            assert_true(eh_str_eq_cstr(json_get_str(c, "kappa_reason"),
                                       stats_reason_name(k.why)));
        } else {
            assert_near(k.kappa, shared_number(c, "kappa"),
                        shared_number(c, "tolerance"));
        }
        n_cases++;
    }
    shared_close(&s);
    assert_int_equal(n_cases, 2);
}

/* Win rates of the cases, whole and by category. */
static void test_win_rate_cases(void **state) {
    (void)state;
    if (!shared_is_there()) {
        print_message("skipped: no shared cases\n");
        skip();
    }
    shared s;
    shared_open(&s);
    const json_value *expect =
        shared_json(&s, shared_text(&s, "cases/datasets/expect.json"));
    stats_cluster all;
    int64_t n_failed = 0;
    uint64_t id = 0;
    eh_str rest = shared_text(&s, "cases/datasets/winrate_ties.jsonl"), line;
    stats_cluster_init(&all);
    while (eh_str_split(&rest, '\n', &line)) {
        if (eh_str_is_blank(line)) continue;
        eh_verdict v = eh_verdict_parse(json_get_str(shared_json(&s, line), "winner"));
        if (v == EH_VERDICT_NONE)
            n_failed++;
        else
            stats_cluster_add(&all, id++, .5 + .5 * eh_verdict_vote(v));
    }
    const json_value *m1 = json_get(json_get(expect, "winrate_ties"), "m1");
    assert_near(stats_cluster_mean(&all).mean, shared_number(m1, "win_rate"), 0.0);
    assert_int_equal(n_failed, (int64_t)shared_number(m1, "failed"));
    assert_int_equal(all.n,
                     (int64_t)(shared_number(m1, "wins") + shared_number(m1, "losses") +
                               shared_number(m1, "ties")));

    const json_value *by =
        json_get(json_get(expect, "empty_category"), "by_category")->child;
    for (; by; by = by->next) {
        stats_cluster_init(&all);
        rest = shared_text(&s, "cases/datasets/empty_category.jsonl");
        while (eh_str_split(&rest, '\n', &line)) {
            if (eh_str_is_blank(line)) continue;
            const json_value *row = shared_json(&s, line);
            eh_verdict v = eh_verdict_parse(json_get_str(row, "winner"));
            if (!eh_str_eq(json_get_str(row, "category"), by->key)) continue;
            if (v != EH_VERDICT_NONE)
                stats_cluster_add(&all, id++, .5 + .5 * eh_verdict_vote(v));
        }
        stats_interval i = stats_cluster_interval(&all, .95);
        assert_int_equal(all.n, (int64_t)shared_number(by, "n"));
        if (json_get(by, "win_rate_1")->kind == JSON_NULL) {
            assert_true(isnan(i.value));
            assert_int_equal(i.why, STATS_REASON_NO_ROWS);
        } else {
            assert_near(i.value, shared_number(by, "win_rate_1"), 0.0);
        }
    }
    shared_close(&s);
}

enum { PANDALM_PAIRS = 999, ANNOTATORS = 3 };

/* label[annotator][pair], -1 where none */
static int pandalm[ANNOTATORS][PANDALM_PAIRS];

static void read_pandalm(shared *s) {
    eh_str rest = shared_text(s, "data/pandalm/labels.jsonl"), line;
    eh_str last = {NULL, 0};
    int pair = -1;
    for (int a = 0; a < ANNOTATORS; a++)
        for (int p = 0; p < PANDALM_PAIRS; p++)
            pandalm[a][p] = -1;
    while (eh_str_split(&rest, '\n', &line)) {
        if (eh_str_is_blank(line)) continue;
        const json_value *row = shared_json(s, line);
        eh_str id = json_get_str(row, "pair_id"), who = json_get_str(row, "annotator");
        if (!eh_str_eq(id, last)) pair++;
        last = id;
        pandalm[who.ptr[who.len - 1] - '1'][pair] =
            class_of(json_get_str(row, "label"));
    }
    assert_int_equal(pair, PANDALM_PAIRS - 1);
}

static void test_recorded_labels(void **state) {
    (void)state;
    if (!shared_is_there()) {
        print_message("skipped: no shared data\n");
        skip();
    }
    shared s;
    shared_open(&s);
    read_pandalm(&s);
    const json_value *labels = json_get(
        shared_json(&s, shared_text(&s, "data/pandalm/expected.json")), "labels");
    for (int a = 0; a < ANNOTATORS; a++) {
        for (int b = a + 1; b < ANNOTATORS; b++) {
            int64_t counts[9] = {0};
            char key[64];
            for (int p = 0; p < PANDALM_PAIRS; p++)
                counts[pandalm[a][p] * 3 + pandalm[b][p]]++;
            stats_kappa k = stats_cohen_kappa(counts, 3);
            snprintf(key, sizeof key, "annotator%d|annotator%d", a + 1, b + 1);
            assert_near(k.kappa, shared_number(json_get(labels, "cohen_kappa"), key),
                        1e-12);
            assert_near(k.agreement,
                        shared_number(json_get(labels, "percent_agreement"), key),
                        1e-12);
        }
    }
    static int64_t items[PANDALM_PAIRS * 3];
    for (int p = 0; p < PANDALM_PAIRS; p++)
        for (int a = 0; a < ANNOTATORS; a++)
            items[p * 3 + pandalm[a][p]]++;
    stats_kappa fleiss = stats_fleiss_kappa(items, PANDALM_PAIRS, 3);
    assert_near(fleiss.kappa, shared_number(labels, "fleiss_kappa"), 1e-12);
    double n = PANDALM_PAIRS * ANNOTATORS;
    assert_near(stats_krippendorff_alpha(items, PANDALM_PAIRS, 3).kappa,
                fleiss.kappa + (1.0 - fleiss.kappa) / n, 1e-9);
    shared_close(&s);
}

/* gpt-3.5-turbo against the majority of pandalm's annotators: published accuracy and
 * macro averages, with unreadable replies counted as ties as there. */
static void test_published_confusion(void **state) {
    (void)state;
    if (!shared_is_there()) {
        print_message("skipped: no shared data\n");
        skip();
    }
    shared s;
    shared_open(&s);
    read_pandalm(&s);
    eh_str rest = shared_text(&s, "data/pandalm/judgments.jsonl"), line;
    int64_t counts[9] = {0};
    int pair = 0;
    while (eh_str_split(&rest, '\n', &line)) {
        if (eh_str_is_blank(line)) continue;
        const json_value *row = shared_json(&s, line);
        if (!eh_str_eq_cstr(json_get_str(row, "judge"), "gpt-3.5-turbo")) continue;
        int verdict = class_of(json_get_str(row, "verdict"));
        int votes[3] = {0}, majority = 0;
        for (int a = 0; a < ANNOTATORS; a++)
            votes[pandalm[a][pair]]++;
        for (int c = 1; c < 3; c++)
            if (votes[c] > votes[majority]) majority = c;
        counts[(verdict < 0 ? 2 : verdict) * 3 + majority]++;
        pair++;
    }
    stats_confusion c = stats_confusion_of(counts, 3);
    assert_int_equal(c.n, PANDALM_PAIRS);
    assert_near(c.accuracy, .7107, 5e-5);
    assert_near(c.macro_precision, .5879, 5e-5);
    assert_near(c.macro_recall, .5736, 5e-5);
    assert_near(c.macro_f1, .5755, 5e-5);
    shared_close(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kappa_golden),
        cmocka_unit_test(test_kappa_edges),
        cmocka_unit_test(test_fleiss),
        cmocka_unit_test(test_alpha),
        cmocka_unit_test(test_confusion),
        cmocka_unit_test(test_bpde),
        cmocka_unit_test(test_coin_flips),
        cmocka_unit_test(test_reliability),
        cmocka_unit_test(test_kappa_cases),
        cmocka_unit_test(test_win_rate_cases),
        cmocka_unit_test(test_recorded_labels),
        cmocka_unit_test(test_published_confusion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
