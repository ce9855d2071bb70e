/* SPDX-License-Identifier: MIT
 *
 * The summary for people on a terminal: a block for one run, a table for several.
 *
 * A line is a name and what it says, at most 78 columns where the names allow it. Left
 * out: colour, which adds nothing to numbers, and what --json has for machines.
 */
#include "report/summary.h"

#include <math.h>
#include <stdio.h>

#include "base/utf8.h"

enum { LABEL_COLUMNS = 16, TEXT_MAX = 64 };

static void label(eh_buf *out, const char *name) {
    buf_printf(out, "  %-*s", LABEL_COLUMNS, name);
}

/* "45.8 %", or "-" for what is undefined. */
static const char *percent_text(double share, char text[TEXT_MAX]) {
    if (isnan(share))
        (void)snprintf(text, TEXT_MAX, "-");
    else
        (void)snprintf(text, TEXT_MAX, "%.1f %%", 100 * share);
    return text;
}

static void add_rate(eh_buf *out, const report_rate *r) {
    char value[TEXT_MAX];
    buf_add_cstr(out, percent_text(r->value, value));
    if (!isnan(r->low))
        buf_printf(out, "  (95 %%: %.1f to %.1f; %lld pairs, %lld questions)",
                   100 * r->low, 100 * r->high, (long long)r->n,
                   (long long)r->n_questions);
    else
        buf_printf(out, "  (no interval: %s)", r->why ? r->why : "too few questions");
    buf_add_char(out, '\n');
}

static void name_of(eh_str model, const char *fallback, char text[TEXT_MAX]) {
    if (model.len)
        (void)snprintf(text, TEXT_MAX, "%.*s", EH_STR_ARG(model));
    else
        (void)snprintf(text, TEXT_MAX, "%s", fallback);
}

static void add_win_rate(eh_buf *out, const report_judge *j) {
    char one[TEXT_MAX];
    bool named = j->model_1.len && !eh_str_eq(j->model_1, j->model_2);
    name_of(named ? j->model_1 : EH_STR(""), "answer 1", one);
    if (!isnan(j->win_rate.value)) {
        label(out, "win rate");
        add_rate(out, &j->win_rate);
    }
    if (!isnan(j->win_rate_soft.value) && !j->position.one_order) {
        label(out, "soft win rate");
        add_rate(out, &j->win_rate_soft);
    }
    for (int o = 0; o < EH_ORDER_N && !plan_is_alone(&j->plan); o++) {
        if (!(j->plan.orders & PLAN_ORDER_BIT(o)) || j->position.one_order) continue;
        char name[TEXT_MAX];
        (void)snprintf(name, sizeof name, "  order %s only",
                       eh_order_name((eh_order)o));
        label(out, name);
        add_rate(out, &j->win_rate_by_order[o]);
    }
    label(out, "");
    buf_printf(out, "of %s; ties count half\n", one);
}

static void add_rulings(eh_buf *out, const report_judge *j) {
    const report_rulings *r = &j->rulings;
    char one[TEXT_MAX], two[TEXT_MAX];
    bool named = j->model_1.len && !eh_str_eq(j->model_1, j->model_2);
    name_of(named ? j->model_1 : EH_STR(""), "answer 1", one);
    name_of(named ? j->model_2 : EH_STR(""), "answer 2", two);
    label(out, "rulings");
    if (j->none[PLAN_NONE_SIDE_BY_SIDE]) {
        buf_add_cstr(out,
                     "none: one-order method asked both ways, see the two orders\n");
        return;
    }
    buf_printf(out, "%s %lld, %s %lld, tie %lld", one, (long long)r->n_1, two,
               (long long)r->n_2, (long long)(r->tie_agreed + r->tie_from_conflict));
    if (r->tie_agreed + r->tie_from_conflict)
        buf_printf(out, " (%lld agreed, %lld from conflict)", (long long)r->tie_agreed,
                   (long long)r->tie_from_conflict);
    buf_add_char(out, '\n');
    if (r->n_none == 0) return;
    label(out, "no ruling");
    const char *sep = "";
    for (int k = PLAN_NONE_NOT + 1; k < PLAN_NONE_SIDE_BY_SIDE; k++) {
        if (!j->none[k]) continue;
        buf_printf(out, "%s%s %lld", sep, plan_none_name((plan_none_kind)k),
                   (long long)j->none[k]);
        sep = ", ";
    }
    buf_add_char(out, '\n');
}

static void add_position(eh_buf *out, const report_judge *j) {
    const report_position *p = &j->position;
    char rate[TEXT_MAX];
    label(out, "position");
    if (plan_is_alone(&j->plan)) {
        buf_add_cstr(out, "each answer was scored alone: there is no slot to prefer\n");
        return;
    }
    if (p->one_order) {
        buf_add_cstr(out, "one order only: bias and quality cannot be told apart\n");
        return;
    }
    buf_printf(out, "first slot in %s of decided replies (%lld to %lld, %lld ties)\n",
               percent_text(p->first_rate, rate), (long long)p->first,
               (long long)p->second, (long long)p->tie);
}

static void add_conflict(eh_buf *out, const report_judge *j) {
    const report_conflict *c = &j->conflict;
    if (j->position.one_order || plan_is_alone(&j->plan)) return;
    label(out, "conflict");
    if (c->n_pairs == 0) {
        buf_add_cstr(out, "no pair has a ruling in both orders\n");
        return;
    }
    char rate[TEXT_MAX];
    buf_printf(
        out, "%s: %lld of %lld pairs (first slot twice %lld, second twice %lld,\n",
        percent_text(c->rate.value, rate), (long long)c->n_conflicts,
        (long long)c->n_pairs, (long long)c->first_both, (long long)c->second_both);
    label(out, "");
    buf_printf(out, "with a tie %lld); ", (long long)c->with_tie);
    if (c->p_direction < .0001)
        buf_add_cstr(out, "direction: p < .0001\n");
    else
        buf_printf(out, "direction: p = %.4f\n", c->p_direction);
}

/* Coarse scores tie often; whether rulings contradict each other shows in triples. */
static void add_consistency(eh_buf *out, const report_judge *j) {
    const report_transitivity *t = &j->transitivity;
    const report_rulings *r = &j->rulings;
    int64_t n_ties = r->tie_agreed + r->tie_from_conflict;
    int64_t n_ruled = r->n_1 + r->n_2 + n_ties;
    char rate[TEXT_MAX];
    if (plan_is_alone(&j->plan) && n_ruled > 0) {
        label(out, "ties");
        buf_printf(out, "%s of rulings: %lld of %lld pairs have equal scores\n",
                   percent_text((double)n_ties / (double)n_ruled, rate),
                   (long long)n_ties, (long long)n_ruled);
    }
    if (t->n_triples == 0) return;
    label(out, "transitivity");
    buf_printf(out, "%lld of %lld triples of answers go in a circle, %lld are broken\n",
               (long long)t->n_circles, (long long)t->n_triples,
               (long long)t->n_broken_by_tie);
    label(out, "");
    buf_add_cstr(out, plan_is_alone(&j->plan)
                          ? "by a tie; scores of single answers can do neither\n"
                          : "by a tie\n");
}

static void add_labels(eh_buf *out, const report_judge *j) {
    const report_labels *l = &j->labels;
    if (l->all.n_labelled == 0) return;
    char accuracy[TEXT_MAX], ruled[TEXT_MAX], base[TEXT_MAX], order[TEXT_MAX];
    label(out, "against humans");
    buf_printf(out, "accuracy %s of %lld labelled pairs (%s of the %lld ruled)\n",
               percent_text(l->all.accuracy, accuracy), (long long)l->all.n_labelled,
               percent_text(l->all.accuracy_ruled, ruled), (long long)l->all.n_ruled);
    label(out, "");
    if (isnan(l->all.kappa))
        buf_printf(out, "kappa undefined (%s)", l->all.why_kappa);
    else
        buf_printf(out, "kappa %.3f", l->all.kappa);
    buf_printf(out, "; always saying \"%s\" is right for %s\n",
               eh_verdict_name(l->baseline_label), percent_text(l->baseline, base));
    if (!j->position.one_order && !plan_is_alone(&j->plan)) {
        label(out, "");
        buf_printf(out, "order 12 only %s, ",
                   percent_text(l->by_order[0].accuracy, order));
        buf_printf(out, "order 21 only %s\n",
                   percent_text(l->by_order[1].accuracy, order));
    }
    if (l->n_flagged) {
        label(out, "");
        buf_printf(
            out, "%lld pairs without a clear majority count as ties; without them %s\n",
            (long long)l->n_flagged,
            percent_text(l->without_flagged.accuracy, accuracy));
    }
}

static void add_failed(eh_buf *out, const report_judge *j) {
    const char *sep = "";
    bool any = false;
    for (int r = VERDICT_REASON_NONE + 1; r < VERDICT_REASON_N; r++) {
        if (!j->failed[r]) continue;
        if (!any) label(out, "failed replies");
        any = true;
        buf_printf(out, "%s%s %lld", sep, verdict_reason_name((verdict_reason)r),
                   (long long)j->failed[r]);
        sep = ", ";
    }
    if (any) buf_add_char(out, '\n');
}

enum { MODELS_SHOWN = 4, MODEL_NAME_BYTES = 80 };

/* An endpoint's words on a terminal: cut, and without what would steer it (C0, DEL and
 * C1, which is C2 80 to C2 9F in UTF-8). */
static void add_foreign(eh_buf *out, eh_str s) {
    s = utf8_cut(s, MODEL_NAME_BYTES);
    for (size_t i = 0; i < s.len; i++) {
        unsigned char c = (unsigned char)s.ptr[i];
        bool c1 = c == 0xC2 && i + 1 < s.len && (unsigned char)s.ptr[i + 1] < 0xA0;
        i += c1;
        buf_add_char(out, c < 0x20 || c == 0x7F || c1 ? '?' : s.ptr[i]);
    }
}

void report_models(const report_judge *j, eh_buf *out) {
    for (size_t i = 0; i < j->n_models && i < MODELS_SHOWN; i++) {
        const report_model *m = &j->models[i];
        if (i) buf_add_cstr(out, ", ");
        add_foreign(out, eh_str_is_absent(m->model) ? EH_STR("unnamed") : m->model);
        if (m->fingerprint.len) {
            buf_add_cstr(out, " (");
            add_foreign(out, m->fingerprint);
            buf_add_char(out, ')');
        }
        buf_printf(out, " %lld calls", (long long)m->n_calls);
    }
    if (j->n_models > MODELS_SHOWN)
        buf_printf(out, " and %zu more", j->n_models - MODELS_SHOWN);
}

static void add_models(eh_buf *out, const report_judge *j) {
    if (!j->mixed_models) return;
    label(out, "models");
    report_models(j, out);
    buf_add_cstr(out, ": mixed\n");
}

/* Nothing where no tokens are known, as with judges that cost nothing. */
static void add_cost(eh_buf *out, const report_judge *j) {
    if (j->prompt_tokens < 0 || j->completion_tokens < 0) return;
    label(out, "cost");
    if (j->cost_nusd >= 0)
        buf_printf(out, "$%.*f, ", j->cost_nusd < 1000000000 ? 4 : 2,
                   (double)j->cost_nusd / 1e9);
    buf_printf(out, "%lld tokens asked, %lld answered", (long long)j->prompt_tokens,
               (long long)j->completion_tokens);
    if (j->cost_nusd < 0)
        buf_add_cstr(out, "; price unknown");
    else if (j->price_date.len)
        buf_printf(out, "; price of %.*s", EH_STR_ARG(j->price_date));
    buf_add_char(out, '\n');
}

static void add_block(eh_buf *out, const report_judge *j) {
    buf_printf(out, "%.*s\n", EH_STR_ARG(j->name));
    label(out, "asked");
    char options[PLAN_OPTIONS_CHARS];
    plan_options_text(&j->plan, options);
    buf_printf(out, "%lld pairs, method %s", (long long)j->n_pairs,
               j->people ? "hitlc" : plan_method_name(j->plan.method));
    if (!options[0]) buf_printf(out, ", k %d", j->plan.k);
    if (j->template_name.len)
        buf_printf(out, ", template %.*s", EH_STR_ARG(j->template_name));
    buf_printf(out, ", %lld calls\n", (long long)j->n_calls);
    add_cost(out, j);
    if (options[0]) {
        label(out, "");
        buf_printf(out, "%s\n", options);
    }
    add_win_rate(out, j);
    add_rulings(out, j);
    add_position(out, j);
    add_conflict(out, j);
    add_consistency(out, j);
    if (j->bpde.n) {
        label(out, "uncertainty");
        buf_printf(out, "BPDE mean %.3f, highest %.3f; 0 for %lld of %lld pairs\n",
                   j->bpde.mean, j->bpde.max, (long long)j->bpde.zero,
                   (long long)j->bpde.n);
    }
    add_labels(out, j);
    if (plan_n_stages(&j->plan) > 1) report_portia_text(&j->portia, &j->plan, out);
    add_failed(out, j);
    add_models(out, j);
}

/* "0.458", right-aligned in six columns; "-" where undefined. */
static void cell(eh_buf *out, double share) {
    if (isnan(share))
        buf_printf(out, " %6s", "-");
    else
        buf_printf(out, " %6.1f", 100 * share);
}

/* A name, left-aligned; one that is too long has a line of its own. */
static void add_name(eh_buf *out, eh_str name, int width) {
    if ((int)name.len > width)
        buf_printf(out, "%.*s\n%-*s", EH_STR_ARG(name), width, "");
    else
        buf_printf(out, "%-*.*s", width, EH_STR_ARG(name));
}

/* The runs of portia once more: what splitting changed. */
static void add_portia_table(eh_buf *out, const report_summary *s, int width) {
    bool any = false;
    for (size_t i = 0; i < s->n_judges; i++) {
        const report_judge *j = &s->judges[i];
        if (plan_n_stages(&j->plan) == 1) continue;
        if (!any) {
            buf_add_char(out, '\n');
            report_portia_head(width, out);
        }
        any = true;
        add_name(out, j->name, width);
        report_portia_row(&j->portia, out);
    }
    if (any)
        buf_add_cstr(out,
                     "\nbefore, after: pairs on which both orders agree; mended: of "
                     "the others;\ncalls: for a pair\n");
}

static void add_table(eh_buf *out, const report_summary *s) {
    int width = 12;
    bool labels = false;
    for (size_t i = 0; i < s->n_judges; i++) {
        int len = (int)s->judges[i].name.len;
        if (len > width) width = len > 44 ? 44 : len;
        labels = labels || s->judges[i].labels.all.n_labelled;
    }
    buf_printf(out, "%-*s %6s %6s %6s %6s %6s %6s", width, "judge (in %)", "pairs",
               "win", "low", "high", "confl", "first");
    buf_add_cstr(out, labels ? "    acc  kappa\n" : "\n");
    for (size_t i = 0; i < s->n_judges; i++) {
        const report_judge *j = &s->judges[i];
        add_name(out, j->name, width);
        buf_printf(out, " %6lld", (long long)j->n_pairs);
        bool apart = isnan(j->win_rate.value);
        double mean =
            (j->win_rate_by_order[0].value + j->win_rate_by_order[1].value) / 2;
        cell(out, apart ? mean : j->win_rate.value);
        cell(out, j->win_rate.low);
        cell(out, j->win_rate.high);
        cell(out, j->conflict.rate.value);
        cell(out, j->position.one_order ? NAN : j->position.first_rate);
        if (labels) {
            cell(out, j->labels.all.accuracy);
            if (isnan(j->labels.all.kappa))
                buf_printf(out, " %6s", "-");
            else
                buf_printf(out, " %6.3f", j->labels.all.kappa);
        }
        buf_add_char(out, '\n');
    }
    buf_add_cstr(out,
                 "\nwin: of answer 1, with its 95 % interval; confl: pairs whose two "
                 "orders differ;\nfirst: decided replies for the slot shown first");
    buf_add_cstr(out, labels ? "; acc, kappa: against human labels\n" : "\n");
    add_portia_table(out, s, width);
}

void report_summary_text(const report_summary *s, eh_buf *out) {
    if (s->n_judges == 0) {
        buf_printf(out, "%lld pairs, nothing asked yet.\n", (long long)s->n_pairs);
        return;
    }
    if (s->n_judges > 1) {
        add_table(out, s);
        return;
    }
    add_block(out, &s->judges[0]);
    buf_add_char(out, '\n');
    report_sentence_lines(&s->judges[0], 0, out);
}
