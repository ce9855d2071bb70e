/* SPDX-License-Identifier: MIT
 *
 * Tallying by other tools' rules (report/compat.h says which).
 *
 * The pooled rules throw the valid samples of both orders into one heap, so a reply
 * that failed in one order gives the other order more weight: that is what they are
 * here to show, and why no other number uses them.
 */
#include <math.h>

#include "tally/counts.h"

static eh_verdict majority_of(int n_1, int n_2, int n_tie) {
    if (n_1 + n_2 + n_tie == 0) return EH_VERDICT_NONE;
    if (n_1 > n_2 && n_1 > n_tie) return EH_VERDICT_1;
    if (n_2 > n_1 && n_2 > n_tie) return EH_VERDICT_2;
    return EH_VERDICT_TIE;
}

static eh_verdict net_of(int n_1, int n_2, int n_tie) {
    if (n_1 + n_2 + n_tie == 0) return EH_VERDICT_NONE;
    return n_1 > n_2 ? EH_VERDICT_1 : n_1 < n_2 ? EH_VERDICT_2 : EH_VERDICT_TIE;
}

static void add_verdict(report_compat_ruled *r, eh_verdict v, eh_verdict label) {
    r->n_1 += v == EH_VERDICT_1;
    r->n_2 += v == EH_VERDICT_2;
    r->n_tie += v == EH_VERDICT_TIE;
    r->n_none += v == EH_VERDICT_NONE;
    if (label != EH_VERDICT_NONE) report_agreement_add(&r->labels, v, label);
}

/* All scores of the pair: sums by order, and the verdict of their means. */
static eh_verdict add_scores(tally_counts *t, const tally_counts_pair *p) {
    report_compat *c = &t->out->compat;
    double sum_1 = 0, sum_2 = 0;
    int n = 0;
    for (int o = 0; o < EH_ORDER_N; o++)
        for (int k = 0; k < t->view->plan.k; k++) {
            const plan_sample *s = p->samples[o][k];
            if (!s || !s->has_scores) continue;
            c->n_scored[o]++;
            c->sum_1[o] += s->score_1;
            c->sum_2[o] += s->score_2;
            sum_1 += s->score_1;
            sum_2 += s->score_2;
            n++;
        }
    if (n == 0) return EH_VERDICT_NONE;
    c->n_scored_pairs++;
    t->score_1 = stats_dd_add(t->score_1, sum_1 / n);
    t->score_2 = stats_dd_add(t->score_2, sum_2 / n);
    if (fabs(sum_1 - sum_2) <= PLAN_TIE_TOLERANCE * n) return EH_VERDICT_TIE;
    return sum_1 > sum_2 ? EH_VERDICT_1 : EH_VERDICT_2;
}

static void add_sample_pairs(tally_counts *t, const tally_counts_pair *p) {
    report_compat *c = &t->out->compat;
    c->n_samples = t->view->plan.k;
    for (int k = 0; k < c->n_samples; k++) {
        report_compat_sample *x = &c->samples[k];
        const plan_sample *s12 = p->samples[0][k], *s21 = p->samples[1][k];
        eh_verdict v12 = s12 ? s12->verdict : EH_VERDICT_NONE;
        eh_verdict v21 = s21 ? s21->verdict : EH_VERDICT_NONE;
        x->n_read += (v12 != EH_VERDICT_NONE) + (v21 != EH_VERDICT_NONE);
        if (v12 == EH_VERDICT_NONE || v21 == EH_VERDICT_NONE) continue;
        x->n_pairs++;
        if (v12 == v21) continue;
        bool tie = v12 == EH_VERDICT_TIE || v21 == EH_VERDICT_TIE;
        x->n_conflicts++;
        x->with_tie += tie;
        x->first_both += !tie && v12 == EH_VERDICT_1;
        x->second_both += !tie && v12 == EH_VERDICT_2;
    }
}

static void add_between_orders(report_compat *c, const plan_ruling *r) {
    eh_verdict v12 = r->by_order[0].verdict, v21 = r->by_order[1].verdict;
    c->n_same_or_none += v12 == v21;
    if (v12 == EH_VERDICT_NONE) v12 = EH_VERDICT_2;
    if (v21 == EH_VERDICT_NONE) v21 = EH_VERDICT_2;
    c->table_none_is_2[(v12 - 1) * 3 + (v21 - 1)]++;
}

void tally_counts_compat_add(tally_counts *t, const tally_counts_pair *p) {
    report_compat *c = &t->out->compat;
    const plan_ruling *r = p->ruling;
    eh_verdict label = p->label->majority;
    int n_1 = r->n_win, n_2 = r->n_lose, n_tie = r->n_tie;
    add_verdict(&c->rules[REPORT_COMPAT_MAJORITY], majority_of(n_1, n_2, n_tie), label);
    add_verdict(&c->rules[REPORT_COMPAT_NET], net_of(n_1, n_2, n_tie), label);
    add_verdict(&c->rules[REPORT_COMPAT_SCORE], add_scores(t, p), label);
    add_verdict(&c->rules[REPORT_COMPAT_NONE_IS_TIE],
                r->verdict == EH_VERDICT_NONE ? EH_VERDICT_TIE : r->verdict, label);
    if (tally_no_orders(&t->view->plan)) return;
    add_between_orders(c, r);
    add_sample_pairs(t, p);
}

void tally_counts_compat_end(tally_counts *t) {
    report_compat *c = &t->out->compat;
    c->has_scores = c->n_scored_pairs > 0;
    c->mean_1 = c->mean_2 = NAN;
    if (c->has_scores) {
        c->mean_1 = stats_dd_value(t->score_1) / (double)c->n_scored_pairs;
        c->mean_2 = stats_dd_value(t->score_2) / (double)c->n_scored_pairs;
    }
    for (int r = 0; r < REPORT_COMPAT_N; r++)
        report_agreement_end(&c->rules[r].labels);
}
