/* SPDX-License-Identifier: MIT
 *
 * Rule 5: undressing a text, so that "**Final Verdict：** `［［Ａ］］`" and
 * "final verdict: [[a]]" are the same bytes.
 *
 *   characters   line ends, NFKC, format characters, dashes, lower case    (grows)
 *   marks        backslashes, then emphasis, then tags, then the quotation
 *                marks round [[...]]                            (only shrinks, in
 * place)
 *
 * The two steps are apart because code fences must be found between them: NFKC has to
 * come before (a zero-width space hides a fence from no one) and emphasis after (it
 * takes the backticks away).
 *
 * NFKC is ICU's. It works on UTF-16, so non-ASCII runs pass through it in pieces of at
 * most PIECE_UNITS, each cut where a new character may begin. A run of combining marks
 * without such a place is cut all the same: ordering them costs the square of their
 * number, and no text has hundreds on one letter.
 *
 * Left out: full case folding ("ß" stays) and everything that needs a language.
 */
#include "verdict/read.h"

#include "base/utf8.h"
#include "verdict/scan.h"

#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/ustring.h>
#include <unicode/utf16.h>

enum {
    PIECE_UNITS = 256,
    NFKC_MAX_GROWTH = 18, /* UTF-16 units out of one, U+FDFA */
    NORMAL_UNITS = PIECE_UNITS * NFKC_MAX_GROWTH
};

typedef struct folder {
    const UNormalizer2 *nfkc;
    bool keep_wide_stops;
    eh_buf *out;
    UChar piece[PIECE_UNITS];
    int32_t n_piece;
} folder;

static bool is_wide_stop(UChar32 cp) {
    return cp == 0xFF01 || cp == 0xFF1F || cp == 0xFF1B;
}

static bool is_line_end(UChar32 cp) {
    return cp == '\r' || cp == 0x85 || cp == 0x2028 || cp == 0x2029;
}

/* A character after NFKC. */
static void add_folded(folder *f, UChar32 cp) {
    enum { MINUS_SIGN = 0x2212 };
    int8_t type = u_charType(cp);
    if (type == U_FORMAT_CHAR) return;
    if (type == U_DASH_PUNCTUATION || cp == MINUS_SIGN) cp = '-';
    utf8_add(f->out, (uint32_t)u_tolower(cp));
}

static eh_status flush_piece(folder *f, eh_error *err) {
    if (f->n_piece == 0) return EH_STATUS_OK;
    UChar normal[NORMAL_UNITS];
    UErrorCode code = U_ZERO_ERROR;
    int32_t n =
        unorm2_normalize(f->nfkc, f->piece, f->n_piece, normal, NORMAL_UNITS, &code);
    f->n_piece = 0;
    if (U_FAILURE(code)) return EH_NOMEM(err);
    for (int32_t i = 0; i < n;) {
        UChar32 cp = normal[i++];
        if (cp >= 0xD800 && cp < 0xDC00 && i < n)
            cp = U16_GET_SUPPLEMENTARY(cp, normal[i++]);
        add_folded(f, cp);
    }
    return EH_STATUS_OK;
}

static eh_status add_char(folder *f, UChar32 cp, eh_error *err) {
    if (f->keep_wide_stops && is_wide_stop(cp)) {
        EH_TRY(flush_piece(f, err));
        utf8_add(f->out, (uint32_t)cp);
        return EH_STATUS_OK;
    }
    bool full = f->n_piece + 2 > PIECE_UNITS;
    bool may_cut =
        f->n_piece > PIECE_UNITS / 2 && unorm2_hasBoundaryBefore(f->nfkc, cp);
    if (full || may_cut) EH_TRY(flush_piece(f, err));
    U16_APPEND_UNSAFE(f->piece, f->n_piece, cp);
    return EH_STATUS_OK;
}

/* Eight ASCII bytes in lower case: 0x20 is added where 'A' <= byte <= 'Z'. */
static uint64_t lower_word(uint64_t word) {
    const uint64_t ones = UINT64_C(0x0101010101010101);
    uint64_t from_a = word + ones * (0x80 - 'A');
    uint64_t above_z = word + ones * (0x7F - 'Z');
    return word + (((from_a & ~above_z) & SCAN_HIGH_BITS) >> 2);
}

static void lower_plain(char *to, eh_str run) {
    size_t i = 0;
    for (; run.len - i >= SCAN_WORD_BYTES; i += SCAN_WORD_BYTES) {
        uint64_t word = lower_word(scan_load(run.ptr + i));
        memcpy(to + i, &word, sizeof word);
    }
    for (; i < run.len; i++) {
        char c = run.ptr[i];
        to[i] = c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
    }
}

/* ASCII needs no ICU. */
static void add_plain(eh_buf *out, eh_str run) {
    if (!buf_reserve(out, run.len)) return;
    lower_plain(out->ptr + out->len, run);
    out->len += run.len;
    out->ptr[out->len] = '\0';
}

/* The end of the plain run at `at`: ASCII without CR, except for the last letter before
 * something else, since it may carry a combining mark. `next_cr` is kept between calls.
 */
static size_t plain_end(eh_str text, size_t at, size_t *next_cr) {
    if (*next_cr < at) *next_cr = scan_to_byte(text, at, '\r');
    size_t end = scan_ascii(eh_str_slice(text, 0, *next_cr), at);
    bool may_combine = end > at && end < *next_cr;
    return may_combine ? end - 1 : end;
}

eh_status verdict_fold_characters(eh_str text, bool keep_wide_stops, eh_buf *out,
                                  eh_error *err) {
    UErrorCode code = U_ZERO_ERROR;
    folder f = {.nfkc = unorm2_getNFKCInstance(&code),
                .keep_wide_stops = keep_wide_stops,
                .out = out};
    if (U_FAILURE(code)) return EH_NOMEM(err);
    if (!buf_reserve(out, text.len)) return buf_check(out, "a folded reply", err);
    size_t next_cr = scan_to_byte(text, 0, '\r');
    for (size_t at = 0; at < text.len;) {
        size_t end = plain_end(text, at, &next_cr);
        if (end > at) {
            EH_TRY(flush_piece(&f, err));
            add_plain(out, eh_str_slice(text, at, end));
            at = end;
            continue;
        }
        UChar32 cp = (UChar32)utf8_next(text, &at);
        if (is_line_end(cp)) {
            EH_TRY(flush_piece(&f, err));
            bool crlf = cp == '\r' && at < text.len && text.ptr[at] == '\n';
            if (!crlf) buf_add_char(out, '\n');
        } else {
            EH_TRY(add_char(&f, cp, err));
        }
    }
    EH_TRY(flush_piece(&f, err));
    return buf_check(out, "a folded reply", err);
}

/* -- marks: each pass reads at `i` and writes at `len` <= i ----------------------- */

/* Keeps [i, end) and gives the end. */
static size_t keep(eh_buf *b, size_t *len, size_t i, size_t end) {
    if (*len < i) memmove(b->ptr + *len, b->ptr + i, end - i);
    *len += end - i;
    return end;
}

static void end_pass(eh_buf *b, size_t len) {
    b->len = len;
    if (b->ptr) b->ptr[len] = '\0';
}

static void drop_backslashes(eh_buf *b) {
    size_t len = 0;
    for (size_t i = 0; i < b->len;) {
        i = keep(b, &len, i, scan_to_byte(buf_view(b), i, '\\'));
        if (i == b->len) break;
        bool escapes = i + 1 < b->len && b->ptr[i + 1] != '\0' &&
                       strchr("[](){}*_#>.!|-", b->ptr[i + 1]) != NULL;
        /* What is escaped is kept with it: it may be no backslash. */
        if (escapes)
            i = keep(b, &len, i + 1, i + 2);
        else
            i = keep(b, &len, i, i + 1);
    }
    end_pass(b, len);
}

static bool is_word_char(uint32_t cp) {
    return u_isalnum((UChar32)cp);
}

/* `before` is the character in front of the underscore at i. */
static bool is_inner_underscore(const eh_buf *b, size_t i, uint32_t before) {
    size_t next = i + 1;
    if (next >= b->len || !is_word_char(before)) return false;
    return is_word_char(utf8_next(buf_view(b), &next));
}

/* The character in front of i, or a line feed. */
static uint32_t char_before(const eh_buf *b, size_t i) {
    if (i == 0) return '\n';
    do {
        i--;
    } while (i > 0 && ((unsigned char)b->ptr[i] & 0xC0) == 0x80);
    return utf8_next(buf_view(b), &i);
}

/* The end of the emphasis at i, or i where the byte there is text. */
static size_t emphasis_end(const eh_buf *b, size_t i, uint32_t before) {
    char c = b->ptr[i];
    if (c == '_') return is_inner_underscore(b, i, before) ? i : i + 1;
    if (c != '~') return i + 1;
    size_t end = i;
    while (end < b->len && b->ptr[end] == '~')
        end++;
    return end - i >= 2 ? end : i;
}

static void drop_emphasis(eh_buf *b) {
    static const bool marks[256] = {
        ['*'] = true, ['`'] = true, ['~'] = true, ['_'] = true};
    size_t begin = scan_to_rare(buf_view(b), 0, "*`~_"), len = begin;
    for (size_t i = begin; i < b->len;) {
        size_t mark = scan_to(buf_view(b), i, marks);
        uint32_t before = char_before(b, mark);
        i = keep(b, &len, i, mark);
        if (i == b->len) break;
        size_t end = emphasis_end(b, i, before);
        i = end > i ? end : keep(b, &len, i, i + 1);
    }
    end_pass(b, len);
}

static const char *const tag_names[] = {"verdict", "answer",   "decision", "winner",
                                        "result",  "judgment", "score",    "rating"};

/* The end of the tag that begins with the '<' at i, or 0. */
static size_t tag_end(const eh_buf *b, size_t i) {
    i++;
    if (i < b->len && b->ptr[i] == '/') i++;
    for (size_t t = 0; t < sizeof tag_names / sizeof *tag_names; t++) {
        size_t n = strlen(tag_names[t]);
        if (b->len - i > n && memcmp(b->ptr + i, tag_names[t], n) == 0 &&
            b->ptr[i + n] == '>')
            return i + n + 1;
    }
    return 0;
}

static void drop_tags(eh_buf *b) {
    size_t len = 0;
    for (size_t i = 0; i < b->len;) {
        i = keep(b, &len, i, scan_to_byte(buf_view(b), i, '<'));
        if (i == b->len) break;
        size_t end = tag_end(b, i);
        i = end ? end : keep(b, &len, i, i + 1);
    }
    end_pass(b, len);
}

typedef struct quote_pair {
    const char *open, *close;
} quote_pair;

static const quote_pair token_quotes[] = {
    {"\"", "\""}, {"'", "'"}, {"“", "”"}, {"„", "“"},   {"”", "”"},   {"‘", "’"},
    {"‚", "‘"},   {"«", "»"}, {"»", "«"}, {"「", "」"}, {"『", "』"},
};

static const quote_pair *quotes_round(eh_str head, eh_str tail) {
    for (size_t q = 0; q < sizeof token_quotes / sizeof *token_quotes; q++) {
        if (eh_str_ends(head, eh_str_of(token_quotes[q].open)) &&
            eh_str_begins(tail, eh_str_of(token_quotes[q].close)))
            return &token_quotes[q];
    }
    return NULL;
}

static void drop_token_quotes(eh_buf *b) {
    size_t len = 0;
    for (size_t i = 0; i < b->len;) {
        verdict_span inside;
        i = keep(b, &len, i, scan_to_byte(buf_view(b), i, '['));
        if (i == b->len) break;
        size_t end = verdict_token_end(buf_view(b), i, &inside);
        if (!end) {
            i = keep(b, &len, i, i + 1);
            continue;
        }
        /* In front of the token stands what was written last. */
        const quote_pair *q =
            quotes_round((eh_str){b->ptr, len}, eh_str_slice(buf_view(b), end, b->len));
        if (q) len -= strlen(q->open);
        i = keep(b, &len, i, end);
        if (q) i += strlen(q->close);
    }
    end_pass(b, len);
}

void verdict_fold_marks(eh_buf *text) {
    drop_backslashes(text);
    drop_emphasis(text);
    drop_tags(text);
    drop_token_quotes(text);
}

/* Is lower case all that rule 5 does to it? Short replies and marks are like that. */
static bool is_plain(eh_str text) {
    static const bool dress[256] = {
        ['\r'] = true, ['\\'] = true, ['*'] = true, ['`'] = true,
        ['~'] = true,  ['_'] = true,  ['<'] = true, ['['] = true};
    return scan_ascii(text, 0) == text.len && scan_to(text, 0, dress) == text.len;
}

eh_status verdict_fold(eh_str text, eh_arena *arena, eh_str *folded, eh_error *err) {
    if (is_plain(text)) {
        char *to = arena_alloc(arena, text.len + 1);
        if (!to) return EH_NOMEM(err);
        lower_plain(to, text);
        to[text.len] = '\0'; /* as arena_copy does */
        *folded = (eh_str){to, text.len};
        return EH_STATUS_OK;
    }
    eh_buf out;
    buf_init(&out, verdict_fold_max_bytes(text));
    eh_status status = verdict_fold_characters(text, false, &out, err);
    if (status == EH_STATUS_OK) {
        verdict_fold_marks(&out);
        if (!arena_copy(arena, buf_view(&out), folded)) status = EH_NOMEM(err);
    }
    buf_deinit(&out);
    return status;
}
