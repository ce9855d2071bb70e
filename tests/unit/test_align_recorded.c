/* SPDX-License-Identifier: MIT
 *
 * Recorded answers: units tile every one, and cuts of real pairs obey the mirror law
 * and are no worse than cuts by length. tests/long has more of it.
 */
#include "align_recorded.h"

static void tile(eh_str text, eh_arena *arena) {
    const align_options options = {.parts = 3};
    align_units units;
    eh_error err = {0};
    arena_reset(arena);
    if (align_units_of(text, &options, arena, &units, &err) != EH_STATUS_OK)
        fail_msg("%s", err.msg);
    assert_tiled(&units);
}

static void tile_row(const json_value *row, void *self) {
    static const char *const keys[] = {"answer_1", "answer_2", "text"};
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        eh_str text = json_get_str(row, keys[k]);
        if (!eh_str_is_absent(text)) tile(text, self);
    }
}

static void test_all_answers_are_tiled(void **state) {
    (void)state;
    eh_arena arena;
    arena_init(&arena, (size_t)256 << 20);
    size_t n = visit_rows("*/pairs*.jsonl", tile_row, &arena);
    n += visit_rows("*/answers_*.jsonl", tile_row, &arena);
    arena_deinit(&arena);
    skip_without(n);
    assert_true(n > 4000);
}

static align_cut cut_of(const align_pair *pair, size_t parts, eh_arena *arena) {
    align_similarity *similarity;
    align_cut cut;
    assert_int_equal(align_similarity_words(pair, arena, &similarity, NULL),
                     EH_STATUS_OK);
    assert_int_equal(align_semantic_cut(pair, similarity, parts, arena, &cut, NULL),
                     EH_STATUS_OK);
    return cut;
}

static void check_against_length(const align_pair *pair, const align_cut *cut,
                                 eh_arena *arena) {
    align_similarity *similarity;
    align_cut length;
    assert_int_equal(align_similarity_words(pair, arena, &similarity, NULL),
                     EH_STATUS_OK);
    assert_int_equal(align_length_cut(pair, similarity, 3, arena, &length, NULL),
                     EH_STATUS_OK);
    assert_true(cut->sum >= length.sum - 1e-12);
}

static void mirror_row(const json_value *row, void *self) {
    eh_arena *arena = self;
    const align_options options = {.parts = 3};
    align_units units[2];
    arena_reset(arena);
    assert_int_equal(
        align_units_of(json_get_str(row, "answer_1"), &options, arena, &units[0], NULL),
        EH_STATUS_OK);
    assert_int_equal(
        align_units_of(json_get_str(row, "answer_2"), &options, arena, &units[1], NULL),
        EH_STATUS_OK);
    const align_pair pair = {&units[0], &units[1]}, mirror = {&units[1], &units[0]};
    align_cut cut = cut_of(&pair, 3, arena), back = cut_of(&mirror, 3, arena);
    size_t n_bytes = (cut.n_parts + 1) * sizeof *cut.begin_1;
    assert_int_equal(cut.n_parts, back.n_parts);
    assert_memory_equal(cut.begin_1, back.begin_2, n_bytes);
    assert_memory_equal(cut.begin_2, back.begin_1, n_bytes);
    assert_memory_equal(cut.similarity, back.similarity, cut.n_parts * sizeof(double));
    assert_memory_equal(&cut.sum, &back.sum, sizeof cut.sum);
    check_against_length(&pair, &cut, arena);
}

static void test_mirror_law(void **state) {
    (void)state;
    eh_arena arena;
    arena_init(&arena, (size_t)256 << 20);
    size_t n = visit_rows("faireval/pairs.jsonl", mirror_row, &arena);
    n += visit_rows("mtbench_repeat/pairs.jsonl", mirror_row, &arena);
    arena_deinit(&arena);
    skip_without(n);
    assert_int_equal(n, 80 + 96);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_answers_are_tiled),
        cmocka_unit_test(test_mirror_law),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
