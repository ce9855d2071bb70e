/* SPDX-License-Identifier: MIT
 *
 * The cache of embeddings.
 *
 *   embedder   who made vectors: backend, model and address
 *   embedding  hash(embedder id, text) -> float32 vector, or why there is none
 *
 * The two tables are made when the first embedder is noted, so a ledger without
 * embeddings, which most are, does not have them, and one that was written before there
 * were any needs no migration. Left out: forgetting. Vectors are small beside replies.
 */
#include "ledger/embeddings.h"

#include "ledger/schema.h"

const char ledger_embeddings_sql[] =
    "CREATE TABLE IF NOT EXISTS embedder("
    " id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);"
    "CREATE TABLE IF NOT EXISTS embedding("
    " key BLOB PRIMARY KEY, embedder INTEGER NOT NULL REFERENCES embedder(id),"
    " session INTEGER NOT NULL, vector BLOB, reason TEXT, model TEXT,"
    " prompt_tokens INTEGER, done_ms INTEGER NOT NULL);";

void ledger_embedding_key(eh_str embedder_id, eh_str text, uint8_t key[HASH_BYTES]) {
    eh_hash h;
    hash_init(&h, "eh-embedding-1");
    hash_str(&h, embedder_id);
    hash_str(&h, text);
    hash_done(&h, key);
}

static eh_status has_tables(ledger *l, bool *has, eh_error *err) {
    sqlite3_stmt *s;
    int64_t found;
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_EMBEDDER_TABLE, &s, err));
    EH_TRY(ledger_stmt_i64(l, s, &found, err));
    *has = found != 0;
    return EH_STATUS_OK;
}

eh_status ledger_embedder_find(ledger *l, eh_str id, int64_t *row, eh_error *err) {
    sqlite3_stmt *s;
    bool has;
    *row = 0;
    EH_TRY(has_tables(l, &has, err));
    if (!has) return EH_STATUS_OK;
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_EMBEDDER_FIND, &s, err));
    ledger_bind_str(s, 1, id);
    return ledger_stmt_i64(l, s, row, err);
}

eh_status ledger_embedder_put(ledger *l, eh_str id, int64_t *row, eh_error *err) {
    sqlite3_stmt *s;
    EH_TRY(ledger_begin(l, err));
    if (sqlite3_exec(l->db, ledger_embeddings_sql, NULL, NULL, NULL) != SQLITE_OK)
        return LEDGER_FAULT(l, err);
    EH_TRY(ledger_embedder_find(l, id, row, err));
    if (*row) return EH_STATUS_OK;
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_EMBEDDER_INSERT, &s, err));
    ledger_bind_str(s, 1, id);
    EH_TRY(ledger_stmt_done(l, s, err));
    *row = sqlite3_last_insert_rowid(l->db);
    return EH_STATUS_OK;
}

eh_status ledger_embedding_put(ledger *l, const ledger_embedding *e, eh_error *err) {
    sqlite3_stmt *s;
    EH_TRY(ledger_begin(l, err));
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_EMBEDDING_INSERT, &s, err));
    (void)sqlite3_bind_blob(s, 1, e->key, HASH_BYTES, SQLITE_STATIC);
    (void)sqlite3_bind_int64(s, 2, e->embedder_row);
    (void)sqlite3_bind_int64(s, 3, e->session_row);
    if (e->vector)
        (void)sqlite3_bind_blob64(s, 4, e->vector, e->n_dims * sizeof *e->vector,
                                  SQLITE_STATIC);
    else
        (void)sqlite3_bind_text(s, 5, verdict_reason_name(e->reason), -1,
                                SQLITE_STATIC);
    ledger_bind_str(s, 6, e->model);
    ledger_bind_known(s, 7, e->prompt_tokens);
    (void)sqlite3_bind_int64(s, 8, e->done_ms);
    return ledger_stmt_done(l, s, err);
}

/* Columns in the order of EMBEDDING_GET; false when the arena is full. */
static bool read_row(sqlite3_stmt *s, eh_arena *arena, ledger_embedding *e) {
    const void *blob = sqlite3_column_blob(s, 0);
    size_t n_bytes = (size_t)sqlite3_column_bytes(s, 0);
    e->n_dims = n_bytes / sizeof *e->vector;
    if (!e->n_dims) e->reason = verdict_reason_parse(ledger_column_str(s, 1));
    if (!e->n_dims || !arena) return true;
    float *copy = arena_alloc(arena, n_bytes);
    if (copy) memcpy(copy, blob, n_bytes);
    e->vector = copy;
    return copy != NULL;
}

eh_status ledger_embedding_get(ledger *l, const uint8_t key[HASH_BYTES],
                               eh_arena *arena, ledger_embedding *e, bool *found,
                               eh_error *err) {
    sqlite3_stmt *s;
    *e = (ledger_embedding){.key = key};
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_EMBEDDING_GET, &s, err));
    (void)sqlite3_bind_blob(s, 1, key, HASH_BYTES, SQLITE_STATIC);
    EH_TRY(ledger_stmt_row(l, s, found, err));
    bool kept = !*found || read_row(s, arena, e);
    (void)sqlite3_reset(s);
    return kept ? EH_STATUS_OK : EH_NOMEM(err);
}

eh_status ledger_embeddings_sum(ledger *l, eh_str embedder_id,
                                ledger_embedding_sum *sum, eh_error *err) {
    sqlite3_stmt *s;
    int64_t row;
    bool got;
    *sum = (ledger_embedding_sum){0};
    EH_TRY(ledger_embedder_find(l, embedder_id, &row, err));
    if (!row) return EH_STATUS_OK;
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_EMBEDDINGS_SUM, &s, err));
    (void)sqlite3_bind_int64(s, 1, row);
    EH_TRY(ledger_stmt_row(l, s, &got, err));
    bool all_known = sqlite3_column_int64(s, 2) == sqlite3_column_int64(s, 0);
    *sum = (ledger_embedding_sum){
        .n_texts = sqlite3_column_int64(s, 0),
        .n_refused = sqlite3_column_int64(s, 1),
        .prompt_tokens = all_known ? sqlite3_column_int64(s, 3) : -1,
        .n_dims = sqlite3_column_int64(s, 4) / (int64_t)sizeof(float),
    };
    (void)sqlite3_reset(s);
    return EH_STATUS_OK;
}
