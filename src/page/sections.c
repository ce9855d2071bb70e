/* SPDX-License-Identifier: MIT
 *
 * The numbers of one judge that the summary does not have: verdicts by slot, conflicts
 * by score gap, BPDE by value, verdicts by length, categories.
 *
 * Cells come in the order of questions, so that sums are clustered as everywhere. Bins
 * of the score gap hold about as many pairs each and part at values that occur, since
 * scales differ (1 to 10, rewards, ratings); those of length part at fixed ratios,
 * mirrored around 1, so that exchanging the answers exchanges them.
 */
#include <math.h>
#include <stdlib.h>

#include "page/page.h"
#include "tally/counts.h"
#include "stats/length.h"

#define LEVEL .95

/* ---- position ---- */

static int slot_of(eh_verdict v, eh_order order) {
    eh_verdict shown = eh_verdict_unswap(v, order);
    return shown == EH_VERDICT_1 ? 0 : shown == EH_VERDICT_2 ? 2 : 1;
}

static void fill_position(const page_report *r, page_judge *j) {
    stats_cluster first;
    stats_cluster_init(&first);
    for (size_t i = 0; i < r->n_pairs; i++) {
        size_t at = r->by_question[i];
        const page_cell *c = &j->cells[at];
        for (int k = 0; k < c->n_first; k++)
            stats_cluster_add(&first, r->pairs[at].question, 1);
        for (int k = 0; k < c->n_second; k++)
            stats_cluster_add(&first, r->pairs[at].question, 0);
        if (c->by_order[0] == EH_VERDICT_NONE || c->by_order[1] == EH_VERDICT_NONE)
            continue;
        j->slots[slot_of(c->by_order[0], EH_ORDER_12) * 3 +
                 slot_of(c->by_order[1], EH_ORDER_21)]++;
    }
    j->first = tally_rate_of(&first);
}

/* ---- groups of pairs ---- */

typedef struct group_tally {
    stats_cluster win, conflict;
    int64_t n;
} group_tally;

static void group_init(group_tally *t) {
    *t = (group_tally){.n = 0};
    stats_cluster_init(&t->win);
    stats_cluster_init(&t->conflict);
}

static void group_add(group_tally *t, uint64_t question, const page_cell *c) {
    t->n++;
    if (c->verdict != EH_VERDICT_NONE)
        stats_cluster_add(&t->win, question, tally_outcome(c->verdict));
    if (c->by_order[0] != EH_VERDICT_NONE && c->by_order[1] != EH_VERDICT_NONE)
        stats_cluster_add(&t->conflict, question, c->by_order[0] != c->by_order[1]);
}

static void group_take(const group_tally *t, page_group *g) {
    g->n = t->n;
    g->win = tally_rate_of(&t->win);
    g->conflict = tally_rate_of(&t->conflict);
}

static int compare_doubles(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* ---- conflict by score gap ---- */

static bool has_gap(const page_cell *c) {
    return c->in_scope && !isnan(c->gap) && c->by_order[0] != EH_VERDICT_NONE &&
           c->by_order[1] != EH_VERDICT_NONE;
}

/* Parts sorted values where bins of about equal size end; equal values stay together.
 */
static size_t cut_bins(const double *sorted, size_t n, page_group *bins) {
    size_t n_bins = 0, begin = 0;
    for (int b = 1; b <= PAGE_GAP_BINS && begin < n; b++) {
        size_t end = n * (size_t)b / PAGE_GAP_BINS;
        if (end <= begin) continue;
        while (end < n && sorted[end] == sorted[end - 1])
            end++;
        bins[n_bins++] = (page_group){.low = sorted[begin], .high = sorted[end - 1]};
        begin = end;
    }
    return n_bins;
}

static eh_status fill_gap(const page_report *r, page_judge *j, eh_arena *arena,
                          eh_error *err) {
    group_tally tally[PAGE_GAP_BINS] = {{.n = 0}};
    double *gaps = arena_zalloc(arena, r->n_pairs + 1, sizeof *gaps);
    size_t n = 0;
    if (!gaps) return EH_NOMEM(err);
    for (size_t i = 0; i < r->n_pairs; i++)
        if (has_gap(&j->cells[i])) gaps[n++] = j->cells[i].gap;
    j->why_gap = j->summary.scale == PLAN_SCALE_VOTES       ? "no_scores"
                 : j->view->plan.orders != PLAN_ORDERS_BOTH ? "one_order"
                 : n == 0                                   ? "no_rows"
                                                            : NULL;
    if (j->why_gap) return EH_STATUS_OK;
    qsort(gaps, n, sizeof *gaps, compare_doubles);
    j->n_gap = cut_bins(gaps, n, j->gap);
    for (size_t b = 0; b < j->n_gap; b++)
        group_init(&tally[b]);
    for (size_t i = 0; i < r->n_pairs; i++) {
        size_t at = r->by_question[i], b = 0;
        const page_cell *c = &j->cells[at];
        if (!has_gap(c)) continue;
        while (b + 1 < j->n_gap && c->gap > j->gap[b].high)
            b++;
        group_add(&tally[b], r->pairs[at].question, c);
    }
    for (size_t b = 0; b < j->n_gap; b++)
        group_take(&tally[b], &j->gap[b]);
    return EH_STATUS_OK;
}

/* ---- BPDE ---- */

/* Values that are equal but for rounding are one bar. */
#define SAME_BPDE 1e-9

static bool has_bpde(const page_cell *c) {
    return c->in_scope && !isnan(c->bpde);
}

/* Into the last bar that begins at or below the value. */
static void add_to_bar(page_judge *j, const page_cell *c) {
    size_t b = j->n_bpde - 1;
    while (b > 0 && c->bpde < j->bpde[b].low - SAME_BPDE)
        b--;
    j->bpde[b].n++;
    j->bpde[b].n_none += c->verdict == EH_VERDICT_NONE;
}

static eh_status fill_bpde(const page_report *r, page_judge *j, eh_arena *arena,
                           eh_error *err) {
    double *values = arena_zalloc(arena, r->n_pairs + 1, sizeof *values);
    size_t n = 0, n_bars = 0;
    if (!values) return EH_NOMEM(err);
    for (size_t i = 0; i < r->n_pairs; i++)
        if (has_bpde(&j->cells[i])) values[n++] = j->cells[i].bpde;
    qsort(values, n, sizeof *values, compare_doubles);
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && values[i] - values[i - 1] <= SAME_BPDE) continue;
        if (n_bars < PAGE_BPDE_BARS_MAX)
            j->bpde[n_bars] = (page_bpde_bar){.low = values[i], .high = values[i]};
        n_bars++;
    }
    double width = log(3) / PAGE_BPDE_BARS_MAX;
    for (size_t b = 0; n_bars > PAGE_BPDE_BARS_MAX && b < PAGE_BPDE_BARS_MAX; b++)
        j->bpde[b] =
            (page_bpde_bar){.low = (double)b * width, .high = (double)(b + 1) * width};
    j->n_bpde = n_bars < PAGE_BPDE_BARS_MAX ? n_bars : PAGE_BPDE_BARS_MAX;
    for (size_t i = 0; i < r->n_pairs; i++)
        if (has_bpde(&j->cells[i])) add_to_bar(j, &j->cells[i]);
    return EH_STATUS_OK;
}

/* ---- length ---- */

/* Ratios of the lengths at which bins end: answer 1 over answer 2. */
static const double length_ends[PAGE_LENGTH_BINS - 1] = {.25, .5, .8, 1.25, 2, 4};

static size_t length_bin(const page_pair *p) {
    double ratio = (double)(p->cp_1 + 1) / (double)(p->cp_2 + 1);
    size_t b = 0;
    /* below 1 an end belongs to the bin behind it, above 1 to the one before */
    while (b < PAGE_LENGTH_BINS - 1 &&
           (length_ends[b] < 1 ? ratio >= length_ends[b] : ratio > length_ends[b]))
        b++;
    return b;
}

static eh_status control_length(const page_report *r, page_judge *j, eh_arena *arena,
                                eh_error *err) {
    stats_length_row *rows = arena_zalloc(arena, r->n_pairs + 1, sizeof *rows);
    int64_t n = 0;
    if (!rows) return EH_NOMEM(err);
    for (size_t i = 0; i < r->n_pairs; i++) {
        size_t at = r->by_question[i];
        const page_pair *p = &r->pairs[at];
        const page_cell *c = &j->cells[at];
        if (c->verdict == EH_VERDICT_NONE) continue;
        rows[n++] = (stats_length_row){.value = tally_outcome(c->verdict),
                                       .excess = (double)(p->cp_1 - p->cp_2),
                                       .cluster = p->question};
    }
    stats_length fit = stats_length_control(rows, n, LEVEL);
    j->length_controlled = fit.win_rate;
    j->longer_one_sided = fit.n ? fit.one_sided : (double)NAN;
    return EH_STATUS_OK;
}

static eh_status fill_length(const page_report *r, page_judge *j, eh_arena *arena,
                             eh_error *err) {
    group_tally tally[PAGE_LENGTH_BINS] = {{.n = 0}};
    bool any_text = false;
    j->length_controlled = (stats_interval){NAN, NAN, NAN, STATS_REASON_NO_ROWS};
    j->longer_one_sided = NAN;
    for (size_t i = 0; i < r->n_pairs; i++)
        any_text = any_text ||
                   (j->cells[i].in_scope && r->pairs[i].cp_1 + r->pairs[i].cp_2 > 0);
    j->why_length = any_text ? NULL : "no_texts";
    if (!any_text) return EH_STATUS_OK;
    for (size_t b = 0; b < PAGE_LENGTH_BINS; b++)
        group_init(&tally[b]);
    for (size_t i = 0; i < r->n_pairs; i++) {
        size_t at = r->by_question[i];
        if (j->cells[at].in_scope)
            group_add(&tally[length_bin(&r->pairs[at])], r->pairs[at].question,
                      &j->cells[at]);
    }
    for (size_t b = 0; b < PAGE_LENGTH_BINS; b++) {
        j->length[b].low = b ? length_ends[b - 1] : 0;
        j->length[b].high = b + 1 < PAGE_LENGTH_BINS ? length_ends[b] : INFINITY;
        group_take(&tally[b], &j->length[b]);
    }
    return control_length(r, j, arena, err);
}

/* ---- categories ---- */

static int compare_groups(const void *a, const void *b) {
    const page_group *x = a, *y = b;
    if (x->n != y->n) return x->n > y->n ? -1 : 1;
    return eh_str_cmp(x->name, y->name);
}

/* A pair under its category; `at` is its place in the order of questions. */
typedef struct category_ref {
    eh_str name;
    size_t at;
} category_ref;

static int compare_refs(const void *a, const void *b) {
    const category_ref *x = a, *y = b;
    int by_name = eh_str_cmp(x->name, y->name);
    return by_name ? by_name : (x->at > y->at) - (x->at < y->at);
}

static eh_status fill_categories(const page_report *r, page_judge *j, eh_arena *arena,
                                 eh_error *err) {
    category_ref *refs = arena_zalloc(arena, r->n_pairs + 1, sizeof *refs);
    size_t n = 0, cap = 0;
    if (!refs) return EH_NOMEM(err);
    for (size_t i = 0; i < r->n_pairs; i++) {
        size_t at = r->by_question[i];
        if (j->cells[at].in_scope && r->pairs[at].category.len)
            refs[n++] = (category_ref){r->pairs[at].category, i};
    }
    qsort(refs, n, sizeof *refs, compare_refs);
    for (size_t i = 0; i < n;) {
        group_tally tally;
        eh_str name = refs[i].name;
        group_init(&tally);
        for (; i < n && eh_str_eq(refs[i].name, name); i++) {
            size_t at = r->by_question[refs[i].at];
            group_add(&tally, r->pairs[at].question, &j->cells[at]);
        }
        j->categories = arena_grow(arena, j->categories, j->n_categories, &cap,
                                   sizeof *j->categories);
        if (!j->categories) return EH_NOMEM(err);
        j->categories[j->n_categories] = (page_group){.name = name};
        group_take(&tally, &j->categories[j->n_categories++]);
    }
    if (j->n_categories)
        qsort(j->categories, j->n_categories, sizeof *j->categories, compare_groups);
    return EH_STATUS_OK;
}

eh_status page_sections(const page_report *r, page_judge *j, eh_arena *arena,
                        eh_error *err) {
    fill_position(r, j);
    EH_TRY(fill_gap(r, j, arena, err));
    EH_TRY(fill_bpde(r, j, arena, err));
    EH_TRY(fill_length(r, j, arena, err));
    return fill_categories(r, j, arena, err);
}
