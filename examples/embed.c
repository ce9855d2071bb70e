/* SPDX-License-Identifier: MIT
 *
 * Evenhand inside another program: judges the example pairs with a simulated judge that
 * likes the first slot, and rules one pair by hand.
 *
 *   cc embed.c $(pkg-config --cflags --libs evenhand) -o embed
 *   ./embed pairs.jsonl run.db
 */
#include <evenhand.h>

#include <stdio.h>
#include <string.h>

static int judge_pairs(const char *data_path, const char *ledger_path) {
    char why[EH_MESSAGE_BYTES];
    char *json = NULL;
    eh_run_request request = {.data_path = data_path,
                              .judge = "sim:first=1.5,noise=.5",
                              .ledger_path = ledger_path,
                              .method = "bpc"};
    if (eh_run(&request, why) != 0 || eh_summary(ledger_path, NULL, &json, why) != 0) {
        fprintf(stderr, "embed: %s\n", why);
        return 1;
    }
    printf("%zu bytes of summary from evenhand %s\n", strlen(json), eh_version());
    eh_text_free(json);
    return 0;
}

static int rule_by_hand(void) {
    char why[EH_MESSAGE_BYTES];
    eh_ruling ruling;
    const eh_sample samples[] = {
        {.order = 12,
         .verdict = EH_ANSWER_1,
         .has_scores = 1,
         .score_1 = 9,
         .score_2 = 6},
        {.order = 21,
         .verdict = EH_ANSWER_2,
         .has_scores = 1,
         .score_1 = 7,
         .score_2 = 8},
    };
    if (eh_rule("bpc", samples, 2, &ruling, why) != 0) {
        fprintf(stderr, "embed: %s\n", why);
        return 1;
    }
    printf("answer %d with %.1f to %.1f; the orders %s\n", ruling.verdict,
           ruling.score_1, ruling.score_2, ruling.conflict ? "disagree" : "agree");
    return 0;
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: embed PAIRS.jsonl RUN.db\n");
        return 2;
    }
    return judge_pairs(argv[1], argv[2]) || rule_by_hand();
}
