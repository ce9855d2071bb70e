/* SPDX-License-Identifier: MIT
 *
 * The shared cases of loading: all kinds `pairs` and `join` of datasets/expect.json.
 *
 * Every fault that is expected must be reported with the facts that stand there, and
 * no fault may be reported that is not expected: so a reader that warns too much fails
 * as well.
 */
#include "dataset_stage.h"

#include "base/json_read.h"
#include "dataset/judgments.h"
#include "dataset/labels.h"

typedef struct cases {
    char folder[400];
    eh_arena arena; /* holds the expectations */
    json_reader *reader;
    const json_value *expect;
} cases;

static eh_str read_file(eh_arena *arena, const char *path) {
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    char *text = arena_alloc(arena, 1 << 20);
    size_t len = fread(text, 1, 1 << 20, f);
    (void)fclose(f);
    return (eh_str){text, len};
}

static int setup(void **state) {
    cases *c = calloc(1, sizeof *c);
    const char *shared = getenv("EVENHAND_SHARED");
    if (!c) return -1;
    *state = c;
    char path[440];
    (void)snprintf(c->folder, sizeof c->folder, "%s/cases/datasets",
                   shared ? shared : "");
    (void)snprintf(path, sizeof path, "%s/expect.json", c->folder);
    if (!shared || access(path, R_OK) != 0) return 0;
    arena_init(&c->arena, 64 << 20);
    c->reader = json_reader_new();
    json_fault fault;
    c->expect = json_read(c->reader, &c->arena, read_file(&c->arena, path), &fault);
    return c->expect ? 0 : -1;
}

static int teardown(void **state) {
    cases *c = *state;
    json_reader_free(c->reader);
    arena_deinit(&c->arena);
    free(c);
    return 0;
}

static void need_cases(const cases *c) {
    if (c->expect) return;
    print_message("skipped: no shared cases\n");
    skip();
}

static bool number_is(const json_value *expected, int64_t actual) {
    int64_t value;
    return !expected || (eh_str_to_i64(expected->text, &value) && value == actual);
}

/* `lines` of a duplicate: the first one, then the offender. */
static bool lines_are(const json_value *lines, const dataset_fault *f) {
    return !lines || (number_is(lines->child, f->other_line) &&
                      number_is(lines->child->next, f->line));
}

static bool fault_is(const json_value *expected, const dataset_fault *f) {
    eh_str reason = json_get_str(expected, "reason");
    eh_str id = json_get_str(expected, "id");
    eh_str file = json_get_str(expected, "file");
    return eh_str_eq_cstr(reason, dataset_fault_name(f->kind)) &&
           (eh_str_is_absent(id) || eh_str_eq(id, f->id)) &&
           (eh_str_is_absent(file) || eh_str_ends(eh_str_of(f->file), file)) &&
           number_is(json_get(expected, "line"), f->line) &&
           number_is(json_get(expected, "byte"), f->byte) &&
           number_is(json_get(expected, "count"), f->count) &&
           lines_are(json_get(expected, "lines"), f);
}

static void check_faults(const json_value *entry, const memory_stage *m, bool errors) {
    const json_value *list = json_get(entry, errors ? "errors" : "warnings");
    size_t n_found = 0;
    for (size_t i = 0; i < m->n_faults; i++)
        n_found += dataset_fault_is_error(m->faults[i].kind) == errors;
    if (n_found != (list ? list->n : 0))
        fail_msg("%.*s: %zu %s", EH_STR_ARG(entry->key), n_found,
                 errors ? "errors" : "warnings");
    for (const json_value *e = list ? list->child : NULL; e; e = e->next) {
        bool found = false;
        for (size_t i = 0; i < m->n_faults && !found; i++)
            found = fault_is(e, &m->faults[i]);
        if (!found)
            fail_msg("%.*s: %.*s is not reported", EH_STR_ARG(entry->key),
                     EH_STR_ARG(json_get_str(e, "reason")));
    }
}

static void check_ids(const json_value *entry, const memory_stage *m) {
    const json_value *ids = json_get(entry, "ids");
    if (!ids) return;
    assert_int_equal(m->n_pairs, ids->n);
    size_t i = 0;
    for (const json_value *id = ids->child; id; id = id->next, i++)
        assert_true(eh_str_eq(id->text, m->pairs[i].id));
}

/* Keys such as "n1.answer_2". */
static void check_bytes(const json_value *entry, const memory_stage *m) {
    const json_value *list = json_get(entry, "answer_bytes_hex");
    for (const json_value *e = list ? list->child : NULL; e; e = e->next) {
        eh_str rest = e->key, id;
        assert_true(eh_str_split(&rest, '.', &id));
        char name[16] = {0};
        memcpy(name, id.ptr, id.len);
        const dataset_pair *pair = memory_pair(m, name);
        eh_str answer =
            eh_str_eq_cstr(rest, "answer_1") ? pair->answer_1 : pair->answer_2;
        assert_int_equal(answer.len * 2, e->text.len);
        for (size_t i = 0; i < answer.len; i++) {
            char hex[3];
            (void)snprintf(hex, sizeof hex, "%02x", (unsigned char)answer.ptr[i]);
            assert_memory_equal(hex, e->text.ptr + 2 * i, 2);
        }
    }
}

static void check_load(const json_value *entry, const memory_stage *m) {
    eh_str load = m->counts.n_errors ? EH_STR("error") : EH_STR("ok");
    assert_true(eh_str_eq(json_get_str(entry, "load"), load));
    check_faults(entry, m, true);
    check_faults(entry, m, false);
}

static void test_pairs(void **state) {
    const cases *c = *state;
    need_cases(c);
    size_t n = 0;
    for (const json_value *e = c->expect->child; e; e = e->next) {
        if (!eh_str_eq_cstr(json_get_str(e, "kind"), "pairs")) continue;
        memory_stage *m = memory_new();
        char path[600];
        (void)snprintf(path, sizeof path, "%s/%.*s", c->folder,
                       EH_STR_ARG(json_get(e, "files")->child->text));
        assert_int_equal(dataset_read_pairs(path, &m->stage, &m->sink, &m->counts,
                                            m->digest, &m->err),
                         EH_STATUS_OK);
        check_load(e, m);
        check_ids(e, m);
        check_bytes(e, m);
        memory_free(m);
        n++;
    }
    assert_true(n >= 12);
}

static void check_joined(const json_value *entry, const memory_stage *m) {
    const json_value *list = json_get(entry, "pairs_if_skipping");
    if (!list) return;
    assert_int_equal(m->n_pairs, list->n);
    size_t i = 0;
    for (const json_value *e = list->child; e; e = e->next, i++) {
        assert_true(eh_str_eq(e->child->text, m->pairs[i].id));
        assert_true(eh_str_eq(e->child->next->text, m->pairs[i].answer_1));
        assert_true(eh_str_eq(e->child->next->next->text, m->pairs[i].answer_2));
    }
}

static void test_join(void **state) {
    const cases *c = *state;
    need_cases(c);
    size_t n = 0;
    for (const json_value *e = c->expect->child; e; e = e->next) {
        if (!eh_str_eq_cstr(json_get_str(e, "kind"), "join")) continue;
        memory_stage *m = memory_new();
        char paths[3][600];
        const json_value *file = json_get(e, "files")->child;
        for (size_t i = 0; i < 3; i++, file = file->next)
            (void)snprintf(paths[i], sizeof paths[i], "%s/%.*s", c->folder,
                           EH_STR_ARG(file->text));
        dataset_options options = {
            .questions = paths[0], .answers_1 = paths[1], .answers_2 = paths[2]};
        assert_int_equal(
            dataset_read(&options, &m->stage, &m->sink, &m->counts, m->digest, &m->err),
            EH_STATUS_OK);
        check_load(e, m);
        check_joined(e, m);
        memory_free(m);
        n++;
    }
    assert_true(n >= 1);
}

/* The questions and answers of a real set, joined, are its pairs. */
static void test_real_join(void **state) {
    const cases *c = *state;
    need_cases(c);
    memory_stage *pairs = memory_new(), *joined = memory_new();
    char paths[4][600];
    static const char *const names[] = {"pairs", "questions", "answers_gpt35",
                                        "answers_vicuna-13b"};
    for (size_t i = 0; i < 4; i++)
        (void)snprintf(paths[i], sizeof paths[i], "%s/../../data/faireval/%s.jsonl",
                       c->folder, names[i]);
    assert_int_equal(dataset_read_pairs(paths[0], &pairs->stage, &pairs->sink,
                                        &pairs->counts, NULL, NULL),
                     EH_STATUS_OK);
    dataset_options options = {
        .questions = paths[1], .answers_1 = paths[2], .answers_2 = paths[3]};
    assert_int_equal(dataset_read(&options, &joined->stage, &joined->sink,
                                  &joined->counts, NULL, NULL),
                     EH_STATUS_OK);
    assert_int_equal(joined->n_faults, pairs->n_faults);
    assert_int_equal(joined->n_pairs, 80);
    for (size_t i = 0; i < 80; i++) {
        const dataset_pair *a = &pairs->pairs[i], *b = &joined->pairs[i];
        assert_true(eh_str_ends(a->id, b->id));
        assert_true(eh_str_eq(a->question, b->question));
        assert_true(eh_str_eq(a->answer_1, b->answer_1));
        assert_true(eh_str_eq(a->answer_2, b->answer_2));
        assert_true(eh_str_eq(a->model_1, b->model_1));
        assert_true(eh_str_eq(a->category, b->category));
    }
    memory_free(pairs);
    memory_free(joined);
}

static void test_real_data(void **state) {
    const cases *c = *state;
    need_cases(c);
    static const struct {
        const char *file;
        int64_t n_rows;
    } sets[] = {
        {"evalbiasbench/pairs", 80},
        {"faireval/pairs", 80},
        {"faireval/pairs_vicuna_alpaca", 80},
        {"judgebench/pairs", 620},
        {"judgebias/pairs_control", 142},
        {"judgebias/pairs_factual_error", 142},
        {"judgebias/pairs_gender", 142},
        {"judgebias/pairs_reference", 142},
        {"judgebias/pairs_rich_content", 142},
        {"llmbar/pairs", 819},
        {"mtbench_phi3/pairs", 75},
        {"mtbench_repeat/pairs", 96},
        {"pandalm/pairs", 999},
        {"vicuna_gpt4/pairs", 800},
    };
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
        memory_stage *m = memory_new();
        char path[600];
        (void)snprintf(path, sizeof path, "%s/../../data/%s.jsonl", c->folder,
                       sets[i].file);
        assert_int_equal(
            dataset_read_pairs(path, &m->stage, &m->sink, &m->counts, NULL, &m->err),
            EH_STATUS_OK);
        assert_int_equal(m->counts.n_rows, sets[i].n_rows);
        assert_int_equal(m->counts.n_errors, 0);
        memory_free(m);
    }
}

typedef struct tally {
    int64_t n_rows, n_verdicts, n_scored, n_replies;
} tally;

static eh_status count_judgment(void *self, const dataset_judgment *j, eh_error *err) {
    tally *t = self;
    (void)err;
    t->n_rows++;
    t->n_verdicts += j->verdict != EH_VERDICT_NONE;
    t->n_scored += j->has_scores;
    t->n_replies += j->has_reply;
    return EH_STATUS_OK;
}

/* What the readers have to do with the cases of resuming: see the tail or the damage.
 */
static void test_resume(void **state) {
    const cases *c = *state;
    need_cases(c);
    size_t n = 0;
    for (const json_value *e = c->expect->child; e; e = e->next) {
        if (!eh_str_eq_cstr(json_get_str(e, "kind"), "resume")) continue;
        memory_stage *m = memory_new();
        tally t = {0};
        char path[600];
        (void)snprintf(path, sizeof path, "%s/%.*s", c->folder,
                       EH_STR_ARG(json_get(e, "files")->child->text));
        dataset_judgment_sink sink = {.self = &t, .take = count_judgment};
        assert_int_equal(
            dataset_read_judgments(path, &sink, &m->sink, &m->counts, NULL),
            EH_STATUS_OK);
        bool tail = json_get(e, "unfinished_tail") != NULL;
        assert_int_equal(memory_count(m, DATASET_FAULT_CUT_LINE), tail);
        if (tail) assert_true(number_is(json_get(e, "records_complete"), t.n_rows));
        m->n_faults -= tail; /* the tail is the last fault, and no expected warning */
        check_load(e, m);
        memory_free(m);
        n++;
    }
    assert_true(n >= 2);
}

static void test_real_judgments(void **state) {
    const cases *c = *state;
    need_cases(c);
    static const struct {
        const char *set;
        tally expected;
    } sets[] = {
        {"faireval", {1376, 1375, 160, 1376}},
        {"judgebench", {4740, 4727, 3500, 4740}},
        {"llmbar", {23998, 23820, 2506, 23998}},
        {"mtbench_phi3", {150, 147, 0, 150}},
        {"mtbench_repeat", {5184, 5156, 0, 5184}},
        {"pandalm", {1998, 1973, 0, 1998}},
        {"vicuna_gpt4", {2240, 2233, 634, 2240}},
    };
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
        memory_stage *m = memory_new();
        tally t = {0};
        char path[600];
        (void)snprintf(path, sizeof path, "%s/../../data/%s/judgments.jsonl", c->folder,
                       sets[i].set);
        dataset_judgment_sink sink = {.self = &t, .take = count_judgment};
        assert_int_equal(
            dataset_read_judgments(path, &sink, &m->sink, &m->counts, NULL),
            EH_STATUS_OK);
        assert_int_equal(m->counts.n_errors, 0);
        assert_memory_equal(&t, &sets[i].expected, sizeof t);
        memory_free(m);
    }
}

static eh_status count_label(void *self, const dataset_label *label, eh_error *err) {
    int64_t *n = self;
    (void)err;
    n[label->label]++;
    return EH_STATUS_OK;
}

static void test_real_labels(void **state) {
    const cases *c = *state;
    need_cases(c);
    static const struct {
        const char *set;
        int64_t n_tie, n_rows;
    } sets[] = {
        {"evalbiasbench", 0, 80}, {"faireval", 14, 80},  {"judgebench", 0, 620},
        {"llmbar", 0, 819},       {"pandalm", -1, 2997},
    };
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
        memory_stage *m = memory_new();
        int64_t n[EH_VERDICT_TIE + 1] = {0};
        char path[600];
        (void)snprintf(path, sizeof path, "%s/../../data/%s/labels.jsonl", c->folder,
                       sets[i].set);
        dataset_label_sink sink = {n, count_label};
        assert_int_equal(dataset_read_labels(path, &sink, &m->sink, &m->counts, NULL),
                         EH_STATUS_OK);
        assert_int_equal(m->counts.n_errors, 0);
        assert_int_equal(m->counts.n_rows, sets[i].n_rows);
        if (sets[i].n_tie >= 0) assert_int_equal(n[EH_VERDICT_TIE], sets[i].n_tie);
        memory_free(m);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pairs),       cmocka_unit_test(test_join),
        cmocka_unit_test(test_real_data),   cmocka_unit_test(test_real_join),
        cmocka_unit_test(test_resume),      cmocka_unit_test(test_real_judgments),
        cmocka_unit_test(test_real_labels),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
