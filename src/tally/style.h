/* SPDX-License-Identifier: MIT
 *
 * How much Markdown an answer uses.
 */
#ifndef EH_TALLY_STYLE_H
#define EH_TALLY_STYLE_H

#include "base/str.h"

typedef struct tally_style {
    int64_t n_headings, n_list_items, n_bold;
} tally_style;

/* Counts outside fenced code, line by line. */
tally_style tally_style_of(eh_str text);

#endif
