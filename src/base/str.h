/* SPDX-License-Identifier: MIT
 *
 * Borrowed strings: a pointer and a length in bytes, never assumed to be terminated.
 * An eh_str owns nothing; who owns the bytes and until when is said where one is
 * handed out. Texts are UTF-8 unless said otherwise; a NUL byte is an ordinary byte.
 */
#ifndef EH_BASE_STR_H
#define EH_BASE_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct eh_str {
    const char *ptr; /* NULL only when len is 0: "absent", as apart from "empty" */
    size_t len;
} eh_str;

/* A string literal as an eh_str. */
#define EH_STR(literal) ((eh_str){("" literal), sizeof(literal) - 1})

/* For printf: "%.*s" takes EH_STR_ARG(s). */
#define EH_STR_ARG(s) ((int)(s).len), ((s).ptr ? (s).ptr : "")

static inline eh_str eh_str_of(const char *cstr) {
    return cstr ? (eh_str){cstr, strlen(cstr)} : (eh_str){NULL, 0};
}

static inline eh_str eh_str_slice(eh_str s, size_t begin, size_t end) {
    return (eh_str){s.ptr + begin, end - begin};
}

static inline bool eh_str_is_absent(eh_str s) {
    return s.ptr == NULL;
}

bool eh_str_eq(eh_str a, eh_str b);
bool eh_str_eq_cstr(eh_str a, const char *cstr);

/* Byte order, shorter first on a common prefix: <0, 0, >0. */
int eh_str_cmp(eh_str a, eh_str b);

bool eh_str_begins(eh_str s, eh_str prefix);
bool eh_str_ends(eh_str s, eh_str suffix);

/* First position of `needle` at or after `from`, or SIZE_MAX. */
size_t eh_str_find(eh_str s, eh_str needle, size_t from);

/* ASCII white space (space, \t \n \v \f \r) off both ends. */
eh_str eh_str_trim(eh_str s);

/* True when nothing is left after trimming. */
bool eh_str_is_blank(eh_str s);

/* Splits off what stands before `sep`; false when `rest` is used up. The last part
 * has no separator behind it. Start with *rest = the whole. */
bool eh_str_split(eh_str *rest, char sep, eh_str *part);

/* Strict decimal numbers that use the whole of `s`; no spaces, no locale. False when
 * the text is no such number or does not fit. */
bool eh_str_to_i64(eh_str s, int64_t *value);
bool eh_str_to_f64(eh_str s, double *value);

#endif
