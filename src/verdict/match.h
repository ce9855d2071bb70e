/* SPDX-License-Identifier: MIT
 *
 * Private to verdict/: matching words in folded text. A matcher takes a position and
 * moves it behind what it took, or leaves it and says false.
 */
#ifndef EH_VERDICT_MATCH_H
#define EH_VERDICT_MATCH_H

#include "base/str.h"

/* Blanks are spaces and tabs, never a line end. */
size_t match_skip_blanks(eh_str s, size_t i);

/* Bytes as they stand. */
bool match_bytes(eh_str s, size_t *i, const char *bytes);

/* Behind blanks: words with blanks between them, the last one not touched by a further
 * letter or digit. In `words` a space stands for one or more blanks. An apostrophe also
 * matches the typographic one. A word that is not ASCII needs no end: Chinese has no
 * blanks. */
bool match_words(eh_str s, size_t *i, const char *words);

/* The first of a NULL-ended list, in its order, that matches; its index or -1. */
int match_any(eh_str s, size_t *i, const char *const *list);

/* Is there a letter or digit (of any script) at i, or directly before it? */
bool match_is_alnum_at(eh_str s, size_t i);
bool match_is_alnum_before(eh_str s, size_t i);

/* A remark in parentheses behind blanks, in one line and of a bounded length. */
bool match_remark(eh_str s, size_t *i);

#endif
