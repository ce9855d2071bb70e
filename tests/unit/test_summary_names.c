/* SPDX-License-Identifier: MIT
 *
 * What summaries say to people: names of judges that are unique and no longer than they
 * need be, the closing sentence, and the text for a terminal.
 */
#include "base/mem.h"
#include "summary_make.h"

/* ---- names ---- */

typedef struct named {
    const char *judge, *template_name, *params, *method;
    int k;
    unsigned orders;
    const char *name; /* expected */
} named;

static void check_names(const named *rows, size_t n) {
    eh_arena arena;
    eh_error err;
    eh_str *names;
    tally_view views[4];
    arena_init(&arena, 1 << 20);
    for (size_t i = 0; i < n; i++) {
        const named *r = &rows[i];
        views[i] = (tally_view){
            .run = {.judge = {.judge = eh_str_of(r->judge),
                              .template_name = eh_str_of(r->template_name),
                              .params = eh_str_of(r->params)},
                    .k = r->k,
                    .orders = r->orders},
        };
        assert_ok(plan_restore(eh_str_of(r->method), r->k, r->orders, EH_STR(""),
                               &views[i].plan, &err),
                  err);
    }
    assert_ok(tally_view_names(views, n, &arena, &names, &err), err);
    for (size_t i = 0; i < n; i++)
        assert_text(names[i], rows[i].name);
    arena_deinit(&arena);
}

#define T0 "{\"temperature\": 0}"
#define T1 "{\"temperature\": 1}"

static void test_names(void **state) {
    (void)state;
    const named apart[] = {{"a", "score", T0, "bpc", 1, 3, "a"},
                           {"b", "compare", T1, "mec+bpc", 3, 3, "b"}};
    const named method[] = {{"a", "score", T0, "bpc", 1, 3, "a#bpc"},
                            {"a", "score", T0, "mec+bpc", 3, 3, "a#mec+bpc"},
                            {"b", "score", T0, "bpc", 1, 3, "b"}};
    const named form[] = {{"a", "score", T0, "bpc", 1, 3, "a+score"},
                          {"a", "compare", T0, "bpc", 1, 3, "a+compare"}};
    const named heat[] = {{"a", "score", T0, "bpc", 1, 3, "a@t=0"},
                          {"a", "score", T1, "bpc", 1, 3, "a@t=1"},
                          {"a", "score", "{}", "bpc", 1, 3, "a@t=none"}};
    const named numbers[] = {
        {"a", "score", T0, "mec", 2, 1, "a,k=2,order=12"},
        {"a", "score", T0, "mec", 2, 2, "a,k=2,order=21"},
        {"a", "score", T0, "mec", 5, 3, "a,k=5,order=both"},
    };
    check_names(apart, 2);
    check_names(method, 3);
    check_names(form, 2);
    check_names(heat, 3);
    check_names(numbers, 3);
}

static void names_of(ledger *l, eh_arena *arena, eh_str **names, size_t *n) {
    eh_error err;
    tally_view *views;
    assert_ok(tally_views(l, (eh_str){NULL, 0}, arena, &views, n, &err), err);
    assert_ok(tally_view_names(views, *n, arena, names, &err), err);
}

/* Judges that differ in nothing that has a short name: the text of their template, say.
 * Their names differ all the same, and do not depend on who was first. */
static void test_names_of_twins(void **state) {
    (void)state;
    eh_arena arena;
    eh_str *names[2];
    arena_init(&arena, 1 << 20);
    for (int round = 0; round < 2; round++) {
        ledger *l = ledger_made();
        eh_error err;
        size_t n;
        for (int i = 0; i < 2; i++) {
            int64_t row;
            ledger_judge twin = {.judge = EH_STR("a"),
                                 .template_name = EH_STR("mine"),
                                 .template_text =
                                     (i == round) ? EH_STR("old") : EH_STR("new"),
                                 .params = EH_STR(T0)};
            assert_ok(ledger_judge_put(l, &twin, &row, &err), err);
            (void)run_made(l, row, "bpc", 1, PLAN_ORDERS_BOTH);
        }
        names_of(l, &arena, &names[round], &n);
        assert_int_equal(n, 2);
        ledger_unmade(l);
    }
    assert_false(eh_str_eq(names[0][0], names[0][1]));
    assert_true(eh_str_begins(names[0][0], EH_STR("a~")));
    assert_same(names[0][0], names[1][1]);
    assert_same(names[0][1], names[1][0]);
    arena_deinit(&arena);
}

/* Two runs of one judge that another method makes the same are one. */
static void test_same_views(void **state) {
    (void)state;
    book b = book_of_eight(0);
    int64_t judge = judge_made(b.l, "sim");
    (void)run_made(b.l, judge, "mec+bpc", 3, PLAN_ORDERS_BOTH);
    (void)summarize(&b, NULL);
    assert_int_equal(b.summary.n_judges, 2);
    const report_judge *j = summarize(&b, "vanilla");
    assert_int_equal(b.summary.n_judges, 1);
    assert_text(j->name, "sim");
    (void)summarize(&b, "mec+bpc"); /* one sample and three are two things */
    assert_int_equal(b.summary.n_judges, 2);
    assert_false(eh_str_eq(b.summary.judges[0].name, b.summary.judges[1].name));
    book_free(&b);
}

/* ---- the sentence ---- */

static void check_sentence(const report_judge *j, const char *expected) {
    eh_buf text;
    buf_init(&text, BUF_MAX_SMALL);
    report_sentence(j, &text);
    assert_text(buf_view(&text), expected);
    buf_deinit(&text);
}

static void test_sentence(void **state) {
    (void)state;
    report_judge j = {
        .model_1 = EH_STR("oak"),
        .model_2 = EH_STR("elm"),
        .n_pairs = 80,
        .win_rate = {.value = .56, .low = .49, .high = .63, .n = 80, .n_questions = 80},
        .conflict = {.n_pairs = 80, .rate = {.value = .14}},
    };
    check_sentence(&j, "oak wins 56 % (49 to 63, 80 questions); 14 % of pairs "
                       "conflict; about 160 pairs would give +-5 points.");
    j.win_rate.low = .52;
    j.win_rate.high = .6; /* narrow enough: nothing to ask for */
    j.rulings.n_none = 3;
    check_sentence(&j, "oak wins 56 % (52 to 60, 80 questions); 14 % of pairs "
                       "conflict; 3 of 80 pairs have no ruling.");
    j.rulings.n_none = 0;
    j.model_2 = j.model_1; /* a model against itself has no name to win by */
    j.conflict.n_pairs = 0;
    j.position.one_order = true;
    j.win_rate.low = j.win_rate.high = NAN;
    j.win_rate.n_questions = 1;
    check_sentence(&j, "answer 1 wins 56 % (no interval from 1 question); only one "
                       "order was asked, so the judge's position bias is in this "
                       "number.");
    report_judge none = {.win_rate = {.value = NAN, .low = NAN, .high = NAN},
                         .win_rate_by_order = {{.value = NAN}, {.value = NAN}}};
    check_sentence(&none, "no pair has a ruling.");
}

static void test_text(void **state) {
    (void)state;
    book b = book_of_eight(0);
    eh_buf text;
    buf_init(&text, BUF_MAX_REPORT);
    label(b.l, "p1", "ann", V1);
    label(b.l, "p2", "ann", V2);
    (void)summarize(&b, NULL);
    report_summary_text(&b.summary, &text);
    eh_str seen = buf_view(&text);
    assert_holds(seen, "8 pairs, method bpc, k 1, template score, 15 calls");
    assert_holds(seen, "answer 1 2, answer 2 0, tie 3 (1 agreed, 2 from conflict)");
    assert_holds(seen, "not_asked 1, one_order_failed 1, both_orders_failed 1");
    assert_holds(seen, "60.0 %: 3 of 5 pairs (first slot twice 1, second twice 1,");
    assert_holds(seen, "accuracy 50.0 % of 2 labelled pairs (50.0 % of the 2 ruled)");
    assert_holds(seen, "refusal 1, truncated 1, empty 1");
    (void)run_made(b.l, judge_made(b.l, "another"), "bpc", 1, PLAN_ORDERS_BOTH);
    (void)summarize(&b, NULL);
    buf_reset(&text);
    report_summary_text(&b.summary, &text);
    assert_holds(buf_view(&text), "judge (in %)");
    assert_holds(buf_view(&text), "another");
    buf_deinit(&text);
    book_free(&b);
}

/* With the nth allocation and all after it failing; false when it went through. */
static bool fails_at(ledger *l, int64_t nth) {
    eh_arena arena;
    eh_error err;
    report_summary summary;
    int64_t live = mem_live();
    arena_init(&arena, 64 << 20);
    mem_fail_at(nth, true);
    eh_status status = tally_summarize(l, (eh_str){NULL, 0}, &arena, &summary, &err);
    mem_fail_at(0, false);
    arena_deinit(&arena);
    assert_int_equal(mem_live(), live);
    if (status != EH_STATUS_OK) assert_int_equal(status, EH_STATUS_NOMEM);
    return status != EH_STATUS_OK;
}

static void test_no_memory(void **state) {
    (void)state;
    book b = book_of_eight(0);
    int64_t nth = 1;
    while (fails_at(b.l, nth))
        nth++;
    assert_true(nth > 2);
    book_free(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),      cmocka_unit_test(test_names_of_twins),
        cmocka_unit_test(test_same_views), cmocka_unit_test(test_sentence),
        cmocka_unit_test(test_text),       cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
