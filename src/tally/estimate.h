/* SPDX-License-Identifier: MIT
 *
 * From a ledger with labels to the win rate that people would give on all its pairs.
 */
#ifndef EH_TALLY_ESTIMATE_H
#define EH_TALLY_ESTIMATE_H

#include "report/estimate.h"
#include "tally/summarize.h"

typedef struct tally_estimate_options {
    eh_str judge_name;
    double half_width;              /* of the interval that is planned for */
    bool labels_random;             /* see tally_frame_read */
    int64_t label_nusd, judge_nusd; /* of a label, of all calls; -1: unknown */
} tally_estimate_options;

/* The estimates for one judge, on the frame of the labelling queue or, where there is
 * none, on all pairs of the view. */
EH_MUST_USE eh_status tally_estimate(ledger *l, const tally_view *view,
                                     const tally_estimate_options *options,
                                     eh_arena *arena, report_estimates *e,
                                     eh_error *err);

#endif
