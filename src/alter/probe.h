/* SPDX-License-Identifier: MIT
 *
 * What a model is to do to answers: a change of one of the built-in kinds, or one of a
 * user's own by a prompt of theirs. Pure.
 *
 *   alter_probe gender = alter_probe_of(ALTER_KIND_GENDER), own;
 *   EH_TRY(alter_probe_own(name, form, "typos.txt", text, &arena, &own, err));
 */
#ifndef EH_ALTER_PROBE_H
#define EH_ALTER_PROBE_H

#include "audit/probe.h"

/* X(id, name of the probe, fewest and most entries of the model's own list of changes).
 * The name is that of the prompt's file, too. */
#define ALTER_KIND_LIST(X)                                                             \
    X(FACTUAL_ERROR, "factual_error", 2, 3)                                            \
    X(GENDER, "gender", 1, 3)                                                          \
    X(REFERENCES, "references", 0, 0)                                                  \
    X(RICH_CONTENT, "rich_content", 0, 0)

typedef enum alter_kind {
#define X(id, name, fewest, most) ALTER_KIND_##id,
    ALTER_KIND_LIST(X)
#undef X
        ALTER_KIND_OWN /* a user's; also how many there are before it */
} alter_kind;

/* By the probe's name or alias; ALTER_KIND_OWN where no built-in kind has it. */
alter_kind alter_kind_find(eh_str name);

/* Words that a reply to a user's prompt may take out of an answer, and that it may put
 * in, as a share of the answer's words, where the user says nothing. */
#define ALTER_OWN_SHARE .5

typedef struct alter_probe {
    eh_str name;
    audit_form form;
    alter_kind kind;
    eh_str prompt; /* its file's text (prompt.h) */
    /* The reply has a list of the changes with so many entries; most 0: it has none. */
    int fewest_listed, most_listed;
    double max_share; /* own: of words that go and of words that come, each */
} alter_probe;

/* Strings are constants. */
alter_probe alter_probe_of(alter_kind kind);

/* Takes the text of a user's prompt. It has the form of ours (prompts/): a user text,
 * or a system text, a line "---" and a user text, with {{answer}}, <answer_{{tag}}> and
 * </answer_{{tag}}> in it, and {{question}} where the question is wanted; a
 * <changes_{{tag}}> asks for a list of the changes. CONFIG names `file` and line.
 * `name` is borrowed; the prompt is in `arena`. */
EH_MUST_USE eh_status alter_probe_own(eh_str name, audit_form form, const char *file,
                                      eh_str text, eh_arena *arena, alter_probe *probe,
                                      eh_error *err);

/* Parts a prompt's text: *system is "" where there is none. */
void alter_prompt_parts(eh_str text, eh_str *system, eh_str *user);

#endif
