/* SPDX-License-Identifier: MIT
 *
 * What is kept out of a page: every match of a regular expression.
 */
#ifndef EH_PAGE_REDACT_H
#define EH_PAGE_REDACT_H

#include "base/arena.h"
#include "base/status.h"

#define PAGE_REDACTED "[redacted]" /* what stands for a match */

typedef struct page_redact page_redact;

/* USAGE for what is no regular expression; free in any case. */
EH_MUST_USE eh_status page_redact_new(eh_str pattern, page_redact **redact,
                                      eh_error *err);
void page_redact_free(page_redact *r); /* accepts NULL */

/* Puts the mark for each match: a new text in `arena`, or the same where nothing
 * matched. NULL redacts nothing. USAGE where the search takes too long. */
EH_MUST_USE eh_status page_redact_text(page_redact *r, eh_str *text, eh_arena *arena,
                                       eh_error *err);
/* The same in the string values of JSON, which stays JSON. */
EH_MUST_USE eh_status page_redact_json(page_redact *r, eh_str *json, eh_arena *arena,
                                       eh_error *err);

/* Matches so far; NULL: 0. Recount takes back those that were not written after all. */
int64_t page_redact_count(const page_redact *r);
void page_redact_recount(page_redact *r, int64_t n);

#endif
