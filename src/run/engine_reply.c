/* SPDX-License-Identifier: MIT
 *
 * The engine's way back: a reply's verdict is read, call, reply and verdict are stored,
 * and everybody who waited for its key gets it.
 *
 * A call without result is noted and given up for this session, so that the plan does
 * not ask it for ever. New answers replace those that were too old.
 */
#include <stdio.h>

#include "run/engine_state.h"

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
        ledger_ask ask = engine_ask(e, s, p.prompt, p.sample);
        s->n_pending--;
        s->waits[p.prompt][p.sample] = 0;
        if (call_row) {
            EH_TRY(ledger_ask_put(e->l, &ask, call_row, err));
            e->live.n_reused += p.follows;
        } else {
            if (!p.follows) EH_TRY(note_no_result(e, &ask, reply, err));
            EH_TRY(engine_give_up(s, &ask, err));
        }
        EH_TRY(engine_slot_turn(e, p.slot, err));
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

eh_status engine_take_reply(engine *e, const judge_reply *reply, eh_error *err) {
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
    if (reply->outcome == JUDGE_OUTCOME_STOP) engine_stop_because(e, reply->message);
    EH_TRY(settle_key(e, p.key, call_row, reply, err));
    return engine_put(e, err);
}
