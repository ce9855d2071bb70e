/* SPDX-License-Identifier: MIT
 *
 * Running an audit that is staged, and reading a ledger as the audit that it holds.
 */
#ifndef EH_EXAM_EXAM_H
#define EH_EXAM_EXAM_H

#include "card/card.h"
#include "exam/stage.h"
#include "run/engine.h"
#include "run/price.h"
#include "tally/summarize.h"

/* Asks about all rows (stream main), then about the plain pairs once more (stream
 * placebo). Counts of the result are over both; it ends early where the first part
 * does. options->setup.stream and options->scope are ours. */
EH_MUST_USE eh_status exam_run(ledger *l, const run_options *options,
                               run_result *result, eh_error *err);

/* Does the ledger hold an audit? */
EH_MUST_USE eh_status exam_is_one(ledger *l, bool *is_audit, eh_error *err);

typedef struct exam_card_options {
    int64_t run_row; /* the card of one run; 0: all, and people's */
    const price_table *prices;
    const audit_limits *limits;
    eh_str family; /* of the judge, as users say it; absent: by its name */
} exam_card_options;

/* The cards of all judges that were audited, or of one run. USAGE where a family is
 * stated and there are several judges. Needs memory for a few hundred bytes a row.
 * Strings and arrays in `arena`. */
EH_MUST_USE eh_status exam_cards_make(ledger *l, const exam_card_options *options,
                                      eh_arena *arena, card_set *cards, eh_error *err);

/* The same without a stated family. */
EH_MUST_USE eh_status exam_cards(ledger *l, int64_t run_row, const price_table *prices,
                                 const audit_limits *limits, eh_arena *arena,
                                 card_set *cards, eh_error *err);

#endif
