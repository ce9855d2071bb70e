/* SPDX-License-Identifier: MIT
 *
 * Costs of calls, and a budget for them.
 *
 *   (prompt - cached) x input + cached x cached input + completion x output
 *
 * per million tokens. Sums are made in 128 bits, since tokens times nano-dollars leave
 * 64. Unknown is never taken for free: it makes the cost unknown.
 *
 * A budget reserves the worst case of each call before it is sent: two bytes of prompt
 * make a token at most (usage.h), a reply has max_tokens at most. So it is never
 * passed, but for replies that were lost on the way and billed all the same; those are
 * counted at their worst as soon as they are known.
 */
#include "run/price.h"

typedef __int128 wide;

static int64_t per_million(wide sum) {
    wide nusd = (sum + 999999) / 1000000;
    return nusd > INT64_MAX ? -1 : (int64_t)nusd;
}

int64_t price_cost_nusd(const price_row *row, const judge_usage *u) {
    int64_t cached = u->cached_tokens > 0 ? u->cached_tokens : 0;
    if (u->prompt_tokens < 0 || u->completion_tokens < 0) return -1;
    if (row->input_nusd < 0 || row->output_nusd < 0) return -1;
    if (cached > u->prompt_tokens) cached = u->prompt_tokens;
    int64_t cached_nusd = row->cached_nusd >= 0 ? row->cached_nusd : row->input_nusd;
    return per_million((wide)(u->prompt_tokens - cached) * row->input_nusd +
                       (wide)cached * cached_nusd +
                       (wide)u->completion_tokens * row->output_nusd);
}

int64_t price_worst_nusd(const price_row *row, int64_t prompt_bytes,
                         int64_t max_tokens) {
    enum { MESSAGE_TOKENS = 64 }; /* what a chat format adds */
    int64_t nusd =
        per_million((wide)(prompt_bytes / 2 + MESSAGE_TOKENS) * row->input_nusd +
                    (wide)max_tokens * row->output_nusd);
    return nusd < 0 ? INT64_MAX / 4 : nusd;
}

bool price_fits(const price_budget *b, int64_t worst_nusd) {
    return worst_nusd <= b->max_nusd - b->spent_nusd - b->reserved_nusd;
}

void price_reserve(price_budget *b, int64_t worst_nusd) {
    b->reserved_nusd += worst_nusd;
}

void price_settle(price_budget *b, int64_t worst_nusd, const judge_usage *usage,
                  int n_lost) {
    price_settle_at(b, b->row, worst_nusd, usage, n_lost);
}

void price_settle_at(price_budget *b, const price_row *row, int64_t worst_nusd,
                     const judge_usage *usage, int n_lost) {
    int64_t cost = usage ? price_cost_nusd(row, usage) : 0;
    b->reserved_nusd -= worst_nusd;
    b->spent_nusd += (cost >= 0 ? cost : worst_nusd) + n_lost * worst_nusd;
}
