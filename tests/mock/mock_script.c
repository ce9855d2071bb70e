/* SPDX-License-Identifier: MIT
 *
 * The script: one JSON object a line, each a rule. The first rule that applies to a
 * request decides it. An unknown field is an error, so that a test cannot mean a fault
 * that never happens.
 */
#include <stdio.h>
#include <stdlib.h>

#include "mock.h"

/* X(field) of the numbers. */
#define NUMBER_LIST(X)                                                                 \
    X(times)                                                                           \
    X(after)                                                                           \
    X(if_n_over)                                                                       \
    X(status)                                                                          \
    X(delay_ms)                                                                        \
    X(close_after_bytes)                                                               \
    X(stall_after_bytes)                                                               \
    X(drip_bytes)                                                                      \
    X(every_ms)

/* X(field) of the truths. */
#define BOOL_LIST(X)                                                                   \
    X(if_gzip)                                                                         \
    X(no_answer)                                                                       \
    X(reset)                                                                           \
    X(gzip)                                                                            \
    X(claim_gzip)                                                                      \
    X(chunked)                                                                         \
    X(hang_up)

static bool read_headers(mock_rule *r, const json_value *v) {
    for (const json_value *h = v->child; h; h = h->next) {
        if (r->n_headers == MOCK_MAX_HEADERS) return false;
        r->header_names[r->n_headers] = h->key;
        r->header_values[r->n_headers++] = h->text;
    }
    return v->kind == JSON_OBJECT;
}

static bool read_field(mock_rule *r, const json_value *v) {
#define X(field)                                                                       \
    if (eh_str_eq_cstr(v->key, #field)) return eh_str_to_i64(v->text, &r->field);
    NUMBER_LIST(X)
#undef X
#define X(field)                                                                       \
    if (eh_str_eq_cstr(v->key, #field)) {                                              \
        r->field = v->boolean;                                                         \
        return v->kind == JSON_BOOL;                                                   \
    }
    BOOL_LIST(X)
#undef X
    if (eh_str_eq_cstr(v->key, "share")) return eh_str_to_f64(v->text, &r->share);
    if (eh_str_eq_cstr(v->key, "headers")) return read_headers(r, v);
    if (v->kind != JSON_STRING) return false;
    if (eh_str_eq_cstr(v->key, "if_param"))
        r->if_param = v->text;
    else if (eh_str_eq_cstr(v->key, "if_route"))
        r->if_route = v->text;
    else if (eh_str_eq_cstr(v->key, "body"))
        r->body = v->text;
    else
        return false;
    return true;
}

static bool read_rule(mock *m, eh_str line, const char *path) {
    json_fault fault;
    const json_value *root = json_read(m->reader, &m->arena, line, &fault);
    if (!root || root->kind != JSON_OBJECT || m->n_rules == MOCK_MAX_RULES) {
        (void)fprintf(stderr, "mock: %s: rule %zu is no object\n", path,
                      m->n_rules + 1);
        return false;
    }
    mock_rule *r = &m->rules[m->n_rules++];
    *r = (mock_rule){.times = -1,
                     .after = -1,
                     .if_n_over = -1,
                     .share = -1,
                     .status = 200,
                     .close_after_bytes = -1,
                     .stall_after_bytes = -1};
    for (const json_value *v = root->child; v; v = v->next) {
        if (read_field(r, v)) continue;
        (void)fprintf(stderr, "mock: %s: rule %zu: bad field '%.*s'\n", path,
                      m->n_rules, EH_STR_ARG(v->key));
        return false;
    }
    return true;
}

bool mock_script_read(mock *m, const char *path) {
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t cap = 0;
    ssize_t len;
    bool good = file != NULL;
    if (!good) (void)fprintf(stderr, "mock: %s cannot be read\n", path);
    while (good && (len = getline(&line, &cap, file)) > 0) {
        eh_str text = eh_str_trim((eh_str){line, (size_t)len});
        if (text.len) good = read_rule(m, text, path);
    }
    free(line);
    if (file) (void)fclose(file);
    return good;
}
