/* SPDX-License-Identifier: MIT
 *
 * For tests of judges that answer in the process: open one, ask it one prompt, and read
 * what it said as the engine would.
 */
#ifndef EH_TESTS_JUDGE_MAKE_H
#define EH_TESTS_JUDGE_MAKE_H

#include <math.h>

#include "judge/judge.h"
#include "unit.h"

static inline int64_t judge_made_now(void *self) {
    return *(int64_t *)self;
}

/* A clock that shows what `*now_ns` holds. */
static inline eh_clock judge_made_clock(int64_t *now_ns) {
    return (eh_clock){
        .now_ms = judge_made_now, .mono_ns = judge_made_now, .self = now_ns};
}

static int64_t judge_made_ns = 1;

static inline judge_open_args judge_args(int concurrency) {
    return (judge_open_args){.concurrency = concurrency,
                             .clock = judge_made_clock(&judge_made_ns)};
}

static inline judge *judge_made(const char *spec) {
    judge *j;
    eh_error err;
    judge_open_args args = judge_args(64);
    assert_ok(judge_open(eh_str_of(spec), &args, &j, &err), err);
    return j;
}

static inline void judge_refused(const char *spec, eh_status status, const char *part) {
    judge *j;
    eh_error err;
    judge_open_args args = judge_args(1);
    eh_status seen = judge_open(eh_str_of(spec), &args, &j, &err);
    if (seen != status) fail_msg("judge %s: status %d", spec, (int)seen);
    assert_fails(seen, status, err, part);
    assert_null(j);
}

/* What is shown; the texts stand for the prompt. */
static inline judge_shown shown_made(const char *question, const char *first,
                                     const char *second) {
    return (judge_shown){.pair_id = EH_STR("p"),
                         .question = eh_str_of(question),
                         .first = eh_str_of(first),
                         .second = eh_str_of(second),
                         .quality_first = NAN,
                         .quality_second = NAN,
                         .form = VERDICT_FORM_SCORE,
                         .evidence_first = true};
}

/* Asks one sample; the reply's strings live until the next question. */
static inline judge_reply ask_stream(judge *j, judge_shown shown, int stream,
                                     int sample) {
    eh_error err;
    bool got;
    judge_reply reply;
    prompt_message message = {EH_STR("user"), shown.first};
    judge_request r = {.ticket = 77,
                       .messages = &message,
                       .n_messages = 1,
                       .samples = &sample,
                       .n_samples = 1,
                       .stream = stream,
                       .shown = shown};
    assert_ok(judge_submit(j, &r, &err), err);
    assert_ok(judge_poll(j, 0, &reply, &got, &err), err);
    assert_true(got);
    assert_int_equal(reply.ticket, 77);
    assert_int_equal(reply.sample, sample);
    return reply;
}

static inline judge_reply ask(judge *j, judge_shown shown, int sample) {
    return ask_stream(j, shown, 0, sample);
}

/* The verdict of a reply, in the order shown. */
static inline verdict_result read_made(const judge_reply *reply,
                                       verdict_form_kind kind) {
    eh_arena arena;
    verdict_result result = reply->recorded;
    verdict_form form = {kind, NULL};
    if (reply->outcome != JUDGE_OUTCOME_REPLY) return result;
    arena_init(&arena, 1 << 26);
    assert_int_equal(verdict_read(&form, &reply->reply, &arena, &result, NULL),
                     EH_STATUS_OK);
    arena_deinit(&arena);
    return result;
}

#endif
