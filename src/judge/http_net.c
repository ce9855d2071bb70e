/* SPDX-License-Identifier: MIT
 *
 * The network thread: which ask goes on the wire when, and where.
 *
 *   inbox -> ready -> on the wire -> landed (http_land.c)
 *              ^         |
 *              |         v  again after a wait
 *              +---- waiting
 *
 * The first request goes alone: it learns the key, the parameters and n before many
 * follow (the canary). Then as many go as the pace of a base URL, the limits of the
 * options and --concurrency allow. Base URLs take turns (turns.h); one that fails is
 * left alone for a while as long as there are others.
 *
 * Two limits of time are kept here, apart from curl's own for connecting: no byte for
 * too long, and not finished for too long. They are looked at every LOOK_NS, which is
 * near enough for limits of seconds.
 */
#include "judge/http.h"

#include "base/mem.h"

enum { DEFAULT_OUTPUT_TOKENS = 512, MAX_POLL_MS = 1000 };
#define LOOK_NS INT64_C(50000000)
#define NEVER_NS INT64_MAX

static int64_t now_ns(const http_judge *h) {
    return clock_mono_ns(&h->clock);
}

/* ---- asks ---- */

http_ask *http_ask_new(http_prompt *prompt, const int *samples, int n_samples) {
    http_ask *ask = mem_zalloc(1, sizeof *ask);
    if (!ask) return NULL;
    ask->prompt = prompt;
    prompt->n_refs++;
    memcpy(ask->samples, samples, (size_t)n_samples * sizeof *samples);
    ask->n_samples = n_samples;
    return ask;
}

void http_ask_free(http_judge *h, http_ask *ask) {
    if (!ask) return;
    if (--ask->prompt->n_refs == 0)
        http_prompt_release(ask->prompt, &h->net.old_prompts);
    mem_free(ask);
}

void http_net_put_front(http_judge *h, http_ask *ask) {
    http_queue *q = &h->net.ready;
    ask->next = q->first;
    q->first = ask;
    if (!q->last) q->last = ask;
}

static void put_back(http_judge *h, http_ask *ask) {
    http_queue *q = &h->net.ready;
    ask->next = NULL;
    if (q->last)
        q->last->next = ask;
    else
        q->first = ask;
    q->last = ask;
}

void http_net_put_waiting(http_judge *h, http_ask *ask) {
    ask->next = h->net.waiting;
    h->net.waiting = ask;
}

static http_ask *take_front(http_judge *h) {
    http_queue *q = &h->net.ready;
    http_ask *ask = q->first;
    if (!ask) return NULL;
    q->first = ask->next;
    if (!q->first) q->last = NULL;
    ask->next = NULL;
    return ask;
}

int64_t http_ask_tokens_low(const http_ask *ask) {
    int64_t sum = ask->prompt->tokens_low;
    for (int i = 0; ask->prompt->inputs && i < ask->n_samples; i++)
        sum += ask->prompt->inputs[ask->samples[i]].tokens_low;
    return sum;
}

int http_ask_weight(const http_judge *h, const http_ask *ask) {
    return h->codec->is_list ? 1 : ask->n_samples;
}

double http_ask_tokens(const http_ask *ask) {
    int64_t sum = 0;
    for (int i = 0; ask->prompt->inputs && i < ask->n_samples; i++)
        sum += ask->prompt->inputs[ask->samples[i]].tokens_high;
    if (ask->prompt->inputs) return (double)sum;
    int64_t limit = ask->prompt->call.params.max_tokens;
    int64_t output = limit >= 0 ? limit : DEFAULT_OUTPUT_TOKENS;
    return (double)(ask->prompt->tokens_high + output * ask->n_samples);
}

/* ---- from the caller ---- */

/* Everything new becomes an ask; *quit says that the judge is being closed. */
static eh_status take_inbox(http_judge *h, bool *quit, eh_error *err) {
    (void)pthread_mutex_lock(&h->lock);
    http_prompt *prompt = h->inbox_first;
    h->inbox_first = h->inbox_last = NULL;
    h->is_polling = false;
    http_spares_move(&h->net.old_prompts, &h->old_prompts);
    http_spares_move(&h->old_results, &h->net.results);
    *quit = h->quit;
    if (h->halted) h->net.is_stopping = true;
    (void)pthread_mutex_unlock(&h->lock);
    bool no_memory = false;
    while (prompt) {
        http_prompt *next = prompt->next;
        http_ask *ask =
            no_memory ? NULL : http_ask_new(prompt, prompt->samples, prompt->n_samples);
        if (ask)
            put_back(h, ask);
        else
            http_prompt_release(prompt, &h->net.old_prompts);
        no_memory = !ask;
        prompt = next;
    }
    return no_memory ? EH_NOMEM(err) : EH_STATUS_OK;
}

/* What has waited long enough goes in front of what has not been asked yet. */
static int64_t wake_waiting(http_judge *h) {
    int64_t now = now_ns(h), next = NEVER_NS;
    http_ask **at = &h->net.waiting;
    while (*at) {
        http_ask *ask = *at;
        if (ask->due_ns <= now || h->net.is_stopping) {
            *at = ask->next;
            http_net_put_front(h, ask);
            continue;
        }
        if (ask->due_ns < next) next = ask->due_ns;
        at = &ask->next;
    }
    return next;
}

/* ---- onto the wire ---- */

/* Samples that can go in one request: n at most, and with a seed only neighbours, since
 * choice i stands for the seed of sample i. */
static int samples_at_once(const http_judge *h, const http_ask *ask) {
    int n = ask->n_samples;
    if (ask->one_by_one) return 1;
    if (n > h->net.can.n_max) n = h->net.can.n_max;
    if (ask->prompt->call.params.request_seed < 0) return n;
    for (int i = 1; i < n; i++)
        if (ask->samples[i] != ask->samples[0] + i) return i;
    return n;
}

/* The first in line keeps the samples that go at once; the others stand behind it. */
static eh_status split_first(http_judge *h, eh_error *err) {
    http_ask *ask = h->net.ready.first;
    int n = samples_at_once(h, ask);
    if (n == ask->n_samples) return EH_STATUS_OK;
    http_ask *rest = http_ask_new(ask->prompt, ask->samples + n, ask->n_samples - n);
    if (!rest) return EH_NOMEM(err);
    rest->n_retries = ask->n_retries;
    rest->no_compression = ask->no_compression;
    rest->one_by_one = ask->one_by_one;
    ask->n_samples = n;
    rest->next = ask->next;
    ask->next = rest;
    if (h->net.ready.last == ask) h->net.ready.last = rest;
    return EH_STATUS_OK;
}

static int64_t longer(int64_t a, int64_t b) {
    return a > b ? a : b;
}

/* The base URLs as turns_next wants to see them. */
static void seats_now(const http_judge *h, double tokens,
                      turns_seat seats[ENDPOINT_MAX]) {
    int64_t now = now_ns(h);
    for (size_t i = 0; i < h->n_bases; i++) {
        const http_base *b = &h->bases[i];
        int64_t wait = pace_wait_ns(&b->p, now, b->n_in_flight, tokens);
        int64_t avoid = h->n_bases > 1 ? b->avoid_until_ns - now : 0;
        if (wait != PACE_WINDOW_FULL || avoid > 0)
            wait = longer(longer(wait, avoid), 0);
        seats[i] = (turns_seat){.n_turns = b->n_turns,
                                .wait_ns = wait == PACE_WINDOW_FULL ? TURNS_FULL : wait,
                                .quiet_ns = now - b->heard_ns};
    }
}

/* How long until an ask of that size may go; 0 = now, to *base. */
static int64_t wait_for_base(http_judge *h, double tokens, size_t *base) {
    turns_seat seats[ENDPOINT_MAX];
    int64_t wait;
    seats_now(h, tokens, seats);
    *base = turns_next(seats, h->n_bases, h->net.next_base, &wait);
    if (*base == h->n_bases) return wait;
    int64_t now = now_ns(h);
    wait = longer(pace_bucket_wait_ns(&h->net.rpm, now, 1),
                  pace_bucket_wait_ns(&h->net.tpm, now, tokens));
    if (wait > 0) return wait;
    turns_take(seats, h->n_bases, *base);
    for (size_t i = 0; i < h->n_bases; i++)
        h->bases[i].n_turns = seats[i].n_turns;
    return 0;
}

static eh_status begin(http_judge *h, http_ask *ask, size_t base, eh_error *err) {
    http_net *net = &h->net;
    http_wire *wire;
    double tokens = http_ask_tokens(ask);
    int64_t now = now_ns(h);
    eh_status status = http_wire_take(h, &wire, err);
    if (status == EH_STATUS_OK) status = http_wire_begin(wire, ask, base, err);
    if (status != EH_STATUS_OK) {
        http_wire_free(wire);
        http_ask_free(h, ask);
        return status;
    }
    wire->tokens = tokens;
    pace_bucket_take(&net->rpm, now, 1);
    pace_bucket_take(&net->tpm, now, tokens);
    pace_sent(&h->bases[base].p, now, tokens);
    if (h->bases[base].n_in_flight++ == 0) h->bases[base].heard_ns = now;
    net->n_requests++;
    net->next_base = (base + 1) % h->n_bases;
    return EH_STATUS_OK;
}

/* Sends what may be sent. *next_ns: when to try again, if it is time that is lacking.
 */
static eh_status send_ready(http_judge *h, int64_t *next_ns, eh_error *err) {
    http_net *net = &h->net;
    while (net->ready.first) {
        if (net->is_stopping) {
            EH_TRY(http_land_unsent(h, take_front(h), err));
            continue;
        }
        if (!net->has_succeeded && (net->n_busy > 0 || net->waiting)) break;
        if (net->n_busy >= h->concurrency) break;
        EH_TRY(split_first(h, err));
        if (net->n_busy > 0 &&
            net->n_flying + http_ask_weight(h, net->ready.first) > h->concurrency)
            break;
        size_t base = 0;
        int64_t wait = wait_for_base(h, http_ask_tokens(net->ready.first), &base);
        if (wait == TURNS_ON_ANSWER) break;
        if (wait > 0) {
            int64_t at = now_ns(h) + wait;
            if (at < *next_ns) *next_ns = at;
            break;
        }
        EH_TRY(begin(h, take_front(h), base, err));
    }
    return EH_STATUS_OK;
}

/* ---- off the wire ---- */

static eh_status land_finished(http_judge *h, eh_error *err) {
    CURLMsg *m;
    int left;
    while ((m = curl_multi_info_read(h->net.sockets.multi, &left)) != NULL) {
        if (m->msg != CURLMSG_DONE) continue;
        char *wire = NULL;
        CURLcode code = m->data.result;
        (void)curl_easy_getinfo(m->easy_handle, CURLINFO_PRIVATE, &wire);
        EH_TRY(http_land(h, (http_wire *)(void *)wire, code, err));
    }
    return EH_STATUS_OK;
}

static eh_status end_overdue(http_judge *h, eh_error *err) {
    int64_t now = now_ns(h);
    if (now < h->net.next_look_ns) return EH_STATUS_OK;
    h->net.next_look_ns = now + LOOK_NS;
    http_wire *next;
    for (http_wire *w = h->net.busy; w; w = next) {
        next = w->next;
        if (now - w->begun_ns > h->total_ns)
            w->fault = JUDGE_FAULT_TOTAL;
        else if (http_wire_is_idle(w, now, h->idle_ns))
            w->fault = JUDGE_FAULT_IDLE;
        else
            continue;
        EH_TRY(http_land(h, w, CURLE_OPERATION_TIMEDOUT, err));
    }
    return EH_STATUS_OK;
}

static int poll_ms(http_judge *h, int64_t next_ns) {
    int64_t now = now_ns(h);
    if (h->net.n_busy && h->net.next_look_ns < next_ns) next_ns = h->net.next_look_ns;
    if (next_ns == NEVER_NS) return MAX_POLL_MS;
    int64_t ms = (next_ns - now + 999999) / 1000000;
    return ms < 0 ? 0 : ms > MAX_POLL_MS ? MAX_POLL_MS : (int)ms;
}

/* Whether there is nothing new from the caller, who is asked to wake us then. */
static bool may_sleep(http_judge *h) {
    (void)pthread_mutex_lock(&h->lock);
    h->is_polling = !h->inbox_first && !h->quit && (!h->halted || h->net.is_stopping);
    bool may = h->is_polling;
    (void)pthread_mutex_unlock(&h->lock);
    return may;
}

/* What lands may make room or come again, so it goes before sending. */
static eh_status loop(http_judge *h, eh_error *err) {
    for (;;) {
        bool quit;
        EH_TRY(take_inbox(h, &quit, err));
        if (quit) return EH_STATUS_OK;
        EH_TRY(land_finished(h, err));
        EH_TRY(end_overdue(h, err));
        int64_t next_ns = wake_waiting(h);
        EH_TRY(send_ready(h, &next_ns, err));
        http_done_flush(h);
        int wait_ms = may_sleep(h) ? poll_ms(h, next_ns) : 0;
        EH_TRY(http_sockets_run(&h->net.sockets, h->net.n_busy, wait_ms, err));
    }
}

static void free_all(http_judge *h) {
    http_net *net = &h->net;
    while (net->busy) {
        http_ask_free(h, net->busy->ask);
        http_wire_end(net->busy);
    }
    while (net->idle) {
        http_wire *next = net->idle->next;
        http_wire_free(net->idle);
        net->idle = next;
    }
    for (http_ask *ask = take_front(h); ask; ask = take_front(h))
        http_ask_free(h, ask);
    while (net->waiting) {
        http_ask *next = net->waiting->next;
        http_ask_free(h, net->waiting);
        net->waiting = next;
    }
}

void *http_net_main(void *self) {
    http_judge *h = self;
    eh_error err = {0};
    eh_status status = loop(h, &err);
    free_all(h);
    (void)pthread_mutex_lock(&h->lock);
    if (status != EH_STATUS_OK) {
        h->fatal = err;
        h->is_dead = true;
    }
    (void)pthread_cond_signal(&h->has_done);
    (void)pthread_mutex_unlock(&h->lock);
    return NULL;
}
