/* SPDX-License-Identifier: MIT
 *
 * Costs of calls.
 *
 *   (prompt - cached) x input + cached x cached input + completion x output
 *
 * per million tokens. Sums are made in 128 bits, since tokens times nano-dollars leave
 * 64. Unknown is never taken for free: it makes the cost unknown.
 */
#include "run/price.h"

typedef __int128 wide;

int64_t price_cost_nusd(const price_row *row, const judge_usage *u) {
    int64_t cached = u->cached_tokens > 0 ? u->cached_tokens : 0;
    if (u->prompt_tokens < 0 || u->completion_tokens < 0) return -1;
    if (row->input_nusd < 0 || row->output_nusd < 0) return -1;
    if (cached > u->prompt_tokens) cached = u->prompt_tokens;
    int64_t cached_nusd = row->cached_nusd >= 0 ? row->cached_nusd : row->input_nusd;
    wide sum = (wide)(u->prompt_tokens - cached) * row->input_nusd +
               (wide)cached * cached_nusd +
               (wide)u->completion_tokens * row->output_nusd;
    wide nusd = (sum + 999999) / 1000000;
    return nusd > INT64_MAX ? -1 : (int64_t)nusd;
}
