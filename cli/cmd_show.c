/* SPDX-License-Identifier: MIT
 *
 * evenhand show: the numbers of a ledger, or of files with recorded judgments.
 *
 * Judgment files are imported into a temporary ledger first, so that one way of
 * computing serves both. Nobody is called.
 */
#include "base/json_write.h"
#include "common.h"
#include "report/summary.h"
#include "run/price.h"
#include "run/summarize.h"

static eh_status open_operands(const cli_args *args, ledger **l, eh_error *err) {
    if (args->n_operands == 1 && ledger_sniff(args->operands[0]))
        return ledger_open(args->operands[0], LEDGER_READ, l, err);
    for (int i = 0; i < args->n_operands; i++)
        if (ledger_sniff(args->operands[i]))
            return EH_FAIL(err, EH_STATUS_USAGE,
                           "%s: show takes one ledger, or files of judgments",
                           args->operands[i]);
    common_faults faults = {.args = args};
    dataset_faults sink = common_faults_sink(&faults);
    run_import_options options = {
        .bare_pairs = true, .faults = &sink, .clock = clock_system()};
    run_import_counts counts;
    EH_TRY(ledger_open_temporary(l, err));
    eh_status status = run_import_judgments(*l, args->operands, args->n_operands,
                                            &options, &counts, err);
    common_faults_end(&faults);
    return status;
}

static void add_timing(const run_view *view, const ledger_timing *t, eh_str name,
                       json_writer *w, eh_buf *text) {
    if (w) {
        json_key_str(w, name);
        json_object_begin(w);
        json_key(w, "run");
        json_i64(w, view->run.row);
        json_key(w, "sessions");
        json_i64(w, t->n_sessions);
        json_key(w, "calls");
        json_i64(w, t->n_calls);
        json_key(w, "attempts");
        json_i64(w, t->n_attempts);
        json_key(w, "no_result");
        json_i64(w, t->n_no_result);
        json_key(w, "first_ms");
        json_i64(w, t->first_ms);
        json_key(w, "last_ms");
        json_i64(w, t->last_ms);
        json_key(w, "mean_latency_ms");
        json_f64(w, t->mean_latency_ms);
        json_object_end(w);
        return;
    }
    buf_printf(text,
               "  %.*s: %lld sessions, %lld calls, %lld attempts, %lld without "
               "result",
               EH_STR_ARG(name), (long long)t->n_sessions, (long long)t->n_calls,
               (long long)t->n_attempts, (long long)t->n_no_result);
    if (t->n_calls)
        buf_printf(text, ", over %.1f s", (double)(t->last_ms - t->first_ms) / 1000);
    buf_add_char(text, '\n');
}

/* What the summary leaves out on purpose: it differs from machine to machine. */
static eh_status show_timing(ledger *l, const report_summary *s, eh_arena *arena,
                             bool json, eh_buf *out, eh_error *err) {
    run_view *views;
    size_t n;
    json_writer w;
    EH_TRY(run_views(l, EH_STR(""), arena, &views, &n, err));
    json_writer_init(&w, out, 1);
    if (json)
        json_object_begin(&w);
    else
        buf_add_cstr(out, "\ntiming\n");
    for (size_t i = 0; i < n; i++) {
        ledger_timing t;
        EH_TRY(ledger_timing_sum(l, views[i].run.judge_row, &t, err));
        add_timing(&views[i], &t, s->judges[i].name, json ? &w : NULL, out);
    }
    if (json) {
        json_object_end(&w);
        buf_add_char(out, '\n');
    }
    return EH_STATUS_OK;
}

static eh_status show(const cli_args *args, ledger *l, eh_buf *out, eh_error *err) {
    eh_arena arena;
    report_summary summary;
    bool json = args_flag(args, OPT_json), timing = args_flag(args, OPT_timing);
    arena_init(&arena, 256 << 20);
    price_table *prices = NULL;
    eh_status status =
        run_summarize(l, eh_str_of(args_str(args, OPT_method)), &arena, &summary, err);
    if (status == EH_STATUS_OK)
        status = price_table_load(args_str(args, OPT_prices), &prices, err);
    if (status == EH_STATUS_OK) price_summary(prices, &summary);
    if (status == EH_STATUS_OK && json && !timing) report_summary_json(&summary, out);
    if (status == EH_STATUS_OK && !json) report_summary_text(&summary, out);
    if (status == EH_STATUS_OK && timing)
        status = show_timing(l, &summary, &arena, json, out, err);
    price_table_free(prices);
    arena_deinit(&arena);
    return status;
}

int cmd_show(const cli_args *args) {
    ledger *l = NULL;
    eh_error err;
    eh_buf out;
    buf_init(&out, BUF_MAX_REPORT);
    eh_status status = open_operands(args, &l, &err);
    if (status == EH_STATUS_OK) status = show(args, l, &out, &err);
    (void)ledger_close(l, NULL);
    if (status == EH_STATUS_OK) return common_print(args, &out, "the summary");
    buf_deinit(&out);
    return cmd_fail(args, &err);
}
