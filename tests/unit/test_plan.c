/* SPDX-License-Identifier: MIT
 *
 * Methods and rulings: what each method asks for, what it refuses, and how samples
 * become a ruling, on own cases, on the shared calibration case and under the mirror
 * law. (portia: test_portia.c.)
 */
#include "plan_make.h"
#include "stats_shared.h"

#define RULE(spec, scale, samples, ruling)                                             \
    plan_rule(&(spec), PLAN_SCALE_##scale, (samples),                                  \
              sizeof(samples) / sizeof(samples)[0], &(ruling))

/* ---- methods ---- */

static void test_method_table(void **state) {
    (void)state;
    static const struct {
        const char *name;
        unsigned orders;
        int k, calls;
        bool evidence_first, single_order;
        double temperature;
    } table[] = {
        {"vanilla", 1, 1, 1, false, true, 0}, {"ec", 1, 1, 1, true, true, 0},
        {"mec", 1, 3, 3, true, true, 1},      {"bpc", 3, 1, 2, true, false, 0},
        {"mec+bpc", 3, 3, 6, true, false, 1}, {"standalone", 3, 1, 2, true, false, 0},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        plan_spec s = plan_of(table[i].name, 0, NULL);
        assert_string_equal(plan_method_name(s.method), table[i].name);
        assert_ptr_equal(plan_method_find(eh_str_of(table[i].name)), s.method);
        assert_holds(eh_str_of(plan_method_names()), table[i].name);
        assert_int_equal(s.orders, table[i].orders);
        assert_int_equal(s.k, table[i].k);
        assert_int_equal(plan_calls_per_pair(&s), table[i].calls);
        assert_int_equal(plan_evidence_first(&s), table[i].evidence_first);
        assert_int_equal(plan_is_single_order(&s), table[i].single_order);
        assert_true(s.temperature == table[i].temperature);
        assert_false(s.temperature_given);
    }
    assert_null(plan_method_find(EH_STR("MEC")));
    assert_string_equal(plan_method_name(plan_of(NULL, 0, NULL).method), "mec+bpc");
}

static void test_wishes(void **state) {
    (void)state;
    plan_spec s;
    plan_wish given = {
        .method = EH_STR("mec"), .k = 64, .temperature_given = true, .temperature = 0};
    assert_int_equal(plan_make(&given, &s, NULL), EH_STATUS_OK);
    assert_int_equal(s.k, 64);
    assert_true(s.temperature_given && s.temperature == 0);
    assert_int_equal(plan_of("mec", 1, NULL).k, 1);
    assert_true(plan_of("mec", 1, NULL).temperature == 0);
    assert_int_equal(plan_of("vanilla", 0, "21").orders, PLAN_ORDER_BIT(EH_ORDER_21));
    assert_int_equal(plan_of("vanilla", 0, "12").orders, PLAN_ORDER_BIT(EH_ORDER_12));
    assert_int_equal(plan_of("vanilla", 0, "both").orders, PLAN_ORDERS_BOTH);
    assert_int_equal(plan_of("mec", 2, "both").orders, PLAN_ORDERS_BOTH);
    assert_int_equal(plan_calls_per_pair(&(plan_spec){.k = 5, .orders = 2}), 5);
    assert_int_equal(plan_of("bpc", 0, "both").orders, PLAN_ORDERS_BOTH);
}

static void test_contradictions(void **state) {
    (void)state;
    static const struct {
        plan_wish wish;
        const char *part;
    } cases[] = {
        {{.method = EH_STR("portia2")}, "unknown method 'portia2'"},
        {{.method = EH_STR("mec+")}, "mec+bpc"}, /* names those there are */
        {{.method = EH_STR("vanilla"), .k = 2}, "takes one sample"},
        {{.method = EH_STR("bpc"), .k = 3}, "use mec or mec+bpc"},
        {{.k = -1}, "'-1' is not a whole number from 1 to 64"},
        {{.k = 65}, "'65' is not a whole number from 1 to 64"},
        {{.order = EH_STR("1")}, "--order: '1' is not one of 12, 21, both"},
        {{.method = EH_STR("vanilla"), .order = EH_STR("Both")}, "Both"},
        {{.method = EH_STR("bpc"), .order = EH_STR("12")}, "needs both orders"},
        {{.order = EH_STR("21")}, "needs both orders"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        plan_spec s;
        eh_error err;
        assert_fails(plan_make(&cases[i].wish, &s, &err), EH_STATUS_USAGE, err,
                     cases[i].part);
    }
}

static void test_restore(void **state) {
    (void)state;
    plan_spec s;
    eh_error err;
    assert_ok(plan_restore(EH_STR("mec"), 4, 2, EH_STR(""), &s, &err), err);
    assert_string_equal(plan_method_name(s.method), "mec");
    assert_int_equal(s.k, 4);
    assert_int_equal(s.orders, 2);
    static const struct {
        const char *method;
        int k;
        unsigned orders;
    } bad[] = {{"later", 1, 1}, {"mec", 0, 1}, {"mec", 65, 1},
               {"mec", 1, 0},   {"mec", 1, 4}, {"", 1, 1}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_fails(
            plan_restore(eh_str_of(bad[i].method), bad[i].k, bad[i].orders, EH_STR(""),
                         &s, &err),
            EH_STATUS_LEDGER, err,
            "the ledger names a plan that this version does not know: method '");
}

/* ---- what is wanted next ---- */

static void test_next_from_nothing(void **state) {
    (void)state;
    plan_ask asks[PLAN_MAX_ASKS];
    plan_spec s = plan_of("mec+bpc", 2, NULL);
    assert_int_equal(plan_next(&s, NULL, 0, asks), 2);
    for (int o = 0; o < 2; o++) {
        assert_int_equal(asks[o].order, o);
        assert_int_equal(asks[o].n_samples, 2);
        assert_int_equal(asks[o].samples[0], 0);
        assert_int_equal(asks[o].samples[1], 1);
    }
    s = plan_of("vanilla", 0, "21");
    assert_int_equal(plan_next(&s, NULL, 0, asks), 1);
    assert_int_equal(asks[0].order, EH_ORDER_21);
}

static void test_next_fills_holes(void **state) {
    (void)state;
    plan_ask asks[PLAN_MAX_ASKS];
    plan_spec s = plan_of("mec+bpc", 3, NULL);
    const plan_sample some[] = {
        vote_of(EH_ORDER_12, 2, EH_VERDICT_1),
        vote_of(EH_ORDER_21, 0, EH_VERDICT_2),
        vote_of(EH_ORDER_21, 1, EH_VERDICT_NONE), /* failed is final */
        vote_of(EH_ORDER_21, 2, EH_VERDICT_TIE),
        vote_of(EH_ORDER_12, 63, EH_VERDICT_1),
        vote_of(EH_ORDER_12, 64, EH_VERDICT_1),
        vote_of(EH_ORDER_12, -1, EH_VERDICT_1)};
    assert_int_equal(plan_next(&s, some, 7, asks), 1);
    assert_int_equal(asks[0].order, EH_ORDER_12);
    assert_int_equal(asks[0].n_samples, 2);
    assert_int_equal(asks[0].samples[0], 0);
    assert_int_equal(asks[0].samples[1], 1);
}

/* Giving the plan what it asked for, in any portions, ends after exactly the calls that
 * it announced. */
static void test_next_comes_to_an_end(void **state) {
    (void)state;
    for (uint64_t round = 0; round < 200; round++) {
        eh_rng r = rng_make(1, "test.plan.next", round);
        plan_spec s = plan_of("mec+bpc", 1 + (int)rng_below(&r, 64), NULL);
        plan_sample have[2 * PLAN_MAX_SAMPLES];
        plan_ask asks[PLAN_MAX_ASKS];
        size_t n = 0, n_asks;
        while ((n_asks = plan_next(&s, have, n, asks)) > 0) {
            const plan_ask *ask = &asks[rng_below(&r, n_asks)];
            size_t n_given = 1 + (size_t)rng_below(&r, (uint64_t)ask->n_samples);
            for (size_t i = 0; i < n_given; i++)
                have[n++] = sample_random(&r, PLAN_SCALE_VOTES, ask->order,
                                          ask->samples[(size_t)ask->n_samples - 1 - i]);
            assert_true(n <= 2 * PLAN_MAX_SAMPLES);
        }
        assert_int_equal(n, plan_calls_per_pair(&s));
    }
}

/* ---- rulings ---- */

static void test_orders_weigh_equally(void **state) {
    (void)state;
    plan_spec s = plan_of("mec+bpc", 3, NULL);
    plan_ruling r;
    /* by samples answer 1 leads 3 : 1, by orders it is 9 + 2 against 5 + 7 */
    const plan_sample samples[] = {
        scores_of(EH_ORDER_12, 0, 9, 5), scores_of(EH_ORDER_12, 1, 9, 5),
        scores_of(EH_ORDER_12, 2, 9, 5), scores_of(EH_ORDER_21, 0, 2, 7),
        vote_of(EH_ORDER_21, 1, EH_VERDICT_NONE)};
    RULE(s, SCORES, samples, r);
    assert_int_equal(r.verdict, EH_VERDICT_2);
    assert_int_equal(r.none, PLAN_NONE_NOT);
    assert_true(r.has_scores);
    assert_true(r.score_1 == 5.5 && r.score_2 == 6);
    assert_true(r.vote == 0); /* +1 and -1 */
    assert_int_equal(r.n_win, 3);
    assert_int_equal(r.n_lose, 1);
    assert_int_equal(r.n_samples, 5);
    assert_int_equal(r.n_failed, 1);
    assert_true(r.both_orders && r.conflict);
    assert_int_equal(r.by_order[EH_ORDER_12].n_valid, 3);
    assert_int_equal(r.by_order[EH_ORDER_21].n_failed, 1);
    assert_int_equal(r.by_order[EH_ORDER_21].verdict, EH_VERDICT_2);
}

static void test_ties(void **state) {
    (void)state;
    plan_spec s = plan_of("bpc", 0, NULL);
    plan_ruling r;
    const plan_sample agreed[] = {scores_of(EH_ORDER_12, 0, 7, 7),
                                  scores_of(EH_ORDER_21, 0, 4, 4)};
    RULE(s, SCORES, agreed, r);
    assert_int_equal(r.verdict, EH_VERDICT_TIE);
    assert_true(r.tie_agreed);
    assert_false(r.conflict);
    assert_true(r.bpde == 0);
    const plan_sample opposed[] = {scores_of(EH_ORDER_12, 0, 8, 5),
                                   scores_of(EH_ORDER_21, 0, 5, 8)};
    RULE(s, SCORES, opposed, r);
    assert_int_equal(r.verdict, EH_VERDICT_TIE);
    assert_false(r.tie_agreed);
    assert_true(r.conflict);
    assert_true(fabs(r.bpde - log(2)) < 1e-15);
    /* a tie and a win are a win, and a conflict */
    const plan_sample mixed[] = {vote_of(EH_ORDER_12, 0, EH_VERDICT_TIE),
                                 vote_of(EH_ORDER_21, 0, EH_VERDICT_2)};
    RULE(s, VOTES, mixed, r);
    assert_int_equal(r.verdict, EH_VERDICT_2);
    assert_true(r.conflict);
    assert_true(r.vote == -.5);
    /* the same order's samples cancel: the orders agree on a tie that nobody said */
    s = plan_of("mec+bpc", 2, NULL);
    const plan_sample cancel[] = {vote_of(EH_ORDER_12, 0, EH_VERDICT_1),
                                  vote_of(EH_ORDER_12, 1, EH_VERDICT_2),
                                  vote_of(EH_ORDER_21, 0, EH_VERDICT_TIE),
                                  vote_of(EH_ORDER_21, 1, EH_VERDICT_TIE)};
    RULE(s, VOTES, cancel, r);
    assert_int_equal(r.verdict, EH_VERDICT_TIE);
    assert_false(r.tie_agreed);
    assert_false(r.conflict);
}

/* Means that are equal in the reals and not in floating point are a tie. */
static void test_tolerance(void **state) {
    (void)state;
    plan_spec s = plan_of("mec+bpc", 3, NULL);
    plan_ruling r;
    const plan_sample thirds[] = {
        scores_of(EH_ORDER_12, 0, .1, .3), scores_of(EH_ORDER_12, 1, .2, .3),
        scores_of(EH_ORDER_12, 2, .6, .3), scores_of(EH_ORDER_21, 0, 1, 1)};
    RULE(s, SCORES, thirds, r);
    assert_int_equal(r.verdict, EH_VERDICT_TIE);
    s = plan_of("bpc", 0, NULL);
    const plan_sample near[] = {scores_of(EH_ORDER_12, 0, 5 + 1e-8, 5),
                                scores_of(EH_ORDER_21, 0, 5, 5)};
    RULE(s, SCORES, near, r);
    assert_int_equal(r.verdict, EH_VERDICT_1);
}

static void test_failed_orders(void **state) {
    (void)state;
    plan_spec s = plan_of("bpc", 0, NULL);
    plan_ruling r;
    const plan_sample one[] = {vote_of(EH_ORDER_12, 0, EH_VERDICT_1),
                               vote_of(EH_ORDER_21, 0, EH_VERDICT_NONE)};
    RULE(s, VOTES, one, r);
    assert_int_equal(r.verdict, EH_VERDICT_NONE);
    assert_string_equal(plan_none_name(r.none), "one_order_failed");
    assert_true(isnan(r.score_1) && isnan(r.score_2) && isnan(r.vote));
    assert_true(r.bpde == 0); /* of the one valid sample */
    assert_false(r.both_orders || r.conflict);
    const plan_sample both[] = {vote_of(EH_ORDER_12, 0, EH_VERDICT_NONE),
                                vote_of(EH_ORDER_21, 0, EH_VERDICT_NONE)};
    RULE(s, VOTES, both, r);
    assert_string_equal(plan_none_name(r.none), "both_orders_failed");
    assert_true(isnan(r.bpde));
    plan_rule(&s, PLAN_SCALE_VOTES, one, 1, &r);
    assert_string_equal(plan_none_name(r.none), "not_asked");
    plan_rule(&s, PLAN_SCALE_VOTES, both, 1, &r);
    assert_string_equal(plan_none_name(r.none), "not_asked");
    plan_rule(&s, PLAN_SCALE_VOTES, NULL, 0, &r);
    assert_string_equal(plan_none_name(r.none), "not_asked");
    assert_int_equal(r.n_samples, 0);
    assert_null(plan_none_name(PLAN_NONE_NOT));
    s = plan_of("vanilla", 0, NULL);
    plan_rule(&s, PLAN_SCALE_VOTES, both, 1, &r); /* its only order */
    assert_string_equal(plan_none_name(r.none), "order_failed");
}

static void test_one_order(void **state) {
    (void)state;
    plan_ruling r;
    const plan_sample samples[] = {scores_of(EH_ORDER_21, 0, 3, 8),
                                   scores_of(EH_ORDER_12, 0, 9, 8)};
    plan_spec s = plan_of("vanilla", 0, "21");
    RULE(s, SCORES, samples, r); /* the other order is none of its business */
    assert_int_equal(r.verdict, EH_VERDICT_2);
    assert_true(r.score_1 == 3 && r.score_2 == 8 && r.vote == -1);
    assert_int_equal(r.n_samples, 1);
    assert_false(r.both_orders);
    s = plan_of("vanilla", 0, "both");
    RULE(s, SCORES, samples, r);
    assert_int_equal(r.verdict, EH_VERDICT_NONE);
    assert_string_equal(plan_none_name(r.none), "orders_side_by_side");
    assert_true(r.vote == 0 && isnan(r.score_1));
    assert_true(r.both_orders && r.conflict);
    assert_int_equal(r.by_order[EH_ORDER_12].verdict, EH_VERDICT_1);
    assert_int_equal(r.by_order[EH_ORDER_21].verdict, EH_VERDICT_2);
}

static void test_ratings(void **state) {
    (void)state;
    plan_spec s = plan_of("mec+bpc", 2, NULL);
    plan_ruling r;
    /* as votes it is 2 : 2, by ratings answer 1 leads */
    const plan_sample samples[] = {
        rating_of(EH_ORDER_12, 0, 2), rating_of(EH_ORDER_12, 1, -1),
        rating_of(EH_ORDER_21, 0, 2), rating_of(EH_ORDER_21, 1, -1)};
    RULE(s, RATINGS, samples, r);
    assert_int_equal(r.verdict, EH_VERDICT_1);
    assert_true(r.score_1 == .5 && r.score_2 == 0 && r.vote == 0);
    assert_false(r.has_scores);
    RULE(s, VOTES, samples, r);
    assert_int_equal(r.verdict, EH_VERDICT_TIE);
}

/* A lone sample rules its order by what it says, also where a judge's verdict and its
 * recorded scores disagree. */
static void test_a_lone_sample_speaks_for_itself(void **state) {
    (void)state;
    plan_spec s = plan_of("bpc", 0, NULL);
    plan_ruling r;
    plan_sample odd = scores_of(EH_ORDER_12, 0, 5, 5);
    odd.verdict = EH_VERDICT_2; /* "equal scores, the second was better" */
    const plan_sample samples[] = {odd, scores_of(EH_ORDER_21, 0, 6, 5)};
    RULE(s, SCORES, samples, r);
    assert_int_equal(r.by_order[EH_ORDER_12].verdict, EH_VERDICT_2);
    assert_true(r.conflict);
    assert_int_equal(r.verdict, EH_VERDICT_1);
}

static void test_bpde(void **state) {
    (void)state;
    plan_spec s = plan_of("mec+bpc", 3, NULL);
    plan_ruling r;
    const plan_sample thirds[] = {vote_of(EH_ORDER_12, 0, EH_VERDICT_1),
                                  vote_of(EH_ORDER_12, 1, EH_VERDICT_1),
                                  vote_of(EH_ORDER_12, 2, EH_VERDICT_TIE),
                                  vote_of(EH_ORDER_21, 0, EH_VERDICT_TIE),
                                  vote_of(EH_ORDER_21, 1, EH_VERDICT_2),
                                  vote_of(EH_ORDER_21, 2, EH_VERDICT_2)};
    RULE(s, VOTES, thirds, r);
    assert_true(fabs(r.bpde - log(3)) < 1e-15);
    const plan_sample half[] = {
        vote_of(EH_ORDER_12, 0, EH_VERDICT_1), vote_of(EH_ORDER_12, 1, EH_VERDICT_1),
        vote_of(EH_ORDER_21, 0, EH_VERDICT_1), vote_of(EH_ORDER_21, 1, EH_VERDICT_TIE),
        vote_of(EH_ORDER_21, 2, EH_VERDICT_NONE)};
    RULE(s, VOTES, half, r);
    assert_true(fabs(r.bpde - (-.75 * log(.75) - .25 * log(.25))) < 1e-15);
}

static void test_scales(void **state) {
    (void)state;
    assert_int_equal(plan_scale_of(0, 0, 0), PLAN_SCALE_VOTES);
    assert_int_equal(plan_scale_of(5, 5, 0), PLAN_SCALE_SCORES);
    assert_int_equal(plan_scale_of(5, 0, 5), PLAN_SCALE_RATINGS);
    assert_int_equal(plan_scale_of(5, 4, 0), PLAN_SCALE_VOTES);
    assert_int_equal(plan_scale_of(5, 4, 1), PLAN_SCALE_VOTES);
    assert_int_equal(plan_scale_of(5, 5, 5), PLAN_SCALE_SCORES);
}

/* ---- laws ---- */

static bool same_number(double a, double b) {
    return (isnan(a) && isnan(b)) || fabs(a - b) < 1e-12;
}

static void assert_mirrored(const plan_ruling *a, const plan_ruling *b) {
    assert_int_equal(b->verdict, eh_verdict_mirror(a->verdict));
    assert_int_equal(b->none, a->none);
    assert_int_equal(b->tie_agreed, a->tie_agreed);
    assert_int_equal(b->n_win, a->n_lose);
    assert_int_equal(b->n_lose, a->n_win);
    assert_int_equal(b->n_tie, a->n_tie);
    assert_int_equal(b->conflict, a->conflict);
    assert_int_equal(b->both_orders, a->both_orders);
    assert_int_equal(b->n_samples, a->n_samples);
    assert_int_equal(b->n_failed, a->n_failed);
    assert_true(same_number(b->vote, -a->vote));
    assert_true(same_number(b->bpde, a->bpde));
    if (a->has_scores) {
        assert_true(same_number(b->score_1, a->score_2));
        assert_true(same_number(b->score_2, a->score_1));
    } else {
        assert_true(same_number(b->score_1, -a->score_1));
    }
    for (int o = 0; o < EH_ORDER_N; o++) {
        const plan_order_ruling *x = &a->by_order[o], *y = &b->by_order[!o];
        assert_int_equal(y->verdict, eh_verdict_mirror(x->verdict));
        assert_int_equal(y->n_valid, x->n_valid);
    }
}

static void shuffle(eh_rng *r, plan_sample *samples, size_t n) {
    for (size_t i = n; i > 1; i--) {
        size_t j = (size_t)rng_below(r, i);
        plan_sample keep = samples[i - 1];
        samples[i - 1] = samples[j];
        samples[j] = keep;
    }
}

static plan_spec random_plan(eh_rng *r, plan_spec *mirrored) {
    static const char *const orders[] = {"12", "21", "both"};
    uint64_t pick = rng_below(r, 5);
    int k = 1 + (int)rng_below(r, 5);
    if (pick < 2)
        return *mirrored = plan_of(pick ? "mec+bpc" : "bpc", pick ? k : 1, NULL);
    uint64_t order = rng_below(r, 3);
    *mirrored = plan_of("mec", k, orders[order == 2 ? 2 : 1 - order]);
    return plan_of("mec", k, orders[order]);
}

/* Exchanging the answers exchanges the ruling; the order of the samples, and samples
 * that the plan does not want, change nothing at all. */
static void test_mirror_and_arrival(void **state) {
    (void)state;
    for (uint64_t round = 0; round < 20000; round++) {
        eh_rng r = rng_make(2, "test.plan.mirror", round);
        plan_scale scale = (plan_scale)rng_below(&r, 3);
        plan_spec mirrored, s = random_plan(&r, &mirrored);
        plan_sample samples[2 * 9], mirror[2 * 9];
        plan_ruling plain, shuffled, turned;
        size_t n = 0;
        for (int o = 0; o < EH_ORDER_N; o++)
            for (int i = 0; i < 9; i++)
                if (rng_below(&r, 8))
                    samples[n++] = sample_random(&r, scale, (eh_order)o, i);
        for (size_t i = 0; i < n; i++)
            mirror[i] = sample_mirrored(samples[i]);
        plan_rule(&s, scale, samples, n, &plain);
        shuffle(&r, samples, n);
        plan_rule(&s, scale, samples, n, &shuffled);
        assert_memory_equal(&plain.verdict, &shuffled.verdict, sizeof plain.verdict);
        assert_true(memcmp(&plain.score_1, &shuffled.score_1, sizeof(double)) == 0);
        assert_true(memcmp(&plain.vote, &shuffled.vote, sizeof(double)) == 0);
        assert_true(memcmp(&plain.bpde, &shuffled.bpde, sizeof(double)) == 0);
        assert_int_equal(plain.none, shuffled.none);
        plan_rule(&mirrored, scale, mirror, n, &turned);
        assert_mirrored(&plain, &turned);
    }
}

/* ---- the shared calibration case ---- */

static size_t shared_samples(shared *s, const char *pair_id, plan_sample *samples) {
    size_t n = 0;
    eh_str text = shared_text(s, "cases/datasets/calibration.jsonl"), line;
    while (eh_str_split(&text, '\n', &line)) {
        if (eh_str_is_blank(line)) continue;
        const json_value *row = shared_json(s, line);
        if (!eh_str_eq_cstr(json_get_str(row, "pair_id"), pair_id)) continue;
        eh_order order = eh_str_eq_cstr(json_get_str(row, "order"), "21") ? EH_ORDER_21
                                                                          : EH_ORDER_12;
        int index = (int)shared_number(row, "sample");
        eh_verdict verdict = eh_verdict_parse(json_get_str(row, "verdict"));
        samples[n] = verdict ? scores_of(order, index, shared_number(row, "score_1"),
                                         shared_number(row, "score_2"))
                             : vote_of(order, index, EH_VERDICT_NONE);
        assert_int_equal(samples[n].verdict, verdict);
        n++;
    }
    return n;
}

static void check_order(const json_value *expect, const plan_order_ruling *o) {
    if (!expect) return;
    assert_true(fabs(o->score_1 - shared_number(expect, "1")) < 1e-9);
    assert_true(fabs(o->score_2 - shared_number(expect, "2")) < 1e-9);
    assert_int_equal(o->n_valid, (int)shared_number(expect, "n"));
}

static void check_calibrated(const json_value *expect, const plan_ruling *r) {
    assert_int_equal(r->verdict, eh_verdict_parse(json_get_str(expect, "verdict")));
    check_order(json_get(expect, "mec_12"), &r->by_order[EH_ORDER_12]);
    check_order(json_get(expect, "mec_21"), &r->by_order[EH_ORDER_21]);
    const json_value *bpc = json_get(expect, "bpc");
    if (bpc) {
        assert_true(fabs(r->score_1 - shared_number(bpc, "1")) < 1e-9);
        assert_true(fabs(r->score_2 - shared_number(bpc, "2")) < 1e-9);
        assert_int_equal(r->conflict, json_get(expect, "conflict")->boolean);
    } else {
        assert_text(json_get_str(expect, "reason"), plan_none_name(r->none));
    }
}

static void test_shared_calibration(void **state) {
    (void)state;
    if (!shared_is_there()) {
        print_message("skipped: no shared cases\n");
        skip();
    }
    shared s;
    shared_open(&s);
    eh_str text;
    assert_true(
        arena_copy(&s.arena, shared_text(&s, "cases/datasets/expect.json"), &text));
    const json_value *expect = json_get(shared_json(&s, text), "calibration");
    const json_value *pairs = json_get(expect, "pairs");
    assert_int_equal(pairs->n, 4);
    plan_spec spec = plan_of("mec+bpc", 3, NULL);
    double won = 0;
    int n_ruled = 0;
    for (const json_value *pair = pairs->child; pair; pair = pair->next) {
        plan_sample samples[6];
        char id[16];
        plan_ruling r;
        (void)snprintf(id, sizeof id, "%.*s", EH_STR_ARG(pair->key));
        size_t n = shared_samples(&s, id, samples);
        assert_true(n >= 2);
        plan_rule(&spec, PLAN_SCALE_SCORES, samples, n, &r);
        if (n == 2) { /* one sample an order: asked is all that was wanted */
            plan_spec one = plan_of("bpc", 1, NULL);
            plan_rule(&one, PLAN_SCALE_SCORES, samples, n, &r);
        }
        check_calibrated(pair, &r);
        n_ruled += r.verdict != EH_VERDICT_NONE;
        won += r.verdict == EH_VERDICT_1 ? 1 : r.verdict == EH_VERDICT_TIE ? .5 : 0;
    }
    assert_true(won / n_ruled == shared_number(expect, "win_rate_1"));
    shared_close(&s);
}

/* ---- standalone ---- */

static plan_sample alone_of(eh_order which, int sample, double score) {
    plan_sample s = vote_of(which, sample, EH_VERDICT_SCORED);
    s.stage_code = PLAN_STAGE_ALONE;
    s.has_scores = true;
    *(which == EH_ORDER_12 ? &s.score_1 : &s.score_2) = score;
    return s;
}

static void test_standalone(void **state) {
    (void)state;
    plan_spec spec = plan_of("standalone", 2, NULL);
    plan_ask asks[PLAN_MAX_ASKS];
    plan_ruling r;
    assert_true(plan_is_alone(&spec));
    assert_int_equal(plan_next(&spec, NULL, 0, asks), 2);
    /* answer 1: 8 and 6, answer 2: 7 and 5: means 7 and 6; of the four pairings three
     * are won and one is lost */
    const plan_sample four[] = {
        alone_of(EH_ORDER_12, 0, 8), alone_of(EH_ORDER_12, 1, 6),
        alone_of(EH_ORDER_21, 0, 7), alone_of(EH_ORDER_21, 1, 5)};
    RULE(spec, SCORES, four, r);
    assert_int_equal(plan_next(&spec, four, 4, asks), 0);
    assert_int_equal(plan_next(&spec, four, 3, asks), 1);
    assert_int_equal(r.verdict, EH_VERDICT_1);
    assert_true(r.score_1 == 7 && r.score_2 == 6 && r.has_scores);
    assert_true(r.vote == .5);
    assert_true(fabs(r.bpde - (.75 * log(1 / .75) + .25 * log(4))) < 1e-12);
    assert_int_equal(r.n_samples, 4);
    assert_false(r.both_orders || r.conflict || r.tie_agreed);

    const plan_sample even[] = {alone_of(EH_ORDER_12, 0, 8),
                                alone_of(EH_ORDER_12, 1, 6),
                                alone_of(EH_ORDER_21, 0, 7)};
    RULE(spec, SCORES, even, r);
    assert_int_equal(r.verdict, EH_VERDICT_TIE);
    assert_false(r.tie_agreed);
    const plan_sample same[] = {alone_of(EH_ORDER_12, 0, 8),
                                alone_of(EH_ORDER_21, 0, 8)};
    RULE(spec, SCORES, same, r);
    assert_true(r.tie_agreed && r.bpde == 0);
}

static void test_standalone_without_ruling(void **state) {
    (void)state;
    plan_spec spec = plan_of("standalone", 0, NULL);
    plan_ruling r;
    plan_sample failed[] = {alone_of(EH_ORDER_12, 0, 8), alone_of(EH_ORDER_21, 0, 0)};
    failed[1].verdict = EH_VERDICT_NONE;
    failed[1].reason = VERDICT_REASON_REFUSAL;
    RULE(spec, SCORES, failed, r);
    assert_int_equal(r.none, PLAN_NONE_ANSWER_FAILED);
    assert_string_equal(plan_none_name(r.none), "one_answer_failed");
    assert_int_equal(r.verdict, EH_VERDICT_NONE);
    assert_true(isnan(r.vote) && isnan(r.bpde) && isnan(r.score_1));
    failed[0].verdict = EH_VERDICT_NONE;
    RULE(spec, SCORES, failed, r);
    assert_int_equal(r.none, PLAN_NONE_ANSWERS_FAILED);
    plan_rule(&spec, PLAN_SCALE_SCORES, failed, 1, &r);
    assert_int_equal(r.none, PLAN_NONE_UNASKED);
}

/* Neither rules what the other asked, even if somebody tries. */
static void test_standalone_apart(void **state) {
    (void)state;
    plan_spec alone = plan_of("standalone", 0, NULL), pairs = plan_of("bpc", 0, NULL);
    plan_ruling r;
    const plan_sample scores[] = {alone_of(EH_ORDER_12, 0, 8),
                                  alone_of(EH_ORDER_21, 0, 2)};
    const plan_sample plain[] = {scores_of(EH_ORDER_12, 0, 8, 2),
                                 scores_of(EH_ORDER_21, 0, 8, 2)};
    RULE(pairs, SCORES, scores, r);
    assert_int_equal(r.none, PLAN_NONE_UNASKED);
    RULE(alone, SCORES, plain, r);
    assert_int_equal(r.none, PLAN_NONE_UNASKED);
    plan_wish wish = {.method = EH_STR("standalone"), .order = EH_STR("12")};
    eh_error err;
    assert_fails(plan_make(&wish, &alone, &err), EH_STATUS_USAGE, err, "has no order");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_method_table),
        cmocka_unit_test(test_standalone),
        cmocka_unit_test(test_standalone_without_ruling),
        cmocka_unit_test(test_standalone_apart),
        cmocka_unit_test(test_wishes),
        cmocka_unit_test(test_contradictions),
        cmocka_unit_test(test_restore),
        cmocka_unit_test(test_next_from_nothing),
        cmocka_unit_test(test_next_fills_holes),
        cmocka_unit_test(test_next_comes_to_an_end),
        cmocka_unit_test(test_orders_weigh_equally),
        cmocka_unit_test(test_ties),
        cmocka_unit_test(test_tolerance),
        cmocka_unit_test(test_failed_orders),
        cmocka_unit_test(test_one_order),
        cmocka_unit_test(test_ratings),
        cmocka_unit_test(test_a_lone_sample_speaks_for_itself),
        cmocka_unit_test(test_bpde),
        cmocka_unit_test(test_scales),
        cmocka_unit_test(test_mirror_and_arrival),
        cmocka_unit_test(test_shared_calibration),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
