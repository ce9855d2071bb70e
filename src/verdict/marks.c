/* SPDX-License-Identifier: MIT
 *
 * Reading templates: verdict marks of other tools' replies (rules 28 to 33).
 *
 * Text and marks are folded alike, and runs of white space become one space, so that a
 * mark is found as it stands, by plain search:
 *
 *   where: anywhere     the first tier that has a mark in the text decides; within it
 *                       `pick` says what several marks mean
 *   where: first_line   the line is a mark as a whole, or (scores) two numbers
 *   where: last_line
 *
 * A template has a handful of marks, so each is searched by itself; time is linear in
 * the text for every one of them. Marks that overlap all count: a mark that is part of
 * another belongs into a later tier.
 *
 * Left out on purpose: rule 6. Recorded readings searched fences and quotations too,
 * and these templates exist to repeat them.
 */
#include "verdict/read.h"

#include "base/utf8.h"
#include "verdict/scan.h"

#include <math.h>
#include <unicode/uchar.h>

static const double SCORE_EQUAL = 1e-9;

/* A folded mark. */
typedef struct needle {
    eh_str text;
    verdict_mark_key key;
    bool begins_word, ends_word; /* with a letter or digit */
    size_t anchor;               /* its first bracket, or its length */
} needle;

static bool is_space(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Runs of white space become one space; none at the ends. Single spaces are left where
 * they are, so only the other places are stopped at. */
static eh_status squeeze(eh_str text, eh_arena *arena, eh_str *squeezed,
                         eh_error *err) {
    static const bool tabs[256] = {
        ['\t'] = true, ['\n'] = true, ['\v'] = true, ['\f'] = true, ['\r'] = true};
    text = eh_str_trim(text);
    char *out = arena_alloc(arena, text.len + 1);
    if (!out) return EH_NOMEM(err);
    size_t n = 0, pair = 0;
    for (size_t i = 0; i < text.len;) {
        if (pair <= i) pair = eh_str_find(text, EH_STR("  "), i);
        size_t stop =
            scan_to(eh_str_slice(text, 0, pair < text.len ? pair : text.len), i, tabs);
        memcpy(out + n, text.ptr + i, stop - i);
        n += stop - i;
        if (stop == text.len) break;
        if (out[n - 1] != ' ') out[n++] = ' ';
        for (i = stop; is_space(text.ptr[i]);)
            i++;
    }
    *squeezed = (eh_str){out, n};
    return EH_STATUS_OK;
}

/* A letter or digit at `at`. */
static bool word_at(eh_str text, size_t at) {
    return at < text.len && u_isalnum((UChar32)utf8_next(text, &at));
}

static bool word_before(eh_str text, size_t at) {
    size_t begin = at;
    do {
        if (begin == 0) return false;
        begin--;
    } while (((unsigned char)text.ptr[begin] & 0xC0) == 0x80);
    return word_at(text, begin);
}

static eh_status fold_mark(const verdict_mark *mark, eh_arena *arena, needle *out,
                           eh_error *err) {
    eh_str text;
    EH_TRY(verdict_fold(mark->text, arena, &text, err));
    EH_TRY(squeeze(text, arena, &text, err));
    static const bool brackets[256] = {
        ['['] = true, ['('] = true, ['{'] = true, ['<'] = true};
    *out = (needle){.text = text,
                    .key = mark->key,
                    .begins_word = word_at(text, 0),
                    .ends_word = word_before(text, text.len),
                    .anchor = scan_to(text, 0, brackets)};
    return EH_STATUS_OK;
}

/* The first occurrence at or after `from`. Marks of other tools are full of brackets,
 * which are rare in prose: then their first bracket is looked for. */
static size_t needle_occurs(const needle *n, eh_str text, size_t from) {
    if (n->text.len > text.len || from > text.len - n->text.len) return SIZE_MAX;
    if (n->anchor == n->text.len) return eh_str_find(text, n->text, from);
    size_t last = text.len - n->text.len; /* where an occurrence may begin at most */
    char c = n->text.ptr[n->anchor];
    while (from <= last) {
        size_t at = scan_to_byte(text, from + n->anchor, c) - n->anchor;
        if (at > last) return SIZE_MAX;
        if (memcmp(text.ptr + at, n->text.ptr, n->text.len) == 0) return at;
        from = at + 1;
    }
    return SIZE_MAX;
}

/* Rule 30: the first place at or after `from` where the mark stands by itself. */
static size_t needle_find(const needle *n, eh_str text, size_t from) {
    size_t at = from;
    if (n->text.len == 0) return SIZE_MAX; /* nothing was left of it */
    while ((at = needle_occurs(n, text, at)) != SIZE_MAX) {
        bool touches = (n->begins_word && word_before(text, at)) ||
                       (n->ends_word && word_at(text, at + n->text.len));
        if (!touches) return at;
        at++;
    }
    return SIZE_MAX;
}

static size_t needle_find_last(const needle *n, eh_str text) {
    size_t last = SIZE_MAX;
    size_t at = needle_find(n, text, 0);
    while (at != SIZE_MAX) {
        last = at;
        at = needle_find(n, text, at + 1);
    }
    return last;
}

/* The mark that a tier goes by. */
typedef struct found {
    bool is_any;
    bool differs; /* pick: only, and marks of several keys */
    size_t at, len;
    verdict_mark_key key;
} found;

/* Rule 31; at one place the longer mark. */
static bool is_preferred(const found *f, verdict_pick pick, size_t at, size_t len) {
    if (!f->is_any) return true;
    if (at == f->at) return len > f->len;
    return pick == VERDICT_PICK_LAST ? at > f->at : at < f->at;
}

static eh_status search_tier(const verdict_marks *marks, const verdict_tier *tier,
                             eh_str text, eh_arena *arena, found *f, eh_error *err) {
    *f = (found){0};
    for (size_t i = 0; i < tier->n_marks; i++) {
        needle n;
        EH_TRY(fold_mark(&tier->marks[i], arena, &n, err));
        size_t at = marks->pick == VERDICT_PICK_LAST ? needle_find_last(&n, text)
                                                     : needle_find(&n, text, 0);
        if (at == SIZE_MAX) continue;
        if (f->is_any && f->key != n.key && marks->pick == VERDICT_PICK_ONLY)
            f->differs = true;
        if (is_preferred(f, marks->pick, at, n.text.len)) {
            f->at = at;
            f->len = n.text.len;
            f->key = n.key;
        }
        f->is_any = true;
    }
    return EH_STATUS_OK;
}

static eh_str without_stop(eh_str line) {
    if (eh_str_ends(line, EH_STR("."))) return eh_str_slice(line, 0, line.len - 1);
    if (eh_str_ends(line, EH_STR("\u3002")))
        return eh_str_slice(line, 0, line.len - strlen("\u3002"));
    return line;
}

/* Rule 29: the line as a whole; equal texts under two keys differ. */
static eh_status match_tier(const verdict_tier *tier, eh_str line, eh_arena *arena,
                            found *f, eh_error *err) {
    *f = (found){0};
    for (size_t i = 0; i < tier->n_marks; i++) {
        needle n;
        EH_TRY(fold_mark(&tier->marks[i], arena, &n, err));
        if (!eh_str_eq(without_stop(n.text), without_stop(line))) continue;
        if (f->is_any && f->key != n.key) f->differs = true;
        f->key = n.key;
        f->is_any = true;
    }
    return EH_STATUS_OK;
}

/* Rule 32. */
static void decide(const found *f, verdict_result *result) {
    if (!f->is_any) {
        result->reason = VERDICT_REASON_NO_VERDICT;
        return;
    }
    if (f->differs) {
        result->reason = VERDICT_REASON_AMBIGUOUS;
        return;
    }
    switch (f->key) {
    case VERDICT_MARK_FIRST_MUCH:
    case VERDICT_MARK_FIRST: result->verdict = EH_VERDICT_1; break;
    case VERDICT_MARK_TIE: result->verdict = EH_VERDICT_TIE; break;
    case VERDICT_MARK_SECOND:
    case VERDICT_MARK_SECOND_MUCH: result->verdict = EH_VERDICT_2; break;
    }
}

/* The first or the last line with anything on it; empty where there is none. */
static eh_str pick_line(eh_str text, verdict_where where) {
    text = eh_str_trim(text);
    const char *feed = NULL;
    if (text.len)
        feed = where == VERDICT_WHERE_LAST_LINE ? memrchr(text.ptr, '\n', text.len)
                                                : memchr(text.ptr, '\n', text.len);
    if (!feed) return text;
    size_t at = (size_t)(feed - text.ptr);
    return where == VERDICT_WHERE_LAST_LINE ? eh_str_slice(text, at + 1, text.len)
                                            : eh_str_slice(text, 0, at);
}

/* Rule 33: what the line is made of. */
typedef struct score_line {
    eh_str text;
    size_t at;
    double high;
    bool has_range;
} score_line;

static char peek(const score_line *l) {
    return l->at < l->text.len ? l->text.ptr[l->at] : '\0';
}

static void skip_spaces(score_line *l) {
    while (peek(l) == ' ')
        l->at++;
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* Digits, perhaps with a decimal point. What is too long for a double is off any scale.
 */
static bool read_digits(score_line *l, double *value) {
    size_t begin = l->at;
    while (is_digit(peek(l)))
        l->at++;
    if (l->at == begin) return false;
    if (peek(l) == '.' && l->at + 1 < l->text.len && is_digit(l->text.ptr[l->at + 1])) {
        l->at++;
        while (is_digit(peek(l)))
            l->at++;
    }
    if (!eh_str_to_f64(eh_str_slice(l->text, begin, l->at), value)) *value = HUGE_VAL;
    return true;
}

/* A number, perhaps "/high"; or a range "a-b", which is remembered. */
static bool read_item(score_line *l, double *value) {
    double top;
    bool is_negative = peek(l) == '-';
    if (is_negative) l->at++;
    if (!read_digits(l, value)) return false;
    if (is_negative) *value = -*value;
    if (peek(l) == '/') {
        l->at++;
        if (!read_digits(l, &top) || fabs(top - l->high) > SCORE_EQUAL) return false;
    }
    size_t behind = l->at;
    skip_spaces(l);
    if (peek(l) == '-') {
        l->at++;
        skip_spaces(l);
        l->has_range = true;
        return read_digits(l, &top);
    }
    l->at = behind;
    return true;
}

/* The two numbers; VERDICT_REASON_NONE where they are there and on the scale. */
static verdict_reason read_scores(eh_str line, const verdict_marks *marks,
                                  double scores[2]) {
    score_line l = {.text = line, .high = marks->score_high};
    size_t n = 0;
    for (;;) {
        if (n == 2 || !read_item(&l, &scores[n])) return VERDICT_REASON_NO_VERDICT;
        n++;
        if (l.at == line.len) break;
        size_t behind = l.at;
        skip_spaces(&l);
        if (peek(&l) == ',') {
            l.at++;
            skip_spaces(&l);
        }
        if (l.at == behind) return VERDICT_REASON_NO_VERDICT;
    }
    if (l.has_range) return VERDICT_REASON_AMBIGUOUS;
    if (n != 2) return VERDICT_REASON_NO_VERDICT;
    for (size_t i = 0; i < 2; i++)
        if (scores[i] < marks->score_low || scores[i] > marks->score_high)
            return VERDICT_REASON_OUT_OF_RANGE;
    return VERDICT_REASON_NONE;
}

static void decide_scores(eh_str line, const verdict_marks *marks,
                          verdict_result *result) {
    double scores[2] = {0, 0};
    result->reason = read_scores(line, marks, scores);
    if (result->reason != VERDICT_REASON_NONE) return;
    result->has_scores = true;
    result->score_1 = scores[0];
    result->score_2 = scores[1];
    result->verdict = fabs(scores[0] - scores[1]) <= SCORE_EQUAL ? EH_VERDICT_TIE
                      : scores[0] > scores[1]                    ? EH_VERDICT_1
                                                                 : EH_VERDICT_2;
}

eh_status verdict_read_marks(const verdict_marks *marks, eh_str text, eh_arena *arena,
                             verdict_result *result, eh_error *err) {
    bool is_line = marks->where != VERDICT_WHERE_ANYWHERE;
    EH_TRY(verdict_fold(text, arena, &text, err));
    if (is_line) text = pick_line(text, marks->where);
    EH_TRY(squeeze(text, arena, &text, err));
    if (marks->has_scores) {
        decide_scores(text, marks, result);
        return EH_STATUS_OK;
    }
    found f = {0};
    for (size_t i = 0; i < marks->n_tiers && !f.is_any; i++) {
        const verdict_tier *tier = &marks->tiers[i];
        EH_TRY(is_line ? match_tier(tier, text, arena, &f, err)
                       : search_tier(marks, tier, text, arena, &f, err));
    }
    decide(&f, result);
    return EH_STATUS_OK;
}
