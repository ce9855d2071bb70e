/* SPDX-License-Identifier: MIT
 *
 * The recorded texts, one by one, for the tests of align. Without the folder of shared
 * data nothing is called and the number is 0.
 */
#ifndef EH_TESTS_ALIGN_RECORDED_H
#define EH_TESTS_ALIGN_RECORDED_H

#include <glob.h>

#include "align_marked.h"
#include "base/json_read.h"

typedef void row_visitor(const json_value *row, void *self);

/* Every row of the files of shared data that match `pattern` ("faireval/pairs.jsonl").
 */
static inline size_t visit_rows(const char *pattern, row_visitor *visit, void *self) {
    const char *shared = getenv("EVENHAND_SHARED");
    char path[1024];
    glob_t found = {0};
    size_t n_rows = 0, cap = 0;
    char *line = NULL;
    snprintf(path, sizeof path, "%s/data/%s", shared ? shared : "", pattern);
    if (!shared || glob(path, 0, NULL, &found) != 0) return 0;
    json_reader *reader = json_reader_new();
    eh_arena arena;
    arena_init(&arena, (size_t)256 << 20);
    for (size_t f = 0; f < found.gl_pathc; f++) {
        FILE *file = fopen(found.gl_pathv[f], "rb");
        assert_non_null(file);
        for (ssize_t len; (len = getline(&line, &cap, file)) > 0; n_rows++) {
            json_fault fault;
            arena_reset(&arena);
            const json_value *row =
                json_read(reader, &arena, (eh_str){line, (size_t)len}, &fault);
            assert_non_null(row);
            visit(row, self);
        }
        fclose(file);
    }
    globfree(&found);
    free(line);
    arena_deinit(&arena);
    json_reader_free(reader);
    return n_rows;
}

static inline void skip_without(size_t n_rows) {
    if (n_rows > 0) return;
    printf("skipped: no recorded data\n");
    skip();
}

#endif
