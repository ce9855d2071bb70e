/* SPDX-License-Identifier: MIT
 *
 * From the samples of one pair to its ruling: mean scores, votes, BPDE, conflict.
 * Pure. docs/methods.md; Wang et al. 2024, sections 2.3.1 to 2.3.3.
 */
#ifndef EH_PLAN_RULING_H
#define EH_PLAN_RULING_H

#include "plan/method.h"

/* Means closer than this are equal. */
#define PLAN_TIE_TOLERANCE 1e-9

/* What the means are taken over. One scale holds for all pairs of a judge. */
typedef enum plan_scale {
    PLAN_SCALE_VOTES,  /* +1, 0, -1 against 0 */
    PLAN_SCALE_SCORES, /* the two scores */
    PLAN_SCALE_RATINGS /* likert: the signed rating against 0 */
} plan_scale;

/* The finest scale that every valid sample has. */
plan_scale plan_scale_of(int64_t n_valid, int64_t n_with_scores,
                         int64_t n_with_ratings);

typedef enum plan_none_kind {
    PLAN_NONE_NOT,            /* there is a ruling */
    PLAN_NONE_UNASKED,        /* an order that the method needs was not asked (yet) */
    PLAN_NONE_ORDER_FAILED,   /* one of two needed orders has no valid sample */
    PLAN_NONE_ORDERS_FAILED,  /* neither of them has one */
    PLAN_NONE_ALL_FAILED,     /* the only order that is needed has none */
    PLAN_NONE_ANSWER_FAILED,  /* standalone: one answer has no valid sample */
    PLAN_NONE_ANSWERS_FAILED, /* neither answer has one */
    PLAN_NONE_INCONSISTENT,   /* portia: no stage has one verdict in both orders, though
                                 some stage has a verdict in each */
    PLAN_NONE_SIDE_BY_SIDE    /* one-order method asked both ways: see by_order */
} plan_none_kind;

/* "one_order_failed" and so on; NULL for PLAN_NONE_NOT. */
const char *plan_none_name(plan_none_kind kind);

/* What one order says by itself (the mec ruling of that order). */
typedef struct plan_order_ruling {
    int n_valid, n_failed;
    eh_verdict verdict;      /* NONE without a valid sample */
    double score_1, score_2; /* means over the valid samples, on the scale */
    double vote;             /* mean of +1, 0, -1 over the valid samples */
    bool all_ties;
} plan_order_ruling;

typedef struct plan_ruling {
    eh_verdict verdict;
    plan_none_kind none;
    bool tie_agreed;         /* verdict is a tie and every valid sample was one */
    bool has_scores;         /* score_1 and score_2 are scores and not votes */
    double score_1, score_2; /* CS: the orders' means, orders weighing equally */
    double vote; /* order-balanced mean vote, -1 to 1; NaN without a ruling */
    /* outcomes for answer 1 over all valid samples of all asked orders; standalone:
     * over each valid sample of answer 1 with each of answer 2 */
    int n_win, n_tie, n_lose;
    double bpde; /* NaN without a valid sample */
    int n_samples, n_failed;
    bool both_orders; /* each order has a ruling of its own */
    bool conflict;    /* and they differ */
    /* of stage 0; standalone: scores and counts of each answer, without a verdict */
    plan_order_ruling by_order[EH_ORDER_N];
    /* Portia: does the plan ask the stage, after what those before it said? What a
     * ledger holds of others is another run's, or older than a reply that was asked
     * again. Of wanted stages: was it asked in both orders, has each a verdict, and
     * which do they share (NONE: not one)? */
    bool stage_wanted[PLAN_MAX_STAGES];
    bool stage_asked[PLAN_MAX_STAGES], stage_read[PLAN_MAX_STAGES];
    eh_verdict stage_verdict[PLAN_MAX_STAGES];
    int stage; /* portia: the stage that ruled, or -1 */
} plan_ruling;

/* Rules one pair. `samples` may hold more than the plan wants (other orders, samples
 * beyond k): those are left out.
 * Samples come in any order; sums run over (order, sample) so that the result does not
 * depend on it. */
void plan_rule(const plan_spec *spec, plan_scale scale, const plan_sample *samples,
               size_t n_samples, plan_ruling *ruling);

#endif
