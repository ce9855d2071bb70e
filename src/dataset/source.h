/* SPDX-License-Identifier: MIT
 *
 * The bytes of an input as UTF-8: a file or standard input, plain or gzip, perhaps
 * UTF-16, with a digest over what was read.
 */
#ifndef EH_DATASET_SOURCE_H
#define EH_DATASET_SOURCE_H

#include "base/status.h"
#include "base/str.h"

typedef struct source source;

/* `path` "-" is standard input, which is not closed. `path` must live as long as the
 * source. What cannot be opened is DATA with path and cause. */
EH_MUST_USE eh_status source_open(const char *path, source **out, eh_error *err);
void source_close(source *s); /* accepts NULL */

/* Says, before the first piece, that nobody will ask for the digest. */
void source_no_digest(source *s);

/* The next bytes without taking them: they come again from source_next. */
EH_MUST_USE eh_status source_peek(source *s, eh_str *piece, eh_error *err);

/* The next bytes, valid until the next call; of length 0 at the end only. */
EH_MUST_USE eh_status source_next(source *s, eh_str *piece, eh_error *err);

/* BLAKE2b-256 (domain "eh-file-1") over the bytes as they stand in the file. Ends the
 * hashing: once, after the last piece. */
void source_digest(source *s, uint8_t digest[32]);

#endif
