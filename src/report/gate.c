/* SPDX-License-Identifier: MIT
 *
 * Gates: reading conditions, and looking their numbers up in a tree of JSON.
 *
 *   "conflict.high <= 20%"  ->  path  conflict.high      walk the tree, key by key
 *                               op    <=
 *                               bound .2                  compare
 *
 * The tree is what `show --json` prints, so that a gate sees exactly the numbers that
 * people see, and a number that is added there can be used here at once.
 *
 * What is counted by reason (failed, none_by_reason) lists only what occurred; there a
 * reason that is not listed is 0. Everywhere else a missing key is a mistake, and the
 * nearest path that exists is offered.
 *
 * Left out: and, or, arithmetic. Each condition has its own line in the output; several
 * must all hold.
 */
#include "report/gate.h"

#include <math.h>

#include "base/suggest.h"
#include "plan/ruling.h"

/* ---- reading a condition ---- */

typedef struct op_row {
    const char *text;
    report_gate_op op;
} op_row;

/* Longer ones first. */
static const op_row op_rows[] = {
    {">=", REPORT_GATE_GE}, {"<=", REPORT_GATE_LE}, {"==", REPORT_GATE_EQ},
    {"!=", REPORT_GATE_NE}, {">", REPORT_GATE_GT},  {"<", REPORT_GATE_LT},
};

static const op_row *op_at(eh_str text, size_t at) {
    eh_str rest = eh_str_slice(text, at, text.len);
    for (size_t i = 0; i < sizeof op_rows / sizeof op_rows[0]; i++)
        if (eh_str_begins(rest, eh_str_of(op_rows[i].text))) return &op_rows[i];
    return NULL;
}

static bool read_bound(eh_str text, double *bound) {
    eh_str number = eh_str_trim(text);
    bool percent = eh_str_ends(number, EH_STR("%"));
    if (percent) number = eh_str_trim(eh_str_slice(number, 0, number.len - 1));
    if (!eh_str_to_f64(number, bound)) return false;
    if (percent) *bound /= 100;
    return true;
}

static bool is_path(eh_str path) {
    eh_str rest = path, key;
    while (eh_str_split(&rest, '.', &key))
        if (key.len == 0 || eh_str_find(key, EH_STR("="), 0) != SIZE_MAX) return false;
    return path.len > 0;
}

eh_status report_gate_parse(eh_str text, report_gate_rule *rule, eh_error *err) {
    eh_str whole = eh_str_trim(text);
    const op_row *op = NULL;
    size_t at = 0;
    while (at < whole.len && !(op = op_at(whole, at)))
        at++;
    if (!op)
        return EH_FAIL(err, EH_STATUS_USAGE,
                       "'%.*s' is no condition: write it like 'win_rate_soft.low >= "
                       ".48', in quotation marks",
                       EH_STR_ARG(whole));
    *rule = (report_gate_rule){
        .text = whole, .path = eh_str_trim(eh_str_slice(whole, 0, at)), .op = op->op};
    eh_str right = eh_str_slice(whole, at + strlen(op->text), whole.len);
    if (!is_path(rule->path))
        return EH_FAIL(err, EH_STATUS_USAGE,
                       "'%.*s': one name of show --json must come before %s, such as "
                       "conflict.high",
                       EH_STR_ARG(whole), op->text);
    if (!read_bound(right, &rule->bound))
        return EH_FAIL(err, EH_STATUS_USAGE,
                       "'%.*s': one number must come after %s, such as .48 or 48%%",
                       EH_STR_ARG(whole), op->text);
    return EH_STATUS_OK;
}

/* ---- looking a number up ---- */

static const json_value *member(const json_value *object, eh_str key) {
    if (!object || object->kind != JSON_OBJECT) return NULL;
    const json_value *v = object->child;
    while (v && !eh_str_eq(v->key, key))
        v = v->next;
    return v;
}

/* Counts by reason list what occurred. */
static bool is_count_of_none(eh_str parent, eh_str key) {
    if (eh_str_eq_cstr(parent, "failed"))
        return eh_str_eq_cstr(key, "unspecified") ||
               verdict_reason_parse(key) != VERDICT_REASON_UNSPECIFIED;
    for (int k = PLAN_NONE_NOT + 1; k <= PLAN_NONE_SIDE_BY_SIDE; k++)
        if (eh_str_eq_cstr(parent, "none_by_reason") &&
            eh_str_eq_cstr(key, plan_none_name((plan_none_kind)k)))
            return true;
    return false;
}

/* Where a path ends. */
typedef struct lookup {
    const json_value *value;  /* NULL: not there */
    const json_value *parent; /* the object it stands in, or where the way ended */
    eh_str parent_key;        /* that object's own key; empty for the root */
    eh_str key;               /* the last key looked for */
} lookup;

/* Keys may hold points themselves, as names of models do: each key that the path begins
 * with is tried. */
static bool find_path(const json_value *object, eh_str path, lookup *found) {
    eh_str parent_key = found->key;
    if (object->kind != JSON_OBJECT) return false;
    for (const json_value *v = object->child; v; v = v->next) {
        *found = (lookup){
            .value = v, .parent = object, .parent_key = parent_key, .key = v->key};
        if (eh_str_eq(path, v->key)) return true;
        if (path.len <= v->key.len || path.ptr[v->key.len] != '.') continue;
        if (eh_str_begins(path, v->key) &&
            find_path(v, eh_str_slice(path, v->key.len + 1, path.len), found))
            return true;
    }
    return false;
}

/* The number, or where the way to it ended. */
static lookup look_up(const json_value *root, eh_str path) {
    lookup found = {.key = EH_STR("")};
    if (find_path(root, path, &found)) return found;
    eh_str rest = path, key;
    found = (lookup){.value = root, .parent_key = EH_STR("")};
    while (found.value && eh_str_split(&rest, '.', &key)) {
        found.parent = found.value;
        found.parent_key = found.key;
        found.key = key;
        found.value = member(found.parent, key);
    }
    return found;
}

static bool holds(report_gate_op op, double value, double bound) {
    switch (op) {
    case REPORT_GATE_GE: return value >= bound;
    case REPORT_GATE_LE: return value <= bound;
    case REPORT_GATE_GT: return value > bound;
    case REPORT_GATE_LT: return value < bound;
    case REPORT_GATE_EQ: return value == bound;
    case REPORT_GATE_NE: return value != bound;
    }
    return false;
}

/* ---- why a condition is not met ---- */

/* The nearest path that exists to one that does not: one that ends with what was typed,
 * else one that a few changed letters make of it. */
typedef struct nearest {
    suggest by_letters;
    eh_str ending; /* "." and what was typed */
    eh_str best;
    eh_arena *arena;
} nearest;

static void offer_paths(nearest *n, const json_value *object, eh_str prefix) {
    for (const json_value *v = object->child; v; v = v->next) {
        char *path = arena_printf(n->arena, "%.*s%s%.*s", EH_STR_ARG(prefix),
                                  prefix.len ? "." : "", EH_STR_ARG(v->key));
        if (!path) return;
        if (v->kind == JSON_OBJECT) offer_paths(n, v, eh_str_of(path));
        if (v->kind != JSON_NUMBER && v->kind != JSON_NULL) continue;
        suggest_offer(&n->by_letters, eh_str_of(path));
        if (!n->best.ptr && eh_str_ends(eh_str_of(path), n->ending))
            n->best = eh_str_of(path);
    }
}

static eh_str nearest_path(const json_value *root, eh_str typed, eh_arena *arena) {
    char *ending = arena_printf(arena, ".%.*s", EH_STR_ARG(typed));
    nearest n = {.by_letters = suggest_for(typed), .arena = arena};
    if (!ending) return (eh_str){NULL, 0};
    n.ending = eh_str_of(ending);
    offer_paths(&n, root, EH_STR(""));
    return n.best.ptr ? n.best : n.by_letters.best;
}

/* What an object that is null as a whole lacks. */
static const char *null_object_text(eh_str key) {
    if (eh_str_eq_cstr(key, "labels")) return "there are no labels";
    if (eh_str_begins(key, EH_STR("conflict"))) return "only one order was asked";
    if (eh_str_eq_cstr(key, "cost_usd")) return "usage or price is unknown";
    return "it is null";
}

static char *why_missing(const json_value *root, const lookup *found, eh_str path,
                         eh_arena *arena) {
    if (found->parent && found->parent->kind == JSON_NULL)
        return arena_printf(arena, "no number: %s",
                            null_object_text(found->parent_key));
    eh_str near = nearest_path(root, path, arena);
    if (!near.ptr) return arena_printf(arena, "no such number");
    return arena_printf(arena, "no such number; did you mean %.*s?", EH_STR_ARG(near));
}

/* "not one number: rate, low, high, ..." */
static char *list_numbers(const json_value *object, eh_arena *arena) {
    enum { SHOWN = 3 };
    char *text = arena_printf(arena, "not one number but");
    int n = 0;
    for (const json_value *v = object->child; text && v; v = v->next) {
        if (v->kind != JSON_NUMBER && v->kind != JSON_NULL) continue;
        if (n++ < SHOWN)
            text = arena_printf(arena, "%s%s %.*s", text, n > 1 ? "," : "",
                                EH_STR_ARG(v->key));
    }
    if (!text || n == 0) return arena_printf(arena, "not a number");
    return n > SHOWN ? arena_printf(arena, "%s, ...", text) : text;
}

static char *why_no_number(const lookup *found, eh_arena *arena) {
    const json_value *v = found->value;
    if (v->kind == JSON_OBJECT) return list_numbers(v, arena);
    if (v->kind != JSON_NULL) return arena_printf(arena, "not a number");
    eh_str why = json_get_str(found->parent, "why");
    if (why.len) return arena_printf(arena, "undefined: %.*s", EH_STR_ARG(why));
    if (found->parent_key.len == 0)
        return arena_printf(arena, "no number: %s", null_object_text(found->key));
    return arena_printf(arena, "undefined");
}

/* A rate without an interval rests on too little to be trusted. */
static bool is_rate_without_interval(const lookup *found) {
    const json_value *low = json_get(found->parent, "low");
    bool is_rate =
        eh_str_eq_cstr(found->key, "value") || eh_str_eq_cstr(found->key, "rate");
    return is_rate && low && low->kind == JSON_NULL;
}

static char *why_not_met(const report_gate_rule *rule, double value, eh_arena *arena) {
    if (rule->op == REPORT_GATE_EQ || rule->op == REPORT_GATE_NE ||
        value == rule->bound)
        return arena_printf(arena, "not so");
    return arena_printf(arena, "%s by %.3g", value < rule->bound ? "below" : "above",
                        fabs(value - rule->bound));
}

/* Why the probe of a path cannot be read; absent where it can, or there is none. */
static eh_str probe_fault(const json_value *root, eh_str path) {
    eh_str rest = path, key, name;
    if (!eh_str_split(&rest, '.', &key) || !eh_str_eq_cstr(key, "probes") ||
        !eh_str_split(&rest, '.', &name))
        return (eh_str){NULL, 0};
    const json_value *probe = member(json_get(root, "probes"), name);
    const json_value *fault = probe ? json_get(probe, "fault") : NULL;
    return fault && fault->kind == JSON_STRING ? fault->text : (eh_str){NULL, 0};
}

/* A number; of yes and no 1 and 0. */
static bool read_number(const json_value *v, double *value) {
    if (v->kind == JSON_BOOL) *value = v->boolean;
    return v->kind == JSON_BOOL ||
           (v->kind == JSON_NUMBER && eh_str_to_f64(v->text, value));
}

static eh_status check_rule(const json_value *root, const report_gate_rule *rule,
                            eh_arena *arena, report_gate_line *line, eh_error *err) {
    lookup found = look_up(root, rule->path);
    eh_str fault = probe_fault(root, rule->path);
    char *why = NULL;
    *line = (report_gate_line){.rule = rule->text, .value = NAN, .why = EH_STR("")};
    if (!found.value && found.parent && found.parent->kind == JSON_OBJECT &&
        is_count_of_none(found.parent_key, found.key)) {
        line->value = 0;
    } else if (!found.value) {
        why = why_missing(root, &found, rule->path, arena);
    } else if (!eh_str_is_absent(fault)) {
        why = arena_printf(arena, "the probe cannot be read (%.*s)", EH_STR_ARG(fault));
    } else if (!read_number(found.value, &line->value)) {
        why = why_no_number(&found, arena);
    } else if (is_rate_without_interval(&found)) {
        eh_str reason = json_get_str(found.parent, "why");
        why = arena_printf(arena, "too little data for an interval (%.*s)",
                           EH_STR_ARG(reason));
    }
    line->is_met =
        !isnan(line->value) && !why && holds(rule->op, line->value, rule->bound);
    if (line->is_met) return EH_STATUS_OK;
    if (!why && !isnan(line->value)) why = why_not_met(rule, line->value, arena);
    if (!why) return EH_NOMEM(err);
    line->why = eh_str_of(why);
    return EH_STATUS_OK;
}

/* ---- what holds for every judge ---- */

static int64_t whole_number(const json_value *v) {
    int64_t n = 0;
    return v && v->kind == JSON_NUMBER && eh_str_to_i64(v->text, &n) ? n : 0;
}

static eh_status check_asked(const json_value *numbers, eh_arena *arena,
                             report_gate_line *line, eh_error *err) {
    const json_value *none = json_get(json_get(numbers, "rulings"), "none_by_reason");
    int64_t n = whole_number(json_get(none, "not_asked"));
    *line = (report_gate_line){.rule = EH_STR("every pair was asked"),
                               .is_met = n == 0,
                               .value = NAN,
                               .why = EH_STR("")};
    if (n == 0) return EH_STATUS_OK;
    char *why = arena_printf(arena, "%lld pairs are not finished: run again first",
                             (long long)n);
    if (!why) return EH_NOMEM(err);
    line->why = eh_str_of(why);
    return EH_STATUS_OK;
}

/* Of an audit: was all of it asked, and can the judge be read at all? */
static eh_status check_audit(const json_value *numbers, eh_arena *arena,
                             report_gate *gate, eh_error *err) {
    int64_t n_open = whole_number(json_get(numbers, "calls_open"));
    const json_value *fault = json_get(numbers, "fault");
    bool readable = !fault || fault->kind != JSON_STRING;
    report_gate_line *asked = &gate->lines[gate->n_lines++];
    report_gate_line *read = &gate->lines[gate->n_lines++];
    *asked = (report_gate_line){.rule = EH_STR("every vote was asked"),
                                .is_met = n_open == 0,
                                .value = NAN,
                                .why = EH_STR("")};
    *read = (report_gate_line){.rule = EH_STR("the judge can be audited"),
                               .is_met = readable,
                               .value = NAN,
                               .why = readable ? EH_STR("") : fault->text};
    if (n_open == 0) return EH_STATUS_OK;
    char *why = arena_printf(arena, "%lld calls are open: run the audit again first",
                             (long long)n_open);
    if (!why) return EH_NOMEM(err);
    asked->why = eh_str_of(why);
    return EH_STATUS_OK;
}

static void check_mixed(const json_value *numbers, report_gate_line *line) {
    const json_value *mixed = json_get(numbers, "mixed_models");
    bool is_mixed = mixed && mixed->kind == JSON_BOOL && mixed->boolean;
    *line = (report_gate_line){.rule = EH_STR("all replies are of one model"),
                               .is_met = !is_mixed,
                               .value = NAN,
                               .why = EH_STR("")};
    if (is_mixed)
        line->why = EH_STR("the endpoint named several (see show); --allow-mixed "
                           "lets that pass");
}

eh_status report_gate_look(const json_value *numbers,
                           const report_gate_options *options, eh_arena *arena,
                           report_gate *gate, eh_error *err) {
    bool is_judge = json_get(numbers, "rulings") != NULL;
    bool is_audit = json_get(numbers, "probes") != NULL;
    gate->n_lines = gate->n_not_met = 0;
    gate->lines = arena_zalloc(arena, options->n_rules + 3, sizeof *gate->lines);
    if (!gate->lines) return EH_NOMEM(err);
    if (is_judge)
        EH_TRY(check_asked(numbers, arena, &gate->lines[gate->n_lines++], err));
    if (is_audit) EH_TRY(check_audit(numbers, arena, gate, err));
    if ((is_judge || is_audit) && !options->allow_mixed)
        check_mixed(numbers, &gate->lines[gate->n_lines++]);
    for (size_t i = 0; i < options->n_rules; i++)
        EH_TRY(check_rule(numbers, &options->rules[i], arena,
                          &gate->lines[gate->n_lines++], err));
    for (size_t i = 0; i < gate->n_lines; i++)
        gate->n_not_met += !gate->lines[i].is_met;
    return EH_STATUS_OK;
}

eh_status report_gate_refuse(eh_str rule, eh_str why, eh_arena *arena,
                             report_gate *gate, eh_error *err) {
    gate->lines = arena_zalloc(arena, 1, sizeof *gate->lines);
    if (!gate->lines) return EH_NOMEM(err);
    gate->lines[0] = (report_gate_line){.rule = rule, .value = NAN, .why = why};
    gate->n_lines = gate->n_not_met = 1;
    return EH_STATUS_OK;
}
