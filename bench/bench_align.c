/* SPDX-License-Identifier: MIT
 *
 * How fast answers are aligned.
 *
 *   bench_align --exact             the recurrence beside trying every cut (bit sets)
 *   bench_align --sets              the instruction sets beside each other
 *   bench_align --growth            time by units and by parts
 *   bench_align --folder SHARED     recorded pairs from end to end
 *
 * Lines separated by tabs, for bench/align to print. Times are of one thread on the
 * processor, the best of several runs, since other programs only make a run slower.
 *
 * Texts of the first three are made up: units of 14 words, drawn as words are (the k-th
 * most frequent with a weight of 1/k from 1,500), so that about as many are common to
 * both answers as in real ones. What is not measured: reading files, and ICU's first
 * use in a process, which loads its data (some 15 ms).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "brute_cut.h"
#include "align/cut.h"
#include "base/buf.h"
#include "base/json_read.h"
#include "base/mem.h"
#include "base/rng.h"

enum { N_VOCABULARY = BRUTE_WORDS, WORDS_IN_UNIT = 14 };
enum { LONG_ANSWER_BYTES = 10000 };

/* Time of this thread on a processor: other programs do not count. */
static double now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static void must(eh_status status, const eh_error *err) {
    if (status == EH_STATUS_OK) return;
    fprintf(stderr, "bench_align: %s\n", err->msg);
    exit(1);
}

/* -- made-up pairs ----------------------------------------------------------------- */

typedef struct bench_pair {
    eh_arena arena;   /* what lives as long as the pair */
    eh_arena scratch; /* a cut */
    eh_buf text[2];
    align_units units[2];
    align_pair pair;
    align_similarity *similarity;
} bench_pair;

/* The rank of a word: 1/k as weight of rank k. */
static size_t draw_rank(eh_rng *rng, const double *sums) {
    double at = rng_uniform(rng) * sums[N_VOCABULARY - 1];
    size_t k = 0;
    while (sums[k] < at)
        k++;
    return k;
}

static void make_text(eh_buf *text, size_t n_units, uint64_t seed) {
    double sums[N_VOCABULARY];
    for (size_t k = 0; k < N_VOCABULARY; k++)
        sums[k] = (k ? sums[k - 1] : 0) + 1.0 / (double)(k + 1);
    eh_rng rng = rng_make(seed, "bench.align", n_units);
    for (size_t u = 0; u < n_units; u++) {
        buf_add_cstr(text, "-");
        for (int w = 0; w < WORDS_IN_UNIT; w++)
            buf_printf(text, " w%zu", draw_rank(&rng, sums));
        buf_add_cstr(text, ".\n");
    }
}

static void pair_init(bench_pair *bench, size_t n_1, size_t n_2) {
    const size_t n[2] = {n_1, n_2};
    const align_options options = {0};
    eh_error err;
    arena_init(&bench->arena, (size_t)1 << 30);
    arena_init(&bench->scratch, (size_t)1 << 30);
    for (int side = 0; side < 2; side++) {
        buf_init(&bench->text[side], (size_t)1 << 30);
        make_text(&bench->text[side], n[side], (uint64_t)side);
        must(align_units_of(buf_view(&bench->text[side]), &options, &bench->arena,
                            &bench->units[side], &err),
             &err);
    }
    bench->pair = (align_pair){&bench->units[0], &bench->units[1]};
    must(align_similarity_words(&bench->pair, &bench->arena, &bench->similarity, &err),
         &err);
}

static void pair_deinit(bench_pair *bench) {
    arena_deinit(&bench->arena);
    arena_deinit(&bench->scratch);
    buf_deinit(&bench->text[0]);
    buf_deinit(&bench->text[1]);
}

/* Best time of a cut; at least five runs and a quarter of a second of them. */
static double cut_ms(bench_pair *bench, size_t parts, double *sum) {
    double best = 1e300, total = 0;
    for (int run = 0; run < 5 || total < 250; run++) {
        align_cut cut;
        eh_error err;
        arena_reset(&bench->scratch);
        double begin = now_ms();
        must(align_semantic_cut(&bench->pair, bench->similarity, parts, &bench->scratch,
                                &cut, &err),
             &err);
        double took = now_ms() - begin;
        total += took;
        if (took < best) best = took;
        *sum = cut.sum;
    }
    return best;
}

/* -- every cut, tried with bit sets -------------------------------------------------
 */

/* Best time of trying every cut, sets and all. */
static double brute_ms(const bench_pair *bench, bool tuned, double *sum) {
    const char *const text[2] = {bench->text[0].ptr, bench->text[1].ptr};
    const size_t n[2] = {bench->units[0].n, bench->units[1].n};
    double best = 1e300, total = 0;
    for (int run = 0; run < 3 || total < 250; run++) {
        brute b;
        double begin = now_ms();
        brute_init(&b, text, n, WORDS_IN_UNIT, tuned);
        *sum = tuned ? brute_tuned(&b) : brute_plain(&b);
        brute_deinit(&b);
        double took = now_ms() - begin;
        total += took;
        if (took < best) best = took;
    }
    return best;
}

static bool same_sum(double a, double b) {
    return a - b < 1e-9 && b - a < 1e-9;
}

static void bench_exact(void) {
    static const size_t sizes[] = {20, 40, 80};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        bench_pair bench;
        double sum, plain_sum, tuned_sum;
        pair_init(&bench, sizes[s], sizes[s]);
        double ms = cut_ms(&bench, 3, &sum);
        double plain_ms = brute_ms(&bench, false, &plain_sum);
        double tuned_ms = brute_ms(&bench, true, &tuned_sum);
        bool same = same_sum(sum, plain_sum) && same_sum(sum, tuned_sum);
        printf("exact\t%zu\t3\t%.4f\t%.4f\t%.2f\t%.4f\t%.2f\t%s\n", sizes[s], ms,
               plain_ms, plain_ms / ms, tuned_ms, tuned_ms / ms,
               same ? "equal" : "DIFFERS");
        pair_deinit(&bench);
    }
}

/* -- instruction sets and growth
 * ------------------------------------------------------- */

/* Cells of the recurrence: starts by ends, times layers that are filled for all. */
static double cells(size_t n, size_t m, size_t parts) {
    double layers = parts > 3 ? (double)parts - 2 : 1;
    return (double)n * (double)(n - 1) / 2 * (double)m * (double)(m - 1) / 2 * layers;
}

static void bench_sets(void) {
    static const size_t shapes[][2] = {{20, 3}, {40, 3}, {100, 3}, {100, 10}, {200, 3}};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        size_t n = shapes[s][0], parts = shapes[s][1];
        bench_pair bench;
        pair_init(&bench, n, n);
        double scalar_ms = 0, scalar_sum = 0;
        for (int set = 0; set < SIMD_N; set++) {
            const align_kernels *kernels = align_kernels_of((simd_set)set);
            if (!kernels) continue;
            bench.similarity->kernels = kernels;
            double sum, ms = cut_ms(&bench, parts, &sum);
            if (set == SIMD_SCALAR) {
                scalar_ms = ms;
                scalar_sum = sum;
            }
            printf("sets\t%zu\t%zu\t%s\t%.4f\t%.1f\t%.2f\t%s\n", n, parts,
                   simd_name((simd_set)set), ms, cells(n, n, parts) / ms / 1e3,
                   scalar_ms / ms,
                   memcmp(&sum, &scalar_sum, sizeof sum) ? "DIFFERS" : "equal");
        }
        pair_deinit(&bench);
    }
}

static void bench_growth(void) {
    static const size_t units[] = {25, 50, 100, 200};
    static const size_t parts[] = {2, 3, 4, 6, 10};
    for (size_t u = 0; u < sizeof units / sizeof *units; u++)
        for (size_t p = 0; p < sizeof parts / sizeof *parts; p++) {
            bench_pair bench;
            double sum;
            pair_init(&bench, units[u], units[u]);
            double ms = cut_ms(&bench, parts[p], &sum);
            printf("growth\t%zu\t%zu\t%zu\t%.4f\n", units[u], parts[p],
                   bench.text[0].len + bench.text[1].len, ms);
            pair_deinit(&bench);
        }
}

/* -- recorded pairs
 * -------------------------------------------------------------------- */

typedef struct folder_times {
    size_t n_pairs, n_bytes, n_units;
    double units_ms, words_ms, cut_ms, worst_ms, worst_cut_ms;
    size_t worst_units[2]; /* of the pair with the longest cut */
} folder_times;

/* One pair from end to end, the best of some runs of each step. */
static void time_pair(const eh_buf answers[2], folder_times *times) {
    const align_options options = {.parts = 3};
    eh_str text[2] = {buf_view(&answers[0]), buf_view(&answers[1])};
    double best[3] = {1e300, 1e300, 1e300};
    eh_arena arena;
    eh_error err;
    align_units units[2];
    arena_init(&arena, (size_t)1 << 30);
    for (int run = 0; run < 5; run++) {
        arena_reset(&arena);
        double at[4] = {now_ms()};
        for (int side = 0; side < 2; side++)
            must(align_units_of(text[side], &options, &arena, &units[side], &err),
                 &err);
        align_pair pair = {&units[0], &units[1]};
        align_similarity *similarity;
        align_cut cut;
        at[1] = now_ms();
        must(align_similarity_words(&pair, &arena, &similarity, &err), &err);
        at[2] = now_ms();
        must(align_semantic_cut(&pair, similarity, 3, &arena, &cut, &err), &err);
        at[3] = now_ms();
        for (int k = 0; k < 3; k++)
            if (at[k + 1] - at[k] < best[k]) best[k] = at[k + 1] - at[k];
    }
    arena_deinit(&arena);
    times->n_pairs++;
    times->n_bytes += text[0].len + text[1].len;
    times->n_units += units[0].n + units[1].n;
    times->units_ms += best[0];
    times->words_ms += best[1];
    times->cut_ms += best[2];
    double all = best[0] + best[1] + best[2];
    if (all > times->worst_ms) times->worst_ms = all;
    if (best[2] > times->worst_cut_ms) {
        times->worst_cut_ms = best[2];
        times->worst_units[0] = units[0].n;
        times->worst_units[1] = units[1].n;
    }
}

/* Pairs of a set; with min_bytes, answers of rows that follow each other are joined
 * until both sides have as many. */
static void bench_folder(const char *shared, const char *set, size_t min_bytes) {
    char path[1024];
    snprintf(path, sizeof path, "%s/data/%s/pairs.jsonl", shared, set);
    FILE *file = fopen(path, "rb");
    if (!file) return;
    folder_times times = {0};
    json_reader *reader = json_reader_new();
    eh_arena arena;
    eh_buf answers[2];
    arena_init(&arena, (size_t)1 << 30);
    buf_init(&answers[0], (size_t)1 << 30);
    buf_init(&answers[1], (size_t)1 << 30);
    char *line = NULL;
    size_t cap = 0;
    for (ssize_t len; (len = getline(&line, &cap, file)) > 0;) {
        json_fault fault;
        arena_reset(&arena);
        const json_value *row =
            json_read(reader, &arena, (eh_str){line, (size_t)len}, &fault);
        if (!row) continue;
        for (int side = 0; side < 2; side++) {
            if (answers[side].len) buf_add_cstr(&answers[side], "\n\n");
            buf_add_str(&answers[side],
                        json_get_str(row, side ? "answer_2" : "answer_1"));
        }
        if (answers[0].len < min_bytes || answers[1].len < min_bytes) continue;
        time_pair(answers, &times);
        buf_reset(&answers[0]);
        buf_reset(&answers[1]);
    }
    printf("folder\t%s%s\t%zu\t%zu\t%zu\t%.2f\t%.2f\t%.2f\t%.3f\t%.3f\t%zu\t%zu\n", set,
           min_bytes ? ", joined" : "", times.n_pairs, times.n_bytes, times.n_units,
           times.units_ms, times.words_ms, times.cut_ms, times.worst_ms,
           times.worst_cut_ms, times.worst_units[0], times.worst_units[1]);
    free(line);
    fclose(file);
    arena_deinit(&arena);
    buf_deinit(&answers[0]);
    buf_deinit(&answers[1]);
    json_reader_free(reader);
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    if (strcmp(what, "--exact") == 0) {
        bench_exact();
    } else if (strcmp(what, "--sets") == 0) {
        bench_sets();
    } else if (strcmp(what, "--growth") == 0) {
        bench_growth();
    } else if (strcmp(what, "--folder") == 0 && argc > 2) {
        bench_folder(argv[2], "faireval", 0);
        bench_folder(argv[2], "mtbench_repeat", 0);
        bench_folder(argv[2], "faireval", LONG_ANSWER_BYTES);
        bench_folder(argv[2], "mtbench_repeat", LONG_ANSWER_BYTES);
    } else {
        fprintf(stderr, "usage: bench_align --exact|--sets|--growth|--folder SHARED\n");
        return 2;
    }
    return 0;
}
