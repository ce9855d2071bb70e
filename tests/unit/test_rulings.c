/* SPDX-License-Identifier: MIT
 *
 * Rulings as lines of JSON and CSV: every field, quoting, and one-order methods that
 * were asked both ways.
 */
#include "base/arena.h"
#include "base/json_read.h"
#include "plan_make.h"
#include "report/rulings.h"

#define V1 EH_VERDICT_1
#define V2 EH_VERDICT_2
#define VT EH_VERDICT_TIE
#define O12 EH_ORDER_12
#define O21 EH_ORDER_21

static const char head[] =
    "pair_id,judge,method,verdict,source,tie,none,score_1,score_2,vote,bpde,p_win,"
    "p_tie,p_lose,conflict,n_samples,n_failed,reasons,cost_usd\n";

typedef struct asked {
    const char *pair_id, *judge;
    plan_spec plan;
    plan_scale scale;
    plan_sample samples[8];
    size_t n;
    int64_t nusd; /* 0: unknown */
} asked;

static void write(report_format format, const asked *a, eh_buf *out) {
    plan_ruling ruling;
    eh_error err;
    plan_rule(&a->plan, a->scale, a->samples, a->n, &ruling);
    report_ruling_row row = {.pair_id = eh_str_of(a->pair_id),
                             .judge = eh_str_of(a->judge),
                             .plan = &a->plan,
                             .ruling = &ruling,
                             .samples = a->samples,
                             .n_samples = a->n,
                             .cost_nusd = a->nusd ? a->nusd : -1,
                             .order_nusd = {a->nusd ? a->nusd : -1, -1}};
    report_rulings_row(format, &row, out);
    assert_ok(buf_check(out, "rulings", &err), err);
}

static void check(report_format format, const asked *a, const char *expected) {
    eh_buf out;
    buf_init(&out, BUF_MAX_SMALL);
    write(format, a, &out);
    assert_text(buf_view(&out), expected);
    buf_deinit(&out);
}

static asked votes(const char *method, int k, const char *order) {
    return (asked){.pair_id = "p1", .judge = "sim", .plan = plan_of(method, k, order)};
}

static void test_head(void **state) {
    (void)state;
    eh_buf out;
    buf_init(&out, BUF_MAX_SMALL);
    report_rulings_head(REPORT_FORMAT_JSONL, false, &out);
    assert_int_equal(out.len, 0);
    report_rulings_head(REPORT_FORMAT_CSV, false, &out);
    assert_text(buf_view(&out), head);
    buf_deinit(&out);
}

static void test_scores(void **state) {
    (void)state;
    asked a = votes("bpc", 1, NULL);
    a.scale = PLAN_SCALE_SCORES;
    a.samples[0] = scores_of(O12, 0, 9, 5);
    a.samples[1] = scores_of(O21, 0, 6, 6.5);
    a.n = 2;
    a.nusd = 2500000;
    check(REPORT_FORMAT_JSONL, &a,
          "{\"pair_id\": \"p1\", \"judge\": \"sim\", \"method\": \"bpc\", \"verdict\": "
          "\"1\", \"source\": \"auto\", \"tie\": null, \"none\": null, \"score_1\": "
          "7.5, \"score_2\": 5.75, \"vote\": 0, \"bpde\": 0.6931471805599453, "
          "\"p_win\": 0.5, \"p_tie\": 0, \"p_lose\": 0.5, \"conflict\": true, "
          "\"n_samples\": 2, \"n_failed\": 0, \"reasons\": null, \"cost_usd\": "
          "0.0025}\n");
    check(REPORT_FORMAT_CSV, &a,
          "p1,sim,bpc,1,auto,,,7.5,5.75,0,0.6931471805599453,0.5,0,0.5,true,2,0,,0."
          "0025\n");
}

/* On votes there are no scores to write. */
static void test_ties(void **state) {
    (void)state;
    asked a = votes("bpc", 1, NULL);
    a.samples[0] = vote_of(O12, 0, V1);
    a.samples[1] = vote_of(O21, 0, V2);
    a.n = 2;
    check(
        REPORT_FORMAT_CSV, &a,
        "p1,sim,bpc,tie,auto,from_conflict,,,,0,0.6931471805599453,0.5,0,0.5,true,2,0,,"
        "\n");
    a.samples[0].verdict = a.samples[1].verdict = VT;
    check(REPORT_FORMAT_CSV, &a,
          "p1,sim,bpc,tie,auto,agreed,,,,0,0,0,1,0,false,2,0,,\n");
}

static void test_none(void **state) {
    (void)state;
    asked a = votes("mec+bpc", 2, NULL);
    a.samples[0] = vote_of(O12, 0, V1);
    a.samples[1] = vote_of(O12, 1, V1);
    a.samples[2] = vote_of(O21, 0, EH_VERDICT_NONE);
    a.samples[3] = vote_of(O21, 1, EH_VERDICT_NONE);
    a.samples[4] = vote_of(O21, 2, EH_VERDICT_NONE); /* beyond k */
    a.samples[2].reason = VERDICT_REASON_TRUNCATED;
    a.samples[3].reason = VERDICT_REASON_REFUSAL;
    a.n = 5;
    check(REPORT_FORMAT_CSV, &a,
          "p1,sim,mec+bpc,,,,one_order_failed,,,,0,1,0,0,,4,2,\"refusal 1, truncated "
          "1\",\n");
    a.n = 2;
    check(REPORT_FORMAT_CSV, &a, "p1,sim,mec+bpc,,,,not_asked,,,,0,1,0,0,,2,0,,\n");
    a.n = 0;
    check(REPORT_FORMAT_CSV, &a, "p1,sim,mec+bpc,,,,not_asked,,,,,,,,,0,0,,\n");
    check(
        REPORT_FORMAT_JSONL, &a,
        "{\"pair_id\": \"p1\", \"judge\": \"sim\", \"method\": \"mec+bpc\", "
        "\"verdict\": null, \"source\": null, \"tie\": null, \"none\": \"not_asked\", "
        "\"score_1\": null, \"score_2\": null, \"vote\": null, \"bpde\": null, "
        "\"p_win\": null, \"p_tie\": null, \"p_lose\": null, \"conflict\": null, "
        "\"n_samples\": 0, \"n_failed\": 0, \"reasons\": null, \"cost_usd\": null}\n");
}

/* One-order methods asked both ways: a line an order, each with its own reasons. */
static void test_side_by_side(void **state) {
    (void)state;
    asked a = votes("vanilla", 1, "both");
    a.samples[0] = vote_of(O12, 0, V1);
    a.samples[1] = vote_of(O21, 0, EH_VERDICT_NONE);
    a.samples[1].reason = VERDICT_REASON_EMPTY;
    a.n = 2;
    a.nusd = 1250000; /* of order 12; that of 21 is unknown */
    eh_buf out;
    buf_init(&out, BUF_MAX_SMALL);
    write(REPORT_FORMAT_CSV, &a, &out);
    eh_str rest = buf_view(&out), first, second;
    assert_true(eh_str_split(&rest, '\n', &first));
    assert_true(eh_str_split(&rest, '\n', &second));
    assert_text(first, "p1,sim,vanilla:12,1,auto,,,,,1,,,,,,1,0,,0.00125");
    assert_true(eh_str_begins(second, EH_STR("p1,sim,vanilla:21,,,,")));
    assert_true(eh_str_ends(second, EH_STR(",1,1,empty 1,")));
    assert_text(rest, "");
    buf_reset(&out);
    a.n = 1; /* order 21 was not asked, which is no failure */
    write(REPORT_FORMAT_CSV, &a, &out);
    assert_holds(buf_view(&out), "p1,sim,vanilla:21,,,,not_asked,,,,,,,,,0,0,,\n");
    buf_deinit(&out);
}

static void test_one_order(void **state) {
    (void)state;
    asked a = votes("mec", 2, "21");
    a.samples[0] = vote_of(O21, 0, V2);
    a.samples[1] = vote_of(O21, 1, VT);
    a.samples[2] = vote_of(O12, 0, V1); /* another order: left out */
    a.n = 3;
    check(REPORT_FORMAT_CSV, &a,
          "p1,sim,mec,2,auto,,,,,-0.5,0.6931471805599453,0,0.5,0.5,,2,0,,\n");
}

/* A CSV field that holds a separator, a quote or a line end is quoted, and an empty one
 * is told from a missing one. */
static void test_quoting(void **state) {
    (void)state;
    static const struct {
        const char *text, *csv;
    } rows[] = {
        {"plain", "plain"},
        {"a,b", "\"a,b\""},
        {"say \"x\"", "\"say \"\"x\"\"\""},
        {"two\nlines", "\"two\nlines\""},
        {"cr\r", "\"cr\r\""},
        {"", "\"\""},
        {"semi;colon", "semi;colon"},
        {" space ", " space "},
        {"né", "né"},
    };
    asked a = votes("bpc", 1, NULL);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        eh_buf out;
        char begin[64];
        buf_init(&out, BUF_MAX_SMALL);
        a.pair_id = rows[i].text;
        write(REPORT_FORMAT_CSV, &a, &out);
        (void)snprintf(begin, sizeof begin, "%s,sim,bpc,", rows[i].csv);
        if (!eh_str_begins(buf_view(&out), eh_str_of(begin)))
            fail_msg("%.*s does not begin with %s", EH_STR_ARG(buf_view(&out)), begin);
        buf_deinit(&out);
    }
}

/* What is written as JSON reads back as it was. */
static void test_json_reads_back(void **state) {
    (void)state;
    asked a = votes("bpc", 1, NULL);
    eh_arena arena;
    eh_buf out;
    json_fault fault;
    json_reader *reader = json_reader_new();
    arena_init(&arena, 1 << 20);
    buf_init(&out, BUF_MAX_SMALL);
    a.pair_id = "a \"quoted\"\n\\ id";
    a.judge = "sim:first=2";
    write(REPORT_FORMAT_JSONL, &a, &out);
    assert_int_equal(count_of(buf_view(&out), EH_STR("\n")), 1);
    const json_value *v = json_read(reader, &arena, buf_view(&out), &fault);
    assert_non_null(v);
    assert_null(json_duplicate_key(v));
    assert_int_equal(v->n, count_of(eh_str_of(head), EH_STR(",")) + 1);
    assert_text(json_get_str(v, "pair_id"), a.pair_id);
    assert_text(json_get_str(v, "judge"), a.judge);
    eh_str rest = eh_str_slice(eh_str_of(head), 0, sizeof head - 2), name;
    for (const json_value *m = v->child; m; m = m->next) {
        assert_true(eh_str_split(&rest, ',', &name));
        assert_same(m->key, name); /* the columns of the CSV, in their order */
    }
    json_reader_free(reader);
    arena_deinit(&arena);
    buf_deinit(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_head),         cmocka_unit_test(test_scores),
        cmocka_unit_test(test_ties),         cmocka_unit_test(test_none),
        cmocka_unit_test(test_side_by_side), cmocka_unit_test(test_one_order),
        cmocka_unit_test(test_quoting),      cmocka_unit_test(test_json_reads_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
