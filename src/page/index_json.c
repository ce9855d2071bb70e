/* SPDX-License-Identifier: MIT
 *
 * The object that the page reads first: all numbers, and a row for each pair without
 * its texts.
 *
 * Rows are columns, since a column packs well and is an array for the page at once.
 * What has few values is a digit a pair in one string:
 *
 *   ruling, v12, v21, label   0 none, 1, 2, 3 tie (as eh_verdict); "-" not in scope
 *   none                      as plan_none_kind
 *
 * The judge's "summary" is the object of `show --json`; the rest is what the summary
 * does not have. An undefined number is null, with "why" beside it.
 */
#include <math.h>

#include "base/json_write.h"
#include "report/write.h"
#include "page/page.h"

/* ---- numbers ---- */

static void put_counts(json_writer *w, const char *key, const int64_t *counts, int n) {
    json_key(w, key);
    json_array_begin(w);
    for (int i = 0; i < n; i++)
        json_i64(w, counts[i]);
    json_array_end(w);
}

static void put_groups(json_writer *w, const char *key, const page_group *groups,
                       size_t n) {
    json_key(w, key);
    json_array_begin(w);
    for (size_t i = 0; i < n; i++) {
        json_object_begin(w);
        if (!eh_str_is_absent(groups[i].name)) {
            json_put_str(w, "name", groups[i].name);
        } else {
            json_put_f64(w, "low", groups[i].low);
            json_put_f64(w, "high", groups[i].high);
        }
        json_put_i64(w, "n", groups[i].n);
        report_put_rate(w, "win", &groups[i].win);
        report_put_rate(w, "conflict", &groups[i].conflict);
        json_object_end(w);
    }
    json_array_end(w);
}

static void put_bpde(json_writer *w, const page_judge *j) {
    json_key(w, "bpde");
    json_array_begin(w);
    for (size_t i = 0; i < j->n_bpde; i++) {
        json_object_begin(w);
        json_put_f64(w, "low", j->bpde[i].low);
        json_put_f64(w, "high", j->bpde[i].high);
        json_put_i64(w, "n", j->bpde[i].n);
        json_put_i64(w, "none", j->bpde[i].n_none);
        json_object_end(w);
    }
    json_array_end(w);
}

/* Every percent, also where no label says what it would give: the slider counts. */
static void put_budget(json_writer *w, const page_judge *j) {
    const report_estimates *e = &j->estimates;
    json_key(w, "budget");
    json_array_begin(w);
    for (size_t i = 0; i < REPORT_BUDGETS; i++) {
        const report_budget *b = &e->curve[i];
        json_object_begin(w);
        json_put_i64(w, "n", b->n_people);
        json_put_f64(w, "accuracy", b->entropy);
        json_put_f64(w, "active", b->active);
        json_put_f64(w, "random", b->random);
        json_put_f64(w, "rest", b->accuracy_rest);
        json_put_f64(w, "cost_usd", report_usd(report_budget_nusd(e, b->n_people)));
        json_object_end(w);
    }
    json_array_end(w);
}

static void put_people(json_writer *w, const page_judge *j) {
    const page_people *p = &j->people;
    json_key(w, "people");
    json_object_begin(w);
    put_counts(w, "confusion", p->confusion, 9);
    put_counts(w, "unruled", p->unruled, 3);
    report_put_rate(w, "accuracy", &p->accuracy);
    json_put_f64(w, "kappa", p->kappa);
    json_put_f64(w, "kappa_low", p->kappa_low);
    json_put_f64(w, "kappa_high", p->kappa_high);
    if (p->why_kappa) json_put_cstr(w, "why", p->why_kappa);
    json_object_end(w);
    json_key(w, "estimates");
    report_estimates_json(&j->estimates, w);
}

static void put_length(json_writer *w, const page_judge *j) {
    json_key(w, "length");
    json_object_begin(w);
    if (j->why_length) json_put_cstr(w, "why", j->why_length);
    put_groups(w, "bins", j->length, j->why_length ? 0 : PAGE_LENGTH_BINS);
    json_key(w, "controlled");
    json_object_begin(w);
    report_put_interval_members(w, &j->length_controlled);
    json_object_end(w);
    json_put_f64(w, "one_sided", j->longer_one_sided);
    json_object_end(w);
}

static void put_settings(json_writer *w, const page_judge *j) {
    static const char *const orders[] = {"", "12", "21", "both"};
    json_key(w, "settings");
    json_array_begin(w);
    for (size_t i = 0; i < j->n_settings; i++) {
        const page_setting *s = &j->settings[i];
        json_object_begin(w);
        json_put_cstr(w, "orders", orders[s->orders & 3]);
        json_put_i64(w, "k", s->k);
        json_put_i64(w, "pairs", s->n_pairs);
        json_put_i64(w, "ruled", s->n_ruled);
        json_put_i64(w, "ties", s->n_ties);
        json_put_i64(w, "ties_agreed", s->n_ties_agreed);
        json_put_i64(w, "labelled", s->n_labelled);
        report_put_rate(w, "win", &s->win);
        report_put_rate(w, "conflict", &s->conflict);
        report_put_rate(w, "accuracy", &s->accuracy);
        json_put_f64(w, "kappa", s->kappa);
        json_object_end(w);
    }
    json_array_end(w);
}

/* ---- columns ---- */

typedef char digit_of(const page_cell *c);

static char ruling_digit(const page_cell *c) {
    return (char)('0' + c->verdict);
}

static char v12_digit(const page_cell *c) {
    return (char)('0' + c->by_order[EH_ORDER_12]);
}

static char v21_digit(const page_cell *c) {
    return (char)('0' + c->by_order[EH_ORDER_21]);
}

static char none_digit(const page_cell *c) {
    return (char)('0' + c->none);
}

static char agreed_digit(const page_cell *c) {
    return c->tie_agreed ? '1' : '0';
}

static char people_digit(const page_cell *c) {
    return c->by_people ? '1' : '0';
}

static void put_digits(json_writer *w, const char *key, const page_cell *cells,
                       size_t n, digit_of *digit) {
    eh_buf digits;
    buf_init(&digits, BUF_MAX_LINE);
    for (size_t i = 0; i < n; i++)
        buf_add_char(&digits, cells[i].in_scope ? digit(&cells[i]) : '-');
    json_put_str(w, key, buf_view(&digits));
    buf_deinit(&digits);
}

typedef double number_of(const page_cell *c);

static double score_1_of(const page_cell *c) {
    return c->score_1;
}

static double score_2_of(const page_cell *c) {
    return c->score_2;
}

static double gap_of(const page_cell *c) {
    return c->gap;
}

static double bpde_of(const page_cell *c) {
    return c->bpde;
}

static double vote_of(const page_cell *c) {
    return c->vote;
}

static double valid_of(const page_cell *c) {
    return c->n_valid;
}

static double asked_of(const page_cell *c) {
    return c->n_asked;
}

static double reasons_of(const page_cell *c) {
    return c->reasons;
}

static double cost_of(const page_cell *c) {
    return report_usd(c->cost_nusd);
}

/* Six decimals: enough to sort and to read, and far shorter. */
static double rounded(double value) {
    return nearbyint(value * 1e6) / 1e6;
}

/* null in place of a column without numbers. */
static void put_column(json_writer *w, const char *key, const page_cell *cells,
                       size_t n, number_of *number) {
    bool any = false;
    for (size_t i = 0; i < n && !any; i++)
        any = cells[i].in_scope && !isnan(number(&cells[i]));
    json_key(w, key);
    if (!any) {
        json_null(w);
        return;
    }
    json_array_begin(w);
    for (size_t i = 0; i < n; i++)
        json_f64(w, cells[i].in_scope ? rounded(number(&cells[i])) : (double)NAN);
    json_array_end(w);
}

static void put_cells(json_writer *w, const page_judge *j, size_t n) {
    const page_cell *c = j->cells;
    json_key(w, "cells");
    json_object_begin(w);
    put_digits(w, "ruling", c, n, ruling_digit);
    put_digits(w, "v12", c, n, v12_digit);
    put_digits(w, "v21", c, n, v21_digit);
    put_digits(w, "none", c, n, none_digit);
    put_digits(w, "tie_agreed", c, n, agreed_digit);
    put_digits(w, "people", c, n, people_digit);
    put_column(w, "score_1", c, n, score_1_of);
    put_column(w, "score_2", c, n, score_2_of);
    put_column(w, "gap", c, n, gap_of);
    put_column(w, "bpde", c, n, bpde_of);
    put_column(w, "vote", c, n, vote_of);
    put_column(w, "valid", c, n, valid_of);
    put_column(w, "asked", c, n, asked_of);
    put_column(w, "reasons", c, n, reasons_of);
    put_column(w, "cost_usd", c, n, cost_of);
    json_object_end(w);
}

static void put_judge(json_writer *w, const page_report *r, const page_judge *j,
                      const page_options *options) {
    uint8_t digest[HASH_BYTES];
    char hex[HASH_HEX_CHARS + 1];
    eh_hash h;
    hash_init(&h, "eh-template-1");
    hash_str(&h, j->view->run.judge.template_text);
    hash_done(&h, digest);
    hash_hex(digest, 8, hex);
    json_object_begin(w);
    json_put_str(w, "name", j->summary.name);
    json_put_i64(w, "ledger", (int64_t)j->source);
    json_put_cstr(w, "orders",
                  j->view->plan.orders == PLAN_ORDERS_BOTH ? "both"
                  : j->view->plan.orders & 1u              ? "12"
                                                           : "21");
    json_put_str(w, "model_1", j->summary.model_1);
    json_put_str(w, "model_2", j->summary.model_2);
    json_put_str(w, "price_date", j->summary.price_date);
    json_put_cstr(w, "template_hash",
                  j->view->run.judge.template_text.len ? hex : NULL);
    json_put_str(w, "template_text",
                 options->texts ? j->template_text : (eh_str){NULL, 0});
    json_put_i64(w, "first_ms", j->timing.first_ms);
    json_put_i64(w, "last_ms", j->timing.last_ms);
    json_key(w, "summary");
    report_judge_json(&j->summary, w);
    put_counts(w, "slots", j->slots, 9);
    report_put_rate(w, "first", &j->first);
    if (j->why_gap) json_put_cstr(w, "why_gap", j->why_gap);
    put_groups(w, "gap", j->gap, j->n_gap);
    put_bpde(w, j);
    put_budget(w, j);
    put_people(w, j);
    put_length(w, j);
    put_groups(w, "categories", j->categories, j->n_categories);
    put_settings(w, j);
    put_cells(w, j, r->n_pairs);
    json_object_end(w);
}

/* ---- pairs ---- */

/* Names that repeat: a list of them, and its index for each pair; -1 where there is
 * none. Neighbours are often equal, so the last one found is tried first. */
typedef struct name_list {
    eh_str *names;
    size_t n, cap, last;
} name_list;

static int64_t name_index(name_list *list, eh_arena *arena, eh_str name) {
    if (eh_str_is_absent(name)) return -1;
    if (list->n && eh_str_eq(list->names[list->last], name)) return (int64_t)list->last;
    for (size_t i = 0; i < list->n; i++)
        if (eh_str_eq(list->names[i], name)) return (int64_t)(list->last = i);
    list->names = arena_grow(arena, list->names, list->n, &list->cap, sizeof name);
    if (!list->names) {
        list->n = list->cap = 0;
        return -1;
    }
    list->names[list->n] = name;
    return (int64_t)(list->last = list->n++);
}

typedef eh_str name_of(const page_pair *p);

static eh_str category_of(const page_pair *p) {
    return p->category;
}

static eh_str model_1_of(const page_pair *p) {
    return p->model_1;
}

static eh_str model_2_of(const page_pair *p) {
    return p->model_2;
}

static void put_names(json_writer *w, const char *key, const page_report *r,
                      name_of *name, eh_arena *arena) {
    name_list list = {.names = NULL};
    json_key(w, key);
    json_object_begin(w);
    json_key(w, "of");
    json_array_begin(w);
    for (size_t i = 0; i < r->n_pairs; i++)
        json_i64(w, name_index(&list, arena, name(&r->pairs[i])));
    json_array_end(w);
    json_key(w, "names");
    json_array_begin(w);
    for (size_t i = 0; i < list.n; i++)
        json_str(w, list.names[i]);
    json_array_end(w);
    json_object_end(w);
}

static void put_head(json_writer *w, const page_pair *p) {
    if (eh_str_is_absent(p->head) || p->head_is_all) {
        json_str(w, p->head);
        return;
    }
    eh_buf cut;
    buf_init(&cut, BUF_MAX_SMALL);
    buf_add_str(&cut, p->head);
    buf_add_cstr(&cut, "\u2026");
    json_str(w, buf_view(&cut));
    buf_deinit(&cut);
}

static void put_votes(json_writer *w, const page_pair *p) {
    json_array_begin(w);
    for (int v = EH_VERDICT_1; v <= EH_VERDICT_TIE; v++)
        json_i64(w, p->votes[v]);
    json_array_end(w);
}

static void put_revision(json_writer *w, const page_pair *p) {
    char hex[2 * sizeof p->revision + 1];
    hash_hex(p->revision, sizeof p->revision / 2, hex);
    json_cstr(w, hex);
}

/* 1 where the texts name a model of the data, 0 where not, - where there are none. */
static void put_leaks(json_writer *w, const page_report *r) {
    eh_buf digits;
    buf_init(&digits, BUF_MAX_LINE);
    for (size_t i = 0; i < r->n_pairs; i++)
        buf_add_char(&digits, r->pairs[i].leaks < 0    ? '-'
                              : r->pairs[i].leaks == 0 ? '0'
                                                       : '1');
    json_put_str(w, "leak", buf_view(&digits));
    buf_deinit(&digits);
}

static void put_pairs(json_writer *w, const page_report *r, eh_arena *arena) {
    json_key(w, "pairs");
    json_object_begin(w);
    json_put_i64(w, "n", (int64_t)r->n_pairs);
    json_key(w, "id");
    json_array_begin(w);
    for (size_t i = 0; i < r->n_pairs; i++)
        json_str(w, r->pairs[i].shown_id);
    json_array_end(w);
    json_key(w, "head");
    json_array_begin(w);
    for (size_t i = 0; i < r->n_pairs; i++)
        put_head(w, &r->pairs[i]);
    json_array_end(w);
    json_key(w, "revision");
    json_array_begin(w);
    for (size_t i = 0; i < r->n_pairs; i++)
        put_revision(w, &r->pairs[i]);
    json_array_end(w);
    put_leaks(w, r);
    put_names(w, "category", r, category_of, arena);
    put_names(w, "model_1", r, model_1_of, arena);
    put_names(w, "model_2", r, model_2_of, arena);
    json_key(w, "chars");
    json_array_begin(w);
    for (size_t i = 0; i < r->n_pairs; i++) {
        json_i64(w, r->pairs[i].cp_1);
        json_i64(w, r->pairs[i].cp_2);
    }
    json_array_end(w);
    json_key(w, "votes");
    json_array_begin(w);
    for (size_t i = 0; r->n_labelled && i < r->n_pairs; i++)
        put_votes(w, &r->pairs[i]);
    json_array_end(w);
    json_key(w, "place");
    json_array_begin(w);
    for (size_t i = 0; i < r->n_pairs; i++)
        json_i64(w,
                 r->pairs[i].place == PAGE_NO_PLACE ? -1 : (int64_t)r->pairs[i].place);
    json_array_end(w);
    json_object_end(w);
}

static void put_sources(json_writer *w, const page_report *r) {
    json_key(w, "ledgers");
    json_array_begin(w);
    for (size_t s = 0; s < r->n_sources; s++) {
        json_object_begin(w);
        json_put_str(w, "name", r->sources[s].name);
        json_put_str(w, "data", r->datasets[s].name);
        json_put_cstr(w, "summary_hash", r->hashes[s]);
        json_object_end(w);
    }
    json_array_end(w);
}

static void put_twos(json_writer *w, const page_report *r) {
    json_key(w, "twos");
    json_array_begin(w);
    for (size_t i = 0; i < r->n_twos; i++) {
        const page_two *t = &r->twos[i];
        json_object_begin(w);
        json_put_i64(w, "a", (int64_t)t->a);
        json_put_i64(w, "b", (int64_t)t->b);
        json_put_i64(w, "n", t->n);
        json_put_f64(w, "kappa", t->kappa);
        json_put_f64(w, "agreement", t->agreement);
        if (t->why_kappa) json_put_cstr(w, "why", t->why_kappa);
        json_put_cstr(w, "finding", stats_finding_name(t->win.finding));
        json_key(w, "win");
        json_object_begin(w);
        report_put_interval_members(w, &t->win.interval);
        json_put_f64(w, "p", t->win.p);
        json_object_end(w);
        json_object_end(w);
    }
    json_array_end(w);
}

static void put_annotators(json_writer *w, const page_report *r) {
    const page_annotators *a = &r->annotators;
    json_key(w, "annotators");
    json_object_begin(w);
    json_put_i64(w, "labels", a->n_labels);
    json_put_i64(w, "pairs", a->n_pairs);
    json_put_i64(w, "labelled", r->n_labelled);
    json_put_f64(w, "agreement", a->agreement);
    json_put_f64(w, "kappa", a->kappa);
    json_put_cstr(w, "coefficient", a->coefficient);
    if (a->why) json_put_cstr(w, "why", a->why);
    json_object_end(w);
}

void page_index_json(const page_report *r, const page_options *options,
                     const page_chunks *chunks, eh_buf *out) {
    json_writer w;
    eh_arena arena;
    arena_init(&arena, (size_t)1 << 30);
    json_writer_init(&w, out, 0);
    json_object_begin(&w);
    json_put_i64(&w, "schema", 1);
    json_put_cstr(&w, "version", EH_VERSION);
    json_put_str(&w, "command", options->command);
    json_put_bool(&w, "texts", options->texts);
    json_put_known(&w, "redacted",
                   options->redact ? page_redact_count(options->redact) : -1);
    json_put_i64(&w, "placed", (int64_t)r->n_placed);
    json_put_i64(&w, "max_bytes", options->max_bytes);
    json_put_cstr(&w, "sentence", r->sentence);
    json_key(&w, "warnings");
    json_array_begin(&w);
    for (size_t i = 0; i < r->n_warnings; i++)
        json_cstr(&w, r->warnings[i]);
    json_array_end(&w);
    put_sources(&w, r);
    json_key(&w, "reasons");
    json_array_begin(&w);
    for (int i = 0; i < VERDICT_REASON_N; i++)
        json_cstr(&w, verdict_reason_name((verdict_reason)i));
    json_array_end(&w);
    json_key(&w, "judges");
    json_array_begin(&w);
    for (size_t i = 0; i < r->n_judges; i++)
        put_judge(&w, r, &r->judges[i], options);
    json_array_end(&w);
    put_twos(&w, r);
    put_annotators(&w, r);
    put_pairs(&w, r, &arena);
    page_chunks_json(chunks, &w);
    json_object_end(&w);
    arena_deinit(&arena);
}
