/* SPDX-License-Identifier: MIT
 *
 * evenhand check: validates a data set without asking anyone.
 *
 * The rows go into a temporary ledger, exactly as `run` would stage them, so what
 * passes here passes there. --json prints `load`, `ids` (the valid rows), `errors` and
 * `warnings`.
 */
#include "base/json_write.h"
#include "common.h"

typedef struct check {
    const cli_args *args;
    bool json;
    common_faults text_faults;
    dataset_faults text_sink;
    eh_buf errors, warnings; /* JSON array elements, comma-separated */
} check;

static void add_json_fault(eh_buf *out, const dataset_fault *f) {
    json_writer w;
    if (out->len) buf_add_cstr(out, ",\n  ");
    json_writer_init(&w, out, 0);
    json_object_begin(&w);
    json_put_cstr(&w, "reason", dataset_fault_name(f->kind));
    if (f->file) {
        json_put_cstr(&w, "file", f->file);
    }
    if (f->other_line) {
        json_key(&w, "lines");
        json_array_begin(&w);
        json_i64(&w, f->other_line);
        json_i64(&w, f->line);
        json_array_end(&w);
    } else if (f->line) {
        json_put_i64(&w, "line", f->line);
    }
    if (!eh_str_is_absent(f->id)) {
        json_put_str(&w, "id", f->id);
    }
    if (f->field.len) {
        json_put_str(&w, "field", f->field);
    }
    if (f->byte >= 0) {
        json_put_i64(&w, "byte", f->byte);
    }
    if (f->count) {
        json_put_i64(&w, "count", f->count);
    }
    if (f->detail.len) {
        json_put_str(&w, "detail", f->detail);
    }
    json_object_end(&w);
}

static void take_fault(void *self, const dataset_fault *fault) {
    check *c = self;
    if (c->json)
        add_json_fault(dataset_fault_is_error(fault->kind) ? &c->errors : &c->warnings,
                       fault);
    else
        c->text_sink.report(c->text_sink.self, fault);
}

/* The ids of the valid rows, in data order. */
static eh_status print_ids(ledger *l, eh_error *err) {
    ledger_cursor *cursor;
    eh_buf line;
    buf_init(&line, BUF_MAX_LINE);
    EH_TRY(ledger_cursor_open(l, LEDGER_BY_DATA, &cursor, err));
    eh_status status = EH_STATUS_OK;
    const char *sep = "";
    for (bool got = true; status == EH_STATUS_OK && got;) {
        ledger_pair pair;
        status = ledger_cursor_next(cursor, &pair, &got, err);
        if (status != EH_STATUS_OK || !got) break;
        buf_reset(&line);
        buf_add_cstr(&line, sep);
        json_quote(&line, pair.pair_id);
        sep = ", ";
        status = cmd_print(buf_view(&line), err);
    }
    ledger_cursor_close(cursor);
    buf_deinit(&line);
    return status;
}

static eh_status print_list(const char *name, eh_buf *list, eh_error *err) {
    EH_TRY(buf_check(list, "the list of faults", err));
    EH_TRY(cmd_print(eh_str_of(",\n \""), err));
    EH_TRY(cmd_print(eh_str_of(name), err));
    EH_TRY(cmd_print(eh_str_of(list->len ? "\": [\n  " : "\": ["), err));
    EH_TRY(cmd_print(buf_view(list), err));
    return cmd_print(eh_str_of(list->len ? "\n ]" : "]"), err);
}

static eh_status print_json(check *c, ledger *l, bool ok, eh_error *err) {
    EH_TRY(cmd_print(eh_str_of("{\n \"check\": 1,\n \"load\": "), err));
    EH_TRY(cmd_print(eh_str_of(ok ? "\"ok\"" : "\"error\""), err));
    EH_TRY(cmd_print(eh_str_of(",\n \"ids\": ["), err));
    EH_TRY(print_ids(l, err));
    EH_TRY(cmd_print(EH_STR("]"), err));
    EH_TRY(print_list("errors", &c->errors, err));
    EH_TRY(print_list("warnings", &c->warnings, err));
    return cmd_print(EH_STR("\n}\n"), err);
}

static eh_status print_text(check *c, const dataset_counts *counts, eh_error *err) {
    eh_buf line;
    buf_init(&line, BUF_MAX_SMALL);
    buf_printf(&line, "%s: %lld valid pair%s, %lld error%s, %lld warning%s\n",
               c->args->operands[0], (long long)counts->n_rows,
               counts->n_rows == 1 ? "" : "s", (long long)counts->n_errors,
               counts->n_errors == 1 ? "" : "s", (long long)counts->n_warnings,
               counts->n_warnings == 1 ? "" : "s");
    common_faults_end(&c->text_faults);
    eh_status status = common_print_text(buf_view(&line), err);
    buf_deinit(&line);
    return status;
}

static eh_status check_data(check *c, const dataset_options *data, ledger *l, bool *ok,
                            eh_error *err) {
    dataset_stage stage = ledger_stage(l);
    dataset_faults sink = {c, take_fault};
    dataset_counts counts = {0};
    EH_TRY(ledger_stage_begin(l, err));
    EH_TRY(dataset_read(data, &stage, &sink, &counts, NULL, err));
    EH_TRY(ledger_commit(l, err));
    *ok = counts.n_errors == 0;
    return c->json ? print_json(c, l, *ok, err) : print_text(c, &counts, err);
}

int cmd_check(const cli_args *args) {
    check c = {
        .args = args, .json = args_flag(args, OPT_json), .text_faults = {args, 0, 0}};
    c.text_sink = common_faults_sink(&c.text_faults);
    buf_init(&c.errors, BUF_MAX_REPORT);
    buf_init(&c.warnings, BUF_MAX_REPORT);
    ledger *l = NULL;
    eh_error err;
    eh_arena arena;
    dataset_options data;
    bool ok = false;
    arena_init(&arena, BUF_MAX_SMALL);
    eh_status status = common_dataset(args, &arena, &data, &err);
    if (status == EH_STATUS_OK) status = ledger_open_temporary(&l, &err);
    if (status == EH_STATUS_OK) status = check_data(&c, &data, l, &ok, &err);
    (void)ledger_close(l, NULL);
    arena_deinit(&arena);
    buf_deinit(&c.errors);
    buf_deinit(&c.warnings);
    if (status != EH_STATUS_OK) return cmd_fail(args, &err);
    return ok ? 0 : eh_status_exit(EH_STATUS_DATA);
}
