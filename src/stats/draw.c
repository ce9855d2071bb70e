/* SPDX-License-Identifier: MIT
 *
 * From random bits to question numbers, in plain C.
 *
 * A number below n is the upper half of bits * n. A product whose lower half is below
 * 2^16 mod n is rejected: the products that are left are n blocks of equal size.
 * D. Lemire, Fast random integer generation in an interval, ACM TOMACS 29, 2019.
 */
#include "stats/draw.h"

#include <string.h>

static int64_t halves(rng_lanes *random, uint16_t n, uint16_t *rows, size_t n_blocks) {
    uint32_t low_enough = (1u << 16) % n;
    int64_t n_rejected = 0;
    for (size_t b = 0; b < n_blocks; b++, rows += STATS_DRAW_BLOCK) {
        uint32_t words[RNG_LANES];
        rng_lanes_next(random, words);
        memcpy(rows, words, sizeof words); /* little-endian: the low half first */
        for (int i = 0; i < STATS_DRAW_BLOCK; i++) {
            uint32_t product = (uint32_t)rows[i] * n;
            bool rejected = (product & 0xFFFF) < low_enough;
            rows[i] = rejected ? n : (uint16_t)(product >> 16);
            n_rejected += rejected;
        }
    }
    return n_rejected;
}

const stats_draw_kernel stats_draw_scalar = {halves};

const stats_draw_kernel *stats_draw_kernel_of(simd_set set) {
#ifdef EVENHAND_AVX2
    if (set == SIMD_AVX2) return &stats_draw_avx2;
#endif
    (void)set;
    return &stats_draw_scalar;
}
