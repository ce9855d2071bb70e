/* SPDX-License-Identifier: MIT
 *
 * The Bradley-Terry fit. Parameters stand in one vector:
 *
 *   [ strength 0 .. n_models-1 | order? | terms ... | log_tie? ]
 *
 * and each row touches only a handful of them, through eta and log_tie. With the
 * outcome y = +1, 0, -1 and the three probabilities p1, p0, p2 of its row,
 *
 *   dl/deta = (y - (p1 - p2)) / 2          d2l/deta2      = -(p1 + p2 - (p1 - p2)^2) /
 * 4 dl/dtie = [y = 0] - p0                 d2l/dtie2      = -p0 (1 - p0) d2l/deta dtie
 * = (p1 - p2) p0 / 2
 *
 * The likelihood does not change when a constant is added to all strengths of a
 * component. So 1 1^T per component is added to the information matrix, which pins the
 * sum to 0 and changes nothing else, since all scores are orthogonal to it.
 *
 * Where the data leave a direction unbounded, a normal prior around the component's
 * mean is added: P = (I - 1 1^T / size) / sd^2. It enters the covariance as one more
 * independent observation would,
 *
 *   V = A^-1 (sum_g s_g s_g^T G/(G-1) + P) A^-1,    A = information + P + pins
 *
 * which without it is the clustered sandwich, and with nothing else the prior itself.
 *
 * Left out: random effects, ratings that change with time.
 */
#include "stats/bt.h"

#include <math.h>

#include "stats/bt_graph.h"
#include "stats/elementary.h"
#include "stats/solve.h"
#include "stats/special.h"

enum {
    MAX_NEWTON_STEPS = 100,
    MAX_HALVINGS = 40,
    TOUCHED_MAX = STATS_BT_TERMS_MAX + 4
};

#define PRIOR_PRECISION (1.0 / (STATS_BT_PRIOR_SD * STATS_BT_PRIOR_SD))
#define FINITE_MAX 30.0 /* a log strength beyond this is on its way to infinity */

typedef struct problem {
    const stats_bt_row *rows;
    int64_t n_rows;
    const stats_bt_options *o;
    bt_graph graph;
    int n;        /* parameters */
    int at_order; /* positions in the vector; -1: not in the model */
    int at_terms;
    int at_tie;
    bool *penalised;     /* [n_components] */
    bool all_penalised;  /* also what is no strength */
    double *beta;        /* [n] */
    double *next;        /* [n] */
    double *gradient;    /* [n] */
    double *information; /* [n][n] lower triangle, then its factor */
} problem;

/* What a row touches: parameter at[k] with d eta / d parameter = x[k]. */
typedef struct touched {
    int n;
    int at[TOUCHED_MAX];
    double x[TOUCHED_MAX];
} touched;

typedef struct row_score {
    double log_p;
    double eta, tie;                  /* first derivatives */
    double eta_eta, eta_tie, tie_tie; /* second ones, negated */
} row_score;

static touched row_touches(const problem *p, int64_t i) {
    const stats_bt_row *r = &p->rows[i];
    touched t = {2, {r->first, r->second}, {1.0, -1.0}};
    if (p->at_order >= 0) {
        t.at[t.n] = p->at_order;
        t.x[t.n++] = 1.0;
    }
    for (int k = 0; k < p->o->n_terms; k++) {
        t.at[t.n] = p->at_terms + k;
        t.x[t.n++] = p->o->terms[i * p->o->n_terms + k];
    }
    return t;
}

static row_score half_score(double eta, int outcome) {
    double y = 0.5 * (outcome + 1), p = stats_logistic(eta);
    return (row_score){.log_p = -y * stats_log1p_exp(-eta) -
                                (1.0 - y) * stats_log1p_exp(eta),
                       .eta = y - p,
                       .eta_eta = p * (1.0 - p)};
}

static row_score davidson_score(double eta, int outcome, bool has_tie, double log_tie) {
    double top = 0.5 * fabs(eta);
    if (has_tie && log_tie > top) top = log_tie;
    double first = stats_exp(0.5 * eta - top), second = stats_exp(-0.5 * eta - top);
    double tie = has_tie ? stats_exp(log_tie - top) : 0.0;
    double sum = first + second + tie;
    double p1 = first / sum, p2 = second / sum, p0 = tie / sum, lead = p1 - p2;
    double seen = outcome == 0 ? log_tie : 0.5 * eta * outcome;
    return (row_score){.log_p = seen - top - stats_log(sum),
                       .eta = 0.5 * (outcome - lead),
                       .tie = has_tie ? (outcome == 0) - p0 : 0.0,
                       .eta_eta = 0.25 * (p1 + p2 - lead * lead),
                       .eta_tie = -0.5 * lead * p0,
                       .tie_tie = p0 * (1.0 - p0)};
}

static row_score score_row(const problem *p, const double *beta, int64_t i,
                           const touched *t) {
    double eta = 0.0;
    for (int k = 0; k < t->n; k++)
        eta += beta[t->at[k]] * t->x[k];
    int outcome = p->rows[i].outcome;
    if (p->o->ties == STATS_BT_HALF) return half_score(eta, outcome);
    bool has_tie = p->at_tie >= 0;
    return davidson_score(eta, outcome, has_tie, has_tie ? beta[p->at_tie] : 0.0);
}

/* The precision of the prior on parameter i; 0 without one. */
static double prior_of(const problem *p, int i) {
    bool on = p->all_penalised;
    if (i < p->o->n_models)
        on = p->graph.component[i] >= 0 && p->penalised[p->graph.component[i]];
    return on ? PRIOR_PRECISION : 0.0;
}

/* Entry (i, j) of P: strengths vary around the mean of their component. */
static double prior_entry(const problem *p, int i, int j) {
    double precision = prior_of(p, i), entry = i == j ? precision : 0.0;
    if (i >= p->o->n_models || j >= p->o->n_models || precision == 0.0) return entry;
    int c = p->graph.component[i];
    return c == p->graph.component[j] ? entry - precision / p->graph.size[c] : entry;
}

/* Pins the free level of a component; a model without rows is its own. */
static double pin_entry(const problem *p, int i, int j) {
    if (i >= p->o->n_models || j >= p->o->n_models) return 0.0;
    if (p->graph.component[i] < 0) return i == j ? 1.0 : 0.0;
    return p->graph.component[i] == p->graph.component[j] ? 1.0 : 0.0;
}

/* Log likelihood of the rows less the penalty. Strengths sum to 0 in a component. */
static double objective(const problem *p, const double *beta, double *log_likelihood) {
    double sum = 0.0, penalty = 0.0;
    for (int64_t i = 0; i < p->n_rows; i++) {
        touched t = row_touches(p, i);
        sum += score_row(p, beta, i, &t).log_p;
    }
    for (int i = 0; i < p->n; i++)
        penalty += 0.5 * prior_of(p, i) * beta[i] * beta[i];
    if (log_likelihood) *log_likelihood = sum;
    return sum - penalty;
}

static void add_row(problem *p, const touched *t, const row_score *s) {
    size_t n = (size_t)p->n;
    for (int k = 0; k < t->n; k++) {
        size_t row = (size_t)t->at[k];
        p->gradient[row] += s->eta * t->x[k];
        for (int m = 0; m < t->n; m++) {
            size_t column = (size_t)t->at[m];
            if (column <= row)
                p->information[row * n + column] += s->eta_eta * t->x[k] * t->x[m];
        }
        if (p->at_tie >= 0) /* the last row of the matrix */
            p->information[(size_t)p->at_tie * n + row] += s->eta_tie * t->x[k];
    }
    if (p->at_tie < 0) return;
    p->gradient[p->at_tie] += s->tie;
    p->information[(size_t)p->at_tie * (n + 1)] += s->tie_tie;
}

/* Gradient and information with prior and pins, at beta. */
static void derivatives(problem *p) {
    size_t n = (size_t)p->n;
    for (int i = 0; i < p->n; i++) {
        p->gradient[i] = -prior_of(p, i) * p->beta[i];
        for (int j = 0; j <= i; j++)
            p->information[(size_t)i * n + (size_t)j] =
                prior_entry(p, i, j) + pin_entry(p, i, j);
    }
    for (int64_t i = 0; i < p->n_rows; i++) {
        touched t = row_touches(p, i);
        row_score s = score_row(p, p->beta, i, &t);
        add_row(p, &t, &s);
    }
}

/* One step along p->gradient, halved until the objective does not fall. Returns the
 * largest change of a parameter. */
static double take_step(problem *p, double *value) {
    double scale = 1.0, change = 0.0;
    for (int halving = 0; halving < MAX_HALVINGS; halving++, scale *= 0.5) {
        change = 0.0;
        for (int i = 0; i < p->n; i++) {
            p->next[i] = p->beta[i] + scale * p->gradient[i];
            change = fmax(change, fabs(scale * p->gradient[i]));
        }
        double reached = objective(p, p->next, NULL);
        if (!(reached >= *value - 1e-12 * (1.0 + fabs(*value)))) continue;
        *value = reached;
        for (int i = 0; i < p->n; i++)
            p->beta[i] = p->next[i];
        return change;
    }
    return 0.0; /* no ascent within rounding: this is the top */
}

/* Newton's method from 0; false where it leaves the finite or a matrix is singular. On
 * success p->information holds the factor at the solution. */
static bool maximise(problem *p) {
    for (int i = 0; i < p->n; i++)
        p->beta[i] = 0.0;
    double value = objective(p, p->beta, NULL);
    bool is_last = false;
    for (int step = 0; step < MAX_NEWTON_STEPS; step++) {
        derivatives(p);
        if (!stats_cholesky(p->information, p->n)) return false;
        if (is_last) return true;
        stats_cholesky_solve(p->information, p->n, p->gradient);
        double change = take_step(p, &value);
        for (int i = 0; i < p->n; i++)
            if (!(fabs(p->beta[i]) < FINITE_MAX)) return false;
        is_last = change < 1e-9;
    }
    return false;
}

/* Sum over questions of score outer products, in `meat` [n][n], both triangles. `sum`
 * [n] is scratch and starts and ends at 0. Returns the number of questions. */
static int64_t cluster_scores(const problem *p, double *sum, double *meat) {
    int64_t n_clusters = 0;
    size_t n = (size_t)p->n;
    for (int64_t i = 0; i < p->n_rows; i++) {
        touched t = row_touches(p, i);
        row_score s = score_row(p, p->beta, i, &t);
        for (int k = 0; k < t.n; k++)
            sum[t.at[k]] += s.eta * t.x[k];
        if (p->at_tie >= 0) sum[p->at_tie] += s.tie;
        bool closes =
            i + 1 == p->n_rows || p->rows[i + 1].cluster != p->rows[i].cluster;
        if (!closes) continue;
        n_clusters++;
        for (size_t a = 0; a < n; a++) {
            if (sum[a] == 0.0) continue;
            for (size_t b = 0; b < n; b++)
                meat[a * n + b] += sum[a] * sum[b];
        }
        for (size_t a = 0; a < n; a++)
            sum[a] = 0.0;
    }
    return n_clusters;
}

/* c = a b, all [n][n]. */
static void multiply(const double *a, const double *b, double *c, size_t n) {
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++)
            c[i * n + j] = 0.0;
        for (size_t k = 0; k < n; k++)
            for (size_t j = 0; j < n; j++)
                c[i * n + j] += a[i * n + k] * b[k * n + j];
    }
}

/* V of the head comment into `meat`; NaN everywhere below two questions. */
static eh_status covariance(problem *p, eh_arena *arena, double **result,
                            int64_t *n_clusters, eh_error *err) {
    size_t n = (size_t)p->n;
    double *meat = arena_zalloc(arena, n * n, sizeof(double));
    double *bread = arena_zalloc(arena, n * n, sizeof(double));
    double *product = arena_zalloc(arena, n * n, sizeof(double));
    double *sum = arena_zalloc(arena, n, sizeof(double));
    if (!meat || !bread || !product || !sum) return EH_NOMEM(err);
    *n_clusters = cluster_scores(p, sum, meat);
    double questions = (double)*n_clusters;
    double factor = questions > 1.0 ? questions / (questions - 1.0) : NAN;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            meat[i * n + j] = factor * meat[i * n + j] + prior_entry(p, (int)i, (int)j);
    stats_cholesky_inverse(p->information, p->n, bread);
    multiply(bread, meat, product, n);
    multiply(product, bread, meat, n);
    *result = meat;
    return EH_STATUS_OK;
}

static eh_status problem_make(problem *p, eh_arena *arena, eh_error *err) {
    const stats_bt_options *o = p->o;
    EH_TRY(bt_graph_make(p->rows, p->n_rows, o->n_models, arena, &p->graph, err));
    p->n = o->n_models;
    p->at_order = o->order_term ? p->n++ : -1;
    p->at_terms = p->n;
    p->n += o->n_terms;
    bool has_tie = o->ties == STATS_BT_DAVIDSON && p->graph.n_ties > 0;
    p->at_tie = has_tie ? p->n++ : -1;
    size_t n = (size_t)p->n;
    p->penalised = arena_zalloc(arena, (size_t)p->graph.n_components + 1, sizeof(bool));
    p->beta = arena_zalloc(arena, n, sizeof(double));
    p->next = arena_zalloc(arena, n, sizeof(double));
    p->gradient = arena_zalloc(arena, n, sizeof(double));
    p->information = arena_zalloc(arena, n * n, sizeof(double));
    if (!p->penalised || !p->beta || !p->next || !p->gradient || !p->information)
        return EH_NOMEM(err);
    return EH_STATUS_OK;
}

/* First with a penalty only where the graph asks for it, then everywhere. */
static bool solve(problem *p) {
    for (int c = 0; c < p->graph.n_components; c++)
        p->penalised[c] = !p->graph.connected[c];
    if (maximise(p)) return true;
    p->all_penalised = true;
    for (int c = 0; c < p->graph.n_components; c++)
        p->penalised[c] = true;
    return maximise(p);
}

static double root_of(const double *v, int n, int at) {
    return v && at >= 0 ? sqrt(fmax(v[(size_t)at * (size_t)(n + 1)], 0.0)) : NAN;
}

static void read_solution(const problem *p, const double *v, stats_bt *fit) {
    size_t n = (size_t)p->n, n_models = (size_t)fit->n_models;
    for (size_t i = 0; i < n_models; i++) {
        bool has_rows = p->graph.component[i] >= 0;
        fit->strength[i] = has_rows ? p->beta[i] : NAN;
        fit->se[i] = has_rows ? root_of(v, p->n, (int)i) : NAN;
        for (size_t j = 0; v && j < n_models; j++)
            fit->covariance[i * n_models + j] = v[i * n + j];
    }
    for (int k = 0; k < fit->n_terms; k++) {
        fit->term[k] = p->beta[p->at_terms + k];
        fit->term_se[k] = root_of(v, p->n, p->at_terms + k);
    }
    fit->order = p->at_order >= 0 ? p->beta[p->at_order] : NAN;
    fit->order_se = root_of(v, p->n, p->at_order);
    fit->log_tie = p->at_tie >= 0 ? p->beta[p->at_tie] : NAN;
    fit->log_tie_se = root_of(v, p->n, p->at_tie);
    objective(p, p->beta, &fit->log_likelihood);
}

static eh_status fit_make(const problem *p, eh_arena *arena, stats_bt *fit,
                          eh_error *err) {
    size_t n = (size_t)p->o->n_models;
    *fit = (stats_bt){.n_models = p->o->n_models,
                      .n_terms = p->o->n_terms,
                      .n_components = p->graph.n_components,
                      .n_rows = p->n_rows,
                      .component = p->graph.component,
                      .undefeated = p->graph.undefeated,
                      .winless = p->graph.winless,
                      .penalised = p->penalised,
                      .order = NAN,
                      .order_se = NAN,
                      .log_tie = NAN,
                      .log_tie_se = NAN,
                      .log_likelihood = NAN};
    fit->strength = arena_zalloc(arena, n, sizeof(double));
    fit->se = arena_zalloc(arena, n, sizeof(double));
    fit->covariance = arena_zalloc(arena, n * n, sizeof(double));
    fit->term = arena_zalloc(arena, STATS_BT_TERMS_MAX, sizeof(double));
    fit->term_se = arena_zalloc(arena, STATS_BT_TERMS_MAX, sizeof(double));
    if (!fit->strength || !fit->se || !fit->covariance || !fit->term || !fit->term_se)
        return EH_NOMEM(err);
    for (size_t i = 0; i < n; i++)
        fit->strength[i] = fit->se[i] = NAN;
    for (int k = 0; k < fit->n_terms; k++)
        fit->term[k] = fit->term_se[k] = NAN;
    return EH_STATUS_OK;
}

eh_status stats_bt_fit(const stats_bt_row *rows, int64_t n_rows,
                       const stats_bt_options *options, eh_arena *arena, stats_bt *fit,
                       eh_error *err) {
    if (options->n_models < 1 || options->n_models > STATS_BT_MODELS_MAX ||
        options->n_terms < 0 || options->n_terms > STATS_BT_TERMS_MAX)
        return EH_FAIL(
            err, EH_STATUS_USAGE,
            "ranking: %d models and %d terms; 1 to %d and 0 to %d are possible",
            options->n_models, options->n_terms, STATS_BT_MODELS_MAX,
            STATS_BT_TERMS_MAX);
    problem p = {.rows = rows, .n_rows = n_rows, .o = options};
    EH_TRY(problem_make(&p, arena, err));
    EH_TRY(fit_make(&p, arena, fit, err));
    fit->why = n_rows > 0 ? STATS_REASON_NOT_CONVERGED : STATS_REASON_NO_ROWS;
    if (n_rows <= 0 || !solve(&p)) return EH_STATUS_OK;
    fit->all_penalised = p.all_penalised;
    double *v = NULL;
    EH_TRY(covariance(&p, arena, &v, &fit->n_clusters, err));
    fit->why = STATS_REASON_NONE;
    if (fit->n_clusters < 2) {
        fit->why = STATS_REASON_TOO_FEW_QUESTIONS;
        fit->covariance = NULL;
        v = NULL;
    }
    read_solution(&p, v, fit);
    return EH_STATUS_OK;
}

stats_interval stats_bt_difference(const stats_bt *fit, int a, int b, double level) {
    stats_interval d = {NAN, NAN, NAN, STATS_REASON_OUT_OF_RANGE};
    if (a < 0 || a >= fit->n_models || b < 0 || b >= fit->n_models) return d;
    d.why = fit->why;
    if (fit->why != STATS_REASON_NONE && fit->why != STATS_REASON_TOO_FEW_QUESTIONS)
        return d;
    d.why = STATS_REASON_DISCONNECTED;
    if (fit->component[a] < 0 || fit->component[a] != fit->component[b]) return d;
    d.value = fit->strength[a] - fit->strength[b];
    d.why = fit->why;
    if (!fit->covariance) return d;
    size_t n = (size_t)fit->n_models, i = (size_t)a, j = (size_t)b;
    const double *v = fit->covariance;
    double variance = v[i * n + i] + v[j * n + j] - 2.0 * v[i * n + j];
    double t = stats_t_two_sided(level, (double)(fit->n_clusters - 1));
    double half = t * sqrt(fmax(variance, 0.0));
    d.low = d.value - half;
    d.high = d.value + half;
    return d;
}
