/* SPDX-License-Identifier: MIT
 *
 * The layout of text for people. See layout.h for what comes in and what comes out.
 *
 * One pass over the lines; a table is measured when its headings come, by reading ahead
 * to the next headings. So nothing is held but the widths of one table.
 *
 * Left out: cells that are broken over several lines, and columns that are dropped. A
 * number in a block under its heading is easier to find than half a cell.
 */
#include "report/layout.h"

#include <unicode/uchar.h>

#include "base/utf8.h"
#include "report/write.h"

enum {
    CELLS_MAX = 24,  /* more are shown, unaligned */
    CELL_LEAST = 5,  /* columns of a cell where there is room */
    CELL_GAP = 2,    /* blanks before a cell; one will do between plain numbers */
    NAME_LEAST = 12, /* columns for names, below which they stand alone */
    TEXT_LEAST = 24, /* columns behind a label, below which the text stands under it */
    UNDER_LABEL = 4, /* where it stands then */
    WORD_MAX = 10    /* what is longer may stand on a line of its own */
};

/* ---- columns ---- */

int report_cp_columns(uint32_t cp) {
    if (cp < 0x300) return 1; /* nothing below is wide or combining */
    int8_t type = u_charType((UChar32)cp);
    if (type == U_NON_SPACING_MARK || type == U_ENCLOSING_MARK || type == U_FORMAT_CHAR)
        return 0;
    int width = u_getIntPropertyValue((UChar32)cp, UCHAR_EAST_ASIAN_WIDTH);
    return width == U_EA_WIDE || width == U_EA_FULLWIDTH ? 2 : 1;
}

int report_columns(eh_str text) {
    int columns = 0;
    for (size_t at = 0; at < text.len;)
        columns += report_cp_columns(utf8_next(text, &at));
    return columns;
}

static void put(eh_str text, eh_buf *out) {
    report_foreign(out, text, text.len);
}

static void put_blanks(int n, eh_buf *out) {
    buf_printf(out, "%*s", n > 0 ? n : 0, "");
}

static int leading_blanks(eh_str line) {
    int n = 0;
    while ((size_t)n < line.len && line.ptr[n] == ' ')
        n++;
    return n;
}

static eh_str without_end(eh_str line) {
    while (line.len && line.ptr[line.len - 1] == ' ')
        line.len--;
    return line;
}

/* ---- prose ---- */

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* Is there " to " of a range at `byte`, "39.2 to -51.1"? */
static bool is_range(eh_str line, size_t byte) {
    if (byte == 0 || byte + 4 >= line.len || memcmp(line.ptr + byte, " to ", 4) != 0)
        return false;
    char next = line.ptr[byte + 4];
    return is_digit(line.ptr[byte - 1]) &&
           (is_digit(next) || next == '-' || next == '+');
}

/* "to 3", of a range or a bin. */
static bool is_to(eh_str line, size_t byte) {
    return byte >= 2 && memcmp(line.ptr + byte - 2, "to", 2) == 0 &&
           (byte == 2 || line.ptr[byte - 3] == ' ') && is_digit(line.ptr[byte + 1]);
}

/* A blank at which a line may be broken: not inside "45.8 %", "95 %: 39.2 to 51.1",
 * "p = .02" or a bin, "to 2: 17/18". */
static bool is_gap(eh_str line, size_t byte) {
    if (line.ptr[byte] != ' ' || byte == 0 || byte + 1 >= line.len) return false;
    char before = line.ptr[byte - 1], after = line.ptr[byte + 1];
    if (is_range(line, byte) || (byte >= 3 && is_range(line, byte - 3))) return false;
    if (is_to(line, byte)) return false;
    char mark = before == ':' && byte >= 2 ? line.ptr[byte - 2] : '\0';
    if (mark == '%' || (is_digit(mark) && is_digit(after))) return false;
    return before != '=' && before != '<' && after != '%' && after != '=' &&
           after != '<' && after != ' ';
}

static bool has_gap(eh_str line) {
    for (size_t i = 0; i < line.len; i++)
        if (is_gap(line, i)) return true;
    return false;
}

/* Where to break: the last gap within `room`, else the first one behind; the line's
 * length where there is none. If a single word would be left for the last line, the
 * gap before, so that it has company. */
static size_t break_at(eh_str line, int room) {
    size_t last = 0, before = 0, at = 0;
    int used = 0, used_before = 0, used_last = 0;
    while (at < line.len) {
        size_t byte = at;
        int columns = report_cp_columns(utf8_next(line, &at));
        if (is_gap(line, byte)) {
            if (used > room && last == 0) return byte;
            if (used > room) break;
            before = last;
            used_before = used_last;
            last = byte;
            used_last = used;
        }
        used += columns;
    }
    if (last == 0) return line.len;
    eh_str rest = eh_str_slice(line, last + 1, line.len);
    bool alone = report_columns(rest) <= WORD_MAX && !has_gap(rest) &&
                 used_last - used_before + WORD_MAX <= room;
    return alone && before && used_before >= room / 2 ? before : last;
}

/* Text from column `indent` on, which is reached. A command that is broken goes on as a
 * shell wants it. */
static void put_prose(eh_str text, int indent, int room, eh_buf *out) {
    bool is_command = indent > 0 && eh_str_begins(text, EH_STR("evenhand "));
    int tail = is_command ? 2 : 0;
    int under = indent + tail;
    while (report_columns(text) > room - indent) {
        size_t end = break_at(text, room - indent - tail);
        if (end >= text.len) break;
        put(without_end(eh_str_slice(text, 0, end)), out);
        buf_add_cstr(out, is_command ? " \\\n" : "\n");
        put_blanks(under, out);
        indent = under;
        text = eh_str_slice(text, end + 1, text.len);
    }
    put(text, out);
}

static void put_line(eh_str line, int room, eh_buf *out) {
    if (room > LAYOUT_PROSE_COLUMNS) room = LAYOUT_PROSE_COLUMNS;
    const char *mark = memchr(line.ptr, LAYOUT_HANG[0], line.len);
    size_t label_len = mark ? (size_t)(mark - line.ptr) : (size_t)leading_blanks(line);
    eh_str label = eh_str_slice(line, 0, label_len);
    eh_str text = eh_str_slice(line, label_len + (mark != NULL), line.len);
    int indent = report_columns(label);
    if (indent > UNDER_LABEL && room - indent < TEXT_LEAST &&
        report_columns(text) > room - indent) {
        label = without_end(label);
        put(label, out);
        if (label.len) buf_add_char(out, '\n');
        indent = UNDER_LABEL;
        put_blanks(indent, out);
    } else {
        put(label, out);
    }
    put_prose(text, indent, room, out);
}

/* ---- tables ---- */

typedef struct table {
    eh_str head;          /* of the headings, without the mark */
    int n;                /* cells of a row, without the name */
    int width[CELLS_MAX]; /* of the widest, the heading among them */
    bool is_left[CELLS_MAX];
    int longest, indent;          /* of the names */
    int longest_head;             /* of the headings of cells */
    bool has_blanks;              /* in a cell */
    int word;                     /* the longest in the texts of the last column */
    int gap, least, name_columns; /* as it is shown */
    bool in_blocks;
} table;

static bool is_mark(char c) {
    return c == LAYOUT_CELL[0] || c == LAYOUT_LEFT[0];
}

/* Takes what stands before the next cell; false at the end of the line. */
static bool next_part(eh_str *rest, eh_str *part, bool *is_left) {
    if (!rest->ptr) return false;
    size_t begin = rest->len && is_mark(*rest->ptr), end = begin;
    *is_left = begin && *rest->ptr == LAYOUT_LEFT[0];
    while (end < rest->len && !is_mark(rest->ptr[end]))
        end++;
    *part = eh_str_slice(*rest, begin, end);
    *rest = end < rest->len ? eh_str_slice(*rest, end, rest->len) : (eh_str){NULL, 0};
    return true;
}

static bool is_row(eh_str line) {
    for (size_t i = 0; i < line.len; i++)
        if (is_mark(line.ptr[i])) return true;
    return false;
}

static bool is_head(eh_str line) {
    return line.len && line.ptr[0] == LAYOUT_HEAD[0];
}

/* The name of a row; `rest` is its cells, absent where there are none. */
static eh_str split_name(eh_str line, eh_str *rest) {
    eh_str name = {line.ptr, 0};
    while (name.len < line.len && !is_mark(line.ptr[name.len]))
        name.len++;
    *rest = name.len < line.len ? eh_str_slice(line, name.len, line.len)
                                : (eh_str){NULL, 0};
    return name;
}

static int longest_word(eh_str text) {
    int longest = 0;
    eh_str word;
    while (eh_str_split(&text, ' ', &word))
        longest = report_columns(word) > longest ? report_columns(word) : longest;
    return longest;
}

static void measure_row(table *t, eh_str line, bool is_heading) {
    eh_str rest, cell, name = split_name(line, &rest);
    bool left;
    int columns = report_columns(without_end(name));
    int indent = leading_blanks(name);
    if (columns > t->longest) t->longest = columns;
    if (!is_heading && columns && (t->indent < 0 || indent < t->indent))
        t->indent = indent;
    for (int i = 0; i < CELLS_MAX && next_part(&rest, &cell, &left); i++) {
        columns = report_columns(cell);
        if (columns > t->width[i]) t->width[i] = columns;
        if (is_heading && columns > t->longest_head) t->longest_head = columns;
        bool is_text = left && !rest.ptr; /* the last cell may be one */
        if (is_text && longest_word(cell) > t->word) t->word = longest_word(cell);
        if (!is_text && memchr(cell.ptr, ' ', cell.len)) t->has_blanks = true;
        t->is_left[i] = t->is_left[i] || left;
        if (i >= t->n) t->n = i + 1;
    }
}

/* A last column of texts, which can be broken. */
static bool is_text_column(const table *t, int i) {
    return i == t->n - 1 && t->is_left[i];
}

static int gap_of(const table *t, int i) {
    return t->is_left[i] ? CELL_GAP : t->gap;
}

/* Columns that a cell takes, without the blanks before it. */
static int cell_columns(const table *t, int i) {
    int width = t->width[i], text = t->word > TEXT_LEAST ? t->word : TEXT_LEAST;
    if (width && width < t->least && !t->is_left[i]) return t->least;
    return is_text_column(t, i) && width > text ? text : width;
}

/* All of them, with the blanks. */
static int cells_columns(const table *t) {
    int sum = 0;
    for (int i = 0; i < t->n; i++)
        if (t->width[i]) sum += gap_of(t, i) + cell_columns(t, i);
    return sum;
}

/* The ways of layout.h, in their order. */
static void choose(table *t, int room) {
    int alone = (t->indent > 0 ? t->indent : 0) + 2;
    int least_gap = t->has_blanks ? CELL_GAP : 1;
    t->gap = CELL_GAP;
    t->least = CELL_LEAST;
    t->name_columns = t->longest;
    if (t->longest + cells_columns(t) <= room) return;
    t->least = 0;
    for (t->gap = CELL_GAP; t->gap >= least_gap; t->gap--)
        if (t->longest + cells_columns(t) <= room) return;
    for (t->gap = CELL_GAP; t->gap >= least_gap; t->gap--) {
        int cells = cells_columns(t);
        t->name_columns = NAME_LEAST + cells <= room ? room - cells : alone;
        if (t->name_columns + cells <= room) return;
    }
    t->in_blocks = true;
}

/* `rest` is the text behind the headings. */
static table measure(eh_str head, eh_str rest, int room) {
    table t = {.head = head, .indent = -1};
    eh_str line;
    measure_row(&t, head, true);
    while (rest.ptr && !is_head(rest) && eh_str_split(&rest, '\n', &line))
        if (is_row(line)) measure_row(&t, line, false);
    choose(&t, room);
    return t;
}

/* The name of a row; one with lines of its own is broken as prose. */
static void put_name(eh_str name, bool is_long, int room, eh_buf *out) {
    int indent = leading_blanks(name);
    if (!is_long) {
        put(name, out);
        return;
    }
    put_blanks(indent, out);
    put_prose(eh_str_trim(name), indent, room, out);
}

/* Blanks at the end of a line are not written. */
static void put_row(const table *t, eh_str line, int room, eh_buf *out) {
    eh_str rest, cell, name = without_end(split_name(line, &rest));
    bool left, is_long = report_columns(name) > t->name_columns;
    int at = report_columns(name), column = t->name_columns;
    put_name(name, is_long, room, out);
    for (int i = 0; next_part(&rest, &cell, &left); i++) {
        bool is_known = i < t->n;
        int used = report_columns(cell), width = is_known ? cell_columns(t, i) : used;
        if (width == 0) continue; /* a column without anything in it */
        column += is_known ? gap_of(t, i) : CELL_GAP;
        if (used > 0 && is_long) {
            buf_add_char(out, '\n');
            at = 0;
            is_long = false;
        }
        if (used > 0) {
            int from = left ? column : column + width - used;
            put_blanks(from - at, out);
            if (is_known && is_text_column(t, i))
                put_prose(cell, from, room, out);
            else
                put(cell, out);
            at = from + used;
        }
        column += width;
    }
}

/* "  heading  value" */
static void put_member(const table *t, int indent, eh_str heading, eh_str value,
                       int room, eh_buf *out) {
    int column = indent;
    buf_add_char(out, '\n');
    put_blanks(indent, out);
    if (heading.len) {
        put(heading, out);
        put_blanks(t->longest_head - report_columns(heading) + CELL_GAP, out);
        column += t->longest_head + CELL_GAP;
    }
    put_prose(value, column, room, out);
}

static void put_block(const table *t, eh_str line, int room, eh_buf *out) {
    eh_str cells, cell, headings, heading = {NULL, 0};
    eh_str name = eh_str_trim(split_name(line, &cells));
    int indent = t->indent > 0 ? t->indent : 0;
    bool left;
    (void)split_name(t->head, &headings);
    put_blanks(indent, out);
    put_prose(name, indent, room, out);
    indent += 2;
    while (next_part(&cells, &cell, &left)) {
        if (!next_part(&headings, &heading, &left)) heading = (eh_str){NULL, 0};
        cell = eh_str_trim(cell);
        if (cell.len) put_member(t, indent, eh_str_trim(heading), cell, room, out);
    }
}

/* In blocks the headings stand beside the cells; what is said of the names stays. False
 * where nothing is left to say. */
static bool put_head(const table *t, int room, eh_buf *out) {
    eh_str rest;
    if (!t->in_blocks && t->head.len) {
        put_row(t, t->head, room, out);
        return true;
    }
    eh_str name = without_end(split_name(t->head, &rest));
    if (name.len) put_line(name, room, out);
    return name.len > 0;
}

static void lay_out(eh_str text, int room, eh_buf *out) {
    table t;
    bool has_table = false;
    eh_str rest = text, line;
    while (eh_str_split(&rest, '\n', &line)) {
        bool said = true;
        if (is_head(line)) {
            t = measure(eh_str_slice(line, 1, line.len), rest, room);
            said = put_head(&t, room, out);
            has_table = true;
        } else if (!has_table || !is_row(line)) {
            put_line(line, room, out);
        } else if (t.in_blocks) {
            put_block(&t, line, room, out);
        } else {
            put_row(&t, line, room, out);
        }
        if (said && rest.ptr) buf_add_char(out, '\n');
    }
}

/* Names of files and words of the command line may hold any bytes. */
static void add_valid(eh_str text, eh_buf *out) {
    size_t bad;
    while ((bad = utf8_first_invalid(text)) != SIZE_MAX) {
        buf_add(out, text.ptr, bad);
        buf_add_char(out, '?');
        text = eh_str_slice(text, bad + 1, text.len);
    }
    buf_add_str(out, text);
}

void report_layout(eh_str text, int terminal_columns, eh_buf *out) {
    int room = (terminal_columns ? terminal_columns : LAYOUT_COLUMNS_DEFAULT) - 1;
    if (utf8_first_invalid(text) == SIZE_MAX) {
        lay_out(text, room, out);
        return;
    }
    eh_buf valid;
    buf_init(&valid, BUF_MAX_REPORT);
    add_valid(text, &valid);
    lay_out(buf_view(&valid), room, out);
    out->failed = out->failed || valid.failed;
    buf_deinit(&valid);
}
