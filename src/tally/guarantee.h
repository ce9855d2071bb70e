/* SPDX-License-Identifier: MIT
 *
 * From a ledger with labels to the rulings that may stand without people.
 */
#ifndef EH_TALLY_GUARANTEE_H
#define EH_TALLY_GUARANTEE_H

#include "report/guarantee.h"
#include "tally/summarize.h"

typedef struct tally_guarantee_options {
    eh_str judge_name;
    double alpha, delta; /* agreement >= 1 - alpha, with probability 1 - delta */
    bool labels_random;  /* see tally_frame_read */
} tally_guarantee_options;

/* Calibrates one judge on the labels of a random queue, or on all pairs where all have
 * labels; anything else is refused, with the reason in the result. */
EH_MUST_USE eh_status tally_guarantee(ledger *l, const tally_view *view,
                                      const tally_guarantee_options *options,
                                      eh_arena *arena, report_guarantee *g,
                                      eh_error *err);

#endif
