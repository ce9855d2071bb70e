/* SPDX-License-Identifier: MIT
 *
 * Parts of a summary, on ledgers whose numbers were worked out by hand: score gap,
 * length, human ties, repetition, reliability, planning, other tools' rules.
 */
#include "report/compat.h"
#include "summary_make.h"

/* Six pairs under bpc with scores; gaps 0, .5, 1, 1.5, 2.5, 4. */
static book book_of_scores(void) {
    static const double scores[6][4] = {
        {5, 5, 7, 7}, /* gap 0, both ties */
        {6, 5, 5, 5}, /* gap .5, a win and a tie */
        {8, 7, 7, 8}, /* gap 1, conflict */
        {8, 7, 9, 7}, /* gap 1.5 */
        {4, 7, 6, 8}, /* gap 2.5 */
        {2, 6, 3, 7}, /* gap 4 */
    };
    static const char *const ids[] = {"p1", "p2", "p3", "p4", "p5", "p6"};
    book b = book_new();
    stage_eight(b.l);
    int64_t judge = judge_made(b.l, "sim");
    (void)run_made(b.l, judge, "bpc", 1, PLAN_ORDERS_BOTH);
    for (size_t i = 0; i < 6; i++) {
        (void)put(b.l, judge, ids[i], scores_of(O12, 0, scores[i][0], scores[i][1]));
        (void)put(b.l, judge, ids[i], scores_of(O21, 0, scores[i][2], scores[i][3]));
    }
    return b;
}

static void test_score_gap(void **state) {
    (void)state;
    static const int64_t pairs[] = {1, 1, 1, 1, 1, 1}, conflicts[] = {0, 1, 1, 0, 0, 0};
    book b = book_of_scores();
    const report_score_gap *g = &summarize(&b, NULL)->bias.score_gap;
    assert_null(g->why);
    assert_int_equal(g->n_pairs, 6);
    assert_near(g->mean, 9.5 / 6);
    assert_memory_equal(g->pairs, pairs, sizeof pairs);
    assert_memory_equal(g->conflicts, conflicts, sizeof conflicts);
    assert_true(g->trend.exact && g->trend.z < 0);
    /* of the 10 ways to place two conflicts in five bins two are as far from the middle
     */
    assert_true(g->trend.p > .15 && g->trend.p < .25);
    assert_holds(buf_view(&b.json), "\"gap\": \"to 0.5\"");
    book_free(&b);
}

static void test_gap_bins(void **state) {
    (void)state;
    static const struct {
        double gap;
        int bin;
    } rows[] = {{0, 0},         {1e-12, 0}, {.1, 1},      {.5, 1}, {.5 + 1e-12, 1},
                {.51, 2},       {1, 2},     {1.01, 3},    {2, 3},  {2.5, 4},
                {3 - 1e-12, 5}, {3, 5},     {1.0 / 3, 1}, {9, 5}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_int_equal(report_score_gap_bin(rows[i].gap), rows[i].bin);
}

/* Votes have no gap, one order has no conflict, bare pairs no length. */
static void test_why_not(void **state) {
    (void)state;
    book b = book_of_eight(0);
    const report_judge *j = summarize(&b, NULL);
    assert_string_equal(j->bias.score_gap.why, "no_scores");
    assert_string_equal(j->bias.human_ties.why, "no_labels");
    assert_null(j->bias.length.why);
    assert_holds(buf_view(&b.json), "\"score_gap\": \"no_scores\"");
    j = summarize(&b, "vanilla");
    assert_string_equal(j->bias.score_gap.why, "one_order");
    assert_string_equal(j->bias.length.why, "one_order");
    assert_string_equal(j->bias.human_ties.why, "one_order");
    assert_string_equal(j->labels.human_agreement.why, "one_order");
    book_free(&b);
    book bare = book_new();
    int64_t row;
    assert_ok(ledger_begin(bare.l, &bare.err), bare.err);
    assert_ok(ledger_pair_put_bare(bare.l, EH_STR("p1"), &row, &bare.err), bare.err);
    int64_t judge = judge_made(bare.l, "sim");
    (void)run_made(bare.l, judge, "bpc", 1, PLAN_ORDERS_BOTH);
    put_said(bare.l, judge, &eight[0]);
    put_said(bare.l, judge, &eight[1]);
    j = summarize(&bare, NULL);
    assert_string_equal(j->bias.length.why, "no_texts");
    assert_int_equal(j->bias.length.n_decided, 0);
    book_free(&bare);
}

static void test_length(void **state) {
    (void)state;
    static char text[2000];
    memset(text, 'x', sizeof text - 1);
    book b = book_new();
    dataset_pair pairs[] = {
        pair_of("p1", "a", "xx", "x"), pair_of("p2", "b", "x", "xx"),
        pair_of("p3", "c", "xx", "xx"), pair_of("p4", "d", "x", text)};
    stage_all(b.l, pairs, 4);
    int64_t judge = judge_made(b.l, "sim");
    (void)run_made(b.l, judge, "bpc", 1, PLAN_ORDERS_BOTH);
    for (size_t i = 0; i < 8; i++) /* p1: 1 1, p2: 1 2, p3: 2 1, p4: tie 1 */
        put_said(b.l, judge, &eight[i]);
    const report_length *l = &summarize(&b, NULL)->bias.length;
    assert_int_equal(l->n_decided, 5); /* two of p1, two of p2, one of p4 */
    assert_int_equal(l->n_longer, 3);  /* both of p1, one of p2 */
    assert_int_equal(l->pairs[0], 3);
    assert_int_equal(l->conflicts[0], 2);
    assert_int_equal(l->pairs[2], 1); /* 2,000 characters */
    assert_int_equal(l->conflicts[2], 1);
    book_free(&b);
}

static void test_human_ties(void **state) {
    (void)state;
    book b = book_of_eight(0);
    label(b.l, "p1", "ann", V1); /* agreement, no tie */
    label(b.l, "p2", "ann", VT); /* conflict, tie */
    label(b.l, "p3", "ann", V2); /* conflict, no tie */
    label(b.l, "p5", "ann", VT); /* agreement, tie */
    label(b.l, "p6", "ann", VT); /* not ruled in both orders: left out */
    const report_human_ties *t = &summarize(&b, NULL)->bias.human_ties;
    assert_int_equal(t->conflict_tie, 1);
    assert_int_equal(t->conflict_other, 1);
    assert_int_equal(t->agree_tie, 1);
    assert_int_equal(t->agree_other, 1);
    assert_near(t->phi, 0);
    assert_near(t->p, 1);
    book_free(&b);
}

static void test_human_agreement(void **state) {
    (void)state;
    book b = book_of_eight(0);
    label(b.l, "p1", "ann", V1); /* right in both */
    label(b.l, "p2", "ann", V1); /* right in one */
    label(b.l, "p5", "ann", V2); /* wrong in both */
    label(b.l, "p7", "ann", V1); /* failed */
    const report_rate *r = &summarize(&b, NULL)->labels.human_agreement;
    assert_near(r->value, 1.0 / 4);
    assert_int_equal(r->n, 4);
    book_free(&b);
}

static void test_reliability(void **state) {
    (void)state;
    book b = book_of_eight(0);
    label(b.l, "p1", "ann", V1); /* soft 1, label 1 */
    label(b.l, "p2", "ann", V1); /* soft .5, label 1 */
    label(b.l, "p4", "ann", VT); /* soft .75, label .5 */
    label(b.l, "p6", "ann", V1); /* no soft verdict */
    const report_labels *l = &summarize(&b, NULL)->labels;
    assert_int_equal(l->reliability.n, 3);
    assert_near(l->reliability.brier, (0 + .25 + .0625) / 3);
    assert_near(l->reliability.calibration_error, (.5 + .25) / 3);
    assert_int_equal(l->reliability_bins[2].n, 1);
    assert_int_equal(l->reliability_bins[3].n, 1);
    assert_int_equal(l->reliability_bins[4].n, 1);
    book_free(&b);
}

static void test_repetition(void **state) {
    (void)state;
    book b = book_new();
    stage_eight(b.l);
    int64_t judge = judge_made(b.l, "sim");
    (void)run_made(b.l, judge, "mec+bpc", 3, PLAN_ORDERS_BOTH);
    static const eh_verdict said_12[3][3] = {{V1, V1, V1}, {V1, V2, V1}, {V1, V1, 0}};
    static const char *const ids[] = {"p1", "p2", "p3"};
    for (int p = 0; p < 3; p++)
        for (int s = 0; s < 3; s++)
            (void)put(b.l, judge, ids[p], vote_of(O12, s, said_12[p][s]));
    const report_repetition *r = summarize(&b, NULL)->bias.repetition;
    assert_int_equal(r[0].n_pairs, 2); /* p3 has a failed sample */
    assert_int_equal(r[0].n_all_equal, 1);
    assert_near(r[0].stability, (1 + 2.0 / 3) / 2);
    assert_int_equal(r[1].n_pairs, 0);
    assert_true(isnan(r[1].stability));
    book_free(&b);
}

static void test_planning(void **state) {
    (void)state;
    book b = book_of_eight(0);
    const report_planning *p = &summarize(&b, NULL)->planning;
    /* values 1, .5, .5, 1, .5: mean .7, s^2 = .075, one row a question */
    assert_null(p->why);
    assert_int_equal(p->questions, (int64_t)ceil(.075 * 1.959964 * 1.959964 / .0025));
    assert_true(fabs(p->detectable - (1.959964 + .841621) * sqrt(.075 / 5)) < 1e-5);
    book_free(&b);
    book none = book_new();
    stage_eight(none.l);
    (void)run_made(none.l, judge_made(none.l, "sim"), "bpc", 1, PLAN_ORDERS_BOTH);
    assert_string_equal(summarize(&none, NULL)->planning.why, "no_rows");
    book_free(&none);
}

static void test_kappa_between_orders(void **state) {
    (void)state;
    book b = book_of_eight(0);
    const report_conflict *c = &summarize(&b, NULL)->conflict;
    /* 12: 1 1 2 tie tie, 21: 1 2 1 1 tie; 2 of 5 agree, chance (2*3 + 1*1 + 2*1)/25 */
    assert_near(c->kappa, (2.0 / 5 - 9.0 / 25) / (1 - 9.0 / 25));
    book_free(&b);
}

/* Two replies of order 12 and one of order 21: a heap weighs them alike, bpc does not.
 */
static void test_compat(void **state) {
    (void)state;
    book b = book_new();
    stage_eight(b.l);
    int64_t judge = judge_made(b.l, "sim");
    (void)run_made(b.l, judge, "mec+bpc", 2, PLAN_ORDERS_BOTH);
    (void)put(b.l, judge, "p1", scores_of(O12, 0, 8, 6));
    (void)put(b.l, judge, "p1", scores_of(O12, 1, 7, 6));
    (void)put(b.l, judge, "p1", scores_of(O21, 0, 5, 7));
    (void)put(b.l, judge, "p1", failed_of(O21, 1, VERDICT_REASON_EMPTY));
    (void)put(b.l, judge, "p2", failed_of(O12, 0, VERDICT_REASON_EMPTY));
    (void)put(b.l, judge, "p2", failed_of(O21, 0, VERDICT_REASON_EMPTY));
    label(b.l, "p1", "ann", V1);
    label(b.l, "p2", "ann", VT);
    const report_judge *j = summarize(&b, NULL);
    const report_compat *c = &j->compat;
    assert_int_equal(j->rulings.n_2, 1); /* 6.25 against 6.5 */
    assert_int_equal(c->rules[REPORT_COMPAT_MAJORITY].n_1, 1);
    assert_int_equal(c->rules[REPORT_COMPAT_NET].n_1, 1);
    assert_int_equal(c->rules[REPORT_COMPAT_SCORE].n_1, 1); /* 20 against 19 */
    assert_int_equal(c->rules[REPORT_COMPAT_SCORE].n_none, 7);
    assert_int_equal(c->rules[REPORT_COMPAT_NONE_IS_TIE].n_2, 1);
    assert_int_equal(c->rules[REPORT_COMPAT_NONE_IS_TIE].n_tie, 7);
    assert_near(c->rules[REPORT_COMPAT_NONE_IS_TIE].labels.accuracy, 1.0 / 2);
    assert_near(c->rules[REPORT_COMPAT_NET].labels.accuracy_ruled, 1);
    assert_int_equal(c->n_scored[0], 2);
    assert_near(c->sum_1[0], 15);
    assert_near(c->sum_2[1], 7);
    assert_near(c->mean_1, 20.0 / 3);
    assert_int_equal(c->n_same_or_none, 7);
    assert_int_equal(c->n_samples, 2);
    assert_int_equal(c->samples[0].n_read, 2);
    assert_int_equal(c->samples[0].n_conflicts, 1);
    assert_int_equal(c->samples[1].n_read, 1);
    assert_int_equal(c->samples[1].n_pairs, 0);
    assert_true(eh_str_find(buf_view(&b.json), EH_STR("pooled_net"), 0) == SIZE_MAX);
    b.summary.with_compat = true;
    buf_reset(&b.json);
    report_summary_json(&b.summary, &b.json);
    assert_holds(buf_view(&b.json), "\"pooled_net\"");
    book_free(&b);
}

/* Two orders side by side rule nothing, so nothing is wrong. */
static void test_side_by_side_labels(void **state) {
    (void)state;
    book b = book_new();
    stage_eight(b.l);
    int64_t judge = judge_made(b.l, "sim");
    (void)run_made(b.l, judge, "vanilla", 1, PLAN_ORDERS_BOTH);
    for (size_t i = 0; i < 8; i++)
        put_said(b.l, judge, &eight[i]);
    label(b.l, "p1", "ann", V1);
    label(b.l, "p2", "ann", V1);
    const report_judge *j = summarize(&b, NULL);
    assert_true(isnan(j->labels.all.accuracy));
    assert_string_equal(j->labels.all.why, "orders_side_by_side");
    assert_near(j->labels.by_order[O12].accuracy, 1);
    assert_near(j->labels.by_order[O21].accuracy, .5);
    eh_buf text;
    buf_init(&text, BUF_MAX_SMALL);
    report_summary_text(&b.summary, &text);
    assert_holds(buf_view(&text), "accuracy 75.0 % of 2 labelled pairs");
    buf_deinit(&text);
    book_free(&b);
}

static void test_per_1000(void **state) {
    (void)state;
    book b = book_new();
    stage_eight(b.l);
    int64_t judge = judge_made(b.l, "sim");
    (void)run_made(b.l, judge, "bpc", 1, PLAN_ORDERS_BOTH);
    ledger_usage used = {0, 100, 0, 60, 0};
    (void)put_used(b.l, judge, "p1", vote_of(O12, 0, V1), used);
    (void)put_used(b.l, judge, "p1", vote_of(O21, 0, V1), used);
    (void)summarize(&b, NULL);
    b.summary.co2e_g = 2; /* 320 tokens over 8 pairs: 40,000 for 1,000 */
    buf_reset(&b.json);
    report_summary_json(&b.summary, &b.json);
    assert_holds(buf_view(&b.json), "\"prompt_tokens\": 25000");
    assert_holds(buf_view(&b.json), "\"co2e_g\": 80");
    assert_holds(buf_view(&b.json), "\"co2e_g_per_1000_tokens\": 2");
    assert_holds(buf_view(&b.json), "\"cost_usd\": \"unknown_price\"");
    eh_buf text;
    buf_init(&text, BUF_MAX_SMALL);
    report_summary_text(&b.summary, &text);
    assert_holds(buf_view(&text), "40000 tokens, 80 g CO2e (at 2 g for 1,000 tokens)");
    buf_deinit(&text);
    book_free(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_score_gap),   cmocka_unit_test(test_gap_bins),
        cmocka_unit_test(test_why_not),     cmocka_unit_test(test_length),
        cmocka_unit_test(test_human_ties),  cmocka_unit_test(test_human_agreement),
        cmocka_unit_test(test_reliability), cmocka_unit_test(test_repetition),
        cmocka_unit_test(test_planning),    cmocka_unit_test(test_kappa_between_orders),
        cmocka_unit_test(test_compat),      cmocka_unit_test(test_side_by_side_labels),
        cmocka_unit_test(test_per_1000),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
