/* SPDX-License-Identifier: MIT
 *
 * Recorded replies of real judges, for the test that reads them again and for the
 * benchmark: which set is read by which template, and the rows of a set.
 *
 * The rows come from $EVENHAND_SHARED/data; their verdicts are un-swapped.
 */
#ifndef EH_TESTS_RECORDED_H
#define EH_TESTS_RECORDED_H

#include <stdio.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/json_read.h"
#include "base/terms.h"

enum { RECORDED_MAX_ROWS = 32768 };

/* How many rows must be read as they were recorded; of the others, how many gain a
 * verdict that the record does not have. The rest have none where the record has one.
 */
typedef struct recorded_set {
    const char *template_name;
    const char *folders[2];
    const char *judge_begins; /* or NULL for all judges */
    const char *judge_ends;
    bool names_outputs; /* llmbar's judges that name "Output (a)" */
    int n_rows, n_same, n_gained;
} recorded_set;

static const recorded_set recorded_sets[] = {
    {"output_ab", {"llmbar", "faireval"}, NULL, NULL, true, 22540, 22532, 2},
    {"first_line_scores",
     {"faireval", "vicuna_gpt4"},
     NULL,
     "/score",
     false,
     800,
     776,
     0},
    {"last_line_class",
     {"faireval", "vicuna_gpt4"},
     NULL,
     "/threeclass",
     false,
     1760,
     1760,
     0},
    {"first_mark",
     {"mtbench_repeat", "mtbench_phi3"},
     NULL,
     NULL,
     false,
     5334,
     5334,
     0},
    {"arena5", {"judgebench", NULL}, "arena_hard/", NULL, false, 1240, 1240, 0},
    {"first_line_class", {"pandalm", NULL}, NULL, NULL, false, 1998, 1998, 0},
    {"compare", {"mtbench_repeat", NULL}, NULL, NULL, false, 5184, 5175, 2},
    {"compare", {"mtbench_phi3", NULL}, NULL, NULL, false, 150, 150, 0},
    {"compare", {"judgebench", NULL}, "arena_hard/", NULL, false, 1240, 1235, 5},
};

enum { RECORDED_N_SETS = sizeof recorded_sets / sizeof recorded_sets[0] };

typedef struct recorded_row {
    eh_str pair_id, judge, reply;
    eh_order order;
    eh_verdict verdict;
} recorded_row;

typedef struct recorded_rows {
    eh_arena arena; /* owns the texts and the rows */
    recorded_row *rows;
    size_t n_rows;
} recorded_rows;

static bool recorded_takes(const recorded_set *set, eh_str judge) {
    if (set->judge_begins && !eh_str_begins(judge, eh_str_of(set->judge_begins)))
        return false;
    if (set->judge_ends && !eh_str_ends(judge, eh_str_of(set->judge_ends)))
        return false;
    return !set->names_outputs ||
           (eh_str_find(judge, EH_STR("/Rating"), 0) == SIZE_MAX &&
            !eh_str_ends(judge, EH_STR("/score")) &&
            !eh_str_ends(judge, EH_STR("/threeclass")));
}

static bool recorded_read_file(const char *path, eh_buf *text) {
    FILE *file = fopen(path, "rb");
    if (!file) return false;
    char chunk[65536];
    size_t n;
    while ((n = fread(chunk, 1, sizeof chunk, file)) > 0)
        buf_add(text, chunk, n);
    bool good = !ferror(file) && !text->failed;
    fclose(file);
    return good;
}

/* The rows of one file that the set takes; false on a fault. */
static bool recorded_add(recorded_rows *r, const recorded_set *set, eh_str text,
                         json_reader *reader) {
    eh_str line;
    while (eh_str_split(&text, '\n', &line)) {
        json_fault fault;
        if (eh_str_is_blank(line)) continue;
        const json_value *v = json_read(reader, &r->arena, line, &fault);
        if (!v || r->n_rows == RECORDED_MAX_ROWS) return false;
        recorded_row row = {.pair_id = json_get_str(v, "pair_id"),
                            .judge = json_get_str(v, "judge"),
                            .reply = json_get_str(v, "reply"),
                            .order = eh_str_eq_cstr(json_get_str(v, "order"), "21")
                                         ? EH_ORDER_21
                                         : EH_ORDER_12,
                            .verdict = eh_verdict_parse(json_get_str(v, "verdict"))};
        if (recorded_takes(set, row.judge)) r->rows[r->n_rows++] = row;
    }
    return true;
}

/* False where a file is absent or broken; recorded_deinit in any case. */
static bool recorded_load(const char *shared, const recorded_set *set,
                          recorded_rows *r) {
    *r = (recorded_rows){0};
    arena_init(&r->arena, (size_t)1 << 30);
    r->rows = arena_zalloc(&r->arena, RECORDED_MAX_ROWS, sizeof *r->rows);
    json_reader *reader = json_reader_new();
    bool good = r->rows && reader;
    for (int i = 0; good && i < 2 && set->folders[i]; i++) {
        char path[4096];
        eh_buf text;
        buf_init(&text, (size_t)1 << 30);
        (void)snprintf(path, sizeof path, "%s/data/%s/judgments.jsonl", shared,
                       set->folders[i]);
        good = recorded_read_file(path, &text) &&
               recorded_add(r, set, buf_view(&text), reader);
        buf_deinit(&text);
    }
    json_reader_free(reader);
    return good;
}

static void recorded_deinit(recorded_rows *r) {
    arena_deinit(&r->arena);
}

#endif
