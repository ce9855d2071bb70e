/* SPDX-License-Identifier: MIT
 *
 * What an endpoint can do, found out with a few small calls: `evenhand doctor -j`.
 *
 *   run_probe_open(&options, &p, &err);   nothing is sent; p->n_replies, p->worst_nusd
 *   run_probe_ask(p, &err);               the calls; p->steps, p->model, ...
 *   run_probe_close(p);
 */
#ifndef EH_RUN_PROBE_H
#define EH_RUN_PROBE_H

#include "judge/judge.h"
#include "run/price.h"

/* X(id, name, what is asked for, for people) */
#define RUN_PROBE_STEPS(X)                                                             \
    X(PLAIN, "plain", "a plain question")                                              \
    X(LIMIT, "max_tokens", "a long reply, with a limit of 16 tokens")                  \
    X(TEMPERATURE, "temperature", "temperature 0")                                     \
    X(SEED, "seed", "a seed")                                                          \
    X(N, "n", "two samples in one request")                                            \
    X(SCHEMA, "structured_output", "a verdict under a JSON schema")                    \
    X(LOGPROBS, "logprobs", "log probabilities, with 5 alternatives")

typedef enum run_probe_id {
#define X(id, name, what) RUN_PROBE_##id,
    RUN_PROBE_STEPS(X)
#undef X
        RUN_PROBE_N_STEPS
} run_probe_id;

typedef enum run_probe_state {
    RUN_PROBE_NOT_TRIED, /* an earlier call failed */
    RUN_PROBE_TAKEN,     /* a reply came, and what was asked for was sent */
    RUN_PROBE_REFUSED,   /* the endpoint refuses it; the reply came without */
    RUN_PROBE_ABSENT,    /* known not to be there, so it was not sent */
    RUN_PROBE_FAILED     /* no reply came; `message` says why */
} run_probe_state;

typedef enum run_probe_kept {
    RUN_PROBE_UNKNOWN, /* nothing shows it */
    RUN_PROBE_KEPT,    /* what was asked for is what came */
    RUN_PROBE_IGNORED  /* taken, and not followed */
} run_probe_kept;

typedef struct run_probe_step {
    run_probe_state state;
    run_probe_kept kept;
    eh_str sent_as; /* the parameter's name, or the kind of schema; may be absent */
    eh_str message; /* of a failure; one line */
} run_probe_step;

typedef enum run_probe_key {
    RUN_PROBE_KEY_UNKNOWN, /* the endpoint could not be asked */
    RUN_PROBE_KEY_NONE,    /* none was sent, and none was missed */
    RUN_PROBE_KEY_ACCEPTED,
    RUN_PROBE_KEY_MISSING, /* none was sent, and that was refused */
    RUN_PROBE_KEY_REFUSED
} run_probe_key;

typedef struct run_probe_options {
    eh_str judge; /* "openai:MODEL" */
    const judge_open_args
        *open;          /* `http` with few retries: each costs time and money */
    int64_t max_tokens; /* of each reply */
    const price_table *prices;
    /* Called before each step; may be NULL. */
    void (*on_step)(void *self, run_probe_id step);
    void *self;
} run_probe_options;

typedef struct run_probe {
    const run_probe_options *o;
    eh_arena arena; /* owns all strings below */
    judge *j;
    judge_profile profile; /* as of the last call */
    capability known;      /* before the first */

    /* before anything is sent */
    int n_replies;        /* that are asked for */
    const price_row *row; /* NULL: the price is unknown */
    int64_t worst_nusd;   /* of all calls; -1 = unknown */

    /* what was found */
    bool is_reachable; /* an HTTP answer came */
    bool works;        /* the plain question was answered */
    int status;        /* of HTTP, of the plain question's last answer */
    eh_str message;    /* why it does not work */
    run_probe_key key;
    eh_str model, fingerprint; /* as the endpoint named them; may be absent */
    int64_t first_ms, mean_ms; /* of the first answer, and of the later ones; -1 */
    judge_usage reported;      /* of the plain reply: -1 where it is not told */
    int n_logprobs;            /* alternatives that came with a token */
    bool same_samples;         /* both samples of one request had the same text */
    verdict_result verdict;    /* read of the reply under the schema */
    run_probe_step steps[RUN_PROBE_N_STEPS];
    int64_t n_requests;
    judge_usage used; /* in all; -1 where any of it is not told */
} run_probe;

const char *run_probe_name(run_probe_id step); /* for JSON */
const char *run_probe_what(run_probe_id step); /* for people */

/* Opens the judge and computes what the calls cost at most. USAGE for judges that are
 * no endpoints. `options` is borrowed until close. */
EH_MUST_USE eh_status run_probe_open(const run_probe_options *options, run_probe **out,
                                     eh_error *err);

/* Asks. OK also when the endpoint refuses or does not answer: see `works`. */
EH_MUST_USE eh_status run_probe_ask(run_probe *p, eh_error *err);

void run_probe_close(run_probe *p); /* accepts NULL */

#endif
