/* SPDX-License-Identifier: MIT
 *
 * The kernels with AVX2: 16 counts or 4 doubles at a time, bit for bit what
 * kernels_scalar.c computes.
 *
 * The layers of a row are taken in groups, so that the running maxima of a group stay in
 * registers and a score is computed once for all of them:
 *
 *   score = 4 columns --+--> + next[0] --> max best[0]
 *                       +--> + next[1] --> max best[1]   ... up to GROUP layers
 *
 * Whole vectors are always processed; what is read behind the n columns is padding that
 * cannot win. This file is compiled with -mavx2 and called only where the machine has it.
 */
#include "align/kernels.h"

#include <immintrin.h>

enum { GROUP = 8 };

static void add_counts(uint16_t *count, const uint16_t *more, size_t n) {
    for (size_t c = 0; c < n; c += 16) {
        __m256i sum = _mm256_add_epi16(_mm256_loadu_si256((const void *)(count + c)),
                                       _mm256_loadu_si256((const void *)(more + c)));
        _mm256_storeu_si256((void *)(count + c), sum);
    }
}

static inline __m256d words_score(const kernel_words *row, size_t c, __m256d weight) {
    __m128i count = _mm_cvtepu16_epi32(_mm_loadl_epi64((const void *)(row->count + c)));
    __m256d least = _mm256_min_pd(_mm256_loadu_pd(row->weights + c), weight);
    return _mm256_mul_pd(_mm256_cvtepi32_pd(count), least);
}

static inline __m256d vectors_score(const kernel_vectors *row, size_t c) {
    __m256d dot = _mm256_sub_pd(_mm256_loadu_pd(row->upper + c),
                                _mm256_loadu_pd(row->lower + c));
    dot = _mm256_sub_pd(dot, _mm256_set1_pd(row->corner));
    __m256d weight =
        _mm256_mul_pd(_mm256_set1_pd(row->weight), _mm256_loadu_pd(row->weights + c));
    __m256d score = _mm256_mul_pd(_mm256_mul_pd(dot, weight),
                                  _mm256_set1_pd(KERNEL_COSINE_SCALE));
    const __m256d rounder = _mm256_set1_pd(KERNEL_ROUNDER);
    return _mm256_sub_pd(_mm256_add_pd(score, rounder), rounder);
}

/* One body for both rows and each number of layers: n_layers is a constant wherever this
 * is called, and so the arrays of maxima become registers. */
#define ROW_BODY(score_expr)                                                           \
    __m256d best[GROUP];                                                               \
    for (size_t l = 0; l < n_layers; l++)                                              \
        best[l] = _mm256_loadu_pd(layers->best + (first + l) * KERNEL_LANES);          \
    const double *next = layers->next + first * layers->layer_stride;                  \
    for (size_t c = 0; c < n; c += 4) {                                                \
        __m256d score = score_expr;                                                    \
        for (size_t l = 0; l < n_layers; l++)                                          \
            best[l] = _mm256_max_pd(                                                   \
                best[l], _mm256_add_pd(score, _mm256_loadu_pd(                         \
                                                  next + l * layers->layer_stride +    \
                                                  c)));                                \
    }                                                                                  \
    for (size_t l = 0; l < n_layers; l++)                                              \
        _mm256_storeu_pd(layers->best + (first + l) * KERNEL_LANES, best[l]);

__attribute__((always_inline)) static inline void
words_group(const kernel_words *row, size_t n, const kernel_layers *layers, size_t first,
            size_t n_layers) {
    const __m256d weight = _mm256_set1_pd(row->weight);
    ROW_BODY(words_score(row, c, weight))
}

__attribute__((always_inline)) static inline void
vectors_group(const kernel_vectors *row, size_t n, const kernel_layers *layers,
              size_t first, size_t n_layers) {
    ROW_BODY(vectors_score(row, c))
}

#define BY_NUMBER_OF_LAYERS(group)                                                     \
    for (size_t first = 0; first < layers->n_layers; first += GROUP) {                 \
        switch (layers->n_layers - first) {                                            \
        case 1: group(row, n, layers, first, 1); break;                                \
        case 2: group(row, n, layers, first, 2); break;                                \
        case 3: group(row, n, layers, first, 3); break;                                \
        case 4: group(row, n, layers, first, 4); break;                                \
        case 5: group(row, n, layers, first, 5); break;                                \
        case 6: group(row, n, layers, first, 6); break;                                \
        case 7: group(row, n, layers, first, 7); break;                                \
        default: group(row, n, layers, first, GROUP); break;                           \
        }                                                                              \
    }

static void words_row(const kernel_words *row, size_t n, const kernel_layers *layers) {
    BY_NUMBER_OF_LAYERS(words_group)
}

static void vectors_row(const kernel_vectors *row, size_t n,
                        const kernel_layers *layers) {
    BY_NUMBER_OF_LAYERS(vectors_group)
}

static inline __m256d product(const float *a, const float *b) {
    return _mm256_mul_pd(_mm256_cvtps_pd(_mm_loadu_ps(a)),
                         _mm256_cvtps_pd(_mm_loadu_ps(b)));
}

static double dot(const float *a, const float *b, size_t n) {
    __m256d sum[4] = {_mm256_setzero_pd(), _mm256_setzero_pd(), _mm256_setzero_pd(),
                      _mm256_setzero_pd()};
    size_t k = 0;
    for (; k + 16 <= n; k += 16)
        for (size_t part = 0; part < 4; part++)
            sum[part] = _mm256_add_pd(sum[part], product(a + k + 4 * part,
                                                         b + k + 4 * part));
    double lane[16];
    for (size_t part = 0; part < 4; part++)
        _mm256_storeu_pd(lane + 4 * part, sum[part]);
    for (; k < n; k++)
        lane[k % 16] += (double)a[k] * (double)b[k];
    for (size_t half = 8; half > 0; half /= 2)
        for (size_t i = 0; i < half; i++)
            lane[i] += lane[i + half];
    return lane[0];
}

const align_kernels align_kernels_avx2 = {
    .set = SIMD_AVX2,
    .add_counts = add_counts,
    .words_row = words_row,
    .vectors_row = vectors_row,
    .dot = dot,
};
