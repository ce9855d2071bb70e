/* SPDX-License-Identifier: MIT
 *
 * The only C++ file: simdjson's on-demand parser behind the C face of json_read.h.
 *
 * Every value is visited, since on-demand skips what nobody asks for without checking
 * it. simdjson gives structure, UTF-8 validity and raw tokens; this file decodes
 * strings itself (simdjson refuses a lone surrogate, we replace and count it) and
 * checks atoms and the number grammar, because raw tokens are not checked for us.
 *
 *   text -> padded copy -> on-demand walk (recursive, at most JSON_MAX_DEPTH) -> arena
 *
 * No exception leaves: everything uses simdjson's error codes.
 */
#include <simdjson.h>

#include <new>
#include <utility>

extern "C" {
#include "base/json_read.h"
#include "base/json_scan.h"
#include "base/mem.h"
#include "base/utf8.h"
}

namespace od = simdjson::ondemand;

struct json_reader {
    od::parser parser;
    char *padded = nullptr; /* the text with simdjson's padding behind it */
    size_t padded_cap = 0;
};

namespace {

struct walk {
    eh_arena *arena;
    json_fault *fault;
    const char *base;
    const char *end;
};

bool fail(walk &w, json_fault_kind kind, const char *message, const char *at) {
    if (w.fault->kind == JSON_FAULT_NONE) {
        w.fault->kind = kind;
        w.fault->message = message;
        if (at < w.base) at = w.base;
        if (at > w.end) at = w.end;
        w.fault->byte = static_cast<size_t>(at - w.base);
    }
    return false;
}

bool no_memory(walk &w) {
    return fail(w, JSON_FAULT_NOMEM, "out of memory", w.base);
}

int hex4(const char *p, const char *end) {
    if (end - p < 4) return -1;
    int value = 0;
    for (int i = 0; i < 4; i++) {
        char c = p[i];
        int digit;
        if (c >= '0' && c <= '9')
            digit = c - '0';
        else if (c >= 'a' && c <= 'f')
            digit = c - 'a' + 10;
        else if (c >= 'A' && c <= 'F')
            digit = c - 'A' + 10;
        else
            return -1;
        value = value << 4 | digit;
    }
    return value;
}

char *put_utf8(char *out, uint32_t cp) {
    if (cp < 0x80) {
        *out++ = static_cast<char>(cp);
    } else if (cp < 0x800) {
        *out++ = static_cast<char>(0xC0 | cp >> 6);
        *out++ = static_cast<char>(0x80 | (cp & 0x3F));
    } else if (cp < 0x10000) {
        *out++ = static_cast<char>(0xE0 | cp >> 12);
        *out++ = static_cast<char>(0x80 | (cp >> 6 & 0x3F));
        *out++ = static_cast<char>(0x80 | (cp & 0x3F));
    } else {
        *out++ = static_cast<char>(0xF0 | cp >> 18);
        *out++ = static_cast<char>(0x80 | (cp >> 12 & 0x3F));
        *out++ = static_cast<char>(0x80 | (cp >> 6 & 0x3F));
        *out++ = static_cast<char>(0x80 | (cp & 0x3F));
    }
    return out;
}

/* One escape at *p (behind the backslash): writes it and moves p. */
bool decode_escape(walk &w, const char *&p, const char *end, char *&out) {
    switch (*p++) {
    case '"': *out++ = '"'; return true;
    case '\\': *out++ = '\\'; return true;
    case '/': *out++ = '/'; return true;
    case 'b': *out++ = '\b'; return true;
    case 'f': *out++ = '\f'; return true;
    case 'n': *out++ = '\n'; return true;
    case 'r': *out++ = '\r'; return true;
    case 't': *out++ = '\t'; return true;
    case 'u': break;
    default: return fail(w, JSON_FAULT_SYNTAX, "unknown escape in a string", p - 2);
    }
    int unit = hex4(p, end);
    if (unit < 0)
        return fail(w, JSON_FAULT_SYNTAX, "\\u needs four hexadecimal digits", p - 2);
    p += 4;
    uint32_t cp = static_cast<uint32_t>(unit);
    if (cp >= 0xD800 && cp <= 0xDBFF) {
        int low = end - p >= 6 && p[0] == '\\' && p[1] == 'u' ? hex4(p + 2, end) : -1;
        if (low >= 0xDC00 && low <= 0xDFFF) {
            p += 6;
            cp = 0x10000 + ((cp - 0xD800) << 10) + static_cast<uint32_t>(low - 0xDC00);
        }
    }
    if (cp >= 0xD800 && cp <= 0xDFFF) { /* still half a pair */
        cp = 0xFFFD;
        w.fault->n_replaced_surrogates++;
    }
    out = put_utf8(out, cp);
    return true;
}

/* The quotation mark that closes the string whose text begins at p, or `end`. */
const char *string_close(const char *p, const char *end) {
    for (;;) {
        p = json_scan_plain(p, end, false);
        if (p >= end || *p == '"') return p;
        p += *p == '\\' ? 2 : 1;
        if (p >= end) return end;
    }
}

/* `p` points at the opening quotation mark. */
bool decode_string(walk &w, const char *p, eh_str *text) {
    const char *begin = ++p;
    p = string_close(p, w.end);
    if (p >= w.end) return fail(w, JSON_FAULT_SYNTAX, "a string never ends", begin - 1);
    const char *close = p;
    size_t raw_len = static_cast<size_t>(close - begin);
    char *out = static_cast<char *>(arena_alloc(w.arena, raw_len + 1));
    if (!out) return no_memory(w);
    text->ptr = out;
    p = begin;
    while (p < close) {
        const char *slash =
            static_cast<const char *>(memchr(p, '\\', static_cast<size_t>(close - p)));
        size_t plain = static_cast<size_t>((slash ? slash : close) - p);
        memcpy(out, p, plain);
        out += plain;
        p += plain;
        if (!slash) break;
        p++;
        if (!decode_escape(w, p, close, out)) return false;
    }
    *out = '\0';
    text->len = static_cast<size_t>(out - text->ptr);
    return true;
}

const char *skip_digits(const char *p, const char *end) {
    while (p < end && *p >= '0' && *p <= '9')
        p++;
    return p;
}

/* The end of the RFC 8259 number that starts at p, or nullptr. */
const char *number_end(const char *p, const char *end) {
    if (p < end && *p == '-') p++;
    const char *digits = p;
    p = skip_digits(p, end);
    if (p == digits || (*digits == '0' && p - digits > 1)) return nullptr;
    if (p < end && *p == '.') {
        const char *frac = p + 1;
        p = skip_digits(frac, end);
        if (p == frac) return nullptr;
    }
    if (p < end && (*p == 'e' || *p == 'E')) {
        p++;
        if (p < end && (*p == '+' || *p == '-')) p++;
        const char *exp = p;
        p = skip_digits(exp, end);
        if (p == exp) return nullptr;
    }
    return p;
}

bool is_json_space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Atoms and numbers: the token runs to a structural character or white space. */
bool read_scalar(walk &w, const char *p, json_value *v) {
    const char *stop = p;
    while (stop < w.end && !is_json_space(*stop) && *stop != ',' && *stop != ']' &&
           *stop != '}' && *stop != ':' && *stop != '[' && *stop != '{' && *stop != '"')
        stop++;
    size_t len = static_cast<size_t>(stop - p);
    if (len == 4 && memcmp(p, "null", 4) == 0) {
        v->kind = JSON_NULL;
    } else if (len == 4 && memcmp(p, "true", 4) == 0) {
        v->kind = JSON_BOOL;
        v->boolean = true;
    } else if (len == 5 && memcmp(p, "false", 5) == 0) {
        v->kind = JSON_BOOL;
    } else if (number_end(p, w.end) == stop) {
        v->kind = JSON_NUMBER;
        char *copy = arena_dup(w.arena, eh_str{p, len});
        if (!copy) return no_memory(w);
        v->text = eh_str{copy, len};
    } else {
        return fail(w, JSON_FAULT_SYNTAX, "neither a string, a number nor a known word",
                    p);
    }
    return true;
}

bool library_fault(walk &w, simdjson::error_code code, const char *at) {
    switch (code) {
    case simdjson::UTF8_ERROR:
        return fail(w, JSON_FAULT_INVALID_UTF8, "invalid UTF-8", at);
    case simdjson::MEMALLOC: return no_memory(w);
    case simdjson::DEPTH_ERROR:
        return fail(w, JSON_FAULT_TOO_DEEP, "nested too deeply", at);
    case simdjson::UNCLOSED_STRING:
        return fail(w, JSON_FAULT_SYNTAX, "a string never ends", at);
    case simdjson::UNESCAPED_CHARS:
        return fail(w, JSON_FAULT_SYNTAX, "a control character inside a string", at);
    case simdjson::INCOMPLETE_ARRAY_OR_OBJECT:
        return fail(w, JSON_FAULT_SYNTAX, "an object or array never ends", at);
    default: return fail(w, JSON_FAULT_SYNTAX, "not valid JSON", at);
    }
}

/* Where the walk stands: the token's start, or the end of the text. */
template <typename Value> const char *token_of(Value &value, const walk &w) {
    std::string_view token = value.raw_json_token();
    const char *p = token.data();
    return p < w.base || p > w.end ? w.end : p;
}

json_value *value_new(walk &w, eh_str key) {
    auto *v = static_cast<json_value *>(arena_zalloc(w.arena, 1, sizeof(json_value)));
    if (!v) {
        no_memory(w);
        return nullptr;
    }
    v->key = key;
    return v;
}

bool read_value(walk &w, od::value value, json_value *v, int depth);

struct child_list {
    const json_value **tail;
    explicit child_list(json_value *parent) : tail(&parent->child) {
    }
    void add(json_value *parent, json_value *child) {
        *tail = child;
        tail = &child->next;
        parent->n++;
    }
};

bool read_array(walk &w, od::array array, json_value *v, int depth) {
    v->kind = JSON_ARRAY;
    child_list list(v);
    for (auto element : array) {
        od::value value;
        if (auto code = element.get(value)) return library_fault(w, code, w.end);
        json_value *child = value_new(w, eh_str{nullptr, 0});
        if (!child || !read_value(w, value, child, depth + 1)) return false;
        list.add(v, child);
    }
    return true;
}

bool read_object(walk &w, od::object object, json_value *v, int depth) {
    v->kind = JSON_OBJECT;
    child_list list(v);
    for (auto member : object) {
        od::field field;
        if (auto code = std::move(member).get(field))
            return library_fault(w, code, w.end);
        eh_str key;
        if (!decode_string(w, field.key().raw() - 1, &key)) return false;
        json_value *child = value_new(w, key);
        if (!child || !read_value(w, field.value(), child, depth + 1)) return false;
        list.add(v, child);
    }
    return true;
}

bool read_value(walk &w, od::value value, json_value *v, int depth) {
    const char *p = token_of(value, w);
    if (p >= w.end) return fail(w, JSON_FAULT_SYNTAX, "a value is missing", w.end);
    if (depth > JSON_MAX_DEPTH)
        return fail(w, JSON_FAULT_TOO_DEEP, "nested too deeply", p);
    if (*p == '{') {
        od::object object;
        if (auto code = value.get_object().get(object))
            return library_fault(w, code, p);
        return read_object(w, object, v, depth);
    }
    if (*p == '[') {
        od::array array;
        if (auto code = value.get_array().get(array)) return library_fault(w, code, p);
        return read_array(w, array, v, depth);
    }
    if (*p == '"') {
        v->kind = JSON_STRING;
        return decode_string(w, p, &v->text);
    }
    return read_scalar(w, p, v); /* the iterator above skips an unread token itself */
}

/* Behind the value that starts at `p`, by counting brackets outside strings; w.end
 * when it never closes. Only faults come here, to tell what kind they are. */
const char *value_end(const walk &w, const char *p) {
    int depth = 0;
    while (p < w.end) {
        char c = *p++;
        if (c == '"') {
            p = string_close(p, w.end);
            if (p >= w.end) return w.end;
            p++;
        } else if (c == '{' || c == '[') {
            depth++;
        } else if (c == '}' || c == ']') {
            depth--;
        }
        if (depth == 0 && (c == '"' || c == '}' || c == ']')) return p;
        if (depth < 0) return w.end;
    }
    return w.end;
}

const char *skip_space(const char *p, const char *end) {
    while (p < end && is_json_space(*p))
        p++;
    return p;
}

/* A document that is one string, number or word. */
bool read_root_scalar(walk &w, const char *p, json_value *root) {
    const char *rest;
    if (*p == '"') {
        root->kind = JSON_STRING;
        if (!decode_string(w, p, &root->text)) return false;
        rest = value_end(w, p);
        for (const char *c = p; c < rest; c++)
            if (static_cast<unsigned char>(*c) < 0x20)
                return fail(w, JSON_FAULT_SYNTAX, "a control character inside a string",
                            c);
    } else {
        if (!read_scalar(w, p, root)) return false;
        rest = p;
        while (rest < w.end && !is_json_space(*rest))
            rest++;
    }
    rest = skip_space(rest, w.end);
    if (rest < w.end)
        return fail(w, JSON_FAULT_TRAILING, "more text after the value", rest);
    return true;
}

bool read_root(walk &w, od::parser &parser, size_t cap, const char *p,
               json_value *root) {
    size_t len = static_cast<size_t>(w.end - w.base);
    od::document doc;
    if (auto code = parser.iterate(w.base, len, cap).get(doc))
        return library_fault(w, code, w.end);
    od::value value;
    if (auto code = doc.get_value().get(value)) return library_fault(w, code, w.end);
    if (!read_value(w, value, root, 1)) return false;
    if (!doc.current_location().error()) /* an error means: at the end */
        return fail(w, JSON_FAULT_TRAILING, "more text after the value",
                    value_end(w, p));
    return true;
}

bool pad(json_reader *r, eh_str text) {
    size_t need = text.len + simdjson::SIMDJSON_PADDING;
    if (need > r->padded_cap) {
        size_t cap = need + need / 2;
        char *bigger = static_cast<char *>(mem_alloc(cap, 1));
        if (!bigger) return false;
        mem_free(r->padded);
        r->padded = bigger;
        r->padded_cap = cap;
    }
    memcpy(r->padded, text.ptr, text.len);
    memset(r->padded + text.len, 0, simdjson::SIMDJSON_PADDING);
    return true;
}

/* simdjson says what it saw first; the cause a person would name may be another. */
void refine_fault(json_reader *r, walk &w, eh_arena *arena, const char *p) {
    if (w.fault->kind == JSON_FAULT_NOMEM) return;
    eh_str text = {w.base, static_cast<size_t>(w.end - w.base)};
    size_t bad = utf8_first_invalid(text);
    if (bad != SIZE_MAX) {
        w.fault->kind = JSON_FAULT_INVALID_UTF8;
        w.fault->message = "invalid UTF-8";
        w.fault->byte = bad;
        return;
    }
    const char *end = value_end(w, p);
    if (w.fault->kind != JSON_FAULT_SYNTAX || skip_space(end, w.end) == w.end) return;
    /* Is what stands before `end` a whole value? Then the rest is the fault. */
    size_t prefix_len = static_cast<size_t>(end - w.base);
    char saved[simdjson::SIMDJSON_PADDING];
    size_t n_saved = text.len - prefix_len;
    if (n_saved > sizeof saved) n_saved = sizeof saved;
    memcpy(saved, end, n_saved);
    memset(r->padded + prefix_len, ' ', n_saved);
    json_fault probe = {JSON_FAULT_NONE, 0, "", 0};
    walk inner = {arena, &probe, w.base, end};
    json_value *root = value_new(inner, eh_str{nullptr, 0});
    if (root && read_root(inner, r->parser, r->padded_cap, p, root)) {
        w.fault->kind = JSON_FAULT_TRAILING;
        w.fault->message = "more text after the value";
        w.fault->byte = prefix_len;
    }
    memcpy(r->padded + prefix_len, saved, n_saved);
}

} // namespace

extern "C" {

json_reader *json_reader_new(void) {
    void *place = mem_alloc(1, sizeof(json_reader));
    return place ? new (place) json_reader() : nullptr;
}

void json_reader_free(json_reader *r) {
    if (!r) return;
    mem_free(r->padded);
    r->~json_reader();
    mem_free(r);
}

const json_value *json_read(json_reader *r, eh_arena *arena, eh_str text,
                            json_fault *fault) {
    *fault = json_fault{JSON_FAULT_NONE, 0, "", 0};
    walk w = {arena, fault, nullptr, nullptr};
    if (!pad(r, text)) {
        no_memory(w);
        return nullptr;
    }
    w.base = r->padded;
    w.end = r->padded + text.len;
    const char *p = skip_space(w.base, w.end);
    if (p == w.end) {
        fail(w, JSON_FAULT_EMPTY, "no JSON value", p);
        return nullptr;
    }
    json_value *root = value_new(w, eh_str{nullptr, 0});
    if (!root) return nullptr;
    bool container = *p == '{' || *p == '[';
    bool ok = container ? read_root(w, r->parser, r->padded_cap, p, root)
                        : read_root_scalar(w, p, root);
    if (ok && !container && utf8_first_invalid(text) != SIZE_MAX)
        ok = fail(w, JSON_FAULT_INVALID_UTF8, "invalid UTF-8", w.base);
    if (ok) return root;
    refine_fault(r, w, arena, p);
    return nullptr;
}

bool json_decode_string(eh_str token, eh_arena *arena, eh_str *text) {
    json_fault fault = {JSON_FAULT_NONE, 0, "", 0};
    walk w = {arena, &fault, token.ptr, token.ptr + token.len};
    return decode_string(w, token.ptr, text);
}

const json_value *json_get(const json_value *object, const char *key) {
    if (!object || object->kind != JSON_OBJECT) return nullptr;
    eh_str want = eh_str_of(key);
    for (const json_value *m = object->child; m; m = m->next)
        if (eh_str_eq(m->key, want)) return m;
    return nullptr;
}

eh_str json_get_str(const json_value *object, const char *key) {
    const json_value *v = json_get(object, key);
    if (!v || v->kind != JSON_STRING) return eh_str{nullptr, 0};
    return v->text;
}

const json_value *json_duplicate_key(const json_value *object) {
    if (!object || object->kind != JSON_OBJECT) return nullptr;
    for (const json_value *m = object->child; m; m = m->next)
        for (const json_value *other = object->child; other != m; other = other->next)
            if (eh_str_eq(m->key, other->key)) return m;
    return nullptr;
}

} /* extern "C" */
