/* SPDX-License-Identifier: MIT
 *
 * evenhand doctor -j: what an endpoint can do, as text and as JSON.
 */
#ifndef EH_CLI_DOCTOR_JUDGE_H
#define EH_CLI_DOCTOR_JUDGE_H

#include "cmd.h"

/* Returns the exit status: 3 where the endpoint refuses or does not answer. */
int doctor_judge(const cli_args *args);

#endif
