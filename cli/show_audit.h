/* SPDX-License-Identifier: MIT
 *
 * evenhand show, of the ledger of an audit.
 */
#ifndef EH_CLI_SHOW_AUDIT_H
#define EH_CLI_SHOW_AUDIT_H

#include "cmd.h"
#include "ledger/ledger.h"

/* The cards of an audit as `audit` printed them, as text or, with --json, as JSON. */
EH_MUST_USE eh_status show_audit(const cli_args *args, ledger *l, eh_buf *out,
                                 eh_error *err);

#endif
