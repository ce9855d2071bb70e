/* SPDX-License-Identifier: MIT
 *
 * The system clock behind the injected interface. Nothing else in the project asks the
 * operating system for the time.
 *
 * Left out: calendars and time zones. Instants are printed in UTC where they are
 * printed at all, and a summary never holds one.
 */
#include "base/clock.h"

#include <time.h>

static int64_t system_now_ms(void *self) {
    (void)self;
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static int64_t system_mono_ns(void *self) {
    (void)self;
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

eh_clock clock_system(void) {
    return (eh_clock){.now_ms = system_now_ms, .mono_ns = system_mono_ns};
}
