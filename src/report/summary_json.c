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

#include "report/write.h"

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
            json_put_i64(w, "scored", c->n_scored);
        } else {
            json_put_i64(w, "1", c->n_1);
            json_put_i64(w, "2", c->n_2);
            json_put_i64(w, "tie", c->n_tie);
        }
        json_put_i64(w, "failed", c->n_failed);
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
    report_put_why(w, why);
    json_object_end(w);
}

/* The numbers about slots of a method that has none. */
static void put_no_slots(json_writer *w) {
    static const char *const position[] = {"first", "second", "tie", "first_rate",
                                           NULL};
    static const char *const conflict[] = {
        "pairs",      "conflicts",   "rate",     "rate_all",    "low",   "high",
        "first_both", "second_both", "with_tie", "p_direction", "kappa", NULL};
    put_undefined(w, "position", position, alone_why);
    put_undefined(w, "conflict", conflict, alone_why);
    put_undefined(w, "conflict_by_sample", conflict, alone_why);
}

static void put_position(json_writer *w, const report_position *p) {
    json_key(w, "position");
    json_object_begin(w);
    json_put_i64(w, "first", p->first);
    json_put_i64(w, "second", p->second);
    json_put_i64(w, "tie", p->tie);
    json_put_f64(w, "first_rate", p->first_rate);
    if (isnan(p->first_rate)) report_put_why(w, "no_decided_replies");
    if (p->one_order) {
        json_put_bool(w, "one_order", true);
    }
    json_object_end(w);
}

/* null where the reason given is not NULL; the judge's own `why` names it. */
static bool put_null(json_writer *w, const char *key, const char *why) {
    json_key(w, key);
    if (why) json_null(w);
    return why != NULL;
}

static const char *why_one_order(const report_judge *j) {
    return j->plan.orders == PLAN_ORDERS_BOTH ? NULL : "one_order";
}

static void put_conflict(json_writer *w, const char *key, const report_conflict *c,
                         const char *why) {
    if (put_null(w, key, why)) return;
    json_object_begin(w);
    json_put_i64(w, "pairs", c->n_pairs);
    json_put_i64(w, "conflicts", c->n_conflicts);
    json_put_f64(w, "rate", c->rate.value);
    json_put_f64(w, "rate_all", c->rate_all);
    json_put_f64(w, "low", c->rate.low);
    json_put_f64(w, "high", c->rate.high);
    json_put_i64(w, "first_both", c->first_both);
    json_put_i64(w, "second_both", c->second_both);
    json_put_i64(w, "with_tie", c->with_tie);
    json_put_f64(w, "p_direction", c->p_direction);
    json_put_f64(w, "kappa", c->kappa);
    report_put_why(w, c->rate.why ? c->rate.why : c->why_kappa);
    json_object_end(w);
}

static void put_rulings(json_writer *w, const report_judge *j) {
    json_key(w, "rulings");
    json_object_begin(w);
    json_put_i64(w, "1", j->rulings.n_1);
    json_put_i64(w, "2", j->rulings.n_2);
    json_put_i64(w, "tie_agreed", j->rulings.tie_agreed);
    json_put_i64(w, "tie_from_conflict", j->rulings.tie_from_conflict);
    json_put_i64(w, "none", j->rulings.n_none);
    json_key(w, "none_by_reason");
    json_object_begin(w);
    for (int k = PLAN_NONE_NOT + 1; k <= PLAN_NONE_SIDE_BY_SIDE; k++)
        if (j->none[k]) json_put_i64(w, plan_none_name((plan_none_kind)k), j->none[k]);
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
            report_put_rate(w, eh_order_name((eh_order)o), &j->win_rate_by_order[o]);
    if (j->plan.orders == PLAN_ORDERS_BOTH) {
        double a = j->win_rate_by_order[0].value, b = j->win_rate_by_order[1].value;
        json_put_f64(w, "mean", (a + b) / 2);
        json_put_f64(w, "swing", fabs(a - b));
        if (isnan(a) || isnan(b)) report_put_why(w, "no_rows");
    }
    json_object_end(w);
}

static void put_reliability(json_writer *w, const report_labels *l) {
    json_key(w, "reliability");
    json_object_begin(w);
    json_put_i64(w, "n", l->reliability.n);
    json_put_f64(w, "brier", l->reliability.brier);
    json_put_f64(w, "calibration_error", l->reliability.calibration_error);
    if (l->reliability.why != STATS_REASON_NONE)
        report_put_why(w, stats_reason_name(l->reliability.why));
    json_key(w, "bins");
    json_array_begin(w);
    for (int b = 0; b < REPORT_RELIABILITY_BINS; b++) {
        const stats_reliability_bin *bin = &l->reliability_bins[b];
        if (bin->n == 0) continue;
        json_object_begin(w);
        json_put_f64(w, "from", (double)b / REPORT_RELIABILITY_BINS);
        json_put_f64(w, "to", (double)(b + 1) / REPORT_RELIABILITY_BINS);
        json_put_i64(w, "n", bin->n);
        json_put_f64(w, "soft_mean", bin->soft_mean);
        json_put_f64(w, "label_mean", bin->label_mean);
        json_object_end(w);
    }
    json_array_end(w);
    json_object_end(w);
}

static const char *why_no_labels(const report_judge *j) {
    return j->labels.all.n_labelled ? NULL : "no_labels";
}

static void put_labels(json_writer *w, const report_judge *j) {
    const report_labels *l = &j->labels;
    if (put_null(w, "labels", why_no_labels(j))) return;
    json_object_begin(w);
    report_put_agreement(w, &l->all);
    json_put_f64(w, "baseline", l->baseline);
    json_put_cstr(w, "baseline_label", eh_verdict_name(l->baseline_label));
    report_put_confusion(w, &l->all);
    report_put_rate(w, "human_agreement", &l->human_agreement);
    put_reliability(w, l);
    json_put_i64(w, "n_flagged", l->n_flagged);
    if (l->n_flagged) {
        json_key(w, "without_flagged");
        json_object_begin(w);
        report_put_agreement(w, &l->without_flagged);
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
        report_put_agreement(w, &l->by_order[o]);
        json_object_end(w);
    }
    json_object_end(w);
    json_object_end(w);
}

static void put_bpde(json_writer *w, const report_bpde *b) {
    json_key(w, "bpde");
    json_object_begin(w);
    json_put_i64(w, "n", b->n);
    json_put_f64(w, "mean", b->mean);
    json_put_i64(w, "zero", b->zero);
    json_put_f64(w, "max", b->max);
    if (b->n == 0) report_put_why(w, "no_rows");
    json_object_end(w);
}

/* Nothing where no question has three answers that were all compared. */
static void put_transitivity(json_writer *w, const report_transitivity *t) {
    if (t->n_triples == 0) return;
    json_key(w, "transitivity");
    json_object_begin(w);
    json_put_i64(w, "triples", t->n_triples);
    json_put_i64(w, "circles", t->n_circles);
    json_put_i64(w, "broken_by_tie", t->n_broken_by_tie);
    json_put_f64(w, "rate",
                 (double)(t->n_circles + t->n_broken_by_tie) / (double)t->n_triples);
    json_object_end(w);
}

static void put_failed(json_writer *w, const report_judge *j) {
    json_key(w, "failed");
    json_object_begin(w);
    for (int r = VERDICT_REASON_NONE + 1; r < VERDICT_REASON_N; r++)
        if (j->failed[r])
            json_put_i64(w, verdict_reason_name((verdict_reason)r), j->failed[r]);
    json_object_end(w);
}

void report_put_models(json_writer *w, const report_model *models, size_t n) {
    json_key(w, "models");
    json_array_begin(w);
    for (size_t i = 0; i < n; i++) {
        json_object_begin(w);
        json_put_str(w, "model", models[i].model);
        json_put_str(w, "fingerprint", models[i].fingerprint);
        json_put_i64(w, "calls", models[i].n_calls);
        json_object_end(w);
    }
    json_array_end(w);
}

/* Why there is no cost; NULL where there is one. */
static const char *why_no_cost(const report_judge *j) {
    return j->cost_nusd >= 0      ? NULL
           : j->prompt_tokens < 0 ? "unknown_usage"
                                  : "unknown_price";
}

static void put_per_1000(json_writer *w, const report_judge *j, double co2e_g) {
    double scale = j->n_pairs ? 1000.0 / (double)j->n_pairs : NAN;
    double cost_usd = report_usd(j->cost_nusd);
    double prompt = j->prompt_tokens < 0 ? NAN : (double)j->prompt_tokens;
    double completion = j->completion_tokens < 0 ? NAN : (double)j->completion_tokens;
    json_key(w, "per_1000");
    json_object_begin(w);
    json_put_f64(w, "cost_usd", cost_usd * scale);
    json_put_f64(w, "prompt_tokens", prompt * scale);
    json_put_f64(w, "completion_tokens", completion * scale);
    if (co2e_g > 0)
        json_put_f64(w, "co2e_g", (prompt + completion) / 1000 * co2e_g * scale);
    report_put_why(w, j->n_pairs ? why_no_cost(j) : "no_rows");
    json_object_end(w);
}

static void put_cost(json_writer *w, const report_judge *j, double co2e_g) {
    bool all_known = j->prompt_tokens >= 0 && j->cached_tokens >= 0 &&
                     j->completion_tokens >= 0 && j->reasoning_tokens >= 0;
    json_key(w, "tokens");
    json_object_begin(w);
    json_put_known(w, "prompt", j->prompt_tokens);
    json_put_known(w, "cached", j->cached_tokens);
    json_put_known(w, "completion", j->completion_tokens);
    json_put_known(w, "reasoning", j->reasoning_tokens);
    if (!all_known) report_put_why(w, "unknown_usage");
    json_object_end(w);
    json_put_f64(w, "cost_usd", report_usd(j->cost_nusd));
    put_per_1000(w, j, co2e_g);
}

static void put_planning(json_writer *w, const report_planning *p) {
    json_key(w, "planning");
    json_object_begin(w);
    json_put_f64(w, "half_width", REPORT_HALF_WIDTH);
    json_put_known(w, "questions", p->why ? -1 : p->questions);
    json_put_f64(w, "detectable", p->detectable);
    json_put_f64(w, "power", REPORT_POWER);
    report_put_why(w, p->why);
    json_object_end(w);
}

static void put_repetition(json_writer *w, const report_judge *j) {
    json_key(w, "repetition");
    json_object_begin(w);
    for (int o = 0; o < EH_ORDER_N; o++) {
        const report_repetition *r = &j->bias.repetition[o];
        if (!(j->plan.orders & PLAN_ORDER_BIT(o))) continue;
        json_key(w, eh_order_name((eh_order)o));
        json_object_begin(w);
        json_put_i64(w, "pairs", r->n_pairs);
        json_put_f64(w, "stability", r->stability);
        json_put_i64(w, "all_equal", r->n_all_equal);
        if (r->n_pairs == 0) report_put_why(w, "no_rows");
        json_object_end(w);
    }
    json_object_end(w);
}

static void put_bias(json_writer *w, const report_judge *j) {
    const report_bias *b = &j->bias;
    if (!put_null(w, "score_gap", b->score_gap.why))
        report_put_score_gap(w, &b->score_gap);
    if (!put_null(w, "human_ties", b->human_ties.why))
        report_put_human_ties(w, &b->human_ties);
    if (j->plan.k > 1) put_repetition(w, j);
}

static void put_reason(json_writer *w, const char *key, const char *why) {
    if (why) json_put_cstr(w, key, why);
}

static void put_numbers_reasons(json_writer *w, const report_judge *j) {
    put_reason(w, "conflict", why_one_order(j));
    put_reason(w, "conflict_by_sample", why_one_order(j));
    put_reason(w, "labels", why_no_labels(j));
}

void report_put_numbers_why(json_writer *w, const report_judge *j) {
    if (!why_one_order(j) && !why_no_labels(j)) return;
    json_key(w, "why");
    json_object_begin(w);
    put_numbers_reasons(w, j);
    json_object_end(w);
}

/* Why members of the judge itself are null, by their names. */
static void put_reasons(json_writer *w, const report_judge *j) {
    json_key(w, "why");
    json_object_begin(w);
    put_numbers_reasons(w, j);
    put_reason(w, "score_gap", j->bias.score_gap.why);
    put_reason(w, "human_ties", j->bias.human_ties.why);
    put_reason(w, "cost_usd", why_no_cost(j));
    json_object_end(w);
}

void report_put_numbers(json_writer *w, const report_judge *j) {
    json_put_i64(w, "pairs", j->n_pairs);
    put_counts(w, j);
    if (plan_is_alone(&j->plan)) {
        put_no_slots(w);
    } else {
        put_position(w, &j->position);
        put_conflict(w, "conflict", &j->conflict, why_one_order(j));
        put_conflict(w, "conflict_by_sample", &j->conflict_by_sample, why_one_order(j));
    }
    put_rulings(w, j);
    report_put_rate(w, "win_rate", &j->win_rate);
    report_put_rate(w, "win_rate_soft", &j->win_rate_soft);
    put_by_order(w, j);
    put_bpde(w, &j->bpde);
    put_labels(w, j);
    json_key(w, "length");
    report_put_length(w, &j->bias.length);
}

void report_put_other_rules(json_writer *w, const report_judge *j) {
    json_key(w, "compat");
    report_put_compat(w, &j->compat, j->n_pairs,
                      !why_one_order(j) && !plan_is_alone(&j->plan));
}

report_hitlc report_hitlc_of(const report_judge *j, const report_summary *s) {
    return (report_hitlc){.n_pairs = j->n_pairs,
                          .n_people = j->n_by_people,
                          .n_labels = j->n_people_labels,
                          .judge_nusd = j->cost_nusd,
                          .label_nusd = s->label_nusd > 0 ? s->label_nusd : -1};
}

static void put_judge(json_writer *w, const report_judge *j, const report_summary *s) {
    static const char *const scales[] = {"votes", "scores", "ratings"};
    json_object_begin(w);
    json_put_str(w, "judge", j->judge_id);
    json_put_cstr(w, "method", j->people ? "hitlc" : plan_method_name(j->plan.method));
    json_put_i64(w, "k", j->plan.k);
    json_put_str(w, "template", j->template_name);
    json_key(w, "params");
    json_raw(w, j->params_json);
    json_put_cstr(w, "scale", scales[j->scale]);
    report_put_numbers(w, j);
    if (j->people) {
        report_hitlc h = report_hitlc_of(j, s);
        json_key(w, "people");
        report_hitlc_json(&h, w);
    }
    put_planning(w, &j->planning);
    put_bias(w, j);
    put_transitivity(w, &j->transitivity);
    if (plan_n_stages(&j->plan) > 1) {
        json_key(w, "portia");
        report_portia_json(&j->portia, &j->plan, w);
    }
    if (s->with_compat) report_put_other_rules(w, j);
    put_failed(w, j);
    report_put_models(w, j->models, j->n_models);
    if (j->mixed_models) json_put_bool(w, "mixed_models", true);
    put_cost(w, j, s->co2e_g);
    put_reasons(w, j);
    json_object_end(w);
}

void report_judge_json(const report_judge *j, json_writer *w) {
    const report_summary alone = {0};
    put_judge(w, j, &alone);
}

void report_summary_json_open(const report_summary *s, json_writer *w) {
    json_object_begin(w);
    json_put_i64(w, "schema", 1);
    json_put_i64(w, "pairs", s->n_pairs);
    if (s->co2e_g > 0) json_put_f64(w, "co2e_g_per_1000_tokens", s->co2e_g);
    json_key(w, "judges");
    json_object_begin(w);
    for (size_t i = 0; i < s->n_judges; i++) {
        json_key_str(w, s->judges[i].name);
        put_judge(w, &s->judges[i], s);
    }
    json_object_end(w);
}

void report_summary_json(const report_summary *s, eh_buf *out) {
    json_writer w;
    json_writer_init(&w, out, 1);
    report_summary_json_open(s, &w);
    json_object_end(&w);
    buf_add_char(out, '\n');
}
