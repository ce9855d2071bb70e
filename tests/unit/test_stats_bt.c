/* SPDX-License-Identifier: MIT
 *
 * Bradley-Terry rankings: the shared cases, golden fits from R, planted effects, and
 * what has no finite estimate.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/rng.h"
#include "base/terms.h"
#include "stats/bt.h"
#include "stats/elementary.h"
#include "stats_golden.h"
#include "stats_shared.h"

static eh_arena arena;

static int set_up(void **state) {
    (void)state;
    arena_init(&arena, (size_t)256 << 20);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    arena_deinit(&arena);
    return mem_live() == 0 ? 0 : -1;
}

static void assert_near(double value, double expected, double limit) {
    if (!(fabs(value - expected) <= limit))
        fail_msg("%.17g is not %.17g", value, expected);
}

static stats_bt fit_of(const stats_bt_row *rows, int64_t n, stats_bt_options o) {
    stats_bt fit;
    eh_error err = {0};
    if (stats_bt_fit(rows, n, &o, &arena, &fit, &err) != EH_STATUS_OK)
        fail_msg("%s", err.msg);
    return fit;
}

/* Rows of a shared case; models are numbered as they appear, names in `names`. */
enum { CASE_ROWS = 32, CASE_MODELS = 8 };

typedef struct bt_case {
    stats_bt_row rows[CASE_ROWS];
    int n_rows, n_models;
    eh_str names[CASE_MODELS];
} bt_case;

static int model_of(bt_case *c, eh_str name) {
    for (int i = 0; i < c->n_models; i++)
        if (eh_str_eq(c->names[i], name)) return i;
    assert_true(c->n_models < CASE_MODELS);
    c->names[c->n_models] = name;
    return c->n_models++;
}

static void case_read(shared *s, const json_value *expect, bt_case *c) {
    char name[256];
    snprintf(name, sizeof name, "cases/datasets/%.*s",
             EH_STR_ARG(json_get(expect, "files")->child->text));
    eh_str rest = shared_text(s, name), line;
    *c = (bt_case){0};
    while (eh_str_split(&rest, '\n', &line)) {
        if (eh_str_is_blank(line)) continue;
        const json_value *row = shared_json(s, line);
        assert_true(c->n_rows < CASE_ROWS);
        c->rows[c->n_rows] = (stats_bt_row){
            .first = model_of(c, json_get_str(row, "model_1")),
            .second = model_of(c, json_get_str(row, "model_2")),
            .outcome = eh_verdict_vote(eh_verdict_parse(json_get_str(row, "winner"))),
            .cluster = (uint64_t)c->n_rows};
        c->n_rows++;
    }
}

/* "x-y" -> strength difference; `expected` is a number member of its object. */
static void check_gap(bt_case *c, const stats_bt *fit, const json_value *expected,
                      double limit) {
    double gap;
    assert_true(eh_str_to_f64(expected->text, &gap));
    int x = model_of(c, eh_str_slice(expected->key, 0, 1));
    int y = model_of(c, eh_str_slice(expected->key, 2, 3));
    assert_near(fit->strength[x] - fit->strength[y], gap, limit);
    assert_false(fit->penalised[0]);
    assert_near(stats_bt_difference(fit, x, y, .95).value, gap, limit);
}

static void check_gaps(bt_case *c, const json_value *expect) {
    const json_value *gaps = json_get(expect, "log_strength_difference");
    double limit = shared_number(expect, "tolerance");
    for (const json_value *g = gaps->child; g; g = g->next) {
        stats_bt_options o = {.n_models = c->n_models};
        if (g->kind == JSON_NUMBER) {
            stats_bt fit = fit_of(c->rows, c->n_rows, o);
            check_gap(c, &fit, g, limit);
            continue;
        }
        o.ties = eh_str_eq_cstr(g->key, "half") ? STATS_BT_HALF : STATS_BT_DAVIDSON;
        stats_bt fit = fit_of(c->rows, c->n_rows, o);
        check_gap(c, &fit, g->child, limit);
    }
}

static void check_names(bt_case *c, const json_value *list, const bool *flags) {
    int n = 0;
    for (int i = 0; i < c->n_models; i++)
        n += flags[i];
    assert_int_equal(n, (int)list->n);
    for (const json_value *m = list->child; m; m = m->next)
        assert_true(flags[model_of(c, m->text)]);
}

static void check_graph(bt_case *c, const json_value *expect) {
    stats_bt fit =
        fit_of(c->rows, c->n_rows, (stats_bt_options){.n_models = c->n_models});
    check_names(c, json_get(expect, "undefeated"), fit.undefeated);
    check_names(c, json_get(expect, "winless"), fit.winless);
    const json_value *components = json_get(expect, "components");
    assert_int_equal(fit.n_components, (int)components->n);
    for (const json_value *k = components->child; k; k = k->next)
        for (const json_value *m = k->child; m; m = m->next)
            assert_int_equal(fit.component[model_of(c, m->text)],
                             fit.component[model_of(c, k->child->text)]);
    for (const json_value *k = json_get(expect, "order_within")->child; k;
         k = k->next) {
        assert_true(fit.penalised[fit.component[model_of(c, k->child->text)]]);
        for (const json_value *m = k->child; m->next; m = m->next)
            assert_true(fit.strength[model_of(c, m->text)] >
                        fit.strength[model_of(c, m->next->text)]);
    }
    for (int i = 0; i < c->n_models; i++) {
        assert_true(isfinite(fit.strength[i]) && isfinite(fit.se[i]));
        assert_true(fabs(fit.strength[i]) < 10.0 && fit.se[i] > .3 && fit.se[i] < 10.0);
        for (int j = 0; j < c->n_models; j++)
            if (fit.component[i] != fit.component[j])
                assert_int_equal(stats_bt_difference(&fit, i, j, .95).why,
                                 STATS_REASON_DISCONNECTED);
    }
}

static void test_cases(void **state) {
    (void)state;
    if (!shared_is_there()) {
        print_message("skipped: no shared cases\n");
        skip();
    }
    shared s;
    shared_open(&s);
    const json_value *expect =
        shared_json(&s, shared_text(&s, "cases/datasets/expect.json"));
    int n_cases = 0;
    for (const json_value *e = expect->child; e; e = e->next) {
        if (!eh_str_eq_cstr(json_get_str(e, "kind"), "bradley_terry")) continue;
        static bt_case c;
        case_read(&s, e, &c);
        if (json_get(e, "log_strength_difference")) check_gaps(&c, e);
        if (json_get(e, "undefeated")) check_graph(&c, e);
        n_cases++;
    }
    shared_close(&s);
    assert_int_equal(n_cases, 3);
}

/* The rows of bt_rows() in make_stats.R. */
static void golden_rows(stats_bt_row *rows, int n, bool swapped) {
    for (int i = 1; i <= n; i++) {
        int first = i % 4, second = (first + 1 + i / 4 % 3) % 4;
        double r = (i * 7919 + i * i * 31) % 97 / 97.0;
        double up = .35 + .07 * (second - first);
        int y = r < up ? 1 : r < up + .2 ? 0 : -1;
        rows[i - 1] = (stats_bt_row){first, second, y, (uint64_t)((i - 1) / 3)};
        if (swapped)
            rows[i - 1] = (stats_bt_row){second, first, -y, rows[i - 1].cluster};
    }
}

static void test_golden(void **state) {
    (void)state;
    enum { N = 300 };
    static stats_bt_row rows[N], swapped[N];
    golden g;
    int n_rows = 0;
    golden_rows(rows, N, false);
    golden_rows(swapped, N, true);
    golden_open(&g, "stats_r.tsv");
    while (golden_next(&g)) {
        bool davidson = strcmp(g.name, "davidson") == 0;
        if (!davidson && strcmp(g.name, "half") != 0) continue;
        stats_bt_options o = {.n_models = 4,
                              .order_term = true,
                              .ties = davidson ? STATS_BT_DAVIDSON : STATS_BT_HALF};
        stats_bt fit = fit_of(rows, N, o), mirror = fit_of(swapped, N, o);
        const double *par = g.number + 1, *se = par + (davidson ? 5 : 4);
        for (int m = 1; m < 4; m++) {
            stats_interval d = stats_bt_difference(&fit, m, 0, .95);
            assert_near(d.value, par[m - 1], 1e-8);
            const double *v = fit.covariance;
            double spread = v[m * 4 + m] + v[0] - v[m] - v[m * 4];
            assert_near(sqrt(spread), se[m - 1], 1e-6);
            assert_near(mirror.strength[m], fit.strength[m], 1e-12);
            assert_near(mirror.se[m], fit.se[m], 1e-12);
        }
        assert_near(fit.order, par[3], 1e-8);
        assert_near(fit.order_se, se[3], 1e-6);
        assert_near(mirror.order, -fit.order, 1e-12);
        if (davidson) assert_near(fit.log_tie, par[4], 1e-8);
        if (davidson) assert_near(fit.log_tie_se, se[4], 1e-6);
        if (!davidson) assert_true(isnan(fit.log_tie));
        assert_int_equal(fit.n_clusters, 100);
        assert_false(fit.penalised[0] || fit.all_penalised);
        double sum = 0.0;
        for (int m = 0; m < 4; m++)
            sum += fit.strength[m];
        assert_near(sum, 0.0, 1e-12);
        n_rows++;
    }
    golden_close(&g);
    assert_int_equal(n_rows, 2);
}

/* Verdicts drawn from the model itself. */
static void drawn_rows(stats_bt_row *rows, double *terms, int n, uint64_t seed) {
    static const double strength[5] = {.8, .3, 0, -.3, -.8};
    for (int i = 0; i < n; i++) {
        eh_rng rng = rng_make(seed, "test.bt", (uint64_t)i);
        int a = (int)rng_below(&rng, 5), b = (int)rng_below(&rng, 4);
        if (b >= a) b++;
        double x = rng_uniform(&rng) * 2.0 - 1.0;
        double eta = strength[a] - strength[b] + .5 + .9 * x; /* order .5, term .9 */
        double first = exp(.5 * eta), second = exp(-.5 * eta), tie = exp(-.4);
        double u = rng_uniform(&rng) * (first + second + tie);
        int outcome = u < first ? 1 : u < first + second ? -1 : 0;
        rows[i] = (stats_bt_row){a, b, outcome, (uint64_t)(i / 4)};
        terms[i] = x;
    }
}

static void test_planted(void **state) {
    (void)state;
    enum { N = 20000 };
    static stats_bt_row rows[N];
    static double terms[N];
    drawn_rows(rows, terms, N, 5);
    stats_bt_options o = {
        .n_models = 5, .order_term = true, .n_terms = 1, .terms = terms};
    stats_bt fit = fit_of(rows, N, o);
    static const double truth[5] = {.8, .3, 0, -.3, -.8};
    for (int m = 0; m < 5; m++) {
        assert_near(fit.strength[m], truth[m], 4.0 * fit.se[m]);
        assert_true(fit.se[m] > .01 && fit.se[m] < .05);
    }
    assert_near(fit.order, .5, 4.0 * fit.order_se);
    assert_near(fit.term[0], .9, 4.0 * fit.term_se[0]);
    assert_near(fit.log_tie, -.4, 4.0 * fit.log_tie_se);
    /* leaving the order term out is worse by what it explains */
    o.order_term = false;
    stats_bt without = fit_of(rows, N, o);
    assert_true(fit.log_likelihood > without.log_likelihood + 100.0);
    assert_true(isnan(without.order) && isnan(without.order_se));
}

/* Repeating every question r times must not shrink the standard errors. */
static void test_clustering(void **state) {
    (void)state;
    enum { N = 400, TIMES = 5 };
    static stats_bt_row once[N], often[N * TIMES];
    static double terms[N];
    drawn_rows(once, terms, N, 6);
    for (int i = 0; i < N; i++) {
        once[i].cluster = (uint64_t)i;
        for (int r = 0; r < TIMES; r++)
            often[i * TIMES + r] = once[i];
    }
    stats_bt_options o = {.n_models = 5, .order_term = true};
    stats_bt a = fit_of(once, N, o), b = fit_of(often, N * TIMES, o);
    for (int m = 0; m < 5; m++) {
        assert_near(a.strength[m], b.strength[m], 1e-9);
        assert_near(a.se[m], b.se[m], 1e-9);
    }
}

static void test_separated(void **state) {
    (void)state;
    /* x never loses, but ties: the graph is connected, the estimate not finite */
    stats_bt_row rows[8] = {{0, 1, 1, 0}, {0, 1, 1, 1}, {1, 0, -1, 2},
                            {0, 1, 0, 3}, {1, 0, 0, 4}, {0, 0, 0, 0}};
    stats_bt fit = fit_of(rows, 5, (stats_bt_options){.n_models = 2});
    assert_int_equal(fit.why, STATS_REASON_NONE);
    assert_true(fit.penalised[0] && fit.all_penalised);
    assert_true(fit.undefeated[0] && fit.winless[1]);
    assert_true(fit.strength[0] > 0.0 && isfinite(fit.se[0]) && isfinite(fit.log_tie));
    /* half ties are finite there */
    stats_bt_options half = {.n_models = 2, .ties = STATS_BT_HALF};
    fit = fit_of(rows, 5, half);
    assert_false(fit.penalised[0]);
    assert_near(fit.strength[0] - fit.strength[1], log(4.0), 1e-9);

    /* nothing but ties */
    fit = fit_of(rows + 3, 2, (stats_bt_options){.n_models = 2});
    assert_true(fit.all_penalised && isfinite(fit.log_tie) && fit.log_tie > 0.0);
    assert_near(fit.strength[0], 0.0, 1e-9);
    assert_false(fit.undefeated[0] || fit.winless[0]);

    /* the order cannot be told from the models: one of them is always first */
    stats_bt_row one_sided[4] = {
        {0, 1, 1, 0}, {0, 1, -1, 1}, {0, 1, 1, 2}, {0, 1, 1, 3}};
    stats_bt_options o = {.n_models = 2, .order_term = true};
    fit = fit_of(one_sided, 4, o);
    assert_true(fit.all_penalised && isfinite(fit.order) && isfinite(fit.order_se));
}

static void test_edges(void **state) {
    (void)state;
    stats_bt fit;
    eh_error err = {0};
    stats_bt_row rows[3] = {{0, 1, 1, 7}, {1, 0, 1, 7}, {0, 1, 1, 7}};
    stats_bt_options o = {.n_models = 3};
    /* no rows */
    fit = fit_of(rows, 0, o);
    assert_int_equal(fit.why, STATS_REASON_NO_ROWS);
    assert_true(isnan(fit.strength[0]) && fit.component[0] == -1);
    assert_int_equal(stats_bt_difference(&fit, 0, 1, .95).why, STATS_REASON_NO_ROWS);
    /* one question: estimates, no errors; a model without rows has neither */
    fit = fit_of(rows, 3, o);
    assert_int_equal(fit.why, STATS_REASON_TOO_FEW_QUESTIONS);
    assert_near(fit.strength[0] - fit.strength[1], log(2.0), 1e-9);
    assert_true(isnan(fit.se[0]) && isnan(fit.strength[2]) && fit.component[2] == -1);
    stats_interval d = stats_bt_difference(&fit, 0, 1, .95);
    assert_int_equal(d.why, STATS_REASON_TOO_FEW_QUESTIONS);
    assert_true(!isnan(d.value) && isnan(d.low));
    assert_int_equal(stats_bt_difference(&fit, 0, 2, .95).why,
                     STATS_REASON_DISCONNECTED);
    assert_int_equal(stats_bt_difference(&fit, 0, 3, .95).why,
                     STATS_REASON_OUT_OF_RANGE);
    /* bad rows */
    static const stats_bt_row bad[4] = {
        {0, 0, 1, 0}, {0, 3, 1, 0}, {-1, 0, 1, 0}, {0, 1, 2, 0}};
    static const char *const says[4] = {
        "comparison 0: a model with itself", "comparison 0: no such model",
        "comparison 0: no such model", "comparison 0: no such outcome"};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(stats_bt_fit(&bad[i], 1, &o, &arena, &fit, &err),
                         EH_STATUS_DATA);
        assert_string_equal(err.msg, says[i]);
    }
    o.n_models = 0;
    assert_int_equal(stats_bt_fit(rows, 3, &o, &arena, &fit, &err), EH_STATUS_USAGE);
    assert_string_equal(
        err.msg, "ranking: 0 models and 0 terms; 1 to 1000 and 0 to 8 are possible");
}

static void test_out_of_memory(void **state) {
    (void)state;
    enum { N = 60 };
    static stats_bt_row rows[N];
    golden_rows(rows, N, false);
    stats_bt_options o = {.n_models = 4, .order_term = true};
    size_t max_bytes = 0;
    eh_status status = EH_STATUS_NOMEM;
    for (; status == EH_STATUS_NOMEM; max_bytes += 64) {
        eh_arena small;
        stats_bt fit;
        arena_init(&small, max_bytes);
        status = stats_bt_fit(rows, N, &o, &small, &fit, NULL);
        arena_deinit(&small);
    }
    assert_int_equal(status, EH_STATUS_OK);
    assert_true(max_bytes > 1000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_cases, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_golden, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_planted, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_clustering, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_separated, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_edges, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_out_of_memory, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
