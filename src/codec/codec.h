/* SPDX-License-Identifier: MIT
 *
 * Codecs: a call becomes a request body, an endpoint's answer becomes an action. Pure:
 * no socket, no clock, no globals. What moves the bytes is http.h.
 *
 *   judge_call -- encode --> judge_request_body ~~> endpoint ~~> judge_answer
 *                                                                     |
 *                       judge_action <------------------- judge_decode
 *
 * A codec is one table; the rules of what an error means are shared (decide.h), since
 * they are the same for all. The rules are numbered in docs/endpoints.md.
 */
#ifndef EH_CODEC_CODEC_H
#define EH_CODEC_CODEC_H

#include "base/json_read.h"
#include "codec/call.h"
#include "codec/capability.h"
#include "prompt/render.h"
#include "verdict/verdict.h"

/* A member of the request body that the user added with --extra-body. */
typedef struct judge_extra {
    eh_str name;
    eh_str json; /* its value, as JSON text */
} judge_extra;

/* What is asked. `params.request_seed` is that of the request's first sample. */
typedef struct judge_call {
    eh_str model;
    const prompt_message *messages; /* [n_messages] */
    size_t n_messages;
    judge_params params;
    int n_samples;
    bool wants_json; /* the template's form is json: ask under the verdict schema */
    bool verdict_first;
    /* Codecs of lists: the texts, and which of them are asked for, [n_samples]. */
    const eh_str *inputs;
    const int *which;
    const judge_extra *extras; /* [n_extras] */
    size_t n_extras;
} judge_call;

/* A parameter that stands in a request body. */
typedef struct judge_sent {
    eh_str name;
    bool
        is_adapted; /* under another name than the usual one; not to be adapted again */
} judge_sent;

enum { JUDGE_MAX_SENT = 48 };

typedef struct judge_request_body {
    eh_str body;
    judge_sent sent[JUDGE_MAX_SENT]; /* [n_sent] */
    size_t n_sent;
    capability_schema schema; /* in which way we demanded the verdict's JSON */
    eh_str
        effective; /* what was not applied as requested, as JSON; absent if all was */
} judge_request_body;

/* X(id, name): what can be wrong with an answer. The first ones are seen by the
 * transport: no answer at all (reset, closed, refused); a body that ended before its
 * announced end; no byte within the idle limit; not finished within the total limit;
 * compressed by its headers, but not in fact. Then by the codec: a body that is no
 * JSON, none with choices, an error object under a status that means success. */
#define JUDGE_FAULT_LIST(X)                                                            \
    X(NONE, "answered")                                                                \
    X(NO_ANSWER, "no_answer")                                                          \
    X(CUT, "cut")                                                                      \
    X(IDLE, "idle")                                                                    \
    X(TOTAL, "too_slow")                                                               \
    X(BAD_ENCODING, "bad_encoding")                                                    \
    X(NOT_JSON, "not_json")                                                            \
    X(NO_CHOICES, "no_choices")                                                        \
    X(ERROR, "error_body")                                                             \
    X(RESENT, "resent") /* libcurl sent it again on a new connection */

typedef enum judge_fault {
#define X(id, name) JUDGE_FAULT_##id,
    JUDGE_FAULT_LIST(X)
#undef X
        JUDGE_FAULT_N
} judge_fault;

typedef struct judge_header {
    eh_str name; /* any case */
    eh_str value;
} judge_header;

typedef struct judge_answer {
    judge_fault fault;
    int status;                  /* 0: none came */
    const judge_header *headers; /* [n_headers] */
    size_t n_headers;
    eh_str body; /* decoded from its transfer and content encoding */
} judge_answer;

/* What is known of the request that was answered. */
typedef struct judge_asked {
    int n_samples;
    const judge_sent *sent; /* [n_sent] */
    size_t n_sent;
    capability_schema schema;        /* of the request body */
    int64_t estimated_prompt_tokens; /* -1 = not estimated */
    const eh_str *secrets; /* [n_secrets] never to be seen in what comes out */
    size_t n_secrets;
    eh_str host; /* for messages */
    int64_t now_ms;
} judge_asked;

typedef enum judge_action_kind {
    JUDGE_ACTION_OK,
    JUDGE_ACTION_RETRY,      /* the same again, after a wait */
    JUDGE_ACTION_FAIL,       /* see scope */
    JUDGE_ACTION_SPLIT_N,    /* keep what came, ask for n_missing one by one */
    JUDGE_ACTION_DROP_PARAM, /* without `param`, or under the name `rename_to`, again */
    JUDGE_ACTION_SCHEMA,     /* with the verdict's JSON demanded as `schema`, again */
    JUDGE_ACTION_HALVE       /* a list was refused: again in two halves */
} judge_action_kind;

typedef enum judge_scope {
    JUDGE_SCOPE_RUN,    /* every other request would fail alike */
    JUDGE_SCOPE_SAMPLE, /* final for these samples, with a reason */
    JUDGE_SCOPE_CALL    /* refused for no known cause: of the run if nothing has ever
                           succeeded, else of this call, and asked again by a rerun */
} judge_scope;

typedef struct judge_choice {
    int64_t index;                                     /* -1 = not given */
    eh_str content, reasoning, refusal, finish_reason; /* absent where not given */
    eh_str logprobs;     /* the object that came, as JSON; absent where none did */
    const float *vector; /* [n_dims] codecs of lists only */
    size_t n_dims;
} judge_choice;

/* What an answer means. Strings live in the arena that it was decoded with, or in the
 * answer. */
typedef struct judge_action {
    judge_action_kind kind;
    bool has_wait; /* false: the caller's own backoff */
    int64_t wait_ms;
    judge_fault fault; /* NONE: the answer was of use, or its status says it all */
    bool retry_once;   /* RETRY: a second time is no use */
    bool is_overload;  /* RETRY: the endpoint wants less traffic */
    judge_scope scope;
    verdict_reason reason; /* FAIL of a sample */
    eh_str param, rename_to;
    capability_schema schema;
    int n_missing;
    bool n_unsupported; /* SPLIT_N: remember to ask one by one */

    judge_choice *choices; /* [n_choices] sorted by index, at most as many as asked */
    int n_choices;
    int n_surplus; /* choices beyond what was asked, dropped */
    judge_usage usage;
    eh_str model, fingerprint;
    eh_str message; /* one line for a person; absent with OK */
} judge_action;

/* What a codec makes of a body that holds no error: choices, usage, model. */
typedef struct judge_reading {
    judge_choice *choices; /* [n_choices] in the order of the body */
    size_t n_choices;
    size_t n_failed; /* further choices that hold an error instead of a text */
    judge_usage usage;
    eh_str model, fingerprint;
    bool is_whole; /* event streams: its end was seen */
} judge_reading;

typedef struct judge_codec {
    const char *name;           /* of the backend: "openai" */
    const char *form;           /* for messages: "openai:MODEL" */
    const char *base_url;       /* of the vendor, where --base-url is not given */
    const char *path;           /* behind the base: "chat/completions" */
    const char *key_variable;   /* environment variable of the key */
    const char *key_header;     /* name of the header that carries it */
    const char *key_scheme;     /* in front of it: "Bearer " or "" */
    const char *version_header; /* a constant header "name: value", or NULL */
    /* What comes back belongs to the texts that were sent, one by one: choice i answers
     * the i-th of them, and a refusal may be meant for any. */
    bool is_list;
    /* The request's body under a capability. */
    eh_status (*encode)(const judge_call *call, const capability *c, eh_arena *arena,
                        judge_request_body *out, eh_error *err);
    /* Reads a JSON body. */
    eh_status (*read)(const json_value *root, eh_arena *arena, judge_reading *out,
                      eh_error *err);
    /* Reads the events of a stream that nobody asked for; [n_events]. NULL where none
     * can come. */
    eh_status (*read_events)(const json_value *const *events, size_t n_events,
                             eh_arena *arena, judge_reading *out, eh_error *err);
} judge_codec;

extern const judge_codec judge_codec_openai;
extern const judge_codec judge_codec_anthropic;
extern const judge_codec judge_codec_vectors; /* the embeddings of OpenAI's protocol */

/* What to do with an answer. `reader` is the caller's, for this thread. Fails only for
 * memory. */
EH_MUST_USE eh_status judge_decode(const judge_codec *codec, const judge_answer *answer,
                                   const judge_asked *asked, json_reader *reader,
                                   eh_arena *arena, judge_action *action,
                                   eh_error *err);

/* What became of a request, for people: "answered", "cut", "http_503". An outcome is a
 * judge_fault or, from 100 on, an HTTP status. */
enum { JUDGE_OUTCOME_CHARS = 16 };
const char *judge_outcome_name(int outcome, char text[JUDGE_OUTCOME_CHARS]);

/* The value of a header by its name in lower case; absent when it is not there. */
eh_str judge_header_get(const judge_answer *answer, const char *name);

#endif
