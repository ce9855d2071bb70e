/* SPDX-License-Identifier: MIT
 *
 * The engine: plan -> prompt -> judge -> verdict -> ledger, for every pair in scope.
 *
 *   pairs of the ledger, page by page
 *        |
 *   [slot][slot]...      a pair at work each: its texts, prompts and open asks
 *        |  submit, as long as there are credits         poll |
 *        v                                                    v
 *      judge  ------------------------------------------>  ledger (groups)
 *
 * Memory is bounded by the credits (samples in flight), not by the data set. The engine
 * runs on one thread; a judge's own threads stay behind its submit and poll.
 */
#ifndef EH_RUN_ENGINE_H
#define EH_RUN_ENGINE_H

#include <signal.h>

#include "run/ask.h"
#include "run/price.h"
#include "run/refresh.h"
#include "tally/scope.h"

typedef struct run_progress {
    int64_t n_pairs, n_pairs_done;
    int64_t n_new;       /* calls made now, durable */
    int64_t n_reused;    /* asks answered by calls of other runs or rows */
    int64_t n_present;   /* asks that were answered before */
    int64_t n_refreshed; /* of the new ones: in place of answers that were too old */
    int64_t n_failed;    /* of the new ones: replies without a verdict */
    int64_t n_no_result; /* calls that gave nothing; a rerun asks them again */
    int64_t n_not_sent;  /* calls that a stop came before; a rerun asks them */
    int64_t n_embedded;  /* texts embedded now, or refused for good; durable */
    int64_t n_no_vector; /* pairs that were left because texts got no vector */
    int64_t started_ns;
} run_progress;

typedef struct run_options {
    run_setup setup;
    const plan_spec *recorded; /* the plan of the run that these calls are for, where it
                                  asks less than setup.plan; NULL: that one */
    const tally_scope *scope;  /* NULL: all pairs */
    run_refresh refresh;
    /* Samples in flight at most. A prompt that wants more than that is asked alone and
     * as a whole: with n it is one request for k samples, without n its samples go one
     * by one, and the judge keeps to this number of requests. */
    int concurrency;
    int64_t limit;                            /* new calls at most; -1 = no limit */
    price_budget *budget;                     /* of new calls; NULL = no bound */
    const volatile sig_atomic_t *interrupted; /* counts Ctrl-C; may be NULL */
    eh_clock clock;
    /* Called now and then, at least with every group; may be NULL. */
    void (*on_progress)(void *self, const run_progress *progress);
    void *self;
} run_options;

typedef enum run_end {
    RUN_END_DONE,
    RUN_END_LIMIT,
    RUN_END_BUDGET, /* the next call might pass the budget */
    RUN_END_INTERRUPTED,
    RUN_END_STOPPED /* the judge said that going on is useless */
} run_end;

typedef struct run_result {
    run_progress progress;
    run_end end;
    int64_t run_row;
    run_refresh_from refresh;
    char stop_message[256];     /* for RUN_END_STOPPED */
    int64_t n_too_long;         /* calls of this session whose prompt did not fit */
    char too_long_message[256]; /* what the endpoint said of the first of them */
} run_result;

/* Runs the setup over the pairs in scope. OK also when it ended early (see end); other
 * codes mean that the ledger or the judge itself failed. What was answered by then is
 * in the ledger. */
EH_MUST_USE eh_status run_engine(ledger *l, const run_options *options,
                                 run_result *result, eh_error *err);

#endif
