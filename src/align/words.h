/* SPDX-License-Identifier: MIT
 *
 * The words of the units of two texts, as numbers. Private to align.
 */
#ifndef EH_ALIGN_WORDS_H
#define EH_ALIGN_WORDS_H

#include "align/align.h"

/* Words of one text: unit u has word[begin[u]] .. word[begin[u + 1] - 1], each once. */
typedef struct unit_words {
    const uint32_t *word;
    const uint32_t *begin; /* [n_units + 1] */
    size_t n_units;
} unit_words;

typedef struct pair_words {
    unit_words text[2];
    size_t n_words; /* all numbers are smaller; equal words have equal numbers */
} pair_words;

EH_MUST_USE eh_status words_of_pair(const align_units *const units[2], eh_arena *arena,
                                    pair_words *words, eh_error *err);

#endif
