/* SPDX-License-Identifier: MIT
 *
 * Numbers by other tools' rules as JSON and for people.
 *
 * Where they come from: majority over both orders and all samples (many scripts), more
 * wins than losses with ties abstaining (JudgeBench), means of all scores (FairEval,
 * and the score sums of QLoRA), unreadable results as ties (PandaLM), as a verdict for
 * the second answer (LLMBar's agreement between orders), or as consistent (the rater
 * consistency of MT-bench logs: a record whose partner could not be read).
 */
#include "report/compat.h"

#include <math.h>

#include "report/rate.h"
#include "report/write.h"
#include "stats/agree.h"

static const char *const rule_names[REPORT_COMPAT_N] = {
#define X(id, name) name,
    REPORT_COMPAT_RULES(X)
#undef X
};

static double win_rate(const report_compat_ruled *r) {
    int64_t n = r->n_1 + r->n_2 + r->n_tie;
    return report_share(2 * r->n_1 + r->n_tie, 2 * n);
}

static void put_ruled(json_writer *w, const report_compat_ruled *r) {
    json_object_begin(w);
    json_put_i64(w, "1", r->n_1);
    json_put_i64(w, "2", r->n_2);
    json_put_i64(w, "tie", r->n_tie);
    json_put_i64(w, "none", r->n_none);
    json_put_f64(w, "win_rate", win_rate(r));
    if (isnan(win_rate(r))) report_put_why(w, "no_rows");
    if (r->labels.n_labelled) {
        json_key(w, "labels");
        json_object_begin(w);
        report_put_agreement(w, &r->labels);
        report_put_confusion(w, &r->labels);
        json_object_end(w);
    }
    json_object_end(w);
}

static void put_scores(json_writer *w, const report_compat *c) {
    json_key(w, "scores");
    json_object_begin(w);
    for (int o = 0; o < EH_ORDER_N; o++) {
        if (c->n_scored[o] == 0) continue;
        json_key(w, eh_order_name((eh_order)o));
        json_object_begin(w);
        json_put_i64(w, "n", c->n_scored[o]);
        json_put_f64(w, "sum_1", c->sum_1[o]);
        json_put_f64(w, "sum_2", c->sum_2[o]);
        json_object_end(w);
    }
    json_put_i64(w, "pairs", c->n_scored_pairs);
    json_put_f64(w, "mean_1", c->mean_1);
    json_put_f64(w, "mean_2", c->mean_2);
    json_object_end(w);
}

static void put_samples(json_writer *w, const report_compat *c) {
    json_key(w, "by_sample");
    json_array_begin(w);
    for (int s = 0; s < c->n_samples; s++) {
        const report_compat_sample *x = &c->samples[s];
        json_object_begin(w);
        json_put_i64(w, "read", x->n_read);
        json_put_i64(w, "consistent_or_alone", x->n_read - 2 * x->n_conflicts);
        json_put_i64(w, "pairs", x->n_pairs);
        json_put_i64(w, "conflicts", x->n_conflicts);
        json_put_i64(w, "first_both", x->first_both);
        json_put_i64(w, "second_both", x->second_both);
        json_put_i64(w, "with_tie", x->with_tie);
        json_object_end(w);
    }
    json_array_end(w);
}

static void put_between_orders(json_writer *w, const report_compat *c,
                               int64_t n_pairs) {
    stats_kappa k = stats_cohen_kappa(c->table_none_is_2, 3);
    json_key(w, "between_orders");
    json_object_begin(w);
    json_put_i64(w, "same_or_none", c->n_same_or_none);
    json_put_f64(w, "same_or_none_rate", report_share(c->n_same_or_none, n_pairs));
    json_put_f64(w, "kappa_none_is_2", k.kappa);
    if (k.why != STATS_REASON_NONE) report_put_why(w, stats_reason_name(k.why));
    json_object_end(w);
}

void report_put_compat(json_writer *w, const report_compat *c, int64_t n_pairs,
                       bool both_orders) {
    json_object_begin(w);
    for (int r = 0; r < REPORT_COMPAT_N; r++) {
        if (r == REPORT_COMPAT_SCORE && !c->has_scores) continue;
        json_key(w, rule_names[r]);
        put_ruled(w, &c->rules[r]);
    }
    if (c->has_scores) put_scores(w, c);
    if (both_orders) {
        put_between_orders(w, c, n_pairs);
        put_samples(w, c);
    }
    json_object_end(w);
}

void report_compat_text(const report_compat *c, eh_buf *out) {
    static const char *const heads[] = {"1", "2", "tie", "none", "win %", "acc %"};
    bool labels = c->rules[0].labels.n_labelled > 0;
    report_head(out, "  other rules (compatibility)", heads, labels ? 6 : 5);
    for (int r = 0; r < REPORT_COMPAT_N; r++) {
        const report_compat_ruled *x = &c->rules[r];
        if (r == REPORT_COMPAT_SCORE && !c->has_scores) continue;
        buf_printf(out, "    %s", rule_names[r]);
        report_cell_count(out, x->n_1);
        report_cell_count(out, x->n_2);
        report_cell_count(out, x->n_tie);
        report_cell_count(out, x->n_none);
        report_cell_percent(out, win_rate(x));
        if (labels) report_cell_percent(out, x->labels.accuracy);
        buf_add_char(out, '\n');
    }
}
