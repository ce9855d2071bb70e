/* SPDX-License-Identifier: MIT
 *
 * evenhand rulings: one line a pair and run, in data order; with --guarantee also who
 * is to decide it, or the ids alone of what is left to people.
 */
#include "common.h"
#include "report/rulings.h"
#include "run/price.h"
#include "show_estimate.h"
#include "tally/summarize.h"

typedef struct rulings_cmd {
    const cli_args *args;
    ledger *l;
    report_format format;
    bool marks, rest; /* --guarantee, --rest */
    report_guarantee guarantee;
    price_table *prices;
    eh_buf line;
} rulings_cmd;

/* Who is to decide the pair; NULL where nobody asked. */
static const char *left_to(const rulings_cmd *c, const tally_ruled *ruled) {
    if (!c->marks) return NULL;
    plan_queue_entry entry = plan_queue_entry_of(0, &ruled->ruling);
    entry.has_ruling = ruled->judge_verdict != EH_VERDICT_NONE;
    return report_guarantee_stands(&c->guarantee, &entry) ? "judge" : "people";
}

/* What the calls behind the ruling cost, by order where each has a line. */
static eh_status add_costs(rulings_cmd *c, const tally_view *view, int64_t pair_row,
                           report_ruling_row *row, eh_error *err) {
    const price_row *price = price_find(c->prices, view->run.judge.judge);
    int64_t judge_row = view->run.judge_row;
    if (!report_rulings_apart(&view->plan))
        return price_pair(price, c->l, judge_row, pair_row, &view->plan,
                          &row->cost_nusd, err);
    for (int o = 0; o < EH_ORDER_N; o++) {
        plan_spec plan = view->plan;
        plan.orders = PLAN_ORDER_BIT(o);
        EH_TRY(price_pair(price, c->l, judge_row, pair_row, &plan, &row->order_nusd[o],
                          err));
    }
    return EH_STATUS_OK;
}

static eh_status print_pair(rulings_cmd *c, const tally_view *view, eh_str judge_name,
                            const ledger_pair *pair, eh_error *err) {
    tally_ruled ruled;
    EH_TRY(tally_rule_pair(c->l, view, pair->row, &ruled, err));
    if (!ruled.in_scope) return EH_STATUS_OK;
    const char *who = left_to(c, &ruled);
    buf_reset(&c->line);
    if (c->rest) {
        if (strcmp(who, "judge") == 0 || ruled.by_people) return EH_STATUS_OK;
        buf_add_str(&c->line, pair->pair_id);
        buf_add_char(&c->line, '\n');
        return cmd_print(buf_view(&c->line), err);
    }
    report_ruling_row row = {.pair_id = pair->pair_id,
                             .judge = judge_name,
                             .plan = &view->plan,
                             .ruling = &ruled.ruling,
                             .method = tally_view_method(view),
                             .by_people = ruled.by_people,
                             .left_to = who,
                             .samples = ruled.samples,
                             .n_samples = ruled.n_samples};
    EH_TRY(add_costs(c, view, pair->row, &row, err));
    report_rulings_row(c->format, &row, &c->line);
    EH_TRY(buf_check(&c->line, "a ruling", err));
    return cmd_print(buf_view(&c->line), err);
}

/* The threshold of this judge. Too few labels leave all to people; labels that stand
 * for nothing are an error. */
static eh_status calibrate(rulings_cmd *c, const tally_view *view, eh_str judge_name,
                           eh_arena *arena, eh_error *err) {
    report_guarantee *g = &c->guarantee;
    if (!c->marks) return EH_STATUS_OK;
    EH_TRY(show_guarantee_of(c->args, c->l, view, judge_name, arena, g, err));
    if (g->refusal == REPORT_REFUSAL_NOT || g->refusal == REPORT_REFUSAL_TOO_FEW)
        return EH_STATUS_OK;
    return EH_FAIL(err, EH_STATUS_USAGE, "--guarantee: %s",
                   report_refusal_text(g->refusal));
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

static eh_status print_views(rulings_cmd *c, eh_arena *arena, eh_error *err) {
    tally_view *views;
    eh_str *names;
    size_t n;
    eh_str method = eh_str_of(args_str(c->args, OPT_method));
    EH_TRY(tally_views(c->l, method, arena, &views, &n, err));
    EH_TRY(tally_view_names(views, n, arena, &names, err));
    if (c->rest && n != 1)
        return EH_FAIL(err, EH_STATUS_USAGE,
                       "--rest: the ledger has %zu judges, and each would leave others",
                       n);
    for (size_t i = 0; i < n; i++) {
        EH_TRY(calibrate(c, &views[i], names[i], arena, err));
        if (i == 0 && !c->rest) {
            report_rulings_head(c->format, c->marks, &c->line);
            EH_TRY(cmd_print(buf_view(&c->line), err));
        }
        EH_TRY(print_view(c, &views[i], names[i], err));
    }
    return EH_STATUS_OK;
}

int cmd_rulings(const cli_args *args) {
    rulings_cmd c = {.args = args,
                     .format = common_report_format(args),
                     .marks = args_given(args, OPT_guarantee),
                     .rest = args_flag(args, OPT_rest)};
    eh_error err;
    eh_arena arena;
    eh_status status = EH_STATUS_OK;
    arena_init(&arena, 256 << 20);
    buf_init(&c.line, BUF_MAX_LINE);
    if (c.rest && !c.marks)
        status = EH_FAIL(&err, EH_STATUS_USAGE, "--rest needs --guarantee");
    if (status == EH_STATUS_OK)
        status = ledger_open(args->operands[0], LEDGER_READ, &c.l, &err);
    if (status == EH_STATUS_OK)
        status = price_table_load(args_str(args, OPT_prices), &c.prices, &err);
    if (status == EH_STATUS_OK) status = print_views(&c, &arena, &err);
    price_table_free(c.prices);
    arena_deinit(&arena);
    (void)ledger_close(c.l, NULL);
    buf_deinit(&c.line);
    return status == EH_STATUS_OK ? 0 : cmd_fail(args, &err);
}
