/* SPDX-License-Identifier: MIT
 *
 * Whether a judge still says what it said.
 */
#ifndef EH_REPORT_DRIFT_H
#define EH_REPORT_DRIFT_H

#include "base/buf.h"
#include "report/summary.h"
#include "stats/difference.h"

/* X(id, name): what is looked at. */
#define REPORT_DRIFT_LIST(X)                                                           \
    X(SHIFT, "win_rate_soft") /* answer 1 wins more or less than it did */             \
    X(CHANGE,                                                                          \
      "disagreement") /* replies differ from before more than among themselves */      \
    X(LEVEL, "score_level") /* scores of both answers are higher or lower */

typedef enum report_drift_kind {
#define X(id, name) REPORT_DRIFT_##id,
    REPORT_DRIFT_LIST(X)
#undef X
        REPORT_DRIFT_N
} report_drift_kind;

const char *report_drift_name(report_drift_kind kind);

typedef struct report_drift_test {
    bool is_defined;    /* n > 0 */
    double before, now; /* NaN where that is no pair of means; of CHANGE what differs
                           among replies of one time, and between the two times */
    stats_difference difference; /* per pair, clustered; LEVEL in ninths of the scale */
    int64_t n, n_questions;
    double p, p_adjusted; /* Holm over the tests that are defined; CHANGE one-sided */
    bool is_shown;
} report_drift_test;

typedef struct report_drift {
    eh_str ledger, judge;
    double margin;
    int64_t n_pairs; /* that were asked again */
    int64_t n_new, n_no_result;
    bool resumed; /* a pass that had been cut short was gone on with */
    int64_t n_failed_before, n_failed_now, n_before,
        n_now; /* replies, and without verdict */
    report_drift_test tests[REPORT_DRIFT_N];
    /* as the endpoint named itself */
    report_model *models_before; /* [n_models_before] sorted by name */
    report_model *models_now;    /* [n_models_now] */
    size_t n_models_before, n_models_now;
    bool is_shown;   /* drift */
    bool is_unknown; /* too little to tell */
} report_drift;

/* One sentence. */
void report_drift_sentence(const report_drift *d, eh_buf *out);

void report_drift_text(const report_drift *d, eh_buf *out);
void report_drift_json(const report_drift *d, eh_buf *out);

#endif
