/* SPDX-License-Identifier: MIT
 *
 * Comparing two runs pair by pair.
 */
#ifndef EH_TALLY_COMPARE_H
#define EH_TALLY_COMPARE_H

#include "report/compare.h"
#include "tally/summarize.h"

/* One of the two; the ledgers may be of one file, but are opened apart. */
typedef struct tally_compare_side {
    ledger *l;
    const tally_view *view;
    eh_str ledger_name, judge_name;
} tally_compare_side;

/* Pairs belong together by their texts, else by their id. Strings of *out are the
 * sides', or live in `arena`. DATA where no pair is in both. */
EH_MUST_USE eh_status tally_compare(const tally_compare_side *base,
                                    const tally_compare_side *fresh, double margin,
                                    eh_arena *arena, report_compare *out,
                                    eh_error *err);

#endif
