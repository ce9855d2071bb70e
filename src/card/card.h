/* SPDX-License-Identifier: MIT
 *
 * The judge card as plain structs, and its writers: JSON (stable) and text for a
 * terminal. docs/audit.md says how the numbers are meant.
 */
#ifndef EH_CARD_CARD_H
#define EH_CARD_CARD_H

#include "audit/score.h"
#include "base/json_write.h"
#include "plan/method.h"
#include "stats/test.h"

typedef struct card_group {
    eh_str category;
    audit_score score;
} card_group;

typedef struct card_probe {
    eh_str name;
    const audit_probe *known; /* NULL: a user's own */
    audit_form form;
    audit_score score;
    audit_unreadable fault;
    audit_state state;
    bool flagged;
    /* People: over all votes of a pair, which have no placebo (n_placebo_hits and what
     * compares with it are 0 and NaN); n = 0 for a judge. */
    audit_paired all_votes;
    card_group *groups; /* [n_groups] by category; none where there is one */
    size_t n_groups;
} card_probe;

/* Pairs by how much longer the longer answer is, in tokens of about four characters. */
enum { CARD_BINS = 5, CARD_BIN_TOKENS = 10, CARD_TOKEN_CP = 4 };

typedef struct card_bin {
    int64_t n;
    stats_interval longer; /* mean preference for the longer answer, by question */
} card_bin;

/* ---- attacks: weaker answers dressed up, against an anchor ---- */

/* One set of weaker answers: a model's, or those that a probe made worse. */
typedef struct card_attack_weak {
    eh_str name;
    bool by_probe; /* the name is a probe's */
    int64_t n_pairs;
    int64_t n_anchor, n_tie, n_weak, n_failed; /* votes on undressed pairs, both runs */
    stats_interval anchor; /* mean preference for the anchor, by question */
    audit_score *scores;   /* [n_attacks]; n_pairs 0: not made */
    audit_state *states;   /* [n_attacks] */
} card_attack_weak;

typedef struct card_attack {
    eh_str anchor; /* its model; absent where there are several */
    eh_str *names; /* [n_attacks] "references", "both" */
    /* [n_attacks] of turnover above placebo over the sets' preference for the anchor */
    stats_trend *trends;
    size_t n_attacks;
    card_attack_weak *weak; /* [n_weak] the strongest first */
    size_t n_weak;
} card_attack;

/* ---- who wrote the answers ---- */

typedef struct card_family_row {
    eh_str family;
    bool is_own;
    audit_score score; /* over the pairs whose perturbed answer is of the family */
} card_family_row;

typedef struct card_family_probe {
    eh_str name;
    audit_form form;
    card_family_row *rows; /* [n_rows] own first, then by name */
    size_t n_rows;
    audit_score own, others;   /* n_pairs 0 where there is none */
    stats_interval difference; /* asr of own - others; Newcombe's method 10 */
    double p;                  /* Fisher's exact test; NaN: undefined */
} card_family_probe;

typedef struct card_family {
    eh_str judge;                    /* the judge's family; absent: not known */
    bool is_stated;                  /* by the user, not read from the name */
    eh_str own_models, other_models; /* "gpt-4, gpt-4o": who counts as what */
    int64_t n_unnamed;               /* plain pairs with an answer of nobody */
    int64_t n_mixed, n_both,
        n_none;         /* plain pairs: one answer of the own family, ... */
    stats_interval own; /* mean preference for the own one, by question */
    /* Over the mixed pairs that people labelled: */
    int64_t n_labelled;
    stats_interval own_labelled, people; /* of the judge; of people */
    stats_interval excess;               /* judge - people, paired by question */
    double excess_p;
    card_family_probe *probes; /* [n_probes] in the card's order */
    size_t n_probes;
} card_family;

/* ---- people as a judge ---- */

typedef struct card_people {
    int64_t n_people, n_labels; /* whose labels count, and how many of them */
    int64_t n_unfamiliar;       /* left out: the topic was not known */
    int64_t n_adjudicated;      /* left out: the owner's word on a disagreement */
    int64_t n_unplaced;         /* without a side: no part of the order's rate */
    int64_t n_rows, n_labelled; /* plain and perturbed pairs; with a label */
    int votes_low, votes_high;  /* labels that count, on one labelled pair */
} card_people;

typedef struct card_judge {
    eh_str name, template_name, params_json;
    eh_str source; /* the ledger's name where cards of several are shown; else absent */
    bool names_ledger;         /* the name is followed by the source */
    int64_t first_ms, last_ms; /* of the calls; -1: none */
    bool mixed_models;         /* the endpoint named several models */
    int k;                     /* votes of each order */
    int64_t n_pairs;           /* plain ones */
    int64_t n_trimmed;         /* answers that lost white space at an end */
    int64_t n_open;            /* calls that the audit still needs; 0: it is whole */
    int64_t n_calls;           /* of all that was asked */
    int64_t n_votes, n_failed; /* rows with equal prompts share calls: votes of all
                                  rows, and those without a verdict */
    int64_t cost_nusd;         /* -1 = unknown */
    audit_judge judge;
    audit_unreadable fault;
    audit_limits limits;
    card_probe *probes; /* [n_probes] worst first */
    size_t n_probes;
    double detectable_before;
    card_bin bins[CARD_BINS];
    stats_trend trend; /* of the preference for the longer answer over the bins */
    const card_attack *attack; /* NULL: none was made */
    const card_family *family; /* NULL: no answer has a named model */
    const card_people *people; /* NULL: a judge; else the labels of people */
} card_judge;

typedef struct card_set {
    card_judge *judges; /* [n_judges] */
    size_t n_judges;
    bool both_forms; /* text: each probe also under the other form */
} card_set;

void card_json(const card_set *a, eh_buf *out);

/* A card for each judge: who, the sentence, a paragraph for each probe, then tables. */
void card_text(const card_set *a, eh_buf *out);

/* ---- what it says in words (words.c) ---- */

/* A whole number of 100, as the page's script rounds it (12.5 is 13), and never -0. */
double card_of_100(double share);

/* "19 to 39" of 100; "no interval" where all pairs are of one question. Returns text.
 */
enum { CARD_RANGE_CHARS = 32 };
const char *card_range(double low, double high, char text[CARD_RANGE_CHARS]);

/* "28 of 100 (95 %: 19 to 39)"; "0 of 48; could be up to 7 in 100". */
void card_share(eh_buf *out, int64_t n_hits, int64_t n, const stats_interval *r);

/* What a person would say first: the worst probe, and for which we cannot tell. */
void card_sentence(const card_judge *j, eh_buf *out);

/* "fake references"; a user's own probe by its name. */
eh_str card_probe_short(const card_probe *p);

/* "At least 12 more verdicts in 100 change."; or why nothing can be read. */
void card_probe_finding(const card_judge *j, const card_probe *p, eh_buf *out);

/* "Changed: 28 of 100 (95 %: 19 to 39); placebo 6, ...": what stands behind it. */
void card_probe_rates(const card_probe *p, eh_buf *out);

/* A column a judge, or a date of one judge; then each one's sentence. At most 80
 * columns wide. */
void card_side_by_side(const card_set *a, eh_buf *out);
bool card_is_one_judge_twice(const card_set *a);

/* NULL: the card has no such probe. */
const card_probe *card_probe_of(const card_judge *j, eh_str name);

/* What a probe is about (errors that are missed, or verdicts that change beyond the
 * placebo), from the first card to the second; NaN where either is NULL or cannot be
 * read. */
stats_interval card_change(const card_probe *a, const card_probe *b);

/* A date as 2026-11-30, UTC; empty for -1. */
enum { CARD_DAY_CHARS = 16 };
void card_day(int64_t ms, char text[CARD_DAY_CHARS]);

/* The i-th of the limits that apply to this card, worst first, as one sentence for
 * people; false behind the last, and then nothing is added. */
bool card_limit(const card_judge *j, size_t i, eh_buf *out);

/* "it picks the first answer in 81 of 100 cases": why a judge cannot be read. */
void card_fault(const card_judge *j, audit_unreadable why, eh_buf *out);

/* Parts of the card that are there only where their data are. The text ends with an LF;
 * the JSON is a member of the open object, null where there is nothing. */
/* " Weaker answers win by being dressed up: ...": goes on behind the card's sentence.
 */
void card_attack_sentence(const card_judge *j, eh_buf *out);
/* "a weaker answer is dressed up by rule and held against that of X. ..." */
void card_attack_intro(const card_attack *a, eh_buf *out);
/* "references turns fewer (p = .0021)", with a larger lead of the anchor; false and
 * nothing where there is no trend to speak of: fewer than two sets. */
bool card_attack_trend(const card_attack *a, size_t i, eh_buf *out);
void card_attack_text(const card_judge *j, eh_buf *out);
void card_attack_json(const card_judge *j, json_writer *w);
/* Is there anything to hold against each other? */
bool card_family_says_something(const card_family *f);
void card_family_who(const card_family *f, eh_buf *out);
void card_family_self(const card_family *f, eh_buf *out); /* nothing without such */
/* False where all perturbed answers are of one family that is not the judge's: the card
 * has said it. */
bool card_family_probe_differs(const card_family_probe *p);
/* "missed, own less others: +12 in 100 (...)"; false and nothing where undefined. */
bool card_family_difference(const card_family_probe *p, eh_buf *out);
#define CARD_FAMILY_CAVEAT                                                             \
    "Families are read from names. Pairs of different authors are different pairs, "   \
    "so their questions may differ as well. Where one family wrote, perturbed and "    \
    "judges, it knows such texts best, and its rates may look better than on others'."
void card_family_text(const card_judge *j, eh_buf *out);
void card_family_json(const card_judge *j, json_writer *w);
void card_people_text(const card_judge *j, eh_buf *out);
void card_people_json(const card_judge *j, json_writer *w);

/* {value, low, high}, and why where they are null; and the members of a score, into the
 * object that is open. */
void card_put_interval(json_writer *w, const char *key, const stats_interval *r);
void card_put_score(json_writer *w, const audit_score *s);
/* Null where it is not known. */
void card_put_to_tell(json_writer *w, const audit_score *s);

#endif
