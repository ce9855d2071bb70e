/* SPDX-License-Identifier: MIT
 *
 * Private to verdict/: names of a verdict at a place in a folded text (rules 8, 9).
 */
#ifndef EH_VERDICT_ALIAS_H
#define EH_VERDICT_ALIAS_H

#include "verdict/read.h"

/* The longest alias at `*at_byte`, blanks before it skipped; moves behind it. NONE
 * where none stands. What may follow is the caller's rule. */
verdict_choice verdict_match_alias(eh_str folded, size_t *at_byte);

/* Only a, a>b, tie and the like, spaces ignored: what [X] and \boxed{X} may hold where
 * a line has nothing else. */
verdict_choice verdict_letter_choice(eh_str inside);

#endif
