/* SPDX-License-Identifier: MIT
 *
 * Fields of a row, by a table: a name, a type, and where its value goes in a struct.
 *
 *   static const field_spec specs[] = {
 *       {"id", FIELD_ID, FIELD_REQUIRED, offsetof(dataset_pair, id)}, ...
 *   };
 *
 * Every kind of row (pairs, texts to join, judgments, labels) is one such table.
 */
#ifndef EH_DATASET_FIELDS_H
#define EH_DATASET_FIELDS_H

#include "base/buf.h"
#include "base/json_read.h"
#include "dataset/faults.h"
#include "dataset/map.h"

/* X(id, reader, what is wanted, whether a CSV cell holds it as JSON). What a reader
 * fills stands beside it in fields.c. */
#define FIELD_TYPE_LIST(X)                                                             \
    X(ID, read_id, "a string that is not empty, or a number", false)                   \
    X(TEXT, read_text, "a string", false)                                              \
    X(SCALAR, read_scalar, "a string, a number or a boolean", false)                   \
    X(SPEECH, read_speech, "a string or a list of {role, content} messages", false)    \
    X(TURNS, read_turns, "a list of {role, content} messages", true)                   \
    X(ANY, read_any, "a value", true)                                                  \
    X(REPLY, read_any, "a string or an object", false)                                 \
    X(ORDER, read_order, "\"12\" or \"21\"", false)                                    \
    X(VERDICT, read_verdict, "\"1\", \"2\" or \"tie\"", false)                         \
    X(COUNT, read_count, "a whole number from 0", true)                                \
    X(NUMBER, read_number, "a number", true)                                           \
    X(FLAG, read_flag, "true or false", true)

typedef enum field_type {
#define X(id, reader, want, is_json) FIELD_##id,
    FIELD_TYPE_LIST(X)
#undef X
} field_type;

typedef enum field_need {
    FIELD_OPTIONAL,
    FIELD_DERIVED, /* may lack where another field gives it, but not be null */
    FIELD_REQUIRED
} field_need;

typedef struct field_spec {
    const char *name;
    field_type type;
    field_need need;
    size_t offset;     /* of the value in the record */
    const char *alias; /* read where `name` is not there, or NULL */
} field_spec;

typedef struct field_table {
    const field_spec *specs; /* the first one is the row's id */
    size_t n_specs;          /* at most FIELD_MAP_MAX */
    const field_map *map;    /* where fields have other names, or NULL */
} field_table;

/* One row of an input. */
typedef struct dataset_row {
    const json_value *object; /* JSON_OBJECT; of CSV, a string for each column */
    int64_t line;
    int64_t n_replaced_surrogates;
    eh_str cut_column;   /* CSV: has a cell as long as Excel allows, or absent */
    json_reader *cells;  /* CSV: reads cells that hold JSON; else NULL */
    int64_t header_line; /* CSV: set for the first row only; else 0 */
    bool is_bad; /* has a fault already: report what else is wrong, do not keep it */
} dataset_row;

/* The members of one row. */
typedef struct field_set {
    const json_value *values[FIELD_MAP_MAX]; /* by spec; NULL where there is none */
    const json_value **others; /* [n_others]: in no field, in their order; arena's */
    size_t n_others;
} field_set;

/* What a text field holds that may also be a list of messages. */
typedef struct field_speech {
    eh_str text;            /* absent where it is a list */
    const json_value *list; /* or NULL */
} field_speech;

/* Whether a column of that name would be used; tells a CSV header. */
bool fields_know(const field_table *table, eh_str name);

/* Sorts the members of the row. False when the arena is full. */
bool fields_find(const field_table *table, const dataset_row *from, eh_arena *arena,
                 field_set *set);

/* Reads all values into `record` and reports each missing field and wrong type; then
 * from->is_bad is set. What is optional and not there (or null, or an empty cell)
 * leaves the record as it is. Strings go into the arena or are the tree's. False when
 * the arena is full. */
bool fields_read(const field_table *table, const field_set *set, dataset_row *from,
                 void *record, const fault_log *log, eh_arena *arena);

/* The members of `meta` (NULL: none) and `others` as one JSON object into `out`, which
 * stays empty where there are none. Where a name would then stand twice, or `meta` is
 * no object, it stays whole under its own name, so that nothing is lost. What fields
 * hold already is left out, also from inside. */
void fields_write_others(const field_set *set, const json_value *meta, eh_buf *out);

/* Reports one fault of a row that is not used for it. A field that a CSV row lacks is
 * reported for the header, at the first row only. */
void fields_refuse(dataset_row *from, const fault_log *log, dataset_fault_kind kind,
                   eh_str id, const char *field, const char *detail);

/* Warns about what a row that is used holds: half surrogate pairs, NULs, cut cells. */
void fields_warn(const dataset_row *from, const fault_log *log, eh_str id);

/* For who has no memory for a row: names it. */
eh_status row_nomem(const fault_log *log, const dataset_row *from, eh_error *err);

#endif
