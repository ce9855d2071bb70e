/* SPDX-License-Identifier: MIT
 *
 * Label rows: what humans said about pairs.
 */
#ifndef EH_DATASET_LABELS_H
#define EH_DATASET_LABELS_H

#include "base/terms.h"
#include "dataset/dataset.h"

/* Borrowed for the time of the call; what is not there is absent. */
typedef struct dataset_label {
    eh_str pair_id;
    eh_str annotator;
    eh_verdict label; /* 1, 2 or tie, as answers of the data */
    bool has_side;
    eh_order side;   /* 12: answer_1 stood on the first side, the left */
    int familiar;    /* with the topic: 1 yes, 0 no, -1 not said */
    int adjudicated; /* 1: the owner's word after others disagreed */
    int unblind;     /* 1: given after a look at what judges said */
    eh_str note;
    eh_str time; /* as it was written */
    const char *file;
    int64_t line;
} dataset_label;

typedef struct dataset_label_sink {
    void *self;
    /* Takes a row, in the order of the file; a failure ends the reading. */
    eh_status (*take)(void *self, const dataset_label *label, eh_error *err);
} dataset_label_sink;

/* A blind task that came back: what somebody chose about an item they were given. */
typedef struct dataset_task {
    eh_str item;
    eh_str choice; /* "A", "B", "tie", "skip"; absent: not done yet */
    int familiar;  /* as above */
    eh_str note;
    const char *file;
    int64_t line;
} dataset_task;

typedef struct dataset_task_sink {
    void *self;
    eh_status (*take)(void *self, const dataset_task *task, eh_error *err);
} dataset_task_sink;

/* Does a file of labels hold tasks, by its first line? False where it cannot be read.
 */
bool dataset_is_tasks(const char *path);

/* Returns like dataset_read_pairs. */
EH_MUST_USE eh_status dataset_read_tasks(const char *path,
                                         const dataset_task_sink *sink,
                                         const dataset_faults *faults,
                                         dataset_counts *counts, eh_error *err);

/* Returns like dataset_read_pairs. */
EH_MUST_USE eh_status dataset_read_labels(const char *path,
                                          const dataset_label_sink *sink,
                                          const dataset_faults *faults,
                                          dataset_counts *counts, eh_error *err);

#endif
