/* SPDX-License-Identifier: MIT
 *
 * Rows of judgments and of labels.
 */
#include "dataset_stage.h"

#include "base/json_write.h"
#include "base/rng.h"
#include "dataset/judgments.h"
#include "dataset/judgments_plain.h"
#include "dataset/labels.h"
#include "unit.h"

typedef struct kept_judgments {
    memory_stage *m;
    dataset_judgment rows[20];
    size_t n;
} kept_judgments;

static eh_status keep_judgment(void *self, const dataset_judgment *j, eh_error *err) {
    kept_judgments *k = self;
    (void)err;
    dataset_judgment *copy = &k->rows[k->n++];
    *copy = *j;
    copy->pair_id = memory_keep(k->m, j->pair_id);
    copy->judge = memory_keep(k->m, j->judge);
    copy->reply = memory_keep(k->m, j->reply);
    copy->finish_reason = memory_keep(k->m, j->finish_reason);
    copy->reasoning_content = memory_keep(k->m, j->reasoning_content);
    copy->refusal = memory_keep(k->m, j->refusal);
    copy->reason = memory_keep(k->m, j->reason);
    return EH_STATUS_OK;
}

static kept_judgments read_judgments(const char *name, const char *text) {
    kept_judgments k = {.m = memory_new()};
    dataset_judgment_sink sink = {.self = &k, .take = keep_judgment};
    assert_int_equal(dataset_read_judgments(memory_file(k.m, name, eh_str_of(text)),
                                            &sink, &k.m->sink, &k.m->counts, &k.m->err),
                     EH_STATUS_OK);
    return k;
}

#define KEY "\"pair_id\":7,\"order\":\"21\",\"sample\":0"

static void test_judgments(void **state) {
    (void)state;
    kept_judgments k = read_judgments(
        "j.jsonl",
        "{\"pair_id\":\"p\",\"judge\":\"x/"
        "y\",\"order\":12,\"sample\":3,\"reply\":\"r\","
        "\"verdict\":\"tie\",\"score_1\":7.5,\"score_2\":-1,\"reason\":null,\"more\":[]"
        "}\n"
        "{" KEY ",\"verdict\":null,\"reason\":\"no_verdict\",\"score_1\":1}\n"
        "{" KEY ",\"reply\":\"\",\"verdict\":2}\n"
        "{" KEY ",\"reply\":null,\"verdict\":\"1\"}\n"
        "{" KEY ",\"reply\":{\"content\":\"c\",\"finish_reason\":\"length\","
        "\"reasoning_content\":\"think\",\"refusal\":\"no\",\"tool_calls\":[]}}\n"
        "{" KEY ",\"reply\":{\"content\":null}}");
    assert_int_equal(k.m->n_faults, 0);
    assert_int_equal(k.m->counts.n_rows, 6);
    const dataset_judgment *j = &k.rows[0];
    assert_str(j->pair_id, "p");
    assert_str(j->judge, "x/y");
    assert_int_equal(j->order, EH_ORDER_12);
    assert_int_equal(j->sample, 3);
    assert_true(j->has_reply);
    assert_str(j->reply, "r");
    assert_int_equal(j->verdict, EH_VERDICT_TIE);
    assert_true(j->has_scores);
    assert_true(j->score_1 == 7.5 && j->score_2 == -1);
    assert_true(eh_str_is_absent(j->reason));
    assert_int_equal(j->line, 1);
    j = &k.rows[1];
    assert_str(j->pair_id, "7");
    assert_int_equal(j->order, EH_ORDER_21);
    assert_true(eh_str_is_absent(j->judge));
    assert_false(j->has_reply);
    assert_int_equal(j->verdict, EH_VERDICT_NONE);
    assert_false(j->has_scores);
    assert_str(j->reason, "no_verdict");
    assert_true(k.rows[2].has_reply);
    assert_int_equal(k.rows[2].verdict, EH_VERDICT_2);
    assert_false(k.rows[3].has_reply);
    j = &k.rows[4];
    assert_str(j->reply, "c");
    assert_str(j->finish_reason, "length");
    assert_str(j->reasoning_content, "think");
    assert_str(j->refusal, "no");
    assert_true(k.rows[5].has_reply);
    assert_false(eh_str_is_absent(k.rows[5].reply));
    memory_free(k.m);
}

static void test_bad_judgments(void **state) {
    (void)state;
    static const struct {
        const char *row, *field;
        dataset_fault_kind kind;
    } rows[] = {
        {"{\"order\":\"12\",\"sample\":0,\"verdict\":null}", "pair_id",
         DATASET_FAULT_MISSING_FIELD},
        {"{\"pair_id\":1,\"sample\":0,\"verdict\":null}", "order",
         DATASET_FAULT_MISSING_FIELD},
        {"{\"pair_id\":1,\"order\":\"12\",\"verdict\":null}", "sample",
         DATASET_FAULT_MISSING_FIELD},
        {"{" KEY "}", "verdict", DATASET_FAULT_MISSING_FIELD},
        {"{\"pair_id\":1,\"order\":\"1\",\"sample\":0,\"verdict\":null}", "order",
         DATASET_FAULT_WRONG_TYPE},
        {"{\"pair_id\":1,\"order\":null,\"sample\":0,\"verdict\":null}", "order",
         DATASET_FAULT_WRONG_TYPE},
        {"{\"pair_id\":1,\"order\":\"12\",\"sample\":-1,\"verdict\":null}", "sample",
         DATASET_FAULT_WRONG_TYPE},
        {"{\"pair_id\":1,\"order\":\"12\",\"sample\":\"0\",\"verdict\":null}", "sample",
         DATASET_FAULT_WRONG_TYPE},
        {"{\"pair_id\":1,\"order\":\"12\",\"sample\":1.5,\"verdict\":null}", "sample",
         DATASET_FAULT_WRONG_TYPE},
        {"{" KEY ",\"verdict\":\"A\"}", "verdict", DATASET_FAULT_WRONG_TYPE},
        {"{" KEY ",\"verdict\":\"\"}", "verdict", DATASET_FAULT_WRONG_TYPE},
        {"{" KEY ",\"verdict\":3}", "verdict", DATASET_FAULT_WRONG_TYPE},
        {"{" KEY ",\"verdict\":\"1\",\"score_1\":\"9\"}", "score_1",
         DATASET_FAULT_WRONG_TYPE},
        {"{" KEY ",\"verdict\":\"1\",\"score_2\":1e999}", "score_2",
         DATASET_FAULT_WRONG_TYPE},
        {"{" KEY ",\"verdict\":\"1\",\"reply\":7}", "reply", DATASET_FAULT_WRONG_TYPE},
        {"{" KEY ",\"verdict\":\"1\",\"reply\":{\"content\":7}}", "reply",
         DATASET_FAULT_WRONG_TYPE},
        {"{" KEY ",\"verdict\":\"1\",\"reason\":{}}", "reason",
         DATASET_FAULT_WRONG_TYPE},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        kept_judgments k = read_judgments("j.jsonl", rows[i].row);
        const dataset_fault *f = only_fault(k.m, rows[i].kind);
        assert_str(f->field, rows[i].field);
        assert_int_equal(f->line, 1);
        assert_int_equal(k.n, 0);
        memory_free(k.m);
    }
}

static void test_cut_line(void **state) {
    (void)state;
    static const struct {
        const char *tail;
        dataset_fault_kind kind; /* N: none */
    } tails[] = {
        {"{\"pair_id\":7,\"or", DATASET_FAULT_CUT_LINE},
        {"{\"pair_id\":\"\xC3", DATASET_FAULT_CUT_LINE},
        {"{", DATASET_FAULT_CUT_LINE},
        {"{\"pair_id\":7,\"or\n", DATASET_FAULT_BAD_JSON},
        {"{\"pair_id\":7,\"or\n\n", DATASET_FAULT_BAD_JSON},
        {"{} {\"pair_id\"", DATASET_FAULT_TRAILING_DATA},
        {"[]", DATASET_FAULT_NOT_AN_OBJECT},
        {"{" KEY ",\"verdict\":\"1\"}", DATASET_FAULT_N},
    };
    for (size_t i = 0; i < sizeof tails / sizeof tails[0]; i++) {
        char text[300];
        (void)snprintf(text, sizeof text, "{" KEY ",\"verdict\":\"1\"}\n%s",
                       tails[i].tail);
        kept_judgments k = read_judgments("j.jsonl", text);
        if (tails[i].kind == DATASET_FAULT_N) {
            assert_int_equal(k.m->n_faults, 0);
            assert_int_equal(k.n, 2);
        } else {
            assert_int_equal(only_fault(k.m, tails[i].kind)->line, 2);
            assert_int_equal(k.n, 1);
        }
        memory_free(k.m);
    }
}

static void test_judgments_csv(void **state) {
    (void)state;
    kept_judgments k =
        read_judgments("j.csv", "pair_id,order,sample,verdict,score_1,score_2,reply\n"
                                "p,12,0,tie,8,8.5,\"two\nlines\"\n"
                                "p,21,1,,,,\n"
                                "p,21,x,1,,,\n");
    assert_int_equal(k.n, 2);
    assert_str(only_fault(k.m, DATASET_FAULT_WRONG_TYPE)->field, "sample");
    assert_int_equal(k.m->faults[0].line, 5);
    assert_int_equal(k.rows[0].verdict, EH_VERDICT_TIE);
    assert_true(k.rows[0].has_scores && k.rows[0].score_2 == 8.5);
    assert_str(k.rows[0].reply, "two\nlines");
    assert_int_equal(k.rows[1].sample, 1);
    assert_int_equal(k.rows[1].verdict, EH_VERDICT_NONE);
    assert_false(k.rows[1].has_reply);
    memory_free(k.m);
}

static eh_status refuse_judgment(void *self, const dataset_judgment *j, eh_error *err) {
    (void)self, (void)j;
    return EH_FAIL(err, EH_STATUS_LEDGER, "no room");
}

static void test_judgment_sink_fails(void **state) {
    (void)state;
    memory_stage *m = memory_new();
    dataset_judgment_sink sink = {.take = refuse_judgment};
    const char *path = memory_file(m, "j", EH_STR("{" KEY ",\"verdict\":\"1\"}"));
    assert_int_equal(dataset_read_judgments(path, &sink, NULL, &m->counts, NULL),
                     EH_STATUS_LEDGER);
    memory_free(m);
}

/* ---- the quick way ---- */

/* What is handed out of a row, as text. */
static eh_status write_row(void *self, const dataset_judgment *j, eh_error *err) {
    eh_buf *out = self;
    const eh_str texts[] = {j->pair_id,       j->judge,   j->reply,
                            j->finish_reason, j->refusal, j->reasoning_content,
                            j->reason};
    (void)err;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        buf_printf(out, "%s", eh_str_is_absent(texts[i]) ? "-" : "+");
        json_quote(out, texts[i]);
    }
    buf_printf(out, " %d %lld %d %d %d %a %a %lld\n", (int)j->order,
               (long long)j->sample, j->has_reply, (int)j->verdict, j->has_scores,
               j->score_1, j->score_2, (long long)j->line);
    return EH_STATUS_OK;
}

static void read_all(const char *name, eh_str text, bool no_replies, eh_buf *out) {
    memory_stage *m = memory_new();
    dataset_judgment_sink sink = {out, write_row, no_replies};
    assert_int_equal(dataset_read_judgments(memory_file(m, name, text), &sink, &m->sink,
                                            &m->counts, &m->err),
                     EH_STATUS_OK);
    if (m->n_faults) buf_printf(out, "%zu faults", m->n_faults);
    memory_free(m);
}

/* Rows in every usual form, and pieces that damage makes of them. */
static const char *const row_forms[] = {
    "{\"pair_id\":\"p1\",\"judge\":\"x/y\",\"order\":\"12\",\"sample\":0,\"reply\":\"a "
    "\\\"b\\\"\\nc\\u00e9\\ud83d\\ude00 \\\\ d\",\"verdict\":\"1\",\"score_1\":8.5,"
    "\"score_2\":-3}",
    " { \"order\" : \"21\" , \"sample\" : 17 ,\t\"verdict\" : null , \"reason\" : "
    "\"no_verdict\" , \"pair_id\" : \"q\" } ",
    "{\"pair_id\":\"z\",\"judge\":null,\"order\":\"12\",\"sample\":3,\"reply\":\"Gr\xC3"
    "\xB6\xC3\x9F"
    "e \xE4\xB8\xAD\",\"verdict\":\"tie\",\"score_1\":null,\"score_2\":0}",
    "{\"pair_id\":\"n\",\"order\":\"21\",\"sample\":0,\"reply\":null,\"verdict\":"
    "\"2\"}",
    "{\"reply\":\"\",\"sample\":1,\"order\":\"12\",\"pair_id\":\"e\"}",
};

/* Changes up to three places: a byte, a character that matters, a piece left out. */
static size_t damage(eh_rng *rng, char *line, size_t len) {
    static const char chars[] = "{}[]\",:\\0u-.e \x01\xC3\xED";
    for (uint64_t n = rng_below(rng, 4); n > 0 && len > 4; n--) {
        size_t at = (size_t)rng_below(rng, len);
        switch (rng_below(rng, 3)) {
        case 0:
            line[at] = (char)(rng_below(rng, 8) ? 0x20 + rng_below(rng, 95)
                                                : 1 + rng_below(rng, 255));
            break;
        case 1: line[at] = chars[rng_below(rng, sizeof chars - 1)]; break;
        default: {
            size_t cut = 1 + (size_t)rng_below(rng, 4);
            if (at + cut > len) cut = len - at;
            memmove(line + at, line + at + cut, len - at - cut);
            len -= cut;
        }
        }
    }
    for (size_t i = 0; i < len; i++)
        if (line[i] == '\n') line[i] = ' ';
    return len;
}

/* Whatever the quick way takes, the general reader reads as the same, without a word.
 * It is sent there by a member that belongs to nobody. */
static void test_plain_is_what_the_reader_says(void **state) {
    (void)state;
    enum { N_FORMS = sizeof row_forms / sizeof row_forms[0], ROUNDS = 60000 };
    eh_rng rng = rng_make(1, "test.plain", 0);
    eh_buf plain, general, lines, other_lines;
    eh_buf *all[] = {&plain, &general, &lines, &other_lines};
    int n_plain = 0, n_damaged = 0;
    for (size_t i = 0; i < 4; i++)
        buf_init(all[i], 64 << 20);
    for (int round = 0; round < ROUNDS; round++) {
        char line[400];
        size_t len = strlen(row_forms[round % N_FORMS]);
        memcpy(line, row_forms[round % N_FORMS], len);
        if (round >= N_FORMS) len = damage(&rng, line, len);
        plain_judgment row;
        if (!judgment_read_plain((eh_str){line, len}, &row)) {
            if (round < N_FORMS) fail_msg("form %d is not plain", round);
            continue;
        }
        n_plain++;
        n_damaged += memcmp(line, row_forms[round % N_FORMS], len) != 0;
        const char *brace = memchr(line, '{', len);
        buf_add(&lines, line, len);
        buf_add_char(&lines, '\n');
        buf_add(&other_lines, line, (size_t)(brace + 1 - line));
        buf_add_cstr(&other_lines, "\"nobody's\":[],");
        buf_add(&other_lines, brace + 1, len - (size_t)(brace + 1 - line));
        buf_add_char(&other_lines, '\n');
    }
    assert_true(n_plain > ROUNDS / 5 && n_damaged > ROUNDS / 100);
    for (int no_replies = 0; no_replies < 2; no_replies++) {
        buf_reset(&plain);
        buf_reset(&general);
        read_all("plain.jsonl", buf_view(&lines), no_replies, &plain);
        read_all("general.jsonl", buf_view(&other_lines), no_replies, &general);
        assert_true(count_of(buf_view(&plain), EH_STR("\n")) == (size_t)n_plain);
        assert_true(eh_str_eq(buf_view(&plain), buf_view(&general)));
    }
    for (size_t i = 0; i < 4; i++)
        buf_deinit(all[i]);
}

/* What is not plain, although it is a row. */
static void test_not_plain(void **state) {
    (void)state;
    static const char *const lines[] = {
        "{" KEY ",\"verdict\":\"1\"}", /* KEY has an id that is a number */
        "{\"pair_id\":\"p\",\"order\":12,\"sample\":0,\"verdict\":\"1\"}",
        "{\"pair_id\":\"p\",\"order\":\"12\",\"sample\":0,\"reply\":{}}",
        "{\"pair_id\":\"p\",\"order\":\"12\",\"sample\":0,\"verdict\":2}",
        "{\"pair_id\":\"p\",\"order\":\"12\",\"sample\":0,\"reply\":\"\\u0000\"}",
        "{\"pair_id\":\"p\",\"order\":\"12\",\"sample\":0,\"reply\":\"\\ud800\"}",
        "{\"pair_id\":\"p\",\"order\":\"12\",\"sample\":0,\"reply\":\"\\udc00\"}",
        "{\"pair_id\":\"\\u0070\",\"order\":\"12\",\"sample\":0,\"verdict\":\"1\"}",
        "{\"pair_id\":\"p\",\"order\":\"12\",\"sample\":0}",
        "{\"pair_id\":\"p\",\"order\":\"12\",\"sample\":0,\"verdict\":\"1\",\"more\":"
        "1}",
        "{\"pair_id\":\"p\",\"order\":\"12\",\"sample\":0,\"sample\":0,\"verdict\":"
        "null}",
        "{\"pair_id\":\"p\",\"order\":\"12\",\"sample\":0,\"verdict\":\"1\"} x",
        "{\"pair_id\":\"p\",\"order\":\"12\",\"sample\":0,\"verdict\":\"1\",}",
        "{\"pair_id\":\"p\",\"order\":\"12\",\"sample\":-0,\"verdict\":\"1\"}",
        "{\"pair_id\":\"p\",\"order\":\"12\",\"sample\":0,\"verdict\":\"A\"}",
        "{\"pair_id\":\"\",\"order\":\"12\",\"sample\":0,\"verdict\":\"1\"}",
        "{\"pair_id\":\"p\",\"order\":\"12\",\"sample\":0,\"reply\":\"\\x\"}",
        "{\"pair_id\":\"p\",\"order\":\"12\",\"sample\":0,\"reply\":\"\xED\xA0\x80\"}",
        "\xEF\xBB\xBF{\"pair_id\":\"p\",\"order\":\"12\",\"sample\":0,\"verdict\":"
        "null}",
        "[]",
        "",
    };
    plain_judgment row;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        if (judgment_read_plain(eh_str_of(lines[i]), &row)) fail_msg("%s", lines[i]);
    assert_false(
        judgment_read_plain(EH_STR("{\"pair_id\":\"p\",\"order\":\"12\",\"sample"
                                   "\":0,\"reply\":\"\\\0\"}"),
                            &row)); /* a backslash before a NUL */
}

typedef struct kept_labels {
    memory_stage *m;
    dataset_label rows[20];
    size_t n;
} kept_labels;

static eh_status keep_label(void *self, const dataset_label *label, eh_error *err) {
    kept_labels *k = self;
    (void)err;
    dataset_label *copy = &k->rows[k->n++];
    *copy = *label;
    copy->pair_id = memory_keep(k->m, label->pair_id);
    copy->annotator = memory_keep(k->m, label->annotator);
    copy->note = memory_keep(k->m, label->note);
    copy->time = memory_keep(k->m, label->time);
    return EH_STATUS_OK;
}

static kept_labels read_labels(const char *name, const char *text) {
    kept_labels k = {.m = memory_new()};
    dataset_label_sink sink = {&k, keep_label};
    assert_int_equal(dataset_read_labels(memory_file(k.m, name, eh_str_of(text)), &sink,
                                         &k.m->sink, &k.m->counts, &k.m->err),
                     EH_STATUS_OK);
    return k;
}

static void test_labels(void **state) {
    (void)state;
    kept_labels k = read_labels(
        "l.jsonl",
        "{\"pair_id\":7,\"annotator\":\"ann\",\"label\":\"tie\"}\n"
        "{\"pair_id\":\"7\",\"annotator\":2,\"label\":1,\"side\":\"21\",\"familiar\":"
        "false,"
        "\"note\":\"n\",\"time\":1700000000000,\"else\":0}\n"
        "{\"pair_id\":7,\"annotator\":\"\",\"label\":\"2\"}\n"
        "{\"pair_id\":7,\"annotator\":\"a\",\"label\":\"left\"}\n"
        "{\"pair_id\":7,\"annotator\":\"a\",\"label\":null,\"side\":\"left\","
        "\"familiar\":\"yes\"}\n"
        "{\"pair_id\":7,\"annotator\":\"a\"");
    assert_int_equal(k.n, 2);
    assert_int_equal(k.m->counts.n_rows, 2);
    const dataset_label *l = &k.rows[0];
    assert_str(l->pair_id, "7");
    assert_str(l->annotator, "ann");
    assert_int_equal(l->label, EH_VERDICT_TIE);
    assert_false(l->has_side);
    assert_int_equal(l->familiar, -1);
    assert_true(eh_str_is_absent(l->note));
    l = &k.rows[1];
    assert_str(l->annotator, "2");
    assert_int_equal(l->label, EH_VERDICT_1);
    assert_true(l->has_side);
    assert_int_equal(l->side, EH_ORDER_21);
    assert_int_equal(l->familiar, 0);
    assert_str(l->note, "n");
    assert_str(l->time, "1700000000000");
    static const char *const fields[] = {"annotator", "label", "label", "side",
                                         "familiar"};
    assert_int_equal(k.m->n_faults, 6);
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(k.m->faults[i].kind, DATASET_FAULT_WRONG_TYPE);
        assert_str(k.m->faults[i].field, fields[i]);
    }
    /* labels are written whole: a cut line is an error */
    assert_int_equal(memory_fault(k.m, DATASET_FAULT_BAD_JSON)->line, 6);
    memory_free(k.m);
}

static void test_labels_csv(void **state) {
    (void)state;
    kept_labels k = read_labels("l.csv", "pair_id;annotator;label;familiar;time\n"
                                         "007;ann;1;TRUE;2026-01-01\n"
                                         "8;ann;tie;;\n"
                                         "9;ann;2;maybe;\n");
    assert_int_equal(k.n, 2);
    assert_str(k.rows[0].pair_id, "007");
    assert_int_equal(k.rows[0].familiar, 1);
    assert_str(k.rows[0].time, "2026-01-01");
    assert_int_equal(k.rows[1].familiar, -1);
    assert_str(only_fault(k.m, DATASET_FAULT_WRONG_TYPE)->detail,
               "true or false is needed, not a string (maybe)");
    memory_free(k.m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_judgments),
        cmocka_unit_test(test_bad_judgments),
        cmocka_unit_test(test_cut_line),
        cmocka_unit_test(test_judgments_csv),
        cmocka_unit_test(test_judgment_sink_fails),
        cmocka_unit_test(test_plain_is_what_the_reader_says),
        cmocka_unit_test(test_not_plain),
        cmocka_unit_test(test_labels),
        cmocka_unit_test(test_labels_csv),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
