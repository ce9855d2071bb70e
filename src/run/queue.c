/* SPDX-License-Identifier: MIT
 *
 * Making the labelling queue.
 *
 *   pairs -> rulings of one judge -> ranks, uncertainty, chances -> items in the ledger
 *
 * The frame, every pair that could be selected, is kept whole with its rank and its
 * uncertainty. So a queue that is enlarged later does not depend on what has become of
 * the rulings meanwhile, and chances stay what they were said to be.
 *
 * Left out: several queues in one ledger (copy the ledger), pairs that came into the
 * data after the queue was made.
 */
#include "run/queue.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "run/leak.h"
#include "tally/summarize.h"

enum { PAGE_PAIRS = 256 };

typedef struct maker {
    ledger *l;
    const run_queue_options *o;
    run_queue_counts *counts;
    ledger_queue queue;
    plan_selection how;
    plan_candidate *c; /* [n] */
    int64_t *rows;     /* [n] by place in the frame */
    bool *was_in;      /* [n] by place in the frame: selected before */
    int64_t n, cap;
    run_leak leak;
    eh_arena arena; /* names, the queue's strings */
} maker;

eh_status run_budget(eh_str budget, int64_t n, int64_t *n_pairs, eh_error *err) {
    int64_t count;
    if (eh_str_to_i64(budget, &count) && count >= 1) {
        *n_pairs = count < n ? count : n;
        return EH_STATUS_OK;
    }
    if (plan_budget_pairs(budget, n, n_pairs)) return EH_STATUS_OK;
    return EH_FAIL(err, EH_STATUS_USAGE,
                   "--budget: '%.*s' is neither a share, such as 20%%, nor a number "
                   "of pairs",
                   EH_STR_ARG(budget));
}

/* ---- the frame ---- */

static eh_status grow(maker *m, eh_error *err) {
    if (m->n < m->cap) return EH_STATUS_OK;
    int64_t cap = m->cap ? 2 * m->cap : 1024;
    plan_candidate *c = mem_realloc(m->c, (size_t)cap, sizeof *c);
    if (c) m->c = c;
    int64_t *rows = c ? mem_realloc(m->rows, (size_t)cap, sizeof *rows) : NULL;
    if (rows) m->rows = rows;
    bool *was_in = rows ? mem_realloc(m->was_in, (size_t)cap, sizeof *was_in) : NULL;
    if (!was_in) return EH_NOMEM(err);
    m->was_in = was_in;
    m->cap = cap;
    return EH_STATUS_OK;
}

static eh_status place_of(const maker *m, int64_t row, eh_str pair_id,
                          run_queue_place *place, eh_error *err) {
    *place = (run_queue_place){.set = plan_pair_content(pair_id)};
    return m->o->place_of ? m->o->place_of(m->l, row, pair_id, place, err)
                          : EH_STATUS_OK;
}

static eh_status add_pair(maker *m, const ledger_pair *pair, const plan_ruling *ruling,
                          eh_error *err) {
    run_queue_place place;
    EH_TRY(place_of(m, pair->row, pair->pair_id, &place, err));
    if (place.leave_out && m->how != PLAN_SELECTION_FILE) return EH_STATUS_OK;
    EH_TRY(grow(m, err));
    plan_queue_entry entry =
        ruling ? plan_queue_entry_of(m->n, ruling)
               : (plan_queue_entry){m->n, false, (double)NAN, (double)NAN};
    m->c[m->n] = (plan_candidate){.entry = entry, .content = place.set};
    m->rows[m->n] = pair->row;
    m->was_in[m->n++] = false;
    return EH_STATUS_OK;
}

static eh_status add_pairs(maker *m, const tally_view *view, const ledger_pair *pairs,
                           size_t n, eh_error *err) {
    for (size_t i = 0; i < n; i++) {
        if (!run_leak_add(&m->leak, pairs[i].model_1, &m->arena) ||
            !run_leak_add(&m->leak, pairs[i].model_2, &m->arena))
            return EH_NOMEM(err);
        tally_ruled ruled;
        if (view) EH_TRY(tally_rule_pair(m->l, view, pairs[i].row, &ruled, err));
        if (view && !ruled.in_scope) continue;
        EH_TRY(add_pair(m, &pairs[i], view ? &ruled.ruling : NULL, err));
    }
    return EH_STATUS_OK;
}

/* All pairs of the scope, in data order, with the view's rulings. */
static eh_status read_frame(maker *m, const tally_view *view, eh_error *err) {
    eh_arena page;
    ledger_pair pairs[PAGE_PAIRS];
    size_t n = 0;
    int64_t after = -1;
    arena_init(&page, 256 << 20);
    eh_status status;
    do {
        arena_reset(&page);
        status = ledger_pairs_page(m->l, after, pairs, PAGE_PAIRS, &n, &page, err);
        if (status == EH_STATUS_OK) status = add_pairs(m, view, pairs, n, err);
        if (n) after = pairs[n - 1].seq;
    } while (status == EH_STATUS_OK && n == PAGE_PAIRS);
    arena_deinit(&page);
    return status;
}

/* Whose rulings rank: the judge that was named, or the only one. */
static eh_status choose_view(maker *m, tally_view **view, eh_error *err) {
    tally_view *views;
    eh_str *names;
    size_t n;
    *view = NULL;
    EH_TRY(tally_views(m->l, EH_STR(""), &m->arena, &views, &n, err));
    EH_TRY(tally_view_names(views, n, &m->arena, &names, err));
    size_t at = n == 1 && !m->o->judge.len ? 0 : n;
    for (size_t i = 0; i < n && m->o->judge.len; i++)
        if (eh_str_eq(names[i], m->o->judge)) at = i;
    if (at == n && m->o->judge.len)
        return EH_FAIL(err, EH_STATUS_USAGE,
                       "--rank-by: no judge is called '%.*s'; evenhand show names "
                       "those there are",
                       EH_STR_ARG(m->o->judge));
    bool is_needed =
        m->how == PLAN_SELECTION_ENTROPY || m->how == PLAN_SELECTION_ACTIVE;
    if (at == n && is_needed)
        return n ? EH_FAIL(err, EH_STATUS_USAGE,
                           "%zu judges could rank the pairs; name one by "
                           "--rank-by, such as '%.*s'",
                           n, EH_STR_ARG(names[0]))
                 : EH_FAIL(err, EH_STATUS_USAGE,
                           "nobody has judged these pairs; use --selection random");
    if (at == n) return EH_STATUS_OK;
    *view = &views[at];
    m->queue.judge = names[at];
    m->queue.method = eh_str_of(plan_method_name(views[at].plan.method));
    return EH_STATUS_OK;
}

/* ---- a list of ids ---- */

static int by_rank(const void *left, const void *right) {
    const plan_candidate *a = left, *b = right;
    return (a->rank > b->rank) - (a->rank < b->rank);
}

/* Places in the frame by ledger row. */
typedef struct places {
    int64_t *at; /* [n] -1: not in the frame */
    int64_t n;
} places;

static eh_status places_of(const maker *m, places *p, eh_error *err) {
    *p = (places){NULL, 0};
    for (int64_t i = 0; i < m->n; i++)
        if (m->rows[i] >= p->n) p->n = m->rows[i] + 1;
    p->at = mem_alloc((size_t)p->n + 1, sizeof *p->at);
    if (!p->at) return EH_NOMEM(err);
    for (int64_t row = 0; row < p->n; row++)
        p->at[row] = -1;
    for (int64_t i = 0; i < m->n; i++)
        p->at[m->rows[i]] = i;
    return EH_STATUS_OK;
}

static eh_status take_id(maker *m, const places *p, eh_str id, int64_t *n_taken,
                         eh_error *err) {
    int64_t row;
    EH_TRY(ledger_find_pair(m->l, id, &row, err));
    int64_t at = row > 0 && row < p->n ? p->at[row] : -1;
    if (at < 0)
        return EH_FAIL(err, EH_STATUS_DATA, "no pair has the id '%.*s'",
                       (int)(id.len > 80 ? 80 : id.len), id.ptr);
    if (m->c[at].rank == INT64_MAX) m->c[at].rank = (*n_taken)++;
    return EH_STATUS_OK;
}

static eh_status take_lines(maker *m, const places *p, FILE *in, int64_t *n_taken,
                            eh_error *err) {
    enum { LINE_MAX_BYTES = 4096 };
    char line[LINE_MAX_BYTES];
    for (int64_t n = 1; fgets(line, sizeof line, in); n++) {
        eh_str id = eh_str_trim(eh_str_of(line));
        eh_status status = EH_STATUS_OK;
        if (strlen(line) == sizeof line - 1)
            status = EH_FAIL(err, EH_STATUS_DATA, "the line is too long for an id");
        else if (id.len)
            status = take_id(m, p, id, n_taken, err);
        if (status == EH_STATUS_OK) continue;
        eh_error_prefix(err, "%s: line %lld", m->o->ids_path, (long long)n);
        return status;
    }
    if (*n_taken == 0)
        return EH_FAIL(err, EH_STATUS_DATA, "%s: no ids are in it", m->o->ids_path);
    return EH_STATUS_OK;
}

/* Makes the listed pairs the frame, in the list's order. */
static eh_status take_ids(maker *m, eh_error *err) {
    places p;
    int64_t n_taken = 0;
    FILE *in = fopen(m->o->ids_path, "rb");
    if (!in)
        return EH_FAIL(err, EH_STATUS_IO, "%s: %s", m->o->ids_path, strerror(errno));
    for (int64_t i = 0; i < m->n; i++)
        m->c[i].rank = INT64_MAX;
    eh_status status = places_of(m, &p, err);
    if (status == EH_STATUS_OK) status = take_lines(m, &p, in, &n_taken, err);
    mem_free(p.at);
    (void)fclose(in);
    qsort(m->c, (size_t)m->n, sizeof *m->c, by_rank);
    m->n = n_taken;
    return status;
}

/* ---- selecting ---- */

/* A budget that ends within a set takes the rest of it as well. Pairs are in the order
 * of their ranks, where those of a set are neighbours. */
static void complete_set(maker *m) {
    if (m->how != PLAN_SELECTION_RANDOM || !m->o->place_of) return;
    for (int64_t i = 1; i < m->n; i++)
        if (m->c[i - 1].selected && m->c[i].content == m->c[i - 1].content)
            m->c[i].selected = true;
}

static eh_status select_pairs(maker *m, eh_error *err) {
    double *uncertainty = mem_alloc((size_t)m->n + 1, sizeof *uncertainty);
    double *p_select = mem_alloc((size_t)m->n + 1, sizeof *p_select);
    eh_status status = EH_STATUS_OK;
    if (!uncertainty || !p_select) {
        (void)EH_NOMEM(err);
        status = EH_STATUS_NOMEM;
    } else {
        plan_select(m->how, (uint64_t)m->queue.seed, m->queue.n_budget, m->c, m->n,
                    uncertainty, p_select);
        complete_set(m);
    }
    mem_free(uncertainty);
    mem_free(p_select);
    return status;
}

/* Do the texts of a pair say who wrote them? */
static eh_status look_for_leak(maker *m, int64_t pair_row, bool *leaks, eh_error *err) {
    eh_arena arena;
    ledger_texts t;
    eh_error why;
    *leaks = false;
    arena_init(&arena, BUF_MAX_LINE);
    if (ledger_pair_texts(m->l, pair_row, &t, &arena, &why) != EH_STATUS_OK) {
        arena_deinit(&arena);
        if (why.status == EH_STATUS_NOMEM) return EH_NOMEM(err);
        m->counts->n_without_texts++;
        return EH_STATUS_OK;
    }
    *leaks = run_leak_in_pair(&m->leak, &t);
    arena_deinit(&arena);
    return EH_STATUS_OK;
}

static eh_status store_item(maker *m, const plan_candidate *c, eh_error *err) {
    int64_t index = c->entry.index;
    ledger_item item = {.pair_row = m->rows[index],
                        .rank = c->rank,
                        .uncertainty = c->uncertainty,
                        .p_select = c->p_select,
                        .selected = c->selected || m->was_in[index]};
    m->counts->n_selected += item.selected;
    if (item.selected && !m->was_in[index]) {
        m->counts->n_added++;
        EH_TRY(look_for_leak(m, item.pair_row, &item.identity_leak, err));
        m->counts->n_leaks += item.identity_leak;
    }
    return m->counts->is_new ? ledger_item_put(m->l, &item, err)
                             : ledger_item_select(m->l, &item, err);
}

static eh_status store(maker *m, eh_error *err) {
    EH_TRY(ledger_queue_put(m->l, &m->queue, err));
    for (int64_t i = 0; i < m->n; i++)
        EH_TRY(store_item(m, &m->c[i], err));
    return EH_STATUS_OK;
}

/* ---- new, or again ---- */

/* `again`: a queue that nobody has used yet, whose cookies go on working; or NULL. */
static eh_status make_new(maker *m, const ledger_queue *again, eh_error *err) {
    const run_queue_options *o = m->o;
    tally_view *view;
    m->counts->is_new = true;
    m->how = o->selection == PLAN_SELECTION_N ? o->usual : o->selection;
    m->queue =
        (ledger_queue){.selection = eh_str_of(plan_selection_name(m->how)),
                       .budget = o->budget.len ? o->budget : EH_STR("100%"),
                       .seed = o->seed < 0 ? 1 : o->seed,
                       .labels_per_pair = o->labels_per_pair ? o->labels_per_pair : 1,
                       .apart = o->apart,
                       .contact = o->contact,
                       .created_ms = clock_now_ms(&o->clock)};
    if (again)
        memcpy(m->queue.nonce, again->nonce, sizeof m->queue.nonce);
    else
        randombytes_buf(m->queue.nonce, sizeof m->queue.nonce);
    EH_TRY(choose_view(m, &view, err));
    EH_TRY(read_frame(m, view, err));
    if (m->n == 0) return EH_FAIL(err, EH_STATUS_DATA, "there are no pairs to label");
    if (m->how == PLAN_SELECTION_FILE) EH_TRY(take_ids(m, err));
    plan_rank(m->how, (uint64_t)m->queue.seed, m->c, m->n);
    m->queue.n_frame = m->n;
    EH_TRY(run_budget(m->queue.budget, m->n, &m->queue.n_budget, err));
    EH_TRY(select_pairs(m, err));
    return store(m, err);
}

static eh_status take_item(void *self, const ledger_item *item, eh_error *err) {
    maker *m = self;
    run_queue_place place;
    EH_TRY(place_of(m, item->pair_row, item->pair_id, &place, err));
    EH_TRY(grow(m, err));
    m->c[m->n] = (plan_candidate){.entry = {.index = m->n},
                                  .content = place.set,
                                  .rank = item->rank,
                                  .uncertainty = item->uncertainty,
                                  .p_select = item->p_select,
                                  .selected = item->selected};
    m->rows[m->n] = item->pair_row;
    m->was_in[m->n] = item->selected;
    m->counts->n_leaks += item->selected && item->identity_leak;
    m->counts->n_selected += item->selected;
    m->n++;
    return EH_STATUS_OK;
}

static eh_status refuse(const char *what, eh_str is, eh_error *err) {
    return EH_FAIL(
        err, EH_STATUS_USAGE,
        "the ledger has a labelling queue with %s %.*s; leave the option out "
        "to go on with it, or use a copy of the ledger",
        what, EH_STR_ARG(is));
}

/* What may not change once people have begun. */
static eh_status check_same(maker *m, eh_error *err) {
    const run_queue_options *o = m->o;
    const ledger_queue *q = &m->queue;
    char seed[24];
    (void)snprintf(seed, sizeof seed, "%lld", (long long)q->seed);
    if (o->selection != PLAN_SELECTION_N && o->selection != m->how)
        return refuse("selection", q->selection, err);
    if (o->judge.len && !eh_str_eq(o->judge, q->judge))
        return refuse("pairs ranked by", q->judge.len ? q->judge : EH_STR("nobody"),
                      err);
    if (o->seed >= 0 && o->seed != q->seed) return refuse("seed", eh_str_of(seed), err);
    return EH_STATUS_OK;
}

/* Chances and the line move with the budget; who was in stays in. */
static eh_status enlarge(maker *m, eh_error *err) {
    int64_t n_budget;
    EH_TRY(run_budget(m->o->budget, m->queue.n_frame, &n_budget, err));
    if (n_budget < m->queue.n_budget)
        return EH_FAIL(err, EH_STATUS_USAGE,
                       "the queue was made for %lld pairs; a budget can only grow",
                       (long long)m->queue.n_budget);
    if (n_budget == m->queue.n_budget) return EH_STATUS_OK;
    if (m->n != m->queue.n_frame)
        return EH_FAIL(err, EH_STATUS_USAGE,
                       "%lld pairs of the queue are no longer in the data; it cannot "
                       "be enlarged",
                       (long long)(m->queue.n_frame - m->n));
    m->queue.n_budget = n_budget;
    m->queue.budget = m->o->budget;
    m->counts->n_selected = 0;
    EH_TRY(select_pairs(m, err));
    return store(m, err);
}

/* The models' names, for the leaks of the pairs that come in. */
static eh_status learn_names(maker *m, eh_error *err) {
    ledger_cursor *cursor;
    ledger_pair pair;
    EH_TRY(ledger_cursor_open(m->l, LEDGER_BY_DATA, &cursor, err));
    eh_status status = EH_STATUS_OK;
    for (bool got = true; status == EH_STATUS_OK;) {
        status = ledger_cursor_next(cursor, &pair, &got, err);
        if (status != EH_STATUS_OK || !got) break;
        if (!run_leak_add(&m->leak, pair.model_1, &m->arena) ||
            !run_leak_add(&m->leak, pair.model_2, &m->arena)) {
            (void)EH_NOMEM(err);
            status = EH_STATUS_NOMEM;
        }
    }
    ledger_cursor_close(cursor);
    return status;
}

static eh_status open_again(maker *m, eh_error *err) {
    const run_queue_options *o = m->o;
    m->how = plan_selection_find(m->queue.selection);
    if (m->how == PLAN_SELECTION_N)
        return EH_FAIL(err, EH_STATUS_LEDGER,
                       "the labelling queue has a selection that this version does "
                       "not know: %.*s",
                       EH_STR_ARG(m->queue.selection));
    EH_TRY(check_same(m, err));
    if (o->labels_per_pair) m->queue.labels_per_pair = o->labels_per_pair;
    if (o->contact.len) m->queue.contact = o->contact;
    m->queue.apart = m->queue.apart || o->apart;
    EH_TRY(ledger_items_each(m->l, take_item, m, err));
    EH_TRY(ledger_queue_put(m->l, &m->queue, err));
    if (!o->budget.len) return EH_STATUS_OK;
    EH_TRY(learn_names(m, err));
    return enlarge(m, err);
}

/* A queue of which nothing was handed out may be made anew by other wishes. */
static eh_status open_or_remake(maker *m, eh_error *err) {
    const run_queue_options *o = m->o;
    bool used;
    EH_TRY(ledger_queue_is_used(m->l, &used, err));
    bool has_wish = o->selection != PLAN_SELECTION_N || o->budget.len || o->judge.len ||
                    o->seed >= 0;
    if (used || !has_wish) return open_again(m, err);
    ledger_queue before = m->queue;
    EH_TRY(ledger_items_clear(m->l, err));
    return make_new(m, &before, err);
}

/* ---- how many people it takes to keep pairs of a question apart ---- */

typedef struct questions {
    uint64_t *of; /* [n] */
    int64_t n;
} questions;

static int by_hash(const void *left, const void *right) {
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

static eh_status take_question(void *self, const ledger_item *item, eh_error *err) {
    questions *q = self;
    (void)err;
    if (item->selected) q->of[q->n++] = item->question_hash;
    return EH_STATUS_OK;
}

static eh_status count_of_question(maker *m, eh_error *err) {
    questions q = {mem_alloc((size_t)m->n + 1, sizeof *q.of), 0};
    if (!q.of) return EH_NOMEM(err);
    eh_status status = ledger_items_each(m->l, take_question, &q, err);
    qsort(q.of, (size_t)q.n, sizeof *q.of, by_hash);
    for (int64_t i = 0, run = 0; status == EH_STATUS_OK && i < q.n; i++) {
        run = i && q.of[i] == q.of[i - 1] ? run + 1 : 1;
        if (run > m->counts->n_of_question) m->counts->n_of_question = run;
    }
    mem_free(q.of);
    return status;
}

eh_status run_queue_make(ledger *l, const run_queue_options *options,
                         run_queue_counts *counts, eh_error *err) {
    maker m = {.l = l, .o = options, .counts = counts};
    bool found;
    *counts = (run_queue_counts){0};
    arena_init(&m.arena, 256 << 20);
    eh_status status = ledger_queue_get(l, &m.arena, &m.queue, &found, err);
    if (status == EH_STATUS_OK)
        status = found ? open_or_remake(&m, err) : make_new(&m, NULL, err);
    if (status == EH_STATUS_OK) status = count_of_question(&m, err);
    if (status == EH_STATUS_OK) status = ledger_commit(l, err);
    if (status != EH_STATUS_OK) ledger_rollback(l);
    counts->n_frame = m.queue.n_frame;
    mem_free(m.c);
    mem_free(m.rows);
    mem_free(m.was_in);
    arena_deinit(&m.arena);
    return status;
}
