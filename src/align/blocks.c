/* SPDX-License-Identifier: MIT
 *
 * Markdown blocks with byte spans, read by cmark-gfm.
 *
 * Only the block phase of the parser is used. It works line by line, and a unit begins
 * at the beginning of a line, so for each line we note what begins there and read the
 * blocks off these notes:
 *
 *   line  text               leaf     n_items   block
 *   0     # Setup            heading  0         heading, bytes 0..8
 *   1     - Install. Wait.   prose    1         prose
 *   2       - Use a cloth.   prose    1         prose
 *   3     (blank)            -        0         goes with the block before
 *
 * The inline phase and cmark_parser_finish are left out: they would add nothing to the
 * lines, and inline parsing has been quadratic on hostile texts. So the tree is looked
 * at while it grows, and whatever is closed is freed at once: memory is bounded by the
 * open blocks. Depth is bounded by what one line may open (see feed_line).
 *
 * Tables are found here in a paragraph's lines and not by the table extension: it makes
 * a node for every cell of every row, present or not, so that a wide header over many
 * short rows costs memory quadratic in the text.
 */
#include "align/units.h"

#include <cmark-gfm.h>
#include <cmark-gfm/node.h>
#include <cmark-gfm/parser.h>

#include "base/buf.h"

enum { LEAF_NONE = 0xFF, MAX_PREFIX_BYTES = 72, RULE_BYTES = 64 };

typedef struct line_note {
    uint32_t begin_byte;
    uint8_t leaf; /* block_kind of the leaf that begins here, or LEAF_NONE */
    uint8_t n_items;
    uint8_t in_quote;
} line_note;

typedef struct line_notes {
    line_note *line; /* [n + 1], the last one begins at the text's end */
    size_t n;
} line_notes;

size_t line_end(eh_str text, size_t begin_byte, size_t *next_byte) {
    size_t end = begin_byte;
    while (end < text.len && text.ptr[end] != '\n' && text.ptr[end] != '\r')
        end++;
    size_t next = end;
    if (next < text.len) next++;
    if (next < text.len && text.ptr[end] == '\r' && text.ptr[next] == '\n') next++;
    *next_byte = next;
    return end;
}

/* -- the tree, noted and freed as it grows ----------------------------------------- */

/* An open block knows the rule it began by: scripts, comments and the like (1 to 5) or
 * tags (6, 7), between which stands prose. One that is closed on its first line is of
 * the former; later, closing takes nothing back (see note_node). */
static uint8_t html_leaf_of(const cmark_node *node) {
    bool tags = (node->flags & CMARK_NODE__OPEN) && node->as.html_block_type > 5;
    return tags ? BLOCK_PROSE : BLOCK_RAW;
}

static uint8_t leaf_of(const cmark_node *node) {
    switch ((cmark_node_type)node->type) {
    case CMARK_NODE_HEADING: return BLOCK_HEADING;
    case CMARK_NODE_PARAGRAPH: return BLOCK_PROSE;
    case CMARK_NODE_THEMATIC_BREAK: return BLOCK_RULE;
    case CMARK_NODE_CODE_BLOCK:
        return node->as.code.fenced ? BLOCK_FENCE : BLOCK_INDENTED;
    case CMARK_NODE_HTML_BLOCK: return html_leaf_of(node);
    default: return LEAF_NONE;
    }
}

/* Notes one node; may be called again for a node that is still open. user_data marks
 * items that have been counted. */
static void note_node(line_notes *notes, cmark_node *node, bool in_quote) {
    if (node->start_line < 1 || (size_t)node->start_line > notes->n) return;
    line_note *line = &notes->line[node->start_line - 1];
    if (node->type == CMARK_NODE_ITEM && !node->user_data) {
        node->user_data = node;
        if (line->n_items < UINT8_MAX) line->n_items++;
    }
    uint8_t leaf = leaf_of(node);
    bool noted_html = node->type == CMARK_NODE_HTML_BLOCK && line->leaf != LEAF_NONE;
    if (leaf == LEAF_NONE || noted_html) return;
    line->leaf = leaf;
    line->in_quote = in_quote;
}

/* Notes a closed subtree. Depth is bounded, so recursion is. */
static void note_subtree(line_notes *notes, cmark_node *node, bool in_quote) {
    note_node(notes, node, in_quote);
    in_quote = in_quote || node->type == CMARK_NODE_BLOCK_QUOTE;
    for (cmark_node *child = node->first_child; child; child = child->next)
        note_subtree(notes, child, in_quote);
}

/* After a line: the open blocks are the last children from the root down. What stands
 * before them is closed, is noted a last time and freed. */
static void harvest(line_notes *notes, cmark_parser *parser) {
    bool in_quote = false;
    cmark_node *node = parser->root;
    while (node && node->last_child) {
        while (node->first_child != node->last_child) {
            cmark_node *closed = node->first_child;
            note_subtree(notes, closed, in_quote);
            cmark_node_free(closed);
        }
        node = node->last_child;
        note_node(notes, node, in_quote);
        in_quote = in_quote || node->type == CMARK_NODE_BLOCK_QUOTE;
    }
}

/* -- what the parser is shown ------------------------------------------------------ */

static bool is_prefix_char(char c) {
    return c == ' ' || c == '\t' || c == '>' || c == '-' || c == '+' || c == '*' ||
           c == '.' || c == ')' || (c >= '0' && c <= '9');
}

/* A rule or underline: one sign only, and blanks. */
static bool is_uniform(eh_str line) {
    char sign = 0;
    for (size_t i = 0; i < line.len; i++) {
        char c = line.ptr[i];
        if (c == ' ' || c == '\t') continue;
        if (sign && c != sign) return false;
        sign = c;
    }
    return sign == '-' || sign == '*';
}

/* Hands one line to the parser; one that would open very many levels, which none that
 * anybody wrote does, is shown as a plain word. */
static void feed_line(cmark_parser *parser, eh_buf *scratch, eh_str line) {
    size_t prefix = 0;
    while (prefix < line.len && is_prefix_char(line.ptr[prefix]))
        prefix++;
    if (prefix > MAX_PREFIX_BYTES) {
        if (eh_str_is_blank(line))
            line.len = 0;
        else if (is_uniform(line))
            line.len = RULE_BYTES;
        else
            line = EH_STR("x");
    }
    buf_reset(scratch);
    buf_add_str(scratch, line);
    buf_add_char(scratch, '\n');
    if (!scratch->failed) cmark_parser_feed(parser, scratch->ptr, scratch->len);
}

static eh_status index_lines(eh_str text, eh_arena *arena, line_notes *notes,
                             eh_error *err) {
    size_t n = 0;
    for (size_t at = 0; at < text.len; n++)
        (void)line_end(text, at, &at);
    notes->n = n;
    notes->line = arena_zalloc(arena, n + 1, sizeof *notes->line);
    if (!notes->line) return EH_NOMEM(err);
    size_t at = 0;
    for (size_t i = 0; i <= n; i++) {
        notes->line[i].begin_byte = (uint32_t)at;
        notes->line[i].leaf = LEAF_NONE;
        if (i < n) (void)line_end(text, at, &at);
    }
    return EH_STATUS_OK;
}

static eh_status note_lines(eh_str text, line_notes *notes, eh_error *err) {
    eh_buf scratch;
    buf_init(&scratch, ALIGN_MAX_TEXT_BYTES);
    cmark_parser *parser = cmark_parser_new(CMARK_OPT_DEFAULT);
    for (size_t i = 0; i < notes->n; i++) {
        size_t next;
        size_t begin = notes->line[i].begin_byte;
        size_t end = line_end(text, begin, &next);
        eh_str line = eh_str_slice(text, begin, end);
        feed_line(parser, &scratch, line);
        if (!eh_str_is_blank(line)) harvest(notes, parser); /* a blank one opens none */
    }
    note_subtree(notes, parser->root, false);
    cmark_parser_free(parser);
    eh_status status = buf_check(&scratch, "a line", err);
    buf_deinit(&scratch);
    return status;
}

/* -- tables and bullets inside a paragraph ----------------------------------------- */

static eh_str note_line(eh_str text, const line_notes *notes, size_t i) {
    return eh_str_slice(text, notes->line[i].begin_byte, notes->line[i + 1].begin_byte);
}

/* Number of cells of a table row, 0 where the line has no bar. Bars at the ends close
 * the outer cells; a bar behind a backslash is text. */
static size_t count_cells(eh_str row) {
    row = eh_str_trim(row);
    size_t n_bars = 0;
    for (size_t i = 0; i < row.len; i++)
        if (row.ptr[i] == '\\')
            i++;
        else if (row.ptr[i] == '|')
            n_bars++;
    if (n_bars == 0) return 0;
    size_t n_cells = n_bars + 1;
    if (row.ptr[0] == '|') n_cells--;
    if (row.len > 1 && row.ptr[row.len - 1] == '|' && row.ptr[row.len - 2] != '\\')
        n_cells--;
    return n_cells;
}

/* The line under a table's header: cells of dashes, with colons at their ends. */
static bool is_delimiter_row(eh_str row) {
    bool has_dash = false;
    for (size_t i = 0; i < row.len; i++) {
        char c = row.ptr[i];
        if (c != '-' && c != ':' && c != '|' && c != ' ' && c != '\t' && c != '\r' &&
            c != '\n')
            return false;
        has_dash = has_dash || c == '-';
    }
    return has_dash && count_cells(row) > 0;
}

static eh_str without_quote_marks(eh_str row) {
    while (row.len && (row.ptr[0] == ' ' || row.ptr[0] == '\t' || row.ptr[0] == '>'))
        row = eh_str_slice(row, 1, row.len);
    return row;
}

/* Does a table's header stand on line `i` of a paragraph that ends before `end`? The
 * markers of an item before a header end at its first bar. */
static bool is_table_begin(eh_str text, const line_notes *notes, size_t i, size_t end) {
    if (i + 1 >= end) return false;
    eh_str below = without_quote_marks(note_line(text, notes, i + 1));
    if (!is_delimiter_row(below)) return false;
    eh_str header = without_quote_marks(note_line(text, notes, i));
    size_t bar = eh_str_find(header, EH_STR("|"), 0);
    if (bar == SIZE_MAX) return false;
    if (notes->line[i].n_items && below.ptr[0] == '|')
        header = eh_str_slice(header, bar, header.len);
    return count_cells(header) == count_cells(below);
}

/* A bullet that Markdown does not know begins an item all the same. */
static bool is_bullet_line(eh_str line) {
    static const char *const bullets[] = {"•", "‣", "◦", "▪", "●", "○"};
    line = without_quote_marks(line);
    for (size_t i = 0; i < sizeof bullets / sizeof *bullets; i++)
        if (eh_str_begins(line, eh_str_of(bullets[i]))) return true;
    return false;
}

/* -- from notes to blocks ---------------------------------------------------------- */

typedef struct block_list {
    align_block *block;
    size_t n;
} block_list;

/* Behind the markers of the items that begin on this line ("1. - text"). */
static size_t skip_markers(eh_str text, const line_note *line, size_t end) {
    size_t at = line->begin_byte;
    for (size_t left = line->n_items;; left--) {
        while (at < end && (text.ptr[at] == ' ' || text.ptr[at] == '\t' ||
                            (text.ptr[at] == '>' && line->in_quote)))
            at++;
        if (left == 0 || at >= end) return at;
        while (at < end && text.ptr[at] >= '0' && text.ptr[at] <= '9')
            at++;
        if (at < end) at++;
    }
}

static void add_block(block_list *list, eh_str text, const line_note *line,
                      block_kind kind) {
    align_block *block = &list->block[list->n++];
    *block = (align_block){
        .begin_byte = line->begin_byte, .kind = kind, .in_quote = line->in_quote};
    size_t next;
    size_t end = line_end(text, line->begin_byte, &next);
    block->prose_byte = (uint32_t)skip_markers(text, line, end);
}

/* The lines of one paragraph, first .. end-1, with the tables and bullets in it. */
static void add_paragraph(block_list *list, eh_str text, const line_notes *notes,
                          size_t first, size_t end) {
    for (size_t i = first; i < end; i++) {
        line_note *line = &notes->line[i];
        line->in_quote = notes->line[first].in_quote;
        if (is_table_begin(text, notes, i, end)) {
            add_block(list, text, line, BLOCK_TABLE);
            return; /* a table ends where its paragraph would */
        }
        if (i == first || is_bullet_line(note_line(text, notes, i)))
            add_block(list, text, line, BLOCK_PROSE);
    }
}

/* An item's marker alone on its line takes what follows indented under it. */
static bool belongs_to_marker(eh_str text, const line_notes *notes, size_t i) {
    if (i == 0 || notes->line[i].n_items || !notes->line[i - 1].n_items ||
        notes->line[i - 1].leaf != LEAF_NONE)
        return false;
    char c = text.ptr[notes->line[i].begin_byte];
    return c == ' ' || c == '\t';
}

static void collect_blocks(eh_str text, const line_notes *notes, block_list *list) {
    size_t end;
    for (size_t i = 0; i < notes->n; i = end) {
        end = i + 1;
        while (end < notes->n && notes->line[end].leaf == LEAF_NONE &&
               notes->line[end].n_items == 0)
            end++;
        uint8_t leaf = notes->line[i].leaf;
        if (leaf == LEAF_NONE && notes->line[i].n_items == 0) continue;
        if (belongs_to_marker(text, notes, i)) {
            list->block[list->n - 1].kind = leaf;
        } else if (leaf == LEAF_NONE) {
            add_block(list, text, &notes->line[i], BLOCK_PROSE);
        } else if (leaf == BLOCK_PROSE) {
            add_paragraph(list, text, notes, i, end);
        } else {
            add_block(list, text, &notes->line[i], (block_kind)leaf);
        }
    }
}

/* Blank lines before the first block go to it, all others to the block before. */
static void close_blocks(eh_str text, block_list *list) {
    for (size_t b = 0; b < list->n; b++)
        list->block[b].end_byte =
            b + 1 < list->n ? list->block[b + 1].begin_byte : (uint32_t)text.len;
    if (list->n) list->block[0].begin_byte = 0;
}

/* No more blocks than this: a paragraph can hold a table, each bullet begins one. */
static size_t count_blocks(eh_str text, const line_notes *notes) {
    size_t n = 1;
    for (size_t i = 0; i < notes->n; i++) {
        const line_note *line = &notes->line[i];
        if (line->leaf != LEAF_NONE || line->n_items)
            n += 2;
        else if (is_bullet_line(note_line(text, notes, i)))
            n++;
    }
    return n;
}

eh_status blocks_read(eh_str text, eh_arena *arena, align_blocks *blocks,
                      eh_error *err) {
    line_notes notes;
    EH_TRY(index_lines(text, arena, &notes, err));
    EH_TRY(note_lines(text, &notes, err));
    block_list list = {
        .block = arena_zalloc(arena, count_blocks(text, &notes), sizeof *list.block)};
    if (!list.block) return EH_NOMEM(err);
    collect_blocks(text, &notes, &list);
    close_blocks(text, &list);
    *blocks = (align_blocks){.block = list.block, .n = list.n};
    return EH_STATUS_OK;
}
