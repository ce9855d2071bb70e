/* SPDX-License-Identifier: MIT
 *
 * Human labels. A label belongs to the revision of the pair that the person saw, so a
 * changed text leaves it behind instead of putting words into somebody's mouth.
 */
#include "ledger/held.h"
#include "ledger/schema.h"

eh_status ledger_label_put(ledger *l, const ledger_label *label, eh_error *err) {
    sqlite3_stmt *s;
    EH_TRY(ledger_begin(l, err));
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_LABEL_PUT, &s, err));
    (void)sqlite3_bind_int64(s, 1, label->pair_row);
    ledger_bind_str(s, 2, label->annotator);
    (void)sqlite3_bind_int(s, 3, (int)label->label);
    ledger_bind_known(s, 4, label->side);
    ledger_bind_known(s, 5, label->familiar);
    ledger_bind_str(s, 6, label->note);
    ledger_bind_str(s, 7, label->time);
    (void)sqlite3_bind_int(s, 8, label->adjudicated);
    (void)sqlite3_bind_int(s, 9, label->unblind);
    return ledger_stmt_done(l, s, err);
}

eh_status ledger_label_remove(ledger *l, int64_t pair_row, eh_str annotator,
                              bool *removed, eh_error *err) {
    sqlite3_stmt *s;
    EH_TRY(ledger_begin(l, err));
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_LABEL_REMOVE, &s, err));
    (void)sqlite3_bind_int64(s, 1, pair_row);
    ledger_bind_str(s, 2, annotator);
    EH_TRY(ledger_stmt_done(l, s, err));
    *removed = sqlite3_changes(l->db) > 0;
    static const ledger_stmt traces[] = {LEDGER_STMT_DECISIONS_REMOVE,
                                         LEDGER_STMT_ASSIGNMENT_WITHDRAW};
    for (size_t i = 0; i < sizeof traces / sizeof traces[0]; i++) {
        EH_TRY(ledger_stmt_get(l, traces[i], &s, err));
        (void)sqlite3_bind_int64(s, 1, pair_row);
        ledger_bind_str(s, 2, annotator);
        EH_TRY(ledger_stmt_done(l, s, err));
    }
    return EH_STATUS_OK;
}

eh_status ledger_label_counts(ledger *l, int64_t pair_row, int64_t counts[4],
                              eh_error *err) {
    sqlite3_stmt *s;
    for (int i = 0; i < 4; i++)
        counts[i] = 0;
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_LABEL_COUNTS, &s, err));
    (void)sqlite3_bind_int64(s, 1, pair_row);
    for (bool got = true; got;) {
        EH_TRY(ledger_stmt_row(l, s, &got, err));
        int label = got ? sqlite3_column_int(s, 0) : 0;
        if (label > 0 && label < 4) counts[label] = sqlite3_column_int64(s, 1);
    }
    return EH_STATUS_OK;
}

/* The id of the pair of a LABELS_EACH row; in a held ledger rows count from 1. */
static eh_str pair_id_of(const ledger *l, sqlite3_stmt *s, int64_t pair_row) {
    ledger_pair pair;
    if (!l->held) return ledger_column_str(s, 0);
    held_get_pair(l->held, (uint32_t)(pair_row - 1), &pair);
    return pair.pair_id;
}

eh_status ledger_labels_each(ledger *l, ledger_label_fn *fn, void *self,
                             eh_error *err) {
    sqlite3_stmt *s;
    EH_TRY(ledger_stmt_get(
        l, l->held ? LEDGER_STMT_LABELS_EACH_HELD : LEDGER_STMT_LABELS_EACH, &s, err));
    for (bool got = true; got;) {
        EH_TRY(ledger_stmt_row(l, s, &got, err));
        if (!got) break;
        ledger_label label = {
            .pair_row = sqlite3_column_int64(s, 1),
            .annotator = ledger_column_str(s, 2),
            .label = (eh_verdict)sqlite3_column_int(s, 3),
            .side = sqlite3_column_type(s, 4) == SQLITE_NULL ? -1
                                                             : sqlite3_column_int(s, 4),
            .familiar = sqlite3_column_type(s, 5) == SQLITE_NULL
                            ? -1
                            : sqlite3_column_int(s, 5),
            .note = ledger_column_str(s, 6),
            .time = ledger_column_str(s, 7),
            .adjudicated = sqlite3_column_int(s, 8),
            .unblind = sqlite3_column_int(s, 9),
        };
        eh_status status = fn(self, pair_id_of(l, s, label.pair_row), &label, err);
        if (status != EH_STATUS_OK) {
            (void)sqlite3_reset(s);
            return status;
        }
    }
    return EH_STATUS_OK;
}
