/* SPDX-License-Identifier: MIT
 *
 * A call that replaces another: who points where, what is kept, and from which instant
 * answers are too old.
 */
#include "base/clock.h"
#include "ledger_make.h"
#include "run/refresh.h"

typedef struct asked {
    ledger *l;
    int64_t judge, pair;
    uint8_t key[HASH_BYTES];
} asked;

static asked asked_new(void) {
    asked a = {.l = ledger_made()};
    dataset_pair pairs[] = {pair_of("p1", "q", "a", "b"), pair_of("p2", "q", "a", "b")};
    stage_all(a.l, pairs, 2);
    a.judge = judge_made(a.l, "sim");
    a.pair = row_of(a.l, "p1");
    memset(a.key, 7, sizeof a.key);
    return a;
}

static int64_t put_call(asked *a, plan_sample s, int64_t done_ms, int64_t replaces) {
    eh_error err;
    int64_t row;
    ledger_call call = {.key = a->key,
                        .judge_row = a->judge,
                        .content = EH_STR("a reply"),
                        .done_ms = done_ms,
                        .model = EH_STR("m"),
                        .result = shown_of(s),
                        .replaces_row = replaces};
    assert_ok(ledger_call_put(a->l, &call, &row, &err), err);
    return row;
}

static ledger_ask ask_of(const asked *a, const char *pair_id) {
    return (ledger_ask){.judge_row = a->judge, .pair_row = row_of(a->l, pair_id)};
}

static size_t n_samples(asked *a, const char *pair_id, int64_t since_ms,
                        plan_sample *first) {
    eh_error err;
    plan_sample samples[4];
    size_t n;
    ledger_ask ask = ask_of(a, pair_id);
    assert_ok(ledger_samples(a->l, &ask, since_ms, samples, 4, &n, &err), err);
    if (n) *first = samples[0];
    return n;
}

static void test_replace(void **state) {
    (void)state;
    eh_error err;
    asked a = asked_new();
    plan_sample seen;
    int64_t old = put_call(&a, vote_of(EH_ORDER_12, 0, EH_VERDICT_1), 100, 0);
    for (int i = 1; i <= 2; i++) {
        ledger_ask ask = ask_of(&a, i == 1 ? "p1" : "p2");
        assert_ok(ledger_ask_put(a.l, &ask, old, &err), err);
    }
    assert_int_equal(n_samples(&a, "p1", 100, &seen), 1);
    assert_int_equal(seen.verdict, EH_VERDICT_1);
    assert_int_equal(n_samples(&a, "p1", 101, &seen), 0);
    int64_t row = put_call(&a, scores_of(EH_ORDER_12, 0, 2, 9), 200, old);
    assert_int_equal(row, old); /* so both asks have it */
    assert_int_equal(n_samples(&a, "p1", 101, &seen), 1);
    assert_int_equal(seen.verdict, EH_VERDICT_2);
    assert_int_equal(n_samples(&a, "p2", 101, &seen), 1);
    int64_t found, done_ms;
    assert_ok(ledger_call_done_ms(a.l, a.key, &found, &done_ms, &err), err);
    assert_int_equal(found, old);
    assert_int_equal(done_ms, 200);
    row = put_call(&a, scores_of(EH_ORDER_12, 0, 9, 2), 300, old);
    assert_int_equal(row, old);
    /* the vote without scores is history and does not coarsen the scale */
    plan_scale scale;
    assert_ok(ledger_scale(a.l, a.judge, &scale, &err), err);
    assert_int_equal(scale, PLAN_SCALE_SCORES);
    ledger_timing timing;
    assert_ok(ledger_timing_sum(a.l, a.judge, &timing, &err), err);
    assert_int_equal(timing.n_calls, 3); /* but it was made */
    ledger_unmade(a.l);
}

static void test_models(void **state) {
    (void)state;
    eh_error err;
    asked a = asked_new();
    plan_spec plan = plan_of("bpc", 1, "");
    eh_arena arena;
    ledger_model *models;
    size_t n;
    arena_init(&arena, 1 << 20);
    int64_t row = put_call(&a, vote_of(EH_ORDER_12, 0, EH_VERDICT_1), 100, 0);
    for (int i = 1; i <= 2; i++) {
        ledger_ask ask = ask_of(&a, i == 1 ? "p1" : "p2");
        assert_ok(ledger_ask_put(a.l, &ask, row, &err), err);
    }
    assert_ok(ledger_models(a.l, &(ledger_ask){.judge_row = a.judge}, &plan, &arena,
                            &models, &n, &err),
              err);
    assert_int_equal(n, 1);
    assert_text(models[0].model, "m");
    assert_absent(models[0].fingerprint);
    assert_int_equal(models[0].n_calls, 1); /* shared by two pairs */
    arena_deinit(&arena);
    ledger_unmade(a.l);
}

static run_refresh_from from(ledger *l, int64_t run_row, run_refresh refresh,
                             int64_t now_ms) {
    eh_error err;
    run_refresh_from f;
    assert_ok(run_refresh_find(l, run_row, &refresh, now_ms, &f, &err), err);
    return f;
}

static int64_t session(ledger *l, int64_t run_row, int64_t started,
                       int64_t refresh_ms) {
    eh_error err;
    int64_t row;
    ledger_session s = {run_row, started, refresh_ms};
    assert_ok(ledger_session_begin(l, &s, &row, &err), err);
    return row;
}

static void test_instants(void **state) {
    (void)state;
    eh_error err;
    asked a = asked_new();
    run_refresh none = {0}, all = {.all = true}, aged = {.max_age_ms = 1000};
    int64_t run = run_made(a.l, a.judge, "bpc", 1, PLAN_ORDERS_BOTH);
    assert_int_equal(from(a.l, run, none, 5000).since_ms, 0);
    assert_int_equal(from(a.l, run, aged, 5000).since_ms, 4000);
    assert_int_equal(from(a.l, run, aged, 900).since_ms, 0);
    assert_int_equal(from(a.l, 0, all, 5000).since_ms, 5000);
    int64_t first = session(a.l, run, 5000, 5000);
    assert_int_equal(from(a.l, run, all, 6000).since_ms, 5000);
    assert_true(from(a.l, run, all, 6000).resumed);
    /* a session without refresh in between changes nothing */
    assert_ok(
        ledger_session_end(a.l, session(a.l, run, 5500, -1), 5600, "done", 0, 0, &err),
        err);
    assert_int_equal(from(a.l, run, all, 6000).since_ms, 5000);
    static const char *const cut[] = {"limit", "interrupted", "stopped", "incomplete"};
    for (size_t i = 0; i < sizeof cut / sizeof cut[0]; i++) {
        assert_ok(ledger_session_end(a.l, first, 5100, cut[i], 0, 0, &err), err);
        assert_true(from(a.l, run, all, 6000).resumed);
    }
    assert_ok(ledger_session_end(a.l, first, 5100, "done", 0, 0, &err), err);
    assert_false(from(a.l, run, all, 6000).resumed);
    assert_int_equal(from(a.l, run, all, 6000).since_ms, 6000);
    ledger_unmade(a.l);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_replace),
        cmocka_unit_test(test_models),
        cmocka_unit_test(test_instants),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
