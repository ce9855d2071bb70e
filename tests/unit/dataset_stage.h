/* SPDX-License-Identifier: MIT
 *
 * For tests of the dataset module: a stage in memory, a list of all faults, and a
 * folder for files.
 */
#ifndef EH_TESTS_DATASET_STAGE_H
#define EH_TESTS_DATASET_STAGE_H

#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/buf.h"
#include "dataset/dataset.h"

enum { MEMORY_MAX_ROWS = 2000, MEMORY_MAX_FAULTS = 500, MEMORY_TABLES = 5 };

typedef struct memory_text {
    dataset_text text;
    bool is_taken;
} memory_text;

typedef struct memory_stage {
    eh_arena arena;
    dataset_pair pairs[MEMORY_MAX_ROWS];
    size_t n_pairs;
    memory_text texts[MEMORY_TABLES][MEMORY_MAX_ROWS];
    size_t n_texts[MEMORY_TABLES];
    dataset_fault faults[MEMORY_MAX_FAULTS];
    size_t n_faults;
    dataset_counts counts;
    uint8_t digest[32];
    eh_error err;
    dataset_stage stage;
    dataset_faults sink;
    char folder[64]; /* empty until a file is made */
} memory_stage;

static inline eh_str memory_keep(memory_stage *m, eh_str s) {
    eh_str copy;
    assert_true(arena_copy(&m->arena, s, &copy));
    return copy;
}

static inline eh_status memory_put(void *self, const dataset_pair *pair,
                                   int64_t *first_line, eh_error *err) {
    memory_stage *m = self;
    (void)err;
    *first_line = 0;
    for (size_t i = 0; i < m->n_pairs; i++)
        if (eh_str_eq(m->pairs[i].id, pair->id)) *first_line = m->pairs[i].line;
    if (*first_line) return EH_STATUS_OK;
    assert_true(m->n_pairs < MEMORY_MAX_ROWS);
    dataset_pair *copy = &m->pairs[m->n_pairs++];
    *copy = *pair;
    copy->id = memory_keep(m, pair->id);
    copy->question = memory_keep(m, pair->question);
    copy->answer_1 = memory_keep(m, pair->answer_1);
    copy->answer_2 = memory_keep(m, pair->answer_2);
    copy->model_1 = memory_keep(m, pair->model_1);
    copy->model_2 = memory_keep(m, pair->model_2);
    copy->category = memory_keep(m, pair->category);
    copy->reference = memory_keep(m, pair->reference);
    copy->short_question = memory_keep(m, pair->short_question);
    copy->turns_json = memory_keep(m, pair->turns_json);
    copy->meta_json = memory_keep(m, pair->meta_json);
    return EH_STATUS_OK;
}

static inline memory_text *memory_find(memory_stage *m, int table, eh_str id) {
    for (size_t i = 0; i < m->n_texts[table]; i++)
        if (eh_str_eq(m->texts[table][i].text.id, id)) return &m->texts[table][i];
    return NULL;
}

static inline eh_status memory_put_text(void *self, int table, const dataset_text *text,
                                        int64_t *first_line, eh_error *err) {
    memory_stage *m = self;
    (void)err;
    assert_in_range(table, 0, MEMORY_TABLES - 1);
    const memory_text *first = memory_find(m, table, text->id);
    *first_line = first ? first->text.line : 0;
    if (first) return EH_STATUS_OK;
    assert_true(m->n_texts[table] < MEMORY_MAX_ROWS);
    dataset_text *copy = &m->texts[table][m->n_texts[table]++].text;
    *copy = *text;
    copy->id = memory_keep(m, text->id);
    copy->text = memory_keep(m, text->text);
    copy->model = memory_keep(m, text->model);
    copy->meta_json = memory_keep(m, text->meta_json);
    return EH_STATUS_OK;
}

static inline eh_status memory_get_text(void *self, int table, eh_str id,
                                        dataset_text *text, bool *found,
                                        eh_error *err) {
    memory_text *t = memory_find(self, table, id);
    (void)err;
    *found = t != NULL;
    if (!t) return EH_STATUS_OK;
    t->is_taken = true;
    *text = t->text;
    return EH_STATUS_OK;
}

static inline eh_status memory_each_left(void *self, int table,
                                         void (*each)(void *to,
                                                      const dataset_text *text),
                                         void *to, eh_error *err) {
    memory_stage *m = self;
    (void)err;
    for (size_t i = 0; i < m->n_texts[table]; i++)
        if (!m->texts[table][i].is_taken) each(to, &m->texts[table][i].text);
    return EH_STATUS_OK;
}

static inline void memory_report(void *self, const dataset_fault *fault) {
    memory_stage *m = self;
    assert_true(m->n_faults < MEMORY_MAX_FAULTS);
    dataset_fault *copy = &m->faults[m->n_faults++];
    *copy = *fault;
    copy->file = arena_dup(&m->arena, eh_str_of(fault->file));
    copy->id = memory_keep(m, fault->id);
    copy->field = memory_keep(m, fault->field);
    copy->detail = memory_keep(m, fault->detail);
}

static inline memory_stage *memory_new(void) {
    memory_stage *m = calloc(1, sizeof *m);
    assert_non_null(m);
    arena_init(&m->arena, (size_t)1 << 30);
    m->stage = (dataset_stage){.self = m,
                               .put = memory_put,
                               .put_text = memory_put_text,
                               .get_text = memory_get_text,
                               .each_left = memory_each_left};
    m->sink = (dataset_faults){m, memory_report};
    return m;
}

static inline void memory_free(memory_stage *m) {
    if (m->folder[0]) {
        char command[128];
        (void)snprintf(command, sizeof command, "rm -rf '%s'", m->folder);
        assert_int_equal(system(command), 0);
    }
    arena_deinit(&m->arena);
    free(m);
}

/* The path of a new file with these bytes; lives as long as `m`. */
static inline const char *memory_file(memory_stage *m, const char *name, eh_str bytes) {
    if (!m->folder[0]) {
        (void)snprintf(m->folder, sizeof m->folder, "/tmp/test_dataset_XXXXXX");
        assert_non_null(mkdtemp(m->folder));
    }
    const char *path = arena_printf(&m->arena, "%s/%s", m->folder, name);
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes.ptr, 1, bytes.len, f), bytes.len);
    assert_int_equal(fclose(f), 0);
    return path;
}

/* The faults of one kind. */
static inline size_t memory_count(const memory_stage *m, dataset_fault_kind kind) {
    size_t n = 0;
    for (size_t i = 0; i < m->n_faults; i++)
        n += m->faults[i].kind == kind;
    return n;
}

/* The only fault of that kind; fails when there is not exactly one. */
static inline const dataset_fault *memory_fault(const memory_stage *m,
                                                dataset_fault_kind kind) {
    const dataset_fault *found = NULL;
    for (size_t i = 0; i < m->n_faults; i++)
        if (m->faults[i].kind == kind) {
            if (found) fail_msg("more than one %s", dataset_fault_name(kind));
            found = &m->faults[i];
        }
    if (!found) fail_msg("no %s", dataset_fault_name(kind));
    return found;
}

static inline const dataset_pair *memory_pair(const memory_stage *m, const char *id) {
    for (size_t i = 0; i < m->n_pairs; i++)
        if (eh_str_eq_cstr(m->pairs[i].id, id)) return &m->pairs[i];
    fail_msg("no pair %s", id);
    return NULL;
}

/* Reads these bytes as a file of that name; faults and pairs are in what comes back. */
static inline memory_stage *read_mapped(const char *name, eh_str bytes,
                                        const char *map) {
    memory_stage *m = memory_new();
    dataset_options options = {.path = memory_file(m, name, bytes), .map = map};
    eh_status status =
        dataset_read(&options, &m->stage, &m->sink, &m->counts, m->digest, &m->err);
    if (status != EH_STATUS_OK) fail_msg("%s", m->err.msg);
    return m;
}

static inline memory_stage *read_text(const char *text) {
    return read_mapped("in.jsonl", eh_str_of(text), NULL);
}

/* The only fault there is, of this kind. */
static inline const dataset_fault *only_fault(memory_stage *m,
                                              dataset_fault_kind kind) {
    if (m->n_faults != 1)
        fail_msg("%zu faults, the last: %s", m->n_faults,
                 m->n_faults ? dataset_fault_name(m->faults[m->n_faults - 1].kind)
                             : "");
    const dataset_fault *f = memory_fault(m, kind);
    assert_int_equal(m->counts.n_errors, dataset_fault_is_error(kind));
    assert_int_equal(m->counts.n_warnings, !dataset_fault_is_error(kind));
    return f;
}

/* Messages. */
#define SYS "{\"role\":\"system\",\"content\":\"be kind\"}"
#define USER(text) "{\"role\":\"user\",\"content\":\"" text "\"}"
#define BOT(text) "{\"role\":\"assistant\",\"content\":\"" text "\"}"

#define assert_str(actual, expected)                                                   \
    do {                                                                               \
        eh_str assert_str_value = (actual);                                            \
        if (!eh_str_eq_cstr(assert_str_value, (expected)))                             \
            fail_msg("\"%.*s\" is not \"%s\"", EH_STR_ARG(assert_str_value),           \
                     (expected));                                                      \
    } while (0)

#endif
