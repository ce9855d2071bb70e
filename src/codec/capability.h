/* SPDX-License-Identifier: MIT
 *
 * What an endpoint takes: a built-in row by host and model, then what its refusals
 * taught. One capability per judge; whoever owns it learns, codecs only read.
 */
#ifndef EH_CODEC_CAPABILITY_H
#define EH_CODEC_CAPABILITY_H

#include "base/str.h"

typedef enum capability_schema {
    CAPABILITY_SCHEMA_NONE,   /* JSON is asked for in words only */
    CAPABILITY_SCHEMA_OBJECT, /* any JSON object can be demanded */
    CAPABILITY_SCHEMA_FULL    /* a JSON schema can be demanded */
} capability_schema;

enum { CAPABILITY_NAME_CHARS = 64, CAPABILITY_MAX_CHANGES = 16 };

/* A parameter that was refused: left out, or sent under another name. */
typedef struct capability_change {
    char name[CAPABILITY_NAME_CHARS];
    char rename_to[CAPABILITY_NAME_CHARS]; /* "" = left out */
} capability_change;

typedef struct capability {
    int n_max;               /* choices in one request at most */
    const char *tokens_name; /* how the output limit is called */
    const char *seed_name;   /* how the seed is called; NULL = there is none */
    capability_schema schema;
    capability_change changes[CAPABILITY_MAX_CHANGES]; /* [n_changes] */
    size_t n_changes;
} capability;

enum { CAPABILITY_N_ANY = 1024 }; /* no known limit of n */

/* The row of the built-in table for a codec, a host (with its port) and a model. */
capability capability_of(eh_str codec, eh_str host, eh_str model);

/* The change of a parameter, or NULL. */
const capability_change *capability_change_of(const capability *c, eh_str name);

/* Learns that `name` is refused; `rename_to` may be absent. False when it was learned
 * before or there is no room: then nothing changes. */
bool capability_learn(capability *c, eh_str name, eh_str rename_to);

#endif
