/* SPDX-License-Identifier: MIT
 *
 * Resampling questions, a hundred million draws in a tenth of a second.
 *
 *   random words -> question numbers -> their rows in a table of integers -> sums
 *
 * A draw takes 16 random bits for up to 2^15 questions (draw.h), else 32; a product
 * whose lower half is too low is rejected, so that every question is exactly as likely
 * as any other. A rejected draw becomes question n, whose row in the table is zero: the
 * loops have no branch. Draws are taken by the block as long as so many are missing,
 * then one by one.
 *
 * Values are integers (multiples of a small power of two), because integers can be
 * added in any order: the result is the same whatever the compiler makes of the loops.
 *
 * A row holds two statistics, since that costs hardly more than one: most of the time
 * goes into finding rows. Their draws are those that each alone would have.
 *
 * Left out: other intervals (BCa, studentised).
 */
#include "stats/bootstrap.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "stats/draw.h"
#include "stats/sum.h"

enum {
    BLOCKS = 32, /* at once */
    DRAWS = BLOCKS * STATS_DRAW_BLOCK,
    SMALL_MAX = 1 << 15
};

/* Of one statistic: a question's values over 2^exponent and their number, or sums. */
typedef struct cell {
    int64_t values, counts;
} cell;

typedef struct drawn {
    cell of[STATS_BOOTSTRAP_MAX_SETS];
} drawn;

typedef struct urn {
    cell *table; /* [n + 1][n_sets] the questions, and zeros */
    uint32_t n;
    size_t n_sets;
    int exponent[STATS_BOOTSTRAP_MAX_SETS];
    const stats_draw_kernel *kernel;
} urn;

static inline void add(cell *sum, const cell *x) {
    sum->values += x->values;
    sum->counts += x->counts;
}

/* Sums over DRAWS rows; two running ones, since one would wait for itself. */
static void add_single(const cell *table, const uint16_t *rows, drawn *sum) {
    cell a = {0, 0}, b = {0, 0};
    for (const uint16_t *r = rows; r < rows + DRAWS; r += 2) {
        add(&a, &table[r[0]]);
        add(&b, &table[r[1]]);
    }
    add(&a, &b);
    add(&sum->of[0], &a);
}

/* The same over rows of two cells. */
static void add_double(const cell *table, const uint16_t *rows, drawn *sum) {
    cell a = {0, 0}, b = {0, 0}, c = {0, 0}, d = {0, 0};
    for (const uint16_t *r = rows; r < rows + DRAWS; r += 2) {
        const cell *x = &table[2 * (size_t)r[0]], *y = &table[2 * (size_t)r[1]];
        add(&a, &x[0]);
        add(&b, &x[1]);
        add(&c, &y[0]);
        add(&d, &y[1]);
    }
    add(&a, &c);
    add(&b, &d);
    add(&sum->of[0], &a);
    add(&sum->of[1], &b);
}

static void add_rows(const urn *u, const uint16_t *rows, drawn *sum) {
    if (u->n_sets == 1)
        add_single(u->table, rows, sum);
    else
        add_double(u->table, rows, sum);
}

/* Adds one row where it is no rejected one and more are wanted. */
static void add_one(const urn *u, uint32_t row, int64_t *n_left, drawn *sum) {
    if (row == u->n || *n_left == 0) return;
    for (size_t k = 0; k < u->n_sets; k++)
        add(&sum->of[k], &u->table[row * u->n_sets + k]);
    --*n_left;
}

static drawn draw_small(const urn *u, rng_lanes random) {
    uint16_t rows[DRAWS], n = (uint16_t)u->n;
    int64_t n_left = n;
    drawn sum = {{{0, 0}}};
    while (n_left >= DRAWS) {
        n_left -= DRAWS - u->kernel->halves(&random, n, rows, BLOCKS);
        add_rows(u, rows, &sum);
    }
    while (n_left > 0) {
        (void)u->kernel->halves(&random, n, rows, 1);
        for (int i = 0; i < STATS_DRAW_BLOCK; i++)
            add_one(u, rows[i], &n_left, &sum);
    }
    return sum;
}

static drawn draw_large(const urn *u, rng_lanes random) {
    uint32_t low_enough = (uint32_t)((UINT64_C(1) << 32) % u->n), words[RNG_LANES];
    int64_t n_left = u->n;
    drawn sum = {{{0, 0}}};
    while (n_left > 0) {
        rng_lanes_next(&random, words);
        for (int i = 0; i < RNG_LANES; i++) {
            uint64_t product = (uint64_t)words[i] * u->n;
            bool rejected = (uint32_t)product < low_enough;
            add_one(u, rejected ? u->n : (uint32_t)(product >> 32), &n_left, &sum);
        }
    }
    return sum;
}

static int compare_f64(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* `means` [n_sets][n_resamples], sorted. */
static void resample(const urn *u, const stats_resampling *how, double *means) {
    size_t n = (size_t)how->n_resamples;
    for (size_t r = 0; r < n; r++) {
        rng_lanes random = rng_lanes_make(how->seed, "stats.bootstrap", r);
        drawn sum = u->n <= SMALL_MAX ? draw_small(u, random) : draw_large(u, random);
        for (size_t k = 0; k < u->n_sets; k++)
            means[k * n + r] = ldexp((double)sum.of[k].values, u->exponent[k]) /
                               (double)sum.of[k].counts;
    }
    for (size_t k = 0; k < u->n_sets; k++)
        qsort(means + k * n, n, sizeof *means, compare_f64);
}

/* The same rank from both ends, so that the mirror law holds. */
static void set_ends(const double *means, const stats_resampling *how,
                     stats_interval *result) {
    int rank = (int)floor((how->n_resamples + 1) * 0.5 * (1.0 - how->level) + 1e-9);
    if (rank < 1) rank = 1;
    result->low = means[rank - 1];
    result->high = means[how->n_resamples - rank];
    result->why = STATS_REASON_NONE;
}

/* The least power of two of which n times the largest sum is below 2^62 multiples. */
static int exponent_of(const double *sums, int64_t n) {
    double largest = 0;
    for (int64_t g = 0; g < n; g++)
        largest = fmax(largest, fabs(sums[g]));
    int above;
    (void)frexp(largest * (double)n, &above);
    return largest > 0 ? above - 61 : 0;
}

static void urn_fill(urn *u, size_t set, const stats_question_sums *from) {
    int exponent = u->exponent[set] = exponent_of(from->sums, u->n);
    for (uint32_t g = 0; g < u->n; g++)
        u->table[g * u->n_sets + set] =
            (cell){(int64_t)rint(ldexp(from->sums[g], -exponent)), from->counts[g]};
}

/* The mean, and no interval yet. */
static stats_interval mean_of(const stats_question_sums *from, int64_t n_clusters) {
    stats_dd sum = {0, 0};
    int64_t n = 0;
    for (int64_t g = 0; g < n_clusters; g++) {
        sum = stats_dd_add(sum, from->sums[g]);
        n += from->counts[g];
    }
    return (stats_interval){.value = n > 0 ? stats_dd_value(sum) / (double)n : NAN,
                            .low = NAN,
                            .high = NAN,
                            .why = n > 0 ? STATS_REASON_TOO_FEW_QUESTIONS
                                         : STATS_REASON_NO_ROWS};
}

eh_status stats_bootstrap(const stats_question_sums *sets, size_t n_sets,
                          int64_t n_clusters, const stats_resampling *how,
                          stats_interval *results, eh_error *err) {
    for (size_t k = 0; k < n_sets; k++)
        results[k] = mean_of(&sets[k], n_clusters);
    if (n_clusters < STATS_BOOTSTRAP_MIN_CLUSTERS) return EH_STATUS_OK;
    if (!(how->level > 0 && how->level < 1) ||
        how->n_resamples < STATS_BOOTSTRAP_MIN_RESAMPLES || n_clusters > INT32_MAX ||
        n_sets > STATS_BOOTSTRAP_MAX_SETS)
        return EH_FAIL(
            err, EH_STATUS_USAGE,
            "bootstrap: the level, the number of resamples or that of sets is "
            "out of range");

    urn u = {.n = (uint32_t)n_clusters,
             .n_sets = n_sets,
             .kernel = stats_draw_kernel_of(simd_chosen())};
    u.table = mem_zalloc((size_t)n_clusters + 1, n_sets * sizeof *u.table);
    double *means = mem_alloc(n_sets * (size_t)how->n_resamples, sizeof *means);
    eh_status status = EH_STATUS_OK;
    if (u.table && means) {
        for (size_t k = 0; k < n_sets; k++)
            urn_fill(&u, k, &sets[k]);
        resample(&u, how, means);
        for (size_t k = 0; k < n_sets; k++)
            set_ends(means + k * (size_t)how->n_resamples, how, &results[k]);
    } else {
        (void)EH_NOMEM(err);
        status = EH_STATUS_NOMEM;
    }
    mem_free(u.table);
    mem_free(means);
    return status;
}
