/* SPDX-License-Identifier: MIT
 *
 * Two runs over the same pairs, side by side, and what may be said about the
 * difference.
 */
#ifndef EH_REPORT_COMPARE_H
#define EH_REPORT_COMPARE_H

#include "base/buf.h"
#include "plan/method.h"
#include "stats/difference.h"

/* One rate of both runs over the pairs where both have it. */
typedef struct report_compare_rate {
    double base, fresh; /* NaN without pairs */
    int64_t n, n_questions;
    stats_difference difference; /* fresh - base */
    int64_t
        n_needed; /* questions that would show a difference of the margin; 0: unknown */
    const char *why; /* NULL when all is defined */
} report_compare_rate;

typedef struct report_compare_side {
    eh_str ledger; /* as the user named it */
    eh_str name;   /* of the judge, as in show */
    eh_str method, template_name;
    int k;
    unsigned orders;
    int64_t n_pairs; /* in its scope */
    eh_str model_1;  /* where the compared pairs have one; else absent */
} report_compare_side;

typedef struct report_compare {
    report_compare_side base, fresh;
    double margin;
    int64_t n_common;      /* pairs of base that are in fresh */
    int64_t n_other_id;    /* of them: the same texts under another id */
    int64_t n_other_texts; /* of them: the same id with other texts */
    int64_t n_exchanged;   /* left out: answers of the two models change places */
    report_compare_rate soft, conflict, accuracy;
    int64_t n_gained, n_lost; /* labelled pairs: wrong before and right now, and v.v. */
    double p_mcnemar;         /* NaN without labels */
} report_compare;

/* Is it the judge that differs, and not the answers? Then labels decide who is better.
 */
bool report_compare_of_judges(const report_compare *c);

/* The rate that the sentence is about, and what is found; of the conflict rate less is
 * better, of the others more. */
const report_compare_rate *report_compare_main(const report_compare *c);
stats_finding report_compare_finding(const report_compare *c,
                                     const report_compare_rate *rate);

/* One sentence: better, worse, equivalent within the margin, or not shown. */
void report_compare_sentence(const report_compare *c, eh_buf *out);

/* For people, ending in the sentence. */
void report_compare_text(const report_compare *c, eh_buf *out);

/* The same as one JSON object, with a final LF. */
void report_compare_json(const report_compare *c, eh_buf *out);

#endif
