/* SPDX-License-Identifier: MIT
 *
 * The blocks that a model was asked to reply in. Pure.
 *
 *   <answer_6b0f3c2a>
 *   ...
 *   </answer_6b0f3c2a>
 *
 * The tag is the prompt's (prompt.h) and stands in none of its texts, so that no text
 * can open or close a block. Nothing is guessed: a reply with other blocks than were
 * asked for is refused with a reason. Words outside of blocks are no fault.
 */
#ifndef EH_ALTER_BLOCKS_H
#define EH_ALTER_BLOCKS_H

#include "audit/perturb.h"

enum { ALTER_BLOCKS_MAX = 64, ALTER_WANTS_MAX = 2 };

typedef struct alter_want {
    const char *name;
    size_t min, max; /* blocks of that name; max at most ALTER_BLOCKS_MAX */
} alter_want;

typedef struct alter_reply {
    eh_str blocks[ALTER_WANTS_MAX][ALTER_BLOCKS_MAX]; /* by want; trimmed */
    size_t n[ALTER_WANTS_MAX];
    int64_t n_trimmed_bytes; /* white space at the ends beyond one line end */
    audit_reject reject;     /* not NONE: there are no blocks */
} alter_reply;

/* Texts are borrowed from `content`, or in `arena`. */
EH_MUST_USE eh_status alter_reply_read(eh_str content, eh_str tag,
                                       const alter_want *wants, size_t n_wants,
                                       eh_arena *arena, alter_reply *reply,
                                       eh_error *err);

/* Does a text begin by declining? */
EH_MUST_USE eh_status alter_is_refusal(eh_str text, eh_arena *arena, bool *is_refusal,
                                       eh_error *err);

#endif
