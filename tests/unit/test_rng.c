/* SPDX-License-Identifier: MIT
 *
 * Counter-based random numbers: the published answers of Philox 4x32-10, streams that
 * depend on seed, purpose and content alone, and the moments of what is drawn.
 */
#include <math.h>

#include "base/rng.h"
#include "unit.h"

/* Known answers that come with Random123, for a counter and a key of all zeros, of all
 * ones, and of digits of pi. */
static void test_philox_known_answers(void **state) {
    (void)state;
    static const struct {
        uint32_t counter[4], key[2], out[4];
    } cases[] = {
        {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
         {0xffffffff, 0xffffffff},
         {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
         {0xa4093822, 0x299f31d0},
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint32_t out[4];
        rng_philox(cases[i].counter, cases[i].key, out);
        assert_memory_equal(out, cases[i].out, sizeof out);
    }
}

/* xoshiro128++ after its paper: the first words from the state 1, 2, 3, 4. */
static void test_lanes(void **state) {
    (void)state;
    static const uint32_t known[] = {641,       1573767,    3222811527, 3517856514,
                                     836907274, 4247214768, 3867114732, 1355841295,
                                     495546011, 621204420};
    rng_lanes r;
    for (uint32_t i = 0; i < 4; i++)
        for (int l = 0; l < RNG_LANES; l++)
            r.state[i][l] = i + 1;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        uint32_t words[RNG_LANES];
        rng_lanes_next(&r, words);
        for (int l = 0; l < RNG_LANES; l++)
            assert_int_equal(words[l], known[i]);
    }
    rng_lanes made = rng_lanes_make(7, "test.a", 42);
    eh_rng from = rng_make(7, "test.a", 42);
    for (int l = 0; l < RNG_LANES; l++)
        for (int i = 0; i < 4; i++)
            assert_int_equal(made.state[i][l], rng_u32(&from));
}

static void test_a_stream_is_its_names(void **state) {
    (void)state;
    eh_rng a = rng_make(7, "test.a", 42), same = rng_make(7, "test.a", 42);
    eh_rng others[] = {rng_make(8, "test.a", 42), rng_make(7, "test.b", 42),
                       rng_make(7, "test.a", 43), rng_make(7, "", 42),
                       rng_make(7, "test.a", 42 + (UINT64_C(1) << 32))};
    uint64_t first = rng_u64(&a);
    assert_int_equal(rng_u64(&same), first);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        assert_true(rng_u64(&others[i]) != first);
    eh_rng copy = a; /* a value: copying replays */
    for (int i = 0; i < 1000; i++)
        assert_int_equal(rng_u32(&a), rng_u32(&copy));
}

/* All four words of a block are handed out, blocks follow one another. */
static void test_words_are_the_blocks(void **state) {
    (void)state;
    eh_rng r = rng_make(1, "test.block", 5);
    for (uint32_t block = 0; block < 3; block++) {
        const uint32_t counter[4] = {block, 0, 5, 0};
        const uint32_t key[2] = {(uint32_t)r.key, (uint32_t)(r.key >> 32)};
        uint32_t out[4];
        rng_philox(counter, key, out);
        for (int i = 0; i < 4; i++)
            assert_int_equal(rng_u32(&r), out[i]);
    }
    eh_rng s = rng_make(1, "test.block", 5), t = s;
    uint64_t high = rng_u32(&s);
    assert_int_equal(rng_u64(&t), high << 32 | rng_u32(&s));
}

/* Mean 1/2, variance 1/12, no serial correlation; 64 bins by chi-square. */
static void test_uniform(void **state) {
    (void)state;
    enum { N = 400000, BINS = 64 };
    eh_rng r = rng_make(3, "test.uniform", 0);
    double sum = 0, sum_sq = 0, sum_lag = 0, before = 0.5, chi = 0;
    int bins[BINS] = {0};
    for (int i = 0; i < N; i++) {
        double u = rng_uniform(&r);
        assert_true(u >= 0 && u < 1);
        sum += u - 0.5;
        sum_sq += (u - 0.5) * (u - 0.5);
        sum_lag += (u - 0.5) * (before - 0.5);
        before = u;
        bins[(int)(u * BINS)]++;
    }
    for (int i = 0; i < BINS; i++) {
        double gap = bins[i] - (double)N / BINS;
        chi += gap * gap / ((double)N / BINS);
    }
    /* five standard errors each: 1/sqrt(12 N), 1/sqrt(180 N), 1/(12 sqrt N) */
    assert_true(fabs(sum / N) < 5 / sqrt(12.0 * N));
    assert_true(fabs(sum_sq / N - 1 / 12.0) < 5 / sqrt(180.0 * N));
    assert_true(fabs(sum_lag / N) < 5 / (12 * sqrt((double)N)));
    assert_true(chi < 63 + 5 * sqrt(2 * 63.0));
}

static void test_normal(void **state) {
    (void)state;
    enum { N = 400000 };
    eh_rng r = rng_make(4, "test.normal", 0);
    double moment[5] = {0};
    int beyond_two = 0;
    for (int i = 0; i < N; i++) {
        double z = rng_normal(&r), power = 1;
        assert_true(isfinite(z));
        for (int m = 1; m <= 4; m++)
            moment[m] += power *= z;
        beyond_two += fabs(z) > 1.959963984540054;
    }
    /* standard errors of the sample moments: sqrt((mu_2m - mu_m^2) / N) */
    assert_true(fabs(moment[1] / N) < 5 * sqrt(1.0 / N));
    assert_true(fabs(moment[2] / N - 1) < 5 * sqrt(2.0 / N));
    assert_true(fabs(moment[3] / N) < 5 * sqrt(15.0 / N));
    assert_true(fabs(moment[4] / N - 3) < 5 * sqrt(96.0 / N));
    assert_true(fabs((double)beyond_two / N - .05) < 5 * sqrt(.05 * .95 / N));
}

static void test_below(void **state) {
    (void)state;
    eh_rng r = rng_make(5, "test.below", 0);
    int seen[7] = {0};
    for (int i = 0; i < 70000; i++)
        seen[rng_below(&r, 7)]++;
    for (int i = 0; i < 7; i++)
        assert_in_range(seen[i], 9500, 10500);
    for (int i = 0; i < 100; i++) {
        assert_int_equal(rng_below(&r, 1), 0);
        /* a range just above half of all numbers: rejection must not bias it */
        assert_true(rng_below(&r, (UINT64_C(1) << 63) + 1) <= UINT64_C(1) << 63);
        assert_true(rng_below(&r, UINT64_MAX) < UINT64_MAX);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_philox_known_answers),
        cmocka_unit_test(test_lanes),
        cmocka_unit_test(test_a_stream_is_its_names),
        cmocka_unit_test(test_words_are_the_blocks),
        cmocka_unit_test(test_uniform),
        cmocka_unit_test(test_normal),
        cmocka_unit_test(test_below),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
