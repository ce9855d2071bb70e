/* SPDX-License-Identifier: MIT
 *
 * Reading the frame of people's labels from a ledger.
 *
 *   queue items (rank, chance, selected)     or, without a queue, all pairs
 *       + the judge's ruling                 f, doubt
 *       + the majority of people's labels    y
 *
 * About 150 bytes a pair are held in memory. A pair without ruling has f = .5: f only
 * steers a correction by labels, any value is valid there.
 */
#include "tally/frame.h"

#include <math.h>

#include "base/mem.h"
#include "ledger/queue.h"

typedef struct reader {
    ledger *l;
    tally_view view;
    tally_frame *f;
    int64_t cap;
} reader;

static eh_status grow(reader *r, eh_error *err) {
    tally_frame *f = r->f;
    if (f->n < r->cap) return EH_STATUS_OK;
    int64_t cap = r->cap ? 2 * r->cap : 1024;
    tally_row *more = mem_realloc(f->rows, (size_t)cap, sizeof *more);
    if (!more) {
        (void)EH_NOMEM(err);
        return EH_STATUS_NOMEM;
    }
    f->rows = more;
    r->cap = cap;
    return EH_STATUS_OK;
}

static eh_status take_item(void *self, const ledger_item *item, eh_error *err) {
    reader *r = self;
    EH_TRY(grow(r, err));
    r->f->rows[r->f->n++] = (tally_row){
        .pair_row = item->pair_row,
        .question = item->question_hash,
        .p = item->p_select,
        .uncertainty = item->uncertainty,
        .selected = item->selected,
        .leak = item->identity_leak,
        .missing = item->selected && item->n_assigned > 0 && item->n_counting == 0};
    return EH_STATUS_OK;
}

/* Without a queue: all pairs that the view saw. */
static eh_status take_pair(void *self, const ledger_pair *pair, eh_error *err) {
    reader *r = self;
    EH_TRY(grow(r, err));
    r->f->rows[r->f->n++] = (tally_row){
        .pair_row = pair->row, .question = pair->question_hash, .p = (double)NAN};
    return EH_STATUS_OK;
}

static double value_of(eh_verdict v) {
    return v == EH_VERDICT_1 ? 1 : v == EH_VERDICT_2 ? 0 : .5;
}

static eh_status fill_row(reader *r, tally_row *row, int64_t at, bool *in_scope,
                          eh_error *err) {
    tally_ruled ruled;
    tally_label label;
    EH_TRY(tally_rule_pair(r->l, &r->view, row->pair_row, &ruled, err));
    *in_scope = ruled.in_scope;
    EH_TRY(tally_label_of(r->l, row->pair_row, &label, err));
    row->entry = plan_queue_entry_of(at, &ruled.ruling);
    row->ruled = ruled.ruling.verdict != EH_VERDICT_NONE;
    row->ruling = ruled.ruling.verdict;
    row->f = row->ruled ? value_of(row->ruling) : .5;
    row->label = label.majority;
    row->n_labels = label.n_labels;
    row->y = row->label == EH_VERDICT_NONE ? (double)NAN : value_of(row->label);
    if (!r->f->has_queue)
        row->uncertainty = isnan(row->entry.bpde) ? log(3.0) : row->entry.bpde;
    return EH_STATUS_OK;
}

static eh_status fill(reader *r, eh_error *err) {
    tally_frame *f = r->f;
    int64_t n = 0;
    for (int64_t i = 0; i < f->n; i++) {
        bool in_scope;
        EH_TRY(fill_row(r, &f->rows[i], n, &in_scope, err));
        if (in_scope || f->has_queue) f->rows[n++] = f->rows[i];
    }
    f->n = n;
    return EH_STATUS_OK;
}

eh_status tally_frame_read(ledger *l, const tally_view *view, bool labels_random,
                           eh_arena *arena, tally_frame *frame, eh_error *err) {
    ledger_queue queue;
    *frame = (tally_frame){.how = PLAN_SELECTION_N};
    reader r = {.l = l, .view = *view, .f = frame};
    r.view.people = false; /* whatever people rule elsewhere */
    EH_TRY(ledger_queue_get(l, arena, &queue, &frame->has_queue, err));
    if (frame->has_queue) {
        frame->how = plan_selection_find(queue.selection);
        frame->selection = queue.selection;
        frame->labels_per_pair = queue.labels_per_pair;
    } else if (labels_random) {
        frame->how = PLAN_SELECTION_RANDOM;
    }
    EH_TRY(frame->has_queue
               ? ledger_items_each(l, take_item, &r, err)
               : ledger_pairs_each(r.l, LEDGER_BY_DATA, take_pair, &r, err));
    return fill(&r, err);
}

void tally_frame_free(tally_frame *frame) {
    mem_free(frame->rows);
    frame->rows = NULL;
}

bool tally_frame_counts(const tally_frame *frame, const tally_row *row) {
    return row->selected || !frame->has_queue;
}
