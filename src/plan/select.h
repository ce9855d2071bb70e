/* SPDX-License-Identifier: MIT
 *
 * Drawing what people see: which pairs, on which side, in which order. Pure: everything
 * is a function of a seed and of what is drawn for, so it is the same after a restart.
 */
#ifndef EH_PLAN_SELECT_H
#define EH_PLAN_SELECT_H

#include "base/terms.h"
#include "plan/queue.h"

/* X(id, name, text): how the pairs for people were chosen. Names stand in ledgers. */
#define PLAN_SELECTION_LIST(X)                                                         \
    X(ENTROPY, "entropy", "what the judge is least sure of")                           \
    X(ACTIVE, "active", "at random, unsure ones more often")                           \
    X(RANDOM, "random", "at random")                                                   \
    X(FILE, "file", "by a list of ids")

typedef enum plan_selection {
#define X(id, name, text) PLAN_SELECTION_##id,
    PLAN_SELECTION_LIST(X)
#undef X
        PLAN_SELECTION_N
} plan_selection;

const char *plan_selection_name(plan_selection s);
const char *plan_selection_text(plan_selection s);

/* PLAN_SELECTION_N when it is none. */
plan_selection plan_selection_find(eh_str name);

/* What a pair's id is worth in draws: the same whichever answer is called 1. */
uint64_t plan_pair_content(eh_str pair_id);

/* One pair of the frame, before and after the drawing. */
typedef struct plan_candidate {
    plan_queue_entry entry; /* index: place in the frame */
    uint64_t content;       /* plan_pair_content */
    int64_t rank;           /* out: place in the queue, from 0 */
    double uncertainty;     /* out: BPDE; ln 3 where nothing is known of it */
    double p_select;        /* out: chance to be selected; NaN where there is none */
    bool selected;          /* out */
} plan_candidate;

/* Ranks a whole frame and fills uncertainty; `selected` and p_select stay for
 * plan_select. The array is put into the order of the ranks. PLAN_SELECTION_FILE keeps
 * the order that it has.
 *
 *   c   [n] */
void plan_rank(plan_selection how, uint64_t seed, plan_candidate *c, int64_t n);

/* Selects `budget` of a ranked frame. For entropy, random and file the first `budget`;
 * for active every pair whose fixed number of (seed, content) lies below its chance,
 * which are `budget` pairs on average. A larger budget keeps all that a smaller one
 * selected. Chances: active by stats_active_probabilities, random budget / n, else NaN.
 *
 *   uncertainty, p_select   [n] scratch of the caller, in the frame's order */
void plan_select(plan_selection how, uint64_t seed, int64_t budget, plan_candidate *c,
                 int64_t n, double *uncertainty, double *p_select);

/* The side of answer_1 when the pair is handed out for the n_before-th time before this
 * one: order 12 puts it left. A fair bit of (seed, content), turned with every further
 * assignment, so that sides are as even within a pair as its labels allow. */
eh_order plan_side(uint64_t seed, uint64_t content, int64_t n_before);

/* The i-th of a random permutation of 0 .. n - 1 of its own for each key; i < n. */
uint64_t plan_permute(uint64_t seed, uint64_t key, uint64_t n, uint64_t i);

#endif
