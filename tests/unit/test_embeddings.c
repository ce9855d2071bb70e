/* SPDX-License-Identifier: MIT
 *
 * Embeddings in the ledger: kept once, read back bit by bit, summed by embedder; and
 * ledgers that have none.
 */
#include "ledger/embeddings.h"
#include "ledger_make.h"

static int64_t embedder(ledger *l, const char *id) {
    int64_t row;
    eh_error err;
    assert_ok(ledger_embedder_put(l, eh_str_of(id), &row, &err), err);
    return row;
}

/* n_dims 0: refused */
static void put_text(ledger *l, const char *id, const char *text, const float *vector,
                     size_t n_dims, int64_t tokens) {
    uint8_t key[HASH_BYTES];
    eh_error err;
    ledger_embedding_key(eh_str_of(id), eh_str_of(text), key);
    ledger_embedding e = {.key = key,
                          .embedder_row = embedder(l, id),
                          .session_row = 1,
                          .vector = n_dims ? vector : NULL,
                          .n_dims = n_dims,
                          .reason = n_dims ? VERDICT_REASON_NONE
                                           : VERDICT_REASON_CONTENT_FILTER,
                          .prompt_tokens = tokens,
                          .done_ms = MADE_AT_MS};
    assert_ok(ledger_embedding_put(l, &e, &err), err);
}

static bool get_text(ledger *l, const char *id, const char *text, eh_arena *arena,
                     ledger_embedding *e) {
    uint8_t key[HASH_BYTES];
    eh_error err;
    bool found;
    ledger_embedding_key(eh_str_of(id), eh_str_of(text), key);
    assert_ok(ledger_embedding_get(l, key, arena, e, &found, &err), err);
    return found;
}

static ledger_embedding_sum sum_of(ledger *l, const char *id) {
    ledger_embedding_sum sum;
    eh_error err;
    assert_ok(ledger_embeddings_sum(l, eh_str_of(id), &sum, &err), err);
    return sum;
}

static void kept_once(void **state) {
    (void)state;
    static const float one[] = {1, -2.5f, 1e-30f}, two[] = {9, 9, 9};
    ledger *l = ledger_made();
    ledger_embedding e;
    eh_arena arena;
    arena_init(&arena, 1 << 20);
    put_text(l, "openai:a", "Text.", one, 3, 7);
    put_text(l, "openai:a", "Text.", two, 3, 8); /* the first stays */
    put_text(l, "openai:b", "Text.", two, 2, 9);
    put_text(l, "openai:a", "Evil.", NULL, 0, -1);
    assert_true(get_text(l, "openai:a", "Text.", &arena, &e));
    assert_int_equal(e.n_dims, 3);
    assert_memory_equal(e.vector, one, sizeof one);
    assert_true(get_text(l, "openai:a", "Text.", NULL, &e));
    assert_int_equal(e.n_dims, 3);
    assert_null(e.vector);
    assert_true(get_text(l, "openai:a", "Evil.", &arena, &e));
    assert_int_equal(e.n_dims, 0);
    assert_int_equal(e.reason, VERDICT_REASON_CONTENT_FILTER);
    assert_false(get_text(l, "openai:a", "text.", &arena, &e));
    assert_false(get_text(l, "openai:", "aText.", &arena, &e));
    arena_deinit(&arena);
    ledger_unmade(l);
}

static void sums(void **state) {
    (void)state;
    static const float v[] = {1, 2, 3, 4};
    ledger *l = ledger_made();
    put_text(l, "a", "x", v, 4, 10);
    put_text(l, "a", "y", v, 4, 0); /* its tokens stand with x of the same list */
    put_text(l, "a", "z", NULL, 0, -1);
    put_text(l, "b", "x", v, 2, -1);
    ledger_embedding_sum a = sum_of(l, "a"), b = sum_of(l, "b"), c = sum_of(l, "c");
    assert_int_equal(a.n_texts, 2);
    assert_int_equal(a.n_refused, 1);
    assert_int_equal(a.prompt_tokens, 10);
    assert_int_equal(a.n_dims, 4);
    assert_int_equal(b.n_texts, 1);
    assert_int_equal(b.prompt_tokens, -1);
    assert_int_equal(b.n_dims, 2);
    assert_int_equal(c.n_texts, 0);
    assert_int_equal(c.n_refused, 0);
    ledger_unmade(l);
}

/* A ledger without embeddings has no tables for them, and one that is read stays so. */
static void ledgers_without(void **state) {
    (void)state;
    static const float v[] = {1};
    made_folder folder = made_folder_new();
    char *path = made_path(&folder, "run.db");
    ledger *l;
    eh_error err;
    int64_t row;
    const dataset_pair pair = pair_of("p", "Why?", "So.", "Not so.");
    assert_ok(ledger_open(path, LEDGER_CREATE, &l, &err), err);
    stage_all(l, &pair, 1);
    assert_int_equal(sum_of(l, "a").n_texts, 0);
    assert_ok(ledger_close(l, &err), err);
    assert_ok(ledger_open(path, LEDGER_READ, &l, &err), err);
    assert_ok(ledger_embedder_find(l, EH_STR("a"), &row, &err), err);
    assert_int_equal(row, 0);
    assert_int_equal(sum_of(l, "a").n_texts, 0);
    assert_ok(ledger_close(l, &err), err);
    /* what was not committed is gone, tables and all */
    assert_ok(ledger_open(path, LEDGER_WRITE, &l, &err), err);
    put_text(l, "a", "x", v, 1, 1);
    ledger_rollback(l);
    assert_int_equal(sum_of(l, "a").n_texts, 0);
    put_text(l, "a", "x", v, 1, 1);
    assert_ok(ledger_commit(l, &err), err);
    assert_ok(ledger_close(l, &err), err);
    assert_ok(ledger_open(path, LEDGER_READ, &l, &err), err);
    assert_int_equal(sum_of(l, "a").n_texts, 1);
    assert_ok(ledger_close(l, &err), err);
    made_folder_free(&folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(kept_once),
                                       cmocka_unit_test(sums),
                                       cmocka_unit_test(ledgers_without)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
