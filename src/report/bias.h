/* SPDX-License-Identifier: MIT
 *
 * Where a judge contradicts itself: by the gap of its scores, by length, against
 * people's ties; and how far its repetitions agree. Parts of a summary, and their
 * writers.
 *
 * A conflict is what the summary's `conflict` counts: the rulings of the two orders
 * differ.
 */
#ifndef EH_REPORT_BIAS_H
#define EH_REPORT_BIAS_H

#include "base/terms.h"
#include "report/rate.h"

/* Gaps: 0, to 0.5, to 1, to 2, below 3, 3 and more. */
enum { REPORT_SCORE_GAP_BINS = 6 };
int report_score_gap_bin(double gap);

typedef struct report_score_gap {
    int64_t n_pairs; /* with mean scores in both orders */
    double mean;     /* of the gap: mean over the orders of |S_1 - S_2| */
    int64_t pairs[REPORT_SCORE_GAP_BINS], conflicts[REPORT_SCORE_GAP_BINS];
    report_trend trend; /* over the bins above 0, where a conflict can be */
    const char *why;    /* "one_order", "no_scores" or "no_rows": nothing here holds */
} report_score_gap;

enum {
    REPORT_TOTAL_BINS = 20, /* of the length of both answers; the last has no end */
    REPORT_TOTAL_BIN_CP = 800,
};

typedef struct report_length {
    int64_t n_decided; /* replies that prefer one of two answers of unlike length */
    int64_t n_longer;  /* those that prefer the longer one */
    int64_t pairs[REPORT_TOTAL_BINS], conflicts[REPORT_TOTAL_BINS];
    report_trend trend;
    const char *why; /* of bins and trend: "one_order", "no_texts" or "no_rows" */
} report_length;

typedef struct report_human_ties {
    int64_t conflict_tie, conflict_other; /* conflicts that people tie, and others */
    int64_t agree_tie, agree_other;       /* the same where the orders agree */
    double phi, p;                        /* p: Fisher's exact test */
    const char *why;     /* "one_order" or "no_labels": nothing here holds */
    const char *why_phi; /* NULL where phi is defined */
} report_human_ties;

/* Of one order, over pairs whose k samples all have a verdict. */
typedef struct report_repetition {
    int64_t n_pairs, n_all_equal;
    double stability; /* mean share of the commonest verdict */
} report_repetition;

typedef struct report_bias {
    report_score_gap score_gap;
    report_length length;
    report_human_ties human_ties;
    report_repetition repetition[EH_ORDER_N];
} report_bias;

void report_put_score_gap(json_writer *w, const report_score_gap *g);
void report_put_length(json_writer *w, const report_length *l);
void report_put_human_ties(json_writer *w, const report_human_ties *t);

/* Lines of a judge's block; nothing for what does not hold. */
void report_bias_text(const report_bias *b, eh_buf *out);

/* One row a bin that is not empty: from_cp, pairs, `hit_key`, `rate_key`. */
typedef struct report_cp_bins {
    const int64_t *pairs, *hits; /* [n] */
    int n, bin_cp;
    const char *hit_key, *rate_key;
} report_cp_bins;
void report_put_cp_bins(json_writer *w, const report_cp_bins *bins);

#endif
