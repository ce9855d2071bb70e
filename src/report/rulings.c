/* SPDX-License-Identifier: MIT
 *
 * One line a ruling, with the fields of docs/formats.md.
 *
 * A one-order method asked both ways has no ruling of the pair; its two orders are
 * written as rulings of "vanilla:12" and "vanilla:21".
 */
#include "report/rulings.h"

#include <math.h>
#include <stdio.h>

#include "report/write.h"

enum { N_CELLS = 20, REASONS_MAX = 400 };

/* "refusal 1, truncated 2" over the samples of these orders. */
static eh_str reasons_text(const report_ruling_row *row, unsigned orders, char *text) {
    int counts[VERDICT_REASON_N] = {0};
    for (size_t i = 0; i < row->n_samples; i++) {
        const plan_sample *s = &row->samples[i];
        if (orders & PLAN_ORDER_BIT(s->order) && s->sample < row->plan->k &&
            plan_stage_of(row->plan, s->stage_code) >= 0 &&
            s->verdict == EH_VERDICT_NONE)
            counts[s->reason]++;
    }
    size_t used = 0;
    text[0] = '\0';
    for (int r = 0; r < VERDICT_REASON_N; r++)
        if (counts[r] && used < REASONS_MAX - 40)
            used += (size_t)snprintf(text + used, REASONS_MAX - used, "%s%s %d",
                                     used ? ", " : "",
                                     verdict_reason_name((verdict_reason)r), counts[r]);
    return used ? (eh_str){text, used} : (eh_str){NULL, 0};
}

static double share(int part, int whole) {
    return whole ? (double)part / whole : NAN;
}

/* What one line says: of the whole ruling, or of one order. */
typedef struct line {
    const char *method;
    eh_verdict verdict;
    const char *none;
    double score_1, score_2, vote, bpde, p_win, p_tie, p_lose;
    int n_samples, n_failed;
    int64_t cost_nusd;
    const char *tie;
    unsigned orders;
    bool both_orders, conflict;
} line;

/* Their number: the last is there only where somebody asked for it. */
static size_t fill_cells(const report_ruling_row *row, const line *l, char *reasons,
                         report_cell cells[N_CELLS]) {
    bool ruled = l->verdict != EH_VERDICT_NONE;
    report_cell *c = cells;
    *c++ = report_text_cell("pair_id", row->pair_id);
    *c++ = report_text_cell("judge", row->judge);
    *c++ = report_text_cell("method", eh_str_of(l->method));
    *c++ = report_text_cell("verdict", eh_str_of(eh_verdict_name(l->verdict)));
    *c++ = report_text_cell("source", !ruled           ? (eh_str){NULL, 0}
                                      : row->by_people ? EH_STR("human")
                                                       : EH_STR("auto"));
    *c++ = report_text_cell("tie", eh_str_of(l->tie));
    *c++ = report_text_cell("none", eh_str_of(l->none));
    *c++ = report_f64_cell("score_1", l->score_1);
    *c++ = report_f64_cell("score_2", l->score_2);
    *c++ = report_f64_cell("vote", l->vote);
    *c++ = report_f64_cell("bpde", l->bpde);
    *c++ = report_f64_cell("p_win", l->p_win);
    *c++ = report_f64_cell("p_tie", l->p_tie);
    *c++ = report_f64_cell("p_lose", l->p_lose);
    *c++ = report_bool_cell("conflict", l->conflict, !l->both_orders);
    *c++ = report_i64_cell("n_samples", l->n_samples);
    *c++ = report_i64_cell("n_failed", l->n_failed);
    *c++ = report_text_cell("reasons", reasons_text(row, l->orders, reasons));
    *c++ = report_f64_cell("cost_usd", report_usd(l->cost_nusd));
    if (row->left_to) *c++ = report_text_cell("left_to", eh_str_of(row->left_to));
    return (size_t)(c - cells);
}

static void write_line(report_format format, const report_ruling_row *row,
                       const line *l, eh_buf *out) {
    char reasons[REASONS_MAX];
    report_cell cells[N_CELLS];
    size_t n = fill_cells(row, l, reasons, cells);
    report_cells_row(format, cells, n, out);
}

/* The whole pair's ruling. */
static line whole_line(const report_ruling_row *row) {
    const plan_ruling *r = row->ruling;
    int n_valid = r->n_win + r->n_tie + r->n_lose;
    bool ruled = r->none == PLAN_NONE_NOT;
    return (line){
        .method = row->method ? row->method : plan_method_name(row->plan->method),
        .verdict = r->verdict,
        .none = plan_none_name(r->none),
        .tie = r->verdict != EH_VERDICT_TIE ? NULL
               : r->tie_agreed              ? "agreed"
                                            : "from_conflict",
        .score_1 = ruled && r->has_scores && !row->by_people ? r->score_1 : NAN,
        .score_2 = ruled && r->has_scores && !row->by_people ? r->score_2 : NAN,
        .vote = r->vote,
        .bpde = r->bpde,
        .p_win = share(r->n_win, n_valid),
        .p_tie = share(r->n_tie, n_valid),
        .p_lose = share(r->n_lose, n_valid),
        .n_samples = r->n_samples,
        .n_failed = r->n_failed,
        .cost_nusd = row->cost_nusd,
        .orders = row->plan->orders,
        .both_orders = r->both_orders,
        .conflict = r->conflict,
    };
}

static line order_line(const report_ruling_row *row, eh_order order, char method[32]) {
    const plan_order_ruling *o = &row->ruling->by_order[order];
    bool scored = row->ruling->has_scores && o->n_valid;
    (void)snprintf(method, 32, "%s:%s", plan_method_name(row->plan->method),
                   eh_order_name(order));
    return (line){
        .method = method,
        .verdict = o->verdict,
        .none = plan_none_name(o->n_valid    ? PLAN_NONE_NOT
                               : o->n_failed ? PLAN_NONE_ALL_FAILED
                                             : PLAN_NONE_UNASKED),
        .tie = o->verdict != EH_VERDICT_TIE ? NULL
               : o->all_ties                ? "agreed"
                                            : "from_conflict",
        .score_1 = scored ? o->score_1 : NAN,
        .score_2 = scored ? o->score_2 : NAN,
        .vote = o->n_valid ? o->vote : NAN,
        .bpde = NAN,
        .p_win = NAN,
        .p_tie = NAN,
        .p_lose = NAN,
        .n_samples = o->n_valid + o->n_failed,
        .n_failed = o->n_failed,
        .cost_nusd = row->order_nusd[order],
        .orders = PLAN_ORDER_BIT(order),
    };
}

bool report_rulings_apart(const plan_spec *plan) {
    return plan_is_single_order(plan) && plan->orders == PLAN_ORDERS_BOTH;
}

void report_rulings_head(report_format format, bool left_to, eh_buf *out) {
    if (format != REPORT_FORMAT_CSV) return;
    const plan_ruling ruling = {0};
    plan_spec plan = {.method = plan_method_find(EH_STR("bpc"))};
    const report_ruling_row row = {
        .plan = &plan, .ruling = &ruling, .left_to = left_to ? "" : NULL};
    char reasons[REASONS_MAX];
    report_cell cells[N_CELLS];
    line l = whole_line(&row);
    size_t n = fill_cells(&row, &l, reasons, cells);
    report_cells_head(format, cells, n, out);
}

void report_rulings_row(report_format format, const report_ruling_row *row,
                        eh_buf *out) {
    char method[32];
    if (!report_rulings_apart(row->plan)) {
        line l = whole_line(row);
        write_line(format, row, &l, out);
        return;
    }
    for (int o = 0; o < EH_ORDER_N; o++) {
        line l = order_line(row, (eh_order)o, method);
        write_line(format, row, &l, out);
    }
}
