/* SPDX-License-Identifier: MIT
 *
 * What fewer samples, or one order, would have said: the samples that are there are
 * ruled again under every such setting, in one pass over the pairs and without asking
 * anyone.
 *
 *   orders {12, 21, both} x samples {1, 2, 3, ... k}, as far as the run has them
 *
 * One order is ruled by mec, both by mec+bpc. Settings that a run does not hold (a
 * verdict before the evidence, another temperature, other templates) are other runs.
 * Sums are taken question by question, as the summary takes them.
 */
#include "page/page.h"
#include "tally/counts.h"

#include <math.h>

#include "stats/agree.h"
#include "stats/cluster.h"

enum { N_SAMPLE_STEPS = 8 };

typedef struct setting_tally {
    plan_spec plan;
    stats_cluster win, conflict, accuracy;
    int64_t table[9]; /* [ruling][label] */
} setting_tally;

typedef struct settings_pass {
    page_judge *j;
    setting_tally tally[PAGE_SETTINGS_MAX];
} settings_pass;

static eh_status add_setting(settings_pass *p, const char *order, int k,
                             eh_error *err) {
    bool both = strcmp(order, "both") == 0;
    plan_wish wish = {.method = both ? EH_STR("mec+bpc") : EH_STR("mec"),
                      .k = k,
                      .order = both ? (eh_str){NULL, 0} : eh_str_of(order)};
    size_t n = p->j->n_settings++;
    setting_tally *t = &p->tally[n];
    stats_cluster_init(&t->win);
    stats_cluster_init(&t->conflict);
    stats_cluster_init(&t->accuracy);
    EH_TRY(plan_make(&wish, &t->plan, err));
    p->j->settings[n] = (page_setting){.orders = t->plan.orders, .k = k};
    return EH_STATUS_OK;
}

/* Samples 1, 2, 3, 5, 8, ... and all that there are. */
static eh_status add_settings(settings_pass *p, eh_error *err) {
    const plan_spec *plan = &p->j->view->plan;
    static const int steps[N_SAMPLE_STEPS - 1] = {1, 2, 3, 5, 8, 16, 32};
    static const char *const orders[] = {"12", "21", "both"};
    for (unsigned o = 0; o < 3; o++) {
        unsigned bits = o < 2 ? PLAN_ORDER_BIT(o) : PLAN_ORDERS_BOTH;
        if ((plan->orders & bits) != bits) continue;
        for (int i = 0; i < N_SAMPLE_STEPS - 1 && steps[i] < plan->k; i++)
            EH_TRY(add_setting(p, orders[o], steps[i], err));
        EH_TRY(add_setting(p, orders[o], plan->k, err));
    }
    return EH_STATUS_OK;
}

static void add_pair(settings_pass *p, size_t i, uint64_t question,
                     const tally_ruled *ruled, eh_verdict label) {
    setting_tally *t = &p->tally[i];
    page_setting *s = &p->j->settings[i];
    plan_ruling r;
    plan_rule(&t->plan, p->j->view->scale, ruled->samples, ruled->n_samples, &r);
    s->n_pairs++;
    s->n_ruled += r.verdict != EH_VERDICT_NONE;
    s->n_ties += r.verdict == EH_VERDICT_TIE;
    s->n_ties_agreed += r.tie_agreed;
    if (r.verdict != EH_VERDICT_NONE)
        stats_cluster_add(&t->win, question, tally_outcome(r.verdict));
    if (r.both_orders) stats_cluster_add(&t->conflict, question, r.conflict);
    if (label == EH_VERDICT_NONE) return;
    s->n_labelled++;
    stats_cluster_add(&t->accuracy, question, r.verdict == label);
    if (r.verdict != EH_VERDICT_NONE) t->table[(r.verdict - 1) * 3 + (label - 1)]++;
}

static eh_status pass_pairs(settings_pass *p, ledger *l, ledger_cursor *cursor,
                            eh_error *err) {
    for (;;) {
        ledger_pair pair;
        tally_ruled ruled;
        int64_t votes[4];
        bool got, flagged;
        EH_TRY(ledger_cursor_next(cursor, &pair, &got, err));
        if (!got) return EH_STATUS_OK;
        EH_TRY(tally_rule_pair(l, p->j->view, pair.row, &ruled, err));
        if (!ruled.in_scope) continue;
        EH_TRY(ledger_label_counts(l, pair.row, votes, err));
        eh_verdict label = tally_label_majority(votes, &flagged);
        for (size_t i = 0; i < p->j->n_settings; i++)
            add_pair(p, i, pair.question_hash, &ruled, label);
    }
}

eh_status page_settings(ledger *l, page_judge *j, eh_error *err) {
    settings_pass p = {.j = j};
    j->n_settings = 0;
    if (plan_n_stages(&j->view->plan) > 1) return EH_STATUS_OK; /* asked by need */
    EH_TRY(add_settings(&p, err));
    ledger_cursor *cursor;
    EH_TRY(ledger_cursor_open(l, LEDGER_BY_QUESTION, &cursor, err));
    eh_status status = pass_pairs(&p, l, cursor, err);
    ledger_cursor_close(cursor);
    EH_TRY(status);
    for (size_t i = 0; i < j->n_settings; i++) {
        page_setting *s = &j->settings[i];
        s->win = tally_rate_of(&p.tally[i].win);
        s->conflict = tally_rate_of(&p.tally[i].conflict);
        s->accuracy = tally_rate_of(&p.tally[i].accuracy);
        s->kappa = stats_cohen_kappa(p.tally[i].table, 3).kappa;
    }
    return EH_STATUS_OK;
}
