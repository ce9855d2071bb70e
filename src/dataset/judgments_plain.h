/* SPDX-License-Identifier: MIT
 *
 * Plain judgment rows, straight from the text.
 */
#ifndef EH_DATASET_JUDGMENTS_PLAIN_H
#define EH_DATASET_JUDGMENTS_PLAIN_H

#include "dataset/judgments.h"

/* A row in the form that nearly all have. */
typedef struct plain_judgment {
    dataset_judgment
        row;      /* without reply, file and line; strings point into the line */
    eh_str reply; /* JSON text with its quotation marks; absent where none is */
    bool reply_has_escape; /* else the text between them is the reply */
} plain_judgment;

/* Fills `out` when the line is a row of which nothing needs to be said: only fields of
 * judgments, each once, each of its usual type, valid JSON, valid UTF-8. False means no
 * more than that the general reader has to look at it. */
bool judgment_read_plain(eh_str line, plain_judgment *out);

#endif
