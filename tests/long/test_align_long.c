/* SPDX-License-Identifier: MIT
 *
 * The long tests of align: 100,000 hostile random texts, every recorded text, cuts of
 * recorded pairs at all usual numbers of parts under every instruction set, and texts
 * of 10 MB.
 *
 * What must hold: units tile; nothing crashes (the sanitizers look on); exchanging the
 * answers exchanges the cuts and changes nothing else; all sets give the same bits.
 */
#include "../unit/align_recorded.h"

#include "align/similarity.h"
#include "base/rng.h"
#include "base/utf8.h"

#include <time.h>

enum { N_RANDOM = 100000, MAX_PIECES = 120 };

static void must_tile(eh_str text, size_t parts, eh_arena *arena, align_units *units) {
    const align_options options = {.parts = parts};
    eh_error err = {0};
    if (align_units_of(text, &options, arena, units, &err) != EH_STATUS_OK)
        fail_msg("%s", err.msg);
    assert_tiled(units);
}

/* -- random texts
 * ---------------------------------------------------------------------- */

/* What the rules look at, and what they must not stumble over. */
static const char *const pieces[] = {
    "a",          "B",           "word ",       "Word ",  "3",
    "3.5 ",       " ",           "  ",          "\n",     "\n\n",
    "\r\n",       "\t",          ".",           "!",      "?",
    "…",          ". ",          "! ",          "? ",     "。",
    "！",         "？",          "．",          "؟",      "।",
    "(",          ")",           "[",           "]",      "{",
    "}",          "[1]",         "\"",          "'",      "“",
    "”",          "„",           "‘",           "’",      "«",
    "»",          "「",          "」",          "*",      "**",
    "_",          "~~",          "`",           "``",     "```",
    "```\n",      "```py\n",     "~~~\n",       "# ",     "## ",
    "- ",         "1. ",         "2) ",         "> ",     "    ",
    "|",          "| a | b |\n", "|---|---|\n", "---\n",  "===\n",
    "<b>",        "</b>",        "<div>\n",     "<!--",   "-->",
    "&amp;",      "\\",          "e.g. ",       "Dr. ",   "z. B. ",
    "No. ",       "J. ",         "1. Mai ",     "字",     "かな",
    "ภาษา",       "הוא",         "\u202E",      "\u2066", "\u200D",
    "\u0301",     "\uFEFF",      "\uFFFD",      "😀",      "👩‍👩‍👧",
    "\u2028",     "\xC2\x85",    "\u00A0",      "\u3000", "def f():\n",
    "return 1\n", "x = 1;\n",    "{\n",         "}\n",    "//c\n",
    "#c\n",       "import a\n",  "class A:\n",  "\x01x",
};

static void add_random_bytes(eh_buf *text, eh_rng *rng) {
    for (uint64_t n = rng_below(rng, 20); n > 0; n--) {
        uint32_t cp = rng_u32(rng) % 0x110000;
        if (rng_below(rng, 2)) cp %= 0x300;
        if (cp >= 0xD800 && cp < 0xE000) cp = 0xFFFD;
        utf8_add(text, cp);
    }
}

static void make_random_text(eh_buf *text, eh_rng *rng) {
    buf_reset(text);
    /* few kinds of pieces in one text: so that structures repeat and nest */
    size_t n_kinds = 1 + rng_below(rng, 12), kinds[12];
    for (size_t k = 0; k < n_kinds; k++)
        kinds[k] = rng_below(rng, sizeof pieces / sizeof *pieces);
    for (uint64_t n = rng_below(rng, MAX_PIECES); n > 0; n--) {
        if (rng_below(rng, 40) == 0)
            add_random_bytes(text, rng);
        else
            buf_add_cstr(text, pieces[kinds[rng_below(rng, n_kinds)]]);
    }
}

static void test_random_texts(void **state) {
    (void)state;
    eh_arena arena;
    eh_buf text;
    arena_init(&arena, (size_t)64 << 20);
    buf_init(&text, BUF_MAX_SMALL);
    for (uint64_t i = 0; i < N_RANDOM; i++) {
        eh_rng rng = rng_make(1, "test.align.long", i);
        align_units units;
        arena_reset(&arena);
        make_random_text(&text, &rng);
        must_tile(buf_view(&text), rng_below(&rng, 7), &arena, &units);
    }
    buf_deinit(&text);
    arena_deinit(&arena);
}

/* -- recorded texts
 * --------------------------------------------------------------------- */

static void tile_row(const json_value *row, void *self) {
    static const char *const keys[] = {"answer_1", "answer_2",  "text",
                                       "reply",    "reference", "question"};
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        align_units units;
        arena_reset(self);
        must_tile(json_get_str(row, keys[k]), 3, self, &units);
    }
}

static void test_recorded_texts(void **state) {
    (void)state;
    eh_arena arena;
    arena_init(&arena, (size_t)256 << 20);
    size_t n = visit_rows("*/*.jsonl", tile_row, &arena);
    arena_deinit(&arena);
    skip_without(n);
    assert_true(n > 40000);
}

/* -- cuts
 * ------------------------------------------------------------------------------- */

static align_cut cut_with(const align_pair *pair, const align_kernels *kernels,
                          size_t parts, eh_arena *arena) {
    align_similarity *similarity;
    align_cut cut;
    assert_int_equal(align_similarity_words(pair, arena, &similarity, NULL),
                     EH_STATUS_OK);
    similarity->kernels = kernels;
    assert_int_equal(align_semantic_cut(pair, similarity, parts, arena, &cut, NULL),
                     EH_STATUS_OK);
    return cut;
}

static void assert_same(const align_cut *a, const align_cut *b, bool mirrored) {
    assert_int_equal(a->n_parts, b->n_parts);
    size_t n_bytes = (a->n_parts + 1) * sizeof *a->begin_1;
    assert_memory_equal(a->begin_1, mirrored ? b->begin_2 : b->begin_1, n_bytes);
    assert_memory_equal(a->begin_2, mirrored ? b->begin_1 : b->begin_2, n_bytes);
    assert_memory_equal(a->similarity, b->similarity, a->n_parts * sizeof(double));
    assert_memory_equal(&a->sum, &b->sum, sizeof a->sum);
    assert_int_equal(a->notes, b->notes);
}

static void assert_parts_tile(const align_units *units, const size_t *begin, size_t n) {
    size_t at = 0;
    for (size_t t = 0; t < n; t++) {
        eh_str part = align_part(units, begin, t);
        assert_true(part.ptr == units->text.ptr + at || part.len == 0);
        at += part.len;
    }
    assert_int_equal(at, units->text.len);
}

static void cut_row(const json_value *row, void *self) {
    eh_str text[2] = {json_get_str(row, "answer_1"), json_get_str(row, "answer_2")};
    for (size_t parts = 2; parts <= 6; parts++) {
        align_units units[2];
        arena_reset(self);
        must_tile(text[0], parts, self, &units[0]);
        must_tile(text[1], parts, self, &units[1]);
        const align_pair pair = {&units[0], &units[1]}, mirror = {&units[1], &units[0]};
        align_cut cut = cut_with(&pair, &align_kernels_scalar, parts, self);
        align_cut back = cut_with(&mirror, &align_kernels_scalar, parts, self);
        assert_same(&cut, &back, true);
        assert_parts_tile(&units[0], cut.begin_1, cut.n_parts);
        assert_parts_tile(&units[1], cut.begin_2, cut.n_parts);
        for (int set = SIMD_SCALAR + 1; set < SIMD_N; set++) {
            const align_kernels *kernels = align_kernels_of((simd_set)set);
            if (!kernels) continue;
            align_cut same = cut_with(&pair, kernels, parts, self);
            assert_same(&cut, &same, false);
        }
    }
}

static void test_recorded_cuts(void **state) {
    (void)state;
    eh_arena arena;
    arena_init(&arena, (size_t)1 << 30);
    size_t n = visit_rows("judgebias/pairs*.jsonl", cut_row, &arena);
    n += visit_rows("mtbench_repeat/pairs.jsonl", cut_row, &arena);
    n += visit_rows("faireval/pairs*.jsonl", cut_row, &arena);
    n += visit_rows("judgebench/pairs.jsonl", cut_row, &arena);
    arena_deinit(&arena);
    skip_without(n);
    assert_int_equal(n, 5 * 142 + 96 + 160 + 620);
}

/* -- size
 * ------------------------------------------------------------------------------- */

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* A text of `n_bytes` of one piece again and again, cut into units. */
static double time_of(const char *piece, size_t n_bytes) {
    eh_arena arena;
    eh_buf text;
    align_units units;
    arena_init(&arena, (size_t)4 << 30);
    buf_init(&text, (size_t)64 << 20);
    while (text.len < n_bytes)
        buf_add_cstr(&text, piece);
    double begin = seconds();
    must_tile(buf_view(&text), 3, &arena, &units);
    double took = seconds() - begin;
    buf_deinit(&text);
    arena_deinit(&arena);
    return took;
}

/* Five times the text, at most twelve times the time; a second is always allowed. */
static void test_time_is_linear(void **state) {
    (void)state;
    static const char *const repeated[] = {
        "x",        "字",       "é",     ". ",      "A. ",        "a. B ", "(",
        ")",        "(]",       "“",     "\" ",     "`a",         "[1]",   "- ",
        "- a\n",    "> a\n",    "\n",    "|a",      "|a|\n|-|\n", "```\n", "1. a\n",
        "a\n===\n", "[a]: b\n", "<b>\n", "e\u0301", "\u2028",
    };
    for (size_t k = 0; k < sizeof repeated / sizeof *repeated; k++) {
        double fifth = time_of(repeated[k], 2000000);
        double whole = time_of(repeated[k], 10000000);
        if (whole > 1 && whole > 12 * fifth)
            fail_msg("\"%s\": %.2f s, and %.2f s for five times as much", repeated[k],
                     fifth, whole);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_texts),
        cmocka_unit_test(test_recorded_texts),
        cmocka_unit_test(test_recorded_cuts),
        cmocka_unit_test(test_time_is_linear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
