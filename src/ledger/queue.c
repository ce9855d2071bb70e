/* SPDX-License-Identifier: MIT
 *
 * The queue and its items, instructions and people. Assignments and decisions are in
 * decisions.c.
 *
 * Tokens are not here: of each only a hash is kept, so that a ledger that is passed on
 * lets nobody in.
 */
#include "ledger/queue.h"

#include <math.h>

#include "base/mem.h"
#include "ledger/schema.h"

eh_status ledger_queue_get(ledger *l, eh_arena *arena, ledger_queue *q, bool *found,
                           eh_error *err) {
    sqlite3_stmt *s;
    *q = (ledger_queue){0};
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_QUEUE_GET, &s, err));
    EH_TRY(ledger_stmt_row(l, s, found, err));
    if (!*found) return EH_STATUS_OK;
    if (sqlite3_column_bytes(s, 0) == LEDGER_NONCE_BYTES)
        memcpy(q->nonce, sqlite3_column_blob(s, 0), LEDGER_NONCE_BYTES);
    q->n_budget = sqlite3_column_int64(s, 5);
    q->n_frame = sqlite3_column_int64(s, 6);
    q->seed = sqlite3_column_int64(s, 7);
    q->labels_per_pair = sqlite3_column_int(s, 8);
    q->apart = sqlite3_column_int(s, 9);
    q->paused = sqlite3_column_int(s, 10);
    q->created_ms = sqlite3_column_int64(s, 12);
    bool ok = arena_copy(arena, ledger_column_str(s, 1), &q->selection) &&
              arena_copy(arena, ledger_column_str(s, 2), &q->judge) &&
              arena_copy(arena, ledger_column_str(s, 3), &q->method) &&
              arena_copy(arena, ledger_column_str(s, 4), &q->budget) &&
              arena_copy(arena, ledger_column_str(s, 11), &q->contact);
    (void)sqlite3_reset(s);
    return ok ? EH_STATUS_OK : EH_NOMEM(err);
}

eh_status ledger_queue_put(ledger *l, const ledger_queue *q, eh_error *err) {
    sqlite3_stmt *s;
    EH_TRY(ledger_begin(l, err));
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_QUEUE_PUT, &s, err));
    (void)sqlite3_bind_blob(s, 1, q->nonce, LEDGER_NONCE_BYTES, SQLITE_STATIC);
    ledger_bind_str(s, 2, q->selection);
    ledger_bind_str(s, 3, q->judge);
    ledger_bind_str(s, 4, q->method);
    ledger_bind_str(s, 5, q->budget);
    (void)sqlite3_bind_int64(s, 6, q->n_budget);
    (void)sqlite3_bind_int64(s, 7, q->n_frame);
    (void)sqlite3_bind_int64(s, 8, q->seed);
    (void)sqlite3_bind_int(s, 9, q->labels_per_pair);
    (void)sqlite3_bind_int(s, 10, q->apart);
    (void)sqlite3_bind_int(s, 11, q->paused);
    ledger_bind_str(s, 12, q->contact);
    (void)sqlite3_bind_int64(s, 13, q->created_ms);
    return ledger_stmt_done(l, s, err);
}

eh_status ledger_queue_is_used(ledger *l, bool *used, eh_error *err) {
    sqlite3_stmt *s;
    int64_t found;
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_ASSIGNMENT_ANY, &s, err));
    EH_TRY(ledger_stmt_i64(l, s, &found, err));
    *used = found != 0;
    return EH_STATUS_OK;
}

eh_status ledger_items_clear(ledger *l, eh_error *err) {
    sqlite3_stmt *s;
    EH_TRY(ledger_begin(l, err));
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_ITEMS_CLEAR, &s, err));
    return ledger_stmt_done(l, s, err);
}

/* NaN is NULL. */
static void bind_double(sqlite3_stmt *s, int index, double value) {
    if (isnan(value))
        (void)sqlite3_bind_null(s, index);
    else
        (void)sqlite3_bind_double(s, index, value);
}

eh_status ledger_item_put(ledger *l, const ledger_item *item, eh_error *err) {
    sqlite3_stmt *s;
    EH_TRY(ledger_begin(l, err));
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_ITEM_PUT, &s, err));
    (void)sqlite3_bind_int64(s, 1, item->pair_row);
    (void)sqlite3_bind_int64(s, 2, item->rank);
    (void)sqlite3_bind_double(s, 3, item->uncertainty);
    bind_double(s, 4, item->p_select);
    (void)sqlite3_bind_int(s, 5, item->selected);
    (void)sqlite3_bind_int(s, 6, item->identity_leak);
    return ledger_stmt_done(l, s, err);
}

eh_status ledger_item_select(ledger *l, const ledger_item *item, eh_error *err) {
    sqlite3_stmt *s;
    EH_TRY(ledger_begin(l, err));
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_ITEM_SELECT, &s, err));
    (void)sqlite3_bind_int64(s, 1, item->pair_row);
    bind_double(s, 2, item->p_select);
    (void)sqlite3_bind_int(s, 3, item->selected);
    (void)sqlite3_bind_int(s, 4, item->identity_leak);
    return ledger_stmt_done(l, s, err);
}

eh_status ledger_items_each(ledger *l, ledger_item_fn *fn, void *self, eh_error *err) {
    sqlite3_stmt *s;
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_ITEMS_EACH, &s, err));
    for (bool got = true; got;) {
        EH_TRY(ledger_stmt_row(l, s, &got, err));
        if (!got) break;
        ledger_item item = {
            .pair_row = sqlite3_column_int64(s, 0),
            .rank = sqlite3_column_int64(s, 1),
            .uncertainty = sqlite3_column_double(s, 2),
            .p_select = sqlite3_column_type(s, 3) == SQLITE_NULL
                            ? (double)NAN
                            : sqlite3_column_double(s, 3),
            .selected = sqlite3_column_int(s, 4),
            .identity_leak = sqlite3_column_int(s, 5),
            .pair_id = ledger_column_str(s, 6),
            .question_hash = (uint64_t)sqlite3_column_int64(s, 7),
            .n_assigned = sqlite3_column_int64(s, 8),
            .n_counting = sqlite3_column_int64(s, 9),
        };
        eh_status status = fn(self, &item, err);
        if (status != EH_STATUS_OK) {
            (void)sqlite3_reset(s);
            return status;
        }
    }
    return EH_STATUS_OK;
}

/* ---- instructions ---- */

eh_status ledger_instructions_last(ledger *l, eh_arena *arena, ledger_instructions *i,
                                   eh_error *err) {
    sqlite3_stmt *s;
    bool got;
    *i = (ledger_instructions){{NULL, 0}, {NULL, 0}};
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_INSTRUCTIONS_LAST, &s, err));
    EH_TRY(ledger_stmt_row(l, s, &got, err));
    if (!got) return EH_STATUS_OK;
    bool ok = arena_copy(arena, ledger_column_str(s, 0), &i->version) &&
              arena_copy(arena, ledger_column_str(s, 1), &i->text);
    (void)sqlite3_reset(s);
    return ok ? EH_STATUS_OK : EH_NOMEM(err);
}

eh_status ledger_instructions_put(ledger *l, const ledger_instructions *i,
                                  int64_t now_ms, eh_error *err) {
    sqlite3_stmt *s;
    EH_TRY(ledger_begin(l, err));
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_INSTRUCTIONS_PUT, &s, err));
    ledger_bind_str(s, 1, i->version);
    ledger_bind_str(s, 2, i->text);
    (void)sqlite3_bind_int64(s, 3, now_ms);
    return ledger_stmt_done(l, s, err);
}

/* ---- people ---- */

eh_status ledger_annotator_put(ledger *l, eh_str name, const uint8_t *token_hash,
                               int64_t now_ms, int64_t *row, eh_error *err) {
    sqlite3_stmt *s;
    EH_TRY(ledger_begin(l, err));
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_ANNOTATOR_FIND, &s, err));
    ledger_bind_str(s, 1, name);
    EH_TRY(ledger_stmt_i64(l, s, row, err));
    if (!*row) {
        EH_TRY(ledger_stmt_get(l, LEDGER_STMT_ANNOTATOR_INSERT, &s, err));
        ledger_bind_str(s, 1, name);
        (void)sqlite3_bind_int64(s, 2, now_ms);
        EH_TRY(ledger_stmt_done(l, s, err));
        *row = sqlite3_last_insert_rowid(l->db);
    }
    if (!token_hash) return EH_STATUS_OK;
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_ANNOTATOR_TOKEN, &s, err));
    (void)sqlite3_bind_int64(s, 1, *row);
    (void)sqlite3_bind_blob(s, 2, token_hash, HASH_BYTES, SQLITE_STATIC);
    return ledger_stmt_done(l, s, err);
}

eh_status ledger_annotator_seen(ledger *l, int64_t row, int64_t now_ms, eh_error *err) {
    sqlite3_stmt *s;
    EH_TRY(ledger_begin(l, err));
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_ANNOTATOR_SEEN, &s, err));
    (void)sqlite3_bind_int64(s, 1, row);
    (void)sqlite3_bind_int64(s, 2, now_ms);
    return ledger_stmt_done(l, s, err);
}

static bool read_annotator(sqlite3_stmt *s, eh_arena *arena, ledger_annotator *a) {
    a->row = sqlite3_column_int64(s, 0);
    a->has_token = sqlite3_column_bytes(s, 2) == HASH_BYTES;
    if (a->has_token) memcpy(a->token_hash, sqlite3_column_blob(s, 2), HASH_BYTES);
    a->last_seen_ms =
        sqlite3_column_type(s, 3) == SQLITE_NULL ? -1 : sqlite3_column_int64(s, 3);
    return arena_copy(arena, ledger_column_str(s, 1), &a->name);
}

eh_status ledger_annotators(ledger *l, eh_arena *arena, ledger_annotator **list,
                            size_t *n, eh_error *err) {
    sqlite3_stmt *s;
    size_t cap = 0;
    *list = NULL;
    *n = 0;
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_ANNOTATORS, &s, err));
    for (bool got = true; got;) {
        EH_TRY(ledger_stmt_row(l, s, &got, err));
        if (!got) break;
        if (*n == cap) {
            cap = cap ? 2 * cap : 8;
            ledger_annotator *more = arena_zalloc(arena, cap, sizeof *more);
            if (more && *n) memcpy(more, *list, *n * sizeof *more);
            *list = more;
        }
        if (!*list || !read_annotator(s, arena, &(*list)[*n])) {
            (void)sqlite3_reset(s);
            return EH_NOMEM(err);
        }
        (*n)++;
    }
    return EH_STATUS_OK;
}
