/* SPDX-License-Identifier: MIT
 *
 * From a text to units: blocks first, then what is inside them.
 *
 *   heading, table    one unit
 *   prose             a unit a sentence
 *   code              one unit; where it is longer than one part, its pieces
 *   rule, blank line  belongs to the unit before
 *
 * A text that is code as a whole is no Markdown (its comments would be headings) and is
 * cut into pieces whatever the number of parts.
 *
 * Only beginnings are collected; a unit ends where the next begins, and so they tile
 * the text whatever the rules do.
 */
#include "align/units.h"

#include <unicode/uversion.h>
#include <unicode/uchar.h>

#include "base/utf8.h"

static const struct {
    const char *name, *text;
} note_table[] = {
#define X(id, name, text) {name, text},
    ALIGN_NOTE_LIST(X)
#undef X
};

static const char *const kind_names[] = {
#define X(id, name) name,
    ALIGN_UNIT_LIST(X)
#undef X
};

const char *align_note_name(align_note note) {
    return (unsigned)note < ALIGN_NOTE_N ? note_table[note].name : NULL;
}

const char *align_note_text(align_note note) {
    return (unsigned)note < ALIGN_NOTE_N ? note_table[note].text : NULL;
}

const char *align_unit_kind_name(align_unit_kind kind) {
    return (unsigned)kind < ALIGN_UNIT_N ? kind_names[kind] : NULL;
}

const char *align_icu_version(void) {
    return U_ICU_VERSION;
}

void unit_list_add(unit_list *list, size_t begin_byte, align_unit_kind kind) {
    if (list->failed) return;
    if (list->n && list->unit[list->n - 1].begin_byte >= begin_byte) return;
    if (list->n == list->cap) {
        size_t cap = list->cap ? list->cap * 2 : 64;
        align_unit *unit = arena_alloc(list->arena, cap * sizeof *unit);
        if (!unit) {
            list->failed = true;
            return;
        }
        if (list->n) memcpy(unit, list->unit, list->n * sizeof *unit);
        list->unit = unit;
        list->cap = cap;
    }
    list->unit[list->n++] =
        (align_unit){.begin_byte = (uint32_t)begin_byte, .kind = kind};
}

/* Code of more code points than this is cut. */
static size_t max_whole_code_cp(eh_str text, const align_options *options) {
    return options->parts > 1 ? utf8_count_cp(text) / options->parts : SIZE_MAX;
}

static eh_status add_block_units(eh_str text, const align_block *block,
                                 size_t max_code_cp, sentence_cutter *cutter,
                                 unit_list *list, eh_error *err) {
    eh_str bytes = eh_str_slice(text, block->begin_byte, block->end_byte);
    switch (block->kind) {
    case BLOCK_PROSE: return sentences_cut(cutter, text, block, list, err);
    case BLOCK_HEADING:
        unit_list_add(list, block->begin_byte, ALIGN_UNIT_HEADING);
        break;
    case BLOCK_TABLE: unit_list_add(list, block->begin_byte, ALIGN_UNIT_TABLE); break;
    case BLOCK_FENCE:
    case BLOCK_INDENTED:
        if (utf8_count_cp(eh_str_trim(bytes)) > max_code_cp)
            code_cut(text, block, list);
        else
            unit_list_add(list, block->begin_byte, ALIGN_UNIT_CODE);
        break;
    case BLOCK_RAW: unit_list_add(list, block->begin_byte, ALIGN_UNIT_CODE); break;
    case BLOCK_RULE: break;
    }
    return EH_STATUS_OK;
}

static eh_status add_markdown_units(eh_str text, const align_options *options,
                                    unit_list *list, eh_error *err) {
    align_blocks blocks;
    EH_TRY(blocks_read(text, list->arena, &blocks, err));
    sentence_cutter *cutter;
    EH_TRY(sentence_cutter_new(options->lang, &cutter, err));
    eh_status status = EH_STATUS_OK;
    size_t max_code_cp = max_whole_code_cp(text, options);
    for (size_t b = 0; b < blocks.n && status == EH_STATUS_OK; b++)
        status =
            add_block_units(text, &blocks.block[b], max_code_cp, cutter, list, err);
    sentence_cutter_free(cutter);
    return status;
}

/* Whatever stands before the first unit belongs to it. */
static void close_units(eh_str text, unit_list *list, align_units *units) {
    if (list->n == 0) unit_list_add(list, 0, ALIGN_UNIT_SENTENCE);
    if (list->failed) return;
    list->unit[0].begin_byte = 0;
    for (size_t u = 0; u < list->n; u++)
        list->unit[u].end_byte =
            u + 1 < list->n ? list->unit[u + 1].begin_byte : (uint32_t)text.len;
    *units = (align_units){
        .text = text, .unit = list->unit, .n = list->n, .notes = list->notes};
}

eh_status align_units_of(eh_str text, const align_options *options, eh_arena *arena,
                         align_units *units, eh_error *err) {
    *units = (align_units){.text = text};
    if (text.len == 0) return EH_STATUS_OK;
    if (text.len > ALIGN_MAX_TEXT_BYTES)
        return EH_FAIL(err, EH_STATUS_TOO_BIG, "the text is larger than %d bytes",
                       ALIGN_MAX_TEXT_BYTES);
    size_t bad_byte = utf8_first_invalid(text);
    if (bad_byte != SIZE_MAX) {
        eh_status status =
            EH_FAIL(err, EH_STATUS_DATA, "byte %zu: not valid UTF-8", bad_byte);
        if (err) err->pos = (int64_t)bad_byte;
        return status;
    }
    unit_list list = {.arena = arena};
    if (!code_cut_answer(text, &list) && !list.failed)
        EH_TRY(add_markdown_units(text, options, &list, err));
    close_units(text, &list, units);
    return list.failed ? EH_NOMEM(err) : EH_STATUS_OK;
}

eh_str align_unit_text(const align_units *units, size_t index) {
    const align_unit *unit = &units->unit[index];
    return eh_str_trim(eh_str_slice(units->text, unit->begin_byte, unit->end_byte));
}

eh_str align_part(const align_units *units, const size_t *begin, size_t t) {
    if (units->n == 0) return eh_str_slice(EH_STR(""), 0, 0);
    size_t begin_byte =
        begin[t] < units->n ? units->unit[begin[t]].begin_byte : units->text.len;
    size_t end_byte = begin[t + 1] < units->n ? units->unit[begin[t + 1]].begin_byte
                                              : units->text.len;
    return eh_str_slice(units->text, begin_byte, end_byte);
}
