/* SPDX-License-Identifier: MIT
 *
 * Running an audit: the engine twice over one ledger.
 *
 *   main      plain pairs, perturbed pairs, padded pairs, pairs under attack
 *   placebo   controls (plain pairs, and those that are attacked), other samples of the
 *             same prompts
 *
 * Both are ordinary runs of the engine, so what is answered is not asked again, and an
 * audit with one more probe asks for that probe's rows only.
 */
#include "exam/exam.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/mem.h"

/* The rows of controls, rising. */
typedef struct control_rows {
    int64_t *rows;
    size_t n, cap;
} control_rows;

static int by_number(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static bool is_control(const void *self, const ledger_pair *pair) {
    const control_rows *p = self;
    return bsearch(&pair->row, p->rows, p->n, sizeof *p->rows, by_number) != NULL;
}

static eh_status add_row(control_rows *p, int64_t row, eh_error *err) {
    if (p->n == p->cap) {
        size_t cap = p->cap ? 2 * p->cap : 256;
        int64_t *grown = mem_realloc(p->rows, cap, sizeof *p->rows);
        if (!grown) return EH_NOMEM(err);
        p->rows = grown;
        p->cap = cap;
    }
    p->rows[p->n++] = row;
    return EH_STATUS_OK;
}

static eh_status meta_of(ledger *l, int64_t row, eh_arena *arena, exam_meta *meta,
                         eh_error *err) {
    ledger_texts texts;
    EH_TRY(ledger_pair_texts(l, row, &texts, arena, err));
    return exam_meta_read(texts.meta_json, arena, meta, err);
}

/* Is the row asked twice: a plain pair, or one that is attacked? */
static eh_status take_row(ledger *l, const ledger_pair *pair, eh_arena *arena,
                          control_rows *p, eh_error *err) {
    exam_meta meta;
    int64_t row = pair->row;
    EH_TRY(meta_of(l, pair->row, arena, &meta, err));
    if (meta.role != EXAM_CONTROL && !(meta.role == EXAM_ATTACK && meta.is_worse))
        return EH_STATUS_OK;
    if (meta.role == EXAM_ATTACK) EH_TRY(ledger_find_pair(l, meta.control, &row, err));
    bool is_last = p->n && p->rows[p->n - 1] == row; /* by another attack */
    return row && !is_last ? add_row(p, row, err) : EH_STATUS_OK;
}

enum { PAGE = 64 };

static eh_status find_controls(ledger *l, control_rows *p, eh_error *err) {
    ledger_pair page[PAGE];
    eh_arena arena;
    int64_t after = -1;
    size_t n = PAGE;
    eh_status status = EH_STATUS_OK;
    arena_init(&arena, BUF_MAX_PROMPT);
    while (status == EH_STATUS_OK && n == PAGE) {
        arena_reset(&arena);
        status = ledger_pairs_page(l, after, page, PAGE, &n, &arena, err);
        for (size_t i = 0; status == EH_STATUS_OK && i < n; i++) {
            after = page[i].seq;
            status = take_row(l, &page[i], &arena, p, err);
        }
    }
    arena_deinit(&arena);
    if (p->n) qsort(p->rows, p->n, sizeof *p->rows, by_number);
    return status;
}

static void add_progress(run_progress *sum, const run_progress *part) {
    sum->n_pairs += part->n_pairs;
    sum->n_pairs_done += part->n_pairs_done;
    sum->n_new += part->n_new;
    sum->n_reused += part->n_reused;
    sum->n_present += part->n_present;
    sum->n_refreshed += part->n_refreshed;
    sum->n_failed += part->n_failed;
    sum->n_no_result += part->n_no_result;
    sum->n_not_sent += part->n_not_sent;
}

static eh_status run_placebo(ledger *l, const run_options *options, run_result *result,
                             eh_error *err) {
    run_options o = *options;
    run_result second;
    control_rows controls = {0};
    o.setup.stream = LEDGER_STREAM_PLACEBO;
    if (o.limit >= 0) o.limit -= result->progress.n_new;
    eh_status status = find_controls(l, &controls, err);
    tally_scope scope = {
        .holds = is_control, .self = &controls, .n_pairs = (int64_t)controls.n};
    o.scope = &scope;
    if (status == EH_STATUS_OK && controls.n) {
        status = run_engine(l, &o, &second, err);
        if (status == EH_STATUS_OK) {
            add_progress(&second.progress, &result->progress);
            second.run_row = result->run_row; /* views are of main runs */
            *result = second;
        }
    }
    mem_free(controls.rows);
    return status;
}

/* Was the last refresh cut short in the placebo? Then the main part is new already. */
static eh_status refresh_is_in_placebo(ledger *l, const run_options *options,
                                       bool *is_there, eh_error *err) {
    ledger_judge whose;
    eh_arena arena;
    char text[LEDGER_RUN_OPTIONS_CHARS];
    int64_t judge_row = 0, run_row = 0, open_ms = -1;
    arena_init(&arena, BUF_MAX_SMALL);
    eh_status status = run_setup_judge(&options->setup, &arena, &whose, err);
    if (status == EH_STATUS_OK) status = ledger_judge_find(l, &whose, &judge_row, err);
    ledger_run run =
        ledger_run_of(&options->setup.plan, LEDGER_STREAM_PLACEBO, judge_row, text);
    if (status == EH_STATUS_OK && judge_row)
        status = ledger_run_find(l, &run, &run_row, err);
    if (status == EH_STATUS_OK && run_row)
        status = ledger_refresh_open(l, run_row, &open_ms, err);
    arena_deinit(&arena);
    *is_there = open_ms >= 0;
    return status;
}

eh_status exam_run(ledger *l, const run_options *options, run_result *result,
                   eh_error *err) {
    run_options o = *options;
    bool is_renewed = false;
    o.setup.stream = LEDGER_STREAM_MAIN;
    o.scope = NULL;
    if (o.refresh.all) EH_TRY(refresh_is_in_placebo(l, options, &is_renewed, err));
    if (is_renewed) o.refresh.all = false;
    EH_TRY(run_engine(l, &o, result, err));
    if (result->end != RUN_END_DONE) return EH_STATUS_OK;
    o.refresh = options->refresh;
    return run_placebo(l, &o, result, err);
}

eh_status exam_is_one(ledger *l, bool *is_audit, eh_error *err) {
    ledger_pair pair;
    exam_meta meta = {.role = EXAM_NONE};
    eh_arena arena;
    size_t n;
    arena_init(&arena, BUF_MAX_PROMPT);
    eh_status status = ledger_pairs_page(l, -1, &pair, 1, &n, &arena, err);
    /* a purged ledger has no texts and no meta: then it is shown as a run */
    if (status == EH_STATUS_OK && n &&
        meta_of(l, pair.row, &arena, &meta, NULL) != EH_STATUS_OK)
        meta.role = EXAM_NONE;
    arena_deinit(&arena);
    *is_audit = meta.role != EXAM_NONE;
    return status;
}
