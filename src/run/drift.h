/* SPDX-License-Identifier: MIT
 *
 * Asking a sample of a run again, to see whether the judge has changed.
 */
#ifndef EH_RUN_DRIFT_H
#define EH_RUN_DRIFT_H

#include "report/drift.h"
#include "run/again.h"
#include "run/engine.h"

typedef struct run_drift_options {
    int64_t n_pairs; /* at most */
    uint64_t seed;
    double margin;
} run_drift_options;

/* Asks a sample of the pairs that the view's judge was asked about again, in the drift
 * stream. What it said there before is asked anew, unless that pass was cut short: then
 * it is gone on with. `run` has run_again's setup; its stream, plan, scope and refresh
 * are set here. */
EH_MUST_USE eh_status run_drift_ask(ledger *l, const tally_view *view,
                                    const run_drift_options *options,
                                    const run_options *run, run_result *result,
                                    eh_error *err);

/* Compares what was said then with what the run said. Strings live in `arena`; ledger,
 * judge and the counts of calls are left to the caller. */
EH_MUST_USE eh_status run_drift_look(ledger *l, const tally_view *view,
                                     const run_drift_options *options, eh_arena *arena,
                                     report_drift *drift, eh_error *err);

#endif
