/* SPDX-License-Identifier: MIT
 *
 * What the three files of the engine share: a run's state, a pair's slot, and the calls
 * from one to the other.
 *
 *   engine.c        the loop, groups of puts, sessions
 *   engine_feed.c   pairs into slots, what a slot still needs, what is sent for it
 *   engine_reply.c  what came back, and who waited for it
 */
#ifndef EH_RUN_ENGINE_STATE_H
#define EH_RUN_ENGINE_STATE_H

#include "run/engine.h"
#include "run/pending.h"
#include "run/requests.h"

enum {
    ENGINE_PAGE_PAIRS = 64,
    ENGINE_PAIR_SAMPLES = PLAN_MAX_ASKS * PLAN_MAX_SAMPLES, /* of a pair, at most */
};

#define ENGINE_NO_SLOT UINT32_MAX

/* A pair at work. */
typedef struct slot {
    ledger_pair pair;
    eh_arena arena;     /* texts, prompts, ids */
    uint32_t next_free; /* while it is none's */
    ledger_texts texts;
    bool has_texts;
    run_units units; /* where a prompt needs vectors */
    bool has_units, needs_vectors, has_vectors;
    /* of each prompt, by prompt_index: stage and order */
    run_prompt prompts[PLAN_MAX_ASKS];
    bool has_prompt[PLAN_MAX_ASKS];
    judge_request requests[PLAN_MAX_ASKS];
    int open_samples[PLAN_MAX_ASKS][PLAN_MAX_SAMPLES];
    uint32_t waits[PLAN_MAX_ASKS][PLAN_MAX_SAMPLES]; /* of each sample: its number among
                                                        the pending, plus 1; or 0 */
    plan_ask asks[PLAN_MAX_ASKS];
    size_t n_asks, next_ask; /* asks from next_ask on are still to be fed */
    int n_pending;
    plan_sample
        *given_up; /* [ENGINE_PAIR_SAMPLES] no result in this session; NULL: none */
    size_t n_given_up;
} slot;

typedef struct engine {
    ledger *l;
    const run_options *o;
    run_result *result;
    ledger_judge judge;
    int64_t judge_row, session_row;
    int64_t since_ms; /* answers done before it count as absent; 0 = none do */
    eh_arena arena;   /* for the whole run */

    slot *slots; /* [n_slots] */
    size_t n_slots;
    uint32_t free_slot; /* the first one; ENGINE_NO_SLOT: all are at work */
    size_t credits;     /* samples that wait at once, at most */
    pending_table pending;
    size_t *feed; /* ring of slots with asks to be fed, [n_slots] */
    size_t feed_head, feed_n;

    ledger_pair page[ENGINE_PAGE_PAIRS];
    eh_arena page_arena;
    size_t page_n, page_at;
    int64_t last_seq;
    bool no_more_pairs;

    bool stopping;
    int64_t n_submitted;
    run_progress live;            /* counts that are not durable yet included */
    run_requests asked, embedded; /* requests to the judge and to the embedder */
    int n_in_group;
    int64_t group_ns, commit_ns; /* when it began; what the last commit took */
    eh_arena reply_arena;
} engine;

/* Where a prompt stands in a slot's tables. */
static inline int engine_prompt_index(int stage, eh_order order) {
    return stage * EH_ORDER_N + (int)order;
}

static inline int64_t engine_now_ns(const engine *e) {
    return clock_mono_ns(&e->o->clock);
}

/* Texts that the embedder was asked for and that are not back. */
static inline size_t engine_n_open_texts(const engine *e) {
    return e->o->setup.embedder ? run_embed_n_open(e->o->setup.embedder) : 0;
}

/* ---- engine.c ---- */

/* Ends the feeding, for the first of the reasons. */
void engine_stop(engine *e, run_end end);
void engine_stop_because(engine *e, eh_str message);

/* One more thing was written; closes the group where it is full or old. */
EH_MUST_USE eh_status engine_put(engine *e, eh_error *err);

/* ---- engine_feed.c ---- */

void engine_slot_free(engine *e, slot *s);

/* One sample of a slot, as the ledger knows it. */
ledger_ask engine_ask(const engine *e, const slot *s, int prompt, int sample);

/* Feeds all that there is room and money for. */
EH_MUST_USE eh_status engine_feed_all(engine *e, eh_error *err);

/* A slot whose open samples have all come back plans again or is done. */
EH_MUST_USE eh_status engine_slot_turn(engine *e, size_t index, eh_error *err);

/* No result in this session: the plan is not to ask it again. */
EH_MUST_USE eh_status engine_give_up(slot *s, const ledger_ask *ask, eh_error *err);

/* For run_embed_poll: a pair's vectors are all there, or some will not come in this
 * session, and then the asks that need them are given up. */
EH_MUST_USE eh_status engine_vectors_ended(void *self, const run_embed_end *end,
                                           eh_error *err);

/* ---- engine_reply.c ---- */

/* Reads and stores what came back, and gives it to all who waited for its key. */
EH_MUST_USE eh_status engine_take_reply(engine *e, const judge_reply *reply,
                                        eh_error *err);

#endif
