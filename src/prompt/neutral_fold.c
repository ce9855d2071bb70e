/* SPDX-License-Identifier: MIT
 *
 * Folding with offsets.
 *
 * The reader folds a whole reply before it looks at it; here every byte must know where
 * it came from, so characters are folded one by one. That is the same but for letters
 * with combining marks, which the reader takes for other letters: a mark that is found
 * here and not there costs a middle dot and nothing else.
 *
 * Undressing follows the reader: format characters, emphasis, backslashes and the tags
 * that it skips go; `_` stays between two letters or digits; all dashes are `-`; every
 * line end is LF; runs of blanks are one space.
 *
 * Left out: anything longer than its character has room for (U+FDFA is a sentence in
 * one character); no mark is spelt that way.
 */
#include "prompt/neutral_fold.h"

#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/utf16.h>
#include <unicode/utf8.h>

#include "base/utf8.h"

typedef struct folder {
    eh_str text;
    const UNormalizer2 *nfkc;
    char *byte;
    uint32_t *from;
    size_t n;
} folder;

static bool is_line_end(uint32_t cp) {
    return cp == '\r' || cp == 0x85 || cp == 0x2028 || cp == 0x2029;
}

/* The character that ends before the offset; 0 at the start. */
static uint32_t char_before(eh_str s, size_t at) {
    if (at == 0) return 0;
    do
        at--;
    while (at > 0 && ((unsigned char)s.ptr[at] & 0xC0) == 0x80);
    return utf8_next(s, &at);
}

static bool is_inner(eh_str text, size_t begin, size_t end) {
    if (end >= text.len) return false;
    uint32_t next = utf8_next(text, &end);
    return u_isalnum((UChar32)char_before(text, begin)) && u_isalnum((UChar32)next);
}

static void put(folder *f, size_t begin, char c) {
    if (c == ' ' && f->n && f->byte[f->n - 1] == ' ') return;
    f->byte[f->n] = c;
    f->from[f->n++] = (uint32_t)begin;
}

static void put_ascii(folder *f, size_t begin, size_t end, char c) {
    if (c == '*' || c == '`' || c == '~' || c == '\\') return;
    if (c == '_' && !is_inner(f->text, begin, end)) return;
    if (c >= 'A' && c <= 'Z') c = (char)(c + ('a' - 'A'));
    put(f, begin, c == '\t' ? ' ' : c);
}

/* One character after NFKC; `begin` and `end` are the place of what it came from. */
static void put_folded(folder *f, size_t begin, size_t end, UChar32 cp) {
    enum { MINUS_SIGN = 0x2212, APOSTROPHE = 0x2019, OPENING_APOSTROPHE = 0x2018 };
    int8_t type = u_charType(cp);
    if (type == U_FORMAT_CHAR) return;
    if (type == U_DASH_PUNCTUATION || cp == MINUS_SIGN) cp = '-';
    if (cp == APOSTROPHE || cp == OPENING_APOSTROPHE) cp = '\'';
    cp = u_tolower(cp);
    if (cp < 0x80) {
        put_ascii(f, begin, end, (char)cp);
        return;
    }
    char bytes[UTF8_MAX_BYTES];
    size_t n_bytes = utf8_put(bytes, (uint32_t)cp);
    for (size_t i = 0; i < n_bytes; i++)
        put(f, begin, bytes[i]);
}

static void fold_char(folder *f, size_t begin, size_t end, uint32_t cp) {
    UChar normal[32];
    UErrorCode code = U_ZERO_ERROR;
    bool plain =
        u_getIntPropertyValue((UChar32)cp, UCHAR_NFKC_QUICK_CHECK) == UNORM_YES;
    if (plain || is_line_end(cp)) {
        put_folded(f, begin, end, is_line_end(cp) ? '\n' : (UChar32)cp);
        return;
    }
    UChar one[2];
    int32_t n_one = 0;
    U16_APPEND_UNSAFE(one, n_one, (UChar32)cp);
    int32_t n = unorm2_normalize(f->nfkc, one, n_one, normal, 32, &code);
    size_t room = f->n + 2 * (end - begin);
    for (int32_t i = 0; U_SUCCESS(code) && i < n;) {
        uint32_t part = normal[i++];
        if ((part & 0xFC00u) == 0xD800u && i < n) /* normalised text is well-formed */
            part = 0x10000u + ((part - 0xD800u) << 10) + (normal[i++] - 0xDC00u);
        if (f->n + (size_t)U8_LENGTH(part) <= room)
            put_folded(f, begin, end, (UChar32)part);
    }
}

/* Those that are no verdict by themselves (neutral.c breaks the others). */
static const char *const skipped_tags[] = {"answer", "result", "score", "rating"};

/* The end of the tag at i that the reader reads over, or i. */
static size_t tag_end(const folder *f, size_t i) {
    size_t at = i + 1 + (i + 1 < f->n && f->byte[i + 1] == '/');
    for (size_t t = 0; t < sizeof skipped_tags / sizeof skipped_tags[0]; t++) {
        size_t len = strlen(skipped_tags[t]);
        if (f->n - at > len && memcmp(f->byte + at, skipped_tags[t], len) == 0 &&
            f->byte[at + len] == '>')
            return at + len + 1;
    }
    return i;
}

static void drop_tags(folder *f) {
    size_t n = 0;
    for (size_t i = 0; i < f->n;) {
        size_t end = f->byte[i] == '<' ? tag_end(f, i) : i;
        if (end > i) {
            i = end;
            continue;
        }
        f->byte[n] = f->byte[i];
        f->from[n++] = f->from[i++];
    }
    f->n = n;
}

/* What an ASCII byte becomes where its neighbours do not matter; 0: they do, or it is
 * dropped. Most of most texts is copied by this table. */
static void find_plain(char plain[256]) {
    memset(plain, 0, 256);
    for (int c = ' '; c < 0x7F; c++)
        plain[c] = (char)(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
    plain['*'] = plain['`'] = plain['~'] = plain['\\'] = plain['_'] = 0;
}

/* Copies plain bytes and single spaces from `at` on; gives the place of what is
 * neither. */
static size_t copy_plain(folder *f, const char plain[256], size_t at) {
    const char *text = f->text.ptr;
    size_t n = f->n, len = f->text.len;
    for (; at < len; at++) {
        char c = plain[(unsigned char)text[at]];
        if (c == ' ' && n && f->byte[n - 1] == ' ') break;
        if (!c) break;
        f->byte[n] = c;
        f->from[n++] = (uint32_t)at;
    }
    f->n = n;
    return at;
}

static bool folder_init(folder *f, eh_str text, eh_arena *arena) {
    UErrorCode code = U_ZERO_ERROR;
    size_t cap = text.len + 1;
    for (size_t i = utf8_ascii_prefix(text); i < text.len; i++)
        cap += (unsigned char)text.ptr[i] >= 0x80;
    *f = (folder){.text = text,
                  .nfkc = unorm2_getNFKCInstance(&code),
                  .byte = arena_alloc(arena, cap),
                  .from = arena_alloc(arena, cap * sizeof *f->from)};
    return f->byte && f->from && U_SUCCESS(code);
}

bool neutral_fold(eh_str text, eh_arena *arena, neutral_text *out) {
    folder f;
    char plain[256];
    find_plain(plain);
    if (!folder_init(&f, text, arena)) return false;
    for (size_t at = 0; (at = copy_plain(&f, plain, at)) < text.len;) {
        size_t begin = at;
        uint32_t cp = utf8_next(text, &at);
        if (cp < 0x80 && cp != '\r')
            put_ascii(&f, begin, at, (char)cp);
        else
            fold_char(&f, begin, at, cp);
    }
    if (memchr(f.byte, '<', f.n)) drop_tags(&f);
    f.byte[f.n] = '\0';
    f.from[f.n] = (uint32_t)text.len;
    *out = (neutral_text){f.byte, f.from, f.n};
    return true;
}

bool neutral_is_alnum(const neutral_text *f, size_t i) {
    if (i >= f->n) return false;
    if ((unsigned char)f->byte[i] < 0x80) return utf8_is_ascii_alnum(f->byte[i]);
    return u_isalnum((UChar32)utf8_next((eh_str){f->byte, f->n}, &i));
}

bool neutral_is_alnum_before(const neutral_text *f, size_t i) {
    if (i > 0 && (unsigned char)f->byte[i - 1] < 0x80)
        return utf8_is_ascii_alnum(f->byte[i - 1]);
    return u_isalnum((UChar32)char_before((eh_str){f->byte, f->n}, i));
}
