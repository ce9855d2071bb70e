/* SPDX-License-Identifier: MIT
 *
 * portia as a plan: its options in words and back, which stage is asked when, which
 * stage rules, and why there is no ruling.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tally/summarize_portia.h"

static plan_spec portia(const char *parts, const char *stages, bool always) {
    plan_wish wish = {.method = EH_STR("portia"),
                      .parts = eh_str_of(parts),
                      .stages = eh_str_of(stages),
                      .always = always};
    plan_spec spec;
    eh_error err;
    if (plan_make(&wish, &spec, &err) != EH_STATUS_OK) fail_msg("%s", err.msg);
    return spec;
}

static plan_sample said(const plan_spec *spec, int stage, eh_order order,
                        eh_verdict verdict) {
    return (plan_sample){.stage_code = plan_stage_code(spec, stage),
                         .order = order,
                         .verdict = verdict,
                         .reason = verdict == EH_VERDICT_NONE ? VERDICT_REASON_REFUSAL
                                                              : VERDICT_REASON_NONE};
}

/* Samples from a line such as "0:12 1:11": stage, then what order 12 and order 21 say
 * (1, 2, t for a tie, x for no verdict, c for a prompt that did not fit, - for not
 * asked). */
static size_t read_line(const plan_spec *spec, const char *line, plan_sample *samples) {
    static const char letters[] = "x12tc";
    static const eh_verdict verdicts[] = {EH_VERDICT_NONE, EH_VERDICT_1, EH_VERDICT_2,
                                          EH_VERDICT_TIE, EH_VERDICT_NONE};
    size_t n = 0;
    for (const char *at = line; *at; at += at[4] ? 5 : 4)
        for (int o = 0; o < EH_ORDER_N; o++) {
            const char *letter = strchr(letters, at[2 + o]);
            if (!letter) continue;
            samples[n] =
                said(spec, at[0] - '0', (eh_order)o, verdicts[letter - letters]);
            if (*letter == 'c') samples[n].reason = VERDICT_REASON_CONTEXT_LENGTH;
            n++;
        }
    return n;
}

static void test_options(void **state) {
    (void)state;
    static const struct {
        const char *parts, *stages;
        bool always;
        const char *text;
        int n_calls;
    } cases[] = {
        {"", "", false, "parts=3", 2},
        {"auto", "0,1,2", false, "parts=auto", 2},
        {"32", "2,0", true, "parts=32,stages=0+2,always", 4},
        {"2", " 0, 1", false, "parts=2,stages=0+1", 2},
        {"4", "0", true, "parts=4,stages=0,always", 2},
        {"3", "", true, "parts=3,always", 6},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        plan_spec s = portia(cases[i].parts, cases[i].stages, cases[i].always), back;
        char text[PLAN_OPTIONS_CHARS];
        plan_options_text(&s, text);
        assert_string_equal(text, cases[i].text);
        assert_int_equal(plan_calls_per_pair(&s), cases[i].n_calls);
        assert_int_equal(
            plan_restore(EH_STR("portia"), s.k, s.orders, eh_str_of(text), &back, NULL),
            EH_STATUS_OK);
        assert_int_equal(back.stages, s.stages);
        assert_int_equal(back.n_parts, s.n_parts);
        assert_int_equal(back.always, s.always);
    }
}

static void test_wrong_options(void **state) {
    (void)state;
    static const plan_wish wishes[] = {
        {.method = EH_STR("portia"), .stages = EH_STR("1,2")},
        {.method = EH_STR("portia"), .stages = EH_STR("0,3")},
        {.method = EH_STR("portia"), .stages = EH_STR("0,0")},
        {.method = EH_STR("portia"), .stages = EH_STR("0,")},
        {.method = EH_STR("portia"), .stages = EH_STR("all")},
        {.method = EH_STR("portia"), .parts = EH_STR("1")},
        {.method = EH_STR("portia"), .parts = EH_STR("33")},
        {.method = EH_STR("portia"), .k = 2},
        {.method = EH_STR("portia"), .order = EH_STR("12")},
        {.method = EH_STR("bpc"), .stages = EH_STR("0")},
        {.method = EH_STR("bpc"), .always = true},
    };
    static const char *const texts[] = {"", "parts=x", "stages=0+1+3", "parts=3,never",
                                        "stages=1"};
    for (size_t i = 0; i < sizeof wishes / sizeof wishes[0]; i++) {
        plan_spec s;
        assert_int_equal(plan_make(&wishes[i], &s, NULL), EH_STATUS_USAGE);
    }
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        plan_spec s;
        assert_int_equal(
            plan_restore(EH_STR("portia"), 1, 3, eh_str_of(texts[i]), &s, NULL),
            EH_STATUS_LEDGER);
    }
}

/* What is asked next, as "stage:orders", and what the ruling is by then. */
static void test_stages(void **state) {
    (void)state;
    static const struct {
        const char *stages;
        bool always;
        const char *line;
        const char *next; /* "" = finished */
        eh_verdict verdict;
        plan_none_kind none;
        int stage;
    } cases[] = {
        {"", false, "", "0:12 0:21", EH_VERDICT_NONE, PLAN_NONE_UNASKED, -1},
        {"", false, "0:1-", "0:21", EH_VERDICT_NONE, PLAN_NONE_UNASKED, -1},
        {"", false, "0:11", "", EH_VERDICT_1, PLAN_NONE_NOT, 0},
        {"", false, "0:tt", "", EH_VERDICT_TIE, PLAN_NONE_NOT, 0},
        {"", false, "0:12", "1:12 1:21", EH_VERDICT_NONE, PLAN_NONE_UNASKED, -1},
        {"", false, "0:1t", "1:12 1:21", EH_VERDICT_NONE, PLAN_NONE_UNASKED, -1},
        {"", false, "0:xx", "1:12 1:21", EH_VERDICT_NONE, PLAN_NONE_UNASKED, -1},
        {"", false, "0:12 1:22", "", EH_VERDICT_2, PLAN_NONE_NOT, 1},
        {"", false, "0:12 1:-2", "1:12", EH_VERDICT_NONE, PLAN_NONE_UNASKED, -1},
        {"", false, "0:12 1:12", "2:12 2:21", EH_VERDICT_NONE, PLAN_NONE_UNASKED, -1},
        {"", false, "0:12 1:xx 2:tt", "", EH_VERDICT_TIE, PLAN_NONE_NOT, 2},
        {"", false, "0:12 1:12 2:21", "", EH_VERDICT_NONE, PLAN_NONE_INCONSISTENT, -1},
        {"", false, "0:12 1:xx 2:xx", "", EH_VERDICT_NONE, PLAN_NONE_INCONSISTENT, -1},
        {"", false, "0:1x 1:xx 2:xx", "", EH_VERDICT_NONE, PLAN_NONE_ORDER_FAILED, -1},
        {"", false, "0:xx 1:xx 2:xx", "", EH_VERDICT_NONE, PLAN_NONE_ORDERS_FAILED, -1},
        {"0,2", false, "0:12", "2:12 2:21", EH_VERDICT_NONE, PLAN_NONE_UNASKED, -1},
        {"0,2", false, "0:12 1:11 2:22", "", EH_VERDICT_2, PLAN_NONE_NOT, 2},
        {"0,1", false, "0:12 1:12 2:22", "", EH_VERDICT_NONE, PLAN_NONE_INCONSISTENT,
         -1},
        {"0", false, "0:12", "", EH_VERDICT_NONE, PLAN_NONE_INCONSISTENT, -1},
        {"", true, "0:11", "1:12 1:21 2:12 2:21", EH_VERDICT_1, PLAN_NONE_NOT, 0},
        {"0,2", true, "0:11", "2:12 2:21", EH_VERDICT_1, PLAN_NONE_NOT, 0},
        /* what did not fit is not tried any longer */
        {"", false, "0:cc", "", EH_VERDICT_NONE, PLAN_NONE_ORDERS_FAILED, -1},
        {"", false, "0:1c", "", EH_VERDICT_NONE, PLAN_NONE_ORDER_FAILED, -1},
        {"", false, "0:c-", "0:21", EH_VERDICT_NONE, PLAN_NONE_UNASKED, -1},
        {"", false, "0:12 1:cc", "", EH_VERDICT_NONE, PLAN_NONE_INCONSISTENT, -1},
        {"", false, "0:cc 1:11", "", EH_VERDICT_NONE, PLAN_NONE_ORDERS_FAILED, -1},
        {"", true, "0:cc", "1:12 1:21 2:12 2:21", EH_VERDICT_NONE, PLAN_NONE_UNASKED,
         -1},
        {"", true, "0:cc 1:11 2:12", "", EH_VERDICT_1, PLAN_NONE_NOT, 1},
        /* older answers of stages that are not wanted any more */
        {"", false, "0:11 1:22 2:12", "", EH_VERDICT_1, PLAN_NONE_NOT, 0},
        {"", true, "0:11 1:22 2:12", "", EH_VERDICT_1, PLAN_NONE_NOT, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        plan_spec s = portia("3", cases[i].stages, cases[i].always);
        plan_sample samples[8];
        plan_ask asks[PLAN_MAX_ASKS];
        plan_ruling r;
        char next[64] = "";
        size_t n = read_line(&s, cases[i].line, samples), used = 0;
        size_t n_asks = plan_next(&s, samples, n, asks);
        for (size_t a = 0; a < n_asks; a++) {
            assert_int_equal(asks[a].n_samples, 1);
            used += (size_t)snprintf(next + used, sizeof next - used, "%s%d:%s",
                                     a ? " " : "", asks[a].stage,
                                     eh_order_name(asks[a].order));
        }
        assert_string_equal(next, cases[i].next);
        plan_rule(&s, PLAN_SCALE_VOTES, samples, n, &r);
        assert_int_equal(r.verdict, cases[i].verdict);
        assert_int_equal(r.none, cases[i].none);
        assert_int_equal(r.stage, cases[i].stage);
        assert_int_equal(r.tie_agreed, cases[i].verdict == EH_VERDICT_TIE);
        if (r.stage < 0)
            assert_true(isnan(r.vote));
        else
            assert_true(r.vote == eh_verdict_vote(cases[i].verdict));
    }
}

/* Samples of a run with other parts are not this plan's. */
static void test_other_parts(void **state) {
    (void)state;
    plan_spec three = portia("3", "", false), four = portia("4", "", false);
    plan_spec is_auto = portia("auto", "", false),
              no_length = portia("3", "0,2", false);
    plan_sample samples[4];
    plan_ask asks[PLAN_MAX_ASKS];
    plan_ruling r;
    assert_int_equal(read_line(&four, "0:12 1:11", samples), 4);
    assert_int_equal(plan_next(&three, samples, 4, asks), 2);
    assert_int_equal(asks[0].stage, 1);
    assert_int_equal(plan_next(&is_auto, samples, 4, asks), 2);
    assert_int_equal(plan_next(&four, samples, 4, asks), 0);
    plan_rule(&three, PLAN_SCALE_VOTES, samples, 4, &r);
    assert_int_equal(r.none, PLAN_NONE_UNASKED);
    plan_rule(&four, PLAN_SCALE_VOTES, samples, 4, &r);
    assert_int_equal(r.verdict, EH_VERDICT_1);
    for (int stage = 0; stage < PLAN_MAX_STAGES; stage++) {
        int code = plan_stage_code(&three, stage);
        assert_int_equal(plan_stage_of(&three, code), stage);
        assert_int_equal(plan_stage_of(&four, code), stage ? -1 : 0);
        assert_int_equal(plan_stage_of(&no_length, code), stage == 1 ? -1 : stage);
    }
}

/* What else decides how answers are cut is part of the plan, in words and in codes. */
static void test_similarity_and_context(void **state) {
    (void)state;
    static const struct {
        const char *parts, *embedder;
        int64_t context;
        const char *text;
        bool other[PLAN_MAX_STAGES]; /* than the plan without */
    } cases[] = {
        {"3", "openai:m", 0, "parts=3,similarity=embed:openai:m", {false, false, true}},
        {"auto",
         "openai:m@h:1/v1,h:2/v1",
         0,
         "parts=auto,similarity=embed:openai:m@h:1/v1,h:2/v1",
         {false, true, true}},
        {"3", "", 8192, "parts=3,context=8192", {false, true, true}},
        {"4",
         "openai:x,always",
         512,
         "parts=4,context=512,similarity=embed:openai:x,always",
         {false, true, true}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        plan_wish wish = {.method = EH_STR("portia"),
                          .parts = eh_str_of(cases[i].parts),
                          .embedder = eh_str_of(cases[i].embedder),
                          .context_tokens = cases[i].context};
        plan_spec s, back, plain = portia(cases[i].parts, "", false);
        char text[PLAN_OPTIONS_CHARS];
        assert_int_equal(plan_make(&wish, &s, NULL), EH_STATUS_OK);
        plan_options_text(&s, text);
        assert_string_equal(text, cases[i].text);
        assert_int_equal(
            plan_restore(EH_STR("portia"), s.k, s.orders, eh_str_of(text), &back, NULL),
            EH_STATUS_OK);
        assert_true(eh_str_eq(back.embedder, s.embedder));
        assert_int_equal(back.context_tokens, cases[i].context);
        assert_false(back.always);
        for (int stage = 0; stage < PLAN_MAX_STAGES; stage++) {
            int code = plan_stage_code(&s, stage);
            assert_int_equal(code, plan_stage_code(&back, stage));
            assert_int_equal(code != plan_stage_code(&plain, stage),
                             cases[i].other[stage]);
            assert_int_equal(plan_stage_of(&s, code), stage);
            if (stage) assert_true(code > plan_stage_code(&s, stage - 1));
        }
    }
    plan_spec s;
    plan_wish bpc = {.method = EH_STR("bpc"), .embedder = EH_STR("openai:m")};
    assert_int_equal(plan_make(&bpc, &s, NULL), EH_STATUS_USAGE);
    bpc = (plan_wish){.method = EH_STR("bpc"), .context_tokens = 9};
    assert_int_equal(plan_make(&bpc, &s, NULL), EH_STATUS_USAGE);
}

/* With a known context the plain pair comes first, since its tokens tell what fits. */
static void test_context_waits(void **state) {
    (void)state;
    plan_wish wish = {
        .method = EH_STR("portia"), .always = true, .context_tokens = 4096};
    plan_spec s;
    plan_sample samples[2];
    plan_ask asks[PLAN_MAX_ASKS];
    assert_int_equal(plan_make(&wish, &s, NULL), EH_STATUS_OK);
    assert_int_equal(plan_next(&s, NULL, 0, asks), 2);
    assert_int_equal(asks[1].stage, 0);
    assert_int_equal(read_line(&s, "0:11", samples), 2);
    assert_int_equal(plan_next(&s, samples, 2, asks), 4);
}

/* The example of docs/methods.md, section 10. */
static void test_numbers(void **state) {
    (void)state;
    static const char *const lines[] = {"0:11 1:11 2:11", "0:12 1:22 2:12",
                                        "0:12 1:12 2:tt", "0:11 1:12 2:22",
                                        "0:12 1:12 2:1x"};
    tally_view view = {.plan = portia("3", "", true)};
    report_portia p = {0};
    eh_arena arena;
    arena_init(&arena, 1 << 20);
    for (int64_t i = 0; i < 5; i++) {
        ledger_pair pair = {
            .category = EH_STR("one"), .answer_1_cp = 300 * i, .answer_2_cp = 700 * i};
        tally_ruled ruled;
        ruled.n_samples = read_line(&view.plan, lines[i], ruled.samples);
        plan_rule(&view.plan, PLAN_SCALE_VOTES, ruled.samples, ruled.n_samples,
                  &ruled.ruling);
        assert_int_equal(
            tally_portia_add(&p, &view, &pair, &ruled, EH_VERDICT_1, &arena, NULL),
            EH_STATUS_OK);
    }
    assert_int_equal(p.n_pairs, 5);
    assert_int_equal(p.agree_plain, 2);
    assert_int_equal(p.agree_final, 4);
    assert_int_equal(p.n_plain_right, 2);
    assert_int_equal(p.n_final_right, 2);
    static const int64_t want[PLAN_MAX_STAGES][6] = {
        {5, 2, 0, 0, 0, 2}, {5, 2, 1, 1, 0, 1}, {5, 3, 1, 0, 1, 1}};
    for (int s = 0; s < PLAN_MAX_STAGES; s++) {
        const report_portia_stage *st = &p.stage[s];
        const int64_t got[6] = {st->asked,  st->agree,   st->mended,
                                st->broken, st->changed, st->ruled};
        assert_memory_equal(got, want[s], sizeof got);
    }
    assert_int_equal(p.stage[2].failed[VERDICT_REASON_REFUSAL], 1);
    assert_int_equal(p.n_always, 5);
    assert_int_equal(p.whole.agree, 4);
    assert_int_equal(p.without_length.agree, 3);
    assert_int_equal(p.without_semantic.agree, 3);
    assert_int_equal(p.without_plain.agree, 4);
    assert_int_equal(p.without_semantic.n_right, 2);
    assert_int_equal(p.n_needed, 30);
    /* lengths 0, 1000, ..., 4000 in bins of 800; gaps 0, 400, ..., 1600 in bins of 400
     */
    static const int64_t totals[] = {1, 1, 1, 1, 0, 1}, differ[] = {0, 1, 1, 0, 0, 1};
    static const int64_t gaps[] = {0, 1, 1, 0, 1}, fixed[] = {0, 1, 1, 0, 0};
    assert_memory_equal(p.total_pairs, totals, sizeof totals);
    assert_memory_equal(p.total_differ, differ, sizeof differ);
    assert_memory_equal(p.gap_pairs, gaps, sizeof gaps);
    assert_memory_equal(p.gap_fixed, fixed, sizeof fixed);
    assert_int_equal(p.n_categories, 1);
    assert_int_equal(p.category[0].n_failed, 1);
    arena_deinit(&arena);
}

/* More categories than the table has rows share one. */
static void test_many_categories(void **state) {
    (void)state;
    tally_view view = {.plan = portia("3", "", false)};
    report_portia p = {0};
    eh_arena arena;
    arena_init(&arena, 1 << 20);
    for (int i = 0; i < 2 * (REPORT_MAX_CATEGORIES + 6); i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "c%d", i / 2);
        ledger_pair pair = {.category = eh_str_of(name)};
        tally_ruled ruled;
        ruled.n_samples = read_line(&view.plan, i % 2 ? "0:11" : "0:12", ruled.samples);
        plan_rule(&view.plan, PLAN_SCALE_VOTES, ruled.samples, ruled.n_samples,
                  &ruled.ruling);
        assert_int_equal(
            tally_portia_add(&p, &view, &pair, &ruled, EH_VERDICT_NONE, &arena, NULL),
            EH_STATUS_OK);
    }
    assert_int_equal(p.n_categories, REPORT_MAX_CATEGORIES);
    assert_int_equal(p.category[REPORT_MAX_CATEGORIES - 1].n_pairs, 2);
    assert_int_equal(p.other.n_pairs, 12);
    assert_int_equal(p.other.agree_plain, 6);
    assert_int_equal(p.n_needed, 2 * p.n_pairs);
    arena_deinit(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_options),
        cmocka_unit_test(test_wrong_options),
        cmocka_unit_test(test_stages),
        cmocka_unit_test(test_other_parts),
        cmocka_unit_test(test_similarity_and_context),
        cmocka_unit_test(test_context_waits),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_many_categories),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
