/* SPDX-License-Identifier: MIT
 *
 * Merging two small ledgers: what is counted, which rows there are, what is told of
 * labels, and that a failure leaves nothing.
 */
#include "base/mem.h"
#include "ledger/embeddings.h"
#include "ledger/merge.h"
#include "ledger_make.h"

static const char *const ids[] = {"p1", "p2", "p3"};

/* A ledger file with the pairs from `first` on, a bpc run and its votes. */
static void write_ledger(made_folder *f, const char *name, size_t first, size_t n) {
    eh_error err;
    ledger *l;
    dataset_pair pairs[3];
    assert_ok(ledger_open(made_path(f, name), LEDGER_CREATE, &l, &err), err);
    for (size_t i = 0; i < n; i++)
        pairs[i] = pair_of(ids[first + i], ids[first + i], "one", "two");
    stage_all(l, pairs, n);
    int64_t judge = judge_made(l, "sim");
    (void)run_made(l, judge, "bpc", 1, PLAN_ORDERS_BOTH);
    for (size_t i = 0; i < n; i++)
        for (int o = 0; o < EH_ORDER_N; o++)
            (void)put(l, judge, ids[first + i],
                      vote_of((eh_order)o, 0, first ? EH_VERDICT_2 : EH_VERDICT_1));
    label(l, "p2", "ann", first ? EH_VERDICT_2 : EH_VERDICT_1);
    label(l, "p2", "bob", EH_VERDICT_TIE);
    ledger_unmade(l);
}

static void count_conflict(void *self, const ledger_label_conflict *c) {
    int *n = self;
    assert_text(c->pair_id, "p2");
    assert_text(c->annotator, "ann");
    assert_int_equal(c->before, EH_VERDICT_1);
    assert_int_equal(c->source, EH_VERDICT_2);
    assert_true(c->takes_source);
    (*n)++;
}

static ledger_merge_counts merge(ledger *l, made_folder *f, const char *name,
                                 const ledger_merge_options *o) {
    eh_error err;
    ledger_merge_counts counts;
    assert_ok(ledger_merge(l, made_path(f, name), o, &counts, &err), err);
    return counts;
}

static void test_counts(void **state) {
    (void)state;
    made_folder f = made_folder_new();
    int n_conflicts = 0;
    ledger_merge_options o = {.on_label_conflict = count_conflict,
                              .self = &n_conflicts};
    write_ledger(&f, "a.db", 0, 2);
    write_ledger(&f, "b.db", 1, 2);
    ledger *l = ledger_made();
    ledger_merge_counts a = merge(l, &f, "a.db", &o);
    assert_int_equal(a.n_pairs, 2);
    assert_int_equal(a.n_new_pairs, 2);
    assert_int_equal(a.n_new_calls, 4);
    assert_int_equal(a.n_new_labels, 2);
    assert_int_equal(n_conflicts, 0);
    /* p2 is in both; what was said of it first stays */
    ledger_merge_counts b = merge(l, &f, "b.db", &o);
    assert_int_equal(b.n_pairs, 2);
    assert_int_equal(b.n_new_pairs, 1);
    assert_int_equal(b.n_calls, 4);
    assert_int_equal(b.n_new_labels, 0);
    assert_int_equal(b.n_label_conflicts, 1);
    assert_int_equal(n_conflicts, 1);

    eh_error err;
    int64_t counts[4], n;
    assert_ok(ledger_count_pairs(l, &n, &err), err);
    assert_int_equal(n, 3);
    assert_ok(ledger_label_counts(l, row_of(l, "p2"), counts, &err), err);
    assert_int_equal(counts[EH_VERDICT_2], 1);
    assert_int_equal(counts[EH_VERDICT_TIE], 1);
    assert_int_equal(counts[EH_VERDICT_1], 0);
    ledger_unmade(l);
    made_folder_free(&f);
}

static void test_without_texts(void **state) {
    (void)state;
    eh_error err;
    eh_arena arena;
    ledger_texts texts;
    plan_sample samples[4];
    size_t n;
    made_folder f = made_folder_new();
    ledger_merge_options o = {.without_texts = true};
    write_ledger(&f, "a.db", 0, 2);
    ledger *l = ledger_made();
    (void)merge(l, &f, "a.db", &o);
    arena_init(&arena, 1 << 20);
    assert_fails(ledger_pair_texts(l, row_of(l, "p1"), &texts, &arena, &err),
                 EH_STATUS_LEDGER, err, "purged");
    ledger_ask whose = {.judge_row = judge_made(l, "sim"), .pair_row = row_of(l, "p1")};
    assert_ok(ledger_samples(l, &whose, 0, samples, 4, &n, &err), err);
    assert_int_equal(n, 2);
    arena_deinit(&arena);
    ledger_unmade(l);
    made_folder_free(&f);
}

/* A ledger with one session's requests; the second ledger is a later copy of the first.
 */
static void write_requests(made_folder *f, const char *name, int64_t n_answered,
                           bool ended) {
    eh_error err;
    ledger *l;
    int64_t session;
    assert_ok(ledger_open(made_path(f, name), LEDGER_CREATE, &l, &err), err);
    int64_t judge = judge_made(l, "sim");
    ledger_session one = {.run_row = run_made(l, judge, "bpc", 1, PLAN_ORDERS_BOTH),
                          .started_ms = 1000,
                          .refresh_ms = -1};
    assert_ok(ledger_session_begin(l, &one, &session, &err), err);
    ledger_requests r[] = {{EH_STR("answered"), n_answered}, {EH_STR("http_503"), 2}};
    for (size_t i = 0; i < sizeof r / sizeof r[0]; i++)
        assert_ok(ledger_requests_add(l, session, judge, &r[i], &err), err);
    if (ended)
        assert_ok(ledger_session_end(l, session, 2000, "complete", n_answered, 0, &err),
                  err);
    assert_ok(ledger_commit(l, &err), err);
    ledger_unmade(l);
}

static void test_requests(void **state) {
    (void)state;
    eh_error err;
    eh_arena arena;
    ledger_requests *sums;
    size_t n;
    made_folder f = made_folder_new();
    ledger_merge_options o = {0};
    write_requests(&f, "a.db", 5, false);
    write_requests(&f, "b.db", 7, true);
    ledger *l = ledger_made();
    (void)merge(l, &f, "a.db", &o);
    (void)merge(l, &f, "b.db", &o);
    (void)merge(l, &f, "a.db", &o);
    arena_init(&arena, 1 << 20);
    assert_ok(ledger_requests_sum(l, judge_made(l, "sim"), &arena, &sums, &n, &err),
              err);
    assert_int_equal(n, 2);
    assert_text(sums[0].outcome, "answered");
    assert_int_equal(sums[0].n, 7);
    assert_text(sums[1].outcome, "http_503");
    assert_int_equal(sums[1].n, 2);
    ledger_timing t;
    assert_ok(ledger_timing_sum(l, judge_made(l, "sim"), &t, &err), err);
    assert_int_equal(t.n_sessions, 1);
    arena_deinit(&arena);
    ledger_unmade(l);
    made_folder_free(&f);
}

static void embed(ledger *l, const char *id, const char *text, const float *vector,
                  size_t n_dims) {
    uint8_t key[HASH_BYTES];
    eh_error err;
    int64_t row;
    assert_ok(ledger_embedder_put(l, eh_str_of(id), &row, &err), err);
    ledger_embedding_key(eh_str_of(id), eh_str_of(text), key);
    ledger_embedding e = {.key = key,
                          .embedder_row = row,
                          .session_row = 1,
                          .vector = n_dims ? vector : NULL,
                          .n_dims = n_dims,
                          .reason = n_dims ? VERDICT_REASON_NONE
                                           : VERDICT_REASON_CONTENT_FILTER,
                          .prompt_tokens = 3,
                          .done_ms = MADE_AT_MS};
    assert_ok(ledger_embedding_put(l, &e, &err), err);
}

static ledger_embedding_sum embedded(ledger *l, const char *id) {
    ledger_embedding_sum sum;
    eh_error err;
    assert_ok(ledger_embeddings_sum(l, eh_str_of(id), &sum, &err), err);
    return sum;
}

static void write_vectors(made_folder *f, const char *name, const char *own,
                          size_t n_dims) {
    static const float v[] = {.5F, -1, 2};
    eh_error err;
    ledger *l;
    assert_ok(ledger_open(made_path(f, name), LEDGER_CREATE, &l, &err), err);
    (void)judge_made(l, "sim");
    embed(l, own, "own", v, 1);
    embed(l, "e", "same", v, n_dims);
    embed(l, "e", own, v, n_dims);
    embed(l, "e", "refused", v, 0);
    assert_ok(ledger_commit(l, &err), err);
    ledger_unmade(l);
}

/* Each text once, under the embedder's name; vectors of another size are another
 * model's. */
static void test_embeddings(void **state) {
    (void)state;
    made_folder f = made_folder_new();
    ledger_merge_options o = {0};
    write_ledger(&f, "none.db", 0, 2);
    write_vectors(&f, "a.db", "a", 2);
    write_vectors(&f, "b.db", "b", 2);
    write_vectors(&f, "c.db", "c", 3);
    ledger *l = ledger_made();
    (void)merge(l, &f, "none.db", &o);
    assert_int_equal(embedded(l, "e").n_texts, 0);
    (void)merge(l, &f, "b.db", &o);
    (void)merge(l, &f, "a.db", &o);
    (void)merge(l, &f, "a.db", &o);
    ledger_embedding_sum e = embedded(l, "e");
    assert_int_equal(e.n_texts, 3);
    assert_int_equal(e.n_refused, 1);
    assert_int_equal(e.prompt_tokens, 9);
    assert_int_equal(e.n_dims, 2);
    assert_int_equal(embedded(l, "a").n_texts, 1);
    assert_int_equal(embedded(l, "b").n_texts, 1);
    (void)merge(l, &f, "c.db", &o);
    assert_int_equal(embedded(l, "e").n_texts, 3);
    assert_int_equal(embedded(l, "c").n_texts, 1);
    uint8_t key[HASH_BYTES];
    ledger_embedding got;
    bool found;
    eh_error err;
    eh_arena arena;
    arena_init(&arena, 1 << 16);
    ledger_embedding_key(EH_STR("e"), EH_STR("a"), key);
    assert_ok(ledger_embedding_get(l, key, &arena, &got, &found, &err), err);
    assert_true(found && got.n_dims == 2);
    assert_true(got.vector[0] == .5F && got.vector[1] == -1);
    arena_deinit(&arena);
    ledger_unmade(l);
    made_folder_free(&f);
}

/* A file that is none, and memory that ends: the ledger is as it was. */
static void test_failures(void **state) {
    (void)state;
    eh_error err;
    ledger_merge_counts counts;
    made_folder f = made_folder_new();
    ledger_merge_options o = {0};
    write_ledger(&f, "a.db", 0, 2);
    (void)made_file(&f, "text", "not a ledger");
    ledger *l = ledger_made();
    assert_fails(ledger_merge(l, made_path(&f, "text"), &o, &counts, &err),
                 EH_STATUS_LEDGER, err, "not an Evenhand ledger");
    assert_fails(ledger_merge(l, made_path(&f, "none"), &o, &counts, &err),
                 EH_STATUS_LEDGER, err, "No such file");
    mem_fail_at(1, false);
    assert_int_equal(ledger_merge(l, made_path(&f, "a.db"), &o, &counts, &err),
                     EH_STATUS_NOMEM);
    mem_fail_at(0, false);
    int64_t n;
    assert_ok(ledger_count_pairs(l, &n, &err), err);
    assert_int_equal(n, 0);
    assert_int_equal(merge(l, &f, "a.db", &o).n_new_pairs, 2);
    ledger_unmade(l);
    made_folder_free(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),   cmocka_unit_test(test_without_texts),
        cmocka_unit_test(test_requests), cmocka_unit_test(test_embeddings),
        cmocka_unit_test(test_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
