/* SPDX-License-Identifier: MIT
 *
 * BLAKE2b-256 with length-prefixed fields.
 *
 * generichash needs no sodium_init: it touches no random state. Digests are part of
 * the ledger format, so the field layout here may only change together with the domain
 * string ("eh-key-2" and so on).
 */
#include "base/hash.h"

static void put_tag(eh_hash *h, char tag, uint64_t value) {
    unsigned char bytes[9] = {(unsigned char)tag};
    for (int i = 0; i < 8; i++)
        bytes[1 + i] = (unsigned char)(value >> (8 * i));
    (void)crypto_generichash_update(&h->state, bytes, sizeof bytes);
}

void hash_init(eh_hash *h, const char *domain) {
    (void)crypto_generichash_init(&h->state, NULL, 0, HASH_BYTES);
    hash_str(h, eh_str_of(domain));
}

void hash_str(eh_hash *h, eh_str s) {
    if (eh_str_is_absent(s)) {
        put_tag(h, 'n', 0);
        return;
    }
    put_tag(h, 's', s.len);
    hash_raw(h, s.ptr, s.len);
}

void hash_i64(eh_hash *h, int64_t value) {
    put_tag(h, 'i', (uint64_t)value);
}

void hash_raw(eh_hash *h, const void *bytes, size_t len) {
    if (len) (void)crypto_generichash_update(&h->state, bytes, len);
}

void hash_done(eh_hash *h, uint8_t digest[HASH_BYTES]) {
    (void)crypto_generichash_final(&h->state, digest, HASH_BYTES);
}

uint64_t hash_u64(const uint8_t bytes[8]) {
    uint64_t value = 0;
    for (int i = 7; i >= 0; i--)
        value = value << 8 | bytes[i];
    return value;
}

void hash_hex(const uint8_t *bytes, size_t n_bytes, char *hex) {
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < n_bytes; i++) {
        hex[2 * i] = digits[bytes[i] >> 4];
        hex[2 * i + 1] = digits[bytes[i] & 15];
    }
    hex[2 * n_bytes] = '\0';
}
