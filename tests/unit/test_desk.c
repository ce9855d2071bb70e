/* SPDX-License-Identifier: MIT
 *
 * The labelling queue and its desk, on a ledger of a few pairs: making and enlarging,
 * who gets what, sides, skips, unfamiliar topics, undo, two tabs, a restart, and what
 * of it counts as a label.
 */
#include "serve/desk.h"

#include "ledger_make.h"
#include "run/leak.h"
#include "run/queue.h"

enum { PAIRS = 12, CAP = 5 };

typedef struct bench {
    ledger *l;
    desk *d;
    eh_arena arena;
    int64_t ann, bob;
    int64_t now_ms;
    int n_labels;
} bench;

static int64_t bench_now(void *self) {
    return ((bench *)self)->now_ms;
}

static eh_clock bench_clock(bench *b) {
    return (eh_clock){.now_ms = bench_now, .mono_ns = bench_now, .self = b};
}

static eh_status try_queue(bench *b, run_queue_options o, run_queue_counts *counts,
                           eh_error *err) {
    o.clock = bench_clock(b);
    return run_queue_make(b->l, &o, counts, err);
}

static run_queue_options wish(plan_selection how, const char *budget) {
    return (run_queue_options){
        .selection = how, .budget = eh_str_of(budget), .seed = -1};
}

/* Pairs q0 .. q11, two of each question; the judge is sure of the first half. */
static void bench_open(bench *b, run_queue_options o) {
    static char ids[PAIRS][8], questions[PAIRS][8];
    dataset_pair pairs[PAIRS];
    eh_error err;
    *b = (bench){.l = ledger_made(), .now_ms = 1000000};
    arena_init(&b->arena, 16 << 20);
    for (int i = 0; i < PAIRS; i++) {
        (void)snprintf(ids[i], sizeof ids[i], "q%d", i);
        (void)snprintf(questions[i], sizeof questions[i], "Q%d", i / 2);
        pairs[i] = pair_of(ids[i], questions[i], "first answer", "vicuna says so");
        pairs[i].model_1 = EH_STR("alpaca-13b");
        pairs[i].model_2 = i == 3 ? EH_STR("org/Vicuna-7b") : EH_STR("other");
    }
    stage_all(b->l, pairs, PAIRS);
    int64_t judge = judge_made(b->l, "j");
    (void)run_made(b->l, judge, "bpc", 1, PLAN_ORDERS_BOTH);
    for (int i = 0; i < PAIRS; i++) {
        (void)put(b->l, judge, ids[i], scores_of(EH_ORDER_12, 0, 8, 5));
        (void)put(b->l, judge, ids[i],
                  i < PAIRS / 2 ? scores_of(EH_ORDER_21, 0, 8, 5)
                                : scores_of(EH_ORDER_21, 0, 5, 5 + i));
    }
    run_queue_counts counts;
    assert_ok(try_queue(b, o, &counts, &err), err);
    assert_ok(ledger_annotator_put(b->l, EH_STR("ann"), NULL, 1, &b->ann, &err), err);
    assert_ok(ledger_annotator_put(b->l, EH_STR("bob"), NULL, 1, &b->bob, &err), err);
    assert_ok(ledger_commit(b->l, &err), err);
    assert_ok(desk_open(b->l, bench_clock(b), &b->d, &err), err);
}

static void bench_close(bench *b) {
    desk_close(b->d);
    arena_deinit(&b->arena);
    ledger_unmade(b->l);
}

/* As after a restart. */
static void bench_again(bench *b) {
    eh_error err;
    desk_close(b->d);
    assert_ok(desk_open(b->l, bench_clock(b), &b->d, &err), err);
}

static size_t next(bench *b, int64_t who, ledger_assignment list[CAP]) {
    size_t n;
    eh_error err;
    assert_ok(desk_next(b->d, who, list, CAP, &n, &err), err);
    return n;
}

typedef struct said {
    desk_outcome outcome;
    ledger_decision kept;
    char label_id[32];
} said;

static said say_full(bench *b, int64_t who, const char *item, ledger_decision decision,
                     const char *label_id, const char *replaces) {
    said s;
    eh_error err;
    (void)snprintf(s.label_id, sizeof s.label_id, "%s", label_id);
    decision.label_id = arena_dup(&b->arena, eh_str_of(label_id))
                            ? eh_str_of(arena_dup(&b->arena, eh_str_of(label_id)))
                            : EH_STR("");
    decision.client_seq = -1;
    decision.depth_a = decision.depth_b = (double)NAN;
    desk_label label = {
        .item = eh_str_of(item), .replaces = eh_str_of(replaces), .decision = decision};
    assert_ok(desk_decide(b->d, who, &label, &b->arena, &s.outcome, &s.kept, &err),
              err);
    return s;
}

static said say(bench *b, int64_t who, const char *item, ledger_choice choice) {
    char id[32];
    (void)snprintf(id, sizeof id, "label-%d", b->n_labels++);
    return say_full(b, who, item, (ledger_decision){.choice = choice}, id, NULL);
}

static void counts_of(bench *b, int64_t pair_row, int64_t counts[4]) {
    eh_error err;
    assert_ok(ledger_label_counts(b->l, pair_row, counts, &err), err);
}

static void test_entropy_takes_unsure(void **state) {
    (void)state;
    bench b;
    ledger_assignment list[CAP];
    bench_open(&b, wish(PLAN_SELECTION_ENTROPY, "4"));
    assert_int_equal(desk_n_pairs(b.d), 4);
    for (size_t i = 0, n = next(&b, b.ann, list); i < n; i++)
        assert_true(list[i].pair_row >= row_of(b.l, "q6"));
    bench_close(&b);
}

static void test_one_label_each(void **state) {
    (void)state;
    bench b;
    ledger_assignment of_ann[CAP], of_bob[CAP];
    int n_done = 0;
    int64_t seen[PAIRS + 1];
    bench_open(&b, wish(PLAN_SELECTION_RANDOM, "100%"));
    for (;;) {
        size_t n_a = next(&b, b.ann, of_ann), n_b = next(&b, b.bob, of_bob);
        if (n_a + n_b == 0) break;
        for (size_t i = 0; i < n_a; i++)
            for (size_t k = 0; k < n_b; k++)
                assert_int_not_equal(of_ann[i].pair_row, of_bob[k].pair_row);
        for (size_t i = 0; i < n_a + n_b; i++) {
            ledger_assignment *a = i < n_a ? &of_ann[i] : &of_bob[i - n_a];
            said s = say(&b, a->annotator_row, a->id, LEDGER_CHOICE_A);
            assert_int_equal(s.outcome, DESK_SAVED);
            assert_int_equal(s.kept.verdict,
                             a->side == EH_ORDER_12 ? EH_VERDICT_1 : EH_VERDICT_2);
            seen[n_done++] = a->pair_row;
        }
    }
    assert_int_equal(n_done, PAIRS);
    assert_int_equal(desk_n_complete(b.d), PAIRS);
    for (int i = 0; i < n_done; i++)
        for (int k = 0; k < i; k++)
            assert_int_not_equal(seen[i], seen[k]);
    bench_close(&b);
}

static void test_same_after_restart(void **state) {
    (void)state;
    bench b;
    ledger_assignment before[CAP], after[CAP];
    bench_open(&b, wish(PLAN_SELECTION_RANDOM, "100%"));
    assert_int_equal(next(&b, b.ann, before), CAP);
    bench_again(&b);
    assert_int_equal(next(&b, b.ann, after), CAP);
    for (int i = 0; i < CAP; i++) {
        assert_string_equal(before[i].id, after[i].id);
        assert_int_equal(before[i].side, after[i].side);
    }
    bench_close(&b);
}

static void test_sides_even_out(void **state) {
    (void)state;
    bench b;
    run_queue_options o = wish(PLAN_SELECTION_RANDOM, "3");
    o.labels_per_pair = 2;
    bench_open(&b, o);
    ledger_assignment of_ann[CAP], of_bob[CAP];
    assert_int_equal(next(&b, b.ann, of_ann), 3);
    assert_int_equal(next(&b, b.bob, of_bob), 3);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            if (of_ann[i].pair_row == of_bob[k].pair_row)
                assert_int_not_equal(of_ann[i].side, of_bob[k].side);
    bench_close(&b);
}

static void test_apart(void **state) {
    (void)state;
    bench b;
    run_queue_options o = wish(PLAN_SELECTION_RANDOM, "100%");
    o.apart = true;
    bench_open(&b, o);
    ledger_assignment list[CAP];
    int n_done = 0;
    for (size_t n; (n = next(&b, b.ann, list)) > 0;)
        for (size_t i = 0; i < n; i++, n_done++)
            (void)say(&b, b.ann, list[i].id, LEDGER_CHOICE_TIE);
    assert_int_equal(n_done, PAIRS / 2); /* one of each question */
    bench_close(&b);
}

static void test_skip_comes_back_once(void **state) {
    (void)state;
    bench b;
    ledger_assignment list[CAP];
    bench_open(&b, wish(PLAN_SELECTION_RANDOM, "2"));
    assert_int_equal(next(&b, b.ann, list), 2);
    char skipped[LEDGER_ID_CHARS + 1];
    (void)snprintf(skipped, sizeof skipped, "%s", list[0].id);
    (void)say(&b, b.ann, skipped, LEDGER_CHOICE_SKIP);
    assert_int_equal(next(&b, b.ann, list), 1); /* the other one first */
    assert_string_not_equal(list[0].id, skipped);
    (void)say(&b, b.ann, list[0].id, LEDGER_CHOICE_B);
    assert_int_equal(next(&b, b.ann, list), 1);
    assert_string_equal(list[0].id, skipped);
    assert_int_equal(list[0].state, LEDGER_SKIPPED_ONCE);
    (void)say(&b, b.ann, skipped, LEDGER_CHOICE_SKIP);
    assert_int_equal(next(&b, b.ann, list), 0);
    assert_int_equal(next(&b, b.bob, list), 1); /* goes to somebody else */
    bench_close(&b);
}

static void test_unfamiliar_goes_on(void **state) {
    (void)state;
    bench b;
    ledger_assignment list[CAP];
    int64_t counts[4];
    bench_open(&b, wish(PLAN_SELECTION_RANDOM, "1"));
    assert_int_equal(next(&b, b.ann, list), 1);
    said s = say_full(&b, b.ann, list[0].id,
                      (ledger_decision){.choice = LEDGER_CHOICE_A, .unfamiliar = true},
                      "unsure", NULL);
    assert_int_equal(s.outcome, DESK_SAVED);
    counts_of(&b, list[0].pair_row, counts);
    assert_int_equal(counts[1] + counts[2] + counts[3], 0); /* kept, not counted */
    assert_int_equal(next(&b, b.ann, list), 0);
    assert_int_equal(next(&b, b.bob, list), 1);
    (void)say(&b, b.bob, list[0].id, LEDGER_CHOICE_TIE);
    counts_of(&b, list[0].pair_row, counts);
    assert_int_equal(counts[EH_VERDICT_TIE], 1);
    bench_close(&b);
}

static void test_sent_again(void **state) {
    (void)state;
    bench b;
    ledger_assignment list[CAP];
    bench_open(&b, wish(PLAN_SELECTION_RANDOM, "100%"));
    (void)next(&b, b.ann, list);
    ledger_decision a = {.choice = LEDGER_CHOICE_A}, t = {.choice = LEDGER_CHOICE_TIE};
    assert_int_equal(say_full(&b, b.ann, list[0].id, a, "one", NULL).outcome,
                     DESK_SAVED);
    assert_int_equal(say_full(&b, b.ann, list[0].id, a, "one", NULL).outcome,
                     DESK_REPEATED);
    assert_int_equal(say_full(&b, b.ann, list[0].id, t, "one", NULL).outcome,
                     DESK_REUSED);
    assert_int_equal(say_full(&b, b.ann, list[1].id, a, "one", NULL).outcome,
                     DESK_REUSED);
    said second = say_full(&b, b.ann, list[0].id, t, "two", NULL); /* another tab */
    assert_int_equal(second.outcome, DESK_CONFLICT);
    assert_text(second.kept.label_id, "one");
    assert_int_equal(say_full(&b, b.bob, list[1].id, a, "three", NULL).outcome,
                     DESK_UNKNOWN); /* not bob's */
    assert_int_equal(say_full(&b, b.ann, "0123", a, "four", NULL).outcome,
                     DESK_UNKNOWN);
    bench_close(&b);
}

static void test_undo_keeps_history(void **state) {
    (void)state;
    bench b;
    ledger_assignment list[CAP];
    ledger_decision history[CAP];
    ledger_history_page page = {.cap = CAP};
    ledger_decision old;
    eh_error err;
    int64_t counts[4];
    size_t n;
    bool found;
    bench_open(&b, wish(PLAN_SELECTION_RANDOM, "100%"));
    (void)next(&b, b.ann, list);
    ledger_decision a = {.choice = LEDGER_CHOICE_A}, t = {.choice = LEDGER_CHOICE_TIE},
                    skip = {.choice = LEDGER_CHOICE_SKIP};
    (void)say_full(&b, b.ann, list[0].id, a, "one", NULL);
    page.annotator_row = b.ann;
    said s = say_full(&b, b.ann, list[0].id, t, "two", "one");
    assert_int_equal(s.outcome, DESK_SAVED);
    assert_int_equal(say_full(&b, b.ann, list[0].id, a, "late", "one").outcome,
                     DESK_CONFLICT); /* "one" is no longer what counts */
    counts_of(&b, list[0].pair_row, counts);
    assert_int_equal(counts[EH_VERDICT_TIE], 1);
    assert_int_equal(counts[EH_VERDICT_1] + counts[EH_VERDICT_2], 0);
    assert_ok(ledger_decision_find(b.l, EH_STR("one"), &b.arena, &old, &found, &err),
              err);
    assert_true(found);
    assert_int_equal(old.superseded_by, s.kept.row);
    assert_ok(ledger_history(b.l, &page, &b.arena, history, &n, &err), err);
    assert_int_equal(n, 1);
    assert_text(history[0].label_id, "two");
    assert_true(history[0].question.len > 0 && history[0].question.len <= 160);
    (void)say_full(&b, b.ann, list[0].id, skip, "three", "two");
    counts_of(&b, list[0].pair_row, counts);
    assert_int_equal(counts[EH_VERDICT_TIE], 0); /* a skip takes the label away */
    bench_close(&b);
}

static void test_claims_expire(void **state) {
    (void)state;
    bench b;
    ledger_assignment of_ann[CAP], of_bob[CAP];
    bench_open(&b, wish(PLAN_SELECTION_RANDOM, "3"));
    assert_int_equal(next(&b, b.ann, of_ann), 3);
    assert_int_equal(next(&b, b.bob, of_bob), 0);
    b.now_ms += 11 * 60 * 1000;
    assert_int_equal(next(&b, b.bob, of_bob), 3);
    said late = say(&b, b.ann, of_ann[0].id, LEDGER_CHOICE_A);
    assert_int_equal(late.outcome, DESK_SAVED); /* late, and kept */
    bench_close(&b);
}

/* done + left + skipped is the same from the first pair to the last, however many
 * labels the pairs still need from others. */
static void test_progress_adds_up(void **state) {
    (void)state;
    bench b;
    ledger_assignment list[CAP];
    desk_progress p;
    eh_error err;
    run_queue_options o = wish(PLAN_SELECTION_RANDOM, "100%");
    o.labels_per_pair = 2;
    bench_open(&b, o);
    const ledger_choice turns[] = {LEDGER_CHOICE_A, LEDGER_CHOICE_SKIP,
                                   LEDGER_CHOICE_TIE};
    for (int i = 0; next(&b, b.ann, list) > 0; i++) {
        assert_ok(desk_progress_of(b.d, b.ann, &p, &err), err);
        int64_t done = p.own.n_labelled + p.own.n_unfamiliar,
                skipped = p.own.n_skipped + p.own.n_skipped_once;
        assert_int_equal(done + p.n_left + skipped, desk_n_pairs(b.d));
        (void)say(&b, b.ann, list[0].id, turns[i % 3]);
    }
    assert_ok(desk_progress_of(b.d, b.ann, &p, &err), err);
    assert_int_equal(p.n_left, 0);
    bench_close(&b);
}

static void test_pause(void **state) {
    (void)state;
    bench b;
    ledger_assignment list[CAP];
    eh_error err;
    bench_open(&b, wish(PLAN_SELECTION_RANDOM, "100%"));
    assert_int_equal(next(&b, b.ann, list), CAP);
    assert_ok(desk_pause(b.d, true, &err), err);
    assert_int_equal(say(&b, b.ann, list[0].id, LEDGER_CHOICE_A).outcome, DESK_SAVED);
    assert_int_equal(next(&b, b.ann, list), CAP - 1); /* nothing new */
    assert_int_equal(next(&b, b.bob, list), 0);
    bench_again(&b);
    assert_int_equal(next(&b, b.bob, list), 0); /* also after a restart */
    assert_ok(desk_pause(b.d, false, &err), err);
    assert_int_equal(next(&b, b.bob, list), CAP);
    bench_close(&b);
}

static void test_adjudicated_counts_alone(void **state) {
    (void)state;
    bench b;
    ledger_assignment list[CAP], own;
    eh_error err;
    int64_t counts[4], rows[4], n_all;
    size_t n;
    run_queue_options o = wish(PLAN_SELECTION_RANDOM, "1");
    o.labels_per_pair = 2;
    bench_open(&b, o);
    (void)next(&b, b.ann, list);
    (void)say(&b, b.ann, list[0].id, LEDGER_CHOICE_A);
    (void)next(&b, b.bob, list);
    (void)say(&b, b.bob, list[0].id,
              LEDGER_CHOICE_A); /* the other answer: sides differ */
    assert_ok(ledger_disagreements(b.l, 0, rows, 4, &n, &n_all, &err), err);
    assert_int_equal(n, 1);
    assert_int_equal(rows[0], list[0].pair_row);
    assert_ok(desk_owner_takes(b.d, rows[0], &own, &err), err);
    assert_int_equal(say(&b, desk_owner_row(b.d), own.id, LEDGER_CHOICE_TIE).outcome,
                     DESK_SAVED);
    counts_of(&b, rows[0], counts);
    assert_int_equal(counts[EH_VERDICT_1] + counts[EH_VERDICT_2], 0);
    assert_int_equal(counts[EH_VERDICT_TIE], 1);
    assert_ok(ledger_disagreements(b.l, 0, rows, 4, &n, &n_all, &err), err);
    assert_int_equal(n_all, 0);
    ledger_label *labels;
    size_t n_labels, n_adjudicated = 0;
    assert_ok(ledger_pair_labels(b.l, rows[0], &b.arena, &labels, &n_labels, &err),
              err);
    for (size_t i = 0; i < n_labels; i++) {
        assert_int_equal(labels[i].adjudicated,
                         eh_str_eq_cstr(labels[i].annotator, LEDGER_OWNER));
        n_adjudicated += labels[i].adjudicated;
    }
    assert_int_equal(n_labels, 3);
    assert_int_equal(n_adjudicated, 1);
    bench_close(&b);
}

static void test_removed_leaves_no_trace(void **state) {
    (void)state;
    bench b;
    ledger_assignment list[CAP];
    ledger_decision d;
    eh_error err;
    bool removed, found;
    bench_open(&b, wish(PLAN_SELECTION_RANDOM, "100%"));
    (void)next(&b, b.ann, list);
    (void)say_full(&b, b.ann, list[0].id, (ledger_decision){.choice = LEDGER_CHOICE_A},
                   "gone", NULL);
    assert_ok(ledger_label_remove(b.l, list[0].pair_row, EH_STR("ann"), &removed, &err),
              err);
    assert_true(removed);
    assert_ok(ledger_decision_find(b.l, EH_STR("gone"), &b.arena, &d, &found, &err),
              err);
    assert_false(found);
    bench_close(&b);
}

/* The pair is wanted again: of the same person, under its id and on its side, or of
 * another one. */
static void test_removed_comes_back(void **state) {
    (void)state;
    bench b;
    ledger_assignment list[CAP], before[CAP];
    eh_error err;
    bool removed;
    run_queue_options o = wish(PLAN_SELECTION_RANDOM, "2");
    o.apart = true;
    bench_open(&b, o);
    assert_int_equal(next(&b, b.ann, before), 2);
    (void)say(&b, b.ann, before[0].id, LEDGER_CHOICE_A);
    (void)say(&b, b.ann, before[1].id, LEDGER_CHOICE_TIE);
    assert_int_equal(next(&b, b.ann, list), 0);
    for (int i = 0; i < 2; i++)
        assert_ok(
            ledger_label_remove(b.l, before[i].pair_row, EH_STR("ann"), &removed, &err),
            err);
    bench_again(&b);
    assert_int_equal(desk_n_missing(b.d), 2);
    assert_int_equal(say(&b, b.ann, before[0].id, LEDGER_CHOICE_B).outcome,
                     DESK_UNKNOWN); /* not before it is handed out again */
    assert_int_equal(next(&b, b.ann, list), 2);
    for (int i = 0; i < 2; i++) {
        const ledger_assignment *was =
            list[i].pair_row == before[0].pair_row ? &before[0] : &before[1];
        assert_string_equal(list[i].id, was->id);
        assert_int_equal(list[i].side, was->side);
    }
    assert_int_equal(say(&b, b.ann, before[0].id, LEDGER_CHOICE_B).outcome, DESK_SAVED);
    assert_ok(
        ledger_label_remove(b.l, before[0].pair_row, EH_STR("ann"), &removed, &err),
        err);
    bench_again(&b);
    assert_int_equal(next(&b, b.bob, list), 1);
    assert_int_equal(list[0].pair_row, before[0].pair_row);
    assert_int_equal(list[0].side, before[0].side);
    bench_close(&b);
}

static void test_growing(void **state) {
    (void)state;
    bench b;
    run_queue_counts counts;
    eh_error err;
    ledger_assignment list[CAP];
    bench_open(&b, wish(PLAN_SELECTION_RANDOM, "100%"));
    /* nobody has seen anything of it: made anew, and smaller */
    assert_ok(try_queue(&b, wish(PLAN_SELECTION_ENTROPY, "25%"), &counts, &err), err);
    assert_true(counts.is_new);
    bench_again(&b);
    assert_int_equal(desk_n_pairs(b.d), 3);
    assert_int_equal(next(&b, b.ann, list), 3); /* from here on it only grows */
    assert_ok(try_queue(&b, wish(PLAN_SELECTION_N, NULL), &counts, &err), err);
    assert_int_equal(counts.n_selected, 3);
    assert_int_equal(counts.n_added, 0);
    assert_ok(try_queue(&b, wish(PLAN_SELECTION_N, "50%"), &counts, &err), err);
    assert_int_equal(counts.n_selected, 6);
    assert_int_equal(counts.n_added, 3);
    assert_fails(try_queue(&b, wish(PLAN_SELECTION_N, "2"), &counts, &err),
                 EH_STATUS_USAGE, err, "can only grow");
    assert_fails(try_queue(&b, wish(PLAN_SELECTION_RANDOM, NULL), &counts, &err),
                 EH_STATUS_USAGE, err, "selection entropy");
    run_queue_options o = wish(PLAN_SELECTION_N, NULL);
    o.seed = 5;
    assert_fails(try_queue(&b, o, &counts, &err), EH_STATUS_USAGE, err, "seed 1");
    assert_fails(try_queue(&b, wish(PLAN_SELECTION_N, "many"), &counts, &err),
                 EH_STATUS_USAGE, err, "'many'");
    bench_close(&b);
}

static void test_list_of_ids(void **state) {
    (void)state;
    bench b;
    run_queue_counts counts;
    eh_error err;
    made_folder f = made_folder_new();
    run_queue_options o = wish(PLAN_SELECTION_FILE, NULL);
    bench_open(&b, wish(PLAN_SELECTION_RANDOM, "1"));
    bench_close(&b);
    o.ids_path = made_file(&f, "ids", "q7\n\n q2 \nq7\n");
    bench_open(&b, o);
    assert_int_equal(desk_n_pairs(b.d), 2);
    ledger_assignment list[CAP];
    assert_int_equal(next(&b, b.ann, list), 2);
    bench_close(&b);
    /* another ledger, without a queue yet */
    b = (bench){.l = ledger_made(), .now_ms = 1};
    dataset_pair pair = pair_of("q1", "Q", "A", "B");
    stage_all(b.l, &pair, 1);
    o.ids_path = made_file(&f, "ids", "q1\nq99\n");
    assert_fails(try_queue(&b, o, &counts, &err), EH_STATUS_DATA, err, "line 2");
    assert_fails(try_queue(&b, wish(PLAN_SELECTION_ENTROPY, "1"), &counts, &err),
                 EH_STATUS_USAGE, err, "--selection random");
    ledger_unmade(b.l);
    made_folder_free(&f);
}

static void test_leaks(void **state) {
    (void)state;
    bench b;
    eh_arena arena;
    run_leak leak = {.n = 0};
    bench_open(&b, wish(PLAN_SELECTION_RANDOM, "100%"));
    assert_int_equal(desk_n_leaks(b.d), PAIRS); /* "vicuna says so" */
    bench_close(&b);
    arena_init(&arena, 1 << 16);
    assert_true(run_leak_add(&leak, EH_STR("gpt-4"), &arena));
    assert_true(run_leak_add(&leak, EH_STR("model-b"), &arena));
    assert_true(run_leak_add(&leak, (eh_str){NULL, 0}, &arena));
    assert_true(run_leak_in(&leak, EH_STR("I am GPT, made by somebody")));
    assert_true(run_leak_in(&leak, EH_STR("(Model-B)")));
    assert_true(run_leak_in(&leak, EH_STR("As an AI language model, I cannot")));
    assert_false(run_leak_in(&leak, EH_STR("the egpts of the model are gpts")));
    assert_false(run_leak_in(&leak, EH_STR("")));
    arena_deinit(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_entropy_takes_unsure),
        cmocka_unit_test(test_one_label_each),
        cmocka_unit_test(test_same_after_restart),
        cmocka_unit_test(test_sides_even_out),
        cmocka_unit_test(test_apart),
        cmocka_unit_test(test_skip_comes_back_once),
        cmocka_unit_test(test_unfamiliar_goes_on),
        cmocka_unit_test(test_sent_again),
        cmocka_unit_test(test_undo_keeps_history),
        cmocka_unit_test(test_claims_expire),
        cmocka_unit_test(test_progress_adds_up),
        cmocka_unit_test(test_pause),
        cmocka_unit_test(test_adjudicated_counts_alone),
        cmocka_unit_test(test_removed_leaves_no_trace),
        cmocka_unit_test(test_removed_comes_back),
        cmocka_unit_test(test_growing),
        cmocka_unit_test(test_list_of_ids),
        cmocka_unit_test(test_leaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
