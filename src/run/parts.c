/* SPDX-License-Identifier: MIT
 *
 * From a pair's texts to the parts that a stage shows.
 *
 *   stage 1   parts of equal length
 *   stage 2   parts of like content, by words or by vectors that the caller brings
 *
 * Units are those for the number of parts that is asked for (a fence longer than one
 * part is cut); with `auto` those for the default number, so that they do not change
 * with what is chosen. Left out: where vectors come from (embed.h).
 */
#include "run/parts.h"

static size_t wanted_parts(const plan_spec *plan) {
    return plan->n_parts == PLAN_PARTS_AUTO ? PLAN_PARTS_DEFAULT
                                            : (size_t)plan->n_parts;
}

static align_pair pair_of(const run_units *u) {
    return (align_pair){&u->units[0], &u->units[1]};
}

eh_status run_units_read(const plan_spec *plan, const ledger_texts *texts, int stage,
                         eh_arena *arena, run_units *out, eh_error *err) {
    align_options options = {.parts = wanted_parts(plan)};
    bool is_auto = plan->n_parts == PLAN_PARTS_AUTO;
    EH_TRY(align_units_of(texts->answer_1, &options, arena, &out->units[0], err));
    EH_TRY(align_units_of(texts->answer_2, &options, arena, &out->units[1], err));
    align_pair pair = pair_of(out);
    size_t most = is_auto ? ALIGN_PARTS_AUTO_MAX : options.parts;
    out->compares = plan_stage_compares(plan, stage) && out->units[0].n > 1 &&
                    out->units[1].n > 1 && align_is_feasible(&pair, most);
    return EH_STATUS_OK;
}

static eh_status take_parts(const run_units *u, const align_cut *cut, eh_arena *arena,
                            run_cut *out, eh_error *err) {
    *out = (run_cut){.n_parts = cut->n_parts};
    if (cut->n_parts) out->overlap = cut->sum / (double)cut->n_parts;
    for (int a = 0; a < 2; a++) {
        out->parts[a] = arena_zalloc(arena, cut->n_parts + 1, sizeof **out->parts);
        if (!out->parts[a]) return EH_NOMEM(err);
        for (size_t t = 0; t < cut->n_parts; t++)
            out->parts[a][t] =
                align_part(&u->units[a], a ? cut->begin_2 : cut->begin_1, t);
    }
    return EH_STATUS_OK;
}

eh_status run_cut_make(const plan_spec *plan, const run_units *u, int stage,
                       const run_cut_how *how, eh_arena *arena, run_cut *out,
                       eh_error *err) {
    align_pair pair = pair_of(u);
    size_t parts = wanted_parts(plan);
    align_similarity *words;
    align_auto choice;
    align_cut cut;
    EH_TRY(align_similarity_words(&pair, arena, &words, err));
    align_similarity *similarity = how->vectors ? how->vectors : words;
    bool compares = u->compares && !how->by_length;
    if (compares && plan->n_parts == PLAN_PARTS_AUTO) {
        EH_TRY(align_choose_parts(&pair, similarity, arena, &choice, err));
        parts = choice.parts;
    }
    if (how->max_parts && parts > how->max_parts) parts = how->max_parts;
    EH_TRY(compares && stage == 2
               ? align_semantic_cut(&pair, similarity, parts, arena, &cut, err)
               : align_length_cut(&pair, NULL, parts, arena, &cut, err));
    EH_TRY(align_cut_measure(&pair, words, arena, &cut, err));
    return take_parts(u, &cut, arena, out, err);
}
