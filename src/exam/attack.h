/* SPDX-License-Identifier: MIT
 *
 * Attacks on a judge (Chen et al. 2024, arXiv:2402.10669, section 6): an answer that is
 * weaker than an anchor's is dressed up by rules, and the judge is asked whether it
 * wins now. What an attack is, how an answer is dressed, and what the votes say of it.
 */
#ifndef EH_EXAM_ATTACK_H
#define EH_EXAM_ATTACK_H

#include "audit/probe.h"
#include "ledger/ledger.h"
#include "card/card.h"
#include "tally/summarize.h"

enum { EXAM_ATTACK_STEPS = 2, EXAM_ATTACKS_MAX = 8, EXAM_WEAK_MAX = 64 };

/* Rules that are applied one after the other. */
typedef struct exam_attack {
    eh_str name; /* of the rule, or "both" */
    const audit_probe *steps[EXAM_ATTACK_STEPS];
    int n_steps;
} exam_attack;

/* Reads "references,rich_content,both"; any probe that has a rule and changes what
 * should not matter can be one. USAGE says what is wrong; absent: none. In `arena`. */
EH_MUST_USE eh_status exam_attacks_parse(eh_str list, eh_arena *arena,
                                         exam_attack **attacks, size_t *n,
                                         eh_error *err);

/* Dresses an answer up: changes[i].text is what step i made, the last one the result.
 * *reject is not NONE where a rule cannot. `changes` has EXAM_ATTACK_STEPS. */
EH_MUST_USE eh_status exam_attack_dress(const exam_attack *attack,
                                        const audit_input *input, eh_arena *arena,
                                        audit_change *changes, audit_reject *reject,
                                        eh_error *err);

typedef struct exam_attack_card {
    const audit_limits *limits;
    double p_tie; /* of the judge, as its fault */
    audit_unreadable fault;
    /* grow by what attacks ask for beside the rest of the audit, and what is there */
    int64_t n_expected, n_samples, n_failed;
} exam_attack_card;

/* What the attacks of a ledger did to a judge; NULL where it was asked about none.
 * Strings and arrays in `arena`. */
EH_MUST_USE eh_status exam_attack_read(ledger *l, const tally_view *view,
                                       exam_attack_card *how, eh_arena *arena,
                                       const card_attack **attack, eh_error *err);

#endif
