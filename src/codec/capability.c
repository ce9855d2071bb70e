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
 * Left out: users' own rows, and remembering between processes. Learning costs one
 * refused request a run, which nobody bills.
 */
#include "codec/capability.h"

#include <string.h>

typedef struct row {
    const char *codec;
    const char *host;  /* the end of host:port; "" = any */
    const char *model; /* the beginning of the model's name; "" = any */
    int n_max;
    const char *tokens_name, *seed_name;
    capability_schema schema;
} row;

#define ANY CAPABILITY_N_ANY
#define FULL CAPABILITY_SCHEMA_FULL

static const row rows[] = {
    {"openai", "api.openai.com", "", ANY, "max_completion_tokens", "seed", FULL},
    {"openai", ".openai.azure.com", "", ANY, "max_completion_tokens", "seed", FULL},
    {"openai", "api.mistral.ai", "", ANY, "max_tokens", "random_seed", FULL},
    {"openai", "api.groq.com", "", 1, "max_completion_tokens", "seed", FULL},
    {"openai", "api.deepseek.com", "", 1, "max_tokens", NULL, CAPABILITY_SCHEMA_OBJECT},
    {"openai", "generativelanguage.googleapis.com", "gemini-3", 1, "max_tokens", NULL,
     FULL},
    {"openai", "generativelanguage.googleapis.com", "", 8, "max_tokens", NULL, FULL},
    {"openai", "api.anthropic.com", "", 1, "max_tokens", NULL, CAPABILITY_SCHEMA_NONE},
    {"openai", ":11434", "", 1, "max_tokens", "seed", FULL}, /* Ollama's port */
    {"openai", "", "", ANY, "max_tokens", "seed", FULL},
    {"anthropic", "", "", 1, "max_tokens", NULL, FULL},
};

capability capability_of(eh_str codec, eh_str host, eh_str model) {
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const row *r = &rows[i];
        if (!eh_str_eq_cstr(codec, r->codec)) continue;
        if (!eh_str_ends(host, eh_str_of(r->host))) continue;
        if (!eh_str_begins(model, eh_str_of(r->model))) continue;
        return (capability){.n_max = r->n_max,
                            .tokens_name = r->tokens_name,
                            .seed_name = r->seed_name,
                            .schema = r->schema};
    }
    return (capability){.n_max = 1, .tokens_name = "max_tokens"};
}

const capability_change *capability_change_of(const capability *c, eh_str name) {
    for (size_t i = 0; i < c->n_changes; i++)
        if (eh_str_eq_cstr(name, c->changes[i].name)) return &c->changes[i];
    return NULL;
}

static bool keep_name(char to[CAPABILITY_NAME_CHARS], eh_str name) {
    if (name.len >= CAPABILITY_NAME_CHARS) return false;
    if (name.len) memcpy(to, name.ptr, name.len);
    to[name.len] = '\0';
    return true;
}

bool capability_learn(capability *c, eh_str name, eh_str rename_to) {
    if (c->n_changes == CAPABILITY_MAX_CHANGES || capability_change_of(c, name))
        return false;
    capability_change *change = &c->changes[c->n_changes];
    if (!keep_name(change->name, name) || !keep_name(change->rename_to, rename_to))
        return false;
    c->n_changes++;
    return true;
}
