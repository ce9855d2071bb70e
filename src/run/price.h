/* SPDX-License-Identifier: MIT
 *
 * What tokens cost. Money is int64 nano-dollars; prices are for a million tokens.
 */
#ifndef EH_RUN_PRICE_H
#define EH_RUN_PRICE_H

#include "judge/judge.h"

/* One model's prices; -1 = unknown. */
typedef struct price_row {
    int64_t input_nusd, cached_nusd, output_nusd;
} price_row;

/* The cost of a usage, rounded up to a nano-dollar; -1 where a count or a price that it
 * needs is unknown. An unknown cached part counts as not cached. */
int64_t price_cost_nusd(const price_row *row, const judge_usage *usage);

#endif
