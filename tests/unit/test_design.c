/* SPDX-License-Identifier: MIT
 *
 * Designs: who meets whom, that a system which is added changes nobody else's pairs,
 * ids, and the files behind them.
 */
#include "dataset/design.h"
#include "dataset_stage.h"

enum { N_MAX = 12, DUELS_MAX = N_MAX * N_MAX };

static const char *const letters[N_MAX] = {"c", "a", "b", "f", "e", "d",
                                           "i", "h", "g", "l", "k", "j"};

static dataset_design parsed(const char *text) {
    dataset_design d;
    assert_int_equal(dataset_design_parse(eh_str_of(text), &d, NULL), EH_STATUS_OK);
    return d;
}

static size_t duels_of(const char *design, int n, const char *question,
                       dataset_duel *duels) {
    eh_str names[N_MAX];
    bool has[N_MAX];
    dataset_design d = parsed(design);
    for (int i = 0; i < n; i++) {
        names[i] = eh_str_of(letters[i]);
        has[i] = true;
    }
    return dataset_design_duels(&d, names, has, n, eh_str_of(question), duels);
}

static void test_parse(void **state) {
    (void)state;
    eh_error err;
    dataset_design d = parsed("baseline:gpt:x");
    assert_int_equal(d.kind, DATASET_DESIGN_BASELINE);
    assert_true(eh_str_eq_cstr(d.baseline, "gpt:x"));
    assert_int_equal(parsed("all").kind, DATASET_DESIGN_ALL);
    assert_int_equal(parsed("balanced:62").n_opponents, 62);
    static const char *const bad[] = {"",           "All",         "baseline",
                                      "baseline:",  "balanced",    "balanced:0",
                                      "balanced:x", "balanced:63", "balanced:-1"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_int_equal(dataset_design_parse(eh_str_of(bad[i]), &d, &err),
                         EH_STATUS_USAGE);
}

static void test_all_and_baseline(void **state) {
    (void)state;
    dataset_duel duels[DUELS_MAX];
    bool met[N_MAX][N_MAX] = {{false}};
    assert_int_equal(duels_of("all", 4, "q", duels), 6);
    for (size_t i = 0; i < 6; i++) {
        const dataset_duel *d = &duels[i];
        assert_true(strcmp(letters[d->first], letters[d->second]) < 0);
        assert_false(met[d->first][d->second]);
        met[d->first][d->second] = true;
    }
    assert_int_equal(duels_of("baseline:b", 4, "q", duels), 3);
    static const int first[] = {0, 1, 3};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(duels[i].first, first[i]);
        assert_int_equal(duels[i].second, 2);
    }
    assert_int_equal(duels_of("baseline:z", 4, "q", duels), 0);
}

/* Every system has its M opponents, and the loads stay near each other. */
static void test_balanced(void **state) {
    (void)state;
    int total[N_MAX] = {0};
    bool other_opponents = false;
    for (int q = 0; q < 200; q++) {
        dataset_duel duels[DUELS_MAX];
        char question[16];
        int n_met[N_MAX] = {0};
        bool met[N_MAX][N_MAX] = {{false}};
        (void)snprintf(question, sizeof question, "q%d", q);
        size_t n = duels_of("balanced:3", N_MAX, question, duels);
        assert_int_equal(n, 0 + 1 + 2 + 3 * (N_MAX - 3));
        for (size_t i = 0; i < n; i++) {
            int a = duels[i].first, b = duels[i].second;
            assert_false(met[a][b] || met[b][a] || a == b);
            met[a][b] = true;
            n_met[a]++;
            n_met[b]++;
        }
        other_opponents |= !met[0][5] && !met[5][0];
        for (int s = 0; s < N_MAX; s++) {
            assert_in_range(n_met[s], 3, 6);
            total[s] += n_met[s];
        }
    }
    assert_true(other_opponents);
    for (int s = 0; s < N_MAX; s++) /* 30 duels a question, 5 a system on average */
        assert_in_range(total[s], 3 * 200, 6 * 200);
}

/* The duels among the first n systems are those that there were without the others. */
static void test_added_system(void **state) {
    (void)state;
    static const char *const designs[] = {"all", "baseline:a", "balanced:1",
                                          "balanced:3"};
    for (size_t k = 0; k < 4; k++) {
        for (int n = 2; n < N_MAX; n++) {
            dataset_duel few[DUELS_MAX], more[DUELS_MAX];
            size_t n_few = duels_of(designs[k], n, "q7", few), kept = 0;
            size_t n_more = duels_of(designs[k], n + 1, "q7", more);
            for (size_t i = 0; i < n_more; i++) {
                if (more[i].first == n || more[i].second == n) continue;
                assert_true(kept < n_few);
                assert_int_equal(more[i].first, few[kept].first);
                assert_int_equal(more[i].second, few[kept].second);
                kept++;
            }
            assert_int_equal(kept, n_few);
            assert_true(n_more > n_few);
        }
    }
}

static void test_ids(void **state) {
    (void)state;
    eh_buf id;
    buf_init(&id, BUF_MAX_SMALL);
    dataset_design_id(EH_STR("q:1"), EH_STR("a%"), EH_STR("b"), &id);
    assert_true(eh_str_eq_cstr(buf_view(&id), "q%3A1:a%25:b"));
    buf_deinit(&id);
}

/* ---- files ---- */

static memory_stage *read_design(const char *questions, const char *const answers[],
                                 int n, const char *design, eh_status expected) {
    static const char *const names[] = {"x.jsonl", "y.csv", "z"};
    memory_stage *m = memory_new();
    const char *paths[3];
    dataset_design d = parsed(design);
    for (int i = 0; i < n; i++)
        paths[i] = memory_file(m, names[i], eh_str_of(answers[i]));
    dataset_design_files files = {.questions =
                                      memory_file(m, "q", eh_str_of(questions)),
                                  .answers = paths,
                                  .n_answers = n};
    assert_int_equal(
        dataset_read_design(&files, &d, &m->stage, &m->sink, &m->counts, &m->err),
        expected);
    return m;
}

static void check_pair(const dataset_pair *p) {
    const struct {
        eh_str got;
        const char *expected;
    } fields[] = {{p->question, "q1"},
                  {p->answer_1, "z1"},
                  {p->answer_2, "x1"},
                  {p->model_1, "a"},
                  {p->model_2, "m"},
                  {p->category, "c"},
                  {p->meta_json, "{\"answer_2\":{\"seed\":4}}"}};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        assert_str(fields[i].got, fields[i].expected);
}

static void test_files(void **state) {
    (void)state;
    const char *answers[] = {
        ("{\"id\":1,\"text\":\"x1\",\"model\":\"m\",\"seed\":4}\n"
         "{\"id\":2,\"text\":\"x2\",\"model\":\"m\"}\n"),
        "id,text\n1,y1\n2,y2\n",
        "{\"id\":1,\"text\":\"z1\",\"model\":\"a\"}\n{\"id\":9,\"text\":\"left\"}\n"};
    memory_stage *m = read_design("{\"id\":1,\"text\":\"q1\",\"category\":\"c\"}\n"
                                  "{\"id\":2,\"text\":\"q2\"}\n",
                                  answers, 3, "all", EH_STATUS_OK);
    assert_int_equal(m->counts.n_rows, 4);
    assert_int_equal(m->counts.n_errors, 1); /* z has no answer to 2 */
    assert_int_equal(m->counts.n_warnings, 1);
    static const char *const ids[] = {"1:m:y", "1:a:m", "1:a:y", "2:m:y"};
    for (size_t i = 0; i < 4; i++)
        assert_str(m->pairs[i].id, ids[i]);
    check_pair(&m->pairs[1]);
    assert_str(m->pairs[0].model_2, "y"); /* named by its file */
    memory_free(m);
}

static void test_file_faults(void **state) {
    (void)state;
    const char *question = "{\"id\":1,\"text\":\"q\"}\n";
    const char *same[] = {"{\"id\":1,\"text\":\"x\",\"model\":\"m\"}\n",
                          "id,text,model\n1,y,m\n"};
    const char *mixed[] = {"{\"id\":1,\"text\":\"x\",\"model\":\"m\"}\n"
                           "{\"id\":2,\"text\":\"x\",\"model\":\"n\"}\n",
                           "id,text\n1,y\n"};
    const char *good[] = {"{\"id\":1,\"text\":\"x\"}\n", "id,text\n1,y\n"};
    memory_free(read_design(question, same, 2, "all", EH_STATUS_USAGE));
    memory_free(read_design(question, mixed, 2, "all", EH_STATUS_DATA));
    memory_free(read_design(question, good, 1, "all", EH_STATUS_USAGE));
    memory_free(read_design(question, good, 2, "baseline:z", EH_STATUS_USAGE));
    memory_stage *m = read_design("", good, 2, "baseline:x", EH_STATUS_OK);
    assert_int_equal(m->counts.n_errors, 1); /* no pairs */
    memory_free(m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parse),       cmocka_unit_test(test_all_and_baseline),
        cmocka_unit_test(test_balanced),    cmocka_unit_test(test_added_system),
        cmocka_unit_test(test_ids),         cmocka_unit_test(test_files),
        cmocka_unit_test(test_file_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
