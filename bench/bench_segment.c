/* SPDX-License-Identifier: MIT
 *
 * How fast texts are cut into units, beside ICU's sentence iterator alone, and how
 * often both are right on the shared segment cases.
 *
 *   bench_segment SHARED
 *
 * Lines separated by tabs, for bench/segment to print: "speed", set, texts, bytes, our
 * units, our milliseconds, ICU's sentences, ICU's milliseconds; and "right", cases,
 * ours, ICU's. Times are of one thread on the processor, the best of several rounds
 * over all texts of a set, which are in memory. ICU is given UTF-8 as we give it, and
 * its iterator is opened once; what it finds is no more than a position.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <unicode/ubrk.h>
#include <unicode/utext.h>

#include "align/align.h"
#include "base/buf.h"
#include "base/json_read.h"

enum { N_ROUNDS = 5, MAX_TEXTS = 4096 };

typedef struct text_set {
    eh_arena arena;
    eh_str text[MAX_TEXTS];
    size_t n, n_bytes;
} text_set;

static double now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static void add_text(text_set *set, eh_str text) {
    if (text.len == 0 || set->n == MAX_TEXTS) return;
    if (!arena_copy(&set->arena, text, &set->text[set->n])) exit(1);
    set->n_bytes += text.len;
    set->n++;
}

typedef void row_visitor(const json_value *row, void *self);

static void visit_rows(const char *path, row_visitor *visit, void *self) {
    FILE *file = fopen(path, "rb");
    if (!file) return;
    json_reader *reader = json_reader_new();
    eh_arena arena;
    arena_init(&arena, (size_t)256 << 20);
    char *line = NULL;
    size_t cap = 0;
    for (ssize_t len; (len = getline(&line, &cap, file)) > 0;) {
        json_fault fault;
        arena_reset(&arena);
        const json_value *row =
            json_read(reader, &arena, (eh_str){line, (size_t)len}, &fault);
        if (row) visit(row, self);
    }
    free(line);
    fclose(file);
    arena_deinit(&arena);
    json_reader_free(reader);
}

static void add_row(const json_value *row, void *self) {
    add_text(self, json_get_str(row, "answer_1"));
    add_text(self, json_get_str(row, "answer_2"));
}

static size_t cut_text(eh_str text, eh_arena *arena) {
    const align_options options = {.parts = 3};
    align_units units;
    arena_reset(arena);
    if (align_units_of(text, &options, arena, &units, NULL) != EH_STATUS_OK) exit(1);
    return units.n;
}

static size_t icu_text(UBreakIterator *icu, eh_str text) {
    UErrorCode status = U_ZERO_ERROR;
    UText utf8 = UTEXT_INITIALIZER;
    size_t n = 0;
    utext_openUTF8(&utf8, text.ptr, (int64_t)text.len, &status);
    ubrk_setUText(icu, &utf8, &status);
    while (U_SUCCESS(status) && ubrk_next(icu) != UBRK_DONE)
        n++;
    utext_close(&utf8);
    return n;
}

static void bench_set(const char *shared, const char *name, UBreakIterator *icu) {
    static text_set set;
    char path[1024];
    eh_arena arena;
    memset(&set, 0, sizeof set);
    arena_init(&set.arena, (size_t)1 << 30);
    arena_init(&arena, (size_t)256 << 20);
    snprintf(path, sizeof path, "%s/data/%s/pairs.jsonl", shared, name);
    visit_rows(path, add_row, &set);
    double best_ours = 1e300, best_icu = 1e300;
    size_t n_ours = 0, n_icu = 0;
    for (int round = 0; round < N_ROUNDS && set.n; round++) {
        double begin = now_ms();
        n_ours = n_icu = 0;
        for (size_t t = 0; t < set.n; t++)
            n_ours += cut_text(set.text[t], &arena);
        double middle = now_ms();
        for (size_t t = 0; t < set.n; t++)
            n_icu += icu_text(icu, set.text[t]);
        double end = now_ms();
        if (middle - begin < best_ours) best_ours = middle - begin;
        if (end - middle < best_icu) best_icu = end - middle;
    }
    if (set.n)
        printf("speed\t%s\t%zu\t%zu\t%zu\t%.3f\t%zu\t%.3f\n", name, set.n, set.n_bytes,
               n_ours, best_ours, n_icu, best_icu);
    arena_deinit(&arena);
    arena_deinit(&set.arena);
}

/* -- the shared cases
 * ------------------------------------------------------------------- */

typedef struct score {
    UBreakIterator *icu;
    int n_cases, n_ours, n_icu;
} score;

static bool ours_is_right(eh_str text, const json_value *expected) {
    const align_options options = {0};
    eh_arena arena;
    align_units units;
    arena_init(&arena, (size_t)16 << 20);
    bool right = align_units_of(text, &options, &arena, &units, NULL) == EH_STATUS_OK &&
                 units.n == expected->n;
    const json_value *sentence = expected->child;
    for (size_t u = 0; right && u < units.n; u++, sentence = sentence->next)
        right = eh_str_eq(align_unit_text(&units, u), sentence->text);
    arena_deinit(&arena);
    return right;
}

static bool icu_is_right(UBreakIterator *icu, eh_str text, const json_value *expected) {
    UErrorCode status = U_ZERO_ERROR;
    UText utf8 = UTEXT_INITIALIZER;
    utext_openUTF8(&utf8, text.ptr, (int64_t)text.len, &status);
    ubrk_setUText(icu, &utf8, &status);
    const json_value *sentence = expected->child;
    bool right = true;
    size_t from = 0;
    for (int32_t to; right && (to = ubrk_next(icu)) != UBRK_DONE; from = (size_t)to) {
        eh_str found = eh_str_trim(eh_str_slice(text, from, (size_t)to));
        if (found.len == 0) continue;
        right = sentence && eh_str_eq(found, sentence->text);
        if (right) sentence = sentence->next;
    }
    utext_close(&utf8);
    return right && !sentence;
}

static void judge_case(const json_value *row, void *self) {
    score *sum = self;
    eh_str text = json_get_str(row, "text");
    const json_value *expected = json_get(json_get(row, "expect"), "sentences");
    sum->n_cases++;
    sum->n_ours += ours_is_right(text, expected);
    sum->n_icu += icu_is_right(sum->icu, text, expected);
}

int main(int argc, char **argv) {
    static const char *const sets[] = {"faireval", "mtbench_repeat", "judgebench",
                                       "vicuna_gpt4", "llmbar"};
    if (argc < 2) {
        fprintf(stderr, "usage: bench_segment SHARED\n");
        return 2;
    }
    UErrorCode status = U_ZERO_ERROR;
    UBreakIterator *icu = ubrk_open(UBRK_SENTENCE, "", NULL, 0, &status);
    if (U_FAILURE(status)) return 1;
    for (size_t s = 0; s < sizeof sets / sizeof *sets; s++)
        bench_set(argv[1], sets[s], icu);
    char path[1024];
    score sum = {.icu = icu};
    snprintf(path, sizeof path, "%s/cases/segments.jsonl", argv[1]);
    visit_rows(path, judge_case, &sum);
    printf("right\t%d\t%d\t%d\n", sum.n_cases, sum.n_ours, sum.n_icu);
    ubrk_close(icu);
    return 0;
}
