/* SPDX-License-Identifier: MIT
 *
 * --extra-body: members that the user adds to every request body.
 */
#ifndef EH_JUDGE_EXTRA_BODY_H
#define EH_JUDGE_EXTRA_BODY_H

#include "codec/codec.h"

typedef struct extra_body {
    const judge_extra *extras; /* [n_extras] */
    size_t n_extras;
    eh_str json; /* the whole object, canonical; absent where there is none */
} extra_body;

/* Reads a JSON object, or the file of that name where the text does not begin with a
 * brace. USAGE when it is no object, or sets what has an option or is ours alone.
 * Strings in `arena`; an absent text gives an empty result. */
EH_MUST_USE eh_status extra_body_read(eh_str text, eh_arena *arena, extra_body *out,
                                      eh_error *err);

#endif
