/* SPDX-License-Identifier: MIT
 *
 * From a ledger to the numbers of its runs.
 */
#ifndef EH_RUN_SUMMARIZE_H
#define EH_RUN_SUMMARIZE_H

#include "ledger/ledger.h"
#include "report/summary.h"
#include "run/scope.h"
#include "stats/cluster.h"

/* A run as it is looked at: the judge's samples under a plan. */
typedef struct run_view {
    ledger_run run;
    plan_spec plan;
    plan_scale scale;
    bool people; /* hitlc: labels decide where there are any */
} run_view;

/* "hitlc" for a view of people and judge, else the plan's method. */
const char *run_view_method(const run_view *view);

/* The views of all runs; `method` (absent: each run's own) rules them another way, and
 * runs that are the same then have one view. The arrays live in `arena`. */
EH_MUST_USE eh_status run_views(ledger *l, eh_str method, eh_arena *arena,
                                run_view **views, size_t *n, eh_error *err);

/* A name for each view, unique: the judge id, to which method, template, temperature,
 * samples and orders, at last a digest, are appended only where two would collide. In
 * `arena`. */
EH_MUST_USE eh_status run_view_names(const run_view *views, size_t n, eh_arena *arena,
                                     eh_str **names, eh_error *err);

/* All numbers of all views, in constant memory. Strings and arrays in `arena`. */
EH_MUST_USE eh_status run_summarize(ledger *l, eh_str method, eh_arena *arena,
                                    report_summary *summary, eh_error *err);

/* The numbers of one view over some pairs only; tokens and models are of all its calls.
 * out->name is left empty. */
EH_MUST_USE eh_status run_summarize_scope(ledger *l, const run_view *view,
                                          const run_scope *scope, eh_arena *arena,
                                          report_judge *out, eh_error *err);

/* One pair's samples and ruling under a view; for portia only samples that the plan
 * asks for. `in_scope` is false for a pair that an
 * imported judge never saw. */
typedef struct run_ruled {
    plan_sample samples[PLAN_MAX_ASKS * PLAN_MAX_SAMPLES];
    size_t n_samples;
    plan_ruling ruling;
    bool in_scope;
    bool by_people;           /* hitlc: the ruling is the majority of labels */
    eh_verdict judge_verdict; /* what the judge said, also then */
} run_ruled;

EH_MUST_USE eh_status run_rule_pair(ledger *l, const run_view *view, int64_t pair_row,
                                    run_ruled *ruled, eh_error *err);

/* What a verdict counts in a win rate of answer 1: 1, .5, 0; a tie also for NONE. */
double run_outcome(eh_verdict v);

/* A mean over values of 0 .. 1 with its 95 % interval, as the summary writes it. */
report_rate run_rate_of(const stats_cluster *c);

/* The same of another stream's samples (RUN_STREAM_MAIN and so on). */
EH_MUST_USE eh_status run_rule_stream(ledger *l, const run_view *view, int64_t pair_row,
                                      int stream, run_ruled *ruled, eh_error *err);

/* The plurality of a pair's labels; *flagged when there is no unique one (then the
 * majority is a tie); NONE without labels. */
eh_verdict run_label_majority(const int64_t counts[4], bool *flagged);

#endif
