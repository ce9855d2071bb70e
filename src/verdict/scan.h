/* SPDX-License-Identifier: MIT
 *
 * Private to verdict/: getting over the plain part of a text quickly. Nearly all bytes
 * of a reply are ASCII letters and spaces that mean nothing to a pass; a pass jumps
 * from one byte of its own to the next with these, and what lies between goes in one
 * piece.
 */
#ifndef EH_VERDICT_SCAN_H
#define EH_VERDICT_SCAN_H

#include "base/str.h"

enum { SCAN_WORD_BYTES = 8 };

/* The bits that only bytes from 0x80 on have, in eight bytes at once. */
#define SCAN_HIGH_BITS UINT64_C(0x8080808080808080)

static inline uint64_t scan_load(const char *p) {
    uint64_t word;
    memcpy(&word, p, sizeof word);
    return word;
}

/* The first byte at or after `i` that is not ASCII, or the end. */
static inline size_t scan_ascii(eh_str s, size_t i) {
    while (s.len - i >= SCAN_WORD_BYTES && !(scan_load(s.ptr + i) & SCAN_HIGH_BITS))
        i += SCAN_WORD_BYTES;
    while (i < s.len && (unsigned char)s.ptr[i] < 0x80)
        i++;
    return i;
}

/* The first byte at or after `i` that `stops` marks, or the end. */
static inline size_t scan_to(eh_str s, size_t i, const bool stops[256]) {
    while (i < s.len && !stops[(unsigned char)s.ptr[i]])
        i++;
    return i;
}

/* The same for one byte. */
static inline size_t scan_to_byte(eh_str s, size_t i, char c) {
    const char *at = i < s.len ? memchr(s.ptr + i, c, s.len - i) : NULL;
    return at ? (size_t)(at - s.ptr) : s.len;
}

/* The first place at or after `i` of any of a few bytes that are rare in prose, or the
 * end. Once a text: a byte that is absent costs the whole rest, so for going from one
 * to the next there is scan_to. */
static inline size_t scan_to_rare(eh_str s, size_t i, const char *bytes) {
    size_t first = s.len;
    for (; *bytes; bytes++)
        first = scan_to_byte(eh_str_slice(s, 0, first), i, *bytes);
    return first;
}

#endif
