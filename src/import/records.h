/* SPDX-License-Identifier: MIT
 *
 * Objects out of JSON files of any layout, one at a time.
 *
 *   {..}\n{..}\n                        one object a line, or one after another
 *   [{..}, {..}]                        a list
 *   {"a": 1, "b": {"c": [{..}, {..}]}}  a list inside, where a path leads to it; what
 *                                       stands before it is the head
 *
 * Memory is that of the longest object. Python's NaN and Infinity are read as null.
 */
#ifndef EH_IMPORT_RECORDS_H
#define EH_IMPORT_RECORDS_H

#include "base/buf.h"
#include "base/json_read.h"
#include "dataset/faults.h"
#include "dataset/source.h"

enum { RECORDS_PATH_MAX = 3 };

/* Names of the members that lead to a list; the rest are NULL. */
typedef struct records_path {
    const char *steps[RECORDS_PATH_MAX];
} records_path;

typedef struct record {
    const json_value
        *value;    /* an object, in the reader's arena until the next record */
    eh_str text;   /* as it stands in the file */
    int64_t line;  /* where it begins, from 1 */
    int64_t index; /* among the records of the file, from 0 */
} record;

typedef struct records records;

/* Reads from `src`, which is borrowed. With a path, an object in the file is walked to
 * its list, and one that has none is a fault; with NULL it is a record. NULL when
 * memory is out. */
records *records_new(source *src, const records_path *path, const fault_log *log);
void records_free(records *r); /* accepts NULL */

/* The next record; what is no object, no JSON or cut off is reported as a fault, and
 * reading goes on behind it where that can be. */
EH_MUST_USE eh_status records_next(records *r, record *out, bool *more, eh_error *err);

/* Members that stand before the list, as an object of their own; never NULL. In an
 * arena of its own, until the next list begins. */
const json_value *records_head(records *r);

/* The arena that is emptied with every record. */
eh_arena *records_arena(records *r);

#endif
