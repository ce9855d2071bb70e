/* SPDX-License-Identifier: MIT
 *
 * Who waits for which key, beside a plain list under random additions and takings, with
 * many keys in one bucket and many entries of one key.
 */
#include "base/rng.h"
#include "run/pending.h"
#include "unit.h"

enum { CAP = 96, KEYS = 40, STEPS = 20000 };

static void key_of(int n, uint8_t key[HASH_BYTES]) {
    memset(key, 0, HASH_BYTES);
    key[0] = (uint8_t)(n % 5); /* few buckets */
    key[HASH_BYTES - 1] = (uint8_t)n;
}

static void test_against_a_list(void **state) {
    (void)state;
    pending_table t;
    int listed[CAP], n_listed = 0, n_taken = 0;
    eh_rng rng = rng_make(3, "test.pending", 1);
    assert_true(pending_init(&t, CAP));
    for (int step = 0; step < STEPS; step++) {
        pending p = {.slot = (uint32_t)step, .prompt = 1, .worst_nusd = step};
        int n = (int)rng_below(&rng, KEYS);
        key_of(n, p.key);
        int n_same = 0;
        for (int i = 0; i < n_listed; i++)
            n_same += listed[i] == n;
        assert_int_equal(pending_has_key(&t, p.key), n_same > 0);
        if (n_listed < CAP && rng_below(&rng, 3)) {
            uint32_t number = pending_add(&t, &p);
            assert_true(number < CAP);
            assert_int_equal(t.entries[number].slot, step);
            listed[n_listed++] = n;
            continue;
        }
        pending taken;
        while (pending_take(&t, p.key, &taken)) {
            assert_memory_equal(taken.key, p.key, HASH_BYTES);
            assert_int_equal(taken.worst_nusd, taken.slot);
            n_same--;
            n_taken++;
        }
        assert_int_equal(n_same, 0);
        int kept = 0;
        for (int i = 0; i < n_listed; i++)
            if (listed[i] != n) listed[kept++] = listed[i];
        n_listed = kept;
        assert_int_equal(t.n, n_listed);
    }
    assert_true(n_taken > STEPS / 3);
    pending_deinit(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_against_a_list)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
