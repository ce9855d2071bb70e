/* SPDX-License-Identifier: MIT
 *
 * What the commands share that ask a judge: its set-up from the options, the forecast
 * of a dry run, and how the end of a run is told.
 */
#ifndef EH_CLI_JUDGING_H
#define EH_CLI_JUDGING_H

#include "cmd.h"
#include "run/dryrun.h"
#include "run/engine.h"

typedef struct judging {
    const cli_args *args;
    eh_clock clock;
    run_setup setup;
    prompt_template *t;
    price_table *prices;
    const price_row *price; /* of the judge; NULL: unknown */
    const price_row *embed_price;
    price_budget budget;
    eh_buf out; /* printed when the ledger is closed and all of it is safe */
    int exit_status;
} judging;

/* Opens template and judge and finds the price, for the plan and the embedder that
 * c->setup has. judging_close is due whatever comes of it. */
EH_MUST_USE eh_status judging_open(judging *c, eh_error *err);
void judging_close(judging *c);

/* What --refresh and --max-age ask for. */
run_refresh judging_refresh(const cli_args *args);

/* The engine's options by those of the command, but for refresh, scope and progress;
 * from now on Ctrl-C ends the run in good order. */
run_options judging_options(judging *c);

EH_MUST_USE eh_status judging_print_forecast(const judging *c, const run_forecast *f,
                                             eh_error *err);

/* Says on standard error how far a run came and why it ended, and sets
 * c->exit_status. */
void judging_say_end(judging *c, const run_result *r);

/* The last part of it: why a run ended before its time, and the exit status for it. */
void judging_say_why(judging *c, const run_result *r);

#endif
