/* SPDX-License-Identifier: MIT
 *
 * Maps: where our fields stand in data with other names.
 *
 *   question=prompt,answer_1=chosen,answer_2=responses.1.text
 */
#ifndef EH_DATASET_MAP_H
#define EH_DATASET_MAP_H

#include "base/json_read.h"
#include "base/status.h"

enum { FIELD_MAP_MAX = 16 }; /* fields in a table */

typedef struct field_map {
    eh_str paths[FIELD_MAP_MAX]; /* by field; absent: under its own name */
} field_map;

/* `names` are the fields that may stand on the left. The paths point into `text`. What
 * is no map is USAGE. */
EH_MUST_USE eh_status map_parse(const char *text, const char *const *names,
                                size_t n_names, field_map *map, eh_error *err);

/* What stands at the path: a member of exactly that name, else one step for each part
 * between dots (the name of a member, or the number of an element from 0). NULL where
 * there is nothing. */
const json_value *map_find(const json_value *row, eh_str path);

/* Whether a column named `name` is where the path starts. */
bool map_starts_at(eh_str path, eh_str name);

/* 1 or 2 when the names say that this answer is always the one that was preferred
 * (chosen and rejected, better and worse, ...), else 0. */
int map_preferred_side(eh_str path_1, eh_str path_2);

#endif
