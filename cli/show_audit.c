/* SPDX-License-Identifier: MIT
 *
 * evenhand show, of the ledger of an audit: the cards once more.
 *
 * An audit holds pairs that were made for it, so the tables of runs would say little of
 * it, and it is shown alone.
 */
#include "show_audit.h"

#include "report/audit.h"
#include "exam/exam.h"
#include "run/price.h"

/* What only runs have. */
static const struct {
    cli_option_id id;
    const char *name;
} of_runs[] = {
    {OPT_method, "--method"},       {OPT_timing, "--timing"},
    {OPT_estimate, "--estimate"},   {OPT_by, "--by"},
    {OPT_reference, "--reference"}, {OPT_methods, "--methods"},
    {OPT_compat, "--compat"},       {OPT_co2e, "--co2e"},
};

static eh_status check_options(const cli_args *args, eh_error *err) {
    for (size_t i = 0; i < sizeof of_runs / sizeof of_runs[0]; i++)
        if (args_given(args, of_runs[i].id))
            return EH_FAIL(err, EH_STATUS_USAGE, "%s is an audit: %s is for runs",
                           args->operands[0], of_runs[i].name);
    return EH_STATUS_OK;
}

eh_status show_audit(const cli_args *args, ledger *l, eh_buf *out, eh_error *err) {
    eh_arena arena;
    report_audit cards;
    price_table *prices = NULL;
    audit_limits limits = audit_limits_default();
    limits.margin = args_f64(args, OPT_margin, limits.margin);
    EH_TRY(check_options(args, err));
    arena_init(&arena, BUF_MAX_REPORT);
    eh_status status = price_table_load(args_str(args, OPT_prices), &prices, err);
    const exam_card_options options = {.prices = prices,
                                       .limits = &limits,
                                       .family = eh_str_of(args_str(args, OPT_family))};
    if (status == EH_STATUS_OK)
        status = exam_cards_make(l, &options, &arena, &cards, err);
    if (status == EH_STATUS_OK && args_flag(args, OPT_json))
        report_audit_json(&cards, out);
    else if (status == EH_STATUS_OK)
        report_audit_text(&cards, out);
    price_table_free(prices);
    arena_deinit(&arena);
    return status;
}
