/* SPDX-License-Identifier: MIT
 *
 * The steps of reading a reply that serve every text of a model, whether it holds a
 * verdict or not. Rule numbers are those of docs/verdict-rules.md.
 */
#ifndef EH_VERDICT_TEXT_H
#define EH_VERDICT_TEXT_H

#include "base/arena.h"
#include "base/status.h"

/* Rule 3: the text without reasoning blocks; borrowed from `content` or in `arena`. */
EH_MUST_USE eh_status verdict_strip_reasoning(eh_str content, eh_arena *arena,
                                              eh_str *text, eh_error *err);

/* Rule 5: the folded text, UTF-8, in `arena`. */
EH_MUST_USE eh_status verdict_fold(eh_str text, eh_arena *arena, eh_str *folded,
                                   eh_error *err);

/* Rule 7: does a folded text begin as a refusal? */
bool verdict_is_refusal(eh_str folded);

#endif
