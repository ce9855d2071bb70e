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
#include "base/embedded.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/yaml_read.h"
#include "run/price.h"

enum { TABLE_MAX_BYTES = 4 << 20, MAX_ROWS = 10000 };

struct price_table {
    eh_arena arena;
    price_row *rows; /* [n_rows] the user's first */
    size_t n_rows, rows_cap;
};

/* ---- YAML ---- */

typedef struct row_reading {
    price_table *t;
    price_row row;
} row_reading;

static eh_status fault(const yaml_source *src, const yaml_node_t *node, eh_error *err,
                       const char *what) {
    return yaml_source_fault(src, node, err, what, EH_STR(""));
}

static eh_status read_money(const yaml_source *src, const yaml_node_t *node,
                            int64_t *nusd, eh_error *err) {
    double usd;
    if (!eh_str_to_f64(yaml_scalar(node), &usd) || !(usd >= 0) || usd > 1e6)
        return fault(src, node, err, "a price is a number of dollars");
    *nusd = (int64_t)(usd * 1e9 + .5);
    return EH_STATUS_OK;
}

static eh_status read_text_of(price_table *t, const yaml_source *src,
                              const yaml_node_t *node, eh_str *out, eh_error *err) {
    eh_str text = yaml_scalar(node);
    if (text.len == 0) return fault(src, node, err, "a text is missing");
    return arena_copy(&t->arena, text, out) ? EH_STATUS_OK : EH_NOMEM(err);
}

static eh_status read_field(void *self, yaml_source *src, const yaml_entry *entry,
                            eh_error *err) {
    row_reading *r = self;
    price_row *row = &r->row;
    const struct {
        const char *name;
        eh_str *to;
    } texts[] = {{"model", &row->model}, {"host", &row->host}, {"date", &row->date}};
    const struct {
        const char *name;
        int64_t *to;
    } money[] = {{"input", &row->input_nusd},
                 {"cached", &row->cached_nusd},
                 {"output", &row->output_nusd}};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (eh_str_eq_cstr(entry->key, texts[i].name))
            return read_text_of(r->t, src, entry->value, texts[i].to, err);
    for (size_t i = 0; i < sizeof money / sizeof money[0]; i++)
        if (eh_str_eq_cstr(entry->key, money[i].name))
            return read_money(src, entry->value, money[i].to, err);
    return yaml_source_fault(
        src, entry->key_node, err,
        "a row has model, host, input, cached, output and date, not", entry->key);
}

static eh_status add_row(price_table *t, const price_row *row, eh_error *err) {
    if (t->n_rows == t->rows_cap) {
        size_t cap = t->rows_cap ? 2 * t->rows_cap : 32;
        price_row *rows = arena_zalloc(&t->arena, cap, sizeof *rows);
        if (!rows) return EH_NOMEM(err);
        if (t->n_rows) memcpy(rows, t->rows, t->n_rows * sizeof *rows);
        t->rows = rows;
        t->rows_cap = cap;
    }
    t->rows[t->n_rows++] = *row;
    return EH_STATUS_OK;
}

static eh_status read_row(price_table *t, yaml_source *src, const yaml_node_t *node,
                          eh_error *err) {
    row_reading r = {.t = t,
                     .row = {.input_nusd = -1, .cached_nusd = -1, .output_nusd = -1}};
    if (!node || node->type != YAML_MAPPING_NODE)
        return fault(src, node, err, "a row of prices is a mapping");
    EH_TRY(yaml_source_each(src, node, read_field, &r, err));
    if (!r.row.model.len || r.row.input_nusd < 0 || r.row.output_nusd < 0)
        return fault(src, node, err, "a row needs model, input and output");
    if (t->n_rows == MAX_ROWS) return fault(src, node, err, "more than 10000 rows");
    return add_row(t, &r.row, err);
}

static eh_status find_list(void *self, yaml_source *src, const yaml_entry *entry,
                           eh_error *err) {
    const yaml_node_t **list = self;
    if (!eh_str_eq_cstr(entry->key, "prices"))
        return yaml_source_fault(src, entry->key_node, err,
                                 "the rows stand under prices:, not under", entry->key);
    *list = entry->value;
    return EH_STATUS_OK;
}

static eh_status read_rows(price_table *t, yaml_source *src, eh_error *err) {
    const yaml_node_t *root = yaml_source_root(src), *list = NULL;
    if (root && root->type == YAML_MAPPING_NODE)
        EH_TRY(yaml_source_each(src, root, find_list, &list, err));
    if (!list || list->type != YAML_SEQUENCE_NODE)
        return EH_FAIL(err, EH_STATUS_CONFIG,
                       "%s: no list of rows stands under prices:", src->where);
    for (size_t i = 0; i < yaml_n_items(list); i++)
        EH_TRY(read_row(t, src, yaml_item(src, list, i), err));
    return EH_STATUS_OK;
}

static eh_status read_text(price_table *t, eh_str text, const char *where,
                           eh_error *err) {
    yaml_source src;
    EH_TRY(yaml_source_read(&src, where, EH_STATUS_CONFIG, text, err));
    eh_status status = read_rows(t, &src, err);
    yaml_source_free(&src);
    return status;
}

static eh_status read_own(price_table *t, const char *path, eh_error *err) {
    eh_buf text;
    buf_init(&text, TABLE_MAX_BYTES);
    eh_status status = file_read(path, EH_STATUS_CONFIG, &text, err);
    if (status == EH_STATUS_OK) status = read_text(t, buf_view(&text), path, err);
    buf_deinit(&text);
    return status;
}

eh_status price_table_load(const char *path, price_table **out, eh_error *err) {
    price_table *t = mem_zalloc(1, sizeof *t);
    *out = NULL;
    if (!t) return EH_NOMEM(err);
    arena_init(&t->arena, 4 * TABLE_MAX_BYTES);
    eh_status status = path ? read_own(t, path, err) : EH_STATUS_OK;
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

static void price_embeddings(const price_table *t, report_portia *p) {
    const price_row *row = p->embedder.id.len ? price_find(t, p->embedder.id) : NULL;
    judge_usage usage = {.prompt_tokens = p->embedder.prompt_tokens,
                         .cached_tokens = -1,
                         .reasoning_tokens = -1};
    if (row) p->embedder.cost_nusd = price_cost_nusd(row, &usage);
}

void price_judge(const price_table *t, report_judge *j) {
    const price_row *row = price_find(t, j->judge_id);
    judge_usage usage = {j->prompt_tokens, j->cached_tokens, j->completion_tokens,
                         j->reasoning_tokens};
    price_embeddings(t, &j->portia);
    if (!row) return;
    j->cost_nusd = price_cost_nusd(row, &usage);
    j->price_date = row->date;
}

void price_summary(const price_table *t, report_summary *summary) {
    for (size_t i = 0; i < summary->n_judges; i++)
        price_judge(t, &summary->judges[i]);
}

eh_status price_pair(const price_row *row, ledger *l, int64_t judge_row,
                     int64_t pair_row, const plan_spec *plan, int64_t *nusd,
                     eh_error *err) {
    ledger_usage sum;
    *nusd = -1;
    if (!row) return EH_STATUS_OK;
    EH_TRY(ledger_pair_usage(l, judge_row, pair_row, plan, &sum, err));
    judge_usage usage = {sum.prompt_tokens, sum.cached_tokens, sum.completion_tokens,
                         sum.reasoning_tokens};
    *nusd = price_cost_nusd(row, &usage);
    return EH_STATUS_OK;
}
