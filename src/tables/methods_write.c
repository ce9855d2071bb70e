/* SPDX-License-Identifier: MIT
 *
 * The table of methods as JSON and for people.
 *
 *   method     k  order      acc  kappa  confl    tie   tie!    win      $    rel
 *   ec         1  12        55.0  0.271      -    ...
 *
 * tie: agreed; tie!: from conflict. One table holds all judges, each under a line that
 * says how it was asked; people have rows of their own at the end. Left out of the text
 * and kept in JSON: failures, intervals, tokens.
 */
#include <math.h>
#include <stdio.h>

#include "report/write.h"
#include "tables/methods.h"
#include "tables/people.h"

static const char *const order_names[] = {"12", "21", "mean", "both"};

static const char *asked_name(const tally_view *view) {
    if (view->run.imported) return "unknown";
    return view->run.judge.evidence_first ? "evidence_first" : "verdict_first";
}

/* ---- JSON ---- */

static void put_relative(json_writer *w, const tables_method_row *row,
                         const tables_method_judge *j) {
    const tables_relative *r = &row->relative;
    json_key(w, "relative");
    json_object_begin(w);
    json_put_cstr(w, "to", j->own_base ? "ec" : "vanilla");
    json_put_f64(w, "calls", r->calls);
    json_put_f64(w, "tokens", r->tokens);
    json_put_f64(w, "cost_usd", r->cost);
    if (isnan(r->cost) || isnan(r->tokens))
        report_put_why(w, isnan(r->tokens) ? "unknown_usage" : "unknown_price");
    json_object_end(w);
}

static void put_hitlc(json_writer *w, const tables_hitlc *h) {
    json_put_str(w, "budget", h->budget);
    json_put_i64(w, "people_pairs", h->n_people);
    json_put_i64(w, "people_pairs_unlabelled", h->n_missing);
    json_put_i64(w, "people_labels", h->n_labels);
    json_key(w, "rest");
    json_object_begin(w);
    json_put_f64(w, "accuracy", h->accuracy_rest);
    if (isnan(h->accuracy_rest)) report_put_why(w, "no_rows");
    json_object_end(w);
    json_put_f64(w, "accuracy_random", h->accuracy_random);
    report_hitlc_cost_json(&h->cost, w);
}

static void put_costs(json_writer *w, const tables_method_row *row,
                      const tables_method_judge *j) {
    bool people = !eh_str_is_absent(row->hitlc.budget);
    json_put_i64(w, "calls", row->n_calls);
    json_key(w, "tokens");
    json_object_begin(w);
    json_put_known(w, "prompt", row->prompt_tokens);
    json_put_known(w, "completion", row->completion_tokens);
    if (row->prompt_tokens < 0 || row->completion_tokens < 0)
        report_put_why(w, "unknown_usage");
    json_object_end(w);
    json_put_f64(w, "cost_usd", report_usd(row->cost_nusd));
    if (row->cost_nusd < 0)
        report_put_why(w, row->prompt_tokens < 0 ? "unknown_usage"
                          : people               ? "unknown_price_of_tokens_or_labels"
                                                 : "unknown_price");
    put_relative(w, row, j);
}

/* Where two things are put together the questions' spread says nothing. */
static void put_win_rate(json_writer *w, const tables_method_row *row) {
    bool mixed =
        row->order == TABLES_ORDER_MEAN || !eh_str_is_absent(row->hitlc.budget);
    if (!mixed) {
        report_put_rate(w, "win_rate", &row->win_rate);
        return;
    }
    json_key(w, "win_rate");
    json_object_begin(w);
    json_put_f64(w, "value", row->win_rate.value);
    json_put_i64(w, "n", row->win_rate.n);
    if (isnan(row->win_rate.value)) report_put_why(w, "no_rows");
    json_object_end(w);
}

static void put_row(json_writer *w, const tables_method_judge *j,
                    const tables_method_row *row) {
    json_object_begin(w);
    json_put_cstr(w, "method", row->method);
    json_put_i64(w, "k", row->k);
    json_put_cstr(w, "order", order_names[row->order]);
    if (!eh_str_is_absent(row->options)) {
        json_put_str(w, "options", row->options);
    }
    if (!eh_str_is_absent(row->hitlc.budget)) put_hitlc(w, &row->hitlc);
    json_put_i64(w, "pairs", row->n_pairs);
    if (j->has_labels) {
        json_key(w, "labels");
        json_object_begin(w);
        report_put_agreement(w, &row->labels);
        json_object_end(w);
    }
    put_win_rate(w, row);
    report_put_rate(w, "conflict", &row->conflict);
    if (row->order != TABLES_ORDER_MEAN && eh_str_is_absent(row->hitlc.budget)) {
        json_key(w, "ties");
        json_object_begin(w);
        json_put_i64(w, "agreed", row->tie_agreed);
        json_put_i64(w, "from_conflict", row->tie_from_conflict);
        json_object_end(w);
    }
    if (row->order != TABLES_ORDER_MEAN) json_put_i64(w, "none", row->n_none);
    put_costs(w, row, j);
    json_object_end(w);
}

static void put_judge(json_writer *w, const tables_method_judge *j) {
    const ledger_judge *asked = &j->view->run.judge;
    json_object_begin(w);
    json_put_str(w, "judge", j->name);
    json_put_str(w, "template", asked->template_name);
    json_put_cstr(w, "asked_for", asked_name(j->view));
    json_key(w, "params");
    json_raw(w, asked->params);
    json_put_i64(w, "k", j->k);
    json_key(w, "rows");
    json_array_begin(w);
    for (size_t i = 0; i < j->n; i++)
        put_row(w, j, &j->rows[i]);
    json_array_end(w);
    json_object_end(w);
}

void tables_methods_json(const tables_methods *m, json_writer *w) {
    json_key(w, "methods");
    json_array_begin(w);
    for (size_t i = 0; i < m->n; i++)
        put_judge(w, &m->judges[i]);
    json_array_end(w);
}

/* ---- text ---- */

static const char *const order_texts[] = {" order 12", " order 21", " mean", ""};

enum { NAME_BYTES = 64, METHOD_HEADS = 8, METHOD_HEADS_UNLABELLED = 6 };

static const char *const method_heads[METHOD_HEADS] = {"acc",  "kappa", "confl", "tie",
                                                       "tie!", "win",   "$",     "rel"};

static void row_name(const tables_method_row *row, char name[NAME_BYTES]) {
    if (!eh_str_is_absent(row->hitlc.budget))
        (void)snprintf(name, NAME_BYTES, "hitlc %.*s", EH_STR_ARG(row->hitlc.budget));
    else if (!eh_str_is_absent(row->options))
        (void)snprintf(name, NAME_BYTES, "%s %.*s", row->method,
                       EH_STR_ARG(row->options));
    else if (row->k > 1)
        (void)snprintf(name, NAME_BYTES, "%s k=%d%s", row->method, row->k,
                       order_texts[row->order]);
    else
        (void)snprintf(name, NAME_BYTES, "%s%s", row->method, order_texts[row->order]);
}

static void add_money(eh_buf *out, double usd) {
    if (isnan(usd))
        buf_add_cstr(out, LAYOUT_CELL "-");
    else
        buf_printf(out, LAYOUT_CELL "%.*f", usd < 10 ? 3 : usd < 1000 ? 2 : 0, usd);
}

/* The best that is known: money, tokens, calls. */
static void add_relative(eh_buf *out, const tables_method_row *row) {
    const tables_relative *r = &row->relative;
    bool people = !eh_str_is_absent(row->hitlc.budget);
    double value = !isnan(r->cost)     ? r->cost
                   : people            ? (double)NAN
                   : !isnan(r->tokens) ? r->tokens
                                       : r->calls;
    if (isnan(value))
        buf_add_cstr(out, LAYOUT_CELL "-");
    else
        buf_printf(out, LAYOUT_CELL "%.2f", value);
}

static void add_row(bool labels, const tables_method_row *row, eh_buf *out) {
    char name[NAME_BYTES];
    row_name(row, name);
    report_name(out, eh_str_of(name));
    if (labels) {
        report_cell_percent(out, row->labels.accuracy);
        report_cell_decimal(out, row->labels.kappa);
    }
    report_cell_percent(out, row->conflict.value);
    if (row->order == TABLES_ORDER_MEAN || !eh_str_is_absent(row->hitlc.budget)) {
        buf_add_cstr(out, LAYOUT_CELL "-" LAYOUT_CELL "-");
    } else {
        report_cell_count(out, row->tie_agreed);
        report_cell_count(out, row->tie_from_conflict);
    }
    report_cell_percent(out, row->win_rate.value);
    add_money(out, report_usd(row->cost_nusd));
    add_relative(out, row);
    buf_add_char(out, '\n');
}

static void add_judge_line(const tables_method_judge *j, eh_buf *out) {
    const ledger_judge *asked = &j->view->run.judge;
    eh_str temperature = tally_judge_temperature(asked);
    buf_add_char(out, '\n');
    report_foreign(out, j->name, 200);
    if (asked->template_name.len) {
        buf_add_cstr(out, ", template ");
        report_foreign(out, asked->template_name, 100);
    }
    if (!j->view->run.imported)
        buf_printf(out, ", %s first", asked->evidence_first ? "evidence" : "verdict");
    if (temperature.len) buf_printf(out, ", temperature %.*s", EH_STR_ARG(temperature));
    buf_add_char(out, '\n');
}

static void add_person(const tables_annotator *a, int64_t label_nusd, eh_buf *out) {
    int64_t n =
        a->counts[EH_VERDICT_1] + a->counts[EH_VERDICT_2] + a->counts[EH_VERDICT_TIE];
    report_name(out, a->name);
    report_cell_percent(out, a->vs_others.accuracy);
    report_cell_decimal(out, a->vs_others.kappa);
    buf_add_cstr(out, LAYOUT_CELL "-");
    report_cell_count(out, a->counts[EH_VERDICT_TIE]);
    buf_add_cstr(out, LAYOUT_CELL "-" LAYOUT_CELL "-");
    add_money(out, label_nusd < 0 ? (double)NAN : (double)(n * label_nusd) / 1e9);
    buf_add_cstr(out, LAYOUT_CELL "-\n");
}

/* Under the headings of the methods, which come again after another table. */
static void add_people(const tables_people *p, int64_t label_nusd, eh_buf *out) {
    enum { SHOWN = 20 };
    double accuracy, kappa;
    if (p->n == 1) {
        buf_add_cstr(out, "\nonly one person labelled: nobody to compare with\n");
        return;
    }
    buf_add_char(out, '\n');
    report_head(out, "people (in %)", method_heads, METHOD_HEADS);
    for (size_t a = 0; a < p->n && a < SHOWN; a++)
        add_person(&p->annotators[a], label_nusd, out);
    if (p->n > SHOWN) buf_printf(out, "and %zu more\n", p->n - SHOWN);
    tables_people_average(p, &accuracy, &kappa);
    buf_add_cstr(out, "average");
    report_cell_percent(out, accuracy);
    report_cell_decimal(out, kappa);
    buf_add_cstr(out, "\n\npeople: each against the majority of the others\n");
}

/* What a budget gives beside what it is to be read against. */
static void add_budget(const tables_method_row *row, eh_buf *out) {
    const tables_hitlc *h = &row->hitlc;
    char name[NAME_BYTES];
    row_name(row, name);
    report_name(out, eh_str_of(name));
    report_cell_count(out, h->n_people);
    report_cell_count(out, h->n_labels);
    report_cell_percent(out, row->labels.accuracy);
    report_cell_percent(out, h->accuracy_rest);
    report_cell_percent(out, h->accuracy_random);
    int64_t spent = h->cost.both < 0 ? h->cost.labels : h->cost.both;
    add_money(out, report_usd(spent));
    add_money(out, h->cost.has_saved ? (double)h->cost.saved / 1e9 : (double)NAN);
    buf_add_char(out, '\n');
}

static void add_budgets(const tables_methods *m, eh_buf *out) {
    static const char *const heads[] = {"pairs",  "labels", "acc",  "rest",
                                        "random", "$",      "saved"};
    bool any = false;
    for (size_t i = 0; i < m->n; i++) {
        bool named = m->n == 1;
        for (size_t r = 0; r < m->judges[i].n; r++) {
            const tables_method_row *row = &m->judges[i].rows[r];
            if (eh_str_is_absent(row->hitlc.budget)) continue;
            if (!any) {
                buf_add_char(out, '\n');
                report_head(out, "people and judge", heads, 7);
            }
            if (!named) {
                report_foreign(out, m->judges[i].name, 200);
                buf_add_char(out, '\n');
            }
            any = named = true;
            add_budget(row, out);
        }
    }
    if (any)
        buf_add_cstr(out, "\nrest: the judge on the labelled pairs behind the budget; "
                          "random: acc expected if as many pairs were drawn at random; "
                          "saved: against labels of all pairs\n");
}

/* Which unit the relative cost of this table has. */
static const char *relative_unit(const tables_methods *m) {
    bool cost = true, tokens = true;
    for (size_t i = 0; i < m->n; i++)
        for (size_t r = 0; r < m->judges[i].n; r++) {
            const tables_method_row *row = &m->judges[i].rows[r];
            if (!eh_str_is_absent(row->hitlc.budget)) continue;
            cost = cost && !isnan(row->relative.cost);
            tokens = tokens && !isnan(row->relative.tokens);
        }
    return cost ? "money" : tokens ? "tokens" : "calls";
}

static void add_foot(const tables_methods *m, eh_buf *out) {
    bool own = false, missing = false, unpriced = false;
    for (size_t i = 0; i < m->n; i++) {
        own = own || m->judges[i].own_base;
        for (size_t r = 0; r < m->judges[i].n; r++) {
            const tables_method_row *row = &m->judges[i].rows[r];
            bool people = !eh_str_is_absent(row->hitlc.budget);
            missing = missing || row->hitlc.n_missing > 0;
            unpriced = unpriced || (people && row->cost_nusd < 0);
        }
    }
    buf_add_char(out, '\n');
    if (m->has_labels)
        buf_add_cstr(out, "acc, kappa: against the majority of people; ");
    buf_printf(out,
               "tie: agreed; tie!: from conflict; rel: cost in %s relative to %s, one "
               "call a pair\n",
               relative_unit(m), own ? "ec" : "vanilla");
    if (own)
        buf_add_cstr(out,
                     "there is no vanilla run here: run -m vanilla into the ledger "
                     "to add one\n");
    if (missing)
        buf_add_cstr(out,
                     "hitlc: some pairs of the budget have no label; they keep the "
                     "judge's ruling\n");
    if (unpriced && m->label_nusd < 0)
        buf_add_cstr(out, "hitlc costs the judge and the labels: give --label-price\n");
    else if (unpriced)
        buf_add_cstr(out,
                     "people and judge: the judge's price is unknown (--prices), so "
                     "$ is that of the labels alone\n");
}

void tables_methods_text(const tables_methods *m, const tables_people *people,
                         eh_buf *out) {
    if (m->n == 0) {
        buf_add_cstr(out, "nothing asked yet\n");
        return;
    }
    int from = m->has_labels ? 0 : METHOD_HEADS - METHOD_HEADS_UNLABELLED;
    report_head(out, "method (in %)", method_heads + from,
                (size_t)(METHOD_HEADS - from));
    for (size_t i = 0; i < m->n; i++) {
        add_judge_line(&m->judges[i], out);
        for (size_t r = 0; r < m->judges[i].n; r++)
            add_row(m->has_labels, &m->judges[i].rows[r], out);
    }
    add_budgets(m, out);
    if (people && people->n) add_people(people, m->label_nusd, out);
    add_foot(m, out);
}
