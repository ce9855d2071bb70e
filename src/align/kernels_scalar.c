/* SPDX-License-Identifier: MIT
 *
 * The kernels as they are meant: plain loops, which every other set must equal in every
 * bit. Each product and each sum is rounded by itself (-ffp-contract=off), maxima are
 * exact, and so the order of columns does not matter; in `dot` it does and is fixed.
 *
 * No NaN comes in: scores are finite, layers are finite or minus infinity.
 */
#include "align/kernels.h"

static void add_counts(uint16_t *count, const uint16_t *more, size_t n) {
    for (size_t c = 0; c < n; c++)
        count[c] = (uint16_t)(count[c] + more[c]);
}

static void raise_best(const kernel_layers *layers, size_t c, double score) {
    for (size_t l = 0; l < layers->n_layers; l++) {
        double value = score + layers->next[l * layers->layer_stride + c];
        double *best = &layers->best[l * KERNEL_LANES];
        if (value > *best) *best = value;
    }
}

static void words_row(const kernel_words *row, size_t n, const kernel_layers *layers) {
    for (size_t c = 0; c < n; c++) {
        double weight = row->weights[c] < row->weight ? row->weights[c] : row->weight;
        raise_best(layers, c, (double)row->count[c] * weight);
    }
}

static void vectors_row(const kernel_vectors *row, size_t n,
                        const kernel_layers *layers) {
    for (size_t c = 0; c < n; c++) {
        double dot = (row->upper[c] - row->lower[c]) - row->corner;
        double cosine = dot * (row->weight * row->weights[c]);
        double score = (cosine * KERNEL_COSINE_SCALE + KERNEL_ROUNDER) - KERNEL_ROUNDER;
        raise_best(layers, c, score);
    }
}

static double dot(const float *a, const float *b, size_t n) {
    double lane[16] = {0};
    for (size_t k = 0; k < n; k++)
        lane[k % 16] += (double)a[k] * (double)b[k];
    for (size_t half = 8; half > 0; half /= 2)
        for (size_t k = 0; k < half; k++)
            lane[k] += lane[k + half];
    return lane[0];
}

const align_kernels align_kernels_scalar = {
    .set = SIMD_SCALAR,
    .add_counts = add_counts,
    .words_row = words_row,
    .vectors_row = vectors_row,
    .dot = dot,
};
