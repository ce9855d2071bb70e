/* SPDX-License-Identifier: MIT
 *
 * Writing labels. What is absent is left out of a line, so that lines read back give
 * the same label. Notes are written as they are, also under pseudonyms: who wants them
 * out takes them out.
 */
#include "run/labels.h"

#include <stdio.h>

#include "base/json_write.h"
#include "base/mem.h"

void run_label_line(eh_str pair_id, const ledger_label *label, eh_buf *out) {
    json_writer w;
    json_writer_init(&w, out, 0);
    json_object_begin(&w);
    json_key(&w, "pair_id");
    json_str(&w, pair_id);
    json_key(&w, "annotator");
    json_str(&w, label->annotator);
    json_key(&w, "label");
    json_cstr(&w, eh_verdict_name(label->label));
    if (label->side >= 0) {
        json_key(&w, "side");
        json_cstr(&w, eh_order_name((eh_order)label->side));
    }
    if (label->familiar >= 0) {
        json_key(&w, "familiar");
        json_bool(&w, label->familiar == 1);
    }
    if (!eh_str_is_absent(label->note)) {
        json_key(&w, "note");
        json_str(&w, label->note);
    }
    if (!eh_str_is_absent(label->time)) {
        json_key(&w, "time");
        json_str(&w, label->time);
    }
    if (label->adjudicated) {
        json_key(&w, "adjudicated");
        json_bool(&w, true);
    }
    json_object_end(&w);
    buf_add_char(out, '\n');
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
