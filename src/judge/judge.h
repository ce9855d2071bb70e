/* SPDX-License-Identifier: MIT
 *
 * Judges: one table for everything that can answer a prompt.
 *
 * A backend takes requests and hands back replies, one sample at a time, in any order:
 *
 *   judge_submit(j, request)      copies nothing: the request lives until its last
 *                                 sample has come back
 *   judge_poll(j, timeout, &r)    the next reply, if there is one in time
 *
 * Backends that answer in the process (sim, replay, baselines) fill the small table of
 * judge_local.h instead; endpoints are a pure codec beside one HTTP transport. A judge
 * belongs to one thread; what threads it uses inside are its own.
 */
#ifndef EH_JUDGE_JUDGE_H
#define EH_JUDGE_JUDGE_H

#include "base/clock.h"
#include "base/json_read.h"
#include "codec/capability_rules.h"
#include "codec/codec.h"
#include "prompt/render.h"
#include "verdict/verdict.h"

/* The texts and facts as shown, for backends that do not read prompts. Qualities are
 * NaN where the data has none. */
typedef struct judge_shown {
    eh_str pair_id;
    eh_order order;
    eh_str question, first, second, reference;
    double quality_first, quality_second;
    eh_str model_first, model_second; /* who wrote them; absent where nobody is named */
    /* In an audit, of an answer that was perturbed: judge_text_id of the answer that it
     * was made from (0: it is no perturbed one), and whether it was made worse. */
    int64_t origin_first, origin_second;
    bool worse_first, worse_second;
    verdict_form_kind form;
    bool evidence_first;
    int n_parts; /* the answers are shown in parts, side by side; 0 and 1: whole */
    /* How far apart matching content stands in the prompt, in code points on average:
     * the mean length of the answers where they are whole (run/ask.c has the rule). */
    double distance_cp;
} judge_shown;

enum { JUDGE_STREAM_PLACEBO = 1 };

typedef struct judge_request {
    uint64_t ticket; /* the caller's; comes back with each reply */
    const prompt_message *messages;
    size_t n_messages;
    judge_params params;
    const int *samples; /* [n_samples] sample indexes to answer */
    int n_samples;
    int stream; /* 0 main, 1 placebo, 2 drift: other samples of the same prompt */
    judge_shown shown;
    /* For embedders, instead of messages: texts, of which `samples` are asked for. */
    const eh_str *inputs; /* [n_inputs] */
    size_t n_inputs;
} judge_request;

typedef enum judge_outcome {
    JUDGE_OUTCOME_REPLY,    /* a text: `reply` is to be read */
    JUDGE_OUTCOME_RECORDED, /* a verdict that was read elsewhere: `recorded` holds */
    JUDGE_OUTCOME_FAILED,   /* final without a text: recorded.reason says why */
    /* without a result: */
    JUDGE_OUTCOME_NO_RESULT, /* nothing came; to be asked again by a later run */
    JUDGE_OUTCOME_NOT_SENT,  /* never sent, since the run had to stop */
    JUDGE_OUTCOME_STOP       /* every other call would fail alike: stop the run */
} judge_outcome;

/* What became of requests (judge_outcome_name), each kind with how many. */
enum { JUDGE_MAX_OUTCOMES = 8 };
typedef struct judge_tally {
    int outcomes[JUDGE_MAX_OUTCOMES]; /* [n_kinds] */
    int n[JUDGE_MAX_OUTCOMES];
    int n_kinds;
} judge_tally;

/* One more of a kind; where there are too many kinds, as one of the last. */
void judge_tally_add(judge_tally *t, int outcome, int n);

/* One sample's answer. Strings are the judge's and live until the next poll. */
typedef struct judge_reply {
    uint64_t ticket;
    int sample;
    judge_outcome outcome;
    verdict_reply reply;
    eh_str reasoning;        /* kept apart, never read for a verdict; may be absent */
    verdict_result recorded; /* in the order shown */
    const float *vector;     /* [n_dims] of an embedder, instead of a text */
    size_t n_dims;
    judge_usage usage;
    eh_str model;       /* as the endpoint named it; may be absent */
    eh_str fingerprint; /* the same */
    eh_str effective;   /* what was not applied as requested, as JSON: {"dropped": [..],
                           "renamed": {..}, "changed": {..}, "added": {..}}; absent if
                           all was */
    eh_str logprobs;    /* as they came, a JSON object; absent where none did */
    eh_str message;     /* for NO_RESULT and STOP: one line for a person */
    int status;         /* of the last HTTP answer; 0 = none came, or no endpoint */
    int64_t latency_ms; /* -1 = unknown */
    int n_attempts;
    int n_lost; /* of them: sent, and perhaps billed, but without a whole answer */
    judge_tally requests; /* those that ended with this reply; with the first one of
                             several that came together */
} judge_reply;

typedef struct judge judge;

/* How an endpoint is reached. Strings are absent where the option was not given, and
 * are copied by open. Keys never stand here: only where to find them. */
typedef struct judge_http_options {
    eh_str base_urls;   /* one or several of the same model, comma-separated */
    eh_str key_env;     /* environment variable that holds the key */
    eh_str key_file;    /* file that holds it */
    eh_str header_env;  /* "NAME=VARIABLE[,...]": headers with values of variables */
    eh_str cacert;      /* file of certificates to trust instead of the system's */
    eh_str extra_body;  /* a JSON object, or the name of a file with one */
    eh_str judge_id;    /* the id to use instead of backend, model and URL */
    int64_t timeout_ms; /* of one request; half of it without a byte is idle */
    int retries;        /* repeats of a failed request at most */
    int64_t rpm, tpm;   /* requests and tokens a minute at most; 0 = no limit */
    capability_rules rules; /* what the user knows of endpoints; borrowed by open */
} judge_http_options;

/* What stands for options that are not given at all. */
#define JUDGE_HTTP_DEFAULTS ((judge_http_options){.timeout_ms = 600000, .retries = 8})

/* What a backend is opened with; strings live as long as the judge. */
typedef struct judge_open_args {
    eh_str spec;                    /* what stands behind "backend:" */
    int64_t seed;                   /* --seed, for judges that draw */
    int concurrency;                /* samples in flight at most, see submit */
    const prompt_template *reread;  /* replay: read replies by it; NULL: as recorded */
    const judge_http_options *http; /* endpoints; NULL: JUDGE_HTTP_DEFAULTS */
    eh_clock clock;
} judge_open_args;

/* An endpoint as it has shown itself. Strings are the judge's. */
typedef struct judge_profile {
    capability can;
    eh_str addresses[ENDPOINT_MAX]; /* [n_addresses] HOST/PATH */
    size_t n_addresses;
    eh_str key_place;   /* where the key came from; absent: none is sent */
    int64_t n_requests; /* sent so far */
} judge_profile;

typedef struct judge_backend {
    const char *name;  /* what stands before the colon: "sim" */
    const char *form;  /* for messages: "sim[:key=value,...]" */
    bool is_endpoint;  /* takes judge_http_options */
    bool is_recording; /* what it answers cannot change */
    /* Fills *out, or fails with USAGE (a bad spec), DATA (a bad file), ... */
    eh_status (*open)(const judge_open_args *args, judge **out, eh_error *err);
    void (*close)(judge *j);
    /* Takes a request. The caller keeps at most `concurrency` samples open, and n_ahead
     * beyond, where a request for k samples counts k; one for more goes alone. */
    eh_status (*submit)(judge *j, const judge_request *request, eh_error *err);
    /* From now on nothing is sent: what waits for its turn comes back NOT_SENT, what is
     * under way as ever. NULL: nothing ever waits for its turn. */
    void (*halt)(judge *j);
    /* Waits at most timeout_ms for a reply; *got says whether there was one. */
    eh_status (*poll)(judge *j, int64_t timeout_ms, judge_reply *reply, bool *got,
                      eh_error *err);
    /* Endpoints: what was found out so far; NULL for others. Nothing is in flight. */
    void (*profile)(const judge *j, judge_profile *profile);
} judge_backend;

/* Every judge begins with this; set by the backend's open. */
struct judge {
    const judge_backend *backend;
    eh_str id;          /* the judge id of keys: backend, model, base URL; no secrets */
    eh_str model;       /* what the user asked for; absent where there is none */
    bool uses_template; /* false: the template does not reach it (longest, overlap) */
    bool by_pair_id;    /* answers by the pair's id, not by its texts (replay) */
    int n_ahead;  /* samples it takes beyond those in flight, so that there is one to
                     send  as soon as one has landed, whatever the caller does just then
                   */
    eh_str extra; /* further requested parameters, a canonical JSON object that is part
                     of keys; absent where there are none */
};

/* What identifies an answer to a question for a simulated judge, so that an answer and
 * what was made from it are of one quality. Never 0. */
int64_t judge_text_id(eh_str question, eh_str answer);

/* "sim:first=2", "replay:FILE#JUDGE", "longest"... USAGE names the known backends. */
EH_MUST_USE eh_status judge_open(eh_str spec, const judge_open_args *args, judge **out,
                                 eh_error *err);
void judge_close(judge *j); /* accepts NULL */
EH_MUST_USE eh_status judge_submit(judge *j, const judge_request *request,
                                   eh_error *err);
void judge_halt(judge *j);
EH_MUST_USE eh_status judge_poll(judge *j, int64_t timeout_ms, judge_reply *reply,
                                 bool *got, eh_error *err);

/* What an endpoint has shown so far; false for judges that are none. Only while nothing
 * is in flight. */
bool judge_profile_get(const judge *j, judge_profile *profile);

/* An embedder: "openai:MODEL". It is asked as a judge is, in lists of at most
 * JUDGE_MAX_INPUTS texts, and each reply is a text's vector. Of a request the ticket,
 * the texts and the samples count. */
enum { JUDGE_MAX_INPUTS = 64 };
EH_MUST_USE eh_status judge_open_embedder(eh_str spec, const judge_open_args *args,
                                          judge **out, eh_error *err);

/* The i-th backend, or NULL behind the last. */
const judge_backend *judge_backend_at(size_t i);

extern const judge_backend judge_backend_sim;
extern const judge_backend judge_backend_replay;
extern const judge_backend judge_backend_longest;
extern const judge_backend judge_backend_overlap;
extern const judge_backend judge_backend_openai;
extern const judge_backend judge_backend_anthropic;
extern const judge_backend judge_backend_vectors; /* not in the list of judges */

#endif
