/* SPDX-License-Identifier: MIT
 *
 * Classes of characters for the sentence rules.
 *
 * Letters, digits and terminators of all scripts come from Unicode's Sentence_Break
 * property, as ICU's own iterator reads it. Where the rules part from it, they do so
 * here: an ellipsis ends a sentence, quotation marks are told from brackets (they may
 * point either way), superscript digits and emphasis marks are attached to the text
 * before them.
 */
#include "align/sentence.h"

#include <unicode/uchar.h>
#include <unicode/uscript.h>

#include "base/utf8.h"

/* What is not listed is a sign (CHAR_SIGN is 0). */
#define AT(sign, class) [sign] = CHAR_##class
#define AT_2(a, b, class) AT(a, class), AT(b, class)
#define AT_3(a, b, c, class) AT_2(a, b, class), AT(c, class)

const uint8_t ascii_char_classes[128] = {
    ['0' ... '9'] = CHAR_DIGIT,
    ['A' ... 'Z'] = CHAR_UPPER,
    ['a' ... 'z'] = CHAR_LOWER,
    ['\t' ... '\r'] = CHAR_SPACE,
    AT(' ', SPACE),
    AT('.', STOP),
    AT_2('!', '?', STRONG),
    AT_3('(', '[', '{', OPEN),
    AT_3(')', ']', '}', CLOSE),
    AT_2('"', '\'', QUOTE),
    AT_3('*', '_', '~', EMPHASIS),
};

static char_class property_class_of(uint32_t cp) {
    switch (u_getIntPropertyValue((UChar32)cp, UCHAR_SENTENCE_BREAK)) {
    case U_SB_ATERM: return CHAR_STOP;
    case U_SB_STERM: return CHAR_STRONG;
    case U_SB_UPPER: return CHAR_UPPER;
    case U_SB_LOWER: return CHAR_LOWER;
    case U_SB_OLETTER: return CHAR_LETTER;
    case U_SB_NUMERIC: return CHAR_DIGIT;
    case U_SB_EXTEND:
    case U_SB_FORMAT: return CHAR_EXTEND;
    default: break;
    }
    if (u_isUWhiteSpace((UChar32)cp)) return CHAR_SPACE;
    switch (u_charType((UChar32)cp)) {
    case U_START_PUNCTUATION: return CHAR_OPEN;
    case U_END_PUNCTUATION: return CHAR_CLOSE;
    default: return CHAR_SIGN;
    }
}

char_class wide_char_class_of(uint32_t cp) {
    switch (cp) {
    case 0x2026: return CHAR_STRONG; /* ellipsis, which ICU takes for a sign */
    case 0x00AB:                     /* « ‘ ’ ‚ “ ” „ ‹ › » */
    case 0x00BB:
    case 0x2018:
    case 0x2019:
    case 0x201A:
    case 0x201C:
    case 0x201D:
    case 0x201E:
    case 0x2039:
    case 0x203A: return CHAR_QUOTE;
    case 0x00A1:
    case 0x00BF: return CHAR_INVERTED;
    case 0x00B9: /* superscript digits are references */
    case 0x00B2:
    case 0x00B3: return CHAR_EXTEND;
    default: break;
    }
    if (cp >= 0x2070 && cp <= 0x2079) return CHAR_EXTEND;
    return property_class_of(cp);
}

uint32_t char_before(eh_str s, size_t at, size_t *begin) {
    do
        at--;
    while (at > 0 && ((unsigned char)s.ptr[at] & 0xC0) == 0x80);
    *begin = at;
    return utf8_next(s, &at);
}

size_t skip_spaces(eh_str s, size_t at) {
    while (at < s.len) {
        size_t next = at;
        if (char_class_of(next_char(s, &next)) != CHAR_SPACE) break;
        at = next;
    }
    return at;
}

bool is_cjk_letter(uint32_t cp) {
    if (cp < 0x1100) return false;
    UErrorCode status = U_ZERO_ERROR;
    switch (uscript_getScript((UChar32)cp, &status)) {
    case USCRIPT_HAN:
    case USCRIPT_HIRAGANA:
    case USCRIPT_KATAKANA:
    case USCRIPT_HANGUL:
    case USCRIPT_BOPOMOFO: return true;
    default: return false;
    }
}

bool is_wide_terminator(uint32_t cp) {
    return cp == 0x3002 || cp == 0xFF01 || cp == 0xFF0E || cp == 0xFF1F || cp == 0xFF61;
}
