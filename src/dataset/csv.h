/* SPDX-License-Identifier: MIT
 *
 * CSV (RFC 4180, and what Excel makes of it) as rows: each record becomes an object of
 * strings under the names of the header.
 */
#ifndef EH_DATASET_CSV_H
#define EH_DATASET_CSV_H

#include "dataset/fields.h"
#include "dataset/lines.h"

typedef struct csv_reader {
    line_reader *lines;
    const field_table *table; /* names that tell the delimiter */
    fault_log *log;
    char delimiter;  /* 0 until the header is read */
    eh_buf record;   /* one record's bytes; unquoted in place */
    eh_buf ends;     /* size_t [n_cells]: where each cell ends in `record` */
    eh_arena names;  /* of the columns */
    eh_str *columns; /* [n_columns] */
    size_t n_columns;
    int64_t header_line;
    bool header_is_bad; /* then records are checked, but give no rows */
    bool gave_row;
} csv_reader;

/* Borrows all three. */
void csv_init(csv_reader *csv, line_reader *lines, const field_table *table,
              fault_log *log, size_t max_record_bytes);
void csv_deinit(csv_reader *csv);

/* Whether a first line looks like a header: under one of the delimiters it has a name
 * that the table knows, or it is Excel's "sep=;". */
EH_MUST_USE eh_status csv_is_header(csv_reader *csv, eh_str line, bool *is_header,
                                    eh_error *err);

/* The next row, in `arena`, which is emptied before. `cells` becomes out->cells. Faults
 * of records are reported here. *more is false behind the last row. */
EH_MUST_USE eh_status csv_next(csv_reader *csv, json_reader *cells, eh_arena *arena,
                               dataset_row *out, bool *more, eh_error *err);

#endif
