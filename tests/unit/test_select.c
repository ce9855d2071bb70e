/* SPDX-License-Identifier: MIT
 *
 * Drawing pairs, sides and orders: the queue's order, budgets by their text, chances
 * that are kept, nesting, even sides, permutations.
 */
#include "plan/select.h"
#include "plan_make.h"

enum { N = 500 };

static plan_candidate frame[N];
static double scratch_a[N], scratch_b[N];

/* Pairs of every BPDE that six samples can have, some without ruling. */
static void make_frame(uint64_t seed) {
    static const double bpde[] = {0, .4506, .6365, .6931, .8676, 1.0114, 1.0986};
    for (int i = 0; i < N; i++) {
        eh_rng r = rng_make(seed, "test.frame", (uint64_t)i);
        char id[16];
        (void)snprintf(id, sizeof id, "p%d", i);
        bool ruled = rng_below(&r, 20) != 0;
        frame[i] = (plan_candidate){
            .entry = {.index = i,
                      .has_ruling = ruled,
                      .bpde = ruled || i % 2 ? bpde[rng_below(&r, 7)] : (double)NAN,
                      .gap = ruled ? (double)rng_below(&r, 5) / 2 : (double)NAN},
            .content = plan_pair_content(eh_str_of(id))};
    }
}

static void test_budgets(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int64_t n, wanted;
    } cases[] = {{"20%", 80, 16},  {"20%", 15, 3},       {"0.2", 15, 3},
                 {".2", 15, 3},    {"20 %", 16, 4},      {"0.07", 100, 7},
                 {"7%", 100, 7},   {"29%", 100, 29},     {"0%", 10, 0},
                 {"100%", 33, 33}, {"33.3%", 1000, 333}, {"33.31%", 1000, 334},
                 {"1%", 1, 1}};
    int64_t n;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_true(plan_budget_pairs(eh_str_of(cases[i].text), cases[i].n, &n));
        if (n != cases[i].wanted)
            fail_msg("%s of %d: %d", cases[i].text, (int)cases[i].n, (int)n);
    }
    static const char *const bad[] = {
        "", "%", "101%", "1.5", "-1%", "20%%", "x", "0.1234567890123", "1e-2"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_false(plan_budget_pairs(eh_str_of(bad[i]), 10, &n));
}

static void test_entropy_order(void **state) {
    (void)state;
    make_frame(1);
    plan_rank(PLAN_SELECTION_ENTROPY, 1, frame, N);
    for (int i = 1; i < N; i++) {
        const plan_queue_entry *a = &frame[i - 1].entry, *b = &frame[i].entry;
        assert_int_equal(frame[i].rank, i);
        if (a->has_ruling != b->has_ruling) {
            assert_true(b->has_ruling);
            continue;
        }
        if (isnan(a->bpde) || isnan(b->bpde)) continue;
        assert_true(a->bpde >= b->bpde);
        if (a->bpde == b->bpde && a->has_ruling) assert_true(a->gap <= b->gap);
        if (a->bpde == b->bpde && a->has_ruling && a->gap == b->gap)
            assert_true(a->index < b->index);
    }
}

/* Who is selected under a budget, by content. */
static int select_into(plan_selection how, uint64_t seed, int64_t budget, bool in[N]) {
    int n = 0;
    plan_select(how, seed, budget, frame, N, scratch_a, scratch_b);
    for (int i = 0; i < N; i++) {
        in[frame[i].entry.index] = frame[i].selected;
        n += frame[i].selected;
    }
    return n;
}

static void test_nested(void **state) {
    (void)state;
    static const plan_selection all[] = {PLAN_SELECTION_ENTROPY, PLAN_SELECTION_ACTIVE,
                                         PLAN_SELECTION_RANDOM};
    for (size_t k = 0; k < 3; k++)
        for (uint64_t seed = 1; seed <= 20; seed++) {
            bool before[N] = {false}, now[N];
            make_frame(seed);
            plan_rank(all[k], seed, frame, N);
            for (int64_t budget = 0; budget <= N; budget += 25) {
                int n = select_into(all[k], seed, budget, now);
                for (int i = 0; i < N; i++) {
                    if (before[i]) assert_true(now[i]);
                    before[i] = now[i];
                }
                if (all[k] != PLAN_SELECTION_ACTIVE) assert_int_equal(n, budget);
            }
            for (int i = 0; i < N; i++)
                assert_true(now[i]); /* a budget of all is all */
        }
}

/* Chances are what happens: over seeds, each pair is selected about p of the time. */
static void test_active_chances(void **state) {
    (void)state;
    enum { SEEDS = 4000, BUDGET = 100 };
    static int hits[N];
    double p[N], total = 0;
    make_frame(3);
    plan_rank(PLAN_SELECTION_ACTIVE, 1, frame, N);
    for (int i = 0; i < N; i++)
        hits[i] = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        bool in[N];
        (void)select_into(PLAN_SELECTION_ACTIVE, seed, BUDGET, in);
        for (int i = 0; i < N; i++)
            hits[i] += in[i];
    }
    for (int i = 0; i < N; i++) {
        p[frame[i].entry.index] = frame[i].p_select;
        total += frame[i].p_select;
        assert_true(frame[i].p_select >=
                    .5 * BUDGET / N - 1e-12); /* the uniform half */
    }
    assert_true(fabs(total - BUDGET) < 1e-9);
    for (int i = 0; i < N; i++) {
        double se = sqrt(p[i] * (1 - p[i]) / SEEDS);
        if (fabs((double)hits[i] / SEEDS - p[i]) > 5 * se + 1e-9)
            fail_msg("pair %d: %d of %d, p = %.4f", i, hits[i], SEEDS, p[i]);
    }
}

static void test_random_is_uniform(void **state) {
    (void)state;
    enum { SEEDS = 4000, BUDGET = 50 };
    static int hits[N];
    for (int i = 0; i < N; i++)
        hits[i] = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        bool in[N];
        make_frame(3);
        plan_rank(PLAN_SELECTION_RANDOM, seed, frame, N);
        (void)select_into(PLAN_SELECTION_RANDOM, seed, BUDGET, in);
        for (int i = 0; i < N; i++)
            hits[i] += in[i];
    }
    double p = (double)BUDGET / N, se = sqrt(p * (1 - p) / SEEDS);
    for (int i = 0; i < N; i++)
        assert_true(fabs((double)hits[i] / SEEDS - p) < 5 * se);
}

static void test_sides(void **state) {
    (void)state;
    enum { PAIRS = 2000 };
    int n_left = 0;
    for (uint64_t pair = 0; pair < PAIRS; pair++) {
        int left = 0;
        for (int64_t k = 0; k < 6; k++) {
            eh_order side = plan_side(1, pair, k);
            assert_int_equal(side, plan_side(1, pair, k)); /* a restart changes none */
            left += side == EH_ORDER_12;
            if (k > 0) assert_int_not_equal(side, plan_side(1, pair, k - 1));
        }
        assert_int_equal(left, 3); /* six people: three each way */
        n_left += plan_side(1, pair, 0) == EH_ORDER_12;
    }
    assert_true(n_left > PAIRS / 2 - 112 && n_left < PAIRS / 2 + 112); /* 5 sigma */
}

static void test_permutations(void **state) {
    (void)state;
    static const uint64_t sizes[] = {1, 2, 3, 5, 16, 17, 300};
    static int places[300][300]; /* of 5: [element][place] over keys */
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
        for (uint64_t key = 0; key < 50; key++) {
            bool seen[300] = {false};
            for (uint64_t i = 0; i < sizes[s]; i++) {
                uint64_t at = plan_permute(7, key, sizes[s], i);
                assert_true(at < sizes[s] && !seen[at]);
                seen[at] = true;
            }
        }
    enum { KEYS = 5000 };
    for (uint64_t key = 0; key < KEYS; key++)
        for (uint64_t i = 0; i < 5; i++)
            places[plan_permute(7, key, 5, i)][i]++;
    for (int e = 0; e < 5; e++) /* every element is everywhere alike */
        for (int i = 0; i < 5; i++)
            assert_true(abs(places[e][i] - KEYS / 5) < 150);
}

static void test_names(void **state) {
    (void)state;
    for (int i = 0; i < PLAN_SELECTION_N; i++)
        assert_int_equal(
            plan_selection_find(eh_str_of(plan_selection_name((plan_selection)i))), i);
    assert_int_equal(plan_selection_find(EH_STR("bpde")), PLAN_SELECTION_N);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_budgets),
        cmocka_unit_test(test_entropy_order),
        cmocka_unit_test(test_nested),
        cmocka_unit_test(test_active_chances),
        cmocka_unit_test(test_random_is_uniform),
        cmocka_unit_test(test_sides),
        cmocka_unit_test(test_permutations),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
