/* SPDX-License-Identifier: MIT
 *
 * The exact cut of two answers into parts that belong together.
 *
 *   g_1(i, j) = score(i..n, j..m)
 *   g_t(i, j) = max over i' > i, j' > j of score(i..i', j..j') + g_{t-1}(i', j')
 *
 * is the best that t parts can make of units i.. of one answer and j.. of the other. It
 * is filled from the ends, so that g_t(0, 0) is the value for t parts and the cut is
 * read off forwards. For a start (i, j) one kernel call walks all ends row by row, and
 * the score of an end is used for all t at once:
 *
 *      0   j              m
 *    0 +---+--------------+     start (i, j): the part's first units
 *      |   |              |     row i': ends (i', j+1) .. (i', m-1)
 *    i +---*--------------+     best[t] = max(best[t], score + g_{t-1}(i', j'))
 *      |   | . . . . . .  |
 *   i' |   | > > > > > >  |
 *    n +---+--------------+
 *
 * Cells: n^2 m^2 / 4, times parts - 2 layers. Scores are integers in doubles, so sums
 * are exact and "equal" means equal: that is what lets the trace find, among all best
 * cuts, the one with the smallest begins. Begins of text 0 are compared first, so the
 * trace keeps the set of all columns that are still possible while it fixes rows, and
 * then fixes columns.
 *
 * For three parts, the usual number, bounds leave a small share of the cells to be
 * tried (see three_parts below).
 */
#include "align/cut.h"

#include <math.h>

enum { FIRST_ROWS_STEP = 8 };

struct exact_cut {
    align_similarity *similarity;
    size_t n, m;  /* units of text 0, 1 */
    size_t parts; /* the largest number of parts */
    bool all;
    size_t layer_stride;
    double *layers; /* [parts - 1][n + 1][stride], layer t - 1 is g_t */
    double *top;    /* [parts + 1], g_t(0, 0) */
    double *best;   /* [parts][KERNEL_LANES] */
    double *score;  /* [stride] */
    bool *possible; /* [parts + 1][m + 1], for the trace */
    bool *ends;     /* [m + 1], the same */
    uint32_t *band_begin, *band_end; /* [n] */
    eh_arena *arena;
};

bool exact_cut_has_room(size_t n_units_1, size_t n_units_2, size_t max_parts) {
    double n = (double)n_units_1, m = (double)n_units_2;
    if (n > CUT_MAX_UNITS || m > CUT_MAX_UNITS) return false;
    double n_layers = max_parts > 3 ? (double)max_parts - 2 : 1;
    return (n * n / 2) * (m * m / 2) * n_layers <= CUT_MAX_CELLS;
}

bool exact_cut_is_feasible(const align_similarity *similarity, size_t max_parts) {
    return !similarity->too_large &&
           exact_cut_has_room(similarity->n_units[0], similarity->n_units[1],
                              max_parts);
}

static double *layer(const exact_cut *cut, size_t t) {
    return cut->layers + (t - 1) * cut->layer_stride;
}

static double layer_at(const exact_cut *cut, size_t t, size_t i, size_t j) {
    return layer(cut, t)[i * cut->similarity->stride + j];
}

static eh_status make_tables(exact_cut *cut, eh_error *err) {
    size_t stride = cut->similarity->stride;
    size_t n_layers = cut->parts > 1 ? cut->parts - 1 : 1;
    cut->layer_stride = (cut->n + 1) * stride;
    cut->layers =
        arena_alloc(cut->arena, n_layers * cut->layer_stride * sizeof(double));
    cut->top = arena_zalloc(cut->arena, cut->parts + 1, sizeof(double));
    cut->best = arena_zalloc(cut->arena, cut->parts * KERNEL_LANES, sizeof(double));
    cut->score = arena_zalloc(cut->arena, stride, sizeof(double));
    cut->possible = arena_zalloc(cut->arena, (cut->parts + 1) * (cut->m + 1), 1);
    cut->ends = arena_zalloc(cut->arena, cut->m + 1, 1);
    cut->band_begin = arena_zalloc(cut->arena, cut->n, sizeof(uint32_t));
    cut->band_end = arena_zalloc(cut->arena, cut->n, sizeof(uint32_t));
    if (!cut->band_begin || !cut->band_end || !cut->ends || !cut->layers || !cut->top ||
        !cut->best || !cut->score || !cut->possible)
        return EH_NOMEM(err);
    for (size_t k = 0; k < n_layers * cut->layer_stride; k++)
        cut->layers[k] = -INFINITY;
    return EH_STATUS_OK;
}

/* Sets the walk to a start; rows come next. */
static void go_to_start(exact_cut *cut, size_t i, size_t j) {
    align_similarity *similarity = cut->similarity;
    similarity->ops->first(similarity, i);
    for (size_t column = cut->m; column-- > j;)
        similarity->ops->start(similarity, column);
}

/* -- filling ----------------------------------------------------------------------- */

/* Numbers of parts from a start that can be part of a wanted cut, beyond 1: low..high.
 */
static void parts_from(const exact_cut *cut, size_t i, size_t j, size_t *low,
                       size_t *high) {
    size_t before = i < j ? i : j; /* units there are for the parts before */
    size_t left_i = cut->n - i, left_j = cut->m - j;
    size_t left = left_i < left_j ? left_i : left_j;
    size_t most = before > 0 ? cut->parts - 1 : 0;
    if (i == 0 && j == 0) most = cut->parts;
    *high = left < most ? left : most;
    *low = 2;
    if (!cut->all && cut->parts > before && cut->parts - before > 2)
        *low = cut->parts - before;
}

static double lanes_max(const double *lane) {
    double max = lane[0];
    for (int k = 1; k < KERNEL_LANES; k++)
        if (lane[k] > max) max = lane[k];
    return max;
}

/* The ends of a start in the bands, for `n_layers` numbers of parts from `low` on. */
static void try_ends(exact_cut *cut, size_t low, size_t n_layers,
                     const row_bands *bands) {
    kernel_layers layers = {.next = layer(cut, low - 1),
                            .layer_stride = cut->layer_stride,
                            .row_stride = cut->similarity->stride,
                            .n_layers = n_layers,
                            .n_rows = bands->n_rows,
                            .n_columns = bands->n_columns,
                            .begin = bands->begin,
                            .end = bands->end,
                            .best = cut->best};
    for (size_t k = 0; k < n_layers * KERNEL_LANES; k++)
        cut->best[k] = -INFINITY;
    cut->similarity->ops->ends(cut->similarity, &layers);
}

/* All ends of a start, for low..high parts. An end leaves units for low - 1 parts. */
static void fill_start(exact_cut *cut, size_t i, size_t j) {
    size_t low, high;
    parts_from(cut, i, j, &low, &high);
    if (high < low) return;
    row_bands bands = {.n_rows = cut->n - i - (low - 1),
                       .n_columns = cut->m - j - (low - 1),
                       .begin = cut->band_begin,
                       .end = cut->band_end};
    size_t end = (bands.n_columns + KERNEL_STEP - 1) / KERNEL_STEP * KERNEL_STEP;
    for (size_t r = 0; r < bands.n_rows; r++) {
        bands.begin[r] = 0;
        bands.end[r] = (uint32_t)end;
    }
    try_ends(cut, low, high - low + 1, &bands);
    for (size_t t = low; t <= high; t++) {
        double value = lanes_max(cut->best + (t - low) * KERNEL_LANES);
        if (i == 0 && j == 0)
            cut->top[t] = value;
        else
            layer(cut, t)[i * cut->similarity->stride + j] = value;
    }
}

/* Every start, from the last. For two parts only (0, 0) has ends to try. */
static void fill_all(exact_cut *cut) {
    const similarity_ops *ops = cut->similarity->ops;
    for (size_t i = cut->parts > 2 ? cut->n : 1; i-- > 0;) {
        ops->first(cut->similarity, i);
        for (size_t j = cut->m; j-- > 0;) {
            ops->start(cut->similarity, j);
            fill_start(cut, i, j);
        }
    }
}

/* -- filling for three parts, with bounds ------------------------------------------ */

/* With three parts a start has one part before it, whose score is known beforehand, and
 * so is the best that one part behind any end can make. Ends whose score, by its upper
 * bound, cannot make up for the best sum so far are not tried; nor can they be part of
 * a cut that is as good as the best. */
typedef struct three_parts {
    double *before; /* [n][stride], score of the part from 0, 0 */
    double *most; /* [m][n], by column and row: max of g_1 in that row, from there on */
    double *bound; /* [n_blocks], what starts of a row can reach */
    size_t n_blocks;
    double best;
} three_parts;

static eh_status three_parts_init(exact_cut *cut, three_parts *three, eh_error *err) {
    align_similarity *similarity = cut->similarity;
    size_t n = cut->n, m = cut->m, stride = similarity->stride;
    three->best = -INFINITY;
    three->before = arena_alloc(cut->arena, n * stride * sizeof(double));
    three->most = arena_alloc(cut->arena, n * m * sizeof(double));
    three->n_blocks = (m + START_BLOCK - 1) / START_BLOCK;
    three->bound = arena_alloc(cut->arena, three->n_blocks * sizeof(double));
    if (!three->before || !three->most || !three->bound) return EH_NOMEM(err);
    go_to_start(cut, 0, 0);
    for (size_t i = 1; i < n; i++) {
        similarity->ops->row(similarity, i);
        similarity->ops->scores(similarity, three->before + i * stride);
    }
    for (size_t j = m; j-- > 0;)
        for (size_t i = 0; i < n; i++) {
            double here = layer_at(cut, 1, i, j);
            double behind = j + 1 < m ? three->most[(j + 1) * n + i] : -INFINITY;
            three->most[j * n + i] = here > behind ? here : behind;
        }
    return EH_STATUS_OK;
}

/* Makes the bounds of the starts in row i those of whole cuts, and returns the smallest
 * column whose block may still reach the best sum, or m. */
static size_t bound_row(exact_cut *cut, three_parts *three, size_t i) {
    const start_bounds bounds = {
        .most = three->most, .bound = three->bound, .n_blocks = three->n_blocks};
    cut->similarity->ops->bound_starts(cut->similarity, i, &bounds);
    const double *before = three->before + i * cut->similarity->stride;
    size_t lowest = cut->m;
    for (size_t b = three->n_blocks; b-- > 0;) {
        double most = 0;
        for (size_t j = b * START_BLOCK; j < (b + 1) * START_BLOCK && j < cut->m; j++)
            if (j > 0 && before[j] > most) most = before[j];
        three->bound[b] += most;
        if (three->bound[b] >= three->best) lowest = b * START_BLOCK;
    }
    return lowest;
}

/* One start, unless it cannot reach the best sum. */
static void fill_start_of_three(exact_cut *cut, three_parts *three, size_t i,
                                size_t j) {
    align_similarity *similarity = cut->similarity;
    size_t at = i * similarity->stride + j;
    double before = three->before[at];
    row_bands bands = {.n_rows = cut->n - i - 1,
                       .n_columns = cut->m - j - 1,
                       .begin = cut->band_begin,
                       .end = cut->band_end};
    const double *most = three->most + (j + 1) * cut->n + i + 1;
    if (!similarity->ops->bands(similarity, three->best - before, most, &bands)) return;
    try_ends(cut, 2, 1, &bands);
    double value = lanes_max(cut->best);
    layer(cut, 2)[at] = value;
    if (before + value > three->best) three->best = before + value;
}

/* All starts in row i that may reach the best sum. */
static void fill_row_of_three(exact_cut *cut, three_parts *three, size_t i) {
    align_similarity *similarity = cut->similarity;
    size_t lowest = bound_row(cut, three, i);
    if (lowest == cut->m) return;
    similarity->ops->first(similarity, i);
    for (size_t j = cut->m; j-- > 1 && j >= lowest;) {
        similarity->ops->start(similarity, j);
        if (j + 1 < cut->m && three->bound[j / START_BLOCK] >= three->best)
            fill_start_of_three(cut, three, i, j);
    }
}

/* Rows in any order, since they need g_1 only: a few spread ones first make the best
 * sum good early. */
static eh_status fill_three(exact_cut *cut, eh_error *err) {
    three_parts three;
    EH_TRY(three_parts_init(cut, &three, err));
    for (size_t i = FIRST_ROWS_STEP; i + 1 < cut->n; i += FIRST_ROWS_STEP)
        fill_row_of_three(cut, &three, i);
    for (size_t i = 1; i + 1 < cut->n; i++)
        if (i % FIRST_ROWS_STEP != 0) fill_row_of_three(cut, &three, i);
    cut->top[3] = three.best;
    return EH_STATUS_OK;
}

eh_status exact_cut_fill(align_similarity *similarity, size_t parts, bool all,
                         eh_arena *arena, exact_cut **filled, eh_error *err) {
    exact_cut *cut = arena_zalloc(arena, 1, sizeof *cut);
    if (!cut) return EH_NOMEM(err);
    *cut = (exact_cut){.similarity = similarity,
                       .n = similarity->n_units[0],
                       .m = similarity->n_units[1],
                       .parts = parts,
                       .all = all,
                       .arena = arena};
    *filled = cut;
    EH_TRY(make_tables(cut, err));
    EH_TRY(similarity->ops->prepare(similarity, parts, arena, err));
    similarity->ops->wholes(similarity, layer(cut, 1));
    cut->top[1] = layer_at(cut, 1, 0, 0);
    if (parts == 3 && !all && similarity->ops->bound_starts)
        return fill_three(cut, err);
    fill_all(cut);
    return EH_STATUS_OK;
}

double exact_cut_value(const exact_cut *filled, size_t parts) {
    return filled->top[parts];
}

/* -- reading the cut off ----------------------------------------------------------- */

static double value_at(const exact_cut *cut, size_t t, size_t i, size_t j) {
    return i == 0 && j == 0 ? cut->top[t] : layer_at(cut, t, i, j);
}

/* Opens rows up to `row` behind the start's row (i, or one that is open already) and
 * marks in `ends` the columns from which t parts go on to a sum of `wanted`. */
static bool mark_ends(exact_cut *cut, size_t row, size_t t, double wanted, bool *ends) {
    align_similarity *similarity = cut->similarity;
    for (size_t open = similarity->row_end + 1; open <= row; open++)
        similarity->ops->row(similarity, open);
    similarity->ops->scores(similarity, cut->score);
    memset(ends, 0, cut->m + 1);
    bool any = false;
    for (size_t column = similarity->column_begin + 1; column < cut->m; column++) {
        if (cut->score[column] + layer_at(cut, t, row, column) != wanted) continue;
        ends[column] = any = true;
    }
    return any;
}

/* From the possible columns of a cut in row i: the smallest row that can come next, and
 * into `to` the columns that are possible in it. t parts are left behind it. */
static size_t next_row(exact_cut *cut, size_t i, size_t t, const bool *from, bool *to) {
    size_t found = cut->n;
    for (size_t j = 0; j < cut->m; j++) {
        if (!from[j]) continue;
        double wanted = value_at(cut, t + 1, i, j);
        go_to_start(cut, i, j);
        size_t row = i + 1;
        while (row <= found && row < cut->n &&
               !mark_ends(cut, row, t, wanted, cut->ends))
            row++;
        if (row > found || row >= cut->n) continue;
        if (row < found) memset(to, 0, cut->m + 1);
        found = row;
        for (size_t column = 0; column <= cut->m; column++)
            to[column] = to[column] || cut->ends[column];
    }
    return found;
}

static size_t count_possible(const exact_cut *cut, const bool *possible) {
    size_t n = 0;
    for (size_t j = 0; j <= cut->m; j++)
        n += possible[j];
    return n;
}

/* Into cut->ends: the columns of cut s + 1 to which column j of cut s can go on. */
static void mark_next(exact_cut *cut, const own_cut *own, size_t s, size_t j) {
    size_t t = own->n_parts - s - 1;
    go_to_start(cut, own->begin[0][s], j);
    (void)mark_ends(cut, own->begin[0][s + 1], t,
                    value_at(cut, t + 1, own->begin[0][s], j), cut->ends);
}

/* The smallest column that is possible in cut s + 1 and among cut->ends, or m. */
static size_t first_common(const exact_cut *cut, size_t s) {
    const bool *possible = cut->possible + (s + 1) * (cut->m + 1);
    size_t j = 0;
    while (j < cut->m && !(possible[j] && cut->ends[j]))
        j++;
    return j;
}

/* With the rows fixed, drops the columns of cut s from which none of cut s + 1 is
 * reached. */
static void narrow(exact_cut *cut, const own_cut *own, size_t s) {
    bool *possible = cut->possible + s * (cut->m + 1);
    if (count_possible(cut, possible) == 1) return;
    for (size_t j = 0; j < cut->m; j++) {
        if (!possible[j]) continue;
        mark_next(cut, own, s, j);
        possible[j] = first_common(cut, s) < cut->m;
    }
}

eh_status exact_cut_trace(exact_cut *filled, own_cut *own, eh_error *err) {
    size_t parts = own->n_parts, width = filled->m + 1;
    memset(filled->possible, 0, (filled->parts + 1) * width);
    filled->possible[0] = true;
    for (size_t s = 1; s < parts; s++) {
        own->begin[0][s] =
            next_row(filled, own->begin[0][s - 1], parts - s,
                     filled->possible + (s - 1) * width, filled->possible + s * width);
        if (own->begin[0][s] == filled->n)
            return EH_FAIL(err, EH_STATUS_DATA, "the best cut was lost");
    }
    for (size_t s = parts > 2 ? parts - 2 : 0; s > 0; s--)
        narrow(filled, own, s);
    for (size_t s = 0; s + 1 < parts; s++) {
        mark_next(filled, own, s, own->begin[1][s]);
        own->begin[1][s + 1] = first_common(filled, s);
    }
    return EH_STATUS_OK;
}
