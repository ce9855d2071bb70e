/* SPDX-License-Identifier: MIT
 *
 * What a call asks for and what it used, as judges, codecs and the ledger speak of it.
 */
#ifndef EH_CODEC_CALL_H
#define EH_CODEC_CALL_H

#include <stdbool.h>

#include "base/status.h"

/* What was asked of the model, and goes into the call's key. NaN and -1: not sent. */
typedef struct judge_params {
    double temperature;
    int64_t max_tokens;
    int64_t request_seed;
    bool wants_logprobs; /* of the reply's tokens, */
    int top_logprobs;    /* and of so many alternatives to each */
} judge_params;

/* Token counts; -1 = unknown. */
typedef struct judge_usage {
    int64_t prompt_tokens, cached_tokens, completion_tokens, reasoning_tokens;
} judge_usage;

#endif
