/* SPDX-License-Identifier: MIT
 *
 * Keeping keys out of whatever leaves the client, also when a server echoes them.
 */
#ifndef EH_CODEC_REDACT_H
#define EH_CODEC_REDACT_H

#include "base/arena.h"

/* Shorter "keys" (none, EMPTY, sk-1234) are words that texts may hold for themselves;
 * they are taken out of messages, but not out of replies. */
enum { REDACT_MIN_KEY_BYTES = 8 };

/* Whole keys in a reply's text become "[key]". The text itself where none is in it;
 * false when memory is out. Absent stays absent. */
bool redact_text(eh_str text, const eh_str *secrets, size_t n_secrets, eh_arena *arena,
                 eh_str *out);

/* Whether a piece of a key of 6 bytes and more stands in it: nothing that a server says
 * may then be used as it is. */
bool redact_holds_piece(eh_str text, const eh_str *secrets, size_t n_secrets);

/* A message for people: one line without control characters, at most `max_bytes`; whole
 * keys, pieces of a key of 6 bytes and more, and words that were starred out by the
 * server become "[key]". False when memory is out. */
bool redact_message(eh_str text, const eh_str *secrets, size_t n_secrets,
                    size_t max_bytes, eh_arena *arena, eh_str *out);

#endif
