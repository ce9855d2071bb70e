/* SPDX-License-Identifier: MIT
 *
 * Characters as the sentence rules see them. Private to align.
 */
#ifndef EH_ALIGN_SENTENCE_H
#define EH_ALIGN_SENTENCE_H

#include "base/str.h"

typedef enum char_class {
    CHAR_SIGN, /* none of the others; no sentence begins with one */
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

char_class char_class_of(uint32_t cp);

/* The class of the character at `at`; CHAR_SPACE at the end of the text. */
char_class char_class_at(eh_str s, size_t at);

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
