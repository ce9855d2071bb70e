/* SPDX-License-Identifier: MIT
 *
 * How fast replies are read, and that hostile ones cost no more than their length.
 *
 *   bench_verdict SHARED            recorded replies, read by the template of their set
 *   bench_verdict --hostile         every form, texts of 1/4, 1/2 and 1 MiB
 *
 * Lines of the first kind: template, folder, replies, verdicts, bytes of replies, reads
 * a second; of the second: form, text, milliseconds at the three sizes. Both are
 * separated by tabs, for bench/verdict to print.
 *
 * One thread. A set is read again and again for a second of processor time and the best
 * round counts, as in verdict_baseline.py. What is not measured: loading the rows, the
 * arena's first blocks (they are kept between replies, as in a run).
 */
#include <time.h>

#include "../tests/unit/recorded.h"
#include "base/mem.h"
#include "prompt/template.h"

enum {
    ROUND_MIN_NS = 1000000000,
    ARENA_MAX_BYTES = 1 << 30,
    HOSTILE_TOP_BYTES = 1 << 20
};

/* Processor time: what else the machine does is not measured. */
static int64_t now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* The number of verdicts, or -1. */
static int read_all(const verdict_form *form, const recorded_rows *rows,
                    eh_arena *arena) {
    int n_verdicts = 0;
    for (size_t i = 0; i < rows->n_rows; i++) {
        verdict_reply reply = {.content = rows->rows[i].reply};
        verdict_result r;
        arena_reset(arena);
        if (verdict_read(form, &reply, arena, &r, NULL) != EH_STATUS_OK) return -1;
        n_verdicts += r.verdict != EH_VERDICT_NONE;
    }
    return n_verdicts;
}

static bool bench_set(const char *shared, const recorded_set *set) {
    recorded_rows rows;
    prompt_template *t = NULL;
    eh_arena arena;
    arena_init(&arena, ARENA_MAX_BYTES);
    bool good = recorded_load(shared, set, &rows) &&
                prompt_template_builtin(eh_str_of(set->template_name), &t, NULL) ==
                    EH_STATUS_OK;
    int n_verdicts = 0;
    int64_t begin_ns = now_ns(), best_ns = INT64_MAX;
    while (good && now_ns() - begin_ns < ROUND_MIN_NS) {
        int64_t round_ns = now_ns();
        n_verdicts = read_all(&t->form, &rows, &arena);
        round_ns = now_ns() - round_ns;
        if (round_ns < best_ns) best_ns = round_ns;
        good = n_verdicts >= 0;
    }
    size_t n_bytes = 0;
    for (size_t i = 0; i < rows.n_rows; i++)
        n_bytes += rows.rows[i].reply.len;
    if (good)
        printf("%s\t%s\t%zu\t%d\t%zu\t%.0f\n", set->template_name, set->folders[0],
               rows.n_rows, n_verdicts, n_bytes,
               (double)rows.n_rows * 1e9 / (double)best_ns);
    else
        fprintf(stderr, "%s: cannot read %s\n", set->template_name, set->folders[0]);
    prompt_template_free(t);
    recorded_deinit(&rows);
    arena_deinit(&arena);
    return good;
}

/* What is repeated, and what stands before and behind all of it. */
typedef struct hostile_text {
    const char *name, *begin, *repeat, *end;
} hostile_text;

static const hostile_text hostile_texts[] = {
    {"letters", "", "a", ""},
    {"spaces", "A", " ", "B"},
    {"line feeds", "A", "\n", "B"},
    {"open braces", "", "{", ""},
    {"braces", "", "{}", ""},
    {"open verdicts", "", "{\"verdict\":", ""},
    {"small objects", "", "{\"verdict\":1}", ""},
    {"broken objects", "", "{\"verdict\":x}", ""},
    {"an array", "{\"verdict\":1,\"a\":[0", ",0", "]}"},
    {"one key", "{\"verdict\":1", ",\"verdict\":1", "}"},
    {"quotation marks", "", "\"", ""},
    {"single quotes", "{'verdict':", "'", "}"},
    {"quoted braces", "", "{\"", ""},
    {"comments", "{", "/*", "\"verdict\":1}"},
    {"backslashes", "{\"verdict\":\"", "\\", "\"}"},
    {"open tokens", "", "[[", ""},
    {"tokens", "", "[[A]] ", ""},
    {"long token", "[[", "A>", "]]"},
    {"cues", "", "final verdict: ", ""},
    {"cue lines", "", "verdict is (\n", ""},
    {"clauses", "", "given ", ", verdict: A"},
    {"labels", "", "score of the assistant 1: ", ""},
    {"numbers", "", "Rating: 3 to ", ""},
    {"digits", "Rating: ", "1", ""},
    {"open quotations", "", "\xE2\x80\x9C", ""},
    {"fences", "", "```\n", ""},
    {"block quotes", "", "> ", ""},
    {"think tags", "", "<think>", ""},
    {"closing tags", "", "<think></think>a", ""},
    {"emphasis", "", "*_", ""},
    {"combining marks", "a", "\xCC\x81\xCC\xA3", ""},
    {"ligatures", "", "\xEF\xB7\xBA", ""}, /* U+FDFA, 18 letters each */
    {"marks", "", "output (a) ", ""},
    {"touching marks", "", "xoutput (a)", ""},
    {"apologies", "", "I'm sorry, but ", ""},
};

enum { N_HOSTILE = sizeof hostile_texts / sizeof hostile_texts[0] };

static eh_str hostile_make(const hostile_text *h, size_t n_bytes, char *text) {
    size_t len = strlen(h->begin), end_len = strlen(h->end);
    size_t step = strlen(h->repeat);
    memcpy(text, h->begin, len);
    for (; len + step + end_len <= n_bytes; len += step)
        memcpy(text + len, h->repeat, step);
    memcpy(text + len, h->end, end_len);
    return (eh_str){text, len + end_len};
}

/* The better of two readings, in milliseconds; negative on a failure. */
static double hostile_ms(const verdict_form *form, eh_str content) {
    double best_ms = 1e12;
    for (int i = 0; i < 2; i++) {
        eh_arena arena;
        arena_init(&arena, ARENA_MAX_BYTES);
        verdict_reply reply = {.content = content};
        verdict_result r;
        int64_t begin_ns = now_ns();
        eh_status status = verdict_read(form, &reply, &arena, &r, NULL);
        double ms = (double)(now_ns() - begin_ns) / 1e6;
        arena_deinit(&arena);
        if (status != EH_STATUS_OK) return -1;
        if (ms < best_ms) best_ms = ms;
    }
    return best_ms;
}

static bool bench_hostile_form(const prompt_template *t, char *text) {
    for (size_t i = 0; i < N_HOSTILE; i++) {
        printf("%.*s\t%s", EH_STR_ARG(t->name), hostile_texts[i].name);
        for (size_t n_bytes = HOSTILE_TOP_BYTES / 4; n_bytes <= HOSTILE_TOP_BYTES;
             n_bytes *= 2) {
            double ms =
                hostile_ms(&t->form, hostile_make(&hostile_texts[i], n_bytes, text));
            if (ms < 0) return false;
            printf("\t%.2f", ms);
        }
        printf("\n");
    }
    return true;
}

static bool bench_hostile(void) {
    char *text = mem_alloc(HOSTILE_TOP_BYTES, 1);
    bool good = text != NULL;
    for (size_t i = 0; good && prompt_builtin_name(i).len; i++) {
        prompt_template *t;
        good =
            prompt_template_builtin(prompt_builtin_name(i), &t, NULL) == EH_STATUS_OK;
        if (good) good = bench_hostile_form(t, text);
        prompt_template_free(t);
    }
    mem_free(text);
    return good;
}

int main(int argc, char **argv) {
    bool good = argc == 2;
    if (!good) {
        fprintf(stderr, "usage: bench_verdict SHARED | --hostile\n");
    } else if (strcmp(argv[1], "--hostile") == 0) {
        good = bench_hostile();
    } else {
        for (int i = 0; good && i < RECORDED_N_SETS; i++)
            good = bench_set(argv[1], &recorded_sets[i]);
    }
    return good ? 0 : 1;
}
