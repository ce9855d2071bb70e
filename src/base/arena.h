/* SPDX-License-Identifier: MIT
 *
 * Arena: many small allocations, freed together. One arena per unit of work (a pair, a
 * request, a report); reset between units, which keeps the largest block.
 *
 *   eh_arena a;
 *   arena_init(&a, 64 << 20);             // at most 64 MiB live at a time
 *   char *copy = arena_dup(&a, text);     // NULL when full or out of memory
 *   arena_reset(&a);                      // all of it gone, memory kept for reuse
 *   arena_deinit(&a);
 *
 * Pointers live until the next reset or deinit. Not thread-safe: one arena, one thread.
 */
#ifndef EH_BASE_ARENA_H
#define EH_BASE_ARENA_H

#include "base/str.h"

typedef struct arena_block arena_block;

typedef struct eh_arena {
    arena_block *head; /* newest block, which allocations come from */
    size_t used_bytes; /* over all blocks */
    size_t max_bytes;  /* a request that would pass this fails */
} eh_arena;

void arena_init(eh_arena *a, size_t max_bytes);
void arena_deinit(eh_arena *a);
void arena_reset(eh_arena *a);

/* Aligned to 16, not zeroed; NULL on failure. arena_zalloc zeroes n * size bytes. */
void *arena_alloc(eh_arena *a, size_t size_bytes);
void *arena_zalloc(eh_arena *a, size_t n, size_t size_bytes);

/* Room for one more element behind the first `n` of an array of the arena: the array
 * itself, or a zeroed one of twice the size with a copy of them; NULL on failure. Start
 * with array NULL and *cap 0. */
void *arena_grow(eh_arena *a, void *array, size_t n, size_t *cap, size_t size_bytes);

/* A copy that ends in NUL (not counted); NULL on failure. */
char *arena_dup(eh_arena *a, eh_str s);

/* The same as an eh_str; ptr is NULL on failure, also for an empty or absent s only
 * then. An absent s stays absent and needs no memory: test with arena_copy's return. */
bool arena_copy(eh_arena *a, eh_str s, eh_str *copy);

/* printf into the arena; NULL on failure. */
char *arena_printf(eh_arena *a, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

#endif
