/* SPDX-License-Identifier: MIT
 *
 * Token counts: what endpoints report, and what can be said before asking.
 */
#ifndef EH_CODEC_USAGE_H
#define EH_CODEC_USAGE_H

#include "base/json_read.h"
#include "codec/call.h"

#define USAGE_UNKNOWN ((judge_usage){-1, -1, -1, -1})

/* From a `usage` object (NULL is allowed) in the layout of OpenAI or of Anthropic. What
 * is absent or no whole number is unknown, and is not computed from other fields. */
judge_usage usage_openai(const json_value *usage);
judge_usage usage_anthropic(const json_value *usage);

/* The share of sample `i` of `n` in a request's usage: the prompt counts once, with the
 * first sample; the output is dealt out evenly. The shares add up to the whole. */
judge_usage usage_share(const judge_usage *whole, int i, int n);

/* Tokens that a text has at least, by counting words and characters of scripts that
 * write without spaces. Meant for noticing a prompt that was cut in silence: real
 * tokenizers give more. */
int64_t usage_estimate_low(eh_str text);

/* Tokens that a text has at most, but for pathological ones: for limits and prices. */
int64_t usage_estimate_high(eh_str text);

#endif
