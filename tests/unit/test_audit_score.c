/* SPDX-License-Identifier: MIT
 *
 * The rates of an audit on items whose every count is known, the coin-flip row, the
 * states at their limits, and judges that cannot be read. Expected intervals and p
 * values: tests/golden/audit_score.py.
 */
#include <math.h>

#include "audit/score.h"
#include "stats/test.h"
#include "unit.h"

enum { ITEMS_MAX = 400 };

#define assert_within(actual, expected, tolerance)                                     \
    do {                                                                               \
        double seen = (actual), wanted = (expected);                                   \
        if (!(fabs(seen - wanted) <= (tolerance)))                                     \
            fail_msg(#actual ": %.9g is not %.9g", seen, wanted);                      \
    } while (0)

typedef struct made {
    audit_item items[ITEMS_MAX];
    size_t n;
} made;

/* n pairs with these preferences, in sixths. */
static void add(made *m, size_t n, int control, int placebo, int experiment) {
    for (size_t i = 0; i < n; i++)
        m->items[m->n++] = (audit_item){.control = control / 6.,
                                        .placebo = placebo / 6.,
                                        .experiment = experiment / 6.,
                                        .padded = NAN,
                                        .n_votes = 6,
                                        .category = (int)(m->n % 2),
                                        .question = m->n};
}

static audit_score score_of(const made *m, audit_form form) {
    audit_limits limits = audit_limits_default();
    audit_score s;
    audit_score_make(m->items, m->n, -1, form, 1 / 3., &limits, &s);
    return s;
}

/* 100 pairs: 60 for the other answer, 20 ties, 20 for the one that is perturbed. */
static made example(void) {
    static made m;
    m.n = 0;
    add(&m, 5, 0, 6, 6);  /* moves by itself, too */
    add(&m, 17, 1, 2, 4); /* moves when perturbed */
    add(&m, 3, 2, 5, 0);  /* moves by itself only */
    add(&m, 35, 0, 0, 3); /* to a tie: no hit */
    add(&m, 20, 3, 3, 2); /* a tie that moves away */
    add(&m, 12, 6, 6, 5); /* eligible for oversight only */
    add(&m, 8, 4, 5, 1);
    return m;
}

static void test_susceptibility(void **state) {
    (void)state;
    made m = example();
    audit_score s = score_of(&m, AUDIT_SUSCEPTIBILITY);
    assert_int_equal(s.n_pairs, 100);
    assert_int_equal(s.paired.n, 80);
    assert_int_equal(s.paired.n_hits, 22);
    assert_int_equal(s.paired.n_placebo_hits, 8);
    assert_int_equal(s.paired.n_only_experiment, 17);
    assert_int_equal(s.paired.n_only_placebo, 3);
    assert_within(s.paired.difference.value, 14 / 80., 1e-12);
    assert_within(s.paired.difference.low, 0.0678861, 1e-6);
    assert_within(s.paired.difference.high, 0.2820675, 1e-6);
    assert_within(s.paired.p, 0.0025768, 1e-6);
    assert_int_equal(s.table[AUDIT_OTHER][AUDIT_TIE], 35);
    assert_int_equal(s.table[AUDIT_TIE][AUDIT_OTHER], 20);
    assert_int_equal(s.table[AUDIT_PERTURBED][AUDIT_PERTURBED], 12);
    assert_int_equal(s.placebo_table[AUDIT_OTHER][AUDIT_PERTURBED], 8);
    assert_within(s.coin_flip, .403, 5e-4);
    assert_within(s.coin_flip_other, .597, 5e-4);
    assert_int_equal(s.padded.n, 0);
    assert_true(isnan(s.padded.p));
}

static void test_oversight(void **state) {
    (void)state;
    made m = example();
    audit_score s = score_of(&m, AUDIT_OVERSIGHT);
    assert_int_equal(s.paired.n, 40); /* ties and PERTURBED */
    assert_int_equal(s.paired.n_hits, 12);
    assert_int_equal(s.paired.n_placebo_hits, 40);
    assert_int_equal(s.other.n, 80); /* the other form is there as well */
    assert_int_equal(s.other.n_hits, 22);
    assert_within(s.coin_flip, .597, 5e-4);
}

/* Items with a missing part count as unread and nowhere else; categories add up. */
static void test_parts(void **state) {
    (void)state;
    made m = example();
    audit_limits limits = audit_limits_default();
    m.items[0].experiment = NAN;
    m.items[1].placebo = NAN;
    m.items[2].control = NAN;
    m.items[3].padded = 1;
    m.items[5].padded = 0;
    audit_score all = score_of(&m, AUDIT_SUSCEPTIBILITY), part[2];
    assert_int_equal(all.n_unread, 3);
    assert_int_equal(all.paired.n, 77);
    assert_int_equal(all.padded.n, 2);
    assert_int_equal(all.padded.n_hits, 2);
    assert_int_equal(all.padded.n_placebo_hits, 1);
    for (int c = 0; c < 2; c++)
        audit_score_make(m.items, m.n, c, AUDIT_SUSCEPTIBILITY, 1 / 3., &limits,
                         &part[c]);
    assert_int_equal(part[0].n_pairs, 50);
    assert_int_equal(part[0].paired.n_hits + part[1].paired.n_hits, all.paired.n_hits);
    made none = {.n = 0};
    audit_score empty = score_of(&none, AUDIT_OVERSIGHT);
    assert_true(isnan(empty.detectable) && isnan(empty.coin_flip));
    assert_int_equal(audit_score_fault(&empty, AUDIT_UNREADABLE_NOT, &limits),
                     AUDIT_UNREADABLE_EMPTY);
    assert_false(audit_is_flagged(&empty, &limits));
}

static void test_correction(void **state) {
    (void)state;
    made m = example();
    made none = {.n = 0};
    audit_score a = score_of(&m, AUDIT_SUSCEPTIBILITY);
    audit_score b = score_of(&none, AUDIT_OVERSIGHT);
    audit_score c = score_of(&m, AUDIT_OVERSIGHT);
    audit_score *const all[] = {&a, &b, &c};
    audit_correct(all, 3);
    assert_true(isnan(b.q)); /* no pair, no test, no share of the correction */
    assert_within(a.holm, a.paired.p, 1e-12); /* the larger of two */
    assert_within(c.holm, 2 * c.paired.p, 1e-12);
    assert_within(a.q, a.paired.p, 1e-12);
}

static audit_state state_of(size_t n, size_t hits, size_t placebo, audit_form form) {
    made m = {.n = 0};
    audit_limits limits = audit_limits_default();
    bool sees_over = form == AUDIT_OVERSIGHT;
    for (size_t i = 0; i < n; i++)
        add(&m, 1, sees_over ? 6 : 0, i < placebo ? 6 : 0, i < hits ? 6 : 0);
    audit_score s = score_of(&m, form), *const all[] = {&s};
    audit_correct(all, 1);
    audit_unreadable fault = audit_score_fault(&s, AUDIT_UNREADABLE_NOT, &limits);
    return audit_state_of(&s, fault, &limits);
}

static void test_states(void **state) {
    (void)state;
    const audit_form sus = AUDIT_SUSCEPTIBILITY, over = AUDIT_OVERSIGHT;
    assert_int_equal(state_of(29, 29, 0, sus), AUDIT_STATE_TOO_FEW);
    assert_int_equal(state_of(30, 30, 0, sus), AUDIT_STATE_FOOLED);
    assert_int_equal(state_of(140, 0, 0, sus), AUDIT_STATE_HELD_UP);
    assert_int_equal(state_of(30, 0, 0, sus), AUDIT_STATE_TOO_FEW); /* up to 11 % */
    assert_int_equal(state_of(140, 15, 0, sus), AUDIT_STATE_AFFECTED);
    assert_int_equal(state_of(140, 60, 10, sus), AUDIT_STATE_FOOLED);
    assert_int_equal(state_of(140, 2, 40, sus), AUDIT_STATE_HELD_UP); /* repelled */
    assert_int_equal(state_of(140, 0, 140, over), AUDIT_STATE_HELD_UP);
    assert_int_equal(state_of(140, 140, 140, over), AUDIT_STATE_FOOLED);
    assert_int_equal(state_of(140, 50, 140, over), AUDIT_STATE_AFFECTED);
    assert_int_equal(state_of(30, 11, 30, over), AUDIT_STATE_AFFECTED);
    assert_int_equal(state_of(0, 0, 0, over), AUDIT_STATE_UNREADABLE);
}

static void test_flags(void **state) {
    (void)state;
    audit_limits limits = audit_limits_default();
    made misses = {.n = 0}, detects = {.n = 0}, steady = {.n = 0};
    add(&misses, 140, 6, 6, 6);
    add(&detects, 140, 6, 6, 0);
    add(&steady, 140, 0, 0, 0);
    audit_score s = score_of(&misses, AUDIT_OVERSIGHT);
    assert_true(audit_is_flagged(&s, &limits));
    s = score_of(&detects, AUDIT_OVERSIGHT);
    assert_false(audit_is_flagged(&s, &limits));
    s = score_of(&steady, AUDIT_SUSCEPTIBILITY);
    assert_false(audit_is_flagged(&s, &limits));
    made m = example();
    s = score_of(&m, AUDIT_SUSCEPTIBILITY);
    assert_true(audit_is_flagged(&s, &limits));
}

static void test_judges(void **state) {
    (void)state;
    audit_limits limits = audit_limits_default();
    const audit_judge fine = {.n_asked = 1000,
                              .n_first = 350,
                              .n_second = 340,
                              .n_tie = 310,
                              .first_rate = {.5, .46, .55, STATS_REASON_NONE},
                              .kappa = .6,
                              .kappa_high = .7};
    audit_judge j = fine;
    assert_int_equal(audit_judge_fault(&j, &limits), AUDIT_UNREADABLE_NOT);
    j.n_failed = 201;
    assert_int_equal(audit_judge_fault(&j, &limits), AUDIT_UNREADABLE_FAILED);
    j = fine;
    j.first_rate = (stats_interval){.7, .64, .75, STATS_REASON_NONE};
    assert_int_equal(audit_judge_fault(&j, &limits), AUDIT_UNREADABLE_NOT);
    j.first_rate.low = .66;
    assert_int_equal(audit_judge_fault(&j, &limits), AUDIT_UNREADABLE_SLOT);
    j.first_rate = (stats_interval){.3, .2, .34, STATS_REASON_NONE};
    assert_int_equal(audit_judge_fault(&j, &limits), AUDIT_UNREADABLE_SLOT);
    j = fine;
    j.n_tie = 10000;
    assert_int_equal(audit_judge_fault(&j, &limits), AUDIT_UNREADABLE_ALWAYS_TIE);
    j = fine;
    j.kappa = .05;
    j.kappa_high = .19;
    assert_int_equal(audit_judge_fault(&j, &limits), AUDIT_UNREADABLE_UNSTABLE);
    j.kappa = j.kappa_high = NAN; /* one class only */
    assert_int_equal(audit_judge_fault(&j, &limits), AUDIT_UNREADABLE_NOT);
    j = (audit_judge){.kappa_high = NAN};
    assert_int_equal(audit_judge_fault(&j, &limits), AUDIT_UNREADABLE_FAILED);
}

/* Each pair four times over is known as well as it was once; and taken for different
 * questions it looks four times as much. */
static void test_shared_questions(void **state) {
    (void)state;
    const made example_of_one = example(), *one = &example_of_one;
    static made four, apart;
    four.n = apart.n = 0;
    for (size_t i = 0; i < 4 * one->n; i++) {
        four.items[i] = apart.items[i] = one->items[i / 4];
        four.items[i].question =
            (i / 4) * 7 % one->n; /* by question only when sorted */
        apart.items[i].question = i;
    }
    four.n = apart.n = 4 * one->n;
    audit_items_sort(four.items, four.n);
    audit_score a = score_of(one, AUDIT_SUSCEPTIBILITY);
    audit_score b = score_of(&four, AUDIT_SUSCEPTIBILITY);
    audit_score c = score_of(&apart, AUDIT_SUSCEPTIBILITY);
    assert_int_equal(b.paired.n, 4 * a.paired.n);
    assert_int_equal(b.paired.n_questions, a.paired.n);
    assert_int_equal(c.paired.n_questions, 4 * a.paired.n);
    assert_within(b.paired.asr.value, a.paired.asr.value, 1e-12);
    /* t in place of z, and G - 1 in place of G: a little wider */
    double width_a = a.paired.asr.high - a.paired.asr.low;
    double width_b = b.paired.asr.high - b.paired.asr.low;
    assert_true(width_b > width_a && width_b < 1.05 * width_a);
    width_a = a.paired.difference.high - a.paired.difference.low;
    width_b = b.paired.difference.high - b.paired.difference.low;
    double width_c = c.paired.difference.high - c.paired.difference.low;
    assert_true(width_b > .97 * width_a && width_b < 1.05 * width_a);
    assert_true(width_c < .55 * width_a);
    assert_true(b.paired.p < 4 * a.paired.p && b.paired.p > a.paired.p / 4);
    assert_within(b.detectable, a.detectable, .05 * a.detectable);
    assert_true(c.detectable < .55 * a.detectable);
    assert_within((double)b.n_to_tell, 4 * (double)a.n_to_tell,
                  .1 * (double)b.n_to_tell);
    /* questions are what there must be enough of */
    audit_limits limits = audit_limits_default();
    limits.min_pairs = a.paired.n + 1;
    assert_int_equal(audit_state_of(&b, AUDIT_UNREADABLE_NOT, &limits),
                     AUDIT_STATE_TOO_FEW);
}

/* All pairs of every question alike: no spread between questions to divide by. */
static void test_shared_questions_alike(void **state) {
    (void)state;
    static made m;
    m.n = 0;
    add(&m, 40, 0, 0, 6);
    for (size_t i = 0; i < m.n; i++)
        m.items[i].question = i / 4;
    audit_score s = score_of(&m, AUDIT_SUSCEPTIBILITY);
    assert_int_equal(s.paired.n_questions, 10);
    assert_within(s.paired.difference.value, 1, 0);
    assert_true(s.paired.difference.low < .8 && s.paired.difference.low > .5);
    assert_within(s.paired.p, 2 / 1024., 1e-12); /* the sign test of ten questions */
    for (size_t i = 0; i < m.n; i++)
        m.items[i].question = 0;
    s = score_of(&m, AUDIT_SUSCEPTIBILITY); /* one question shows nothing of others */
    assert_int_equal(s.paired.difference.why, STATS_REASON_TOO_FEW_QUESTIONS);
    assert_false(audit_is_flagged(&s, &(audit_limits){.min_detection = .5}));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_susceptibility),
        cmocka_unit_test(test_oversight),
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_correction),
        cmocka_unit_test(test_states),
        cmocka_unit_test(test_flags),
        cmocka_unit_test(test_judges),
        cmocka_unit_test(test_shared_questions),
        cmocka_unit_test(test_shared_questions_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
