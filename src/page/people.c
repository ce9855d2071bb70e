/* SPDX-License-Identifier: MIT
 *
 * People beside the judge: do they agree with it, what would their labels buy, and
 * which win rate may be quoted.
 *
 *   queue    pairs without ruling | BPDE down | |CS_1 - CS_2| up | data order
 *   budget   people decide its first n = ceil(percent N), the judge the rest
 *
 * A budget's accuracy is taken over the labelled pairs alone: those among the first n
 * count as right, since people decide them, the others as the judge rules. Beside it
 * stands what drawing n pairs at random would give, on average.
 *
 * Left out: labels that were chosen with known probabilities (a ledger does not hold
 * them), and prices of labels.
 */
#include <math.h>
#include <stdlib.h>

#include "page/page.h"
#include "run/tally.h"
#include "stats/agree.h"
#include "stats/human.h"
#include "stats/special.h"

#define LEVEL .95

/* ---- agreement ---- */

static void fill_agreement(const page_report *r, page_judge *j) {
    page_people *p = &j->people;
    stats_cluster right;
    stats_cluster_init(&right);
    for (size_t i = 0; i < r->n_pairs; i++) {
        size_t at = r->by_question[i];
        const page_cell *c = &j->cells[at];
        if (!c->in_scope || c->label == EH_VERDICT_NONE) continue;
        stats_cluster_add(&right, r->pairs[at].question, c->verdict == c->label);
        if (c->verdict == EH_VERDICT_NONE)
            p->unruled[c->label - 1]++;
        else
            p->confusion[(c->verdict - 1) * 3 + (c->label - 1)]++;
    }
    p->accuracy = run_rate_of(&right);
    stats_kappa k = stats_cohen_kappa(p->confusion, 3);
    double half = stats_normal_two_sided(LEVEL) * k.se;
    p->kappa = k.kappa;
    p->kappa_low = k.kappa - half;
    p->kappa_high = fmin(k.kappa + half, 1);
    p->why_kappa = k.why == STATS_REASON_NONE ? NULL : stats_reason_name(k.why);
}

/* ---- the queue ---- */

typedef struct queue_ref {
    const page_cell *cell;
    size_t at;
} queue_ref;

static int compare_queue(const void *a, const void *b) {
    const queue_ref *x = a, *y = b;
    bool x_none = x->cell->verdict == EH_VERDICT_NONE;
    bool y_none = y->cell->verdict == EH_VERDICT_NONE;
    if (x_none != y_none) return x_none ? -1 : 1;
    double x_bpde = isnan(x->cell->bpde) ? -1 : x->cell->bpde;
    double y_bpde = isnan(y->cell->bpde) ? -1 : y->cell->bpde;
    if (x_bpde != y_bpde) return x_bpde > y_bpde ? -1 : 1;
    double x_margin = isnan(x->cell->margin) ? 0 : x->cell->margin;
    double y_margin = isnan(y->cell->margin) ? 0 : y->cell->margin;
    if (x_margin != y_margin) return x_margin < y_margin ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

eh_status page_queue(const page_report *r, const page_judge *j, eh_arena *arena,
                     size_t **queue, size_t *n, eh_error *err) {
    queue_ref *refs = arena_zalloc(arena, r->n_pairs + 1, sizeof *refs);
    *queue = arena_zalloc(arena, r->n_pairs + 1, sizeof **queue);
    *n = 0;
    if (!refs || !*queue) return EH_NOMEM(err);
    for (size_t i = 0; i < r->n_pairs; i++)
        if (j->cells[i].in_scope) refs[(*n)++] = (queue_ref){&j->cells[i], i};
    qsort(refs, *n, sizeof *refs, compare_queue);
    for (size_t i = 0; i < *n; i++)
        (*queue)[i] = refs[i].at;
    return EH_STATUS_OK;
}

/* ---- budgets ---- */

static double share(int64_t part, int64_t whole) {
    return whole > 0 ? (double)part / (double)whole : (double)NAN;
}

static eh_status fill_budget(const page_report *r, page_judge *j, eh_arena *arena,
                             eh_error *err) {
    size_t *queue, n;
    int64_t n_labelled = 0, n_right = 0, head_labelled = 0, head_right = 0;
    EH_TRY(page_queue(r, j, arena, &queue, &n, err));
    for (size_t i = 0; i < n; i++) {
        const page_cell *c = &j->cells[queue[i]];
        n_labelled += c->label != EH_VERDICT_NONE;
        n_right += c->label != EH_VERDICT_NONE && c->verdict == c->label;
    }
    size_t done = 0;
    for (size_t percent = 0; percent < PAGE_BUDGET_ROWS; percent++) {
        size_t wanted = (n * percent + 99) / 100; /* ceil, in whole numbers */
        for (; done < wanted; done++) {
            const page_cell *c = &j->cells[queue[done]];
            head_labelled += c->label != EH_VERDICT_NONE;
            head_right += c->label != EH_VERDICT_NONE && c->verdict == c->label;
        }
        double now = share(n_right, n_labelled);
        j->budget[percent] = (page_budget){
            .n = (int64_t)wanted,
            .n_labelled = head_labelled,
            .accuracy = share(n_right - head_right + head_labelled, n_labelled),
            .accuracy_rest = share(n_right - head_right, n_labelled - head_labelled),
            .accuracy_random =
                n ? now + (1 - now) * (double)wanted / (double)n : (double)NAN,
        };
    }
    return EH_STATUS_OK;
}

/* ---- estimates of the win rate that people would give on all pairs ---- */

typedef struct mixed_tally {
    stats_cluster judge, people, hitlc;
    double *f, *y; /* [n] the judge's outcome and people's, NaN without a label */
    int64_t n, n_labels;
} mixed_tally;

static void add_mixed(mixed_tally *t, uint64_t question, const page_cell *c) {
    bool labelled = c->label != EH_VERDICT_NONE;
    eh_verdict settled = labelled ? c->label : c->verdict;
    if (labelled) stats_cluster_add(&t->people, question, run_outcome(c->label));
    if (settled != EH_VERDICT_NONE)
        stats_cluster_add(&t->hitlc, question, run_outcome(settled));
    if (c->verdict == EH_VERDICT_NONE) return;
    stats_cluster_add(&t->judge, question, run_outcome(c->verdict));
    t->f[t->n] = run_outcome(c->verdict);
    t->y[t->n++] = labelled ? run_outcome(c->label) : (double)NAN;
    t->n_labels += labelled;
}

static void put_estimate(page_judge *j, const char *name, const stats_cluster *c,
                         int64_t n_labels) {
    j->estimates[j->n_estimates++] =
        (page_estimate){.name = name,
                        .interval = stats_cluster_interval(c, LEVEL),
                        .n = c->n,
                        .n_labels = n_labels};
}

static eh_status fill_estimates(const page_report *r, page_judge *j, eh_arena *arena,
                                eh_error *err) {
    mixed_tally t = {.f = arena_zalloc(arena, r->n_pairs + 1, sizeof(double)),
                     .y = arena_zalloc(arena, r->n_pairs + 1, sizeof(double))};
    if (!t.f || !t.y) return EH_NOMEM(err);
    stats_cluster_init(&t.judge);
    stats_cluster_init(&t.people);
    stats_cluster_init(&t.hitlc);
    for (size_t i = 0; i < r->n_pairs; i++) {
        size_t at = r->by_question[i];
        if (j->cells[at].in_scope) add_mixed(&t, r->pairs[at].question, &j->cells[at]);
    }
    put_estimate(j, "judge", &t.judge, 0);
    if (t.people.n == 0) return EH_STATUS_OK;
    put_estimate(j, "people", &t.people, t.people.n);
    if (t.people.n == t.hitlc.n) return EH_STATUS_OK; /* all labelled: nothing to mix */
    stats_human together = stats_human_random(t.f, t.y, t.n, LEVEL);
    j->estimates[j->n_estimates++] = (page_estimate){.name = "together",
                                                     .interval = together.interval,
                                                     .n = t.n,
                                                     .n_labels = t.n_labels};
    put_estimate(j, "hitlc", &t.hitlc, t.people.n);
    /* humans were not drawn at random and the judge decides the rest: no interval */
    stats_interval *hitlc = &j->estimates[j->n_estimates - 1].interval;
    hitlc->low = hitlc->high = NAN;
    return EH_STATUS_OK;
}

eh_status page_people_fill(const page_report *r, page_judge *j, eh_arena *arena,
                           eh_error *err) {
    fill_agreement(r, j);
    EH_TRY(fill_budget(r, j, arena, err));
    return fill_estimates(r, j, arena, err);
}
