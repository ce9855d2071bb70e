/* SPDX-License-Identifier: MIT
 *
 * Lines of an input, in the memory of the longest one.
 *
 * Only LF ends a line; one CR before it is dropped. A byte order mark is dropped where
 * it opens the input, nowhere else. A last line without LF counts.
 */
#ifndef EH_DATASET_LINES_H
#define EH_DATASET_LINES_H

#include "base/buf.h"
#include "dataset/source.h"

typedef struct text_line {
    eh_str text;    /* without its end; valid until the next call */
    int64_t number; /* from 1 */
    eh_str end;     /* "\r\n", "\n", or "" for a last line without LF */
    bool too_long;  /* past the maximum: `text` is empty, the rest was skipped */
} text_line;

typedef struct line_reader {
    source *src;
    eh_str piece; /* what is left of the source's last piece */
    eh_buf part;  /* a line that spans pieces */
    int64_t n_lines;
    bool at_eof;
    bool is_peeked; /* `peeked` comes again */
    text_line peeked;
} line_reader;

/* Borrows `src`. */
void lines_init(line_reader *r, source *src, size_t max_line_bytes);
void lines_deinit(line_reader *r);

/* *more is false behind the last line; then `line` is not filled. */
EH_MUST_USE eh_status lines_next(line_reader *r, text_line *line, bool *more,
                                 eh_error *err);

/* The next line that is not blank, without taking it; blank ones before it are gone. */
EH_MUST_USE eh_status lines_peek(line_reader *r, text_line *line, bool *more,
                                 eh_error *err);

#endif
