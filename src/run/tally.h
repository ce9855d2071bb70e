/* SPDX-License-Identifier: MIT
 *
 * Counting: pairs with their rulings in, question by question, the numbers of one judge
 * out. Nothing is kept per pair.
 *
 *   run_tally t;
 *   run_tally_begin(&t, view, arena, &judge);
 *   for each pair, pairs of one question together:
 *       EH_TRY(run_tally_add(&t, &pair, &ruled, &label, err));
 *   EH_TRY(run_tally_end(&t, err));
 *
 * A summary has one tally a judge, a table of groups one a group, a table of methods
 * one a method. Tokens, cost and models are the caller's.
 */
#ifndef EH_RUN_TALLY_H
#define EH_RUN_TALLY_H

#include "run/resample.h"
#include "run/summarize.h"
#include "run/transitivity.h"
#include "stats/cluster.h"

#define RUN_LEVEL .95 /* of every interval in a summary */

typedef struct run_tally {
    const run_view *view;
    report_judge *out;
    bool models_differ;
    run_transitivity *transitivity; /* the caller's; NULL: not counted */
    bool without_trends; /* groups: permutation tests by the hundred take seconds */
    bool any_text;       /* some answer has characters */
    eh_arena *arena;
    stats_cluster win, soft, conflict, sample_conflict, order_win[EH_ORDER_N];
    stats_cluster human_agreement;
    int n_resamples; /* of the win rates' bootstrap; 0: none */
    run_resample win_questions, soft_questions;
    stats_dd bpde_sum, gap_sum, stability[EH_ORDER_N];
    stats_dd score_1, score_2; /* of compat: sums of pair means */
    stats_reliability_sum reliability;
    int64_t label_counts[4];
} run_tally;

void run_tally_begin(run_tally *t, const run_view *view, eh_arena *arena,
                     report_judge *out);
EH_MUST_USE eh_status run_tally_add(run_tally *t, const ledger_pair *pair,
                                    const run_ruled *ruled, const run_label *label,
                                    eh_error *err);
EH_MUST_USE eh_status run_tally_end(run_tally *t, eh_error *err);

/* ---- parts, for run_tally alone ---- */

/* One pair as the parts see it: the samples that the plan takes, of the plain pair, by
 * order and index; NONE where there is none. */
typedef struct run_tally_pair {
    const ledger_pair *pair;
    const plan_ruling *ruling;
    const run_label *label;
    const plan_sample *samples[EH_ORDER_N][PLAN_MAX_SAMPLES]; /* NULL: not there */
} run_tally_pair;

/* tally_bias.c: score gap, length, human ties, repetition, reliability */
void run_tally_bias_add(run_tally *t, const run_tally_pair *p);
EH_MUST_USE eh_status run_tally_bias_end(run_tally *t, eh_error *err);

/* tally_compat.c: other tools' rules */
void run_tally_compat_add(run_tally *t, const run_tally_pair *p);
void run_tally_compat_end(run_tally *t);

/* Why a plan has no verdicts of two orders to compare; NULL where it has. */
const char *run_no_orders(const plan_spec *plan);

/* 1, .5, 0 for the verdicts 1, tie, 2. */
double run_outcome(eh_verdict v);

report_rate run_rate_of(const stats_cluster *c);

/* Verdicts of the two orders, both there: do they differ, and which way? */
void run_conflict_add(report_conflict *c, stats_cluster *cluster, uint64_t question,
                      eh_verdict v12, eh_verdict v21);

#endif
