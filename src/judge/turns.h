/* SPDX-License-Identifier: MIT
 *
 * Whose turn it is among several addresses of one judge. Pure.
 */
#ifndef EH_JUDGE_TURNS_H
#define EH_JUDGE_TURNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TURNS_FULL (-1)           /* wait_ns: no room until an answer comes */
#define TURNS_ON_ANSWER INT64_MAX /* nothing but an answer changes anything */

/* An address as it stands now. */
typedef struct turns_seat {
    int64_t n_turns; /* that it had, or lost through its own fault */
    int64_t wait_ns; /* 0 = it may be asked; > 0 = it is to be left alone so long, for a
                        limit, a pause or a failure; or TURNS_FULL */
    int64_t
        quiet_ns; /* since its last answer, or since it was asked for the first one */
} turns_seat;

/* The seat that is asked next, or `n` when none may be now; then *wait_ns says when to
 * look again. `first` is the seat behind the one that was asked last. */
size_t turns_next(const turns_seat *seats, size_t n, size_t first, int64_t *wait_ns);

/* Counts the turn of seat `taken`; seats that miss theirs through their own fault do
 * not get it later. */
void turns_take(turns_seat *seats, size_t n, size_t taken);

#endif
