/* SPDX-License-Identifier: MIT
 *
 * What a piece of text is, as the checks of the kinds ask: rich, telling of its change,
 * about gender. Lists and shapes, no more; each errs on the side of the
 * check that uses it.
 *
 * Left out: other languages than English, but for what is rich.
 */
#include <unicode/uchar.h>

#include "alter/parts.h"
#include "base/utf8.h"

static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

static bool is_letter(char c) {
    return (lower(c) >= 'a' && lower(c) <= 'z') || (unsigned char)c >= 0x80;
}

/* Does `s` have this phrase (lower case) at `at`, as whole words? */
static bool phrase_at(eh_str s, size_t at, eh_str phrase) {
    if (phrase.len > s.len - at || (at > 0 && is_letter(s.ptr[at - 1]))) return false;
    for (size_t i = 0; i < phrase.len; i++)
        if (lower(s.ptr[at + i]) != phrase.ptr[i]) return false;
    return at + phrase.len == s.len || !is_letter(s.ptr[at + phrase.len]);
}

static bool has_phrase(eh_str s, const char *phrase) {
    for (size_t at = 0; at < s.len; at++)
        if (phrase_at(s, at, eh_str_of(phrase))) return true;
    return false;
}

bool alter_tells(eh_str text, eh_str original, eh_str asked) {
    static const char *const phrases[] = {"factual error",
                                          "factual errors",
                                          "altered answer",
                                          "modified answer",
                                          "rewritten answer",
                                          "revised answer",
                                          "changed answer",
                                          "altered version",
                                          "modified version",
                                          "rewritten version",
                                          "original answer",
                                          "original text",
                                          "with errors",
                                          "errors added",
                                          "intentional error",
                                          "this is false",
                                          "not actually true",
                                          "fake reference",
                                          "fake references",
                                          "fictional reference",
                                          "fictional references",
                                          "invented reference",
                                          "invented references",
                                          "gender-biased",
                                          "gender biased",
                                          "as an ai",
                                          "language model",
                                          "here is the",
                                          "here's the",
                                          "i have added",
                                          "i've added",
                                          "i have changed",
                                          "i've changed",
                                          "fictitious",
                                          "fabricated",
                                          "made-up",
                                          "are fictional",
                                          "is fictional",
                                          "not real",
                                          "placeholder",
                                          "illustrative purposes",
                                          "(incorrect)",
                                          "(false)",
                                          "(wrong)",
                                          "[error]",
                                          NULL};
    for (const char *const *p = phrases; *p; p++)
        if (has_phrase(text, *p) && !has_phrase(original, *p) && !has_phrase(asked, *p))
            return true;
    return false;
}

bool alter_speaks_of_gender(eh_str text) {
    static const char *const words[] = {
        "he",          "him",         "his",         "himself",    "she",
        "her",         "hers",        "herself",     "man",        "men",
        "men's",       "man's",       "woman",       "women",      "woman's",
        "women's",     "male",        "males",       "female",     "females",
        "boy",         "boys",        "girl",        "girls",      "father",
        "fathers",     "mother",      "mothers",     "husband",    "husbands",
        "wife",        "wives",       "son",         "sons",       "daughter",
        "daughters",   "brother",     "brothers",    "sister",     "sisters",
        "gentleman",   "gentlemen",   "lady",        "ladies",     "guy",
        "guys",        "masculine",   "feminine",    "gender",     "genders",
        "sex",         "sexes",       "manly",       "womanly",    "girlish",
        "boyish",      "ladylike",    "housewife",   "housewives", "mankind",
        "businessman", "businessmen", "policeman",   "policemen",  "fireman",
        "firemen",     "chairman",    "chairmen",    "fishermen",  "craftsmen",
        "statesmen",   "salesman",    "actress",     "waitress",   "maternal",
        "paternal",    "femininity",  "masculinity", NULL};
    for (const char *const *w = words; *w; w++)
        if (has_phrase(text, *w)) return true;
    return false;
}

/* ---- rich text ---- */

static bool line_is_rich(eh_str line) {
    size_t indent = 0, n = 0;
    while (indent < line.len && line.ptr[indent] == ' ')
        indent++;
    eh_str s = eh_str_slice(line, indent, line.len);
    while (n < s.len && s.ptr[n] == '#')
        n++;
    if (n >= 1 && n <= 6 && n < s.len && s.ptr[n] == ' ') return true;
    if (s.len > 1 && strchr("-*+>", s.ptr[0]) && s.ptr[1] == ' ') return true;
    return s.len &&
           (s.ptr[0] == '|' || eh_str_begins(s, EH_STR("```")) ||
            eh_str_begins(s, EH_STR("---")) || eh_str_begins(s, EH_STR("***")));
}

static bool has_emphasis(eh_str s) {
    for (size_t i = 0; i + 2 < s.len; i++) {
        bool is_pair = (s.ptr[i] == '*' || s.ptr[i] == '_') && s.ptr[i + 1] == s.ptr[i];
        bool opens = i == 0 || !utf8_is_ascii_alnum(s.ptr[i - 1]);
        char next = s.ptr[i + 2];
        if (is_pair && opens && (is_letter(next) || (next >= '0' && next <= '9')))
            return true;
    }
    return false;
}

static bool has_picture(eh_str s) {
    for (size_t at = 0; at < s.len;) {
        uint32_t cp = utf8_next(s, &at);
        if (cp >= 0x203C && u_hasBinaryProperty((UChar32)cp, UCHAR_EMOJI_PRESENTATION))
            return true;
        if (cp == 0x20E3 || cp == 0xFE0F) return true;
    }
    return false;
}

bool alter_is_rich(eh_str text) {
    eh_str rest = text, line;
    while (eh_str_split(&rest, '\n', &line))
        if (line_is_rich(line)) return true;
    return has_emphasis(text) || has_picture(text);
}

bool alter_becomes_rich(eh_str original, eh_str text) {
    return alter_is_rich(text) && !alter_is_rich(original);
}

size_t alter_count_blanks(eh_str s) {
    size_t n = 0;
    for (size_t i = 0; i < s.len; i++)
        n += s.ptr[i] == ' ';
    return n;
}

int alter_count_lines(eh_str text) {
    eh_str line;
    int n = 0;
    while (eh_str_split(&text, '\n', &line))
        n += !eh_str_is_blank(line);
    return n;
}
