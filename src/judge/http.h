/* SPDX-License-Identifier: MIT
 *
 * The HTTP transport, inside: judges and embedders at endpoints.
 *
 *   caller's thread                      network thread (http_net.c)
 *   submit: prompt -> inbox  --wakeup--> asks: ready, waiting, on the wire
 * (http_wire.c) poll:   done   <- signal ----------  replies, one sample at a time
 *
 * The lock guards inbox, done list and what stands beside them, and nothing else: what
 * the network thread works on is its own, and the judge's settings do not change once
 * the thread runs.
 *
 * Prompts are made by the caller and freed by the network thread, results the other way
 * round. That is slow work for an allocator, so they go back with the lists and are
 * used again, unless they are large.
 */
#ifndef EH_JUDGE_HTTP_H
#define EH_JUDGE_HTTP_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/buf.h"
#include "codec/endpoint.h"
#include "judge/judge.h"
#include "judge/http_auth.h"
#include "judge/http_sockets.h"
#include "judge/pace.h"
#include "judge/turns.h"

enum { HTTP_MAX_SAMPLES = 64, HTTP_MAX_HEADERS = 48 };

/* What was used and will be used again; the first member of what it is for. */
typedef struct http_spare http_spare;
struct http_spare {
    http_spare *next;
};
typedef struct http_spares {
    http_spare *first, *last;
} http_spares;

/* What is estimated for a text that is to be embedded. */
typedef struct http_input {
    int64_t tokens_low, tokens_high;
} http_input;

/* A request of the caller, copied: its messages, and how they are asked. */
typedef struct http_prompt http_prompt;
struct http_prompt {
    http_spare spare;
    eh_arena arena;
    http_prompt *next; /* in the inbox */
    int n_refs;        /* asks that use it; the network thread's */
    uint64_t ticket, serial;
    judge_call call; /* without samples and seed */
    int samples[HTTP_MAX_SAMPLES];
    int n_samples;
    int64_t tokens_low, tokens_high; /* estimates for the prompt */
    http_input *inputs;              /* embedders: estimates for each text */
};

/* Some samples of a prompt that are asked in one request. */
typedef struct http_ask http_ask;
struct http_ask {
    http_ask *next;
    http_prompt *prompt;
    int samples[HTTP_MAX_SAMPLES];
    int n_samples;
    int n_attempts, n_retries;
    int n_lost;           /* attempts that may have been billed for nothing */
    judge_tally requests; /* that no reply has told of yet */
    bool one_by_one;      /* several samples in a request were refused for no reason */
    bool no_compression;  /* an answer could not be decoded */
    int64_t due_ns;       /* while it waits */
};

/* What one answer was decoded to: strings that several replies share, and the replies.
 */
typedef struct http_result http_result;
struct http_result {
    http_spare spare;
    eh_arena arena;
    atomic_int n_refs;
};

typedef struct http_done http_done;
struct http_done { /* in the result's arena */
    http_done *next;
    http_result *result;
    judge_reply reply;
};

/* A base URL and how it fares. */
typedef struct http_base {
    endpoint where;
    pace p;
    int n_in_flight;
    int64_t avoid_until_ns; /* it failed; others are asked meanwhile */
    int n_failures;         /* in a row */
    int64_t n_turns;        /* turns.h */
    int64_t heard_ns;       /* of its last answer, or when it was asked for the first */
} http_base;

/* One transfer: a curl handle with its buffers, used again and again. */
typedef struct http_wire http_wire;
struct http_wire {
    struct http_judge *judge;
    CURL *easy;
    const char *url;        /* it is set to go to; NULL: nowhere yet */
    bool compressed;        /* answers may be */
    http_wire *next, *prev; /* in the list of free or of busy ones; prev: busy only */
    http_ask *ask;
    int weight; /* of the ask when it was sent */
    size_t base;
    eh_arena arena; /* the body that is sent */
    judge_request_body body;
    int n_sent;       /* requests: libcurl may repeat one on a new connection */
    int64_t up_bytes; /* of the body, when that was last looked at */
    eh_buf reply;
    eh_buf header_text;
    size_t header_ends[2 * HTTP_MAX_HEADERS]; /* of name and value in header_text */
    size_t n_headers;
    char curl_text[CURL_ERROR_SIZE];
    int64_t begun_ns, last_byte_ns;
    judge_fault fault; /* why we ended it ourselves */
    double tokens;     /* taken from the buckets */
};

typedef struct http_queue {
    http_ask *first, *last;
} http_queue;

/* What only the network thread touches. */
typedef struct http_net {
    http_sockets sockets;
    json_reader *reader;
    capability can;
    http_queue ready;
    http_ask *waiting; /* unordered */
    http_wire *busy, *idle;
    int n_busy;
    int n_flying;                          /* weight of the busy ones */
    http_done *landed_first, *landed_last; /* not handed over yet */
    http_spares old_prompts;               /* to go back to the caller */
    http_spares results;                   /* to be used again */
    size_t next_base;
    pace_bucket rpm, tpm;
    int64_t n_requests;
    bool has_succeeded; /* the canary came home */
    bool is_stopping;
    int n_given_up; /* calls in a row */
    int n_alike;    /* requests in a row whose choices were all the same */
    bool warned_surplus, warned_alike, warned_logprobs;
    int64_t next_look_ns; /* for the limits of time */
} http_net;

typedef struct http_judge {
    judge base;
    const judge_codec *codec;
    eh_clock clock;
    eh_arena arena; /* id, model, URLs, extra members */
    int64_t seed;
    int concurrency, max_retries;
    int64_t total_ns, idle_ns;
    const judge_extra *extras;
    size_t n_extras;
    char *cacert;
    http_auth auth;
    http_base bases[ENDPOINT_MAX];
    size_t n_bases;

    pthread_t thread;
    bool has_thread;
    pthread_mutex_t lock;
    pthread_cond_t has_done;
    http_prompt *inbox_first, *inbox_last;
    http_done *done_first, *done_last;
    http_spares old_prompts, old_results; /* on their way to be used again */
    bool is_waiting;                      /* the caller, for something done */
    bool is_polling;    /* the network thread, and nobody has woken it yet */
    bool halted;        /* nothing more is to be sent */
    bool quit, is_dead; /* is_dead: the network thread gave up, see fatal */
    eh_error fatal;

    /* the caller's: */
    http_done *taken;         /* from the done list, to be handed out */
    http_done *handed_out;    /* until the next poll */
    http_spares prompts;      /* to be used again */
    http_spares done_results; /* to go back to the network thread */
    int64_t n_open;           /* samples that have not come back */
    uint64_t n_prompts;
    http_net net;
} http_judge;

/* ---- http.c ---- */

/* Makes a reply ready to be handed over; takes a reference of `result`. */
EH_MUST_USE eh_status http_done_push(http_judge *h, http_result *result,
                                     const judge_reply *reply, eh_error *err);
/* Hands over what is ready, in one go. */
void http_done_flush(http_judge *h);
/* A result with one reference. */
http_result *http_result_new(http_judge *h);
/* Gives a reference back; the last one makes it one of the old ones. */
void http_result_release(http_result *result, http_spares *old);
/* Makes it one of the old ones, or frees it. */
void http_prompt_release(http_prompt *prompt, http_spares *old);

/* All of them, behind the others there. */
void http_spares_move(http_spares *from, http_spares *to);

/* ---- http_net.c ---- */

/* The network thread; `self` is an http_judge. */
void *http_net_main(void *self);

/* An ask for some samples of a prompt, which it holds until http_ask_free. */
http_ask *http_ask_new(http_prompt *prompt, const int *samples, int n_samples);
void http_ask_free(http_judge *h, http_ask *ask);

/* Next in line, or to be taken up again at ask->due_ns. */
void http_net_put_front(http_judge *h, http_ask *ask);
void http_net_put_waiting(http_judge *h, http_ask *ask);

/* Tokens that an ask may use at most, for limits; and those that its prompt has at
 * least. */
double http_ask_tokens(const http_ask *ask);
int64_t http_ask_tokens_low(const http_ask *ask);
/* What it counts against --concurrency: each sample, or a list of texts as one. */
int http_ask_weight(const http_judge *h, const http_ask *ask);

/* ---- http_land.c ---- */

/* Does what the answer of a finished transfer asks for, and frees the transfer. */
EH_MUST_USE eh_status http_land(http_judge *h, http_wire *wire, CURLcode code,
                                eh_error *err);

/* Ends an ask that is not on the wire, since the run stops, and frees it. */
EH_MUST_USE eh_status http_land_unsent(http_judge *h, http_ask *ask, eh_error *err);

/* ---- http_wire.c ---- */

/* A free transfer, or a new one. */
EH_MUST_USE eh_status http_wire_take(http_judge *h, http_wire **wire, eh_error *err);

/* Begins an ask on a base. */
EH_MUST_USE eh_status http_wire_begin(http_wire *wire, http_ask *ask, size_t base,
                                      eh_error *err);

/* Whether no byte went or came for so long; to be asked now and then. */
bool http_wire_is_idle(http_wire *wire, int64_t now_ns, int64_t limit_ns);

/* What came: fills the answer from the transfer. Headers in `headers`. */
void http_wire_answer(const http_wire *wire, CURLcode code,
                      judge_header headers[HTTP_MAX_HEADERS], judge_answer *answer);

/* A failure that no repeat mends: certificates, a URL that curl does not take. */
bool http_wire_is_hopeless(CURLcode code);

/* Off the wire and into the list of free ones. */
void http_wire_end(http_wire *wire);
void http_wire_free(http_wire *wire);

#endif
