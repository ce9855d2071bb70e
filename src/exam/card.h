/* SPDX-License-Identifier: MIT
 *
 * A judge card in the making, from what a judge said of each row of an audit. Where the
 * votes come from is the caller's: a ledger (card_read.c), or judges that are asked on
 * the spot (trial.c). Private to exam.
 *
 *   EH_TRY(exam_card_new(n_rows, &plan, &arena, &out, &card, err));
 *   for each row: EH_TRY(exam_card_add(card, &votes, err));
 *   EH_TRY(exam_card_end(card, err));
 */
#ifndef EH_EXAM_CARD_H
#define EH_EXAM_CARD_H

#include "exam/stage.h"
#include "card/card.h"
#include "tally/summarize.h"

typedef struct exam_card exam_card;

/* One row and its votes, in each stream that it is asked in. */
typedef struct exam_votes {
    const ledger_pair *pair; /* id, category, question and lengths */
    const exam_meta *meta;
    const tally_ruled *main;
    const tally_ruled *placebo; /* of plain rows */
    /* Of people: all votes on the row, of which `main` and `placebo` are halves; an
     * order of EH_ORDER_N where it is not known. NULL: of judges. */
    const tally_ruled *all;
} exam_votes;

/* `out` has its limits already and gets the numbers; it and the card live as long as
 * `arena`. Of rows beyond n_rows none is taken. `plan` NULL: of people, who are asked
 * for no calls; then out->people is set. Attacks are no rows of it (card_attack.c). */
EH_MUST_USE eh_status exam_card_new(int64_t n_rows, const plan_spec *plan,
                                    eh_arena *arena, card_judge *out, exam_card **card,
                                    eh_error *err);
EH_MUST_USE eh_status exam_card_add(exam_card *c, const exam_votes *votes,
                                    eh_error *err);
EH_MUST_USE eh_status exam_card_end(exam_card *c, eh_error *err);

#endif
