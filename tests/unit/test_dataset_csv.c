/* SPDX-License-Identifier: MIT
 *
 * CSV: RFC 4180, and the files that Excel, pandas and PowerShell write.
 */
#include "dataset_stage.h"

#define HEADER "id,question,answer_1,answer_2\n"

static memory_stage *read_csv(const char *text) {
    return read_mapped("in.csv", eh_str_of(text), NULL);
}

/* ASCII and Latin-1 as UTF-16 with its mark. */
static eh_str utf16(eh_arena *arena, const char *latin1, bool big_endian) {
    size_t n = strlen(latin1);
    char *out = arena_zalloc(arena, n + 1, 2);
    memcpy(out, big_endian ? "\xFE\xFF" : "\xFF\xFE", 2);
    for (size_t i = 0; i < n; i++)
        out[2 + 2 * i + big_endian] = latin1[i];
    return (eh_str){out, 2 * (n + 1)};
}

static void test_cells(void **state) {
    (void)state;
    memory_stage *m =
        read_csv(HEADER "1,plain,\"quoted, with \"\"marks\"\"\",\"\"\"x\"\"\"\n"
                        "2, spaces ,a\"b\"c,\" \"\r\n"
                        "\"3\",\"line\nbreak\",\"other\r\nbreak\r\",\"\"\"\"\n"
                        "4,q,\xC3\xA9,last");
    assert_int_equal(m->n_pairs, 4);
    assert_int_equal(m->n_faults, 1); /* the blank answer of row 2 */
    const dataset_pair *p = m->pairs;
    assert_str(p[0].answer_1, "quoted, with \"marks\"");
    assert_str(p[0].answer_2, "\"x\"");
    assert_str(p[1].question, " spaces ");
    assert_str(p[1].answer_1, "a\"b\"c");
    assert_str(p[1].answer_2, " ");
    assert_str(p[2].id, "3");
    assert_str(p[2].question, "line\nbreak");
    assert_str(p[2].answer_1, "other\r\nbreak\r");
    assert_str(p[2].answer_2, "\"");
    assert_str(p[3].answer_1, "\xC3\xA9");
    assert_str(p[3].answer_2, "last");
    assert_int_equal(p[2].line, 4);
    assert_int_equal(p[3].line, 7);
    memory_free(m);
}

static void test_delimiters(void **state) {
    (void)state;
    static const char *const texts[] = {
        "id,question,answer_1,answer_2\n1,q,a;b,c;d\n",
        "id;question;answer_1;answer_2\n1;q;a;c;d\n1;q;\"a;b\";\"c;d\"\n",
        "id\tquestion\tanswer_1\tanswer_2\n1\tq\ta;b\tc;d\n",
        "\xEF\xBB\xBF\"id\";question;answer_1;answer_2\r\n1;q;\"a;b\";\"c;d\"\r\n",
        "sep=;\r\nid;question;answer_1;answer_2\r\n1;q;\"a;b\";\"c;d\"\r\n",
        "SEP=|\nid|question|answer_1|answer_2\n1|q|a;b|c;d\n",
        " id , question,answer_1 ,answer_2\n1,q,a;b,c;d\n",
        /* more commas than semicolons, but our names are between the latter */
        "id;question;answer_1;answer_2;a,b,c,d,e,f,g\n1;q;\"a;b\";\"c;d\";\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        memory_stage *m = read_csv(texts[i]);
        assert_int_equal(m->n_pairs, 1);
        assert_int_equal(m->n_faults, i == 1); /* a row with a cell too many */
        assert_str(m->pairs[0].question, "q");
        assert_str(m->pairs[0].answer_1, "a;b");
        assert_str(m->pairs[0].answer_2, "c;d");
        memory_free(m);
    }
}

static void test_utf16(void **state) {
    (void)state;
    eh_arena arena;
    arena_init(&arena, 64 << 20);
    for (int big = 0; big < 2; big++) {
        memory_stage *m = read_mapped(
            "in.csv",
            utf16(&arena,
                  "id\tquestion\tanswer_1\tanswer_2\r\n1\tq\t\xE9\t\"b\nc\"\r\n", big),
            NULL);
        assert_int_equal(m->n_faults, 0);
        assert_str(m->pairs[0].answer_1, "\xC3\xA9");
        assert_str(m->pairs[0].answer_2, "b\nc");
        memory_free(m);
        m = read_mapped("in.jsonl",
                        utf16(&arena,
                              "{\"id\":1,\"question\":\"q\",\"answer_1\":\"\xFC\","
                              "\"answer_2\":\"\"}\r\n",
                              big),
                        NULL);
        assert_str(m->pairs[0].answer_1, "\xC3\xBC");
        memory_free(m);
    }
    memory_stage *m = read_mapped("in.csv", EH_STR("\xFF\xFE"), NULL);
    (void)only_fault(m, DATASET_FAULT_NO_PAIRS);
    memory_free(m);
    arena_deinit(&arena);
}

/* What is no UTF-16 is an error in its line; pairs of surrogates are not. */
static void test_bad_utf16(void **state) {
    (void)state;
    static const struct {
        const char *units;
        size_t n_bytes;
        const char *text; /* NULL: bad */
    } tails[] = {
        {"\x3E\xD8\x40\xDD", 4, "\xF0\x9F\xA5\x80"},
        {"\x3E\xD8x\0", 4, NULL},
        {"\x3E\xD8\x3E\xD8\x40\xDD", 6, NULL},
        {"\x40\xDD", 2, NULL},
        {"\x3E\xD8", 2, NULL},
        {"x", 1, NULL},
        {"\xAC\x20", 2, "\xE2\x82\xAC"},
    };
    eh_arena arena;
    arena_init(&arena, 64 << 20);
    for (size_t i = 0; i < sizeof tails / sizeof tails[0]; i++) {
        eh_str head = utf16(&arena, HEADER "1,q,a,b\n2,q,a,", false);
        char *bytes = arena_alloc(&arena, head.len + tails[i].n_bytes);
        memcpy(bytes, head.ptr, head.len);
        memcpy(bytes + head.len, tails[i].units, tails[i].n_bytes);
        memory_stage *m =
            read_mapped("in.csv", (eh_str){bytes, head.len + tails[i].n_bytes}, NULL);
        if (tails[i].text) {
            assert_str(m->pairs[1].answer_2, tails[i].text);
        } else {
            const dataset_fault *f = only_fault(m, DATASET_FAULT_INVALID_UTF8);
            assert_int_equal(f->line, 3);
            assert_int_equal(f->byte, 6);
        }
        memory_free(m);
    }
    arena_deinit(&arena);
}

static void test_blank_records(void **state) {
    (void)state;
    memory_stage *m =
        read_csv("\n  \n" HEADER "\n1,q,a,b\n \t\n,,,\n , ,,\r\n2,q,a,b\n,,,");
    assert_int_equal(m->n_faults, 0);
    assert_int_equal(m->n_pairs, 2);
    assert_int_equal(m->pairs[0].line, 5);
    assert_int_equal(m->pairs[1].line, 9);
    memory_free(m);
}

static void test_wrong_columns(void **state) {
    (void)state;
    memory_stage *m = read_csv(HEADER "1,q,a\n2,q,\"a\nb\",b\n3,q,a,b,c\n4,q,a,b\n");
    assert_int_equal(m->n_pairs, 2);
    assert_int_equal(m->n_faults, 2);
    assert_int_equal(m->faults[0].kind, DATASET_FAULT_WRONG_COLUMNS);
    assert_int_equal(m->faults[0].line, 2);
    assert_str(m->faults[0].detail, "3 cells, but the header has 4");
    assert_int_equal(m->faults[1].line, 5);
    assert_str(m->faults[1].detail, "5 cells, but the header has 4");
    memory_free(m);
}

static void test_bad_quotes(void **state) {
    (void)state;
    memory_stage *m = read_csv(HEADER "1,q,\"a\"x,b\n2,q,\"a\" ,b\n3,q,a,b\n"
                                      "4,q,\"never\nclosed,b\n5,q,a,b\n");
    assert_int_equal(m->n_pairs, 1);
    assert_int_equal(m->n_faults, 3);
    static const int64_t lines[] = {2, 3, 5};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(m->faults[i].kind, DATASET_FAULT_BAD_CSV);
        assert_int_equal(m->faults[i].line, lines[i]);
    }
    assert_str(m->faults[0].detail, "text after a closing quotation mark");
    assert_str(m->faults[2].detail, "the file ends inside a quoted cell");
    memory_free(m);
}

static void test_bad_bytes(void **state) {
    (void)state;
    memory_stage *m = read_csv(HEADER "1,q,a,b\n2,q,\"x\ny\xE9\",b\n3,q,a,b\n");
    const dataset_fault *f = only_fault(m, DATASET_FAULT_INVALID_UTF8);
    assert_int_equal(f->line, 4); /* the line that holds it */
    assert_int_equal(f->byte, 1);
    assert_int_equal(m->n_pairs, 2);
    memory_free(m);
}

static void test_bad_headers(void **state) {
    (void)state;
    memory_stage *m = read_csv("id,question,answer_1\n1,q,a\n2,q,a\n3,q\n");
    assert_int_equal(m->n_faults, 2); /* the column once, not for each row */
    const dataset_fault *f = memory_fault(m, DATASET_FAULT_MISSING_FIELD);
    assert_int_equal(f->line, 1);
    assert_str(f->field, "answer_2");
    assert_str(f->detail, "the header has no such column");
    assert_int_equal(memory_fault(m, DATASET_FAULT_WRONG_COLUMNS)->line, 4);
    memory_free(m);

    m = read_csv("\nid,answer_1,answer_2\n1,a,b\n2,c,d\n");
    f = only_fault(m, DATASET_FAULT_MISSING_FIELD);
    assert_int_equal(f->line, 2);
    assert_str(f->field, "question");
    memory_free(m);

    m = read_csv("id,question,answer_1,answer_2,id\n1,q,a,b,1\n2,q,\"a\"x,b,2\n");
    assert_int_equal(m->n_faults, 2);
    f = memory_fault(m, DATASET_FAULT_DUPLICATE_KEY);
    assert_int_equal(f->line, 1);
    assert_str(f->field, "id");
    assert_int_equal(memory_fault(m, DATASET_FAULT_BAD_CSV)->line, 3);
    memory_free(m);

    m = read_csv("id,\"question\"x,answer_1,answer_2\n1,q,a,b\n");
    (void)only_fault(m, DATASET_FAULT_BAD_CSV);
    assert_int_equal(m->n_pairs, 0);
    memory_free(m);

    m = read_csv(HEADER);
    (void)only_fault(m, DATASET_FAULT_NO_PAIRS);
    memory_free(m);
    m = read_csv("sep=;\n");
    (void)only_fault(m, DATASET_FAULT_NO_PAIRS);
    memory_free(m);
}

static void test_further_columns(void **state) {
    (void)state;
    memory_stage *m = read_csv(
        ",id,question,answer_1,answer_2,model_1,model_2,category,turns,meta,level,\n"
        "0,x,q,a,b,m,,7,\"[{\"\"role\"\":\"\"user\"\",\"\"content\"\":\"\"t\"\"}]\","
        "\"{\"\"k\"\": 1.0}\",,z\n"
        "1,y,q,a,b,,,,,free text,3,\n"
        "2,z,q,a,b,,,,none,,,\n");
    assert_int_equal(m->n_pairs, 2);
    const dataset_pair *p = &m->pairs[0];
    assert_str(p->model_1, "m");
    assert_true(eh_str_is_absent(p->model_2));
    assert_str(p->category, "7");
    assert_str(p->turns_json, "[{\"role\":\"user\",\"content\":\"t\"}]");
    /* a data frame's index has no name */
    assert_str(p->meta_json,
               "{\"column 1\":\"0\",\"level\":\"\",\"column 12\":\"z\",\"k\":1.0}");
    p = &m->pairs[1];
    assert_true(eh_str_is_absent(p->turns_json));
    assert_str(p->meta_json, "{\"column 1\":\"1\",\"level\":\"3\",\"column 12\":\"\","
                             "\"meta\":\"free text\"}");
    const dataset_fault *f = only_fault(m, DATASET_FAULT_WRONG_TYPE);
    assert_str(f->field, "turns");
    assert_int_equal(f->line, 4);
    memory_free(m);
}

static void test_required_cells(void **state) {
    (void)state;
    memory_stage *m = read_csv(HEADER ",q,a,b\n2,,,b\n3,q,a,b\n3,q,a,b\n");
    assert_int_equal(m->n_faults, 3);
    const dataset_fault *f = memory_fault(m, DATASET_FAULT_WRONG_TYPE);
    assert_str(f->field, "id");
    assert_str(
        f->detail,
        "a string that is not empty, or a number is needed, not an empty string");
    assert_str(memory_fault(m, DATASET_FAULT_EMPTY_ANSWER)->id, "2");
    assert_int_equal(memory_fault(m, DATASET_FAULT_DUPLICATE_ID)->other_line, 4);
    memory_free(m);
}

static void test_nul_and_cut_cells(void **state) {
    (void)state;
    enum { EXCEL_MAX = 32767 };
    eh_buf text;
    buf_init(&text, BUF_MAX_SMALL);
    buf_add_cstr(&text, HEADER "1,q,before");
    buf_add_char(&text, '\0');
    buf_add_cstr(&text, "after,b\n");
    for (int row = 2; row < 5; row++) { /* one unit less, as many, one more */
        buf_printf(&text, "%d,q,a,\xF0\x9F\x8D\xB8", row); /* two units */
        for (int i = 0; i < EXCEL_MAX - 5 + row; i++)
            buf_add_char(&text, 'x');
        buf_add_char(&text, '\n');
    }
    memory_stage *m = read_mapped("in.csv", buf_view(&text), NULL);
    assert_int_equal(m->n_pairs, 4);
    assert_int_equal(m->n_faults, 2);
    assert_str(memory_fault(m, DATASET_FAULT_CONTAINS_NUL)->id, "1");
    assert_int_equal(m->pairs[0].answer_1.len, 12);
    const dataset_fault *f = memory_fault(m, DATASET_FAULT_CUT_CELL);
    assert_str(f->id, "3");
    assert_str(f->field, "answer_2");
    buf_deinit(&text);
    memory_free(m);
}

static void test_csv_map(void **state) {
    (void)state;
    memory_stage *m = read_mapped("in.csv", EH_STR("n;out.a;out.b;prompt\n1;a;b;q\n"),
                                  "id=n,question=prompt,answer_1=out.a,answer_2=out.b");
    assert_int_equal(m->n_faults, 0);
    assert_str(m->pairs[0].answer_2, "b");
    assert_true(eh_str_is_absent(m->pairs[0].meta_json));
    memory_free(m);
    m = read_mapped("in.csv", EH_STR("id,a,b\n1,a,b\n2,c,d\n"),
                    "answer_1=a,answer_2=c,question=x");
    assert_int_equal(m->n_faults, 2);
    assert_str(m->faults[0].field, "answer_2");
    assert_str(m->faults[1].field, "question");
    memory_free(m);
}

static void check_format(const char *name, const char *text, dataset_format format,
                         dataset_fault_kind kind) {
    memory_stage *m = memory_new();
    dataset_options options = {.path = memory_file(m, name, eh_str_of(text)),
                               .format = format};
    assert_int_equal(
        dataset_read(&options, &m->stage, &m->sink, &m->counts, NULL, &m->err),
        EH_STATUS_OK);
    if (kind == DATASET_FAULT_N)
        assert_int_equal(m->n_pairs, 1);
    else
        assert_int_equal(m->faults[0].kind, kind);
    memory_free(m);
}

static void test_formats(void **state) {
    (void)state;
    static const char csv[] = "\n" HEADER "1,q,a,b\n";
    static const char json[] =
        "\n {\"id\":1,\"question\":\"q\",\"answer_1\":\"a\",\"answer_2\":\"b\"}\n";
    const dataset_format any = DATASET_FORMAT_AUTO;
    const dataset_fault_kind good = DATASET_FAULT_N;
    check_format("x", csv, any, good);
    check_format("x", json, any, good);
    check_format("x.txt.gz", csv, any, good);
    check_format("x", "sep=,\n" HEADER "1,q,a,b\n", any, good);
    check_format("x", "sep=\t\nid\tquestion\tanswer_1\tanswer_2\n1\tq\ta\tb\n", any,
                 good);
    check_format("x", "nothing like it\n", any, DATASET_FAULT_BAD_JSON);
    check_format("x", "[1,\n2]\n", any, DATASET_FAULT_BAD_JSON);
    /* a name that says it wins over the content, but that an object is no header; an
     * option wins over both */
    check_format("x.JSONL", csv, any, DATASET_FAULT_BAD_JSON);
    check_format("x.csv.gz", "[1,\n2]\n", any, DATASET_FAULT_WRONG_COLUMNS);
    check_format("x.csv.gz", json, any, good);
    check_format("x.csv", json, DATASET_FORMAT_CSV, DATASET_FAULT_BAD_CSV);
    check_format("x.ndjson", csv, DATASET_FORMAT_CSV, good);
    check_format("x.tsv", json, DATASET_FORMAT_JSONL, good);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cells),          cmocka_unit_test(test_delimiters),
        cmocka_unit_test(test_utf16),          cmocka_unit_test(test_bad_utf16),
        cmocka_unit_test(test_blank_records),  cmocka_unit_test(test_wrong_columns),
        cmocka_unit_test(test_bad_quotes),     cmocka_unit_test(test_bad_bytes),
        cmocka_unit_test(test_bad_headers),    cmocka_unit_test(test_further_columns),
        cmocka_unit_test(test_required_cells), cmocka_unit_test(test_nul_and_cut_cells),
        cmocka_unit_test(test_csv_map),        cmocka_unit_test(test_formats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
