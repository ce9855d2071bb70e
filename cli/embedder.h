/* SPDX-License-Identifier: MIT
 *
 * The embedder that --similarity names.
 */
#ifndef EH_CLI_EMBEDDER_H
#define EH_CLI_EMBEDDER_H

#include "cmd.h"
#include "run/embed.h"

/* Opens what --similarity names; *e is NULL for tokens. `judge_spec` is the judge's, or
 * NULL where there is none: an embedder of the same protocol is looked for where the
 * judge is, with the same keys, unless --embed-base-url names another place. */
EH_MUST_USE eh_status embedder_open(const cli_args *args, const char *judge_spec,
                                    eh_clock clock, run_embedder **e, eh_error *err);

#endif
