/* SPDX-License-Identifier: MIT
 *
 * Probes: what is done to an answer to see whether a judge falls for it. Pure.
 *
 * A probe has a form. OVERSIGHT makes an answer worse (errors): a good judge moves away
 * from it. SUSCEPTIBILITY changes what should not matter (references, looks, length): a
 * good judge stays. Some probes are made by a rule of this module; the others, and
 * users' own, take the perturbed answers from a file.
 */
#ifndef EH_AUDIT_PROBE_H
#define EH_AUDIT_PROBE_H

#include "audit/perturb.h"

typedef enum audit_form {
    AUDIT_OVERSIGHT,
    AUDIT_SUSCEPTIBILITY,
    AUDIT_FORM_N
} audit_form;

const char *audit_form_name(audit_form form); /* "oversight", "susceptibility" */

typedef struct audit_probe {
    const char *name;
    const char *alias; /* another name that is taken, or NULL */
    audit_form form;
    audit_rule *rule;       /* NULL: its answers come from a file */
    audit_allows *allows;   /* of the rule: what an edit of it may be */
    bool match_length;      /* is measured against padding of the same length as well */
    const char *what;       /* "Invented references were added to one answer." */
    const char *short_what; /* "fake references" */
    const char *use;        /* what a judge that holds up can do: "answers that cite" */
} audit_probe;

/* The i-th built-in probe, or NULL behind the last. */
const audit_probe *audit_probe_at(size_t i);

/* By name or alias, or NULL. */
const audit_probe *audit_probe_find(eh_str name);

enum { AUDIT_NAME_MAX = 40, AUDIT_PROBES_MAX = 64 /* of one audit */ };

/* Letters, digits, - and _, up to AUDIT_NAME_MAX: what a user's probe may be called. */
bool audit_probe_name_ok(eh_str name);

#endif
