/* SPDX-License-Identifier: MIT
 *
 * Members, lines and cells.
 *
 * Numbers that are undefined come as NaN and are written as null or "-": no writer
 * prints a number over nothing. Names from outside (models, categories, judges) lose
 * the characters that would steer a terminal. Left out: widths, which are the layout's
 * (layout.h).
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
    buf_printf(out, "  %-*s" LAYOUT_HANG, REPORT_LABEL_COLUMNS, name);
}

const char *report_percent(double share, char text[REPORT_PERCENT_MAX]) {
    if (isnan(share))
        (void)snprintf(text, REPORT_PERCENT_MAX, "-");
    else
        (void)snprintf(text, REPORT_PERCENT_MAX, "%.1f %%", 100 * share);
    return text;
}

enum { P_CHARS = 32 };

/* Four digits without the zero in front; returns `text`. */
static const char *p_digits(double p, char text[P_CHARS]) {
    (void)snprintf(text, P_CHARS, "%.4f", p);
    return p >= .99995 ? "1" : text[0] == '0' ? text + 1 : text;
}

void report_p_named(eh_buf *out, const char *name, double p) {
    char text[P_CHARS];
    if (p < .0001)
        buf_printf(out, "%s < .0001", name);
    else
        buf_printf(out, "%s = %s", name, p_digits(p, text));
}

void report_p_value(eh_buf *out, double p) {
    report_p_named(out, "p", p);
}

void report_cell_p(eh_buf *out, double p) {
    char text[P_CHARS];
    buf_printf(out, LAYOUT_CELL "%s", p < .0001 ? "< .0001" : p_digits(p, text));
}

void report_cell_percent(eh_buf *out, double share) {
    if (isnan(share))
        buf_add_cstr(out, LAYOUT_CELL "-");
    else
        buf_printf(out, LAYOUT_CELL "%.1f", 100 * share);
}

void report_cell_decimal(eh_buf *out, double value) {
    if (isnan(value))
        buf_add_cstr(out, LAYOUT_CELL "-");
    else
        buf_printf(out, LAYOUT_CELL "%.3f", value);
}

void report_cell_count(eh_buf *out, int64_t value) {
    buf_printf(out, LAYOUT_CELL "%lld", (long long)value);
}

void report_head(eh_buf *out, const char *names, const char *const *cells, size_t n) {
    buf_printf(out, LAYOUT_HEAD "%s", names);
    for (size_t i = 0; i < n; i++)
        buf_printf(out, LAYOUT_CELL "%s", cells[i]);
    buf_add_char(out, '\n');
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

void report_name(eh_buf *out, eh_str name) {
    report_foreign(out, name, NAME_BYTES);
}
