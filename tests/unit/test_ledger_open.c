/* SPDX-License-Identifier: MIT
 *
 * Opening a ledger: what each mode wants, the lock, the numbers in the file's header,
 * and files that are no ledger, which stay as they are.
 */
#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include "ledger/queue.h"
#include "ledger_make.h"

static bool exists(made_folder *f, const char *name) {
    struct stat st;
    return stat(made_path(f, name), &st) == 0;
}

static void write_bytes(const char *path, off_t at, const void *bytes, size_t n) {
    int fd = open(path, O_WRONLY);
    assert_true(fd >= 0);
    assert_int_equal(pwrite(fd, bytes, n, at), (ssize_t)n);
    assert_int_equal(close(fd), 0);
}

/* Something that stays: an empty ledger is not left behind. */
static void put_something(ledger *l) {
    eh_error err;
    int64_t row;
    assert_ok(ledger_begin(l, &err), err);
    assert_ok(ledger_pair_put_bare(l, EH_STR("kept"), &row, &err), err);
    assert_ok(ledger_commit(l, &err), err);
}

static void test_open_modes(void **state) {
    (void)state;
    made_folder f = made_folder_new();
    char path[128];
    eh_error err;
    ledger *l, *other;
    (void)snprintf(path, sizeof path, "%s/run.db", f.path);
    assert_fails(ledger_open(path, LEDGER_READ, &l, &err), EH_STATUS_LEDGER, err,
                 "No such file");
    assert_fails(ledger_open(path, LEDGER_WRITE, &l, &err), EH_STATUS_LEDGER, err,
                 "No such file");
    assert_false(exists(&f, "run.db"));
    assert_false(exists(&f, "run.db-lock"));
    assert_ok(ledger_open(path, LEDGER_CREATE, &l, &err), err);
    assert_true(exists(&f, "run.db-lock"));
    assert_true(ledger_sniff(path));
    assert_fails(
        ledger_open(path, LEDGER_WRITE, &other, &err), EH_STATUS_LEDGER, err,
        "another evenhand is writing this ledger; try again when it has ended");
    assert_null(other);
    assert_ok(ledger_open(path, LEDGER_READ, &other, &err),
              err); /* reading may go on */
    ledger_unmade(other);
    put_something(l);
    ledger_unmade(l);
    assert_false(exists(&f, "run.db-lock"));
    assert_false(exists(&f, "run.db-wal"));
    assert_ok(ledger_open(path, LEDGER_WRITE, &l, &err), err);
    ledger_unmade(l);
    assert_ok(ledger_open(path, LEDGER_READ, &l, &err), err);
    assert_int_not_equal(ledger_begin(l, &err) == EH_STATUS_OK
                             ? ledger_pair_put_bare(l, EH_STR("p"), &(int64_t){0}, &err)
                             : EH_STATUS_LEDGER,
                         EH_STATUS_OK);
    ledger_unmade(l);
    assert_ok(ledger_close(NULL, &err), err);
    made_folder_free(&f);
}

/* "EvHd" and the version, where sqlite.org/fileformat2.html puts them. */
static void test_header(void **state) {
    (void)state;
    made_folder f = made_folder_new();
    char path[128];
    eh_error err;
    ledger *l;
    unsigned char head[100];
    (void)snprintf(path, sizeof path, "%s/run.db", f.path);
    assert_ok(ledger_open(path, LEDGER_CREATE, &l, &err), err);
    put_something(l);
    ledger_unmade(l);
    FILE *in = fopen(path, "rb");
    assert_non_null(in);
    assert_int_equal(fread(head, 1, sizeof head, in), sizeof head);
    (void)fclose(in);
    assert_memory_equal(head, "SQLite format 3", 16);
    assert_memory_equal(head + 68, "EvHd", 4);
    assert_memory_equal(head + 60, "\0\0\0\5", 4);
    assert_int_equal(head[18], 1); /* no write-ahead log is needed to read it */
    write_bytes(path, 60, "\0\0\0\x63", 4);
    assert_fails(ledger_open(path, LEDGER_CREATE, &l, &err), EH_STATUS_LEDGER, err,
                 "newer evenhand");
    assert_true(ledger_sniff(path));
    write_bytes(path, 60, "\0\0\0\5", 4);
    write_bytes(path, 68, "Else", 4);
    assert_fails(ledger_open(path, LEDGER_WRITE, &l, &err), EH_STATUS_LEDGER, err,
                 "not an Evenhand ledger");
    assert_false(ledger_sniff(path));
    made_folder_free(&f);
}

/* What was created and stayed empty is removed; what was there before never is. */
static void test_left_over(void **state) {
    (void)state;
    made_folder f = made_folder_new();
    char path[128];
    eh_error err;
    ledger *l;
    int64_t row;
    (void)snprintf(path, sizeof path, "%s/run.db", f.path);
    assert_ok(ledger_open(path, LEDGER_CREATE, &l, &err), err);
    ledger_unmade(l);
    assert_false(exists(&f, "run.db"));
    assert_ok(ledger_open(path, LEDGER_CREATE, &l, &err), err);
    assert_ok(ledger_begin(l, &err), err);
    assert_ok(ledger_pair_put_bare(l, EH_STR("a"), &row, &err), err);
    ledger_unmade(l); /* rolled back */
    assert_false(exists(&f, "run.db"));
    (void)made_file(&f, "run.db", "");
    assert_ok(ledger_open(path, LEDGER_CREATE, &l, &err), err);
    ledger_unmade(l);
    assert_true(exists(&f, "run.db"));
    assert_ok(ledger_open(path, LEDGER_CREATE, &l, &err), err);
    ledger_unmade(l);
    assert_true(exists(&f, "run.db"));
    made_folder_free(&f);
}

static void test_other_files(void **state) {
    (void)state;
    made_folder f = made_folder_new();
    char path[128];
    eh_error err;
    ledger *l;
    (void)snprintf(path, sizeof path, "%s", made_file(&f, "notes.txt", "a few words"));
    assert_fails(ledger_open(path, LEDGER_CREATE, &l, &err), EH_STATUS_LEDGER, err,
                 "not an Evenhand ledger");
    assert_false(ledger_sniff(path));
    assert_false(exists(&f, "notes.txt-lock"));
    assert_fails(ledger_open(f.path, LEDGER_CREATE, &l, &err), EH_STATUS_LEDGER, err,
                 "not a regular file");
    (void)snprintf(path, sizeof path, "%s", made_file(&f, "empty.db", ""));
    assert_fails(ledger_open(path, LEDGER_READ, &l, &err), EH_STATUS_LEDGER, err,
                 "empty file");
    assert_ok(ledger_open(path, LEDGER_CREATE, &l, &err), err);
    ledger_unmade(l);
    assert_int_equal(truncate(path, 8192), 0);
    assert_fails(ledger_open(path, LEDGER_READ, &l, &err), EH_STATUS_LEDGER, err,
                 "cut short");
    made_folder_free(&f);
}

static void exec(const char *path, const char *sql) {
    sqlite3 *db;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

/* A ledger of version 1 has no log probabilities and no counts of requests. It is read
 * as it is, and whoever writes makes it one of today. */
static void test_migration(void **state) {
    (void)state;
    made_folder f = made_folder_new();
    char path[128];
    eh_error err;
    ledger *l;
    eh_arena arena;
    dataset_pair pair = pair_of("a", "q", "x", "y");
    arena_init(&arena, 1 << 16);
    (void)snprintf(path, sizeof path, "%s/run.db", f.path);
    assert_ok(ledger_open(path, LEDGER_CREATE, &l, &err), err);
    stage_all(l, &pair, 1);
    (void)put(l, judge_made(l, "sim"), "a", vote_of(EH_ORDER_12, 0, EH_VERDICT_1));
    ledger_unmade(l);
    exec(path,
         "DROP TABLE logprobs; DROP TABLE request; DROP INDEX ask_call; DROP TABLE "
         "queue; DROP TABLE queue_item; DROP TABLE instructions; DROP TABLE "
         "annotator; DROP TABLE assignment; DROP TABLE decision; DROP TABLE peek; "
         "ALTER TABLE label DROP COLUMN adjudicated; ALTER TABLE label DROP COLUMN "
         "unblind; PRAGMA user_version = 1");
    assert_ok(ledger_open(path, LEDGER_READ, &l, &err), err);
    int64_t n;
    ledger_requests *requests;
    size_t n_requests;
    assert_ok(ledger_requests_sum(l, 1, &arena, &requests, &n_requests, &err), err);
    assert_int_equal(n_requests, 0);
    assert_ok(ledger_count_pairs(l, &n, &err), err);
    assert_int_equal(n, 1);
    int64_t counts[4];
    assert_ok(ledger_label_counts(l, row_of(l, "a"), counts, &err), err);
    assert_int_equal(counts[EH_VERDICT_1], 0);
    ledger_unmade(l);
    assert_ok(ledger_open(path, LEDGER_WRITE, &l, &err), err);
    uint8_t key[HASH_BYTES] = {1};
    ledger_call call = {.key = key,
                        .judge_row = judge_made(l, "sim"),
                        .logprobs = EH_STR("{}"),
                        .n_attempts = 1};
    assert_ok(ledger_call_put(l, &call, &n, &err), err);
    assert_ok(ledger_commit(l, &err), err);
    ledger_unmade(l);
    assert_ok(ledger_open(path, LEDGER_WRITE, &l, &err), err); /* once is enough */
    ledger_requests two = {EH_STR("http_503"), 2}, one = {EH_STR("answered"), 1};
    assert_ok(ledger_requests_add(l, 1, 1, &one, &err), err);
    assert_ok(ledger_requests_add(l, 1, 1, &two, &err), err);
    assert_ok(ledger_requests_add(l, 2, 1, &two, &err), err);
    assert_ok(ledger_requests_add(l, 2, 9, &two, &err), err);
    assert_ok(ledger_requests_sum(l, 1, &arena, &requests, &n_requests, &err), err);
    assert_int_equal(n_requests, 2);
    assert_true(eh_str_eq_cstr(requests[0].outcome, "http_503"));
    assert_int_equal(requests[0].n, 4);
    assert_int_equal(requests[1].n, 1);
    ledger_unmade(l);
    arena_deinit(&arena);
    made_folder_free(&f);
}

/* Version 4 had no looks at what judges said; its labels are all blind. */
static void test_before_peeks(void **state) {
    (void)state;
    made_folder f = made_folder_new();
    char path[128];
    eh_error err;
    ledger *l;
    eh_arena arena;
    ledger_label *labels;
    size_t n;
    bool peeked;
    dataset_pair pair = pair_of("a", "q", "x", "y");
    arena_init(&arena, 1 << 16);
    (void)snprintf(path, sizeof path, "%s/run.db", f.path);
    assert_ok(ledger_open(path, LEDGER_CREATE, &l, &err), err);
    stage_all(l, &pair, 1);
    const ledger_label label = {.pair_row = row_of(l, "a"),
                                .annotator = EH_STR(LEDGER_OWNER),
                                .label = EH_VERDICT_2,
                                .adjudicated = true};
    assert_ok(ledger_label_put(l, &label, &err), err);
    assert_ok(ledger_commit(l, &err), err);
    const ledger_assignment a = {.pair_row = label.pair_row, .annotator_row = 1};
    ledger_unmade(l);
    exec(path, "DROP TABLE peek; ALTER TABLE label DROP COLUMN unblind; PRAGMA "
               "user_version = 4");
    for (int mode = 0; mode < 2; mode++) {
        assert_ok(ledger_open(path, mode ? LEDGER_WRITE : LEDGER_READ, &l, &err), err);
        assert_ok(ledger_pair_labels(l, a.pair_row, &arena, &labels, &n, &err), err);
        assert_int_equal(n, 1);
        assert_true(labels[0].adjudicated && !labels[0].unblind);
        assert_ok(ledger_peeked(l, &a, &peeked, &err), err);
        assert_false(peeked);
        if (mode) {
            assert_ok(ledger_peek_put(l, &a, 7, &err), err);
            assert_ok(ledger_peek_put(l, &a, 7, &err), err);
            assert_ok(ledger_peeked(l, &a, &peeked, &err), err);
            assert_true(peeked);
        }
        ledger_unmade(l);
    }
    arena_deinit(&arena);
    made_folder_free(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_open_modes), cmocka_unit_test(test_header),
        cmocka_unit_test(test_left_over),  cmocka_unit_test(test_other_files),
        cmocka_unit_test(test_migration),  cmocka_unit_test(test_before_peeks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
