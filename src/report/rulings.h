/* SPDX-License-Identifier: MIT
 *
 * Rulings as lines: one a pair (or one a pair and order, for one-order methods that
 * were asked both ways), JSONL or CSV.
 */
#ifndef EH_REPORT_RULINGS_H
#define EH_REPORT_RULINGS_H

#include "plan/ruling.h"
#include "report/cells.h"

typedef struct report_ruling_row {
    eh_str pair_id;
    eh_str judge; /* the summary's name of it */
    const plan_spec *plan;
    const plan_ruling *ruling;
    const char *method;             /* NULL: the plan's */
    bool by_people;                 /* the ruling is the majority of labels */
    int64_t cost_nusd;              /* of the calls behind it; -1: unknown */
    int64_t order_nusd[EH_ORDER_N]; /* the same by order, of rulings that stand apart */
    const char *left_to;        /* who decides the pair; NULL: there is no such field */
    const plan_sample *samples; /* [n_samples], for the reasons */
    size_t n_samples;
} report_ruling_row;

/* Does each order have a ruling, and a line, of its own? */
bool report_rulings_apart(const plan_spec *plan);

/* The CSV heading, with left_to or without; nothing for JSONL. */
void report_rulings_head(report_format format, bool left_to, eh_buf *out);
void report_rulings_row(report_format format, const report_ruling_row *row,
                        eh_buf *out);

#endif
