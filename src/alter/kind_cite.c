/* SPDX-License-Identifier: MIT
 *
 * Citations: what was added to an answer as a source, and both texts without it.
 *
 * A citation is a bracket or parenthesis with a year, "n.d.", an address or a number in
 * it, or one that begins with a name from the list of sources; raised figures; and that
 * list itself: a line called References, Sources and so on with all that follows, or
 * the items of a list at the end that each name a source. Words that lead to a citation
 * ("according to Lee (2019)") may have come with it, up to twelve. In the list a line
 * of more words that names no source is no part of it.
 *
 * Left out: citations in words alone ("as Newton said"), and lists of sources that are
 * called by another language's word.
 */
#include "alter/parts.h"

#include "base/utf8.h"

enum { LEAD_WORDS = 12, NAME_MIN = 3 };

static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* A year from 1000 to 2099 that is no part of a longer number. */
static bool year_at(eh_str s, size_t at) {
    if (at + 4 > s.len || (at > 0 && is_digit(s.ptr[at - 1]))) return false;
    for (size_t i = 0; i < 4; i++)
        if (!is_digit(s.ptr[at + i])) return false;
    return (s.ptr[at] == '1' ||
            eh_str_begins(eh_str_slice(s, at, s.len), EH_STR("20"))) &&
           (at + 4 == s.len || !is_digit(s.ptr[at + 4]));
}

static bool names_source(eh_str s) {
    static const char *const marks[] = {"n.d.", "http://", "https://", "www.", "doi",
                                        "isbn", "et al",   "ibid",     NULL};
    for (size_t at = 0; at < s.len; at++)
        if (year_at(s, at)) return true;
    for (const char *const *m = marks; *m; m++)
        for (size_t at = 0; at + strlen(*m) <= s.len; at++) {
            size_t i = 0;
            while ((*m)[i] && lower(s.ptr[at + i]) == (*m)[i])
                i++;
            if (!(*m)[i]) return true;
        }
    return false;
}

/* "1", "2, 3", "12-14", "^1" */
static bool is_numbers(eh_str s) {
    bool has = false;
    for (size_t i = 0; i < s.len; i++) {
        has |= is_digit(s.ptr[i]);
        if (!is_digit(s.ptr[i]) && !strchr(" ,;-^", s.ptr[i])) return false;
    }
    return has;
}

static bool is_raised(uint32_t cp) {
    return cp == 0xB9 || cp == 0xB2 || cp == 0xB3 || (cp >= 0x2070 && cp <= 0x2079);
}

static bool equals_folded(eh_str s, const char *lower_case) {
    size_t n = strlen(lower_case);
    for (size_t i = 0; i < s.len && i < n; i++)
        if (lower(s.ptr[i]) != lower_case[i]) return false;
    return s.len == n;
}

static bool is_heading_of_sources(eh_str line) {
    static const char *const names[] = {"references",       "reference",
                                        "reference list",   "sources",
                                        "source",           "bibliography",
                                        "works cited",      "citations",
                                        "footnotes",        "notes",
                                        "further reading",  "list of references",
                                        "references cited", NULL};
    eh_str s = eh_str_trim(line);
    while (s.len && strchr("#*_ ", s.ptr[0]))
        s = eh_str_slice(s, 1, s.len);
    while (s.len && strchr("*_: ", s.ptr[s.len - 1]))
        s.len--;
    for (const char *const *n = names; *n; n++)
        if (equals_folded(s, *n)) return true;
    return false;
}

/* "References" alone, or "Source: ..." */
static bool opens_sources(eh_str line) {
    size_t colon = eh_str_find(line, EH_STR(":"), 0);
    if (is_heading_of_sources(line)) return true;
    return colon != SIZE_MAX && is_heading_of_sources(eh_str_slice(line, 0, colon)) &&
           names_source(line);
}

/* An item of a list, or an address. */
static bool begins_as_source(eh_str line) {
    if (strchr("[-*^", line.ptr[0])) return true;
    if (eh_str_begins(line, EH_STR("http"))) return true;
    size_t n = 0;
    while (n < line.len && is_digit(line.ptr[n]))
        n++;
    return n > 0 && n < line.len && (line.ptr[n] == '.' || line.ptr[n] == ')');
}

/* Where the list of sources at the end begins: at its heading; without one, at the
 * first line from which on all are items that name a source. */
static size_t sources_begin(eh_str s) {
    size_t items = s.len, line_begin = 0;
    eh_str rest = s, line;
    while (eh_str_split(&rest, '\n', &line)) {
        size_t begin = line_begin;
        line_begin += line.len + 1;
        line = eh_str_trim(line);
        if (!line.len || begin == 0) continue;
        if (opens_sources(line)) return begin;
        if (!begins_as_source(line) || !names_source(line))
            items = s.len;
        else if (items == s.len)
            items = begin;
    }
    return items;
}

/* The bracket that closes the one at `at`, in the same line; SIZE_MAX without one. */
static size_t closing(eh_str s, size_t at) {
    char open = s.ptr[at], close = open == '(' ? ')' : ']';
    int depth = 0;
    for (size_t i = at; i < s.len && s.ptr[i] != '\n'; i++) {
        depth += s.ptr[i] == open;
        depth -= s.ptr[i] == close;
        if (depth == 0) return i;
    }
    return SIZE_MAX;
}

/* Does it begin with a name that the list of sources has? */
static bool is_in_sources(eh_str inside, eh_str sources) {
    size_t n = 0;
    while (n < inside.len &&
           (utf8_is_ascii_alnum(inside.ptr[n]) || (unsigned char)inside.ptr[n] >= 0x80))
        n++;
    return n >= NAME_MIN && inside.ptr[0] >= 'A' && inside.ptr[0] <= 'Z' &&
           eh_str_find(sources, eh_str_slice(inside, 0, n), 0) != SIZE_MAX;
}

/* Behind a citation that begins at `at`, or 0. */
static size_t citation_end(eh_str s, size_t at, eh_str sources) {
    size_t next = at;
    if (is_raised(utf8_next(s, &next))) return next;
    if (s.ptr[at] != '(' && s.ptr[at] != '[') return 0;
    size_t end = closing(s, at);
    if (end == SIZE_MAX) return 0;
    eh_str inside = eh_str_slice(s, at + 1, end);
    bool is_link = s.ptr[at] == '[' && end + 1 < s.len && s.ptr[end + 1] == '(';
    if (is_link) {
        size_t behind = citation_end(s, end + 1, sources);
        if (behind) return behind;
    }
    return is_numbers(inside) || names_source(inside) || is_in_sources(inside, sources)
               ? end + 1
               : 0;
}

/* Citations become marks, which are counted; the list of sources is one. */
static eh_status strip(eh_str text, eh_arena *arena, eh_str *bare, int64_t *n_marks,
                       eh_error *err) {
    size_t end = sources_begin(text), n = 0;
    eh_str sources = eh_str_slice(text, end, text.len);
    char *out = arena_alloc(arena, text.len + 1);
    if (!out) return EH_NOMEM(err);
    *n_marks = end < text.len;
    for (size_t at = 0; at < end;) {
        size_t behind = citation_end(text, at, sources);
        if (behind && behind <= end) {
            out[n++] = ALTER_STRIPPED;
            *n_marks += 1;
            at = behind;
            continue;
        }
        size_t next = at;
        (void)utf8_next(text, &next);
        memcpy(out + n, text.ptr + at, next - at);
        n += next - at;
        at = next;
    }
    if (end < text.len) out[n++] = ALTER_STRIPPED;
    *bare = (eh_str){out, n};
    return EH_STATUS_OK;
}

/* Did these words come with a citation: is a mark right before or behind them? */
static bool leads_to_mark(const alter_held *h, const alter_place *p) {
    size_t begin = p->b_begin ? h->words_b.list[p->b_begin - 1].end : 0;
    size_t end = p->b_end < h->words_b.n ? h->words_b.list[p->b_end].begin : h->b.len;
    return memchr(h->b.ptr + begin, ALTER_STRIPPED, end - begin) != NULL;
}

/* Does the list of sources have a line of prose, as when an answer goes on behind it or
 * a note says that all of it is made up? */
static bool list_talks(eh_str text, eh_str original) {
    eh_str rest = eh_str_slice(text, sources_begin(text), text.len), line;
    while (eh_str_split(&rest, '\n', &line)) {
        line = eh_str_trim(line);
        if (line.len && alter_count_blanks(line) >= LEAD_WORDS && !names_source(line) &&
            eh_str_find(original, line, 0) == SIZE_MAX)
            return true;
    }
    return false;
}

eh_status alter_check_references(eh_str original, eh_str text, eh_arena *arena,
                                 audit_reject *why, eh_error *err) {
    alter_held h = {0};
    int64_t n_before = 0, n_marks = 0;
    EH_TRY(strip(original, arena, &h.a, &n_before, err));
    EH_TRY(strip(text, arena, &h.b, &n_marks, err));
    EH_TRY(alter_hold(&h, arena, err));
    *why = n_marks > n_before ? AUDIT_REJECT_NONE : AUDIT_REJECT_NOT_OF_KIND;
    if (alter_becomes_rich(h.a, h.b)) *why = AUDIT_REJECT_RICH_TEXT;
    if (h.diff.too_far || list_talks(text, original)) *why = AUDIT_REJECT_TOO_MUCH;
    for (size_t i = 0; i < h.diff.n; i++) {
        const alter_place *p = &h.diff.places[i];
        if (p->a_begin != p->a_end || p->b_end - p->b_begin > LEAD_WORDS ||
            !leads_to_mark(&h, p))
            *why = AUDIT_REJECT_TOO_MUCH;
    }
    return EH_STATUS_OK;
}
