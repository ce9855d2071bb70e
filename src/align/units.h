/* SPDX-License-Identifier: MIT
 *
 * From a text to units, the steps between: blocks (Markdown), sentences of a block,
 * pieces of code. Private to align.
 *
 *   text -> blocks_read -> prose -> sentences_cut -> unit_list
 *                       -> code  -> code_cut      ->
 */
#ifndef EH_ALIGN_UNITS_H
#define EH_ALIGN_UNITS_H

#include "align/align.h"

/* Units in the making: where they begin. They are added in ascending order. */
typedef struct unit_list {
    eh_arena *arena;
    align_unit *unit; /* [n], end_byte still unset */
    size_t n, cap;
    uint32_t notes;
    bool failed; /* out of memory; sticky */
} unit_list;

/* A second unit at the same byte is ignored. */
void unit_list_add(unit_list *list, size_t begin_byte, align_unit_kind kind);

typedef enum block_kind {
    BLOCK_PROSE, /* a paragraph or the text of a list item */
    BLOCK_HEADING,
    BLOCK_TABLE,
    BLOCK_FENCE,
    BLOCK_INDENTED, /* code by indentation */
    BLOCK_RAW,      /* HTML that is not prose: scripts, styles, comments */
    BLOCK_RULE      /* a line between blocks */
} block_kind;

typedef struct align_block {
    uint32_t begin_byte; /* at the beginning of a line, before markers */
    uint32_t end_byte;   /* the next block's begin, or the text's end */
    uint32_t prose_byte; /* behind the markers of items and quotes */
    block_kind kind;
    uint8_t in_quote; /* "> " may stand at the beginning of its lines */
} align_block;

typedef struct align_blocks {
    const align_block *block; /* [n], tiling the text; none where all of it is blank */
    size_t n;
} align_blocks;

EH_MUST_USE eh_status blocks_read(eh_str text, eh_arena *arena, align_blocks *blocks,
                                  eh_error *err);

/* The sentences of prose blocks. Keeps ICU's iterator from block to block. */
typedef struct sentence_cutter sentence_cutter;

EH_MUST_USE eh_status sentence_cutter_new(eh_str lang, sentence_cutter **cutter,
                                          eh_error *err);
void sentence_cutter_free(sentence_cutter *cutter);

/* Adds where the sentences of `block` begin; the first begins where the block does. */
EH_MUST_USE eh_status sentences_cut(sentence_cutter *cutter, eh_str text,
                                    const align_block *block, unit_list *list,
                                    eh_error *err);

/* Adds where the pieces of a block of code begin; the first begins where the block
 * does. The fence lines belong to the first and the last piece. */
void code_cut(eh_str text, const align_block *block, unit_list *list);

/* The same for a text that is code as a whole; false, with nothing added, where it is
 * none. */
bool code_cut_answer(eh_str text, unit_list *list);

/* End of the line that begins at `begin_byte`, and the beginning of the next one. Lines
 * end with LF, CR or both. */
size_t line_end(eh_str text, size_t begin_byte, size_t *next_byte);

#endif
