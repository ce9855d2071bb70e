/* SPDX-License-Identifier: MIT
 *
 * Tables over runs, groups, methods and people, on ledgers whose numbers were worked
 * out by hand.
 */
#include "summary_make.h"
#include "tables/groups.h"
#include "tables/methods.h"
#include "tables/people.h"
#include "tables/reference.h"

/* Ledgers side by side, and what is seen of them. */
typedef struct shelf {
    ledger *ledgers[2];
    size_t n;
    eh_arena arena;
    tally_books books;
    report_summary summary;
    eh_buf json, text;
    eh_error err;
} shelf;

static shelf shelf_of(ledger *first, ledger *second) {
    shelf s = {.ledgers = {first, second}, .n = second ? 2 : 1};
    arena_init(&s.arena, 64 << 20);
    buf_init(&s.json, BUF_MAX_REPORT);
    buf_init(&s.text, BUF_MAX_REPORT);
    return s;
}

static void look(shelf *s) {
    assert_ok(
        tally_books_look(s->ledgers, s->n, EH_STR(""), &s->arena, &s->books, &s->err),
        s->err);
    assert_ok(tally_summarize_books(&s->books, &s->arena, &s->summary, &s->err),
              s->err);
}

static void shelf_free(shelf *s) {
    for (size_t i = 0; i < s->n; i++)
        ledger_unmade(s->ledgers[i]);
    arena_deinit(&s->arena);
    buf_deinit(&s->json);
    buf_deinit(&s->text);
}

static json_writer json_of(shelf *s) {
    json_writer w;
    buf_reset(&s->json);
    json_writer_init(&w, &s->json, 1);
    json_object_begin(&w);
    return w;
}

/* p1 to p4 of summary_make.h with categories and other fields. */
static ledger *ledger_of_groups(void) {
    ledger *l = ledger_made();
    static const char *const ids[] = {"p1", "p2", "p3", "p4"};
    static const char *const categories[] = {"maths", "prose", "maths", ""};
    static const char *const metas[] = {
        "{\"meta\": {\"level\": {\"n\": 1}}}",
        "{\"meta\": {\"level\": {\"n\": 2}}, \"ok\": true}",
        "{\"meta\": {\"level\": {\"n\": 1}}, \"ok\": false}", ""};
    dataset_pair pairs[4];
    for (size_t i = 0; i < 4; i++) {
        pairs[i] = pair_of(ids[i], ids[i], "one", "two");
        pairs[i].category = eh_str_of(categories[i]);
        pairs[i].model_1 = i < 2 ? EH_STR("oak") : EH_STR("elm");
        pairs[i].model_2 = EH_STR("fir");
        if (metas[i][0]) pairs[i].meta_json = eh_str_of(metas[i]);
    }
    stage_all(l, pairs, 4);
    int64_t who = judge_made(l, "sim");
    (void)run_made(l, who, "bpc", 1, PLAN_ORDERS_BOTH);
    for (size_t i = 0; i < 8; i++)
        put_said(l, who, &eight[i]);
    return l;
}

static const tables_judge_groups *group_by(shelf *s, tables_groups *g,
                                           const char *field) {
    assert_ok(tables_groups_make(&s->books, eh_str_of(field), &s->arena, g, &s->err),
              s->err);
    assert_int_equal(g->n_judges, 1);
    return &g->judges[0];
}

static void test_groups(void **state) {
    (void)state;
    shelf s = shelf_of(ledger_of_groups(), NULL);
    tables_groups g;
    look(&s);
    const tables_judge_groups *j = group_by(&s, &g, "category");
    assert_int_equal(j->n, 3);
    assert_text(j->groups[0].name, "maths");
    assert_int_equal(j->groups[0].judge.n_pairs, 2);
    assert_near(j->groups[0].judge.win_rate.value, .75); /* p1 won, p3 a tie */
    assert_near(j->groups[0].judge.conflict.rate.value, .5);
    assert_text(j->groups[1].name, "prose");
    assert_absent(j->groups[2].name); /* without one, at the end */
    j = group_by(&s, &g, "models");
    assert_int_equal(j->n, 2);
    assert_text(j->groups[0].name, "elm vs fir");
    assert_text(j->groups[1].name, "oak vs fir");
    assert_text(j->groups[1].judge.model_1, "oak");
    assert_int_equal(group_by(&s, &g, "model_2")->n, 1);
    j = group_by(&s, &g, "meta.level.n");
    assert_int_equal(j->n, 3);
    assert_text(j->groups[0].name, "1");
    assert_int_equal(j->groups[0].judge.n_pairs, 2);
    assert_int_equal(group_by(&s, &g, "level.n")->n, 3); /* `meta` need not be said */
    j = group_by(&s, &g, "ok");
    assert_text(j->groups[0].name, "false");
    assert_text(j->groups[1].name, "true");
    assert_int_equal(j->groups[2].judge.n_pairs, 2);
    json_writer w = json_of(&s);
    tables_groups_json(&g, false, &w);
    json_object_end(&w);
    assert_holds(buf_view(&s.json), "\"field\": \"ok\"");
    assert_holds(buf_view(&s.json), "\"labels\": \"no_labels\"");
    tables_groups_text(&g, &s.text);
    assert_holds(buf_view(&s.text), "sim, by ok\n");
    assert_holds(buf_view(&s.text), "(none)");
    assert_fails(tables_groups_make(&s.books, EH_STR("colour"), &s.arena, &g, &s.err),
                 EH_STATUS_USAGE, s.err, "--by: no pair has 'colour'");
    shelf_free(&s);
}

static void test_too_many_groups(void **state) {
    (void)state;
    enum { N = TABLES_GROUPS_MAX + 1 };
    static dataset_pair pairs[N];
    static char ids[N][16];
    for (int i = 0; i < N; i++) {
        (void)snprintf(ids[i], sizeof ids[i], "%d", i);
        pairs[i] = pair_of(ids[i], ids[i], "one", "two");
        pairs[i].category = eh_str_of(ids[i]);
    }
    ledger *l = ledger_made();
    stage_all(l, pairs, N);
    (void)run_made(l, judge_made(l, "sim"), "bpc", 1, PLAN_ORDERS_BOTH);
    shelf s = shelf_of(l, NULL);
    arena_deinit(&s.arena);
    arena_init(&s.arena, 512 << 20);
    tables_groups g;
    look(&s);
    assert_fails(tables_groups_make(&s.books, EH_STR("category"), &s.arena, &g, &s.err),
                 EH_STATUS_USAGE, s.err, "more than 1000 values");
    shelf_free(&s);
}

/* ---- a reference ---- */

/* A second judge: like the first on p1, inconsistent on p5, never asked about p2. */
static void put_second(ledger *l) {
    static const said other[] = {{"p1", O12, V1, 0}, {"p1", O21, V1, 0},
                                 {"p5", O12, VT, 0}, {"p5", O21, V1, 0},
                                 {"p3", O12, V2, 0}, {"p3", O21, V2, 0}};
    int64_t who = judge_made(l, "other");
    (void)run_made(l, who, "bpc", 1, PLAN_ORDERS_BOTH);
    for (size_t i = 0; i < sizeof other / sizeof other[0]; i++)
        put_said(l, who, &other[i]);
}

static void check_reference(shelf *s) {
    tables_reference r;
    look(s);
    assert_ok(tables_reference_make(&s->books, &s->summary, EH_STR("sim"), &s->arena,
                                    &r, &s->err),
              s->err);
    assert_int_equal(r.n_pairs, 7);      /* p8 was asked in one order only */
    assert_int_equal(r.n_consistent, 2); /* p1 and p5 */
    assert_int_equal(r.n_rows, 1);
    assert_text(r.rows[0].judge, "other");
    assert_int_equal(r.rows[0].rate.n, 2);
    assert_int_equal(r.rows[0].n_same, 1);
    assert_near(r.rows[0].rate.value, .5);
    assert_ok(tables_reference_make(&s->books, &s->summary, EH_STR("other"), &s->arena,
                                    &r, &s->err),
              s->err);
    assert_int_equal(r.n_consistent, 2); /* p1 and p3 */
    assert_int_equal(r.rows[0].n_same, 1);
}

static void test_reference(void **state) {
    (void)state;
    book b = book_of_eight(0);
    put_second(b.l);
    shelf s = shelf_of(b.l, NULL);
    tables_reference r;
    check_reference(&s);
    assert_fails(tables_reference_make(&s.books, &s.summary, EH_STR("nobody"), &s.arena,
                                       &r, &s.err),
                 EH_STATUS_USAGE, s.err,
                 "no judge is called 'nobody'; there are 'sim', 'other'");
    b.l = ledger_made(); /* the shelf has the other one now */
    shelf_free(&s);
    book_free(&b);
}

/* The same two judges in two ledgers: pairs meet by id and texts. */
static void test_reference_of_two(void **state) {
    (void)state;
    book b = book_of_eight(0);
    ledger *second = ledger_made();
    stage_eight(second);
    put_second(second);
    shelf s = shelf_of(b.l, second);
    check_reference(&s);
    assert_int_equal(s.summary.n_pairs, 8);
    assert_int_equal(s.summary.n_judges, 2);
    b.l = ledger_made();
    shelf_free(&s);
    book_free(&b);
}

static void test_reference_of_one_order(void **state) {
    (void)state;
    book b = book_of_eight(0);
    (void)run_made(b.l, judge_made(b.l, "short"), "vanilla", 1, PLAN_ORDER_BIT(O12));
    shelf s = shelf_of(b.l, NULL);
    tables_reference r;
    look(&s);
    assert_ok(tables_reference_make(&s.books, &s.summary, EH_STR("sim"), &s.arena, &r,
                                    &s.err),
              s.err);
    assert_string_equal(r.rows[0].rate.why, "one_order");
    assert_fails(tables_reference_make(&s.books, &s.summary, EH_STR("short"), &s.arena,
                                       &r, &s.err),
                 EH_STATUS_USAGE, s.err, "not asked in two orders");
    b.l = ledger_made();
    shelf_free(&s);
    book_free(&b);
}

/* ---- ledgers side by side ---- */

static void test_two_ledgers(void **state) {
    (void)state;
    book one = book_of_eight(0), two = book_of_eight(4);
    dataset_pair changed[] = {pair_of("p1", "p1", "one", "another"),
                              pair_of("p9", "p9", "one", "two")};
    shelf s = shelf_of(one.l, two.l);
    look(&s);
    assert_text(s.books.names[0], "sim[1]");
    assert_text(s.books.names[1], "sim[2]");
    assert_int_equal(s.summary.n_pairs, 8);
    assert_near(s.summary.judges[1].win_rate.value, 3.5 / 5);
    stage_all(two.l, changed, 2); /* p1 with another text, and a new pair */
    look(&s);
    assert_int_equal(s.summary.n_pairs, 10);
    one.l = ledger_made();
    two.l = ledger_made();
    shelf_free(&s);
    book_free(&one);
    book_free(&two);
}

/* ---- people ---- */

static void test_people(void **state) {
    (void)state;
    book b = book_of_eight(0);
    label(b.l, "p1", "cat", V1);
    label(b.l, "p1", "ann", V1);
    label(b.l, "p1", "bob", V2);
    label(b.l, "p2", "ann", VT);
    label(b.l, "p2", "bob", VT);
    label(b.l, "p2", "cat", VT);
    label(b.l, "p3", "ann", V2); /* nobody else */
    shelf s = shelf_of(b.l, NULL);
    tables_people p;
    look(&s);
    assert_ok(tables_people_make(&s.books, &s.arena, &p, &s.err), s.err);
    assert_int_equal(p.n, 3);
    assert_int_equal(p.n_pairs, 3);
    assert_int_equal(p.n_labels, 7);
    assert_int_equal(p.n_unanimous, 1);
    assert_int_equal(p.majority[V1], 1);
    assert_text(p.annotators[0].name, "ann");
    assert_int_equal(p.annotators[0].counts[V2], 1);
    /* p1: the others of ann are 1 and 2, a tie; of bob 1 and 1; of cat 1 and 2 */
    assert_int_equal(p.annotators[0].vs_others.n_labelled, 2);
    assert_near(p.annotators[0].vs_others.accuracy, .5);
    assert_near(p.annotators[1].vs_others.accuracy, .5);
    assert_near(p.annotators[2].vs_others.accuracy, .5);
    assert_int_equal(p.pairwise[0][1], 1); /* ann 1, bob 2 */
    assert_int_equal(p.pairwise[0][8], 1);
    assert_int_equal(p.pairwise[1][0], 1); /* ann 1, cat 1 */
    assert_int_equal(p.pairwise[2][3], 1); /* bob 2, cat 1 */
    assert_int_equal(p.fleiss.why, STATS_REASON_UNEQUAL_RATERS);
    assert_int_equal(p.krippendorff.n, 2);
    json_writer w = json_of(&s);
    tables_people_json(&p, 250000000, &w);
    json_object_end(&w);
    assert_holds(buf_view(&s.json), "\"cost_usd\": 0.75");
    assert_holds(buf_view(&s.json), "\"why\": \"unequal_raters\"");
    tables_people_text(&p, &s.text);
    assert_holds(buf_view(&s.text), "3 annotators, 7 labels; on average 50.0 % agree");
    b.l = ledger_made();
    shelf_free(&s);
    book_free(&b);
}

/* The same labels in two ledgers are counted once. */
static void test_people_of_two(void **state) {
    (void)state;
    book one = book_of_eight(0), two = book_of_eight(0);
    label(one.l, "p1", "ann", V1);
    label(two.l, "p1", "ann", V1);
    label(two.l, "p2", "bob", V2);
    shelf s = shelf_of(one.l, two.l);
    tables_people p;
    look(&s);
    assert_ok(tables_people_make(&s.books, &s.arena, &p, &s.err), s.err);
    assert_int_equal(p.n, 2);
    assert_int_equal(p.n_labels, 2);
    one.l = ledger_made();
    two.l = ledger_made();
    shelf_free(&s);
    book_free(&one);
    book_free(&two);
}

/* ---- methods ---- */

static const tables_method_row *
row_named(const tables_method_judge *j, const char *method, int k, tables_order order) {
    for (size_t i = 0; i < j->n; i++)
        if (strcmp(j->rows[i].method, method) == 0 && j->rows[i].k == k &&
            j->rows[i].order == order)
            return &j->rows[i];
    fail_msg("no row %s k=%d", method, k);
    return NULL;
}

/* Two samples in each order; answer 1 against 2, by pair and order. */
static void put_samples(ledger *l, int64_t who) {
    static const double scores[4][4][2] = {
        /* order 12: sample 0, 1; order 21: sample 0, 1 */
        {{9, 5}, {8, 5}, {7, 6}, {7, 6}}, /* p1: 1 throughout */
        {{8, 6}, {5, 8}, {5, 7}, {5, 7}}, /* p2: sample 0 conflicts; 12 together: 2 */
        {{6, 6}, {6, 6}, {6, 6}, {6, 6}}, /* p3: ties */
        {{7, 5}, {7, 5}, {5, 7}, {5, 7}}, /* p4: conflict */
    };
    static const char *const ids[] = {"p1", "p2", "p3", "p4"};
    ledger_usage used = {0, 100, 0, 10, 0}, shared = {0, 0, 0, 10, 0};
    for (int p = 0; p < 4; p++)
        for (int i = 0; i < 4; i++)
            (void)put_used(
                l, who, ids[p],
                scores_of(i < 2 ? O12 : O21, i % 2, scores[p][i][0], scores[p][i][1]),
                i % 2 ? shared : used);
}

static shelf shelf_of_methods(void) {
    ledger *l = ledger_made();
    dataset_pair pairs[4];
    static const char *const ids[] = {"p1", "p2", "p3", "p4"};
    for (size_t i = 0; i < 4; i++)
        pairs[i] = pair_of(ids[i], ids[i], "one", "two");
    stage_all(l, pairs, 4);
    int64_t who = judge_made(l, "sim");
    (void)run_made(l, who, "mec+bpc", 2, PLAN_ORDERS_BOTH);
    put_samples(l, who);
    return shelf_of(l, NULL);
}

static tables_methods methods_of(shelf *s, const char *budgets, int64_t label_nusd) {
    tables_methods m;
    price_table *prices;
    look(s);
    assert_ok(price_table_load(NULL, &prices, &s->err), s->err);
    const tables_methods_options o = {eh_str_of(budgets), label_nusd, prices};
    assert_ok(tables_methods_make(&s->books, &o, &s->arena, &m, &s->err), s->err);
    price_table_free(prices);
    return m;
}

/* The calls behind a pair, by hand: 200 and 40 tokens at 2 and 8 dollars a million; a
 * call that two pairs share counts for each of them. */
static void test_cost_of_a_pair(void **state) {
    (void)state;
    ledger *l = ledger_made();
    eh_error err;
    dataset_pair pairs[3];
    static const char *const ids[] = {"p1", "p2", "p3"};
    for (size_t i = 0; i < 3; i++)
        pairs[i] = pair_of(ids[i], ids[i], "one", "two");
    stage_all(l, pairs, 3);
    int64_t who = judge_made(l, "sim"), nusd;
    ledger_usage used = {0, 100, 0, 20, 0};
    int64_t shared = put_used(l, who, "p1", scores_of(O12, 0, 9, 5), used);
    (void)put_used(l, who, "p1", scores_of(O21, 0, 9, 5), used);
    ledger_ask ask = {.judge_row = who, .pair_row = row_of(l, "p2"), .order = O12};
    assert_ok(ledger_ask_put(l, &ask, shared, &err), err);
    assert_ok(ledger_commit(l, &err), err);
    (void)put(l, who, "p3", scores_of(O12, 0, 9, 5));
    const price_row price = {
        .input_nusd = 2000000000, .cached_nusd = 2000000000, .output_nusd = 8000000000};
    plan_spec both = plan_of("bpc", 1, NULL), one = plan_of("ec", 1, "12");
    const struct {
        const char *id;
        const plan_spec *plan;
        const price_row *price;
        int64_t nusd;
    } rows[] = {
        {"p1", &both, &price, 720000}, {"p1", &one, &price, 360000},
        {"p2", &both, &price, 360000}, {"p3", &both, &price, -1},
        {"p1", &both, NULL, -1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_ok(price_pair(rows[i].price, l, who, row_of(l, rows[i].id), rows[i].plan,
                             &nusd, &err),
                  err);
        assert_int_equal(nusd, rows[i].nusd);
    }
    assert_int_equal(ledger_close(l, NULL), EH_STATUS_OK);
}

static void test_methods(void **state) {
    (void)state;
    shelf s = shelf_of_methods();
    label(s.ledgers[0], "p1", "ann", V1);
    label(s.ledgers[0], "p2", "ann", V2);
    label(s.ledgers[0], "p3", "ann", VT);
    label(s.ledgers[0], "p4", "ann", V2);
    tables_methods m = methods_of(&s, "25%,50%", -1);
    assert_int_equal(m.n, 1);
    const tables_method_judge *j = &m.judges[0];
    assert_int_equal(j->k, 2);
    assert_int_equal(j->n, 10); /* ec and mec three each, bpc, mec+bpc, two budgets */
    const tables_method_row *row = row_named(j, "ec", 1, TABLES_ORDER_12);
    assert_near(row->labels.accuracy, 2.0 / 4); /* 1 1 tie 1 */
    assert_int_equal(row->n_calls, 4);
    assert_near(row->relative.calls, 1);
    assert_near(row->relative.tokens, 1);
    assert_string_equal(row->conflict.why, "one_order");
    row = row_named(j, "ec", 1, TABLES_ORDER_MEAN);
    assert_near(row->labels.accuracy, (2.0 / 4 + 4.0 / 4) / 2);
    assert_near(row->conflict.value, 2.0 / 4);
    row = row_named(j, "mec", 2, TABLES_ORDER_12); /* p2: 6.5 against 7 */
    assert_near(row->labels.accuracy, 3.0 / 4);
    assert_near(row->relative.calls, 2);
    assert_near(row->relative.tokens, 120.0 / 110);  /* the prompt was sent once */
    row = row_named(j, "bpc", 1, TABLES_ORDER_BOTH); /* p2 6.5 to 6.5, p4 6 to 6 */
    assert_near(row->labels.accuracy, 2.0 / 4);
    assert_int_equal(row->tie_from_conflict, 2);
    assert_int_equal(row->tie_agreed, 1);
    row = row_named(j, "mec+bpc", 2, TABLES_ORDER_BOTH); /* p2 5.75 to 7 */
    assert_near(row->labels.accuracy, 3.0 / 4);
    assert_near(row->conflict.value, 1.0 / 4);
    assert_true(j->own_base);
    shelf_free(&s);
}

/* The queue: p4 (ln 2), p2 (one of four), then p3 and p1 (0): p3 has the smaller gap.
 */
static void test_hitlc(void **state) {
    (void)state;
    shelf s = shelf_of_methods();
    label(s.ledgers[0], "p1", "ann", V2);
    label(s.ledgers[0], "p2", "ann", V2);
    label(s.ledgers[0], "p2", "bob", V2);
    label(s.ledgers[0], "p3", "ann", V1);
    tables_methods m = methods_of(&s, "25%,50%,100%", 500000000);
    const tables_method_row *rows = &m.judges[0].rows[m.judges[0].n - 3];
    /* without people: p1 wrong, p2 right, p3 wrong */
    assert_int_equal(rows[0].hitlc.n_people, 1);
    assert_int_equal(rows[0].hitlc.n_missing, 1); /* nobody labelled p4 */
    assert_near(rows[0].labels.accuracy, 1.0 / 3);
    assert_near(rows[0].hitlc.accuracy_random, 1.0 / 3 + 2.0 / 3 / 4);
    assert_int_equal(rows[1].hitlc.n_people, 2);
    assert_int_equal(rows[1].hitlc.n_labels, 2);
    assert_near(rows[1].labels.accuracy, 1.0 / 3);
    assert_near(rows[1].hitlc.accuracy_rest, 0);
    assert_near(rows[2].labels.accuracy, 1);
    assert_true(isnan(rows[2].hitlc.accuracy_rest));
    assert_int_equal(rows[2].cost_nusd, -1); /* a simulated judge has no price */
    assert_int_equal(rows[1].hitlc.cost.labels, 1000000000);
    /* two labels on one of the two pairs: eight on all four */
    assert_int_equal(rows[1].hitlc.cost.all_labels, 4000000000);
    assert_false(rows[1].hitlc.cost.has_saved);
    const report_hitlc priced = {4, 1, 2, 250000000, 500000000};
    report_hitlc_cost cost = report_hitlc_cost_of(&priced);
    assert_int_equal(cost.both, 1250000000);
    assert_int_equal(cost.all_labels, 4000000000);
    assert_true(cost.has_saved);
    assert_int_equal(cost.saved, 2750000000);
    json_writer w = json_of(&s);
    tables_methods_json(&m, &w);
    json_object_end(&w);
    assert_holds(buf_view(&s.json), "\"budget\": \"25%\"");
    assert_holds(buf_view(&s.json), "\"asked_for\": \"evidence_first\"");
    tables_methods_text(&m, NULL, &s.text);
    assert_holds(buf_view(&s.text), "hitlc 50%");
    assert_holds(buf_view(&s.text), "there is no vanilla run here");
    shelf_free(&s);
}

/* A verdict-first judge of the same id is what costs are relative to. */
static void test_vanilla_base(void **state) {
    (void)state;
    shelf s = shelf_of_methods();
    ledger_judge vanilla = {.judge = EH_STR("sim"),
                            .template_name = EH_STR("score"),
                            .template_text = EH_STR("verdict first"),
                            .params = EH_STR("{\"temperature\": 0}")};
    ledger_usage used = {0, 50, 0, 5, 0};
    int64_t row;
    assert_ok(ledger_judge_put(s.ledgers[0], &vanilla, &row, &s.err), s.err);
    (void)run_made(s.ledgers[0], row, "vanilla", 1, PLAN_ORDER_BIT(O12));
    for (int i = 1; i <= 4; i++) {
        char id[8];
        (void)snprintf(id, sizeof id, "p%d", i);
        (void)put_used(s.ledgers[0], row, id, scores_of(O12, 0, 5, 6), used);
    }
    tables_methods m = methods_of(&s, "20%", -1);
    assert_int_equal(m.n, 2);
    assert_false(m.judges[0].own_base);
    assert_near(row_named(&m.judges[0], "ec", 1, TABLES_ORDER_12)->relative.tokens, 2);
    assert_near(row_named(&m.judges[0], "bpc", 1, TABLES_ORDER_BOTH)->relative.tokens,
                4);
    assert_near(row_named(&m.judges[1], "vanilla", 1, TABLES_ORDER_12)->relative.tokens,
                1);
    assert_int_equal(m.judges[1].n, 1); /* one order: nothing else can be told */
    assert_false(m.has_labels);
    shelf_free(&s);
}

/* 100 tokens asked at $2 and 10 answered at $10 a million: 300,000 nano-dollars. */
static void test_priced(void **state) {
    (void)state;
    shelf s = shelf_of_methods();
    made_folder f = made_folder_new();
    tables_methods m;
    price_table *prices;
    const char *path = made_file(&f, "p.yaml",
                                 "prices:\n  - {model: sim, input: 2, "
                                 "output: 10, date: 2026-01-01}\n");
    label(s.ledgers[0], "p2", "ann", V2);
    label(s.ledgers[0], "p2", "bob", V2);
    look(&s);
    assert_ok(price_table_load(path, &prices, &s.err), s.err);
    const tables_methods_options o = {EH_STR("50%"), 500000000, prices};
    assert_ok(tables_methods_make(&s.books, &o, &s.arena, &m, &s.err), s.err);
    const tables_method_judge *j = &m.judges[0];
    assert_int_equal(row_named(j, "ec", 1, TABLES_ORDER_12)->cost_nusd, 4 * 300000);
    assert_int_equal(row_named(j, "ec", 1, TABLES_ORDER_MEAN)->cost_nusd, 4 * 300000);
    const tables_method_row *all = row_named(j, "mec+bpc", 2, TABLES_ORDER_BOTH);
    assert_int_equal(all->cost_nusd,
                     8 * 400000); /* a second answer, no second prompt */
    assert_near(all->relative.cost, 8.0 / 3);
    const tables_method_row *people = &j->rows[j->n - 1];
    assert_int_equal(people->hitlc.n_labels, 2);
    assert_int_equal(people->cost_nusd, 8 * 400000 + 2 * 500000000LL);
    tables_methods_text(&m, NULL, &s.text);
    assert_holds(buf_view(&s.text), "rel: cost in money relative to ec");
    price_table_free(prices);
    made_folder_free(&f);
    shelf_free(&s);
}

static void test_bad_budgets(void **state) {
    (void)state;
    shelf s = shelf_of_methods();
    tables_methods m;
    price_table *prices;
    look(&s);
    assert_ok(price_table_load(NULL, &prices, &s.err), s.err);
    const tables_methods_options o = {EH_STR("20%,120%"), -1, prices};
    assert_fails(tables_methods_make(&s.books, &o, &s.arena, &m, &s.err),
                 EH_STATUS_USAGE, s.err, "'120%' is no share");
    price_table_free(prices);
    shelf_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_groups),
        cmocka_unit_test(test_too_many_groups),
        cmocka_unit_test(test_reference),
        cmocka_unit_test(test_reference_of_two),
        cmocka_unit_test(test_reference_of_one_order),
        cmocka_unit_test(test_two_ledgers),
        cmocka_unit_test(test_people),
        cmocka_unit_test(test_people_of_two),
        cmocka_unit_test(test_cost_of_a_pair),
        cmocka_unit_test(test_methods),
        cmocka_unit_test(test_hitlc),
        cmocka_unit_test(test_vanilla_base),
        cmocka_unit_test(test_priced),
        cmocka_unit_test(test_bad_budgets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
