/* SPDX-License-Identifier: MIT
 *
 * The program: opens, hands the parsed command line to its command, closes.
 *
 * Standard output carries results only. It is checked at the end, since a full disk
 * shows when the last buffer is written: a summary that was cut must not end in status
 * 0. Messages and warnings go to standard error, one line each, beginning with the
 * name of the program and of the command.
 *
 * Left out: every command (cmd_VERB.c), signals (the engine of `run` has its own) and
 * locales (the C locale holds, so numbers are written with a point).
 */
#include "cmd.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/log.h"
#include "base/utf8.h"
#include "report/layout.h"
#include "text_file.h"

typedef int cmd_function(const cli_args *args);

static cmd_function *const cmd_functions[VERB_N] = {
#define VERB(id, summary, input) cmd_##id,
#include "options.def"
};

/* ---- messages ---- */

/* As a terminal shows it: broken at words, what goes on two columns in. */
static void lay_out(eh_str line, eh_buf *out) {
    enum { INDENT = 2 };
    eh_buf marked;
    buf_init(&marked, BUF_MAX_SMALL);
    eh_str begin = utf8_cut(line, INDENT);
    buf_add_str(&marked, begin);
    buf_add_cstr(&marked, LAYOUT_HANG);
    buf_add_str(&marked, eh_str_slice(line, begin.len, line.len));
    report_layout(buf_view(&marked), text_terminal_columns(STDERR_FILENO), out);
    out->failed = out->failed || marked.failed;
    buf_deinit(&marked);
}

void cmd_message(eh_str line) {
    eh_buf broken;
    buf_init(&broken, BUF_MAX_SMALL);
    if (isatty(STDERR_FILENO) == 1) lay_out(line, &broken);
    eh_str shown = broken.len && !broken.failed ? buf_view(&broken) : line;
    (void)fwrite(shown.ptr, 1, shown.len, stderr);
    buf_deinit(&broken);
}

static void print_line(const cli_args *args, const char *kind, const char *line) {
    bool has_verb = args->verb != VERB_NONE;
    eh_buf text;
    buf_init(&text, BUF_MAX_SMALL);
    buf_printf(&text, "evenhand%s%s: %s%s\n", has_verb ? " " : "",
               has_verb ? cli_verbs[args->verb].name : "", kind, line);
    cmd_message(text.failed ? eh_str_of(line) : buf_view(&text));
    buf_deinit(&text);
}

int cmd_fail(const cli_args *args, const eh_error *err) {
    print_line(args, "", err->msg);
    return eh_status_exit(err->status);
}

enum { LINE_BYTES = 1024 };

static void print_values(const cli_args *args, const char *kind, const char *fmt,
                         va_list values) {
    char line[LINE_BYTES];
    (void)vsnprintf(line, sizeof line, fmt, values);
    print_line(args, kind, line);
}

void cmd_say(const cli_args *args, const char *fmt, ...) {
    va_list values;
    va_start(values, fmt);
    print_values(args, "", fmt, values);
    va_end(values);
}

void cmd_warn(const cli_args *args, const char *fmt, ...) {
    va_list values;
    va_start(values, fmt);
    print_values(args, "warning: ", fmt, values);
    va_end(values);
}

/* Warnings of the library; remarks are dropped under --quiet. */
static void print_log(void *self, eh_log_level level, const char *line) {
    const cli_args *args = self;
    if (level == EH_LOG_WARNING)
        print_line(args, "warning: ", line);
    else if (!args_flag(args, OPT_quiet))
        print_line(args, "", line);
}

/* ---- standard output ---- */

static eh_status fail_output(int error_number, eh_error *err) {
    return EH_FAIL(err, EH_STATUS_IO, "standard output: %s",
                   error_number ? strerror(error_number) : "writing failed");
}

eh_status cmd_print(eh_str text, eh_error *err) {
    errno = 0;
    if (fwrite(text.ptr, 1, text.len, stdout) == text.len) return EH_STATUS_OK;
    return fail_output(errno, err);
}

bool cmd_has_colour(const cli_args *args) {
    const char *no_color = getenv("NO_COLOR");
    return !args_flag(args, OPT_no_color) && (!no_color || !*no_color) &&
           isatty(STDOUT_FILENO) == 1;
}

/* Writes out what is buffered; a failure turns the exit status into 6, unless the
 * command has reported it already. */
static int close_output(const cli_args *args, int exit_status) {
    int io_status = eh_status_exit(EH_STATUS_IO);
    errno = 0;
    bool had_failed = ferror(stdout) != 0;
    bool failed = fclose(stdout) != 0 || had_failed;
    if (!failed || exit_status == io_status) return exit_status;
    eh_error err;
    (void)fail_output(errno, &err);
    return cmd_fail(args, &err);
}

/* A program started with closed standard files would get their numbers for its own
 * files, and print into its ledger. /dev/null opened for reading takes the number and
 * still refuses to be written. */
static void fill_standard_files(void) {
    int fd;
    do {
        fd = open("/dev/null", O_RDONLY);
    } while (fd >= 0 && fd <= STDERR_FILENO);
    if (fd >= 0) (void)close(fd);
}

/* ---- help ---- */

static int print_help(const cli_args *args) {
    int columns = text_terminal_columns(STDOUT_FILENO);
    eh_buf text;
    if (columns > LAYOUT_PROSE_COLUMNS) columns = LAYOUT_PROSE_COLUMNS;
    buf_init(&text, BUF_MAX_SMALL);
    if (args_flag(args, OPT_help))
        args_help(args->verb, &text, columns);
    else if (args_flag(args, OPT_version))
        buf_add_cstr(&text, "evenhand " EVENHAND_VERSION "\n");
    else
        args_welcome(&text, columns);
    eh_error err;
    eh_status status = buf_check(&text, "the help text", &err);
    if (status == EH_STATUS_OK) status = cmd_print(buf_view(&text), &err);
    buf_deinit(&text);
    return status == EH_STATUS_OK ? 0 : cmd_fail(args, &err);
}

static int dispatch(const cli_args *args) {
    if (args_flag(args, OPT_help) || args_flag(args, OPT_version))
        return print_help(args);
    if (args->verb != VERB_NONE) return cmd_functions[args->verb](args);
    int exit_status = print_help(args);
    return exit_status ? exit_status : eh_status_exit(EH_STATUS_USAGE);
}

int main(int argc, char **argv) {
    fill_standard_files();
    cli_args args;
    eh_error err;
    int exit_status;
    if (args_parse(argc, argv, &args, &err) == EH_STATUS_OK) {
        log_set_sink(print_log, &args);
        exit_status = close_output(&args, dispatch(&args));
    } else {
        exit_status = cmd_fail(&args, &err);
    }
    args_deinit(&args);
    return exit_status;
}
