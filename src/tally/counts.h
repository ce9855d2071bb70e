/* SPDX-License-Identifier: MIT
 *
 * Counting: pairs with their rulings in, question by question, the numbers of one judge
 * out. Nothing is kept per pair.
 *
 *   tally_counts t;
 *   tally_counts_begin(&t, view, arena, &judge);
 *   for each pair, pairs of one question together:
 *       EH_TRY(tally_counts_add(&t, &pair, &ruled, &label, err));
 *   EH_TRY(tally_counts_end(&t, err));
 *
 * A summary has one tally a judge, a table of groups one a group, a table of methods
 * one a method. Tokens, cost and models are the caller's.
 */
#ifndef EH_TALLY_COUNTS_H
#define EH_TALLY_COUNTS_H

#include "tally/resample.h"
#include "tally/summarize.h"
#include "tally/transitivity.h"
#include "stats/cluster.h"

#define RUN_LEVEL .95 /* of every interval in a summary */

typedef struct tally_counts {
    const tally_view *view;
    report_judge *out;
    bool models_differ;
    tally_transitivity *transitivity; /* the caller's; NULL: not counted */
    bool without_trends; /* groups: permutation tests by the hundred take seconds */
    bool any_text;       /* some answer has characters */
    eh_arena *arena;
    stats_cluster win, soft, conflict, sample_conflict, order_win[EH_ORDER_N];
    stats_cluster human_agreement;
    int n_resamples; /* of the win rates' bootstrap; 0: none */
    tally_resample win_questions, soft_questions;
    stats_dd bpde_sum, gap_sum, stability[EH_ORDER_N];
    stats_dd score_1, score_2; /* of compat: sums of pair means */
    stats_reliability_sum reliability;
    int64_t label_counts[4];
} tally_counts;

void tally_counts_begin(tally_counts *t, const tally_view *view, eh_arena *arena,
                        report_judge *out);
EH_MUST_USE eh_status tally_counts_add(tally_counts *t, const ledger_pair *pair,
                                       const tally_ruled *ruled,
                                       const tally_label *label, eh_error *err);
EH_MUST_USE eh_status tally_counts_end(tally_counts *t, eh_error *err);

/* ---- parts, for tally_counts alone ---- */

/* One pair as the parts see it: the samples that the plan takes, of the plain pair, by
 * order and index; NONE where there is none. */
typedef struct tally_counts_pair {
    const ledger_pair *pair;
    const plan_ruling *ruling;
    const tally_label *label;
    const plan_sample *samples[EH_ORDER_N][PLAN_MAX_SAMPLES]; /* NULL: not there */
} tally_counts_pair;

/* tally_bias.c: score gap, length, human ties, repetition, reliability */
void tally_counts_bias_add(tally_counts *t, const tally_counts_pair *p);
EH_MUST_USE eh_status tally_counts_bias_end(tally_counts *t, eh_error *err);

/* tally_compat.c: other tools' rules */
void tally_counts_compat_add(tally_counts *t, const tally_counts_pair *p);
void tally_counts_compat_end(tally_counts *t);

/* Why a plan has no verdicts of two orders to compare; NULL where it has. */
const char *tally_no_orders(const plan_spec *plan);

/* 1, .5, 0 for the verdicts 1, tie, 2. */
double tally_outcome(eh_verdict v);

report_rate tally_rate_of(const stats_cluster *c);

/* Verdicts of the two orders, both there: do they differ, and which way? */
void tally_conflict_add(report_conflict *c, stats_cluster *cluster, uint64_t question,
                        eh_verdict v12, eh_verdict v21);

#endif
