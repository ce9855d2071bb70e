/* SPDX-License-Identifier: MIT
 *
 * People read a review file in a spreadsheet or an editor, put yes or no into the
 * columns of the criteria, and save it. A mark binds to the text that was read, by the
 * row's text_id: when a model writes another text under the same id, nobody has looked
 * at that one. What else stands in the row, such as a text that was edited, is not
 * read: a text is only ever what the model wrote.
 *
 * The file is written again only when rows are missing in it, with all marks that were
 * there; the file before that stays beside it.
 *
 * Left out: more than one reviewer. Who reviews together fills one file.
 */
#include "generate/review.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/utf8.h"
#include "dataset/rows.h"

const char *generate_criterion_name(generate_criterion criterion) {
    static const char *const names[] = {
#define X(id, name) name,
        GENERATE_CRITERION_LIST(X)
#undef X
    };
    return names[criterion];
}

void generate_text_id(const eh_str *texts, size_t n, char text_id[16]) {
    eh_hash h;
    uint8_t digest[HASH_BYTES];
    hash_init(&h, "eh-review-1");
    for (size_t i = 0; i < n; i++)
        hash_str(&h, texts[i]);
    hash_done(&h, digest);
    text_id[0] = 't';
    hash_hex(digest, 6, text_id + 1);
}

/* ---- reading ---- */

typedef struct read_row {
    eh_str text_id, criteria[GENERATE_CRITERION_N], note;
} read_row;

static const field_spec specs[] = {
    {"text_id", FIELD_ID, FIELD_REQUIRED, offsetof(read_row, text_id), NULL},
#define X(id, name)                                                                    \
    {name, FIELD_SCALAR, FIELD_OPTIONAL,                                               \
     offsetof(read_row, criteria[GENERATE_CRITERION_##id]), NULL},
    GENERATE_CRITERION_LIST(X)
#undef X
        {"note", FIELD_TEXT, FIELD_OPTIONAL, offsetof(read_row, note), NULL},
};

static const field_table table = {.specs = specs,
                                  .n_specs = sizeof specs / sizeof specs[0]};

typedef struct review_reader {
    fault_log log;
    dataset_counts counts;
    dataset_fault first;
    char first_text[160];
    generate_review_row *rows;
    size_t n;
    eh_arena *arena; /* of what stays */
} review_reader;

static int mark_of(eh_str s) {
    static const char *const yes[] = {"yes", "y", "true", "1", "ok", "x", NULL};
    static const char *const no[] = {"no", "n", "false", "0", NULL};
    char lower[8] = "";
    s = eh_str_trim(s);
    if (s.len == 0) return -1;
    for (size_t i = 0; i < s.len && i < sizeof lower - 1; i++)
        lower[i] =
            s.ptr[i] >= 'A' && s.ptr[i] <= 'Z' ? (char)(s.ptr[i] | 0x20) : s.ptr[i];
    for (size_t i = 0; yes[i] && s.len < sizeof lower; i++)
        if (strcmp(lower, yes[i]) == 0) return 1;
    for (size_t i = 0; no[i] && s.len < sizeof lower; i++)
        if (strcmp(lower, no[i]) == 0) return 0;
    return -2;
}

static eh_status put_marks(review_reader *r, const read_row *read, int64_t line,
                           generate_review_row *row, eh_error *err) {
    generate_marks *m = &row->marks;
    if (m->was_in_file)
        return EH_FAIL(err, EH_STATUS_DATA, "%s: line %lld: text_id %s is there twice",
                       r->log.file, (long long)line, row->text_id);
    m->was_in_file = true;
    for (int i = 0; i < GENERATE_CRITERION_N; i++) {
        m->criteria[i] = mark_of(read->criteria[i]);
        if (m->criteria[i] == -2)
            return EH_FAIL(err, EH_STATUS_DATA,
                           "%s: line %lld: %s: '%.*s' is neither yes nor no",
                           r->log.file, (long long)line,
                           generate_criterion_name((generate_criterion)i),
                           EH_STR_ARG(utf8_cut(read->criteria[i], 40)));
    }
    return arena_copy(r->arena, read->note, &m->note) ? EH_STATUS_OK : EH_NOMEM(err);
}

static eh_status take_row(void *self, dataset_row *from, eh_arena *arena,
                          eh_error *err) {
    review_reader *r = self;
    read_row read = {0};
    field_set set;
    if (!fields_find(&table, from, arena, &set) ||
        !fields_read(&table, &set, from, &read, &r->log, arena))
        return row_nomem(&r->log, from, err);
    if (from->is_bad) return EH_STATUS_OK;
    for (size_t i = 0; i < r->n; i++)
        if (eh_str_eq_cstr(read.text_id, r->rows[i].text_id))
            return put_marks(r, &read, from->line, &r->rows[i], err);
    return EH_STATUS_OK; /* a text of another run; nobody needs it here */
}

static void keep_first(void *self, const dataset_fault *fault) {
    review_reader *r = self;
    if (!dataset_fault_is_error(fault->kind) || r->first_text[0]) return;
    (void)snprintf(r->first_text, sizeof r->first_text, "line %lld: %s%s%.*s",
                   (long long)fault->line, dataset_fault_name(fault->kind),
                   fault->field.len ? " " : "", EH_STR_ARG(fault->field));
}

static eh_status read_marks(const char *path, generate_review_row *rows, size_t n,
                            eh_arena *arena, eh_error *err) {
    review_reader r = {.rows = rows, .n = n, .arena = arena};
    dataset_faults sink = {&r, keep_first};
    r.log = (fault_log){.sink = &sink, .counts = &r.counts, .file = path};
    EH_TRY(rows_each(&(rows_options){.path = path, .table = &table}, &r.log, take_row,
                     &r, NULL, err));
    if (r.counts.n_errors == 0) return EH_STATUS_OK;
    return EH_FAIL(err, EH_STATUS_DATA, "%s: %s", path, r.first_text);
}

/* ---- writing ---- */

eh_status generate_write(const char *path, eh_str text, eh_error *err) {
    char part[1024];
    if (snprintf(part, sizeof part, "%s.part", path) >= (int)sizeof part)
        return EH_FAIL(err, EH_STATUS_IO, "%s: the name is too long", path);
    FILE *f = fopen(part, "wb");
    bool good = f && fwrite(text.ptr ? text.ptr : "", 1, text.len, f) == text.len &&
                fflush(f) == 0 && fsync(fileno(f)) == 0;
    int why = errno;
    if (f && fclose(f) != 0 && good) {
        why = errno;
        good = false;
    }
    if (good && rename(part, path) != 0) {
        why = errno;
        good = false;
    }
    if (good) return EH_STATUS_OK;
    (void)unlink(part);
    return EH_FAIL(err, EH_STATUS_IO, "%s: %s", path, strerror(why));
}

static void write_row(report_format format, const generate_review_row *row, bool head,
                      eh_buf *out) {
    report_cell cells[GENERATE_CELLS_MAX + GENERATE_CRITERION_N + 2];
    size_t n = 0;
    cells[n++] = row->cells[0];
    cells[n++] = report_text_cell("text_id", eh_str_of(row->text_id));
    for (size_t i = 1; i < row->n_cells; i++)
        cells[n++] = row->cells[i];
    for (int i = 0; i < GENERATE_CRITERION_N; i++) {
        int mark = row->marks.criteria[i];
        cells[n++] = report_text_cell(generate_criterion_name((generate_criterion)i),
                                      mark < 0 ? (eh_str){NULL, 0}
                                               : eh_str_of(mark ? "yes" : "no"));
    }
    cells[n++] = report_text_cell("note", row->marks.note);
    if (head)
        report_cells_head(format, cells, n, out);
    else
        report_cells_row(format, cells, n, out);
}

static eh_status write_file(const char *path, report_format format,
                            const generate_review_row *rows, size_t n, eh_error *err) {
    eh_buf out;
    char before[1024];
    buf_init(&out, BUF_MAX_REPORT);
    if (n) write_row(format, &rows[0], true, &out);
    for (size_t i = 0; i < n; i++)
        write_row(format, &rows[i], false, &out);
    eh_status status = buf_check(&out, "a review file", err);
    (void)snprintf(before, sizeof before, "%s.before", path);
    if (status == EH_STATUS_OK && access(path, F_OK) == 0 && rename(path, before) != 0)
        status = EH_FAIL(err, EH_STATUS_IO, "%s: %s", before, strerror(errno));
    if (status == EH_STATUS_OK) status = generate_write(path, buf_view(&out), err);
    buf_deinit(&out);
    return status;
}

eh_status generate_review_sync(const char *path, report_format format,
                               generate_review_row *rows, size_t n, bool may_write,
                               eh_arena *arena, eh_error *err) {
    bool is_whole = true;
    for (size_t i = 0; i < n; i++)
        rows[i].marks = (generate_marks){.criteria = {-1, -1, -1, -1, -1}};
    if (access(path, F_OK) == 0) EH_TRY(read_marks(path, rows, n, arena, err));
    for (size_t i = 0; i < n; i++)
        is_whole &= rows[i].marks.was_in_file;
    return is_whole || !may_write ? EH_STATUS_OK
                                  : write_file(path, format, rows, n, err);
}

bool generate_review_keeps(const generate_marks *marks, generate_unreviewed unreviewed,
                           generate_funnel_row *row) {
    bool is_whole = true;
    for (int i = 0; i < GENERATE_CRITERION_N; i++) {
        if (marks->criteria[i] == 0) {
            row->n_reviewed++;
            row->n_dropped[i]++;
            return false;
        }
        is_whole &= marks->criteria[i] == 1;
    }
    row->n_reviewed += is_whole;
    row->n_unreviewed += !is_whole;
    bool keeps = is_whole || unreviewed == GENERATE_KEEP;
    row->n_kept += keeps;
    return keeps;
}
