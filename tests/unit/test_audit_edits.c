/* SPDX-License-Identifier: MIT
 *
 * Records of edits that come with a probe's file: how they are read, brought into the
 * bytes of the bare answer, and kept in the ledger of an audit.
 */
#include "audit/edits.h"
#include "base/rng.h"
#include "exam_make.h"

static eh_arena arena;
static audit_change change;
static eh_error err;

static int set_up(void **state) {
    (void)state;
    arena_init(&arena, 64 << 20);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    arena_deinit(&arena);
    return 0;
}

static eh_status read_text(const char *json) {
    json_fault fault;
    json_reader *reader = json_reader_new();
    const json_value *list = json_read(reader, &arena, eh_str_of(json), &fault);
    assert_non_null(list);
    eh_status status = audit_edits_read(list, &change, &err);
    json_reader_free(reader);
    return status;
}

static void test_reading(void **state) {
    (void)state;
    static const struct {
        const char *json, *part;
    } bad[] = {{"{}", "edits is no list"},
               {"[1]", "entry 1 of edits: at and removed"},
               {"[{\"at\": 1, \"removed\": 0, \"inserted\": \"\"}, {\"at\": 2}]",
                "entry 2 of edits"},
               {"[{\"at\": -1, \"removed\": 0, \"inserted\": \"\"}]", "from 0 up"},
               {"[{\"at\": 1.5, \"removed\": 0, \"inserted\": \"\"}]", "whole numbers"},
               {"[{\"at\": \"1\", \"removed\": 0, \"inserted\": \"\"}]", "entry 1"},
               {"[{\"at\": 1, \"removed\": 0, \"inserted\": null}]", "a text"}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_fails(read_text(bad[i].json), EH_STATUS_DATA, err, bad[i].part);
    eh_buf many;
    buf_init(&many, BUF_MAX_SMALL);
    for (int i = 0; i <= AUDIT_EDITS_MAX; i++)
        buf_printf(&many, "%s{\"at\": %d, \"removed\": 0, \"inserted\": \"x\"}",
                   i ? "," : "[", i);
    buf_add_cstr(&many, "]");
    assert_fails(read_text(arena_dup(&arena, buf_view(&many))), EH_STATUS_DATA, err,
                 "edits has 257 entries, and 256 are the most");
    buf_deinit(&many);
    assert_ok(read_text("[{\"at\": 2, \"removed\": 3, \"inserted\": \"\\u00e4\"}]"),
              err);
    assert_int_equal(change.n_edits, 1);
    assert_int_equal(change.edits[0].at_byte, 2);
    assert_int_equal(change.edits[0].n_removed_bytes, 3);
    assert_text(change.edits[0].inserted, "\xC3\xA4");
}

static eh_status settle(const char *edits, const char *front, const char *bare,
                        const char *back, const char *text) {
    audit_edges edges = {eh_str_of(front), eh_str_of(back)};
    EH_TRY(read_text(edits));
    return audit_edits_settle(&change, eh_str_of(bare), &edges, eh_str_of(text), &arena,
                              &err);
}

static void test_settling(void **state) {
    (void)state;
    /* " Red it is.\n": the R stands at 1 there, at 0 in the bare answer */
    assert_ok(settle("[{\"at\":1,\"removed\":3,\"inserted\":\"Blue\"}]", " ",
                     "Red it is.", "\n", "Blue it is."),
              err);
    assert_int_equal(change.n_edits, 1);
    assert_int_equal(change.edits[0].at_byte, 0);
    assert_int_equal(change.edits[0].n_removed_bytes, 3);
    /* what is put in front of the white space makes it a part of the answer */
    assert_ok(settle("[{\"at\":0,\"removed\":0,\"inserted\":\"So:\"}]", " ", "Red.", "",
                     "So: Red."),
              err);
    assert_text(change.edits[0].inserted, "So: ");
    /* white space that an edit leaves at an end goes, too */
    assert_ok(settle("[{\"at\":0,\"removed\":3,\"inserted\":\"\"}]", "", "Red it is.",
                     "", "it is."),
              err);
    assert_int_equal(change.edits[0].n_removed_bytes, 4);
    assert_ok(settle("[{\"at\":4,\"removed\":0,\"inserted\":\" Yes. \\n\"}]", "",
                     "Red.", "", "Red. Yes."),
              err);
    assert_text(change.edits[0].inserted, " Yes.");
    /* taking the white space itself away changes nothing in the bare answer */
    assert_ok(settle("[{\"at\":0,\"removed\":2,\"inserted\":\"\"},"
                     "{\"at\":5,\"removed\":1,\"inserted\":\"!\"}]",
                     "  ", "Red.", "", "Red!"),
              err);
    assert_int_equal(change.n_edits, 1);
    assert_int_equal(change.edits[0].at_byte, 3);
    assert_fails(
        settle("[{\"at\":3,\"removed\":2,\"inserted\":\"\"}]", "", "Red.", "", "Red"),
        EH_STATUS_DATA, err, "entry 1 of edits (at 3, removed 2) lies outside");
    assert_fails(settle("[{\"at\":2,\"removed\":1,\"inserted\":\"\"},"
                        "{\"at\":2,\"removed\":1,\"inserted\":\"\"}]",
                        "", "Red.", "", "Re"),
                 EH_STATUS_DATA, err, "entry 2 of edits (at 2, removed 1)");
    assert_fails(settle("[{\"at\":1,\"removed\":1,\"inserted\":\"\"}]", "",
                        "\xC3\xA4hm", "", "hm"),
                 EH_STATUS_DATA, err, "within a character");
    assert_fails(
        settle("[{\"at\":0,\"removed\":1,\"inserted\":\"B\"}]", "", "Red.", "", "Bad."),
        EH_STATUS_DATA, err, "do not make this one");
    assert_fails(settle("[]", "", "Red.", "", "Bad."), EH_STATUS_DATA, err,
                 "do not make");
}

/* ---- any record ---- */

static eh_str draw_text(eh_rng *rng, const char *signs, size_t n_signs, size_t most) {
    size_t n = rng_u64(rng) % (most + 1);
    char *text = arena_alloc(&arena, most + 1);
    for (size_t i = 0; i < n; i++)
        text[i] = signs[rng_u64(rng) % n_signs];
    return (eh_str){text, n};
}

/* Edits of a whole, and what they make of it. */
static eh_str draw_edits(eh_rng *rng, eh_str whole, eh_buf *out) {
    size_t at = 0;
    buf_reset(out);
    change.n_edits = 0;
    while (rng_u64(rng) % 4 && at <= whole.len) {
        size_t from = at + rng_u64(rng) % (whole.len - at + 1);
        size_t n_gone = rng_u64(rng) % (whole.len - from + 1) / 2;
        eh_str come = draw_text(rng, " ab\n", 4, 3);
        buf_add_str(out, eh_str_slice(whole, at, from));
        buf_add_str(out, come);
        change.edits[change.n_edits++] = (audit_edit){from, n_gone, come};
        at = from + n_gone;
    }
    buf_add_str(out, eh_str_slice(whole, at, whole.len));
    return buf_view(out);
}

/* Whatever a record is, what it makes of the bare answer is the bare new text. */
static void test_any_record(void **state) {
    (void)state;
    eh_rng rng = rng_make(1, "test.edits", 0);
    eh_buf out;
    int n_tried = 0;
    buf_init(&out, BUF_MAX_SMALL);
    for (int i = 0; i < 20000; i++) {
        arena_reset(&arena);
        eh_str whole = draw_text(&rng, " \nabc ", 6, 14), bare = eh_str_trim(whole);
        if (bare.len == 0) continue;
        size_t begin = (size_t)(bare.ptr - whole.ptr);
        audit_edges edges = {eh_str_slice(whole, 0, begin),
                             eh_str_slice(whole, begin + bare.len, whole.len)};
        eh_str text = eh_str_trim(draw_edits(&rng, whole, &out));
        if (text.len == 0 || eh_str_eq(text, bare)) continue;
        n_tried++;
        size_t n_before = change.n_edits;
        assert_ok(audit_edits_settle(&change, bare, &edges, text, &arena, &err), err);
        assert_true(audit_check(bare, &change, NULL));
        assert_true(change.n_edits <= n_before);
        for (size_t k = 0; k < change.n_edits; k++)
            assert_true(change.edits[k].n_removed_bytes + change.edits[k].inserted.len >
                        0);
    }
    assert_true(n_tried > 5000);
    buf_deinit(&out);
}

/* ---- in an audit ---- */

static const char pairs[] =
    "{\"id\":\"a\",\"question\":\"Q?\",\"answer_1\":\"  One is so.\\n\","
    "\"answer_2\":\"Two is so.\"}\n"
    "{\"id\":\"b\",\"question\":\"R?\",\"answer_1\":\"Red.\",\"answer_2\":\"Blue.\"}\n";

/* A row of pair a or b with an answer in place of its first, and what is said of it. */
static const char *file_row_of(char id, const char *answer, const char *edits) {
    return arena_printf(&arena,
                        "{\"id\":\"x\",\"control_id\":\"%c\",\"question\":\"%c?\","
                        "\"answer_1\":\"%s\",\"answer_2\":\"%s\",\"perturbed\":1,"
                        "\"edits\":%s}\n",
                        id, id == 'a' ? 'Q' : 'R', answer,
                        id == 'a' ? "Two is so." : "Blue.", edits);
}

static eh_status stage(exam_desk *d, const char *rows, bool skip_bad,
                       exam_staged *staged) {
    exam_wish w = {.data = exam_file(d, "pairs.jsonl", pairs)};
    d->skip_bad = skip_bad;
    w.probes = arena_printf(&arena, "mine:oversight=%s", exam_file(d, "m.jsonl", rows));
    return exam_try_stage(d, &w, staged);
}

static eh_str meta_of(exam_desk *d, const char *id) {
    ledger_texts texts;
    int64_t row = row_of(d->l, id);
    assert_ok(ledger_pair_texts(d->l, row, &texts, &d->arena, &d->err), d->err);
    return texts.meta_json;
}

static void test_kept(void **state) {
    (void)state;
    static const struct {
        char id;
        const char *answer, *edits, *kept; /* kept: NULL for none */
    } cases[] = {
        {'b', "Rose.", "[{\"at\":1,\"removed\":2,\"inserted\":\"ose\"}]",
         "\"edits\": [{\"at\": 1, \"removed\": 2, \"inserted\": \"ose\"}]"},
        /* counted in the bare answer, and in the answer as it stands in the data */
        {'a', "Ono is so.", "[{\"at\":2,\"removed\":1,\"inserted\":\"o\"}]",
         "\"edits\": [{\"at\": 2, \"removed\": 1, \"inserted\": \"o\"}]"},
        {'a', "  Ono is so.\\n", "[{\"at\":4,\"removed\":1,\"inserted\":\"o\"}]",
         "\"edits\": [{\"at\": 2, \"removed\": 1, \"inserted\": \"o\"}]"},
        {'a', "Ono is so.",
         "\"[{\\\"at\\\":2,\\\"removed\\\":1,\\\"inserted\\\":"
         "\\\"o\\\"}]\"",
         "\"edits\": [{\"at\": 2, \"removed\": 1, \"inserted\": \"o\"}]"},
        {'b', "Rot.", "null", NULL},
        {'b', "Rot.", "\" \"", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        exam_desk *d = exam_desk_new();
        exam_staged staged;
        char id[] = "a~mine";
        id[0] = cases[i].id;
        assert_ok(stage(d, file_row_of(cases[i].id, cases[i].answer, cases[i].edits),
                        false, &staged),
                  d->err);
        assert_int_equal(staged.n_made[0], 1);
        eh_str meta = meta_of(d, id);
        meta.len = eh_str_find(meta, EH_STR("\"trimmed\""), 0); /* what is ours */
        if (cases[i].kept)
            assert_holds(meta, cases[i].kept);
        else
            assert_int_equal(count_of(meta, EH_STR("edits")), 0);
        assert_holds(meta_of(d, "a"), "\"edges_1\": [\"  \", \"\\n\"]");
        assert_int_equal(count_of(meta_of(d, "a"), EH_STR("edges_2")), 0);
        exam_desk_free(d);
    }
}

static void test_refused(void **state) {
    (void)state;
    static const struct {
        const char *edits, *part;
    } bad[] = {
        {"[{\"at\":0,\"removed\":1,\"inserted\":\"r\"}]",
         "m.jsonl: line 2: edits, applied to the pair's answer, do not make this one"},
        {"[{\"at\":9,\"removed\":1,\"inserted\":\"r\"}]",
         "m.jsonl: line 2: entry 1 of edits (at 9, removed 1) lies outside of the "
         "answer's 4 bytes"},
        {"[{\"at\":0}]",
         "m.jsonl: line 2: entry 1 of edits: at and removed have to be"},
        {"\"many\"", "m.jsonl: line 2: edits is no list of"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        exam_desk *d = exam_desk_new();
        exam_staged staged;
        const char *rows =
            arena_printf(&arena, "%s%s", file_row_of('a', "Ono is so.", "null"),
                         file_row_of('b', "Rot.", bad[i].edits));
        assert_fails(stage(d, rows, false, &staged), EH_STATUS_DATA, d->err,
                     bad[i].part);
        assert_ok(stage(d, rows, true, &staged), d->err);
        assert_int_equal(staged.n_made[0], 1);
        assert_int_equal(staged.n_rejected[0], 1);
        exam_desk_free(d);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_reading), TEST(test_settling), TEST(test_any_record),
        TEST(test_kept),    TEST(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
