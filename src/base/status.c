/* SPDX-License-Identifier: MIT
 *
 * The error record: formatting, cutting and prefixing of one-line messages.
 *
 * A message has a fixed size, since an error must be reportable when memory is gone.
 * Texts from data sets and endpoints are quoted into messages, so two things are
 * guarded here for all callers: control characters become spaces (an error stays one
 * line and cannot drive a terminal), and the cut never falls inside a UTF-8 sequence.
 *
 * Not here: logging and printing. The library never prints.
 */
#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *text;
    int exit_status;
} status_table[] = {
#define X(id, exit_status, text) {text, exit_status},
    EH_STATUS_LIST(X)
#undef X
};

const char *eh_status_text(eh_status status) {
    if ((unsigned)status >= EH_STATUS_N) return "unknown status";
    return status_table[status].text;
}

int eh_status_exit(eh_status status) {
    if ((unsigned)status >= EH_STATUS_N) return 2;
    return status_table[status].exit_status;
}

/* Ends `msg` at a character start and blanks what could break a terminal line. */
static void msg_tidy(char *msg, size_t cap) {
    size_t len = strlen(msg);
    if (len + 1 >= cap) { /* probably cut: drop a trailing partial sequence */
        size_t i = len;
        while (i > 0 && ((unsigned char)msg[i - 1] & 0xC0) == 0x80)
            i--;
        if (i > 0 && (unsigned char)msg[i - 1] >= 0xC0) {
            unsigned char lead = (unsigned char)msg[i - 1];
            size_t need = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
            if (len - (i - 1) < need) msg[i - 1] = '\0';
        }
    }
    for (char *p = msg; *p; p++)
        if ((unsigned char)*p < 0x20 || *p == 0x7F) *p = ' ';
}

eh_status eh_error_set(eh_error *err, const char *file, int line, eh_status status,
                       const char *fmt, ...) {
    if (!err) return status;
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(err->msg, sizeof err->msg, fmt, args);
    va_end(args);
    msg_tidy(err->msg, sizeof err->msg);
    err->status = status;
    err->file = file;
    err->line = line;
    err->pos = -1;
    return status;
}

void eh_error_prefix(eh_error *err, const char *fmt, ...) {
    if (!err) return;
    char context[sizeof err->msg];
    char old[sizeof err->msg];
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(context, sizeof context, fmt, args);
    va_end(args);
    memcpy(old, err->msg, sizeof old);
    size_t used = strlen(context);
    if (used > sizeof err->msg - 3) used = sizeof err->msg - 3;
    memcpy(err->msg, context, used);
    memcpy(err->msg + used, ": ", 3);
    used += 2;
    size_t rest = strnlen(old, sizeof old - 1);
    if (rest > sizeof err->msg - 1 - used) rest = sizeof err->msg - 1 - used;
    memcpy(err->msg + used, old, rest);
    err->msg[used + rest] = '\0';
    msg_tidy(err->msg, sizeof err->msg);
}
