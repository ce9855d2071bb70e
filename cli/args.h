/* SPDX-License-Identifier: MIT
 *
 * The command line, parsed and checked against options.def.
 *
 *   cli_args args;
 *   if (args_parse(argc, argv, &args, &err) != EH_STATUS_OK) ... one line, exit 2
 *   const char *judge = args_str(&args, OPT_judge);
 *   int64_t k = args_i64(&args, OPT_samples, 3);
 *   for (int i = 0; i < args.n_operands; i++) ... args.operands[i]
 *
 * As with getopt_long: options and operands may be mixed, `--` ends the options, a long
 * option's value follows after `=` or as the next word, short options can be bundled
 * and the last of a bundle may have its value glued on. Unlike it: long names are
 * never abbreviated, an option with a value is given once, and a value that begins
 * with `--` or looks like a short option of the command must be written with `=`.
 * General options may stand before the command, all others behind it.
 *
 * Nothing here prints or exits.
 */
#ifndef EH_CLI_ARGS_H
#define EH_CLI_ARGS_H

#include "base/buf.h"
#include "base/status.h"
#include "options.h"

/* One option's value; checked, so that the getters cannot fail. */
typedef struct args_value {
    bool given; /* on the command line or in a file of options, not by default */
    cli_type_kind kind;
    const char *text; /* NULL where there is neither value nor default */
    int64_t i64;      /* CLI_INT; CLI_MONEY in nano-dollars; CLI_DURATION in ms */
    double f64;       /* CLI_DOUBLE; CLI_SHARE from 0 to 1 */
} args_value;

typedef struct cli_config cli_config;

typedef struct cli_args {
    const char *program; /* as it was called, to be typed again; points into argv */
    cli_verb verb;       /* VERB_NONE where no command was given */
    args_value values[OPT_N];
    char **operands; /* [n_operands], without the verb; points into argv */
    int n_operands;
    cli_config *config; /* the file of --config (config.h); NULL without one */
} cli_args;

/* Fills `args` from the command line, and from the file of --config what the line does
 * not give. The words of argv are put into another order and
 * are borrowed: they must outlive `args`. On failure the status is EH_STATUS_USAGE and
 * args->verb is set if the command was recognised. What is missing (operands, required
 * options, the command itself) is no failure where --help or --version is given; a
 * line without any command is none either. args_deinit frees, also after a failure. */
EH_MUST_USE eh_status args_parse(int argc, char **argv, cli_args *args, eh_error *err);
void args_deinit(cli_args *args);

/* Whether the option was given; args_flag is the same for flags. */
bool args_given(const cli_args *args, cli_option_id id);
bool args_flag(const cli_args *args, cli_option_id id);

/* The value as written, else the default of options.def for this verb, else NULL. */
const char *args_str(const cli_args *args, cli_option_id id);

/* The value, else the default of options.def, else `fallback`. args_i64 is for INT and
 * MONEY (nano-dollars) and DURATION (milliseconds), args_f64 for DOUBLE and SHARE. */
int64_t args_i64(const cli_args *args, cli_option_id id, int64_t fallback);
double args_f64(const cli_args *args, cli_option_id id, double fallback);

/* Reads and checks one value of a type; `name` ("option --limit") begins the message.
 * `value->given` stays as it is; the text is borrowed. */
EH_MUST_USE eh_status args_value_read(const cli_type *type, const char *name,
                                      const char *text, args_value *value,
                                      eh_error *err);

/* One line without LF: "evenhand run DATA -j JUDGE -o RUN.db [options]". */
void args_synopsis(cli_verb verb, eh_buf *out);

/* The option's help with its choices and its default: one line without LF. */
void args_option_text(const cli_option *o, eh_buf *out);

/* The text of --help, wrapped to `width_columns` (at least 40); for VERB_NONE the list
 * of commands. */
void args_help(cli_verb verb, eh_buf *out, int width_columns);

/* What `evenhand` alone says: the three commands to begin with. */
void args_welcome(eh_buf *out, int width_columns);

#endif
