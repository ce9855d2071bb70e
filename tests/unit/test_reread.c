/* SPDX-License-Identifier: MIT
 *
 * Reading the replies of a ledger again: what changes, what is skipped, dry runs, and
 * readings that came to their end already.
 */
#include "base/mem.h"
#include "ledger_make.h"
#include "run/reread.h"

typedef struct changes {
    int n;
    eh_verdict before, after; /* of the last one */
    int64_t call_row;
    bool stale_judge;
} changes;

static void note_change(void *self, const run_reread_change *change) {
    changes *c = self;
    c->n++;
    c->before = change->before->verdict;
    c->after = change->after->verdict;
    c->call_row = change->call_row;
    c->stale_judge = change->judge.len == 0;
}

/* A ledger with one pair, whose calls are put by text. */
typedef struct shelf {
    ledger *l;
    prompt_template *compare;
    int64_t own, imported; /* judges */
    int n_calls;
    changes seen;
    run_reread_options options;
    run_reread_counts counts;
    eh_error err;
} shelf;

static void shelf_init(shelf *s) {
    *s = (shelf){.l = ledger_made()};
    dataset_pair pair = pair_of("a", "q", "x", "y");
    stage_all(s->l, &pair, 1);
    assert_ok(prompt_template_builtin(EH_STR("compare"), &s->compare, &s->err), s->err);
    ledger_judge own = {.judge = EH_STR("own"),
                        .template_name = EH_STR("compare"),
                        .template_text = s->compare->source,
                        .params = EH_STR("{}")};
    ledger_judge imported = {.judge = EH_STR("imported"),
                             .template_name = EH_STR(""),
                             .template_text = EH_STR(""),
                             .params = EH_STR("{}")};
    assert_ok(ledger_judge_put(s->l, &own, &s->own, &s->err), s->err);
    assert_ok(ledger_judge_put(s->l, &imported, &s->imported, &s->err), s->err);
    s->options = (run_reread_options){.on_change = note_change, .self = &s->seen};
}

static void shelf_free(shelf *s) {
    prompt_template_free(s->compare);
    ledger_unmade(s->l);
}

/* A reply in order 12 with the verdict that some reader made of it. */
static int64_t shelve(shelf *s, int64_t judge, const char *content, eh_verdict verdict,
                      int reader) {
    uint8_t key[HASH_BYTES] = {(uint8_t)++s->n_calls, (uint8_t)(s->n_calls >> 8)};
    int64_t row;
    ledger_call call = {
        .key = key,
        .judge_row = judge,
        .content = eh_str_of(content),
        .latency_ms = -1,
        .n_attempts = 1,
        .prompt_tokens = -1,
        .cached_tokens = -1,
        .completion_tokens = -1,
        .reasoning_tokens = -1,
        .result = {.verdict = verdict,
                   .reason = verdict ? VERDICT_REASON_NONE : VERDICT_REASON_NO_VERDICT},
        .reader = reader};
    ledger_ask ask = {.judge_row = judge,
                      .pair_row = row_of(s->l, "a"),
                      .sample = s->n_calls % PLAN_MAX_SAMPLES};
    assert_ok(ledger_call_put(s->l, &call, &row, &s->err), s->err);
    assert_ok(ledger_ask_put(s->l, &ask, row, &s->err), s->err);
    assert_ok(ledger_commit(s->l, &s->err), s->err);
    return row;
}

static const run_reread_counts *reread(shelf *s) {
    s->seen = (changes){0};
    assert_ok(run_reread(s->l, &s->options, &s->counts, &s->err), s->err);
    return &s->counts;
}

static ledger_reply stored(shelf *s, int64_t call_row) {
    eh_arena arena;
    ledger_reply r;
    size_t n;
    arena_init(&arena, 1 << 20);
    assert_ok(ledger_replies_page(s->l, call_row - 1, &r, 1, &n, &arena, &s->err),
              s->err);
    assert_int_equal(n, 1);
    assert_int_equal(r.call_row, call_row);
    arena_deinit(&arena);
    return r;
}

static void test_changes(void **state) {
    (void)state;
    shelf s;
    shelf_init(&s);
    int64_t right = shelve(&s, s.own, "Final verdict: [[A]]", EH_VERDICT_1, 0);
    int64_t wrong = shelve(&s, s.own, "Final verdict: [[B]]", EH_VERDICT_1, 0);
    int64_t lost = shelve(&s, s.own, "well", EH_VERDICT_NONE, VERDICT_READER_VERSION);
    const run_reread_counts *c = reread(&s);
    assert_int_equal(c->n_replies, 3);
    assert_int_equal(c->n_read, 3);
    assert_int_equal(c->n_skipped, 0);
    assert_int_equal(c->n_changed, 1);
    assert_int_equal(c->moves[EH_VERDICT_1][EH_VERDICT_2], 1);
    assert_int_equal(c->moves[EH_VERDICT_1][EH_VERDICT_1], 1);
    assert_int_equal(c->moves[EH_VERDICT_NONE][EH_VERDICT_NONE], 1);
    assert_int_equal(s.seen.n, 1);
    assert_int_equal(s.seen.call_row, wrong);
    assert_int_equal(s.seen.before, EH_VERDICT_1);
    assert_int_equal(s.seen.after, EH_VERDICT_2);
    assert_false(s.seen.stale_judge);
    assert_int_equal(stored(&s, wrong).result.verdict, EH_VERDICT_2);
    /* what was read alike is stamped with this reader */
    assert_int_equal(stored(&s, right).reader, VERDICT_READER_VERSION);
    assert_int_equal(stored(&s, lost).result.reason, VERDICT_REASON_NO_VERDICT);
    assert_int_equal(reread(&s)->n_changed, 0); /* it is settled */
    shelf_free(&s);
}

static void test_dry_run(void **state) {
    (void)state;
    shelf s;
    shelf_init(&s);
    int64_t wrong = shelve(&s, s.own, "Final verdict: [[B]]", EH_VERDICT_1, 0);
    s.options.dry_run = true;
    for (int round = 0; round < 2; round++) {
        assert_int_equal(reread(&s)->n_changed, 1);
        assert_int_equal(s.seen.n, 1);
        assert_int_equal(stored(&s, wrong).result.verdict, EH_VERDICT_1);
        assert_int_equal(stored(&s, wrong).reader, 0);
    }
    s.options.dry_run = false;
    s.options.on_change = NULL;
    assert_int_equal(reread(&s)->n_changed, 1);
    assert_int_equal(stored(&s, wrong).result.verdict, EH_VERDICT_2);
    shelf_free(&s);
}

/* Imported replies have no template of their own. */
static void test_imported(void **state) {
    (void)state;
    shelf s;
    shelf_init(&s);
    int64_t row = shelve(&s, s.imported, "[[B]]", EH_VERDICT_1, 0);
    (void)shelve(&s, s.own, "Final verdict: [[A]]", EH_VERDICT_1, 0);
    const run_reread_counts *c = reread(&s);
    assert_int_equal(c->n_replies, 2);
    assert_int_equal(c->n_skipped, 1);
    assert_int_equal(c->n_read, 1);
    assert_int_equal(stored(&s, row).reader, 0);
    s.options.t = s.compare;
    c = reread(&s);
    assert_int_equal(c->n_skipped, 0);
    assert_int_equal(c->n_changed, 1);
    assert_int_equal(stored(&s, row).result.verdict, EH_VERDICT_2);
    shelf_free(&s);
}

/* More replies than a page, and a scale that follows what was read. */
static void test_pages(void **state) {
    (void)state;
    shelf s;
    shelf_init(&s);
    for (int i = 0; i < 200; i++)
        (void)shelve(&s, s.own, i % 2 ? "Final verdict: [[A]]" : "Final verdict: [[C]]",
                     EH_VERDICT_2, 0);
    const run_reread_counts *c = reread(&s);
    assert_int_equal(c->n_replies, 200);
    assert_int_equal(c->n_changed, 200);
    assert_int_equal(c->moves[EH_VERDICT_2][EH_VERDICT_1], 100);
    assert_int_equal(c->moves[EH_VERDICT_2][EH_VERDICT_TIE], 100);
    shelf_free(&s);
}

/* Scores that are read otherwise are a change as well. */
static void test_scores_count(void **state) {
    (void)state;
    shelf s;
    prompt_template *score;
    shelf_init(&s);
    assert_ok(prompt_template_builtin(EH_STR("score"), &score, &s.err), s.err);
    int64_t row =
        shelve(&s, s.imported, "Score of Assistant 1: 8\nScore of Assistant 2: 3",
               EH_VERDICT_1, 0);
    s.options.t = score;
    assert_int_equal(reread(&s)->n_changed, 1);
    assert_int_equal(s.counts.moves[EH_VERDICT_1][EH_VERDICT_1], 1);
    ledger_reply r = stored(&s, row);
    assert_true(r.result.has_scores && r.result.score_1 == 8 && r.result.score_2 == 3);
    prompt_template_free(score);
    shelf_free(&s);
}

/* A template that does not parse any more ends it, and frees what was there. */
static void test_bad_template(void **state) {
    (void)state;
    shelf s;
    int64_t judge;
    shelf_init(&s);
    ledger_judge bad = {.judge = EH_STR("bad"),
                        .template_name = EH_STR("bad"),
                        .template_text = EH_STR("form: nothing like it\n"),
                        .params = EH_STR("{}")};
    assert_ok(ledger_judge_put(s.l, &bad, &judge, &s.err), s.err);
    (void)shelve(&s, s.own, "Final verdict: [[A]]", EH_VERDICT_1, 0);
    (void)shelve(&s, judge, "Final verdict: [[A]]", EH_VERDICT_1, 0);
    assert_fails(run_reread(s.l, &s.options, &s.counts, &s.err), EH_STATUS_DATA, s.err,
                 "the ledger's template");
    shelf_free(&s);
}

static void test_no_memory(void **state) {
    (void)state;
    shelf s;
    shelf_init(&s);
    int64_t nth = 1, live = mem_live();
    int64_t row = shelve(&s, s.own, "Final verdict: [[B]]", EH_VERDICT_1, 0);
    for (eh_status status = EH_STATUS_NOMEM; status != EH_STATUS_OK; nth++) {
        mem_fail_at(nth, true);
        status = run_reread(s.l, &s.options, &s.counts, &s.err);
        mem_fail_at(0, false);
        assert_int_equal(mem_live(), live);
        if (status != EH_STATUS_OK) assert_int_equal(status, EH_STATUS_NOMEM);
        assert_int_equal(stored(&s, row).result.verdict,
                         status == EH_STATUS_OK ? EH_VERDICT_2 : EH_VERDICT_1);
    }
    assert_true(nth > 5);
    shelf_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_changes),      cmocka_unit_test(test_dry_run),
        cmocka_unit_test(test_imported),     cmocka_unit_test(test_pages),
        cmocka_unit_test(test_scores_count), cmocka_unit_test(test_bad_template),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
