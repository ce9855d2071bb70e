/* SPDX-License-Identifier: MIT
 *
 * Drift, on a few pairs worked out by hand, and its sentences. Judges that do and do
 * not change: tests/system/drift.py.
 */
#include <math.h>

#include "ledger_make.h"
#include "run/drift.h"

#define V1 EH_VERDICT_1
#define V2 EH_VERDICT_2

/* Like `put`, in the drift stream. */
static void put_now(ledger *l, int64_t judge_row, const char *pair_id, plan_sample s) {
    eh_error err;
    int64_t call_row;
    uint8_t key[HASH_BYTES];
    ledger_ask ask = {.judge_row = judge_row,
                      .pair_row = row_of(l, pair_id),
                      .stream = LEDGER_STREAM_DRIFT,
                      .order = s.order,
                      .sample = s.sample};
    eh_hash h;
    hash_init(&h, "test-drift-key");
    hash_i64(&h, ask.pair_row);
    hash_i64(&h, s.order);
    hash_i64(&h, s.sample);
    hash_done(&h, key);
    ledger_call call = {.key = key,
                        .judge_row = judge_row,
                        .stream = LEDGER_STREAM_DRIFT,
                        .sample = s.sample,
                        .done_ms = MADE_AT_MS,
                        .result = shown_of(s)};
    assert_ok(ledger_call_put(l, &call, &call_row, &err), err);
    assert_ok(ledger_ask_put(l, &ask, call_row, &err), err);
    assert_ok(ledger_commit(l, &err), err);
}

/* Two samples of a prompt before and two now. */
static void four(ledger *l, int64_t judge_row, const char *id, eh_order order,
                 const eh_verdict said[4]) {
    for (int i = 0; i < 2; i++) {
        (void)put(l, judge_row, id, vote_of(order, i, said[i]));
        put_now(l, judge_row, id, vote_of(order, i, said[2 + i]));
    }
}

static report_drift look(ledger *l, eh_arena *arena) {
    tally_view *views;
    size_t n;
    eh_error err;
    report_drift d;
    run_drift_options o = {.n_pairs = 10, .seed = 1, .margin = .03};
    assert_ok(tally_views(l, EH_STR(""), arena, &views, &n, &err), err);
    assert_int_equal(n, 1); /* the run of the drift stream is no view */
    assert_ok(run_drift_look(l, &views[0], &o, arena, &d, &err), err);
    return d;
}

static void test_numbers(void **state) {
    (void)state;
    static const char *const ids[] = {"p1", "p2", "p3"};
    eh_arena arena;
    eh_error err;
    ledger *l = ledger_made();
    dataset_pair pairs[3];
    arena_init(&arena, 64 << 20);
    for (size_t i = 0; i < 3; i++)
        pairs[i] = pair_of(ids[i], ids[i], "one", "two");
    stage_all(l, pairs, 3);
    int64_t sim = judge_made(l, "sim");
    (void)run_made(l, sim, "mec+bpc", 2, PLAN_ORDERS_BOTH);
    plan_spec plan = plan_of("mec+bpc", 2, NULL);
    char options[LEDGER_RUN_OPTIONS_CHARS];
    int64_t row;
    ledger_run run = ledger_run_of(&plan, LEDGER_STREAM_DRIFT, sim, options);
    assert_ok(ledger_run_put(l, &run, MADE_AT_MS, &row, &err), err);
    assert_false(ledger_run_is_main(&run));
    /* p1: nothing changed. p2: order 12 from 1, 1 to 2, 2. p3: noisy both times, 1, 2
     * and 1, none in order 12; was not asked in order 21. */
    four(l, sim, "p1", EH_ORDER_12, (eh_verdict[]){V1, V1, V1, V1});
    four(l, sim, "p1", EH_ORDER_21, (eh_verdict[]){V1, V1, V1, V1});
    four(l, sim, "p2", EH_ORDER_12, (eh_verdict[]){V1, V1, V2, V2});
    four(l, sim, "p2", EH_ORDER_21, (eh_verdict[]){V1, V1, V1, V1});
    four(l, sim, "p3", EH_ORDER_12, (eh_verdict[]){V1, V2, V1, EH_VERDICT_NONE});
    report_drift d = look(l, &arena);
    const report_drift_test *shift = &d.tests[REPORT_DRIFT_SHIFT];
    const report_drift_test *change = &d.tests[REPORT_DRIFT_CHANGE];
    assert_int_equal(d.n_pairs, 3);
    assert_int_equal(d.n_failed_now, 1);
    assert_int_equal(shift->n, 2); /* p3 has no ruling */
    assert_true(fabs(shift->before - 1) < 1e-12);
    assert_true(fabs(shift->now - .75) < 1e-12); /* p2: votes -1 and 1 */
    /* differences among replies of one time: 0, 0, and 1 both times for p3; between the
     * times: 0, (1 + 0) / 2, and 3 of 4 for p3 */
    assert_int_equal(change->n, 3);
    assert_true(fabs(change->before - 1. / 3) < 1e-12);
    assert_true(fabs(change->now - (0 + .5 + .75) / 3) < 1e-12);
    assert_true(fabs(change->difference.interval.value - (.5 - .25) / 3) < 1e-12);
    assert_false(d.tests[REPORT_DRIFT_LEVEL].is_defined);
    assert_false(d.is_shown || d.is_unknown);
    arena_deinit(&arena);
    ledger_unmade(l);
}

/* ---- words ---- */

static report_drift_test test_of(double value, bool is_shown, stats_finding finding) {
    return (report_drift_test){
        .is_defined = true,
        .n = 9,
        .difference = {.interval = {value, value - .02, value + .02, STATS_REASON_NONE},
                       .finding = finding},
        .p_adjusted = is_shown ? .01 : 1,
        .is_shown = is_shown};
}

static void says(const report_drift *d, const char *wanted) {
    eh_buf out;
    buf_init(&out, BUF_MAX_SMALL);
    report_drift_sentence(d, &out);
    assert_text(buf_view(&out), wanted);
    buf_deinit(&out);
}

static void test_sentences(void **state) {
    (void)state;
    report_drift d = {.margin = .03, .n_pairs = 9};
    d.tests[REPORT_DRIFT_SHIFT] = test_of(.01, false, STATS_FINDING_NOT_SHOWN);
    d.tests[REPORT_DRIFT_CHANGE] = test_of(.1, true, STATS_FINDING_BETTER);
    d.tests[REPORT_DRIFT_LEVEL] = test_of(-.1, true, STATS_FINDING_WORSE);
    says(&d,
         "No drift is shown: the soft win rate of answer 1 moved by +1.0 points (-1.0 "
         "to +3.0).");
    d.tests[REPORT_DRIFT_SHIFT].difference.finding = STATS_FINDING_EQUIVALENT;
    says(&d,
         "No drift is shown: the soft win rate of answer 1 moved by +1.0 points (-1.0 "
         "to +3.0), which is within 3 points.");
    d.is_shown = true;
    says(&d,
         "The judge has drifted: replies differ from before more than among "
         "themselves, by +10.0 points (+8.0 to +12.0); scores moved by -0.90 on the "
         "scale (-1.08 to -0.72).");
    d.is_unknown = true;
    says(&d,
         "It cannot be told whether the judge has drifted: too few of 9 pairs can be "
         "compared.");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_sentences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
