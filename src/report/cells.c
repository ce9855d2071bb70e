/* SPDX-License-Identifier: MIT
 *
 * Writing rows of cells.
 *
 * CSV is RFC 4180 with LF as the line end, UTF-8 without a mark, a comma between cells:
 * what pandas, DuckDB and R read without options. An empty text is written as "" and a
 * null as nothing, which readers that care can tell apart.
 */
#include "report/cells.h"

#include <math.h>
#include <string.h>

#include "base/json_write.h"

report_cell report_text_cell(const char *name, eh_str text) {
    return (report_cell){.name = name, .kind = REPORT_CELL_TEXT, .text = text};
}

report_cell report_json_cell(const char *name, eh_str json) {
    return (report_cell){.name = name, .kind = REPORT_CELL_JSON, .text = json};
}

report_cell report_i64_cell(const char *name, int64_t value) {
    return (report_cell){.name = name, .kind = REPORT_CELL_I64, .i64 = value};
}

report_cell report_f64_cell(const char *name, double value) {
    return (report_cell){
        .name = name, .kind = REPORT_CELL_F64, .f64 = value, .is_null = isnan(value)};
}

report_cell report_bool_cell(const char *name, bool value, bool is_null) {
    return (report_cell){
        .name = name, .kind = REPORT_CELL_BOOL, .boolean = value, .is_null = is_null};
}

static bool is_null(const report_cell *c) {
    bool text = c->kind == REPORT_CELL_TEXT || c->kind == REPORT_CELL_JSON;
    return c->is_null || (text && eh_str_is_absent(c->text));
}

/* Quotes where RFC 4180 asks for it. */
void report_csv_text(eh_str s, eh_buf *out) {
    bool plain = s.len > 0;
    for (size_t i = 0; i < s.len && plain; i++)
        plain = !strchr(",\"\r\n", s.ptr[i]) || s.ptr[i] == '\0';
    if (plain) {
        buf_add_str(out, s);
        return;
    }
    buf_add_char(out, '"');
    for (size_t i = 0; i < s.len; i++) {
        if (s.ptr[i] == '"') buf_add_char(out, '"');
        buf_add_char(out, s.ptr[i]);
    }
    buf_add_char(out, '"');
}

static void json_cell(json_writer *w, const report_cell *c) {
    if (is_null(c) && c->if_there) return;
    json_key(w, c->name);
    if (is_null(c)) {
        json_null(w);
        return;
    }
    switch (c->kind) {
    case REPORT_CELL_TEXT: json_str(w, c->text); break;
    case REPORT_CELL_JSON: json_raw(w, c->text); break;
    case REPORT_CELL_I64: json_i64(w, c->i64); break;
    case REPORT_CELL_F64: json_f64(w, c->f64); break;
    case REPORT_CELL_BOOL: json_bool(w, c->boolean); break;
    }
}

static void csv_cell(eh_buf *out, const report_cell *c) {
    char number[32];
    if (is_null(c)) return;
    switch (c->kind) {
    case REPORT_CELL_TEXT:
    case REPORT_CELL_JSON: report_csv_text(c->text, out); break;
    case REPORT_CELL_I64: buf_printf(out, "%lld", (long long)c->i64); break;
    case REPORT_CELL_F64:
        json_f64_text(c->f64, number);
        buf_add_cstr(out, number);
        break;
    case REPORT_CELL_BOOL: buf_add_cstr(out, c->boolean ? "true" : "false"); break;
    }
}

void report_cells_head(report_format format, const report_cell *cells, size_t n,
                       eh_buf *out) {
    if (format != REPORT_FORMAT_CSV) return;
    for (size_t i = 0; i < n; i++)
        buf_printf(out, "%s%s", i ? "," : "", cells[i].name);
    buf_add_char(out, '\n');
}

void report_cells_row(report_format format, const report_cell *cells, size_t n,
                      eh_buf *out) {
    json_writer w;
    json_writer_init(&w, out, 0);
    if (format == REPORT_FORMAT_JSONL) json_object_begin(&w);
    for (size_t i = 0; i < n; i++) {
        if (format == REPORT_FORMAT_JSONL) {
            json_cell(&w, &cells[i]);
            continue;
        }
        if (i) buf_add_char(out, ',');
        csv_cell(out, &cells[i]);
    }
    if (format == REPORT_FORMAT_JSONL) json_object_end(&w);
    buf_add_char(out, '\n');
}
