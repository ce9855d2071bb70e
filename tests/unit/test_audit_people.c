/* SPDX-License-Identifier: MIT
 *
 * People as a judge of an audit: which labels are votes, how they are halved, and what
 * an exchange of the answers does to all of it (nothing); then the queue: which pairs
 * people get, sets under a budget, and twins apart by what rows say of themselves.
 */
#include <math.h>
#include <stdio.h>

#include "exam/queue.h"
#include "exam_make.h"
#include "serve/desk.h"
#include "fits.h"

enum { N = 40, PEOPLE = 60 };

/* A plain pair and a perturbed twin of it, N times; the twins' questions differ, so
 * that only their meta says what they are. */
static void stage_rows(exam_desk *d, bool mirrored, const char *form) {
    static dataset_pair pairs[2 * N];
    for (int i = 0; i < N; i++) {
        char *id = arena_printf(&d->arena, "p%d", i);
        char *twin = arena_printf(&d->arena, "p%d~mine", i);
        char *one = arena_printf(&d->arena, "One %d.", i);
        char *two = arena_printf(&d->arena, "Two %d.", i);
        pairs[2 * i] = pair_of(id, arena_printf(&d->arena, "Question %d?", i),
                               mirrored ? two : one, mirrored ? one : two);
        pairs[2 * i].meta_json = EH_STR("{\"audit\": {\"role\": \"control\"}}");
        pairs[2 * i + 1] = pairs[2 * i];
        pairs[2 * i + 1].id = eh_str_of(twin);
        pairs[2 * i + 1].question =
            eh_str_of(arena_printf(&d->arena, "Question %d, asked otherwise?", i));
        pairs[2 * i + 1].meta_json = eh_str_of(
            arena_printf(&d->arena,
                         "{\"audit\": {\"role\": \"experiment\", \"probe\": \"mine\", "
                         "\"form\": \"%s\", \"control\": \"%s\", \"perturbed\": %d}}",
                         form, id, mirrored ? 1 : 2));
    }
    stage_all(d->l, pairs, 2 * N);
}

typedef struct wish {
    int side, familiar;
    bool adjudicated;
} wish;

static void vote(exam_desk *d, const char *pair, int who, eh_verdict v, wish w) {
    char name[16];
    (void)snprintf(name, sizeof name, "ann%d", who);
    ledger_label l = {.pair_row = row_of(d->l, pair),
                      .annotator = eh_str_of(name),
                      .label = v,
                      .side = w.side,
                      .familiar = w.familiar,
                      .adjudicated = w.adjudicated};
    assert_ok(ledger_label_put(d->l, &l, &d->err), d->err);
}

/* Six labels, three each way. */
static void put_six(exam_desk *d, const char *pair, eh_verdict v) {
    for (int i = 0; i < 6; i++)
        vote(d, pair, i, v, (wish){i % 2, 1, false});
}

/* p0: the other answer by all, and the perturbed one by all: a hit in both counts. p1:
 * stays. p2: the perturbed one before: not eligible. p3: a tie, and a hit. */
static void test_votes(void **state) {
    (void)state;
    exam_desk *d = exam_desk_new();
    stage_rows(d, false, "susceptibility");
    static const eh_verdict votes[][2] = {{EH_VERDICT_1, EH_VERDICT_2},
                                          {EH_VERDICT_1, EH_VERDICT_1},
                                          {EH_VERDICT_2, EH_VERDICT_2},
                                          {EH_VERDICT_TIE, EH_VERDICT_2}};
    for (int i = 0; i < 4; i++)
        for (int twin = 0; twin < 2; twin++) {
            char id[16];
            (void)snprintf(id, sizeof id, "p%d%s", i, twin ? "~mine" : "");
            put_six(d, id, votes[i][twin]);
        }
    /* what is no vote, and would turn p0 and p1 if it were one */
    for (int i = 6; i < 20; i++) {
        vote(d, "p1~mine", i, EH_VERDICT_2, (wish){0, 0, false});
        vote(d, "p0", i, EH_VERDICT_2, (wish){0, 0, false});
    }
    vote(d, "p1", 20, EH_VERDICT_2, (wish){-1, -1, true});
    vote(d, "p1", 21, EH_VERDICT_1, (wish){-1, -1, false}); /* a vote without a side */
    assert_ok(ledger_commit(d->l, &d->err), d->err);
    const card_set *cards = exam_cards_of(d, NULL);
    assert_int_equal(cards->n_judges, 1); /* nobody else was asked */
    const card_judge *j = &cards->judges[0];
    const card_people *p = j->people;
    assert_text(j->name, "people");
    assert_int_equal(p->n_people, 7);
    assert_int_equal(p->n_labels, 8 * 6 + 1);
    assert_int_equal(p->n_unfamiliar, 28);
    assert_int_equal(p->n_adjudicated, 1);
    assert_int_equal(p->n_unplaced, 1);
    assert_int_equal(p->n_rows, 2 * N);
    assert_int_equal(p->n_labelled, 8);
    assert_int_equal(p->votes_low, 6);
    assert_int_equal(p->votes_high, 7);
    /* on plain pairs: 18 decided votes with a side, three each way on every pair */
    assert_int_equal(j->judge.n_asked, 25);
    assert_int_equal(j->judge.n_first, 9);
    assert_int_equal(j->judge.n_second, 9);
    assert_int_equal(j->judge.n_tie, 6);
    const card_probe *probe = &j->probes[0];
    assert_int_equal(probe->score.n_pairs, N);
    assert_int_equal(probe->score.n_unread, N - 4);
    assert_int_equal(probe->score.paired.n, 3);
    assert_int_equal(probe->score.paired.n_hits, 2);
    assert_int_equal(probe->score.paired.n_placebo_hits, 0);
    assert_int_equal(probe->all_votes.n, 3);
    assert_int_equal(probe->all_votes.n_hits, 2);
    assert_int_equal(probe->fault, AUDIT_UNREADABLE_FAILED);
    eh_buf out;
    buf_init(&out, BUF_MAX_REPORT);
    card_text(cards, &out);
    assert_holds(buf_view(&out), "7 people, 49 votes that count, 6 to 7 on a pair");
    assert_holds(buf_view(&out), "too few");
    assert_fits(buf_view(&out), 60);
    assert_fits(buf_view(&out), 80);
    buf_deinit(&out);
    exam_desk_free(d);
}

/* Votes that differ from person to person, of which one half says something else than
 * the other; exchanged answers with exchanged labels give the same card. */
static audit_score score_of_mixed(bool mirrored, int64_t first[2]) {
    exam_desk *d = exam_desk_new();
    stage_rows(d, mirrored, "oversight");
    for (int i = 0; i < 2 * N; i++)
        for (int who = 0; who < 6; who++) {
            char id[16];
            int v = (7 * i + 5 * who + i * who) % 5;
            eh_verdict verdict = v < 2   ? EH_VERDICT_1
                                 : v < 4 ? EH_VERDICT_2
                                         : EH_VERDICT_TIE;
            int side = (who + i) % 2;
            if (mirrored && verdict != EH_VERDICT_TIE)
                verdict = verdict == EH_VERDICT_1 ? EH_VERDICT_2 : EH_VERDICT_1;
            (void)snprintf(id, sizeof id, "p%d%s", i / 2, i % 2 ? "~mine" : "");
            vote(d, id, who, verdict, (wish){mirrored ? !side : side, -1, false});
        }
    assert_ok(ledger_commit(d->l, &d->err), d->err);
    const card_judge *j = &exam_cards_of(d, NULL)->judges[0];
    assert_int_equal(j->fault, AUDIT_UNREADABLE_NOT); /* also where people differ */
    assert_int_equal(j->probes[0].score.n_unread, 0);
    first[0] = j->judge.n_first;
    first[1] = j->judge.n_second;
    audit_score s = j->probes[0].score;
    exam_desk_free(d);
    return s;
}

static void test_mirror(void **state) {
    (void)state;
    int64_t first[2], first_mirrored[2];
    audit_score s = score_of_mixed(false, first),
                m = score_of_mixed(true, first_mirrored);
    assert_memory_equal(s.table, m.table, sizeof s.table);
    assert_memory_equal(s.placebo_table, m.placebo_table, sizeof s.table);
    assert_memory_equal(first, first_mirrored, sizeof first);
    assert_int_equal(s.paired.n_hits, m.paired.n_hits);
    assert_true(s.paired.n_placebo_hits < s.paired.n); /* halves do differ */
}

/* ---- the queue ---- */

static run_queue_counts queue_of(exam_desk *d, const char *budget) {
    run_queue_counts counts;
    run_queue_options o = {.selection = PLAN_SELECTION_N,
                           .usual = PLAN_SELECTION_RANDOM,
                           .place_of = exam_queue_place,
                           .budget = eh_str_of(budget),
                           .seed = -1,
                           .labels_per_pair = 6,
                           .apart = true,
                           .clock = clock_made()};
    assert_ok(run_queue_make(d->l, &o, &counts, &d->err), d->err);
    return counts;
}

typedef struct sets {
    int n[N];
} sets;

static eh_status count_set(void *self, const ledger_item *item, eh_error *err) {
    (void)err;
    int64_t number = 0;
    size_t tilde = eh_str_find(item->pair_id, EH_STR("~"), 0);
    size_t end = tilde == SIZE_MAX ? item->pair_id.len : tilde;
    assert_true(eh_str_to_i64(eh_str_slice(item->pair_id, 1, end), &number));
    ((sets *)self)->n[number] += item->selected;
    return EH_STATUS_OK;
}

static void test_sets_stay_whole(void **state) {
    (void)state;
    exam_desk *d = exam_desk_new();
    stage_rows(d, false, "oversight");
    static const char *const budgets[] = {"15", "31", "100%"};
    static const int64_t selected[] = {16, 32, 80}; /* whole sets of two */
    for (int b = 0; b < 3; b++) {
        run_queue_counts counts = queue_of(d, budgets[b]);
        sets s = {{0}};
        assert_int_equal(counts.n_frame, 2 * N);
        assert_int_equal(counts.n_selected, selected[b]);
        assert_ok(ledger_items_each(d->l, count_set, &s, &d->err), d->err);
        for (int i = 0; i < N; i++)
            assert_true(s.n[i] == 0 || s.n[i] == 2);
    }
    exam_desk_free(d);
}

/* Padded pairs and attacks are not for people, unless somebody lists them. */
static void test_what_people_get(void **state) {
    (void)state;
    exam_desk *d = exam_desk_new();
    exam_wish w = {.data = exam_file(d, "a.jsonl",
                                     "{\"id\":\"a\",\"question\":\"Q?\",\"answer_1\":"
                                     "\"One thing is said.\",\"answer_2\":\"Two things "
                                     "are said.\",\"model_1\":\"big\",\"model_2\":"
                                     "\"small\"}\n"),
                   .probes = "references,majority",
                   .attacks = "both"};
    assert_int_equal(exam_staged_made(d, &w).n_rows, 5);
    assert_int_equal(queue_of(d, "100%").n_frame, 3);
    run_queue_place root, attacked;
    assert_ok(exam_queue_place(d->l, row_of(d->l, "a"), EH_STR("a"), &root, &d->err),
              d->err);
    assert_ok(exam_queue_place(d->l, row_of(d->l, "a~attack-both"),
                               EH_STR("a~attack-both"), &attacked, &d->err),
              d->err);
    assert_true(root.set == attacked.set && attacked.leave_out && !root.leave_out);
    exam_desk_free(d);
}

/* Sixty people, six labels: nobody gets both of a set, though the questions differ. */
static void test_apart(void **state) {
    (void)state;
    exam_desk *d = exam_desk_new();
    stage_rows(d, false, "oversight");
    (void)queue_of(d, "100%");
    desk *handing;
    assert_ok(desk_open(d->l, clock_made(), &handing, &d->err), d->err);
    static int held[PEOPLE][N];
    int64_t n_given = 0, rows[PEOPLE];
    memset(held, 0, sizeof held);
    for (int i = 0; i < PEOPLE; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "ann%d", i);
        assert_ok(ledger_annotator_put(d->l, eh_str_of(name), NULL, MADE_AT_MS,
                                       &rows[i], &d->err),
                  d->err);
    }
    for (int i = 0; i < PEOPLE; i++) {
        static ledger_assignment list[2 * N];
        size_t n;
        assert_ok(desk_next(handing, rows[i], list, 8, &n, &d->err), d->err);
        for (size_t k = 0; k < n; k++) {
            for (int pair = 0; pair < N; pair++) {
                char id[16];
                (void)snprintf(id, sizeof id, "p%d", pair);
                bool plain = list[k].pair_row == row_of(d->l, id);
                (void)snprintf(id, sizeof id, "p%d~mine", pair);
                held[i][pair] += plain || list[k].pair_row == row_of(d->l, id);
            }
            n_given++;
        }
    }
    for (int i = 0; i < PEOPLE; i++)
        for (int pair = 0; pair < N; pair++)
            assert_true(held[i][pair] <= 1);
    /* all but what the last ones may not have */
    assert_true(n_given > PEOPLE * 8 - 20);
    desk_close(handing);
    exam_desk_free(d);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_votes),           cmocka_unit_test(test_mirror),
        cmocka_unit_test(test_sets_stay_whole), cmocka_unit_test(test_what_people_get),
        cmocka_unit_test(test_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
