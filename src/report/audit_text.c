/* SPDX-License-Identifier: MIT
 *
 * The judge card for people on a terminal.
 *
 *   who was asked what                     the sentence
 *   a paragraph a probe, worst first       what else was measured
 *   tables: control against experiment
 *
 * Rates are whole numbers of 100 with their intervals; decimals are for --json. A state
 * is a word and never only a mark. The number of a probe that cannot be read stands in
 * the tables and in --json, not in its paragraph.
 */
#include <math.h>

#include "base/utf8.h"
#include "report/audit.h"
#include "report/wrap.h"

enum { NAME_COLUMNS = 14, PROBE_COLUMNS = 20 };

static double of_100(double share) {
    return 100 * share;
}

static void line(eh_buf *out, const char *name) {
    buf_printf(out, "  %-*s", NAME_COLUMNS, name);
}

/* "28 of 100 (19 to 39)"; "0 of 48; could be up to 7 in 100". */
static void add_share(eh_buf *out, int64_t n_hits, int64_t n, const stats_interval *r) {
    if (n_hits == 0)
        buf_printf(out, "0 of %lld; could be up to %.0f in 100", (long long)n,
                   ceil(of_100(r->high)));
    else
        buf_printf(out, "%.0f of 100 (95 %%: %.0f to %.0f)", of_100(r->value),
                   of_100(r->low), of_100(r->high));
}

void report_audit_fault(const report_audit_judge *j, audit_unreadable why,
                        eh_buf *out) {
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
                       of_100(j->limits.max_failed));
        return;
    case AUDIT_UNREADABLE_SLOT:
        buf_printf(out, "%s the %s answer in %.0f of 100 cases",
                   j->people ? "they pick" : "it picks",
                   first > .5 ? "first" : "second",
                   of_100(first > .5 ? first : 1 - first));
        return;
    case AUDIT_UNREADABLE_ALWAYS_TIE:
        buf_printf(out, "%s %.0f of 100 cases a tie",
                   j->people ? "they call" : "it calls",
                   of_100(audit_tie_share(facts)));
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

/* ---- the head ---- */

static void add_asked(const report_audit_judge *j, eh_buf *out) {
    if (j->people) {
        report_people_text(j, out);
        return;
    }
    line(out, "pairs");
    buf_printf(out, "%lld, %d votes on each, half of them in each order\n",
               (long long)j->n_pairs, 2 * j->k);
    line(out, "asked");
    if (j->template_name.len)
        buf_printf(out, "template %.*s, %.*s\n", EH_STR_ARG(j->template_name),
                   EH_STR_ARG(j->params_json));
    else
        buf_add_cstr(out, "without a template\n");
    line(out, "calls");
    buf_printf(out, "%lld, %lld without a verdict; cost ", (long long)j->n_calls,
               (long long)j->n_failed);
    if (j->cost_nusd < 0)
        buf_add_cstr(out, "unknown\n");
    else
        buf_printf(out, "$%.4f\n", (double)j->cost_nusd / 1e9);
    if (j->n_trimmed) {
        line(out, "tidied");
        buf_printf(out, "%lld answer%s lost white space at an end\n",
                   (long long)j->n_trimmed, j->n_trimmed == 1 ? "" : "s");
    }
}

static void add_head(const report_audit_judge *j, eh_buf *out) {
    buf_printf(out, "%.*s\n", EH_STR_ARG(j->name));
    add_asked(j, out);
    line(out, "order");
    if (isnan(j->judge.first_rate.value))
        buf_add_cstr(out, "no decided vote\n");
    else
        buf_printf(out,
                   "%.0f of 100 decided votes for the first answer (95 %%: %.0f to "
                   "%.0f)\n",
                   of_100(j->judge.first_rate.value), of_100(j->judge.first_rate.low),
                   of_100(j->judge.first_rate.high));
    line(out, "ties");
    double tie = audit_tie_share(&j->judge);
    if (isnan(tie))
        buf_add_cstr(out, "no valid vote\n");
    else
        buf_printf(out, "%.0f of 100 votes\n", of_100(tie));
}

static const char *short_name(const report_probe *p, char text[AUDIT_NAME_MAX + 1]) {
    if (p->known) return p->known->short_what;
    size_t n = p->name.len < AUDIT_NAME_MAX ? p->name.len : AUDIT_NAME_MAX;
    memcpy(text, p->name.ptr, n);
    text[n] = '\0';
    return text;
}

/* ---- the sentence ---- */

static void add_worst(const report_audit_judge *j, eh_buf *out) {
    const report_probe *p = &j->probes[0]; /* where there is one */
    char name[AUDIT_NAME_MAX + 1];
    bool bad = j->n_probes &&
               (p->state == AUDIT_STATE_FOOLED || p->state == AUDIT_STATE_AFFECTED);
    if (!bad) {
        size_t held = 0;
        if (j->n_probes == 0) return; /* attacks alone */
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
    if (p->form == AUDIT_OVERSIGHT)
        buf_printf(out, "Most often misses %s: ", short_name(p, name));
    else
        buf_printf(out, "Most %s by %s: ",
                   p->state == AUDIT_STATE_FOOLED ? "fooled" : "affected",
                   short_name(p, name));
    add_share(out, r->n_hits, r->n, &r->asr);
    buf_add_char(out, '.');
}

static void add_sentence(const report_audit_judge *j, eh_buf *out) {
    char name[AUDIT_NAME_MAX + 1];
    size_t n = 0;
    eh_buf text;
    buf_init(&text, BUF_MAX_SMALL);
    if (j->fault != AUDIT_UNREADABLE_NOT) {
        buf_add_cstr(&text, j->people ? "These votes cannot be read: "
                                      : "This judge cannot be audited: ");
        report_audit_fault(j, j->fault, &text);
        buf_add_cstr(&text, ". Its rates mean nothing.");
    } else {
        add_worst(j, &text);
        for (size_t i = 0; i < j->n_probes; i++) {
            if (j->probes[i].state != AUDIT_STATE_TOO_FEW) continue;
            buf_printf(&text, "%s%s", n++ ? ", " : " We cannot tell for ",
                       short_name(&j->probes[i], name));
        }
        if (n) buf_add_cstr(&text, ": too few pairs.");
        if (j->attack) report_attack_sentence(j->attack, &text);
    }
    if (j->n_open)
        buf_printf(&text, " The audit is not finished: %lld calls are open.",
                   (long long)j->n_open);
    buf_add_char(out, '\n');
    report_wrap(eh_str_trim(buf_view(&text)), 0, out);
    buf_deinit(&text);
}

/* ---- a probe ---- */

static void add_susceptible(const report_probe *p, const audit_limits *limits,
                            eh_buf *out) {
    const stats_interval *d = &p->score.paired.difference;
    switch (p->state) {
    case AUDIT_STATE_HELD_UP:
        buf_printf(out, "If there is an effect, it is below %.0f in 100.",
                   of_100(limits->margin));
        return;
    case AUDIT_STATE_AFFECTED:
        buf_printf(out, "Between %.0f and %.0f more verdicts in 100 change.",
                   of_100(d->low), of_100(d->high));
        return;
    case AUDIT_STATE_FOOLED:
        buf_printf(out, "At least %.0f more verdicts in 100 change.", of_100(d->low));
        return;
    default:
        buf_printf(out, "Could be %s, could be %.0f in 100.",
                   d->low > 0 ? "little" : "nothing", of_100(fmax(d->high, 0)));
    }
}

static void add_overseen(const report_probe *p, const audit_limits *limits,
                         eh_buf *out) {
    const audit_paired *r = &p->score.paired;
    buf_add_cstr(out, "Misses ");
    add_share(out, r->n_hits, r->n, &r->asr);
    buf_printf(out, "; detects %.0f of 100 (95 %%: %.0f to %.0f).",
               of_100(-r->difference.value), of_100(-r->difference.high),
               of_100(-r->difference.low));
    if (p->flagged)
        buf_printf(out, " Not shown to detect %.0f in 100.",
                   of_100(limits->min_detection));
}

/* "About 250 pairs would tell.": enough to count at all, and where nothing is seen yet,
 * to see an effect of the margin. */
static void add_needed(const report_probe *p, const audit_limits *limits, eh_buf *out) {
    const audit_score *s = &p->score;
    double needed = p->flagged ? 0 : (double)s->n_to_tell;
    if (s->paired.n < limits->min_pairs) {
        buf_printf(out, " Fewer than %lld pairs qualify.",
                   (long long)limits->min_pairs);
        needed = fmax(needed, (double)limits->min_pairs * (double)s->n_pairs /
                                  (double)s->paired.n);
    }
    if (needed > (double)s->n_pairs)
        buf_printf(out, " About %.0f pairs would tell.", ceil(needed / 10) * 10);
}

static void add_rates(const report_probe *p, eh_buf *out) {
    const audit_paired *r = &p->score.paired, *same = &p->score.padded;
    if (p->form == AUDIT_SUSCEPTIBILITY) {
        buf_add_cstr(out, " Changed: ");
        add_share(out, r->n_hits, r->n, &r->asr);
        buf_add_char(out, ';');
    }
    buf_printf(out,
               " %slacebo %.0f, a coin-flip judge %.0f of 100; %lld of %lld pairs "
               "count.",
               p->form == AUDIT_SUSCEPTIBILITY ? "p" : "P", of_100(r->placebo.value),
               of_100(p->score.coin_flip), (long long)r->n,
               (long long)p->score.n_pairs);
    if (p->all_votes.n) {
        buf_add_cstr(out, " Over all votes of a pair together: ");
        add_share(out, p->all_votes.n_hits, p->all_votes.n, &p->all_votes.asr);
        buf_printf(out, "; %lld pairs count.", (long long)p->all_votes.n);
    }
    if (same->n)
        buf_printf(out,
                   " Against empty padding of the same length: %+.0f in 100 (%.0f to "
                   "%.0f).",
                   of_100(same->difference.value), of_100(same->difference.low),
                   of_100(same->difference.high));
}

static void add_probe(const report_audit_judge *j, const report_probe *p, eh_buf *out) {
    eh_buf text;
    buf_init(&text, BUF_MAX_SMALL);
    buf_printf(out, "\n%-18s%.*s\n", audit_state_text(p->state), EH_STR_ARG(p->name));
    buf_printf(&text, "%s ", p->known ? p->known->what : "A perturbation of your own.");
    if (p->state == AUDIT_STATE_UNREADABLE) {
        buf_add_cstr(&text, "This cannot be read: ");
        report_audit_fault(j, p->fault, &text);
        buf_add_char(&text, '.');
    } else {
        if (p->form == AUDIT_OVERSIGHT)
            add_overseen(p, &j->limits, &text);
        else
            add_susceptible(p, &j->limits, &text);
        if (p->state == AUDIT_STATE_TOO_FEW) add_needed(p, &j->limits, &text);
        add_rates(p, &text);
    }
    if (p->score.n_unread)
        buf_printf(&text, " %lld pairs could not be read.",
                   (long long)p->score.n_unread);
    report_wrap(buf_view(&text), 2, out);
    buf_deinit(&text);
}

/* ---- below the fold ---- */

static void add_verbosity(const report_audit_judge *j, eh_buf *out) {
    buf_add_cstr(out,
                 "\nLength: the mean vote for the longer of two plain answers (.50 is "
                 "none)\n");
    for (int i = 0; i < REPORT_AUDIT_BINS; i++) {
        const report_audit_bin *b = &j->bins[i];
        int from = i * REPORT_AUDIT_BIN_TOKENS;
        if (i + 1 < REPORT_AUDIT_BINS)
            buf_printf(out, "  %3d to %-3d tokens longer ", from,
                       from + REPORT_AUDIT_BIN_TOKENS);
        else
            buf_printf(out, "  %3d or more longer     ", from);
        if (isnan(b->longer.low))
            buf_printf(out, "%5s  (%lld pairs)\n", "-", (long long)b->n);
        else
            buf_printf(out, "%5.2f  (95 %%: %.2f to %.2f; %lld pairs)\n",
                       b->longer.value, b->longer.low, b->longer.high, (long long)b->n);
    }
    if (!isnan(j->trend.p))
        buf_printf(out, "  trend over the bins: p = %.2g (permutation test)\n",
                   j->trend.p);
}

static void add_table(const report_probe *p, eh_buf *out) {
    static const char *const names[] = {"other", "tie", "perturbed"};
    static const int columns[] = {8, 7, 11};
    const audit_score *s = &p->score;
    buf_printf(out, "\n%.*s\n", EH_STR_ARG(p->name));
    buf_printf(out, "  %-16s%26s   |%26s\n", "control", "with the perturbed answer",
               p->all_votes.n ? "other half (placebo)" : "asked again (placebo)");
    buf_printf(out, "  %-16s%8s%7s%11s   |%8s%7s%11s\n", "preferred:", "other", "tie",
               "perturbed", "other", "tie", "perturbed");
    for (int c = 0; c < AUDIT_CLASSES; c++) {
        buf_printf(out, "  %-16s", names[c]);
        for (int e = 0; e < AUDIT_CLASSES; e++)
            buf_printf(out, "%*lld", columns[e], (long long)s->table[c][e]);
        buf_add_cstr(out, "   |");
        for (int e = 0; e < AUDIT_CLASSES; e++)
            buf_printf(out, "%*lld", columns[e], (long long)s->placebo_table[c][e]);
        buf_add_char(out, '\n');
    }
    for (size_t i = 0; i < p->n_groups; i++) {
        const audit_paired *r = &p->groups[i].score.paired;
        if (r->n == 0) continue;
        eh_str name = utf8_cut(p->groups[i].category, 30);
        buf_printf(out,
                   "  %-16.*s %.0f of 100 (%.0f to %.0f), placebo %.0f; %lld pairs\n",
                   EH_STR_ARG(name), of_100(r->asr.value), of_100(r->asr.low),
                   of_100(r->asr.high), of_100(r->placebo.value), (long long)r->n);
    }
    if (s->paired.n)
        buf_printf(
            out,
            "  McNemar p = %.2g, q = %.2g, Holm %.2g; %lld pairs can show %.0f in "
            "100\n",
            s->paired.p, s->q, s->holm, (long long)s->paired.n, of_100(s->detectable));
}

static void add_limits(const report_audit_judge *j, eh_buf *out) {
    bool attacks_only = j->n_probes == 0 && j->attack;
    size_t n = attacks_only ? j->attack->n_weak * j->attack->n_attacks : j->n_probes;
    const char *what = attacks_only ? "attacks" : "probes";
    eh_buf text;
    buf_init(&text, BUF_MAX_SMALL);
    buf_printf(&text,
               "Limits are conventions: an effect below %.0f in 100 does not matter, q "
               "(Benjamini-Hochberg over %zu %s) is at most %.2f, and %lld pairs "
               "must count. Before the audit %lld pairs could be expected to show a "
               "difference of %.0f in 100. What a pair that shares its question with "
               "others adds is not corrected for.",
               of_100(j->limits.margin), n, what, j->limits.max_q,
               (long long)j->limits.min_pairs, (long long)j->n_pairs,
               of_100(j->detectable_before));
    buf_add_char(out, '\n');
    report_wrap(buf_view(&text), 0, out);
    buf_deinit(&text);
}

void report_audit_text(const report_audit *a, eh_buf *out) {
    if (a->n_judges == 0)
        buf_add_cstr(out, "No judge was asked, and nobody has labelled a pair yet.\n");
    for (size_t k = 0; k < a->n_judges; k++) {
        const report_audit_judge *j = &a->judges[k];
        if (k) buf_add_char(out, '\n');
        add_head(j, out);
        add_sentence(j, out);
        for (size_t i = 0; i < j->n_probes; i++)
            add_probe(j, &j->probes[i], out);
        add_verbosity(j, out);
        for (size_t i = 0; i < j->n_probes; i++)
            add_table(&j->probes[i], out);
        report_attack_text(j, out);
        report_family_text(j, out);
        add_limits(j, out);
    }
}
