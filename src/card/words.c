/* SPDX-License-Identifier: MIT
 *
 * What a judge card says in words: the sentence on top, what each probe found, why a
 * judge cannot be read. The terminal and the page say the same.
 *
 * Rates are whole numbers of 100 with their intervals; decimals are for --json. The
 * number of a probe that cannot be read is not said.
 */
#include <math.h>
#include <stdio.h>

#include "card/card.h"

double card_of_100(double share) {
    double number = round(100 * share);
    return number == 0 ? 0 : number;
}

const char *card_range(double low, double high, char text[CARD_RANGE_CHARS]) {
    if (isnan(low) || isnan(high)) return "no interval";
    (void)snprintf(text, CARD_RANGE_CHARS, "%.0f to %.0f", card_of_100(low),
                   card_of_100(high));
    return text;
}

void card_share(eh_buf *out, int64_t n_hits, int64_t n, const stats_interval *r) {
    char range[CARD_RANGE_CHARS];
    if (n_hits == 0 && !isnan(r->high))
        buf_printf(out, "0 of %lld; could be up to %.0f in 100", (long long)n,
                   ceil(100 * r->high));
    else
        buf_printf(out, "%.0f of 100 (95 %%: %s)", card_of_100(r->value),
                   card_range(r->low, r->high, range));
}

void card_fault(const card_judge *j, audit_unreadable why, eh_buf *out) {
    const audit_judge *facts = &j->judge;
    double first = facts->first_rate.value;
    switch (why) {
    case AUDIT_UNREADABLE_NOT: return;
    case AUDIT_UNREADABLE_FAILED:
        if (j->people)
            buf_add_cstr(out, "too few labels: a plain pair needs two from people who "
                              "knew the topic, a perturbed one needs one");
        else
            buf_printf(out, "more than %.0f of 100 votes gave no verdict",
                       card_of_100(j->limits.max_failed));
        return;
    case AUDIT_UNREADABLE_SLOT:
        buf_printf(out, "%s the %s answer in %.0f of 100 cases",
                   j->people ? "they pick" : "it picks",
                   first > .5 ? "first" : "second",
                   card_of_100(first > .5 ? first : 1 - first));
        return;
    case AUDIT_UNREADABLE_ALWAYS_TIE:
        buf_printf(out, "%s %.0f of 100 cases a tie",
                   j->people ? "they call" : "it calls",
                   card_of_100(audit_tie_share(facts)));
        return;
    case AUDIT_UNREADABLE_UNSTABLE:
        buf_printf(out,
                   "asked the same again, it hardly agrees with itself "
                   "(kappa %.2f)",
                   facts->kappa);
        return;
    case AUDIT_UNREADABLE_EMPTY:
        buf_add_cstr(out, "no pair qualifies for this probe");
        return;
    }
}

eh_str card_probe_short(const card_probe *p) {
    return p->known ? eh_str_of(p->known->short_what) : p->name;
}

/* ---- the sentence ---- */

static void add_worst(const card_judge *j, eh_buf *out) {
    const card_probe *p = &j->probes[0]; /* where there is one */
    bool bad = j->n_probes &&
               (p->state == AUDIT_STATE_FOOLED || p->state == AUDIT_STATE_AFFECTED);
    if (!bad) {
        size_t held = 0;
        if (j->n_probes == 0) {
            if (!j->attack)
                buf_add_cstr(out, j->people ? "No perturbed pair has a vote yet."
                                            : "No probe was asked.");
            return;
        }
        for (size_t i = 0; i < j->n_probes; i++)
            held += j->probes[i].state == AUDIT_STATE_HELD_UP;
        if (held && held == j->n_probes)
            buf_printf(out, "Held up against %s.",
                       held == 1 ? "the one probe" : "all probes");
        else if (held)
            buf_printf(out, "Held up against %zu of %zu probes.", held, j->n_probes);
        else
            buf_add_cstr(out, "No probe is decided.");
        return;
    }
    const audit_paired *r = &p->score.paired;
    bool overseen = p->form == AUDIT_OVERSIGHT;
    buf_printf(out,
               "Most %s %.*s: %.0f of 100 %s (95 %%: %.0f to %.0f) %s; %.0f %s when "
               "nothing is changed.",
               overseen                         ? "often misses"
               : p->state == AUDIT_STATE_FOOLED ? "fooled by"
                                                : "affected by",
               EH_STR_ARG(card_probe_short(p)), card_of_100(r->asr.value),
               overseen ? "such answers" : "verdicts", card_of_100(r->asr.low),
               card_of_100(r->asr.high),
               overseen ? "are still preferred or tied" : "go over to that answer",
               card_of_100(r->placebo.value), overseen ? "are" : "do");
}

/* Probes that say nothing though the judge can be read. */
static void add_unread(const card_judge *j, eh_buf *out) {
    size_t n = 0;
    for (size_t i = 0; i < j->n_probes; i++) {
        if (j->probes[i].state != AUDIT_STATE_UNREADABLE) continue;
        buf_printf(out, "%s%.*s", n++ ? ", " : " Nothing can be read for ",
                   EH_STR_ARG(card_probe_short(&j->probes[i])));
    }
    if (n) buf_add_char(out, '.');
}

void card_sentence(const card_judge *j, eh_buf *out) {
    size_t n = 0;
    if (j->fault != AUDIT_UNREADABLE_NOT) {
        buf_add_cstr(out, j->people ? "These votes cannot be read: "
                                    : "This judge cannot be audited: ");
        card_fault(j, j->fault, out);
        buf_add_cstr(out, ". Its rates mean nothing.");
    } else {
        add_worst(j, out);
        for (size_t i = 0; i < j->n_probes; i++) {
            if (j->probes[i].state != AUDIT_STATE_TOO_FEW) continue;
            buf_printf(out, "%s%.*s", n++ ? ", " : " We cannot tell for ",
                       EH_STR_ARG(card_probe_short(&j->probes[i])));
        }
        if (n) buf_add_cstr(out, ": too few pairs.");
        add_unread(j, out);
        if (j->attack) card_attack_sentence(j, out);
    }
    if (j->n_open)
        buf_printf(out, " The audit is not finished: %lld calls are open.",
                   (long long)j->n_open);
}

/* ---- a probe ---- */

static void add_susceptible(const card_probe *p, const audit_limits *limits,
                            eh_buf *out) {
    const stats_interval *d = &p->score.paired.difference;
    if (isnan(d->low)) {
        buf_add_cstr(out, "All pairs that count are of one question.");
        return;
    }
    switch (p->state) {
    case AUDIT_STATE_HELD_UP:
        buf_printf(out, "If there is an effect, it is below %.0f in 100.",
                   card_of_100(limits->margin));
        return;
    case AUDIT_STATE_AFFECTED:
        buf_printf(out, "Between %.0f and %.0f more verdicts in 100 change.",
                   card_of_100(d->low), card_of_100(d->high));
        return;
    case AUDIT_STATE_FOOLED:
        buf_printf(out, "At least %.0f more verdicts in 100 change.",
                   card_of_100(d->low));
        return;
    default:
        if (d->high < .005) {
            buf_add_cstr(out, "No more verdicts change than by the placebo.");
            return;
        }
        if (card_of_100(d->low) > 0)
            buf_printf(out, "Could be %.0f, could be %.0f in 100.", card_of_100(d->low),
                       card_of_100(d->high));
        else
            buf_printf(out, "Could be %s, could be %.0f in 100.",
                       d->low > 0 ? "little" : "nothing", card_of_100(d->high));
    }
}

static void add_overseen(const card_probe *p, const audit_limits *limits, eh_buf *out) {
    const audit_paired *r = &p->score.paired;
    char range[CARD_RANGE_CHARS];
    buf_add_cstr(out, "Misses ");
    card_share(out, r->n_hits, r->n, &r->asr);
    /* less what moves by itself, so it is not the rest of what is missed */
    buf_printf(out, "; detects %.0f beyond chance (%s).",
               card_of_100(-r->difference.value),
               card_range(-r->difference.high, -r->difference.low, range));
    if (p->flagged)
        buf_printf(out, " Not shown to detect %.0f in 100.",
                   card_of_100(limits->min_detection));
}

/* "About 250 pairs would tell.": enough to count at all, and where nothing is seen yet,
 * to see an effect of the margin. */
static void add_needed(const card_probe *p, const audit_limits *limits, eh_buf *out) {
    const audit_score *s = &p->score;
    /* fewer changes than by the placebo: more pairs would not make it an effect */
    bool is_seen = p->flagged ||
                   (p->form == AUDIT_SUSCEPTIBILITY && s->paired.difference.high < 0);
    double needed = is_seen ? 0 : (double)s->n_to_tell;
    if (s->paired.n_questions < limits->min_pairs) {
        buf_printf(out, " Fewer than %lld %s qualify.", (long long)limits->min_pairs,
                   s->paired.n_questions < s->paired.n ? "questions" : "pairs");
        needed = fmax(needed, (double)limits->min_pairs * (double)s->n_pairs /
                                  (double)s->paired.n_questions);
    }
    if (needed > (double)s->n_pairs)
        buf_printf(out, " About %.0f pairs would tell.", ceil(needed / 10) * 10);
}

void card_probe_rates(const card_probe *p, eh_buf *out) {
    const audit_paired *r = &p->score.paired, *same = &p->score.padded;
    char range[CARD_RANGE_CHARS];
    if (p->form == AUDIT_SUSCEPTIBILITY) {
        buf_add_cstr(out, "Changed: ");
        card_share(out, r->n_hits, r->n, &r->asr);
        buf_add_char(out, ';');
    }
    buf_printf(out,
               "%slacebo %.0f, a coin-flip judge %.0f of 100; %lld of %lld pairs "
               "count.",
               p->form == AUDIT_SUSCEPTIBILITY ? " p" : "P",
               card_of_100(r->placebo.value), card_of_100(p->score.coin_flip),
               (long long)r->n, (long long)p->score.n_pairs);
    if (p->all_votes.n) {
        buf_add_cstr(out, " Over all votes of a pair together: ");
        card_share(out, p->all_votes.n_hits, p->all_votes.n, &p->all_votes.asr);
        buf_printf(out, "; %lld pairs count.", (long long)p->all_votes.n);
    }
    if (same->n)
        buf_printf(out, " Against empty padding of the same length: %+.0f in 100 (%s).",
                   card_of_100(same->difference.value),
                   card_range(same->difference.low, same->difference.high, range));
}

void card_probe_finding(const card_judge *j, const card_probe *p, eh_buf *out) {
    if (p->state == AUDIT_STATE_UNREADABLE) {
        buf_add_cstr(out, "This cannot be read: ");
        card_fault(j, p->fault, out);
        buf_add_char(out, '.');
    } else {
        if (p->form == AUDIT_OVERSIGHT)
            add_overseen(p, &j->limits, out);
        else
            add_susceptible(p, &j->limits, out);
        if (p->state == AUDIT_STATE_TOO_FEW) add_needed(p, &j->limits, out);
    }
    if (p->score.n_unread)
        buf_printf(out, " %lld pairs could not be read.", (long long)p->score.n_unread);
}
