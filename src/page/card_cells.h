/* SPDX-License-Identifier: MIT
 *
 * What the card's page is told to draw without knowing what it means: tables, and lines
 * with a dot on an axis from 0 to 100. Cells and captions are text, written in C, since
 * all numbers come from there.
 *
 *   {"title": ..., "note": ..., "head": ["Probe", ...], "rows": [["references", ...]]}
 *   {"title": ..., "axis": ..., "rule": .5, "note": ..., "lines": [{"name": ...}, ...]}
 */
#ifndef EH_PAGE_CARD_CELLS_H
#define EH_PAGE_CARD_CELLS_H

#include "page/card.h"

/* Rows are arrays, written between these; `head` ends with NULL. */
void page_table_begin(json_writer *w, const char *title, const char *note,
                      const char *const *head);
void page_table_end(json_writer *w);

EH_PRINTF(2, 3)
void page_cell(json_writer *w, const char *format, ...);
void page_cell_share(json_writer *w, const stats_interval *r); /* "58.1 (41.2 to 73)" */
void page_cell_p(json_writer *w, double p);

typedef struct page_line {
    eh_str name;
    const audit_state *state; /* NULL: it has none */
    stats_interval rate;      /* value NaN: no dot */
    double tick, coin;        /* further marks; NaN: none */
    eh_str words, more; /* the number as people say it, and a second line in small */
} page_line;

/* Lines are written between these. `axis` says what the axis counts; rule: where a line
 * stands for "no lean", NaN: none. */
void page_lines_begin(json_writer *w, eh_str title, const char *axis, double rule);
void page_line_put(json_writer *w, const page_line *l);
void page_lines_end(json_writer *w, eh_str note); /* note: empty for none */

#endif
