/* SPDX-License-Identifier: MIT
 *
 * From a judge's reply to a verdict or a reason. Pure: no I/O, no clock, no globals;
 * thread-safe with one arena per thread.
 *
 * Everything here is in the order shown: verdict 1, score_1, "A", "Assistant 1" mean
 * the first slot. Un-swapping is the caller's.
 *
 * The rules are numbered in docs/verdict-rules.md; VERDICT_READER_VERSION changes with
 * every change of a reading, so that a ledger knows which reader read a reply.
 */
#ifndef EH_VERDICT_VERDICT_H
#define EH_VERDICT_VERDICT_H

#include "base/arena.h"
#include "base/status.h"
#include "base/terms.h"

enum { VERDICT_READER_VERSION = 1 };

/* X(id, name): why a sample has no verdict, in the order of precedence for counts. The
 * last ones are not the reader's: replay and imports use them. */
#define VERDICT_REASON_LIST(X)                                                         \
    X(NONE, "")                                                                        \
    X(CONTENT_FILTER, "content_filter")                                                \
    X(REFUSAL, "refusal")                                                              \
    X(TRUNCATED, "truncated")                                                          \
    X(EMPTY, "empty")                                                                  \
    X(AMBIGUOUS, "ambiguous")                                                          \
    X(NO_VERDICT, "no_verdict")                                                        \
    X(OUT_OF_RANGE, "out_of_range")                                                    \
    X(CONTEXT_LENGTH, "context_length")                                                \
    X(REQUEST_TOO_LARGE, "request_too_large")                                          \
    X(PROMPT_TRUNCATED, "prompt_truncated")                                            \
    X(NOT_RECORDED, "not_recorded")                                                    \
    X(UNKNOWN_VERDICT, "unknown_verdict")                                              \
    X(UNSPECIFIED, "unspecified")

typedef enum verdict_reason {
#define X(id, name) VERDICT_REASON_##id,
    VERDICT_REASON_LIST(X)
#undef X
        VERDICT_REASON_N
} verdict_reason;

/* X(id, name): remarks beside a verdict, a bit each. */
#define VERDICT_WARNING_LIST(X) X(REPLACED_SURROGATE, "replaced_surrogate")

typedef enum verdict_warning {
#define X(id, name) VERDICT_WARNING_BIT_##id,
    VERDICT_WARNING_LIST(X)
#undef X
        VERDICT_WARNING_N
} verdict_warning;

/* X(id, name): what is read, by the name that templates use. */
#define VERDICT_FORM_LIST(X)                                                           \
    X(SCORE, "score")     /* two labelled scores, 1 to 10 */                           \
    X(COMPARE, "compare") /* [[A]], [[B]], [[C]] */                                    \
    X(LIKERT, "likert")   /* one rating, 1 to 5 */                                     \
    X(JSON, "json")       /* an object under the verdict schema */                     \
    X(MARKS, "marks")     /* a reading template's own marks */                         \
    X(SINGLE, "single")   /* one rating of one answer, 1 to 10 */

typedef enum verdict_form_kind {
#define X(id, name) VERDICT_FORM_##id,
    VERDICT_FORM_LIST(X)
#undef X
        VERDICT_FORM_N
} verdict_form_kind;

typedef enum verdict_mark_key {
    VERDICT_MARK_FIRST_MUCH,
    VERDICT_MARK_FIRST,
    VERDICT_MARK_TIE,
    VERDICT_MARK_SECOND,
    VERDICT_MARK_SECOND_MUCH
} verdict_mark_key;

typedef struct verdict_mark {
    eh_str text; /* unfolded, as the template's author wrote it */
    verdict_mark_key key;
} verdict_mark;

typedef struct verdict_tier {
    const verdict_mark *marks; /* [n_marks] */
    size_t n_marks;
} verdict_tier;

typedef enum verdict_where {
    VERDICT_WHERE_ANYWHERE,
    VERDICT_WHERE_FIRST_LINE,
    VERDICT_WHERE_LAST_LINE
} verdict_where;

typedef enum verdict_pick {
    VERDICT_PICK_ONLY,
    VERDICT_PICK_FIRST,
    VERDICT_PICK_LAST
} verdict_pick;

typedef struct verdict_marks {
    verdict_where where;
    verdict_pick pick;
    const verdict_tier *tiers; /* [n_tiers]; none where scores are read */
    size_t n_tiers;
    bool has_scores; /* `scores: [low, high]` */
    double score_low, score_high;
} verdict_marks;

/* How a template's replies are read. `marks` is used by VERDICT_FORM_MARKS only. */
typedef struct verdict_form {
    verdict_form_kind kind;
    const verdict_marks *marks;
} verdict_form;

/* A reply; an absent string is JSON null or a missing field. */
typedef struct verdict_reply {
    eh_str content;
    eh_str finish_reason;
    eh_str refusal;
} verdict_reply;

typedef struct verdict_result {
    eh_verdict verdict;    /* in the order shown */
    verdict_reason reason; /* NONE exactly where there is a verdict */
    bool has_scores;
    double score_1, score_2; /* of the first and the second slot; with a verdict SCORED
                                of the one that was shown, and 0 */
    int likert;              /* 1 to 5, 0 where the form has none */
    uint32_t warnings;       /* 1u << verdict_warning */
} verdict_result;

/* Reads one reply. Fails only for memory; a bad reply is a result with a reason.
 * Scratch memory comes from `arena`; the result borrows nothing. */
EH_MUST_USE eh_status verdict_read(const verdict_form *form, const verdict_reply *reply,
                                   eh_arena *arena, verdict_result *result,
                                   eh_error *err);

/* A part of a reply, in bytes; empty where there is none. */
typedef struct verdict_place {
    size_t begin, end;
} verdict_place;

/* The part of the content that a verdict was read from: the last run of whole lines (of
 * words, where lines are long) that read alone gives the same verdict, rating and
 * scores, and does not without its first or its last one. Empty for a result without a
 * verdict, and where the content gives another one. `arena` is scratch and is reset;
 * takes some ten readings. */
EH_MUST_USE eh_status verdict_locate(const verdict_form *form, eh_str content,
                                     const verdict_result *wanted, eh_arena *arena,
                                     verdict_place *place, eh_error *err);

/* The JSON schema that the form `json` is asked under (rule 22), on one line. What
 * comes first in it comes first in the reply: the evidence or the verdict. Static text.
 */
eh_str verdict_json_schema(bool verdict_first);

const char *verdict_form_name(verdict_form_kind kind);
const char *verdict_reason_name(verdict_reason reason);
verdict_reason verdict_reason_parse(eh_str name); /* UNSPECIFIED for unknown names */
const char *verdict_warning_name(verdict_warning warning);

#endif
