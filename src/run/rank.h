/* SPDX-License-Identifier: MIT
 *
 * Ranking the models of a ledger by one judge's verdicts.
 */
#ifndef EH_RUN_RANK_H
#define EH_RUN_RANK_H

#include "report/rank.h"
#include "run/summarize.h"

typedef struct run_rank_options {
    bool length, style; /* terms for them in the model */
    bool half_ties;     /* compatibility: ties as half wins, no tie parameter */
} run_rank_options;

/* Strings and arrays of *out live in `arena`; `ledger` and `judge` are left to the
 * caller. DATA where no pair names two models; with style, LEDGER where texts were
 * purged. */
EH_MUST_USE eh_status run_rank(ledger *l, const run_view *view,
                               const run_rank_options *options, eh_arena *arena,
                               report_rank *out, report_rank_lead *lead, eh_error *err);

#endif
