/* SPDX-License-Identifier: MIT
 *
 * evenhand show: the numbers of a ledger, or of files with recorded judgments; the card
 * of an audit.
 *
 * Judgment files are imported into a temporary ledger first, so that one way of
 * computing serves both. Nobody is called.
 */
#include <math.h>
#include <stdio.h>

#include "base/json_write.h"
#include "common.h"
#include "report/summary.h"
#include "run/audit.h"
#include "run/price.h"
#include "run/summarize.h"
#include "show_estimate.h"

static void say_other(void *self, const char *path, const import_file *file,
                      int64_t n_judges) {
    if (strcmp(file->format, "judgments") != 0)
        common_say_file(self, path, file, n_judges);
}

/* Files of judgments in memory; where they are too many for that, in a temporary file.
 */
static eh_status open_judgments(const cli_args *args, bool in_memory, ledger **l,
                                eh_error *err) {
    common_faults faults = {.args = args};
    dataset_faults sink = common_faults_sink(&faults);
    run_import_options options = {.bare_pairs = true,
                                  .faults = &sink,
                                  .clock = clock_system(),
                                  .read = common_import_options(args, NULL),
                                  .on_file = say_other,
                                  .self = (void *)args};
    run_import_counts counts;
    EH_TRY(in_memory ? ledger_open_held(l, err) : ledger_open_temporary(l, err));
    eh_status status = run_import_judgments(*l, args->operands, args->n_operands,
                                            &options, &counts, err);
    common_faults_end(&faults);
    if (status != EH_STATUS_TOO_BIG || !in_memory) return status;
    (void)ledger_close(*l, NULL);
    *l = NULL;
    return open_judgments(args, false, l, err);
}

static eh_status open_operands(const cli_args *args, ledger **l, eh_error *err) {
    if (args->n_operands == 1 && ledger_sniff(args->operands[0]))
        return ledger_open(args->operands[0], LEDGER_READ, l, err);
    for (int i = 0; i < args->n_operands; i++)
        if (ledger_sniff(args->operands[i]))
            return EH_FAIL(err, EH_STATUS_USAGE,
                           "%s: show takes one ledger, or files of judgments",
                           args->operands[i]);
    return open_judgments(args, true, l, err);
}

/* What is shown of one judge. */
typedef struct judge_timing {
    int64_t run_row;
    eh_str name;
    ledger_timing t;
    ledger_requests *requests; /* [n_requests] */
    size_t n_requests;
    int64_t n_sent;
} judge_timing;

static void write_timing(json_writer *w, const judge_timing *m) {
    const ledger_timing *t = &m->t;
    const struct {
        const char *key;
        int64_t value;
    } numbers[] = {{"run", m->run_row},           {"sessions", t->n_sessions},
                   {"calls", t->n_calls},         {"attempts", t->n_attempts},
                   {"no_result", t->n_no_result}, {"first_ms", t->first_ms},
                   {"last_ms", t->last_ms}};
    json_key_str(w, m->name);
    json_object_begin(w);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        json_key(w, numbers[i].key);
        json_i64(w, numbers[i].value);
    }
    json_key(w, "mean_latency_ms");
    json_f64(w, t->mean_latency_ms);
    json_key(w, "requests");
    json_object_begin(w);
    for (size_t i = 0; i < m->n_requests; i++) {
        json_key_str(w, m->requests[i].outcome);
        json_i64(w, m->requests[i].n);
    }
    json_object_end(w);
    json_object_end(w);
}

/* "    1504 requests: 1200 answered, 52 http_502, ...", in lines of 80. */
static void print_requests(eh_buf *text, const judge_timing *m) {
    enum { WIDTH = 80, INDENT = 4 };
    char item[64];
    size_t column = text->len;
    if (m->n_requests == 0) return;
    buf_printf(text, "    %lld request%s:", (long long)m->n_sent,
               m->n_sent == 1 ? "" : "s");
    column = text->len - column;
    for (size_t i = 0; i < m->n_requests; i++) {
        int len = snprintf(
            item, sizeof item, "%lld %.*s%s", (long long)m->requests[i].n,
            EH_STR_ARG(m->requests[i].outcome), i + 1 < m->n_requests ? "," : "");
        bool fits = column + 1 + (size_t)len <= WIDTH;
        buf_printf(text, fits ? " %s" : "\n      %s", item);
        column = fits ? column + 1 + (size_t)len : INDENT + 2 + (size_t)len;
    }
    buf_add_char(text, '\n');
}

static void print_timing(eh_buf *text, const judge_timing *m) {
    const ledger_timing *t = &m->t;
    buf_printf(text, "  %.*s\n    %lld session%s, %lld call%s", EH_STR_ARG(m->name),
               (long long)t->n_sessions, t->n_sessions == 1 ? "" : "s",
               (long long)t->n_calls, t->n_calls == 1 ? "" : "s");
    if (t->n_no_result)
        buf_printf(text, " and %lld without result", (long long)t->n_no_result);
    if (t->n_calls)
        buf_printf(text, ", over %.1f s", (double)(t->last_ms - t->first_ms) / 1000);
    if (!isnan(t->mean_latency_ms))
        buf_printf(text, ", %.0f ms each", t->mean_latency_ms);
    buf_add_char(text, '\n');
    print_requests(text, m);
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
        judge_timing m = {.run_row = views[i].run.row, .name = s->judges[i].name};
        int64_t judge_row = views[i].run.judge_row;
        EH_TRY(ledger_timing_sum(l, judge_row, &m.t, err));
        EH_TRY(
            ledger_requests_sum(l, judge_row, arena, &m.requests, &m.n_requests, err));
        for (size_t k = 0; k < m.n_requests; k++)
            m.n_sent += m.requests[k].n;
        if (json)
            write_timing(&w, &m);
        else
            print_timing(out, &m);
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

/* The cards of an audit, as `audit` printed them. */
static eh_status show_audit(const cli_args *args, ledger *l, eh_buf *out,
                            eh_error *err) {
    eh_arena arena;
    report_audit cards;
    price_table *prices = NULL;
    audit_limits limits = audit_limits_default();
    limits.margin = args_f64(args, OPT_margin, limits.margin);
    if (args_given(args, OPT_method) || args_flag(args, OPT_timing) ||
        args_flag(args, OPT_estimate))
        return EH_FAIL(err, EH_STATUS_USAGE,
                       "%s is an audit: --method, --timing and --estimate are for runs",
                       args->operands[0]);
    arena_init(&arena, BUF_MAX_REPORT);
    eh_status status = price_table_load(args_str(args, OPT_prices), &prices, err);
    if (status == EH_STATUS_OK)
        status = run_audit_cards(l, 0, prices, &limits, &arena, &cards, err);
    if (status == EH_STATUS_OK && args_flag(args, OPT_json))
        report_audit_json(&cards, out);
    else if (status == EH_STATUS_OK)
        report_audit_text(&cards, out);
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
    bool is_audit = false;
    if (status == EH_STATUS_OK && ledger_sniff(args->operands[0]))
        status = run_is_audit(l, &is_audit, &err);
    if (status == EH_STATUS_OK && is_audit)
        status = show_audit(args, l, &out, &err);
    else if (status == EH_STATUS_OK)
        status = args_flag(args, OPT_estimate) ? show_estimate(args, l, &out, &err)
                                               : show(args, l, &out, &err);
    (void)ledger_close(l, NULL);
    if (status == EH_STATUS_OK) return common_print(args, &out, "the summary");
    buf_deinit(&out);
    return cmd_fail(args, &err);
}
