/* SPDX-License-Identifier: MIT
 *
 * The labelling queue of a ledger: made once from rulings and a budget, enlarged later.
 */
#ifndef EH_RUN_QUEUE_H
#define EH_RUN_QUEUE_H

#include "base/clock.h"
#include "ledger/queue.h"
#include "plan/select.h"

/* Pairs that belong together, such as a control and its perturbed twins. */
typedef struct run_queue_place {
    uint64_t set;   /* pairs of one set share it; selected together by `random` */
    bool leave_out; /* nobody is to label it, unless it is in a list of ids */
} run_queue_place;

typedef struct run_queue_options {
    plan_selection selection; /* PLAN_SELECTION_N: as the queue has it, else usual */
    plan_selection usual;     /* of a new queue: entropy, or what suits the ledger */
    /* Where pairs belong together; NULL: each is a set of its own. */
    eh_status (*place_of)(ledger *l, int64_t pair_row, eh_str pair_id,
                          run_queue_place *place, eh_error *err);
    eh_str budget; /* "20%", "0.2" or "150"; absent: as the queue has it, else all */
    eh_str judge; /* whose rulings rank: a name as in summaries; absent: the only one */
    const char *ids_path; /* PLAN_SELECTION_FILE: one pair id a line */
    int64_t seed;         /* -1: as the queue has it, else 1 */
    int labels_per_pair;  /* 0: as the queue has it, else 1 */
    bool apart;
    eh_str contact; /* absent: as the queue has it */
    eh_clock clock;
} run_queue_options;

typedef struct run_queue_counts {
    bool is_new;
    int64_t n_frame, n_selected, n_added, n_leaks;
    int64_t n_without_texts; /* selected, but there is nothing to show */
    int64_t n_of_question;   /* the most selected pairs of one question */
} run_queue_counts;

/* Makes the queue, or opens the one that is there and enlarges it where a larger budget
 * is asked for; one of which nothing was handed out yet is made anew by other wishes.
 * USAGE where the wish contradicts the queue that is there (another selection, judge or
 * seed; a smaller budget), where several judges could rank and none is named, or for a
 * budget that is none; DATA for ids that are not there. Commits. */
EH_MUST_USE eh_status run_queue_make(ledger *l, const run_queue_options *options,
                                     run_queue_counts *counts, eh_error *err);

/* How many of n pairs a budget means: a share by its decimal text, rounded up, or a
 * number of pairs, at most n. USAGE for anything else. */
EH_MUST_USE eh_status run_budget(eh_str budget, int64_t n, int64_t *n_pairs,
                                 eh_error *err);

#endif
