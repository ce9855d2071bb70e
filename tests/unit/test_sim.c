/* SPDX-License-Identifier: MIT
 *
 * The simulated judge: each planted defect shows, and shows by as much as was planted;
 * draws depend on seed, texts as shown and sample alone; and the queue that all local
 * judges share.
 */
#include "base/rng.h"
#include "base/utf8.h"
#include "judge_make.h"

/* ---- its id ---- */

static void assert_id(const char *spec, const char *id) {
    judge *j = judge_made(spec);
    assert_text(j->id, id);
    assert_true(j->uses_template);
    assert_false(j->by_pair_id);
    judge_close(j);
}

static void test_id_is_canonical(void **state) {
    (void)state;
    assert_id("sim", "sim");
    assert_id("sim:", "sim");
    assert_id("sim:noise=0,tie=.25", "sim"); /* the defaults */
    assert_id("sim:noise=1,first=2", "sim:first=2,noise=1");
    assert_id("sim: first = 2.50 , noise=1e0", "sim:first=2.5,noise=1");
    assert_id("sim:seed=7", "sim:seed=7");
    assert_id("sim:seed=7,first=-1", "sim:first=-1,seed=7");
    assert_id("sim:delay=100", "sim"); /* not what it answers */
    assert_id("sim:own=2,family=GPT-4o,seed=3", "sim:own=2,family=gpt,seed=3");
    assert_id("sim:family=claude", "sim:family=claude");
    assert_id("sim:cut=.1,distance=1,garble=.1,length=1,quote=.5,refuse=.1,spread=2,"
              "step=1,style=1,split=.5,context=1000",
              "sim:context=1000,cut=0.1,distance=1,garble=0.1,length=1,quote=0.5,"
              "refuse=0.1,split=0.5,spread=2,step=1,style=1");
    /* the longest numbers in every key */
    assert_id("sim:context=1.2345678901234568e-300,cut=1.2345678901234568e-300,"
              "distance=-1.2345678901234568e-300,first=-1.2345678901234568e-300,"
              "garble=1.2345678901234568e-300,length=-1.2345678901234568e-300,"
              "noise=1.2345678901234568e-300,quote=1.2345678901234568e-300,"
              "refuse=1.2345678901234568e-300,split=1.2345678901234568e-300,"
              "spread=1.2345678901234568e-300,step=1.2345678901234568e-300,"
              "style=-1.2345678901234568e-300,tie=1.2345678901234568e-300,"
              "seed=9223372036854775807",
              "sim:context=1.2345678901234568e-300,cut=1.2345678901234568e-300,"
              "distance=-1.2345678901234568e-300,first=-1.2345678901234568e-300,"
              "garble=1.2345678901234568e-300,length=-1.2345678901234568e-300,"
              "noise=1.2345678901234568e-300,quote=1.2345678901234568e-300,"
              "refuse=1.2345678901234568e-300,split=1.2345678901234568e-300,"
              "spread=1.2345678901234568e-300,step=1.2345678901234568e-300,"
              "style=-1.2345678901234568e-300,tie=1.2345678901234568e-300,"
              "seed=9223372036854775807");
    judge *j;
    eh_error err;
    judge_open_args args = judge_args(1);
    args.seed = 9; /* --seed, unless the id says otherwise */
    assert_ok(judge_open(EH_STR("sim"), &args, &j, &err), err);
    assert_text(j->id, "sim:seed=9");
    judge_close(j);
    assert_ok(judge_open(EH_STR("sim:seed=0"), &args, &j, &err), err);
    assert_text(j->id, "sim");
    judge_close(j);
    judge_close(NULL);
}

static void test_wrong_specs(void **state) {
    (void)state;
    static const struct {
        const char *spec, *part;
    } cases[] = {
        {"simm", "unknown judge 'simm'"},
        {"", "unknown judge ''"},
        {"simm:first=2", "sim[:key=value,...]"},
        {"sim:frist=2", "unknown key 'frist'"},
        {"sim:first", "'first' is not key=value"},
        {"sim:first=2,", "'' is not key=value"},
        {"sim:first=", "first= is not a number"},
        {"sim:first=x", "not a number from -9 to 9"},
        {"sim:first=10", "not a number from -9 to 9"},
        {"sim:noise=-1", "not a number from 0 to 9"},
        {"sim:refuse=1.5", "not a number from 0 to 1"},
        {"sim:first=nan", "not a number"},
        {"sim:first=1,first=1", "first is given twice"},
        {"sim:seed=-1", "seed=-1 is not a whole number"},
        {"sim:seed=1.5", "seed=1.5 is not a whole number"},
        {"sim:delay=600001", "not a whole number from 0 to 600000"},
        {"sim:own=1", "own needs to know the judge's family"},
        {"sim:family=", "family= is not a name"},
        {"sim:family=a b", "family= is not a name"},
        {"sim:family=gpt,family=gpt", "family is given twice"},
        {"sim:refuse=.5,garble=.4,cut=.2", "add up to more than 1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        judge_refused(cases[i].spec, EH_STATUS_USAGE, cases[i].part);
}

static void test_backend_list(void **state) {
    (void)state;
    static const char *const names[] = {"sim", "replay", "longest", "overlap"};
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++) {
        bool found = false;
        for (size_t i = 0; judge_backend_at(i); i++)
            found = found || strcmp(judge_backend_at(i)->name, names[n]) == 0;
        assert_true(found);
    }
    assert_null(judge_backend_at(1000));
}

/* ---- what it sees ---- */

/* A pair with known qualities. */
static judge_shown rated(double quality_first, double quality_second) {
    judge_shown shown = shown_made("q", "one answer", "two answer");
    shown.quality_first = quality_first;
    shown.quality_second = quality_second;
    return shown;
}

static verdict_result judged(const char *spec, judge_shown shown) {
    judge *j = judge_made(spec);
    judge_reply reply = ask(j, shown, 0);
    verdict_result r = read_made(&reply, shown.form);
    judge_close(j);
    return r;
}

static void assert_scores(const char *spec, judge_shown shown, double first,
                          double second) {
    verdict_result r = judged(spec, shown);
    assert_true(r.has_scores);
    if (fabs(r.score_1 - first) > 1e-9 || fabs(r.score_2 - second) > 1e-9)
        fail_msg("%s: %g and %g", spec, r.score_1, r.score_2);
}

static void test_defects_show_as_planted(void **state) {
    (void)state;
    assert_scores("sim", rated(7, 5), 7, 5);
    assert_scores("sim:first=2", rated(5, 5), 7, 5);
    assert_scores("sim:first=-1.5", rated(5, 6), 3.5, 6);
    assert_scores("sim:step=0", rated(5.123, 6.5), 5.123, 6.5);
    assert_scores("sim:step=1", rated(5.4, 6.6), 5, 7);
    assert_scores("sim", rated(5.3, 11), 5.5, 10); /* rounded, and on the scale */
    assert_scores("sim", rated(-3, 0), 1, 1);
    judge_shown longer = rated(5, 5);
    longer.first =
        EH_STR("1234567"); /* 8 : 2 with the one that is added, two doublings */
    longer.second = EH_STR("\xE2\x82\xAC"); /* in characters, not bytes */
    assert_scores("sim:length=.5", longer, 6, 5);
    longer.second = EH_STR("123456789012345");
    assert_scores("sim:length=1", longer, 5, 6);
    judge_shown styled = rated(5, 5);
    static const char *const styles[] = {"**bold**",  "x\n- item", "x\n# head",
                                         "x\n1. one", "```c```",   "\xF0\x9F\x98\x80"};
    for (size_t i = 0; i < sizeof styles / sizeof styles[0]; i++) {
        styled.second = eh_str_of(styles[i]);
        assert_scores("sim:style=1", styled, 5, 6);
    }
    styled.second = EH_STR("plain - * # text 1.");
    assert_scores("sim:style=1", styled, 5, 5);
    styled.second = EH_STR("text\n\nReferences:\nA, B. (1999).");
    assert_scores("sim:refs=1.5", styled, 5, 6.5);
    judge_shown worse = rated(7, 5);
    worse.worse_first = true;
    assert_scores("sim:error=3", worse, 4, 5);
    assert_scores("sim", worse, 7, 5);
    judge_shown own = rated(5, 5);
    own.model_first = EH_STR("claude-3");
    own.model_second = EH_STR("openai/gpt-4o");
    assert_scores("sim:own=2,family=gpt", own, 5, 7);
    assert_scores("sim:own=2,family=claude-2", own, 7, 5);
    assert_scores("sim:own=2,family=llama", own, 5, 5);
    own.model_first = own.model_second = EH_STR("");
    assert_scores("sim:own=2,family=gpt", own, 5, 5);
    judge_shown apart = rated(5, 5);
    apart.distance_cp = 2000;
    assert_scores("sim:distance=1", apart, 7, 5);
    apart.n_parts = 3;
    assert_scores("sim:first=2,split=.5", apart, 6, 5);
}

/* Two answers of known quality under every form; the reply goes through the reader. */
static void test_forms(void **state) {
    (void)state;
    static const struct {
        double gap;
        eh_verdict vote;
        int likert;
    } cases[] = {{3, EH_VERDICT_1, 1},    {1, EH_VERDICT_1, 2},
                 {.2, EH_VERDICT_TIE, 3}, {-.2, EH_VERDICT_TIE, 3},
                 {-1, EH_VERDICT_2, 4},   {-2, EH_VERDICT_2, 5}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        judge_shown shown = rated(5 + cases[i].gap, 5);
        for (int evidence = 0; evidence < 2; evidence++) {
            shown.evidence_first = evidence == 1;
            shown.form = VERDICT_FORM_COMPARE;
            assert_int_equal(judged("sim", shown).verdict, cases[i].vote);
            shown.form = VERDICT_FORM_LIKERT;
            verdict_result r = judged("sim", shown);
            assert_int_equal(r.verdict, cases[i].vote);
            assert_int_equal(r.likert, cases[i].likert);
            shown.form = VERDICT_FORM_JSON;
            r = judged("sim:step=0", shown);
            assert_true(fabs(r.score_1 - r.score_2 - cases[i].gap) < 1e-9);
            shown.form = VERDICT_FORM_SCORE;
            r = judged("sim:step=0", shown);
            assert_true(fabs(r.score_1 - r.score_2 - cases[i].gap) < 1e-9);
        }
    }
    assert_int_equal(judged("sim:tie=0", rated(5, 5)).verdict, EH_VERDICT_TIE);
}

/* With a verdict first the reply begins with it, with evidence first it ends so. */
static void test_evidence_first(void **state) {
    (void)state;
    judge *j = judge_made("sim");
    judge_shown shown = rated(6, 5);
    shown.form = VERDICT_FORM_COMPARE;
    judge_reply reply = ask(j, shown, 0);
    assert_true(eh_str_ends(reply.reply.content, EH_STR("Final verdict: [[A]]")));
    shown.evidence_first = false;
    reply = ask(j, shown, 0);
    assert_true(eh_str_begins(reply.reply.content, EH_STR("Final verdict: [[A]]")));
    judge_close(j);
}

/* A judge that repeats its whole prompt: the message stands in the reply. */
static void test_quote(void **state) {
    (void)state;
    judge *j = judge_made("sim:quote=1");
    judge_shown shown = rated(6, 5);
    shown.first = EH_STR("the message's text");
    judge_reply reply = ask(j, shown, 0);
    assert_holds(reply.reply.content, "the message's text");
    judge_close(j);
}

static void test_context(void **state) {
    (void)state;
    judge_shown shown = rated(6, 5);
    shown.first = EH_STR("12345678\xE2\x82\xAC\xE2\x82\xAC");
    judge *j = judge_made("sim:context=9");
    judge_reply reply = ask(j, shown, 0);
    assert_int_equal(reply.outcome, JUDGE_OUTCOME_FAILED);
    assert_int_equal(reply.recorded.reason, VERDICT_REASON_CONTEXT_LENGTH);
    judge_close(j);
    j = judge_made("sim:context=10"); /* characters */
    reply = ask(j, shown, 0);
    assert_int_equal(reply.outcome, JUDGE_OUTCOME_REPLY);
    judge_close(j);
}

/* ---- draws ---- */

/* Many prompts of their own texts; the i-th is always the same. */
static judge_shown numbered(int i, char text[3][40]) {
    (void)snprintf(text[0], 40, "question %d", i);
    (void)snprintf(text[1], 40, "answer one of %d", i);
    (void)snprintf(text[2], 40, "answer two of %d", i);
    return shown_made(text[0], text[1], text[2]);
}

static void test_failures_at_their_rates(void **state) {
    (void)state;
    enum { N = 20000 };
    judge *j = judge_made("sim:refuse=.1,garble=.2,cut=.3");
    int counts[VERDICT_REASON_N] = {0};
    for (int i = 0; i < N; i++) {
        char text[3][40];
        judge_reply reply = ask(j, numbered(i, text), 0);
        counts[read_made(&reply, VERDICT_FORM_SCORE).reason]++;
    }
    static const struct {
        verdict_reason reason;
        double share;
    } wanted[] = {{VERDICT_REASON_REFUSAL, .1},
                  {VERDICT_REASON_NO_VERDICT, .2},
                  {VERDICT_REASON_TRUNCATED, .3},
                  {VERDICT_REASON_NONE, .4}};
    for (size_t i = 0; i < 4; i++) {
        double share = (double)counts[wanted[i].reason] / N, p = wanted[i].share;
        assert_true(fabs(share - p) < 5 * sqrt(p * (1 - p) / N));
    }
    judge_close(j);
}

/* The spread of drawn qualities and the noise of samples, by their moments. */
static void test_spread_and_noise(void **state) {
    (void)state;
    enum { N = 20000 };
    judge *j = judge_made("sim:step=0,spread=1,noise=.5");
    double sum = 0, sum_sq = 0, within = 0;
    for (int i = 0; i < N; i++) {
        char text[3][40];
        judge_shown shown = numbered(i, text);
        judge_reply reply = ask(j, shown, 0);
        double a = read_made(&reply, VERDICT_FORM_SCORE).score_1;
        reply = ask(j, shown, 1);
        double b = read_made(&reply, VERDICT_FORM_SCORE).score_1;
        sum += a - 5.5;
        sum_sq += (a - 5.5) * (a - 5.5);
        within += (a - b) * (a - b) / 2;
    }
    /* seen = quality + noise: variance 1 + .25; two samples differ by the noise alone
     */
    assert_true(fabs(sum / N) < 5 * sqrt(1.25 / N));
    assert_true(fabs(sum_sq / N - 1.25) < 5 * 1.25 * sqrt(2.0 / N));
    assert_true(fabs(within / N - .25) < 5 * .25 * sqrt(2.0 / N));
    judge_close(j);
}

/* Does anything differ between two judges (or streams, or samples) over 50 prompts? */
static bool any_differs(const char *one, const char *two, int stream, int sample) {
    judge *a = judge_made(one), *b = judge_made(two);
    bool differs = false;
    for (int i = 0; i < 50; i++) {
        char text[3][40];
        judge_shown shown = numbered(i, text);
        judge_reply reply = ask(a, shown, 0);
        verdict_result x = read_made(&reply, VERDICT_FORM_SCORE);
        reply = ask_stream(b, shown, stream, sample);
        verdict_result y = read_made(&reply, VERDICT_FORM_SCORE);
        differs = differs || x.score_1 != y.score_1 || x.score_2 != y.score_2;
    }
    judge_close(a);
    judge_close(b);
    return differs;
}

static void test_what_draws_depend_on(void **state) {
    (void)state;
    assert_false(any_differs("sim:noise=1", "sim:noise=1", 0, 0));
    assert_true(any_differs("sim:noise=1", "sim:noise=1,seed=1", 0, 0));
    assert_true(any_differs("sim:noise=1", "sim:noise=1", 0, 1));
    assert_true(any_differs("sim:noise=1", "sim:noise=1", 1, 0));
    assert_false(any_differs("sim", "sim", 1, 5)); /* no noise: qualities alone */
    /* the pair's id and the name of the order are not looked at */
    judge *j = judge_made("sim:noise=1");
    char text[3][40];
    judge_shown shown = numbered(3, text), other = shown;
    other.pair_id = EH_STR("another");
    other.order = EH_ORDER_21;
    judge_reply reply = ask(j, shown, 0);
    double score = read_made(&reply, VERDICT_FORM_SCORE).score_1;
    reply = ask(j, other, 0);
    assert_true(read_made(&reply, VERDICT_FORM_SCORE).score_1 == score);
    judge_close(j);
}

/* An answer's drawn quality stays with it, whatever slot it stands in. */
static void test_quality_belongs_to_the_answer(void **state) {
    (void)state;
    judge *j = judge_made("sim:step=0");
    for (int i = 0; i < 50; i++) {
        char text[3][40];
        judge_shown shown = numbered(i, text), swapped = shown;
        swapped.first = shown.second;
        swapped.second = shown.first;
        judge_reply reply = ask(j, shown, 0);
        verdict_result a = read_made(&reply, VERDICT_FORM_SCORE);
        reply = ask(j, swapped, 0);
        verdict_result b = read_made(&reply, VERDICT_FORM_SCORE);
        assert_true(a.score_1 == b.score_2 && a.score_2 == b.score_1);
    }
    judge_close(j);
}

/* ---- the queue ---- */

static void test_queue_order_and_limit(void **state) {
    (void)state;
    eh_error err;
    judge *j;
    judge_open_args args = judge_args(2);
    assert_ok(judge_open(EH_STR("sim"), &args, &j, &err), err);
    const int samples[] = {4, 2};
    prompt_message message = {EH_STR("user"), EH_STR("m")};
    judge_request requests[3];
    for (size_t i = 0; i < 3; i++)
        requests[i] = (judge_request){.ticket = 10 + i,
                                      .messages = &message,
                                      .n_messages = 1,
                                      .samples = samples,
                                      .n_samples = 2,
                                      .shown = rated(6, 5)};
    judge_reply reply;
    bool got;
    assert_ok(judge_poll(j, 0, &reply, &got, &err), err);
    assert_false(got); /* nothing was asked */
    assert_ok(judge_submit(j, &requests[0], &err), err);
    assert_ok(judge_submit(j, &requests[1], &err), err);
    assert_fails(judge_submit(j, &requests[2], &err), EH_STATUS_USAGE, err,
                 "more than 2 requests in flight");
    static const struct {
        uint64_t ticket;
        int sample;
    } wanted[] = {{10, 4}, {10, 2}, {11, 4}, {11, 2}, {12, 4}, {12, 2}};
    for (size_t i = 0; i < 6; i++) {
        if (i == 2) assert_ok(judge_submit(j, &requests[2], &err), err);
        assert_ok(judge_poll(j, 0, &reply, &got, &err), err);
        assert_true(got);
        assert_int_equal(reply.ticket, wanted[i].ticket);
        assert_int_equal(reply.sample, wanted[i].sample);
        assert_int_equal(reply.n_attempts, 1);
        assert_int_equal(reply.usage.prompt_tokens, -1);
        assert_int_equal(reply.latency_ms, -1);
    }
    assert_ok(judge_poll(j, 0, &reply, &got, &err), err);
    assert_false(got);
    judge_close(j);
}

/* A clock that takes a step at each look: real sleeps stay short. */
static int64_t stepping_now(void *self) {
    return *(int64_t *)self += 400000; /* 0.4 ms */
}

static void test_pretended_latency(void **state) {
    (void)state;
    int64_t now_ns = 5;
    judge_open_args args = {.concurrency = 4,
                            .clock = {stepping_now, stepping_now, &now_ns}};
    judge *j;
    eh_error err;
    assert_ok(judge_open(EH_STR("sim:delay=5"), &args, &j, &err), err);
    int sample = 0;
    prompt_message message = {EH_STR("user"), EH_STR("m")};
    judge_request r = {.messages = &message,
                       .n_messages = 1,
                       .samples = &sample,
                       .n_samples = 1,
                       .shown = rated(6, 5)};
    judge_reply reply;
    bool got;
    assert_ok(judge_submit(j, &r, &err), err);
    int64_t asked_ns = now_ns;
    assert_ok(judge_poll(j, 0, &reply, &got, &err), err);
    assert_false(got); /* not due, and no time to wait */
    for (int i = 0; i < 100 && !got; i++)
        assert_ok(judge_poll(j, 1, &reply, &got, &err), err);
    assert_true(got);
    assert_in_range(now_ns - asked_ns, 5000000, 20000000);
    judge_close(j);
}

/* What was made from an answer is of its quality, and other answers are not. */
static void test_perturbed_keeps_quality(void **state) {
    (void)state;
    judge *j = judge_made("sim:step=0,seed=3");
    judge_shown plain = shown_made("q", "one answer", "another answer");
    judge_reply reply = ask(j, plain, 0);
    verdict_result before = read_made(&reply, VERDICT_FORM_SCORE);
    judge_shown changed = plain;
    changed.first = EH_STR("one answer, rewritten");
    changed.origin_first = judge_text_id(plain.question, plain.first);
    reply = ask(j, changed, 0);
    verdict_result after = read_made(&reply, VERDICT_FORM_SCORE);
    assert_true(fabs(before.score_1 - after.score_1) < 1e-9);
    changed.origin_first = 0;
    reply = ask(j, changed, 0);
    after = read_made(&reply, VERDICT_FORM_SCORE);
    assert_true(fabs(before.score_1 - after.score_1) > 1e-9);
    judge_close(j);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_id_is_canonical),
        cmocka_unit_test(test_wrong_specs),
        cmocka_unit_test(test_backend_list),
        cmocka_unit_test(test_defects_show_as_planted),
        cmocka_unit_test(test_perturbed_keeps_quality),
        cmocka_unit_test(test_forms),
        cmocka_unit_test(test_evidence_first),
        cmocka_unit_test(test_quote),
        cmocka_unit_test(test_context),
        cmocka_unit_test(test_failures_at_their_rates),
        cmocka_unit_test(test_spread_and_noise),
        cmocka_unit_test(test_what_draws_depend_on),
        cmocka_unit_test(test_quality_belongs_to_the_answer),
        cmocka_unit_test(test_queue_order_and_limit),
        cmocka_unit_test(test_pretended_latency),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
