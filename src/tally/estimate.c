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
 */
#include "tally/estimate.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "stats/cluster.h"
#include "tally/frame.h"

#define LEVEL .95

typedef struct estimator {
    tally_frame f;
    report_estimates *e;
} estimator;

static void count_rows(const estimator *x) {
    report_estimates *e = x->e;
    e->n_pairs = x->f.n;
    for (int64_t i = 0; i < x->f.n; i++) {
        const tally_row *r = &x->f.rows[i];
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
                             .se_labels = (double)NAN,
                             .lambda = (double)NAN,
                             .why = why};
}

static report_estimate from_human(const stats_human *h) {
    report_estimate r = nothing(NULL);
    r.value = h->interval.value;
    r.low = h->interval.low;
    r.high = h->interval.high;
    r.se = h->se;
    r.se_labels = h->se_labels;
    r.n_labels = h->n_labels;
    r.lambda = h->lambda;
    if (h->interval.why == STATS_REASON_TOO_FEW_QUESTIONS)
        r.why = "too_few_labels";
    else if (h->interval.why != STATS_REASON_NONE)
        r.why = stats_reason_name(h->interval.why);
    return r;
}

static bool is_census(const estimator *x) {
    return x->e->n_pairs && x->e->n_labelled == x->e->n_pairs;
}

/* What a pair gives to a plain mean; NaN leaves it out. */
static double value_in(const estimator *x, report_estimate_kind kind,
                       const tally_row *r) {
    if (kind == REPORT_ESTIMATE_JUDGE) return r->f;
    if (kind == REPORT_ESTIMATE_HITLC) return isnan(r->y) ? r->f : r->y;
    /* of a random part those labels alone that the drawing gave */
    bool drawn = x->f.how != PLAN_SELECTION_RANDOM || is_census(x) ||
                 tally_frame_counts(&x->f, r);
    return drawn ? r->y : (double)NAN;
}

/* Their mean with the interval of a win rate, clustered by question; rows of one
 * question must lie together. */
static report_estimate mean_of(const estimator *x, report_estimate_kind kind) {
    stats_cluster c;
    stats_cluster_init(&c);
    report_estimate r = nothing(NULL);
    for (int64_t i = 0; i < x->f.n; i++) {
        const tally_row *row = &x->f.rows[i];
        double value = value_in(x, kind, row);
        if (isnan(value)) continue;
        r.n_labels += kind != REPORT_ESTIMATE_JUDGE && !isnan(row->y);
        stats_cluster_add(&c, row->question, value);
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
    const tally_row *a = left, *b = right;
    if (a->question != b->question) return a->question < b->question ? -1 : 1;
    return (a->pair_row > b->pair_row) - (a->pair_row < b->pair_row);
}

/* Columns for the functions of stats, in the order of the rows, which are sorted by
 * question; only labels that the selection gave count. */
typedef struct columns {
    double *f, *y, *p, *doubt; /* [n] */
    uint64_t *question;
    int64_t n, n_selected, n_labelled;
} columns;

static stats_human_data data_of(const columns *c) {
    return (stats_human_data){c->n, c->f, c->y, c->p, c->doubt, c->question};
}

static void columns_fill(const estimator *x, bool with_leaks, columns *c) {
    c->n = c->n_selected = c->n_labelled = 0;
    for (int64_t i = 0; i < x->f.n; i++) {
        const tally_row *r = &x->f.rows[i];
        if (r->leak && !with_leaks) continue;
        bool counts = tally_frame_counts(&x->f, r);
        c->f[c->n] = r->f;
        c->y[c->n] = counts ? r->y : (double)NAN;
        c->p[c->n] = r->p;
        c->question[c->n] = r->question;
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

static report_estimate one_estimate(const estimator *x, report_estimate_kind kind,
                                    columns *c) {
    stats_human h;
    stats_human_data data = data_of(c);
    bool active = x->f.how == PLAN_SELECTION_ACTIVE;
    bool random = x->f.how == PLAN_SELECTION_RANDOM;
    switch (kind) {
    case REPORT_ESTIMATE_ACTIVE:
        if (!active) return nothing("not_drawn_so");
        h = stats_human_active(&data, LEVEL);
        break;
    case REPORT_ESTIMATE_RANDOM:
        if (!random) return nothing("not_drawn_so");
        h = stats_human_random(&data, LEVEL);
        break;
    default:
        if (!active && !random) return nothing("not_drawn_so");
        h = stats_human_stratified(&data, random, LEVEL);
        h.lambda = (double)NAN;
        break;
    }
    report_estimate r = from_human(&h);
    if (kind != REPORT_ESTIMATE_RANDOM) r.lambda = (double)NAN;
    return r;
}

/* People alone: all of them, a random part, or a part with known chances. */
static report_estimate people_alone(const estimator *x, columns *c) {
    report_estimates *e = x->e;
    if (e->n_labelled == 0) return nothing("no_labels");
    report_estimate r = mean_of(x, REPORT_ESTIMATE_PEOPLE);
    if (is_census(x) || x->f.how == PLAN_SELECTION_RANDOM) return r;
    if (x->f.how == PLAN_SELECTION_ACTIVE) {
        double *judge = c->f;
        for (int64_t i = 0; i < c->n; i++)
            judge[i] = 0; /* a judge that says nothing */
        stats_human_data data = data_of(c);
        stats_human h = stats_human_active(&data, LEVEL);
        r = from_human(&h);
        r.lambda = (double)NAN;
        return r;
    }
    r.low = r.high = r.se = (double)NAN;
    r.why = "labels_not_at_random";
    return r;
}

static void all_estimates(estimator *x, columns *c) {
    report_estimates *e = x->e;
    if (x->f.n) qsort(x->f.rows, (size_t)x->f.n, sizeof *x->f.rows, by_question);
    columns_fill(x, true, c);
    scale_chances(c);
    for (int k = REPORT_ESTIMATE_ACTIVE; k < REPORT_ESTIMATE_N; k++)
        e->of[k] = one_estimate(x, (report_estimate_kind)k, c);
    for (int64_t i = 0; i < x->f.n; i++)
        e->n_questions += i == 0 || x->f.rows[i - 1].question != x->f.rows[i].question;
    e->of[REPORT_ESTIMATE_JUDGE] = mean_of(x, REPORT_ESTIMATE_JUDGE);
    e->of[REPORT_ESTIMATE_JUDGE].why = "judge_errors_not_covered";
    e->of[REPORT_ESTIMATE_HITLC] = mean_of(x, REPORT_ESTIMATE_HITLC);
    report_estimate *hitlc = &e->of[REPORT_ESTIMATE_HITLC];
    if (e->n_labelled < e->n_pairs) {
        hitlc->low = hitlc->high = hitlc->se = (double)NAN;
        hitlc->why = "some_pairs_unlabelled";
    }
    e->of[REPORT_ESTIMATE_PEOPLE] = people_alone(x, c); /* spoils c->f */
    e->quote = is_census(x)                        ? REPORT_ESTIMATE_PEOPLE
               : x->f.how == PLAN_SELECTION_ACTIVE ? REPORT_ESTIMATE_ACTIVE
               : x->f.how == PLAN_SELECTION_RANDOM ? REPORT_ESTIMATE_RANDOM
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
static void estimate_without_leaks(const estimator *x, columns *c) {
    report_estimates *e = x->e;
    e->without_leaks = nothing("no_leaks");
    if (e->n_leaks == 0) return;
    e->without_leaks = nothing("not_drawn_so");
    columns_fill(x, false, c);
    scale_chances(c);
    if (e->quote == REPORT_ESTIMATE_ACTIVE || e->quote == REPORT_ESTIMATE_RANDOM)
        e->without_leaks = one_estimate(x, e->quote, c);
}

/* ---- planning ---- */

/* Variance of what people say over all pairs, by the labels and their chances. */
static double label_variance(const estimator *x, const columns *c) {
    double sum = 0, sum_w = 0, squares = 0;
    bool weigh = x->f.how == PLAN_SELECTION_ACTIVE;
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

/* Before there are labels: drawn at random, with a judge that is of no use, and people
 * who spread as the judge does. */
static void plan_first_labels(const estimator *x, double target) {
    report_estimates *e = x->e;
    double mean = e->of[REPORT_ESTIMATE_JUDGE].value, squares = 0;
    for (int64_t i = 0; i < x->f.n; i++)
        squares += (x->f.rows[i].f - mean) * (x->f.rows[i].f - mean);
    double wished = ceil(squares / (double)e->n_pairs / target);
    if (wished > 0 && wished <= (double)e->n_pairs) e->labels_wished = wished;
}

/* se^2 = a (1/n - 1/N) + v: what labels do not tell yet, and what would stay if all
 * pairs had one; where all have, a is that of people alone. So a half width asks for a
 * / (w^2 / z^2 - v + a / N) labels drawn in this way, and people alone would need their
 * variance / se^2. */
static void plan_labels(const estimator *x, const columns *c) {
    report_estimates *e = x->e;
    const double z = 1.959963984540054;
    double target = e->half_width * e->half_width / (z * z);
    e->labels_alone = e->labels_wished = (double)NAN;
    if (e->n_labelled == 0) plan_first_labels(x, target);
    if (e->quote == REPORT_ESTIMATE_N || e->n_labelled == 0) return;
    const report_estimate *q = &e->of[e->quote];
    double v = label_variance(x, c), n = (double)q->n_labels, all = (double)e->n_pairs;
    if (!(q->se > 0) || !(v > 0)) return;
    e->labels_alone = v / (q->se * q->se);
    double drawn = n < all ? q->se_labels * q->se_labels : 0;
    double a = n < all ? drawn / (1 / n - 1 / all) : v;
    double room = target - (q->se * q->se - drawn) + a / all;
    if (room > a / all) e->labels_wished = ceil(a / room);
}

/* ---- the curve ---- */

static int by_queue(const void *left, const void *right) {
    return plan_queue_compare(&((const tally_row *)left)->entry,
                              &((const tally_row *)right)->entry);
}

/* Labels that tell what a budget would have given: all, a random part, or those of a
 * ledger that does not know how they came. */
static bool tells(const estimator *x, const tally_row *r) {
    return !isnan(r->y) && (is_census(x) || tally_frame_counts(&x->f, r));
}

/* Accuracy of hitlc over those labels, with the first n_people of the queue decided by
 * people; rows lie in the queue's order. */
static void one_budget(const estimator *x, int64_t n_people, const double *p,
                       report_budget *b) {
    int64_t n_labelled = 0, n_right = 0, n_head = 0, n_rest = 0, n_rest_right = 0;
    double active = 0;
    for (int64_t i = 0; i < x->f.n; i++) {
        const tally_row *r = &x->f.rows[i];
        if (!tells(x, r)) continue;
        bool right = r->ruling == r->label;
        n_labelled++;
        n_right += right;
        n_head += i < n_people;
        n_rest += i >= n_people;
        n_rest_right += i >= n_people && right;
        active += right ? 1 : p[i];
    }
    double n = (double)n_labelled, share = (double)n_people / (double)x->f.n;
    b->entropy = (double)(n_head + n_rest_right) / n;
    b->active = active / n;
    b->random = ((double)n_right + (double)(n_labelled - n_right) * share) / n;
    b->accuracy_rest = n_rest ? (double)n_rest_right / (double)n_rest : (double)NAN;
}

static const report_budget unknown_budget = {.entropy = (double)NAN,
                                             .active = (double)NAN,
                                             .random = (double)NAN,
                                             .accuracy_rest = (double)NAN};

static void curve(estimator *x, columns *c) {
    report_estimates *e = x->e;
    if (x->f.n) qsort(x->f.rows, (size_t)x->f.n, sizeof *x->f.rows, by_queue);
    for (int64_t i = 0; i < x->f.n; i++) {
        const tally_row *r = &x->f.rows[i];
        c->doubt[i] = isnan(r->entry.bpde) ? log(3.0) : r->entry.bpde;
        e->n_curve += tells(x, r);
    }
    bool known = is_census(x) || x->f.how == PLAN_SELECTION_RANDOM || !x->f.has_queue;
    e->has_curve = known && e->n_curve > 0;
    if (!e->has_curve) e->n_curve = 0;
    for (int64_t percent = 0; percent < REPORT_BUDGETS; percent++) {
        report_budget *b = &e->curve[percent];
        *b = unknown_budget;
        b->percent = percent;
        b->n_people = (percent * x->f.n + 99) / 100;
        stats_active_probabilities(c->doubt, x->f.n, (double)b->n_people, c->p);
        if (e->has_curve) one_budget(x, b->n_people, c->p, b);
    }
    report_budget now = unknown_budget;
    if (e->has_curve && x->f.has_queue) one_budget(x, e->n_selected, c->p, &now);
    e->accuracy_random = now.random;
    e->accuracy_hitlc = now.entropy;
}

/* The judge on all labelled pairs, and on those that are labelled though the queue did
 * not ask for them. */
static void judge_the_labelled(const estimator *x) {
    report_estimates *e = x->e;
    int64_t n_right = 0, n_rest_right = 0;
    for (int64_t i = 0; i < x->f.n; i++) {
        const tally_row *r = &x->f.rows[i];
        if (isnan(r->y)) continue;
        bool right = r->ruling == r->label;
        n_right += right;
        e->n_rest_labelled += !r->selected;
        n_rest_right += !r->selected && right;
    }
    if (e->n_labelled) e->accuracy = (double)n_right / (double)e->n_labelled;
    if (e->n_rest_labelled)
        e->accuracy_rest = (double)n_rest_right / (double)e->n_rest_labelled;
}

static eh_status compute(estimator *x, eh_error *err) {
    columns c = {0};
    double *all = mem_alloc((size_t)x->f.n * 4 + 4, sizeof *all);
    c.question = mem_alloc((size_t)x->f.n + 1, sizeof *c.question);
    if (!all || !c.question) {
        mem_free(all);
        mem_free(c.question);
        return EH_NOMEM(err);
    }
    c.f = all;
    c.y = all + x->f.n;
    c.p = c.y + x->f.n;
    c.doubt = c.p + x->f.n;
    count_rows(x);
    judge_the_labelled(x);
    all_estimates(x, &c);
    plan_labels(x, &c);
    estimate_without_leaks(x, &c);
    curve(x, &c);
    mem_free(all);
    mem_free(c.question);
    return EH_STATUS_OK;
}

eh_status tally_estimate(ledger *l, const tally_view *view,
                         const tally_estimate_options *options, eh_arena *arena,
                         report_estimates *e, eh_error *err) {
    *e = (report_estimates){.judge = options->judge_name,
                            .half_width = options->half_width,
                            .label_nusd = options->label_nusd,
                            .judge_nusd = options->judge_nusd,
                            .accuracy = (double)NAN,
                            .accuracy_rest = (double)NAN};
    estimator x = {.e = e};
    eh_status status =
        tally_frame_read(l, view, options->labels_random, arena, &x.f, err);
    e->selection = x.f.selection;
    e->labels_per_pair = x.f.has_queue ? x.f.labels_per_pair : 1;
    e->is_random = x.f.how == PLAN_SELECTION_RANDOM;
    if (status == EH_STATUS_OK) status = compute(&x, err);
    tally_frame_free(&x.f);
    return status;
}
