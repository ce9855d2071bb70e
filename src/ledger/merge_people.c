/* SPDX-License-Identifier: MIT
 *
 * Merging what people said.
 *
 *   label    by pair and annotator; of two that differ the newer one stays
 *   queue    of the first source that has one, with its items, people, assignments and
 *            decisions; another one is not mixed into it
 *
 * A queue says by which chances pairs were selected. Two of them are two designs, and
 * what was handed out in two copies of one would contradict itself; so there is one or
 * the other, and labels count in any case.
 */
#include "ledger/merge_parts.h"

/* A label of the source counts if it is not the older of two that carry a time. */
#define SOURCE_IS_NEWER "(m.time IS NULL OR l.time IS NULL OR l.time >= m.time)"

/* ---- labels ---- */

static eh_status list_conflicts(merging *m, eh_error *err) {
    sqlite3_stmt *s = NULL;
    EH_TRY(merge_prepare(
        m,
        "SELECT q.pair_id, l.annotator, m.label, l.label, " SOURCE_IS_NEWER " FROM "
        "src.label l JOIN merge_pair p ON p.old = l.pair JOIN main.label m ON m.pair = "
        "p.new AND m.annotator = l.annotator JOIN main.pair q ON q.id = p.new WHERE "
        "m.label <> l.label ORDER BY q.seq IS NULL, q.seq, q.id, l.annotator",
        &s, err));
    eh_status status = EH_STATUS_OK;
    for (bool got = true; status == EH_STATUS_OK;) {
        status = ledger_stmt_row(m->l, s, &got, err);
        if (status != EH_STATUS_OK || !got) break;
        ledger_label_conflict c = {
            .pair_id = ledger_column_str(s, 0),
            .annotator = ledger_column_str(s, 1),
            .before = (eh_verdict)sqlite3_column_int(s, 2),
            .source = (eh_verdict)sqlite3_column_int(s, 3),
            .takes_source = sqlite3_column_int(s, 4) != 0,
        };
        m->counts->n_label_conflicts++;
        if (m->o->on_label_conflict) m->o->on_label_conflict(m->o->self, &c);
    }
    (void)sqlite3_finalize(s);
    return status;
}

static eh_status count_labels(merging *m, eh_error *err) {
    EH_TRY(
        merge_number(m, "SELECT count(*) FROM src.label", &m->counts->n_labels, err));
    return merge_number(
        m,
        "SELECT count(*) FROM src.label l JOIN merge_pair p ON p.old = l.pair WHERE "
        "NOT EXISTS (SELECT 1 FROM main.label m WHERE m.pair = p.new AND m.annotator = "
        "l.annotator)",
        &m->counts->n_new_labels, err);
}

#define ADD_LABELS(marks)                                                              \
    "INSERT OR REPLACE INTO main.label(pair, annotator, label, side, familiar, note, " \
    "time, adjudicated, unblind) SELECT p.new, l.annotator, l.label, l.side, "         \
    "l.familiar, l.note, l.time, " marks " FROM src.label l JOIN merge_pair p ON "     \
    "p.old = l.pair LEFT JOIN main.label m ON m.pair = p.new AND m.annotator = "       \
    "l.annotator "                                                                     \
    "WHERE m.pair IS NULL OR " SOURCE_IS_NEWER

static eh_status add_labels(merging *m, eh_error *err) {
    static const char *const by_n_marks[] = {
        ADD_LABELS("0, 0"), ADD_LABELS("l.adjudicated, 0"),
        ADD_LABELS("l.adjudicated, l.unblind")}; /* in the order they came to be */
    int64_t n_marks;
    EH_TRY(merge_number(m,
                        "SELECT count(*) FROM pragma_table_info('label', 'src') WHERE "
                        "name IN ('adjudicated', 'unblind')",
                        &n_marks, err));
    return merge_exec(m, by_n_marks[n_marks], err);
}

/* ---- the queue ---- */

#define ASSIGNMENT_COLUMNS "annotator, side, number, state, sent_ms, changed_ms"
#define DECISION_COLUMNS                                                               \
    "id, label_id, assignment, choice, verdict, unfamiliar, note, client_seq, "        \
    "instructions, view, width, visible_ms, depth_a, depth_b, fast, received_ms, "     \
    "superseded_by"
#define QUEUE_COLUMNS                                                                  \
    "id, nonce, selection, judge, method, budget, n_budget, n_frame, seed, "           \
    "labels_per_pair, apart, paused, contact, created_ms"

/* Nothing of a queue is there yet, so all numbers but those of pairs stay. */
static const char *const add_queue[] = {
    "INSERT INTO main.queue(" QUEUE_COLUMNS ") SELECT " QUEUE_COLUMNS " FROM src.queue",
    "INSERT INTO main.queue_item(pair, rank, uncertainty, p_select, selected, "
    "identity_leak) SELECT p.new, rank, uncertainty, p_select, selected, identity_leak "
    "FROM src.queue_item i JOIN merge_pair p ON p.old = i.pair",
    "INSERT INTO main.instructions(id, version, text, created_ms) SELECT id, version, "
    "text, created_ms FROM src.instructions",
    "INSERT INTO main.annotator(id, name, token_hash, created_ms, last_seen_ms) SELECT "
    "id, name, token_hash, created_ms, last_seen_ms FROM src.annotator",
    "INSERT INTO main.assignment(id, public_id, pair, " ASSIGNMENT_COLUMNS
    ") SELECT a.id, public_id, p.new, " ASSIGNMENT_COLUMNS
    " FROM src.assignment a JOIN merge_pair p ON p.old = a.pair",
    "INSERT INTO main.decision(" DECISION_COLUMNS ") SELECT " DECISION_COLUMNS
    " FROM src.decision",
    NULL,
};

static eh_status merge_queue(merging *m, eh_error *err) {
    bool has;
    int64_t n_source, n_here;
    EH_TRY(merge_has_table(m, "queue", &has, err));
    if (!has || m->o->without_texts) return EH_STATUS_OK;
    EH_TRY(merge_number(m, "SELECT count(*) FROM src.queue", &n_source, err));
    if (n_source == 0) return EH_STATUS_OK;
    EH_TRY(merge_number(m,
                        "SELECT (SELECT count(*) FROM main.queue) + (SELECT count(*) "
                        "FROM main.annotator)",
                        &n_here, err));
    m->counts->leaves_queue = n_here > 0;
    if (n_here) return EH_STATUS_OK;
    EH_TRY(merge_exec_all(m, add_queue, err));
    EH_TRY(merge_has_table(m, "peek", &has, err));
    return has ? merge_exec(m,
                            "INSERT INTO main.peek(pair, annotator, at_ms) SELECT "
                            "p.new, annotator, at_ms FROM src.peek k JOIN merge_pair p "
                            "ON p.old = k.pair",
                            err)
               : EH_STATUS_OK;
}

eh_status merge_people(merging *m, eh_error *err) {
    EH_TRY(merge_queue(m, err));
    EH_TRY(count_labels(m, err));
    EH_TRY(list_conflicts(m, err));
    return add_labels(m, err);
}
