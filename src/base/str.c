/* SPDX-License-Identifier: MIT
 *
 * Operations on borrowed strings.
 *
 * Number reading refuses everything but plain decimal text: strtod alone would take
 * hexadecimal, "inf", leading spaces, and a comma under some locales. The grammar is
 * checked first, then strtod converts; the library never calls setlocale, and the
 * command does not either, so the C locale holds.
 *
 * Not here: Unicode (utf8.h) and growing buffers (buf.h).
 */
#include "base/str.h"

#include <errno.h>
#include <stdlib.h>

bool eh_str_eq(eh_str a, eh_str b) {
    return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

bool eh_str_eq_cstr(eh_str a, const char *cstr) {
    return eh_str_eq(a, eh_str_of(cstr));
}

int eh_str_cmp(eh_str a, eh_str b) {
    size_t common = a.len < b.len ? a.len : b.len;
    int order = common ? memcmp(a.ptr, b.ptr, common) : 0;
    if (order != 0) return order;
    return (a.len > b.len) - (a.len < b.len);
}

bool eh_str_begins(eh_str s, eh_str prefix) {
    return s.len >= prefix.len && eh_str_eq(eh_str_slice(s, 0, prefix.len), prefix);
}

bool eh_str_ends(eh_str s, eh_str suffix) {
    return s.len >= suffix.len &&
           eh_str_eq(eh_str_slice(s, s.len - suffix.len, s.len), suffix);
}

size_t eh_str_find(eh_str s, eh_str needle, size_t from) {
    if (from > s.len || needle.len > s.len - from) return SIZE_MAX;
    if (needle.len == 0) return from;
    const char *at = memmem(s.ptr + from, s.len - from, needle.ptr, needle.len);
    return at ? (size_t)(at - s.ptr) : SIZE_MAX;
}

static bool is_space(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

eh_str eh_str_trim(eh_str s) {
    while (s.len && is_space(s.ptr[0])) {
        s.ptr++;
        s.len--;
    }
    while (s.len && is_space(s.ptr[s.len - 1]))
        s.len--;
    return s;
}

bool eh_str_is_blank(eh_str s) {
    return eh_str_trim(s).len == 0;
}

bool eh_str_split(eh_str *rest, char sep, eh_str *part) {
    if (!rest->ptr) return false;
    const char *at = rest->len ? memchr(rest->ptr, sep, rest->len) : NULL;
    if (!at) {
        *part = *rest;
        *rest = (eh_str){NULL, 0};
        return true;
    }
    size_t len = (size_t)(at - rest->ptr);
    *part = (eh_str){rest->ptr, len};
    *rest = (eh_str){at + 1, rest->len - len - 1};
    return true;
}

bool eh_str_to_i64(eh_str s, int64_t *value) {
    size_t i = 0;
    bool negative = false;
    if (i < s.len && (s.ptr[i] == '-' || s.ptr[i] == '+')) negative = s.ptr[i++] == '-';
    if (i == s.len) return false;
    uint64_t limit = negative ? (uint64_t)INT64_MAX + 1 : (uint64_t)INT64_MAX;
    uint64_t sum = 0;
    for (; i < s.len; i++) {
        if (s.ptr[i] < '0' || s.ptr[i] > '9') return false;
        uint64_t digit = (uint64_t)(s.ptr[i] - '0');
        if (sum > (limit - digit) / 10) return false;
        sum = sum * 10 + digit;
    }
    *value = negative ? (int64_t)(0 - sum) : (int64_t)sum;
    return true;
}

static size_t skip_digits(eh_str s, size_t i) {
    while (i < s.len && s.ptr[i] >= '0' && s.ptr[i] <= '9')
        i++;
    return i;
}

static bool is_decimal(eh_str s) {
    size_t i = 0;
    if (i < s.len && (s.ptr[i] == '-' || s.ptr[i] == '+')) i++;
    size_t int_end = skip_digits(s, i);
    size_t n_digits = int_end - i;
    i = int_end;
    if (i < s.len && s.ptr[i] == '.') {
        size_t frac_end = skip_digits(s, i + 1);
        n_digits += frac_end - i - 1;
        i = frac_end;
    }
    if (n_digits == 0) return false;
    if (i < s.len && (s.ptr[i] == 'e' || s.ptr[i] == 'E')) {
        i++;
        if (i < s.len && (s.ptr[i] == '-' || s.ptr[i] == '+')) i++;
        size_t exp_end = skip_digits(s, i);
        if (exp_end == i) return false;
        i = exp_end;
    }
    return i == s.len;
}

/* Digits with at most one point among them, few enough that both the digits as an
 * integer and the power of ten are exact: then their quotient is the nearest double (W.
 * D. Clinger, PLDI 1990). Most numbers in files are of this kind. */
static bool short_decimal(eh_str s, double *value) {
    static const double powers[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    bool negative = s.len && s.ptr[0] == '-';
    int64_t digits = 0;
    size_t n_digits = 0, n_behind = 0;
    bool point = false;
    for (size_t i = negative; i < s.len; i++) {
        char c = s.ptr[i];
        if (c == '.' && !point) {
            point = true;
            continue;
        }
        if (c < '0' || c > '9' || ++n_digits > 15) return false;
        digits = digits * 10 + (c - '0');
        n_behind += point;
    }
    *value = (double)digits / powers[n_behind];
    if (negative) *value = -*value;
    return n_digits > 0;
}

bool eh_str_to_f64(eh_str s, double *value) {
    char text[400]; /* longest finite decimal worth reading; longer ones are refused */
    if (!is_decimal(s) || s.len >= sizeof text) return false;
    if (short_decimal(s, value)) return true;
    memcpy(text, s.ptr, s.len);
    text[s.len] = '\0';
    errno = 0;
    double parsed = strtod(text, NULL);
    if (errno == ERANGE && (parsed > 1 || parsed < -1)) return false; /* overflow */
    *value = parsed;
    return true;
}
