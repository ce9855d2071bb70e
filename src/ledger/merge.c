/* SPDX-License-Identifier: MIT
 *
 * Merging.
 *
 *   source ATTACHed as src       temporary tables old -> new
 *     judge   by identity          merge_judge
 *     pair    by id and revision   merge_pair      scope: merge_scope
 *     run, session                 merge_run, merge_session
 *     call    by key               merge_call      those to be added: merge_fresh
 *     reply, sample, ask, attempt, request              through the tables above
 *     embedder, embedding       by name and by key; the first one stays
 *     labels and their queue    in merge_people.c
 *
 * Row numbers mean nothing outside their ledger, so every reference goes through one of
 * those tables. What identifies a row across ledgers is content: hashes where there are
 * any, else all of its columns.
 *
 * What cannot be said in one statement is done row by row and is rare: a key that was
 * answered in both, and replies that a refresh had replaced.
 *
 * Left out: taking a ledger out of another again.
 */
#include "ledger/merge.h"

#include <stdio.h>

#include "ledger/merge_parts.h"

#define CALL_COLUMNS                                                                   \
    "stream, sample, effective, model, fingerprint, finish_reason, done_ms, "          \
    "latency_ms, n_attempts, n_neutralised, prompt_tokens, cached_tokens, "            \
    "completion_tokens, reasoning_tokens"

/* ---- statements ---- */

eh_status merge_exec(merging *m, const char *sql, eh_error *err) {
    if (sqlite3_exec(m->l->db, sql, NULL, NULL, NULL) != SQLITE_OK)
        return LEDGER_FAULT(m->l, err);
    return EH_STATUS_OK;
}

eh_status merge_exec_all(merging *m, const char *const sql[], eh_error *err) {
    for (size_t i = 0; sql[i]; i++)
        EH_TRY(merge_exec(m, sql[i], err));
    return EH_STATUS_OK;
}

eh_status merge_prepare(merging *m, const char *sql, sqlite3_stmt **s, eh_error *err) {
    if (sqlite3_prepare_v2(m->l->db, sql, -1, s, NULL) != SQLITE_OK)
        return LEDGER_FAULT(m->l, err);
    return EH_STATUS_OK;
}

eh_status merge_number(merging *m, const char *sql, int64_t *n, eh_error *err) {
    sqlite3_stmt *s = NULL;
    EH_TRY(merge_prepare(m, sql, &s, err));
    eh_status status = ledger_stmt_i64(m->l, s, n, err);
    (void)sqlite3_finalize(s);
    return status;
}

/* ---- in the order of what refers to what ---- */

static const char *const add_judges[] = {
    "INSERT OR IGNORE INTO main.judge(identity, judge, template, template_text, "
    "evidence_first, params) SELECT identity, judge, template, template_text, "
    "evidence_first, params FROM src.judge ORDER BY id",
    "CREATE TEMP TABLE merge_judge AS SELECT s.id AS old, m.id AS new FROM src.judge s "
    "JOIN main.judge m ON m.identity = s.identity",
    "CREATE UNIQUE INDEX temp.merge_judge_old ON merge_judge(old)",
    NULL,
};

static const char *const add_pairs[] = {
    "INSERT OR IGNORE INTO main.pair(pair_id, revision, seq, line, question_hash, "
    "model_1, model_2, category, answer_1_cp, answer_2_cp) SELECT pair_id, revision, "
    "NULL, line, question_hash, model_1, model_2, category, answer_1_cp, answer_2_cp "
    "FROM src.pair ORDER BY id",
    "CREATE TEMP TABLE merge_pair AS SELECT s.id AS old, m.id AS new FROM src.pair s "
    "JOIN main.pair m ON m.pair_id = s.pair_id AND m.revision = s.revision",
    "CREATE UNIQUE INDEX temp.merge_pair_old ON merge_pair(old)",
    /* names that only the source has */
    "UPDATE main.pair AS m SET model_1 = coalesce(m.model_1, s.model_1), "
    "model_2 = coalesce(m.model_2, s.model_2), category = coalesce(m.category, "
    "s.category) FROM src.pair s, merge_pair p WHERE p.old = s.id AND m.id = p.new",
    /* what the scope lacks: no row of that id is in it */
    "CREATE TEMP TABLE merge_scope AS SELECT p.new AS id, row_number() OVER (ORDER BY "
    "s.seq) - 1 + (SELECT coalesce(max(seq) + 1, 0) FROM main.pair) AS seq "
    "FROM src.pair s JOIN merge_pair p ON p.old = s.id WHERE s.seq IS NOT NULL AND NOT "
    "EXISTS (SELECT 1 FROM main.pair q WHERE q.pair_id = s.pair_id AND q.seq IS NOT "
    "NULL)",
    "UPDATE main.pair AS m SET seq = n.seq FROM merge_scope n WHERE m.id = n.id",
    NULL,
};

static const char add_texts[] =
    "INSERT OR IGNORE INTO main.pair_text(pair, question, answer_1, answer_2, "
    "reference, short_question, turns, meta) SELECT p.new, question, answer_1, "
    "answer_2, reference, short_question, turns, meta FROM src.pair_text t JOIN "
    "merge_pair p ON p.old = t.pair";

static const char *const add_runs[] = {
    "INSERT OR IGNORE INTO main.run(judge, method, k, orders, imported, options, "
    "created_ms) SELECT j.new, method, k, orders, imported, options, created_ms FROM "
    "src.run r JOIN merge_judge j ON j.old = r.judge ORDER BY r.id",
    "CREATE TEMP TABLE merge_run AS SELECT s.id AS old, m.id AS new FROM src.run s "
    "JOIN merge_judge j ON j.old = s.judge JOIN main.run m ON m.judge = j.new AND "
    "m.method = s.method AND m.k = s.k AND m.orders = s.orders AND m.imported = "
    "s.imported AND m.options = s.options",
    /* sessions have no name: they are the same if all of them is, or as far as the one
     * goes that was copied before its end */
    "CREATE TEMP TABLE merge_session AS SELECT s.id AS old, (SELECT min(m.id) FROM "
    "main.session m WHERE m.run = r.new AND m.version = s.version AND m.started_ms = "
    "s.started_ms AND m.refresh_ms IS s.refresh_ms AND (m.ended_ms IS NULL OR "
    "s.ended_ms IS NULL OR m.ended_ms = s.ended_ms AND m.status IS s.status AND "
    "m.n_new IS s.n_new AND m.n_reused IS s.n_reused)) AS new "
    "FROM src.session s JOIN merge_run r ON r.old = s.run ORDER BY s.id",
    "UPDATE main.session AS m SET ended_ms = s.ended_ms, status = s.status, n_new = "
    "s.n_new, n_reused = s.n_reused FROM src.session s, merge_session n WHERE n.old = "
    "s.id AND m.id = n.new AND m.ended_ms IS NULL AND s.ended_ms IS NOT NULL",
    "CREATE UNIQUE INDEX temp.merge_session_old ON merge_session(old)",
    "CREATE TEMP TABLE merge_new_session AS SELECT old, row_number() OVER (ORDER BY "
    "old) + (SELECT coalesce(max(id), 0) FROM main.session) AS id FROM merge_session "
    "WHERE new IS NULL",
    "INSERT INTO main.session(id, run, version, started_ms, ended_ms, status, n_new, "
    "n_reused, refresh_ms) SELECT n.id, r.new, version, started_ms, ended_ms, status, "
    "n_new, n_reused, refresh_ms FROM merge_new_session n JOIN src.session s ON s.id = "
    "n.old JOIN merge_run r ON r.old = s.run",
    "UPDATE merge_session AS s SET new = n.id FROM merge_new_session n WHERE n.old = "
    "s.old",
    NULL,
};

/* The asks of the source in the numbers of main. */
#define MAPPED_ASKS                                                                    \
    "FROM src.ask a JOIN merge_judge j ON j.old = a.judge JOIN merge_pair p ON p.old " \
    "= a.pair "
#define SAME_ASK                                                                       \
    "b.judge = j.new AND b.stream = a.stream AND b.pair = p.new AND b.stage = "        \
    "a.stage AND b.ord = a.ord AND b.sample = a.sample "

static const char *const add_calls[] = {
    /* a call all of whose asks are answered by others here would answer nothing */
    "CREATE TEMP TABLE merge_fresh AS SELECT c.id FROM src.call c WHERE length(c.key) "
    "= 32 AND NOT EXISTS (SELECT 1 FROM main.call m WHERE m.key = c.key)",
    "CREATE UNIQUE INDEX temp.merge_fresh_id ON merge_fresh(id)",
    "CREATE TEMP TABLE merge_wanted AS SELECT DISTINCT a.call " MAPPED_ASKS
    "WHERE NOT EXISTS (SELECT 1 FROM main.ask b WHERE " SAME_ASK ")",
    "CREATE UNIQUE INDEX temp.merge_wanted_call ON merge_wanted(call)",
    "CREATE TEMP TABLE merge_asked AS SELECT DISTINCT call FROM src.ask",
    "CREATE UNIQUE INDEX temp.merge_asked_call ON merge_asked(call)",
    "DELETE FROM merge_fresh WHERE id IN (SELECT call FROM merge_asked) AND id NOT IN "
    "(SELECT call FROM merge_wanted)",
    "INSERT INTO main.call(key, judge, session, " CALL_COLUMNS
    ") SELECT key, j.new, coalesce(s.new, 0), " CALL_COLUMNS
    " FROM merge_fresh f JOIN src.call c ON c.id = f.id JOIN merge_judge j ON j.old = "
    "c.judge LEFT JOIN merge_session s ON s.old = c.session ORDER BY c.id",
    "CREATE TEMP TABLE merge_call AS SELECT s.id AS old, m.id AS new FROM src.call s "
    "JOIN main.call m ON m.key = s.key WHERE length(s.key) = 32",
    "CREATE UNIQUE INDEX temp.merge_call_old ON merge_call(old)",
    "INSERT INTO main.sample(call, verdict, score_first, score_second, rating, reason, "
    "warnings, reader) SELECT c.new, verdict, score_first, score_second, rating, "
    "reason, warnings, reader FROM src.sample s JOIN merge_fresh f ON f.id = s.call "
    "JOIN merge_call c ON c.old = s.call",
    NULL,
};

static const char add_replies[] =
    "INSERT INTO main.reply(call, content, reasoning, refusal) SELECT c.new, content, "
    "reasoning, refusal FROM src.reply r JOIN merge_fresh f ON f.id = r.call JOIN "
    "merge_call c ON c.old = r.call";

static const char add_logprobs[] =
    "INSERT INTO main.logprobs(call, content) SELECT c.new, content FROM src.logprobs "
    "r JOIN merge_fresh f ON f.id = r.call JOIN merge_call c ON c.old = r.call";

/* A session that is in both was perhaps copied while it went on: the later count is the
 * larger one. */
static const char add_requests[] =
    "INSERT INTO main.request(session, judge, outcome, n) SELECT s.new, j.new, "
    "r.outcome, r.n FROM src.request r JOIN merge_judge j ON j.old = r.judge JOIN "
    "merge_session s ON s.old = r.session WHERE true ON CONFLICT(session, judge, "
    "outcome) DO UPDATE SET n = max(n, excluded.n)";

static const char *const add_embeddings[] = {
    ledger_embeddings_sql,
    "INSERT OR IGNORE INTO main.embedder(name) SELECT name FROM src.embedder ORDER BY "
    "id",
    /* with the size of the vectors in main: two sizes are two models behind one name */
    "CREATE TEMP TABLE merge_embedder AS SELECT s.id AS old, m.id AS new, (SELECT "
    "max(length(e.vector)) FROM main.embedding e WHERE e.embedder = m.id) AS n_bytes "
    "FROM src.embedder s JOIN main.embedder m ON m.name = s.name",
    "INSERT OR IGNORE INTO main.embedding(key, embedder, session, vector, reason, "
    "model, prompt_tokens, done_ms) SELECT e.key, m.new, coalesce(s.new, 0), e.vector, "
    "e.reason, e.model, e.prompt_tokens, e.done_ms FROM src.embedding e JOIN "
    "merge_embedder m ON m.old = e.embedder LEFT JOIN merge_session s ON s.old = "
    "e.session WHERE m.n_bytes IS NULL OR e.vector IS NULL OR length(e.vector) = "
    "m.n_bytes",
    NULL,
};

static const char *const add_asks[] = {
    "INSERT OR IGNORE INTO main.ask(judge, stream, pair, stage, ord, sample, call) "
    "SELECT j.new, a.stream, p.new, a.stage, a.ord, a.sample, c.new " MAPPED_ASKS
    "JOIN merge_call c ON c.old = a.call",
    "INSERT INTO main.attempt(session, judge, pair, stage, ord, sample, at_ms, "
    "message) SELECT coalesce(s.new, 0), j.new, p.new, a.stage, a.ord, a.sample, "
    "a.at_ms, a.message FROM src.attempt a JOIN merge_judge j ON j.old = a.judge JOIN "
    "merge_pair p ON p.old = a.pair LEFT JOIN merge_session s ON s.old = a.session "
    "EXCEPT SELECT session, judge, pair, stage, ord, sample, at_ms, message FROM "
    "main.attempt",
    NULL,
};

static const char drop_all[] =
    "DROP TABLE IF EXISTS temp.merge_judge; DROP TABLE IF EXISTS temp.merge_pair; "
    "DROP TABLE IF EXISTS temp.merge_scope; DROP TABLE IF EXISTS temp.merge_run; DROP "
    "TABLE IF EXISTS temp.merge_session; DROP TABLE IF EXISTS temp.merge_new_session; "
    "DROP TABLE IF EXISTS temp.merge_fresh; DROP TABLE IF EXISTS temp.merge_wanted; "
    "DROP TABLE IF EXISTS temp.merge_asked; DROP TABLE IF EXISTS temp.merge_call; "
    "DROP TABLE IF EXISTS temp.merge_embedder;";

/* ---- keys that were answered in both, and replaced calls ---- */

/* The number behind a key makes the key of a row that answers nothing any more. */
static void history_key(const uint8_t key[HASH_BYTES], int64_t row,
                        uint8_t out[HASH_BYTES + 8]) {
    memcpy(out, key, HASH_BYTES);
    for (int i = 0; i < 8; i++)
        out[HASH_BYTES + i] = (uint8_t)((uint64_t)row >> (56 - 8 * i));
}

/* What of the source's a statement needs to be there. */
typedef enum step_need { NEEDS_NOTHING, NEEDS_TEXTS, NEEDS_LOGPROBS } step_need;

/* ?1 a call of the source, ?2 the row of the one that becomes history, ?3 its key, ?4
 * the call of main that is replaced. */
typedef struct step {
    step_need need;
    const char *sql;
} step;

static const step history_steps[] = {
    {NEEDS_NOTHING,
     "INSERT INTO main.call(id, key, judge, session, " CALL_COLUMNS
     ") SELECT ?2, ?3, j.new, coalesce(s.new, 0), " CALL_COLUMNS
     " FROM src.call c JOIN merge_judge j ON j.old = c.judge LEFT JOIN merge_session "
     "s ON s.old = c.session WHERE c.id = ?1"},
    {NEEDS_NOTHING,
     "INSERT INTO main.sample(call, verdict, score_first, score_second, rating, "
     "reason, warnings, reader) SELECT ?2, verdict, score_first, score_second, "
     "rating, reason, warnings, reader FROM src.sample WHERE call = ?1"},
    {NEEDS_TEXTS,
     "INSERT INTO main.reply(call, content, reasoning, refusal) SELECT ?2, content, "
     "reasoning, refusal FROM src.reply WHERE call = ?1"},
    {NEEDS_LOGPROBS,
     "INSERT INTO main.logprobs(call, content) SELECT ?2, content FROM src.logprobs "
     "WHERE call = ?1"},
    {NEEDS_NOTHING, NULL},
};

static const step replace_steps[] = {
    {NEEDS_NOTHING,
     "INSERT INTO main.call(id, key, judge, session, " CALL_COLUMNS
     ") SELECT ?2, ?3, judge, session, " CALL_COLUMNS " FROM main.call WHERE id = ?4"},
    {NEEDS_NOTHING, "UPDATE main.reply SET call = ?2 WHERE call = ?4"},
    {NEEDS_NOTHING, "UPDATE main.logprobs SET call = ?2 WHERE call = ?4"},
    {NEEDS_NOTHING, "UPDATE main.sample SET call = ?2 WHERE call = ?4"},
    {NEEDS_NOTHING,
     "UPDATE main.call AS m SET session = coalesce((SELECT new FROM merge_session "
     "WHERE old = c.session), 0), effective = c.effective, model = c.model, "
     "fingerprint = c.fingerprint, finish_reason = c.finish_reason, done_ms = "
     "c.done_ms, latency_ms = c.latency_ms, n_attempts = c.n_attempts, n_neutralised "
     "= c.n_neutralised, prompt_tokens = c.prompt_tokens, cached_tokens = "
     "c.cached_tokens, completion_tokens = c.completion_tokens, reasoning_tokens = "
     "c.reasoning_tokens FROM src.call c WHERE c.id = ?1 AND m.id = ?4"},
    {NEEDS_NOTHING,
     "INSERT INTO main.sample(call, verdict, score_first, score_second, rating, "
     "reason, warnings, reader) SELECT ?4, verdict, score_first, score_second, "
     "rating, reason, warnings, reader FROM src.sample WHERE call = ?1"},
    {NEEDS_TEXTS,
     "INSERT INTO main.reply(call, content, reasoning, refusal) SELECT ?4, content, "
     "reasoning, refusal FROM src.reply WHERE call = ?1"},
    {NEEDS_LOGPROBS,
     "INSERT INTO main.logprobs(call, content) SELECT ?4, content FROM src.logprobs "
     "WHERE call = ?1"},
    {NEEDS_NOTHING, NULL},
};

static bool has_need(const merging *m, step_need need) {
    if (need == NEEDS_NOTHING) return true;
    return !m->o->without_texts && (need == NEEDS_TEXTS || m->has_logprobs);
}

/* Copies one call of the source as history (`row` 0), under a key that nobody looks up;
 * or lets it answer in place of main's call `row`, which becomes history then. */
static eh_status add_call_beside(merging *m, int64_t source_row, int64_t row,
                                 const uint8_t key[HASH_BYTES], eh_error *err) {
    int64_t kept_row;
    uint8_t kept[HASH_BYTES + 8];
    EH_TRY(merge_number(m, "SELECT max(id) + 1 FROM main.call", &kept_row, err));
    history_key(key, kept_row, kept);
    for (const step *st = row ? replace_steps : history_steps; st->sql; st++) {
        sqlite3_stmt *s = NULL;
        if (!has_need(m, st->need)) continue;
        EH_TRY(merge_prepare(m, st->sql, &s, err));
        (void)sqlite3_bind_int64(s, 1, source_row);
        (void)sqlite3_bind_int64(s, 2, kept_row);
        (void)sqlite3_bind_blob(s, 3, kept, sizeof kept, SQLITE_STATIC);
        (void)sqlite3_bind_int64(s, 4, row);
        eh_status status = ledger_stmt_done(m->l, s, err);
        (void)sqlite3_finalize(s);
        EH_TRY(status);
    }
    return EH_STATUS_OK;
}

/* One call of the source that cannot be taken as it is. Columns: its row, its key, when
 * it was done; the row in main, 0 without one, and when that was done. */
static eh_status settle_call(merging *m, sqlite3_stmt *s, eh_error *err) {
    uint8_t key[HASH_BYTES];
    int64_t source_row = sqlite3_column_int64(s, 0);
    int64_t done_ms = sqlite3_column_int64(s, 2);
    int64_t row = sqlite3_column_int64(s, 3), main_done_ms = sqlite3_column_int64(s, 4);
    if (sqlite3_column_bytes(s, 1) < HASH_BYTES)
        return EH_FAIL(err, EH_STATUS_LEDGER, "%s: a call without a key", m->l->path);
    memcpy(key, sqlite3_column_blob(s, 1), HASH_BYTES);
    bool is_history = sqlite3_column_bytes(s, 1) > HASH_BYTES;
    if (is_history) return add_call_beside(m, source_row, 0, key, err);
    m->counts->n_newer += done_ms > main_done_ms;
    m->counts->n_older += done_ms < main_done_ms;
    return add_call_beside(m, source_row, done_ms > main_done_ms ? row : 0, key, err);
}

/* Behind all keys that begin with this one; || makes text of bytes. */
#define BEHIND(key) "CAST(" key " || x'FFFFFFFFFFFFFFFFFF' AS BLOB)"

/* All of them, listed first: settling changes what is looked at. */
static eh_status settle_calls(merging *m, eh_error *err) {
    static const char *const list[] = {
        /* a reply that came twice word for word is one, as fresh as the later */
        "CREATE TEMP TABLE merge_equal AS SELECT s.id AS id, m.id AS main_id, "
        "max(s.done_ms, m.done_ms) AS done_ms FROM src.call s JOIN main.call m ON "
        "m.key = s.key JOIN src.sample x ON x.call = s.id JOIN main.sample y ON "
        "y.call = m.id LEFT JOIN src.reply t ON t.call = s.id LEFT JOIN main.reply u "
        "ON u.call = m.id WHERE length(s.key) = 32 AND m.done_ms <> s.done_ms AND "
        "x.verdict = y.verdict AND x.score_first IS y.score_first AND x.score_second "
        "IS y.score_second AND x.rating IS y.rating AND x.reason IS y.reason AND "
        "t.content IS u.content AND t.refusal IS u.refusal",
        "UPDATE main.call AS m SET done_ms = e.done_ms FROM merge_equal e WHERE m.id = "
        "e.main_id",
        "CREATE TEMP TABLE merge_settle AS SELECT s.id AS id, s.key AS key, s.done_ms "
        "AS done_ms, m.id AS main_id, m.done_ms AS main_done_ms FROM src.call s JOIN "
        "main.call m ON m.key = s.key WHERE length(s.key) = 32 AND m.done_ms <> "
        "s.done_ms AND s.id NOT IN (SELECT id FROM merge_equal) AND NOT EXISTS "
        "(SELECT 1 FROM main.call h WHERE h.key > s.key AND "
        "h.key < " BEHIND("s.key") " AND h.done_ms = s.done_ms)",
        /* replaced calls that main holds neither as history nor as the answer */
        "INSERT INTO merge_settle SELECT s.id, s.key, s.done_ms, 0, 0 FROM src.call s "
        "WHERE length(s.key) > 32 AND NOT EXISTS (SELECT 1 FROM main.call h WHERE "
        "h.key "
        ">= substr(s.key, 1, 32) AND h.key < " BEHIND(
            "substr(s.key, 1, 32)") " AND "
                                    "h.done_ms = s.done_ms)",
        NULL,
    };
    sqlite3_stmt *s = NULL;
    EH_TRY(merge_exec_all(m, list, err));
    EH_TRY(merge_prepare(
        m,
        "SELECT id, key, done_ms, main_id, main_done_ms FROM merge_settle "
        "ORDER BY done_ms, id",
        &s, err));
    eh_status status = EH_STATUS_OK;
    for (bool got = true; status == EH_STATUS_OK;) {
        status = ledger_stmt_row(m->l, s, &got, err);
        if (status != EH_STATUS_OK || !got) break;
        status = settle_call(m, s, err);
    }
    (void)sqlite3_finalize(s);
    EH_TRY(status);
    return merge_exec(m, "DROP TABLE temp.merge_settle; DROP TABLE temp.merge_equal",
                      err);
}

/* ---- counts and scope ---- */

static eh_status first_other_texts(merging *m, eh_error *err) {
    sqlite3_stmt *s = NULL;
    bool got;
    if (m->counts->n_other_texts == 0) return EH_STATUS_OK;
    EH_TRY(merge_prepare(
        m,
        "SELECT s.pair_id FROM src.pair s JOIN merge_pair p ON p.old = s.id "
        "JOIN main.pair q ON q.pair_id = s.pair_id AND q.seq IS NOT NULL WHERE "
        "s.seq IS NOT NULL AND q.id <> p.new ORDER BY s.seq LIMIT 1",
        &s, err));
    eh_status status = ledger_stmt_row(m->l, s, &got, err);
    if (status == EH_STATUS_OK && got) {
        eh_str id = ledger_column_str(s, 0);
        (void)snprintf(m->counts->first_other_texts,
                       sizeof m->counts->first_other_texts, "%.*s",
                       (int)(id.len > 60 ? 60 : id.len), id.ptr);
    }
    (void)sqlite3_finalize(s);
    return status;
}

/* What a scope of pairs of several data sets is called; a run over one of them stages
 * that one again and finds its answers. */
static eh_status name_scope(merging *m, eh_error *err) {
    uint8_t digest[HASH_BYTES] = {0};
    eh_hash h;
    sqlite3_stmt *s = NULL;
    if (m->n_scope_before == 0)
        return merge_exec(
            m,
            "INSERT INTO main.dataset(digest, name, n_pairs, staged_ms) SELECT "
            "digest, name, n_pairs, staged_ms FROM src.dataset ORDER BY id DESC "
            "LIMIT 1",
            err);
    (void)ledger_dataset_digest(m->l, digest);
    hash_init(&h, "eh-merged-1");
    hash_str(&h, (eh_str){(const char *)digest, HASH_BYTES});
    EH_TRY(merge_prepare(
        m, "SELECT hex(digest) FROM src.dataset ORDER BY id DESC LIMIT 1", &s, err));
    bool got;
    eh_status status = ledger_stmt_row(m->l, s, &got, err);
    if (status == EH_STATUS_OK && got) hash_str(&h, ledger_column_str(s, 0));
    (void)sqlite3_finalize(s);
    EH_TRY(status);
    hash_done(&h, digest);
    EH_TRY(merge_prepare(
        m,
        "INSERT INTO main.dataset(digest, name, n_pairs, staged_ms) VALUES "
        "(?1, 'merged', (SELECT count(*) FROM main.pair WHERE seq IS NOT "
        "NULL), coalesce((SELECT max(staged_ms) FROM main.dataset), 0))",
        &s, err));
    (void)sqlite3_bind_blob(s, 1, digest, HASH_BYTES, SQLITE_STATIC);
    status = ledger_stmt_done(m->l, s, err);
    (void)sqlite3_finalize(s);
    return status;
}

static eh_status count_pairs(merging *m, eh_error *err) {
    ledger_merge_counts *c = m->counts;
    EH_TRY(merge_number(m, "SELECT count(*) FROM src.pair WHERE seq IS NOT NULL",
                        &c->n_pairs, err));
    EH_TRY(merge_number(m, "SELECT count(*) FROM merge_scope", &c->n_new_pairs, err));
    EH_TRY(merge_number(
        m,
        "SELECT count(*) FROM src.pair s JOIN merge_pair p ON p.old = s.id JOIN "
        "main.pair q ON q.pair_id = s.pair_id AND q.seq IS NOT NULL WHERE s.seq "
        "IS NOT NULL AND q.id <> p.new",
        &c->n_other_texts, err));
    EH_TRY(first_other_texts(m, err));
    return c->n_new_pairs ? name_scope(m, err) : EH_STATUS_OK;
}

static eh_status count_calls(merging *m, eh_error *err) {
    ledger_merge_counts *c = m->counts;
    EH_TRY(merge_number(m, "SELECT count(*) FROM src.call WHERE length(key) = 32",
                        &c->n_calls, err));
    EH_TRY(merge_number(m, "SELECT count(*) FROM merge_fresh", &c->n_new_calls, err));
    return merge_number(
        m,
        "SELECT count(*) " MAPPED_ASKS "JOIN main.ask b ON " SAME_ASK
        "JOIN src.sample x ON x.call = a.call JOIN main.sample y ON y.call = "
        "b.call LEFT JOIN merge_call c ON c.old = a.call WHERE c.new IS NOT "
        "b.call AND x.verdict <> y.verdict",
        &c->n_other_asks, err);
}

eh_status merge_has_table(merging *m, const char *name, bool *has, eh_error *err) {
    sqlite3_stmt *s = NULL;
    int64_t n;
    EH_TRY(merge_prepare(m, "SELECT count(*) FROM src.sqlite_schema WHERE name = ?1",
                         &s, err));
    (void)sqlite3_bind_text(s, 1, name, -1, SQLITE_STATIC);
    eh_status status = ledger_stmt_i64(m->l, s, &n, err);
    (void)sqlite3_finalize(s);
    *has = status == EH_STATUS_OK && n > 0;
    return status;
}

static eh_status find_tables(merging *m, eh_error *err) {
    EH_TRY(merge_has_table(m, "logprobs", &m->has_logprobs, err));
    EH_TRY(merge_has_table(m, "request", &m->has_requests, err));
    return merge_has_table(m, "embedding", &m->has_embeddings, err);
}

static eh_status merge_pairs(merging *m, eh_error *err) {
    EH_TRY(ledger_count_pairs(m->l, &m->n_scope_before, err));
    EH_TRY(merge_exec_all(m, add_judges, err));
    EH_TRY(merge_exec_all(m, add_pairs, err));
    EH_TRY(count_pairs(m, err));
    if (m->o->without_texts) return EH_STATUS_OK;
    return merge_exec(m, add_texts, err);
}

static eh_status merge_calls(merging *m, eh_error *err) {
    EH_TRY(merge_exec_all(m, add_runs, err));
    EH_TRY(merge_exec_all(m, add_calls, err));
    if (has_need(m, NEEDS_TEXTS)) EH_TRY(merge_exec(m, add_replies, err));
    if (has_need(m, NEEDS_LOGPROBS)) EH_TRY(merge_exec(m, add_logprobs, err));
    EH_TRY(count_calls(m, err));
    EH_TRY(settle_calls(m, err));
    EH_TRY(merge_exec_all(m, add_asks, err));
    if (m->has_requests) EH_TRY(merge_exec(m, add_requests, err));
    return m->has_embeddings ? merge_exec_all(m, add_embeddings, err) : EH_STATUS_OK;
}

static eh_status merge_all(merging *m, eh_error *err) {
    EH_TRY(find_tables(m, err));
    EH_TRY(merge_pairs(m, err));
    EH_TRY(merge_calls(m, err));
    return merge_people(m, err);
}

static eh_status attach(merging *m, const char *path, eh_error *err) {
    sqlite3_stmt *s = NULL;
    EH_TRY(merge_prepare(m, "ATTACH ?1 AS src", &s, err));
    (void)sqlite3_bind_text(s, 1, path, -1, SQLITE_STATIC);
    eh_status status = ledger_stmt_done(m->l, s, err);
    (void)sqlite3_finalize(s);
    return status;
}

eh_status ledger_merge(ledger *into, const char *path,
                       const ledger_merge_options *options, ledger_merge_counts *counts,
                       eh_error *err) {
    *counts = (ledger_merge_counts){0};
    merging m = {.l = into, .o = options, .counts = counts};
    ledger *source; /* opened once as a ledger, so that what is none is named as such */
    EH_TRY(ledger_open(path, LEDGER_READ, &source, err));
    (void)ledger_close(source, NULL);
    EH_TRY(attach(&m, path, err));
    eh_status status = ledger_begin(into, err);
    if (status == EH_STATUS_OK) status = merge_all(&m, err);
    if (status == EH_STATUS_OK) status = merge_exec(&m, drop_all, err);
    if (status == EH_STATUS_OK) status = ledger_commit(into, err);
    if (status != EH_STATUS_OK) ledger_rollback(into);
    (void)sqlite3_exec(into->db, "DETACH src", NULL, NULL, NULL);
    return status;
}
