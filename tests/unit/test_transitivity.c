/* SPDX-License-Identifier: MIT
 *
 * Triples of rulings: in order, in a circle, broken by a tie; question by question.
 */
#include "tally/transitivity.h"
#include "unit.h"

static void add(tally_transitivity *t, uint64_t question, const char *one,
                const char *two, eh_verdict ruling) {
    ledger_pair pair = {.question_hash = question,
                        .model_1 = eh_str_of(one),
                        .model_2 = eh_str_of(two)};
    tally_transitivity_add(t, &pair, ruling);
}

/* Rulings of a-b, b-c and a-c, and what they are: 0 in order, 1 a circle, 2 broken. */
static void test_every_triple(void **state) {
    (void)state;
    static const eh_verdict verdicts[] = {EH_VERDICT_1, EH_VERDICT_TIE, EH_VERDICT_2};
    for (int n = 0; n < 27; n++) {
        int ab = n % 3, bc = n / 3 % 3, ac = n / 9;
        tally_transitivity *t = tally_transitivity_new();
        assert_non_null(t);
        add(t, 7, "a", "b", verdicts[ab]);
        add(t, 7, "b", "c", verdicts[bc]);
        add(t, 7, "a", "c", verdicts[ac]);
        report_transitivity c = tally_transitivity_counts(t);
        tally_transitivity_free(t);
        /* is there an order: ranks of a, b, c in 0 .. 2 with these comparisons? */
        bool has_order = false;
        for (int rank = 0; rank < 27; rank++) {
            int a = rank % 3, b = rank / 3 % 3, d = rank / 9;
            int signs[] = {(b > a) - (b < a), (d > b) - (d < b), (d > a) - (d < a)};
            has_order |= signs[0] == 1 - ab && signs[1] == 1 - bc && signs[2] == 1 - ac;
        }
        bool circle =
            (ab == 0 && bc == 0 && ac == 2) || (ab == 2 && bc == 2 && ac == 0);
        assert_int_equal(c.n_triples, 1);
        assert_int_equal(c.n_circles, circle);
        assert_int_equal(c.n_broken_by_tie, !has_order && !circle);
    }
}

static void test_questions_are_apart(void **state) {
    (void)state;
    tally_transitivity *t = tally_transitivity_new();
    assert_non_null(t);
    add(t, 1, "a", "b", EH_VERDICT_1);
    add(t, 1, "b", "c", EH_VERDICT_1);
    add(t, 2, "c", "a", EH_VERDICT_1); /* would close the circle in question 1 */
    add(t, 2, "a", "a", EH_VERDICT_1);
    add(t, 2, "", "b", EH_VERDICT_1);
    add(t, 2, "a", "b", EH_VERDICT_NONE);
    add(t, 2, "b", "c", EH_VERDICT_1);
    assert_int_equal(tally_transitivity_counts(t).n_triples, 0);
    /* the other way round in the data, and twice: the sum of both counts */
    add(t, 3, "b", "a", EH_VERDICT_2);
    add(t, 3, "b", "c", EH_VERDICT_1);
    add(t, 3, "c", "a", EH_VERDICT_TIE);
    add(t, 3, "a", "c", EH_VERDICT_2);
    report_transitivity c = tally_transitivity_counts(t);
    assert_int_equal(c.n_triples, 1);
    assert_int_equal(c.n_circles, 1);
    tally_transitivity_free(t);
}

/* 66 models: the first 64 make all triples, the others are left out. */
static void test_many_models(void **state) {
    (void)state;
    tally_transitivity *t = tally_transitivity_new();
    char names[66][8];
    assert_non_null(t);
    for (int i = 0; i < 66; i++)
        (void)snprintf(names[i], sizeof names[i], "m%d", i);
    for (int i = 0; i < 66; i++)
        for (int j = 0; j < i; j++)
            add(t, 1, names[j], names[i], EH_VERDICT_1);
    report_transitivity c = tally_transitivity_counts(t);
    assert_int_equal(c.n_triples, 64 * 63 * 62 / 6);
    assert_int_equal(c.n_circles + c.n_broken_by_tie, 0);
    tally_transitivity_free(t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_triple),
        cmocka_unit_test(test_questions_are_apart),
        cmocka_unit_test(test_many_models),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
