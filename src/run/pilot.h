/* SPDX-License-Identifier: MIT
 *
 * A pilot: a few pairs of the data set, asked in both orders before the rest.
 */
#ifndef EH_RUN_PILOT_H
#define EH_RUN_PILOT_H

#include "report/pilot.h"
#include "run/engine.h"
#include "run/price.h"

typedef struct run_pilot_options {
    int64_t n_pairs; /* at most */
    uint64_t seed;
    const price_row *price; /* of the judge's model; NULL: unknown */
} run_pilot_options;

/* Runs run->setup over the first n_pairs of a permutation of the ledger's pairs that
 * the seed and the pairs' ids give, and looks at the result. Its calls belong to the
 * run that run->setup means and are not asked again by it. *pilot is filled where
 * result->end is RUN_END_DONE; what it points to lives in `arena`. */
EH_MUST_USE eh_status run_pilot(ledger *l, const run_options *run,
                                const run_pilot_options *options, eh_arena *arena,
                                run_result *result, report_pilot *pilot, eh_error *err);

#endif
