/* SPDX-License-Identifier: MIT
 *
 * The numbers of the report page that the summary does not have, over the eight pairs
 * of summary_make.h, whose values were worked out by hand; and what carries the texts.
 */
#include <sodium.h>
#include <zlib.h>

#include "base/mem.h"
#include "base/json_read.h"
#include "page/page.h"
#include "summary_make.h"

#define LN2 0.69314718055994531

/* A report over one or two ledgers. */
typedef struct page_book {
    book books[2];
    page_source *sources; /* in the arena, so that the book can be moved */
    size_t n_sources;
    page_options options;
    page_report report;
    eh_arena arena;
    eh_error err;
} page_book;

static page_book page_book_new(book one) {
    page_book p = {.books = {one}, .n_sources = 1};
    arena_init(&p.arena, (size_t)1 << 30);
    p.sources = arena_zalloc(&p.arena, 2, sizeof *p.sources);
    p.sources[0] = (page_source){one.l, EH_STR("a.db")};
    p.options = (page_options){.label_nusd = -1,

                               .texts = true,
                               .max_bytes = 1 << 30,
                               .command = EH_STR("evenhand report")};
    return p;
}

static void collect(page_book *p) {
    assert_ok(page_collect(p->sources, p->n_sources, &p->options, &p->arena, &p->report,
                           &p->err),
              p->err);
}

static void page_book_free(page_book *p) {
    for (size_t i = 0; i < p->n_sources; i++)
        book_free(&p->books[i]);
    arena_deinit(&p->arena);
}

/* The eight pairs with labels on four of them. */
static page_book page_of_eight(void) {
    book b = book_of_eight(0);
    label(b.l, "p1", "ann", V1);
    label(b.l, "p2", "ann", V2);
    label(b.l, "p4", "ann", VT);
    label(b.l, "p6", "ann", V2);
    page_book p = page_book_new(b);
    collect(&p);
    return p;
}

static void assert_ids(const page_report *r, const size_t *at, const char *const *ids,
                       size_t n) {
    for (size_t i = 0; i < n; i++)
        assert_text(r->pairs[at[i]].id, ids[i]);
}

static void test_position(void **state) {
    (void)state;
    page_book p = page_of_eight();
    const page_judge *j = &p.report.judges[0];
    /* p2 first both, p1 and its like first then second, p5 tie both, p4 tie then
     * second, p3 second both */
    static const int64_t slots[9] = {1, 0, 1, 0, 1, 1, 0, 0, 1};
    for (int i = 0; i < 9; i++)
        assert_int_equal(j->slots[i], slots[i]);
    assert_near(j->first.value, 5.0 / 9);
    assert_int_equal(j->first.n, 9);
    assert_int_equal(p.report.n_pairs, 8);
    assert_int_equal(p.report.n_labelled, 4);
    page_book_free(&p);
}

static void test_bpde(void **state) {
    (void)state;
    page_book p = page_of_eight();
    const page_judge *j = &p.report.judges[0];
    assert_int_equal(j->n_bpde, 2);
    assert_near(j->bpde[0].low, 0);
    assert_int_equal(j->bpde[0].n, 4); /* p1, p5, p6, p8; p7 has no reply */
    assert_int_equal(j->bpde[0].n_none, 2);
    assert_near(j->bpde[1].low, LN2);
    assert_int_equal(j->bpde[1].n, 3);
    assert_int_equal(j->bpde[1].n_none, 0);
    page_book_free(&p);
}

static void test_budget(void **state) {
    (void)state;
    page_book p = page_of_eight();
    const report_estimates *e = &p.report.judges[0].estimates;
    const report_budget *budget = e->curve;
    assert_true(e->has_curve);
    assert_int_equal(e->n_curve, 4);
    assert_int_equal(budget[0].n_people, 0);
    assert_near(budget[0].entropy, .25);
    assert_int_equal(budget[1].n_people, 1);  /* ceil of .08 */
    assert_int_equal(budget[13].n_people, 2); /* ceil of 1.04 */
    assert_int_equal(budget[50].n_people, 4);
    assert_near(budget[50].entropy, .75);
    assert_near(budget[50].accuracy_rest, .5);
    assert_near(budget[50].random, .625);
    assert_int_equal(budget[100].n_people, 8);
    assert_near(budget[100].entropy, 1);
    assert_near(budget[100].active, 1);
    assert_true(isnan(budget[100].accuracy_rest));
    page_book_free(&p);
}

static void test_people(void **state) {
    (void)state;
    page_book p = page_of_eight();
    const page_judge *j = &p.report.judges[0];
    static const int64_t confusion[9] = {1, 0, 1, 0, 0, 0, 0, 1, 0};
    for (int i = 0; i < 9; i++)
        assert_int_equal(j->people.confusion[i], confusion[i]);
    assert_int_equal(j->people.unruled[1], 1);
    assert_near(j->people.accuracy.value, .25);
    assert_near(j->people.accuracy.value, j->summary.labels.all.accuracy);
    assert_near(j->people.kappa, j->summary.labels.all.kappa);
    /* a pair without ruling stands for one half */
    assert_near(j->estimates.of[REPORT_ESTIMATE_JUDGE].value, 5.0 / 8);
    assert_near(j->estimates.of[REPORT_ESTIMATE_PEOPLE].value, 1.5 / 4);
    assert_near(j->estimates.of[REPORT_ESTIMATE_HITLC].value, 3.5 / 8);
    assert_true(isnan(j->estimates.of[REPORT_ESTIMATE_HITLC].low));
    assert_int_equal(p.report.annotators.n_labels, 4);
    assert_int_equal(p.report.annotators.n_pairs, 0);
    assert_non_null(p.report.annotators.why);
    page_book_free(&p);
}

static void test_settings(void **state) {
    (void)state;
    page_book p = page_of_eight();
    const page_judge *j = &p.report.judges[0];
    assert_int_equal(j->n_settings, 3);
    assert_int_equal(j->settings[0].orders, PLAN_ORDER_BIT(O12));
    assert_int_equal(j->settings[0].n_ruled, 6);
    assert_near(j->settings[0].win.value, j->summary.win_rate_by_order[0].value);
    assert_int_equal(j->settings[1].n_ruled, 6);
    assert_near(j->settings[1].win.value, j->summary.win_rate_by_order[1].value);
    assert_int_equal(j->settings[2].n_ruled, 5);
    assert_near(j->settings[2].win.value, j->summary.win_rate.value);
    assert_near(j->settings[2].conflict.value, .6);
    assert_near(j->settings[2].accuracy.value, .25);
    assert_true(isnan(j->settings[0].conflict.value));
    page_book_free(&p);
}

static void test_text_order(void **state) {
    (void)state;
    page_book p = page_of_eight();
    static const char *const ids[] = {"p6", "p7", "p8", "p2", "p3", "p4", "p1", "p5"};
    assert_ids(&p.report, p.report.order, ids, 8);
    page_book_free(&p);
}

/* ---- scores, categories, lengths ---- */

static plan_sample scored(eh_order order, double score_1, double score_2) {
    plan_sample s = vote_of(order, 0,
                            score_1 > score_2   ? V1
                            : score_1 < score_2 ? V2
                                                : VT);
    s.has_scores = true;
    s.score_1 = score_1;
    s.score_2 = score_2;
    return s;
}

/* Twelve pairs in two categories; the gap grows with the pair, and the six small ones
 * conflict. Answer 1 of the odd pairs is three times as long. */
static book book_of_gaps(void) {
    static char ids[12][8];
    dataset_pair pairs[12];
    book b = book_new();
    for (int i = 0; i < 12; i++) {
        (void)snprintf(ids[i], sizeof ids[i], "g%02d", i);
        pairs[i] = pair_of(ids[i], ids[i], i % 2 ? "abcabcabc" : "abc", "xyz");
        pairs[i].category = i < 4 ? EH_STR("few") : EH_STR("many");
    }
    stage_all(b.l, pairs, 12);
    int64_t judge = judge_made(b.l, "scores");
    (void)run_made(b.l, judge, "bpc", 1, PLAN_ORDERS_BOTH);
    for (int i = 0; i < 12; i++) {
        double gap = 1 + i / 2;
        bool conflict = i < 6;
        (void)put(b.l, judge, ids[i], scored(O12, 5 + gap, 5));
        (void)put(b.l, judge, ids[i],
                  conflict ? scored(O21, 5, 5 + gap) : scored(O21, 5 + gap, 5));
    }
    return b;
}

static void test_gaps_and_groups(void **state) {
    (void)state;
    page_book p = page_book_new(book_of_gaps());
    collect(&p);
    const page_judge *j = &p.report.judges[0];
    assert_null(j->why_gap);
    assert_int_equal(j->n_gap, 6);
    for (int b = 0; b < 6; b++) {
        assert_near(j->gap[b].low, 1 + b);
        assert_near(j->gap[b].high, 1 + b);
        assert_int_equal(j->gap[b].n, 2);
        assert_near(j->gap[b].conflict.value, b < 3 ? 1 : 0);
    }
    assert_int_equal(j->n_categories, 2);
    assert_text(j->categories[0].name, "many");
    assert_int_equal(j->categories[0].n, 8);
    assert_near(j->categories[0].conflict.value, .25);
    assert_near(j->categories[1].conflict.value, 1);
    assert_near(j->categories[1].win.value, .5);
    assert_null(j->why_length);
    assert_int_equal(j->length[3].n, 6); /* 4 over 4 characters, one added to each */
    assert_int_equal(j->length[5].n, 6); /* 10 over 4 */
    assert_near(j->cells[11].gap, 6);
    page_book_free(&p);
}

static void test_votes_have_no_gap(void **state) {
    (void)state;
    page_book p = page_of_eight();
    assert_string_equal(p.report.judges[0].why_gap, "no_scores");
    assert_int_equal(p.report.judges[0].n_gap, 0);
    page_book_free(&p);
}

/* ---- several ledgers ---- */

static void test_two_ledgers(void **state) {
    (void)state;
    page_book p = page_book_new(book_of_eight(0));
    p.books[1] = book_of_eight(3);
    p.sources[1] = (page_source){p.books[1].l, EH_STR("b.db")};
    p.n_sources = 2;
    collect(&p);
    assert_int_equal(p.report.n_pairs, 8); /* the same ids and texts */
    assert_int_equal(p.report.n_judges, 2);
    assert_text(p.report.judges[0].summary.name, "sim (a.db)");
    assert_text(p.report.judges[1].summary.name, "sim (b.db)");
    assert_int_equal(p.report.n_twos, 1);
    assert_int_equal(p.report.twos[0].n, 5);
    assert_near(p.report.twos[0].kappa, 1);
    assert_near(p.report.twos[0].win.interval.value, 0);
    assert_string_equal(p.report.hashes[0], p.report.hashes[1]);
    page_book_free(&p);
}

/* An id with other texts is another pair. */
static void test_revisions(void **state) {
    (void)state;
    page_book p = page_book_new(book_of_eight(0));
    dataset_pair pairs[2] = {pair_of("p1", "p1", "one", "two"),
                             pair_of("p2", "p2", "one", "something else")};
    p.books[1] = book_new();
    stage_all(p.books[1].l, pairs, 2);
    p.sources[1] = (page_source){p.books[1].l, EH_STR("b.db")};
    p.n_sources = 2;
    collect(&p);
    assert_int_equal(p.report.n_pairs, 9);
    assert_text(p.report.pairs[8].id, "p2");
    page_book_free(&p);
}

/* ---- words ---- */

static void test_words(void **state) {
    (void)state;
    page_book p = page_of_eight();
    assert_int_equal(p.report.n_warnings, 3);
    assert_holds(eh_str_of(p.report.warnings[0]), "3 of 8 pairs have no ruling (1: not "
                                                  "asked; 1: one order without");
    /* wins 3.5 of 8, and three more at best */
    assert_holds(eh_str_of(p.report.warnings[0]), "between 44 and 81 %");
    assert_holds(eh_str_of(p.report.warnings[1]), "60 % of pairs flip");
    assert_holds(eh_str_of(p.report.warnings[2]), "right on 25 % of 4 labelled pairs");
    page_book_free(&p);
}

static void test_no_run(void **state) {
    (void)state;
    page_book p = page_book_new(book_new());
    collect(&p);
    assert_string_equal(p.report.sentence, "Nothing has been judged yet.");
    page_book_free(&p);
}

/* ---- what carries the texts ---- */

static eh_str unpack(eh_str packed, uint8_t *room, size_t cap) {
    static uint8_t gz[1 << 16];
    size_t n;
    assert_int_equal(sodium_base642bin(gz, sizeof gz, packed.ptr, packed.len, NULL, &n,
                                       NULL, sodium_base64_VARIANT_ORIGINAL),
                     0);
    z_stream z = {.next_in = gz, .avail_in = (uInt)n};
    assert_int_equal(inflateInit2(&z, 15 + 16), Z_OK);
    z.next_out = room;
    z.avail_out = (uInt)cap;
    assert_int_equal(inflate(&z, Z_FINISH), Z_STREAM_END);
    size_t len = z.total_out;
    (void)inflateEnd(&z);
    return (eh_str){(const char *)room, len};
}

static void test_pack(void **state) {
    (void)state;
    static uint8_t room[1 << 16];
    const eh_str texts[] = {EH_STR(""), EH_STR("</script><script>"),
                            EH_STR("a\0b\xFF\xFE\n")};
    for (size_t i = 0; i < 3; i++) {
        eh_buf out;
        eh_error err;
        buf_init(&out, BUF_MAX_SMALL);
        buf_add_cstr(&out, "before:");
        assert_ok(page_pack(texts[i], &out, &err), err);
        eh_str packed = eh_str_slice(buf_view(&out), 7, out.len);
        assert_int_equal(eh_str_find(packed, EH_STR("<"), 0), SIZE_MAX);
        assert_same(unpack(packed, room, sizeof room), texts[i]);
        buf_deinit(&out);
    }
}

static void test_escape(void **state) {
    (void)state;
    eh_buf out;
    buf_init(&out, BUF_MAX_SMALL);
    page_html_escape(EH_STR("<a href=\"x\" title='y'>&amp;\xC3\xA9"), &out);
    assert_text(buf_view(&out),
                "&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;amp;\xC3\xA9");
    buf_deinit(&out);
}

static eh_status take_bytes(void *self, eh_str bytes, eh_error *err) {
    (void)err;
    buf_add_str(self, bytes);
    return EH_STATUS_OK;
}

/* The unpacked chunks of a report, one behind the other. */
static void all_chunks(page_book *p, eh_buf *out) {
    static uint8_t room[1 << 16];
    page_chunks *chunks;
    eh_buf html;
    buf_init(&html, BUF_MAX_SMALL);
    page_sink sink = {take_bytes, &html};
    assert_ok(page_report_chunks(&p->report, &p->options, &chunks, &p->err), p->err);
    assert_ok(page_chunks_write(chunks, &sink, &p->err), p->err);
    eh_str rest = buf_view(&html), part;
    while (eh_str_split(&rest, '>', &part)) {
        size_t end = eh_str_find(part, EH_STR("</script"), 0);
        if (end != SIZE_MAX && end > 0)
            buf_add_str(out, unpack(eh_str_slice(part, 0, end), room, sizeof room));
    }
    page_chunks_free(chunks);
    buf_deinit(&html);
}

static void test_chunks(void **state) {
    (void)state;
    page_book p = page_of_eight();
    eh_buf out;
    buf_init(&out, BUF_MAX_SMALL);
    all_chunks(&p, &out);
    assert_int_equal(p.report.n_placed, 8);
    assert_int_equal(p.report.pairs[p.report.order[0]].place, 0);
    assert_holds(buf_view(&out), "\"question\": \"p6\"");
    assert_holds(buf_view(&out), "\"answer_1\": \"one\"");
    assert_holds(buf_view(&out), "\"reply\": \"a reply\"");
    assert_holds(buf_view(&out), "\"by\": \"ann\"");
    assert_holds(buf_view(&out), "\"reason\": \"refusal\"");
    buf_deinit(&out);
    page_book_free(&p);
}

static void test_chunks_without_texts(void **state) {
    (void)state;
    page_book p = page_of_eight();
    eh_buf out;
    buf_init(&out, BUF_MAX_SMALL);
    p.options.texts = false;
    all_chunks(&p, &out);
    assert_int_equal(p.report.n_placed, 8);
    static const char *const kept_out[] = {"question", "answer", "reply\"", "ann",
                                           "\"by"};
    for (size_t i = 0; i < sizeof kept_out / sizeof kept_out[0]; i++)
        assert_int_equal(eh_str_find(buf_view(&out), eh_str_of(kept_out[i]), 0),
                         SIZE_MAX);
    assert_holds(buf_view(&out), "\"call\": \"");
    assert_holds(buf_view(&out), "\"label\": \"tie\"");
    buf_deinit(&out);
    page_book_free(&p);
}

static void test_chunks_without_room(void **state) {
    (void)state;
    page_book p = page_of_eight();
    eh_buf out;
    buf_init(&out, BUF_MAX_SMALL);
    p.options.max_bytes = 100;
    all_chunks(&p, &out);
    assert_int_equal(p.report.n_placed, 0);
    assert_int_equal(p.report.pairs[0].place, PAGE_NO_PLACE);
    assert_int_equal(out.len, 0);
    buf_deinit(&out);
    page_book_free(&p);
}

/* The index is JSON, and nothing undefined in it is a number. */
static void test_index(void **state) {
    (void)state;
    page_book p = page_of_eight();
    page_chunks *chunks;
    eh_buf out;
    json_fault fault;
    buf_init(&out, BUF_MAX_REPORT);
    assert_ok(page_report_chunks(&p.report, &p.options, &chunks, &p.err), p.err);
    page_index_json(&p.report, &p.options, chunks, &out);
    assert_ok(buf_check(&out, "index", &p.err), p.err);
    json_reader *reader = json_reader_new();
    assert_non_null(reader);
    const json_value *index = json_read(reader, &p.arena, buf_view(&out), &fault);
    assert_non_null(index);
    const json_value *judge = json_get(index, "judges")->child;
    const json_value *cells = json_get(judge, "cells");
    assert_text(json_get_str(cells, "ruling"), "13313000");
    assert_text(json_get_str(cells, "v12"), "11233001");
    assert_text(json_get_str(cells, "v21"), "12113200");
    assert_int_equal(json_get(cells, "score_1")->kind, JSON_NULL);
    assert_int_equal(json_get(json_get(index, "pairs"), "id")->n, 8);
    json_reader_free(reader);
    buf_deinit(&out);
    page_chunks_free(chunks);
    page_book_free(&p);
}

/* Any allocation may fail: an error and nothing lost, or the report. */
static void test_no_memory(void **state) {
    (void)state;
    page_book p = page_book_new(book_of_eight(0));
    bool done = false;
    for (int64_t nth = 1; nth < 3000 && !done; nth++) {
        page_chunks *chunks = NULL;
        page_report report;
        eh_arena arena;
        arena_init(&arena, (size_t)1 << 30);
        mem_fail_at(nth, true);
        eh_status status =
            page_collect(p.sources, 1, &p.options, &arena, &report, &p.err);
        if (status == EH_STATUS_OK)
            status = page_report_chunks(&report, &p.options, &chunks, &p.err);
        mem_fail_at(0, false);
        done = status == EH_STATUS_OK;
        if (!done) assert_int_equal(status, EH_STATUS_NOMEM);
        page_chunks_free(chunks);
        arena_deinit(&arena);
    }
    assert_true(done);
    page_book_free(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_position),
        cmocka_unit_test(test_bpde),
        cmocka_unit_test(test_budget),
        cmocka_unit_test(test_people),
        cmocka_unit_test(test_settings),
        cmocka_unit_test(test_text_order),
        cmocka_unit_test(test_gaps_and_groups),
        cmocka_unit_test(test_votes_have_no_gap),
        cmocka_unit_test(test_two_ledgers),
        cmocka_unit_test(test_revisions),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_no_run),
        cmocka_unit_test(test_pack),
        cmocka_unit_test(test_escape),
        cmocka_unit_test(test_chunks),
        cmocka_unit_test(test_chunks_without_texts),
        cmocka_unit_test(test_chunks_without_room),
        cmocka_unit_test(test_index),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
