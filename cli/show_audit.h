/* SPDX-License-Identifier: MIT
 *
 * evenhand show, of ledgers of audits.
 */
#ifndef EH_CLI_SHOW_AUDIT_H
#define EH_CLI_SHOW_AUDIT_H

#include "cmd.h"
#include "ledger/ledger.h"

/* The card as `audit` printed it, as text or, with --json, as JSON; several judges, or
 * one judge of several [n] ledgers, side by side. `titles` name the ledgers. */
EH_MUST_USE eh_status show_audits(const cli_args *args, ledger **ledgers,
                                  const eh_str *titles, size_t n, eh_buf *out,
                                  eh_error *err);

#endif
