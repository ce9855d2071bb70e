/* SPDX-License-Identifier: MIT
 *
 * Units and cuts of two answers.
 *
 * The first byte chooses options, the rest is one text up to the first NUL and another
 * behind it; bytes that are no UTF-8 become U+FFFD. Checked: units and parts tile their
 * texts, the exact cut is no worse than the length cut, and exchanging the answers
 * exchanges the cuts.
 */
#include <stdlib.h>
#include <string.h>

#include "align/align.h"
#include "base/buf.h"
#include "base/utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Longer texts add time and nothing else. */
enum { MAX_TEXT_BYTES = 4096, ARENA_MAX_BYTES = 256 << 20 };

static void must(bool holds) {
    if (!holds) abort();
}

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

static void check_units(const align_units *units) {
    size_t at = 0;
    for (size_t u = 0; u < units->n; u++) {
        must(units->unit[u].begin_byte == at && units->unit[u].end_byte > at);
        at = units->unit[u].end_byte;
    }
    must(at == units->text.len);
}

static void check_parts(const align_units *units, const size_t *begin, size_t n) {
    size_t n_bytes = 0;
    for (size_t t = 0; t < n; t++)
        n_bytes += align_part(units, begin, t).len;
    must(n_bytes == units->text.len);
}

static align_cut cut_of(const align_pair *pair, size_t parts, eh_arena *arena) {
    align_similarity *similarity;
    align_cut cut, length;
    must(align_similarity_words(pair, arena, &similarity, NULL) == EH_STATUS_OK);
    must(align_semantic_cut(pair, similarity, parts, arena, &cut, NULL) ==
         EH_STATUS_OK);
    must(align_length_cut(pair, similarity, parts, arena, &length, NULL) ==
         EH_STATUS_OK);
    must(cut.n_parts == length.n_parts && cut.sum >= length.sum - 1e-9);
    check_parts(pair->units_1, cut.begin_1, cut.n_parts);
    check_parts(pair->units_2, cut.begin_2, cut.n_parts);
    return cut;
}

static void check_pair(const align_pair *pair, size_t parts, eh_arena *arena) {
    const align_pair mirror = {pair->units_2, pair->units_1};
    align_cut cut = cut_of(pair, parts, arena), back = cut_of(&mirror, parts, arena);
    must(cut.n_parts == back.n_parts && cut.sum == back.sum);
    for (size_t t = 0; t <= cut.n_parts; t++)
        must(cut.begin_1[t] == back.begin_2[t] && cut.begin_2[t] == back.begin_1[t]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const langs[] = {NULL, "de", "el", "ja"};
    if (size == 0) return 0;
    align_options options = {.parts = data[0] & 7,
                             .lang = eh_str_of(langs[data[0] >> 3 & 3])};
    eh_str rest = {(const char *)data + 1, size - 1};
    if (rest.len > MAX_TEXT_BYTES) rest.len = MAX_TEXT_BYTES;
    const char *nul = rest.len ? memchr(rest.ptr, '\0', rest.len) : NULL;
    size_t first = nul ? (size_t)(nul - rest.ptr) : rest.len;
    size_t second = nul ? first + 1 : first;
    eh_str bytes[2] = {eh_str_slice(rest, 0, first),
                       eh_str_slice(rest, second, rest.len)};
    eh_arena arena;
    eh_buf text[2];
    align_units units[2];
    arena_init(&arena, ARENA_MAX_BYTES);
    for (int side = 0; side < 2; side++) {
        buf_init(&text[side], 4 * MAX_TEXT_BYTES);
        add_valid(&text[side], bytes[side]);
        must(align_units_of(buf_view(&text[side]), &options, &arena, &units[side],
                            NULL) == EH_STATUS_OK);
        check_units(&units[side]);
    }
    const align_pair pair = {&units[0], &units[1]};
    /* the exact cut of very many units is the benches' business */
    if (units[0].n * units[1].n < 3000) check_pair(&pair, options.parts, &arena);
    arena_deinit(&arena);
    buf_deinit(&text[0]);
    buf_deinit(&text[1]);
    return 0;
}
