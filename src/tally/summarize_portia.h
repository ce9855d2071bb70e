/* SPDX-License-Identifier: MIT
 *
 * From rulings to the numbers of split and merge.
 */
#ifndef EH_TALLY_SUMMARIZE_PORTIA_H
#define EH_TALLY_SUMMARIZE_PORTIA_H

#include "report/portia.h"
#include "tally/summarize.h"

/* Adds one pair; `label` is the human majority, NONE without labels. New categories
 * are copied into `arena`. Pairs whose plain pair was not asked are left out. */
EH_MUST_USE eh_status tally_portia_add(report_portia *p, const tally_view *view,
                                       const ledger_pair *pair,
                                       const tally_ruled *ruled, eh_verdict label,
                                       eh_arena *arena, eh_error *err);

/* When all pairs are in: the trend, the tokens of each stage, categories by name. */
EH_MUST_USE eh_status tally_portia_finish(report_portia *p, const tally_view *view,
                                          ledger *l, eh_error *err);

#endif
