/* SPDX-License-Identifier: MIT
 *
 * Status codes and the error record of the whole library.
 *
 * Everything that can fail returns an eh_status and takes a last parameter
 * `eh_error *err`, which may be NULL. The record is filled once, where the cause is
 * known (EH_FAIL), and callers put their context in front of it (eh_error_prefix).
 * The list below is the only place where a code, its exit status and its text stand.
 */
#ifndef EH_BASE_STATUS_H
#define EH_BASE_STATUS_H

#include <stddef.h>
#include <stdint.h>

/* X(id, exit status of the command, text) */
#define EH_STATUS_LIST(X)                                                              \
    X(OK, 0, "done")                                                                   \
    X(FAILED_PAIRS, 1, "more failed pairs than allowed")                               \
    X(USAGE, 2, "wrong usage")                                                         \
    X(DATA, 2, "bad input data")                                                       \
    X(CONFIG, 2, "bad configuration")                                                  \
    X(ENDPOINT, 3, "endpoint refused or unreachable")                                  \
    X(GATE, 4, "gate not met")                                                         \
    X(LIMIT, 5, "stopped at a limit")                                                  \
    X(LEDGER, 6, "ledger cannot be used")                                              \
    X(IO, 6, "input or output failed")                                                 \
    X(NOMEM, 6, "out of memory")                                                       \
    X(TOO_BIG, 2, "larger than the allowed maximum")                                   \
    X(INTERRUPTED, 130, "interrupted")

typedef enum eh_status {
#define X(id, exit_status, text) EH_STATUS_##id,
    EH_STATUS_LIST(X)
#undef X
        EH_STATUS_N
} eh_status;

/* One failure. `msg` is one line without a final LF and never holds a key or a whole
 * model text. `pos` is a byte offset in the input that was read, or -1. `file` and
 * `line` name the place in our source that gave up, for bug reports. */
typedef struct eh_error {
    eh_status status;
    char msg[256];
    const char *file;
    int line;
    int64_t pos;
} eh_error;

#if defined(__GNUC__)
#define EH_PRINTF(fmt_index, arg_index)                                                \
    __attribute__((format(printf, fmt_index, arg_index)))
#define EH_MUST_USE __attribute__((warn_unused_result))
#else
#define EH_PRINTF(fmt_index, arg_index)
#define EH_MUST_USE
#endif

/* The short text of a code; never NULL. */
const char *eh_status_text(eh_status status);

/* The exit status the command ends with for this code (docs/formats.md lists them). */
int eh_status_exit(eh_status status);

/* Fills `err` (if not NULL) and returns `status`, so that a caller can write
 * `return EH_FAIL(err, EH_STATUS_DATA, "line %d: ...", n);`. Long messages are cut at
 * a character start. */
eh_status eh_error_set(eh_error *err, const char *file, int line, eh_status status,
                       const char *fmt, ...) EH_PRINTF(5, 6);

/* Puts "context: " in front of a message that is already there. */
void eh_error_prefix(eh_error *err, const char *fmt, ...) EH_PRINTF(2, 3);

#define EH_FAIL(err, status, ...)                                                      \
    eh_error_set((err), __FILE__, __LINE__, (status), __VA_ARGS__)

#define EH_NOMEM(err) EH_FAIL((err), EH_STATUS_NOMEM, "out of memory")

/* Returns from the calling function when `expr` fails; for library code without
 * resources to free. */
#define EH_TRY(expr)                                                                   \
    do {                                                                               \
        eh_status eh_try_status = (expr);                                              \
        if (eh_try_status != EH_STATUS_OK) return eh_try_status;                       \
    } while (0)

#endif
