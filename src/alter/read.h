/* SPDX-License-Identifier: MIT
 *
 * A reply to a prompt of prompt.h: its blocks, and whether they are what was asked for.
 * Pure.
 */
#ifndef EH_ALTER_READ_H
#define EH_ALTER_READ_H

#include "alter/blocks.h"
#include "alter/kind.h"
#include "alter/prompt.h"

typedef struct alter_context {
    const eh_str *known; /* [n_known] questions that are there already, */
    size_t n_known;
    bool is_cut;  /* the reply ended at a limit of tokens */
    eh_str other; /* and the other answer; absent: none yet */
} alter_context;

typedef struct alter_found {
    audit_reject reject; /* of the reply as a whole */
    /* QUESTIONS: those that can be used, and why others cannot */
    eh_str questions[ALTER_BLOCKS_MAX];
    size_t n_questions;
    audit_reject refused[ALTER_BLOCKS_MAX];
    size_t n_refused;
    eh_str text;    /* ANSWER and CHANGE */
    eh_str changes; /* CHANGE: the model's own list; absent where none is asked for */
    alter_made made;
    int64_t n_trimmed_bytes;
} alter_found;

/* `content` is the reply's text. Strings are
 * borrowed from the texts or in `arena`. */
EH_MUST_USE eh_status alter_take(const alter_asked *asked, eh_str tag,
                                 const alter_context *context, eh_str content,
                                 eh_arena *arena, alter_found *found, eh_error *err);

#endif
