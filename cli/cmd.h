/* SPDX-License-Identifier: MIT
 *
 * The commands: one `int cmd_VERB(const cli_args *args)` for each verb of options.def,
 * in cli/cmd_VERB.c. Each returns the exit status of the program (docs/formats.md lists
 * them).
 *
 * A command writes its result to standard output and nothing else; main flushes it and
 * turns a write that failed into exit status 6. Messages go through cmd_fail, cmd_say
 * and cmd_warn.
 */
#ifndef EH_CLI_CMD_H
#define EH_CLI_CMD_H

#include "args.h"

#define VERB(id, summary, input) int cmd_##id(const cli_args *args);
#include "options.def"

/* Prints "evenhand VERB: message" on standard error; returns the exit status that
 * belongs to err->status. */
int cmd_fail(const cli_args *args, const eh_error *err);

/* A line on standard error, "evenhand VERB: text"; cmd_warn puts "warning: " in front
 * of the text. Neither looks at --quiet. */
void cmd_say(const cli_args *args, const char *fmt, ...) EH_PRINTF(2, 3);
void cmd_warn(const cli_args *args, const char *fmt, ...) EH_PRINTF(2, 3);

/* Writes a whole message to standard error, with its LF; a terminal's lines are broken
 * at words. */
void cmd_message(eh_str line);

/* Writes to standard output; a failure names it and the system's reason. */
EH_MUST_USE eh_status cmd_print(eh_str text, eh_error *err);

/* May colours be written to standard output? On a terminal, and with neither NO_COLOR
 * nor --no-color. */
bool cmd_has_colour(const cli_args *args);

#endif
