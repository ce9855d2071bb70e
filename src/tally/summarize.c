/* SPDX-License-Identifier: MIT
 *
 * All numbers of a ledger's runs in one pass a run, and of several ledgers one after
 * the other.
 *
 * The counting is in tally.c. The cursor runs by question because the intervals are
 * clustered by question.
 */
#include "tally/summarize.h"

#include "tally/summarize_portia.h"
#include "tally/counts.h"

static eh_status tally_pairs(tally_counts *t, ledger *l, const tally_scope *scope,
                             ledger_cursor *c, eh_error *err) {
    for (;;) {
        ledger_pair pair;
        tally_ruled ruled;
        tally_label label;
        bool got;
        EH_TRY(ledger_cursor_next(c, &pair, &got, err));
        if (!got) return EH_STATUS_OK;
        if (scope && !scope->holds(scope->self, &pair)) continue;
        EH_TRY(tally_rule_pair(l, t->view, pair.row, &ruled, err));
        if (!ruled.in_scope) continue;
        EH_TRY(tally_label_of(l, pair.row, &label, err));
        EH_TRY(tally_counts_add(t, &pair, &ruled, &label, err));
    }
}

/* The pass over the pairs, and what follows from it. */
static eh_status tally_all(tally_counts *t, ledger *l, const tally_scope *scope,
                           eh_error *err) {
    ledger_cursor *c;
    EH_TRY(ledger_cursor_open(l, LEDGER_BY_QUESTION, &c, err));
    eh_status status = tally_pairs(t, l, scope, c, err);
    ledger_cursor_close(c);
    return status == EH_STATUS_OK ? tally_counts_end(t, err) : status;
}

/* Do two calls name different models or versions? A name that is not there says
 * nothing. */
static bool models_clash(const report_model *a, const report_model *b) {
    bool both_model = !eh_str_is_absent(a->model) && !eh_str_is_absent(b->model);
    bool both_print =
        !eh_str_is_absent(a->fingerprint) && !eh_str_is_absent(b->fingerprint);
    return (both_model && !eh_str_eq(a->model, b->model)) ||
           (both_print && !eh_str_eq(a->fingerprint, b->fingerprint));
}

static eh_status take_models(ledger *l, const tally_view *view, eh_arena *arena,
                             report_judge *out, eh_error *err) {
    ledger_model *models;
    size_t n;
    ledger_ask of = {.judge_row = view->run.judge_row};
    EH_TRY(ledger_models(l, &of, &view->plan, arena, &models, &n, err));
    out->models = arena_zalloc(arena, n + 1, sizeof *out->models);
    if (!out->models) return EH_NOMEM(err);
    for (size_t i = 0; i < n; i++) {
        out->models[i] = (report_model){.model = models[i].model,
                                        .fingerprint = models[i].fingerprint,
                                        .n_calls = models[i].n_calls};
        for (size_t j = 0; j < i && !out->mixed_models; j++)
            out->mixed_models = models_clash(&out->models[i], &out->models[j]);
    }
    out->n_models = n;
    return EH_STATUS_OK;
}

eh_status tally_take_usage(ledger *l, const tally_view *view, eh_arena *arena,
                           report_judge *out, eh_error *err) {
    ledger_usage usage;
    EH_TRY(ledger_usage_sum(l, view->run.judge_row, &view->plan, &usage, err));
    out->n_calls = usage.n_calls;
    out->prompt_tokens = usage.prompt_tokens;
    out->cached_tokens = usage.cached_tokens;
    out->completion_tokens = usage.completion_tokens;
    out->reasoning_tokens = usage.reasoning_tokens;
    return take_models(l, view, arena, out, err);
}

static eh_status summarize(ledger *l, const tally_view *view, const tally_scope *scope,
                           int n_resamples, eh_arena *arena, report_judge *out,
                           eh_error *err) {
    tally_counts t;
    tally_counts_begin(&t, view, arena, out);
    t.n_resamples = n_resamples;
    t.transitivity = tally_transitivity_new();
    if (!t.transitivity) return EH_NOMEM(err);
    eh_status status = tally_all(&t, l, scope, err);
    tally_transitivity_free(t.transitivity);
    EH_TRY(status);
    if (plan_n_stages(&view->plan) > 1)
        EH_TRY(tally_portia_finish(&out->portia, view, l, err));
    return tally_take_usage(l, view, arena, out, err);
}

eh_status tally_summarize_scope(ledger *l, const tally_view *view,
                                const tally_scope *scope, eh_arena *arena,
                                report_judge *out, eh_error *err) {
    return summarize(l, view, scope, 0, arena, out, err);
}

/* Is the pair in one of the ledgers before this one? */
static eh_status seen_before(const tally_books *books, size_t book,
                             const ledger_pair *pair, bool *seen, eh_error *err) {
    *seen = false;
    for (size_t b = 0; b < book && !*seen; b++) {
        int64_t row;
        EH_TRY(ledger_same_pair(books->ledgers[b], pair, &row, err));
        *seen = row != 0;
    }
    return EH_STATUS_OK;
}

static eh_status count_unseen(const tally_books *books, size_t book, ledger_cursor *c,
                              int64_t *n, eh_error *err) {
    for (;;) {
        ledger_pair pair;
        bool got, seen;
        EH_TRY(ledger_cursor_next(c, &pair, &got, err));
        if (!got) return EH_STATUS_OK;
        EH_TRY(seen_before(books, book, &pair, &seen, err));
        *n += !seen;
    }
}

static eh_status count_pairs(const tally_books *books, int64_t *n, eh_error *err) {
    *n = 0;
    if (books->n_ledgers == 0) return EH_STATUS_OK;
    EH_TRY(ledger_count_pairs(books->ledgers[0], n, err));
    for (size_t b = 1; b < books->n_ledgers; b++) {
        ledger_cursor *c;
        EH_TRY(ledger_cursor_open(books->ledgers[b], LEDGER_BY_DATA, &c, err));
        eh_status status = count_unseen(books, b, c, n, err);
        ledger_cursor_close(c);
        EH_TRY(status);
    }
    return EH_STATUS_OK;
}

eh_status tally_summarize_books(const tally_books *books, eh_arena *arena,
                                report_summary *summary, eh_error *err) {
    *summary = (report_summary){0};
    EH_TRY(count_pairs(books, &summary->n_pairs, err));
    summary->judges = arena_zalloc(arena, books->n_views + 1, sizeof *summary->judges);
    if (!summary->judges) return EH_NOMEM(err);
    for (size_t i = 0; i < books->n_views; i++) {
        const tally_view *view = &books->views[i];
        EH_TRY(summarize(books->ledgers[view->book], view, NULL, books->n_resamples,
                         arena, &summary->judges[i], err));
        summary->judges[i].name = books->names[i];
    }
    summary->n_judges = books->n_views;
    return EH_STATUS_OK;
}

eh_status tally_summarize(ledger *l, eh_str method, eh_arena *arena,
                          report_summary *summary, eh_error *err) {
    tally_books books;
    EH_TRY(tally_books_look(&l, 1, method, arena, &books, err));
    return tally_summarize_books(&books, arena, summary, err);
}
