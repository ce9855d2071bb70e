/* SPDX-License-Identifier: MIT
 *
 * Text for people, as it is written and as it is shown.
 *
 * Writers know no widths. They write long lines, one a sentence or a row, with four
 * marks in them, and report_layout makes of that what fits the terminal:
 *
 *   LAYOUT_HEAD    begins a line with the headings of a new table, or with none of them
 *   LAYOUT_CELL    begins a cell of a row, right-aligned; what stands before the first
 *   LAYOUT_LEFT    begins a cell that is left-aligned;            cell names the row
 *                  those of the last column may be sentences, and are broken
 *   LAYOUT_HANG    where the line is broken, it goes on under this place
 *
 * A row belongs to the last headings before it, so lines of prose may stand between the
 * rows of a table. Cells are as wide as the widest of their column. A table that is too
 * wide gives way step by step, and loses nothing:
 *
 *   1  cells at least five columns wide       judge           pairs    win  confl
 *                                             gpt-x+score        80   56.2   14.0
 *   2  cells as narrow as what is in them, and one blank between plain numbers
 *   3  names that are too long have a line    openai:gpt-x-2026-01-01+score
 *      of their own                                              80   56.2   14.0
 *   4  all names have
 *   5  a block a row                          openai:gpt-x-2026-01-01+score
 *                                               pairs  80
 *                                               win    56.2
 *
 * Prose is broken at blanks, never inside "45.8 %" or "39 to 51", and a line does not
 * end with a single word for its rest where that can be helped; it stays within 100
 * columns on wider terminals, too. What has no blank in it (a path, an address) may be
 * longer than the terminal. An indented line that begins with "evenhand " is a command:
 * it is broken by backslashes, to be copied. Control characters and bytes that are no
 * UTF-8 become question marks.
 */
#ifndef EH_REPORT_LAYOUT_H
#define EH_REPORT_LAYOUT_H

#include "base/buf.h"

#define LAYOUT_HANG "\034"
#define LAYOUT_HEAD "\035"
#define LAYOUT_LEFT "\036"
#define LAYOUT_CELL "\037"

enum { LAYOUT_COLUMNS_DEFAULT = 80, LAYOUT_PROSE_COLUMNS = 100 };

/* Lays a text out for a terminal of so many columns (0: 80), the last of which stays
 * free. */
void report_layout(eh_str text, int terminal_columns, eh_buf *out);

/* Columns that a code point or a text takes on a terminal: two for CJK and emoji, none
 * for combining marks. */
int report_cp_columns(uint32_t cp);
int report_columns(eh_str text);

#endif
