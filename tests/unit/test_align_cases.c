/* SPDX-License-Identifier: MIT
 *
 * The shared segment cases: the units of each text, and the number of parts used. Each
 * is run as it is, with its language told, and with fences to be cut, which changes
 * nothing since every fence in them is one definition (where grammars are built in).
 */
#include "align_marked.h"
#include "base/json_read.h"
#include "base/mem.h"

static char *cases_path(char path[512]) {
    const char *shared = getenv("EVENHAND_SHARED");
    if (!shared) return NULL;
    snprintf(path, 512, "%s/cases/segments.jsonl", shared);
    return path;
}

static void check_units(const json_value *row, const align_units *units) {
    const json_value *expected = json_get(json_get(row, "expect"), "sentences");
    eh_str id = json_get_str(row, "id");
    assert_tiled(units);
    if (expected->n != units->n)
        fail_msg("%.*s: %zu units instead of %zu", EH_STR_ARG(id), units->n,
                 expected->n);
    const json_value *sentence = expected->child;
    for (size_t u = 0; u < units->n; u++, sentence = sentence->next)
        if (!eh_str_eq(align_unit_text(units, u), sentence->text))
            fail_msg("%.*s: unit %zu is \"%.*s\"", EH_STR_ARG(id), u,
                     EH_STR_ARG(align_unit_text(units, u)));
}

static void check_parts(const json_value *row, const align_units *units,
                        eh_arena *arena) {
    const json_value *k = json_get(row, "k");
    const json_value *k_used = json_get(json_get(row, "expect"), "k_used");
    int64_t wanted = 0, used = 0;
    if (!k || !k_used) return;
    assert_true(eh_str_to_i64(k->text, &wanted) && eh_str_to_i64(k_used->text, &used));
    align_pair pair = {units, units};
    align_cut cut;
    eh_status status = align_length_cut(&pair, NULL, (size_t)wanted, arena, &cut, NULL);
    assert_int_equal(status, EH_STATUS_OK);
    assert_int_equal(cut.n_parts, used);
    bool fewer = cut.notes & 1u << ALIGN_NOTE_BIT_FEWER_PARTS;
    assert_int_equal(fewer, used < wanted);
}

static void check_case(const json_value *row, eh_arena *arena) {
    const align_options options[] = {
        {0}, {.lang = json_get_str(row, "language")}, {.parts = 3}};
    size_t n_options = align_grammar_names()[0] ? 3 : 2;
    for (size_t o = 0; o < n_options; o++) {
        align_units units;
        eh_error err = {0};
        eh_status status =
            align_units_of(json_get_str(row, "text"), &options[o], arena, &units, &err);
        if (status != EH_STATUS_OK) fail_msg("%s", err.msg);
        check_units(row, &units);
        check_parts(row, &units, arena);
    }
}

static void test_cases(void **state) {
    (void)state;
    char path[512];
    FILE *file = cases_path(path) ? fopen(path, "rb") : NULL;
    if (!file) {
        printf("skipped: no shared cases\n");
        skip();
    }
    json_reader *reader = json_reader_new();
    eh_arena arena;
    arena_init(&arena, (size_t)64 << 20);
    char *line = NULL;
    size_t cap = 0;
    int n_cases = 0;
    for (ssize_t len; (len = getline(&line, &cap, file)) > 0; n_cases++) {
        json_fault fault;
        const json_value *row =
            json_read(reader, &arena, (eh_str){line, (size_t)len}, &fault);
        assert_non_null(row);
        check_case(row, &arena);
        arena_reset(&arena);
    }
    assert_int_equal(n_cases, 45);
    free(line);
    fclose(file);
    arena_deinit(&arena);
    json_reader_free(reader);
}

/* What the marked texts check by hand, once with the interface's own words. */
static void test_no_valid_text(void **state) {
    (void)state;
    eh_arena arena;
    arena_init(&arena, (size_t)1 << 20);
    align_units units;
    eh_error err = {0};
    const align_options options = {0};
    assert_int_equal(
        align_units_of(EH_STR("Fine. \xC3("), &options, &arena, &units, &err),
        EH_STATUS_DATA);
    assert_int_equal(err.pos, 6);
    assert_string_equal(err.msg, "byte 6: not valid UTF-8");
    assert_int_equal(align_units_of(EH_STR(""), &options, &arena, &units, &err),
                     EH_STATUS_OK);
    assert_int_equal(units.n, 0);
    assert_int_equal(align_units_of(EH_STR(" \n\t"), &options, &arena, &units, &err),
                     EH_STATUS_OK);
    assert_int_equal(units.n, 1);
    assert_tiled(&units);
    arena_deinit(&arena);
}

/* Each allocation of units fails once; nothing leaks and the failure is told. */
static void test_out_of_memory(void **state) {
    (void)state;
    eh_str text =
        EH_STR("# Head\nOne `a`. (Two. \"3\")\n\n- Four. Five.\n\n```\nx\n```\n");
    const align_options options = {.parts = 2};
    eh_status status = EH_STATUS_NOMEM;
    for (int64_t nth = 1; status == EH_STATUS_NOMEM; nth++) {
        eh_arena arena;
        align_units units;
        int64_t live = mem_live();
        arena_init(&arena, (size_t)1 << 20);
        mem_fail_at(nth, true);
        status = align_units_of(text, &options, &arena, &units, NULL);
        mem_fail_at(0, false);
        arena_deinit(&arena);
        assert_int_equal(mem_live(), live);
        assert_true(nth < 100);
    }
    assert_int_equal(status, EH_STATUS_OK);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases),
        cmocka_unit_test(test_no_valid_text),
        cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
