/* SPDX-License-Identifier: MIT
 *
 * Made-up judgments of any number, and a bootstrap alone, for bench/stats.
 *
 *   bench_stats make PAIRS SAMPLES              judgments of one judge on standard
 * output bench_stats bootstrap QUESTIONS RESAMPLES   seconds of the processor
 *
 * Each pair is asked SAMPLES times in both orders. A row has about 460 bytes: a reply
 * of a few sentences with line ends and quotation marks in it, as judges write them, so
 * that strings have to be decoded. Verdicts lean towards the first slot; one reply in a
 * hundred has none. The same arguments give the same bytes.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/rng.h"
#include "stats/bootstrap.h"

static const char *const sentences[] = {
    "Assistant 1 answers the question directly and names its source.",
    "Assistant 2 is longer, but repeats what was said before.",
    "Both are correct on the main point.",
    "The second answer says \\\"it depends\\\" without saying on what.",
    "The first answer leaves out the exception for leap years.",
    "Neither explains why the obvious way fails.",
    "The code of Assistant 1 runs; that of Assistant 2 has an off-by-one error.",
    "In tone and structure they hardly differ.",
};

enum {
    N_SENTENCES = sizeof sentences / sizeof sentences[0],
    REPLY_BYTES = 290,
    QUESTIONS_MAX = 1 << 20
};

static void put_reply(eh_rng *rng, const char *mark) {
    size_t n = 0;
    while (n < REPLY_BYTES) {
        const char *s = sentences[rng_below(rng, N_SENTENCES)];
        n += strlen(s) + 2;
        (void)printf("%s%s", s, rng_below(rng, 3) == 0 ? "\\n" : " ");
    }
    (void)printf("\\nMy final verdict: %s", mark);
}

/* One judgment: the slot that is shown first has an edge. */
static void put_row(eh_rng *rng, int pair, int order, int sample) {
    double quality = 0.9 * (double)(pair % 100 - 50) / 50.0; /* of answer 1 over 2 */
    double shown = (order ? -quality : quality) + 0.35 + rng_normal(rng);
    const char *mark = shown > 0.25 ? "[[A]]" : shown < -0.25 ? "[[B]]" : "[[C]]";
    const char *verdict = mark[2] == 'C'             ? "\"tie\""
                          : (mark[2] == 'A') ^ order ? "\"1\""
                                                     : "\"2\"";
    bool failed = rng_below(rng, 100) == 0;
    (void)printf("{\"pair_id\": \"question-%06d\", \"judge\": \"judge-x/compare\", "
                 "\"order\": \"%s\", \"sample\": %d, \"reply\": \"",
                 pair, order ? "21" : "12", sample);
    put_reply(rng, failed ? "none" : mark);
    (void)printf("\", \"verdict\": %s%s}\n", failed ? "null" : verdict,
                 failed ? ", \"reason\": \"no_verdict\"" : "");
}

static int make(int n_pairs, int n_samples) {
    for (int sample = 0; sample < n_samples; sample++)
        for (int pair = 0; pair < n_pairs; pair++)
            for (int order = 0; order < 2; order++) {
                eh_rng rng =
                    rng_make(1, "bench.stats",
                             (uint64_t)pair << 16 | (uint64_t)(sample * 2 + order));
                put_row(&rng, pair, order, sample);
            }
    return fflush(stdout) == 0 ? 0 : 1;
}

static double processor_seconds(void) {
    struct timespec t;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* One statistic, one row a question. */
static int bootstrap(int n_questions, int n_resamples) {
    static double sums[QUESTIONS_MAX];
    static int64_t counts[QUESTIONS_MAX];
    stats_interval interval;
    eh_rng rng = rng_make(1, "bench.bootstrap", 0);
    if (n_questions > QUESTIONS_MAX) return 1;
    for (int g = 0; g < n_questions; g++) {
        sums[g] = rng_uniform(&rng);
        counts[g] = 1;
    }
    const stats_question_sums set = {sums, counts};
    const stats_resampling how = {n_resamples, 1, .95};
    double began = processor_seconds();
    eh_status status = stats_bootstrap(&set, 1, n_questions, &how, &interval, NULL);
    (void)printf("%.6f\n", processor_seconds() - began);
    return status == EH_STATUS_OK && interval.low < interval.high ? 0 : 1;
}

int main(int argc, char **argv) {
    int a = argc == 4 ? (int)strtol(argv[2], NULL, 10) : 0;
    int b = argc == 4 ? (int)strtol(argv[3], NULL, 10) : 0;
    if (a > 0 && b > 0 && strcmp(argv[1], "make") == 0) return make(a, b);
    if (a > 0 && b > 0 && strcmp(argv[1], "bootstrap") == 0) return bootstrap(a, b);
    (void)fprintf(stderr, "usage: bench_stats make PAIRS SAMPLES\n"
                          "       bench_stats bootstrap QUESTIONS RESAMPLES\n");
    return 2;
}
