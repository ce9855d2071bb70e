/* SPDX-License-Identifier: MIT
 *
 * Golden numbers for the tests of stats/: tab-separated rows of tests/golden/NAME, each
 * a name, arguments and (last) the expected value.
 */
#ifndef EH_TESTS_STATS_GOLDEN_H
#define EH_TESTS_STATS_GOLDEN_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GOLDEN_FIELDS = 64 };

typedef struct golden {
    FILE *file;
    int line;
    char text[8192];
    int n;                        /* numbers in the row */
    const char *name;             /* first field */
    double number[GOLDEN_FIELDS]; /* the fields after it */
} golden;

static inline void golden_open(golden *g, const char *name) {
    const char *root = getenv("EVENHAND_SOURCE_DIR");
    char path[4096];
    snprintf(path, sizeof path, "%s/tests/golden/%s", root ? root : ".", name);
    g->file = fopen(path, "r");
    g->line = 0;
    if (!g->file) fprintf(stderr, "cannot open %s\n", path);
}

/* The next row, comments left out; 0 at the end. Text that is no number becomes NaN. */
static inline int golden_next(golden *g) {
    while (g->file && fgets(g->text, sizeof g->text, g->file)) {
        g->line++;
        g->text[strcspn(g->text, "\n")] = 0;
        if (g->text[0] == '#' || g->text[0] == 0) continue;
        char *save = NULL;
        g->name = strtok_r(g->text, "\t", &save);
        g->n = 0;
        for (char *f; g->n < GOLDEN_FIELDS && (f = strtok_r(NULL, "\t", &save));) {
            char *end;
            double x = strtod(f, &end);
            g->number[g->n++] = end != f ? x : NAN;
        }
        return 1;
    }
    return 0;
}

static inline void golden_close(golden *g) {
    if (g->file) fclose(g->file);
}

/* |a - b| over |b|; over 1 where b is 0. Two NaNs are equal. */
static inline double golden_error(double a, double b) {
    if (isnan(a) && isnan(b)) return 0.0;
    if (isnan(a) || isnan(b)) return INFINITY;
    if (a == b) return 0.0;
    return fabs(a - b) / (b != 0.0 ? fabs(b) : 1.0);
}

#endif
