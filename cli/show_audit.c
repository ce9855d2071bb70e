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

eh_status show_audit(const cli_args *args, ledger *l, eh_buf *out, eh_error *err) {
    eh_arena arena;
    report_audit cards;
    price_table *prices = NULL;
    audit_limits limits = audit_limits_default();
    limits.margin = args_f64(args, OPT_margin, limits.margin);
    arena_init(&arena, BUF_MAX_REPORT);
    eh_status status = price_table_load(args_str(args, OPT_prices), &prices, err);
    if (status == EH_STATUS_OK)
        status = exam_cards(l, 0, prices, &limits, &arena, &cards, err);
    if (status == EH_STATUS_OK && args_flag(args, OPT_json))
        report_audit_json(&cards, out);
    else if (status == EH_STATUS_OK)
        report_audit_text(&cards, out);
    price_table_free(prices);
    arena_deinit(&arena);
    return status;
}
