/* SPDX-License-Identifier: MIT
 *
 * Tables and lines for the card's page, as JSON. An undefined number is the word for it
 * in a cell, and null beside a reason in a line.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "page/card_cells.h"

static double of_100(double share) {
    return 100 * share;
}

/* ---- tables ---- */

void page_table_begin(json_writer *w, const char *title, const char *note,
                      const char *const *head) {
    json_object_begin(w);
    json_put_cstr(w, "title", title);
    json_put_cstr(w, "note", note);
    json_key(w, "head");
    json_array_begin(w);
    for (; *head; head++)
        json_cstr(w, *head);
    json_array_end(w);
    json_key(w, "rows");
    json_array_begin(w);
}

void page_table_end(json_writer *w) {
    json_array_end(w);
    json_object_end(w);
}

void page_cell(json_writer *w, const char *format, ...) {
    char text[120];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    json_cstr(w, text);
}

void page_cell_share(json_writer *w, const stats_interval *r) {
    if (isnan(r->value))
        json_cstr(w, "undefined");
    else if (isnan(r->low)) /* one question alone */
        page_cell(w, "%.1f", of_100(r->value));
    else
        page_cell(w, "%.1f (%.1f to %.1f)", of_100(r->value), of_100(r->low),
                  of_100(r->high));
}

void page_cell_p(json_writer *w, double p) {
    if (isnan(p))
        json_cstr(w, "undefined");
    else
        page_cell(w, "%.2g", p);
}

/* ---- lines ---- */

void page_lines_begin(json_writer *w, eh_str title, const char *axis, double rule) {
    json_object_begin(w);
    json_put_str(w, "title", title);
    json_put_cstr(w, "axis", axis);
    json_put_f64(w, "rule", rule);
    json_key(w, "lines");
    json_array_begin(w);
}

void page_line_put(json_writer *w, const page_line *l) {
    json_object_begin(w);
    json_put_str(w, "name", l->name);
    json_put_cstr(w, "state", l->state ? audit_state_name(*l->state) : NULL);
    json_put_cstr(w, "state_text", l->state ? audit_state_text(*l->state) : NULL);
    card_put_interval(w, "rate", &l->rate);
    json_put_f64(w, "tick", l->tick);
    json_put_f64(w, "coin", l->coin);
    json_put_str(w, "words", l->words);
    json_put_str(w, "more", l->more);
    json_object_end(w);
}

void page_lines_end(json_writer *w, eh_str note) {
    json_array_end(w);
    json_put_str(w, "note", note);
    json_object_end(w);
}
