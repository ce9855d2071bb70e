/* SPDX-License-Identifier: MIT
 *
 * The order in which people look at pairs, and budgets.
 *
 *   no ruling | BPDE 1.09 .. 0 | within one BPDE: small gaps first | data order
 *
 * What the judge could not decide comes first, then what its samples disagree on most.
 * Budgets are exact: the share is read as a whole number over a power of ten.
 */
#include "plan/queue.h"

#include <math.h>
#include <stdlib.h>

#define GAP_STEP 1e-9

plan_queue_entry plan_queue_entry_of(int64_t index, const plan_ruling *ruling) {
    bool ruled = ruling->none == PLAN_NONE_NOT;
    return (plan_queue_entry){.index = index,
                              .has_ruling = ruled,
                              .bpde = ruling->bpde,
                              .gap = ruled ? fabs(ruling->score_1 - ruling->score_2)
                                           : (double)NAN};
}

/* What is undefined stands before every number; the larger number first or last. */
static int compare(double a, double b, bool largest_first) {
    bool none_a = isnan(a), none_b = isnan(b);
    if (none_a || none_b) return (int)none_b - (int)none_a;
    int rising = (a > b) - (a < b);
    return largest_first ? -rising : rising;
}

static int compare_doubt(const plan_queue_entry *a, const plan_queue_entry *b) {
    if (a->has_ruling != b->has_ruling) return a->has_ruling ? 1 : -1;
    int by_bpde = compare(a->bpde, b->bpde, true);
    if (by_bpde) return by_bpde;
    return compare(floor(a->gap / GAP_STEP + .5), floor(b->gap / GAP_STEP + .5), false);
}

int plan_queue_compare(const void *left, const void *right) {
    const plan_queue_entry *a = left, *b = right;
    int by_doubt = compare_doubt(a, b);
    return by_doubt ? by_doubt : (a->index > b->index) - (a->index < b->index);
}

bool plan_queue_is_equal(const plan_queue_entry *a, const plan_queue_entry *b) {
    return compare_doubt(a, b) == 0;
}

void plan_queue_sort(plan_queue_entry *entries, size_t n) {
    qsort(entries, n, sizeof *entries, plan_queue_compare);
}

/* digits over scale, scale a power of ten. */
static bool read_decimal(eh_str text, int64_t *digits, int64_t *scale) {
    enum { MAX_DIGITS = 12 };
    int n_digits = 0;
    bool dot = false;
    *digits = 0;
    *scale = 1;
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        if (c == '.' && !dot) {
            dot = true;
            continue;
        }
        if (c < '0' || c > '9' || ++n_digits > MAX_DIGITS) return false;
        *digits = *digits * 10 + (c - '0');
        if (dot) *scale *= 10;
    }
    return n_digits > 0;
}

bool plan_budget_pairs(eh_str share, int64_t n, int64_t *n_pairs) {
    int64_t digits, scale;
    share = eh_str_trim(share);
    bool percent = eh_str_ends(share, EH_STR("%"));
    if (percent) share = eh_str_trim(eh_str_slice(share, 0, share.len - 1));
    if (!read_decimal(share, &digits, &scale)) return false;
    if (percent) scale *= 100;
    if (digits > scale || n < 0) return false;
    __int128 whole = (__int128)digits * n;
    *n_pairs = (int64_t)((whole + scale - 1) / scale);
    return true;
}
