/* SPDX-License-Identifier: MIT
 *
 * Do rulings go in circles? Of three models that answered one question, each compared
 * with each other.
 */
#ifndef EH_RUN_TRANSITIVITY_H
#define EH_RUN_TRANSITIVITY_H

#include "ledger/ledger.h"
#include "report/summary.h"

typedef struct run_transitivity run_transitivity;

/* NULL when memory is out; accepts NULL. */
run_transitivity *run_transitivity_new(void);
void run_transitivity_free(run_transitivity *t);

/* Adds the ruling of one pair. Pairs come question by question; those without two
 * models or without a ruling say nothing, as do models of a question beyond the 64th.
 */
void run_transitivity_add(run_transitivity *t, const ledger_pair *pair,
                          eh_verdict ruling);

/* The counts over all questions, the open one included. */
report_transitivity run_transitivity_counts(run_transitivity *t);

#endif
