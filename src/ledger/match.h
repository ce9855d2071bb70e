/* SPDX-License-Identifier: MIT
 *
 * The pair of one ledger in another: the same texts, or at least the same id.
 */
#ifndef EH_LEDGER_MATCH_H
#define EH_LEDGER_MATCH_H

#include "ledger/ledger.h"

typedef enum ledger_match {
    LEDGER_MATCH_NONE,
    LEDGER_MATCH_SAME,       /* id and texts */
    LEDGER_MATCH_OTHER_ID,   /* the texts, under another id */
    LEDGER_MATCH_OTHER_TEXTS /* the id, with other texts */
} ledger_match;

/* The revision of a pair by its row: the hash of its texts. */
EH_MUST_USE eh_status ledger_pair_revision(ledger *l, int64_t pair_row,
                                           uint8_t revision[16], eh_error *err);

/* Looks in the scope for a pair of these texts, under this id or else any (of several
 * the first of the data), then for one of this id. The pair's strings live until the
 * next look. The first look makes a temporary index, also of a ledger opened for
 * reading. */
EH_MUST_USE eh_status ledger_pair_match(ledger *l, eh_str pair_id,
                                        const uint8_t revision[16], ledger_pair *pair,
                                        ledger_match *match, eh_error *err);

#endif
