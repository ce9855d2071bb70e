/* SPDX-License-Identifier: MIT
 *
 * evenhand labels: human labels into a ledger, out of it, or away.
 */
#include <stdio.h>

#include "common.h"
#include "dataset/labels.h"
#include "run/export.h"
#include "serve/tasks.h"

static eh_status write_labels(void *self, eh_str line, eh_error *err) {
    return common_file_write(self, line, err);
}

static eh_status export_labels(const cli_args *args, ledger *l, eh_error *err) {
    common_file file;
    run_export_counts counts;
    EH_TRY(common_file_open(args->operands[2], &file, err));
    const run_export x = {.l = l,
                          .format = REPORT_FORMAT_JSONL,
                          .pseudonyms = args_flag(args, OPT_pseudonyms),
                          .self = &file,
                          .write = write_labels};
    eh_status status = run_export_labels(&x, &counts, err);
    eh_status closed = common_file_close(&file, status == EH_STATUS_OK ? err : NULL);
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
        cmd_say(args,
                "%lld label%s taken, %lld known already, %lld task%s not done yet",
                (long long)counts.n_taken, counts.n_taken == 1 ? "" : "s",
                (long long)counts.n_known, (long long)counts.n_open,
                counts.n_open == 1 ? "" : "s");
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
        cmd_say(args, "%lld label%s %s", (long long)counts.n_rows,
                counts.n_rows == 1 ? "" : "s", away ? "removed" : "taken");
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
