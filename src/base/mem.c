/* SPDX-License-Identifier: MIT
 *
 * Heap wrapper: overflow-checked sizes, a count of live blocks, and a fault that tests
 * can plant at the Nth allocation.
 *
 * The counters are atomics, since judge transports allocate on their own thread. The
 * cost (two relaxed operations a call) does not matter: hot paths use arenas.
 *
 * Not here: memory that libraries take for themselves (SQLite, curl, ICU); their
 * failures arrive as their own error codes.
 */
#include "base/mem.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static atomic_llong n_live;
static atomic_llong fail_countdown; /* 0 = off, 1 = the next allocation fails */
static atomic_bool fail_sticky;

static bool planted_fault(void) {
    long long left = atomic_load_explicit(&fail_countdown, memory_order_relaxed);
    if (left == 0) return false;
    if (left > 1) {
        atomic_store_explicit(&fail_countdown, left - 1, memory_order_relaxed);
        return false;
    }
    if (!atomic_load_explicit(&fail_sticky, memory_order_relaxed))
        atomic_store_explicit(&fail_countdown, 0, memory_order_relaxed);
    return true;
}

static bool size_ok(size_t n, size_t size_bytes) {
    return size_bytes == 0 || n <= PTRDIFF_MAX / size_bytes;
}

void *mem_alloc(size_t n, size_t size_bytes) {
    if (!size_ok(n, size_bytes) || planted_fault()) return NULL;
    size_t total = n * size_bytes;
    void *ptr = malloc(total ? total : 1);
    if (ptr) atomic_fetch_add_explicit(&n_live, 1, memory_order_relaxed);
    return ptr;
}

void *mem_zalloc(size_t n, size_t size_bytes) {
    void *ptr = mem_alloc(n, size_bytes);
    if (ptr) memset(ptr, 0, n * size_bytes);
    return ptr;
}

void *mem_realloc(void *ptr, size_t n, size_t size_bytes) {
    if (!ptr) return mem_alloc(n, size_bytes);
    if (!size_ok(n, size_bytes) || planted_fault()) return NULL;
    size_t total = n * size_bytes;
    return realloc(ptr, total ? total : 1);
}

void mem_free(void *ptr) {
    if (!ptr) return;
    atomic_fetch_sub_explicit(&n_live, 1, memory_order_relaxed);
    free(ptr);
}

void mem_fail_at(int64_t nth, bool sticky) {
    atomic_store_explicit(&fail_sticky, sticky, memory_order_relaxed);
    atomic_store_explicit(&fail_countdown, nth, memory_order_relaxed);
}

int64_t mem_live(void) {
    return atomic_load_explicit(&n_live, memory_order_relaxed);
}
