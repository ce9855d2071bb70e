/* SPDX-License-Identifier: MIT
 *
 * draw.c with AVX2: eight lanes of the generator and sixteen numbers at a time.
 */
#include <immintrin.h>

#include "stats/draw.h"

static inline __m256i rotate_left(__m256i x, int n) {
    return _mm256_or_si256(_mm256_slli_epi32(x, n), _mm256_srli_epi32(x, 32 - n));
}

static __m256i load(const uint32_t lanes[RNG_LANES]) {
    return _mm256_loadu_si256((const __m256i *)lanes);
}

static void store(uint32_t lanes[RNG_LANES], __m256i x) {
    _mm256_storeu_si256((__m256i *)lanes, x);
}

static int64_t halves(rng_lanes *random, uint16_t n, uint16_t *rows, size_t n_blocks) {
    __m256i s0 = load(random->state[0]), s1 = load(random->state[1]);
    __m256i s2 = load(random->state[2]), s3 = load(random->state[3]);
    const __m256i all_n = _mm256_set1_epi16((short)n);
    const __m256i low_enough = _mm256_set1_epi16((short)((1u << 16) % n));
    int64_t n_good = 0;
    for (size_t b = 0; b < n_blocks; b++, rows += STATS_DRAW_BLOCK) {
        __m256i bits = _mm256_add_epi32(rotate_left(_mm256_add_epi32(s0, s3), 7), s0);
        __m256i shifted = _mm256_slli_epi32(s1, 9);
        s2 = _mm256_xor_si256(s2, s0);
        s3 = _mm256_xor_si256(s3, s1);
        s1 = _mm256_xor_si256(s1, s2);
        s0 = _mm256_xor_si256(s0, s3);
        s2 = _mm256_xor_si256(s2, shifted);
        s3 = rotate_left(s3, 11);
        __m256i low = _mm256_mullo_epi16(bits, all_n);
        __m256i high = _mm256_mulhi_epu16(bits, all_n);
        /* unsigned low >= low_enough */
        __m256i good = _mm256_cmpeq_epi16(_mm256_max_epu16(low, low_enough), low);
        __m256i row = _mm256_blendv_epi8(all_n, high, good);
        _mm256_storeu_si256((__m256i *)rows, row);
        n_good += __builtin_popcount((unsigned)_mm256_movemask_epi8(good)) / 2;
    }
    store(random->state[0], s0);
    store(random->state[1], s1);
    store(random->state[2], s2);
    store(random->state[3], s3);
    return (int64_t)(n_blocks * STATS_DRAW_BLOCK) - n_good;
}

const stats_draw_kernel stats_draw_avx2 = {halves};
