/* SPDX-License-Identifier: MIT
 *
 * evenhand rulings: one line a pair and run, in data order.
 */
#include "common.h"
#include "report/rulings.h"
#include "tally/summarize.h"

typedef struct rulings_cmd {
    ledger *l;
    report_format format;
    eh_buf line;
} rulings_cmd;

static eh_status print_pair(rulings_cmd *c, const tally_view *view, eh_str judge_name,
                            const ledger_pair *pair, eh_error *err) {
    tally_ruled ruled;
    EH_TRY(tally_rule_pair(c->l, view, pair->row, &ruled, err));
    if (!ruled.in_scope) return EH_STATUS_OK;
    report_ruling_row row = {.pair_id = pair->pair_id,
                             .judge = judge_name,
                             .plan = &view->plan,
                             .ruling = &ruled.ruling,
                             .method = tally_view_method(view),
                             .by_people = ruled.by_people,
                             .samples = ruled.samples,
                             .n_samples = ruled.n_samples};
    buf_reset(&c->line);
    report_rulings_row(c->format, &row, &c->line);
    EH_TRY(buf_check(&c->line, "a ruling", err));
    return cmd_print(buf_view(&c->line), err);
}

static eh_status print_view(rulings_cmd *c, const tally_view *view, eh_str judge_name,
                            eh_error *err) {
    ledger_cursor *cursor;
    EH_TRY(ledger_cursor_open(c->l, LEDGER_BY_DATA, &cursor, err));
    eh_status status = EH_STATUS_OK;
    for (bool got = true; status == EH_STATUS_OK;) {
        ledger_pair pair;
        status = ledger_cursor_next(cursor, &pair, &got, err);
        if (status != EH_STATUS_OK || !got) break;
        status = print_pair(c, view, judge_name, &pair, err);
    }
    ledger_cursor_close(cursor);
    return status;
}

static eh_status print_all(rulings_cmd *c, eh_str method, eh_error *err) {
    eh_arena arena;
    tally_view *views;
    eh_str *names;
    size_t n;
    arena_init(&arena, 256 << 20);
    report_rulings_head(c->format, &c->line);
    eh_status status = cmd_print(buf_view(&c->line), err);
    if (status == EH_STATUS_OK)
        status = tally_views(c->l, method, &arena, &views, &n, err);
    if (status == EH_STATUS_OK)
        status = tally_view_names(views, n, &arena, &names, err);
    for (size_t i = 0; status == EH_STATUS_OK && i < n; i++)
        status = print_view(c, &views[i], names[i], err);
    arena_deinit(&arena);
    return status;
}

int cmd_rulings(const cli_args *args) {
    rulings_cmd c = {.format = common_report_format(args)};
    eh_error err;
    buf_init(&c.line, BUF_MAX_LINE);
    eh_status status = ledger_open(args->operands[0], LEDGER_READ, &c.l, &err);
    if (status == EH_STATUS_OK)
        status = print_all(&c, eh_str_of(args_str(args, OPT_method)), &err);
    (void)ledger_close(c.l, NULL);
    buf_deinit(&c.line);
    return status == EH_STATUS_OK ? 0 : cmd_fail(args, &err);
}
