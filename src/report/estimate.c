/* SPDX-License-Identifier: MIT
 *
 * Writing estimates of the people's win rate.
 *
 * The paper's way (people where labelled, else the judge) stands among the others with
 * its value and never with an interval: nobody knows how wrong the judge is on the
 * rest. Codes of `why` stand in JSON, sentences on the terminal.
 */
#include "report/estimate.h"
#include "report/write.h"

#include <math.h>

static const struct {
    const char *name, *text;
} kinds[] = {
#define X(id, name, text) {name, text},
    REPORT_ESTIMATE_LIST(X)
#undef X
};

static const struct {
    const char *code, *text;
} reasons[] = {
    {"not_drawn_so", "not drawn so"},
    {"no_labels", "no labels"},
    {"too_few_labels", "too few labels"},
    {"labels_not_at_random", "no valid interval"},
    {"some_pairs_unlabelled", "no valid interval"},
    {"judge_errors_not_covered", ""},
    {"too_few_questions", "too few questions"},
    {"no_rows", "nothing to count"},
    {"no_leaks", ""},
};

static const char *reason_text(const char *code) {
    for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++)
        if (code && strcmp(code, reasons[i].code) == 0) return reasons[i].text;
    return code ? code : "";
}

/* ---- JSON ---- */

static void put_estimate(json_writer *w, const char *key, const report_estimate *r) {
    json_key(w, key);
    json_object_begin(w);
    json_put_f64(w, "value", r->value);
    json_put_f64(w, "low", r->low);
    json_put_f64(w, "high", r->high);
    json_put_f64(w, "se", r->se);
    json_put_i64(w, "labels", r->n_labels);
    if (!isnan(r->lambda)) json_put_f64(w, "lambda", r->lambda);
    if (r->why) {
        json_put_cstr(w, "why", r->why);
    }
    json_object_end(w);
}

static int64_t labels_nusd(const report_estimates *e, int64_t n_people) {
    return e->label_nusd < 0 ? -1 : n_people * e->labels_per_pair * e->label_nusd;
}

int64_t report_budget_nusd(const report_estimates *e, int64_t n_people) {
    if (e->label_nusd < 0 || e->judge_nusd < 0) return -1;
    return e->judge_nusd + labels_nusd(e, n_people);
}

/* What that budget costs less than a label for every pair. */
static double saved_usd(const report_estimates *e, int64_t n_people) {
    return report_usd(labels_nusd(e, e->n_pairs)) -
           report_usd(report_budget_nusd(e, n_people));
}

static void put_curve(json_writer *w, const report_estimates *e) {
    json_key(w, "curve");
    if (!e->has_curve) {
        json_null(w);
        return;
    }
    json_array_begin(w);
    for (int i = 0; i < REPORT_BUDGETS; i++) {
        const report_budget *b = &e->curve[i];
        json_object_begin(w);
        json_put_i64(w, "percent", b->percent);
        json_put_i64(w, "people", b->n_people);
        json_put_f64(w, "entropy", b->entropy);
        json_put_f64(w, "active", b->active);
        json_put_f64(w, "random", b->random);
        json_put_f64(w, "accuracy_rest", b->accuracy_rest);
        if (e->label_nusd >= 0) {
            json_put_f64(w, "labels_usd", report_usd(labels_nusd(e, b->n_people)));
            json_put_f64(w, "cost_usd", report_usd(report_budget_nusd(e, b->n_people)));
            json_put_f64(w, "saved_usd", saved_usd(e, b->n_people));
        }
        json_object_end(w);
    }
    json_array_end(w);
}

void report_estimates_json(const report_estimates *e, json_writer *w) {
    json_object_begin(w);
    json_put_str(w, "selection", e->selection);
    json_put_i64(w, "pairs", e->n_pairs);
    json_put_i64(w, "questions", e->n_questions);
    json_put_i64(w, "without_ruling", e->n_without_ruling);
    json_put_i64(w, "selected", e->n_selected);
    json_put_i64(w, "labelled", e->n_labelled);
    json_put_i64(w, "selected_labelled", e->n_selected_labelled);
    json_put_i64(w, "left_by_people", e->n_missing);
    json_put_i64(w, "identity_leaks", e->n_leaks);
    json_put_str(w, "quote",
                 e->quote == REPORT_ESTIMATE_N ? (eh_str){NULL, 0}
                                               : eh_str_of(kinds[e->quote].name));
    for (int k = 0; k < REPORT_ESTIMATE_N; k++)
        put_estimate(w, kinds[k].name, &e->of[k]);
    put_estimate(w, "without_leaks", &e->without_leaks);
    json_put_bool(w, "few_labels", e->few_labels);
    json_put_f64(w, "labels_alone", e->labels_alone);
    json_put_f64(w, "half_width", e->half_width);
    json_put_f64(w, "labels_wished", e->labels_wished);
    json_put_f64(w, "accuracy", e->accuracy);
    json_put_f64(w, "accuracy_hitlc", e->accuracy_hitlc);
    json_put_f64(w, "accuracy_random", e->accuracy_random);
    json_put_f64(w, "accuracy_rest", e->accuracy_rest);
    json_put_i64(w, "rest_labelled", e->n_rest_labelled);
    json_put_i64(w, "curve_labelled", e->n_curve);
    put_curve(w, e);
    json_object_end(w);
}

/* ---- text ---- */

static void estimate_line(const report_estimates *e, int kind, eh_buf *out) {
    const report_estimate *r = &e->of[kind];
    buf_printf(out, "  %s", kinds[kind].text);
    if (isnan(r->value)) {
        buf_printf(out, LAYOUT_CELL "-" LAYOUT_LEFT "%s\n", reason_text(r->why));
        return;
    }
    buf_printf(out, LAYOUT_CELL "%.1f %%", 100 * r->value);
    if (kind == REPORT_ESTIMATE_JUDGE)
        buf_add_cstr(out, LAYOUT_LEFT);
    else if (isnan(r->low))
        buf_printf(out, LAYOUT_LEFT "%s", reason_text(r->why));
    else
        buf_printf(out, LAYOUT_LEFT "%.1f to %.1f", 100 * r->low, 100 * r->high);
    report_cell_count(out, r->n_labels);
    buf_printf(out, LAYOUT_LEFT "%s\n", (int)e->quote == kind ? "<-" : "");
}

static void accuracy_lines(const report_estimates *e, eh_buf *out) {
    if (isnan(e->accuracy)) return;
    buf_printf(out, "\n  the judge is right on %.1f %% of %lld labelled pairs\n",
               100 * e->accuracy, (long long)e->n_labelled);
    if (e->selection.len && e->n_rest_labelled)
        buf_printf(out, "  and on %.1f %% of %lld that were not in the queue\n",
                   100 * e->accuracy_rest, (long long)e->n_rest_labelled);
}

static void money(eh_buf *out, double value) {
    if (isnan(value))
        buf_add_cstr(out, LAYOUT_CELL "-");
    else
        buf_printf(out, LAYOUT_CELL "%.2f", value);
}

static void curve_head(const report_estimates *e, eh_buf *out) {
    static const char *const heads[] = {"people", "entropy", "active", "random",
                                        "rest",   "cost",    "saves"};
    buf_add_cstr(out, "\n  accuracy if people decide a part of the pairs and the judge "
                      "the rest, in %");
    if (e->n_curve < e->n_pairs)
        buf_printf(out, ", over %lld labelled pairs%s", (long long)e->n_curve,
                   e->is_random ? " (a random part)"
                                : "; how they were chosen is not known here");
    buf_add_char(out, '\n');
    report_head(out, "  budget", heads, e->label_nusd >= 0 ? 7 : 5);
}

static void curve_lines(const report_estimates *e, eh_buf *out) {
    static const int shown[] = {0, 5, 10, 20, 30, 40, 50, 60, 80, 100};
    if (!e->has_curve) return;
    curve_head(e, out);
    for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++) {
        const report_budget *b = &e->curve[shown[i]];
        buf_printf(out, "  %4d %%", shown[i]);
        report_cell_count(out, b->n_people);
        report_cell_percent(out, b->entropy);
        report_cell_percent(out, b->active);
        report_cell_percent(out, b->random);
        report_cell_percent(out, b->accuracy_rest);
        if (e->label_nusd >= 0) {
            int64_t both = report_budget_nusd(e, b->n_people);
            money(out, report_usd(both < 0 ? labels_nusd(e, b->n_people) : both));
            money(out, saved_usd(e, b->n_people));
        }
        buf_add_char(out, '\n');
    }
    buf_add_cstr(out, "\n  entropy: the most doubtful first; active, random: expected "
                      "over draws; rest: the judge on the others\n");
    if (e->label_nusd >= 0 && e->judge_nusd >= 0)
        buf_add_cstr(out, "  cost in $: judge and labels; saves: against labels of all "
                          "pairs\n");
    else if (e->label_nusd >= 0)
        buf_add_cstr(out, "  cost in $: labels alone, the judge's price is unknown "
                          "(--prices)\n");
}

static void warnings(const report_estimates *e, eh_buf *out) {
    if (e->n_missing)
        buf_printf(out,
                   "\n  warning: %lld pairs were skipped or unfamiliar and nobody took "
                   "them over; they are missing for what they are, and the interval "
                   "does not cover that\n",
                   (long long)e->n_missing);
    if (e->few_labels)
        buf_add_cstr(out, "\n  warning: few labels; the interval may be too narrow "
                          "(50 for active, 30 for random)\n");
    if (e->n_labelled && e->quote == REPORT_ESTIMATE_N)
        buf_add_cstr(out,
                     "\n  No interval is valid here: it takes labels of all pairs, "
                     "or a queue drawn by --selection active or random.\n");
    if (e->n_leaks && !isnan(e->without_leaks.value))
        buf_printf(out,
                   "\n  without the %lld pairs whose texts name a model: %.1f %% (%.1f "
                   "to %.1f)\n",
                   (long long)e->n_leaks, 100 * e->without_leaks.value,
                   100 * e->without_leaks.low, 100 * e->without_leaks.high);
}

void report_estimates_text(const report_estimates *e, eh_buf *out) {
    buf_printf(out,
               "%.*s: win rate of answer 1 that people would give, on all %lld "
               "pairs\n\n",
               EH_STR_ARG(e->judge), (long long)e->n_pairs);
    buf_add_cstr(out, LAYOUT_HEAD LAYOUT_CELL "value" LAYOUT_LEFT
                                              "95 % interval" LAYOUT_CELL "labels\n");
    for (int k = 0; k < REPORT_ESTIMATE_N; k++)
        estimate_line(e, k, out);
    if (e->quote != REPORT_ESTIMATE_N) buf_add_cstr(out, "  <- the one to give\n");
    if (e->n_selected > e->n_selected_labelled)
        buf_printf(out, "\n  of %lld pairs in the queue %lld are labelled so far\n",
                   (long long)e->n_selected, (long long)e->n_selected_labelled);
    if (!isnan(e->labels_alone) && e->quote != REPORT_ESTIMATE_PEOPLE)
        buf_printf(out, "\n  people alone would need about %.0f labels for this\n",
                   ceil(e->labels_alone));
    if (!isnan(e->labels_wished) && e->n_labelled == 0)
        buf_printf(
            out,
            "\n  for +- %.1f points: about %.0f labels of pairs drawn at random, "
            "fewer as far as people agree with the judge (annotate "
            "--selection random or active)\n",
            100 * e->half_width, e->labels_wished);
    else if (!isnan(e->labels_wished))
        buf_printf(out, "  for +- %.1f points: about %.0f labels in all\n",
                   100 * e->half_width, e->labels_wished);
    else if (e->quote != REPORT_ESTIMATE_N || e->n_labelled == 0)
        buf_printf(out,
                   "  for +- %.1f points labels of all these pairs are not enough: it "
                   "takes more pairs\n",
                   100 * e->half_width);
    accuracy_lines(e, out);
    warnings(e, out);
    curve_lines(e, out);
}
