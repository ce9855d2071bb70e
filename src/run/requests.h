/* SPDX-License-Identifier: MIT
 *
 * Private to the engine: requests by what became of them, on their way to the ledger.
 * They are put with the group of the replies that told of them.
 */
#ifndef EH_RUN_REQUESTS_H
#define EH_RUN_REQUESTS_H

#include "judge/judge.h"
#include "ledger/ledger.h"

enum { REQUESTS_OUTCOMES = 600 }; /* faults and HTTP statuses */

/* One for each kind of endpoint; `prefix` stands in front of the outcomes' names. */
typedef struct run_requests {
    const char *prefix;
    bool has_any;
    int counts[REQUESTS_OUTCOMES];
} run_requests;

void run_requests_add(run_requests *t, const judge_tally *requests);

/* Puts what was counted, and begins anew. */
EH_MUST_USE eh_status run_requests_put(run_requests *t, ledger *l, int64_t session_row,
                                       int64_t judge_row, eh_error *err);

#endif
