/* SPDX-License-Identifier: MIT
 *
 * What an error of an endpoint means: wait, change the request, give up a sample, or
 * stop the run.
 */
#ifndef EH_CODEC_DECIDE_H
#define EH_CODEC_DECIDE_H

#include "codec/codec.h"
#include "codec/error_body.h"

/* The longest wait that an endpoint may ask for; more stops the run. */
#define DECIDE_MAX_WAIT_MS INT64_C(600000)

/* Fills kind, wait, scope, reason, param and n of `action`, not its message. `e` may be
 * empty where the body held no error object; the answer's status then decides alone. */
void decide_error(const error_body *e, const judge_answer *answer,
                  const judge_asked *asked, judge_action *action);

/* The own backoff, as often as the caller allows. */
void decide_retry(judge_action *action);

#endif
