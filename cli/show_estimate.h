/* SPDX-License-Identifier: MIT
 *
 * evenhand show --estimate.
 */
#ifndef EH_CLI_SHOW_ESTIMATE_H
#define EH_CLI_SHOW_ESTIMATE_H

#include "cmd.h"
#include "ledger/ledger.h"

/* The win rate that people would give, for the judge of the labelling queue or for
 * every judge where there is none; as text or, with --json, as JSON. */
EH_MUST_USE eh_status show_estimate(const cli_args *args, ledger *l, eh_buf *out,
                                    eh_error *err);

#endif
