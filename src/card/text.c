/* SPDX-License-Identifier: MIT
 *
 * The judge card for people on a terminal.
 *
 *   who was asked what                     the sentence
 *   a paragraph a probe, worst first       what else was measured
 *   tables: control against experiment   the limits that apply
 *
 * Rates are whole numbers of 100 with their intervals; decimals are for --json. A state
 * is a word and never only a mark. What is said is in words.c. The number of a
 * probe that cannot be read stands in the tables and in --json, not in its paragraph.
 * Several judges stand side by side instead (table.c).
 */
#include <math.h>

#include "base/utf8.h"
#include "card/card.h"
#include "report/wrap.h"

enum { NAME_COLUMNS = 14, PROBE_COLUMNS = 20 };

static void line(eh_buf *out, const char *name) {
    buf_printf(out, "  %-*s", NAME_COLUMNS, name);
}

/* ---- the head ---- */

static void add_asked(const card_judge *j, eh_buf *out) {
    if (j->people) {
        card_people_text(j, out);
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
    char day[CARD_DAY_CHARS], last[CARD_DAY_CHARS];
    card_day(j->first_ms, day);
    card_day(j->last_ms, last);
    if (day[0]) {
        line(out, "on");
        buf_printf(out, "%s%s%s\n", day, strcmp(day, last) ? " to " : "",
                   strcmp(day, last) ? last : "");
    }
    line(out, "calls");
    buf_printf(out, "%lld; %lld of %lld votes without a verdict; cost ",
               (long long)j->n_calls, (long long)j->n_failed, (long long)j->n_votes);
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

static void add_head(const card_judge *j, eh_buf *out) {
    buf_printf(out, "%.*s\n", EH_STR_ARG(j->name));
    add_asked(j, out);
    line(out, "order");
    const stats_interval *first = &j->judge.first_rate;
    if (isnan(first->value))
        buf_add_cstr(out, "no decided vote\n");
    else if (isnan(first->low))
        buf_printf(out,
                   "%.0f of 100 decided votes for the first answer (no interval)\n",
                   card_of_100(first->value));
    else
        buf_printf(out,
                   "%.0f of 100 decided votes for the first answer (95 %%: %.0f to "
                   "%.0f)\n",
                   card_of_100(first->value), card_of_100(first->low),
                   card_of_100(first->high));
    line(out, "ties");
    double tie = audit_tie_share(&j->judge);
    if (isnan(tie))
        buf_add_cstr(out, "no valid vote\n");
    else
        buf_printf(out, "%.0f of 100 votes\n", card_of_100(tie));
}

/* ---- what it says, and a paragraph for each probe ---- */

static void add_sentence(const card_judge *j, eh_buf *out) {
    eh_buf text;
    buf_init(&text, BUF_MAX_SMALL);
    card_sentence(j, &text);
    buf_add_char(out, '\n');
    report_wrap(eh_str_trim(buf_view(&text)), 0, out);
    buf_deinit(&text);
}

static void add_probe(const card_judge *j, const card_probe *p, eh_buf *out) {
    eh_buf text;
    buf_init(&text, BUF_MAX_SMALL);
    buf_printf(out, "\n%-18s%.*s\n", audit_state_text(p->state), EH_STR_ARG(p->name));
    buf_printf(&text, "%s ", p->known ? p->known->what : "A perturbation of your own.");
    card_probe_finding(j, p, &text);
    if (p->state != AUDIT_STATE_UNREADABLE) {
        buf_add_char(&text, ' ');
        card_probe_rates(p, &text);
    }
    report_wrap(buf_view(&text), 2, out);
    buf_deinit(&text);
}

/* ---- below the fold ---- */

static void add_verbosity(const card_judge *j, eh_buf *out) {
    buf_add_cstr(out,
                 "\nLength: the mean vote for the longer of two plain answers (.50 is "
                 "none)\n");
    for (int i = 0; i < CARD_BINS; i++) {
        const card_bin *b = &j->bins[i];
        int from = i * CARD_BIN_TOKENS;
        if (i + 1 < CARD_BINS)
            buf_printf(out, "  %3d to %-3d tokens longer ", from,
                       from + CARD_BIN_TOKENS);
        else
            buf_printf(out, "  %3d or more tokens longer", from);
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

static void add_other_form(const audit_score *s, eh_buf *out) {
    const audit_paired *r = &s->other;
    char range[CARD_RANGE_CHARS];
    const char *name = audit_form_name(s->form == AUDIT_OVERSIGHT ? AUDIT_SUSCEPTIBILITY
                                                                  : AUDIT_OVERSIGHT);
    if (r->n == 0)
        buf_printf(out, "  as %s: no pair counts\n", name);
    else
        buf_printf(
            out, "  as %s: %.0f of 100 (%s), placebo %.0f, coins %.0f; %lld pairs\n",
            name, card_of_100(r->asr.value), card_range(r->asr.low, r->asr.high, range),
            card_of_100(r->placebo.value), card_of_100(s->coin_flip_other),
            (long long)r->n);
}

static void add_table(const card_probe *p, bool both_forms, eh_buf *out) {
    static const char *const names[] = {"other", "tie", "perturbed"};
    static const int columns[] = {8, 7, 11};
    const audit_score *s = &p->score;
    char range[CARD_RANGE_CHARS];
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
        buf_printf(out, "  %-16.*s %.0f of 100 (%s), placebo %.0f; %lld pairs\n",
                   EH_STR_ARG(name), card_of_100(r->asr.value),
                   card_range(r->asr.low, r->asr.high, range),
                   card_of_100(r->placebo.value), (long long)r->n);
    }
    if (s->paired.n)
        buf_printf(out, "  %s p = %.2g, q = %.2g, Holm %.2g; %lld pairs ",
                   s->paired.n_questions < s->paired.n ? "By question" : "McNemar",
                   s->paired.p, s->q, s->holm, (long long)s->paired.n);
    if (s->paired.n && s->detectable <= 1)
        buf_printf(out, "can show %.0f in 100\n", card_of_100(s->detectable));
    else if (s->paired.n)
        buf_add_cstr(out, "are too few\n");
    if (both_forms) add_other_form(s, out);
}

/* What applies of docs/limits.md. */
static void add_limit_list(const card_judge *j, eh_buf *out) {
    eh_buf text;
    buf_add_cstr(out, "\nWhat limits this card\n");
    for (size_t i = 0;; i++) {
        buf_init(&text, BUF_MAX_SMALL);
        bool found = card_limit(j, i, &text);
        size_t begin = out->len;
        if (found) report_wrap(buf_view(&text), 4, out);
        if (found) memcpy(out->ptr + begin + 2, "-", 1);
        buf_deinit(&text);
        if (!found || out->failed) return;
    }
}

static void add_conventions(const card_judge *j, eh_buf *out) {
    bool attacks_only = j->n_probes == 0 && j->attack;
    size_t n = attacks_only ? j->attack->n_weak * j->attack->n_attacks : j->n_probes;
    const char *what = attacks_only ? "attacks" : "probes";
    eh_buf text;
    buf_init(&text, BUF_MAX_SMALL);
    buf_printf(&text,
               "Limits are conventions: an effect below %.0f in 100 does not matter, q "
               "(Benjamini-Hochberg over %zu %s) is at most %.2f, and %lld pairs "
               "must count.",
               card_of_100(j->limits.margin), n, what, j->limits.max_q,
               (long long)j->limits.min_pairs);
    /* of attacks each set has pairs of its own */
    if (!attacks_only && j->detectable_before <= 1)
        buf_printf(&text,
                   " Before the audit %lld pairs could be expected to show a "
                   "difference of %.0f in 100.",
                   (long long)j->n_pairs, card_of_100(j->detectable_before));
    buf_add_char(out, '\n');
    report_wrap(buf_view(&text), 0, out);
    buf_deinit(&text);
}

void card_text(const card_set *a, eh_buf *out) {
    if (a->n_judges == 0)
        buf_add_cstr(out, "No judge was asked, and nobody has labelled a pair yet.\n");
    if (a->n_judges > 1) {
        card_side_by_side(a, out);
        return;
    }
    for (size_t k = 0; k < a->n_judges; k++) {
        const card_judge *j = &a->judges[k];
        add_head(j, out);
        add_sentence(j, out);
        for (size_t i = 0; i < j->n_probes; i++)
            add_probe(j, &j->probes[i], out);
        add_verbosity(j, out);
        for (size_t i = 0; i < j->n_probes; i++)
            add_table(&j->probes[i], a->both_forms, out);
        card_attack_text(j, out);
        card_family_text(j, out);
        add_conventions(j, out);
        add_limit_list(j, out);
    }
}
