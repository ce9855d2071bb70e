/* SPDX-License-Identifier: MIT
 *
 * The frame of people's labels: all pairs that could have been labelled, with what the
 * judge and people say of each and how it came to be chosen.
 */
#ifndef EH_TALLY_FRAME_H
#define EH_TALLY_FRAME_H

#include "plan/select.h"
#include "tally/summarize.h"

/* One pair. */
typedef struct tally_row {
    int64_t pair_row;
    uint64_t question;
    plan_queue_entry entry; /* index: its place in the frame as it was read */
    double f, y; /* ruling and label as 1, .5, 0; f .5 without ruling, y NaN */
    double p, uncertainty; /* chance to be selected, or NaN; BPDE when it was drawn */
    bool ruled, selected, leak;
    bool missing; /* selected, and left by all who had it */
    eh_verdict ruling, label;
    int64_t n_labels;
} tally_row;

typedef struct tally_frame {
    tally_row *rows; /* [n] by rank, or in data order where there is no queue */
    int64_t n;
    bool has_queue;
    plan_selection how; /* of the labelled; _N: nobody knows */
    eh_str selection;   /* of the queue, in the arena; absent without one */
    int labels_per_pair;
} tally_frame;

/* The labelling queue's frame or, where there is none, all pairs that the view saw;
 * ruled by the judge alone, also where people rule in the view. `labels_random`:
 * somebody says that the labels of a ledger without a queue are of pairs drawn at
 * random. Free it also after an error. */
EH_MUST_USE eh_status tally_frame_read(ledger *l, const tally_view *view,
                                       bool labels_random, eh_arena *arena,
                                       tally_frame *frame, eh_error *err);
void tally_frame_free(tally_frame *frame);

/* Is the pair's label one that the selection gave? Of a frame without a queue all are.
 */
bool tally_frame_counts(const tally_frame *frame, const tally_row *row);

#endif
