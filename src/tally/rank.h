/* SPDX-License-Identifier: MIT
 *
 * Ranking the models of a ledger by one judge's verdicts.
 */
#ifndef EH_TALLY_RANK_H
#define EH_TALLY_RANK_H

#include "report/rank.h"
#include "tally/summarize.h"

typedef struct tally_rank_options {
    bool length, style; /* terms for them in the model */
    bool half_ties;     /* compatibility: ties as half wins, no tie parameter */
} tally_rank_options;

/* Strings and arrays of *out live in `arena`; `ledger` and `judge` are left to the
 * caller. DATA where no pair names two models; with style, LEDGER where texts were
 * purged. */
EH_MUST_USE eh_status tally_rank(ledger *l, const tally_view *view,
                                 const tally_rank_options *options, eh_arena *arena,
                                 report_rank *out, report_rank_lead *lead,
                                 eh_error *err);

#endif
