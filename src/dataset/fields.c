/* SPDX-License-Identifier: MIT
 *
 * The table of field types, and the loop over a table of fields.
 *
 *   row {"id": 7, "answer_1": "..", "x": 1}      specs: id question answer_1 answer_2
 *        fields_find  -> values [7, -, "..", -], others [x]
 *        fields_read  -> record.id = "7", record.answer_1 = "..",
 *                        missing_field question, missing_field answer_2
 *
 * A reader turns one JSON value into the member of a struct or refuses it; the message
 * is made here from what was wanted and what stood there. Words such as verdicts may
 * also be written as numbers (1 for "1"): like ids they count by their literal text.
 *
 * A CSV row comes as an object of strings. A cell of a type that is no text is read as
 * JSON where it is some; an empty cell of an optional field is as if absent. A column
 * that the header lacks is reported once, not for each row.
 */
#include "dataset/fields.h"

#include <ctype.h>
#include <math.h>

#include "base/json_write.h"
#include "base/terms.h"
#include "base/utf8.h"
#include "dataset/messages.h"
#include "dataset/tree.h"

typedef enum read_result { READ_OK, READ_REFUSED, READ_NOMEM } read_result;

typedef read_result field_reader(const json_value *v, eh_arena *arena, void *dest);

static read_result accept_if(bool ok) {
    return ok ? READ_OK : READ_REFUSED;
}

/* What a string or number holds as it was written; absent for others. */
static eh_str literal(const json_value *v) {
    bool has = v->kind == JSON_STRING || v->kind == JSON_NUMBER;
    return has ? v->text : (eh_str){NULL, 0};
}

/* Fills an eh_str. */
static read_result read_id(const json_value *v, eh_arena *arena, void *dest) {
    (void)arena;
    eh_str text = literal(v);
    if (text.len) *(eh_str *)dest = text;
    return accept_if(text.len > 0);
}

/* Fills an eh_str. */
static read_result read_text(const json_value *v, eh_arena *arena, void *dest) {
    (void)arena;
    if (v->kind == JSON_STRING) *(eh_str *)dest = v->text;
    return accept_if(v->kind == JSON_STRING);
}

/* Fills an eh_str. */
static read_result read_scalar(const json_value *v, eh_arena *arena, void *dest) {
    (void)arena;
    eh_str text = literal(v);
    if (v->kind == JSON_BOOL) text = v->boolean ? EH_STR("true") : EH_STR("false");
    *(eh_str *)dest = text;
    return accept_if(!eh_str_is_absent(text));
}

/* Fills a field_speech. */
static read_result read_speech(const json_value *v, eh_arena *arena, void *dest) {
    (void)arena;
    field_speech *speech = dest;
    bool is_list = messages_are_valid(v) && v->n > 0;
    if (v->kind == JSON_STRING) speech->text = v->text;
    if (is_list) speech->list = v;
    return accept_if(v->kind == JSON_STRING || is_list);
}

/* Fills an eh_str with JSON text; an empty list is as if absent. */
static read_result read_turns(const json_value *v, eh_arena *arena, void *dest) {
    if (!messages_are_valid(v)) return READ_REFUSED;
    if (v->n == 0) return READ_OK;
    bool ok = tree_text(v->child, v->n, arena, dest);
    return ok ? READ_OK : READ_NOMEM;
}

/* Fills a const json_value *. */
static read_result read_any(const json_value *v, eh_arena *arena, void *dest) {
    (void)arena;
    *(const json_value **)dest = v;
    return READ_OK;
}

/* Fills an eh_order. */
static read_result read_order(const json_value *v, eh_arena *arena, void *dest) {
    (void)arena;
    eh_str text = literal(v);
    bool is_12 = eh_str_eq_cstr(text, "12");
    *(eh_order *)dest = is_12 ? EH_ORDER_12 : EH_ORDER_21;
    return accept_if(is_12 || eh_str_eq_cstr(text, "21"));
}

/* Fills an eh_verdict. */
static read_result read_verdict(const json_value *v, eh_arena *arena, void *dest) {
    (void)arena;
    eh_verdict verdict = eh_verdict_parse(literal(v));
    *(eh_verdict *)dest = verdict;
    return accept_if(verdict != EH_VERDICT_NONE);
}

/* Fills an int64_t. */
static read_result read_count(const json_value *v, eh_arena *arena, void *dest) {
    (void)arena;
    int64_t *n = dest;
    return accept_if(v->kind == JSON_NUMBER && eh_str_to_i64(v->text, n) && *n >= 0);
}

/* Fills a double. */
static read_result read_number(const json_value *v, eh_arena *arena, void *dest) {
    (void)arena;
    double *x = dest;
    return accept_if(v->kind == JSON_NUMBER && eh_str_to_f64(v->text, x) &&
                     isfinite(*x));
}

/* Fills an int with 0 or 1. */
static read_result read_flag(const json_value *v, eh_arena *arena, void *dest) {
    (void)arena;
    *(int *)dest = v->boolean;
    return accept_if(v->kind == JSON_BOOL);
}

static const struct {
    field_reader *read;
    const char *want;
    bool is_json;
} type_table[] = {
#define X(id, reader, want, is_json) {reader, want, is_json},
    FIELD_TYPE_LIST(X)
#undef X
};

static bool is_mapped(const field_table *table, size_t i) {
    return table->map && !eh_str_is_absent(table->map->paths[i]);
}

static bool is_named(const field_table *table, size_t i, eh_str name) {
    const field_spec *spec = &table->specs[i];
    return !is_mapped(table, i) && (eh_str_eq_cstr(name, spec->name) ||
                                    (spec->alias && eh_str_eq_cstr(name, spec->alias)));
}

bool fields_know(const field_table *table, eh_str name) {
    for (size_t i = 0; i < table->n_specs; i++)
        if (is_named(table, i, name) ||
            (is_mapped(table, i) && map_starts_at(table->map->paths[i], name)))
            return true;
    return false;
}

/* The value of field i, which may be mapped, or have its second name. */
static const json_value *find_value(const field_table *table, size_t i,
                                    const json_value *object) {
    const field_spec *spec = &table->specs[i];
    if (is_mapped(table, i)) return map_find(object, table->map->paths[i]);
    const json_value *v = json_get(object, spec->name);
    return v || !spec->alias ? v : json_get(object, spec->alias);
}

bool fields_find(const field_table *table, const dataset_row *from, eh_arena *arena,
                 field_set *set) {
    *set = (field_set){0};
    set->others = arena_zalloc(arena, from->object->n, sizeof(const json_value *));
    if (!set->others) return false;
    for (size_t i = 0; i < table->n_specs; i++)
        set->values[i] = find_value(table, i, from->object);
    for (const json_value *m = from->object->child; m; m = m->next) {
        size_t i = 0;
        while (i < table->n_specs && set->values[i] != m)
            i++;
        if (i == table->n_specs) set->others[set->n_others++] = m;
    }
    return true;
}

void fields_refuse(dataset_row *from, const fault_log *log, dataset_fault_kind kind,
                   eh_str id, const char *field, const char *detail) {
    bool is_column = from->cells && kind == DATASET_FAULT_MISSING_FIELD;
    from->is_bad = true;
    if (is_column && from->header_line == 0) return; /* said at the first row */
    dataset_fault fault = fault_at(kind, is_column ? from->header_line : from->line);
    if (!is_column) fault.id = id;
    fault.field = eh_str_of(field);
    fault.detail = is_column && !detail ? EH_STR("the header has no such column")
                                        : eh_str_of(detail);
    fault_report(log, fault);
}

/* "a number is needed, not a list"; of strings and numbers also what they hold. */
static char *wrong_type_detail(field_type type, const json_value *v, eh_arena *arena) {
    enum { SHOWN_BYTES = 40 };
    const char *want = type_table[type].want;
    const char *found = tree_kind_name(v);
    eh_str text = utf8_cut(literal(v), SHOWN_BYTES);
    if (v->kind == JSON_STRING && text.len == 0) found = "an empty string";
    return text.len == 0 ? arena_printf(arena, "%s is needed, not %s", want, found)
                         : arena_printf(arena, "%s is needed, not %s (%.*s)", want,
                                        found, EH_STR_ARG(text));
}

/* Sets *v to what a CSV cell holds: nothing where it is empty and optional, JSON where
 * the type is no text and the cell holds some. Excel writes TRUE, Python True. False
 * when the arena is full. */
static bool read_cell(const field_spec *spec, json_reader *cells, eh_arena *arena,
                      const json_value **v) {
    eh_str cell = (*v)->text;
    if (cell.len == 0 && spec->need == FIELD_OPTIONAL) *v = NULL;
    if (!*v || !type_table[spec->type].is_json) return true;
    char *text = arena_dup(arena, cell);
    if (!text) return false;
    for (size_t i = 0; spec->type == FIELD_FLAG && i < cell.len; i++)
        text[i] = (char)tolower((unsigned char)text[i]);
    json_fault fault;
    const json_value *json = json_read(cells, arena, (eh_str){text, cell.len}, &fault);
    if (json) *v = json;
    return json || fault.kind != JSON_FAULT_NOMEM;
}

bool fields_read(const field_table *table, const field_set *set, dataset_row *from,
                 void *record, const fault_log *log, eh_arena *arena) {
    const eh_str *id = (const void *)((const char *)record + table->specs[0].offset);
    for (size_t i = 0; i < table->n_specs; i++) {
        const field_spec *spec = &table->specs[i];
        const json_value *v = set->values[i];
        if (!v && spec->need == FIELD_REQUIRED)
            fields_refuse(from, log, DATASET_FAULT_MISSING_FIELD, *id, spec->name,
                          NULL);
        if (v && from->cells && !read_cell(spec, from->cells, arena, &v)) return false;
        if (!v || (v->kind == JSON_NULL && spec->need == FIELD_OPTIONAL)) continue;
        read_result result =
            type_table[spec->type].read(v, arena, (char *)record + spec->offset);
        if (result == READ_NOMEM) return false;
        if (result == READ_REFUSED)
            fields_refuse(from, log, DATASET_FAULT_WRONG_TYPE, *id, spec->name,
                          wrong_type_detail(spec->type, v, arena));
    }
    return true;
}

static void put_member(eh_buf *out, const json_value *member, eh_str key,
                       const field_set *set) {
    buf_add_char(out, out->len ? ',' : '{');
    json_quote(out, key);
    buf_add_char(out, ':');
    tree_write(out, member, set->values, FIELD_MAP_MAX);
}

static bool may_be_flattened(const json_value *meta, const field_set *set) {
    if (meta->kind != JSON_OBJECT) return false;
    tree_index others = tree_index_make(set->others, set->n_others);
    for (const json_value *m = meta->child; m; m = m->next)
        if (tree_index_has(&others, m->key)) return false;
    return true;
}

void fields_write_others(const field_set *set, const json_value *meta, eh_buf *out) {
    buf_reset(out);
    for (size_t i = 0; i < set->n_others; i++)
        put_member(out, set->others[i], set->others[i]->key, set);
    if (meta && !may_be_flattened(meta, set))
        put_member(out, meta, EH_STR("meta"), set);
    else
        for (const json_value *m = meta ? meta->child : NULL; m; m = m->next)
            put_member(out, m, m->key, set);
    if (out->len) buf_add_char(out, '}');
}

eh_status row_nomem(const fault_log *log, const dataset_row *from, eh_error *err) {
    return EH_FAIL(err, EH_STATUS_NOMEM, "%s: line %lld: out of memory", log->file,
                   (long long)from->line);
}

static void warn(const dataset_row *from, const fault_log *log, eh_str id,
                 dataset_fault_kind kind, int64_t count) {
    if (count == 0) return;
    dataset_fault fault = fault_at(kind, from->line);
    fault.id = id;
    fault.count = count;
    fault_report(log, fault);
}

void fields_warn(const dataset_row *from, const fault_log *log, eh_str id) {
    warn(from, log, id, DATASET_FAULT_REPLACED_SURROGATE, from->n_replaced_surrogates);
    warn(from, log, id, DATASET_FAULT_CONTAINS_NUL, tree_count_nul(from->object));
    if (eh_str_is_absent(from->cut_column)) return;
    dataset_fault fault = fault_at(DATASET_FAULT_CUT_CELL, from->line);
    fault.id = id;
    fault.field = from->cut_column;
    fault.detail = EH_STR("as long as a cell of a spreadsheet can be");
    fault_report(log, fault);
}
