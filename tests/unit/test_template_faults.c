/* SPDX-License-Identifier: MIT
 *
 * Loading templates: what is in a loaded one, every fault with its file and line, and
 * users' files. (What is accepted and refused at all: test_template.c.)
 */
#include <unistd.h>

#include "prompt/template.h"
#include "run/template_file.h"
#include "unit.h"

#define ASKS                                                                           \
    "name: own\nform: compare\nuser: |\n  {{question}}\n  {{first}}\n  {{second}}\n"   \
    "  {{ask}}\nverdict_first: Say it.\nevidence_first: First say why.\n"

static prompt_template *parse(const char *yaml) {
    prompt_template *t;
    eh_error err;
    assert_ok(prompt_template_parse(eh_str_of(yaml), "own.yaml", &t, &err), err);
    return t;
}

static void test_an_own_template(void **state) {
    (void)state;
    prompt_template *t = parse(ASKS "first_name: Left\nsecond_name: Right\n"
                                    "system: Be fair.\n");
    assert_text(t->name, "own");
    assert_int_equal(t->form.kind, VERDICT_FORM_COMPARE);
    assert_null(t->form.marks);
    assert_true(t->can_ask);
    assert_text(t->first_name, "Left");
    assert_text(t->second_name, "Right");
    assert_int_equal(t->system.n_segments, 1);
    assert_text(t->system.segments[0].text, "Be fair.");
    static const prompt_slot slots[] = {
        PROMPT_SLOT_QUESTION, PROMPT_SLOT_TEXT, PROMPT_SLOT_FIRST, PROMPT_SLOT_TEXT,
        PROMPT_SLOT_SECOND,   PROMPT_SLOT_TEXT, PROMPT_SLOT_ASK,   PROMPT_SLOT_TEXT};
    assert_int_equal(t->user.n_segments, 8);
    for (size_t i = 0; i < 8; i++)
        assert_int_equal(t->user.segments[i].slot, slots[i]);
    assert_holds(t->source, "name: own");
    prompt_template_free(t);
    prompt_template_free(NULL);
}

static void test_defaults(void **state) {
    (void)state;
    prompt_template *t = parse("name: x\nform: score\nuser: '{{first}}{{ second }}'\n");
    assert_text(t->first_name, "Assistant 1");
    assert_text(t->second_name, "Assistant 2");
    assert_int_equal(t->user.n_segments, 2);
    assert_int_equal(t->user.segments[1].slot, PROMPT_SLOT_SECOND);
    assert_int_equal(t->system.n_segments, 0);
    assert_int_equal(t->verdict_first.n_segments, 0);
    prompt_template_free(t);
}

/* Braces that are no slot stay text. */
static void test_braces_in_templates(void **state) {
    (void)state;
    prompt_template *t = parse(
        "name: x\nform: json\nuser: 'Use {\"a\": {}} }} {x} {{first}} {{second}}'\n");
    assert_text(t->user.segments[0].text, "Use {\"a\": {}} }} {x} ");
    prompt_template_free(t);
}

static const struct {
    const char *yaml;
    int line;
    const char *part;
} faulty[] = {
    {"", 1, "a template is a mapping"},
    {"- a\n", 1, "a template is a mapping"},
    {"just words\n", 1, "a template is a mapping"},
    {"name: x\nfrom: compare\nuser: '{{first}}{{second}}'\n", 2, "marks, not 'from'"},
    {"name: x\nform: compare\n", 1, "key 'user' is missing"},
    {"form: compare\nuser: '{{first}}{{second}}'\n", 1, "key 'name' is missing"},
    {"name: x\nuser: '{{first}}{{second}}'\n", 1, "key 'form' is missing"},
    {"name: x\nform: pairs\n", 2, "form must be score, compare"},
    {"name: x\nform: [score]\n", 2, "form must be score, compare"},
    {"name: ''\nform: score\n", 1, "a name of 1 to 60 bytes"},
    {"name: 1234567890123456789012345678901234567890123456789012345678901\n", 1,
     "a name of 1 to 60 bytes"},
    {"name: \"a\\nb\"\nform: score\n", 1, "on one line"},
    {"name: x\nform: score\nuser: '{{first}}'\n", 1,
     "must hold {{first}} and {{second}}"},
    {"name: x\nform: score\nuser: '{{second}}'\n", 1,
     "must hold {{first}} and {{second}}"},
    {"name: x\nform: score\nuser: '{{first}}{{second}}{{first}}'\n", 1, "each once"},
    {"name: x\nform: score\nsystem: '{{second}}'\nuser: '{{first}}{{second}}'\n", 1,
     "nowhere else"},
    {"name: x\nform: score\nuser: '{{first}} {{secnd}}'\n", 3,
     "unknown name in double braces: 'secnd'"},
    {"name: x\nform: score\nuser: '{{first}} {{second'\n", 3, "'{{' without '}}'"},
    {"name: x\nform: score\nuser: [a]\n", 3, "a text is needed here"},
    {"name: x\nname: y\nform: score\n", 2, "key given twice: 'name'"},
    {"name: x\nform: score\nform: compare\n", 3, "key given twice: 'form'"},
    {"name: x\nform: score\nuser: a\nuser: b\n", 4, "key given twice: 'user'"},
    {"name: x\nform: score\nfirst_name: A\nsecond_name: A\nuser: "
     "'{{first}}{{second}}'\n",
     1, "must differ"},
    {"name: x\nform: score\nuser: '{{first}}{{second}}{{ask}}'\n", 1, "go together"},
    {"name: x\nform: score\nuser: '{{first}}{{second}}'\nverdict_first: a\n", 1,
     "go together"},
    {"name: x\nform: score\nuser: '{{first}}{{second}}{{ask}}'\nverdict_first: a\n", 1,
     "are both needed"},
    {"name: x\nform: score\nuser: '{{first}}{{second}}{{ask}}'\nverdict_first: "
     "'{{ask}}'\n"
     "evidence_first: b\n",
     1, "belongs into 'user'"},
    {"name: x\nform: score\nsystem: '{{ask}}'\nuser: '{{first}}{{second}}'\n", 1,
     "belongs into 'user'"},
    {"name: x\nform: marks\nuser: '{{first}}{{second}}'\n", 1, "go together"},
    {"name: x\nform: score\nmarks: {tiers: [{first: [a]}]}\nuser: "
     "'{{first}}{{second}}'\n",
     1, "go together"},
    {"name: x\nmarks: 3\n", 2, "marks is a mapping"},
    {"name: x\nmarks: {}\n", 2, "either tiers or scores"},
    {"name: x\nmarks:\n  tiers: [{first: [a]}]\n  scores: [1, 2]\n", 3,
     "either tiers or scores"},
    {"name: x\nmarks:\n  where: somewhere\n", 3, "where must be anywhere"},
    {"name: x\nmarks:\n  pick: best\n", 3, "pick must be only"},
    {"name: x\nmarks:\n  wheer: anywhere\n", 3, "where and pick, not 'wheer'"},
    {"name: x\nmarks:\n  pick: only\n  pick: last\n", 4, "key given twice: 'pick'"},
    {"name: x\nmarks:\n  tiers: []\n", 3, "tiers must be a list"},
    {"name: x\nmarks:\n  tiers: [a]\n", 3, "a tier is a mapping"},
    {"name: x\nmarks:\n  tiers:\n    - {}\n", 4, "a tier needs a mark"},
    {"name: x\nmarks:\n  tiers:\n    - {one: [a]}\n", 4, "second_much, not 'one'"},
    {"name: x\nmarks:\n  tiers:\n    - {first: a}\n", 4, "a list of marks"},
    {"name: x\nmarks:\n  tiers:\n    - {first: []}\n", 4, "a list of marks"},
    {"name: x\nmarks:\n  tiers:\n    - {first: [' ']}\n", 4, "a mark is empty"},
    {"name: x\nmarks:\n  tiers:\n    - {first: [[a]]}\n", 4,
     "a mark is empty or no text"},
    {"name: x\nmarks:\n  tiers:\n    - {first: [a], first: [b]}\n", 4,
     "key given twice"},
    {"name: x\nmarks: {where: first_line, scores: [10, 1]}\n", 2, "scores must be"},
    {"name: x\nmarks: {where: first_line, scores: [1]}\n", 2, "scores must be"},
    {"name: x\nmarks: {where: first_line, scores: [a, b]}\n", 2, "scores must be"},
    {"name: x\nmarks: {scores: [1, 10]}\n", 2, "first_line or the last_line"},
    {"name: x\n  form: y\n z: [\n", 2, ""},
    {"name: 'x\n", 2, ""},
    {"name: *nowhere\n", 1, ""},
    {"name: x\nform: score\nuser: '{{first}}{{second}}'\n---\nname: y\n", 4,
     "document"},
};

static void test_faults_name_file_and_line(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof faulty / sizeof faulty[0]; i++) {
        prompt_template *t;
        eh_error err = {0};
        char where[40];
        (void)snprintf(where, sizeof where, "own.yaml: line %d: ", faulty[i].line);
        eh_status status =
            prompt_template_parse(eh_str_of(faulty[i].yaml), "own.yaml", &t, &err);
        if (status != EH_STATUS_DATA) fail_msg("taken: %s", faulty[i].yaml);
        assert_null(t);
        if (!eh_str_begins(eh_str_of(err.msg), eh_str_of(where)) ||
            !strstr(err.msg, faulty[i].part))
            fail_msg("%s\n%s", faulty[i].yaml, err.msg);
    }
}

static void test_marks(void **state) {
    (void)state;
    prompt_template *t =
        parse("name: m\nmarks:\n  where: last_line\n  pick: first\n  tiers:\n"
              "    - {first_much: ['++'], first: [a, '[[A]]'], tie: ['=']}\n"
              "    - {second: [b], second_much: [bb]}\n");
    assert_false(t->can_ask);
    assert_int_equal(t->form.kind, VERDICT_FORM_MARKS);
    assert_ptr_equal(t->form.marks, &t->marks);
    assert_int_equal(t->marks.where, VERDICT_WHERE_LAST_LINE);
    assert_int_equal(t->marks.pick, VERDICT_PICK_FIRST);
    assert_int_equal(t->marks.n_tiers, 2);
    assert_int_equal(t->marks.tiers[0].n_marks, 4);
    assert_int_equal(t->marks.tiers[0].marks[0].key, VERDICT_MARK_FIRST_MUCH);
    assert_text(t->marks.tiers[0].marks[2].text, "[[A]]");
    assert_int_equal(t->marks.tiers[1].marks[1].key, VERDICT_MARK_SECOND_MUCH);
    prompt_template_free(t);
    t = parse("name: s\nmarks: {where: first_line, scores: [0, 100]}\n");
    assert_true(t->marks.has_scores);
    assert_true(t->marks.score_low == 0 && t->marks.score_high == 100);
    prompt_template_free(t);
}

/* ---- files ---- */

static void write_file(const char *path, eh_str bytes) {
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes.ptr, 1, bytes.len, f), bytes.len);
    assert_int_equal(fclose(f), 0);
}

static void test_files(void **state) {
    (void)state;
    char folder[] = "/tmp/test_template_XXXXXX", path[80];
    prompt_template *t;
    eh_error err;
    assert_non_null(mkdtemp(folder));
    (void)snprintf(path, sizeof path, "%s/own.yaml", folder);
    assert_fails(run_template_load(path, &t, &err), EH_STATUS_USAGE, err,
                 "No such file or directory");
    write_file(path, EH_STR(ASKS));
    assert_ok(run_template_load(path, &t, &err), err);
    assert_text(t->name, "own");
    prompt_template_free(t);
    write_file(path, EH_STR("name: x\nfrom: y\n"));
    assert_fails(
        run_template_load(path, &t, &err), EH_STATUS_DATA, err,
        "own.yaml: line 2: a template has name, form, system, user, first_name, "
        "second_name, verdict_first, evidence_first and marks, not 'from'");
    write_file(path, EH_STR("name: \xFF\n"));
    assert_fails(run_template_load(path, &t, &err), EH_STATUS_DATA, err,
                 "not valid UTF-8");
    char *large = malloc(PROMPT_TEMPLATE_MAX_BYTES + 1);
    assert_non_null(large);
    memset(large, '#', PROMPT_TEMPLATE_MAX_BYTES + 1);
    write_file(path, (eh_str){large, PROMPT_TEMPLATE_MAX_BYTES + 1});
    free(large);
    assert_fails(run_template_load(path, &t, &err), EH_STATUS_TOO_BIG, err, "own.yaml");
    assert_fails(run_template_load(folder, &t, &err), EH_STATUS_IO, err, folder);
    assert_fails(run_template_load("own.yml", &t, &err), EH_STATUS_USAGE, err,
                 "own.yml");
    assert_ok(run_template_load("score", &t, &err), err);
    prompt_template_free(t);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_own_template),
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_braces_in_templates),
        cmocka_unit_test(test_faults_name_file_and_line),
        cmocka_unit_test(test_marks),
        cmocka_unit_test(test_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
