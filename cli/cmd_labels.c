/* SPDX-License-Identifier: MIT
 *
 * evenhand labels: human labels into a ledger, out of it, or away.
 */
#include <stdio.h>

#include "base/json_write.h"
#include "common.h"

typedef struct label_writer {
    common_file file;
    eh_buf line;
} label_writer;

static void put_label(eh_buf *out, eh_str pair_id, const ledger_label *label) {
    json_writer w;
    json_writer_init(&w, out, 0);
    json_object_begin(&w);
    json_key(&w, "pair_id");
    json_str(&w, pair_id);
    json_key(&w, "annotator");
    json_str(&w, label->annotator);
    json_key(&w, "label");
    json_cstr(&w, eh_verdict_name(label->label));
    if (label->side >= 0) {
        json_key(&w, "side");
        json_cstr(&w, eh_order_name((eh_order)label->side));
    }
    if (label->familiar >= 0) {
        json_key(&w, "familiar");
        json_bool(&w, label->familiar == 1);
    }
    if (!eh_str_is_absent(label->note)) {
        json_key(&w, "note");
        json_str(&w, label->note);
    }
    if (!eh_str_is_absent(label->time)) {
        json_key(&w, "time");
        json_str(&w, label->time);
    }
    json_object_end(&w);
    buf_add_char(out, '\n');
}

static eh_status write_label(void *self, eh_str pair_id, const ledger_label *label,
                             eh_error *err) {
    label_writer *lw = self;
    buf_reset(&lw->line);
    put_label(&lw->line, pair_id, label);
    EH_TRY(buf_check(&lw->line, "a label", err));
    return common_file_write(&lw->file, buf_view(&lw->line), err);
}

static eh_status export_labels(ledger *l, const char *path, eh_error *err) {
    label_writer lw;
    EH_TRY(common_file_open(path, &lw.file, err));
    buf_init(&lw.line, BUF_MAX_LINE);
    eh_status status = ledger_labels_each(l, write_label, &lw, err);
    buf_deinit(&lw.line);
    eh_status closed = common_file_close(&lw.file, status == EH_STATUS_OK ? err : NULL);
    return status == EH_STATUS_OK ? closed : status;
}

static eh_status change_labels(const cli_args *args, ledger *l, bool away,
                               eh_error *err) {
    common_faults faults = {.args = args};
    dataset_faults sink = common_faults_sink(&faults);
    run_import_counts counts;
    const char *path = args->operands[2];
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
        status = out ? export_labels(l, args->operands[2], &err)
                     : change_labels(args, l, eh_str_eq_cstr(what, "remove"), &err);
    eh_status closed = ledger_close(l, status == EH_STATUS_OK ? &err : NULL);
    if (status == EH_STATUS_OK) status = closed;
    return status == EH_STATUS_OK ? 0 : cmd_fail(args, &err);
}
