/* SPDX-License-Identifier: MIT
 *
 * How often a method was right over many seeded data sets, and whether that is what it
 * promises. Shared by the long tests.
 */
#ifndef EH_TESTS_LONG_COVERAGE_H
#define EH_TESTS_LONG_COVERAGE_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/rng.h"
#include "stats/interval.h"

#define LEVEL .95

typedef enum promise {
    TWO_SIDED, /* .94 to .96 */
    NOT_BELOW, /* .94 or more */
    AT_LEAST,  /* .95 or more: a promise */
    POWER,     /* .78 to .82, of 80 % planned */
    FAILS      /* .90 at most: shown to be wrong */
} promise;

/* One simulated data set: 1 = the truth was inside, 0 = outside, -1 = no interval. */
typedef int simulation(eh_rng *rng, uint64_t seed, int size);

typedef struct experiment {
    const char *name;
    simulation *run;
    int size;
    promise promise;
} experiment;

static inline int holds(stats_interval i, double truth) {
    if (i.why != STATS_REASON_NONE) return -1;
    return i.low <= truth + 1e-12 && truth <= i.high + 1e-12;
}

static inline bool is_kept(promise what, double share, int n_seeds) {
    static const struct {
        double low, high;
    } bounds[] = {{.94, .96}, {.94, 1}, {.95, 1}, {.78, .82}, {0, .9}};
    double slack = what == FAILS ? 0 : 3 * sqrt(.95 * .05 / n_seeds);
    double low = bounds[what].low - slack;
    double high = fmin(bounds[what].high + slack, 1);
    printf(" (must be %.4f to %.4f)", fmax(low, 0), high);
    return share >= low && share <= high;
}

/* Runs all, with as many seeds as the first argument says (10,000); the exit status. */
static inline int coverage_run(const experiment *experiments, size_t n, int argc,
                               char **argv) {
    int n_seeds = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 10000, n_bad = 0;
    for (const experiment *x = experiments; x < experiments + n; x++) {
        int n_inside = 0, n_defined = 0;
        for (int seed = 0; seed < n_seeds; seed++) {
            eh_rng rng = rng_make((uint64_t)seed, x->name, 0);
            int inside = x->run(&rng, (uint64_t)seed, x->size);
            n_inside += inside > 0;
            n_defined += inside >= 0;
        }
        double share = (double)n_inside / n_defined;
        printf("%-40s %.4f of %d seeds", x->name, share, n_defined);
        bool is_good = is_kept(x->promise, share, n_seeds) && n_defined > .95 * n_seeds;
        printf("%s\n", is_good ? "" : "  FAILED");
        (void)fflush(stdout);
        n_bad += !is_good;
    }
    return n_bad > 0;
}

#endif
