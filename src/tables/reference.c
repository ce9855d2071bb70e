/* SPDX-License-Identifier: MIT
 *
 * Agreement with a reference judge.
 *
 *   pairs of the reference's ledger, question by question
 *      -> its verdict, where both orders have the same one
 *      -> the same pair in the other judge's ledger -> the same verdict in both orders?
 *
 * A pair that the other judge was not asked about is left out; one on which it
 * contradicts itself, or has no ruling, counts as disagreement. So a judge cannot gain
 * by failing, and the number says what it would be worth in the reference's place.
 */
#include "tables/reference.h"

#include "base/suggest.h"
#include "base/utf8.h"
#include "report/write.h"
#include "tally/counts.h"

typedef struct comparison {
    const tally_books *books;
    const tally_view *reference, *other;
    stats_cluster same;
    int64_t n_same, n_pairs, n_consistent;
} comparison;

static bool is_asked(const tally_ruled *ruled) {
    return ruled->in_scope && ruled->ruling.none != PLAN_NONE_UNASKED;
}

/* What the other judge says of a pair on which the reference is consistent. */
static eh_status compare_pair(comparison *c, const ledger_pair *pair,
                              eh_verdict verdict, eh_error *err) {
    ledger *l = c->books->ledgers[c->other->book];
    int64_t row = pair->row;
    tally_ruled ruled;
    if (c->other->book != c->reference->book)
        EH_TRY(ledger_same_pair(l, pair, &row, err));
    if (!row) return EH_STATUS_OK;
    EH_TRY(tally_rule_pair(l, c->other, row, &ruled, err));
    if (!is_asked(&ruled)) return EH_STATUS_OK;
    bool same = tally_consistent_verdict(c->other, &ruled.ruling) == verdict;
    c->n_same += same;
    stats_cluster_add(&c->same, pair->question_hash, same);
    return EH_STATUS_OK;
}

static eh_status take_pair(void *self, const ledger_pair *pair, eh_error *err) {
    comparison *c = self;
    tally_ruled ruled;
    EH_TRY(tally_rule_pair(c->books->ledgers[c->reference->book], c->reference,
                           pair->row, &ruled, err));
    if (!is_asked(&ruled)) return EH_STATUS_OK;
    eh_verdict verdict = tally_consistent_verdict(c->reference, &ruled.ruling);
    c->n_pairs++;
    if (verdict == EH_VERDICT_NONE) return EH_STATUS_OK;
    c->n_consistent++;
    return c->other ? compare_pair(c, pair, verdict, err) : EH_STATUS_OK;
}

/* `other` NULL: counts the reference's pairs only. */
static eh_status compare(comparison *c, const tally_books *books,
                         const tally_view *reference, const tally_view *other,
                         eh_error *err) {
    *c = (comparison){.books = books, .reference = reference, .other = other};
    stats_cluster_init(&c->same);
    return ledger_pairs_each(books->ledgers[reference->book], LEDGER_BY_QUESTION,
                             take_pair, c, err);
}

/* ---- which judge ---- */

static eh_status no_judge(const tally_books *books, eh_str judge, bool several,
                          eh_error *err) {
    eh_buf names;
    suggest near = suggest_for(judge);
    buf_init(&names, BUF_MAX_SMALL);
    for (size_t i = 0; i < books->n_views; i++) {
        if (names.len < 120)
            buf_printf(&names, "%s'%.*s'", i ? ", " : "", EH_STR_ARG(books->names[i]));
        if (!several) suggest_offer(&near, books->names[i]);
    }
    eh_status status =
        EH_FAIL(err, EH_STATUS_USAGE,
                "--reference: %s called '%.*s'; there %s %.*s" SUGGEST_FORMAT,
                several ? "several judges are" : "no judge is",
                EH_STR_ARG(utf8_cut(judge, 40)), books->n_views == 1 ? "is" : "are",
                EH_STR_ARG(buf_view(&names)), SUGGEST_ARGS(near));
    buf_deinit(&names);
    return status;
}

static eh_status find_judge(const tally_books *books, eh_str judge, size_t *found,
                            eh_error *err) {
    size_t n_ids = 0;
    for (size_t i = 0; i < books->n_views; i++)
        if (eh_str_eq(books->names[i], judge)) {
            *found = i;
            return EH_STATUS_OK;
        }
    for (size_t i = 0; i < books->n_views; i++)
        if (eh_str_eq(books->views[i].run.judge.judge, judge)) {
            *found = i;
            n_ids++;
        }
    return n_ids == 1 ? EH_STATUS_OK : no_judge(books, judge, n_ids > 1, err);
}

static eh_status make_rows(const tally_books *books, const report_summary *summary,
                           size_t at, tables_reference *r, eh_error *err) {
    for (size_t i = 0; i < books->n_views; i++) {
        if (i == at) continue;
        const report_labels *labels = &summary->judges[i].labels;
        tables_reference_row *row = &r->rows[r->n_rows++];
        comparison c;
        EH_TRY(compare(&c, books, &books->views[at], &books->views[i], err));
        *row = (tables_reference_row){.judge = books->names[i],
                                      .n_same = c.n_same,
                                      .rate = tally_rate_of(&c.same),
                                      .human_agreement = labels->human_agreement,
                                      .has_labels = labels->all.n_labelled > 0};
        const char *no_orders = tally_no_orders(&books->views[i].plan);
        if (!no_orders) continue;
        stats_cluster none; /* agreement in both orders is not defined */
        stats_cluster_init(&none);
        row->rate = tally_rate_of(&none);
        row->rate.why = no_orders;
        row->n_same = 0;
    }
    return EH_STATUS_OK;
}

eh_status tables_reference_make(const tally_books *books, const report_summary *summary,
                                eh_str judge, eh_arena *arena,
                                tables_reference *reference, eh_error *err) {
    size_t at = 0;
    comparison c;
    EH_TRY(find_judge(books, judge, &at, err));
    if (tally_no_orders(&books->views[at].plan))
        return EH_FAIL(err, EH_STATUS_USAGE,
                       "--reference: '%.*s' was not asked in two orders, so its "
                       "consistency is not known",
                       EH_STR_ARG(judge));
    EH_TRY(compare(&c, books, &books->views[at], NULL, err));
    const report_labels *labels = &summary->judges[at].labels;
    *reference = (tables_reference){.judge = books->names[at],
                                    .n_pairs = c.n_pairs,
                                    .n_consistent = c.n_consistent,
                                    .human_agreement = labels->human_agreement,
                                    .has_labels = labels->all.n_labelled > 0};
    reference->rows = arena_zalloc(arena, books->n_views, sizeof *reference->rows);
    if (!reference->rows) return EH_NOMEM(err);
    return make_rows(books, summary, at, reference, err);
}

/* ---- writers ---- */

void tables_reference_json(const tables_reference *r, json_writer *w) {
    json_key(w, "reference");
    json_object_begin(w);
    json_put_str(w, "judge", r->judge);
    json_put_i64(w, "pairs", r->n_pairs);
    json_put_i64(w, "consistent", r->n_consistent);
    json_key(w, "judges");
    json_object_begin(w);
    for (size_t i = 0; i < r->n_rows; i++) {
        json_key_str(w, r->rows[i].judge);
        json_object_begin(w);
        json_put_i64(w, "same", r->rows[i].n_same);
        report_put_rate_members(w, &r->rows[i].rate);
        json_object_end(w);
    }
    json_object_end(w);
    json_object_end(w);
}

enum { CELLS = 5 };

static void add_row(const tables_reference_row *row, eh_buf *out) {
    report_name(out, row->judge);
    report_cell_count(out, row->rate.n);
    report_cell_count(out, row->n_same);
    report_cell_percent(out, row->rate.value);
    report_cell_percent(out, row->rate.low);
    report_cell_percent(out, row->rate.high);
    if (row->has_labels) report_cell_percent(out, row->human_agreement.value);
    buf_add_char(out, '\n');
}

void tables_reference_text(const tables_reference *r, eh_buf *out) {
    static const char *const heads[CELLS + 1] = {"pairs", "same", "agree",
                                                 "low",   "high", "people"};
    bool labels = r->has_labels;
    for (size_t i = 0; i < r->n_rows; i++)
        labels = labels || r->rows[i].has_labels;
    buf_add_cstr(out, "\nagreement with ");
    report_foreign(out, r->judge, 200);
    buf_printf(out, ", which is consistent on %lld of %lld pairs\n",
               (long long)r->n_consistent, (long long)r->n_pairs);
    if (r->n_rows == 0) {
        buf_add_cstr(out, "there is no other judge to compare with it\n");
        return;
    }
    report_head(out, "(in %)", heads, CELLS + labels);
    for (size_t i = 0; i < r->n_rows; i++)
        add_row(&r->rows[i], out);
    buf_add_cstr(out, "\nagree: same verdict in both orders, of the pairs on which the "
                      "reference is consistent");
    char share[REPORT_PERCENT_MAX];
    if (r->has_labels)
        buf_printf(out, "; people: right in both orders (the reference: %s)",
                   report_percent(r->human_agreement.value, share));
    buf_add_char(out, '\n');
}
