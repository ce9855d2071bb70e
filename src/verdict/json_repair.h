/* SPDX-License-Identifier: MIT
 *
 * Private to verdict/: finding objects in a text that is not JSON as a whole, and
 * mending what models write instead of JSON (rule 23). Both linear in the text.
 */
#ifndef EH_VERDICT_JSON_REPAIR_H
#define EH_VERDICT_JSON_REPAIR_H

#include "verdict/verdict.h"

#define VERDICT_JSON_OPEN UINT32_MAX

/* For every `{` of the text the place of the `}` that closes it, as if the object began
 * there: (*closings)[i] belongs to the `{` at i and is VERDICT_JSON_OPEN where it never
 * closes. What stands at other places means nothing. In `arena`, 8 bytes a byte of
 * text; TOO_BIG for a text of 4 GiB. */
EH_MUST_USE eh_status verdict_json_closings(eh_str text, eh_arena *arena,
                                            const uint32_t **closings, eh_error *err);

/* One object, mended; in `arena`. What cannot be mended stays as it is, for the strict
 * reader to refuse. */
EH_MUST_USE eh_status verdict_json_repair(eh_str object, eh_arena *arena,
                                          eh_str *repaired, eh_error *err);

#endif
