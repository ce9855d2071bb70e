/* SPDX-License-Identifier: MIT
 *
 * The lines of an event stream, as the HTML standard defines them:
 *
 *   : a comment                      passed over
 *   data:{"choices":[...             the space behind the colon is optional
 *   data: ]}                         further data lines of the event, joined by LF
 *                                    an empty line ends the event
 *   data: [DONE]
 *
 * Lines end with LF, CR LF or CR. An event that the end of the body cuts off is handed
 * out as well: servers forget the last empty line, and whether its data is whole is
 * seen when it is parsed. Left out: event names, ids and retry, which add nothing here.
 */
#include "codec/event_stream.h"

static eh_str without_bom(eh_str s) {
    return eh_str_begins(s, EH_STR("\xEF\xBB\xBF")) ? eh_str_slice(s, 3, s.len) : s;
}

bool event_stream_is(eh_str content_type, eh_str body) {
    if (eh_str_begins(eh_str_trim(content_type), EH_STR("text/event-stream")))
        return true;
    eh_str start = eh_str_trim(without_bom(body));
    return eh_str_begins(start, EH_STR("data:")) ||
           eh_str_begins(start, EH_STR("event:"));
}

/* Splits off one line; a CR LF is one line end. */
static bool take_line(eh_str *rest, eh_str *line) {
    if (rest->len == 0) return false;
    size_t end = 0;
    while (end < rest->len && rest->ptr[end] != '\n' && rest->ptr[end] != '\r')
        end++;
    *line = eh_str_slice(*rest, 0, end);
    size_t skip = end;
    if (skip < rest->len && rest->ptr[skip] == '\r') skip++;
    if (skip < rest->len && rest->ptr[skip] == '\n') skip++;
    *rest = eh_str_slice(*rest, skip, rest->len);
    return true;
}

/* The value of a data line; absent for any other line. */
static eh_str data_of(eh_str line) {
    if (eh_str_eq_cstr(line, "data")) return EH_STR("");
    if (!eh_str_begins(line, EH_STR("data:"))) return (eh_str){NULL, 0};
    eh_str value = eh_str_slice(line, 5, line.len);
    return eh_str_begins(value, EH_STR(" ")) ? eh_str_slice(value, 1, value.len)
                                             : value;
}

/* The data lines of the event at *rest, which moves behind it: how many there are and
 * their bytes. With `to`, they are also copied there, LF between them. */
static size_t take_event(eh_str *rest, size_t *n_bytes, eh_str *first, char *to) {
    size_t n_lines = 0;
    eh_str line;
    *n_bytes = 0;
    while (take_line(rest, &line) && line.len) {
        eh_str value = data_of(line);
        if (eh_str_is_absent(value)) continue;
        if (n_lines++ == 0)
            *first = value;
        else if (to)
            to[*n_bytes] = '\n';
        *n_bytes += n_lines > 1;
        if (to && value.len) memcpy(to + *n_bytes, value.ptr, value.len);
        *n_bytes += value.len;
    }
    return n_lines;
}

bool event_stream_next(eh_str *rest, eh_arena *arena, eh_str *data, bool *no_memory) {
    *rest = without_bom(*rest);
    while (rest->len) {
        eh_str begin = *rest;
        size_t n_bytes;
        size_t n_lines = take_event(rest, &n_bytes, data, NULL);
        if (n_lines > 1) {
            char *joined = arena_alloc(arena, n_bytes);
            *no_memory = joined == NULL;
            if (!joined) return false;
            (void)take_event(&begin, &n_bytes, data, joined);
            *data = (eh_str){joined, n_bytes};
        }
        if (n_lines && !eh_str_is_blank(*data)) return true;
    }
    return false;
}
