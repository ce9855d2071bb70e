/* SPDX-License-Identifier: MIT
 *
 * The desk: hands pairs to people and takes back what they decide. It knows no HTTP and
 * holds no texts; one thread, the ledger's.
 *
 * Nothing is remembered here that a restart would lose: counts are read from the ledger
 * when the desk opens, and every decision is durable before it is answered.
 */
#ifndef EH_SERVE_DESK_H
#define EH_SERVE_DESK_H

#include "base/clock.h"
#include "ledger/queue.h"

typedef struct desk desk;

/* USAGE when the ledger has no queue. Borrows the ledger; desk_close accepts NULL. */
EH_MUST_USE eh_status desk_open(ledger *l, eh_clock clock, desk **d, eh_error *err);
void desk_close(desk *d);

const ledger_queue *desk_queue(const desk *d);
int64_t desk_n_pairs(const desk *d);    /* selected */
int64_t desk_n_complete(const desk *d); /* have all the labels that they should */
int64_t desk_n_missing(const desk *d);  /* labels that nobody holds or gave */
int64_t desk_n_leaks(const desk *d);
int64_t desk_owner_row(const desk *d); /* the owner as an annotator */

/* Pausing hands out nothing new; labels are still taken. Commits. */
EH_MUST_USE eh_status desk_pause(desk *d, bool paused, eh_error *err);

/* What the person has to do next: what is open in their hands, filled up to `cap` with
 * pairs that need a label, in the person's own random order; when there is nothing
 * else, what they skipped once. Commits before it returns. */
EH_MUST_USE eh_status desk_next(desk *d, int64_t annotator_row, ledger_assignment *list,
                                size_t cap, size_t *n, eh_error *err);

/* The pair in the owner's hands, for a further label after others disagreed. */
EH_MUST_USE eh_status desk_owner_takes(desk *d, int64_t pair_row, ledger_assignment *a,
                                       eh_error *err);

typedef enum desk_outcome {
    DESK_SAVED,
    DESK_REPEATED, /* this label_id is there already, with the same choice */
    DESK_CONFLICT, /* the pair is labelled: say that this one replaces it */
    DESK_REUSED,   /* the label_id is there with something else */
    DESK_UNKNOWN   /* no such assignment of this person */
} desk_outcome;

typedef struct desk_label {
    eh_str item;     /* id of the assignment */
    eh_str replaces; /* label_id of the decision that is changed; absent: none */
    /* label_id, choice, unfamiliar, note, client_seq, instructions, view, width,
     * visible_ms, depths; the rest is filled here */
    ledger_decision decision;
} desk_label;

/* Takes a decision. `kept` is what is stored now: the new decision, or the one that is
 * in the way; its strings are the label's or in `arena`. Durable on return. */
EH_MUST_USE eh_status desk_decide(desk *d, int64_t annotator_row,
                                  const desk_label *label, eh_arena *arena,
                                  desk_outcome *outcome, ledger_decision *kept,
                                  eh_error *err);

/* A person's own numbers and what is left for them. */
typedef struct desk_progress {
    ledger_progress own;
    int64_t n_left;
} desk_progress;
EH_MUST_USE eh_status desk_progress_of(desk *d, int64_t annotator_row, desk_progress *p,
                                       eh_error *err);

/* Notes that a person is there; written down now and then. */
EH_MUST_USE eh_status desk_seen(desk *d, int64_t annotator_row, eh_error *err);

#endif
