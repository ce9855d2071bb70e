/* SPDX-License-Identifier: MIT
 *
 * Private to ledger/: the tables, and the statements on them.
 */
#ifndef EH_LEDGER_SCHEMA_H
#define EH_LEDGER_SCHEMA_H

#include <sqlite3.h>

#include "ledger/held.h"
#include "ledger/ledger.h"
#include "ledger/queue_sql.h"

/* "EvHd" in the file's header; checked before a file is opened. */
#define LEDGER_APPLICATION_ID 0x45764864
#define LEDGER_SCHEMA_VERSION 5

enum { LEDGER_JOIN_TABLES_MAX = 64 };

/* A call c that answers asks ?4 to ?6, orders ?3, samples below ?2 of judge ?1 about
 * the pairs of the scope. Asks of rows with the same text share their call, which
 * counts once; hence no join. ?8 is the code of the only stage to count, or NULL; ?9
 * is the stream.
 * Unless ?7 (all stages are asked whatever a pair says), what a stage before settled
 * (both orders agree, as slots: a tie twice, or first and second), or what did not fit,
 * is not asked any further, and calls of later stages are not this plan's. */
#define LEDGER_CALL_COUNTS                                                             \
    "c.judge = ?1 AND c.stream = ?9 AND EXISTS (SELECT 1 FROM ask a JOIN pair p ON "   \
    "p.id = a.pair WHERE a.call = c.id AND a.judge = ?1 AND a.stream = ?9 AND "        \
    "a.sample < ?2 AND (1 << a.ord) & ?3 AND a.stage IN (?4, ?5, ?6) AND p.seq IS "    \
    "NOT NULL AND (?8 IS NULL OR a.stage = ?8) AND (?7 OR NOT EXISTS (SELECT 1 FROM "  \
    "ask x JOIN sample v ON v.call = x.call LEFT JOIN ask y ON y.judge = x.judge AND " \
    "y.stream = 0 AND y.pair = x.pair AND y.stage = x.stage AND y.ord = 1 AND "        \
    "y.sample = 0 LEFT JOIN sample w ON w.call = y.call WHERE x.judge = ?1 AND "       \
    "x.stream = 0 AND x.pair = a.pair AND x.stage IN (?4, ?5, ?6) AND x.stage < "      \
    "a.stage AND x.sample = 0 AND (v.reason IN ('context_length', "                    \
    "'prompt_truncated', 'request_too_large') OR (x.ord = 0 AND v.verdict = 3 AND "    \
    "w.verdict = 3) OR (x.ord = 0 AND v.verdict IN (1, 2) AND w.verdict = 3 - "        \
    "v.verdict)))))"

/* What ledger_read_pair reads. */
#define LEDGER_PAIR_COLUMNS                                                            \
    "id, seq, pair_id, question_hash, model_1, model_2, category, answer_1_cp, "       \
    "answer_2_cp, revision, line = 0"

/* X(id, sql): statements that are prepared once and kept. */
#define LEDGER_STMT_LIST(X)                                                            \
    X(SEQ_CLEAR, "UPDATE pair SET seq = NULL WHERE seq IS NOT NULL")                   \
    X(STAGED_FIND, "SELECT line FROM pair WHERE pair_id = ?1 AND seq IS NOT NULL")     \
    X(PAIR_FIND_REVISION, "SELECT id FROM pair WHERE pair_id = ?1 AND revision = ?2")  \
    X(PAIR_OTHER_REVISION,                                                             \
      "SELECT 1 FROM pair WHERE pair_id = ?1 AND revision <> ?2 LIMIT 1")              \
    X(PAIR_INSERT,                                                                     \
      "INSERT INTO pair(pair_id, revision, seq, line, question_hash, model_1, "        \
      "model_2, category, answer_1_cp, answer_2_cp) VALUES (?1, ?2, ?3, ?4, ?5, ?6, "  \
      "?7, ?8, ?9, ?10)")                                                              \
    X(PAIR_UPDATE,                                                                     \
      "UPDATE pair SET seq = ?3, line = ?4, model_1 = ?6, model_2 = ?7, category = "   \
      "?8 WHERE id = ?11")                                                             \
    X(TEXT_INSERT,                                                                     \
      "INSERT INTO pair_text(pair, question, answer_1, answer_2, reference, "          \
      "short_question, turns, meta) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) "          \
      "ON CONFLICT(pair) DO UPDATE SET meta = excluded.meta")                          \
    X(TEXT_GET,                                                                        \
      "SELECT question, answer_1, answer_2, reference, short_question, turns, meta "   \
      "FROM pair_text WHERE pair = ?1")                                                \
    X(DATASET_INSERT,                                                                  \
      "INSERT INTO dataset(digest, name, n_pairs, staged_ms) VALUES (?1, ?2, "         \
      "(SELECT count(*) FROM pair WHERE seq IS NOT NULL), ?3)")                        \
    X(DATASET_LAST, "SELECT digest FROM dataset ORDER BY id DESC LIMIT 1")             \
    X(DATASET_FORGET,                                                                  \
      "UPDATE dataset SET digest = x'' WHERE id = (SELECT max(id) FROM dataset) AND "  \
      "digest <> x''")                                                                 \
    X(LEDGER_HOLDS,                                                                    \
      "SELECT EXISTS (SELECT 1 FROM pair) OR EXISTS (SELECT 1 FROM judge) OR EXISTS "  \
      "(SELECT 1 FROM call) OR EXISTS (SELECT 1 FROM dataset)")                        \
    X(PAIRS_PAGE,                                                                      \
      "SELECT " LEDGER_PAIR_COLUMNS " FROM pair WHERE seq > ?1 ORDER BY seq LIMIT ?2") \
    X(PAIRS_COUNT, "SELECT count(*) FROM pair WHERE seq IS NOT NULL")                  \
    X(PAIR_FIND, "SELECT id FROM pair WHERE pair_id = ?1 AND seq IS NOT NULL")         \
    X(PAIR_REVISION, "SELECT revision FROM pair WHERE id = ?1")                        \
    X(MATCH_SAME, "SELECT " LEDGER_PAIR_COLUMNS                                        \
                  " FROM pair WHERE pair_id = ?1 AND revision = ?2 AND seq IS NOT "    \
                  "NULL")                                                              \
    X(MATCH_TEXTS, "SELECT " LEDGER_PAIR_COLUMNS                                       \
                   " FROM pair WHERE seq = (SELECT seq FROM scope_revision WHERE "     \
                   "revision = ?2)")                                                   \
    X(MATCH_ID, "SELECT " LEDGER_PAIR_COLUMNS                                          \
                " FROM pair WHERE pair_id = ?1 AND seq IS NOT NULL")                   \
    X(META_GET, "SELECT meta FROM pair_text WHERE pair = ?1")                          \
    X(PAIR_SAME,                                                                       \
      "SELECT id FROM pair WHERE pair_id = ?1 AND seq IS NOT NULL AND (revision = ?2 " \
      "OR ?3 OR line = 0)")                                                            \
    X(JUDGE_FIND, "SELECT id FROM judge WHERE identity = ?1")                          \
    X(JUDGE_INSERT,                                                                    \
      "INSERT INTO judge(identity, judge, template, template_text, evidence_first, "   \
      "params) VALUES (?1, ?2, ?3, ?4, ?5, ?6)")                                       \
    X(RUN_FIND,                                                                        \
      "SELECT id FROM run WHERE judge = ?1 AND method = ?2 AND k = ?3 AND orders = "   \
      "?4 AND imported = ?5 AND options = ?6")                                         \
    X(RUN_INSERT,                                                                      \
      "INSERT INTO run(judge, method, k, orders, imported, options, created_ms) "      \
      "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")                                           \
    X(RUNS,                                                                            \
      "SELECT r.id, r.judge, j.judge, j.template, j.template_text, "                   \
      "j.evidence_first, j.params, r.method, r.k, r.orders, r.imported, r.options "    \
      "FROM run r "                                                                    \
      "JOIN judge j ON j.id = r.judge ORDER BY r.id")                                  \
    X(SESSION_INSERT,                                                                  \
      "INSERT INTO session(run, version, started_ms, refresh_ms) VALUES (?1, ?2, ?3, " \
      "?4)")                                                                           \
    X(REFRESH_LAST,                                                                    \
      "SELECT refresh_ms, status FROM session WHERE run = ?1 AND refresh_ms IS NOT "   \
      "NULL ORDER BY id DESC LIMIT 1")                                                 \
    X(SESSION_END,                                                                     \
      "UPDATE session SET ended_ms = ?2, status = ?3, n_new = ?4, n_reused = ?5 "      \
      "WHERE id = ?1")                                                                 \
    X(CALL_FIND, "SELECT id, done_ms FROM call WHERE key = ?1")                        \
    X(CALL_NEXT_ROW, "SELECT max(id) + 1 FROM call")                                   \
    X(CALL_KEEP_OLD,                                                                   \
      "INSERT INTO call(id, key, judge, session, stream, sample, effective, model, "   \
      "fingerprint, finish_reason, done_ms, latency_ms, n_attempts, n_neutralised, "   \
      "prompt_tokens, cached_tokens, completion_tokens, reasoning_tokens) SELECT ?2, " \
      "?3, judge, session, stream, sample, effective, model, fingerprint, "            \
      "finish_reason, done_ms, latency_ms, n_attempts, n_neutralised, prompt_tokens, " \
      "cached_tokens, completion_tokens, reasoning_tokens FROM call WHERE id = ?1")    \
    X(REPLY_KEEP_OLD, "UPDATE reply SET call = ?2 WHERE call = ?1")                    \
    X(LOGPROBS_KEEP_OLD, "UPDATE logprobs SET call = ?2 WHERE call = ?1")              \
    X(SAMPLE_KEEP_OLD, "UPDATE sample SET call = ?2 WHERE call = ?1")                  \
    X(CALL_DELETE, "DELETE FROM call WHERE id = ?1")                                   \
    X(CALL_INSERT,                                                                     \
      "INSERT INTO call(key, judge, session, stream, sample, effective, model, "       \
      "fingerprint, finish_reason, done_ms, latency_ms, n_attempts, n_neutralised, "   \
      "prompt_tokens, cached_tokens, completion_tokens, reasoning_tokens, id) VALUES " \
      "(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, "  \
      "?18)")                                                                          \
    X(REPLY_INSERT,                                                                    \
      "INSERT INTO reply(call, content, reasoning, refusal) VALUES (?1, ?2, ?3, ?4)")  \
    X(LOGPROBS_INSERT, "INSERT INTO logprobs(call, content) VALUES (?1, ?2)")          \
    X(SAMPLE_INSERT,                                                                   \
      "INSERT INTO sample(call, verdict, score_first, score_second, rating, reason, "  \
      "warnings, reader) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)")                     \
    X(CALL_REPLY,                                                                      \
      "SELECT c.finish_reason, c.prompt_tokens, c.cached_tokens, "                     \
      "c.completion_tokens, "                                                          \
      "c.reasoning_tokens, r.content, r.refusal FROM call c LEFT JOIN reply r ON "     \
      "r.call = c.id WHERE c.key = ?1")                                                \
    X(SAMPLE_DELETE, "DELETE FROM sample WHERE call = ?1")                             \
    X(REPLIES_PAGE,                                                                    \
      "SELECT r.call, j.judge, j.template_text, r.content, r.refusal, "                \
      "c.finish_reason, s.verdict, s.score_first, s.score_second, s.rating, "          \
      "s.reason, "                                                                     \
      "s.warnings, s.reader FROM reply r JOIN call c ON c.id = r.call JOIN judge j "   \
      "ON "                                                                            \
      "j.id = c.judge JOIN sample s ON s.call = r.call WHERE r.call > ?1 ORDER BY "    \
      "r.call LIMIT ?2")                                                               \
    X(ASK_INSERT,                                                                      \
      "INSERT OR REPLACE INTO ask(judge, stream, pair, ord, sample, call, stage) "     \
      "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")                                           \
    X(SAMPLES,                                                                         \
      "SELECT a.ord, a.sample, s.verdict, s.score_first, s.score_second, s.rating, "   \
      "s.reason, a.stage "                                                             \
      "FROM ask a JOIN sample s ON s.call = a.call WHERE a.judge = ?1 AND a.stream = " \
      "?2 AND a.pair = ?3 ORDER BY a.stage, a.ord, a.sample LIMIT ?4")                 \
    X(SAMPLES_SINCE,                                                                   \
      "SELECT a.ord, a.sample, s.verdict, s.score_first, s.score_second, s.rating, "   \
      "s.reason, a.stage "                                                             \
      "FROM ask a JOIN sample s ON s.call = a.call JOIN call c ON c.id = a.call "      \
      "WHERE a.judge = ?1 AND a.stream = ?2 AND a.pair = ?3 AND c.done_ms >= ?5 "      \
      "ORDER BY a.stage, a.ord, a.sample LIMIT ?4")                                    \
    X(ATTEMPT_INSERT,                                                                  \
      "INSERT INTO attempt(session, judge, pair, ord, sample, at_ms, message, stage) " \
      "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)")                                       \
    X(REQUEST_ADD,                                                                     \
      "INSERT INTO request(session, judge, outcome, n) VALUES (?1, ?2, ?3, ?4) "       \
      "ON CONFLICT(session, judge, outcome) DO UPDATE SET n = n + excluded.n")         \
    X(REQUEST_IS_THERE, "SELECT count(*) FROM sqlite_schema WHERE name = 'request'")   \
    X(REQUEST_KINDS, "SELECT count(DISTINCT outcome) FROM request WHERE judge = ?1")   \
    X(REQUEST_SUM,                                                                     \
      "SELECT outcome, sum(n) FROM request WHERE judge = ?1 GROUP BY outcome ORDER "   \
      "BY 2 DESC, 1")                                                                  \
    X(SCORE_COUNTS,                                                                    \
      "SELECT count(*), count(s.score_first), count(s.rating) FROM call c JOIN "       \
      "sample s ON s.call = c.id WHERE c.judge = ?1 AND s.verdict <> 0 AND "           \
      "length(c.key) = 32")                                                            \
    X(USAGE_SUM,                                                                       \
      "SELECT count(*), count(c.prompt_tokens), sum(c.prompt_tokens), "                \
      "count(c.cached_tokens), sum(c.cached_tokens), count(c.completion_tokens), "     \
      "sum(c.completion_tokens), count(c.reasoning_tokens), sum(c.reasoning_tokens) "  \
      "FROM call c WHERE " LEDGER_CALL_COUNTS)                                         \
    X(MODELS,                                                                          \
      "SELECT c.model, c.fingerprint, count(*) FROM call c WHERE " LEDGER_CALL_COUNTS  \
      " GROUP BY c.model, c.fingerprint ORDER BY c.model, c.fingerprint")              \
    X(JUDGE_TIME, "SELECT count(*), count(c.latency_ms), sum(CASE WHEN "               \
                  "c.prompt_tokens = 0 THEN 0 "                                        \
                  "ELSE c.latency_ms END) FROM call c WHERE " LEDGER_CALL_COUNTS)      \
    X(STREAM_DATES, "SELECT min(c.done_ms), max(c.done_ms) FROM call c "               \
                    "WHERE " LEDGER_CALL_COUNTS)                                       \
    X(TIMING_SUM, "SELECT count(*), sum(n_attempts), min(done_ms), max(done_ms), "     \
                  "avg(latency_ms) FROM call WHERE judge = ?1")                        \
    X(TIMING_SESSIONS,                                                                 \
      "SELECT count(*) FROM session WHERE run IN (SELECT id FROM run WHERE judge = "   \
      "?1)")                                                                           \
    X(TIMING_NO_RESULT, "SELECT count(*) FROM attempt WHERE judge = ?1")               \
    X(LABEL_PUT,                                                                       \
      "INSERT OR REPLACE INTO label(pair, annotator, label, side, familiar, note, "    \
      "time, adjudicated, unblind) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)")       \
    X(JOIN_LINE, "SELECT line FROM join_text WHERE tab = ?1 AND id = ?2")              \
    X(JOIN_PUT,                                                                        \
      "INSERT INTO join_text(tab, id, kind, text, model, meta, line) VALUES (?1, ?2, " \
      "?3, ?4, ?5, ?6, ?7)")                                                           \
    X(JOIN_TAKE, "UPDATE join_text SET taken = 1 WHERE tab = ?1 AND id = ?2")          \
    X(JOIN_LEFT,                                                                       \
      "SELECT id, kind, line FROM join_text WHERE tab = ?1 AND taken = 0 ORDER BY "    \
      "seq")                                                                           \
    X(LABEL_REMOVE, "DELETE FROM label WHERE pair = ?1 AND annotator = ?2")            \
    X(SEQ_NEXT, "SELECT coalesce(max(seq), -1) + 1 FROM pair WHERE seq IS NOT NULL")   \
    X(JUDGE_EXTENT,                                                                    \
      "SELECT max(sample) + 1, max(ord = 0), max(ord = 1) FROM ask WHERE judge = ?1 "  \
      "AND stream = 0")                                                                \
    X(PLAIN_TOKENS,                                                                    \
      "SELECT CASE WHEN count(c.prompt_tokens) = count(*) THEN max(c.prompt_tokens) "  \
      "END FROM ask a JOIN call c ON c.id = a.call WHERE a.judge = ?1 AND a.stream = " \
      "?2 AND a.pair = ?3 AND a.stage = 0 AND a.sample = 0")                           \
    X(ASK_VERDICT,                                                                     \
      "SELECT s.verdict FROM ask a JOIN sample s ON s.call = a.call WHERE a.judge = "  \
      "?1 AND a.stream = ?2 AND a.pair = ?3 AND a.ord = ?4 AND a.sample = ?5 AND "     \
      "a.stage = ?6")                                                                  \
    X(PAIR_WAS_ASKED,                                                                  \
      "SELECT 1 FROM pair p JOIN judge j ON j.judge = ?3 JOIN ask a ON a.judge = "     \
      "j.id AND a.pair = p.id WHERE p.pair_id = ?1 AND p.revision = ?2 LIMIT 1")       \
    X(LABEL_COUNTS,                                                                    \
      "SELECT label, count(*) FROM label WHERE pair = ?1 AND familiar IS NOT 0 AND "   \
      "adjudicated = (SELECT max(adjudicated) FROM label WHERE pair = ?1 AND "         \
      "familiar IS NOT 0) GROUP BY label")                                             \
    X(LABELS_EACH,                                                                     \
      "SELECT p.pair_id, l.pair, l.annotator, l.label, l.side, l.familiar, l.note, "   \
      "l.time, l.adjudicated, l.unblind FROM label l JOIN pair p ON p.id = l.pair "    \
      "WHERE p.seq IS NOT NULL ORDER BY p.seq, l.annotator")                           \
    X(LABELS_EACH_HELD,                                                                \
      "SELECT NULL, pair, annotator, label, side, familiar, note, time, adjudicated, " \
      "unblind FROM label ORDER BY pair, annotator")                                   \
    X(EMBEDDER_TABLE,                                                                  \
      "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'embedder'")        \
    X(EMBEDDER_FIND, "SELECT id FROM embedder WHERE name = ?1")                        \
    X(EMBEDDER_INSERT, "INSERT INTO embedder(name) VALUES (?1)")                       \
    X(EMBEDDING_INSERT,                                                                \
      "INSERT OR IGNORE INTO embedding(key, embedder, session, vector, reason, "       \
      "model, prompt_tokens, done_ms) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)")        \
    X(EMBEDDING_GET, "SELECT vector, reason FROM embedding WHERE key = ?1")            \
    X(EMBEDDINGS_SUM,                                                                  \
      "SELECT count(vector), count(*) - count(vector), count(CASE WHEN vector IS "     \
      "NOT NULL THEN prompt_tokens END), sum(CASE WHEN vector IS NOT NULL THEN "       \
      "prompt_tokens END), max(length(vector)) FROM embedding WHERE embedder = ?1")    \
    X(DATASET_LOOK,                                                                    \
      "SELECT name, n_pairs, digest FROM dataset ORDER BY id DESC LIMIT 1")            \
    X(PAIR_LOOK,                                                                       \
      "SELECT p.revision, t.pair, substr(t.question, 1, ?2), length(t.question) "      \
      "FROM pair p LEFT JOIN pair_text t ON t.pair = p.id WHERE p.id = ?1")            \
    X(PAIR_LABELS,                                                                     \
      "SELECT annotator, label, side, familiar, note, time, adjudicated, unblind "     \
      "FROM label WHERE pair = ?1 ORDER BY annotator")                                 \
    X(ANSWERS_OF_PAIR,                                                                 \
      "SELECT a.ord, a.sample, s.verdict, s.score_first, s.score_second, s.rating, "   \
      "s.reason, a.stage, c.key, c.model, c.finish_reason, c.prompt_tokens, "          \
      "c.cached_tokens, c.completion_tokens, c.reasoning_tokens, r.content, "          \
      "r.reasoning, r.refusal FROM ask a JOIN sample s ON s.call = a.call JOIN call "  \
      "c ON c.id = a.call LEFT JOIN reply r ON r.call = a.call WHERE a.judge = ?1 "    \
      "AND a.stream = ?3 AND a.pair = ?2 ORDER BY a.stage, a.ord, a.sample")           \
    X(PAIR_USAGE,                                                                      \
      "SELECT count(*), count(c.prompt_tokens), sum(c.prompt_tokens), "                \
      "count(c.cached_tokens), sum(c.cached_tokens), count(c.completion_tokens), "     \
      "sum(c.completion_tokens), count(c.reasoning_tokens), sum(c.reasoning_tokens) "  \
      "FROM (SELECT DISTINCT call FROM ask WHERE judge = ?1 AND stream = 0 AND pair "  \
      "= ?10) d JOIN call c ON c.id = d.call WHERE " LEDGER_CALL_COUNTS)

typedef enum ledger_stmt {
#define X(id, sql) LEDGER_STMT_##id,
    LEDGER_STMT_LIST(X) LEDGER_QUEUE_STMT_LIST(X)
#undef X
        LEDGER_STMT_N
} ledger_stmt;

struct ledger {
    sqlite3 *db;
    held *held;  /* judgments in memory, or NULL */
    char *path;  /* as the user named it, or "temporary ledger" */
    int lock_fd; /* -1 when nothing is locked */
    bool writable;
    bool created; /* this open made the file */
    bool in_group;
    bool stage_in_group; /* the staging is part of a group begun before */
    int64_t n_staged;
    bool join_ready;  /* the temporary table of joins.c is there */
    bool match_ready; /* that of match.c */
    sqlite3_stmt *join_get[LEDGER_JOIN_TABLES_MAX];
    sqlite3_stmt *stmts[LEDGER_STMT_N];
};

/* The `put` of ledger_stage (pairs.c). */
eh_status ledger_stage_put(void *self, const dataset_pair *pair, int64_t *first_line,
                           eh_error *err);

/* A pair from a row of LEDGER_PAIR_COLUMNS; its strings are the statement's (pairs.c).
 */
void ledger_read_pair(sqlite3_stmt *s, ledger_pair *pair);

/* The tables as SQL, and what makes them of the tables of the version before:
 * [version - 1], from version 2 on. */
extern const char ledger_schema_sql[];
extern const char ledger_embeddings_sql[]; /* of the tables that come with the first */
extern const char *const ledger_migration_sql[LEDGER_SCHEMA_VERSION];

/* What stands in for the labelling of a version where an older ledger is only read:
 * [version]; NULL where the ledger has it all. */
extern const char *const ledger_reading_sql[LEDGER_SCHEMA_VERSION + 1];

/* A prepared statement, reset and without bindings. */
EH_MUST_USE eh_status ledger_stmt_get(ledger *l, ledger_stmt id, sqlite3_stmt **stmt,
                                      eh_error *err);

/* Steps a statement that gives no rows, and resets it. */
EH_MUST_USE eh_status ledger_stmt_done(ledger *l, sqlite3_stmt *stmt, eh_error *err);

/* Steps to a row; *got is false at the end. */
EH_MUST_USE eh_status ledger_stmt_row(ledger *l, sqlite3_stmt *stmt, bool *got,
                                      eh_error *err);

/* The one number of a one-row statement whose parameters are bound; 0 without row. */
EH_MUST_USE eh_status ledger_stmt_i64(ledger *l, sqlite3_stmt *stmt, int64_t *value,
                                      eh_error *err);

/* A sample from the first eight columns of SAMPLES, from slots to answers. */
plan_sample ledger_sample_of(sqlite3_stmt *stmt);

/* A statement over the calls behind one judge's asks under a plan: binds ?1 to ?7 and
 * ?9. */
EH_MUST_USE eh_status ledger_plan_stmt(ledger *l, ledger_stmt id, int64_t judge_row,
                                       const plan_spec *plan, sqlite3_stmt **stmt,
                                       eh_error *err);

/* Steps a statement of USAGE_SUM's columns and reads its one row. */
EH_MUST_USE eh_status ledger_usage_row(ledger *l, sqlite3_stmt *stmt, ledger_usage *sum,
                                       eh_error *err);

/* Turns SQLite's last fault into a message that names the ledger. */
eh_status ledger_fault(const ledger *l, const char *file, int line, eh_error *err);
#define LEDGER_FAULT(l, err) ledger_fault((l), __FILE__, __LINE__, (err))

/* Binding: absent strings and -1 tokens become NULL. The text must outlive the step. */
void ledger_bind_str(sqlite3_stmt *stmt, int index, eh_str s);
void ledger_bind_known(sqlite3_stmt *stmt, int index, int64_t value);

/* A text column, borrowed until the next step; absent for NULL. */
eh_str ledger_column_str(sqlite3_stmt *stmt, int column);

/* A number of which NULL is unknown: -1. */
int64_t ledger_column_known(sqlite3_stmt *stmt, int column);

#endif
