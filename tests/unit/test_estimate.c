/* SPDX-License-Identifier: MIT
 *
 * Estimates of the people's win rate: strata by hand and by law, which estimate is
 * defined for which queue, early ends, skipped pairs, rulings by people, and the curve
 * over budgets.
 */
#include "tally/estimate.h"
#include "tally/guarantee.h"

#include "ledger/queue.h"
#include "ledger_make.h"
#include "run/queue.h"
#include "stats/special.h"

enum { N = 200 };

static void near_to(double value, double expected, double limit) {
    if (!(fabs(value - expected) <= limit))
        fail_msg("%.17g is not %.17g", value, expected);
}

/* ---- strata ---- */

/* Two strata of 10 and 30 pairs, 5 and 6 labels: worked out by hand. */
static void test_strata_by_hand(void **state) {
    (void)state;
    static const double high[] = {1, 1, 0, .5, 1}, low[] = {0, 0, 1, 0, .5, 0};
    double label[40], doubt[40];
    for (int i = 0; i < 40; i++) {
        doubt[i] = i < 10 ? .6 : 0;
        label[i] = i < 5 ? high[i] : i >= 10 && i < 16 ? low[i - 10] : (double)NAN;
    }
    /* means .7 and .25; s^2 = .2 and .175 */
    double estimate = .25 * .7 + .75 * .25;
    double variance = .0625 * .2 * (1. / 5 - 1. / 10) +
                      .5625 * .175 * (1. / 6 - 1. / 30) +
                      (.25 * .2 + .75 * .175 + .25 * (.7 - estimate) * (.7 - estimate) +
                       .75 * (.25 - estimate) * (.25 - estimate)) /
                          40;
    stats_human h = stats_human_stratified(
        &(stats_human_data){.n = 40, .label = label, .doubt = doubt}, false, .95);
    near_to(h.interval.value, estimate, 1e-14);
    near_to(h.se, sqrt(variance), 1e-14);
    near_to(h.interval.high, estimate + stats_t_two_sided(.95, 9) * sqrt(variance),
            1e-12);
    assert_int_equal(h.n_labels, 11);
    for (int i = 0; i < 40; i++)
        label[i] = 1 - label[i];
    stats_human mirrored = stats_human_stratified(
        &(stats_human_data){.n = 40, .label = label, .doubt = doubt}, false, .95);
    near_to(mirrored.interval.value, 1 - h.interval.value, 1e-14);
    near_to(mirrored.se, h.se, 1e-14);
    label[0] = (double)NAN; /* four in a stratum */
    h = stats_human_stratified(
        &(stats_human_data){.n = 40, .label = label, .doubt = doubt}, false, .95);
    assert_int_equal(h.interval.why, STATS_REASON_TOO_FEW_QUESTIONS);
    h = stats_human_stratified(
        &(stats_human_data){.n = 40, .label = label, .doubt = doubt}, true,
        .95); /* one stratum */
    assert_int_equal(h.interval.why, STATS_REASON_NONE);
    near_to(h.interval.value, .6, 1e-14); /* six of ten, mirrored above */
    assert_int_equal(
        stats_human_stratified(
            &(stats_human_data){.n = 0, .label = label, .doubt = doubt}, true, .95)
            .interval.why,
        STATS_REASON_NO_ROWS);
    label[1] = 2;
    assert_int_equal(
        stats_human_stratified(
            &(stats_human_data){.n = 40, .label = label, .doubt = doubt}, true, .95)
            .interval.why,
        STATS_REASON_OUT_OF_RANGE);
}

/* 2,000 seeds under both ways of drawing; people differ by stratum. */
static void test_strata_cover(void **state) {
    (void)state;
    enum { SEEDS = 2000 };
    static const double mean[] = {.5, .6, .8};
    int n_random = 0, n_active = 0;
    double doubt[N], label[N], p[N];
    double truth = (mean[0] + mean[1] + mean[2]) / 3;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        double part[N];
        for (int i = 0; i < N; i++) {
            eh_rng r = rng_make(seed, "test.strata", (uint64_t)i);
            int h = (int)rng_below(&r, 3);
            doubt[i] = (double)(2 - h) * .5 + .1;
            label[i] = rng_uniform(&r) < mean[h] ? 1 : 0;
            part[i] = rng_uniform(&r) < .4 ? label[i] : (double)NAN;
        }
        stats_interval i1 =
            stats_human_stratified(
                &(stats_human_data){.n = N, .label = part, .doubt = doubt}, true, .95)
                .interval;
        n_random += i1.low <= truth && truth <= i1.high;
        stats_active_probabilities(doubt, N, 90, p);
        for (int i = 0; i < N; i++)
            part[i] =
                stats_active_selected(seed, (uint64_t)i, p[i]) ? label[i] : (double)NAN;
        stats_interval i2 =
            stats_human_stratified(
                &(stats_human_data){.n = N, .label = part, .doubt = doubt}, false, .95)
                .interval;
        n_active += i2.low <= truth && truth <= i2.high;
    }
    print_message("  covered of %d: random %d, by doubt %d\n", SEEDS, n_random,
                  n_active);
    assert_true(n_random > .935 * SEEDS && n_random < .968 * SEEDS);
    assert_true(n_active > .935 * SEEDS && n_active < .968 * SEEDS);
}

/* ---- from a ledger ---- */

typedef struct site {
    ledger *l;
    tally_view view;
    eh_arena arena;
    char ids[N][8];
    eh_verdict says[N]; /* what people would say */
    int64_t rows[N];
    report_estimates e;
} site;

static void site_open(site *s) {
    static char questions[N][8];
    static dataset_pair pairs[N];
    *s = (site){.l = ledger_made()};
    arena_init(&s->arena, 64 << 20);
    for (int i = 0; i < N; i++) {
        (void)snprintf(s->ids[i], sizeof s->ids[i], "p%d", i);
        (void)snprintf(questions[i], sizeof questions[i], "Q%d", i);
        pairs[i] = pair_of(s->ids[i], questions[i], "one", "two");
    }
    stage_all(s->l, pairs, N);
    int64_t judge = judge_made(s->l, "j");
    int64_t run = run_made(s->l, judge, "bpc", 1, PLAN_ORDERS_BOTH);
    for (int i = 0; i < N; i++) {
        eh_rng r = rng_make(1, "test.site", (uint64_t)i);
        s->rows[i] = row_of(s->l, s->ids[i]);
        s->says[i] = (eh_verdict)(1 + rng_below(&r, 3));
        bool sure = rng_below(&r, 2);
        double better = s->says[i] == EH_VERDICT_2 ? -1 : 1;
        (void)put(s->l, judge, s->ids[i], scores_of(EH_ORDER_12, 0, 5 + better, 5));
        (void)put(s->l, judge, s->ids[i],
                  scores_of(EH_ORDER_21, 0, sure ? 5 + better : 5 - better, 5));
    }
    tally_view *views;
    size_t n;
    eh_error err;
    assert_ok(tally_views(s->l, EH_STR(""), &s->arena, &views, &n, &err), err);
    assert_int_equal(views[0].run.row, run);
    s->view = views[0];
}

static void site_close(site *s) {
    arena_deinit(&s->arena);
    ledger_unmade(s->l);
}

static void queue(site *s, plan_selection how, const char *budget) {
    run_queue_counts counts;
    eh_error err;
    run_queue_options o = {.selection = how,
                           .budget = eh_str_of(budget),
                           .seed = 1,
                           .clock = clock_made()};
    assert_ok(run_queue_make(s->l, &o, &counts, &err), err);
}

typedef struct labeller {
    site *s;
    int64_t rows[N];
    int n, stop_after;
} labeller;

static eh_status note_item(void *self, const ledger_item *item, eh_error *err) {
    labeller *w = self;
    (void)err;
    if (item->selected && w->n < w->stop_after) w->rows[w->n++] = item->pair_row;
    return EH_STATUS_OK;
}

/* Labels up to `stop_after` selected pairs. */
static int label_selected(site *s, int stop_after) {
    labeller w = {.s = s, .stop_after = stop_after};
    eh_error err;
    assert_ok(ledger_items_each(s->l, note_item, &w, &err), err);
    for (int k = 0; k < w.n; k++)
        for (int i = 0; i < N; i++)
            if (s->rows[i] == w.rows[k]) label(s->l, s->ids[i], "ann", s->says[i]);
    return w.n;
}

static const report_estimates *estimate(site *s) {
    eh_error err;
    const tally_estimate_options options = {.judge_name = EH_STR("j"),
                                            .half_width = .1,
                                            .label_nusd = -1,
                                            .judge_nusd = -1};
    assert_ok(tally_estimate(s->l, &s->view, &options, &s->arena, &s->e, &err), err);
    return &s->e;
}

static double truth_of(const site *s) {
    double sum = 0;
    for (int i = 0; i < N; i++)
        sum += s->says[i] == EH_VERDICT_1 ? 1 : s->says[i] == EH_VERDICT_2 ? 0 : .5;
    return sum / N;
}

static void test_entropy_has_no_interval(void **state) {
    (void)state;
    site *s = test_calloc(1, sizeof *s);
    site_open(s);
    queue(s, PLAN_SELECTION_ENTROPY, "20%");
    assert_int_equal(label_selected(s, N), 40);
    const report_estimates *e = estimate(s);
    assert_int_equal(e->quote, REPORT_ESTIMATE_N);
    assert_true(isnan(e->of[REPORT_ESTIMATE_HITLC].low));
    assert_true(!isnan(e->of[REPORT_ESTIMATE_HITLC].value));
    assert_true(isnan(e->of[REPORT_ESTIMATE_PEOPLE].low));
    assert_string_equal(e->of[REPORT_ESTIMATE_ACTIVE].why, "not_drawn_so");
    assert_true(isnan(e->of[REPORT_ESTIMATE_STRATIFIED].value));
    assert_false(e->has_curve);
    site_close(s);
    test_free(s);
}

static void test_random_and_early_end(void **state) {
    (void)state;
    site *s = test_calloc(1, sizeof *s);
    site_open(s);
    queue(s, PLAN_SELECTION_RANDOM, "50%");
    for (int stop = 60; stop <= 100; stop += 40) {
        int n = label_selected(s, stop);
        const report_estimates *e = estimate(s);
        const report_estimate *r = &e->of[REPORT_ESTIMATE_RANDOM];
        assert_int_equal(e->quote, REPORT_ESTIMATE_RANDOM);
        assert_int_equal(r->n_labels, n);
        assert_true(r->low < truth_of(s) && truth_of(s) < r->high);
        assert_true(r->lambda > 0 && r->lambda <= 1);
        assert_null(e->of[REPORT_ESTIMATE_STRATIFIED].why);
        assert_true(e->labels_alone > n); /* the judge is of use */
        assert_true(e->labels_wished > 0);
        assert_int_equal(e->n_missing, 0);
    }
    site_close(s);
    test_free(s);
}

static void test_active_scales_chances(void **state) {
    (void)state;
    site *s = test_calloc(1, sizeof *s);
    site_open(s);
    queue(s, PLAN_SELECTION_ACTIVE, "100");
    int n_all = label_selected(s, 70);
    assert_int_equal(n_all, 70);
    const report_estimates *e = estimate(s);
    assert_int_equal(e->quote, REPORT_ESTIMATE_ACTIVE);
    const report_estimate *a = &e->of[REPORT_ESTIMATE_ACTIVE];
    assert_true(a->low < truth_of(s) && truth_of(s) < a->high);
    assert_true(e->n_selected > e->n_selected_labelled);
    assert_true(fabs(e->of[REPORT_ESTIMATE_PEOPLE].value - truth_of(s)) < .15);
    site_close(s);
    test_free(s);
}

/* A label that nobody asked for is not part of the sample. */
static void test_other_labels_do_not_count(void **state) {
    (void)state;
    site *s = test_calloc(1, sizeof *s);
    site_open(s);
    queue(s, PLAN_SELECTION_RANDOM, "60");
    (void)label_selected(s, N);
    double before = estimate(s)->of[REPORT_ESTIMATE_RANDOM].value;
    int n = 0;
    for (int i = 0; i < N && n < 30; i++) {
        int64_t counts[4];
        eh_error err;
        assert_ok(ledger_label_counts(s->l, s->rows[i], counts, &err), err);
        if (counts[1] + counts[2] + counts[3]) continue;
        label(s->l, s->ids[i], "bob", EH_VERDICT_1);
        n++;
    }
    assert_true(estimate(s)->of[REPORT_ESTIMATE_RANDOM].value == before);
    assert_int_equal(s->e.n_rest_labelled, 30);
    site_close(s);
    test_free(s);
}

static void test_skipped_is_marked(void **state) {
    (void)state;
    site *s = test_calloc(1, sizeof *s);
    eh_error err;
    int64_t ann, row;
    site_open(s);
    queue(s, PLAN_SELECTION_RANDOM, "60");
    labeller w = {.s = s, .stop_after = 2};
    assert_ok(ledger_items_each(s->l, note_item, &w, &err), err);
    assert_ok(ledger_annotator_put(s->l, EH_STR("ann"), NULL, 1, &ann, &err), err);
    ledger_assignment a = {.id = "0123",
                           .pair_row = w.rows[0],
                           .annotator_row = ann,
                           .state = LEDGER_SKIPPED};
    assert_ok(ledger_assignment_put(s->l, &a, &row, &err), err);
    a = (ledger_assignment){.id = "4567",
                            .pair_row = w.rows[1],
                            .annotator_row = ann,
                            .state = LEDGER_ASSIGNED};
    assert_ok(ledger_assignment_put(s->l, &a, &row, &err), err);
    assert_int_equal(estimate(s)->n_missing, 1); /* the open one may still come */
    site_close(s);
    test_free(s);
}

static void test_all_labelled_has_a_curve(void **state) {
    (void)state;
    site *s = test_calloc(1, sizeof *s);
    site_open(s);
    for (int i = 0; i < N; i++)
        label(s->l, s->ids[i], "ann", s->says[i]);
    const report_estimates *e = estimate(s);
    assert_int_equal(e->quote, REPORT_ESTIMATE_PEOPLE);
    near_to(e->of[REPORT_ESTIMATE_PEOPLE].value, truth_of(s), 1e-12);
    near_to(e->of[REPORT_ESTIMATE_HITLC].value, truth_of(s), 1e-12);
    assert_true(e->has_curve);
    for (int i = 0; i < REPORT_BUDGETS; i++) {
        const report_budget *b = &e->curve[i];
        assert_int_equal(b->n_people, 2 * i);
        near_to(b->random, e->accuracy + (1 - e->accuracy) * i / 100, 1e-12);
        assert_true(b->entropy <= 1 && b->entropy >= e->accuracy);
        assert_true(b->active >= e->accuracy - 1e-12 && b->active <= 1 + 1e-12);
    }
    near_to(e->curve[0].entropy, e->accuracy, 0);
    near_to(e->curve[100].entropy, 1, 0);
    near_to(e->curve[100].active, 1, 1e-12);
    site_close(s);
    test_free(s);
}

/* ---- which rulings may stand ---- */

static report_guarantee guarantee(site *s, double alpha, bool labels_random) {
    report_guarantee g;
    eh_error err;
    const tally_guarantee_options options = {.judge_name = EH_STR("j"),
                                             .alpha = alpha,
                                             .delta = .05,
                                             .labels_random = labels_random};
    assert_ok(tally_guarantee(s->l, &s->view, &options, &s->arena, &g, &err), err);
    return g;
}

/* The judge is right on about two thirds of the pairs on which its orders agree, and on
 * one third of the others, which it calls ties. */
static void test_guarantee(void **state) {
    (void)state;
    site *s = test_calloc(1, sizeof *s);
    site_open(s);
    queue(s, PLAN_SELECTION_RANDOM, "75%");
    assert_int_equal(guarantee(s, .1, false).refusal, REPORT_REFUSAL_NO_LABELS);
    (void)label_selected(s, 40);
    report_guarantee g = guarantee(s, .1, false);
    assert_int_equal(g.least, 58);
    assert_int_equal(g.refusal, REPORT_REFUSAL_TOO_FEW);
    (void)label_selected(s, N);
    int64_t n_sure = 0;
    for (int i = 0; i < N; i++) {
        tally_ruled ruled;
        eh_error err;
        assert_ok(tally_rule_pair(s->l, &s->view, s->rows[i], &ruled, &err), err);
        n_sure += ruled.ruling.bpde == 0;
    }
    g = guarantee(s, .1, false);
    assert_int_equal(g.refusal, REPORT_REFUSAL_NOT);
    assert_int_equal(g.n_sample, 150);
    /* fewer than half are sure: that half takes in all others, which are equals */
    assert_true(n_sure < N / 2);
    assert_false(g.is_found);
    assert_int_equal(g.n_first, 150);
    g = guarantee(s, .7, false); /* three of ten are shown */
    assert_true(g.is_found);
    assert_int_equal(g.n_stand, N);
    near_to(g.coverage, 1, 0);
    assert_true(g.low >= .3 && g.agreement > g.low);
    plan_queue_entry none = {0, false, (double)NAN, (double)NAN};
    assert_false(report_guarantee_stands(&g, &none));
    assert_true(report_guarantee_stands(&g, &g.threshold) == false);
    plan_queue_entry equal = g.threshold;
    equal.index = 0;
    assert_true(report_guarantee_stands(&g, &equal));
    equal.bpde += .1;
    assert_false(report_guarantee_stands(&g, &equal));
    site_close(s);
    test_free(s);
}

/* A sample that was not drawn at random is refused, whatever it would show. */
static void test_guarantee_refuses(void **state) {
    (void)state;
    site *s = test_calloc(1, sizeof *s);
    site_open(s);
    for (int i = 0; i < 150; i++)
        label(s->l, s->ids[i], "ann", s->says[i]);
    assert_int_equal(guarantee(s, .6, false).refusal, REPORT_REFUSAL_ORIGIN_UNKNOWN);
    assert_int_equal(guarantee(s, .6, true).refusal, REPORT_REFUSAL_NOT);
    assert_true(guarantee(s, .7, true).is_found);
    queue(s, PLAN_SELECTION_ENTROPY, "75%");
    assert_int_equal(guarantee(s, .6, true).refusal, REPORT_REFUSAL_NOT_RANDOM);
    for (int i = 150; i < N; i++)
        label(s->l, s->ids[i], "ann", s->says[i]);
    assert_true(guarantee(s, .6, false).is_census);
    assert_true(guarantee(s, .7, false).is_found);
    site_close(s);
    test_free(s);
}

static void test_guarantee_wants_one_a_question(void **state) {
    (void)state;
    site s = {.l = ledger_made()};
    static char questions[80][8];
    static dataset_pair pairs[80];
    tally_view *views;
    size_t n;
    eh_error err;
    arena_init(&s.arena, 1 << 20);
    for (int i = 0; i < 80; i++) {
        (void)snprintf(s.ids[i], sizeof s.ids[i], "p%d", i);
        (void)snprintf(questions[i], sizeof questions[i], "Q%d", i ? i : 1);
        pairs[i] = pair_of(s.ids[i], questions[i], s.ids[i], "two");
    }
    stage_all(s.l, pairs, 80);
    int64_t judge = judge_made(s.l, "j");
    (void)run_made(s.l, judge, "bpc", 1, PLAN_ORDERS_BOTH);
    for (int i = 0; i < 80; i++) {
        (void)put(s.l, judge, s.ids[i], scores_of(EH_ORDER_12, 0, 8, 5));
        (void)put(s.l, judge, s.ids[i], scores_of(EH_ORDER_21, 0, 8, 5));
        label(s.l, s.ids[i], "ann", EH_VERDICT_1);
    }
    assert_ok(tally_views(s.l, EH_STR(""), &s.arena, &views, &n, &err), err);
    s.view = views[0];
    report_guarantee g = guarantee(&s, .1, false);
    assert_int_equal(g.refusal, REPORT_REFUSAL_SHARED_QUESTIONS);
    assert_int_equal(g.n_shared, 2);
    site_close(&s);
}

/* Who leaves pairs out cannot raise the agreement. */
static void test_guarantee_counts_left_pairs(void **state) {
    (void)state;
    site *s = test_calloc(1, sizeof *s);
    eh_error err;
    int64_t ann, row;
    site_open(s);
    queue(s, PLAN_SELECTION_RANDOM, "100");
    labeller w = {.s = s, .stop_after = N};
    assert_ok(ledger_items_each(s->l, note_item, &w, &err), err);
    assert_ok(ledger_annotator_put(s->l, EH_STR("ann"), NULL, 1, &ann, &err), err);
    (void)label_selected(s, 80);
    report_guarantee before = guarantee(s, .75, false);
    for (int i = 80; i < 100; i++) {
        ledger_assignment a = {
            .pair_row = w.rows[i], .annotator_row = ann, .state = LEDGER_SKIPPED};
        (void)snprintf(a.id, sizeof a.id, "skip-%d", i);
        assert_ok(ledger_assignment_put(s->l, &a, &row, &err), err);
    }
    report_guarantee g = guarantee(s, .75, false);
    assert_int_equal(g.n_sample, 100);
    assert_int_equal(g.n_left, 20);
    assert_true(before.is_found && before.coverage == 1);
    near_to(g.is_found ? g.agreement : g.first_agreement, before.agreement * .8, 1e-12);
    site_close(s);
    test_free(s);
}

/* Labels that came otherwise are no part of a random draw. */
static void test_people_alone_are_the_drawn(void **state) {
    (void)state;
    site *s = test_calloc(1, sizeof *s);
    site_open(s);
    queue(s, PLAN_SELECTION_RANDOM, "60");
    (void)label_selected(s, N);
    report_estimate before = estimate(s)->of[REPORT_ESTIMATE_PEOPLE];
    assert_true(s->e.has_curve);
    assert_int_equal(s->e.n_curve, 60);
    report_budget half = s->e.curve[50];
    for (int i = 0; i < N; i += 3) {
        int64_t counts[4];
        eh_error err;
        assert_ok(ledger_label_counts(s->l, s->rows[i], counts, &err), err);
        if (counts[1] + counts[2] + counts[3] == 0)
            label(s->l, s->ids[i], "bob", EH_VERDICT_1);
    }
    const report_estimate *after = &estimate(s)->of[REPORT_ESTIMATE_PEOPLE];
    near_to(after->value, before.value, 0);
    near_to(after->low, before.low, 0);
    assert_int_equal(after->n_labels, 60);
    near_to(s->e.curve[50].entropy, half.entropy, 0);
    site_close(s);
    test_free(s);
}

/* Before the first label: as many as a judge of no use would take. */
static void test_plan_without_labels(void **state) {
    (void)state;
    site *s = test_calloc(1, sizeof *s);
    site_open(s);
    const report_estimates *e = estimate(s);
    double squares = 0, mean = e->of[REPORT_ESTIMATE_JUDGE].value;
    for (int i = 0; i < N; i++) {
        tally_ruled r;
        eh_error err;
        assert_ok(tally_rule_pair(s->l, &s->view, s->rows[i], &r, &err), err);
        double f = r.ruling.verdict == EH_VERDICT_1   ? 1
                   : r.ruling.verdict == EH_VERDICT_2 ? 0
                                                      : .5;
        squares += (f - mean) * (f - mean);
    }
    double se = .1 / 1.959963984540054;
    near_to(e->labels_wished, ceil(squares / N / (se * se)), 0);
    assert_true(isnan(e->labels_alone));
    assert_int_equal(e->quote, REPORT_ESTIMATE_N);
    site_close(s);
    test_free(s);
}

/* hitlc: people where there are labels, the judge elsewhere, and what is said of it. */
static void test_hitlc_rulings(void **state) {
    (void)state;
    site *s = test_calloc(1, sizeof *s);
    tally_view *views;
    tally_ruled ruled, plain;
    size_t n;
    eh_error err;
    site_open(s);
    label(s->l, "p0", "ann", EH_VERDICT_TIE);
    label(s->l, "p0", "bob", EH_VERDICT_TIE);
    label(s->l, "p0", "cy", EH_VERDICT_1);
    assert_ok(tally_views(s->l, EH_STR("hitlc"), &s->arena, &views, &n, &err), err);
    assert_int_equal(n, 1);
    assert_string_equal(tally_view_method(&views[0]), "hitlc");
    assert_ok(tally_rule_pair(s->l, &views[0], s->rows[0], &ruled, &err), err);
    assert_true(ruled.by_people);
    assert_int_equal(ruled.ruling.verdict, EH_VERDICT_TIE);
    for (int i = 1; i < 20; i++) {
        assert_ok(tally_rule_pair(s->l, &views[0], s->rows[i], &ruled, &err), err);
        assert_ok(tally_rule_pair(s->l, &s->view, s->rows[i], &plain, &err), err);
        assert_false(ruled.by_people);
        assert_int_equal(ruled.ruling.verdict, plain.ruling.verdict);
    }
    report_summary summary;
    assert_ok(tally_summarize(s->l, EH_STR("hitlc"), &s->arena, &summary, &err), err);
    assert_true(!isnan(summary.judges[0].win_rate.value));
    assert_true(isnan(summary.judges[0].win_rate.low));
    assert_string_equal(summary.judges[0].win_rate.why, "some_pairs_unlabelled");
    eh_buf text;
    buf_init(&text, BUF_MAX_SMALL);
    report_summary_text(&summary, &text);
    report_summary_json(&summary, &text);
    assert_false(text.failed);
    assert_holds(buf_view(&text), "hitlc");
    assert_int_equal(count_of(buf_view(&text), EH_STR("nan")), 0);
    buf_deinit(&text);
    site_close(s);
    test_free(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_strata_by_hand),
        cmocka_unit_test(test_strata_cover),
        cmocka_unit_test(test_entropy_has_no_interval),
        cmocka_unit_test(test_random_and_early_end),
        cmocka_unit_test(test_active_scales_chances),
        cmocka_unit_test(test_other_labels_do_not_count),
        cmocka_unit_test(test_skipped_is_marked),
        cmocka_unit_test(test_all_labelled_has_a_curve),
        cmocka_unit_test(test_guarantee),
        cmocka_unit_test(test_guarantee_refuses),
        cmocka_unit_test(test_guarantee_wants_one_a_question),
        cmocka_unit_test(test_guarantee_counts_left_pairs),
        cmocka_unit_test(test_people_alone_are_the_drawn),
        cmocka_unit_test(test_plan_without_labels),
        cmocka_unit_test(test_hitlc_rulings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
