/* SPDX-License-Identifier: MIT
 *
 * The exact cut against trying every cut, on 20,000 small random pairs of all kinds.
 *
 * Texts are lists, one item a unit, of words from a small vocabulary, so that ties and
 * duplicates abound; some units have no words. The oracle counts words in bit sets and
 * compares sums as fractions: sizes are small, so that all of them divide SCALE.
 */
#include "align_marked.h"
#include "base/rng.h"

/* lcm(1..36) */
static const int64_t SCALE = 144403552893600;

enum { N_CASES = 20000, MAX_UNITS = 20 };

typedef struct toy_text {
    size_t n;
    uint64_t words[MAX_UNITS]; /* bit set of each unit */
    eh_buf text;
} toy_text;

static void toy_make(toy_text *toy, eh_rng *rng, size_t max_units, uint64_t n_words) {
    toy->n = 1 + rng_below(rng, max_units);
    buf_init(&toy->text, BUF_MAX_SMALL);
    for (size_t u = 0; u < toy->n; u++) {
        uint64_t n = rng_below(rng, 4);
        toy->words[u] = 0;
        buf_add_cstr(&toy->text, "- ");
        for (uint64_t k = 0; k < n; k++) {
            uint64_t word = rng_below(rng, n_words);
            toy->words[u] |= (uint64_t)1 << word;
            buf_printf(&toy->text, "%c%c ", (char)('a' + word % 26),
                       (char)('a' + word / 26));
        }
        buf_add_cstr(&toy->text, n ? "\n" : "?!\n");
    }
}

static uint64_t words_of(const toy_text *toy, size_t begin, size_t end) {
    uint64_t words = 0;
    for (size_t u = begin; u < end; u++)
        words |= toy->words[u];
    return words;
}

static int64_t score_of(uint64_t a, uint64_t b) {
    int n_a = __builtin_popcountll(a), n_b = __builtin_popcountll(b);
    int largest = n_a > n_b ? n_a : n_b;
    return largest ? __builtin_popcountll(a & b) * (SCALE / largest) : 0;
}

/* -- the oracle: every cut, in the order that decides ties ------------------------- */

typedef struct oracle {
    const toy_text *text[2]; /* the one that comes first by content first */
    size_t parts;
    size_t cut[2][MAX_UNITS + 1], best[2][MAX_UNITS + 1];
    int64_t best_sum;
} oracle;

static void oracle_judge(oracle *o) {
    int64_t sum = 0;
    for (size_t t = 0; t < o->parts; t++)
        sum += score_of(words_of(o->text[0], o->cut[0][t], o->cut[0][t + 1]),
                        words_of(o->text[1], o->cut[1][t], o->cut[1][t + 1]));
    if (sum <= o->best_sum) return;
    o->best_sum = sum;
    memcpy(o->best, o->cut, sizeof o->best);
}

/* Chooses begin t of a side, smallest first; side 1 is chosen when side 0 is. */
static void oracle_choose(oracle *o, int side, size_t t) {
    if (t == o->parts) {
        if (side == 0)
            oracle_choose(o, 1, 1);
        else
            oracle_judge(o);
        return;
    }
    size_t last = o->text[side]->n - (o->parts - t);
    for (size_t u = o->cut[side][t - 1] + 1; u <= last; u++) {
        o->cut[side][t] = u;
        oracle_choose(o, side, t + 1);
    }
}

static void oracle_run(oracle *o, size_t parts) {
    o->parts = parts;
    o->best_sum = -1;
    for (int side = 0; side < 2; side++)
        o->cut[side][parts] = o->text[side]->n;
    oracle_choose(o, 0, 1);
}

/* -- the comparison ---------------------------------------------------------------- */

static void assert_same_begins(const size_t *got, const size_t *wanted, size_t parts) {
    for (size_t t = 0; t <= parts; t++)
        assert_int_equal(got[t], wanted[t]);
}

static void cut_pair(const align_units *units_1, const align_units *units_2,
                     size_t parts, eh_arena *arena, align_cut *cut) {
    align_pair pair = {units_1, units_2};
    align_similarity *similarity;
    eh_error err = {0};
    assert_int_equal(align_similarity_words(&pair, arena, &similarity, &err),
                     EH_STATUS_OK);
    assert_int_equal(align_semantic_cut(&pair, similarity, parts, arena, cut, &err),
                     EH_STATUS_OK);
}

static void check_against_oracle(const toy_text toy[2], const align_units units[2],
                                 size_t parts, eh_arena *arena) {
    align_cut cut, mirror, length;
    cut_pair(&units[0], &units[1], parts, arena, &cut);
    cut_pair(&units[1], &units[0], parts, arena, &mirror);
    int first = eh_str_cmp(units[0].text, units[1].text) <= 0 ? 0 : 1;
    oracle o = {.text = {&toy[first], &toy[1 - first]}};
    oracle_run(&o, cut.n_parts);
    align_pair pair = {&units[0], &units[1]};
    assert_int_equal(align_length_cut(&pair, NULL, parts, arena, &length, NULL),
                     EH_STATUS_OK);
    bool by_length = o.best_sum == 0 || cut.n_parts == 1;
    assert_same_begins(cut.begin_1, by_length ? length.begin_1 : o.best[first],
                       cut.n_parts);
    assert_same_begins(cut.begin_2, by_length ? length.begin_2 : o.best[1 - first],
                       cut.n_parts);
    double off = cut.sum - (double)o.best_sum / (double)SCALE;
    assert_true(off < 1e-12 && off > -1e-12);
    bool alike = !(cut.notes & 1u << ALIGN_NOTE_BIT_NOTHING_ALIKE);
    assert_true(alike == (o.best_sum > 0 || cut.n_parts == 1));
    assert_int_equal(mirror.n_parts, cut.n_parts);
    assert_same_begins(mirror.begin_2, cut.begin_1, cut.n_parts);
    assert_same_begins(mirror.begin_1, cut.begin_2, cut.n_parts);
    assert_memory_equal(mirror.similarity, cut.similarity,
                        cut.n_parts * sizeof(double));
    assert_memory_equal(&mirror.sum, &cut.sum, sizeof cut.sum);
    assert_int_equal(mirror.notes, cut.notes);
}

static void run_case(eh_rng *rng, eh_arena *arena) {
    /* ten parts of eleven units are few cuts, and so are three of twenty, where bounds
     * leave most of them untried */
    uint64_t kind = rng_below(rng, 100);
    size_t max_units = kind < 2 ? MAX_UNITS : kind < 12 ? 12 : 7;
    size_t parts = kind < 2 ? 3 : kind < 12 ? 10 : 1 + rng_below(rng, 6);
    uint64_t n_words = 1 + rng_below(rng, 30);
    toy_text toy[2];
    align_units units[2];
    const align_options options = {0};
    for (int side = 0; side < 2; side++) {
        toy_make(&toy[side], rng, max_units, n_words);
        assert_int_equal(align_units_of(buf_view(&toy[side].text), &options, arena,
                                        &units[side], NULL),
                         EH_STATUS_OK);
        assert_int_equal(units[side].n, toy[side].n);
    }
    check_against_oracle(toy, units, parts, arena);
    /* a text beside itself */
    const toy_text twins[2] = {toy[0], toy[0]};
    const align_units twin_units[2] = {units[0], units[0]};
    check_against_oracle(twins, twin_units, parts, arena);
    buf_deinit(&toy[0].text);
    buf_deinit(&toy[1].text);
}

static void test_against_all_cuts(void **state) {
    (void)state;
    eh_arena arena;
    arena_init(&arena, (size_t)64 << 20);
    for (uint64_t i = 0; i < N_CASES; i++) {
        eh_rng rng = rng_make(5, "test.align.exact", i);
        run_case(&rng, &arena);
        arena_reset(&arena);
    }
    arena_deinit(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_against_all_cuts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
