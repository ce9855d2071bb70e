/* SPDX-License-Identifier: MIT
 *
 * Some of a ledger's pairs.
 */
#ifndef EH_TALLY_SCOPE_H
#define EH_TALLY_SCOPE_H

#include "ledger/ledger.h"

typedef struct tally_scope {
    bool (*holds)(const void *self, const ledger_pair *pair);
    const void *self;
    int64_t n_pairs;
} tally_scope;

#endif
