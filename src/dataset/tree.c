/* SPDX-License-Identifier: MIT
 *
 * Walks over JSON trees: keys given twice, NULs, and the way back to text.
 *
 * Text is written by hand and not with the JSON writer, because numbers must keep the
 * text they came in (base's writer takes doubles). A row may hold any number of keys:
 * where there are many they are compared after sorting, or a row of a million keys
 * would take a trillion comparisons.
 */
#include "dataset/tree.h"

#include <stdlib.h>

#include "base/json_write.h"

enum { FEW_KEYS = 24 }; /* up to here comparing all pairs is the faster way */

static int by_key(const void *a, const void *b) {
    const json_value *x = *(const json_value *const *)a;
    const json_value *y = *(const json_value *const *)b;
    return eh_str_cmp(x->key, y->key);
}

tree_index tree_index_make(const json_value **members, size_t n) {
    if (n > 1) qsort(members, n, sizeof *members, by_key);
    return (tree_index){members, n};
}

bool tree_index_has(const tree_index *index, eh_str key) {
    size_t begin = 0, end = index->n;
    while (begin < end) {
        size_t middle = begin + (end - begin) / 2;
        int order = eh_str_cmp(index->members[middle]->key, key);
        if (order == 0) return true;
        if (order < 0)
            begin = middle + 1;
        else
            end = middle;
    }
    return false;
}

static const json_value *duplicate_among_many(const json_value *object, eh_arena *arena,
                                              bool *nomem) {
    const json_value **members = arena_zalloc(arena, object->n, sizeof *members);
    if (!members) {
        *nomem = true;
        return NULL;
    }
    size_t n = 0;
    for (const json_value *m = object->child; m; m = m->next)
        members[n++] = m;
    (void)tree_index_make(members, n);
    for (size_t i = 1; i < n; i++)
        if (eh_str_eq(members[i - 1]->key, members[i]->key)) return members[i];
    return NULL;
}

const json_value *tree_duplicate_key(const json_value *root, eh_arena *arena,
                                     bool *nomem) {
    const json_value *found = NULL;
    if (root->kind == JSON_OBJECT)
        found = root->n <= FEW_KEYS ? json_duplicate_key(root)
                                    : duplicate_among_many(root, arena, nomem);
    for (const json_value *m = root->child; m && !found && !*nomem; m = m->next)
        if (m->child) found = tree_duplicate_key(m, arena, nomem);
    return found;
}

static int64_t count_nul(eh_str s) {
    int64_t n = 0;
    for (size_t at = 0; at < s.len; at++, n++) {
        const char *nul = memchr(s.ptr + at, '\0', s.len - at);
        if (!nul) break;
        at = (size_t)(nul - s.ptr);
    }
    return n;
}

int64_t tree_count_nul(const json_value *value) {
    int64_t n = count_nul(value->key);
    if (value->kind == JSON_STRING) n += count_nul(value->text);
    for (const json_value *m = value->child; m; m = m->next)
        n += tree_count_nul(m);
    return n;
}

const char *tree_kind_name(const json_value *value) {
    static const char *const names[] = {
        [JSON_NULL] = "null",       [JSON_BOOL] = "a boolean",
        [JSON_NUMBER] = "a number", [JSON_STRING] = "a string",
        [JSON_ARRAY] = "a list",    [JSON_OBJECT] = "an object",
    };
    return names[value->kind];
}

static bool is_among(const json_value *value, const json_value *const *list, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (list[i] == value) return true;
    return false;
}

void tree_write(eh_buf *out, const json_value *value, const json_value *const *left_out,
                size_t n_left_out) {
    switch (value->kind) {
    case JSON_NULL: buf_add_cstr(out, "null"); return;
    case JSON_BOOL: buf_add_cstr(out, value->boolean ? "true" : "false"); return;
    case JSON_NUMBER: buf_add_str(out, value->text); return;
    case JSON_STRING: json_quote(out, value->text); return;
    case JSON_ARRAY:
    case JSON_OBJECT: break;
    }
    bool is_object = value->kind == JSON_OBJECT;
    bool need_comma = false;
    buf_add_char(out, is_object ? '{' : '[');
    for (const json_value *m = value->child; m; m = m->next) {
        if (is_object && is_among(m, left_out, n_left_out)) continue;
        if (need_comma) buf_add_char(out, ',');
        need_comma = true;
        if (is_object) {
            json_quote(out, m->key);
            buf_add_char(out, ':');
        }
        tree_write(out, m, left_out, n_left_out);
    }
    buf_add_char(out, is_object ? '}' : ']');
}

bool tree_text(const json_value *first, size_t n, eh_arena *arena, eh_str *text) {
    eh_buf out;
    buf_init(&out, arena->max_bytes);
    buf_add_char(&out, '[');
    for (size_t i = 0; i < n; i++, first = first->next) {
        if (i) buf_add_char(&out, ',');
        tree_write(&out, first, NULL, 0);
    }
    buf_add_char(&out, ']');
    bool ok = !out.failed && arena_copy(arena, buf_view(&out), text);
    buf_deinit(&out);
    return ok;
}
