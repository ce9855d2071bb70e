/* SPDX-License-Identifier: MIT
 *
 * What the report's chunks hold: kind 0 the texts and labels of a pair, kind 1 + j the
 * replies of judge j about it.
 *
 * Places follow the order of page_order_texts. Without texts the same chunks hold what
 * remains: verdicts, scores, reasons, tokens and the keys of the calls.
 *
 * Answers are also cut into parts that belong together (align), as the aligned view
 * shows them; where that would take long they are cut by length. Offsets are in UTF-16
 * units, which is how the page's language counts.
 */
#include "align/align.h"
#include "base/utf8.h"
#include "page/page.h"

enum { EXACT_MAX_CELLS = 40000 /* units of one answer times those of the other */ };

typedef struct maker {
    const page_report *r;
    const page_options *options;
    eh_arena *arena; /* of the pair at hand */
} maker;

static size_t utf16_units(eh_str s) {
    size_t n = 0;
    for (size_t i = 0; i < s.len; i++) {
        unsigned char c = (unsigned char)s.ptr[i];
        n += (c & 0xC0) != 0x80;
        n += c >= 0xF0;
    }
    return n;
}

static void put_begins(json_writer *w, const align_units *units, const size_t *begin,
                       size_t n_parts) {
    size_t at = 0;
    json_array_begin(w);
    for (size_t t = 0; t < n_parts; t++) {
        json_i64(w, (int64_t)at);
        at += utf16_units(align_part(units, begin, t));
    }
    json_array_end(w);
}

static eh_status cut_pair(maker *m, const ledger_texts *texts, align_units units[2],
                          align_cut *cut, eh_error *err) {
    align_options options = {.parts = ALIGN_PARTS_DEFAULT};
    align_similarity *similarity = NULL;
    EH_TRY(align_units_of(texts->answer_1, &options, m->arena, &units[0], err));
    EH_TRY(align_units_of(texts->answer_2, &options, m->arena, &units[1], err));
    align_pair pair = {&units[0], &units[1]};
    if (units[0].n * units[1].n > EXACT_MAX_CELLS)
        return align_length_cut(&pair, NULL, ALIGN_PARTS_DEFAULT, m->arena, cut, err);
    EH_TRY(align_similarity_words(&pair, m->arena, &similarity, err));
    return align_semantic_cut(&pair, similarity, ALIGN_PARTS_DEFAULT, m->arena, cut,
                              err);
}

/* A pair that cannot be cut has no aligned view; that is no fault of the report. */
static eh_status put_parts(maker *m, const ledger_texts *texts, json_writer *w,
                           eh_error *err) {
    align_units units[2];
    align_cut cut;
    eh_status status = cut_pair(m, texts, units, &cut, err);
    if (status == EH_STATUS_NOMEM) return status;
    if (status != EH_STATUS_OK || cut.n_parts < 2) return EH_STATUS_OK;
    json_key(w, "parts");
    json_array_begin(w);
    put_begins(w, &units[0], cut.begin_1, cut.n_parts);
    put_begins(w, &units[1], cut.begin_2, cut.n_parts);
    json_array_end(w);
    return EH_STATUS_OK;
}

static eh_status put_labels(maker *m, ledger *l, int64_t row, json_writer *w,
                            eh_error *err) {
    ledger_label *labels;
    size_t n;
    EH_TRY(ledger_pair_labels(l, row, m->arena, &labels, &n, err));
    if (n == 0) return EH_STATUS_OK;
    json_key(w, "labels");
    json_array_begin(w);
    for (size_t i = 0; i < n; i++) {
        json_object_begin(w);
        json_key(w, "label");
        json_cstr(w, eh_verdict_name(labels[i].label));
        if (labels[i].familiar >= 0) {
            json_key(w, "familiar");
            json_bool(w, labels[i].familiar > 0);
        }
        if (labels[i].adjudicated) {
            json_key(w, "adjudicated");
            json_bool(w, true);
        }
        if (labels[i].side >= 0) {
            json_key(w, "left");
            json_i64(w, labels[i].side == EH_ORDER_12 ? 1 : 2);
        }
        if (m->options->texts) {
            page_json_put(w, "by", labels[i].annotator);
            page_json_put(w, "note", labels[i].note);
            page_json_put(w, "time", labels[i].time);
        }
        json_object_end(w);
    }
    json_array_end(w);
    return EH_STATUS_OK;
}

static eh_status put_texts(maker *m, const page_pair *p, json_writer *w,
                           eh_error *err) {
    ledger *l = m->r->sources[p->source].l;
    json_object_begin(w);
    if (m->options->texts && p->has_texts) {
        ledger_texts texts;
        EH_TRY(ledger_pair_texts(l, p->row, &texts, m->arena, err));
        page_json_put(w, "question", texts.question);
        page_json_put(w, "answer_1", texts.answer_1);
        page_json_put(w, "answer_2", texts.answer_2);
        page_json_put(w, "reference", texts.reference);
        page_json_put(w, "turns", texts.turns_json);
        EH_TRY(put_parts(m, &texts, w, err));
    }
    EH_TRY(put_labels(m, l, p->row, w, err));
    json_object_end(w);
    return EH_STATUS_OK;
}

/* The judge's row of this pair: its own ledger may number pairs otherwise. */
static eh_status row_in_ledger(maker *m, const page_judge *j, const page_pair *p,
                               int64_t *row, eh_error *err) {
    *row = p->row;
    if (j->source == p->source) return EH_STATUS_OK;
    return ledger_find_pair(m->r->sources[j->source].l, p->id, row, err);
}

static eh_status put_answers(maker *m, const page_judge *j, size_t index,
                             json_writer *w, eh_error *err) {
    ledger *l = m->r->sources[j->source].l;
    ledger_answer *answers = NULL;
    const plan_spec *plan = &j->view->plan;
    size_t n = 0;
    int64_t row;
    if (j->cells[index].in_scope) {
        EH_TRY(row_in_ledger(m, j, &m->r->pairs[index], &row, err));
        EH_TRY(ledger_pair_answers(l, j->view->run.judge_row, LEDGER_STREAM_MAIN, row,
                                   m->arena, &answers, &n, err));
    }
    json_array_begin(w);
    for (size_t i = 0; i < n; i++) {
        const plan_sample *s = &answers[i].sample;
        if (plan->orders & PLAN_ORDER_BIT(s->order) && s->sample < plan->k &&
            plan_stage_of(plan, s->stage_code) >= 0)
            page_answer_json(&answers[i], plan_stage_of(plan, s->stage_code),
                             m->options->texts, w);
    }
    json_array_end(w);
    return EH_STATUS_OK;
}

static eh_status put(void *self, size_t place, size_t kind, eh_arena *arena,
                     json_writer *w, eh_error *err) {
    maker *m = self;
    size_t index = m->r->order[place];
    m->arena = arena;
    return kind == 0 ? put_texts(m, &m->r->pairs[index], w, err)
                     : put_answers(m, &m->r->judges[kind - 1], index, w, err);
}

eh_status page_report_chunks(page_report *report, const page_options *options,
                             page_chunks **chunks, eh_error *err) {
    maker m = {.r = report, .options = options};
    page_chunk_source source = {.n_items = report->n_pairs,
                                .n_kinds = 1 + report->n_judges,
                                .max_bytes = options->max_bytes,
                                .put = put,
                                .self = &m};
    EH_TRY(page_chunks_make(&source, chunks, &report->n_placed, err));
    for (size_t i = 0; i < report->n_placed; i++)
        report->pairs[report->order[i]].place = i;
    return EH_STATUS_OK;
}
