/* SPDX-License-Identifier: MIT
 *
 * Judgments in memory, for ledgers that live no longer than one summary. Private to
 * ledger.
 *
 * The functions are those of ledger.h with the prefix held_, and mean the same.
 */
#ifndef EH_LEDGER_HELD_H
#define EH_LEDGER_HELD_H

#include "ledger/ledger.h"

typedef struct held held;

held *held_new(void);    /* NULL when memory is out */
void held_free(held *h); /* accepts NULL */

EH_MUST_USE eh_status held_pair_add(held *h, const dataset_pair *pair,
                                    uint64_t question_hash, int64_t *row,
                                    eh_error *err);
int64_t held_find_pair(held *h, eh_str pair_id);
int64_t held_count_pairs(const held *h);

EH_MUST_USE eh_status held_put(held *h, int64_t judge_row, int64_t pair_row,
                               const plan_sample *sample, bool *is_full, eh_error *err);

/* Rows of pairs in an order of ledger_sort, [held_count_pairs]; the caller's, from
 * mem_alloc. */
EH_MUST_USE eh_status held_order(held *h, ledger_sort sort, uint32_t **order,
                                 eh_error *err);
void held_get_pair(const held *h, uint32_t index, ledger_pair *pair);

EH_MUST_USE eh_status held_samples(held *h, int64_t judge_row, int64_t pair_row,
                                   plan_sample *samples, size_t cap, size_t *n,
                                   eh_error *err);
void held_judge_extent(const held *h, int64_t judge_row, int *k, unsigned *orders);
plan_scale held_scale(const held *h, int64_t judge_row);
int64_t held_count_rows(const held *h, int64_t judge_row);

/* Asks of a plan that have an answer. */
EH_MUST_USE eh_status held_count_calls(held *h, int64_t judge_row,
                                       const plan_spec *plan, int64_t *n,
                                       eh_error *err);

#endif
