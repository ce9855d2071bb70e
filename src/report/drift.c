/* SPDX-License-Identifier: MIT
 *
 * Drift, for people and as JSON.
 *
 * "No drift" is never all that is said: beside it stands how far the judge may have
 * moved all the same, since a small sample shows little.
 */
#include "report/drift.h"

#include <math.h>
#include <stdio.h>

#include "base/json_write.h"
#include "report/write.h"

enum { MODELS_SHOWN = 8, MODEL_NAME_BYTES = 100 };

const char *report_drift_name(report_drift_kind kind) {
    switch (kind) {
#define X(id, name)                                                                    \
    case REPORT_DRIFT_##id: return name;
        REPORT_DRIFT_LIST(X)
#undef X
    case REPORT_DRIFT_N: break;
    }
    return "";
}

/* In points of what is shown: per cent, or of the scale. */
static double shown(report_drift_kind kind, double value) {
    return kind == REPORT_DRIFT_LEVEL ? 9 * value : 100 * value;
}

static const char *unit(report_drift_kind kind) {
    return kind == REPORT_DRIFT_LEVEL ? "on the scale" : "points";
}

static const char *what(report_drift_kind kind) {
    return kind == REPORT_DRIFT_SHIFT    ? "the soft win rate of answer 1 moved by"
           : kind == REPORT_DRIFT_CHANGE ? "replies differ from before more than among "
                                           "themselves, by"
                                         : "scores moved by";
}

static void add_move(report_drift_kind kind, const report_drift_test *t, eh_buf *out) {
    const stats_interval *i = &t->difference.interval;
    int digits = kind == REPORT_DRIFT_LEVEL ? 2 : 1;
    buf_printf(out, "%s %+.*f %s (%+.*f to %+.*f)", what(kind), digits,
               shown(kind, i->value), unit(kind), digits, shown(kind, i->low), digits,
               shown(kind, i->high));
}

void report_drift_sentence(const report_drift *d, eh_buf *out) {
    const char *sep = "";
    if (d->is_unknown) {
        buf_printf(out,
                   "It cannot be told whether the judge has drifted: too few of %lld "
                   "pair%s can be compared.",
                   (long long)d->n_pairs, d->n_pairs == 1 ? "" : "s");
        return;
    }
    if (!d->is_shown) {
        const report_drift_test *t = &d->tests[REPORT_DRIFT_SHIFT];
        bool same = t->difference.finding == STATS_FINDING_EQUIVALENT;
        buf_add_cstr(out, "No drift is shown: ");
        add_move(REPORT_DRIFT_SHIFT, t, out);
        if (same) buf_printf(out, ", which is within %.3g points", 100 * d->margin);
        buf_add_char(out, '.');
        return;
    }
    buf_add_cstr(out, "The judge has drifted: ");
    for (int k = 0; k < REPORT_DRIFT_N; k++) {
        if (!d->tests[k].is_shown) continue;
        buf_add_cstr(out, sep);
        add_move((report_drift_kind)k, &d->tests[k], out);
        sep = "; ";
    }
    buf_add_char(out, '.');
}

/* ---- for people ---- */

static void add_row(report_drift_kind kind, const report_drift_test *t, eh_buf *out) {
    static const char *const names[] = {"soft win rate", "replies differ",
                                        "mean score"};
    const stats_interval *i = &t->difference.interval;
    int digits = kind == REPORT_DRIFT_LEVEL ? 2 : 1;
    double factor = kind == REPORT_DRIFT_LEVEL ? 1 : 100;
    if (!t->is_defined) return;
    buf_printf(out, "  %s" LAYOUT_CELL "%.*f" LAYOUT_CELL "%.*f" LAYOUT_CELL "%+.*f",
               names[kind], digits, factor * t->before, digits, factor * t->now, digits,
               shown(kind, i->value));
    if (isnan(i->low)) {
        buf_add_cstr(out, LAYOUT_CELL "no interval\n");
        return;
    }
    buf_printf(out, LAYOUT_CELL "%+.*f to %+.*f", digits, shown(kind, i->low), digits,
               shown(kind, i->high));
    report_cell_p(out, t->p_adjusted);
    buf_printf(out, LAYOUT_LEFT "%s\n", t->is_shown ? "drift" : "");
}

/* "m-2 (fp_7), m-3"; those that the endpoint did not name are left out. */
static void list_models(const report_model *models, size_t n, eh_buf *out) {
    const char *sep = "";
    for (size_t i = 0, n_shown = 0; i < n && n_shown < MODELS_SHOWN; i++) {
        if (eh_str_is_absent(models[i].model)) continue;
        buf_add_cstr(out, sep);
        report_foreign(out, models[i].model, MODEL_NAME_BYTES);
        if (models[i].fingerprint.len) {
            buf_add_cstr(out, " (");
            report_foreign(out, models[i].fingerprint, MODEL_NAME_BYTES);
            buf_add_char(out, ')');
        }
        sep = ", ";
        n_shown++;
    }
}

static void add_models(const report_drift *d, eh_buf *out) {
    eh_buf before, now;
    buf_init(&before, BUF_MAX_SMALL);
    buf_init(&now, BUF_MAX_SMALL);
    list_models(d->models_before, d->n_models_before, &before);
    list_models(d->models_now, d->n_models_now, &now);
    if (before.len && now.len && !eh_str_eq(buf_view(&before), buf_view(&now)))
        buf_printf(out, "\n  the endpoint calls itself %.*s; before: %.*s\n",
                   EH_STR_ARG(buf_view(&now)), EH_STR_ARG(buf_view(&before)));
    buf_deinit(&before);
    buf_deinit(&now);
}

void report_drift_text(const report_drift *d, eh_buf *out) {
    static const char *const heads[] = {"before", "now", "moved", "95 %", "p"};
    buf_printf(out,
               "%.*s: %.*s\n%lld pair%s asked again, %lld replies; without a verdict "
               "%lld, before %lld of %lld\n\n",
               EH_STR_ARG(d->ledger), EH_STR_ARG(d->judge), (long long)d->n_pairs,
               d->n_pairs == 1 ? "" : "s", (long long)d->n_now,
               (long long)d->n_failed_now, (long long)d->n_failed_before,
               (long long)d->n_before);
    report_head(out, "", heads, 5);
    for (int k = 0; k < REPORT_DRIFT_N; k++)
        add_row((report_drift_kind)k, &d->tests[k], out);
    if (d->tests[REPORT_DRIFT_CHANGE].is_defined)
        buf_add_cstr(out, "\n  replies differ: two replies to one prompt, in per cent; "
                          "before: both of one time, now: one of each time. p is "
                          "adjusted (Holm)\n");
    add_models(d, out);
    buf_add_char(out, '\n');
    report_drift_sentence(d, out);
    buf_add_char(out, '\n');
}

/* ---- JSON ---- */

static void put_test(json_writer *w, report_drift_kind kind,
                     const report_drift_test *t) {
    const stats_interval *i = &t->difference.interval;
    double width = kind == REPORT_DRIFT_LEVEL ? 9 : 1;
    json_key(w, report_drift_name(kind));
    json_object_begin(w);
    json_put_f64(w, "before", t->before);
    json_put_f64(w, "now", t->now);
    json_put_f64(w, "difference", width * i->value);
    json_put_f64(w, "low", width * i->low);
    json_put_f64(w, "high", width * i->high);
    json_put_f64(w, "p", t->p);
    json_put_f64(w, "p_adjusted", t->p_adjusted);
    json_put_i64(w, "n", t->n);
    json_put_i64(w, "questions", t->n_questions);
    json_put_bool(w, "drift", t->is_shown);
    if (i->why != STATS_REASON_NONE) {
        json_put_cstr(w, "why", stats_reason_name(i->why));
    }
    json_object_end(w);
}

static void put_replies(json_writer *w, const char *key, const report_drift *d,
                        bool now) {
    json_key(w, key);
    json_object_begin(w);
    json_put_i64(w, "replies", now ? d->n_now : d->n_before);
    json_put_i64(w, "failed", now ? d->n_failed_now : d->n_failed_before);
    report_put_models(w, now ? d->models_now : d->models_before,
                      now ? d->n_models_now : d->n_models_before);
    json_object_end(w);
}

void report_drift_json(const report_drift *d, eh_buf *out) {
    json_writer w;
    eh_buf sentence;
    buf_init(&sentence, BUF_MAX_SMALL);
    report_drift_sentence(d, &sentence);
    json_writer_init(&w, out, 1);
    json_object_begin(&w);
    json_put_i64(&w, "drift", 1);
    json_put_str(&w, "judge", d->judge);
    json_put_i64(&w, "pairs", d->n_pairs);
    json_put_f64(&w, "margin", d->margin);
    put_replies(&w, "before", d, false);
    put_replies(&w, "now", d, true);
    for (int k = 0; k < REPORT_DRIFT_N; k++)
        put_test(&w, (report_drift_kind)k, &d->tests[k]);
    json_put_cstr(&w, "finding",
                  d->is_unknown ? "unknown"
                  : d->is_shown ? "drift"
                                : "not_shown");
    json_put_str(&w, "sentence", buf_view(&sentence));
    json_object_end(&w);
    buf_add_char(out, '\n');
    buf_deinit(&sentence);
}
