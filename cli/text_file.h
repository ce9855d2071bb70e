/* SPDX-License-Identifier: MIT
 *
 * Whole text files for commands that look at single texts, and showing texts in
 * columns.
 */
#ifndef EH_CLI_TEXT_FILE_H
#define EH_CLI_TEXT_FILE_H

#include "base/buf.h"

/* Reads a file ("-": standard input) as it is; it must be UTF-8. Errors name it. */
EH_MUST_USE eh_status text_file_read(const char *path, eh_buf *text, eh_error *err);

/* Appends `text` with its line breaks, further lines indented by `indent` columns. */
void text_indented(eh_str text, int indent, eh_buf *out);

/* One line of `text` wrapped to at most `columns`, from *at_byte on; false when nothing
 * is left. Breaks at spaces where it can, and at line breaks always. Columns are
 * counted as code points, wide ones as two. */
bool text_wrap_next(eh_str text, size_t *at_byte, int columns, eh_str *line);

/* Columns that a line takes on a terminal. */
int text_columns(eh_str line);

#endif
