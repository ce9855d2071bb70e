/* SPDX-License-Identifier: MIT
 *
 * Rulings as lines: one a pair (or one a pair and order, for one-order methods that
 * were asked both ways), JSONL or CSV.
 */
#ifndef EH_REPORT_RULINGS_H
#define EH_REPORT_RULINGS_H

#include "base/buf.h"
#include "plan/ruling.h"

typedef enum report_format { REPORT_FORMAT_JSONL, REPORT_FORMAT_CSV } report_format;

typedef struct report_ruling_row {
    eh_str pair_id;
    eh_str judge; /* the summary's name of it */
    const plan_spec *plan;
    const plan_ruling *ruling;
    const char *method;         /* NULL: the plan's */
    bool by_people;             /* the ruling is the majority of labels */
    const plan_sample *samples; /* [n_samples], for the reasons */
    size_t n_samples;
} report_ruling_row;

/* One CSV cell, in quotes where RFC 4180 asks for them. */
void report_csv_text(eh_str s, eh_buf *out);

/* The CSV heading; nothing for JSONL. */
void report_rulings_head(report_format format, eh_buf *out);
void report_rulings_row(report_format format, const report_ruling_row *row,
                        eh_buf *out);

#endif
