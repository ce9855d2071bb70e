/* SPDX-License-Identifier: MIT
 *
 * The table of endpoints whose ways are known, and the list of refusals.
 *
 * The first row whose codec, host and model fit is taken. A row only says what saves a
 * refused request, or what would be ignored in silence (an output limit under a name
 * that the server does not know); everything else is learned from the first call: the
 * temperature that a model refuses, an n that is not honoured, a schema that is not
 * taken. Facts of docs/endpoints.md, of 2026-11.
 *
 * Text Generation Inference has no port or host of its own; it ignores the model, and
 * by custom it is called "tgi". Where it goes by another name its refusal is known by
 * its words (decide.c).
 *
 * Left out: remembering between processes. Learning costs one refused request a run,
 * which nobody bills.
 */
#include "codec/capability.h"

#include <stdio.h>
#include <string.h>

typedef struct row {
    const char *codec;
    const char *host;  /* the end of host:port; "" = any */
    const char *model; /* the beginning of the model's name; "" = any */
    int n_max;
    const char *tokens_name, *seed_name;
    capability_schema schema;
    int logprobs_max;
} row;

#define ANY CAPABILITY_N_ANY
#define FULL CAPABILITY_SCHEMA_FULL
#define OBJECT CAPABILITY_SCHEMA_OBJECT
#define TGI CAPABILITY_SCHEMA_TGI
#define NO_SCHEMA CAPABILITY_SCHEMA_NONE
#define NO_LOGPROBS CAPABILITY_NO_LOGPROBS
#define LONG_TOKENS "max_completion_tokens"
#define GEMINI "generativelanguage.googleapis.com"

static const row rows[] = {
    {"openai", "api.openai.com", "", ANY, LONG_TOKENS, "seed", FULL, 20},
    {"openai", ".openai.azure.com", "", ANY, LONG_TOKENS, "seed", FULL, 20},
    {"openai", "api.mistral.ai", "", ANY, "max_tokens", "random_seed", FULL,
     NO_LOGPROBS},
    {"openai", "api.groq.com", "", 1, LONG_TOKENS, "seed", FULL, NO_LOGPROBS},
    {"openai", "api.deepseek.com", "", 1, "max_tokens", "", OBJECT, 20},
    {"openai", GEMINI, "gemini-3", 1, "max_tokens", "", FULL, 20},
    {"openai", GEMINI, "", 8, "max_tokens", "", FULL, 20},
    {"openai", "api.anthropic.com", "", 1, "max_tokens", "", NO_SCHEMA, NO_LOGPROBS},
    {"openai", ":11434", "", 1, "max_tokens", "seed", FULL, 20}, /* Ollama's port */
    {"openai", "", "tgi", 1, "max_tokens", "seed", TGI, 5},
    {"openai", "", "", ANY, "max_tokens", "seed", FULL, 20},
    {"anthropic", "", "", 1, "max_tokens", "", FULL, NO_LOGPROBS},
};

capability capability_of(eh_str codec, eh_str host, eh_str model) {
    capability c = {.n_max = 1, .logprobs_max = CAPABILITY_NO_LOGPROBS};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const row *r = &rows[i];
        if (!eh_str_eq_cstr(codec, r->codec)) continue;
        if (!eh_str_ends(host, eh_str_of(r->host))) continue;
        if (!eh_str_begins(model, eh_str_of(r->model))) continue;
        c.n_max = r->n_max;
        c.schema = r->schema;
        c.logprobs_max = r->logprobs_max;
        (void)capability_name_set(c.tokens_name, eh_str_of(r->tokens_name));
        (void)capability_name_set(c.seed_name, eh_str_of(r->seed_name));
        break;
    }
    return c;
}

static const char *const schema_names[] = {
#define X(id, name) name,
    CAPABILITY_SCHEMA_LIST(X)
#undef X
};

const char *capability_schema_name(capability_schema schema) {
    return schema < CAPABILITY_SCHEMA_N ? schema_names[schema] : "";
}

capability_schema capability_schema_parse(eh_str name) {
    int i = 0;
    while (i < CAPABILITY_SCHEMA_N && !eh_str_eq_cstr(name, schema_names[i]))
        i++;
    return (capability_schema)i;
}

capability capability_of_list(void) {
    enum { TEXTS = 64 }; /* vendors take hundreds, servers of one's own 10 to 64 */
    return (capability){.n_max = TEXTS};
}

const capability_change *capability_change_of(const capability *c, eh_str name) {
    for (size_t i = 0; i < c->n_changes; i++)
        if (eh_str_eq_cstr(name, c->changes[i].name)) return &c->changes[i];
    return NULL;
}

bool capability_name_set(char to[CAPABILITY_NAME_CHARS], eh_str name) {
    if (name.len >= CAPABILITY_NAME_CHARS) return false;
    (void)snprintf(to, CAPABILITY_NAME_CHARS, "%.*s", EH_STR_ARG(name));
    return true;
}

bool capability_learn(capability *c, eh_str name, eh_str rename_to) {
    if (c->n_changes == CAPABILITY_MAX_CHANGES || capability_change_of(c, name))
        return false;
    capability_change *change = &c->changes[c->n_changes];
    if (!capability_name_set(change->name, name) ||
        !capability_name_set(change->rename_to, rename_to))
        return false;
    c->n_changes++;
    return true;
}
