/* SPDX-License-Identifier: MIT
 *
 * Trying every cut of two texts into three parts, with bit sets: what the exact cut is
 * measured against, for the made-up texts of bench_align.c.
 *
 * The set of words of every range of units is made once, and a score is the number of
 * bits in the intersection of two of them. Two ways:
 *
 *   plain   every word is a bit, and each cut's three scores are computed
 *   tuned   only words that both texts have are bits, and the score of the first parts
 * is kept while the second cuts are tried
 */
#ifndef EH_BENCH_BRUTE_CUT_H
#define EH_BENCH_BRUTE_CUT_H

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum { BRUTE_WORDS = 1500, BRUTE_UNITS = 80, BRUTE_BITS = 64 };

/* Counting bits is one instruction where the processor has it; the build's default does
 * not use it. */
#if defined(__x86_64__)
#define BRUTE_POPCOUNT __attribute__((target("popcnt")))
#else
#define BRUTE_POPCOUNT
#endif

typedef struct brute {
    size_t n[2], n_blocks;
    uint64_t *set[2]; /* [begin][end][n_blocks], of numbered words */
    int *size[2];     /* [begin][end], of all words */
} brute;

static inline size_t brute_range(const brute *b, int side, size_t begin, size_t end) {
    return begin * (b->n[side] + 1) + end;
}

/* The number of the made-up word behind *at ("w17"), which goes behind it. */
static inline size_t brute_next_word(const char **at) {
    const char *w = strchr(*at, 'w');
    char *end;
    size_t word = (size_t)strtol(w + 1, &end, 10);
    *at = end;
    return word;
}

/* Numbers the words that get a bit. Returns how many they are. */
static inline size_t brute_number(const char *const text[2], const size_t n_words[2],
                                  bool tuned, int *number) {
    unsigned char in[BRUTE_WORDS] = {0};
    for (int side = 0; side < 2; side++) {
        const char *at = text[side];
        for (size_t k = 0; k < n_words[side]; k++)
            in[brute_next_word(&at)] |= (unsigned char)(1 << side);
    }
    int n = 0;
    for (size_t w = 0; w < BRUTE_WORDS; w++)
        number[w] = in[w] == 3 || (!tuned && in[w]) ? n++ : -1;
    return (size_t)n;
}

/* The ranges of one text, each from that which is a unit shorter. */
static inline void brute_ranges(brute *b, int side, const char *text,
                                size_t words_in_unit, const int *number) {
    size_t n = b->n[side], n_blocks = b->n_blocks;
    b->set[side] = mem_zalloc((n + 1) * (n + 1) * n_blocks, sizeof(uint64_t));
    b->size[side] = mem_zalloc((n + 1) * (n + 1), sizeof(int));
    const char *unit_at[BRUTE_UNITS + 1];
    unit_at[0] = text;
    for (size_t u = 0; u < n; u++) {
        unit_at[u + 1] = unit_at[u];
        for (size_t k = 0; k < words_in_unit; k++)
            (void)brute_next_word(&unit_at[u + 1]);
    }
    for (size_t begin = 0; begin < n; begin++) {
        unsigned char seen[BRUTE_WORDS] = {0};
        int size = 0;
        for (size_t end = begin + 1; end <= n; end++) {
            uint64_t *set = b->set[side] + brute_range(b, side, begin, end) * n_blocks;
            memcpy(set, set - n_blocks, n_blocks * sizeof *set);
            const char *at = unit_at[end - 1];
            for (size_t k = 0; k < words_in_unit; k++) {
                size_t word = brute_next_word(&at);
                size += !seen[word];
                seen[word] = 1;
                if (number[word] >= 0)
                    set[number[word] / BRUTE_BITS] |= (uint64_t)1
                                                      << number[word] % BRUTE_BITS;
            }
            b->size[side][brute_range(b, side, begin, end)] = size;
        }
    }
}

static inline void brute_init(brute *b, const char *const text[2], const size_t n[2],
                              size_t words_in_unit, bool tuned) {
    int number[BRUTE_WORDS];
    const size_t n_words[2] = {n[0] * words_in_unit, n[1] * words_in_unit};
    b->n_blocks = brute_number(text, n_words, tuned, number) / BRUTE_BITS + 1;
    for (int side = 0; side < 2; side++) {
        b->n[side] = n[side];
        brute_ranges(b, side, text[side], words_in_unit, number);
    }
}

static inline void brute_deinit(brute *b) {
    for (int side = 0; side < 2; side++) {
        mem_free(b->set[side]);
        mem_free(b->size[side]);
    }
}

BRUTE_POPCOUNT static inline double brute_score(const brute *b, size_t i, size_t e,
                                                size_t j, size_t f) {
    size_t range_x = brute_range(b, 0, i, e), range_y = brute_range(b, 1, j, f);
    const uint64_t *x = b->set[0] + range_x * b->n_blocks;
    const uint64_t *y = b->set[1] + range_y * b->n_blocks;
    int n_both = 0;
    for (size_t k = 0; k < b->n_blocks; k++)
        n_both += __builtin_popcountll(x[k] & y[k]);
    int n_x = b->size[0][range_x], n_y = b->size[1][range_y];
    int largest = n_x > n_y ? n_x : n_y;
    return largest ? (double)n_both / (double)largest : 0;
}

BRUTE_POPCOUNT static inline double brute_plain(const brute *b) {
    double best = -1;
    size_t n = b->n[0], m = b->n[1];
    for (size_t i = 1; i + 1 < n; i++)
        for (size_t e = i + 1; e < n; e++)
            for (size_t j = 1; j + 1 < m; j++)
                for (size_t f = j + 1; f < m; f++) {
                    double sum = brute_score(b, 0, i, 0, j) +
                                 brute_score(b, i, e, j, f) +
                                 brute_score(b, e, n, f, m);
                    if (sum > best) best = sum;
                }
    return best;
}

BRUTE_POPCOUNT static inline double brute_tuned(const brute *b) {
    double best = -1;
    size_t n = b->n[0], m = b->n[1];
    for (size_t i = 1; i + 1 < n; i++)
        for (size_t j = 1; j + 1 < m; j++) {
            double first = brute_score(b, 0, i, 0, j);
            for (size_t e = i + 1; e < n; e++)
                for (size_t f = j + 1; f < m; f++) {
                    double sum =
                        first + brute_score(b, i, e, j, f) + brute_score(b, e, n, f, m);
                    if (sum > best) best = sum;
                }
        }
    return best;
}

#endif
