/* SPDX-License-Identifier: MIT
 *
 * From a ledger with labels to the win rate that people would give on all its pairs.
 */
#ifndef EH_TALLY_ESTIMATE_H
#define EH_TALLY_ESTIMATE_H

#include "report/estimate.h"
#include "tally/summarize.h"

/* The estimates for one judge, on the frame of the labelling queue or, where there is
 * none, on all pairs of the view. `half_width`: the interval that is planned for. Six
 * numbers a pair are held in memory. */
EH_MUST_USE eh_status tally_estimate(ledger *l, const tally_view *view,
                                     eh_str judge_name, double half_width,
                                     eh_arena *arena, report_estimates *e,
                                     eh_error *err);

#endif
