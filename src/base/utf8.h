/* SPDX-License-Identifier: MIT
 *
 * UTF-8 by hand: validation with a place, counting, cutting. What needs tables
 * (folding, sentences, words) is ICU's work in the modules that use it.
 */
#ifndef EH_BASE_UTF8_H
#define EH_BASE_UTF8_H

#include "base/buf.h"

/* Offset of the first byte that begins no valid sequence (overlong forms, surrogates
 * and values above U+10FFFF are invalid), or SIZE_MAX when all of `s` is valid. */
size_t utf8_first_invalid(eh_str s);

/* Bytes of ASCII in front, or some fewer: whole groups of eight. */
size_t utf8_ascii_prefix(eh_str s);

/* Code points in a valid text. */
size_t utf8_count_cp(eh_str s);

/* The same as utf8_next, of a code point of several bytes. */
uint32_t utf8_next_wide(eh_str s, size_t *at_byte);

/* The code point at `*at_byte` of a valid text; moves the offset behind it. */
static inline uint32_t utf8_next(eh_str s, size_t *at_byte) {
    unsigned char c = (unsigned char)s.ptr[*at_byte];
    if (c >= 0x80) return utf8_next_wide(s, at_byte);
    *at_byte += 1;
    return c;
}

static inline bool utf8_is_ascii_alnum(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z');
}

enum { UTF8_MAX_BYTES = 4 };

/* Writes one code point (a scalar value); returns its length in bytes. */
size_t utf8_put(char bytes[UTF8_MAX_BYTES], uint32_t cp);

/* Appends one code point. */
void utf8_add(eh_buf *b, uint32_t cp);

/* The longest prefix of at most `max_bytes` that ends at a character start. */
eh_str utf8_cut(eh_str s, size_t max_bytes);

#endif
