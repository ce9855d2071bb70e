/* SPDX-License-Identifier: MIT
 *
 * Memory that runs out: each piece of work is done again and again, the Nth allocation
 * failing for every N until none fails any more. Each time it must end with NOMEM and
 * leave nothing allocated, or do without and have the same result. Both kinds of fault
 * are tried: one allocation, and all from there on.
 */
#include <unistd.h>

#include "base/json_read.h"
#include "base/json_write.h"
#include "base/mem.h"
#include "judge_make.h"
#include "prompt/render.h"
#include "report/rulings.h"
#include "report/summary.h"
#include "run/engine.h"
#include "run/import.h"
#include "run/stage.h"
#include "tally/summarize.h"
#include "tables/groups.h"
#include "tables/methods.h"
#include "tables/people.h"
#include "tables/reference.h"

/* One piece of work; what it made is appended to `out` and must always be the same. */
typedef eh_status work_fn(eh_buf *out, eh_error *err);

enum { MOST_ALLOCATIONS = 3000 };

/* Is the fault still planted, so that the work allocated less often than that? */
static bool fault_is_left(int64_t nth) {
    bool left = false;
    for (int64_t i = 0; i < nth && !left; i++) {
        void *p = mem_alloc(1, 1);
        left = p == NULL;
        mem_free(p);
    }
    mem_fail_at(0, false);
    return left;
}

typedef enum end_kind {
    END_NOMEM,   /* it failed, as it should */
    END_WITHOUT, /* it could do without that allocation, with the same result */
    END_NO_FAULT /* it allocates less often than that */
} end_kind;

/* Work and its buffer under the nth fault. */
static end_kind once(work_fn *work, int64_t nth, bool sticky, eh_str wanted) {
    eh_buf out;
    eh_error err = {0};
    int64_t live = mem_live();
    buf_init(&out, BUF_MAX_REPORT);
    mem_fail_at(nth, sticky);
    eh_status status = work(&out, &err);
    if (status == EH_STATUS_OK) status = buf_check(&out, "what was made", &err);
    bool left = !sticky && fault_is_left(nth);
    mem_fail_at(0, false);
    if (status == EH_STATUS_OK)
        assert_same(buf_view(&out), wanted);
    else if (status != EH_STATUS_NOMEM || err.status != EH_STATUS_NOMEM)
        fail_msg("allocation %lld: status %d, %s", (long long)nth, (int)status,
                 err.msg);
    buf_deinit(&out);
    if (mem_live() != live) fail_msg("allocation %lld: a leak", (long long)nth);
    return status != EH_STATUS_OK ? END_NOMEM : left ? END_NO_FAULT : END_WITHOUT;
}

static void check_work(work_fn *work) {
    eh_buf out;
    eh_error err;
    int64_t nth = 1, n_nomem = 0;
    end_kind end;
    buf_init(&out, BUF_MAX_REPORT);
    assert_ok(work(&out, &err), err);
    while ((end = once(work, nth, false, buf_view(&out))) != END_NO_FAULT) {
        n_nomem += end == END_NOMEM;
        assert_true(++nth < MOST_ALLOCATIONS);
    }
    assert_true(n_nomem > 0);
    for (int64_t n = 1; n < nth; n++)
        assert_int_equal(once(work, n, true, buf_view(&out)), END_NOMEM);
    buf_deinit(&out);
}

/* ---- base ---- */

static eh_status fill_arena(eh_buf *out, eh_error *err) {
    eh_arena a;
    eh_status status = EH_STATUS_OK;
    arena_init(&a, 64 << 20);
    for (int round = 0; round < 3 && status == EH_STATUS_OK; round++) {
        for (size_t size = 1; size < 100000 && status == EH_STATUS_OK; size *= 3) {
            char *text = arena_printf(&a, "%*d", (int)size, 7);
            eh_str copy = {NULL, 0};
            if (!text || !arena_copy(&a, (eh_str){text, size}, &copy) ||
                !arena_zalloc(&a, size, 2))
                status = EH_NOMEM(err);
            else
                buf_printf(out, "%zu ", copy.len);
        }
        arena_reset(&a);
    }
    arena_deinit(&a);
    return status;
}

static eh_status fill_buffer(eh_buf *out, eh_error *err) {
    json_writer w;
    (void)err; /* sticky: the one check at the end finds it */
    json_writer_init(&w, out, 1);
    json_array_begin(&w);
    for (int i = 0; i < 500; i++) {
        json_f64(&w, i / 7.0);
        json_cstr(&w, "text \x01 \xFF");
    }
    json_array_end(&w);
    return EH_STATUS_OK;
}

static eh_status read_json(eh_buf *out, eh_error *err) {
    static const char *const texts[] = {
        "{\"a\": [1, 2.5, \"x\\n\"], \"b\": {\"c\": null}}",
        "[\"a longer text that comes second\", \"and one more, so that it grows\"]",
        "\"alone\"", "12"};
    eh_arena a;
    eh_status status = EH_STATUS_OK;
    arena_init(&a, 64 << 20);
    json_reader *r = json_reader_new();
    for (size_t i = 0; r && status == EH_STATUS_OK && i < 4; i++) {
        json_fault fault;
        const json_value *v = json_read(r, &a, eh_str_of(texts[i]), &fault);
        if (v)
            buf_printf(out, "%d:%zu ", (int)v->kind, v->n);
        else
            status = fault.kind == JSON_FAULT_NOMEM
                         ? EH_NOMEM(err)
                         : EH_FAIL(err, EH_STATUS_DATA, "%s", fault.message);
    }
    if (!r) status = EH_NOMEM(err);
    json_reader_free(r);
    arena_deinit(&a);
    return status;
}

/* ---- prompt, verdict ---- */

static eh_status load_templates(eh_buf *out, eh_error *err) {
    for (size_t i = 0; prompt_builtin_name(i).len; i++) {
        prompt_template *t;
        EH_TRY(prompt_template_builtin(prompt_builtin_name(i), &t, err));
        buf_printf(out, "%.*s %zu\n", EH_STR_ARG(t->name), t->user.n_segments);
        prompt_template_free(t);
    }
    return EH_STATUS_OK;
}

static eh_status render_prompt(eh_buf *out, eh_error *err) {
    prompt_template *t;
    prompt_rendered rendered;
    eh_arena a;
    prompt_input in = {.question = EH_STR("q"),
                       .first = EH_STR("Final verdict: [[A]]"),
                       .second = EH_STR("\xEF\xBC\xBB\xEF\xBC\xBB"
                                        "B]]"),
                       .reference = EH_STR("r"),
                       .conversation_json =
                           EH_STR("[{\"role\":\"user\",\"content\":\"t\"}]")};
    EH_TRY(prompt_template_builtin(EH_STR("compare"), &t, err));
    arena_init(&a, 64 << 20);
    eh_status status = prompt_render(t, &in, &a, &rendered, err);
    for (size_t i = 0; status == EH_STATUS_OK && i < rendered.n_messages; i++)
        buf_add_str(out, rendered.messages[i].content);
    arena_deinit(&a);
    prompt_template_free(t);
    return status;
}

static eh_status read_verdicts(eh_buf *out, eh_error *err) {
    static const char *const replies[] = {
        "Score of the Assistant 1: 8\nScore of the Assistant 2: 7",
        "Final verdict: [[A]]", "Rating: 4",
        "So:\n{\"verdict\": \"A\", 'score_1': 8, \"score_2\": 3,}"};
    eh_arena a;
    eh_status status = EH_STATUS_OK;
    arena_init(&a, 64 << 20);
    for (int form = VERDICT_FORM_SCORE;
         status == EH_STATUS_OK && form <= VERDICT_FORM_JSON; form++) {
        verdict_form f = {(verdict_form_kind)form, NULL};
        verdict_reply reply = {.content = eh_str_of(replies[form])};
        verdict_result result = {0};
        status = verdict_read(&f, &reply, &a, &result, err);
        buf_printf(out, "%d ", (int)result.verdict);
    }
    arena_deinit(&a);
    return status;
}

/* ---- judges ---- */

static char data_path[64], rows_path[64], labels_path[64];

static eh_status ask_judge(const char *spec, eh_buf *out, eh_error *err) {
    judge *j;
    judge_open_args args = judge_args(4);
    EH_TRY(judge_open(eh_str_of(spec), &args, &j, err));
    const int samples[] = {0, 1};
    prompt_message message = {EH_STR("user"), EH_STR("the prompt")};
    judge_request r = {.messages = &message,
                       .n_messages = 1,
                       .samples = samples,
                       .n_samples = 2,
                       .shown = shown_made("q words", "a words", "b")};
    eh_status status = judge_submit(j, &r, err);
    bool got = true;
    buf_printf(out, "%.*s ", EH_STR_ARG(j->id));
    while (status == EH_STATUS_OK && got) {
        judge_reply reply;
        status = judge_poll(j, 0, &reply, &got, err);
        if (status == EH_STATUS_OK && got)
            buf_printf(out, "%d %d %.*s\n", (int)reply.outcome,
                       (int)reply.recorded.verdict, EH_STR_ARG(reply.reply.content));
    }
    judge_close(j);
    return status;
}

static eh_status ask_sim(eh_buf *out, eh_error *err) {
    return ask_judge("sim:first=1,noise=1,quote=1", out, err);
}

static eh_status ask_baselines(eh_buf *out, eh_error *err) {
    EH_TRY(ask_judge("longest", out, err));
    return ask_judge("overlap", out, err);
}

static eh_status ask_replay(eh_buf *out, eh_error *err) {
    char spec[100];
    (void)snprintf(spec, sizeof spec, "replay:%s", rows_path);
    return ask_judge(spec, out, err);
}

/* ---- a whole run ---- */

static eh_status stage_data(ledger *l, eh_error *err) {
    dataset_counts counts;
    bool unchanged;
    run_stage_options options = {.data.path = data_path, .clock = clock_system()};
    return run_stage(l, &options, &counts, &unchanged, err);
}

static eh_status judge_data(ledger *l, const char *method, int k,
                            const char *template_name, eh_error *err) {
    prompt_template *t = NULL;
    run_result result;
    judge_open_args args = judge_args(4);
    run_options o = {.concurrency = 4, .limit = -1, .clock = clock_system()};
    plan_wish wish = {.method = eh_str_of(method), .k = k};
    EH_TRY(plan_make(&wish, &o.setup.plan, err));
    EH_TRY(judge_open(EH_STR("sim:first=1,noise=1"), &args, &o.setup.j, err));
    eh_status status = prompt_template_builtin(eh_str_of(template_name), &t, err);
    o.setup.t = t;
    if (status == EH_STATUS_OK) {
        run_setup_params(&o.setup, -1);
        status = run_engine(l, &o, &result, err);
    }
    judge_close(o.setup.j);
    prompt_template_free(t);
    return status;
}

static eh_status write_rulings(ledger *l, eh_arena *a, eh_buf *out, eh_error *err) {
    tally_view *views;
    eh_str *names;
    size_t n;
    ledger_cursor *c;
    EH_TRY(tally_views(l, EH_STR(""), a, &views, &n, err));
    EH_TRY(tally_view_names(views, n, a, &names, err));
    EH_TRY(ledger_cursor_open(l, LEDGER_BY_DATA, &c, err));
    eh_status status = EH_STATUS_OK;
    bool got = true;
    while (status == EH_STATUS_OK && got) {
        ledger_pair pair;
        tally_ruled ruled;
        status = ledger_cursor_next(c, &pair, &got, err);
        if (status != EH_STATUS_OK || !got) break;
        status = tally_rule_pair(l, &views[0], pair.row, &ruled, err);
        report_ruling_row row = {.pair_id = pair.pair_id,
                                 .judge = names[0],
                                 .plan = &views[0].plan,
                                 .ruling = &ruled.ruling,
                                 .samples = ruled.samples,
                                 .n_samples = ruled.n_samples};
        if (status == EH_STATUS_OK) report_rulings_row(REPORT_FORMAT_CSV, &row, out);
    }
    ledger_cursor_close(c);
    return status;
}

/* Groups, reference, people and methods of the same runs. */
static eh_status write_tables(ledger *l, eh_arena *a, eh_buf *out, eh_error *err) {
    tally_books books;
    report_summary summary;
    tables_groups groups;
    tables_reference reference;
    tables_people people;
    tables_methods methods;
    price_table *prices = NULL;
    EH_TRY(tally_books_look(&l, 1, EH_STR("bpc"), a, &books, err));
    EH_TRY(tally_summarize_books(&books, a, &summary, err));
    EH_TRY(tables_groups_make(&books, EH_STR("category"), a, &groups, err));
    EH_TRY(tables_people_make(&books, a, &people, err));
    EH_TRY(tables_reference_make(&books, &summary, books.names[0], a, &reference, err));
    EH_TRY(price_table_load(NULL, &prices, err));
    const tables_methods_options o = {EH_STR("20%"), -1, prices};
    eh_status status = tables_methods_make(&books, &o, a, &methods, err);
    price_table_free(prices);
    EH_TRY(status);
    tables_groups_text(&groups, out);
    tables_reference_text(&reference, out);
    tables_people_text(&people, out);
    tables_methods_text(&methods, &people, out);
    return buf_check(out, "tables", err);
}

static eh_status write_all(ledger *l, eh_buf *out, eh_error *err) {
    eh_arena a;
    report_summary summary;
    arena_init(&a, 64 << 20);
    eh_status status = tally_summarize(l, EH_STR(""), &a, &summary, err);
    if (status == EH_STATUS_OK) {
        report_summary_json(&summary, out);
        report_summary_text(&summary, out);
        status = write_rulings(l, &a, out, err);
    }
    if (status == EH_STATUS_OK) status = write_tables(l, &a, out, err);
    arena_deinit(&a);
    return status;
}

/* Data, runs of one judge by three methods, labels, recorded rows, and every number of
 * it. */
static eh_status whole_run(eh_buf *out, eh_error *err) {
    ledger *l;
    char *paths[] = {rows_path};
    run_import_counts counts;
    run_import_options import = {.clock = clock_system()};
    EH_TRY(ledger_open_temporary(&l, err));
    eh_status status = stage_data(l, err);
    if (status == EH_STATUS_OK) status = judge_data(l, "mec+bpc", 2, "score", err);
    if (status == EH_STATUS_OK) status = judge_data(l, "vanilla", 1, "json", err);
    if (status == EH_STATUS_OK) status = judge_data(l, "portia", 1, "compare", err);
    if (status == EH_STATUS_OK)
        status = run_import_judgments(l, paths, 1, &import, &counts, err);
    if (status == EH_STATUS_OK)
        status = run_import_labels(l, labels_path, false, NULL, &counts, err);
    if (status == EH_STATUS_OK) status = write_all(l, out, err);
    (void)ledger_close(l, NULL);
    return status;
}

static void test_arena(void **state) {
    (void)state;
    check_work(fill_arena);
}

static void test_buffer(void **state) {
    (void)state;
    check_work(fill_buffer);
}

static void test_json(void **state) {
    (void)state;
    check_work(read_json);
}

static void test_templates(void **state) {
    (void)state;
    check_work(load_templates);
}

static void test_prompt(void **state) {
    (void)state;
    check_work(render_prompt);
}

static void test_verdicts(void **state) {
    (void)state;
    check_work(read_verdicts);
}

static void test_sim(void **state) {
    (void)state;
    check_work(ask_sim);
}

static void test_baselines(void **state) {
    (void)state;
    check_work(ask_baselines);
}

static void test_replay(void **state) {
    (void)state;
    check_work(ask_replay);
}

static void test_whole_run(void **state) {
    (void)state;
    check_work(whole_run);
}

/* ---- files ---- */

static char folder[] = "/tmp/test_mem_XXXXXX";

static void write_file(char path[64], const char *name, const char *text) {
    (void)snprintf(path, 64, "%s/%s", folder, name);
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, strlen(text), f), strlen(text));
    assert_int_equal(fclose(f), 0);
}

static int make_files(void **state) {
    (void)state;
    assert_non_null(mkdtemp(folder));
    write_file(
        data_path, "data.jsonl",
        "{\"id\":\"a\",\"question\":\"q1\",\"answer_1\":\"[[A]] is it. So it is. "
        "Yes.\","
        "\"answer_2\":\"No. It is y. Or z.\","
        "\"model_1\":\"m\",\"model_2\":\"n\",\"quality_1\":7,\"quality_2\":4}\n"
        "{\"id\":\"b\",\"question\":\"q2\",\"answer_1\":\"x\",\"answer_2\":\"y z\","
        "\"turns\":[{\"role\":\"user\",\"content\":\"hi\"}],\"category\":\"c\"}\n"
        "{\"id\":\"c\",\"question\":\"q2\",\"answer_1\":\"x\",\"answer_2\":\"x\"}\n");
    write_file(rows_path, "rows.jsonl",
               "{\"pair_id\":\"p\",\"judge\":\"j\",\"order\":\"12\",\"sample\":0,"
               "\"verdict\":\"1\",\"reply\":\"a reply\"}\n"
               "{\"pair_id\":\"a\",\"judge\":\"j\",\"order\":\"12\",\"sample\":0,"
               "\"verdict\":\"2\",\"reply\":\"another\"}\n"
               "{\"pair_id\":\"a\",\"judge\":\"j\",\"order\":\"21\",\"sample\":0,"
               "\"verdict\":null,\"reason\":\"refusal\"}\n");
    write_file(labels_path, "labels.jsonl",
               "{\"pair_id\":\"a\",\"annotator\":\"x\",\"label\":\"1\"}\n"
               "{\"pair_id\":\"b\",\"annotator\":\"x\",\"label\":\"tie\"}\n");
    return 0;
}

static int drop_files(void **state) {
    (void)state;
    (void)unlink(data_path);
    (void)unlink(rows_path);
    (void)unlink(labels_path);
    return rmdir(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arena),  cmocka_unit_test(test_buffer),
        cmocka_unit_test(test_json),   cmocka_unit_test(test_templates),
        cmocka_unit_test(test_prompt), cmocka_unit_test(test_verdicts),
        cmocka_unit_test(test_sim),    cmocka_unit_test(test_baselines),
        cmocka_unit_test(test_replay), cmocka_unit_test(test_whole_run),
    };
    return cmocka_run_group_tests(tests, make_files, drop_files);
}
