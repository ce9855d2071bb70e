/* SPDX-License-Identifier: MIT
 *
 * What show --timing adds: times and attempts, which differ from run to run.
 */
#ifndef EH_CLI_SHOW_TIMING_H
#define EH_CLI_SHOW_TIMING_H

#include "args.h"
#include "report/summary.h"
#include "tally/summarize.h"

typedef struct show_timing_options {
    bool json;
    double co2e_hour_g; /* of an hour of judge time; 0: not said */
} show_timing_options;

EH_MUST_USE eh_status show_timing(const tally_books *books,
                                  const report_summary *summary,
                                  const show_timing_options *options, eh_arena *arena,
                                  eh_buf *out, eh_error *err);

#endif
