/* SPDX-License-Identifier: MIT
 *
 * From bytes to rows.
 *
 *   JSONL  line -> blank? skipped -> JSON -> an object? -> each key once? -> the taker
 *   CSV    record -> as many cells as the header has? ----------------------> the taker
 *             every "no" is a fault with its line and, where known, its byte
 *
 * Which of the two it is says the file's name, or the first line that is not blank.
 *
 * A row with a key given twice is still handed out, marked as bad, so that its other
 * faults are found in the same pass.
 */
#include "dataset/rows.h"

#include <strings.h>

#include "dataset/csv.h"
#include "dataset/tree.h"

/* A tree takes up to 50 times the bytes of its text (`[1,1,1...`); ordinary rows take
 * about as much as the text. */
#define ROW_MAX_BYTES (4 * BUF_MAX_LINE)

typedef struct rows {
    const rows_options *options;
    fault_log *log;
    source *src;
    line_reader lines;
    csv_reader csv;
    json_reader *json;
    eh_arena arena;
    void *taker; /* of lines and rows */
    bool is_csv;
} rows;

static void report(rows *r, dataset_fault_kind kind, const text_line *line,
                   int64_t byte, const char *detail) {
    dataset_fault fault = fault_at(kind, line->number);
    fault.byte = byte;
    fault.detail = eh_str_of(detail);
    fault_report(r->log, fault);
}

/* What is wrong with a line that is no JSON value. */
static void report_json_fault(rows *r, const text_line *line, const json_fault *fault) {
    static const dataset_fault_kind kinds[] = {
        [JSON_FAULT_NONE] = DATASET_FAULT_BAD_JSON,
        [JSON_FAULT_EMPTY] = DATASET_FAULT_BAD_JSON,
        [JSON_FAULT_SYNTAX] = DATASET_FAULT_BAD_JSON,
        [JSON_FAULT_TRAILING] = DATASET_FAULT_TRAILING_DATA,
        [JSON_FAULT_INVALID_UTF8] = DATASET_FAULT_INVALID_UTF8,
        [JSON_FAULT_TOO_DEEP] = DATASET_FAULT_BAD_JSON,
        [JSON_FAULT_NOMEM] = DATASET_FAULT_BAD_JSON,
    };
    dataset_fault_kind kind = kinds[fault->kind];
    const char *detail = fault->message;
    if (eh_str_begins(line->text, EH_STR("\xEF\xBB\xBF")))
        detail = "a byte order mark inside the file";
    if (line->number == 1 && eh_str_begins(eh_str_trim(line->text), EH_STR("[")))
        detail = "one object a line is needed, not one list";
    if (fault->kind == JSON_FAULT_INVALID_UTF8) detail = NULL; /* its name says it */
    if (r->options->tail_may_be_cut && line->end.len == 0 &&
        fault->kind != JSON_FAULT_TRAILING)
        kind = DATASET_FAULT_CUT_LINE;
    report(r, kind, line, (int64_t)fault->byte, detail);
}

static eh_status check_keys(rows *r, dataset_row *out, eh_error *err) {
    bool nomem = false;
    const json_value *twice = tree_duplicate_key(out->object, &r->arena, &nomem);
    if (nomem) return row_nomem(r->log, out, err);
    if (!twice) return EH_STATUS_OK;
    dataset_fault fault = fault_at(DATASET_FAULT_DUPLICATE_KEY, out->line);
    fault.field = twice->key;
    fault_report(r->log, fault);
    out->is_bad = true;
    return EH_STATUS_OK;
}

/* out->object stays NULL where the line is no row. */
static eh_status parse(rows *r, const text_line *line, dataset_row *out,
                       eh_error *err) {
    json_fault fault;
    *out = (dataset_row){.line = line->number};
    const json_value *root = json_read(r->json, &r->arena, line->text, &fault);
    if (!root && fault.kind == JSON_FAULT_NOMEM) return row_nomem(r->log, out, err);
    if (!root) {
        report_json_fault(r, line, &fault);
        return EH_STATUS_OK;
    }
    if (root->kind != JSON_OBJECT) {
        report(r, DATASET_FAULT_NOT_AN_OBJECT, line, -1,
               arena_printf(&r->arena, "one object a line is needed, not %s",
                            tree_kind_name(root)));
        return EH_STATUS_OK;
    }
    out->object = root;
    out->n_replaced_surrogates = (int64_t)fault.n_replaced_surrogates;
    return check_keys(r, out, err);
}

/* Has the taker of lines had it? */
static eh_status offer_line(rows *r, const text_line *line, bool *taken,
                            eh_error *err) {
    *taken = false;
    if (!r->options->take_line || line->too_long) return EH_STATUS_OK;
    return r->options->take_line(r->taker, line, &r->arena, taken, err);
}

static eh_status next_json(rows *r, dataset_row *out, bool *more, eh_error *err) {
    out->object = NULL;
    while (!out->object) {
        text_line line;
        bool taken;
        EH_TRY(lines_next(&r->lines, &line, more, err));
        if (!*more) return EH_STATUS_OK;
        arena_reset(&r->arena);
        EH_TRY(offer_line(r, &line, &taken, err));
        if (taken) continue;
        if (line.too_long)
            report(r, DATASET_FAULT_BAD_JSON, &line, -1, "the line is too long");
        else if (!eh_str_is_blank(line.text))
            EH_TRY(parse(r, &line, out, err));
    }
    return EH_STATUS_OK;
}

/* By the name, also under ".gz"; AUTO when it says nothing. */
static dataset_format format_of_name(const char *path) {
    static const struct {
        const char *suffix;
        dataset_format format;
    } suffixes[] = {
        {".jsonl", DATASET_FORMAT_JSONL}, {".ndjson", DATASET_FORMAT_JSONL},
        {".json", DATASET_FORMAT_JSONL},  {".csv", DATASET_FORMAT_CSV},
        {".tsv", DATASET_FORMAT_CSV},
    };
    size_t len = strlen(path);
    if (len > 3 && strcasecmp(path + len - 3, ".gz") == 0) len -= 3;
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
        size_t n = strlen(suffixes[i].suffix);
        if (len > n && strncasecmp(path + len - n, suffixes[i].suffix, n) == 0)
            return suffixes[i].format;
    }
    return DATASET_FORMAT_AUTO;
}

static eh_status choose_format(rows *r, eh_error *err) {
    dataset_format format = r->options->format;
    if (format == DATASET_FORMAT_AUTO) format = format_of_name(r->options->path);
    r->is_csv = format == DATASET_FORMAT_CSV;
    if (format == DATASET_FORMAT_JSONL || r->options->format != DATASET_FORMAT_AUTO)
        return EH_STATUS_OK;
    text_line line;
    bool more;
    EH_TRY(lines_peek(&r->lines, &line, &more, err));
    eh_str text = more ? eh_str_trim(line.text) : EH_STR("");
    /* no header begins so: objects, in a file that is merely called .csv */
    if (eh_str_begins(text, EH_STR("{\""))) r->is_csv = false;
    if (format == DATASET_FORMAT_CSV) return EH_STATUS_OK;
    if (text.len == 0 || text.ptr[0] == '{' || text.ptr[0] == '[') return EH_STATUS_OK;
    return csv_is_header(&r->csv, line.text, &r->is_csv, err);
}

static eh_status take_all(rows *r, row_taker *take, eh_error *err) {
    EH_TRY(choose_format(r, err));
    bool more = true;
    while (more) {
        dataset_row from;
        EH_TRY(r->is_csv ? csv_next(&r->csv, r->json, &r->arena, &from, &more, err)
                         : next_json(r, &from, &more, err));
        if (more) EH_TRY(take(r->taker, &from, &r->arena, err));
    }
    return EH_STATUS_OK;
}

eh_status rows_each(const rows_options *options, fault_log *log, row_taker *take,
                    void *self, uint8_t digest[32], eh_error *err) {
    rows r = {.options = options, .log = log, .taker = self};
    size_t max_line = options->max_line_bytes ? options->max_line_bytes : BUF_MAX_LINE;
    log->file = options->path;
    arena_init(&r.arena, ROW_MAX_BYTES);
    r.json = json_reader_new();
    r.src = options->src;
    eh_status status = r.json ? EH_STATUS_OK : EH_NOMEM(err);
    if (status == EH_STATUS_OK && !r.src)
        status = source_open(options->path, &r.src, err);
    if (status == EH_STATUS_OK && !digest) source_no_digest(r.src);
    lines_init(&r.lines, r.src, max_line);
    csv_init(&r.csv, &r.lines, options->table, log, max_line);
    if (status == EH_STATUS_OK) status = take_all(&r, take, err);
    if (status == EH_STATUS_OK && digest) source_digest(r.src, digest);
    csv_deinit(&r.csv);
    lines_deinit(&r.lines);
    if (!options->src) source_close(r.src);
    json_reader_free(r.json);
    arena_deinit(&r.arena);
    return status;
}
