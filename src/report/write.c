/* SPDX-License-Identifier: MIT
 *
 * Members, lines and cells.
 *
 *   "  label           text of a line of a block, to column 78"
 *   "name of a row     45.8   0.458     80"
 *
 * Numbers that are undefined come as NaN and are written as null or "-": no writer
 * prints a number over nothing. Names from outside (models, categories, judges) lose
 * the characters that would steer a terminal. Left out: the width of wide characters;
 * a column is a code point.
 */
#include "report/write.h"

#include <math.h>
#include <stdio.h>

#include "base/utf8.h"

void report_put_why(json_writer *w, const char *why) {
    if (why) json_put_cstr(w, "why", why);
}

double report_usd(int64_t nusd) {
    return nusd < 0 ? (double)NAN : (double)nusd / 1e9;
}

void report_label(eh_buf *out, const char *name) {
    buf_printf(out, "  %-*s", REPORT_LABEL_COLUMNS, name);
}

const char *report_percent(double share, char text[REPORT_PERCENT_MAX]) {
    if (isnan(share))
        (void)snprintf(text, REPORT_PERCENT_MAX, "-");
    else
        (void)snprintf(text, REPORT_PERCENT_MAX, "%.1f %%", 100 * share);
    return text;
}

void report_p_value(eh_buf *out, double p) {
    char digits[32];
    (void)snprintf(digits, sizeof digits, "%.4f", p);
    if (p < .0001)
        buf_add_cstr(out, "p < .0001");
    else if (p >= .99995)
        buf_add_cstr(out, "p = 1");
    else
        buf_printf(out, "p = %s", digits[0] == '0' ? digits + 1 : digits);
}

void report_column_percent(eh_buf *out, double share) {
    if (isnan(share))
        report_column_text(out, "-");
    else
        buf_printf(out, " %6.1f", 100 * share);
}

void report_column_decimal(eh_buf *out, double value) {
    if (isnan(value))
        report_column_text(out, "-");
    else
        buf_printf(out, " %6.3f", value);
}

void report_column_count(eh_buf *out, int64_t value) {
    buf_printf(out, " %6lld", (long long)value);
}

void report_column_text(eh_buf *out, const char *heading) {
    buf_printf(out, " %6s", heading);
}

/* C0, DEL and C1 (which is C2 80 to C2 9F in UTF-8) become a question mark. */
void report_foreign(eh_buf *out, eh_str name, size_t max_bytes) {
    eh_str s = utf8_cut(name, max_bytes);
    for (size_t i = 0; i < s.len; i++) {
        unsigned char c = (unsigned char)s.ptr[i];
        bool c1 = c == 0xC2 && i + 1 < s.len && (unsigned char)s.ptr[i + 1] < 0xA0;
        i += c1;
        buf_add_char(out, c < 0x20 || c == 0x7F || c1 ? '?' : s.ptr[i]);
    }
}

enum { NAME_BYTES = 400 };

void report_name(eh_buf *out, eh_str name, int columns) {
    int used = (int)utf8_count_cp(utf8_cut(name, NAME_BYTES));
    report_foreign(out, name, NAME_BYTES);
    if (used > columns) {
        buf_add_char(out, '\n');
        used = 0;
    }
    buf_printf(out, "%*s", columns - used, "");
}

int report_longest(int so_far, eh_str name) {
    int columns = (int)utf8_count_cp(utf8_cut(name, NAME_BYTES));
    return columns > so_far ? columns : so_far;
}

int report_name_columns(int longest, int cell_columns, int terminal_columns) {
    enum { LEAST = 12, ALONE = 2 };
    int room = terminal_columns - 1 - cell_columns;
    if (room < LEAST) return ALONE;
    if (longest < LEAST) return LEAST;
    return longest < room ? longest : room;
}

/* A blank at which a line may be broken: not inside "45.8 %" or "p = .02". */
static bool is_gap(eh_str line, size_t byte) {
    if (line.ptr[byte] != ' ' || byte == 0 || byte + 1 >= line.len) return false;
    char before = line.ptr[byte - 1], after = line.ptr[byte + 1];
    return before != '=' && before != '<' && after != '%' && after != '=' &&
           after != '<' && after != ' ';
}

/* Where to break: the last gap within `columns`, else the first one behind; the line's
 * length where there is none. */
static size_t break_at(eh_str line, int columns) {
    size_t last = 0, at = 0;
    for (int used = 0; at < line.len; used++) {
        size_t byte = at;
        (void)utf8_next(line, &at);
        if (!is_gap(line, byte)) continue;
        if (used > columns) return last ? last : byte;
        last = byte;
    }
    return last ? last : line.len;
}

static void fold_line(eh_str line, int columns, eh_buf *out) {
    int indent = eh_str_begins(line, EH_STR("  ")) ? 2 + REPORT_LABEL_COLUMNS : 0;
    size_t label = (size_t)indent < line.len ? (size_t)indent : line.len;
    buf_add(out, line.ptr, label);
    line = eh_str_slice(line, label, line.len);
    while ((int)utf8_count_cp(line) > columns - indent) {
        size_t end = break_at(line, columns - indent);
        if (end >= line.len) break;
        buf_add(out, line.ptr, end);
        buf_printf(out, "\n%*s", indent, "");
        line = eh_str_slice(line, end + 1, line.len);
    }
    buf_add_str(out, line);
}

void report_fold(eh_str text, int terminal_columns, eh_buf *out) {
    eh_str rest = text, line;
    if (terminal_columns == 0) terminal_columns = REPORT_COLUMNS_DEFAULT;
    while (eh_str_split(&rest, '\n', &line)) {
        fold_line(line, terminal_columns - 1, out);
        if (rest.ptr) buf_add_char(out, '\n');
    }
}
