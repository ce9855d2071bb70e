/* SPDX-License-Identifier: MIT
 *
 * Author families on the card: who counts as whom, how the judge votes where an answer
 * of its own family stands against another, and each probe by the author of the
 * perturbed answer. What these numbers cannot say stands below them.
 */
#include <math.h>
#include <stdio.h>

#include "card/card.h"
#include "report/write.h"

enum { FAMILY_COLUMNS = 24 };

/* ---- text ---- */

void card_family_who(const card_family *f, eh_buf *out) {
    if (f->judge.len) {
        buf_add_cstr(out, "The judge is of the family ");
        report_foreign(out, f->judge, FAMILY_COLUMNS);
        buf_printf(out, " (%s); of it: ", f->is_stated ? "as stated" : "by its name");
        report_foreign(out, f->own_models.len ? f->own_models : EH_STR("no answer"),
                       BUF_MAX_SMALL / 4);
        buf_add_cstr(out, "; of others: ");
        report_foreign(out, f->other_models.len ? f->other_models : EH_STR("none"),
                       BUF_MAX_SMALL / 4);
        buf_add_char(out, '.');
    } else {
        buf_add_cstr(out, "The judge's family is not known, so nothing is own or "
                          "another's: name it by --family.");
    }
    if (f->n_unnamed)
        buf_printf(out, " %lld plain pairs hold an answer whose model is not named.",
                   (long long)f->n_unnamed);
}

static void add_who(const card_family *f, eh_buf *out) {
    buf_add_cstr(out, "\nWho wrote the answers. ");
    card_family_who(f, out);
    buf_add_char(out, '\n');
}

static void add_rate(eh_buf *out, const stats_interval *r) {
    buf_printf(out, "%.2f", r->value);
    if (!isnan(r->low)) buf_printf(out, " (95 %%: %.2f to %.2f)", r->low, r->high);
}

void card_family_self(const card_family *f, eh_buf *out) {
    if (f->n_mixed == 0) return;
    buf_add_cstr(out, "Own against another's answer: mean vote for the own one ");
    add_rate(out, &f->own);
    buf_printf(out, " on %lld plain pairs.", (long long)f->n_mixed);
    if (f->n_labelled == 0) {
        buf_add_cstr(out, " It may be the better one: without labels of people on "
                          "these pairs that is no preference for its own.");
    } else {
        buf_printf(out, " On the %lld of them that people labelled it gives ",
                   (long long)f->n_labelled);
        add_rate(out, &f->own_labelled);
        buf_add_cstr(out, ", people ");
        add_rate(out, &f->people);
        if (!isnan(f->excess.low)) {
            buf_printf(out, ": %+.0f in 100 for its own (%.0f to %.0f",
                       card_of_100(f->excess.value), card_of_100(f->excess.low),
                       card_of_100(f->excess.high));
            if (!isnan(f->excess_p)) {
                buf_add_cstr(out, ", ");
                report_p_value(out, f->excess_p);
            }
            buf_add_char(out, ')');
        }
        buf_add_char(out, '.');
    }
}

static void add_self(const card_family *f, eh_buf *out) {
    if (f->n_mixed == 0) return;
    buf_add_cstr(out, "  ");
    card_family_self(f, out);
    buf_add_char(out, '\n');
}

/* Oversight is told as what is detected, susceptibility as what changes. */
static void add_row(audit_form form, const card_family_row *row, eh_buf *out) {
    const audit_paired *p = &row->score.paired;
    bool sees_over = form == AUDIT_OVERSIGHT;
    double sign = sees_over ? -1 : 1;
    char range[CARD_RANGE_CHARS];
    buf_add_cstr(out, "    ");
    report_foreign(out, row->family, FAMILY_COLUMNS);
    if (row->is_own) buf_add_cstr(out, " (own)");
    if (p->n) {
        const stats_interval *d = &p->difference;
        buf_printf(out, LAYOUT_CELL "%.0f" LAYOUT_CELL "%.0f",
                   card_of_100(p->asr.value), card_of_100(p->placebo.value));
        buf_printf(out, LAYOUT_CELL "%.0f (%s)", card_of_100(sign * d->value),
                   card_range(sign * (sees_over ? d->high : d->low),
                              sign * (sees_over ? d->low : d->high), range));
    } else {
        buf_add_cstr(out, LAYOUT_CELL "-" LAYOUT_CELL "-" LAYOUT_CELL "-");
    }
    report_cell_count(out, p->n);
    buf_add_char(out, '\n');
}

bool card_family_difference(const card_family_probe *p, eh_buf *out) {
    if (isnan(p->difference.low)) return false;
    buf_printf(out, "%s, own less others: %+.0f in 100 (%.0f to %.0f), ",
               p->form == AUDIT_OVERSIGHT ? "missed" : "changed",
               card_of_100(p->difference.value), card_of_100(p->difference.low),
               card_of_100(p->difference.high));
    report_p_value(out, p->p);
    const audit_paired *own = &p->own.paired, *others = &p->others.paired;
    bool is_clustered = own->n_questions < own->n || others->n_questions < others->n;
    buf_add_cstr(out, is_clustered ? " (by question)" : " (Fisher)");
    return true;
}

bool card_family_probe_differs(const card_family_probe *p) {
    return p->n_rows > 1 || (p->n_rows == 1 && p->rows[0].is_own);
}

static void add_probe(const card_family_probe *p, eh_buf *out) {
    static const char *const changed[] = {"changed", "placebo", "more (95 %)", "pairs"};
    static const char *const missed[] = {"missed", "placebo", "detected (95 %)",
                                         "pairs"};
    if (!card_family_probe_differs(p)) return;
    buf_add_cstr(out, LAYOUT_HEAD "  ");
    report_name(out, p->name);
    for (int i = 0; i < 4; i++)
        buf_printf(out, LAYOUT_CELL "%s",
                   (p->form == AUDIT_OVERSIGHT ? missed : changed)[i]);
    buf_add_char(out, '\n');
    for (size_t i = 0; i < p->n_rows; i++)
        add_row(p->form, &p->rows[i], out);
    eh_buf text;
    buf_init(&text, BUF_MAX_SMALL);
    if (card_family_difference(p, &text))
        buf_printf(out, "    %.*s\n", EH_STR_ARG(buf_view(&text)));
    buf_deinit(&text);
}

bool card_family_says_something(const card_family *f) {
    bool has_several = false;
    for (size_t i = 0; i < f->n_probes; i++)
        has_several = has_several || f->probes[i].n_rows > 1;
    return has_several || f->judge.len;
}

void card_family_text(const card_judge *j, eh_buf *out) {
    const card_family *f = j->family;
    if (!f || !card_family_says_something(f)) return;
    add_who(f, out);
    add_self(f, out);
    for (size_t i = 0; i < f->n_probes; i++)
        add_probe(&f->probes[i], out);
    buf_add_cstr(out, "  " CARD_FAMILY_CAVEAT "\n");
}

/* ---- JSON ---- */

static void put_probe(json_writer *w, const card_family_probe *p) {
    json_key_str(w, p->name);
    json_object_begin(w);
    json_put_cstr(w, "form", audit_form_name(p->form));
    json_key(w, "by_family");
    json_object_begin(w);
    for (size_t i = 0; i < p->n_rows; i++) {
        json_key_str(w, p->rows[i].family);
        json_object_begin(w);
        json_put_bool(w, "own", p->rows[i].is_own);
        card_put_score(w, &p->rows[i].score);
        json_object_end(w);
    }
    json_object_end(w);
    const struct {
        const char *key;
        const audit_score *score;
    } parts[] = {{"own", &p->own}, {"others", &p->others}};
    for (size_t i = 0; i < 2; i++) {
        json_key(w, parts[i].key);
        if (parts[i].score->n_pairs == 0) {
            json_null(w);
            continue;
        }
        json_object_begin(w);
        card_put_score(w, parts[i].score);
        json_object_end(w);
    }
    card_put_interval(w, "own_less_others", &p->difference);
    json_put_f64(w, "p", p->p);
    json_object_end(w);
}

static void put_self(json_writer *w, const card_family *f) {
    json_key(w, "self_preference");
    json_object_begin(w);
    json_put_i64(w, "mixed_pairs", f->n_mixed);
    json_put_i64(w, "own_pairs", f->n_both);
    json_put_i64(w, "other_pairs", f->n_none);
    json_put_i64(w, "unnamed_pairs", f->n_unnamed);
    card_put_interval(w, "own_rate", &f->own);
    json_put_i64(w, "labelled_pairs", f->n_labelled);
    card_put_interval(w, "own_rate_labelled", &f->own_labelled);
    card_put_interval(w, "people_rate", &f->people);
    card_put_interval(w, "excess", &f->excess);
    json_put_f64(w, "p", f->excess_p);
    json_object_end(w);
}

void card_family_json(const card_judge *j, json_writer *w) {
    const card_family *f = j->family;
    json_key(w, "authors");
    if (!f) {
        json_null(w);
        return;
    }
    json_object_begin(w);
    json_put_str(w, "judge_family", f->judge);
    json_put_bool(w, "stated", f->is_stated);
    json_put_str(w, "own_models", f->own_models);
    json_put_str(w, "other_models", f->other_models);
    put_self(w, f);
    json_key(w, "probes");
    json_object_begin(w);
    for (size_t i = 0; i < f->n_probes; i++)
        put_probe(w, &f->probes[i]);
    json_object_end(w);
    json_object_end(w);
}
