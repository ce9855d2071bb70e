/* SPDX-License-Identifier: MIT
 *
 * A scanner for the outer shape of JSON, which cuts objects out of a stream of bytes;
 * what is inside them is read by the JSON reader.
 *
 *   byte -> depth and string state -> the text of one value in `text` -> json_read
 *
 * The way to a list (`path`) is walked member by member: what is not on the way is
 * collected as the head (a value too long for it is left out), what is on the way is
 * entered. The state between two records is where in the outer shape the stream stands:
 * at the root, or inside a list with so many objects open around it.
 *
 * A raw line end inside a string is never JSON. It ends the record with a fault, and at
 * the root reading goes on with the next line, so that one damaged line does not take
 * all others with it.
 *
 * Left out: what stands behind the list in an object (skipped), lists of lists.
 */
#include "import/records.h"

#include <stdio.h>
#include <string.h>

#include "base/json_scan.h"
#include "base/json_write.h"
#include "base/mem.h"
#include "dataset/tree.h"

#define HEAD_VALUE_MAX_BYTES ((size_t)1 << 20)
#define HEAD_MAX_BYTES ((size_t)16 << 20)
#define ARENA_MAX_BYTES (4 * BUF_MAX_LINE)

typedef enum where {
    AT_ROOT,
    IN_ROOT_LIST,
    IN_PATH_LIST, /* inside n_open objects */
} where;

struct records {
    source *src;
    const records_path *path; /* or NULL */
    const fault_log *log;

    eh_str piece; /* what is left of the source's last piece */
    bool at_end;
    int64_t line, n_records;

    where where;
    int n_open; /* objects around the list */
    bool first; /* no element of the list was read yet */

    eh_buf text, other, head_text;
    json_reader *json;
    eh_arena arena, head_arena;
    const json_value *head; /* NULL: not read yet */
};

records *records_new(source *src, const records_path *path, const fault_log *log) {
    records *r = mem_zalloc(1, sizeof *r);
    if (!r) return NULL;
    *r = (records){.src = src, .path = path, .log = log, .line = 1};
    buf_init(&r->text, BUF_MAX_LINE);
    buf_init(&r->other, 2 * BUF_MAX_LINE);
    buf_init(&r->head_text, HEAD_MAX_BYTES);
    arena_init(&r->arena, ARENA_MAX_BYTES);
    arena_init(&r->head_arena, ARENA_MAX_BYTES);
    r->json = json_reader_new();
    if (!r->json) {
        records_free(r);
        return NULL;
    }
    return r;
}

void records_free(records *r) {
    if (!r) return;
    buf_deinit(&r->text);
    buf_deinit(&r->other);
    buf_deinit(&r->head_text);
    arena_deinit(&r->arena);
    arena_deinit(&r->head_arena);
    json_reader_free(r->json);
    mem_free(r);
}

eh_arena *records_arena(records *r) {
    return &r->arena;
}

static void report(records *r, dataset_fault_kind kind, int64_t line, int64_t byte,
                   const char *detail) {
    dataset_fault fault = fault_at(kind, line);
    fault.byte = byte;
    fault.detail = eh_str_of(detail);
    fault_report(r->log, fault);
}

/* ---- bytes ---- */

/* Makes sure that there is a byte, or that the end is known. */
static eh_status fill(records *r, eh_error *err) {
    if (r->piece.len || r->at_end) return EH_STATUS_OK;
    EH_TRY(source_next(r->src, &r->piece, err));
    r->at_end = r->piece.len == 0;
    return EH_STATUS_OK;
}

/* The next byte, not taken; -1 at the end. */
static eh_status peek(records *r, int *c, eh_error *err) {
    EH_TRY(fill(r, err));
    *c = r->at_end ? -1 : (unsigned char)r->piece.ptr[0];
    return EH_STATUS_OK;
}

static void take(records *r) {
    r->line += r->piece.ptr[0] == '\n';
    r->piece = eh_str_slice(r->piece, 1, r->piece.len);
}

static eh_status skip_space(records *r, int *c, eh_error *err) {
    for (;;) {
        EH_TRY(peek(r, c, err));
        if (*c != ' ' && *c != '\t' && *c != '\r' && *c != '\n') return EH_STATUS_OK;
        take(r);
    }
}

static eh_status skip_line(records *r, eh_error *err) {
    for (;;) {
        int c;
        EH_TRY(peek(r, &c, err));
        if (c < 0) return EH_STATUS_OK;
        take(r);
        if (c == '\n') return EH_STATUS_OK;
    }
}

/* ---- one value ---- */

typedef enum value_end {
    VALUE_WHOLE,
    VALUE_CUT,   /* the file ends inside */
    VALUE_BROKEN /* a line ends inside a string */
} value_end;

/* Behind an opening quotation mark: the rest of the string into `text`. */
static eh_status read_string(records *r, value_end *end, eh_error *err) {
    bool escaped = false;
    *end = VALUE_WHOLE;
    for (;;) {
        EH_TRY(fill(r, err));
        if (r->at_end) {
            *end = VALUE_CUT;
            return EH_STATUS_OK;
        }
        const char *begin = r->piece.ptr, *stop = begin + r->piece.len;
        const char *p = escaped ? begin : json_scan_plain(begin, stop, false);
        buf_add(&r->text, begin, (size_t)(p - begin));
        r->piece = (eh_str){p, (size_t)(stop - p)};
        if (p == stop) continue;
        char c = *p;
        if (c == '\n') {
            *end = VALUE_BROKEN;
            return EH_STATUS_OK;
        }
        buf_add_char(&r->text, c);
        r->piece = eh_str_slice(r->piece, 1, r->piece.len);
        if (c == '"' && !escaped) return EH_STATUS_OK;
        escaped = c == '\\' && !escaped;
    }
}

/* A number or a word. */
static eh_status read_word(records *r, eh_error *err) {
    for (;;) {
        int c;
        EH_TRY(peek(r, &c, err));
        if (c < 0 || strchr(" \t\r\n,:{}[]\"", c)) return EH_STATUS_OK;
        buf_add_char(&r->text, (char)c);
        take(r);
    }
}

/* The text of the value that begins here. */
static eh_status read_value(records *r, value_end *end, eh_error *err) {
    int depth = 0;
    buf_reset(&r->text);
    *end = VALUE_WHOLE;
    do {
        int c;
        EH_TRY(peek(r, &c, err));
        if (c < 0) {
            *end = VALUE_CUT;
            return EH_STATUS_OK;
        }
        if (depth == 0 && !strchr("{[\"", c)) return read_word(r, err);
        buf_add_char(&r->text, (char)c);
        take(r);
        depth += c == '{' || c == '[';
        depth -= c == '}' || c == ']';
        if (c == '"') EH_TRY(read_string(r, end, err));
    } while (depth > 0 && *end == VALUE_WHOLE);
    return EH_STATUS_OK;
}

/* Python writes NaN, Infinity and -Infinity, which are no JSON: copies the text with
 * null in their place. False where there are none. */
static bool replace_python_words(eh_str text, eh_buf *to) {
    static const char *const words[] = {"-Infinity", "Infinity", "NaN"};
    bool any = false, in_string = false;
    buf_reset(to);
    for (size_t i = 0; i < text.len;) {
        size_t n = 1;
        for (size_t k = 0; !in_string && k < sizeof words / sizeof words[0]; k++)
            if (eh_str_begins(eh_str_slice(text, i, text.len), eh_str_of(words[k])))
                n = strlen(words[k]);
        if (n > 1) {
            buf_add_cstr(to, "null");
            any = true;
        } else {
            if (in_string && text.ptr[i] == '\\' && i + 1 < text.len) n = 2;
            if (text.ptr[i] == '"') in_string = !in_string;
            buf_add(to, text.ptr + i, n);
        }
        i += n;
    }
    return any;
}

static const json_value *parse(records *r, eh_arena *arena, eh_buf *text,
                               json_fault *fault) {
    const json_value *v = json_read(r->json, arena, buf_view(text), fault);
    if (v || fault->kind != JSON_FAULT_SYNTAX) return v;
    if (!replace_python_words(buf_view(text), &r->other)) return NULL;
    json_fault again;
    v = json_read(r->json, arena, buf_view(&r->other), &again);
    if (v) *fault = again;
    return v;
}

/* What is wrong with a value that was read as a whole. */
static void report_json(records *r, int64_t line, const json_fault *fault) {
    dataset_fault_kind kind = fault->kind == JSON_FAULT_INVALID_UTF8
                                  ? DATASET_FAULT_INVALID_UTF8
                                  : DATASET_FAULT_BAD_JSON;
    bool one_line = memchr(r->text.ptr, '\n', r->text.len) == NULL;
    report(r, kind, line, one_line ? (int64_t)fault->byte : -1, fault->message);
}

static eh_status check_text(records *r, int64_t line, bool *ok, eh_error *err) {
    *ok = !r->text.failed;
    if (*ok) return EH_STATUS_OK;
    if (!r->text.too_big) return EH_NOMEM(err);
    report(r, DATASET_FAULT_BAD_JSON, line, -1, "the object is too long");
    return EH_STATUS_OK;
}

/* `text` as the next record; out->value stays NULL where it is none. */
static eh_status make_record(records *r, int64_t line, record *out, eh_error *err) {
    json_fault fault;
    bool ok;
    *out = (record){.line = line};
    EH_TRY(check_text(r, line, &ok, err));
    if (!ok) return EH_STATUS_OK;
    arena_reset(&r->arena);
    const json_value *v = parse(r, &r->arena, &r->text, &fault);
    if (!v && fault.kind == JSON_FAULT_NOMEM) return EH_NOMEM(err);
    if (!v) {
        report_json(r, line, &fault);
        return EH_STATUS_OK;
    }
    if (v->kind != JSON_OBJECT) {
        report(r, DATASET_FAULT_NOT_AN_OBJECT, line, -1, tree_kind_name(v));
        return EH_STATUS_OK;
    }
    out->value = v;
    out->text = buf_view(&r->text);
    out->index = r->n_records++;
    return EH_STATUS_OK;
}

/* ---- the outer shape ---- */

static eh_status give_up(records *r, int64_t line, const char *detail) {
    report(r, DATASET_FAULT_BAD_JSON, line, -1, detail);
    r->at_end = true;
    r->piece = EH_STR("");
    r->where = AT_ROOT;
    return EH_STATUS_OK;
}

static const char cut_off[] = "the file ends in the middle of this";

/* A record at the root, or inside a list, that was not read as a whole. */
static eh_status leave_broken(records *r, value_end end, int64_t line, eh_error *err) {
    if (end == VALUE_CUT) return give_up(r, line, cut_off);
    report(r, DATASET_FAULT_BAD_JSON, r->line, -1, "a string never ends in this line");
    if (r->where == AT_ROOT) return skip_line(r, err);
    r->at_end = true;
    r->piece = EH_STR("");
    return EH_STATUS_OK;
}

/* Adds the member that was read to the head. */
static void head_add(records *r, eh_str name) {
    if (r->text.failed || r->text.len > HEAD_VALUE_MAX_BYTES) return;
    buf_add_char(&r->head_text, r->head_text.len > 1 ? ',' : ' ');
    json_quote(&r->head_text, name);
    buf_add_char(&r->head_text, ':');
    buf_add_str(&r->head_text, buf_view(&r->text));
}

/* The name of the next member, into the head's arena; *more is false at the closing
 * brace, which is taken. */
static eh_status next_name(records *r, eh_str *name, bool *more, eh_error *err) {
    int c;
    value_end end;
    *more = false;
    EH_TRY(skip_space(r, &c, err));
    if (c == ',') {
        take(r);
        EH_TRY(skip_space(r, &c, err));
    }
    if (c == '}') {
        take(r);
        return EH_STATUS_OK;
    }
    if (c != '"') return give_up(r, r->line, c < 0 ? cut_off : "a name is needed here");
    int64_t line = r->line;
    EH_TRY(read_value(r, &end, err));
    if (end != VALUE_WHOLE) return leave_broken(r, VALUE_CUT, line, err);
    if (!json_decode_string(buf_view(&r->text), &r->head_arena, name))
        return EH_NOMEM(err);
    EH_TRY(skip_space(r, &c, err));
    if (c != ':')
        return give_up(r, r->line, c < 0 ? cut_off : "a colon is needed here");
    take(r);
    EH_TRY(skip_space(r, &c, err));
    if (c < 0) return give_up(r, r->line, cut_off);
    *more = true;
    return EH_STATUS_OK;
}

static bool is_last_step(const records_path *path, int depth) {
    return depth + 1 == RECORDS_PATH_MAX || !path->steps[depth + 1];
}

/* Walks the members of the object that was entered until the path's list begins
 * (`where` says so) or the object ends. */
static eh_status walk(records *r, eh_error *err) {
    int depth = 0, c;
    while (depth >= 0 && !r->at_end) {
        eh_str name;
        bool more;
        EH_TRY(next_name(r, &name, &more, err));
        if (!more) {
            depth--;
            continue;
        }
        EH_TRY(peek(r, &c, err));
        bool on_the_way = eh_str_eq_cstr(name, r->path->steps[depth]);
        bool last = is_last_step(r->path, depth);
        if (on_the_way && c == (last ? '[' : '{')) {
            take(r);
            depth++;
            if (!last) continue;
            r->where = IN_PATH_LIST;
            r->n_open = depth;
            r->first = true;
            return EH_STATUS_OK;
        }
        int64_t line = r->line;
        value_end end;
        EH_TRY(read_value(r, &end, err));
        if (end != VALUE_WHOLE) return leave_broken(r, end, line, err);
        if (depth == 0) head_add(r, name);
    }
    r->where = AT_ROOT;
    return EH_STATUS_OK;
}

/* Behind a list inside an object: skips to the end of the object. */
static eh_status leave_list(records *r, eh_error *err) {
    while (r->n_open > 0 && !r->at_end) {
        eh_str name;
        bool more;
        value_end end;
        EH_TRY(next_name(r, &name, &more, err));
        if (!more) {
            r->n_open--;
            continue;
        }
        EH_TRY(read_value(r, &end, err));
        if (end != VALUE_WHOLE) return leave_broken(r, end, r->line, err);
    }
    r->where = AT_ROOT;
    return EH_STATUS_OK;
}

/* The next element of a list; out->value stays NULL where there is none, or no good
 * one. */
static eh_status next_element(records *r, record *out, eh_error *err) {
    int c;
    EH_TRY(skip_space(r, &c, err));
    if (c == ']') {
        take(r);
        if (r->where == IN_PATH_LIST) return leave_list(r, err);
        r->where = AT_ROOT;
        return EH_STATUS_OK;
    }
    if (!r->first) {
        if (c != ',')
            return give_up(r, r->line, c < 0 ? cut_off : "a comma is needed here");
        take(r);
        EH_TRY(skip_space(r, &c, err));
    }
    if (c < 0) return give_up(r, r->line, cut_off);
    r->first = false;
    int64_t line = r->line;
    value_end end;
    EH_TRY(read_value(r, &end, err));
    if (end != VALUE_WHOLE) return leave_broken(r, end, line, err);
    return make_record(r, line, out, err);
}

/* An object at the root that is walked; the head begins anew with it. */
static eh_status enter_object(records *r, eh_error *err) {
    int64_t line = r->line;
    take(r);
    arena_reset(&r->head_arena);
    buf_reset(&r->head_text);
    buf_add_char(&r->head_text, '{');
    r->head = NULL;
    EH_TRY(walk(r, err));
    if (r->where == AT_ROOT && !r->at_end) {
        char detail[80];
        (void)snprintf(detail, sizeof detail, "the object has no list '%s'",
                       r->path->steps[0]);
        report(r, DATASET_FAULT_MISSING_FIELD, line, -1, detail);
    }
    return EH_STATUS_OK;
}

static eh_status next_at_root(records *r, record *out, bool *more, eh_error *err) {
    int c;
    EH_TRY(skip_space(r, &c, err));
    if (c == 0xEF && r->n_records == 0 &&
        eh_str_begins(r->piece, EH_STR("\xEF\xBB\xBF"))) {
        r->piece = eh_str_slice(r->piece, 3, r->piece.len);
        EH_TRY(skip_space(r, &c, err));
    }
    *more = c >= 0;
    if (c < 0) return EH_STATUS_OK;
    if (c == '[') {
        take(r);
        r->where = IN_ROOT_LIST;
        r->first = true;
        return EH_STATUS_OK;
    }
    if (c == '{' && r->path) return enter_object(r, err);
    int64_t line = r->line;
    if (c != '{' && c != '"') {
        report(r, DATASET_FAULT_NOT_AN_OBJECT, line, -1,
               "neither an object nor a list");
        return skip_line(r, err);
    }
    value_end end;
    EH_TRY(read_value(r, &end, err));
    if (end != VALUE_WHOLE) return leave_broken(r, end, line, err);
    return make_record(r, line, out, err);
}

eh_status records_next(records *r, record *out, bool *more, eh_error *err) {
    *out = (record){0};
    *more = true;
    while (!out->value && *more) {
        if (r->where == AT_ROOT)
            EH_TRY(next_at_root(r, out, more, err));
        else
            EH_TRY(next_element(r, out, err));
        /* where reading gave up, the root finds the end */
        if (r->at_end && !out->value && r->piece.len == 0) r->where = AT_ROOT;
    }
    return EH_STATUS_OK;
}

const json_value *records_head(records *r) {
    static const json_value nothing = {.kind = JSON_OBJECT};
    if (r->head) return r->head;
    json_fault fault;
    buf_add_char(&r->head_text, '}');
    if (r->head_text.len > 1) r->head = parse(r, &r->head_arena, &r->head_text, &fault);
    if (!r->head) r->head = &nothing;
    return r->head;
}
