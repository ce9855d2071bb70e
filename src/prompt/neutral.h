/* SPDX-License-Identifier: MIT
 *
 * Makes verdict marks and delimiters inside a text harmless: a middle dot goes behind
 * the first character of each, so that "[[A]]" reads "[·[A]]". A judge that quotes the
 * text then quotes no verdict. Nothing else of the text changes.
 */
#ifndef EH_PROMPT_NEUTRAL_H
#define EH_PROMPT_NEUTRAL_H

#include "base/arena.h"
#include "base/buf.h"
#include "verdict/verdict.h"

/* Appends `text` to `out` and returns how many marks were neutralised, or -1 when
 * memory is out. `marks` are the marks of the template at hand, looked for besides
 * those of the built-in forms; NULL for none. Linear in the length of the text. */
int prompt_neutralise(eh_str text, const verdict_marks *marks, eh_arena *scratch,
                      eh_buf *out);

#endif
