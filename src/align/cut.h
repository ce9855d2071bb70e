/* SPDX-License-Identifier: MIT
 *
 * The recurrence over both answers, for one number of parts or for all up to one.
 * Private to align.
 */
#ifndef EH_ALIGN_CUT_H
#define EH_ALIGN_CUT_H

#include "align/similarity.h"

/* Begins of parts in the pair's own order. */
typedef struct own_cut {
    size_t n_parts;
    size_t *begin[2]; /* [n_parts + 1] */
} own_cut;

typedef struct exact_cut exact_cut; /* the filled tables */

/* More work than this, in cells times layers, is not done: about 2 seconds on one core
 * of 2022. Tables hold n_units squared numbers, hence the other bound. */
#define CUT_MAX_CELLS 4e9
enum { CUT_MAX_UNITS = 2000 };

/* Can the tables for this many parts be made, as far as the numbers of units tell; and
 * with this similarity? */
bool exact_cut_has_room(size_t n_units_1, size_t n_units_2, size_t max_parts);
bool exact_cut_is_feasible(const align_similarity *similarity, size_t max_parts);

/* Fills the tables: for exactly `parts` parts, or, where `all` is set, for every number
 * of parts up to that. 1 <= parts <= both numbers of units. */
EH_MUST_USE eh_status exact_cut_fill(align_similarity *similarity, size_t parts,
                                     bool all, eh_arena *arena, exact_cut **filled,
                                     eh_error *err);

/* The largest sum of scores for a number of parts that was asked for. */
double exact_cut_value(const exact_cut *filled, size_t parts);

/* The cut that has it, and of several the smallest (see align_semantic_cut). `cut`
 * comes with n_parts set and room for the begins. */
EH_MUST_USE eh_status exact_cut_trace(exact_cut *filled, own_cut *own, eh_error *err);

#endif
