/* SPDX-License-Identifier: MIT
 *
 * Probes of a user's own by a prompt: how the prompt is taken, what a reply may change,
 * and the list of probes on the command line.
 */
#include <unistd.h>

#include "alter_make.h"
#include "generate/generate.h"

#define BLOCK "<answer_{{tag}}>\n...\n</answer_{{tag}}>\n"

static alter_probe own_probe(const char *text) {
    alter_probe p;
    eh_error err;
    assert_ok(alter_probe_own(EH_STR("mine"), AUDIT_OVERSIGHT, "mine.txt",
                              eh_str_of(text), &arena, &p, &err),
              err);
    return p;
}

static void test_own_prompts(void **state) {
    (void)state;
    static const struct {
        const char *text, *part;
    } bad[] = {
        {"", "mine.txt: there is no prompt in it"},
        {"Be brief.\n---\n \n", "mine.txt: there is no prompt behind the line ---"},
        {"Change it.\n" BLOCK, "mine.txt: {{answer}} is missing"},
        {"Change {{answer}}.", "mine.txt: <answer_{{tag}}> and </answer_{{tag}}> are"},
        {"{{answer}} <answer_{{tag}}>", "</answer_{{tag}}> are missing"},
        {"One\n\n{{answer}} {{words}}\n" BLOCK,
         "mine.txt: line 3: unknown name in double braces: 'words' (there are tag"},
        {"One\n{{answer\n}}" BLOCK, "mine.txt: line 2: '{{' without '}}' in its line"},
        {"{{answer}}\n\xFF" BLOCK, "mine.txt: line 2: this is not UTF-8"},
    };
    alter_probe p;
    alter_prompt prompt;
    eh_error err;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_fails(alter_probe_own(EH_STR("mine"), AUDIT_OVERSIGHT, "mine.txt",
                                     eh_str_of(bad[i].text), &arena, &p, &err),
                     EH_STATUS_CONFIG, err, bad[i].part);
    p = own_probe("\xEF\xBB\xBF"
                  "Be brief.\r\n---\r\nSpoil {{ answer }}:\r\n" BLOCK);
    assert_int_equal(p.kind, ALTER_KIND_OWN);
    assert_int_equal(p.form, AUDIT_OVERSIGHT);
    assert_int_equal(p.most_listed, 0);
    alter_asked asked = {.step = ALTER_CHANGE,
                         .probe = &p,
                         .question = EH_STR("Why?"),
                         .answer = EH_STR("So {{tag}} it is.")};
    assert_ok(alter_prompt_make(&asked, &arena, &prompt, &err), err);
    assert_int_equal(prompt.n_messages, 2);
    assert_text(prompt.messages[0].content, "Be brief.");
    char *want = arena_printf(&arena,
                              "Spoil So {{tag}} it is.:\n<answer_%.*s>\n...\n"
                              "</answer_%.*s>",
                              EH_STR_ARG(prompt.tag), EH_STR_ARG(prompt.tag));
    assert_same(prompt.messages[1].content, eh_str_of(want));
    /* without a system text there is one message; another prompt has another tag */
    eh_str tag = prompt.tag;
    p = own_probe("Spoil {{answer}} <changes_{{tag}}>" BLOCK);
    assert_ok(alter_prompt_make(&asked, &arena, &prompt, &err), err);
    assert_int_equal(prompt.n_messages, 1);
    assert_text(prompt.messages[0].role, "user");
    assert_int_equal(p.fewest_listed, 1);
    assert_false(eh_str_eq(tag, prompt.tag));
}

static audit_reject check_own(alter_probe *p, double share, const char *text) {
    alter_made *made = arena_zalloc(&arena, 1, sizeof *made);
    eh_error err;
    p->max_share = share;
    assert_ok(alter_check(p, eh_str_of(kite), eh_str_of(text), &arena, made, &err),
              err);
    if (made->change.reject == AUDIT_REJECT_NONE)
        assert_true(audit_check(eh_str_of(kite), &made->change, NULL));
    return made->change.reject;
}

static void test_own_changes(void **state) {
    (void)state;
    alter_probe p = own_probe("Say politely that it is false: {{answer}}" BLOCK);
    const char *polite = arena_printf(&arena, "Thank you for asking me that. %s", kite);
    assert_int_equal(check_own(&p, .5, polite), AUDIT_REJECT_NONE);
    assert_int_equal(check_own(&p, .5, kite), AUDIT_REJECT_UNCHANGED);
    assert_int_equal(check_own(&p, .5, with(kite, "\n\n", "  ")),
                     AUDIT_REJECT_UNCHANGED); /* white space is no change */
    assert_int_equal(check_own(&p, .5, with(kite, "tilted.", "TILTED!")),
                     AUDIT_REJECT_NONE); /* case and marks are one */
    assert_int_equal(check_own(&p, .5, french), AUDIT_REJECT_OTHER_LANGUAGE);
    assert_int_equal(check_own(&p, .5, "A kite flies because of the wind."),
                     AUDIT_REJECT_TOO_MUCH);
    assert_int_equal(check_own(&p, 1, "A kite flies because of the wind."),
                     AUDIT_REJECT_NONE);
    /* 8 words always, then the share: of 64 words .2 are 12 */
    const char *nine = arena_printf(&arena,
                                    "one two three four five six seven eight "
                                    "nine %s",
                                    kite);
    assert_int_equal(check_own(&p, .01, with(nine, "nine ", "")), AUDIT_REJECT_NONE);
    assert_int_equal(check_own(&p, .01, nine), AUDIT_REJECT_TOO_MUCH);
    assert_int_equal(check_own(&p, .2, nine), AUDIT_REJECT_NONE);
    /* what the prompt itself speaks of may stand in the answer */
    assert_int_equal(check_own(&p, .5, with(kite, "steady.", "steady, with errors.")),
                     AUDIT_REJECT_TELLS);
    p = own_probe("Write it with errors: {{answer}}" BLOCK);
    assert_int_equal(check_own(&p, .5, with(kite, "steady.", "steady, with errors.")),
                     AUDIT_REJECT_NONE);
}

/* More places than the record has room for become one edit. */
static void test_own_of_many_places(void **state) {
    (void)state;
    alter_probe p = own_probe("Spoil {{answer}}" BLOCK), errors;
    alter_made *made = arena_zalloc(&arena, 1, sizeof *made);
    eh_buf a, b;
    eh_error err;
    p.max_share = 1;
    buf_init(&a, BUF_MAX_SMALL);
    buf_init(&b, BUF_MAX_SMALL);
    for (int i = 0; i < 2 * AUDIT_EDITS_MAX; i++) {
        buf_printf(&a, "same word%d here. ", i);
        buf_printf(&b, "same term%d here. ", i);
    }
    eh_str was = eh_str_trim(buf_view(&a)), is = eh_str_trim(buf_view(&b));
    assert_ok(alter_check(&p, was, is, &arena, made, &err), err);
    assert_int_equal(made->change.reject, AUDIT_REJECT_NONE);
    assert_int_equal(made->change.n_edits, 1);
    assert_int_equal(made->change.edits[0].at_byte, 5);
    assert_true(audit_check(was, &made->change, NULL));
    errors = alter_probe_of(ALTER_KIND_RICH_CONTENT);
    assert_ok(alter_check(&errors, was, is, &arena, made, &err), err);
    assert_int_not_equal(made->change.reject, AUDIT_REJECT_NONE);
    buf_deinit(&a);
    buf_deinit(&b);
}

static void test_own_replies(void **state) {
    (void)state;
    alter_found *f = arena_zalloc(&arena, 1, sizeof *f);
    alter_probe p = own_probe("Spoil {{answer}} " BLOCK);
    alter_asked asked = {.step = ALTER_CHANGE, .probe = &p, .answer = eh_str_of(kite)};
    const char *text = with(kite, "1752", "1852");
    const char *form = "<answer_@>\n%s\n</answer_@>";
    char *good = arena_printf(&arena, form, text);
    assert_int_equal(take(&asked, good, f), AUDIT_REJECT_NONE);
    assert_same(f->text, eh_str_of(text));
    assert_int_equal(take(&asked, arena_printf(&arena, "%s%s", good, good), f),
                     AUDIT_REJECT_TWO_BLOCKS);
    assert_int_equal(
        take(&asked, arena_printf(&arena, "<changes_@>a</changes_@>%s", good), f),
        AUDIT_REJECT_TWO_BLOCKS);
    assert_int_equal(take(&asked, text, f), AUDIT_REJECT_NO_BLOCK);
    assert_int_equal(take(&asked, "I'm sorry, but I can't help with that.", f),
                     AUDIT_REJECT_REFUSED);
    /* a prompt that asks for a list gets one, of any length */
    p = own_probe("Spoil {{answer}} <changes_{{tag}}>\n</changes_{{tag}}>" BLOCK);
    assert_int_equal(take(&asked, good, f), AUDIT_REJECT_NO_BLOCK);
    assert_int_equal(
        take(&asked, arena_printf(&arena, "<changes_@>a\nb\nc\nd</changes_@>%s", good),
             f),
        AUDIT_REJECT_NONE);
    assert_text(f->changes, "a\nb\nc\nd");
}

/* ---- the list of probes ---- */

static const char *prompt_file(void) {
    static char path[64];
    (void)snprintf(path, sizeof path, "/tmp/evenhand-own-%ld.txt", (long)getpid());
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_true(fputs("Spoil {{answer}} " BLOCK, f) >= 0);
    assert_int_equal(fclose(f), 0);
    return path;
}

static eh_status read_list(const char *list, const char *limits, alter_probe **probes,
                           size_t *n, eh_error *err) {
    return generate_probes_read(eh_str_of(list), eh_str_of(limits), &arena, probes, n,
                                err);
}

static void test_lists(void **state) {
    (void)state;
    const char *file = prompt_file();
    alter_probe *p;
    size_t n;
    eh_error err;
    char *list =
        arena_printf(&arena, "rich, mine:susceptibility=%s,a:oversight=%s", file, file);
    assert_ok(read_list(list, NULL, &p, &n, &err), err);
    assert_int_equal(n, 3);
    assert_text(p[0].name, "rich_content");
    assert_int_equal(p[0].kind, ALTER_KIND_RICH_CONTENT);
    assert_text(p[1].name, "mine");
    assert_int_equal(p[1].kind, ALTER_KIND_OWN);
    assert_int_equal(p[1].form, AUDIT_SUSCEPTIBILITY);
    assert_int_equal(p[2].form, AUDIT_OVERSIGHT);
    assert_true(p[1].max_share == ALTER_OWN_SHARE);
    assert_ok(read_list(list, "a=5%,1.5", &p, &n, &err), err);
    assert_true(p[1].max_share == 1.5 && p[2].max_share == .05);
    (void)remove(file);
}

static void test_bad_lists(void **state) {
    (void)state;
    static const struct {
        const char *list, *limits; /* @ stands for a prompt's file */
        eh_status status;
        const char *part;
    } bad[] = {
        {"gender,padding", NULL, EH_STATUS_USAGE,
         "rich_content, and yours as NAME:FORM"},
        {"gender,gender", NULL, EH_STATUS_USAGE, "gender is there twice"},
        {"a:oversight=@,a:oversight=@", NULL, EH_STATUS_USAGE, "a is there twice"},
        {"a=@", NULL, EH_STATUS_USAGE, "say the form of a: a:oversight="},
        {"a:oversight", NULL, EH_STATUS_USAGE, "a needs the file of its prompt"},
        {"a:soft=@", NULL, EH_STATUS_USAGE, "not 'soft'"},
        {"a b:oversight=@", NULL, EH_STATUS_USAGE, "names hold letters"},
        {"a:oversight=", NULL, EH_STATUS_USAGE, "a file is missing behind '='"},
        {"padding:oversight=@", NULL, EH_STATUS_USAGE, "padding is a known probe"},
        {"misinformation=@", NULL, EH_STATUS_USAGE, "needs another name"},
        {"pairs:oversight=@", NULL, EH_STATUS_USAGE, "itself calls a file or a step"},
        {"review-a:oversight=@", NULL, EH_STATUS_USAGE, "another name"},
        {"a:oversight=/nowhere/p", NULL, EH_STATUS_CONFIG, "/nowhere/p: No such file"},
        {"gender", ".5", EH_STATUS_USAGE, "--probes has none"},
        {"a:oversight=@", "b=.5", EH_STATUS_USAGE, "no probe of yours is called 'b'"},
        {"gender,a:oversight=@", "gender=.5", EH_STATUS_USAGE, "is called 'gender'"},
        {"a:oversight=@", "much", EH_STATUS_USAGE, "'much' is not a share"},
        {"a:oversight=@", "a=0", EH_STATUS_USAGE, "'0' is not a share above 0"},
        {"a:oversight=@", "1001%", EH_STATUS_USAGE, "10 at most"},
        {"a:oversight=@", "a=.1,a=.2", EH_STATUS_USAGE, "two shares for a"},
    };
    const char *file = prompt_file();
    alter_probe *p;
    size_t n;
    eh_error err;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        eh_buf list;
        buf_init(&list, BUF_MAX_SMALL);
        for (const char *c = bad[i].list; *c; c++)
            if (*c == '@')
                buf_add_cstr(&list, file);
            else
                buf_add_char(&list, *c);
        const char *text = arena_dup(&arena, buf_view(&list));
        buf_deinit(&list);
        assert_fails(read_list(text, bad[i].limits, &p, &n, &err), bad[i].status, err,
                     bad[i].part);
    }
    eh_buf many;
    buf_init(&many, BUF_MAX_SMALL);
    for (int i = 0; i <= AUDIT_PROBES_MAX; i++)
        buf_printf(&many, "%sp%d:oversight=%s", i ? "," : "", i, file);
    assert_fails(read_list(arena_dup(&arena, buf_view(&many)), NULL, &p, &n, &err),
                 EH_STATUS_USAGE, err, "--probes: more than 64 probes");
    buf_deinit(&many);
    (void)remove(file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_own_prompts), TEST(test_own_changes), TEST(test_own_of_many_places),
        TEST(test_own_replies), TEST(test_lists),       TEST(test_bad_lists),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
