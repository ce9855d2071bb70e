/* SPDX-License-Identifier: MIT
 *
 * Some of a ledger's pairs.
 */
#ifndef EH_RUN_SCOPE_H
#define EH_RUN_SCOPE_H

#include "ledger/ledger.h"

typedef struct run_scope {
    bool (*holds)(const void *self, const ledger_pair *pair);
    const void *self;
    int64_t n_pairs;
} run_scope;

#endif
