/* SPDX-License-Identifier: MIT
 *
 * A server for tests that speaks like an endpoint: Chat Completions and Messages with
 * replies computed from the request, and whatever faults a script asks for. Loopback
 * only, one thread.
 *
 *   mock_main.c    options, connections, timers, the loop
 *   mock_answer.c  from a request to an answer: routes, limits, the script's rules
 *   mock_script.c  reading the script
 *   mock_reply.c   replies by a hash of messages and sample index
 *   mock_write.c   texts in the blocks that a prompt asks for
 *   mock_embed.c   vectors by the words of texts
 *   mock_count.c   what was asked, for GET /_counts
 *
 * README.md in this folder has the options and the script's fields.
 */
#ifndef EH_TESTS_MOCK_H
#define EH_TESTS_MOCK_H

#include <stdio.h>

#include "base/buf.h"
#include "base/json_read.h"
#include "base/json_write.h"

enum { MOCK_MAX_NAMES = 8, MOCK_MAX_RULES = 64, MOCK_MAX_HEADERS = 8 };

typedef enum mock_n { MOCK_N_HONOUR, MOCK_N_IGNORE, MOCK_N_REFUSE } mock_n;

/* Which response_format is taken; any without the option. */
typedef enum mock_schema {
    MOCK_SCHEMA_ANY,
    MOCK_SCHEMA_FULL,
    MOCK_SCHEMA_OBJECT,
    MOCK_SCHEMA_TGI
} mock_schema;

typedef enum mock_logprobs {
    MOCK_LOGPROBS_GIVE,
    MOCK_LOGPROBS_IGNORE,
    MOCK_LOGPROBS_REFUSE
} mock_logprobs;

typedef struct mock_options {
    int port;
    const char *script;
    mock_n n;
    mock_schema schema;
    mock_logprobs logprobs;
    eh_str refused[MOCK_MAX_NAMES]; /* [n_refused] parameters */
    size_t n_refused;
    eh_str renamed[MOCK_MAX_NAMES]; /* [n_renamed] "old=new" */
    size_t n_renamed;
    int64_t delay_ms, per_second, idle_s;
    const char *key, *model, *log;
    bool no_usage, echo_key, obey_max_tokens;
    int64_t dims, max_texts, max_text_bytes; /* of embeddings; 0 = any */
    bool base64;
    int64_t write_faults; /* of 100 texts that are written */
    int64_t context;      /* tokens of a prompt and its reply at most; 0 = any */
} mock_options;

/* One line of the script: when it applies, and what it does. */
typedef struct mock_rule {
    /* when; -1 and absent mean "always" */
    int64_t times, after, if_n_over;
    double share;
    eh_str if_param, if_route; /* if_route: the end of the path */
    bool if_gzip;              /* the client takes compressed answers */
    /* what; status 200 without a body is a proper reply */
    int64_t status, delay_ms, close_after_bytes, stall_after_bytes, drip_bytes,
        every_ms;
    eh_str header_names[MOCK_MAX_HEADERS], header_values[MOCK_MAX_HEADERS];
    size_t n_headers;
    eh_str body;
    bool no_answer, reset, gzip, claim_gzip, chunked, hang_up;
    int64_t n_used;
} mock_rule;

typedef struct mock_counts {
    int64_t n_requests, n_ok, n_choices, n_faults, n_connections;
    int64_t n_by_status[600];
    int64_t n_in_flight, max_in_flight, max_in_second;
    int64_t max_body_bytes;
    int64_t n_texts, max_texts; /* that were embedded; in one request */
} mock_counts;

/* Digests seen, with how often. */
typedef struct mock_set {
    uint64_t (*keys)[2]; /* [cap], cap a power of two; 0,0 = empty */
    int64_t *n_times;    /* [cap] */
    size_t cap, n;
    int64_t n_repeated, max_times;
} mock_set;

/* A request as it came. */
typedef struct mock_request {
    eh_str method, path, head, body;
} mock_request;

/* What is sent, and how. */
typedef struct mock_answer {
    eh_buf bytes; /* status line, headers, body */
    size_t head_len;
    int64_t delay_ms;
    int64_t drip_bytes, every_ms; /* 0 = at once */
    int64_t stop_after;           /* bytes of the body; -1 = all of it */
    bool closes, resets, stalls;  /* at the end of what is sent */
} mock_answer;

typedef struct mock {
    mock_options options;
    mock_rule rules[MOCK_MAX_RULES];
    size_t n_rules;
    mock_counts counts;
    mock_set prompts, samples, bodies, texts;
    eh_arena arena, request_arena;
    json_reader *reader;
    eh_buf last_head, last_body;
    FILE *log; /* or NULL */
    int64_t second_begins_ns, n_in_second;
} mock;

/* mock_script.c: false with a message on standard error */
bool mock_script_read(mock *m, const char *path);

/* mock_answer.c */
void mock_answer_make(mock *m, const mock_request *request, int64_t now_ns,
                      mock_answer *answer);

/* mock_reply.c */
typedef struct mock_asked {
    bool is_anthropic, is_embedding;
    const json_value *inputs; /* the first of n texts to embed */
    const json_value *root;
    uint64_t prompt[2];               /* digest of roles and contents */
    int64_t n, seed;                  /* seed -1 = none */
    int64_t max_tokens, top_logprobs; /* -1 = not given */
    bool wants_logprobs;
    eh_str text; /* the last message */
    int64_t n_prompt_bytes;
} mock_asked;
void mock_asked_read(const json_value *root, bool is_anthropic, mock_asked *asked);
/* mock_embed.c */
void mock_inputs_read(const json_value *root, mock_asked *asked);
int64_t mock_longest_input(const mock_asked *asked); /* in bytes */
void mock_embeddings_write(mock *m, const mock_asked *asked, eh_buf *body);

/* mock_reply.c, for whatever was asked */
void mock_reply_write(mock *m, const mock_asked *asked, eh_str key, eh_buf *body);

/* mock_write.c: false where the prompt asks for no such blocks. */
bool mock_write(const mock *m, const mock_asked *a, uint64_t draw, eh_buf *out);

/* mock_count.c */
int64_t mock_set_add(mock_set *set, const uint64_t key[2]); /* how often, now */
int64_t mock_set_get(const mock_set *set, const uint64_t key[2]);
void mock_counts_write(const mock *m, eh_buf *body);

/* The value of a header in a head; absent when it is not there. */
eh_str mock_header(eh_str head, const char *name);

#endif
