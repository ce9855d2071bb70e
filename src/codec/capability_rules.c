/* SPDX-License-Identifier: MIT
 *
 * Users' rules on endpoints: reading and applying them.
 *
 *   capabilities:
 *     - host: gpu1:8000                     or base-url: http://gpu1:8000/v1
 *       model: llama                        where only some models differ
 *       n: 4                                choices a request, or any
 *       max-tokens: max_completion_tokens   the name of the output limit, or none
 *       seed: random_seed                   the same of the seed
 *       structured-output: tgi              none, json_object, json_schema or tgi
 *       logprobs: 5                         alternatives a token, or none
 *       refused: [temperature]              left out of requests
 *       renamed: {top_p: nucleus}           sent under another name
 *
 * A rule ends as entries of the same list that refusals are noted in, so that encoding
 * and the record beside each reply are the same for what was known and what was
 * learned. Names by which the client itself knows a parameter (max_tokens, seed, n,
 * response_format, logprobs) mean that parameter, however the endpoint calls it.
 */
#include "codec/capability_rules.h"

#include <stdio.h>

enum { MAX_RULES = 256, MAX_LOGPROBS = 20 };

typedef struct rule_reading {
    eh_arena *arena;
    capability_rule *rule;
    eh_str *renamed; /* [2 * n_renamed] of the rule, while it is read */
} rule_reading;

/* "...: what, not 'value'"; without a value where it is no text. */
static eh_status fault(const yaml_source *src, const yaml_node_t *node, eh_error *err,
                       const char *what) {
    char text[160];
    eh_str value = yaml_scalar(node);
    (void)snprintf(text, sizeof text, "%s%s", what, value.len ? ", not" : "");
    return yaml_source_fault(src, node, err, text, value);
}

/* ---- values ---- */

static eh_status take_text(const yaml_source *src, const yaml_node_t *node,
                           eh_arena *arena, eh_str *out, eh_error *err) {
    eh_str text = yaml_scalar(node);
    if (eh_str_is_blank(text)) return fault(src, node, err, "a text is needed here");
    return arena_copy(arena, text, out) ? EH_STATUS_OK : EH_NOMEM(err);
}

/* As endpoint_read makes hosts: in lower case. */
static eh_status take_host(const yaml_source *src, const yaml_node_t *node,
                           eh_arena *arena, eh_str *out, eh_error *err) {
    eh_str text = yaml_scalar(node);
    if (eh_str_is_blank(text)) return fault(src, node, err, "a host is needed here");
    char *copy = arena_dup(arena, text);
    if (!copy) return EH_NOMEM(err);
    for (char *c = copy; *c; c++) {
        if (*c >= 'A' && *c <= 'Z') *c = (char)(*c + 32);
        if (*c == '/' || *c == '@' || *c <= ' ')
            return fault(src, node, err, "a host is a name, perhaps with :PORT");
    }
    *out = (eh_str){copy, text.len};
    return EH_STATUS_OK;
}

/* The name of a parameter. */
static eh_status take_name(const yaml_source *src, const yaml_node_t *node,
                           eh_arena *arena, eh_str *out, eh_error *err) {
    EH_TRY(take_text(src, node, arena, out, err));
    if (out->len < CAPABILITY_NAME_CHARS) return EH_STATUS_OK;
    return fault(src, node, err, "a name has at most 63 bytes");
}

/* A name, or none. */
static eh_status take_name_or_none(const yaml_source *src, const yaml_node_t *node,
                                   eh_arena *arena, eh_str *out, eh_error *err) {
    EH_TRY(take_name(src, node, arena, out, err));
    if (eh_str_eq_cstr(*out, "none")) *out = EH_STR("");
    return EH_STATUS_OK;
}

/* A number from `low` to `high`, or the word that stands for `word_value`. */
typedef struct number_or {
    int64_t low, high;
    const char *word;
    int word_value;
    const char *message;
} number_or;

static eh_status take_number(const yaml_source *src, const yaml_node_t *node,
                             const number_or *n, int *out, eh_error *err) {
    int64_t value;
    eh_str text = yaml_scalar(node);
    *out = n->word_value;
    if (eh_str_eq_cstr(text, n->word)) return EH_STATUS_OK;
    if (!eh_str_to_i64(text, &value) || value < n->low || value > n->high)
        return fault(src, node, err, n->message);
    *out = (int)value;
    return EH_STATUS_OK;
}

static eh_status take_schema(const yaml_source *src, const yaml_node_t *node,
                             capability_schema *out, eh_error *err) {
    *out = capability_schema_parse(yaml_scalar(node));
    if (*out != CAPABILITY_SCHEMA_N) return EH_STATUS_OK;
    return fault(src, node, err,
                 "structured-output is none, json_object, json_schema or tgi");
}

/* Read as an address would be after --base-url, so that faults show at once. */
static eh_status take_base_url(const yaml_source *src, const yaml_node_t *node,
                               eh_arena *arena, eh_str *out, eh_error *err) {
    endpoint where;
    eh_error own = {0};
    EH_TRY(take_text(src, node, arena, out, err));
    eh_status status = endpoint_read(&judge_codec_openai, *out, arena, &where, &own);
    if (status == EH_STATUS_OK) return EH_STATUS_OK;
    return EH_FAIL(err, status == EH_STATUS_NOMEM ? status : src->status,
                   "%s: line %zu: %s", src->where, node->start_mark.line + 1, own.msg);
}

static eh_status take_refused(yaml_source *src, const yaml_node_t *node,
                              eh_arena *arena, capability_rule *rule, eh_error *err) {
    size_t n = yaml_n_items(node);
    if (n == 0 || n > CAPABILITY_MAX_CHANGES)
        return fault(src, node, err, "refused is a list of 1 to 16 parameters");
    eh_str *names = arena_zalloc(arena, n, sizeof *names);
    if (!names) return EH_NOMEM(err);
    for (size_t i = 0; i < n; i++)
        EH_TRY(take_name(src, yaml_item(src, node, i), arena, &names[i], err));
    rule->refused = names;
    rule->n_refused = n;
    return EH_STATUS_OK;
}

static eh_status take_rename(void *self, yaml_source *src, const yaml_entry *entry,
                             eh_error *err) {
    rule_reading *r = self;
    eh_str *pair = &r->renamed[2 * r->rule->n_renamed++];
    EH_TRY(take_name(src, entry->key_node, r->arena, &pair[0], err));
    return take_name(src, entry->value, r->arena, &pair[1], err);
}

static eh_status take_renamed(yaml_source *src, const yaml_node_t *node,
                              rule_reading *r, eh_error *err) {
    size_t n = yaml_n_pairs(node);
    if (n == 0 || n > CAPABILITY_MAX_CHANGES)
        return fault(src, node, err, "renamed is a mapping of 1 to 16 parameters");
    r->renamed = arena_zalloc(r->arena, 2 * n, sizeof *r->renamed);
    if (!r->renamed) return EH_NOMEM(err);
    r->rule->renamed = r->renamed;
    return yaml_source_each(src, node, take_rename, r, err);
}

/* ---- rules ---- */

static eh_status read_key(void *self, yaml_source *src, const yaml_entry *entry,
                          eh_error *err) {
    static const number_or choices = {1, CAPABILITY_N_ANY, "any", CAPABILITY_N_ANY,
                                      "n is a whole number from 1 to 1024, or any"};
    static const number_or alternatives = {
        0, MAX_LOGPROBS, "none", CAPABILITY_NO_LOGPROBS,
        "logprobs is a whole number from 0 to 20, or none"};
    rule_reading *r = self;
    capability_rule *rule = r->rule;
    const yaml_node_t *value = entry->value;
    eh_str key = entry->key;
    if (eh_str_eq_cstr(key, "host"))
        return take_host(src, value, r->arena, &rule->host, err);
    if (eh_str_eq_cstr(key, "base-url"))
        return take_base_url(src, value, r->arena, &rule->base_url, err);
    if (eh_str_eq_cstr(key, "model"))
        return take_text(src, value, r->arena, &rule->model, err);
    if (eh_str_eq_cstr(key, "n"))
        return take_number(src, value, &choices, &rule->n_max, err);
    if (eh_str_eq_cstr(key, "max-tokens")) {
        rule->has_tokens_name = true;
        return take_name_or_none(src, value, r->arena, &rule->tokens_name, err);
    }
    if (eh_str_eq_cstr(key, "seed")) {
        rule->has_seed_name = true;
        return take_name_or_none(src, value, r->arena, &rule->seed_name, err);
    }
    if (eh_str_eq_cstr(key, "structured-output")) {
        rule->has_schema = true;
        return take_schema(src, value, &rule->schema, err);
    }
    if (eh_str_eq_cstr(key, "logprobs")) {
        rule->has_logprobs = true;
        return take_number(src, value, &alternatives, &rule->logprobs_max, err);
    }
    if (eh_str_eq_cstr(key, "refused"))
        return take_refused(src, value, r->arena, rule, err);
    if (eh_str_eq_cstr(key, "renamed")) return take_renamed(src, value, r, err);
    return fault(src, entry->key_node, err,
                 "a rule has host, base-url, model, n, max-tokens, seed, "
                 "structured-output, logprobs, refused and renamed");
}

eh_status capability_rules_read(yaml_source *src, const yaml_node_t *list,
                                eh_arena *arena, capability_rules *out, eh_error *err) {
    size_t n = yaml_n_items(list);
    *out = (capability_rules){0};
    if (n == 0 || n > MAX_RULES)
        return fault(src, list, err, "capabilities is a list of 1 to 256 rules");
    capability_rule *rules = arena_zalloc(arena, n, sizeof *rules);
    if (!rules) return EH_NOMEM(err);
    for (size_t i = 0; i < n; i++) {
        const yaml_node_t *node = yaml_item(src, list, i);
        rule_reading r = {.arena = arena, .rule = &rules[i]};
        if (!node || node->type != YAML_MAPPING_NODE)
            return fault(src, node, err, "a rule is a mapping of keys");
        EH_TRY(yaml_source_each(src, node, read_key, &r, err));
        if (!rules[i].host.len && !rules[i].base_url.len && !rules[i].model.len)
            return fault(src, node, err,
                         "a rule says for which host, base-url or model it is");
    }
    *out = (capability_rules){rules, n};
    return EH_STATUS_OK;
}

/* ---- applying ---- */

static bool is_host(eh_str host, eh_str wanted) {
    if (eh_str_eq(host, wanted)) return true;
    if (wanted.ptr[0] == '.') return eh_str_ends(host, wanted);
    return eh_str_begins(host, wanted) && host.ptr[wanted.len] == ':';
}

static eh_status rule_fits(const capability_rule *r, const capability_whose *whose,
                           eh_arena *arena, bool *fits, eh_error *err) {
    endpoint wanted = {0};
    *fits = false;
    if (!eh_str_begins(whose->model, r->model)) return EH_STATUS_OK;
    if (r->base_url.len)
        EH_TRY(endpoint_read(whose->codec, r->base_url, arena, &wanted, err));
    for (size_t i = 0; i < whose->n_bases && !*fits; i++)
        *fits = (!r->host.len || is_host(whose->bases[i].host, r->host)) &&
                (!r->base_url.len || eh_str_eq(whose->bases[i].base, wanted.base));
    return EH_STATUS_OK;
}

/* False when there is no room for it; a rule that says it again changes nothing. */
static bool note(capability *c, eh_str name, eh_str other) {
    return capability_learn(c, name, other) || capability_change_of(c, name);
}

static bool refuse(capability *c, eh_str name) {
    if (eh_str_eq_cstr(name, "n"))
        c->n_max = 1;
    else if (eh_str_eq_cstr(name, "max_tokens"))
        c->tokens_name[0] = '\0';
    else if (eh_str_eq_cstr(name, "seed"))
        c->seed_name[0] = '\0';
    else if (eh_str_eq_cstr(name, "response_format"))
        c->schema = CAPABILITY_SCHEMA_NONE;
    else if (eh_str_eq_cstr(name, "logprobs"))
        c->logprobs_max = CAPABILITY_NO_LOGPROBS;
    else
        return note(c, name, EH_STR(""));
    return true;
}

static bool rename_to(capability *c, eh_str name, eh_str other) {
    if (eh_str_eq_cstr(name, "max_tokens"))
        return capability_name_set(c->tokens_name, other);
    if (eh_str_eq_cstr(name, "seed")) return capability_name_set(c->seed_name, other);
    return note(c, name, other);
}

static eh_status apply(const capability_rule *r, capability *c, eh_error *err) {
    bool good = true;
    if (r->n_max) c->n_max = r->n_max;
    if (r->has_tokens_name) good = capability_name_set(c->tokens_name, r->tokens_name);
    if (r->has_seed_name)
        good = good && capability_name_set(c->seed_name, r->seed_name);
    if (r->has_schema) c->schema = r->schema;
    if (r->has_logprobs) c->logprobs_max = r->logprobs_max;
    for (size_t i = 0; i < r->n_renamed; i++)
        good = good && rename_to(c, r->renamed[2 * i], r->renamed[2 * i + 1]);
    for (size_t i = 0; i < r->n_refused; i++)
        good = good && refuse(c, r->refused[i]);
    if (good) return EH_STATUS_OK;
    return EH_FAIL(err, EH_STATUS_CONFIG,
                   "capabilities: more than %d parameters are refused or renamed",
                   (int)CAPABILITY_MAX_CHANGES);
}

eh_status capability_rules_apply(const capability_rules *rules,
                                 const capability_whose *whose, eh_arena *arena,
                                 capability *c, eh_error *err) {
    for (size_t i = 0; i < rules->n; i++) {
        bool fits;
        EH_TRY(rule_fits(&rules->rules[i], whose, arena, &fits, err));
        if (fits) EH_TRY(apply(&rules->rules[i], c, err));
    }
    return EH_STATUS_OK;
}
