/* SPDX-License-Identifier: MIT
 *
 * Triples of answers to one question, of which all three pairs were ruled.
 *
 *   a > b, b > c  and  a > c    in order
 *   a > b, b > c  and  c > a    a circle
 *   a = b, b = c  and  a > c    broken by a tie: no order of the three has it
 *
 * A judge that scores each answer alone orders every triple; one that compares pairs
 * need not, and how often it does not is a measure of its noise that asks for no label.
 *
 * Rulings of the open question stand in a small square of models; several rulings of
 * the same two are added up. A question has few models, so a square is enough.
 */
#include "tally/transitivity.h"

#include "base/hash.h"
#include "base/mem.h"

enum { MODELS_MAX = 64 };

struct tally_transitivity {
    report_transitivity counts; /* of closed questions */
    uint64_t question;
    uint64_t models[MODELS_MAX]; /* [n_models] their names' hashes */
    int n_models;
    /* votes for the row's model against the column's, and whether there is a ruling */
    int votes[MODELS_MAX][MODELS_MAX];
    bool ruled[MODELS_MAX][MODELS_MAX];
};

tally_transitivity *tally_transitivity_new(void) {
    return mem_zalloc(1, sizeof(tally_transitivity));
}

void tally_transitivity_free(tally_transitivity *t) {
    mem_free(t);
}

static int sign(int x) {
    return (x > 0) - (x < 0);
}

/* Three signs round the triangle: a against b, b against c, c against a. In order they
 * hold at least one + and one -, or are all 0; two 0 and a sign, or all of one sign, or
 * one 0 between two equal signs, are not. */
static void count_triple(report_transitivity *c, int ab, int bc, int ca) {
    int n_plus = (ab > 0) + (bc > 0) + (ca > 0);
    int n_minus = (ab < 0) + (bc < 0) + (ca < 0);
    c->n_triples++;
    if (n_plus == 3 || n_minus == 3)
        c->n_circles++;
    else if ((n_plus == 0) != (n_minus == 0))
        c->n_broken_by_tie++;
}

static void close_question(tally_transitivity *t) {
    for (int a = 0; a < t->n_models; a++)
        for (int b = a + 1; b < t->n_models; b++)
            for (int c = b + 1; t->ruled[a][b] && c < t->n_models; c++)
                if (t->ruled[b][c] && t->ruled[a][c])
                    count_triple(&t->counts, sign(t->votes[a][b]), sign(t->votes[b][c]),
                                 sign(t->votes[c][a]));
    for (int a = 0; a < t->n_models; a++)
        for (int b = 0; b < t->n_models; b++) {
            t->votes[a][b] = 0;
            t->ruled[a][b] = false;
        }
    t->n_models = 0;
}

/* The model's place in the open question, or -1. */
static int place_of(tally_transitivity *t, eh_str model) {
    eh_hash h;
    uint8_t digest[HASH_BYTES];
    hash_init(&h, "eh-model-1");
    hash_str(&h, model);
    hash_done(&h, digest);
    uint64_t name = hash_u64(digest);
    for (int i = 0; i < t->n_models; i++)
        if (t->models[i] == name) return i;
    if (t->n_models == MODELS_MAX) return -1;
    t->models[t->n_models] = name;
    return t->n_models++;
}

void tally_transitivity_add(tally_transitivity *t, const ledger_pair *pair,
                            eh_verdict ruling) {
    if (pair->question_hash != t->question) close_question(t);
    t->question = pair->question_hash;
    if (!pair->model_1.len || !pair->model_2.len || ruling == EH_VERDICT_NONE) return;
    int a = place_of(t, pair->model_1), b = place_of(t, pair->model_2);
    if (a < 0 || b < 0 || a == b) return;
    t->votes[a][b] += eh_verdict_vote(ruling);
    t->votes[b][a] -= eh_verdict_vote(ruling);
    t->ruled[a][b] = t->ruled[b][a] = true;
}

report_transitivity tally_transitivity_counts(tally_transitivity *t) {
    close_question(t);
    return t->counts;
}
