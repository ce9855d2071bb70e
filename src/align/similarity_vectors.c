/* SPDX-License-Identifier: MIT
 *
 * Cosine of the mean vectors of two parts, from one vector a unit.
 *
 * The cosine of means is that of sums, and the product of two sums is the sum over a
 * rectangle of the matrix of all products of units (the Gram matrix). Rectangles come
 * from sums over everything above and to the left:
 *
 *   G(r, c) = sum of a_p . b_q over p < r, q < c
 *   sum of the rectangle = ((G(e, f) - G(i, f)) - (G(e, j) - G(i, j)))
 *
 * Lengths of sums come from such rectangles of a text with itself. Cosines are rounded
 * to multiples of 2^-30, far above the noise of these sums and far below any difference
 * that means something, so that equal parts have equal scores.
 *
 * Left out: making vectors. They come from the caller, in any number of dimensions.
 */
#include "align/similarity.h"

#include <math.h>

/* A sum whose square is below this share of the squares of its terms has vanished. */
static const double vanishing = 1e-12;

typedef struct vectors_state {
    const float *vectors[2]; /* [n_units][n_dims] */
    size_t n_dims;
    double *squares[2]; /* [n_units + 1], sums of the squared lengths of units before */
    double *sum[2];     /* [n_dims], scratch */
    /* for a cut */
    double *sums;      /* G, [n_units[0] + 1][stride] */
    double *weight[2]; /* one over the length of the sum, by begin and end */
    size_t weight_stride[2];
} vectors_state;

static const float *vector_of(const vectors_state *state, int side, size_t unit) {
    return state->vectors[side] + unit * state->n_dims;
}

/* One over a length whose square is `product`; 0 where the sum has vanished. */
static double inverse_length(const vectors_state *state, int side, size_t begin,
                             size_t end, double product) {
    double terms = state->squares[side][end] - state->squares[side][begin];
    return product > vanishing * terms ? 1 / sqrt(product) : 0;
}

static double vectors_part(const align_similarity *self, const part_pair *part) {
    const vectors_state *state = self->state;
    double weight[2];
    for (int side = 0; side < 2; side++) {
        double product = 0;
        for (size_t d = 0; d < state->n_dims; d++) {
            double sum = 0;
            for (size_t u = part->begin[side]; u < part->end[side]; u++)
                sum += (double)vector_of(state, side, u)[d];
            state->sum[side][d] = sum;
            product += sum * sum;
        }
        weight[side] =
            inverse_length(state, side, part->begin[side], part->end[side], product);
    }
    double dot = 0;
    for (size_t d = 0; d < state->n_dims; d++)
        dot += state->sum[0][d] * state->sum[1][d];
    double cosine = dot * (weight[0] * weight[1]);
    return cosine > 1 ? 1 : cosine < -1 ? -1 : cosine;
}

/* -- tables ------------------------------------------------------------------------ */

/* G of the units of two texts (or of one with itself), [n_row_units + 1][stride]. */
static void sum_products(const align_similarity *self, int row_side, int column_side,
                         double *sums, size_t stride) {
    const vectors_state *state = self->state;
    for (size_t r = 0; r < self->n_units[row_side]; r++) {
        const float *row = vector_of(state, row_side, r);
        double along_row = 0;
        for (size_t c = 0; c < self->n_units[column_side]; c++) {
            along_row += self->kernels->dot(row, vector_of(state, column_side, c),
                                            state->n_dims);
            sums[(r + 1) * stride + c + 1] = sums[r * stride + c + 1] + along_row;
        }
    }
}

static bool fill_weights(align_similarity *self, int side, eh_arena *arena) {
    vectors_state *state = self->state;
    size_t n = self->n_units[side], stride = n + 1 + KERNEL_PAD;
    double *sums = arena_zalloc(arena, (n + 1) * stride, sizeof *sums);
    double *weight = arena_zalloc(arena, n * stride, sizeof *weight);
    if (!sums || !weight) return false;
    sum_products(self, side, side, sums, stride);
    for (size_t i = 0; i < n; i++)
        for (size_t e = i + 1; e <= n; e++) {
            double product = (sums[e * stride + e] - sums[i * stride + e]) -
                             (sums[e * stride + i] - sums[i * stride + i]);
            weight[i * stride + e] = inverse_length(state, side, i, e, product);
        }
    state->weight[side] = weight;
    state->weight_stride[side] = stride;
    return true;
}

static eh_status vectors_prepare(align_similarity *self, size_t parts, eh_arena *arena,
                                 eh_error *err) {
    (void)parts; /* 2^23 cosines can be added exactly */
    vectors_state *state = self->state;
    state->sums =
        arena_zalloc(arena, (self->n_units[0] + 1) * self->stride, sizeof(double));
    if (!state->sums || !fill_weights(self, 0, arena) || !fill_weights(self, 1, arena))
        return EH_NOMEM(err);
    sum_products(self, 0, 1, state->sums, self->stride);
    return EH_STATUS_OK;
}

/* -- the walk: nothing is carried along, a row is read off the tables
 * ------------------ */

static void vectors_first(align_similarity *self, size_t row_begin) {
    self->row_begin = row_begin;
}

static void vectors_start(align_similarity *self, size_t column_begin) {
    self->column_begin = column_begin;
    self->row_end = self->row_begin;
}

static void vectors_row(align_similarity *self, size_t row_end) {
    self->row_end = row_end;
}

static const double *row_weights(const align_similarity *self) {
    const vectors_state *state = self->state;
    return state->weight[0] + self->row_begin * state->weight_stride[0];
}

static const double *column_weights(const align_similarity *self) {
    const vectors_state *state = self->state;
    return state->weight[1] + self->column_begin * state->weight_stride[1];
}

static double score_of(const align_similarity *self, size_t row_end,
                       size_t column_end) {
    const vectors_state *state = self->state;
    const double *upper = state->sums + row_end * self->stride;
    const double *lower = state->sums + self->row_begin * self->stride;
    double corner = upper[self->column_begin] - lower[self->column_begin];
    double dot = (upper[column_end] - lower[column_end]) - corner;
    double cosine =
        dot * (row_weights(self)[row_end] * column_weights(self)[column_end]);
    return (cosine * KERNEL_COSINE_SCALE + KERNEL_ROUNDER) - KERNEL_ROUNDER;
}

static void vectors_wholes(align_similarity *self, double *wholes) {
    for (size_t i = 0; i < self->n_units[0]; i++)
        for (size_t j = 0; j < self->n_units[1]; j++) {
            self->row_begin = i;
            self->column_begin = j;
            wholes[i * self->stride + j] =
                score_of(self, self->n_units[0], self->n_units[1]);
        }
}

static void vectors_ends(align_similarity *self, const kernel_layers *layers) {
    const vectors_state *state = self->state;
    size_t row = self->row_begin + 1, column = self->column_begin + 1;
    kernel_vectors start = {
        .sums = state->sums + row * self->stride + column,
        .sums_stride = self->stride,
        .lower = state->sums + self->row_begin * self->stride + column,
        .row_weight = row_weights(self) + row,
        .column_weight = column_weights(self) + column,
    };
    kernel_layers shifted = *layers;
    shifted.next += row * layers->row_stride + column;
    self->kernels->vectors_ends(&start, &shifted);
}

static void vectors_scores(const align_similarity *self, double *score) {
    for (size_t e = self->column_begin + 1; e <= self->n_units[1]; e++)
        score[e] = score_of(self, self->row_end, e);
}

static const similarity_ops vectors_ops = {
    .name = "vectors",
    .part = vectors_part,
    .prepare = vectors_prepare,
    .first = vectors_first,
    .start = vectors_start,
    .wholes = vectors_wholes,
    .ends = vectors_ends,
    .row = vectors_row,
    .scores = vectors_scores,
};

/* -- made for a pair --------------------------------------------------------------- */

static eh_status take_vectors(align_similarity *self, int side, const float *vectors,
                              size_t n_dims, eh_error *err) {
    vectors_state *state = self->state;
    size_t n = self->n_units[side];
    state->vectors[side] = vectors;
    state->n_dims = n_dims;
    state->squares[side] = arena_zalloc(self->arena, n + 1, sizeof(double));
    state->sum[side] = arena_zalloc(self->arena, n_dims + 1, sizeof(double));
    if (!state->squares[side] || !state->sum[side]) return EH_NOMEM(err);
    for (size_t u = 0; u < n; u++) {
        const float *vector = vector_of(state, side, u);
        double square = self->kernels->dot(vector, vector, n_dims);
        if (!isfinite(square))
            return EH_FAIL(err, EH_STATUS_DATA, "the vector of unit %zu is not finite",
                           u);
        state->squares[side][u + 1] = state->squares[side][u] + square;
    }
    return EH_STATUS_OK;
}

eh_status align_similarity_vectors(const align_pair *pair, const align_vectors *vectors,
                                   eh_arena *arena, align_similarity **similarity,
                                   eh_error *err) {
    align_similarity *made =
        similarity_new(pair, &vectors_ops, sizeof(vectors_state), arena);
    if (!made) return EH_NOMEM(err);
    bool swapped = align_pair_swapped(pair);
    const float *first = swapped ? vectors->vectors_2 : vectors->vectors_1;
    const float *second = swapped ? vectors->vectors_1 : vectors->vectors_2;
    EH_TRY(take_vectors(made, 0, first, vectors->n_dims, err));
    EH_TRY(take_vectors(made, 1, second, vectors->n_dims, err));
    *similarity = made;
    return EH_STATUS_OK;
}
