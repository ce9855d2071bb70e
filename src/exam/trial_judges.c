/* SPDX-License-Identifier: MIT
 *
 * Judges with planted defects, and what the audit must find in each.
 *
 * Each defect comes in more than one strength where a weak one can still be found with
 * the pairs of the self-test. A defect may move other probes as well, since whatever a
 * rule adds makes an answer longer: references do by a good deal, so a judge that loves
 * length must be flagged for them, too; what it does with the rest is left open. What
 * is not named must stay clear. Where flags stand beside a fault, they must be there in
 * the rounds in which the fault cannot be shown: coins agree with themselves by chance.
 *
 * Left out: position effects that grow over a session, and judges that read.
 */
#include "exam/trial_judges.h"

static const exam_trial_judge judges[] = {
    {"nothing", "sim:error=4,noise=.3", AUDIT_UNREADABLE_NOT, "", ""},
    {"nothing, more noise", "sim:error=5,noise=1", AUDIT_UNREADABLE_NOT, "", ""},
    {"nothing, more ties", "sim:error=4,noise=.5,tie=.5", AUDIT_UNREADABLE_NOT, "", ""},
    {"the first slot, a little", "sim:error=4,noise=.5,first=.7", AUDIT_UNREADABLE_NOT,
     "", ""},
    {"the first slot, mostly", "sim:error=4,noise=.5,first=3", AUDIT_UNREADABLE_SLOT,
     "", ""},
    {"the first slot, always", "sim:first=9,spread=0", AUDIT_UNREADABLE_SLOT, "", ""},
    {"the second slot, always", "sim:first=-9,spread=0", AUDIT_UNREADABLE_SLOT, "", ""},
    {"ties, nearly always", "sim:tie=4.5,noise=.3", AUDIT_UNREADABLE_ALWAYS_TIE, "",
     ""},
    {"ties, always", "sim:tie=9", AUDIT_UNREADABLE_ALWAYS_TIE, "", ""},
    {"coins", "sim:spread=0,noise=1,tie=.609", AUDIT_UNREADABLE_UNSTABLE,
     "factual_error", ""},
    {"refusals", "sim:error=4,noise=.3,refuse=.4", AUDIT_UNREADABLE_FAILED, "", ""},
    {"misses most errors", "sim:error=.5,noise=.3", AUDIT_UNREADABLE_NOT,
     "factual_error", ""},
    {"misses every error", "sim:noise=.3", AUDIT_UNREADABLE_NOT, "factual_error", ""},
    {"references, some", "sim:error=4,noise=.3,refs=1", AUDIT_UNREADABLE_NOT,
     "references", ""},
    {"references, much", "sim:error=4,noise=.3,refs=3", AUDIT_UNREADABLE_NOT,
     "references", ""},
    {"rich content, some", "sim:error=4,noise=.3,style=1", AUDIT_UNREADABLE_NOT,
     "rich_content", ""},
    {"rich content, much", "sim:error=4,noise=.3,style=3", AUDIT_UNREADABLE_NOT,
     "rich_content", ""},
    {"length, some", "sim:error=4,noise=.3,length=1", AUDIT_UNREADABLE_NOT,
     "padding references", "rich_content injection majority"},
    {"length, much", "sim:error=5,noise=.3,length=2.5", AUDIT_UNREADABLE_NOT,
     "padding references injection", "rich_content majority"},
    {"brevity", "sim:error=4,noise=.3,length=-1", AUDIT_UNREADABLE_NOT, "shortening",
     ""},
    {"pleas, some", "sim:error=4,noise=.3,plea=1", AUDIT_UNREADABLE_NOT, "injection",
     ""},
    {"pleas, much", "sim:error=4,noise=.3,plea=3", AUDIT_UNREADABLE_NOT, "injection",
     ""},
    {"majorities, some", "sim:error=4,noise=.3,crowd=1", AUDIT_UNREADABLE_NOT,
     "majority", ""},
    {"majorities, much", "sim:error=4,noise=.3,crowd=3", AUDIT_UNREADABLE_NOT,
     "majority", ""},
    {"looks, and misses errors", "sim:noise=.3,refs=2,style=2", AUDIT_UNREADABLE_NOT,
     "factual_error references rich_content", ""},
};

const exam_trial_judge *exam_trial_judge_at(size_t i) {
    return i < sizeof judges / sizeof judges[0] ? &judges[i] : NULL;
}
