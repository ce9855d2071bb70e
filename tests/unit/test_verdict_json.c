/* SPDX-License-Identifier: MIT
 *
 * The forms `json` (rules 22 to 27) and marks (rules 28 to 33) of the verdict reader.
 *
 * Replies stand in tables, one line a reply, with what must be made of it. The search
 * for closing braces is also compared with a plain scan from every brace, on random
 * texts.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>

#include "base/json_read.h"
#include "base/mem.h"
#include "base/rng.h"
#include "prompt/template.h"
#include "verdict/json_repair.h"

/* What must be made of a reply: "1 8 7", "tie" or a reason. */
typedef struct reply_case {
    const char *reply;
    const char *want;
} reply_case;

static void result_text(const verdict_result *r, char text[64]) {
    int n = snprintf(text, 64, "%s",
                     r->verdict ? eh_verdict_name(r->verdict)
                                : verdict_reason_name(r->reason));
    if (r->has_scores)
        snprintf(text + n, 64 - (size_t)n, " %g %g", r->score_1, r->score_2);
}

static verdict_result read_bytes(const verdict_form *form, eh_str content) {
    eh_arena arena;
    arena_init(&arena, (size_t)1 << 30);
    verdict_reply reply = {.content = content};
    verdict_result result;
    assert_int_equal(verdict_read(form, &reply, &arena, &result, NULL), EH_STATUS_OK);
    assert_int_equal(result.verdict == EH_VERDICT_NONE,
                     result.reason != VERDICT_REASON_NONE);
    arena_deinit(&arena);
    return result;
}

static void check_cases(const verdict_form *form, const reply_case *cases, size_t n) {
    for (size_t i = 0; i < n; i++) {
        char got[64];
        verdict_result r = read_bytes(form, eh_str_of(cases[i].reply));
        result_text(&r, got);
        if (strcmp(got, cases[i].want) != 0)
            fail_msg("%s: read as '%s', not as '%s'", cases[i].reply, got,
                     cases[i].want);
    }
}

#define CHECK(form, cases) check_cases(form, cases, sizeof(cases) / sizeof(cases)[0])

static const verdict_form json_form = {.kind = VERDICT_FORM_JSON};

static void test_schema(void **state) {
    (void)state;
    const char *const orders[2][4] = {{"reason", "score_1", "score_2", "verdict"},
                                      {"verdict", "reason", "score_1", "score_2"}};
    json_reader *reader = json_reader_new();
    for (int first = 0; first < 2; first++) {
        eh_arena arena;
        arena_init(&arena, 1 << 20);
        json_fault fault;
        const json_value *schema =
            json_read(reader, &arena, verdict_json_schema(first == 1), &fault);
        assert_non_null(schema);
        assert_true(eh_str_eq_cstr(json_get_str(schema, "type"), "object"));
        assert_false(json_get(schema, "additionalProperties")->boolean);
        const json_value *required = json_get(schema, "required");
        const json_value *properties = json_get(schema, "properties");
        assert_int_equal(required->n, 4);
        assert_int_equal(properties->n, 4);
        required = required->child;
        const json_value *property = properties->child;
        for (int i = 0; i < 4; i++) {
            assert_true(eh_str_eq_cstr(required->text, orders[first][i]));
            assert_true(eh_str_eq_cstr(property->key, orders[first][i]));
            required = required->next;
            property = property->next;
        }
        const json_value *words = json_get(json_get(properties, "verdict"), "enum");
        assert_int_equal(words->n, 3);
        arena_deinit(&arena);
    }
    json_reader_free(reader);
}

static void test_strict(void **state) {
    (void)state;
    const reply_case cases[] = {
        {"{\"verdict\":\"A\"}", "1"},
        {" \n{\"verdict\" : \"B\" , \"score_1\" : 4, \"score_2\" : 9.5 }\n", "2 4 9.5"},
        {"{\"score_2\":3,\"score_1\":3,\"verdict\":\"tie\",\"more\":[1,{\"a\":2}]}",
         "tie 3 3"},
        {"{\"Verdict\":\"a\",\"SCORE_1\":2,\"Score_2\":1}", "1 2 1"},
        {"{\"verdict\":\"A\",\"score_1\":1e0,\"score_2\":1.0}", "ambiguous"},
        {"{\"verdict\":\"C\",\"score_1\":1e0,\"score_2\":1.0}", "tie 1 1"},
        {"{\"verdict\":\"A\",\"reason\":\"as in {\\\"verdict\\\":\\\"B\\\"}\"}", "1"},
        {"{\"reason\":\"see /* below */ // and, }\",\"verdict\":\"B\"}", "2"},
        {"{}", "no_verdict"},
        {"{\"winner\":\"A\"}", "no_verdict"},
        {"{\"verdict \":\"A\"}", "no_verdict"},
        {"{\"result\":{\"verdict\":\"A\"}}", "no_verdict"},
        {"{\"\\u0076erdict\":\"A\"}", "1"},
        {"I would call it a draw.", "no_verdict"},
        {"A", "no_verdict"},
        {"\"A\"", "no_verdict"},
        {"[[A]]", "no_verdict"},
    };
    CHECK(&json_form, cases);
}

static void test_verdict_values(void **state) {
    (void)state;
    const reply_case cases[] = {
        {"{\"verdict\":1}", "1"},
        {"{\"verdict\":2.0}", "2"},
        {"{\"verdict\":\"1\"}", "1"},
        {"{\"verdict\":\" 2 \"}", "2"},
        {"{\"verdict\":\"[[A]]\"}", "1"},
        {"{\"verdict\":\"**[[ B>A ]]**\"}", "2"},
        {"{\"verdict\":\"[[a=b]]\"}", "tie"},
        {"{\"verdict\":\"Assistant B\"}", "2"},
        {"{\"verdict\":\"Response 1 is better.\"}", "1"},
        {"{\"verdict\":\"It is a tie\"}", "tie"},
        {"{\"verdict\":\"\\u7b2c\\u4e00\\u4e2a\"}", "1"},
        {"{\"verdict\":\"neither\"}", "ambiguous"},
        {"{\"verdict\":\"both\"}", "ambiguous"},
        {"{\"verdict\":0}", "no_verdict"},
        {"{\"verdict\":3}", "no_verdict"},
        {"{\"verdict\":1.5}", "no_verdict"},
        {"{\"verdict\":\"3\"}", "no_verdict"},
        {"{\"verdict\":null}", "no_verdict"},
        {"{\"verdict\":true}", "no_verdict"},
        {"{\"verdict\":[\"A\"]}", "no_verdict"},
        {"{\"verdict\":{\"winner\":\"A\"}}", "no_verdict"},
        {"{\"verdict\":\"\"}", "no_verdict"},
        {"{\"verdict\":\"unsure\"}", "no_verdict"},
        {"{\"verdict\":\"A, since B is wrong\"}", "no_verdict"},
        {"{\"verdict\":\"[[D]]\"}", "no_verdict"},
        {"{\"verdict\":\"[[A]] or [[B]]\"}", "no_verdict"},
    };
    CHECK(&json_form, cases);
}

static void test_scores(void **state) {
    (void)state;
#define SCORES(verdict, one, two)                                                      \
    "{\"verdict\":\"" verdict "\",\"score_1\":" one ",\"score_2\":" two "}"
    const reply_case cases[] = {
        {SCORES("A", "\"8\"", "\"7/10\""), "1 8 7"},
        {SCORES("B", "\"seven\"", "\"8 out of 10\""), "2 7 8"},
        {SCORES("B", "\"7,5\"", "10"), "2 7.5 10"},
        {SCORES("A", "10", "1"), "1 10 1"},
        {SCORES("A", "8", "null"), "1"},
        {SCORES("A", "\"N/A\"", "8"), "1"},
        {SCORES("A", "[8]", "7"), "1"},
        {"{\"verdict\":\"B\",\"score_1\":9}", "2"},
        {SCORES("B", "8", "7"), "ambiguous"},
        {SCORES("tie", "8", "7"), "ambiguous"},
        {SCORES("A", "7", "7"), "ambiguous"},
        {SCORES("A", "\"7-8\"", "5"), "ambiguous"},
        {SCORES("A", "\"7 to 8\"", "0"), "ambiguous"},
        {SCORES("A", "0", "-1"), "out_of_range"},
        {SCORES("A", "10.5", "9"), "out_of_range"},
        {SCORES("A", "85", "70"), "out_of_range"},
        {SCORES("A", "1e999", "7"), "out_of_range"},
        {SCORES("A", "\"4/5\"", "\"3/5\""), "out_of_range"},
        {SCORES("A", "\"80%\"", "7"), "out_of_range"},
        {"{\"verdict\":\"B\",\"score_1\":90}", "out_of_range"},
        /* the order of the reasons */
        {SCORES("B", "90", "60"), "ambiguous"},
        {SCORES("unsure", "90", "60"), "no_verdict"},
        {SCORES("both", "90", "60"), "ambiguous"},
    };
    CHECK(&json_form, cases);
#undef SCORES
}

static void test_several(void **state) {
    (void)state;
    const reply_case cases[] = {
        {"{\"verdict\":\"A\"} and again {\"verdict\":\"A\"}", "1"},
        {"{\"verdict\":\"A\"}\n{\"verdict\":\"Assistant A wins\"}", "1"},
        {"[{\"verdict\":\"B\"}]", "2"},
        {"[{\"verdict\":\"B\"},{\"verdict\":\"A\"}]", "ambiguous"},
        {"{\"verdict\":\"A\"} no, {\"verdict\":\"tie\"}", "ambiguous"},
        {"{\"verdict\":\"A\"} no, {\"verdict\":null}", "ambiguous"},
        {"{\"verdict\":\"A\",\"score_1\":8,\"score_2\":7} "
         "{\"verdict\":\"A\",\"score_1\":8,\"score_2\":6}",
         "ambiguous"},
        {"{\"verdict\":\"A\",\"score_1\":8,\"score_2\":7} "
         "{\"verdict\":\"A\",\"score_1\":\"8/10\",\"score_2\":7.0}",
         "1 8 7"},
        {"{\"verdict\":null} {\"verdict\":\"unsure\"}", "no_verdict"},
        {"{\"step\":1} {\"verdict\":\"B\"} {\"note\":\"A\"}", "2"},
        {"{\"verdict\":\"A\",\"verdict\":\"A\"}", "1"},
        {"{\"verdict\":\"A\",\"VERDICT\":\"[[A]]\"}", "1"},
        {"{\"verdict\":\"A\",\"Verdict\":\"B\"}", "ambiguous"},
        {"{\"verdict\":\"A\",\"Verdict\":\"B\",\"verdict\":\"B\"}", "ambiguous"},
        {"{\"verdict\":\"A\",\"score_1\":9,\"score_1\":9,\"score_2\":2}", "1 9 2"},
        {"{\"verdict\":\"A\",\"score_1\":9,\"score_1\":8,\"score_2\":2}", "ambiguous"},
    };
    CHECK(&json_form, cases);
}

static void test_prose_around(void **state) {
    (void)state;
    const reply_case cases[] = {
        {"```json\n{\"verdict\":\"A\"}\n```", "1"},
        {"My verdict: {\"verdict\":\"B\"} as you see.", "2"},
        {"> {\"verdict\":\"B\"}", "2"},
        {"\xEF\xBB\xBF{\"verdict\":\"B\"}", "2"},
        {"The set {x | x > 0} is open. {\"verdict\":\"A\"}", "1"},
        {"Use { as the mark. {\"verdict\":\"A\"}", "1"},
        {"Don't use \" or {\" here: {\"verdict\":\"A\"}", "1"},
        {"{ it's {\"verdict\":\"A\"}", "1"},
        {"} {\"verdict\":\"A\"} {", "1"},
        {"Reply as {\"verdict\": \"A\" or \"B\"}. {\"verdict\":\"B\"}", "2"},
        /* only outermost objects */
        {"{ my answer is {\"verdict\":\"A\"} }", "no_verdict"},
        {"{{\"verdict\":\"A\"}}", "no_verdict"},
        /* never completed */
        {"{\"verdict\":\"A\"", "no_verdict"},
        {"{\"verdict\":\"A\",\"reason\":\"it is", "no_verdict"},
        {"{\"verdict\":\"A\",\"reason\":\"it is}", "no_verdict"},
    };
    CHECK(&json_form, cases);
}

static void test_repair(void **state) {
    (void)state;
    const reply_case cases[] = {
        {"{\"verdict\":\"A\",}", "1"},
        {"{\"list\":[1,2, ],\"verdict\":\"A\" , // so\n }", "1"},
        {"{/* first */\"verdict\"/**/:/***/\"A\"/*/ } */}", "1"},
        {"{\"verdict\":\"B\" // it's {\"better\"\n}", "2"},
        {"{\"reason\":\"one\ntwo\tthree\r\",\"verdict\":\"B\"}", "2"},
        {"{'verdict':'A','reason':'it\\'s \"good\"'}", "1"},
        {"{'verdict':'B','reason':'} {'}", "2"},
        {"{\"reason\":\"f\\_x \\d \\u12 \\'\",\"verdict\":\"\\A\"}", "1"},
        {"{\"verdict\":\"B\",\"score_1\":None,\"ok\":True,\"no\":False}", "2"},
        {"{\"reason\":\"None, True // kept, } /* \n\",\"verdict\":\"B\",}", "2"},
        {"{\"reason\":\"\\\"\\\\\n\",\"verdict\":\"A\"}", "1"},
        {"{\"verdict\":\"[\\[A\\]]\"}", "1"},
        /* beyond mending */
        {"{verdict:\"A\"}", "no_verdict"},
        {"{\"verdict\":A}", "no_verdict"},
        {"{\"verdict\" \"A\"}", "no_verdict"},
        {"{\"reason\":\"the \"best\" one\",\"verdict\":\"A\"}", "no_verdict"},
        {"{\"verdict\":\"A\",,}", "no_verdict"},
        {"{\"verdict\":\"A\" \"score_1\":8}", "no_verdict"},
        {"{\"verdict\":\"A\",\"ok\":Nones}", "no_verdict"},
        {"{\"verdict\":\"A\",\"n\":1/**/2}", "no_verdict"},
        {"{\"verdict\":\"A\"/*}", "no_verdict"},
        {"{\"verdict\":\"A\"//}", "no_verdict"},
    };
    CHECK(&json_form, cases);
}

static void test_odd_characters(void **state) {
    (void)state;
    verdict_result r = read_bytes(
        &json_form, EH_STR("{\"reason\":\"cut \\ud83d\",\"verdict\":\"A\"}"));
    assert_int_equal(r.verdict, EH_VERDICT_1);
    assert_int_equal(r.warnings, 1u << VERDICT_WARNING_BIT_REPLACED_SURROGATE);
    r = read_bytes(
        &json_form,
        EH_STR("so: {\"reason\":\"\\udc00 \\ud83c\\udf78\",\"verdict\":\"A\",}"));
    assert_int_equal(r.verdict, EH_VERDICT_1);
    assert_int_equal(r.warnings, 1u << VERDICT_WARNING_BIT_REPLACED_SURROGATE);
    r = read_bytes(&json_form,
                   EH_STR("{\"reason\":\"\\ud83c\\udf78 \\u0000\",\"verdict\":\"B\"}"));
    assert_int_equal(r.verdict, EH_VERDICT_2);
    assert_int_equal(r.warnings, 0);
    /* NUL as a byte: inside a string, in an escape, and outside */
    r = read_bytes(&json_form, EH_STR("{\"reason\":\"a\0b\",\"verdict\":\"B\"}"));
    assert_int_equal(r.verdict, EH_VERDICT_2);
    r = read_bytes(&json_form, EH_STR("{\"reason\":\"a\\\0b\",\"verdict\":\"B\"}"));
    assert_int_equal(r.verdict, EH_VERDICT_2);
    r = read_bytes(&json_form, EH_STR("{\0\"verdict\":\"B\"}"));
    assert_int_equal(r.reason, VERDICT_REASON_NO_VERDICT);
    r = read_bytes(&json_form, EH_STR("{\"verdict\":\"A\0\"}"));
    assert_int_not_equal(r.verdict, EH_VERDICT_2);
    r = read_bytes(&json_form, EH_STR("{\"verdict\":\"\xFF\"} {\"verdict\":\"B\"}"));
    assert_int_equal(r.reason, VERDICT_REASON_AMBIGUOUS);
}

/* Where the string that is open at `at` ends: behind its quote, or SIZE_MAX. */
static size_t plain_string_end(eh_str s, size_t at, char quote) {
    for (; at < s.len; at++) {
        if (s.ptr[at] == quote) return at + 1;
        if (s.ptr[at] == '\\') at++;
    }
    return SIZE_MAX;
}

static size_t plain_comment_end(eh_str s, size_t at) {
    bool is_line = s.ptr[at + 1] == '/';
    size_t end = eh_str_find(s, is_line ? EH_STR("\n") : EH_STR("*/"), at + 2);
    return end == SIZE_MAX || is_line ? end : end + 2;
}

/* The definition: one scan forward from a brace. */
static uint32_t plain_closing(eh_str s, size_t open) {
    size_t at = open, depth = 0;
    bool value = true;
    while (at < s.len) {
        char c = s.ptr[at];
        bool comment = c == '/' && at + 1 < s.len &&
                       (s.ptr[at + 1] == '/' || s.ptr[at + 1] == '*');
        if (c == '}' && --depth == 0) return (uint32_t)at;
        if (c == '{') depth++;
        if (comment)
            at = plain_comment_end(s, at);
        else if (c == '"' || (c == '\'' && value))
            at = plain_string_end(s, at + 1, c);
        else
            at++;
        if (at == SIZE_MAX) break;
        if (!comment && !strchr(" \n", c)) value = strchr("{[,:", c) != NULL;
    }
    return VERDICT_JSON_OPEN;
}

static void test_closings_against_plain_scan(void **state) {
    (void)state;
    const char alphabet[] = "{}{}{}[],:\"\"''//*\\\n a";
    enum { N_TEXTS = 20000, MAX_LEN = 60 };
    eh_rng rng = rng_make(7, "test.closings", 0);
    size_t n_closed = 0;
    for (int i = 0; i < N_TEXTS; i++) {
        char text[MAX_LEN];
        eh_str s = {text, (size_t)rng_below(&rng, MAX_LEN)};
        for (size_t k = 0; k < s.len; k++)
            text[k] = alphabet[rng_below(&rng, sizeof alphabet - 1)];
        eh_arena arena;
        arena_init(&arena, 1 << 20);
        const uint32_t *closings;
        assert_int_equal(verdict_json_closings(s, &arena, &closings, NULL),
                         EH_STATUS_OK);
        for (size_t k = 0; k < s.len; k++) {
            if (text[k] != '{') continue;
            if (closings[k] != plain_closing(s, k))
                fail_msg("brace at %zu of: %.*s", k, EH_STR_ARG(s));
            n_closed += closings[k] != VERDICT_JSON_OPEN;
        }
        arena_deinit(&arena);
    }
    assert_true(n_closed > N_TEXTS / 4);
}

static void test_out_of_memory(void **state) {
    (void)state;
    int64_t live = mem_live();
    verdict_reply reply = {
        .content = EH_STR("so {'reason':'\t','verdict':'A','score_1':'8'}")};
    eh_status status = EH_STATUS_NOMEM;
    int n_failed = -1;
    for (int64_t nth = 1; status != EH_STATUS_OK; nth++) {
        eh_arena arena;
        verdict_result result;
        arena_init(&arena, 1 << 24);
        mem_fail_at(nth, true);
        status = verdict_read(&json_form, &reply, &arena, &result, NULL);
        mem_fail_at(0, false);
        arena_deinit(&arena);
        assert_true(status == EH_STATUS_OK || status == EH_STATUS_NOMEM);
        assert_int_equal(mem_live(), live);
        n_failed++;
    }
    assert_true(n_failed >= 3);
}

/* A template of the built-in ones, or from a `marks` block. */
static prompt_template *template_of(const char *name_or_marks) {
    prompt_template *t = NULL;
    eh_error err = {0};
    eh_str text = eh_str_of(name_or_marks);
    char yaml[1000];
    if (eh_str_find(text, EH_STR(":"), 0) == SIZE_MAX) {
        if (prompt_template_builtin(text, &t, &err) != EH_STATUS_OK)
            fail_msg("%s", err.msg);
        return t;
    }
    snprintf(yaml, sizeof yaml, "name: own\nmarks: {%s}\n", name_or_marks);
    if (prompt_template_parse(eh_str_of(yaml), "own", &t, &err) != EH_STATUS_OK)
        fail_msg("%s", err.msg);
    return t;
}

static void check_marks(const char *name_or_marks, const reply_case *cases, size_t n) {
    prompt_template *t = template_of(name_or_marks);
    check_cases(&t->form, cases, n);
    prompt_template_free(t);
}

#define CHECK_MARKS(marks, cases)                                                      \
    check_marks(marks, cases, sizeof(cases) / sizeof(cases)[0])

static void test_marks_anywhere(void **state) {
    (void)state;
    const reply_case cases[] = {
        {"Output (a)", "1"},
        {"**Output\n (B)** it is", "2"},
        {"OUTPUT (a) is far off, so Output (b) is  better", "2"},
        {"Output (a) is better than Output (b).", "1"},
        {"Output (a) is better. No, Output (b) is better.", "ambiguous"},
        {"Output (a), Output (b)", "ambiguous"},
        {"output (a), output (a)", "1"},
        {"> Output (b)\n```\nOutput (b)\n```\n\"Output (b)\"", "2"},
        {"<think>Output (a)</think>Output (b)", "2"},
        {"<think>Output (a)</think> ", "empty"},
        {"Throughput (a) was measured", "no_verdict"},
        {"Output(a)", "no_verdict"},
        {"I'm sorry, but I cannot compare these.", "refusal"},
        {"I cannot decide.", "no_verdict"},
    };
    CHECK_MARKS("output_ab", cases);
}

static void test_marks_word_edges(void **state) {
    (void)state;
    const reply_case cases[] = {
        {"Take A", "1"},
        {"(B)", "2"},
        {"AB", "no_verdict"},
        {"B2", "no_verdict"},
        {"A_", "1"},
        {"\xC3\xA9"
         "a",
         "no_verdict"}, /* é before it */
        {"a\xC3\xA9", "no_verdict"},
        {"\xE9\x80\x89"
         "B",
         "no_verdict"}, /* a Han letter before it */
        {"banana, A", "1"},
        {"[=]", "tie"},
        {"x[=]y", "tie"},
        {"\xEF\xBC\xA1", "1"},  /* full-width A */
        {"A\xE2\x80\x8B", "1"}, /* zero-width space */
        {"A and B", "ambiguous"},
    };
    CHECK_MARKS("tiers: [{first: [A], second: [b], tie: ['[=]']}]", cases);
}

static void test_marks_pick(void **state) {
    (void)state;
    const reply_case first[] = {
        {"[[B]] is better than [[A]]", "2"},
        {"[[C]]", "tie"},
        {"[[D]] [[ A ]]", "no_verdict"},
        {"\"[[A]]\" [[B]]", "1"},
    };
    CHECK_MARKS("first_mark", first);
    const reply_case last[] = {
        {"[[B]] is better than [[A]]", "1"},
        {"[[A]] [[B]] [[A]] [[B]]", "2"},
        {"yes", "no_verdict"},
    };
    CHECK_MARKS("pick: last, tiers: [{first: ['[[A]]'], second: ['[[B]]']}]", last);
    const reply_case longer[] = {
        {"one is much better", "2"}, /* at one place the longer one */
        {"one is right, one is much better", "1"},
    };
    CHECK_MARKS("pick: first, tiers: [{first: [one is], second: [one is much]}]",
                longer);
    const reply_case tiers[] = {
        {"no mark, then FINAL B and draft a", "2"}, /* the first tier decides */
        {"draft a", "1"},
        {"final a final b draft b", "ambiguous"},
    };
    CHECK_MARKS("tiers: [{first: [final a], second: [final b]}, {first: [draft a], "
                "second: [draft b]}]",
                tiers);
}

static void test_marks_grades(void **state) {
    (void)state;
    const reply_case cases[] = {
        {"[[A>>B]]", "1"},
        {"[[B<A]]", "1"},
        {"[[A=B]]", "tie"},
        {"[[b>a]]", "2"},
        {"[[A<<B]]", "2"},
        {"[[A>>B]] [[B<<A]]", "1"},
        {"[[A>B]] [[A>>B]]", "ambiguous"},
        {"[[A>B]] [[B>A]]", "ambiguous"},
        {"[[A]]", "no_verdict"},
        {"**\\[\\[B\\>A\\]\\]**", "2"},
    };
    CHECK_MARKS("arena5", cases);
}

static void test_marks_lines(void **state) {
    (void)state;
    const reply_case last[] = {
        {"1", "1"},
        {"1\nthen\n 2. \n\n", "2"},
        {"why\r\n**3**\r\n", "tie"},
        {"1\n2 3", "no_verdict"},
        {"2\nno number here", "no_verdict"},
        {"1..", "no_verdict"},
        {"13", "no_verdict"},
        {"4", "no_verdict"},
        {"I chose\n\xEF\xBC\x92\xE3\x80\x82", "2"}, /* full-width 2 and stop */
    };
    CHECK_MARKS("last_line_class", last);
    const reply_case first[] = {
        {"\n\n 2 \n1", "2"},         {"TIE.\n1", "tie"},    {"0", "tie"},
        {"\xE2\x80\x8B\n1\n2", "1"}, /* a line of nothing but invisible characters */
        {"Answer: 1", "no_verdict"}, {"1 2", "no_verdict"},
    };
    CHECK_MARKS("first_line_class", first);
    const reply_case phrase[] = {
        {"the\tfirst  one\nelse", "1"},
        {"The second one.", "2"},
        {"the second one!", "no_verdict"},
    };
    CHECK_MARKS("where: first_line, tiers: [{first: ['the first one'], "
                "second: [the  second one.]}]",
                phrase);
}

static void test_marks_scores(void **state) {
    (void)state;
    const reply_case cases[] = {
        {"9 8", "1 9 8"},
        {"  7.5\t8  \nwhy", "2 7.5 8"},
        {"8, 8", "tie 8 8"},
        {"8,9", "2 8 9"},
        {"8 ,9", "2 8 9"},
        {"8/10 9/10", "2 8 9"},
        {"**8/10**, **6.5**", "1 8 6.5"},
        {"10 1", "1 10 1"},
        {"0 8", "out_of_range"},
        {"8 11", "out_of_range"},
        {"85 70", "out_of_range"},
        {"-3 5", "out_of_range"},
        {"7-8", "ambiguous"},
        {"7 \xE2\x80\x93 8", "ambiguous"}, /* en dash */
        {"7-8 9", "ambiguous"},
        {"7 11-12", "ambiguous"},
        {"8", "no_verdict"},
        {"8 9 7", "no_verdict"},
        {"8, 9,", "no_verdict"},
        {"8,, 9", "no_verdict"},
        {"8 and 9", "no_verdict"},
        {"8; 9", "no_verdict"},
        {"(8, 9)", "no_verdict"},
        {"8/9", "no_verdict"},
        {"8/5 9/5", "no_verdict"},
        {"eight nine", "no_verdict"},
        {"8a 9", "no_verdict"},
        {"8. 9", "no_verdict"},
        {"Scores: 8 9", "no_verdict"},
        {"1-2-3-4", "no_verdict"},
        {"\n\n8 9\n1 2", "2 8 9"},
    };
    CHECK_MARKS("first_line_scores", cases);
    const reply_case hundred[] = {
        {"1 2\n80/100 90", "2 80 90"},
        {"0 0", "tie 0 0"},
        {"100.5 7", "out_of_range"},
    };
    CHECK_MARKS("where: last_line, scores: [0, 100]", hundred);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_schema),
        cmocka_unit_test(test_strict),
        cmocka_unit_test(test_verdict_values),
        cmocka_unit_test(test_scores),
        cmocka_unit_test(test_several),
        cmocka_unit_test(test_prose_around),
        cmocka_unit_test(test_repair),
        cmocka_unit_test(test_odd_characters),
        cmocka_unit_test(test_closings_against_plain_scan),
        cmocka_unit_test(test_out_of_memory),
        cmocka_unit_test(test_marks_anywhere),
        cmocka_unit_test(test_marks_word_edges),
        cmocka_unit_test(test_marks_pick),
        cmocka_unit_test(test_marks_grades),
        cmocka_unit_test(test_marks_lines),
        cmocka_unit_test(test_marks_scores),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
