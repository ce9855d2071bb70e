/* SPDX-License-Identifier: MIT
 *
 * Assignments and decisions.
 *
 *   handed out --> labelled | unfamiliar | skipped once --> skipped
 *        `---> stale (others may have the pair; a late answer still counts)
 *
 * A decision is added, never changed: what it replaces gets its row number. The label
 * that counts follows from the newest one and is written in the same group, so both
 * are durable together or not at all.
 */
#include <math.h>
#include <stdio.h>
#include <time.h>

#include "ledger/queue.h"
#include "ledger/schema.h"

static const char *const choice_names[] = {"", "A", "B", "tie", "skip"};

const char *ledger_choice_name(ledger_choice c) {
    return choice_names[c];
}

ledger_choice ledger_choice_parse(eh_str s) {
    for (int i = LEDGER_CHOICE_A; i <= LEDGER_CHOICE_SKIP; i++)
        if (eh_str_eq_cstr(s, choice_names[i])) return (ledger_choice)i;
    return (ledger_choice)0;
}

eh_verdict ledger_choice_verdict(ledger_choice c, eh_order side) {
    switch (c) {
    case LEDGER_CHOICE_A: return eh_verdict_unswap(EH_VERDICT_1, side);
    case LEDGER_CHOICE_B: return eh_verdict_unswap(EH_VERDICT_2, side);
    case LEDGER_CHOICE_TIE: return EH_VERDICT_TIE;
    default: return EH_VERDICT_NONE;
    }
}

/* ---- assignments ---- */

static void read_id(sqlite3_stmt *s, int column, char id[LEDGER_ID_CHARS + 1]) {
    eh_str text = ledger_column_str(s, column);
    (void)snprintf(id, LEDGER_ID_CHARS + 1, "%.*s", EH_STR_ARG(text));
}

static void read_assignment(sqlite3_stmt *s, ledger_assignment *a) {
    *a = (ledger_assignment){
        .row = sqlite3_column_int64(s, 0),
        .pair_row = sqlite3_column_int64(s, 2),
        .annotator_row = sqlite3_column_int64(s, 3),
        .side = sqlite3_column_int(s, 4) ? EH_ORDER_21 : EH_ORDER_12,
        .number = sqlite3_column_int64(s, 5),
        .state = (ledger_assignment_state)sqlite3_column_int(s, 6),
        .sent_ms = sqlite3_column_int64(s, 7),
    };
    read_id(s, 1, a->id);
}

eh_status ledger_assignment_put(ledger *l, const ledger_assignment *a, int64_t *row,
                                eh_error *err) {
    sqlite3_stmt *s;
    EH_TRY(ledger_begin(l, err));
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_ASSIGNMENT_PUT, &s, err));
    ledger_bind_str(s, 1, eh_str_of(a->id));
    (void)sqlite3_bind_int64(s, 2, a->pair_row);
    (void)sqlite3_bind_int64(s, 3, a->annotator_row);
    (void)sqlite3_bind_int(s, 4, (int)a->side);
    (void)sqlite3_bind_int64(s, 5, a->number);
    (void)sqlite3_bind_int(s, 6, (int)a->state);
    (void)sqlite3_bind_int64(s, 7, a->sent_ms);
    EH_TRY(ledger_stmt_done(l, s, err));
    *row = sqlite3_last_insert_rowid(l->db);
    return EH_STATUS_OK;
}

/* The one row of a statement whose parameters are bound. */
static eh_status one_assignment(ledger *l, sqlite3_stmt *s, ledger_assignment *a,
                                bool *found, eh_error *err) {
    EH_TRY(ledger_stmt_row(l, s, found, err));
    if (*found) read_assignment(s, a);
    (void)sqlite3_reset(s);
    return EH_STATUS_OK;
}

eh_status ledger_assignment_find(ledger *l, eh_str id, ledger_assignment *a,
                                 bool *found, eh_error *err) {
    sqlite3_stmt *s;
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_ASSIGNMENT_FIND, &s, err));
    ledger_bind_str(s, 1, id);
    return one_assignment(l, s, a, found, err);
}

eh_status ledger_assignment_of(ledger *l, int64_t annotator_row, int64_t pair_row,
                               ledger_assignment *a, bool *found, eh_error *err) {
    sqlite3_stmt *s;
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_ASSIGNMENT_OF, &s, err));
    (void)sqlite3_bind_int64(s, 1, annotator_row);
    (void)sqlite3_bind_int64(s, 2, pair_row);
    return one_assignment(l, s, a, found, err);
}

eh_status ledger_assigned_each(ledger *l, int64_t annotator_row, ledger_row_fn *fn,
                               void *self, eh_error *err) {
    sqlite3_stmt *s;
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_ASSIGNED_PAIRS, &s, err));
    (void)sqlite3_bind_int64(s, 1, annotator_row);
    for (bool got = true; got;) {
        EH_TRY(ledger_stmt_row(l, s, &got, err));
        if (got) fn(self, sqlite3_column_int64(s, 0));
    }
    return EH_STATUS_OK;
}

eh_status ledger_assigned_question(ledger *l, int64_t annotator_row,
                                   uint64_t question_hash, bool *has, eh_error *err) {
    sqlite3_stmt *s;
    int64_t found;
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_ASSIGNED_QUESTION, &s, err));
    (void)sqlite3_bind_int64(s, 1, annotator_row);
    (void)sqlite3_bind_int64(s, 2, (int64_t)question_hash);
    EH_TRY(ledger_stmt_i64(l, s, &found, err));
    *has = found != 0;
    return EH_STATUS_OK;
}

eh_status ledger_assignments_open(ledger *l, int64_t annotator_row, bool skipped,
                                  ledger_assignment *list, size_t cap, size_t *n,
                                  eh_error *err) {
    sqlite3_stmt *s;
    *n = 0;
    EH_TRY(ledger_stmt_get(
        l, skipped ? LEDGER_STMT_ASSIGNMENTS_SKIPPED : LEDGER_STMT_ASSIGNMENTS_OPEN, &s,
        err));
    (void)sqlite3_bind_int64(s, 1, annotator_row);
    (void)sqlite3_bind_int64(s, 2, (int64_t)cap);
    for (bool got = true; got;) {
        EH_TRY(ledger_stmt_row(l, s, &got, err));
        if (got) read_assignment(s, &list[(*n)++]);
    }
    return EH_STATUS_OK;
}

eh_status ledger_assignment_set(ledger *l, int64_t row, ledger_assignment_state state,
                                int64_t now_ms, eh_error *err) {
    sqlite3_stmt *s;
    EH_TRY(ledger_begin(l, err));
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_ASSIGNMENT_SET, &s, err));
    (void)sqlite3_bind_int64(s, 1, row);
    (void)sqlite3_bind_int(s, 2, (int)state);
    (void)sqlite3_bind_int64(s, 3, now_ms);
    return ledger_stmt_done(l, s, err);
}

eh_status ledger_assignment_again(ledger *l, ledger_assignment *a, int64_t now_ms,
                                  eh_error *err) {
    sqlite3_stmt *s;
    EH_TRY(ledger_begin(l, err));
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_ASSIGNMENT_AGAIN, &s, err));
    (void)sqlite3_bind_int64(s, 1, a->row);
    (void)sqlite3_bind_int64(s, 2, now_ms);
    a->state = LEDGER_ASSIGNED;
    a->sent_ms = now_ms;
    return ledger_stmt_done(l, s, err);
}

eh_status ledger_assignments_expire(ledger *l, int64_t before_ms, int64_t *n,
                                    eh_error *err) {
    sqlite3_stmt *s;
    EH_TRY(ledger_begin(l, err));
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_ASSIGNMENTS_EXPIRE, &s, err));
    (void)sqlite3_bind_int64(s, 1, before_ms);
    EH_TRY(ledger_stmt_done(l, s, err));
    *n = sqlite3_changes(l->db);
    return EH_STATUS_OK;
}

eh_status ledger_disagreements(ledger *l, int64_t after_row, int64_t *rows, size_t cap,
                               size_t *n, int64_t *n_all, eh_error *err) {
    sqlite3_stmt *s;
    *n = 0;
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_DISAGREEMENTS_COUNT, &s, err));
    EH_TRY(ledger_stmt_i64(l, s, n_all, err));
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_DISAGREEMENTS, &s, err));
    (void)sqlite3_bind_int64(s, 1, after_row);
    (void)sqlite3_bind_int64(s, 2, (int64_t)cap);
    for (bool got = true; got;) {
        EH_TRY(ledger_stmt_row(l, s, &got, err));
        if (got) rows[(*n)++] = sqlite3_column_int64(s, 0);
    }
    return EH_STATUS_OK;
}

/* ---- decisions ---- */

/* "2026-11-30T09:15:02Z" */
static void instant_text(int64_t ms, char text[32]) {
    time_t seconds = (time_t)(ms / 1000);
    struct tm utc;
    text[0] = 0;
    if (gmtime_r(&seconds, &utc)) (void)strftime(text, 32, "%Y-%m-%dT%H:%M:%SZ", &utc);
}

/* The label that counts from now on, or none after a skip. */
static eh_status write_label(ledger *l, const ledger_decision *d, eh_error *err) {
    sqlite3_stmt *s, *to;
    bool got;
    char time_text[32];
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_DECISION_LABEL, &s, err));
    (void)sqlite3_bind_int64(s, 1, d->assignment_row);
    EH_TRY(ledger_stmt_row(l, s, &got, err));
    if (!got) return EH_FAIL(err, EH_STATUS_LEDGER, "%s: no such assignment", l->path);
    instant_text(d->received_ms, time_text);
    ledger_label label = {.pair_row = sqlite3_column_int64(s, 0),
                          .annotator = ledger_column_str(s, 1),
                          .label = d->verdict,
                          .side = sqlite3_column_int(s, 2),
                          .familiar = d->unfamiliar ? 0 : 1,
                          .note = d->note,
                          .time = eh_str_of(time_text),
                          .adjudicated = sqlite3_column_int(s, 3)};
    eh_status status;
    if (d->verdict != EH_VERDICT_NONE) {
        status = ledger_label_put(l, &label, err);
    } else {
        status = ledger_stmt_get(l, LEDGER_STMT_LABEL_REMOVE, &to, err);
        if (status == EH_STATUS_OK) {
            (void)sqlite3_bind_int64(to, 1, label.pair_row);
            ledger_bind_str(to, 2, label.annotator);
            status = ledger_stmt_done(l, to, err);
        }
    }
    (void)sqlite3_reset(s);
    return status;
}

static void bind_decision(sqlite3_stmt *s, const ledger_decision *d) {
    ledger_bind_str(s, 1, d->label_id);
    (void)sqlite3_bind_int64(s, 2, d->assignment_row);
    (void)sqlite3_bind_int(s, 3, (int)d->choice);
    (void)sqlite3_bind_int(s, 4, (int)d->verdict);
    (void)sqlite3_bind_int(s, 5, d->unfamiliar);
    ledger_bind_str(s, 6, d->note);
    ledger_bind_known(s, 7, d->client_seq);
    ledger_bind_str(s, 8, d->instructions);
    ledger_bind_str(s, 9, d->view);
    ledger_bind_str(s, 10, d->width);
    ledger_bind_known(s, 11, d->visible_ms);
    if (!isnan(d->depth_a)) (void)sqlite3_bind_double(s, 12, d->depth_a);
    if (!isnan(d->depth_b)) (void)sqlite3_bind_double(s, 13, d->depth_b);
    (void)sqlite3_bind_int(s, 14, d->fast);
    (void)sqlite3_bind_int64(s, 15, d->received_ms);
}

eh_status ledger_decision_put(ledger *l, const ledger_decision *d, int64_t replaces,
                              int64_t *row, eh_error *err) {
    sqlite3_stmt *s;
    EH_TRY(ledger_begin(l, err));
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_DECISION_PUT, &s, err));
    bind_decision(s, d);
    EH_TRY(ledger_stmt_done(l, s, err));
    *row = sqlite3_last_insert_rowid(l->db);
    if (replaces) {
        EH_TRY(ledger_stmt_get(l, LEDGER_STMT_DECISION_SUPERSEDE, &s, err));
        (void)sqlite3_bind_int64(s, 1, replaces);
        (void)sqlite3_bind_int64(s, 2, *row);
        EH_TRY(ledger_stmt_done(l, s, err));
    }
    return write_label(l, d, err);
}

static double known_double(sqlite3_stmt *s, int column) {
    return sqlite3_column_type(s, column) == SQLITE_NULL
               ? (double)NAN
               : sqlite3_column_double(s, column);
}

static int64_t known_i64(sqlite3_stmt *s, int column) {
    return sqlite3_column_type(s, column) == SQLITE_NULL
               ? -1
               : sqlite3_column_int64(s, column);
}

/* Columns of LEDGER_DECISION_COLUMNS. False when the arena is full. */
static bool read_decision(sqlite3_stmt *s, eh_arena *arena, ledger_decision *d) {
    *d = (ledger_decision){
        .row = sqlite3_column_int64(s, 0),
        .assignment_row = sqlite3_column_int64(s, 1),
        .choice = (ledger_choice)sqlite3_column_int(s, 3),
        .verdict = (eh_verdict)sqlite3_column_int(s, 4),
        .unfamiliar = sqlite3_column_int(s, 5),
        .client_seq = known_i64(s, 7),
        .visible_ms = known_i64(s, 11),
        .depth_a = known_double(s, 12),
        .depth_b = known_double(s, 13),
        .fast = sqlite3_column_int(s, 14),
        .received_ms = sqlite3_column_int64(s, 15),
        .superseded_by = sqlite3_column_int64(s, 16),
    };
    read_id(s, 17, d->assignment_id);
    return arena_copy(arena, ledger_column_str(s, 2), &d->label_id) &&
           arena_copy(arena, ledger_column_str(s, 6), &d->note) &&
           arena_copy(arena, ledger_column_str(s, 8), &d->instructions) &&
           arena_copy(arena, ledger_column_str(s, 9), &d->view) &&
           arena_copy(arena, ledger_column_str(s, 10), &d->width);
}

static eh_status one_decision(ledger *l, sqlite3_stmt *s, eh_arena *arena,
                              ledger_decision *d, bool *found, eh_error *err) {
    EH_TRY(ledger_stmt_row(l, s, found, err));
    bool ok = !*found || read_decision(s, arena, d);
    (void)sqlite3_reset(s);
    return ok ? EH_STATUS_OK : EH_NOMEM(err);
}

eh_status ledger_decision_find(ledger *l, eh_str label_id, eh_arena *arena,
                               ledger_decision *d, bool *found, eh_error *err) {
    sqlite3_stmt *s;
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_DECISION_FIND, &s, err));
    ledger_bind_str(s, 1, label_id);
    return one_decision(l, s, arena, d, found, err);
}

eh_status ledger_decision_current(ledger *l, int64_t assignment_row, eh_arena *arena,
                                  ledger_decision *d, bool *found, eh_error *err) {
    sqlite3_stmt *s;
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_DECISION_CURRENT, &s, err));
    (void)sqlite3_bind_int64(s, 1, assignment_row);
    return one_decision(l, s, arena, d, found, err);
}

eh_status ledger_history(ledger *l, const ledger_history_page *page, eh_arena *arena,
                         ledger_decision *list, size_t *n, eh_error *err) {
    sqlite3_stmt *s;
    *n = 0;
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_HISTORY, &s, err));
    (void)sqlite3_bind_int64(s, 1, page->annotator_row);
    (void)sqlite3_bind_int64(s, 2, page->before > 0 ? page->before : INT64_MAX);
    (void)sqlite3_bind_int64(s, 3, (int64_t)page->cap);
    for (bool got = true; got;) {
        EH_TRY(ledger_stmt_row(l, s, &got, err));
        if (!got) break;
        ledger_decision *d = &list[(*n)++];
        if (!read_decision(s, arena, d) ||
            !arena_copy(arena, ledger_column_str(s, 18), &d->question)) {
            (void)sqlite3_reset(s);
            return EH_NOMEM(err);
        }
    }
    return EH_STATUS_OK;
}

/* ---- progress ---- */

static eh_status add_states(ledger *l, int64_t annotator_row, ledger_progress *p,
                            eh_error *err) {
    sqlite3_stmt *s;
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_PROGRESS_STATES, &s, err));
    (void)sqlite3_bind_int64(s, 1, annotator_row);
    for (bool got = true; got;) {
        EH_TRY(ledger_stmt_row(l, s, &got, err));
        if (!got) break;
        int64_t n = sqlite3_column_int64(s, 1);
        switch (sqlite3_column_int(s, 0)) {
        case LEDGER_LABELLED: p->n_labelled += n; break;
        case LEDGER_UNFAMILIAR: p->n_unfamiliar += n; break;
        case LEDGER_SKIPPED_ONCE: p->n_skipped_once += n; break;
        case LEDGER_SKIPPED: p->n_skipped += n; break;
        case LEDGER_ASSIGNED:
        case LEDGER_STALE: p->n_open += n; break;
        default: break;
        }
    }
    return EH_STATUS_OK;
}

eh_status ledger_progress_of(ledger *l, int64_t annotator_row, ledger_progress *p,
                             eh_error *err) {
    sqlite3_stmt *s;
    bool got;
    *p = (ledger_progress){.median_ms = (double)NAN};
    EH_TRY(add_states(l, annotator_row, p, err));
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_PROGRESS_SIDES, &s, err));
    (void)sqlite3_bind_int64(s, 1, annotator_row);
    EH_TRY(ledger_stmt_row(l, s, &got, err));
    if (got) {
        p->n_left = sqlite3_column_int64(s, 0);
        p->n_right = sqlite3_column_int64(s, 1);
        p->n_tie = sqlite3_column_int64(s, 2);
        p->n_fast = sqlite3_column_int64(s, 3);
        (void)sqlite3_reset(s);
    }
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_PROGRESS_MEDIAN, &s, err));
    (void)sqlite3_bind_int64(s, 1, annotator_row);
    EH_TRY(ledger_stmt_row(l, s, &got, err));
    if (!got) return EH_STATUS_OK;
    p->median_ms = sqlite3_column_double(s, 0);
    (void)sqlite3_reset(s);
    return EH_STATUS_OK;
}
