/* SPDX-License-Identifier: MIT
 *
 * Other tools' files, in small: what each format gives, word for word; how files are
 * recognised; and what is wrong with those that are damaged, cut, mixed or of another
 * kind. The inputs are made up here after the tools' layouts.
 */
#include "base/buf.h"
#include "base/mem.h"
#include "import/import.h"
#include "ledger_make.h"

/* Everything that comes out, one line each. */
typedef struct reading {
    made_folder folder;
    ledger *l; /* keeps texts */
    dataset_stage texts;
    import_options options;
    import_file file;
    dataset_counts counts;
    eh_error err;
    eh_buf out, faults;
} reading;

static void add(eh_buf *out, const char *name, eh_str s) {
    if (eh_str_is_absent(s)) return;
    buf_printf(out, " %s=%.*s", name, EH_STR_ARG(s));
}

static eh_status take_pair(void *self, const dataset_pair *p, eh_str key,
                           eh_error *err) {
    reading *r = self;
    (void)err;
    buf_printf(&r->out, "pair %.*s", EH_STR_ARG(p->id));
    add(&r->out, "q", p->question);
    add(&r->out, "a1", p->answer_1);
    add(&r->out, "a2", p->answer_2);
    add(&r->out, "m1", p->model_1);
    add(&r->out, "m2", p->model_2);
    add(&r->out, "category", p->category);
    add(&r->out, "key", key);
    buf_add_char(&r->out, '\n');
    return EH_STATUS_OK;
}

static eh_status take_judgment(void *self, const dataset_judgment *j, eh_error *err) {
    reading *r = self;
    const char *verdict = eh_verdict_name(j->verdict);
    (void)err;
    buf_printf(&r->out, "judged %.*s %.*s %s %lld %s", EH_STR_ARG(j->pair_id),
               EH_STR_ARG(j->judge), eh_order_name(j->order), (long long)j->sample,
               verdict ? verdict : "-");
    add(&r->out, "reason", j->reason);
    if (j->has_scores) buf_printf(&r->out, " %g:%g", j->score_1, j->score_2);
    add(&r->out, "reply", j->reply);
    assert_int_equal(j->has_reply, !eh_str_is_absent(j->reply));
    buf_add_char(&r->out, '\n');
    return EH_STATUS_OK;
}

static eh_status take_label(void *self, const dataset_label *l, eh_error *err) {
    reading *r = self;
    (void)err;
    buf_printf(&r->out, "label %.*s %.*s %s\n", EH_STR_ARG(l->pair_id),
               EH_STR_ARG(l->annotator), eh_verdict_name(l->label));
    return EH_STATUS_OK;
}

static void take_fault(void *self, const dataset_fault *f) {
    reading *r = self;
    buf_printf(&r->faults, "%lld %s", (long long)f->line, dataset_fault_name(f->kind));
    if (f->field.len) buf_printf(&r->faults, " %.*s", EH_STR_ARG(f->field));
    if (f->detail.len) buf_printf(&r->faults, ": %.*s", EH_STR_ARG(f->detail));
    buf_add_char(&r->faults, '\n');
}

static void reading_init(reading *r) {
    *r = (reading){.folder = made_folder_new(), .l = ledger_made()};
    eh_error err;
    assert_ok(ledger_begin(r->l, &err), err);
    r->texts = ledger_stage(r->l);
    buf_init(&r->out, 1 << 20);
    buf_init(&r->faults, 1 << 20);
}

static void reading_free(reading *r) {
    buf_deinit(&r->out);
    buf_deinit(&r->faults);
    ledger_unmade(r->l);
    made_folder_free(&r->folder);
}

static eh_status read_text(reading *r, const char *name, const char *text) {
    const import_sink sink = {.self = r,
                              .pair = take_pair,
                              .judgment = take_judgment,
                              .label = take_label,
                              .texts = &r->texts};
    const dataset_faults faults = {r, take_fault};
    buf_reset(&r->out);
    buf_reset(&r->faults);
    buf_add_cstr(&r->out, "");
    buf_add_cstr(&r->faults, "");
    return import_read(made_file(&r->folder, name, text), &r->options, &sink, &faults,
                       &r->counts, &r->file, &r->err);
}

static void gives(reading *r, const char *name, const char *text, const char *title,
                  const char *wanted) {
    assert_ok(read_text(r, name, text), r->err);
    assert_text(buf_view(&r->faults), "");
    assert_string_equal(r->file.title, title);
    assert_text(buf_view(&r->out), wanted);
}

/* ---- each format ---- */

static void test_fastchat(void **state) {
    (void)state;
    reading r;
    reading_init(&r);
    const char *rows =
        "{\"question_id\":81,\"model_1\":\"a\",\"model_2\":\"b\",\"g1_winner\":\"model_"
        "1\","
        "\"g2_winner\":\"model_2\",\"judge\":[\"j\",\"pair-v2\"],\"g1_judgment\":\"[[A]"
        "]\","
        "\"g2_judgment\":\"[[A]] too\",\"turn\":1,\"tstamp\":1.5}\n"
        "{\"question_id\":81,\"model_1\":\"a\",\"model_2\":\"b\",\"g1_winner\":\"tie\","
        "\"g2_winner\":\"error\",\"judge\":[\"j\",\"pair-v2\"],\"turn\":2}\n";
    gives(&r, "pair.jsonl", rows, "FastChat judgments of pairs",
          "pair 81/1/a/b m1=a m2=b key=81/1\n"
          "judged 81/1/a/b j/pair-v2 12 -1 1 reply=[[A]]\n"
          "judged 81/1/a/b j/pair-v2 21 -1 2 reply=[[A]] too\n"
          "pair 81/2/a/b m1=a m2=b key=81/2\n"
          "judged 81/2/a/b j/pair-v2 12 -1 tie\n"
          "judged 81/2/a/b j/pair-v2 21 -1 - reason=no_verdict\n");
    assert_int_equal(r.file.orders, IMPORT_ORDERS_RECORDED);
    gives(
        &r, "q.jsonl",
        "{\"question_id\":81,\"category\":\"writing\",\"turns\":[\"one?\",\"two?\"]}\n",
        "FastChat questions or answers", "");
    assert_true(r.file.is_texts);
    gives(&r, "a.jsonl",
          "{\"question_id\":81,\"answer_id\":\"x\",\"model_id\":\"a\",\"choices\":[{"
          "\"index\":"
          "0,\"turns\":[\"a1\",\"a2\"]}]}\n"
          "{\"question_id\":81,\"answer_id\":\"y\",\"model_id\":\"b\",\"choices\":[{"
          "\"index\":"
          "0,\"turns\":[{\"content\":\"b1\"},{\"content\":\"b2\"}]}]}\n",
          "FastChat questions or answers", "");
    assert_ok(read_text(&r, "pair.jsonl", rows), r.err);
    assert_true(r.file.has_texts);
    assert_holds(
        buf_view(&r.out),
        "pair 81/1/a/b q=one? a1=a1 a2=b1 m1=a m2=b category=writing key=81/1\n");
    assert_holds(buf_view(&r.out),
                 "pair 81/2/a/b q=[Turn 1]\none?\n\n[Turn 2]\ntwo? a1=[Turn 1]\na1\n\n"
                 "[Turn 2]\na2 a2=[Turn 1]\nb1\n\n[Turn 2]\nb2 m1=a m2=b");
    /* graded one by one: scores without an order, once */
    gives(&r, "alone.jsonl",
          "{\"question_id\":\"z\",\"model_1\":\"a\",\"model_2\":\"b\",\"g1_winner\":"
          "\"model_2\","
          "\"g2_winner\":\"model_2\",\"judge\":\"j\",\"m1_score\":3,\"m2_score\":8.5}",
          "FastChat judgments of pairs",
          "pair z/1/a/b m1=a m2=b key=z/1\njudged z/1/a/b j 12 -1 2 3:8.5\n");
    reading_free(&r);
}

static void test_arena_hard(void **state) {
    (void)state;
    reading r;
    reading_init(&r);
    gives(&r, "v1.jsonl",
          "{\"question_id\":\"q\",\"model\":\"m\",\"judge\":\"j\",\"games\":[{\"user_"
          "prompt\":"
          "\"..\",\"judgment\":\"so: [[A>>B]]\",\"score\":\"A>>B\"},{\"judgment\":\"\","
          "\"score\":null}]}",
          "Arena-Hard judgments",
          "pair q/m/baseline m1=m m2=baseline key=q\n"
          "judged q/m/baseline j 21 -1 2 reply=so: [[A>>B]]\n"
          "judged q/m/baseline j 12 -1 - reason=no_verdict reply=\n");
    gives(&r, "v2.jsonl",
          "{\"uid\":\"u\",\"category\":\"hard\",\"judge\":\"j\",\"model\":\"m\","
          "\"baseline\":\"o\","
          "\"games\":[null,{\"score\":\"A=B\",\"judgment\":{\"answer\":\"equal\"}}]}",
          "Arena-Hard judgments",
          "pair u/m/o m1=m m2=o category=hard key=u\n"
          "judged u/m/o j 21 -1 - reason=unspecified\n"
          "judged u/m/o j 12 -1 tie reply=equal\n");
    gives(&r, "q.jsonl", "{\"uid\":\"u\",\"category\":\"hard\",\"prompt\":\"why?\"}",
          "Arena-Hard questions or answers", "");
    gives(
        &r, "a.jsonl",
        "{\"uid\":\"u\",\"ans_id\":1,\"model\":\"m\",\"messages\":[{\"role\":\"user\","
        "\"content\":\"why?\"},{\"role\":\"assistant\",\"content\":{\"answer\":"
        "\"hence\"}}]}\n"
        "{\"uid\":\"u\",\"ans_id\":2,\"model\":\"o\",\"messages\":[{\"role\":"
        "\"assistant\","
        "\"content\":\"because\"}]}\n",
        "Arena-Hard questions or answers", "");
    assert_ok(
        read_text(&r, "v2.jsonl",
                  "{\"uid\":\"u\",\"judge\":\"j\",\"model\":\"m\",\"baseline\":\"o\","
                  "\"games\":[{\"score\":\"B>A\"}]}"),
        r.err);
    assert_text(buf_view(&r.out), "pair u/m/o q=why? a1=hence a2=because m1=m m2=o "
                                  "category=hard key=u\njudged u/m/o j 21 -1 1\n");
    reading_free(&r);
}

static void test_alpaca_eval(void **state) {
    (void)state;
    reading r;
    reading_init(&r);
#define ANNOTATION(rest)                                                               \
    "{\"instruction\":\"i\",\"output_1\":\"x\",\"generator_1\":\"g\",\"output_2\":"    \
    "\"y\","                                                                           \
    "\"generator_2\":\"h\",\"dataset\":\"d\",\"annotator\":\"an\"," rest "}"
    /* clang-format off */
    static const char rows[] =
        "[\n"
        ANNOTATION("\"preference\":1.0,\"raw_completion\":\"M\"") ","
        ANNOTATION("\"preference\":1.75,\"raw_completion\":{\"text\":\"m\"}") ","
        ANNOTATION("\"preference\":0") ","
        ANNOTATION("\"preference\":NaN,\"raw_completion\":{\"a\":[1]}") ","
        ANNOTATION("\"preference\":3") "]";
    /* clang-format on */
    assert_ok(read_text(&r, "annotations.json", rows), r.err);
    assert_text(buf_view(&r.faults), "");
    eh_str out = buf_view(&r.out);
    eh_str id = eh_str_slice(out, 5, 17);
    assert_int_equal(count_of(out, id), 10); /* one pair, five times */
    assert_holds(out, " q=i a1=x a2=y m1=g m2=h category=d\n");
    assert_holds(out, " an 12 -1 1 1:0 reply=M\n");
    assert_holds(out, " an 12 -1 2 0.25:0.75 reply=m\n");
    assert_holds(out, " an 12 -1 tie 0.5:0.5\n");
    assert_holds(out, " an 12 -1 - reason=no_verdict reply={\"a\":[1]}\n");
    assert_holds(out, " an 12 -1 - reason=out_of_range\n");
    assert_string_equal(r.file.format, "alpaca_eval");
    assert_int_equal(r.file.orders, IMPORT_ORDERS_UNKNOWN);
    assert_int_equal(r.file.n_judgments, 5);
    assert_int_equal(r.file.n_verdicts, 3);
    assert_ok(
        read_text(&r, "annotations.json",
                  "[" ANNOTATION("\"preference\":2,\"is_switched_outputs\":true") "]"),
        r.err);
    assert_holds(buf_view(&r.out), " an 21 -1 2 0:1\n");
    assert_int_equal(r.file.orders, IMPORT_ORDERS_RECORDED);
    reading_free(&r);
}

static void test_judgebench(void **state) {
    (void)state;
    reading r;
    reading_init(&r);
    gives(
        &r, "out,judge_model=file-model.jsonl",
        "{\"pair_id\":\"p\",\"source\":\"s\",\"question\":\"q\",\"response_model\":"
        "\"m\","
        "\"response_A\":\"x\",\"response_B\":\"y\",\"label\":\"B>A\",\"judge_name\":"
        "\"rm\","
        "\"judgments\":[{\"judgment\":{\"judge_model\":\"jm\",\"response\":\"\","
        "\"scores\":[1.5,"
        "-2]},\"decision\":\"A>B\"},{\"judgment\":{\"judge_model\":\"jm\",\"response\":"
        "\"\","
        "\"scores\":[-2,1.5]},\"decision\":\"B>A\"}]}\n"
        "{\"pair_id\":\"o\",\"question\":\"q\",\"response_A\":\"x\",\"response_B\":"
        "\"y\","
        "\"judge_name\":\"rm\",\"judgments\":[null,{\"judgment\":{\"response\":\"r\"},"
        "\"decision\":null}]}\n",
        "JudgeBench outputs",
        "pair p q=q a1=x a2=y m1=m m2=m category=s\nlabel p gold 2\n"
        "judged p rm/jm 12 -1 1 1.5:-2\njudged p rm/jm 21 -1 1 1.5:-2\n"
        "pair o q=q a1=x a2=y\n"
        "judged o rm/jm 12 -1 - reason=unspecified\n"
        "judged o rm/jm 21 -1 - reason=no_verdict reply=r\n");
    gives(&r, "judge_model=file-model.jsonl",
          "{\"pair_id\":\"o\",\"question\":\"q\",\"response_A\":\"x\",\"response_B\":"
          "\"y\","
          "\"judge_name\":\"n\",\"judgments\":[null]}\n",
          "JudgeBench outputs",
          "pair o q=q a1=x a2=y\njudged o n/file-model 12 -1 - reason=unspecified\n");
    reading_free(&r);
}

static void test_llmbar(void **state) {
    (void)state;
    reading r;
    reading_init(&r);
    r.options.judge = "me";
    assert_ok(
        read_text(
            &r, "result.json",
            "[{\"input\":\"i\",\"output_1\":\"x\",\"output_2\":\"y\",\"label\":1,"
            "\"results\":[[\"metrics\",\"stop\"],{\"swap = "
            "False\":{\"completion\":[\"(a)\","
            "\"stop\"],\"winner\":\"1\"},\"swap = True\":{\"completion\":[\"cut\","
            "\"length\"],\"winner\":null}}]},\n"
            "{\"input\":\"i2\",\"output_1\":\"x\",\"output_2\":\"y\",\"label\":2,"
            "\"results\":[{\"score_1\":[\"4\",\"stop\"],\"score_2\":[\"4\",\"stop\"],"
            "\"swap = False\":{\"winner\":\"2\"},\"swap = "
            "True\":{\"winner\":\"1\"}}]}]"),
        r.err);
    assert_text(buf_view(&r.faults), "");
    eh_str out = buf_view(&r.out);
    assert_holds(out, " q=i a1=x a2=y\n");
    assert_holds(out, " gold 1\n");
    assert_holds(out, " gold 2\n");
    assert_holds(out, " me 12 -1 1 reply=(a)\n");
    assert_holds(out, " me 21 -1 - reason=no_verdict reply=cut\n");
    assert_holds(out, " me 12 -1 2 4:4\n");
    assert_holds(out, " me 21 -1 1 4:4\n");
    reading_free(&r);
}

static void test_pandalm(void **state) {
    (void)state;
    reading r;
    reading_init(&r);
    gives(&r, "testset.json",
          "[{\"idx\":0,\"motivation_app\":\"app\",\"cmp_key\":\"m-1_m-2\","
          "\"instruction\":\"do\","
          "\"input\":NaN,\"response1\":\"x\",\"response2\":NaN,\"annotator1\":1,"
          "\"annotator2\":0},{\"idx\":1,\"cmp_key\":\"a_b_c\",\"instruction\":\"do\","
          "\"input\":"
          "\"this\",\"response1\":true,\"response2\":\"y\",\"annotator1\":2}]",
          "a PandaLM test set",
          "pair 0 q=do a1=x a2= m1=m-1 m2=m-2 category=app\n"
          "label 0 annotator1 1\nlabel 0 annotator2 tie\n"
          "pair 1 q=do\n\nthis a1=true a2=y\nlabel 1 annotator1 2\n");
    assert_ok(read_text(&r, "some-judge-testset-v1.json",
                        "[{\"idx\":0,\"x_result\":\"Tie\",\"x_reason\":\"equal\"},\n"
                        "{\"idx\":1,\"x_result\":2,\"x_reason\":\"better\"},\n"
                        "{\"idx\":2,\"x_result\":\"garbage\"}]"),
              r.err);
    assert_text(buf_view(&r.faults), "3 unknown_verdict: garbage\n");
    assert_text(
        buf_view(&r.out),
        "pair 0\njudged 0 some-judge 12 -1 tie reply=Tie\nequal\n"
        "pair 1\njudged 1 some-judge 12 -1 2 reply=2\nbetter\n"
        "pair 2\njudged 2 some-judge 12 -1 - reason=unknown_verdict reply=garbage\n\n");
    assert_int_equal(r.file.orders, IMPORT_ORDERS_ONE);
    reading_free(&r);
}

#define CHOICE(test, prompt, output, pass)                                             \
    "{\"testIdx\":" #test ",\"promptIdx\":" #prompt                                    \
    ",\"provider\":{\"id\":\"m" #prompt "\"},\"prompt\":{\"raw\":\"q" #test            \
    "\",\"label\":\"l\"},\"vars\":{},\"response\":{"                                   \
    "\"output\":\"" output "\"},\"gradingResult\":{\"pass\":" #pass                    \
    ",\"componentResults\":[{\"pass\":true,\"assertion\":{\"type\":\"equals\"}},{"     \
    "\"pass\":" #pass ",\"reason\":\"why\",\"assertion\":{\"type\":\"select-best\","   \
    "\"value\":\"best\"}}]}}"

static void test_promptfoo(void **state) {
    (void)state;
    reading r;
    reading_init(&r);
    assert_ok(
        read_text(&r, "results.json",
                  "{\"evalId\":\"e\",\"results\":{\"version\":3,\"prompts\":[{\"raw\":"
                  "1}],"
                  "\"results\":[" CHOICE(1, 1, "y", true) "," CHOICE(0, 0, "u", false) ",\n" CHOICE(
                      1, 0, "x",
                      false) "," CHOICE(0, 1, "v",
                                        false) "," CHOICE(2, 0, "1",
                                                          true) "," CHOICE(2, 1, "2",
                                                                           false) "," CHOICE(2,
                                                                                             2,
                                                                                             "3",
                                                                                             false) "],\"stats\":{}},\"config\":{}}\n"),
        r.err);
    assert_text(buf_view(&r.faults),
                "2 unknown_verdict: one of 3 outputs was selected: no "
                "verdict on a pair\n");
    eh_str out = buf_view(&r.out);
    assert_holds(out, " q=q0 a1=u a2=v m1=m0 m2=m1\n");
    assert_holds(out, " select-best: best 12 -1 - reason=no_verdict reply=why\n");
    assert_holds(out, " q=q1 a1=x a2=y m1=m0 m2=m1\n");
    assert_holds(out, " select-best: best 12 -1 2 reply=why\n");
    assert_int_equal(r.file.n_judgments, 2);
    assert_fails(read_text(&r, "results.json",
                           "{\"evalId\":\"e\",\"results\":{\"results\":[{\"testIdx\":0,"
                           "\"promptIdx\":0}]}}"),
                 EH_STATUS_DATA, r.err, "no select-best assertion");
    assert_ok(
        read_text(
            &r, "results.json",
            "{\"evalId\":\"e\",\"results\":{\"version\":2,\"results\":[{\"vars\":{}}]"
            "}}"),
        r.err);
    assert_holds(buf_view(&r.faults), "1 missing_field testIdx");
    reading_free(&r);
}

static void test_inspect(void **state) {
    (void)state;
    reading r;
    reading_init(&r);
    gives(
        &r, "log.json",
        "{\"version\":2,\"status\":\"success\",\"eval\":{\"model\":\"jm\",\"task\":"
        "\"t\"},\n"
        "\"samples\":[\n{\"id\":1,\"epoch\":2,\"input\":\"judge "
        "this\",\"metadata\":{\"question\":"
        "\"q\",\"response_A\":\"x\",\"response_B\":\"y\",\"swapped\":true},\"output\":{"
        "\"completion\":\"the "
        "reply\"},\"scores\":{\"s\":{\"value\":\"C\",\"answer\":\"A\"}}},\n"
        "{\"id\":\"two\",\"epoch\":1,\"scores\":{\"s\":{\"answer\":\"tie\"},\"t\":{"
        "\"answer\":"
        "\"B\"}}},\n{\"id\":\"three\",\"epoch\":1}],\"stats\":{}}",
        "inspect_ai samples",
        "pair 1 q=q a1=x a2=y\njudged 1 jm 21 1 2 reply=the reply\n"
        "pair two\njudged two jm/s 12 0 tie\njudged two jm/t 12 0 2\n"
        "pair three\njudged three jm 12 0 - reason=unspecified\n");
    assert_fails(
        read_text(
            &r, "log.json",
            "{\"version\":2,\"status\":\"success\",\"eval\":{},\"samples\":[{\"id\":1,"
            "\"scores\":{\"s\":{\"value\":\"C\",\"answer\":\"42\"}}}]}"),
        EH_STATUS_DATA, r.err, "no verdicts on pairs");
    assert_fails(read_text(&r, "log.eval", "PK\x03\x04 and so on"), EH_STATUS_DATA,
                 r.err, "inspect log convert");
    reading_free(&r);
}

static void test_table(void **state) {
    (void)state;
    reading r;
    reading_init(&r);
    r.options =
        (import_options){.format = "csv",
                         .map = "pair_id=item,verdict=won,order=shown,judge=who",
                         .verdicts = "left=1, right=2,draw=tie"};
    gives(&r, "t.csv", "item;who;won;shown\n1;j;left;21\n2;j;draw;12\n3;k;;12\n",
          "a table of judgments",
          "pair 1\njudged 1 j 21 -1 1\npair 2\njudged 2 j 12 -1 tie\n"
          "pair 3\njudged 3 k 12 -1 - reason=no_verdict\n");
    r.options = (import_options){0};
    gives(&r, "arena.csv", "id,model_a,model_b,winner\n7,gpt,llama,model_b\n8,x,y,x\n",
          "a table of judgments",
          "pair 7 m1=gpt m2=llama\njudged 7  12 -1 2\npair 8 m1=x m2=y\njudged 8  12 "
          "-1 1\n");
    assert_int_equal(r.file.orders, IMPORT_ORDERS_ONE);
    assert_ok(
        read_text(&r, "t.csv",
                  "question,answer_1,answer_2,verdict\nq,x,y,1\nq,x,,2\nq,x,y,A\n"),
        r.err);
    assert_holds(buf_view(&r.out), "judged ");
    assert_text(buf_view(&r.faults),
                "3 wrong_type pair_id: neither an id nor the texts "
                "of a pair\n4 unknown_verdict: A\n");
    assert_ok(read_text(&r, "t.csv", "question,verdict\nq,1\nr,2\n"), r.err);
    assert_text(buf_view(&r.faults),
                "2 wrong_type pair_id: neither an id nor the texts "
                "of a pair\n3 wrong_type pair_id: neither an id "
                "nor the texts of a pair\n");
    assert_ok(read_text(&r, "t.csv", "item,choice,order\n1,A,12\n2,B,12\n"), r.err);
    assert_text(buf_view(&r.faults),
                "1 missing_field pair_id: neither an id nor the texts of a pair\n"
                "1 missing_field verdict: no such column, and no reply; --map "
                "verdict=NAME says which it is\n");
    r.options.verdicts = "A:1";
    assert_fails(read_text(&r, "t.csv", "x\n"), EH_STATUS_USAGE, r.err, "WORD=1");
    r.options = (import_options){.map = "verdikt=x"};
    assert_fails(read_text(&r, "t.csv", "pair_id,x\n1,1\n"), EH_STATUS_USAGE, r.err,
                 "'verdikt' is not one of our fields");
    reading_free(&r);
}

/* ---- what a file is ---- */

static void test_recognised(void **state) {
    (void)state;
    static const struct {
        const char *text, *format;
    } cases[] = {
        {"{\"pair_id\":\"p\",\"order\":\"12\",\"sample\":0,\"verdict\":\"1\"}\n",
         "judgments"},
        {"\xEF\xBB\xBF{\"pair_id\":1,\"order\":12,\"sample\":0,\"verdict\":1}",
         "judgments"},
        {"pair_id,order,sample,verdict\np,12,0,1\n", "csv"},
        {" \n [ {\"instruction\": \"a \\\" b\", \"output_1\": \"\", \"output_2\": "
         "\"\",\n"
         "\"preference\": 2}]",
         "alpaca_eval"},
        {"{\"judge\":\"j\",\"model\":\"m\",\"games\":[],\"uid\":1}", "arena_hard"},
    };
    reading r;
    reading_init(&r);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_ok(read_text(&r, "file", cases[i].text), r.err);
        assert_string_equal(r.file.format, cases[i].format);
    }
    assert_null(import_format_name(99));
    reading_free(&r);
}

static void test_not_that(void **state) {
    (void)state;
    static const struct {
        const char *format, *text, *part;
        eh_status status;
    } cases[] = {
        {NULL, "{\"a\":1,\"b\":2,\"c\":3,\"d\":4,\"e\":5,\"f\":6}\n",
         "not of a known format; the fields of its first object are: a, b, c, d and 2 "
         "more",
         EH_STATUS_DATA},
        {"fastchat",
         "[{\"instruction\":\"\",\"output_1\":\"\",\"output_2\":\"\",\"preference\":1}"
         "]",
         "not FastChat judgments of pairs; it looks like AlpacaEval annotations",
         EH_STATUS_DATA},
        {"inspect", "pair_id,verdict\n", "it looks like a table of judgments",
         EH_STATUS_DATA},
        {"llmbar", "", "the file is empty", EH_STATUS_DATA},
        {"llmbar", "[]", "there is no object in it", EH_STATUS_DATA},
        {NULL, "", "there is no object in it", EH_STATUS_DATA},
        {"mtbench", "{}",
         "unknown format 'mtbench': use one of auto, judgments, csv, fastchat",
         EH_STATUS_USAGE},
        {NULL, "SQLite format 3", "a database", EH_STATUS_DATA},
        {"fastchat", "{\"question_id\":1,\"model\":\"m\",\"judge\":\"j\",\"score\":7}",
         "the fields of its first object are: question_id, model, judge, score",
         EH_STATUS_DATA},
    };
    reading r;
    reading_init(&r);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        r.options.format = cases[i].format;
        assert_fails(read_text(&r, "file", cases[i].text), cases[i].status, r.err,
                     cases[i].part);
    }
    const import_sink sink = {.judgment = take_judgment};
    assert_fails(
        import_read("/nowhere/x", &r.options, &sink, NULL, &r.counts, &r.file, &r.err),
        EH_STATUS_DATA, r.err, "/nowhere/x: No such file or directory");
    reading_free(&r);
}

/* ---- damage ---- */

#define GAME "\"model\":\"m\",\"judge\":\"j\",\"games\":[{\"score\":\"A>B\"}]"

static void test_damage(void **state) {
    (void)state;
    static const struct {
        const char *text, *faults;
        int n_judgments;
    } cases[] = {
        /* of rows, one damaged line takes no other with it */
        {"{\"uid\":1," GAME "}\n{\"uid\":2,\"model\n{\"uid\":3," GAME "}\n",
         "2 bad_json: a string never ends in this line\n", 2},
        {"{\"uid\":1," GAME "}\n{\"uid\":2,,}\n{\"uid\":3," GAME "}\n", "2 bad_json",
         2},
        {"{\"uid\":1," GAME "}\n{\"uid\":2,\"model\":\"m\"",
         "2 bad_json: the file ends in the middle of this\n", 1},
        {"{\"uid\":1," GAME "}\n{\"uid\":2,\"model\":\"m",
         "2 bad_json: the file ends in the middle of this\n", 1},
        /* mixed: an object of another kind lacks fields */
        {"{\"uid\":1," GAME "}\n{\"instruction\":\"i\",\"preference\":1}\n",
         "2 missing_field question_id\n2 missing_field model\n2 missing_field games\n",
         1},
        {"{\"uid\":1," GAME "}\n{\"uid\":2,\"model\":[],\"games\":{}}\n",
         "2 wrong_type model: a string, a number or a boolean is needed, not a list\n",
         1},
        {"{\"uid\":1," GAME "}\n7\n\"x\"\n{\"uid\":1,\"uid\":1," GAME "}\n",
         "2 not_an_object: neither an object nor a list\n3 not_an_object: a string\n"
         "4 duplicate_key uid\n",
         1},
        {"{\"uid\":1," GAME "}\n{\"uid\":2," GAME ",\"x\":\"\xFF\"}\n",
         "2 invalid_utf8", 1},
        {"{\"uid\":1," GAME
         "}\n{\"uid\":2,\"model\":\"m\",\"judge\":\"j\",\"games\":[{\"score\":"
         "\"A>>>B\"}]}",
         "2 unknown_verdict: A>>>B\n", 2},
        /* of a list, what stands behind a damaged place is not looked for */
        {"[{\"uid\":1," GAME "},\n{\"uid\":2," GAME "}", "2 bad_json: the file ends",
         2},
        {"[{\"uid\":1," GAME "}\n{\"uid\":2," GAME "}]",
         "2 bad_json: a comma is needed", 1},
        {"[{\"uid\":1," GAME "}] trailing\n{", "1 not_an_object", 1},
        {"[{\"uid\":1," GAME "},\n{\"uid\":2,\"model\":\"a\nb\"}]",
         "2 bad_json: a string never ends in this line\n", 1},
    };
    reading r;
    reading_init(&r);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_ok(read_text(&r, "file", cases[i].text), r.err);
        if (!eh_str_begins(buf_view(&r.faults), eh_str_of(cases[i].faults)) ||
            r.file.n_judgments != cases[i].n_judgments)
            fail_msg("case %zu: %lld judgments, %s", i, (long long)r.file.n_judgments,
                     r.faults.ptr);
    }
    reading_free(&r);
}

/* An object around a list, cut at every byte: never accepted in silence. */
static void test_cut_anywhere(void **state) {
    (void)state;
    static const char text[] = "{\"version\":2,\"status\":\"success\",\"eval\":{"
                               "\"model\":\"j\"},\"samples\":[{\"id\":1,"
                               "\"scores\":{\"s\":{\"answer\":\"A\"}}},{\"id\":2,"
                               "\"scores\":{\"s\":{\"answer\":\"B\"}}}],"
                               "\"reductions\":[]}";
    reading r;
    reading_init(&r);
    r.options.format = "inspect";
    for (size_t len = 40; len < sizeof text - 1; len++) {
        char cut[sizeof text];
        memcpy(cut, text, len);
        cut[len] = '\0';
        eh_status status = read_text(&r, "log.json", cut);
        if (status == EH_STATUS_OK && r.counts.n_errors == 0)
            fail_msg("%zu bytes: accepted", len);
    }
    assert_ok(read_text(&r, "log.json", text), r.err);
    assert_int_equal(r.counts.n_errors, 0);
    assert_int_equal(r.file.n_judgments, 2);
    reading_free(&r);
}

/* With the nth allocation and all after it failing; false when it went through. */
static bool fails_at(reading *r, int64_t nth, const char *text) {
    char *path = made_file(&r->folder, "file", text);
    const import_sink sink = {
        .self = r, .pair = take_pair, .judgment = take_judgment, .label = take_label};
    buf_reset(&r->out);
    int64_t live = mem_live();
    mem_fail_at(nth, true);
    eh_status status =
        import_read(path, &r->options, &sink, NULL, &r->counts, &r->file, &r->err);
    mem_fail_at(0, false);
    if (mem_live() != live)
        fail_msg("allocation %lld leaves %lld blocks: %s", (long long)nth,
                 (long long)(mem_live() - live), text);
    if (status != EH_STATUS_OK && status != EH_STATUS_NOMEM)
        fail_msg("allocation %lld: %s", (long long)nth, r->err.msg);
    return status != EH_STATUS_OK;
}

static void test_no_memory(void **state) {
    (void)state;
    static const char *const texts[] = {
        "[{\"instruction\":\"i\",\"output_1\":\"x\",\"output_2\":\"y\",\"preference\":"
        "NaN,"
        "\"raw_completion\":{\"a\":1}}]",
        "{\"evalId\":\"e\",\"results\":{\"results\":[" CHOICE(
            0, 0, "x", true) "," CHOICE(0, 1, "y", false) "]}}",
        "{\"pair_id\":\"p\",\"question\":\"q\",\"response_A\":\"x\",\"response_B\":"
        "\"y\",\"judge_name"
        "\":\"n\",\"judgments\":[{\"judgment\":{\"judge_model\":\"m\"},\"decision\":"
        "\"A>B\"}]}",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        reading r;
        reading_init(&r);
        buf_add_cstr(&r.out, "room for what comes, so that it is no allocation of the "
                             "reader's that fails here");
        buf_reserve(&r.out, 4096);
        int64_t nth = 1;
        while (fails_at(&r, nth, texts[i]))
            nth++;
        assert_true(nth > 5);
        reading_free(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fastchat),     cmocka_unit_test(test_arena_hard),
        cmocka_unit_test(test_alpaca_eval),  cmocka_unit_test(test_judgebench),
        cmocka_unit_test(test_llmbar),       cmocka_unit_test(test_pandalm),
        cmocka_unit_test(test_promptfoo),    cmocka_unit_test(test_inspect),
        cmocka_unit_test(test_table),        cmocka_unit_test(test_recognised),
        cmocka_unit_test(test_not_that),     cmocka_unit_test(test_damage),
        cmocka_unit_test(test_cut_anywhere), cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
