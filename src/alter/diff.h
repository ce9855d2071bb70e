/* SPDX-License-Identifier: MIT
 *
 * What tells two texts apart, token by token. Pure.
 *
 * Tokens tile a text: words (letters and digits with their marks; an ideograph is a
 * word of its own), runs of white space, and single other characters.
 */
#ifndef EH_ALTER_DIFF_H
#define EH_ALTER_DIFF_H

#include "base/arena.h"
#include "base/status.h"

typedef enum alter_token_kind {
    ALTER_TOKEN_WORD,
    ALTER_TOKEN_SPACE,
    ALTER_TOKEN_MARK,
    ALTER_TOKEN_PICTURE /* emoji and what joins them */
} alter_token_kind;

typedef struct alter_token {
    size_t begin, end; /* bytes of the text */
    alter_token_kind kind;
    uint64_t fold; /* equal for words that differ in case alone */
} alter_token;

typedef struct alter_tokens {
    eh_str text;       /* that they tile; borrowed */
    alter_token *list; /* [n], in the arena */
    size_t n, n_words;
} alter_tokens;

EH_MUST_USE eh_status alter_tokens_read(eh_str text, eh_arena *arena,
                                        alter_tokens *tokens, eh_error *err);

/* A place where texts differ: tokens a_begin to a_end of one, b_begin to b_end of the
 * other; one of both ranges may be empty. Places rise and do not touch. */
typedef struct alter_place {
    size_t a_begin, a_end, b_begin, b_end;
} alter_place;

typedef struct alter_diff {
    alter_place *places; /* [n], in the arena */
    size_t n;
    bool too_far; /* more differs than is looked for: there are no places */
} alter_diff;

/* Tokens that differ, in both texts together, at most. */
enum { ALTER_DIFF_MAX = 3000 };

/* A shortest list of changes (Myers 1986); `folds`: words are equal whatever their
 * case. */
EH_MUST_USE eh_status alter_diff_make(const alter_tokens *a, const alter_tokens *b,
                                      bool folds, eh_arena *arena, alter_diff *diff,
                                      eh_error *err);

#endif
