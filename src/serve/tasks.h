/* SPDX-License-Identifier: MIT
 *
 * Tasks as files, for people who cannot reach the page: given out blind, taken back.
 */
#ifndef EH_SERVE_TASKS_H
#define EH_SERVE_TASKS_H

#include "base/clock.h"
#include "dataset/faults.h"
#include "ledger/ledger.h"

typedef struct tasks_options {
    const char *path; /* "-" is standard output */
    eh_str
        annotators; /* "ann,bob": who will label; pairs are shared out about evenly */
    bool csv;
    eh_clock clock;
} tasks_options;

/* Hands out what the queue lacks and writes it with what these people hold already, so
 * writing twice gives the same tasks. A line has the item, the person, the question, A
 * and B, and room for the answer. */
EH_MUST_USE eh_status tasks_export(ledger *l, const tasks_options *options,
                                   int64_t *n_tasks, eh_error *err);

typedef struct tasks_counts {
    int64_t n_taken, n_known, n_open;
} tasks_counts;

/* Takes tasks back. Nothing is taken when a row is faulty or speaks of an item that was
 * never given out (DATA). A row that says something else than before replaces it. */
EH_MUST_USE eh_status tasks_import(ledger *l, const char *path,
                                   const dataset_faults *faults, eh_clock clock,
                                   tasks_counts *counts, eh_error *err);

#endif
