/* SPDX-License-Identifier: MIT
 *
 * Redaction.
 *
 * Replies are texts that verdicts are read from, so only whole keys are taken out of
 * them. Messages are for people: there a piece of a key is as good as the key, and
 * servers like to print the first and last characters with stars between them, so
 * words with a run of stars go as a whole.
 *
 * Plain search; messages are short, and a reply is searched once by memmem.
 * Left out: keys that a server has encoded or turned round. Nothing can find those.
 */
#include "codec/redact.h"

#include "base/buf.h"
#include "base/utf8.h"

enum { PIECE_BYTES = 6, STARS = 3, MESSAGE_LOOK_BYTES = 4096 };

#define MASK "[key]"

static bool is_space_byte(char c) {
    return (unsigned char)c <= ' ' || c == 0x7F;
}

/* The secret that begins at `at`, as its length; the longest one where several do. */
static size_t whole_at(eh_str text, size_t at, const eh_str *secrets, size_t n_secrets,
                       size_t min_bytes) {
    size_t longest = 0;
    for (size_t i = 0; i < n_secrets; i++) {
        eh_str s = secrets[i];
        if (s.len < min_bytes || s.len == 0 || s.len <= longest) continue;
        if (eh_str_begins(eh_str_slice(text, at, text.len), s)) longest = s.len;
    }
    return longest;
}

static bool holds_any(eh_str text, const eh_str *secrets, size_t n_secrets) {
    for (size_t i = 0; i < n_secrets; i++)
        if (secrets[i].len >= REDACT_MIN_KEY_BYTES &&
            eh_str_find(text, secrets[i], 0) != SIZE_MAX)
            return true;
    return false;
}

static bool take_copy(eh_buf *b, eh_arena *arena, eh_str *out) {
    bool good = !b->failed && arena_copy(arena, buf_view(b), out);
    buf_deinit(b);
    return good;
}

bool redact_text(eh_str text, const eh_str *secrets, size_t n_secrets, eh_arena *arena,
                 eh_str *out) {
    *out = text;
    if (!holds_any(text, secrets, n_secrets)) return true;
    eh_buf b;
    buf_init(&b, 2 * text.len + sizeof MASK);
    for (size_t at = 0; at < text.len;) {
        size_t n = whole_at(text, at, secrets, n_secrets, REDACT_MIN_KEY_BYTES);
        if (n)
            buf_add_cstr(&b, MASK);
        else
            buf_add_char(&b, text.ptr[at]);
        at += n ? n : 1;
    }
    return take_copy(&b, arena, out);
}

/* The longest piece of any secret that begins at `at`, if it is long enough. */
static size_t piece_at(eh_str text, size_t at, const eh_str *secrets,
                       size_t n_secrets) {
    size_t longest = 0;
    for (size_t i = 0; i < n_secrets; i++) {
        eh_str s = secrets[i];
        if (s.len < REDACT_MIN_KEY_BYTES) continue;
        for (size_t from = 0; from + PIECE_BYTES <= s.len; from++) {
            size_t n = 0;
            while (from + n < s.len && at + n < text.len &&
                   s.ptr[from + n] == text.ptr[at + n])
                n++;
            if (n >= PIECE_BYTES && n > longest) longest = n;
        }
    }
    return longest;
}

bool redact_holds_piece(eh_str text, const eh_str *secrets, size_t n_secrets) {
    for (size_t at = 0; at < text.len; at++)
        if (piece_at(text, at, secrets, n_secrets)) return true;
    return false;
}

/* The length of the word at `at` if it holds a run of stars. */
static size_t starred_word_at(eh_str text, size_t at) {
    size_t n = 0, stars = 0;
    bool starred = false;
    for (; at + n < text.len && !is_space_byte(text.ptr[at + n]); n++) {
        stars = text.ptr[at + n] == '*' ? stars + 1 : 0;
        starred = starred || stars >= STARS;
    }
    return starred ? n : 0;
}

bool redact_message(eh_str text, const eh_str *secrets, size_t n_secrets,
                    size_t max_bytes, eh_arena *arena, eh_str *out) {
    eh_buf b;
    buf_init(&b, BUF_MAX_SMALL);
    if (text.len == 0) text = EH_STR("");
    eh_str s = eh_str_trim(utf8_cut(text, MESSAGE_LOOK_BYTES));
    for (size_t at = 0; at < s.len;) {
        bool at_word = at == 0 || is_space_byte(s.ptr[at - 1]);
        size_t n = at_word ? starred_word_at(s, at) : 0;
        if (n == 0) n = whole_at(s, at, secrets, n_secrets, 1);
        size_t n_piece = piece_at(s, at, secrets, n_secrets);
        if (n_piece > n) n = n_piece;
        if (n) {
            buf_add_cstr(&b, MASK);
            at += n;
            continue;
        }
        bool space = is_space_byte(s.ptr[at]);
        if (!space) buf_add_char(&b, s.ptr[at]);
        if (space && b.len && b.ptr[b.len - 1] != ' ') buf_add_char(&b, ' ');
        at++;
    }
    if (b.failed) return take_copy(&b, arena, out);
    eh_str line = utf8_cut(buf_view(&b), max_bytes);
    bool is_cut = line.len < b.len;
    char *copy = arena_printf(arena, "%.*s%s", EH_STR_ARG(line), is_cut ? "..." : "");
    buf_deinit(&b);
    *out = eh_str_of(copy);
    return copy != NULL;
}
