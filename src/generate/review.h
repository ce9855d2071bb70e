/* SPDX-License-Identifier: MIT
 *
 * Review files: rows for people to mark, CSV or JSONL.
 */
#ifndef EH_GENERATE_REVIEW_H
#define EH_GENERATE_REVIEW_H

#include "generate/generate.h"

/* One text to look at: its cells in front of the criteria, and what was said. */
enum { GENERATE_CELLS_MAX = 8 };
typedef struct generate_review_row {
    report_cell cells[GENERATE_CELLS_MAX]; /* the first is the id */
    size_t n_cells;
    char text_id[16]; /* what marks bind to */
    generate_marks marks;
} generate_review_row;

/* The identity of texts: "t" and twelve hexadecimal digits. */
void generate_text_id(const eh_str *texts, size_t n, char text_id[16]);

/* Takes the marks of the file at `path`, if it is there, and writes it (again) where
 * rows are missing in it; the file as it was is then kept as PATH.before. DATA errors
 * name line and field. Strings in `arena`. */
EH_MUST_USE eh_status generate_review_sync(const char *path, report_format format,
                                           generate_review_row *rows, size_t n,
                                           bool may_write, eh_arena *arena,
                                           eh_error *err);

/* Counts the row into the funnel; false: it is dropped. */
bool generate_review_keeps(const generate_marks *marks, generate_unreviewed unreviewed,
                           generate_funnel_row *row);

/* Writes a whole file by way of another one, so that it is there as a whole or not. */
EH_MUST_USE eh_status generate_write(const char *path, eh_str text, eh_error *err);

#endif
