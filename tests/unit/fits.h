/* SPDX-License-Identifier: MIT
 *
 * Text for people, laid out: does it fit a terminal?
 */
#ifndef EH_TESTS_FITS_H
#define EH_TESTS_FITS_H

#include "report/layout.h"
#include "unit.h"

/* Laid out for so many columns, no line is longer, and no mark of a writer is left. */
static inline void assert_fits(eh_str text, int columns) {
    eh_buf out;
    eh_str line;
    buf_init(&out, BUF_MAX_REPORT);
    report_layout(text, columns, &out);
    assert_false(out.failed);
    eh_str rest = buf_view(&out);
    while (eh_str_split(&rest, '\n', &line)) {
        if (report_columns(line) > columns)
            fail_msg("%d columns: %.*s", report_columns(line), EH_STR_ARG(line));
        for (size_t i = 0; i < line.len; i++)
            if (line.ptr[i] >= 0 && line.ptr[i] < ' ') fail_msg("a mark is left");
    }
    buf_deinit(&out);
}

#endif
