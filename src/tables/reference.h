/* SPDX-License-Identifier: MIT
 *
 * Agreement with a reference judge (Li et al. 2024, agreement rate): over the pairs on
 * which the reference says the same in both orders, the share on which another judge
 * says that, too, in both orders.
 */
#ifndef EH_TABLES_REFERENCE_H
#define EH_TABLES_REFERENCE_H

#include "report/summary.h"
#include "tally/summarize.h"

typedef struct tables_reference_row {
    eh_str judge;                /* the summary's name of it */
    int64_t n_same;              /* of rate.n pairs */
    report_rate rate;            /* why: also "one_order" */
    report_rate human_agreement; /* of this judge, for comparison */
    bool has_labels;
} tables_reference_row;

typedef struct tables_reference {
    eh_str judge;
    int64_t n_pairs, n_consistent;
    report_rate human_agreement; /* of the reference */
    bool has_labels;
    tables_reference_row *rows; /* [n_rows] the other judges */
    size_t n_rows;
} tables_reference;

/* `judge` is a name of the summary, or a judge id that only one of its rows has; USAGE
 * where it is neither, or was asked in one order only. Pairs of other ledgers are the
 * same where id and texts are. Arrays in `arena`. */
EH_MUST_USE eh_status tables_reference_make(const tally_books *books,
                                            const report_summary *summary, eh_str judge,
                                            eh_arena *arena,
                                            tables_reference *reference, eh_error *err);

/* The member "reference". */
void tables_reference_json(const tables_reference *r, json_writer *w);
void tables_reference_text(const tables_reference *r, eh_buf *out);

#endif
