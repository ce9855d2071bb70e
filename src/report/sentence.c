/* SPDX-License-Identifier: MIT
 *
 * The closing sentence: what a person would say of a run, with its interval, its
 * conflicts, and how many pairs a narrower answer would take.
 *
 * Where there is no win rate it says so and why; it never prints a number over nothing.
 */
#include "report/summary.h"

#include <math.h>

#define HALF_WIDTH_WANTED .05

/* Whole percents, halves up as on the report page: printf would round 52.5 to 52. */
static double percent(double share) {
    return round(100 * share);
}

/* "model gpt-a", or "answer 1" where the data names no models. */
static void add_subject(const report_judge *j, eh_buf *out) {
    if (j->model_1.len && !eh_str_eq(j->model_1, j->model_2))
        buf_add_str(out, j->model_1);
    else
        buf_add_cstr(out, "answer 1");
}

/* The variance that one question contributes, from the interval's own standard error:
 * half width = t se; close enough to plan by. */
double report_pairs_needed(const report_rate *r, double half_width) {
    double factor = (r->high - r->low) / 2 / half_width;
    return ceil((double)r->n * factor * factor / 5) * 5;
}

static void add_pairs_needed(const report_rate *r, eh_buf *out) {
    if (!((r->high - r->low) / 2 > HALF_WIDTH_WANTED)) return;
    buf_printf(out, "; about %.0f pairs would give +-5 points",
               report_pairs_needed(r, HALF_WIDTH_WANTED));
}

static void add_no_rate(const report_judge *j, eh_buf *out) {
    double a = j->win_rate_by_order[0].value, b = j->win_rate_by_order[1].value;
    if (!isnan(a) && !isnan(b)) {
        add_subject(j, out);
        buf_printf(out,
                   " wins %.0f %% when shown first and %.0f %% when shown second "
                   "(mean %.0f %%, swing %.0f points)",
                   percent(a), percent(b), percent((a + b) / 2), percent(fabs(a - b)));
    } else {
        buf_add_cstr(out, "no pair has a ruling");
    }
}

void report_sentence(const report_judge *j, eh_buf *out) {
    const report_rate *r = &j->win_rate;
    if (isnan(r->value)) {
        add_no_rate(j, out);
    } else {
        add_subject(j, out);
        buf_printf(out, " wins %.0f %% (", percent(r->value));
        if (isnan(r->low))
            buf_printf(out, "no interval from %lld question%s",
                       (long long)r->n_questions, r->n_questions == 1 ? "" : "s");
        else
            buf_printf(out, "%.0f to %.0f, %lld questions", percent(r->low),
                       percent(r->high), (long long)r->n_questions);
        buf_add_char(out, ')');
    }
    if (j->conflict.n_pairs)
        buf_printf(out, "; %.0f %% of pairs conflict", percent(j->conflict.rate.value));
    else if (j->position.one_order)
        buf_add_cstr(out, "; only one order was asked, so the judge's position bias is "
                          "in this number");
    if (j->rulings.n_none && !isnan(r->value))
        buf_printf(out, "; %lld of %lld pairs have no ruling",
                   (long long)j->rulings.n_none, (long long)j->n_pairs);
    if (!isnan(r->low)) add_pairs_needed(r, out);
    buf_add_char(out, '.');
}
