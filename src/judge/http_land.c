/* SPDX-License-Identifier: MIT
 *
 * Landing: what is done when a transfer has ended.
 *
 *   ok          a reply for each sample
 *   split_n     replies for what came; the missing samples are asked one by one
 *   drop_param  learned for all, and the same samples asked again
 *   schema      likewise: how the verdict's JSON is demanded
 *   retry       again, after the wait the endpoint asked for or an own backoff
 *   halve       a refused list of texts goes again in two halves
 *   fail        of a sample: final, with its reason; of the run: stop
 *
 * The own backoff is full jitter over a doubling limit, drawn by the prompt's number
 * and the attempt, so that it does not depend on the order of arrival. A wait that the
 * endpoint asks for holds all requests to that base URL, not only the one that failed;
 * a refusal for want of room without one slows all of them down (pace.h).
 *
 * What fails before anything has succeeded stops the run: a wrong address or key fails
 * every call alike, and nothing is lost by saying so at once. Later, a call that stays
 * without an answer has no result and is asked again by a rerun; GIVE_UPS of them in a
 * row with no success between them stop the run too.
 */
#include <stdio.h>

#include "base/log.h"
#include "base/mem.h"
#include "base/rng.h"
#include "judge/http.h"
#include "codec/redact.h"
#include "codec/usage.h"

enum {
    GIVE_UPS = 5,
    SPOILT_RETRIES = 2,
    FIRST_CONTACT_RETRIES = 2, /* of connecting, as long as nothing has succeeded */
    ALIKE_TIMES = 3,
    ALIKE_MIN_BYTES = 80,
    MESSAGE_BYTES = 200
};
#define BACKOFF_FIRST_NS INT64_C(500000000)
#define BACKOFF_MAX_NS INT64_C(60000000000)
#define AVOID_FIRST_NS INT64_C(1000000000)

typedef struct landing {
    http_judge *h;
    http_ask *ask;
    http_base *base;
    http_result *result; /* owns what the action points to */
    CURLcode code;
    int status; /* of the answer */
    judge_action action;
    eh_str effective;
    capability_schema schema; /* of the request */
    bool asked_logprobs;
    int64_t now_ns, begun_ns, latency_ms;
    eh_error *err;
} landing;

/* ---- replies ---- */

static judge_reply reply_of(http_ask *ask, int i, judge_outcome outcome) {
    judge_tally requests = ask->requests;
    ask->requests.n_kinds = 0;
    return (judge_reply){.ticket = ask->prompt->ticket,
                         .sample = ask->samples[i],
                         .outcome = outcome,
                         .usage = USAGE_UNKNOWN,
                         .latency_ms = -1,
                         .n_attempts = ask->n_attempts,
                         .n_lost = ask->n_lost,
                         .requests = requests};
}

/* The same reply, without a text, for all samples of an ask; of `like` outcome, message
 * and what else is not the ask's. */
static eh_status push_all(http_judge *h, http_ask *ask, http_result *result,
                          const judge_reply *like, eh_error *err) {
    for (int i = 0; i < ask->n_samples; i++) {
        judge_reply reply = reply_of(ask, i, like->outcome);
        reply.message = like->message;
        reply.recorded = like->recorded;
        reply.status = like->status;
        reply.latency_ms = like->latency_ms;
        EH_TRY(http_done_push(h, result, &reply, err));
    }
    return EH_STATUS_OK;
}

/* What has been sent before and only waited to be sent again did fail. */
eh_status http_land_unsent(http_judge *h, http_ask *ask, eh_error *err) {
    judge_reply like = {
        .outcome = ask->n_attempts ? JUDGE_OUTCOME_NO_RESULT : JUDGE_OUTCOME_NOT_SENT,
        .message = EH_STR("not asked again: the run was stopped"),
        .latency_ms = -1,
    };
    http_result *result = http_result_new(h);
    eh_status status = result ? push_all(h, ask, result, &like, err) : EH_NOMEM(err);
    if (result) http_result_release(result, &h->net.results);
    http_ask_free(h, ask);
    return status;
}

/* The first n samples of the ask get the choices in their order. */
static eh_status push_choices(const landing *l, judge_outcome outcome) {
    const judge_action *a = &l->action;
    for (int i = 0; i < a->n_choices; i++) {
        const judge_choice *c = &a->choices[i];
        judge_reply reply = reply_of(l->ask, i, outcome);
        reply.reply = (verdict_reply){c->content, c->finish_reason, c->refusal};
        reply.reasoning = c->reasoning;
        reply.recorded.reason = a->reason;
        reply.vector = c->vector;
        reply.n_dims = c->n_dims;
        reply.usage = usage_share(&a->usage, i, a->n_choices);
        reply.model = a->model;
        reply.fingerprint = a->fingerprint;
        reply.effective = l->effective;
        reply.logprobs = c->logprobs;
        reply.status = l->status;
        reply.message = a->message;
        reply.latency_ms = l->latency_ms;
        EH_TRY(http_done_push(l->h, l->result, &reply, l->err));
    }
    return EH_STATUS_OK;
}

/* ---- stopping and giving up ---- */

static eh_status push_line(const landing *l, judge_outcome outcome, const char *line) {
    judge_reply like = {.outcome = outcome,
                        .message = eh_str_of(line),
                        .status = l->status,
                        .latency_ms = -1};
    return push_all(l->h, l->ask, l->result, &like, l->err);
}

/* Where the key came from that was refused; never what it is. */
static const char *about_key(const landing *l) {
    if (l->status != 401 && l->status != 403) return "";
    if (!l->h->auth.key_place[0]) return "; no key was sent";
    const char *text =
        arena_printf(&l->result->arena, "; the key is from %s", l->h->auth.key_place);
    return text ? text : "";
}

/* "openai:m: HTTP 401 from HOST: ..." for the samples of this ask; no more is sent. */
static eh_status stop_run(const landing *l, eh_str message) {
    char *line =
        arena_printf(&l->result->arena, "%.*s: %.*s%s", EH_STR_ARG(l->h->base.id),
                     EH_STR_ARG(message), about_key(l));
    if (!line) return EH_NOMEM(l->err);
    l->h->net.is_stopping = true;
    return push_line(l, JUDGE_OUTCOME_STOP, line);
}

static eh_status give_up(const landing *l) {
    http_net *net = &l->h->net;
    bool is_last = net->has_succeeded && ++net->n_given_up >= GIVE_UPS;
    char in_a_row[80] = "";
    if (is_last && !net->is_stopping)
        (void)snprintf(in_a_row, sizeof in_a_row,
                       "%d calls in a row came to nothing, the last: ", GIVE_UPS);
    char *line = arena_printf(&l->result->arena, "%s%.*s (%d attempt%s)", in_a_row,
                              EH_STR_ARG(l->action.message), l->ask->n_attempts,
                              l->ask->n_attempts == 1 ? "" : "s");
    if (!line) return EH_NOMEM(l->err);
    if (!net->is_stopping && (!net->has_succeeded || is_last))
        return stop_run(l, eh_str_of(line));
    return push_line(l, JUDGE_OUTCOME_NO_RESULT, line);
}

/* ---- again ---- */

/* From 0 to 1; the same for the same prompt, samples and attempt. */
static double draw(const http_judge *h, const http_ask *ask) {
    uint64_t content = ask->prompt->serial << 20 ^ (uint64_t)ask->samples[0] << 8;
    eh_rng r = rng_make((uint64_t)h->seed, "judge.backoff",
                        content ^ (uint64_t)ask->n_retries);
    return rng_uniform(&r);
}

static int64_t backoff_ns(const http_ask *ask, double share) {
    int doublings = ask->n_retries < 20 ? ask->n_retries : 20;
    int64_t limit = BACKOFF_FIRST_NS << doublings;
    if (limit > BACKOFF_MAX_NS) limit = BACKOFF_MAX_NS;
    return (int64_t)(share * (double)limit);
}

static bool is_contact_fault(CURLcode code) {
    return code == CURLE_COULDNT_CONNECT || code == CURLE_COULDNT_RESOLVE_HOST ||
           code == CURLE_COULDNT_RESOLVE_PROXY || code == CURLE_SSL_CONNECT_ERROR;
}

static bool may_retry(const landing *l) {
    const http_judge *h = l->h;
    int most = h->max_retries;
    if (h->net.is_stopping || http_wire_is_hopeless(l->code)) return false;
    if (l->action.retry_once && l->ask->no_compression) return false;
    int contact = FIRST_CONTACT_RETRIES + (int)h->n_bases - 1;
    if (!h->net.has_succeeded && is_contact_fault(l->code) && contact < most)
        most = contact;
    return l->ask->n_retries < most;
}

/* A server that fails over and over on a request for several samples may fail on one of
 * them (llama-server does, where it cannot read what its model wrote), and the others
 * are lost with it. So the samples are asked one by one, also where n is honoured. */
static bool is_spoilt(const landing *l) {
    return l->ask->n_samples > 1 && l->status >= 500 && !l->action.is_overload &&
           l->ask->n_retries >= SPOILT_RETRIES;
}

/* Takes the ask out of the landing when it goes on. */
static eh_status land_retry(landing *l) {
    if (!may_retry(l)) return give_up(l);
    http_ask *ask = l->ask;
    const judge_action *a = &l->action;
    double share = draw(l->h, ask);
    int64_t wait_ns = a->has_wait ? a->wait_ms * 1000000 : backoff_ns(ask, share);
    if (a->has_wait) pace_hold(&l->base->p, l->now_ns + wait_ns);
    if (a->is_overload)
        pace_overload(&l->base->p, l->now_ns, l->begun_ns, a->has_wait ? 0 : share);
    ask->n_retries++;
    ask->one_by_one = ask->one_by_one || is_spoilt(l);
    ask->no_compression = ask->no_compression || a->retry_once;
    ask->due_ns = l->now_ns + wait_ns;
    l->ask = NULL;
    http_net_put_waiting(l->h, ask);
    return EH_STATUS_OK;
}

static eh_status land_param(landing *l) {
    http_judge *h = l->h;
    const judge_action *a = &l->action;
    bool is_new = capability_learn(&h->net.can, a->param, a->rename_to);
    if (h->net.is_stopping) return give_up(l);
    if (!is_new && !capability_change_of(&h->net.can, a->param))
        return stop_run(l, a->message);
    if (is_new && a->rename_to.len)
        log_line(EH_LOG_INFO, "%.*s takes '%.*s' in place of '%.*s'",
                 EH_STR_ARG(h->base.id), EH_STR_ARG(a->rename_to),
                 EH_STR_ARG(a->param));
    else if (is_new)
        log_line(EH_LOG_WARNING,
                 "%.*s does not take '%.*s'; it is left out, and the replies say so",
                 EH_STR_ARG(h->base.id), EH_STR_ARG(a->param));
    http_ask *ask = l->ask;
    l->ask = NULL;
    http_net_put_front(h, ask);
    return EH_STATUS_OK;
}

/* The verdict's JSON in another way, for all calls from now on. Requests that were on
 * their way together fail alike: only the first changes anything. */
static eh_status land_schema(landing *l) {
    http_judge *h = l->h;
    capability_schema schema = l->action.schema;
    if (h->net.is_stopping) return give_up(l);
    if (h->net.can.schema == l->schema) {
        h->net.can.schema = schema;
        bool is_loose = schema == CAPABILITY_SCHEMA_OBJECT;
        log_line(is_loose ? EH_LOG_WARNING : EH_LOG_INFO,
                 is_loose ? "%.*s takes no JSON schema; it is asked for any JSON "
                            "object, and the replies say so"
                          : "%.*s wants the JSON schema in the layout of Text "
                            "Generation Inference",
                 EH_STR_ARG(h->base.id));
    }
    http_ask *ask = l->ask;
    l->ask = NULL;
    http_net_put_front(h, ask);
    return EH_STATUS_OK;
}

/* Keeps what came and asks for the rest. A rest that is missing because choices failed
 * on the way is a retry; one that is missing because n is not honoured is none. */
static eh_status land_split(landing *l) {
    http_judge *h = l->h;
    const judge_action *a = &l->action;
    int n = a->n_choices;
    if (a->n_unsupported && h->net.can.n_max > 1) {
        h->net.can.n_max = 1;
        h->net.can.n_seen = n > 0 ? CAPABILITY_N_IGNORED : CAPABILITY_N_REFUSED;
        log_line(EH_LOG_INFO, "%.*s gives one %s a request; %s are asked one by one",
                 EH_STR_ARG(h->base.id), h->codec->is_list ? "vector" : "choice",
                 h->codec->is_list ? "texts" : "samples");
    }
    EH_TRY(push_choices(l, JUDGE_OUTCOME_REPLY));
    if (n > 0) h->net.has_succeeded = true;
    http_ask *ask = l->ask;
    memmove(ask->samples, ask->samples + n,
            (size_t)(ask->n_samples - n) * sizeof *ask->samples);
    ask->n_samples -= n;
    if (h->net.is_stopping) return give_up(l);
    if (!a->n_unsupported) return land_retry(l);
    if (n > 0) ask->n_attempts = ask->n_lost = 0; /* they are with what came */
    l->ask = NULL;
    http_net_put_front(h, ask);
    return EH_STATUS_OK;
}

/* A list that was refused goes again in two halves, at last as single texts, so that
 * the one that was meant is found. Where the length of the list was the fault, shorter
 * ones are sent from now on. */
static eh_status land_halve(landing *l) {
    http_judge *h = l->h;
    http_ask *ask = l->ask;
    int half = ask->n_samples / 2;
    if (h->net.is_stopping) return give_up(l);
    bool is_length = l->action.reason == VERDICT_REASON_REQUEST_TOO_LARGE ||
                     eh_str_find(l->action.message, EH_STR("batch"), 0) != SIZE_MAX;
    if (is_length && l->action.reason != VERDICT_REASON_CONTEXT_LENGTH &&
        half < h->net.can.n_max)
        h->net.can.n_max = half;
    http_ask *rest =
        http_ask_new(ask->prompt, ask->samples + half, ask->n_samples - half);
    if (!rest) return EH_NOMEM(l->err);
    rest->n_attempts = ask->n_attempts;
    rest->n_lost = ask->n_lost;
    rest->no_compression = ask->no_compression;
    ask->n_samples = half;
    l->ask = NULL;
    http_net_put_front(h, rest);
    http_net_put_front(h, ask);
    return EH_STATUS_OK;
}

/* ---- the end of an ask ---- */

/* Several long choices that are all the same, again and again: n is a fake. */
static void watch_alike(const landing *l) {
    http_net *net = &l->h->net;
    const judge_action *a = &l->action;
    if (a->n_choices < 2) return;
    bool alike = a->choices[0].content.len >= ALIKE_MIN_BYTES;
    for (int i = 1; i < a->n_choices; i++)
        alike = alike && eh_str_eq(a->choices[0].content, a->choices[i].content);
    if (net->can.n_seen == CAPABILITY_N_UNTRIED)
        net->can.n_seen = CAPABILITY_N_HONOURED;
    net->n_alike = alike ? net->n_alike + 1 : 0;
    if (net->n_alike < ALIKE_TIMES || net->warned_alike) return;
    net->warned_alike = true;
    log_line(EH_LOG_WARNING,
             "%.*s gives the same text for every sample of a request; it may not "
             "sample at all",
             EH_STR_ARG(l->h->base.id));
}

/* Taken and not given: the sample lacks what was asked for, and nothing else says so.
 */
static void watch_logprobs(const landing *l) {
    http_net *net = &l->h->net;
    if (!l->asked_logprobs || net->warned_logprobs) return;
    if (!eh_str_is_absent(l->action.choices[0].logprobs)) return;
    net->warned_logprobs = true;
    log_line(EH_LOG_WARNING,
             "%.*s gives no log probabilities, though it took --logprobs",
             EH_STR_ARG(l->h->base.id));
}

static eh_status land_ok(const landing *l) {
    http_net *net = &l->h->net;
    if (l->action.n_surplus && !net->warned_surplus) {
        net->warned_surplus = true;
        log_line(EH_LOG_WARNING,
                 "%.*s gives more choices than asked for; the first "
                 "ones are used",
                 EH_STR_ARG(l->h->base.id));
    }
    net->has_succeeded = true;
    net->n_given_up = 0;
    pace_success(&l->base->p);
    watch_alike(l);
    watch_logprobs(l);
    return push_choices(l, JUDGE_OUTCOME_REPLY);
}

static eh_status land_fail(const landing *l) {
    const judge_action *a = &l->action;
    if (a->scope == JUDGE_SCOPE_RUN) return stop_run(l, a->message);
    if (a->scope == JUDGE_SCOPE_CALL) return give_up(l);
    if (a->n_choices > 0) return push_choices(l, JUDGE_OUTCOME_FAILED);
    judge_reply like = {.outcome = JUDGE_OUTCOME_FAILED,
                        .recorded.reason = a->reason,
                        .message = a->message,
                        .status = l->status,
                        .latency_ms = l->latency_ms};
    return push_all(l->h, l->ask, l->result, &like, l->err);
}

static eh_status land_action(landing *l) {
    switch (l->action.kind) {
    case JUDGE_ACTION_OK: return land_ok(l);
    case JUDGE_ACTION_SPLIT_N: return land_split(l);
    case JUDGE_ACTION_DROP_PARAM: return land_param(l);
    case JUDGE_ACTION_SCHEMA: return land_schema(l);
    case JUDGE_ACTION_HALVE: return land_halve(l);
    case JUDGE_ACTION_RETRY: return land_retry(l);
    case JUDGE_ACTION_FAIL: break;
    }
    return land_fail(l);
}

/* ---- from the wire ---- */

/* Where nothing came, curl knows best why. */
static eh_status explain(landing *l, const http_wire *w) {
    const http_auth *auth = &l->h->auth;
    const char *text = w->curl_text[0] ? w->curl_text : curl_easy_strerror(l->code);
    eh_str tidy;
    if (l->status || w->fault != JUDGE_FAULT_NONE || l->code == CURLE_OK)
        return EH_STATUS_OK;
    if (!redact_message(eh_str_of(text), auth->secrets, auth->n_secrets, MESSAGE_BYTES,
                        &l->result->arena, &tidy))
        return EH_NOMEM(l->err);
    bool is_certificate = l->code == CURLE_PEER_FAILED_VERIFICATION;
    char *line =
        arena_printf(&l->result->arena, "no answer from %.*s: %.*s%s",
                     EH_STR_ARG(l->base->where.host), EH_STR_ARG(tidy),
                     is_certificate ? "; --cacert names certificates to trust" : "");
    l->action.message = eh_str_of(line);
    return line ? EH_STATUS_OK : EH_NOMEM(l->err);
}

static void judge_base_health(landing *l) {
    http_base *b = l->base;
    bool failed = l->status == 0 || l->status >= 500;
    b->n_failures = failed ? b->n_failures + 1 : 0;
    if (!failed) return;
    int doublings = b->n_failures < 6 ? b->n_failures - 1 : 6;
    b->avoid_until_ns = l->now_ns + (AVOID_FIRST_NS << doublings);
}

static bool has_sent(const judge_request_body *body, eh_str name) {
    for (size_t i = 0; i < body->n_sent; i++)
        if (eh_str_eq(body->sent[i].name, name)) return true;
    return false;
}

static eh_status decode(landing *l, http_wire *w) {
    http_judge *h = l->h;
    judge_header headers[HTTP_MAX_HEADERS];
    judge_answer answer;
    judge_asked asked = {.n_samples = l->ask->n_samples,
                         .sent = w->body.sent,
                         .n_sent = w->body.n_sent,
                         .schema = w->body.schema,
                         .estimated_prompt_tokens = http_ask_tokens_low(l->ask),
                         .secrets = h->auth.secrets,
                         .n_secrets = h->auth.n_secrets,
                         .host = l->base->where.host,
                         .now_ms = clock_now_ms(&h->clock)};
    l->schema = w->body.schema;
    l->asked_logprobs = has_sent(&w->body, EH_STR("logprobs"));
    http_wire_answer(w, l->code, headers, &answer);
    l->status = answer.status;
    pace_learn(&l->base->p, &answer, l->now_ns, asked.now_ms, l->base->n_in_flight);
    EH_TRY(judge_decode(h->codec, &answer, &asked, h->net.reader, &l->result->arena,
                        &l->action, l->err));
    if (!arena_copy(&l->result->arena, w->body.effective, &l->effective) ||
        !arena_copy(&l->result->arena, l->action.param, &l->action.param))
        return EH_NOMEM(l->err);
    return explain(l, w);
}

/* Whether the endpoint may have done the work, and its answer did not arrive. */
static bool is_lost(const landing *l, const http_wire *w) {
    bool answered = l->status != 0 && l->status / 100 != 2;
    return l->action.kind == JUDGE_ACTION_RETRY && !answered && w->n_sent > 0;
}

static void count_requests(const landing *l, const http_wire *w) {
    http_ask *ask = l->ask;
    int n_resent = w->n_sent > 1 ? w->n_sent - 1 : 0;
    bool has_status = l->status && l->status / 100 != 2;
    int outcome = has_status ? l->status : (int)l->action.fault;
    ask->n_attempts += 1 + n_resent;
    ask->n_lost += n_resent + is_lost(l, w);
    judge_tally_add(&ask->requests, outcome, 1);
    if (n_resent) judge_tally_add(&ask->requests, JUDGE_FAULT_RESENT, n_resent);
}

/* What was really used corrects what was reserved. */
static void settle_tokens(const landing *l, double reserved) {
    const judge_usage *u = &l->action.usage;
    if (u->prompt_tokens < 0 || u->completion_tokens < 0) return;
    double used = (double)u->prompt_tokens + (double)u->completion_tokens;
    pace_bucket_take(&l->h->net.tpm, l->now_ns, used - reserved);
}

eh_status http_land(http_judge *h, http_wire *w, CURLcode code, eh_error *err) {
    http_result *result = http_result_new(h);
    if (!result) return EH_NOMEM(err);
    landing l = {.h = h,
                 .ask = w->ask,
                 .base = &h->bases[w->base],
                 .result = result,
                 .code = code,
                 .now_ns = clock_mono_ns(&h->clock),
                 .begun_ns = w->begun_ns,
                 .err = err};
    l.latency_ms = (l.now_ns - l.begun_ns) / 1000000;
    l.base->n_in_flight--;
    l.base->heard_ns = l.now_ns;
    eh_status status = decode(&l, w);
    double reserved = w->tokens;
    count_requests(&l, w);
    http_wire_end(w);
    judge_base_health(&l);
    settle_tokens(&l, reserved);
    if (status == EH_STATUS_OK) status = land_action(&l);
    http_ask_free(h, l.ask);
    http_result_release(result, &h->net.results);
    return status;
}
