/* SPDX-License-Identifier: MIT
 *
 * Templates: how the judge is asked, and how its replies are read.
 *
 * A template is a YAML text; the built-in ones are files of this folder, embedded at
 * build, and users' files have the same form (docs/templates.md). Names in double
 * braces ({{question}}, {{first}}, ...) are replaced in one pass; inserted text is
 * never scanned again. A template with `marks` and without `user` can only read.
 *
 * Templates are immutable after loading and may be shared between threads.
 */
#ifndef EH_PROMPT_TEMPLATE_H
#define EH_PROMPT_TEMPLATE_H

#include "base/arena.h"
#include "base/hash.h"
#include "base/status.h"
#include "verdict/verdict.h"

/* X(id, name): what may stand in double braces. */
#define PROMPT_SLOT_LIST(X)                                                            \
    X(QUESTION, "question")                                                            \
    X(CONVERSATION, "conversation")                                                    \
    X(FIRST, "first")                                                                  \
    X(SECOND, "second")                                                                \
    X(ANSWER, "answer") /* the one that form single rates */                           \
    X(REFERENCE, "reference")                                                          \
    X(CATEGORY, "category")                                                            \
    X(ASK, "ask")

typedef enum prompt_slot {
    PROMPT_SLOT_TEXT = -1, /* literal text of the template */
#define X(id, name) PROMPT_SLOT_##id,
    PROMPT_SLOT_LIST(X)
#undef X
        PROMPT_SLOT_N
} prompt_slot;

typedef struct prompt_segment {
    prompt_slot slot;
    eh_str text; /* for PROMPT_SLOT_TEXT */
} prompt_segment;

typedef struct prompt_body {
    prompt_segment *segments; /* [n_segments] */
    size_t n_segments;
} prompt_body;

typedef struct prompt_template {
    eh_arena arena; /* owns all strings below */
    eh_str name;
    eh_str source; /* the whole YAML text: hashed into keys and stored in ledgers */
    /* The bytes of an eh_hash (which wants 64-byte alignment): how the delimiters' tag
     * begins, with the source in it, the same for all prompts. */
    uint8_t tag_begin[sizeof(eh_hash)];
    verdict_form form;
    verdict_marks marks; /* what form.marks points to, where it is used */
    eh_str first_name;   /* how the prompt calls the slots: "Assistant 1"; form single
                            has only this one, "Assistant" */
    eh_str second_name;
    bool can_ask;              /* has a `user` text */
    prompt_body system;        /* no segments where there is none */
    prompt_body user;          /* with {{ask}} still in it */
    prompt_body verdict_first; /* what {{ask}} becomes */
    prompt_body evidence_first;
} prompt_template;

enum { PROMPT_TEMPLATE_MAX_BYTES = 1 << 20 };

/* A built-in template by name; USAGE lists the names. The template is the caller's:
 * prompt_template_free. */
EH_MUST_USE eh_status prompt_template_builtin(eh_str name, prompt_template **t,
                                              eh_error *err);

/* From YAML text; DATA errors name `where` and the line. */
EH_MUST_USE eh_status prompt_template_parse(eh_str yaml, const char *where,
                                            prompt_template **t, eh_error *err);

void prompt_template_free(prompt_template *t); /* accepts NULL */

/* The i-th built-in template's name and text; absent behind the last one. */
eh_str prompt_builtin_name(size_t i);
eh_str prompt_builtin_text(size_t i);

#endif
