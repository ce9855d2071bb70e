/* SPDX-License-Identifier: MIT
 *
 * The kernels as they are meant: plain loops, which every other set must equal in every
 * bit. Each product and each sum is rounded by itself (-ffp-contract=off), maxima are
 * exact, and so the order of columns does not matter; in `dot` it does and is fixed.
 *
 * No NaN comes in: scores are finite, layers are finite or minus infinity.
 */
#include "align/kernels.h"

static void count_up(uint16_t *count, size_t n) {
    for (size_t c = 0; c < n; c++)
        count[c]++;
}

static void raise_best(const kernel_layers *layers, size_t r, size_t c, double score) {
    const double *next = layers->next + r * layers->row_stride + c;
    for (size_t l = 0; l < layers->n_layers; l++) {
        double value = score + next[l * layers->layer_stride];
        double *best = &layers->best[l * KERNEL_LANES];
        if (value > *best) *best = value;
    }
}

static size_t row_end(const kernel_layers *layers, size_t r) {
    return layers->end[r] < layers->n_columns ? layers->end[r] : layers->n_columns;
}

static void words_ends(const kernel_words *start, const kernel_layers *layers) {
    memset(start->count, 0, layers->n_columns * sizeof *start->count);
    for (size_t r = 0; r < layers->n_rows; r++) {
        const uint16_t *fresh = start->fresh + r * start->fresh_stride;
        double row_weight = start->row_weight[r];
        for (size_t c = 0; c < layers->n_columns; c++)
            start->count[c] = (uint16_t)(start->count[c] + fresh[c]);
        size_t end = row_end(layers, r);
        for (size_t c = layers->begin[r]; c < end; c++) {
            double weight = start->column_weight[c];
            if (row_weight < weight) weight = row_weight;
            raise_best(layers, r, c, (double)start->count[c] * weight);
        }
    }
}

static void vectors_ends(const kernel_vectors *start, const kernel_layers *layers) {
    for (size_t r = 0; r < layers->n_rows; r++) {
        const double *upper = start->sums + r * start->sums_stride;
        double corner = upper[-1] - start->lower[-1];
        size_t end = row_end(layers, r);
        for (size_t c = layers->begin[r]; c < end; c++) {
            double dot = (upper[c] - start->lower[c]) - corner;
            double cosine = dot * (start->row_weight[r] * start->column_weight[c]);
            double scaled = cosine * KERNEL_COSINE_SCALE;
            raise_best(layers, r, c, (scaled + KERNEL_ROUNDER) - KERNEL_ROUNDER);
        }
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
    .count_up = count_up,
    .words_ends = words_ends,
    .vectors_ends = vectors_ends,
    .dot = dot,
};
