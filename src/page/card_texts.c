/* SPDX-License-Identifier: MIT
 *
 * What the chunks of a judge card hold: kind 0 the texts of a plain pair and of all
 * that was made of it, kind 1 + j the replies of judge j about them.
 *
 * Places follow the order of units: those that tell something first. Without texts the
 * same chunks hold what remains: verdicts, reasons, tokens and the keys of the calls.
 */
#include "base/utf8.h"
#include "page/card.h"

typedef struct maker {
    const page_card_page *page;
    const page_card_options *options;
    eh_arena *arena; /* of the unit at hand */
} maker;

/* How long a text is for the script of the page, which counts in UTF-16. */
static int64_t script_length(eh_str s) {
    int64_t n = 0;
    for (size_t at = 0; at < s.len;)
        n += utf8_next(s, &at) > 0xFFFF ? 2 : 1;
    return n;
}

/* The record of what was changed: [at, removed, inserted] as the script counts. What
 * has none, or one that is not of these texts, is compared by the page. */
static eh_status put_edits(maker *m, const ledger_texts *texts, eh_str plain,
                           eh_str answer, json_writer *w, eh_error *err) {
    exam_meta meta;
    size_t from = 0;
    int64_t at = 0;
    audit_change *change = arena_zalloc(m->arena, 1, sizeof *change);
    if (!change) return EH_NOMEM(err);
    EH_TRY(exam_meta_read(texts->meta_json, m->arena, &meta, err));
    if (!meta.edits || audit_edits_read(meta.edits, change, NULL) != EH_STATUS_OK)
        return EH_STATUS_OK;
    change->text = answer;
    if (!audit_check(plain, change, NULL)) return EH_STATUS_OK;
    json_key(w, "edits");
    json_array_begin(w);
    for (size_t i = 0; i < change->n_edits; i++) {
        const audit_edit *e = &change->edits[i];
        eh_str gone = eh_str_slice(plain, e->at_byte, e->at_byte + e->n_removed_bytes);
        at += script_length(eh_str_slice(plain, from, e->at_byte));
        json_array_begin(w);
        json_i64(w, at);
        json_i64(w, script_length(gone));
        json_i64(w, script_length(e->inserted));
        json_array_end(w);
        at += script_length(gone);
        from = e->at_byte + e->n_removed_bytes;
    }
    json_array_end(w);
    return EH_STATUS_OK;
}

static eh_status put_variant(maker *m, const page_card_variant *v,
                             const ledger_texts *plain, json_writer *w, eh_error *err) {
    json_object_begin(w);
    page_json_put(w, "probe", v->probe);
    json_put_i64(w, "side", v->side);
    if (v->padded) {
        json_put_bool(w, "padded", true);
    }
    if (m->options->page.texts) {
        ledger_texts texts;
        EH_TRY(ledger_pair_texts(m->page->sources[v->source].l, v->row, &texts,
                                 m->arena, err));
        eh_str answer = v->side == 1 ? texts.answer_1 : texts.answer_2;
        page_json_put(w, "answer", answer);
        EH_TRY(put_edits(m, &texts, v->side == 1 ? plain->answer_1 : plain->answer_2,
                         answer, w, err));
    }
    json_object_end(w);
    return EH_STATUS_OK;
}

static eh_status put_texts(maker *m, const page_card_unit *u, json_writer *w,
                           eh_error *err) {
    ledger_texts texts = {0};
    json_object_begin(w);
    if (m->options->page.texts) {
        EH_TRY(ledger_pair_texts(m->page->sources[u->source].l, u->row, &texts,
                                 m->arena, err));
        page_json_put(w, "question", texts.question);
        page_json_put(w, "answer_1", texts.answer_1);
        page_json_put(w, "answer_2", texts.answer_2);
        page_json_put(w, "reference", texts.reference);
    }
    json_key(w, "variants");
    json_array_begin(w);
    for (size_t i = 0; i < u->n_variants; i++)
        EH_TRY(put_variant(m, &u->variants[i], &texts, w, err));
    json_array_end(w);
    json_object_end(w);
    return EH_STATUS_OK;
}

/* ---- replies ---- */

/* The judge's row of a pair: its own ledger may number pairs otherwise; 0: not there.
 */
static eh_status own_row(maker *m, const page_card_judge *j, size_t source, int64_t row,
                         eh_str id, int64_t *own, eh_error *err) {
    *own = row;
    if (j->source == source) return EH_STATUS_OK;
    return ledger_find_pair(m->page->sources[j->source].l, id, own, err);
}

static eh_status put_answers(maker *m, const page_card_judge *j, int stream,
                             int64_t row, json_writer *w, eh_error *err) {
    const plan_spec *plan = &j->view->plan;
    ledger_answer *answers = NULL;
    size_t n = 0;
    ledger_ask whose = {
        .judge_row = j->view->run.judge_row, .pair_row = row, .stream = stream};
    if (row)
        EH_TRY(ledger_pair_answers(m->page->sources[j->source].l, &whose, m->arena,
                                   &answers, &n, err));
    json_array_begin(w);
    for (size_t i = 0; i < n; i++) {
        const plan_sample *s = &answers[i].sample;
        const page_answer how = {.texts = m->options->page.texts};
        if (plan->orders & PLAN_ORDER_BIT(s->order) && s->sample < plan->k)
            page_answer_json(&answers[i], &how, w);
    }
    json_array_end(w);
    return EH_STATUS_OK;
}

static eh_status put_replies(maker *m, const page_card_judge *j,
                             const page_card_unit *u, json_writer *w, eh_error *err) {
    int64_t row = 0;
    if (!j->view) {
        json_null(w);
        return EH_STATUS_OK;
    }
    EH_TRY(own_row(m, j, u->source, u->row, u->id, &row, err));
    json_object_begin(w);
    json_key(w, "control");
    EH_TRY(put_answers(m, j, LEDGER_STREAM_MAIN, row, w, err));
    json_key(w, "placebo");
    EH_TRY(put_answers(m, j, LEDGER_STREAM_PLACEBO, row, w, err));
    json_key(w, "variants");
    json_array_begin(w);
    for (size_t i = 0; i < u->n_variants; i++) {
        const page_card_variant *v = &u->variants[i];
        char *id = arena_printf(m->arena, "%.*s~%.*s%s", EH_STR_ARG(u->id),
                                EH_STR_ARG(v->probe), v->padded ? "~pad" : "");
        if (!id) return EH_NOMEM(err);
        EH_TRY(own_row(m, j, v->source, v->row, eh_str_of(id), &row, err));
        EH_TRY(put_answers(m, j, LEDGER_STREAM_MAIN, row, w, err));
    }
    json_array_end(w);
    json_object_end(w);
    return EH_STATUS_OK;
}

static eh_status put(void *self, size_t place, size_t kind, eh_arena *arena,
                     json_writer *w, eh_error *err) {
    maker *m = self;
    const page_card_unit *u = &m->page->units[m->page->order[place]];
    m->arena = arena;
    return kind == 0 ? put_texts(m, u, w, err)
                     : put_replies(m, &m->page->judges[kind - 1], u, w, err);
}

eh_status page_card_chunks(page_card_page *page, const page_card_options *options,
                           page_chunks **chunks, eh_error *err) {
    maker m = {.page = page, .options = options};
    page_chunk_source source = {.n_items = page->n_units,
                                .n_kinds = 1 + page->n_judges,
                                .max_bytes = options->page.max_bytes,
                                .put = put,
                                .self = &m};
    EH_TRY(page_chunks_make(&source, chunks, &page->n_placed, err));
    for (size_t i = 0; i < page->n_placed; i++)
        page->units[page->order[i]].place = i;
    return EH_STATUS_OK;
}
