/* SPDX-License-Identifier: MIT
 *
 * Judgments and labels from files: which of several rows counts, importing twice, what
 * is about unknown pairs, and files with errors, of which nothing is taken.
 */
#include "base/buf.h"
#include "base/mem.h"
#include "ledger_make.h"
#include "run/import.h"

#define ROW(pair, judge, order, sample, rest)                                          \
    "{\"pair_id\":\"" pair "\",\"judge\":\"" judge "\",\"order\":\"" order             \
    "\",\"sample\":" #sample "," rest "}\n"
#define SAYS(verdict) "\"verdict\":\"" verdict "\""
#define FAILS(reason) "\"verdict\":null,\"reason\":\"" reason "\""

typedef struct importing {
    made_folder folder;
    ledger *l;
    eh_arena arena;
    run_import_options options;
    run_import_counts counts;
    eh_error err;
} importing;

static void importing_init(importing *m) {
    *m = (importing){.folder = made_folder_new(),
                     .l = ledger_made(),
                     .options = {.clock = clock_made()}};
    arena_init(&m->arena, 16 << 20);
    const dataset_pair pairs[] = {pair_of("a", "q", "x", "y"),
                                  pair_of("b", "r", "x", "y")};
    stage_all(m->l, pairs, 2);
}

static void importing_free(importing *m) {
    ledger_unmade(m->l);
    arena_deinit(&m->arena);
    made_folder_free(&m->folder);
}

static eh_status judgments(importing *m, const char *text) {
    char *paths[] = {made_file(&m->folder, "judgments.jsonl", text)};
    return run_import_judgments(m->l, paths, 1, &m->options, &m->counts, &m->err);
}

static eh_status labels(importing *m, const char *text, bool take_out) {
    char *path = made_file(&m->folder, "labels.jsonl", text);
    return run_import_labels(m->l, path, take_out, NULL, &m->counts, &m->err);
}

static const ledger_run *run_of(importing *m, const char *judge) {
    ledger_run *runs;
    size_t n;
    assert_ok(ledger_runs(m->l, &m->arena, &runs, &n, &m->err), m->err);
    for (size_t i = 0; i < n; i++)
        if (eh_str_eq_cstr(runs[i].judge.judge, judge)) return &runs[i];
    return NULL;
}

/* The samples of a pair by this judge; fails when there are not `n`. */
static const plan_sample *samples_of(importing *m, const char *judge,
                                     const char *pair_id, size_t n) {
    static plan_sample s[16];
    size_t found;
    const ledger_run *run = run_of(m, judge);
    assert_non_null(run);
    assert_ok(ledger_samples(m->l,
                             &(ledger_ask){.judge_row = run->judge_row,
                                           .stream = 0,
                                           .pair_row = row_of(m->l, pair_id)},
                             0, s, 16, &found, &m->err),
              m->err);
    assert_int_equal(found, n);
    return s;
}

static int64_t n_calls(importing *m, const char *judge) {
    ledger_timing timing;
    assert_ok(ledger_timing_sum(m->l, run_of(m, judge)->judge_row, &timing, &m->err),
              m->err);
    return timing.n_calls;
}

static void test_rows(void **state) {
    (void)state;
    importing m;
    importing_init(&m);
    assert_ok(
        judgments(&m,
                  ROW("a", "j", "12", 0, SAYS("1") ",\"score_1\":8,\"score_2\":3")
                      ROW("a", "j", "21", 0, SAYS("2") ",\"score_1\":2,\"score_2\":5")
                          ROW("b", "one", "21", 0, SAYS("1"))
                              ROW("b", "j", "12", 1, FAILS("truncated"))
                                  ROW("a", "why", "12", 0, "\"verdict\":null")),
        m.err);
    assert_int_equal(m.counts.n_rows, 5);
    assert_int_equal(m.counts.n_unknown, 0);
    const plan_sample *s = samples_of(&m, "j", "a", 2);
    assert_int_equal(s[0].verdict, EH_VERDICT_1); /* un-swapped, as the file has it */
    assert_true(s[0].score_1 == 8 && s[0].score_2 == 3);
    assert_int_equal(s[1].verdict, EH_VERDICT_2);
    assert_true(s[1].score_1 == 2 && s[1].score_2 == 5);
    assert_int_equal(samples_of(&m, "j", "b", 1)->reason, VERDICT_REASON_TRUNCATED);
    assert_int_equal(samples_of(&m, "why", "a", 1)->reason, VERDICT_REASON_UNSPECIFIED);
    const ledger_run *both = run_of(&m, "j"), *one = run_of(&m, "one");
    assert_text(both->method, "mec+bpc");
    assert_int_equal(both->k, 2);
    assert_true(both->imported);
    assert_text(one->method, "mec");
    assert_int_equal(one->orders, PLAN_ORDER_BIT(EH_ORDER_21));
    importing_free(&m);
}

/* Of the rows of one key the newest with a verdict counts. */
static void test_newest_usable(void **state) {
    (void)state;
    static const struct {
        const char *rows;
        eh_verdict verdict;
    } cases[] = {
        {ROW("a", "j", "12", 0, SAYS("1")) ROW("a", "j", "12", 0, SAYS("2")),
         EH_VERDICT_2},
        {ROW("a", "j", "12", 0, SAYS("1")) ROW("a", "j", "12", 0, FAILS("empty")),
         EH_VERDICT_1},
        {ROW("a", "j", "12", 0, FAILS("empty")) ROW("a", "j", "12", 0, SAYS("tie")),
         EH_VERDICT_TIE},
        {ROW("a", "j", "12", 0, SAYS("1")) ROW("a", "j", "12", 0, SAYS("2"))
             ROW("a", "j", "12", 0, SAYS("1")),
         EH_VERDICT_1},
        {ROW("a", "j", "12", 0, FAILS("empty"))
             ROW("a", "j", "12", 0, FAILS("refusal")),
         EH_VERDICT_NONE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        importing m;
        importing_init(&m);
        for (int round = 0; round < 2; round++) { /* and again, with the same end */
            assert_ok(judgments(&m, cases[i].rows), m.err);
            assert_int_equal(samples_of(&m, "j", "a", 1)->verdict, cases[i].verdict);
        }
        importing_free(&m);
    }
}

static void test_twice(void **state) {
    (void)state;
    importing m;
    importing_init(&m);
    const char *rows = ROW("a", "j", "12", 0, SAYS("1"))
        ROW("a", "j", "21", 0, SAYS("1") ",\"reply\":\"[[B]]\"");
    for (int round = 0; round < 3; round++) {
        assert_ok(judgments(&m, rows), m.err);
        assert_int_equal(m.counts.n_rows, 2);
        assert_int_equal(n_calls(&m, "j"), 2);
    }
    ledger_run *runs;
    size_t n;
    assert_ok(ledger_runs(m.l, &m.arena, &runs, &n, &m.err), m.err);
    assert_int_equal(n, 1);
    importing_free(&m);
}

/* A file of one judge need not name it. */
static void test_no_judge(void **state) {
    (void)state;
    importing m;
    importing_init(&m);
    assert_ok(judgments(&m,
                        "{\"pair_id\":\"a\",\"order\":\"12\",\"sample\":0,\"verdict\":"
                        "\"1\"}\n{\"pair_id\":\"a\",\"judge\":null,\"order\":\"21\","
                        "\"sample\":0,\"verdict\":\"1\"}\n"),
              m.err);
    assert_int_equal(samples_of(&m, "judge", "a", 2)->verdict, EH_VERDICT_1);
    importing_free(&m);
}

/* Rows without a number are numbered as they come, for each judge, pair and order; what
 * comes again in another import gets the same numbers. */
static void test_numbering(void **state) {
    (void)state;
    importing m;
    importing_init(&m);
    m.options.bare_pairs = true;
#define GAMES(qid, first, second)                                                      \
    "{\"question_id\":" #qid ",\"model_1\":\"m\",\"model_2\":\"n\",\"judge\":\"j\","   \
    "\"g1_winner\":\"" first "\",\"g2_winner\":\"" second "\"}\n"
    const char *rows =
        GAMES(1, "model_1", "tie") GAMES(2, "tie", "tie") GAMES(1, "model_2", "error");
    for (int round = 0; round < 2; round++) {
        assert_ok(judgments(&m, rows), m.err);
        assert_int_equal(m.counts.n_rows, 6);
        const plan_sample *s = samples_of(&m, "j", "1/1/m/n", 4);
        assert_int_equal(s[0].verdict, EH_VERDICT_1);
        assert_int_equal(s[1].sample, 1);
        assert_int_equal(s[1].verdict, EH_VERDICT_2);
        assert_int_equal(s[2].verdict, EH_VERDICT_TIE);
        assert_int_equal(s[3].reason, VERDICT_REASON_NO_VERDICT);
        assert_int_equal(n_calls(&m, "j"), 6);
    }
    eh_buf many;
    buf_init(&many, 1 << 20);
    for (int i = 0; i <= PLAN_MAX_SAMPLES; i++)
        buf_add_cstr(&many, GAMES(3, "model_1", "tie"));
    assert_fails(judgments(&m, many.ptr), EH_STATUS_DATA, m.err, "line 65: sample 64");
    buf_deinit(&many);
    importing_free(&m);
}

static void test_unknown_pairs(void **state) {
    (void)state;
    importing m;
    importing_init(&m);
    const char *rows = ROW("a", "j", "12", 0, SAYS("1"))
        ROW("x", "j", "12", 0, SAYS("1")) ROW("y", "k", "12", 0, SAYS("1"));
    assert_ok(judgments(&m, rows), m.err);
    assert_int_equal(m.counts.n_rows, 1);
    assert_int_equal(m.counts.n_unknown, 2);
    assert_int_equal(m.counts.first_unknown_line, 2);
    assert_string_equal(m.counts.first_unknown, "x");
    assert_null(run_of(&m, "k")); /* a judge of whom nothing was taken is no run */
    m.options.bare_pairs = true;
    assert_ok(judgments(&m, rows), m.err);
    assert_int_equal(m.counts.n_rows, 3);
    assert_int_equal(m.counts.n_unknown, 0);
    assert_int_equal(samples_of(&m, "j", "x", 1)->verdict, EH_VERDICT_1);
    assert_non_null(run_of(&m, "k"));
    importing_free(&m);
}

static void test_faults(void **state) {
    (void)state;
    importing m;
    importing_init(&m);
    assert_fails(judgments(&m, ROW("a", "j", "12", 0, SAYS("1")) "{\"pair_id\":\n" ROW(
                                   "b", "j", "12", 0, SAYS("1"))),
                 EH_STATUS_DATA, m.err, "nothing was taken");
    assert_null(run_of(&m, "j"));
    assert_fails(judgments(&m, ROW("a", "j", "12", 0, SAYS("1"))
                                   ROW("a", "j", "12", 64, SAYS("1"))),
                 EH_STATUS_DATA, m.err, "line 2: sample 64");
    assert_null(run_of(&m, "j"));
    char first[128];
    (void)snprintf(
        first, sizeof first, "%s",
        made_file(&m.folder, "good.jsonl", ROW("a", "j", "12", 0, SAYS("1"))));
    char *paths[] = {first, made_path(&m.folder, "missing.jsonl")};
    assert_int_not_equal(
        run_import_judgments(m.l, paths, 2, &m.options, &m.counts, &m.err),
        EH_STATUS_OK);
    assert_null(run_of(&m, "j")); /* of several files all or none */
    assert_ok(judgments(&m, ROW("a", "j", "12", 0, SAYS("1"))), m.err);
    assert_non_null(run_of(&m, "j"));
    importing_free(&m);
}

/* Replies are read by the template that is given; then its reading decides which row of
 * a key is usable, and not what somebody recorded. */
static void test_read_again(void **state) {
    (void)state;
    importing m;
    prompt_template *t;
    importing_init(&m);
    assert_ok(prompt_template_builtin(EH_STR("compare"), &t, &m.err), m.err);
    m.options.reread = t;
    assert_ok(judgments(&m, ROW("a", "j", "12", 0, SAYS("1") ",\"reply\":\"[[B]]\"")
                                ROW("a", "j", "21", 0, SAYS("1") ",\"reply\":\"[[A]]\"")
                                    ROW("b", "j", "12", 0, SAYS("1"))
                                        ROW("b", "j", "21", 0,
                                            SAYS("1") ",\"reply\":\"hm\"")),
              m.err);
    const plan_sample *s = samples_of(&m, "j", "a", 2);
    assert_int_equal(s[0].verdict, EH_VERDICT_2);
    assert_int_equal(s[1].verdict, EH_VERDICT_2); /* A is answer 2 in order 21 */
    s = samples_of(&m, "j", "b", 2);
    assert_int_equal(s[0].verdict, EH_VERDICT_1); /* no reply: as it was recorded */
    assert_int_equal(s[1].reason, VERDICT_REASON_NO_VERDICT);
    assert_ok(
        judgments(&m, ROW("a", "k", "12", 0, SAYS("1") ",\"reply\":\"[[A]]\"") ROW(
                          "a", "k", "12", 0, FAILS("no_verdict") ",\"reply\":\"[[B]]\"")
                          ROW("b", "k", "12", 0, SAYS("1") ",\"reply\":\"[[A]]\"")
                              ROW("b", "k", "12", 0, SAYS("2") ",\"reply\":\"hm\"")),
        m.err);
    assert_int_equal(samples_of(&m, "k", "a", 1)->verdict, EH_VERDICT_2);
    assert_int_equal(samples_of(&m, "k", "b", 1)->verdict, EH_VERDICT_1);
    prompt_template_free(t);
    importing_free(&m);
}

static void test_labels(void **state) {
    (void)state;
    importing m;
    int64_t counts[4];
    importing_init(&m);
    const char *rows = "{\"pair_id\":\"a\",\"annotator\":\"ann\",\"label\":\"1\"}\n"
                       "{\"pair_id\":\"a\",\"annotator\":\"bob\",\"label\":\"tie\"}\n"
                       "{\"pair_id\":\"x\",\"annotator\":\"bob\",\"label\":\"2\"}\n";
    for (int round = 0; round < 2; round++) {
        assert_ok(labels(&m, rows, false), m.err);
        assert_int_equal(m.counts.n_rows, 2);
        assert_int_equal(m.counts.n_unknown, 1);
        assert_int_equal(m.counts.first_unknown_line, 3);
        assert_ok(ledger_label_counts(m.l, row_of(m.l, "a"), counts, &m.err), m.err);
        assert_true(counts[EH_VERDICT_1] == 1 && counts[EH_VERDICT_TIE] == 1);
    }
    assert_fails(
        labels(&m,
               "{\"pair_id\":\"b\",\"annotator\":\"ann\",\"label\":\"1\"}\n"
               "{\"pair_id\":\"b\",\"annotator\":\"bob\",\"label\":\"both\"}\n",
               false),
        EH_STATUS_DATA, m.err, "nothing was taken");
    assert_ok(ledger_label_counts(m.l, row_of(m.l, "b"), counts, &m.err), m.err);
    assert_int_equal(counts[EH_VERDICT_1], 0);
    assert_ok(labels(&m, rows, true), m.err);
    assert_int_equal(m.counts.n_rows, 2);
    assert_ok(labels(&m, rows, true), m.err);
    assert_int_equal(m.counts.n_rows, 0); /* they are gone already */
    assert_ok(ledger_label_counts(m.l, row_of(m.l, "a"), counts, &m.err), m.err);
    assert_int_equal(counts[EH_VERDICT_1], 0);
    importing_free(&m);
}

/* With the nth allocation and all after it failing; false when it went through. */
static bool fails_at(int64_t nth) {
    importing m;
    prompt_template *t;
    importing_init(&m);
    assert_ok(prompt_template_builtin(EH_STR("compare"), &t, &m.err), m.err);
    m.options.reread = t;
    char *paths[] = {
        made_file(&m.folder, "judgments.jsonl",
                  ROW("a", "j", "12", 0, SAYS("1") ",\"reply\":\"[[A]]\"")
                      ROW("b", "k", "21", 0, SAYS("1") ",\"reply\":\"[[A]]\""))};
    int64_t live = mem_live();
    mem_fail_at(nth, true);
    eh_status status =
        run_import_judgments(m.l, paths, 1, &m.options, &m.counts, &m.err);
    mem_fail_at(0, false);
    assert_int_equal(mem_live(), live);
    if (status != EH_STATUS_OK) assert_int_equal(status, EH_STATUS_NOMEM);
    assert_int_equal(run_of(&m, "j") != NULL, status == EH_STATUS_OK);
    prompt_template_free(t);
    importing_free(&m);
    return status != EH_STATUS_OK;
}

static void test_no_memory(void **state) {
    (void)state;
    int64_t nth = 1;
    while (fails_at(nth))
        nth++;
    assert_true(nth > 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),      cmocka_unit_test(test_newest_usable),
        cmocka_unit_test(test_twice),     cmocka_unit_test(test_no_judge),
        cmocka_unit_test(test_numbering), cmocka_unit_test(test_unknown_pairs),
        cmocka_unit_test(test_faults),    cmocka_unit_test(test_read_again),
        cmocka_unit_test(test_labels),    cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
