/* SPDX-License-Identifier: MIT
 *
 * How far rulings agree with the human majority, or with another judge.
 */
#ifndef EH_REPORT_AGREEMENT_H
#define EH_REPORT_AGREEMENT_H

#include "base/json_write.h"
#include "base/terms.h"
#include "stats/vote.h"

typedef struct report_agreement {
    int64_t n_labelled, n_ruled;
    int64_t table[9]; /* [ruling][label], classes 1, 2, tie: of the ruled ones */
    double accuracy, accuracy_ruled, kappa;
    double kappa_se;
    double macro_precision, macro_recall, macro_f1;
    const char *why;       /* of accuracy */
    const char *why_ruled; /* of accuracy_ruled and the macro means */
    const char *why_kappa;
} report_agreement;

/* Adds one labelled pair; `ruling` may be NONE. */
void report_agreement_add(report_agreement *a, eh_verdict ruling, eh_verdict label);

/* From the table to the numbers. */
void report_agreement_end(report_agreement *a);

/* n_labelled, n_ruled, accuracy, accuracy_ruled, kappa, kappa_se, why: into the object
 * that is open. */
void report_put_agreement(json_writer *w, const report_agreement *a);

/* confusion, macro_precision, macro_recall, macro_f1. */
void report_put_confusion(json_writer *w, const report_agreement *a);

#endif
