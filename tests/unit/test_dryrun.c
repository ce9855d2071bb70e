/* SPDX-License-Identifier: MIT
 *
 * The dry run: what it foresees is what the engine then does, call for call, and for
 * each new call it says why.
 */
#include "ledger_make.h"
#include "run/dryrun.h"
#include "run/engine.h"

/* A data set, a ledger and a judge; each test changes one of them. */
typedef struct rehearsal {
    ledger *l;
    prompt_template *t;
    run_setup setup;
    dataset_pair pairs[8];
    size_t n_pairs;
} rehearsal;

static void set_judge(rehearsal *r, const char *spec, const char *template_name,
                      const char *method, int k) {
    eh_error err;
    judge_open_args args = {.concurrency = 4, .clock = clock_made()};
    judge_close(r->setup.j);
    prompt_template_free(r->t);
    assert_ok(judge_open(eh_str_of(spec), &args, &r->setup.j, &err), err);
    assert_ok(prompt_template_builtin(eh_str_of(template_name), &r->t, &err), err);
    r->setup.t = r->t;
    plan_wish wish = {.method = eh_str_of(method),
                      .k = k,
                      .temperature_given = true,
                      .temperature = 1};
    assert_ok(plan_make(&wish, &r->setup.plan, &err), err);
    run_setup_params(&r->setup, -1);
}

static rehearsal begin(void) {
    rehearsal r = {.l = ledger_made()};
    const dataset_pair pairs[] = {
        pair_of("a", "q1", "one", "two"), pair_of("b", "q2", "three", "four"),
        pair_of("c", "q2", "four", "three"), /* b the other way round */
        pair_of("d", "q1", "one", "two"),    /* a again */
        pair_of("e", "q3", "same", "same")};
    memcpy(r.pairs, pairs, sizeof pairs);
    r.n_pairs = 5;
    set_judge(&r, "sim:noise=1", "score", "mec+bpc", 2);
    return r;
}

static void finish(rehearsal *r) {
    ledger_unmade(r->l);
    judge_close(r->setup.j);
    prompt_template_free(r->t);
}

static int64_t later_now(void *self) {
    (void)self;
    return MADE_AT_MS + 1000;
}

/* A second after the runs. */
static run_forecast forecast_with(rehearsal *r, ledger *l, run_refresh refresh) {
    run_forecast f;
    eh_error err;
    ledger *scope = ledger_made();
    run_forecast_options options = {.refresh = refresh,
                                    .clock = {later_now, later_now, NULL}};
    stage_all(scope, r->pairs, r->n_pairs);
    assert_ok(run_forecast_make(scope, l, &r->setup, &options, &f, &err), err);
    ledger_unmade(scope);
    assert_int_equal(f.n_pairs, r->n_pairs);
    assert_int_equal(f.n_calls, f.n_reused + f.n_refreshed + f.n_same +
                                    f.n_text_changed + f.n_judge_changed +
                                    f.n_more_samples + f.n_new);
    return f;
}

static run_forecast forecast(rehearsal *r, ledger *l) {
    return forecast_with(r, l, (run_refresh){0});
}

static run_progress run(rehearsal *r, int64_t limit) {
    run_result result;
    eh_error err;
    run_options o = {
        .setup = r->setup, .concurrency = 4, .limit = limit, .clock = clock_made()};
    stage_all(r->l, r->pairs, r->n_pairs);
    assert_ok(run_engine(r->l, &o, &result, &err), err);
    return result.progress;
}

/* Foresees, runs, and compares. */
static run_forecast rehearse(rehearsal *r) {
    run_forecast f = forecast(r, r->l);
    run_progress p = run(r, -1);
    assert_int_equal(p.n_new, f.n_calls - f.n_reused - f.n_same);
    assert_int_equal(p.n_new + p.n_reused + p.n_present, f.n_calls);
    return f;
}

static void test_nothing_is_there(void **state) {
    (void)state;
    rehearsal r = begin();
    run_forecast f = forecast(&r, NULL); /* the ledger does not even exist */
    assert_int_equal(f.n_calls, 20);
    /* c and d repeat the prompts of b and a; e's two orders are one prompt */
    assert_int_equal(f.n_same, 4 + 4 + 2);
    assert_int_equal(f.n_new, 10);
    f = rehearse(&r);
    assert_int_equal(f.n_new, 10);
    finish(&r);
}

static void test_all_is_there(void **state) {
    (void)state;
    rehearsal r = begin();
    (void)run(&r, -1);
    run_forecast f = rehearse(&r);
    assert_int_equal(f.n_reused, 20);
    assert_int_equal(f.n_new, 0);
    finish(&r);
}

static void test_half_is_there(void **state) {
    (void)state;
    rehearsal r = begin();
    (void)run(&r, 3);
    run_forecast f = forecast(&r, r.l);
    assert_int_equal(f.n_calls - f.n_reused - f.n_same, 7);
    (void)rehearse(&r);
    finish(&r);
}

static void test_changed_text(void **state) {
    (void)state;
    rehearsal r = begin();
    (void)run(&r, -1);
    r.pairs[4] = pair_of("e", "q3", "same", "another");
    run_forecast f = rehearse(&r);
    assert_int_equal(f.n_text_changed, 4);
    assert_int_equal(f.n_reused, 16);
    finish(&r);
}

static void test_another_pair(void **state) {
    (void)state;
    rehearsal r = begin();
    (void)run(&r, -1);
    r.pairs[r.n_pairs++] = pair_of("f", "q9", "x", "y");
    run_forecast f = rehearse(&r);
    assert_int_equal(f.n_new, 4);
    assert_int_equal(f.n_text_changed, 0);
    finish(&r);
}

static void test_another_template_or_judge(void **state) {
    (void)state;
    rehearsal r = begin();
    (void)run(&r, -1);
    set_judge(&r, "sim:noise=1", "compare", "mec+bpc", 2);
    run_forecast f = rehearse(&r);
    assert_int_equal(f.n_judge_changed, 10);
    assert_int_equal(f.n_same, 10);
    set_judge(&r, "sim:noise=2", "score", "mec+bpc", 2);
    f = rehearse(&r);
    assert_int_equal(f.n_new, 10);
    finish(&r);
}

static void test_more_samples_and_orders(void **state) {
    (void)state;
    rehearsal r = begin();
    set_judge(&r, "sim:noise=1", "score", "mec", 2); /* order 12 only */
    (void)run(&r, -1);
    set_judge(&r, "sim:noise=1", "score", "mec+bpc", 3);
    run_forecast f = rehearse(&r);
    assert_int_equal(f.n_calls, 30);
    /* a and b were asked in order 12, c (b's order 21) and e as well */
    assert_int_equal(f.n_more_samples, f.n_calls - f.n_reused - f.n_same);
    assert_int_equal(f.n_new + f.n_judge_changed + f.n_text_changed, 0);
    finish(&r);
}

/* Judges that see no template share calls by the texts. */
static void test_baseline(void **state) {
    (void)state;
    rehearsal r = begin();
    set_judge(&r, "longest", "score", "bpc", 1);
    run_forecast f = rehearse(&r);
    assert_int_equal(f.n_calls, 10);
    assert_int_equal(f.n_new, 5);
    set_judge(&r, "longest", "compare", "bpc", 1); /* the template does not reach it */
    f = rehearse(&r);
    assert_int_equal(f.n_reused, 10);
    finish(&r);
}

/* What is too old is asked again, and nobody else's calls are. */
static void test_refresh(void **state) {
    (void)state;
    rehearsal r = begin();
    (void)run(&r, -1);
    r.pairs[r.n_pairs++] = pair_of("f", "q9", "x", "y");
    static const struct {
        run_refresh refresh;
        bool asks_again;
    } cases[] = {{{.all = true}, true},
                 {{.max_age_ms = 999}, true},
                 {{.max_age_ms = 1000}, false},
                 {{.max_age_ms = 5000}, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        run_forecast f = forecast_with(&r, r.l, cases[i].refresh);
        assert_int_equal(f.n_refreshed, cases[i].asks_again ? 10 : 0);
        assert_int_equal(f.n_reused, cases[i].asks_again ? 0 : 20);
        assert_int_equal(f.n_new, 4);
    }
    finish(&r);
}

static void test_portia(void **state) {
    (void)state;
    rehearsal r = begin();
    set_judge(&r, "sim:first=3", "compare", "portia", 1);
    run_forecast f = forecast(&r, NULL); /* of what can be known: the first stage */
    assert_int_equal(f.n_calls, 10);
    finish(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_is_there),
        cmocka_unit_test(test_all_is_there),
        cmocka_unit_test(test_half_is_there),
        cmocka_unit_test(test_changed_text),
        cmocka_unit_test(test_another_pair),
        cmocka_unit_test(test_another_template_or_judge),
        cmocka_unit_test(test_more_samples_and_orders),
        cmocka_unit_test(test_baseline),
        cmocka_unit_test(test_refresh),
        cmocka_unit_test(test_portia),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
