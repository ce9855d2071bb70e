/* SPDX-License-Identifier: MIT
 *
 * The engine's loop.
 *
 *   feed    take the next pair (or a slot that planned again), ask the ledger for each
 *           wanted sample by its key: there already -> link; in flight for another
 *           row -> follow it; otherwise submit
 *   poll    take one reply, read its verdict, put call, reply and verdict
 *   group   commit after GROUP_MAX puts, after GROUP_NS, or when nothing is ready, so
 *           that a reply is durable before it is counted and fsync is paid once a
 * group; on slow disks after some times of what the last commit took, if that is more,
 * so that most of the time is not spent on waiting for the disk
 *
 * Answers that are too old (refresh.h) count as not there, and the new ones replace
 * them.
 *
 * A prompt that needs vectors waits for them: what is missing of its pair is asked of
 * the embedder, the slot leaves the line and comes back when they are in the ledger.
 *
 * A pair's slot is given back when its plan wants nothing more. A call without result
 * is noted and given up for this session, so that the plan does not ask it for ever.
 *
 * Ctrl-C stops the feeding; what is in flight is waited for, since it is paid for. A
 * second Ctrl-C gives it up.
 */
#include "run/engine.h"

#include <stdio.h>

#include "base/mem.h"
#include "run/pending.h"
#include "run/requests.h"

enum {
    GROUP_MAX = 128, /* or as many as may be in flight */
    GROUP_NS = 10 * 1000 * 1000,
    GROUP_TIMES_COMMIT = 8,
    PAGE_PAIRS = 64,
    POLL_MS = 50,
    MAX_PAIR_SAMPLES = PLAN_MAX_ASKS * PLAN_MAX_SAMPLES,
    SLOT_MAX_BYTES = 1 << 30,
};

#define NO_SLOT UINT32_MAX

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
        *given_up; /* [MAX_PAIR_SAMPLES] no result in this session; NULL: none */
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
    uint32_t free_slot; /* the first one; NO_SLOT: all are at work */
    size_t credits;     /* samples that wait at once, at most */
    pending_table pending;
    size_t *feed; /* ring of slots with asks to be fed, [n_slots] */
    size_t feed_head, feed_n;

    ledger_pair page[PAGE_PAIRS];
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

static int prompt_index(int stage, eh_order order) {
    return stage * EH_ORDER_N + (int)order;
}

static int64_t now_ns(const engine *e) {
    return clock_mono_ns(&e->o->clock);
}

static size_t n_open_texts(const engine *e) {
    return e->o->setup.embedder ? run_embed_n_open(e->o->setup.embedder) : 0;
}

static void stop(engine *e, run_end end) {
    if (e->stopping) return;
    e->result->end = end;
    e->stopping = true;
    /* up to a limit all that was submitted is wanted; else only what is under way */
    if (end != RUN_END_INTERRUPTED) return;
    judge_halt(e->o->setup.j);
    if (e->o->setup.embedder) run_embed_halt(e->o->setup.embedder);
}

/* For the first of the reasons. */
static void stop_because(engine *e, eh_str message) {
    if (!e->stopping)
        (void)snprintf(e->result->stop_message, sizeof e->result->stop_message, "%.*s",
                       EH_STR_ARG(message));
    stop(e, RUN_END_STOPPED);
}

static eh_status group_close(engine *e, eh_error *err) {
    int64_t began_ns = e->n_in_group ? now_ns(e) : 0;
    EH_TRY(run_requests_put(&e->asked, e->l, e->session_row, e->judge_row, err));
    EH_TRY(run_requests_put(&e->embedded, e->l, e->session_row, e->judge_row, err));
    if (e->n_in_group) EH_TRY(ledger_commit(e->l, err));
    if (e->n_in_group) e->commit_ns = now_ns(e) - began_ns;
    e->n_in_group = 0;
    e->result->progress = e->live;
    if (e->o->on_progress) e->o->on_progress(e->o->self, &e->live);
    return EH_STATUS_OK;
}

static eh_status group_put(engine *e, eh_error *err) {
    if (e->n_in_group++ == 0) e->group_ns = now_ns(e);
    int64_t limit_ns = GROUP_TIMES_COMMIT * e->commit_ns;
    if (limit_ns < GROUP_NS) limit_ns = GROUP_NS;
    int most = e->o->concurrency > GROUP_MAX ? e->o->concurrency : GROUP_MAX;
    bool full = e->n_in_group >= most || now_ns(e) - e->group_ns >= limit_ns;
    return full ? group_close(e, err) : EH_STATUS_OK;
}

/* ---- slots ---- */

static void slot_give_back(engine *e, slot *s) {
    s->next_free = e->free_slot;
    e->free_slot = (uint32_t)(s - e->slots);
}

static void slot_release(engine *e, slot *s) {
    slot_give_back(e, s);
    e->live.n_pairs_done++;
}

static ledger_ask ask_of(const engine *e, const slot *s, int prompt, int sample) {
    return (ledger_ask){.judge_row = e->judge_row,
                        .pair_row = s->pair.row,
                        .stream = e->o->setup.stream,
                        .stage_code =
                            plan_stage_code(&e->o->setup.plan, prompt / EH_ORDER_N),
                        .order = (eh_order)(prompt % EH_ORDER_N),
                        .sample = sample};
}

/* Asks the plan what the pair still needs; true when it wants something. */
static eh_status slot_plan(engine *e, slot *s, bool *wants, eh_error *err) {
    plan_sample samples[2 * MAX_PAIR_SAMPLES];
    size_t n;
    ledger_ask whose = ask_of(e, s, 0, 0);
    EH_TRY(
        ledger_samples(e->l, &whose, e->since_ms, samples, MAX_PAIR_SAMPLES, &n, err));
    if (s->n_pending == 0 && s->n_given_up == 0 && !s->has_texts)
        e->live.n_present += (int64_t)n;
    for (size_t i = 0; i < s->n_given_up; i++)
        samples[n++] = s->given_up[i];
    const plan_spec *plan = &e->o->setup.plan;
    s->n_asks = plan_next(plan, samples, n, s->asks);
    s->next_ask = 0;
    /* what gave no result is asked again by a later run; only then it is known whether
     * a further stage is needed */
    if (s->n_asks && s->n_given_up && !plan->always &&
        s->asks[0].stage > plan_stage_of(plan, s->given_up[0].stage_code))
        s->n_asks = 0;
    *wants = s->n_asks > 0;
    return EH_STATUS_OK;
}

static void feed_push(engine *e, size_t index) {
    e->feed[(e->feed_head + e->feed_n++) % e->n_slots] = index;
}

/* ---- taking the next pair ---- */

static eh_status page_next(engine *e, const ledger_pair **pair, eh_error *err) {
    *pair = NULL;
    if (e->page_at == e->page_n && !e->no_more_pairs) {
        arena_reset(&e->page_arena);
        e->page_at = 0;
        EH_TRY(ledger_pairs_page(e->l, e->last_seq, e->page, PAGE_PAIRS, &e->page_n,
                                 &e->page_arena, err));
        e->no_more_pairs = e->page_n == 0;
    }
    if (e->no_more_pairs) return EH_STATUS_OK;
    *pair = &e->page[e->page_at++];
    e->last_seq = (*pair)->seq;
    return EH_STATUS_OK;
}

static eh_status slot_open(slot *s, const ledger_pair *pair, eh_error *err) {
    arena_reset(&s->arena);
    eh_arena keep = s->arena;
    *s = (slot){.pair = *pair, .arena = keep};
    if (!arena_copy(&s->arena, pair->pair_id, &s->pair.pair_id) ||
        !arena_copy(&s->arena, pair->category, &s->pair.category))
        return EH_NOMEM(err);
    return EH_STATUS_OK;
}

/* Moves pairs into free slots until one wants something; finished ones pass through. */
static eh_status take_pairs(engine *e, eh_error *err) {
    const run_scope *scope = e->o->scope;
    while (e->feed_n == 0 && !e->stopping && e->free_slot != NO_SLOT) {
        size_t index = e->free_slot;
        slot *s = &e->slots[index];
        const ledger_pair *pair;
        EH_TRY(page_next(e, &pair, err));
        if (!pair) return EH_STATUS_OK;
        if (scope && !scope->holds(scope->self, pair)) continue;
        bool wants;
        e->free_slot = s->next_free;
        EH_TRY(slot_open(s, pair, err));
        EH_TRY(slot_plan(e, s, &wants, err));
        if (wants)
            feed_push(e, index);
        else
            slot_release(e, s);
    }
    return EH_STATUS_OK;
}

/* ---- asking ---- */

static eh_status texts_ready(engine *e, slot *s, eh_error *err) {
    if (s->has_texts) return EH_STATUS_OK;
    s->has_texts = true;
    return ledger_pair_texts(e->l, s->pair.row, &s->texts, &s->arena, err);
}

static eh_status prompt_ready(engine *e, slot *s, const plan_ask *ask, eh_error *err) {
    int index = prompt_index(ask->stage, ask->order);
    if (s->has_prompt[index]) return EH_STATUS_OK;
    run_asked of = {.pair = &s->pair, .texts = &s->texts, .ask = ask};
    ledger_ask whose = ask_of(e, s, 0, 0);
    eh_status status = texts_ready(e, s, err);
    if (status == EH_STATUS_OK && ask->stage && e->o->setup.plan.context_tokens)
        status = ledger_plain_tokens(e->l, &whose, &of.plain_tokens, err);
    if (status == EH_STATUS_OK)
        status = run_prompt_make(&e->o->setup, &of, &s->arena, &s->prompts[index], err);
    if (status != EH_STATUS_OK)
        eh_error_prefix(err, "pair %.*s", EH_STR_ARG(s->pair.pair_id));
    s->has_prompt[index] = true;
    return status;
}

/* The most that one sample of a prompt can cost. */
static int64_t worst_nusd(const engine *e, const slot *s, int prompt) {
    const prompt_rendered *r = &s->prompts[prompt].rendered;
    int64_t n_bytes = 0;
    for (size_t i = 0; i < r->n_messages; i++)
        n_bytes += (int64_t)r->messages[i].content.len;
    return price_worst_nusd(e->o->budget->row, n_bytes, e->o->setup.params.max_tokens);
}

/* Decides for one wanted sample: linked from the ledger, following, or to be sent. */
static eh_status ask_sample(engine *e, size_t index, int prompt, int sample,
                            judge_request *request, eh_error *err) {
    slot *s = &e->slots[index];
    pending p = {.slot = (uint32_t)index, .prompt = prompt, .sample = sample};
    run_key(&e->o->setup, e->judge.params, &s->prompts[prompt], sample, p.key);
    int64_t call_row, done_ms;
    EH_TRY(ledger_call_done_ms(e->l, p.key, &call_row, &done_ms, err));
    if (call_row && done_ms >= e->since_ms) {
        ledger_ask ask = ask_of(e, s, prompt, sample);
        EH_TRY(ledger_ask_put(e->l, &ask, call_row, err));
        e->live.n_reused++;
        return group_put(e, err);
    }
    p.follows = pending_has_key(&e->pending, p.key);
    if (!p.follows && e->o->limit >= 0 && e->n_submitted >= e->o->limit) {
        stop(e, RUN_END_LIMIT);
        return EH_STATUS_OK;
    }
    if (!p.follows && e->o->budget) {
        p.worst_nusd = worst_nusd(e, s, prompt);
        price_reserve(e->o->budget, p.worst_nusd);
    }
    s->waits[prompt][sample] = pending_add(&e->pending, &p) + 1;
    s->n_pending++;
    if (p.follows) return EH_STATUS_OK;
    e->n_submitted++;
    s->open_samples[prompt][request->n_samples++] = sample;
    return EH_STATUS_OK;
}

/* One prompt of a slot: everything of it that nobody has answered yet is sent. */
static eh_status feed_ask(engine *e, size_t index, const plan_ask *ask, eh_error *err) {
    slot *s = &e->slots[index];
    int prompt = prompt_index(ask->stage, ask->order);
    judge_request *r = &s->requests[prompt];
    EH_TRY(prompt_ready(e, s, ask, err));
    *r = (judge_request){
        .ticket = index * PLAN_MAX_ASKS + (size_t)prompt,
        .messages = s->prompts[prompt].rendered.messages,
        .n_messages = s->prompts[prompt].rendered.n_messages,
        .params = e->o->setup.params,
        .samples = s->open_samples[prompt],
        .stream = e->o->setup.stream,
        .shown = s->prompts[prompt].shown,
    };
    for (int i = 0; i < ask->n_samples && !e->stopping; i++)
        EH_TRY(ask_sample(e, index, prompt, ask->samples[i], r, err));
    return r->n_samples ? judge_submit(e->o->setup.j, r, err) : EH_STATUS_OK;
}

/* Whether the budget holds all of an ask at its worst. What is in flight mostly costs
 * less than was reserved, so the end is only reached when nothing is. */
static eh_status has_money(engine *e, size_t index, const plan_ask *ask, bool *has,
                           eh_error *err) {
    slot *s = &e->slots[index];
    *has = true;
    if (!e->o->budget) return EH_STATUS_OK;
    EH_TRY(prompt_ready(e, s, ask, err));
    int64_t worst = worst_nusd(e, s, prompt_index(ask->stage, ask->order));
    *has = price_fits(e->o->budget, worst * ask->n_samples);
    if (!*has && e->pending.n == 0 && n_open_texts(e) == 0) stop(e, RUN_END_BUDGET);
    return EH_STATUS_OK;
}

/* Whether the vectors that an ask needs are there; otherwise they are asked for, and
 * the slot waits, or everybody does. */
static eh_status has_vectors(engine *e, size_t index, const plan_ask *ask,
                             run_embed_state *state, eh_error *err) {
    slot *s = &e->slots[index];
    const run_setup *setup = &e->o->setup;
    *state = RUN_EMBED_READY;
    if (!setup->embedder || !plan_stage_compares(&setup->plan, ask->stage) ||
        s->has_vectors)
        return EH_STATUS_OK;
    EH_TRY(texts_ready(e, s, err));
    if (!s->has_units)
        EH_TRY(run_prompt_needs(setup, &s->texts, ask->stage, &s->arena,
                                &s->needs_vectors, &s->units, err));
    s->has_units = true;
    if (!s->needs_vectors) return EH_STATUS_OK;
    if (e->o->limit >= 0 && e->n_submitted >= e->o->limit) {
        stop(e, RUN_END_LIMIT); /* no call that needs them may be made */
        return EH_STATUS_OK;
    }
    EH_TRY(run_embed_want(setup->embedder, index, s->units.units, state, err));
    s->has_vectors = *state == RUN_EMBED_READY;
    if (*state == RUN_EMBED_BUDGET && e->pending.n == 0 && n_open_texts(e) == 0)
        stop(e, RUN_END_BUDGET);
    return EH_STATUS_OK;
}

/* A slot whose open samples have all come back plans again or is done. */
static eh_status slot_turn(engine *e, size_t index, eh_error *err) {
    slot *s = &e->slots[index];
    if (s->n_pending || s->next_ask < s->n_asks) return EH_STATUS_OK;
    if (e->stopping) {
        slot_give_back(e, s);
        return EH_STATUS_OK;
    }
    bool wants;
    EH_TRY(slot_plan(e, s, &wants, err));
    if (wants)
        feed_push(e, index);
    else
        slot_release(e, s);
    return EH_STATUS_OK;
}

static void feed_pop(engine *e) {
    e->feed_head = (e->feed_head + 1) % e->n_slots;
    e->feed_n--;
}

static bool has_room(const engine *e, int n_samples) {
    return e->pending.n == 0 || e->pending.n + (size_t)n_samples <= e->credits;
}

/* Feeds the first in line; *fed is false where it has to wait for room, vectors or
 * money, and the others with it. */
static eh_status feed_first(engine *e, bool *fed, eh_error *err) {
    size_t index = e->feed[e->feed_head];
    slot *s = &e->slots[index];
    const plan_ask *ask = &s->asks[s->next_ask];
    run_embed_state state;
    *fed = has_room(e, ask->n_samples);
    if (!*fed) return EH_STATUS_OK;
    EH_TRY(has_vectors(e, index, ask, &state, err));
    if (state == RUN_EMBED_WAIT) {
        feed_pop(e); /* vectors_ended brings it back */
        return EH_STATUS_OK;
    }
    *fed = state == RUN_EMBED_READY && !e->stopping;
    if (*fed) EH_TRY(has_money(e, index, ask, fed, err));
    if (!*fed) return EH_STATUS_OK;
    s->next_ask++;
    EH_TRY(feed_ask(e, index, ask, err));
    if (s->next_ask < s->n_asks) return EH_STATUS_OK;
    feed_pop(e);
    return slot_turn(e, index, err);
}

static eh_status feed_all(engine *e, eh_error *err) {
    for (bool fed = true; fed && !e->stopping;) {
        if (e->o->interrupted && *e->o->interrupted) stop(e, RUN_END_INTERRUPTED);
        EH_TRY(take_pairs(e, err));
        if (e->feed_n == 0 || e->stopping) break;
        EH_TRY(feed_first(e, &fed, err));
    }
    return EH_STATUS_OK;
}

/* ---- vectors ---- */

static eh_status give_up(slot *s, const ledger_ask *ask, eh_error *err) {
    if (!s->given_up)
        s->given_up = arena_zalloc(&s->arena, MAX_PAIR_SAMPLES, sizeof *s->given_up);
    if (!s->given_up) return EH_NOMEM(err);
    s->given_up[s->n_given_up++] = (plan_sample){
        .stage_code = ask->stage_code, .order = ask->order, .sample = ask->sample};
    return EH_STATUS_OK;
}

/* A pair's vectors are all there, or some will not come in this session: then the asks
 * that need them are given up. */
static eh_status vectors_ended(void *self, const run_embed_end *end, eh_error *err) {
    engine *e = self;
    slot *s = &e->slots[end->ticket];
    if (end->has_all && !e->stopping) {
        feed_push(e, end->ticket);
        return EH_STATUS_OK;
    }
    if (end->is_stop) stop_because(e, end->message);
    for (; s->next_ask < s->n_asks; s->next_ask++) {
        const plan_ask *ask = &s->asks[s->next_ask];
        for (int i = 0; i < ask->n_samples; i++) {
            ledger_ask whose =
                ask_of(e, s, prompt_index(ask->stage, ask->order), ask->samples[i]);
            EH_TRY(give_up(s, &whose, err));
        }
    }
    e->live.n_no_vector += !end->has_all;
    return slot_turn(e, end->ticket, err);
}

/* ---- replies ---- */

/* What a reply is for; NULL when that was not asked. */
static const pending *find_pending(const engine *e, const judge_reply *reply) {
    size_t index = (size_t)(reply->ticket / PLAN_MAX_ASKS);
    int prompt = (int)(reply->ticket % PLAN_MAX_ASKS), sample = reply->sample;
    if (index >= e->n_slots || sample < 0 || sample >= PLAN_MAX_SAMPLES) return NULL;
    uint32_t number = e->slots[index].waits[prompt][sample];
    return number ? &e->pending.entries[number - 1] : NULL;
}

static eh_status store_call(engine *e, const pending *p, const judge_reply *reply,
                            int64_t *call_row, eh_error *err) {
    const slot *s = &e->slots[p->slot];
    ledger_call call = {
        .key = p->key,
        .judge_row = e->judge_row,
        .session_row = e->session_row,
        .stream = e->o->setup.stream,
        .sample = p->sample,
        .effective = reply->effective,
        .model = reply->model,
        .fingerprint = reply->fingerprint,
        .finish_reason = reply->reply.finish_reason,
        .content = reply->reply.content,
        .reasoning = reply->reasoning,
        .refusal = reply->reply.refusal,
        .logprobs = reply->logprobs,
        .done_ms = clock_now_ms(&e->o->clock),
        .latency_ms = reply->latency_ms,
        .n_attempts = reply->n_attempts,
        .n_neutralised = s->prompts[p->prompt].rendered.n_neutralised,
        .prompt_tokens = reply->usage.prompt_tokens,
        .cached_tokens = reply->usage.cached_tokens,
        .completion_tokens = reply->usage.completion_tokens,
        .reasoning_tokens = reply->usage.reasoning_tokens,
        .result = reply->recorded,
    };
    if (reply->outcome == JUDGE_OUTCOME_REPLY) {
        arena_reset(&e->reply_arena);
        EH_TRY(verdict_read(&e->o->setup.t->form, &reply->reply, &e->reply_arena,
                            &call.result, err));
        call.reader = VERDICT_READER_VERSION;
    } else if (call.result.verdict == EH_VERDICT_NONE &&
               call.result.reason == VERDICT_REASON_NONE) {
        call.result.reason = VERDICT_REASON_UNSPECIFIED;
    }
    if (e->since_ms) {
        int64_t old_ms;
        EH_TRY(ledger_call_done_ms(e->l, p->key, &call.replaces_row, &old_ms, err));
        /* a clock that was set back must not make the new answer look old */
        if (call.done_ms < e->since_ms) call.done_ms = e->since_ms;
    }
    if (call.result.verdict == EH_VERDICT_NONE &&
        plan_is_too_long(call.result.reason) && e->result->n_too_long++ == 0)
        (void)snprintf(e->result->too_long_message, sizeof e->result->too_long_message,
                       "%.*s", EH_STR_ARG(reply->message));
    e->live.n_refreshed += call.replaces_row != 0;
    e->live.n_new++;
    e->live.n_failed += call.result.verdict == EH_VERDICT_NONE;
    return ledger_call_put(e->l, &call, call_row, err);
}

static eh_status note_no_result(engine *e, const ledger_ask *ask,
                                const judge_reply *reply, eh_error *err) {
    if (reply->outcome == JUDGE_OUTCOME_NOT_SENT) {
        e->live.n_not_sent++; /* no attempt: nobody was asked */
        return EH_STATUS_OK;
    }
    e->live.n_no_result++;
    return ledger_attempt_put(e->l, e->session_row, ask, clock_now_ms(&e->o->clock),
                              reply->message, err);
}

/* Everybody who waits for this key gets the call, or gives it up (call_row 0). */
static eh_status settle_key(engine *e, const uint8_t key[HASH_BYTES], int64_t call_row,
                            const judge_reply *reply, eh_error *err) {
    pending p;
    while (pending_take(&e->pending, key, &p)) {
        slot *s = &e->slots[p.slot];
        ledger_ask ask = ask_of(e, s, p.prompt, p.sample);
        s->n_pending--;
        s->waits[p.prompt][p.sample] = 0;
        if (call_row) {
            EH_TRY(ledger_ask_put(e->l, &ask, call_row, err));
            e->live.n_reused += p.follows;
        } else {
            if (!p.follows) EH_TRY(note_no_result(e, &ask, reply, err));
            EH_TRY(give_up(s, &ask, err));
        }
        EH_TRY(slot_turn(e, p.slot, err));
    }
    return EH_STATUS_OK;
}

/* A reply without a text, such as a prompt that was too long, is billed only where the
 * endpoint says so. */
static void settle_money(engine *e, const pending *p, const judge_reply *reply) {
    bool has_text = reply->outcome == JUDGE_OUTCOME_REPLY;
    bool is_billed = has_text || reply->usage.prompt_tokens >= 0;
    if (e->o->budget)
        price_settle(e->o->budget, p->worst_nusd, is_billed ? &reply->usage : NULL,
                     reply->n_lost);
}

static eh_status take_reply(engine *e, const judge_reply *reply, eh_error *err) {
    const pending *found = find_pending(e, reply);
    if (!found)
        return EH_FAIL(err, EH_STATUS_ENDPOINT,
                       "the judge answered what was not asked");
    pending p = *found;
    int64_t call_row = 0;
    run_requests_add(&e->asked, &reply->requests);
    settle_money(e, &p, reply);
    bool has_result = reply->outcome < JUDGE_OUTCOME_NO_RESULT;
    if (has_result) EH_TRY(store_call(e, &p, reply, &call_row, err));
    if (reply->outcome == JUDGE_OUTCOME_STOP) stop_because(e, reply->message);
    EH_TRY(settle_key(e, p.key, call_row, reply, err));
    return group_put(e, err);
}

/* Takes what the embedder has; with calls in flight, which are waited for, without
 * waiting. */
static eh_status poll_vectors(engine *e, bool *got, eh_error *err) {
    int64_t wait_ms = e->pending.n ? 0 : GROUP_NS / 1000000;
    size_t before = n_open_texts(e);
    run_embed_took took;
    *got = false;
    if (!before) return EH_STATUS_OK;
    EH_TRY(run_embed_poll(e->o->setup.embedder, wait_ms, vectors_ended, e, &took, err));
    run_requests_add(&e->embedded, &took.requests);
    e->live.n_embedded += took.n_put;
    *got = n_open_texts(e) != before;
    return *got ? group_put(e, err) : EH_STATUS_OK;
}

static eh_status poll_once(engine *e, eh_error *err) {
    judge_reply reply;
    bool got;
    int64_t wait_ms = e->n_in_group || n_open_texts(e) ? GROUP_NS / 1000000 : POLL_MS;
    EH_TRY(poll_vectors(e, &got, err));
    if (got) return EH_STATUS_OK; /* there may be something to feed */
    if (e->pending.n) EH_TRY(judge_poll(e->o->setup.j, wait_ms, &reply, &got, err));
    if (got) return take_reply(e, &reply, err);
    return group_close(e, err);
}

static eh_status loop(engine *e, eh_error *err) {
    for (;;) {
        EH_TRY(feed_all(e, err));
        if (e->pending.n == 0 && n_open_texts(e) == 0) break;
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
        !pending_init(&e->pending, e->credits + MAX_PAIR_SAMPLES))
        return EH_NOMEM(err);
    e->free_slot = NO_SLOT;
    for (size_t i = e->n_slots; i-- > 0;) {
        arena_init(&e->slots[i].arena, SLOT_MAX_BYTES);
        slot_give_back(e, &e->slots[i]);
    }
    e->last_seq = -1;
    e->asked.prefix = "";
    e->embedded.prefix = "embed_";
    e->live.started_ns = now_ns(e);
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
    char options[RUN_OPTIONS_CHARS];
    ledger_run run = run_setup_row(e->o->recorded ? e->o->recorded : &setup->plan,
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
