/* SPDX-License-Identifier: MIT
 *
 * Recorded data for the tests of stats/: the lines of a shared JSONL file, or one whole
 * JSON file, as trees. Tests say "skipped" where the folder is not there.
 */
#ifndef EH_TESTS_STATS_SHARED_H
#define EH_TESTS_STATS_SHARED_H

#include <stdio.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/json_read.h"
#include "base/str.h"

typedef struct shared {
    eh_arena arena;
    json_reader *reader;
    eh_buf text;
} shared;

static inline bool shared_is_there(void) {
    const char *root = getenv("EVENHAND_SHARED");
    char path[4096];
    snprintf(path, sizeof path, "%s/cases/README.md", root ? root : "");
    FILE *f = root ? fopen(path, "r") : NULL;
    if (f) fclose(f);
    return f != NULL;
}

static inline void shared_open(shared *s) {
    arena_init(&s->arena, (size_t)1 << 30);
    s->reader = json_reader_new();
    buf_init(&s->text, (size_t)1 << 30);
}

static inline void shared_close(shared *s) {
    arena_deinit(&s->arena);
    json_reader_free(s->reader);
    buf_deinit(&s->text);
}

/* The whole of a file below the shared folder; valid until the next call. */
static inline eh_str shared_text(shared *s, const char *name) {
    char path[4096], block[65536];
    snprintf(path, sizeof path, "%s/%s", getenv("EVENHAND_SHARED"), name);
    buf_reset(&s->text);
    FILE *f = fopen(path, "r");
    if (!f) fprintf(stderr, "cannot open %s\n", path);
    for (size_t n; f && (n = fread(block, 1, sizeof block, f)) > 0;)
        buf_add(&s->text, block, n);
    if (f) fclose(f);
    return buf_view(&s->text);
}

static inline const json_value *shared_json(shared *s, eh_str text) {
    json_fault fault;
    return json_read(s->reader, &s->arena, text, &fault);
}

/* A number member, NaN where there is none. */
static inline double shared_number(const json_value *object, const char *key) {
    const json_value *v = json_get(object, key);
    double x;
    return v && v->kind == JSON_NUMBER && eh_str_to_f64(v->text, &x)
               ? x
               : __builtin_nan("");
}

#endif
