/* SPDX-License-Identifier: MIT
 *
 * Perturbations by rule: an answer, a list of edits, the perturbed answer. Pure.
 *
 *   audit_input input = {.question = q, .answer = a, .seed = 7};
 *   audit_change change;
 *   EH_TRY(audit_perturb(probe->rule, probe->allows, &input, &arena, &change, err));
 *   if (change.reject == AUDIT_REJECT_NONE) ... change.text ...
 *
 * The edits are the record of what changed; audit_check holds them against both texts
 * and against what the rule may do. Draws depend on the seed and the texts, so equal
 * texts are perturbed alike whichever answer they are.
 */
#ifndef EH_AUDIT_PERTURB_H
#define EH_AUDIT_PERTURB_H

#include "base/arena.h"
#include "base/status.h"

/* X(id, name, text): why an answer or a row is no use. Names stand in JSON. */
#define AUDIT_REJECT_LIST(X)                                                           \
    X(NONE, "", "")                                                                    \
    X(EMPTY, "empty", "the answer is empty")                                           \
    X(TOO_SHORT, "too_short", "the answer is too short to be shortened")               \
    X(BROKEN_RULE, "broken_rule", "the rule changed more than it may")                 \
    X(NO_CONTROL, "no_control", "there is no pair of that id in the data set")         \
    X(NO_SIDE, "no_side", "field perturbed is not 1 or 2")                             \
    X(QUESTION_DIFFERS, "question_differs", "the question is not the pair's")          \
    X(OTHER_DIFFERS, "other_differs", "the answer that is not perturbed differs")      \
    X(UNCHANGED, "unchanged", "the perturbed answer is the pair's own")                \
    X(TWICE, "twice", "there is a row for that pair already")                          \
    X(BAD_EDITS, "bad_edits", "its edits do not make the perturbed answer")            \
    /* of what a model wrote: */                                                       \
    X(NO_TEXT, "no_text", "the endpoint gave no text")                                 \
    X(REFUSED, "refused", "the model refused")                                         \
    X(CUT_OFF, "cut_off", "the reply was cut off")                                     \
    X(NO_BLOCK, "missing_block", "a block that was asked for is missing")              \
    X(TWO_BLOCKS, "doubled_block", "there are more blocks than were asked for")        \
    X(OPEN_BLOCK, "open_block", "a block is not closed, or stands in another")         \
    X(OTHER_LANGUAGE, "other_language", "the text is in another language")             \
    X(TOO_LONG, "too_long", "the text is over the limit of words")                     \
    X(RICH_TEXT, "rich_text", "the text has Markdown or emoji, which it may not have") \
    X(SAME_ANSWER, "same_answer", "both answers are the same")                         \
    X(SAME_QUESTION, "same_question", "the question was there already")                \
    X(BAD_LIST, "bad_list", "the list of changes is not as long as was asked for")     \
    X(TOO_MUCH, "too_much", "more was changed than was asked for")                     \
    X(LENGTH, "length", "the length changed too much")                                 \
    X(NOT_OF_KIND, "not_of_kind",                                                      \
      "nothing of the kind that was asked for was changed")                            \
    X(TELLS, "tells", "the text says that it was changed")

typedef enum audit_reject {
#define X(id, name, text) AUDIT_REJECT_##id,
    AUDIT_REJECT_LIST(X)
#undef X
        AUDIT_REJECT_N
} audit_reject;

const char *audit_reject_name(audit_reject why);
const char *audit_reject_text(audit_reject why);

typedef struct audit_edit {
    size_t at_byte; /* in the original; edits rise and do not overlap */
    size_t n_removed_bytes;
    eh_str inserted;
} audit_edit;

enum { AUDIT_EDITS_MAX = 256 };

typedef struct audit_change {
    eh_str text; /* the perturbed answer */
    audit_edit edits[AUDIT_EDITS_MAX];
    size_t n_edits;
    audit_reject reject; /* not NONE: there is no text */
} audit_change;

typedef struct audit_input {
    eh_str question, answer;
    size_t target_cp; /* padding: the length to come to; 0 = twice the answer's */
    uint64_t seed;
} audit_input;

/* Fills change->edits, or change->reject. Strings are constants or in `arena`. */
typedef eh_status audit_rule(const audit_input *input, eh_arena *arena,
                             audit_change *change, eh_error *err);

/* May this edit be one of the rule's? */
typedef bool audit_allows(eh_str original, const audit_edit *edit);

audit_rule audit_rule_references, audit_rule_rich_content, audit_rule_padding,
    audit_rule_shortening, audit_rule_injection, audit_rule_majority;
audit_allows audit_allows_references, audit_allows_rich_content, audit_allows_padding,
    audit_allows_shortening, audit_allows_injection, audit_allows_majority;

/* Does a text hold what the rule injection, or majority, adds? For simulated judges. */
bool audit_pleads(eh_str answer);
bool audit_claims_majority(eh_str answer);

/* Runs a rule, writes the text and checks it; what fails the check is rejected as
 * BROKEN_RULE. `change->text` is in `arena`. */
EH_MUST_USE eh_status audit_perturb(audit_rule *rule, audit_allows *allows,
                                    const audit_input *input, eh_arena *arena,
                                    audit_change *change, eh_error *err);

/* Are these edits, each one that the rule allows (NULL: any), all that tells `text`
 * from `original`, and does anything differ at all? */
bool audit_check(eh_str original, const audit_change *change, audit_allows *allows);

/* Without white space at both ends (ASCII); *n_bytes grows by what went. */
eh_str audit_normalise(eh_str answer, int64_t *n_bytes);

/* Which answer of a pair is to be perturbed, 1 or 2: drawn by the seed from the texts,
 * half of the pairs each; exchanging the answers exchanges the result. */
int audit_side(uint64_t seed, eh_str question, eh_str answer_1, eh_str answer_2);

/* ---- for the rules ---- */

/* Adds an edit; false when there is no room. */
bool audit_edit_add(audit_change *change, size_t at_byte, eh_str inserted);

/* Fenced code, line by line: which fence is open. Zero: none. */
typedef struct audit_fence {
    char mark; /* a backtick or a tilde */
    size_t n;
} audit_fence;

/* Takes the line that `rest` begins with; is it code, or a fence? Fences may be
 * indented, as they are in list items. */
bool audit_fence_takes(audit_fence *fence, eh_str rest);

/* A walk over the places where a sentence of prose ends. Fenced code is passed over.
 *
 *   audit_sentences s = {.text = text};
 *   size_t stop;
 *   while (audit_sentences_next(&s, &stop)) ... */
typedef struct audit_sentences {
    eh_str text;
    size_t at_byte; /* where the walk goes on */
    audit_fence fence;
    bool is_code; /* the line */
} audit_sentences;

/* *stop is the byte of the next full stop; false behind the last. */
bool audit_sentences_next(audit_sentences *s, size_t *stop);

/* Tells the draws for one answer apart from those for any other. */
uint64_t audit_content(eh_str question, eh_str answer);

#endif
