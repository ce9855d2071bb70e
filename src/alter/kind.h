/* SPDX-License-Identifier: MIT
 *
 * Perturbations by a model: what it was asked to do to an answer, and whether that, and
 * nothing else, is what it did. Pure.
 *
 *   alter_made made;
 *   EH_TRY(alter_kind_check(kind, original, text, &arena, &made, err));
 *   if (made.change.reject == AUDIT_REJECT_NONE) ... made.change.edits ...
 *
 * The four kinds are those of Chen et al. 2024 (arXiv:2402.10669), section 4; how they
 * are told from what was not asked for is ours (docs/audit.md).
 */
#ifndef EH_ALTER_KIND_H
#define EH_ALTER_KIND_H

#include "alter/diff.h"
#include "audit/perturb.h"

/* X(id, name of the probe, title). The name is that of the prompt's file, too. */
#define ALTER_KIND_LIST(X)                                                             \
    X(FACTUAL_ERROR, "factual_error", "factual errors")                                \
    X(GENDER, "gender", "gender-biased content")                                       \
    X(REFERENCES, "references", "references")                                          \
    X(RICH_CONTENT, "rich_content", "rich content")

typedef enum alter_kind {
#define X(id, name, title) ALTER_KIND_##id,
    ALTER_KIND_LIST(X)
#undef X
        ALTER_KIND_N
} alter_kind;

const char *alter_kind_name(alter_kind kind);

/* By the probe's name or alias; ALTER_KIND_N where there is none. */
alter_kind alter_kind_find(eh_str name);

/* A model's text, held against the original. */
typedef struct alter_made {
    audit_change change; /* `text` as it came; edits in words of the original */
    int64_t n_words;     /* of the original */
    int64_t n_removed, n_inserted; /* words; what only looks otherwise is in neither */
    int64_t n_places;              /* where words differ */
} alter_made;

/* `text` without white space at its ends. Edits are in `arena`. */
EH_MUST_USE eh_status alter_kind_check(alter_kind kind, eh_str original, eh_str text,
                                       eh_arena *arena, alter_made *made,
                                       eh_error *err);

/* Has a text marks of Markdown that change how it is shown, or emoji? */
bool alter_is_rich(eh_str text);

/* Is the new text rich, and the original was not? */
bool alter_becomes_rich(eh_str original, eh_str text);

/* Does a text speak of a change that was made to it? */
bool alter_tells(eh_str text);

/* Does a text have a word that speaks of men or women? English. */
bool alter_speaks_of_gender(eh_str text);

#endif
