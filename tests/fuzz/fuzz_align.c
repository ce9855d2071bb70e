/* SPDX-License-Identifier: MIT
 *
 * Cuts of two answers into parts, by words and by vectors.
 *
 *   byte 0   1 to 16 parts; whether the texts are raw or made of the bytes
 *   byte 1   dimensions of the vectors
 *   byte 2   where their numbers come from
 *   rest     one text, NUL, the other
 *
 * Raw bytes are texts as they are (what is no UTF-8 becomes U+FFFD). Made texts are
 * lists: a byte is a word of a small vocabulary, or the end of an item, so that there
 * are many short units with much in common, and ties. Checked for the length cut, the
 * best cut and the number of parts that pairs choose: parts tile the texts and none is
 * empty; the best cut is no worse than the length cut, and on small pairs than any;
 * measuring it again gives the same; exchanging the answers exchanges the cuts.
 */
#include <stdlib.h>
#include <string.h>

#include "align/align.h"
#include "base/buf.h"
#include "base/utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
    MAX_TEXT_BYTES = 1024,
    MAX_DIMS = 9,
    MAX_UNITS_SQUARED = 700,
    ALL_CUTS_UNITS = 6, /* up to so many units a side every cut is tried */
    ARENA_MAX_BYTES = 256 << 20
};

typedef struct work {
    eh_arena arena;
    eh_buf text[2];
    align_units units[2];
    float *vectors[2];
    size_t n_dims;
} work;

static void must(bool holds) {
    if (!holds) abort();
}

/* ---- texts ---- */

static void add_valid(eh_buf *text, eh_str bytes) {
    while (bytes.len) {
        size_t bad = utf8_first_invalid(bytes);
        size_t good = bad < bytes.len ? bad : bytes.len;
        buf_add_str(text, eh_str_slice(bytes, 0, good));
        if (good == bytes.len) return;
        utf8_add(text, 0xFFFD);
        bytes = eh_str_slice(bytes, good + 1, bytes.len);
    }
}

static void add_list(eh_buf *text, eh_str bytes) {
    bool in_item = false;
    for (size_t i = 0; i < bytes.len; i++) {
        unsigned char b = (unsigned char)bytes.ptr[i];
        if (!in_item) buf_add_cstr(text, "-");
        in_item = (b & 3) != 0;
        buf_printf(text, " %c%c", 'a' + (b >> 2) % 20, 'a' + (b >> 2) % 3);
        if (!in_item) buf_add_cstr(text, "\n");
    }
}

/* Numbers that repeat, so that there are equal, opposite and zero vectors. */
static void make_vectors(work *w, int side, uint8_t source) {
    size_t n = w->units[side].n;
    w->vectors[side] = arena_alloc(&w->arena, (n * w->n_dims + 1) * sizeof(float));
    must(w->vectors[side] != NULL);
    for (size_t u = 0; u < n; u++)
        for (size_t d = 0; d < w->n_dims; d++) {
            const align_unit *unit = &w->units[side].unit[u];
            size_t length = unit->end_byte - unit->begin_byte;
            w->vectors[side][u * w->n_dims + d] =
                (float)((int)((length * 7 + d * source + u * (source >> 4)) % 5) - 2);
        }
}

static bool read_input(work *w, const uint8_t *data, size_t size, size_t *parts) {
    if (size < 4) return false;
    bool raw = data[0] & 0x80;
    align_options options = {.parts = *parts = 1 + (data[0] & 15)};
    eh_str rest = {(const char *)data + 3, size - 3};
    if (rest.len > MAX_TEXT_BYTES) rest.len = MAX_TEXT_BYTES;
    const char *nul = memchr(rest.ptr, '\0', rest.len);
    size_t first = nul ? (size_t)(nul - rest.ptr) : rest.len / 2;
    size_t second = nul ? first + 1 : first;
    eh_str bytes[2] = {eh_str_slice(rest, 0, first),
                       eh_str_slice(rest, second, rest.len)};
    w->n_dims = 1 + data[1] % MAX_DIMS;
    for (int side = 0; side < 2; side++) {
        (raw ? add_valid : add_list)(&w->text[side], bytes[side]);
        must(align_units_of(buf_view(&w->text[side]), &options, &w->arena,
                            &w->units[side], NULL) == EH_STATUS_OK);
        make_vectors(w, side, data[2]);
    }
    return w->units[0].n * w->units[1].n <= MAX_UNITS_SQUARED;
}

/* ---- cuts ---- */

static align_similarity *similarity_of(work *w, const align_pair *pair, bool mirror,
                                       bool by_words) {
    align_similarity *s = NULL;
    align_vectors v = {w->vectors[mirror], w->vectors[!mirror], w->n_dims};
    must((by_words ? align_similarity_words(pair, &w->arena, &s, NULL)
                   : align_similarity_vectors(pair, &v, &w->arena, &s, NULL)) ==
         EH_STATUS_OK);
    return s;
}

/* Parts join to the text, and none is empty but beside an empty text. */
static void check_tiling(const align_units *units, const size_t *begin, size_t n,
                         bool may_be_empty) {
    size_t at = 0;
    must(n == 0 || (begin[0] == 0 && begin[n] == units->n));
    for (size_t t = 0; t < n; t++) {
        eh_str part = align_part(units, begin, t);
        must(may_be_empty || begin[t] < begin[t + 1]);
        must(part.len == 0 || part.ptr == units->text.ptr + at);
        at += part.len;
    }
    must(at == units->text.len);
}

static void check_cut(const align_pair *pair, const align_cut *cut) {
    bool empty = pair->units_1->n == 0 || pair->units_2->n == 0;
    check_tiling(pair->units_1, cut->begin_1, cut->n_parts, empty);
    check_tiling(pair->units_2, cut->begin_2, cut->n_parts, empty);
}

/* Tries every cut of a small pair: row and column begins behind part t, and on. */
static void try_cuts(work *w, const align_pair *pair, const align_similarity *s,
                     align_cut *cut, size_t t, double best) {
    size_t *begin_1 = (size_t *)(uintptr_t)cut->begin_1;
    size_t *begin_2 = (size_t *)(uintptr_t)cut->begin_2;
    size_t left = cut->n_parts - t;
    if (left == 0) {
        align_cut tried = *cut;
        must(align_cut_measure(pair, s, &w->arena, &tried, NULL) == EH_STATUS_OK);
        must(tried.sum <= best + 1e-7);
        return;
    }
    for (size_t i = begin_1[t - 1] + 1; i + left <= pair->units_1->n; i++)
        for (size_t j = begin_2[t - 1] + 1; j + left <= pair->units_2->n; j++) {
            begin_1[t] = i;
            begin_2[t] = j;
            try_cuts(w, pair, s, cut, t + 1, best);
        }
}

static void check_against_all(work *w, const align_pair *pair,
                              const align_similarity *s, const align_cut *best) {
    size_t begin_1[ALL_CUTS_UNITS + 2] = {0}, begin_2[ALL_CUTS_UNITS + 2] = {0};
    if (pair->units_1->n > ALL_CUTS_UNITS || pair->units_2->n > ALL_CUTS_UNITS) return;
    if (best->n_parts == 0 || best->notes & 1u << ALIGN_NOTE_BIT_NOTHING_ALIKE) return;
    begin_1[best->n_parts] = pair->units_1->n;
    begin_2[best->n_parts] = pair->units_2->n;
    align_cut cut = {.n_parts = best->n_parts, .begin_1 = begin_1, .begin_2 = begin_2};
    try_cuts(w, pair, s, &cut, 1, best->sum);
}

static align_cut cut_of(work *w, bool mirror, bool by_words, size_t parts) {
    const align_pair pair = {&w->units[mirror], &w->units[!mirror]};
    align_similarity *s = similarity_of(w, &pair, mirror, by_words);
    align_cut cut, length, again;
    align_auto choice;
    must(align_length_cut(&pair, s, parts, &w->arena, &length, NULL) == EH_STATUS_OK);
    must(align_semantic_cut(&pair, s, parts, &w->arena, &cut, NULL) == EH_STATUS_OK);
    check_cut(&pair, &length);
    check_cut(&pair, &cut);
    must(cut.n_parts == length.n_parts && cut.n_parts <= parts);
    bool is_length = (cut.notes & 1u << ALIGN_NOTE_BIT_NOTHING_ALIKE) != 0;
    must(is_length || cut.sum >= length.sum - 1e-7);
    again = cut;
    must(align_cut_measure(&pair, s, &w->arena, &again, NULL) == EH_STATUS_OK);
    must(again.sum == cut.sum);
    check_against_all(w, &pair, s, &cut);
    must(align_choose_parts(&pair, s, &w->arena, &choice, NULL) == EH_STATUS_OK);
    must(choice.parts <= ALIGN_PARTS_AUTO_MAX);
    return cut;
}

static void check_mirror(work *w, bool by_words, size_t parts) {
    align_cut cut = cut_of(w, false, by_words, parts);
    align_cut back = cut_of(w, true, by_words, parts);
    must(cut.n_parts == back.n_parts);
    must(cut.sum == back.sum);
    for (size_t t = 0; t < cut.n_parts; t++)
        must(cut.begin_1[t] == back.begin_2[t] && cut.begin_2[t] == back.begin_1[t]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    work w = {.n_dims = 1};
    size_t parts;
    arena_init(&w.arena, ARENA_MAX_BYTES);
    buf_init(&w.text[0], 16 * MAX_TEXT_BYTES);
    buf_init(&w.text[1], 16 * MAX_TEXT_BYTES);
    if (read_input(&w, data, size, &parts)) {
        check_mirror(&w, true, parts);
        check_mirror(&w, false, parts);
    }
    arena_deinit(&w.arena);
    buf_deinit(&w.text[0]);
    buf_deinit(&w.text[1]);
    return 0;
}
