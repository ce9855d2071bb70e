/* SPDX-License-Identifier: MIT
 *
 * The ledger: pairs, judges, calls, replies, verdicts and labels of a run, in one
 * SQLite file. Every number is recomputed from it without calling anyone.
 *
 *   pair  --ask(judge, order, sample)-->  call  -->  reply (the text)
 *   (one row a revision)                   |  `-->  sample (its verdict, as shown)
 *                                          key: what was asked, as a hash
 *
 * A call is stored once under its key; pairs with identical texts share it, so what
 * was paid for is never asked again unless somebody wants it fresh; then the older call
 * stays with its reply, but answers nothing any more. Verdicts of calls are in the
 * order shown; the functions here hand them out un-swapped to the answers of the pair.
 *
 * One writer: a ledger opened for writing is locked (flock on PATH-lock) until it is
 * closed. A ledger belongs to one thread. Borrowed strings live until the next call
 * that uses the same cursor, or as said.
 */
#ifndef EH_LEDGER_H
#define EH_LEDGER_H

#include "base/hash.h"
#include "dataset/dataset.h"
#include "plan/method.h"
#include "plan/ruling.h"

typedef struct ledger ledger;

typedef enum ledger_mode {
    LEDGER_READ,  /* must exist; nothing is changed, no lock is taken */
    LEDGER_WRITE, /* must exist; locked */
    LEDGER_CREATE /* created where it is not there; locked */
} ledger_mode;

/* LEDGER errors say what is wrong with the file: missing, no ledger at all, of a newer
 * version, damaged, in use, not writable, disk full. */
EH_MUST_USE eh_status ledger_open(const char *path, ledger_mode mode, ledger **l,
                                  eh_error *err);

/* A ledger in a temporary file that is gone when closed: for checks and dry runs. */
EH_MUST_USE eh_status ledger_open_temporary(ledger **l, eh_error *err);

/* A ledger in memory, for the numbers of files of judgments as quickly as they can be
 * read: it has pairs without texts, judges, runs, labels, and samples that came through
 * ledger_hold. What it does not have (calls, replies, staging, texts) fails with a
 * LEDGER error. */
EH_MUST_USE eh_status ledger_open_held(ledger **l, eh_error *err);
bool ledger_is_held(const ledger *l);

/* Closes; a written ledger is left as one file that opens read-only, and a file that
 * was created by this open and holds nothing is removed. Accepts NULL. ledger_close
 * reports what could not be written at the end. */
eh_status ledger_close(ledger *l, eh_error *err);

/* Is this file an Evenhand ledger, by its first bytes? */
bool ledger_sniff(const char *path);

/* Changes are grouped: begin is a no-op inside a group, commit makes it durable. */
EH_MUST_USE eh_status ledger_begin(ledger *l, eh_error *err);
EH_MUST_USE eh_status ledger_commit(ledger *l, eh_error *err);
bool ledger_in_group(const ledger *l);

/* For rows by the hundred thousand: more of the file is held in memory (up to 64 MB),
 * since their keys are in no order and each would read and write a page; and a file
 * that is new is written once, not twice. Outside of groups; durable as ever. */
EH_MUST_USE eh_status ledger_bulk(ledger *l, bool bulk, eh_error *err);

void ledger_rollback(ledger *l); /* everything since begin is undone */

/* ---- pairs ---- */

/* The digest of the data set that was staged last; false when there is none. */
bool ledger_dataset_digest(ledger *l, uint8_t digest[HASH_BYTES]);

/* Staging: between begin and end, rows are put in data order; what was staged before
 * leaves the scope but stays in the ledger with its verdicts and labels. `end` keeps
 * all of it durably, unless a group was begun before it, which it is then part of;
 * ledger_rollback keeps nothing. */
EH_MUST_USE eh_status ledger_stage_begin(ledger *l, eh_error *err);
/* Where a data set's reader puts its rows between begin and end. */
dataset_stage ledger_stage(ledger *l);
EH_MUST_USE eh_status ledger_stage_end(ledger *l, const uint8_t digest[HASH_BYTES],
                                       const char *name, int64_t now_ms, eh_error *err);

/* A pair without its texts. */
typedef struct ledger_pair {
    int64_t row; /* the revision's number in this ledger */
    int64_t seq; /* place in the data, from 0 */
    eh_str pair_id;
    uint64_t question_hash; /* pairs of one question share it */
    eh_str model_1, model_2, category;
    int64_t answer_1_cp, answer_2_cp; /* lengths in code points */
    uint8_t revision[16];
    bool is_bare; /* known by its id alone */
} ledger_pair;

typedef struct ledger_texts {
    eh_str question, answer_1, answer_2, reference, short_question, turns_json;
    eh_str meta_json;
} ledger_texts;

/* Up to `cap` pairs of the scope behind `after_seq` (-1 = from the start), strings in
 * `arena`. Holds no read lock between pages, so writing may go on. */
EH_MUST_USE eh_status ledger_pairs_page(ledger *l, int64_t after_seq,
                                        ledger_pair *pairs, size_t cap, size_t *n,
                                        eh_arena *arena, eh_error *err);

/* The texts of one pair, in `arena`. LEDGER error when they were purged. */
EH_MUST_USE eh_status ledger_pair_texts(ledger *l, int64_t pair_row,
                                        ledger_texts *texts, eh_arena *arena,
                                        eh_error *err);

/* The pair's `meta` and unknown fields as a JSON object, in `arena`; absent where there
 * are none, or no texts. */
EH_MUST_USE eh_status ledger_pair_meta(ledger *l, int64_t pair_row, eh_arena *arena,
                                       eh_str *meta_json, eh_error *err);

EH_MUST_USE eh_status ledger_count_pairs(ledger *l, int64_t *n, eh_error *err);

/* The scope's row of this id, or 0. */
EH_MUST_USE eh_status ledger_find_pair(ledger *l, eh_str pair_id, int64_t *row,
                                       eh_error *err);

/* The scope's row of another ledger's pair: the same id and, where both have texts, the
 * same texts; else 0. */
EH_MUST_USE eh_status ledger_same_pair(ledger *l, const ledger_pair *pair, int64_t *row,
                                       eh_error *err);

/* Adds a pair that is known by its id alone to the scope, or finds it: for judgments
 * that came without their data set. It has no texts and is a question of its own. The
 * scope is then no longer that of the data set: ledger_dataset_digest gives none. */
EH_MUST_USE eh_status ledger_pair_put_bare(ledger *l, eh_str pair_id, int64_t *row,
                                           eh_error *err);

/* Adds a pair that came with judgments to the scope, or finds it. Where the question is
 * absent it has no texts: pairs of one `question_key` are then of one question, and
 * with an absent key it is a question of its own. DATA where the scope has the id with
 * other texts. The scope is then no longer that of a data set, as above. */
EH_MUST_USE eh_status ledger_pair_add(ledger *l, const dataset_pair *pair,
                                      eh_str question_key, int64_t *row, eh_error *err);

/* Does the ledger hold another revision of this id? For saying what changed. */
EH_MUST_USE eh_status ledger_has_other_revision(ledger *l, eh_str pair_id,
                                                const uint8_t revision[16], bool *has,
                                                eh_error *err);

/* The revision of a row's texts: what verdicts and labels bind to. */
void ledger_revision(const dataset_pair *pair, uint8_t revision[16]);

typedef enum ledger_sort {
    LEDGER_BY_DATA,    /* in the order of the data */
    LEDGER_BY_QUESTION /* pairs of one question together, in an order of its own */
} ledger_sort;

/* A cursor over the scope's pairs; reading only. Strings live until the next step. */
typedef struct ledger_cursor ledger_cursor;
EH_MUST_USE eh_status ledger_cursor_open(ledger *l, ledger_sort sort, ledger_cursor **c,
                                         eh_error *err);
EH_MUST_USE eh_status ledger_cursor_next(ledger_cursor *c, ledger_pair *pair, bool *got,
                                         eh_error *err);
void ledger_cursor_close(ledger_cursor *c); /* accepts NULL */

/* Hands out every pair of the scope; ends with the first status that is not OK. */
typedef eh_status ledger_pair_fn(void *self, const ledger_pair *pair, eh_error *err);
EH_MUST_USE eh_status ledger_pairs_each(ledger *l, ledger_sort sort, ledger_pair_fn *fn,
                                        void *self, eh_error *err);

/* ---- judges, runs, sessions ---- */

typedef struct ledger_judge {
    eh_str judge;                        /* judge id */
    eh_str template_name, template_text; /* empty where no template reaches the judge */
    bool evidence_first;
    eh_str params; /* requested sampling parameters as canonical JSON */
} ledger_judge;

/* Finds or adds the judge; its number identifies it in this ledger. */
EH_MUST_USE eh_status ledger_judge_put(ledger *l, const ledger_judge *judge,
                                       int64_t *judge_row, eh_error *err);
/* Finds it: 0 when it is not there. */
EH_MUST_USE eh_status ledger_judge_find(ledger *l, const ledger_judge *judge,
                                        int64_t *judge_row, eh_error *err);

typedef struct ledger_run {
    int64_t row;
    int64_t judge_row;
    ledger_judge judge;
    eh_str method;
    int k;
    unsigned orders;
    bool imported;  /* only pairs that were judged are in its scope */
    eh_str options; /* plan_options_text; empty for most methods */
} ledger_run;

/* Which samples of a prompt: those of the run itself, or others beside them. */
enum {
    LEDGER_STREAM_MAIN = 0,
    LEDGER_STREAM_PLACEBO = 1,
    LEDGER_STREAM_DRIFT = 2,
    LEDGER_STREAM_GENERATE = 3 /* texts that a model writes, of no pair */
};

/* A plan's options with the stream before them. */
enum { LEDGER_RUN_OPTIONS_CHARS = PLAN_OPTIONS_CHARS + 24 };

/* The ledger's run of a plan; `options` holds its text and must live as long. Calls of
 * another stream belong to a run of their own, which ledger_run_is_main tells: it has
 * sessions and no rulings. */
ledger_run ledger_run_of(const plan_spec *plan, int stream, int64_t judge_row,
                         char options[LEDGER_RUN_OPTIONS_CHARS]);
bool ledger_run_is_main(const ledger_run *run);
int ledger_run_stream(const ledger_run *run);

/* Finds or adds the run (judge_row, method, k, orders, imported, options). */
EH_MUST_USE eh_status ledger_run_put(ledger *l, const ledger_run *run, int64_t now_ms,
                                     int64_t *run_row, eh_error *err);

/* All runs in the order they were added; strings in `arena`. */
EH_MUST_USE eh_status ledger_runs(ledger *l, eh_arena *arena, ledger_run **runs,
                                  size_t *n, eh_error *err);

/* Finds the run: 0 when it is not there. */
EH_MUST_USE eh_status ledger_run_find(ledger *l, const ledger_run *run,
                                      int64_t *run_row, eh_error *err);

/* A process at work on a run. refresh_ms: it asks again what was done before that
 * instant; -1 = it does not. */
typedef struct ledger_session {
    int64_t run_row, started_ms, refresh_ms;
} ledger_session;
EH_MUST_USE eh_status ledger_session_begin(ledger *l, const ledger_session *session,
                                           int64_t *session_row, eh_error *err);
EH_MUST_USE eh_status ledger_session_end(ledger *l, int64_t session_row, int64_t now_ms,
                                         const char *status, int64_t n_new,
                                         int64_t n_reused, eh_error *err);

/* The refresh_ms of the run's last refresh if that did not come to its end, else -1. */
EH_MUST_USE eh_status ledger_refresh_open(ledger *l, int64_t run_row,
                                          int64_t *refresh_ms, eh_error *err);

/* ---- calls ---- */

typedef struct ledger_call {
    const uint8_t *key; /* [HASH_BYTES] */
    int64_t judge_row, session_row;
    int stream, sample;
    eh_str effective, model, fingerprint, finish_reason; /* absent where unknown */
    eh_str content, reasoning, refusal; /* the reply; absent where there is none */
    eh_str logprobs; /* of its tokens, a JSON object; absent where there are none */
    int64_t done_ms, latency_ms, n_attempts, n_neutralised;
    int64_t prompt_tokens, cached_tokens, completion_tokens, reasoning_tokens;
    verdict_result result; /* in the order shown */
    int reader;            /* VERDICT_READER_VERSION; 0 = recorded elsewhere */
    /* The call that this one replaces, of the same key; 0 = none. The new one takes its
     * row, so that all asks point to it, and the old one is kept under a row of its own
     * that no ask points to. */
    int64_t replaces_row;
} ledger_call;

/* Stores a call with its reply and verdict. */
EH_MUST_USE eh_status ledger_call_put(ledger *l, const ledger_call *call,
                                      int64_t *call_row, eh_error *err);

/* The call of a key: its row, or 0. */
EH_MUST_USE eh_status ledger_call_find(ledger *l, const uint8_t key[HASH_BYTES],
                                       int64_t *call_row, eh_error *err);

/* The same with the instant at which it was done. */
EH_MUST_USE eh_status ledger_call_done_ms(ledger *l, const uint8_t key[HASH_BYTES],
                                          int64_t *call_row, int64_t *done_ms,
                                          eh_error *err);

/* The reply that is kept under a key, for what is no question about a pair. */
typedef struct ledger_kept {
    eh_str content, refusal,
        finish_reason; /* in the arena; absent where there is none */
    int64_t prompt_tokens, cached_tokens, completion_tokens, reasoning_tokens; /* -1 */
} ledger_kept;
EH_MUST_USE eh_status ledger_call_reply(ledger *l, const uint8_t key[HASH_BYTES],
                                        eh_arena *arena, ledger_kept *kept, bool *found,
                                        eh_error *err);

/* One thing that was asked about a pair. */
typedef struct ledger_ask {
    int64_t judge_row, pair_row;
    int stream;
    int stage_code; /* plan_stage_code: 0 the plain pair */
    eh_order order;
    int sample;
} ledger_ask;

/* Links a pair's stage, order and sample to the call that answers it. */
EH_MUST_USE eh_status ledger_ask_put(ledger *l, const ledger_ask *ask, int64_t call_row,
                                     eh_error *err);

/* Keeps a sample, un-swapped, in a ledger of ledger_open_held. Of several for one ask
 * the newest with a verdict counts. *is_full when it has as many as it takes (8
 * million): then nothing was kept. */
EH_MUST_USE eh_status ledger_hold(ledger *l, int64_t judge_row, int64_t pair_row,
                                  const plan_sample *sample, bool *is_full,
                                  eh_error *err);

/* The samples of one pair, un-swapped, sorted by stage, order and sample; at most
 * `cap`. Of `whose` the judge, the pair and the stream count. Answers that were done
 * before `since_ms` are left out; 0 = none is. */
EH_MUST_USE eh_status ledger_samples(ledger *l, const ledger_ask *whose,
                                     int64_t since_ms, plan_sample *samples, size_t cap,
                                     size_t *n, eh_error *err);

/* Tokens of a pair's plain prompt, the longer of both orders; 0 where the endpoint did
 * not tell those of every reply. */
EH_MUST_USE eh_status ledger_plain_tokens(ledger *l, const ledger_ask *ask,
                                          int64_t *n_tokens, eh_error *err);

/* What a judge was asked: samples of a prompt (highest index + 1) and orders. */
EH_MUST_USE eh_status ledger_judge_extent(ledger *l, int64_t judge_row, int *k,
                                          unsigned *orders, eh_error *err);

/* The verdict that is stored for an ask, un-swapped; *found is false without one. */
EH_MUST_USE eh_status ledger_ask_verdict(ledger *l, const ledger_ask *ask, bool *found,
                                         eh_verdict *verdict, eh_error *err);

/* Was this revision of a pair asked before, by a judge of this id under any template
 * and parameters? For saying why a call is new. */
EH_MUST_USE eh_status ledger_pair_was_asked(ledger *l, eh_str pair_id,
                                            const uint8_t revision[16], eh_str judge_id,
                                            bool *was_asked, eh_error *err);

/* Notes a call that gave no result, for --timing and for people. */
EH_MUST_USE eh_status ledger_attempt_put(ledger *l, int64_t session_row,
                                         const ledger_ask *ask, int64_t at_ms,
                                         eh_str message, eh_error *err);

/* Requests of one session by what became of them ("answered", "http_503", ...): every
 * fault of an endpoint, also of calls that came home in the end. */
typedef struct ledger_requests {
    eh_str outcome;
    int64_t n;
} ledger_requests;
EH_MUST_USE eh_status ledger_requests_add(ledger *l, int64_t session_row,
                                          int64_t judge_row, const ledger_requests *r,
                                          eh_error *err);

/* Over all sessions of a judge, the most frequent first; in `arena`. None in a ledger
 * of an earlier version. */
EH_MUST_USE eh_status ledger_requests_sum(ledger *l, int64_t judge_row, eh_arena *arena,
                                          ledger_requests **sums, size_t *n,
                                          eh_error *err);

/* The scale on which a judge's pairs are ruled: the finest that all its valid samples
 * have. */
EH_MUST_USE eh_status ledger_scale(ledger *l, int64_t judge_row, plan_scale *scale,
                                   eh_error *err);

/* Sums over the calls behind one judge's asks under a plan; -1 where any of them is
 * unknown. Answers of stages that the plan does not ask of a pair do not count. */
typedef struct ledger_usage {
    int64_t n_calls;
    int64_t prompt_tokens, cached_tokens, completion_tokens, reasoning_tokens;
} ledger_usage;
EH_MUST_USE eh_status ledger_usage_sum(ledger *l, int64_t judge_row,
                                       const plan_spec *plan, ledger_usage *sum,
                                       eh_error *err);
/* The same over one stage; -1: all of them. */
EH_MUST_USE eh_status ledger_stage_usage_sum(ledger *l, int64_t judge_row,
                                             const plan_spec *plan, int stage,
                                             ledger_usage *sum, eh_error *err);

/* The same of one stream; the others here are of the main one. */
EH_MUST_USE eh_status ledger_stream_usage_sum(ledger *l, int64_t judge_row,
                                              const plan_spec *plan, int stream,
                                              ledger_usage *sum, eh_error *err);

/* When the first and the last of these calls of a stream came; -1 where there is none.
 */
EH_MUST_USE eh_status ledger_stream_dates(ledger *l, int64_t judge_row,
                                          const plan_spec *plan, int stream,
                                          int64_t *first_ms, int64_t *last_ms,
                                          eh_error *err);

/* The models that answered a judge's asks, as the endpoint named them; sorted. Of `of`
 * the judge and the stream count. */
typedef struct ledger_model {
    eh_str model, fingerprint; /* absent where it named none */
    int64_t n_calls;
} ledger_model;
EH_MUST_USE eh_status ledger_models(ledger *l, const ledger_ask *of,
                                    const plan_spec *plan, eh_arena *arena,
                                    ledger_model **models, size_t *n, eh_error *err);

/* What depends on time and attempts and is therefore no part of a summary. */
typedef struct ledger_timing {
    int64_t n_sessions, n_calls, n_attempts, n_no_result;
    int64_t first_ms, last_ms; /* of calls; -1 where there are none */
    double mean_latency_ms;    /* NaN where unknown */
} ledger_timing;
EH_MUST_USE eh_status ledger_timing_sum(ledger *l, int64_t judge_row,
                                        ledger_timing *timing, eh_error *err);

/* ---- one pair, for people to look at (look.c) ---- */

/* The data set that was staged last; strings in `arena`, absent where there is none. */
typedef struct ledger_dataset {
    eh_str name; /* the file's, as it was given */
    int64_t n_pairs;
    uint8_t digest[HASH_BYTES];
} ledger_dataset;
EH_MUST_USE eh_status ledger_dataset_look(ledger *l, eh_arena *arena,
                                          ledger_dataset *dataset, eh_error *err);

typedef struct ledger_glance {
    uint8_t revision[16];
    bool has_texts; /* false for purged texts and for pairs known by their id alone */
    eh_str head;    /* the question's first code points, in `arena` */
    bool head_is_all;
} ledger_glance;
EH_MUST_USE eh_status ledger_pair_look(ledger *l, int64_t pair_row, int head_cp,
                                       eh_arena *arena, ledger_glance *glance,
                                       eh_error *err);

/* One answer of a judge about a pair. Strings are absent where there is none. */
typedef struct ledger_answer {
    plan_sample sample; /* un-swapped */
    uint8_t key[HASH_BYTES];
    eh_str model, finish_reason, content, reasoning, refusal;
    int64_t prompt_tokens, cached_tokens, completion_tokens, reasoning_tokens; /* -1 */
} ledger_answer;

/* All answers of one judge about one pair in a stream, by stage, order and sample; in
 * `arena`. Of `whose` judge, pair and stream count. */
EH_MUST_USE eh_status ledger_pair_answers(ledger *l, const ledger_ask *whose,
                                          eh_arena *arena, ledger_answer **answers,
                                          size_t *n, eh_error *err);

/* Sums over the calls behind one judge's asks about one pair, under a plan. */
EH_MUST_USE eh_status ledger_pair_usage(ledger *l, int64_t judge_row, int64_t pair_row,
                                        const plan_spec *plan, ledger_usage *sum,
                                        eh_error *err);

/* Seconds that the endpoint took for the requests behind one judge's asks; NaN where
 * any is unknown. Replies that shared a request (the later ones have no prompt tokens
 * of their own) count its time once. */
EH_MUST_USE eh_status ledger_judge_seconds(ledger *l, int64_t judge_row,
                                           const plan_spec *plan, double *seconds,
                                           eh_error *err);

/* A reply that is kept, with the verdict that was read of it. */
typedef struct ledger_reply {
    int64_t call_row;
    eh_str judge, template_text; /* template_text is empty for imported judgments */
    eh_str content, refusal, finish_reason;
    verdict_result result; /* in the order shown */
    int reader;
} ledger_reply;

/* Up to `cap` replies behind call `after_row` (0 = from the start), in `arena`. */
EH_MUST_USE eh_status ledger_replies_page(ledger *l, int64_t after_row,
                                          ledger_reply *replies, size_t cap, size_t *n,
                                          eh_arena *arena, eh_error *err);

/* Replaces the verdict of a call by what `reader` made of its reply. */
EH_MUST_USE eh_status ledger_sample_replace(ledger *l, int64_t call_row,
                                            const verdict_result *result, int reader,
                                            eh_error *err);

/* ---- labels ---- */

typedef struct ledger_label {
    int64_t pair_row;
    eh_str annotator;
    eh_verdict label;
    int side;     /* -1 not recorded, else an eh_order: which answer stood left */
    int familiar; /* -1 not said, 0 no, 1 yes */
    eh_str note, time;
    bool adjudicated; /* the owner's word after others disagreed: it alone counts */
    bool unblind;     /* who gave it had looked at what judges said of the pair */
} ledger_label;

/* Stores or replaces the annotator's label of that pair. */
EH_MUST_USE eh_status ledger_label_put(ledger *l, const ledger_label *label,
                                       eh_error *err);

/* Removes the annotator's label of that pair, and what they decided on the page before;
 * *removed says whether there was one. */
EH_MUST_USE eh_status ledger_label_remove(ledger *l, int64_t pair_row, eh_str annotator,
                                          bool *removed, eh_error *err);

/* How often each verdict was given to a pair; index by eh_verdict. Labels of people who
 * did not know the topic do not count; where one was adjudicated it counts alone. */
EH_MUST_USE eh_status ledger_label_counts(ledger *l, int64_t pair_row,
                                          int64_t counts[4], eh_error *err);

/* The labels of one pair, by annotator; in `arena`. */
EH_MUST_USE eh_status ledger_pair_labels(ledger *l, int64_t pair_row, eh_arena *arena,
                                         ledger_label **labels, size_t *n,
                                         eh_error *err);

/* All labels of the scope, sorted by data and annotator; strings live for the call. */
typedef eh_status ledger_label_fn(void *self, eh_str pair_id, const ledger_label *label,
                                  eh_error *err);
EH_MUST_USE eh_status ledger_labels_each(ledger *l, ledger_label_fn *fn, void *self,
                                         eh_error *err);

#endif
