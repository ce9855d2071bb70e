/* SPDX-License-Identifier: MIT
 *
 * A comparison of two runs, for people and as JSON.
 *
 * What better means depends on what was changed. Where the answers are others (a new
 * version of a model), more wins are better. Where the answers are the same and the
 * judge is another, more wins for answer 1 are no merit: labels say which judge is
 * right, and without them only whether the two say the same.
 */
#include "report/compare.h"

#include <math.h>
#include <stdio.h>

#include "base/json_write.h"
#include "report/write.h"

bool report_compare_of_judges(const report_compare *c) {
    return c->n_other_texts == 0;
}

const report_compare_rate *report_compare_main(const report_compare *c) {
    bool by_labels = report_compare_of_judges(c) && c->accuracy.n > 0;
    return by_labels ? &c->accuracy : &c->soft;
}

stats_finding report_compare_finding(const report_compare *c,
                                     const report_compare_rate *rate) {
    stats_finding f = rate->difference.finding;
    if (rate != &c->conflict) return f;
    return f == STATS_FINDING_BETTER  ? STATS_FINDING_WORSE
           : f == STATS_FINDING_WORSE ? STATS_FINDING_BETTER
                                      : f;
}

static double points(double share) {
    return 100 * share;
}

static const char *pairs_text(int64_t n) {
    return n == 1 ? "pair" : "pairs";
}

/* ---- the sentence ---- */

/* "a difference of +4.8 points (1.1 to 8.5; 80 questions)" */
static void add_difference(const report_compare_rate *r, eh_buf *out) {
    const stats_interval *i = &r->difference.interval;
    buf_printf(out, "a difference of %+.1f points", points(i->value));
    if (isnan(i->low))
        buf_printf(out, " without an interval (%lld question%s)",
                   (long long)r->n_questions, r->n_questions == 1 ? "" : "s");
    else
        buf_printf(out, " (%+.1f to %+.1f; %lld questions)", points(i->low),
                   points(i->high), (long long)r->n_questions);
}

/* What the two numbers of the main rate are. */
static void add_numbers(const report_compare *c, const report_compare_rate *r,
                        eh_buf *out) {
    eh_str one = c->base.model_1, two = c->fresh.model_1;
    if (r == &c->accuracy) {
        buf_printf(out, "right on %.1f %% of %lld labelled %s, before on %.1f %%, ",
                   points(r->fresh), (long long)r->n, pairs_text(r->n),
                   points(r->base));
        add_difference(r, out);
        buf_add_cstr(out, ", McNemar ");
        report_p_value(out, c->p_mcnemar);
        return;
    }
    if (!one.len || !two.len) one = two = EH_STR("answer 1");
    buf_printf(out, "%.*s wins %.1f %%, ", EH_STR_ARG(two), points(r->fresh));
    if (eh_str_eq(one, two))
        buf_printf(out, "before %.1f %%, ", points(r->base));
    else
        buf_printf(out, "%.*s won %.1f %%, ", EH_STR_ARG(one), points(r->base));
    add_difference(r, out);
}

static void add_needed(const report_compare *c, const report_compare_rate *r,
                       eh_buf *out) {
    if (r->n_needed > r->n_questions)
        buf_printf(out, "; about %lld questions would show %.3g points",
                   (long long)r->n_needed, points(c->margin));
}

void report_compare_sentence(const report_compare *c, eh_buf *out) {
    const report_compare_rate *r = report_compare_main(c);
    bool only_wins = report_compare_of_judges(c) && r == &c->soft;
    stats_finding finding = report_compare_finding(c, r);
    if (r->n == 0) {
        buf_add_cstr(out, "Nothing is shown: no pair was ruled in both.");
        return;
    }
    switch (finding) {
    case STATS_FINDING_BETTER:
    case STATS_FINDING_WORSE:
        if (only_wins)
            buf_printf(out, "Answer 1 does %s with the new judge: ",
                       stats_finding_name(finding));
        else
            buf_printf(out, "The new run is %s: ", stats_finding_name(finding));
        break;
    case STATS_FINDING_EQUIVALENT:
        buf_printf(out,
                   "The new run is equivalent within %.3g points: ", points(c->margin));
        break;
    case STATS_FINDING_NOT_SHOWN:
    case STATS_FINDING_N:
        buf_add_cstr(out,
                     "It is not shown that the new run is better or worse, nor that "
                     "it is equivalent: ");
        break;
    }
    add_numbers(c, r, out);
    if (finding == STATS_FINDING_NOT_SHOWN) add_needed(c, r, out);
    if (only_wins && finding != STATS_FINDING_EQUIVALENT)
        buf_add_cstr(out, "; which judge is right, labels would say");
    buf_add_char(out, '.');
}

/* ---- for people ---- */

static void add_side(const char *what, const report_compare_side *s, eh_buf *out) {
    buf_printf(out, "%-6s" LAYOUT_HANG "%.*s: %.*s\n      method %.*s, k %d", what,
               EH_STR_ARG(s->ledger), EH_STR_ARG(s->name), EH_STR_ARG(s->method), s->k);
    if (s->template_name.len)
        buf_printf(out, ", template %.*s", EH_STR_ARG(s->template_name));
    if (s->orders != PLAN_ORDERS_BOTH)
        buf_printf(out, ", order %s only", s->orders & 1u ? "12" : "21");
    buf_printf(out, ", %lld %s\n", (long long)s->n_pairs, pairs_text(s->n_pairs));
}

static void add_matching(const report_compare *c, eh_buf *out) {
    buf_printf(out, "both  " LAYOUT_HANG "%lld %s", (long long)c->n_common,
               pairs_text(c->n_common));
    if (c->n_other_texts)
        buf_printf(out, ", %lld of them with the same id and other texts",
                   (long long)c->n_other_texts);
    if (c->n_other_id)
        buf_printf(out, "%s %lld under another id", c->n_other_texts ? " and" : ",",
                   (long long)c->n_other_id);
    buf_add_char(out, '\n');
    if (c->n_exchanged)
        buf_printf(out,
                   "      %lld more have the two models exchanged and are left out\n",
                   (long long)c->n_exchanged);
    if (c->base.orders != c->fresh.orders)
        buf_add_cstr(out,
                     "      the two were not asked in the same orders: the difference "
                     "holds position bias\n");
}

static void add_row(const char *name, const report_compare_rate *r, eh_buf *out) {
    const stats_interval *i = &r->difference.interval;
    if (r->n == 0) return;
    buf_printf(out, "  %s" LAYOUT_CELL "%.1f %%" LAYOUT_CELL "%.1f %%", name,
               points(r->base), points(r->fresh));
    buf_printf(out, LAYOUT_CELL "%+.1f", points(i->value));
    if (isnan(i->low))
        buf_add_cstr(out, LAYOUT_CELL "no interval");
    else
        buf_printf(out, LAYOUT_CELL "%+.1f to %+.1f", points(i->low), points(i->high));
    report_cell_count(out, r->n_questions);
    buf_add_char(out, '\n');
}

void report_compare_text(const report_compare *c, eh_buf *out) {
    static const char *const heads[] = {"base", "new", "points", "95 %", "questions"};
    add_side("base", &c->base, out);
    add_side("new", &c->fresh, out);
    add_matching(c, out);
    buf_add_char(out, '\n');
    report_head(out, "", heads, 5);
    add_row("soft win rate", &c->soft, out);
    add_row("conflict", &c->conflict, out);
    add_row("accuracy", &c->accuracy, out);
    if (c->accuracy.n) {
        buf_printf(out,
                   "\n  of %lld labelled %s %lld became right and %lld wrong; McNemar ",
                   (long long)c->accuracy.n, pairs_text(c->accuracy.n),
                   (long long)c->n_gained, (long long)c->n_lost);
        report_p_value(out, c->p_mcnemar);
        buf_add_char(out, '\n');
    }
    buf_add_char(out, '\n');
    report_compare_sentence(c, out);
    buf_add_char(out, '\n');
}

/* ---- JSON ---- */

static void put_side(json_writer *w, const char *key, const report_compare_side *s) {
    json_key(w, key);
    json_object_begin(w);
    json_put_str(w, "judge", s->name);
    json_put_str(w, "method", s->method);
    json_put_i64(w, "k", s->k);
    json_put_str(w, "template", s->template_name);
    json_put_str(w, "model_1", s->model_1.len ? s->model_1 : (eh_str){NULL, 0});
    json_put_i64(w, "pairs", s->n_pairs);
    json_object_end(w);
}

static void put_rate(json_writer *w, const char *key, const report_compare *c,
                     const report_compare_rate *r) {
    const stats_interval *i = &r->difference.interval;
    json_key(w, key);
    json_object_begin(w);
    json_put_f64(w, "base", r->base);
    json_put_f64(w, "new", r->fresh);
    json_put_f64(w, "difference", i->value);
    json_put_f64(w, "low", i->low);
    json_put_f64(w, "high", i->high);
    json_put_f64(w, "p", r->difference.p);
    json_put_i64(w, "n", r->n);
    json_put_i64(w, "questions", r->n_questions);
    json_key(w, "questions_needed");
    if (r->n_needed)
        json_i64(w, r->n_needed);
    else
        json_null(w);
    json_put_cstr(w, "finding", stats_finding_name(report_compare_finding(c, r)));
    if (r == &c->accuracy) {
        json_put_i64(w, "gained", c->n_gained);
        json_put_i64(w, "lost", c->n_lost);
        json_put_f64(w, "p_mcnemar", c->p_mcnemar);
    }
    if (r->why) {
        json_put_cstr(w, "why", r->why);
    }
    json_object_end(w);
}

void report_compare_json(const report_compare *c, eh_buf *out) {
    const report_compare_rate *r = report_compare_main(c);
    eh_buf sentence;
    json_writer w;
    buf_init(&sentence, BUF_MAX_SMALL);
    report_compare_sentence(c, &sentence);
    json_writer_init(&w, out, 1);
    json_object_begin(&w);
    json_put_i64(&w, "compare", 1);
    put_side(&w, "base", &c->base);
    put_side(&w, "new", &c->fresh);
    json_key(&w, "pairs");
    json_object_begin(&w);
    json_put_i64(&w, "common", c->n_common);
    json_put_i64(&w, "other_id", c->n_other_id);
    json_put_i64(&w, "other_texts", c->n_other_texts);
    json_put_i64(&w, "exchanged", c->n_exchanged);
    json_object_end(&w);
    json_put_f64(&w, "margin", c->margin);
    put_rate(&w, "win_rate_soft", c, &c->soft);
    put_rate(&w, "conflict", c, &c->conflict);
    put_rate(&w, "accuracy", c, &c->accuracy);
    json_put_cstr(&w, "about", r == &c->accuracy ? "accuracy" : "win_rate_soft");
    json_put_cstr(&w, "finding", stats_finding_name(report_compare_finding(c, r)));
    json_put_str(&w, "sentence", buf_view(&sentence));
    json_object_end(&w);
    buf_add_char(out, '\n');
    buf_deinit(&sentence);
}
