/* SPDX-License-Identifier: MIT
 *
 * Rates and trends as JSON and in words. Every writer of this module takes them from
 * here, so that a rate has the same members wherever it stands in the summary.
 */
#include "report/rate.h"

#include <math.h>
#include <string.h>

#include "report/write.h"

double report_share(int64_t part, int64_t whole) {
    return whole > 0 ? (double)part / (double)whole : (double)NAN;
}

static void put_bootstrap(json_writer *w, const report_bootstrap *b) {
    json_key(w, "bootstrap");
    json_object_begin(w);
    json_put_f64(w, "low", b->low);
    json_put_f64(w, "high", b->high);
    json_put_i64(w, "resamples", b->n_resamples);
    report_put_why(w, b->why);
    json_object_end(w);
}

void report_put_rate_members(json_writer *w, const report_rate *r) {
    json_put_f64(w, "value", r->value);
    json_put_f64(w, "low", r->low);
    json_put_f64(w, "high", r->high);
    json_put_i64(w, "n", r->n);
    json_put_i64(w, "questions", r->n_questions);
    report_put_why(w, r->why);
    if (r->bootstrap.n_resamples) put_bootstrap(w, &r->bootstrap);
}

void report_put_rate(json_writer *w, const char *key, const report_rate *r) {
    json_key(w, key);
    json_object_begin(w);
    report_put_rate_members(w, r);
    json_object_end(w);
}

void report_put_interval_members(json_writer *w, const stats_interval *i) {
    json_put_f64(w, "value", i->value);
    json_put_f64(w, "low", i->low);
    json_put_f64(w, "high", i->high);
    if (i->why != STATS_REASON_NONE) report_put_why(w, stats_reason_name(i->why));
}

void report_put_interval(json_writer *w, const char *key, const stats_interval *i) {
    json_key(w, key);
    json_object_begin(w);
    report_put_interval_members(w, i);
    json_object_end(w);
}

void report_put_trend(json_writer *w, const report_trend *t) {
    json_put_f64(w, "trend_z", t->z);
    json_put_f64(w, "trend_p", t->p);
    json_put_cstr(w, "trend_test", t->exact ? "permutation" : "normal");
    report_put_why(w, t->why);
}

const char *report_why_text(const char *why_name) {
    const char *name = why_name ? why_name : "no_rows";
    for (int why = 0; why < STATS_REASON_N; why++)
        if (strcmp(name, stats_reason_name((stats_reason)why)) == 0)
            return stats_reason_text((stats_reason)why);
    return name;
}

void report_trend_text(const report_trend *t, eh_buf *out) {
    if (isnan(t->p)) {
        buf_printf(out, "no trend (%s)", report_why_text(t->why));
        return;
    }
    buf_printf(out, "trend: z = %.2f, ", t->z);
    report_p_value(out, t->p);
}
