/* SPDX-License-Identifier: MIT
 *
 * Bringing a data set into a ledger: all of it or nothing.
 */
#ifndef EH_RUN_STAGE_H
#define EH_RUN_STAGE_H

#include "base/clock.h"
#include "ledger/ledger.h"

typedef struct run_stage_options {
    dataset_options data;
    bool skip_bad;                /* keep the valid rows of a data set with errors */
    const dataset_faults *faults; /* may be NULL */
    eh_clock clock;
} run_stage_options;

/* Stages the data set and makes it the ledger's scope. A data set that is staged
 * already, byte for byte, is recognised and not staged again (*counts is zero then and
 * *unchanged is set). DATA when it has errors and skip_bad is not set: then the ledger
 * is as before. */
EH_MUST_USE eh_status run_stage(ledger *l, const run_stage_options *options,
                                dataset_counts *counts, bool *unchanged, eh_error *err);

#endif
