/* SPDX-License-Identifier: MIT
 *
 * Tallying.
 *
 *   pair -> samples, ruling, label -> counters and cluster sums -> numbers
 *
 * Pairs come by question because the intervals are clustered by question; that order
 * depends on the texts alone, and every sum is exact or taken in that order, so the
 * numbers depend on the replies and on nothing else. A million pairs cost the memory of
 * one. The parts that have a subject of their own are in tally_bias.c, tally_compat.c
 * and summarize_portia.c.
 */
#include "tally/counts.h"

#include <math.h>

#include "tally/summarize_portia.h"
#include "stats/agree.h"
#include "stats/difference.h"
#include "stats/test.h"

double tally_outcome(eh_verdict v) {
    return v == EH_VERDICT_1 ? 1 : v == EH_VERDICT_2 ? 0 : .5;
}

const char *tally_no_orders(const plan_spec *plan) {
    return plan_is_alone(plan)                ? "standalone"
           : plan->orders != PLAN_ORDERS_BOTH ? "one_order"
                                              : NULL;
}

void tally_counts_begin(tally_counts *t, const tally_view *view, eh_arena *arena,
                        report_judge *out) {
    *t = (tally_counts){.view = view,
                        .out = out,
                        .arena = arena,
                        .win_questions.arena = arena,
                        .soft_questions.arena = arena};
    stats_cluster *clusters[] = {
        &t->win,          &t->soft,         &t->conflict,       &t->sample_conflict,
        &t->order_win[0], &t->order_win[1], &t->human_agreement};
    for (size_t i = 0; i < sizeof clusters / sizeof clusters[0]; i++)
        stats_cluster_init(clusters[i]);
    stats_reliability_begin(&t->reliability, REPORT_RELIABILITY_BINS);
    *out = (report_judge){
        .judge_id = view->run.judge.judge,
        .template_name = view->run.judge.template_name,
        .params_json = view->run.judge.params,
        .plan = view->plan,
        .people = view->people,
        .scale = view->scale,
        .bpde.max = NAN,
        .cost_nusd = -1,
        .prompt_tokens = -1,
        .cached_tokens = -1,
        .completion_tokens = -1,
        .reasoning_tokens = -1,
    };
}

/* ---- one pair ---- */

static void add_counts(tally_counts *t, const plan_sample *s) {
    report_counts *c = &t->out->counts[s->order];
    c->n_1 += s->verdict == EH_VERDICT_1;
    c->n_2 += s->verdict == EH_VERDICT_2;
    c->n_tie += s->verdict == EH_VERDICT_TIE;
    if (s->verdict == EH_VERDICT_NONE) {
        c->n_failed++;
        t->out->failed[s->reason]++;
        return;
    }
    eh_verdict shown = eh_verdict_unswap(s->verdict, s->order);
    t->out->position.first += shown == EH_VERDICT_1;
    t->out->position.second += shown == EH_VERDICT_2;
    t->out->position.tie += shown == EH_VERDICT_TIE;
}

void tally_conflict_add(report_conflict *c, stats_cluster *cluster, uint64_t question,
                        eh_verdict v12, eh_verdict v21) {
    bool differs = v12 != v21;
    c->n_pairs++;
    c->table[(v12 - 1) * 3 + (v21 - 1)]++;
    stats_cluster_add(cluster, question, differs);
    if (!differs) return;
    c->n_conflicts++;
    if (v12 == EH_VERDICT_TIE || v21 == EH_VERDICT_TIE)
        c->with_tie++;
    else if (v12 == EH_VERDICT_1) /* answer 1 in order 12 and answer 2 in order 21 */
        c->first_both++;
    else
        c->second_both++;
}

/* Counts the samples and puts them into their places. */
static void add_samples(tally_counts *t, const tally_ruled *r, tally_counts_pair *p) {
    const plan_spec *plan = &t->view->plan;
    for (size_t i = 0; i < r->n_samples; i++) {
        const plan_sample *s = &r->samples[i];
        if (!(plan->orders & PLAN_ORDER_BIT(s->order)) || s->sample >= plan->k)
            continue;
        if (plan_stage_of(plan, s->stage_code) < 0) continue;
        if (plan_is_alone(plan)) {
            t->out->counts[s->order].n_scored += s->verdict != EH_VERDICT_NONE;
            t->out->counts[s->order].n_failed += s->verdict == EH_VERDICT_NONE;
        }
        if (s->stage_code != 0) { /* of later stages only the failures are counted */
            if (s->verdict == EH_VERDICT_NONE) t->out->failed[s->reason]++;
            continue;
        }
        p->samples[s->order][s->sample] = s;
        add_counts(t, s);
    }
    for (int k = 0; k < plan->k; k++) {
        const plan_sample *s12 = p->samples[0][k], *s21 = p->samples[1][k];
        if (s12 && s21 && s12->verdict != EH_VERDICT_NONE &&
            s21->verdict != EH_VERDICT_NONE)
            tally_conflict_add(&t->out->conflict_by_sample, &t->sample_conflict,
                               p->pair->question_hash, s12->verdict, s21->verdict);
    }
}

static void add_outcome(tally_counts *t, uint64_t question, double value,
                        stats_cluster *cluster, tally_resample *questions) {
    stats_cluster_add(cluster, question, value);
    if (t->n_resamples) tally_resample_add(questions, question, value);
}

static void add_ruling(tally_counts *t, uint64_t question, const plan_ruling *r) {
    report_judge *out = t->out;
    out->rulings.n_1 += r->verdict == EH_VERDICT_1;
    out->rulings.n_2 += r->verdict == EH_VERDICT_2;
    out->rulings.tie_agreed += r->tie_agreed;
    out->rulings.tie_from_conflict += r->verdict == EH_VERDICT_TIE && !r->tie_agreed;
    out->rulings.n_none += r->verdict == EH_VERDICT_NONE;
    out->none[r->none]++;
    if (r->verdict != EH_VERDICT_NONE)
        add_outcome(t, question, tally_outcome(r->verdict), &t->win, &t->win_questions);
    if (!isnan(r->vote))
        add_outcome(t, question, (r->vote + 1) / 2, &t->soft, &t->soft_questions);
    for (int o = 0; o < EH_ORDER_N; o++)
        if (r->by_order[o].verdict != EH_VERDICT_NONE)
            stats_cluster_add(&t->order_win[o], question,
                              tally_outcome(r->by_order[o].verdict));
    if (r->both_orders)
        tally_conflict_add(&out->conflict, &t->conflict, question,
                           r->by_order[0].verdict, r->by_order[1].verdict);
    if (isnan(r->bpde)) return;
    out->bpde.n++;
    out->bpde.zero += r->bpde == 0;
    t->bpde_sum = stats_dd_add(t->bpde_sum, r->bpde);
    if (!(r->bpde <= out->bpde.max)) out->bpde.max = r->bpde;
}

/* Of the judge, also where the labels decide: labels agree with themselves. */
static void add_label(tally_counts *t, uint64_t question, const tally_ruled *ruled,
                      const tally_label *label) {
    const plan_ruling *r = &ruled->ruling;
    report_labels *l = &t->out->labels;
    if (label->majority == EH_VERDICT_NONE) return;
    t->label_counts[label->majority]++;
    l->n_flagged += label->flagged;
    t->out->n_by_people += ruled->by_people;
    t->out->n_people_labels += ruled->by_people ? label->n_labels : 0;
    report_agreement_add(&l->all, ruled->judge_verdict, label->majority);
    if (!label->flagged)
        report_agreement_add(&l->without_flagged, ruled->judge_verdict,
                             label->majority);
    for (int o = 0; o < EH_ORDER_N; o++)
        if (t->view->plan.orders & PLAN_ORDER_BIT(o))
            report_agreement_add(&l->by_order[o], r->by_order[o].verdict,
                                 label->majority);
    if (tally_no_orders(&t->view->plan)) return;
    eh_verdict consistent = tally_consistent_verdict(t->view, r);
    stats_cluster_add(&t->human_agreement, question, consistent == label->majority);
}

/* Keeps the models' names as long as all pairs have the same two. */
static eh_status add_models(tally_counts *t, const ledger_pair *pair, eh_error *err) {
    report_judge *out = t->out;
    if (t->models_differ) return EH_STATUS_OK;
    if (out->n_pairs == 1) {
        if (!arena_copy(t->arena, pair->model_1, &out->model_1) ||
            !arena_copy(t->arena, pair->model_2, &out->model_2))
            return EH_NOMEM(err);
        return EH_STATUS_OK;
    }
    t->models_differ = !eh_str_eq(out->model_1, pair->model_1) ||
                       !eh_str_eq(out->model_2, pair->model_2);
    if (t->models_differ) out->model_1 = out->model_2 = (eh_str){NULL, 0};
    return EH_STATUS_OK;
}

eh_status tally_counts_add(tally_counts *t, const ledger_pair *pair,
                           const tally_ruled *ruled, const tally_label *label,
                           eh_error *err) {
    tally_counts_pair p = {.pair = pair, .ruling = &ruled->ruling, .label = label};
    t->out->n_pairs++;
    EH_TRY(add_models(t, pair, err));
    add_samples(t, ruled, &p);
    add_ruling(t, pair->question_hash, &ruled->ruling);
    if (t->transitivity)
        tally_transitivity_add(t->transitivity, pair, ruled->ruling.verdict);
    add_label(t, pair->question_hash, ruled, label);
    tally_counts_bias_add(t, &p);
    tally_counts_compat_add(t, &p);
    if (plan_n_stages(&t->view->plan) == 1) return EH_STATUS_OK;
    return tally_portia_add(&t->out->portia, t->view, pair, ruled, label->majority,
                            t->arena, err);
}

/* ---- from sums to numbers ---- */

static const char *reason_or_null(stats_reason why) {
    return why == STATS_REASON_NONE ? NULL : stats_reason_name(why);
}

report_rate tally_rate_of(const stats_cluster *c) {
    stats_mean m = stats_cluster_mean(c);
    stats_interval i = stats_cluster_interval(c, RUN_LEVEL);
    return (report_rate){.value = i.value,
                         .low = i.low,
                         .high = i.high,
                         .n = m.n,
                         .n_questions = m.n_clusters,
                         .why = reason_or_null(i.why)};
}

static void finish_conflict(report_conflict *c, const stats_cluster *cluster,
                            int64_t n_all) {
    stats_kappa k = stats_cohen_kappa(c->table, 3);
    c->rate = tally_rate_of(cluster);
    c->rate_all = report_share(c->n_conflicts, n_all);
    c->p_direction = stats_sign_test(c->first_both, c->second_both);
    c->kappa = k.kappa;
    c->why_kappa = reason_or_null(k.why);
}

/* The variance of one question's mean is se^2 times their number. */
static report_planning planning_of(const stats_cluster *win) {
    stats_mean m = stats_cluster_mean(win);
    report_planning p = {.detectable = NAN, .why = reason_or_null(m.why)};
    if (p.why) return p;
    double variance = m.se * m.se * (double)m.n_clusters;
    if (!(variance > 0)) {
        p.why = stats_reason_name(STATS_REASON_NO_VARIANCE);
        return p;
    }
    p.questions = stats_questions_needed(variance, REPORT_HALF_WIDTH, RUN_LEVEL);
    p.detectable = stats_detectable(variance, m.n_clusters, RUN_LEVEL, REPORT_POWER);
    return p;
}

static void finish_labels(tally_counts *t) {
    report_labels *l = &t->out->labels;
    report_agreement_end(&l->all);
    report_agreement_end(&l->without_flagged);
    int64_t most = 0;
    for (int v = EH_VERDICT_1; v <= EH_VERDICT_TIE; v++)
        if (t->label_counts[v] > most) {
            most = t->label_counts[v];
            l->baseline_label = (eh_verdict)v;
        }
    l->baseline = report_share(most, l->all.n_labelled);
    for (int o = 0; o < EH_ORDER_N; o++)
        report_agreement_end(&l->by_order[o]);
    if (report_orders_apart(t->out)) { /* no rulings by design: nobody was wrong */
        l->all.accuracy = l->without_flagged.accuracy = NAN;
        l->all.why = l->without_flagged.why = plan_none_name(PLAN_NONE_SIDE_BY_SIDE);
    }
    l->human_agreement = tally_rate_of(&t->human_agreement);
    if (tally_no_orders(&t->view->plan))
        l->human_agreement.why = tally_no_orders(&t->view->plan);
    l->reliability = stats_reliability_end(&t->reliability, l->reliability_bins);
}

/* People at the head of the queue and the judge on the rest: nobody knows how wrong it
 * is there, so there is a value and no interval. */
static void drop_interval(report_rate *r) {
    r->low = r->high = (double)NAN;
    r->why = "some_pairs_unlabelled";
    if (r->bootstrap.n_resamples == 0) return;
    r->bootstrap.low = r->bootstrap.high = (double)NAN;
    r->bootstrap.why = r->why;
}

static eh_status finish_win_rates(tally_counts *t, eh_error *err) {
    report_judge *out = t->out;
    out->win_rate = tally_rate_of(&t->win);
    out->win_rate_soft = tally_rate_of(&t->soft);
    if (t->n_resamples) {
        EH_TRY(tally_resample_end(
            (const tally_resample *const[]){&t->win_questions, &t->soft_questions},
            t->n_resamples,
            (report_bootstrap *const[]){&out->win_rate.bootstrap,
                                        &out->win_rate_soft.bootstrap},
            err));
    }
    if (t->view->people && out->labels.all.n_labelled < out->n_pairs) {
        drop_interval(&out->win_rate);
        drop_interval(&out->win_rate_soft);
        out->planning.why = out->win_rate.why;
    }
    for (int o = 0; o < EH_ORDER_N; o++)
        out->win_rate_by_order[o] = tally_rate_of(&t->order_win[o]);
    return EH_STATUS_OK;
}

eh_status tally_counts_end(tally_counts *t, eh_error *err) {
    report_judge *out = t->out;
    out->position.one_order = t->view->plan.orders != PLAN_ORDERS_BOTH;
    out->position.first_rate =
        report_share(out->position.first, out->position.first + out->position.second);
    finish_conflict(&out->conflict, &t->conflict, out->n_pairs);
    finish_conflict(&out->conflict_by_sample, &t->sample_conflict,
                    out->n_pairs * t->view->plan.k);
    out->planning = planning_of(&t->win);
    EH_TRY(finish_win_rates(t, err));
    if (t->transitivity) out->transitivity = tally_transitivity_counts(t->transitivity);
    out->bpde.mean =
        out->bpde.n ? stats_dd_value(t->bpde_sum) / (double)out->bpde.n : NAN;
    finish_labels(t);
    tally_counts_compat_end(t);
    return tally_counts_bias_end(t, err);
}
