/* SPDX-License-Identifier: MIT
 *
 * Agreement: one table of 3 x 3, and what follows from it.
 *
 *   rulings \ labels   1   2   tie
 *   1                  .   .   .        diagonal / labelled = accuracy
 *   2                  .   .   .        diagonal / ruled    = accuracy_ruled
 *   tie                .   .   .        rows and columns    -> kappa, macro means
 *
 * A labelled pair without ruling is in no cell, but it counts as labelled.
 */
#include "report/agreement.h"

#include "report/rate.h"
#include "report/write.h"
#include "stats/agree.h"

void report_agreement_add(report_agreement *a, eh_verdict ruling, eh_verdict label) {
    a->n_labelled++;
    if (ruling != EH_VERDICT_NONE) a->table[(ruling - 1) * 3 + (label - 1)]++;
}

static const char *reason_or_null(stats_reason why) {
    return why == STATS_REASON_NONE ? NULL : stats_reason_name(why);
}

void report_agreement_end(report_agreement *a) {
    int64_t n_equal = a->table[0] + a->table[4] + a->table[8];
    stats_kappa k = stats_cohen_kappa(a->table, 3);
    stats_confusion c = stats_confusion_of(a->table, 3);
    a->n_ruled = k.n;
    a->accuracy = report_share(n_equal, a->n_labelled);
    a->accuracy_ruled = report_share(n_equal, k.n);
    a->kappa = k.kappa;
    a->kappa_se = k.se;
    a->macro_precision = c.macro_precision;
    a->macro_recall = c.macro_recall;
    a->macro_f1 = c.macro_f1;
    a->why = a->n_labelled ? NULL : stats_reason_name(STATS_REASON_NO_ROWS);
    a->why_ruled = reason_or_null(c.why);
    a->why_kappa = reason_or_null(k.why);
}

void report_put_agreement(json_writer *w, const report_agreement *a) {
    json_put_i64(w, "n_labelled", a->n_labelled);
    json_put_i64(w, "n_ruled", a->n_ruled);
    json_put_f64(w, "accuracy", a->accuracy);
    json_put_f64(w, "accuracy_ruled", a->accuracy_ruled);
    json_put_f64(w, "kappa", a->kappa);
    json_put_f64(w, "kappa_se", a->kappa_se);
    report_put_why(w, a->why ? a->why : a->why_ruled ? a->why_ruled : a->why_kappa);
}

void report_put_confusion(json_writer *w, const report_agreement *a) {
    json_key(w, "confusion");
    json_object_begin(w);
    for (int ruling = EH_VERDICT_1; ruling <= EH_VERDICT_TIE; ruling++) {
        json_key(w, eh_verdict_name((eh_verdict)ruling));
        json_object_begin(w);
        for (int label = EH_VERDICT_1; label <= EH_VERDICT_TIE; label++)
            json_put_i64(w, eh_verdict_name((eh_verdict)label),
                         a->table[(ruling - 1) * 3 + (label - 1)]);
        json_object_end(w);
    }
    json_object_end(w);
    json_put_f64(w, "macro_precision", a->macro_precision);
    json_put_f64(w, "macro_recall", a->macro_recall);
    json_put_f64(w, "macro_f1", a->macro_f1);
}
