/* SPDX-License-Identifier: MIT
 *
 * The inner loops of the alignment, one table an instruction set. Private to align.
 *
 * kernels_scalar.c is the meaning; the others give the same bits. They can, because of
 * what they compute: sums of integers, maxima, products and sums of doubles each rounded
 * on its own, and one sum of many terms in 16 lanes with one fixed tree.
 *
 * Arrays are padded: a kernel may read and write up to KERNEL_PAD elements behind the n
 * that it is given.
 */
#ifndef EH_ALIGN_KERNELS_H
#define EH_ALIGN_KERNELS_H

#include "base/simd.h"

enum { KERNEL_LANES = 8, KERNEL_PAD = 32 };

/* A row of end positions, tried against one or more layers of the recurrence: for each
 * layer l and each of n columns c
 *
 *   best[l] = max(best[l], score(c) + next[l * layer_stride + c])
 *
 * where what is best is kept in KERNEL_LANES numbers, in whichever the kernel likes; only
 * their maximum means anything. Padding columns of `next` hold minus infinity. */
typedef struct kernel_layers {
    const double *next;  /* [n_layers][layer_stride], of which n + KERNEL_PAD are read */
    size_t layer_stride;
    size_t n_layers;
    double *best; /* [n_layers][KERNEL_LANES] */
} kernel_layers;

/* score(c) = count[c] * min(weight, weights[c]) */
typedef struct kernel_words {
    const uint16_t *count; /* [n + pad] */
    const double *weights; /* [n + pad] */
    double weight;
} kernel_words;

/* score(c) = round(((upper[c] - lower[c]) - corner) * (weight * weights[c]) * scale) */
typedef struct kernel_vectors {
    const double *upper, *lower; /* [n + pad] */
    const double *weights;       /* [n + pad] */
    double corner, weight;
} kernel_vectors;

/* Cosines are rounded to multiples of 2^-30 and held as integers. */
#define KERNEL_COSINE_SCALE 0x1p30
/* Adding and subtracting this rounds a double of magnitude below 2^51 to an integer. */
#define KERNEL_ROUNDER 0x1.8p52

typedef struct align_kernels {
    simd_set set;
    /* count[c] += more[c] for n columns, modulo 2^16 */
    void (*add_counts)(uint16_t *count, const uint16_t *more, size_t n);
    void (*words_row)(const kernel_words *row, size_t n, const kernel_layers *layers);
    void (*vectors_row)(const kernel_vectors *row, size_t n,
                        const kernel_layers *layers);
    /* The product of two vectors of n floats: 16 sums of every 16th term, multiply then
     * add, then halves added to halves. No padding is read. */
    double (*dot)(const float *a, const float *b, size_t n);
} align_kernels;

/* The table of a set that this build has and the machine can run, else NULL. */
const align_kernels *align_kernels_of(simd_set set);

/* The table in use (EVENHAND_SIMD). */
const align_kernels *align_kernels_chosen(void);

extern const align_kernels align_kernels_scalar;
extern const align_kernels align_kernels_avx2;

#endif
