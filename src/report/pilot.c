/* SPDX-License-Identifier: MIT
 *
 * A pilot for people and for programs.
 *
 *   conflict, failures, tokens of a pair, pairs needed      what was found
 *   bpc, mec+bpc: calls, tokens, money                      what the whole would take
 *   one sentence                                            what to do next
 *
 * The advice goes by fixed bounds, worst news first: replies that cannot be read make
 * every other number worthless; a judge that contradicts itself on a fifth of the pairs
 * needs several samples; one that leans to a slot needs both orders. Below that, one
 * sample in each order does.
 */
#include "report/pilot.h"

#include <math.h>
#include <stdio.h>

#include "report/write.h"

#define FAILED_MAX .05
#define CONFLICT_HIGH .20
#define P_DIRECTION .05
#define HALF_WIDTH .05

report_advice report_pilot_advice(const report_pilot *p) {
    const report_conflict *c = &p->judge->conflict;
    if ((double)p->n_failed > FAILED_MAX * (double)p->n_replies)
        return REPORT_ADVICE_FAILURES;
    if (isnan(c->rate.low)) return REPORT_ADVICE_TOO_FEW;
    if (c->rate.value >= CONFLICT_HIGH) return REPORT_ADVICE_CONFLICT;
    if (c->p_direction < P_DIRECTION) return REPORT_ADVICE_DIRECTION;
    return c->rate.high >= CONFLICT_HIGH ? REPORT_ADVICE_UNSURE : REPORT_ADVICE_FINE;
}

static const char *advice_name(report_advice advice) {
    static const char *const names[] = {
        [REPORT_ADVICE_FAILURES] = "failures", [REPORT_ADVICE_TOO_FEW] = "too_few",
        [REPORT_ADVICE_CONFLICT] = "conflict", [REPORT_ADVICE_DIRECTION] = "direction",
        [REPORT_ADVICE_UNSURE] = "unsure",     [REPORT_ADVICE_FINE] = "fine",
    };
    return names[advice];
}

static const char *advice_text(report_advice advice) {
    switch (advice) {
    case REPORT_ADVICE_FAILURES:
        return "More than 5 % of the replies have no verdict: fix the template or "
               "--max-tokens first (the replies are in the ledger).";
    case REPORT_ADVICE_TOO_FEW:
        return "Too few pairs have a verdict in both orders to say more: take a larger "
               "pilot.";
    case REPORT_ADVICE_CONFLICT:
        return "The order of the answers decides too many pairs: use mec+bpc, and look "
               "at its ties from conflict before you trust a win rate.";
    case REPORT_ADVICE_DIRECTION:
        return "Few pairs conflict, but one slot gains by them: one order alone would "
               "be biased; bpc takes that out, mec+bpc adds little.";
    case REPORT_ADVICE_UNSURE:
        return "Few pairs conflict, but so small a pilot cannot tell it from many: bpc "
               "will probably do, and mec+bpc is the safe choice.";
    case REPORT_ADVICE_FINE: break;
    }
    return "Few pairs conflict and neither slot gains by it: bpc suffices.";
}

/* ---- text ---- */

static void add_conflict(eh_buf *out, const report_conflict *c) {
    report_label(out, "conflict");
    if (c->n_pairs == 0) {
        buf_add_cstr(out, "no pair has a verdict in both orders\n");
        return;
    }
    buf_printf(out, "%.1f %% of %lld pairs", 100 * c->rate.value,
               (long long)c->n_pairs);
    if (!isnan(c->rate.low))
        buf_printf(out, "  (95 %%: %.1f to %.1f; %lld questions)", 100 * c->rate.low,
                   100 * c->rate.high, (long long)c->rate.n_questions);
    buf_add_char(out, '\n');
    report_label(out, "");
    buf_printf(out, "first slot twice %lld, second twice %lld, with a tie %lld; ",
               (long long)c->first_both, (long long)c->second_both,
               (long long)c->with_tie);
    buf_add_cstr(out, "direction: ");
    report_p_value(out, c->p_direction);
    buf_add_char(out, '\n');
}

static void add_failed(eh_buf *out, const report_pilot *p) {
    const char *sep = ": ";
    report_label(out, "failed replies");
    buf_printf(out, "%lld of %lld", (long long)p->n_failed, (long long)p->n_replies);
    for (int r = VERDICT_REASON_NONE + 1; r < VERDICT_REASON_N; r++) {
        if (!p->judge->failed[r]) continue;
        buf_printf(out, "%s%s %lld", sep, verdict_reason_name((verdict_reason)r),
                   (long long)p->judge->failed[r]);
        sep = ", ";
    }
    buf_add_char(out, '\n');
}

static void add_needs(eh_buf *out, const report_pilot *p) {
    const report_rate *r = &p->judge->win_rate;
    double needed = report_pairs_needed(r, HALF_WIDTH);
    report_label(out, "tokens a pair");
    if (isnan(p->prompt_tokens))
        buf_add_cstr(out, "unknown: the judge counts none\n");
    else
        buf_printf(out, "%.0f asked, %.0f answered\n", p->prompt_tokens,
                   p->completion_tokens);
    report_label(out, "pairs needed");
    if (isnan(needed))
        buf_add_cstr(out, "unknown: too few pairs have a ruling\n");
    else
        buf_printf(out, "about %.0f for a win rate within +-5 points; there are %lld\n",
                   needed, (long long)p->n_pairs);
}

static void add_money(eh_buf *out, int64_t cost_nusd) {
    if (cost_nusd >= 0) buf_printf(out, "  $%.2f", (double)cost_nusd / 1e9);
}

static void add_method(eh_buf *out, const report_pilot_method *m) {
    char name[40];
    (void)snprintf(name, sizeof name, "%s, k %d", plan_method_name(m->plan.method),
                   m->plan.k);
    report_label(out, name);
    buf_printf(out, "%lld calls", (long long)m->n_calls);
    if (m->n_present)
        buf_printf(out, ", %lld of them there already", (long long)m->n_present);
    if (!isnan(m->prompt_tokens))
        buf_printf(out, "; %.0f tokens asked, %.0f answered", m->prompt_tokens,
                   m->completion_tokens);
    add_money(out, m->cost_nusd);
    buf_add_char(out, '\n');
}

void report_pilot_text(const report_pilot *p, eh_buf *out) {
    buf_printf(out, "pilot: %lld of %lld pairs in both orders, method %s, k %d\n",
               (long long)p->judge->n_pairs, (long long)p->n_pairs,
               plan_method_name(p->plan.method), p->plan.k);
    add_conflict(out, &p->judge->conflict);
    add_failed(out, p);
    add_needs(out, p);
    buf_add_cstr(out, "\nall pairs would take\n");
    for (int i = 0; i < REPORT_PILOT_METHODS; i++)
        add_method(out, &p->methods[i]);
    buf_printf(out, "\n%s\n", advice_text(report_pilot_advice(p)));
}

/* ---- JSON ---- */

static void put_conflict(json_writer *w, const report_conflict *c) {
    json_key(w, "conflict");
    json_object_begin(w);
    json_put_i64(w, "pairs", c->n_pairs);
    json_put_i64(w, "conflicts", c->n_conflicts);
    json_put_f64(w, "rate", c->rate.value);
    json_put_f64(w, "low", c->rate.low);
    json_put_f64(w, "high", c->rate.high);
    json_put_i64(w, "first_both", c->first_both);
    json_put_i64(w, "second_both", c->second_both);
    json_put_i64(w, "with_tie", c->with_tie);
    json_put_f64(w, "p_direction", c->p_direction);
    if (c->rate.why) {
        json_put_cstr(w, "why", c->rate.why);
    }
    json_object_end(w);
}

static void put_method(json_writer *w, const report_pilot_method *m) {
    json_key(w, plan_method_name(m->plan.method));
    json_object_begin(w);
    json_put_i64(w, "k", m->plan.k);
    json_put_i64(w, "calls", m->n_calls);
    json_put_i64(w, "present", m->n_present);
    json_put_f64(w, "prompt_tokens", m->prompt_tokens);
    json_put_f64(w, "completion_tokens", m->completion_tokens);
    json_put_f64(w, "cost_usd", report_usd(m->cost_nusd));
    json_object_end(w);
}

void report_pilot_json(const report_pilot *p, eh_buf *out) {
    json_writer w;
    json_writer_init(&w, out, 1);
    json_object_begin(&w);
    json_put_i64(&w, "pilot", 1);
    json_put_i64(&w, "pairs", p->judge->n_pairs);
    json_put_i64(&w, "pairs_all", p->n_pairs);
    json_put_cstr(&w, "method", plan_method_name(p->plan.method));
    json_put_i64(&w, "k", p->plan.k);
    put_conflict(&w, &p->judge->conflict);
    json_put_i64(&w, "replies", p->n_replies);
    json_key(&w, "failed");
    json_object_begin(&w);
    for (int r = VERDICT_REASON_NONE + 1; r < VERDICT_REASON_N; r++)
        if (p->judge->failed[r])
            json_put_i64(&w, verdict_reason_name((verdict_reason)r),
                         p->judge->failed[r]);
    json_object_end(&w);
    json_put_f64(&w, "prompt_tokens_per_pair", p->prompt_tokens);
    json_put_f64(&w, "completion_tokens_per_pair", p->completion_tokens);
    json_put_f64(&w, "pairs_needed",
                 report_pairs_needed(&p->judge->win_rate, HALF_WIDTH));
    json_key(&w, "methods");
    json_object_begin(&w);
    for (int i = 0; i < REPORT_PILOT_METHODS; i++)
        put_method(&w, &p->methods[i]);
    json_object_end(&w);
    json_put_cstr(&w, "advice", advice_name(report_pilot_advice(p)));
    json_object_end(&w);
    buf_add_char(out, '\n');
}
