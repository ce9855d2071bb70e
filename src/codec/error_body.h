/* SPDX-License-Identifier: MIT
 *
 * The error object of an answer, in all the shapes that endpoints give it.
 */
#ifndef EH_CODEC_ERROR_BODY_H
#define EH_CODEC_ERROR_BODY_H

#include "base/json_read.h"

enum { ERROR_BODY_MAX_CODES = 6 };

typedef struct error_body {
    eh_str message; /* absent when there is none */
    eh_str param;   /* the field that it speaks of; absent when none is named */
    /* Structured codes in order of weight: code, type, details.error_code and the like;
     * numbers are not among them. [n_codes] */
    eh_str codes[ERROR_BODY_MAX_CODES];
    size_t n_codes;
    int status; /* a numeric code; 0 when there is none */
} error_body;

/* Finds the error in a parsed body. `is_refused` says that the HTTP status was 400 or
 * above, where a bare `detail` is an error too. False when there is none. */
bool error_body_find(const json_value *root, bool is_refused, error_body *out);

/* Whether one of the codes is `name`. */
bool error_body_has_code(const error_body *e, const char *name);

#endif
