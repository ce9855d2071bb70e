/* SPDX-License-Identifier: MIT
 *
 * Counter-based random numbers (Philox 4x32-10, Salmon et al., SC 2011): the i-th
 * number of a stream is a pure function of (seed, purpose, content, i). So results do
 * not depend on threads, arrival order or how often something else drew.
 *
 *   eh_rng r = rng_make(seed, "sim.noise", content_hash);
 *   double z = rng_normal(&r);
 *
 * An eh_rng is a value; copy it to replay it.
 */
#ifndef EH_BASE_RNG_H
#define EH_BASE_RNG_H

#include <stdint.h>

typedef struct eh_rng {
    uint64_t key;     /* from seed and purpose */
    uint64_t stream;  /* from content */
    uint64_t counter; /* block number */
    uint32_t block[4];
    int n_left; /* words of `block` not yet handed out */
} eh_rng;

eh_rng rng_make(uint64_t seed, const char *purpose, uint64_t content);

uint32_t rng_u32(eh_rng *r);
uint64_t rng_u64(eh_rng *r);

/* Uniform in [0, 1), 53 bits. */
double rng_uniform(eh_rng *r);

/* Uniform in 0 .. n-1 without modulo bias; n > 0. */
uint64_t rng_below(eh_rng *r, uint64_t n);

/* Standard normal (Box-Muller, the cosine half only, so that one call is one number).
 */
double rng_normal(eh_rng *r);

/* Words by the million, for inner loops: RNG_LANES generators side by side
 * (xoshiro128++, Blackman and Vigna, ACM TOMS 47, 2021), whose states come from a
 * stream of the kind above. What they give is as much a function of seed, purpose and
 * content, but can only be had in order. */
enum { RNG_LANES = 8 };
typedef struct rng_lanes {
    uint32_t state[4][RNG_LANES];
} rng_lanes;

rng_lanes rng_lanes_make(uint64_t seed, const char *purpose, uint64_t content);

static inline uint32_t rng_rotate_left(uint32_t x, int n) {
    return x << n | x >> (32 - n);
}

/* The next word of every lane. Here, so that loops can be made of it. */
static inline void rng_lanes_next(rng_lanes *r, uint32_t words[RNG_LANES]) {
    for (int l = 0; l < RNG_LANES; l++) {
        uint32_t s0 = r->state[0][l], s1 = r->state[1][l];
        uint32_t s2 = r->state[2][l], s3 = r->state[3][l];
        words[l] = rng_rotate_left(s0 + s3, 7) + s0;
        uint32_t shifted = s1 << 9;
        s2 ^= s0;
        s3 ^= s1;
        r->state[0][l] = s0 ^ s3;
        r->state[1][l] = s1 ^ s2;
        r->state[2][l] = s2 ^ shifted;
        r->state[3][l] = rng_rotate_left(s3, 11);
    }
}

/* The Philox block function itself, for its published test vectors. */
void rng_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]);

#endif
