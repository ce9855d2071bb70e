/* SPDX-License-Identifier: MIT
 *
 * The graph behind a ranking. Models are nodes; an edge a -> b says that a has at least
 * once not lost against b (a win or a tie).
 *
 *   p -> q          component {p, q}: q is never above p, so p is undefeated and the
 *   u -> v <-> w    ratio of their strengths has no finite estimate. Components are
 *                   not comparable with one another at all.
 *
 * A component is strongly connected when from one of its models all others are reached
 * along the edges and also against them.
 *
 * Left out: naming groups of models that beat all others as a group; the penalty that
 * they cause is flagged for the component.
 */
#include "stats/bt_graph.h"

typedef struct matrix {
    int n;
    uint8_t *edge; /* [n][n] */
    int *stack;    /* [n] */
    bool *seen;    /* [n] */
} matrix;

typedef enum direction { FORWARD, BACKWARD, EITHER } direction;

static bool leads(const matrix *m, int a, int b, direction way) {
    bool out = m->edge[(size_t)a * (size_t)m->n + (size_t)b] != 0;
    bool in = m->edge[(size_t)b * (size_t)m->n + (size_t)a] != 0;
    return way == FORWARD ? out : way == BACKWARD ? in : out || in;
}

/* Marks all models that `start` leads to; returns how many, itself included. */
static int walk(matrix *m, int start, direction way) {
    for (int i = 0; i < m->n; i++)
        m->seen[i] = false;
    int n_stack = 0, n_seen = 0;
    m->stack[n_stack++] = start;
    m->seen[start] = true;
    while (n_stack > 0) {
        int a = m->stack[--n_stack];
        n_seen++;
        for (int b = 0; b < m->n; b++) {
            if (m->seen[b] || !leads(m, a, b, way)) continue;
            m->seen[b] = true;
            m->stack[n_stack++] = b;
        }
    }
    return n_seen;
}

static void find_components(matrix *m, const bool *has_rows, bt_graph *g) {
    for (int i = 0; i < m->n; i++)
        g->component[i] = -1;
    for (int i = 0; i < m->n; i++) {
        if (!has_rows[i] || g->component[i] >= 0) continue;
        int c = g->n_components++;
        g->size[c] = walk(m, i, EITHER);
        for (int j = 0; j < m->n; j++)
            if (m->seen[j]) g->component[j] = c;
        g->connected[c] =
            walk(m, i, FORWARD) == g->size[c] && walk(m, i, BACKWARD) == g->size[c];
    }
}

static eh_status row_check(const stats_bt_row *r, int64_t at, int n_models,
                           eh_error *err) {
    if (r->first < 0 || r->first >= n_models || r->second < 0 || r->second >= n_models)
        return EH_FAIL(err, EH_STATUS_DATA, "comparison %lld: no such model",
                       (long long)at);
    if (r->first == r->second)
        return EH_FAIL(err, EH_STATUS_DATA, "comparison %lld: a model with itself",
                       (long long)at);
    if (r->outcome < -1 || r->outcome > 1)
        return EH_FAIL(err, EH_STATUS_DATA, "comparison %lld: no such outcome",
                       (long long)at);
    return EH_STATUS_OK;
}

eh_status bt_graph_make(const stats_bt_row *rows, int64_t n_rows, int n_models,
                        eh_arena *arena, bt_graph *g, eh_error *err) {
    size_t n = (size_t)n_models;
    *g = (bt_graph){.component = arena_zalloc(arena, n, sizeof(int)),
                    .size = arena_zalloc(arena, n, sizeof(int)),
                    .connected = arena_zalloc(arena, n, sizeof(bool)),
                    .undefeated = arena_zalloc(arena, n, sizeof(bool)),
                    .winless = arena_zalloc(arena, n, sizeof(bool))};
    matrix m = {n_models, arena_zalloc(arena, n * n, 1),
                arena_zalloc(arena, n, sizeof(int)),
                arena_zalloc(arena, n, sizeof(bool))};
    bool *has_rows = arena_zalloc(arena, n, sizeof(bool));
    bool *has_won = arena_zalloc(arena, n, sizeof(bool));
    bool *has_lost = arena_zalloc(arena, n, sizeof(bool));
    if (!g->component || !g->size || !g->connected || !g->undefeated || !g->winless ||
        !m.edge || !m.stack || !m.seen || !has_rows || !has_won || !has_lost)
        return EH_NOMEM(err);

    for (int64_t i = 0; i < n_rows; i++) {
        const stats_bt_row *r = &rows[i];
        EH_TRY(row_check(r, i, n_models, err));
        size_t a = (size_t)r->first, b = (size_t)r->second;
        has_rows[a] = has_rows[b] = true;
        if (r->outcome >= 0) m.edge[a * n + b] = 1;
        if (r->outcome <= 0) m.edge[b * n + a] = 1;
        if (r->outcome == 0) g->n_ties++;
        if (r->outcome > 0) has_won[a] = has_lost[b] = true;
        if (r->outcome < 0) has_won[b] = has_lost[a] = true;
    }
    find_components(&m, has_rows, g);
    for (size_t i = 0; i < n; i++) {
        g->undefeated[i] = has_won[i] && !has_lost[i];
        g->winless[i] = has_lost[i] && !has_won[i];
    }
    return EH_STATUS_OK;
}
