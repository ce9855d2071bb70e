/* SPDX-License-Identifier: MIT
 *
 * The stable summary as JSON (docs/formats.md).
 *
 * Only what follows from the replies is written, in a fixed order: two ledgers with the
 * same replies give the same bytes, whenever and in whatever order they came. An
 * undefined number is null, and an object that holds one says `why`.
 */
#include "report/summary.h"

#include <math.h>

#include "base/json_write.h"

static void put_i64(json_writer *w, const char *key, int64_t value) {
    json_key(w, key);
    json_i64(w, value);
}

static void put_f64(json_writer *w, const char *key, double value) {
    json_key(w, key);
    json_f64(w, value); /* NaN becomes null */
}

static void put_why(json_writer *w, const char *why) {
    if (!why) return;
    json_key(w, "why");
    json_cstr(w, why);
}

static void put_known(json_writer *w, const char *key, int64_t value) {
    json_key(w, key);
    if (value < 0)
        json_null(w);
    else
        json_i64(w, value);
}

/* Why numbers about slots are null where each answer was shown alone. */
static const char alone_why[] = "standalone";

static void put_counts(json_writer *w, const report_judge *j) {
    json_key(w, "counts");
    json_object_begin(w);
    for (int o = 0; o < EH_ORDER_N; o++) {
        if (!(j->plan.orders & PLAN_ORDER_BIT(o))) continue;
        const report_counts *c = &j->counts[o];
        json_key(w, eh_order_name((eh_order)o));
        json_object_begin(w);
        if (plan_is_alone(&j->plan)) {
            put_i64(w, "scored", c->n_scored);
        } else {
            put_i64(w, "1", c->n_1);
            put_i64(w, "2", c->n_2);
            put_i64(w, "tie", c->n_tie);
        }
        put_i64(w, "failed", c->n_failed);
        json_object_end(w);
    }
    json_object_end(w);
}

/* An object whose members are null, for one reason. */
static void put_undefined(json_writer *w, const char *key, const char *const names[],
                          const char *why) {
    json_key(w, key);
    json_object_begin(w);
    for (size_t i = 0; names[i]; i++) {
        json_key(w, names[i]);
        json_null(w);
    }
    put_why(w, why);
    json_object_end(w);
}

/* The numbers about slots of a method that has none. */
static void put_no_slots(json_writer *w) {
    static const char *const position[] = {"first", "second", "tie", "first_rate",
                                           NULL};
    static const char *const conflict[] = {
        "pairs",      "conflicts",   "rate",     "rate_all",    "low", "high",
        "first_both", "second_both", "with_tie", "p_direction", NULL};
    put_undefined(w, "position", position, alone_why);
    put_undefined(w, "conflict", conflict, alone_why);
    put_undefined(w, "conflict_by_sample", conflict, alone_why);
}

static void put_position(json_writer *w, const report_position *p) {
    json_key(w, "position");
    json_object_begin(w);
    put_i64(w, "first", p->first);
    put_i64(w, "second", p->second);
    put_i64(w, "tie", p->tie);
    put_f64(w, "first_rate", p->first_rate);
    if (isnan(p->first_rate)) put_why(w, "no_decided_replies");
    if (p->one_order) {
        json_key(w, "one_order");
        json_bool(w, true);
    }
    json_object_end(w);
}

static void put_rate_members(json_writer *w, const report_rate *r) {
    put_f64(w, "value", r->value);
    put_f64(w, "low", r->low);
    put_f64(w, "high", r->high);
    put_i64(w, "n", r->n);
    put_i64(w, "questions", r->n_questions);
    put_why(w, r->why);
}

static void put_rate(json_writer *w, const char *key, const report_rate *r) {
    json_key(w, key);
    json_object_begin(w);
    put_rate_members(w, r);
    json_object_end(w);
}

static void put_conflict(json_writer *w, const char *key, const report_conflict *c,
                         bool both_orders) {
    json_key(w, key);
    if (!both_orders) {
        json_null(w);
        return;
    }
    json_object_begin(w);
    put_i64(w, "pairs", c->n_pairs);
    put_i64(w, "conflicts", c->n_conflicts);
    put_f64(w, "rate", c->rate.value);
    put_f64(w, "rate_all", c->rate_all);
    put_f64(w, "low", c->rate.low);
    put_f64(w, "high", c->rate.high);
    put_i64(w, "first_both", c->first_both);
    put_i64(w, "second_both", c->second_both);
    put_i64(w, "with_tie", c->with_tie);
    put_f64(w, "p_direction", c->p_direction);
    put_why(w, c->rate.why);
    json_object_end(w);
}

static void put_rulings(json_writer *w, const report_judge *j) {
    json_key(w, "rulings");
    json_object_begin(w);
    put_i64(w, "1", j->rulings.n_1);
    put_i64(w, "2", j->rulings.n_2);
    put_i64(w, "tie_agreed", j->rulings.tie_agreed);
    put_i64(w, "tie_from_conflict", j->rulings.tie_from_conflict);
    put_i64(w, "none", j->rulings.n_none);
    json_key(w, "none_by_reason");
    json_object_begin(w);
    for (int k = PLAN_NONE_NOT + 1; k <= PLAN_NONE_SIDE_BY_SIDE; k++)
        if (j->none[k]) put_i64(w, plan_none_name((plan_none_kind)k), j->none[k]);
    json_object_end(w);
    json_object_end(w);
}

/* Each order by itself, with the mean and the swing between the two. */
static void put_by_order(json_writer *w, const report_judge *j) {
    static const char *const nothing[] = {"12", "21", "mean", "swing", NULL};
    if (plan_is_alone(&j->plan)) {
        put_undefined(w, "win_rate_by_order", nothing, alone_why);
        return;
    }
    json_key(w, "win_rate_by_order");
    json_object_begin(w);
    for (int o = 0; o < EH_ORDER_N; o++)
        if (j->plan.orders & PLAN_ORDER_BIT(o))
            put_rate(w, eh_order_name((eh_order)o), &j->win_rate_by_order[o]);
    if (j->plan.orders == PLAN_ORDERS_BOTH) {
        double a = j->win_rate_by_order[0].value, b = j->win_rate_by_order[1].value;
        put_f64(w, "mean", (a + b) / 2);
        put_f64(w, "swing", fabs(a - b));
        if (isnan(a) || isnan(b)) put_why(w, "no_rows");
    }
    json_object_end(w);
}

static void put_agreement_members(json_writer *w, const report_agreement *a) {
    put_i64(w, "n_labelled", a->n_labelled);
    put_i64(w, "n_ruled", a->n_ruled);
    put_f64(w, "accuracy", a->accuracy);
    put_f64(w, "accuracy_ruled", a->accuracy_ruled);
    put_f64(w, "kappa", a->kappa);
    put_why(w, a->why ? a->why : a->why_ruled ? a->why_ruled : a->why_kappa);
}

static void put_labels(json_writer *w, const report_judge *j) {
    const report_labels *l = &j->labels;
    json_key(w, "labels");
    if (l->all.n_labelled == 0) {
        json_null(w);
        return;
    }
    json_object_begin(w);
    put_agreement_members(w, &l->all);
    put_f64(w, "baseline", l->baseline);
    json_key(w, "baseline_label");
    json_cstr(w, eh_verdict_name(l->baseline_label));
    put_i64(w, "n_flagged", l->n_flagged);
    if (l->n_flagged) {
        json_key(w, "without_flagged");
        json_object_begin(w);
        put_agreement_members(w, &l->without_flagged);
        json_object_end(w);
    }
    static const char *const nothing[] = {"12", "21", NULL};
    if (plan_is_alone(&j->plan)) {
        put_undefined(w, "by_order", nothing, alone_why);
        json_object_end(w);
        return;
    }
    json_key(w, "by_order");
    json_object_begin(w);
    for (int o = 0; o < EH_ORDER_N; o++) {
        if (!(j->plan.orders & PLAN_ORDER_BIT(o))) continue;
        json_key(w, eh_order_name((eh_order)o));
        json_object_begin(w);
        put_agreement_members(w, &l->by_order[o]);
        json_object_end(w);
    }
    json_object_end(w);
    json_object_end(w);
}

static void put_bpde(json_writer *w, const report_bpde *b) {
    json_key(w, "bpde");
    json_object_begin(w);
    put_i64(w, "n", b->n);
    put_f64(w, "mean", b->mean);
    put_i64(w, "zero", b->zero);
    put_f64(w, "max", b->max);
    if (b->n == 0) put_why(w, "no_rows");
    json_object_end(w);
}

/* Nothing where no question has three answers that were all compared. */
static void put_transitivity(json_writer *w, const report_transitivity *t) {
    if (t->n_triples == 0) return;
    json_key(w, "transitivity");
    json_object_begin(w);
    put_i64(w, "triples", t->n_triples);
    put_i64(w, "circles", t->n_circles);
    put_i64(w, "broken_by_tie", t->n_broken_by_tie);
    put_f64(w, "rate",
            (double)(t->n_circles + t->n_broken_by_tie) / (double)t->n_triples);
    json_object_end(w);
}

static void put_failed(json_writer *w, const report_judge *j) {
    json_key(w, "failed");
    json_object_begin(w);
    for (int r = VERDICT_REASON_NONE + 1; r < VERDICT_REASON_N; r++)
        if (j->failed[r])
            put_i64(w, verdict_reason_name((verdict_reason)r), j->failed[r]);
    json_object_end(w);
}

static void put_name(json_writer *w, const char *key, eh_str name) {
    json_key(w, key);
    if (eh_str_is_absent(name))
        json_null(w);
    else
        json_str(w, name);
}

static void put_models(json_writer *w, const report_judge *j) {
    json_key(w, "models");
    json_array_begin(w);
    for (size_t i = 0; i < j->n_models; i++) {
        json_object_begin(w);
        put_name(w, "model", j->models[i].model);
        put_name(w, "fingerprint", j->models[i].fingerprint);
        put_i64(w, "calls", j->models[i].n_calls);
        json_object_end(w);
    }
    json_array_end(w);
    if (!j->mixed_models) return;
    json_key(w, "mixed_models");
    json_bool(w, true);
}

static void put_cost(json_writer *w, const report_judge *j) {
    bool all_known = j->prompt_tokens >= 0 && j->cached_tokens >= 0 &&
                     j->completion_tokens >= 0 && j->reasoning_tokens >= 0;
    json_key(w, "tokens");
    json_object_begin(w);
    put_known(w, "prompt", j->prompt_tokens);
    put_known(w, "cached", j->cached_tokens);
    put_known(w, "completion", j->completion_tokens);
    put_known(w, "reasoning", j->reasoning_tokens);
    if (!all_known) put_why(w, "unknown_usage");
    json_object_end(w);
    double cost_usd = j->cost_nusd < 0 ? NAN : (double)j->cost_nusd / 1e9;
    put_f64(w, "cost_usd", cost_usd);
    json_key(w, "per_1000");
    json_object_begin(w);
    double scale = j->n_pairs ? 1000.0 / (double)j->n_pairs : NAN;
    put_f64(w, "cost_usd", cost_usd * scale);
    put_f64(w, "prompt_tokens",
            j->prompt_tokens < 0 ? NAN : (double)j->prompt_tokens * scale);
    put_f64(w, "completion_tokens",
            j->completion_tokens < 0 ? NAN : (double)j->completion_tokens * scale);
    if (j->cost_nusd < 0)
        put_why(w, j->prompt_tokens < 0 ? "unknown_usage" : "unknown_price");
    json_object_end(w);
}

void report_judge_json(const report_judge *j, json_writer *w) {
    static const char *const scales[] = {"votes", "scores", "ratings"};
    bool both = j->plan.orders == PLAN_ORDERS_BOTH;
    json_object_begin(w);
    json_key(w, "judge");
    json_str(w, j->judge_id);
    json_key(w, "method");
    json_cstr(w, j->people ? "hitlc" : plan_method_name(j->plan.method));
    put_i64(w, "k", j->plan.k);
    json_key(w, "template");
    json_str(w, j->template_name);
    json_key(w, "params");
    json_raw(w, j->params_json);
    json_key(w, "scale");
    json_cstr(w, scales[j->scale]);
    put_i64(w, "pairs", j->n_pairs);
    put_counts(w, j);
    if (plan_is_alone(&j->plan)) {
        put_no_slots(w);
    } else {
        put_position(w, &j->position);
        put_conflict(w, "conflict", &j->conflict, both);
        put_conflict(w, "conflict_by_sample", &j->conflict_by_sample, both);
    }
    put_rulings(w, j);
    put_rate(w, "win_rate", &j->win_rate);
    put_rate(w, "win_rate_soft", &j->win_rate_soft);
    put_by_order(w, j);
    put_bpde(w, &j->bpde);
    put_transitivity(w, &j->transitivity);
    if (plan_n_stages(&j->plan) > 1) {
        json_key(w, "portia");
        report_portia_json(&j->portia, &j->plan, w);
    }
    put_labels(w, j);
    put_failed(w, j);
    put_models(w, j);
    put_cost(w, j);
    json_object_end(w);
}

void report_summary_json(const report_summary *s, eh_buf *out) {
    json_writer w;
    json_writer_init(&w, out, 1);
    json_object_begin(&w);
    put_i64(&w, "schema", 1);
    put_i64(&w, "pairs", s->n_pairs);
    json_key(&w, "judges");
    json_object_begin(&w);
    for (size_t i = 0; i < s->n_judges; i++) {
        json_key_str(&w, s->judges[i].name);
        report_judge_json(&s->judges[i], &w);
    }
    json_object_end(&w);
    json_object_end(&w);
    buf_add_char(out, '\n');
}
