/* SPDX-License-Identifier: MIT
 *
 * evenhand report: one HTML file with the numbers, the charts and every pair; of audits
 * it is the judge card.
 *
 * Nobody is called and no ledger is changed. What is printed is one line about the file
 * that was written; the file itself is the result.
 */
#include <stdio.h>

#include "base/mem.h"
#include "common.h"
#include "page/card.h"
#include "page/page.h"
#include "run/price.h"

enum { MAX_SIZE_MB = 50 }; /* as options.def has it */

/* The command as it can be typed again: names of files without their folders, so that
 * no path of this machine stands in a page that is handed on. */
static eh_str base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return eh_str_of(slash ? slash + 1 : path);
}

static void add_command(const cli_args *args, eh_buf *out) {
    buf_add_cstr(out, "evenhand report");
    for (int i = 0; i < args->n_operands; i++)
        buf_printf(out, " %.*s", EH_STR_ARG(base_name(args->operands[i])));
    buf_printf(out, " -o %.*s", EH_STR_ARG(base_name(args_str(args, OPT_output))));
    if (args_str(args, OPT_method))
        buf_printf(out, " -m %s", args_str(args, OPT_method));
    if (args_flag(args, OPT_no_texts)) buf_add_cstr(out, " --no-texts");
    if (args_str(args, OPT_redact)) /* what is kept out may stand in the pattern */
        buf_add_cstr(out, " --redact PATTERN");
    if (args_i64(args, OPT_max_size, MAX_SIZE_MB) != MAX_SIZE_MB)
        buf_printf(out, " --max-size %lld",
                   (long long)args_i64(args, OPT_max_size, MAX_SIZE_MB));
    if (args_given(args, OPT_margin))
        buf_printf(out, " --margin %g", args_f64(args, OPT_margin, 0));
}

/* A page in place of a ledger is a slip that would cost a run. */
static eh_status check_output(const char *path, eh_error *err) {
    if (!ledger_sniff(path)) return EH_STATUS_OK;
    return EH_FAIL(err, EH_STATUS_USAGE, "%s is a ledger; -o names the page to write",
                   path);
}

static eh_status open_sources(const cli_args *args, page_source *sources,
                              eh_error *err) {
    for (int i = 0; i < args->n_operands; i++) {
        const char *path = args->operands[i];
        sources[i].name = base_name(path);
        EH_TRY(ledger_open(path, LEDGER_READ, &sources[i].l, err));
    }
    return EH_STATUS_OK;
}

static void say_result(const cli_args *args, const page_result *result, eh_buf *out) {
    buf_printf(out, "%s: %zu pair%s, %zu judge%s, %.1f MB", args_str(args, OPT_output),
               result->n_pairs, result->n_pairs == 1 ? "" : "s", result->n_judges,
               result->n_judges == 1 ? "" : "s", (double)result->n_bytes / 1e6);
    if (args_flag(args, OPT_no_texts))
        buf_add_cstr(out, "; no texts");
    else if (result->n_with_texts < result->n_pairs)
        buf_printf(out, "; texts of %zu pairs", result->n_with_texts);
    buf_add_char(out, '\n');
}

/* Beside the result, on standard error: none may be a slip in the pattern. */
static void say_redacted(const cli_args *args, const page_result *result) {
    int64_t n = result->n_redacted;
    if (n == 0)
        cmd_warn(args, "--redact matched nothing: the page holds all texts");
    else
        cmd_say(args, "--redact: %lld match%s left out", (long long)n,
                n == 1 ? "" : "es");
}

/* A page of runs, or the card of audits: the first ledger decides. */
static eh_status make_file(const cli_args *args, const page_source *sources,
                           const page_options *options, page_result *result,
                           eh_error *err) {
    const char *path = args_str(args, OPT_output);
    size_t n = (size_t)args->n_operands;
    bool is_audit, any = false, all = true;
    for (size_t i = 0; i < n; i++) {
        EH_TRY(exam_is_one(sources[i].l, &is_audit, err));
        any = any || is_audit;
        all = all && is_audit;
    }
    if (any && !all)
        return EH_FAIL(err, EH_STATUS_USAGE,
                       "a page shows runs or audits, not both: write one for each");
    if (any && args_given(args, OPT_method))
        return EH_FAIL(err, EH_STATUS_USAGE, "%s is an audit: --method is for runs",
                       args->operands[0]);
    if (any && args_given(args, OPT_redact))
        return EH_FAIL(
            err, EH_STATUS_USAGE,
            "%s is an audit: --redact is for runs; --no-texts leaves out all "
            "texts of a card",
            args->operands[0]);
    if (!any && args_given(args, OPT_margin))
        return EH_FAIL(err, EH_STATUS_USAGE, "%s is a run: --margin is for audits",
                       args->operands[0]);
    if (!any) return page_report_file(sources, n, options, path, result, err);
    page_card_options card = {.page = *options, .limits = audit_limits_default()};
    card.limits.margin = args_f64(args, OPT_margin, card.limits.margin);
    return page_card_file(sources, n, &card, path, result, err);
}

static eh_status report(const cli_args *args, page_source *sources, eh_buf *out,
                        eh_error *err) {
    page_result result = {.n_bytes = 0};
    page_redact *redact = NULL;
    price_table *prices = NULL;
    eh_buf command;
    buf_init(&command, BUF_MAX_SMALL);
    add_command(args, &command);
    eh_status status = check_output(args_str(args, OPT_output), err);
    if (status == EH_STATUS_OK) status = open_sources(args, sources, err);
    if (status == EH_STATUS_OK && args_str(args, OPT_redact))
        status = page_redact_new(eh_str_of(args_str(args, OPT_redact)), &redact, err);
    if (status == EH_STATUS_OK)
        status = price_table_load(args_str(args, OPT_prices), &prices, err);
    if (status == EH_STATUS_OK) {
        page_options options = {.texts = !args_flag(args, OPT_no_texts),
                                .max_bytes =
                                    args_i64(args, OPT_max_size, MAX_SIZE_MB) * 1000000,
                                .method = eh_str_of(args_str(args, OPT_method)),
                                .prices = prices,
                                .label_nusd = args_i64(args, OPT_label_price, -1),
                                .redact = redact,
                                .command = buf_view(&command)};
        status = make_file(args, sources, &options, &result, err);
    }
    if (status == EH_STATUS_OK) say_result(args, &result, out);
    if (status == EH_STATUS_OK && redact) say_redacted(args, &result);
    page_redact_free(redact);
    price_table_free(prices);
    buf_deinit(&command);
    return status;
}

int cmd_report(const cli_args *args) {
    eh_error err;
    eh_buf out;
    if (page_check_built(&err) != EH_STATUS_OK) return cmd_fail(args, &err);
    page_source *sources = mem_zalloc((size_t)args->n_operands, sizeof *sources);
    if (!sources) {
        (void)EH_NOMEM(&err);
        return cmd_fail(args, &err);
    }
    buf_init(&out, BUF_MAX_SMALL);
    eh_status status = report(args, sources, &out, &err);
    for (int i = 0; i < args->n_operands; i++)
        (void)ledger_close(sources[i].l, NULL);
    mem_free(sources);
    if (status == EH_STATUS_OK) return common_print(args, &out, "the report's line");
    buf_deinit(&out);
    return cmd_fail(args, &err);
}
