/* SPDX-License-Identifier: MIT
 *
 * Private to verdict/: statements of a verdict or a rating (rules 10 to 14).
 *
 *   So, given all this, my final verdict (of two) is: Assistant B. Thanks
 *   lead and opening       cue           remark   link value
 *
 *   verdict_starts it = verdict_starts_of(&view);
 *   while (verdict_next_start(&it, &start))
 *       if (verdict_claim_read(&view, &start, &cues, &claim)) ...
 */
#ifndef EH_VERDICT_STATEMENT_H
#define EH_VERDICT_STATEMENT_H

#include "verdict/read.h"

/* Behind what may stand in front of a line's or sentence's first word: blanks, heading,
 * list and table marks, numbering, emoji and other signs; never over a line end, an
 * opening bracket, a quotation mark, '<', '>' or a mention. */
size_t verdict_skip_lead(eh_str s, size_t i);

/* The first bytes of line and sentence ends. */
extern const bool verdict_ends[256];

/* Does the sentence end at i (not at a line end)? Gives the place behind the mark. */
bool verdict_is_sentence_end(const verdict_view *view, size_t i, size_t *behind);

/* A place where a statement may begin, lead skipped. */
typedef struct verdict_start {
    size_t begin;
    size_t line_end; /* of its line, without the LF */
    size_t text_end; /* the same without blanks and marks that close the line */
} verdict_start;

/* All of them, in the order of the text. */
typedef struct verdict_starts {
    const verdict_view *view;
    size_t at;
    verdict_start line;
} verdict_starts;

static inline verdict_starts verdict_starts_of(const verdict_view *view) {
    return (verdict_starts){.view = view};
}

bool verdict_next_start(verdict_starts *it, verdict_start *start);

/* What a form's statements are called; lists end in NULL. */
typedef struct verdict_cues {
    const char *const *words;
    const char *const *words_zh;
    bool has_answer; /* "final answer", with a token only */
} verdict_cues;

typedef struct verdict_claim {
    bool is_final;      /* "final", "overall" or 最终: outranks the others */
    bool needs_token;   /* "final answer" */
    bool has_link;      /* a link, or the line end of a heading */
    bool is_quotation;  /* marks round all of the value were dropped */
    verdict_span value; /* in one line, without blanks at its ends; never empty */
} verdict_claim;

/* The cue, link and value that begin at `start`; false where there is no cue or no
 * value. Whether the value is one is the form's to say. */
bool verdict_claim_read(const verdict_view *view, const verdict_start *start,
                        const verdict_cues *cues, verdict_claim *claim);

/* Rule 14: the statements of a reply, by rank. */
typedef enum verdict_poll_kind {
    VERDICT_POLL_NONE,
    VERDICT_POLL_KNOWN,
    VERDICT_POLL_UNKNOWN, /* a value, but none of the form's */
    VERDICT_POLL_CONFLICT
} verdict_poll_kind;

typedef struct verdict_poll_vote {
    verdict_poll_kind kind;
    double value; /* a verdict_choice or a number */
} verdict_poll_vote;

typedef struct verdict_poll {
    verdict_poll_vote ranks[2]; /* the second: final ones */
} verdict_poll;

void verdict_poll_add(verdict_poll *poll, bool is_final, verdict_poll_vote vote);

/* What the highest rank says; kind NONE where there was no statement. */
verdict_poll_vote verdict_poll_result(const verdict_poll *poll);

#endif
