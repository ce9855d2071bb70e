/* SPDX-License-Identifier: MIT
 *
 * Estimates of the people's win rate.
 *
 *   frame: pair -> f (ruling as 1, .5, 0), y (majority of labels), p (chance), doubt
 *       -> six estimates, each with an interval only where its labels allow one
 *
 * Which estimate is valid depends on how pairs came to be labelled:
 *
 *   all labelled          people alone
 *   random, also stopped  people alone, random, stratified
 *   active, also stopped  active (chances scaled by labelled / selected), stratified
 *   entropy, a list       none: hitlc has a value and no interval
 *
 * Stopping early is no harm, since people see pairs in random orders: what is labelled
 * is a random part of what was selected. Skipping is: a pair that somebody left and
 * nobody took over is missing because of what it is, and the result is marked.
 *
 * A pair without ruling has f = .5: f only steers the correction, any value is valid.
 */
#include "tally/estimate.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "ledger/queue.h"
#include "plan/select.h"
#include "stats/cluster.h"

#define LEVEL .95

/* One pair of the frame. */
typedef struct row {
    int64_t pair_row;
    uint64_t question;
    plan_queue_entry entry;
    double f, y, p, uncertainty;
    bool ruled, selected, leak, missing;
    eh_verdict ruling, label;
} row;

typedef struct frame {
    ledger *l;
    const tally_view *view;
    row *rows; /* [n] */
    int64_t n, cap;
    plan_selection how; /* _N: no queue */
    report_estimates *e;
} frame;

/* ---- reading ---- */

static eh_status frame_grow(frame *f, eh_error *err) {
    if (f->n < f->cap) return EH_STATUS_OK;
    int64_t cap = f->cap ? 2 * f->cap : 1024;
    row *more = mem_realloc(f->rows, (size_t)cap, sizeof *more);
    if (!more) {
        (void)EH_NOMEM(err);
        return EH_STATUS_NOMEM;
    }
    f->rows = more;
    f->cap = cap;
    return EH_STATUS_OK;
}

static eh_status take_item(void *self, const ledger_item *item, eh_error *err) {
    frame *f = self;
    EH_TRY(frame_grow(f, err));
    f->rows[f->n++] = (row){.pair_row = item->pair_row,
                            .question = item->question_hash,
                            .p = item->p_select,
                            .uncertainty = item->uncertainty,
                            .selected = item->selected,
                            .leak = item->identity_leak,
                            .missing = item->selected && item->n_assigned > 0 &&
                                       item->n_counting == 0};
    return EH_STATUS_OK;
}

/* Without a queue: all pairs that the view saw. */
static eh_status take_all(frame *f, eh_error *err) {
    ledger_cursor *c;
    EH_TRY(ledger_cursor_open(f->l, LEDGER_BY_DATA, &c, err));
    eh_status status = EH_STATUS_OK;
    for (bool got = true; status == EH_STATUS_OK;) {
        ledger_pair pair;
        status = ledger_cursor_next(c, &pair, &got, err);
        if (status != EH_STATUS_OK || !got) break;
        status = frame_grow(f, err);
        if (status == EH_STATUS_OK)
            f->rows[f->n++] = (row){
                .pair_row = pair.row, .question = pair.question_hash, .p = (double)NAN};
    }
    ledger_cursor_close(c);
    return status;
}

static double value_of(eh_verdict v) {
    return v == EH_VERDICT_1 ? 1 : v == EH_VERDICT_2 ? 0 : .5;
}

static eh_status fill_row(frame *f, row *r, int64_t at, bool *in_scope, eh_error *err) {
    tally_ruled ruled;
    int64_t counts[4];
    bool flagged;
    EH_TRY(tally_rule_pair(f->l, f->view, r->pair_row, &ruled, err));
    *in_scope = ruled.in_scope;
    EH_TRY(ledger_label_counts(f->l, r->pair_row, counts, err));
    r->entry = plan_queue_entry_of(at, &ruled.ruling);
    r->ruled = ruled.ruling.verdict != EH_VERDICT_NONE;
    r->ruling = ruled.ruling.verdict;
    r->f = r->ruled ? value_of(r->ruling) : .5;
    r->label = tally_label_majority(counts, &flagged);
    r->y = r->label == EH_VERDICT_NONE ? (double)NAN : value_of(r->label);
    if (f->how == PLAN_SELECTION_N)
        r->uncertainty = isnan(r->entry.bpde) ? log(3.0) : r->entry.bpde;
    return EH_STATUS_OK;
}

static eh_status read_frame(frame *f, eh_arena *arena, eh_error *err) {
    ledger_queue queue;
    bool found;
    EH_TRY(ledger_queue_get(f->l, arena, &queue, &found, err));
    f->how = found ? plan_selection_find(queue.selection) : PLAN_SELECTION_N;
    f->e->selection = queue.selection;
    EH_TRY(found ? ledger_items_each(f->l, take_item, f, err) : take_all(f, err));
    int64_t n = 0;
    for (int64_t i = 0; i < f->n; i++) {
        bool in_scope;
        EH_TRY(fill_row(f, &f->rows[i], n, &in_scope, err));
        if (in_scope || found) f->rows[n++] = f->rows[i];
    }
    f->n = n;
    return EH_STATUS_OK;
}

static void count_rows(const frame *f) {
    report_estimates *e = f->e;
    e->n_pairs = f->n;
    for (int64_t i = 0; i < f->n; i++) {
        const row *r = &f->rows[i];
        bool labelled = !isnan(r->y);
        e->n_without_ruling += !r->ruled;
        e->n_selected += r->selected;
        e->n_labelled += labelled;
        e->n_selected_labelled += r->selected && labelled;
        e->n_missing += r->missing && !labelled;
        e->n_leaks += r->leak;
    }
}

/* ---- estimates ---- */

static report_estimate nothing(const char *why) {
    return (report_estimate){.value = (double)NAN,
                             .low = (double)NAN,
                             .high = (double)NAN,
                             .se = (double)NAN,
                             .lambda = (double)NAN,
                             .why = why};
}

static report_estimate from_human(const stats_human *h) {
    report_estimate r = nothing(NULL);
    r.value = h->interval.value;
    r.low = h->interval.low;
    r.high = h->interval.high;
    r.se = h->se;
    r.n_labels = h->n_labels;
    r.lambda = h->lambda;
    if (h->interval.why == STATS_REASON_TOO_FEW_QUESTIONS)
        r.why = "too_few_labels";
    else if (h->interval.why != STATS_REASON_NONE)
        r.why = stats_reason_name(h->interval.why);
    return r;
}

/* Values of some pairs with the interval of a win rate, clustered by question; rows of
 * one question must lie together. */
static report_estimate mean_of(const row *rows, int64_t n, bool labels, bool judge) {
    stats_cluster c;
    stats_cluster_init(&c);
    report_estimate r = nothing(NULL);
    for (int64_t i = 0; i < n; i++) {
        bool labelled = !isnan(rows[i].y);
        r.n_labels += labelled && labels;
        if (labelled && labels)
            stats_cluster_add(&c, rows[i].question, rows[i].y);
        else if (judge)
            stats_cluster_add(&c, rows[i].question, rows[i].f);
    }
    stats_mean m = stats_cluster_mean(&c);
    stats_interval i = stats_cluster_interval(&c, LEVEL);
    r.value = i.value;
    r.low = i.low;
    r.high = i.high;
    r.se = m.se;
    if (i.why != STATS_REASON_NONE) r.why = stats_reason_name(i.why);
    return r;
}

static int by_question(const void *left, const void *right) {
    const row *a = left, *b = right;
    if (a->question != b->question) return a->question < b->question ? -1 : 1;
    return (a->pair_row > b->pair_row) - (a->pair_row < b->pair_row);
}

/* Columns for the functions of stats; only labels that the selection gave count. */
typedef struct columns {
    double *f, *y, *p, *doubt; /* [n] */
    int64_t n, n_selected, n_labelled;
} columns;

static void columns_fill(const frame *f, bool with_leaks, columns *c) {
    c->n = c->n_selected = c->n_labelled = 0;
    for (int64_t i = 0; i < f->n; i++) {
        const row *r = &f->rows[i];
        if (r->leak && !with_leaks) continue;
        bool counts = r->selected || f->how == PLAN_SELECTION_N;
        c->f[c->n] = r->f;
        c->y[c->n] = counts ? r->y : (double)NAN;
        c->p[c->n] = r->p;
        c->doubt[c->n++] = r->uncertainty;
        c->n_selected += r->selected;
        c->n_labelled += counts && !isnan(r->y);
    }
}

/* Chances as they turned out: what was selected and not labelled is spread evenly. */
static void scale_chances(columns *c) {
    if (c->n_selected == 0 || c->n_labelled == c->n_selected) return;
    double share = (double)c->n_labelled / (double)c->n_selected;
    for (int64_t i = 0; i < c->n; i++)
        c->p[i] *= share;
}

static report_estimate one_estimate(const frame *f, report_estimate_kind kind,
                                    columns *c) {
    stats_human h;
    bool active = f->how == PLAN_SELECTION_ACTIVE;
    bool random = f->how == PLAN_SELECTION_RANDOM;
    switch (kind) {
    case REPORT_ESTIMATE_ACTIVE:
        if (!active) return nothing("not_drawn_so");
        h = stats_human_active(c->f, c->y, c->p, c->n, LEVEL);
        break;
    case REPORT_ESTIMATE_RANDOM:
        if (!random) return nothing("not_drawn_so");
        h = stats_human_random(c->f, c->y, c->n, LEVEL);
        break;
    default:
        if (!active && !random) return nothing("not_drawn_so");
        h = stats_human_stratified(c->y, c->doubt, c->n, random, LEVEL);
        h.lambda = (double)NAN;
        break;
    }
    report_estimate r = from_human(&h);
    if (kind != REPORT_ESTIMATE_RANDOM) r.lambda = (double)NAN;
    return r;
}

/* People alone: all of them, a random part, or a part with known chances. */
static report_estimate people_alone(const frame *f, columns *c) {
    report_estimates *e = f->e;
    if (e->n_labelled == 0) return nothing("no_labels");
    report_estimate r = mean_of(f->rows, f->n, true, false);
    if (e->n_labelled == e->n_pairs || f->how == PLAN_SELECTION_RANDOM) return r;
    if (f->how == PLAN_SELECTION_ACTIVE) {
        double *judge = c->f;
        for (int64_t i = 0; i < c->n; i++)
            judge[i] = 0; /* a judge that says nothing */
        stats_human h = stats_human_active(judge, c->y, c->p, c->n, LEVEL);
        r = from_human(&h);
        r.lambda = (double)NAN;
        return r;
    }
    r.low = r.high = r.se = (double)NAN;
    r.why = "labels_not_at_random";
    return r;
}

static void all_estimates(frame *f, columns *c) {
    report_estimates *e = f->e;
    columns_fill(f, true, c);
    scale_chances(c);
    for (int k = REPORT_ESTIMATE_ACTIVE; k < REPORT_ESTIMATE_N; k++)
        e->of[k] = one_estimate(f, (report_estimate_kind)k, c);
    if (f->n) qsort(f->rows, (size_t)f->n, sizeof *f->rows, by_question);
    e->of[REPORT_ESTIMATE_JUDGE] = mean_of(f->rows, f->n, false, true);
    e->of[REPORT_ESTIMATE_JUDGE].why = "judge_errors_not_covered";
    e->of[REPORT_ESTIMATE_HITLC] = mean_of(f->rows, f->n, true, true);
    report_estimate *hitlc = &e->of[REPORT_ESTIMATE_HITLC];
    if (e->n_labelled < e->n_pairs) {
        hitlc->low = hitlc->high = hitlc->se = (double)NAN;
        hitlc->why = "some_pairs_unlabelled";
    }
    e->of[REPORT_ESTIMATE_PEOPLE] = people_alone(f, c); /* spoils c->f */
    e->quote = e->n_pairs && e->n_labelled == e->n_pairs ? REPORT_ESTIMATE_PEOPLE
               : f->how == PLAN_SELECTION_ACTIVE         ? REPORT_ESTIMATE_ACTIVE
               : f->how == PLAN_SELECTION_RANDOM         ? REPORT_ESTIMATE_RANDOM
                                                         : REPORT_ESTIMATE_N;
    if (e->quote < REPORT_ESTIMATE_N && e->of[e->quote].why)
        e->quote = REPORT_ESTIMATE_N;
    /* from where on the intervals cover what they say (stats/human.h) */
    enum { ENOUGH_ACTIVE = 50, ENOUGH_RANDOM = 30 };
    int64_t enough = e->quote == REPORT_ESTIMATE_ACTIVE   ? ENOUGH_ACTIVE
                     : e->quote == REPORT_ESTIMATE_RANDOM ? ENOUGH_RANDOM
                                                          : 0;
    e->few_labels = enough && e->of[e->quote].n_labels < enough;
}

/* The quoted one again, without pairs whose texts name a model. */
static void estimate_without_leaks(const frame *f, columns *c) {
    report_estimates *e = f->e;
    e->without_leaks = nothing("no_leaks");
    if (e->n_leaks == 0) return;
    e->without_leaks = nothing("not_drawn_so");
    columns_fill(f, false, c);
    scale_chances(c);
    if (e->quote == REPORT_ESTIMATE_ACTIVE || e->quote == REPORT_ESTIMATE_RANDOM)
        e->without_leaks = one_estimate(f, e->quote, c);
}

/* ---- planning ---- */

/* Variance of what people say over all pairs, by the labels and their chances. */
static double label_variance(const frame *f, const columns *c) {
    double sum = 0, sum_w = 0, squares = 0;
    bool weigh = f->how == PLAN_SELECTION_ACTIVE;
    for (int64_t i = 0; i < c->n; i++) {
        if (isnan(c->y[i])) continue;
        double w = weigh ? 1 / c->p[i] : 1;
        sum_w += w;
        sum += w * c->y[i];
    }
    double mean = sum / sum_w;
    for (int64_t i = 0; i < c->n; i++) {
        if (isnan(c->y[i])) continue;
        double w = weigh ? 1 / c->p[i] : 1;
        squares += w * (c->y[i] - mean) * (c->y[i] - mean);
    }
    return squares / sum_w;
}

/* se^2 = a / n + v / N: what labels do not know, and what pairs like these vary. So
 * people alone would need v / se^2 labels, and a half width asks for a / (w^2 / z^2 -
 * v / N) in this way. */
static void plan_labels(const frame *f, const columns *c) {
    report_estimates *e = f->e;
    const double z = 1.959963984540054;
    e->labels_alone = e->labels_wished = (double)NAN;
    if (e->quote == REPORT_ESTIMATE_N || e->n_labelled == 0) return;
    const report_estimate *q = &e->of[e->quote];
    double v = label_variance(f, c), n = (double)q->n_labels, all = (double)e->n_pairs;
    if (!(q->se > 0) || !(v > 0)) return;
    e->labels_alone = v / (q->se * q->se);
    double a = fmax(q->se * q->se - v / all, 0) * n / fmax(1 - n / all, 1 / all);
    double target = e->half_width * e->half_width / (z * z);
    /* with the finite part: a (1/n - 1/N) + v/N = target */
    double room = target - v / all + a / all;
    if (target > v / all && room > 0) e->labels_wished = ceil(a / room);
}

/* ---- the curve ---- */

static int by_queue(const void *left, const void *right) {
    return plan_queue_compare(&((const row *)left)->entry,
                              &((const row *)right)->entry);
}

/* Accuracy of hitlc over labelled pairs, with the first n_people of the queue decided
 * by their labels. */
static void one_budget(const frame *f, int64_t n_people, double *p, report_budget *b) {
    int64_t n_labelled = 0, n_right = 0, n_head = 0, n_rest = 0, n_rest_right = 0;
    double active = 0;
    for (int64_t i = 0; i < f->n; i++) {
        const row *r = &f->rows[i];
        if (isnan(r->y)) continue;
        bool right = r->ruling == r->label;
        n_labelled++;
        n_right += right;
        n_head += i < n_people;
        n_rest += i >= n_people;
        n_rest_right += i >= n_people && right;
        active += right ? 1 : p[i];
    }
    double n = (double)n_labelled, share = (double)n_people / (double)f->n;
    b->n_people = n_people;
    b->entropy = (double)(n_head + n_rest_right) / n;
    b->active = active / n;
    b->random = ((double)n_right + (double)(n_labelled - n_right) * share) / n;
    b->accuracy_rest = n_rest ? (double)n_rest_right / (double)n_rest : (double)NAN;
}

static void curve(frame *f, columns *c) {
    report_estimates *e = f->e;
    if (f->n) qsort(f->rows, (size_t)f->n, sizeof *f->rows, by_queue);
    for (int64_t i = 0; i < f->n; i++)
        c->doubt[i] = isnan(f->rows[i].entry.bpde) ? log(3.0) : f->rows[i].entry.bpde;
    for (int64_t percent = 0; percent < REPORT_BUDGETS; percent++) {
        int64_t n_people = (percent * f->n + 99) / 100;
        stats_active_probabilities(c->doubt, f->n, (double)n_people, c->p);
        e->curve[percent].percent = percent;
        one_budget(f, n_people, c->p, &e->curve[percent]);
    }
    e->has_curve = e->n_labelled == e->n_pairs;
    e->accuracy = e->curve[0].entropy;
    report_budget now;
    one_budget(f, e->n_selected, c->p, &now);
    e->accuracy_random = now.random;
    e->accuracy_hitlc = now.entropy;
}

/* The judge on pairs that are labelled though the queue did not ask for them. */
static void judge_the_rest(const frame *f) {
    int64_t n = 0, n_right = 0;
    for (int64_t i = 0; i < f->n; i++) {
        const row *r = &f->rows[i];
        if (r->selected || isnan(r->y)) continue;
        n++;
        n_right += r->ruling == r->label;
    }
    f->e->n_rest_labelled = n;
    f->e->accuracy_rest = n ? (double)n_right / (double)n : (double)NAN;
}

static eh_status compute(frame *f, eh_error *err) {
    columns c = {0};
    double *all = mem_alloc((size_t)f->n * 4 + 4, sizeof *all);
    if (!all) return EH_NOMEM(err);
    c.f = all;
    c.y = all + f->n;
    c.p = c.y + f->n;
    c.doubt = c.p + f->n;
    count_rows(f);
    judge_the_rest(f);
    all_estimates(f, &c);
    plan_labels(f, &c);
    estimate_without_leaks(f, &c);
    if (f->e->n_labelled) curve(f, &c);
    mem_free(all);
    return EH_STATUS_OK;
}

eh_status tally_estimate(ledger *l, const tally_view *view, eh_str judge_name,
                         double half_width, eh_arena *arena, report_estimates *e,
                         eh_error *err) {
    *e = (report_estimates){.judge = judge_name,
                            .half_width = half_width,
                            .accuracy = (double)NAN,
                            .accuracy_rest = (double)NAN,
                            .accuracy_random = (double)NAN,
                            .accuracy_hitlc = (double)NAN};
    tally_view judge = *view; /* whatever people rule elsewhere */
    judge.people = false;
    frame f = {.l = l, .view = &judge, .e = e};
    eh_status status = read_frame(&f, arena, err);
    if (status == EH_STATUS_OK) status = compute(&f, err);
    mem_free(f.rows);
    return status;
}
