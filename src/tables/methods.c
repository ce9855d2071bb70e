/* SPDX-License-Identifier: MIT
 *
 * The table of methods.
 *
 *   judge with K samples in both orders, evidence first
 *      ec   order 12, 21, mean            one sample
 *      mec  order 12, 21, mean            2 .. K samples
 *      bpc, mec+bpc                       1 .. K samples
 *      hitlc                              the last of these, by budget
 *
 * Each row is a plan over the same samples: a run with fewer samples would have asked
 * for the first of them, under the same keys. All plans of a judge are tallied in one
 * pass over its pairs. A judge that was asked for the verdict first gives `vanilla`
 * where others give `ec`; of imported judgments nobody knows, and they are called
 * vanilla.
 *
 * Cost is relative to `vanilla`: one call a pair, of the same judge asked for the
 * verdict first if the ledger has that, else of this judge itself.
 */
#include "tables/methods.h"

#include <math.h>

#include "plan/queue.h"
#include "tally/counts.h"

enum { SPECS_MAX = 96, ALL_K_UP_TO = 8 };

typedef struct spec {
    tally_view view;
    tally_counts tally;
    report_judge numbers;
} spec;

typedef struct worker {
    const tally_books *books;
    const tables_methods_options *o;
    eh_arena *arena;
    tables_method_judge *judge;
    spec *specs[SPECS_MAX]; /* [n_specs] */
    size_t n_specs;
    const spec *calibrated; /* the last that takes both orders; NULL: none */
    tables_hitlc_pairs *queue;
} worker;

/* ---- plans ---- */

static eh_status add_spec(worker *w, const char *method, int k, const char *order,
                          eh_error *err) {
    plan_wish wish = {.method = eh_str_of(method), .k = k, .order = eh_str_of(order)};
    spec *s = arena_zalloc(w->arena, 1, sizeof *s);
    if (!s) return EH_NOMEM(err);
    s->view = *w->judge->view;
    s->view.people = false;
    EH_TRY(plan_make(&wish, &s->view.plan, err));
    tally_counts_begin(&s->tally, &s->view, w->arena, &s->numbers);
    s->tally.without_trends = true;
    w->specs[w->n_specs++] = s;
    if (!order) w->calibrated = s;
    return EH_STATUS_OK;
}

/* One order, the other, and both side by side. */
static eh_status add_one_order(worker *w, const char *method, int k, eh_error *err) {
    unsigned orders = w->judge->orders;
    if (orders & PLAN_ORDER_BIT(EH_ORDER_12)) EH_TRY(add_spec(w, method, k, "12", err));
    if (orders & PLAN_ORDER_BIT(EH_ORDER_21)) EH_TRY(add_spec(w, method, k, "21", err));
    if (orders == PLAN_ORDERS_BOTH) EH_TRY(add_spec(w, method, k, "both", err));
    return EH_STATUS_OK;
}

/* Every number of samples that is there, thinned out behind the first eight. */
static bool wants_k(int k, int most) {
    return k <= ALL_K_UP_TO || k == most || (k & (k - 1)) == 0;
}

/* Is the judge asked about pairs by any of its runs? One that scores answers alone
 * cannot be ruled by other methods. */
static bool sees_pairs(const worker *w) {
    const tally_view *own = w->judge->view;
    for (size_t i = 0; i < w->books->n_views; i++) {
        const tally_view *v = &w->books->views[i];
        if (v->book == own->book && v->run.judge_row == own->run.judge_row &&
            !plan_is_alone(&v->plan))
            return true;
    }
    return false;
}

static eh_status add_specs(worker *w, eh_error *err) {
    const tables_method_judge *j = w->judge;
    if (!sees_pairs(w)) return EH_STATUS_OK;
    const char *single = j->view->run.judge.evidence_first ? "ec" : "vanilla";
    EH_TRY(add_one_order(w, single, 1, err));
    for (int k = 2; k <= j->k; k++)
        if (wants_k(k, j->k)) EH_TRY(add_one_order(w, "mec", k, err));
    if (j->orders != PLAN_ORDERS_BOTH) return EH_STATUS_OK;
    EH_TRY(add_spec(w, "bpc", 1, NULL, err));
    for (int k = 2; k <= j->k; k++)
        if (wants_k(k, j->k)) EH_TRY(add_spec(w, "mec+bpc", k, NULL, err));
    return EH_STATUS_OK;
}

/* Methods with prompts of their own, which nobody else's samples can stand for. */
static bool rules_its_own(const plan_spec *plan) {
    return plan_n_stages(plan) > 1 || plan_is_alone(plan);
}

/* The judge's runs of portia and standalone, as they were asked. */
static eh_status add_own(worker *w, eh_error *err) {
    for (size_t i = 0; i < w->books->n_views && w->n_specs < SPECS_MAX; i++) {
        const tally_view *v = &w->books->views[i];
        if (v->book != w->judge->view->book || !rules_its_own(&v->plan) ||
            v->run.judge_row != w->judge->view->run.judge_row)
            continue;
        spec *s = arena_zalloc(w->arena, 1, sizeof *s);
        if (!s) return EH_NOMEM(err);
        s->view = *v;
        tally_counts_begin(&s->tally, &s->view, w->arena, &s->numbers);
        s->tally.without_trends = true;
        w->specs[w->n_specs++] = s;
    }
    return EH_STATUS_OK;
}

/* ---- one pass over the pairs ---- */

/* One plan over the samples that are there. Portia and standalone look up their own,
 * since which of them count depends on the plan. */
static eh_status tally_spec(worker *w, ledger *l, spec *s, const ledger_pair *pair,
                            tally_ruled *ruled, const tally_label *label,
                            eh_error *err) {
    if (rules_its_own(&s->view.plan)) {
        tally_ruled own;
        EH_TRY(tally_rule_pair(l, &s->view, pair->row, &own, err));
        return tally_counts_add(&s->tally, pair, &own, label, err);
    }
    plan_rule(&s->view.plan, s->view.scale, ruled->samples, ruled->n_samples,
              &ruled->ruling);
    ruled->judge_verdict = ruled->ruling.verdict;
    EH_TRY(tally_counts_add(&s->tally, pair, ruled, label, err));
    return s == w->calibrated
               ? tables_hitlc_add(w->queue, pair->seq, &ruled->ruling, label, err)
               : EH_STATUS_OK;
}

static eh_status tally_pair(void *self, const ledger_pair *pair, eh_error *err) {
    worker *w = self;
    ledger *l = w->books->ledgers[w->judge->view->book];
    tally_ruled ruled;
    tally_label label;
    EH_TRY(tally_rule_pair(l, w->judge->view, pair->row, &ruled, err));
    if (!ruled.in_scope) return EH_STATUS_OK;
    EH_TRY(tally_label_of(l, pair->row, &label, err));
    w->judge->has_labels = w->judge->has_labels || label.n_labels > 0;
    for (size_t i = 0; i < w->n_specs; i++)
        EH_TRY(tally_spec(w, l, w->specs[i], pair, &ruled, &label, err));
    return EH_STATUS_OK;
}

static eh_status tally_all(worker *w, eh_error *err) {
    ledger *l = w->books->ledgers[w->judge->view->book];
    EH_TRY(ledger_pairs_each(l, LEDGER_BY_QUESTION, tally_pair, w, err));
    for (size_t i = 0; i < w->n_specs; i++) {
        spec *s = w->specs[i];
        EH_TRY(tally_counts_end(&s->tally, err));
        EH_TRY(tally_take_usage(l, &s->view, w->arena, &s->numbers, err));
        price_judge(w->o->prices, &s->numbers);
    }
    return EH_STATUS_OK;
}

/* ---- rows ---- */

static double mean_of(double a, double b) {
    return (a + b) / 2;
}

static int64_t half_of(int64_t known) {
    return known < 0 ? -1 : known / 2;
}

static tables_order order_of(const plan_spec *plan) {
    if (plan_is_alone(plan)) return TABLES_ORDER_BOTH;
    if (plan->orders == PLAN_ORDERS_BOTH)
        return plan_is_single_order(plan) ? TABLES_ORDER_MEAN : TABLES_ORDER_BOTH;
    return plan->orders & PLAN_ORDER_BIT(EH_ORDER_12) ? TABLES_ORDER_12
                                                      : TABLES_ORDER_21;
}

/* Two orders side by side: what one of them, drawn at random, would give. */
static void average_orders(tables_method_row *row, const report_judge *n) {
    const report_agreement *a = &n->labels.by_order[0], *b = &n->labels.by_order[1];
    row->labels = (report_agreement){
        .n_labelled = a->n_labelled,
        .n_ruled = a->n_ruled < b->n_ruled ? a->n_ruled : b->n_ruled,
        .accuracy = mean_of(a->accuracy, b->accuracy),
        .accuracy_ruled = mean_of(a->accuracy_ruled, b->accuracy_ruled),
        .kappa = mean_of(a->kappa, b->kappa),
        .kappa_se = NAN, /* the two are not independent */
        .macro_precision = mean_of(a->macro_precision, b->macro_precision),
        .macro_recall = mean_of(a->macro_recall, b->macro_recall),
        .macro_f1 = mean_of(a->macro_f1, b->macro_f1),
        .why = a->why,
        .why_ruled = a->why_ruled ? a->why_ruled : b->why_ruled,
        .why_kappa = a->why_kappa   ? a->why_kappa
                     : b->why_kappa ? b->why_kappa
                                    : "mean_of_orders",
    };
    row->win_rate = (report_rate){
        .value = mean_of(n->win_rate_by_order[0].value, n->win_rate_by_order[1].value),
        .low = NAN,
        .high = NAN,
        .n = n->n_pairs,
        .why = "mean_of_orders"};
    row->n_calls = n->n_calls / 2;
    row->prompt_tokens = half_of(n->prompt_tokens);
    row->completion_tokens = half_of(n->completion_tokens);
    row->cost_nusd = half_of(n->cost_nusd);
}

static eh_status row_of(worker *w, const spec *s, tables_method_row *row,
                        eh_error *err) {
    const report_judge *n = &s->numbers;
    char options[PLAN_OPTIONS_CHARS];
    plan_options_text(&s->view.plan, options);
    *row = (tables_method_row){.method = plan_method_name(s->view.plan.method),
                               .k = s->view.plan.k,
                               .order = order_of(&s->view.plan),
                               .n_pairs = n->n_pairs,
                               .labels = n->labels.all,
                               .win_rate = n->win_rate,
                               .conflict = n->conflict.rate,
                               .n_conflicts = n->conflict.n_conflicts,
                               .tie_agreed = n->rulings.tie_agreed,
                               .tie_from_conflict = n->rulings.tie_from_conflict,
                               .n_none = n->rulings.n_none,
                               .n_calls = n->n_calls,
                               .prompt_tokens = n->prompt_tokens,
                               .completion_tokens = n->completion_tokens,
                               .cost_nusd = n->cost_nusd};
    if (tally_no_orders(&s->view.plan))
        row->conflict.why = tally_no_orders(&s->view.plan);
    if (row->order == TABLES_ORDER_MEAN) average_orders(row, n);
    return arena_copy(w->arena, options[0] ? eh_str_of(options) : (eh_str){NULL, 0},
                      &row->options)
               ? EH_STATUS_OK
               : EH_NOMEM(err);
}

static eh_status hitlc_rows(worker *w, eh_error *err) {
    tables_method_judge *j = w->judge;
    eh_str rest = w->o->budgets, budget;
    const spec *s = w->calibrated;
    while (eh_str_split(&rest, ',', &budget)) {
        tables_method_row *row = &j->rows[j->n];
        if (j->n == j->cap)
            return EH_FAIL(err, EH_STATUS_USAGE, "--budgets: at most %d may be given",
                           TABLES_BUDGETS_MAX);
        EH_TRY(row_of(w, s, row, err));
        row->method = "hitlc";
        EH_TRY(tables_hitlc_rule(w->queue, eh_str_trim(budget), row, err));
        const report_hitlc together = {.n_pairs = row->n_pairs,
                                       .n_people =
                                           row->hitlc.n_people - row->hitlc.n_missing,
                                       .n_labels = row->hitlc.n_labels,
                                       .judge_nusd = row->cost_nusd,
                                       .label_nusd = w->o->label_nusd};
        row->hitlc.cost = report_hitlc_cost_of(&together);
        row->cost_nusd = row->hitlc.cost.both;
        j->n++;
    }
    return EH_STATUS_OK;
}

static eh_status make_rows(worker *w, eh_error *err) {
    tables_method_judge *j = w->judge;
    j->cap = w->n_specs + TABLES_BUDGETS_MAX;
    j->rows = arena_zalloc(w->arena, j->cap, sizeof *j->rows);
    if (!j->rows) return EH_NOMEM(err);
    for (size_t i = 0; i < w->n_specs; i++)
        EH_TRY(row_of(w, w->specs[i], &j->rows[j->n++], err));
    return w->calibrated && j->has_labels ? hitlc_rows(w, err) : EH_STATUS_OK;
}

static eh_status make_judge(worker *w, eh_error *err) {
    w->n_specs = 0;
    w->calibrated = NULL;
    w->queue = tables_hitlc_new();
    if (!w->queue) return EH_NOMEM(err);
    eh_status status = add_specs(w, err);
    if (status == EH_STATUS_OK) status = add_own(w, err);
    if (status == EH_STATUS_OK) status = tally_all(w, err);
    if (status == EH_STATUS_OK) status = make_rows(w, err);
    tables_hitlc_free(w->queue);
    return status;
}

/* ---- relative to vanilla ---- */

static bool is_one_call(const tables_method_row *row) {
    return row->k == 1 &&
           (row->order == TABLES_ORDER_12 || row->order == TABLES_ORDER_21) &&
           row->n_calls > 0;
}

static const tables_method_row *one_call(const tables_method_judge *j) {
    for (size_t i = 0; i < j->n; i++)
        if (is_one_call(&j->rows[i])) return &j->rows[i];
    return NULL;
}

/* The verdict-first judge of the same id. */
static const tables_method_row *vanilla_for(const tables_methods *m,
                                            const tables_method_judge *j) {
    for (size_t i = 0; i < m->n; i++) {
        const tables_method_judge *other = &m->judges[i];
        const ledger_run *run = &other->view->run;
        if (run->judge.evidence_first || run->imported ||
            !eh_str_eq(run->judge.judge, j->view->run.judge.judge))
            continue;
        const tables_method_row *row = one_call(other);
        if (row) return row;
    }
    return NULL;
}

/* a / pairs of a over b / pairs of b; NaN where one is unknown. */
static double per_pair_ratio(double a, int64_t n_a, double b, int64_t n_b) {
    if (!(a >= 0) || !(b > 0) || n_a == 0 || n_b == 0) return NAN;
    return a / (double)n_a / (b / (double)n_b);
}

static double tokens_of(const tables_method_row *row) {
    return row->prompt_tokens < 0 || row->completion_tokens < 0
               ? (double)NAN
               : (double)(row->prompt_tokens + row->completion_tokens);
}

static void relate(tables_methods *m) {
    for (size_t i = 0; i < m->n; i++) {
        tables_method_judge *j = &m->judges[i];
        const tables_method_row *base = vanilla_for(m, j);
        j->own_base = !base && j->view->run.judge.evidence_first;
        if (!base) base = one_call(j);
        for (size_t r = 0; r < j->n; r++) {
            tables_method_row *row = &j->rows[r];
            row->relative = (tables_relative){NAN, NAN, NAN};
            if (!base) continue;
            row->relative = (tables_relative){
                per_pair_ratio((double)row->n_calls, row->n_pairs,
                               (double)base->n_calls, base->n_pairs),
                per_pair_ratio(tokens_of(row), row->n_pairs, tokens_of(base),
                               base->n_pairs),
                per_pair_ratio((double)row->cost_nusd, row->n_pairs,
                               (double)base->cost_nusd, base->n_pairs)};
        }
    }
}

/* ---- all judges ---- */

static bool is_first_of_judge(const tally_books *books, size_t i) {
    const tally_view *v = &books->views[i];
    for (size_t k = 0; k < i; k++)
        if (books->views[k].book == v->book &&
            books->views[k].run.judge_row == v->run.judge_row)
            return false;
    return true;
}

static eh_status start_judge(const tally_books *books, size_t i, eh_arena *arena,
                             tables_method_judge *j, eh_error *err) {
    const tally_view *view = &books->views[i];
    ledger *l = books->ledgers[view->book];
    *j = (tables_method_judge){.view = view, .name = view->run.judge.judge};
    if (books->n_ledgers > 1) {
        char *name =
            arena_printf(arena, "%.*s[%zu]", EH_STR_ARG(j->name), view->book + 1);
        if (!name) return EH_NOMEM(err);
        j->name = eh_str_of(name);
    }
    return ledger_judge_extent(l, view->run.judge_row, &j->k, &j->orders, err);
}

/* Before anything is counted, and also where no label is. */
static eh_status check_budgets(eh_str budgets, eh_error *err) {
    eh_str rest = budgets, budget;
    int64_t n;
    while (eh_str_split(&rest, ',', &budget))
        if (!plan_budget_pairs(budget, 1, &n))
            return EH_FAIL(err, EH_STATUS_USAGE,
                           "--budgets: '%.*s' is no share of the pairs, such as 20%%",
                           EH_STR_ARG(budget));
    return EH_STATUS_OK;
}

eh_status tables_methods_make(const tally_books *books,
                              const tables_methods_options *options, eh_arena *arena,
                              tables_methods *methods, eh_error *err) {
    EH_TRY(check_budgets(options->budgets, err));
    worker *w = arena_zalloc(arena, 1, sizeof *w);
    *methods = (tables_methods){.label_nusd = options->label_nusd};
    methods->judges = arena_zalloc(arena, books->n_views + 1, sizeof *methods->judges);
    if (!w || !methods->judges) return EH_NOMEM(err);
    *w = (worker){.books = books, .o = options, .arena = arena};
    for (size_t i = 0; i < books->n_views; i++) {
        if (!is_first_of_judge(books, i)) continue;
        w->judge = &methods->judges[methods->n];
        EH_TRY(start_judge(books, i, arena, w->judge, err));
        if (w->judge->orders == 0) continue; /* nothing was asked yet */
        EH_TRY(make_judge(w, err));
        methods->has_labels = methods->has_labels || w->judge->has_labels;
        methods->n++;
    }
    relate(methods);
    return EH_STATUS_OK;
}
