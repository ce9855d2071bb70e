/* SPDX-License-Identifier: MIT
 *
 * The cost of people and judge together.
 *
 *   cost  = all calls of the judge + price x labels
 *   saved = price x (pairs x labels a labelled pair) - cost
 *
 * What a label costs only the user knows. How right the judge is on the pairs that
 * people left to it is not here: the labels of these pairs would say, and there are
 * none.
 */
#include "report/hitlc.h"

#include <math.h>

#include "report/write.h"

report_hitlc_cost report_hitlc_cost_of(const report_hitlc *h) {
    report_hitlc_cost c = {-1, -1, -1, 0, false};
    if (h->label_nusd < 0) return c;
    c.labels = h->n_labels * h->label_nusd;
    if (h->judge_nusd >= 0) c.both = h->judge_nusd + c.labels;
    if (h->n_people == 0) return c;
    double a_pair = (double)h->n_labels / (double)h->n_people;
    c.all_labels =
        (int64_t)nearbyint(a_pair * (double)h->n_pairs * (double)h->label_nusd);
    c.has_saved = c.both >= 0;
    if (c.has_saved) c.saved = c.all_labels - c.both;
    return c;
}

void report_hitlc_cost_json(const report_hitlc_cost *c, json_writer *w) {
    json_put_f64(w, "labels_usd", report_usd(c->labels));
    json_put_f64(w, "all_labels_usd", report_usd(c->all_labels));
    json_put_f64(w, "saved_usd", c->has_saved ? (double)c->saved / 1e9 : (double)NAN);
}

void report_hitlc_json(const report_hitlc *h, json_writer *w) {
    report_hitlc_cost c = report_hitlc_cost_of(h);
    json_object_begin(w);
    json_put_i64(w, "pairs", h->n_people);
    json_put_i64(w, "labels", h->n_labels);
    json_put_i64(w, "rest", h->n_pairs - h->n_people);
    json_put_f64(w, "cost_usd", report_usd(c.both));
    report_hitlc_cost_json(&c, w);
    json_object_end(w);
}

void report_hitlc_text(const report_hitlc *h, eh_buf *out) {
    int64_t rest = h->n_pairs - h->n_people;
    report_hitlc_cost c = report_hitlc_cost_of(h);
    report_label(out, "people");
    buf_printf(out, "decide %lld of %lld pairs by %lld label%s", (long long)h->n_people,
               (long long)h->n_pairs, (long long)h->n_labels,
               h->n_labels == 1 ? "" : "s");
    if (rest)
        buf_printf(out,
                   "; the judge rules the other %lld, and how right it is there these "
                   "labels do not say",
                   (long long)rest);
    buf_add_char(out, '\n');
    if (c.labels < 0) return;
    report_label(out, "people's cost");
    buf_printf(out, "labels $%.2f", report_usd(c.labels));
    if (c.both >= 0) buf_printf(out, ", with the judge $%.2f", report_usd(c.both));
    if (c.all_labels >= 0)
        buf_printf(out, "; labels of all pairs $%.2f", report_usd(c.all_labels));
    if (c.has_saved)
        buf_printf(out, ", so $%.2f %s", fabs((double)c.saved / 1e9),
                   c.saved < 0 ? "lost" : "saved");
    else
        buf_add_cstr(out, "; the judge's price is unknown (--prices)");
    buf_add_char(out, '\n');
}
