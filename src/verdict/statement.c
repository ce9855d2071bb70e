/* SPDX-License-Identifier: MIT
 *
 * Rules 10 to 14, as far as compare and likert share them: where statements may begin,
 * cue, link, the extent of the value, and the poll over ranks.
 *
 *   ### 3. So, on these facts, the **final verdict** (strict): Assistant B. It ...
 *   lead---openings----------------cue-------------- remark-- link value--------->
 *
 * Prose is never understood here. A sentence either is of the form above from its first
 * word on, or it is no statement; a word that is not on a list ends the attempt. So
 * "my first verdict" and "if the verdict is" need no list of traps.
 *
 * Linear: starts come in the order of the text and the text is walked once between
 * them. What a start reads ahead ends at its sentence's end, before the next start;
 * only its value runs on to the line's end, which is found once a line.
 *
 * Left out: what a value means (compare.c, likert.c).
 */
#include "verdict/statement.h"

#include "base/utf8.h"
#include "verdict/match.h"
#include "verdict/scan.h"

#include <unicode/uchar.h>

/* -- lead ------------------------------------------------------------------------- */

static bool is_lead_sign(uint32_t cp) {
    enum { TEXT_STYLE = 0xFE0E, EMOJI_STYLE = 0xFE0F };
    if (cp == TEXT_STYLE || cp == EMOJI_STYLE) return true;
    if (cp < 0x80 && strchr("\"'\\<>[](){}", (int)cp)) return false;
    return (U_MASK(u_charType((UChar32)cp)) &
            (U_GC_SO_MASK | U_GC_SK_MASK | U_GC_SM_MASK | U_GC_SC_MASK | U_GC_PO_MASK |
             U_GC_PD_MASK | U_GC_ME_MASK)) != 0;
}

static bool is_digit_at(eh_str s, size_t i) {
    return i < s.len && s.ptr[i] >= '0' && s.ptr[i] <= '9';
}

static size_t skip_digits(eh_str s, size_t i) {
    enum { MAX_DIGITS = 3 };
    size_t begin = i;
    while (i < s.len && i - begin < MAX_DIGITS && is_digit_at(s, i))
        i++;
    return i;
}

/* "3. ", "3) ", "(3) ", "2.1 ", a keycap; i where none stands. */
static size_t skip_numbering(eh_str s, size_t i) {
    size_t at = i, n_levels = 0;
    bool is_open = match_bytes(s, &at, "(");
    for (;;) {
        size_t end = skip_digits(s, at);
        if (end == at) break;
        n_levels++;
        at = end;
        if (!match_bytes(s, &at, ".")) break;
    }
    if (n_levels == 0) return i;
    if (!is_open && match_bytes(s, &at, "\xEF\xB8\x8F\xE2\x83\xA3")) return at;
    bool has_stop = match_bytes(s, &at, ")") || s.ptr[at - 1] == '.' || n_levels > 1;
    size_t behind = match_skip_blanks(s, at);
    bool has_text = behind > at && behind < s.len && s.ptr[behind] != '\n';
    return has_stop && has_text ? behind : i;
}

size_t verdict_skip_lead(eh_str s, size_t i) {
    while (i < s.len) {
        size_t at = skip_numbering(s, match_skip_blanks(s, i));
        if (at == i) {
            uint32_t cp = utf8_next(s, &at);
            if (!is_lead_sign(cp)) return i;
        }
        i = at;
    }
    return i;
}

/* -- starts ----------------------------------------------------------------------- */

static bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

const bool verdict_ends[256] = {
    ['\n'] = true, ['.'] = true,  ['!'] = true, ['?'] = true,
    [';'] = true,  [0xE3] = true, [0xEF] = true};

bool verdict_is_sentence_end(const verdict_view *view, size_t i, size_t *behind) {
    eh_str s = view->text;
    char c = s.ptr[i];
    if (view->quoted[i]) return false;
    if (c == '.' || c == '!' || c == '?' || c == ';') {
        *behind = i + 1;
        return i + 1 < s.len && is_blank(s.ptr[i + 1]);
    }
    *behind = i;
    return (unsigned char)c >= 0x80 &&
           (match_bytes(s, behind, "。") || match_bytes(s, behind, "！") ||
            match_bytes(s, behind, "？") || match_bytes(s, behind, "；"));
}

static size_t line_end(eh_str s, size_t i) {
    const char *lf = i < s.len ? memchr(s.ptr + i, '\n', s.len - i) : NULL;
    return lf ? (size_t)(lf - s.ptr) : s.len;
}

/* Off the end of a line: blanks, a table's mark, the closing marks of a heading (but
 * not the one of a "c#"). */
static size_t text_end(eh_str s, size_t begin, size_t end) {
    while (end > begin && (is_blank(s.ptr[end - 1]) || s.ptr[end - 1] == '|'))
        end--;
    size_t hashes = end;
    while (hashes > begin && s.ptr[hashes - 1] == '#')
        hashes--;
    if (hashes > begin && !is_blank(s.ptr[hashes - 1])) return end;
    while (hashes > begin && is_blank(s.ptr[hashes - 1]))
        hashes--;
    return hashes;
}

/* The next start after `i`: behind a sentence end or a line end. */
static size_t start_after(const verdict_view *view, size_t i) {
    size_t behind;
    for (; (i = scan_to(view->text, i, verdict_ends)) < view->text.len; i++) {
        if (view->text.ptr[i] == '\n') return i + 1;
        if (verdict_is_sentence_end(view, i, &behind)) return behind;
    }
    return i;
}

bool verdict_next_start(verdict_starts *it, verdict_start *start) {
    eh_str s = it->view->text;
    while (it->at < s.len) {
        if (it->at == 0 || it->at > it->line.line_end) {
            it->line.line_end = line_end(s, it->at);
            it->line.text_end = text_end(s, it->at, it->line.line_end);
        }
        /* The next start comes behind the lead: a row of stops has one start. */
        it->line.begin = verdict_skip_lead(s, it->at);
        it->at = start_after(it->view, it->line.begin);
        *start = it->line;
        if (start->begin < start->line_end && !it->view->quoted[start->begin])
            return true;
    }
    return false;
}

/* -- openings and cue ------------------------------------------------------------- */

static const char *const openings[] = {
    "overall",       "my",          "our",        "the",     "so",
    "thus",          "hence",       "therefore",  "and",     "finally",
    "in conclusion", "to conclude", "in summary", "here is", NULL};

enum { OPENING_OVERALL = 0 };

static const char *const clauses[] = {
    "based on",   "given",       "considering",           "after", "taking",
    "in view of", "in light of", "all things considered", "as",    NULL};

/* Behind the first comma of the sentence that is no decimal or thousands mark. */
static bool skip_clause(const verdict_view *view, size_t *at) {
    eh_str s = view->text;
    size_t behind;
    for (size_t i = *at; i < s.len && s.ptr[i] != '\n'; i++) {
        if (verdict_is_sentence_end(view, i, &behind)) return false;
        if (s.ptr[i] != ',' || view->quoted[i]) continue;
        if (is_digit_at(s, i - 1) && is_digit_at(s, i + 1)) continue;
        *at = i + 1;
        return true;
    }
    return false;
}

static bool skip_openings(const verdict_view *view, size_t *i, verdict_claim *claim) {
    eh_str s = view->text;
    bool had_clause = false;
    for (;;) {
        int opening = match_any(s, i, openings);
        if (opening >= 0) {
            if (opening == OPENING_OVERALL) claim->is_final = true;
            (void)match_bytes(s, i, ",");
        } else if (!had_clause && match_any(s, i, clauses) >= 0) {
            had_clause = true;
            if (!skip_clause(view, i)) return false;
        } else {
            return true;
        }
    }
}

static bool match_cue(eh_str s, size_t *i, const verdict_cues *cues,
                      verdict_claim *claim) {
    bool has_final = false;
    for (;;) {
        if (match_words(s, i, "final"))
            has_final = true;
        else if (match_words(s, i, "overall"))
            claim->is_final = true;
        else
            break;
    }
    if (match_words(s, i, "最终")) has_final = true;
    claim->is_final |= has_final;
    if (match_any(s, i, cues->words) >= 0 || match_any(s, i, cues->words_zh) >= 0)
        return true;
    claim->needs_token = has_final && cues->has_answer;
    return claim->needs_token && match_words(s, i, "answer");
}

/* -- link and value --------------------------------------------------------------- */

static const char *const link_words[] = {"is that", "is", "will be", "would be",
                                         "goes to", "为", "是",      NULL};

static bool match_link(eh_str s, size_t *i) {
    size_t begin = *i;
    (void)match_remark(s, i);
    size_t link_begin = *i;
    (void)match_any(s, i, link_words);
    for (;;) {
        size_t at = match_skip_blanks(s, *i);
        if (at >= s.len || !s.ptr[at]) break;
        if (!match_bytes(s, &at, "->")) {
            bool is_sign = s.ptr[at] == '-' && is_digit_at(s, at + 1);
            if (!strchr(":=|-", s.ptr[at]) || is_sign) break;
            at++;
        }
        *i = at;
    }
    if (*i > link_begin) return true;
    /* Without a link a remark may still stand before a token. */
    size_t at = match_skip_blanks(s, *i);
    if (at < s.len && s.ptr[at] != '[' && s.ptr[at] != '\n') *i = begin;
    return false;
}

static bool set_value(eh_str s, size_t begin, size_t end, verdict_span *value) {
    begin = match_skip_blanks(s, begin);
    *value = (verdict_span){begin, end};
    return begin < end;
}

/* The first line behind the LF at `i` that has more than marks. */
static bool next_line_value(eh_str s, size_t i, verdict_span *value) {
    while (i < s.len) {
        size_t begin = verdict_skip_lead(s, i + 1);
        i = line_end(s, begin);
        if (set_value(s, begin, text_end(s, begin, i), value)) return true;
    }
    return false;
}

static size_t char_len_before(eh_str s, size_t end) {
    size_t len = 1;
    while (((unsigned char)s.ptr[end - len] & 0xC0) == 0x80)
        len++;
    return len;
}

/* Takes quotation marks off that stand round all of the value, a final stop apart. */
static void drop_quotation(const verdict_view *view, verdict_claim *claim) {
    eh_str s = view->text;
    size_t begin = claim->value.begin, end = claim->value.end, i = begin;
    while (i < end && view->quoted[i])
        i++;
    if (i == begin) return;
    size_t rest = i;
    if (!match_bytes(s, &rest, ".")) (void)match_bytes(s, &rest, "。");
    if (rest != end) return;
    (void)utf8_next(s, &begin);
    size_t inner_end = i - char_len_before(s, i);
    while (inner_end > begin && is_blank(s.ptr[inner_end - 1]))
        inner_end--;
    claim->is_quotation = set_value(s, begin, inner_end, &claim->value);
}

bool verdict_claim_read(const verdict_view *view, const verdict_start *start,
                        const verdict_cues *cues, verdict_claim *claim) {
    eh_str s = view->text;
    size_t i = start->begin;
    *claim = (verdict_claim){0};
    if (!skip_openings(view, &i, claim) || !match_cue(s, &i, cues, claim)) return false;
    claim->has_link = match_link(s, &i);
    if (!set_value(s, i, start->text_end, &claim->value)) {
        claim->has_link = true;
        if (!next_line_value(s, start->line_end, &claim->value)) return false;
    }
    drop_quotation(view, claim);
    return true;
}

/* -- poll ------------------------------------------------------------------------- */

void verdict_poll_add(verdict_poll *poll, bool is_final, verdict_poll_vote vote) {
    verdict_poll_vote *rank = &poll->ranks[is_final];
    if (rank->kind == VERDICT_POLL_NONE)
        *rank = vote;
    else if (rank->kind != vote.kind || rank->value < vote.value ||
             rank->value > vote.value)
        rank->kind = VERDICT_POLL_CONFLICT;
}

verdict_poll_vote verdict_poll_result(const verdict_poll *poll) {
    const verdict_poll_vote *final = &poll->ranks[1];
    return final->kind != VERDICT_POLL_NONE ? *final : poll->ranks[0];
}
