/* SPDX-License-Identifier: MIT
 *
 * Made-up judgments of any number, for bench/stats.
 *
 *   bench_stats make PAIRS SAMPLES      judgments of one judge on standard output
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

#include "base/rng.h"

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

enum { N_SENTENCES = sizeof sentences / sizeof sentences[0], REPLY_BYTES = 330 };

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

int main(int argc, char **argv) {
    if (argc != 4 || strcmp(argv[1], "make") != 0) {
        (void)fprintf(stderr, "usage: bench_stats make PAIRS SAMPLES\n");
        return 2;
    }
    int n_pairs = (int)strtol(argv[2], NULL, 10);
    int n_samples = (int)strtol(argv[3], NULL, 10);
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
