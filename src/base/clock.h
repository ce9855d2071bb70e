/* SPDX-License-Identifier: MIT
 *
 * Time as an argument: code that needs it takes an eh_clock, so that a run replays in
 * a test. Instants are int64 Unix milliseconds UTC, durations monotonic nanoseconds.
 */
#ifndef EH_BASE_CLOCK_H
#define EH_BASE_CLOCK_H

#include <stdint.h>

typedef struct eh_clock {
    int64_t (*now_ms)(void *self);  /* wall time */
    int64_t (*mono_ns)(void *self); /* never goes back; its zero means nothing */
    void *self;
} eh_clock;

/* The system's clock; thread-safe. */
eh_clock clock_system(void);

static inline int64_t clock_now_ms(const eh_clock *c) {
    return c->now_ms(c->self);
}

static inline int64_t clock_mono_ns(const eh_clock *c) {
    return c->mono_ns(c->self);
}

#endif
