/* SPDX-License-Identifier: MIT
 *
 * Asks the processor once.
 *
 * __builtin_cpu_supports asks the operating system too (it must save the wide
 * registers), so what it affirms can be run. The choice is the one global besides the
 * log sink; it never changes after it was made, so that one run cannot mix sets.
 *
 * Not here: the kernels, which their modules hold in one table a set.
 */
#include "base/simd.h"

#include <pthread.h>
#include <stdlib.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static simd_set chosen = SIMD_SCALAR;

static const char *const names[] = {
#define X(id, name) name,
    SIMD_LIST(X)
#undef X
};

bool simd_is_there(simd_set set) {
    switch (set) {
    case SIMD_SCALAR: return true;
#if defined(__x86_64__)
    case SIMD_AVX2: return __builtin_cpu_supports("avx2");
#endif
    default: return false;
    }
}

const char *simd_name(simd_set set) {
    return (unsigned)set < SIMD_N ? names[set] : NULL;
}

static void choose(void) {
    eh_str forced = eh_str_of(getenv("EVENHAND_SIMD"));
    for (int set = 0; set < SIMD_N; set++) {
        bool wanted = forced.len == 0 || eh_str_eq_cstr(forced, names[set]);
        if (wanted && simd_is_there((simd_set)set)) chosen = (simd_set)set;
    }
}

simd_set simd_chosen(void) {
    (void)pthread_once(&once, choose);
    return chosen;
}
