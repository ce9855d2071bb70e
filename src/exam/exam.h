/* SPDX-License-Identifier: MIT
 *
 * Running an audit that is staged, and reading a ledger as the audit that it holds.
 */
#ifndef EH_EXAM_EXAM_H
#define EH_EXAM_EXAM_H

#include "report/audit.h"
#include "exam/stage.h"
#include "run/engine.h"
#include "run/price.h"
#include "tally/summarize.h"

/* Asks about all rows (stream main), then about the plain pairs once more (stream
 * placebo). Counts of the result are over both; it ends early where the first part
 * does. options->setup.stream and options->scope are ours. */
EH_MUST_USE eh_status exam_run(ledger *l, const run_options *options,
                               run_result *result, eh_error *err);

/* Does the ledger hold an audit? */
EH_MUST_USE eh_status exam_is_one(ledger *l, bool *is_audit, eh_error *err);

/* The cards of all judges that were audited; of one run where run_row is not 0. Needs
 * memory for a few hundred bytes a row. Strings and arrays in `arena`. */
EH_MUST_USE eh_status exam_cards(ledger *l, int64_t run_row, const price_table *prices,
                                 const audit_limits *limits, eh_arena *arena,
                                 report_audit *cards, eh_error *err);

#endif
