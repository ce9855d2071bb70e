/* SPDX-License-Identifier: MIT
 *
 * Full stops that end no sentence although a new one could begin behind them.
 *
 * Looked at is the word before the stop and, for some, the word after it:
 *
 *   J. R. Hale       one capital, white space or a stop before it, a capital after it
 *   Dr. Osei         a title: never an end
 *   z. B. Oslo       an abbreviation, written with or without spaces
 *   Fig. 2, Nr. 5    an abbreviation that wants a number
 *   1. Februar       one or two digits and the name of a German month
 *
 * The lists hold what is common in English, German, French and Spanish answers. A word
 * that may as well end a sentence (etc., usw., Inc., a.m.) is in none of them. Text
 * whose language is unknown is read with all lists at once, so nothing is in them that
 * is an ordinary word of another of these languages.
 *
 * Everything looks back and ahead over a bounded number of bytes, which keeps the
 * cutting linear.
 */
#include "align/sentence.h"

#include "base/utf8.h"

enum {
    MAX_WORD_BYTES = 24,
    MAX_SHORT_BYTES = 4, /* a part of a spaced abbreviation, with its stop */
    MAX_JOINED_BYTES = MAX_WORD_BYTES + 2 * MAX_SHORT_BYTES
};

static const char *const titles[] = {
    "Dr",  "Mr",   "Mrs",  "Ms",   "Mx",  "Prof", "St",     "Rev", "Hon",
    "Gen", "Col",  "Capt", "Cmdr", "Lt",  "Sgt",  "Maj",    "Gov", "Sen",
    "Rep", "Pres", "Sr",   "Jr",   "Mt",  "Ft",   "Messrs", "Hr",  "Fr",
    "Frl", "Dipl", "Ing",  "MM",   "Mme", "Mlle", "Mgr",    "Sra", "Srta",
    "Dra", "Lic",  "Arq",  "Ud",   "Uds", "Dott", NULL};

/* Without spaces and without the last stop. */
static const char *const phrases[] = {
    "e.g", "i.e",   "vs",   "cf",   "viz",  "approx", "ca",     "z.B",   "d.h", "u.a",
    "u.U", "i.d.R", "z.T",  "v.a",  "m.E",  "u.E",    "o.g",    "sog",   "vgl", "bzw",
    "ggf", "evtl",  "inkl", "exkl", "p.ej", "p.ex",   "c.-à-d", "et.al", NULL};

/* Only their inner stops are inner: they may end a sentence. */
static const char *const spaced[] = {"v.Chr", "n.Chr", "EE.UU", "s.o", "s.u",
                                     "e.V",   "a.D",   "i.V",   NULL};

static const char *const numbered[] = {
    "no", "nos",  "nr",  "nrn",  "fig", "figs", "p",   "pp",   "vol", "vols",
    "ch", "chap", "sec", "sect", "eq",  "eqs",  "art", "arts", "abb", "tab",
    "bd", "kap",  "abs", "s",    "núm", "num",  "pág", "págs", "cap", "tel",
    "op", "ver",  "ex",  "n",    "t",   "env",  "lib", "tit",  NULL};

static const char *const german_months[] = {
    "Januar", "Jänner", "Februar", "Feber",     "März",    "April",    "Mai",
    "Juni",   "Juli",   "August",  "September", "Oktober", "November", "Dezember",
    "Jan",    "Feb",    "Mär",     "Apr",       "Jun",     "Jul",      "Aug",
    "Sep",    "Sept",   "Okt",     "Nov",       "Dez",     NULL};

/* Capital and small ASCII letters count as equal where `fold` is set. */
static bool listed(const char *const *list, eh_str word, bool fold) {
    for (; *list; list++) {
        const char *entry = *list;
        size_t i = 0;
        while (i < word.len && entry[i]) {
            char c = word.ptr[i];
            if (fold && c >= 'A' && c <= 'Z') c = (char)(c - 'A' + 'a');
            if (c != entry[i]) break;
            i++;
        }
        if (i == word.len && entry[i] == '\0') return true;
    }
    return false;
}

/* Do the letters of `head` begin a listed abbreviation whose next letter follows a stop
 * ("z" of "z.B")? */
static bool begins_listed(const char *const *list, eh_str head) {
    for (; *list; list++) {
        eh_str entry = eh_str_of(*list);
        if (entry.len > head.len && entry.ptr[head.len] == '.' &&
            eh_str_begins(entry, head))
            return true;
    }
    return false;
}

static bool is_letter(char_class c) {
    return c == CHAR_UPPER || c == CHAR_LOWER || c == CHAR_LETTER;
}

/* The word that ends at `end`: letters and digits, with stops and hyphens inside. Empty
 * where it is longer than an abbreviation is. */
static eh_str word_before(eh_str s, size_t end) {
    size_t begin = end;
    while (begin > 0 && end - begin <= MAX_WORD_BYTES) {
        size_t at;
        char_class c = char_class_of(char_before(s, begin, &at));
        bool inside = is_letter(c) || c == CHAR_DIGIT || c == CHAR_EXTEND ||
                      s.ptr[at] == '.' || s.ptr[at] == '-';
        if (!inside) break;
        begin = at;
    }
    if (end - begin > MAX_WORD_BYTES) begin = end;
    return eh_str_slice(s, begin, end);
}

static eh_str word_after(eh_str s, size_t begin) {
    size_t end = begin;
    while (end < s.len && end - begin <= MAX_WORD_BYTES) {
        char_class c = char_class_at(s, end);
        if (!is_letter(c) && c != CHAR_DIGIT && c != CHAR_EXTEND) break;
        (void)utf8_next(s, &end);
    }
    return eh_str_slice(s, begin, end);
}

/* Filled from the end. */
typedef struct joined_words {
    char bytes[MAX_JOINED_BYTES];
    size_t begin;
} joined_words;

static void put_before(joined_words *joined, eh_str word) {
    joined->begin -= word.len;
    memcpy(joined->bytes + joined->begin, word.ptr, word.len);
}

/* `word` with short words in front of it that end in a stop: "z. B" gives "z.B". Three
 * words in all are what the lists need. */
static eh_str join_spaced(eh_str s, eh_str word, joined_words *joined) {
    size_t begin = (size_t)(word.ptr - s.ptr);
    joined->begin = sizeof joined->bytes;
    put_before(joined, word);
    for (int k = 0; k < 2; k++) {
        size_t end = begin;
        while (end > 0 && s.ptr[end - 1] == ' ')
            end--;
        if (end == begin || end == 0 || s.ptr[end - 1] != '.') break;
        eh_str before = word_before(s, end);
        if (before.len < 2 || before.len > MAX_SHORT_BYTES) break;
        put_before(joined, before);
        begin = (size_t)(before.ptr - s.ptr);
    }
    return (eh_str){joined->bytes + joined->begin,
                    sizeof joined->bytes - joined->begin};
}

/* "et" and white space stand before "al". */
static bool is_et_al(eh_str s, eh_str word) {
    if (!eh_str_eq_cstr(word, "al")) return false;
    size_t end = (size_t)(word.ptr - s.ptr);
    while (end > 0 && s.ptr[end - 1] == ' ')
        end--;
    return eh_str_eq_cstr(word_before(s, end), "et");
}

/* One capital letter at the end of `word`, with white space, an opening mark, a stop or
 * nothing before it. */
static bool is_initial(eh_str s, eh_str word) {
    size_t end = (size_t)(word.ptr - s.ptr) + word.len;
    size_t begin;
    if (char_class_of(char_before(s, end, &begin)) != CHAR_UPPER) return false;
    if (begin == 0) return true;
    size_t at;
    uint32_t before = char_before(s, begin, &at);
    char_class c = char_class_of(before);
    return c == CHAR_SPACE || before == '.' || c == CHAR_OPEN || c == CHAR_QUOTE ||
           c == CHAR_EMPHASIS;
}

/* A number, a bracketed number, or a Roman one of two letters or more. */
static bool is_number_at(eh_str s, size_t at) {
    char_class c = char_class_at(s, at);
    if (c == CHAR_OPEN) {
        (void)utf8_next(s, &at);
        c = char_class_at(s, at);
    }
    if (c == CHAR_DIGIT) return true;
    eh_str word = word_after(s, at);
    if (word.len < 2) return false;
    for (size_t i = 0; i < word.len; i++)
        if (!strchr("IVXLC", word.ptr[i])) return false;
    return true;
}

static bool is_small_number(eh_str word) {
    if (word.len < 1 || word.len > 2) return false;
    for (size_t i = 0; i < word.len; i++)
        if (word.ptr[i] < '0' || word.ptr[i] > '9') return false;
    return true;
}

/* "z. B.": the stop behind "z", when "B." follows. */
static bool is_spaced_head(eh_str s, eh_str word, size_t next) {
    eh_str after = word_after(s, next);
    size_t end = next + after.len;
    if (after.len == 0 || end >= s.len || s.ptr[end] != '.') return false;
    joined_words joined;
    eh_str head = join_spaced(s, word, &joined);
    if (!begins_listed(phrases, head) && !begins_listed(spaced, head)) return false;
    char both[MAX_JOINED_BYTES + 1 + MAX_WORD_BYTES];
    if (head.len + 1 + after.len > sizeof both) return false;
    memcpy(both, head.ptr, head.len);
    both[head.len] = '.';
    memcpy(both + head.len + 1, after.ptr, after.len);
    eh_str whole = {both, head.len + 1 + after.len};
    return listed(phrases, whole, false) || listed(spaced, whole, false) ||
           begins_listed(phrases, whole);
}

bool stop_is_inner(eh_str s, size_t stop, size_t next, bool is_german) {
    eh_str word = word_before(s, stop);
    if (word.len == 0) return false;
    if (is_initial(s, word) && char_class_at(s, next) == CHAR_UPPER) return true;
    if (listed(titles, word, false) || is_et_al(s, word)) return true;
    joined_words joined;
    if (listed(phrases, join_spaced(s, word, &joined), true)) return true;
    if (listed(phrases, join_spaced(s, word, &joined), false)) return true;
    if (is_spaced_head(s, word, next)) return true;
    if (listed(numbered, word, true) && is_number_at(s, next)) return true;
    if (!is_small_number(word)) return false;
    return listed(german_months, word_after(s, next), false) ||
           (is_german && is_letter(char_class_at(s, next)));
}
