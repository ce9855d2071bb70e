/* SPDX-License-Identifier: MIT
 *
 * The audit put on trial: judges whose defects are known, because they were planted, go
 * through it, and what it flags is held against what was declared.
 *
 *   for each round    the pairs are staged with a seed of its own
 *     for each judge  is asked on the spot, its card made, its flags compared
 *
 * Prompts, replies, their reading, votes and the card are those of `exam_run` and
 * `exam_cards`; left out are the ledger between them, which is most of the time, and
 * calls that are shared by key (simulated judges answer equal prompts alike).
 */
#ifndef EH_EXAM_TRIAL_H
#define EH_EXAM_TRIAL_H

#include "exam/stage.h"
#include "card/card.h"
#include "card/trial.h"

typedef struct exam_trial_options {
    const char *pairs;  /* a data set */
    const char *errors; /* its pairs with an error in one answer each */
    uint64_t seed;      /* of the first round; the others count on */
    int n_rounds, n_threads;
    eh_clock clock;
} exam_trial_options;

/* `trial` and what it points to live in `arena`. */
EH_MUST_USE eh_status exam_trial(const exam_trial_options *options, eh_arena *arena,
                                 card_trial *trial, eh_error *err);

/* The card of one judge asked on the spot, about a ledger that is staged as an audit,
 * with `k` votes in each order: what the engine and exam_cards would make of it. */
EH_MUST_USE eh_status exam_trial_card(ledger *l, const char *judge_spec, int k,
                                      eh_arena *arena, card_judge *card, eh_error *err);

#endif
