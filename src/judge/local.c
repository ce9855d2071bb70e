/* SPDX-License-Identifier: MIT
 *
 * The queue of local judges.
 *
 * Requests stand in a ring in the order they came; each has a time when it is due, so
 * that a judge with delay=50 behaves like an endpoint with 50 ms latency and many calls
 * in flight. The due times grow with the ring, so only its head has to be looked at.
 * One thread, no locks.
 */
#include "judge/local.h"

#include <time.h>

#include "base/mem.h"

enum { REPLY_MAX_BYTES = 256 << 20 };

eh_status judge_local_init(judge_local *l, const judge_backend *backend,
                           const judge_open_args *args, judge_local_answer *answer,
                           eh_error *err) {
    l->base.backend = backend;
    l->answer = answer;
    l->clock = args->clock;
    l->ring_cap = args->concurrency > 0 ? (size_t)args->concurrency : 1;
    l->ring = mem_zalloc(l->ring_cap, sizeof *l->ring);
    arena_init(&l->arena, REPLY_MAX_BYTES);
    return l->ring ? EH_STATUS_OK : EH_NOMEM(err);
}

void judge_local_deinit(judge_local *l) {
    mem_free(l->ring);
    arena_deinit(&l->arena);
}

eh_status judge_local_submit(judge *j, const judge_request *request, eh_error *err) {
    judge_local *l = (judge_local *)j;
    if (l->ring_n == l->ring_cap)
        return EH_FAIL(err, EH_STATUS_USAGE, "more than %zu requests in flight",
                       l->ring_cap);
    size_t tail = (l->ring_head + l->ring_n++) % l->ring_cap;
    l->ring[tail] = (judge_waiting){
        .request = request,
        .due_ns = l->delay_ns ? clock_mono_ns(&l->clock) + l->delay_ns : 0,
    };
    return EH_STATUS_OK;
}

/* Sleeps until `due_ns`, but not longer than the timeout; true when it is due. */
static bool wait_until(judge_local *l, int64_t due_ns, int64_t timeout_ms) {
    if (due_ns == 0) return true;
    int64_t left_ns = due_ns - clock_mono_ns(&l->clock);
    if (left_ns <= 0) return true;
    int64_t wait_ns = left_ns;
    if (wait_ns > timeout_ms * 1000000) wait_ns = timeout_ms * 1000000;
    struct timespec pause = {wait_ns / 1000000000, wait_ns % 1000000000};
    (void)nanosleep(&pause, NULL); /* a signal ends it early, which is wanted */
    return clock_mono_ns(&l->clock) >= due_ns;
}

eh_status judge_local_poll(judge *j, int64_t timeout_ms, judge_reply *reply, bool *got,
                           eh_error *err) {
    judge_local *l = (judge_local *)j;
    *got = false;
    if (l->ring_n == 0) return EH_STATUS_OK;
    judge_waiting *w = &l->ring[l->ring_head];
    if (!wait_until(l, w->due_ns, timeout_ms)) return EH_STATUS_OK;
    const judge_request *request = w->request;
    int sample = request->samples[w->n_answered++];
    if (w->n_answered == request->n_samples) {
        l->ring_head = (l->ring_head + 1) % l->ring_cap;
        l->ring_n--;
    }
    arena_reset(&l->arena);
    *reply = (judge_reply){.ticket = request->ticket,
                           .sample = sample,
                           .usage = {-1, -1, -1, -1},
                           .latency_ms = -1,
                           .n_attempts = 1};
    EH_TRY(l->answer(l, request, sample, &l->arena, reply, err));
    *got = true;
    return EH_STATUS_OK;
}
