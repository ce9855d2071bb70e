/* SPDX-License-Identifier: MIT
 *
 * Options that several commands have, faults of data files in words, taking files of
 * judgments, and printing of a finished text.
 *
 * Errors are all printed: a person mends them in one go. Of warnings the first ones are
 * printed and the rest is counted, since a data set may have one in every row.
 */
#include "common.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "base/suggest.h"
#include "config.h"
#include "report/layout.h"
#include "run/stage.h"
#include "text_file.h"

enum { WARNINGS_SHOWN = 20 };

eh_status common_dataset(const cli_args *args, eh_arena *arena,
                         dataset_options *options, eh_error *err) {
    eh_str rest = eh_str_of(args_str(args, OPT_answers)), one, two;
    *options = (dataset_options){.map = args_str(args, OPT_map)};
    if (eh_str_is_absent(rest)) {
        options->path = args->operands[0];
        return EH_STATUS_OK;
    }
    if (!eh_str_split(&rest, ',', &one) || !eh_str_split(&rest, ',', &two) || rest.ptr)
        return EH_FAIL(err, EH_STATUS_USAGE,
                       "--answers: two files are needed, with a comma between them");
    options->questions = args->operands[0];
    options->answers_1 = arena_dup(arena, one);
    options->answers_2 = arena_dup(arena, two);
    return options->answers_1 && options->answers_2 ? EH_STATUS_OK : EH_NOMEM(err);
}

judge_http_options common_endpoint(const cli_args *args) {
    return (judge_http_options){
        .base_urls = eh_str_of(args_str(args, OPT_base_url)),
        .key_env = eh_str_of(args_str(args, OPT_key_env)),
        .key_file = eh_str_of(args_str(args, OPT_key_file)),
        .header_env = eh_str_of(args_str(args, OPT_header_env)),
        .cacert = eh_str_of(args_str(args, OPT_cacert)),
        .extra_body = eh_str_of(args_str(args, OPT_extra_body)),
        .judge_id = eh_str_of(args_str(args, OPT_judge_id)),
        .timeout_ms = (int64_t)(1000 * args_f64(args, OPT_timeout, 600)),
        .retries = (int)args_i64(args, OPT_retries, 8),
        .rpm = args_i64(args, OPT_rpm, 0),
        .tpm = args_i64(args, OPT_tpm, 0),
        .rules = config_rules(args),
    };
}

void common_fault_text(const dataset_fault *fault, eh_buf *out) {
    bool is_stdin = fault->file && strcmp(fault->file, "-") == 0;
    if (fault->file) buf_printf(out, "%s: ", is_stdin ? "standard input" : fault->file);
    if (fault->line) buf_printf(out, "line %lld: ", (long long)fault->line);
    buf_add_cstr(out, dataset_fault_name(fault->kind));
    if (fault->field.len) buf_printf(out, " %.*s", EH_STR_ARG(fault->field));
    if (fault->byte >= 0) buf_printf(out, " at byte %lld", (long long)fault->byte);
    if (fault->count > 0) buf_printf(out, " (%lld)", (long long)fault->count);
    if (fault->detail.len) buf_printf(out, ": %.*s", EH_STR_ARG(fault->detail));
    if (!eh_str_is_absent(fault->id))
        buf_printf(out, " (id %.*s)", (int)(fault->id.len > 60 ? 60 : fault->id.len),
                   fault->id.ptr);
    if (fault->other_line)
        buf_printf(out, ", first in line %lld", (long long)fault->other_line);
}

static void print_fault(void *self, const dataset_fault *fault) {
    common_faults *f = self;
    bool is_error = dataset_fault_is_error(fault->kind);
    if (!is_error && f->n_warnings++ >= WARNINGS_SHOWN) return;
    f->n_warnings_shown += !is_error;
    eh_buf text;
    buf_init(&text, BUF_MAX_SMALL);
    common_fault_text(fault, &text);
    eh_error line = {0}; /* one tidy line, whatever the id holds */
    (void)EH_FAIL(&line, EH_STATUS_DATA, "%s", buf_view(&text).ptr);
    buf_reset(&text);
    buf_printf(&text, "%s%s\n", is_error ? "" : "warning: ", line.msg);
    cmd_message(buf_view(&text));
    buf_deinit(&text);
}

dataset_faults common_faults_sink(common_faults *f) {
    return (dataset_faults){f, print_fault};
}

void common_faults_end(const common_faults *f) {
    int64_t hidden = f->n_warnings - f->n_warnings_shown;
    if (hidden > 0)
        cmd_warn(f->args, "%lld more warning%s not shown", (long long)hidden,
                 hidden == 1 ? "" : "s");
}

import_options common_import_options(const cli_args *args, const char *format) {
    return (import_options){.format = format,
                            .map = args_str(args, OPT_map),
                            .verdicts = args_str(args, OPT_verdicts),
                            .judge = args_str(args, OPT_judge_id)};
}

static void add_count(eh_buf *out, int64_t n, const char *what) {
    if (n) buf_printf(out, ", %lld %s%s", (long long)n, what, n == 1 ? "" : "s");
}

void common_say_file(void *self, const char *path, const import_file *file,
                     int64_t n_judges) {
    const cli_args *args = self;
    if (args_flag(args, OPT_quiet)) return;
    eh_buf text;
    buf_init(&text, BUF_MAX_SMALL);
    buf_printf(&text, "%s: read as %s", path, file->title);
    if (file->n_judgments)
        buf_printf(&text, ": %lld judgment%s of %lld judge%s",
                   (long long)file->n_judgments, file->n_judgments == 1 ? "" : "s",
                   (long long)n_judges, n_judges == 1 ? "" : "s");
    add_count(&text, file->has_texts ? file->n_pairs : 0, "pair");
    if (file->has_texts) buf_add_cstr(&text, " with texts");
    add_count(&text, file->n_labels, "label");
    if (file->orders == IMPORT_ORDERS_UNKNOWN)
        buf_add_cstr(&text, "; which answer was shown first is not recorded");
    if (file->orders == IMPORT_ORDERS_ONE && file->n_judgments)
        buf_add_cstr(&text, "; one order only");
    buf_add_char(&text, '\n');
    cmd_message(buf_view(&text));
    buf_deinit(&text);
}

report_format common_report_format(const cli_args *args) {
    bool csv = eh_str_eq_cstr(eh_str_of(args_str(args, OPT_format)), "csv");
    return csv ? REPORT_FORMAT_CSV : REPORT_FORMAT_JSONL;
}

void common_say_unknown(const char *path, const run_import_counts *counts) {
    if (counts->n_unknown == 0) return;
    (void)fprintf(stderr,
                  "warning: %s: %lld row%s left out: no such pair in the data set "
                  "(first: line %lld, pair %s)\n",
                  path, (long long)counts->n_unknown, counts->n_unknown == 1 ? "" : "s",
                  (long long)counts->first_unknown_line, counts->first_unknown);
}

/* "'a', 'b', 'c'" */
static void list_names(const eh_str *names, size_t n, eh_buf *out) {
    for (size_t i = 0; i < n; i++)
        buf_printf(out, "%s'%.*s'", i ? ", " : "", EH_STR_ARG(names[i]));
}

eh_status common_pick(const eh_str *names, size_t n, const char *wanted,
                      const char *where, size_t *index, eh_error *err) {
    eh_buf known;
    eh_status status;
    suggest near = suggest_for(eh_str_of(wanted));
    *index = 0;
    if (n == 0)
        return EH_FAIL(err, EH_STATUS_USAGE, "%s: no judge has been asked", where);
    if (!wanted && n == 1) return EH_STATUS_OK;
    for (size_t i = 0; wanted && i < n; i++)
        if (eh_str_eq_cstr(names[i], wanted)) {
            *index = i;
            return EH_STATUS_OK;
        }
    buf_init(&known, BUF_MAX_SMALL);
    list_names(names, n, &known);
    for (size_t i = 0; i < n; i++)
        suggest_offer(&near, names[i]);
    if (wanted)
        status = EH_FAIL(err, EH_STATUS_USAGE,
                         "%s: no judge is called '%s'; there %s %.*s" SUGGEST_FORMAT,
                         where, wanted, n == 1 ? "is" : "are",
                         EH_STR_ARG(buf_view(&known)), SUGGEST_ARGS(near));
    else
        status = EH_FAIL(err, EH_STATUS_USAGE,
                         "%s: there are %zu judges; name one by -j NAME: %.*s", where,
                         n, EH_STR_ARG(buf_view(&known)));
    buf_deinit(&known);
    return status;
}

/* A signal only counts: the engine looks at the number between two calls, stops asking
 * at one and gives up what is in flight at two. */
static volatile sig_atomic_t n_interrupts;

static void on_interrupt(int signal_number) {
    (void)signal_number;
    n_interrupts++;
}

const volatile sig_atomic_t *common_interrupts(void) {
    struct sigaction action = {.sa_handler = on_interrupt};
    (void)sigemptyset(&action.sa_mask);
    (void)sigaction(SIGINT, &action, NULL);
    (void)sigaction(SIGTERM, &action, NULL);
    return &n_interrupts;
}

static eh_status fail_file(const char *path, int error_number, eh_error *err) {
    return EH_FAIL(err, EH_STATUS_IO, "%s: %s", path,
                   error_number ? strerror(error_number) : "writing failed");
}

eh_status common_file_open(const char *path, common_file *f, eh_error *err) {
    *f = (common_file){.path = path};
    if (strcmp(path, "-") == 0) return EH_STATUS_OK;
    f->file = fopen(path, "wb");
    return f->file ? EH_STATUS_OK : fail_file(path, errno, err);
}

eh_status common_file_write(common_file *f, eh_str text, eh_error *err) {
    if (!f->file) return cmd_print(text, err);
    errno = 0;
    if (fwrite(text.ptr, 1, text.len, f->file) == text.len) return EH_STATUS_OK;
    return fail_file(f->path, errno, err);
}

eh_status common_file_close(common_file *f, eh_error *err) {
    FILE *file = f->file;
    f->file = NULL;
    errno = 0;
    return file && fclose(file) != 0 ? fail_file(f->path, errno, err) : EH_STATUS_OK;
}

eh_status common_write_file(const char *path, eh_str text, eh_error *err) {
    common_file f;
    EH_TRY(common_file_open(path, &f, err));
    eh_status status = common_file_write(&f, text, err);
    eh_status closed = common_file_close(&f, status == EH_STATUS_OK ? err : NULL);
    return status == EH_STATUS_OK ? closed : status;
}

static eh_status stage_pairs(const cli_args *args, ledger *l,
                             const dataset_faults *faults, eh_error *err) {
    const char *path = args_str(args, OPT_pairs);
    if (!path) return EH_STATUS_OK;
    run_stage_options options = {
        .data.path = path, .faults = faults, .clock = clock_system()};
    dataset_counts counts;
    bool unchanged;
    return run_stage(l, &options, &counts, &unchanged, err);
}

static eh_status import_labels(const cli_args *args, ledger *l,
                               const dataset_faults *faults, eh_error *err) {
    const char *path = args_str(args, OPT_labels);
    run_import_counts counts;
    if (!path) return EH_STATUS_OK;
    EH_TRY(run_import_labels(l, path, false, faults, &counts, err));
    common_say_unknown(path, &counts);
    return EH_STATUS_OK;
}

eh_status common_import(const cli_args *args, ledger *l,
                        const common_import_files *files, run_import_counts *counts,
                        eh_error *err) {
    common_faults faults = {.args = args};
    dataset_faults sink = common_faults_sink(&faults);
    const run_import_options options = {.bare_pairs = !args_str(args, OPT_pairs),
                                        .faults = &sink,
                                        .reread = files->reread,
                                        .clock = clock_system(),
                                        .read =
                                            common_import_options(args, files->format),
                                        .on_file = files->on_file,
                                        .self = (void *)args};
    eh_status status = ledger_bulk(l, true, err);
    if (status == EH_STATUS_OK) status = ledger_begin(l, err);
    if (status == EH_STATUS_OK) status = stage_pairs(args, l, &sink, err);
    if (status == EH_STATUS_OK)
        status = run_import_judgments(l, files->paths, files->n_paths, &options, counts,
                                      err);
    if (status == EH_STATUS_OK) common_say_unknown(files->paths[0], counts);
    if (status == EH_STATUS_OK) status = import_labels(args, l, &sink, err);
    if (status == EH_STATUS_OK) status = ledger_commit(l, err);
    common_faults_end(&faults);
    return status;
}

/* ---- what is printed ---- */

eh_status common_print_text(eh_str text, eh_error *err) {
    eh_buf out;
    buf_init(&out, BUF_MAX_REPORT);
    report_layout(text, text_terminal_columns(STDOUT_FILENO), &out);
    eh_status status = buf_check(&out, "the text", err);
    if (status == EH_STATUS_OK) status = cmd_print(buf_view(&out), err);
    buf_deinit(&out);
    return status;
}

eh_status common_print_result(const cli_args *args, eh_str text, eh_error *err) {
    return args_flag(args, OPT_json) ? cmd_print(text, err)
                                     : common_print_text(text, err);
}

int common_print(const cli_args *args, eh_buf *out, const char *what) {
    eh_error err;
    eh_status status = buf_check(out, what, &err);
    if (status == EH_STATUS_OK) status = common_print_result(args, buf_view(out), &err);
    buf_deinit(out);
    return status == EH_STATUS_OK ? 0 : cmd_fail(args, &err);
}
