/* SPDX-License-Identifier: MIT
 *
 * A fixed sample of a ledger's pairs.
 */
#ifndef EH_RUN_SAMPLE_H
#define EH_RUN_SAMPLE_H

#include "tally/scope.h"

typedef struct run_sample_rank {
    uint64_t rank;
    int64_t seq; /* tells equal ranks apart */
} run_sample_rank;

/* Set purpose, seed and perhaps `may_hold`; the rest is the sample's. */
typedef struct run_sample {
    const char *purpose; /* samples of other purposes are other ones; a constant */
    uint64_t seed;
    /* May a pair be drawn at all? NULL: every pair. */
    bool (*may_hold)(const void *self, const ledger_pair *pair);
    const void *self;
    run_sample_rank last; /* the highest that belongs to it */
    int64_t n_pairs;
} run_sample;

/* Draws at most n pairs of the scope. The choice depends on the seed and the pairs' ids
 * alone: neither the order of the rows nor exchanging the two answers changes it, and a
 * larger sample contains the smaller one. */
EH_MUST_USE eh_status run_sample_draw(ledger *l, int64_t n, run_sample *s,
                                      eh_error *err);

/* Its pairs; borrows the sample. */
tally_scope run_sample_scope(const run_sample *s);

#endif
