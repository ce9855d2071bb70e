/* SPDX-License-Identifier: MIT
 *
 * The inner loop of resampling, one table an instruction set. Private to stats.
 *
 * draw.c is the meaning; the others give the same numbers.
 */
#ifndef EH_STATS_DRAW_H
#define EH_STATS_DRAW_H

#include "base/rng.h"
#include "base/simd.h"

/* A round of the generator in halves of words. */
enum { STATS_DRAW_BLOCK = 2 * RNG_LANES };

typedef struct stats_draw_kernel {
    /* Fills rows[n_blocks * STATS_DRAW_BLOCK] with numbers from 0 to n - 1, all equally
     * likely, or n where a draw was rejected; n is from 1 to 2^15. Returns how many
     * were rejected. Of each word the low half comes first. */
    int64_t (*halves)(rng_lanes *random, uint16_t n, uint16_t *rows, size_t n_blocks);
} stats_draw_kernel;

extern const stats_draw_kernel stats_draw_scalar;
#ifdef EVENHAND_AVX2
extern const stats_draw_kernel stats_draw_avx2;
#endif

/* The table of a set; the scalar one where this build has none for it. */
const stats_draw_kernel *stats_draw_kernel_of(simd_set set);

#endif
