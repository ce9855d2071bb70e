/* SPDX-License-Identifier: MIT
 *
 * Private to dataset/: reading questions and files of answers that belong to them by
 * id, whatever pairs are then made of them.
 */
#ifndef EH_DATASET_JOIN_H
#define EH_DATASET_JOIN_H

#include "dataset/pairs.h"
#include "dataset/rows.h"

typedef struct joiner joiner;

/* A question whose answers were looked up. */
typedef struct joined_question {
    const dataset_row *row;
    const dataset_text *text; /* id and text */
    dataset_pair pair;        /* with what goes with the question into its pairs */
    eh_str meta_json;         /* the question's further fields, or empty */
} joined_question;

/* Makes the pairs of one question by joiner_put; which answers are there is in j->has.
 */
typedef eh_status joiner_emit(joiner *j, const joined_question *q, eh_error *err);

struct joiner {
    fault_log log;
    const dataset_stage *stage;
    const char *const *answers; /* [n_answers] files; table 1 + i of the stage */
    int n_answers;
    dataset_text *found; /* [n_answers] of the question at hand */
    bool *has;           /* [n_answers] */
    joiner_emit *emit;
    /* sees every row of answers that is kept; may be NULL */
    eh_status (*on_answer)(void *self, int answers, const dataset_text *text,
                           eh_error *err);
    void *self;
    int table;     /* which one the file being read goes to */
    eh_buf others; /* one row's further fields */
    eh_buf meta;   /* a pair's */
};

void joiner_init(joiner *j);
void joiner_deinit(joiner *j);

/* Reads one file into its table; `table` DATASET_QUESTIONS makes the pairs. */
EH_MUST_USE eh_status joiner_read(joiner *j, const char *path, dataset_format format,
                                  int table, uint8_t digest[32], eh_error *err);

/* A pair of the question's answers a and b, with this id. */
EH_MUST_USE eh_status joiner_put(joiner *j, const joined_question *q, eh_str id, int a,
                                 int b, eh_error *err);

/* Warns about answers that no question asked for. */
EH_MUST_USE eh_status joiner_report_left(joiner *j, eh_error *err);

#endif
