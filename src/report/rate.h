/* SPDX-License-Identifier: MIT
 *
 * A share with its interval, and a trend over bins: what the parts of a summary are
 * made of. A number that is undefined is NaN, and `why` says why.
 */
#ifndef EH_REPORT_RATE_H
#define EH_REPORT_RATE_H

#include "base/json_write.h"
#include "stats/interval.h"

/* The interval by resampling questions, where it was asked for. */
typedef struct report_bootstrap {
    int n_resamples; /* 0: it was not */
    double low, high;
    const char *why;
} report_bootstrap;

typedef struct report_rate {
    double value, low, high;
    int64_t n; /* what it is taken over: pairs */
    int64_t n_questions;
    const char *why; /* NULL when all is defined */
    report_bootstrap bootstrap;
} report_rate;

typedef struct report_trend {
    double z, p;
    bool exact;      /* p by permutation */
    const char *why; /* NULL where it is defined */
} report_trend;

/* A reason of `why` in words, NULL that there are no rows; one that statistics do not
 * know stays as it is. */
const char *report_why_text(const char *why);

/* part / whole; NaN over nothing. */
double report_share(int64_t part, int64_t whole);

/* {value, low, high, n, questions, why}, with bootstrap {low, high, resamples, why}
 * where there is one */
void report_put_rate(json_writer *w, const char *key, const report_rate *r);
void report_put_rate_members(json_writer *w, const report_rate *r);

/* The same of an interval alone: {value, low, high, why} */
void report_put_interval(json_writer *w, const char *key, const stats_interval *i);
void report_put_interval_members(json_writer *w, const stats_interval *i);

/* trend_z, trend_p, trend_test and why, into the object that is open. */
void report_put_trend(json_writer *w, const report_trend *t);

/* "trend: z = 2.10, p = .0357", or "no trend (too few questions)". */
void report_trend_text(const report_trend *t, eh_buf *out);

#endif
