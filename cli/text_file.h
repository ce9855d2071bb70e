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

/* Columns of the terminal behind a file descriptor, within sensible bounds; 80 where it
 * is none. */
int text_terminal_columns(int fd);

/* Appends a text as it may be shown: without blank lines in front and white space at
 * its end, tabs as spaces, and other control characters, which could steer a terminal,
 * as U+FFFD. */
void text_printable(eh_str text, eh_buf *out);

/* Wrapping: lines of at most `columns`, broken at spaces and between ideographs where
 * that is possible, and at line breaks always. What continues a line stands under its
 * beginning, or under the text of a list item. Columns are counted as code points, wide
 * ones as two. */
typedef struct text_wrap {
    eh_str text; /* text_printable */
    int columns;
    size_t at_byte;
    int hanging; /* columns in front of what continues the line */
} text_wrap;

/* The next line and the columns to leave free before it; false at the end. */
bool text_wrap_next(text_wrap *w, eh_str *line, int *indent);

#endif
