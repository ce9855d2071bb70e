/* SPDX-License-Identifier: MIT
 *
 * The record of what was changed in an answer, as it is written down and read again.
 * Pure.
 *
 *   [{"at": 40, "removed": 4, "inserted": "1852"}]     in bytes of the original
 */
#ifndef EH_AUDIT_EDITS_H
#define EH_AUDIT_EDITS_H

#include "audit/perturb.h"
#include "base/json_read.h"
#include "base/json_write.h"

/* The record as a member. */
void audit_edits_json(json_writer *w, const char *key, const audit_edit *edits,
                      size_t n);

/* Fills change->edits. DATA says which entry is none. Texts are the list's. */
EH_MUST_USE eh_status audit_edits_read(const json_value *list, audit_change *change,
                                       eh_error *err);

/* An answer with the white space that was taken off its ends. */
typedef struct audit_edges {
    eh_str front, back;
} audit_edges;

/* Turns a record of front + bare + back into one of `bare` alone, which makes `text`,
 * the new answer without white space at its ends, byte for byte; neither is empty. DATA
 * where the record makes another text, or an entry lies outside of the answer, in the
 * one before it or within a character. change->text becomes `text`; strings are in
 * `arena`. */
EH_MUST_USE eh_status audit_edits_settle(audit_change *change, eh_str bare,
                                         const audit_edges *edges, eh_str text,
                                         eh_arena *arena, eh_error *err);

#endif
