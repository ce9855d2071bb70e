/* SPDX-License-Identifier: MIT
 *
 * What the writers of this module share: members of JSON objects, and the lines and
 * table cells of text for a terminal.
 */
#ifndef EH_REPORT_WRITE_H
#define EH_REPORT_WRITE_H

#include "base/buf.h"
#include "base/json_write.h"

/* ---- JSON ---- */

void report_put_why(json_writer *w, const char *why); /* nothing for NULL */

/* Nano-dollars as dollars; NaN for -1, which is unknown. */
double report_usd(int64_t nusd);

/* ---- text ---- */

enum { REPORT_LABEL_COLUMNS = 16, REPORT_PERCENT_MAX = 32 };

/* The two blanks and the name that a line of a block begins with; "" goes on. */
void report_label(eh_buf *out, const char *name);

/* "45.8 %", or "-" for what is undefined; returns `text`. */
const char *report_percent(double share, char text[REPORT_PERCENT_MAX]);

/* "p = .0215", "p = 1" or "p < .0001". */
void report_p_value(eh_buf *out, double p);

/* Cells of seven columns, right-aligned; "-" where undefined. */
void report_column_percent(eh_buf *out, double share);     /* "   45.8" */
void report_column_decimal(eh_buf *out, double value);     /* "  0.458" */
void report_column_count(eh_buf *out, int64_t value);      /* "     80" */
void report_column_text(eh_buf *out, const char *heading); /* of a heading */

/* A name from outside, without what would steer a terminal; at most `max_bytes`. */
void report_foreign(eh_buf *out, eh_str name, size_t max_bytes);

/* A name in `columns` columns, left-aligned (columns are code points); one that is too
 * long has a line of its own, and `columns` blanks after it. */
void report_name(eh_buf *out, eh_str name, int columns);

/* Columns for the names of a table: what the longest of them takes (from
 * report_longest, 0 at first), if the cells leave so much of the terminal's columns;
 * little room becomes 2, so that names stand on lines of their own. */
int report_name_columns(int longest, int cell_columns, int terminal_columns);
int report_longest(int so_far, eh_str name);

enum { REPORT_COLUMN_WIDTH = 7, REPORT_COLUMNS_DEFAULT = 80 };

/* Breaks what is longer than the terminal's columns (0: 80) at blanks; what goes on
 * stands under the text behind a label, or at the beginning. Writers therefore write
 * long lines and leave the breaking to it. */
void report_fold(eh_str text, int terminal_columns, eh_buf *out);

#endif
