/* SPDX-License-Identifier: MIT
 *
 * Judges, runs and sessions in the ledger.
 *
 * A judge is found by the hash of everything that makes it (judge id, template text,
 * evidence or verdict first, requested parameters), so that two runs that ask the same
 * way share one judge and its calls, whatever method they follow.
 */
#include "ledger/schema.h"

#include <stdio.h>

#ifndef EH_VERSION
#error "EH_VERSION must come from the build"
#endif

static void judge_identity(const ledger_judge *j, uint8_t digest[HASH_BYTES]) {
    eh_hash h;
    hash_init(&h, "eh-judge-1");
    hash_str(&h, j->judge);
    hash_str(&h, j->template_name);
    hash_str(&h, j->template_text);
    hash_i64(&h, j->evidence_first);
    hash_str(&h, j->params);
    hash_done(&h, digest);
}

eh_status ledger_judge_find(ledger *l, const ledger_judge *judge, int64_t *judge_row,
                            eh_error *err) {
    uint8_t identity[HASH_BYTES];
    sqlite3_stmt *s;
    judge_identity(judge, identity);
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_JUDGE_FIND, &s, err));
    (void)sqlite3_bind_blob(s, 1, identity, HASH_BYTES, SQLITE_STATIC);
    return ledger_stmt_i64(l, s, judge_row, err);
}

eh_status ledger_judge_put(ledger *l, const ledger_judge *judge, int64_t *judge_row,
                           eh_error *err) {
    EH_TRY(ledger_judge_find(l, judge, judge_row, err));
    if (*judge_row) return EH_STATUS_OK;
    uint8_t identity[HASH_BYTES];
    sqlite3_stmt *s;
    judge_identity(judge, identity);
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_JUDGE_INSERT, &s, err));
    (void)sqlite3_bind_blob(s, 1, identity, HASH_BYTES, SQLITE_STATIC);
    ledger_bind_str(s, 2, judge->judge);
    ledger_bind_str(s, 3, judge->template_name);
    ledger_bind_str(s, 4, judge->template_text);
    (void)sqlite3_bind_int(s, 5, judge->evidence_first);
    ledger_bind_str(s, 6, judge->params);
    EH_TRY(ledger_stmt_done(l, s, err));
    *judge_row = sqlite3_last_insert_rowid(l->db);
    return EH_STATUS_OK;
}

static void bind_run(sqlite3_stmt *s, const ledger_run *run) {
    (void)sqlite3_bind_int64(s, 1, run->judge_row);
    ledger_bind_str(s, 2, run->method);
    (void)sqlite3_bind_int(s, 3, run->k);
    (void)sqlite3_bind_int(s, 4, (int)run->orders);
    (void)sqlite3_bind_int(s, 5, run->imported);
    ledger_bind_str(s, 6, run->options.len ? run->options : EH_STR(""));
}

eh_status ledger_run_find(ledger *l, const ledger_run *run, int64_t *run_row,
                          eh_error *err) {
    sqlite3_stmt *s;
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_RUN_FIND, &s, err));
    bind_run(s, run);
    return ledger_stmt_i64(l, s, run_row, err);
}

/* It comes first: an embedder, which may hold anything, comes last. */
#define STREAM_MARK "stream="

ledger_run ledger_run_of(const plan_spec *plan, int stream, int64_t judge_row,
                         char options[LEDGER_RUN_OPTIONS_CHARS]) {
    char own[PLAN_OPTIONS_CHARS];
    plan_options_text(plan, own);
    if (stream == LEDGER_STREAM_MAIN)
        (void)snprintf(options, LEDGER_RUN_OPTIONS_CHARS, "%s", own);
    else
        (void)snprintf(options, LEDGER_RUN_OPTIONS_CHARS, STREAM_MARK "%d%s%s", stream,
                       own[0] ? "," : "", own);
    return (ledger_run){.judge_row = judge_row,
                        .method = eh_str_of(plan_method_name(plan->method)),
                        .k = plan->k,
                        .orders = plan->orders,
                        .options = eh_str_of(options)};
}

int ledger_run_stream(const ledger_run *run) {
    eh_str rest = run->options, first;
    int64_t stream;
    if (ledger_run_is_main(run) || !eh_str_split(&rest, ',', &first))
        return LEDGER_STREAM_MAIN;
    first = eh_str_slice(first, sizeof STREAM_MARK - 1, first.len);
    return eh_str_to_i64(first, &stream) ? (int)stream : LEDGER_STREAM_MAIN;
}

bool ledger_run_is_main(const ledger_run *run) {
    return !eh_str_begins(run->options, EH_STR(STREAM_MARK));
}

eh_status ledger_run_put(ledger *l, const ledger_run *run, int64_t now_ms,
                         int64_t *run_row, eh_error *err) {
    sqlite3_stmt *s;
    EH_TRY(ledger_run_find(l, run, run_row, err));
    if (*run_row) return EH_STATUS_OK;
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_RUN_INSERT, &s, err));
    bind_run(s, run);
    (void)sqlite3_bind_int64(s, 7, now_ms);
    EH_TRY(ledger_stmt_done(l, s, err));
    *run_row = sqlite3_last_insert_rowid(l->db);
    return EH_STATUS_OK;
}

/* Columns in the order of RUNS; strings into the arena. */
static bool read_run(sqlite3_stmt *s, eh_arena *arena, ledger_run *run) {
    *run = (ledger_run){
        .row = sqlite3_column_int64(s, 0),
        .judge_row = sqlite3_column_int64(s, 1),
        .judge.evidence_first = sqlite3_column_int(s, 5) != 0,
        .k = sqlite3_column_int(s, 8),
        .orders = (unsigned)sqlite3_column_int(s, 9),
        .imported = sqlite3_column_int(s, 10) != 0,
    };
    return arena_copy(arena, ledger_column_str(s, 2), &run->judge.judge) &&
           arena_copy(arena, ledger_column_str(s, 3), &run->judge.template_name) &&
           arena_copy(arena, ledger_column_str(s, 4), &run->judge.template_text) &&
           arena_copy(arena, ledger_column_str(s, 6), &run->judge.params) &&
           arena_copy(arena, ledger_column_str(s, 7), &run->method) &&
           arena_copy(arena, ledger_column_str(s, 11), &run->options);
}

eh_status ledger_runs(ledger *l, eh_arena *arena, ledger_run **runs, size_t *n,
                      eh_error *err) {
    sqlite3_stmt *s;
    size_t cap = 16;
    *n = 0;
    *runs = arena_zalloc(arena, cap, sizeof **runs);
    if (!*runs) return EH_NOMEM(err);
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_RUNS, &s, err));
    for (bool got = true; got;) {
        EH_TRY(ledger_stmt_row(l, s, &got, err));
        if (!got) break;
        if (*n == cap) {
            ledger_run *more = arena_zalloc(arena, 2 * cap, sizeof *more);
            if (!more) {
                (void)sqlite3_reset(s);
                return EH_NOMEM(err);
            }
            memcpy(more, *runs, cap * sizeof *more);
            *runs = more;
            cap *= 2;
        }
        if (!read_run(s, arena, &(*runs)[(*n)++])) {
            (void)sqlite3_reset(s);
            return EH_NOMEM(err);
        }
    }
    return EH_STATUS_OK;
}

eh_status ledger_session_begin(ledger *l, const ledger_session *session,
                               int64_t *session_row, eh_error *err) {
    sqlite3_stmt *s;
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_SESSION_INSERT, &s, err));
    (void)sqlite3_bind_int64(s, 1, session->run_row);
    (void)sqlite3_bind_text(s, 2, EH_VERSION, -1, SQLITE_STATIC);
    (void)sqlite3_bind_int64(s, 3, session->started_ms);
    ledger_bind_known(s, 4, session->refresh_ms);
    EH_TRY(ledger_stmt_done(l, s, err));
    *session_row = sqlite3_last_insert_rowid(l->db);
    return EH_STATUS_OK;
}

eh_status ledger_session_end(ledger *l, int64_t session_row, int64_t now_ms,
                             const char *status, int64_t n_new, int64_t n_reused,
                             eh_error *err) {
    sqlite3_stmt *s;
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_SESSION_END, &s, err));
    (void)sqlite3_bind_int64(s, 1, session_row);
    (void)sqlite3_bind_int64(s, 2, now_ms);
    (void)sqlite3_bind_text(s, 3, status, -1, SQLITE_STATIC);
    (void)sqlite3_bind_int64(s, 4, n_new);
    (void)sqlite3_bind_int64(s, 5, n_reused);
    return ledger_stmt_done(l, s, err);
}

eh_status ledger_refresh_open(ledger *l, int64_t run_row, int64_t *refresh_ms,
                              eh_error *err) {
    sqlite3_stmt *s;
    bool got;
    *refresh_ms = -1;
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_REFRESH_LAST, &s, err));
    (void)sqlite3_bind_int64(s, 1, run_row);
    EH_TRY(ledger_stmt_row(l, s, &got, err));
    if (got && !eh_str_eq_cstr(ledger_column_str(s, 1), "done"))
        *refresh_ms = sqlite3_column_int64(s, 0);
    (void)sqlite3_reset(s);
    return EH_STATUS_OK;
}
