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
#include "report/write.h"

enum { NAME_COLUMNS = 14 };

static void line(eh_buf *out, const char *name) {
    buf_printf(out, "  %-*s" LAYOUT_HANG, NAME_COLUMNS, name);
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
    buf_printf(out, "\n%.*s\n", EH_STR_ARG(eh_str_trim(buf_view(&text))));
    buf_deinit(&text);
}

static void add_probe(const card_judge *j, const card_probe *p, eh_buf *out) {
    buf_printf(out, "\n%-18s%.*s\n", audit_state_text(p->state), EH_STR_ARG(p->name));
    buf_printf(out, "  %s ", p->known ? p->known->what : "A perturbation of your own.");
    card_probe_finding(j, p, out);
    if (p->state != AUDIT_STATE_UNREADABLE) {
        buf_add_char(out, ' ');
        card_probe_rates(p, out);
    }
    buf_add_char(out, '\n');
}

/* ---- below the fold ---- */

static void add_verbosity(const card_judge *j, eh_buf *out) {
    buf_add_cstr(out,
                 "\nLength: the mean vote for the longer of two plain answers (0.50 "
                 "is none)\n");
    buf_add_cstr(out, LAYOUT_HEAD "  longer by" LAYOUT_CELL "vote" LAYOUT_CELL
                                  "95 %" LAYOUT_CELL "pairs\n");
    for (int i = 0; i < CARD_BINS; i++) {
        const card_bin *b = &j->bins[i];
        int from = i * CARD_BIN_TOKENS;
        if (i + 1 < CARD_BINS)
            buf_printf(out, "  %3d to %3d tokens", from, from + CARD_BIN_TOKENS);
        else
            buf_printf(out, "  %3d or more tokens", from);
        if (isnan(b->longer.low))
            buf_add_cstr(out, LAYOUT_CELL "-" LAYOUT_CELL);
        else
            buf_printf(out, LAYOUT_CELL "%.2f" LAYOUT_CELL "%.2f to %.2f",
                       b->longer.value, b->longer.low, b->longer.high);
        report_cell_count(out, b->n);
        buf_add_char(out, '\n');
    }
    if (isnan(j->trend.p)) return;
    buf_add_cstr(out, "  trend over the bins: ");
    report_p_value(out, j->trend.p);
    buf_add_cstr(out, " (permutation test)\n");
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

/* What was preferred: as it was in the rows, perturbed and asked again in the columns.
 */
static void add_counts(const card_probe *p, eh_buf *out) {
    static const char *const names[] = {"other", "tie", "perturbed"};
    const audit_score *s = &p->score;
    buf_printf(out, "\n%.*s: preferred with the perturbed answer | %s (placebo)\n",
               EH_STR_ARG(p->name), p->all_votes.n ? "other half" : "asked again");
    buf_add_cstr(out, LAYOUT_HEAD "  control");
    for (int c = 0; c < AUDIT_CLASSES; c++)
        buf_printf(out, LAYOUT_CELL "%s", names[c]);
    for (int c = 0; c < AUDIT_CLASSES; c++)
        buf_printf(out, LAYOUT_CELL "%s%s", c ? "" : "| ", names[c]);
    buf_add_char(out, '\n');
    for (int c = 0; c < AUDIT_CLASSES; c++) {
        buf_printf(out, "  %s", names[c]);
        for (int e = 0; e < AUDIT_CLASSES; e++)
            report_cell_count(out, s->table[c][e]);
        buf_printf(out, LAYOUT_CELL "|%6lld", (long long)s->placebo_table[c][0]);
        for (int e = 1; e < AUDIT_CLASSES; e++)
            report_cell_count(out, s->placebo_table[c][e]);
        buf_add_char(out, '\n');
    }
}

static void add_groups(const card_probe *p, eh_buf *out) {
    buf_add_cstr(out, LAYOUT_HEAD "\n");
    for (size_t i = 0; i < p->n_groups; i++) {
        const audit_paired *r = &p->groups[i].score.paired;
        if (r->n == 0) continue;
        char range[CARD_RANGE_CHARS];
        buf_add_cstr(out, "  ");
        report_name(out, p->groups[i].category);
        buf_printf(
            out, LAYOUT_LEFT "%.0f of 100 (%s), placebo %.0f; %lld pair%s\n",
            card_of_100(r->asr.value), card_range(r->asr.low, r->asr.high, range),
            card_of_100(r->placebo.value), (long long)r->n, r->n == 1 ? "" : "s");
    }
}

static void add_table(const card_probe *p, bool both_forms, eh_buf *out) {
    const audit_score *s = &p->score;
    add_counts(p, out);
    if (p->n_groups) add_groups(p, out);
    if (s->paired.n) {
        buf_printf(out, "  %s ",
                   s->paired.n_questions < s->paired.n ? "By question" : "McNemar");
        report_p_value(out, s->paired.p);
        report_p_named(out, ", q", s->q);
        report_p_named(out, ", Holm", s->holm);
        buf_printf(out, "; %lld pairs ", (long long)s->paired.n);
        if (s->detectable <= 1)
            buf_printf(out, "can show %.0f in 100\n", card_of_100(s->detectable));
        else
            buf_add_cstr(out, "are too few\n");
    }
    if (both_forms) add_other_form(s, out);
}

/* What applies of docs/limits.md. */
static void add_limit_list(const card_judge *j, eh_buf *out) {
    eh_buf text;
    buf_add_cstr(out, "\nWhat limits this card\n");
    buf_init(&text, BUF_MAX_SMALL);
    for (size_t i = 0; card_limit(j, i, &text); i++) {
        buf_printf(out, "  - " LAYOUT_HANG "%.*s\n", EH_STR_ARG(buf_view(&text)));
        buf_reset(&text);
    }
    buf_deinit(&text);
}

static void add_conventions(const card_judge *j, eh_buf *out) {
    bool attacks_only = j->n_probes == 0 && j->attack;
    size_t n = attacks_only ? j->attack->n_weak * j->attack->n_attacks : j->n_probes;
    const char *what = attacks_only ? "attack" : "probe";
    buf_printf(out,
               "\nLimits are conventions: an effect below %.0f in 100 does not matter, "
               "q (Benjamini-Hochberg over %zu %s%s) is at most %.2f, and %lld pairs "
               "must count.",
               card_of_100(j->limits.margin), n, what, n == 1 ? "" : "s",
               j->limits.max_q, (long long)j->limits.min_pairs);
    /* of attacks each set has pairs of its own */
    if (!attacks_only && j->detectable_before <= 1)
        buf_printf(out,
                   " Before the audit %lld pairs could be expected to show a "
                   "difference of %.0f in 100.",
                   (long long)j->n_pairs, card_of_100(j->detectable_before));
    buf_add_char(out, '\n');
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
