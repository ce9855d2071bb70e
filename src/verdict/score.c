/* SPDX-License-Identifier: MIT
 *
 * Rules 17 to 19: two labelled scores from 1 to 10.
 *
 *   Score of the Assistant 1 (1-10): 8/10
 *   label------------------- remark| number
 *
 * Long labels are looked for at every word, in any order. Short ones ("Assistant 1: 8")
 * are so common in prose that they count only as a whole line, and only where no long
 * label has a number at all.
 *
 * A slot collects what its labels say; the first number stays, any other one makes it
 * ambiguous. Nothing is decided before all of the text was seen.
 *
 * Left out: the order of the labels, and sentences about scores.
 */
#include "verdict/match.h"
#include "verdict/read.h"
#include "verdict/statement.h"

#include <math.h>

enum { SCALE_TOP = 10 };
static const double scale_low = 1;
static const double same_within = 1e-9;

typedef struct slot {
    bool found, conflict, off_scale;
    double value;
} slot;

static void slot_add(slot *s, const verdict_number *n) {
    if (n->kind == VERDICT_NUMBER_NONE) return;
    bool off_scale = n->kind == VERDICT_NUMBER_OFF_SCALE;
    bool differs = s->found && (fabs(s->value - n->value) > same_within ||
                                s->off_scale != off_scale);
    if (n->kind == VERDICT_NUMBER_RANGE || differs) s->conflict = true;
    if (!s->found) {
        s->value = n->value;
        s->off_scale = off_scale;
    }
    s->found = true;
}

static const char *const score_words[] = {"score", "rating", NULL};
static const char *const of_words[] = {"of", "for", "to", NULL};
static const char *const noun_words[] = {"assistant", "answer", "response", NULL};
static const char *const slot_words[] = {"1", "a", "2", "b", NULL};

/* [the] assistant N; the slot's index or -1. */
static int match_slot(eh_str s, size_t *i) {
    size_t at = *i;
    (void)match_words(s, &at, "the");
    if (match_any(s, &at, noun_words) < 0) return -1;
    int word = match_any(s, &at, slot_words);
    if (word < 0) return -1;
    *i = at;
    return word / 2;
}

/* "score of the assistant N" or "assistant N's score" at the word at *i. */
static int match_long_label(eh_str s, size_t *i) {
    size_t at = *i;
    int which;
    if (match_any(s, &at, score_words) >= 0) {
        if (match_any(s, &at, of_words) < 0) return -1;
        which = match_slot(s, &at);
    } else {
        which = match_slot(s, &at);
        if (which < 0 || !(match_bytes(s, &at, "'s") || match_bytes(s, &at, "’s")) ||
            match_any(s, &at, score_words) < 0)
            return -1;
    }
    *i = at;
    return which;
}

static bool match_separator(eh_str s, size_t *i, const char *marks) {
    size_t begin = *i;
    (void)match_words(s, i, "is");
    size_t at = match_skip_blanks(s, *i);
    bool is_mark = at < s.len && s.ptr[at] && strchr(marks, s.ptr[at]);
    bool is_sign = is_mark && s.ptr[at] == '-' && at + 1 < s.len &&
                   s.ptr[at + 1] >= '0' && s.ptr[at + 1] <= '9';
    if (is_mark && !is_sign) *i = at + 1;
    return *i > begin;
}

static void add_long_label(const verdict_view *view, size_t at, slot slots[2]) {
    int which = match_long_label(view->text, &at);
    if (which < 0) return;
    (void)match_remark(view->text, &at);
    if (!match_separator(view->text, &at, ":=|")) return;
    verdict_number n = verdict_number_read(view->text, at, SCALE_TOP);
    slot_add(&slots[which], &n);
}

static void read_long_labels(const verdict_view *view, slot slots[2]) {
    eh_str s = view->text;
    for (size_t i = 0; i < s.len; i++) {
        /* the first letters of score, rating, the, assistant, answer, response */
        if (view->quoted[i] || !s.ptr[i] || !strchr("srta", s.ptr[i])) continue;
        if (!match_is_alnum_before(s, i)) add_long_label(view, i, slots);
    }
}

/* Behind a number that ends a short label's line: a stop, a table's mark, a remark. */
static bool is_line_over(eh_str line, size_t i) {
    (void)match_bytes(line, &i, ".");
    (void)match_remark(line, &i);
    while (i < line.len && strchr(" \t.|", line.ptr[i]) && line.ptr[i])
        i++;
    return i == line.len;
}

static void add_short_label(eh_str line, slot slots[2]) {
    size_t i = verdict_skip_lead(line, 0);
    if (!match_words(line, &i, "assistant")) return;
    int word = match_any(line, &i, slot_words);
    if (word < 0) return;
    (void)match_remark(line, &i);
    if (!match_separator(line, &i, ":=|-")) return;
    verdict_number n = verdict_number_read(line, i, SCALE_TOP);
    if (n.kind != VERDICT_NUMBER_NONE && is_line_over(line, n.end_byte))
        slot_add(&slots[word / 2], &n);
}

static void read_short_labels(const verdict_view *view, slot slots[2]) {
    eh_str rest = view->text, line;
    while (eh_str_split(&rest, '\n', &line))
        add_short_label(line, slots);
}

static bool is_on_scale(const slot *s) {
    return !s->off_scale && s->value >= scale_low && s->value <= SCALE_TOP;
}

static eh_verdict larger(double score_1, double score_2) {
    if (fabs(score_1 - score_2) <= same_within) return EH_VERDICT_TIE;
    return score_1 > score_2 ? EH_VERDICT_1 : EH_VERDICT_2;
}

static void decide(const slot slots[2], verdict_result *result) {
    const slot *a = &slots[0], *b = &slots[1];
    if (a->conflict || b->conflict) {
        result->reason = VERDICT_REASON_AMBIGUOUS;
    } else if (!a->found || !b->found) {
        result->reason = VERDICT_REASON_NO_VERDICT;
    } else if (!is_on_scale(a) || !is_on_scale(b)) {
        result->reason = VERDICT_REASON_OUT_OF_RANGE;
    } else {
        result->has_scores = true;
        result->score_1 = a->value;
        result->score_2 = b->value;
        result->verdict = larger(a->value, b->value);
    }
}

eh_status verdict_read_score(eh_str text, eh_arena *arena, verdict_result *result,
                             eh_error *err) {
    verdict_view view;
    EH_TRY(verdict_view_make(text, arena, &view, err));
    slot slots[2] = {{0}, {0}};
    read_long_labels(&view, slots);
    if (!slots[0].found && !slots[1].found) read_short_labels(&view, slots);
    decide(slots, result);
    return EH_STATUS_OK;
}
