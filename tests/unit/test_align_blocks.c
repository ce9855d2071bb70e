/* SPDX-License-Identifier: MIT
 *
 * Markdown: what begins a unit and what belongs to one. "¦" marks where a unit begins.
 */
#include "align_marked.h"

static const align_options plain = {0};

static void test_headings_and_items(void **state) {
    (void)state;
    ASSERT_UNITS(&plain,
                 "# One\n¦Text. ¦More.\n\n¦## Two. Still two.\n¦Title\n=====\n¦End.",
                 "Buy:\n¦- milk\n¦- bread. ¦Fresh.\n¦    - rye\n¦* eggs\n¦+ tea",
                 "1. Heat. ¦Wait.\n¦   Then stir.\n\n¦2) Cool.\n¦10. Serve.",
                 "- - deep. ¦Deeper.\n¦-\n¦-\n  under its marker. ¦Fine.\n¦- [x] done",
                 "• first. ¦More.\n¦• second\n\n¦◦ third",
                 "Bold:\n\n¦**Yes.** ¦Go.\n\n---\n\n¦End.", "---\n\nText after a rule.",
                 "> > x");
}

static void test_tables(void **state) {
    (void)state;
    ASSERT_UNITS(&plain,
                 "Look. ¦Here:\n\n¦| a | b |\n|---|:-:|\n| 1. | Two. Three. |\n\n¦End.",
                 "Before. ¦Then\n¦a | b\n--|--\nOne. | Two.\n\n¦After.",
                 "No | table. ¦But | bars.\n\n¦|---|---|\n",
                 "- | a |\n  |---|\n  | x. Y. |\n¦- b");
}

static void test_fences(void **state) {
    (void)state;
    ASSERT_UNITS(
        &plain, "Run:\n¦```sh\nls. Go.\n\n# no heading\n- no item\n```\n¦Done.",
        "~~~\nA. B.\n```\nC. D.\n~~~\n\n¦Out. ¦Of it.",
        "Open:\n\n¦```py\nx = 1. Y\n\nNever closed. So.",
        "- item\n\n¦  ```\n  a. B.\n  ```\n¦- next", "> ```\n> a. B.\n> ```\n\n¦Out.",
        "Code:\n\n¦    a. B.\n\n    c. D.\n\n¦Out.");
}

static void test_html(void **state) {
    (void)state;
    ASSERT_UNITS(&plain, "<div>\nOne. ¦Two.\n</div>\n\n¦Out.",
                 "<!-- A. B.\n\nC. -->\n¦Out. ¦Of it.",
                 "<script>\nf(); // A. B.\n\ng();\n</script>\n\n¦Out.");
}

/* Far more levels, columns and references than anybody writes. */
static void test_excess(void **state) {
    (void)state;
    eh_arena arena;
    arena_init(&arena, (size_t)256 << 20);
    static const char *const pieces[] = {
        "- ",    "> ",  "1. ",   "|a",     "|a|\n|-|\n", "[a]: b\n", "\n",   "- a\n",
        "```\n", "<p>", "<!-- ", "* * * ", "=",          "a\n===\n", "    ", "\t- \t",
    };
    const align_options options = {.parts = 3};
    for (size_t p = 0; p < sizeof pieces / sizeof *pieces; p++) {
        eh_buf text;
        buf_init(&text, BUF_MAX_SMALL);
        while (text.len < 200000)
            buf_add_cstr(&text, pieces[p]);
        align_units units;
        assert_int_equal(
            align_units_of(buf_view(&text), &options, &arena, &units, NULL),
            EH_STATUS_OK);
        assert_tiled(&units);
        buf_deinit(&text);
        arena_reset(&arena);
    }
    arena_deinit(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_headings_and_items),
        cmocka_unit_test(test_tables),
        cmocka_unit_test(test_fences),
        cmocka_unit_test(test_html),
        cmocka_unit_test(test_excess),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
