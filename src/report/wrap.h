/* SPDX-License-Identifier: MIT
 *
 * Sentences for a terminal.
 */
#ifndef EH_REPORT_WRAP_H
#define EH_REPORT_WRAP_H

#include "base/buf.h"

/* Breaks a text at its spaces into lines of at most 78 columns (ASCII), each indented
 * and with an LF. Longer words stand alone. */
void report_wrap(eh_str text, int indent, eh_buf *out);

#endif
