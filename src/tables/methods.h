/* SPDX-License-Identifier: MIT
 *
 * What other methods, fewer samples and human budgets would have given: one table of
 * method x template x k x temperature, computed from the samples that are there. Nobody
 * is asked.
 */
#ifndef EH_TABLES_METHODS_H
#define EH_TABLES_METHODS_H

#include "report/summary.h"
#include "run/price.h"
#include "tally/summarize.h"
#include "tables/people.h"

typedef enum tables_order {
    TABLES_ORDER_12,
    TABLES_ORDER_21,
    TABLES_ORDER_MEAN, /* mean over the two, and their conflict */
    TABLES_ORDER_BOTH  /* the method takes both */
} tables_order;

/* Times what one call a pair costs; NaN where it is unknown. */
typedef struct tables_relative {
    double calls, tokens, cost;
} tables_relative;

/* A ruling of the calibrated method where people decide the head of the queue. */
typedef struct tables_hitlc {
    eh_str budget;     /* as the user wrote it; absent: no row of this kind */
    int64_t n_people;  /* pairs of the head, ceil(budget x pairs) */
    int64_t n_missing; /* of those, without a label: the judge's ruling stays */
    int64_t n_labels;  /* labels on the head */
    report_hitlc_cost cost;
    double accuracy_rest;   /* of the judge, on the labelled pairs behind the head */
    double accuracy_random; /* expected if as many pairs were drawn at random */
} tables_hitlc;

typedef struct tables_method_row {
    const char *method;
    int k;
    tables_order order;
    eh_str options; /* portia's; absent for others */
    int64_t n_pairs;
    report_agreement labels; /* of MEAN: accuracies and kappas averaged, no table */
    report_rate win_rate;    /* hitlc and MEAN: value alone */
    report_rate conflict;    /* MEAN and BOTH; its why: "one_order" */
    int64_t n_conflicts, tie_agreed, tie_from_conflict, n_none;
    int64_t n_calls, prompt_tokens, completion_tokens; /* tokens -1: unknown */
    int64_t cost_nusd; /* -1: unknown; hitlc: with the price of the labels */
    tables_relative relative;
    tables_hitlc hitlc;
} tables_method_row;

/* One judge: a backend and model under one template, temperature and so on. */
typedef struct tables_method_judge {
    const tally_view *view; /* of one of its runs */
    eh_str name;            /* judge id; with "[2]" behind it where there are several
                               ledgers */
    int k;                  /* samples of a prompt that are there */
    unsigned orders;
    bool has_labels;
    tables_method_row *rows; /* [n] */
    size_t n, cap;
    bool own_base; /* relative to its own `ec`, for want of a vanilla run */
} tables_method_judge;

typedef struct tables_methods {
    tables_method_judge *judges; /* [n] */
    size_t n;
    int64_t label_nusd; /* price of a label; -1: not said */
    bool has_labels;
} tables_methods;

enum { TABLES_BUDGETS_MAX = 16 };

typedef struct tables_methods_options {
    eh_str budgets;     /* "10%,20%,30%": shares of the pairs, by their text */
    int64_t label_nusd; /* -1: not said */
    const price_table *prices;
} tables_methods_options;

/* USAGE for a budget that is no share. Arrays in `arena`; `books` must outlive them. */
EH_MUST_USE eh_status tables_methods_make(const tally_books *books,
                                          const tables_methods_options *options,
                                          eh_arena *arena, tables_methods *methods,
                                          eh_error *err);

/* The member "methods". */
void tables_methods_json(const tables_methods *m, json_writer *w);

/* The table; `people` (NULL: none) gives the human rows. */
void tables_methods_text(const tables_methods *m, const tables_people *people,
                         eh_buf *out);

/* ---- for methods.c alone: hitlc.c ---- */

/* What is kept of a pair for the queue. */
typedef struct tables_hitlc_pairs tables_hitlc_pairs;
tables_hitlc_pairs *tables_hitlc_new(void); /* NULL without memory */
void tables_hitlc_free(tables_hitlc_pairs *h);
EH_MUST_USE eh_status tables_hitlc_add(tables_hitlc_pairs *h, int64_t seq,
                                       const plan_ruling *ruling,
                                       const tally_label *label, eh_error *err);

/* Fills the row for one budget from the row of the calibrated method. */
EH_MUST_USE eh_status tables_hitlc_rule(tables_hitlc_pairs *h, eh_str budget,
                                        tables_method_row *row, eh_error *err);

#endif
