/* SPDX-License-Identifier: MIT
 *
 * Perturbations by a model: what it was asked to do to an answer, and whether that, and
 * nothing else, is what it did. Pure.
 *
 *   alter_made made;
 *   EH_TRY(alter_check(&probe, original, text, &arena, &made, err));
 *   if (made.change.reject == AUDIT_REJECT_NONE) ... made.change.edits ...
 *
 * The built-in kinds are those of Chen et al. 2024 (arXiv:2402.10669), section 4; how
 * they are told from what was not asked for is ours (docs/audit.md).
 */
#ifndef EH_ALTER_KIND_H
#define EH_ALTER_KIND_H

#include "alter/diff.h"
#include "alter/probe.h"

/* A model's text, held against the original. */
typedef struct alter_made {
    audit_change change; /* `text` as it came; edits in words of the original */
    int64_t n_words;     /* of the original */
    int64_t n_removed, n_inserted; /* words; what only looks otherwise is in neither */
    int64_t n_places;              /* where words differ */
} alter_made;

/* `text` without white space at its ends. Edits are in `arena`. */
EH_MUST_USE eh_status alter_check(const alter_probe *probe, eh_str original,
                                  eh_str text, eh_arena *arena, alter_made *made,
                                  eh_error *err);

/* Has a text marks of Markdown that change how it is shown, or emoji? */
bool alter_is_rich(eh_str text);

/* Is the new text rich, and the original was not? */
bool alter_becomes_rich(eh_str original, eh_str text);

/* Does a text speak of a change that was made to it, in words that stand neither in the
 * original nor in what was asked for? */
bool alter_tells(eh_str text, eh_str original, eh_str asked);

/* Does a text have a word that speaks of men or women? English. */
bool alter_speaks_of_gender(eh_str text);

#endif
