/* SPDX-License-Identifier: MIT
 *
 * Probing an endpoint.
 *
 * One call for each thing that runs depend on, one after the other, through the same
 * judge and transport as a run: so what is seen here is what a run will meet, and what
 * is learned in one step (a name of the output limit, say) holds for the next.
 *
 *   capability before a step  --+
 *   the call                    +--> taken, refused, known to be absent, failed
 *   capability after it       --+
 *
 * Where a reply can show whether a parameter was followed it is looked at: a limit by
 * the length of the reply, a schema by reading the verdict, n by the choices. That a
 * temperature or a seed is followed cannot be seen in so few replies, and is not said.
 * A step that stops the judge (a refusal that cannot be laid at one parameter) ends
 * only itself: the judge is opened anew for the others.
 *
 * Left out: embeddings, speed under load, and limits a minute.
 */
#include "run/probe.h"

#include <math.h>
#include <stdio.h>

#include "base/mem.h"
#include "prompt/template.h"

enum {
    ARENA_MAX_BYTES = 64 << 20,
    POLL_MS = 1000,
    LIMIT_TOKENS = 16,
    IGNORED_TOKENS = 64, /* counts differ a little from server to server */
    IGNORED_BYTES = 300, /* more than so many tokens make of numbers and commas */
    N_SAMPLES = 2,
    ALTERNATIVES = 5
};

static const char *const names[] = {
#define X(id, name, what) name,
    RUN_PROBE_STEPS(X)
#undef X
};
static const char *const texts[] = {
#define X(id, name, what) what,
    RUN_PROBE_STEPS(X)
#undef X
};

const char *run_probe_name(run_probe_id step) {
    return names[step];
}

const char *run_probe_what(run_probe_id step) {
    return texts[step];
}

/* ---- the calls ---- */

/* A step's request, without its prompt. */
static judge_request request_of(const run_probe *p, run_probe_id step) {
    static const int samples[N_SAMPLES] = {0, 1};
    judge_request r = {.ticket = (uint64_t)step,
                       .params = {.temperature = NAN,
                                  .max_tokens = p->o->max_tokens,
                                  .request_seed = -1},
                       .samples = samples,
                       .n_samples = 1,
                       .shown = {.form = VERDICT_FORM_SCORE, .evidence_first = true}};
    switch (step) {
    case RUN_PROBE_LIMIT: r.params.max_tokens = LIMIT_TOKENS; break;
    case RUN_PROBE_TEMPERATURE: r.params.temperature = 0; break;
    case RUN_PROBE_SEED: r.params.request_seed = 7; break;
    case RUN_PROBE_N:
        r.n_samples = N_SAMPLES;
        r.params.temperature = 1; /* several samples at 0 are refused by some */
        break;
    case RUN_PROBE_SCHEMA: r.shown.form = VERDICT_FORM_JSON; break;
    case RUN_PROBE_LOGPROBS:
        r.params.wants_logprobs = true;
        r.params.top_logprobs = ALTERNATIVES;
        break;
    case RUN_PROBE_PLAIN:
    case RUN_PROBE_N_STEPS: break;
    }
    return r;
}

/* The prompt that runs use for verdicts as JSON, over a small pair. */
static eh_status verdict_prompt(eh_arena *arena, prompt_rendered *out, eh_error *err) {
    prompt_template *t;
    prompt_input input = {.question = EH_STR("What is 6 times 7?"),
                          .first = EH_STR("6 times 7 is 42."),
                          .second = EH_STR("It is 48."),
                          .evidence_first = true};
    EH_TRY(prompt_template_builtin(EH_STR("json"), &t, err));
    eh_status status = prompt_render(t, &input, arena, out, err);
    prompt_template_free(t);
    return status;
}

static eh_status prompt_of(run_probe_id step, eh_arena *arena, prompt_rendered *out,
                           eh_error *err) {
    eh_str text = EH_STR("Reply with one word: ready.");
    if (step == RUN_PROBE_SCHEMA) return verdict_prompt(arena, out, err);
    if (step == RUN_PROBE_LIMIT)
        text =
            EH_STR("Count from 1 to 200 in digits, with commas between the numbers.");
    if (step == RUN_PROBE_N)
        text = EH_STR("Write a random number between 1 and 1000000, and nothing else.");
    *out = (prompt_rendered){.messages = {{EH_STR("user"), text}}, .n_messages = 1};
    return EH_STATUS_OK;
}

/* ---- before anything is sent ---- */

static eh_status add_worst(run_probe *p, run_probe_id step, eh_error *err) {
    prompt_rendered prompt;
    judge_request r = request_of(p, step);
    int64_t n_bytes = 0;
    EH_TRY(prompt_of(step, &p->arena, &prompt, err));
    for (size_t i = 0; i < prompt.n_messages; i++)
        n_bytes += (int64_t)prompt.messages[i].content.len;
    p->n_replies += r.n_samples;
    int n_times = 1 + p->o->open->http->retries; /* lost, and billed all the same */
    if (p->row)
        p->worst_nusd += r.n_samples * n_times *
                         price_worst_nusd(p->row, n_bytes, r.params.max_tokens);
    return EH_STATUS_OK;
}

static eh_status set_up(run_probe *p, eh_error *err) {
    EH_TRY(judge_open(p->o->judge, p->o->open, &p->j, err));
    if (!judge_profile_get(p->j, &p->profile))
        return EH_FAIL(err, EH_STATUS_USAGE,
                       "judge '%s' answers in this process: there is no endpoint to "
                       "look at",
                       p->j->backend->name);
    p->known = p->profile.can;
    p->row = price_find(p->o->prices, p->j->id);
    p->worst_nusd = p->row ? 0 : -1;
    for (int i = 0; i < RUN_PROBE_N_STEPS; i++)
        EH_TRY(add_worst(p, (run_probe_id)i, err));
    return EH_STATUS_OK;
}

eh_status run_probe_open(const run_probe_options *options, run_probe **out,
                         eh_error *err) {
    run_probe *p = mem_zalloc(1, sizeof *p);
    *out = NULL;
    if (!p) return EH_NOMEM(err);
    p->o = options;
    p->first_ms = p->mean_ms = -1;
    p->reported = (judge_usage){-1, -1, -1, -1};
    arena_init(&p->arena, ARENA_MAX_BYTES);
    eh_status status = set_up(p, err);
    if (status != EH_STATUS_OK) {
        run_probe_close(p);
        return status;
    }
    *out = p;
    return EH_STATUS_OK;
}

void run_probe_close(run_probe *p) {
    if (!p) return;
    judge_close(p->j);
    arena_deinit(&p->arena);
    mem_free(p);
}

/* ---- asking ---- */

/* The replies of one step; strings in the probe's arena. */
typedef struct answers {
    judge_reply replies[N_SAMPLES]; /* [n] in the order they came */
    int n;
    bool stopped; /* the judge sends no more */
} answers;

static bool keep_reply(run_probe *p, const judge_reply *r, judge_reply *kept) {
    eh_arena *a = &p->arena;
    *kept = *r;
    return arena_copy(a, r->reply.content, &kept->reply.content) &&
           arena_copy(a, r->reply.finish_reason, &kept->reply.finish_reason) &&
           arena_copy(a, r->reply.refusal, &kept->reply.refusal) &&
           arena_copy(a, r->model, &kept->model) &&
           arena_copy(a, r->fingerprint, &kept->fingerprint) &&
           arena_copy(a, r->logprobs, &kept->logprobs) &&
           arena_copy(a, r->message, &kept->message);
}

static eh_status ask(run_probe *p, run_probe_id step, answers *a, eh_error *err) {
    prompt_rendered prompt;
    judge_request r = request_of(p, step);
    *a = (answers){0};
    EH_TRY(prompt_of(step, &p->arena, &prompt, err));
    r.messages = prompt.messages;
    r.n_messages = prompt.n_messages;
    EH_TRY(judge_submit(p->j, &r, err));
    while (a->n < r.n_samples) {
        judge_reply reply;
        bool got;
        EH_TRY(judge_poll(p->j, POLL_MS, &reply, &got, err));
        if (!got) continue;
        if (!keep_reply(p, &reply, &a->replies[a->n++])) return EH_NOMEM(err);
        a->stopped = a->stopped || reply.outcome == JUDGE_OUTCOME_STOP;
    }
    return EH_STATUS_OK;
}

static bool is_reply(const judge_reply *r) {
    return r->outcome == JUDGE_OUTCOME_REPLY;
}

static void add_tokens(int64_t *sum, int64_t n) {
    *sum = n < 0 || *sum < 0 ? -1 : *sum + n;
}

static void count_usage(run_probe *p, const answers *a) {
    for (int i = 0; i < a->n; i++) {
        const judge_usage *u = &a->replies[i].usage;
        if (!is_reply(&a->replies[i])) continue;
        add_tokens(&p->used.prompt_tokens, u->prompt_tokens);
        add_tokens(&p->used.completion_tokens, u->completion_tokens);
        if (u->cached_tokens > 0) p->used.cached_tokens += u->cached_tokens;
        if (u->reasoning_tokens > 0) p->used.reasoning_tokens += u->reasoning_tokens;
    }
}

/* ---- what a step shows ---- */

/* Under which name a parameter goes, or absent where it is refused. */
static eh_str name_now(const capability *c, const char *usual) {
    const capability_change *change = capability_change_of(c, eh_str_of(usual));
    if (!change) return eh_str_of(usual);
    return change->rename_to[0] ? eh_str_of(change->rename_to) : (eh_str){NULL, 0};
}

/* Of a parameter that goes by `usual` ("" = there is none) at this endpoint. */
static void see_param(const capability *before, const capability *after,
                      const char *usual, run_probe_step *step) {
    if (!usual[0] || eh_str_is_absent(name_now(before, usual))) {
        step->state = RUN_PROBE_ABSENT;
        return;
    }
    step->sent_as = name_now(after, usual);
    step->state = eh_str_is_absent(step->sent_as) ? RUN_PROBE_REFUSED : RUN_PROBE_TAKEN;
}

static void see_limit(const judge_reply *r, run_probe_step *step) {
    int64_t n_tokens = r->usage.completion_tokens;
    if (step->state != RUN_PROBE_TAKEN) return;
    if (eh_str_eq_cstr(r->reply.finish_reason, "length") ||
        (n_tokens >= 0 && n_tokens <= LIMIT_TOKENS))
        step->kept = RUN_PROBE_KEPT;
    else if (n_tokens > IGNORED_TOKENS || r->reply.content.len > IGNORED_BYTES)
        step->kept = RUN_PROBE_IGNORED;
}

static void see_n(run_probe *p, const answers *a, const capability *before,
                  run_probe_step *step) {
    const capability *c = &p->profile.can;
    step->state = before->n_max < N_SAMPLES           ? RUN_PROBE_ABSENT
                  : c->n_seen == CAPABILITY_N_REFUSED ? RUN_PROBE_REFUSED
                                                      : RUN_PROBE_TAKEN;
    if (c->n_seen == CAPABILITY_N_IGNORED) step->kept = RUN_PROBE_IGNORED;
    if (c->n_seen != CAPABILITY_N_HONOURED) return;
    step->kept = RUN_PROBE_KEPT;
    p->same_samples =
        eh_str_eq(a->replies[0].reply.content, a->replies[1].reply.content);
}

/* The parameter of the schema by its name in either protocol. */
static eh_status see_schema(run_probe *p, const judge_reply *r,
                            const capability *before, run_probe_step *step,
                            eh_error *err) {
    static const verdict_form form = {VERDICT_FORM_JSON, NULL};
    const capability *c = &p->profile.can;
    bool is_openai = eh_str_begins(p->o->judge, EH_STR("openai:"));
    const char *param = is_openai ? "response_format" : "output_config";
    see_param(before, c, before->schema == CAPABILITY_SCHEMA_NONE ? "" : param, step);
    if (step->state == RUN_PROBE_TAKEN)
        step->sent_as = eh_str_of(capability_schema_name(c->schema));
    EH_TRY(verdict_read(&form, &r->reply, &p->arena, &p->verdict, err));
    bool is_read = p->verdict.verdict != EH_VERDICT_NONE;
    if (step->state == RUN_PROBE_TAKEN)
        step->kept = is_read ? RUN_PROBE_KEPT : RUN_PROBE_IGNORED;
    return EH_STATUS_OK;
}

/* The alternatives to the first token; 0 where there are none. */
static eh_status count_alternatives(run_probe *p, eh_str json, eh_error *err) {
    json_fault fault;
    json_reader *reader = json_reader_new();
    if (!reader) return EH_NOMEM(err);
    const json_value *root = json_read(reader, &p->arena, json, &fault);
    const json_value *tokens = json_get(root, "content");
    const json_value *top =
        tokens && tokens->child ? json_get(tokens->child, "top_logprobs") : NULL;
    p->n_logprobs = top && top->kind == JSON_ARRAY ? (int)top->n : 0;
    json_reader_free(reader);
    return EH_STATUS_OK;
}

static eh_status see_logprobs(run_probe *p, const judge_reply *r,
                              const capability *before, run_probe_step *step,
                              eh_error *err) {
    bool has = before->logprobs_max >= 0;
    see_param(before, &p->profile.can, has ? "logprobs" : "", step);
    if (step->state != RUN_PROBE_TAKEN) return EH_STATUS_OK;
    bool came = !eh_str_is_absent(r->logprobs);
    step->kept = came ? RUN_PROBE_KEPT : RUN_PROBE_IGNORED;
    return came ? count_alternatives(p, r->logprobs, err) : EH_STATUS_OK;
}

/* What the replies of a step say; all of them came. */
static eh_status see(run_probe *p, run_probe_id id, const answers *a,
                     const capability *before, eh_error *err) {
    const capability *c = &p->profile.can;
    run_probe_step *step = &p->steps[id];
    const judge_reply *r = &a->replies[0];
    switch (id) {
    case RUN_PROBE_PLAIN: step->state = RUN_PROBE_TAKEN; break;
    case RUN_PROBE_LIMIT:
        /* the name was found out by the plain question */
        see_param(&p->known, c, p->known.tokens_name, step);
        see_limit(r, step);
        break;
    case RUN_PROBE_TEMPERATURE: see_param(before, c, "temperature", step); break;
    case RUN_PROBE_SEED: see_param(before, c, before->seed_name, step); break;
    case RUN_PROBE_N: see_n(p, a, before, step); break;
    case RUN_PROBE_SCHEMA: return see_schema(p, r, before, step, err);
    case RUN_PROBE_LOGPROBS: return see_logprobs(p, r, before, step, err);
    case RUN_PROBE_N_STEPS: break;
    }
    return EH_STATUS_OK;
}

/* ---- steps ---- */

static run_probe_key key_of(const run_probe *p) {
    bool is_sent = !eh_str_is_absent(p->profile.key_place);
    if (!p->is_reachable) return RUN_PROBE_KEY_UNKNOWN;
    if (p->works) return is_sent ? RUN_PROBE_KEY_ACCEPTED : RUN_PROBE_KEY_NONE;
    if (p->status == 401 || p->status == 403)
        return is_sent ? RUN_PROBE_KEY_REFUSED : RUN_PROBE_KEY_MISSING;
    return RUN_PROBE_KEY_UNKNOWN;
}

/* A refusal for want of money or for a model comes from behind the key, but a proxy may
 * stand in front of both: nothing is said of the key then. */
static void see_contact(run_probe *p, const judge_reply *r) {
    p->status = r->status;
    p->is_reachable = r->status != 0;
    p->works = is_reply(r);
    p->key = key_of(p);
    p->first_ms = r->latency_ms;
    if (!p->works) {
        p->message = r->message;
        return;
    }
    p->model = r->model;
    p->fingerprint = r->fingerprint;
    p->reported = r->usage;
}

static eh_status reopen(run_probe *p, eh_error *err) {
    judge_close(p->j);
    p->j = NULL;
    return judge_open(p->o->judge, p->o->open, &p->j, err);
}

static eh_status step_once(run_probe *p, run_probe_id id, answers *a, eh_error *err) {
    judge_profile before;
    int64_t n_before = p->n_requests;
    if (p->o->on_step) p->o->on_step(p->o->self, id);
    (void)judge_profile_get(p->j, &before);
    EH_TRY(ask(p, id, a, err));
    (void)judge_profile_get(p->j, &p->profile);
    p->n_requests = n_before + p->profile.n_requests - before.n_requests;
    count_usage(p, a);
    bool all_came = true;
    for (int i = 0; i < a->n; i++)
        if (!is_reply(&a->replies[i])) {
            all_came = false;
            p->steps[id].state = RUN_PROBE_FAILED;
            p->steps[id].message = a->replies[i].message;
        }
    if (all_came) EH_TRY(see(p, id, a, &before.can, err));
    return a->stopped && id != RUN_PROBE_PLAIN ? reopen(p, err) : EH_STATUS_OK;
}

/* The vendors' endpoints are not asked without a key. */
static eh_status not_even_sent(run_probe *p, const eh_error *why, eh_error *err) {
    if (!arena_copy(&p->arena, eh_str_of(why->msg), &p->message)) return EH_NOMEM(err);
    if (eh_str_is_absent(p->profile.key_place)) p->key = RUN_PROBE_KEY_MISSING;
    return EH_STATUS_OK;
}

eh_status run_probe_ask(run_probe *p, eh_error *err) {
    answers a;
    int64_t sum_ms = 0, n_ms = 0;
    eh_error why = {0};
    eh_status status = step_once(p, RUN_PROBE_PLAIN, &a, &why);
    if (status == EH_STATUS_ENDPOINT) return not_even_sent(p, &why, err);
    if (status != EH_STATUS_OK) {
        if (err) *err = why;
        return status;
    }
    see_contact(p, &a.replies[0]);
    for (int i = RUN_PROBE_PLAIN + 1; i < RUN_PROBE_N_STEPS && p->works; i++) {
        EH_TRY(step_once(p, (run_probe_id)i, &a, err));
        if (!is_reply(&a.replies[0])) continue;
        sum_ms += a.replies[0].latency_ms;
        n_ms++;
    }
    if (n_ms) p->mean_ms = sum_ms / n_ms;
    return EH_STATUS_OK;
}
