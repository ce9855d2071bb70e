/* SPDX-License-Identifier: MIT
 *
 * Rows of named cells as JSONL or CSV, for files that other programs read.
 *
 * Both forms come from one list, so that they cannot drift apart. A null is `null` in
 * JSONL and an empty cell in CSV, where an empty text is written as "".
 */
#ifndef EH_REPORT_CELLS_H
#define EH_REPORT_CELLS_H

#include "base/buf.h"

typedef enum report_format { REPORT_FORMAT_JSONL, REPORT_FORMAT_CSV } report_format;

typedef enum report_cell_kind {
    REPORT_CELL_TEXT,
    REPORT_CELL_JSON, /* `text` is JSON: a value in JSONL, text in CSV */
    REPORT_CELL_I64,
    REPORT_CELL_F64,
    REPORT_CELL_BOOL
} report_cell_kind;

typedef struct report_cell {
    const char *name;
    report_cell_kind kind;
    eh_str text; /* absent = null */
    int64_t i64;
    double f64; /* NaN = null */
    bool boolean;
    bool is_null;
    bool if_there; /* JSONL: left out where it is null */
} report_cell;

report_cell report_text_cell(const char *name, eh_str text);
report_cell report_json_cell(const char *name, eh_str json);
report_cell report_i64_cell(const char *name, int64_t value);
report_cell report_f64_cell(const char *name, double value);
report_cell report_bool_cell(const char *name, bool value, bool is_null);

/* The CSV heading; nothing for JSONL. */
void report_cells_head(report_format format, const report_cell *cells, size_t n,
                       eh_buf *out);
/* One line, with its LF. */
void report_cells_row(report_format format, const report_cell *cells, size_t n,
                      eh_buf *out);

/* A text as a CSV cell: in quotes where it needs them, "" where it is empty. */
void report_csv_text(eh_str s, eh_buf *out);

#endif
