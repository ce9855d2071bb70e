/* SPDX-License-Identifier: MIT
 *
 * Rendering: template and texts, as shown, become messages. Pure.
 *
 * Each inserted text stands in a block of its own between two lines that carry a tag:
 *
 *   <<<Assistant 1 | 6b0f3c2a>>>
 *   ...the text, byte for byte...
 *   <<<end of Assistant 1 | 6b0f3c2a>>>
 *
 * Answers in parts (portia) stand in blocks "Assistant 1, part 1 of 3" and so on, part
 * t of one before part t of the other, where the template has {{first}}; {{second}} is
 * then empty.
 *
 * The tag is a hash of the template and all texts and stands in none of them, so no
 * text can close its block. Verdict marks and delimiters inside texts are neutralised
 * (neutral.h) and counted. Everything depends on the texts as shown and on nothing
 * else: exchanging the answers and the order gives the same bytes.
 */
#ifndef EH_PROMPT_RENDER_H
#define EH_PROMPT_RENDER_H

#include "prompt/template.h"

/* The texts in the order shown; what is optional may be absent. */
typedef struct prompt_input {
    eh_str question;
    eh_str conversation_json; /* the data set's `turns`: [{role, content}, ...] */
    eh_str first, second;     /* form single shows the first alone */
    eh_str reference;
    eh_str category;
    bool evidence_first;
    /* The answers in parts that are shown side by side, part by part; n_parts below 2
     * shows them whole. Parts of a text join to it. */
    const eh_str *first_parts, *second_parts; /* [n_parts] */
    size_t n_parts;
} prompt_input;

typedef struct prompt_message {
    eh_str role; /* "system" or "user" */
    eh_str content;
} prompt_message;

enum { PROMPT_MAX_MESSAGES = 2 };

typedef struct prompt_rendered {
    prompt_message messages[PROMPT_MAX_MESSAGES];
    size_t n_messages;
    int n_neutralised; /* marks that were made harmless, over all texts */
} prompt_rendered;

/* Strings of `out` live in `arena`. USAGE when the template can only read. */
EH_MUST_USE eh_status prompt_render(const prompt_template *t, const prompt_input *input,
                                    eh_arena *arena, prompt_rendered *out,
                                    eh_error *err);

#endif
