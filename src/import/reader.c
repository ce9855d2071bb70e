/* SPDX-License-Identifier: MIT
 *
 * Recognising what a file is, and reading it as that.
 *
 *   first piece of the file -> names of its first object -> the format that knows them
 *                                                        -> ours: the reader of rows
 *                                                        -> no JSON: a table
 *
 * Names tell formats apart because each tool writes its own; where several fit, the
 * first in the list is taken, and a format's list of names is as long as it takes to
 * exclude those behind it. A format that the user names is checked the same way, so
 * that a wrong file is refused with what it looks like, and not after a thousand
 * missing fields.
 *
 * Left out: mixed files. Objects of another kind in the middle of a file lack fields of
 * its format, and that is how they are reported.
 */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/hash.h"
#include "base/suggest.h"
#include "base/utf8.h"
#include "dataset/rows.h"
#include "dataset/tree.h"
#include "import/format.h"
#include "import/table.h"

enum { KEPT_MAX_BYTES = 1 << 30 };

/* In the order in which they are tried. */
static const import_format *const formats[] = {
    &import_fastchat,    &import_arena_hard,    &import_alpaca_eval,
    &import_judgebench,  &import_llmbar,        &import_pandalm,
    &import_promptfoo,   &import_inspect,       &import_fastchat_texts,
    &import_arena_texts, &import_pandalm_texts,
};

enum { N_FORMATS = sizeof formats / sizeof formats[0] };

/* Kinds that are no import_format: rows, which the dataset module reads. */
static const struct {
    const char *name, *title;
} row_formats[] = {{"judgments", "judgments"}, {"csv", "a table of judgments"}};

enum { OWN, TABLE, N_ROW_FORMATS };

const char *import_format_name(size_t i) {
    if (i == 0) return "auto";
    if (i <= N_ROW_FORMATS) return row_formats[i - 1].name;
    i -= N_ROW_FORMATS + 1;
    for (size_t k = 0; k < N_FORMATS; k++)
        if (!formats[k]->is_texts && i-- == 0) return formats[k]->name;
    return NULL;
}

/* ---- what a file looks like ---- */

static const char *skip_space(const char *p, const char *end) {
    while (p < end && strchr(" \t\r\n", *p) && *p)
        p++;
    return p;
}

/* Behind the string that begins at p, or the end. */
static const char *skip_string(const char *p, const char *end) {
    for (p++; p < end && *p != '"'; p++)
        if (*p == '\\') p++;
    return p < end ? p + 1 : end;
}

/* Behind the value that begins at p, or the end. */
static const char *skip_value(const char *p, const char *end) {
    int depth = 0;
    while (p < end) {
        char c = *p;
        if (c == '"') {
            p = skip_string(p, end);
        } else {
            if (depth == 0 && (c == ',' || c == '}' || c == ']')) return p;
            depth += c == '{' || c == '[';
            depth -= c == '}' || c == ']';
            p++;
        }
        if (depth == 0 && (c == '"' || c == '}' || c == ']')) return p;
    }
    return end;
}

/* Names of the first object in a text that may be cut anywhere. */
static void look(eh_str text, import_hint *hint) {
    const char *p = text.ptr, *end = text.ptr + text.len;
    hint->n = 0;
    p = skip_space(p, end);
    if (p < end && *p == '[') p = skip_space(p + 1, end);
    if (p == end || *p != '{') return;
    for (p++; hint->n < IMPORT_HINT_MAX;) {
        p = skip_space(p, end);
        if (p < end && *p == ',') p = skip_space(p + 1, end);
        if (p == end || *p != '"') return;
        const char *name = p + 1;
        p = skip_string(p, end);
        eh_str found = {name, (size_t)(p - name) - (p > name)};
        p = skip_space(p, end);
        if (p == end || *p != ':') return;
        p = skip_space(p + 1, end);
        if (p == end) return;
        hint->starts[hint->n] = *p;
        hint->names[hint->n++] = found;
        p = skip_value(p, end);
    }
}

static bool hint_has_one(const import_hint *hint, const char *name) {
    char mark = *name == '{' || *name == '[' || *name == '*' ? *name++ : 0;
    for (size_t i = 0; i < hint->n; i++) {
        bool same = mark == '*' ? eh_str_ends(hint->names[i], eh_str_of(name))
                                : eh_str_eq_cstr(hint->names[i], name);
        if (same && (mark == 0 || mark == '*' || hint->starts[i] == mark)) return true;
    }
    return false;
}

bool import_hint_has(const import_hint *hint, const char *const *names) {
    for (; *names; names++)
        if (!hint_has_one(hint, *names)) return false;
    return true;
}

static const char *const own_names[] = {"pair_id", "order", "sample", NULL};

static bool is_of(const import_format *f, const import_hint *hint) {
    return import_hint_has(hint, f->names) ||
           (f->other_names && import_hint_has(hint, f->other_names));
}

/* What the file is: a format, or (NULL) one of row_formats; -1 in `rows` for neither.
 */
static const import_format *recognise(const import_hint *hint, bool is_json,
                                      int *rows) {
    *rows = -1;
    if (!is_json) *rows = TABLE;
    if (is_json && import_hint_has(hint, own_names)) *rows = OWN;
    if (*rows >= 0) return NULL;
    for (size_t i = 0; i < N_FORMATS; i++)
        if (is_of(formats[i], hint)) return formats[i];
    return NULL;
}

/* ---- choosing ---- */

typedef struct choice {
    const import_format *format; /* or NULL: */
    int rows;
} choice;

static eh_status unknown_format(const char *name, eh_error *err) {
    char names[200];
    size_t used = 0;
    suggest near = suggest_for(eh_str_of(name));
    for (size_t i = 0; import_format_name(i) && used < sizeof names - 30; i++) {
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s",
                                 i ? ", " : "", import_format_name(i));
        suggest_offer(&near, eh_str_of(import_format_name(i)));
    }
    return EH_FAIL(
        err, EH_STATUS_USAGE, "unknown format '%.*s': use one of %s" SUGGEST_FORMAT,
        EH_STR_ARG(utf8_cut(eh_str_of(name), 40)), names, SUGGEST_ARGS(near));
}

/* "question_id, model, and 5 more": the names that were found. */
static void list_names(const import_hint *hint, char *text, size_t size) {
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < hint->n && i < 4; i++)
        used +=
            (size_t)snprintf(text + used, size - used, "%s%.*s", i ? ", " : "",
                             (int)(hint->names[i].len > 24 ? 24 : hint->names[i].len),
                             hint->names[i].ptr);
    if (hint->n > 4 && used < size)
        (void)snprintf(text + used, size - used, " and %zu more", hint->n - 4);
}

static eh_status not_that(const char *path, const char *wanted, const choice *looks,
                          const import_hint *hint, eh_error *err) {
    char names[140];
    list_names(hint, names, sizeof names);
    const char *title = looks->format      ? looks->format->title
                        : looks->rows >= 0 ? row_formats[looks->rows].title
                                           : NULL;
    if (title)
        return EH_FAIL(err, EH_STATUS_DATA, "%s: not %s; it looks like %s", path,
                       wanted, title);
    if (hint->n)
        return EH_FAIL(err, EH_STATUS_DATA,
                       "%s: not %s; the fields of its first object are: %s (csv with "
                       "--map reads any)",
                       path, wanted, names);
    return EH_FAIL(err, EH_STATUS_DATA, "%s: not %s; there is no object in it", path,
                   wanted);
}

/* By name, checked against what the file looks like; AUTO takes what it looks like. */
static eh_status choose(const char *path, const char *name, eh_str start,
                        const choice *looks, const import_hint *hint, choice *out,
                        eh_error *err) {
    bool automatic = !name || strcmp(name, "auto") == 0;
    *out = *looks;
    if (automatic && (looks->format || looks->rows >= 0)) return EH_STATUS_OK;
    if (automatic) return not_that(path, "of a known format", looks, hint, err);
    for (int rows = 0; rows < N_ROW_FORMATS; rows++)
        if (strcmp(name, row_formats[rows].name) == 0) {
            /* those readers say themselves, by line and field, what is wrong */
            *out = (choice){NULL, rows};
            return EH_STATUS_OK;
        }
    /* texts go with the judgments of several tools */
    if (looks->format &&
        (looks->format->is_texts || strcmp(looks->format->name, name) == 0))
        return EH_STATUS_OK;
    const import_format *wanted = NULL;
    for (size_t i = 0; i < N_FORMATS; i++) {
        if (strcmp(name, formats[i]->name) != 0) continue;
        if (!wanted) wanted = formats[i];
        if (!is_of(formats[i], hint)) continue;
        *out = (choice){formats[i], -1};
        return EH_STATUS_OK;
    }
    if (!wanted) return unknown_format(name, err);
    if (eh_str_is_blank(start))
        return EH_FAIL(err, EH_STATUS_DATA, "%s: the file is empty", path);
    return not_that(path, wanted->title, looks, hint, err);
}

/* Opens the file, looks at its first piece, and says what it is. */
static eh_status open_and_choose(const char *path, const import_options *options,
                                 source **src, choice *out, eh_error *err) {
    eh_str start;
    import_hint hint;
    choice looks;
    EH_TRY(source_open(path, src, err));
    source_no_digest(*src);
    EH_TRY(source_peek(*src, &start, err));
    if (eh_str_begins(start, EH_STR("\xEF\xBB\xBF")))
        start = eh_str_slice(start, 3, start.len);
    if (eh_str_begins(start, EH_STR("PK\x03\x04")))
        return EH_FAIL(
            err, EH_STATUS_DATA,
            "%s: a zip archive; of an inspect log, write JSON first: inspect "
            "log convert --to json",
            path);
    if (eh_str_begins(start, EH_STR("SQLite format 3")))
        return EH_FAIL(err, EH_STATUS_DATA, "%s: a database, not a file of judgments",
                       path);
    eh_str text = eh_str_trim(start);
    bool is_json = text.len == 0 || text.ptr[0] == '{' || text.ptr[0] == '[';
    look(start, &hint);
    looks.format = recognise(&hint, is_json, &looks.rows);
    return choose(path, options->format, start, &looks, &hint, out, err);
}

/* ---- reading ---- */

static eh_status take_record(import_reader *r, const record *rec, eh_error *err) {
    dataset_row row = {.object = rec->value, .line = rec->line};
    bool nomem = false;
    const json_value *twice = tree_duplicate_key(rec->value, r->arena, &nomem);
    if (nomem) return row_nomem(&r->log, &row, err);
    if (twice) {
        dataset_fault fault = fault_at(DATASET_FAULT_DUPLICATE_KEY, rec->line);
        fault.field = twice->key;
        fault_report(&r->log, fault);
        return EH_STATUS_OK;
    }
    return r->format->take(r, &row, err);
}

static eh_status read_records(import_reader *r, source *src, eh_error *err) {
    eh_status status = EH_STATUS_OK;
    r->records = records_new(src, r->format->path, &r->log);
    if (!r->records) return EH_NOMEM(err);
    r->arena = records_arena(r->records);
    for (bool more = true; more && status == EH_STATUS_OK;) {
        record rec;
        status = records_next(r->records, &rec, &more, err);
        if (status == EH_STATUS_OK && more) status = take_record(r, &rec, err);
    }
    if (status == EH_STATUS_OK && r->format->end) status = r->format->end(r, err);
    records_free(r->records);
    return status;
}

typedef struct own_rows {
    const import_sink *sink;
    const import_options *options;
    import_file *file;
} own_rows;

static eh_status take_own(void *self, const dataset_judgment *j, eh_error *err) {
    own_rows *own = self;
    own->file->n_judgments++;
    own->file->n_verdicts += j->verdict != EH_VERDICT_NONE;
    if (!own->options->judge) return own->sink->judgment(own->sink->self, j, err);
    dataset_judgment named = *j;
    named.judge = eh_str_of(own->options->judge);
    return own->sink->judgment(own->sink->self, &named, err);
}

static eh_status read_own(import_reader *r, source *src, eh_error *err) {
    own_rows own = {r->sink, r->options, r->file};
    dataset_judgment_sink rows = {&own, take_own, r->sink->no_replies};
    r->file->format = row_formats[OWN].name;
    r->file->title = row_formats[OWN].title;
    return dataset_read_judgments_from(src, r->path, &rows, r->log.sink, r->log.counts,
                                       err);
}

static eh_status read_chosen(import_reader *r, const choice *chosen, source *src,
                             eh_error *err) {
    eh_status status;
    r->format = chosen->format;
    arena_init(&r->kept, KEPT_MAX_BYTES);
    if (chosen->format) {
        *r->file = (import_file){.format = chosen->format->name,
                                 .title = chosen->format->title,
                                 .orders = chosen->format->orders,
                                 .is_texts = chosen->format->is_texts};
        status = read_records(r, src, err);
    } else if (chosen->rows == OWN) {
        status = read_own(r, src, err);
    } else {
        r->file->format = row_formats[TABLE].name;
        r->file->title = row_formats[TABLE].title;
        status = import_read_table(r, src, err);
    }
    arena_deinit(&r->kept);
    return status;
}

eh_status import_read(const char *path, const import_options *options,
                      const import_sink *sink, const dataset_faults *faults,
                      dataset_counts *counts, import_file *file, eh_error *err) {
    source *src = NULL;
    choice chosen = {NULL, -1};
    *counts = (dataset_counts){0};
    *file = (import_file){0};
    import_reader r = {.options = options,
                       .sink = sink,
                       .log = {.sink = faults, .counts = counts, .file = path},
                       .path = path,
                       .file = file};
    eh_status status = import_check_words(options->verdicts, err);
    if (status == EH_STATUS_OK)
        status = open_and_choose(path, options, &src, &chosen, err);
    if (status == EH_STATUS_OK) status = read_chosen(&r, &chosen, src, err);
    source_close(src);
    return status;
}

bool import_is_texts(const char *path, const import_options *options) {
    source *src = NULL;
    choice chosen = {NULL, -1};
    struct stat st;
    /* what is no file can be read once only */
    if (stat(path, &st) != 0 || !S_ISREG(st.st_mode)) return false;
    bool ok = open_and_choose(path, options, &src, &chosen, NULL) == EH_STATUS_OK;
    source_close(src);
    return ok && chosen.format && chosen.format->is_texts;
}
