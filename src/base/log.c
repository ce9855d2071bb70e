/* SPDX-License-Identifier: MIT
 *
 * The log sink: one of the two mutable globals that the house style allows (the other
 * is the CPU table). It is written before threads start and only read afterwards.
 */
#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>

static eh_log_sink *log_sink;
static void *log_self;

void log_set_sink(eh_log_sink *sink, void *self) {
    log_sink = sink;
    log_self = self;
}

void log_line(eh_log_level level, const char *fmt, ...) {
    if (!log_sink) return;
    char line[1024];
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(line, sizeof line, fmt, args);
    va_end(args);
    log_sink(log_self, level, line);
}
