/* SPDX-License-Identifier: MIT
 *
 * Private to exam/: people as a judge of an audit.
 */
#ifndef EH_EXAM_PEOPLE_H
#define EH_EXAM_PEOPLE_H

#include "ledger/ledger.h"
#include "card/card.h"

/* The card of the people whose labels the ledger holds; *found is false without any. */
EH_MUST_USE eh_status exam_people_card(ledger *l, const audit_limits *limits,
                                       eh_arena *arena, card_judge *out, bool *found,
                                       eh_error *err);

#endif
