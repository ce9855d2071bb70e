/* SPDX-License-Identifier: MIT
 *
 * Files of judgments, ours and other tools': what they are is recognised by what is in
 * them, and all of them come out as pairs, judgments and labels of one form.
 */
#ifndef EH_IMPORT_IMPORT_H
#define EH_IMPORT_IMPORT_H

#include "dataset/judgments.h"
#include "dataset/labels.h"

/* What is known of the order in which answers were shown. */
typedef enum import_orders {
    IMPORT_ORDERS_RECORDED,
    IMPORT_ORDERS_ONE,    /* answer 1 always first */
    IMPORT_ORDERS_UNKNOWN /* drawn and not written down: kept as 12 */
} import_orders;

/* Where things go, in an order in which a pair comes before what is said of it. */
typedef struct import_sink {
    void *self;
    /* A pair as ledger_pair_add takes it; NULL: pairs are known already. */
    eh_status (*pair)(void *self, const dataset_pair *pair, eh_str question_key,
                      eh_error *err);
    /* sample -1: no number is recorded, it is the next one of its judge, pair and
     * order. */
    eh_status (*judgment)(void *self, const dataset_judgment *judgment, eh_error *err);
    /* NULL: labels are not wanted. */
    eh_status (*label)(void *self, const dataset_label *label, eh_error *err);
    /* put_text and get_text, for formats whose texts stand in files of their own; NULL:
     * then there are none. */
    const dataset_stage *texts;
    bool no_replies; /* as in dataset_judgment_sink */
} import_sink;

typedef struct import_options {
    const char *format; /* a name; NULL or "auto": by what is in the file */
    const char *map;    /* csv: which of the data's fields is which of ours; or NULL */
    const char *verdicts; /* WORD=VERDICT,... before a format's own words; or NULL */
    const char *judge;    /* a name instead of what is recorded; or NULL */
} import_options;

/* What a file was read as. */
typedef struct import_file {
    const char *format, *title; /* constants */
    import_orders orders;
    bool has_texts; /* of pairs */
    bool is_texts;  /* nothing but texts for other files */
    int64_t n_judgments, n_verdicts, n_pairs, n_labels;
} import_file;

/* "auto", ours, then the others; NULL behind the last. */
const char *import_format_name(size_t i);

/* Reads one file. What is wrong in it goes to `faults` and is counted, as with
 * dataset_read_judgments; a file that is of no known format, or not of the one that was
 * named, is DATA. */
EH_MUST_USE eh_status import_read(const char *path, const import_options *options,
                                  const import_sink *sink, const dataset_faults *faults,
                                  dataset_counts *counts, import_file *file,
                                  eh_error *err);

/* Whether it holds nothing but texts for other files, which is then to be read first.
 * False for what cannot be opened; for "-" as well, which is not touched. */
bool import_is_texts(const char *path, const import_options *options);

#endif
