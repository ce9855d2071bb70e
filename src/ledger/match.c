/* SPDX-License-Identifier: MIT
 *
 * Finding a pair of another ledger.
 *
 * The tables know pairs by id and revision. Looking for texts under any id needs an
 * index of revisions alone, which only comparisons use: it is a temporary table of this
 * connection, made at the first look and gone when the ledger is closed.
 */
#include "ledger/match.h"

#include "ledger/schema.h"

static const char index_sql[] =
    "CREATE TEMP TABLE IF NOT EXISTS scope_revision AS SELECT revision, min(seq) AS "
    "seq "
    "FROM pair WHERE seq IS NOT NULL GROUP BY revision;"
    "CREATE UNIQUE INDEX IF NOT EXISTS temp.scope_revision_at ON "
    "scope_revision(revision);";

static eh_status ready(ledger *l, eh_error *err) {
    if (l->match_ready) return EH_STATUS_OK;
    if (sqlite3_exec(l->db, index_sql, NULL, NULL, NULL) != SQLITE_OK)
        return LEDGER_FAULT(l, err);
    l->match_ready = true;
    return EH_STATUS_OK;
}

eh_status ledger_pair_revision(ledger *l, int64_t pair_row, uint8_t revision[16],
                               eh_error *err) {
    sqlite3_stmt *s;
    bool got;
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_PAIR_REVISION, &s, err));
    (void)sqlite3_bind_int64(s, 1, pair_row);
    EH_TRY(ledger_stmt_row(l, s, &got, err));
    bool whole = got && sqlite3_column_bytes(s, 0) == 16;
    if (whole) memcpy(revision, sqlite3_column_blob(s, 0), 16);
    (void)sqlite3_reset(s);
    if (whole) return EH_STATUS_OK;
    return EH_FAIL(err, EH_STATUS_LEDGER, "%s: a pair is gone", l->path);
}

/* One of the three ways; the statement stays open for the pair's strings. */
static eh_status look(ledger *l, ledger_stmt id, eh_str pair_id,
                      const uint8_t revision[16], ledger_pair *pair, bool *found,
                      eh_error *err) {
    sqlite3_stmt *s;
    EH_TRY(ledger_stmt_get(l, id, &s, err));
    if (id != LEDGER_STMT_MATCH_TEXTS) ledger_bind_str(s, 1, pair_id);
    if (id != LEDGER_STMT_MATCH_ID)
        (void)sqlite3_bind_blob(s, 2, revision, 16, SQLITE_STATIC);
    EH_TRY(ledger_stmt_row(l, s, found, err));
    if (*found) ledger_read_pair(s, pair);
    return EH_STATUS_OK;
}

eh_status ledger_pair_match(ledger *l, eh_str pair_id, const uint8_t revision[16],
                            ledger_pair *pair, ledger_match *match, eh_error *err) {
    static const struct {
        ledger_stmt id;
        ledger_match match;
    } ways[] = {
        {LEDGER_STMT_MATCH_SAME, LEDGER_MATCH_SAME},
        {LEDGER_STMT_MATCH_TEXTS, LEDGER_MATCH_OTHER_ID},
        {LEDGER_STMT_MATCH_ID, LEDGER_MATCH_OTHER_TEXTS},
    };
    *match = LEDGER_MATCH_NONE;
    EH_TRY(ready(l, err));
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        bool found;
        EH_TRY(look(l, ways[i].id, pair_id, revision, pair, &found, err));
        if (!found) continue;
        *match = ways[i].match;
        return EH_STATUS_OK;
    }
    return EH_STATUS_OK;
}
