/* SPDX-License-Identifier: MIT
 *
 * Private to serve/: pairs of which one person should see one at most, beside those of
 * one question: a control and its perturbed twins.
 */
#ifndef EH_SERVE_TWINS_H
#define EH_SERVE_TWINS_H

#include "ledger/ledger.h"

typedef struct twins twins;

/* Looks at the pairs of the queue; *out is NULL where the ledger holds no audit. */
EH_MUST_USE eh_status twins_find(ledger *l, twins **out, eh_error *err);
void twins_free(twins *t); /* accepts NULL */

/* Does somebody hold, or did they hold, another pair of the set? `t` may be NULL. */
EH_MUST_USE eh_status twins_held(const twins *t, int64_t annotator_row,
                                 int64_t pair_row, bool *held, eh_error *err);

#endif
