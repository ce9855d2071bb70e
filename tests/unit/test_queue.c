/* SPDX-License-Identifier: MIT
 *
 * The queue for people: its order, and budgets that are exact in decimals.
 */
#include "plan/queue.h"

#include "plan_make.h"

static plan_queue_entry entry(int64_t index, bool has_ruling, double bpde, double gap) {
    return (plan_queue_entry){index, has_ruling, bpde, gap};
}

static void test_order(void **state) {
    (void)state;
    plan_queue_entry e[] = {
        entry(0, true, 0, .5),     entry(1, true, .69, 2),    entry(2, true, .69, 1),
        entry(3, false, 0, NAN),   entry(4, false, NAN, NAN), entry(5, true, .69, 1),
        entry(6, false, .69, NAN), entry(7, true, 1.09, 3),
    };
    static const int64_t wanted[] = {4, 6, 3, 7, 2, 5, 1, 0};
    plan_queue_sort(e, 8);
    for (size_t i = 0; i < 8; i++)
        assert_int_equal(e[i].index, wanted[i]);
}

/* .1 + .2 and .3 are one gap; data order decides. */
static void test_rounding(void **state) {
    (void)state;
    plan_queue_entry e[] = {entry(0, true, 0, .1 + .2), entry(1, true, 0, .3),
                            entry(2, true, 0, .3 - 2e-9)};
    plan_queue_sort(e, 3);
    assert_int_equal(e[0].index, 2);
    assert_int_equal(e[1].index, 0);
    assert_int_equal(e[2].index, 1);
}

static void test_entry(void **state) {
    (void)state;
    plan_ruling r;
    plan_spec s = plan_of("bpc", 0, NULL);
    const plan_sample both[] = {scores_of(EH_ORDER_12, 0, 9, 5),
                                scores_of(EH_ORDER_21, 0, 6, 7)};
    plan_rule(&s, PLAN_SCALE_SCORES, both, 2, &r);
    plan_queue_entry e = plan_queue_entry_of(17, &r);
    assert_int_equal(e.index, 17);
    assert_true(e.has_ruling);
    assert_true(fabs(e.gap - 1.5) < 1e-12 && fabs(e.bpde - log(2)) < 1e-12);
    plan_rule(&s, PLAN_SCALE_SCORES, both, 1, &r);
    e = plan_queue_entry_of(18, &r);
    assert_false(e.has_ruling);
    assert_true(isnan(e.gap) && e.bpde == 0);
}

static void test_budget(void **state) {
    (void)state;
    static const struct {
        const char *share;
        int64_t n, pairs; /* -1: refused */
    } rows[] = {
        {"20%", 15, 3},
        {".2", 15, 3},
        {"0.2", 16, 4},
        {"20 %", 80, 16},
        {"0%", 80, 0},
        {"100%", 7, 7},
        {"1", 7, 7},
        {"0.0001", 1, 1},
        {"33.3%", 1000, 333},
        {"0.07", 100, 7},
        {"0.29", 100, 29},
        {"7%", 100, 7},
        {"10%", 0, 0},
        {"101%", 5, -1},
        {"1.01", 5, -1},
        {"-5%", 5, -1},
        {"", 5, -1},
        {"%", 5, -1},
        {"a", 5, -1},
        {"1e-1", 5, -1},
        {".", 5, -1},
        {"0..2", 5, -1},
        {"0.1234567890123", 5, -1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int64_t pairs = -1;
        bool ok = plan_budget_pairs(eh_str_of(rows[i].share), rows[i].n, &pairs);
        if (ok != (rows[i].pairs >= 0) || (ok && pairs != rows[i].pairs))
            fail_msg("%s of %lld: %lld", rows[i].share, (long long)rows[i].n,
                     (long long)pairs);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_rounding),
        cmocka_unit_test(test_entry),
        cmocka_unit_test(test_budget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
