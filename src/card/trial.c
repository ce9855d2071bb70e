/* SPDX-License-Identifier: MIT
 *
 * The self-test of the audit: a line a judge, a column a probe.
 *
 *   planted                 error refs  rich ...
 *   references, much          .    F     .          as declared
 *   coins                   cannot be read: unstable    as declared
 *
 * Of one round a cell is a mark, of several the rounds in which the probe was flagged.
 * What is not as declared has a ! behind it, so that it is found without reading.
 */
#include "card/trial.h"

#include "base/json_write.h"
#include "report/write.h"

int64_t card_trial_allowed(const card_trial *t) {
    return t->n_rounds / 10;
}

bool card_trial_row_ok(const card_trial *t, const card_trial_row *row) {
    return row->n_false <= card_trial_allowed(t) &&
           row->n_missed <= card_trial_allowed(t);
}

bool card_trial_ok(const card_trial *t) {
    for (size_t i = 0; i < t->n_rows; i++)
        if (!card_trial_row_ok(t, &t->rows[i])) return false;
    return true;
}

/* ---- text ---- */

/* Short heads for probes with long names. */
static const char *head_of(const char *probe) {
    static const char *const heads[][2] = {
        {"factual_error", "error"}, {"references", "refs"},  {"rich_content", "rich"},
        {"padding", "pad"},         {"shortening", "short"}, {"injection", "plea"},
        {"majority", "crowd"}};
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++)
        if (strcmp(heads[i][0], probe) == 0) return heads[i][1];
    return probe;
}

static bool is_off(const card_trial *t, const card_trial_row *row, size_t probe) {
    int64_t n = row->n_flagged[probe], allowed = card_trial_allowed(t);
    return (row->declared[probe] == CARD_TRIAL_CLEAR && n > allowed) ||
           (row->declared[probe] == CARD_TRIAL_FLAG && t->n_rounds - n > allowed);
}

/* A mark or a number, and where it is off a ! behind it. */
static void add_cell(const card_trial *t, const card_trial_row *row, size_t probe,
                     eh_buf *out) {
    bool one = t->n_rounds == 1, flagged = row->n_flagged[probe] > 0;
    bool may = row->declared[probe] == CARD_TRIAL_MAY;
    const char *off = is_off(t, row, probe) ? "!" : "";
    if (one || !flagged)
        buf_printf(out, LAYOUT_CELL "%s%s", !flagged ? "." : may ? "f" : "F", off);
    else
        buf_printf(out, LAYOUT_CELL "%lld%s", (long long)row->n_flagged[probe], off);
}

static void add_row(const card_trial *t, const card_trial_row *row, eh_buf *out) {
    buf_add_cstr(out, row->planted);
    for (size_t p = 0; p < t->n_probes; p++)
        if (row->fault == AUDIT_UNREADABLE_NOT)
            add_cell(t, row, p, out);
        else
            buf_add_cstr(out, LAYOUT_CELL "-");
    if (t->n_rounds == 1)
        buf_printf(out, LAYOUT_LEFT "%s",
                   row->n_false    ? "FALSE"
                   : row->n_missed ? "MISSED"
                                   : "ok");
    else
        buf_printf(out, LAYOUT_CELL "%lld" LAYOUT_CELL "%lld%s",
                   (long long)row->n_false, (long long)row->n_missed,
                   card_trial_row_ok(t, row) ? "" : "!");
    if (t->n_rounds == 1 && row->fault != AUDIT_UNREADABLE_NOT)
        buf_printf(out, ": %s", audit_unreadable_name(row->fault));
    buf_add_char(out, '\n');
}

/* Of many rounds: in how many each was named, behind the table, which is wide enough.
 */
static void add_faults(const card_trial *t, eh_buf *out) {
    const char *sep = "\nCannot be read: ";
    for (size_t i = 0; i < t->n_rows; i++) {
        const card_trial_row *row = &t->rows[i];
        if (row->fault == AUDIT_UNREADABLE_NOT) continue;
        buf_printf(out, "%s%s (%s %lld)", sep, row->planted,
                   audit_unreadable_name(row->fault), (long long)row->n_unreadable);
        sep = "; ";
    }
    if (*sep == ';') buf_add_cstr(out, ".\n");
}

static void add_legend(const card_trial *t, eh_buf *out) {
    buf_printf(
        out,
        "\n%sA flag counts if it stands after Holm's correction at %.2f over the "
        "probes of a card; - cannot be read, as named. FALSE: something is flagged "
        "that must not be; MISSED: a declared flag or fault is not there.%s\n",
        t->n_rounds == 1
            ? "F flagged, as declared; f flagged, and declared as open; . clear. "
            : "Numbers are rounds in which a probe was flagged; . is none. ",
        t->level, t->n_rounds == 1 ? "" : " Each may happen in a tenth of the rounds.");
}

static void add_head(const card_trial *t, eh_buf *out) {
    buf_printf(
        out,
        "%zu simulated judges with planted defects, %lld pairs, %d votes a pair, "
        "seed %lld",
        t->n_rows, (long long)t->n_pairs, 2 * t->k, (long long)t->seed);
    if (t->n_rounds > 1)
        buf_printf(out, " to %lld", (long long)(t->seed + t->n_rounds - 1));
    buf_add_cstr(out, "\n\n" LAYOUT_HEAD "falls for");
    for (size_t p = 0; p < t->n_probes; p++)
        buf_printf(out, LAYOUT_CELL "%s", head_of(t->probes[p]));
    if (t->n_rounds > 1) buf_add_cstr(out, LAYOUT_CELL "FALSE" LAYOUT_CELL "MISSED");
    buf_add_char(out, '\n');
}

void card_trial_text(const card_trial *t, eh_buf *out) {
    size_t n_off = 0;
    add_head(t, out);
    for (size_t i = 0; i < t->n_rows; i++) {
        add_row(t, &t->rows[i], out);
        n_off += !card_trial_row_ok(t, &t->rows[i]);
    }
    if (t->n_rounds > 1) add_faults(t, out);
    add_legend(t, out);
    if (n_off)
        buf_printf(out, "\n%zu of %zu judges are NOT as declared.\n", n_off, t->n_rows);
    else
        buf_printf(out, "\nAll %zu judges are as declared.\n", t->n_rows);
}

/* ---- JSON ---- */

static void put_row(const card_trial *t, const card_trial_row *row, json_writer *w) {
    static const char *const marks[] = {
        [CARD_TRIAL_CLEAR] = "clear",
        [CARD_TRIAL_MAY] = "open",
        [CARD_TRIAL_FLAG] = "flag",
    };
    json_object_begin(w);
    json_put_cstr(w, "planted", row->planted);
    json_put_cstr(w, "judge", row->spec);
    json_put_cstr(w, "fault", row->fault ? audit_unreadable_name(row->fault) : NULL);
    json_key(w, "probes");
    json_object_begin(w);
    for (size_t p = 0; p < t->n_probes; p++) {
        json_key(w, t->probes[p]);
        json_object_begin(w);
        json_put_cstr(w, "declared", marks[row->declared[p]]);
        json_put_i64(w, "flagged", row->n_flagged[p]);
        json_object_end(w);
    }
    json_object_end(w);
    json_put_i64(w, "unreadable", row->n_unreadable);
    json_put_i64(w, "false", row->n_false);
    json_put_i64(w, "missed", row->n_missed);
    json_put_bool(w, "as_declared", card_trial_row_ok(t, row));
    json_object_end(w);
}

void card_trial_json(const card_trial *t, eh_buf *out) {
    json_writer w;
    json_writer_init(&w, out, 1);
    json_object_begin(&w);
    json_put_i64(&w, "self_test", 1);
    json_put_i64(&w, "pairs", t->n_pairs);
    json_put_i64(&w, "votes_a_pair", 2 * (int64_t)t->k);
    json_put_i64(&w, "seed", t->seed);
    json_put_i64(&w, "rounds", t->n_rounds);
    json_put_i64(&w, "rounds_allowed", card_trial_allowed(t));
    json_put_f64(&w, "level", t->level);
    json_key(&w, "judges");
    json_array_begin(&w);
    for (size_t i = 0; i < t->n_rows; i++)
        put_row(t, &t->rows[i], &w);
    json_array_end(&w);
    json_put_bool(&w, "as_declared", card_trial_ok(t));
    json_object_end(&w);
    buf_add_char(out, '\n');
}
