/* SPDX-License-Identifier: MIT
 *
 * Writing which rulings may stand without people.
 *
 * The threshold is a place in the labelling queue, seen from its end: less BPDE, or as
 * much and no smaller gap between the scores. A refusal says why and what to do.
 */
#include "report/guarantee.h"

#include <math.h>

#include "report/write.h"

static const struct {
    const char *name, *text;
} refusals[] = {
#define X(id, name, text) {name, text},
    REPORT_REFUSAL_LIST(X)
#undef X
};

const char *report_refusal_text(report_refusal r) {
    return refusals[r].text;
}

bool report_guarantee_stands(const report_guarantee *g, const plan_queue_entry *entry) {
    /* the threshold's index is below all others, so its equals stand */
    return g->is_found && entry->has_ruling &&
           plan_queue_compare(entry, &g->threshold) > 0;
}

/* ---- JSON ---- */

static void put_threshold(json_writer *w, const report_guarantee *g) {
    json_key(w, "threshold");
    if (!g->is_found) {
        json_null(w);
        return;
    }
    json_object_begin(w);
    json_put_f64(w, "bpde", g->threshold.bpde);
    json_put_f64(w, "gap", g->threshold.gap);
    json_object_end(w);
}

void report_guarantee_json(const report_guarantee *g, json_writer *w) {
    json_object_begin(w);
    json_put_f64(w, "agreement_wanted", 1 - g->alpha);
    json_put_f64(w, "probability", 1 - g->delta);
    json_put_str(w, "selection", g->selection);
    json_put_i64(w, "pairs", g->n_pairs);
    json_put_i64(w, "without_ruling", g->n_without_ruling);
    json_put_i64(w, "sample", g->n_sample);
    json_put_i64(w, "left_by_people", g->n_left);
    json_put_i64(w, "least_sample", g->least);
    json_put_bool(w, "found", g->is_found);
    if (g->refusal != REPORT_REFUSAL_NOT)
        report_put_why(w, refusals[g->refusal].name);
    else if (!g->is_found)
        report_put_why(w, "not_shown");
    put_threshold(w, g);
    json_put_i64(w, "stand", g->n_stand);
    json_put_f64(w, "coverage", g->coverage);
    json_put_i64(w, "sample_above", g->n_above);
    json_put_f64(w, "agreement", g->agreement);
    json_put_f64(w, "low", g->low);
    json_key(w, "surer_half");
    json_object_begin(w);
    json_put_i64(w, "sample", g->n_first);
    json_put_f64(w, "agreement", g->first_agreement);
    json_object_end(w);
    json_put_known(w, "sample_wanted", g->wanted ? g->wanted : -1);
    json_object_end(w);
}

/* ---- text ---- */

static void sample_line(const report_guarantee *g, eh_buf *out) {
    report_label(out, "labels");
    buf_printf(out, "%lld of %lld pairs", (long long)g->n_sample,
               (long long)g->n_pairs);
    if (g->is_census)
        buf_add_cstr(out, "; what is shown is for further pairs like these");
    else if (g->refusal == REPORT_REFUSAL_NOT || g->refusal == REPORT_REFUSAL_TOO_FEW)
        buf_add_cstr(out, ", drawn at random");
    if (g->n_left)
        buf_printf(out,
                   "; %lld of them were skipped or unfamiliar and count as "
                   "disagreement",
                   (long long)g->n_left);
    buf_add_char(out, '\n');
    report_label(out, "");
    buf_printf(out, "least useful sample: %lld labels, if people always agree\n",
               (long long)g->least);
}

static void found_lines(const report_guarantee *g, eh_buf *out) {
    char percent[REPORT_PERCENT_MAX];
    double bpde = g->threshold.bpde;
    report_label(out, "may stand");
    if (bpde > 0)
        buf_printf(out, "rulings with BPDE below %.3f, and those of BPDE %.3f", bpde,
                   bpde);
    else
        buf_add_cstr(out, "rulings with BPDE 0");
    if (g->threshold.gap > 0)
        buf_printf(out, " whose scores are at least %.3g apart", g->threshold.gap);
    buf_add_char(out, '\n');
    report_label(out, "");
    buf_printf(out, "%lld of %lld pairs: a coverage of %s\n", (long long)g->n_stand,
               (long long)g->n_pairs, report_percent(g->coverage, percent));
    report_label(out, "shown by");
    buf_printf(out, "people agree on %s of %lld labelled ones",
               report_percent(g->agreement, percent), (long long)g->n_above);
    buf_printf(out, ", so on at least %s of all\n", report_percent(g->low, percent));
    report_label(out, "the rest");
    buf_printf(out,
               "%lld pairs for people or a stronger judge: rulings --guarantee marks "
               "them, --rest lists their ids\n",
               (long long)(g->n_pairs - g->n_stand));
}

static void not_found_lines(const report_guarantee *g, eh_buf *out) {
    char percent[REPORT_PERCENT_MAX];
    report_label(out, "may stand");
    buf_add_cstr(out, "none: it is not shown for the surer half of the pairs\n");
    report_label(out, "");
    if (isnan(g->first_agreement))
        buf_add_cstr(out, "no label lies in that half\n");
    else
        buf_printf(out, "there people agree on %s of %lld labelled ones\n",
                   report_percent(g->first_agreement, percent), (long long)g->n_first);
    report_label(out, "");
    if (g->wanted)
        buf_printf(out, "if that stays so, about %lld labels in all would show it\n",
                   (long long)g->wanted);
    else
        buf_add_cstr(out, "if that stays so, no number of labels would show it\n");
    report_label(out, "the rest");
    buf_printf(out, "all %lld pairs are for people or a stronger judge\n",
               (long long)g->n_pairs);
}

void report_guarantee_text(const report_guarantee *g, eh_buf *out) {
    char wanted[REPORT_PERCENT_MAX], sure[REPORT_PERCENT_MAX];
    report_foreign(out, g->judge, 200);
    buf_add_cstr(out, ": which rulings may stand without people\n");
    report_label(out, "wanted");
    buf_printf(out, "people agree with at least %s of them, with probability %s\n",
               report_percent(1 - g->alpha, wanted),
               report_percent(1 - g->delta, sure));
    sample_line(g, out);
    if (g->refusal != REPORT_REFUSAL_NOT) {
        report_label(out, "not tested");
        buf_printf(out, "%s\n", refusals[g->refusal].text);
    } else if (g->is_found) {
        found_lines(g, out);
    } else {
        not_found_lines(g, out);
    }
}
