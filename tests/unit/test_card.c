/* SPDX-License-Identifier: MIT
 *
 * The judge card's page: items agree with the scores, the same pair in two ledgers is
 * one unit, and what is written follows from the states.
 */
#include "ledger_make.h"
#include "base/json_read.h"
#include "base/mem.h"
#include "page/card.h"
#include "run/template_file.h"

enum { N_PAIRS = 60 };

typedef struct desk {
    made_folder folder;
    char data[128];
    page_source sources[2];
    size_t n_sources;
    eh_arena arena;
    page_card_options options;
    price_table *prices;
    page_card_page page;
    eh_error err;
} desk;

static void desk_open(desk *d) {
    *d = (desk){.folder = made_folder_new()};
    arena_init(&d->arena, (size_t)1 << 30);
    (void)snprintf(d->data, sizeof d->data, "%s", made_file(&d->folder, "a.jsonl", ""));
    FILE *f = fopen(d->data, "wb");
    assert_non_null(f);
    for (int i = 0; i < N_PAIRS; i++)
        (void)fprintf(
            f,
            "{\"id\":\"p%d\",\"question\":\"Question %d?\",\"answer_1\":\"The "
            "first says %d. That is all of it.\",\"answer_2\":\"Number %d is "
            "what the second says. So it is.\",\"category\":\"%s\"}\n",
            i, i, i, i, i % 3 ? "often" : "seldom");
    assert_int_equal(fclose(f), 0);
    assert_ok(price_table_load(NULL, &d->prices, &d->err), d->err);
    d->options = (page_card_options){.page = {.texts = true,
                                              .max_bytes = 1 << 30,
                                              .prices = d->prices,
                                              .command = EH_STR("evenhand")},
                                     .limits = audit_limits_default()};
}

/* An audit of a simulated judge in a ledger of its own. */
static void desk_audit(desk *d, const char *spec, const char *list, const char *name) {
    ledger *l = ledger_made();
    exam_stage_options o = {.data = {.path = d->data}, .clock = clock_made()};
    exam_staged staged;
    exam_probe *probes;
    prompt_template *t;
    judge *j;
    run_result result;
    judge_open_args args = {.concurrency = 16, .clock = clock_made()};
    plan_wish wish = {.method = EH_STR("mec+bpc"),
                      .k = 3,
                      .temperature_given = true,
                      .temperature = 1};
    assert_ok(
        exam_probes_parse(eh_str_of(list), &d->arena, &probes, &o.n_probes, &d->err),
        d->err);
    o.probes = probes;
    assert_ok(exam_stage(l, &o, &staged, &d->err), d->err);
    assert_ok(judge_open(eh_str_of(spec), &args, &j, &d->err), d->err);
    assert_ok(run_template_load_asking("compare", &t, &d->err), d->err);
    run_options run = {.setup = {.j = j, .t = t},
                       .concurrency = 16,
                       .limit = -1,
                       .clock = clock_made()};
    assert_ok(plan_make(&wish, &run.setup.plan, &d->err), d->err);
    run_setup_params(&run.setup, -1);
    assert_ok(exam_run(l, &run, &result, &d->err), d->err);
    judge_close(j);
    prompt_template_free(t);
    d->sources[d->n_sources++] = (page_source){l, eh_str_of(name)};
}

static void desk_collect(desk *d) {
    assert_ok(page_card_collect(d->sources, d->n_sources, &d->options, &d->arena,
                                &d->page, &d->err),
              d->err);
}

static void desk_close(desk *d) {
    for (size_t i = 0; i < d->n_sources; i++)
        ledger_unmade(d->sources[i].l);
    price_table_free(d->prices);
    arena_deinit(&d->arena);
    made_folder_free(&d->folder);
}

static void test_items_agree_with_scores(void **state) {
    (void)state;
    desk d;
    desk_open(&d);
    desk_audit(&d, "sim:refs=3,noise=.5", "references,majority", "a.db");
    desk_collect(&d);
    const page_card_judge *j = &d.page.judges[0];
    assert_int_equal(d.page.n_units, N_PAIRS);
    assert_int_equal(j->n_items, 2 * N_PAIRS);
    for (size_t k = 0; k < j->numbers->n_probes; k++) {
        const audit_score *s = &j->numbers->probes[k].score;
        int64_t n[4] = {0}, placebo = 0, padded = 0;
        for (size_t i = 0; i < j->n_items; i++) {
            if (j->items[i].probe != k) continue;
            n[j->items[i].outcome]++;
            placebo += j->items[i].placebo_hit;
            padded += j->items[i].padded != PAGE_NO_PLACE;
        }
        assert_int_equal(n[CARD_UNREAD], s->n_unread);
        assert_int_equal(n[CARD_HIT], s->paired.n_hits);
        assert_int_equal(n[CARD_HIT] + n[CARD_STAYED], s->paired.n);
        assert_int_equal(n[CARD_NOT_COUNTED], s->n_pairs - s->n_unread - s->paired.n);
        assert_int_equal(placebo, s->paired.n_placebo_hits);
        assert_int_equal(padded, s->padded.n ? N_PAIRS : 0);
    }
    /* telling pairs first */
    for (size_t i = 1; i < d.page.n_units; i++)
        assert_true(d.page.units[d.page.order[i - 1]].n_telling >=
                    d.page.units[d.page.order[i]].n_telling);
    desk_close(&d);
}

static void test_two_ledgers(void **state) {
    (void)state;
    desk d;
    desk_open(&d);
    desk_audit(&d, "sim:noise=.5", "majority", "a.db");
    desk_audit(&d, "sim:noise=.5", "majority,injection", "b.db");
    desk_collect(&d);
    assert_int_equal(d.page.n_judges, 2);
    assert_int_equal(d.page.n_units, N_PAIRS);
    assert_int_equal(d.page.units[0].n_variants, 2); /* majority is the same in both */
    assert_int_equal(
        eh_str_find(d.page.judges[0].name, EH_STR("(a.db)"), 0) != SIZE_MAX, 1);
    assert_int_equal(d.page.judges[1].n_items, 2 * N_PAIRS);
    desk_close(&d);
}

static size_t count(const json_value *uses, const char *key) {
    return (size_t)json_get(uses, key)->n;
}

/* The index is JSON; its uses are those of the states, and without texts it has none.
 */
static void test_index(void **state) {
    (void)state;
    desk d;
    page_chunks *chunks;
    eh_buf out;
    json_fault fault;
    desk_open(&d);
    desk_audit(&d, "sim:refs=3,noise=.5", "references,majority", "a.db");
    d.options.page.texts = false;
    desk_collect(&d);
    assert_ok(page_card_chunks(&d.page, &d.options, &chunks, &d.err), d.err);
    assert_int_equal(d.page.n_placed, N_PAIRS);
    buf_init(&out, BUF_MAX_REPORT);
    page_card_index_json(&d.page, &d.options, chunks, &out);
    assert_ok(buf_check(&out, "the index", &d.err), d.err);
    assert_int_equal(eh_str_find(buf_view(&out), EH_STR("Question 1"), 0), SIZE_MAX);
    json_reader *reader = json_reader_new();
    assert_non_null(reader);
    const json_value *index = json_read(reader, &d.arena, buf_view(&out), &fault);
    assert_non_null(index);
    const json_value *one = json_get(index, "judges")->child;
    const json_value *uses = json_get(one, "uses");
    size_t n[AUDIT_STATE_N] = {0};
    const card_judge *numbers = d.page.judges[0].numbers;
    for (size_t i = 0; i < numbers->n_probes; i++)
        n[numbers->probes[i].state]++;
    assert_int_equal(count(uses, "use"), n[AUDIT_STATE_HELD_UP]);
    assert_int_equal(count(uses, "both"), n[AUDIT_STATE_AFFECTED]);
    assert_int_equal(count(uses, "not"), n[AUDIT_STATE_FOOLED]);
    assert_int_equal(count(uses, "unknown"), n[AUDIT_STATE_TOO_FEW]);
    assert_int_equal(count(uses, "untested"), 6);
    assert_int_equal(json_get_str(json_get(one, "items"), "outcome").len, 2 * N_PAIRS);
    json_reader_free(reader);
    buf_deinit(&out);
    page_chunks_free(chunks);
    desk_close(&d);
}

/* Any allocation may fail: an error, or the page. */
static void test_no_memory(void **state) {
    (void)state;
    desk d;
    bool done = false;
    desk_open(&d);
    desk_audit(&d, "sim:noise=.5", "majority", "a.db");
    for (int64_t nth = 1; nth < 4000 && !done; nth += nth < 100 ? 1 : 7) {
        page_chunks *chunks = NULL;
        eh_arena arena;
        arena_init(&arena, (size_t)1 << 30);
        mem_fail_at(nth, true);
        eh_status status =
            page_card_collect(d.sources, 1, &d.options, &arena, &d.page, &d.err);
        if (status == EH_STATUS_OK)
            status = page_card_chunks(&d.page, &d.options, &chunks, &d.err);
        mem_fail_at(0, false);
        done = status == EH_STATUS_OK;
        if (!done) assert_int_equal(status, EH_STATUS_NOMEM);
        page_chunks_free(chunks);
        arena_deinit(&arena);
    }
    assert_true(done);
    desk_close(&d);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_items_agree_with_scores),
        cmocka_unit_test(test_two_ledgers),
        cmocka_unit_test(test_index),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
