/* SPDX-License-Identifier: MIT
 *
 * Designs: which answers of many systems are paired with each other.
 *
 *   all            every two systems, on every question
 *   baseline:NAME  every other system against that one
 *   balanced:M     each system meets M of those before it on every question, those that
 *                  have met fewest
 *
 * A pair depends on its two systems and, for balanced, on those that come before them
 * in the order of the files. So a system that is added behind the others adds pairs and
 * changes none.
 */
#ifndef EH_DATASET_DESIGN_H
#define EH_DATASET_DESIGN_H

#include "base/buf.h"
#include "dataset/dataset.h"

enum { DATASET_SYSTEMS_MAX = 63 };

typedef enum dataset_design_kind {
    DATASET_DESIGN_ALL,
    DATASET_DESIGN_BASELINE,
    DATASET_DESIGN_BALANCED
} dataset_design_kind;

typedef struct dataset_design {
    dataset_design_kind kind;
    eh_str baseline; /* the system's name */
    int n_opponents; /* M of balanced */
} dataset_design;

/* "all", "baseline:gpt-x", "balanced:3"; USAGE otherwise. The text is borrowed. */
EH_MUST_USE eh_status dataset_design_parse(eh_str text, dataset_design *design,
                                           eh_error *err);

/* Two systems of a question, by their places; first is answer_1. */
typedef struct dataset_duel {
    int first, second;
} dataset_duel;

/* The duels of one question among the systems that answered it, in a fixed order.
 *
 *   names   [n_systems]
 *   has     [n_systems] whether the system answered; the others have no duel
 *   duels   [n_systems (n_systems - 1) / 2] out
 *
 * Returns their number. Of `all` and `balanced` answer_1 is of the system whose name
 * comes first, of `baseline` it is the other's. */
size_t dataset_design_duels(const dataset_design *design, const eh_str *names,
                            const bool *has, int n_systems, eh_str question_id,
                            dataset_duel *duels);

/* Appends "QUESTION:FIRST:SECOND", with : and % inside of names as %3A and %25. */
void dataset_design_id(eh_str question_id, eh_str first, eh_str second, eh_buf *out);

typedef struct dataset_design_files {
    const char *questions;
    const char *const *answers; /* [n_answers] one file a system */
    int n_answers;
} dataset_design_files;

/* Reads the files and hands the pairs of the design to the stage. A system is called by
 * the model that its rows name, else by its file's name without its ending. USAGE where
 * two systems have one name or the baseline is none of them, DATA where a file names
 * two models; faults of rows as in dataset_read. */
EH_MUST_USE eh_status dataset_read_design(const dataset_design_files *files,
                                          const dataset_design *design,
                                          const dataset_stage *stage,
                                          const dataset_faults *faults,
                                          dataset_counts *counts, eh_error *err);

#endif
