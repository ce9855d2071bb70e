/* SPDX-License-Identifier: MIT
 *
 * Other tools' files: one table a format, and what their readers share. Private to
 * import.
 *
 * A reader turns each object of a file into pairs, judgments and labels of our own form
 * (dataset/judgments.h). Words for verdicts are looked up in a list, exactly; one that
 * is not in it becomes a failed judgment and a warning, never a guess.
 */
#ifndef EH_IMPORT_FORMAT_H
#define EH_IMPORT_FORMAT_H

#include "dataset/fields.h"
#include "import/import.h"
#include "import/records.h"

/* Names of the first object of a file, and the first character of each value. */
enum { IMPORT_HINT_MAX = 48 };
typedef struct import_hint {
    eh_str names[IMPORT_HINT_MAX];
    char starts[IMPORT_HINT_MAX];
    size_t n;
} import_hint;

/* Does the object have all these names? The list ends with NULL. A name that begins
 * with
 * "{" or "[" stands for a value of that kind, one that begins with "*" for an ending.
 */
bool import_hint_has(const import_hint *hint, const char *const *names);

/* What a file is read with. */
typedef struct import_reader {
    const struct import_format *format;
    const import_options *options;
    const import_sink *sink;
    fault_log log;
    const char *path;
    records *records; /* NULL for rows of CSV */
    eh_arena *arena;  /* emptied with every record */
    eh_arena kept;    /* lives as long as the file is read */
    void *state;      /* of the format, in `kept` */
    import_file *file;
} import_reader;

typedef struct import_format {
    const char *name;
    const char *title;        /* "FastChat judgments" */
    const records_path *path; /* to the list that holds the records, or NULL */
    import_orders orders;
    bool is_texts; /* what the judgments of other files are about: read before them */
    /* Which names its objects have; NULL, or a second list for another kind of object.
     */
    const char *const *names, *const *other_names;
    /* Takes one object. Faults go to fields_refuse and the like; a failure ends it. */
    eh_status (*take)(import_reader *r, dataset_row *row, eh_error *err);
    /* At the end of the file; or NULL. */
    eh_status (*end)(import_reader *r, eh_error *err);
} import_format;

extern const import_format import_alpaca_eval, import_arena_hard, import_fastchat,
    import_fastchat_texts, import_arena_texts, import_inspect, import_judgebench,
    import_llmbar, import_pandalm, import_pandalm_texts, import_promptfoo;

/* A word of a format and what it means. */
typedef struct import_word {
    const char *word;
    eh_verdict verdict;
} import_word;

/* What a recorded word says, by the user's own list or the format's: sets verdict, or a
 * reason and warns. An absent or empty word is no verdict. */
void import_read_word(import_reader *r, const dataset_row *row,
                      const import_word *words, size_t n_words, eh_str word,
                      dataset_judgment *j);

/* USAGE where a user's list of words is none. */
EH_MUST_USE eh_status import_check_words(const char *verdicts, eh_error *err);

/* A>B and the like, of the slots shown, as Arena-Hard and JudgeBench write them. */
extern const import_word import_slot_words[];
extern const size_t import_n_slot_words;

/* A short id out of texts, for data that has none; in the arena. Absent when it is
 * full. */
eh_str import_id_of(eh_arena *arena, const eh_str *texts, size_t n);

/* Reads the fields of the table into a struct; false when the row has a fault, or with
 * a status when memory is out. */
EH_MUST_USE eh_status import_read_fields(import_reader *r, const field_table *table,
                                         dataset_row *row, void *into, bool *good,
                                         eh_error *err);

/* A judgment with nothing in it but its place; sample -1 is numbered by the importer.
 */
dataset_judgment import_judgment_at(const import_reader *r, const dataset_row *row);

EH_MUST_USE eh_status import_put_pair(import_reader *r, dataset_pair *pair,
                                      const dataset_row *row, eh_str question_key,
                                      eh_error *err);
EH_MUST_USE eh_status import_put_judgment(import_reader *r, const dataset_judgment *j,
                                          eh_error *err);
EH_MUST_USE eh_status import_put_label(import_reader *r, const dataset_row *row,
                                       eh_str pair_id, const char *annotator,
                                       eh_verdict label, eh_error *err);

/* The judge's name that the user gave, else `recorded`, else `otherwise`. */
eh_str import_judge_name(const import_reader *r, eh_str recorded,
                         const char *otherwise);

/* Text of a string member, or of a number or word as it was written; absent for others.
 */
eh_str import_text(const json_value *object, const char *name);

/* The value as one text: a string as it is, null as absent, anything else as JSON.
 * False when the arena is full. */
bool import_any_text(const json_value *value, eh_arena *arena, eh_str *text);

#endif
