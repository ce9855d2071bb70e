/* SPDX-License-Identifier: MIT
 *
 * evenhand audit --self-test.
 */
#ifndef EH_CLI_AUDIT_TRIAL_H
#define EH_CLI_AUDIT_TRIAL_H

#include "cmd.h"

/* Prints the table; the exit status is 1 where a judge is not as declared. */
int audit_trial(const cli_args *args);

#endif
