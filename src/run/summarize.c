/* SPDX-License-Identifier: MIT
 *
 * All numbers of a ledger's runs in one pass a run.
 *
 *   pairs, question by question -> samples -> ruling -> counters and cluster sums
 *
 * Nothing is kept per pair, so a million pairs cost the memory of one. The cursor runs
 * by question because the intervals are clustered by question; that order depends on
 * the texts alone, and every sum is exact or taken in that order, so a summary depends
 * on the replies and on nothing else.
 */
#include "run/summarize.h"
#include "run/summarize_portia.h"
#include "run/transitivity.h"

#include <math.h>

#include "stats/agree.h"
#include "stats/cluster.h"
#include "stats/test.h"

#define LEVEL .95

/* Agreement of one kind of ruling with the labels. */
typedef struct agreement_sum {
    int64_t n_labelled;
    int64_t table[9]; /* [ruling][label], classes 1, 2, tie */
} agreement_sum;

typedef struct tally {
    const run_view *view;
    const run_scope *scope; /* NULL: all pairs */
    report_judge *out;
    stats_cluster win, soft, conflict, sample_conflict, order_win[EH_ORDER_N];
    stats_dd bpde_sum;
    agreement_sum all, without_flagged, by_order[EH_ORDER_N];
    int64_t label_counts[4];
    bool models_differ;
    run_transitivity *transitivity;
    eh_arena *arena;
} tally;

double run_outcome(eh_verdict v) {
    return v == EH_VERDICT_1 ? 1 : v == EH_VERDICT_2 ? 0 : .5;
}

static void add_counts(tally *t, const plan_sample *s) {
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

/* Verdicts of the two orders, both there: do they differ, and which way? */
static void add_conflict(report_conflict *c, stats_cluster *cluster, uint64_t question,
                         eh_verdict v12, eh_verdict v21) {
    bool differs = v12 != v21;
    c->n_pairs++;
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

static void add_samples(tally *t, const ledger_pair *pair, const run_ruled *r) {
    const plan_spec *plan = &t->view->plan;
    eh_verdict verdicts[EH_ORDER_N][PLAN_MAX_SAMPLES] = {{EH_VERDICT_NONE}};
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
        verdicts[s->order][s->sample] = s->verdict;
        add_counts(t, s);
    }
    for (int k = 0; k < plan->k; k++)
        if (verdicts[0][k] != EH_VERDICT_NONE && verdicts[1][k] != EH_VERDICT_NONE)
            add_conflict(&t->out->conflict_by_sample, &t->sample_conflict,
                         pair->question_hash, verdicts[0][k], verdicts[1][k]);
}

static void add_ruling(tally *t, const ledger_pair *pair, const plan_ruling *r) {
    report_judge *out = t->out;
    uint64_t question = pair->question_hash;
    out->rulings.n_1 += r->verdict == EH_VERDICT_1;
    out->rulings.n_2 += r->verdict == EH_VERDICT_2;
    out->rulings.tie_agreed += r->tie_agreed;
    out->rulings.tie_from_conflict += r->verdict == EH_VERDICT_TIE && !r->tie_agreed;
    out->rulings.n_none += r->verdict == EH_VERDICT_NONE;
    out->none[r->none]++;
    run_transitivity_add(t->transitivity, pair, r->verdict);
    if (r->verdict != EH_VERDICT_NONE)
        stats_cluster_add(&t->win, question, run_outcome(r->verdict));
    if (!isnan(r->vote)) stats_cluster_add(&t->soft, question, (r->vote + 1) / 2);
    for (int o = 0; o < EH_ORDER_N; o++)
        if (r->by_order[o].verdict != EH_VERDICT_NONE)
            stats_cluster_add(&t->order_win[o], question,
                              run_outcome(r->by_order[o].verdict));
    if (r->both_orders)
        add_conflict(&out->conflict, &t->conflict, question, r->by_order[0].verdict,
                     r->by_order[1].verdict);
    if (isnan(r->bpde)) return;
    out->bpde.n++;
    out->bpde.zero += r->bpde == 0;
    t->bpde_sum = stats_dd_add(t->bpde_sum, r->bpde);
    if (!(r->bpde <= out->bpde.max)) out->bpde.max = r->bpde;
}

static void add_agreement(agreement_sum *a, eh_verdict ruling, eh_verdict label) {
    a->n_labelled++;
    if (ruling != EH_VERDICT_NONE) a->table[(ruling - 1) * 3 + (label - 1)]++;
}

/* Of the judge, also where the labels decide: labels agree with themselves. */
static eh_status add_labels(tally *t, ledger *l, const ledger_pair *pair,
                            const run_ruled *ruled, eh_verdict *majority,
                            eh_error *err) {
    const plan_ruling *r = &ruled->ruling;
    int64_t counts[4];
    bool flagged;
    EH_TRY(ledger_label_counts(l, pair->row, counts, err));
    eh_verdict label = *majority = run_label_majority(counts, &flagged);
    if (label == EH_VERDICT_NONE) return EH_STATUS_OK;
    t->label_counts[label]++;
    t->out->labels.n_flagged += flagged;
    add_agreement(&t->all, ruled->judge_verdict, label);
    if (!flagged) add_agreement(&t->without_flagged, ruled->judge_verdict, label);
    for (int o = 0; o < EH_ORDER_N; o++)
        if (t->view->plan.orders & PLAN_ORDER_BIT(o))
            add_agreement(&t->by_order[o], r->by_order[o].verdict, label);
    return EH_STATUS_OK;
}

/* Keeps the models' names as long as all pairs have the same two. */
static eh_status add_models(tally *t, const ledger_pair *pair, eh_error *err) {
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

/* ---- from sums to numbers ---- */

static const char *reason_or_null(stats_reason why) {
    return why == STATS_REASON_NONE ? NULL : stats_reason_name(why);
}

report_rate run_rate_of(const stats_cluster *c) {
    stats_mean m = stats_cluster_mean(c);
    stats_interval i = stats_cluster_interval(c, LEVEL);
    return (report_rate){.value = i.value,
                         .low = i.low,
                         .high = i.high,
                         .n = m.n,
                         .n_questions = m.n_clusters,
                         .why = reason_or_null(i.why)};
}

static double share(int64_t part, int64_t whole) {
    return whole > 0 ? (double)part / (double)whole : NAN;
}

static report_agreement agreement_of(const agreement_sum *a) {
    int64_t n_equal = a->table[0] + a->table[4] + a->table[8];
    stats_kappa k = stats_cohen_kappa(a->table, 3);
    return (report_agreement){
        .n_labelled = a->n_labelled,
        .n_ruled = k.n,
        .accuracy = share(n_equal, a->n_labelled),
        .accuracy_ruled = share(n_equal, k.n),
        .kappa = k.kappa,
        .why = a->n_labelled ? NULL : stats_reason_name(STATS_REASON_NO_ROWS),
        .why_ruled = k.n ? NULL : stats_reason_name(STATS_REASON_NO_ROWS),
        .why_kappa = reason_or_null(k.why),
    };
}

static void finish_conflict(report_conflict *c, const stats_cluster *cluster,
                            int64_t n_all) {
    c->rate = run_rate_of(cluster);
    c->rate_all = share(c->n_conflicts, n_all);
    c->p_direction = stats_sign_test(c->first_both, c->second_both);
}

static void finish_labels(tally *t) {
    report_labels *out = &t->out->labels;
    out->all = agreement_of(&t->all);
    out->without_flagged = agreement_of(&t->without_flagged);
    int64_t most = 0;
    for (int v = EH_VERDICT_1; v <= EH_VERDICT_TIE; v++)
        if (t->label_counts[v] > most) {
            most = t->label_counts[v];
            out->baseline_label = (eh_verdict)v;
        }
    out->baseline = share(most, t->all.n_labelled);
    for (int o = 0; o < EH_ORDER_N; o++)
        out->by_order[o] = agreement_of(&t->by_order[o]);
}

/* People at the head of the queue and the judge on the rest: nobody knows how wrong it
 * is there, so there is a value and no interval. */
static void drop_interval(report_rate *r) {
    r->low = r->high = (double)NAN;
    r->why = "some_pairs_unlabelled";
}

static void finish(tally *t) {
    report_judge *out = t->out;
    out->position.one_order = t->view->plan.orders != PLAN_ORDERS_BOTH;
    out->position.first_rate =
        share(out->position.first, out->position.first + out->position.second);
    finish_conflict(&out->conflict, &t->conflict, out->n_pairs);
    finish_conflict(&out->conflict_by_sample, &t->sample_conflict,
                    out->n_pairs * t->view->plan.k);
    out->win_rate = run_rate_of(&t->win);
    out->win_rate_soft = run_rate_of(&t->soft);
    if (t->view->people && t->all.n_labelled < out->n_pairs) {
        drop_interval(&out->win_rate);
        drop_interval(&out->win_rate_soft);
    }
    for (int o = 0; o < EH_ORDER_N; o++)
        out->win_rate_by_order[o] = run_rate_of(&t->order_win[o]);
    out->transitivity = run_transitivity_counts(t->transitivity);
    out->bpde.mean =
        out->bpde.n ? stats_dd_value(t->bpde_sum) / (double)out->bpde.n : NAN;
    finish_labels(t);
}

static eh_status tally_pairs(tally *t, ledger *l, ledger_cursor *c, eh_error *err) {
    for (;;) {
        ledger_pair pair;
        run_ruled ruled;
        bool got;
        EH_TRY(ledger_cursor_next(c, &pair, &got, err));
        if (!got) return EH_STATUS_OK;
        if (t->scope && !t->scope->holds(t->scope->self, &pair)) continue;
        EH_TRY(run_rule_pair(l, t->view, pair.row, &ruled, err));
        if (!ruled.in_scope) continue;
        t->out->n_pairs++;
        EH_TRY(add_models(t, &pair, err));
        add_samples(t, &pair, &ruled);
        add_ruling(t, &pair, &ruled.ruling);
        eh_verdict label;
        EH_TRY(add_labels(t, l, &pair, &ruled, &label, err));
        if (plan_n_stages(&t->view->plan) > 1)
            EH_TRY(run_portia_add(&t->out->portia, t->view, &pair, &ruled, label,
                                  t->arena, err));
    }
}

/* Do two calls name different models or versions? A name that is not there says
 * nothing. */
static bool models_clash(const report_model *a, const report_model *b) {
    bool both_model = !eh_str_is_absent(a->model) && !eh_str_is_absent(b->model);
    bool both_print =
        !eh_str_is_absent(a->fingerprint) && !eh_str_is_absent(b->fingerprint);
    return (both_model && !eh_str_eq(a->model, b->model)) ||
           (both_print && !eh_str_eq(a->fingerprint, b->fingerprint));
}

static eh_status take_models(ledger *l, const run_view *view, eh_arena *arena,
                             report_judge *out, eh_error *err) {
    ledger_model *models;
    size_t n;
    ledger_ask of = {.judge_row = view->run.judge_row};
    EH_TRY(ledger_models(l, &of, &view->plan, arena, &models, &n, err));
    out->models = arena_zalloc(arena, n + 1, sizeof *out->models);
    if (!out->models) return EH_NOMEM(err);
    for (size_t i = 0; i < n; i++) {
        out->models[i] = (report_model){.model = models[i].model,
                                        .fingerprint = models[i].fingerprint,
                                        .n_calls = models[i].n_calls};
        for (size_t j = 0; j < i && !out->mixed_models; j++)
            out->mixed_models = models_clash(&out->models[i], &out->models[j]);
    }
    out->n_models = n;
    return EH_STATUS_OK;
}

/* The pass over the pairs, and what follows from it. */
static eh_status tally_all(tally *t, ledger *l, eh_error *err) {
    ledger_cursor *c;
    t->transitivity = run_transitivity_new();
    if (!t->transitivity) return EH_NOMEM(err);
    eh_status status = ledger_cursor_open(l, LEDGER_BY_QUESTION, &c, err);
    if (status == EH_STATUS_OK) status = tally_pairs(t, l, c, err);
    ledger_cursor_close(c);
    if (status == EH_STATUS_OK) finish(t);
    run_transitivity_free(t->transitivity);
    return status;
}

eh_status run_summarize_scope(ledger *l, const run_view *view, const run_scope *scope,
                              eh_arena *arena, report_judge *out, eh_error *err) {
    tally t = {.view = view, .scope = scope, .out = out, .arena = arena};
    stats_cluster *clusters[] = {&t.win,          &t.soft,
                                 &t.conflict,     &t.sample_conflict,
                                 &t.order_win[0], &t.order_win[1]};
    for (size_t i = 0; i < sizeof clusters / sizeof clusters[0]; i++)
        stats_cluster_init(clusters[i]);
    *out = (report_judge){
        .judge_id = view->run.judge.judge,
        .template_name = view->run.judge.template_name,
        .params_json = view->run.judge.params,
        .plan = view->plan,
        .people = view->people,
        .scale = view->scale,
        .bpde.max = NAN,
    };
    EH_TRY(tally_all(&t, l, err));
    if (plan_n_stages(&view->plan) > 1)
        EH_TRY(run_portia_finish(&out->portia, view, l, err));
    ledger_usage usage;
    EH_TRY(ledger_usage_sum(l, view->run.judge_row, &view->plan, &usage, err));
    out->n_calls = usage.n_calls;
    out->prompt_tokens = usage.prompt_tokens;
    out->cached_tokens = usage.cached_tokens;
    out->completion_tokens = usage.completion_tokens;
    out->reasoning_tokens = usage.reasoning_tokens;
    out->cost_nusd = -1;
    return take_models(l, view, arena, out, err);
}

eh_status run_summarize(ledger *l, eh_str method, eh_arena *arena,
                        report_summary *summary, eh_error *err) {
    run_view *views;
    size_t n;
    *summary = (report_summary){0};
    EH_TRY(run_views(l, method, arena, &views, &n, err));
    EH_TRY(ledger_count_pairs(l, &summary->n_pairs, err));
    summary->judges = arena_zalloc(arena, n + 1, sizeof *summary->judges);
    if (!summary->judges) return EH_NOMEM(err);
    for (size_t i = 0; i < n; i++)
        EH_TRY(
            run_summarize_scope(l, &views[i], NULL, arena, &summary->judges[i], err));
    summary->n_judges = n;
    eh_str *names;
    EH_TRY(run_view_names(views, n, arena, &names, err));
    for (size_t i = 0; i < n; i++)
        summary->judges[i].name = names[i];
    return EH_STATUS_OK;
}
