/* SPDX-License-Identifier: MIT
 *
 * The public functions as another program uses them: statuses are exit statuses, `why`
 * names the place, texts are the caller's.
 */
#include <math.h>
#include <unistd.h>

#include "base/json_read.h"
#include "base/mem.h"
#include "evenhand.h"
#include "unit.h"

typedef struct program {
    char folder[40], data[64], ledger[64], labels[64];
    char why[EH_MESSAGE_BYTES];
} program;

static void write_file(const char *path, const char *text) {
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, strlen(text), f), strlen(text));
    assert_int_equal(fclose(f), 0);
}

static int program_begin(void **state) {
    program *p = calloc(1, sizeof *p);
    assert_non_null(p);
    (void)snprintf(p->folder, sizeof p->folder, "/tmp/test_facade_XXXXXX");
    assert_non_null(mkdtemp(p->folder));
    (void)snprintf(p->data, sizeof p->data, "%s/pairs.jsonl", p->folder);
    (void)snprintf(p->ledger, sizeof p->ledger, "%s/run.db", p->folder);
    (void)snprintf(p->labels, sizeof p->labels, "%s/labels.jsonl", p->folder);
    write_file(
        p->data,
        "{\"id\":\"a\",\"question\":\"q1\",\"answer_1\":\"one\",\"answer_2\":\"two\","
        "\"quality_1\":8,\"quality_2\":4}\n"
        "{\"id\":\"b\",\"question\":\"q2\",\"answer_1\":\"x\",\"answer_2\":\"y\","
        "\"quality_1\":3,\"quality_2\":9}\n");
    write_file(p->labels, "{\"pair_id\":\"a\",\"annotator\":\"n\",\"label\":\"1\"}\n");
    *state = p;
    return 0;
}

static int program_end(void **state) {
    program *p = *state;
    (void)unlink(p->data);
    (void)unlink(p->ledger);
    (void)unlink(p->labels);
    assert_int_equal(rmdir(p->folder), 0);
    free(p);
    return 0;
}

static void must(program *p, int status) {
    if (status != 0) fail_msg("status %d: %s", status, p->why);
    assert_string_equal(p->why, "");
}

static void fails(program *p, int status, int wanted, const char *part) {
    assert_int_equal(status, wanted);
    assert_holds(eh_str_of(p->why), part);
}

/* A number below the only judge of a summary, as text. */
static void assert_number(const char *json, const char *object, const char *key,
                          const char *wanted) {
    eh_arena arena;
    json_fault fault;
    arena_init(&arena, 1 << 24);
    json_reader *r = json_reader_new();
    const json_value *v = json_read(r, &arena, eh_str_of(json), &fault);
    assert_non_null(v);
    v = json_get(json_get(v, "judges")->child, object);
    assert_non_null(json_get(v, key));
    assert_text(json_get(v, key)->text, wanted);
    json_reader_free(r);
    arena_deinit(&arena);
}

static void test_run_and_summary(void **state) {
    program *p = *state;
    char *json;
    eh_run_request request = {.data_path = p->data,
                              .judge = "sim",
                              .ledger_path = p->ledger,
                              .method = "bpc",
                              .labels_path = p->labels};
    request.limit = 1;
    fails(p, eh_run(&request, p->why), 5,
          "stopped after 1 new call; the same call goes on from there");
    request.limit = 0;
    must(p, eh_run(&request, p->why)); /* goes on */
    must(p, eh_run(&request, p->why)); /* nothing left to ask */
    must(p, eh_summary(p->ledger, NULL, &json, p->why));
    assert_number(json, "rulings", "1", "1");
    assert_number(json, "rulings", "2", "1");
    assert_number(json, "labels", "accuracy", "1");
    eh_text_free(json);
    must(p, eh_summary(p->ledger, "vanilla", &json, p->why));
    assert_number(json, "position", "first", "1");
    eh_text_free(json);
    fails(p, eh_summary(p->ledger, "best", &json, p->why), 2, "unknown method 'best'");
    assert_null(json);
    fails(p, eh_summary(p->data, NULL, &json, p->why), 6, "not an Evenhand ledger");
    fails(p, eh_summary(NULL, NULL, &json, p->why), 2, "ledger_path is needed");
    assert_null(json);
    eh_text_free(NULL);
}

static void test_run_faults(void **state) {
    program *p = *state;
    const eh_run_request good = {
        .data_path = p->data, .judge = "sim", .ledger_path = p->ledger};
    eh_run_request bad[7];
    for (size_t i = 0; i < 7; i++)
        bad[i] = good;
    bad[0].data_path = NULL;
    bad[1].judge = "nobody";
    bad[2].method = "best";
    bad[3].template_name = "scores";
    bad[4].n_samples = 99;
    bad[5].template_name = "arena5";
    bad[6].data_path = "/nowhere/pairs.jsonl";
    static const char *const parts[] = {"data_path, judge and ledger_path",
                                        "unknown judge 'nobody'",
                                        "unknown method",
                                        "unknown template",
                                        "'99' is not a whole number from 1 to 64",
                                        "'arena5' only reads replies",
                                        "/nowhere/pairs.jsonl"};
    for (size_t i = 0; i < 7; i++) {
        fails(p, eh_run(&bad[i], p->why), 2, parts[i]);
        assert_int_equal(eh_run(&bad[i], NULL), 2); /* nobody asks why */
        assert_int_not_equal(access(p->ledger, F_OK), 0);
    }
    write_file(p->data, "{\"id\":\"a\",\"question\":\"q\",\"answer_1\":\"x\"}\n");
    fails(p, eh_run(&good, p->why), 2, "1 error in the data set");
    assert_int_not_equal(access(p->ledger, F_OK), 0); /* nothing is left behind */
}

static void test_check(void **state) {
    program *p = *state;
    int64_t n_pairs, n_errors;
    must(p, eh_check(p->data, &n_pairs, &n_errors, p->why));
    assert_int_equal(n_pairs, 2);
    assert_int_equal(n_errors, 0);
    write_file(
        p->data,
        "{\"id\":\"a\",\"question\":\"q\",\"answer_1\":\"x\",\"answer_2\":\"\"}\n"
        "{\"id\":\"b\"}\nnot json\n");
    assert_int_equal(eh_check(p->data, &n_pairs, &n_errors, p->why), 2);
    assert_int_equal(n_pairs, 1);
    assert_true(n_errors >= 2);
    assert_holds(eh_str_of(p->why), "pairs.jsonl: line 2: missing_field");
    assert_int_equal(eh_check(p->data, NULL, NULL, NULL), 2);
    fails(p, eh_check(NULL, NULL, NULL, p->why), 2, "data_path is needed");
}

/* ---- by hand ---- */

static void test_prompt(void **state) {
    program *p = *state;
    const eh_prompt_texts whole = {.question = "the question",
                                   .first = "one \"quoted\"",
                                   .second = "[[A]]",
                                   .reference = "the reference",
                                   .evidence_first = 1};
    const eh_prompt_texts bare = {.question = "q", .first = "a", .second = "b"};
    char *json;
    must(p, eh_prompt("compare", &whole, &json, p->why));
    eh_arena arena;
    json_fault fault;
    arena_init(&arena, 1 << 24);
    json_reader *r = json_reader_new();
    const json_value *v = json_read(r, &arena, eh_str_of(json), &fault);
    assert_non_null(v);
    assert_int_equal(v->n, 2);
    assert_text(json_get_str(v->child, "role"), "system");
    eh_str user = json_get_str(v->child->next, "content");
    assert_holds(user, "one \"quoted\"");
    assert_holds(user, "[\xC2\xB7[A]]");
    assert_holds(user, "the reference");
    json_reader_free(r);
    arena_deinit(&arena);
    eh_text_free(json);
    must(p, eh_prompt("score", &bare, &json, p->why));
    eh_text_free(json);
    fails(p, eh_prompt("first_mark", &bare, &json, p->why), 2,
          "it can only read replies");
    assert_null(json);
    fails(p, eh_prompt("none", &bare, &json, p->why), 2, "unknown template");
    fails(p, eh_prompt(NULL, &bare, &json, p->why), 2, "template_name is needed");
}

static void test_read_reply(void **state) {
    program *p = *state;
    eh_reading r;
    must(p, eh_read_reply("score",
                          "Score of the Assistant 1: 8\nScore of the Assistant 2: 7",
                          "stop", &r, p->why));
    assert_int_equal(r.verdict, EH_ANSWER_1);
    assert_null(r.reason);
    assert_true(r.has_scores && r.score_first == 8 && r.score_second == 7);
    must(p, eh_read_reply("compare", "[[C]]", NULL, &r, p->why));
    assert_int_equal(r.verdict, EH_TIE);
    assert_false(r.has_scores);
    must(p, eh_read_reply("compare", "[[A]]", "length", &r, p->why));
    assert_int_equal(r.verdict, EH_NO_VERDICT);
    assert_string_equal(r.reason, "truncated");
    must(p, eh_read_reply("compare", NULL, NULL, &r, p->why));
    assert_string_equal(r.reason, "empty");
    fails(p, eh_read_reply("none", "x", NULL, &r, p->why), 2, "unknown template");
    fails(p, eh_read_reply(NULL, "x", NULL, &r, p->why), 2, "template_name is needed");
    assert_int_equal(r.verdict, EH_NO_VERDICT);
    assert_int_equal(r.verdict, EH_NO_VERDICT);
}

static void test_rule(void **state) {
    program *p = *state;
    eh_ruling r;
    eh_sample s[] = {{12, 0, EH_ANSWER_1, 1, 9, 5}, {21, 0, EH_ANSWER_2, 1, 4, 9}};
    must(p, eh_rule("bpc", s, 2, &r, p->why));
    assert_int_equal(r.verdict, EH_ANSWER_2);
    assert_true(r.score_1 == 6.5 && r.score_2 == 7 && r.vote == 0);
    assert_true(r.conflict && fabs(r.bpde - log(2)) < 1e-12);
    assert_null(r.none);
    s[1].has_scores = 0; /* then votes are what all have */
    must(p, eh_rule(NULL, s, 2, &r, p->why));
    assert_int_equal(r.verdict, EH_TIE);
    assert_false(r.tie_agreed);
    assert_true(isnan(r.score_1));
    must(p, eh_rule("bpc", s, 1, &r, p->why));
    assert_string_equal(r.none, "not_asked");
    assert_true(isnan(r.vote));
    must(p, eh_rule("bpc", NULL, 0, &r, p->why));
    assert_true(isnan(r.bpde));
    s[0].order = 1;
    fails(p, eh_rule("bpc", s, 2, &r, p->why), 2,
          "sample 0: order, index or verdict out of range");
    s[0].order = 12;
    s[1].sample = 64;
    fails(p, eh_rule("bpc", s, 2, &r, p->why), 2, "sample 1: order");
    s[1].sample = 1;
    fails(p, eh_rule("bpc", s, 2, &r, p->why), 2, "takes one sample");
    s[1].sample = 0;
    s[1].verdict = 4;
    fails(p, eh_rule("bpc", s, 2, &r, p->why), 2, "sample 1: order");
    eh_sample many[130];
    for (int i = 0; i < 130; i++)
        many[i] = (eh_sample){12, 0, EH_TIE, 0, 0, 0};
    fails(p, eh_rule("bpc", many, 129, &r, p->why), 2,
          "more than 128 samples of a pair");
    assert_true(isnan(r.vote) && isnan(r.bpde) && isnan(r.score_1));
}

static void test_win_rate(void **state) {
    program *p = *state;
    eh_interval i, other;
    const double values[] = {1, .5, 0, 1, 1, 0};
    const uint64_t questions[] = {7, 8, 7, 9, 8, 9};
    must(p, eh_win_rate(values, questions, 6, &i, p->why));
    assert_true(fabs(i.value - 3.5 / 6) < 1e-12);
    assert_true(i.low >= 0 && i.low < i.value && i.value < i.high && i.high <= 1);
    const double shuffled[] = {0, 1, 1, 1, .5, 0};
    const uint64_t ids[] = {9, 8, 9, 7, 8, 7};
    must(p, eh_win_rate(shuffled, ids, 6, &other, p->why));
    assert_memory_equal(&i, &other, sizeof i); /* any order gives the same bits */
    must(p, eh_win_rate(values, questions, 1, &i, p->why));
    assert_true(i.value == 1 && isnan(i.low) && isnan(i.high));
    must(p, eh_win_rate(NULL, NULL, 0, &i, p->why));
    assert_true(isnan(i.value));
    const double bad[] = {.5, 1.5};
    fails(p, eh_win_rate(bad, questions, 2, &i, p->why), 2,
          "value 1 is not from 0 to 1");
    const double nan_value[] = {NAN};
    fails(p, eh_win_rate(nan_value, questions, 1, &i, p->why), 2, "value 0");
}

static void test_version(void **state) {
    (void)state;
    assert_string_equal(eh_version(), EH_VERSION);
}

int main(void) {
#define PROGRAM_TEST(name)                                                             \
    cmocka_unit_test_setup_teardown(name, program_begin, program_end)
    const struct CMUnitTest tests[] = {
        PROGRAM_TEST(test_run_and_summary), PROGRAM_TEST(test_run_faults),
        PROGRAM_TEST(test_check),           PROGRAM_TEST(test_prompt),
        PROGRAM_TEST(test_read_reply),      PROGRAM_TEST(test_rule),
        PROGRAM_TEST(test_win_rate),        cmocka_unit_test(test_version),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
