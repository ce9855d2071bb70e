/* SPDX-License-Identifier: MIT
 *
 * A hash table with chains. Keys are digests, so their first bytes are the hash.
 *
 * Left out: growing. The engine knows how many samples can wait at once.
 */
#include "run/pending.h"

#include "base/mem.h"

static uint32_t *bucket_of(const pending_table *t, const uint8_t key[HASH_BYTES]) {
    return &t->buckets[hash_u64(key) & (t->n_buckets - 1)];
}

static bool same_key(const pending *p, const uint8_t key[HASH_BYTES]) {
    return memcmp(p->key, key, HASH_BYTES) == 0;
}

bool pending_init(pending_table *t, size_t cap) {
    *t = (pending_table){.cap = (uint32_t)cap, .n_buckets = 1};
    while (t->n_buckets < 2 * cap)
        t->n_buckets *= 2;
    t->entries = mem_zalloc(cap, sizeof *t->entries);
    t->buckets = mem_alloc(t->n_buckets, sizeof *t->buckets);
    if (!t->entries || !t->buckets) return false;
    for (uint32_t i = 0; i < t->n_buckets; i++)
        t->buckets[i] = PENDING_NONE;
    for (uint32_t i = 0; i < t->cap; i++)
        t->entries[i].next = i + 1 < t->cap ? i + 1 : PENDING_NONE;
    return true;
}

void pending_deinit(pending_table *t) {
    mem_free(t->entries);
    mem_free(t->buckets);
    *t = (pending_table){0};
}

uint32_t pending_add(pending_table *t, const pending *p) {
    uint32_t at = t->first_free, *bucket = bucket_of(t, p->key);
    t->first_free = t->entries[at].next;
    t->entries[at] = *p;
    t->entries[at].next = *bucket;
    *bucket = at;
    t->n++;
    return at;
}

bool pending_has_key(const pending_table *t, const uint8_t key[HASH_BYTES]) {
    for (uint32_t i = *bucket_of(t, key); i != PENDING_NONE; i = t->entries[i].next)
        if (same_key(&t->entries[i], key)) return true;
    return false;
}

bool pending_take(pending_table *t, const uint8_t key[HASH_BYTES], pending *p) {
    uint32_t *link = bucket_of(t, key);
    while (*link != PENDING_NONE && !same_key(&t->entries[*link], key))
        link = &t->entries[*link].next;
    if (*link == PENDING_NONE) return false;
    uint32_t at = *link;
    *p = t->entries[at];
    *link = p->next;
    t->entries[at].next = t->first_free;
    t->first_free = at;
    t->n--;
    return true;
}
