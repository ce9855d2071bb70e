/* SPDX-License-Identifier: MIT
 *
 * Every instruction set against the scalar kernels, bit for bit, on random tables of
 * all shapes, and on whole cuts.
 */
#include "align_marked.h"

#include <math.h>

#include "align/similarity.h"
#include "base/rng.h"

enum { MAX_ROWS = 24, MAX_COLUMNS = 70, STRIDE = MAX_COLUMNS + KERNEL_PAD + 2 };
enum { MAX_LAYERS = 11, MAX_DIMS = 100, N_ROUNDS = 3000 };

/* Tables that a start reads, in their full size. */
typedef struct tables {
    uint16_t fresh[MAX_ROWS][STRIDE];
    double sums[MAX_ROWS + 1][STRIDE];
    double row_weight[MAX_ROWS + KERNEL_PAD], column_weight[STRIDE];
    double next[MAX_LAYERS][MAX_ROWS][STRIDE];
    uint32_t begin[MAX_ROWS], end[MAX_ROWS];
} tables;

static tables t;

static void fill_tables(eh_rng *rng, size_t n_rows, size_t n_columns) {
    memset(&t, 0, sizeof t);
    for (size_t c = 0; c < STRIDE; c++) {
        t.column_weight[c] = (double)rng_below(rng, 1000000);
        for (size_t r = 0; r <= MAX_ROWS; r++)
            t.sums[r][c] = rng_uniform(rng) * 20 - 10;
        for (size_t r = 0; r < MAX_ROWS; r++) {
            if (c < n_columns) t.fresh[r][c] = (uint16_t)rng_below(rng, 9);
            for (size_t l = 0; l < MAX_LAYERS; l++)
                t.next[l][r][c] = c < n_columns && rng_below(rng, 5)
                                      ? (double)rng_below(rng, 1000000000)
                                      : -INFINITY;
        }
    }
    for (size_t r = 0; r < n_rows; r++) {
        t.row_weight[r] = (double)rng_below(rng, 1000000);
        size_t steps = (n_columns + KERNEL_STEP - 1) / KERNEL_STEP;
        size_t begin = rng_below(rng, 3) ? 0 : rng_below(rng, steps + 1);
        t.begin[r] = (uint32_t)(begin * KERNEL_STEP);
        t.end[r] = (uint32_t)((rng_below(rng, 3) ? steps : begin) * KERNEL_STEP);
    }
}

typedef struct outcome {
    double words[MAX_LAYERS], vectors[MAX_LAYERS];
} outcome;

static void max_of_lanes(const double *best, size_t n_layers, double *max) {
    for (size_t l = 0; l < n_layers; l++) {
        max[l] = -INFINITY;
        for (int k = 0; k < KERNEL_LANES; k++)
            if (best[l * KERNEL_LANES + (size_t)k] > max[l])
                max[l] = best[l * KERNEL_LANES + (size_t)k];
    }
}

static outcome run(const align_kernels *kernels, size_t n_layers, size_t n_rows,
                   size_t n_columns) {
    double best[MAX_LAYERS * KERNEL_LANES];
    uint16_t count[STRIDE] = {0}; /* its padding is read, under minus infinity */
    kernel_layers layers = {.next = &t.next[0][0][1],
                            .layer_stride = (size_t)MAX_ROWS * STRIDE,
                            .row_stride = STRIDE,
                            .n_layers = n_layers,
                            .n_rows = n_rows,
                            .n_columns = n_columns - 1,
                            .begin = t.begin,
                            .end = t.end,
                            .best = best};
    outcome got = {0};
    kernel_words words = {.fresh = &t.fresh[0][1],
                          .fresh_stride = STRIDE,
                          .count = count,
                          .row_weight = t.row_weight,
                          .column_weight = t.column_weight + 1};
    for (size_t k = 0; k < MAX_LAYERS * KERNEL_LANES; k++)
        best[k] = -INFINITY;
    kernels->words_ends(&words, &layers);
    max_of_lanes(best, n_layers, got.words);
    kernel_vectors vectors = {.sums = &t.sums[1][1],
                              .sums_stride = STRIDE,
                              .lower = &t.sums[0][1],
                              .row_weight = t.row_weight,
                              .column_weight = t.column_weight + 1};
    for (size_t k = 0; k < MAX_LAYERS * KERNEL_LANES; k++)
        best[k] = -INFINITY;
    kernels->vectors_ends(&vectors, &layers);
    max_of_lanes(best, n_layers, got.vectors);
    return got;
}

static void check_small_ones(const align_kernels *kernels, eh_rng *rng) {
    float a[MAX_DIMS], b[MAX_DIMS];
    size_t n = rng_below(rng, MAX_DIMS + 1);
    for (size_t k = 0; k < n; k++) {
        a[k] = (float)rng_normal(rng);
        b[k] = (float)rng_normal(rng);
    }
    double wanted = align_kernels_scalar.dot(a, b, n), got = kernels->dot(a, b, n);
    assert_memory_equal(&got, &wanted, sizeof got);
    uint16_t count[STRIDE], same[STRIDE];
    for (size_t k = 0; k < STRIDE; k++)
        count[k] = same[k] = (uint16_t)rng_u32(rng);
    n = rng_below(rng, STRIDE + 1);
    kernels->count_up(count, n);
    align_kernels_scalar.count_up(same, n);
    assert_memory_equal(count, same, sizeof count);
}

static void check_set(const align_kernels *kernels) {
    for (uint64_t round = 0; round < N_ROUNDS; round++) {
        eh_rng rng = rng_make(11, "test.align.kernels", round);
        size_t n_layers = 1 + rng_below(&rng, MAX_LAYERS);
        size_t n_rows = 1 + rng_below(&rng, MAX_ROWS);
        size_t n_columns = 2 + rng_below(&rng, MAX_COLUMNS - 2);
        fill_tables(&rng, n_rows, n_columns);
        outcome wanted = run(&align_kernels_scalar, n_layers, n_rows, n_columns);
        outcome got = run(kernels, n_layers, n_rows, n_columns);
        assert_memory_equal(&got, &wanted, sizeof got);
        check_small_ones(kernels, &rng);
    }
}

static void test_every_set(void **state) {
    (void)state;
    for (int set = SIMD_SCALAR + 1; set < SIMD_N; set++) {
        const align_kernels *kernels = align_kernels_of((simd_set)set);
        if (kernels)
            check_set(kernels);
        else
            printf("skipped: this machine or build has no %s\n",
                   simd_name((simd_set)set));
    }
}

/* The environment chooses, and never what is not there. */
static void test_choice(void **state) {
    (void)state;
    const char *forced = getenv("EVENHAND_SIMD");
    assert_non_null(align_simd_name());
    assert_true(simd_is_there(SIMD_SCALAR) && simd_is_there(simd_chosen()));
    if (forced && align_kernels_of(SIMD_SCALAR) && strcmp(forced, "scalar") == 0)
        assert_string_equal(align_simd_name(), "scalar");
    if (forced && strcmp(forced, "no such set") == 0)
        assert_string_equal(align_simd_name(), "scalar");
    if (!forced && simd_is_there(SIMD_AVX2) && align_kernels_of(SIMD_AVX2))
        assert_string_equal(align_simd_name(), "avx2");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_set),
        cmocka_unit_test(test_choice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
