/* SPDX-License-Identifier: MIT
 *
 * A growing byte buffer, born with its maximum.
 *
 * Appending is sticky: after the first failure (out of memory or past the maximum)
 * every further append does nothing and `failed` stays set, so that a writer can
 * append freely and check once, with buf_check.
 *
 * Maxima in use stand in one place, at the end of this file.
 */
#ifndef EH_BASE_BUF_H
#define EH_BASE_BUF_H

#include "base/status.h"
#include "base/str.h"

typedef struct eh_buf {
    char *ptr; /* NUL-terminated whenever it is not NULL; the NUL is not counted */
    size_t len;
    size_t cap;
    size_t max_bytes;
    bool failed;  /* sticky */
    bool too_big; /* failed because of max_bytes and not of memory */
} eh_buf;

void buf_init(eh_buf *b, size_t max_bytes);
void buf_deinit(eh_buf *b);

/* Empties it and clears `failed`; memory is kept. */
void buf_reset(eh_buf *b);

void buf_add(eh_buf *b, const void *bytes, size_t len);
void buf_add_str(eh_buf *b, eh_str s);
void buf_add_cstr(eh_buf *b, const char *cstr);
void buf_add_char(eh_buf *b, char c);
void buf_printf(eh_buf *b, const char *fmt, ...) EH_PRINTF(2, 3);

/* Room for `extra` more bytes (plus NUL) without a move; false on failure. */
bool buf_reserve(eh_buf *b, size_t extra);

/* What is in it; valid until the next change. Never absent. */
eh_str buf_view(const eh_buf *b);

/* OK, or NOMEM, or TOO_BIG with a message that names `what` and the maximum. */
eh_status buf_check(const eh_buf *b, const char *what, eh_error *err);

#define BUF_MAX_LINE ((size_t)256 << 20)   /* one row of a data set */
#define BUF_MAX_PROMPT ((size_t)512 << 20) /* one rendered prompt */
#define BUF_MAX_REPLY ((size_t)64 << 20)   /* one reply body */
#define BUF_MAX_REPORT ((size_t)1 << 30)   /* one report or summary */
#define BUF_MAX_SMALL ((size_t)1 << 20)    /* ids, keys, messages */

#endif
