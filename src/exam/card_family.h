/* SPDX-License-Identifier: MIT
 *
 * Private to exam/: what a judge does with answers of its own family.
 */
#ifndef EH_EXAM_CARD_FAMILY_H
#define EH_EXAM_CARD_FAMILY_H

#include "card/card.h"
#include "tally/summarize.h"

/* The author families of a card whose probes are scored. `stated` is the judge's family
 * as the user says it; absent: by its id. NULL where no answer has a named model.
 * Strings and arrays in `arena`. */
EH_MUST_USE eh_status exam_family_read(ledger *l, const tally_view *view,
                                       const card_judge *card, eh_str stated,
                                       eh_arena *arena, const card_family **family,
                                       eh_error *err);

#endif
