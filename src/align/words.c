/* SPDX-License-Identifier: MIT
 *
 * Words of units: ICU's word iterator, NFKC case folding, numbers for words.
 *
 *   "Use 2 ﬁles, use 3."  ->  use 2 files use 3  ->  0 1 2 (0) 3
 *
 * What ICU's rules give no word class (punctuation, symbols, emoji, white space) is
 * dropped; numbers are kept. Chinese, Japanese, Thai and their like are parted by ICU's
 * dictionaries. Words of ASCII are folded here, since most are; all others by ICU.
 *
 * Numbers are handed out in order of appearance by a hash table (open addressing,
 * linear probing). The hash is SipHash, so that no text can be made to collide at will.
 *
 * The iterator runs over the whole text once and a word belongs to the unit in which it
 * begins. Left out: stop words and stemming, which would need the language.
 */
#include "align/words.h"

#include <sodium.h>
#include <unicode/ubrk.h>
#include <unicode/unorm2.h>
#include <unicode/ustring.h>

#include "base/buf.h"
#include "base/mem.h"

enum { FIRST_SLOTS = 1024 };

typedef struct table_entry {
    uint64_t hash;
    eh_str word; /* folded, in the arena */
} table_entry;

typedef struct word_table {
    eh_arena *arena;
    uint32_t
        *slot; /* [n_slots], index of an entry + 1, or 0; n_slots is a power of 2 */
    size_t n_slots;
    eh_buf entries; /* table_entry[] */
} word_table;

/* All that reading words needs; kept from text to text. */
typedef struct word_reader {
    UBreakIterator *icu;
    const UNormalizer2 *fold;
    word_table table;
    eh_buf folded;            /* UTF-8 */
    eh_buf wide, wide_folded; /* UTF-16 */
    eh_buf seen_in; /* uint32_t[n_words], unit + 1 in which a word was seen last */
} word_reader;

/* -- the table --------------------------------------------------------------------- */

static uint64_t hash_word(eh_str word) {
    static const unsigned char key[crypto_shorthash_KEYBYTES];
    unsigned char out[crypto_shorthash_BYTES];
    uint64_t hash;
    (void)crypto_shorthash(out, (const unsigned char *)word.ptr, word.len, key);
    memcpy(&hash, out, sizeof hash);
    return hash;
}

static size_t n_entries(const word_table *table) {
    return table->entries.len / sizeof(table_entry);
}

static bool table_grow(word_table *table) {
    size_t n_slots = table->n_slots ? table->n_slots * 2 : FIRST_SLOTS;
    uint32_t *slot = mem_zalloc(n_slots, sizeof *slot);
    if (!slot) return false;
    const table_entry *entry = (const table_entry *)(const void *)table->entries.ptr;
    for (size_t e = 0; e < n_entries(table); e++) {
        size_t at = entry[e].hash & (n_slots - 1);
        while (slot[at])
            at = (at + 1) & (n_slots - 1);
        slot[at] = (uint32_t)e + 1;
    }
    mem_free(table->slot);
    table->slot = slot;
    table->n_slots = n_slots;
    return true;
}

/* The number of a word, a new one where it was not there; false without memory. */
static bool table_find(word_table *table, eh_str word, uint32_t *number) {
    if (n_entries(table) * 2 >= table->n_slots && !table_grow(table)) return false;
    table_entry new_entry = {.hash = hash_word(word)};
    size_t at = new_entry.hash & (table->n_slots - 1);
    const table_entry *entry = (const table_entry *)(const void *)table->entries.ptr;
    for (; table->slot[at]; at = (at + 1) & (table->n_slots - 1)) {
        const table_entry *found = &entry[table->slot[at] - 1];
        if (found->hash != new_entry.hash || !eh_str_eq(found->word, word)) continue;
        *number = table->slot[at] - 1;
        return true;
    }
    if (!arena_copy(table->arena, word, &new_entry.word)) return false;
    *number = (uint32_t)n_entries(table);
    buf_add(&table->entries, &new_entry, sizeof new_entry);
    table->slot[at] = *number + 1;
    return !table->entries.failed;
}

/* -- folding ----------------------------------------------------------------------- */

static bool fold_ascii(word_reader *reader, eh_str word) {
    buf_reset(&reader->folded);
    if (!buf_reserve(&reader->folded, word.len)) return false;
    for (size_t i = 0; i < word.len; i++) {
        char c = word.ptr[i];
        if ((unsigned char)c >= 0x80) return false;
        if (c >= 'A' && c <= 'Z') c = (char)(c - 'A' + 'a');
        reader->folded.ptr[i] = c;
    }
    reader->folded.len = word.len;
    return true;
}

/* One compatibility character can become 18. Whoever has words of more than a kilobyte
 * (text without spaces, say) can do without folding them. */
enum { MAX_FOLDED_PER_UNIT = 18, MAX_FOLDED_WORD_BYTES = 1024 };

static eh_status fold_wide(word_reader *reader, eh_str word, eh_error *err) {
    UErrorCode status = U_ZERO_ERROR;
    size_t room = word.len * MAX_FOLDED_PER_UNIT + 1;
    buf_reset(&reader->wide);
    buf_reset(&reader->wide_folded);
    buf_reset(&reader->folded);
    if (word.len > MAX_FOLDED_WORD_BYTES) {
        buf_add_str(&reader->folded, word);
        return buf_check(&reader->folded, "a word", err);
    }
    if (!buf_reserve(&reader->wide, (word.len + 1) * sizeof(UChar)) ||
        !buf_reserve(&reader->wide_folded, room * sizeof(UChar)))
        return EH_NOMEM(err);
    UChar *wide = (UChar *)(void *)reader->wide.ptr;
    UChar *folded = (UChar *)(void *)reader->wide_folded.ptr;
    int32_t n = 0, n_bytes = 0;
    (void)u_strFromUTF8(wide, (int32_t)word.len + 1, &n, word.ptr, (int32_t)word.len,
                        &status);
    n = unorm2_normalize(reader->fold, wide, n, folded, (int32_t)room, &status);
    if (U_SUCCESS(status) && !buf_reserve(&reader->folded, (size_t)n * 3 + 1))
        return EH_NOMEM(err);
    (void)u_strToUTF8(reader->folded.ptr, (int32_t)n * 3 + 1, &n_bytes, folded, n,
                      &status);
    if (U_FAILURE(status))
        return EH_FAIL(err, EH_STATUS_CONFIG, "ICU: %s", u_errorName(status));
    reader->folded.len = (size_t)n_bytes;
    return EH_STATUS_OK;
}

/* -- a text ------------------------------------------------------------------------ */

/* Appends the number of `word` to `numbers`, unless the unit has it already. */
static eh_status add_word(word_reader *reader, eh_str word, uint32_t unit,
                          eh_buf *numbers, eh_error *err) {
    if (!fold_ascii(reader, word)) EH_TRY(fold_wide(reader, word, err));
    if (reader->folded.len == 0) return EH_STATUS_OK;
    uint32_t number;
    if (!table_find(&reader->table, buf_view(&reader->folded), &number))
        return EH_NOMEM(err);
    uint32_t never = 0;
    while (reader->seen_in.len <= number * sizeof never && !reader->seen_in.failed)
        buf_add(&reader->seen_in, &never, sizeof never);
    if (reader->seen_in.failed) return EH_NOMEM(err);
    uint32_t *seen_in = (uint32_t *)(void *)reader->seen_in.ptr;
    if (seen_in[number] == unit + 1) return EH_STATUS_OK;
    seen_in[number] = unit + 1;
    buf_add(numbers, &number, sizeof number);
    return buf_check(numbers, "the list of words", err);
}

/* The words of all units into `numbers`, and where each unit's begin. */
static eh_status read_units(word_reader *reader, const align_units *units,
                            eh_buf *numbers, uint32_t *begin, eh_error *err) {
    UErrorCode status = U_ZERO_ERROR;
    UText text = UTEXT_INITIALIZER;
    (void)utext_openUTF8(&text, units->text.ptr, (int64_t)units->text.len, &status);
    ubrk_setUText(reader->icu, &text, &status);
    eh_status result = EH_STATUS_OK;
    if (U_FAILURE(status))
        result = EH_FAIL(err, EH_STATUS_CONFIG, "ICU: %s", u_errorName(status));
    size_t unit = 0;
    size_t from = 0;
    int32_t to;
    while (result == EH_STATUS_OK && (to = ubrk_next(reader->icu)) != UBRK_DONE) {
        while (from >= units->unit[unit].end_byte)
            begin[++unit] = (uint32_t)(numbers->len / sizeof(uint32_t));
        if (ubrk_getRuleStatus(reader->icu) >= UBRK_WORD_NONE_LIMIT)
            result = add_word(reader, eh_str_slice(units->text, from, (size_t)to),
                              (uint32_t)unit, numbers, err);
        from = (size_t)to;
    }
    while (unit < units->n)
        begin[++unit] = (uint32_t)(numbers->len / sizeof(uint32_t));
    utext_close(&text);
    return result;
}

static eh_status read_text(word_reader *reader, const align_units *units,
                           eh_arena *arena, unit_words *words, eh_error *err) {
    uint32_t *begin = arena_zalloc(arena, units->n + 1, sizeof *begin);
    if (!begin) return EH_NOMEM(err);
    *words = (unit_words){.begin = begin, .n_units = units->n};
    if (units->n == 0) return EH_STATUS_OK;
    if (reader->seen_in.len) memset(reader->seen_in.ptr, 0, reader->seen_in.len);
    eh_buf numbers;
    buf_init(&numbers, (size_t)ALIGN_MAX_TEXT_BYTES * sizeof(uint32_t));
    eh_status status = read_units(reader, units, &numbers, begin, err);
    if (status == EH_STATUS_OK) {
        uint32_t *word = arena_alloc(arena, numbers.len);
        if (word && numbers.len) memcpy(word, numbers.ptr, numbers.len);
        words->word = word;
        if (!word) status = EH_NOMEM(err);
    }
    buf_deinit(&numbers);
    return status;
}

static void reader_deinit(word_reader *reader) {
    if (reader->icu) ubrk_close(reader->icu);
    mem_free(reader->table.slot);
    buf_deinit(&reader->table.entries);
    buf_deinit(&reader->folded);
    buf_deinit(&reader->wide);
    buf_deinit(&reader->wide_folded);
    buf_deinit(&reader->seen_in);
}

static eh_status reader_init(word_reader *reader, eh_arena *arena, eh_error *err) {
    const size_t max_bytes = (size_t)ALIGN_MAX_TEXT_BYTES * 64;
    *reader = (word_reader){.table.arena = arena};
    buf_init(&reader->table.entries, max_bytes);
    buf_init(&reader->folded, max_bytes);
    buf_init(&reader->wide, max_bytes);
    buf_init(&reader->wide_folded, max_bytes);
    buf_init(&reader->seen_in, max_bytes);
    UErrorCode status = U_ZERO_ERROR;
    reader->icu = ubrk_open(UBRK_WORD, "", NULL, 0, &status);
    reader->fold = unorm2_getNFKCCasefoldInstance(&status);
    if (U_SUCCESS(status)) return EH_STATUS_OK;
    return EH_FAIL(err, EH_STATUS_CONFIG, "ICU: %s", u_errorName(status));
}

eh_status words_of_pair(const align_units *const units[2], eh_arena *arena,
                        pair_words *words, eh_error *err) {
    *words = (pair_words){0};
    word_reader reader;
    eh_status status = reader_init(&reader, arena, err);
    for (int side = 0; side < 2 && status == EH_STATUS_OK; side++)
        status = read_text(&reader, units[side], arena, &words->text[side], err);
    words->n_words = n_entries(&reader.table);
    reader_deinit(&reader);
    return status;
}
