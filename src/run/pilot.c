/* SPDX-License-Identifier: MIT
 *
 * A pilot.
 *
 *   a sample of the pairs (sample.h)
 *        |
 *   engine over them, both orders  -->  numbers over them  -->  forecast for all pairs
 *
 * A method of one order is asked in both here, since its bias is what a pilot is to
 * find; it is then ruled as bpc or mec+bpc would. The second order is extra and stays
 * in the ledger without entering the numbers of the run itself.
 *
 * Calls for the whole data set are pairs times calls of a pair; equal rows, which share
 * theirs, are not looked for. Tokens are the means of the replies that there are, and
 * unknown where the pilot asked for the verdict first: those replies are shorter.
 */
#include "run/pilot.h"

#include <math.h>

#include "run/sample.h"
#include "tally/summarize.h"

/* ---- what it found ---- */

/* The run's view, ruled over both orders. */
static eh_status pilot_view(ledger *l, int64_t run_row, eh_arena *arena,
                            tally_view *view, eh_error *err) {
    tally_view *views;
    size_t n, i = 0;
    EH_TRY(tally_views(l, EH_STR(""), arena, &views, &n, err));
    while (i < n && views[i].run.row != run_row)
        i++;
    if (i == n) return EH_FAIL(err, EH_STATUS_LEDGER, "the pilot's run is gone");
    *view = views[i];
    if (!plan_is_single_order(&view->plan)) return EH_STATUS_OK;
    plan_wish wish = {.method = view->plan.k > 1 ? EH_STR("mec+bpc") : EH_STR("bpc"),
                      .k = view->plan.k};
    return plan_make(&wish, &view->plan, err);
}

/* What looking at a pilot works on. */
typedef struct pilot_work {
    ledger *l;
    const run_setup *setup; /* as the user wants it */
    const price_row *price;
    eh_arena *arena;
    double prompt_tokens, completion_tokens; /* of a call; NaN where unknown */
    report_pilot *out;
} pilot_work;

/* How much of a method's plan over all pairs the ledger holds. */
static eh_status count_present(pilot_work *w, const plan_spec *plan, int64_t *n,
                               eh_error *err) {
    run_setup other = *w->setup;
    ledger_judge identity;
    ledger_usage usage;
    int64_t judge_row;
    *n = 0;
    other.plan = *plan;
    if (other.j->uses_template) other.params.temperature = plan->temperature;
    EH_TRY(run_setup_judge(&other, w->arena, &identity, err));
    EH_TRY(ledger_judge_find(w->l, &identity, &judge_row, err));
    if (!judge_row) return EH_STATUS_OK;
    EH_TRY(ledger_usage_sum(w->l, judge_row, plan, &usage, err));
    *n = usage.n_calls;
    return EH_STATUS_OK;
}

static int64_t cost_of(const price_row *price, const report_pilot_method *m) {
    if (!price || isnan(m->prompt_tokens) || isnan(m->completion_tokens)) return -1;
    judge_usage usage = {.prompt_tokens = llround(m->prompt_tokens),
                         .cached_tokens = -1,
                         .completion_tokens = llround(m->completion_tokens),
                         .reasoning_tokens = -1};
    return price_cost_nusd(price, &usage);
}

static eh_status forecast(pilot_work *w, const char *name, report_pilot_method *m,
                          eh_error *err) {
    const plan_spec *own = &w->setup->plan;
    bool many = eh_str_eq_cstr(EH_STR("mec+bpc"), name);
    plan_wish wish = {.method = eh_str_of(name),
                      .k = many && own->k > 1 ? own->k : 0,
                      .temperature_given = own->temperature_given,
                      .temperature = own->temperature};
    EH_TRY(plan_make(&wish, &m->plan, err));
    EH_TRY(count_present(w, &m->plan, &m->n_present, err));
    m->n_calls = w->out->n_pairs * plan_calls_per_pair(&m->plan);
    double n_missing = (double)(m->n_calls - m->n_present);
    bool alike = plan_evidence_first(own) == plan_evidence_first(&m->plan);
    m->prompt_tokens = alike ? w->prompt_tokens * n_missing : (double)NAN;
    m->completion_tokens = alike ? w->completion_tokens * n_missing : (double)NAN;
    m->cost_nusd = cost_of(w->price, m);
    return EH_STATUS_OK;
}

static double mean_or_nan(int64_t sum, int64_t n) {
    return sum >= 0 && n > 0 ? (double)sum / (double)n : (double)NAN;
}

static eh_status look(pilot_work *w, const tally_scope *scope, int64_t run_row,
                      eh_error *err) {
    tally_view view;
    report_pilot *p = w->out;
    report_judge *j = arena_zalloc(w->arena, 1, sizeof *j);
    if (!j) return EH_NOMEM(err);
    *p = (report_pilot){.plan = w->setup->plan, .judge = j};
    EH_TRY(pilot_view(w->l, run_row, w->arena, &view, err));
    EH_TRY(tally_summarize_scope(w->l, &view, scope, w->arena, j, err));
    EH_TRY(ledger_count_pairs(w->l, &p->n_pairs, err));
    for (int o = 0; o < EH_ORDER_N; o++) {
        const report_counts *c = &j->counts[o];
        p->n_failed += c->n_failed;
        p->n_replies += c->n_1 + c->n_2 + c->n_tie + c->n_failed;
    }
    w->prompt_tokens = mean_or_nan(j->prompt_tokens, j->n_calls);
    w->completion_tokens = mean_or_nan(j->completion_tokens, j->n_calls);
    p->prompt_tokens = w->prompt_tokens * plan_calls_per_pair(&view.plan);
    p->completion_tokens = w->completion_tokens * plan_calls_per_pair(&view.plan);
    EH_TRY(forecast(w, "bpc", &p->methods[0], err));
    return forecast(w, "mec+bpc", &p->methods[1], err);
}

eh_status run_pilot(ledger *l, const run_options *run, const run_pilot_options *options,
                    eh_arena *arena, run_result *result, report_pilot *pilot,
                    eh_error *err) {
    run_sample sample = {.purpose = "pilot", .seed = options->seed};
    run_options own = *run;
    EH_TRY(run_sample_draw(l, options->n_pairs, &sample, err));
    tally_scope scope = run_sample_scope(&sample);
    own.scope = &scope;
    own.recorded = &run->setup.plan;
    own.setup.plan.orders = PLAN_ORDERS_BOTH;
    EH_TRY(run_engine(l, &own, result, err));
    if (result->end != RUN_END_DONE) return EH_STATUS_OK;
    pilot_work w = {.l = l,
                    .setup = &run->setup,
                    .price = options->price,
                    .arena = arena,
                    .out = pilot};
    return look(&w, &scope, result->run_row, err);
}
