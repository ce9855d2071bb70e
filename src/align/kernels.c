/* SPDX-License-Identifier: MIT
 *
 * Which kernels are used: a list of tables, one an instruction set.
 *
 * A set is in the list only where the build could compile it (the compiler knows its
 * flags), and is handed out only where the machine has it. AVX-512 was tried and left
 * out: docs/alignment.md has the figures.
 */
#include "align/kernels.h"

#include "align/align.h"

const align_kernels *align_kernels_of(simd_set set) {
    if (!simd_is_there(set)) return NULL;
    switch (set) {
    case SIMD_SCALAR: return &align_kernels_scalar;
#ifdef EVENHAND_AVX2
    case SIMD_AVX2: return &align_kernels_avx2;
#endif
    default: return NULL;
    }
}

const align_kernels *align_kernels_chosen(void) {
    const align_kernels *kernels = align_kernels_of(simd_chosen());
    return kernels ? kernels : &align_kernels_scalar;
}

const char *align_simd_name(void) {
    return simd_name(align_kernels_chosen()->set);
}
