/* SPDX-License-Identifier: MIT
 *
 * What the writers of this module share: members of JSON objects, and the lines and
 * table cells of text for a terminal.
 */
#ifndef EH_REPORT_WRITE_H
#define EH_REPORT_WRITE_H

#include "base/buf.h"
#include "base/json_write.h"
#include "report/layout.h"

/* ---- JSON ---- */

void report_put_why(json_writer *w, const char *why); /* nothing for NULL */

/* Nano-dollars as dollars; NaN for -1, which is unknown. */
double report_usd(int64_t nusd);

/* ---- text, for report_layout ---- */

enum { REPORT_LABEL_COLUMNS = 16, REPORT_PERCENT_MAX = 32 };

/* The two blanks and the name that a line of a block begins with; "" goes on. What
 * follows is broken under its own beginning. */
void report_label(eh_buf *out, const char *name);

/* "45.8 %", or "-" for what is undefined; returns `text`. */
const char *report_percent(double share, char text[REPORT_PERCENT_MAX]);

/* "p = .0215", "p = 1" or "p < .0001"; of another name, such as q, the same. */
void report_p_value(eh_buf *out, double p);
void report_p_named(eh_buf *out, const char *name, double p);

/* Cells of a row, right-aligned; "-" where undefined. */
void report_cell_percent(eh_buf *out, double share); /* "45.8" */
void report_cell_decimal(eh_buf *out, double value); /* "0.458" */
void report_cell_count(eh_buf *out, int64_t value);  /* "80" */
void report_cell_p(eh_buf *out, double p);           /* ".0215", "< .0001" */

/* The headings of a table, with an LF: what its names are called, and [n] cells. */
void report_head(eh_buf *out, const char *names, const char *const *cells, size_t n);

/* A name from outside, without what would steer a terminal; at most `max_bytes`. */
void report_foreign(eh_buf *out, eh_str name, size_t max_bytes);

/* A name from outside as the name of a row. */
void report_name(eh_buf *out, eh_str name);

#endif
