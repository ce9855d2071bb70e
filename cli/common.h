/* SPDX-License-Identifier: MIT
 *
 * What several commands share: options of data sets and endpoints, and printing.
 */
#ifndef EH_CLI_COMMON_H
#define EH_CLI_COMMON_H

#include <signal.h>

#include "cmd.h"
#include "dataset/dataset.h"
#include "judge/judge.h"
#include "ledger/ledger.h"
#include "report/cells.h"
#include "run/import.h"

/* The data set that a command's operand and its --answers, --map and --format name; the
 * two answer files' names are copied into `arena`. */
EH_MUST_USE eh_status common_dataset(const cli_args *args, eh_arena *arena,
                                     dataset_options *options, eh_error *err);

/* How the endpoint of a judge is reached, by the options and the file of options. */
judge_http_options common_endpoint(const cli_args *args);

/* Prints faults to standard error, one a line: "pairs.jsonl: line 3: missing_field
 * answer_2 (id g2)". Warnings stop after some and are counted. */
typedef struct common_faults {
    const cli_args *args;
    int64_t n_warnings_shown, n_warnings;
} common_faults;

dataset_faults common_faults_sink(common_faults *f);

/* The line that says how many warnings were not shown, if any were. */
void common_faults_end(const common_faults *f);

/* A fault as a person reads it, without the program's name. */
void common_fault_text(const dataset_fault *fault, eh_buf *out);

/* What files of judgments are, as --map, --verdicts and --judge-id say. */
import_options common_import_options(const cli_args *args, const char *format);

/* For run_import_options.on_file, with the args as its self: says what a file was read
 * as. */
void common_say_file(void *self, const char *path, const import_file *file,
                     int64_t n_judges);

/* JSONL or CSV, as --format says. */
report_format common_report_format(const cli_args *args);

/* The place of the wanted name among [n] names of judges; NULL: the only one there is.
 * USAGE names those there are; `where` is the file. */
EH_MUST_USE eh_status common_pick(const eh_str *names, size_t n, const char *wanted,
                                  const char *where, size_t *index, eh_error *err);

/* From now on Ctrl-C and SIGTERM are counted, for run_options.interrupted. */
const volatile sig_atomic_t *common_interrupts(void);

/* A file that is written piece by piece; "-" is standard output. */
typedef struct common_file {
    const char *path;
    void *file; /* FILE *; NULL for standard output */
} common_file;

/* IO errors name the file. Closing also where writing failed; accepts a file that was
 * not opened. */
EH_MUST_USE eh_status common_file_open(const char *path, common_file *f, eh_error *err);
EH_MUST_USE eh_status common_file_write(common_file *f, eh_str text, eh_error *err);
EH_MUST_USE eh_status common_file_close(common_file *f, eh_error *err);

/* Writes a whole file; "-" is standard output. IO errors name it. */
EH_MUST_USE eh_status common_write_file(const char *path, eh_str text, eh_error *err);

/* Says on standard error how many rows spoke of pairs that are not there. */
void common_say_unknown(const char *path, const run_import_counts *counts);

/* Files of judgments, and how they are read. */
typedef struct common_import_files {
    const char *format; /* NULL: by what is in them */
    char *const *paths; /* [n_paths] */
    int n_paths;
    const prompt_template *reread; /* NULL: verdicts as recorded */
    void (*on_file)(void *self, const char *path, const import_file *file,
                    int64_t n_judges); /* self is the cli_args */
} common_import_files;

/* Takes them into a ledger as one group, with the data set of --pairs (none: pairs come
 * with the judgments) and the labels of --labels; says what was left out. TOO_BIG as
 * run_import_judgments. */
EH_MUST_USE eh_status common_import(const cli_args *args, ledger *l,
                                    const common_import_files *files,
                                    run_import_counts *counts, eh_error *err);

/* Prints text for people (report/layout.h), laid out for the terminal, or for 80
 * columns where standard output is none. */
EH_MUST_USE eh_status common_print_text(eh_str text, eh_error *err);

/* The same of a command's result, which is JSON, and printed as it is, under --json. */
EH_MUST_USE eh_status common_print_result(const cli_args *args, eh_str text,
                                          eh_error *err);

/* The same of `out`, which is freed; failures become the exit status. */
int common_print(const cli_args *args, eh_buf *out, const char *what);

#endif
