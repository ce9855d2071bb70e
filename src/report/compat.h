/* SPDX-License-Identifier: MIT
 *
 * Other tools' rules, for checking a number that somebody published. They differ from
 * ours on purpose: they pool all samples of both orders, or count what could not be
 * read as a verdict. Nothing else in a summary is computed from them.
 */
#ifndef EH_REPORT_COMPAT_H
#define EH_REPORT_COMPAT_H

#include "plan/ruling.h"
#include "report/agreement.h"

/* X(id, name): one verdict a pair. MAJORITY, NET and SCORE are of all valid samples of
 * both orders in one heap. */
#define REPORT_COMPAT_RULES(X)                                                         \
    X(MAJORITY, "pooled_majority") /* the strictly commonest verdict, else a tie */    \
    X(NET, "pooled_net")           /* more votes for 1 than for 2; ties abstain */     \
    X(SCORE, "pooled_score")       /* means of all scores compared */                  \
    X(NONE_IS_TIE, "none_is_tie")  /* our ruling, and a tie where there is none */

typedef enum report_compat_rule {
#define X(id, name) REPORT_COMPAT_##id,
    REPORT_COMPAT_RULES(X)
#undef X
        REPORT_COMPAT_N
} report_compat_rule;

typedef struct report_compat_ruled {
    int64_t n_1, n_2, n_tie, n_none;
    report_agreement labels;
} report_compat_ruled;

/* Sample s of order 12 against sample s of order 21. */
typedef struct report_compat_sample {
    int64_t n_read;  /* replies with a verdict, both orders */
    int64_t n_pairs; /* with a verdict in each order */
    int64_t n_conflicts, first_both, second_both, with_tie;
} report_compat_sample;

typedef struct report_compat {
    report_compat_ruled rules[REPORT_COMPAT_N];
    bool has_scores; /* else the rule SCORE does not hold */
    int64_t n_scored[EH_ORDER_N];
    double sum_1[EH_ORDER_N], sum_2[EH_ORDER_N]; /* of all scores */
    int64_t n_scored_pairs;
    double mean_1, mean_2; /* mean over pairs of the means over all their scores */
    /* both orders, no ruling in either counting as equal */
    int64_t n_same_or_none;
    int64_t table_none_is_2[9]; /* [order 12][order 21], no ruling counting as "2" */
    report_compat_sample samples[PLAN_MAX_SAMPLES]; /* [n_samples] */
    int n_samples;
} report_compat;

/* The object behind "compat", without its key; `both_orders`: the plan has two. */
void report_put_compat(json_writer *w, const report_compat *c, int64_t n_pairs,
                       bool both_orders);

/* Lines of a judge's block. */
void report_compat_text(const report_compat *c, eh_buf *out);

#endif
