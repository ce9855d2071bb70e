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

/* A probe as users name it: NAME, NAME=FILE, or one of their own as NAME:FORM=FILE. */
typedef struct audit_probe_text {
    eh_str name; /* of a known one its own, also where the alias was given */
    const audit_probe *known; /* NULL: a user's own */
    audit_form form;          /* as it is said, else the known one's */
    bool says_form;
    eh_str file; /* absent: none is named */
} audit_probe_text;

/* Strings are borrowed from `text`. USAGE where a name has other signs than letters,
 * digits, - and _ or more than AUDIT_NAME_MAX, where a form is none, or where "="
 * stands for nothing. What is needed beyond that, the caller knows. */
EH_MUST_USE eh_status audit_probe_read(eh_str text, audit_probe_text *probe,
                                       eh_error *err);

#endif
