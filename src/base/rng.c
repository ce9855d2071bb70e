/* SPDX-License-Identifier: MIT
 *
 * Philox 4x32-10 and the distributions drawn from it, and lanes of xoshiro128++ that
 * start from it.
 *
 * J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw: Parallel random numbers: as easy
 * as 1, 2, 3. SC 2011. Constants are the paper's; the tests hold its known answers.
 *
 * The 128-bit counter is (block number, content); the 64-bit key mixes seed and
 * purpose. The purpose is hashed with FNV-1a, since it is a short constant of ours and
 * only has to tell purposes apart.
 *
 * Left out: cryptographic use. Nothing secret is drawn here.
 */
#include "base/rng.h"

#include <math.h>

void rng_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]) {
    uint32_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3];
    uint32_t k0 = key[0], k1 = key[1];
    for (int round = 0; round < 10; round++) {
        uint64_t p0 = (uint64_t)0xD2511F53u * c0;
        uint64_t p1 = (uint64_t)0xCD9E8D57u * c2;
        uint32_t n0 = (uint32_t)(p1 >> 32) ^ c1 ^ k0;
        uint32_t n2 = (uint32_t)(p0 >> 32) ^ c3 ^ k1;
        c1 = (uint32_t)p1;
        c3 = (uint32_t)p0;
        c0 = n0;
        c2 = n2;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    out[0] = c0;
    out[1] = c1;
    out[2] = c2;
    out[3] = c3;
}

eh_rng rng_make(uint64_t seed, const char *purpose, uint64_t content) {
    uint64_t name = 0xCBF29CE484222325u;
    for (const char *p = purpose; *p; p++)
        name = (name ^ (unsigned char)*p) * 0x100000001B3u;
    /* seed * odd constant is one to one, so different seeds keep different keys */
    return (eh_rng){.key = seed * 0x9E3779B97F4A7C15u ^ name, .stream = content};
}

uint32_t rng_u32(eh_rng *r) {
    if (r->n_left == 0) {
        uint32_t counter[4] = {(uint32_t)r->counter, (uint32_t)(r->counter >> 32),
                               (uint32_t)r->stream, (uint32_t)(r->stream >> 32)};
        uint32_t key[2] = {(uint32_t)r->key, (uint32_t)(r->key >> 32)};
        rng_philox(counter, key, r->block);
        r->counter++;
        r->n_left = 4;
    }
    return r->block[4 - r->n_left--];
}

uint64_t rng_u64(eh_rng *r) {
    uint64_t high = rng_u32(r);
    return high << 32 | rng_u32(r);
}

double rng_uniform(eh_rng *r) {
    return (double)(rng_u64(r) >> 11) * 0x1p-53;
}

uint64_t rng_below(eh_rng *r, uint64_t n) {
    uint64_t limit = UINT64_MAX - UINT64_MAX % n; /* a multiple of n */
    uint64_t value;
    do
        value = rng_u64(r);
    while (value >= limit);
    return value % n;
}

double rng_normal(eh_rng *r) {
    double u1 = 1.0 - rng_uniform(r); /* in (0, 1] */
    double u2 = rng_uniform(r);
    return sqrt(-2.0 * log(u1)) * cos(2.0 * 3.14159265358979323846 * u2);
}

rng_lanes rng_lanes_make(uint64_t seed, const char *purpose, uint64_t content) {
    eh_rng from = rng_make(seed, purpose, content);
    rng_lanes r;
    for (int lane = 0; lane < RNG_LANES; lane++)
        for (int i = 0; i < 4; i++)
            r.state[i][lane] = rng_u32(&from); /* all zero: once in 2^128 */
    return r;
}
