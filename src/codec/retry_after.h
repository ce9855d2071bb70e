/* SPDX-License-Identifier: MIT
 *
 * Times in headers: how long an endpoint wants to be left alone. Pure; `now` is an
 * argument.
 */
#ifndef EH_CODEC_RETRY_AFTER_H
#define EH_CODEC_RETRY_AFTER_H

#include "codec/codec.h"

/* The wait that `retry-after-ms` or `retry-after` asks for; false when there is none
 * that can be read. A date in the past is a wait of 0. Capped at a year. */
bool retry_after_get(const judge_answer *answer, int64_t now_ms, int64_t *wait_ms);

/* An HTTP date in any of its three forms, as Unix ms. `now_ms` places years of two
 * digits. */
bool retry_after_http_date(eh_str s, int64_t now_ms, int64_t *unix_ms);

/* A date such as 2026-11-29T12:00:00Z, with a fraction or an offset, as Unix ms. */
bool retry_after_rfc3339(eh_str s, int64_t *unix_ms);

/* A duration such as 12ms, 6m0s, 1h2m3.5s; a bare number is seconds. */
bool retry_after_duration(eh_str s, int64_t *wait_ms);

#endif
