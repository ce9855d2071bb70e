/* SPDX-License-Identifier: MIT
 *
 * JSON writing into a buffer: commas and nesting kept by the writer, strings escaped,
 * numbers as the shortest decimal that reads back to the same double.
 *
 *   json_writer w;
 *   json_writer_init(&w, &buf, 2);         // indent by 2; 0 = one line
 *   json_object_begin(&w);
 *   json_key(&w, "win_rate");
 *   json_f64(&w, .525);
 *   json_object_end(&w);
 *
 * Failures are the buffer's (sticky, buf_check). What is not finite is written as null.
 */
#ifndef EH_BASE_JSON_WRITE_H
#define EH_BASE_JSON_WRITE_H

#include "base/buf.h"
#include "base/json_read.h"

typedef struct json_writer {
    eh_buf *out;
    int indent; /* spaces a level; 0 writes everything on one line */
    int depth;
    bool need_comma;
    bool after_key;
} json_writer;

void json_writer_init(json_writer *w, eh_buf *out, int indent);

void json_object_begin(json_writer *w);
void json_object_end(json_writer *w);
void json_array_begin(json_writer *w);
void json_array_end(json_writer *w);
void json_key(json_writer *w, const char *key);
void json_key_str(json_writer *w, eh_str key);

void json_str(json_writer *w, eh_str s); /* an absent string is written as null */
void json_cstr(json_writer *w, const char *s);
void json_i64(json_writer *w, int64_t value);
void json_f64(json_writer *w, double value);
void json_bool(json_writer *w, bool value);
void json_null(json_writer *w);

/* A member of the object that is open: its key and its value. */
void json_put_i64(json_writer *w, const char *key, int64_t value);
void json_put_known(json_writer *w, const char *key, int64_t value); /* -1: null */
void json_put_f64(json_writer *w, const char *key, double value);    /* NaN: null */
void json_put_str(json_writer *w, const char *key, eh_str value);    /* absent: null */
void json_put_cstr(json_writer *w, const char *key, const char *value);
void json_put_bool(json_writer *w, const char *key, bool value);

/* A value that was read: keys in their order, numbers as they were written. */
void json_tree(json_writer *w, const json_value *v);

/* Text that is JSON already, taken as it is. */
void json_raw(json_writer *w, eh_str text);

/* The shortest text that strtod reads back as `value`, such as 0.1, 5, 1e-07; at least
 * 32 bytes of room. Not for infinities and NaN. */
void json_f64_text(double value, char text[32]);

/* Appends `s` in quotation marks with JSON's escapes; bytes that are no UTF-8 become
 * U+FFFD. */
void json_quote(eh_buf *out, eh_str s);

#endif
