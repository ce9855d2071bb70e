/* SPDX-License-Identifier: MIT
 *
 * From a file of options to values, as if they stood on the command line. One file may
 * serve run, audit and doctor, each of which takes what it has options for:
 *
 *   judge: openai:gpt-4.1-mini       --judge openai:gpt-4.1-mini
 *   samples: 5                       --samples 5
 *   always: true                     --always; false is as if it were not there
 *   stages: [0, 2]                   --stages 0,2
 *   map: {answer_1: chosen}          --map answer_1=chosen
 *   extra-body: {top_p: 0.9}         --extra-body '{"top_p": 0.9}'
 *   data: pairs.jsonl                the operand DATA
 *   capabilities: [...]              codec/capability_rules.h
 *
 * A value's text goes through the same reader as on the command line, so both take and
 * refuse the same. What stands on the command line goes first and is not looked at
 * here. Files that are named are looked for from the current folder, as on the command
 * line.
 *
 * Left out: keys of endpoints. A key in a file of options would be copied, committed
 * and sent along; the file may say where it is (key-env, key-file, header-env).
 */
#include "config.h"

#include <stdio.h>

#include "base/file.h"
#include "base/json_write.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "base/suggest.h"

enum { CONFIG_MAX_BYTES = 1 << 20, MAX_DEPTH = 32, KEY_QUOTE_BYTES = 60 };

static const char data_key[] = "data", rules_key[] = "capabilities";

typedef struct config_reading {
    cli_args *args;
    cli_config *config;
} config_reading;

static eh_status fault(const yaml_source *src, const yaml_node_t *node, eh_error *err,
                       const char *what) {
    return yaml_source_fault(src, node, err, what, yaml_scalar(node));
}

/* ---- which option ---- */

/* The row of an option for a verb, or NULL. */
static const cli_option *find_option(cli_verb verb, eh_str name) {
    for (size_t i = 0; i < cli_n_options; i++)
        if (cli_option_is_for(&cli_options[i], verb) &&
            cli_option_is_for_files(&cli_options[i]) &&
            eh_str_eq_cstr(name, cli_options[i].long_name))
            return &cli_options[i];
    return NULL;
}

static eh_status fail_unknown(const yaml_source *src, const yaml_entry *entry,
                              eh_error *err) {
    static const char *const secrets[] = {"key", "api-key", "api_key", "apikey",
                                          "token"};
    for (size_t i = 0; i < sizeof secrets / sizeof secrets[0]; i++)
        if (eh_str_eq_cstr(entry->key, secrets[i]))
            return yaml_source_fault(
                src, entry->key_node, err,
                "a key does not stand in this file; say where it is, by key-env or "
                "key-file, instead of",
                entry->key);
    suggest near = suggest_for(entry->key);
    suggest_offer(&near, eh_str_of(data_key));
    suggest_offer(&near, eh_str_of(rules_key));
    for (size_t i = 0; i < cli_n_options; i++)
        if (cli_option_is_for(&cli_options[i], VERB_run) &&
            cli_option_is_for_files(&cli_options[i]))
            suggest_offer(&near, eh_str_of(cli_options[i].long_name));
    return EH_FAIL(err, src->status, "%s: line %zu: unknown key '%.*s'" SUGGEST_FORMAT,
                   src->where, entry->key_node->start_mark.line + 1,
                   EH_STR_ARG(utf8_cut(entry->key, KEY_QUOTE_BYTES)),
                   SUGGEST_ARGS(near));
}

/* ---- values as texts ---- */

static bool write_json(yaml_source *src, const yaml_node_t *node, int depth,
                       json_writer *w);

/* Plain words of YAML that are no texts in JSON. */
static void write_json_scalar(const yaml_node_t *node, json_writer *w) {
    eh_str text = yaml_scalar(node);
    int64_t whole;
    double number;
    bool is_plain = node->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    if (!is_plain)
        json_str(w, text);
    else if (eh_str_eq_cstr(text, "true") || eh_str_eq_cstr(text, "false"))
        json_bool(w, text.len == 4);
    else if (text.len == 0 || eh_str_eq_cstr(text, "null") || eh_str_eq_cstr(text, "~"))
        json_null(w);
    else if (eh_str_to_i64(text, &whole))
        json_i64(w, whole);
    else if (eh_str_to_f64(text, &number))
        json_f64(w, number);
    else
        json_str(w, text);
}

static bool write_json_mapping(yaml_source *src, const yaml_node_t *node, int depth,
                               json_writer *w) {
    const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
    json_object_begin(w);
    for (; pair < node->data.mapping.pairs.top; pair++) {
        eh_str key = yaml_scalar(yaml_document_get_node(&src->doc, pair->key));
        if (eh_str_is_absent(key)) return false;
        json_key_str(w, key);
        if (!write_json(src, yaml_document_get_node(&src->doc, pair->value), depth, w))
            return false;
    }
    json_object_end(w);
    return true;
}

/* False where it is too deep (a node may hold itself), or a key is no text. */
static bool write_json(yaml_source *src, const yaml_node_t *node, int depth,
                       json_writer *w) {
    if (depth == MAX_DEPTH || w->out->failed) return false;
    if (node->type == YAML_MAPPING_NODE)
        return write_json_mapping(src, node, depth + 1, w);
    if (node->type != YAML_SEQUENCE_NODE) {
        write_json_scalar(node, w);
        return true;
    }
    json_array_begin(w);
    for (size_t i = 0; i < yaml_n_items(node); i++)
        if (!write_json(src, yaml_item(src, node, i), depth + 1, w)) return false;
    json_array_end(w);
    return true;
}

/* [a, b] as "a,b"; false where an element is no text. */
static bool write_list(yaml_source *src, const yaml_node_t *node, eh_buf *out) {
    for (size_t i = 0; i < yaml_n_items(node); i++) {
        eh_str text = yaml_scalar(yaml_item(src, node, i));
        if (text.len == 0 || eh_str_find(text, EH_STR(","), 0) != SIZE_MAX)
            return false;
        buf_printf(out, "%s%.*s", i ? "," : "", EH_STR_ARG(text));
    }
    return yaml_n_items(node) > 0;
}

/* {a: b, c: d} as "a=b,c=d". */
static bool write_equations(yaml_source *src, const yaml_node_t *node, eh_buf *out) {
    const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
    for (; pair < node->data.mapping.pairs.top; pair++) {
        eh_str key = yaml_scalar(yaml_document_get_node(&src->doc, pair->key));
        eh_str text = yaml_scalar(yaml_document_get_node(&src->doc, pair->value));
        if (key.len == 0 || text.len == 0) return false;
        buf_printf(out, "%s%.*s=%.*s", out->len ? "," : "", EH_STR_ARG(key),
                   EH_STR_ARG(text));
    }
    return out->len > 0;
}

/* Writes what would stand on the command line; false for a node of another type. */
static bool write_value(yaml_source *src, const cli_option *o, const yaml_node_t *node,
                        eh_buf *out) {
    json_writer w;
    eh_str text = yaml_scalar(node);
    bool is_list = o->type.kind == CLI_LIST;
    if (node->type == YAML_SCALAR_NODE) {
        buf_add_str(out, text);
        return text.len > 0 && !memchr(text.ptr, '\0', text.len);
    }
    if (is_list && node->type == YAML_SEQUENCE_NODE) return write_list(src, node, out);
    if (is_list && strchr(o->argument, '=')) return write_equations(src, node, out);
    if (o->id != OPT_extra_body || node->type != YAML_MAPPING_NODE) return false;
    json_writer_init(&w, out, 0);
    return write_json(src, node, 0, &w);
}

static eh_status fail_type(const yaml_source *src, const cli_option *o,
                           const yaml_node_t *node, eh_error *err) {
    char what[100];
    const char *wanted = "one value";
    if (o->type.kind == CLI_LIST)
        wanted = strchr(o->argument, '=') ? "a list, or a mapping of texts" : "a list";
    else if (o->id == OPT_extra_body)
        wanted = "a mapping, or the name of a file";
    (void)snprintf(what, sizeof what, "%s: %s is needed here", o->long_name, wanted);
    return yaml_source_fault(src, node, err, what, EH_STR(""));
}

/* ---- values ---- */

static eh_status read_flag(const config_reading *r, yaml_source *src,
                           const cli_option *o, const yaml_node_t *node,
                           eh_error *err) {
    eh_str text = yaml_scalar(node);
    bool on = eh_str_eq_cstr(text, "true");
    if (!on && !eh_str_eq_cstr(text, "false")) {
        char what[100];
        (void)snprintf(what, sizeof what, "%s: true or false is needed here, not",
                       o->long_name);
        return yaml_source_fault(src, node, err, what, text);
    }
    if (on && find_option(r->args->verb, eh_str_of(o->long_name)))
        r->args->values[o->id] = (args_value){.given = true, .kind = CLI_FLAG};
    return EH_STATUS_OK;
}

/* Checks a value, and takes it where the command has the option and its line does not
 * say otherwise. */
static eh_status take_value(const config_reading *r, const yaml_source *src,
                            const cli_option *o, const yaml_node_t *node, eh_str text,
                            eh_error *err) {
    char name[300];
    args_value value = {0};
    const char *copy = arena_dup(&r->config->arena, text);
    if (!copy) return EH_NOMEM(err);
    (void)snprintf(name, sizeof name, "%s: line %zu: %s", src->where,
                   node->start_mark.line + 1, o->long_name);
    EH_TRY(args_value_read(&o->type, name, copy, &value, err));
    if (!find_option(r->args->verb, eh_str_of(o->long_name)) ||
        args_given(r->args, o->id))
        return EH_STATUS_OK;
    value.given = true;
    r->args->values[o->id] = value;
    return EH_STATUS_OK;
}

static eh_status read_option(const config_reading *r, yaml_source *src,
                             const cli_option *o, const yaml_node_t *node,
                             eh_error *err) {
    eh_buf text;
    if (o->type.kind == CLI_FLAG) return read_flag(r, src, o, node, err);
    buf_init(&text, CONFIG_MAX_BYTES);
    bool fits = write_value(src, o, node, &text);
    eh_status status = buf_check(&text, o->long_name, err);
    if (status == EH_STATUS_OK)
        status = fits ? take_value(r, src, o, node, buf_view(&text), err)
                      : fail_type(src, o, node, err);
    buf_deinit(&text);
    return status;
}

/* The operand DATA of `run` and `audit`. The command's own word makes room for it in
 * argv. */
static eh_status read_data(const config_reading *r, const yaml_source *src,
                           const yaml_node_t *node, eh_error *err) {
    cli_args *args = r->args;
    eh_str text = yaml_scalar(node);
    if (eh_str_is_blank(text))
        return fault(src, node, err, "data is the name of a file");
    bool takes_data = args->verb == VERB_run || args->verb == VERB_audit;
    if (!takes_data || args->n_operands > 0) return EH_STATUS_OK;
    char *copy = arena_dup(&r->config->arena, text);
    if (!copy) return EH_NOMEM(err);
    args->operands[args->n_operands++] = copy;
    return EH_STATUS_OK;
}

static eh_status read_entry(void *self, yaml_source *src, const yaml_entry *entry,
                            eh_error *err) {
    const config_reading *r = self;
    if (eh_str_eq_cstr(entry->key, data_key))
        return read_data(r, src, entry->value, err);
    if (eh_str_eq_cstr(entry->key, rules_key))
        return capability_rules_read(src, entry->value, &r->config->arena,
                                     &r->config->rules, err);
    const cli_option *o = find_option(r->args->verb, entry->key);
    if (!o) o = find_option(VERB_run, entry->key);
    if (!o) o = find_option(VERB_audit, entry->key);
    if (!o) return fail_unknown(src, entry, err);
    return read_option(r, src, o, entry->value, err);
}

/* ---- the file ---- */

eh_status config_parse(cli_args *args, const char *where, eh_str text, eh_error *err) {
    config_reading r = {.args = args, .config = mem_zalloc(1, sizeof *r.config)};
    yaml_source src;
    if (!r.config) return EH_NOMEM(err);
    arena_init(&r.config->arena, 16 * CONFIG_MAX_BYTES);
    args->config = r.config;
    EH_TRY(yaml_source_read(&src, where, EH_STATUS_CONFIG, text, err));
    const yaml_node_t *root = yaml_source_root(&src);
    eh_status status = EH_STATUS_OK;
    if (root && root->type != YAML_MAPPING_NODE)
        status = fault(&src, root, err, "a file of options is a mapping of keys");
    else if (root)
        status = yaml_source_each(&src, root, read_entry, &r, err);
    yaml_source_free(&src);
    return status;
}

eh_status config_read(cli_args *args, eh_error *err) {
    const char *path = args_str(args, OPT_config);
    eh_buf text;
    buf_init(&text, CONFIG_MAX_BYTES);
    eh_status status = file_read(path, EH_STATUS_CONFIG, &text, err);
    if (status == EH_STATUS_OK) status = config_parse(args, path, buf_view(&text), err);
    buf_deinit(&text);
    return status;
}

void config_free(cli_config *config) {
    if (!config) return;
    arena_deinit(&config->arena);
    mem_free(config);
}

capability_rules config_rules(const cli_args *args) {
    return args->config ? args->config->rules : (capability_rules){0};
}
