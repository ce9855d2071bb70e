/* SPDX-License-Identifier: MIT
 *
 * For tests of what stands on a ledger: ledgers with a few pairs, judges, samples and
 * labels in a line each, and a folder for files.
 */
#ifndef EH_TESTS_LEDGER_MAKE_H
#define EH_TESTS_LEDGER_MAKE_H

#include <dirent.h>
#include <unistd.h>

#include "base/clock.h"
#include "ledger/ledger.h"
#include "plan_make.h"
#include "unit.h"

enum { MADE_AT_MS = 1000 };

static inline int64_t made_now(void *self) {
    (void)self;
    return MADE_AT_MS;
}

/* A clock that stands still. */
static inline eh_clock clock_made(void) {
    return (eh_clock){.now_ms = made_now, .mono_ns = made_now};
}

/* A folder of its own for files; made_folder_free removes it with them. It starts no
 * process for that, which a machine short of memory may refuse. */
typedef struct made_folder {
    char path[64];
    char file[128]; /* the last path that was asked for */
} made_folder;

static inline made_folder made_folder_new(void) {
    made_folder f = {.path = "/tmp/test_ledger_XXXXXX"};
    assert_non_null(mkdtemp(f.path));
    return f;
}

static inline char *made_path(made_folder *f, const char *name) {
    (void)snprintf(f->file, sizeof f->file, "%s/%s", f->path, name);
    return f->file;
}

static inline char *made_file(made_folder *f, const char *name, const char *text) {
    FILE *out = fopen(made_path(f, name), "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(text, 1, strlen(text), out), strlen(text));
    assert_int_equal(fclose(out), 0);
    return f->file;
}

static inline void made_folder_free(made_folder *f) {
    DIR *folder = opendir(f->path);
    assert_non_null(folder);
    for (const struct dirent *e = readdir(folder); e; e = readdir(folder))
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
            assert_int_equal(unlinkat(dirfd(folder), e->d_name, 0), 0);
    assert_int_equal(closedir(folder), 0);
    assert_int_equal(rmdir(f->path), 0);
}

static inline ledger *ledger_made(void) {
    ledger *l;
    eh_error err;
    assert_ok(ledger_open_temporary(&l, &err), err);
    return l;
}

static inline void ledger_unmade(ledger *l) {
    eh_error err;
    assert_ok(ledger_close(l, &err), err);
}

/* A pair with a question and answers of its own, made from its id. The strings are
 * constants or the caller's. */
static inline dataset_pair pair_of(const char *id, const char *question,
                                   const char *answer_1, const char *answer_2) {
    return (dataset_pair){.id = eh_str_of(id),
                          .question = eh_str_of(question),
                          .answer_1 = eh_str_of(answer_1),
                          .answer_2 = eh_str_of(answer_2),
                          .line = 1};
}

/* Makes these pairs the scope; lines count from 1. */
static inline void stage_all(ledger *l, const dataset_pair *pairs, size_t n) {
    eh_error err;
    uint8_t digest[HASH_BYTES] = {(uint8_t)n};
    dataset_stage stage = ledger_stage(l);
    assert_ok(ledger_stage_begin(l, &err), err);
    for (size_t i = 0; i < n; i++) {
        dataset_pair pair = pairs[i];
        int64_t first_line;
        pair.line = (int64_t)i + 1;
        assert_ok(stage.put(stage.self, &pair, &first_line, &err), err);
        assert_int_equal(first_line, 0);
    }
    assert_ok(ledger_stage_end(l, digest, "made.jsonl", MADE_AT_MS, &err), err);
}

static inline int64_t row_of(ledger *l, const char *pair_id) {
    eh_error err;
    int64_t row;
    assert_ok(ledger_find_pair(l, eh_str_of(pair_id), &row, &err), err);
    if (!row) fail_msg("no pair %s", pair_id);
    return row;
}

static inline int64_t judge_made(ledger *l, const char *id) {
    eh_error err;
    int64_t row;
    ledger_judge judge = {.judge = eh_str_of(id),
                          .template_name = EH_STR("score"),
                          .template_text = EH_STR("a template"),
                          .evidence_first = true,
                          .params = EH_STR("{\"temperature\": 0}")};
    assert_ok(ledger_judge_put(l, &judge, &row, &err), err);
    return row;
}

static inline int64_t run_made(ledger *l, int64_t judge_row, const char *method, int k,
                               unsigned orders) {
    eh_error err;
    int64_t row;
    ledger_run run = {
        .judge_row = judge_row, .method = eh_str_of(method), .k = k, .orders = orders};
    assert_ok(ledger_run_put(l, &run, MADE_AT_MS, &row, &err), err);
    return row;
}

/* What a judge said of a pair: `s` speaks of answers, as plan_make.h makes it. */
static inline verdict_result shown_of(plan_sample s) {
    bool swap = s.order == EH_ORDER_21;
    return (verdict_result){
        .verdict = eh_verdict_unswap(s.verdict, s.order),
        .reason = s.reason,
        .has_scores = s.has_scores,
        .score_1 = swap ? s.score_2 : s.score_1,
        .score_2 = swap ? s.score_1 : s.score_2,
        .likert = !s.has_rating ? 0
                  : swap        ? 3 + s.signed_rating
                                : 3 - s.signed_rating,
    };
}

static inline int64_t put_used(ledger *l, int64_t judge_row, const char *pair_id,
                               plan_sample s, ledger_usage usage) {
    eh_error err;
    int64_t call_row;
    uint8_t key[HASH_BYTES];
    ledger_ask ask = {.judge_row = judge_row,
                      .pair_row = row_of(l, pair_id),
                      .stage_code = s.stage_code,
                      .order = s.order,
                      .sample = s.sample};
    eh_hash h;
    hash_init(&h, "test-key");
    hash_i64(&h, judge_row);
    hash_i64(&h, ask.pair_row);
    hash_i64(&h, s.stage_code);
    hash_i64(&h, s.order);
    hash_i64(&h, s.sample);
    hash_done(&h, key);
    ledger_call call = {.key = key,
                        .judge_row = judge_row,
                        .sample = s.sample,
                        .content = EH_STR("a reply"),
                        .done_ms = MADE_AT_MS,
                        .latency_ms = -1,
                        .n_attempts = 1,
                        .prompt_tokens = usage.prompt_tokens,
                        .cached_tokens = usage.cached_tokens,
                        .completion_tokens = usage.completion_tokens,
                        .reasoning_tokens = usage.reasoning_tokens,
                        .result = shown_of(s)};
    assert_ok(ledger_call_put(l, &call, &call_row, &err), err);
    assert_ok(ledger_ask_put(l, &ask, call_row, &err), err);
    assert_ok(ledger_commit(l, &err), err);
    return call_row;
}

static inline int64_t put(ledger *l, int64_t judge_row, const char *pair_id,
                          plan_sample s) {
    ledger_usage unknown = {0, -1, -1, -1, -1};
    return put_used(l, judge_row, pair_id, s, unknown);
}

static inline plan_sample failed_of(eh_order order, int sample, verdict_reason why) {
    plan_sample s = vote_of(order, sample, EH_VERDICT_NONE);
    s.reason = why;
    return s;
}

static inline void label(ledger *l, const char *pair_id, const char *annotator,
                         eh_verdict verdict) {
    eh_error err;
    ledger_label made = {.pair_row = row_of(l, pair_id),
                         .annotator = eh_str_of(annotator),
                         .label = verdict,
                         .side = -1,
                         .familiar = -1};
    assert_ok(ledger_label_put(l, &made, &err), err);
    assert_ok(ledger_commit(l, &err), err);
}

#endif
