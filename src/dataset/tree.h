/* SPDX-License-Identifier: MIT
 *
 * What data sets ask of a JSON tree beyond base/json_read.h.
 */
#ifndef EH_DATASET_TREE_H
#define EH_DATASET_TREE_H

#include "base/buf.h"
#include "base/json_read.h"

/* Some members of objects, sorted by key. */
typedef struct tree_index {
    const json_value **members; /* [n] */
    size_t n;
} tree_index;

/* Sorts `members`, which it borrows. */
tree_index tree_index_make(const json_value **members, size_t n);
bool tree_index_has(const tree_index *index, eh_str key);

/* The first key that stands twice in one object, at any depth, or NULL. *nomem is set
 * when the arena is full. */
const json_value *tree_duplicate_key(const json_value *root, eh_arena *arena,
                                     bool *nomem);

/* NUL characters in keys and strings of the tree. */
int64_t tree_count_nul(const json_value *value);

/* "a string", "a list" and so on, for messages. */
const char *tree_kind_name(const json_value *value);

/* Appends the value as JSON text: keys in their order, numbers as they were written.
 * Members of objects that are among `left_out` [n] are not written. */
void tree_write(eh_buf *out, const json_value *value, const json_value *const *left_out,
                size_t n_left_out);

/* A list of `n` values from `first` on as JSON text in the arena; false when it is
 * full. */
bool tree_text(const json_value *first, size_t n, eh_arena *arena, eh_str *text);

#endif
