/* SPDX-License-Identifier: MIT
 *
 * Rows of an input, JSONL or CSV, one at a time; what is no row is reported here.
 */
#ifndef EH_DATASET_ROWS_H
#define EH_DATASET_ROWS_H

#include "dataset/fields.h"
#include "dataset/lines.h"

typedef struct rows_options {
    const char *path; /* "-" is standard input */
    source *src;      /* what was opened under that name already, or NULL */
    dataset_format format;
    const field_table *table;
    /* A last line without LF that is no JSON is what a crash leaves: a warning. */
    bool tail_may_be_cut;
    size_t max_line_bytes; /* 0: BUF_MAX_LINE */
    /* NULL, or looks at a line of JSONL before anybody else does. When it takes the row
     * (*taken), that was all; else the line is read as ever. */
    eh_status (*take_line)(void *self, const text_line *line, eh_arena *arena,
                           bool *taken, eh_error *err);
} rows_options;

/* Takes one row; a failure ends the reading. `arena` is emptied before the next row. */
typedef eh_status row_taker(void *self, dataset_row *from, eh_arena *arena,
                            eh_error *err);

/* Hands every row to `take`. log->file is set to the path. `digest` may be NULL, which
 * saves hashing the file. */
EH_MUST_USE eh_status rows_each(const rows_options *options, fault_log *log,
                                row_taker *take, void *self, uint8_t digest[32],
                                eh_error *err);

#endif
