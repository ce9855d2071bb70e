/* SPDX-License-Identifier: MIT
 *
 * The tables, and the few helpers that every statement goes through.
 *
 *   dataset   a data set that was staged; the last one is the scope
 *   pair      a revision of a pair; `seq` is its place in the scope or NULL
 *   pair_text its texts, apart, so that they can be purged
 *   judge     judge id, template with its text, requested parameters
 *   run       a judge under a method with its numbers; session: one process at work
 *   call      one sample that was paid for, by the hash of what was asked; an answer
 *             that a refresh replaced stays, under that hash and its own row number
 *   reply     the call's texts; sample: the verdict that was read, in slots
 *   logprobs  of a reply's tokens where they were asked for, apart, since they are
 *             large and can be purged by themselves
 *   ask       pair x stage x order x sample -> call
 *   attempt   calls that gave nothing
 *   request   what was sent to endpoints, counted by what became of it
 *   label     what people said, bound to the revision they saw
 *   queue, queue_item, instructions, annotator, assignment, decision, peek: queue.h
 *
 * Instants are Unix milliseconds UTC. Left out: rulings and statistics, which are
 * always recomputed, and keys or headers, which never enter a ledger.
 */
#include "ledger/schema.h"

#include <errno.h>

#define LOGPROBS_TABLE                                                                 \
    "CREATE TABLE logprobs("                                                           \
    " call INTEGER PRIMARY KEY REFERENCES call(id), content TEXT NOT NULL);"

#define PAIR_INDEX                                                                     \
    "CREATE INDEX IF NOT EXISTS pair_question ON pair(question_hash, seq) WHERE seq "  \
    "IS NOT NULL;"
#define ASK_INDEX "CREATE INDEX IF NOT EXISTS ask_call ON ask(call);"

#define REQUEST_TABLE                                                                  \
    "CREATE TABLE request("                                                            \
    " session INTEGER NOT NULL, judge INTEGER NOT NULL, outcome TEXT NOT NULL,"        \
    " n INTEGER NOT NULL, PRIMARY KEY(session, judge, outcome)) WITHOUT ROWID;"

/* The first ledgers of version 1 had no indexes of questions and calls. */
const char *const ledger_migration_sql[LEDGER_SCHEMA_VERSION] = {
    [1] = LOGPROBS_TABLE PAIR_INDEX ASK_INDEX,
    [2] = REQUEST_TABLE,
    [3] = "ALTER TABLE label ADD COLUMN adjudicated INTEGER NOT NULL DEFAULT "
          "0;" LEDGER_QUEUE_TABLES("CREATE TABLE"),
    [4] = "ALTER TABLE label ADD COLUMN unblind INTEGER NOT NULL DEFAULT "
          "0;" LEDGER_PEEK_TABLE("CREATE TABLE")};

#define LABEL_VIEW(adjudicated)                                                        \
    "CREATE TEMP VIEW label AS SELECT pair, annotator, label, side, familiar, note, "  \
    "time, " adjudicated                                                               \
    ", 0 AS unblind FROM main.label;" LEDGER_PEEK_TABLE("CREATE TEMP TABLE")
#define WITHOUT_LABELLING                                                              \
    LABEL_VIEW("0 AS adjudicated") LEDGER_QUEUE_TABLES("CREATE TEMP TABLE")

const char *const ledger_reading_sql[LEDGER_SCHEMA_VERSION + 1] = {
    [0] = WITHOUT_LABELLING,
    [1] = WITHOUT_LABELLING,
    [2] = WITHOUT_LABELLING,
    [3] = WITHOUT_LABELLING,
    [4] = LABEL_VIEW("adjudicated")};

const char ledger_schema_sql[] =
    "CREATE TABLE dataset("
    " id INTEGER PRIMARY KEY, digest BLOB NOT NULL, name TEXT NOT NULL,"
    " n_pairs INTEGER NOT NULL, staged_ms INTEGER NOT NULL);"
    "CREATE TABLE pair("
    " id INTEGER PRIMARY KEY, pair_id TEXT NOT NULL, revision BLOB NOT NULL,"
    " seq INTEGER, line INTEGER NOT NULL, question_hash INTEGER NOT NULL,"
    " model_1 TEXT, model_2 TEXT, category TEXT,"
    " answer_1_cp INTEGER NOT NULL, answer_2_cp INTEGER NOT NULL,"
    " UNIQUE(pair_id, revision));"
    "CREATE INDEX pair_seq ON pair(seq) WHERE seq IS NOT NULL;" PAIR_INDEX
    "CREATE TABLE pair_text("
    " pair INTEGER PRIMARY KEY REFERENCES pair(id), question TEXT NOT NULL,"
    " answer_1 TEXT NOT NULL, answer_2 TEXT NOT NULL, reference TEXT,"
    " short_question TEXT, turns TEXT, meta TEXT);"
    "CREATE TABLE judge("
    " id INTEGER PRIMARY KEY, identity BLOB NOT NULL UNIQUE, judge TEXT NOT NULL,"
    " template TEXT NOT NULL, template_text TEXT NOT NULL,"
    " evidence_first INTEGER NOT NULL, params TEXT NOT NULL);"
    "CREATE TABLE run("
    " id INTEGER PRIMARY KEY, judge INTEGER NOT NULL REFERENCES judge(id),"
    " method TEXT NOT NULL, k INTEGER NOT NULL, orders INTEGER NOT NULL,"
    " imported INTEGER NOT NULL, options TEXT NOT NULL, created_ms INTEGER NOT NULL,"
    " UNIQUE(judge, method, k, orders, imported, options));"
    "CREATE TABLE session("
    " id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES run(id),"
    " version TEXT NOT NULL, started_ms INTEGER NOT NULL, ended_ms INTEGER,"
    " status TEXT, n_new INTEGER, n_reused INTEGER, refresh_ms INTEGER);"
    "CREATE TABLE call("
    " id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE,"
    " judge INTEGER NOT NULL REFERENCES judge(id), session INTEGER NOT NULL,"
    " stream INTEGER NOT NULL, sample INTEGER NOT NULL, effective TEXT, model TEXT,"
    " fingerprint TEXT, finish_reason TEXT, done_ms INTEGER NOT NULL,"
    " latency_ms INTEGER, n_attempts INTEGER NOT NULL, n_neutralised INTEGER NOT NULL,"
    " prompt_tokens INTEGER, cached_tokens INTEGER, completion_tokens INTEGER,"
    " reasoning_tokens INTEGER);"
    "CREATE TABLE reply("
    " call INTEGER PRIMARY KEY REFERENCES call(id), content TEXT, reasoning TEXT,"
    " refusal TEXT);" LOGPROBS_TABLE "CREATE TABLE sample("
    " call INTEGER PRIMARY KEY REFERENCES call(id), verdict INTEGER NOT NULL,"
    " score_first REAL, score_second REAL, rating INTEGER, reason TEXT,"
    " warnings INTEGER NOT NULL, reader INTEGER NOT NULL);"
    "CREATE TABLE ask("
    " judge INTEGER NOT NULL REFERENCES judge(id), stream INTEGER NOT NULL,"
    " pair INTEGER NOT NULL REFERENCES pair(id), stage INTEGER NOT NULL,"
    " ord INTEGER NOT NULL, sample INTEGER NOT NULL,"
    " call INTEGER NOT NULL REFERENCES call(id),"
    " PRIMARY KEY(judge, stream, pair, stage, ord, sample)) WITHOUT ROWID;" ASK_INDEX
    "CREATE TABLE attempt("
    " id INTEGER PRIMARY KEY, session INTEGER NOT NULL, judge INTEGER NOT NULL,"
    " pair INTEGER NOT NULL, stage INTEGER NOT NULL, ord INTEGER NOT NULL,"
    " sample INTEGER NOT NULL, at_ms INTEGER NOT NULL, message TEXT);" REQUEST_TABLE
    "CREATE TABLE label("
    " pair INTEGER NOT NULL REFERENCES pair(id), annotator TEXT NOT NULL,"
    " label INTEGER NOT NULL, side INTEGER, familiar INTEGER, note TEXT, time TEXT,"
    " adjudicated INTEGER NOT NULL DEFAULT 0, unblind INTEGER NOT NULL DEFAULT 0,"
    " PRIMARY KEY(pair, annotator)) WITHOUT ROWID;" LEDGER_QUEUE_TABLES("CREATE TABLE")
        LEDGER_PEEK_TABLE("CREATE TABLE");

static const char *const stmt_sql[] = {
#define X(id, sql) sql,
    LEDGER_STMT_LIST(X) LEDGER_QUEUE_STMT_LIST(X)
#undef X
};

eh_status ledger_fault(const ledger *l, const char *file, int line, eh_error *err) {
    int code = sqlite3_errcode(l->db);
    int os_errno = sqlite3_system_errno(l->db);
    const char *why = sqlite3_errmsg(l->db);
    switch (code & 0xFF) {
    case SQLITE_NOMEM:
        return eh_error_set(err, file, line, EH_STATUS_NOMEM, "out of memory");
    case SQLITE_FULL: why = strerror(ENOSPC); break;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB: why = "the ledger is damaged; go back to a copy of it"; break;
    case SQLITE_BUSY:
        why = "another program uses the ledger; try again when it has ended";
        break;
    case SQLITE_READONLY:
        why =
            sqlite3_extended_errcode(l->db) == SQLITE_READONLY_ROLLBACK
                ? "an import was cut off before its end; repeat it, or delete the file"
                : "the ledger is read-only";
        break;
    case SQLITE_IOERR:
    case SQLITE_CANTOPEN:
        if (os_errno) why = strerror(os_errno);
        break;
    default: break;
    }
    return eh_error_set(err, file, line, EH_STATUS_LEDGER, "%s: %s", l->path, why);
}

eh_status ledger_stmt_get(ledger *l, ledger_stmt id, sqlite3_stmt **stmt,
                          eh_error *err) {
    if (!l->stmts[id]) {
        int code = sqlite3_prepare_v3(l->db, stmt_sql[id], -1,
                                      SQLITE_PREPARE_PERSISTENT, &l->stmts[id], NULL);
        if (code != SQLITE_OK) return LEDGER_FAULT(l, err);
    }
    *stmt = l->stmts[id];
    (void)sqlite3_reset(*stmt);
    (void)sqlite3_clear_bindings(*stmt);
    return EH_STATUS_OK;
}

eh_status ledger_stmt_row(ledger *l, sqlite3_stmt *stmt, bool *got, eh_error *err) {
    int code = sqlite3_step(stmt);
    *got = code == SQLITE_ROW;
    if (code == SQLITE_ROW) return EH_STATUS_OK;
    eh_status status = code == SQLITE_DONE ? EH_STATUS_OK : LEDGER_FAULT(l, err);
    (void)sqlite3_reset(stmt);
    return status;
}

eh_status ledger_stmt_done(ledger *l, sqlite3_stmt *stmt, eh_error *err) {
    bool got;
    EH_TRY(ledger_stmt_row(l, stmt, &got, err));
    (void)sqlite3_reset(stmt);
    return EH_STATUS_OK;
}

eh_status ledger_stmt_i64(ledger *l, sqlite3_stmt *stmt, int64_t *value,
                          eh_error *err) {
    bool got;
    EH_TRY(ledger_stmt_row(l, stmt, &got, err));
    *value = got ? sqlite3_column_int64(stmt, 0) : 0;
    (void)sqlite3_reset(stmt);
    return EH_STATUS_OK;
}

void ledger_bind_str(sqlite3_stmt *stmt, int index, eh_str s) {
    if (eh_str_is_absent(s))
        (void)sqlite3_bind_null(stmt, index);
    else
        (void)sqlite3_bind_text64(stmt, index, s.ptr, s.len, SQLITE_STATIC,
                                  SQLITE_UTF8);
}

void ledger_bind_known(sqlite3_stmt *stmt, int index, int64_t value) {
    if (value < 0)
        (void)sqlite3_bind_null(stmt, index);
    else
        (void)sqlite3_bind_int64(stmt, index, value);
}

int64_t ledger_column_known(sqlite3_stmt *stmt, int column) {
    return sqlite3_column_type(stmt, column) == SQLITE_NULL
               ? -1
               : sqlite3_column_int64(stmt, column);
}

eh_str ledger_column_str(sqlite3_stmt *stmt, int column) {
    if (sqlite3_column_type(stmt, column) == SQLITE_NULL) return (eh_str){NULL, 0};
    const char *text = (const char *)sqlite3_column_text(stmt, column);
    return (eh_str){text ? text : "", (size_t)sqlite3_column_bytes(stmt, column)};
}
