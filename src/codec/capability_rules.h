/* SPDX-License-Identifier: MIT
 *
 * What a user knows better than the built-in table about an endpoint, from the section
 * `capabilities:` of a file of options (evenhand-config(5)).
 */
#ifndef EH_CODEC_CAPABILITY_RULES_H
#define EH_CODEC_CAPABILITY_RULES_H

#include "base/yaml_read.h"
#include "codec/endpoint.h"

/* For which endpoints, and what of their capability is otherwise. */
typedef struct capability_rule {
    eh_str host;     /* HOST, HOST:PORT, or .END for all that end so; absent = any */
    eh_str base_url; /* absent = any */
    eh_str model;    /* the beginning of its name; absent = any */
    int n_max;       /* 0 = as the table says */
    bool has_tokens_name, has_seed_name, has_schema, has_logprobs;
    eh_str tokens_name, seed_name; /* empty: there is none */
    capability_schema schema;
    int logprobs_max;
    const eh_str *refused; /* [n_refused] parameters that are left out */
    size_t n_refused;
    const eh_str *renamed; /* [2 * n_renamed] usual name and the one to be sent */
    size_t n_renamed;
} capability_rule;

typedef struct capability_rules {
    const capability_rule *rules; /* [n] later ones go before earlier ones */
    size_t n;
} capability_rules;

/* Reads the list under `capabilities:`. What is unknown, of a wrong type or given twice
 * is a fault with its line. Everything is copied into `arena`. */
EH_MUST_USE eh_status capability_rules_read(yaml_source *src, const yaml_node_t *list,
                                            eh_arena *arena, capability_rules *out,
                                            eh_error *err);

/* The judge whose capability is looked for; several base URLs share one. */
typedef struct capability_whose {
    const judge_codec *codec;
    const endpoint *bases; /* [n_bases] */
    size_t n_bases;
    eh_str model;
} capability_whose;

/* Changes `c` by the rules that fit, in their order. `arena` is for the while. */
EH_MUST_USE eh_status capability_rules_apply(const capability_rules *rules,
                                             const capability_whose *whose,
                                             eh_arena *arena, capability *c,
                                             eh_error *err);

#endif
