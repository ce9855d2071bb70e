/* SPDX-License-Identifier: MIT
 *
 * One line a ruling, with the fields of docs/formats.md.
 *
 * Both formats are written from one list of cells, so that they cannot drift apart. A
 * one-order method asked both ways has no ruling of the pair; its two orders are
 * written as rulings of "vanilla:12" and "vanilla:21".
 */
#include "report/rulings.h"

#include <math.h>
#include <stdio.h>

#include "base/json_write.h"

typedef enum cell_kind { CELL_TEXT, CELL_I64, CELL_F64, CELL_BOOL } cell_kind;

typedef struct cell {
    const char *name;
    cell_kind kind;
    eh_str text; /* absent = null */
    int64_t i64;
    double f64; /* NaN = null */
    bool boolean;
    bool is_null;
} cell;

enum { N_CELLS = 18, REASONS_MAX = 400 };

static cell text_cell(const char *name, eh_str text) {
    return (cell){.name = name, .kind = CELL_TEXT, .text = text};
}

static cell i64_cell(const char *name, int64_t value) {
    return (cell){.name = name, .kind = CELL_I64, .i64 = value};
}

static cell f64_cell(const char *name, double value) {
    return (cell){
        .name = name, .kind = CELL_F64, .f64 = value, .is_null = isnan(value)};
}

/* "refusal 1, truncated 2" over the samples of these orders. */
static eh_str reasons_text(const report_ruling_row *row, unsigned orders, char *text) {
    int counts[VERDICT_REASON_N] = {0};
    for (size_t i = 0; i < row->n_samples; i++) {
        const plan_sample *s = &row->samples[i];
        if (orders & PLAN_ORDER_BIT(s->order) && s->sample < row->plan->k &&
            plan_stage_of(row->plan, s->stage_code) >= 0 &&
            s->verdict == EH_VERDICT_NONE)
            counts[s->reason]++;
    }
    size_t used = 0;
    text[0] = '\0';
    for (int r = 0; r < VERDICT_REASON_N; r++)
        if (counts[r] && used < REASONS_MAX - 40)
            used += (size_t)snprintf(text + used, REASONS_MAX - used, "%s%s %d",
                                     used ? ", " : "",
                                     verdict_reason_name((verdict_reason)r), counts[r]);
    return used ? (eh_str){text, used} : (eh_str){NULL, 0};
}

static double share(int part, int whole) {
    return whole ? (double)part / whole : NAN;
}

/* What one line says: of the whole ruling, or of one order. */
typedef struct line {
    const char *method;
    eh_verdict verdict;
    const char *none;
    double score_1, score_2, vote, bpde, p_win, p_tie, p_lose;
    int n_samples, n_failed;
    const char *tie;
    unsigned orders;
    bool both_orders, conflict;
} line;

void report_csv_text(eh_str s, eh_buf *out) {
    bool plain = true;
    for (size_t i = 0; i < s.len; i++)
        plain = plain && !strchr(",\"\r\n", s.ptr[i]);
    if (plain && s.len) {
        buf_add_str(out, s);
        return;
    }
    buf_add_char(out, '"');
    for (size_t i = 0; i < s.len; i++) {
        if (s.ptr[i] == '"') buf_add_char(out, '"');
        buf_add_char(out, s.ptr[i]);
    }
    buf_add_char(out, '"');
}

static bool cell_is_null(const cell *c) {
    return c->is_null || (c->kind == CELL_TEXT && eh_str_is_absent(c->text));
}

static void json_cell(json_writer *w, const cell *c) {
    json_key(w, c->name);
    if (cell_is_null(c)) {
        json_null(w);
        return;
    }
    switch (c->kind) {
    case CELL_TEXT: json_str(w, c->text); break;
    case CELL_I64: json_i64(w, c->i64); break;
    case CELL_F64: json_f64(w, c->f64); break;
    case CELL_BOOL: json_bool(w, c->boolean); break;
    }
}

static void csv_cell(eh_buf *out, const cell *c) {
    char number[32];
    if (cell_is_null(c)) return;
    switch (c->kind) {
    case CELL_TEXT: report_csv_text(c->text, out); break;
    case CELL_I64: buf_printf(out, "%lld", (long long)c->i64); break;
    case CELL_F64:
        json_f64_text(c->f64, number);
        buf_add_cstr(out, number);
        break;
    case CELL_BOOL: buf_add_cstr(out, c->boolean ? "true" : "false"); break;
    }
}

static void write_cells(report_format format, const cell cells[N_CELLS], eh_buf *out) {
    json_writer w;
    json_writer_init(&w, out, 0);
    if (format == REPORT_FORMAT_JSONL) json_object_begin(&w);
    for (size_t i = 0; i < N_CELLS; i++) {
        if (format == REPORT_FORMAT_JSONL) {
            json_cell(&w, &cells[i]);
            continue;
        }
        if (i) buf_add_char(out, ',');
        csv_cell(out, &cells[i]);
    }
    if (format == REPORT_FORMAT_JSONL) json_object_end(&w);
    buf_add_char(out, '\n');
}

static void fill_cells(const report_ruling_row *row, const line *l, char *reasons,
                       cell cells[N_CELLS]) {
    bool ruled = l->verdict != EH_VERDICT_NONE;
    cell *c = cells;
    *c++ = text_cell("pair_id", row->pair_id);
    *c++ = text_cell("judge", row->judge);
    *c++ = text_cell("method", eh_str_of(l->method));
    *c++ = text_cell("verdict", eh_str_of(eh_verdict_name(l->verdict)));
    *c++ = text_cell("source", !ruled           ? (eh_str){NULL, 0}
                               : row->by_people ? EH_STR("human")
                                                : EH_STR("auto"));
    *c++ = text_cell("tie", eh_str_of(l->tie));
    *c++ = text_cell("none", eh_str_of(l->none));
    *c++ = f64_cell("score_1", l->score_1);
    *c++ = f64_cell("score_2", l->score_2);
    *c++ = f64_cell("vote", l->vote);
    *c++ = f64_cell("bpde", l->bpde);
    *c++ = f64_cell("p_win", l->p_win);
    *c++ = f64_cell("p_tie", l->p_tie);
    *c++ = f64_cell("p_lose", l->p_lose);
    *c++ = (cell){.name = "conflict",
                  .kind = CELL_BOOL,
                  .boolean = l->conflict,
                  .is_null = !l->both_orders};
    *c++ = i64_cell("n_samples", l->n_samples);
    *c++ = i64_cell("n_failed", l->n_failed);
    *c++ = text_cell("reasons", reasons_text(row, l->orders, reasons));
}

static void write_line(report_format format, const report_ruling_row *row,
                       const line *l, eh_buf *out) {
    char reasons[REASONS_MAX];
    cell cells[N_CELLS];
    fill_cells(row, l, reasons, cells);
    write_cells(format, cells, out);
}

/* The whole pair's ruling. */
static line whole_line(const report_ruling_row *row) {
    const plan_ruling *r = row->ruling;
    int n_valid = r->n_win + r->n_tie + r->n_lose;
    bool ruled = r->none == PLAN_NONE_NOT;
    return (line){
        .method = row->method ? row->method : plan_method_name(row->plan->method),
        .verdict = r->verdict,
        .none = plan_none_name(r->none),
        .tie = r->verdict != EH_VERDICT_TIE ? NULL
               : r->tie_agreed              ? "agreed"
                                            : "from_conflict",
        .score_1 = ruled && r->has_scores && !row->by_people ? r->score_1 : NAN,
        .score_2 = ruled && r->has_scores && !row->by_people ? r->score_2 : NAN,
        .vote = r->vote,
        .bpde = r->bpde,
        .p_win = share(r->n_win, n_valid),
        .p_tie = share(r->n_tie, n_valid),
        .p_lose = share(r->n_lose, n_valid),
        .n_samples = r->n_samples,
        .n_failed = r->n_failed,
        .orders = row->plan->orders,
        .both_orders = r->both_orders,
        .conflict = r->conflict,
    };
}

static line order_line(const report_ruling_row *row, eh_order order, char method[32]) {
    const plan_order_ruling *o = &row->ruling->by_order[order];
    bool scored = row->ruling->has_scores && o->n_valid;
    (void)snprintf(method, 32, "%s:%s", plan_method_name(row->plan->method),
                   eh_order_name(order));
    return (line){
        .method = method,
        .verdict = o->verdict,
        .none = plan_none_name(o->n_valid    ? PLAN_NONE_NOT
                               : o->n_failed ? PLAN_NONE_ORDERS_FAILED
                                             : PLAN_NONE_UNASKED),
        .tie = o->verdict != EH_VERDICT_TIE ? NULL
               : o->all_ties                ? "agreed"
                                            : "from_conflict",
        .score_1 = scored ? o->score_1 : NAN,
        .score_2 = scored ? o->score_2 : NAN,
        .vote = o->n_valid ? o->vote : NAN,
        .bpde = NAN,
        .p_win = NAN,
        .p_tie = NAN,
        .p_lose = NAN,
        .n_samples = o->n_valid + o->n_failed,
        .n_failed = o->n_failed,
        .orders = PLAN_ORDER_BIT(order),
    };
}

void report_rulings_head(report_format format, eh_buf *out) {
    if (format != REPORT_FORMAT_CSV) return;
    const plan_ruling ruling = {0};
    plan_spec plan = {.method = plan_method_find(EH_STR("bpc"))};
    const report_ruling_row row = {.plan = &plan, .ruling = &ruling};
    char reasons[REASONS_MAX];
    cell cells[N_CELLS];
    line l = whole_line(&row);
    fill_cells(&row, &l, reasons, cells);
    for (size_t i = 0; i < N_CELLS; i++)
        buf_printf(out, "%s%s", i ? "," : "", cells[i].name);
    buf_add_char(out, '\n');
}

void report_rulings_row(report_format format, const report_ruling_row *row,
                        eh_buf *out) {
    bool apart =
        plan_is_single_order(row->plan) && row->plan->orders == PLAN_ORDERS_BOTH;
    char method[32];
    if (!apart) {
        line l = whole_line(row);
        write_line(format, row, &l, out);
        return;
    }
    for (int o = 0; o < EH_ORDER_N; o++) {
        line l = order_line(row, (eh_order)o, method);
        write_line(format, row, &l, out);
    }
}
