/* SPDX-License-Identifier: MIT
 *
 * The answers of a pair in parts, for the stages of portia.
 */
#ifndef EH_RUN_PARTS_H
#define EH_RUN_PARTS_H

#include "align/align.h"
#include "ledger/ledger.h"
#include "plan/method.h"

/* Both answers as units, ready to be cut for a stage. */
typedef struct run_units {
    align_units units[2]; /* of answer_1 and answer_2 */
    bool compares;        /* the cut depends on how alike parts are */
} run_units;

/* The units borrow the texts and live in `arena`. */
EH_MUST_USE eh_status run_units_read(const plan_spec *plan, const ledger_texts *texts,
                                     int stage, eh_arena *arena, run_units *out,
                                     eh_error *err);

/* The answers cut, as answers of the data. */
typedef struct run_cut {
    eh_str *parts[2]; /* [n_parts] */
    size_t n_parts;
    /* Of the parts that stand side by side the share of words in common, on average,
     * whatever the similarity was that they were cut by. */
    double overlap;
} run_cut;

/* How a stage is cut beside what its plan says. */
typedef struct run_cut_how {
    align_similarity *vectors; /* to align by; NULL: by words */
    bool by_length;   /* no similarity can be had: the length cut stands in any case */
    size_t max_parts; /* 0: as many as the plan says */
} run_cut_how;

EH_MUST_USE eh_status run_cut_make(const plan_spec *plan, const run_units *units,
                                   int stage, const run_cut_how *how, eh_arena *arena,
                                   run_cut *out, eh_error *err);

#endif
