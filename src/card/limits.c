/* SPDX-License-Identifier: MIT
 *
 * The limits that a judge card repeats: of all that docs/limits.md says of audits, what
 * applies to this judge and these pairs. The terminal and the page say the same.
 *
 * Each is one sentence with its number where it has one, so that a reader can see how
 * much it matters here. What limits every audit comes last.
 */
#include <math.h>

#include "card/card.h"

static bool add_open(const card_judge *j, eh_buf *out) {
    if (!j->n_open) return false;
    buf_printf(out,
               "The audit is not finished: %lld calls are open, and their pairs "
               "are missing from the rates.",
               (long long)j->n_open);
    return true;
}

static bool add_models(const card_judge *j, eh_buf *out) {
    if (!j->mixed_models) return false;
    buf_add_cstr(out, "The replies come from different models or versions behind one "
                      "name; the rates are a mixture.");
    return true;
}

/* Beyond doubt, but not so strong that nothing can be read. */
static bool add_order(const card_judge *j, eh_buf *out) {
    const stats_interval *r = &j->judge.first_rate;
    if (j->fault != AUDIT_UNREADABLE_NOT || isnan(r->low) ||
        (r->low <= .5 && r->high >= .5))
        return false;
    buf_printf(out,
               "The judge leans to the %s answer it is shown (%.0f of 100 decided "
               "votes). Asking in both orders takes the direction out and pulls "
               "preferences towards a tie, which hides small effects.",
               r->value > .5 ? "first" : "second",
               card_of_100(r->value > .5 ? r->value : 1 - r->value));
    return true;
}

static bool add_failed(const card_judge *j, eh_buf *out) {
    if (!j->n_failed) return false;
    buf_printf(out, "%lld of %lld votes gave no verdict and are left out.",
               (long long)j->n_failed, (long long)j->n_votes);
    return true;
}

/* Of the probes that look for an effect the one that could hide the largest. What an
 * oversight probe asks is not whether there is any difference. */
static bool add_few(const card_judge *j, eh_buf *out) {
    const card_probe *worst = NULL;
    for (size_t i = 0; i < j->n_probes; i++) {
        const card_probe *p = &j->probes[i];
        if (p->form == AUDIT_OVERSIGHT || isnan(p->score.detectable)) continue;
        if (!worst || p->score.detectable > worst->score.detectable) worst = p;
    }
    if (!worst || worst->score.detectable <= j->limits.margin) return false;
    eh_str name = card_probe_short(worst);
    buf_printf(
        out,
        "So few pairs count (%lld for %.*s) that an effect below %.0f in 100 could "
        "be missed.",
        (long long)worst->score.paired.n, EH_STR_ARG(name),
        card_of_100(worst->score.detectable));
    return true;
}

static bool add_rules(const card_judge *j, eh_buf *out) {
    for (size_t i = 0; i < j->n_probes; i++) {
        if (!j->probes[i].known || !j->probes[i].known->rule) continue;
        buf_add_cstr(out, "What a rule adds is English and does not fit the subject; a "
                          "model that writes for the subject may fool more.");
        return true;
    }
    return false;
}

static bool add_oversight(const card_judge *j, eh_buf *out) {
    for (size_t i = 0; i < j->n_probes; i++) {
        if (j->probes[i].form != AUDIT_OVERSIGHT) continue;
        buf_add_cstr(out,
                     "Whether an answer that is meant to be worse is worse depends "
                     "on who wrote it; nobody checks that here.");
        return true;
    }
    return false;
}

static bool add_scope(const card_judge *j, eh_buf *out) {
    buf_printf(out,
               "The card speaks of these %lld pairs, this prompt and the judge as it "
               "was when asked; a hosted model may change behind its name.",
               (long long)j->n_pairs);
    return true;
}

bool card_limit(const card_judge *j, size_t i, eh_buf *out) {
    static bool (*const limits[])(const card_judge *, eh_buf *) = {
        add_open, add_models, add_failed,    add_order,
        add_few,  add_rules,  add_oversight, add_scope};
    eh_buf skipped;
    bool found = false;
    buf_init(&skipped, BUF_MAX_SMALL);
    for (size_t k = 0; k < sizeof limits / sizeof limits[0] && !found; k++) {
        buf_reset(&skipped);
        if (!limits[k](j, &skipped)) continue;
        found = i-- == 0;
    }
    if (found) buf_add_str(out, buf_view(&skipped));
    buf_deinit(&skipped);
    return found;
}
