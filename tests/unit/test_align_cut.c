/* SPDX-License-Identifier: MIT
 *
 * Length cuts, the cases at the edges, and the number of parts.
 */
#include "align_marked.h"

#include "base/mem.h"
#include "base/rng.h"

typedef struct cut_test {
    eh_arena arena;
    align_units units[2];
    align_pair pair;
    align_similarity *similarity;
} cut_test;

static void cut_init(cut_test *test, const char *text_1, const char *text_2) {
    const align_options options = {0};
    arena_init(&test->arena, (size_t)256 << 20);
    assert_int_equal(align_units_of(eh_str_of(text_1), &options, &test->arena,
                                    &test->units[0], NULL),
                     EH_STATUS_OK);
    assert_int_equal(align_units_of(eh_str_of(text_2), &options, &test->arena,
                                    &test->units[1], NULL),
                     EH_STATUS_OK);
    test->pair = (align_pair){&test->units[0], &test->units[1]};
    assert_int_equal(
        align_similarity_words(&test->pair, &test->arena, &test->similarity, NULL),
        EH_STATUS_OK);
}

static align_cut length_cut(cut_test *test, size_t parts) {
    align_cut cut;
    assert_int_equal(align_length_cut(&test->pair, test->similarity, parts,
                                      &test->arena, &cut, NULL),
                     EH_STATUS_OK);
    return cut;
}

static align_cut semantic_cut(cut_test *test, size_t parts) {
    align_cut cut;
    assert_int_equal(align_semantic_cut(&test->pair, test->similarity, parts,
                                        &test->arena, &cut, NULL),
                     EH_STATUS_OK);
    return cut;
}

static void assert_parts(const align_units *units, const size_t *begin,
                         const char *const *parts, size_t n) {
    for (size_t t = 0; t < n; t++) {
        eh_str part = align_part(units, begin, t);
        if (!eh_str_eq_cstr(part, parts[t]))
            fail_msg("part %zu is \"%.*s\"", t, EH_STR_ARG(part));
    }
}

/* 6 units of 10 code points each, and one of 40 beside two of 10. */
static void test_nearest_boundary(void **state) {
    (void)state;
    cut_test test;
    cut_init(&test, "Äbcdefgh. Bbcdefgh. Cbcdefgh. Dbcdefgh. Ebcdefgh. Fbcdefgh. ",
             "Abcdefghijabcdefghijabcdefghijabcdefgh. Bbcdefgh. Cbcdefgh.");
    align_cut cut = length_cut(&test, 3);
    assert_int_equal(cut.n_parts, 3);
    const size_t begin_1[] = {0, 2, 4, 6}, begin_2[] = {0, 1, 2, 3};
    assert_memory_equal(cut.begin_1, begin_1, sizeof begin_1);
    assert_memory_equal(cut.begin_2, begin_2, sizeof begin_2);
    cut = length_cut(&test, 2);
    const size_t two_1[] = {0, 3, 6}, two_2[] = {0, 1, 3};
    assert_memory_equal(cut.begin_1, two_1, sizeof two_1);
    assert_memory_equal(cut.begin_2, two_2, sizeof two_2);
    arena_deinit(&test.arena);
    /* of two boundaries equally near to the middle the earlier one */
    cut_init(&test, "Abcdefgh. Bbcdefgh. Cbcdefgh. ", "Abc. Bcd. Cde.");
    cut = length_cut(&test, 2);
    assert_int_equal(cut.begin_1[1], 1);
    arena_deinit(&test.arena);
}

static void test_edges(void **state) {
    (void)state;
    cut_test test;
    cut_init(&test, "", "One. Two.");
    align_cut cut = semantic_cut(&test, 3);
    assert_int_equal(cut.n_parts, 1);
    const char *const nothing[] = {""}, *const all[] = {"One. Two."};
    assert_parts(&test.units[0], cut.begin_1, nothing, 1);
    assert_parts(&test.units[1], cut.begin_2, all, 1);
    arena_deinit(&test.arena);

    cut_init(&test, "", "");
    cut = semantic_cut(&test, 3);
    assert_int_equal(cut.n_parts, 0);
    assert_true(cut.sum == 0);
    arena_deinit(&test.arena);

    cut_init(&test, "One sentence only", "One. Two. Three.");
    cut = semantic_cut(&test, 3);
    assert_int_equal(cut.n_parts, 1);
    assert_true(cut.notes & 1u << ALIGN_NOTE_BIT_FEWER_PARTS);
    assert_true(cut.sum > .3 && cut.sum < .34);
    cut = semantic_cut(&test, 0);
    assert_int_equal(cut.n_parts, 1);
    arena_deinit(&test.arena);

    cut_init(&test, "Red. Green. Blue.", "Un. Deux. Trois.");
    cut = semantic_cut(&test, 3);
    assert_int_equal(cut.n_parts, 3);
    assert_int_equal(cut.notes, 1u << ALIGN_NOTE_BIT_NOTHING_ALIKE);
    arena_deinit(&test.arena);
}

static void test_alike_parts_meet(void **state) {
    (void)state;
    cut_test test;
    cut_init(&test,
             "Cats sleep all day. They also hunt mice. Trains run on rails. Steam "
             "drove them. Bread needs flour and water. Let it rise.",
             "Rails carry trains, and steam did it once. Cats hunt. Mice fear cats. "
             "Flour, water: bread. It must rise first.");
    align_cut cut = semantic_cut(&test, 2);
    const char *const first[] = {
        "Cats sleep all day. They also hunt mice. Trains run on "
        "rails. Steam drove them. ",
        "Bread needs flour and water. Let it rise."};
    const char *const second[] = {
        "Rails carry trains, and steam did it once. Cats hunt. Mice fear cats. ",
        "Flour, water: bread. It must rise first."};
    assert_parts(&test.units[0], cut.begin_1, first, 2);
    assert_parts(&test.units[1], cut.begin_2, second, 2);
    assert_true(cut.similarity[0] > 0 && cut.similarity[1] == .625);
    arena_deinit(&test.arena);
}

/* Words are folded: case, compatibility forms, full-width digits; signs do not count.
 */
static void test_words(void **state) {
    (void)state;
    cut_test test;
    cut_init(&test, "The ﬁle GRÖSSE: 42 — 😀!", "the FILE größe (４２)");
    align_cut cut = semantic_cut(&test, 1);
    assert_true(cut.sum == 1);
    arena_deinit(&test.arena);
    cut_init(&test, "我们在家里看书。", "我们不看电影。");
    cut = semantic_cut(&test, 1);
    assert_true(cut.sum > 0 && cut.sum < 1);
    arena_deinit(&test.arena);
    cut_init(&test, "?! ...", "?! ...");
    cut = semantic_cut(&test, 1);
    assert_true(cut.sum == 0);
    arena_deinit(&test.arena);
}

static void fill_list(eh_buf *text, size_t n_units, uint64_t seed) {
    eh_rng rng = rng_make(seed, "test.align.cut", 0);
    for (size_t u = 0; u < n_units; u++)
        buf_printf(text, "- w%u w%u\n", (unsigned)rng_below(&rng, 50),
                   (unsigned)rng_below(&rng, 50));
}

static void test_too_large(void **state) {
    (void)state;
    eh_buf text[2];
    for (int side = 0; side < 2; side++) {
        buf_init(&text[side], BUF_MAX_SMALL);
        fill_list(&text[side], 3000, (uint64_t)side);
    }
    cut_test test;
    cut_init(&test, text[0].ptr, text[1].ptr);
    align_cut cut = semantic_cut(&test, 3), length = length_cut(&test, 3);
    assert_int_equal(cut.notes, 1u << ALIGN_NOTE_BIT_TOO_LARGE);
    assert_memory_equal(cut.begin_1, length.begin_1, 4 * sizeof *cut.begin_1);
    align_auto choice;
    assert_int_equal(
        align_choose_parts(&test.pair, test.similarity, &test.arena, &choice, NULL),
        EH_STATUS_OK);
    assert_int_equal(choice.parts, ALIGN_PARTS_DEFAULT);
    arena_deinit(&test.arena);
    buf_deinit(&text[0]);
    buf_deinit(&text[1]);
}

static align_auto choose(cut_test *test) {
    align_auto choice;
    assert_int_equal(
        align_choose_parts(&test->pair, test->similarity, &test->arena, &choice, NULL),
        EH_STATUS_OK);
    return choice;
}

static void test_choice_of_parts(void **state) {
    (void)state;
    cut_test test;
    /* 1, 1/5, 1 and 1 in four parts; what is joined to the second gets lost in it */
    cut_init(&test, "Yes. One two three four five. No. Fine.",
             "Yes. One six seven eight nine. No. Fine.");
    align_auto choice = choose(&test);
    assert_int_equal(choice.parts, 4);
    assert_true(choice.gain[4] > .79 && choice.gain[4] < .81);
    assert_true(choice.gain[4] > choice.gain[3] && choice.gain[4] > choice.gain[2]);
    assert_true(choice.gain[5] == 0);
    arena_deinit(&test.arena);
    /* equally good: the fewest */
    cut_init(&test, "Red rose. Blue sky. Grey stone.",
             "Red rose. Blue sky. Grey stone.");
    assert_int_equal(choose(&test).parts, 2);
    arena_deinit(&test.arena);
    cut_init(&test, "One.", "Two. Three.");
    assert_int_equal(choose(&test).parts, 1);
    arena_deinit(&test.arena);
    cut_init(&test, "Red. Green. Blue. Grey.", "Un. Deux. Trois. Quatre.");
    assert_int_equal(choose(&test).parts, ALIGN_PARTS_DEFAULT);
    arena_deinit(&test.arena);
}

/* The gain of each number of parts is that of the cut which the caller then gets. */
static void test_choice_is_of_the_cuts(void **state) {
    (void)state;
    eh_buf text[2];
    for (int side = 0; side < 2; side++) {
        buf_init(&text[side], BUF_MAX_SMALL);
        fill_list(&text[side], 12, 7 + (uint64_t)side);
    }
    cut_test test;
    cut_init(&test, text[0].ptr, text[1].ptr);
    align_auto choice = choose(&test);
    for (size_t parts = 2; parts <= ALIGN_PARTS_AUTO_MAX; parts++) {
        align_cut cut = semantic_cut(&test, parts);
        double mean = cut.sum / (double)parts;
        assert_true(choice.gain[parts] <= mean && choice.gain[parts] > mean - 1);
    }
    arena_deinit(&test.arena);
    buf_deinit(&text[0]);
    buf_deinit(&text[1]);
}

/* Every allocation fails once: told, and nothing leaks. */
static void test_out_of_memory(void **state) {
    (void)state;
    eh_status status = EH_STATUS_NOMEM;
    for (int64_t nth = 1; status == EH_STATUS_NOMEM; nth++) {
        int64_t live = mem_live();
        const align_options options = {0};
        eh_arena arena;
        align_units units[2];
        align_similarity *similarity;
        align_cut cut;
        arena_init(&arena, (size_t)16 << 20);
        mem_fail_at(nth, true);
        status = align_units_of(EH_STR("One ä. Two. Three."), &options, &arena,
                                &units[0], NULL);
        if (status == EH_STATUS_OK)
            status = align_units_of(EH_STR("One. Tŵo. Four."), &options, &arena,
                                    &units[1], NULL);
        align_pair pair = {&units[0], &units[1]};
        if (status == EH_STATUS_OK)
            status = align_similarity_words(&pair, &arena, &similarity, NULL);
        if (status == EH_STATUS_OK)
            status = align_semantic_cut(&pair, similarity, 3, &arena, &cut, NULL);
        mem_fail_at(0, false);
        arena_deinit(&arena);
        assert_int_equal(mem_live(), live);
        assert_true(nth < 200);
    }
    assert_int_equal(status, EH_STATUS_OK);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nearest_boundary),
        cmocka_unit_test(test_edges),
        cmocka_unit_test(test_alike_parts_meet),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_too_large),
        cmocka_unit_test(test_choice_of_parts),
        cmocka_unit_test(test_choice_is_of_the_cuts),
        cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
