/* SPDX-License-Identifier: MIT
 *
 * Exports.
 *
 *   ledger -> one pair, answer or label after the other -> cells -> a line
 *
 * Everything is streamed: an export needs as much memory as a pair with its answers.
 * Read back (import judgments, run, labels import), a file gives what was in the
 * ledger: the same texts under the same ids, the same verdicts, scores and replies. A
 * judge is then known by its name alone, so names are those of a summary, which tell
 * judges apart.
 *
 * Left out: tokens, times, log probabilities and prompts, which no file of judgments
 * has; what drift asked again; answers about anything but the plain pair, which are
 * counted.
 */
#include "run/export.h"

#include <math.h>

#include "run/labels.h"
#include "tally/summarize.h"

enum { N_JUDGMENT_CELLS = 13, N_PAIR_CELLS = 11, ARENA_BYTES = 256 << 20 };

/* An export at work. */
typedef struct exporter {
    const run_export *x;
    run_export_counts *counts;
    eh_str judge;
    int64_t judge_row;
    run_pseudonyms *pseudonyms; /* NULL: names as they are */
    eh_buf line;
    eh_arena arena; /* for one pair */
} exporter;

static eh_status write_line(exporter *e, eh_error *err) {
    EH_TRY(buf_check(&e->line, "a line", err));
    eh_status status = EH_STATUS_OK;
    if (e->line.len) status = e->x->write(e->x->self, buf_view(&e->line), err);
    buf_reset(&e->line);
    return status;
}

static eh_status write_cells(exporter *e, const report_cell *cells, size_t n,
                             eh_error *err) {
    report_cells_row(e->x->format, cells, n, &e->line);
    e->counts->n_rows++;
    return write_line(e, err);
}

static report_cell or_left_out(report_cell cell) {
    cell.if_there = true;
    return cell;
}

/* Calls `put` for the pairs of the scope, in data order, with an empty arena. */
static eh_status each_pair(exporter *e,
                           eh_status (*put)(exporter *e, const ledger_pair *pair,
                                            eh_error *err),
                           eh_error *err) {
    ledger_cursor *cursor;
    EH_TRY(ledger_cursor_open(e->x->l, LEDGER_BY_DATA, &cursor, err));
    eh_status status = EH_STATUS_OK;
    for (bool got = true; got && status == EH_STATUS_OK;) {
        ledger_pair pair;
        arena_reset(&e->arena);
        status = ledger_cursor_next(cursor, &pair, &got, err);
        if (status == EH_STATUS_OK && got) status = put(e, &pair, err);
    }
    ledger_cursor_close(cursor);
    return status;
}

/* ---- judgments ---- */

static void judgment_cells(eh_str pair_id, eh_str judge, const ledger_answer *a,
                           report_cell cells[N_JUDGMENT_CELLS]) {
    const plan_sample *s = &a->sample;
    bool valid = s->verdict != EH_VERDICT_NONE;
    eh_str reason = {NULL, 0}, finish = a->finish_reason;
    if (!valid) reason = eh_str_of(verdict_reason_name(s->reason));
    /* without one the reader assumes this */
    if (eh_str_eq_cstr(finish, "stop")) finish = (eh_str){NULL, 0};
    report_cell *c = cells;
    *c++ = report_text_cell("pair_id", pair_id);
    *c++ = report_text_cell("judge", judge);
    *c++ = report_text_cell("order", eh_str_of(eh_order_name(s->order)));
    *c++ = report_i64_cell("sample", s->sample);
    *c++ = report_text_cell("reply", a->content);
    *c++ = report_text_cell("verdict", eh_str_of(eh_verdict_name(s->verdict)));
    *c++ = report_f64_cell("score_1", s->has_scores ? s->score_1 : (double)NAN);
    *c++ = report_f64_cell("score_2", s->has_scores ? s->score_2 : (double)NAN);
    *c++ = or_left_out(report_i64_cell("rating", 3 - s->signed_rating));
    c[-1].is_null = !s->has_rating;
    *c++ = report_text_cell("reason", reason);
    *c++ = or_left_out(report_text_cell("finish_reason", finish));
    *c++ = or_left_out(report_text_cell("reasoning_content", a->reasoning));
    *c++ = or_left_out(report_text_cell("refusal", a->refusal));
}

static eh_status put_answers(exporter *e, const ledger_pair *pair, eh_error *err) {
    ledger_answer *answers;
    size_t n;
    report_cell cells[N_JUDGMENT_CELLS];
    ledger_ask whose = {
        .judge_row = e->judge_row, .pair_row = pair->row, .stream = LEDGER_STREAM_MAIN};
    EH_TRY(ledger_pair_answers(e->x->l, &whose, &e->arena, &answers, &n, err));
    for (size_t i = 0; i < n; i++) {
        if (answers[i].sample.stage_code != 0) {
            e->counts->n_left++;
            continue;
        }
        judgment_cells(pair->pair_id, e->judge, &answers[i], cells);
        EH_TRY(write_cells(e, cells, N_JUDGMENT_CELLS, err));
    }
    return EH_STATUS_OK;
}

/* One view a judge: several runs share its answers. */
static size_t one_a_judge(tally_view *views, size_t n) {
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        bool is_new = true;
        for (size_t k = 0; k < kept; k++)
            is_new = is_new && views[k].run.judge_row != views[i].run.judge_row;
        if (is_new) views[kept++] = views[i];
    }
    return kept;
}

static eh_status put_judges(exporter *e, eh_arena *arena, eh_error *err) {
    tally_view *views;
    eh_str *names, none = {NULL, 0};
    size_t n;
    report_cell cells[N_JUDGMENT_CELLS];
    judgment_cells(none, none, &(ledger_answer){.content = none}, cells);
    report_cells_head(e->x->format, cells, N_JUDGMENT_CELLS, &e->line);
    EH_TRY(write_line(e, err));
    EH_TRY(tally_views(e->x->l, none, arena, &views, &n, err));
    n = one_a_judge(views, n);
    EH_TRY(tally_view_names(views, n, arena, &names, err));
    for (size_t i = 0; i < n; i++) {
        e->judge = names[i];
        e->judge_row = views[i].run.judge_row;
        EH_TRY(each_pair(e, put_answers, err));
    }
    return EH_STATUS_OK;
}

/* ---- pairs ---- */

static void pair_cells(const ledger_pair *pair, const ledger_texts *t,
                       report_cell cells[N_PAIR_CELLS]) {
    report_cell *c = cells;
    *c++ = report_text_cell("id", pair->pair_id);
    *c++ = report_text_cell("question", t->question);
    *c++ = report_text_cell("answer_1", t->answer_1);
    *c++ = report_text_cell("answer_2", t->answer_2);
    *c++ = or_left_out(report_text_cell("model_1", pair->model_1));
    *c++ = or_left_out(report_text_cell("model_2", pair->model_2));
    *c++ = or_left_out(report_text_cell("category", pair->category));
    *c++ = or_left_out(report_text_cell("reference", t->reference));
    *c++ = or_left_out(report_text_cell("short_question", t->short_question));
    *c++ = or_left_out(report_json_cell("turns", t->turns_json));
    *c++ = or_left_out(report_json_cell("meta", t->meta_json));
}

static eh_status put_pair(exporter *e, const ledger_pair *pair, eh_error *err) {
    ledger_texts texts;
    ledger_glance glance;
    report_cell cells[N_PAIR_CELLS];
    EH_TRY(ledger_pair_look(e->x->l, pair->row, 0, &e->arena, &glance, err));
    if (!glance.has_texts) {
        e->counts->n_left++;
        return EH_STATUS_OK;
    }
    EH_TRY(ledger_pair_texts(e->x->l, pair->row, &texts, &e->arena, err));
    pair_cells(pair, &texts, cells);
    return write_cells(e, cells, N_PAIR_CELLS, err);
}

static eh_status put_pairs(exporter *e, eh_arena *arena, eh_error *err) {
    (void)arena;
    report_cell cells[N_PAIR_CELLS];
    pair_cells(&(ledger_pair){0}, &(ledger_texts){.question = {NULL, 0}}, cells);
    report_cells_head(e->x->format, cells, N_PAIR_CELLS, &e->line);
    EH_TRY(write_line(e, err));
    return each_pair(e, put_pair, err);
}

/* ---- labels ---- */

static eh_status put_label(void *self, eh_str pair_id, const ledger_label *label,
                           eh_error *err) {
    exporter *e = self;
    ledger_label line = *label;
    if (e->pseudonyms) EH_TRY(run_pseudonym(e->pseudonyms, &line.annotator, err));
    run_label_line(e->x->format, pair_id, &line, &e->line);
    e->counts->n_rows++;
    return write_line(e, err);
}

static eh_status put_labels(exporter *e, eh_arena *arena, eh_error *err) {
    (void)arena;
    run_label_head(e->x->format, &e->line);
    EH_TRY(write_line(e, err));
    return ledger_labels_each(e->x->l, put_label, e, err);
}

/* ---- in common ---- */

static eh_status export_all(const run_export *x, run_export_counts *counts,
                            eh_status (*put)(exporter *e, eh_arena *arena,
                                             eh_error *err),
                            eh_error *err) {
    run_pseudonyms names = {0};
    exporter e = {
        .x = x, .counts = counts, .pseudonyms = x->pseudonyms ? &names : NULL};
    eh_arena arena;
    *counts = (run_export_counts){0};
    arena_init(&arena, ARENA_BYTES);
    arena_init(&e.arena, ARENA_BYTES);
    buf_init(&e.line, BUF_MAX_LINE);
    eh_status status = put(&e, &arena, err);
    buf_deinit(&e.line);
    arena_deinit(&e.arena);
    arena_deinit(&arena);
    run_pseudonyms_deinit(&names);
    return status;
}

eh_status run_export_judgments(const run_export *x, run_export_counts *counts,
                               eh_error *err) {
    return export_all(x, counts, put_judges, err);
}

eh_status run_export_pairs(const run_export *x, run_export_counts *counts,
                           eh_error *err) {
    return export_all(x, counts, put_pairs, err);
}

eh_status run_export_labels(const run_export *x, run_export_counts *counts,
                            eh_error *err) {
    return export_all(x, counts, put_labels, err);
}
