/* SPDX-License-Identifier: MIT
 *
 * Writing labels. What is absent is left out of a line, so that lines read back give
 * the same label. Notes are written as they are, also under pseudonyms: who wants them
 * out takes them out.
 */
#include "run/labels.h"

#include <stdio.h>

#include "base/mem.h"

enum { N_CELLS = 9 };

static void fill_cells(eh_str pair_id, const ledger_label *label,
                       report_cell cells[N_CELLS]) {
    eh_str none = {NULL, 0};
    eh_str side =
        label->side < 0 ? none : eh_str_of(eh_order_name((eh_order)label->side));
    report_cell *c = cells;
    *c++ = report_text_cell("pair_id", pair_id);
    *c++ = report_text_cell("annotator", label->annotator);
    *c++ = report_text_cell("label", eh_str_of(eh_verdict_name(label->label)));
    *c++ = report_text_cell("side", side);
    *c++ = report_bool_cell("familiar", label->familiar == 1, label->familiar < 0);
    *c++ = report_text_cell("note", label->note);
    *c++ = report_text_cell("time", label->time);
    *c++ = report_bool_cell("adjudicated", true, !label->adjudicated);
    *c++ = report_bool_cell("unblind", true, !label->unblind);
    for (c = cells; c < cells + N_CELLS; c++)
        c->if_there = true;
}

void run_label_head(report_format format, eh_buf *out) {
    report_cell cells[N_CELLS];
    fill_cells((eh_str){NULL, 0}, &(ledger_label){0}, cells);
    report_cells_head(format, cells, N_CELLS, out);
}

void run_label_line(report_format format, eh_str pair_id, const ledger_label *label,
                    eh_buf *out) {
    report_cell cells[N_CELLS];
    fill_cells(pair_id, label, cells);
    report_cells_row(format, cells, N_CELLS, out);
}

eh_status run_pseudonym(run_pseudonyms *p, eh_str *name, eh_error *err) {
    size_t at = 0;
    while (at < p->n && !eh_str_eq(p->names[at], *name))
        at++;
    if (at == p->cap) {
        size_t cap = p->cap ? 2 * p->cap : 16;
        eh_str *more = mem_realloc(p->names, cap, sizeof *more);
        if (!more) return EH_NOMEM(err);
        p->names = more;
        p->cap = cap;
    }
    if (at == p->n) {
        char *copy = mem_alloc(name->len + 1, 1);
        if (!copy) return EH_NOMEM(err);
        memcpy(copy, name->ptr, name->len);
        p->names[p->n++] = (eh_str){copy, name->len};
    }
    (void)snprintf(p->text, sizeof p->text, "annotator-%zu", at + 1);
    *name = eh_str_of(p->text);
    return EH_STATUS_OK;
}

void run_pseudonyms_deinit(run_pseudonyms *p) {
    for (size_t i = 0; i < p->n; i++)
        mem_free((char *)p->names[i].ptr);
    mem_free(p->names);
    *p = (run_pseudonyms){0};
}
