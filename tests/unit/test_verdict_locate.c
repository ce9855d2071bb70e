/* SPDX-License-Identifier: MIT
 *
 * Where in a reply its verdict stands. Each place below was marked by hand.
 */
#include "base/buf.h"
#include "prompt/template.h"
#include "unit.h"
#include "verdict/verdict.h"

#define ARENA_BYTES ((size_t)64 << 20)

typedef struct example {
    const char *template_name, *reply, *place; /* place NULL: none */
} example;

static const example examples[] = {
    {"score",
     "Both explain it.\nThe second is clearer.\n\nScore of the Assistant 1: 6\n"
     "Score of the Assistant 2: 8\n",
     "Score of the Assistant 1: 6\nScore of the Assistant 2: 8"},
    {"score",
     "Score of Assistant 1: 9\nprose between\nScore of Assistant 2: 3\nprose\n",
     "Score of Assistant 1: 9\nprose between\nScore of Assistant 2: 3"},
    {"compare", "A is short.\nB is wrong.\n\nMy final verdict is: [[A]]\n",
     "My final verdict is: [[A]]"},
    /* said twice: the last one */
    {"compare", "[[B]]\n\nwords\n\n[[B]]\n", "[[B]]"},
    /* reasoning says another thing and is not read */
    {"compare", "<think>\n[[A]]\n</think>\nwords\n[[B]]\nthanks", "[[B]]"},
    {"likert", "The first is a little better.\r\nRating: 2\r\n", "Rating: 2"},
    {"json",
     "Here it is:\n{\"verdict\": \"tie\",\n \"score_1\": 5, \"score_2\": 5}\nDone.",
     "{\"verdict\": \"tie\",\n \"score_1\": 5, \"score_2\": 5}"},
    {"compare", "no verdict at all", NULL},
    {"compare", "[[A]]\n[[B]]", NULL}, /* ambiguous */
};

static prompt_template *builtin(const char *name) {
    prompt_template *t = NULL;
    eh_error err;
    assert_int_equal(prompt_template_builtin(eh_str_of(name), &t, &err), EH_STATUS_OK);
    return t;
}

/* Reads and locates; the place as text. */
static eh_str locate(const prompt_template *t, eh_str content, eh_arena *arena,
                     verdict_result *result) {
    verdict_reply reply = {.content = content};
    verdict_place place;
    eh_error err;
    assert_int_equal(verdict_read(&t->form, &reply, arena, result, &err), EH_STATUS_OK);
    assert_int_equal(verdict_locate(&t->form, content, result, arena, &place, &err),
                     EH_STATUS_OK);
    assert_true(place.begin <= place.end && place.end <= content.len);
    return eh_str_slice(content, place.begin, place.end);
}

static void test_examples(void **state) {
    (void)state;
    eh_arena arena;
    arena_init(&arena, ARENA_BYTES);
    for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
        const example *e = &examples[i];
        prompt_template *t = builtin(e->template_name);
        verdict_result result;
        eh_str place = locate(t, eh_str_of(e->reply), &arena, &result);
        assert_int_equal(result.verdict == EH_VERDICT_NONE, e->place == NULL);
        if (!eh_str_eq(place, eh_str_of(e->place ? e->place : "")))
            fail_msg("%s: '%.*s' is marked in '%s'", e->template_name,
                     EH_STR_ARG(place), e->reply);
        prompt_template_free(t);
    }
    arena_deinit(&arena);
}

/* One line of a thousand words: its own words are cut, and the place still reads alike;
 * neither its first nor its last word can go. */
static void test_long_line(void **state) {
    (void)state;
    eh_arena arena;
    eh_buf line;
    arena_init(&arena, ARENA_BYTES);
    buf_init(&line, BUF_MAX_LINE);
    for (int i = 0; i < 1000; i++)
        buf_add_cstr(&line, "so many w\xc3\xb6rds ");
    buf_add_cstr(&line, "and so on. Final verdict: [[B]]");
    prompt_template *t = builtin("compare");
    verdict_result result;
    eh_str place = locate(t, buf_view(&line), &arena, &result);
    assert_int_equal(result.verdict, EH_VERDICT_2);
    assert_true(place.len > 0 && place.len <= 40);
    assert_true(eh_str_ends(place, EH_STR("[[B]]")));
    prompt_template_free(t);
    buf_deinit(&line);
    arena_deinit(&arena);
}

/* A verdict that the text does not give is nowhere in it. */
static void test_other_verdict(void **state) {
    (void)state;
    eh_arena arena;
    eh_error err;
    arena_init(&arena, ARENA_BYTES);
    prompt_template *t = builtin("compare");
    const verdict_result wanted = {.verdict = EH_VERDICT_2};
    verdict_place place;
    assert_int_equal(
        verdict_locate(&t->form, EH_STR("[[A]]"), &wanted, &arena, &place, &err),
        EH_STATUS_OK);
    assert_int_equal(place.begin, place.end);
    prompt_template_free(t);
    arena_deinit(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_examples),
        cmocka_unit_test(test_long_line),
        cmocka_unit_test(test_other_verdict),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
