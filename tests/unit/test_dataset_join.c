/* SPDX-License-Identifier: MIT
 *
 * Questions and answers joined by id.
 */
#include "dataset_stage.h"

static memory_stage *join_options(const char *questions, const char *answers_1,
                                  const char *answers_2, eh_status expected) {
    memory_stage *m = memory_new();
    dataset_options options = {
        .questions = memory_file(m, "q", eh_str_of(questions)),
        .answers_1 = memory_file(m, "a1", eh_str_of(answers_1)),
        .answers_2 = memory_file(m, "a2", eh_str_of(answers_2)),
    };
    assert_int_equal(
        dataset_read(&options, &m->stage, &m->sink, &m->counts, m->digest, &m->err),
        expected);
    return m;
}

static void test_join(void **state) {
    (void)state;
    memory_stage *m = join_options(
        "{\"question_id\":2,\"text\":\"q2\",\"category\":\"c\",\"reference\":\"r\","
        "\"short_question\":\"s\",\"turns\":[" USER(
            "t") "],\"meta\":{\"k\":1},\"x\":2}\n"
                 "{\"id\":\"1\",\"question\":\"q1\"}\n",
        "{\"question_id\":\"1\",\"text\":\"a1\",\"model\":\"m1\",\"seed\":7}\n"
        "{\"id\":2,\"answer\":\"a2\",\"model\":\"m1\"}\n",
        "{\"question_id\":\"1\",\"text\":\"b1\",\"model\":\"m2\"}\n"
        "{\"question_id\":2,\"text\":\"b2\",\"meta\":{\"y\":[]}}\n",
        EH_STATUS_OK);
    assert_int_equal(m->n_faults, 0);
    assert_int_equal(m->counts.n_rows, 2);
    const dataset_pair *p = &m->pairs[0];
    assert_str(p->id, "2");
    assert_str(p->question, "q2");
    assert_str(p->answer_1, "a2");
    assert_str(p->answer_2, "b2");
    assert_str(p->model_1, "m1");
    assert_true(eh_str_is_absent(p->model_2));
    assert_str(p->category, "c");
    assert_str(p->reference, "r");
    assert_str(p->short_question, "s");
    assert_str(p->turns_json, "[" USER("t") "]");
    assert_str(p->meta_json, "{\"x\":2,\"k\":1,\"answer_2\":{\"y\":[]}}");
    assert_int_equal(p->line, 1);
    p = &m->pairs[1];
    assert_str(p->id, "1");
    assert_str(p->answer_2, "b1");
    assert_str(p->model_2, "m2");
    assert_str(p->meta_json, "{\"answer_1\":{\"seed\":7}}");
    memory_free(m);
}

static void test_join_meta_clash(void **state) {
    (void)state;
    static const char *const questions[] = {
        "{\"id\":1,\"text\":\"q\",\"answer_2\":\"old\",\"x\":1}",
        "{\"id\":1,\"text\":\"q\",\"meta\":{\"answer_2\":\"old\",\"x\":1}}"};
    for (size_t i = 0; i < 2; i++) {
        memory_stage *m =
            join_options(questions[i], "{\"id\":1,\"text\":\"a\",\"n\":0}",
                         "{\"id\":1,\"text\":\"b\"}", EH_STATUS_OK);
        assert_str(
            m->pairs[0].meta_json,
            "{\"question\":{\"answer_2\":\"old\",\"x\":1},\"answer_1\":{\"n\":0}}");
        memory_free(m);
    }
}

static void test_join_faults(void **state) {
    (void)state;
    memory_stage *m = join_options(
        "{\"id\":1,\"text\":\"q\"}\n{\"id\":1,\"text\":\"again\"}\n"
        "{\"id\":\"2\",\"text\":\"q\"}\n{\"id\":3,\"text\":\"q\"}\n{\"id\":4}\n",
        "{\"id\":3,\"text\":\"\"}\n\n{\"id\":1,\"text\":\"a\"}\n{\"id\":\"1\",\"text\":"
        "\"x\"}\n"
        "{\"text\":\"no "
        "id\"}\n{\"id\":9,\"text\":7}\n7\n{\"id\":8,\"text\":\"left\"}\n",
        "{\"id\":\"1\",\"text\":\"a\"}\n{\"id\":2,\"text\":\"b\"}\n{\"id\":3,\"text\":"
        "\"b\"}\n"
        "{\"id\":7,\"text\":\"left\\u0000\"}\n",
        EH_STATUS_OK);
    assert_int_equal(m->n_pairs, 2);
    assert_int_equal(m->counts.n_rows, 2);
    static const struct {
        dataset_fault_kind kind;
        const char *file;
        int64_t line, other_line;
        const char *id;
    } expected[] = {
        {DATASET_FAULT_DUPLICATE_ID, "a1", 4, 3, "1"},
        {DATASET_FAULT_MISSING_FIELD, "a1", 5, 0, ""},
        {DATASET_FAULT_WRONG_TYPE, "a1", 6, 0, "9"},
        {DATASET_FAULT_NOT_AN_OBJECT, "a1", 7, 0, ""},
        {DATASET_FAULT_CONTAINS_NUL, "a2", 4, 0, "7"},
        {DATASET_FAULT_ID_TYPE_DIFFERS, "a2", 1, 0, "1"},
        {DATASET_FAULT_IDENTICAL_ANSWERS, "q", 1, 0, "1"},
        {DATASET_FAULT_DUPLICATE_ID, "q", 2, 1, "1"},
        {DATASET_FAULT_MISSING_ANSWER, "a1", 0, 0, "2"},
        {DATASET_FAULT_ID_TYPE_DIFFERS, "a2", 2, 0, "2"},
        {DATASET_FAULT_EMPTY_ANSWER, "a1", 1, 0, "3"},
        {DATASET_FAULT_MISSING_FIELD, "q", 5, 0, "4"},
        {DATASET_FAULT_UNKNOWN_ID, "a1", 8, 0, "8"},
        {DATASET_FAULT_UNKNOWN_ID, "a2", 4, 0, "7"},
    };
    assert_int_equal(m->n_faults, sizeof expected / sizeof expected[0]);
    for (size_t i = 0; i < m->n_faults; i++) {
        const dataset_fault *f = &m->faults[i];
        assert_string_equal(dataset_fault_name(f->kind),
                            dataset_fault_name(expected[i].kind));
        assert_string_equal(strrchr(f->file, '/') + 1, expected[i].file);
        assert_int_equal(f->line, expected[i].line);
        assert_int_equal(f->other_line, expected[i].other_line);
        assert_str(f->id, expected[i].id);
    }
    memory_free(m);
}

/* Both answers of one pair empty, in two files: both places are named. */
static void test_join_empty_answers(void **state) {
    (void)state;
    memory_stage *m =
        join_options("{\"id\":1,\"text\":\"q\"}", "{\"id\":1,\"text\":\"\"}",
                     "{\"id\":1,\"text\":\" \"}", EH_STATUS_OK);
    assert_int_equal(memory_count(m, DATASET_FAULT_EMPTY_ANSWER), 2);
    memory_free(m);
    m = join_options("", "{\"id\":1,\"text\":\"\"}", "", EH_STATUS_OK);
    assert_int_equal(memory_count(m, DATASET_FAULT_UNKNOWN_ID), 1);
    assert_string_equal(strrchr(memory_fault(m, DATASET_FAULT_NO_PAIRS)->file, '/'),
                        "/q");
    memory_free(m);
}

static void test_join_formats(void **state) {
    (void)state;
    memory_stage *m = join_options(
        "question_id,text,level\n1,q,easy\n", "{\"question_id\":1,\"text\":\"a\"}\n",
        "{\"question_id\":\"1\",\"text\":\"b\"}\n", EH_STATUS_OK);
    assert_int_equal(m->n_faults, 0); /* a CSV cell has no type that could differ */
    assert_str(m->pairs[0].meta_json, "{\"level\":\"easy\"}");
    memory_stage *other = join_options(
        "question_id,text,level\n1,q,easy\n", "{\"question_id\":1,\"text\":\"a\"}\n",
        "{\"question_id\":\"1\",\"text\":\"c\"}\n", EH_STATUS_OK);
    assert_memory_not_equal(m->digest, other->digest, 32);
    memory_free(m);
    memory_free(other);
}

static void test_join_usage(void **state) {
    (void)state;
    static const char one_of_two[] =
        "give either one file of pairs, or questions and two files of answers";
    static const char two[] = "questions need two files of answers";
    static const struct {
        dataset_options o;
        const char *says;
    } bad[] = {
        {{0}, one_of_two},
        {{.path = "a", .questions = "b"}, one_of_two},
        {{.questions = "a"}, two},
        {{.questions = "a", .answers_1 = "b"}, two},
        {{.answers_1 = "a", .answers_2 = "b"}, two},
        {{.questions = "-", .answers_1 = "-", .answers_2 = "b"},
         "only one file can be standard input"},
        {{.questions = "a", .answers_1 = "b", .answers_2 = "c", .map = "id=x"},
         "--map is for one file of pairs"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        memory_stage *m = memory_new();
        assert_int_equal(
            dataset_read(&bad[i].o, &m->stage, &m->sink, &m->counts, NULL, &m->err),
            EH_STATUS_USAGE);
        assert_non_null(strstr(m->err.msg, bad[i].says));
        memory_free(m);
    }
    memory_stage *m = memory_new();
    dataset_options lost = {.questions = "/nowhere/q",
                            .answers_1 = "/nowhere/a",
                            .answers_2 = "/nowhere/b"};
    assert_int_equal(
        dataset_read(&lost, &m->stage, &m->sink, &m->counts, NULL, &m->err),
        EH_STATUS_DATA);
    memory_free(m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_join),         cmocka_unit_test(test_join_meta_clash),
        cmocka_unit_test(test_join_faults),  cmocka_unit_test(test_join_empty_answers),
        cmocka_unit_test(test_join_formats), cmocka_unit_test(test_join_usage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
