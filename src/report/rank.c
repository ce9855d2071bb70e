/* SPDX-License-Identifier: MIT
 *
 * A ranking, for people and as JSON.
 *
 * What cannot be known is said beside the numbers: models that nobody beat, models that
 * were never linked, few questions, lengths that do not overlap. A strength that only a
 * prior keeps finite is printed, since its place is known, but never without that
 * remark.
 */
#include "report/rank.h"

#include <math.h>
#include <stdio.h>

#include "base/json_write.h"
#include "report/rate.h"
#include "report/write.h"

enum { LENGTH_ROWS_SHOWN = 15 };

static double percent(double share) {
    return 100 * share;
}

/* ---- the table ---- */

static void add_head(const report_rank *r, eh_buf *out) {
    buf_printf(out, "%.*s: %.*s\n%d models, %lld pairs, %lld questions, %lld %s\n",
               EH_STR_ARG(r->ledger), EH_STR_ARG(r->judge), r->n_models,
               (long long)r->n_pairs, (long long)r->n_questions,
               (long long)r->n_verdicts, r->is_alone ? "rulings" : "verdicts");
    if (r->half_ties)
        buf_add_cstr(out, "ties as half wins, for comparison with other tools: "
                          "differences are too small\n");
    buf_add_char(out, '\n');
}

static void add_model(const report_rank_model *m, eh_buf *out) {
    char place[24] = "-";
    if (m->component >= 0)
        (void)snprintf(place, sizeof place,
                       m->rank_low == m->rank_high ? "%d" : "%d-%d", m->rank_low,
                       m->rank_high);
    buf_printf(out, "  %-7s", place);
    report_name(out, m->name);
    if (isnan(m->strength.value)) {
        buf_add_cstr(out, LAYOUT_CELL "-" LAYOUT_CELL LAYOUT_CELL "-" LAYOUT_CELL);
    } else if (isnan(m->strength.low)) {
        buf_printf(out, LAYOUT_CELL "%+.2f" LAYOUT_CELL LAYOUT_CELL "%.1f" LAYOUT_CELL,
                   m->strength.value, percent(m->expected.value));
    } else {
        buf_printf(out, LAYOUT_CELL "%+.2f" LAYOUT_CELL "%+.2f to %+.2f",
                   m->strength.value, m->strength.low, m->strength.high);
        buf_printf(out, LAYOUT_CELL "%.1f" LAYOUT_CELL "%.1f to %.1f",
                   percent(m->expected.value), percent(m->expected.low),
                   percent(m->expected.high));
    }
    report_cell_count(out, m->n_pairs);
    buf_add_char(out, '\n');
}

static void add_models(const report_rank *r, eh_buf *out) {
    static const char *const heads[] = {"strength", "95 %", "wins %", "95 %", "pairs"};
    report_head(out, "  place  model", heads, 5);
    for (int i = 0; i < r->n_models; i++) {
        if (i && r->models[i].component != r->models[i - 1].component)
            buf_add_cstr(out, "  never compared with those above, neither directly nor "
                              "through others:\n");
        add_model(&r->models[i], out);
    }
}

/* ---- effects ---- */

static void add_position(const report_rank *r, eh_buf *out) {
    const stats_interval *f = &r->first;
    if (r->is_alone) return;
    if (!r->has_order) {
        buf_add_cstr(out, "  position   " LAYOUT_HANG
                          "one order only: what the slot is worth is in the "
                          "strengths\n");
        return;
    }
    buf_printf(out,
               "  position   " LAYOUT_HANG
               "between equals the first slot gets %.1f %% of decided "
               "verdicts",
               percent(f->value));
    if (!isnan(f->low))
        buf_printf(out, " (95 %%: %.1f to %.1f)", percent(f->low), percent(f->high));
    buf_add_char(out, '\n');
}

static const char *term_text(const char *name) {
    return strcmp(name, "length") == 0     ? "twice the length"
           : strcmp(name, "headings") == 0 ? "having all the headings"
           : strcmp(name, "bold") == 0     ? "having all the bold text"
                                           : "having all the list items";
}

static void add_terms(const report_rank *r, eh_buf *out) {
    for (int i = 0; i < r->n_terms; i++) {
        const report_rank_term *t = &r->terms[i];
        buf_printf(out, "  %-10s " LAYOUT_HANG, t->name);
        if (t->is_constant)
            buf_add_cstr(out, "no two answers differ in it\n");
        else if (isnan(t->value.low))
            buf_printf(out, "%s is worth %+.2f\n", term_text(t->name), t->value.value);
        else
            buf_printf(out, "%s is worth %+.2f (95 %%: %+.2f to %+.2f)\n",
                       term_text(t->name), t->value.value, t->value.low, t->value.high);
    }
}

static void add_effects(const report_rank *r, eh_buf *out) {
    buf_add_char(out, '\n');
    add_position(r, out);
    if (!isnan(r->tie_share))
        buf_printf(out, "  ties       " LAYOUT_HANG "%.1f %% between equals\n",
                   percent(r->tie_share));
    add_terms(r, out);
}

/* ---- what is thin ---- */

typedef bool model_test(const report_rank_model *m);

static bool is_undefeated(const report_rank_model *m) {
    return m->undefeated;
}

static bool is_winless(const report_rank_model *m) {
    return m->winless;
}

static bool is_thin(const report_rank_model *m) {
    return m->n_questions < REPORT_RANK_THIN_QUESTIONS;
}

static int count(const report_rank *r, model_test *test) {
    int n = 0;
    for (int i = 0; i < r->n_models; i++)
        n += test(&r->models[i]);
    return n;
}

/* "name, name (12 questions)": all that pass the test. */
static void list(const report_rank *r, model_test *test, bool with_questions,
                 eh_buf *out) {
    const char *sep = "";
    for (int i = 0; i < r->n_models; i++) {
        const report_rank_model *m = &r->models[i];
        if (!test(m)) continue;
        buf_printf(out, "%s%.*s", sep, EH_STR_ARG(m->name));
        if (with_questions) buf_printf(out, " (%lld)", (long long)m->n_questions);
        sep = ", ";
    }
}

static void add_remark(eh_buf *text, eh_buf *out) {
    buf_printf(out, "  %.*s\n", EH_STR_ARG(buf_view(text)));
    buf_reset(text);
}

static void add_models_remarks(const report_rank *r, eh_buf *text, eh_buf *out) {
    static const struct {
        model_test *test;
        const char *what;
    } extremes[] = {{is_undefeated, "Never beaten: "}, {is_winless, "Never won: "}};
    for (size_t i = 0; i < 2; i++) {
        if (count(r, extremes[i].test) == 0) continue;
        buf_add_cstr(text, extremes[i].what);
        list(r, extremes[i].test, false, text);
        buf_add_cstr(text,
                     "; how far apart from the others cannot be known, and only a "
                     "prior keeps the strength finite.");
        add_remark(text, out);
    }
    int n_thin = count(r, is_thin);
    if (n_thin == r->n_models) {
        buf_printf(text,
                   "All models have fewer than %d questions behind them; the "
                   "intervals are a little too narrow.",
                   REPORT_RANK_THIN_QUESTIONS);
        add_remark(text, out);
    } else if (n_thin) {
        buf_printf(text,
                   "Fewer than %d questions behind: ", REPORT_RANK_THIN_QUESTIONS);
        list(r, is_thin, true, text);
        buf_add_cstr(text, "; their intervals are too narrow.");
        add_remark(text, out);
    }
}

static void add_remarks(const report_rank *r, eh_buf *out) {
    eh_buf text;
    size_t begin = out->len;
    buf_init(&text, BUF_MAX_SMALL);
    add_models_remarks(r, &text, out);
    if (r->all_penalised) {
        buf_add_cstr(&text,
                     "The verdicts can be parted by a rule without exception, so the "
                     "likeliest strengths or terms are infinite; a prior bounds all "
                     "of them.");
        add_remark(&text, out);
    }
    const struct {
        int64_t n;
        const char *what;
    } left_out[] = {{r->n_no_models, "do not name two models"},
                    {r->n_same_model, "name one model twice"},
                    {r->n_no_verdict, "have no verdict"}};
    for (size_t i = 0; i < sizeof left_out / sizeof left_out[0]; i++) {
        if (left_out[i].n == 0) continue;
        buf_printf(&text, "Left out: %lld pairs %s.", (long long)left_out[i].n,
                   left_out[i].what);
        add_remark(&text, out);
    }
    if (out->len > begin) buf_add_char(out, '\n');
    buf_deinit(&text);
}

/* ---- length control ---- */

static void add_length_row(const report_rank *r, const report_rank_pair *p,
                           eh_buf *out) {
    const stats_length *c = &p->controlled;
    buf_add_cstr(out, "  ");
    report_name(out, r->models[p->a].name);
    buf_add_cstr(out, " against ");
    report_name(out, r->models[p->b].name);
    report_cell_percent(out, p->plain);
    report_cell_percent(out, c->win_rate.value);
    if (isnan(c->win_rate.low))
        buf_add_cstr(out, LAYOUT_CELL);
    else
        buf_printf(out, LAYOUT_CELL "%.1f to %.1f", percent(c->win_rate.low),
                   percent(c->win_rate.high));
    buf_printf(out, LAYOUT_CELL "%.0f %%" LAYOUT_LEFT "%s\n", percent(c->one_sided),
               c->warn_one_sided ? "!" : "");
}

static void add_length(const report_rank *r, eh_buf *out) {
    static const char *const heads[] = {"wins %", "then", "95 %", "one-sided"};
    bool warned = false;
    if (r->n_length_pairs == 0) return;
    buf_add_char(out, '\n');
    report_head(out, "  as if of one length", heads, 4);
    for (int i = 0; i < r->n_length_pairs; i++) {
        warned = warned || r->pairs[i].controlled.warn_one_sided;
        if (i < LENGTH_ROWS_SHOWN) add_length_row(r, &r->pairs[i], out);
    }
    if (r->n_length_pairs > LENGTH_ROWS_SHOWN)
        buf_printf(out, "  and %d more; --json has them all\n",
                   r->n_length_pairs - LENGTH_ROWS_SHOWN);
    if (warned)
        buf_add_cstr(out,
                     "\n  ! " LAYOUT_HANG "One side is longer in more than 85 % of "
                     "the pairs: what it would win at equal length is "
                     "extrapolated.\n");
}

/* ---- the sentence ---- */

static void add_sentence(const report_rank *r, const report_rank_lead *lead,
                         eh_buf *out) {
    if (lead->first < 0) {
        buf_add_cstr(out, "No two models can be told apart.");
        return;
    }
    const stats_interval *d = &lead->lead;
    buf_printf(out, "%.*s is first, ", EH_STR_ARG(r->models[lead->first].name));
    if (isnan(d->low))
        buf_printf(out, "%.2f ahead of %.*s, without an interval (one question)",
                   d->value, EH_STR_ARG(r->models[lead->second].name));
    else
        buf_printf(out, "%s%.2f (%.2f to %.2f) ahead of %.*s",
                   d->low > 0 ? "" : "but that is not shown: ", d->value, d->low,
                   d->high, EH_STR_ARG(r->models[lead->second].name));
    if (r->n_components > 1)
        buf_printf(out, "; %d groups of models were never compared with each other",
                   r->n_components);
    buf_add_char(out, '.');
}

void report_rank_text(const report_rank *r, const report_rank_lead *lead, eh_buf *out) {
    add_head(r, out);
    add_models(r, out);
    buf_add_cstr(out, "\n  strength: log odds; wins: expected against the average "
                      "model, ties half, in either slot\n");
    add_effects(r, out);
    add_length(r, out);
    buf_add_char(out, '\n');
    add_remarks(r, out);
    add_sentence(r, lead, out);
    buf_add_char(out, '\n');
}

/* ---- JSON ---- */

static void put_model(json_writer *w, const report_rank_model *m) {
    json_key_str(w, m->name);
    json_object_begin(w);
    json_put_i64(w, "place_low", m->rank_low);
    json_put_i64(w, "place_high", m->rank_high);
    report_put_interval(w, "strength", &m->strength);
    report_put_interval(w, "expected_wins", &m->expected);
    json_put_i64(w, "group", m->component);
    json_put_bool(w, "undefeated", m->undefeated);
    json_put_bool(w, "winless", m->winless);
    json_put_bool(w, "thin", is_thin(m));
    json_put_i64(w, "pairs", m->n_pairs);
    json_put_i64(w, "questions", m->n_questions);
    json_put_i64(w, "wins", m->n_wins);
    json_put_i64(w, "ties", m->n_ties);
    json_put_i64(w, "losses", m->n_losses);
    json_object_end(w);
}

static void put_terms(json_writer *w, const report_rank *r) {
    json_key(w, "terms");
    json_object_begin(w);
    for (int i = 0; i < r->n_terms; i++)
        report_put_interval(w, r->terms[i].name, &r->terms[i].value);
    json_object_end(w);
}

static void put_length_pairs(json_writer *w, const report_rank *r) {
    if (r->n_length_pairs == 0) return;
    json_key(w, "length_controlled");
    json_array_begin(w);
    for (int i = 0; i < r->n_length_pairs; i++) {
        const report_rank_pair *p = &r->pairs[i];
        const stats_length *c = &p->controlled;
        json_object_begin(w);
        json_put_str(w, "model", r->models[p->a].name);
        json_put_str(w, "against", r->models[p->b].name);
        json_put_i64(w, "pairs", c->n);
        json_put_f64(w, "win_rate_soft", p->plain);
        report_put_interval(w, "controlled", &c->win_rate);
        json_put_i64(w, "longer", c->n_longer_1);
        json_put_i64(w, "shorter", c->n_longer_2);
        json_put_f64(w, "one_sided", c->one_sided);
        json_put_bool(w, "extrapolated", c->warn_one_sided);
        json_put_bool(w, "penalised", c->penalised);
        json_object_end(w);
    }
    json_array_end(w);
}

static void put_lead(json_writer *w, const report_rank *r,
                     const report_rank_lead *lead) {
    json_key(w, "lead");
    json_object_begin(w);
    if (lead->first >= 0) {
        json_put_str(w, "first", r->models[lead->first].name);
        json_put_str(w, "second", r->models[lead->second].name);
    }
    report_put_interval_members(w, &lead->lead);
    json_object_end(w);
}

void report_rank_json(const report_rank *r, const report_rank_lead *lead, eh_buf *out) {
    json_writer w;
    json_writer_init(&w, out, 1);
    json_object_begin(&w);
    json_put_i64(&w, "rank", 1);
    json_put_str(&w, "judge", r->judge);
    json_put_cstr(&w, "tie_model", r->half_ties ? "half" : "davidson");
    json_put_i64(&w, "pairs", r->n_pairs);
    json_put_i64(&w, "questions", r->n_questions);
    json_put_i64(&w, "verdicts", r->n_verdicts);
    json_key(&w, "left_out");
    json_object_begin(&w);
    json_put_i64(&w, "no_models", r->n_no_models);
    json_put_i64(&w, "same_model", r->n_same_model);
    json_put_i64(&w, "no_verdict", r->n_no_verdict);
    json_object_end(&w);
    json_key(&w, "models");
    json_object_begin(&w);
    for (int i = 0; i < r->n_models; i++)
        put_model(&w, &r->models[i]);
    json_object_end(&w);
    json_put_i64(&w, "groups", r->n_components);
    json_put_i64(&w, "penalised_groups", r->n_penalised);
    json_put_bool(&w, "all_penalised", r->all_penalised);
    report_put_interval(&w, "order", &r->order);
    report_put_interval(&w, "first_slot_share", &r->first);
    json_put_f64(&w, "tie_share", r->tie_share);
    put_terms(&w, r);
    put_length_pairs(&w, r);
    put_lead(&w, r, lead);
    if (r->why) {
        json_put_cstr(&w, "why", r->why);
    }
    json_object_end(&w);
    buf_add_char(out, '\n');
}
