/* SPDX-License-Identifier: MIT
 *
 * Ledgers in memory: whatever rows come, the numbers are those of a ledger on disk,
 * byte for byte; what such a ledger does not have fails and finds nothing.
 */
#include "base/mem.h"
#include "base/rng.h"
#include "ledger_make.h"
#include "report/summary.h"
#include "run/import.h"
#include "tally/summarize.h"

enum { TEXT_MAX = 4 << 20 };

/* Rows of three judges about 40 pairs: orders and samples that lack, that come twice,
 * with and without scores and verdicts, in no order. */
static void random_rows(eh_rng *rng, bool scored, eh_buf *out) {
    static const char *const verdicts[] = {"\"1\"", "\"2\"", "\"tie\"", "null"};
    int n_rows = 1 + (int)rng_below(rng, 600);
    for (int i = 0; i < n_rows; i++) {
        uint64_t judge = rng_below(rng, 3), verdict = rng_below(rng, 4);
        buf_printf(
            out,
            "{\"pair_id\":\"p%d\",\"judge\":\"j%d\",\"order\":\"%s\",\"sample\":%d,"
            "\"verdict\":%s",
            (int)rng_below(rng, 40), (int)judge,
            judge < 2 && rng_below(rng, 2) ? "21" : "12", (int)rng_below(rng, 4),
            verdicts[verdict]);
        if (scored && judge != 1 && rng_below(rng, 20))
            buf_printf(out, ",\"score_1\":%d,\"score_2\":%d", (int)rng_below(rng, 10),
                       (int)rng_below(rng, 10));
        if (!scored && judge == 2 && rng_below(rng, 30))
            buf_printf(out, ",\"rating\":%d", 1 + (int)rng_below(rng, 5));
        if (verdict == 3 && rng_below(rng, 2))
            buf_add_cstr(out, ",\"reason\":\"refusal\"");
        buf_add_cstr(out, "}\n");
    }
}

static void summary_of(ledger *l, char *path, const char *method, eh_buf *out) {
    eh_error err;
    eh_arena arena;
    report_summary summary;
    run_import_counts counts;
    const run_import_options options = {.bare_pairs = true, .clock = clock_made()};
    arena_init(&arena, 64 << 20);
    assert_ok(run_import_judgments(l, &path, 1, &options, &counts, &err), err);
    assert_ok(tally_summarize(l, eh_str_of(method), &arena, &summary, &err), err);
    report_summary_json(&summary, out);
    report_summary_text(&summary, out);
    arena_deinit(&arena);
}

static void test_the_same_numbers(void **state) {
    (void)state;
    static const char *const methods[] = {"", "vanilla", "bpc", "mec", "mec+bpc"};
    eh_rng rng = rng_make(1, "test.held", 0);
    for (int round = 0; round < 60; round++) {
        eh_buf rows, held_text, disk_text;
        eh_error err;
        ledger *held, *disk = ledger_made();
        made_folder folder = made_folder_new();
        buf_init(&rows, TEXT_MAX);
        buf_init(&held_text, TEXT_MAX);
        buf_init(&disk_text, TEXT_MAX);
        random_rows(&rng, round % 2, &rows);
        char *path = made_file(&folder, "rows.jsonl", rows.ptr);
        assert_ok(ledger_open_held(&held, &err), err);
        summary_of(held, path, methods[round % 5], &held_text);
        summary_of(disk, path, methods[round % 5], &disk_text);
        assert_text(buf_view(&held_text), disk_text.ptr);
        ledger_unmade(held);
        ledger_unmade(disk);
        made_folder_free(&folder);
        buf_deinit(&rows);
        buf_deinit(&held_text);
        buf_deinit(&disk_text);
    }
}

static void test_pairs(void **state) {
    (void)state;
    ledger *l;
    ledger_cursor *c;
    eh_error err;
    int64_t row, again, n;
    const dataset_pair with_texts = {.id = EH_STR("b"),
                                     .question = EH_STR("q"),
                                     .answer_1 = EH_STR("\xC3\xA4"),
                                     .answer_2 = EH_STR("xyz"),
                                     .model_1 = EH_STR("m"),
                                     .category = EH_STR("c")};
    const dataset_pair bare[] = {{.id = EH_STR("c"), .model_2 = EH_STR("n")},
                                 {.id = EH_STR("d")}};
    assert_ok(ledger_open_held(&l, &err), err);
    assert_true(ledger_is_held(l));
    assert_ok(ledger_pair_put_bare(l, EH_STR("a"), &row, &err), err);
    assert_ok(ledger_pair_add(l, &with_texts, (eh_str){NULL, 0}, &row, &err), err);
    assert_ok(ledger_pair_add(l, &with_texts, (eh_str){NULL, 0}, &again, &err), err);
    assert_int_equal(row, again);
    for (int i = 0; i < 2; i++)
        assert_ok(ledger_pair_add(l, &bare[i], EH_STR("key"), &row, &err), err);
    assert_ok(ledger_count_pairs(l, &n, &err), err);
    assert_int_equal(n, 4);
    assert_int_equal(row_of(l, "c"), 3);
    assert_ok(ledger_find_pair(l, EH_STR("z"), &row, &err), err);
    assert_int_equal(row, 0);
    assert_ok(ledger_cursor_open(l, LEDGER_BY_DATA, &c, &err), err);
    ledger_pair p[4];
    bool got;
    for (int i = 0; i < 4; i++)
        assert_ok(ledger_cursor_next(c, &p[i], &got, &err), err);
    assert_text(p[1].pair_id, "b");
    assert_text(p[1].model_1, "m");
    assert_int_equal(p[1].answer_1_cp, 1);
    assert_int_equal(p[1].answer_2_cp, 3);
    assert_true(p[2].question_hash == p[3].question_hash);
    assert_true(p[0].question_hash != p[1].question_hash);
    ledger_pair none;
    assert_ok(ledger_cursor_next(c, &none, &got, &err), err);
    assert_false(got);
    ledger_cursor_close(c);
    ledger_unmade(l);
}

/* On disk a pair without texts may share its question, too, and texts must not change.
 */
static void test_pairs_on_disk(void **state) {
    (void)state;
    ledger *l = ledger_made();
    eh_error err;
    int64_t row, again;
    dataset_pair pair = {.id = EH_STR("b"),
                         .question = EH_STR("q"),
                         .answer_1 = EH_STR("x"),
                         .answer_2 = EH_STR("y"),
                         .file = "f.json",
                         .line = 3};
    const dataset_pair bare = {.id = EH_STR("b")};
    assert_ok(ledger_pair_add(l, &pair, (eh_str){NULL, 0}, &row, &err), err);
    assert_ok(ledger_pair_add(l, &pair, (eh_str){NULL, 0}, &again, &err), err);
    assert_int_equal(row, again);
    assert_ok(ledger_pair_add(l, &bare, (eh_str){NULL, 0}, &again, &err), err);
    assert_int_equal(row, again); /* known with its texts */
    pair.answer_1 = EH_STR("other");
    assert_fails(ledger_pair_add(l, &pair, (eh_str){NULL, 0}, &again, &err),
                 EH_STATUS_DATA, err,
                 "f.json: line 3: pair b is in the ledger with other");
    assert_ok(ledger_commit(l, &err), err);
    ledger_unmade(l);
}

static void test_what_it_does_not_have(void **state) {
    (void)state;
    ledger *l;
    eh_error err;
    eh_arena arena;
    int64_t row;
    ledger_texts texts;
    uint8_t key[HASH_BYTES] = {1};
    arena_init(&arena, 1 << 20);
    assert_ok(ledger_open_held(&l, &err), err);
    assert_int_equal(ledger_call_find(l, key, &row, &err), EH_STATUS_LEDGER);
    assert_int_equal(ledger_pair_texts(l, 1, &texts, &arena, &err), EH_STATUS_LEDGER);
    assert_int_equal(ledger_stage_begin(l, &err), EH_STATUS_LEDGER);
    ledger_unmade(l);
    arena_deinit(&arena);
}

/* With the nth allocation and all after it failing; false when it went through. */
static bool fails_at(int64_t nth) {
    made_folder folder = made_folder_new();
    ledger *l;
    eh_error err;
    eh_buf out;
    eh_arena arena;
    report_summary summary;
    run_import_counts counts;
    const run_import_options options = {.bare_pairs = true, .clock = clock_made()};
    char *path = made_file(
        &folder, "rows.jsonl",
        "{\"pair_id\":\"p\",\"order\":\"12\",\"sample\":0,\"verdict\":\"1\"}\n"
        "{\"pair_id\":\"q\",\"order\":\"21\",\"sample\":0,\"verdict\":\"1\","
        "\"score_1\":2,\"score_2\":1}\n");
    int64_t live = mem_live();
    buf_init(&out, TEXT_MAX);
    arena_init(&arena, 64 << 20);
    mem_fail_at(nth, true);
    eh_status status = ledger_open_held(&l, &err);
    if (status == EH_STATUS_OK) {
        status = run_import_judgments(l, &path, 1, &options, &counts, &err);
        if (status == EH_STATUS_OK)
            status = tally_summarize(l, EH_STR(""), &arena, &summary, &err);
        (void)ledger_close(l, NULL);
    }
    mem_fail_at(0, false);
    arena_deinit(&arena);
    buf_deinit(&out);
    assert_int_equal(mem_live(), live);
    if (status != EH_STATUS_OK && status != EH_STATUS_NOMEM)
        fail_msg("allocation %lld: %s", (long long)nth, err.msg);
    made_folder_free(&folder);
    return status != EH_STATUS_OK;
}

static void test_no_memory(void **state) {
    (void)state;
    int64_t nth = 1;
    while (fails_at(nth))
        nth++;
    assert_true(nth > 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_same_numbers),
        cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_pairs_on_disk),
        cmocka_unit_test(test_what_it_does_not_have),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
