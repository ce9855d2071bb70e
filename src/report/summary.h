/* SPDX-License-Identifier: MIT
 *
 * The numbers of one run as plain structs, and their writers: JSON (stable, byte for
 * byte the same for the same replies) and text for a terminal.
 *
 * A number that is undefined is NaN, and `why` beside it says why (a constant, such as
 * "no_rows"); JSON writes null. Times, attempts and paths are not here.
 */
#ifndef EH_REPORT_SUMMARY_H
#define EH_REPORT_SUMMARY_H

#include "base/buf.h"
#include "base/json_write.h"
#include "plan/ruling.h"
#include "report/portia.h"
#include "stats/interval.h"

typedef struct report_rate {
    double value, low, high;
    int64_t n; /* what it is taken over: pairs */
    int64_t n_questions;
    const char *why; /* NULL when all is defined */
} report_rate;

/* Replies of one order by their verdict, un-swapped. */
typedef struct report_counts {
    int64_t n_1, n_2, n_tie, n_failed;
    int64_t n_scored; /* standalone: of answer 1 (order 12) or 2 (order 21), alone */
} report_counts;

typedef struct report_position {
    int64_t first, second, tie; /* decided replies for each slot, and ties */
    double first_rate;
    bool one_order; /* then first_rate is answer 1's win rate and no bias */
} report_position;

typedef struct report_conflict {
    int64_t n_pairs; /* with a ruling in both orders */
    int64_t n_conflicts, first_both, second_both, with_tie;
    report_rate rate;
    double rate_all;    /* over all pairs, the paper's N */
    double p_direction; /* exact sign test, first_both against second_both */
} report_conflict;

typedef struct report_rulings {
    int64_t n_1, n_2, tie_agreed, tie_from_conflict, n_none;
} report_rulings;

/* Of three answers to one question, all three pairs ruled. */
typedef struct report_transitivity {
    int64_t n_triples;
    int64_t n_circles;       /* each beats the next */
    int64_t n_broken_by_tie; /* no order of the three has these rulings, for a tie */
} report_transitivity;

typedef struct report_agreement {
    int64_t n_labelled, n_ruled;
    double accuracy, accuracy_ruled, kappa;
    const char *why;       /* of accuracy */
    const char *why_ruled; /* of accuracy_ruled */
    const char *why_kappa;
} report_agreement;

typedef struct report_labels {
    report_agreement all;
    report_agreement without_flagged; /* pairs with a unique plurality only */
    int64_t n_flagged;
    double baseline; /* accuracy of always saying the commonest label */
    eh_verdict baseline_label;
    report_agreement by_order[EH_ORDER_N];
} report_labels;

typedef struct report_bpde {
    int64_t n, zero;
    double mean, max;
} report_bpde;

/* What the endpoint said that it is. */
typedef struct report_model {
    eh_str model, fingerprint; /* absent where it named none */
    int64_t n_calls;
} report_model;

typedef struct report_judge {
    eh_str name; /* unique within a summary */
    eh_str judge_id;
    eh_str template_name;
    eh_str params_json;
    plan_spec plan;
    bool people; /* hitlc: the plan, and people's labels where there are any */
    plan_scale scale;
    eh_str model_1, model_2; /* where all pairs have the same two; else absent */
    int64_t n_pairs;
    report_counts counts[EH_ORDER_N];
    report_position position;
    report_conflict conflict;
    report_conflict conflict_by_sample; /* over pairs and samples */
    report_rulings rulings;
    report_rate win_rate, win_rate_soft;
    report_rate win_rate_by_order[EH_ORDER_N]; /* of each order's own rulings */
    report_bpde bpde;
    report_transitivity transitivity;
    report_labels labels;
    report_portia portia;                     /* for that method */
    int64_t failed[VERDICT_REASON_N];         /* replies without a verdict by reason */
    int64_t none[PLAN_NONE_SIDE_BY_SIDE + 1]; /* pairs without ruling by kind */
    int64_t n_calls;
    report_model *models; /* [n_models] sorted by name */
    size_t n_models;
    bool mixed_models; /* two of them are not the same */
    int64_t prompt_tokens, cached_tokens, completion_tokens, reasoning_tokens; /* -1 */
    int64_t cost_nusd; /* of all calls; -1 = unknown */
    eh_str price_date; /* of the price it was computed with; may be absent */
} report_judge;

typedef struct report_summary {
    int64_t n_pairs;
    report_judge *judges; /* [n_judges] */
    size_t n_judges;
} report_summary;

/* The stable summary (docs/formats.md), with a final LF. */
void report_summary_json(const report_summary *s, eh_buf *out);

/* One judge's object in it. */
void report_judge_json(const report_judge *j, json_writer *w);

/* For people: a block for one judge, a table for several, and the closing sentence. */
void report_summary_text(const report_summary *s, eh_buf *out);

/* "gpt-x (fp_1) 120 calls, gpt-x (fp_2) 40 calls": the first few, and how many more. */
void report_models(const report_judge *j, eh_buf *out);

/* How many pairs would give the rate an interval of +- half_width, by how its width
 * shrinks; NaN where it has none. To fives: it is an estimate. */
double report_pairs_needed(const report_rate *r, double half_width);

/* "model 1 wins 56 % (49 to 63, 80 questions); ..." with a final full stop. */
void report_sentence(const report_judge *j, eh_buf *out);

/* The same, broken into lines of at most 78 columns (ASCII), each indented. */
void report_sentence_lines(const report_judge *j, int indent, eh_buf *out);

#endif
