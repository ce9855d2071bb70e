/* SPDX-License-Identifier: MIT
 *
 * Turns of several addresses: each in its order, whatever the load, and nobody waited
 * for who does not answer.
 */
#include "judge/turns.h"
#include "unit.h"

enum { MAX_SEATS = 4 };
#define SECOND INT64_C(1000000000)

/* Asks `n_asks` times, with the seats as they are; counts who was asked. */
static int ask_all(turns_seat *seats, size_t n, int n_asks, int asked[MAX_SEATS]) {
    size_t first = 0;
    int64_t wait;
    int n_asked = 0;
    memset(asked, 0, MAX_SEATS * sizeof *asked);
    for (; n_asked < n_asks; n_asked++) {
        size_t i = turns_next(seats, n, first, &wait);
        if (i == n) break;
        turns_take(seats, n, i);
        asked[i]++;
        first = (i + 1) % n;
    }
    return n_asked;
}

static void test_one_after_the_other(void **state) {
    (void)state;
    turns_seat seats[3] = {{0}};
    size_t first = 0;
    int64_t wait;
    for (size_t k = 0; k < 7; k++) {
        size_t i = turns_next(seats, 3, first, &wait);
        assert_int_equal(i, k % 3);
        turns_take(seats, 3, i);
        first = (i + 1) % 3;
    }
}

static void test_one_address(void **state) {
    (void)state;
    turns_seat seat = {0};
    int asked[MAX_SEATS];
    int64_t wait;
    assert_int_equal(ask_all(&seat, 1, 100, asked), 100);
    seat.wait_ns = TURNS_FULL;
    assert_int_equal(turns_next(&seat, 1, 0, &wait), 1);
    assert_int_equal(wait, 10 * SECOND); /* then it is only looked at again */
    seat.quiet_ns = 11 * SECOND;
    assert_int_equal(turns_next(&seat, 1, 0, &wait), 1);
    assert_true(wait == TURNS_ON_ANSWER);
    seat.wait_ns = 5;
    assert_int_equal(turns_next(&seat, 1, 0, &wait), 1);
    assert_int_equal(wait, 5);
}

/* The other one runs ahead, but not more than two to one and a few. */
static void test_a_full_one_keeps_its_turn(void **state) {
    (void)state;
    turns_seat seats[2] = {{.n_turns = 0}, {.n_turns = 4, .wait_ns = TURNS_FULL}};
    int asked[MAX_SEATS];
    int64_t wait;
    assert_int_equal(ask_all(seats, 2, 100, asked), 12);
    assert_int_equal(asked[0], 12);
    assert_int_equal(turns_next(seats, 2, 0, &wait), 2);
    assert_int_equal(wait, 10 * SECOND);
    seats[1].wait_ns = 0; /* an answer came: it is its turn */
    assert_int_equal(turns_next(seats, 2, 1, &wait), 1);
    turns_take(seats, 2, 1);
    seats[1].wait_ns = TURNS_FULL;
    assert_int_equal(ask_all(seats, 2, 100, asked), 2);
}

static void test_another_may_go_where_one_may_not(void **state) {
    (void)state;
    turns_seat seats[3] = {
        {.n_turns = 20}, {.n_turns = 4, .wait_ns = TURNS_FULL}, {.n_turns = 5}};
    int asked[MAX_SEATS];
    assert_int_equal(ask_all(seats, 3, 100, asked), 7);
    assert_int_equal(asked[2], 7);
}

static void test_nobody_waits_for_ever(void **state) {
    (void)state;
    turns_seat seats[2] = {
        {.n_turns = 12}, {.n_turns = 4, .wait_ns = TURNS_FULL, .quiet_ns = 9 * SECOND}};
    int asked[MAX_SEATS];
    int64_t wait;
    assert_int_equal(turns_next(seats, 2, 0, &wait), 2);
    assert_int_equal(wait, SECOND);
    seats[1].quiet_ns = 10 * SECOND;
    assert_int_equal(ask_all(seats, 2, 100, asked), 100);
    assert_int_equal(asked[0], 100);
    /* and when it speaks again it has nothing to catch up with */
    assert_int_equal(seats[1].n_turns, 112);
    seats[1].wait_ns = seats[1].quiet_ns = 0;
    assert_int_equal(ask_all(seats, 2, 10, asked), 10);
    assert_int_equal(asked[1], 5);
}

static void test_one_left_alone_loses_its_turn(void **state) {
    (void)state;
    turns_seat seats[2] = {{0}, {.wait_ns = 3 * SECOND}};
    int asked[MAX_SEATS];
    int64_t wait;
    assert_int_equal(ask_all(seats, 2, 50, asked), 50);
    assert_int_equal(seats[1].n_turns, 50);
    seats[0].wait_ns = 2 * SECOND;
    assert_int_equal(turns_next(seats, 2, 0, &wait), 2);
    assert_int_equal(wait, 2 * SECOND);
}

/* Whatever the two do, as long as both answer at all, each has its share of a short
 * run: here one has four calls on their way and answers only when the other is held
 * back. */
static void test_shares_of_a_short_run(void **state) {
    (void)state;
    turns_seat seats[2] = {{0}, {0}};
    int asked[2] = {0, 0}, n_on_way = 0;
    size_t first = 0;
    for (int k = 0; k < 40;) {
        int64_t wait;
        seats[1].wait_ns = n_on_way == 4 ? TURNS_FULL : 0;
        size_t i = turns_next(seats, 2, first, &wait);
        if (i == 2) {
            n_on_way--;
            continue;
        }
        turns_take(seats, 2, i);
        first = (i + 1) % 2;
        asked[i]++;
        n_on_way += i == 1;
        k++;
    }
    assert_true(asked[1] >= 12);
    assert_int_equal(asked[0] + asked[1], 40);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_after_the_other),
        cmocka_unit_test(test_one_address),
        cmocka_unit_test(test_a_full_one_keeps_its_turn),
        cmocka_unit_test(test_another_may_go_where_one_may_not),
        cmocka_unit_test(test_nobody_waits_for_ever),
        cmocka_unit_test(test_one_left_alone_loses_its_turn),
        cmocka_unit_test(test_shares_of_a_short_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
