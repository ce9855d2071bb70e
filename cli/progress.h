/* SPDX-License-Identifier: MIT
 *
 * Progress of a run on standard error: a bar on a terminal, a line every ten seconds
 * elsewhere, nothing under --quiet.
 */
#ifndef EH_CLI_PROGRESS_H
#define EH_CLI_PROGRESS_H

#include "cmd.h"
#include "run/engine.h"

typedef struct progress_view {
    bool off, bar;
    eh_clock clock;
    int64_t next_ns; /* when it is drawn again */
    bool drawn;
} progress_view;

void progress_init(progress_view *v, const cli_args *args, eh_clock clock);

/* A run_options.on_progress; self is the view. */
void progress_show(void *self, const run_progress *progress);

/* Ends the bar's line, so that what follows stands on its own. */
void progress_end(progress_view *v);

#endif
