/* SPDX-License-Identifier: MIT
 *
 * The loop: each task looks for its next sample in the ledger, else asks for it.
 *
 *   task --key--> ledger has it? --> take --> good: over
 *     ^              | no                 `-> refused: next sample, up to `tries`
 *     |              v
 *     `---- put <-- judge
 *
 * A task has one call in flight, so that a good first reply costs one call. Replies are
 * taken in any order; since tasks do not depend on each other the result does not
 * depend on it.
 *
 * Calls are put one by one and are durable before they are taken: there are hundreds
 * of them, not millions, and each may cost cents.
 */
#include "generate/generate.h"

#include <stdio.h>

enum { POLL_MS = 50 };

/* ---- sessions ---- */

static eh_status open_session(generate_asker *a, eh_error *err) {
    const run_setup *setup = &a->o->setup;
    ledger_judge who;
    char options[LEDGER_RUN_OPTIONS_CHARS];
    int64_t now_ms = clock_now_ms(&a->o->clock);
    EH_TRY(run_setup_judge(setup, &a->arena, &who, err));
    a->params_json = who.params;
    if (a->dry) return EH_STATUS_OK;
    who.template_name = who.template_text = EH_STR("");
    who.evidence_first = false;
    EH_TRY(ledger_begin(a->l, err));
    EH_TRY(ledger_judge_put(a->l, &who, &a->judge_row, err));
    ledger_run run =
        ledger_run_of(&setup->plan, LEDGER_STREAM_GENERATE, a->judge_row, options);
    EH_TRY(ledger_run_put(a->l, &run, now_ms, &a->run_row, err));
    ledger_session session = {
        .run_row = a->run_row, .started_ms = now_ms, .refresh_ms = -1};
    EH_TRY(ledger_session_begin(a->l, &session, &a->session_row, err));
    return ledger_commit(a->l, err);
}

eh_status generate_asker_open(generate_asker *a, eh_error *err) {
    arena_init(&a->arena, BUF_MAX_SMALL);
    arena_init(&a->reply_arena, BUF_MAX_PROMPT);
    a->end = RUN_END_DONE;
    a->progress.started_ns = clock_mono_ns(&a->o->clock);
    return open_session(a, err);
}

eh_status generate_asker_close(generate_asker *a, eh_error *err) {
    static const char *const names[] = {
        [RUN_END_DONE] = "done",       [RUN_END_LIMIT] = "limit",
        [RUN_END_BUDGET] = "budget",   [RUN_END_INTERRUPTED] = "interrupted",
        [RUN_END_STOPPED] = "stopped",
    };
    eh_status status = EH_STATUS_OK;
    if (a->session_row) {
        status = ledger_begin(a->l, err);
        if (status == EH_STATUS_OK)
            status = ledger_session_end(a->l, a->session_row,
                                        clock_now_ms(&a->o->clock), names[a->end],
                                        a->counts.n_new, a->counts.n_kept, err);
        if (status == EH_STATUS_OK) status = ledger_commit(a->l, err);
        if (status != EH_STATUS_OK) ledger_rollback(a->l);
    }
    arena_deinit(&a->arena);
    arena_deinit(&a->reply_arena);
    return status;
}

eh_status generate_is_one(ledger *l, eh_arena *arena, bool *is_one, eh_error *err) {
    ledger_run *runs;
    size_t n;
    EH_TRY(ledger_runs(l, arena, &runs, &n, err));
    *is_one = n > 0;
    for (size_t i = 0; i < n; i++)
        *is_one &= ledger_run_stream(&runs[i]) == LEDGER_STREAM_GENERATE;
    return EH_STATUS_OK;
}

/* ---- one task ---- */

typedef struct asking {
    generate_asker *a;
    generate_task *tasks;
    size_t n, n_over, n_in_flight;
    generate_taker *take;
    void *self;
} asking;

static void make_key(const asking *x, generate_task *t) {
    run_prompt prompt = {.rendered = {.n_messages = t->prompt.n_messages}};
    for (size_t i = 0; i < t->prompt.n_messages; i++)
        prompt.rendered.messages[i] = t->prompt.messages[i];
    run_setup setup = x->a->o->setup;
    setup.stream = LEDGER_STREAM_GENERATE;
    run_key(&setup, x->a->params_json, &prompt, t->sample, t->key);
}

/* Is another task about to have the same call answered? Pairs may share a question and
 * an answer. */
static bool is_asked(const asking *x, const generate_task *t) {
    for (size_t i = 0; i < x->n; i++)
        if (x->tasks[i].is_asked && memcmp(x->tasks[i].key, t->key, HASH_BYTES) == 0)
            return true;
    return false;
}

static void add_usage(generate_counts *c, int64_t prompt, int64_t completion) {
    if (prompt < 0 || completion < 0) {
        c->n_unknown_usage++;
        return;
    }
    c->usage.prompt_tokens += prompt;
    c->usage.completion_tokens += completion;
}

static eh_status take(asking *x, generate_task *t, const generate_reply *reply,
                      eh_error *err) {
    bool again = false;
    EH_TRY(x->take(x->self, t, reply, &again, err));
    t->n_tried++;
    t->is_over = !again || t->n_tried >= x->a->tries;
    x->n_over += t->is_over;
    return EH_STATUS_OK;
}

static bool is_cut(eh_str finish_reason) {
    return eh_str_eq_cstr(finish_reason, "length") ||
           eh_str_eq_cstr(finish_reason, "max_tokens");
}

/* Takes what the ledger has of the task; *open: its next sample is to be asked. */
static eh_status walk(asking *x, generate_task *t, bool *open, eh_error *err) {
    generate_asker *a = x->a;
    *open = false;
    while (!t->is_over && !*open) {
        ledger_kept kept;
        bool found = false;
        arena_reset(&a->reply_arena);
        t->sample = t->first_sample + t->n_tried * t->sample_step;
        make_key(x, t);
        if (a->l)
            EH_TRY(
                ledger_call_reply(a->l, t->key, &a->reply_arena, &kept, &found, err));
        *open = !found;
        if (!found) break;
        a->counts.n_kept++;
        add_usage(&a->counts, kept.prompt_tokens, kept.completion_tokens);
        generate_reply reply = {kept.content.len ? kept.content : kept.refusal,
                                is_cut(kept.finish_reason), t->sample};
        EH_TRY(take(x, t, &reply, err));
    }
    return EH_STATUS_OK;
}

static int64_t prompt_bytes(const generate_task *t) {
    int64_t n = 0;
    for (size_t i = 0; i < t->prompt.n_messages; i++)
        n += (int64_t)t->prompt.messages[i].content.len;
    return n;
}

static void stop(asking *x, run_end end) {
    if (x->a->end != RUN_END_DONE) return;
    x->a->end = end;
    if (end == RUN_END_INTERRUPTED) judge_halt(x->a->o->setup.j);
}

/* Is there money and leave for one more call? */
static bool may_ask(asking *x, generate_task *t) {
    const run_options *o = x->a->o;
    int64_t n_sent = x->a->counts.n_new + (int64_t)x->n_in_flight;
    if (o->interrupted && *o->interrupted) stop(x, RUN_END_INTERRUPTED);
    if (o->limit >= 0 && n_sent >= o->limit) stop(x, RUN_END_LIMIT);
    if (x->a->end != RUN_END_DONE) return false;
    if (!o->budget) return true;
    t->worst_nusd =
        price_worst_nusd(o->budget->row, prompt_bytes(t), o->setup.params.max_tokens);
    if (price_fits(o->budget, t->worst_nusd)) return true;
    if (x->n_in_flight == 0) stop(x, RUN_END_BUDGET);
    return false;
}

static eh_status submit(asking *x, generate_task *t, eh_error *err) {
    const run_options *o = x->a->o;
    t->request = (judge_request){.ticket = (uint64_t)(t - x->tasks),
                                 .messages = t->prompt.messages,
                                 .n_messages = t->prompt.n_messages,
                                 .params = o->setup.params,
                                 .samples = &t->sample,
                                 .n_samples = 1,
                                 .stream = LEDGER_STREAM_GENERATE};
    if (o->budget) price_reserve(o->budget, t->worst_nusd);
    t->in_flight = t->is_asked = true;
    x->n_in_flight++;
    return judge_submit(o->setup.j, &t->request, err);
}

/* ---- replies ---- */

static eh_status put_call(asking *x, const generate_task *t, const judge_reply *r,
                          eh_error *err) {
    generate_asker *a = x->a;
    int64_t row;
    ledger_call call = {
        .key = t->key,
        .judge_row = a->judge_row,
        .session_row = a->session_row,
        .stream = LEDGER_STREAM_GENERATE,
        .sample = t->sample,
        .effective = r->effective,
        .model = r->model,
        .fingerprint = r->fingerprint,
        .finish_reason = r->reply.finish_reason,
        .content = r->reply.content,
        .reasoning = r->reasoning,
        .refusal = r->reply.refusal,
        .done_ms = clock_now_ms(&a->o->clock),
        .latency_ms = r->latency_ms,
        .n_attempts = r->n_attempts,
        .prompt_tokens = r->usage.prompt_tokens,
        .cached_tokens = r->usage.cached_tokens,
        .completion_tokens = r->usage.completion_tokens,
        .reasoning_tokens = r->usage.reasoning_tokens,
        .result = {.reason = VERDICT_REASON_UNSPECIFIED}, /* there is no verdict */
    };
    EH_TRY(ledger_begin(a->l, err));
    EH_TRY(ledger_call_put(a->l, &call, &row, err));
    return ledger_commit(a->l, err);
}

static eh_status take_reply(asking *x, const judge_reply *r, eh_error *err) {
    generate_asker *a = x->a;
    if (r->ticket >= x->n || !x->tasks[r->ticket].in_flight)
        return EH_FAIL(err, EH_STATUS_ENDPOINT,
                       "the judge answered what was not asked");
    generate_task *t = &x->tasks[r->ticket];
    bool has_text = r->outcome == JUDGE_OUTCOME_REPLY;
    bool is_billed = has_text || r->usage.prompt_tokens >= 0;
    t->in_flight = t->is_asked = false;
    x->n_in_flight--;
    if (a->o->budget)
        price_settle(a->o->budget, t->worst_nusd, is_billed ? &r->usage : NULL,
                     r->n_lost);
    if (r->outcome == JUDGE_OUTCOME_STOP) {
        (void)snprintf(a->stop_message, sizeof a->stop_message, "%.*s",
                       EH_STR_ARG(r->message));
        stop(x, RUN_END_STOPPED);
    }
    if (r->outcome >= JUDGE_OUTCOME_NO_RESULT) {
        a->counts.n_no_result += r->outcome != JUDGE_OUTCOME_NOT_SENT;
        t->is_over = true; /* of this session; a rerun asks it again */
        x->n_over++;
        return EH_STATUS_OK;
    }
    EH_TRY(put_call(x, t, r, err));
    a->counts.n_new++;
    add_usage(&a->counts, r->usage.prompt_tokens, r->usage.completion_tokens);
    generate_reply reply = {r->reply.content.len ? r->reply.content : r->reply.refusal,
                            is_cut(r->reply.finish_reason), t->sample};
    return take(x, t, &reply, err);
}

/* ---- the loop ---- */

static eh_status feed(asking *x, eh_error *err) {
    generate_asker *a = x->a;
    for (size_t i = 0; i < x->n; i++) {
        generate_task *t = &x->tasks[i];
        bool open;
        if (x->n_in_flight >= (size_t)a->o->concurrency) break;
        if (t->is_over || t->in_flight) continue;
        EH_TRY(walk(x, t, &open, err));
        if (!open) continue;
        bool shares = is_asked(x, t); /* then the reply to that is taken */
        if (a->dry) {
            a->counts.n_open += !shares;
            a->counts.open_prompt_bytes += shares ? 0 : prompt_bytes(t);
            t->is_over = t->is_asked = true;
            x->n_over++;
        } else if (shares) {
            continue;
        } else if (may_ask(x, t)) {
            EH_TRY(submit(x, t, err));
        } else {
            break;
        }
    }
    return EH_STATUS_OK;
}

static void show_progress(const asking *x) {
    const generate_asker *a = x->a;
    run_progress p = a->progress;
    p.n_pairs = (int64_t)x->n;
    p.n_pairs_done = (int64_t)x->n_over;
    p.n_new = a->counts.n_new;
    p.n_no_result = a->counts.n_no_result;
    if (a->o->on_progress) a->o->on_progress(a->o->self, &p);
}

eh_status generate_ask(generate_asker *a, generate_task *tasks, size_t n,
                       generate_taker *taker, void *self, eh_error *err) {
    asking x = {.a = a, .tasks = tasks, .n = n, .take = taker, .self = self};
    for (;;) {
        judge_reply reply;
        bool got;
        EH_TRY(feed(&x, err));
        show_progress(&x);
        if (x.n_in_flight == 0 && (a->end != RUN_END_DONE || x.n_over == n)) break;
        if (a->o->interrupted && *a->o->interrupted > 1) break;
        if (x.n_in_flight == 0) continue;
        EH_TRY(judge_poll(a->o->setup.j, POLL_MS, &reply, &got, err));
        if (got) EH_TRY(take_reply(&x, &reply, err));
    }
    return EH_STATUS_OK;
}
