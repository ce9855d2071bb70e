/* SPDX-License-Identifier: MIT
 *
 * Private to prompt/: a text as a reader of verdicts sees it, with the way back.
 *
 *   text     F  *  i  n  a  l  ZWSP  Ｖ  e  r ...
 *   folded   f     i  n  a  l        v   e  r ...     NFKC, lower case, undressed
 *   from     0     2  3  4  5        9 ...            the character each byte came from
 */
#ifndef EH_PROMPT_NEUTRAL_FOLD_H
#define EH_PROMPT_NEUTRAL_FOLD_H

#include "base/arena.h"

typedef struct neutral_text {
    const char *byte;     /* [n + 1], UTF-8, ends in NUL */
    const uint32_t *from; /* [n + 1] offsets in the text; the last is its length */
    size_t n;
} neutral_text;

/* Fails only for memory, which comes from `arena`. The text is shorter than 4 GiB. */
bool neutral_fold(eh_str text, eh_arena *arena, neutral_text *f);

/* Is the character at i, or the one that ends before i, a letter or a digit? */
bool neutral_is_alnum(const neutral_text *f, size_t i);
bool neutral_is_alnum_before(const neutral_text *f, size_t i);

#endif
