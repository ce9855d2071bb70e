/* SPDX-License-Identifier: MIT
 *
 * JSON reading: a text becomes a tree in an arena. simdjson does the work; what data
 * sets need beyond it is ours: every key in its order (so a key given twice is seen),
 * numbers as the text they were written in (ids and huge integers keep it), lone
 * surrogates replaced by U+FFFD and counted, and the byte where something is wrong.
 *
 *   json_reader *r = json_reader_new();
 *   json_fault fault;
 *   const json_value *v = json_read(r, &arena, line, &fault);
 *   if (!v) ... fault.kind, fault.byte ...
 *
 * Values and their strings live as long as the arena's content. A reader keeps buffers
 * between calls and belongs to one thread at a time.
 */
#ifndef EH_BASE_JSON_READ_H
#define EH_BASE_JSON_READ_H

#include "base/arena.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum json_kind {
    JSON_NULL,
    JSON_BOOL,
    JSON_NUMBER,
    JSON_STRING,
    JSON_ARRAY,
    JSON_OBJECT
} json_kind;

typedef struct json_value json_value;
struct json_value {
    json_kind kind;
    bool boolean;            /* JSON_BOOL */
    size_t n;                /* elements of an array, members of an object */
    eh_str text;             /* JSON_STRING: decoded; JSON_NUMBER: as written */
    eh_str key;              /* in an object: this member's key, decoded */
    const json_value *child; /* first element or member */
    const json_value *next;  /* the following one, in the order of the text */
};

typedef enum json_fault_kind {
    JSON_FAULT_NONE,
    JSON_FAULT_EMPTY,    /* nothing but white space */
    JSON_FAULT_SYNTAX,   /* not JSON (RFC 8259) */
    JSON_FAULT_TRAILING, /* a whole value, then something else */
    JSON_FAULT_INVALID_UTF8,
    JSON_FAULT_TOO_DEEP, /* more than JSON_MAX_DEPTH levels */
    JSON_FAULT_NOMEM
} json_fault_kind;

enum { JSON_MAX_DEPTH = 200 };

typedef struct json_fault {
    json_fault_kind kind;
    size_t byte;         /* offset in the text, as near to the cause as is known */
    const char *message; /* a constant; never NULL */
    size_t n_replaced_surrogates; /* also set when reading succeeded */
} json_fault;

typedef struct json_reader json_reader;

/* NULL when memory is out. json_reader_free accepts NULL. */
json_reader *json_reader_new(void);
void json_reader_free(json_reader *r);

/* The root value, or NULL with `fault` filled (fault must not be NULL). `text` needs
 * no padding and no terminator; a byte order mark is a syntax fault here. */
const json_value *json_read(json_reader *r, eh_arena *arena, eh_str text,
                            json_fault *fault);

/* The text that a valid JSON string, given with its quotation marks, stands for. False
 * when the arena is full. */
bool json_decode_string(eh_str token, eh_arena *arena, eh_str *text);

/* First member of that name, or NULL; also NULL when `object` is NULL or none. */
const json_value *json_get(const json_value *object, const char *key);

/* The text of a string member, or an absent eh_str. */
eh_str json_get_str(const json_value *object, const char *key);

/* A key that stands twice in this object (not in nested ones), or NULL. */
const json_value *json_duplicate_key(const json_value *object);

#ifdef __cplusplus
}
#endif

#endif
