/* SPDX-License-Identifier: MIT
 *
 * Data sets: rows of pairs read from files, every fault found in one pass.
 *
 * A reader hands each valid row to a stage, which keeps it (the ledger, or a temporary
 * database for `evenhand check`) and knows which ids it has seen: so a data set of any
 * size is checked in constant memory. Faults and warnings go to a fault sink as they
 * are found; reading goes on to the end.
 */
#ifndef EH_DATASET_DATASET_H
#define EH_DATASET_DATASET_H

#include "base/arena.h"
#include "base/status.h"

/* X(id, name, is_error) */
#define DATASET_FAULT_LIST(X)                                                          \
    X(MISSING_FIELD, "missing_field", true)                                            \
    X(WRONG_TYPE, "wrong_type", true)                                                  \
    X(NOT_AN_OBJECT, "not_an_object", true)                                            \
    X(TRAILING_DATA, "trailing_data", true)                                            \
    X(BAD_JSON, "bad_json", true)                                                      \
    X(DUPLICATE_ID, "duplicate_id", true)                                              \
    X(DUPLICATE_KEY, "duplicate_key", true)                                            \
    X(INVALID_UTF8, "invalid_utf8", true)                                              \
    X(MISSING_ANSWER, "missing_answer", true)                                          \
    X(NO_PAIRS, "no_pairs", true)                                                      \
    X(BAD_CSV, "bad_csv", true)                                                        \
    X(WRONG_COLUMNS, "wrong_columns", true)                                            \
    X(CONTEXT_DIFFERS, "context_differs", true)                                        \
    X(EMPTY_ANSWER, "empty_answer", false)                                             \
    X(IDENTICAL_ANSWERS, "identical_answers", false)                                   \
    X(REPLACED_SURROGATE, "replaced_surrogate", false)                                 \
    X(CONTAINS_NUL, "contains_nul", false)                                             \
    X(CUT_CELL, "cut_cell", false)                                                     \
    X(UNKNOWN_ID, "unknown_id", false)                                                 \
    X(ID_TYPE_DIFFERS, "id_type_differs", false)                                       \
    X(CUT_LINE, "cut_line", false)                                                     \
    X(ONE_SIDED, "one_sided", false)                                                   \
    X(UNKNOWN_VERDICT, "unknown_verdict", false)

typedef enum dataset_fault_kind {
#define X(id, name, is_error) DATASET_FAULT_##id,
    DATASET_FAULT_LIST(X)
#undef X
        DATASET_FAULT_N
} dataset_fault_kind;

const char *dataset_fault_name(dataset_fault_kind kind);
bool dataset_fault_is_error(dataset_fault_kind kind);

typedef struct dataset_fault {
    dataset_fault_kind kind;
    const char *file;   /* as the user named it */
    int64_t line;       /* from 1; 0 where none applies */
    int64_t other_line; /* duplicate_id: where the id stood first; else 0 */
    int64_t byte;       /* offset in the line from 0, or -1 */
    int64_t count;      /* replaced surrogates, NULs; else 0 */
    eh_str id;          /* absent where the row has none */
    eh_str field;       /* absent where none applies */
    eh_str detail;      /* a few words for a person, or absent */
} dataset_fault;

/* One row. All strings are borrowed for the time of the call; what is optional and not
 * there is absent. Answers are byte for byte what the file holds (JSON decoded). */
typedef struct dataset_pair {
    eh_str id; /* literal text of the string or number */
    eh_str question, answer_1, answer_2;
    eh_str model_1, model_2, category, reference, short_question;
    eh_str turns_json; /* the `turns` value as JSON text */
    eh_str meta_json;  /* an object: `meta` and all unknown fields, kept */
    const char *file;
    int64_t line;
} dataset_pair;

/* How an id was written. Ids count by their text alone; where files that are joined
 * write the same one differently, that is worth a warning. */
typedef enum dataset_id_kind {
    DATASET_ID_STRING,
    DATASET_ID_NUMBER,
    DATASET_ID_UNTYPED /* a CSV cell, which may be either */
} dataset_id_kind;

/* One row of a file of questions or answers that are joined by id. */
typedef struct dataset_text {
    eh_str id;
    dataset_id_kind id_kind;
    eh_str text;
    eh_str model;     /* answers */
    eh_str meta_json; /* as in dataset_pair */
    int64_t line;
} dataset_text;

/* The tables of a join; further files of answers may follow as 3, 4, ... */
enum { DATASET_QUESTIONS = 0, DATASET_ANSWERS_1 = 1, DATASET_ANSWERS_2 = 2 };

/* Where rows go. The functions about texts are called for joins only. */
typedef struct dataset_stage {
    void *self;
    /* Keeps a row, in the order of the calls. When its id is there already, nothing is
     * kept and *first_line is the earlier row's line; 0 otherwise. A returned failure
     * (disk, memory) ends the reading. */
    eh_status (*put)(void *self, const dataset_pair *pair, int64_t *first_line,
                     eh_error *err);
    /* The same for a row of a table that is joined. Of questions only id and line are
     * given, to find an id that comes twice. */
    eh_status (*put_text)(void *self, int table, const dataset_text *text,
                          int64_t *first_line, eh_error *err);
    /* Looks an id up and marks its row as taken. *found is false where there is none.
     * Strings stay valid until the next call for the same table. */
    eh_status (*get_text)(void *self, int table, eh_str id, dataset_text *text,
                          bool *found, eh_error *err);
    /* Calls `each` for the rows of the table that were never taken, in the order in
     * which they were put; of them id, id_kind and line are needed. */
    eh_status (*each_left)(void *self, int table,
                           void (*each)(void *to, const dataset_text *text), void *to,
                           eh_error *err);
} dataset_stage;

typedef struct dataset_faults {
    void *self;
    void (*report)(void *self, const dataset_fault *fault);
} dataset_faults;

typedef struct dataset_counts {
    int64_t n_rows;   /* valid rows handed to the stage and kept */
    int64_t n_errors; /* faults that are errors */
    int64_t n_warnings;
} dataset_counts;

typedef enum dataset_format {
    DATASET_FORMAT_AUTO, /* by the file's name, else by its first line */
    DATASET_FORMAT_JSONL,
    DATASET_FORMAT_CSV
} dataset_format;

/* Either `path`, or the three files of a join. Paths may be "-" for standard input (one
 * of them), and stay borrowed while faults and pairs that name them are in use. */
typedef struct dataset_options {
    const char *path;
    const char *questions, *answers_1, *answers_2;
    /* "question=prompt,answer_1=chosen": which field of the data, or which dotted path
     * in it, is which of ours. NULL: they have our names. Not with a join. */
    const char *map;
    dataset_format format;
} dataset_options;

/* Reads a data set of pairs. Returns OK when reading came to the end, also with faults
 * in it: look at counts->n_errors. Other codes mean that it could not be read at all
 * (wrong options: USAGE; file missing, damaged gzip data: DATA; reading failed: IO; the
 * stage's own). `faults` may be NULL. `file_digest` may be NULL; otherwise a hash over
 * the bytes of the file, or over the digests of the three files of a join. */
EH_MUST_USE eh_status dataset_read(const dataset_options *options,
                                   const dataset_stage *stage,
                                   const dataset_faults *faults, dataset_counts *counts,
                                   uint8_t file_digest[32], eh_error *err);

/* dataset_read of one file in any format, with our field names. */
EH_MUST_USE eh_status dataset_read_pairs(const char *path, const dataset_stage *stage,
                                         const dataset_faults *faults,
                                         dataset_counts *counts,
                                         uint8_t file_digest[32], eh_error *err);

#endif
