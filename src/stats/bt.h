/* SPDX-License-Identifier: MIT
 *
 * Ranking models from pairwise verdicts: the Bradley-Terry model with Davidson's ties,
 * a term for the judge's position effect, and terms for length or style.
 *
 *   P(first wins)  ~ exp(+eta/2)
 *   P(second wins) ~ exp(-eta/2)          eta = strength[first] - strength[second]
 *   P(tie)         ~ exp(log_tie)               + order + sum_k term[k] x[k]
 *
 * One row is one sample's verdict. R. A. Bradley, M. E. Terry, Biometrika 39, 1952;
 * R. R. Davidson, J. Amer. Statist. Assoc. 65, 1970; R. R. Davidson, R. J. Beaver,
 * Biometrics 33, 1977 (order).
 *
 *   stats_bt fit;
 *   stats_bt_options o = {.n_models = 3, .order_term = true};
 *   EH_TRY(stats_bt_fit(rows, n_rows, &o, &arena, &fit, err));
 *   stats_interval d = stats_bt_difference(&fit, a, b, .95);
 *
 * Pure and thread-safe with one arena per thread; arrays of the result live in it.
 */
#ifndef EH_STATS_BT_H
#define EH_STATS_BT_H

#include <stdint.h>

#include "base/arena.h"
#include "stats/interval.h"

typedef struct stats_bt_row {
    int32_t first, second; /* the models in the slots as shown, 0 .. n_models - 1 */
    int32_t outcome;       /* +1 first slot, -1 second slot, 0 tie */
    uint64_t cluster;      /* the question; its rows must be neighbours */
} stats_bt_row;

typedef enum stats_bt_ties {
    STATS_BT_DAVIDSON, /* a third outcome with its own parameter */
    /* Compatibility with other tools only: a tie as half a win for each, in the model
     * without a tie parameter, P(first wins) = 1 / (1 + exp(-eta)). */
    STATS_BT_HALF
} stats_bt_ties;

enum { STATS_BT_MODELS_MAX = 1000, STATS_BT_TERMS_MAX = 8 };

typedef struct stats_bt_options {
    int n_models;
    stats_bt_ties ties;
    bool order_term; /* every row was shown in the order of its slots */
    int n_terms;     /* up to STATS_BT_TERMS_MAX */
    /* [n_rows][n_terms] the first slot's value less the second's, scaled to about 1 (a
     * term beyond 30 log units counts as unbounded) */
    const double *terms;
} stats_bt_options;

typedef struct stats_bt {
    int n_models, n_terms, n_components;
    int64_t n_rows, n_clusters;
    double *strength;   /* [n_models] log; mean 0 over its component; NaN: no rows */
    double *se;         /* [n_models] of strength, clustered; NaN where undefined */
    double *covariance; /* [n_models][n_models] of strength; NULL where undefined */
    int *component;     /* [n_models] 0 .. n_components - 1; -1: no rows */
    bool *undefeated;   /* [n_models] has won and never lost: only regularisation
                           keeps its strength finite */
    bool *winless;      /* [n_models] has lost and never won, likewise */
    double order;       /* > 0: the first slot is preferred; NaN without the term */
    double order_se;    /* NaN where undefined, as all se */
    double *term, *term_se; /* [n_terms] */
    double log_tie;         /* NaN for HALF and where no verdict is a tie */
    double log_tie_se;
    double log_likelihood; /* without the penalty */
    bool *penalised;       /* [n_components] some strength has no finite estimate by the
                              data alone; a penalty of sd STATS_BT_PRIOR_SD bounds it */
    bool all_penalised;    /* also order, terms and ties */
    stats_reason why;      /* NO_ROWS, NOT_CONVERGED: no estimates; TOO_FEW_QUESTIONS:
                              estimates without se */
} stats_bt;

/* Standard deviation of the normal prior that the penalty stands for. */
#define STATS_BT_PRIOR_SD 3.0

/* Maximum likelihood by Newton's method; the likelihood is concave. se are clustered by
 * question (sandwich with G/(G-1)). Where a component has models that others never beat
 * (its wins are not strongly connected, L. R. Ford, Amer. Math. Monthly 64, 1957), or
 * the fit does not stay finite for another reason, it is penalised.
 *
 * DATA for a row that names a model twice or one out of range, or has another outcome;
 * NOMEM. */
EH_MUST_USE eh_status stats_bt_fit(const stats_bt_row *rows, int64_t n_rows,
                                   const stats_bt_options *options, eh_arena *arena,
                                   stats_bt *fit, eh_error *err);

/* strength[a] - strength[b] with a t interval on n_clusters - 1 degrees of freedom; it
 * covers 94 to 96 % from 50 questions on.
 * DISCONNECTED where no chain of comparisons links the two. */
stats_interval stats_bt_difference(const stats_bt *fit, int a, int b, double level);

#endif
