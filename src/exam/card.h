/* SPDX-License-Identifier: MIT
 *
 * Private to exam/: where the votes of a card come from. A judge's are read from its
 * samples; people's are their labels.
 */
#ifndef EH_EXAM_CARD_H
#define EH_EXAM_CARD_H

#include "exam/exam.h"

/* Beside the streams of a ledger: all votes on a pair together, of people. */
enum { EXAM_VOTES_ALL = -1 };

/* The votes on one row, un-swapped: `votes` gets samples (an order of EH_ORDER_N where
 * it is not known), ruling.vote and ruling.n_failed. */
typedef struct exam_votes {
    eh_status (*of)(void *self, const ledger_pair *pair, int stream, tally_ruled *votes,
                    eh_error *err);
    void *self;
    int64_t
        n_calls_each; /* calls that a row asks for in a stream; 0: nobody is asked */
    bool has_all;     /* EXAM_VOTES_ALL is there */
} exam_votes;

/* Fills all that a card says of votes alone: order, ties, probes, length. `out` has its
 * limits set, and `people` where they are people. */
EH_MUST_USE eh_status exam_card_fill(ledger *l, const exam_votes *votes,
                                     eh_arena *arena, report_audit_judge *out,
                                     eh_error *err);

/* The card of the people whose labels the ledger holds; *found is false without any. */
EH_MUST_USE eh_status exam_people_card(ledger *l, const audit_limits *limits,
                                       eh_arena *arena, report_audit_judge *out,
                                       bool *found, eh_error *err);

#endif
