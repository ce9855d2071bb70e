/* SPDX-License-Identifier: MIT
 *
 * Comparisons: which pair of one ledger is which of the other, and what is said for
 * each finding. Numbers over whole runs: tests/system/compare.py.
 */
#include <math.h>

#include "base/mem.h"
#include "ledger/match.h"
#include "ledger_make.h"
#include "report/compare.h"

/* ---- matching ---- */

static ledger_match match_of(ledger *l, const dataset_pair *pair, const char *id,
                             eh_str *found) {
    uint8_t revision[16];
    ledger_pair got;
    ledger_match match;
    eh_error err;
    ledger_revision(pair, revision);
    assert_ok(ledger_pair_match(l, eh_str_of(id), revision, &got, &match, &err), err);
    *found = match == LEDGER_MATCH_NONE ? (eh_str){NULL, 0} : got.pair_id;
    return match;
}

static void test_matching(void **state) {
    (void)state;
    ledger *l = ledger_made();
    dataset_pair pairs[] = {pair_of("a", "q", "one", "two"),
                            pair_of("b", "q", "one", "two"),
                            pair_of("c", "q", "one", "three")};
    dataset_pair gone = pair_of("d", "other", "one", "two");
    eh_str id;
    stage_all(l, &gone, 1); /* leaves the scope with the next staging */
    stage_all(l, pairs, 3);
    assert_int_equal(match_of(l, &pairs[1], "b", &id), LEDGER_MATCH_SAME);
    assert_text(id, "b");
    assert_int_equal(match_of(l, &pairs[1], "x", &id), LEDGER_MATCH_OTHER_ID);
    assert_text(id, "a"); /* the first of equals */
    assert_int_equal(match_of(l, &pairs[2], "a", &id), LEDGER_MATCH_OTHER_ID);
    assert_text(id, "c"); /* texts before ids */
    assert_int_equal(match_of(l, &gone, "c", &id), LEDGER_MATCH_OTHER_TEXTS);
    assert_text(id, "c");
    assert_int_equal(match_of(l, &gone, "d", &id), LEDGER_MATCH_NONE);
    uint8_t stored[16], wanted[16];
    eh_error err;
    ledger_revision(&pairs[2], wanted);
    assert_ok(ledger_pair_revision(l, row_of(l, "c"), stored, &err), err);
    assert_memory_equal(stored, wanted, 16);
    assert_fails(ledger_pair_revision(l, 99, stored, &err), EH_STATUS_LEDGER, err,
                 "gone");
    ledger_unmade(l);
}

/* ---- words ---- */

static report_compare_rate rate_of(double base, double fresh, stats_finding finding) {
    return (report_compare_rate){
        .base = base,
        .fresh = fresh,
        .n = 90,
        .n_questions = 80,
        .n_needed = 400,
        .difference = {.interval = {fresh - base, fresh - base - .02,
                                    fresh - base + .02, STATS_REASON_NONE},
                       .finding = finding}};
}

static report_compare made(stats_finding finding) {
    return (report_compare){.base = {.model_1 = EH_STR("old")},
                            .fresh = {.model_1 = EH_STR("new")},
                            .margin = .03,
                            .n_common = 90,
                            .n_other_texts = 90,
                            .p_mcnemar = NAN,
                            .soft = rate_of(.4, .45, finding),
                            .conflict = rate_of(.3, .2, STATS_FINDING_WORSE)};
}

static void says(const report_compare *c, const char *wanted) {
    eh_buf out;
    buf_init(&out, BUF_MAX_SMALL);
    report_compare_sentence(c, &out);
    assert_text(buf_view(&out), wanted);
    buf_deinit(&out);
}

static void test_sentences(void **state) {
    (void)state;
    report_compare c = made(STATS_FINDING_BETTER);
    says(&c,
         "The new run is better: new wins 45.0 %, old won 40.0 %, a difference of +5.0 "
         "points (+3.0 to +7.0; 80 questions).");
    c = made(STATS_FINDING_EQUIVALENT);
    says(
        &c,
        "The new run is equivalent within 3 points: new wins 45.0 %, old won 40.0 %, a "
        "difference of +5.0 points (+3.0 to +7.0; 80 questions).");
    c = made(STATS_FINDING_NOT_SHOWN);
    says(&c, "It is not shown that the new run is better or worse, nor that it is "
             "equivalent: new wins 45.0 %, old won 40.0 %, a difference of +5.0 points "
             "(+3.0 to +7.0; 80 questions); about 400 questions would show 3 points.");
    /* the same answers: another judge, who is not better for giving answer 1 more */
    c = made(STATS_FINDING_WORSE);
    c.n_other_texts = 0;
    c.fresh.model_1 = (eh_str){NULL, 0};
    says(&c,
         "Answer 1 does worse with the new judge: answer 1 wins 45.0 %, before 40.0 %, "
         "a difference of +5.0 points (+3.0 to +7.0; 80 questions); which judge is "
         "right, labels would say.");
    c.accuracy = rate_of(.7, .8, STATS_FINDING_BETTER);
    c.p_mcnemar = .021;
    says(&c,
         "The new run is better: right on 80.0 % of 90 labelled pairs, before on 70.0 "
         "%, a difference of +10.0 points (+8.0 to +12.0; 80 questions), McNemar p = "
         ".0210.");
    c.accuracy.difference.interval.low = NAN;
    c.accuracy.n_questions = 1;
    c.accuracy.difference.finding = STATS_FINDING_NOT_SHOWN;
    c.accuracy.n_needed = 0;
    says(&c, "It is not shown that the new run is better or worse, nor that it is "
             "equivalent: right on 80.0 % of 90 labelled pairs, before on 70.0 %, a "
             "difference of +10.0 points without an interval (1 question), McNemar p = "
             ".0210.");
    c.n_other_texts = 1;
    c.soft.n = 0;
    says(&c, "Nothing is shown: no pair was ruled in both.");
    /* of conflicts fewer are better */
    assert_int_equal(report_compare_finding(&c, &c.conflict), STATS_FINDING_BETTER);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_matching),
        cmocka_unit_test(test_sentences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
