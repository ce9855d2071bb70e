/* SPDX-License-Identifier: MIT
 *
 * The win rate that people would give on all pairs, by several ways of joining their
 * labels with a judge's rulings; and what people at the head of the queue are worth.
 */
#ifndef EH_REPORT_ESTIMATE_H
#define EH_REPORT_ESTIMATE_H

#include "base/json_write.h"
#include "stats/human.h"

/* X(id, name, text) */
#define REPORT_ESTIMATE_LIST(X)                                                        \
    X(JUDGE, "judge", "judge alone")                                                   \
    X(PEOPLE, "people", "people alone")                                                \
    X(HITLC, "hitlc", "people where labelled, else judge")                             \
    X(ACTIVE, "active", "active: judge corrected by labels")                           \
    X(RANDOM, "random", "random subset, tuned to the judge")                           \
    X(STRATIFIED, "stratified", "by strata of the judge's doubt")

typedef enum report_estimate_kind {
#define X(id, name, text) REPORT_ESTIMATE_##id,
    REPORT_ESTIMATE_LIST(X)
#undef X
        REPORT_ESTIMATE_N
} report_estimate_kind;

typedef struct report_estimate {
    double value, low, high; /* NaN where undefined */
    double se;
    double se_labels; /* the part of it that labels of all pairs would take away */
    int64_t n_labels;
    const char *why; /* why there is no value or no interval: a code; NULL: all there */
    double lambda;   /* random: how far the judge is used; else NaN */
} report_estimate;

/* One budget of the curve: accuracy against the labels when people decide that many
 * pairs and the judge the rest; expected values for the two draws at random. */
typedef struct report_budget {
    int64_t percent;
    int64_t n_people;
    double entropy, active, random; /* NaN where it is not known, see has_curve */
    double accuracy_rest; /* of the judge on the labelled pairs behind the head */
} report_budget;

enum { REPORT_BUDGETS = 101 };

typedef struct report_estimates {
    eh_str judge, selection; /* selection is absent where there is no queue */
    int64_t n_pairs, n_questions, n_without_ruling;
    int64_t n_selected,
        n_labelled; /* pairs; of the selected ones n_selected_labelled */
    int64_t n_selected_labelled;
    int64_t n_missing; /* selected, left without a label by somebody who had them */
    int64_t n_leaks;
    report_estimate of[REPORT_ESTIMATE_N];
    report_estimate_kind quote;    /* the one to give; _N: none is fit */
    report_estimate without_leaks; /* the same without pairs whose texts name a model */
    bool few_labels;      /* of the quoted one: its interval may be too narrow */
    double labels_alone;  /* that people alone would need for that interval; NaN */
    double half_width;    /* wished for, such as .05 */
    double labels_wished; /* labels for it in this way; NaN: not even all would do */
    double accuracy;      /* of the judge on labelled pairs */
    double accuracy_rest, accuracy_random, accuracy_hitlc; /* as in the curve */
    int64_t n_rest_labelled;
    bool is_random; /* the labelled are a random part of all pairs */
    report_budget curve[REPORT_BUDGETS];
    bool has_curve; /* what budgets would have given is known: all pairs have labels, */
    int64_t n_curve; /* or a random part, or the ledger does not know which; so many */
    int labels_per_pair;
    int64_t label_nusd, judge_nusd; /* of a label, of all calls; -1: unknown */
} report_estimates;

/* What a budget costs: the judge on all pairs and the labels of n_people; -1 where a
 * price is unknown. */
int64_t report_budget_nusd(const report_estimates *e, int64_t n_people);

/* The value of a key "estimates", or of a name in it. */
void report_estimates_json(const report_estimates *e, json_writer *w);

/* For people, in 80 columns. */
void report_estimates_text(const report_estimates *e, eh_buf *out);

#endif
