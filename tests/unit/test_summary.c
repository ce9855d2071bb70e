/* SPDX-License-Identifier: MIT
 *
 * Summaries of small ledgers whose numbers were worked out by hand, and the JSON that
 * is written of them: the same for any order of arrival, and never null without a
 * reason.
 */
#include "base/json_read.h"
#include "summary_make.h"

static void test_counts_and_position(void **state) {
    (void)state;
    book b = book_of_eight(0);
    const report_judge *j = summarize(&b, NULL);
    const report_counts *c = j->counts;
    assert_int_equal(b.summary.n_pairs, 8);
    assert_int_equal(j->n_pairs, 8);
    assert_int_equal(j->scale, PLAN_SCALE_VOTES);
    assert_int_equal(c[O12].n_1, 3);
    assert_int_equal(c[O12].n_2, 1);
    assert_int_equal(c[O12].n_tie, 2);
    assert_int_equal(c[O12].n_failed, 2);
    assert_int_equal(c[O21].n_1, 3);
    assert_int_equal(c[O21].n_2, 2);
    assert_int_equal(c[O21].n_tie, 1);
    assert_int_equal(c[O21].n_failed, 1);
    assert_int_equal(j->position.first, 5);
    assert_int_equal(j->position.second, 4);
    assert_int_equal(j->position.tie, 3);
    assert_near(j->position.first_rate, 5.0 / 9);
    assert_false(j->position.one_order);
    assert_int_equal(j->failed[VERDICT_REASON_REFUSAL], 1);
    assert_int_equal(j->failed[VERDICT_REASON_TRUNCATED], 1);
    assert_int_equal(j->failed[VERDICT_REASON_EMPTY], 1);
    assert_int_equal(j->n_calls, 15);
    book_free(&b);
}

static void test_rulings_and_conflict(void **state) {
    (void)state;
    book b = book_of_eight(0);
    const report_judge *j = summarize(&b, NULL);
    const report_conflict *c = &j->conflict;
    assert_int_equal(j->rulings.n_1, 2);
    assert_int_equal(j->rulings.n_2, 0);
    assert_int_equal(j->rulings.tie_agreed, 1);
    assert_int_equal(j->rulings.tie_from_conflict, 2);
    assert_int_equal(j->rulings.n_none, 3);
    assert_int_equal(j->none[PLAN_NONE_ORDER_FAILED], 1);
    assert_int_equal(j->none[PLAN_NONE_ORDERS_FAILED], 1);
    assert_int_equal(j->none[PLAN_NONE_UNASKED], 1);
    assert_int_equal(c->n_pairs, 5);
    assert_int_equal(c->n_conflicts, 3);
    assert_int_equal(c->first_both, 1);
    assert_int_equal(c->second_both, 1);
    assert_int_equal(c->with_tie, 1);
    assert_near(c->rate.value, .6);
    assert_near(c->rate_all, 3.0 / 8);
    assert_near(c->p_direction, 1);
    book_free(&b);
}

static void test_rates_and_bpde(void **state) {
    (void)state;
    book b = book_of_eight(0);
    const report_judge *j = summarize(&b, NULL);
    assert_near(j->win_rate.value, 3.5 / 5);
    assert_int_equal(j->win_rate.n, 5);
    assert_int_equal(j->win_rate.n_questions, 5);
    assert_true(j->win_rate.low > 0 && j->win_rate.low < .7);
    assert_true(j->win_rate.high > .7 && j->win_rate.high < 1);
    assert_near(j->win_rate_soft.value, 3.25 / 5);
    assert_near(j->win_rate_by_order[O12].value, 4.0 / 6);
    assert_near(j->win_rate_by_order[O21].value, 3.5 / 6);
    assert_int_equal(j->bpde.n, 7);
    assert_int_equal(j->bpde.zero, 4);
    assert_near(j->bpde.mean, 3 * log(2) / 7);
    assert_near(j->bpde.max, log(2));
    book_free(&b);
}

static void test_labels(void **state) {
    (void)state;
    book b = book_of_eight(0);
    label(b.l, "p1", "ann", V1);
    label(b.l, "p1", "bob", V1);
    label(b.l, "p2", "ann", V1); /* no plurality: a tie, flagged */
    label(b.l, "p2", "bob", V2);
    label(b.l, "p3", "ann", VT);
    label(b.l, "p6", "ann", V2);
    label(b.l, "p7", "ann", V1);
    const report_labels *s = &summarize(&b, NULL)->labels;
    assert_int_equal(s->all.n_labelled, 5);
    assert_int_equal(s->all.n_ruled, 3);
    assert_near(s->all.accuracy, 3.0 / 5);
    assert_near(s->all.accuracy_ruled, 1);
    assert_near(s->all.kappa, 1);
    assert_int_equal(s->n_flagged, 1);
    assert_int_equal(s->without_flagged.n_labelled, 4);
    assert_near(s->without_flagged.accuracy, 2.0 / 4);
    assert_near(s->baseline, 2.0 / 5);
    assert_int_equal(s->baseline_label, V1);
    assert_near(s->by_order[O12].accuracy, 1.0 / 5);
    assert_int_equal(s->by_order[O12].n_ruled, 3);
    assert_near(s->by_order[O21].accuracy, 2.0 / 5);
    assert_int_equal(s->by_order[O21].n_ruled, 4);
    book_free(&b);
}

static void test_majority(void **state) {
    (void)state;
    static const struct {
        int64_t counts[4];
        eh_verdict majority;
        bool flagged;
    } rows[] = {
        {{0, 0, 0, 0}, EH_VERDICT_NONE, false},
        {{0, 2, 1, 1}, V1, false},
        {{0, 1, 2, 1}, V2, false},
        {{0, 1, 1, 2}, VT, false},
        {{0, 1, 1, 0}, VT, true},
        {{0, 2, 0, 2}, VT, true},
        {{0, 1, 1, 1}, VT, true},
        {{0, 0, 3, 0}, V2, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        bool flagged;
        assert_int_equal(tally_label_majority(rows[i].counts, &flagged),
                         rows[i].majority);
        assert_int_equal(flagged, rows[i].flagged);
    }
}

/* Samples are paired by index: two conflicts by sample, none by the means. */
static void test_conflict_by_sample(void **state) {
    (void)state;
    book b = book_new();
    stage_eight(b.l);
    int64_t judge = judge_made(b.l, "sim");
    (void)run_made(b.l, judge, "mec+bpc", 3, PLAN_ORDERS_BOTH);
    (void)put(b.l, judge, "p1", vote_of(O12, 0, V1));
    (void)put(b.l, judge, "p1", vote_of(O12, 1, V2));
    (void)put(b.l, judge, "p1", vote_of(O12, 2, V1));
    (void)put(b.l, judge, "p1", vote_of(O21, 0, V2));
    (void)put(b.l, judge, "p1", vote_of(O21, 1, V1));
    (void)put(b.l, judge, "p1", vote_of(O21, 2, V1));
    (void)put(b.l, judge, "p2", vote_of(O12, 0, V1));
    (void)put(b.l, judge, "p2", failed_of(O21, 0, VERDICT_REASON_EMPTY));
    (void)put(b.l, judge, "p2", vote_of(O21, 1, V1));
    (void)put(b.l, judge, "p2", vote_of(O12, 3, V2)); /* beyond k: left out */
    const report_judge *j = summarize(&b, NULL);
    assert_int_equal(j->conflict.n_pairs, 2);
    assert_int_equal(j->conflict.n_conflicts, 0);
    assert_int_equal(j->conflict_by_sample.n_pairs, 3);
    assert_int_equal(j->conflict_by_sample.n_conflicts, 2);
    assert_int_equal(j->conflict_by_sample.first_both, 1);
    assert_int_equal(j->conflict_by_sample.second_both, 1);
    assert_near(j->conflict_by_sample.rate_all, 2.0 / 24);
    assert_int_equal(j->counts[O12].n_2, 1);
    assert_near(j->bpde.max, -(4.0 / 6 * log(4.0 / 6) + 2.0 / 6 * log(2.0 / 6)));
    book_free(&b);
}

/* Scores rule by their means, whatever the single verdicts say. */
static void test_scores(void **state) {
    (void)state;
    book b = book_new();
    stage_eight(b.l);
    int64_t judge = judge_made(b.l, "sim");
    (void)run_made(b.l, judge, "bpc", 1, PLAN_ORDERS_BOTH);
    (void)put(b.l, judge, "p1", scores_of(O12, 0, 9, 5));
    (void)put(b.l, judge, "p1", scores_of(O21, 0, 6, 7));
    (void)put(b.l, judge, "p2", scores_of(O12, 0, 8, 7));
    (void)put(b.l, judge, "p2", scores_of(O21, 0, 7, 8));
    const report_judge *j = summarize(&b, NULL);
    assert_int_equal(j->scale, PLAN_SCALE_SCORES);
    assert_int_equal(j->rulings.n_1, 1); /* 7.5 against 6 */
    assert_int_equal(j->rulings.tie_from_conflict, 1);
    assert_int_equal(j->conflict.n_conflicts, 2);
    assert_int_equal(j->conflict.first_both, 2);
    assert_near(j->win_rate.value, .75);
    assert_near(j->win_rate_soft.value, .5);
    book_free(&b);
}

/* A one-order method asked both ways: two results, a swing, and no ruling. */
static void test_side_by_side(void **state) {
    (void)state;
    book b = book_new();
    stage_eight(b.l);
    int64_t judge = judge_made(b.l, "sim");
    (void)run_made(b.l, judge, "vanilla", 1, PLAN_ORDERS_BOTH);
    for (size_t i = 0; i < 8; i++) { /* p1 to p4 */
        put_said(b.l, judge, &eight[i]);
    }
    const report_judge *j = summarize(&b, NULL);
    assert_int_equal(j->none[PLAN_NONE_SIDE_BY_SIDE], 4);
    assert_int_equal(j->none[PLAN_NONE_UNASKED], 4);
    assert_true(isnan(j->win_rate.value));
    assert_near(j->win_rate_by_order[O12].value, 2.5 / 4);
    assert_near(j->win_rate_by_order[O21].value, 3.0 / 4);
    assert_holds(buf_view(&b.json), "\"mean\": 0.6875");
    assert_holds(buf_view(&b.json), "\"swing\": 0.125");
    eh_buf text;
    buf_init(&text, BUF_MAX_SMALL);
    report_sentence(j, &text);
    assert_text(buf_view(&text),
                "answer 1 wins 63 % when shown first and 75 % when shown second (mean "
                "69 %, swing 13 points); 75 % of pairs conflict.");
    buf_deinit(&text);
    book_free(&b);
}

static void test_one_order(void **state) {
    (void)state;
    book b = book_new();
    stage_eight(b.l);
    int64_t judge = judge_made(b.l, "sim");
    (void)run_made(b.l, judge, "mec", 1, PLAN_ORDER_BIT(O12));
    for (size_t i = 0; i < N_SAID; i++)
        put_said(b.l, judge, &eight[i]);
    const report_judge *j = summarize(&b, NULL);
    assert_true(j->position.one_order);
    assert_int_equal(j->position.first, 3);
    assert_int_equal(j->counts[O21].n_1, 0);
    assert_near(j->win_rate.value, 4.0 / 6);
    assert_int_equal(j->n_calls, 8);
    assert_holds(buf_view(&b.json), "\"one_order\": true");
    assert_holds(buf_view(&b.json), "\"conflict\": null");
    book_free(&b);
}

/* Another method over the same samples, without a call. */
static void test_other_method(void **state) {
    (void)state;
    book b = book_of_eight(0);
    const report_judge *j = summarize(&b, "vanilla");
    assert_string_equal(plan_method_name(j->plan.method), "vanilla");
    assert_near(j->win_rate.value, 4.0 / 6);
    assert_int_equal(b.summary.n_judges, 1);
    book_free(&b);
}

/* ---- the same replies give the same bytes ---- */

static void test_arrival_order(void **state) {
    (void)state;
    book first = book_of_eight(0);
    (void)summarize(&first, NULL);
    for (size_t shift = 1; shift < N_SAID; shift++) {
        book other = book_of_eight(shift);
        (void)summarize(&other, NULL);
        assert_same(buf_view(&other.json), buf_view(&first.json));
        book_free(&other);
    }
    assert_true(eh_str_ends(buf_view(&first.json), EH_STR("}\n")));
    book_free(&first);
}

/* ---- undefined numbers ---- */

/* Names that nobody gave. */
static bool is_no_number(eh_str key) {
    return eh_str_eq_cstr(key, "model") || eh_str_eq_cstr(key, "fingerprint");
}

/* `why` is one reason for all nulls of an object, or an object of reasons by member. */
static bool says_why(const json_value *object, const json_value *member) {
    const json_value *why = json_get(object, "why");
    if (!why) return false;
    if (why->kind == JSON_STRING) return why->text.len > 0;
    for (const json_value *m = why->child; m; m = m->next)
        if (eh_str_eq(m->key, member->key)) return m->text.len > 0;
    return false;
}

/* Every object with an undefined number or part says why. */
static void check_nulls(const json_value *v, int64_t *n_nulls) {
    for (const json_value *m = v->child; m; m = m->next) {
        if (m->kind == JSON_OBJECT || m->kind == JSON_ARRAY) check_nulls(m, n_nulls);
        if (v->kind != JSON_OBJECT || m->kind != JSON_NULL || is_no_number(m->key))
            continue;
        ++*n_nulls;
        if (!says_why(v, m))
            fail_msg("%.*s of %.*s is null and nothing says why", EH_STR_ARG(m->key),
                     EH_STR_ARG(v->key));
    }
}

static int64_t count_nulls(book *b) {
    int64_t n_nulls = 0;
    json_fault fault;
    json_reader *reader = json_reader_new();
    const json_value *root = json_read(reader, &b->arena, buf_view(&b->json), &fault);
    assert_non_null(root);
    check_nulls(root, &n_nulls);
    json_reader_free(reader);
    return n_nulls;
}

static void test_nulls_say_why(void **state) {
    (void)state;
    book b = book_new();
    stage_eight(b.l);
    int64_t judge = judge_made(b.l, "sim");
    (void)run_made(b.l, judge, "bpc", 1, PLAN_ORDERS_BOTH);
    const report_judge *j = summarize(&b, NULL);
    assert_string_equal(j->win_rate.why, "no_rows");
    assert_true(isnan(j->bpde.mean) && isnan(j->bpde.max));
    assert_true(isnan(j->position.first_rate));
    assert_true(count_nulls(&b) > 10);
    assert_holds(buf_view(&b.json), "\"cost_usd\": \"unknown_usage\"");
    assert_holds(buf_view(&b.json), "\"labels\": \"no_labels\"");
    assert_holds(buf_view(&b.json), "\"first_rate\": null,\n    \"why\": "
                                    "\"no_decided_replies\"");
    put_said(b.l, judge, &eight[0]); /* one order of one question */
    label(b.l, "p1", "ann", V1);
    (void)summarize(&b, NULL);
    assert_true(count_nulls(&b) > 5);
    put_said(b.l, judge, &eight[1]);
    j = summarize(&b, NULL);
    assert_string_equal(j->win_rate.why, "too_few_questions");
    assert_near(j->win_rate.value, 1);
    assert_true(isnan(j->win_rate.low));
    assert_string_equal(j->labels.all.why_kappa, "one_class");
    assert_true(count_nulls(&b) > 3);
    book_free(&b);
}

/* A count that one call does not know is unknown and not 0. */
static void test_usage(void **state) {
    (void)state;
    book b = book_new();
    stage_eight(b.l);
    int64_t judge = judge_made(b.l, "sim");
    (void)run_made(b.l, judge, "bpc", 1, PLAN_ORDERS_BOTH);
    ledger_usage known = {0, 100, 10, 7, 0}, partly = {0, 50, -1, 3, 0};
    (void)put_used(b.l, judge, "p1", vote_of(O12, 0, V1), known);
    (void)put_used(b.l, judge, "p1", vote_of(O21, 0, V1), partly);
    const report_judge *j = summarize(&b, NULL);
    assert_int_equal(j->n_calls, 2);
    assert_int_equal(j->prompt_tokens, 150);
    assert_int_equal(j->cached_tokens, -1);
    assert_int_equal(j->completion_tokens, 10);
    assert_int_equal(j->reasoning_tokens, 0);
    (void)count_nulls(&b);
    assert_holds(buf_view(&b.json), "\"prompt\": 150");
    assert_holds(buf_view(&b.json), "\"cached\": null");
    book_free(&b);
}

/* Pairs that an imported judge never saw are not in its numbers. */
static void test_imported_scope(void **state) {
    (void)state;
    book b = book_new();
    stage_eight(b.l);
    int64_t run_row, judge = judge_made(b.l, "other");
    ledger_run run = {.judge_row = judge,
                      .method = EH_STR("mec+bpc"),
                      .k = 1,
                      .orders = PLAN_ORDERS_BOTH,
                      .imported = true};
    assert_ok(ledger_run_put(b.l, &run, MADE_AT_MS, &run_row, &b.err), b.err);
    for (size_t i = 0; i < 6; i++)
        put_said(b.l, judge, &eight[i]);
    const report_judge *j = summarize(&b, NULL);
    assert_int_equal(b.summary.n_pairs, 8);
    assert_int_equal(j->n_pairs, 3);
    assert_near(j->conflict.rate_all, 2.0 / 3);
    book_free(&b);
}

/* Models are named where all pairs have the same two. */
static void test_models(void **state) {
    (void)state;
    for (int differs = 0; differs < 2; differs++) {
        book b = book_new();
        dataset_pair pairs[] = {pair_of("p1", "q1", "a", "b"),
                                pair_of("p2", "q2", "c", "d")};
        for (int i = 0; i < 2; i++) {
            pairs[i].model_1 = differs && i ? EH_STR("pine") : EH_STR("oak");
            pairs[i].model_2 = EH_STR("elm");
        }
        stage_all(b.l, pairs, 2);
        (void)run_made(b.l, judge_made(b.l, "sim"), "bpc", 1, PLAN_ORDERS_BOTH);
        const report_judge *j = summarize(&b, NULL);
        if (differs)
            assert_absent(j->model_1);
        else
            assert_text(j->model_1, "oak");
        book_free(&b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts_and_position),
        cmocka_unit_test(test_rulings_and_conflict),
        cmocka_unit_test(test_rates_and_bpde),
        cmocka_unit_test(test_labels),
        cmocka_unit_test(test_majority),
        cmocka_unit_test(test_conflict_by_sample),
        cmocka_unit_test(test_scores),
        cmocka_unit_test(test_side_by_side),
        cmocka_unit_test(test_one_order),
        cmocka_unit_test(test_other_method),
        cmocka_unit_test(test_arrival_order),
        cmocka_unit_test(test_nulls_say_why),
        cmocka_unit_test(test_usage),
        cmocka_unit_test(test_imported_scope),
        cmocka_unit_test(test_models),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
