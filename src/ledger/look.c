/* SPDX-License-Identifier: MIT
 *
 * One pair as a person looks at it: what was asked about it, what came back, what
 * people said of it, and which revision of its texts that was.
 *
 * Everything is copied into the caller's arena, so that several of these can be held
 * side by side; that is meant for one pair or a few, not for all of them. A key of a
 * call that a refresh replaced is longer than the others; no ask points to such a call,
 * so none is handed out here.
 */
#include "ledger/schema.h"

eh_status ledger_dataset_look(ledger *l, eh_arena *arena, ledger_dataset *d,
                              eh_error *err) {
    sqlite3_stmt *s;
    bool got, kept = true;
    *d = (ledger_dataset){.n_pairs = 0};
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_DATASET_LOOK, &s, err));
    EH_TRY(ledger_stmt_row(l, s, &got, err));
    if (got) {
        kept = arena_copy(arena, ledger_column_str(s, 0), &d->name);
        d->n_pairs = sqlite3_column_int64(s, 1);
        if (sqlite3_column_bytes(s, 2) == HASH_BYTES)
            memcpy(d->digest, sqlite3_column_blob(s, 2), HASH_BYTES);
    }
    (void)sqlite3_reset(s);
    return kept ? EH_STATUS_OK : EH_NOMEM(err);
}

eh_status ledger_pair_look(ledger *l, int64_t pair_row, int head_cp, eh_arena *arena,
                           ledger_glance *glance, eh_error *err) {
    sqlite3_stmt *s;
    bool got, kept = true;
    *glance = (ledger_glance){.has_texts = false};
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_PAIR_LOOK, &s, err));
    (void)sqlite3_bind_int64(s, 1, pair_row);
    (void)sqlite3_bind_int(s, 2, head_cp);
    EH_TRY(ledger_stmt_row(l, s, &got, err));
    if (got) {
        if (sqlite3_column_bytes(s, 0) == (int)sizeof glance->revision)
            memcpy(glance->revision, sqlite3_column_blob(s, 0),
                   sizeof glance->revision);
        glance->has_texts = sqlite3_column_type(s, 1) != SQLITE_NULL;
        glance->head_is_all = sqlite3_column_int(s, 3) <= head_cp;
        kept = arena_copy(arena, ledger_column_str(s, 2), &glance->head);
    }
    (void)sqlite3_reset(s);
    return kept ? EH_STATUS_OK : EH_NOMEM(err);
}

/* Columns in the order of ANSWERS_OF_PAIR; false when the arena is full. */
static bool read_answer(sqlite3_stmt *s, eh_arena *arena, ledger_answer *a) {
    *a = (ledger_answer){.sample = ledger_sample_of(s),
                         .prompt_tokens = ledger_column_known(s, 11),
                         .cached_tokens = ledger_column_known(s, 12),
                         .completion_tokens = ledger_column_known(s, 13),
                         .reasoning_tokens = ledger_column_known(s, 14)};
    if (sqlite3_column_bytes(s, 8) >= HASH_BYTES)
        memcpy(a->key, sqlite3_column_blob(s, 8), HASH_BYTES);
    return arena_copy(arena, ledger_column_str(s, 9), &a->model) &&
           arena_copy(arena, ledger_column_str(s, 10), &a->finish_reason) &&
           arena_copy(arena, ledger_column_str(s, 15), &a->content) &&
           arena_copy(arena, ledger_column_str(s, 16), &a->reasoning) &&
           arena_copy(arena, ledger_column_str(s, 17), &a->refusal);
}

static bool read_label(sqlite3_stmt *s, eh_arena *arena, ledger_label *label) {
    label->label = (eh_verdict)sqlite3_column_int(s, 1);
    label->side = (int)ledger_column_known(s, 2);
    label->familiar = (int)ledger_column_known(s, 3);
    label->adjudicated = sqlite3_column_int(s, 6);
    label->unblind = sqlite3_column_int(s, 7);
    return arena_copy(arena, ledger_column_str(s, 0), &label->annotator) &&
           arena_copy(arena, ledger_column_str(s, 4), &label->note) &&
           arena_copy(arena, ledger_column_str(s, 5), &label->time);
}

eh_status ledger_pair_answers(ledger *l, const ledger_ask *whose, eh_arena *arena,
                              ledger_answer **answers, size_t *n, eh_error *err) {
    sqlite3_stmt *s;
    size_t cap = 0;
    *n = 0;
    *answers = NULL;
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_ANSWERS_OF_PAIR, &s, err));
    (void)sqlite3_bind_int64(s, 1, whose->judge_row);
    (void)sqlite3_bind_int64(s, 2, whose->pair_row);
    (void)sqlite3_bind_int(s, 3, whose->stream);
    for (bool got = true;;) {
        EH_TRY(ledger_stmt_row(l, s, &got, err));
        if (!got) return EH_STATUS_OK;
        *answers = arena_grow(arena, *answers, *n, &cap, sizeof **answers);
        if (!*answers || !read_answer(s, arena, &(*answers)[*n])) {
            (void)sqlite3_reset(s);
            return EH_NOMEM(err);
        }
        (*n)++;
    }
}

eh_status ledger_pair_labels(ledger *l, int64_t pair_row, eh_arena *arena,
                             ledger_label **labels, size_t *n, eh_error *err) {
    sqlite3_stmt *s;
    size_t cap = 0;
    *n = 0;
    *labels = NULL;
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_PAIR_LABELS, &s, err));
    (void)sqlite3_bind_int64(s, 1, pair_row);
    for (bool got = true;;) {
        EH_TRY(ledger_stmt_row(l, s, &got, err));
        if (!got) return EH_STATUS_OK;
        *labels = arena_grow(arena, *labels, *n, &cap, sizeof **labels);
        if (!*labels || !read_label(s, arena, &(*labels)[*n])) {
            (void)sqlite3_reset(s);
            return EH_NOMEM(err);
        }
        (*labels)[(*n)++].pair_row = pair_row;
    }
}

eh_status ledger_pair_usage(ledger *l, int64_t judge_row, int64_t pair_row,
                            const plan_spec *plan, ledger_usage *sum, eh_error *err) {
    sqlite3_stmt *s;
    EH_TRY(ledger_plan_stmt(l, LEDGER_STMT_PAIR_USAGE, judge_row, plan, &s, err));
    (void)sqlite3_bind_int64(s, 10, pair_row);
    return ledger_usage_row(l, s, sum, err);
}
