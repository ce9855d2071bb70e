/* SPDX-License-Identifier: MIT
 *
 * Cuts by vectors against trying every cut with cosines computed from the definition.
 */
#include "align_marked.h"

#include <math.h>

#include "align/similarity.h"
#include "base/rng.h"

enum { MAX_UNITS = 7, MAX_DIMS = 20, N_CASES = 3000 };

typedef struct toy {
    size_t n, n_dims;
    float vectors[MAX_UNITS][MAX_DIMS];
    eh_buf text;
} toy;

static void toy_make(toy *made, eh_rng *rng, size_t n_dims, const char *word) {
    made->n = 1 + rng_below(rng, MAX_UNITS);
    made->n_dims = n_dims;
    buf_init(&made->text, BUF_MAX_SMALL);
    memset(made->vectors, 0, sizeof made->vectors);
    bool whole_numbers = rng_below(rng, 2);
    for (size_t u = 0; u < made->n; u++) {
        buf_printf(&made->text, "- %s\n", word);
        bool opposite = u > 0 && rng_below(rng, 4) == 0; /* the two vanish together */
        for (size_t d = 0; d < n_dims; d++) {
            double value =
                whole_numbers ? (double)rng_below(rng, 7) - 3 : rng_normal(rng);
            made->vectors[u][d] = opposite ? -made->vectors[u - 1][d] : (float)value;
        }
    }
}

/* Row by row, as the interface wants them. */
static void pack(const toy *made, float *out) {
    for (size_t u = 0; u < made->n; u++)
        for (size_t d = 0; d < made->n_dims; d++)
            out[u * made->n_dims + d] = made->vectors[u][d];
}

static double cosine(const toy *a, size_t i, size_t e, const toy *b, size_t j,
                     size_t f) {
    double product = 0, square_a = 0, square_b = 0;
    for (size_t d = 0; d < a->n_dims; d++) {
        double sum_a = 0, sum_b = 0;
        for (size_t u = i; u < e; u++)
            sum_a += (double)a->vectors[u][d];
        for (size_t u = j; u < f; u++)
            sum_b += (double)b->vectors[u][d];
        product += sum_a * sum_b;
        square_a += sum_a * sum_a;
        square_b += sum_b * sum_b;
    }
    return square_a > 0 && square_b > 0 ? product / sqrt(square_a * square_b) : 0;
}

/* The best sum of all cuts into `parts` parts behind units i and j. */
static double best_sum(const toy *a, size_t i, const toy *b, size_t j, size_t parts) {
    if (parts == 1) return cosine(a, i, a->n, b, j, b->n);
    double best = -1e9;
    for (size_t e = i + 1; e + parts - 1 <= a->n; e++)
        for (size_t f = j + 1; f + parts - 1 <= b->n; f++) {
            double sum = cosine(a, i, e, b, j, f) + best_sum(a, e, b, f, parts - 1);
            if (sum > best) best = sum;
        }
    return best;
}

static void units_of(const toy *made, eh_arena *arena, align_units *units) {
    const align_options options = {0};
    assert_int_equal(
        align_units_of(buf_view(&made->text), &options, arena, units, NULL),
        EH_STATUS_OK);
    assert_int_equal(units->n, made->n);
}

static void cut_of(const toy *a, const toy *b, size_t parts, eh_arena *arena,
                   align_cut *cut) {
    float packed[2][MAX_UNITS * MAX_DIMS];
    align_units units[2];
    align_similarity *similarity;
    units_of(a, arena, &units[0]);
    units_of(b, arena, &units[1]);
    pack(a, packed[0]);
    pack(b, packed[1]);
    align_pair pair = {&units[0], &units[1]};
    const align_vectors vectors = {packed[0], packed[1], a->n_dims};
    assert_int_equal(
        align_similarity_vectors(&pair, &vectors, arena, &similarity, NULL),
        EH_STATUS_OK);
    assert_int_equal(align_semantic_cut(&pair, similarity, parts, arena, cut, NULL),
                     EH_STATUS_OK);
}

static void test_against_all_cuts(void **state) {
    (void)state;
    eh_arena arena;
    arena_init(&arena, (size_t)64 << 20);
    for (uint64_t i = 0; i < N_CASES; i++) {
        eh_rng rng = rng_make(3, "test.align.vectors", i);
        size_t n_dims = 1 + rng_below(&rng, MAX_DIMS), parts = 1 + rng_below(&rng, 5);
        toy a, b;
        align_cut cut, mirror;
        toy_make(&a, &rng, n_dims, "a");
        toy_make(&b, &rng, n_dims, "b");
        cut_of(&a, &b, parts, &arena, &cut);
        cut_of(&b, &a, parts, &arena, &mirror);
        if (!(cut.notes & 1u << ALIGN_NOTE_BIT_NOTHING_ALIKE)) {
            double off = cut.sum - best_sum(&a, 0, &b, 0, cut.n_parts);
            assert_true(off < 1e-8 && off > -1e-8);
        }
        for (size_t t = 0; t <= cut.n_parts; t++) {
            assert_int_equal(cut.begin_1[t], mirror.begin_2[t]);
            assert_int_equal(cut.begin_2[t], mirror.begin_1[t]);
        }
        assert_memory_equal(&cut.sum, &mirror.sum, sizeof cut.sum);
        buf_deinit(&a.text);
        buf_deinit(&b.text);
        arena_reset(&arena);
    }
    arena_deinit(&arena);
}

static void test_not_finite(void **state) {
    (void)state;
    eh_arena arena;
    arena_init(&arena, (size_t)1 << 20);
    const align_options options = {0};
    align_units units;
    assert_int_equal(
        align_units_of(EH_STR("One. Two."), &options, &arena, &units, NULL),
        EH_STATUS_OK);
    align_pair pair = {&units, &units};
    const float good[4] = {1, 0, 0, 1}, bad[4] = {1, 0, 0, NAN};
    align_vectors vectors = {good, bad, 2};
    align_similarity *similarity;
    eh_error err;
    assert_int_equal(
        align_similarity_vectors(&pair, &vectors, &arena, &similarity, &err),
        EH_STATUS_DATA);
    assert_string_equal(err.msg, "the vector of unit 1 is not finite");
    vectors.vectors_2 = good;
    align_cut cut;
    assert_int_equal(
        align_similarity_vectors(&pair, &vectors, &arena, &similarity, &err),
        EH_STATUS_OK);
    assert_int_equal(align_semantic_cut(&pair, similarity, 2, &arena, &cut, &err),
                     EH_STATUS_OK);
    assert_true(cut.sum == 2);
    arena_deinit(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_all_cuts),
        cmocka_unit_test(test_not_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
