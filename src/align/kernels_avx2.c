/* SPDX-License-Identifier: MIT
 *
 * The kernels with AVX2: 16 counts or 4 doubles at a time, bit for bit what
 * kernels_scalar.c computes.
 *
 * The layers are taken in groups, so that the running maxima of a group stay in
 * registers and a score is computed once for all of them:
 *
 *   score = 4 columns --+--> + next[0] --> max best[0]
 *                       +--> + next[1] --> max best[1]   ... up to GROUP layers
 *
 * Whole vectors are always processed; what is read behind the n columns is padding that
 * cannot win. This file is compiled with -mavx2 and called only where the machine has
 * it.
 */
#include "align/kernels.h"

#include <immintrin.h>

enum { GROUP = 8 };

/* M(0) M(1) .. M(N-1): the layers of a group, each with variables of its own. */
#define EACH_1(M) M(0)
#define EACH_2(M) EACH_1(M) M(1)
#define EACH_3(M) EACH_2(M) M(2)
#define EACH_4(M) EACH_3(M) M(3)
#define EACH_5(M) EACH_4(M) M(4)
#define EACH_6(M) EACH_5(M) M(5)
#define EACH_7(M) EACH_6(M) M(6)
#define EACH_8(M) EACH_7(M) M(7)

#define LOAD(l) __m256d best_##l = _mm256_loadu_pd(best + (l)*KERNEL_LANES);
#define STORE(l) _mm256_storeu_pd(best + (l)*KERNEL_LANES, best_##l);
#define RAISE(l)                                                                       \
    best_##l = _mm256_max_pd(                                                          \
        best_##l,                                                                      \
        _mm256_max_pd(                                                                 \
            _mm256_add_pd(score, _mm256_loadu_pd(next + c + (l)*layer_stride)),        \
            _mm256_add_pd(score_4,                                                     \
                          _mm256_loadu_pd(next + c + 4 + (l)*layer_stride))));

static void count_up(uint16_t *count, size_t n) {
    const __m256i one = _mm256_set1_epi16(1);
    size_t c = 0;
    for (; c + 16 <= n; c += 16) {
        __m256i sum =
            _mm256_add_epi16(_mm256_loadu_si256((const void *)(count + c)), one);
        _mm256_storeu_si256((void *)(count + c), sum);
    }
    for (; c < n; c++)
        count[c]++;
}

static inline __m256d load_counts(const uint16_t *count) {
    return _mm256_cvtepi32_pd(_mm_cvtepu16_epi32(_mm_loadl_epi64((const void *)count)));
}

static inline void add_counts(uint16_t *count, const uint16_t *more, size_t n) {
    for (size_t c = 0; c < n; c += 16) {
        __m256i sum = _mm256_add_epi16(_mm256_loadu_si256((const void *)(count + c)),
                                       _mm256_loadu_si256((const void *)(more + c)));
        _mm256_storeu_si256((void *)(count + c), sum);
    }
}

static inline __m256d words_score(const uint16_t *count, const double *column_weight,
                                  __m256d row_weight) {
    __m256d weight = _mm256_min_pd(_mm256_loadu_pd(column_weight), row_weight);
    return _mm256_mul_pd(load_counts(count), weight);
}

#define WORDS_GROUP(N)                                                                 \
    static void words_group_##N(const kernel_words *start,                             \
                                const kernel_layers *layers, size_t first) {           \
        const size_t n_columns = layers->n_columns;                                    \
        const size_t layer_stride = layers->layer_stride;                              \
        const double *column_weight = start->column_weight;                            \
        const double *next = layers->next + first * layer_stride;                      \
        const uint16_t *fresh = start->fresh;                                          \
        uint16_t *count = start->count;                                                \
        double *best = layers->best + first * KERNEL_LANES;                            \
        EACH_##N(LOAD) memset(count, 0, (n_columns + 15) / 16 * 16 * sizeof *count);   \
        for (size_t r = 0; r < layers->n_rows; r++) {                                  \
            const __m256d row_weight = _mm256_set1_pd(start->row_weight[r]);           \
            add_counts(count, fresh, n_columns);                                       \
            for (size_t c = layers->begin[r]; c < layers->end[r]; c += KERNEL_STEP) {  \
                __m256d score = words_score(count + c, column_weight + c, row_weight); \
                __m256d score_4 =                                                      \
                    words_score(count + c + 4, column_weight + c + 4, row_weight);     \
                EACH_##N(RAISE)                                                        \
            }                                                                          \
            fresh += start->fresh_stride;                                              \
            next += layers->row_stride;                                                \
        }                                                                              \
        EACH_##N(STORE)                                                                \
    }

/* What a row of cosines has in common. */
typedef struct vectors_row {
    const double *upper, *lower, *column_weight;
    __m256d corner, row_weight;
} vectors_row;

static inline __m256d vectors_score(const vectors_row *row, size_t c) {
    const __m256d scale = _mm256_set1_pd(KERNEL_COSINE_SCALE);
    const __m256d rounder = _mm256_set1_pd(KERNEL_ROUNDER);
    __m256d dot =
        _mm256_sub_pd(_mm256_loadu_pd(row->upper + c), _mm256_loadu_pd(row->lower + c));
    __m256d weight =
        _mm256_mul_pd(row->row_weight, _mm256_loadu_pd(row->column_weight + c));
    __m256d cosine = _mm256_mul_pd(_mm256_sub_pd(dot, row->corner), weight);
    return _mm256_sub_pd(_mm256_add_pd(_mm256_mul_pd(cosine, scale), rounder), rounder);
}

#define VECTORS_GROUP(N)                                                               \
    static void vectors_group_##N(const kernel_vectors *start,                         \
                                  const kernel_layers *layers, size_t first) {         \
        const size_t layer_stride = layers->layer_stride;                              \
        const double *next = layers->next + first * layer_stride;                      \
        double *best = layers->best + first * KERNEL_LANES;                            \
        vectors_row row = {.upper = start->sums,                                       \
                           .lower = start->lower,                                      \
                           .column_weight = start->column_weight};                     \
        EACH_##N(LOAD) for (size_t r = 0; r < layers->n_rows; r++) {                   \
            row.corner = _mm256_set1_pd(row.upper[-1] - row.lower[-1]);                \
            row.row_weight = _mm256_set1_pd(start->row_weight[r]);                     \
            for (size_t c = layers->begin[r]; c < layers->end[r]; c += KERNEL_STEP) {  \
                __m256d score = vectors_score(&row, c);                                \
                __m256d score_4 = vectors_score(&row, c + 4);                          \
                EACH_##N(RAISE)                                                        \
            }                                                                          \
            row.upper += start->sums_stride;                                           \
            next += layers->row_stride;                                                \
        }                                                                              \
        EACH_##N(STORE)                                                                \
    }

/* One function for each number of layers, and a list of them. */
#define EACH_SIZE(M) M(1) M(2) M(3) M(4) M(5) M(6) M(7) M(8)
EACH_SIZE(WORDS_GROUP)
EACH_SIZE(VECTORS_GROUP)

typedef void words_group(const kernel_words *, const kernel_layers *, size_t);
typedef void vectors_group(const kernel_vectors *, const kernel_layers *, size_t);

#define LIST_WORDS(N) words_group_##N,
static words_group *const words_groups[GROUP] = {EACH_SIZE(LIST_WORDS)};
#define LIST_VECTORS(N) vectors_group_##N,
static vectors_group *const vectors_groups[GROUP] = {EACH_SIZE(LIST_VECTORS)};

static size_t group_size(const kernel_layers *layers, size_t first) {
    size_t left = layers->n_layers - first;
    return left < GROUP ? left : GROUP;
}

static void words_ends(const kernel_words *start, const kernel_layers *layers) {
    for (size_t first = 0; first < layers->n_layers; first += GROUP)
        words_groups[group_size(layers, first) - 1](start, layers, first);
}

static void vectors_ends(const kernel_vectors *start, const kernel_layers *layers) {
    for (size_t first = 0; first < layers->n_layers; first += GROUP)
        vectors_groups[group_size(layers, first) - 1](start, layers, first);
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
            sum[part] =
                _mm256_add_pd(sum[part], product(a + k + 4 * part, b + k + 4 * part));
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
    .count_up = count_up,
    .words_ends = words_ends,
    .vectors_ends = vectors_ends,
    .dot = dot,
};
