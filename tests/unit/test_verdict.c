/* SPDX-License-Identifier: MIT
 *
 * The verdict reader, rules 1 to 7 and 16 to 21, each by its kind: what it must read,
 * and what looks like it and must not be read. Rules 8 to 15 are
 * test_verdict_compare.c, the shared cases test_verdict_cases.c, the forms json and
 * marks test_verdict_json.c.
 */
#include "verdict_expect.h"

#include <time.h>

#include "base/mem.h"
#include "verdict/read.h"

#define EMPTY_TEXT "\xE2\x80\x8B"

/* -- every form ------------------------------------------------------------------- */

static void check_status(const char *content, const char *finish, const char *refusal,
                         const char *want) {
    verdict_reply reply = {eh_str_of(content), eh_str_of(finish), eh_str_of(refusal)};
    verdict_result r = verdict_read_reply(VERDICT_FORM_COMPARE, &reply);
    char got[80];
    verdict_result_text(&r, got);
    assert_string_equal(got, want);
}

static void status_comes_first(void **state) {
    (void)state;
    check_status("[[A]]", NULL, NULL, "1");
    check_status("[[A]]", "stop", NULL, "1");
    check_status("[[A]]", "eos", "", "1");
    check_status("[[A]]", "tool_calls", NULL, "1");
    check_status(NULL, "stop", NULL, "empty");
    check_status(NULL, NULL, NULL, "empty");
    check_status("[[A]]", "content_filter", "I refuse.", "content_filter");
    check_status("[[A]]", "length", "no", "refusal");
    check_status("Final verdict: [[A]]", "length", NULL, "truncated");
    check_status("", "length", NULL, "truncated");
    check_status(NULL, "content_filter", NULL, "content_filter");
}

static void reasoning_gives_nothing(void **state) {
    (void)state;
    static const verdict_expect cases[] = {
        {"<think>[[B]]</think>[[A]]", "1"},
        {"<THINK>[[B]]</Think>\n[[A]]", "1"},
        {"<thinking>Final verdict: [[B]]</thinking> [[A]]", "1"},
        {"<reasoning>[[B]]</reasoning>[[A]]", "1"},
        {"[THINK]Final verdict: [[B]][/THINK][[A]]", "1"},
        {"[[A]] <think>but [[B]]?</think>", "1"},
        {"<think>one [[B]]</think> [[A]] <think>two [[B]]</think>", "1"},
        {"<think>a<think>b</think> [[B]] </think> [[A]]", "1"},
        {"Final verdict: [[B]] </think> [[A]]", "1"},
        {"a [[B]] </think> b [[B]] </thinking> [[A]]", "1"},
        {"[[A]] <think> so [[B]]", "1"},
        {"<think> [[B]] </reasoning> [[A]]", "1"},
        {"[[B]] </think> [[A]] <think> [[B]]", "1"},
        {"<think>[[B]]</think>", "empty"},
        {"<think>[[B]]", "empty"},
        {"<think>[[B]]</thinking>", "empty"},
        {"[[B]]</think>\n", "empty"},
        {"<thinker>[[A]]</thinker>", "1"},
    };
    VERDICT_CHECK(COMPARE, cases);
}

static void invisible_is_empty(void **state) {
    (void)state;
    static const verdict_expect cases[] = {
        {"", "empty"},
        {" \n\t\r\n", "empty"},
        {EMPTY_TEXT "\xEF\xBB\xBF\xC2\xA0\xC2\xAD", "empty"},
        {"\xE3\x80\x80\xE2\x80\xA8\xEF\xB8\x8F\xE2\xA0\x80", "empty"},
        {".", "no_verdict"},
    };
    VERDICT_CHECK(COMPARE, cases);
    VERDICT_CHECK(SCORE, cases);
    VERDICT_CHECK(LIKERT, cases);
    VERDICT_CHECK(JSON, cases);
}

/* -- folding and mentions --------------------------------------------------------- */

static void folding(void **state) {
    (void)state;
    static const struct {
        const char *text, *folded;
    } cases[] = {
        {"Final VERDICT", "final verdict"},
        {"a\r\nb\rc\xE2\x80\xA8"
         "d\xE2\x80\xA9"
         "e\xC2\x85"
         "f",
         "a\nb\nc\nd\ne\nf"},
        {"［［Ａ］］：１０", "[[a]]:10"},
        {"e\xCC\x81 ﬁ ①", "\xC3\xA9 fi 1"},
        {"a\xE2\x80\x8B"
         "b\xEF\xBB\xBF"
         "c\xE2\x80\xAE"
         "d\xC2\xAD"
         "e",
         "abcde"},
        {"a–b—c−d‐e", "a-b-c-d-e"},
        {"\\[\\[A\\]\\] \\*x\\* \\_y\\_ \\# \\> \\. \\! \\| \\-",
         "[[a]] x y # > . ! | -"},
        {"\\boxed{A} \\n", "\\boxed{a} \\n"},
        {"**b** *i* `c` ~~s~~ __u__ _i_", "b i c s u i"},
        {"snake_case a_1 _x_ 8~9", "snake_case a_1 x 8~9"},
        {"Ä_ä _Ä", "ä_ä ä"},
        {"<verdict>A</verdict> <Score>8</SCORE> <b>", "a 8 <b>"},
        {"<answer><decision><winner><result><judgment><rating>", ""},
        {"<verdictx> < verdict>", "<verdictx> < verdict>"},
        {"\"[[A]]\" '[[B]]' “[[C]]” «[[A]]» 「[[B]]」",
         "[[a]] [[b]] [[c]] [[a]] [[b]]"},
        {"\"**[[A]]**\" \"x [[A]]\" \"[[A]]", "[[a]] \"x [[a]]\" \"[[a]]"},
        {"\"[[A>B]]\"\"[[\"", "[[a>b]]\"[[\""},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        eh_arena arena;
        arena_init(&arena, 1 << 20);
        eh_str folded;
        assert_int_equal(verdict_fold(eh_str_of(cases[i].text), &arena, &folded, NULL),
                         EH_STATUS_OK);
        assert_string_equal(folded.ptr, cases[i].folded);
        arena_deinit(&arena);
    }
}

/* Long runs without a place to cut go through ICU in pieces; nothing may get lost. */
static void folding_in_pieces(void **state) {
    (void)state;
    enum { N_CHARS = 5000 };
    static const char *const chars[] = {"ｅ", "界", "\xCC\x81", "\xF0\x9F\x8D\x8E",
                                        "é"};
    static const char *const want[] = {"e", "界", "\xCC\x81", "\xF0\x9F\x8D\x8E",
                                       "\xC3\xA9"};
    for (int c = 0; c < 5; c++) {
        eh_arena arena;
        arena_init(&arena, 8 << 20);
        char *text = arena_alloc(&arena, N_CHARS * 4);
        size_t len = strlen(chars[c]), want_len = strlen(want[c]);
        for (size_t i = 0; i < N_CHARS; i++)
            memcpy(text + i * len, chars[c], len);
        eh_str folded;
        assert_int_equal(
            verdict_fold((eh_str){text, N_CHARS * len}, &arena, &folded, NULL),
            EH_STATUS_OK);
        assert_int_equal(folded.len, N_CHARS * want_len);
        for (size_t i = 0; i < N_CHARS; i++)
            assert_memory_equal(folded.ptr + i * want_len, want[c], want_len);
        arena_deinit(&arena);
    }
}

static void mentions(void **state) {
    (void)state;
    static const verdict_expect cases[] = {
        {"```\n[[B]]\n```\n[[A]]", "1"},
        {"```python\nprint('[[B]]')\n```\nSo [[A]] it is", "1"},
        {"~~~\n[[B]]\n```\n[[B]]\n~~~\n[[A]]", "1"},
        {"````\n[[B]]\n```\n[[B]]\n````\n[[A]]", "1"},
        {"- ```\n  [[B]]\n  ```\n- [[A]]", "1"},
        {"x [[A]]\n```\n[[B]]", "1"},
        {"\xE2\x80\x8B```\n[[B]]\n```\nx\n[[A]]", "1"},
        {"`[[A]]`", "1"},
        {"```[[A]]```", "1"},
        {"> [[B]]\n[[A]]", "1"},
        {"  > Final verdict: [[B]]\n\n[[A]]", "1"},
        {"- > Final verdict: [[B]]\n\n[[A]]", "1"},
        {">> [[B]]\n>\n>[[B]]\n[[A]]", "1"},
        {"It says \"go [[B]] go\". I say [[A]]", "1"},
        {"It says “Final verdict: [[B]]”. I say [[A]]", "1"},
        {"Es sagt „Final verdict: [[B]]“. I say [[A]]", "1"},
        {"Mówi „Final verdict: [[B]]”. I say [[A]]", "1"},
        {"Il dit «Final verdict: [[B]]». I say [[A]]", "1"},
        {"Es sagt »Final verdict: [[B]]«. I say [[A]]", "1"},
        {"它说「最终判决：[[B]]」。我选 [[A]]", "1"},
        {"它说『最终判决：[[B]]』。我选 [[A]]", "1"},
        {"A 5\" screen, so [[A]]", "1"},
        {"A 5\" screen\nand \"[[B]] that\" was all; [[A]]", "1"},
        {"The line \"a\nb\" and [[A]]", "1"},
        /* nothing but one fence */
        {"```\n[[B]]\n```", "2"},
        {"\n```text\nFinal verdict: [[B]]\n```\n\n", "2"},
        {"~~~\n[[B]]\n~~~", "2"},
        {"```\n> [[A]]\n[[B]]\n```", "2"},
        {"```\n[[B]]", "2"},
        {"````\n```\nFinal verdict: [[A]]\n```\n[[B]]\n````", "2"},
        {"```\n[[B]]\n```\nand\n```\n[[B]]\n```", "no_verdict"},
        {"> [[A]]", "no_verdict"},
        {"\"so [[A]] then\"", "no_verdict"},
        /* a mention is no value, and the reply is not nothing but the rest */
        {"Final verdict:\n> [[A]]\n", "no_verdict"},
        {"## Verdict\n```\n[[B]]\n```\n\n[[A]]", "1"},
        {"> which one?\n\nB", "no_verdict"},
    };
    VERDICT_CHECK(COMPARE, cases);
}

static void refusals(void **state) {
    (void)state;
    static const verdict_expect cases[] = {
        {"I cannot help with that.", "refusal"},
        {"I'm sorry, but I can't assist with this request.", "refusal"},
        {"I’m sorry, but I can’t assist with this request.", "refusal"},
        {"**Sorry**, I won't compare these.", "refusal"},
        {"I apologize, but I am unable to evaluate them: [[A]] [[B]]", "refusal"},
        {"Unfortunately, as an AI language model, I cannot judge people.", "refusal"},
        {"As an AI language model I must decline to rate this.", "refusal"},
        {"We will not take part in this.", "refusal"},
        {"I am not able to complete it.", "refusal"},
        {"I'm unable to provide a verdict.", "refusal"},
        {"I refuse to answer.", "refusal"},
        {"I decline to participate.", "refusal"},
        {"I have to decline to continue.", "refusal"},
        {"抱歉，我无法比较这两个回答。", "refusal"},
        {"对不起，我不能提供评价。", "refusal"},
        {"我无法协助。", "refusal"},
        {"I cannot decide.", "no_verdict"},
        {"I can't choose between them.", "no_verdict"},
        {"Sorry, both are fine.", "no_verdict"},
        {"I cannot helpfully say.", "no_verdict"},
        {"Assistant A says: I can't help with that.", "no_verdict"},
        {"The first says \"I cannot help\".", "no_verdict"},
        {"我无法决定。", "no_verdict"},
        /* a verdict outweighs the words before it */
        {"I'm sorry, I can't help being strict.\n\n[[A]]", "1"},
    };
    VERDICT_CHECK(COMPARE, cases);
    static const verdict_expect scores[] = {
        {"I cannot rate these answers.", "refusal"},
        {"I cannot rate these answers.\nScore of Assistant 1: 80\nScore of Assistant "
         "2: 5",
         "out_of_range"},
    };
    VERDICT_CHECK(SCORE, scores);
    static const verdict_expect ratings[] = {
        {"Sorry, I can't engage with this.", "refusal"},
    };
    VERDICT_CHECK(LIKERT, ratings);
    VERDICT_CHECK(JSON, ratings);
}

/* -- numbers, score, likert ------------------------------------------------------- */

static void numbers(void **state) {
    (void)state;
    static const struct {
        const char *text;
        verdict_number_kind kind;
        double value;
    } cases[] = {
        {"8", VERDICT_NUMBER_VALUE, 8},
        {" 8.5", VERDICT_NUMBER_VALUE, 8.5},
        {"8,5", VERDICT_NUMBER_VALUE, 8.5},
        {"8.", VERDICT_NUMBER_VALUE, 8},
        {"8, good", VERDICT_NUMBER_VALUE, 8},
        {"+8", VERDICT_NUMBER_VALUE, 8},
        {"-8", VERDICT_NUMBER_VALUE, -8},
        {"007", VERDICT_NUMBER_VALUE, 7},
        {"zero", VERDICT_NUMBER_VALUE, 0},
        {"ten", VERDICT_NUMBER_VALUE, 10},
        {"[[8]]", VERDICT_NUMBER_VALUE, 8},
        {"\"8\"", VERDICT_NUMBER_VALUE, 8},
        {"“ (eight) ”", VERDICT_NUMBER_VALUE, 8},
        {"8/10", VERDICT_NUMBER_VALUE, 8},
        {"[8] / 10", VERDICT_NUMBER_VALUE, 8},
        {"(8/10)", VERDICT_NUMBER_VALUE, 8},
        {"8 out of ten", VERDICT_NUMBER_VALUE, 8},
        {"8 of 10.0", VERDICT_NUMBER_VALUE, 8},
        {"8 (out of 10)", VERDICT_NUMBER_VALUE, 8},
        {"8 (of the best)", VERDICT_NUMBER_VALUE, 8},
        {"4 (out of 5)", VERDICT_NUMBER_OFF_SCALE, 4},
        {"1⁄2", VERDICT_NUMBER_OFF_SCALE, 1},
        {"8 of the best", VERDICT_NUMBER_VALUE, 8},
        {"8 points", VERDICT_NUMBER_VALUE, 8},
        {"8 - good", VERDICT_NUMBER_VALUE, 8},
        {"8 - 2nd is better", VERDICT_NUMBER_VALUE, 8},
        {"8 - 9", VERDICT_NUMBER_RANGE, 8},
        {"8-9pts", VERDICT_NUMBER_RANGE, 8},
        {"8~9", VERDICT_NUMBER_RANGE, 8},
        {"8 to 9", VERDICT_NUMBER_RANGE, 8},
        {"seven or eight", VERDICT_NUMBER_RANGE, 7},
        {"8 and 9", VERDICT_NUMBER_RANGE, 8},
        {"8/10 to 9/10", VERDICT_NUMBER_RANGE, 8},
        {"4/5", VERDICT_NUMBER_OFF_SCALE, 4},
        {"80/100", VERDICT_NUMBER_OFF_SCALE, 80},
        {"8 out of 100", VERDICT_NUMBER_OFF_SCALE, 8},
        {"8%", VERDICT_NUMBER_OFF_SCALE, 8},
        {"8 %", VERDICT_NUMBER_OFF_SCALE, 8},
        {"", VERDICT_NUMBER_NONE, 0},
        {"n/a", VERDICT_NUMBER_NONE, 0},
        {"8th", VERDICT_NUMBER_NONE, 0},
        {"8x", VERDICT_NUMBER_NONE, 0},
        {"tenth", VERDICT_NUMBER_NONE, 0},
        {"1.2.3", VERDICT_NUMBER_NONE, 0},
        {"eleven", VERDICT_NUMBER_NONE, 0},
        {"-", VERDICT_NUMBER_NONE, 0},
        {"\n8", VERDICT_NUMBER_NONE, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        eh_str text = eh_str_of(cases[i].text);
        verdict_number n = verdict_number_read(text, 0, 10);
        if (n.kind != cases[i].kind || n.value < cases[i].value ||
            n.value > cases[i].value)
            fail_msg("'%s' is kind %d, %g", cases[i].text, (int)n.kind, n.value);
        assert_true(n.end_byte <= text.len);
    }
}

static void long_numbers(void **state) {
    (void)state;
    char text[4002];
    memset(text, '9', 4000);
    verdict_number n = verdict_number_read((eh_str){text, 4000}, 0, 10);
    assert_true(n.kind == VERDICT_NUMBER_VALUE && n.value > 1e20);
    assert_int_equal(n.end_byte, 4000);
    memset(text, '0', 3999);
    text[3999] = '7';
    n = verdict_number_read((eh_str){text, 4000}, 0, 10);
    assert_true(n.value >= 7 && n.value <= 7);
    text[0] = '7';
    text[1] = '.';
    n = verdict_number_read((eh_str){text, 4000}, 0, 10);
    assert_true(n.value >= 7 && n.value <= 7);
}

static void score_labels(void **state) {
    (void)state;
    static const verdict_expect cases[] = {
        {"Score of the Assistant 1: 8\nScore of the Assistant 2: 7", "1 8 7"},
        {"Score of the Assistant 2: 7\nScore of the Assistant 1: 8", "1 8 7"},
        {"Score for Assistant A = 8, score for Assistant B = 9", "2 8 9"},
        {"rating of answer 1: 5. rating to answer 2: 5", "tie 5 5"},
        {"| Score of response A | 3 |\n| Score of response B | 4 |", "2 3 4"},
        {"The assistant 1's score is 9 and assistant 2's score is: 2", "1 9 2"},
        {"Assistant A’s score: 9; Assistant B’s rating: 2", "1 9 2"},
        {"Score of the Assistant 1 (1-10): 8\nScore of the Assistant 2 (of 10): 7",
         "1 8 7"},
        {"**Score of the Assistant 1:** `8`\n**Score of the Assistant 2:** _7_",
         "1 8 7"},
        {"Score of the Assistant 1: <score>8</score>\nScore of the Assistant 2: 7",
         "1 8 7"},
        {"Score of the Assistant 1: 8.5\nScore of the Assistant 2: 8,5", "tie 8.5 8.5"},
        {"Score of the Assistant 1: N/A\nScore of the Assistant 1: 3\n"
         "Score of the Assistant 2: 4",
         "2 3 4"},
        {"Score of the Assistant 1: 3\nScore of the Assistant 2: 4\n"
         "Again, score of the Assistant 1: 3.0",
         "2 3 4"},
        /* no label */
        {"Scores of the Assistant 1: 8\nScores of the Assistant 2: 7", "no_verdict"},
        {"Underscore of the Assistant 1: 8\nsubscore of Assistant 2: 7", "no_verdict"},
        {"Score of the Assistant 1 8\nScore of the Assistant 2 7", "no_verdict"},
        {"Score of the Assistant 11: 8\nScore of the Assistant 2: 7", "no_verdict"},
        {"Score of the Assistant 1:\n8\nScore of the Assistant 2:\n7", "no_verdict"},
        {"> Score of the Assistant 1: 8\n> Score of the Assistant 2: 7", "no_verdict"},
        {"It says \"Score of the Assistant 1: 8, score of the Assistant 2: 7\"",
         "no_verdict"},
    };
    VERDICT_CHECK(SCORE, cases);
}

static void short_score_labels(void **state) {
    (void)state;
    static const verdict_expect cases[] = {
        {"Assistant 1: 8\nAssistant 2: 7", "1 8 7"},
        {"- **Assistant A**: 8/10 (good)\n- **Assistant B**: 7/10.", "1 8 7"},
        {"| Assistant 1 | 8 |\n| Assistant 2 | 9 |", "2 8 9"},
        {"1. Assistant 1 - 8\n2. Assistant 2 - 9", "2 8 9"},
        {"Assistant 1 (first) = 8\nAssistant 2 is 9", "2 8 9"},
        {"Assistant 1: 8 points\nAssistant 2: 7", "no_verdict"},
        {"Assistant 1: 8\nAssistant 2: 7 because it is short", "no_verdict"},
        {"Assistant 1: 8, Assistant 2: 7", "no_verdict"},
        {"Assistant 1: 8-9\nAssistant 2: 7", "ambiguous"},
        /* any long label with a number switches them off */
        {"Assistant 1: 8\nAssistant 2: 7\nScore of the Assistant 1: 5", "no_verdict"},
        {"Assistant 1: 8\nAssistant 2: 7\nScore of the Assistant 1: N/A", "1 8 7"},
    };
    VERDICT_CHECK(SCORE, cases);
}

static void score_decisions(void **state) {
    (void)state;
    static const struct {
        const char *one, *two, *want;
    } cases[] = {
        {"1", "10", "2 1 10"},
        {"7.0000000001", "7", "tie 7 7"},
        {"7.00001", "7", "1 7.00001 7"},
        {"0", "5", "out_of_range"},
        {"10.5", "5", "out_of_range"},
        {"-3", "5", "out_of_range"},
        {"8%", "5", "out_of_range"},
        {"4/5", "5", "out_of_range"},
        {"8/100", "5", "out_of_range"},
        {"8 or 9", "5", "ambiguous"},
        {"85-90", "", "ambiguous"},
        {"85", "", "no_verdict"},
        {"8", "N/A", "no_verdict"},
        {"8\nScore of the Assistant 1: 9", "5", "ambiguous"},
        {"8\nScore of the Assistant 1: 8/5", "5", "ambiguous"},
        {"85\nScore of the Assistant 1: 85", "5", "out_of_range"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char reply[200];
        (void)snprintf(reply, sizeof reply,
                       "Score of the Assistant 1: %s\nScore of the Assistant 2: %s\n",
                       cases[i].one, cases[i].two);
        verdict_expect one = {reply, cases[i].want};
        verdict_check(VERDICT_FORM_SCORE, &one, 1);
    }
}

static void ratings(void **state) {
    (void)state;
    static const verdict_expect cases[] = {
        {"Rating: 1", "1 @1"},
        {"Rating: 2", "1 @2"},
        {"Rating: 3", "tie @3"},
        {"Rating: 4", "2 @4"},
        {"Rating: 5", "2 @5"},
        {"5", "2 @5"},
        {"**5**.", "2 @5"},
        {"[[5]]", "2 @5"},
        {"five", "2 @5"},
        {"5/5", "2 @5"},
        {"```\n5\n```", "2 @5"},
        {"x\nFinal rating is 4.", "2 @4"},
        {"x\nOverall rating = four", "2 @4"},
        {"x\nRating [[4]]", "2 @4"},
        {"x\nRating: [[4]]", "2 @4"},
        {"x\n## Rating\n\n4", "2 @4"},
        {"x\n## Rating\n\n**4** - second slightly better", "2 @4"},
        {"x\n评分：4", "2 @4"},
        {"x\n最终评分为 4", "2 @4"},
        {"x\nGiven this, my rating (1-5): 4 out of 5", "2 @4"},
        {"Rating: 2\nFinal rating: 4", "2 @4"},
        {"Rating: 4\nRating: 4.0", "2 @4"},
        {"x\n| Rating | 4 |", "2 @4"},
        {"Rating: \"4\"", "2 @4"},
        {"Rating: 2\nRating: 4", "ambiguous"},
        {"Rating: 2 or 3", "ambiguous"},
        {"Rating: [1-5]", "ambiguous"},
        {"2-3", "ambiguous"},
        {"Rating: 7\nRating: 3", "ambiguous"},
        {"Rating: 3.5", "out_of_range"},
        {"Rating: 0", "out_of_range"},
        {"Rating: -4", "out_of_range"},
        {"Rating: 6", "out_of_range"},
        {"Rating: 4/10", "out_of_range"},
        {"Rating: 40%", "out_of_range"},
        {"7", "out_of_range"},
        {"Rating 4", "no_verdict"},
        {"x\n4", "no_verdict"},
        {"Ratings: 4", "no_verdict"},
        {"First rating: 4", "no_verdict"},
        {"A rating of 4", "no_verdict"},
        {"Rating: 4th", "no_verdict"},
        {"Rating: unclear", "no_verdict"},
        {"Verdict: 4", "no_verdict"},
        {"## Rating\n\n1. The first names the source.", "no_verdict"},
        {"> Rating: 4", "no_verdict"},
    };
    VERDICT_CHECK(LIKERT, cases);
}

/* -- robustness ------------------------------------------------------------------- */

static void broken_utf8(void **state) {
    (void)state;
    static const verdict_expect cases[] = {
        {"\xFF\xC3 x\xE2\x80\n[[A]]\xF0\x9F", "1"},
        {"\xC3", "no_verdict"},
        {"Verdict: [[\xC0\x80"
         "A]]",
         "no_verdict"},
    };
    VERDICT_CHECK(COMPARE, cases);
    verdict_reply nul = {.content = EH_STR("a\0b\0\n[[A\0]] \0\n[[B]]")};
    assert_int_equal(verdict_read_reply(VERDICT_FORM_COMPARE, &nul).verdict,
                     EH_VERDICT_2);
}

/* One megabyte of what each scan dislikes most: work and memory must stay a small
 * multiple of the length. Anything quadratic takes minutes here. */
static void hostile_replies(void **state) {
    (void)state;
    enum { N_BYTES = 1 << 20, MAX_GROWTH = 12, MAX_SECONDS = 10 };
    static const struct {
        verdict_form_kind kind;
        const char *unit;
    } cases[] = {
        {VERDICT_FORM_COMPARE, "verdict: x. "},
        {VERDICT_FORM_COMPARE, "verdict: a. [[A]] "},
        {VERDICT_FORM_COMPARE, "verdict (((("},
        {VERDICT_FORM_COMPARE, "given a "},
        {VERDICT_FORM_COMPARE, ". "},
        {VERDICT_FORM_COMPARE, "verdict\n---\n"},
        {VERDICT_FORM_COMPARE, "„“x "},
        {VERDICT_FORM_COMPARE, "„“„"},
        {VERDICT_FORM_COMPARE, "[["},
        {VERDICT_FORM_COMPARE, "\xCC\xA3\xCC\x81"},
        {VERDICT_FORM_COMPARE, "<think></reasoning>"},
        {VERDICT_FORM_COMPARE, "```\n"},
        {VERDICT_FORM_SCORE, "score of assistant 1: ((("},
        {VERDICT_FORM_SCORE, "score of assistant 1 ("},
        {VERDICT_FORM_SCORE, "assistant 1: 9 (\n"},
        {VERDICT_FORM_LIKERT, "rating: 1-2. "},
        {VERDICT_FORM_LIKERT, "9"},
    };
    char *text = mem_alloc(N_BYTES, 1);
    assert_non_null(text);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t unit = strlen(cases[i].unit), len = 0;
        for (; len + unit <= N_BYTES; len += unit)
            memcpy(text + len, cases[i].unit, unit);
        eh_arena arena;
        arena_init(&arena, (size_t)MAX_GROWTH * N_BYTES);
        verdict_form form = {cases[i].kind, NULL};
        verdict_reply reply = {.content = {text, len}};
        verdict_result result;
        clock_t begin = clock();
        assert_int_equal(verdict_read(&form, &reply, &arena, &result, NULL),
                         EH_STATUS_OK);
        if ((clock() - begin) / CLOCKS_PER_SEC >= MAX_SECONDS)
            fail_msg("slow: '%s'", cases[i].unit);
        arena_deinit(&arena);
    }
    mem_free(text);
}

static void names(void **state) {
    (void)state;
    for (int i = 0; i < VERDICT_REASON_N; i++) {
        const char *name = verdict_reason_name((verdict_reason)i);
        assert_int_equal(verdict_reason_parse(eh_str_of(name)), i);
    }
    assert_int_equal(verdict_reason_parse(EH_STR("nonsense")),
                     VERDICT_REASON_UNSPECIFIED);
    verdict_form unknown = {(verdict_form_kind)99, NULL};
    verdict_reply reply = {.content = EH_STR("x")};
    verdict_result result;
    eh_arena arena;
    arena_init(&arena, 1 << 20);
    eh_error err;
    assert_int_equal(verdict_read(&unknown, &reply, &arena, &result, &err),
                     EH_STATUS_USAGE);
    assert_string_equal(err.msg, "unknown form of verdict: 99");
    arena_deinit(&arena);
    assert_string_equal(verdict_warning_name(VERDICT_WARNING_BIT_REPLACED_SURROGATE),
                        "replaced_surrogate");
}

/* Every allocation fails once; each time there is a clean error and nothing leaks. */
static void out_of_memory(void **state) {
    (void)state;
    static const char reply_text[] = "<think>x</think>［［Ａ］］ \"q\" \xFF\n"
                                     "Score of the Assistant 1: 8\n"
                                     "Rating: 4\nFinal verdict: [[B]]";
    for (int kind = VERDICT_FORM_SCORE; kind <= VERDICT_FORM_LIKERT; kind++) {
        verdict_form form = {(verdict_form_kind)kind, NULL};
        verdict_reply reply = {.content = eh_str_of(reply_text)};
        eh_status status = EH_STATUS_NOMEM;
        int64_t live = mem_live();
        for (int64_t nth = 1; status != EH_STATUS_OK; nth++) {
            assert_true(nth < 100);
            eh_arena arena;
            arena_init(&arena, 1 << 20);
            verdict_result result;
            mem_fail_at(nth, true);
            status = verdict_read(&form, &reply, &arena, &result, NULL);
            mem_fail_at(0, false);
            assert_true(status == EH_STATUS_OK || status == EH_STATUS_NOMEM);
            arena_deinit(&arena);
            assert_int_equal(mem_live(), live);
        }
    }
}

/* Rule 34. */
static void test_single(void **state) {
    (void)state;
    static const verdict_expect cases[] = {
        {"It is right.\n\nRating: 8", "alone 8"},
        {"**Rating:** 7.5/10", "alone 7.5"},
        {"Rating: [[9]]", "alone 9"},
        {"Final rating: 10 out of 10.", "alone 10"},
        {"7", "alone 7"},
        {"Rating: 4\n\nOn reflection:\n\nFinal rating: 6", "alone 6"},
        {"评分：8", "alone 8"},
        {"Rating: 4\nRating: 6", "ambiguous"},
        {"Rating: 7-8", "ambiguous"},
        {"Rating: 11", "out_of_range"},
        {"Rating: 0", "out_of_range"},
        {"Rating: 80%", "out_of_range"},
        {"> Rating: 9\n\nThat is what it says of itself.", "no_verdict"},
        {"It deserves an 8, I think.", "no_verdict"},
        {"I'm sorry, but I can't rate this answer.", "refusal"},
    };
    VERDICT_CHECK(SINGLE, cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_single),
        cmocka_unit_test(status_comes_first),
        cmocka_unit_test(reasoning_gives_nothing),
        cmocka_unit_test(invisible_is_empty),
        cmocka_unit_test(folding),
        cmocka_unit_test(folding_in_pieces),
        cmocka_unit_test(mentions),
        cmocka_unit_test(refusals),
        cmocka_unit_test(numbers),
        cmocka_unit_test(long_numbers),
        cmocka_unit_test(score_labels),
        cmocka_unit_test(short_score_labels),
        cmocka_unit_test(score_decisions),
        cmocka_unit_test(ratings),
        cmocka_unit_test(broken_utf8),
        cmocka_unit_test(hostile_replies),
        cmocka_unit_test(names),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
