/* SPDX-License-Identifier: MIT
 *
 * The engine's way out: pairs into slots, and what a slot still needs to its judge.
 *
 * A sample that is wanted is looked for by its key: there already, it is linked; in
 * flight for another row, it is followed; otherwise it is submitted. Answers that are
 * too old (refresh.h) count as not there.
 *
 * A prompt that needs vectors waits for them: what is missing of its pair is asked of
 * the embedder, the slot leaves the line and comes back when they are in the ledger.
 *
 * A pair's slot is given back when its plan wants nothing more.
 */
#include "run/engine_state.h"

_Static_assert((int)JUDGE_STREAM_PLACEBO == (int)LEDGER_STREAM_PLACEBO,
               "judges get the ledger's streams");

void engine_slot_free(engine *e, slot *s) {
    s->next_free = e->free_slot;
    e->free_slot = (uint32_t)(s - e->slots);
}

static void slot_release(engine *e, slot *s) {
    engine_slot_free(e, s);
    e->live.n_pairs_done++;
}

ledger_ask engine_ask(const engine *e, const slot *s, int prompt, int sample) {
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
    plan_sample samples[2 * ENGINE_PAIR_SAMPLES];
    size_t n;
    ledger_ask whose = engine_ask(e, s, 0, 0);
    EH_TRY(ledger_samples(e->l, &whose, e->since_ms, samples, ENGINE_PAIR_SAMPLES, &n,
                          err));
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

/* Plans for a slot: into the line with it, or it is done. */
static eh_status line_up(engine *e, size_t index, eh_error *err) {
    slot *s = &e->slots[index];
    bool wants;
    EH_TRY(slot_plan(e, s, &wants, err));
    if (wants)
        feed_push(e, index);
    else
        slot_release(e, s);
    return EH_STATUS_OK;
}

/* ---- taking the next pair ---- */

static eh_status page_next(engine *e, const ledger_pair **pair, eh_error *err) {
    *pair = NULL;
    if (e->page_at == e->page_n && !e->no_more_pairs) {
        arena_reset(&e->page_arena);
        e->page_at = 0;
        EH_TRY(ledger_pairs_page(e->l, e->last_seq, e->page, ENGINE_PAGE_PAIRS,
                                 &e->page_n, &e->page_arena, err));
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
        !arena_copy(&s->arena, pair->category, &s->pair.category) ||
        !arena_copy(&s->arena, pair->model_1, &s->pair.model_1) ||
        !arena_copy(&s->arena, pair->model_2, &s->pair.model_2))
        return EH_NOMEM(err);
    return EH_STATUS_OK;
}

/* Moves pairs into free slots until one wants something; finished ones pass through. */
static eh_status take_pairs(engine *e, eh_error *err) {
    const tally_scope *scope = e->o->scope;
    while (e->feed_n == 0 && !e->stopping && e->free_slot != ENGINE_NO_SLOT) {
        size_t index = e->free_slot;
        slot *s = &e->slots[index];
        const ledger_pair *pair;
        EH_TRY(page_next(e, &pair, err));
        if (!pair) return EH_STATUS_OK;
        if (scope && !scope->holds(scope->self, pair)) continue;
        e->free_slot = s->next_free;
        EH_TRY(slot_open(s, pair, err));
        EH_TRY(line_up(e, index, err));
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
    int index = engine_prompt_index(ask->stage, ask->order);
    if (s->has_prompt[index]) return EH_STATUS_OK;
    run_asked of = {.pair = &s->pair, .texts = &s->texts, .ask = ask};
    ledger_ask whose = engine_ask(e, s, 0, 0);
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
        ledger_ask ask = engine_ask(e, s, prompt, sample);
        EH_TRY(ledger_ask_put(e->l, &ask, call_row, err));
        e->live.n_reused++;
        return engine_put(e, err);
    }
    p.follows = pending_has_key(&e->pending, p.key);
    if (!p.follows && e->o->limit >= 0 && e->n_submitted >= e->o->limit) {
        engine_stop(e, RUN_END_LIMIT);
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
    int prompt = engine_prompt_index(ask->stage, ask->order);
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
    int64_t worst = worst_nusd(e, s, engine_prompt_index(ask->stage, ask->order));
    *has = price_fits(e->o->budget, worst * ask->n_samples);
    if (!*has && e->pending.n == 0 && engine_n_open_texts(e) == 0)
        engine_stop(e, RUN_END_BUDGET);
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
        engine_stop(e, RUN_END_LIMIT); /* no call that needs them may be made */
        return EH_STATUS_OK;
    }
    EH_TRY(run_embed_want(setup->embedder, index, s->units.units, state, err));
    s->has_vectors = *state == RUN_EMBED_READY;
    if (*state == RUN_EMBED_BUDGET && e->pending.n == 0 && engine_n_open_texts(e) == 0)
        engine_stop(e, RUN_END_BUDGET);
    return EH_STATUS_OK;
}

eh_status engine_slot_turn(engine *e, size_t index, eh_error *err) {
    slot *s = &e->slots[index];
    if (s->n_pending || s->next_ask < s->n_asks) return EH_STATUS_OK;
    if (e->stopping) {
        engine_slot_free(e, s);
        return EH_STATUS_OK;
    }
    return line_up(e, index, err);
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
        feed_pop(e); /* engine_vectors_ended brings it back */
        return EH_STATUS_OK;
    }
    *fed = state == RUN_EMBED_READY && !e->stopping;
    if (*fed) EH_TRY(has_money(e, index, ask, fed, err));
    if (!*fed) return EH_STATUS_OK;
    s->next_ask++;
    EH_TRY(feed_ask(e, index, ask, err));
    if (s->next_ask < s->n_asks) return EH_STATUS_OK;
    feed_pop(e);
    return engine_slot_turn(e, index, err);
}

eh_status engine_feed_all(engine *e, eh_error *err) {
    for (bool fed = true; fed && !e->stopping;) {
        if (e->o->interrupted && *e->o->interrupted)
            engine_stop(e, RUN_END_INTERRUPTED);
        EH_TRY(take_pairs(e, err));
        if (e->feed_n == 0 || e->stopping) break;
        EH_TRY(feed_first(e, &fed, err));
    }
    return EH_STATUS_OK;
}

/* ---- vectors ---- */

eh_status engine_give_up(slot *s, const ledger_ask *ask, eh_error *err) {
    if (!s->given_up)
        s->given_up = arena_zalloc(&s->arena, ENGINE_PAIR_SAMPLES, sizeof *s->given_up);
    if (!s->given_up) return EH_NOMEM(err);
    s->given_up[s->n_given_up++] = (plan_sample){
        .stage_code = ask->stage_code, .order = ask->order, .sample = ask->sample};
    return EH_STATUS_OK;
}

eh_status engine_vectors_ended(void *self, const run_embed_end *end, eh_error *err) {
    engine *e = self;
    slot *s = &e->slots[end->ticket];
    if (end->has_all && !e->stopping) {
        feed_push(e, end->ticket);
        return EH_STATUS_OK;
    }
    if (end->is_stop) engine_stop_because(e, end->message);
    for (; s->next_ask < s->n_asks; s->next_ask++) {
        const plan_ask *ask = &s->asks[s->next_ask];
        for (int i = 0; i < ask->n_samples; i++) {
            ledger_ask whose = engine_ask(
                e, s, engine_prompt_index(ask->stage, ask->order), ask->samples[i]);
            EH_TRY(engine_give_up(s, &whose, err));
        }
    }
    e->live.n_no_vector += !end->has_all;
    return engine_slot_turn(e, end->ticket, err);
}
