/* SPDX-License-Identifier: MIT
 *
 * Which answers of a ledger are too old for a run, and are asked for again.
 */
#ifndef EH_RUN_REFRESH_H
#define EH_RUN_REFRESH_H

#include "ledger/ledger.h"

/* At most one of the two is set; none: what is there is kept. */
typedef struct run_refresh {
    bool all;           /* everything that was done before this refresh began */
    int64_t max_age_ms; /* everything that is older; 0 = no limit */
} run_refresh;

typedef struct run_refresh_from {
    int64_t since_ms; /* answers done before it are asked again; 0 = none are */
    bool resumed;     /* since_ms is of an earlier session that did not finish */
} run_refresh_from;

/* run_row may be 0, for a run that the ledger does not hold yet. */
EH_MUST_USE eh_status run_refresh_find(ledger *l, int64_t run_row,
                                       const run_refresh *refresh, int64_t now_ms,
                                       run_refresh_from *from, eh_error *err);

#endif
