/* SPDX-License-Identifier: MIT
 *
 * Ten thousand dressed-up replies: a verdict may get lost in odd clothes, with a
 * reason, but it never becomes another one.
 *
 * Each base reply has a known verdict and, next to it, what a careless reader would
 * take: a draft, a quotation, the other answer's name. A mutation changes only what the
 * rules call clothes: case, emphasis, full-width forms, invisible characters, quotation
 * marks, fences, reasoning round it. Fixed seeds: a failure names its number.
 *
 * Marks that open something (a quotation, a fence, reasoning) are put at places where
 * they cannot swallow the rest of the reply and expose a draft that the base hides:
 * that would be another reply, not the same in other clothes.
 */
#include "verdict_expect.h"

#include "base/buf.h"
#include "base/rng.h"
#include "base/utf8.h"

typedef struct base_reply {
    verdict_form_kind kind;
    const char *text;
    const char *want;
} base_reply;

static const base_reply bases[] = {
    {VERDICT_FORM_COMPARE, "Both are short.\n\nFinal verdict: [[A]]", "1"},
    {VERDICT_FORM_COMPARE,
     "At first [[A]] looks good. It is wrong.\n\nFinal verdict: [[B]]", "2"},
    {VERDICT_FORM_COMPARE, "Answer [[A]], [[B]] or [[C]], I was told.\n\n[[C]]", "tie"},
    {VERDICT_FORM_COMPARE, "Its dates fail. My verdict is that B is better: [[B>A]].",
     "2"},
    {VERDICT_FORM_COMPARE, "## Verdict\n\nAssistant B\n\nIts steps hold.", "2"},
    {VERDICT_FORM_COMPARE, "Given this, the overall winner is Assistant A.", "1"},
    {VERDICT_FORM_COMPARE, "| Final verdict | [[A>>B]] |", "1"},
    {VERDICT_FORM_COMPARE, "Verdict: A\n\nLooking again, it fails.\n\nFinal verdict: B",
     "2"},
    {VERDICT_FORM_COMPARE, "Final verdict: Both are equally good.", "tie"},
    {VERDICT_FORM_COMPARE, "I think [[B]] is what I would choose here", "2"},
    {VERDICT_FORM_COMPARE, "最终判决：[[A]]", "1"},
    {VERDICT_FORM_COMPARE, "The second one", "2"},
    {VERDICT_FORM_SCORE, "Score of the Assistant 1: 8\nScore of the Assistant 2: 6.5",
     "1 8 6.5"},
    {VERDICT_FORM_SCORE,
     "Score of the Assistant 2: nine\nScore of the Assistant 1: 3/10", "2 3 9"},
    {VERDICT_FORM_SCORE, "Fine.\nAssistant 1: 7 (short)\nAssistant 2: 7 (long)",
     "tie 7 7"},
    {VERDICT_FORM_LIKERT, "From 1 (first) to 5 (second) I say so.\nRating: 4", "2 @4"},
    {VERDICT_FORM_LIKERT, "Rating: 2\nOn reflection:\nFinal rating: 3/5", "tie @3"},
    {VERDICT_FORM_LIKERT, "**Rating:** [[1]]", "1 @1"},
};

enum { N_BASES = sizeof bases / sizeof *bases, N_MUTANTS = 10000, MAX_BYTES = 1 << 16 };

typedef void mutation(eh_str text, eh_rng *rng, eh_buf *out);

static bool chance(eh_rng *rng, uint64_t one_in) {
    return rng_below(rng, one_in) == 0;
}

static bool is_ascii_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static void change_case(eh_str text, eh_rng *rng, eh_buf *out) {
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        bool flip = is_ascii_letter(c) && chance(rng, 2);
        buf_add_char(out, flip ? (char)(c ^ 0x20) : c);
    }
}

static void widen(eh_str text, eh_rng *rng, eh_buf *out) {
    bool all = chance(rng, 2);
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        bool wide = c > ' ' && c <= '~' && (all || chance(rng, 3));
        if (wide)
            utf8_add(out, (uint32_t)c + 0xFEE0);
        else
            buf_add_char(out, c);
    }
}

static void add_invisible(eh_str text, eh_rng *rng, eh_buf *out) {
    static const uint32_t invisible[] = {0x200B, 0x200C, 0x200D, 0x2060,
                                         0xFEFF, 0xAD,   0x202E, 0x200E};
    for (size_t i = 0; i < text.len;) {
        size_t begin = i;
        (void)utf8_next(text, &i);
        if (chance(rng, 4)) utf8_add(out, invisible[rng_below(rng, 8)]);
        buf_add(out, text.ptr + begin, i - begin);
    }
}

/* Emphasis round words and lines, never inside a word: "_" there is a letter. */
static void emphasize(eh_str text, eh_rng *rng, eh_buf *out) {
    static const char *const marks[] = {"*", "**", "***", "`", "__", "_", "~~"};
    eh_str line;
    bool first = true;
    while (eh_str_split(&text, '\n', &line)) {
        if (!first) buf_add_char(out, '\n');
        first = false;
        const char *round = chance(rng, 2) && line.len ? marks[rng_below(rng, 7)] : "";
        buf_add_cstr(out, round);
        eh_str word;
        bool first_word = true;
        while (eh_str_split(&line, ' ', &word)) {
            if (!first_word) buf_add_char(out, ' ');
            first_word = false;
            const char *mark =
                chance(rng, 4) && word.len ? marks[rng_below(rng, 7)] : "";
            buf_printf(out, "%s%.*s%s", mark, EH_STR_ARG(word), mark);
        }
        buf_add_cstr(out, round);
    }
}

static void escape(eh_str text, eh_rng *rng, eh_buf *out) {
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        if (c && strchr("[](){}*_#>.!|-", c) && chance(rng, 2)) buf_add_char(out, '\\');
        buf_add_char(out, c);
    }
}

static void quote_tokens(eh_str text, eh_rng *rng, eh_buf *out) {
    static const char *const open[] = {"\"", "“", "„", "«", "「", "'"};
    static const char *const close[] = {"\"", "”", "“", "»", "」", "'"};
    uint64_t q = rng_below(rng, 6);
    for (size_t i = 0; i < text.len;) {
        size_t end = eh_str_find(text, EH_STR("]]"), i);
        bool token = eh_str_begins(eh_str_slice(text, i, text.len), EH_STR("[["));
        if (token && end != SIZE_MAX && chance(rng, 2)) {
            buf_printf(out, "%s%.*s%s", open[q], (int)(end + 2 - i), text.ptr + i,
                       close[q]);
            i = end + 2;
        } else {
            buf_add_char(out, text.ptr[i++]);
        }
    }
}

static void fence_round(eh_str text, eh_rng *rng, eh_buf *out) {
    const char *mark = chance(rng, 2) ? "````" : "~~~";
    buf_printf(out, "%s%s\n%.*s\n%s\n", mark, chance(rng, 2) ? "text" : "",
               EH_STR_ARG(text), mark);
}

static const char *const lures[] = {
    "Final verdict: [[A]]", "Final verdict: [[B]]",
    "so [[C]] then",        "Score of the Assistant 1: 1",
    "Final rating: 5",      "Overall winner: Assistant B"};

/* A token that is all of a quotation is emphasis (rule 5), so no lure is one. What
 * others said, in front of the reply or behind it. */
static void add_mention(eh_str text, eh_rng *rng, eh_buf *out) {
    static const char *const frames[] = {
        "```\n%s\n```\n", "> %s\n", "They wrote \"%s\" there.\n", "他写道「%s」。\n"};
    const char *lure = lures[rng_below(rng, 6)];
    uint64_t frame = rng_below(rng, 4);
    char mention[200];
    const char *const parts[2] = {strstr(frames[frame], "%s"), frames[frame]};
    (void)snprintf(mention, sizeof mention, "%.*s%s%s", (int)(parts[0] - parts[1]),
                   parts[1], lure, parts[0] + 2);
    bool before = chance(rng, 2);
    if (before) buf_printf(out, "%s\n", mention);
    buf_add_str(out, text);
    if (!before) buf_printf(out, "\n\n%s", mention);
}

static void add_reasoning(eh_str text, eh_rng *rng, eh_buf *out) {
    static const char *const open[] = {"<think>", "<Thinking>", "<REASONING>",
                                       "[THINK]", ""};
    static const char *const close[] = {"</THINK>", "</thinking>", "</reasoning>",
                                        "[/think]", "</think>"};
    uint64_t t = rng_below(rng, 5);
    const char *lure = lures[rng_below(rng, 6)];
    if (t == 4 || chance(rng, 2)) {
        buf_printf(out, "%s%s\n%s\n%.*s", open[t], lure, close[t], EH_STR_ARG(text));
    } else if (chance(rng, 2)) {
        buf_printf(out, "%.*s\n%s%s", EH_STR_ARG(text), open[t], lure);
    } else {
        size_t at = eh_str_find(text, EH_STR("\n"), 0);
        if (at == SIZE_MAX) at = text.len;
        buf_printf(out, "%.*s%s%s%s%.*s", (int)at, text.ptr, open[t], lure, close[t],
                   (int)(text.len - at), text.ptr + at);
    }
}

static void change_line_ends(eh_str text, eh_rng *rng, eh_buf *out) {
    static const char *const ends[] = {"\r\n", "\r", "\n\n", " \n", "\xE2\x80\xA8"};
    const char *end = ends[rng_below(rng, 5)];
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] == '\n')
            buf_add_cstr(out, end);
        else
            buf_add_char(out, text.ptr[i]);
    }
}

/* In the order in which they may be applied to one reply: reasoning tags are not
 * dressed, and what is in a fence is not emphasised. */
static mutation *const mutations[] = {
    change_case,   emphasize,   quote_tokens, escape,           widen,
    add_invisible, add_mention, fence_round,  change_line_ends, add_reasoning};

enum { N_MUTATIONS = sizeof mutations / sizeof *mutations };

static void mutate(const base_reply *base, eh_rng *rng, eh_buf *text, eh_buf *scratch) {
    buf_add_cstr(text, base->text);
    for (int m = 0; m < N_MUTATIONS; m++) {
        if (!chance(rng, 4)) continue;
        buf_reset(scratch);
        mutations[m](buf_view(text), rng, scratch);
        eh_buf swap = *text;
        *text = *scratch;
        *scratch = swap;
    }
    assert_false(text->failed || scratch->failed);
}

static void verdicts_never_flip(void **state) {
    (void)state;
    int n_kept = 0, n_wrong = 0;
    eh_buf text, scratch;
    buf_init(&text, MAX_BYTES);
    buf_init(&scratch, MAX_BYTES);
    for (uint64_t k = 0; k < N_MUTANTS; k++) {
        const base_reply *base = &bases[k % N_BASES];
        eh_rng rng = rng_make(1, "test.verdict_mutation", k);
        buf_reset(&text);
        mutate(base, &rng, &text, &scratch);
        verdict_reply reply = {.content = buf_view(&text)};
        verdict_result r = verdict_read_reply(base->kind, &reply);
        char got[80];
        verdict_result_text(&r, got);
        if (strcmp(got, base->want) == 0) {
            n_kept++;
        } else if (r.verdict != EH_VERDICT_NONE) {
            n_wrong++;
            print_error("mutant %d: '%s', not '%s': %s\n", (int)k, got, base->want,
                        text.ptr);
        }
    }
    print_message("%d of %d mutants keep their verdict\n", n_kept, N_MUTANTS);
    buf_deinit(&text);
    buf_deinit(&scratch);
    assert_int_equal(n_wrong, 0);
    assert_true(n_kept > N_MUTANTS / 2);
}

/* Without mutations every base gives its verdict. */
static void bases_are_right(void **state) {
    (void)state;
    for (int b = 0; b < N_BASES; b++) {
        verdict_expect one = {bases[b].text, bases[b].want};
        verdict_check(bases[b].kind, &one, 1);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bases_are_right),
        cmocka_unit_test(verdicts_never_flip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
