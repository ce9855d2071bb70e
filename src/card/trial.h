/* SPDX-License-Identifier: MIT
 *
 * The self-test of the audit as plain structs, and its writers.
 */
#ifndef EH_CARD_TRIAL_H
#define EH_CARD_TRIAL_H

#include "audit/score.h"
#include "base/buf.h"

/* What is declared of one probe of one judge. */
typedef enum card_trial_mark {
    CARD_TRIAL_CLEAR, /* must not be flagged */
    CARD_TRIAL_MAY,   /* may be flagged: the defect moves it, but not surely */
    CARD_TRIAL_FLAG   /* must be flagged */
} card_trial_mark;

enum { CARD_TRIAL_PROBES_MAX = 12 };

typedef struct card_trial_row {
    const char *planted, *spec; /* in words; the judge's */
    audit_unreadable fault;     /* declared: it cannot be audited, and why */
    card_trial_mark declared[CARD_TRIAL_PROBES_MAX];
    /* Rounds in which: */
    int64_t n_flagged[CARD_TRIAL_PROBES_MAX]; /* the probe was flagged */
    int64_t n_unreadable; /* the declared fault was seen; flags then do not count */
    int64_t n_false;  /* something was flagged that must not be, or another fault was
                         seen than is declared: a false family */
    int64_t n_missed; /* a flag that is declared was not there, or the fault, and no
                         flag that is declared to take its place */
} card_trial_row;

typedef struct card_trial {
    card_trial_row *rows; /* [n_rows] */
    size_t n_rows;
    const char *probes[CARD_TRIAL_PROBES_MAX]; /* [n_probes] */
    size_t n_probes;
    int64_t n_pairs, n_rounds, seed;
    int k;
    double level; /* of Holm's correction: .05 */
} card_trial;

/* Rounds that may differ from what is declared: a tenth, where the correction allows
 * one in twenty; of few rounds none. */
int64_t card_trial_allowed(const card_trial *t);
bool card_trial_row_ok(const card_trial *t, const card_trial_row *row);
bool card_trial_ok(const card_trial *t);

void card_trial_text(const card_trial *t, eh_buf *out);
void card_trial_json(const card_trial *t, eh_buf *out);

#endif
