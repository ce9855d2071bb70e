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
#include "report/agreement.h"
#include "report/bias.h"
#include "report/compat.h"
#include "report/hitlc.h"
#include "report/portia.h"
#include "report/rate.h"

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
    double rate_all;       /* over all pairs, the paper's N */
    double p_direction;    /* exact sign test, first_both against second_both */
    int64_t table[9];      /* [order 12][order 21], classes 1, 2, tie */
    double kappa;          /* of that table */
    const char *why_kappa; /* NULL where it is defined */
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

enum { REPORT_RELIABILITY_BINS = 5 };

typedef struct report_labels {
    report_agreement all;
    report_agreement without_flagged; /* pairs with a unique plurality only */
    int64_t n_flagged;
    double baseline; /* accuracy of always saying the commonest label */
    eh_verdict baseline_label;
    report_agreement by_order[EH_ORDER_N];
    report_rate human_agreement;   /* right in both orders, over all labelled pairs */
    stats_reliability reliability; /* of the soft verdicts */
    stats_reliability_bin reliability_bins[REPORT_RELIABILITY_BINS];
} report_labels;

/* What the win rate's spread says about other sample sizes. */
typedef struct report_planning {
    int64_t questions; /* for a win rate within REPORT_HALF_WIDTH either way; 0: why */
    double
        detectable; /* difference from .5 that these questions show with 80 % power */
    const char *why;
} report_planning;

#define REPORT_HALF_WIDTH .05
#define REPORT_POWER .8

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
    int64_t n_by_people, n_people_labels; /* then: pairs that people decide, labels */
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
    report_planning planning;                  /* by the win rate */
    report_bpde bpde;
    report_transitivity transitivity;
    report_labels labels;
    report_bias bias;
    report_compat compat;                     /* by other tools' rules */
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
    bool with_compat;   /* other tools' rules are wanted */
    double co2e_g;      /* for 1,000 tokens, as the user says; 0: not said */
    int64_t label_nusd; /* price of a label, as the user says; 0: not said */
} report_summary;

/* The stable summary (docs/formats.md), with a final LF. */
void report_summary_json(const report_summary *s, eh_buf *out);

/* One judge's object in it, without other tools' rules and CO2e. */
void report_judge_json(const report_judge *j, json_writer *w);

/* The same for a writer that adds members of its own: an object that is left open. */
void report_summary_json_open(const report_summary *s, json_writer *w);

/* What a group of pairs has in common with all of them: the members from `pairs` to
 * `length`. */
void report_put_numbers(json_writer *w, const report_judge *j);
/* The member "compat". */
void report_put_other_rules(json_writer *w, const report_judge *j);
/* The member `why` of such an object: which of them are null, and why. */
void report_put_numbers_why(json_writer *w, const report_judge *j);

/*
 * For people (layout.h), both parts: a block for one judge or a table for several; and
 * the sentence that closes what is printed, of one judge alone. Tables of the same run
 * stand between.
 */
void report_summary_text(const report_summary *s, eh_buf *out);
void report_summary_body_text(const report_summary *s, eh_buf *out);
void report_summary_closing_text(const report_summary *s, eh_buf *out);

/* Of a judge under hitlc. */
report_hitlc report_hitlc_of(const report_judge *j, const report_summary *s);

/* A one-order method that was asked both ways: two results and no ruling. */
bool report_orders_apart(const report_judge *j);

/* The table alone: what its names are called, rows, and what the columns say. `labels`:
 * with accuracy and kappa. */
void report_table_head(const char *names, bool labels, eh_buf *out);
void report_table_row(eh_str name, const report_judge *j, bool labels, eh_buf *out);
void report_table_foot(bool labels, eh_buf *out);

/* The table of several judges, with that of split and merge where it applies. */
void report_summary_table(const report_summary *s, eh_buf *out);

/* "gpt-x (fp_1) 120 calls, gpt-x (fp_2) 40 calls": the first few, and how many more. */
void report_models(const report_judge *j, eh_buf *out);

/* The member "models": a list of what the endpoint named itself, with its calls. */
void report_put_models(json_writer *w, const report_model *models, size_t n);

/* How many pairs would give the rate an interval of +- half_width, by how its width
 * shrinks; NaN where it has none. To fives: it is an estimate. */
double report_pairs_needed(const report_rate *r, double half_width);

/* "model 1 wins 56 % (49 to 63, 80 questions); ..." with a final full stop. */
void report_sentence(const report_judge *j, eh_buf *out);

#endif
