/* SPDX-License-Identifier: MIT
 *
 * A judge of a ledger, opened again as it was asked.
 */
#ifndef EH_RUN_AGAIN_H
#define EH_RUN_AGAIN_H

#include "run/ask.h"
#include "tally/summarize.h"

typedef struct run_again_options {
    eh_str judge; /* how to reach it, as for a run; absent: what its name in the ledger
                     says */
    const judge_http_options *http; /* absent members: as the ledger has them */
    int concurrency;
    eh_clock clock;
} run_again_options;

typedef struct run_again {
    eh_arena arena;
    judge *j;
    prompt_template *t;
    run_setup setup; /* the view's plan, its judge's parameters, the main stream */
} run_again;

/* USAGE where the judge cannot be asked again: recorded verdicts, a name that does not
 * say how to reach it, or one that would not be asked in the same way. run_again_close
 * also after a failure. */
EH_MUST_USE eh_status run_again_open(ledger *l, const tally_view *view,
                                     const run_again_options *options, run_again *a,
                                     eh_error *err);
void run_again_close(run_again *a);

#endif
