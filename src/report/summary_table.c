/* SPDX-License-Identifier: MIT
 *
 * The summary of several runs as one table, and the rows that tables of groups share.
 *
 *   judge (in %)      pairs    win    low   high  confl  first    acc  kappa
 *   gpt-x+score          80   56.2   48.9   63.3   14.0   51.2   62.5  0.370
 *
 * Names take what the terminal leaves; a name that is longer has a line of its own.
 * What is undefined is "-".
 */
#include <math.h>

#include "report/summary.h"
#include "report/write.h"

#define FIRST_HEAD "judge (in %)"

enum { CELLS = 6, CELLS_LABELLED = 8 };

bool report_orders_apart(const report_judge *j) {
    return j->plan.orders == PLAN_ORDERS_BOTH && plan_is_single_order(&j->plan);
}

report_table report_table_make(int longest_name, bool labels, int terminal_columns) {
    int cells = (labels ? CELLS_LABELLED : CELLS) * REPORT_COLUMN_WIDTH;
    if (terminal_columns == 0) terminal_columns = REPORT_COLUMNS_DEFAULT;
    return (report_table){report_name_columns(longest_name, cells, terminal_columns),
                          labels};
}

void report_table_head(const report_table *t, const char *first, eh_buf *out) {
    static const char *const heads[] = {"pairs", "win",   "low", "high",
                                        "confl", "first", "acc", "kappa"};
    report_name(out, eh_str_of(first), t->name_columns);
    for (int i = 0; i < (t->labels ? CELLS_LABELLED : CELLS); i++)
        report_column_text(out, heads[i]);
    buf_add_char(out, '\n');
}

void report_table_row(const report_table *t, eh_str name, const report_judge *j,
                      eh_buf *out) {
    bool apart = report_orders_apart(j); /* then means over the two */
    double mean = (j->win_rate_by_order[0].value + j->win_rate_by_order[1].value) / 2;
    report_name(out, name, t->name_columns);
    report_column_count(out, j->n_pairs);
    report_column_percent(out, apart ? mean : j->win_rate.value);
    report_column_percent(out, j->win_rate.low);
    report_column_percent(out, j->win_rate.high);
    report_column_percent(out, j->conflict.rate.value);
    report_column_percent(out, j->position.one_order ? NAN : j->position.first_rate);
    if (t->labels) {
        const report_agreement *by = j->labels.by_order;
        report_column_percent(out, apart ? (by[0].accuracy + by[1].accuracy) / 2
                                         : j->labels.all.accuracy);
        report_column_decimal(out, apart ? (by[0].kappa + by[1].kappa) / 2
                                         : j->labels.all.kappa);
    }
    buf_add_char(out, '\n');
}

void report_table_foot(const report_table *t, eh_buf *out) {
    buf_add_cstr(out,
                 "\nwin: of answer 1, with its 95 % interval; confl: pairs whose "
                 "orders differ;\nfirst: decided replies for the slot shown first");
    buf_add_cstr(out, t->labels ? ";\nacc, kappa: against human labels\n" : "\n");
}

/* The runs of portia once more: what splitting changed. */
static void add_portia_table(eh_buf *out, const report_summary *s, int columns) {
    bool any = false;
    for (size_t i = 0; i < s->n_judges; i++) {
        const report_judge *j = &s->judges[i];
        if (plan_n_stages(&j->plan) == 1) continue;
        if (!any) {
            buf_add_char(out, '\n');
            report_portia_head(columns, out);
        }
        any = true;
        report_name(out, j->name, columns);
        report_portia_row(&j->portia, out);
    }
    if (any)
        buf_add_cstr(out,
                     "\nbefore, after: pairs on which both orders agree; mended: of "
                     "the others;\ncalls: for a pair\n");
}

void report_summary_table(const report_summary *s, eh_buf *out) {
    int longest = (int)strlen(FIRST_HEAD);
    bool labels = false;
    for (size_t i = 0; i < s->n_judges; i++) {
        labels = labels || s->judges[i].labels.all.n_labelled;
        longest = report_longest(longest, s->judges[i].name);
    }
    report_table t = report_table_make(longest, labels, s->columns);
    report_table_head(&t, FIRST_HEAD, out);
    for (size_t i = 0; i < s->n_judges; i++)
        report_table_row(&t, s->judges[i].name, &s->judges[i], out);
    report_table_foot(&t, out);
    add_portia_table(out, s, t.name_columns);
}
