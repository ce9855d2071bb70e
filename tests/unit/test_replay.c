/* SPDX-License-Identifier: MIT
 *
 * Recorded judgments as a judge: each sample comes back as it was recorded, turned to
 * the slots; which row of several counts; ids that change with the content; faults of
 * the file. And the two baselines, which look at the texts alone.
 */
#include <unistd.h>

#include "judge_make.h"

typedef struct recording {
    char folder[40], path[64];
} recording;

static int make_folder(void **state) {
    recording *r = calloc(1, sizeof *r);
    assert_non_null(r);
    (void)snprintf(r->folder, sizeof r->folder, "/tmp/test_replay_XXXXXX");
    assert_non_null(mkdtemp(r->folder));
    (void)snprintf(r->path, sizeof r->path, "%s/rows.jsonl", r->folder);
    *state = r;
    return 0;
}

static int drop_folder(void **state) {
    recording *r = *state;
    (void)unlink(r->path);
    assert_int_equal(rmdir(r->folder), 0);
    free(r);
    return 0;
}

static void write_rows(const recording *r, const char *rows) {
    FILE *f = fopen(r->path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(rows, 1, strlen(rows), f), strlen(rows));
    assert_int_equal(fclose(f), 0);
}

static const char *spec_of(const recording *r, const char *judge_name) {
    static char spec[160];
    (void)snprintf(spec, sizeof spec, "replay:%s%s%s", r->path, judge_name ? "#" : "",
                   judge_name ? judge_name : "");
    return spec;
}

static judge *replayed(const recording *r, const char *rows, const char *judge_name) {
    write_rows(r, rows);
    return judge_made(spec_of(r, judge_name));
}

static judge_reply ask_pair(judge *j, const char *pair_id, eh_order order, int sample) {
    judge_shown shown = shown_made("q", "a", "b");
    shown.pair_id = eh_str_of(pair_id);
    shown.order = order;
    return ask(j, shown, sample);
}

/* ---- samples ---- */

static void test_samples_come_back_in_slots(void **state) {
    const recording *r = *state;
    judge *j = replayed(
        r,
        "{\"pair_id\":\"p\",\"judge\":\"m\",\"order\":\"12\",\"sample\":0,\"reply\":"
        "\"one\","
        "\"verdict\":\"1\",\"score_1\":8,\"score_2\":6}\n"
        "{\"pair_id\":\"p\",\"judge\":\"m\",\"order\":\"21\",\"sample\":0,\"reply\":"
        "\"\","
        "\"verdict\":\"1\",\"score_1\":7,\"score_2\":5}\n"
        "{\"pair_id\":\"p\",\"judge\":\"m\",\"order\":\"21\",\"sample\":3,\"verdict\":"
        "\"tie\"}\n"
        "{\"pair_id\":7,\"judge\":\"m\",\"order\":\"12\",\"sample\":0,\"verdict\":null,"
        "\"reason\":\"refusal\"}\n",
        NULL);
    assert_true(j->by_pair_id);
    assert_false(j->uses_template);
    judge_reply reply = ask_pair(j, "p", EH_ORDER_12, 0);
    assert_int_equal(reply.outcome, JUDGE_OUTCOME_RECORDED);
    assert_int_equal(reply.recorded.verdict, EH_VERDICT_1);
    assert_true(reply.recorded.score_1 == 8 && reply.recorded.score_2 == 6);
    assert_text(reply.reply.content, "one");
    reply = ask_pair(j, "p", EH_ORDER_21, 0); /* answer 1 stood in the second slot */
    assert_int_equal(reply.recorded.verdict, EH_VERDICT_2);
    assert_true(reply.recorded.has_scores);
    assert_true(reply.recorded.score_1 == 5 && reply.recorded.score_2 == 7);
    assert_text(reply.reply.content, "");
    assert_false(eh_str_is_absent(reply.reply.content));
    reply = ask_pair(j, "p", EH_ORDER_21, 3);
    assert_int_equal(reply.recorded.verdict, EH_VERDICT_TIE);
    assert_false(reply.recorded.has_scores);
    assert_absent(reply.reply.content); /* no reply was recorded */
    reply = ask_pair(j, "7", EH_ORDER_12, 0);
    assert_int_equal(reply.outcome, JUDGE_OUTCOME_RECORDED);
    assert_int_equal(reply.recorded.verdict, EH_VERDICT_NONE);
    assert_int_equal(reply.recorded.reason, VERDICT_REASON_REFUSAL);
    judge_close(j);
}

/* A failed sample has no numbers, whatever its row holds; no reason is a reason. */
static void test_failed_rows(void **state) {
    const recording *r = *state;
    judge *j =
        replayed(r,
                 "{\"pair_id\":\"p\",\"order\":\"12\",\"sample\":0,\"verdict\":null,"
                 "\"score_1\":5,\"score_2\":6}\n",
                 NULL);
    judge_reply reply = ask_pair(j, "p", EH_ORDER_12, 0);
    assert_int_equal(reply.recorded.verdict, EH_VERDICT_NONE);
    assert_int_equal(reply.recorded.reason, VERDICT_REASON_UNSPECIFIED);
    assert_false(reply.recorded.has_scores);
    judge_close(j);
}

static void test_what_was_not_recorded(void **state) {
    const recording *r = *state;
    judge *j = replayed(
        r, "{\"pair_id\":\"p\",\"order\":\"12\",\"sample\":1,\"verdict\":\"2\"}\n",
        NULL);
    static const struct {
        const char *pair_id;
        eh_order order;
        int sample;
    } absent[] = {{"p", EH_ORDER_12, 0},
                  {"p", EH_ORDER_21, 1},
                  {"q", EH_ORDER_12, 1},
                  {"", EH_ORDER_12, 1}};
    for (size_t i = 0; i < sizeof absent / sizeof absent[0]; i++) {
        judge_reply reply =
            ask_pair(j, absent[i].pair_id, absent[i].order, absent[i].sample);
        assert_int_equal(reply.outcome, JUDGE_OUTCOME_FAILED);
        assert_int_equal(reply.recorded.reason, VERDICT_REASON_NOT_RECORDED);
    }
    judge_close(j);
}

/* The newest row with a verdict counts; a later failure does not erase it. */
static void test_which_row_counts(void **state) {
    const recording *r = *state;
    judge *j = replayed(
        r,
        "{\"pair_id\":\"a\",\"order\":\"12\",\"sample\":0,\"verdict\":\"1\",\"reply\":"
        "\"old\"}\n"
        "{\"pair_id\":\"a\",\"order\":\"12\",\"sample\":0,\"verdict\":\"2\",\"reply\":"
        "\"new\"}\n"
        "{\"pair_id\":\"a\",\"order\":\"12\",\"sample\":0,\"verdict\":null,\"reason\":"
        "\"empty\","
        "\"reply\":\"\"}\n"
        "{\"pair_id\":\"b\",\"order\":\"12\",\"sample\":0,\"verdict\":null,\"reason\":"
        "\"empty\"}\n"
        "{\"pair_id\":\"b\",\"order\":\"12\",\"sample\":0,\"verdict\":null,\"reason\":"
        "\"truncated\"}\n"
        "{\"pair_id\":\"c\",\"order\":\"12\",\"sample\":0,\"verdict\":null,\"reason\":"
        "\"empty\"}\n"
        "{\"pair_id\":\"c\",\"order\":\"12\",\"sample\":0,\"verdict\":\"tie\"}\n",
        NULL);
    judge_reply reply = ask_pair(j, "a", EH_ORDER_12, 0);
    assert_int_equal(reply.recorded.verdict, EH_VERDICT_2);
    assert_text(reply.reply.content, "new");
    reply = ask_pair(j, "b", EH_ORDER_12, 0);
    assert_int_equal(reply.recorded.reason, VERDICT_REASON_TRUNCATED);
    reply = ask_pair(j, "c", EH_ORDER_12, 0);
    assert_int_equal(reply.recorded.verdict, EH_VERDICT_TIE);
    assert_int_equal(reply.recorded.reason, VERDICT_REASON_NONE);
    judge_close(j);
}

/* More rows than the first table has room for, and longer texts. */
static void test_many_rows(void **state) {
    const recording *r = *state;
    FILE *f = fopen(r->path, "wb");
    assert_non_null(f);
    for (int i = 0; i < 3000; i++)
        (void)fprintf(f,
                      "{\"pair_id\":\"p%d\",\"order\":\"%s\",\"sample\":%d,"
                      "\"verdict\":\"%d\",\"reply\":\"%*d\"}\n",
                      i / 2, i % 2 ? "21" : "12", i % 64, 1 + i % 2, i % 5000, i);
    assert_int_equal(fclose(f), 0);
    judge *j = judge_made(spec_of(r, NULL));
    for (int i = 2999; i >= 0; i -= 7) {
        char id[16], text[5001];
        (void)snprintf(id, sizeof id, "p%d", i / 2);
        (void)snprintf(text, sizeof text, "%*d", i % 5000, i);
        judge_reply reply = ask_pair(j, id, i % 2 ? EH_ORDER_21 : EH_ORDER_12, i % 64);
        assert_int_equal(reply.outcome, JUDGE_OUTCOME_RECORDED);
        assert_int_equal(reply.recorded.verdict,
                         EH_VERDICT_1); /* always the first slot */
        assert_text(reply.reply.content, text);
    }
    judge_close(j);
}

/* Replies are read again by a template; rows without one stay as recorded. */
static void test_reread(void **state) {
    const recording *r = *state;
    prompt_template *t;
    judge *j;
    eh_error err;
    judge_open_args args = judge_args(1);
    write_rows(r,
               "{\"pair_id\":\"a\",\"order\":\"21\",\"sample\":0,\"verdict\":\"1\","
               "\"reply\":\"[[A]]\"}\n"
               "{\"pair_id\":\"b\",\"order\":\"21\",\"sample\":0,\"verdict\":\"1\"}\n");
    assert_ok(prompt_template_builtin(EH_STR("compare"), &t, &err), err);
    args.reread = t;
    assert_ok(judge_open(eh_str_of(spec_of(r, NULL)), &args, &j, &err), err);
    judge_reply reply = ask_pair(j, "a", EH_ORDER_21, 0);
    assert_int_equal(reply.outcome, JUDGE_OUTCOME_REPLY);
    assert_int_equal(read_made(&reply, VERDICT_FORM_COMPARE).verdict, EH_VERDICT_1);
    reply = ask_pair(j, "b", EH_ORDER_21, 0);
    assert_int_equal(reply.outcome, JUDGE_OUTCOME_RECORDED);
    assert_int_equal(reply.recorded.verdict, EH_VERDICT_2);
    judge_close(j);
    prompt_template_free(t);
}

/* ---- judges and ids ---- */

static const char two_judges[] =
    "{\"pair_id\":\"p\",\"judge\":\"m/"
    "1\",\"order\":\"12\",\"sample\":0,\"verdict\":\"1\"}\n"
    "{\"pair_id\":\"p\",\"judge\":\"m/"
    "2\",\"order\":\"12\",\"sample\":0,\"verdict\":\"2\"}\n";

static void test_one_of_several_judges(void **state) {
    const recording *r = *state;
    judge *j = replayed(r, two_judges, "m/2");
    judge_reply reply = ask_pair(j, "p", EH_ORDER_12, 0);
    assert_int_equal(reply.recorded.verdict, EH_VERDICT_2);
    assert_true(eh_str_begins(j->id, EH_STR("replay:rows.jsonl#m/2@")));
    judge_close(j);
    judge_refused(spec_of(r, NULL), EH_STATUS_USAGE, "holds several judges");
    judge_refused(spec_of(r, "m/3"), EH_STATUS_DATA, "no judgments of judge 'm/3'");
}

static void test_id_follows_the_content(void **state) {
    const recording *r = *state;
    char first[120];
    static const char row[] = "{\"pair_id\":\"p\",\"judge\":\"m\",\"order\":\"12\","
                              "\"sample\":0,\"verdict\":\"1\"}\n";
    judge *j = replayed(r, row, NULL);
    (void)snprintf(first, sizeof first, "%.*s", EH_STR_ARG(j->id));
    assert_int_equal(strlen(first), strlen("replay:rows.jsonl#m@") + 8); /* no folder */
    judge_close(j);
    j = replayed(r, row, "m"); /* named or not, it is the same judge */
    assert_text(j->id, first);
    judge_close(j);
    static const char *const others[] = {
        "{\"pair_id\":\"p\",\"judge\":\"m\",\"order\":\"12\",\"sample\":0,\"verdict\":"
        "\"2\"}\n",
        "{\"pair_id\":\"p\",\"judge\":\"m\",\"order\":\"12\",\"sample\":1,\"verdict\":"
        "\"1\"}\n",
        "{\"pair_id\":\"p\",\"judge\":\"m\",\"order\":\"21\",\"sample\":0,\"verdict\":"
        "\"1\"}\n",
        "{\"pair_id\":\"q\",\"judge\":\"m\",\"order\":\"12\",\"sample\":0,\"verdict\":"
        "\"1\"}\n",
        "{\"pair_id\":\"p\",\"judge\":\"m\",\"order\":\"12\",\"sample\":0,\"verdict\":"
        "\"1\","
        "\"reply\":\"\"}\n",
        "{\"pair_id\":\"p\",\"judge\":\"m\",\"order\":\"12\",\"sample\":0,\"verdict\":"
        "\"1\","
        "\"score_1\":2,\"score_2\":1}\n",
        "{\"pair_id\":\"p\",\"judge\":\"m\",\"order\":\"12\",\"sample\":0,\"verdict\":"
        "null,\"reason\":"
        "\"empty\"}\n",
        "{\"pair_id\":\"p\",\"judge\":\"m\",\"order\":\"12\",\"sample\":0,\"verdict\":"
        "null,\"reason\":"
        "\"refusal\"}\n",
    };
    char seen[8][120];
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        j = replayed(r, others[i], NULL);
        (void)snprintf(seen[i], sizeof seen[i], "%.*s", EH_STR_ARG(j->id));
        assert_string_not_equal(seen[i], first);
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(seen[i], seen[k]);
        judge_close(j);
    }
    j = replayed(
        r, "{\"pair_id\":\"p\",\"order\":\"12\",\"sample\":0,\"verdict\":\"1\"}\n",
        NULL);
    assert_true(
        eh_str_begins(j->id, EH_STR("replay:rows.jsonl#@"))); /* no name at all */
    judge_close(j);
}

/* ---- faults ---- */

static void test_faults(void **state) {
    const recording *r = *state;
    judge_refused("replay:", EH_STATUS_USAGE, "replay:FILE#JUDGE");
    judge_refused("replay:#m", EH_STATUS_USAGE, "replay:FILE#JUDGE");
    judge_refused("replay:/nowhere/at/all.jsonl", EH_STATUS_DATA,
                  "/nowhere/at/all.jsonl");
    write_rows(r, "");
    judge_refused(spec_of(r, NULL), EH_STATUS_DATA, "no judgments");
    write_rows(r,
               "{\"pair_id\":\"p\",\"order\":\"12\",\"sample\":0,\"verdict\":\"1\"}\n"
               "{\"pair_id\":\"p\",\"order\":\"13\",\"sample\":0}\n{\"x\n");
    judge_refused(spec_of(r, NULL), EH_STATUS_DATA, "line 2: wrong_type order");
    write_rows(r, "not json\n{}\n");
    judge_refused(spec_of(r, NULL), EH_STATUS_DATA, "line 1: bad_json");
}

/* ---- baselines ---- */

static eh_verdict baseline(const char *name, const char *question,
                           const char *reference, const char *first,
                           const char *second) {
    judge *j = judge_made(name);
    judge_shown shown = shown_made(question, first, second);
    shown.reference = eh_str_of(reference);
    judge_reply reply = ask(j, shown, 0);
    assert_int_equal(reply.outcome, JUDGE_OUTCOME_RECORDED);
    assert_false(j->uses_template);
    assert_text(j->id, name);
    eh_verdict verdict = reply.recorded.verdict;
    judge_close(j);
    shown.first = eh_str_of(second); /* no slot is seen */
    shown.second = eh_str_of(first);
    j = judge_made(name);
    reply = ask(j, shown, 5);
    assert_int_equal(reply.recorded.verdict, eh_verdict_mirror(verdict));
    judge_close(j);
    return verdict;
}

static void test_longest(void **state) {
    (void)state;
    assert_int_equal(baseline("longest", "q", NULL, "longer", "short"), EH_VERDICT_1);
    assert_int_equal(baseline("longest", "q", NULL, "", " "), EH_VERDICT_2);
    assert_int_equal(baseline("longest", "q", NULL, "same", "size"), EH_VERDICT_TIE);
    assert_int_equal(baseline("longest", "q", NULL, "\xE2\x82\xAC\xE2\x82\xAC", "abc"),
                     EH_VERDICT_2); /* characters, not bytes */
    judge_refused("longest:x", EH_STATUS_USAGE, "takes no parameters");
}

static void test_overlap(void **state) {
    (void)state;
    static const struct {
        const char *question, *reference, *first, *second;
        eh_verdict verdict;
    } cases[] = {
        {"red green blue", NULL, "Red, GREEN!", "blue", EH_VERDICT_1},
        {"red green blue", " ", "red red red", "blue green", EH_VERDICT_2},
        {"red green blue", "yellow", "red green blue", "yellow", EH_VERDICT_2},
        {"red", NULL, "red", "red and more", EH_VERDICT_TIE},
        {"reddish", NULL, "red", "dish", EH_VERDICT_TIE}, /* whole words */
        {"\xE4\xBD\xA0\xE5\xA5\xBD\xE5\x90\x97", NULL, "\xE4\xBD\xA0\xE5\xA5\xBD",
         "\xE5\x90\x97", EH_VERDICT_1},
        {"", "", "a", "b", EH_VERDICT_TIE},
        {"?!", NULL, "", "x", EH_VERDICT_TIE},
        {"version 2 of x86", NULL, "x86 2", "x 86", EH_VERDICT_1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        if (baseline("overlap", cases[i].question, cases[i].reference, cases[i].first,
                     cases[i].second) != cases[i].verdict)
            fail_msg("case %zu", i);
    judge_refused("overlap:k=1", EH_STATUS_USAGE, "takes no parameters");
}

/* Options of endpoints make no sense here. */
static void test_endpoint_options_are_refused(void **state) {
    (void)state;
    judge *j;
    eh_error err;
    judge_http_options options = JUDGE_HTTP_DEFAULTS;
    judge_open_args args = judge_args(1);
    args.http = &options;
    assert_ok(judge_open(EH_STR("longest"), &args, &j, &err), err);
    judge_close(j);
    options.base_urls = EH_STR("http://127.0.0.1:9/v1");
    assert_fails(judge_open(EH_STR("longest"), &args, &j, &err), EH_STATUS_USAGE, err,
                 "--base-url is for endpoints");
    options = JUDGE_HTTP_DEFAULTS;
    options.rpm = 5;
    assert_fails(judge_open(EH_STR("sim"), &args, &j, &err), EH_STATUS_USAGE, err,
                 "--rpm");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_samples_come_back_in_slots),
        cmocka_unit_test(test_failed_rows),
        cmocka_unit_test(test_what_was_not_recorded),
        cmocka_unit_test(test_which_row_counts),
        cmocka_unit_test(test_many_rows),
        cmocka_unit_test(test_reread),
        cmocka_unit_test(test_one_of_several_judges),
        cmocka_unit_test(test_id_follows_the_content),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_longest),
        cmocka_unit_test(test_overlap),
        cmocka_unit_test(test_endpoint_options_are_refused),
    };
    return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
