/* SPDX-License-Identifier: MIT
 *
 * Judges that answer in the process: one function makes a reply, and the queue, the
 * pretended latency and the memory are shared here.
 */
#ifndef EH_JUDGE_LOCAL_H
#define EH_JUDGE_LOCAL_H

#include "judge/judge.h"

typedef struct judge_local judge_local;

/* Answers one sample into `reply` (ticket, sample, attempts and unknown usage are set
 * already). Strings come from `arena`, which is reset at the next poll. */
typedef eh_status judge_local_answer(judge_local *l, const judge_request *request,
                                     int sample, eh_arena *arena, judge_reply *reply,
                                     eh_error *err);

typedef struct judge_waiting {
    const judge_request *request;
    int n_answered;
    int64_t due_ns; /* when the pretended endpoint has its reply ready */
} judge_waiting;

/* The base of a local judge: first member of its struct. */
struct judge_local {
    judge base;
    judge_local_answer *answer;
    eh_clock clock;
    int64_t delay_ns;    /* pretended latency of each request */
    eh_arena arena;      /* the reply handed out last */
    judge_waiting *ring; /* [ring_cap] requests in the order they came */
    size_t ring_cap, ring_head, ring_n;
};

EH_MUST_USE eh_status judge_local_init(judge_local *l, const judge_backend *backend,
                                       const judge_open_args *args,
                                       judge_local_answer *answer, eh_error *err);
void judge_local_deinit(judge_local *l);

/* The submit and poll of a backend whose judges are judge_locals. */
eh_status judge_local_submit(judge *j, const judge_request *request, eh_error *err);
eh_status judge_local_poll(judge *j, int64_t timeout_ms, judge_reply *reply, bool *got,
                           eh_error *err);

#endif
