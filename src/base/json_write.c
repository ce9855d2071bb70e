/* SPDX-License-Identifier: MIT
 *
 * The JSON writer.
 *
 * Shortest round trip: %.15g, %.16g and %.17g are tried in turn and the first that
 * reads back to the same double is written. This is slower than Ryu and short enough
 * to be seen right; numbers are few beside texts in all that we write. The one thing it
 * misses: for some powers of two a 16-digit text that is not the nearest would do.
 *
 * U+2028 and U+2029 are escaped although JSON does not ask for it, so that a summary
 * can stand inside a script; other text stays as it is (UTF-8).
 */
#include "base/json_write.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/json_scan.h"
#include "base/utf8.h"

void json_writer_init(json_writer *w, eh_buf *out, int indent) {
    *w = (json_writer){.out = out, .indent = indent};
}

static void new_line(json_writer *w) {
    if (!w->indent) return;
    buf_add_char(w->out, '\n');
    for (int i = 0; i < w->depth * w->indent; i++)
        buf_add_char(w->out, ' ');
}

/* Comma and line break before an element, unless a key stands just before it. */
static void before_value(json_writer *w) {
    if (w->after_key) {
        w->after_key = false;
        return;
    }
    if (w->need_comma) buf_add_cstr(w->out, w->indent ? "," : ", ");
    if (w->depth) new_line(w);
}

static void begin(json_writer *w, char bracket) {
    before_value(w);
    buf_add_char(w->out, bracket);
    w->depth++;
    w->need_comma = false;
}

static void end(json_writer *w, char bracket) {
    w->depth--;
    if (w->need_comma) new_line(w); /* an empty one closes on its own line */
    buf_add_char(w->out, bracket);
    w->need_comma = true;
}

void json_object_begin(json_writer *w) {
    begin(w, '{');
}

void json_object_end(json_writer *w) {
    end(w, '}');
}

void json_array_begin(json_writer *w) {
    begin(w, '[');
}

void json_array_end(json_writer *w) {
    end(w, ']');
}

void json_key_str(json_writer *w, eh_str key) {
    before_value(w);
    json_quote(w->out, key);
    buf_add_cstr(w->out, ": ");
    w->after_key = true;
}

void json_key(json_writer *w, const char *key) {
    json_key_str(w, eh_str_of(key));
}

static void scalar(json_writer *w, const char *text) {
    before_value(w);
    buf_add_cstr(w->out, text);
    w->need_comma = true;
}

void json_str(json_writer *w, eh_str s) {
    if (eh_str_is_absent(s)) {
        json_null(w);
        return;
    }
    before_value(w);
    json_quote(w->out, s);
    w->need_comma = true;
}

void json_cstr(json_writer *w, const char *s) {
    json_str(w, eh_str_of(s));
}

void json_i64(json_writer *w, int64_t value) {
    char text[32];
    (void)snprintf(text, sizeof text, "%lld", (long long)value);
    scalar(w, text);
}

void json_f64_text(double value, char text[32]) {
    char tried[64];
    bool subnormal = fabs(value) < DBL_MIN; /* fewer bits: fewer digits may do */
    for (int digits = subnormal ? 1 : 15; digits <= 17; digits++) {
        (void)snprintf(tried, sizeof tried, "%.*g", digits, value);
        if (strtod(tried, NULL) == value) break;
    }
    memcpy(text, tried, 32); /* at most 25 bytes are in use */
    if (strcmp(text, "-0") == 0) memcpy(text, "0", 2);
}

void json_f64(json_writer *w, double value) {
    if (!isfinite(value)) {
        json_null(w);
        return;
    }
    char text[32];
    json_f64_text(value, text);
    scalar(w, text);
}

void json_bool(json_writer *w, bool value) {
    scalar(w, value ? "true" : "false");
}

void json_null(json_writer *w) {
    scalar(w, "null");
}

/* As deep as json_read allows. */
void json_tree(json_writer *w, const json_value *v) {
    switch (v->kind) {
    case JSON_NULL: json_null(w); return;
    case JSON_BOOL: json_bool(w, v->boolean); return;
    case JSON_NUMBER: json_raw(w, v->text); return;
    case JSON_STRING: json_str(w, v->text); return;
    case JSON_ARRAY:
        json_array_begin(w);
        for (const json_value *e = v->child; e; e = e->next)
            json_tree(w, e);
        json_array_end(w);
        return;
    case JSON_OBJECT: break;
    }
    json_object_begin(w);
    for (const json_value *m = v->child; m; m = m->next) {
        json_key_str(w, m->key);
        json_tree(w, m);
    }
    json_object_end(w);
}

void json_raw(json_writer *w, eh_str text) {
    before_value(w);
    buf_add_str(w->out, text);
    w->need_comma = true;
}

static const char *short_escape(unsigned char c) {
    switch (c) {
    case '"': return "\\\"";
    case '\\': return "\\\\";
    case '\b': return "\\b";
    case '\f': return "\\f";
    case '\n': return "\\n";
    case '\r': return "\\r";
    case '\t': return "\\t";
    default: return NULL;
    }
}

/* The place, from i on, of the first byte that may have to be escaped: what JSON wants
 * to be, and how U+2028 begins. */
static size_t next_special(eh_str s, size_t i) {
    enum { SEPARATOR_BEGINS = 0xE2 };
    const char *end = s.ptr + s.len, *p = s.ptr + i;
    for (;;) {
        p = json_scan_plain(p, end, true);
        if (p == end || !((unsigned char)*p & 0x80)) break;
        while (p < end && (unsigned char)*p & 0x80 &&
               (unsigned char)*p != SEPARATOR_BEGINS)
            p++;
        if (p < end && (unsigned char)*p == SEPARATOR_BEGINS) break;
    }
    return (size_t)(p - s.ptr);
}

/* Copies the valid UTF-8 of `s`, escaping what JSON and scripts cannot hold. */
static void quote_valid(eh_buf *out, eh_str s) {
    size_t plain = 0;
    for (size_t i = next_special(s, 0); i < s.len; i = next_special(s, i)) {
        unsigned char c = (unsigned char)s.ptr[i];
        bool separator = c == 0xE2 && s.len - i >= 3 &&
                         (unsigned char)s.ptr[i + 1] == 0x80 &&
                         ((unsigned char)s.ptr[i + 2] & 0xFE) == 0xA8;
        if (c == 0xE2 && !separator) {
            i++;
            continue;
        }
        buf_add(out, s.ptr + plain, i - plain);
        const char *escape = short_escape(c);
        if (separator)
            buf_add_cstr(out,
                         (unsigned char)s.ptr[i + 2] == 0xA8 ? "\\u2028" : "\\u2029");
        else if (escape)
            buf_add_cstr(out, escape);
        else
            buf_printf(out, "\\u%04x", c);
        i += separator ? 3 : 1;
        plain = i;
    }
    buf_add(out, s.ptr + plain, s.len - plain);
}

void json_quote(eh_buf *out, eh_str s) {
    buf_add_char(out, '"');
    while (s.len) {
        size_t bad = utf8_first_invalid(s);
        size_t valid_len = bad == SIZE_MAX ? s.len : bad;
        quote_valid(out, eh_str_slice(s, 0, valid_len));
        if (bad == SIZE_MAX) break;
        buf_add_cstr(out, "\xEF\xBF\xBD");
        s = eh_str_slice(s, bad + 1, s.len);
    }
    buf_add_char(out, '"');
}

/* ---- members ---- */

void json_put_i64(json_writer *w, const char *key, int64_t value) {
    json_key(w, key);
    json_i64(w, value);
}

void json_put_f64(json_writer *w, const char *key, double value) {
    json_key(w, key);
    json_f64(w, value);
}

void json_put_known(json_writer *w, const char *key, int64_t value) {
    json_key(w, key);
    if (value < 0)
        json_null(w);
    else
        json_i64(w, value);
}

void json_put_cstr(json_writer *w, const char *key, const char *value) {
    json_key(w, key);
    json_cstr(w, value);
}

void json_put_str(json_writer *w, const char *key, eh_str value) {
    json_key(w, key);
    json_str(w, value);
}

void json_put_bool(json_writer *w, const char *key, bool value) {
    json_key(w, key);
    json_bool(w, value);
}
