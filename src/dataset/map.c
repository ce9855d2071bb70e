/* SPDX-License-Identifier: MIT
 *
 * Parsing and following maps.
 *
 * A name with dots in it is first looked for as it is, since tables made from nested
 * data often have such columns ("responses.0.text"); only then is it taken apart.
 *
 * Preference data names its answers by who won. Where the names say so, answer_1 is the
 * better one in every row, which makes accuracy and win rates against it look like
 * something they are not: the reader warns.
 */
#include "dataset/map.h"
#include "base/buf.h"
#include "base/suggest.h"
#include "base/utf8.h"

static const struct {
    const char *preferred, *other;
} sides[] = {
    {"chosen", "rejected"},
    {"accepted", "rejected"},
    {"preferred", "rejected"},
    {"better", "worse"},
    {"preferred", "dispreferred"},
    {"winner", "loser"},
    {"win", "lose"},
    {"good", "bad"},
    {"positive", "negative"},
    {"accept", "reject"},
    {"best", "worst"},
    {"preferred", "other"},
};

static eh_status unknown_field(eh_str name, const char *const *names, size_t n_names,
                               eh_error *err) {
    eh_buf known;
    suggest near = suggest_for(name);
    buf_init(&known, BUF_MAX_SMALL);
    for (size_t i = 0; i < n_names; i++) {
        buf_printf(&known, "%s%s", i ? ", " : "", names[i]);
        suggest_offer(&near, eh_str_of(names[i]));
    }
    eh_status status =
        EH_FAIL(err, EH_STATUS_USAGE,
                "--map: '%.*s' is not one of our fields: %.*s" SUGGEST_FORMAT,
                EH_STR_ARG(utf8_cut(name, 40)), EH_STR_ARG(buf_view(&known)),
                SUGGEST_ARGS(near));
    buf_deinit(&known);
    return status;
}

static eh_status parse_entry(eh_str entry, const char *const *names, size_t n_names,
                             field_map *map, eh_error *err) {
    eh_str path = entry, name;
    (void)eh_str_split(&path, '=', &name);
    name = eh_str_trim(name);
    path = eh_str_is_absent(path) ? EH_STR("") : eh_str_trim(path);
    if (name.len == 0 || path.len == 0)
        return EH_FAIL(err, EH_STATUS_USAGE,
                       "--map: '%.*s' is not of the form OURS=THEIRS",
                       EH_STR_ARG(entry));
    size_t i = 0;
    while (i < n_names && !eh_str_eq_cstr(name, names[i]))
        i++;
    if (i == n_names) return unknown_field(name, names, n_names, err);
    if (!eh_str_is_absent(map->paths[i]))
        return EH_FAIL(err, EH_STATUS_USAGE, "--map: %s is given twice", names[i]);
    map->paths[i] = path;
    return EH_STATUS_OK;
}

eh_status map_parse(const char *text, const char *const *names, size_t n_names,
                    field_map *map, eh_error *err) {
    *map = (field_map){0};
    eh_str rest = eh_str_of(text), entry;
    while (eh_str_split(&rest, ',', &entry))
        EH_TRY(parse_entry(entry, names, n_names, map, err));
    return EH_STATUS_OK;
}

static const json_value *member(const json_value *value, eh_str name) {
    const json_value *m = value->kind == JSON_OBJECT ? value->child : NULL;
    while (m && !eh_str_eq(m->key, name))
        m = m->next;
    return m;
}

static const json_value *element(const json_value *value, eh_str number) {
    int64_t i;
    if (value->kind != JSON_ARRAY || !eh_str_to_i64(number, &i) || i < 0) return NULL;
    const json_value *e = value->child;
    while (e && i-- > 0)
        e = e->next;
    return e;
}

const json_value *map_find(const json_value *row, eh_str path) {
    const json_value *value = member(row, path);
    if (value) return value;
    value = row;
    eh_str rest = path, step;
    while (value && eh_str_split(&rest, '.', &step))
        value = value->kind == JSON_ARRAY ? element(value, step) : member(value, step);
    return value;
}

bool map_starts_at(eh_str path, eh_str name) {
    eh_str rest = path, step;
    return eh_str_eq(path, name) ||
           (eh_str_split(&rest, '.', &step) && eh_str_eq(step, name));
}

static bool has_step(eh_str path, const char *word) {
    eh_str step;
    while (eh_str_split(&path, '.', &step))
        if (eh_str_eq_cstr(step, word)) return true;
    return false;
}

int map_preferred_side(eh_str path_1, eh_str path_2) {
    for (size_t i = 0; i < sizeof sides / sizeof sides[0]; i++) {
        if (has_step(path_1, sides[i].preferred) && has_step(path_2, sides[i].other))
            return 1;
        if (has_step(path_2, sides[i].preferred) && has_step(path_1, sides[i].other))
            return 2;
    }
    return 0;
}
