/* SPDX-License-Identifier: MIT
 *
 * Sums by question, and the bootstrap intervals of their means.
 */
#ifndef EH_TALLY_RESAMPLE_H
#define EH_TALLY_RESAMPLE_H

#include "base/arena.h"
#include "report/rate.h"

/* Zeroed but for the arena, it is ready. */
typedef struct tally_resample {
    eh_arena *arena;
    double *sums;    /* [n_questions] */
    int64_t *counts; /* [n_questions] */
    size_t n_questions, sums_cap, counts_cap;
    uint64_t last; /* the question of the last one */
    bool failed;   /* no memory; tally_resample_end says so */
} tally_resample;

/* The values of one question come one after the other. */
void tally_resample_add(tally_resample *r, uint64_t question, double value);

/* The intervals of both at RUN_LEVEL over n_resamples draws, the same whenever the
 * values are. */
EH_MUST_USE eh_status tally_resample_end(const tally_resample *const r[2],
                                         int n_resamples,
                                         report_bootstrap *const out[2], eh_error *err);

#endif
