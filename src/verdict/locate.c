/* SPDX-License-Identifier: MIT
 *
 * Where in a reply its verdict stands, for people who look at it.
 *
 *   Both are correct, but the second one ...
 *   Score of the Assistant 1: 6                 <- begin
 *   Score of the Assistant 2: 8                 <- end, behind it
 *
 * A verdict is the reader's answer to a whole text: it may rest on two lines, on all
 * tokens agreeing, on an object. So the place is defined by the reader itself: a part
 * of the reply which, read alone, gives the same verdict and scores, and of which
 * neither the first nor the last line can be left out. Lines are left out from the
 * front as long as that holds, then from the back, in steps that halve, so that a
 * reply is read about as often as its length has binary digits. What then is still long
 * is cut by words.
 *
 * Since the front goes first it is the last such part: a verdict that is said twice is
 * found where it is said last.
 */
#include "verdict/verdict.h"

enum { LONG_BYTES = 240 }; /* of a place: cut by words */

typedef struct search {
    const verdict_form *form;
    eh_str content;
    const verdict_result *wanted;
    eh_arena *arena;
    size_t begin, end;
    bool (*is_gap)(char c);
} search;

static bool is_line_end(char c) {
    return c == '\n' || c == '\r';
}

static bool is_blank(char c) {
    return is_line_end(c) || c == ' ' || c == '\t';
}

static bool is_same(const verdict_result *a, const verdict_result *b) {
    return a->verdict == b->verdict && a->likert == b->likert &&
           a->has_scores == b->has_scores && a->score_1 == b->score_1 &&
           a->score_2 == b->score_2;
}

static eh_status reads_same(const search *s, size_t begin, size_t end, bool *same,
                            eh_error *err) {
    verdict_result result;
    const verdict_reply part = {.content = eh_str_slice(s->content, begin, end)};
    arena_reset(s->arena);
    EH_TRY(verdict_read(s->form, &part, s->arena, &result, err));
    *same = is_same(&result, s->wanted);
    return EH_STATUS_OK;
}

/* The first beginning of a line (a word) at or behind `at`. */
static size_t next_begin(const search *s, size_t at) {
    while (at < s->end &&
           !(s->is_gap(s->content.ptr[at - 1]) && !is_blank(s->content.ptr[at])))
        at++;
    return at;
}

/* The last end of a line (a word) at or before `at`. */
static size_t last_end(const search *s, size_t at) {
    while (at > s->begin &&
           !(s->is_gap(s->content.ptr[at]) && !is_blank(s->content.ptr[at - 1])))
        at--;
    return at;
}

static eh_status shrink_front(search *s, eh_error *err) {
    size_t failed = s->end;
    for (size_t step = (s->end - s->begin) / 2; step > 0;) {
        size_t at = next_begin(s, s->begin + step);
        bool same = false;
        if (at < failed) EH_TRY(reads_same(s, at, s->end, &same, err));
        if (same) {
            s->begin = at;
            continue;
        }
        failed = at < failed ? at : failed;
        step /= 2;
    }
    return EH_STATUS_OK;
}

static eh_status shrink_back(search *s, eh_error *err) {
    size_t failed = s->begin;
    for (size_t step = (s->end - s->begin) / 2; step > 0;) {
        size_t at = step < s->end - s->begin ? last_end(s, s->end - step) : s->begin;
        bool same = false;
        if (at > failed) EH_TRY(reads_same(s, s->begin, at, &same, err));
        if (same) {
            s->end = at;
            continue;
        }
        failed = at > failed ? at : failed;
        step /= 2;
    }
    return EH_STATUS_OK;
}

static eh_status shrink(search *s, bool (*is_gap)(char c), eh_error *err) {
    s->is_gap = is_gap;
    EH_TRY(shrink_front(s, err));
    return shrink_back(s, err);
}

eh_status verdict_locate(const verdict_form *form, eh_str content,
                         const verdict_result *wanted, eh_arena *arena,
                         verdict_place *place, eh_error *err) {
    search s = {.form = form, .content = content, .wanted = wanted, .arena = arena};
    bool same = false;
    *place = (verdict_place){0, 0};
    s.end = content.len;
    while (s.begin < s.end && is_blank(content.ptr[s.begin]))
        s.begin++;
    while (s.end > s.begin && is_blank(content.ptr[s.end - 1]))
        s.end--;
    if (wanted->verdict == EH_VERDICT_NONE || s.begin == s.end) return EH_STATUS_OK;
    EH_TRY(reads_same(&s, s.begin, s.end, &same, err));
    if (!same) return EH_STATUS_OK;
    EH_TRY(shrink(&s, is_line_end, err));
    if (s.end - s.begin > LONG_BYTES) EH_TRY(shrink(&s, is_blank, err));
    *place = (verdict_place){s.begin, s.end};
    return EH_STATUS_OK;
}
