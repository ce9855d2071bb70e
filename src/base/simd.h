/* SPDX-License-Identifier: MIT
 *
 * Which instruction set the kernels use: the best that the processor and the operating
 * system have, asked once, or what EVENHAND_SIMD names ("scalar", "avx2"). A set that
 * is not there or has no such name means scalar, so that a forced run never crashes and
 * its name, which `doctor` prints, tells.
 *
 * Results do not depend on the set: kernels of all sets give the same bits.
 */
#ifndef EH_BASE_SIMD_H
#define EH_BASE_SIMD_H

#include "base/str.h"

/* X(id, name), each set after those it is better than */
#define SIMD_LIST(X)                                                                   \
    X(SCALAR, "scalar")                                                                \
    X(AVX2, "avx2")

typedef enum simd_set {
#define X(id, name) SIMD_##id,
    SIMD_LIST(X)
#undef X
        SIMD_N
} simd_set;

/* The set in use. Thread-safe; the environment is read at the first call. */
simd_set simd_chosen(void);

/* Can this machine run it? */
bool simd_is_there(simd_set set);

const char *simd_name(simd_set set);

#endif
