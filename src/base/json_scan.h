/* SPDX-License-Identifier: MIT
 *
 * Where the plain characters inside a JSON string end: at a quotation mark, a
 * backslash, a control character, or (where that is asked for) a byte that is no ASCII.
 *
 * Sixteen bytes at a time with SSE2, which every x86-64 processor has, eight with plain
 * integers elsewhere. In the second a byte ends the run where the expression for it
 * leaves its upper bit set; a borrow may set further bits above the lowest one, which
 * alone is looked at.
 */
#ifndef EH_BASE_JSON_SCAN_H
#define EH_BASE_JSON_SCAN_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

static inline bool json_ends_plain(unsigned char c, bool ascii_only) {
    return c == '"' || c == '\\' || c < 0x20 || (ascii_only && c >= 0x80);
}

static inline uint64_t json_each_byte(unsigned char c) {
    return UINT64_C(0x0101010101010101) * c;
}

/* For eight bytes: upper bits of those that end the run, right for the lowest. */
static inline uint64_t json_plain_ends_8(uint64_t x, bool ascii_only) {
    uint64_t quote = x ^ json_each_byte('"'), slash = x ^ json_each_byte('\\');
    uint64_t ends = ((quote - json_each_byte(1)) & ~quote) |
                    ((slash - json_each_byte(1)) & ~slash) |
                    ((x - json_each_byte(0x20)) & ~x) | (ascii_only ? x : 0);
    return ends & json_each_byte(0x80);
}

/* The first byte from p on that is not plain, or `end`. */
static inline const char *json_scan_plain(const char *p, const char *end,
                                          bool ascii_only) {
#ifdef __SSE2__
    const __m128i quote = _mm_set1_epi8('"'), slash = _mm_set1_epi8('\\');
    const __m128i space = _mm_set1_epi8(0x20), below_space = _mm_set1_epi8(0x1F);
    for (; end - p >= 16; p += 16) {
        __m128i x = _mm_loadu_si128((const __m128i *)(const void *)p);
        /* as signed bytes, what is no ASCII is below the space as well */
        __m128i low = ascii_only
                          ? _mm_cmplt_epi8(x, space)
                          : _mm_cmpeq_epi8(_mm_max_epu8(x, below_space), below_space);
        __m128i ends = _mm_or_si128(
            low, _mm_or_si128(_mm_cmpeq_epi8(x, quote), _mm_cmpeq_epi8(x, slash)));
        unsigned mask = (unsigned)_mm_movemask_epi8(ends);
        if (mask) return p + __builtin_ctz(mask);
    }
#endif
    for (; end - p >= 8; p += 8) {
        uint64_t x;
        memcpy(&x, p, 8);
        uint64_t ends = json_plain_ends_8(x, ascii_only);
        if (ends) return p + __builtin_ctzll(ends) / 8;
    }
    while (p < end && !json_ends_plain((unsigned char)*p, ascii_only))
        p++;
    return p;
}

#endif
