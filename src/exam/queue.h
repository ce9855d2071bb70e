/* SPDX-License-Identifier: MIT
 *
 * An audit as people label it: which of its pairs, and which belong together.
 */
#ifndef EH_EXAM_QUEUE_H
#define EH_EXAM_QUEUE_H

#include "run/queue.h"

/* For run_queue_options.place_of: a plain pair and what was made of it are one set;
 * padded pairs and attacks, which people are not asked by themselves, are left out. A
 * row that is no part of an audit is a set of its own. */
EH_MUST_USE eh_status exam_queue_place(ledger *l, int64_t pair_row, eh_str pair_id,
                                       run_queue_place *place, eh_error *err);

#endif
