/* SPDX-License-Identifier: MIT
 *
 * The engine's loop.
 *
 *   feed    what has room and is wanted is sent (engine_feed.c)
 *   poll    one reply is taken and stored (engine_reply.c)
 *   group   commit after GROUP_MAX puts, after GROUP_NS, or when nothing is ready, so
 *           that a reply is durable before it is counted and fsync is paid once a
 *           group; on slow disks after some times of what the last commit took, if that
 *           is more, so that most of the time is not spent on waiting for the disk
 *
 * Ctrl-C stops the feeding; what is in flight is waited for, since it is paid for. A
 * second Ctrl-C gives it up.
 */
#include <stdio.h>

#include "base/mem.h"
#include "run/engine_state.h"

enum {
    GROUP_MAX = 128, /* or as many as may be in flight */
    GROUP_NS = 10 * 1000 * 1000,
    GROUP_TIMES_COMMIT = 8,
    POLL_MS = 50,
    SLOT_MAX_BYTES = 1 << 30,
};

void engine_stop(engine *e, run_end end) {
    if (e->stopping) return;
    e->result->end = end;
    e->stopping = true;
    /* up to a limit all that was submitted is wanted; else only what is under way */
    if (end != RUN_END_INTERRUPTED) return;
    judge_halt(e->o->setup.j);
    if (e->o->setup.embedder) run_embed_halt(e->o->setup.embedder);
}

void engine_stop_because(engine *e, eh_str message) {
    if (!e->stopping)
        (void)snprintf(e->result->stop_message, sizeof e->result->stop_message, "%.*s",
                       EH_STR_ARG(message));
    engine_stop(e, RUN_END_STOPPED);
}

static eh_status group_close(engine *e, eh_error *err) {
    int64_t began_ns = e->n_in_group ? engine_now_ns(e) : 0;
    EH_TRY(run_requests_put(&e->asked, e->l, e->session_row, e->judge_row, err));
    EH_TRY(run_requests_put(&e->embedded, e->l, e->session_row, e->judge_row, err));
    if (e->n_in_group) EH_TRY(ledger_commit(e->l, err));
    if (e->n_in_group) e->commit_ns = engine_now_ns(e) - began_ns;
    e->n_in_group = 0;
    e->result->progress = e->live;
    if (e->o->on_progress) e->o->on_progress(e->o->self, &e->live);
    return EH_STATUS_OK;
}

eh_status engine_put(engine *e, eh_error *err) {
    if (e->n_in_group++ == 0) e->group_ns = engine_now_ns(e);
    int64_t limit_ns = GROUP_TIMES_COMMIT * e->commit_ns;
    if (limit_ns < GROUP_NS) limit_ns = GROUP_NS;
    int most = e->o->concurrency > GROUP_MAX ? e->o->concurrency : GROUP_MAX;
    bool full = e->n_in_group >= most || engine_now_ns(e) - e->group_ns >= limit_ns;
    return full ? group_close(e, err) : EH_STATUS_OK;
}

/* Takes what the embedder has; with calls in flight, which are waited for, without
 * waiting. */
static eh_status poll_vectors(engine *e, bool *got, eh_error *err) {
    int64_t wait_ms = e->pending.n ? 0 : GROUP_NS / 1000000;
    size_t before = engine_n_open_texts(e);
    run_embed_took took;
    *got = false;
    if (!before) return EH_STATUS_OK;
    EH_TRY(run_embed_poll(e->o->setup.embedder, wait_ms, engine_vectors_ended, e, &took,
                          err));
    run_requests_add(&e->embedded, &took.requests);
    e->live.n_embedded += took.n_put;
    *got = engine_n_open_texts(e) != before;
    return *got ? engine_put(e, err) : EH_STATUS_OK;
}

static eh_status poll_once(engine *e, eh_error *err) {
    judge_reply reply;
    bool got;
    int64_t wait_ms =
        e->n_in_group || engine_n_open_texts(e) ? GROUP_NS / 1000000 : POLL_MS;
    EH_TRY(poll_vectors(e, &got, err));
    if (got) return EH_STATUS_OK; /* there may be something to feed */
    if (e->pending.n) EH_TRY(judge_poll(e->o->setup.j, wait_ms, &reply, &got, err));
    if (got) return engine_take_reply(e, &reply, err);
    return group_close(e, err);
}

static eh_status loop(engine *e, eh_error *err) {
    for (;;) {
        EH_TRY(engine_feed_all(e, err));
        if (e->pending.n == 0 && engine_n_open_texts(e) == 0) break;
        EH_TRY(poll_once(e, err));
        if (e->o->interrupted && *e->o->interrupted > 1) break;
    }
    return group_close(e, err);
}

/* ---- beginning and end ---- */

static eh_status engine_init(engine *e, eh_error *err) {
    const run_options *o = e->o;
    arena_init(&e->arena, 64 << 20);
    arena_init(&e->page_arena, 64 << 20);
    arena_init(&e->reply_arena, (size_t)1 << 30);
    e->credits = (size_t)(o->concurrency + o->setup.j->n_ahead);
    e->n_slots = e->credits;
    e->slots = mem_zalloc(e->n_slots, sizeof *e->slots);
    e->feed = mem_zalloc(e->n_slots, sizeof *e->feed);
    if (!e->slots || !e->feed ||
        !pending_init(&e->pending, e->credits + ENGINE_PAIR_SAMPLES))
        return EH_NOMEM(err);
    e->free_slot = ENGINE_NO_SLOT;
    for (size_t i = e->n_slots; i-- > 0;) {
        arena_init(&e->slots[i].arena, SLOT_MAX_BYTES);
        engine_slot_free(e, &e->slots[i]);
    }
    e->last_seq = -1;
    e->asked.prefix = "";
    e->embedded.prefix = "embed_";
    e->live.started_ns = engine_now_ns(e);
    if (o->scope) {
        e->live.n_pairs = o->scope->n_pairs;
        return EH_STATUS_OK;
    }
    return ledger_count_pairs(e->l, &e->live.n_pairs, err);
}

static void engine_deinit(engine *e) {
    for (size_t i = 0; e->slots && i < e->n_slots; i++)
        arena_deinit(&e->slots[i].arena);
    mem_free(e->slots);
    pending_deinit(&e->pending);
    mem_free(e->feed);
    arena_deinit(&e->arena);
    arena_deinit(&e->page_arena);
    arena_deinit(&e->reply_arena);
}

static eh_status open_session(engine *e, eh_error *err) {
    const run_setup *setup = &e->o->setup;
    int64_t now_ms = clock_now_ms(&e->o->clock);
    EH_TRY(run_setup_judge(setup, &e->arena, &e->judge, err));
    EH_TRY(ledger_begin(e->l, err));
    EH_TRY(ledger_judge_put(e->l, &e->judge, &e->judge_row, err));
    char options[LEDGER_RUN_OPTIONS_CHARS];
    ledger_run run = ledger_run_of(e->o->recorded ? e->o->recorded : &setup->plan,
                                   setup->stream, e->judge_row, options);
    run_result *r = e->result;
    EH_TRY(ledger_run_put(e->l, &run, now_ms, &r->run_row, err));
    EH_TRY(
        run_refresh_find(e->l, r->run_row, &e->o->refresh, now_ms, &r->refresh, err));
    e->since_ms = r->refresh.since_ms;
    ledger_session session = {.run_row = r->run_row,
                              .started_ms = now_ms,
                              .refresh_ms = e->o->refresh.all ? e->since_ms : -1};
    EH_TRY(ledger_session_begin(e->l, &session, &e->session_row, err));
    if (setup->embedder)
        EH_TRY(run_embedder_use(setup->embedder, e->l, e->session_row, err));
    return ledger_commit(e->l, err);
}

static eh_status close_session(engine *e, eh_error *err) {
    static const char *const names[] = {
        [RUN_END_DONE] = "done",       [RUN_END_LIMIT] = "limit",
        [RUN_END_BUDGET] = "budget",   [RUN_END_INTERRUPTED] = "interrupted",
        [RUN_END_STOPPED] = "stopped",
    };
    const char *status = names[e->result->end];
    if (e->result->end == RUN_END_DONE && (e->live.n_no_result || e->live.n_no_vector))
        status = "incomplete";
    EH_TRY(ledger_begin(e->l, err));
    EH_TRY(ledger_session_end(e->l, e->session_row, clock_now_ms(&e->o->clock), status,
                              e->live.n_new, e->live.n_reused, err));
    return ledger_commit(e->l, err);
}

eh_status run_engine(ledger *l, const run_options *options, run_result *result,
                     eh_error *err) {
    engine *e = mem_zalloc(1, sizeof *e);
    if (!e) return EH_NOMEM(err);
    *result = (run_result){.end = RUN_END_DONE};
    e->l = l;
    e->o = options;
    e->result = result;
    eh_status status = engine_init(e, err);
    if (status == EH_STATUS_OK) status = open_session(e, err);
    if (status == EH_STATUS_OK) status = loop(e, err);
    if (status == EH_STATUS_OK) status = close_session(e, err);
    if (status != EH_STATUS_OK) ledger_rollback(l);
    engine_deinit(e);
    mem_free(e);
    return status;
}
