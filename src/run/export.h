/* SPDX-License-Identifier: MIT
 *
 * What a ledger holds as rows of a file: judgments, pairs, labels, in the formats that
 * Evenhand reads.
 */
#ifndef EH_RUN_EXPORT_H
#define EH_RUN_EXPORT_H

#include "ledger/ledger.h"
#include "report/cells.h"

typedef struct run_export {
    ledger *l;
    report_format format;
    bool pseudonyms; /* labels: numbers in place of the annotators' names */
    void *self;
    /* Takes whole lines, first the heading of CSV; a failure ends the export. */
    eh_status (*write)(void *self, eh_str line, eh_error *err);
} run_export;

typedef struct run_export_counts {
    int64_t n_rows;
    int64_t n_left; /* what the format has no place for: see each function */
} run_export_counts;

/* Answers about plain pairs, judge by judge under the names of a summary. n_left:
 * answers about parts and about single answers. */
EH_MUST_USE eh_status run_export_judgments(const run_export *x,
                                           run_export_counts *counts, eh_error *err);

/* The scope in data order. n_left: pairs without texts. */
EH_MUST_USE eh_status run_export_pairs(const run_export *x, run_export_counts *counts,
                                       eh_error *err);

EH_MUST_USE eh_status run_export_labels(const run_export *x, run_export_counts *counts,
                                        eh_error *err);

#endif
