/* SPDX-License-Identifier: MIT
 *
 * The ledger: staging and revisions, pages and cursors, calls shared by pairs, joins,
 * sums, and what is found again.
 */
#include <math.h>

#include "ledger_make.h"

#define V1 EH_VERDICT_1
#define V2 EH_VERDICT_2
#define O12 EH_ORDER_12
#define O21 EH_ORDER_21

/* ---- staging ---- */

static void test_revisions(void **state) {
    (void)state;
    eh_error err;
    ledger *l = ledger_made();
    dataset_pair before[] = {pair_of("a", "q", "one", "two"),
                             pair_of("b", "q", "one", "three")};
    dataset_pair after[] = {pair_of("b", "q", "one", "three"),
                            pair_of("a", "q", "one", "changed")};
    stage_all(l, before, 2);
    int64_t judge = judge_made(l, "sim"), a = row_of(l, "a"), b = row_of(l, "b"), n;
    label(l, "a", "ann", V1);
    label(l, "b", "ann", V2);
    (void)put(l, judge, "a", vote_of(O12, 0, V1));
    stage_all(l, after, 2);
    assert_int_not_equal(row_of(l, "a"), a); /* new text, new row */
    assert_int_equal(row_of(l, "b"), b);     /* the same text keeps its own */
    assert_ok(ledger_count_pairs(l, &n, &err), err);
    assert_int_equal(n, 2);
    int64_t counts[4];
    assert_ok(ledger_label_counts(l, row_of(l, "a"), counts, &err), err);
    assert_int_equal(counts[V1], 0); /* nobody saw this text */
    assert_ok(ledger_label_counts(l, b, counts, &err), err);
    assert_int_equal(counts[V2], 1);
    uint8_t revision[16];
    bool has;
    ledger_revision(&after[1], revision);
    assert_ok(ledger_has_other_revision(l, EH_STR("a"), revision, &has, &err), err);
    assert_true(has);
    ledger_revision(&after[0], revision);
    assert_ok(ledger_has_other_revision(l, EH_STR("b"), revision, &has, &err), err);
    assert_false(has);
    stage_all(l, before, 2); /* back to the old text: everything is there again */
    assert_int_equal(row_of(l, "a"), a);
    assert_ok(ledger_label_counts(l, a, counts, &err), err);
    assert_int_equal(counts[V1], 1);
    plan_sample s[4];
    size_t n_samples;
    assert_ok(
        ledger_samples(l, &(ledger_ask){.judge_row = judge, .stream = 0, .pair_row = a},
                       0, s, 4, &n_samples, &err),
        err);
    assert_int_equal(n_samples, 1);
    ledger_unmade(l);
}

/* Every text is part of the revision; models, category and meta are not. */
static void test_revision_fields(void **state) {
    (void)state;
    dataset_pair base = pair_of("a", "q", "one", "two");
    uint8_t plain[16], other[16];
    ledger_revision(&base, plain);
    eh_str *texts[] = {&base.question,  &base.answer_1,       &base.answer_2,
                       &base.reference, &base.short_question, &base.turns_json};
    for (size_t i = 0; i < 6; i++) {
        eh_str kept = *texts[i];
        *texts[i] = EH_STR("else");
        ledger_revision(&base, other);
        assert_memory_not_equal(plain, other, 16);
        *texts[i] = kept;
    }
    base.model_1 = base.category = EH_STR("else");
    base.meta_json = EH_STR("{}");
    ledger_revision(&base, other);
    assert_memory_equal(plain, other, 16);
}

static void test_duplicate_and_rollback(void **state) {
    (void)state;
    eh_error err;
    ledger *l = ledger_made();
    dataset_pair kept = pair_of("kept", "q", "one", "two");
    dataset_pair a = pair_of("a", "q", "x", "y"), twin = pair_of("a", "q", "x", "z");
    uint8_t digest[HASH_BYTES], after[HASH_BYTES];
    int64_t first_line, n;
    stage_all(l, &kept, 1);
    assert_true(ledger_dataset_digest(l, digest));
    dataset_stage stage = ledger_stage(l);
    assert_ok(ledger_stage_begin(l, &err), err);
    a.line = 4;
    twin.line = 9;
    assert_ok(stage.put(stage.self, &a, &first_line, &err), err);
    assert_int_equal(first_line, 0);
    assert_ok(stage.put(stage.self, &twin, &first_line, &err), err);
    assert_int_equal(first_line, 4);
    ledger_rollback(l);
    assert_ok(ledger_count_pairs(l, &n, &err), err);
    assert_int_equal(n, 1);
    assert_true(row_of(l, "kept") > 0);
    assert_ok(ledger_find_pair(l, EH_STR("a"), &n, &err), err);
    assert_int_equal(n, 0);
    assert_true(ledger_dataset_digest(l, after));
    assert_memory_equal(digest, after, HASH_BYTES);
    ledger_unmade(l);
}

static void test_texts(void **state) {
    (void)state;
    eh_error err;
    eh_arena arena;
    ledger_texts t;
    arena_init(&arena, 1 << 20);
    ledger *l = ledger_made();
    dataset_pair p = pair_of("a", "q", "", "two");
    p.answer_1 = (eh_str){"nul\0inside", 10};
    p.reference = EH_STR("");
    p.meta_json = EH_STR("{\"x\": 1}");
    stage_all(l, &p, 1);
    assert_ok(ledger_pair_texts(l, row_of(l, "a"), &t, &arena, &err), err);
    assert_same(t.answer_1, p.answer_1);
    assert_text(t.answer_2, "two");
    assert_text(t.reference, ""); /* empty and absent stay apart */
    assert_false(eh_str_is_absent(t.reference));
    assert_absent(t.short_question);
    assert_absent(t.turns_json);
    assert_text(t.meta_json, "{\"x\": 1}");
    p.meta_json = EH_STR("{\"x\": 2}"); /* no new revision, but the newest meta */
    stage_all(l, &p, 1);
    assert_ok(ledger_pair_texts(l, row_of(l, "a"), &t, &arena, &err), err);
    assert_text(t.meta_json, "{\"x\": 2}");
    assert_fails(ledger_pair_texts(l, 999, &t, &arena, &err), EH_STATUS_LEDGER, err,
                 "purged");
    arena_deinit(&arena);
    ledger_unmade(l);
}

/* ---- pages and cursors ---- */

enum { N_MANY = 25 };

static ledger *ledger_of_many(void) {
    static char ids[N_MANY][8];
    static const char *const questions[] = {"q0", "q1", "q2", "q3"};
    dataset_pair pairs[N_MANY];
    ledger *l = ledger_made();
    for (int i = 0; i < N_MANY; i++) {
        (void)snprintf(ids[i], sizeof ids[i], "p%d", i);
        pairs[i] = pair_of(ids[i], questions[i % 4], "é", "ab");
        pairs[i].model_1 = EH_STR("oak");
    }
    stage_all(l, pairs, N_MANY);
    return l;
}

static void test_pages(void **state) {
    (void)state;
    ledger *l = ledger_of_many();
    eh_error err;
    eh_arena arena;
    arena_init(&arena, 1 << 20);
    for (size_t cap = 1; cap <= 26; cap += 5) {
        int64_t seq = -1, n_seen = 0;
        size_t n;
        ledger_pair page[26];
        do {
            assert_ok(ledger_pairs_page(l, seq, page, cap, &n, &arena, &err), err);
            for (size_t i = 0; i < n; i++) {
                char id[8];
                (void)snprintf(id, sizeof id, "p%d", (int)n_seen);
                assert_text(page[i].pair_id, id);
                assert_int_equal(page[i].seq, n_seen++);
                assert_int_equal(page[i].answer_1_cp, 1);
                assert_int_equal(page[i].answer_2_cp, 2);
                assert_text(page[i].model_1, "oak");
                assert_absent(page[i].model_2);
                seq = page[i].seq;
            }
        } while (n > 0);
        assert_int_equal(n_seen, N_MANY);
    }
    arena_deinit(&arena);
    ledger_unmade(l);
}

static void test_cursors(void **state) {
    (void)state;
    ledger *l = ledger_of_many();
    eh_error err;
    for (int sort = LEDGER_BY_DATA; sort <= LEDGER_BY_QUESTION; sort++) {
        ledger_cursor *c;
        ledger_pair p;
        bool got;
        int n = 0, n_questions = 0;
        uint64_t question = 0;
        int64_t seq = -1;
        assert_ok(ledger_cursor_open(l, (ledger_sort)sort, &c, &err), err);
        for (;; n++) {
            assert_ok(ledger_cursor_next(c, &p, &got, &err), err);
            if (!got) break;
            bool next = n == 0 || p.question_hash != question;
            n_questions += next;
            if (sort == LEDGER_BY_DATA || !next) assert_true(p.seq > seq);
            question = p.question_hash;
            seq = p.seq;
        }
        ledger_cursor_close(c);
        assert_int_equal(n, N_MANY);
        assert_int_equal(n_questions, sort == LEDGER_BY_DATA ? N_MANY : 4);
    }
    ledger_cursor_close(NULL);
    ledger_unmade(l);
}

static void test_bare_pairs(void **state) {
    (void)state;
    ledger *l = ledger_made();
    eh_error err;
    int64_t a, again, b, n;
    assert_ok(ledger_begin(l, &err), err);
    assert_ok(ledger_pair_put_bare(l, EH_STR("a"), &a, &err), err);
    assert_ok(ledger_pair_put_bare(l, EH_STR("b"), &b, &err), err);
    assert_ok(ledger_pair_put_bare(l, EH_STR("a"), &again, &err), err);
    assert_ok(ledger_commit(l, &err), err);
    assert_int_equal(a, again);
    assert_int_not_equal(a, b);
    assert_ok(ledger_count_pairs(l, &n, &err), err);
    assert_int_equal(n, 2);
    ledger_unmade(l);
}

/* ---- calls ---- */

/* One call answers two pairs that hold the same texts the other way round. */
static void test_shared_call(void **state) {
    (void)state;
    ledger *l = ledger_made();
    eh_error err;
    dataset_pair pairs[] = {pair_of("a", "q", "x", "y"), pair_of("b", "q", "y", "x")};
    plan_sample s[4];
    size_t n;
    bool found;
    eh_verdict verdict;
    stage_all(l, pairs, 2);
    int64_t judge = judge_made(l, "sim");
    int64_t call = put(l, judge, "a", scores_of(O12, 0, 8, 3));
    ledger_ask ask = {
        .judge_row = judge, .pair_row = row_of(l, "b"), .order = O21, .sample = 0};
    assert_ok(ledger_ask_verdict(l, &ask, &found, &verdict, &err), err);
    assert_false(found);
    assert_ok(ledger_ask_put(l, &ask, call, &err), err);
    assert_ok(ledger_commit(l, &err), err);
    assert_ok(
        ledger_samples(
            l,
            &(ledger_ask){.judge_row = judge, .stream = 0, .pair_row = row_of(l, "b")},
            0, s, 4, &n, &err),
        err);
    assert_int_equal(n, 1);
    assert_int_equal(s[0].verdict, V2);
    assert_true(s[0].score_1 == 3 && s[0].score_2 == 8);
    assert_ok(ledger_ask_verdict(l, &ask, &found, &verdict, &err), err);
    assert_true(found);
    assert_int_equal(verdict, V2);
    plan_spec plan = plan_of("bpc", 1, NULL);
    ledger_usage usage;
    assert_ok(ledger_usage_sum(l, judge, &plan, &usage, &err), err);
    assert_int_equal(usage.n_calls, 1); /* paid for once */
    ledger_unmade(l);
}

static void test_samples(void **state) {
    (void)state;
    ledger *l = ledger_made();
    eh_error err;
    dataset_pair pair = pair_of("a", "q", "x", "y");
    plan_sample s[8];
    size_t n;
    plan_scale scale;
    stage_all(l, &pair, 1);
    int64_t judge = judge_made(l, "sim");
    (void)put(l, judge, "a", rating_of(O21, 1, -2));
    (void)put(l, judge, "a", failed_of(O21, 0, VERDICT_REASON_AMBIGUOUS));
    (void)put(l, judge, "a", rating_of(O12, 1, 1));
    (void)put(l, judge, "a", rating_of(O12, 0, 0));
    assert_ok(
        ledger_samples(
            l,
            &(ledger_ask){.judge_row = judge, .stream = 0, .pair_row = row_of(l, "a")},
            0, s, 8, &n, &err),
        err);
    assert_int_equal(n, 4); /* sorted by order and sample */
    assert_true(s[0].order == O12 && s[0].sample == 0 && s[1].sample == 1);
    assert_true(s[2].order == O21 && s[2].sample == 0 && s[3].sample == 1);
    assert_true(s[0].has_rating && s[0].signed_rating == 0);
    assert_int_equal(s[1].signed_rating, 1);
    assert_int_equal(s[2].reason, VERDICT_REASON_AMBIGUOUS);
    assert_int_equal(s[3].signed_rating, -2);
    assert_int_equal(s[3].verdict, V2);
    assert_ok(
        ledger_samples(
            l,
            &(ledger_ask){.judge_row = judge, .stream = 1, .pair_row = row_of(l, "a")},
            0, s, 8, &n, &err),
        err);
    assert_int_equal(n, 0); /* another stream */
    assert_ok(
        ledger_samples(
            l,
            &(ledger_ask){.judge_row = judge, .stream = 0, .pair_row = row_of(l, "a")},
            0, s, 2, &n, &err),
        err);
    assert_int_equal(n, 2);
    assert_ok(ledger_scale(l, judge, &scale, &err), err);
    assert_int_equal(scale, PLAN_SCALE_RATINGS);
    (void)put(l, judge, "a", vote_of(O12, 2, V1));
    assert_ok(ledger_scale(l, judge, &scale, &err), err);
    assert_int_equal(scale, PLAN_SCALE_VOTES);
    int k;
    unsigned orders;
    assert_ok(ledger_judge_extent(l, judge, &k, &orders, &err), err);
    assert_int_equal(k, 3);
    assert_int_equal(orders, PLAN_ORDERS_BOTH);
    ledger_unmade(l);
}

static void test_usage_sums(void **state) {
    (void)state;
    ledger *l = ledger_made();
    eh_error err;
    dataset_pair pair = pair_of("a", "q", "x", "y");
    ledger_usage one = {0, 10, 0, 3, 1}, two = {0, 20, -1, 4, 1}, sum;
    stage_all(l, &pair, 1);
    int64_t judge = judge_made(l, "sim");
    plan_spec both = plan_of("mec+bpc", 2, NULL), first = plan_of("mec", 1, "12");
    assert_ok(ledger_usage_sum(l, judge, &both, &sum, &err), err);
    assert_int_equal(sum.n_calls, 0);
    assert_int_equal(sum.prompt_tokens, -1); /* nothing was asked: nothing is known */
    (void)put_used(l, judge, "a", vote_of(O12, 0, V1), one);
    (void)put_used(l, judge, "a", vote_of(O21, 0, V1), two);
    (void)put_used(l, judge, "a", vote_of(O12, 5, V1), two); /* beyond k */
    assert_ok(ledger_usage_sum(l, judge, &both, &sum, &err), err);
    assert_int_equal(sum.n_calls, 2);
    assert_int_equal(sum.prompt_tokens, 30);
    assert_int_equal(sum.cached_tokens, -1);
    assert_int_equal(sum.completion_tokens, 7);
    assert_int_equal(sum.reasoning_tokens, 2);
    assert_ok(ledger_usage_sum(l, judge, &first, &sum, &err), err);
    assert_int_equal(sum.n_calls, 1);
    assert_int_equal(sum.cached_tokens, 0);
    ledger_timing timing;
    assert_ok(ledger_timing_sum(l, judge, &timing, &err), err);
    assert_int_equal(timing.n_calls, 3);
    assert_int_equal(timing.first_ms, MADE_AT_MS);
    assert_true(isnan(timing.mean_latency_ms));
    ledger_unmade(l);
}

/* Replies of one request share its time; one unknown time makes the sum unknown. */
static void test_judge_seconds(void **state) {
    (void)state;
    static const struct {
        int sample;
        int64_t latency_ms, prompt_tokens;
    } calls[] = {{0, 2000, 70}, {1, 2000, 0}, {2, 500, 70}, {3, -1, 70}};
    ledger *l = ledger_made();
    eh_error err;
    dataset_pair pair = pair_of("p", "q", "a", "b");
    stage_all(l, &pair, 1);
    int64_t judge = judge_made(l, "sim");
    for (size_t i = 0; i < 4; i++) {
        uint8_t key[HASH_BYTES] = {(uint8_t)(i + 1)};
        int64_t row;
        ledger_call call = {.key = key,
                            .judge_row = judge,
                            .sample = calls[i].sample,
                            .latency_ms = calls[i].latency_ms,
                            .prompt_tokens = calls[i].prompt_tokens,
                            .result = {.verdict = EH_VERDICT_1}};
        ledger_ask ask = {
            .judge_row = judge, .pair_row = row_of(l, "p"), .sample = calls[i].sample};
        assert_ok(ledger_call_put(l, &call, &row, &err), err);
        assert_ok(ledger_ask_put(l, &ask, row, &err), err);
    }
    plan_spec plan = plan_of("mec", 3, NULL);
    double seconds;
    assert_ok(ledger_judge_seconds(l, judge, &plan, &seconds, &err), err);
    assert_true(fabs(seconds - 2.5) < 1e-12);
    plan = plan_of("mec", 4, NULL);
    assert_ok(ledger_judge_seconds(l, judge, &plan, &seconds, &err), err);
    assert_true(isnan(seconds));
    ledger_unmade(l);
}

/* A pair in another ledger: by id, and by texts where both have them. */
static void test_match(void **state) {
    (void)state;
    ledger *l = ledger_made(), *bare = ledger_made();
    eh_error err;
    dataset_pair pair = pair_of("p", "q", "a", "b");
    int64_t row;
    ledger_cursor *c;
    ledger_pair seen;
    bool got;
    pair.meta_json = EH_STR("{\"level\":2}");
    stage_all(l, &pair, 1);
    assert_ok(ledger_pair_put_bare(bare, EH_STR("p"), &row, &err), err);
    assert_ok(ledger_cursor_open(l, LEDGER_BY_DATA, &c, &err), err);
    assert_ok(ledger_cursor_next(c, &seen, &got, &err), err);
    assert_false(seen.is_bare);
    assert_ok(ledger_same_pair(l, &seen, &row, &err), err);
    assert_int_equal(row, seen.row);
    assert_ok(ledger_same_pair(bare, &seen, &row, &err), err);
    assert_true(row != 0);
    eh_arena arena;
    eh_str meta;
    arena_init(&arena, 1 << 16);
    assert_ok(ledger_pair_meta(l, seen.row, &arena, &meta, &err), err);
    assert_text(meta, "{\"level\":2}");
    assert_ok(ledger_pair_meta(bare, row, &arena, &meta, &err), err);
    assert_absent(meta);
    arena_deinit(&arena);
    seen.revision[0] ^= 1;
    assert_ok(ledger_same_pair(l, &seen, &row, &err), err);
    assert_int_equal(row, 0);
    seen.is_bare = true;
    assert_ok(ledger_same_pair(l, &seen, &row, &err), err);
    assert_true(row != 0);
    seen.pair_id = EH_STR("other");
    assert_ok(ledger_same_pair(l, &seen, &row, &err), err);
    assert_int_equal(row, 0);
    ledger_cursor_close(c);
    ledger_unmade(l);
    ledger_unmade(bare);
}

static void test_was_asked(void **state) {
    (void)state;
    ledger *l = ledger_made();
    eh_error err;
    dataset_pair pair = pair_of("a", "q", "x", "y"),
                 other = pair_of("a", "q", "x", "z");
    uint8_t revision[16];
    bool was;
    stage_all(l, &pair, 1);
    (void)put(l, judge_made(l, "sim"), "a", vote_of(O12, 0, V1));
    ledger_revision(&pair, revision);
    assert_ok(ledger_pair_was_asked(l, pair.id, revision, EH_STR("sim"), &was, &err),
              err);
    assert_true(was);
    assert_ok(ledger_pair_was_asked(l, pair.id, revision, EH_STR("else"), &was, &err),
              err);
    assert_false(was);
    ledger_revision(&other, revision);
    assert_ok(ledger_pair_was_asked(l, pair.id, revision, EH_STR("sim"), &was, &err),
              err);
    assert_false(was);
    ledger_unmade(l);
}

/* ---- judges, runs, labels ---- */

static void test_judges_and_runs(void **state) {
    (void)state;
    ledger *l = ledger_made();
    eh_error err;
    eh_arena arena;
    ledger_run *runs;
    size_t n;
    int64_t row;
    arena_init(&arena, 1 << 20);
    ledger_judge j = {.judge = EH_STR("sim"),
                      .template_name = EH_STR("score"),
                      .template_text = EH_STR("a template"),
                      .evidence_first = true,
                      .params = EH_STR("{\"temperature\": 0}")};
    int64_t judge = judge_made(l, "sim");
    assert_int_equal(judge_made(l, "sim"), judge);
    assert_ok(ledger_judge_find(l, &j, &row, &err), err);
    assert_int_equal(row, judge);
    j.evidence_first = false;
    assert_ok(ledger_judge_find(l, &j, &row, &err), err);
    assert_int_equal(row, 0);
    j.evidence_first = true;
    j.params = EH_STR("{}");
    assert_ok(ledger_judge_put(l, &j, &row, &err), err);
    assert_int_not_equal(row, judge);
    int64_t first = run_made(l, judge, "bpc", 1, 3);
    assert_int_equal(run_made(l, judge, "bpc", 1, 3), first);
    assert_int_not_equal(run_made(l, judge, "mec+bpc", 1, 3), first);
    assert_int_not_equal(run_made(l, judge, "mec+bpc", 2, 3), first);
    for (int k = 3; k < 20; k++)
        (void)run_made(l, judge, "mec", k, 1);
    assert_ok(ledger_runs(l, &arena, &runs, &n, &err), err);
    assert_int_equal(n, 20); /* more than the first piece of the list holds */
    assert_int_equal(runs[0].row, first);
    assert_text(runs[0].method, "bpc");
    assert_text(runs[0].judge.judge, "sim");
    assert_text(runs[0].judge.template_text, "a template");
    assert_true(runs[0].judge.evidence_first);
    assert_int_equal(runs[0].orders, 3);
    assert_int_equal(runs[19].k, 19);
    assert_false(runs[19].imported);
    assert_text(runs[19].options, "");
    arena_deinit(&arena);
    ledger_unmade(l);
}

typedef struct label_list {
    int n;
    char text[200];
} label_list;

static eh_status add_label(void *self, eh_str pair_id, const ledger_label *l,
                           eh_error *err) {
    label_list *list = self;
    size_t used = strlen(list->text);
    (void)err;
    list->n++;
    (void)snprintf(list->text + used, sizeof list->text - used, "%.*s %.*s %s %d %d;",
                   EH_STR_ARG(pair_id), EH_STR_ARG(l->annotator),
                   eh_verdict_name(l->label), l->side, l->familiar);
    return EH_STATUS_OK;
}

static eh_status refuse_label(void *self, eh_str pair_id, const ledger_label *l,
                              eh_error *err) {
    (void)self;
    (void)pair_id;
    (void)l;
    return EH_FAIL(err, EH_STATUS_IO, "no room");
}

static void test_labels(void **state) {
    (void)state;
    ledger *l = ledger_made();
    eh_error err;
    bool removed;
    int64_t counts[4];
    dataset_pair pairs[] = {pair_of("b", "q", "x", "y"), pair_of("a", "r", "x", "y")};
    label_list list = {0};
    stage_all(l, pairs, 2);
    label(l, "a", "bob", V1);
    label(l, "a", "ann", V2);
    ledger_label full = {.pair_row = row_of(l, "b"),
                         .annotator = EH_STR("ann"),
                         .label = EH_VERDICT_TIE,
                         .side = O21,
                         .familiar = 0};
    assert_ok(ledger_label_put(l, &full, &err), err);
    label(l, "a", "bob", V2); /* a change of mind replaces */
    assert_ok(ledger_labels_each(l, add_label, &list, &err), err);
    assert_string_equal(list.text, "b ann tie 1 0;a ann 2 -1 -1;a bob 2 -1 -1;");
    assert_fails(ledger_labels_each(l, refuse_label, NULL, &err), EH_STATUS_IO, err,
                 "no room");
    assert_ok(ledger_label_counts(l, row_of(l, "a"), counts, &err), err);
    assert_true(counts[V1] == 0 && counts[V2] == 2);
    assert_ok(ledger_label_remove(l, row_of(l, "a"), EH_STR("bob"), &removed, &err),
              err);
    assert_true(removed);
    assert_ok(ledger_label_remove(l, row_of(l, "a"), EH_STR("bob"), &removed, &err),
              err);
    assert_false(removed);
    ledger_rollback(l);
    assert_ok(ledger_label_counts(l, row_of(l, "a"), counts, &err), err);
    assert_int_equal(counts[V2], 2);
    ledger_unmade(l);
}

/* ---- joins ---- */

static dataset_text text_row(const char *id, const char *text, int64_t line) {
    return (dataset_text){.id = eh_str_of(id), .text = eh_str_of(text), .line = line};
}

static void count_left(void *to, const dataset_text *text) {
    label_list *list = to;
    size_t used = strlen(list->text);
    (void)snprintf(list->text + used, sizeof list->text - used, "%.*s@%d;",
                   EH_STR_ARG(text->id), (int)text->line);
}

static void join_once(ledger *l) {
    eh_error err;
    int64_t first_line;
    bool found;
    dataset_text one, two;
    label_list left = {0};
    assert_ok(ledger_stage_begin(l, &err), err);
    dataset_stage s = ledger_stage(l);
    const dataset_text rows[] = {text_row("a", "A", 1), text_row("b", "B", 2),
                                 text_row("c", "C", 3), text_row("a", "AA", 4)};
    for (int i = 0; i < 4; i++) {
        assert_ok(s.put_text(s.self, DATASET_ANSWERS_1, &rows[i], &first_line, &err),
                  err);
        assert_int_equal(first_line, i == 3 ? 1 : 0);
    }
    dataset_text other = text_row("a", "other", 7);
    other.model = EH_STR("oak");
    assert_ok(s.put_text(s.self, DATASET_ANSWERS_2, &other, &first_line, &err), err);
    assert_int_equal(first_line, 0); /* tables are apart */
    assert_ok(s.get_text(s.self, DATASET_ANSWERS_1, EH_STR("a"), &one, &found, &err),
              err);
    assert_true(found);
    assert_ok(s.get_text(s.self, DATASET_ANSWERS_2, EH_STR("a"), &two, &found, &err),
              err);
    assert_true(found);
    assert_text(one.text, "A"); /* outlives a look into another table */
    assert_absent(one.model);
    assert_text(two.text, "other");
    assert_text(two.model, "oak");
    assert_ok(s.get_text(s.self, DATASET_ANSWERS_2, EH_STR("b"), &two, &found, &err),
              err);
    assert_false(found);
    assert_ok(s.each_left(s.self, DATASET_ANSWERS_1, count_left, &left, &err), err);
    assert_string_equal(left.text, "b@2;c@3;");
    assert_fails(s.get_text(s.self, 99, EH_STR("a"), &one, &found, &err),
                 EH_STATUS_USAGE, err, "files can be read together");
}

/* A second staging on the same ledger begins with empty tables, whether the first one
 * was kept or not. */
static void test_joins(void **state) {
    (void)state;
    ledger *l = ledger_made();
    eh_error err;
    uint8_t digest[HASH_BYTES] = {1};
    join_once(l);
    ledger_rollback(l);
    join_once(l);
    assert_ok(ledger_stage_end(l, digest, "join", MADE_AT_MS, &err), err);
    join_once(l);
    assert_ok(ledger_stage_end(l, digest, "join", MADE_AT_MS, &err), err);
    ledger_unmade(l);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_revisions),
        cmocka_unit_test(test_revision_fields),
        cmocka_unit_test(test_duplicate_and_rollback),
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_pages),
        cmocka_unit_test(test_cursors),
        cmocka_unit_test(test_bare_pairs),
        cmocka_unit_test(test_shared_call),
        cmocka_unit_test(test_samples),
        cmocka_unit_test(test_usage_sums),
        cmocka_unit_test(test_judge_seconds),
        cmocka_unit_test(test_match),
        cmocka_unit_test(test_was_asked),
        cmocka_unit_test(test_judges_and_runs),
        cmocka_unit_test(test_labels),
        cmocka_unit_test(test_joins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
