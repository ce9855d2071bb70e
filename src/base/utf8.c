/* SPDX-License-Identifier: MIT
 *
 * UTF-8: validation that names the place, decoding, encoding, cutting.
 *
 * simdjson validates whole rows faster but does not say where it failed. Here ASCII is
 * passed over eight bytes at a time, since every prompt that is sent goes through it.
 */
#include "base/utf8.h"

/* Length of the valid sequence that starts at s[i], or 0. */
static size_t sequence_len(eh_str s, size_t i) {
    const unsigned char *p = (const unsigned char *)s.ptr + i;
    size_t left = s.len - i;
    if (p[0] < 0x80) return 1;
    if (p[0] < 0xC2 || p[0] > 0xF4) return 0;
    size_t len = p[0] < 0xE0 ? 2 : p[0] < 0xF0 ? 3 : 4;
    if (left < len) return 0;
    for (size_t k = 1; k < len; k++)
        if ((p[k] & 0xC0) != 0x80) return 0;
    if (p[0] == 0xE0 && p[1] < 0xA0) return 0; /* overlong */
    if (p[0] == 0xED && p[1] > 0x9F) return 0; /* surrogate */
    if (p[0] == 0xF0 && p[1] < 0x90) return 0; /* overlong */
    if (p[0] == 0xF4 && p[1] > 0x8F) return 0; /* above U+10FFFF */
    return len;
}

/* Behind the ASCII at i, as far as whole words of it reach. */
static size_t skip_ascii(eh_str s, size_t i) {
    uint64_t word;
    for (; s.len - i >= sizeof word; i += sizeof word) {
        memcpy(&word, s.ptr + i, sizeof word);
        if (word & UINT64_C(0x8080808080808080)) break;
    }
    return i;
}

size_t utf8_ascii_prefix(eh_str s) {
    return skip_ascii(s, 0);
}

size_t utf8_first_invalid(eh_str s) {
    size_t i = 0;
    while ((i = skip_ascii(s, i)) < s.len) {
        size_t len = sequence_len(s, i);
        if (len == 0) return i;
        i += len;
    }
    return SIZE_MAX;
}

size_t utf8_count_cp(eh_str s) {
    size_t n_cp = 0;
    for (size_t i = 0; i < s.len; i++)
        n_cp += ((unsigned char)s.ptr[i] & 0xC0) != 0x80;
    return n_cp;
}

uint32_t utf8_next_wide(eh_str s, size_t *at_byte) {
    const unsigned char *p = (const unsigned char *)s.ptr + *at_byte;
    size_t len = p[0] < 0xE0 ? 2 : p[0] < 0xF0 ? 3 : 4;
    uint32_t cp = p[0] & (0xFFu >> (len + 1));
    for (size_t k = 1; k < len; k++)
        cp = cp << 6 | (p[k] & 0x3Fu);
    *at_byte += len;
    return cp;
}

size_t utf8_put(char bytes[UTF8_MAX_BYTES], uint32_t cp) {
    size_t len;
    if (cp < 0x80) {
        bytes[0] = (char)cp;
        len = 1;
    } else if (cp < 0x800) {
        bytes[0] = (char)(0xC0 | cp >> 6);
        bytes[1] = (char)(0x80 | (cp & 0x3F));
        len = 2;
    } else if (cp < 0x10000) {
        bytes[0] = (char)(0xE0 | cp >> 12);
        bytes[1] = (char)(0x80 | (cp >> 6 & 0x3F));
        bytes[2] = (char)(0x80 | (cp & 0x3F));
        len = 3;
    } else {
        bytes[0] = (char)(0xF0 | cp >> 18);
        bytes[1] = (char)(0x80 | (cp >> 12 & 0x3F));
        bytes[2] = (char)(0x80 | (cp >> 6 & 0x3F));
        bytes[3] = (char)(0x80 | (cp & 0x3F));
        len = 4;
    }
    return len;
}

void utf8_add(eh_buf *b, uint32_t cp) {
    char bytes[UTF8_MAX_BYTES];
    buf_add(b, bytes, utf8_put(bytes, cp));
}

eh_str utf8_cut(eh_str s, size_t max_bytes) {
    if (s.len <= max_bytes) return s;
    size_t end = max_bytes;
    while (end > 0 && ((unsigned char)s.ptr[end] & 0xC0) == 0x80)
        end--;
    return (eh_str){s.ptr, end};
}
