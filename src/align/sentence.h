/* SPDX-License-Identifier: MIT
 *
 * Characters as the sentence rules see them. Private to align.
 */
#ifndef EH_ALIGN_SENTENCE_H
#define EH_ALIGN_SENTENCE_H

#include "base/utf8.h"

typedef enum char_class {
    CHAR_SIGN = 0, /* none of the others; no sentence begins with one */
    CHAR_SPACE,
    CHAR_STOP,   /* a full stop, which may also be part of an abbreviation */
    CHAR_STRONG, /* any other terminator */
    CHAR_OPEN,   /* brackets */
    CHAR_CLOSE,
    CHAR_QUOTE, /* quotation marks, whichever way they point */
    CHAR_EMPHASIS,
    CHAR_INVERTED, /* the marks that open a Spanish question or exclamation */
    CHAR_UPPER,
    CHAR_LOWER,
    CHAR_LETTER, /* of a script without case */
    CHAR_DIGIT,
    CHAR_EXTEND /* combines with what stands before it */
} char_class;

extern const uint8_t ascii_char_classes[128];
char_class wide_char_class_of(uint32_t cp); /* of a character above ASCII */

static inline char_class char_class_of(uint32_t cp) {
    return cp < 0x80 ? (char_class)ascii_char_classes[cp] : wide_char_class_of(cp);
}

/* utf8_next, quick where it matters. */
static inline uint32_t next_char(eh_str s, size_t *at) {
    unsigned char byte = (unsigned char)s.ptr[*at];
    if (byte >= 0x80) return utf8_next(s, at);
    ++*at;
    return byte;
}

/* The class of the character at `at`; CHAR_SPACE at the end of the text. */
static inline char_class char_class_at(eh_str s, size_t at) {
    return at < s.len ? char_class_of(next_char(s, &at)) : CHAR_SPACE;
}

/* The character before `at` (not 0), and where it begins. */
uint32_t char_before(eh_str s, size_t at, size_t *begin);

size_t skip_spaces(eh_str s, size_t at);

/* A letter of a script that puts no spaces between sentences. */
bool is_cjk_letter(uint32_t cp);

/* A terminator that wants no white space behind it: 。 ！ ． ？ ｡ */
bool is_wide_terminator(uint32_t cp);

/* Is the full stop at `stop` inside a sentence: part of an abbreviation, a title, an
 * initial, an ordinal or a number? `next` is where the text goes on behind it. */
bool stop_is_inner(eh_str s, size_t stop, size_t next, bool is_german);

#endif
