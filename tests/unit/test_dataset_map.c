/* SPDX-License-Identifier: MIT
 *
 * Maps to other names, and lists of messages as in preference data.
 */
#include "dataset_stage.h"

static void test_map(void **state) {
    (void)state;
    memory_stage *m = read_mapped(
        "in.jsonl",
        EH_STR(
            "{\"n\":5,\"prompt\":\"q\",\"out\":{\"texts\":[\"a\",\"b\"],\"by\":\"x\"},"
            "\"cat.egory\":\"c\",\"cat\":{\"egory\":\"no\"},\"answer_1\":\"old\"}\n"),
        " id = n , question=prompt,answer_1=out.texts.0,answer_2=out.texts.1,"
        "category=cat.egory,model_1=out.by");
    assert_int_equal(m->n_faults, 0);
    const dataset_pair *p = memory_pair(m, "5");
    assert_str(p->question, "q");
    assert_str(p->answer_1, "a");
    assert_str(p->answer_2, "b");
    assert_str(p->category, "c");
    assert_str(p->model_1, "x");
    /* what fields hold is not kept a second time, members of lists excepted */
    assert_str(p->meta_json,
               "{\"out\":{\"texts\":[\"a\",\"b\"]},\"cat\":{\"egory\":\"no\"},"
               "\"answer_1\":\"old\"}");
    memory_free(m);
}

static void test_map_missing(void **state) {
    (void)state;
    static const char *const rows[] = {
        "{\"id\":1,\"answer_1\":\"own name\",\"a\":{\"b\":[]}}", "{\"id\":1,\"a\":7}",
        "{\"id\":1,\"a\":{\"b\":[7]}}", "{\"id\":1}"};
    for (size_t i = 0; i < 4; i++) {
        memory_stage *m = read_mapped("in.jsonl", eh_str_of(rows[i]),
                                      "answer_1=a.b.0,question=id,answer_2=id.x");
        bool is_wrong_type = i == 2;
        assert_int_equal(memory_count(m, DATASET_FAULT_WRONG_TYPE), 1 + is_wrong_type);
        assert_int_equal(memory_count(m, DATASET_FAULT_MISSING_FIELD),
                         2 - is_wrong_type);
        memory_free(m);
    }
}

static void test_bad_maps(void **state) {
    (void)state;
    static const struct {
        const char *map, *message;
    } maps[] = {
        {"question", "'question' is not of the form"},
        {"question=", "not of the form"},
        {"=x", "not of the form"},
        {"", "not of the form"},
        {"question=a,,id=b", "not of the form"},
        {"answer_3=x", "'answer_3' is not one of our fields"},
        {"id=a,id=b", "id is given twice"},
    };
    for (size_t i = 0; i < sizeof maps / sizeof maps[0]; i++) {
        memory_stage *m = memory_new();
        dataset_options options = {.path = "-", .map = maps[i].map};
        assert_int_equal(
            dataset_read(&options, &m->stage, &m->sink, &m->counts, NULL, &m->err),
            EH_STATUS_USAGE);
        if (!strstr(m->err.msg, maps[i].message)) fail_msg("%s", m->err.msg);
        memory_free(m);
    }
}

static void test_one_sided(void **state) {
    (void)state;
    static const struct {
        const char *map;
        const char *field; /* NULL: no warning */
    } maps[] = {
        {"answer_1=chosen,answer_2=rejected", "answer_1"},
        {"answer_1=rejected,answer_2=chosen", "answer_2"},
        {"answer_1=x.better.text,answer_2=x.worse.text", "answer_1"},
        {"answer_1=left,answer_2=right", NULL},
        {"answer_1=chosen", NULL},
    };
    for (size_t i = 0; i < sizeof maps / sizeof maps[0]; i++) {
        memory_stage *m = read_mapped(
            "in.jsonl",
            EH_STR("{\"id\":1,\"question\":\"q\",\"answer_2\":\"z\",\"chosen\":\"c\","
                   "\"rejected\":\"r\",\"left\":\"l\",\"right\":\"s\","
                   "\"x\":{\"better\":{\"text\":\"b\"},\"worse\":{\"text\":\"w\"}}}"),
            maps[i].map);
        assert_int_equal(m->n_pairs, 1);
        if (maps[i].field)
            assert_str(only_fault(m, DATASET_FAULT_ONE_SIDED)->field, maps[i].field);
        else
            assert_int_equal(m->n_faults, 0);
        memory_free(m);
    }
}

static memory_stage *read_dialogue(const char *members) {
    char text[1200];
    (void)snprintf(text, sizeof text, "{\"id\":\"m\",%s}\n", members);
    return read_text(text);
}

static void test_messages(void **state) {
    (void)state;
    static const struct {
        const char *members, *turns;
    } rows[] = {
        /* the question only inside the lists */
        {"\"answer_1\":[" USER("q") "," BOT("a") "],"
                                                 "\"answer_2\":[" USER("q") "," BOT(
                                                     "b") "]",
         NULL},
        /* with turns before it */
        {"\"answer_1\":[" SYS "," USER("x") "," BOT("y") "," USER("q") "," BOT(
             "a") "],"
                  "\"answer_2\":[" SYS
                  "," USER("x") "," BOT("y") "," USER("q") "," BOT("b") "]",
         "[" SYS "," USER("x") "," BOT("y") "]"},
        /* the question as a text too */
        {"\"question\":\"q\",\"answer_1\":[" SYS
         "," USER("q") "," BOT("a") "],"
                                    "\"answer_2\":[" SYS "," USER("q") "," BOT("b") "]",
         "[" SYS "]"},
        /* a list of its own, answers without a conversation */
        {"\"question\":[" SYS
         "," USER("q") "],\"answer_1\":[" BOT("a") "],"
                                                   "\"answer_2\":[" BOT("b") "]",
         "[" SYS "]"},
        /* both */
        {"\"question\":[" SYS "," USER("q") "],"
                                            "\"answer_1\":[" SYS "," USER("q") "," BOT(
                                                "a") "],"
                                                     "\"answer_2\":[" SYS
                                                     "," USER("q") "," BOT("b") "]",
         "[" SYS "]"},
        /* one answer is a text */
        {"\"answer_1\":\"a\",\"answer_2\":[" USER("q") "," BOT("b") "]", NULL},
        {"\"question\":\"q\",\"answer_1\":[" BOT("a") "],\"answer_2\":\"b\"", NULL},
        /* turns that are given are not replaced */
        {"\"turns\":[" USER("given") "],\"answer_1\":[" SYS
                                     "," USER("q") "," BOT("a") "],"
                                                                "\"answer_2\":\"b\"",
         "[" USER("given") "]"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        memory_stage *m = read_dialogue(rows[i].members);
        assert_int_equal(m->n_faults, 0);
        const dataset_pair *p = memory_pair(m, "m");
        assert_str(p->question, "q");
        assert_str(p->answer_1, "a");
        assert_str(p->answer_2, "b");
        assert_str(p->turns_json, rows[i].turns ? rows[i].turns : "");
        assert_true(eh_str_is_absent(p->meta_json));
        memory_free(m);
    }
}

static void test_bad_messages(void **state) {
    (void)state;
    static const struct {
        const char *members;
        dataset_fault_kind kind;
        const char *field;
    } rows[] = {
        {"\"answer_1\":[" USER("q") "," BOT("a") "],\"answer_2\":[" USER("q") "]",
         DATASET_FAULT_WRONG_TYPE, "answer_2"},
        {"\"answer_1\":[" BOT("a") "," USER("q") "],\"answer_2\":\"b\"",
         DATASET_FAULT_WRONG_TYPE, "answer_1"},
        {"\"question\":[" USER("q") "," BOT(
             "?") "],\"answer_1\":\"a\",\"answer_2\":\"b\"",
         DATASET_FAULT_WRONG_TYPE, "question"},
        {"\"question\":[],\"answer_1\":\"a\",\"answer_2\":\"b\"",
         DATASET_FAULT_WRONG_TYPE, "question"},
        {"\"question\":\"q\",\"answer_1\":[{\"role\":\"assistant\"}],\"answer_2\":"
         "\"b\"",
         DATASET_FAULT_WRONG_TYPE, "answer_1"},
        {"\"question\":\"q\",\"answer_1\":[{\"role\":\"assistant\",\"content\":[]}],"
         "\"answer_2\":\"b\"",
         DATASET_FAULT_WRONG_TYPE, "answer_1"},
        {"\"question\":\"q\",\"answer_1\":[\"assistant\"],\"answer_2\":\"b\"",
         DATASET_FAULT_WRONG_TYPE, "answer_1"},
        {"\"question\":\"q\",\"answer_1\":\"a\",\"answer_2\":\"b\",\"turns\":[\"x\"]",
         DATASET_FAULT_WRONG_TYPE, "turns"},
        {"\"answer_1\":[" BOT("a") "],\"answer_2\":[" BOT("b") "]",
         DATASET_FAULT_MISSING_FIELD, "question"},
        /* conversations that are not the same */
        {"\"answer_1\":[" USER("q") "," BOT("a") "],\"answer_2\":[" USER("r") "," BOT(
             "b") "]",
         DATASET_FAULT_CONTEXT_DIFFERS, "answer_2"},
        {"\"answer_1\":[" USER("q") "," BOT("a") "],"
                                                 "\"answer_2\":[" SYS
                                                 "," USER("q") "," BOT("b") "]",
         DATASET_FAULT_CONTEXT_DIFFERS, "answer_2"},
        {"\"answer_1\":[" BOT("q") "," BOT("a") "],\"answer_2\":\"b\"",
         DATASET_FAULT_CONTEXT_DIFFERS, "question"},
        {"\"question\":\"r\",\"answer_1\":[" USER("q") "," BOT(
             "a") "],\"answer_2\":\"b\"",
         DATASET_FAULT_CONTEXT_DIFFERS, "question"},
        {"\"question\":[" USER("q") "],\"answer_1\":[" SYS
                                    "," USER("q") "," BOT("a") "],"
                                                               "\"answer_2\":\"b\"",
         DATASET_FAULT_CONTEXT_DIFFERS, "question"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        memory_stage *m = read_dialogue(rows[i].members);
        const dataset_fault *f = only_fault(m, rows[i].kind);
        assert_str(f->field, rows[i].field);
        assert_str(f->id, "m");
        assert_int_equal(m->n_pairs, 0);
        memory_free(m);
    }
}

static void test_preference_data(void **state) {
    (void)state;
    memory_stage *m = read_mapped(
        "in.jsonl",
        EH_STR("{\"prompt_id\":\"p\",\"prompt\":\"q\",\"chosen\":[" USER("q") "," BOT(
            "a") "],\"rejected\":[" USER("q") "," BOT("b") "],\"score\":5}\n"),
        "id=prompt_id,question=prompt,answer_1=chosen,answer_2=rejected");
    (void)only_fault(m, DATASET_FAULT_ONE_SIDED);
    const dataset_pair *p = memory_pair(m, "p");
    assert_str(p->answer_1, "a");
    assert_str(p->meta_json, "{\"score\":5}");
    memory_free(m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_map),
        cmocka_unit_test(test_map_missing),
        cmocka_unit_test(test_bad_maps),
        cmocka_unit_test(test_one_sided),
        cmocka_unit_test(test_messages),
        cmocka_unit_test(test_bad_messages),
        cmocka_unit_test(test_preference_data),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
