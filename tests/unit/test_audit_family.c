/* SPDX-License-Identifier: MIT
 *
 * Families by name; who likes its own, beside people on the same pairs; and probes by
 * the author of the perturbed answer, with numbers that follow from the qualities
 * below.
 */
#include <math.h>

#include "audit/family.h"
#include "exam_make.h"
#include "stats/test.h"
#include "fits.h"

static void assert_family(const char *model, const char *family) {
    char got[AUDIT_FAMILY_MAX + 1] = "";
    bool known = audit_family(eh_str_of(model), got);
    if (!family) {
        assert_false(known);
        return;
    }
    assert_true(known);
    assert_string_equal(got, family);
}

static void assert_judge(const char *id, const char *family) {
    char got[AUDIT_FAMILY_MAX + 1] = "";
    assert_int_equal(audit_family_of_judge(eh_str_of(id), got), family != NULL);
    if (family) assert_string_equal(got, family);
}

static void test_names(void **state) {
    (void)state;
    assert_family("gpt-4o-mini", "gpt");
    assert_family("ChatGPT", "gpt");
    assert_family("o3-mini", "gpt");
    assert_family("text-davinci-003", "gpt");
    assert_family("openai/gpt-4.1", "gpt");
    assert_family("claude-3-opus", "claude");
    assert_family("Claude2", "claude");
    assert_family("meta-llama/Llama-2-7b-chat", "llama");
    assert_family("meta-llama-3-8b", "llama");
    assert_family("Mixtral-8x7B", "mistral");
    assert_family("qwq-32b", "qwen");
    assert_family("gemini-1.5-pro", "gemini");
    assert_family("vicuna-13b", "vicuna"); /* tuned from another, and no one of it */
    assert_family("model_a", "model_a");
    assert_family("Model_A", "model_a");
    assert_family("a7", "a7");
    assert_family("o", "o");
    assert_family("7b", "7b");
    assert_family(" ", NULL);
    assert_family("", NULL);
    assert_family("org/", NULL);
    assert_judge("openai:gpt-4o", "gpt");
    assert_judge("openai:meta-llama/Llama-3-70b@http://127.0.0.1:8000/v1", "llama");
    assert_judge("anthropic:claude-3-opus", "claude");
    assert_judge("llama:models/qwen2-7b.gguf", "qwen");
    assert_judge("sim:family=gpt,noise=1", "gpt");
    assert_judge("sim:noise=1", NULL);
    assert_judge("sim", NULL);
    assert_judge("longest", NULL);
    assert_judge("overlap", NULL);
    assert_judge("gpt-at-work", "gpt"); /* a name by --judge-id */
}

#define TEXT "Here something is said. And there is more of it."

/* Qualities of the answers of gpt and of claude; `perturbed` the one made worse. */
static const struct {
    const char *models[2], *quality[2];
    int perturbed;
} rows[] = {
    {{"gpt-4", "claude-2"}, {"6", "6"}, 1},   /* 7 against 6; worse: 6 to 6, tie */
    {{"claude-2", "gpt-4"}, {"6", "6"}, 2},   /* the same, the other way round */
    {{"gpt-4", "claude-2"}, {"6", "7.5"}, 2}, /* 7 against 7.5; worse: 6.5 */
    {{"claude-2", "gpt-4"}, {"7.5", "6"}, 1}, /* the same */
    {{"gpt-4", "gpt-3.5"}, {"6", "5"}, 1},    /* both own */
    {{"claude-2", "llama-2"}, {"6", "5"}, 1}, /* none is */
    {{"claude-2", ""}, {"6", "5"}, 1},        /* one is nobody's */
};

static const char *data_of(exam_desk *d, bool worse) {
    eh_buf out;
    buf_init(&out, BUF_MAX_LINE);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        bool on_1 = worse && rows[i].perturbed == 1, on_2 = worse && !on_1;
        buf_printf(&out,
                   "{\"id\":\"p%zu\",\"question\":\"Question %zu?\",\"answer_1\":\"%zu "
                   "one%s. " TEXT "\",\"answer_2\":\"%zu two%s. " TEXT
                   "\",\"model_1\":\"%s\",\"model_2\":\"%s\",\"quality_1\":%s,"
                   "\"quality_2\":%s,\"perturbed\":%d}\n",
                   i, i, i, on_1 ? " is wrong" : "", i, on_2 ? " is wrong" : "",
                   rows[i].models[0], rows[i].models[1], rows[i].quality[0],
                   rows[i].quality[1], rows[i].perturbed);
    }
    buf_add_char(&out, '\0');
    const char *path = exam_file(d, worse ? "worse.jsonl" : "plain.jsonl", out.ptr);
    buf_deinit(&out);
    return path;
}

static exam_desk *desk_of(void) {
    exam_desk *d = exam_desk_new();
    char list[256];
    (void)snprintf(list, sizeof list, "factual_error=%s", data_of(d, true));
    exam_wish w = {.data = data_of(d, false), .probes = list};
    exam_staged made = exam_staged_made(d, &w);
    assert_int_equal(made.n_made[0], sizeof rows / sizeof rows[0]);
    return d;
}

static void say(exam_desk *d, const char *pair, const char *who, eh_verdict v,
                int familiar) {
    ledger_label l = {.pair_row = row_of(d->l, pair),
                      .annotator = eh_str_of(who),
                      .label = v,
                      .side = -1,
                      .familiar = familiar};
    assert_ok(ledger_label_put(d->l, &l, &d->err), d->err);
    assert_ok(ledger_commit(d->l, &d->err), d->err);
}

/* The own answer is seen 1 better: 7 to 6, 7 to 6, 7 to 7.5, 7 to 7.5. */
static void test_self_preference(void **state) {
    (void)state;
    exam_desk *d = desk_of();
    const card_family *f = exam_asked(d, "sim:own=1,family=gpt,error=1")->family;
    assert_text(f->judge, "gpt");
    assert_false(f->is_stated);
    assert_text(f->own_models, "gpt-3.5, gpt-4");
    assert_text(f->other_models, "claude-2, llama-2");
    assert_int_equal(f->n_mixed, 4);
    assert_int_equal(f->n_both, 1);
    assert_int_equal(f->n_none, 1);
    assert_int_equal(f->n_unnamed, 1);
    assert_true(f->own.value == .5); /* two for it, two against */
    assert_int_equal(f->n_labelled, 0);
    /* people: a tie and a loss for the own answer where the judge has two wins */
    say(d, "p0", "ann", EH_VERDICT_1, -1);
    say(d, "p0", "bob", EH_VERDICT_2, -1);
    say(d, "p0", "cy", EH_VERDICT_1, 0); /* did not know */
    say(d, "p1", "ann", EH_VERDICT_1, 1);
    f = exam_cards_of(d, NULL)->judges[0].family;
    assert_int_equal(f->n_labelled, 2);
    assert_true(f->own_labelled.value == 1 && f->people.value == .25);
    assert_true(f->excess.value == .75);
    exam_desk_free(d);
}

/* Made worse by 1: gpt's go from 7 to 6 against 6, a tie: missed. Claude's go from 7.5
 * to 6.5 against 7: seen. */
static void test_probes_by_author(void **state) {
    (void)state;
    exam_desk *d = desk_of();
    const card_family *f = exam_asked(d, "sim:own=1,family=gpt,error=1")->family;
    assert_int_equal(f->n_probes, 1);
    const card_family_probe *p = &f->probes[0];
    assert_int_equal(p->n_rows, 2);
    assert_text(p->rows[0].family, "gpt");
    assert_true(p->rows[0].is_own);
    assert_text(p->rows[1].family, "claude");
    assert_int_equal(p->rows[0].score.n_pairs, 3);
    assert_int_equal(p->rows[1].score.n_pairs, 4);
    /* p4: 7 to 6 own, worse 6 to 6, a tie: missed; p5, p6: 6 to 5, worse 5 to 5 */
    assert_int_equal(p->own.paired.n, 3);
    assert_int_equal(p->own.paired.n_hits, 3);
    assert_int_equal(p->own.paired.n_placebo_hits, 3);
    assert_int_equal(p->others.paired.n, 4);
    assert_int_equal(p->others.paired.n_hits, 2);
    assert_true(fabs(p->difference.value - .5) < 1e-12);
    /* Fisher: the table 3 0 / 2 2 has 10 of 35 ways; 2 1 / 3 1 (12), 1 2 / 4 0 (3) are
     * others of its margins, and those no likelier are 10 + ... of C(7,3) = 35 */
    assert_true(fabs(p->p - stats_fisher(3, 0, 2, 2).p) < 1e-12 && p->p > .4);
    exam_desk_free(d);
}

static void test_who_is_own(void **state) {
    (void)state;
    exam_desk *d = desk_of();
    const card_family *f = exam_asked(d, "sim:error=1")->family;
    assert_true(eh_str_is_absent(f->judge)); /* nothing is guessed */
    assert_int_equal(f->n_mixed, 0);
    assert_int_equal(f->probes[0].own.n_pairs, 0);
    assert_true(isnan(f->probes[0].difference.low) && isnan(f->probes[0].p));
    assert_int_equal(f->probes[0].n_rows, 2); /* but who wrote what is known */
    f = exam_cards_of(d, "Claude-3")->judges[0].family;
    assert_text(f->judge, "claude");
    assert_true(f->is_stated);
    assert_int_equal(f->n_mixed, 5); /* llama's pair as well */
    eh_buf out;
    buf_init(&out, BUF_MAX_REPORT);
    card_text(&d->cards, &out);
    assert_holds(buf_view(&out), "family claude (as");
    assert_fits(buf_view(&out), 60);
    assert_fits(buf_view(&out), 80);
    buf_deinit(&out);
    exam_desk_free(d);
    /* without models there is no such part */
    d = exam_desk_new();
    exam_wish w = {.data = exam_file(d, "bare.jsonl",
                                     "{\"id\":\"a\",\"question\":\"Q?\",\"answer_1\":"
                                     "\"One thing.\",\"answer_2\":\"Two things.\"}\n"),
                   .probes = "padding"};
    (void)exam_staged_made(d, &w);
    assert_null(exam_asked(d, "sim:own=1,family=gpt")->family);
    exam_desk_free(d);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_self_preference),
        cmocka_unit_test(test_probes_by_author),
        cmocka_unit_test(test_who_is_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
