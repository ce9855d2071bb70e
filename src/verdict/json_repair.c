/* SPDX-License-Identifier: MIT
 *
 * Where objects begin and end in a reply, and mending one of them (rule 23).
 *
 * An object in prose begins at some `{`, but prose has braces too, and whether a
 * quotation mark opens a string depends on where the object began. So the question is
 * asked for every `{`: where would an object that begins here close? One pass from
 * right to left answers it for all of them. unmatched[i], for a place outside of
 * strings, is the first `}` from there on that closes nothing opened there:
 *
 *   place       0  1    4  5  6  7  8  9
 *   text        {  "a"  :     {  }  }  x
 *   unmatched   -  8    8  8  8  7  8  -     the object at 0 closes at unmatched[1]
 *
 * and follows from the places to the right: behind the string, behind the inner object.
 * Two such tables are kept, since a single quote opens a string only where a key or a
 * value may stand ("value" below) and is an apostrophe elsewhere ("other").
 *
 * Mending is one pass over an object. It drops comments, commas before a closing
 * bracket and backslashes that escape nothing, turns single-quoted strings into
 * double-quoted ones and None, True, False into JSON's words, and escapes control
 * characters in strings. Left out: closing what is open, quotation marks inside
 * strings, missing commas. That would be guessing.
 */
#include "verdict/json_repair.h"

/* From right to left: places behind `at`, each VERDICT_JSON_OPEN where there is none.
 */
typedef struct scan {
    eh_str text;
    uint32_t *value, *other; /* [len + 1], see above */
    uint32_t double_end[2];  /* the quote that ends a string which is open at at + 1 */
    uint32_t single_end[2];  /* and at at + 2, for escapes */
    uint32_t comment_end[2]; /* behind the next star and slash; the same two places */
    uint32_t line_end;       /* the next line feed, or the end */
} scan;

static char byte_at(eh_str text, size_t i) {
    return i < text.len ? text.ptr[i] : '\0';
}

static uint32_t behind(const uint32_t *table, uint32_t place) {
    return place == VERDICT_JSON_OPEN ? VERDICT_JSON_OPEN : table[place + 1];
}

static bool is_space(char c) {
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

/* Fills the two tables at `at` from what stands to the right of it. */
static void scan_outside(scan *s, size_t at) {
    char c = s->text.ptr[at];
    uint32_t *value = &s->value[at];
    uint32_t *other = &s->other[at];
    *value = *other = s->other[at + 1];
    switch (c) {
    case '}': *value = *other = (uint32_t)at; break;
    case '{': *value = *other = behind(s->other, s->value[at + 1]); break;
    case '[':
    case ',':
    case ':': *value = *other = s->value[at + 1]; break;
    case '"': *value = *other = behind(s->other, s->double_end[0]); break;
    case '\'': *value = behind(s->other, s->single_end[0]); break;
    case '/':
        if (byte_at(s->text, at + 1) == '/') {
            *value = s->value[s->line_end];
            *other = s->other[s->line_end];
        } else if (byte_at(s->text, at + 1) == '*') {
            /* From at + 2 on: "slash star slash" does not end itself. */
            uint32_t end = s->comment_end[1];
            *value = end == VERDICT_JSON_OPEN ? end : s->value[end];
            *other = end == VERDICT_JSON_OPEN ? end : s->other[end];
        }
        break;
    default:
        if (is_space(c)) *value = s->value[at + 1];
    }
}

static void string_end_step(uint32_t end[2], char c, char quote, size_t at) {
    uint32_t now = c == quote ? (uint32_t)at : c == '\\' ? end[1] : end[0];
    end[1] = end[0];
    end[0] = now;
}

eh_status verdict_json_closings(eh_str text, eh_arena *arena, const uint32_t **closings,
                                eh_error *err) {
    const uint32_t open = VERDICT_JSON_OPEN;
    if (text.len >= open)
        return EH_FAIL(err, EH_STATUS_TOO_BIG, "a reply of 4 GiB or more");
    size_t n = text.len + 1;
    scan s = {.text = text,
              .value = arena_alloc(arena, n * sizeof *s.value),
              .other = arena_alloc(arena, n * sizeof *s.other),
              .double_end = {open, open},
              .single_end = {open, open},
              .comment_end = {open, open},
              .line_end = (uint32_t)text.len};
    if (!s.value || !s.other) return EH_NOMEM(err);
    s.value[text.len] = s.other[text.len] = open;
    for (size_t at = text.len; at-- > 0;) {
        char c = text.ptr[at];
        scan_outside(&s, at);
        string_end_step(s.double_end, c, '"', at);
        string_end_step(s.single_end, c, '\'', at);
        if (c == '\n') s.line_end = (uint32_t)at;
        s.comment_end[1] = s.comment_end[0];
        if (c == '*' && byte_at(text, at + 1) == '/')
            s.comment_end[0] = (uint32_t)at + 2;
    }
    *closings = s.value + 1;
    return EH_STATUS_OK;
}

typedef struct repair {
    eh_str text;
    size_t at;
    char *out;
    size_t n_out;
    size_t comma; /* where the last comma was written, if only space followed */
    bool after_comma;
    bool value; /* a key or a value may stand here */
} repair;

static void put(repair *r, char c) {
    r->out[r->n_out++] = c;
}

static void put_text(repair *r, const char *text) {
    while (*text)
        put(r, *text++);
}

static void put_control(repair *r, char c) {
    const char *digits = "0123456789abcdef";
    put_text(r, "\\u00");
    put(r, digits[(unsigned char)c >> 4]);
    put(r, digits[c & 15]);
}

static bool is_hex(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* Behind a backslash in a string. Without an escape the backslash is dropped, and what
 * follows is read like any other character. */
static void repair_escape(repair *r) {
    char c = byte_at(r->text, r->at);
    bool is_unicode = c == 'u';
    for (size_t i = 1; i <= 4; i++)
        is_unicode = is_unicode && is_hex(byte_at(r->text, r->at + i));
    if (c == '\'') {
        put(r, c);
        r->at++;
    } else if (is_unicode || (c && strchr("\"\\/bfnrt", c))) {
        put(r, '\\');
        put(r, c);
        r->at++;
    }
}

static void repair_string(repair *r) {
    char quote = r->text.ptr[r->at++];
    put(r, '"');
    while (r->at < r->text.len) {
        char c = r->text.ptr[r->at++];
        if (c == quote) {
            put(r, '"');
            return;
        }
        if (c == '\\') {
            repair_escape(r);
        } else if ((unsigned char)c < 0x20) {
            put_control(r, c);
        } else {
            if (c == '"') put(r, '\\');
            put(r, c);
        }
    }
}

/* Behind the comment that begins at r->at, or r->at where none does. */
static size_t comment_end(const repair *r) {
    char second = byte_at(r->text, r->at + 1);
    if (second != '/' && second != '*') return r->at;
    size_t end = second == '/' ? eh_str_find(r->text, EH_STR("\n"), r->at + 2)
                               : eh_str_find(r->text, EH_STR("*/"), r->at + 2);
    if (end == SIZE_MAX) return r->text.len;
    return second == '/' ? end : end + 2;
}

static bool is_word_char(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           c == '_';
}

/* A bare word or number, Python's words in JSON's spelling. */
static void repair_word(repair *r) {
    static const struct {
        eh_str python;
        const char *json;
    } words[] = {{{"None", 4}, "null"}, {{"True", 4}, "true"}, {{"False", 5}, "false"}};
    size_t begin = r->at;
    while (r->at < r->text.len && is_word_char(r->text.ptr[r->at]))
        r->at++;
    eh_str word = eh_str_slice(r->text, begin, r->at);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (eh_str_eq(word, words[i].python)) {
            put_text(r, words[i].json);
            return;
        }
    memcpy(r->out + r->n_out, word.ptr, word.len);
    r->n_out += word.len;
}

/* What stands outside of strings, up to the next token. */
static void repair_outside(repair *r) {
    char c = r->text.ptr[r->at];
    size_t end = c == '/' ? comment_end(r) : r->at;
    if (is_space(c) || end > r->at) {
        put(r, ' ');
        r->at = end > r->at ? end : r->at + 1;
        return;
    }
    if (r->after_comma && (c == '}' || c == ']')) r->out[r->comma] = ' ';
    bool opens_string = c == '"' || (c == '\'' && r->value);
    r->after_comma = c == ',';
    r->comma = r->n_out;
    r->value = c && strchr("{[,:", c);
    if (opens_string) {
        repair_string(r);
    } else if (is_word_char(c)) {
        repair_word(r);
    } else {
        put(r, c);
        r->at++;
    }
}

eh_status verdict_json_repair(eh_str object, eh_arena *arena, eh_str *repaired,
                              eh_error *err) {
    size_t max_bytes = object.len + 1; /* a control character becomes six */
    for (size_t i = 0; i < object.len; i++)
        max_bytes += (unsigned char)object.ptr[i] < 0x20 ? 5
                     : object.ptr[i] == '"'              ? 1
                                                         : 0;
    repair r = {.text = object, .out = arena_alloc(arena, max_bytes)};
    if (!r.out) return EH_NOMEM(err);
    while (r.at < object.len)
        repair_outside(&r);
    *repaired = (eh_str){r.out, r.n_out};
    return EH_STATUS_OK;
}
