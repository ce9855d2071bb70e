/* SPDX-License-Identifier: MIT
 *
 * Who was compared with whom, and who ever won: private to the Bradley-Terry fit.
 */
#ifndef EH_STATS_BT_GRAPH_H
#define EH_STATS_BT_GRAPH_H

#include "stats/bt.h"

typedef struct bt_graph {
    int n_components;
    int *component;   /* [n_models] numbered in the order of their first model; -1 */
    int *size;        /* [n_components] */
    bool *connected;  /* [n_components] strongly: finite by the data alone */
    bool *undefeated; /* [n_models] */
    bool *winless;    /* [n_models] */
    int64_t n_ties;
} bt_graph;

/* Checks the rows, too; arrays live in `arena`. */
EH_MUST_USE eh_status bt_graph_make(const stats_bt_row *rows, int64_t n_rows,
                                    int n_models, eh_arena *arena, bt_graph *graph,
                                    eh_error *err);

#endif
