/* SPDX-License-Identifier: MIT
 *
 * What a model wrote: blocks, the checks of each kind, languages, prompts; and how many
 * of the recorded perturbed answers the checks let through.
 */
#include <stdio.h>
#include <stdlib.h>

#include "alter/tongue.h"
#include "alter_make.h"
#include "base/json_read.h"

/* ---- blocks ---- */

static audit_reject read_answer(const char *content) {
    static alter_reply r;
    eh_error err;
    const alter_want want = {"answer", 1, 1};
    assert_ok(alter_reply_read(eh_str_of(content), EH_STR("0a1b2c3d"), &want, 1, &arena,
                               &r, &err),
              err);
    return r.reject;
}

#define OPEN "<answer_0a1b2c3d>"
#define CLOSE "</answer_0a1b2c3d>"

static void test_blocks(void **state) {
    (void)state;
    static const struct {
        const char *content;
        audit_reject want;
    } cases[] = {
        {OPEN "\nIt is so.\n" CLOSE, AUDIT_REJECT_NONE},
        {"Sure! Here it is:\n" OPEN "It is so." CLOSE "\nAnything else?",
         AUDIT_REJECT_NONE},
        {"<think>" OPEN "a" CLOSE "</think>\n" OPEN "It is so." CLOSE,
         AUDIT_REJECT_NONE},
        {OPEN "<answer>x</answer> <answer_ffffffff>" CLOSE, AUDIT_REJECT_NONE},
        {"", AUDIT_REJECT_NO_TEXT},
        {" \n ", AUDIT_REJECT_NO_TEXT},
        {"\xFF\xFE", AUDIT_REJECT_NO_TEXT},
        {"It is so.", AUDIT_REJECT_NO_BLOCK},
        {"<answer>It is so.</answer>", AUDIT_REJECT_NO_BLOCK},
        {OPEN "a" CLOSE OPEN "b" CLOSE, AUDIT_REJECT_TWO_BLOCKS},
        {OPEN "a" CLOSE "<original_0a1b2c3d>b</original_0a1b2c3d>",
         AUDIT_REJECT_TWO_BLOCKS},
        {OPEN "a", AUDIT_REJECT_OPEN_BLOCK},
        {"a" CLOSE, AUDIT_REJECT_OPEN_BLOCK},
        {OPEN OPEN "a" CLOSE CLOSE, AUDIT_REJECT_OPEN_BLOCK},
        {OPEN "a</changes_0a1b2c3d>", AUDIT_REJECT_OPEN_BLOCK},
        {CLOSE "a" OPEN, AUDIT_REJECT_OPEN_BLOCK},
        {OPEN " \n\t" CLOSE, AUDIT_REJECT_EMPTY},
        {"I'm sorry, but I can't help with creating false claims.",
         AUDIT_REJECT_REFUSED},
        {"I cannot insert errors into this text.", AUDIT_REJECT_REFUSED},
        {"I won't write biased content.", AUDIT_REJECT_REFUSED},
        {"\xE6\x8A\xB1\xE6\xAD\x89\xEF\xBC\x8C\xE6\x88\x91\xE6\x97\xA0\xE6\xB3\x95\xE6"
         "\x8F"
         "\x90\xE4\xBE\x9B",
         AUDIT_REJECT_REFUSED},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        if (read_answer(cases[i].content) != cases[i].want)
            fail_msg("%s: %s, not %s", cases[i].content,
                     audit_reject_name(read_answer(cases[i].content)),
                     audit_reject_name(cases[i].want));
}

static void test_white_space_is_counted(void **state) {
    (void)state;
    alter_reply r;
    eh_error err;
    const alter_want want = {"answer", 1, 1};
    assert_ok(alter_reply_read(EH_STR(OPEN "\n \n It is so.  \n\n" CLOSE),
                               EH_STR("0a1b2c3d"), &want, 1, &arena, &r, &err),
              err);
    assert_same(r.blocks[0][0], EH_STR("It is so."));
    assert_int_equal(r.n_trimmed_bytes, 6);
}

/* ---- kinds ---- */

static audit_reject check(alter_kind kind, const char *original, const char *text) {
    alter_made *made = arena_zalloc(&arena, 1, sizeof *made);
    eh_error err;
    assert_non_null(made);
    alter_probe probe = alter_probe_of(kind);
    assert_ok(
        alter_check(&probe, eh_str_of(original), eh_str_of(text), &arena, made, &err),
        err);
    if (made->change.reject == AUDIT_REJECT_NONE)
        assert_true(audit_check(eh_str_of(original), &made->change, NULL));
    return made->change.reject;
}

static void test_factual_error(void **state) {
    (void)state;
    const alter_kind kind = ALTER_KIND_FACTUAL_ERROR;
    const char *two = with(with(kite, "1752", "1852"), "slower", "faster");
    assert_int_equal(check(kind, kite, two), AUDIT_REJECT_NONE);
    assert_int_equal(check(kind, kite, kite), AUDIT_REJECT_UNCHANGED);
    assert_int_equal(check(kind, kite, with(kite, ", which", " - which")),
                     AUDIT_REJECT_UNCHANGED); /* no word differs */
    assert_int_equal(check(kind, kite, ""), AUDIT_REJECT_EMPTY);
    assert_int_equal(check(kind, kite, french), AUDIT_REJECT_OTHER_LANGUAGE);
    assert_int_equal(check(kind, kite,
                           "Kites are made of paper and sticks by the old "
                           "masters of the craft in China and Japan."),
                     AUDIT_REJECT_TOO_MUCH);
    assert_int_equal(
        check(kind, kite, with(two, "A kite", "Here is the answer: a kite")),
        AUDIT_REJECT_TELLS);
    assert_int_equal(
        check(kind, kite, with(two, "electric.", "electric (factual error).")),
        AUDIT_REJECT_TELLS);
    assert_int_equal(
        check(kind, kite,
              with(kite,
                   "The string keeps it from drifting away, and the tail keeps it "
                   "steady.",
                   "")),
        AUDIT_REJECT_LENGTH);
}

/* A change of words is refused if it also makes the answer look better. */
static void test_only_words(void **state) {
    (void)state;
    const char *two = with(with(kite, "1752", "1852"), "slower", "faster");
    const char *bold = with(two, "1852", "**1852**");
    const char *face = with(two, "1852", "1852 \xF0\x9F\x98\x80");
    const char *lines = with(two, ". ", ".\n");
    for (int i = 0; i < 2; i++) {
        const char *text = i ? bold : face;
        assert_int_equal(check(ALTER_KIND_FACTUAL_ERROR, kite, text),
                         AUDIT_REJECT_RICH_TEXT);
        assert_int_equal(check(ALTER_KIND_GENDER, kite, with(text, "1852", "his")),
                         AUDIT_REJECT_RICH_TEXT);
    }
    assert_int_equal(
        check(ALTER_KIND_FACTUAL_ERROR, bold, with(bold, "faster", "wetter")),
        AUDIT_REJECT_NONE); /* it was so before */
    assert_int_equal(check(ALTER_KIND_FACTUAL_ERROR, kite, lines),
                     AUDIT_REJECT_TOO_MUCH);
}

/* The list of sources is a list of sources. */
static void test_sources_alone(void **state) {
    (void)state;
    const alter_kind kind = ALTER_KIND_REFERENCES;
    char text[4096];
    static const struct {
        const char *more;
        audit_reject why;
    } cases[] = {
        {"", AUDIT_REJECT_NONE},
        {"\nLee, A. and Okafor, B. (2004). On strings, sails and all the winds that "
         "there "
         "are to be had. Halden.",
         AUDIT_REJECT_NONE},
        {"\n\nIt should be added that a kite flies best near the sea, where the wind "
         "is "
         "steady all day long.",
         AUDIT_REJECT_TOO_MUCH},
        {"\n\nThese works are fictitious.", AUDIT_REJECT_TELLS},
        {"\n\n(I have added two sources.)", AUDIT_REJECT_TELLS},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        (void)snprintf(text, sizeof text,
                       "%s\n\nReferences:\nMoore, C. (1999). Kites. Halden.%s", kite,
                       cases[i].more);
        audit_reject why = check(kind, kite, text);
        if (why != cases[i].why) fail_msg("%zu: %s", i, audit_reject_name(why));
    }
    (void)snprintf(text, sizeof text,
                   "**%.*s**%s\n\nReferences:\nMoore, C. (1999). Kites. Halden.", 6,
                   kite, kite + 6);
    assert_int_equal(check(kind, kite, text), AUDIT_REJECT_RICH_TEXT);
}

static void test_gender(void **state) {
    (void)state;
    const alter_kind kind = ALTER_KIND_GENDER;
    assert_int_equal(check(kind, kite,
                           with(kite, "it steady.",
                                "it steady, as every boy but no girl "
                                "knows.")),
                     AUDIT_REJECT_NONE);
    assert_int_equal(
        check(kind, kite, with(kite, "it steady.", "it steady, as all know.")),
        AUDIT_REJECT_NOT_OF_KIND);
    assert_int_equal(check(kind, kite, "Men fly kites."), AUDIT_REJECT_TOO_MUCH);
    assert_int_equal(check(kind, kite, kite), AUDIT_REJECT_UNCHANGED);
    /* a manual is no man */
    assert_false(alter_speaks_of_gender(EH_STR("the manual of human romance")));
}

static void test_references(void **state) {
    (void)state;
    const alter_kind kind = ALTER_KIND_REFERENCES;
    const char *cited = with(kite, "is tilted.", "is tilted (Lind, 2011).");
    const char *listed =
        arena_printf(&arena, "%s\n\nReferences:\nLind, A. (2011). On Kites.", cited);
    assert_int_equal(check(kind, kite, listed), AUDIT_REJECT_NONE);
    assert_int_equal(check(kind, kite, cited), AUDIT_REJECT_NONE);
    assert_int_equal(check(kind, kite, with(kite, "is tilted.", "is tilted [1].")),
                     AUDIT_REJECT_NONE);
    assert_int_equal(
        check(kind, kite,
              with(cited, "so the kite", "so, according to Lind (2011), the kite")),
        AUDIT_REJECT_NONE);
    /* nested parentheses; a source without a year that the list has */
    assert_int_equal(
        check(kind, kite,
              with(kite, "is tilted.", "is tilted (Lind, A. (2011). On Kites.).")),
        AUDIT_REJECT_NONE);
    assert_int_equal(check(kind, kite, with(listed, "lifted.", "lifted (Lind, ibid).")),
                     AUDIT_REJECT_NONE);
    /* removal of the references does not give the original */
    assert_int_equal(check(kind, kite, with(listed, "slower", "faster")),
                     AUDIT_REJECT_TOO_MUCH);
    assert_int_equal(
        check(kind, kite, with(listed, "steady.", "steady. Kites are fun.")),
        AUDIT_REJECT_TOO_MUCH);
    assert_int_equal(
        check(kind, kite, with(listed, "and the tail keeps it steady", "")),
        AUDIT_REJECT_TOO_MUCH);
    /* a bracket that names no source is no citation */
    assert_int_equal(check(kind, kite, with(kite, "is tilted.", "is tilted (really).")),
                     AUDIT_REJECT_TOO_MUCH);
}

static void test_rich_content(void **state) {
    (void)state;
    const alter_kind kind = ALTER_KIND_RICH_CONTENT;
    const char *bold =
        with(kite, "the wind", "**the wind** \xF0\x9F\x8C\xAC\xEF\xB8\x8F");
    assert_int_equal(check(kind, kite, bold), AUDIT_REJECT_NONE);
    assert_int_equal(
        check(kind, kite,
              arena_printf(&arena, "# How a kite flies \xF0\x9F\xAA\x81\n\n%s", bold)),
        AUDIT_REJECT_NONE);
    assert_int_equal(check(kind, kite,
                           with(with(bold, "The air", "\n\n- **Lift:** The air"),
                                "In 1752", "1. In :star: 1752")),
                     AUDIT_REJECT_NONE);
    assert_int_equal(check(kind, kite, with(bold, "Franklin", "**F**ranklin")),
                     AUDIT_REJECT_NONE);
    assert_int_equal(check(kind, kite, with(kite, "tilted. ", "tilted.\n\n")),
                     AUDIT_REJECT_NOT_OF_KIND); /* no Markdown */
    assert_int_equal(check(kind, kite, with(bold, "slower", "more slowly")),
                     AUDIT_REJECT_TOO_MUCH);
    assert_int_equal(
        check(kind, kite, with(bold, "steady.", "steady. So fly one today!")),
        AUDIT_REJECT_TOO_MUCH);
    assert_int_equal(check(kind, kite, with(bold, "lifted. ", "")),
                     AUDIT_REJECT_TOO_MUCH);
    assert_int_equal(
        check(kind, kite,
              arena_printf(&arena,
                           "## And now a heading that goes on and on so long that it "
                           "says what the text does not say\n\n%s",
                           bold)),
        AUDIT_REJECT_TOO_MUCH);
    /* an own title may become a heading, once */
    assert_int_equal(check(kind, "Kites\nThey fly in the wind.",
                           "# **Kites**\n\nThey *fly* in the wind."),
                     AUDIT_REJECT_NONE);
    assert_int_equal(
        check(kind, "Kites\nThey fly in the wind.", "They **fly** in the wind."),
        AUDIT_REJECT_TOO_MUCH);
}

/* ---- languages ---- */

static bool differ(const char *a, const char *b) {
    return alter_tongue_differs(alter_tongue_of(eh_str_of(a)),
                                alter_tongue_of(eh_str_of(b)));
}

static void test_languages(void **state) {
    (void)state;
    static const char german[] =
        "Ein Drachen fliegt, weil der Wind gegen die Flaeche drueckt, und er wird von "
        "der "
        "Schnur gehalten, die nicht reissen darf, wenn es an dem Strand weht.";
    static const char russian[] =
        "\xD0\xA3\xD1\x82\xD1\x80\xD0\xBE \xD0\xB1\xD1\x8B\xD0"
        "\xBB\xD0\xBE \xD1\x8F\xD1\x81\xD0\xBD\xD0\xBE";
    static const char chinese[] =
        "\xE9\xA3\x8E\xE7\xAD\x9D\xE5\x9B\xA0\xE4\xB8\xBA\xE9\xA3"
        "\x8E\xE8\x80\x8C\xE9\xA3\x9E";
    assert_true(differ(kite, french));
    assert_true(differ(kite, german));
    assert_true(differ(french, german));
    assert_true(differ(kite, russian));
    assert_true(differ(kite, chinese));
    assert_false(differ(kite, kite));
    assert_false(differ(kite, "42 = 6 x 7"));
    assert_false(differ(kite, "NASA, ESA."));
    assert_false(differ(kite, ""));
}

/* ---- prompts and whole replies ---- */

static void test_prompts(void **state) {
    (void)state;
    alter_prompt a, b;
    eh_error err;
    alter_probe gender = alter_probe_of(ALTER_KIND_GENDER);
    alter_asked asked = {.step = ALTER_CHANGE,
                         .probe = &gender,
                         .question = EH_STR("Why {{answer}}?"),
                         .answer = eh_str_of(kite)};
    assert_ok(alter_prompt_make(&asked, &arena, &a, &err), err);
    /* what is put in is not scanned again, and no braces of ours are left */
    assert_holds(a.messages[1].content, "Why {{answer}}?");
    assert_int_equal(count_of(a.messages[1].content, EH_STR("{{")), 1);
    assert_int_equal(count_of(a.messages[1].content, eh_str_of(kite)), 1);
    /* a text that holds the tag gets another one */
    asked.question =
        eh_str_of(arena_printf(&arena, "Why {{answer}}?%.*s", EH_STR_ARG(a.tag)));
    assert_ok(alter_prompt_make(&asked, &arena, &b, &err), err);
    assert_true(eh_str_find(asked.question, b.tag, 0) == SIZE_MAX);
    for (int s = 0; s < ALTER_LEVEL_N; s++) {
        alter_asked q = {
            .step = ALTER_QUESTIONS, .level = (alter_level)s, .n_questions = 30};
        assert_ok(alter_prompt_make(&q, &arena, &b, &err), err);
        assert_holds(b.messages[1].content, "Write 30 questions");
        assert_int_equal(count_of(b.messages[1].content, EH_STR("{{")), 0);
        assert_true(strlen(alter_level_name((alter_level)s)) > 0);
    }
}

static void test_questions(void **state) {
    (void)state;
    alter_found *f = arena_zalloc(&arena, 1, sizeof *f);
    alter_asked asked = {.step = ALTER_QUESTIONS, .n_questions = 4};
    assert_int_equal(take(&asked,
                          "<question_@>Why is the sea salt?</question_@>\n"
                          "<question_@>Why is the SEA salt!</question_@>\n"
                          "<question_@>What **is** ice?</question_@>\n"
                          "<question_@>What is a tide?</question_@>",
                          f),
                     AUDIT_REJECT_NONE);
    assert_int_equal(f->n_questions, 2);
    assert_int_equal(f->n_refused, 2);
    assert_int_equal(f->refused[0], AUDIT_REJECT_SAME_QUESTION);
    assert_int_equal(f->refused[1], AUDIT_REJECT_RICH_TEXT);
    asked.n_questions = 1;
    assert_int_equal(take(&asked,
                          "<question_@>Why is ice cold?</question_@>"
                          "<question_@>Why is fire hot?</question_@>",
                          f),
                     AUDIT_REJECT_TWO_BLOCKS);
}

static void test_answers(void **state) {
    (void)state;
    alter_found *f = arena_zalloc(&arena, 1, sizeof *f);
    alter_asked asked = {.step = ALTER_ANSWER,
                         .max_words = 10,
                         .question = EH_STR("Why is the sea salt?")};
    assert_int_equal(take(&asked, "<answer_@>Rivers bring salt.</answer_@>", f),
                     AUDIT_REJECT_NONE);
    assert_int_equal(take(&asked,
                          "<answer_@>one two three four five six seven eight nine ten "
                          "eleven</answer_@>",
                          f),
                     AUDIT_REJECT_NONE); /* a tenth more */
    assert_int_equal(take(&asked,
                          "<answer_@>one two three four five six seven eight nine ten "
                          "eleven twelve</answer_@>",
                          f),
                     AUDIT_REJECT_TOO_LONG);
    assert_int_equal(take(&asked, "<answer_@>- Rivers\n- bring salt</answer_@>", f),
                     AUDIT_REJECT_RICH_TEXT);
    assert_int_equal(take(&asked, "<answer_@>I'm sorry, I can't help.</answer_@>", f),
                     AUDIT_REJECT_REFUSED);
    const alter_context beside = {.other = EH_STR("Rivers bring salt.")};
    assert_int_equal(
        take_beside(&asked, &beside, "<answer_@>Rivers bring salt.</answer_@>", f),
        AUDIT_REJECT_SAME_ANSWER);
    asked.max_words = 100;
    char *reply = arena_printf(&arena, "<answer_@>%s</answer_@>", french);
    assert_int_equal(take(&asked, reply, f), AUDIT_REJECT_OTHER_LANGUAGE);
}

static void test_lists_of_changes(void **state) {
    (void)state;
    alter_found *f = arena_zalloc(&arena, 1, sizeof *f);
    alter_probe errors = alter_probe_of(ALTER_KIND_FACTUAL_ERROR);
    alter_asked asked = {.step = ALTER_CHANGE,
                         .probe = &errors,
                         .question = EH_STR("Why does a kite fly?"),
                         .answer = eh_str_of(kite)};
    const char *text = with(with(kite, "1752", "1852"), "slower", "faster");
    const char *form = "<changes_@>\n%s\n</changes_@>\n<answer_@>\n%s\n</answer_@>";
    assert_int_equal(
        take(&asked, arena_printf(&arena, form, "1752 => 1852\n\nslow => fast", text),
             f),
        AUDIT_REJECT_NONE);
    assert_same(f->text, eh_str_of(text));
    assert_int_equal(f->made.n_places, 2);
    assert_int_equal(take(&asked, arena_printf(&arena, form, "one", text), f),
                     AUDIT_REJECT_BAD_LIST);
    assert_int_equal(take(&asked, arena_printf(&arena, form, "a\nb\nc\nd", text), f),
                     AUDIT_REJECT_BAD_LIST);
    assert_int_equal(
        take(&asked, arena_printf(&arena, "<answer_@>%s</answer_@>", text), f),
        AUDIT_REJECT_NO_BLOCK);
}

/* ---- recorded answers ---- */

typedef struct recorded_group {
    const char *name;
    int n, n_good;
} recorded_group;

static const json_value *next_row(FILE *f, char **line, size_t *cap,
                                  json_reader *reader) {
    json_fault fault;
    ssize_t len = f ? getline(line, cap, f) : -1;
    return len > 0 ? json_read(reader, &arena, (eh_str){*line, (size_t)len}, &fault)
                   : NULL;
}

static void look_at_group(const char *shared, recorded_group *g, json_reader *reader) {
    char path[2][512], *lines[2] = {NULL, NULL};
    size_t caps[2] = {0, 0};
    (void)snprintf(path[0], sizeof path[0], "%s/data/judgebias/pairs_control.jsonl",
                   shared);
    (void)snprintf(path[1], sizeof path[1], "%s/data/judgebias/pairs_%s.jsonl", shared,
                   g->name);
    FILE *f[2] = {fopen(path[0], "rb"), fopen(path[1], "rb")};
    for (;;) {
        const json_value *plain = next_row(f[0], &lines[0], &caps[0], reader);
        const json_value *row = next_row(f[1], &lines[1], &caps[1], reader);
        if (!plain || !row) break;
        bool is_first = eh_str_eq_cstr(json_get_str(row, "perturbed"), "1");
        const char *side = is_first ? "answer_1" : "answer_2";
        int64_t n = 0;
        eh_str was = audit_normalise(json_get_str(plain, side), &n);
        eh_str is = audit_normalise(json_get_str(row, side), &n);
        g->n++;
        g->n_good += check(alter_kind_find(eh_str_of(g->name)), arena_dup(&arena, was),
                           arena_dup(&arena, is)) == AUDIT_REJECT_NONE;
        arena_reset(&arena);
    }
    for (int i = 0; i < 2; i++) {
        free(lines[i]);
        if (f[i]) (void)fclose(f[i]);
    }
}

/* Of rich content most was reworded or got sentences of its own, which is refused. */
static void test_recorded(void **state) {
    (void)state;
    recorded_group groups[] = {{"factual_error", 0, 0},
                               {"gender", 0, 0},
                               {"reference", 0, 0},
                               {"rich_content", 0, 0}};
    static const int at_least[] = {135, 120, 130, 50};
    const char *shared = getenv("EVENHAND_SHARED");
    json_reader *reader = json_reader_new();
    for (size_t i = 0; shared && i < 4; i++)
        look_at_group(shared, &groups[i], reader);
    json_reader_free(reader);
    if (groups[0].n == 0) {
        print_message("skipped: no recorded answers\n");
        skip();
    }
    for (size_t i = 0; i < 4; i++) {
        print_message("%s: %d of %d\n", groups[i].name, groups[i].n_good, groups[i].n);
        assert_int_equal(groups[i].n, 142);
        assert_true(groups[i].n_good >= at_least[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_blocks),           TEST(test_white_space_is_counted),
        TEST(test_factual_error),    TEST(test_only_words),
        TEST(test_sources_alone),    TEST(test_gender),
        TEST(test_references),       TEST(test_rich_content),
        TEST(test_languages),        TEST(test_prompts),
        TEST(test_questions),        TEST(test_answers),
        TEST(test_lists_of_changes), TEST(test_recorded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
