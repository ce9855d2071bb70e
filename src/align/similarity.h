/* SPDX-License-Identifier: MIT
 *
 * What the exact cut wants of a similarity. Private to align.
 *
 * Everything here is in the pair's own order: text 0 is the answer that comes first by
 * content (see align_pair_swapped), and its units are rows, those of text 1 are
 * columns.
 *
 * A score is a similarity as an integer in a double, so that sums are exact, equal sums
 * are equal numbers, and the order of adding does not matter.
 */
#ifndef EH_ALIGN_SIMILARITY_H
#define EH_ALIGN_SIMILARITY_H

#include "align/align.h"
#include "align/kernels.h"

/* Half-open ranges of units, a part of each text. */
typedef struct part_pair {
    size_t begin[2], end[2];
} part_pair;

/* Which columns behind a start are tried in each row behind it. */
typedef struct row_bands {
    size_t n_rows, n_columns;
    uint32_t *begin, *end; /* [n_rows], multiples of KERNEL_STEP */
} row_bands;

enum { START_BLOCK = 8 };

/* Bounds of what starts can reach, one for START_BLOCK columns. */
typedef struct start_bounds {
    const double *most; /* [columns][rows], best sum behind an end in that row, with its
                           column there or behind */
    double *bound;      /* [n_blocks] */
    size_t n_blocks;
} start_bounds;

typedef struct similarity_ops {
    const char *name;

    /* The similarity of two parts, exactly rounded; may be called at any time. */
    double (*part)(const align_similarity *self, const part_pair *part);

    /* Before a cut into at most `parts` parts: makes the tables, of size n_units
     * squared, in `arena`. */
    eh_status (*prepare)(align_similarity *self, size_t parts, eh_arena *arena,
                         eh_error *err);

    /* The scores of all pairs of parts that go to the ends of both texts, by their
     * begins: wholes[row_begin * stride + column_begin]. */
    void (*wholes)(align_similarity *self, double *wholes);

    /* A start is a pair of units at which two parts begin: `first` sets its row,
     * `start` its column, which goes down one by one from the last column. */
    void (*first)(align_similarity *self, size_t row_begin);
    void (*start)(align_similarity *self, size_t column_begin);

    /* Tries as ends of parts the rows and columns behind the start, as many as `layers`
     * says. layers->next points at row 0 and column 0. */
    void (*ends)(align_similarity *self, const kernel_layers *layers);

    /* For a row in which parts begin, by blocks of columns: more than any start in that
     * row, with a column in the block or behind it, can reach with one part and the
     * most that may stand behind its end. NULL where the similarity has no bound that
     * is worth its time. */
    void (*bound_starts)(align_similarity *self, size_t row_begin,
                         const start_bounds *bounds);

    /* Sets the bands to the ends of a start whose score may reach wanted - most[r], r
     * counted from the first row behind the start, and lowers the numbers of rows and
     * columns to what they need; false where there are none. NULL where bound_starts
     * is. */
    bool (*bands)(align_similarity *self, double wanted, const double *most,
                  row_bands *bands);

    /* For reading a cut off: `row` opens the rows in which the part may end, one by one
     * from the first behind the start; `scores` gives those of the row opened last, for
     * all columns behind the start, into score[column_end]. */
    void (*row)(align_similarity *self, size_t row_end);
    void (*scores)(const align_similarity *self, double *score);
} similarity_ops;

struct align_similarity {
    const similarity_ops *ops;
    const align_kernels *kernels;
    size_t n_units[2];
    size_t stride;  /* columns and padding, in elements */
    bool too_large; /* more words than counts can hold */
    eh_arena *arena;
    /* the start, and the row opened last */
    size_t row_begin, column_begin, row_end;
    void *state; /* of the kind of similarity */
};

/* Is answer 2 the one that comes first by content? */
static inline bool align_pair_swapped(const align_pair *pair) {
    return eh_str_cmp(pair->units_1->text, pair->units_2->text) > 0;
}

/* The units in the pair's own order. */
static inline void align_pair_order(const align_pair *pair,
                                    const align_units *units[2]) {
    bool swapped = align_pair_swapped(pair);
    units[0] = swapped ? pair->units_2 : pair->units_1;
    units[1] = swapped ? pair->units_1 : pair->units_2;
}

/* A similarity of that kind for the pair, its state zeroed; NULL without memory. */
align_similarity *similarity_new(const align_pair *pair, const similarity_ops *ops,
                                 size_t state_bytes, eh_arena *arena);

#endif
