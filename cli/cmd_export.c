/* SPDX-License-Identifier: MIT
 *
 * evenhand export: judgments, pairs or labels of a ledger, as files that other programs
 * and Evenhand itself read.
 */
#include <stdio.h>

#include "common.h"
#include "run/export.h"

static eh_status print_line(void *self, eh_str line, eh_error *err) {
    (void)self;
    return cmd_print(line, err);
}

static void say_left(const cli_args *args, const run_export_counts *counts,
                     const char *what, const char *which) {
    if (counts->n_left)
        cmd_warn(args, "left out: %lld %s%s %s", (long long)counts->n_left, what,
                 counts->n_left == 1 ? "" : "s", which);
}

static eh_status export_all(const cli_args *args, ledger *l, eh_error *err) {
    run_export_counts counts;
    eh_str what = eh_str_of(args->operands[1]);
    const run_export x = {.l = l,
                          .format = common_report_format(args),
                          .pseudonyms = args_flag(args, OPT_pseudonyms),
                          .write = print_line};
    if (eh_str_eq_cstr(what, "labels")) return run_export_labels(&x, &counts, err);
    if (eh_str_eq_cstr(what, "pairs")) {
        EH_TRY(run_export_pairs(&x, &counts, err));
        say_left(args, &counts, "pair", "without texts");
        return EH_STATUS_OK;
    }
    EH_TRY(run_export_judgments(&x, &counts, err));
    say_left(args, &counts, "answer", "about parts or about one text alone");
    return EH_STATUS_OK;
}

int cmd_export(const cli_args *args) {
    ledger *l = NULL;
    eh_error err;
    eh_status status = ledger_open(args->operands[0], LEDGER_READ, &l, &err);
    if (status == EH_STATUS_OK) status = export_all(args, l, &err);
    (void)ledger_close(l, NULL);
    return status == EH_STATUS_OK ? 0 : cmd_fail(args, &err);
}
