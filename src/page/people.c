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
 * Left out: prices of labels.
 */
#include <math.h>
#include <stdlib.h>

#include "page/page.h"
#include "tally/counts.h"
#include "stats/agree.h"
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
    p->accuracy = tally_rate_of(&right);
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

eh_status page_people_fill(const page_report *r, page_judge *j, eh_arena *arena,
                           eh_error *err) {
    fill_agreement(r, j);
    return fill_budget(r, j, arena, err);
}
