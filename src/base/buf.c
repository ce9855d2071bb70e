/* SPDX-License-Identifier: MIT
 *
 * The growing buffer: doubling, sticky failure, a hard maximum.
 *
 * Left out on purpose: insertion and deletion in the middle. Whoever needs to edit a
 * text builds a second one.
 */
#include "base/buf.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/mem.h"

void buf_init(eh_buf *b, size_t max_bytes) {
    *b = (eh_buf){.max_bytes = max_bytes};
}

void buf_deinit(eh_buf *b) {
    mem_free(b->ptr);
    *b = (eh_buf){.max_bytes = b->max_bytes};
}

void buf_reset(eh_buf *b) {
    b->len = 0;
    b->failed = b->too_big = false;
    if (b->ptr) b->ptr[0] = '\0';
}

bool buf_reserve(eh_buf *b, size_t extra) {
    if (b->failed) return false;
    if (extra > b->max_bytes - b->len) {
        b->failed = b->too_big = true;
        return false;
    }
    size_t need = b->len + extra + 1;
    if (need <= b->cap) return true;
    size_t cap = b->cap ? b->cap : 64;
    while (cap < need)
        cap = cap > SIZE_MAX / 2 ? need : cap * 2;
    char *ptr = mem_realloc(b->ptr, cap, 1);
    if (!ptr) {
        b->failed = true;
        return false;
    }
    b->ptr = ptr;
    b->cap = cap;
    b->ptr[b->len] = '\0';
    return true;
}

void buf_add(eh_buf *b, const void *bytes, size_t len) {
    if (!buf_reserve(b, len)) return;
    if (len) memcpy(b->ptr + b->len, bytes, len);
    b->len += len;
    b->ptr[b->len] = '\0';
}

void buf_add_str(eh_buf *b, eh_str s) {
    buf_add(b, s.ptr, s.len);
}

void buf_add_cstr(eh_buf *b, const char *cstr) {
    buf_add(b, cstr, strlen(cstr));
}

void buf_add_char(eh_buf *b, char c) {
    buf_add(b, &c, 1);
}

void buf_printf(eh_buf *b, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    int len = vsnprintf(NULL, 0, fmt, args);
    va_end(args);
    if (len < 0) {
        b->failed = true;
        return;
    }
    if (!buf_reserve(b, (size_t)len)) return;
    va_start(args, fmt);
    (void)vsnprintf(b->ptr + b->len, (size_t)len + 1, fmt, args);
    va_end(args);
    b->len += (size_t)len;
}

eh_str buf_view(const eh_buf *b) {
    return (eh_str){b->ptr ? b->ptr : "", b->len};
}

eh_status buf_check(const eh_buf *b, const char *what, eh_error *err) {
    if (!b->failed) return EH_STATUS_OK;
    if (b->too_big)
        return EH_FAIL(err, EH_STATUS_TOO_BIG, "%s is larger than %zu bytes", what,
                       b->max_bytes);
    return EH_NOMEM(err);
}
