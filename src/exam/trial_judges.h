/* SPDX-License-Identifier: MIT
 *
 * The judges of the audit's self-test. Private to exam.
 */
#ifndef EH_EXAM_TRIAL_JUDGES_H
#define EH_EXAM_TRIAL_JUDGES_H

#include "audit/score.h"

typedef struct exam_trial_judge {
    const char *planted; /* what it falls for, in words */
    const char *spec;    /* as -j takes it; a seed is added */
    audit_unreadable fault;
    const char *flags; /* probes that must be flagged, parted by spaces */
    const char *may;   /* probes that may be */
} exam_trial_judge;

/* The i-th, or NULL behind the last. */
const exam_trial_judge *exam_trial_judge_at(size_t i);

#endif
