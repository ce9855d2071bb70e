/* SPDX-License-Identifier: MIT
 *
 * The part of `evenhand verdict` that reads a ledger again.
 */
#ifndef EH_CLI_REREAD_H
#define EH_CLI_REREAD_H

#include "cmd.h"
#include "prompt/template.h"

/* Reads the replies of the ledger named by --reread; `t` may be NULL. */
EH_MUST_USE eh_status cmd_reread(const cli_args *args, const prompt_template *t,
                                 eh_error *err);

#endif
