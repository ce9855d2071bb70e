/* SPDX-License-Identifier: MIT
 *
 * Private to alter/: two texts compared word by word, and the checks of the kinds that
 * have files of their own.
 */
#ifndef EH_ALTER_PARTS_H
#define EH_ALTER_PARTS_H

#include "alter/diff.h"
#include "alter/kind.h"

/* Stands in a text where something was taken out. */
enum { ALTER_STRIPPED = 0x1A };

typedef struct alter_held {
    eh_str a, b;                   /* original and new text, perhaps without parts */
    alter_tokens words_a, words_b; /* words alone */
    alter_diff diff;               /* of the words, whatever their case */
} alter_held;

/* Fills the rest by a and b. */
EH_MUST_USE eh_status alter_hold(alter_held *h, eh_arena *arena, eh_error *err);

/* The words of a text alone. */
EH_MUST_USE eh_status alter_words_read(eh_str text, eh_arena *arena,
                                       alter_tokens *words, eh_error *err);

EH_MUST_USE eh_status alter_check_references(eh_str original, eh_str text,
                                             eh_arena *arena, audit_reject *why,
                                             eh_error *err);
EH_MUST_USE eh_status alter_check_rich(eh_str original, eh_str text, eh_arena *arena,
                                       audit_reject *why, eh_error *err);

size_t alter_count_blanks(eh_str s);

/* Lines that are not blank. */
int alter_count_lines(eh_str text);

#endif
