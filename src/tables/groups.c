/* SPDX-License-Identifier: MIT
 *
 * Groups.
 *
 *   pair -> value of the field -> the group's tally      one pass a judge
 *
 * The cursor runs by question for all groups at once: within a group, too, pairs of one
 * question are neighbours, which is what clustered intervals need. Groups are found by
 * a sorted list of names.
 *
 * Left out: corrections for having looked at many groups. One interval in twenty misses
 * by chance, and the text says so; who claims a difference should test it.
 */
#include "tables/groups.h"

#include <stdlib.h>

#include "base/json_read.h"
#include "report/write.h"
#include "tally/counts.h"

typedef struct slot {
    tables_group group;
    tally_counts tally;
} slot;

typedef struct grouper {
    const tally_books *books;
    eh_str field;
    eh_arena *arena; /* what stays */
    eh_arena scratch;
    json_reader *reader;
    slot *slots[TABLES_GROUPS_MAX + 1]; /* [n_slots] by name; the absent one first */
    size_t n_slots;
    bool any_value;
} grouper;

/* ---- a pair's value ---- */

/* The member at a path of names parted by dots. */
static const json_value *at_path(const json_value *object, eh_str path) {
    eh_str name;
    while (object && eh_str_split(&path, '.', &name)) {
        const json_value *m = object->kind == JSON_OBJECT ? object->child : NULL;
        while (m && !eh_str_eq(m->key, name))
            m = m->next;
        object = m;
    }
    return object;
}

static eh_str text_of(const json_value *v) {
    if (!v) return (eh_str){NULL, 0};
    switch (v->kind) {
    case JSON_STRING:
    case JSON_NUMBER: return v->text;
    case JSON_BOOL: return v->boolean ? EH_STR("true") : EH_STR("false");
    case JSON_NULL:
    case JSON_ARRAY:
    case JSON_OBJECT: break;
    }
    return (eh_str){NULL, 0};
}

/* From the other fields of the row, else from its `meta`. */
static eh_status meta_value(grouper *g, ledger *l, const ledger_pair *pair,
                            eh_str *value, eh_error *err) {
    eh_str meta;
    json_fault fault;
    *value = (eh_str){NULL, 0};
    EH_TRY(ledger_pair_meta(l, pair->row, &g->scratch, &meta, err));
    if (meta.len == 0) return EH_STATUS_OK;
    const json_value *root = json_read(g->reader, &g->scratch, meta, &fault);
    if (!root && fault.kind == JSON_FAULT_NOMEM) return EH_NOMEM(err);
    *value = text_of(at_path(root, g->field));
    if (eh_str_is_absent(*value))
        *value = text_of(at_path(json_get(root, "meta"), g->field));
    return EH_STATUS_OK;
}

static eh_status models_value(grouper *g, const ledger_pair *pair, eh_str *value,
                              eh_error *err) {
    *value = (eh_str){NULL, 0};
    if (pair->model_1.len == 0 && pair->model_2.len == 0) return EH_STATUS_OK;
    char *text = arena_printf(&g->scratch, "%.*s vs %.*s", EH_STR_ARG(pair->model_1),
                              EH_STR_ARG(pair->model_2));
    if (!text) return EH_NOMEM(err);
    *value = eh_str_of(text);
    return EH_STATUS_OK;
}

static eh_status value_of(grouper *g, ledger *l, const ledger_pair *pair, eh_str *value,
                          eh_error *err) {
    if (eh_str_eq_cstr(g->field, "models")) return models_value(g, pair, value, err);
    if (eh_str_eq_cstr(g->field, "category"))
        *value = pair->category;
    else if (eh_str_eq_cstr(g->field, "model_1"))
        *value = pair->model_1;
    else if (eh_str_eq_cstr(g->field, "model_2"))
        *value = pair->model_2;
    else
        return meta_value(g, l, pair, value, err);
    return EH_STATUS_OK;
}

/* ---- slots ---- */

static int by_name(eh_str a, eh_str b) {
    bool none_a = eh_str_is_absent(a), none_b = eh_str_is_absent(b);
    if (none_a || none_b) return (int)none_b - (int)none_a;
    return eh_str_cmp(a, b);
}

/* The place of a name, and whether it is there. */
static bool find_slot(const grouper *g, eh_str name, size_t *at) {
    size_t low = 0, high = g->n_slots;
    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = by_name(g->slots[middle]->group.name, name);
        if (order == 0) {
            *at = middle;
            return true;
        }
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    *at = low;
    return false;
}

static eh_status slot_for(grouper *g, const tally_view *view, eh_str name, slot **found,
                          eh_error *err) {
    size_t at;
    if (find_slot(g, name, &at)) {
        *found = g->slots[at];
        return EH_STATUS_OK;
    }
    bool has_none = g->n_slots && eh_str_is_absent(g->slots[0]->group.name);
    if (!eh_str_is_absent(name) && g->n_slots - has_none == TABLES_GROUPS_MAX)
        return EH_FAIL(
            err, EH_STATUS_USAGE,
            "--by: '%.*s' has more than %d values; it is meant for groups of pairs",
            EH_STR_ARG(g->field), TABLES_GROUPS_MAX);
    slot *s = arena_zalloc(g->arena, 1, sizeof *s);
    if (!s || !arena_copy(g->arena, name, &s->group.name)) return EH_NOMEM(err);
    tally_counts_begin(&s->tally, view, g->arena, &s->group.judge);
    s->tally.without_trends = true;
    memmove(&g->slots[at + 1], &g->slots[at], (g->n_slots - at) * sizeof(slot *));
    g->slots[at] = s;
    g->n_slots++;
    *found = s;
    return EH_STATUS_OK;
}

static eh_status take_pairs(grouper *g, const tally_view *view, ledger *l,
                            ledger_cursor *c, eh_error *err) {
    for (;;) {
        ledger_pair pair;
        tally_ruled ruled;
        tally_label label;
        eh_str value;
        slot *s = NULL;
        bool got;
        EH_TRY(ledger_cursor_next(c, &pair, &got, err));
        if (!got) return EH_STATUS_OK;
        EH_TRY(tally_rule_pair(l, view, pair.row, &ruled, err));
        if (!ruled.in_scope) continue;
        arena_reset(&g->scratch);
        EH_TRY(value_of(g, l, &pair, &value, err));
        if (eh_str_is_blank(value)) value = (eh_str){NULL, 0};
        g->any_value = g->any_value || !eh_str_is_absent(value);
        EH_TRY(slot_for(g, view, value, &s, err));
        EH_TRY(tally_label_of(l, pair.row, &label, err));
        EH_TRY(tally_counts_add(&s->tally, &pair, &ruled, &label, err));
    }
}

/* Moves the slots of one judge out, the absent one to the end. */
static eh_status keep_groups(grouper *g, tables_judge_groups *out, eh_error *err) {
    out->groups = arena_zalloc(g->arena, g->n_slots + 1, sizeof *out->groups);
    if (!out->groups) return EH_NOMEM(err);
    size_t first = g->n_slots && eh_str_is_absent(g->slots[0]->group.name);
    for (size_t i = 0; i < g->n_slots; i++) {
        slot *s = g->slots[(i + first) % g->n_slots];
        EH_TRY(tally_counts_end(&s->tally, err));
        out->groups[i] = s->group;
    }
    out->n = g->n_slots;
    g->n_slots = 0;
    return EH_STATUS_OK;
}

static eh_status group_view(grouper *g, size_t i, tables_judge_groups *out,
                            eh_error *err) {
    const tally_view *view = &g->books->views[i];
    ledger *l = g->books->ledgers[view->book];
    ledger_cursor *c;
    out->judge = g->books->names[i];
    EH_TRY(ledger_cursor_open(l, LEDGER_BY_QUESTION, &c, err));
    eh_status status = take_pairs(g, view, l, c, err);
    ledger_cursor_close(c);
    return status == EH_STATUS_OK ? keep_groups(g, out, err) : status;
}

static eh_status group_all(grouper *g, tables_groups *groups, eh_error *err) {
    for (size_t i = 0; i < groups->n_judges; i++)
        EH_TRY(group_view(g, i, &groups->judges[i], err));
    if (g->any_value || groups->n_judges == 0) return EH_STATUS_OK;
    return EH_FAIL(err, EH_STATUS_USAGE,
                   "--by: no pair has '%.*s'; there are category, models, model_1, "
                   "model_2, and the other fields of the data set",
                   EH_STR_ARG(g->field));
}

eh_status tables_groups_make(const tally_books *books, eh_str field, eh_arena *arena,
                             tables_groups *groups, eh_error *err) {
    *groups = (tables_groups){.field = field, .n_judges = books->n_views};
    groups->judges = arena_zalloc(arena, books->n_views + 1, sizeof *groups->judges);
    grouper *g = arena_zalloc(arena, 1, sizeof *g);
    if (!groups->judges || !g) return EH_NOMEM(err);
    *g = (grouper){.books = books, .field = field, .arena = arena};
    arena_init(&g->scratch, (size_t)1 << 30);
    g->reader = json_reader_new();
    eh_status status = EH_STATUS_OK;
    if (!g->reader) {
        (void)EH_NOMEM(err);
        status = EH_STATUS_NOMEM;
    }
    if (status == EH_STATUS_OK) status = group_all(g, groups, err);
    json_reader_free(g->reader);
    arena_deinit(&g->scratch);
    return status;
}

/* ---- writers ---- */

static void put_group(const tables_group *g, bool with_compat, json_writer *w) {
    json_key_str(w, eh_str_is_absent(g->name) ? EH_STR("") : g->name);
    json_object_begin(w);
    report_put_numbers(w, &g->judge);
    if (with_compat) report_put_other_rules(w, &g->judge);
    report_put_numbers_why(w, &g->judge);
    json_object_end(w);
}

void tables_groups_json(const tables_groups *groups, bool with_compat, json_writer *w) {
    json_key(w, "by");
    json_object_begin(w);
    json_put_str(w, "field", groups->field);
    json_key(w, "judges");
    json_object_begin(w);
    for (size_t i = 0; i < groups->n_judges; i++) {
        const tables_judge_groups *j = &groups->judges[i];
        json_key_str(w, j->judge);
        json_object_begin(w);
        for (size_t k = 0; k < j->n; k++)
            put_group(&j->groups[k], with_compat, w);
        json_object_end(w);
    }
    json_object_end(w);
    json_object_end(w);
}

enum { TITLE_BYTES = 200 };

static void add_judge(const tables_judge_groups *j, eh_str field, eh_buf *out) {
    bool labels = false;
    for (size_t i = 0; i < j->n; i++)
        labels = labels || j->groups[i].judge.labels.all.n_labelled;
    buf_add_char(out, '\n');
    report_foreign(out, j->judge, TITLE_BYTES);
    buf_add_cstr(out, ", by ");
    report_foreign(out, field, TITLE_BYTES);
    buf_add_char(out, '\n');
    report_table_head("(in %)", labels, out);
    for (size_t i = 0; i < j->n; i++) {
        bool none = eh_str_is_absent(j->groups[i].name);
        report_table_row(none ? EH_STR("(none)") : j->groups[i].name,
                         &j->groups[i].judge, labels, out);
    }
}

void tables_groups_text(const tables_groups *groups, eh_buf *out) {
    size_t most = 0;
    for (size_t i = 0; i < groups->n_judges; i++) {
        add_judge(&groups->judges[i], groups->field, out);
        if (groups->judges[i].n > most) most = groups->judges[i].n;
    }
    if (most > 4)
        buf_printf(out,
                   "\nOf %zu intervals at 95 %% one may well miss by chance: check a "
                   "group that stands out on other pairs.\n",
                   most);
}
