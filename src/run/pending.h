/* SPDX-License-Identifier: MIT
 *
 * Private to the engine: the samples that somebody waits for, found by their key.
 *
 *   buckets[key] -> entry -> entry          entries never move while they wait,
 *   free         -> entry -> entry          so a slot can hold on to their numbers
 *
 * Of several with one key the first was sent; the others follow it.
 */
#ifndef EH_RUN_PENDING_H
#define EH_RUN_PENDING_H

#include "base/hash.h"

typedef struct pending {
    uint8_t key[HASH_BYTES];
    uint32_t slot;
    int prompt; /* prompt_index of the engine */
    int sample;
    bool follows;
    int64_t worst_nusd; /* what is reserved for it in the budget */
    uint32_t next;      /* in its bucket or among the free, or PENDING_NONE */
} pending;

#define PENDING_NONE UINT32_MAX

typedef struct pending_table {
    pending *entries;  /* [cap] */
    uint32_t *buckets; /* [n_buckets], a power of two */
    uint32_t cap, n_buckets, n, first_free;
} pending_table;

/* Room for `cap` at once; false when there is no memory. */
bool pending_init(pending_table *t, size_t cap);
void pending_deinit(pending_table *t); /* also of what was zeroed */

/* Keeps a copy and gives its number; there must be room. */
uint32_t pending_add(pending_table *t, const pending *p);

bool pending_has_key(const pending_table *t, const uint8_t key[HASH_BYTES]);

/* Takes one with this key out; false when there is none. */
bool pending_take(pending_table *t, const uint8_t key[HASH_BYTES], pending *p);

#endif
