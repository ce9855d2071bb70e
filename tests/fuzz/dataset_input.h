/* SPDX-License-Identifier: MIT
 *
 * For the fuzz targets of data sets: bytes as a file that needs no disk, and the checks
 * that hold for everything a reader hands out. A broken promise ends in abort().
 */
#ifndef EH_FUZZ_DATASET_INPUT_H
#define EH_FUZZ_DATASET_INPUT_H

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/json_read.h"
#include "base/utf8.h"
#include "dataset/dataset.h"

#define REQUIRE(condition)                                                             \
    do {                                                                               \
        if (!(condition)) {                                                            \
            fprintf(stderr, "broken: %s\n", #condition);                               \
            abort();                                                                   \
        }                                                                              \
    } while (0)

enum { INPUT_FILES = 3 };

/* The path of input file i with these bytes; valid until the next call for i. */
static inline const char *input_file(int i, const void *bytes, size_t len) {
    static int fds[INPUT_FILES] = {-1, -1, -1};
    static char paths[INPUT_FILES][40];
    if (fds[i] < 0) {
        fds[i] = memfd_create("input", 0);
        (void)snprintf(paths[i], sizeof paths[i], "/proc/self/fd/%d", fds[i]);
    }
    REQUIRE(fds[i] >= 0 && ftruncate(fds[i], 0) == 0);
    REQUIRE(pwrite(fds[i], bytes, len, 0) == (ssize_t)len);
    return paths[i];
}

/* Counts what was reported, to hold against the reader's own counts. */
typedef struct input_faults {
    int64_t n_errors, n_warnings;
    int64_t n_by_kind[DATASET_FAULT_N];
} input_faults;

static inline bool input_is_text(eh_str s) {
    return (s.ptr || s.len == 0) && utf8_first_invalid(s) == SIZE_MAX;
}

static inline void input_report(void *self, const dataset_fault *fault) {
    input_faults *f = self;
    REQUIRE((unsigned)fault->kind < DATASET_FAULT_N);
    REQUIRE(fault->file && fault->line >= 0 && fault->byte >= -1);
    REQUIRE(input_is_text(fault->id) && input_is_text(fault->field));
    REQUIRE(input_is_text(fault->detail));
    f->n_by_kind[fault->kind]++;
    if (dataset_fault_is_error(fault->kind))
        f->n_errors++;
    else
        f->n_warnings++;
}

static inline void input_check_counts(const input_faults *f, const dataset_counts *c) {
    REQUIRE(f->n_errors == c->n_errors && f->n_warnings == c->n_warnings);
}

/* JSON text of that kind, or absent. */
static inline void input_check_json(eh_str text, json_kind kind) {
    if (eh_str_is_absent(text)) return;
    static json_reader *reader;
    if (!reader) reader = json_reader_new();
    eh_arena arena;
    arena_init(&arena, (size_t)1 << 30);
    json_fault fault;
    const json_value *v = json_read(reader, &arena, text, &fault);
    REQUIRE(v && v->kind == kind && v->n > 0);
    REQUIRE(!json_duplicate_key(v));
    arena_deinit(&arena);
}

static inline void input_check_pair(const dataset_pair *p) {
    REQUIRE(p->id.len > 0 && input_is_text(p->id));
    REQUIRE(!eh_str_is_absent(p->question) && input_is_text(p->question));
    REQUIRE(!eh_str_is_absent(p->answer_1) && input_is_text(p->answer_1));
    REQUIRE(!eh_str_is_absent(p->answer_2) && input_is_text(p->answer_2));
    REQUIRE(input_is_text(p->model_1) && input_is_text(p->model_2));
    REQUIRE(input_is_text(p->category) && input_is_text(p->reference));
    REQUIRE(input_is_text(p->short_question));
    REQUIRE(p->file && p->line > 0);
    input_check_json(p->turns_json, JSON_ARRAY);
    input_check_json(p->meta_json, JSON_OBJECT);
}

/* A list of ids that were seen, with their lines. */
typedef struct input_ids {
    eh_arena arena;
    eh_str ids[4096];
    int64_t lines[4096];
    size_t n;
} input_ids;

/* The line of an earlier row with that id, or 0 after keeping this one. Past the room
 * there is, rows are not looked at. */
static inline int64_t input_seen(input_ids *seen, eh_str id, int64_t line) {
    for (size_t i = 0; i < seen->n; i++)
        if (eh_str_eq(seen->ids[i], id)) return seen->lines[i];
    if (seen->n == sizeof seen->ids / sizeof seen->ids[0]) return 0;
    REQUIRE(arena_copy(&seen->arena, id, &seen->ids[seen->n]));
    seen->lines[seen->n++] = line;
    return 0;
}

static inline void input_ids_begin(input_ids *seen) {
    arena_init(&seen->arena, (size_t)1 << 30);
    seen->n = 0;
}

static inline void input_ids_end(input_ids *seen) {
    arena_deinit(&seen->arena);
}

#endif
