/* SPDX-License-Identifier: MIT
 *
 * Staging data sets from files: all or nothing, what is there already is recognised,
 * and what changed is a new revision.
 */
#include "base/mem.h"
#include "ledger_make.h"
#include "run/stage.h"

#define ROW(id, answer)                                                                \
    "{\"id\":\"" id "\",\"question\":\"q" id "\",\"answer_1\":\"" answer               \
    "\",\"answer_2\":\"two\"}\n"

typedef struct staging {
    made_folder folder;
    ledger *l;
    dataset_counts counts;
    bool unchanged;
    eh_error err;
} staging;

static staging staging_new(void) {
    return (staging){.folder = made_folder_new(), .l = ledger_made()};
}

static void staging_free(staging *s) {
    ledger_unmade(s->l);
    made_folder_free(&s->folder);
}

static eh_status stage_with(staging *s, const run_stage_options *options) {
    run_stage_options o = *options;
    o.clock = clock_made();
    return run_stage(s->l, &o, &s->counts, &s->unchanged, &s->err);
}

static eh_status stage_file(staging *s, const char *text, bool skip_bad) {
    run_stage_options o = {.data = {.path = made_file(&s->folder, "in.jsonl", text)},
                           .skip_bad = skip_bad};
    return stage_with(s, &o);
}

static int64_t n_pairs(staging *s) {
    int64_t n;
    assert_ok(ledger_count_pairs(s->l, &n, &s->err), s->err);
    return n;
}

static void test_unchanged(void **state) {
    (void)state;
    staging s = staging_new();
    assert_ok(stage_file(&s, ROW("a", "x") ROW("b", "y"), false), s.err);
    assert_false(s.unchanged);
    assert_int_equal(s.counts.n_rows, 2);
    int64_t a = row_of(s.l, "a");
    assert_ok(stage_file(&s, ROW("a", "x") ROW("b", "y"), false), s.err);
    assert_true(s.unchanged);
    assert_int_equal(s.counts.n_rows, 0);
    assert_int_equal(n_pairs(&s), 2);
    assert_int_equal(row_of(s.l, "a"), a);
    assert_ok(stage_file(&s, ROW("a", "x") ROW("b", "z"), false), s.err);
    assert_false(s.unchanged);
    assert_int_equal(n_pairs(&s), 2);
    assert_int_equal(row_of(s.l, "a"), a);
    assert_ok(stage_file(&s, ROW("a", "x"), false), s.err); /* the scope shrinks */
    assert_int_equal(n_pairs(&s), 1);
    assert_ok(stage_file(&s, ROW("a", "x") ROW("b", "y"), false), s.err);
    assert_false(s.unchanged); /* it was staged once, but is not the scope now */
    assert_int_equal(n_pairs(&s), 2);
    staging_free(&s);
}

/* A pair that came from judgments alone widens the scope: the file is then not what is
 * staged, although its bytes are. */
static void test_bare_pair_between(void **state) {
    (void)state;
    staging s = staging_new();
    int64_t row;
    assert_ok(stage_file(&s, ROW("a", "x"), false), s.err);
    assert_ok(ledger_begin(s.l, &s.err), s.err);
    assert_ok(ledger_pair_put_bare(s.l, EH_STR("a"), &row, &s.err), s.err);
    assert_ok(ledger_commit(s.l, &s.err), s.err);
    assert_ok(stage_file(&s, ROW("a", "x"), false), s.err);
    assert_true(s.unchanged); /* it was there: nothing was added */
    assert_ok(ledger_begin(s.l, &s.err), s.err);
    assert_ok(ledger_pair_put_bare(s.l, EH_STR("z"), &row, &s.err), s.err);
    assert_ok(ledger_commit(s.l, &s.err), s.err);
    assert_int_equal(n_pairs(&s), 2);
    assert_ok(stage_file(&s, ROW("a", "x"), false), s.err);
    assert_false(s.unchanged);
    assert_int_equal(n_pairs(&s), 1);
    assert_ok(stage_file(&s, ROW("a", "x"), false), s.err);
    assert_true(s.unchanged);
    staging_free(&s);
}

/* The same bytes under another map are another data set. */
static void test_other_map(void **state) {
    (void)state;
    staging s = staging_new();
    const char *text = "{\"id\":\"a\",\"question\":\"q\",\"answer_1\":\"x\","
                       "\"answer_2\":\"y\",\"chosen\":\"z\"}\n";
    run_stage_options o = {.data = {.path = made_file(&s.folder, "in.jsonl", text)}};
    char path[128];
    (void)snprintf(path, sizeof path, "%s", o.data.path);
    o.data.path = path;
    assert_ok(stage_with(&s, &o), s.err);
    int64_t a = row_of(s.l, "a");
    o.data.map = "answer_1=chosen";
    assert_ok(stage_with(&s, &o), s.err);
    assert_false(s.unchanged);
    assert_int_not_equal(row_of(s.l, "a"), a);
    assert_ok(stage_with(&s, &o), s.err);
    assert_true(s.unchanged);
    staging_free(&s);
}

static void count_fault(void *self, const dataset_fault *fault) {
    int *n = self;
    *n += dataset_fault_is_error(fault->kind);
}

static void test_faults_roll_back(void **state) {
    (void)state;
    staging s = staging_new();
    assert_ok(stage_file(&s, ROW("a", "x"), false), s.err);
    int64_t a = row_of(s.l, "a");
    int n_faults = 0;
    dataset_faults sink = {&n_faults, count_fault};
    run_stage_options o = {
        .data = {.path = made_file(&s.folder, "in.jsonl",
                                   ROW("b", "x") "{\"id\":1}\n" ROW("b", "y"))},
        .faults = &sink};
    assert_fails(stage_with(&s, &o), EH_STATUS_DATA, s.err, "errors in the data set");
    assert_true(n_faults >= 2); /* every one, in one pass */
    assert_int_equal(s.counts.n_errors, n_faults);
    assert_int_equal(n_pairs(&s), 1);
    assert_int_equal(row_of(s.l, "a"), a);
    assert_ok(stage_file(&s, ROW("a", "x"), false), s.err);
    assert_true(s.unchanged); /* as before, to the digest */
    o.data.path = "no/such/file.jsonl";
    assert_int_equal(stage_with(&s, &o), EH_STATUS_DATA);
    assert_int_equal(n_pairs(&s), 1);
    staging_free(&s);
}

static void test_skip_bad(void **state) {
    (void)state;
    staging s = staging_new();
    const char *text = ROW("a", "x") "not json\n" ROW("b", "y");
    assert_int_equal(stage_file(&s, text, false), EH_STATUS_DATA);
    assert_ok(stage_file(&s, text, true), s.err);
    assert_int_equal(s.counts.n_rows, 2);
    assert_int_equal(s.counts.n_errors, 1);
    assert_int_equal(n_pairs(&s), 2);
    assert_ok(stage_file(&s, text, true), s.err);
    assert_true(s.unchanged);
    /* what was kept with its bad rows left out is no licence to run on it without */
    assert_int_equal(stage_file(&s, text, false), EH_STATUS_DATA);
    assert_int_equal(n_pairs(&s), 2);
    assert_int_equal(stage_file(&s, "not json\n", true), EH_STATUS_DATA);
    assert_int_equal(n_pairs(&s), 2); /* nothing valid: nothing is staged */
    staging_free(&s);
}

/* Files that are joined by id are read each time, and may be staged again and again. */
static void test_join(void **state) {
    (void)state;
    staging s = staging_new();
    char paths[3][128];
    static const char *const texts[] = {
        "{\"question_id\":\"1\",\"text\":\"q\"}\n{\"question_id\":\"2\",\"text\":\"r\"}"
        "\n",
        "{\"question_id\":\"1\",\"text\":\"x\"}\n{\"question_id\":\"2\",\"text\":\"y\"}"
        "\n",
        "{\"question_id\":\"2\",\"text\":\"z\"}\n{\"question_id\":\"1\",\"text\":\"w\"}"
        "\n",
    };
    for (int i = 0; i < 3; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "%d.jsonl", i);
        (void)snprintf(paths[i], sizeof paths[i], "%s",
                       made_file(&s.folder, name, texts[i]));
    }
    run_stage_options o = {
        .data = {.questions = paths[0], .answers_1 = paths[1], .answers_2 = paths[2]}};
    int64_t row = 0;
    for (int round = 0; round < 3; round++) {
        assert_ok(stage_with(&s, &o), s.err);
        assert_false(s.unchanged);
        assert_int_equal(s.counts.n_rows, 2);
        assert_int_equal(n_pairs(&s), 2);
        if (round) assert_int_equal(row_of(s.l, "2"), row);
        row = row_of(s.l, "2");
    }
    eh_arena arena;
    ledger_texts t;
    arena_init(&arena, 1 << 20);
    assert_ok(ledger_pair_texts(s.l, row, &t, &arena, &s.err), s.err);
    assert_text(t.question, "r");
    assert_text(t.answer_1, "y");
    assert_text(t.answer_2, "z");
    arena_deinit(&arena);
    staging_free(&s);
}

/* With the nth allocation and all after it failing; false when it went through. */
static bool fails_at(int64_t nth) {
    staging s = staging_new();
    assert_ok(stage_file(&s, ROW("a", "x"), false), s.err);
    run_stage_options o = {
        .data = {.path = made_file(&s.folder, "in.jsonl", ROW("b", "x") ROW("c", "y"))},
        .clock = clock_made()};
    int64_t live = mem_live();
    mem_fail_at(nth, true);
    eh_status status = run_stage(s.l, &o, &s.counts, &s.unchanged, &s.err);
    mem_fail_at(0, false);
    assert_int_equal(mem_live(), live);
    if (status != EH_STATUS_OK) assert_int_equal(status, EH_STATUS_NOMEM);
    assert_int_equal(n_pairs(&s), status == EH_STATUS_OK ? 2 : 1);
    staging_free(&s);
    return status != EH_STATUS_OK;
}

static void test_no_memory(void **state) {
    (void)state;
    int64_t nth = 1;
    while (fails_at(nth))
        nth++;
    assert_true(nth > 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unchanged), cmocka_unit_test(test_bare_pair_between),
        cmocka_unit_test(test_other_map), cmocka_unit_test(test_faults_roll_back),
        cmocka_unit_test(test_skip_bad),  cmocka_unit_test(test_join),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
