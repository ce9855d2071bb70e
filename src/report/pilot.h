/* SPDX-License-Identifier: MIT
 *
 * What a pilot found, and what the whole data set would take.
 */
#ifndef EH_REPORT_PILOT_H
#define EH_REPORT_PILOT_H

#include "report/summary.h"

/* A method over the whole data set. */
typedef struct report_pilot_method {
    plan_spec plan;
    int64_t n_calls;   /* at most: rows with equal texts share theirs */
    int64_t n_present; /* of those, in the ledger already */
    double prompt_tokens, completion_tokens; /* of the missing ones; NaN: unknown */
    int64_t cost_nusd;                       /* of the missing ones; -1: unknown */
} report_pilot_method;

enum { REPORT_PILOT_METHODS = 2 };

typedef struct report_pilot {
    int64_t n_pairs;           /* of the data set */
    plan_spec plan;            /* as the user wants it; asked in both orders here */
    const report_judge *judge; /* the numbers of the pilot's pairs */
    int64_t n_replies, n_failed;
    double prompt_tokens, completion_tokens; /* of one pair in both orders; NaN */
    report_pilot_method methods[REPORT_PILOT_METHODS]; /* bpc, mec+bpc */
} report_pilot;

/* What to do next, by the numbers alone. */
typedef enum report_advice {
    REPORT_ADVICE_FAILURES,  /* more than 5 % of replies have no verdict */
    REPORT_ADVICE_TOO_FEW,   /* no interval for the conflict rate */
    REPORT_ADVICE_CONFLICT,  /* 20 % of pairs conflict, or more */
    REPORT_ADVICE_DIRECTION, /* fewer, but one slot gains by them */
    REPORT_ADVICE_UNSURE,    /* fewer, but 20 % is within the interval */
    REPORT_ADVICE_FINE       /* few, and no slot gains */
} report_advice;

report_advice report_pilot_advice(const report_pilot *p);

/* For people, ending in one sentence of advice. */
void report_pilot_text(const report_pilot *p, eh_buf *out);

/* The same as one JSON object, with a final LF. */
void report_pilot_json(const report_pilot *p, eh_buf *out);

#endif
