/* SPDX-License-Identifier: MIT
 *
 * The texts of pairs and the replies about them, in chunks that the page opens one by
 * one: so that a report of 10,000 pairs is read like one of ten.
 *
 *   place      0 1 2 3 ...            255 | 256 ...
 *   texts      chunk 0, kind 0            | chunk 1, kind 0
 *   judge 1    chunk 0, kind 1            | chunk 1, kind 1
 *   judge 2    ...
 *
 * Places follow the order of page_order_texts. A chunk ends after 256 pairs or a
 * megabyte of any kind. The first chunk that would pass max_bytes ends it all: its
 * pairs and those behind have no place, and the page says so. Without texts the same
 * chunks hold what remains: verdicts, scores, reasons, tokens and the keys of the
 * calls.
 *
 * Answers are also cut into parts that belong together (align), as the aligned view
 * shows them; where that would take long they are cut by length. Offsets are in UTF-16
 * units, which is how the page's language counts.
 */
#include <stdio.h>

#include "align/align.h"
#include "base/json_write.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "page/page.h"

enum {
    CHUNK_PAIRS = 256,
    CHUNK_BYTES = 1 << 20,
    KEY_BYTES = 8,           /* of a call's key: enough to find it by */
    EXACT_MAX_CELLS = 40000, /* units of one answer times those of the other */
};

#define PAIR_ARENA_BYTES ((size_t)1 << 30)

/* Where a finished piece stands in the temporary file. */
typedef struct piece {
    size_t chunk, kind;
    int64_t offset, len;
} piece;

struct page_chunks {
    FILE *file;
    size_t n_kinds;
    size_t *starts; /* [n_chunks] the places at which chunks begin */
    size_t n_chunks, starts_cap;
    piece *pieces;
    size_t n_pieces, pieces_cap;
    int64_t n_bytes;
    eh_arena arena; /* of starts and pieces */
};

typedef struct maker {
    page_report *r;
    const page_options *options;
    page_chunks *out;
    eh_buf *kinds; /* [n_kinds] JSON of the open chunk */
    eh_buf packed;
    eh_arena arena; /* of one pair */
} maker;

/* ---- one pair ---- */

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
    EH_TRY(align_units_of(texts->answer_1, &options, &m->arena, &units[0], err));
    EH_TRY(align_units_of(texts->answer_2, &options, &m->arena, &units[1], err));
    align_pair pair = {&units[0], &units[1]};
    if (units[0].n * units[1].n > EXACT_MAX_CELLS)
        return align_length_cut(&pair, NULL, ALIGN_PARTS_DEFAULT, &m->arena, cut, err);
    EH_TRY(align_similarity_words(&pair, &m->arena, &similarity, err));
    return align_semantic_cut(&pair, similarity, ALIGN_PARTS_DEFAULT, &m->arena, cut,
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

static void put_if(json_writer *w, const char *key, eh_str value) {
    if (eh_str_is_absent(value)) return;
    json_key(w, key);
    json_str(w, value);
}

static eh_status put_labels(maker *m, ledger *l, int64_t row, json_writer *w,
                            eh_error *err) {
    ledger_label *labels;
    size_t n;
    EH_TRY(ledger_pair_labels(l, row, &m->arena, &labels, &n, err));
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
            put_if(w, "by", labels[i].annotator);
            put_if(w, "note", labels[i].note);
            put_if(w, "time", labels[i].time);
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
        EH_TRY(ledger_pair_texts(l, p->row, &texts, &m->arena, err));
        put_if(w, "question", texts.question);
        put_if(w, "answer_1", texts.answer_1);
        put_if(w, "answer_2", texts.answer_2);
        put_if(w, "reference", texts.reference);
        put_if(w, "turns", texts.turns_json);
        EH_TRY(put_parts(m, &texts, w, err));
    }
    EH_TRY(put_labels(m, l, p->row, w, err));
    json_object_end(w);
    return EH_STATUS_OK;
}

static void put_answer(maker *m, const page_judge *j, const ledger_answer *a,
                       json_writer *w) {
    char hex[2 * KEY_BYTES + 1];
    const plan_sample *s = &a->sample;
    hash_hex(a->key, KEY_BYTES, hex);
    json_object_begin(w);
    json_key(w, "order");
    json_cstr(w, eh_order_name(s->order));
    json_key(w, "sample");
    json_i64(w, s->sample);
    if (s->stage_code) {
        json_key(w, "stage");
        json_i64(w, plan_stage_of(&j->view->plan, s->stage_code));
    }
    put_if(w, "verdict", eh_str_of(eh_verdict_name(s->verdict)));
    if (s->verdict == EH_VERDICT_NONE)
        put_if(w, "reason", eh_str_of(verdict_reason_name(s->reason)));
    if (s->has_scores) {
        json_key(w, "scores");
        json_array_begin(w);
        json_f64(w, s->score_1);
        json_f64(w, s->score_2);
        json_array_end(w);
    }
    if (s->has_rating) {
        json_key(w, "rating");
        json_i64(w, s->signed_rating);
    }
    if (a->prompt_tokens >= 0 || a->completion_tokens >= 0) {
        json_key(w, "tokens");
        json_array_begin(w);
        json_f64(w, a->prompt_tokens < 0 ? NAN : (double)a->prompt_tokens);
        json_f64(w, a->completion_tokens < 0 ? NAN : (double)a->completion_tokens);
        json_array_end(w);
    }
    json_key(w, "call");
    json_cstr(w, hex);
    put_if(w, "model", a->model);
    put_if(w, "finish", a->finish_reason);
    if (m->options->texts) {
        put_if(w, "reply", a->content);
        put_if(w, "reasoning", a->reasoning);
        put_if(w, "refusal", a->refusal);
    }
    json_object_end(w);
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
        EH_TRY(ledger_pair_answers(l, j->view->run.judge_row, row, &m->arena, &answers,
                                   &n, err));
    }
    json_array_begin(w);
    for (size_t i = 0; i < n; i++) {
        const plan_sample *s = &answers[i].sample;
        if (plan->orders & PLAN_ORDER_BIT(s->order) && s->sample < plan->k &&
            plan_stage_of(plan, s->stage_code) >= 0)
            put_answer(m, j, &answers[i], w);
    }
    json_array_end(w);
    return EH_STATUS_OK;
}

static eh_status add_pair(maker *m, size_t index, bool is_first, eh_error *err) {
    arena_reset(&m->arena);
    for (size_t k = 0; k < m->out->n_kinds; k++) {
        json_writer w;
        buf_add_char(&m->kinds[k], is_first ? '[' : ',');
        json_writer_init(&w, &m->kinds[k], 0);
        EH_TRY(k == 0 ? put_texts(m, &m->r->pairs[index], &w, err)
                      : put_answers(m, &m->r->judges[k - 1], index, &w, err));
    }
    return EH_STATUS_OK;
}

/* ---- chunks ---- */

static bool is_full(const maker *m, size_t n_open) {
    bool full = n_open >= CHUNK_PAIRS;
    for (size_t k = 0; k < m->out->n_kinds; k++)
        full = full || m->kinds[k].len >= CHUNK_BYTES;
    return full;
}

static eh_status write_piece(maker *m, size_t kind, eh_error *err) {
    page_chunks *out = m->out;
    buf_add_char(&m->kinds[kind], ']');
    EH_TRY(buf_check(&m->kinds[kind], "a chunk of the report", err));
    buf_reset(&m->packed);
    EH_TRY(page_pack(buf_view(&m->kinds[kind]), &m->packed, err));
    out->pieces = arena_grow(&out->arena, out->pieces, out->n_pieces, &out->pieces_cap,
                             sizeof *out->pieces);
    if (!out->pieces) return EH_NOMEM(err);
    out->pieces[out->n_pieces++] = (piece){.chunk = out->n_chunks,
                                           .kind = kind,
                                           .offset = out->n_bytes,
                                           .len = (int64_t)m->packed.len};
    if (fwrite(m->packed.ptr, 1, m->packed.len, out->file) != m->packed.len)
        return EH_FAIL(err, EH_STATUS_IO, "a temporary file cannot be written");
    out->n_bytes += (int64_t)m->packed.len;
    return EH_STATUS_OK;
}

/* Closes the open chunk of the pairs from `begin` on; *fits is false when it would pass
 * the maximum, and then it is dropped. */
static eh_status close_chunk(maker *m, size_t begin, bool *fits, eh_error *err) {
    page_chunks *out = m->out;
    size_t n_pieces = out->n_pieces;
    int64_t n_bytes = out->n_bytes;
    for (size_t k = 0; k < out->n_kinds; k++) {
        EH_TRY(write_piece(m, k, err));
        buf_reset(&m->kinds[k]);
    }
    *fits = out->n_bytes <= m->options->max_bytes;
    if (!*fits) {
        out->n_pieces = n_pieces;
        out->n_bytes = n_bytes;
        return EH_STATUS_OK;
    }
    out->starts = arena_grow(&out->arena, out->starts, out->n_chunks, &out->starts_cap,
                             sizeof *out->starts);
    if (!out->starts) return EH_NOMEM(err);
    out->starts[out->n_chunks++] = begin;
    return EH_STATUS_OK;
}

static eh_status make_chunks(maker *m, eh_error *err) {
    page_report *r = m->r;
    size_t begin = 0;
    bool fits = true;
    for (size_t i = 0; i < r->n_pairs && fits; i++) {
        EH_TRY(add_pair(m, r->order[i], i == begin, err));
        if (i + 1 < r->n_pairs && !is_full(m, i + 1 - begin)) continue;
        EH_TRY(close_chunk(m, begin, &fits, err));
        if (fits) begin = i + 1;
    }
    for (r->n_placed = 0; r->n_placed < begin; r->n_placed++)
        r->pairs[r->order[r->n_placed]].place = r->n_placed;
    return EH_STATUS_OK;
}

eh_status page_chunks_make(page_report *report, const page_options *options,
                           page_chunks **chunks, eh_error *err) {
    page_chunks *out = *chunks = mem_zalloc(1, sizeof *out);
    if (!out) return EH_NOMEM(err);
    arena_init(&out->arena, BUF_MAX_REPORT);
    out->n_kinds = 1 + report->n_judges;
    out->file = tmpfile();
    if (!out->file)
        return EH_FAIL(err, EH_STATUS_IO, "a temporary file cannot be made");
    maker m = {.r = report, .options = options, .out = out};
    arena_init(&m.arena, PAIR_ARENA_BYTES);
    buf_init(&m.packed, BUF_MAX_REPORT);
    m.kinds = mem_zalloc(out->n_kinds, sizeof *m.kinds);
    for (size_t k = 0; m.kinds && k < out->n_kinds; k++)
        buf_init(&m.kinds[k], BUF_MAX_REPORT);
    eh_status status = m.kinds ? make_chunks(&m, err) : EH_NOMEM(err);
    for (size_t k = 0; m.kinds && k < out->n_kinds; k++)
        buf_deinit(&m.kinds[k]);
    mem_free(m.kinds);
    buf_deinit(&m.packed);
    arena_deinit(&m.arena);
    return status;
}

int64_t page_chunks_bytes(const page_chunks *c) {
    return c->n_bytes;
}

void page_chunks_json(const page_chunks *c, json_writer *w) {
    json_key(w, "chunks");
    json_array_begin(w);
    for (size_t i = 0; i < c->n_chunks; i++)
        json_i64(w, (int64_t)c->starts[i]);
    json_array_end(w);
}

static eh_status copy_piece(page_chunks *c, const piece *p, eh_buf *buf,
                            const page_sink *sink, eh_error *err) {
    buf_reset(buf);
    buf_printf(buf, "<script type=\"application/octet-stream\" id=\"c%zu-%zu\">",
               p->chunk, p->kind);
    size_t head = buf->len;
    if (!buf_reserve(buf, (size_t)p->len + 16)) return buf_check(buf, "a chunk", err);
    if (fseeko(c->file, p->offset, SEEK_SET) != 0 ||
        fread(buf->ptr + head, 1, (size_t)p->len, c->file) != (size_t)p->len)
        return EH_FAIL(err, EH_STATUS_IO, "a temporary file cannot be read");
    buf->len += (size_t)p->len;
    buf_add_cstr(buf, "</script>\n");
    EH_TRY(buf_check(buf, "a chunk", err));
    return sink->write(sink->self, buf_view(buf), err);
}

eh_status page_chunks_write(page_chunks *c, const page_sink *sink, eh_error *err) {
    eh_buf buf;
    eh_status status = EH_STATUS_OK;
    buf_init(&buf, BUF_MAX_REPORT);
    for (size_t i = 0; status == EH_STATUS_OK && i < c->n_pieces; i++)
        status = copy_piece(c, &c->pieces[i], &buf, sink, err);
    buf_deinit(&buf);
    return status;
}

void page_chunks_free(page_chunks *c) {
    if (!c) return;
    if (c->file) (void)fclose(c->file);
    arena_deinit(&c->arena);
    mem_free(c);
}
