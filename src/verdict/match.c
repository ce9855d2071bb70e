/* SPDX-License-Identifier: MIT
 *
 * Matching words in folded text: the alphabet that the tables of refusal, alias, score
 * and statement are written in.
 *
 * All matchers look ahead a bounded number of bytes besides runs of blanks, so trying
 * them at every word of a text stays linear. That is why a remark in parentheses has a
 * greatest length: a line of a million opening ones would otherwise cost its square.
 *
 * Left out: alternatives, optional parts and repetition; those are if and while in the
 * modules, where a reader can follow them.
 */
#include "verdict/match.h"

#include "base/utf8.h"

#include <unicode/uchar.h>

size_t match_skip_blanks(eh_str s, size_t i) {
    while (i < s.len && (s.ptr[i] == ' ' || s.ptr[i] == '\t'))
        i++;
    return i;
}

bool match_bytes(eh_str s, size_t *i, const char *bytes) {
    if (*i >= s.len || s.ptr[*i] != bytes[0]) return false;
    if (!eh_str_begins(eh_str_slice(s, *i, s.len), eh_str_of(bytes))) return false;
    *i += strlen(bytes);
    return true;
}

bool match_is_alnum_at(eh_str s, size_t i) {
    return i < s.len && u_isalnum((UChar32)utf8_next(s, &i));
}

bool match_is_alnum_before(eh_str s, size_t i) {
    if (i == 0) return false;
    do {
        i--;
    } while (i > 0 && ((unsigned char)s.ptr[i] & 0xC0) == 0x80);
    return match_is_alnum_at(s, i);
}

bool match_words(eh_str s, size_t *i, const char *words) {
    size_t at = match_skip_blanks(s, *i);
    const char *w = words;
    for (; *w; w++) {
        size_t behind_blanks = match_skip_blanks(s, at);
        if (*w == ' ') {
            if (behind_blanks == at) return false;
            at = behind_blanks;
        } else if (*w == '\'' && match_bytes(s, &at, "’")) {
            continue;
        } else {
            if (at >= s.len || s.ptr[at] != *w) return false;
            at++;
        }
    }
    bool is_ascii = w > words && (unsigned char)w[-1] < 0x80;
    if (is_ascii && match_is_alnum_at(s, at)) return false;
    *i = at;
    return true;
}

int match_any(eh_str s, size_t *i, const char *const *list) {
    /* Most lists fail at every first letter. */
    size_t at = match_skip_blanks(s, *i);
    for (int k = 0; at < s.len && list[k]; k++) {
        if (list[k][0] == s.ptr[at] && match_words(s, i, list[k])) return k;
    }
    return -1;
}

bool match_remark(eh_str s, size_t *i) {
    enum { MAX_REMARK_BYTES = 200 };
    size_t at = match_skip_blanks(s, *i);
    if (at >= s.len || s.ptr[at] != '(') return false;
    size_t end = s.len - at > MAX_REMARK_BYTES ? at + MAX_REMARK_BYTES : s.len;
    for (at++; at < end && s.ptr[at] != '\n' && s.ptr[at] != '('; at++) {
        if (s.ptr[at] != ')') continue;
        *i = at + 1;
        return true;
    }
    return false;
}
