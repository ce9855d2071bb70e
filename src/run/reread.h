/* SPDX-License-Identifier: MIT
 *
 * Reading the replies of a ledger again, without calling anyone.
 */
#ifndef EH_RUN_REREAD_H
#define EH_RUN_REREAD_H

#include "ledger/ledger.h"
#include "prompt/template.h"

/* One reply whose reading changed; strings live for the call. */
typedef struct run_reread_change {
    int64_t call_row;
    eh_str judge;
    const verdict_result *before, *after;
} run_reread_change;

typedef struct run_reread_options {
    const prompt_template *t; /* reads all replies; NULL: each by the template that it
                                 was asked with, imported ones not at all */
    bool dry_run;
    void (*on_change)(void *self, const run_reread_change *change); /* may be NULL */
    void *self;
} run_reread_options;

typedef struct run_reread_counts {
    int64_t n_replies, n_read, n_changed, n_skipped; /* skipped: recorded elsewhere */
    int64_t moves[EH_VERDICT_N][EH_VERDICT_N]; /* [verdict before][verdict after], index
                                                  by eh_verdict */
} run_reread_counts;

EH_MUST_USE eh_status run_reread(ledger *l, const run_reread_options *options,
                                 run_reread_counts *counts, eh_error *err);

#endif
