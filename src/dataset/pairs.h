/* SPDX-License-Identifier: MIT
 *
 * What reading pairs from one file and joining them from three have in common.
 */
#ifndef EH_DATASET_PAIRS_H
#define EH_DATASET_PAIRS_H

#include "dataset/faults.h"

/* Where an answer of a pair stands, for warnings. */
typedef struct pair_place {
    const char *file;
    int64_t line;
} pair_place;

/* Hands the pair to the stage and reports a duplicate, or what is odd about its
 * answers. *kept says which. */
EH_MUST_USE eh_status pair_keep(const dataset_stage *stage, const fault_log *log,
                                const dataset_pair *pair, pair_place answer_1,
                                pair_place answer_2, bool *kept, eh_error *err);

/* dataset_read with the three files; options->map is NULL. */
EH_MUST_USE eh_status pairs_join(const dataset_options *options,
                                 const dataset_stage *stage, fault_log *log,
                                 uint8_t file_digest[32], eh_error *err);

#endif
