/* SPDX-License-Identifier: MIT
 *
 * Arena over a list of blocks.
 *
 *   head -> [block 64 KiB | used....free] -> [block | full] -> [block | full] -> NULL
 *
 * Blocks double until 1 MiB, so a million small rows cost few mallocs and a large text
 * gets a block of its own. Reset frees all blocks but the largest, so a steady unit of
 * work soon runs without malloc, and one huge row does not stay paid for twice.
 *
 * Left out on purpose: freeing single allocations and growing the last one (buf.h).
 */
#include "base/arena.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/mem.h"

enum { ALIGN = 16, FIRST_BLOCK_BYTES = 8 << 10, TOP_BLOCK_BYTES = 1 << 20 };

struct arena_block {
    arena_block *next;
    size_t cap_bytes;
    size_t used_bytes;
    size_t pad; /* keeps the data that follows on a 16-byte boundary */
};

void arena_init(eh_arena *a, size_t max_bytes) {
    *a = (eh_arena){.max_bytes = max_bytes};
}

void arena_deinit(eh_arena *a) {
    while (a->head) {
        arena_block *next = a->head->next;
        mem_free(a->head);
        a->head = next;
    }
    a->used_bytes = 0;
}

void arena_reset(eh_arena *a) {
    arena_block *largest = a->head;
    for (arena_block *b = a->head; b; b = b->next)
        if (b->cap_bytes > largest->cap_bytes) largest = b;
    arena_block *b = a->head;
    while (b) {
        arena_block *next = b->next;
        if (b != largest) mem_free(b);
        b = next;
    }
    if (largest) {
        largest->next = NULL;
        largest->used_bytes = 0;
    }
    a->head = largest;
    a->used_bytes = 0;
}

static arena_block *block_new(eh_arena *a, size_t need_bytes) {
    size_t cap = a->head ? a->head->cap_bytes * 2 : FIRST_BLOCK_BYTES;
    if (cap > TOP_BLOCK_BYTES) cap = TOP_BLOCK_BYTES;
    if (cap < need_bytes) cap = need_bytes;
    arena_block *b = mem_alloc(1, sizeof *b + cap);
    if (!b) return NULL;
    *b = (arena_block){.next = a->head, .cap_bytes = cap};
    a->head = b;
    return b;
}

void *arena_alloc(eh_arena *a, size_t size_bytes) {
    if (size_bytes > a->max_bytes) return NULL;
    size_t need = (size_bytes + ALIGN - 1) & ~(size_t)(ALIGN - 1);
    if (need > a->max_bytes - a->used_bytes) return NULL;
    arena_block *b = a->head;
    if (!b || b->cap_bytes - b->used_bytes < need) b = block_new(a, need);
    if (!b) return NULL;
    char *at = (char *)(b + 1) + b->used_bytes;
    b->used_bytes += need;
    a->used_bytes += need;
    return at;
}

void *arena_zalloc(eh_arena *a, size_t n, size_t size_bytes) {
    if (size_bytes && n > a->max_bytes / size_bytes) return NULL;
    void *ptr = arena_alloc(a, n * size_bytes);
    if (ptr) memset(ptr, 0, n * size_bytes);
    return ptr;
}

void *arena_grow(eh_arena *a, void *array, size_t n, size_t *cap, size_t size_bytes) {
    if (n < *cap) return array;
    size_t more = *cap ? 2 * *cap : 8;
    void *wider = arena_zalloc(a, more, size_bytes);
    if (!wider) return NULL;
    if (n) memcpy(wider, array, n * size_bytes);
    *cap = more;
    return wider;
}

char *arena_dup(eh_arena *a, eh_str s) {
    if (s.len == SIZE_MAX) return NULL;
    char *copy = arena_alloc(a, s.len + 1);
    if (!copy) return NULL;
    if (s.len) memcpy(copy, s.ptr, s.len);
    copy[s.len] = '\0';
    return copy;
}

bool arena_copy(eh_arena *a, eh_str s, eh_str *copy) {
    if (eh_str_is_absent(s)) {
        *copy = s;
        return true;
    }
    char *ptr = arena_dup(a, s);
    if (!ptr) return false;
    *copy = (eh_str){ptr, s.len};
    return true;
}

char *arena_printf(eh_arena *a, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    int len = vsnprintf(NULL, 0, fmt, args);
    va_end(args);
    if (len < 0) return NULL;
    char *text = arena_alloc(a, (size_t)len + 1);
    if (!text) return NULL;
    va_start(args, fmt);
    (void)vsnprintf(text, (size_t)len + 1, fmt, args);
    va_end(args);
    return text;
}
