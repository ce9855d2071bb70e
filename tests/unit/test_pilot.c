/* SPDX-License-Identifier: MIT
 *
 * What a pilot advises at its bounds, and what its report says where numbers are
 * missing.
 */
#include <math.h>

#include "plan_make.h"
#include "report/pilot.h"

typedef struct made {
    report_judge judge;
    report_pilot pilot;
} made;

/* A pilot of 100 pairs with this conflict rate, upper bound and p of the direction. */
static void make(made *m, double rate, double high, double p_direction) {
    *m = (made){.judge = {.n_pairs = 100}};
    m->judge.conflict = (report_conflict){
        .n_pairs = 100,
        .rate = {.value = rate, .low = rate / 2, .high = high, .n = 100},
        .p_direction = p_direction};
    m->judge.win_rate = (report_rate){.value = .5, .low = .4, .high = .6, .n = 100};
    m->pilot = (report_pilot){.n_pairs = 1000,
                              .plan = plan_of("mec+bpc", 3, ""),
                              .judge = &m->judge,
                              .n_replies = 600,
                              .prompt_tokens = NAN,
                              .completion_tokens = NAN};
    for (int i = 0; i < REPORT_PILOT_METHODS; i++)
        m->pilot.methods[i] =
            (report_pilot_method){.plan = plan_of(i ? "mec+bpc" : "bpc", 0, ""),
                                  .n_calls = i ? 6000 : 2000,
                                  .n_present = i ? 600 : 0,
                                  .prompt_tokens = NAN,
                                  .completion_tokens = NAN,
                                  .cost_nusd = -1};
}

static report_advice advice(double rate, double high, double p_direction) {
    made m;
    make(&m, rate, high, p_direction);
    return report_pilot_advice(&m.pilot);
}

static void test_advice(void **state) {
    (void)state;
    assert_int_equal(advice(.05, .12, .5), REPORT_ADVICE_FINE);
    assert_int_equal(advice(.05, .20, .5), REPORT_ADVICE_UNSURE);
    assert_int_equal(advice(.05, .12, .049), REPORT_ADVICE_DIRECTION);
    assert_int_equal(advice(.05, .12, .05), REPORT_ADVICE_FINE);
    assert_int_equal(advice(.20, .30, .5), REPORT_ADVICE_CONFLICT);
    assert_int_equal(advice(.20, .30, .001), REPORT_ADVICE_CONFLICT);
    made m;
    make(&m, .3, .4, .5);
    m.pilot.n_failed = 30; /* 5 % and not more */
    assert_int_equal(report_pilot_advice(&m.pilot), REPORT_ADVICE_CONFLICT);
    m.pilot.n_failed = 31;
    assert_int_equal(report_pilot_advice(&m.pilot), REPORT_ADVICE_FAILURES);
    make(&m, .3, .4, .5);
    m.judge.conflict.rate.low = m.judge.conflict.rate.high = NAN;
    assert_int_equal(report_pilot_advice(&m.pilot), REPORT_ADVICE_TOO_FEW);
}

static void test_text(void **state) {
    (void)state;
    made m;
    eh_buf out;
    buf_init(&out, BUF_MAX_SMALL);
    make(&m, .05, .12, .5);
    report_pilot_text(&m.pilot, &out);
    assert_holds(buf_view(&out), "100 of 1000 pairs in both orders");
    assert_holds(buf_view(&out), "unknown: the judge counts none\n");
    assert_holds(buf_view(&out), "about 400 for a win rate within +-5 points");
    assert_holds(buf_view(&out), "6000 calls, 600 of them there already\n");
    assert_int_equal(count_of(buf_view(&out), EH_STR("$")), 0);
    assert_int_equal(count_of(buf_view(&out), EH_STR("nan")), 0);
    buf_reset(&out);
    m.pilot.prompt_tokens = 1200;
    m.pilot.completion_tokens = 90;
    m.pilot.methods[1].prompt_tokens = 1080000;
    m.pilot.methods[1].completion_tokens = 81000;
    m.pilot.methods[1].cost_nusd = INT64_C(2345678901);
    report_pilot_text(&m.pilot, &out);
    assert_holds(buf_view(&out), "1200 asked, 90 answered");
    assert_holds(buf_view(&out), "$2.35");
    buf_deinit(&out);
}

static void test_nothing_ruled(void **state) {
    (void)state;
    made m;
    eh_buf out;
    buf_init(&out, BUF_MAX_SMALL);
    make(&m, .05, .12, .5);
    report_rate none = {.value = NAN, .low = NAN, .high = NAN, .why = "no_rows"};
    m.judge.win_rate = m.judge.conflict.rate = none;
    m.judge.conflict.n_pairs = 0;
    report_pilot_text(&m.pilot, &out);
    assert_holds(buf_view(&out), "no pair has a verdict in both orders");
    assert_holds(buf_view(&out), "too few pairs have a ruling");
    assert_int_equal(count_of(buf_view(&out), EH_STR("nan")), 0);
    buf_reset(&out);
    report_pilot_json(&m.pilot, &out);
    assert_holds(buf_view(&out), "\"rate\": null");
    assert_holds(buf_view(&out), "\"why\": \"no_rows\"");
    assert_holds(buf_view(&out), "\"pairs_needed\": null");
    buf_deinit(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_advice),
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_nothing_ruled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
