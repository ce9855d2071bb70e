/* SPDX-License-Identifier: MIT
 *
 * Draws for the labelling queue.
 *
 *   frame (all pairs, with what the judge thinks) --rank--> queue --budget--> selected
 *
 * A ranking is made once and kept, since rulings may change later; budgets then only
 * move the line, so labels of a smaller budget are never lost to a larger one. For
 * `active` the line is a chance for each pair that rises with the budget, against a
 * number of the pair that does not.
 *
 * The order in which a person sees pairs is a permutation computed place by place: a
 * Feistel network over the next power of four, walked until it lands inside (Black and
 * Rogaway, Ciphers with arbitrary finite domains, CT-RSA 2002). So it costs no memory,
 * however many people and pairs there are.
 */
#include "plan/select.h"

#include <math.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/rng.h"
#include "stats/human.h"

static const struct {
    const char *name, *text;
} selections[] = {
#define X(id, name, text) {name, text},
    PLAN_SELECTION_LIST(X)
#undef X
};

const char *plan_selection_name(plan_selection s) {
    return selections[s].name;
}

const char *plan_selection_text(plan_selection s) {
    return selections[s].text;
}

plan_selection plan_selection_find(eh_str name) {
    for (int i = 0; i < PLAN_SELECTION_N; i++)
        if (eh_str_eq_cstr(name, selections[i].name)) return (plan_selection)i;
    return PLAN_SELECTION_N;
}

uint64_t plan_pair_content(eh_str pair_id) {
    uint8_t digest[HASH_BYTES];
    eh_hash h;
    hash_init(&h, "eh-pair-content-1");
    hash_str(&h, pair_id);
    hash_done(&h, digest);
    return hash_u64(digest);
}

/* ---- ranking ---- */

static int by_number(const void *left, const void *right) {
    const plan_candidate *a = left, *b = right;
    if (a->uncertainty != b->uncertainty)
        return (a->uncertainty > b->uncertainty) - (a->uncertainty < b->uncertainty);
    return (a->entry.index > b->entry.index) - (a->entry.index < b->entry.index);
}

static double uncertainty_of(const plan_queue_entry *e) {
    return isnan(e->bpde) ? log(3.0) : e->bpde;
}

/* `uncertainty` serves as the sort key meanwhile. */
static void rank_at_random(uint64_t seed, plan_candidate *c, int64_t n) {
    for (int64_t i = 0; i < n; i++) {
        eh_rng r = rng_make(seed, "queue.random", c[i].content);
        c[i].uncertainty = rng_uniform(&r);
    }
    qsort(c, (size_t)n, sizeof *c, by_number);
}

static int by_queue(const void *left, const void *right) {
    return plan_queue_compare(&((const plan_candidate *)left)->entry,
                              &((const plan_candidate *)right)->entry);
}

void plan_rank(plan_selection how, uint64_t seed, plan_candidate *c, int64_t n) {
    if (how == PLAN_SELECTION_RANDOM || how == PLAN_SELECTION_ACTIVE)
        rank_at_random(seed, c, n);
    else if (how == PLAN_SELECTION_ENTROPY)
        qsort(c, (size_t)n, sizeof *c, by_queue);
    for (int64_t i = 0; i < n; i++) {
        c[i].rank = i;
        c[i].uncertainty = uncertainty_of(&c[i].entry);
        c[i].p_select = (double)NAN;
        c[i].selected = false;
    }
}

void plan_select(plan_selection how, uint64_t seed, int64_t budget, plan_candidate *c,
                 int64_t n, double *uncertainty, double *p_select) {
    if (how == PLAN_SELECTION_ACTIVE) {
        for (int64_t i = 0; i < n; i++)
            uncertainty[i] = c[i].uncertainty;
        stats_active_probabilities(uncertainty, n, (double)budget, p_select);
    }
    for (int64_t i = 0; i < n; i++) {
        switch (how) {
        case PLAN_SELECTION_ACTIVE:
            c[i].p_select = p_select[i];
            c[i].selected = stats_active_selected(seed, c[i].content, p_select[i]);
            break;
        case PLAN_SELECTION_RANDOM:
            c[i].p_select = (double)budget / (double)n;
            c[i].selected = c[i].rank < budget;
            break;
        default: c[i].selected = c[i].rank < budget;
        }
    }
}

/* ---- sides and orders ---- */

eh_order plan_side(uint64_t seed, uint64_t content, int64_t n_before) {
    eh_rng r = rng_make(seed, "queue.side", content);
    uint32_t bit = (rng_u32(&r) & 1u) ^ (uint32_t)(n_before & 1);
    return bit ? EH_ORDER_21 : EH_ORDER_12;
}

/* One pass of the network over 2 * half_bits bits. */
static uint64_t feistel(uint64_t seed, uint64_t key, int half_bits, uint64_t x) {
    enum { ROUNDS = 6 };
    uint64_t mask = ((uint64_t)1 << half_bits) - 1;
    uint64_t left = x >> half_bits, right = x & mask;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        const uint32_t counter[4] = {(uint32_t)right, (uint32_t)(right >> 32), round,
                                     (uint32_t)(key >> 32)};
        const uint32_t seeds[2] = {(uint32_t)seed ^ (uint32_t)key,
                                   (uint32_t)(seed >> 32)};
        uint32_t out[4];
        rng_philox(counter, seeds, out);
        uint64_t mixed = left ^ (((uint64_t)out[1] << 32 | out[0]) & mask);
        left = right;
        right = mixed;
    }
    return left << half_bits | right;
}

uint64_t plan_permute(uint64_t seed, uint64_t key, uint64_t n, uint64_t i) {
    int half_bits = 1;
    while (half_bits < 31 && ((uint64_t)1 << (2 * half_bits)) < n)
        half_bits++;
    do {
        i = feistel(seed, key, half_bits, i);
    } while (i >= n);
    return i;
}
