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
    const char *method;         /* NULL: the plan's */
    bool by_people;             /* the ruling is the majority of labels */
    const char *left_to;        /* who decides the pair; NULL: there is no such field */
    const plan_sample *samples; /* [n_samples], for the reasons */
    size_t n_samples;
} report_ruling_row;

/* The CSV heading, with left_to or without; nothing for JSONL. */
void report_rulings_head(report_format format, bool left_to, eh_buf *out);
void report_rulings_row(report_format format, const report_ruling_row *row,
                        eh_buf *out);

#endif
