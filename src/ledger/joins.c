/* SPDX-License-Identifier: MIT
 *
 * Staging of files that are joined by id: questions and answers wait in a temporary
 * table until their partners have been read, so that a join of any size runs in
 * constant memory. The table belongs to the connection and is gone when it closes; each
 * staging finds it empty.
 */
#include "ledger/schema.h"

static const char create_sql[] =
    "CREATE TEMP TABLE IF NOT EXISTS join_text("
    " tab INTEGER NOT NULL, id TEXT NOT NULL, kind INTEGER NOT NULL, text TEXT,"
    " model TEXT, meta TEXT, line INTEGER NOT NULL, taken INTEGER NOT NULL DEFAULT 0,"
    " seq INTEGER PRIMARY KEY);"
    "CREATE UNIQUE INDEX IF NOT EXISTS temp.join_id ON join_text(tab, id);"
    "DELETE FROM join_text;";

static eh_status ready(ledger *l, eh_error *err) {
    if (l->join_ready) return EH_STATUS_OK;
    if (sqlite3_exec(l->db, create_sql, NULL, NULL, NULL) != SQLITE_OK)
        return LEDGER_FAULT(l, err);
    l->join_ready = true;
    return EH_STATUS_OK;
}

static eh_status put_text(void *self, int table, const dataset_text *text,
                          int64_t *first_line, eh_error *err) {
    ledger *l = self;
    sqlite3_stmt *s;
    EH_TRY(ready(l, err));
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_JOIN_LINE, &s, err));
    (void)sqlite3_bind_int(s, 1, table);
    ledger_bind_str(s, 2, text->id);
    EH_TRY(ledger_stmt_i64(l, s, first_line, err));
    if (*first_line) return EH_STATUS_OK;
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_JOIN_PUT, &s, err));
    (void)sqlite3_bind_int(s, 1, table);
    ledger_bind_str(s, 2, text->id);
    (void)sqlite3_bind_int(s, 3, (int)text->id_kind);
    ledger_bind_str(s, 4, text->text);
    ledger_bind_str(s, 5, text->model);
    ledger_bind_str(s, 6, text->meta_json);
    (void)sqlite3_bind_int64(s, 7, text->line);
    return ledger_stmt_done(l, s, err);
}

/* One statement a table, so that the strings of one outlive a look into another. */
static eh_status get_stmt(ledger *l, int table, sqlite3_stmt **stmt, eh_error *err) {
    if (table < 0 || table >= LEDGER_JOIN_TABLES_MAX)
        return EH_FAIL(err, EH_STATUS_USAGE, "at most %d files can be read together",
                       LEDGER_JOIN_TABLES_MAX);
    if (!l->join_get[table] &&
        sqlite3_prepare_v2(l->db,
                           "SELECT kind, text, model, meta, line FROM join_text "
                           "WHERE tab = ?1 AND id = ?2",
                           -1, &l->join_get[table], NULL) != SQLITE_OK)
        return LEDGER_FAULT(l, err);
    *stmt = l->join_get[table];
    (void)sqlite3_reset(*stmt);
    return EH_STATUS_OK;
}

static eh_status get_text(void *self, int table, eh_str id, dataset_text *text,
                          bool *found, eh_error *err) {
    ledger *l = self;
    sqlite3_stmt *s;
    *found = false;
    EH_TRY(ready(l, err));
    /* marked first: the row must not change while its strings are lent out */
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_JOIN_TAKE, &s, err));
    (void)sqlite3_bind_int(s, 1, table);
    ledger_bind_str(s, 2, id);
    EH_TRY(ledger_stmt_done(l, s, err));
    EH_TRY(get_stmt(l, table, &s, err));
    (void)sqlite3_bind_int(s, 1, table);
    (void)sqlite3_bind_text64(s, 2, id.ptr, id.len, SQLITE_TRANSIENT, SQLITE_UTF8);
    EH_TRY(ledger_stmt_row(l, s, found, err));
    if (!*found) return EH_STATUS_OK;
    *text = (dataset_text){.id = id,
                           .id_kind = (dataset_id_kind)sqlite3_column_int(s, 0),
                           .text = ledger_column_str(s, 1),
                           .model = ledger_column_str(s, 2),
                           .meta_json = ledger_column_str(s, 3),
                           .line = sqlite3_column_int64(s, 4)};
    return EH_STATUS_OK;
}

static eh_status each_left(void *self, int table,
                           void (*each)(void *to, const dataset_text *text), void *to,
                           eh_error *err) {
    ledger *l = self;
    sqlite3_stmt *s;
    EH_TRY(ready(l, err));
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_JOIN_LEFT, &s, err));
    (void)sqlite3_bind_int(s, 1, table);
    for (bool got = true; got;) {
        EH_TRY(ledger_stmt_row(l, s, &got, err));
        if (!got) break;
        dataset_text text = {.id = ledger_column_str(s, 0),
                             .id_kind = (dataset_id_kind)sqlite3_column_int(s, 1),
                             .line = sqlite3_column_int64(s, 2)};
        each(to, &text);
    }
    return EH_STATUS_OK;
}

dataset_stage ledger_stage(ledger *l) {
    return (dataset_stage){.self = l,
                           .put = ledger_stage_put,
                           .put_text = put_text,
                           .get_text = get_text,
                           .each_left = each_left};
}
