/* SPDX-License-Identifier: MIT
 *
 * Turns.
 *
 * The next seat behind the last one is asked, if it may be. Two things keep it from
 * that, and they are not the same:
 *
 *   it is to be left alone    by a limit of its own, a pause it asked for, a failure:
 * the others go on without it, and its turn is lost its window is full        it is
 * slower than the others just now, perhaps only since its machine is busy: it keeps its
 * turn, and the others may run ahead, but only so far
 *
 * Without a bound the fastest address gets nearly all of a short run: the others have
 * four calls each on their way, and by the time those are answered the rest is done. So
 * nobody has more than twice the turns of a full seat, and LEAD:
 *
 *   turns(ahead) < 2 turns(full) + LEAD
 *
 * That shares work by speed up to two to one, whatever the load. A full seat that has
 * said nothing for PATIENCE_NS is not waited for; it may hang until its time is over.
 */
#include "judge/turns.h"

enum { LEAD = 4 };
#define PATIENCE_NS INT64_C(10000000000)

static bool is_waited_for(const turns_seat *s) {
    return s->wait_ns == TURNS_FULL && s->quiet_ns < PATIENCE_NS;
}

/* Whether a seat would run too far ahead of one that is full. */
static bool is_too_far(const turns_seat *seats, size_t n, size_t ahead) {
    for (size_t i = 0; i < n; i++)
        if (is_waited_for(&seats[i]) &&
            seats[ahead].n_turns >= 2 * seats[i].n_turns + LEAD)
            return true;
    return false;
}

size_t turns_next(const turns_seat *seats, size_t n, size_t first, int64_t *wait_ns) {
    *wait_ns = TURNS_ON_ANSWER;
    for (size_t k = 0; k < n; k++) {
        size_t i = (first + k) % n;
        int64_t wait = seats[i].wait_ns;
        if (wait == 0 && !is_too_far(seats, n, i)) return i;
        if (is_waited_for(&seats[i])) wait = PATIENCE_NS - seats[i].quiet_ns;
        if (wait > 0 && wait < *wait_ns) *wait_ns = wait;
    }
    return n;
}

void turns_take(turns_seat *seats, size_t n, size_t taken) {
    int64_t now = ++seats[taken].n_turns;
    for (size_t i = 0; i < n; i++)
        if (seats[i].wait_ns != 0 && !is_waited_for(&seats[i]) &&
            seats[i].n_turns < now)
            seats[i].n_turns = now;
}
