/* SPDX-License-Identifier: MIT
 *
 * The CSV reader. Lines are joined while a quoted cell is open, then cut into cells:
 *
 *   id;question;answer_1       delimiter: the one of , ; TAB under which most names of
 *   7;"a ""b"";                the header are ours (Excel writes ; where the comma is
 *   second line";x             the decimal mark), or what a line "sep=;" says
 *
 *   record  7;"a ""b"";\nsecond line";x      ends of cells, unquoted in place:
 *           7a "b";\nsecond linex            1, 18, 19
 *
 * A quotation mark opens a quoted cell only as its first byte; elsewhere it is text.
 * Bytes inside a cell are kept as they are, spaces and line ends too. Lines without any
 * text in them (Excel appends rows of delimiters) are skipped.
 *
 * Why not libcsv, the one C library that Debian has: it strips spaces round cells,
 * takes a lone CR for the end of a row and does not say where a row began, while
 * answers must arrive byte for byte and faults must name their line.
 */
#include "dataset/csv.h"

#include <ctype.h>
#include <stdio.h>

#include "base/utf8.h"
#include "dataset/tree.h"

enum {
    HEADER_MAX_BYTES = 1 << 20, /* of a header, to tell the delimiter */
    NAMES_MAX_BYTES = 16 << 20,
    ENDS_MAX_BYTES = 64 << 20,
    SPREADSHEET_MAX_UNITS = 32767 /* UTF-16 units in a cell of Excel */
};

void csv_init(csv_reader *csv, line_reader *lines, const field_table *table,
              fault_log *log, size_t max_record_bytes) {
    *csv = (csv_reader){.lines = lines, .table = table, .log = log};
    buf_init(&csv->record, max_record_bytes);
    buf_init(&csv->ends, ENDS_MAX_BYTES);
    arena_init(&csv->names, NAMES_MAX_BYTES);
}

void csv_deinit(csv_reader *csv) {
    buf_deinit(&csv->record);
    buf_deinit(&csv->ends);
    arena_deinit(&csv->names);
}

/* Whether a quoted cell is open behind this line. */
static bool is_open_behind(eh_str line, char delimiter, bool is_open) {
    bool at_cell_start = !is_open;
    for (size_t i = 0; i < line.len; i++) {
        char c = line.ptr[i];
        bool doubled =
            is_open && c == '"' && i + 1 < line.len && line.ptr[i + 1] == '"';
        if (doubled)
            i++;
        else if (is_open)
            is_open = c != '"';
        else
            is_open = at_cell_start && c == '"';
        at_cell_start = !is_open && c == delimiter;
    }
    return is_open;
}

/* Unquotes one cell from *in on, writes it at *out, and leaves *in at the delimiter or
 * the end. False when text follows a closing quotation mark. */
static bool cut_cell(char *text, size_t len, char delimiter, size_t *in, size_t *out) {
    size_t i = *in, o = *out;
    bool quoted = i < len && text[i] == '"', closed = false;
    if (quoted) i++;
    while (quoted && !closed && i < len) {
        bool doubled = text[i] == '"' && i + 1 < len && text[i + 1] == '"';
        closed = text[i] == '"' && !doubled;
        if (!closed) text[o++] = text[i];
        i += doubled ? 2 : 1;
    }
    bool tidy = !closed || i == len || text[i] == delimiter;
    while (i < len && text[i] != delimiter)
        text[o++] = text[i++];
    *in = i;
    *out = o;
    return tidy;
}

/* Cuts the record into cells; `ends` is filled. */
static bool cut_record(eh_buf *record, char delimiter, eh_buf *ends) {
    size_t in = 0, out = 0;
    bool tidy = true, more = true;
    buf_reset(ends);
    while (more) {
        tidy = cut_cell(record->ptr, record->len, delimiter, &in, &out) && tidy;
        buf_add(ends, &out, sizeof out);
        more = in < record->len;
        in++; /* over the delimiter */
    }
    return tidy;
}

static size_t n_cells(const eh_buf *ends) {
    return ends->len / sizeof(size_t);
}

static eh_str cell(const eh_buf *record, const eh_buf *ends, size_t i) {
    const size_t *at = (const void *)ends->ptr;
    size_t begin = i ? at[i - 1] : 0;
    return (eh_str){record->ptr + begin, at[i] - begin};
}

/* How many cells of the line are names that we know; *n gets the number of cells. */
static eh_status count_known(csv_reader *csv, eh_str line, char delimiter,
                             size_t *n_known, size_t *n, eh_error *err) {
    size_t max = csv->record.max_bytes < HEADER_MAX_BYTES ? csv->record.max_bytes
                                                          : HEADER_MAX_BYTES;
    buf_reset(&csv->record);
    buf_add_str(&csv->record, utf8_cut(line, max));
    (void)cut_record(&csv->record, delimiter, &csv->ends);
    if (csv->record.failed || csv->ends.failed) return EH_NOMEM(err);
    *n = n_cells(&csv->ends);
    *n_known = 0;
    for (size_t i = 0; i < *n; i++)
        *n_known +=
            fields_know(csv->table, eh_str_trim(cell(&csv->record, &csv->ends, i)));
    return EH_STATUS_OK;
}

/* Ties go to the delimiter that gives more cells, then to the comma. */
static eh_status detect_delimiter(csv_reader *csv, eh_str line, char *delimiter,
                                  size_t *n_known, eh_error *err) {
    static const char candidates[] = {',', ';', '\t'};
    size_t best_n = 0;
    *delimiter = candidates[0];
    *n_known = 0;
    for (size_t i = 0; i < sizeof candidates; i++) {
        size_t n = 0, known = 0;
        EH_TRY(count_known(csv, line, candidates[i], &known, &n, err));
        if (known < *n_known || (known == *n_known && n <= best_n)) continue;
        *delimiter = candidates[i];
        best_n = n;
        *n_known = known;
    }
    return EH_STATUS_OK;
}

/* The delimiter that Excel's own first line names, or 0. */
static char named_delimiter(eh_str line) {
    bool is_sep = line.len == 5 && tolower((unsigned char)line.ptr[0]) == 's' &&
                  tolower((unsigned char)line.ptr[1]) == 'e' &&
                  tolower((unsigned char)line.ptr[2]) == 'p' && line.ptr[3] == '=';
    if (!is_sep || line.ptr[4] == '"') return '\0';
    return line.ptr[4];
}

eh_status csv_is_header(csv_reader *csv, eh_str line, bool *is_header, eh_error *err) {
    size_t n_known = 0;
    char delimiter = named_delimiter(line);
    if (!delimiter) EH_TRY(detect_delimiter(csv, line, &delimiter, &n_known, err));
    *is_header = n_known > 0 || named_delimiter(line);
    return EH_STATUS_OK;
}

static void refuse(csv_reader *csv, dataset_fault_kind kind, int64_t line,
                   const char *detail) {
    dataset_fault fault = fault_at(kind, line);
    fault.detail = eh_str_of(detail);
    fault_report(csv->log, fault);
}

/* Joins lines to a record. *is_open: the file ended inside a quoted cell. */
static eh_status join_lines(csv_reader *csv, const text_line *first, bool *is_open,
                            bool *too_long, eh_error *err) {
    text_line line = *first;
    bool more = true;
    eh_str line_end = EH_STR("");
    buf_reset(&csv->record);
    *is_open = false;
    while (more) {
        *too_long = *too_long || line.too_long;
        buf_add_str(&csv->record, line_end);
        buf_add_str(&csv->record, line.text);
        *is_open = is_open_behind(line.text, csv->delimiter, *is_open);
        line_end = line.end;
        if (!*is_open) break;
        EH_TRY(lines_next(csv->lines, &line, &more, err));
    }
    if (csv->record.failed && !csv->record.too_big) return EH_NOMEM(err);
    *too_long = *too_long || csv->record.failed;
    return EH_STATUS_OK;
}

/* Bad bytes are reported with the line they stand in, counted from the record's. */
static bool check_utf8(csv_reader *csv, int64_t record_line) {
    eh_str bytes = buf_view(&csv->record);
    size_t bad = utf8_first_invalid(bytes);
    if (bad == SIZE_MAX) return true;
    size_t line_begin = 0;
    for (size_t i = 0; i < bad; i++) {
        if (bytes.ptr[i] != '\n') continue;
        record_line++;
        line_begin = i + 1;
    }
    dataset_fault fault = fault_at(DATASET_FAULT_INVALID_UTF8, record_line);
    fault.byte = (int64_t)(bad - line_begin);
    fault_report(csv->log, fault);
    return false;
}

/* Reads the next record that has text in it. *is_good: it is cut into cells. */
static eh_status next_record(csv_reader *csv, int64_t *record_line, bool *is_good,
                             bool *more, eh_error *err) {
    text_line line;
    do {
        EH_TRY(lines_next(csv->lines, &line, more, err));
        if (!*more) return EH_STATUS_OK;
    } while (!line.too_long && eh_str_is_blank(line.text));
    if (csv->delimiter == 0) {
        size_t n_known;
        csv->delimiter = named_delimiter(line.text);
        if (csv->delimiter) return next_record(csv, record_line, is_good, more, err);
        EH_TRY(detect_delimiter(csv, line.text, &csv->delimiter, &n_known, err));
    }
    *record_line = line.number;
    *is_good = false;
    bool is_open, too_long = false;
    EH_TRY(join_lines(csv, &line, &is_open, &too_long, err));
    if (too_long) {
        refuse(csv, DATASET_FAULT_BAD_CSV, *record_line, "the record is too long");
    } else if (is_open) {
        refuse(csv, DATASET_FAULT_BAD_CSV, *record_line,
               "the file ends inside a quoted cell");
    } else if (check_utf8(csv, *record_line)) {
        *is_good = cut_record(&csv->record, csv->delimiter, &csv->ends);
        if (csv->ends.failed) return EH_NOMEM(err);
        if (!*is_good)
            refuse(csv, DATASET_FAULT_BAD_CSV, *record_line,
                   "text after a closing quotation mark");
    }
    return EH_STATUS_OK;
}

/* Columns without a name (a data frame's index has none) get their number. */
static bool keep_columns(csv_reader *csv) {
    csv->n_columns = n_cells(&csv->ends);
    csv->columns = arena_zalloc(&csv->names, csv->n_columns, sizeof *csv->columns);
    if (!csv->columns) return false;
    for (size_t i = 0; i < csv->n_columns; i++) {
        eh_str name = eh_str_trim(cell(&csv->record, &csv->ends, i));
        char number[32];
        (void)snprintf(number, sizeof number, "column %zu", i + 1);
        if (name.len == 0) name = eh_str_of(number);
        if (!arena_copy(&csv->names, name, &csv->columns[i])) return false;
    }
    return true;
}

static bool check_columns(csv_reader *csv) {
    json_value *header = arena_zalloc(&csv->names, csv->n_columns + 1, sizeof *header);
    if (!header) return false;
    *header =
        (json_value){.kind = JSON_OBJECT, .n = csv->n_columns, .child = header + 1};
    for (size_t i = 0; i < csv->n_columns; i++)
        header[1 + i] =
            (json_value){.kind = JSON_NULL,
                         .key = csv->columns[i],
                         .next = i + 1 < csv->n_columns ? header + 2 + i : NULL};
    bool nomem = false;
    const json_value *twice = tree_duplicate_key(header, &csv->names, &nomem);
    if (!twice) return !nomem;
    dataset_fault fault = fault_at(DATASET_FAULT_DUPLICATE_KEY, csv->header_line);
    fault.field = twice->key;
    fault_report(csv->log, fault);
    csv->header_is_bad = true;
    return true;
}

static eh_status read_header(csv_reader *csv, bool *more, eh_error *err) {
    bool is_good;
    EH_TRY(next_record(csv, &csv->header_line, &is_good, more, err));
    csv->header_is_bad = *more && !is_good;
    if (!*more || !is_good) return EH_STATUS_OK;
    if (keep_columns(csv) && check_columns(csv)) return EH_STATUS_OK;
    return EH_FAIL(err, EH_STATUS_TOO_BIG, "%s: the CSV header is too large",
                   csv->log->file);
}

static bool is_all_empty(const csv_reader *csv) {
    for (size_t i = 0; i < n_cells(&csv->ends); i++)
        if (!eh_str_is_blank(cell(&csv->record, &csv->ends, i))) return false;
    return true;
}

/* Whether the cut record has as many cells as the header. */
static bool check_width(csv_reader *csv, int64_t line) {
    size_t n = n_cells(&csv->ends);
    if (n == csv->n_columns) return true;
    char detail[80];
    (void)snprintf(detail, sizeof detail, "%zu cells, but the header has %zu", n,
                   csv->n_columns);
    refuse(csv, DATASET_FAULT_WRONG_COLUMNS, line, detail);
    return false;
}

static bool is_cut_off(eh_str text) {
    if (text.len < SPREADSHEET_MAX_UNITS) return false;
    size_t n_units = utf8_count_cp(text);
    for (size_t i = 0; i < text.len; i++)
        n_units += (unsigned char)text.ptr[i] >= 0xF0;
    return n_units == SPREADSHEET_MAX_UNITS;
}

/* The object of the cut record; its strings stay in csv->record. */
static const json_value *make_object(const csv_reader *csv, eh_arena *arena,
                                     eh_str *cut_column) {
    json_value *object = arena_zalloc(arena, csv->n_columns + 1, sizeof *object);
    if (!object) return NULL;
    object->kind = JSON_OBJECT;
    const json_value **tail = &object->child;
    for (size_t i = 0; i < csv->n_columns; i++) {
        json_value *v = object + 1 + i;
        *v = (json_value){.kind = JSON_STRING,
                          .key = csv->columns[i],
                          .text = cell(&csv->record, &csv->ends, i)};
        if (is_cut_off(v->text)) *cut_column = v->key;
        *tail = v;
        tail = &v->next;
        object->n++;
    }
    return object;
}

eh_status csv_next(csv_reader *csv, json_reader *cells, eh_arena *arena,
                   dataset_row *out, bool *more, eh_error *err) {
    *out = (dataset_row){.cells = cells};
    *more = true;
    if (csv->delimiter == 0) EH_TRY(read_header(csv, more, err));
    while (*more && !out->object) {
        bool is_good;
        EH_TRY(next_record(csv, &out->line, &is_good, more, err));
        if (!*more || !is_good || csv->header_is_bad || is_all_empty(csv) ||
            !check_width(csv, out->line))
            continue;
        arena_reset(arena);
        out->object = make_object(csv, arena, &out->cut_column);
        if (!out->object) return row_nomem(csv->log, out, err);
        if (!csv->gave_row) out->header_line = csv->header_line;
        csv->gave_row = true;
    }
    return EH_STATUS_OK;
}
