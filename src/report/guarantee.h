/* SPDX-License-Identifier: MIT
 *
 * Which rulings of a judge may stand without people: down to which doubt it agrees with
 * them as often as is wanted, with a stated probability.
 */
#ifndef EH_REPORT_GUARANTEE_H
#define EH_REPORT_GUARANTEE_H

#include "base/json_write.h"
#include "plan/queue.h"

/* X(id, name, text): why nothing is tested. Names stand in JSON. */
#define REPORT_REFUSAL_LIST(X)                                                         \
    X(NOT, "", "")                                                                     \
    X(NO_LABELS, "no_labels",                                                          \
      "there are no labels. Label a random part of the pairs: annotate --selection "   \
      "random")                                                                        \
    X(NOT_RANDOM, "labels_not_at_random",                                              \
      "the labelled pairs are no random part of all, so they do not stand for them. "  \
      "Label a random part: annotate --selection random, in a copy of the ledger "     \
      "where it has another queue")                                                    \
    X(ORIGIN_UNKNOWN, "labels_of_unknown_origin",                                      \
      "only some pairs have labels, and the ledger does not know how those were "      \
      "chosen. If they were drawn at random say so: --labels-random")                  \
    X(SHARED_QUESTIONS, "several_pairs_of_a_question",                                 \
      "several of the labelled pairs are of one question, so they are no independent " \
      "cases. Use a data set with one pair a question")                                \
    X(TOO_FEW, "too_few_labels",                                                       \
      "with so few labels nothing can be shown, even if people always agree")

typedef enum report_refusal {
#define X(id, name, text) REPORT_REFUSAL_##id,
    REPORT_REFUSAL_LIST(X)
#undef X
        REPORT_REFUSAL_N
} report_refusal;

const char *report_refusal_text(report_refusal r);

typedef struct report_guarantee {
    eh_str judge;
    double alpha, delta; /* agreement >= 1 - alpha, with probability 1 - delta */
    eh_str selection;    /* of the queue; absent where there is none */
    bool is_census;      /* all pairs have labels */
    int64_t n_pairs, n_without_ruling;
    int64_t n_sample; /* labelled pairs that count, with those that people left */
    int64_t n_left;   /* of those: skipped or unfamiliar; taken for disagreement */
    int64_t n_shared; /* of the sample: pairs whose question another one has */
    int64_t least;    /* the least useful sample */
    report_refusal refusal;
    bool is_found;
    plan_queue_entry threshold; /* the most doubtful ruling that may stand; index -1 */
    int64_t n_stand;            /* pairs left to the judge */
    double coverage;            /* their share */
    int64_t n_above;            /* of the sample */
    double agreement, low;
    double first_agreement; /* in the surer half; NaN without labels there */
    int64_t n_first;
    int64_t wanted; /* labels that would show it for the surer half; 0: none would */
} report_guarantee;

/* May the ruling of this pair stand? */
bool report_guarantee_stands(const report_guarantee *g, const plan_queue_entry *entry);

/* The value of a key "guarantee", or of a name in it. */
void report_guarantee_json(const report_guarantee *g, json_writer *w);

/* For people (layout.h). */
void report_guarantee_text(const report_guarantee *g, eh_buf *out);

#endif
