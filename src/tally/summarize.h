/* SPDX-License-Identifier: MIT
 *
 * From a ledger to the numbers of its runs.
 */
#ifndef EH_TALLY_SUMMARIZE_H
#define EH_TALLY_SUMMARIZE_H

#include "ledger/ledger.h"
#include "report/summary.h"
#include "tally/scope.h"
#include "stats/cluster.h"

/* A run as it is looked at: the judge's samples under a plan. */
typedef struct tally_view {
    size_t book; /* which of several ledgers it is of */
    ledger_run run;
    plan_spec plan;
    plan_scale scale;
    bool people; /* hitlc: labels decide where there are any */
} tally_view;

/* "hitlc" for a view of people and judge, else the plan's method. */
const char *tally_view_method(const tally_view *view);

/* The views of all runs; `method` (absent: each run's own) rules them another way, and
 * runs that are the same then have one view. The arrays live in `arena`. */
EH_MUST_USE eh_status tally_views(ledger *l, eh_str method, eh_arena *arena,
                                  tally_view **views, size_t *n, eh_error *err);

/* A name for each view, unique: the judge id, to which method, template, temperature,
 * samples and orders, a digest, at last the ledger's number ("[2]"), are appended only
 * where two would collide. In `arena`. */
EH_MUST_USE eh_status tally_view_names(const tally_view *views, size_t n,
                                       eh_arena *arena, eh_str **names, eh_error *err);

/* All numbers of all views, in constant memory. Strings and arrays in `arena`. */
EH_MUST_USE eh_status tally_summarize(ledger *l, eh_str method, eh_arena *arena,
                                      report_summary *summary, eh_error *err);

/* Several ledgers side by side: the views of all, under names that tell them apart. */
typedef struct tally_books {
    ledger *const *ledgers; /* [n_ledgers], the caller's */
    size_t n_ledgers;
    tally_view *views; /* [n_views] in `arena`; views[i].book is its ledger */
    eh_str *names;     /* [n_views] */
    size_t n_views;
    int n_resamples; /* of the win rates' bootstrap; 0: none. The caller's */
} tally_books;

/* `method` as for tally_views. */
EH_MUST_USE eh_status tally_books_look(ledger *const *ledgers, size_t n_ledgers,
                                       eh_str method, eh_arena *arena,
                                       tally_books *books, eh_error *err);

/* The numbers of all their views; summary->n_pairs counts a pair that several ledgers
 * hold once. */
EH_MUST_USE eh_status tally_summarize_books(const tally_books *books, eh_arena *arena,
                                            report_summary *summary, eh_error *err);

/* Tokens and models of all calls behind a view, into out. */
EH_MUST_USE eh_status tally_take_usage(ledger *l, const tally_view *view,
                                       eh_arena *arena, report_judge *out,
                                       eh_error *err);

/* The numbers of one view over some pairs only; tokens and models are of all its calls.
 * out->name is left empty. */
EH_MUST_USE eh_status tally_summarize_scope(ledger *l, const tally_view *view,
                                            const tally_scope *scope, eh_arena *arena,
                                            report_judge *out, eh_error *err);

/* One pair's samples and ruling under a view; for portia only samples that the plan
 * asks for. `in_scope` is false for a pair that an
 * imported judge never saw. */
typedef struct tally_ruled {
    plan_sample samples[PLAN_MAX_ASKS * PLAN_MAX_SAMPLES];
    size_t n_samples;
    plan_ruling ruling;
    bool in_scope;
    bool by_people;           /* hitlc: the ruling is the majority of labels */
    eh_verdict judge_verdict; /* what the judge said, also then */
} tally_ruled;

EH_MUST_USE eh_status tally_rule_pair(ledger *l, const tally_view *view,
                                      int64_t pair_row, tally_ruled *ruled,
                                      eh_error *err);

/* The requested temperature as it stands in the parameters; absent where none is. */
eh_str tally_judge_temperature(const ledger_judge *asked);

/* What both orders say alike: of portia the verdict of the stage that ruled, else that
 * of the two orders where they are the same; NONE otherwise and for one-order plans. */
eh_verdict tally_consistent_verdict(const tally_view *view, const plan_ruling *ruling);

/* What people say of a pair. */
typedef struct tally_label {
    eh_verdict majority; /* NONE without labels */
    bool flagged;        /* no unique majority: a tie */
    int64_t n_labels;
} tally_label;
EH_MUST_USE eh_status tally_label_of(ledger *l, int64_t pair_row, tally_label *label,
                                     eh_error *err);

/* tally_rule_pair over another stream's samples (LEDGER_STREAM_MAIN and so on). */
EH_MUST_USE eh_status tally_rule_stream(ledger *l, const tally_view *view,
                                        int64_t pair_row, int stream,
                                        tally_ruled *ruled, eh_error *err);

/* The plurality of a pair's labels; *flagged when there is no unique one (then the
 * majority is a tie); NONE without labels. */
eh_verdict tally_label_majority(const int64_t counts[4], bool *flagged);

#endif
