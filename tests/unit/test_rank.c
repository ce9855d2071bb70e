/* SPDX-License-Identifier: MIT
 *
 * Ranking of small ledgers: which verdicts become rows, what is left out, what does not
 * depend on the order of the data, and Markdown counted. Planted effects:
 * tests/system/rank.py.
 */
#include <math.h>

#include "base/mem.h"
#include "ledger_make.h"
#include "tally/rank.h"
#include "tally/style.h"

/* ---- style ---- */

static void test_style(void **state) {
    (void)state;
    tally_style s =
        tally_style_of(EH_STR("# One\n\n###### Six\n####### seven\n#none\n"
                              "- a\n* b\n+ c\n12. d\n3) e\n-f\n1.g\n1234567890. h\n"
                              "Some **bold** and __more__, **open\n****\n"));
    assert_int_equal(s.n_headings, 2);
    assert_int_equal(s.n_list_items, 5);
    assert_int_equal(s.n_bold, 2);
    tally_style code = tally_style_of(EH_STR("```\n# x\n- y\n```\n  - in\n~~~\n**z**"));
    assert_int_equal(code.n_headings, 0);
    assert_int_equal(code.n_list_items, 1);
    assert_int_equal(code.n_bold, 0);
    tally_style none = tally_style_of(EH_STR(""));
    assert_int_equal(none.n_headings + none.n_list_items + none.n_bold, 0);
}

/* ---- ranks ---- */

typedef struct ranked {
    ledger *l;
    eh_arena arena;
    report_rank result;
    report_rank_lead lead;
    eh_error err;
    eh_status status;
} ranked;

static dataset_pair pair_between(const char *id, const char *one, const char *two) {
    dataset_pair pair = pair_of(id, id, one, two);
    pair.model_1 = eh_str_of(one);
    pair.model_2 = eh_str_of(two);
    return pair;
}

static void rank_it(ranked *r, tally_rank_options options) {
    tally_view *views;
    size_t n;
    assert_ok(tally_views(r->l, EH_STR(""), &r->arena, &views, &n, &r->err), r->err);
    assert_int_equal(n, 1);
    r->status =
        tally_rank(r->l, &views[0], &options, &r->arena, &r->result, &r->lead, &r->err);
}

static ranked ranked_new(void) {
    ranked r = {.l = ledger_made()};
    arena_init(&r.arena, 64 << 20);
    return r;
}

static void ranked_free(ranked *r) {
    ledger_unmade(r->l);
    arena_deinit(&r->arena);
}

static const report_rank_model *model_named(const ranked *r, const char *name) {
    for (int i = 0; i < r->result.n_models; i++)
        if (eh_str_eq_cstr(r->result.models[i].name, name)) return &r->result.models[i];
    fail_msg("no model %s", name);
    return NULL;
}

/* a beats b twice and loses once, in both orders; c is met once by b and ties. */
static void four_pairs(ranked *r, bool turned) {
    static const char *const ids[] = {"p1", "p2", "p3", "p4"};
    static const eh_verdict said[] = {EH_VERDICT_1, EH_VERDICT_1, EH_VERDICT_2,
                                      EH_VERDICT_TIE};
    dataset_pair pairs[4];
    for (size_t i = 0; i < 4; i++) {
        const char *one = i < 3 ? "a" : "b", *two = i < 3 ? "b" : "c";
        pairs[i] = pair_between(ids[i], turned ? two : one, turned ? one : two);
    }
    stage_all(r->l, pairs, 4);
    int64_t judge = judge_made(r->l, "sim");
    (void)run_made(r->l, judge, "bpc", 1, PLAN_ORDERS_BOTH);
    for (size_t i = 0; i < 4; i++)
        for (int o = 0; o < EH_ORDER_N; o++) {
            eh_verdict v = turned ? eh_verdict_mirror(said[i]) : said[i];
            (void)put(r->l, judge, ids[i], vote_of((eh_order)o, 0, v));
        }
}

static void test_counts(void **state) {
    (void)state;
    ranked r = ranked_new(), turned = ranked_new();
    four_pairs(&r, false);
    four_pairs(&turned, true);
    rank_it(&r, (tally_rank_options){0});
    rank_it(&turned, (tally_rank_options){0});
    assert_ok(r.status, r.err);
    assert_ok(turned.status, turned.err);
    assert_int_equal(r.result.n_verdicts, 8);
    assert_int_equal(r.result.n_questions, 4);
    assert_true(r.result.has_order);
    const report_rank_model *a = model_named(&r, "a"), *b = model_named(&r, "b");
    assert_int_equal(a->n_wins, 4);
    assert_int_equal(a->n_losses, 2);
    assert_int_equal(b->n_ties, 2);
    assert_int_equal(b->n_questions, 4);
    assert_true(a->strength.value > b->strength.value);
    /* exchanging the answers of the data changes nothing: no slot is preferred here */
    for (int i = 0; i < 3; i++) {
        const report_rank_model *m = &r.result.models[i];
        const report_rank_model *n = model_named(&turned, m->name.ptr);
        assert_int_equal(m->n_wins, n->n_wins);
        assert_true(fabs(m->strength.value - n->strength.value) < 1e-9);
    }
    assert_true(fabs(r.result.order.value) < 1e-9);
    assert_text(r.result.models[r.lead.first].name, "a");
    ranked_free(&r);
    ranked_free(&turned);
}

static void test_left_out(void **state) {
    (void)state;
    ranked r = ranked_new();
    dataset_pair pairs[] = {pair_between("p1", "a", "a"), pair_of("p2", "p2", "x", "y"),
                            pair_between("p3", "a", "b")};
    stage_all(r.l, pairs, 3);
    int64_t judge = judge_made(r.l, "sim");
    (void)run_made(r.l, judge, "vanilla", 1, PLAN_ORDER_BIT(EH_ORDER_12));
    rank_it(&r, (tally_rank_options){.length = true});
    assert_fails(r.status, EH_STATUS_DATA, r.err, "has a verdict");
    (void)put(r.l, judge, "p3", vote_of(EH_ORDER_12, 0, EH_VERDICT_1));
    (void)put(r.l, judge, "p3",
              vote_of(EH_ORDER_21, 0, EH_VERDICT_2)); /* not its plan */
    rank_it(&r, (tally_rank_options){.length = true});
    assert_ok(r.status, r.err);
    assert_int_equal(r.result.n_verdicts, 1);
    assert_int_equal(r.result.n_same_model, 1);
    assert_int_equal(r.result.n_no_models, 1);
    assert_false(r.result.has_order);
    assert_true(isnan(r.result.order.value));
    assert_true(r.result.terms[0].is_constant); /* "a" and "b" are as long */
    assert_true(model_named(&r, "a")->undefeated);
    assert_int_equal(r.result.n_length_pairs, 1);
    ranked_free(&r);
}

static void test_no_memory(void **state) {
    (void)state;
    ranked r = ranked_new();
    four_pairs(&r, false);
    int64_t before = mem_live(); /* the arena keeps its blocks */
    for (int64_t nth = 1; nth < 60; nth++) {
        tally_view *views;
        size_t n;
        arena_reset(&r.arena);
        assert_ok(tally_views(r.l, EH_STR(""), &r.arena, &views, &n, &r.err), r.err);
        mem_fail_at(nth, false);
        tally_rank_options options = {.length = true, .style = true};
        r.status =
            tally_rank(r.l, &views[0], &options, &r.arena, &r.result, &r.lead, &r.err);
        mem_fail_at(0, false);
        if (r.status == EH_STATUS_OK) break;
        assert_int_equal(r.status, EH_STATUS_NOMEM);
    }
    assert_int_equal(r.status, EH_STATUS_OK);
    arena_reset(&r.arena);
    assert_true(mem_live() <= before + 1);
    ranked_free(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_style),
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_left_out),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
