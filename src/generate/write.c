/* SPDX-License-Identifier: MIT
 *
 * What a generation writes: a review file a step, and at the end
 *
 *   pairs.jsonl     questions with both answers, where they were made
 *   PROBE.jsonl     the same pairs with the changed answer, as `audit --probes
 *                   PROBE=FILE` reads them, each with what was changed
 *   funnel.txt, funnel.json
 */
#include "generate/work.h"

#include <stdio.h>

#include "audit/edits.h"
#include "base/json_write.h"
#include "report/layout.h"

enum { PATH_BYTES = 512 };

static eh_status path_in(const generate_work *w, const char *name, const char *ending,
                         char path[PATH_BYTES], eh_error *err) {
    int n = snprintf(path, PATH_BYTES, "%s/%s%s", w->o->folder, name, ending);
    return n < PATH_BYTES ? EH_STATUS_OK
                          : EH_FAIL(err, EH_STATUS_USAGE, "%s: the name is too long",
                                    w->o->folder);
}

/* ---- reviews ---- */

typedef struct review {
    generate_review_row *rows; /* [n] */
    size_t *of;                /* [n] what each row is of */
    size_t n;
} review;

static eh_status review_begin(generate_work *w, size_t cap, review *r, eh_error *err) {
    *r = (review){.rows = arena_zalloc(&w->arena, cap + 1, sizeof *r->rows),
                  .of = arena_zalloc(&w->arena, cap + 1, sizeof *r->of)};
    return r->rows && r->of ? EH_STATUS_OK : EH_NOMEM(err);
}

static generate_review_row *review_add(review *r, size_t of, const report_cell *cells,
                                       size_t n_cells) {
    generate_review_row *row = &r->rows[r->n];
    r->of[r->n++] = of;
    row->n_cells = n_cells;
    eh_str texts[GENERATE_CELLS_MAX];
    for (size_t i = 0; i < n_cells; i++) {
        row->cells[i] = cells[i];
        texts[i] = cells[i].text;
    }
    generate_text_id(texts, n_cells, row->text_id);
    return row;
}

/* Takes the marks. Where people have to look and have not, the work waits. */
static eh_status review_end(generate_work *w, const char *name, review *r,
                            eh_error *err) {
    const generate_options *o = w->o;
    char path[PATH_BYTES];
    const char *ending = o->review_format == REPORT_FORMAT_CSV ? ".csv" : ".jsonl";
    generate_funnel_row none = {0};
    EH_TRY(path_in(w, name, ending, path, err));
    EH_TRY(generate_review_sync(path, o->review_format, r->rows, r->n, !o->dry,
                                &w->arena, err));
    for (size_t i = 0; i < r->n; i++)
        (void)generate_review_keeps(&r->rows[i].marks, o->unreviewed, &none);
    if (!none.n_unreviewed || o->unreviewed != GENERATE_STOP || o->dry)
        return EH_STATUS_OK;
    (void)snprintf(w->result->waits_for, sizeof w->result->waits_for, "%s", path);
    w->result->n_to_review = none.n_unreviewed;
    w->result->n_review_rows = (int64_t)r->n;
    return EH_STATUS_OK;
}

static bool keeps(generate_work *w, const generate_review_row *row, int step) {
    bool stays =
        generate_review_keeps(&row->marks, w->o->unreviewed, generate_row_of(w, step));
    return stays || (w->o->dry && w->o->unreviewed == GENERATE_STOP);
}

static eh_status review_pairs(generate_work *w, const char *name, int step,
                              size_t n_cells, eh_error *err) {
    review r;
    EH_TRY(review_begin(w, w->n_pairs, &r, err));
    for (size_t i = 0; i < w->n_pairs; i++) {
        const generate_pair *p = &w->pairs[i];
        report_cell cells[] = {
            report_text_cell("id", p->id),
            report_text_cell("category", p->category),
            report_text_cell("question", p->short_question),
            report_text_cell("answer_1", p->answers[0]),
            report_text_cell("answer_2", p->answers[1]),
        };
        if (!p->is_out) (void)review_add(&r, i, cells, n_cells);
    }
    EH_TRY(review_end(w, name, &r, err));
    for (size_t i = 0; i < r.n; i++)
        if (!keeps(w, &r.rows[i], step)) w->pairs[r.of[i]].is_out = true;
    return EH_STATUS_OK;
}

eh_status generate_review_questions(generate_work *w, eh_error *err) {
    return review_pairs(w, "review-questions", GENERATE_QUESTIONS, 3, err);
}

eh_status generate_review_answers(generate_work *w, eh_error *err) {
    return review_pairs(w, "review-answers", GENERATE_ANSWERS, 5, err);
}

eh_status generate_review_changes(generate_work *w, eh_error *err) {
    review r;
    EH_TRY(review_begin(w, w->n_changes, &r, err));
    for (size_t i = 0; i < w->n_changes; i++) {
        const generate_change *c = &w->changes[i];
        const generate_pair *p = &w->pairs[c->pair];
        report_cell cells[] = {
            report_text_cell("id", c->id),
            report_text_cell("probe", w->o->probes[c->probe].name),
            report_text_cell("question",
                             p->short_question.len ? p->short_question : p->question),
            report_text_cell("original", p->answers[c->side - 1]),
            report_text_cell("changed", c->text),
            report_text_cell("changes", c->changes),
        };
        if (c->is_there) (void)review_add(&r, i, cells, sizeof cells / sizeof cells[0]);
    }
    EH_TRY(review_end(w, "review-changes", &r, err));
    for (size_t i = 0; i < r.n; i++) {
        generate_change *c = &w->changes[r.of[i]];
        c->is_out = !keeps(w, &r.rows[i], GENERATE_CHANGES + (int)c->probe);
    }
    return EH_STATUS_OK;
}

/* ---- the files of the audit ---- */

static void put_text(json_writer *w, const char *key, eh_str text) {
    if (!text.len) return;
    json_put_str(w, key, text);
}

/* A pair; with a changed answer where `c` is not NULL. */
static void put_pair(const generate_pair *p, const generate_change *c, eh_buf *out) {
    json_writer w;
    json_writer_init(&w, out, 0);
    json_object_begin(&w);
    json_put_str(&w, "id", c ? c->id : p->id);
    put_text(&w, "question", p->question);
    put_text(&w, "short_question", p->short_question);
    json_put_str(&w, "answer_1", c && c->side == 1 ? c->text : p->answers[0]);
    json_put_str(&w, "answer_2", c && c->side == 2 ? c->text : p->answers[1]);
    put_text(&w, "model_1", p->models[0]);
    put_text(&w, "model_2", p->models[1]);
    put_text(&w, "category", p->category);
    if (c) {
        json_put_i64(&w, "perturbed", c->side);
        json_put_str(&w, "control_id", p->id);
        put_text(&w, "changes", c->changes);
        json_put_i64(&w, "words_removed", c->n_removed);
        json_put_i64(&w, "words_inserted", c->n_inserted);
        audit_edits_json(&w, "edits", c->edits, c->n_edits);
    }
    json_object_end(&w);
    buf_add_char(out, '\n');
}

static eh_status write_out(generate_work *w, const char *name, const char *ending,
                           const eh_buf *out, eh_error *err) {
    char path[PATH_BYTES];
    EH_TRY(buf_check(out, name, err));
    EH_TRY(path_in(w, name, ending, path, err));
    return generate_write(path, buf_view(out), err);
}

/* The funnel as text, for 80 columns. */
static eh_status write_funnel(generate_work *w, eh_buf *out, eh_error *err) {
    eh_buf text;
    buf_init(&text, BUF_MAX_SMALL);
    generate_funnel_text(&w->result->funnel, &text);
    report_layout(buf_view(&text), LAYOUT_COLUMNS_DEFAULT, out);
    eh_status status = buf_check(&text, "the funnel", err);
    buf_deinit(&text);
    return status == EH_STATUS_OK ? write_out(w, "funnel", ".txt", out, err) : status;
}

static eh_status write_all(generate_work *w, eh_buf *out, eh_error *err) {
    for (size_t i = 0; !w->o->data && i < w->n_pairs; i++)
        if (!w->pairs[i].is_out) put_pair(&w->pairs[i], NULL, out);
    if (!w->o->data) EH_TRY(write_out(w, "pairs", ".jsonl", out, err));
    for (size_t k = 0; k < w->o->n_probes; k++) {
        char *name = arena_dup(&w->arena, w->o->probes[k].name);
        if (!name) return EH_NOMEM(err);
        buf_reset(out);
        for (size_t i = 0; i < w->n_changes; i++) {
            const generate_change *c = &w->changes[i];
            if (c->probe == k && c->is_there && !c->is_out)
                put_pair(&w->pairs[c->pair], c, out);
        }
        EH_TRY(write_out(w, name, ".jsonl", out, err));
    }
    buf_reset(out);
    EH_TRY(write_funnel(w, out, err));
    buf_reset(out);
    generate_funnel_json(&w->result->funnel, out);
    return write_out(w, "funnel", ".json", out, err);
}

eh_status generate_write_files(generate_work *w, eh_error *err) {
    eh_buf out;
    buf_init(&out, BUF_MAX_REPORT);
    eh_status status = write_all(w, &out, err);
    buf_deinit(&out);
    return status;
}
