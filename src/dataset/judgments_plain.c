/* SPDX-License-Identifier: MIT
 *
 * The quick way through files of millions of judgments: no tree, no copies.
 *
 *   {"pair_id": "q7", "order": "21", "sample": 0, "reply": "...", "verdict": "1"}
 *    key -> its field -> one value, read in place; anything odd -> "not plain"
 *
 * It never reports anything: whatever it does not know well it leaves to the general
 * reader (rows.c, judgments.c), which then says what is wrong, or that nothing is. So
 * both must agree on what this one accepts, and a test runs them against each other.
 *
 * Strings are searched eight bytes at a time: a byte is a quotation mark, a backslash,
 * a control character or no ASCII where the expression for it leaves its upper bit set.
 * A borrow may set further bits above the lowest one, which alone is looked at.
 *
 * Left out, and so not plain: escapes anywhere but in the reply, half surrogate pairs,
 * NULs, numbers with exponents, replies that are objects, fields that are not ours.
 */
#include "dataset/judgments_plain.h"

#include <math.h>
#include <string.h>

#include "base/json_scan.h"
#include "base/utf8.h"

typedef struct scan {
    const char *p, *end;
} scan;

/* A value as it stands in the text. */
typedef enum token_kind { TOKEN_STRING, TOKEN_NUMBER, TOKEN_NULL } token_kind;

typedef struct token {
    token_kind kind;
    eh_str text; /* without quotation marks */
    bool has_escape;
} token;

static void skip_space(scan *s) {
    while (s->p < s->end && (*s->p == ' ' || *s->p == '\t' || *s->p == '\r'))
        s->p++;
}

static bool take(scan *s, char c) {
    if (s->p == s->end || *s->p != c) return false;
    s->p++;
    return true;
}

static int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The unit of "uXXXX" at p; -1 where it is none. */
static int unit_at(const char *p, const char *end) {
    int unit = 0;
    if (end - p < 5 || *p != 'u') return -1;
    for (int i = 1; i <= 4; i++) {
        int digit = hex_digit(p[i]);
        if (digit < 0) return -1;
        unit = unit << 4 | digit;
    }
    return unit;
}

static bool is_short_escape(char c) {
    switch (c) {
    case '"':
    case '\\':
    case '/':
    case 'b':
    case 'f':
    case 'n':
    case 'r':
    case 't': return true;
    default: return false;
    }
}

/* Skips what follows a backslash; false where nobody should have to guess about it. */
static bool skip_escape(scan *s) {
    if (s->p == s->end) return false;
    if (*s->p != 'u') return is_short_escape(*s->p++);
    int unit = unit_at(s->p, s->end);
    s->p += 5;
    if (unit < 0xD800 || unit > 0xDFFF) return unit > 0;
    if (unit > 0xDBFF || s->end - s->p < 6 || *s->p++ != '\\') return false;
    int low = unit_at(s->p, s->end);
    s->p += 5;
    return low >= 0xDC00 && low <= 0xDFFF;
}

/* Behind an opening quotation mark. */
static bool read_string(scan *s, token *t) {
    const char *begin = s->p;
    bool ascii = true;
    t->has_escape = false;
    for (;;) {
        s->p = json_scan_plain(s->p, s->end, ascii);
        if (s->p == s->end) return false;
        unsigned char c = (unsigned char)*s->p++;
        if (c == '"') break;
        if (c >= 0x80) {
            ascii = false;
            continue;
        }
        t->has_escape = true;
        if (c != '\\' || !skip_escape(s)) return false;
    }
    t->kind = TOKEN_STRING;
    t->text = (eh_str){begin, (size_t)(s->p - 1 - begin)};
    return ascii || utf8_first_invalid(t->text) == SIZE_MAX;
}

static size_t skip_digits(scan *s) {
    const char *begin = s->p;
    while (s->p < s->end && *s->p >= '0' && *s->p <= '9')
        s->p++;
    return (size_t)(s->p - begin);
}

static bool read_number(scan *s, token *t) {
    const char *begin = s->p;
    (void)take(s, '-');
    bool zero = s->p < s->end && *s->p == '0';
    size_t n = skip_digits(s);
    if (n == 0 || (zero && n > 1)) return false;
    if (take(s, '.') && skip_digits(s) == 0) return false;
    t->kind = TOKEN_NUMBER;
    t->text = (eh_str){begin, (size_t)(s->p - begin)};
    return true;
}

static bool read_value(scan *s, token *t) {
    if (take(s, '"')) return read_string(s, t);
    if (s->end - s->p >= 4 && memcmp(s->p, "null", 4) == 0) {
        s->p += 4;
        t->kind = TOKEN_NULL;
        return true;
    }
    return read_number(s, t);
}

/* ---- fields ---- */

static bool text_of(const token *t, eh_str *text) {
    if (t->kind == TOKEN_STRING && !t->has_escape) *text = t->text;
    return t->kind == TOKEN_NULL || (t->kind == TOKEN_STRING && !t->has_escape);
}

static bool take_pair_id(plain_judgment *out, const token *t) {
    out->row.pair_id = t->text;
    return t->kind == TOKEN_STRING && !t->has_escape && t->text.len > 0;
}

static bool take_judge(plain_judgment *out, const token *t) {
    return text_of(t, &out->row.judge);
}

static bool take_reason(plain_judgment *out, const token *t) {
    return text_of(t, &out->row.reason);
}

static bool take_order(plain_judgment *out, const token *t) {
    if (t->kind != TOKEN_STRING || t->text.len != 2) return false;
    bool is_12 = memcmp(t->text.ptr, "12", 2) == 0;
    out->row.order = is_12 ? EH_ORDER_12 : EH_ORDER_21;
    return is_12 || memcmp(t->text.ptr, "21", 2) == 0;
}

static bool take_sample(plain_judgment *out, const token *t) {
    return t->kind == TOKEN_NUMBER && eh_str_to_i64(t->text, &out->row.sample) &&
           out->row.sample >= 0 && t->text.ptr[0] != '-';
}

static bool take_reply(plain_judgment *out, const token *t) {
    out->row.has_reply = t->kind == TOKEN_STRING;
    if (out->row.has_reply) {
        out->reply = (eh_str){t->text.ptr - 1, t->text.len + 2};
        out->reply_has_escape = t->has_escape;
    }
    return t->kind != TOKEN_NUMBER;
}

static bool take_verdict(plain_judgment *out, const token *t) {
    if (t->kind == TOKEN_NULL) return true;
    if (t->kind != TOKEN_STRING) return false;
    char c = t->text.len == 1 ? t->text.ptr[0] : 0;
    out->row.verdict = c == '1'   ? EH_VERDICT_1
                       : c == '2' ? EH_VERDICT_2
                                  : eh_verdict_parse(t->text);
    return out->row.verdict != EH_VERDICT_NONE;
}

static bool take_score(double *score, const token *t) {
    if (t->kind == TOKEN_NULL) return true;
    return t->kind == TOKEN_NUMBER && eh_str_to_f64(t->text, score) && isfinite(*score);
}

static bool take_rating(plain_judgment *out, const token *t) {
    if (t->kind == TOKEN_NULL) return true;
    bool ok = t->kind == TOKEN_NUMBER && t->text.len == 1 && t->text.ptr[0] >= '1' &&
              t->text.ptr[0] <= '5';
    if (ok) out->row.rating = t->text.ptr[0] - '0';
    return ok;
}

static bool take_score_1(plain_judgment *out, const token *t) {
    return take_score(&out->row.score_1, t);
}

static bool take_score_2(plain_judgment *out, const token *t) {
    return take_score(&out->row.score_2, t);
}

typedef enum plain_field {
    PLAIN_PAIR_ID,
    PLAIN_JUDGE,
    PLAIN_ORDER,
    PLAIN_SAMPLE,
    PLAIN_REPLY,
    PLAIN_VERDICT,
    PLAIN_SCORE_1,
    PLAIN_SCORE_2,
    PLAIN_REASON,
    PLAIN_RATING,
    PLAIN_N
} plain_field;

/* Names with the quotation mark behind them, compared as one integer. */
enum { NAME_BYTES = 8 };
static const struct {
    char name[NAME_BYTES];
    uint8_t n_bytes;
    bool (*take)(plain_judgment *out, const token *t);
} fields[PLAIN_N] = {
    [PLAIN_PAIR_ID] = {"pair_id\"", 8, take_pair_id},
    [PLAIN_JUDGE] = {"judge\"", 6, take_judge},
    [PLAIN_ORDER] = {"order\"", 6, take_order},
    [PLAIN_SAMPLE] = {"sample\"", 7, take_sample},
    [PLAIN_REPLY] = {"reply\"", 6, take_reply},
    [PLAIN_VERDICT] = {"verdict\"", 8, take_verdict},
    [PLAIN_SCORE_1] = {"score_1\"", 8, take_score_1},
    [PLAIN_SCORE_2] = {"score_2\"", 8, take_score_2},
    [PLAIN_REASON] = {"reason\"", 7, take_reason},
    [PLAIN_RATING] = {"rating\"", 7, take_rating},
};

/* Fields of a file come in one order, so the one that follows the last is tried first.
 * Eight bytes are always left where a value still has to come and to be closed. */
static int field_at(const scan *s, int guess) {
    uint64_t here, name;
    if (s->end - s->p < NAME_BYTES) return -1;
    memcpy(&here, s->p, NAME_BYTES);
    for (int n = 0; n < PLAIN_N; n++, guess = guess + 1 < PLAIN_N ? guess + 1 : 0) {
        memcpy(&name, fields[guess].name, NAME_BYTES);
        if ((here ^ name) << (8 * (NAME_BYTES - fields[guess].n_bytes)) == 0)
            return guess;
    }
    return -1;
}

static bool read_member(scan *s, plain_judgment *out, unsigned *seen, int *field) {
    token t = {.text = {NULL, 0}};
    skip_space(s);
    if (!take(s, '"')) return false;
    *field = field_at(s, *field + 1 < PLAIN_N ? *field + 1 : 0);
    if (*field < 0 || *seen & 1u << *field) return false;
    *seen |= 1u << *field;
    s->p += fields[*field].n_bytes;
    skip_space(s);
    if (!take(s, ':')) return false;
    skip_space(s);
    if (!read_value(s, &t) || !fields[*field].take(out, &t)) return false;
    skip_space(s);
    return true;
}

bool judgment_read_plain(eh_str line, plain_judgment *out) {
    static const unsigned needed =
        1u << PLAIN_PAIR_ID | 1u << PLAIN_ORDER | 1u << PLAIN_SAMPLE;
    scan s = {line.ptr, line.ptr + line.len};
    unsigned seen = 0;
    int field = -1;
    *out = (plain_judgment){.row = {.score_1 = NAN, .score_2 = NAN}};
    skip_space(&s);
    if (!take(&s, '{')) return false;
    do {
        if (!read_member(&s, out, &seen, &field)) return false;
    } while (take(&s, ','));
    if (!take(&s, '}')) return false;
    skip_space(&s);
    dataset_judgment *j = &out->row;
    j->has_scores = !isnan(j->score_1) && !isnan(j->score_2);
    if (!j->has_scores) j->score_1 = j->score_2 = 0;
    return s.p == s.end && (seen & needed) == needed &&
           seen & (1u << PLAIN_REPLY | 1u << PLAIN_VERDICT);
}
