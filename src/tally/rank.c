/* SPDX-License-Identifier: MIT
 *
 * From verdicts to ranks.
 *
 *   pairs, question by question -> samples as shown -> rows  first, second, outcome,
 *                                                            terms (length, style)
 *        rows -> Bradley-Terry with ties, order, terms (stats/bt.h) -> ranks
 *        pairs of two models -> length-controlled win rate (stats/length.h)
 *
 * A row is one sample's verdict and knows the slots, so the judge's liking for a slot
 * is estimated beside the strengths and leaves them alone. Where only one order was
 * asked it cannot be told from them and is not in the model. Standalone has no slots:
 * there a row is a pair's ruling.
 *
 * A term is the first slot's value less the second's. Length: log2 of the ratio, so
 * that the estimate is what a doubling is worth. Style: (a - b) / (a + b) of headings,
 * list items and bold passages. A term in which no two answers differ says nothing and
 * is left out.
 *
 * Left out: judges together. Verdicts of two judges are no samples of one.
 */
#include "tally/rank.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "tally/style.h"
#include "stats/bt.h"
#include "stats/elementary.h"
#include "stats/special.h"

#define LEVEL .95

typedef struct model {
    eh_str name;
    uint64_t last_question;
    report_rank_model counts; /* the numbers alone */
} model;

/* What length control needs of one pair. */
typedef struct length_row {
    int a, b;             /* models, a < b */
    int64_t at;           /* the place in the order of questions */
    stats_length_row row; /* for model a */
} length_row;

/* Two models on one question; `a` is answer 1. */
typedef struct duel {
    int a, b;
    uint64_t question;
    double x[REPORT_RANK_TERMS_MAX]; /* terms of answer 1 against answer 2 */
} duel;

typedef struct ranking {
    ledger *l;
    const tally_view *view;
    const tally_rank_options *o;
    report_rank *out;
    eh_arena *arena;
    model *models; /* [n_models] */
    size_t n_models, models_cap;
    stats_bt_row *rows; /* [n_rows] */
    double *terms;      /* [n_rows][n_terms] */
    size_t n_rows, rows_cap, terms_cap;
    length_row *lengths; /* [n_lengths] */
    size_t n_lengths, lengths_cap;
    int n_terms;
    uint64_t last_question;
} ranking;

static const char *const term_names[REPORT_RANK_TERMS_MAX] = {"length", "headings",
                                                              "list_items", "bold"};

/* ---- growing arrays ---- */

/* The array with room for one more, perhaps moved; NULL when memory is out, then it is
 * as before. */
static void *grown(void *items, size_t n, size_t *cap, size_t size_bytes) {
    if (n < *cap) return items;
    size_t more = *cap ? 2 * *cap : 64;
    void *moved = mem_realloc(items, more, size_bytes);
    if (moved) *cap = more;
    return moved;
}

static eh_status model_of(ranking *r, eh_str name, int *index, eh_error *err) {
    for (size_t i = 0; i < r->n_models; i++)
        if (eh_str_eq(r->models[i].name, name)) {
            *index = (int)i;
            return EH_STATUS_OK;
        }
    if (r->n_models == STATS_BT_MODELS_MAX)
        return EH_FAIL(err, EH_STATUS_DATA, "more than %d models cannot be ranked",
                       STATS_BT_MODELS_MAX);
    model *more = grown(r->models, r->n_models, &r->models_cap, sizeof *more);
    if (!more) return EH_NOMEM(err);
    r->models = more;
    model *m = &r->models[r->n_models];
    *m = (model){.last_question = 0};
    if (!arena_copy(r->arena, name, &m->name)) return EH_NOMEM(err);
    *index = (int)r->n_models++;
    return EH_STATUS_OK;
}

static eh_status add_row(ranking *r, stats_bt_row row, const double *x, double sign,
                         eh_error *err) {
    size_t width = (size_t)r->n_terms * sizeof(double);
    stats_bt_row *more = grown(r->rows, r->n_rows, &r->rows_cap, sizeof *more);
    if (!more) return EH_NOMEM(err);
    r->rows = more;
    if (width) {
        double *terms = grown(r->terms, r->n_rows, &r->terms_cap, width);
        if (!terms) return EH_NOMEM(err);
        r->terms = terms;
    }
    for (int k = 0; k < r->n_terms; k++)
        r->terms[r->n_rows * (size_t)r->n_terms + (size_t)k] = sign * x[k];
    r->rows[r->n_rows++] = row;
    return EH_STATUS_OK;
}

/* ---- one pair ---- */

static double ratio(int64_t a, int64_t b) {
    return a + b ? (double)(a - b) / (double)(a + b) : 0;
}

/* The terms of answer 1 against answer 2. */
static eh_status terms_of(ranking *r, ledger *l, const ledger_pair *pair, double *x,
                          eh_error *err) {
    int n = 0;
    if (r->o->length)
        x[n++] = (stats_log((double)(pair->answer_1_cp + 1)) -
                  stats_log((double)(pair->answer_2_cp + 1))) /
                 STATS_LN2;
    if (!r->o->style) return EH_STATUS_OK;
    eh_arena arena;
    ledger_texts texts;
    arena_init(&arena, (size_t)1 << 30);
    eh_status status = ledger_pair_texts(l, pair->row, &texts, &arena, err);
    if (status == EH_STATUS_OK) {
        tally_style a = tally_style_of(texts.answer_1),
                    b = tally_style_of(texts.answer_2);
        x[n++] = ratio(a.n_headings, b.n_headings);
        x[n++] = ratio(a.n_list_items, b.n_list_items);
        x[n++] = ratio(a.n_bold, b.n_bold);
    }
    arena_deinit(&arena);
    return status;
}

static void count_outcome(report_rank_model *m, int outcome) {
    m->n_wins += outcome > 0;
    m->n_ties += outcome == 0;
    m->n_losses += outcome < 0;
}

/* One verdict, +1 for answer 1, and the order in which it was given. */
static eh_status add_verdict(ranking *r, const duel *d, eh_order order, int vote,
                             eh_error *err) {
    bool swap = order == EH_ORDER_21;
    stats_bt_row row = {.first = swap ? d->b : d->a,
                        .second = swap ? d->a : d->b,
                        .outcome = swap ? -vote : vote,
                        .cluster = d->question};
    count_outcome(&r->models[d->a].counts, vote);
    count_outcome(&r->models[d->b].counts, -vote);
    return add_row(r, row, d->x, swap ? -1 : 1, err);
}

static eh_status add_verdicts(ranking *r, const duel *d, const tally_ruled *ruled,
                              eh_error *err) {
    const plan_spec *plan = &r->view->plan;
    eh_verdict ruling = ruled->ruling.verdict;
    if (plan_is_alone(plan) && ruling == EH_VERDICT_NONE) return EH_STATUS_OK;
    if (plan_is_alone(plan))
        return add_verdict(r, d, EH_ORDER_12, eh_verdict_vote(ruling), err);
    for (size_t i = 0; i < ruled->n_samples; i++) {
        const plan_sample *s = &ruled->samples[i];
        if (s->stage_code != 0 || s->sample >= plan->k ||
            !(plan->orders & PLAN_ORDER_BIT(s->order)) || s->verdict == EH_VERDICT_NONE)
            continue;
        EH_TRY(add_verdict(r, d, s->order, eh_verdict_vote(s->verdict), err));
    }
    return EH_STATUS_OK;
}

static eh_status add_length(ranking *r, const ledger_pair *pair, const duel *d,
                            double vote, eh_error *err) {
    if (!r->o->length || isnan(vote)) return EH_STATUS_OK;
    length_row *more = grown(r->lengths, r->n_lengths, &r->lengths_cap, sizeof *more);
    if (!more) return EH_NOMEM(err);
    r->lengths = more;
    double excess = (double)(pair->answer_1_cp - pair->answer_2_cp);
    r->lengths[r->n_lengths] = (length_row){
        .a = d->a,
        .b = d->b,
        .at = (int64_t)r->n_lengths,
        .row = {(vote + 1) / 2, excess, pair->question_hash},
    };
    r->n_lengths++;
    return EH_STATUS_OK;
}

static void note_question(ranking *r, int index, uint64_t question) {
    model *m = &r->models[index];
    m->counts.n_questions += m->counts.n_pairs == 0 || m->last_question != question;
    m->counts.n_pairs++;
    m->last_question = question;
}

static eh_status add_pair(void *self, const ledger_pair *pair, eh_error *err) {
    ranking *r = self;
    ledger *l = r->l;
    tally_ruled ruled;
    duel d = {.question = pair->question_hash};
    size_t n_before = r->n_rows;
    EH_TRY(tally_rule_pair(l, r->view, pair->row, &ruled, err));
    if (!ruled.in_scope) return EH_STATUS_OK;
    bool named = pair->model_1.len && pair->model_2.len;
    bool same = named && eh_str_eq(pair->model_1, pair->model_2);
    r->out->n_no_models += !named;
    r->out->n_same_model += same;
    if (!named || same) return EH_STATUS_OK;
    EH_TRY(model_of(r, pair->model_1, &d.a, err));
    EH_TRY(model_of(r, pair->model_2, &d.b, err));
    EH_TRY(terms_of(r, l, pair, d.x, err));
    EH_TRY(add_verdicts(r, &d, &ruled, err));
    if (r->n_rows == n_before) {
        r->out->n_no_verdict++;
        return EH_STATUS_OK;
    }
    note_question(r, d.a, pair->question_hash);
    note_question(r, d.b, pair->question_hash);
    r->out->n_questions +=
        r->out->n_pairs == 0 || r->last_question != pair->question_hash;
    r->last_question = pair->question_hash;
    r->out->n_pairs++;
    return add_length(r, pair, &d, ruled.ruling.vote, err);
}

static eh_status collect(ranking *r, eh_error *err) {
    EH_TRY(ledger_pairs_each(r->l, LEDGER_BY_QUESTION, add_pair, r, err));
    r->out->n_verdicts = (int64_t)r->n_rows;
    return EH_STATUS_OK;
}

/* ---- models by name, so that nothing depends on which pair came first ---- */

static int by_name(const void *a, const void *b) {
    const model *const *x = a, *const *y = b;
    return eh_str_cmp((*x)->name, (*y)->name);
}

static eh_status sort_models(ranking *r, eh_error *err) {
    const model **order = arena_zalloc(r->arena, r->n_models + 1, sizeof *order);
    int *place = arena_zalloc(r->arena, r->n_models + 1, sizeof *place);
    model *sorted = mem_alloc(r->n_models + 1, sizeof *sorted);
    if (!order || !place || !sorted) {
        mem_free(sorted);
        return EH_NOMEM(err);
    }
    for (size_t i = 0; i < r->n_models; i++)
        order[i] = &r->models[i];
    qsort(order, r->n_models, sizeof *order, by_name);
    for (size_t i = 0; i < r->n_models; i++) {
        sorted[i] = *order[i];
        place[order[i] - r->models] = (int)i;
    }
    mem_free(r->models);
    r->models = sorted;
    for (size_t i = 0; i < r->n_rows; i++) {
        r->rows[i].first = place[r->rows[i].first];
        r->rows[i].second = place[r->rows[i].second];
    }
    for (size_t i = 0; i < r->n_lengths; i++) {
        length_row *row = &r->lengths[i];
        int a = place[row->a], b = place[row->b];
        *row = (length_row){a < b ? a : b, a < b ? b : a, row->at, row->row};
        if (a < b) continue;
        row->row.value = 1 - row->row.value;
        row->row.excess = -row->row.excess;
    }
    return EH_STATUS_OK;
}

/* ---- terms ---- */

/* Takes out the terms in which no two answers differ; closes up the columns. */
static void drop_constant_terms(ranking *r) {
    report_rank *out = r->out;
    int first = r->o->length ? 0 : 1, kept = 0;
    bool keep[REPORT_RANK_TERMS_MAX] = {false};
    for (int k = 0; k < r->n_terms; k++) {
        for (size_t i = 0; i < r->n_rows && !keep[k]; i++)
            keep[k] = fabs(r->terms[i * (size_t)r->n_terms + (size_t)k]) > 0;
        out->terms[out->n_terms++] =
            (report_rank_term){.name = term_names[first + k],
                               .value = {NAN, NAN, NAN, STATS_REASON_NO_VARIANCE},
                               .is_constant = !keep[k]};
        kept += keep[k];
    }
    size_t at = 0;
    for (size_t i = 0; i < r->n_rows; i++)
        for (int k = 0; k < r->n_terms; k++)
            if (keep[k]) r->terms[at++] = r->terms[i * (size_t)r->n_terms + (size_t)k];
    r->n_terms = kept;
}

/* ---- results ---- */

static stats_interval around(double value, double se, double t, stats_reason why) {
    return (stats_interval){value, value - t * se, value + t * se, why};
}

/* Wins of a model of strength s against one of strength 0, ties half, either slot. */
static double expected_wins(const stats_bt *fit, bool half, double s) {
    double sum = 0, order = isnan(fit->order) ? 0 : fit->order;
    for (int side = -1; side <= 1; side += 2) {
        double eta = s + side * order;
        if (half) {
            sum += stats_logistic(eta);
            continue;
        }
        double win = stats_exp(eta / 2), lose = stats_exp(-eta / 2);
        double tie = isnan(fit->log_tie) ? 0 : stats_exp(fit->log_tie);
        sum += (win + tie / 2) / (win + tie + lose);
    }
    return sum / 2;
}

static stats_interval expected_of(const stats_bt *fit, bool half, stats_interval s) {
    return (stats_interval){expected_wins(fit, half, s.value),
                            expected_wins(fit, half, s.low),
                            expected_wins(fit, half, s.high), s.why};
}

/* Places that are left open when each difference is looked at by itself. */
static void find_places(const stats_bt *fit, int i, report_rank_model *m) {
    int n_better = 0, n_worse = 0, n_linked = 0;
    for (int j = 0; j < fit->n_models; j++) {
        if (fit->component[j] < 0 || fit->component[j] != fit->component[i]) continue;
        n_linked++;
        if (j == i) continue;
        stats_interval d = stats_bt_difference(fit, i, j, LEVEL);
        n_better += d.high < 0;
        n_worse += d.low > 0;
    }
    m->rank_low = n_better + 1;
    m->rank_high = n_linked - n_worse;
}

static int by_strength(const void *a, const void *b) {
    const report_rank_model *x = a, *y = b;
    if (x->component != y->component) {
        if (x->component < 0 || y->component < 0)
            return (x->component < 0) - (y->component < 0);
        return x->component - y->component;
    }
    if (x->strength.value > y->strength.value) return -1;
    if (x->strength.value < y->strength.value) return 1;
    return eh_str_cmp(x->name, y->name);
}

static eh_status fill_models(ranking *r, const stats_bt *fit, double t, eh_error *err) {
    report_rank *out = r->out;
    out->n_models = (int)r->n_models;
    out->models = arena_zalloc(r->arena, r->n_models + 1, sizeof *out->models);
    if (!out->models) return EH_NOMEM(err);
    for (int i = 0; i < out->n_models; i++) {
        report_rank_model *m = &out->models[i];
        *m = r->models[i].counts;
        m->name = r->models[i].name;
        m->strength = around(fit->strength[i], fit->se[i], t, fit->why);
        m->expected = expected_of(fit, r->o->half_ties, m->strength);
        m->component = fit->component[i];
        m->undefeated = fit->undefeated[i];
        m->winless = fit->winless[i];
        find_places(fit, i, m);
    }
    return EH_STATUS_OK;
}

static void fill_effects(ranking *r, const stats_bt *fit, double t) {
    report_rank *out = r->out;
    out->n_components = fit->n_components;
    for (int c = 0; c < fit->n_components; c++)
        out->n_penalised += fit->penalised[c];
    out->all_penalised = fit->all_penalised;
    out->order = around(fit->order, fit->order_se, t, fit->why);
    out->first = (stats_interval){stats_logistic(out->order.value),
                                  stats_logistic(out->order.low),
                                  stats_logistic(out->order.high), fit->why};
    double tie = stats_exp(fit->log_tie);
    out->tie_share = isnan(fit->log_tie) ? (double)NAN : tie / (tie + 2);
    for (int k = 0, at = 0; k < out->n_terms; k++) {
        if (out->terms[k].is_constant) continue;
        out->terms[k].value = around(fit->term[at], fit->term_se[at], t, fit->why);
        at++;
    }
    if (fit->why != STATS_REASON_NONE) out->why = stats_reason_name(fit->why);
}

static eh_status fit_all(ranking *r, report_rank_lead *lead, eh_error *err) {
    stats_bt fit;
    stats_bt_options o = {.n_models = (int)r->n_models,
                          .ties = r->o->half_ties ? STATS_BT_HALF : STATS_BT_DAVIDSON,
                          .order_term = r->out->has_order,
                          .n_terms = r->n_terms,
                          .terms = r->terms};
    EH_TRY(stats_bt_fit(r->rows, (int64_t)r->n_rows, &o, r->arena, &fit, err));
    double t = fit.n_clusters > 1
                   ? stats_t_two_sided(LEVEL, (double)(fit.n_clusters - 1))
                   : (double)NAN;
    EH_TRY(fill_models(r, &fit, t, err));
    fill_effects(r, &fit, t);
    /* the two strongest that are linked, before sorting loses their numbers in the fit
     */
    report_rank *out = r->out;
    int first = -1, second = -1;
    for (int i = 0; i < out->n_models; i++) {
        if (fit.component[i] != 0 || isnan(fit.strength[i])) continue;
        if (first < 0 || fit.strength[i] > fit.strength[first]) {
            second = first;
            first = i;
        } else if (second < 0 || fit.strength[i] > fit.strength[second]) {
            second = i;
        }
    }
    *lead = (report_rank_lead){-1, -1, {NAN, NAN, NAN, STATS_REASON_NO_ROWS}};
    if (first < 0 || second < 0) return EH_STATUS_OK;
    lead->lead = stats_bt_difference(&fit, first, second, LEVEL);
    lead->first = first;
    lead->second = second;
    return EH_STATUS_OK;
}

/* ---- length control ---- */

static int by_models(const void *a, const void *b) {
    const length_row *x = a, *y = b;
    if (x->a != y->a) return x->a - y->a;
    if (x->b != y->b) return x->b - y->b;
    return (x->at > y->at) - (x->at < y->at);
}

static double mean_value(const stats_length_row *rows, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += rows[i].value;
    return sum / (double)n;
}

static eh_status control_length(ranking *r, eh_error *err) {
    size_t n_pairs = 0;
    if (r->n_lengths) qsort(r->lengths, r->n_lengths, sizeof *r->lengths, by_models);
    for (size_t i = 0; i < r->n_lengths; i++)
        n_pairs += i == 0 || r->lengths[i].a != r->lengths[i - 1].a ||
                   r->lengths[i].b != r->lengths[i - 1].b;
    r->out->pairs = arena_zalloc(r->arena, n_pairs + 1, sizeof *r->out->pairs);
    stats_length_row *rows = mem_alloc(r->n_lengths + 1, sizeof *rows);
    if (!r->out->pairs || !rows) {
        mem_free(rows);
        return EH_NOMEM(err);
    }
    for (size_t i = 0; i < r->n_lengths;) {
        size_t n = 0, begin = i;
        for (; i < r->n_lengths && r->lengths[i].a == r->lengths[begin].a &&
               r->lengths[i].b == r->lengths[begin].b;
             i++)
            rows[n++] = r->lengths[i].row;
        r->out->pairs[r->out->n_length_pairs++] = (report_rank_pair){
            .a = r->lengths[begin].a,
            .b = r->lengths[begin].b,
            .plain = mean_value(rows, n),
            .controlled = stats_length_control(rows, (int64_t)n, LEVEL),
        };
    }
    mem_free(rows);
    return EH_STATUS_OK;
}

/* Models in the order of strength, and the places that speak of them. */
static eh_status order_models(ranking *r, report_rank_lead *lead, eh_error *err) {
    report_rank *out = r->out;
    size_t n = (size_t)out->n_models;
    int *place = arena_zalloc(r->arena, n + 1, sizeof *place);
    if (!place) return EH_NOMEM(err);
    qsort(out->models, n, sizeof *out->models, by_strength);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++)
            if (eh_str_eq(out->models[k].name, r->models[i].name)) place[i] = (int)k;
    for (int i = 0; i < out->n_length_pairs; i++) {
        out->pairs[i].a = place[out->pairs[i].a];
        out->pairs[i].b = place[out->pairs[i].b];
    }
    if (lead->first >= 0) lead->first = place[lead->first];
    if (lead->second >= 0) lead->second = place[lead->second];
    return EH_STATUS_OK;
}

static eh_status rank_all(ranking *r, report_rank_lead *lead, eh_error *err) {
    EH_TRY(collect(r, err));
    if (r->n_rows == 0)
        return EH_FAIL(err, EH_STATUS_DATA,
                       r->n_models ? "no pair of two models has a verdict"
                                   : "no pair names its two models (model_1, model_2)");
    EH_TRY(sort_models(r, err));
    drop_constant_terms(r);
    EH_TRY(fit_all(r, lead, err));
    EH_TRY(control_length(r, err));
    return order_models(r, lead, err);
}

eh_status tally_rank(ledger *l, const tally_view *view,
                     const tally_rank_options *options, eh_arena *arena,
                     report_rank *out, report_rank_lead *lead, eh_error *err) {
    bool alone = plan_is_alone(&view->plan);
    *out = (report_rank){.half_ties = options->half_ties,
                         .is_alone = alone,
                         .has_order = !alone && view->plan.orders == PLAN_ORDERS_BOTH,
                         .tie_share = NAN};
    ranking r = {.l = l,
                 .view = view,
                 .o = options,
                 .out = out,
                 .arena = arena,
                 .n_terms = (options->length ? 1 : 0) + (options->style ? 3 : 0)};
    eh_status status = rank_all(&r, lead, err);
    mem_free(r.models);
    mem_free(r.rows);
    mem_free(r.terms);
    mem_free(r.lengths);
    return status;
}
