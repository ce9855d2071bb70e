/* SPDX-License-Identifier: MIT
 *
 * Do rulings go in circles? Of three models that answered one question, each compared
 * with each other.
 */
#ifndef EH_TALLY_TRANSITIVITY_H
#define EH_TALLY_TRANSITIVITY_H

#include "ledger/ledger.h"
#include "report/summary.h"

typedef struct tally_transitivity tally_transitivity;

/* NULL when memory is out; accepts NULL. */
tally_transitivity *tally_transitivity_new(void);
void tally_transitivity_free(tally_transitivity *t);

/* Adds the ruling of one pair. Pairs come question by question; those without two
 * models or without a ruling say nothing, as do models of a question beyond the 64th.
 */
void tally_transitivity_add(tally_transitivity *t, const ledger_pair *pair,
                            eh_verdict ruling);

/* The counts over all questions, the open one included. */
report_transitivity tally_transitivity_counts(tally_transitivity *t);

#endif
