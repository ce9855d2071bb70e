/* SPDX-License-Identifier: MIT
 *
 * Judgment rows: what a judge said about a pair, recorded by us or by others.
 *
 * Rows are un-swapped: verdict and scores belong to answers 1 and 2 of the data, only
 * the reply speaks of slots. Their key is (pair_id, judge, order, sample); which row of
 * a key counts is for the importer to say (the newest with a verdict).
 */
#ifndef EH_DATASET_JUDGMENTS_H
#define EH_DATASET_JUDGMENTS_H

#include "base/terms.h"
#include "dataset/dataset.h"

/* Borrowed for the time of the call; what is not there is absent. */
typedef struct dataset_judgment {
    eh_str pair_id;
    eh_str judge;
    eh_order order;
    int64_t sample;
    bool has_reply;           /* a reply was recorded, perhaps an empty one */
    eh_str reply;             /* its text; of an object, the `content` */
    eh_str finish_reason;     /* these three from the object, or from the row */
    eh_str reasoning_content; /* never read for a verdict */
    eh_str refusal;
    eh_verdict verdict; /* NONE where none is recorded */
    bool has_scores;    /* both of them */
    double score_1, score_2;
    int64_t rating; /* likert: 1 answer 1 much better ... 5 answer 2; 0: none */
    eh_str reason;  /* why there is no verdict */
    const char *file;
    int64_t line;
} dataset_judgment;

typedef struct dataset_judgment_sink {
    void *self;
    /* Takes a row, in the order of the file; a failure ends the reading. */
    eh_status (*take)(void *self, const dataset_judgment *judgment, eh_error *err);
    bool no_replies; /* their texts are not wanted: has_reply is all that is said */
} dataset_judgment_sink;

/* Returns like dataset_read_pairs. A last line without LF that is not complete is what
 * a crash leaves: it is dropped and reported as the warning cut_line. Damage before it
 * is an error: then nothing should be imported and the file stays as it is. */
EH_MUST_USE eh_status dataset_read_judgments(const char *path,
                                             const dataset_judgment_sink *sink,
                                             const dataset_faults *faults,
                                             dataset_counts *counts, eh_error *err);

/* The same from a source that was opened under the name `path`. */
typedef struct source source;
EH_MUST_USE eh_status dataset_read_judgments_from(source *src, const char *path,
                                                  const dataset_judgment_sink *sink,
                                                  const dataset_faults *faults,
                                                  dataset_counts *counts,
                                                  eh_error *err);

#endif
