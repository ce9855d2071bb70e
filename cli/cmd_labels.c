/* SPDX-License-Identifier: MIT
 *
 * evenhand labels: human labels into a ledger, out of it, or away.
 */
#include <stdio.h>

#include "common.h"
#include "dataset/labels.h"
#include "run/labels.h"
#include "serve/tasks.h"

typedef struct label_writer {
    common_file file;
    run_pseudonyms *pseudonyms; /* NULL: names as they are */
    eh_buf line;
} label_writer;

static eh_status write_label(void *self, eh_str pair_id, const ledger_label *label,
                             eh_error *err) {
    label_writer *lw = self;
    buf_reset(&lw->line);
    ledger_label line = *label;
    if (lw->pseudonyms) EH_TRY(run_pseudonym(lw->pseudonyms, &line.annotator, err));
    run_label_line(pair_id, &line, &lw->line);
    EH_TRY(buf_check(&lw->line, "a label", err));
    return common_file_write(&lw->file, buf_view(&lw->line), err);
}

static eh_status export_labels(const cli_args *args, ledger *l, eh_error *err) {
    run_pseudonyms names = {0};
    label_writer lw = {.pseudonyms = args_flag(args, OPT_pseudonyms) ? &names : NULL};
    EH_TRY(common_file_open(args->operands[2], &lw.file, err));
    buf_init(&lw.line, BUF_MAX_LINE);
    eh_status status = ledger_labels_each(l, write_label, &lw, err);
    buf_deinit(&lw.line);
    run_pseudonyms_deinit(&names);
    eh_status closed = common_file_close(&lw.file, status == EH_STATUS_OK ? err : NULL);
    return status == EH_STATUS_OK ? closed : status;
}

/* Tasks that were given out as files (evenhand annotate --export) and came back. */
static eh_status import_tasks(const cli_args *args, ledger *l, eh_error *err) {
    common_faults faults = {.args = args};
    dataset_faults sink = common_faults_sink(&faults);
    tasks_counts counts;
    eh_status status =
        tasks_import(l, args->operands[2], &sink, clock_system(), &counts, err);
    common_faults_end(&faults);
    EH_TRY(status);
    if (!args_flag(args, OPT_quiet))
        (void)fprintf(stderr,
                      "evenhand labels: %lld labels taken, %lld known already, %lld "
                      "tasks not done yet\n",
                      (long long)counts.n_taken, (long long)counts.n_known,
                      (long long)counts.n_open);
    return EH_STATUS_OK;
}

static eh_status change_labels(const cli_args *args, ledger *l, bool away,
                               eh_error *err) {
    common_faults faults = {.args = args};
    dataset_faults sink = common_faults_sink(&faults);
    run_import_counts counts;
    const char *path = args->operands[2];
    if (!away && dataset_is_tasks(path)) return import_tasks(args, l, err);
    eh_status status = run_import_labels(l, path, away, &sink, &counts, err);
    common_faults_end(&faults);
    EH_TRY(status);
    common_say_unknown(path, &counts);
    if (!args_flag(args, OPT_quiet))
        (void)fprintf(stderr, "evenhand labels: %lld label%s %s\n",
                      (long long)counts.n_rows, counts.n_rows == 1 ? "" : "s",
                      away ? "removed" : "taken");
    return EH_STATUS_OK;
}

int cmd_labels(const cli_args *args) {
    eh_str what = eh_str_of(args->operands[1]);
    bool out = eh_str_eq_cstr(what, "export");
    ledger *l = NULL;
    eh_error err;
    eh_status status =
        ledger_open(args->operands[0], out ? LEDGER_READ : LEDGER_WRITE, &l, &err);
    if (status == EH_STATUS_OK)
        status = out ? export_labels(args, l, &err)
                     : change_labels(args, l, eh_str_eq_cstr(what, "remove"), &err);
    eh_status closed = ledger_close(l, status == EH_STATUS_OK ? &err : NULL);
    if (status == EH_STATUS_OK) status = closed;
    return status == EH_STATUS_OK ? 0 : cmd_fail(args, &err);
}
