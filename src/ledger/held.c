/* SPDX-License-Identifier: MIT
 *
 * Judgments in flat arrays.
 *
 *   rows as they come     [pair, judge, order, sample, verdict], 8 bytes each
 *     -> sorted by judge, then by pair, each pair's rows in the order they came in
 *     -> of one pair and judge: a table of slots, one an order and sample
 *
 * The sort is done when somebody first asks, by counting, twice, over row numbers.
 * Which of several rows of one slot counts is decided when they are read: the newest
 * with a verdict, as when judgments are imported into a ledger on disk.
 *
 * A full store says so and keeps what it has; its owner then goes another way. Texts
 * are not kept, only what numbers are computed from.
 */
#include "ledger/held.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"

/* 64 MiB of rows and, where there are scores, 128 MiB of them; while they are sorted
 * they stand in memory twice. */
enum { MAX_ROWS = 8 << 20, MAX_PAIRS = 1 << 24, MAX_JUDGES = 1 << 16 };
enum { SLOTS = EH_ORDER_N * PLAN_MAX_SAMPLES };
#define STRING_MAX_BYTES ((size_t)1 << 30)

/* One judgment; a million of them should fit into the caches. Places count from 0. */
typedef struct held_row {
    uint32_t pair : 24;
    uint32_t rating : 8; /* 1 to 5, of answer 1 against answer 2; 0: none */
    uint16_t judge;
    uint8_t slot : 7; /* order * PLAN_MAX_SAMPLES + sample */
    uint8_t has_scores : 1;
    uint8_t verdict : 2;
    uint8_t reason : 6;
} held_row;

_Static_assert(SLOTS <= 1 << 7 && VERDICT_REASON_N <= 1 << 6, "fields of held_row");

/* Of answer 1 and 2. */
typedef struct held_scores {
    double of_1, of_2;
} held_scores;

/* What is known of a judge without looking at its rows. */
typedef struct held_judge {
    int64_t n_rows, n_valid, n_scored, n_rated;
    int k;
    unsigned orders;
} held_judge;

struct held {
    eh_arena arena;
    held_row *rows;      /* [n_rows] */
    held_scores *scores; /* [n_rows] like rows; NULL as long as no row has any */
    size_t n_rows, rows_cap, scores_cap;
    ledger_pair *pairs; /* [n_pairs], row numbers are places + 1; strings in arena */
    size_t n_pairs, pairs_cap;
    size_t found;  /* the pair that was looked up last */
    uint32_t *ids; /* [ids_cap] a hash table of places + 1, open addressing */
    size_t ids_cap;
    held_judge *judges; /* [n_judges], row numbers are places + 1 */
    size_t n_judges, judges_cap;

    bool is_sorted;
    uint32_t sorted_judge; /* whose rows `begins` is about, or UINT32_MAX */
    uint32_t *begins;      /* [n_pairs + 1] where a pair's rows begin */
};

held *held_new(void) {
    held *h = mem_zalloc(1, sizeof *h);
    if (!h) return NULL;
    arena_init(&h->arena, STRING_MAX_BYTES);
    h->sorted_judge = UINT32_MAX;
    return h;
}

void held_free(held *h) {
    if (!h) return;
    mem_free(h->rows);
    mem_free(h->scores);
    mem_free(h->pairs);
    mem_free(h->ids);
    mem_free(h->judges);
    mem_free(h->begins);
    arena_deinit(&h->arena);
    mem_free(h);
}

/* Room for one more of n elements. */
static bool grow(void **array, size_t n, size_t *cap, size_t size_bytes) {
    if (n < *cap) return true;
    size_t more = *cap ? *cap + *cap / 2 : 1024;
    void *bigger = mem_realloc(*array, more, size_bytes);
    if (!bigger) return false;
    *array = bigger;
    *cap = more;
    return true;
}

/* ---- pairs ---- */

static uint64_t hash_id(eh_str id) {
    static const unsigned char key[crypto_shorthash_KEYBYTES] = "evenhand's ids";
    uint64_t hash;
    (void)crypto_shorthash((unsigned char *)&hash, (const unsigned char *)id.ptr,
                           id.len, key);
    return hash;
}

/* The place in `ids` of this id, or the free one where it would be. */
static size_t find_slot(const held *h, eh_str id) {
    size_t at = hash_id(id) & (h->ids_cap - 1);
    while (h->ids[at] && !eh_str_eq(h->pairs[h->ids[at] - 1].pair_id, id))
        at = (at + 1) & (h->ids_cap - 1);
    return at;
}

/* Twice the table when it is half full. */
static bool ids_grow(held *h) {
    if (2 * (h->n_pairs + 1) <= h->ids_cap) return true;
    size_t cap = h->ids_cap ? 2 * h->ids_cap : 4096;
    uint32_t *ids = mem_zalloc(cap, sizeof *ids);
    if (!ids) return false;
    mem_free(h->ids);
    h->ids = ids;
    h->ids_cap = cap;
    for (size_t i = 0; i < h->n_pairs; i++)
        h->ids[find_slot(h, h->pairs[i].pair_id)] = (uint32_t)i + 1;
    return true;
}

/* Files go through the pairs in the same order again and again, so the one that was
 * found last and the one behind it are tried first. */
int64_t held_find_pair(held *h, eh_str pair_id) {
    for (size_t i = h->found; i < h->n_pairs && i < h->found + 2; i++)
        if (eh_str_eq(h->pairs[i].pair_id, pair_id)) {
            h->found = i;
            return (int64_t)i + 1;
        }
    uint32_t row = h->ids_cap ? h->ids[find_slot(h, pair_id)] : 0;
    if (row) h->found = row - 1;
    return row;
}

int64_t held_count_pairs(const held *h) {
    return (int64_t)h->n_pairs;
}

eh_status held_pair_add(held *h, const dataset_pair *pair, uint64_t question_hash,
                        int64_t *row, eh_error *err) {
    *row = held_find_pair(h, pair->id);
    if (*row) return EH_STATUS_OK;
    if (!ids_grow(h) ||
        !grow((void **)&h->pairs, h->n_pairs, &h->pairs_cap, sizeof *h->pairs))
        return EH_NOMEM(err);
    ledger_pair *p = &h->pairs[h->n_pairs];
    *p = (ledger_pair){.row = (int64_t)h->n_pairs + 1,
                       .seq = (int64_t)h->n_pairs,
                       .question_hash = question_hash,
                       .answer_1_cp = (int64_t)utf8_count_cp(pair->answer_1),
                       .answer_2_cp = (int64_t)utf8_count_cp(pair->answer_2),
                       .is_bare = true};
    if (!arena_copy(&h->arena, pair->id, &p->pair_id) ||
        !arena_copy(&h->arena, pair->model_1, &p->model_1) ||
        !arena_copy(&h->arena, pair->model_2, &p->model_2) ||
        !arena_copy(&h->arena, pair->category, &p->category))
        return EH_NOMEM(err);
    h->ids[find_slot(h, pair->id)] = (uint32_t)++h->n_pairs;
    *row = p->row;
    h->is_sorted = false;
    return EH_STATUS_OK;
}

static int by_question(const void *a, const void *b, void *self) {
    const ledger_pair *pairs = self;
    const ledger_pair *x = &pairs[*(const uint32_t *)a];
    const ledger_pair *y = &pairs[*(const uint32_t *)b];
    /* signed, as a database compares them */
    int64_t hash_x = (int64_t)x->question_hash, hash_y = (int64_t)y->question_hash;
    if (hash_x != hash_y) return hash_x < hash_y ? -1 : 1;
    return (x->seq > y->seq) - (x->seq < y->seq);
}

eh_status held_order(held *h, ledger_sort sort, uint32_t **order, eh_error *err) {
    *order = mem_alloc(h->n_pairs + 1, sizeof **order);
    if (!*order) return EH_NOMEM(err);
    for (uint32_t i = 0; i < h->n_pairs; i++)
        (*order)[i] = i;
    if (sort == LEDGER_BY_QUESTION)
        qsort_r(*order, h->n_pairs, sizeof **order, by_question, h->pairs);
    return EH_STATUS_OK;
}

void held_get_pair(const held *h, uint32_t index, ledger_pair *pair) {
    *pair = h->pairs[index];
}

/* ---- rows ---- */

/* What is known of this judge, from the start where it is new; NULL without memory. */
static held_judge *judge_at(held *h, int64_t judge_row) {
    while ((int64_t)h->n_judges < judge_row) {
        if (!grow((void **)&h->judges, h->n_judges, &h->judges_cap, sizeof *h->judges))
            return NULL;
        h->judges[h->n_judges++] = (held_judge){0};
    }
    return &h->judges[judge_row - 1];
}

/* The scores of the row that comes next; rows before the first that has some get room.
 */
static eh_status put_scores(held *h, const plan_sample *sample, eh_error *err) {
    if (!h->scores && !sample->has_scores) return EH_STATUS_OK;
    if (!h->scores || h->scores_cap < h->rows_cap) {
        held_scores *more = mem_realloc(h->scores, h->rows_cap, sizeof *more);
        if (!more) return EH_NOMEM(err);
        h->scores = more;
        h->scores_cap = h->rows_cap;
    }
    h->scores[h->n_rows] = (held_scores){sample->score_1, sample->score_2};
    return EH_STATUS_OK;
}

eh_status held_put(held *h, int64_t judge_row, int64_t pair_row,
                   const plan_sample *sample, bool *is_full, eh_error *err) {
    *is_full = h->n_rows == MAX_ROWS || pair_row > MAX_PAIRS || judge_row > MAX_JUDGES;
    if (*is_full) return EH_STATUS_OK;
    held_judge *judge = judge_at(h, judge_row);
    if (!judge || !grow((void **)&h->rows, h->n_rows, &h->rows_cap, sizeof *h->rows))
        return EH_NOMEM(err);
    EH_TRY(put_scores(h, sample, err));
    bool valid = sample->verdict != EH_VERDICT_NONE;
    bool rated = valid && sample->has_rating;
    unsigned slot =
        (unsigned)sample->order * PLAN_MAX_SAMPLES + (unsigned)sample->sample;
    h->rows[h->n_rows++] =
        (held_row){.pair = (uint32_t)(pair_row - 1) & (MAX_PAIRS - 1),
                   .rating = (uint8_t)(rated ? 3 - sample->signed_rating : 0),
                   .judge = (uint16_t)(judge_row - 1),
                   .slot = (uint8_t)(slot & 0x7F),
                   .has_scores = valid && sample->has_scores,
                   .verdict = (uint8_t)((unsigned)sample->verdict & 3),
                   .reason = (uint8_t)((unsigned)sample->reason & 0x3F)};
    judge->n_rows++;
    judge->n_valid += valid;
    judge->n_scored += valid && sample->has_scores;
    judge->n_rated += rated;
    judge->orders |= PLAN_ORDER_BIT(sample->order);
    if (sample->sample >= judge->k) judge->k = sample->sample + 1;
    h->is_sorted = false;
    return EH_STATUS_OK;
}

/* Places of rows, stably sorted by one of their keys: counts, then places. */
static bool sort_by(const held *h, bool by_pair, const uint32_t *from, uint32_t *to) {
    size_t n_keys = by_pair ? h->n_pairs : h->n_judges;
    uint32_t *begins = mem_zalloc(n_keys + 1, sizeof *begins);
    if (!begins) return false;
    for (size_t i = 0; i < h->n_rows; i++)
        begins[(by_pair ? h->rows[i].pair : h->rows[i].judge) + 1]++;
    for (size_t k = 0; k < n_keys; k++)
        begins[k + 1] += begins[k];
    for (size_t i = 0; i < h->n_rows; i++) {
        uint32_t row = from ? from[i] : (uint32_t)i;
        to[begins[by_pair ? h->rows[row].pair : h->rows[row].judge]++] = row;
    }
    mem_free(begins);
    return true;
}

/* Rows and scores in the order of `places`, in place of those that were there. */
static bool take_order(held *h, const uint32_t *places) {
    held_row *rows = mem_alloc(h->n_rows + 1, sizeof *rows);
    held_scores *scores = h->scores ? mem_alloc(h->n_rows + 1, sizeof *scores) : NULL;
    if (!rows || (h->scores && !scores)) {
        mem_free(rows);
        mem_free(scores);
        return false;
    }
    for (size_t i = 0; i < h->n_rows; i++)
        rows[i] = h->rows[places[i]];
    for (size_t i = 0; scores && i < h->n_rows; i++)
        scores[i] = h->scores[places[i]];
    mem_free(h->rows);
    mem_free(h->scores);
    h->rows = rows;
    h->scores = scores;
    h->rows_cap = h->n_rows + 1;
    h->scores_cap = scores ? h->rows_cap : 0;
    return true;
}

static eh_status sort_rows(held *h, eh_error *err) {
    if (h->is_sorted) return EH_STATUS_OK;
    uint32_t *by_pair = mem_alloc(h->n_rows + 1, sizeof *by_pair);
    uint32_t *by_judge = mem_alloc(h->n_rows + 1, sizeof *by_judge);
    uint32_t *begins = mem_realloc(h->begins, h->n_pairs + 1, sizeof *begins);
    if (begins) h->begins = begins;
    bool ok = by_pair && by_judge && begins && sort_by(h, true, NULL, by_pair) &&
              sort_by(h, false, by_pair, by_judge) && take_order(h, by_judge);
    mem_free(by_pair);
    mem_free(by_judge);
    if (!ok) return EH_NOMEM(err);
    h->is_sorted = true;
    h->sorted_judge = UINT32_MAX;
    return EH_STATUS_OK;
}

/* Fills `begins` for one judge. */
static void index_judge(held *h, uint32_t judge) {
    if (h->sorted_judge == judge) return;
    size_t at = 0;
    for (uint32_t j = 0; j < judge; j++)
        at += (size_t)h->judges[j].n_rows;
    size_t end = at + (size_t)h->judges[judge].n_rows;
    for (size_t pair = 0; pair <= h->n_pairs; pair++) {
        while (at < end && h->rows[at].pair < pair)
            at++;
        h->begins[pair] = (uint32_t)at;
    }
    h->sorted_judge = judge;
}

/* The row that counts for every order and sample, or NULL. False where the judge has
 * none at all. */
static eh_status fill_slots(held *h, int64_t judge_row, int64_t pair_row,
                            const held_row *slots[SLOTS], bool *any, eh_error *err) {
    *any = judge_row >= 1 && judge_row <= (int64_t)h->n_judges;
    if (!*any) return EH_STATUS_OK;
    EH_TRY(sort_rows(h, err));
    index_judge(h, (uint32_t)(judge_row - 1));
    size_t pair = (size_t)(pair_row - 1);
    *any = h->begins[pair] < h->begins[pair + 1];
    if (*any) memset(slots, 0, SLOTS * sizeof *slots);
    for (uint32_t i = h->begins[pair]; i < h->begins[pair + 1]; i++) {
        const held_row *row = &h->rows[i];
        const held_row **slot = &slots[row->slot];
        if (!*slot || row->verdict != EH_VERDICT_NONE ||
            (*slot)->verdict == EH_VERDICT_NONE)
            *slot = row;
    }
    return EH_STATUS_OK;
}

eh_status held_samples(held *h, int64_t judge_row, int64_t pair_row,
                       plan_sample *samples, size_t cap, size_t *n, eh_error *err) {
    const held_row *slots[SLOTS];
    bool any;
    *n = 0;
    EH_TRY(fill_slots(h, judge_row, pair_row, slots, &any, err));
    for (size_t i = 0; any && i < SLOTS && *n < cap; i++) {
        const held_row *row = slots[i];
        if (!row) continue;
        plan_sample *sample = &samples[(*n)++];
        *sample =
            (plan_sample){.order = (eh_order)(i / PLAN_MAX_SAMPLES),
                          .sample = (int)(i % PLAN_MAX_SAMPLES),
                          .verdict = (eh_verdict)row->verdict,
                          .reason = (verdict_reason)row->reason,
                          .has_scores = row->has_scores,
                          .has_rating = row->rating != 0,
                          .signed_rating = row->rating ? 3 - (int)row->rating : 0};
        if (!row->has_scores) continue;
        sample->score_1 = h->scores[row - h->rows].of_1;
        sample->score_2 = h->scores[row - h->rows].of_2;
    }
    return EH_STATUS_OK;
}

static const held_judge *known_judge(const held *h, int64_t judge_row) {
    static const held_judge nobody = {0};
    bool known = judge_row >= 1 && judge_row <= (int64_t)h->n_judges;
    return known ? &h->judges[judge_row - 1] : &nobody;
}

void held_judge_extent(const held *h, int64_t judge_row, int *k, unsigned *orders) {
    const held_judge *judge = known_judge(h, judge_row);
    *k = judge->k;
    *orders = judge->orders;
}

plan_scale held_scale(const held *h, int64_t judge_row) {
    const held_judge *judge = known_judge(h, judge_row);
    return plan_scale_of(judge->n_valid, judge->n_scored, judge->n_rated);
}

int64_t held_count_rows(const held *h, int64_t judge_row) {
    return known_judge(h, judge_row)->n_rows;
}

eh_status held_count_calls(held *h, int64_t judge_row, const plan_spec *plan,
                           int64_t *n, eh_error *err) {
    const held_row *slots[SLOTS];
    *n = 0;
    for (size_t pair = 1; pair <= h->n_pairs && plan_has_stage(plan, 0); pair++) {
        bool any;
        EH_TRY(fill_slots(h, judge_row, (int64_t)pair, slots, &any, err));
        for (int i = 0; any && i < SLOTS; i++)
            *n += slots[i] && i % PLAN_MAX_SAMPLES < plan->k &&
                  plan->orders & PLAN_ORDER_BIT(i / PLAN_MAX_SAMPLES);
    }
    return EH_STATUS_OK;
}
