/* SPDX-License-Identifier: MIT
 *
 * Overlap of words: |A n B| / max(|A|, |B|) over the sets of words of two parts.
 *
 * A score is count * weight, where weight is UNIT / size rounded to an integer and UNIT
 * has all numbers up to 36 as divisors: shares of small sets are exact, and so are the
 * ties between them; others are off by less than 1e-10. 1 / max(a, b) is the smaller of
 * two weights, each from a table, so that no score needs a division.
 *
 * Sizes of all ranges of units of one text, from the end:
 *
 *   size(i, e) = size(i + 1, e) + words of unit i that are not in units i+1 .. e-1
 *
 * Intersections: for a start (i, j), a word that both texts have is first met in the
 * row a(w) >= i and the column b(w) >= j. It counts for all ends behind both:
 *
 *        j  j+1 ... b(w) | b(w)+1 ...     fresh[a(w)] holds, for each column end, how
 *   i    .   .       .   |   .            many words are first met in this row and are
 *   a(w) .   .       .   |  +1  +1 +1     met before that column; the sum of the rows
 *                                         i .. e-1 is the intersection for end row e.
 *
 * Going one column down changes b(w) for the words of one unit only: each adds one to a
 * piece of one row of `fresh`. So a cell of the recurrence costs one addition of 16
 * bits.
 */
#include "align/similarity.h"
#include "align/words.h"

/* lcm(1..36) and, for cuts whose sum of scores would not be exact with it, lcm(1..28).
 */
static const double unit_few_parts = 144403552893600.0, unit_many_parts = 80313433200.0;
enum { MAX_FEW_PARTS = 60, MAX_COMMON_WORDS = UINT16_MAX };

/* A word of both texts: the row in which it is met first, and the column in which it
 * was met next before the walk went one column down. */
typedef struct met_word {
    uint32_t row, was;
} met_word;

typedef struct words_state {
    pair_words words;
    uint32_t *stamp; /* [n_words], for counting distinct words; holds `round` */
    uint32_t round;
    /* words that both texts have, numbered anew */
    unit_words common[2];
    size_t n_common;
    /* for a cut */
    double *weight[2]; /* [n_units][stride of that text], by begin and end */
    size_t weight_stride[2];
    uint32_t *first_row;   /* [n_common], a(w) or n_units[0] */
    uint32_t *next_column; /* [n_common], b(w) or n_units[1] */
    uint16_t *fresh;       /* [n_units[0]][stride] */
    uint16_t *count;       /* [stride] */
    uint16_t *in_row;      /* [n_units[0]], words first met there, in any column */
    uint16_t *in_column;   /* [n_units[1]], words met next there, in any row */
    double *column_count;  /* [n_units[1]], scratch */
    uint32_t *last_word;   /* [n_common], by the column in which they are met last */
    uint32_t *last_begin;  /* [n_units[1] + 1], where those of a column begin */
    met_word *met;         /* scratch, as many as a unit has words */
} words_state;

/* -- one pair of parts ------------------------------------------------------------- */

/* Number of distinct words in units begin .. end of a text, which get this stamp; of
 * them *n_both had the stamp before it. */
static size_t stamp_units(words_state *state, const unit_words *text, size_t begin,
                          size_t end, uint32_t stamp, size_t *n_both) {
    size_t n_distinct = 0;
    *n_both = 0;
    for (size_t k = text->begin[begin]; k < text->begin[end]; k++) {
        uint32_t *word_stamp = &state->stamp[text->word[k]];
        if (*word_stamp == stamp) continue;
        *n_both += *word_stamp == stamp - 1;
        *word_stamp = stamp;
        n_distinct++;
    }
    return n_distinct;
}

static double words_part(const align_similarity *self, const part_pair *part) {
    words_state *state = self->state;
    size_t n_both;
    state->round += 2;
    size_t n_0 = stamp_units(state, &state->words.text[0], part->begin[0], part->end[0],
                             state->round, &n_both);
    size_t n_1 = stamp_units(state, &state->words.text[1], part->begin[1], part->end[1],
                             state->round + 1, &n_both);
    size_t largest = n_0 > n_1 ? n_0 : n_1;
    return largest ? (double)n_both / (double)largest : 0;
}

/* -- tables ------------------------------------------------------------------------ */

/* weight[begin][end] for all ranges of one text; `next` is scratch of n_words. */
static void fill_weights(const unit_words *text, double unit, double *weight,
                         size_t stride, uint32_t *next) {
    size_t n = text->n_units;
    for (size_t i = n; i-- > 0;) {
        double *size = &weight[i * stride];
        for (size_t k = text->begin[i]; k < text->begin[i + 1]; k++) {
            size[next[text->word[k]] + 1] -= 1; /* counted by a later unit from there */
            next[text->word[k]] = (uint32_t)i;
        }
        double n_new = (double)(text->begin[i + 1] - text->begin[i]);
        for (size_t e = i + 1; e <= n; e++) {
            n_new += size[e];
            size[e] = n_new + (e > i + 1 ? weight[(i + 1) * stride + e] : 0);
        }
    }
    for (size_t i = 0; i < n; i++)
        for (size_t e = i + 1; e <= n; e++) {
            double *size = &weight[i * stride + e];
            *size = *size > 0 ? (double)(int64_t)(unit / *size + .5) : unit;
        }
}

static eh_status words_prepare(align_similarity *self, size_t parts, eh_arena *arena,
                               eh_error *err) {
    words_state *state = self->state;
    double unit = parts <= MAX_FEW_PARTS ? unit_few_parts : unit_many_parts;
    for (int side = 0; side < 2; side++) {
        size_t n = self->n_units[side];
        uint32_t *next = arena_alloc(arena, (state->words.n_words + 1) * sizeof *next);
        state->weight_stride[side] = n + 1 + KERNEL_PAD;
        state->weight[side] = arena_zalloc(arena, n * state->weight_stride[side],
                                           sizeof *state->weight[side]);
        if (!next || !state->weight[side]) return EH_NOMEM(err);
        for (size_t w = 0; w < state->words.n_words; w++)
            next[w] = (uint32_t)n;
        fill_weights(&state->words.text[side], unit, state->weight[side],
                     state->weight_stride[side], next);
    }
    state->first_row = arena_alloc(arena, (state->n_common + 1) * sizeof(uint32_t));
    state->next_column = arena_alloc(arena, (state->n_common + 1) * sizeof(uint32_t));
    state->fresh =
        arena_zalloc(arena, self->n_units[0] * self->stride, sizeof(uint16_t));
    state->count = arena_zalloc(arena, self->stride, sizeof(uint16_t));
    state->in_row = arena_zalloc(arena, self->n_units[0], sizeof(uint16_t));
    state->in_column = arena_zalloc(arena, self->n_units[1], sizeof(uint16_t));
    state->column_count = arena_zalloc(arena, self->n_units[1], sizeof(double));
    state->last_word = arena_alloc(arena, (state->n_common + 1) * sizeof(uint32_t));
    state->last_begin = arena_zalloc(arena, self->n_units[1] + 2, sizeof(uint32_t));
    state->met = arena_alloc(arena, (state->n_common + 1) * sizeof *state->met);
    bool have_all = state->first_row && state->next_column && state->fresh &&
                    state->count && state->in_row && state->in_column &&
                    state->column_count && state->last_word && state->last_begin &&
                    state->met;
    return have_all ? EH_STATUS_OK : EH_NOMEM(err);
}

/* -- the walk ---------------------------------------------------------------------- */

/* Sets the row, with no column met yet. */
static void begin_row(align_similarity *self, size_t row_begin) {
    words_state *state = self->state;
    const unit_words *rows = &state->common[0];
    self->row_begin = row_begin;
    self->column_begin = self->n_units[1];
    memset(state->in_row, 0, self->n_units[0] * sizeof *state->in_row);
    memset(state->in_column, 0, self->n_units[1] * sizeof *state->in_column);
    for (size_t w = 0; w < state->n_common; w++) {
        state->first_row[w] = (uint32_t)self->n_units[0];
        state->next_column[w] = (uint32_t)self->n_units[1];
    }
    for (size_t i = rows->n_units; i-- > row_begin;)
        for (size_t k = rows->begin[i]; k < rows->begin[i + 1]; k++)
            state->first_row[rows->word[k]] = (uint32_t)i;
}

/* Goes one column down. Returns how many of its words the rows have; they are in
 * state->met. */
static size_t meet_column(align_similarity *self, size_t column) {
    words_state *state = self->state;
    const unit_words *columns = &state->common[1];
    size_t n_met = 0;
    self->column_begin = column;
    for (size_t k = columns->begin[column]; k < columns->begin[column + 1]; k++) {
        uint32_t word = columns->word[k];
        const met_word met = {state->first_row[word], state->next_column[word]};
        if (met.row == self->n_units[0]) continue;
        state->next_column[word] = (uint32_t)column;
        state->in_column[column]++;
        if (met.was < self->n_units[1])
            state->in_column[met.was]--;
        else
            state->in_row[met.row]++;
        state->met[n_met++] = met;
    }
    return n_met;
}

static void words_first(align_similarity *self, size_t row_begin) {
    words_state *state = self->state;
    begin_row(self, row_begin);
    memset(state->fresh + row_begin * self->stride, 0,
           (self->n_units[0] - row_begin) * self->stride * sizeof(uint16_t));
}

static void words_start(align_similarity *self, size_t column_begin) {
    words_state *state = self->state;
    size_t n_met = meet_column(self, column_begin);
    self->row_end = self->row_begin;
    for (size_t k = 0; k < n_met; k++) {
        uint16_t *fresh = state->fresh + state->met[k].row * self->stride;
        self->kernels->count_up(fresh + column_begin + 1,
                                state->met[k].was - column_begin);
    }
}

static const double *row_weights(const align_similarity *self) {
    const words_state *state = self->state;
    return state->weight[0] + self->row_begin * state->weight_stride[0];
}

static const double *column_weights(const align_similarity *self) {
    const words_state *state = self->state;
    return state->weight[1] + self->column_begin * state->weight_stride[1];
}

/* Fills last_word and last_begin; next_column holds the last columns. */
static void sort_by_last_column(align_similarity *self) {
    words_state *state = self->state;
    size_t m = self->n_units[1];
    memset(state->last_begin, 0, (m + 1) * sizeof *state->last_begin);
    for (size_t w = 0; w < state->n_common; w++)
        state->last_begin[state->next_column[w] + 1]++;
    for (size_t j = 0; j < m; j++)
        state->last_begin[j + 1] += state->last_begin[j];
    for (size_t w = state->n_common; w-- > 0;) {
        size_t j = state->next_column[w];
        state->last_word[--state->last_begin[j + 1]] = (uint32_t)w;
    }
    for (size_t j = 0; j < m; j++) /* each begin went down to that of its column */
        state->last_begin[j] = state->last_begin[j + 1];
    state->last_begin[m] = (uint32_t)state->n_common;
}

/* Words that are met last in row r or later and column c or later: sums over a table of
 * how many are met last in each. */
static void words_wholes(align_similarity *self, double *wholes) {
    words_state *state = self->state;
    size_t n = self->n_units[0], m = self->n_units[1], stride = self->stride;
    for (size_t i = 0; i < n; i++)
        memset(wholes + i * stride, 0, m * sizeof *wholes);
    for (size_t i = 0; i < n; i++)
        for (size_t k = state->common[0].begin[i]; k < state->common[0].begin[i + 1];
             k++)
            state->first_row[state->common[0].word[k]] = (uint32_t)i;
    for (size_t j = 0; j < m; j++)
        for (size_t k = state->common[1].begin[j]; k < state->common[1].begin[j + 1];
             k++)
            state->next_column[state->common[1].word[k]] = (uint32_t)j;
    sort_by_last_column(self);
    for (size_t w = 0; w < state->n_common; w++)
        wholes[state->first_row[w] * stride + state->next_column[w]] += 1;
    for (size_t i = n; i-- > 0;) {
        double in_row = 0;
        for (size_t j = m; j-- > 0;) {
            in_row += wholes[i * stride + j];
            wholes[i * stride + j] =
                in_row + (i + 1 < n ? wholes[(i + 1) * stride + j] : 0);
        }
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < m; j++) {
            double row = state->weight[0][i * state->weight_stride[0] + n];
            double column = state->weight[1][j * state->weight_stride[1] + m];
            wholes[i * stride + j] *= column < row ? column : row;
        }
}

/* -- upper bounds ------------------------------------------------------------------ */

/* What bounds the scores of a start's ends from above. With n(r) the words that rows up
 * to r have in common with all columns, n(c) those that columns up to c have in common
 * with all rows, and weights w,
 *
 *   score(r, c) <= min(n(r) * w(c), n(c) * w(r), n(r) * w(r))
 *
 * of which the first falls from column to column and the second rises. So in a row the
 * largest bound is where they cross, and the columns whose bound is above some number
 * are a band around it. From row to row the crossing moves one way only. */
typedef struct crossing {
    const double *count, *weight; /* [n], of the columns behind the start */
    size_t n;
    size_t at; /* the first column where the second is not below the first */
} crossing;

static double crossing_bound(crossing *cross, double row_count, double row_weight) {
    while (cross->at < cross->n &&
           cross->count[cross->at] * row_weight < row_count * cross->weight[cross->at])
        cross->at++;
    double here = cross->at < cross->n ? row_count * cross->weight[cross->at] : 0;
    double before = cross->at > 0 ? cross->count[cross->at - 1] * row_weight : 0;
    double bound = here > before ? here : before;
    double in_row = row_count * row_weight;
    return bound < in_row ? bound : in_row;
}

/* count[c] of a crossing: words met in any row and before the end of column c. */
static void sum_columns(const align_similarity *self, size_t n_columns) {
    const words_state *state = self->state;
    double count = 0;
    for (size_t c = 0; c < n_columns; c++) {
        count += state->in_column[self->column_begin + c];
        state->column_count[c] = count;
    }
}

/* Words in rows up to each end that are met in the block or behind it, over the size of
 * the rows: the more columns, the more of them, and the more may stand behind. */
static void words_bound_starts(align_similarity *self, size_t row_begin,
                               const start_bounds *bounds) {
    words_state *state = self->state;
    size_t n = self->n_units[0], m = self->n_units[1];
    const double *weight = state->weight[0] + row_begin * state->weight_stride[0];
    begin_row(self, row_begin);
    for (size_t b = bounds->n_blocks; b-- > 0;) {
        size_t column = b * START_BLOCK;
        size_t end = column + START_BLOCK < m ? column + START_BLOCK : m;
        for (size_t k = state->last_begin[column]; k < state->last_begin[end]; k++) {
            uint32_t row = state->first_row[state->last_word[k]];
            if (row < n) state->in_row[row]++;
        }
        double bound = -1;
        uint32_t count = 0;
        const double *most = bounds->most + (column + 1) * n;
        for (size_t row = row_begin; column + 1 < m && row + 1 < n; row++) {
            count += state->in_row[row];
            double sum = (double)count * weight[row + 1] + most[row + 1];
            if (sum > bound) bound = sum;
        }
        bounds->bound[b] = bound;
    }
}

typedef struct band_row {
    double count, weight, needed;
} band_row;

static size_t round_up(size_t n) {
    return (n + KERNEL_STEP - 1) / KERNEL_STEP * KERNEL_STEP;
}

/* Sets the band of one row, around the crossing; returns its end, 0 for none. */
static size_t set_band(const row_bands *bands, size_t r, crossing *cross,
                       const band_row *row) {
    if (crossing_bound(cross, row->count, row->weight) < row->needed) return 0;
    size_t begin = cross->at, end = begin;
    while (begin > 0 && cross->count[begin - 1] * row->weight >= row->needed)
        begin--;
    while (end < cross->n && row->count * cross->weight[end] >= row->needed)
        end++;
    bands->begin[r] = (uint32_t)(begin / KERNEL_STEP * KERNEL_STEP);
    bands->end[r] = (uint32_t)round_up(end);
    return end;
}

static bool words_bands(align_similarity *self, double wanted, const double *most,
                        row_bands *bands) {
    const words_state *state = self->state;
    const double *row_weight = row_weights(self) + self->row_begin + 1;
    const uint16_t *in_row = state->in_row + self->row_begin;
    crossing cross = {.count = state->column_count,
                      .weight = column_weights(self) + self->column_begin + 1,
                      .n = bands->n_columns};
    uint32_t row_count = 0;
    size_t n_rows = 0, last_column = 0;
    sum_columns(self, bands->n_columns);
    for (size_t r = 0; r < bands->n_rows; r++) {
        row_count += in_row[r];
        const band_row row = {row_count, row_weight[r], wanted - most[r]};
        bands->begin[r] = bands->end[r] = 0;
        if (row.count * row.weight < row.needed) continue;
        size_t end = set_band(bands, r, &cross, &row);
        if (end == 0) continue;
        if (end > last_column) last_column = end;
        n_rows = r + 1;
    }
    bands->n_rows = n_rows;
    size_t reached = round_up(last_column);
    if (reached < bands->n_columns) bands->n_columns = reached;
    return n_rows > 0;
}

static void words_ends(align_similarity *self, const kernel_layers *layers) {
    words_state *state = self->state;
    size_t row = self->row_begin + 1, column = self->column_begin + 1;
    kernel_words start = {
        .fresh = state->fresh + self->row_begin * self->stride + column,
        .fresh_stride = self->stride,
        .count = state->count,
        .row_weight = row_weights(self) + row,
        .column_weight = column_weights(self) + column,
    };
    kernel_layers shifted = *layers;
    shifted.next += row * layers->row_stride + column;
    self->kernels->words_ends(&start, &shifted);
}

static void words_row(align_similarity *self, size_t row_end) {
    words_state *state = self->state;
    const uint16_t *fresh = state->fresh + (row_end - 1) * self->stride;
    size_t first = self->column_begin + 1;
    if (row_end == self->row_begin + 1)
        memset(state->count, 0, self->stride * sizeof *state->count);
    for (size_t e = first; e <= self->n_units[1]; e++)
        state->count[e] = (uint16_t)(state->count[e] + fresh[e]);
    self->row_end = row_end;
}

static void words_scores(const align_similarity *self, double *score) {
    const words_state *state = self->state;
    double row = row_weights(self)[self->row_end];
    const double *column = column_weights(self);
    for (size_t e = self->column_begin + 1; e <= self->n_units[1]; e++)
        score[e] = (double)state->count[e] * (column[e] < row ? column[e] : row);
}

static const similarity_ops words_ops = {
    .name = "words",
    .part = words_part,
    .prepare = words_prepare,
    .first = words_first,
    .start = words_start,
    .wholes = words_wholes,
    .ends = words_ends,
    .bound_starts = words_bound_starts,
    .bands = words_bands,
    .row = words_row,
    .scores = words_scores,
};

/* -- made for a pair --------------------------------------------------------------- */

/* Keeps of a text's words those that `number` gives a number. */
static bool keep_common(const unit_words *text, const uint32_t *number, eh_arena *arena,
                        unit_words *common) {
    size_t n_units = text->n_units;
    uint32_t *begin = arena_zalloc(arena, n_units + 1, sizeof *begin);
    uint32_t *word = arena_alloc(arena, (text->begin[n_units] + 1) * sizeof *word);
    if (!begin || !word) return false;
    uint32_t n = 0;
    for (size_t u = 0; u < n_units; u++) {
        for (size_t k = text->begin[u]; k < text->begin[u + 1]; k++)
            if (number[text->word[k]]) word[n++] = number[text->word[k]] - 1;
        begin[u + 1] = n;
    }
    *common = (unit_words){.word = word, .begin = begin, .n_units = n_units};
    return true;
}

/* Numbers the words that both texts have, from 0. */
static eh_status find_common(words_state *state, eh_arena *arena, eh_error *err) {
    const pair_words *words = &state->words;
    uint32_t *number = arena_zalloc(arena, words->n_words + 1, sizeof *number);
    state->stamp = arena_zalloc(arena, words->n_words + 1, sizeof *state->stamp);
    if (!number || !state->stamp) return EH_NOMEM(err);
    const unit_words *text = words->text;
    for (size_t k = 0; k < text[0].begin[text[0].n_units]; k++)
        number[text[0].word[k]] = 1;
    for (size_t k = 0; k < text[1].begin[text[1].n_units]; k++)
        if (number[text[1].word[k]] == 1) number[text[1].word[k]] = 2;
    uint32_t n = 0;
    for (size_t w = 0; w < words->n_words; w++)
        number[w] = number[w] == 2 ? ++n : 0;
    state->n_common = n;
    for (int side = 0; side < 2; side++)
        if (!keep_common(&text[side], number, arena, &state->common[side]))
            return EH_NOMEM(err);
    return EH_STATUS_OK;
}

eh_status align_similarity_words(const align_pair *pair, eh_arena *arena,
                                 align_similarity **similarity, eh_error *err) {
    align_similarity *made =
        similarity_new(pair, &words_ops, sizeof(words_state), arena);
    if (!made) return EH_NOMEM(err);
    words_state *state = made->state;
    const align_units *units[2];
    align_pair_order(pair, units);
    EH_TRY(words_of_pair(units, arena, &state->words, err));
    EH_TRY(find_common(state, arena, err));
    made->too_large = state->n_common > MAX_COMMON_WORDS;
    *similarity = made;
    return EH_STATUS_OK;
}

/* -- what all similarities share --------------------------------------------------- */

align_similarity *similarity_new(const align_pair *pair, const similarity_ops *ops,
                                 size_t state_bytes, eh_arena *arena) {
    align_similarity *made = arena_zalloc(arena, 1, sizeof *made);
    void *state = arena_zalloc(arena, 1, state_bytes);
    if (!made || !state) return NULL;
    const align_units *units[2];
    align_pair_order(pair, units);
    *made = (align_similarity){.ops = ops,
                               .kernels = align_kernels_chosen(),
                               .n_units = {units[0]->n, units[1]->n},
                               .stride = units[1]->n + 1 + KERNEL_PAD,
                               .arena = arena,
                               .state = state};
    return made;
}
