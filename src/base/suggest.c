/* SPDX-License-Identifier: MIT
 *
 * Nearness of words: the fewest single-letter insertions, deletions, replacements and
 * exchanges of neighbours that turn one into the other (Levenshtein's distance with
 * transpositions, in its restricted form), computed row by row:
 *
 *   row[i][j] = changes from the first i letters of `typed` to the first j of `word`
 *
 * Only three rows are needed. A word of which the typed one is the beginning counts as
 * one change, since abbreviations are a common guess.
 *
 * How far is still near grows with the length: one change for up to five letters, two
 * for up to eight, then three. Words are options and commands: ASCII and short; longer
 * ones than WORD_MAX are never near.
 */
#include "base/suggest.h"

enum { WORD_MAX = 40 };

static int min2(int a, int b) {
    return a < b ? a : b;
}

/* One row of the table from the two above it. */
static void distance_row(eh_str a, eh_str b, size_t i, int row[3][WORD_MAX + 1]) {
    const int *above2 = row[(i + 1) % 3], *above = row[(i + 2) % 3];
    int *now = row[i % 3];
    now[0] = (int)i;
    for (size_t j = 1; j <= b.len; j++) {
        int replaced = above[j - 1] + (a.ptr[i - 1] != b.ptr[j - 1]);
        now[j] = min2(replaced, min2(above[j], now[j - 1]) + 1);
        if (i > 1 && j > 1 && a.ptr[i - 1] == b.ptr[j - 2] &&
            a.ptr[i - 2] == b.ptr[j - 1])
            now[j] = min2(now[j], above2[j - 2] + 1);
    }
}

static int distance(eh_str a, eh_str b) {
    if (a.len > WORD_MAX || b.len > WORD_MAX) return WORD_MAX;
    int row[3][WORD_MAX + 1];
    for (size_t j = 0; j <= b.len; j++)
        row[0][j] = (int)j;
    for (size_t i = 1; i <= a.len; i++)
        distance_row(a, b, i, row);
    return row[a.len % 3][b.len];
}

suggest suggest_for(eh_str typed) {
    int max_changes = typed.len <= 5 ? 1 : typed.len <= 8 ? 2 : 3;
    return (suggest){.typed = typed, .max_changes = max_changes};
}

void suggest_offer(suggest *s, eh_str word) {
    int changes = distance(s->typed, word);
    if (s->typed.len >= 2 && eh_str_begins(word, s->typed)) changes = 1;
    if (s->typed.len < 2 || changes > s->max_changes) return;
    s->best = word;
    s->max_changes = changes - 1;
}
