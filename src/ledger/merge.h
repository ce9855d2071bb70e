/* SPDX-License-Identifier: MIT
 *
 * One ledger out of several: the union of pairs, judges, calls, samples and labels.
 */
#ifndef EH_LEDGER_MERGE_H
#define EH_LEDGER_MERGE_H

#include "ledger/ledger.h"

typedef struct ledger_merge_counts {
    int64_t n_pairs, n_new_pairs;   /* in the scope of the source; of those, added */
    int64_t n_calls, n_new_calls;   /* of the source, replaced ones apart; added */
    int64_t n_labels, n_new_labels; /* of the source; added */
    int64_t n_label_conflicts;      /* another label by the same annotator */
    int64_t n_newer, n_older; /* calls of one key that were answered twice, not word
                                 for word alike: the source's reply is the newer one
                                 and answers from now on, or it is history */
    int64_t n_other_asks;  /* asks with another verdict under another key: not taken */
    int64_t n_other_texts; /* ids with other texts in both scopes: not in the scope */
    bool leaves_queue; /* its labelling queue is not taken along: there is one here */
    char first_other_texts[80]; /* the id of the first of them, cut */
} ledger_merge_counts;

/* One annotator's label of a pair is not the same in both ledgers. Strings live for the
 * call. */
typedef struct ledger_label_conflict {
    eh_str pair_id, annotator;
    eh_verdict before, source;
    bool takes_source; /* it is the newer one, or the later of equals */
} ledger_label_conflict;

typedef struct ledger_merge_options {
    bool without_texts; /* leave out replies and the texts of pairs: for numbers only */
    void (*on_label_conflict)(void *self, const ledger_label_conflict *c); /* or NULL */
    void *self;
} ledger_merge_options;

/* Adds the ledger at `path` to `into`, all of it or nothing. The source is not changed.
 *
 * Calls are the same where their keys are, so each is kept once; where the two have
 * other replies the newer one answers and the older one stays as history, as after a
 * refresh. The scope of `into` grows by what it lacks, behind what it has, in the
 * source's order. */
EH_MUST_USE eh_status ledger_merge(ledger *into, const char *path,
                                   const ledger_merge_options *options,
                                   ledger_merge_counts *counts, eh_error *err);

#endif
