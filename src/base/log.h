/* SPDX-License-Identifier: MIT
 *
 * Warnings of the library. It prints nothing by itself: a message goes to the sink
 * that the program set, or nowhere. Results and errors never come this way.
 */
#ifndef EH_BASE_LOG_H
#define EH_BASE_LOG_H

#include "base/status.h"

typedef enum eh_log_level { EH_LOG_INFO, EH_LOG_WARNING } eh_log_level;

typedef void eh_log_sink(void *self, eh_log_level level, const char *line);

/* Set once, before threads start. A NULL sink drops everything. */
void log_set_sink(eh_log_sink *sink, void *self);

/* One line without LF; the sink may be called from any thread. */
void log_line(eh_log_level level, const char *fmt, ...) EH_PRINTF(2, 3);

#endif
