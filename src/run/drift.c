/* SPDX-License-Identifier: MIT
 *
 * Drift.
 *
 *   a sample of the pairs (by seed and id) --engine, stream `drift`--> new replies
 *
 *   of each pair      M: the run's samples of a prompt     D: the new ones
 *     shift           mean vote of D - mean vote of M                 moved wins
 *     change          P(M differs from D) - mean of P(two of M differ),
 *                                           P(two of D differ)        beyond noise
 *     level           mean score of D - mean score of M               moved scores
 *
 * Each is 0 on average where nothing changed, however noisy the judge is: the repeats
 * say how much two replies of one time differ, and `change` is what differs beyond
 * that. Where the run has one sample of a prompt, two new ones are asked, so that there
 * are repeats. A reply without a verdict counts as a verdict of its own: a judge that
 * begins to refuse has changed.
 *
 * Three questions are asked, so p values are adjusted (Holm); the change is one-sided,
 * since replies cannot differ less than they do among themselves but by chance.
 *
 * Left out: what changed. The replies are in the ledger.
 */
#include "run/drift.h"

#include <math.h>

#include "run/sample.h"
#include "stats/test.h"

#define LEVEL .95
#define ALPHA .05
#define SCALE_WIDTH 9.0 /* scores go from 1 to 10 */

typedef struct drifting {
    ledger *l;
    const tally_view *view;
    plan_spec plan; /* of the new replies */
    report_drift *out;
    stats_cluster difference[REPORT_DRIFT_N], before[REPORT_DRIFT_N],
        now[REPORT_DRIFT_N];
} drifting;

/* The run's plan on the plain pair, with repeats. */
static plan_spec drift_plan(const tally_view *view) {
    plan_spec plan = view->plan;
    plan.stages = PLAN_STAGE_BIT(0);
    plan.always = false;
    if (plan.k == 1) plan.k = 2;
    return plan;
}

/* How replies to the plain pair are ruled: portia's stages are left out of it. */
static plan_spec ruling_plan(plan_spec plan) {
    if (plan_n_stages(&plan) > 1) plan.method = plan_method_find(EH_STR("mec+bpc"));
    return plan;
}

/* ---- asking ---- */

typedef struct asked_before {
    ledger *l;
    int64_t judge_row;
} asked_before;

/* A pair that the run did not ask has nothing to be compared with. */
static bool was_asked(const void *self, const ledger_pair *pair) {
    const asked_before *a = self;
    plan_sample one;
    size_t n = 0;
    ledger_ask whose = {.judge_row = a->judge_row, .pair_row = pair->row};
    return ledger_samples(a->l, &whose, 0, &one, 1, &n, NULL) == EH_STATUS_OK && n > 0;
}

static eh_status draw(ledger *l, const run_drift_options *o, const asked_before *asked,
                      run_sample *sample, eh_error *err) {
    *sample = (run_sample){
        .purpose = "drift", .seed = o->seed, .may_hold = was_asked, .self = asked};
    EH_TRY(run_sample_draw(l, o->n_pairs, sample, err));
    if (sample->n_pairs > 0) return EH_STATUS_OK;
    return EH_FAIL(err, EH_STATUS_DATA, "the judge was not asked about any pair yet");
}

eh_status run_drift_ask(ledger *l, const tally_view *view,
                        const run_drift_options *options, const run_options *run,
                        run_result *result, eh_error *err) {
    asked_before asked = {l, view->run.judge_row};
    run_sample sample;
    run_options own = *run;
    EH_TRY(draw(l, options, &asked, &sample, err));
    tally_scope scope = run_sample_scope(&sample);
    own.scope = &scope;
    own.setup.plan = drift_plan(view);
    own.setup.stream = LEDGER_STREAM_DRIFT;
    own.refresh = (run_refresh){.all = true};
    return run_engine(l, &own, result, err);
}

/* ---- looking ---- */

/* What one reply says, as a number that is equal where two say the same. */
static double saying(const plan_sample *s) {
    if (s->verdict == EH_VERDICT_SCORED) return 10 + s->score_1 + s->score_2;
    return (double)s->verdict;
}

/* The replies of one prompt. */
typedef struct replies {
    double say[PLAN_MAX_SAMPLES];
    double score_sum;
    int n, n_scores;
} replies;

static replies replies_of(const plan_spec *plan, eh_order order,
                          const plan_sample *samples, size_t n) {
    replies r = {.n = 0};
    int code = plan_stage_code(plan, 0);
    for (size_t i = 0; i < n; i++) {
        const plan_sample *s = &samples[i];
        if (s->stage_code != code || s->order != order || s->sample >= plan->k)
            continue;
        r.say[r.n++] = saying(s);
        if (s->verdict == EH_VERDICT_NONE || !s->has_scores) continue;
        r.score_sum += s->score_1 + s->score_2;
        r.n_scores += s->verdict == EH_VERDICT_SCORED ? 1 : 2;
    }
    return r;
}

static bool differ(double a, double b) {
    return fabs(a - b) > PLAN_TIE_TOLERANCE;
}

/* Share of pairs of replies that differ: within one list, or between two. */
static double within(const replies *r) {
    int n = 0;
    for (int i = 0; i < r->n; i++)
        for (int j = 0; j < i; j++)
            n += differ(r->say[i], r->say[j]);
    return r->n < 2 ? (double)NAN : (double)n / (r->n * (r->n - 1) / 2.0);
}

static double between(const replies *a, const replies *b) {
    int n = 0;
    for (int i = 0; i < a->n; i++)
        for (int j = 0; j < b->n; j++)
            n += differ(a->say[i], b->say[j]);
    return (double)n / ((double)a->n * b->n);
}

static double mean_known(double a, double b) {
    return isnan(a) ? b : isnan(b) ? a : (a + b) / 2;
}

static void add(drifting *d, report_drift_kind kind, uint64_t question, double before,
                double now) {
    if (isnan(before) || isnan(now)) return;
    double width = kind == REPORT_DRIFT_LEVEL ? SCALE_WIDTH : 1;
    stats_cluster_add(&d->before[kind], question, before);
    stats_cluster_add(&d->now[kind], question, now);
    stats_cluster_add(&d->difference[kind], question, (now - before) / width);
}

/* Change and level, over the prompts of a pair that both times have. */
static void add_replies(drifting *d, uint64_t question, const plan_sample *before,
                        size_t n_before, const plan_sample *now, size_t n_now) {
    double noise = 0, differs = 0, old_score = 0, new_score = 0;
    int n_prompts = 0, n_scored = 0;
    for (int o = 0; o < EH_ORDER_N; o++) {
        replies a = replies_of(&d->view->plan, (eh_order)o, before, n_before);
        replies b = replies_of(&d->plan, (eh_order)o, now, n_now);
        if (a.n == 0 || b.n == 0) continue;
        double repeat = mean_known(within(&a), within(&b));
        if (!isnan(repeat)) {
            noise += repeat;
            differs += between(&a, &b);
            n_prompts++;
        }
        if (a.n_scores == 0 || b.n_scores == 0) continue;
        old_score += a.score_sum / a.n_scores;
        new_score += b.score_sum / b.n_scores;
        n_scored++;
    }
    if (n_prompts)
        add(d, REPORT_DRIFT_CHANGE, question, noise / n_prompts, differs / n_prompts);
    if (n_scored)
        add(d, REPORT_DRIFT_LEVEL, question, old_score / n_scored,
            new_score / n_scored);
}

static eh_status add_pair(drifting *d, const ledger_pair *pair, eh_error *err) {
    plan_sample before[PLAN_MAX_ASKS * PLAN_MAX_SAMPLES];
    plan_sample now[PLAN_MAX_ASKS * PLAN_MAX_SAMPLES];
    size_t cap = sizeof now / sizeof now[0], n_before, n_now;
    plan_ruling was, is_now;
    ledger_ask whose = {.judge_row = d->view->run.judge_row,
                        .pair_row = pair->row,
                        .stream = LEDGER_STREAM_MAIN};
    EH_TRY(ledger_samples(d->l, &whose, 0, before, cap, &n_before, err));
    whose.stream = LEDGER_STREAM_DRIFT;
    EH_TRY(ledger_samples(d->l, &whose, 0, now, cap, &n_now, err));
    plan_spec then_plan = ruling_plan(d->plan), now_plan = then_plan;
    then_plan.k = d->view->plan.k;
    plan_rule(&then_plan, d->view->scale, before, n_before, &was);
    plan_rule(&now_plan, d->view->scale, now, n_now, &is_now);
    report_drift *out = d->out;
    out->n_pairs++;
    out->n_before += was.n_samples;
    out->n_now += is_now.n_samples;
    out->n_failed_before += was.n_failed;
    out->n_failed_now += is_now.n_failed;
    add(d, REPORT_DRIFT_SHIFT, pair->question_hash, (was.vote + 1) / 2,
        (is_now.vote + 1) / 2);
    add_replies(d, pair->question_hash, before, n_before, now, n_now);
    return EH_STATUS_OK;
}

static eh_status add_all(drifting *d, const tally_scope *scope, eh_error *err) {
    ledger_cursor *c;
    EH_TRY(ledger_cursor_open(d->l, LEDGER_BY_QUESTION, &c, err));
    eh_status status = EH_STATUS_OK;
    for (bool got = true; status == EH_STATUS_OK;) {
        ledger_pair pair;
        status = ledger_cursor_next(c, &pair, &got, err);
        if (status != EH_STATUS_OK || !got) break;
        if (scope->holds(scope->self, &pair)) status = add_pair(d, &pair, err);
    }
    ledger_cursor_close(c);
    return status;
}

/* ---- the finding ---- */

/* p of no difference. Where all differences are equal the t test says nothing; then it
 * is the interval, which knows how many questions there are. */
static double p_of(report_drift_kind kind, const stats_difference *d) {
    double p = isnan(d->p) ? (d->excludes_zero ? 0 : 1) : d->p;
    if (kind != REPORT_DRIFT_CHANGE) return p;
    return d->interval.value > 0 ? p / 2 : 1 - p / 2;
}

static void finish(drifting *d) {
    report_drift *out = d->out;
    double p[REPORT_DRIFT_N], adjusted[REPORT_DRIFT_N];
    int n = 0;
    for (int k = 0; k < REPORT_DRIFT_N; k++) {
        report_drift_test *t = &out->tests[k];
        stats_mean m = stats_cluster_mean(&d->difference[k]);
        *t = (report_drift_test){
            .is_defined = m.n > 0,
            .before = stats_cluster_mean(&d->before[k]).mean,
            .now = stats_cluster_mean(&d->now[k]).mean,
            .difference = stats_difference_of(&m, out->margin, LEVEL),
            .n = m.n,
            .n_questions = m.n_clusters,
            .p = NAN,
            .p_adjusted = NAN,
        };
        if (t->difference.interval.why != STATS_REASON_NONE) continue;
        t->p = p_of((report_drift_kind)k, &t->difference);
        p[n++] = t->p;
    }
    stats_holm(p, adjusted, n);
    for (int k = 0, at = 0; k < REPORT_DRIFT_N; k++) {
        report_drift_test *t = &out->tests[k];
        if (isnan(t->p)) continue;
        t->p_adjusted = adjusted[at++];
        t->is_shown = t->p_adjusted <= ALPHA;
        out->is_shown = out->is_shown || t->is_shown;
    }
    out->is_unknown = isnan(out->tests[REPORT_DRIFT_SHIFT].p) &&
                      isnan(out->tests[REPORT_DRIFT_CHANGE].p);
}

/* "gpt-x (fp_1), gpt-x (fp_2)": what the endpoint called itself in one stream. */
static eh_status take_models(drifting *d, int stream, const plan_spec *plan,
                             eh_arena *arena, report_model **out, size_t *n,
                             eh_error *err) {
    ledger_ask of = {.judge_row = d->view->run.judge_row, .stream = stream};
    ledger_model *models;
    EH_TRY(ledger_models(d->l, &of, plan, arena, &models, n, err));
    *out = arena_zalloc(arena, *n + 1, sizeof **out);
    if (!*out) return EH_NOMEM(err);
    for (size_t i = 0; i < *n; i++)
        (*out)[i] = (report_model){.model = models[i].model,
                                   .fingerprint = models[i].fingerprint,
                                   .n_calls = models[i].n_calls};
    return EH_STATUS_OK;
}

eh_status run_drift_look(ledger *l, const tally_view *view,
                         const run_drift_options *options, eh_arena *arena,
                         report_drift *drift, eh_error *err) {
    drifting d = {.l = l, .view = view, .plan = drift_plan(view), .out = drift};
    asked_before asked = {l, view->run.judge_row};
    run_sample sample;
    *drift = (report_drift){.margin = options->margin};
    for (int k = 0; k < REPORT_DRIFT_N; k++) {
        stats_cluster_init(&d.difference[k]);
        stats_cluster_init(&d.before[k]);
        stats_cluster_init(&d.now[k]);
    }
    EH_TRY(draw(l, options, &asked, &sample, err));
    tally_scope scope = run_sample_scope(&sample);
    EH_TRY(add_all(&d, &scope, err));
    finish(&d);
    EH_TRY(take_models(&d, LEDGER_STREAM_MAIN, &view->plan, arena,
                       &drift->models_before, &drift->n_models_before, err));
    return take_models(&d, LEDGER_STREAM_DRIFT, &d.plan, arena, &drift->models_now,
                       &drift->n_models_now, err);
}
