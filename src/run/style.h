/* SPDX-License-Identifier: MIT
 *
 * How much Markdown an answer uses.
 */
#ifndef EH_RUN_STYLE_H
#define EH_RUN_STYLE_H

#include "base/str.h"

typedef struct run_style {
    int64_t n_headings, n_list_items, n_bold;
} run_style;

/* Counts outside fenced code, line by line. */
run_style run_style_of(eh_str text);

#endif
