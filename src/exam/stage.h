/* SPDX-License-Identifier: MIT
 *
 * Making the pairs of an audit: the plain pairs, and beside each one the same pair with
 * a perturbed answer for every probe.
 *
 *   ID              the plain pair; asked twice (streams main and placebo)
 *   ID~PROBE        with the perturbed answer
 *   ID~PROBE~pad    with neutral padding of the perturbed answer's length
 *   ID~attack-NAME  the weaker answer of the pair, dressed up; ID may be that of a
 *                   perturbed pair whose answer was made worse
 *
 * What a row is stands in its `meta` under "audit", so that a ledger is read again
 * without the data set; of a perturbed one also which edits make its answer, if that is
 * known: a rule says so, and a file's row may (audit/edits.h). White space at the ends
 * of answers goes, and is counted; where a row has a short question, that is the one
 * that is asked.
 */
#ifndef EH_EXAM_STAGE_H
#define EH_EXAM_STAGE_H

#include "audit/edits.h"
#include "audit/probe.h"
#include "base/clock.h"
#include "exam/attack.h"
#include "ledger/ledger.h"

/* A probe that was asked for. */
typedef struct exam_probe {
    eh_str name;              /* as it stands in ids */
    const audit_probe *known; /* NULL: a user's own, with a file */
    audit_form form;
    const char *file; /* perturbed pairs; NULL: by the rule */
} exam_probe;

/* Reads "references,gender=FILE,mine:oversight=FILE"; absent: all probes with a rule.
 * USAGE says what is wrong. `probes` and strings in `arena`. */
EH_MUST_USE eh_status exam_probes_parse(eh_str list, eh_arena *arena,
                                        exam_probe **probes, size_t *n, eh_error *err);

typedef struct exam_stage_options {
    dataset_options data;
    const exam_probe *probes; /* [n_probes] */
    size_t n_probes;
    const exam_attack *attacks; /* [n_attacks] */
    size_t n_attacks;
    /* The model whose answers weaker ones are held against; absent: answer 1's. A plain
     * pair is attacked if both its models are named and one is the anchor alone. */
    eh_str anchor;
    bool skip_bad;
    uint64_t seed;
    const dataset_faults *faults; /* may be NULL */
    /* Told of each answer and row that is left out; may be NULL. `line` is 0 for rules.
     */
    void (*on_reject)(void *self, const exam_probe *probe, eh_str pair_id, int64_t line,
                      audit_reject why);
    void *self;
    eh_clock clock;
} exam_stage_options;

typedef struct exam_staged {
    int64_t n_pairs;   /* plain ones */
    int64_t n_rows;    /* all */
    int64_t n_trimmed; /* answers that lost white space at an end */
    int64_t n_made[AUDIT_PROBES_MAX], n_rejected[AUDIT_PROBES_MAX]; /* by probe */
    int64_t n_weak;        /* pairs with a weaker answer */
    int64_t n_not_dressed; /* attacks that a rule could not make */
} exam_staged;

/* Makes these rows the ledger's scope; a row that is there already keeps its verdicts.
 * DATA when the data set or a probe's file has errors and skip_bad is not set: then the
 * ledger is as before. */
EH_MUST_USE eh_status exam_stage(ledger *l, const exam_stage_options *options,
                                 exam_staged *staged, eh_error *err);

typedef enum exam_role {
    EXAM_NONE, /* no row of an audit */
    EXAM_CONTROL,
    EXAM_EXPERIMENT,
    EXAM_PADDED,
    EXAM_ATTACK
} exam_role;

/* A row's meta under "audit". Strings and edits in the arena that it was read with. */
typedef struct exam_meta {
    exam_role role;
    eh_str probe, control; /* absent for a plain pair; of attacks: its name, and the
                              pair with the weaker answer as it was */
    eh_str weak;           /* of attacks: the weaker model, or the probe that made it */
    bool is_worse;         /* of attacks: a probe did */
    audit_form form;
    int perturbed;           /* 1 or 2; 0 for a plain pair */
    int64_t n_trimmed;       /* answers of this row that lost white space */
    const json_value *edits; /* for audit_edits_read; NULL: none are known */
    audit_edges edges[2];    /* of a plain pair: what answers 1 and 2 lost */
} exam_meta;

EH_MUST_USE eh_status exam_meta_read(eh_str meta_json, eh_arena *arena, exam_meta *meta,
                                     eh_error *err);

#endif
