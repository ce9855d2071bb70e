/* SPDX-License-Identifier: MIT
 *
 * The summary for people on a terminal: a block for one run, a table for several.
 *
 * A line is a name and what it says. Left out: colour, which adds nothing to numbers,
 * and what --json has for machines.
 */
#include "report/summary.h"

#include <math.h>
#include <stdio.h>

#include "report/write.h"

enum { TEXT_MAX = 64 };

static void add_rate(eh_buf *out, const report_rate *r) {
    char value[REPORT_PERCENT_MAX];
    buf_add_cstr(out, report_percent(r->value, value));
    if (!isnan(r->low))
        buf_printf(out, "  (95 %%: %.1f to %.1f; %lld pairs, %lld questions)",
                   100 * r->low, 100 * r->high, (long long)r->n,
                   (long long)r->n_questions);
    else
        buf_printf(out, "  (no interval: %s)",
                   r->why ? report_why_text(r->why) : "too few questions");
    buf_add_char(out, '\n');
}

static void name_of(eh_str model, const char *fallback, char text[TEXT_MAX]) {
    if (model.len)
        (void)snprintf(text, TEXT_MAX, "%.*s", EH_STR_ARG(model));
    else
        (void)snprintf(text, TEXT_MAX, "%s", fallback);
}

static void add_bootstrap(eh_buf *out, const report_bootstrap *b) {
    if (b->n_resamples == 0) return;
    report_label(out, "  bootstrap");
    if (isnan(b->low))
        buf_printf(out, "no interval (%s)\n", report_why_text(b->why));
    else
        buf_printf(out, "%.1f to %.1f  (%d resamples of the questions)\n", 100 * b->low,
                   100 * b->high, b->n_resamples);
}

static void add_win_rate(eh_buf *out, const report_judge *j) {
    char one[TEXT_MAX];
    bool named = j->model_1.len && !eh_str_eq(j->model_1, j->model_2);
    name_of(named ? j->model_1 : EH_STR(""), "answer 1", one);
    if (!isnan(j->win_rate.value)) {
        report_label(out, "win rate");
        add_rate(out, &j->win_rate);
        add_bootstrap(out, &j->win_rate.bootstrap);
    }
    if (!isnan(j->win_rate_soft.value) && !j->position.one_order) {
        report_label(out, "soft win rate");
        add_rate(out, &j->win_rate_soft);
        add_bootstrap(out, &j->win_rate_soft.bootstrap);
    }
    for (int o = 0; o < EH_ORDER_N && !plan_is_alone(&j->plan); o++) {
        if (!(j->plan.orders & PLAN_ORDER_BIT(o)) || j->position.one_order) continue;
        char name[TEXT_MAX];
        (void)snprintf(name, sizeof name, "  order %s only",
                       eh_order_name((eh_order)o));
        report_label(out, name);
        add_rate(out, &j->win_rate_by_order[o]);
    }
    report_label(out, "");
    buf_printf(out, "of %s; ties count half\n", one);
}

static void add_rulings(eh_buf *out, const report_judge *j) {
    const report_rulings *r = &j->rulings;
    char one[TEXT_MAX], two[TEXT_MAX];
    bool named = j->model_1.len && !eh_str_eq(j->model_1, j->model_2);
    name_of(named ? j->model_1 : EH_STR(""), "answer 1", one);
    name_of(named ? j->model_2 : EH_STR(""), "answer 2", two);
    report_label(out, "rulings");
    if (j->none[PLAN_NONE_SIDE_BY_SIDE]) {
        buf_add_cstr(out,
                     "none: one-order method asked both ways, see the two orders\n");
        return;
    }
    buf_printf(out, "%s %lld, %s %lld, tie %lld", one, (long long)r->n_1, two,
               (long long)r->n_2, (long long)(r->tie_agreed + r->tie_from_conflict));
    if (r->tie_agreed + r->tie_from_conflict)
        buf_printf(out, " (%lld agreed, %lld from conflict)", (long long)r->tie_agreed,
                   (long long)r->tie_from_conflict);
    buf_add_char(out, '\n');
    if (r->n_none == 0) return;
    report_label(out, "no ruling");
    const char *sep = "";
    for (int k = PLAN_NONE_NOT + 1; k < PLAN_NONE_SIDE_BY_SIDE; k++) {
        if (!j->none[k]) continue;
        buf_printf(out, "%s%s %lld", sep, plan_none_name((plan_none_kind)k),
                   (long long)j->none[k]);
        sep = ", ";
    }
    buf_add_char(out, '\n');
}

static void add_position(eh_buf *out, const report_judge *j) {
    const report_position *p = &j->position;
    char rate[REPORT_PERCENT_MAX];
    report_label(out, "position");
    if (plan_is_alone(&j->plan)) {
        buf_add_cstr(out, "each answer was scored alone: there is no slot to prefer\n");
        return;
    }
    if (p->one_order) {
        buf_add_cstr(out, "one order only: bias and quality cannot be told apart\n");
        return;
    }
    buf_printf(out, "first slot in %s of decided replies (%lld to %lld, %lld ties)\n",
               report_percent(p->first_rate, rate), (long long)p->first,
               (long long)p->second, (long long)p->tie);
}

static void add_conflict(eh_buf *out, const report_judge *j) {
    const report_conflict *c = &j->conflict;
    if (j->position.one_order || plan_is_alone(&j->plan)) return;
    report_label(out, "conflict");
    if (c->n_pairs == 0) {
        buf_add_cstr(out, "no pair has a ruling in both orders\n");
        return;
    }
    char rate[REPORT_PERCENT_MAX];
    buf_printf(out,
               "%s: %lld of %lld pairs (first slot twice %lld, second twice %lld, with "
               "a tie %lld); direction: ",
               report_percent(c->rate.value, rate), (long long)c->n_conflicts,
               (long long)c->n_pairs, (long long)c->first_both,
               (long long)c->second_both, (long long)c->with_tie);
    report_p_value(out, c->p_direction);
    buf_add_char(out, '\n');
}

/* Each order alone, and the pairs on which both are right. */
static void add_both_orders(eh_buf *out, const report_labels *l) {
    char order[REPORT_PERCENT_MAX];
    report_label(out, "");
    buf_printf(out, "order 12 only %s, ",
               report_percent(l->by_order[0].accuracy, order));
    buf_printf(out, "order 21 only %s, ",
               report_percent(l->by_order[1].accuracy, order));
    buf_printf(out, "right in both %s\n",
               report_percent(l->human_agreement.value, order));
}

static void add_kappa(eh_buf *out, double kappa, const char *why) {
    report_label(out, "");
    if (isnan(kappa))
        buf_printf(out, "kappa undefined (%s)", report_why_text(why));
    else
        buf_printf(out, "kappa %.3f", kappa);
}

/* The first two lines: of the rulings, or of the two orders side by side. */
static void add_accuracy(eh_buf *out, const report_judge *j) {
    const report_labels *l = &j->labels;
    const report_agreement *by = l->by_order;
    char accuracy[REPORT_PERCENT_MAX], ruled[REPORT_PERCENT_MAX];
    report_label(out, "against humans");
    if (report_orders_apart(j)) {
        buf_printf(out, "accuracy %s of %lld labelled pairs (mean of the orders)\n",
                   report_percent((by[0].accuracy + by[1].accuracy) / 2, accuracy),
                   (long long)l->all.n_labelled);
        add_kappa(out, (by[0].kappa + by[1].kappa) / 2,
                  by[0].why_kappa ? by[0].why_kappa : by[1].why_kappa);
        return;
    }
    buf_printf(out, "accuracy %s of %lld labelled pairs (%s of the %lld ruled)\n",
               report_percent(l->all.accuracy, accuracy), (long long)l->all.n_labelled,
               report_percent(l->all.accuracy_ruled, ruled), (long long)l->all.n_ruled);
    add_kappa(out, l->all.kappa, l->all.why_kappa);
}

/* Coarse scores tie often; whether rulings contradict each other shows in triples. */
static void add_consistency(eh_buf *out, const report_judge *j) {
    const report_transitivity *t = &j->transitivity;
    const report_rulings *r = &j->rulings;
    int64_t n_ties = r->tie_agreed + r->tie_from_conflict;
    int64_t n_ruled = r->n_1 + r->n_2 + n_ties;
    char rate[REPORT_PERCENT_MAX];
    if (plan_is_alone(&j->plan) && n_ruled > 0) {
        report_label(out, "ties");
        buf_printf(out, "%s of rulings: %lld of %lld pairs have equal scores\n",
                   report_percent((double)n_ties / (double)n_ruled, rate),
                   (long long)n_ties, (long long)n_ruled);
    }
    if (t->n_triples == 0) return;
    report_label(out, "transitivity");
    buf_printf(
        out,
        "%lld of %lld triples of answers go in a circle, %lld are broken by a "
        "tie%s\n",
        (long long)t->n_circles, (long long)t->n_triples, (long long)t->n_broken_by_tie,
        plan_is_alone(&j->plan) ? "; scores of single answers can do neither" : "");
}

static void add_labels(eh_buf *out, const report_judge *j) {
    const report_labels *l = &j->labels;
    char accuracy[REPORT_PERCENT_MAX];
    if (l->all.n_labelled == 0) return;
    add_accuracy(out, j);
    buf_printf(out, "; always saying \"%s\" is right for %s\n",
               eh_verdict_name(l->baseline_label),
               report_percent(l->baseline, accuracy));
    if (!j->position.one_order && !plan_is_alone(&j->plan)) add_both_orders(out, l);
    if (l->n_flagged && !report_orders_apart(j)) {
        report_label(out, "");
        buf_printf(out, "no clear majority on %lld pair%s (a tie); without %s %s\n",
                   (long long)l->n_flagged, l->n_flagged == 1 ? "" : "s",
                   l->n_flagged == 1 ? "it" : "them",
                   report_percent(l->without_flagged.accuracy, accuracy));
    }
    if (isnan(l->reliability.brier)) return;
    report_label(out, "");
    buf_printf(out, "soft verdicts: Brier score %.3f, off by %.3f on average\n",
               l->reliability.brier, l->reliability.calibration_error);
}

static void add_failed(eh_buf *out, const report_judge *j) {
    const char *sep = "";
    bool any = false;
    for (int r = VERDICT_REASON_NONE + 1; r < VERDICT_REASON_N; r++) {
        if (!j->failed[r]) continue;
        if (!any) report_label(out, "failed replies");
        any = true;
        buf_printf(out, "%s%s %lld", sep, verdict_reason_name((verdict_reason)r),
                   (long long)j->failed[r]);
        sep = ", ";
    }
    if (any) buf_add_char(out, '\n');
}

enum { MODELS_SHOWN = 4, MODEL_NAME_BYTES = 80 };

void report_models(const report_judge *j, eh_buf *out) {
    for (size_t i = 0; i < j->n_models && i < MODELS_SHOWN; i++) {
        const report_model *m = &j->models[i];
        if (i) buf_add_cstr(out, ", ");
        report_foreign(out, eh_str_is_absent(m->model) ? EH_STR("unnamed") : m->model,
                       MODEL_NAME_BYTES);
        if (m->fingerprint.len) {
            buf_add_cstr(out, " (");
            report_foreign(out, m->fingerprint, MODEL_NAME_BYTES);
            buf_add_char(out, ')');
        }
        buf_printf(out, " %lld calls", (long long)m->n_calls);
    }
    if (j->n_models > MODELS_SHOWN)
        buf_printf(out, " and %zu more", j->n_models - MODELS_SHOWN);
}

static void add_models(eh_buf *out, const report_judge *j) {
    if (!j->mixed_models) return;
    report_label(out, "models");
    report_models(j, out);
    buf_add_cstr(out, ": mixed\n");
}

static void add_usd(eh_buf *out, double usd) {
    buf_printf(out, "$%.*f, ", usd < 1 ? 4 : 2, usd);
}

/* Nothing where no tokens are known, as with judges that cost nothing. */
static void add_cost(eh_buf *out, const report_judge *j, double co2e_g) {
    if (j->prompt_tokens < 0 || j->completion_tokens < 0) return;
    report_label(out, "cost");
    if (j->cost_nusd >= 0) add_usd(out, (double)j->cost_nusd / 1e9);
    buf_printf(out, "%lld tokens asked, %lld answered", (long long)j->prompt_tokens,
               (long long)j->completion_tokens);
    if (j->cost_nusd < 0)
        buf_add_cstr(out, "; price unknown");
    else if (j->price_date.len)
        buf_printf(out, "; price of %.*s", EH_STR_ARG(j->price_date));
    buf_add_char(out, '\n');
    if (j->n_pairs == 0) return;
    double scale = 1000 / (double)j->n_pairs;
    double tokens = (double)(j->prompt_tokens + j->completion_tokens) * scale;
    report_label(out, "per 1,000 pairs");
    if (j->cost_nusd >= 0) add_usd(out, (double)j->cost_nusd / 1e9 * scale);
    buf_printf(out, "%.0f tokens", tokens);
    if (co2e_g > 0)
        buf_printf(out, ", %.4g g CO2e (at %g g for 1,000 tokens)",
                   tokens / 1000 * co2e_g, co2e_g);
    buf_add_char(out, '\n');
}

static void add_planning(eh_buf *out, const report_planning *p) {
    if (p->why) return;
    report_label(out, "planning");
    buf_printf(out, "shows a win rate off 50 %% by %.1f points with %.0f %% power\n",
               100 * p->detectable, 100 * REPORT_POWER);
}

static void add_block(eh_buf *out, const report_judge *j, const report_summary *s) {
    buf_printf(out, "%.*s\n", EH_STR_ARG(j->name));
    report_label(out, "asked");
    char options[PLAN_OPTIONS_CHARS];
    plan_options_text(&j->plan, options);
    buf_printf(out, "%lld pairs, method %s", (long long)j->n_pairs,
               j->people ? "hitlc" : plan_method_name(j->plan.method));
    if (!options[0]) buf_printf(out, ", k %d", j->plan.k);
    if (j->template_name.len)
        buf_printf(out, ", template %.*s", EH_STR_ARG(j->template_name));
    buf_printf(out, ", %lld calls\n", (long long)j->n_calls);
    add_cost(out, j, s->co2e_g);
    if (options[0]) {
        report_label(out, "");
        buf_printf(out, "%s\n", options);
    }
    add_win_rate(out, j);
    add_rulings(out, j);
    add_position(out, j);
    add_conflict(out, j);
    add_consistency(out, j);
    if (j->bpde.n) {
        report_label(out, "uncertainty");
        buf_printf(out, "BPDE mean %.3f, highest %.3f; 0 for %lld of %lld pairs\n",
                   j->bpde.mean, j->bpde.max, (long long)j->bpde.zero,
                   (long long)j->bpde.n);
    }
    add_planning(out, &j->planning);
    if (j->people) {
        report_hitlc h = report_hitlc_of(j, s);
        report_hitlc_text(&h, out);
    }
    add_labels(out, j);
    report_bias_text(&j->bias, out);
    if (plan_n_stages(&j->plan) > 1) report_portia_text(&j->portia, &j->plan, out);
    if (s->with_compat) report_compat_text(&j->compat, out);
    add_failed(out, j);
    add_models(out, j);
}

void report_summary_body_text(const report_summary *s, eh_buf *out) {
    if (s->n_judges == 0)
        buf_printf(out, "%lld pairs, nothing asked yet.\n", (long long)s->n_pairs);
    else if (s->n_judges > 1)
        report_summary_table(s, out);
    else
        add_block(out, &s->judges[0], s);
}

void report_summary_closing_text(const report_summary *s, eh_buf *out) {
    if (s->n_judges != 1) return;
    buf_add_char(out, '\n');
    report_sentence(&s->judges[0], out);
    buf_add_char(out, '\n');
}

void report_summary_text(const report_summary *s, eh_buf *out) {
    report_summary_body_text(s, out);
    report_summary_closing_text(s, out);
}
