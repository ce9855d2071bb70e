/* SPDX-License-Identifier: MIT
 *
 * evenhand import: a ledger out of judgments that were recorded elsewhere.
 *
 * Pairs, judgments and labels are one group: where any of them has an error, a ledger
 * that was there is as before, and a new one is not left behind.
 */
#include <stdio.h>

#include "common.h"
#include "run/stage.h"
#include "run/template_file.h"

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

static eh_status import_judgments(const cli_args *args, ledger *l,
                                  const dataset_faults *faults,
                                  const prompt_template *reread,
                                  run_import_counts *counts, eh_error *err) {
    const run_import_options options = {
        .bare_pairs = !args_str(args, OPT_pairs),
        .faults = faults,
        .reread = reread,
        .clock = clock_system(),
        .read = common_import_options(args, args->operands[0]),
        .on_file = common_say_file,
        .self = (void *)args};
    EH_TRY(run_import_judgments(l, args->operands + 1, args->n_operands - 1, &options,
                                counts, err));
    common_say_unknown(args->operands[1], counts);
    return EH_STATUS_OK;
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

static eh_status import_all(const cli_args *args, ledger *l,
                            const prompt_template *reread, run_import_counts *counts,
                            eh_error *err) {
    common_faults faults = {.args = args};
    dataset_faults sink = common_faults_sink(&faults);
    eh_status status = ledger_begin(l, err);
    if (status == EH_STATUS_OK) status = stage_pairs(args, l, &sink, err);
    if (status == EH_STATUS_OK)
        status = import_judgments(args, l, &sink, reread, counts, err);
    if (status == EH_STATUS_OK) status = import_labels(args, l, &sink, err);
    if (status == EH_STATUS_OK) status = ledger_commit(l, err);
    common_faults_end(&faults);
    return status;
}

int cmd_import(const cli_args *args) {
    eh_error err;
    const char *path = args_str(args, OPT_output);
    ledger *l;
    run_import_counts counts = {0};
    prompt_template *reread = NULL;
    eh_status status = EH_STATUS_OK;
    if (args_given(args, OPT_reread))
        status = run_template_load(args_str(args, OPT_reread), &reread, &err);
    if (status == EH_STATUS_OK) status = ledger_open(path, LEDGER_CREATE, &l, &err);
    if (status != EH_STATUS_OK) {
        prompt_template_free(reread);
        return cmd_fail(args, &err);
    }
    status = import_all(args, l, reread, &counts, &err);
    prompt_template_free(reread);
    eh_status closed = ledger_close(l, status == EH_STATUS_OK ? &err : NULL);
    if (status != EH_STATUS_OK || closed != EH_STATUS_OK) return cmd_fail(args, &err);
    if (!args_flag(args, OPT_quiet))
        (void)fprintf(stderr, "evenhand import: %lld judgments taken into %s\n",
                      (long long)counts.n_rows, path);
    return 0;
}
