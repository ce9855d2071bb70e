/* SPDX-License-Identifier: MIT
 *
 * Template files: what is accepted, and that every mistake is named with its line
 * (docs/templates.md).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "prompt/template.h"

#define ASK "name: x\nform: compare\n"
#define USER "user: '{{first}} {{second}}'\n"
#define MARKS "name: x\nmarks:\n"

static void test_builtin_templates(void **state) {
    (void)state;
    size_t n = 0;
    for (; prompt_builtin_name(n).len; n++) {
        eh_error err = {0};
        prompt_template *t;
        eh_str name = prompt_builtin_name(n);
        if (prompt_template_builtin(name, &t, &err) != EH_STATUS_OK)
            fail_msg("%.*s: %s", EH_STR_ARG(name), err.msg);
        assert_true(eh_str_eq(t->name, name));
        prompt_template_free(t);
    }
    assert_true(n >= 10);
    prompt_template *t;
    eh_error err;
    assert_int_equal(prompt_template_builtin(EH_STR("scores"), &t, &err),
                     EH_STATUS_USAGE);
    assert_null(t);
    assert_non_null(strstr(err.msg, "first_line_scores"));
}

static void test_accepted(void **state) {
    (void)state;
    const char *const texts[] = {
        ASK USER,
        ASK "user: |\n  {{ first }}{{second}} {{ask}}\nverdict_first: a\n"
            "evidence_first: b\n",
        ASK USER "first_name: Left\nsecond_name: Right\nsystem: Be fair.\n",
        MARKS "  where: last_line\n  scores: [0, 5]\n",
        MARKS "  tiers:\n    - {first: [a], second: [b]}\n    - {tie: ['=']}\n",
        MARKS "  {where: first_line, tiers: [{first: ['1']}]}\n" USER,
        "form: marks\n" MARKS "  {tiers: [{first: [a]}]}\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        eh_error err = {0};
        prompt_template *t;
        if (prompt_template_parse(eh_str_of(texts[i]), "own.yaml", &t, &err) !=
            EH_STATUS_OK)
            fail_msg("%s\n%s", texts[i], err.msg);
        assert_true(t->can_ask == (strstr(texts[i], "user:") != NULL));
        assert_true((t->form.kind == VERDICT_FORM_MARKS) ==
                    (strstr(texts[i], "marks:") != NULL));
        prompt_template_free(t);
    }
}

static void test_refused(void **state) {
    (void)state;
    const struct {
        const char *text, *message;
    } cases[] = {
        {"", "line 1: a template is a mapping"},
        {"- a\n", "a template is a mapping"},
        {"name: [\n", "line 2: "},
        {ASK, "key 'user' is missing"},
        {"form: score\n" USER, "key 'name' is missing"},
        {"name: x\n" USER, "key 'form' is missing"},
        {"name: x\nform: scores\n" USER, "line 2: form must be"},
        {"name: x\nname: y\nform: score\n" USER, "line 2: key given twice: 'name'"},
        {ASK "form: score\n" USER, "line 3: key given twice: 'form'"},
        {ASK USER USER, "line 4: key given twice: 'user'"},
        {ASK "usr: a\n" USER, "and marks, not 'usr'"},
        {ASK "user: '{{first}} {{secnd}}'\n", "line 3: unknown name in double braces"},
        {ASK "user: '{{first}} {{second'\n", "line 3: '{{' without '}}'"},
        {ASK "user: '{{first}}'\n", "must hold {{first}} and {{second}}"},
        {ASK "user: [a]\n", "line 3: a text is needed"},
        {ASK "user: '{{first}} {{second}} {{ask}}'\n", "go together"},
        {ASK USER "verdict_first: a\n", "go together"},
        {ASK "user: '{{first}}{{second}}{{ask}}'\nverdict_first: a\n", "both needed"},
        {ASK USER "system: '{{ask}}'\n", "belongs into 'user'"},
        {ASK USER "first_name: Assistant 2\n", "must differ"},
        {ASK USER "first_name: \"A\\nB\"\n", "line 4: a name of"},
        {ASK USER "marks: {tiers: [{first: [a]}]}\n", "go together"},
        {"name: x\nform: marks\n", "go together"},
        {MARKS "  where: here\n", "line 3: where must be"},
        {MARKS "  pick: any\n", "line 3: pick must be"},
        {MARKS "  where: first_line\n", "either tiers or scores"},
        {MARKS "  scores: [1, 10]\n", "first_line or the last_line"},
        {MARKS "  {where: last_line, scores: [10, 1]}\n", "scores must be"},
        {MARKS "  {where: last_line, scores: [a, b]}\n", "scores must be"},
        {MARKS "  {where: last_line, scores: [0, 1], tiers: [{tie: [a]}]}\n", "either"},
        {MARKS "  tier: []\n",
         "line 3: marks has tiers, scores, where and pick, not 'tier'"},
        {MARKS "  tiers: []\n", "line 3: tiers must be"},
        {MARKS "  tiers: [a]\n", "a tier is a mapping"},
        {MARKS "  tiers: [{}]\n", "a tier needs a mark"},
        {MARKS "  tiers: [{third: [a]}]\n", "second_much, not 'third'"},
        {MARKS "  tiers: [{first: a}]\n", "a list of marks"},
        {MARKS "  tiers: [{first: ['']}]\n", "a mark is empty"},
        {MARKS "  tiers: [{first: [a], first: [b]}]\n", "key given twice: 'first'"},
        {MARKS "  pick: only\n  pick: last\n", "line 4: key given twice: 'pick'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        eh_error err = {0};
        prompt_template *t;
        eh_status status =
            prompt_template_parse(eh_str_of(cases[i].text), "own.yaml", &t, &err);
        if (status != EH_STATUS_DATA || !strstr(err.msg, cases[i].message) ||
            strncmp(err.msg, "own.yaml: line ", 15) != 0)
            fail_msg("%s\nsays: %s", cases[i].text, err.msg);
        assert_null(t);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_builtin_templates),
        cmocka_unit_test(test_accepted),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
