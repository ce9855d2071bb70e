/* SPDX-License-Identifier: MIT
 *
 * Rich content: without Markdown and emoji, do both texts have the same words?
 *
 * Some of Markdown has words of its own, which may come: headings, labels in bold at
 * the beginning of a line, the numbers of lists, the addresses of links, whole pictures
 * and emoji by name (:star:). These pieces are taken out of the new text, unless the
 * original has their words, so that an answer's own title may become a heading:
 *
 *   ## How a kite flies                        a piece; not in the original: goes
 *   **Lift:** The *wind* pushes ...            a piece, and plain words behind it
 *
 * What is left must have the words of the original, in their order.
 *
 * Left out: tables whose cells are filled with new words, which are refused.
 */
#include "alter/parts.h"

#include "base/utf8.h"

enum { HEADING_WORDS = 12, PIECES_MAX = 512 };

typedef struct piece {
    size_t begin, end; /* bytes of the text */
} piece;

typedef struct pieces {
    eh_str text;
    piece list[PIECES_MAX];
    size_t n;
    bool is_long; /* one has more words than a heading has, or there are too many */
} pieces;

static void add_piece(pieces *p, size_t begin, size_t end, bool is_heading) {
    if (p->n == PIECES_MAX ||
        (is_heading &&
         alter_count_blanks(eh_str_slice(p->text, begin, end)) > HEADING_WORDS)) {
        p->is_long = true;
        return;
    }
    p->list[p->n++] = (piece){begin, end};
}

static eh_str from(eh_str s, size_t at) {
    return eh_str_slice(s, at, s.len);
}

static bool is_ruler(eh_str line) {
    line = eh_str_trim(line);
    if (line.len < 3 || (line.ptr[0] != '=' && line.ptr[0] != '-')) return false;
    for (size_t i = 1; i < line.len; i++)
        if (line.ptr[i] != line.ptr[0]) return false;
    return true;
}

/* What a line may have before its first word: marks, figures of a list, pictures. */
static size_t skip_marks(eh_str s, size_t at, size_t end, bool figures) {
    while (at < end) {
        unsigned char c = (unsigned char)s.ptr[at];
        bool is_figure = figures && ((c >= '0' && c <= '9') || c == '.' || c == ')');
        if (!is_figure && !strchr(" \t>-+*#", c)) {
            size_t next = at;
            uint32_t cp = c >= 0x80 ? utf8_next(s, &next) : 0;
            if (cp < 0x2022) break;
            at = next;
        } else if (c == '*' && at + 1 < end && s.ptr[at + 1] == '*') {
            break;
        } else {
            at++;
        }
    }
    return at;
}

/* Behind the closing ** of bold text that opens at `at`, or 0. */
static size_t bold_end(eh_str s, size_t at, size_t end) {
    if (at + 4 >= end || !eh_str_begins(from(s, at), EH_STR("**"))) return 0;
    size_t close = eh_str_find(s, EH_STR("**"), at + 2);
    return close != SIZE_MAX && close + 2 <= end ? close + 2 : 0;
}

/* A heading, or the label that a line begins with. */
static void read_line(pieces *p, size_t begin, size_t end, bool is_underlined) {
    eh_str s = p->text;
    size_t at = begin;
    while (at < end && (s.ptr[at] == ' ' || s.ptr[at] == '>'))
        at++;
    if ((at < end && s.ptr[at] == '#') || is_underlined) {
        add_piece(p, begin, end, true);
        return;
    }
    size_t label = skip_marks(s, at, end, true), behind = bold_end(s, label, end);
    if (behind) {
        size_t after = skip_marks(s, behind, end, false);
        bool is_whole = after == end || s.ptr[end - 1] == ':';
        bool has_colon =
            s.ptr[behind - 3] == ':' || (behind < end && s.ptr[behind] == ':');
        if (is_whole && alter_count_blanks(eh_str_slice(s, behind, end)) < 3)
            add_piece(p, begin, end, true);
        else if (has_colon)
            add_piece(p, begin, behind, true);
        else
            behind = 0;
    }
    if (!behind && label > at) add_piece(p, at, label, false);
}

/* Behind a picture, address, tag or named emoji that begins at `at`, or 0. */
static size_t inline_end(eh_str s, size_t at) {
    size_t i = at + 1;
    if (s.ptr[at] == ':') {
        while (i < s.len && (utf8_is_ascii_alnum(s.ptr[i]) || strchr("_+-", s.ptr[i])))
            i++;
        return i < s.len && s.ptr[i] == ':' && i > at + 2 ? i + 1 : 0;
    }
    if (s.ptr[at] == '<') {
        while (i < s.len && (utf8_is_ascii_alnum(s.ptr[i]) || s.ptr[i] == '/'))
            i++;
        return i < s.len && s.ptr[i] == '>' && i > at + 1 ? i + 1 : 0;
    }
    bool is_picture = eh_str_begins(from(s, at), EH_STR("!["));
    if (!is_picture && !eh_str_begins(from(s, at), EH_STR("](http"))) return 0;
    size_t open = is_picture ? eh_str_find(s, EH_STR("]("), at) : at;
    size_t close = open == SIZE_MAX ? SIZE_MAX : eh_str_find(s, EH_STR(")"), open);
    size_t line = eh_str_find(s, EH_STR("\n"), at);
    return close != SIZE_MAX && close < line ? close + 1 : 0;
}

/* Pieces of a line that are not in one already; they rise. */
static void read_inline(pieces *p, size_t begin, size_t end) {
    if (p->n && p->list[p->n - 1].end > begin) begin = p->list[p->n - 1].end;
    for (size_t at = begin; at < end;) {
        size_t behind = strchr(":<!]", p->text.ptr[at]) && p->text.ptr[at]
                            ? inline_end(p->text, at)
                            : 0;
        if (behind) add_piece(p, at, behind, false);
        at = behind ? behind : at + 1;
    }
}

static void find_pieces(pieces *p) {
    for (size_t at = 0; at < p->text.len;) {
        size_t end = eh_str_find(p->text, EH_STR("\n"), at);
        if (end == SIZE_MAX) end = p->text.len;
        size_t next = end < p->text.len ? end + 1 : end;
        size_t next_end = eh_str_find(p->text, EH_STR("\n"), next);
        if (next_end == SIZE_MAX) next_end = p->text.len;
        bool has_text = !eh_str_is_blank(eh_str_slice(p->text, at, end));
        bool is_underlined = has_text && next < p->text.len &&
                             is_ruler(eh_str_slice(p->text, next, next_end));
        read_line(p, at, end, is_underlined);
        read_inline(p, at, end);
        at = next;
    }
}

/* ---- without them ---- */

/* How often these words stand in a text one behind the other. */
static size_t occurrences(const alter_tokens *words, const alter_tokens *of) {
    size_t n = 0;
    for (size_t i = 0; of->n && i + of->n <= words->n; i++) {
        size_t k = 0;
        while (k < of->n && words->list[i + k].fold == of->list[k].fold)
            k++;
        n += k == of->n;
    }
    return n;
}

/* Emphasis may stand inside of a word. */
static void add_plain(eh_str s, char *out, size_t *n) {
    for (size_t i = 0; i < s.len; i++) {
        bool is_double = i + 1 < s.len && s.ptr[i] == '_' && s.ptr[i + 1] == '_';
        if (s.ptr[i] == '*' || s.ptr[i] == '`') continue;
        i += is_double;
        if (!is_double) out[(*n)++] = s.ptr[i];
    }
}

/* The text without the pieces for which `goes` is set (NULL: all). */
static eh_status strip(const pieces *p, const bool *goes, eh_arena *arena, eh_str *bare,
                       eh_error *err) {
    char *out = arena_alloc(arena, p->text.len + p->n + 1);
    size_t at = 0, n = 0;
    if (!out) return EH_NOMEM(err);
    for (size_t i = 0; i < p->n; i++) {
        if (goes && !goes[i]) continue;
        add_plain(eh_str_slice(p->text, at, p->list[i].begin), out, &n);
        out[n++] = ALTER_STRIPPED;
        at = p->list[i].end;
    }
    add_plain(from(p->text, at), out, &n);
    *bare = (eh_str){out, n};
    return EH_STATUS_OK;
}

/* A piece stays where the original has its words more often than the rest has. */
static eh_status choose(const pieces *p, const alter_tokens *original, eh_arena *arena,
                        bool *goes, eh_error *err) {
    eh_str rest = {NULL, 0};
    alter_tokens rest_words = {0}, words = {0};
    EH_TRY(strip(p, NULL, arena, &rest, err));
    EH_TRY(alter_words_read(rest, arena, &rest_words, err));
    for (size_t i = 0; i < p->n; i++) {
        eh_str text = eh_str_slice(p->text, p->list[i].begin, p->list[i].end);
        EH_TRY(alter_words_read(text, arena, &words, err));
        goes[i] = occurrences(original, &words) <= occurrences(&rest_words, &words);
    }
    return EH_STATUS_OK;
}

eh_status alter_check_rich(eh_str original, eh_str text, eh_arena *arena,
                           audit_reject *why, eh_error *err) {
    pieces *p = arena_zalloc(arena, 1, sizeof *p);
    bool *goes = arena_zalloc(arena, PIECES_MAX, sizeof *goes);
    alter_held h = {0};
    if (!p || !goes) return EH_NOMEM(err);
    *why = AUDIT_REJECT_NOT_OF_KIND;
    if (!alter_is_rich(text)) return EH_STATUS_OK;
    p->text = original; /* without pieces: its emphasis goes, its words stay */
    EH_TRY(strip(p, NULL, arena, &h.a, err));
    EH_TRY(alter_words_read(h.a, arena, &h.words_a, err));
    p->text = text;
    find_pieces(p);
    EH_TRY(choose(p, &h.words_a, arena, goes, err));
    EH_TRY(strip(p, goes, arena, &h.b, err));
    EH_TRY(alter_hold(&h, arena, err));
    bool is_same = !h.diff.too_far && h.diff.n == 0;
    *why = is_same && !p->is_long ? AUDIT_REJECT_NONE : AUDIT_REJECT_TOO_MUCH;
    return EH_STATUS_OK;
}
