/* SPDX-License-Identifier: MIT
 *
 * evenhand import: a ledger out of judgments that were recorded elsewhere.
 *
 * Pairs, judgments and labels are one group: where any of them has an error, a ledger
 * that was there is as before, and a new one is not left behind. The taking itself is
 * common_import, since show takes the same files.
 */
#include <stdio.h>

#include "common.h"
#include "run/template_file.h"

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
    const common_import_files files = {.format = args->operands[0],
                                       .paths = args->operands + 1,
                                       .n_paths = args->n_operands - 1,
                                       .reread = reread,
                                       .on_file = common_say_file};
    status = common_import(args, l, &files, &counts, &err);
    prompt_template_free(reread);
    eh_status closed = ledger_close(l, status == EH_STATUS_OK ? &err : NULL);
    if (status != EH_STATUS_OK || closed != EH_STATUS_OK) return cmd_fail(args, &err);
    if (!args_flag(args, OPT_quiet))
        cmd_say(args, "%lld judgment%s taken into %s", (long long)counts.n_rows,
                counts.n_rows == 1 ? "" : "s", path);
    return 0;
}
