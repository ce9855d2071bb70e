/* SPDX-License-Identifier: MIT
 *
 * Author families on the card: who counts as whom, how the judge votes where an answer
 * of its own family stands against another, and each probe by the author of the
 * perturbed answer. What these numbers cannot say stands below them.
 */
#include <math.h>
#include <stdio.h>

#include "card/card.h"
#include "report/wrap.h"
#include "report/write.h"

enum { FAMILY_COLUMNS = 24 };

static double of_100(double share) {
    return 100 * share;
}

/* ---- text ---- */

static void add_who(const card_family *f, eh_buf *out) {
    eh_buf text;
    buf_init(&text, BUF_MAX_SMALL);
    if (f->judge.len) {
        buf_add_cstr(&text, "Who wrote the answers. The judge is of the family ");
        report_foreign(&text, f->judge, FAMILY_COLUMNS);
        buf_printf(&text, " (%s); of it: ", f->is_stated ? "as stated" : "by its name");
        report_foreign(&text, f->own_models.len ? f->own_models : EH_STR("no answer"),
                       BUF_MAX_SMALL / 4);
        buf_add_cstr(&text, "; of others: ");
        report_foreign(&text, f->other_models.len ? f->other_models : EH_STR("none"),
                       BUF_MAX_SMALL / 4);
        buf_add_char(&text, '.');
    } else {
        buf_add_cstr(&text,
                     "Who wrote the answers. The judge's family is not known, so "
                     "nothing is own or another's: name it by --family.");
    }
    if (f->n_unnamed)
        buf_printf(&text, " %lld plain pairs hold an answer whose model is not named.",
                   (long long)f->n_unnamed);
    buf_add_char(out, '\n');
    report_wrap(buf_view(&text), 0, out);
    buf_deinit(&text);
}

static void add_rate(eh_buf *out, const stats_interval *r) {
    buf_printf(out, "%.2f", r->value);
    if (!isnan(r->low)) buf_printf(out, " (95 %%: %.2f to %.2f)", r->low, r->high);
}

static void add_self(const card_family *f, eh_buf *out) {
    eh_buf text;
    if (f->n_mixed == 0) return;
    buf_init(&text, BUF_MAX_SMALL);
    buf_add_cstr(&text, "Own against another's answer: mean vote for the own one ");
    add_rate(&text, &f->own);
    buf_printf(&text, " on %lld plain pairs.", (long long)f->n_mixed);
    if (f->n_labelled == 0) {
        buf_add_cstr(&text, " It may be the better one: without labels of people on "
                            "these pairs that is no preference for its own.");
    } else {
        buf_printf(&text, " On the %lld of them that people labelled it gives ",
                   (long long)f->n_labelled);
        add_rate(&text, &f->own_labelled);
        buf_add_cstr(&text, ", people ");
        add_rate(&text, &f->people);
        if (!isnan(f->excess.low)) {
            buf_printf(&text, ": %+.0f in 100 for its own (%.0f to %.0f",
                       of_100(f->excess.value), of_100(f->excess.low),
                       of_100(f->excess.high));
            if (!isnan(f->excess_p)) {
                buf_add_cstr(&text, ", ");
                report_p_value(&text, f->excess_p);
            }
            buf_add_char(&text, ')');
        }
        buf_add_char(&text, '.');
    }
    report_wrap(buf_view(&text), 2, out);
    buf_deinit(&text);
}

/* Oversight is told as what is detected, susceptibility as what changes. */
static void add_row(audit_form form, const card_family_row *row, eh_buf *out) {
    const audit_paired *p = &row->score.paired;
    bool sees_over = form == AUDIT_OVERSIGHT;
    double sign = sees_over ? -1 : 1;
    eh_buf name;
    char text[48] = "-";
    buf_init(&name, BUF_MAX_SMALL);
    report_foreign(&name, row->family, FAMILY_COLUMNS);
    if (row->is_own) buf_add_cstr(&name, " (own)");
    buf_add_cstr(out, "    ");
    report_name(out, buf_view(&name), FAMILY_COLUMNS);
    buf_deinit(&name);
    if (p->n) {
        const stats_interval *d = &p->difference;
        (void)snprintf(text, sizeof text, "%.0f (%.0f to %.0f)",
                       sign * of_100(d->value),
                       sign * of_100(sees_over ? d->high : d->low),
                       sign * of_100(sees_over ? d->low : d->high));
        buf_printf(out, "%7.0f%9.0f%19s", of_100(p->asr.value),
                   of_100(p->placebo.value), text);
    } else {
        buf_printf(out, "%7s%9s%19s", "-", "-", text);
    }
    buf_printf(out, "%7lld\n", (long long)p->n);
}

static void add_probe(const card_family_probe *p, eh_buf *out) {
    /* one family that is not the judge's: the card has said it */
    if (p->n_rows == 0 || (p->n_rows == 1 && !p->rows[0].is_own)) return;
    bool sees_over = p->form == AUDIT_OVERSIGHT;
    buf_add_cstr(out, "  ");
    report_name(out, p->name, FAMILY_COLUMNS + 2);
    buf_printf(out, "%7s%9s%19s%7s\n", sees_over ? "missed" : "changed", "placebo",
               sees_over ? "detected (95 %)" : "more (95 %)", "pairs");
    for (size_t i = 0; i < p->n_rows; i++)
        add_row(p->form, &p->rows[i], out);
    if (isnan(p->difference.low)) return;
    buf_printf(out, "    %s, own less others: %+.0f in 100 (%.0f to %.0f), ",
               sees_over ? "missed" : "changed", of_100(p->difference.value),
               of_100(p->difference.low), of_100(p->difference.high));
    report_p_value(out, p->p);
    buf_add_cstr(out, " (Fisher)\n");
}

/* Is there anything to hold against each other? */
static bool says_something(const card_family *f) {
    bool has_several = false;
    for (size_t i = 0; i < f->n_probes; i++)
        has_several = has_several || f->probes[i].n_rows > 1;
    return has_several || f->judge.len;
}

void card_family_text(const card_judge *j, eh_buf *out) {
    const card_family *f = j->family;
    if (!f || !says_something(f)) return;
    add_who(f, out);
    add_self(f, out);
    for (size_t i = 0; i < f->n_probes; i++)
        add_probe(&f->probes[i], out);
    report_wrap(EH_STR("Families are read from names. Pairs of different authors are "
                       "different pairs, so their questions may differ as well. Where "
                       "one family wrote, perturbed and judges, it knows such texts "
                       "best, and its rates may look better than on others'."),
                2, out);
}

/* ---- JSON ---- */

static void put_probe(json_writer *w, const card_family_probe *p) {
    json_key_str(w, p->name);
    json_object_begin(w);
    report_put_text(w, "form", audit_form_name(p->form));
    json_key(w, "by_family");
    json_object_begin(w);
    for (size_t i = 0; i < p->n_rows; i++) {
        json_key_str(w, p->rows[i].family);
        json_object_begin(w);
        report_put_bool(w, "own", p->rows[i].is_own);
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
    report_put_f64(w, "p", p->p);
    json_object_end(w);
}

static void put_self(json_writer *w, const card_family *f) {
    json_key(w, "self_preference");
    json_object_begin(w);
    report_put_i64(w, "mixed_pairs", f->n_mixed);
    report_put_i64(w, "own_pairs", f->n_both);
    report_put_i64(w, "other_pairs", f->n_none);
    report_put_i64(w, "unnamed_pairs", f->n_unnamed);
    card_put_interval(w, "own_rate", &f->own);
    report_put_i64(w, "labelled_pairs", f->n_labelled);
    card_put_interval(w, "own_rate_labelled", &f->own_labelled);
    card_put_interval(w, "people_rate", &f->people);
    card_put_interval(w, "excess", &f->excess);
    report_put_f64(w, "p", f->excess_p);
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
    json_key(w, "judge_family");
    json_str(w, f->judge);
    report_put_bool(w, "stated", f->is_stated);
    json_key(w, "own_models");
    json_str(w, f->own_models);
    json_key(w, "other_models");
    json_str(w, f->other_models);
    put_self(w, f);
    json_key(w, "probes");
    json_object_begin(w);
    for (size_t i = 0; i < f->n_probes; i++)
        put_probe(w, &f->probes[i]);
    json_object_end(w);
    json_object_end(w);
}
