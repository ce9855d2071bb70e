/* SPDX-License-Identifier: MIT
 *
 * The summary of several runs as one table, and the rows that tables of groups share.
 *
 *   judge (in %)      pairs    win    low   high  confl  first    acc  kappa
 *   gpt-x+score          80   56.2   48.9   63.3   14.0   51.2   62.5  0.370
 *
 * What is undefined is "-".
 */
#include <math.h>

#include "report/summary.h"
#include "report/write.h"

enum { CELLS = 6, CELLS_LABELLED = 8 };

bool report_orders_apart(const report_judge *j) {
    return j->plan.orders == PLAN_ORDERS_BOTH && plan_is_single_order(&j->plan);
}

void report_table_head(const char *names, bool labels, eh_buf *out) {
    static const char *const heads[] = {"pairs", "win",   "low", "high",
                                        "confl", "first", "acc", "kappa"};
    report_head(out, names, heads, labels ? CELLS_LABELLED : CELLS);
}

void report_table_row(eh_str name, const report_judge *j, bool labels, eh_buf *out) {
    bool apart = report_orders_apart(j); /* then means over the two */
    double mean = (j->win_rate_by_order[0].value + j->win_rate_by_order[1].value) / 2;
    report_name(out, name);
    report_cell_count(out, j->n_pairs);
    report_cell_percent(out, apart ? mean : j->win_rate.value);
    report_cell_percent(out, j->win_rate.low);
    report_cell_percent(out, j->win_rate.high);
    report_cell_percent(out, j->conflict.rate.value);
    report_cell_percent(out, j->position.one_order ? NAN : j->position.first_rate);
    if (labels) {
        const report_agreement *by = j->labels.by_order;
        report_cell_percent(out, apart ? (by[0].accuracy + by[1].accuracy) / 2
                                       : j->labels.all.accuracy);
        report_cell_decimal(out, apart ? (by[0].kappa + by[1].kappa) / 2
                                       : j->labels.all.kappa);
    }
    buf_add_char(out, '\n');
}

void report_table_foot(bool labels, eh_buf *out) {
    buf_printf(out,
               "\nwin: of answer 1, with its 95 %% interval; confl: pairs whose orders "
               "differ; first: decided replies for the slot shown first%s\n",
               labels ? "; acc, kappa: against human labels" : "");
}

/* The runs of portia once more: what splitting changed. */
static void add_portia_table(eh_buf *out, const report_summary *s) {
    bool any = false;
    for (size_t i = 0; i < s->n_judges; i++) {
        const report_judge *j = &s->judges[i];
        if (plan_n_stages(&j->plan) == 1) continue;
        if (!any) {
            buf_add_char(out, '\n');
            report_portia_head(out);
        }
        any = true;
        report_name(out, j->name);
        report_portia_row(&j->portia, out);
    }
    if (any)
        buf_add_cstr(out, "\nbefore, after: pairs on which both orders agree; mended: "
                          "of the others; calls: for a pair\n");
}

void report_summary_table(const report_summary *s, eh_buf *out) {
    bool labels = false;
    for (size_t i = 0; i < s->n_judges; i++)
        labels = labels || s->judges[i].labels.all.n_labelled;
    report_table_head("judge (in %)", labels, out);
    for (size_t i = 0; i < s->n_judges; i++)
        report_table_row(s->judges[i].name, &s->judges[i], labels, out);
    report_table_foot(labels, out);
    add_portia_table(out, s);
}
