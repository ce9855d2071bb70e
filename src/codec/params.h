/* SPDX-License-Identifier: MIT
 *
 * The parameters of a request body under a capability: what is sent under which name,
 * and the record of what was not applied as requested.
 */
#ifndef EH_CODEC_PARAMS_H
#define EH_CODEC_PARAMS_H

#include "base/json_write.h"
#include "codec/codec.h"

typedef struct params_rename {
    eh_str from, to;
} params_rename;

typedef struct params_writer {
    json_writer *w; /* inside the body's object */
    const capability *c;
    const judge_call *call;
    judge_request_body *out;
    eh_str dropped[CAPABILITY_MAX_CHANGES]; /* [n_dropped] requested names */
    size_t n_dropped;
    params_rename renamed[CAPABILITY_MAX_CHANGES]; /* [n_renamed] */
    size_t n_renamed;
    int64_t added_max_tokens; /* a limit that nobody asked for; -1 = none */
    int changed_top_logprobs; /* sent instead of what was asked for; -1 = none */
    bool is_schema_loose;     /* any JSON object was demanded instead of the schema */
} params_writer;

/* A whole request body: the model, then what `write` adds to it, then the record of
 * what was not applied. For the encode of codecs. */
EH_MUST_USE eh_status params_encode(const judge_call *call, const capability *c,
                                    void (*write)(params_writer *p), eh_arena *arena,
                                    judge_request_body *out, eh_error *err);

/* The member `messages`: all of them, or those that are not the system's. */
void params_messages(params_writer *p, bool with_system);

/* Writes the key of a parameter that was requested as `name` and that this endpoint
 * calls `usual` ("": it has none), unless it is refused; then it is noted as dropped.
 * True when the value is to be written next. */
bool params_begin(params_writer *p, const char *name, const char *usual);

/* The members that the user added, but those named `except` (may be NULL). */
void params_extras(params_writer *p, const char *except);

/* The user's member of that name, or NULL. */
const judge_extra *params_extra(const params_writer *p, const char *name);

#endif
