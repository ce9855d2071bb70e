/* SPDX-License-Identifier: MIT
 *
 * The only door to the heap. All modules allocate through here (or through an arena or
 * a buffer, which do), so that a test can make the Nth allocation fail.
 *
 * Thread rules: all functions may be called from any thread.
 */
#ifndef EH_BASE_MEM_H
#define EH_BASE_MEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* NULL when memory is out, when `n * size` overflows or when the test allocator says
 * so. A size of 0 gives a pointer that can be freed. mem_zalloc zeroes. */
void *mem_alloc(size_t n, size_t size_bytes);
void *mem_zalloc(size_t n, size_t size_bytes);

/* Like realloc; on failure the old block stays valid. */
void *mem_realloc(void *ptr, size_t n, size_t size_bytes);

/* Accepts NULL. */
void mem_free(void *ptr);

/* Tests only: the `nth` allocation from now on fails (1 = the next one), and every one
 * after it if `sticky`. 0 switches the fault off. */
void mem_fail_at(int64_t nth, bool sticky);

/* Tests only: allocations that are live now. */
int64_t mem_live(void);

#endif
