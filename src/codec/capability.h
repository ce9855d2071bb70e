/* SPDX-License-Identifier: MIT
 *
 * What an endpoint takes: a built-in row by host and model, what the user's file says
 * (capability_rules.h), then what its refusals taught. One capability per judge;
 * whoever owns it learns, codecs only read.
 */
#ifndef EH_CODEC_CAPABILITY_H
#define EH_CODEC_CAPABILITY_H

#include "base/str.h"

/* X(id, name): how a verdict's JSON can be demanded. The names stand in users' files.
 */
#define CAPABILITY_SCHEMA_LIST(X)                                                      \
    X(NONE, "none")          /* it is asked for in words only */                       \
    X(OBJECT, "json_object") /* any JSON object can be demanded */                     \
    X(FULL, "json_schema")   /* a schema, in OpenAI's layout or the codec's own */     \
    X(TGI, "tgi")            /* a schema, as {"type": "json", "value": SCHEMA} */

typedef enum capability_schema {
#define X(id, name) CAPABILITY_SCHEMA_##id,
    CAPABILITY_SCHEMA_LIST(X)
#undef X
        CAPABILITY_SCHEMA_N
} capability_schema;

/* What became of requests for several samples. */
typedef enum capability_n {
    CAPABILITY_N_UNTRIED,
    CAPABILITY_N_HONOURED,
    CAPABILITY_N_IGNORED, /* fewer choices came */
    CAPABILITY_N_REFUSED
} capability_n;

enum {
    CAPABILITY_NAME_CHARS = 64,
    CAPABILITY_MAX_CHANGES = 16,
    CAPABILITY_N_ANY = 1024, /* no known limit of n */
    CAPABILITY_NO_LOGPROBS = -1
};

/* A parameter that was refused: left out, or sent under another name. */
typedef struct capability_change {
    char name[CAPABILITY_NAME_CHARS];
    char rename_to[CAPABILITY_NAME_CHARS]; /* "" = left out */
} capability_change;

typedef struct capability {
    int n_max; /* choices in one request at most */
    capability_n n_seen;
    char tokens_name[CAPABILITY_NAME_CHARS]; /* of the output limit; "" = none */
    char seed_name[CAPABILITY_NAME_CHARS];   /* "" = there is none */
    capability_schema schema;
    int logprobs_max; /* alternatives a token at most, or CAPABILITY_NO_LOGPROBS */
    capability_change changes[CAPABILITY_MAX_CHANGES]; /* [n_changes] */
    size_t n_changes;
} capability;

/* What is assumed of endpoints that take lists of texts; smaller lists are learned. */
capability capability_of_list(void);

/* The row of the built-in table for a codec, a host (with its port) and a model. */
capability capability_of(eh_str codec, eh_str host, eh_str model);

/* The name of a schema kind, and the kind of a name; CAPABILITY_SCHEMA_N if none. */
const char *capability_schema_name(capability_schema schema);
capability_schema capability_schema_parse(eh_str name);

/* The change of a parameter, or NULL. */
const capability_change *capability_change_of(const capability *c, eh_str name);

/* Learns that `name` is refused; `rename_to` may be absent. False when it was learned
 * before or there is no room: then nothing changes. */
bool capability_learn(capability *c, eh_str name, eh_str rename_to);

/* Copies a name; false when it is too long, and then nothing changes. */
bool capability_name_set(char to[CAPABILITY_NAME_CHARS], eh_str name);

#endif
