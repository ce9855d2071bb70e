/* SPDX-License-Identifier: MIT
 *
 * Rules 20, 21 and 34: one rating. As likert from 1 (first much better) over 3 (equal)
 * to 5 (second much better); as single from 1 to 10, of one answer that was shown
 * alone.
 *
 *   Final rating: 4/5      cue, link, number; the machinery of statements
 *   4                      a reply that is nothing but a number
 *
 * On the scale to 5 whole numbers only: 3.5 shows that the judge used a finer scale
 * than it was given.
 *
 * Left out: words for the steps ("slightly better"); they are prose.
 */
#include "verdict/match.h"
#include "verdict/read.h"
#include "verdict/statement.h"

enum { LIKERT_TOP = 5, LIKERT_EQUAL = 3, SINGLE_TOP = 10 };

static const char *const cue_words[] = {"rating", NULL};
static const char *const cue_words_zh[] = {"评分", NULL};
static const verdict_cues cues = {cue_words, cue_words_zh, .has_answer = false};

static bool is_rating(double value, int top) {
    return value >= 1 && value <= top && (top != LIKERT_TOP || value <= (int)value);
}

static verdict_poll_vote vote_of(const verdict_number *n, int top) {
    switch (n->kind) {
    case VERDICT_NUMBER_RANGE: return (verdict_poll_vote){VERDICT_POLL_CONFLICT, 0};
    case VERDICT_NUMBER_OFF_SCALE:
        return (verdict_poll_vote){VERDICT_POLL_UNKNOWN, n->value};
    case VERDICT_NUMBER_VALUE:
        return (verdict_poll_vote){is_rating(n->value, top) ? VERDICT_POLL_KNOWN
                                                            : VERDICT_POLL_UNKNOWN,
                                   n->value};
    case VERDICT_NUMBER_NONE: break;
    }
    return (verdict_poll_vote){VERDICT_POLL_NONE, 0};
}

static verdict_poll_vote read_value(const verdict_view *view,
                                    const verdict_claim *claim, int top) {
    eh_str s = eh_str_slice(view->text, 0, claim->value.end);
    size_t i = claim->value.begin;
    if (!claim->has_link && !match_bytes(s, &i, "[["))
        return (verdict_poll_vote){VERDICT_POLL_NONE, 0};
    verdict_number n = verdict_number_read(s, claim->value.begin, top);
    return vote_of(&n, top);
}

static verdict_poll_vote poll_statements(const verdict_view *view, int top) {
    verdict_poll poll = {0};
    verdict_starts it = verdict_starts_of(view);
    verdict_start start;
    verdict_claim claim;
    while (verdict_next_start(&it, &start)) {
        if (!verdict_claim_read(view, &start, &cues, &claim)) continue;
        verdict_poll_vote vote = read_value(view, &claim, top);
        if (vote.kind != VERDICT_POLL_NONE)
            verdict_poll_add(&poll, claim.is_final, vote);
    }
    return verdict_poll_result(&poll);
}

/* A reply that is one number, perhaps with a final stop. */
static verdict_poll_vote lone_number(eh_str text, int top) {
    eh_str s = eh_str_trim(text);
    verdict_number n = verdict_number_read(s, 0, top);
    size_t i = n.end_byte;
    if (!match_bytes(s, &i, ".")) (void)match_bytes(s, &i, "。");
    return i == s.len ? vote_of(&n, top) : (verdict_poll_vote){VERDICT_POLL_NONE, 0};
}

static void set_rating(int rating, verdict_result *result) {
    result->likert = rating;
    result->verdict = rating < LIKERT_EQUAL   ? EH_VERDICT_1
                      : rating > LIKERT_EQUAL ? EH_VERDICT_2
                                              : EH_VERDICT_TIE;
}

/* The one rating of a reply, or the reason why there is none. */
static eh_status read_rating(eh_str text, int top, eh_arena *arena, double *rating,
                             verdict_reason *reason, eh_error *err) {
    verdict_view view;
    EH_TRY(verdict_view_make(text, arena, &view, err));
    verdict_poll_vote vote = poll_statements(&view, top);
    if (vote.kind == VERDICT_POLL_NONE) vote = lone_number(view.text, top);
    *rating = vote.value;
    switch (vote.kind) {
    case VERDICT_POLL_KNOWN: *reason = VERDICT_REASON_NONE; break;
    case VERDICT_POLL_UNKNOWN: *reason = VERDICT_REASON_OUT_OF_RANGE; break;
    case VERDICT_POLL_CONFLICT: *reason = VERDICT_REASON_AMBIGUOUS; break;
    case VERDICT_POLL_NONE: *reason = VERDICT_REASON_NO_VERDICT; break;
    }
    return EH_STATUS_OK;
}

eh_status verdict_read_likert(eh_str text, eh_arena *arena, verdict_result *result,
                              eh_error *err) {
    double rating;
    EH_TRY(read_rating(text, LIKERT_TOP, arena, &rating, &result->reason, err));
    if (result->reason == VERDICT_REASON_NONE) set_rating((int)rating, result);
    return EH_STATUS_OK;
}

eh_status verdict_read_single(eh_str text, eh_arena *arena, verdict_result *result,
                              eh_error *err) {
    double rating;
    EH_TRY(read_rating(text, SINGLE_TOP, arena, &rating, &result->reason, err));
    if (result->reason != VERDICT_REASON_NONE) return EH_STATUS_OK;
    result->verdict = EH_VERDICT_SCORED;
    result->has_scores = true;
    result->score_1 = rating;
    return EH_STATUS_OK;
}
