/* SPDX-License-Identifier: MIT
 *
 * The two cuts that callers ask for, and the number of parts where they leave it open.
 *
 *   length     at the unit boundaries nearest to t/parts of each answer's length
 *   semantic   the exact cut (exact.c); the length cut where nothing is alike, or where
 *              there are too many units for the exact one
 *
 * Everything is computed in the pair's own order (similarity.h) and exchanged at the
 * end, which is all that the mirror law needs.
 *
 * Number of parts: with more parts each is shorter, and what faces it can fit it
 * better, or less well once neighbours are torn apart. A cut's gain is how much more
 * alike parts are that face each other than parts that do not:
 *
 *   gain(K) = mean of sim(t, t)  -  mean of sim(t, u) over t != u,  for the best cut
 *
 * and the number of parts with the largest gain is taken. One run of the recurrence
 * serves all numbers.
 */
#include "align/cut.h"

#include "base/utf8.h"

static size_t smaller(size_t a, size_t b) {
    return a < b ? a : b;
}

/* -- cuts in the pair's own order -------------------------------------------------- */

/* Beside an empty answer the other one is one part. */
static size_t parts_possible(const align_pair *pair, size_t parts) {
    size_t n_1 = pair->units_1->n, n_2 = pair->units_2->n;
    if (n_1 == 0 && n_2 == 0) return 0;
    if (n_1 == 0 || n_2 == 0 || parts == 0) return 1;
    return smaller(parts, smaller(n_1, n_2));
}

static eh_status own_cut_init(const align_units *const units[2], size_t parts,
                              eh_arena *arena, own_cut *cut, eh_error *err) {
    cut->n_parts = parts;
    for (int side = 0; side < 2; side++) {
        cut->begin[side] = arena_zalloc(arena, parts + 1, sizeof *cut->begin[side]);
        if (!cut->begin[side]) {
            (void)EH_NOMEM(err);
            return EH_STATUS_NOMEM;
        }
        cut->begin[side][parts] = units[side]->n;
    }
    return EH_STATUS_OK;
}

static part_pair part_of(const own_cut *cut, size_t t, size_t u) {
    return (part_pair){.begin = {cut->begin[0][t], cut->begin[1][u]},
                       .end = {cut->begin[0][t + 1], cut->begin[1][u + 1]}};
}

eh_status align_cut_measure(const align_pair *pair, const align_similarity *similarity,
                            eh_arena *arena, align_cut *cut, eh_error *err) {
    bool swapped = align_pair_swapped(pair);
    double *values = arena_zalloc(arena, cut->n_parts + 1, sizeof *values);
    if (!values) return EH_NOMEM(err);
    const size_t *begin[2] = {swapped ? cut->begin_2 : cut->begin_1,
                              swapped ? cut->begin_1 : cut->begin_2};
    cut->similarity = values;
    cut->sum = 0;
    for (size_t t = 0; t < cut->n_parts; t++) {
        part_pair part = {.begin = {begin[0][t], begin[1][t]},
                          .end = {begin[0][t + 1], begin[1][t + 1]}};
        values[t] = similarity->ops->part(similarity, &part);
        cut->sum += values[t];
    }
    return EH_STATUS_OK;
}

/* Hands a cut out as the caller's, with the similarities of its parts. */
static eh_status publish(const align_pair *pair, const own_cut *own,
                         const align_similarity *similarity, eh_arena *arena,
                         align_cut *cut, eh_error *err) {
    bool swapped = align_pair_swapped(pair);
    cut->n_parts = own->n_parts;
    cut->begin_1 = own->begin[swapped ? 1 : 0];
    cut->begin_2 = own->begin[swapped ? 0 : 1];
    if (similarity) return align_cut_measure(pair, similarity, arena, cut, err);
    double *nothing = arena_zalloc(arena, own->n_parts + 1, sizeof *nothing);
    cut->similarity = nothing;
    cut->sum = 0;
    return nothing ? EH_STATUS_OK : EH_NOMEM(err);
}

bool align_is_feasible(const align_pair *pair, size_t parts) {
    return exact_cut_has_room(pair->units_1->n, pair->units_2->n, parts);
}

/* -- length ------------------------------------------------------------------------ */

/* Begins of `parts` parts of one answer, nearest to equal lengths, none of them empty.
 */
static void cut_by_length(const align_units *units, size_t parts, size_t *begin) {
    uint64_t total_cp = utf8_count_cp(units->text);
    uint64_t before_cp = 0; /* of unit u */
    size_t u = 0;
    for (size_t t = 1; t < parts; t++) {
        size_t first = begin[t - 1] + 1, last = units->n - (parts - t);
        uint64_t goal = t * total_cp; /* in parts of a code point, as all below */
        uint64_t best = UINT64_MAX;
        for (; u <= last; u++) {
            uint64_t at = before_cp * parts;
            uint64_t off = at > goal ? at - goal : goal - at;
            if (u >= first && off >= best) break;
            if (u >= first) {
                best = off;
                begin[t] = u;
            }
            before_cp += utf8_count_cp(eh_str_slice(
                units->text, units->unit[u].begin_byte, units->unit[u].end_byte));
        }
    }
}

static eh_status length_cut(const align_pair *pair, size_t parts, eh_arena *arena,
                            own_cut *cut, eh_error *err) {
    const align_units *units[2];
    align_pair_order(pair, units);
    EH_TRY(own_cut_init(units, parts, arena, cut, err));
    for (int side = 0; side < 2; side++)
        if (units[side]->n) cut_by_length(units[side], parts, cut->begin[side]);
    return EH_STATUS_OK;
}

eh_status align_length_cut(const align_pair *pair, const align_similarity *similarity,
                           size_t parts, eh_arena *arena, align_cut *cut,
                           eh_error *err) {
    size_t n_parts = parts_possible(pair, parts);
    own_cut own = {0};
    EH_TRY(length_cut(pair, n_parts, arena, &own, err));
    cut->notes = n_parts < parts ? 1u << ALIGN_NOTE_BIT_FEWER_PARTS : 0;
    return publish(pair, &own, similarity, arena, cut, err);
}

/* -- semantic ---------------------------------------------------------------------- */

/* The exact cut into n_parts >= 2 parts into *own; false where nothing is alike. */
static eh_status exact_cut_of(const align_pair *pair, align_similarity *similarity,
                              size_t n_parts, eh_arena *arena, own_cut *own,
                              bool *found, eh_error *err) {
    const align_units *units[2];
    align_pair_order(pair, units);
    exact_cut *exact;
    EH_TRY(exact_cut_fill(similarity, n_parts, false, arena, &exact, err));
    *found = exact_cut_value(exact, n_parts) != 0;
    if (!*found) return EH_STATUS_OK;
    EH_TRY(own_cut_init(units, n_parts, arena, own, err));
    return exact_cut_trace(exact, own, err);
}

eh_status align_semantic_cut(const align_pair *pair, align_similarity *similarity,
                             size_t parts, eh_arena *arena, align_cut *cut,
                             eh_error *err) {
    size_t n_parts = parts_possible(pair, parts);
    bool feasible = exact_cut_is_feasible(similarity, n_parts);
    bool found = false;
    own_cut own = {0};
    uint32_t notes = n_parts < parts ? 1u << ALIGN_NOTE_BIT_FEWER_PARTS : 0;
    if (n_parts > 1 && feasible)
        EH_TRY(exact_cut_of(pair, similarity, n_parts, arena, &own, &found, err));
    if (!found) EH_TRY(length_cut(pair, n_parts, arena, &own, err));
    if (n_parts > 1 && !found)
        notes |=
            1u << (feasible ? ALIGN_NOTE_BIT_NOTHING_ALIKE : ALIGN_NOTE_BIT_TOO_LARGE);
    cut->notes = notes;
    return publish(pair, &own, similarity, arena, cut, err);
}

/* -- number of parts --------------------------------------------------------------- */

static double gain_of(const align_similarity *similarity, const own_cut *cut) {
    double facing = 0, others = 0;
    for (size_t t = 0; t < cut->n_parts; t++)
        for (size_t u = 0; u < cut->n_parts; u++) {
            part_pair part = part_of(cut, t, u);
            double value = similarity->ops->part(similarity, &part);
            if (t == u)
                facing += value;
            else
                others += value;
        }
    double n = (double)cut->n_parts;
    return facing / n - others / (n * (n - 1));
}

static eh_status gains(const align_pair *pair, align_similarity *similarity,
                       size_t max_parts, eh_arena *arena, align_auto *choice,
                       eh_error *err) {
    const align_units *units[2];
    align_pair_order(pair, units);
    exact_cut *exact;
    EH_TRY(exact_cut_fill(similarity, max_parts, true, arena, &exact, err));
    for (size_t parts = 2; parts <= max_parts; parts++) {
        if (exact_cut_value(exact, parts) == 0) continue;
        own_cut own = {0};
        EH_TRY(own_cut_init(units, parts, arena, &own, err));
        EH_TRY(exact_cut_trace(exact, &own, err));
        choice->gain[parts] = gain_of(similarity, &own);
    }
    return EH_STATUS_OK;
}

eh_status align_choose_parts(const align_pair *pair, align_similarity *similarity,
                             eh_arena *arena, align_auto *choice, eh_error *err) {
    size_t max_parts = parts_possible(pair, ALIGN_PARTS_AUTO_MAX);
    *choice = (align_auto){.parts = smaller(ALIGN_PARTS_DEFAULT, max_parts)};
    if (max_parts < 2 || !exact_cut_is_feasible(similarity, max_parts))
        return EH_STATUS_OK;
    EH_TRY(gains(pair, similarity, max_parts, arena, choice, err));
    double best = 0;
    for (size_t parts = 2; parts <= max_parts; parts++) {
        if (choice->gain[parts] <= best) continue;
        best = choice->gain[parts];
        choice->parts = parts;
    }
    return EH_STATUS_OK;
}
