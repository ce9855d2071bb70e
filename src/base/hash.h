/* SPDX-License-Identifier: MIT
 *
 * Content hashes: BLAKE2b-256 (libsodium) over length-prefixed fields, so that no two
 * different field lists feed the same bytes.
 *
 *   eh_hash h;
 *   hash_init(&h, "eh-key-1");            // domain: what is hashed, and its version
 *   hash_str(&h, prompt); hash_i64(&h, sample);
 *   hash_done(&h, digest);
 *
 * Field layout: tag byte ('s' text, 'i' integer, 'n' absent), 8-byte little-endian
 * length or value, then the bytes. Stable for ever: ledgers hold these digests.
 */
#ifndef EH_BASE_HASH_H
#define EH_BASE_HASH_H

#include <sodium.h>

#include "base/str.h"

enum { HASH_BYTES = 32, HASH_HEX_CHARS = 64 };

typedef struct eh_hash {
    crypto_generichash_state state;
} eh_hash;

void hash_init(eh_hash *h, const char *domain);
void hash_str(eh_hash *h, eh_str s); /* an absent string differs from an empty one */
void hash_i64(eh_hash *h, int64_t value);
void hash_done(eh_hash *h, uint8_t digest[HASH_BYTES]);

/* Bytes without length prefix, for digests of whole files. */
void hash_raw(eh_hash *h, const void *bytes, size_t len);

/* 8 bytes of a digest as a number (little-endian), for clusters and counters. */
uint64_t hash_u64(const uint8_t bytes[8]);

/* `n_bytes` as lower-case hexadecimal; `hex` has room for 2 n_bytes + 1. */
void hash_hex(const uint8_t *bytes, size_t n_bytes, char *hex);

#endif
