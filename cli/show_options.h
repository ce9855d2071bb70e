/* SPDX-License-Identifier: MIT
 *
 * Options of evenhand show that would do nothing where they are given.
 */
#ifndef EH_CLI_SHOW_OPTIONS_H
#define EH_CLI_SHOW_OPTIONS_H

#include "cmd.h"

/* What the operands are. */
typedef struct show_operands {
    bool has_files; /* of judgments */
    bool is_audit;  /* they are ledgers of audits */
} show_operands;

/* USAGE names the first option that has nothing to work on. */
EH_MUST_USE eh_status show_options_check(const cli_args *args,
                                         const show_operands *operands, eh_error *err);

#endif
