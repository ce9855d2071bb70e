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
#include "base/mem.h"
#include "base/utf8.h"
#include "page/page.h"
#include "prompt/template.h"
#include "verdict/verdict.h"

#define SCRATCH_BYTES ((size_t)1 << 30)

enum { EXACT_MAX_CELLS = 40000 /* units of one answer times those of the other */ };

typedef struct maker {
    const page_report *r;
    const page_options *options;
    prompt_template **templates; /* [n_judges] NULL where a judge has none */
    int64_t *n_redacted;         /* [n_pairs] matches up to and with a place */
    eh_arena *arena;             /* of the pair at hand */
    eh_arena scratch;            /* of one reading of a reply */
} maker;

static size_t utf16_units(eh_str s) {
    size_t n = 0;
    for (size_t i = 0; s.ptr && i < s.len; i++) {
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

static eh_status redact(maker *m, eh_str *text, eh_error *err) {
    return page_redact_text(m->options->redact, text, m->arena, err);
}

/* Parts are cut after it, so that their offsets are those of what is shown. */
static eh_status redact_texts(maker *m, ledger_texts *texts, eh_error *err) {
    EH_TRY(redact(m, &texts->question, err));
    EH_TRY(redact(m, &texts->answer_1, err));
    EH_TRY(redact(m, &texts->answer_2, err));
    EH_TRY(redact(m, &texts->reference, err));
    return page_redact_json(m->options->redact, &texts->turns_json, m->arena, err);
}

static eh_status put_labels(maker *m, ledger *l, int64_t row, json_writer *w,
                            eh_error *err) {
    ledger_label *labels;
    size_t n;
    EH_TRY(ledger_pair_labels(l, row, m->arena, &labels, &n, err));
    if (n == 0) return EH_STATUS_OK;
    for (size_t i = 0; m->options->texts && i < n; i++) {
        EH_TRY(redact(m, &labels[i].annotator, err));
        EH_TRY(redact(m, &labels[i].note, err));
    }
    json_key(w, "labels");
    json_array_begin(w);
    for (size_t i = 0; i < n; i++) {
        json_object_begin(w);
        json_put_cstr(w, "label", eh_verdict_name(labels[i].label));
        if (labels[i].familiar >= 0) {
            json_put_bool(w, "familiar", labels[i].familiar > 0);
        }
        if (labels[i].adjudicated) {
            json_put_bool(w, "adjudicated", true);
        }
        if (labels[i].side >= 0) {
            json_put_i64(w, "left", labels[i].side == EH_ORDER_12 ? 1 : 2);
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
        EH_TRY(redact_texts(m, &texts, err));
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

/* Where the verdict stands in the reply as it is shown. There is no such place in a
 * reply that was recorded without its template, or that this reader reads otherwise. */
static eh_status find_span(maker *m, size_t judge, const ledger_answer *a,
                           page_answer *how, eh_error *err) {
    const prompt_template *t = m->templates[judge];
    const plan_sample *s = &a->sample;
    const verdict_reply reply = {.content = a->content,
                                 .finish_reason = a->finish_reason,
                                 .refusal = a->refusal};
    verdict_result result;
    verdict_place place;
    if (!t || a->content.len == 0 || s->verdict == EH_VERDICT_NONE) return EH_STATUS_OK;
    arena_reset(&m->scratch);
    EH_TRY(verdict_read(&t->form, &reply, &m->scratch, &result, err));
    if (eh_verdict_unswap(result.verdict, s->order) != s->verdict) return EH_STATUS_OK;
    EH_TRY(verdict_locate(&t->form, a->content, &result, &m->scratch, &place, err));
    how->span_begin = utf16_units(eh_str_slice(a->content, 0, place.begin));
    how->span_end = utf16_units(eh_str_slice(a->content, 0, place.end));
    return EH_STATUS_OK;
}

static eh_status put_answer(maker *m, size_t judge, ledger_answer *a, json_writer *w,
                            eh_error *err) {
    const plan_spec *plan = &m->r->judges[judge].view->plan;
    page_answer how = {.stage = plan_stage_of(plan, a->sample.stage_code),
                       .texts = m->options->texts};
    if (how.texts) {
        EH_TRY(redact(m, &a->content, err));
        EH_TRY(redact(m, &a->reasoning, err));
        EH_TRY(redact(m, &a->refusal, err));
        EH_TRY(find_span(m, judge, a, &how, err));
    }
    page_answer_json(a, &how, w);
    return EH_STATUS_OK;
}

static eh_status put_answers(maker *m, size_t judge, size_t index, json_writer *w,
                             eh_error *err) {
    const page_judge *j = &m->r->judges[judge];
    ledger *l = m->r->sources[j->source].l;
    ledger_answer *answers = NULL;
    const plan_spec *plan = &j->view->plan;
    size_t n = 0;
    int64_t row;
    if (j->cells[index].in_scope) {
        EH_TRY(row_in_ledger(m, j, &m->r->pairs[index], &row, err));
        ledger_ask whose = {.judge_row = j->view->run.judge_row,
                            .pair_row = row,
                            .stream = LEDGER_STREAM_MAIN};
        EH_TRY(ledger_pair_answers(l, &whose, m->arena, &answers, &n, err));
    }
    json_array_begin(w);
    for (size_t i = 0; i < n; i++) {
        const plan_sample *s = &answers[i].sample;
        if (plan->orders & PLAN_ORDER_BIT(s->order) && s->sample < plan->k &&
            plan_stage_of(plan, s->stage_code) >= 0)
            EH_TRY(put_answer(m, judge, &answers[i], w, err));
    }
    json_array_end(w);
    return EH_STATUS_OK;
}

static eh_status put(void *self, size_t place, size_t kind, eh_arena *arena,
                     json_writer *w, eh_error *err) {
    maker *m = self;
    size_t index = m->r->order[place];
    m->arena = arena;
    EH_TRY(kind == 0 ? put_texts(m, &m->r->pairs[index], w, err)
                     : put_answers(m, kind - 1, index, w, err));
    m->n_redacted[place] = page_redact_count(m->options->redact);
    return EH_STATUS_OK;
}

/* A template that this version cannot read marks nothing; that is no fault. */
static eh_status parse_templates(maker *m, eh_error *err) {
    eh_error why;
    for (size_t j = 0; j < m->r->n_judges; j++) {
        eh_str text = m->r->judges[j].view->run.judge.template_text;
        if (text.len == 0) continue;
        eh_status status =
            prompt_template_parse(text, "the judge's template", &m->templates[j], &why);
        if (status == EH_STATUS_NOMEM) return EH_NOMEM(err);
        if (status != EH_STATUS_OK) m->templates[j] = NULL;
    }
    return EH_STATUS_OK;
}

/* What did not fit is not in the file; of those pairs the beginnings of the questions
 * are. `before`: matches before any text. */
static void count_redacted(const maker *m, int64_t before) {
    const page_report *r = m->r;
    int64_t n = r->n_placed ? m->n_redacted[r->n_placed - 1] : before;
    for (size_t i = r->n_placed; i < r->n_pairs; i++)
        n += r->pairs[r->order[i]].n_head_redacted;
    page_redact_recount(m->options->redact, n);
}

eh_status page_report_chunks(page_report *report, const page_options *options,
                             page_chunks **chunks, eh_error *err) {
    maker m = {.r = report, .options = options};
    page_chunk_source source = {.n_items = report->n_pairs,
                                .n_kinds = 1 + report->n_judges,
                                .max_bytes = options->max_bytes,
                                .put = put,
                                .self = &m};
    int64_t before = page_redact_count(options->redact);
    arena_init(&m.scratch, SCRATCH_BYTES);
    m.templates = mem_zalloc(report->n_judges + 1, sizeof(prompt_template *));
    m.n_redacted = mem_zalloc(report->n_pairs + 1, sizeof *m.n_redacted);
    eh_status status =
        m.templates && m.n_redacted ? parse_templates(&m, err) : EH_NOMEM(err);
    if (status == EH_STATUS_OK)
        status = page_chunks_make(&source, chunks, &report->n_placed, err);
    if (status == EH_STATUS_OK) count_redacted(&m, before);
    for (size_t j = 0; m.templates && j < report->n_judges; j++)
        prompt_template_free(m.templates[j]);
    mem_free(m.templates);
    mem_free(m.n_redacted);
    arena_deinit(&m.scratch);
    for (size_t i = 0; status == EH_STATUS_OK && i < report->n_placed; i++)
        report->pairs[report->order[i]].place = i;
    return status;
}
