/* SPDX-License-Identifier: MIT
 *
 * Human-in-the-loop calibration on paper (Wang et al. 2024, section 2.3.3): the labels
 * that are there take the place of the rulings at the head of the queue.
 *
 *   queue:   no ruling | most uncertain ............... most certain
 *            <-- ceil(beta N): majority of people --> <-- the judge's ruling -->
 *
 * Beside it stand the accuracy on the rest, which people did not touch, and what the
 * same number of pairs drawn at random would be expected to reach: without these two a
 * budget looks good whatever the queue is worth, since every pair at the head is right
 * by definition.
 */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "plan/queue.h"
#include "tally/counts.h"
#include "tables/methods.h"

typedef struct queued {
    plan_queue_entry entry; /* first: the queue's sort sees nothing else */
    eh_verdict verdict, label;
    int64_t n_labels;
} queued;

struct tables_hitlc_pairs {
    queued *pairs; /* [n] in the order of arrival */
    plan_queue_entry *queue;
    size_t n, cap;
};

tables_hitlc_pairs *tables_hitlc_new(void) {
    return mem_zalloc(1, sizeof(tables_hitlc_pairs));
}

void tables_hitlc_free(tables_hitlc_pairs *h) {
    if (!h) return;
    mem_free(h->pairs);
    mem_free(h->queue);
    mem_free(h);
}

eh_status tables_hitlc_add(tables_hitlc_pairs *h, int64_t seq,
                           const plan_ruling *ruling, const tally_label *label,
                           eh_error *err) {
    if (h->n == h->cap) {
        size_t cap = h->cap ? 2 * h->cap : 1024;
        queued *more = mem_realloc(h->pairs, cap, sizeof *more);
        if (!more) return EH_NOMEM(err);
        h->pairs = more;
        h->cap = cap;
    }
    h->pairs[h->n++] = (queued){.entry = plan_queue_entry_of(seq, ruling),
                                .verdict = ruling->verdict,
                                .label = label->majority,
                                .n_labels = label->n_labels};
    return EH_STATUS_OK;
}

static int by_data(const void *a, const void *b) {
    int64_t left = ((const queued *)a)->entry.index;
    int64_t right = ((const queued *)b)->entry.index;
    return (left > right) - (left < right);
}

/* Sorts once: pairs by data, so that a place in the queue finds its pair by its index.
 */
static eh_status make_queue(tables_hitlc_pairs *h, eh_error *err) {
    if (h->queue || h->n == 0) return EH_STATUS_OK;
    h->queue = mem_alloc(h->n, sizeof *h->queue);
    if (!h->queue) return EH_NOMEM(err);
    qsort(h->pairs, h->n, sizeof *h->pairs, by_data);
    for (size_t i = 0; i < h->n; i++) {
        h->pairs[i].entry.index = (int64_t)i;
        h->queue[i] = h->pairs[i].entry;
    }
    plan_queue_sort(h->queue, h->n);
    return EH_STATUS_OK;
}

/* One pair of the head: people's word, where there is one. */
static eh_verdict decide(const queued *pair, tables_hitlc *out) {
    out->n_labels += pair->n_labels;
    if (pair->label != EH_VERDICT_NONE) return pair->label;
    out->n_missing++;
    return pair->verdict;
}

eh_status tables_hitlc_rule(tables_hitlc_pairs *h, eh_str budget,
                            tables_method_row *row, eh_error *err) {
    tables_hitlc *out = &row->hitlc;
    report_agreement rest = {0};
    int64_t twice_won = 0, n_ruled = 0;
    double judge_alone = row->labels.accuracy;
    *out = (tables_hitlc){.budget = budget};
    if (!plan_budget_pairs(budget, (int64_t)h->n, &out->n_people))
        return EH_FAIL(err, EH_STATUS_USAGE,
                       "--budgets: '%.*s' is no share of the pairs, such as 20%%",
                       EH_STR_ARG(budget));
    EH_TRY(make_queue(h, err));
    row->labels = (report_agreement){0};
    for (int64_t i = 0; i < (int64_t)h->n; i++) {
        const queued *pair = &h->pairs[h->queue[i].index];
        bool head = i < out->n_people;
        eh_verdict v = head ? decide(pair, out) : pair->verdict;
        n_ruled += v != EH_VERDICT_NONE;
        twice_won += v == EH_VERDICT_1 ? 2 : v == EH_VERDICT_TIE ? 1 : 0;
        if (pair->label == EH_VERDICT_NONE) continue;
        report_agreement_add(&row->labels, v, pair->label);
        if (!head) report_agreement_add(&rest, v, pair->label);
    }
    report_agreement_end(&row->labels);
    report_agreement_end(&rest);
    out->accuracy_rest = rest.accuracy;
    out->accuracy_random =
        judge_alone + (1 - judge_alone) * report_share(out->n_people, (int64_t)h->n);
    row->n_none = (int64_t)h->n - n_ruled;
    row->win_rate = (report_rate){.value = report_share(twice_won, 2 * n_ruled),
                                  .low = NAN,
                                  .high = NAN,
                                  .n = n_ruled};
    return EH_STATUS_OK;
}
