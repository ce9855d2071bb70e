/* SPDX-License-Identifier: MIT
 *
 * The price table: YAML to rows, and from a judge's id to its row.
 *
 *   openai:gpt-4.1-mini-2025-04-14@api.example.org/v1
 *          model        ^date      host
 *
 * An id without a host is at the vendor's own. A row fits when its host is that host
 * (or is not given) and its model is the judge's, perhaps with a date or version behind
 * it. The user's rows go before the built-in ones, longer names before shorter ones. No
 * row is better than a wrong one: gpt-4.1 does not speak for gpt-4.1-mini.
 */
#include <errno.h>
#include <stdio.h>
#include <yaml.h>

#include "base/buf.h"
#include "base/embedded.h"
#include "base/mem.h"
#include "run/price.h"

enum { TABLE_MAX_BYTES = 4 << 20, MAX_ROWS = 10000 };

struct price_table {
    eh_arena arena;
    price_row *rows; /* [n_rows] the user's first */
    size_t n_rows, rows_cap;
};

typedef struct reading {
    price_table *t;
    const char *where;
    yaml_document_t doc;
    eh_error *err;
} reading;

/* ---- YAML ---- */

static eh_status fault(const reading *r, const yaml_node_t *node, const char *what) {
    size_t line = node ? node->start_mark.line + 1 : 1;
    return EH_FAIL(r->err, EH_STATUS_CONFIG, "%s: line %zu: %s", r->where, line, what);
}

static eh_str scalar(const yaml_node_t *node) {
    if (!node || node->type != YAML_SCALAR_NODE) return (eh_str){NULL, 0};
    return (eh_str){(const char *)node->data.scalar.value, node->data.scalar.length};
}

static eh_status read_money(const reading *r, const yaml_node_t *node, int64_t *nusd) {
    double usd;
    if (!eh_str_to_f64(scalar(node), &usd) || !(usd >= 0) || usd > 1e6)
        return fault(r, node, "a price is a number of dollars");
    *nusd = (int64_t)(usd * 1e9 + .5);
    return EH_STATUS_OK;
}

static eh_status read_field(reading *r, const yaml_node_t *key,
                            const yaml_node_t *value, price_row *row) {
    const struct {
        const char *name;
        eh_str *text;
        int64_t *money;
    } fields[] = {
        {"model", &row->model, NULL},        {"host", &row->host, NULL},
        {"date", &row->date, NULL},          {"input", NULL, &row->input_nusd},
        {"cached", NULL, &row->cached_nusd}, {"output", NULL, &row->output_nusd}};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        if (!eh_str_eq_cstr(scalar(key), fields[i].name)) continue;
        if (fields[i].money) return read_money(r, value, fields[i].money);
        eh_str text = scalar(value);
        if (text.len == 0) return fault(r, value, "a text is missing");
        return arena_copy(&r->t->arena, text, fields[i].text) ? EH_STATUS_OK
                                                              : EH_NOMEM(r->err);
    }
    return fault(r, key, "a row has model, host, input, cached, output and date");
}

static eh_status add_row(reading *r, const price_row *row) {
    price_table *t = r->t;
    if (t->n_rows == t->rows_cap) {
        size_t cap = t->rows_cap ? 2 * t->rows_cap : 32;
        price_row *rows = arena_zalloc(&t->arena, cap, sizeof *rows);
        if (!rows) return EH_NOMEM(r->err);
        if (t->n_rows) memcpy(rows, t->rows, t->n_rows * sizeof *rows);
        t->rows = rows;
        t->rows_cap = cap;
    }
    t->rows[t->n_rows++] = *row;
    return EH_STATUS_OK;
}

static eh_status read_row(reading *r, const yaml_node_t *node) {
    price_row row = {.input_nusd = -1, .cached_nusd = -1, .output_nusd = -1};
    if (!node || node->type != YAML_MAPPING_NODE)
        return fault(r, node, "a row of prices is a mapping");
    for (const yaml_node_pair_t *p = node->data.mapping.pairs.start;
         p < node->data.mapping.pairs.top; p++)
        EH_TRY(read_field(r, yaml_document_get_node(&r->doc, p->key),
                          yaml_document_get_node(&r->doc, p->value), &row));
    if (!row.model.len || row.input_nusd < 0 || row.output_nusd < 0)
        return fault(r, node, "a row needs model, input and output");
    if (r->t->n_rows == MAX_ROWS) return fault(r, node, "more than 10000 rows");
    return add_row(r, &row);
}

static eh_status read_root(reading *r) {
    const yaml_node_t *root = yaml_document_get_root_node(&r->doc);
    const yaml_node_t *list = NULL;
    if (root && root->type == YAML_MAPPING_NODE &&
        root->data.mapping.pairs.top - root->data.mapping.pairs.start == 1) {
        const yaml_node_pair_t *only = root->data.mapping.pairs.start;
        if (eh_str_eq_cstr(scalar(yaml_document_get_node(&r->doc, only->key)),
                           "prices"))
            list = yaml_document_get_node(&r->doc, only->value);
    }
    if (!list || list->type != YAML_SEQUENCE_NODE)
        return EH_FAIL(r->err, EH_STATUS_CONFIG, "%s: is no list under `prices:`",
                       r->where);
    for (const yaml_node_item_t *i = list->data.sequence.items.start;
         i < list->data.sequence.items.top; i++)
        EH_TRY(read_row(r, yaml_document_get_node(&r->doc, *i)));
    return EH_STATUS_OK;
}

static eh_status read_text(price_table *t, eh_str text, const char *where,
                           eh_error *err) {
    reading r = {.t = t, .where = where, .err = err};
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser)) return EH_NOMEM(err);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text.ptr, text.len);
    eh_status status;
    if (yaml_parser_load(&parser, &r.doc)) {
        status = read_root(&r);
        yaml_document_delete(&r.doc);
    } else {
        status = EH_FAIL(err, EH_STATUS_CONFIG, "%s: line %zu: %s", where,
                         parser.problem_mark.line + 1,
                         parser.problem ? parser.problem : "not YAML");
    }
    yaml_parser_delete(&parser);
    return status;
}

static eh_status read_file(price_table *t, const char *path, eh_error *err) {
    eh_buf text;
    char block[4096];
    size_t n;
    FILE *file = fopen(path, "rb");
    if (!file) return EH_FAIL(err, EH_STATUS_CONFIG, "%s: %s", path, strerror(errno));
    buf_init(&text, TABLE_MAX_BYTES);
    while ((n = fread(block, 1, sizeof block, file)) > 0)
        buf_add(&text, block, n);
    bool failed = ferror(file) != 0;
    (void)fclose(file);
    eh_status status = buf_check(&text, path, err);
    if (failed) status = EH_FAIL(err, EH_STATUS_CONFIG, "%s: cannot be read", path);
    if (status == EH_STATUS_OK) status = read_text(t, buf_view(&text), path, err);
    buf_deinit(&text);
    return status;
}

eh_status price_table_load(const char *path, price_table **out, eh_error *err) {
    price_table *t = mem_zalloc(1, sizeof *t);
    *out = NULL;
    if (!t) return EH_NOMEM(err);
    arena_init(&t->arena, 4 * TABLE_MAX_BYTES);
    eh_status status = path ? read_file(t, path, err) : EH_STATUS_OK;
    eh_str own = {embedded_prices[0].text, embedded_prices[0].len};
    if (status == EH_STATUS_OK) status = read_text(t, own, "built-in prices", err);
    if (status != EH_STATUS_OK) {
        price_table_free(t);
        return status;
    }
    *out = t;
    return EH_STATUS_OK;
}

void price_table_free(price_table *t) {
    if (!t) return;
    arena_deinit(&t->arena);
    mem_free(t);
}

/* ---- looking up ---- */

/* Behind the name nothing, or a version: @..., or - and at least four digits. */
static bool is_model(eh_str wanted, eh_str name) {
    enum { DATE_DIGITS = 4 };
    if (!eh_str_begins(wanted, name)) return false;
    eh_str rest = eh_str_slice(wanted, name.len, wanted.len);
    if (rest.len == 0 || rest.ptr[0] == '@') return true;
    if (rest.ptr[0] != '-' || rest.len <= DATE_DIGITS) return false;
    for (size_t i = 1; i <= DATE_DIGITS; i++)
        if (rest.ptr[i] < '0' || rest.ptr[i] > '9') return false;
    return true;
}

static bool is_host(eh_str host, eh_str of_row) {
    return of_row.len == 0 || eh_str_eq(host, of_row);
}

typedef struct judge_name {
    eh_str model, host;
} judge_name;

static judge_name split_id(eh_str id) {
    static const struct {
        const char *backend, *host;
    } vendors[] = {{"openai:", "api.openai.com"}, {"anthropic:", "api.anthropic.com"}};
    judge_name name = {.model = id};
    for (size_t i = 0; i < sizeof vendors / sizeof vendors[0]; i++) {
        eh_str backend = eh_str_of(vendors[i].backend);
        if (!eh_str_begins(id, backend)) continue;
        name.model = eh_str_slice(id, backend.len, id.len);
        name.host = eh_str_of(vendors[i].host);
        size_t at = eh_str_find(name.model, EH_STR("@"), 0);
        if (at == SIZE_MAX) break;
        name.host = eh_str_slice(name.model, at + 1, name.model.len);
        name.model = eh_str_slice(name.model, 0, at);
        size_t slash = eh_str_find(name.host, EH_STR("/"), 0);
        if (slash != SIZE_MAX) name.host = eh_str_slice(name.host, 0, slash);
    }
    return name;
}

const price_row *price_find(const price_table *t, eh_str judge_id) {
    judge_name name = split_id(judge_id);
    const price_row *best = NULL;
    for (size_t i = 0; i < t->n_rows; i++) {
        const price_row *row = &t->rows[i];
        if (!is_host(name.host, row->host)) continue;
        if (!is_model(name.model, row->model) && !eh_str_eq(judge_id, row->model))
            continue;
        if (!best || row->model.len > best->model.len) best = row;
    }
    return best;
}

void price_summary(const price_table *t, report_summary *summary) {
    for (size_t i = 0; i < summary->n_judges; i++) {
        report_judge *j = &summary->judges[i];
        const price_row *row = price_find(t, j->judge_id);
        judge_usage usage = {j->prompt_tokens, j->cached_tokens, j->completion_tokens,
                             j->reasoning_tokens};
        if (!row) continue;
        j->cost_nusd = price_cost_nusd(row, &usage);
        j->price_date = row->date;
    }
}
