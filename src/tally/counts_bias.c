/* SPDX-License-Identifier: MIT
 *
 * Tallying where a judge contradicts itself, and how far its soft verdicts hold.
 *
 *   gap    mean over the two orders of |S_1(o) - S_2(o)|, the means of the order
 *   length characters of both answers together, in bins; and which one replies prefer
 *   ties   conflict or not, against whether people tie the pair
 *   repetition   per order: the share of the commonest verdict among all k samples
 *
 * A pair takes part where it has a ruling in each order (gap, length, ties), where all
 * k samples of an order have a verdict (repetition), or where it has a soft verdict and
 * a label (reliability).
 */
#include <math.h>

#include "tally/counts.h"
#include "tally/trend.h"
#include "stats/test.h"

/* Above, the normal approximation is as good; below, a permutation test takes some
 * milliseconds. */
enum { EXACT_TREND_MAX = 200 };

static void add_score_gap(tally_counts *t, const plan_ruling *r) {
    report_score_gap *g = &t->out->bias.score_gap;
    if (!r->both_orders || t->view->scale != PLAN_SCALE_SCORES) return;
    double gap = (fabs(r->by_order[0].score_1 - r->by_order[0].score_2) +
                  fabs(r->by_order[1].score_1 - r->by_order[1].score_2)) /
                 2;
    int bin = report_score_gap_bin(gap);
    g->n_pairs++;
    g->pairs[bin]++;
    g->conflicts[bin] += r->conflict;
    t->gap_sum = stats_dd_add(t->gap_sum, gap);
}

static void add_preference(report_length *l, const plan_sample *s, eh_verdict longer) {
    if (s->verdict != EH_VERDICT_1 && s->verdict != EH_VERDICT_2) return;
    l->n_decided++;
    l->n_longer += s->verdict == longer;
}

static void add_length(tally_counts *t, const tally_counts_pair *p) {
    report_length *l = &t->out->bias.length;
    int64_t cp_1 = p->pair->answer_1_cp, cp_2 = p->pair->answer_2_cp;
    t->any_text = t->any_text || cp_1 + cp_2 > 0;
    if (cp_1 != cp_2)
        for (int o = 0; o < EH_ORDER_N; o++)
            for (int k = 0; k < t->view->plan.k; k++)
                if (p->samples[o][k])
                    add_preference(l, p->samples[o][k],
                                   cp_1 > cp_2 ? EH_VERDICT_1 : EH_VERDICT_2);
    if (!p->ruling->both_orders) return;
    int64_t bin = (cp_1 + cp_2) / REPORT_TOTAL_BIN_CP;
    if (bin >= REPORT_TOTAL_BINS) bin = REPORT_TOTAL_BINS - 1;
    l->pairs[bin]++;
    l->conflicts[bin] += p->ruling->conflict;
}

static void add_human_tie(tally_counts *t, const tally_counts_pair *p) {
    report_human_ties *h = &t->out->bias.human_ties;
    if (!p->ruling->both_orders || p->label->majority == EH_VERDICT_NONE) return;
    bool tie = p->label->majority == EH_VERDICT_TIE, conflict = p->ruling->conflict;
    h->conflict_tie += conflict && tie;
    h->conflict_other += conflict && !tie;
    h->agree_tie += !conflict && tie;
    h->agree_other += !conflict && !tie;
}

static void add_repetition(tally_counts *t, const tally_counts_pair *p, int order) {
    report_repetition *r = &t->out->bias.repetition[order];
    int k = t->view->plan.k, counts[4] = {0}, most = 0;
    for (int i = 0; i < k; i++) {
        const plan_sample *s = p->samples[order][i];
        if (!s || s->verdict == EH_VERDICT_NONE) return;
        int n = ++counts[s->verdict];
        most = n > most ? n : most;
    }
    r->n_pairs++;
    r->n_all_equal += most == k;
    t->stability[order] = stats_dd_add(t->stability[order], (double)most / k);
}

void tally_counts_bias_add(tally_counts *t, const tally_counts_pair *p) {
    add_score_gap(t, p->ruling);
    add_length(t, p);
    add_human_tie(t, p);
    for (int o = 0; o < EH_ORDER_N && t->view->plan.k > 1; o++)
        if (t->view->plan.orders & PLAN_ORDER_BIT(o)) add_repetition(t, p, o);
    if (p->label->majority != EH_VERDICT_NONE && !isnan(p->ruling->vote) &&
        !t->view->people)
        stats_reliability_add(&t->reliability, (p->ruling->vote + 1) / 2,
                              tally_outcome(p->label->majority));
}

/* ---- from sums to numbers ---- */

static const report_trend NOT_TESTED = {NAN, NAN, false, "not_tested"};

static eh_status finish_gap(tally_counts *t, const char *no_orders, eh_error *err) {
    report_score_gap *g = &t->out->bias.score_gap;
    g->mean = g->n_pairs ? stats_dd_value(t->gap_sum) / (double)g->n_pairs : NAN;
    g->why = no_orders                             ? no_orders
             : t->view->scale != PLAN_SCALE_SCORES ? "no_scores"
             : g->n_pairs == 0                     ? "no_rows"
                                                   : NULL;
    g->trend = NOT_TESTED;
    if (g->why || t->without_trends) return EH_STATUS_OK;
    return tally_trend(g->conflicts + 1, g->pairs + 1, REPORT_SCORE_GAP_BINS - 1,
                       EXACT_TREND_MAX, &g->trend, err);
}

static eh_status finish_length(tally_counts *t, const char *no_orders, eh_error *err) {
    report_length *l = &t->out->bias.length;
    l->why = no_orders                       ? no_orders
             : !t->any_text                  ? "no_texts"
             : t->out->conflict.n_pairs == 0 ? "no_rows"
                                             : NULL;
    l->trend = NOT_TESTED;
    if (l->why || t->without_trends) return EH_STATUS_OK;
    return tally_trend(l->conflicts, l->pairs, REPORT_TOTAL_BINS, EXACT_TREND_MAX,
                       &l->trend, err);
}

static void finish_human_ties(tally_counts *t, const char *no_orders) {
    report_human_ties *h = &t->out->bias.human_ties;
    stats_fourfold f =
        stats_fisher(h->conflict_tie, h->conflict_other, h->agree_tie, h->agree_other);
    h->phi = f.phi;
    h->p = f.p;
    h->why_phi = f.why == STATS_REASON_NONE ? NULL : stats_reason_name(f.why);
    h->why = no_orders                            ? no_orders
             : t->out->labels.all.n_labelled == 0 ? "no_labels"
                                                  : NULL;
}

eh_status tally_counts_bias_end(tally_counts *t, eh_error *err) {
    const char *no_orders = tally_no_orders(&t->view->plan);
    finish_human_ties(t, no_orders);
    for (int o = 0; o < EH_ORDER_N; o++) {
        report_repetition *r = &t->out->bias.repetition[o];
        r->stability =
            r->n_pairs ? stats_dd_value(t->stability[o]) / (double)r->n_pairs : NAN;
    }
    EH_TRY(finish_gap(t, no_orders, err));
    return finish_length(t, no_orders, err);
}
