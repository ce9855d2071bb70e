/* SPDX-License-Identifier: MIT
 *
 * The numbers of split and merge (Li et al. 2024), and their writers.
 *
 * A stage is *consistent* on a pair when both orders have one verdict. What is
 * undefined is NaN; shares are computed by the writers.
 */
#ifndef EH_REPORT_PORTIA_H
#define EH_REPORT_PORTIA_H

#include "base/buf.h"
#include "base/json_write.h"
#include "plan/ruling.h"
#include "report/bias.h"

enum {
    REPORT_GAP_BINS = 16, /* of the difference of their lengths */
    REPORT_GAP_BIN_CP = 400,
    REPORT_MAX_CATEGORIES = 64,
};

typedef struct report_portia_stage {
    int64_t asked;   /* pairs, in both orders */
    int64_t agree;   /* consistent */
    int64_t mended;  /* consistent where the plain pair is not */
    int64_t broken;  /* not consistent where the plain pair is */
    int64_t changed; /* consistent on another verdict than the plain pair */
    int64_t ruled;   /* pairs that got their ruling here */
    int64_t failed[VERDICT_REASON_N];                  /* replies */
    int64_t n_calls, prompt_tokens, completion_tokens; /* tokens -1: unknown */
} report_portia_stage;

typedef struct report_portia_category {
    eh_str name;
    int64_t n_pairs, agree_plain, agree_final, n_failed; /* n_failed: replies */
} report_portia_category;

/* Pairs with all stages asked: what a run without one of them would have reached. */
typedef struct report_portia_ablation {
    int64_t agree;   /* pairs that it would have ruled */
    int64_t n_right; /* of the labelled ones, equal to the label */
} report_portia_ablation;

typedef struct report_portia {
    int64_t n_pairs; /* whose plain pair was asked in both orders */
    int64_t agree_plain, agree_final;
    int64_t n_labelled, n_plain_right, n_final_right;
    report_portia_stage stage[PLAN_MAX_STAGES];

    int64_t n_always, n_always_labelled; /* pairs with all stages asked */
    report_portia_ablation whole, without_length, without_semantic, without_plain;

    /* plain pairs with a verdict in each order, and those whose two differ */
    int64_t total_pairs[REPORT_TOTAL_BINS], total_differ[REPORT_TOTAL_BINS];
    report_trend trend;

    /* pairs whose plain pair is not consistent, and those that got a ruling */
    int64_t gap_pairs[REPORT_GAP_BINS], gap_fixed[REPORT_GAP_BINS];

    report_portia_category category[REPORT_MAX_CATEGORIES]; /* [n_categories] by name */
    size_t n_categories;
    report_portia_category other; /* of all further categories */

    int64_t n_needed; /* calls that the plan wants, asking one stage after the other */

    /* Where embeddings say how alike parts are: all that the ledger has of that
     * embedder. They are no calls of the judge. */
    struct {
        eh_str id;                                 /* empty where words do */
        int64_t n_texts, n_refused, prompt_tokens; /* tokens -1: unknown */
        int64_t cost_nusd;                         /* -1: unknown */
    } embedder;
} report_portia;

/* The object behind "portia", without its key. */
void report_portia_json(const report_portia *p, const plan_spec *plan, json_writer *w);

/* Lines of a judge's block. */
void report_portia_text(const report_portia *p, const plan_spec *plan, eh_buf *out);

/* For a table of several runs: its head, and what follows a run's name: consistency
 * before and after, mended of the inconsistent, calls a pair, accuracy. */
void report_portia_head(eh_buf *out);
void report_portia_row(const report_portia *p, eh_buf *out);

#endif
