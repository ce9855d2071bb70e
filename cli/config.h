/* SPDX-License-Identifier: MIT
 *
 * A file of options (-c): YAML with the long names of `evenhand run` and `evenhand
 * audit`, and with what the user knows of endpoints. evenhand-config(5) describes it.
 */
#ifndef EH_CLI_CONFIG_H
#define EH_CLI_CONFIG_H

#include "args.h"
#include "codec/capability_rules.h"

/* What was read; owns the texts of the options that came from the file. */
struct cli_config {
    eh_arena arena;
    capability_rules rules; /* the section `capabilities` */
};

/* Reads the file of --config into `args`: options and an operand that the command line
 * does not give. What the command does not have, but `run` or `audit` does, is checked
 * and passed over. Sets args->config. CONFIG and USAGE errors name file and line. */
EH_MUST_USE eh_status config_read(cli_args *args, eh_error *err);

/* The same of a text; `where` names it in messages. args->config must be NULL before.
 */
EH_MUST_USE eh_status config_parse(cli_args *args, const char *where, eh_str text,
                                   eh_error *err);

void config_free(cli_config *config); /* accepts NULL */

/* The rules of the file; none without a file. */
capability_rules config_rules(const cli_args *args);

#endif
