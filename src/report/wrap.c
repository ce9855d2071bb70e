/* SPDX-License-Identifier: MIT
 *
 * Wrapping of the closing sentences. Bytes are taken for columns: what is wrapped is
 * our own prose with names and numbers in it, and a line that is a little short does no
 * harm.
 */
#include "report/wrap.h"

enum { LINE_COLUMNS = 78 };

void report_wrap(eh_str text, int indent, eh_buf *out) {
    eh_str rest = text, word;
    int column = 0;
    while (eh_str_split(&rest, ' ', &word)) {
        if (column && column + 1 + (int)word.len > LINE_COLUMNS) {
            buf_add_char(out, '\n');
            column = 0;
        }
        if (column == 0)
            buf_printf(out, "%*s", indent, "");
        else
            buf_add_char(out, ' ');
        column += (column ? 1 : indent) + (int)word.len;
        buf_add_str(out, word);
    }
    buf_add_char(out, '\n');
}
