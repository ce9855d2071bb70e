/* SPDX-License-Identifier: MIT
 *
 * The queue for people: which pairs they should decide, and how many a budget buys.
 * Pure; methods.md, sections 2 and 5.
 */
#ifndef EH_PLAN_QUEUE_H
#define EH_PLAN_QUEUE_H

#include "plan/ruling.h"

typedef struct plan_queue_entry {
    int64_t index; /* place in the data */
    bool has_ruling;
    double bpde; /* NaN without a valid sample */
    double gap;  /* |CS_1 - CS_2|; NaN without a ruling */
} plan_queue_entry;

plan_queue_entry plan_queue_entry_of(int64_t index, const plan_ruling *ruling);

/* For qsort: below 0 where `left` stands before `right` (plan_queue_entry). */
int plan_queue_compare(const void *left, const void *right);

/* As doubtful as each other, whatever their place in the data? */
bool plan_queue_is_equal(const plan_queue_entry *a, const plan_queue_entry *b);

/* Sorts into the queue's order: pairs without ruling, then BPDE down, then the gap up,
 * then the data's order. Gaps that differ by rounding alone (1e-9) are equal. */
void plan_queue_sort(plan_queue_entry *entries, size_t n);

/* ceil(share x n) by the decimal text of the share ("20%", "0.2", ".2"): 20 % of 15
 * pairs are 3 and not 4, whatever binary fractions make of .2. False for a text that is
 * no share from 0 to 1, or has more than 12 decimals. */
bool plan_budget_pairs(eh_str share, int64_t n, int64_t *n_pairs);

#endif
