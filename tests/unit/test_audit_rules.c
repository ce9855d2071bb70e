/* SPDX-License-Identifier: MIT
 *
 * Rule-made perturbations: each changes what it says and nothing else, the check finds
 * one that does more, and all of it holds on recorded answers.
 */
#include <stdlib.h>

#include "audit/probe.h"
#include "base/buf.h"
#include "base/json_read.h"
#include "base/utf8.h"
#include "unit.h"

static const char prose[] =
    "The river rises in the hills to the north of the town. It is fed by e.g. snow and "
    "rain.\n\nIn summer the water is low and boats are few. In winter it covers the "
    "meadows.\n\n```\nx = 1. \nprint(x). \n```\n\n- a point. \n\nThat is the usual "
    "picture of the whole year.";

static audit_change made(const char *name, const char *answer, eh_arena *arena) {
    audit_change change;
    eh_error err;
    const audit_probe *p = audit_probe_find(eh_str_of(name));
    assert_non_null(p);
    audit_input input = {.question = EH_STR("Where?"), .answer = eh_str_of(answer)};
    assert_ok(audit_perturb(p->rule, p->allows, &input, arena, &change, &err), err);
    return change;
}

static void test_references(void **state) {
    (void)state;
    eh_arena arena;
    arena_init(&arena, 1 << 20);
    audit_change c = made("references", prose, &arena);
    assert_int_equal(c.reject, AUDIT_REJECT_NONE);
    assert_int_equal(c.n_edits, 5); /* four marks and the list */
    assert_holds(c.text, "\n\nReferences:\n");
    assert_holds(c.text, "print(x). \n```"); /* no mark in code */
    assert_holds(c.text, "e.g. snow");       /* nor behind an abbreviation */
    assert_int_equal(count_of(c.text, EH_STR("\n")),
                     count_of(eh_str_of(prose), EH_STR("\n")) + 2 + 4);
    /* equal texts, equal perturbations: no matter which answer it is */
    audit_change again = made("reference", prose, &arena);
    assert_same(c.text, again.text);
    audit_change short_one = made("references", "Yes", &arena);
    assert_int_equal(short_one.reject, AUDIT_REJECT_NONE);
    assert_true(eh_str_begins(short_one.text, EH_STR("Yes\n\nReferences:\n")));
    arena_deinit(&arena);
}

static void test_rich_content(void **state) {
    (void)state;
    eh_arena arena;
    arena_init(&arena, 1 << 20);
    audit_change c = made("rich_content", prose, &arena);
    assert_int_equal(c.reject, AUDIT_REJECT_NONE);
    assert_true(eh_str_begins(c.text, EH_STR("### ")));
    assert_holds(c.text, "**The river rises in** the hills");
    assert_holds(c.text, "**In summer the water** is low");
    assert_holds(c.text, " **a point.** \n\n");
    assert_holds(c.text, "```\nx = 1. \nprint(x). \n```");
    c = made("rich_content",
             "One thing comes first. Another follows that one. So does a third.\n\n"
             "1. Alpha is here.\n2. Beta as well.\n\nYours,\nme",
             &arena);
    assert_holds(c.text, "**One thing comes first**.\n\n- ");
    assert_int_equal(count_of(c.text, EH_STR("\n\n- ")), 1); /* a list, not three */
    assert_int_equal(count_of(c.text, EH_STR("\n- ")), 2);
    assert_holds(c.text, "**So does a third**.");
    assert_holds(c.text, " **Alpha is here.**\n2. ");
    assert_int_equal(count_of(c.text, EH_STR("### ")), 1); /* none for "Yours," */
    arena_deinit(&arena);
}

static void test_lengths(void **state) {
    (void)state;
    eh_arena arena;
    arena_init(&arena, 1 << 20);
    double n = (double)utf8_count_cp(eh_str_of(prose));
    audit_change longer = made("padding", prose, &arena);
    audit_change shorter = made("shortening", prose, &arena);
    assert_int_equal(longer.reject, AUDIT_REJECT_NONE);
    assert_int_equal(shorter.reject, AUDIT_REJECT_NONE);
    assert_true(eh_str_begins(longer.text, eh_str_of(prose)));
    assert_true(eh_str_begins(eh_str_of(prose), shorter.text));
    double twice = (double)utf8_count_cp(longer.text) / n;
    assert_true(twice > 1.9 && twice < 2.1);
    double eighth = (double)utf8_count_cp(shorter.text) / n;
    assert_true(eighth > 1 / 12. && eighth < 1 / 5.);
    assert_int_equal(made("shortening", "Too short.", &arena).reject,
                     AUDIT_REJECT_TOO_SHORT);
    assert_int_equal(made("padding", " \n", &arena).reject, AUDIT_REJECT_EMPTY);
    arena_deinit(&arena);
}

/* Padding comes as near to any length as its sentences allow. */
static void test_padding_to_length(void **state) {
    (void)state;
    eh_arena arena;
    eh_error err;
    arena_init(&arena, 1 << 22);
    const audit_probe *p = audit_probe_find(EH_STR("padding"));
    for (size_t more = 15; more < 900; more += 7) {
        audit_change c;
        audit_input input = {.question = EH_STR("Where?"),
                             .answer = EH_STR("Gr\xC3\xBC\xC3\x9F Gott."),
                             .target_cp = 10 + more,
                             .seed = more};
        assert_ok(audit_perturb(p->rule, p->allows, &input, &arena, &c, &err), err);
        assert_int_equal(c.reject, AUDIT_REJECT_NONE);
        double gap = (double)utf8_count_cp(c.text) - (double)input.target_cp;
        if (gap < -12 || gap > 12) fail_msg("%zu: %g off", more, gap);
    }
    arena_deinit(&arena);
}

/* A record that leaves something out, or an edit of another rule, is found. */
static void test_check(void **state) {
    (void)state;
    eh_arena arena;
    arena_init(&arena, 1 << 20);
    audit_change c = made("majority", prose, &arena);
    assert_true(audit_check(eh_str_of(prose), &c, audit_allows_majority));
    assert_false(audit_check(eh_str_of(prose), &c, audit_allows_injection));
    assert_false(audit_check(eh_str_of(prose), &c, audit_allows_padding));
    assert_false(audit_check(EH_STR("Another answer."), &c, audit_allows_majority));
    char *hidden = arena_dup(&arena, c.text);
    hidden[3] = 'X'; /* a change that is not in the record */
    c.text.ptr = hidden;
    assert_false(audit_check(eh_str_of(prose), &c, audit_allows_majority));
    audit_change none = {.text = eh_str_of(prose)};
    assert_false(audit_check(eh_str_of(prose), &none, audit_allows_majority));
    c = made("references", prose, &arena);
    assert_true(audit_check(eh_str_of(prose), &c, audit_allows_references));
    c.n_edits--;
    assert_false(audit_check(eh_str_of(prose), &c, audit_allows_references));
    audit_edit real = {.at_byte = 3, .inserted = EH_STR(" (Darwin, 1999)")};
    assert_false(audit_allows_references(eh_str_of(prose), &real));
    arena_deinit(&arena);
}

static void test_side(void **state) {
    (void)state;
    int n_first = 0;
    char text[2][16];
    for (int i = 0; i < 1000; i++) {
        (void)snprintf(text[0], sizeof text[0], "a%d", i);
        (void)snprintf(text[1], sizeof text[1], "b%d", i);
        eh_str a = eh_str_of(text[0]), b = eh_str_of(text[1]);
        int side = audit_side(7, EH_STR("q"), a, b);
        assert_int_equal(audit_side(7, EH_STR("q"), b, a), 3 - side);
        n_first += side == 1;
    }
    assert_true(n_first > 440 && n_first < 560);
}

static void test_normalise(void **state) {
    (void)state;
    int64_t n = 0;
    assert_text(audit_normalise(EH_STR("\n a b \t\n"), &n), "a b");
    assert_int_equal(n, 5);
}

/* Sentences end where people see one: at Windows' line ends, not behind titles or
 * "etc." in the middle; code stays as it is however it is fenced. */
static void test_sentences(void **state) {
    (void)state;
    static const struct {
        const char *text;
        size_t n;
    } cases[] = {
        {"The first one.\r\nThen a second.\r\n\r\nThen a third.\r\n", 3},
        {"Letters a, b, etc. and more of them. Mrs. Hill agrees.", 2},
        {"1. Do this:\n   ```sh\n   # Sort the lines.\n   ```\n2. That is all.", 1},
        {"~~~\nNo sentence.\n```\nNone here.\n~~~\nBut this one.", 1},
        {"````\n```\nNo sentence.\n```\nNone here.\n````\nBut this one.", 1},
        {"```in one line``` is no fence. So this counts.", 2},
        {"\xE6\x98\xAF\xE3\x80\x82\xE5\xA5\xBD\xE3\x80\x82", 2},
        {"```\nopen to the end.\n", 0},
        {"Im Caf\xC3\xA9. Die Stra\xC3\x9F"
         "e war na\xC3\x9F.",
         2},
        {"\xD0\x92\xD0\xBE\xD0\xB4\xD0\xB0 \xD0\xBF\xD0\xB0\xD0\xB4\xD0\xB0\xD0"
         "\xB5\xD1\x82. \xD0\x9E\xD0\xBD\xD0\xB0 \xD1\x82\xD0\xB5\xD1\x87\xD1\x91"
         "\xD1\x82.",
         2}, /* Cyrillic */
        {"\xD7\x94\xD7\x9E\xD7\x99\xD7\x9D. \xD7\x9B\xD7\x9A \xD7\x94\xD7\x93\xD7"
         "\x91\xD7\xA8.",
         2}, /* Hebrew */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        audit_sentences walk = {.text = eh_str_of(cases[i].text)};
        size_t stop, n = 0;
        while (audit_sentences_next(&walk, &stop))
            n++;
        if (n != cases[i].n) fail_msg("%zu: %zu sentences", i, n);
    }
}

/* Markdown that a renderer reads as it is meant, whatever ends the lines. */
static void test_rich_lines(void **state) {
    (void)state;
    eh_arena arena;
    arena_init(&arena, 1 << 20);
    audit_change c =
        made("rich_content",
             "One word\r\nand another line here.\r\n\r\nThis is the second "
             "part. It goes along.\r\n",
             &arena);
    assert_int_equal(c.reject, AUDIT_REJECT_NONE);
    assert_holds(c.text, "**One word**\r\n");
    assert_holds(c.text, "### \xF0\x9F\x93\x96 In detail\n\n");
    assert_holds(c.text, "**It goes along**.\r\n");
    c = made("rich_content",
             "He says: \"Go home. Then come back.\" She stays (as ever. So does he.) "
             "here. They meet.",
             &arena);
    assert_int_equal(count_of(c.text, EH_STR("- ")), 1); /* no quotation is torn */
    assert_holds(c.text, "**They meet**.");
    c = made("rich_content", "- Run it:\n  ```sh\n- not an item.\n  ```\n", &arena);
    assert_holds(c.text, "\n- not an item.\n");
    arena_deinit(&arena);
}

/* References that no reader could find out by a page number that recurs. */
static void test_works_differ(void **state) {
    (void)state;
    eh_arena arena;
    eh_error err;
    arena_init(&arena, 4 << 20);
    const audit_probe *p = audit_probe_find(EH_STR("references"));
    for (uint64_t seed = 0; seed < 200; seed++) {
        audit_change c;
        audit_input input = {
            .question = EH_STR("q"), .answer = eh_str_of(prose), .seed = seed};
        assert_ok(audit_perturb(p->rule, p->allows, &input, &arena, &c, &err), err);
        eh_str list = c.edits[c.n_edits - 1].inserted, line, seen[8] = {{NULL, 0}};
        size_t n = 0;
        while (eh_str_split(&list, '\n', &line)) {
            size_t at = eh_str_find(line, EH_STR("). "), 0);
            if (at == SIZE_MAX) continue;
            eh_str work = eh_str_slice(line, at + 3, line.len);
            size_t dot = eh_str_find(work, EH_STR(". "), 0);
            assert_true(n + 2 <= 8 && dot != SIZE_MAX);
            seen[n++] = eh_str_slice(work, 0, dot);
            seen[n++] = eh_str_slice(work, dot, work.len);
        }
        for (size_t i = 0; i < n; i++)
            for (size_t k = 0; k < i; k++)
                if (eh_str_eq(seen[i], seen[k]))
                    fail_msg("%d: twice: %.*s", (int)seed, EH_STR_ARG(seen[i]));
        assert_true(n == 8);
    }
    arena_deinit(&arena);
}

/* No word, letter or picture is cut in two. */
static void test_shortened_whole(void **state) {
    (void)state;
    eh_arena arena;
    arena_init(&arena, 1 << 20);
    audit_change c = made(
        "shortening",
        "The novel 'To Kill a Mockingbird' was written by Harper Lee and published in "
        "1960 as a story of race and injustice in the Southern United States, seen "
        "through the eyes of a young girl who lives there.",
        &arena);
    assert_text(c.text, "The novel 'To Kill a");
    eh_buf b;
    buf_init(&b, 1 << 16);
    const char *family = "\xF0\x9F\x91\xA8\xE2\x80\x8D\xF0\x9F\x91\xA9\xE2\x80\x8D"
                         "\xF0\x9F\x91\xA7"; /* five code points, one picture */
    for (int i = 0; i < 40; i++)
        buf_add_cstr(&b, family);
    buf_add_char(&b, '\0');
    c = made("shortening", buf_view(&b).ptr, &arena);
    assert_int_equal(c.reject, AUDIT_REJECT_NONE);
    assert_int_equal(c.text.len % strlen(family), 0);
    buf_reset(&b);
    for (int i = 0; i < 99; i++)
        buf_add_cstr(&b, "e\xCC\x81"); /* e with a combining acute */
    buf_add_char(&b, '\0');
    c = made("shortening", buf_view(&b).ptr, &arena);
    assert_int_equal(c.reject, AUDIT_REJECT_NONE);
    assert_int_equal(c.text.len % 3, 0);
    buf_deinit(&b);
    arena_deinit(&arena);
}

/* ---- recorded answers ---- */

/* What people would see at once: half a word, code that was touched. */
static void look_at(const audit_probe *p, eh_str answer, const audit_change *c) {
    size_t at = c->edits[0].at_byte;
    bool cuts = eh_str_eq_cstr(eh_str_of(p->name), "shortening") && at > 0 &&
                utf8_is_ascii_alnum(answer.ptr[at]) &&
                utf8_is_ascii_alnum(answer.ptr[at - 1]);
    if (cuts) fail_msg("half a word: %.*s", EH_STR_ARG(c->text));
    assert_int_equal(count_of(c->text, EH_STR("\r**")), 0);
}

static void perturb_all(eh_str answer, eh_arena *arena, int64_t done[8]) {
    static audit_change c;
    eh_error err;
    audit_input input = {.question = EH_STR("q"), .answer = answer, .seed = 1};
    for (size_t i = 0; audit_probe_at(i); i++) {
        const audit_probe *p = audit_probe_at(i);
        if (!p->rule) continue;
        assert_ok(audit_perturb(p->rule, p->allows, &input, arena, &c, &err), err);
        if (c.reject != AUDIT_REJECT_NONE)
            fail_msg("%s: %s: %.*s", p->name, audit_reject_name(c.reject),
                     EH_STR_ARG(answer));
        look_at(p, answer, &c);
        done[i]++;
    }
}

static void test_recorded(void **state) {
    (void)state;
    static const char *const groups[] = {"control", "gender"};
    const char *shared = getenv("EVENHAND_SHARED");
    int64_t done[8] = {0};
    eh_arena arena;
    arena_init(&arena, 64 << 20);
    json_reader *reader = json_reader_new();
    for (size_t g = 0; shared && g < 2; g++) {
        char path[512], *line = NULL;
        size_t cap = 0;
        ssize_t len;
        (void)snprintf(path, sizeof path, "%s/data/judgebias/pairs_%s.jsonl", shared,
                       groups[g]);
        FILE *f = fopen(path, "rb");
        while (f && (len = getline(&line, &cap, f)) > 0) {
            json_fault fault;
            const json_value *row =
                json_read(reader, &arena, (eh_str){line, (size_t)len}, &fault);
            int64_t n = 0;
            perturb_all(audit_normalise(json_get_str(row, "answer_1"), &n), &arena,
                        done);
            perturb_all(audit_normalise(json_get_str(row, "answer_2"), &n), &arena,
                        done);
            arena_reset(&arena);
        }
        free(line);
        if (f) (void)fclose(f);
    }
    json_reader_free(reader);
    arena_deinit(&arena);
    if (done[2] == 0) {
        print_message("skipped: no recorded answers\n");
        skip();
    }
    for (size_t i = 0; audit_probe_at(i); i++)
        if (audit_probe_at(i)->rule) assert_int_equal(done[i], 568);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_references),
        cmocka_unit_test(test_rich_content),
        cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_padding_to_length),
        cmocka_unit_test(test_check),
        cmocka_unit_test(test_side),
        cmocka_unit_test(test_normalise),
        cmocka_unit_test(test_sentences),
        cmocka_unit_test(test_rich_lines),
        cmocka_unit_test(test_works_differ),
        cmocka_unit_test(test_shortened_whole),
        cmocka_unit_test(test_recorded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
