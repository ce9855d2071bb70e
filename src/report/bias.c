/* SPDX-License-Identifier: MIT
 *
 * Score gap, length, human ties and repetition as JSON and for people.
 *
 * Paper 2024a found that a judge contradicts itself where its own scores are close;
 * 2024b that it does so more on long answers, and that a contradiction is no tie. These
 * parts let a user see each for a judge of their own. Bins that are empty are left out
 * of JSON and text.
 */
#include "report/bias.h"

#include <math.h>
#include <stdio.h>

#include "report/write.h"

static const char *const gap_names[REPORT_SCORE_GAP_BINS] = {
    "0", "to 0.5", "to 1", "to 2", "below 3", "3 and more"};

int report_score_gap_bin(double gap) {
    static const double tolerance = 1e-9; /* means of scores carry rounding */
    if (gap <= tolerance) return 0;
    if (gap <= .5 + tolerance) return 1;
    if (gap <= 1 + tolerance) return 2;
    if (gap <= 2 + tolerance) return 3;
    return gap < 3 - tolerance ? 4 : 5;
}

/* ---- JSON ---- */

void report_put_cp_bins(json_writer *w, const report_cp_bins *bins) {
    json_put_i64(w, "bin_cp", bins->bin_cp);
    json_key(w, "bins");
    json_array_begin(w);
    for (int b = 0; b < bins->n; b++) {
        if (bins->pairs[b] == 0) continue;
        json_object_begin(w);
        json_put_i64(w, "from_cp", (int64_t)b * bins->bin_cp);
        json_put_i64(w, "pairs", bins->pairs[b]);
        json_put_i64(w, bins->hit_key, bins->hits[b]);
        json_put_f64(w, bins->rate_key, report_share(bins->hits[b], bins->pairs[b]));
        json_object_end(w);
    }
    json_array_end(w);
}

void report_put_score_gap(json_writer *w, const report_score_gap *g) {
    json_object_begin(w);
    json_put_i64(w, "pairs", g->n_pairs);
    json_put_f64(w, "mean", g->mean);
    json_key(w, "bins");
    json_array_begin(w);
    for (int b = 0; b < REPORT_SCORE_GAP_BINS; b++) {
        if (g->pairs[b] == 0) continue;
        json_object_begin(w);
        json_put_cstr(w, "gap", gap_names[b]);
        json_put_i64(w, "pairs", g->pairs[b]);
        json_put_i64(w, "conflicts", g->conflicts[b]);
        json_put_f64(w, "rate", report_share(g->conflicts[b], g->pairs[b]));
        json_object_end(w);
    }
    json_array_end(w);
    report_put_trend(w, &g->trend);
    json_object_end(w);
}

void report_put_length(json_writer *w, const report_length *l) {
    json_object_begin(w);
    json_key(w, "longer");
    json_object_begin(w);
    json_put_i64(w, "decided", l->n_decided);
    json_put_i64(w, "longer", l->n_longer);
    json_put_f64(w, "rate", report_share(l->n_longer, l->n_decided));
    if (l->n_decided == 0) report_put_why(w, "no_decided_replies");
    json_object_end(w);
    json_key(w, "conflict");
    if (l->why) {
        json_null(w);
        report_put_why(w, l->why);
    } else {
        json_object_begin(w);
        const report_cp_bins bins = {l->pairs,          l->conflicts,
                                     REPORT_TOTAL_BINS, REPORT_TOTAL_BIN_CP,
                                     "conflicts",       "rate"};
        report_put_cp_bins(w, &bins);
        report_put_trend(w, &l->trend);
        json_object_end(w);
    }
    json_object_end(w);
}

void report_put_human_ties(json_writer *w, const report_human_ties *t) {
    json_object_begin(w);
    json_put_i64(w, "conflict_tie", t->conflict_tie);
    json_put_i64(w, "conflict_other", t->conflict_other);
    json_put_i64(w, "agree_tie", t->agree_tie);
    json_put_i64(w, "agree_other", t->agree_other);
    json_put_f64(w, "phi", t->phi);
    json_put_f64(w, "p", t->p);
    report_put_why(w, t->why_phi);
    json_object_end(w);
}

/* ---- text ---- */

/* "0: 0/4, to 0.5: 28/30" */
static void add_bin(eh_buf *out, const char **sep, const char *name, int64_t hits,
                    int64_t pairs) {
    if (pairs == 0) return;
    buf_printf(out, "%s%s: %lld/%lld", *sep, name, (long long)hits, (long long)pairs);
    *sep = ", ";
}

/* A trend needs two bins that hold pairs; one alone says what "conflict" says already.
 */
static bool has_bins(const int64_t *pairs, int n) {
    int filled = 0;
    for (int b = 0; b < n; b++)
        filled += pairs[b] > 0;
    return filled > 1;
}

static void add_score_gap(const report_score_gap *g, eh_buf *out) {
    const char *sep = "";
    if (g->why) return;
    report_label(out, "score gap");
    buf_printf(out, "mean |S1 - S2| within an order %.2f", g->mean);
    if (!has_bins(g->pairs, REPORT_SCORE_GAP_BINS)) {
        buf_add_char(out, '\n');
        return;
    }
    buf_add_cstr(out, "; conflicts by gap: ");
    for (int b = 0; b < REPORT_SCORE_GAP_BINS; b++)
        add_bin(out, &sep, gap_names[b], g->conflicts[b], g->pairs[b]);
    buf_add_cstr(out, "; ");
    report_trend_text(&g->trend, out);
    buf_add_char(out, '\n');
}

static void add_length(const report_length *l, eh_buf *out) {
    char percent[REPORT_PERCENT_MAX];
    const char *sep = "";
    if (l->n_decided) {
        report_label(out, "length");
        buf_printf(out, "the longer answer in %s of %lld decided replies\n",
                   report_percent(report_share(l->n_longer, l->n_decided), percent),
                   (long long)l->n_decided);
    }
    if (l->why || !has_bins(l->pairs, REPORT_TOTAL_BINS)) return;
    report_label(out, l->n_decided ? "" : "length");
    buf_add_cstr(out, "conflicts by characters of both answers, from ");
    for (int b = 0; b < REPORT_TOTAL_BINS; b++) {
        char name[16];
        (void)snprintf(name, sizeof name, "%d", b * REPORT_TOTAL_BIN_CP);
        add_bin(out, &sep, name, l->conflicts[b], l->pairs[b]);
    }
    buf_add_cstr(out, "; ");
    report_trend_text(&l->trend, out);
    buf_add_char(out, '\n');
}

static void add_human_ties(const report_human_ties *t, eh_buf *out) {
    char tie[REPORT_PERCENT_MAX], other[REPORT_PERCENT_MAX];
    int64_t n_tie = t->conflict_tie + t->agree_tie;
    int64_t n_other = t->conflict_other + t->agree_other;
    if (t->why || n_tie + n_other == 0) return;
    report_label(out, "human ties");
    buf_printf(out, "conflict on %s of the %lld pairs that people tie, ",
               report_percent(report_share(t->conflict_tie, n_tie), tie),
               (long long)n_tie);
    buf_printf(out, "on %s of the %lld others; ",
               report_percent(report_share(t->conflict_other, n_other), other),
               (long long)n_other);
    if (isnan(t->phi)) {
        buf_printf(out, "phi undefined (%s)\n", report_why_text(t->why_phi));
        return;
    }
    buf_printf(out, "phi %.3f, ", t->phi);
    report_p_value(out, t->p);
    buf_add_char(out, '\n');
}

static void add_repetition(const report_repetition repetition[EH_ORDER_N],
                           eh_buf *out) {
    const char *sep = "all samples alike in ";
    for (int o = 0; o < EH_ORDER_N; o++) {
        const report_repetition *r = &repetition[o];
        char percent[REPORT_PERCENT_MAX];
        if (r->n_pairs == 0) continue;
        if (sep[0] == 'a') report_label(out, "repetition");
        buf_printf(out, "%sorder %s on %s of %lld pairs", sep,
                   eh_order_name((eh_order)o),
                   report_percent(report_share(r->n_all_equal, r->n_pairs), percent),
                   (long long)r->n_pairs);
        sep = ", ";
    }
    if (sep[0] == ',') buf_add_char(out, '\n');
}

void report_bias_text(const report_bias *b, eh_buf *out) {
    add_repetition(b->repetition, out);
    add_score_gap(&b->score_gap, out);
    add_length(&b->length, out);
    add_human_ties(&b->human_ties, out);
}
