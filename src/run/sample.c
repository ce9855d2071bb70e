/* SPDX-License-Identifier: MIT
 *
 * Drawing a sample in one pass and the memory of the sample.
 *
 *   rank(pair) = a random number keyed by (seed, purpose, id)
 *   the sample = the pairs of the n lowest ranks
 *
 * The n lowest so far stand in a heap; its highest one is the border that tells later
 * whether a pair belongs to the sample, so that no list of ids is kept.
 */
#include "run/sample.h"

#include "base/rng.h"

static bool is_above(run_sample_rank a, run_sample_rank b) {
    return a.rank != b.rank ? a.rank > b.rank : a.seq > b.seq;
}

static run_sample_rank rank_of(const run_sample *s, const ledger_pair *pair) {
    uint8_t digest[HASH_BYTES];
    eh_hash h;
    hash_init(&h, "eh-pilot-1");
    hash_str(&h, pair->pair_id);
    hash_done(&h, digest);
    eh_rng r = rng_make(s->seed, s->purpose, hash_u64(digest));
    return (run_sample_rank){rng_u64(&r), pair->seq};
}

static bool holds(const void *self, const ledger_pair *pair) {
    const run_sample *s = self;
    return !is_above(rank_of(s, pair), s->last) &&
           (!s->may_hold || s->may_hold(s->self, pair));
}

tally_scope run_sample_scope(const run_sample *s) {
    return (tally_scope){.holds = holds, .self = s, .n_pairs = s->n_pairs};
}

/* Puts the root of a heap with the highest rank on top into its place. */
static void sift_down(run_sample_rank *heap, int64_t n, int64_t at) {
    for (int64_t child; (child = 2 * at + 1) < n; at = child) {
        if (child + 1 < n && is_above(heap[child + 1], heap[child])) child++;
        if (!is_above(heap[child], heap[at])) return;
        run_sample_rank moved = heap[at];
        heap[at] = heap[child];
        heap[child] = moved;
    }
}

/* Keeps the `cap` lowest of all ranks offered; they are a heap once it is full. */
static void offer(run_sample_rank *heap, int64_t cap, int64_t *n, run_sample_rank r) {
    if (*n < cap) {
        heap[(*n)++] = r;
        for (int64_t i = cap / 2; *n == cap && i-- > 0;)
            sift_down(heap, cap, i);
    } else if (is_above(heap[0], r)) {
        heap[0] = r;
        sift_down(heap, cap, 0);
    }
}

eh_status run_sample_draw(ledger *l, int64_t cap, run_sample *s, eh_error *err) {
    enum { PAGE = 64 };
    eh_arena arena, page_arena;
    arena_init(&arena, (size_t)1 << 30);
    arena_init(&page_arena, 64 << 20);
    run_sample_rank *heap = arena_zalloc(&arena, (size_t)cap, sizeof *heap);
    eh_status status = EH_STATUS_OK;
    if (!heap) {
        (void)EH_NOMEM(err);
        status = EH_STATUS_NOMEM;
    }
    s->n_pairs = 0;
    for (int64_t after = -1; heap && status == EH_STATUS_OK;) {
        ledger_pair page[PAGE];
        size_t n;
        arena_reset(&page_arena);
        status = ledger_pairs_page(l, after, page, PAGE, &n, &page_arena, err);
        if (status != EH_STATUS_OK || n == 0) break;
        for (size_t i = 0; i < n; i++)
            if (!s->may_hold || s->may_hold(s->self, &page[i]))
                offer(heap, cap, &s->n_pairs, rank_of(s, &page[i]));
        after = page[n - 1].seq;
    }
    /* never less than the scope holds: then all ranks are below this one */
    s->last =
        s->n_pairs == cap && heap ? heap[0] : (run_sample_rank){UINT64_MAX, INT64_MAX};
    arena_deinit(&page_arena);
    arena_deinit(&arena);
    return status;
}
