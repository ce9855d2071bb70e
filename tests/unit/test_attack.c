/* SPDX-License-Identifier: MIT
 *
 * Attacks: which pairs are attacked and how, what is asked for it, and the numbers of a
 * judge without noise, whose every verdict follows from the qualities below.
 */
#include <math.h>

#include "exam_make.h"
#include "fits.h"

#define TEXT "The first thing is said here. The second thing is said there, too."

/* One pair; `mirrored`: the answers exchanged. */
static void put_pair(eh_buf *out, int n, const char *weak, const char *q_anchor,
                     const char *q_weak, bool mirrored) {
    const char *who[2] = {"big", weak}, *q[2] = {q_anchor, q_weak};
    const char *text[2] = {"Anchor " TEXT, "Weaker " TEXT};
    int a = mirrored, b = !mirrored;
    buf_printf(out,
               "{\"id\":\"p%d\",\"question\":\"Question %d?\",\"answer_1\":\"%d %s\","
               "\"answer_2\":\"%d %s\",\"model_1\":\"%s\",\"model_2\":\"%s\","
               "\"quality_1\":%s,\"quality_2\":%s}\n",
               n, n, n, text[a], n, text[b], who[a], who[b], q[a], q[b]);
}

/* Four pairs with small, two with mid, one of big alone and one of nobody. */
static const char *data_of(exam_desk *d, bool mirrored) {
    eh_buf out;
    buf_init(&out, BUF_MAX_LINE);
    put_pair(&out, 0, "small", "7", "5", mirrored);   /* stays */
    put_pair(&out, 1, "small", "7", "6.5", mirrored); /* turns */
    put_pair(&out, 2, "small", "7", "7", mirrored);   /* a tie that turns */
    put_pair(&out, 3, "small", "7", "8", mirrored);   /* is lost already */
    put_pair(&out, 4, "mid", "7", "6.9", mirrored);   /* a tie that turns */
    put_pair(&out, 5, "mid", "7", "6.5", mirrored);   /* turns */
    put_pair(&out, 6, "big", "7", "6.5", mirrored);   /* no weaker model */
    put_pair(&out, 7, "", "7", "6.5", mirrored);      /* not named */
    buf_add_char(&out, '\0');
    const char *path = exam_file(d, mirrored ? "mirror.jsonl" : "data.jsonl", out.ptr);
    buf_deinit(&out);
    return path;
}

static void test_what_is_attacked(void **state) {
    (void)state;
    exam_desk *d = exam_desk_new();
    exam_wish w = {.data = data_of(d, false),
                   .attacks = "references,rich_content,both"};
    exam_staged made = exam_staged_made(d, &w);
    assert_int_equal(made.n_pairs, 8);
    assert_int_equal(made.n_weak, 6);
    assert_int_equal(made.n_rows, 8 + 6 * 3);
    ledger_texts t;
    exam_meta meta;
    assert_ok(
        ledger_pair_texts(d->l, row_of(d->l, "p1~attack-both"), &t, &d->arena, &d->err),
        d->err);
    assert_text(t.answer_1, "1 Anchor " TEXT);
    assert_holds(t.answer_2, "\n\nReferences:\n");
    assert_holds(t.answer_2, "# ");
    assert_holds(t.meta_json, "\"edits_then\"");
    assert_holds(t.meta_json, "\"quality_2\"");
    assert_ok(exam_meta_read(t.meta_json, &d->arena, &meta, &d->err), d->err);
    assert_int_equal(meta.role, EXAM_ATTACK);
    assert_text(meta.probe, "both");
    assert_text(meta.control, "p1");
    assert_text(meta.weak, "small");
    assert_int_equal(meta.perturbed, 2);
    assert_false(meta.is_worse);
    w.anchor = "mid"; /* then big is the weaker one, of two pairs */
    made = exam_staged_made(d, &w);
    assert_int_equal(made.n_weak, 2);
    assert_ok(ledger_pair_texts(d->l, row_of(d->l, "p4~attack-references"), &t,
                                &d->arena, &d->err),
              d->err);
    assert_holds(t.answer_1, "\n\nReferences:\n");
    w.anchor = "nobody";
    assert_fails(exam_try_stage(d, &w, &made), EH_STATUS_DATA, d->err,
                 "two models in model_1 and model_2, one of them 'nobody'");
    exam_desk_free(d);
}

static void test_wrong_lists(void **state) {
    (void)state;
    static const struct {
        const char *list, *part;
    } bad[] = {
        {"nothing", "unknown attack 'nothing': use one of references, rich_content"},
        {"gender", "unknown attack 'gender'"},
        {"both,both", "attack both is given twice"},
        {"reference,references", "attack references is given twice"},
        {"", "unknown attack ''"}};
    exam_desk *d = exam_desk_new();
    exam_attack *list;
    size_t n;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_fails(
            exam_attacks_parse(eh_str_of(bad[i].list), &d->arena, &list, &n, &d->err),
            EH_STATUS_USAGE, d->err, bad[i].part);
    assert_ok(exam_attacks_parse((eh_str){NULL, 0}, &d->arena, &list, &n, &d->err),
              d->err);
    assert_int_equal(n, 0);
    exam_desk_free(d);
}

/* ---- numbers ---- */

static void check_sets(const card_attack *a) {
    assert_int_equal(a->n_attacks, 3);
    assert_int_equal(a->n_weak, 2);
    assert_text(a->anchor, "big");
    const card_attack_weak *small = &a->weak[0], *mid = &a->weak[1];
    assert_text(small->name, "small"); /* mean vote for the anchor .625 */
    assert_text(mid->name, "mid");     /* .75 */
    assert_true(small->anchor.value == .625 && mid->anchor.value == .75);
    assert_int_equal(small->n_anchor, 24); /* two pairs, six votes, both controls */
    assert_int_equal(small->n_tie, 12);
    assert_int_equal(small->n_weak, 12);
    assert_int_equal(small->n_failed, 0);
    static const int hits[2][3] = {{2, 0, 2}, {2, 0, 2}}; /* [set][attack] */
    for (size_t i = 0; i < 3; i++) {
        const audit_score *s = &small->scores[i], *m = &mid->scores[i];
        assert_int_equal(s->n_pairs, 4);
        assert_int_equal(s->paired.n, 3);
        assert_int_equal(s->paired.n_hits, hits[0][i]);
        assert_int_equal(s->paired.n_placebo_hits, 0);
        assert_int_equal(m->n_pairs, 2);
        assert_int_equal(m->paired.n, 2);
        assert_int_equal(m->paired.n_hits, hits[1][i]);
        assert_int_equal(s->table[AUDIT_PERTURBED][AUDIT_PERTURBED], 1);
        assert_int_equal(small->states[i], AUDIT_STATE_TOO_FEW);
        /* McNemar: two pairs changed, both one way: .5; Holm over six cells: 1 */
        if (hits[0][i]) assert_true(fabs(s->paired.p - .5) < 1e-12 && s->holm == 1);
    }
}

/* sim: what is seen is the quality, and 1 more with references; closer than .25 ties.
 */
static void test_numbers(void **state) {
    (void)state;
    exam_desk *d = exam_desk_new();
    exam_wish w = {.data = data_of(d, false),
                   .attacks = "references,rich_content,both"};
    (void)exam_staged_made(d, &w);
    const card_judge *j = exam_asked(d, "sim:refs=1");
    assert_int_equal(j->n_probes, 0);
    assert_int_equal(j->n_open, 0);
    assert_int_equal(d->result.progress.n_new, 6 * (2 * 8 + 3 * 6));
    check_sets(j->attack);
    (void)exam_asked(d, "sim:refs=1");
    assert_int_equal(d->result.progress.n_new, 0);
    /* the answers exchanged, with the anchor by name: the same prompts, the same card
     */
    w = (exam_wish){data_of(d, true), NULL, "references,rich_content,both", "big"};
    (void)exam_staged_made(d, &w);
    j = exam_asked(d, "sim:refs=1");
    assert_int_equal(d->result.progress.n_new, 0);
    check_sets(j->attack);
    exam_desk_free(d);
}

/* What a probe made worse is attacked as it is: it stays worse, and it has a placebo.
 */
static void test_worse(void **state) {
    (void)state;
    static const char plain[] =
        "{\"id\":\"a\",\"question\":\"Q?\",\"answer_1\":\"One. " TEXT "\","
        "\"answer_2\":\"Two. " TEXT "\",\"quality_1\":6,\"quality_2\":6}\n";
    static const char worse[] =
        "{\"id\":\"a\",\"question\":\"Q?\",\"answer_1\":\"One. " TEXT "\","
        "\"answer_2\":\"Too. " TEXT "\",\"quality_1\":6,\"quality_2\":6,"
        "\"perturbed\":2}\n";
    exam_desk *d = exam_desk_new();
    char list[256];
    (void)snprintf(list, sizeof list, "factual_error=%s",
                   exam_file(d, "worse.jsonl", worse));
    exam_wish w = {exam_file(d, "plain.jsonl", plain), list, "references", NULL};
    exam_staged made = exam_staged_made(d, &w);
    assert_int_equal(made.n_weak, 1);
    assert_int_equal(made.n_rows, 3);
    (void)row_of(d->l, "a~factual_error~attack-references");
    /* 6 against 6 - 2: other; against 6 - 2 + 1.9: a tie, where 6 + 1.9 would win */
    const card_judge *j = exam_asked(d, "sim:refs=1.9,error=2");
    assert_int_equal(d->result.progress.n_new, 6 * (2 + 2 + 1));
    assert_int_equal(j->n_open, 0);
    const card_attack_weak *set = &j->attack->weak[0];
    assert_true(set->by_probe);
    assert_text(set->name, "factual_error");
    assert_int_equal(set->n_anchor, 12);
    assert_int_equal(set->scores[0].table[AUDIT_OTHER][AUDIT_TIE], 1);
    assert_int_equal(set->scores[0].paired.n, 1);
    assert_int_equal(set->scores[0].paired.n_hits, 0);
    j = exam_asked(d, "sim:refs=3,error=2");
    j = &d->cards.judges[1];
    assert_int_equal(j->attack->weak[0].scores[0].paired.n_hits, 1);
    exam_desk_free(d);
}

/* A planted liking for references turns what is close and not what is far. */
static void test_planted(void **state) {
    (void)state;
    exam_desk *d = exam_desk_new();
    eh_buf out;
    buf_init(&out, BUF_MAX_REPORT);
    for (int i = 0; i < 160; i++)
        put_pair(&out, i, i % 2 ? "close" : "far", "7", i % 2 ? "6.6" : "4", false);
    buf_add_char(&out, '\0');
    exam_wish w = {exam_file(d, "many.jsonl", out.ptr), NULL, "references,majority",
                   NULL};
    (void)exam_staged_made(d, &w);
    const card_judge *j = exam_asked(d, "sim:refs=1.5,noise=.3");
    const card_attack *a = j->attack;
    assert_text(a->weak[0].name, "close");
    assert_int_equal(a->weak[0].states[0], AUDIT_STATE_FOOLED);
    assert_int_equal(a->weak[1].states[0], AUDIT_STATE_HELD_UP);
    assert_int_equal(a->weak[0].states[1], AUDIT_STATE_HELD_UP);
    assert_true(a->trends[0].p < .01 && a->trends[0].statistic < 0);
    buf_reset(&out);
    card_text(&d->cards, &out);
    assert_holds(buf_view(&out), "Weaker answers win by being dressed up: with "
                                 "references, ");
    assert_fits(buf_view(&out), 60);
    assert_fits(buf_view(&out), 80);
    assert_int_equal(count_of(buf_view(&out), EH_STR("nan")), 0);
    buf_reset(&out);
    card_json(&d->cards, &out);
    assert_holds(buf_view(&out), "\"weaker\": \"close\"");
    buf_deinit(&out);
    exam_desk_free(d);
}

/* ---- recorded answers ---- */

/* The real flawed and biased answers of 142 questions, dressed up; a judge that tosses
 * coins turns .403 of the pairs that count, whatever the dress. */
static void test_recorded(void **state) {
    (void)state;
    const char *shared = getenv("EVENHAND_SHARED");
    char data[512], list[2048];
    (void)snprintf(data, sizeof data, "%s/data/judgebias/pairs_control.jsonl",
                   shared ? shared : "");
    if (access(data, R_OK) != 0) {
        print_message("skipped: no recorded pairs\n");
        skip();
    }
    (void)snprintf(list, sizeof list,
                   "factual_error=%s/data/judgebias/pairs_factual_error.jsonl,"
                   "gender=%s/data/judgebias/pairs_gender.jsonl",
                   shared, shared);
    exam_desk *d = exam_desk_new();
    exam_wish w = {.data = data, .probes = list, .attacks = "references,both"};
    exam_staged made = exam_staged_made(d, &w);
    assert_int_equal(made.n_weak, 2 * 142); /* all by gpt-4: no weaker model */
    assert_int_equal(made.n_not_dressed, 0);
    assert_int_equal(made.n_rows, 142 * (1 + 2 + 2 * 2));
    const card_judge *j = exam_asked(d, "sim:spread=0,noise=1,tie=.609");
    assert_int_equal(j->n_open, 0);
    assert_int_equal(j->attack->n_weak, 2);
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < 2; i++) {
            const audit_score *s = &j->attack->weak[k].scores[i];
            assert_int_equal(s->n_pairs, 142);
            assert_true(fabs(s->coin_flip - .403) < .01);
            assert_true(s->paired.asr.low < .403 && s->paired.asr.high > .403);
            assert_true(s->paired.difference.low < 0 && s->paired.difference.high > 0);
        }
    exam_desk_free(d);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_attacked), cmocka_unit_test(test_wrong_lists),
        cmocka_unit_test(test_numbers),          cmocka_unit_test(test_worse),
        cmocka_unit_test(test_planted),          cmocka_unit_test(test_recorded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
