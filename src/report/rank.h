/* SPDX-License-Identifier: MIT
 *
 * Models in the order of their strength, with what is known of it.
 */
#ifndef EH_REPORT_RANK_H
#define EH_REPORT_RANK_H

#include "base/buf.h"
#include "stats/interval.h"
#include "stats/length.h"

/* Fewer questions than this behind a model: its interval is too narrow. */
enum { REPORT_RANK_THIN_QUESTIONS = 50 };

typedef struct report_rank_model {
    eh_str name;
    stats_interval strength; /* log odds; mean 0 over the models it is linked with */
    stats_interval
        expected; /* wins against the average of these, ties half, either slot */
    int rank_low, rank_high; /* places that the pairwise intervals leave open */
    int component;           /* -1: nothing is known */
    bool undefeated, winless;
    int64_t n_pairs, n_questions, n_wins, n_ties, n_losses; /* verdicts */
} report_rank_model;

typedef struct report_rank_term {
    const char *name; /* "length", "headings", ... */
    stats_interval value;
    bool is_constant; /* no two answers differ in it: not in the model */
} report_rank_term;

/* The win rate of one model against another if their answers were of one length. */
typedef struct report_rank_pair {
    int a, b; /* places in `models`; the rate is of a */
    double plain;
    stats_length controlled;
} report_rank_pair;

enum { REPORT_RANK_TERMS_MAX = 4 };

typedef struct report_rank {
    eh_str ledger, judge; /* as the user named it; as in show */
    bool half_ties;
    bool has_order;            /* both orders were asked */
    bool is_alone;             /* rulings of standalone: no slots */
    report_rank_model *models; /* [n_models] linked ones together, strongest first */
    int n_models, n_components;
    int64_t n_pairs, n_questions, n_verdicts;
    int64_t n_no_models, n_same_model, n_no_verdict; /* pairs left out, and why */
    stats_interval order; /* log odds of the first slot between equals */
    stats_interval first; /* the same as its share of decided verdicts */
    double tie_share;     /* ties between equals; NaN where there are none */
    report_rank_term terms[REPORT_RANK_TERMS_MAX];
    int n_terms;
    int n_penalised; /* components in which some strength has no finite estimate */
    bool all_penalised;
    report_rank_pair *pairs; /* [n_length_pairs] with --length */
    int n_length_pairs;
    const char *why; /* why there are no estimates, or no intervals; or NULL */
} report_rank;

/* Is the first model ahead of the second by more than chance? For the sentence. */
typedef struct report_rank_lead {
    int first, second; /* places in `models`; -1: there are no two */
    stats_interval lead;
} report_rank_lead;

void report_rank_text(const report_rank *r, const report_rank_lead *lead, eh_buf *out);
void report_rank_json(const report_rank *r, const report_rank_lead *lead, eh_buf *out);

#endif
