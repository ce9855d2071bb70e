/* SPDX-License-Identifier: MIT
 *
 * evenhand show --estimate and --guarantee.
 */
#ifndef EH_CLI_SHOW_ESTIMATE_H
#define EH_CLI_SHOW_ESTIMATE_H

#include "cmd.h"
#include "report/guarantee.h"
#include "run/price.h"
#include "tally/summarize.h"

/* The win rate that people would give or, with --guarantee, which rulings may stand,
 * for the judge of the labelling queue or for every judge where there is none; as text
 * or, with --json, as JSON. */
EH_MUST_USE eh_status show_estimate(const cli_args *args, ledger *l,
                                    const price_table *prices, eh_buf *out,
                                    eh_error *err);

/* One judge under the options --guarantee, --delta, --labels-random. */
EH_MUST_USE eh_status show_guarantee_of(const cli_args *args, ledger *l,
                                        const tally_view *view, eh_str name,
                                        eh_arena *arena, report_guarantee *g,
                                        eh_error *err);

#endif
