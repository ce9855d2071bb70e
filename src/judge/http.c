/* SPDX-License-Identifier: MIT
 *
 * The backends `openai` and `anthropic`, and embedders: the caller's side of the
 * transport.
 *
 * Opening reads options and keys and sends nothing, so a dry run opens too. The network
 * thread begins with the first submit. Submit copies the messages, since a caller that
 * gives up (a second Ctrl-C) frees its own while transfers still run.
 *
 * Left out: everything that happens on the wire (http_net.c, http_wire.c), and what
 * bytes mean (codec.h).
 */
#include "judge/http.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/log.h"
#include "base/mem.h"
#include "judge/extra_body.h"
#include "codec/usage.h"

enum {
    ARENA_MAX_BYTES = 16 << 20,
    ANSWER_MAX_BYTES = 1 << 30,
    SPARE_MAX_BYTES = 64 << 10, /* what was used for more is not kept */
    EXTRA_OPEN_SAMPLES = 128,
    MAX_OPEN_TEXTS = 1 << 16
};

static pthread_once_t curl_once = PTHREAD_ONCE_INIT;

static void curl_begin(void) {
    (void)curl_global_init(CURL_GLOBAL_DEFAULT);
}

/* ---- lists between the threads ---- */

static void spares_add(http_spares *list, http_spare *spare) {
    spare->next = list->first;
    list->first = spare;
    if (!list->last) list->last = spare;
}

static http_spare *spares_take(http_spares *list) {
    http_spare *spare = list->first;
    if (spare) list->first = spare->next;
    if (!list->first) list->last = NULL;
    return spare;
}

void http_spares_move(http_spares *from, http_spares *to) {
    if (!from->first) return;
    if (to->last)
        to->last->next = from->first;
    else
        to->first = from->first;
    to->last = from->last;
    *from = (http_spares){0};
}

static void prompt_free(http_prompt *prompt) {
    arena_deinit(&prompt->arena);
    mem_free(prompt);
}

void http_prompt_release(http_prompt *prompt, http_spares *old) {
    if (prompt->arena.used_bytes > SPARE_MAX_BYTES)
        prompt_free(prompt);
    else
        spares_add(old, &prompt->spare);
}

static void result_free(http_result *result) {
    arena_deinit(&result->arena);
    mem_free(result);
}

http_result *http_result_new(http_judge *h) {
    http_result *result = (http_result *)spares_take(&h->net.results);
    if (result) {
        arena_reset(&result->arena);
    } else {
        result = mem_zalloc(1, sizeof *result);
        if (!result) return NULL;
        arena_init(&result->arena, ANSWER_MAX_BYTES);
    }
    atomic_init(&result->n_refs, 1);
    return result;
}

void http_result_release(http_result *result, http_spares *old) {
    if (atomic_fetch_sub(&result->n_refs, 1) > 1) return;
    if (result->arena.used_bytes > SPARE_MAX_BYTES)
        result_free(result);
    else
        spares_add(old, &result->spare);
}

eh_status http_done_push(http_judge *h, http_result *result, const judge_reply *reply,
                         eh_error *err) {
    http_done *done = arena_zalloc(&result->arena, 1, sizeof *done);
    if (!done) return EH_NOMEM(err);
    (void)atomic_fetch_add(&result->n_refs, 1);
    *done = (http_done){.result = result, .reply = *reply};
    if (h->net.landed_last)
        h->net.landed_last->next = done;
    else
        h->net.landed_first = done;
    h->net.landed_last = done;
    return EH_STATUS_OK;
}

/* Under one lock and with one signal, and that only where somebody waits for it. */
void http_done_flush(http_judge *h) {
    http_net *net = &h->net;
    if (!net->landed_first) return;
    (void)pthread_mutex_lock(&h->lock);
    if (h->done_last)
        h->done_last->next = net->landed_first;
    else
        h->done_first = net->landed_first;
    h->done_last = net->landed_last;
    bool is_waiting = h->is_waiting;
    (void)pthread_mutex_unlock(&h->lock);
    net->landed_first = net->landed_last = NULL;
    if (is_waiting) (void)pthread_cond_signal(&h->has_done);
}

/* ---- opening ---- */

static eh_status check_cacert(http_judge *h, eh_str path, eh_error *err) {
    if (path.len == 0) return EH_STATUS_OK;
    h->cacert = arena_dup(&h->arena, path);
    if (!h->cacert) return EH_NOMEM(err);
    if (access(h->cacert, R_OK) != 0)
        return EH_FAIL(err, EH_STATUS_USAGE, "--cacert: %s: %s", h->cacert,
                       strerror(errno));
    return EH_STATUS_OK;
}

static eh_status read_bases(http_judge *h, eh_str list, eh_error *err) {
    endpoint found[ENDPOINT_MAX];
    EH_TRY(endpoint_read_list(h->codec, list, &h->arena, found, &h->n_bases, err));
    for (size_t i = 0; i < h->n_bases; i++) {
        h->bases[i] = (http_base){.where = found[i], .p = pace_make(h->concurrency)};
        if (found[i].is_plain_http && h->auth.n_secrets)
            log_line(EH_LOG_WARNING,
                     "the key goes to %.*s without encryption; use https",
                     EH_STR_ARG(found[i].host));
    }
    return EH_STATUS_OK;
}

static size_t bases_of(const http_judge *h, endpoint found[ENDPOINT_MAX]) {
    for (size_t i = 0; i < h->n_bases; i++)
        found[i] = h->bases[i].where;
    return h->n_bases;
}

/* What is known of the first address, and then what the user says of any of them. */
static eh_status find_capability(http_judge *h, const capability_rules *rules,
                                 eh_error *err) {
    endpoint found[ENDPOINT_MAX] = {{.url = {NULL, 0}}};
    capability_whose whose = {.codec = h->codec,
                              .bases = found,
                              .n_bases = bases_of(h, found),
                              .model = h->base.model};
    if (h->codec->is_list) {
        h->net.can = capability_of_list();
        return EH_STATUS_OK;
    }
    h->net.can = capability_of(eh_str_of(h->codec->name), found[0].host, h->base.model);
    return capability_rules_apply(rules, &whose, &h->arena, &h->net.can, err);
}

static eh_status name_judge(http_judge *h, eh_str wanted, eh_error *err) {
    endpoint found[ENDPOINT_MAX];
    size_t n = bases_of(h, found);
    if (wanted.len == 0)
        return endpoint_judge_id(h->codec, h->base.model, found, n, &h->arena,
                                 &h->base.id, err);
    for (size_t i = 0; i < wanted.len; i++)
        if ((unsigned char)wanted.ptr[i] < ' ' || wanted.len > 200)
            return EH_FAIL(
                err, EH_STATUS_USAGE,
                "--judge-id: a name of at most 200 bytes on one line is needed");
    return arena_copy(&h->arena, wanted, &h->base.id) ? EH_STATUS_OK : EH_NOMEM(err);
}

static eh_status set_up(http_judge *h, const judge_open_args *args,
                        const judge_http_options *o, eh_error *err) {
    extra_body extra;
    if (args->spec.len == 0)
        return EH_FAIL(err, EH_STATUS_USAGE, "judge %s needs a model: %s",
                       h->codec->name, h->codec->form);
    if (!arena_copy(&h->arena, args->spec, &h->base.model)) return EH_NOMEM(err);
    EH_TRY(http_auth_init(&h->auth, h->codec, o, err));
    EH_TRY(read_bases(h, o->base_urls, err));
    EH_TRY(name_judge(h, o->judge_id, err));
    EH_TRY(check_cacert(h, o->cacert, err));
    EH_TRY(extra_body_read(o->extra_body, &h->arena, &extra, err));
    h->extras = extra.extras;
    h->n_extras = extra.n_extras;
    h->base.extra = extra.json;
    EH_TRY(find_capability(h, &o->rules, err));
    h->net.rpm = pace_bucket_make(o->rpm);
    h->net.tpm = pace_bucket_make(o->tpm);
    return EH_STATUS_OK;
}

static void http_close(judge *j);

static eh_status http_open(const judge_codec *codec, const judge_backend *backend,
                           const judge_open_args *args, judge **out, eh_error *err) {
    judge_http_options o = args->http ? *args->http : JUDGE_HTTP_DEFAULTS;
    pthread_condattr_t monotonic;
    http_judge *h = mem_zalloc(1, sizeof *h);
    if (!h) return EH_NOMEM(err);
    (void)pthread_once(&curl_once, curl_begin);
    h->base.backend = backend;
    h->base.uses_template = true;
    h->codec = codec;
    h->clock = args->clock;
    h->seed = args->seed;
    h->concurrency = args->concurrency > 0 ? args->concurrency : 1;
    h->base.n_ahead = h->concurrency; /* answers come in bursts */
    h->max_retries = o.retries;
    h->total_ns = o.timeout_ms * 1000000;
    h->idle_ns = h->total_ns / 2;
    arena_init(&h->arena, ARENA_MAX_BYTES);
    (void)pthread_mutex_init(&h->lock, NULL);
    (void)pthread_condattr_init(&monotonic);
    (void)pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&h->has_done, &monotonic);
    (void)pthread_condattr_destroy(&monotonic);
    eh_status status = set_up(h, args, &o, err);
    if (status != EH_STATUS_OK) {
        http_close(&h->base);
        return status;
    }
    *out = &h->base;
    return EH_STATUS_OK;
}

/* ---- closing ---- */

static void stop_thread(http_judge *h) {
    if (!h->has_thread) return;
    (void)pthread_mutex_lock(&h->lock);
    h->quit = true;
    (void)pthread_mutex_unlock(&h->lock);
    http_sockets_wake(&h->net.sockets);
    (void)pthread_join(h->thread, NULL);
}

static void free_inbox(http_judge *h) {
    while (h->inbox_first) {
        http_prompt *next = h->inbox_first->next;
        prompt_free(h->inbox_first);
        h->inbox_first = next;
    }
}

static void free_spares(http_judge *h) {
    http_spare *spare;
    http_spares_move(&h->net.old_prompts, &h->prompts);
    http_spares_move(&h->old_prompts, &h->prompts);
    http_spares_move(&h->old_results, &h->done_results);
    http_spares_move(&h->net.results, &h->done_results);
    while ((spare = spares_take(&h->prompts)))
        prompt_free((http_prompt *)spare);
    while ((spare = spares_take(&h->done_results)))
        result_free((http_result *)spare);
}

static void free_done(http_judge *h, http_done *list) {
    while (list) {
        http_done *next = list->next;
        http_result_release(list->result, &h->done_results);
        list = next;
    }
}

static void http_close(judge *j) {
    http_judge *h = (http_judge *)j;
    stop_thread(h);
    http_done_flush(h);
    free_done(h, h->done_first);
    free_done(h, h->taken);
    free_done(h, h->handed_out);
    free_inbox(h);
    free_spares(h);
    http_sockets_deinit(&h->net.sockets);
    json_reader_free(h->net.reader);
    http_auth_deinit(&h->auth);
    arena_deinit(&h->arena);
    (void)pthread_cond_destroy(&h->has_done);
    (void)pthread_mutex_destroy(&h->lock);
    mem_free(h);
}

/* ---- asking ---- */

/* Signals are the caller's business: they interrupt its waits, not transfers. */
static eh_status start_thread(http_judge *h, eh_error *err) {
    sigset_t all, old;
    EH_TRY(http_sockets_init(&h->net.sockets, h->concurrency + 8, h->clock, err));
    h->net.reader = json_reader_new();
    if (!h->net.reader) {
        http_sockets_deinit(&h->net.sockets);
        return EH_NOMEM(err);
    }
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &old);
    int failed = pthread_create(&h->thread, NULL, http_net_main, h);
    (void)pthread_sigmask(SIG_SETMASK, &old, NULL);
    if (failed)
        return EH_FAIL(err, EH_STATUS_NOMEM, "no thread for the network: %s",
                       strerror(failed));
    h->has_thread = true;
    return EH_STATUS_OK;
}

/* The vendors want a key; better said at once than by a 401. */
static eh_status check_key(const http_judge *h, eh_error *err) {
    eh_str vendor = eh_str_of(strstr(h->codec->base_url, "://") + 3);
    if (h->auth.n_secrets || !eh_str_eq(h->bases[0].where.base, vendor))
        return EH_STATUS_OK;
    return EH_FAIL(err, EH_STATUS_ENDPOINT,
                   "%.*s: no key; set %s, or use --key-env or --key-file",
                   EH_STR_ARG(h->base.id), h->codec->key_variable);
}

static bool copy_messages(http_prompt *p, const judge_request *r) {
    prompt_message *copy = arena_zalloc(&p->arena, r->n_messages + 1, sizeof *copy);
    for (size_t i = 0; copy && i < r->n_messages; i++) {
        if (!arena_copy(&p->arena, r->messages[i].role, &copy[i].role) ||
            !arena_copy(&p->arena, r->messages[i].content, &copy[i].content))
            return false;
        p->tokens_low += usage_estimate_low(copy[i].content);
        p->tokens_high += usage_estimate_high(copy[i].content);
    }
    p->call.messages = copy;
    p->call.n_messages = r->n_messages;
    return copy != NULL;
}

static bool copy_inputs(http_prompt *p, const judge_request *r) {
    eh_str *copy = arena_zalloc(&p->arena, r->n_inputs + 1, sizeof *copy);
    p->inputs = arena_zalloc(&p->arena, r->n_inputs + 1, sizeof *p->inputs);
    if (!copy || !p->inputs) return false;
    for (size_t i = 0; i < r->n_inputs; i++) {
        if (!arena_copy(&p->arena, r->inputs[i], &copy[i])) return false;
        p->inputs[i] =
            (http_input){usage_estimate_low(copy[i]), usage_estimate_high(copy[i])};
    }
    p->call.inputs = copy;
    return true;
}

/* A spare one, emptied, or a new one. */
static http_prompt *prompt_take(http_judge *h) {
    http_prompt *p = (http_prompt *)spares_take(&h->prompts);
    eh_arena arena;
    if (p) {
        arena_reset(&p->arena);
        arena = p->arena;
    } else {
        p = mem_alloc(1, sizeof *p);
        if (!p) return NULL;
        arena_init(&arena, BUF_MAX_PROMPT);
    }
    *p = (http_prompt){.arena = arena};
    return p;
}

/* An endpoint that honours seeds would give the placebo the replies of the main stream
 * once more, and then it would measure nothing: its samples get seeds of their own. */
static int64_t seed_of(const judge_request *r) {
    const int64_t apart = 1000000; /* more than a prompt has samples; fits 32 bits */
    int64_t seed = r->params.request_seed;
    if (seed < 0 || r->stream != JUDGE_STREAM_PLACEBO) return seed;
    return seed > INT64_MAX - apart ? seed - apart : seed + apart;
}

static http_prompt *prompt_new(http_judge *h, const judge_request *r) {
    http_prompt *p = prompt_take(h);
    if (!p) return NULL;
    p->ticket = r->ticket;
    p->serial = h->n_prompts;
    p->call.model = h->base.model;
    p->call.params = r->params;
    p->call.params.request_seed = seed_of(r);
    p->call.wants_json = r->shown.form == VERDICT_FORM_JSON;
    p->call.verdict_first = !r->shown.evidence_first;
    p->call.extras = h->extras;
    p->call.n_extras = h->n_extras;
    p->n_samples = r->n_samples;
    memcpy(p->samples, r->samples, (size_t)r->n_samples * sizeof *r->samples);
    if (h->codec->is_list ? copy_inputs(p, r) : copy_messages(p, r)) return p;
    prompt_free(p);
    return NULL;
}

static eh_status http_submit(judge *j, const judge_request *request, eh_error *err) {
    http_judge *h = (http_judge *)j;
    int n = request->n_samples;
    int64_t most = h->codec->is_list
                       ? MAX_OPEN_TEXTS
                       : (int64_t)h->concurrency + h->base.n_ahead + EXTRA_OPEN_SAMPLES;
    if (n < 1 || n > HTTP_MAX_SAMPLES || h->n_open + n > most)
        return EH_FAIL(err, EH_STATUS_USAGE, "%d samples beside %lld in flight", n,
                       (long long)h->n_open);
    EH_TRY(check_key(h, err));
    if (!h->has_thread) EH_TRY(start_thread(h, err));
    http_prompt *p = prompt_new(h, request);
    if (!p) return EH_NOMEM(err);
    h->n_open += n;
    h->n_prompts++;
    (void)pthread_mutex_lock(&h->lock);
    if (h->inbox_last)
        h->inbox_last->next = p;
    else
        h->inbox_first = p;
    h->inbox_last = p;
    bool is_polling = h->is_polling;
    h->is_polling = false; /* one call wakes it */
    (void)pthread_mutex_unlock(&h->lock);
    if (is_polling) http_sockets_wake(&h->net.sockets);
    return EH_STATUS_OK;
}

static void http_halt(judge *j) {
    http_judge *h = (http_judge *)j;
    (void)pthread_mutex_lock(&h->lock);
    h->halted = true;
    (void)pthread_mutex_unlock(&h->lock);
    if (h->has_thread) http_sockets_wake(&h->net.sockets);
}

/* Waits for the done list until the deadline; called with the lock held. */
static void wait_for_done(http_judge *h, int64_t timeout_ms) {
    eh_clock clock =
        clock_system(); /* the condition's, also where a test has its own */
    int64_t until_ns = clock_mono_ns(&clock) + timeout_ms * 1000000;
    struct timespec until = {until_ns / 1000000000, until_ns % 1000000000};
    h->is_waiting = true;
    while (!h->done_first && !h->is_dead)
        if (pthread_cond_timedwait(&h->has_done, &h->lock, &until) == ETIMEDOUT) break;
    h->is_waiting = false;
}

/* Takes all that is done, waiting for it; false when the network thread gave up. */
static bool take_done(http_judge *h, int64_t timeout_ms) {
    (void)pthread_mutex_lock(&h->lock);
    wait_for_done(h, timeout_ms);
    h->taken = h->done_first;
    h->done_first = h->done_last = NULL;
    http_spares_move(&h->old_prompts, &h->prompts);
    http_spares_move(&h->done_results, &h->old_results);
    bool is_dead = h->is_dead;
    (void)pthread_mutex_unlock(&h->lock);
    return h->taken || !is_dead;
}

static eh_status http_poll(judge *j, int64_t timeout_ms, judge_reply *reply, bool *got,
                           eh_error *err) {
    http_judge *h = (http_judge *)j;
    *got = false;
    if (h->handed_out) http_result_release(h->handed_out->result, &h->done_results);
    h->handed_out = NULL;
    if (h->n_open == 0) return EH_STATUS_OK;
    if (!h->taken && !take_done(h, timeout_ms)) {
        if (err) *err = h->fatal;
        return h->fatal.status;
    }
    http_done *done = h->taken;
    if (!done) return EH_STATUS_OK;
    h->taken = done->next;
    done->next = NULL;
    h->handed_out = done;
    h->n_open--;
    *reply = done->reply;
    *got = true;
    return EH_STATUS_OK;
}

static void http_profile(const judge *j, judge_profile *profile) {
    const http_judge *h = (const http_judge *)j;
    *profile = (judge_profile){
        .can = h->net.can, .n_addresses = h->n_bases, .n_requests = h->net.n_requests};
    for (size_t i = 0; i < h->n_bases; i++)
        profile->addresses[i] = h->bases[i].where.base;
    if (h->auth.key_place[0]) profile->key_place = eh_str_of(h->auth.key_place);
}

static eh_status openai_open(const judge_open_args *args, judge **out, eh_error *err) {
    return http_open(&judge_codec_openai, &judge_backend_openai, args, out, err);
}

static eh_status anthropic_open(const judge_open_args *args, judge **out,
                                eh_error *err) {
    return http_open(&judge_codec_anthropic, &judge_backend_anthropic, args, out, err);
}

static eh_status vectors_open(const judge_open_args *args, judge **out, eh_error *err) {
    return http_open(&judge_codec_vectors, &judge_backend_vectors, args, out, err);
}

const judge_backend judge_backend_vectors = {
    .name = "openai",
    .form = "openai:MODEL",
    .is_endpoint = true,
    .open = vectors_open,
    .close = http_close,
    .submit = http_submit,
    .poll = http_poll,
};

const judge_backend judge_backend_openai = {
    .name = "openai",
    .form = "openai:MODEL",
    .is_endpoint = true,
    .open = openai_open,
    .close = http_close,
    .submit = http_submit,
    .halt = http_halt,
    .poll = http_poll,
    .profile = http_profile,
};

const judge_backend judge_backend_anthropic = {
    .name = "anthropic",
    .form = "anthropic:MODEL",
    .is_endpoint = true,
    .open = anthropic_open,
    .close = http_close,
    .submit = http_submit,
    .halt = http_halt,
    .poll = http_poll,
    .profile = http_profile,
};
