/* SPDX-License-Identifier: MIT
 *
 * The judge card as plain structs, and its writers: JSON (stable) and text for a
 * terminal. docs/audit.md says how the numbers are meant.
 */
#ifndef EH_REPORT_AUDIT_H
#define EH_REPORT_AUDIT_H

#include "audit/score.h"
#include "base/buf.h"
#include "plan/method.h"
#include "stats/test.h"

typedef struct report_audit_group {
    eh_str category;
    audit_score score;
} report_audit_group;

typedef struct report_probe {
    eh_str name;
    const audit_probe *known; /* NULL: a user's own */
    audit_form form;
    audit_score score;
    audit_unreadable fault;
    audit_state state;
    bool flagged;
    report_audit_group *groups; /* [n_groups] by category; none where there is one */
    size_t n_groups;
} report_probe;

/* Pairs by how much longer the longer answer is, in tokens of about four characters. */
enum { REPORT_AUDIT_BINS = 5, REPORT_AUDIT_BIN_TOKENS = 10, REPORT_AUDIT_TOKEN_CP = 4 };

typedef struct report_audit_bin {
    int64_t n;
    stats_interval longer; /* mean preference for the longer answer, by question */
} report_audit_bin;

typedef struct report_audit_judge {
    eh_str name, template_name, params_json;
    eh_str source; /* the ledger's name where cards of several are shown; else absent */
    bool names_ledger;         /* the name is followed by the source */
    int64_t first_ms, last_ms; /* of the calls; -1: none */
    bool mixed_models;         /* the endpoint named several models */
    int k;                     /* votes of each order */
    int64_t n_pairs;           /* plain ones */
    int64_t n_trimmed;         /* answers that lost white space at an end */
    int64_t n_open;            /* calls that the audit still needs; 0: it is whole */
    int64_t n_calls, n_failed; /* of all that was asked; replies without a verdict */
    int64_t cost_nusd;         /* -1 = unknown */
    audit_judge judge;
    audit_unreadable fault;
    audit_limits limits;
    report_probe *probes; /* [n_probes] worst first */
    size_t n_probes;
    double detectable_before;
    report_audit_bin bins[REPORT_AUDIT_BINS];
    stats_trend trend; /* of the preference for the longer answer over the bins */
} report_audit_judge;

typedef struct report_audit {
    report_audit_judge *judges; /* [n_judges] */
    size_t n_judges;
    bool both_forms; /* text: each probe also under the other form */
} report_audit;

void report_audit_json(const report_audit *a, eh_buf *out);

/* A card for each judge: who, the sentence, a paragraph for each probe, then tables. */
void report_audit_text(const report_audit *a, eh_buf *out);

/* ---- what it says in words (audit_words.c) ---- */

/* What a person would say first: the worst probe, and for which we cannot tell. */
void report_audit_sentence(const report_audit_judge *j, eh_buf *out);

/* "fake references"; a user's own probe by its name. */
eh_str report_probe_short(const report_probe *p);

/* "At least 12 more verdicts in 100 change."; or why nothing can be read. */
void report_probe_finding(const report_audit_judge *j, const report_probe *p,
                          eh_buf *out);

/* "Changed: 28 of 100 (95 %: 19 to 39); placebo 6, ...": what stands behind it. */
void report_probe_rates(const report_probe *p, eh_buf *out);

/* A column a judge, or a date of one judge; then each one's sentence. At most 80
 * columns wide. */
void report_audit_side_by_side(const report_audit *a, eh_buf *out);
bool report_audit_is_one_judge_twice(const report_audit *a);

/* A date as 2026-11-30, UTC; empty for -1. */
enum { REPORT_AUDIT_DAY_CHARS = 16 };
void report_audit_day(int64_t ms, char text[REPORT_AUDIT_DAY_CHARS]);

/* The i-th of the limits that apply to this card, worst first, as one sentence for
 * people; false behind the last, and then nothing is added. */
bool report_audit_limit(const report_audit_judge *j, size_t i, eh_buf *out);

/* "it picks the first answer in 81 of 100 cases": why a judge cannot be read. */
void report_audit_fault(const report_audit_judge *j, audit_unreadable why, eh_buf *out);

#endif
