/* SPDX-License-Identifier: MIT
 *
 * The inner loops of the alignment, one table an instruction set. Private to align.
 *
 * kernels_scalar.c is the meaning; the others give the same bits. They can, because of
 * what they compute: sums of integers, maxima, products and sums of doubles each
 * rounded on its own, and one sum of many terms in 16 lanes with one fixed tree.
 *
 * Arrays are padded: a kernel may read and write up to KERNEL_PAD elements behind the n
 * that it is given.
 */
#ifndef EH_ALIGN_KERNELS_H
#define EH_ALIGN_KERNELS_H

#include "base/simd.h"
#include "base/str.h"

enum { KERNEL_LANES = 8, KERNEL_STEP = 8, KERNEL_PAD = 32 };

/* Ends of one start of the recurrence, tried against one or more layers: for each layer
 * l, over all rows r and in each of them the columns begin[r] .. end[r],
 *
 *   best[l] = max of score(r, c) + next[l * layer_stride + r * row_stride + c]
 *
 * where what is best is kept in KERNEL_LANES numbers, in whichever the kernel likes;
 * only their maximum means anything. begin and end are multiples of KERNEL_STEP, so
 * that no kernel tries columns that another does not; what is behind n_columns is
 * padding, where `next` holds minus infinity. */
typedef struct kernel_layers {
    const double *next; /* at the first row and column */
    size_t layer_stride, row_stride;
    size_t n_layers, n_rows, n_columns;
    const uint32_t *begin, *end; /* [n_rows] */
    double *best;                /* [n_layers][KERNEL_LANES], minus infinity before */
} kernel_layers;

/* score(r, c) = count(r, c) * min(row_weight[r], column_weight[c]), where count(r, c)
 * is the sum of fresh[..][c] over rows 0 .. r, modulo 2^16. */
typedef struct kernel_words {
    const uint16_t *fresh; /* [n_rows][fresh_stride] */
    size_t fresh_stride;
    uint16_t *count;             /* [n_columns + pad], scratch */
    const double *row_weight;    /* [n_rows] */
    const double *column_weight; /* [n_columns + pad] */
} kernel_words;

/* score(r, c) = round(((upper - lower[c]) - corner) * (weights) * scale), with
 *   upper = sums[r][c], corner = sums[r][-1] - lower[-1],
 *   weights = row_weight[r] * column_weight[c]. */
typedef struct kernel_vectors {
    const double *sums; /* [n_rows][sums_stride]; column -1 is there */
    size_t sums_stride;
    const double *lower;         /* [n_columns + pad]; column -1 is there */
    const double *row_weight;    /* [n_rows] */
    const double *column_weight; /* [n_columns + pad] */
} kernel_vectors;

/* Cosines are rounded to multiples of 2^-30 and held as integers. */
#define KERNEL_COSINE_SCALE 0x1p30
/* Adding and subtracting this rounds a double of magnitude below 2^51 to an integer. */
#define KERNEL_ROUNDER 0x1.8p52

typedef struct align_kernels {
    simd_set set;
    /* Adds one to each of n counts. */
    void (*count_up)(uint16_t *count, size_t n);
    void (*words_ends)(const kernel_words *start, const kernel_layers *layers);
    void (*vectors_ends)(const kernel_vectors *start, const kernel_layers *layers);
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
